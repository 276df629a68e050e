"""Studies of the table game as experiment files, and their sums on disk.

A file says ``kind = "compare"`` (or tournament, effect) as for gin: ``rules = "house"`` makes it a study of the table game.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, Field, field_validator

from ginsim.errors import InputError, one_line
from ginsim.experiment.base import MOST_LISTED, Experiment
from ginsim.experiment.kind import Kind
from ginsim.experiment.kinds.compare import comparison_text
from ginsim.experiment.kinds.effect import EffectManifest
from ginsim.experiment.kinds.tournament import tournament_text
from ginsim.experiment.saved import TALLIES, Manifest, Sums, check_sums_of, same_names
from ginsim.games.table import records as H
from ginsim.games.table.count import EFFECT_TALLY, GAME_TALLY, MEASURES, TABLE_TALLY
from ginsim.games.table.rules import TableRules
from ginsim.games.table.spec import TableStrategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work
from ginsim.study.tablestudy import (
    TableComparison,
    TableEffect,
    TableTournament,
    check_players,
    check_variants,
    effect_works,
    table_comparison,
    table_effect,
    table_tournament,
    table_works,
)
from ginsim.study.tournament import pairing_key

__all__ = [
    "TABLE_COMPARE", "TABLE_EFFECT", "TABLE_TOURNAMENT", "TableCompareExperiment", "TableEffectExperiment", "TableExperiment",
    "TableTournamentExperiment",
]  # fmt: skip

TableSpec = Annotated[str, AfterValidator(lambda text: one_line(str(TableStrategy.parse(text))))]
TableEffectSums = dict[str, dict[str, dict[str, int]]]
"""Number of the strategy -> rules -> name of the sum -> sum."""


class TableExperiment(Experiment):
    """What studies of the table game have in common."""

    rules: Annotated[str, AfterValidator(lambda text: str(TableRules.parse(text)))] = Field("house", description="rules spec")

    @property
    def played(self) -> TableRules:
        """The rules."""
        return TableRules.parse(self.rules)


class TableCompareExperiment(TableExperiment):
    """``a`` against ``b`` at one table, seated alternately."""

    kind: Literal["table_compare"] = "table_compare"
    a: TableSpec = Field(description="spec of the first strategy")
    b: TableSpec = Field(description="spec of the second strategy")

    def field(self) -> Sequence[Any]:
        return [TableStrategy.parse(self.a), TableStrategy.parse(self.b)]

    def works(self) -> list[Work]:
        return table_works(self.field(), self.played, self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        a, b = self.field()
        return table_comparison(tallies, a, b, self.played, self.seed, **more)


class TableTournamentExperiment(TableExperiment):
    """A round robin of ``strategies``, two at a table."""

    kind: Literal["table_tournament"] = "table_tournament"
    strategies: list[TableSpec] = Field(min_length=2, max_length=MOST_LISTED, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_players(value, 2)]

    def field(self) -> Sequence[Any]:
        return [TableStrategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        return table_works(self.field(), self.played, self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return table_tournament(tallies, self.field(), self.played, self.seed, **more)


class TableEffectExperiment(TableExperiment):
    """What each of ``variants`` changes against ``rules``, each of ``strategies`` playing all seats."""

    kind: Literal["table_effect"] = "table_effect"
    games: int | None = Field(0, ge=0, le=0, description="none: the hands are measured")
    variants: list[str] = Field(
        min_length=1, max_length=MOST_LISTED, description="rules, or changes of the base such as (players=2)"
    )
    strategies: list[TableSpec] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies that play")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_players(value, 1)]

    @field_validator("variants")
    @classmethod
    def _variants(cls, value: list[str], info: Any) -> list[str]:
        if "rules" in info.data:  # or the base is wrong, which is told anyway
            check_variants(TableRules.parse(info.data["rules"]), value)
        return value

    def field(self) -> Sequence[Any]:
        return [TableStrategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        return effect_works(self.played, check_variants(self.played, self.variants), self.field(), self.deals, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        variants = check_variants(self.played, self.variants)
        return table_effect(tallies, self.played, variants, self.field(), self.own_deals, self.seed, **more)


# --- on disk -----------------------------------------------------------------------------------------------------------


def table_effect_text(effect: TableEffect) -> str:
    """The sums of an effect as the text of ``tallies.json``."""
    rules = (effect.base, *effect.variants)
    sums = {
        key: {rule: dict(zip(EFFECT_TALLY, row.tolist(), strict=True)) for rule, row in zip(rules, tally, strict=True)}
        for key, tally in effect.tallies.items()
    }
    return json.dumps(sums, indent=1) + "\n"


def _pairing(path: Path, manifest: Manifest, rules: TableRules, sums: Sums, i: int, j: int, **more: Any) -> TableComparison:
    key = pairing_key(i, j)
    same_names(path, f"{key}: phase", set(sums[key]), {HANDS, GAMES})
    hands, games = sums[key][HANDS], sums[key][GAMES]
    squares = {name: f"{name}_sq" for name in TABLE_TALLY if f"{name}_sq" in TABLE_TALLY}
    check_sums_of(path, f"{key}: {HANDS}", hands, TABLE_TALLY, squares, hands.get("pairs", 0), signed=("points",))
    squares = {name: f"{name}_sq" for name in ("won", "decided", "margin")}
    check_sums_of(path, f"{key}: {GAMES}", games, GAME_TALLY, squares, games.get("pairs", 0), signed=("margin",))
    if sum(hands[f"{ending}_{side}"] for ending in H.ENDINGS for side in (0, 1)) != 2 * hands["pairs"]:
        raise InputError(f"results: {path}: {key}: the endings do not add up to two for each of the {hands['pairs']} pairs")
    return TableComparison(manifest.strategies[i], manifest.strategies[j], str(rules), manifest.seeds, hands, games, **more)


def rebuilt_table_comparison(folder: Path, manifest: Manifest, rules: TableRules, sums: Sums, **more: Any) -> TableComparison:
    """The comparison that was saved."""
    same_names(folder / TALLIES, "pairing", set(sums), {pairing_key(0, 1)})
    return _pairing(folder / TALLIES, manifest, rules, sums, 0, 1, **more)


def rebuilt_table_tournament(folder: Path, manifest: Manifest, rules: TableRules, sums: Sums, **more: Any) -> TableTournament:
    """The tournament that was saved."""
    pairs = list(itertools.combinations(range(len(manifest.strategies)), 2))
    same_names(folder / TALLIES, "pairing", set(sums), {pairing_key(i, j) for i, j in pairs})
    pairings: Any = {(i, j): _pairing(folder / TALLIES, manifest, rules, sums, i, j) for i, j in pairs}
    return TableTournament(tuple(manifest.strategies), str(rules), manifest.seeds, pairings, **more)


def rebuilt_table_effect(
    folder: Path, manifest: EffectManifest, rules: TableRules, sums: TableEffectSums, **more: Any
) -> TableEffect:
    """The effect that was saved."""
    path, base = folder / TALLIES, str(rules)
    variants = tuple(str(rules.of_fields(rules.model_dump() | variant.changes)) for variant in manifest.variants)
    same_names(path, "strategy", set(sums), {str(number) for number in range(len(manifest.strategies))})
    tallies = {}
    for key, of in sums.items():
        same_names(path, f"{key}: rules", set(of), {base, *variants})
        for rule, named in of.items():
            squares = {name: f"{name}_sq" for name in MEASURES}
            check_sums_of(path, f"{key}: {rule}", named, EFFECT_TALLY, squares, manifest.deals)
        tallies[key] = np.array([[of[rule][name] for name in EFFECT_TALLY] for rule in (base, *variants)], np.int64)
    strategies = tuple(manifest.strategies)
    return TableEffect(base, variants, strategies, manifest.seeds, manifest.deals, tallies, **more)


TABLE_COMPARE = Kind(
    TableCompareExperiment, TableComparison, comparison_text, Manifest, Sums, rebuilt_table_comparison, TableRules
)
TABLE_TOURNAMENT = Kind(
    TableTournamentExperiment, TableTournament, tournament_text, Manifest, Sums, rebuilt_table_tournament, TableRules
)
TABLE_EFFECT = Kind(
    TableEffectExperiment, TableEffect, table_effect_text, EffectManifest, TableEffectSums, rebuilt_table_effect, TableRules
)
