"""Changes of rules as an experiment file, and the sums of their effects on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, Field, field_validator

from ginsim.errors import InputError
from ginsim.experiment.base import MOST_LISTED, Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, check_at_most, check_counts_of, check_squares, pairing_keys, same_names
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.effecttally import TALLY
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work
from ginsim.study.compare import MOST_DEALS
from ginsim.study.effect import GAME_SUMS, Effect, check_players, check_variants, effect_of, effect_works

__all__ = ["EFFECT", "EffectExperiment"]


class EffectExperiment(Experiment):
    """What each of ``variants`` changes against ``rules``; a variant may be written ``(field=value)``."""

    kind: Literal["effect"] = "effect"
    variants: list[str] = Field(
        min_length=1, max_length=MOST_LISTED, description="rules, or changes of the base such as (knock_limit=5)"
    )
    strategies: list[StrategySpec] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies that play")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_players(value)]

    @field_validator("variants")
    @classmethod
    def _variants(cls, value: list[str], info: Any) -> list[str]:
        if "rules" in info.data:  # or the base is wrong, which is told anyway
            base, wrong = Rules.parse(info.data["rules"]), []
            for variant in value:
                try:
                    check_variants(base, [variant])
                except InputError as error:
                    wrong.append(str(error))
            if wrong:
                raise InputError("\n".join(wrong))
            check_variants(base, value)
        return value

    def _rules_of_variants(self) -> list[Rules]:
        return check_variants(Rules.parse(self.rules), self.variants)

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_works(base, variants, self.field(), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_of(tallies, base, variants, self.field(), self.own_deals, self.own_games, self.seed, **more)


EffectSums = dict[str, dict[str, dict[str, dict[str, int]]]]
"""Pairing key -> phase -> rules -> name of the sum -> sum."""


class _Variant(BaseModel):
    changes: dict[str, Any]


class EffectManifest(Manifest):
    """What an effect is rebuilt from."""

    variants: list[_Variant] = Field(min_length=1)
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=0, le=MOST_DEALS)


def effect_text(effect: Effect) -> str:
    """The sums of an effect as the text of ``tallies.json``."""
    rules = (effect.base, *effect.variants)

    def named(tally: np.ndarray, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
        return {rule: dict(zip(names, row.tolist(), strict=True)) for rule, row in zip(rules, tally, strict=True)}

    sums = {
        key: {HANDS: named(tally, TALLY), GAMES: named(effect.game_tallies[key], GAME_SUMS) if effect.games else {}}
        for key, tally in effect.tallies.items()
    }
    return json.dumps(sums, indent=1) + "\n"


def rebuilt_effect(folder: Path, manifest: EffectManifest, rules: Rules, sums: EffectSums, **more: Any) -> Effect:
    """The effect that was saved."""
    path, base = folder / TALLIES, str(rules)
    deals = {HANDS: manifest.deals, GAMES: manifest.games}
    variants = tuple(str(rules.of_fields(rules.model_dump() | variant.changes)) for variant in manifest.variants)
    keys = pairing_keys(len(manifest.strategies), mirrors=True)
    same_names(path, "pairing", set(sums), set(keys))

    def array(key: str, phase: str, names: tuple[str, ...]) -> np.ndarray:
        of = sums[key][phase]
        same_names(path, f"{key}: {phase}: rules", set(of), {base, *variants})
        for rule, named in of.items():
            same_names(path, f"{key}: {phase}: {rule}: sum", set(named), set(names))
        for rule, named in of.items():
            _check_effect(f"{path}: {key}: {phase}: {rule}", named, of[base], deals[phase])
        return np.array([[of[rule][name] for name in names] for rule in (base, *variants)], np.int64)

    for key in keys:
        same_names(path, f"{key}: phase", set(sums[key]), {HANDS, GAMES})
    hands = {key: array(key, HANDS, TALLY) for key in keys}
    games = {key: array(key, GAMES, GAME_SUMS) for key in keys} if manifest.games else {}
    strategies = tuple(manifest.strategies)
    return Effect(base, variants, strategies, manifest.seeds, manifest.deals, manifest.games, hands, games, **more)


def _check_effect(where: str, own: dict[str, int], base: dict[str, int], pairs: int) -> None:
    """The sums of one rule beside those of the base."""
    check_counts_of(where, own, signed=("own_points",))
    if "own_points" in own:
        check_squares(where, "own_points", own["own_points"], own["own_points_sq"], pairs)
        check_at_most(where, own, "starter", "decided")
    for name, squares in ((name, own.get(f"{name}_difference_sq")) for name in own):
        if squares is not None:
            check_squares(where, f"{name}_difference", own[name] - base[name], squares, pairs)


EFFECT = Kind(EffectExperiment, Effect, effect_text, EffectManifest, EffectSums, rebuilt_effect)
