"""``ginsim run``, ``resume``, ``compare``, …: carry out a study with progress, and print what came out."""

from __future__ import annotations

import json
import shlex
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from ginsim.commands import console_of, tell
from ginsim.errors import InputError, os_error_text, shown
from ginsim.experiment.base import Experiment
from ginsim.experiment.kinds.compare import CompareExperiment
from ginsim.experiment.merge import merge, missing_deals
from ginsim.experiment.reading import checked_settings, load_experiment, schema
from ginsim.experiment.registry import load_results
from ginsim.experiment.runs import notes_of, play_all, resume, run_experiment, status
from ginsim.experiment.saved import Saved, kept_facts
from ginsim.files import write_whole
from ginsim.games.plugin import nothing_run
from ginsim.inference.estimates import interval_text, percent_text
from ginsim.report.claims_page import claim_text
from ginsim.report.folder import save_again, save_pictures
from ginsim.report.page import change_text, level_text
from ginsim.report.plots import CHANGES, SHOWN, TABLE_SHOWN, value_labels, variant_labels
from ginsim.report.table_page import value_text
from ginsim.simulation.cluster import ClusterLostError
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.execute import Progress as Report
from ginsim.simulation.journal import JOURNAL, entries, is_header
from ginsim.simulation.play import Done
from ginsim.study.claims import decide
from ginsim.study.compare import DEALS_PER_GAME, Comparison
from ginsim.study.effect import Effect
from ginsim.study.rulemap import RuleMap
from ginsim.study.tablestudy import TableEffect
from ginsim.study.tournament import Tournament

MOST_UNTIL = 1_000_000
"""Pairs at which a comparison until decided ends undecided, unless the number of deals is given."""


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
            hands += 0 if done is None else done.work.hands_in(done.tally)
            elapsed = bar.tasks[0].elapsed or 0
            rate = f" {hands / elapsed:,.0f} hands/s" if hands and elapsed else ""
            text = f"{hands:,} hands{rate}" if done else "compiling"
            bar.update(task, description=text, completed=pairs, total=total)

        yield update


def run_file(
    file: Path, out: Path | None, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str, **changes: Any
) -> None:
    """Run an experiment file into its folder and print the outcome."""
    if changes.get("deals") is not None and changes.get("games") is None:
        changes["games"] = changes["deals"] // DEALS_PER_GAME if load_experiment(file).game_pairs else 0
    experiment = load_experiment(file, **changes)
    _into_folder(experiment, out or Path("results") / file.stem, workers, hands, fresh, quiet, command)


def up_to_date(experiment: Experiment, folder: Path) -> bool:
    """Whether the folder holds the result of this study, played by this very version."""
    return bool(kept_facts(folder).get("study") == experiment.digest())


def run_all(folder: Path, minutes: float | None, workers: int | None, fresh: bool, quiet: bool) -> None:
    """Run every experiment file of a folder whose result is missing or old; after ``minutes`` none is begun any more.

    The reports of the others are written again: their words may have changed.
    """
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise InputError(f"file: there is no experiment (*.toml) in {folder}")
    experiments = {file: load_experiment(file) for file in files}
    start, begun, left = time.monotonic(), False, []
    for file, experiment in experiments.items():
        out, command = Path("results") / file.stem, shlex.join(["ginsim", "run", str(file)])
        if not fresh and up_to_date(experiment, out):
            save_again(out, **notes_of(experiment, command))
            say(f"{file.stem}: up to date")
        elif begun and minutes is not None and time.monotonic() - start > 60 * minutes:
            left.append(file.stem)
        else:
            begun = True
            tell(f"\n{file}")
            _into_folder(experiment, out, workers, False, fresh, quiet, command)
    if left:
        tell(f"\nThe time is used up; left for the next call: {', '.join(left)}")


