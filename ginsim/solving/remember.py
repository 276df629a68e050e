"""Rules of knocking that a person can remember, and the search for the best of them.

A rule says what to do until some turn of one's own, and what after it, by the deadwood or by how many cards are unmatched. It
has two numbers at most, beside telling apart one, two and more unmatched cards. On recorded courses it can be judged exactly, and
quickly: what a player gets who first knocks on a turn is known for every turn, as soon as it is known how the other one knocks; so
a rule is worth what its first knock in each hand is. Rules are chosen by what they give away to the solved chart on the hands that
they are sought in; what is told of them is told on others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.jit import njit
from ginsim.solving.cells import TURNS, Cells
from ginsim.solving.chart import Chart
from ginsim.solving.game import KnockGame, Payoff, in_blocks

__all__ = ["FAMILIES", "Family", "MemoryRule", "best_rules", "families_worth"]

CELLS = Cells.of("deadwood, unmatched")
"""What rules look at."""


class Held(NamedTuple):
    """The hands that a rule tells apart: arrays over all cells. ``unmatched`` is 3 for three cards or more."""

    turn: np.ndarray
    deadwood: np.ndarray
    unmatched: np.ndarray


def _held() -> Held:
    seat, turn, deadwood, unmatched = np.indices(CELLS.shape)
    return Held(turn + 1, deadwood, unmatched + 1)


HELD = _held()


@dataclass(frozen=True)
class Family:
    """Rules that differ in their numbers only.

    Attributes
    ----------
    by : {'deadwood', 'unmatched'}
        What it looks at; of two, what not every player looks at.
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


def _until(turn: int | None, after: str = ", then go for gin") -> str:
    return "" if turn is None else f" until turn {turn}{after}"


def _at_least(a: int, turn: int | None) -> str:
    if a > 1:
        return f"Knock with {a} or more{_until(turn)}."
    return f"Knock as soon as you may{_until(turn)}." if turn != 0 else "Go for gin."


def _above_turn(a: int, turn: int | None) -> str:
    than = {0: "is at least the number of your turn", 1: "is above the number of your turn"}
    words = than.get(a, f"is at least the number of your turn {'plus' if a > 0 else 'less'} {abs(a)}")
    return f"Knock if your deadwood {words}{_until(turn)}."


def _gin_with(cards: str, rest: str) -> str:
    return f"With {cards} go for gin; {rest}."


def _three_kinds(two: str, more: str) -> str:
    return _gin_with("one unmatched card", f"with two {two}; with three or more {more}")


def _more_than(u: int, turn: int | None) -> str:
    cards, more = {2: ("one unmatched card", "two"), 3: ("one or two unmatched cards", "three")}[u]
    return _gin_with(cards, f"with {more} or more knock{_until(turn, '') or ' as soon as you may'}")


