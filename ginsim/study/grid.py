"""Many players on the same decks against the same opponents: gauntlets, sweeps over parameters, factorial designs.

The players are the cells of a grid. All cells play the same duplicate pairs against an opponent, so luck that they have in
common drops out of their differences: the sums of products of their points give the exact interval of any difference, main
effect or interaction. Each opponent has decks of its own.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, listed, shown
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, as_dict
from ginsim.games.catalog import game_of
from ginsim.games.plugin import identity
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import holm, p_value
from ginsim.inference.estimates import (
    LEVEL,
    POINTS_UNIT,
    Estimate,
    cautious_difference,
    extra_variance,
    from_mean,
    interval_text,
    mean_of_estimates,
    table_text,
)  # fmt: skip
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play, unit_points
from ginsim.specs import Value, format_spec, format_value, parse_spec
from ginsim.study.base import MOST_LISTED, Player, carried_out, distinct, register
from ginsim.study.compare import Comparison
from ginsim.study.criterion import (
    Judged,
    JudgedExperiment,
    JudgedManifest,
    Leader,
    ahead_by,
    bounds,
    disagreement_of_leaders,
    disagreement_of_two,
    said,
    told_by,
)
from ginsim.study.kept import TALLIES, Name, check_pair, same_names, with_later_sums
from ginsim.study.measures import COMPARED, OF_GAMES
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Axes", "Cell", "Factorial", "FactorialExperiment", "Gauntlet", "GauntletExperiment", "Grid", "GridWork", "Sweep",
    "SweepExperiment",
    "cells_of", "check_axes", "factorial", "gauntlet", "sweep",
]  # fmt: skip

PAIRS = 8192
"""Pairs played before the next cell's turn."""
MOST_CELLS = 256
_G = len(GAME_TALLY)
Axes = dict[str, list[Value]]
"""Values by the name of a parameter of the strategy, or ``rules.`` and a field of the rules."""
Cell = tuple[Strategy, RulesModel]


