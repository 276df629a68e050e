"""What a player does otherwise than another: when it knocks, which upcards it takes, what it throws, counted as it plays."""

from __future__ import annotations

import math
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ginsim.errors import InputError, shown
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import RECORD
from ginsim.games.gin.replay import watcher
from ginsim.inference.estimates import Estimate, RatioSums, share_of_clusters
from ginsim.melds import joins_meld, points
from ginsim.simulation.play import Done, Work, play
from ginsim.study.kept import check_squares, same_names

__all__ = [
    "CELLS", "COLUMNS", "DEADWOOD", "HABITS", "TURNS", "VALUES", "HabitsWork", "check_habits", "clearest", "share_in", "taught",
]  # fmt: skip

TURNS = {2: "1–2", 4: "3–4", 6: "5–6", 9: "7–9", 999: "10 and later"}
"""Own turns that are told together: the last of each, and how they are called."""
DEADWOOD = {2: "1–2", 5: "3–5", 8: "6–8", 999: "9 and more"}
VALUES = {4: "ace to 4", 9: "5 to 9", 999: "10 and court cards"}
HABITS: dict[str, dict[int, str]] = {"knock": DEADWOOD, "take": {0: "with no meld", 1: "for a meld"}, "throw": VALUES}
"""What is counted by own turn, and of what else it is told apart.

knock: knocks among those that were legal (gin apart), by deadwood; take: upcards that were taken, by whether they make a meld
with the hand; throw: discards of each value among all.
"""
CELLS = [(habit, turn, part) for habit, parts in HABITS.items() for turn in TURNS.values() for part in parts.values()]
_AT = {cell: k for k, cell in enumerate(CELLS)}
COLUMNS = RatioSums._fields
"""What is kept of each cell: sums over pairs of deals."""
CLEAR = 4.0
"""Standard errors that two shares must be apart: the clearest of 45 is looked for."""


@dataclass(frozen=True)
class HabitsWork(Work):
    """Hands of which the first player's decisions are counted; the tally holds ``COLUMNS`` for each of ``CELLS``."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play, one decision after the other, and count."""
        start, counted = time.perf_counter(), np.zeros((self.count, 2, len(CELLS)), np.int64)

        def note(t: np.ndarray, player: int, kind: int, view: np.ndarray, answer: int) -> None:
            for cell, chosen in () if player else _COUNTED[kind](view, answer):
                counted[int(t[RECORD, H.DEAL]) - self.first, :, _AT[cell]] += 1, chosen

        play(Work(self.players, self.rules, self.seed, self.phase, self.first, self.count), watch=watcher(note))
        n, x = counted[:, 0], counted[:, 1]
        sums = (x, x * x, n, n * n, x * n, n > 0)
        return Done(self, np.stack([part.sum(axis=0) for part in sums], axis=1).ravel(), time.perf_counter() - start)


Counted = Iterator[tuple[tuple[str, str, str], bool]]
Count = Callable[[np.ndarray, int], Counted]


def _named(steps: dict[int, str], value: int) -> str:
    return list(steps.values())[bisect_left(list(steps), value)]


def _turn(view: np.ndarray) -> str:
    return _named(TURNS, int(view[V.TURN]) + 1)


def _draw(view: np.ndarray, answer: int) -> Counted:
    if view[V.UPCARD] and not view[V.WALL]:
        meld = bool(joins_meld(view[V.HAND], view[V.UPCARD], view))
        yield ("take", _turn(view), HABITS["take"][meld]), bool(answer)


def _discard(view: np.ndarray, answer: int) -> Counted:
    own = _named(VALUES, int(points(np.int64(answer), view)))
    for name in VALUES.values():
        yield ("throw", _turn(view), name), name == own


def _knock(view: np.ndarray, answer: int) -> Counted:
    if view[V.DEADWOOD]:
        yield ("knock", _turn(view), _named(DEADWOOD, int(view[V.DEADWOOD]))), bool(answer)


_COUNTED: tuple[Count, ...] = (_draw, _discard, _knock)


