"""Playing a range of deals: the unit of work, how it is cut into chunks and spread over workers.

A run is the same to the bit for any number of workers, any chunk size and any backend: deal ``i`` of a seed is a pure
function of both, and what is kept are sums of integers.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from joblib.parallel import get_active_backend

from ginsim.errors import InputError
from ginsim.games.base import BLOCK, GAME_TALLY, GAMES, HANDS, Session, Watch, form_of, unit_sums
from ginsim.games.catalog import game_of
from ginsim.games.strategy import Strategy
from ginsim.inference.sequential import FOURTHS_SHIFT, MOMENTS

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "BLOCK", "GAMES", "HANDS", "Done", "Work", "check_workers", "lineups", "play", "run", "session", "unit_points", "warm_up",
]  # fmt: skip

CALL_SECONDS = 0.3  # of one piece of work: what an interrupt waits for, and how often progress moves
STEP = 8  # units in the first piece, and how many times as long the next may be
MOST_WORKERS = 1024
SIDES, ALONE, ROTATED = "sides", "alone", "rotated"


@dataclass(frozen=True)
class Work:
    """Deals (or games) ``first`` … ``first + count - 1`` of some strategies at one table, each played once for each lineup."""

    players: tuple[Strategy, ...]
    rules: Any
    seed: int
    phase: str
    first: int
    count: int
    key: str = ""
    luck: bool = False
    """Whether the luck of the draw is measured too: then the tally of hands goes on with the game's sums of it."""
    moments: bool = field(default=False, kw_only=True)
    """Whether higher powers of a unit's points are kept: then ``inference.sequential.MOMENTS`` come after the tally of hands."""
    turns: bool = field(default=False, kw_only=True)
    """Whether every turn is looked at: then the tally of hands goes on with the game's tables of turns."""
    seating: str = field(default=SIDES, kw_only=True)
    """``sides``: two strategies sit alternately and change sides; ``alone``: one has all seats; ``rotated``: one a seat, each in
    every seat in turn."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play it in this thread (`play`)."""
        return play(self, keep)

    @property
    def form(self) -> tuple[Any, ...]:
        """What the size of its tally depends on."""
        return type(self), self.phase, self.luck

    def part(self, first: int, count: int) -> Work:
        """The same work on another range."""
        return replace(self, first=first, count=count)

    @property
    def lineups(self) -> np.ndarray:
        """Who sits where in each play of a deal."""
        return lineups(self.rules, len(self.players), self.seating)

    @property
    def sums(self) -> tuple[str, ...]:
        """Names of the sums that its tally begins with."""
        return game_of(self.rules).hand_tally if self.phase == HANDS else GAME_TALLY

    @property
    def plays(self) -> int:
        """Hands (or games) of each deal."""
        return len(self.lineups)

    def frame(self, records: np.ndarray) -> pd.DataFrame:
        """The table that is kept of records."""
        table = game_of(self.rules).frame(records, self.phase)
        table.insert(0, "pairing", self.key.partition("@")[0])  # without the look of a sequential test
        return table

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played, given the tally."""
        return int(tally[GAME_TALLY.index("hands")]) if self.phase == GAMES else self.plays * self.count


@dataclass(frozen=True)
class Done:
    """A piece of work, its tally, the seconds it took and, if asked for, its records."""

    work: Work
    tally: np.ndarray
    seconds: float
    records: np.ndarray | None = None


def lineups(rules: Any, sides: int, seating: str = SIDES) -> np.ndarray:
    """Which side sits on which seat, int64[plays, seats].

    Examples
    --------
    >>> lineups("house(players=3)", 2)[:, :3].tolist(), lineups("house(players=3)", 3, "rotated")[:, :3].tolist()
    ([[0, 1, 0], [1, 0, 1]], [[0, 1, 2], [1, 2, 0], [2, 0, 1]])
    """
    game = game_of(rules)
    seats = game.seats(game.rules.parse(rules))
    at = np.arange(seats)
    rows = {
        SIDES: lambda: [at % 2, (at + 1) % 2],
        ALONE: lambda: [at * 0],
        ROTATED: lambda: [(at + play) % sides for play in range(sides)],
    }[seating]()
    found = np.zeros((len(rows), game.width(game.rules.parse(rules))), np.int64)
    found[:, :seats] = rows
    return found


def session(work: Work, watch: Watch | None = None) -> Session:
    """The table at which a piece of work is played."""
    extra = "luck" if work.luck else "turns" if work.turns else ""
    made = game_of(work.rules).session
    return made(work.players, work.rules, work.seed, work.phase, work.lineups, work.count, extra, watch)


def play(work: Work, keep: bool = False, watch: Watch | None = None) -> Done:
    """Play a piece of work in this thread.

    Parameters
    ----------
    work : Work
    keep : bool
        Also return the record of every play (int64[plays * count, columns]), followed by its luck if that is measured.
    watch : callable, optional
        Called first with the table and the decisions of all players, which it may replace; the hands are interpreted then.

    Raises
    ------
    StrategyError
        If a decision is illegal; names the strategy, the decision, the hand and the deal.
    """
    start = time.perf_counter()
    table, kept = session(work, watch), []
    moments = np.zeros(len(MOMENTS) if work.moments else 0, np.int64)
    for records in table.blocks(work.first, work.count):
        table.count(records)
        if work.moments:
            moments += _moments(unit_points(work, records))
        if keep:
            kept.append(table.kept(records))
    own, more = np.split(table.sums, [len(work.sums)])
    return Done(work, np.concatenate((own, moments, more)), time.perf_counter() - start, np.concatenate(kept) if keep else None)


def unit_points(work: Work, records: np.ndarray) -> np.ndarray:
    """Points of the first side in each unit of hands, int64[units]."""
    scores = game_of(work.rules).scores(records, work.lineups, len(work.players))
    return unit_sums(scores[:, 0], work.plays)


def _moments(points: np.ndarray) -> np.ndarray:
    fourths = int((points**4).sum())
    return np.array([(points**3).sum(), fourths >> FOURTHS_SHIFT, fourths & ((1 << FOURTHS_SHIFT) - 1)])


class _Pace:
    """How many units of each kind of work fit into one call, learnt in the thread that played a piece, as soon as it is done."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.size: dict[str, int] = {}

    def _kind(self, work: Work) -> str:
        return f"{work.phase} {' '.join(map(str, work.players))}"

    def next(self, work: Work, left: int) -> int:
        """Units of the next piece; the last ones are smaller, so that all workers are done at about the same time."""
        size = self.size.get(self._kind(work), STEP)
        return min(left, size, max(left // self.workers, size // STEP, 1))

    def carry_out(self, work: Work, keep: bool) -> Done:
        """Play a piece."""
        done = work.carry_out(keep)
        self.learn(done)
        return done

    def learn(self, done: Done) -> None:
        """Note how long a piece took, unless much longer ones are known; twice does no harm."""
        key, count = self._kind(done.work), done.work.count
        if STEP * count >= self.size.get(key, 1):
            self.size[key] = max(1, min(int(count * CALL_SECONDS / max(done.seconds, 1e-6)), STEP * count, 1 << 20))


def run(
    works: Iterable[Work],
    workers: int | None = None,
    keep: bool = False,
    chunk: int | None = None,
) -> Iterator[Done]:
    """Play all ``works``, cut into chunks, on ``workers`` threads (or the backend of ``joblib.parallel_config``).

    Parameters
    ----------
    works : iterable of Work
    workers : int, optional
    keep : bool
        Also yield the records of every play.
    chunk : int, optional
        Units in a piece; by default as many as take about a third of a second.

    Yields
    ------
    Done
        The pieces as they finish, in any order.
    """
    jobs = check_workers(workers)
    pace = _Pace(effective_n_jobs(jobs))

    def pieces() -> Iterator[Any]:
        for work in works:
            at, end = work.first, work.first + work.count
            while at < end:
                count = min(chunk, end - at) if chunk else pace.next(work, end - at)
                yield delayed(pace.carry_out)(work.part(at, count), keep)
                at += count

    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered", pre_dispatch="n_jobs + 1")
    found = parallel(pieces())
    try:
        for done in found:
            pace.learn(done)  # again: other processes have a copy of it
            yield done
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pieces that were played and are not wanted any more
            found.close()


def check_workers(workers: Any) -> int:
    """The number of jobs for joblib: all cores unless a backend or a number is given."""
    if workers is None:
        configured = get_active_backend()[1]
        return -1 if configured in (None, 1) else int(configured)
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or not 1 <= workers <= MOST_WORKERS:
        allowed = f"a whole number from 1 to {MOST_WORKERS}, or nothing for all cores"
        raise InputError(f"workers: {workers!r} is not allowed; give {allowed}")
    return int(workers)


def warm_up(works: Iterable[Work], report: Callable[[str], None] | None = None) -> None:
    """Compile (or load) what the works need in this thread, so that workers find it on disk."""
    seen = set()
    for work in works:
        need = (game_of(work.rules).name, form_of(work.players), work.phase, work.luck)
        if need not in seen:
            seen.add(need)
            if report:
                report(f"compiling the {work.phase} kernel ({need[1]}{', with luck' if work.luck else ''})")
            work.part(work.first, min(work.count, 1)).carry_out()
