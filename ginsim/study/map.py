"""Which strategy is best over a plane of two rule fields, such as gin bonus × undercut bonus."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, shown, suggest
from ginsim.games.base import HANDS
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate, mean_of_estimates, mean_of_pairs
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.base import MOST_LISTED, FieldExperiment, Player, Result, carried_out, register
from ginsim.study.compare import works_of
from ginsim.study.effect import ADAPT, ADAPTS
from ginsim.study.kept import TALLIES, Manifest, Name, check_squares, pairing_key, pairing_keys, same_names
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MapExperiment", "RuleMap", "rule_map"]


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
                e = mean_of_pairs(total, squares, self.deals, game_of(self.base).seats(rules_of(self.base)))
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
        (best, most), *others = counts.items()
        shares = "".join(f", {name} in {n}" for name, n in others)
        unclear = int((~table["clear"]).sum())
        where = f"in {unclear}" if unclear else "in none"
        return (
            f"{best} is the best strategy in {most} of {len(table)} combinations of {self.x[0]} and {self.y[0]} under "
            f"{self.base}{shares}. The 95 % intervals of the best two overlap {where} of them."
        )


def check_axis(base: RulesModel, axis: str, name: Any, values: Any) -> tuple[str, tuple[int, ...]]:
    """A rule field and at least two of its values, in rising order."""
    numbers = [key for key, info in type(base).model_fields.items() if info.annotation in (int, int | None)]
    if not isinstance(name, str) or name not in numbers:
        raise InputError(f"{axis}: {shown(name)} is not a rule field with numbers; {suggest(name, numbers)}")
    found = values
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


def cell_key(row: int, column: int) -> str:
    """Key of a cell's works, before the pairing."""
    return f"{row},{column}"


class Axis(BaseModel):
    """A rule field and the values it takes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    field: str = Field(description="a field of the rules that is a number")
    values: list[int] = Field(max_length=MOST_LISTED, description="two or more values in rising order")


def rules_of_cells(base: Any, x: Any, y: Any) -> list[Any]:
    """The rules of the cells of a plane, row by row; ``x`` and ``y`` have a field and its values."""
    return [base.varied(**{x.field: across, y.field: down}) for down in y.values for across in x.values]


class MapExperiment(FieldExperiment):
    """The best of ``strategies`` over a plane of two rule fields."""

    BECOMES = ADAPTS

    kind: Literal["map"] = "map"
    strategies: list[Player] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the field")
    adapt: Literal["knock"] | None = ADAPT
    deals: int = Field(2_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands for each pairing in each cell")
    x: Axis = Field(description="the field across: {field = ..., values = [...]}")
    y: Axis = Field(description="the field down: {field = ..., values = [...]}")

    @field_validator("strategies")
    @classmethod
    def _several(cls, value: list[Strategy]) -> list[Strategy]:
        if len(value) < 2:
            raise InputError("needs at least 2; 1 given")
        return value

    @field_validator("x", "y")
    @classmethod
    def _axis(cls, value: Axis, info: Any) -> Axis:
        if "rules" in info.data:
            check_axis(info.data["rules"], info.field_name, value.field, value.values)
        if info.field_name == "y" and "x" in info.data and info.data["x"].field == value.field:
            raise InputError(f"y: {value.field!r} is already on the other axis")
        return value

    def _pairings(self) -> list[tuple[int, int]]:
        return list(itertools.combinations(range(len(self.strategies)), 2))

    def works(self) -> list[Work]:
        """Those of every cell; a pairing has the same deals in all cells."""
        works: list[Work] = []
        places = itertools.product(range(len(self.y.values)), range(len(self.x.values)))
        for (r, c), rules in zip(places, rules_of_cells(self.rules, self.x, self.y), strict=True):
            for number, (i, j) in enumerate(self._pairings()):
                key = f"{cell_key(r, c)}:{pairing_key(i, j)}"
                works += works_of(self.strategies[i], self.strategies[j], rules, self.deals, 0, self.seed, key, number)
        return works

    def result(self, tallies: Tallies, **more: Any) -> RuleMap:
        pairs, at = self._pairings(), self.game.hand_tally.index("points")
        points = np.zeros((len(self.y.values), len(self.x.values), len(pairs), 2), np.int64)
        for r, c, number in np.ndindex(points.shape[:3]):
            tally = tallies.sums[f"{cell_key(r, c)}:{pairing_key(*pairs[number])}", HANDS]
            points[r, c, number] = tally[at : at + 2]
        x, y = ((axis.field, tuple(axis.values)) for axis in (self.x, self.y))
        return RuleMap(str(self.rules), x, y, tuple(map(str, self.strategies)), self.seed, self.own_deals, points, **more)


def rule_map(
    x: tuple[str, Sequence[int]],
    y: tuple[str, Sequence[int]],
    strategies: str | Strategy | Sequence[str | Strategy],
    rules: str | RulesModel = "classic25",
    deals: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
    adapt: str | None = None,
) -> RuleMap | Any:
    """Play a round robin in every cell of a plane of two rule fields.

    Parameters
    ----------
    x, y : (field, values)
        ``("gin_bonus", [0, 10, 20, 30])``.
    deals : int
        Duplicate pairs for each pairing in each cell (2,000); all cells share the decks, so that neighbours differ by the rule
        alone.
    strategies, rules, seed, workers, progress
        As in `tournament`.
    adapt : 'knock', optional
        Solve the knock of each strategy (one is enough) in each cell instead: the result is an `Adaptation`, as in `effect`.
    """
    axes = {}
    for name, given in (("x", x), ("y", y)):
        if not isinstance(given, list | tuple) or len(given) != 2:  # type: ignore[redundant-expr]
            raise InputError(f"{name}: {shown(given)} is not allowed; give a rule field and its values: ('gin_bonus', [0, 25])")
        axes[name] = {"field": given[0], "values": given[1]}
    of = built("map", strategies=strategies, rules=rules, deals=deals, seed=seed, adapt=adapt, **axes)
    result: RuleMap | Any = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


MapSums = dict[str, dict[str, list[int]]]
"""Key of the cell (row, column) -> pairing key -> sum and sum of squares of a pair's points."""


