"""``ginsim run``, ``resume``, ``compare``, …: carry out a study with progress, and print what came out."""

from __future__ import annotations

import json
import re
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from ginsim.commands import check_format, tell
from ginsim.commands.console import print_tables
from ginsim.commands.progress import bar_on_terminal
from ginsim.errors import InputError, os_error_text, shown
from ginsim.experiment.loading import load_results
from ginsim.experiment.merge import missing_deals
from ginsim.experiment.reading import load_experiment, schema
from ginsim.experiment.runs import notes_of, resume, run_experiment, status
from ginsim.experiment.saved import kept_facts
from ginsim.files import write_whole
from ginsim.games.plugin import nothing_run
from ginsim.report.claims_page import claim_text
from ginsim.report.folder import save_again, save_pictures, save_result
from ginsim.report.sheets import sheet_of
from ginsim.report.showing import merge
from ginsim.simulation.cluster import ClusterLostError
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.execute import Progress as Report
from ginsim.simulation.journal import JOURNAL, Journal, entries, is_header
from ginsim.simulation.play import Done
from ginsim.specs import split_specs
from ginsim.study.base import DEALS_PER_GAME, Experiment, carried_out, kind_of
from ginsim.study.claims import decide
from ginsim.study.compare import CompareExperiment, Comparison
from ginsim.study.criterion import Judged, JudgedExperiment
from ginsim.study.measures import COMPARED
from ginsim.study.settings import article, built
from ginsim.training.fit import check_installed

MANY = 100
"""Done of what is told by a rate."""
MOST_UNTIL = 1_000_000
"""Pairs at which a comparison until decided ends undecided, unless the number of deals is given."""


@contextmanager
def progress_bar(quiet: bool) -> Iterator[Report | None]:
    """A progress bar with rate and time left on a terminal; None where nobody is looking."""
    with bar_on_terminal(quiet) as shown_on:
        if shown_on is None:
            yield None
            return
        bar, task = shown_on
        hands = 0

        def update(done: Done | str | None, pairs: int, total: int) -> None:
            nonlocal hands
            if isinstance(done, str):
                told(done, pairs, total)
                return
            if done is None and bar.tasks[0].description != "compiling":
                bar.reset(task, description="compiling", total=total)
            hands += 0 if done is None else done.work.hands_in(done.tally)
            elapsed = bar.tasks[0].elapsed or 0
            rate = f" {hands / elapsed:,.0f} hands/s" if hands and elapsed else ""
            text = f"{hands:,} hands{rate}" if done else "compiling"
            bar.update(task, description=text, completed=pairs, total=total)

        def told(text: str, done: int, total: int) -> None:
            if not bar.tasks[0].description.startswith(text):
                bar.reset(task, description=text, total=total)
            elapsed = bar.tasks[0].elapsed or 0
            rate = f", {done / elapsed:,.0f}/s" if done > MANY and elapsed else ""
            bar.update(task, description=f"{text}{rate}", completed=done, total=total)

        yield update


def run_file(
    file: Path, out: Path | None, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str, **changes: Any
) -> None:
    """Run an experiment file into its folder and print the outcome."""
    if changes.get("deals") is not None and changes.get("games") is None:
        changes["games"] = changes["deals"] // DEALS_PER_GAME if load_experiment(file).game_pairs else 0
    experiment, folder = load_experiment(file, **changes), out or Path("results") / file.stem
    if not fresh and up_to_date(experiment, folder, hands):
        _write_again(experiment, folder, command)
        say(f"{folder} is up to date: it holds this study; its report was written again (--fresh plays the study again)")
    else:
        _into_folder(experiment, folder, workers, hands, fresh, quiet, command)


def up_to_date(experiment: Experiment, folder: Path, hands: bool = False) -> bool:
    """Whether the folder holds the result of this study, played by this very version, and if asked for its ``hands``.

    It does not while a run of the same study is unfinished there.
    """
    facts, study = kept_facts(folder), experiment.digest()
    begun = any(Journal(folder / JOURNAL, f"{study}{more}").begun for more in ("", "+hands"))
    return bool(facts.get("study") == study and (facts.get("hands_kept") or not hands) and not begun)


