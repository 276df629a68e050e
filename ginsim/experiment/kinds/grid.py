"""Gauntlets, sweeps and factorial designs as experiment files, and their sums on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator

from ginsim.errors import InputError
from ginsim.experiment.base import MOST_LISTED, Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name, check_pair, same_names
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work
from ginsim.study.compare import MOST_DEALS, Comparison
from ginsim.study.grid import (
    Axes,
    Cell,
    Factorial,
    Gauntlet,
    Grid,
    Sweep,
    cells_of,
    check_axes,
    check_named,
    grid_of,
    grid_works,
    symmetric,
)  # fmt: skip

__all__ = ["FACTORIAL", "GAUNTLET", "SWEEP", "FactorialExperiment", "GauntletExperiment", "GridExperiment", "SweepExperiment"]

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


class GridExperiment(Experiment):
    """What gauntlets, sweeps and factorial designs have in common: every cell against all ``opponents``."""

    games: int | None = Field(0, ge=0, le=MOST_DEALS, description="duplicate pairs of games for each cell and opponent")
    opponents: list[StrategySpec] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of the opponents, each with decks of its own"
    )

    @field_validator("opponents")
    @classmethod
    def _opponents(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_named("opponents", value)]

    def axes(self) -> Axes:
        """What the cells differ in."""
        raise NotImplementedError

    def cells(self) -> list[Cell]:
        """Strategy and rules of each cell."""
        raise NotImplementedError

    def field(self) -> Sequence[Strategy]:
        return [*dict.fromkeys(player for player, _ in self.cells()), *map(Strategy.parse, self.opponents)]

    def works(self) -> list[Work]:
        opponents = [Strategy.parse(text) for text in self.opponents]
        return grid_works(self.cells(), opponents, self.deals, self.game_pairs, self.seed)

    def _result(self, kind: type[Grid], tallies: Tallies, **more: Any) -> Any:
        opponents, rules = [Strategy.parse(text) for text in self.opponents], Rules.parse(self.rules)
        return grid_of(
            kind, tallies, self.cells(), self.axes(), opponents, rules, self.own_deals, self.own_games, self.seed, **more
        )


class GauntletExperiment(GridExperiment):
    """``challengers`` against a field of ``opponents``."""

    kind: Literal["gauntlet"] = "gauntlet"
    challengers: list[StrategySpec] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of the strategies that are judged"
    )

    @field_validator("challengers")
    @classmethod
    def _challengers(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_named("challengers", value)]

    def axes(self) -> Axes:
        return {"challenger": list(self.challengers)}

    def cells(self) -> list[Cell]:
        rules = Rules.parse(self.rules)
        return [(Strategy.parse(text), rules) for text in self.challengers]

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Gauntlet, tallies, **more)


class SweepExperiment(GridExperiment):
    """``strategy`` at every value of one or two parameters of its own or of the rules."""

    kind: Literal["sweep"] = "sweep"
    strategy: StrategySpec = Field(description="spec that the parameters change")
    over: AxesField = Field(
        description="values by parameter: knock = [0, 4] or knock = {from = 0, to = 10, step = 1}; a rule is rules.gin_bonus"
    )

    @field_validator("over")
    @classmethod
    def _over(cls, value: dict[str, Any], info: Any) -> Axes:
        return _checked(check_axes("over", value, 1, 2), info)

    def axes(self) -> Axes:
        return self.over

    def cells(self) -> list[Cell]:
        return cells_of(self.strategy, Rules.parse(self.rules), self.over)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Sweep, tallies, base=self.strategy, **more)


class FactorialExperiment(GridExperiment):
    """Every combination of the levels of the ``factors``: what each decision is worth, and what they are worth together."""

    kind: Literal["factorial"] = "factorial"
    strategy: StrategySpec = Field(description="spec that the factors change")
    factors: AxesField = Field(
        description='levels by parameter: draw = ["meld", "strict"]; several parameters at once in brackets: "(knock=4)"'
    )

    @field_validator("factors")
    @classmethod
    def _factors(cls, value: dict[str, Any], info: Any) -> Axes:
        return _checked(check_axes("factors", value, 2, 6), info)

    def axes(self) -> Axes:
        return self.factors

    def cells(self) -> list[Cell]:
        return cells_of(self.strategy, Rules.parse(self.rules), self.factors)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return self._result(Factorial, tallies, base=self.strategy, **more)


def _checked(axes: Axes, info: Any) -> Axes:
    """The axes, if the strategy and the rules have such values; every value that they do not have is told."""
    if "strategy" not in info.data or "rules" not in info.data:
        return axes  # that is told anyway
    wrong = []
    for name, values in axes.items():
        for value in values:
            try:
                cells_of(info.data["strategy"], Rules.parse(info.data["rules"]), {name: [value]})
            except InputError as error:
                wrong.append(f"{info.field_name}.{name}: {error}")
    if wrong:
        raise InputError("\n".join(wrong))
    cells_of(info.data["strategy"], Rules.parse(info.data["rules"]), axes)
    return axes


# --- on disk -----------------------------------------------------------------------------------------------------------


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


class GridManifest(Manifest):
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


def grid_text(grid: Grid) -> str:
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


def build_grid(kind: type[Grid]) -> Any:
    """How a grid of this class is rebuilt."""

    def build(folder: Path, manifest: GridManifest, rules: Rules, sums: dict[str, GridSums], **more: Any) -> Grid:
        path, n = folder / TALLIES, len(manifest.cells)
        same_names(path, "opponent", set(sums), {str(j) for j in range(len(manifest.opponents))})
        names = {str(k) for k in range(n)}
        cells = {}
        for j, opponent in enumerate(manifest.opponents):
            own = sums[str(j)]
            for what, found in ((HANDS, own.hands), (GAMES, own.games)):
                same_names(path, f"opponent {j}: {what}: cell", set(found), names)
            for k, cell in enumerate(manifest.cells):
                hands, games = own.hands[str(k)], own.games[str(k)]
                check_pair(path, f"opponent {j}, cell {k}", {HANDS: hands, GAMES: games})
                cells[k, j] = Comparison(cell.strategy, opponent, cell.rules, manifest.seeds, hands, games)
            rows = own.products
            if [len(row) for row in rows] != list(range(1, n + 1)) or any(
                row[k] != own.hands[str(k)]["points_sq"] for k, row in enumerate(rows)
            ):
                raise InputError(f"results: {path}: opponent {j}: products do not match the sums of squares")
        triangles = [[x for row in sums[str(j)].products for x in row] for j in range(len(manifest.opponents))]
        products = np.array([symmetric(triangle, n) for triangle in triangles])
        axes = tuple((axis.name, tuple(axis.values)) for axis in manifest.axes)
        players, own_rules = tuple(c.strategy for c in manifest.cells), tuple(c.rules for c in manifest.cells)
        opponents = tuple(manifest.opponents)
        return kind(
            axes, players, own_rules, opponents, str(rules), manifest.seeds, manifest.deals, manifest.games, cells, products,
            base=manifest.base, **more,
        )  # fmt: skip

    return build


GAUNTLET = Kind(GauntletExperiment, Gauntlet, grid_text, GridManifest, dict[str, GridSums], build_grid(Gauntlet))
SWEEP = Kind(SweepExperiment, Sweep, grid_text, GridManifest, dict[str, GridSums], build_grid(Sweep))
FACTORIAL = Kind(FactorialExperiment, Factorial, grid_text, GridManifest, dict[str, GridSums], build_grid(Factorial))