class _KeptAxis(BaseModel):
    field: Name
    values: list[int] = Field(min_length=1)


class MapManifest(Manifest):
    """What a map is rebuilt from."""

    strategies: list[Name] = Field(min_length=2)
    x: _KeptAxis
    y: _KeptAxis
    deals: int = Field(ge=1, le=MOST_DEALS)


def _text(rule_map: RuleMap) -> str:
    """The sums of a map as the text of ``tallies.json``, a line for each cell."""
    pairs = pairing_keys(len(rule_map.strategies))
    cells = [
        f" {json.dumps(cell_key(r, c))}: {json.dumps(dict(zip(pairs, rule_map.points[r, c].tolist(), strict=True)))}"
        for r, c in np.ndindex(rule_map.points.shape[:2])
    ]
    return "{\n" + ",\n".join(cells) + "\n}\n"


def _rebuilt(folder: Path, manifest: MapManifest, sums: MapSums, **more: Any) -> RuleMap:
    """The map that was saved."""
    x, y = ((axis.field, tuple(axis.values)) for axis in (manifest.x, manifest.y))
    path, pairs = folder / TALLIES, pairing_keys(len(manifest.strategies))
    cells = list(np.ndindex(len(y[1]), len(x[1])))
    same_names(path, "cell", set(sums), {cell_key(r, c) for r, c in cells})
    points = np.zeros((len(y[1]), len(x[1]), len(pairs), 2), np.int64)
    for r, c in cells:
        cell = sums[cell_key(r, c)]
        same_names(path, f"cell {cell_key(r, c)}: pairing", set(cell), set(pairs))
        if any(len(cell[pair]) != 2 for pair in pairs):
            raise InputError(f"results: {path}: cell {cell_key(r, c)}: a pairing has 2 sums")
        for pair in pairs:
            total, squares = cell[pair]
            check_squares(f"{path}: cell {cell_key(r, c)}: {pair}", "points", total, squares, manifest.deals)
        points[r, c] = [cell[pair] for pair in pairs]
    return RuleMap(str(manifest.played), x, y, tuple(manifest.strategies), manifest.seeds, manifest.deals, points, **more)


def _facts(m: RuleMap) -> dict[str, Any]:
    return {axis: {"field": name, "values": list(values)} for axis, (name, values) in (("x", m.x), ("y", m.y))}


register(
    "map", experiment=MapExperiment, result=RuleMap, text=_text, manifest=MapManifest, sums=MapSums, build=_rebuilt, facts=_facts,
)  # fmt: skip