def _write_again(experiment: Experiment, folder: Path, command: str) -> None:
    """Write the report of a finished study again: its words, its claim or its criterion may have changed."""
    judge = judged_by(experiment.by if isinstance(experiment, JudgedExperiment) else None)
    asked = {} if experiment.claim is None else {"asked": claim_text(decide(experiment.claim, judge(load_results(folder))))}
    save_again(folder, judge, **notes_of(experiment, command), **asked)


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
            _write_again(experiment, out, command)
            say(f"{file.stem}: up to date")
        elif begun and minutes is not None and time.monotonic() - start > 60 * minutes:
            left.append(file.stem)
        else:
            begun = True
            tell(f"\n{file}")
            _into_folder(experiment, out, workers, False, fresh, quiet, command, replace=True)
    if left:
        tell(f"\nTime is up; left for the next call: {', '.join(left)}")


def _into_folder(
    experiment: Experiment, folder: Path, workers: int | None, hands: bool, fresh: bool, quiet: bool, command: str,
    replace: bool = False, form: str = "table",
) -> Any:  # fmt: skip
    with resumable(folder, workers), progress_bar(quiet) as progress:
        result = run_experiment(experiment, folder, save_result, workers, progress, hands, fresh, command, say, replace)
    _show_saved(result, folder, form)
    if experiment.claim is not None:
        decision = decide(experiment.claim, result)
        save_again(folder, asked=claim_text(decision))
        tell(f"\n{experiment.claim.text} {decision}")
    return result


def go_on(folder: Path, workers: int | None, quiet: bool) -> None:
    """Go on with an interrupted run and print the outcome."""
    with resumable(folder, workers), progress_bar(quiet) as progress:
        result = resume(folder, save_result, workers, progress, say)
    _show_saved(result, folder)


@contextmanager
def resumable(folder: Path, workers: int | None = None) -> Iterator[None]:
    """On Ctrl-C, a full disk, too little memory, or when a cluster is gone, say how to go on."""
    again = ["ginsim", "resume", str(folder), *([] if workers is None else ["--workers", str(workers)])]
    kept = f"finished work is kept in {folder}. Resume with:\n  {shlex.join(again)}"
    try:
        yield
    except KeyboardInterrupt as stop:
        say(f"{str(stop) or 'stopped'}; {kept}")
        raise typer.Exit(130) from None
    except ClusterLostError as lost:
        raise InputError(f"{lost}; {kept}") from None
    except (OSError, MemoryError) as error:
        if not any(map(is_header, entries(folder / JOURNAL))):
            raise
        what = "there is not enough memory" if isinstance(error, MemoryError) else os_error_text(error)
        raise InputError(f"{what}; {kept}") from None


def _show_saved(result: Any, folder: Path, form: str = "table") -> None:
    show_result(result, form)
    seconds = result.wall_seconds
    words = f"{result.hand_count:,} hands in {seconds:.1f} s. Report, tables and plots: {folder / 'report.html'}"
    tell(f"\n{words}", err=form != "table")


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


def show_again(folder: Path, by: str | None = None) -> None:
    """Write the report of a finished study, its tables and plots again from its sums, by another criterion if one is named."""
    save_again(folder, judged_by(by) if by else None)
    tell(f"written again from the sums: {folder / 'report.html'}")


def judged_by(by: str | None) -> Callable[[Any], Any]:
    """What judges a result by a criterion; only None can be asked of one that has none."""

    def judge(result: Any) -> Any:
        if isinstance(result, Judged):
            return result.judged_by(by)
        if by:
            raise InputError(f"by: {by!r} is not allowed: {article(kind_of(result))} has no criterion that could be changed")
        return result

    return judge


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
                extent = experiment.extent
        except InputError as error:
            wrong += str(error).splitlines()
        else:
            tell(f"{file}: {extent}")
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
        raise InputError(f"{next(iter(given))}: it needs --until decided; without it, all deals are played")
    test = given if until else None
    most = MOST_UNTIL if until else 100_000
    return {"kind": "compare", "a": a, "b": b, "deals": deals or most, "until": test, "control": control}


