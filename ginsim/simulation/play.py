"""Playing a range of deals: the unit of work, how it is cut into chunks and spread over workers.

A run is the same to the bit for any number of workers, any chunk size and any backend: deal ``i`` of a seed is a pure
function of both, and what is kept are sums of integers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from joblib.parallel import get_active_backend

from ginsim.cards import format_hand
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import InputError, StrategyError, said
from ginsim.games.gin.match import COLUMN_SIZE, COLUMNS
from ginsim.games.gin.hand import RECORD, new_table
from ginsim.games.gin.kernels import games_kernel, hands_kernel
from ginsim.games.gin.luck import LUCK_SIZE, luck_kernel
from ginsim.games.gin import records as H
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin.turns import MOST_TURNS, TURN_SIZE, turns_kernel
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.count import (
    GAME_TALLY, HAND_TALLY, LUCK_TALLY, MOMENT_TALLY, tally_games, tally_hands, tally_luck, tally_moments,
)
from ginsim.games.gin.turncount import TurnTally
from ginsim.games.gin.players.families import KINDS
from ginsim.games.plugin import NoMoveError
from ginsim.games.strategy import Strategy
from ginsim.games.gin.view import View

BLOCK = 1024  # pairs played into one buffer, small enough for the cache
CALL_SECONDS = 0.3  # of one piece of work: what an interrupt waits for, and how often progress moves
MOST_WORKERS = 1024
HANDS, GAMES = "hands", "games"
EXPECTED = ("1 to take the upcard or 0", "one card of the hand that is not banned", "1 to knock or 0")
"""What is a legal answer to each of the three decisions."""


@dataclass(frozen=True)
class Work:
    """Duplicate pairs ``first`` … ``first + count - 1`` of hands or games between two strategies."""

    a: Strategy
    b: Strategy
    rules: Rules
    seed: int
    phase: str
    first: int
    count: int
    key: str = ""
    luck: bool = False
    """Whether the luck of the draw is measured too: then the tally of hands goes on with ``LUCK_TALLY``."""
    moments: bool = field(default=False, kw_only=True)
    """Whether higher powers of a pair's points are kept: then ``MOMENT_TALLY`` comes after the tally of hands."""
    turns: bool = field(default=False, kw_only=True)
    """Whether every turn is looked at: then the tally of hands goes on with the tables of ``ginsim.games.gin.turncount``."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play it in this thread (`play`)."""
        return play(self, keep)

    def part(self, first: int, count: int) -> Work:
        """The same work on another range."""
        return replace(self, first=first, count=count)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played, given the tally."""
        return int(tally[GAME_TALLY.index("hands")]) if self.phase == GAMES else 2 * self.count


@dataclass(frozen=True)
class Done:
    """A piece of work, its tally, the seconds it took and, if asked for, its hand records."""

    work: Work
    tally: np.ndarray
    seconds: float
    records: np.ndarray | None = None


def kernel_kind(a: Strategy, b: Strategy) -> str:
    """Which form of the kernels serves both strategies."""
    kinds = {a.kind, b.kind}
    return "python" if "python" in kinds else "numbers" if kinds == {"numbers"} else "slots"


def play(work: Work, keep: bool = False, watch: Callable[[np.ndarray, Any], None] | None = None) -> Done:
    """Play a piece of work in this thread.

    Parameters
    ----------
    work : Work
    keep : bool
        Also return the record of every hand (int64[2 * count, len(HAND_COLUMNS)]), followed by its luck if that is measured.
    watch : callable, optional
        Called first with the table and the decisions of both players, which it may replace; the hands are interpreted then.

    Raises
    ------
    StrategyError
        If a decision is illegal; names the strategy, the decision, the hand and the deal.
    """
    start = time.perf_counter()
    kind = "python" if watch else kernel_kind(work.a, work.b)
    t = new_table(work.rules.array(), (*work.a.numbers, *work.b.numbers))
    params, slots = np.stack([work.a.array, work.b.array]), _slots(work, kind, t)
    if watch:
        watch(t, slots)
    try:
        tally, kept = _run(work, kind, t, params, slots, keep)
    except (StrategyError, KeyboardInterrupt):
        raise
    except BaseException:
        _find_culprit(work, t)
        raise
    return Done(work, tally, time.perf_counter() - start, np.concatenate(kept) if keep else None)


def _blocks(work: Work) -> Iterator[tuple[int, int]]:
    for first in range(work.first, work.first + work.count, BLOCK):
        yield first, min(BLOCK, work.first + work.count - first)


def _run(work: Work, kind: str, t: Any, params: Any, slots: Any, keep: bool) -> tuple[np.ndarray, list[np.ndarray]]:
    """Block after block: play, look for an illegal decision, count."""
    scratch: tuple[np.ndarray, ...] = ()
    if work.phase == HANDS:
        kernel, width, names, add, error = hands_kernel(kind), H.SIZE, HAND_TALLY, tally_hands, H.ERROR
    else:
        kernel, width, names, add, error = games_kernel(kind), G.SIZE, GAME_TALLY, tally_games, G.ERROR
        scratch = (np.zeros((COLUMNS, COLUMN_SIZE), np.int64), np.zeros(2, np.int64))  # score sheet, reach
    most = 2 * min(BLOCK, work.count)
    records = np.zeros((most, width), np.int64)
    tally, luck_tally = np.zeros(len(names), np.int64), np.zeros(len(LUCK_TALLY) if work.luck else 0, np.int64)
    if work.luck:
        kernel, scratch = luck_kernel(kind), (np.zeros((most, LUCK_SIZE), np.int64),)
    moments = np.zeros(len(MOMENT_TALLY) if work.moments else 0, np.int64)
    watched = TurnTally() if work.turns else None
    if watched:
        kernel, scratch = turns_kernel(kind), (np.zeros((most * MOST_TURNS, TURN_SIZE), np.int64),)
    unchanged = params.copy()
    kept = []
    for first, count in _blocks(work):
        rows = kernel(t, work.seed, first, count, params, slots, records, *scratch)
        if records[rows - 1, error]:
            raise _illegal(work, t)
        if not np.array_equal(params, unchanged):
            raise StrategyError(f"strategy {work.a} or {work.b}: a decision wrote to params, which are not its own")
        add(records, rows, tally)
        if work.moments:
            tally_moments(records, rows, moments)
        if work.luck:
            tally_luck(records, scratch[0], rows, np.zeros(1 + LUCK_SIZE, np.int64), luck_tally)
        if watched:
            watched.add(records, rows, scratch[0])
        if keep:
            kept.append(np.hstack((records[:rows], scratch[0][:rows])) if work.luck else records[:rows].copy())
    return np.concatenate((tally, moments, watched.flat() if watched else luck_tally)), kept


def _slots(work: Work, kind: str, t: np.ndarray) -> Any:
    """The decisions as the kernels of ``kind`` call them."""
    if kind == "numbers":
        return None
    if kind == "slots":
        return work.a.slots, work.b.slots
    return [[_guarded(work, t, player, i) for i in range(3)] for player in range(2)]


def _guarded(work: Work, t: np.ndarray, player: int, i: int) -> Callable[..., int]:
    """A decision (interpreted) whose own exceptions are told as errors of the strategy."""
    strategy = (work.a, work.b)[player]
    function = strategy.decisions[i]

    def decide(view: np.ndarray, params: np.ndarray) -> int:
        try:
            return int(function(view, params))
        except KeyboardInterrupt:
            raise
        except NoMoveError as answer:
            raise _refused(work, t, player, i, str(answer)) from None
        except BaseException as error:
            what = f"strategy {strategy}: the {KINDS[i]} decision raised {type(error).__name__}: {said(error)}"
            raise StrategyError(f"{what}; {_situation(work, t, player)}") from error

    return decide


def _find_culprit(work: Work, t: np.ndarray) -> None:
    """After an exception in compiled code: play its deal or game again, interpreted, to say whose decision raised it."""
    deal = int(t[RECORD, H.DEAL])
    first = deal if work.phase == HANDS else (deal - GAME_BASE) // HANDS_PER_GAME
    again = new_table(work.rules.array(), (*work.a.numbers, *work.b.numbers))
    params = np.stack([work.a.array, work.b.array])
    _run(work.part(first, 1), "python", again, params, _slots(work, "python", again), False)


def _illegal(work: Work, t: np.ndarray) -> StrategyError:
    record = t[RECORD]
    player, answer = int(record[H.KNOCKER]), int(record[H.POINTS])
    kind = H.ERRORS[record[H.ERROR]]
    if answer == H.TAMPERED:
        text = f"the {kind} decision wrote to slots of the view that belong to the engine (its own are random and memory)"
        return StrategyError(f"strategy {(work.a, work.b)[player]}: {text}; {_situation(work, t, player)}")
    return _refused(work, t, player, KINDS.index(kind), str(answer))


def _refused(work: Work, t: np.ndarray, player: int, i: int, answer: str) -> StrategyError:
    """The error for an answer that is no legal move."""
    what = f"illegal {KINDS[i]} decision {answer} (expected {EXPECTED[i]})"
    return StrategyError(f"strategy {(work.a, work.b)[player]}: {what}; {_situation(work, t, player)}")


def _situation(work: Work, t: np.ndarray, player: int) -> str:
    """What ``player`` was asked about, and where to find it again."""
    record, view = t[RECORD], View(t[player])
    banned = f" banned {format_hand(view.banned)}," if view.banned else ""
    return (
        f"hand {format_hand(view.hand)},{banned} upcard {format_hand(view.upcard) or 'none'}, own turn {view.turn + 1}, "
        f"deal {int(record[H.DEAL])}, play {int(record[H.PLAY])}, seed {work.seed}, rules {work.rules}"
    )


def _carry_out(work: Work, keep: bool) -> Done:
    return work.carry_out(keep)


class _Pace:
    """How many pairs of each kind of work fit into one call, learnt as results come in."""

    def __init__(self) -> None:
        self.size: dict[str, int] = {}

    def _kind(self, work: Work) -> str:
        return f"{work.phase} {work.a} {work.b}"

    def next(self, work: Work, left: int) -> int:
        return min(left, self.size.get(self._kind(work), 8))

    def learn(self, done: Done) -> None:
        key = self._kind(done.work)
        fits = int(done.work.count * CALL_SECONDS / max(done.seconds, 1e-6))
        self.size[key] = max(1, min(fits, 8 * max(done.work.count, self.size.get(key, 1)), 1 << 20))


def run(
    works: Iterable[Work],
    workers: int | None = None,
    keep: bool = False,
    chunk: int | None = None,
) -> Iterator[Done]:
    """Play all ``works``, cut into chunks, on ``workers`` threads (or the backend of ``joblib.parallel_config``).

    Yields the pieces as they finish, in any order. ``chunk`` fixes the pairs in a piece; otherwise a piece is what takes
    about a third of a second.
    """
    pace = _Pace()

    def pieces() -> Iterator[Any]:
        for work in works:
            at, end = work.first, work.first + work.count
            while at < end:
                count = min(chunk, end - at) if chunk else pace.next(work, end - at)
                yield delayed(_carry_out)(work.part(at, count), keep)
                at += count

    jobs = check_workers(workers)
    parallel = Parallel(n_jobs=jobs, prefer="threads", return_as="generator_unordered", pre_dispatch="n_jobs + 1")
    for done in parallel(pieces()):
        pace.learn(done)
        yield done


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
        need = (kernel_kind(work.a, work.b), work.phase, work.luck)
        if need not in seen:
            seen.add(need)
            if report:
                report(f"compiling the {work.phase} kernel ({need[0]}{', with luck' if work.luck else ''})")
            work.part(work.first, min(work.count, 1)).carry_out()


__all__ = ["BLOCK", "GAMES", "HANDS", "Done", "Work", "check_workers", "kernel_kind", "play", "run", "warm_up"]
