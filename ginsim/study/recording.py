"""Recording courses of hands (``ginsim.games.gin.courses``) as any other work: in pieces, by workers, kept in parts."""

from __future__ import annotations

import hashlib
import io
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from pydantic import model_validator

from ginsim.errors import InputError, said
from ginsim.files import read_plain
from ginsim.games.base import HANDS
from ginsim.games.catalog import game_of
from ginsim.games.gin.courses import ROW, Courses, CourseSession, joined
from ginsim.games.strategy import Strategy
from ginsim.simulation.hands import parts_of
from ginsim.simulation.play import Done, Work, run, warm_up
from ginsim.study.base import Experiment
from ginsim.study.kept import MANIFEST
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "CourseExperiment", "CourseWork", "check_courses", "check_solvable", "course_work", "courses_in", "courses_of_parts",
    "kept_courses", "record", "recorded", "told_of_courses",
]  # fmt: skip

LEAST_OF_PART = 2
"""Deals of a part."""


@dataclass(frozen=True)
class CourseWork(Work):
    """Deals whose courses are recorded: once each if one strategy has both seats, else in both seatings."""

    seatings: int = field(default=1, kw_only=True)

    @property
    def lineups(self) -> np.ndarray:
        """Who sits where in each play of a deal."""
        return super().lineups[: self.seatings]

    def carry_out(self, keep: bool = False) -> Done:
        """Record the courses; the tally holds the deals and the rows of their courses."""
        start = time.perf_counter()
        table = CourseSession(self.players, self.rules, self.seed, self.phase, self.lineups, self.count)
        rows = table.course_rows(self.first, self.count)
        tally = np.array([self.count, len(rows)])
        return Done(self, tally, time.perf_counter() - start, rows if keep else None)

    def frame(self, records: np.ndarray) -> pd.DataFrame:
        """The table that is kept of rows of courses."""
        import pandas as pd

        return pd.DataFrame({name: records[name] for name in ROW.names or ()})


def course_work(
    strategy: Strategy, rules: Any, seed: int, first: int, count: int, against: Strategy | None = None, key: str = ""
) -> CourseWork:
    """The work of recording deals ``first`` … ``first + count - 1`` of a strategy against itself, or against another."""
    players = (strategy, strategy if against is None else against)
    return CourseWork(players, rules, seed, HANDS, first, count, key, seatings=1 if against is None else 2)


def record(
    strategy: str | Strategy,
    rules: Any,
    seed: int,
    first: int,
    count: int,
    against: str | Strategy | None = None,
    workers: int | None = None,
) -> Courses:
    """Record the courses of deals ``first`` … ``first + count - 1``.

    Parameters
    ----------
    strategy : str or Strategy
        Has both seats, unless there is another one.
    rules : Rules or str
    seed, first, count : int
    against : str or Strategy, optional
        Then each deal is played in both seatings.
    workers : int, optional

    Examples
    --------
    >>> courses = record("threshold", "classic25", seed=0, first=0, count=10, workers=1)
    >>> courses.deals, courses.hands
    (10, 10)
    """
    game = game_of(rules)
    own, other = (None if spec is None else Strategy.parse(spec, game.name) for spec in (strategy, against))
    assert own is not None
    return recorded(course_work(own, game.rules.parse(rules), seed, first, count, other), workers)


def recorded(work: CourseWork, workers: int | None = None) -> Courses:
    """The courses of a piece of work, recorded now."""
    warm_up([work])
    parts = {done.work.first: done.records for done in run([work], workers, keep=True)}
    return joined([Courses(part, work.plays) for _, part in sorted(parts.items()) if part is not None])


def kept_courses(folder: Path, work: CourseWork) -> Courses:
    """The courses of a piece of work from the parts that were kept of it.

    Raises
    ------
    InputError
        If a part is missing or damaged.
    """
    import pandas as pd

    found, at = [], work.first
    for path in parts_of(folder, HANDS):
        key, first = path.stem.removeprefix(f"{HANDS}-").rsplit("-", 1)
        if key != work.key or int(first) != at:
            continue
        try:
            table = pd.read_parquet(io.BytesIO(read_plain(path)))
            rows = np.empty(len(table), ROW)
            for name in ROW.names or ():
                rows[name] = table[name]
        except (ValueError, KeyError, OSError) as error:  # of pyarrow too
            raise InputError(f"courses: {path} is damaged: {said(error)}") from None
        found.append(Courses(rows, work.plays))
        at += found[-1].deals
    if at != work.first + work.count:
        raise InputError(f"courses: {folder} lacks deals from {at:,} on")
    return joined(found)


def told_of_courses(field: Sequence[Strategy], folder: Path | None = None) -> dict[str, Any]:
    """What a manifest says of the courses a result was made of: whose they are, and the checksums of parts that stay."""
    sources = hashlib.sha256(json.dumps([[own.sources, own.changed] for own in field], sort_keys=True).encode()).hexdigest()
    parts = [] if folder is None else parts_of(folder, HANDS)
    return {"sources": sources, "parts": {path.name: hashlib.sha256(read_plain(path)).hexdigest() for path in parts}}