def share_in(sums: np.ndarray, *cells: tuple[str, str, str]) -> tuple[int, Estimate]:
    """How often something could have been done in one of these cells, and the share in which it was, over pairs of deals.

    Of several cells together the interval takes them to be independent.
    """
    rows = [sums[_AT[cell]] for cell in cells]
    total = RatioSums(*(int(sum(row[k] for row in rows)) for k in range(len(COLUMNS))))
    return total.n, share_of_clusters(total)


def taught(own: np.ndarray, other: np.ndarray) -> Iterator[str]:
    """Two or three sentences on what a player does otherwise than ``simple``."""
    first, late = next(iter(TURNS.values())), list(TURNS.values())[3:]
    knocks = [_all(own, "knock", turns) for turns in ([first], late)]
    yield (
        f"On turns {first} it knocks in {_text(knocks[0])} of the cases where it may, and from turn 7 on in {_text(knocks[1])} "
        "(simple always does)."
    )
    takes = [(_of(sums, "take", first, HABITS["take"][0]), _all(sums, "take", [first])) for sums in (own, other)]
    yield (
        f"Of the upcards on turns {first} it takes {_text(takes[0][1])} (simple: {_text(takes[1][1])}), and of those that make "
        f"no meld {_text(takes[0][0])} (simple: {_text(takes[1][0])})."
    )
    dear, low = list(VALUES.values())[-1], next(iter(VALUES.values()))
    thrown = [(_of(sums, "throw", first, dear), _of(sums, "throw", first, low)) for sums in (own, other)]
    yield (
        f"On these turns {_text(thrown[0][0])} of its discards are worth 10 points (simple's: {_text(thrown[1][0])}), and "
        f"{_text(thrown[0][1])} are aces to fours (simple's: {_text(thrown[1][1])})."
    )


SAID = {
    "knock": "it knocks with {part} points of deadwood in {share} of the cases where it may",
    "take": "it takes {share} of the upcards {part}",
    "throw": "{share} of its discards are {part}",
}
ENOUGH = 100
"""Cases from which on a habit is told."""


def clearest(before: np.ndarray, after: np.ndarray) -> str:
    """What a player does otherwise than before, in a sentence on the clearest change; or that none is clear."""

    def errors_apart(cell: tuple[str, str, str]) -> float:
        (n, e), (m, f) = share_in(before, cell), share_in(after, cell)
        return abs(e.value - f.value) / math.hypot(e.se, f.se) if min(n, m) >= ENOUGH else 0.0

    cell = max(CELLS, key=errors_apart)
    if errors_apart(cell) < CLEAR:
        return "No change in its habits is clear."
    habit, turn, part = cell
    share, earlier = (_text(share_in(sums, cell)[1]) for sums in (after, before))
    said = SAID[habit].format(part=part.replace("with no", "that make no").replace("for a", "that make a"), share=share)
    return f"On own turns {turn}, {said} (before: {earlier})."


def check_habits(path: Path, kept: Mapping[str, list[list[int]]], names: Sequence[str], deals: int) -> dict[str, np.ndarray]:
    """The sums of habits of several players by name, if they are possible."""
    same_names(path, "habits of", set(kept), set(names))
    found = {}
    for name in names:
        if len(kept[name]) != len(CELLS) or any(len(row) != len(COLUMNS) for row in kept[name]):
            raise InputError(f"results: {path}: habits of {name}: not {len(COLUMNS)} sums for each of {len(CELLS)} cells")
        for row in kept[name]:
            x, x_sq, n, n_sq, x_n, pairs = row
            if not (0 <= x <= x_n <= n_sq < 1 << 62 and x <= x_sq <= n_sq and x <= n <= n_sq and pairs <= min(n, deals)):
                raise InputError(f"results: {path}: habits of {name}: {shown(row)} is impossible")
            check_squares(f"{path}: habits of {name}", "cases", n, n_sq, pairs)
        found[name] = np.array(kept[name], np.int64)
    return found


def _of(sums: np.ndarray, habit: str, turn: str, part: str) -> Estimate:
    return share_in(sums, (habit, turn, part))[1]


def _all(sums: np.ndarray, habit: str, turns: list[str]) -> Estimate:
    return share_in(sums, *((habit, turn, part) for turn in turns for part in HABITS[habit].values()))[1]


def _text(e: Estimate) -> str:
    return f"{100 * e.value:.0f} %" if np.isfinite(e.value) else "none"
