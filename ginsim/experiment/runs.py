"""Carrying out an experiment into a folder: started, gone on with after any interruption, looked at."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ginsim.errors import InputError
from ginsim.experiment.alone import alone, made_folder
from ginsim.experiment.loading import load_results
from ginsim.experiment.saved import ImpossibleError, existing, kept_facts
from ginsim.files import expanded
from ginsim.games.plugin import nothing_run, source_files
from ginsim.games.sources import content_digest
from ginsim.simulation.execute import Progress
from ginsim.simulation.hands import clear_parts, remove_parts
from ginsim.simulation.journal import JOURNAL, Journal, entries, is_header
from ginsim.study.base import ENGINE, Experiment, Say, played
from ginsim.study.kept import HANDS_FOLDER, MANIFEST
from ginsim.study.settings import article, checked_settings

__all__ = ["Status", "notes_of", "resume", "run_experiment", "status"]

Save = Callable[..., Any]
"""What writes a result into a folder, with notes: `ginsim.save`."""


def run_experiment(
    experiment: Experiment,
    folder: str | Path,
    save: Save,
    workers: int | None = None,
    progress: Progress | None = None,
    keep_hands: bool = False,
    fresh: bool = False,
    command: str = "",
    report: Say | None = None,
    replace: bool = False,
) -> Any:
    """Carry out an experiment into ``folder``: play what is missing, then write tables, plots, report and manifest.

    What was finished before an interruption lies in the journal there and is not played again, unless ``fresh``.

    Parameters
    ----------
    experiment : Experiment
    folder : path
    save : function
        What writes the result there: `ginsim.save`.
    workers, progress
        As in `ginsim.simulation.execute.execute`.
    keep_hands : bool
        Also write the record of every hand.
    fresh : bool
        Play again what is there, and replace whatever it is.
    command : str
        The command line, for the manifest.
    report : function of a text, optional
        Told what a person should know.
    replace : bool
        Replace the result of another study that lies there; that of the same study, played by an older version, always is.

    Raises
    ------
    InputError
        If the result of another study, or hands that would not be kept again, lie there and nobody asked to replace them.
    Interrupted
        On Ctrl-C; calling it again, or `resume`, goes on from there.
    """
    if keep_hands and not experiment.keeps_hands:
        kind = article(experiment.kind)
        raise InputError(f"hands: the hands of {kind} are not kept; leave --hands out")
    with alone(made_folder("out", folder)) as folder:
        journal = Journal(folder / JOURNAL, experiment.digest() + ("+hands" if keep_hands else ""))
        if fresh:
            journal.close()
            experiment.forget(folder)
        elif not (replace or journal.begun):
            _check_replaced(folder, experiment, keep_hands, command)
        works = experiment.own_works()
        kept = experiment.RECORDS or (HANDS_FOLDER if keep_hands else "")
        hands = folder / kept if kept else None
        before = sum(count for ranges in journal.load(hands).ranges.values() for _, count in ranges)
        if journal.left_out and report:
            report(
                f"{journal.left_out:,} pairs in {journal.path} are of another study (another file, strategy, setting or "
                "version); they are kept there and not counted here"
            )
        if before and report:
            report(f"going on with {before:,} pairs already played (start over with --fresh)")
        if not before and hands:
            clear_parts(hands)
        journal.begin(_header(experiment, keep_hands, command, sum(work.count for work in works)))
        experiment.prepare(folder, workers, progress, report if progress else None)  # of its steps where somebody is looking
        tallies = played(experiment, workers, progress, journal, hands)
        more: dict[str, Any] = {"hands_folder": hands} if experiment.keeps_hands else {}
        if experiment.RECORDS:
            more = {"records": hands, "workers": workers}
        result = experiment.result(tallies, wall_seconds=tallies.seconds, **more)
        try:
            save(result, folder, **notes_of(experiment, command), **(experiment.told_of(hands) if hands else {}))
        except ImpossibleError as error:
            raise InputError(f"journal: {journal.path} holds impossible sums ({error}); start over with --fresh") from None
        journal.close()
        if experiment.RECORDS and hands and experiment.part == "1/1":  # parts may be merged, and need them then
            remove_parts(hands)
        return result


def _header(experiment: Experiment, keep_hands: bool, command: str, pairs: int) -> dict[str, Any]:
    """What `resume` and `status` need to know."""
    return {
        "experiment": experiment.model_dump(),
        "engine": str(ENGINE),
        "files": source_files(strategy.name for strategy in experiment.field() if ".py:" in strategy.name),
        "source": experiment.source,
        "changed": experiment.changed,
        "hands": keep_hands,
        "command": command,
        "from": str(Path.cwd()),
        "pairs": pairs,
    }


def _check_replaced(folder: Path, experiment: Experiment, keep_hands: bool, command: str) -> None:
    """Refuse to replace the result of another study, or hands that are not to be kept again."""
    old, notes = kept_facts(folder), notes_of(experiment, command)
    other = _differences(old, experiment, notes) if old and old.get("study") != notes["study"] else []
    if not experiment.EXTENDS.issuperset(other):
        what = f"out: {folder} holds the result of another study (other {', '.join(other)})"
        raise InputError(f"{what}; give another folder, or --fresh to replace it")
    if old.get("hands_kept") and not keep_hands:
        raise InputError(f"out: {folder} holds the hands of a study, which would be removed; give --hands too, or --fresh")


def _differences(old: dict[str, Any], experiment: Experiment, notes: dict[str, Any]) -> list[str]:
    """In what a study differs from that of a manifest; one that only an older version has played does not."""
    own = {"kind": experiment.kind, "rules": {"spec": str(experiment.rules)}, "shares": list(notes["shares"])}
    own |= {"strategies": [str(strategy) for strategy in experiment.field()]}
    kept, asked = _question(old), _question(own)
    if differ := [name for name in asked if asked[name] != kept[name]]:
        return differ
    words = ("experiment", "changed") if experiment.source else ("command",) if notes["command"] else ()
    return ["settings"] if any(old.get(name) != notes[name] for name in words) else []


def _question(facts: dict[str, Any]) -> dict[str, Any]:
    """What a manifest, which may hold anything, says was played."""
    rules, strategies = facts.get("rules"), facts.get("strategies")
    return {
        "kind": facts.get("kind"),
        "rules": rules.get("spec") if isinstance(rules, dict) else rules,
        "strategies": sorted(map(str, strategies)) if isinstance(strategies, list) else strategies,
        "deals or seed": facts.get("shares"),
    }


def notes_of(experiment: Experiment, command: str) -> dict[str, Any]:
    """What the report of an experiment says beside the figures."""
    share = {"seed": experiment.seed, "part": experiment.part, "deals": experiment.deals, "games": experiment.game_pairs}
    return {
        "title": experiment.title,
        "question": experiment.question,
        "command": command,
        "experiment": experiment.source,
        "changed": ", ".join(experiment.changed),
        "study": experiment.digest(),
        "shares": (share,),
    }


@dataclass(frozen=True)
class Status:
    """How far the run in a folder is: ``done`` of ``pairs`` duplicate pairs, or ``finished`` with its result saved."""

    folder: Path
    kind: str
    finished: bool
    done: int
    pairs: int
    seconds: float

    def __str__(self) -> str:
        if self.finished:
            return f"{self.folder}: {self.kind}, finished"
        known = self.done <= self.pairs  # a study that decides as it goes does not know how much it will play
        played = f"{self.done:,} of {self.pairs:,} pairs" if known else f"{self.done:,} pairs"
        again = shlex.join(["ginsim", "resume", str(self.folder)])
        return f"{self.folder}: {self.kind}, {played} played in {self.seconds:,.0f} s; resume with: {again}"


def status(folder: str | Path) -> Status:
    """How far the run in ``folder`` is, from its journal, or from its manifest if there is none.

    Raises
    ------
    InputError
        If neither is there.
    """
    folder = existing(folder)
    header = _last_header(folder)
    if header is None:
        _check_journal("status", folder)
        result = load_results(folder)  # tells whether it is whole
        manifest = kept_facts(folder)
        deals = int(manifest["deals"])
        return Status(folder, str(manifest["kind"]), True, deals, deals, result.wall_seconds)
    hands = folder / HANDS_FOLDER if header["hands"] else None
    tallies = Journal(folder / JOURNAL, header["study"]).load(hands)
    done = sum(count for ranges in tallies.ranges.values() for _, count in ranges)
    return Status(folder, header["experiment"]["kind"], False, done, header["pairs"], tallies.seconds)


def _last_header(folder: Path) -> dict[str, Any] | None:
    """The header of the study that was begun last, or None if nothing is unfinished here."""
    headers = [entry for entry in entries(folder / JOURNAL) if is_header(entry)]
    return headers[-1] if headers else None


def _check_journal(what: str, folder: Path) -> None:
    """Refuse a journal without a header: something is unfinished here, but not what."""
    path = folder / JOURNAL
    if path.exists() and path.stat().st_size:
        raise InputError(
            f"{what}: {path} is damaged: its header, which says what was being played, cannot be read; run the same study "
            "into this folder again: the pairs in it still count"
        )


def resume(
    folder: str | Path, save: Save, workers: int | None = None, progress: Progress | None = None, report: Say | None = None
) -> Any:
    """Resume the interrupted run in ``folder``, whatever interrupted it, and return its result.

    Parameters
    ----------
    folder, save, workers, progress, report
        As in `run_experiment`.

    Raises
    ------
    InputError
        If nothing there is unfinished, or its strategies are no longer what they were.
    """
    folder = existing(folder)
    header = _last_header(folder)
    if header is None:
        _check_journal("resume", folder)
        what = "there is no unfinished run"
        if (folder / MANIFEST).exists():
            load_results(folder)  # tells whether it is whole
            what = "the run there is finished"
        raise InputError(f"resume: nothing to resume in {folder}: {what}")
    changed = InputError(
        f"resume: ginsim or a strategy file has changed since the run in {folder} was started "
        f"(in {header['from']}), so its pairs would not match. Start over with: {header['command']} --fresh"
    )
    try:
        if not _unchanged(header):  # before a file of a strategy is imported
            raise changed
        experiment = checked_settings(header["experiment"])
    except InputError as error:
        raise error if error is changed else InputError(f"resume: {error} (the run was started in {header['from']})") from None
    experiment._source, experiment._changed = header["source"], tuple(header["changed"])
    if experiment.digest() != header["study"].removesuffix("+hands"):
        raise changed
    return run_experiment(experiment, folder, save, workers, progress, header["hands"], False, header["command"], report)


def _unchanged(header: dict[str, Any]) -> bool:
    """Whether ginsim and the files of the strategies are those that the run was started with; nothing is imported."""
    with nothing_run() as named:
        checked_settings(header["experiment"])
    files = dict(header.get("files", ()))
    return (
        header.get("engine") == str(ENGINE)
        and {name.rpartition(":")[0] for name in named} <= set(files)
        and all(digest and content_digest(expanded(file)) == digest for file, digest in files.items())
    )
