"""Which strategy is best over a plane of two rule fields, such as gin bonus × undercut bonus."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, check_count, listed, shown, suggest
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate, mean_of_estimates, mean_of_pairs
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.study.compare import MOST_DEALS, MOST_SEED, works_of
from ginsim.study.result import Result
from ginsim.study.tournament import check_field, pairing_key

if TYPE_CHECKING:
    import pandas as pd

_POINTS = HAND_TALLY.index("points")


@dataclass(frozen=True)
class RuleMap(Result):
    """The result of `rule_map`.

    Attributes
    ----------
    base : str
        Rules that hold everywhere, but for the two fields.
    x, y : (name of the field, its values)
    strategies : tuple of str
    points : int64[len(y), len(x), pairings, 2]
        Sum and sum of squares of a pair's points, by cell and pairing, from the side of the first strategy.
    """

    base: str
    x: tuple[str, tuple[int, ...]]
    y: tuple[str, tuple[int, ...]]
    strategies: tuple[str, ...]
    seed: int | tuple[int, ...]
    deals: int
    points: np.ndarray
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RuleMap):
            return NotImplemented
        names = ("base", "x", "y", "strategies", "seed", "deals")
        return all(getattr(self, name) == getattr(other, name) for name in names) and np.array_equal(self.points, other.points)

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * int(np.prod(self.points.shape[:3]))

    def against_field(self, row: int, column: int, i: int) -> Estimate:
        """Points per hand of strategy ``i`` against the others in one cell."""
        parts = []
        for number, pair in enumerate(itertools.combinations(range(len(self.strategies)), 2)):
            if i in pair:
                total, squares = (int(value) for value in self.points[row, column, number])
                e = mean_of_pairs(total, squares, self.deals)
                parts.append(e if pair[0] == i else -e)
        return mean_of_estimates(parts)

    def best_index(self) -> np.ndarray:
        """Position of the best strategy in each cell, int64[len(y), len(x)]."""
        shape = self.points.shape[:2]
        n = range(len(self.strategies))
        means = np.array([[[self.against_field(r, c, i).value for i in n] for c in range(shape[1])] for r in range(shape[0])])
        return np.asarray(means.argmax(axis=2))

    def table(self) -> pd.DataFrame:
        """One row a cell: the values, the best strategy with its interval, the runner-up, whether the lead is clear."""
        import pandas as pd

        rows = []
        for r, y in enumerate(self.y[1]):
            for c, x in enumerate(self.x[1]):
                means = [self.against_field(r, c, i) for i in range(len(self.strategies))]
                first, second = sorted(range(len(means)), key=lambda i: -means[i].value)[:2]
                e, other = means[first], means[second]
                clear = e.low > other.high
                rows.append(
                    (x, y, self.strategies[first], e.value, e.low, e.high, self.strategies[second], other.value, clear)
                )
        columns = [self.x[0], self.y[0], "best", "points_per_hand", "low", "high", "second", "second_points_per_hand", "clear"]
        return pd.DataFrame(rows, columns=columns)

    def summary(self) -> pd.DataFrame:
        """The best strategy in each cell, ``y`` down, ``x`` across."""
        return self.table().pivot(index=self.y[0], columns=self.x[0], values="best").sort_index(ascending=False)

    def verdict(self) -> str:
        """How often each strategy is best, in a sentence."""
        table = self.table()
        counts = table["best"].value_counts()
        shares = ", ".join(f"{name} in {n}" for name, n in counts.items())
        unclear = int((~table["clear"]).sum())
        return (
            f"Of {len(table)} combinations of {self.x[0]} and {self.y[0]} under {self.base}, the best strategy is {shares}; "
            f"in {unclear} the lead is within the intervals."
        )

    def plot(self, ax: Any = None) -> Any:
        """The map of best strategies; returns the matplotlib axes."""
        from ginsim.report.plots import rule_map

        return rule_map(self, ax=ax)


def check_axis(base: Rules, axis: str, name: Any, values: Any) -> tuple[str, tuple[int, ...]]:
    """A rule field and at least two of its values, in rising order."""
    numbers = [key for key, info in Rules.model_fields.items() if info.annotation in (int, int | None)]
    if not isinstance(name, str) or name not in numbers:
        raise InputError(f"{axis}: {shown(name)} is no rule field with numbers; {suggest(name, numbers)}")
    found = listed(axis, values, "whole numbers")
    for value in found:
        if isinstance(value, bool) or not isinstance(value, Integral):
            raise InputError(f"{axis}: {name}={shown(value)} is not allowed; give a whole number")
        try:
            base.varied(**{name: int(value)})
        except InputError as error:
            raise InputError(f"{axis}: {error}") from None
    if len(found) < 2 or sorted(set(found)) != found:
        raise InputError(f"{axis}: {shown(found)} is not allowed; give two or more values in rising order")
    return name, tuple(int(value) for value in found)


def _axis(base: Rules, axis: str, given: Any) -> tuple[str, tuple[int, ...]]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InputError(f"{axis}: {shown(given)} is not allowed; give a rule field and its values: ('gin_bonus', [0, 25])")
    return check_axis(base, axis, *given)


def cell_key(row: int, column: int) -> str:
    """Key of a cell's works, before the pairing."""
    return f"{row},{column}"


