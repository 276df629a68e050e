"""``ginsim run``, ``compare``, ``tournament``: carry out a study with progress, and print what came out."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ginsim.commands import console_of
from ginsim.errors import InputError
from ginsim.report.page import change_text, level_text
from ginsim.report.plots import CHANGES, SHOWN, value_labels, variant_labels
from ginsim.study.compare import DEALS_PER_GAME, Comparison
from ginsim.study.effect import Effect, EffectWork
from ginsim.study.estimates import interval_text
from ginsim.study.execute import Interrupted, execute
from ginsim.study.execute import Progress as Report
from ginsim.study.experiment import KINDS, CompareExperiment, Experiment, Result, _complaints, load_experiment, run_experiment
from ginsim.study.play import GAMES, Done
from ginsim.study.rulemap import RuleMap
from ginsim.study.tally import GAME_TALLY


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Report | None]:
    """A progress bar with rate and time left on a terminal; None where nobody is looking."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("compiling", total=None)
        hands = 0

        def update(done: Done | None, pairs: int, total: int) -> None:
            nonlocal hands
            hands += 0 if done is None else hands_in(done)
            elapsed = bar.tasks[0].elapsed or 0
            rate = f" {hands / elapsed:,.0f} hands/s" if hands and elapsed else ""
            text = f"{hands:,} hands{rate}" if done else "compiling"
            bar.update(task, description=text, completed=pairs, total=total)

        yield update


def hands_in(done: Done) -> int:
    """Hands played in a piece of work."""
    if isinstance(done.work, EffectWork):
        return done.work.hands_in(done.tally)
    return int(done.tally[GAME_TALLY.index("hands")]) if done.work.phase == GAMES else 2 * done.work.count


def run_file(
    file: Path, out: Path | None, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str, **changes: Any
) -> None:
    """Run an experiment file into its folder and print the outcome."""
    if changes.get("deals") is not None and changes.get("games") is None:
        changes["games"] = changes["deals"] // DEALS_PER_GAME if load_experiment(file).game_pairs else 0
    experiment = load_experiment(file, **changes)
    folder = out or Path("results") / file.stem
    _into_folder(experiment, folder, workers, hands, fresh, quiet, command)


def _into_folder(
    experiment: Experiment, folder: Path, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str
) -> None:
    try:
        with progress_bar(quiet) as progress:
            result = run_experiment(experiment, folder, workers, progress, hands, fresh, command, say)
    except Interrupted as stop:
        say(f"{stop}; what was finished is kept in {folder}. Go on with:\n  {_without(command, '--fresh')}")
        raise typer.Exit(130) from None
    show_result(result)
    typer.echo(f"\n{result.hand_count:,} hands in {result.wall_seconds:.1f} s. Report, tables and plots: {folder / 'report.md'}")


def run_settings(
    settings: dict[str, Any], out: Path | None, workers: int | None, hands: bool, quiet: bool, command: str
) -> None:
    """Run a study given on the command line; into a folder if there is one."""
    model = KINDS[settings["kind"]]
    try:
        experiment = model.model_validate(settings)
    except ValidationError as error:
        raise InputError("\n".join(_complaints(error, model))) from None
    if hands and out is None:
        raise InputError("hands: --hands needs a folder to write to; give --out FOLDER")
    if out is not None:
        _into_folder(experiment, out, workers, hands, False, quiet, command)
        return
    try:
        with progress_bar(quiet) as progress:
            tallies = execute(experiment.works(), workers, progress)
    except Interrupted as stop:
        if isinstance(experiment, CompareExperiment) and (result := experiment.result(stop.tallies)).hand_count:
            show_result(result)
        say(f"{stop}; with --out FOLDER what was finished is kept and the same command goes on:\n  {command} --out FOLDER")
        raise typer.Exit(130) from None
    show_result(experiment.result(tallies))


def say(text: str) -> None:
    """A remark to the person at the terminal."""
    typer.echo(text, err=True)


def _without(command: str, option: str) -> str:
    return shlex.join(word for word in shlex.split(command) if word != option)


def show_result(result: Result) -> None:
    """Print the figures as tables, and the verdict."""
    console = console_of()
    if isinstance(result, Comparison):
        console.print(_comparison_table(result))
        console.print(_endings_table(result))
        if (games := result.games_tally["pairs"]) and not result.games_tally["decided"]:
            console.print(f"None of the {2 * games:,} games was finished; there is no figure for games.")
        if result.deals and not result.hands_tally["decided"]:
            console.print(f"None of the {2 * result.deals:,} hands had a winner.")
        saved = result.variance_saved
        if saved == saved:
            console.print(f"Playing each deal from both seats saves {saved:.1%} of the variance of points per hand.")
    elif isinstance(result, Effect):
        console.print(_effect_table(result))
        if len(result.strategies) > 1:
            console.print(_best_table(result))
    elif isinstance(result, RuleMap):
        console.print(_map_table(result))
    else:
        console.print(_ranking_table(result.ranking()))
    console.print(f"\n{result.verdict()}", highlight=False, soft_wrap=True)