FAMILIES: dict[str, Family] = {
    "at least": Family("deadwood", lambda most: range(1, most + 1), lambda a, held: held.deadwood >= a, _never, _at_least),
    "at most": Family(
        "deadwood", lambda most: range(1, most), lambda a, held: held.deadwood <= a, _never,
        lambda a, turn: f"Knock with {a} or less{_until(turn)}.",
    ),
    "gin first": Family(
        "deadwood", lambda most: range(1, most), _never, lambda a, held: held.deadwood <= a,
        lambda a, turn: "Go for gin." if turn is None else f"Go for gin until turn {turn}, then knock with {a} or less.",
    ),
    "all, then few": Family(
        "deadwood", lambda most: range(1, most), _always, lambda a, held: held.deadwood <= a,
        lambda a, turn: f"Knock as soon as you may{_until(turn, f', then only with {a} or less')}.",
    ),
    "above the turn": Family(
        "deadwood", lambda most: range(-6, 7), lambda a, held: held.deadwood >= held.turn + a, _never, _above_turn,
    ),
    "unmatched": Family("unmatched", lambda most: (2, 3), lambda u, held: held.unmatched >= u, _never, _more_than),
    "unmatched, at least": Family(
        "unmatched", lambda most: range(3, most + 1), lambda a, held: (held.unmatched >= 2) & (held.deadwood >= a), _never,
        lambda a, turn: _gin_with("one unmatched card", f"with more knock with {a} or more{_until(turn)}"),
    ),
    "unmatched, then few": Family(
        "unmatched", lambda most: range(2, most), lambda a, held: held.unmatched >= 2,
        lambda a, held: (held.unmatched >= 2) & (held.deadwood <= a),
        lambda a, turn: _gin_with(
            "one unmatched card", f"with more knock{_until(turn, f', later only with {a} or less') or ' as soon as you may'}"
        ),
    ),
    "two with few": Family(
        "unmatched", lambda most: range(2, most),
        lambda a, held: (held.unmatched >= 3) | ((held.unmatched == 2) & (held.deadwood <= a)),
        lambda a, held: (held.unmatched == 2) & (held.deadwood <= a),
        lambda a, turn: _three_kinds(f"knock with {a} or less", f"knock{_until(turn, '') or ' as soon as you may'}"),
    ),
    "two until, more until": Family(
        "unmatched", lambda most: range(1, TURNS),
        lambda a, held: (held.unmatched >= 3) | ((held.unmatched == 2) & (held.turn <= a)), _never,
        lambda a, turn: _three_kinds(f"knock until turn {a}", f"knock{_until(turn, '') or ' as soon as you may'}"),
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
        """What it looks at: deadwood or unmatched."""
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


# --- what rules are worth --------------------------------------------------------------------------------------------------


@njit
def fill_worth(starts, side, payoff, theirs, player, first, end, worth):
    """What ``player`` gets who first knocks with each own row; in the last row of a hand: who never does."""
    sign = 1.0 if player == 0 else -1.0
    for hand in range(first, end):
        last, gone, reach = starts[hand + 1] - 1, 0.0, sign
        for row in range(starts[hand], last):
            if side[row] == player:
                worth[row] = gone + reach * payoff[row]
            else:
                gone += reach * theirs[row] * payoff[row]
                reach *= 1.0 - theirs[row]
        worth[last] = gone + reach * payoff[last]


@njit
def add_rules(starts, side, turn, cell, worth, player, early, late, first, end, got, sums):
    """Add to ``sums[t]`` what ``player`` gets by knocking as ``early`` says up to turn t, and as ``late`` says after it.

    ``got`` is room to work in.
    """
    latest = sums.size - 1
    for hand in range(first, end):
        last = starts[hand + 1] - 1
        got[:] = worth[last]
        for row in range(last - 1, starts[hand] - 1, -1):
            if side[row] == player:
                on = min(np.int64(turn[row]), latest)
                if early[cell[row]]:
                    got[on:] = worth[row]
                if late[cell[row]]:
                    got[:on] = worth[row]
        sums += got


class _Judge:
    """What the rules of a family bring, per hand, on courses against a way of knocking that is given."""

    def __init__(self, game: KnockGame, theirs: np.ndarray, sides: Sequence[int], workers: int) -> None:
        self.game, self.sides, self.workers = game, sides, workers
        self.worth = [np.empty(len(game.side)) for _ in sides]

        def work(block: int, first: int, end: int) -> None:
            for player, worth in zip(sides, self.worth, strict=True):
                fill_worth(game.starts, game.side, game.payoff, theirs, player, first, end, worth)

        in_blocks(game.hands, work, workers)

    def until(self, early: np.ndarray, late: np.ndarray) -> np.ndarray:
        """Mean of the sides for each turn up to which ``early`` holds, 0 … `TURNS`."""
        game = self.game

        def work(block: int, first: int, end: int) -> np.ndarray:
            got, sums = np.zeros((2, TURNS + 1))
            for player, worth in zip(self.sides, self.worth, strict=True):
                of = game.starts, game.side, game.turn, game.cell
                add_rules(*of, worth, player, early.ravel(), late.ravel(), first, end, got, sums)
            return sums

        total = np.asarray(sum(in_blocks(game.hands, work, self.workers)))
        found: np.ndarray = total / max(game.hands * len(self.sides), 1)
        return found


def families_worth(
    courses: Courses, rules: Rules, payoff: Payoff, theirs: np.ndarray, sides: Sequence[int] = (0, 1), workers: int = 1
) -> dict[str, dict[int, np.ndarray]]:
    """What every rule brings a hand against a way of knocking: by family and first number, for each turn 0 … `TURNS` it holds until.

    Parameters
    ----------
    courses : Courses
    rules : Rules
    payoff : Payoff
        What counts.
    theirs : float32[rows]
        The chance of each row to knock if the other side decides it.
    sides : sequence of {0, 1}
        Who plays by the rule: either, where one strategy has both seats; 0 where the other strategy's knocking is given.
    workers : int
        Threads; the answer does not depend on them.
    """
    judge = _Judge(KnockGame.of(courses, CELLS, rules, payoff), theirs, sides, workers)
    most = int(min(courses.rows["deadwood"][courses.rows["final"] == 0].max(initial=1), CELLS.shape[2] - 1))
    return {
        name: {a: judge.until(own.early(a, HELD), own.late(a, HELD)) for a in own.numbers(most)}
        for name, own in FAMILIES.items()
    }


def best_rules(
    courses: Courses, rules: Rules, payoff: Payoff, theirs: np.ndarray, sides: Sequence[int] = (0, 1), workers: int = 1
) -> list[MemoryRule]:
    """The best rule of each family against a way of knocking, the best first; of equals the one with fewer and smaller numbers.

    Parameters
    ----------
    courses, rules, payoff, theirs, sides, workers
        As in `families_worth`.
    """
    found = []
    for name, own in families_worth(courses, rules, payoff, theirs, sides, workers).items():
        ranked = [
            (-round(float(value), 9), until < TURNS, until, abs(a), a) for a, values in own.items() for until, value in enumerate(values)
        ]
        if ranked:
            lost, limited, until, _, a = min(ranked)
            found.append((lost, MemoryRule(name, a, until if limited else None)))
    return [rule for _, rule in sorted(found, key=lambda one: one[0])]
