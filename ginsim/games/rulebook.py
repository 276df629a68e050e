"""Rules of every game by spec. Light: nothing that plays is imported."""

from __future__ import annotations

from typing import Any

from ginsim.errors import InputError, shown, suggest
from ginsim.games.gin.rules import Rules
from ginsim.games.rules import RulesModel
from ginsim.games.table.rules import TableRules

__all__ = ["RULES", "presets", "rules_of"]

RULES: list[type[RulesModel]] = [Rules, TableRules]
"""The models of rules; the first names the preset used where none is given. ``ginsim.games.catalog.enter`` adds to them."""


def presets() -> dict[str, Any]:
    """All presets by name, each with its description and its ``rules``."""
    return {name: preset for model in RULES for name, preset in model.presets().items()}


def rules_of(spec: Any) -> RulesModel:
    """Rules of whatever game by spec; rules pass through.

    Raises
    ------
    InputError
        If the spec cannot be read, or names an unknown preset, field or value.

    Examples
    --------
    >>> rules_of("house").players, rules_of("eaai").knock_limit
    (4, 10)
    """
    if isinstance(spec, RulesModel):
        return spec
    name = spec.partition("(")[0].strip() if isinstance(spec, str) else ""
    for model in RULES:
        if name in model.presets():
            return model.parse(spec)
    if any(name in model.model_fields for model in RULES) or not isinstance(spec, str):
        return next((model for model in RULES if name in model.model_fields), RULES[0]).parse(spec)
    RULES[0].parse(spec if name == "" else f"{next(iter(RULES[0].presets()))}{spec.strip()[len(name) :]}")  # tells bad notation
    raise InputError(f"rules: there is no {shown(name)}; {suggest(name, presets())}")