def check_courses(folder: Path, told: Any, field: Sequence[Strategy]) -> None:
    """Refuse courses that are not those of a result, or can no longer be recorded again as they were.

    Parameters
    ----------
    folder : Path
        Of the courses; it need not be there.
    told : Any
        What the manifest says of them; older ones say nothing.
    field : sequence of Strategy

    Raises
    ------
    InputError
        Naming what is damaged, missing or changed.
    """
    if not isinstance(told, dict):
        return
    if folder.is_dir():
        parts: Any = told.get("parts")
        for name, digest in parts.items() if isinstance(parts, dict) else ():
            path = folder / name
            if not path.is_file() or hashlib.sha256(read_plain(path)).hexdigest() != digest:
                what = "is damaged or from another run" if path.exists() else "is missing"
                raise InputError(f"courses: {path} {what}; remove {folder}, and its hands are recorded again")
    elif told.get("sources") != told_of_courses(field)["sources"]:
        raise InputError(
            f"courses: {folder} is not there, and a file of {', '.join(map(str, field))} has changed since its hands were "
            "recorded; run the study again"
        )


def courses_in(folder: Path, work: CourseWork) -> Courses:
    """The courses of a piece of work: those that were kept in a folder, or recorded again if it is not there."""
    return kept_courses(folder, work) if folder.is_dir() else recorded(work)


class CourseExperiment(Experiment):
    """A study that is made of courses: of so many deals, and of no games."""

    RECORDS = "courses"
    NEEDS, WITHOUT = "courses", "which has no knock to solve"

    @property
    def game_pairs(self) -> int:
        return 0

    def told_of(self, records: Path) -> dict[str, Any]:
        return {"courses": told_of_courses(self.field(), records if self.part != "1/1" else None)}

    @model_validator(mode="after")
    def _enough(self) -> Self:
        """Of a single deal no error can be told."""
        if self.part != "1/1" and self.own_deals < LEAST_OF_PART:
            most = self.deals // LEAST_OF_PART
            raise InputError(
                f"part: {self.part!r} is not allowed: it has {self.own_deals} deal, and needs {LEAST_OF_PART}; "
                f"cut {self.deals} deals into {most} parts at most"
            )
        return self

    @property
    def unit(self) -> str:
        return "deals"

    @property
    def amount(self) -> str:
        return f"{self.own_deals:,} deals for charts, and others to judge them"


def courses_of_parts(
    settings: Mapping[str, Any], folders: Sequence[tuple[Path, Sequence[Any]]]
) -> dict[str, Callable[[], Courses]]:
    """What reads all courses of several results of a study, by the keys of its works: kept ones, or recorded again.

    Parameters
    ----------
    settings : mapping
        Of the study, but for its deals.
    folders : sequence of (folder, shares)
        Each result with its shares of the deals.
    """
    found: dict[str, list[tuple[Path, CourseWork]]] = {}
    for folder, shares in folders:
        told = _kept_manifest(folder).get("courses")
        for share in shares:
            own = built(**settings, deals=share["deals"], seed=share["seed"], part=share["part"])
            _check_imported(folder / own.RECORDS, own.field())
            check_courses(folder / own.RECORDS, told, own.field())
            for work in own.own_works():
                found.setdefault(work.key, []).append((folder / own.RECORDS, work))
    return {key: partial(_whole, parts) for key, parts in found.items()}


def _check_imported(folder: Path, field: Sequence[Strategy]) -> None:
    """Refuse to record hands again if that would run a file that a result names."""
    own = [str(strategy) for strategy in field if not strategy.game]
    if own and not folder.is_dir():
        raise InputError(
            f"courses: {folder} is not there, and recording its hands again would run the file of {', '.join(own)}, which a "
            "merge never does; merge folders that still have their courses, or run the study again"
        )


def _kept_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a result that was loaded already."""
    found: dict[str, Any] = json.loads(read_plain(folder / MANIFEST))
    return found


def _whole(parts: Sequence[tuple[Path, CourseWork]]) -> Courses:
    """The courses of works of the same key, in the order of their deals."""
    in_order = sorted(parts, key=lambda part: (part[1].seed, part[1].first))
    return joined([courses_in(folder, work) for folder, work in in_order])


def check_solvable(strategy: Strategy, rules: Any) -> None:
    """Refuse rules and strategies for which the knock cannot be solved.

    Raises
    ------
    InputError
        If nobody may knock before gin, or draws or discards depend on how the player knocks.
    """
    if rules.knock_limit == 0 and not rules.oklahoma:
        raise InputError(f"rules: {rules} allows no knock before gin, so there is no knock to solve")
    if not strategy.game:  # its file was not imported
        return
    repertoire = strategy.repertoire
    follows = dict(pairwise(repertoire.kinds))
    knocks = {name for kind, name in repertoire.decisions if kind == "knock"}
    for kind, function in zip(repertoire.kinds, strategy.decisions, strict=True):
        own = next((d for d in repertoire.decisions.values() if d.kind == kind and d.function is function), None)
        if own is not None and follows.get(kind) == "knock" and knocks.intersection(own.needs):
            word = f"{repertoire.words[kind]}={own.name}"
            raise InputError(
                f"strategy: the knock of {strategy} cannot be solved: with {word} it plays hands out with its own knock, "
                "so other knocking would change its discards; give a strategy whose draws and discards do not depend on it"
            )