def _into_folder(
    experiment: Experiment, folder: Path, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str
) -> Saved:
    with resumable(folder), progress_bar(quiet) as progress:
        result = run_experiment(experiment, folder, workers, progress, hands, fresh, command, say)
    _show_saved(result, folder)
    if experiment.claim is not None:
        decision = decide(experiment.claim, result)
        save_again(folder, asked=claim_text(decision))
        tell(f"\n{experiment.claim.text} {decision}")
    return result


def go_on(folder: Path, workers: int | None, quiet: bool) -> None:
    """Go on with an interrupted run and print the outcome."""
    with resumable(folder), progress_bar(quiet) as progress:
        result = resume(folder, workers, progress, say)
    _show_saved(result, folder)


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """On Ctrl-C, a full disk, too little memory, or when a cluster is gone, say how to go on."""
    kept = f"finished work is kept in {folder}. Resume with:\n  {shlex.join(['ginsim', 'resume', str(folder)])}"
    try:
        yield
    except Interrupted as stop:
        say(f"{stop}; {kept}")
        raise typer.Exit(130) from None
    except ClusterLostError as lost:
        raise InputError(f"{lost}; {kept}") from None
    except (OSError, MemoryError) as error:
        if not any(map(is_header, entries(folder / JOURNAL))):
            raise
        what = "there is not enough memory" if isinstance(error, MemoryError) else os_error_text(error)
        raise InputError(f"{what}; {kept}") from None


def _show_saved(result: Saved, folder: Path) -> None:
    show_result(result)
    seconds = result.wall_seconds
    tell(f"\n{result.hand_count:,} hands in {seconds:.1f} s. Report, tables and plots: {folder / 'report.html'}")


def show_status(folders: list[Path]) -> None:
    """Print how far the runs in ``folders`` are."""
    for folder in folders:
        tell(str(status(folder)))


def show_merged(folders: list[Path], out: Path) -> None:
    """Merge results into a folder and print the outcome; says which parts are missing."""
    merge(folders, out)
    if missing := missing_deals(out):
        say(f"{out} lacks deals {missing}")
    _show_saved(load_results(out), out)


def show_again(folder: Path) -> None:
    """Write the report of a finished study, its tables and plots again from its sums."""
    save_again(folder)
    tell(f"written again from the sums: {folder / 'report.html'}")


def show_plots(folder: Path, formats: list[str]) -> None:
    """Draw the plots of a finished study again from its sums."""
    for path in save_pictures(folder, formats):
        tell(path)


def validate_files(files: list[Path], imports: bool) -> None:
    """Check experiment files and tell every mistake in them; files of strategies are run only if ``imports``."""
    wrong = []
    for file in files:
        try:
            with nothing_run(not imports) as skipped:
                experiment = load_experiment(file)
                pairs = sum(work.count for work in experiment.own_works())
        except InputError as error:
            wrong += str(error).splitlines()
        else:
            tell(f"{file}: kind {experiment.kind}, {pairs:,} {experiment.unit}")
            if skipped:
                say(f"{file}: not checked, because that would run their code (use --import): {', '.join(skipped)}")
    if wrong:
        raise InputError("\nginsim: ".join(wrong))


def write_schema(out: Path | None) -> None:
    """Write the JSON schema of experiment files."""
    text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    if out is None:
        tell(text, nl=False)
    else:
        write_whole(out, text)


def compare_settings(
    a: str, b: str, deals: int | None, until: str, control: bool, **of_test: float | None
) -> dict[str, Any]:
    """The fields of a compare experiment; ``of_test`` are those of the sequential test that were given."""
    if until not in ("", "decided"):
        raise InputError(f"until: {shown(until)} is not allowed; give 'decided' or leave it out")
    given = {name: value for name, value in of_test.items() if value is not None}
    if given and not until:
        raise InputError(f"{next(iter(given))}: it needs --until decided; without, all deals are played")
    test = given if until else None
    most = MOST_UNTIL if until else 100_000
    return {"kind": "compare", "a": a, "b": b, "deals": deals or most, "until": test, "control": control}