def map_works(
    base: Rules, x: tuple[str, tuple[int, ...]], y: tuple[str, tuple[int, ...]], players: Sequence[Strategy], deals: int,
    seed: int,
) -> list[Work]:  # fmt: skip
    """The works of every cell; a pairing has the same deals in all cells."""
    works: list[Work] = []
    for (r, down), (c, across) in itertools.product(enumerate(y[1]), enumerate(x[1])):
        rules = base.varied(**{x[0]: across, y[0]: down})
        for number, (i, j) in enumerate(itertools.combinations(range(len(players)), 2)):
            key = f"{cell_key(r, c)}:{pairing_key(i, j)}"
            works += works_of(players[i], players[j], rules, deals, 0, seed, key, number)
    return works


def map_of(
    tallies: Tallies, base: Rules, x: tuple[str, tuple[int, ...]], y: tuple[str, tuple[int, ...]],
    players: Sequence[Strategy], deals: int, seed: int, **more: Any,
) -> RuleMap:  # fmt: skip
    """The map that the tallies amount to."""
    pairs = list(itertools.combinations(range(len(players)), 2))
    points = np.zeros((len(y[1]), len(x[1]), len(pairs), 2), np.int64)
    for r, c, number in np.ndindex(points.shape[:3]):
        tally = tallies.sums[f"{cell_key(r, c)}:{pairing_key(*pairs[number])}", HANDS]
        points[r, c, number] = tally[_POINTS : _POINTS + 2]
    return RuleMap(str(base), x, y, tuple(str(player) for player in players), seed, deals, points, **more)


def rule_map(
    x: tuple[str, Sequence[int]],
    y: tuple[str, Sequence[int]],
    strategies: Sequence[str | Strategy],
    rules: str | Rules = "classic25",
    deals: int = 2_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> RuleMap:
    """Play a round robin in every cell of a plane of two rule fields.

    Parameters
    ----------
    x, y : (field, values)
        ``("gin_bonus", [0, 10, 20, 30])``.
    deals : int
        Duplicate pairs for each pairing in each cell; all cells share the decks, so that neighbours differ by the rule alone.
    strategies, rules, seed, workers, progress
        As in `tournament`.
    """
    base, players = Rules.parse(rules), check_field(strategies)
    across, down = _axis(base, "x", x), _axis(base, "y", y)
    if across[0] == down[0]:
        raise InputError(f"y: {down[0]!r} is already on the other axis")
    deals = check_count("deals", deals, 1, MOST_DEALS)
    seed = check_count("seed", seed, 0, MOST_SEED)
    tallies = execute(map_works(base, across, down, players, deals, seed), workers, progress)
    return map_of(tallies, base, across, down, players, deals, seed)
