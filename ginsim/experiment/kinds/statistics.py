"""Statistics of hands as an experiment file, and their sums on disk."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ginsim.errors import InputError
from ginsim.experiment.base import MOST_LISTED, Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name, check_pair, same_names
from ginsim.games.gin.count import GAME_TALLY
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turncount import sums_of
from ginsim.games.strategy import Strategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.study.compare import Comparison
from ginsim.study.effect import check_variants
from ginsim.study.grid import check_named
from ginsim.study.statistics import _SIZES, TABLES, Statistics, _statistics_of, _works, split_tables

__all__ = ["STATISTICS", "StatisticsExperiment"]


class StatisticsExperiment(Experiment):
    """What the hands of ``strategies`` are like, under ``rules`` and ``variants``."""

    kind: Literal["statistics"] = "statistics"
    games: Literal[0] = Field(0, description="none: statistics are of hands")
    strategies: list[StrategySpec] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies")
    opponent: StrategySpec | None = Field(None, description="whom all of them play; otherwise each plays itself")
    variants: list[str] = Field([], max_length=MOST_LISTED, description="more rules, or changes of rules such as (knock_limit=5)")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_named("strategies", value)]

    @field_validator("variants")
    @classmethod
    def _variants(cls, value: list[str], info: Any) -> list[str]:
        if value and "rules" in info.data:
            check_variants(Rules.parse(info.data["rules"]), value)
        return value

    def _every_rules(self) -> list[Rules]:
        base = Rules.parse(self.rules)
        return [base, *(check_variants(base, self.variants) if self.variants else [])]

    def _opponent(self) -> Strategy | None:
        return None if self.opponent is None else Strategy.parse(self.opponent)

    def field(self) -> Sequence[Strategy]:
        opponent = self._opponent()
        return [*map(Strategy.parse, self.strategies), *([opponent] if opponent else [])]

    def works(self) -> list[Work]:
        cells = list(itertools.product(map(Strategy.parse, self.strategies), self._every_rules()))
        return _works(cells, self._opponent(), self.deals, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Statistics:
        players = [Strategy.parse(text) for text in self.strategies]
        return _statistics_of(tallies, players, self._every_rules(), self._opponent(), self.own_deals, self.seed, **more)


class StatisticsManifest(Manifest):
    """What statistics are rebuilt from."""

    deals: int = Field(ge=1)
    every_rules: list[Name] = Field(min_length=1)
    opponent: Name


class StatisticsSums(BaseModel):
    """The sums of a cell."""

    model_config = ConfigDict(strict=True, extra="forbid")

    hands: dict[str, int]
    tables: dict[str, list[int]]


def statistics_text(found: Statistics) -> str:
    """The sums of statistics as the text of ``tallies.json``, a line for each table."""
    cells = {
        str(k): {"hands": dict(hands.hands_tally), "tables": {name: table.ravel().tolist() for name, table in tables.items()}}
        for k, (hands, tables) in enumerate(zip(found.hands, found.tables, strict=True))
    }
    return json.dumps(cells).replace('], "', '],\n"').replace('}, "', '},\n"') + "\n"


def build_statistics(
    folder: Path, manifest: StatisticsManifest, rules: Rules, sums: dict[str, StatisticsSums], **more: Any
) -> Statistics:
    """The statistics that were saved."""
    path = folder / TALLIES
    cells = list(itertools.product(manifest.strategies, manifest.every_rules))
    same_names(path, "cell", set(sums), {str(k) for k in range(len(cells))})
    hands, tables = [], []
    for k, (player, own) in enumerate(cells):
        cell, none = sums[str(k)], dict.fromkeys(GAME_TALLY, 0)
        check_pair(path, f"cell {k}", {HANDS: cell.hands, "games": none})
        same_names(path, f"cell {k}: table", set(cell.tables), set(TABLES))
        for name, size in _SIZES.items():
            table = cell.tables[name]
            if len(table) != size:
                raise InputError(f"results: {path}: cell {k}: the table of {name} has {len(table)} numbers, not {size}")
        split = split_tables([x for name in TABLES for x in cell.tables[name]])
        _check_tables(f"{path}: cell {k}", split, cell.hands)
        hands.append(Comparison(player, manifest.opponent or player, own, manifest.seeds, cell.hands, none))
        tables.append(split)
    return Statistics(
        tuple(manifest.strategies), tuple(manifest.every_rules), manifest.opponent, manifest.seeds, manifest.deals, tuple(hands),
        tuple(tables), **more,
    )  # fmt: skip


def _check_tables(where: str, tables: dict[str, np.ndarray], hands: dict[str, int]) -> None:
    """The tables must be possible together, and with the sums of the hands."""
    by_turn, knocked = tables["by_turn"], tables["if_knocked"]
    counted = [*(table for name, table in tables.items() if name != "if_knocked"), knocked[..., :6], knocked[..., 9:]]
    if min(int(table.min()) for table in counted) < 0:  # the points of knocks are the only sums that may be
        raise InputError(f"results: {where}: a count below 0 is impossible")
    made = int(sums_of(knocked, "if_knocked", "made")["x"].sum())
    told = {
        "turns": (int(tables["turns"].sum()), 2 * hands["pairs"]),
        "points": (int(tables["points"].sum()), 2 * hands["pairs"]),
        "held": (int(tables["held"].sum()), int(by_turn[:, 1].sum())),
        "if_knocked": (int(knocked[..., 1].sum()), int(sums_of(by_turn, "by_turn", "able")["x"].sum())),
        "by_near": (int(tables["by_near"][:, 1].sum()), int(tables["by_rank"][:, 1].sum())),
        "made": (made, hands["knocks_0"]),
    }
    for name, (found, known) in told.items():
        if found != known:
            raise InputError(f"results: {where}: the table of {name} does not add up to {known}")


STATISTICS = Kind(
    StatisticsExperiment, Statistics, statistics_text, StatisticsManifest, dict[str, StatisticsSums], build_statistics
)
