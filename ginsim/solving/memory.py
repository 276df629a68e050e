"""Rules of knocking that a person can remember: families of them, each rule as a sentence and as a chart.

A rule says what to do until some turn of one's own, and what after it, by the deadwood or by how many cards are unmatched. It
has two numbers at most, beside telling apart one, two and more unmatched cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ginsim.solving.cells import TURNS, Cells
from ginsim.solving.chart import Chart

__all__ = ["CELLS", "FAMILIES", "HELD", "Family", "Held", "MemoryRule"]

CELLS = Cells.of("deadwood, unmatched")
"""What rules look at."""


class Held(NamedTuple):
    """The hands that a rule tells apart: arrays over all cells. ``unmatched`` is 3 for three cards or more."""

    turn: np.ndarray
    deadwood: np.ndarray
    unmatched: np.ndarray


def _held() -> Held:
    _seat, turn, deadwood, unmatched = np.indices(CELLS.shape)
    return Held(turn + 1, deadwood, unmatched + 1)


HELD = _held()


@dataclass(frozen=True)
class Family:
    """Rules that differ in their numbers only.

    Attributes
    ----------
    by : {'deadwood', 'unmatched', 'both'}
        What it looks at.
    numbers : function of the most deadwood that a knock is made with
        What the first number may be.
    early, late : function of the first number and of what is held
        When to knock up to the turn that is the second number, and after it.
    words : function of the first number and of the turn (None: to the end of the hand)
        The rule in a sentence.
    """

    by: str
    numbers: Callable[[int], Iterable[int]]
    early: Callable[[int, Held], np.ndarray]
    late: Callable[[int, Held], np.ndarray]
    words: Callable[[int, int | None], str]


def _never(a: int, held: Held) -> np.ndarray:
    return held.turn < 0


def _always(a: int, held: Held) -> np.ndarray:
    return held.turn > 0


def _until(turn: int | None, after: str = "", always: str = "") -> str:
    return always if turn is None else f" until turn {turn}{after}"


GIN, SOON = ", then go for gin", " as soon as you may"


def _at_least(a: int, turn: int | None) -> str:
    return f"Knock{f' with {a} or more' if a > 1 else SOON}{_until(turn, GIN)}."


def _above_turn(a: int, turn: int | None) -> str:
    than = {0: "is at least the number of your turn", 1: "is above the number of your turn"}
    words = than.get(a, f"is at least the number of your turn {'plus' if a > 0 else 'less'} {abs(a)}")
    return f"Knock if your deadwood {words}." if turn is None else f"Until turn {turn} knock if your deadwood {words}{GIN}."


def _more_than(u: int, turn: int | None) -> str:
    few, more = {2: ("one unmatched card", "two"), 3: ("one or two unmatched cards", "three")}[u]
    return f"With {few} go for gin; with {more} or more knock{_until(turn, always=SOON)}."


def _or_gin(more: str) -> str:
    return f"With one unmatched card go for gin; with more knock{more}."


def _of_three(a: int, turn: int | None) -> str:
    more = _until(turn, always=SOON)
    return f"With one unmatched card go for gin; with two knock with {a} points or less; with three or more knock{more}."


FAMILIES: dict[str, Family] = {
    "at least": Family("deadwood", lambda most: range(1, most + 1), lambda a, held: held.deadwood >= a, _never, _at_least),
    "at most": Family(
        "deadwood", lambda most: range(1, most), lambda a, held: held.deadwood <= a, _never,
        lambda a, turn: f"Knock with {a} or less{_until(turn, GIN)}.",
    ),
    "gin first": Family(
        "deadwood", lambda most: range(1, most), _never, lambda a, held: held.deadwood <= a,
        lambda a, turn: "Go for gin." if turn is None else f"Go for gin until turn {turn}, then knock with {a} or less.",
    ),
    "all, then few": Family(
        "deadwood", lambda most: range(1, most), _always, lambda a, held: held.deadwood <= a,
        lambda a, turn: f"Knock{SOON}{_until(turn, f', then only with {a} or less')}.",
    ),
    "above the turn": Family(
        "deadwood", lambda most: range(-6, 7), lambda a, held: held.deadwood >= held.turn + a, _never, _above_turn,
    ),
    "unmatched": Family("unmatched", lambda most: (2, 3), lambda u, held: held.unmatched >= u, _never, _more_than),
    "unmatched, at least": Family(
        "both", lambda most: range(3, most + 1), lambda a, held: (held.unmatched >= 2) & (held.deadwood >= a), _never,
        lambda a, turn: _or_gin(f" with {a} points or more{_until(turn, GIN)}"),
    ),
    "unmatched, then few": Family(
        "both", lambda most: range(2, most), lambda a, held: held.unmatched >= 2,
        lambda a, held: (held.unmatched >= 2) & (held.deadwood <= a),
        lambda a, turn: _or_gin(_until(turn, f", later only with {a} points or less", SOON)),
    ),
    "two with few": Family(
        "both", lambda most: range(2, most),
        lambda a, held: (held.unmatched >= 3) | ((held.unmatched == 2) & (held.deadwood <= a)),
        lambda a, held: (held.unmatched == 2) & (held.deadwood <= a),
        _of_three,
    ),
}  # fmt: skip
"""All that is searched."""


@dataclass(frozen=True)
class MemoryRule:
    """A rule one can remember: of which family, and its numbers (``until`` None: it holds to the end of the hand)."""

    family: str
    first: int
    until: int | None

    @property
    def by(self) -> str:
        """What it looks at: deadwood, unmatched or both."""
        return FAMILIES[self.family].by

    @property
    def sentence(self) -> str:
        """The rule in words."""
        return FAMILIES[self.family].words(self.first, self.until)

    def __str__(self) -> str:
        return self.sentence

    @property
    def chart(self) -> Chart:
        """The rule as a chart.

        Examples
        --------
        >>> rule = MemoryRule("unmatched", 2, 8)
        >>> print(rule)
        With one unmatched card go for gin; with two or more knock until turn 8.
        >>> rule.chart.knock[0, [7, 8], 5].tolist()  # turns 8 and 9, deadwood 5
        [[0.0, 1.0, 1.0], [0.0, 0.0, 0.0]]
        """
        own = FAMILIES[self.family]
        until = TURNS if self.until is None else self.until
        says = np.where(HELD.turn <= until, own.early(self.first, HELD), own.late(self.first, HELD))
        return Chart(CELLS, says.astype(float))