def effect_settings(
    strategies: str | None, deals: int | None, adapt: str | None, out: Path | None, asked: Mapping[str, str | None],
    **of_training: float | None,
) -> dict[str, Any]:  # fmt: skip
    """The fields of an effect experiment that depend on who adapts: of ``asked``, which measures it is about, and of training."""
    if strategies is not None and not strategies.strip():
        raise InputError(f"strategies: {strategies!r} is not allowed; give one or more, separated by commas")
    play, given = adapt == "play", {name: value for name, value in of_training.items() if value is not None}
    if given and not play:
        raise InputError(f"{next(iter(given))}: only with --adapt play, which trains players")
    measures = {name: value for name, value in asked.items() if value}
    for name, value in measures.items():
        if play:
            raise InputError(f"{name}: {shown(value)} is not allowed with --adapt play, which is judged by games won alone")
    if play and out is None:
        raise InputError("out: players are trained in a folder; give --out FOLDER")
    if play:
        check_installed()
    names = split_specs(strategies or ("strong" if play else "simple"))
    of = {"strategies": names, "deals": 50_000 if deals is None and not adapt else deals}
    return {"kind": "effect", "adapt": adapt, **of, **given, **measures}


def axis_settings(name: str, text: str) -> dict[str, Any]:
    """A rule field and its values, of a map, from text such as ``gin_bonus=0,10,20``."""
    of, _, values = text.replace(" ", "").partition("=")
    numbers = values.split(",")
    if not of or not all(re.fullmatch(r"-?[0-9]{1,9}", number) for number in numbers):
        raise InputError(f"{name}: {shown(text)} is not allowed; give a rule field and its values: gin_bonus=0,10,20")
    return {"field": of, "values": [int(number) for number in numbers]}


def run_settings(
    settings: dict[str, Any],
    out: Path | None,
    workers: int | None,
    hands: bool,
    quiet: bool,
    command: str,
    fresh: bool = False,
    bootstrap: bool = False,
    form: str = "table",
) -> Any:
    """Run a study given on the command line, into a folder if there is one; returns the result, which was shown."""
    check_format(form)
    experiment = built(**settings)
    if hands and out is None:
        raise InputError("hands: --hands needs a folder to write to; give --out FOLDER")
    if bootstrap and not hands:
        raise InputError("bootstrap: --bootstrap resamples the hands; give --hands and --out FOLDER to keep them")
    if out is not None:
        result = _into_folder(experiment, out, workers, hands, fresh, quiet, command, form=form)
        if bootstrap:
            _show_bootstrap(out, form != "table")
        return result
    try:
        with progress_bar(quiet) as progress:
            result = carried_out(experiment, workers, progress)
    except Interrupted as stop:
        if isinstance(experiment, CompareExperiment) and (partial := experiment.result(stop.tallies)).hand_count:
            show_result(partial, form)
        say(f"{stop}; with --out FOLDER finished work is kept, and repeating the command resumes it:\n  {command} --out FOLDER")
        raise typer.Exit(130) from None
    show_result(result, form)
    return result


def _show_bootstrap(folder: Path, err: bool) -> None:
    """Print the bootstrap intervals beside those shown, on standard error if ``err``."""
    result = load_results(folder)
    assert isinstance(result, Comparison)
    for name in ("points_per_hand", "hands_won"):
        measure = COMPARED[name]
        again, first = (measure.text(e) for e in (result.bootstrap(name), getattr(result, name)))
        tell(f"bootstrap of {measure.label}: {again}; shown: {first}", err=err)


def say(text: str) -> None:
    """A remark to the person at the terminal."""
    tell(text, err=True)


def _for_programs(answer: str, tables: dict[str, Any], form: str) -> str:
    """The first table as CSV, or the answer and all tables as JSON, with all the digits there are."""
    named = {name: table.reset_index() if any(table.index.names) else table for name, table in tables.items()}
    if form == "csv":
        text: str = next(iter(named.values())).to_csv(index=False)
        return text.rstrip("\n")
    rows = {name: json.loads(table.to_json(orient="records", double_precision=15)) for name, table in named.items()}
    return json.dumps({"answer": answer, **rows}, indent=1, ensure_ascii=False)


def show_result(result: Any, form: str = "table") -> None:
    """Print the figures as tables and the verdict, or for other programs as one of ``FORMATS``: the tables that are saved."""
    sheet = sheet_of(result)
    if form != "table":
        tell(_for_programs(result.verdict(), {name: table for name, table in sheet.tables().items() if table is not None}, form))
        return
    print_tables(sheet.console())
    for remark in filter(None, (*sheet.remarks, result.remark)):
        tell(remark)
    tell(f"\n{result.verdict()}")
