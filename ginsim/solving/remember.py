"""The best rules of knocking that a person can remember, searched for on recorded courses.

Against a way of knocking that is given it is known what a player gets whose first knock is on any one turn; so a rule is worth
what its first knock in each hand is, and all turns up to which it may hold are judged at once. Rules are chosen by what they give
away to the solved chart on the hands that they are sought in; what is told of them is to be told on others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.solving.cells import TURNS
from ginsim.solving.game import KnockGame, Payoff, in_blocks
from ginsim.solving.kernels import add_rules, fill_firsts
from ginsim.solving.memory import CELLS, FAMILIES, HELD, MemoryRule

__all__ = ["best_of_each", "best_rules", "families_worth"]


class _Judge:
    """What the rules of a family bring, per hand, on courses against a way of knocking that is given."""

    def __init__(self, game: KnockGame, theirs: np.ndarray, sides: Sequence[int], workers: int) -> None:
        self.game, self.sides, self.workers = game, sides, workers
        self.worth = [np.empty(len(game.side)) for _ in sides]

        def work(block: int, first: int, end: int) -> None:
            for player, worth in zip(sides, self.worth, strict=True):
                fill_firsts(game.starts, game.side, game.payoff, theirs, player, first, end, worth)

        in_blocks(game.hands, work, workers)

    def until(self, early: np.ndarray, late: np.ndarray) -> np.ndarray:
        """Mean of the sides for each turn up to which ``early`` holds, 1 … `TURNS`."""
        game = self.game

        def work(block: int, first: int, end: int) -> np.ndarray:
            got, sums = np.zeros((2, TURNS + 1))
            for player, worth in zip(self.sides, self.worth, strict=True):
                of = game.starts, game.side, game.turn, game.cell
                add_rules(*of, worth, player, early.ravel(), late.ravel(), first, end, got, sums)
            return sums

        total = np.asarray(sum(in_blocks(game.hands, work, self.workers)))
        found: np.ndarray = total[1:] / max(game.hands * len(self.sides), 1)
        return found


def families_worth(
    courses: Courses, rules: Rules, payoff: Payoff, theirs: np.ndarray, sides: Sequence[int] = (0, 1), workers: int = 1
) -> dict[str, dict[int, np.ndarray]]:
    """What every rule brings a hand against a way of knocking: by family and first number, for each turn it holds until, from 1.

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
            (-round(float(value), 9), turn < TURNS, turn, abs(a), a)
            for a, values in own.items()
            for turn, value in enumerate(values, 1)
        ]
        if ranked:
            lost, limited, turn, _, a = min(ranked)
            found.append((lost, MemoryRule(name, a, turn if limited else None)))
    return [rule for _, rule in sorted(found, key=lambda one: one[0])]


def best_of_each(rules: Sequence[MemoryRule]) -> dict[str, MemoryRule]:
    """The first of the rules that looks at deadwood, at unmatched cards, and at both."""
    found = dict[str, MemoryRule]()
    for rule in rules:
        found.setdefault(rule.by, rule)
    return found
