"""A plane of two rule fields as an experiment file, and its sums on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ginsim.errors import InputError
from ginsim.experiment.base import MOST_LISTED, FieldExperiment
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name, check_squares, pairing_keys, same_names
from ginsim.games.gin.rules import Rules
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.compare import MOST_DEALS
from ginsim.study.rulemap import RuleMap, cell_key, check_axis, map_of, map_works

__all__ = ["MAP", "MapExperiment"]


class Axis(BaseModel):
    """A rule field and the values it takes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    field: str = Field(description="a field of the rules that is a number")
    values: list[int] = Field(max_length=MOST_LISTED, description="two or more values in rising order")


class MapExperiment(FieldExperiment):
    """The best of ``strategies`` over a plane of two rule fields."""

    kind: Literal["map"] = "map"
    x: Axis = Field(description="the field across: {field = ..., values = [...]}")
    y: Axis = Field(description="the field down: {field = ..., values = [...]}")

    @field_validator("x", "y")
    @classmethod
    def _axis(cls, value: Axis, info: Any) -> Axis:
        if "rules" in info.data:
            check_axis(Rules.parse(info.data["rules"]), info.field_name, value.field, value.values)
        if info.field_name == "y" and "x" in info.data and info.data["x"].field == value.field:
            raise InputError(f"y: {value.field!r} is already on the other axis")
        return value

    def _axes(self) -> tuple[Any, Any]:
        base = Rules.parse(self.rules)
        x, y = (check_axis(base, name, axis.field, axis.values) for name, axis in (("x", self.x), ("y", self.y)))
        return x, y

    def works(self) -> list[Work]:
        return map_works(Rules.parse(self.rules), *self._axes(), self.field(), self.deals, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return map_of(tallies, Rules.parse(self.rules), *self._axes(), self.field(), self.own_deals, self.seed, **more)


MapSums = dict[str, dict[str, list[int]]]
"""Key of the cell (row, column) -> pairing key -> sum and sum of squares of a pair's points."""


class _Axis(BaseModel):
    field: Name
    values: list[int] = Field(min_length=1)


class MapManifest(Manifest):
    """What a map is rebuilt from."""

    strategies: list[Name] = Field(min_length=2)
    x: _Axis
    y: _Axis
    deals: int = Field(ge=1, le=MOST_DEALS)


def map_text(rule_map: RuleMap) -> str:
    """The sums of a map as the text of ``tallies.json``, a line for each cell."""
    pairs = pairing_keys(len(rule_map.strategies))
    cells = [
        f" {json.dumps(cell_key(r, c))}: {json.dumps(dict(zip(pairs, rule_map.points[r, c].tolist(), strict=True)))}"
        for r, c in np.ndindex(rule_map.points.shape[:2])
    ]
    return "{\n" + ",\n".join(cells) + "\n}\n"


def rebuilt_map(folder: Path, manifest: MapManifest, rules: Rules, sums: MapSums, **more: Any) -> RuleMap:
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
    return RuleMap(str(rules), x, y, tuple(manifest.strategies), manifest.seeds, manifest.deals, points, **more)


MAP = Kind(MapExperiment, RuleMap, map_text, MapManifest, MapSums, rebuilt_map)