def run_settings(
    settings: dict[str, Any],
    out: Path | None,
    workers: int | None,
    hands: bool,
    quiet: bool,
    command: str,
    bootstrap: bool = False,
) -> Saved:
    """Run a study given on the command line, into a folder if there is one; returns the result, which was shown."""
    experiment = checked_settings(settings)
    if hands and out is None:
        raise InputError("hands: --hands needs a folder to write to; give --out FOLDER")
    if bootstrap and not hands:
        raise InputError("bootstrap: --bootstrap resamples the hands; give --hands and --out FOLDER to keep them")
    if out is not None:
        result = _into_folder(experiment, out, workers, hands, False, quiet, command)
        if bootstrap:
            _show_bootstrap(out)
        return result
    try:
        with progress_bar(quiet) as progress:
            tallies = play_all(experiment, workers, progress)
    except Interrupted as stop:
        if isinstance(experiment, CompareExperiment) and (partial := experiment.result(stop.tallies)).hand_count:
            show_result(partial)
        say(f"{stop}; with --out FOLDER finished work is kept, and repeating the command resumes it:\n  {command} --out FOLDER")
        raise typer.Exit(130) from None
    result = experiment.result(tallies)
    show_result(result)
    return result


def _show_bootstrap(folder: Path) -> None:
    """Print the bootstrap intervals beside those shown."""
    result = load_results(folder)
    assert isinstance(result, Comparison)
    for measure, form in (("points_per_hand", "+.3f"), ("hands_won", ".2%")):
        shown_first, again = getattr(result, measure), result.bootstrap(measure)
        tell(
            f"bootstrap of {measure.replace('_', ' ')}: {interval_text(again.low, again.high, form)} "
            f"(shown: {interval_text(shown_first.low, shown_first.high, form)})"
        )


def say(text: str) -> None:
    """A remark to the person at the terminal."""
    tell(text, err=True)


def show_result(result: Saved) -> None:
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
        saved = result.control_saved
        if saved == saved:
            console.print(f"Taking out the luck of the draw saves {saved:.1%} of what is left.")
    elif isinstance(result, Effect):
        console.print(_effect_table(result))
        if len(result.strategies) > 1:
            console.print(_best_table(result))
    elif isinstance(result, TableEffect):
        console.print(_table_effect_table(result))
    elif isinstance(result, RuleMap):
        console.print(_map_table(result))
    elif isinstance(result, Tournament):
        console.print(_ranking_table(result.ranking()))
    else:
        for title, table in result.shown().items():
            console.print(_plain_table(title, table))
    if result.remark:
        console.print(result.remark, highlight=False, soft_wrap=True)
    console.print(f"\n{result.verdict()}", highlight=False, soft_wrap=True)


def _plain_table(title: str, frame: pd.DataFrame) -> Table:
    """A frame of texts as it is."""
    table = Table(title=title)
    for name in frame.columns:
        table.add_column(str(name), overflow="fold")
    for row in frame.itertuples(index=False):
        table.add_row(*row)
    return table


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


def _table_effect_table(effect: TableEffect) -> Table:
    table = Table(title=f"Means per hand, ± half of the 95 % interval; {effect.deals:,} deals under each rule for each strategy")
    table.add_column("rules", overflow="fold")
    for name in TABLE_SHOWN:
        head = CHANGES[name].label + (" (%)" if CHANGES[name].sign else "")
        table.add_column(textwrap.fill(head, 12), justify="right", no_wrap=True)
    for rule, label in enumerate([effect.base, *variant_labels(effect.base, effect.variants)]):
        table.add_row(label, *(value_text(effect, rule, name) for name in TABLE_SHOWN), end_section=rule == 0)
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
            percent_text(row["hands_won"]),
        ]
        table.add_row(*cells, *([percent_text(row["games_won"])] if games else []))
    return table