def _comparison_table(result: Comparison) -> Table:
    table = Table(title=f"{result.a} against {result.b}")
    for name in ("measure", "estimate", "95 % interval"):
        table.add_column(name, justify="left" if name == "measure" else "right")
    shares = {"hands won", "games won", "starter's share"}
    rows: list[Any] = list(result.summary().itertuples())
    for row in rows:
        form = ".2%" if row.Index in shares else ".3f"
        table.add_row(row.Index, f"{row.estimate:{form}}", interval_text(row.low, row.high, form))
    return table


def _endings_table(result: Comparison) -> Table:
    table = Table(title="How the hands ended")
    for name in ("ending", "winner", "hands", "share", "95 % interval", "mean points"):
        table.add_column(name, justify="left" if name in ("ending", "winner") else "right")
    rows: list[Any] = list(result.endings().itertuples())
    for row in rows:
        interval = interval_text(row.low, row.high, ".2%")
        table.add_row(row.ending, row.winner, f"{row.hands:,}", f"{row.share:.2%}", interval, f"{row.points:.2f}")
    return table


def _effect_table(effect: Effect) -> Table:
    table = Table(title=f"Change against {effect.base}, ± half of the 95 % interval (pp: in percentage points)")
    table.add_column("rules", overflow="fold")
    for name in SHOWN:
        head = CHANGES[name].label + (" (pp)" if CHANGES[name].sign else "")
        table.add_column(textwrap.fill(head, 12), justify="right", no_wrap=True)
    table.add_row(effect.base, *(level_text(effect, 0, name) for name in SHOWN), end_section=True)
    labels = variant_labels(effect.base, effect.variants)
    for rule in sorted(range(1, 1 + len(labels)), key=lambda rule: -effect.difference(rule, SHOWN[0]).value):
        cells = (change_text(effect, rule, name).replace("± inf", "± unknown") for name in SHOWN)
        table.add_row(labels[rule - 1], *cells)
    return table


def _best_table(effect: Effect) -> Table:
    table = Table(title="Best strategy under each rule, by points per hand against the others")
    table.add_column("rules", overflow="fold")
    for name in ("best", "points\nper hand", "95 % interval", "second", "points\nper hand"):
        table.add_column(name, justify="left" if name in ("best", "second") else "right", no_wrap=True)
    labels = [effect.base, *variant_labels(effect.base, effect.variants)]
    rows: list[Any] = list(effect.best().itertuples())
    for label, row in zip(labels, rows, strict=True):
        best = str(row.best) if row.clear else f"{row.best} ?"
        interval = interval_text(row.low, row.high, "+.3f")
        table.add_row(label, best, f"{row.points_per_hand:+.3f}", interval, str(row.second), f"{row.second_points_per_hand:+.3f}")
    table.caption = "?: the lead over the second is within the intervals"
    return table


def _map_table(rule_map: RuleMap) -> Table:
    labels, common = value_labels(rule_map.strategies)
    title = f"Best strategy{f' ({common})' if common else ''}: {rule_map.x[0]} across, {rule_map.y[0]} down"
    table = Table(title=title, min_width=len(title))
    table.add_column("", justify="right")
    for value in rule_map.x[1]:
        table.add_column(str(value), justify="right")
    best, clear = rule_map.best_index(), rule_map.table()["clear"].to_numpy().reshape(rule_map.points.shape[:2])
    for r, value in reversed(list(enumerate(rule_map.y[1]))):
        cells = [labels[i] if sure else f"{labels[i]} ?" for i, sure in zip(best[r], clear[r], strict=True)]
        table.add_row(str(value), *cells)
    table.caption = "?: the lead over the second is within the intervals"
    return table


def _ranking_table(ranking: pd.DataFrame) -> Table:
    table = Table(title="Ranking by points per hand against the field")
    games = "games_won" in ranking
    for name in ("rank", "strategy", "points per hand", "95 % interval", "hands won", *(["games won"] if games else [])):
        table.add_column(name, justify="left" if name == "strategy" else "right")
    for rank, (_, row) in enumerate(ranking.iterrows(), 1):
        cells = [
            str(rank),
            str(row["strategy"]),
            f"{row['points_per_hand']:+.3f}",
            interval_text(row["points_per_hand_low"], row["points_per_hand_high"], "+.3f"),
            f"{row['hands_won']:.1%}",
        ]
        table.add_row(*cells, *([f"{row['games_won']:.1%}"] if games else []))
    return table