@dataclass(frozen=True)
class GridWork(Work):
    """Pairs of hands or games of every cell against the second player, on the same decks; the first and ``rules``: cell 0's."""

    cells: tuple[Cell, ...] = ()

    def carry_out(self, keep: bool = False) -> Done:
        """Play all cells; the tally holds that of each cell and, for hands, the products of the points of every two."""
        start = time.perf_counter()
        n, hands = len(self.cells), self.phase == HANDS
        tallies, products = np.zeros((n, len(self.sums)), np.int64), np.zeros((n, n), np.int64)
        for first in range(self.first, self.first + self.count, PAIRS):
            count = min(PAIRS, self.first + self.count - first)
            points = np.zeros((count, n))
            for k, (player, rules) in enumerate(self.cells):
                work = Work((player, self.players[1]), rules, self.seed, self.phase, first, count)
                done = play(work, keep=hands)
                tallies[k] += done.tally
                if done.records is not None:
                    points[:, k] = unit_points(work, done.records)
            products += (points.T @ points).astype(np.int64)  # whole numbers far below 2^53: exact
        tally = np.concatenate((tallies.ravel(), products[np.tril_indices(n)])) if hands else tallies.ravel()
        return Done(self, tally, time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played by all cells, given the tally."""
        if self.phase == HANDS:
            return 2 * self.count * len(self.cells)
        return int(tally.reshape(len(self.cells), _G)[:, GAME_TALLY.index("hands")].sum())


@dataclass(frozen=True)
class Grid(Judged):
    """What cells came to against common opponents; `Gauntlet`, `Sweep` and `Factorial` are grids.

    Attributes
    ----------
    axes : tuple of (name, values)
        What the cells differ in; the last changes fastest.
    players, cell_rules : tuple of str
        Strategy and rules of each cell.
    opponents : tuple of str
    rules : str
        The rules that the cells' rules depart from.
    cells : mapping of (cell, opponent) to Comparison
        Figures from the side of the cell.
    products : int64[opponents, cells, cells]
        Sums over pairs of the products of the points of two cells.
    """

    axes: tuple[tuple[str, tuple[str, ...]], ...]
    players: tuple[str, ...]
    cell_rules: tuple[str, ...]
    opponents: tuple[str, ...]
    rules: str
    seed: int | tuple[int, ...]
    deals: int
    games: int
    cells: dict[tuple[int, int], Comparison]
    products: np.ndarray
    base: str = ""
    """The strategy that the cells' strategies depart from, if they do."""
    wall_seconds: float = field(default=math.nan, compare=False)
    by: str | None = None
    """What better means (``ginsim.study.criterion``)."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [name for name in self.__dataclass_fields__ if name not in ("products", "wall_seconds")]
        same = all(getattr(self, name) == getattr(other, name) for name in names)
        return same and np.array_equal(self.products, other.products)

    def __str__(self) -> str:
        return f"{self.verdict()}\n{table_text(self.summary())}"

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games, by pairing."""
        return [comparison.games_tally for comparison in self.cells.values()]

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        return sum(comparison.hand_count for comparison in self.cells.values())

    @property
    def _seats(self) -> np.ndarray:
        """Seats at the table of each cell: hands and seats that share the points of a pair."""
        return np.array([self.cells[k, 0].table_size for k in range(len(self.players))])

    @property
    def shape(self) -> tuple[int, ...]:
        """Number of values on each axis."""
        return tuple(len(values) for _, values in self.axes)

    def labels(self) -> list[str]:
        """Names of the cells: what they differ in."""
        return [
            ", ".join(value if "=" in value else f"{name}={value}" for (name, _), value in zip(self.axes, values, strict=True))
            for values in itertools.product(*(values for _, values in self.axes))
        ]

    def estimate(self, cell: int, measure: str = "points_per_hand", opponent: int | None = None) -> Estimate:
        """A figure of ``Comparison`` for a cell, mean over the opponents or against one of them."""
        if measure == "points_per_hand":
            return self.contrast(np.eye(len(self.players))[cell], opponent=opponent)
        against = range(len(self.opponents)) if opponent is None else [opponent]
        return mean_of_estimates([getattr(self.cells[cell, j], measure) for j in against])

    def difference(self, a: int, b: int, opponent: int | None = None, measure: str = "points_per_hand") -> Estimate:
        """A figure of cell ``a`` less that of cell ``b`` on the same decks, against all opponents or one of them.

        Of points per hand the interval is that of differences pair by pair. Of the other measures the products that this takes
        are not kept: there it is as wide as two figures can need that depend on each other in any way (`cautious_difference`).
        """
        if measure != "points_per_hand":
            return cautious_difference(*(self.estimate(k, measure, opponent) for k in (a, b)))
        weights = np.zeros(len(self.players))
        weights[a] += 1
        weights[b] -= 1
        return self.contrast(weights, opponent=opponent)

    def behind(self, best: int, cell: int) -> Estimate:
        """By how much a cell is behind another by the criterion."""
        return self.difference(best, cell, measure=self.criterion)

    @cached_property
    def _moments(self) -> tuple[np.ndarray, np.ndarray]:
        """Means of the cells, and the covariances of these means: points per hand, mean over the opponents."""
        return self._moments_against(range(len(self.opponents)))

    def _moments_against(self, opponents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        n, cells, count = self.deals, len(self.players), len(opponents)
        means, covariances = np.zeros(cells), np.zeros((cells, cells))
        for j in opponents:
            sums = np.array([self.cells[k, j].hands_tally["points"] for k in range(cells)]) / n
            means += sums / self._seats / count
            if n > 1:
                per = (n - 1) * np.outer(self._seats, self._seats) * count**2
                covariances += (self.products[j] / n - np.outer(sums, sums)) / per
        return means, covariances if n > 1 else np.full((cells, cells), math.inf)

    def contrast(self, weights: np.ndarray, level: float = LEVEL, opponent: int | None = None) -> Estimate:
        """A weighted sum of the cells' points per hand (against one opponent, if it is given), with Student's interval.

        All cells play the same decks, so their covariances come into it: the standard error is that of the same weighted sum
        formed pair by pair (e.g. Montgomery, Design and Analysis of Experiments, contrasts in blocks).
        """
        means, covariances = self._moments if opponent is None else self._moments_against([opponent])
        value = float(weights @ means)
        if self.deals < 2:
            return Estimate(value, -math.inf, math.inf, math.inf, level)
        variance = max(float(weights @ covariances @ weights), 0.0)
        if weights.any():  # two pairs are added, as everywhere (`ginsim.inference.estimates`)
            per = self._seats.min() ** 2 * (len(self.opponents) if opponent is None else 1)
            variance += extra_variance(self.deals, POINTS_UNIT) / per
        return from_mean(value, math.sqrt(variance), self.deals, level)

    def order(self) -> list[int]:
        """The cells from best to worst by the criterion."""
        return self._order(self.criterion)

    def _order(self, measure: str) -> list[int]:
        values = [self.estimate(k, measure).value for k in range(len(self.players))]
        return sorted(range(len(values)), key=lambda k: -values[k])

    def like_best(self) -> list[int]:
        """The cells that the criterion cannot tell from the best under the same rules, the best not among them."""
        return [k for k, best in self.best_of.items() if k != best and not self.behind(best, k).decided]

    def table(self) -> pd.DataFrame:
        """One row a cell: where it lies, its figures with their intervals, what it is behind the best under the same rules."""
        import pandas as pd

        best_of = self.best_of
        rows = []
        for k, values in enumerate(itertools.product(*(values for _, values in self.axes))):
            row: dict[str, Any] = dict(zip([name for name, _ in self.axes], values, strict=True))
            for measure in self.measures:
                e = self.estimate(k, measure)
                row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
            behind = self.behind(best_of[k], k)
            rows.append(row | {"behind_best": behind.value, "behind_low": behind.low, "behind_high": behind.high})
        return pd.DataFrame(rows)

    def opponent_table(self) -> pd.DataFrame:
        """One row for each cell and opponent."""
        import pandas as pd

        rows = []
        labels = self.labels()
        for (k, j), comparison in self.cells.items():
            row: dict[str, Any] = {"cell": labels[k], "opponent": self.opponents[j]}
            for measure in self.measures:
                e: Estimate = getattr(comparison, measure)
                row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
            rows.append(row)
        return pd.DataFrame(rows)

    def summary(self) -> pd.DataFrame:
        """The cells from best to worst by the criterion, set of rules by set of rules."""
        return self.table().iloc[list(self.best_of)]

    def _against(self) -> str:
        few = len(self.opponents) <= 3
        return ", ".join(self.opponents) if few else f"{len(self.opponents)} opponents"

    @property
    def _basis(self) -> str:
        """What the criterion is measured by."""
        pairs = f"{self.games:,} duplicate pairs of games" if self.criterion in OF_GAMES else f"{self.deals:,} duplicate pairs"
        return f"{pairs}{' for each opponent' if len(self.opponents) > 1 else ''}"

    def _best_sentence(self) -> str:
        """Who is best, and what cannot be told from it."""
        labels, name, (best, *others) = self.labels(), self.criterion, self.order()
        e, like = self.estimate(best, name), self.like_best()
        text = (
            f"{labels[best]} does best against {self._against()}: {said(name, e.value)} "
            f"(95 % interval {bounds(name, e)}; {self._basis}, {self.rules})"
        )
        if like:
            named = ", ".join(labels[k] for k in like[:6]) + (f" and {len(like) - 6} more" if len(like) > 6 else "")
            return f"{text}; it cannot be told apart from {named} on the same decks."
        if not others:
            return f"{text}."
        ahead = ahead_by(name, self.behind(best, others[0]))
        return f"{text}, clearly ahead of {labels[others[0]]} on the same decks (by {ahead})."

    def _disagreement(self) -> str:
        """Who clearly leads by another measure, under one set of rules; of one cell, which measures favour the other side."""
        labels, first = self.labels(), self.order()[0]
        if len(labels) == 1:
            figures = {name: self.estimate(0, name) for name in (self.criterion, *self.others)}
            return disagreement_of_two(self.criterion, figures, labels[0], self._against())
        found = []
        for measure in self.others:
            best = self._order(measure)[0]
            if self.difference(best, first, measure=measure).low > 0:
                figures_of = self.estimate(best, measure), self.estimate(first, measure)
                found.append(Leader(measure, labels[best], *figures_of, self.behind(first, best).low > 0))
        return disagreement_of_leaders(self.criterion, labels[first], found)

    def verdict(self) -> str:
        """The answer in a sentence or two."""
        return self._answer()

    @property
    def by_rules(self) -> dict[str, list[int]]:
        """The cells under each set of rules, the best first: players choose how to play, not the rules."""
        found: dict[str, list[int]] = {rules: [] for rules in self.cell_rules}
        for k in self.order():
            found[self.cell_rules[k]].append(k)
        return found

    @property
    def best_of(self) -> dict[int, int]:
        """For each cell, set of rules by set of rules from the best down: the best cell under the same rules."""
        return {k: cells[0] for cells in self.by_rules.values() for k in cells}

    def strategy_label(self, cell: int) -> str:
        """What the strategy of a cell is, without its rules; empty if all cells have the same."""
        values = list(itertools.product(*(values for _, values in self.axes)))[cell]
        own = [(name, value) for (name, _), value in zip(self.axes, values, strict=True) if not name.startswith("rules.")]
        return ", ".join(value if "=" in value else f"{name}={value}" for name, value in own)

    def _answer(self) -> str:
        return self._under_each() if len(self.by_rules) > 1 else self._best_sentence() + self._disagreement()

    def _under_each(self) -> str:
        """Who is best under each set of rules; of one strategy only, how it does under them."""
        first = f"Against {self._against()}, in {self.judged.label} with 95 % intervals"
        pairs = f"({self._basis})"
        if alone := self._best_everywhere():
            best = [cells[0] for cells in self.by_rules.values()]
            low, high = (f"{self._figure(k)} under {self.cell_rules[k]}" for k in (best[0], best[-1]))
            where = f"under each of the {len(best)} sets of rules"
            return f"{first}, {alone} is clearly the best {where}: from {low} to {high} {pairs}.{self._otherwise()}"
        told = []
        for rules, (best_cell, *others) in self.by_rules.items():
            like = [self.strategy_label(k) for k in others if not self.behind(best_cell, k).decided]
            named = f"{', '.join(like[:3])} and {len(like) - 3} more" if len(like) > 3 else ", ".join(like)
            name = f"{self.strategy_label(best_cell)}, " if others else ""
            told.append(f"under {rules} {name}{self._figure(best_cell)}{f', not told apart from {named}' if like else ''}")
        many = any(len(cells) > 1 for cells in self.by_rules.values())
        head = f"{first}, the best under each set of rules" if many else f"{first}, {self.players[0]} scores"
        return f"{head}: {'; '.join(told)} {pairs}.{self._otherwise()}"

    def _otherwise(self) -> str:
        """Under how many sets of rules another measure clearly favours another strategy than the criterion clearly does."""
        found = {}
        for measure in self.others:
            under = 0
            for first, *rest in self.by_rules.values():
                best = max((first, *rest), key=lambda k: self.estimate(k, measure).value)
                under += self.difference(best, first, measure=measure).low > 0 and self.behind(first, best).low > 0
            if under:
                found[COMPARED[measure].label] = under
        told = ", ".join(f"{label} in {under}" for label, under in found.items())
        return f" Of the {len(self.by_rules)} sets of rules, another strategy clearly leads by {told}." if told else ""

    def _best_everywhere(self) -> str:
        """The strategy that is clearly the best under all rules; empty if there is none."""
        names = {self.strategy_label(cells[0]) for cells in self.by_rules.values()}
        clear = all(rest and all(self.behind(k, j).decided for j in rest) for k, *rest in self.by_rules.values())
        return names.pop() if clear and len(names) == 1 else ""

    def _figure(self, cell: int) -> str:
        return self.judged.text(self.estimate(cell, self.criterion))


class Gauntlet(Grid):
    """Challengers against a field of opponents; one axis, the challengers."""

    def labels(self) -> list[str]:
        """The challengers."""
        return list(self.players)


class Sweep(Grid):
    """A strategy over one or two of its parameters, or of the rules'."""


class Factorial(Grid):
    """Every combination of the levels of two factors or more: main effects and interactions."""

    def terms(self) -> list[tuple[int, ...]]:
        """The factors of each term: main effects, then interactions of two, of three and so on."""
        n = len(self.axes)
        return [term for size in range(1, n + 1) for term in itertools.combinations(range(n), size)]

    def effect(self, term: Sequence[int], levels: Sequence[int]) -> Estimate:
        """Main effect or interaction at the given levels of the factors in ``term``, in points per hand.

        Effects of a factor add up to zero over its levels (Montgomery, chapter 5): a main effect is the mean of the cells at a
        level less the mean of all cells; an interaction is what is left of a combination's mean beyond the lower effects.
        """
        at = dict(zip(term, levels, strict=True))
        weights = np.ones(1)
        for axis, size in enumerate(self.shape):
            own = np.full(size, 1 / size)
            if axis in at:
                own = np.eye(size)[at[axis]] - own
            weights = np.kron(weights, own)
        return self.contrast(weights)

    def effects(self) -> pd.DataFrame:
        """One row for each term and combination of its levels: the effect with its interval, p-value and whether it is clear.

        Clear is what holds at the 5 % level after Holm's correction for all the effects of the table.
        """
        import pandas as pd

        rows = []
        for term in self.terms():
            name = " × ".join(self.axes[axis][0] for axis in term)
            for levels in itertools.product(*(range(self.shape[axis]) for axis in term)):
                e = self.effect(term, levels)
                level = ", ".join(self.axes[axis][1][k] for axis, k in zip(term, levels, strict=True))
                rows.append((name, level, len(term), e.value, e.low, e.high, p_value(e)))
        table = pd.DataFrame(rows, columns=["term", "level", "order", "effect", "low", "high", "p"])
        table["p_holm"] = holm(table["p"].tolist())
        return table.assign(clear=table["p_holm"] < 1 - LEVEL)

    def shares(self) -> pd.DataFrame:
        """How much of the spread between the cells each term explains (share of the sum of squares of its effects)."""
        import pandas as pd

        squares = {}
        for term in self.terms():
            others = math.prod(size for axis, size in enumerate(self.shape) if axis not in term)
            combinations = itertools.product(*(range(self.shape[axis]) for axis in term))
            name = " × ".join(self.axes[axis][0] for axis in term)
            squares[name] = others * sum(self.effect(term, levels).value ** 2 for levels in combinations)
        total = sum(squares.values()) or 1.0
        return pd.DataFrame([(name, value / total) for name, value in squares.items()], columns=["term", "share"])

    def verdict(self) -> str:
        """The best combination, which decision matters most, and whether decisions depend on each other."""
        shares = self.shares().sort_values("share", ascending=False, kind="stable")
        mains = [name for name, _ in self.axes]
        first = next(name for name in shares["term"] if name in mains)
        axis = mains.index(first)
        effects = [self.effect((axis,), (k,)).value for k in range(self.shape[axis])]
        best, worst = int(np.argmax(effects)), int(np.argmin(effects))
        gain = self.contrast(self._level(axis, best) - self._level(axis, worst))
        share = float(shares["share"][shares["term"] == first].iloc[0])
        text = (
            f"{self._answer()} Of the factors, {first} matters most ({share:.0%} of the spread): "
            f"{self.axes[axis][1][best]} rather than {self.axes[axis][1][worst]} is worth {gain.value:+.3f} points per hand "
            f"({interval_text(gain.low, gain.high, '+.3f')})."
        )
        table = self.effects()
        joint = table[(table["order"] > 1) & table["clear"]]
        if joint.empty:
            return f"{text} No interaction is found: the factors simply add up."
        top = joint.iloc[int(joint["effect"].abs().to_numpy().argmax())]
        interval = interval_text(float(top["low"]), float(top["high"]), "+.3f")
        return f"{text} They do not simply add up: {top['term']} at {top['level']} brings {top['effect']:+.3f} ({interval}) more."

    def _level(self, axis: int, level: int) -> np.ndarray:
        """Weights of the mean of all cells at a level of a factor."""
        weights = np.zeros(self.shape)
        weights[(slice(None),) * axis + (level,)] = 1
        mean: np.ndarray = weights.ravel() / weights.sum()
        return mean


# --- what is played ----------------------------------------------------------------------------------------------------


def check_axes(name: str, axes: Any, low: int, high: int) -> Axes:
    """Axes with their values written out: ``{from, to, step}`` becomes a list.

    Raises
    ------
    InputError
        For another number of axes than ``low`` to ``high``, an axis of less than two values, a value that is there twice.
    """
    if isinstance(axes, dict) and isinstance(own := axes.get("rules"), dict):  # TOML reads rules.gin_bonus = … so
        others = {key: value for key, value in axes.items() if key != "rules"}
        axes = others | {f"rules.{key}": value for key, value in own.items()}
    if not isinstance(axes, dict) or not low <= len(axes) <= high:
        raise InputError(f"{name}: {shown(axes)} is not allowed; give {low if low == high else f'{low} to {high}'} parameters")
    found: Axes = {}
    for parameter, given in axes.items():
        where = f"{name}.{parameter}"
        values = _range_of(where, given) if isinstance(given, dict) else listed(where, given, "values")
        written = [format_value(value) for value in values]
        if len(values) < 2 or len(set(written)) < len(written):
            raise InputError(f"{name}.{parameter}: {shown(values)} is not allowed; give two or more different values")
        found[parameter] = values
    if math.prod(map(len, found.values())) > MOST_CELLS:
        raise InputError(f"{name}: {math.prod(map(len, found.values()))} combinations; at most {MOST_CELLS} are allowed")
    return found


def _range_of(name: str, given: dict[str, Any]) -> list[Value]:
    """The values from ``from`` to ``to``, both included, in steps of ``step`` (1 unless given)."""
    numbers = {"step": 1} | given
    known = {"from", "to", "step"}
    if set(numbers) != known or any(isinstance(x, bool) or not isinstance(x, int | float) for x in numbers.values()):
        raise InputError(f"{name}: {shown(given)} is not allowed; give {{from = …, to = …, step = …}} with numbers")
    start, end, step = (numbers[key] for key in ("from", "to", "step"))
    steps = (end - start) / step if step > 0 else -1.0
    count = math.floor(steps + 1e-9) + 1 if math.isfinite(start + step + steps) else 0
    if not 2 <= count <= MOST_CELLS:
        raise InputError(f"{name}: {shown(given)} has {max(count, 0)} values; give 2 to {MOST_CELLS}")
    values = [start + k * step for k in range(count)]
    return [round(value, 12) if isinstance(value, float) else value for value in values]


def cells_of(base: str, rules: RulesModel, axes: Axes) -> list[Cell]:
    """Strategy and rules of every combination of the axes' values.

    A value is that of the axis' parameter, or several at once in brackets: ``(knock=4, draw=strict)``.

    Raises
    ------
    InputError
        For a parameter or value that the strategy or the rules do not have.
    """
    cells, seen = [], dict[Any, tuple[Value, ...]]()
    for values in itertools.product(*axes.values()):
        spec = parse_spec(base)
        args, fields = dict(spec.args), dict[str, Value]()
        set_by: dict[tuple[bool, str], str] = {}
        for name, value in zip(axes, values, strict=True):
            of_rules = name.startswith("rules.")
            several = isinstance(value, str) and value.startswith("(")
            given = parse_spec(f"value{value}").args if several else {name.removeprefix("rules."): value}
            for parameter in given:
                if (other := set_by.setdefault((of_rules, parameter), name)) != name:
                    raise InputError(f"{name}: {shown(value)} sets {parameter}, and so does {other}; one of them must not")
            (fields if of_rules else args).update(given)
        player, played = Strategy.parse(format_spec(spec.name, args)), rules.varied(**fields) if fields else rules
        if (first := seen.setdefault((identity(player), played), values)) is not values:
            raise InputError(f"{', '.join(axes)}: {shown(first)} and {shown(values)} are the same player under the same rules")
        cells.append((player, played))
    return cells


def written_axes(axes: Axes) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The axes as a result keeps them."""

    def written(value: Value) -> str:
        return value[1:-1] if isinstance(value, str) and value.startswith("(") else format_value(value)

    return tuple((name, tuple(map(written, values))) for name, values in axes.items())


def symmetric(triangle: Any, n: int) -> np.ndarray:
    """The matrix of which ``triangle`` is the lower part, row by row."""
    matrix = np.zeros((n, n), np.int64)
    matrix[np.tril_indices(n)] = triangle
    return matrix + np.tril(matrix, -1).T


_RANGE = {"from": {"type": "number"}, "to": {"type": "number"}, "step": {"type": "number", "exclusiveMinimum": 0}}
_VALUES = {
    "anyOf": [
        {"type": "array", "minItems": 2, "items": {"type": ["number", "string", "boolean", "array"]}},
        {"type": "object", "properties": _RANGE, "required": ["from", "to"], "additionalProperties": False},
    ]
}
_OF_RULES = {"type": "object", "additionalProperties": _VALUES}
_AXES = {"type": "object", "properties": {"rules": _OF_RULES}, "additionalProperties": _VALUES}
AxesField = Annotated[dict[str, Any], WithJsonSchema(_AXES)]
"""Values by parameter; TOML reads ``rules.gin_bonus = …`` as a table of its own."""


class GridExperiment(JudgedExperiment):
    """What gauntlets, sweeps and factorial designs have in common: every cell against all ``opponents``."""

    games: int | None = Field(0, ge=0, le=MOST_DEALS, description="duplicate pairs of games for each cell and opponent")
    opponents: list[Player] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of the opponents, each with decks of its own"
    )

    @field_validator("opponents")
    @classmethod
    def _opponents(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("opponents", value)

    def axes(self) -> Axes:
        """What the cells differ in."""
        raise NotImplementedError

    def cells(self) -> list[Cell]:
        """Strategy and rules of each cell."""
        raise NotImplementedError

    def field(self) -> Sequence[Strategy]:
        return [*dict.fromkeys(player for player, _ in self.cells()), *self.opponents]

    def works(self) -> list[Work]:
        """Those of all cells against each opponent, on decks of its own."""
        cells = tuple(self.cells())
        player, rules = cells[0]
        return [
            GridWork((player, opponent), rules, self.seed, phase, number * count, count, str(number), cells=cells)
            for number, opponent in enumerate(self.opponents)
            for phase, count in ((HANDS, self.deals), (GAMES, self.game_pairs))
            if count
        ]

    def _result(self, kind: type[Grid], tallies: Tallies, **more: Any) -> Any:
        cells, names = self.cells(), self.game.hand_tally
        n, width, found = len(cells), len(names), {}
        products = np.zeros((len(self.opponents), n, n), np.int64)
        for j, opponent in enumerate(self.opponents):
            hands = tallies.sums[str(j), HANDS]
            by_games = tallies.sums.get((str(j), GAMES), np.zeros(n * _G, np.int64)).reshape(n, _G)
            for k, (player, own) in enumerate(cells):
                sums = as_dict(names, hands[k * width : (k + 1) * width]), as_dict(GAME_TALLY, by_games[k])
                found[k, j] = Comparison(str(player), str(opponent), str(own), self.seed, *sums)
            products[j] = symmetric(hands[n * width :], n)
        players, cell_rules = (tuple(str(cell[i]) for cell in cells) for i in (0, 1))
        of = written_axes(self.axes()), players, cell_rules, tuple(map(str, self.opponents)), str(self.rules), self.seed
        return kind(*of, self.own_deals, self.own_games, found, products, by=self.by, **more)


class GauntletExperiment(GridExperiment):
    """``challengers`` against a field of ``opponents``."""

    kind: Literal["gauntlet"] = "gauntlet"
    challengers: list[Player] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies to be judged")

    @field_validator("challengers")
    @classmethod
    def _challengers(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("challengers", value)

    def axes(self) -> Axes:
        return {"challenger": list(map(str, self.challengers))}

    def cells(self) -> list[Cell]:
        return [(player, self.rules) for player in self.challengers]

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Gauntlet, tallies, **more)


class SweepExperiment(GridExperiment):
    """``strategy`` at every value of one or two parameters of its own or of the rules."""

    kind: Literal["sweep"] = "sweep"
    strategy: Player = Field(description="spec that the parameters change")
    over: AxesField = Field(
        description="values by parameter: knock = [0, 4] or knock = {from = 0, to = 10, step = 1}; a rule is rules.gin_bonus"
    )

    @field_validator("over")
    @classmethod
    def _over(cls, value: dict[str, Any], info: Any) -> Axes:
        return _checked(check_axes("over", value, 1, 2), info)

    def axes(self) -> Axes:
        return dict(self.over)

    def cells(self) -> list[Cell]:
        return cells_of(str(self.strategy), self.rules, self.over)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Sweep, tallies, base=str(self.strategy), **more)


class FactorialExperiment(GridExperiment):
    """Every combination of the levels of the ``factors``: what each decision is worth, and what they are worth together."""

    kind: Literal["factorial"] = "factorial"
    strategy: Player = Field(description="spec that the factors change")
    factors: AxesField = Field(
        description='levels by parameter: draw = ["meld", "strict"]; several parameters at once in brackets: "(knock=4)"'
    )

    @field_validator("factors")
    @classmethod
    def _factors(cls, value: dict[str, Any], info: Any) -> Axes:
        return _checked(check_axes("factors", value, 2, 6), info)

    def axes(self) -> Axes:
        return dict(self.factors)

    def cells(self) -> list[Cell]:
        return cells_of(str(self.strategy), self.rules, self.factors)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Factorial, tallies, base=str(self.strategy), **more)


def _checked(axes: Axes, info: Any) -> Axes:
    """The axes, if the strategy and the rules have such values; every value that they do not have is told."""
    if "strategy" not in info.data or "rules" not in info.data:
        return axes  # that is told anyway
    wrong = []
    for name, values in axes.items():
        for value in values:
            try:
                cells_of(str(info.data["strategy"]), info.data["rules"], {name: [value]})
            except InputError as error:
                wrong.append(f"{info.field_name}.{name}: {error}")
    if wrong:
        raise InputError("\n".join(wrong))
    cells_of(str(info.data["strategy"]), info.data["rules"], axes)
    return axes


def gauntlet(
    challengers: Sequence[str | Strategy],
    opponents: Sequence[str | Strategy],
    rules: str | RulesModel = "classic25",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int = 0,
    progress: Progress | None = None,
    by: str | None = None,
) -> Gauntlet:
    """Play one or more challengers against a field of opponents, all on the same decks.

    Parameters
    ----------
    challengers, opponents : sequence of str or Strategy
    deals, games : int
        Duplicate pairs for each opponent.
    rules, seed, workers, progress, by
        As in `compare`.

    Examples
    --------
    >>> found = gauntlet(["simple"], ["random"], "eaai", deals=60)
    >>> found.estimate(0).low > 0
    True
    """
    given = {"challengers": challengers, "opponents": opponents}
    of = built("gauntlet", **given, rules=rules, deals=deals, seed=seed, games=games, by=by)
    result: Gauntlet = carried_out(of, workers, progress)
    return result


def sweep(
    strategy: str,
    over: dict[str, Any],
    opponents: Sequence[str | Strategy],
    rules: str | RulesModel = "classic25",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int = 0,
    progress: Progress | None = None,
    by: str | None = None,
) -> Sweep:
    """Play a strategy at every value of one or two parameters, all on the same decks.

    Parameters
    ----------
    strategy : str
        The spec that the parameters change.
    over : dict
        Values by parameter: ``{"knock": range(11)}``, ``{"rules.gin_bonus": [0, 25]}`` or ``{"from": 0, "to": 10, "step": 2}``.
    opponents, rules, deals, seed, workers, games, progress, by
        As in `gauntlet`.

    Examples
    --------
    >>> found = sweep("threshold", {"knock": [0, 10]}, ["simple"], deals=400)
    >>> found.difference(1, 0).decided
    True
    """
    given = {"strategy": strategy, "over": over, "opponents": opponents}
    of = built("sweep", **given, rules=rules, deals=deals, seed=seed, games=games, by=by)
    result: Sweep = carried_out(of, workers, progress)
    return result


def factorial(
    strategy: str,
    factors: dict[str, Any],
    opponents: Sequence[str | Strategy],
    rules: str | RulesModel = "classic25",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int = 0,
    progress: Progress | None = None,
    by: str | None = None,
) -> Factorial:
    """Play every combination of the levels of two factors or more, all on the same decks.

    Parameters
    ----------
    strategy : str
        The spec that the factors change.
    factors : dict
        Levels by parameter, several parameters at once in brackets:
        ``{"draw": ["meld", "strict"], "knock": ["(knock=4)", "(knock_by_turn=[10, 0])"]}``.
    opponents, rules, deals, seed, workers, games, progress, by
        As in `gauntlet`.
    """
    given = {"strategy": strategy, "factors": factors, "opponents": opponents}
    of = built("factorial", **given, rules=rules, deals=deals, seed=seed, games=games, by=by)
    result: Factorial = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


class _Shape(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class CellEntry(_Shape):
    """A cell in the manifest."""

    strategy: Name
    rules: Name


class AxisEntry(_Shape):
    """An axis in the manifest."""

    name: Name
    values: list[Name]


class GridManifest(JudgedManifest):
    """What a grid is rebuilt from."""

    deals: int = Field(ge=1)
    games: int = Field(ge=0)
    base: Name
    axes: list[AxisEntry]
    cells: list[CellEntry] = Field(min_length=1)
    opponents: list[Name] = Field(min_length=1)


class GridSums(_Shape):
    """The sums against one opponent: by cell, and the lower half of the matrix of products."""

    hands: dict[str, dict[str, int]]
    games: dict[str, dict[str, int]]
    products: list[list[int]]


def _text(grid: Grid) -> str:
    """The sums of a grid as the text of ``tallies.json``."""
    n = len(grid.players)
    sums = {}
    for j in range(len(grid.opponents)):
        own = [grid.cells[k, j] for k in range(n)]
        sums[str(j)] = {
            HANDS: {str(k): dict(comparison.hands_tally) for k, comparison in enumerate(own)},
            GAMES: {str(k): dict(comparison.games_tally) for k, comparison in enumerate(own)},
            "products": [grid.products[j, k, : k + 1].tolist() for k in range(n)],
        }
    return json.dumps(sums, separators=(", ", ":")).replace('"products"', '\n"products"').replace('}, "', '},\n"') + "\n"


def _builder(kind: type[Grid]) -> Any:
    """How a grid of this class is rebuilt."""

    def build(folder: Path, manifest: GridManifest, sums: dict[str, GridSums], **more: Any) -> Grid:
        path, n, game = folder / TALLIES, len(manifest.cells), game_of(manifest.played)
        same_names(path, "opponent", set(sums), {str(j) for j in range(len(manifest.opponents))})
        names = {str(k) for k in range(n)}
        cells = {}
        for j, opponent in enumerate(manifest.opponents):
            own = sums[str(j)]
            for what, found in ((HANDS, own.hands), (GAMES, own.games)):
                same_names(path, f"opponent {j}: {what}: cell", set(found), names)
            for k, cell in enumerate(manifest.cells):
                hands, games = own.hands[str(k)], own.games[str(k)]
                check_pair(path, f"opponent {j}, cell {k}", {HANDS: hands, GAMES: games}, game)
                cells[k, j] = Comparison(cell.strategy, opponent, cell.rules, manifest.seeds, hands, games)
            rows = own.products
            if [len(row) for row in rows] != list(range(1, n + 1)) or any(
                row[k] != own.hands[str(k)]["points_sq"] for k, row in enumerate(rows)
            ):
                raise InputError(f"results: {path}: opponent {j}: products do not match the sums of squares")
        triangles = [[x for row in sums[str(j)].products for x in row] for j in range(len(manifest.opponents))]
        products = np.array([symmetric(triangle, n) for triangle in triangles])
        axes = tuple((axis.name, tuple(axis.values)) for axis in manifest.axes)
        if math.prod(len(values) for _, values in axes) != n:
            values = " x ".join(str(len(values)) for _, values in axes)
            raise InputError(f"cells: {n} are impossible with {values} values of the axes")
        players, own_rules = tuple(c.strategy for c in manifest.cells), tuple(c.rules for c in manifest.cells)
        opponents = tuple(manifest.opponents)
        return kind(
            axes, players, own_rules, opponents, str(manifest.played), manifest.seeds, manifest.deals, manifest.games,
            cells, products,
            base=manifest.base, by=manifest.by, **more,
        )  # fmt: skip

    return build


def _facts(g: Grid) -> dict[str, Any]:
    return {
        "base": g.base,
        "axes": [{"name": name, "values": list(values)} for name, values in g.axes],
        "cells": [{"strategy": player, "rules": rules} for player, rules in zip(g.players, g.cell_rules, strict=True)],
        "opponents": list(g.opponents),
    } | told_by(g)


for _name, _experiment, _grid in (
    ("gauntlet", GauntletExperiment, Gauntlet), ("sweep", SweepExperiment, Sweep), ("factorial", FactorialExperiment, Factorial),
):  # fmt: skip
    register(
        _name, experiment=_experiment, result=_grid, text=_text, manifest=GridManifest, sums=dict[str, GridSums],
        build=_builder(_grid), facts=_facts, version=3, bring=with_later_sums,
    )  # fmt: skip
