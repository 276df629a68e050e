"""What a page says of a game: its rules, strategies and measures. Nothing else in the report asks which game it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ginsim.errors import InputError
from ginsim.games.gin.players import families as gin
from ginsim.games.table.players import families as table
from ginsim.games.table.rules import any_rules, is_table
from ginsim.inference.measures import Measure
from ginsim.report.template import sentence
from ginsim.specs import parse_spec
from ginsim.study.measures import GIN_EFFECTS, TABLE_EFFECTS

__all__ = ["ShownGame", "any_rules", "changes_of", "described", "game_of", "is_family", "rule_label"]


@dataclass(frozen=True)
class ShownGame:
    """A game as it is shown.

    Attributes
    ----------
    name : str
        Under which its terms and sentences are found.
    effects : mapping of str to Measure
        What rules change in it.
    shown : sequence of str
        Those of these measures that are shown unless others are asked for.
    parts : mapping of str to names of measures
        Further tables of an effect: places of the template ``effect_NAME``.
    """

    name: str
    effects: Mapping[str, Measure]
    shown: Sequence[str]
    parts: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def sentence(self, name: str) -> str:
        """A sentence that differs by game; empty if there is none."""
        return sentence(f"{name}_{self.name}")


GIN = ShownGame("gin", GIN_EFFECTS, ("points", "gin", "undercut", "dead", "turns", "starter"))
TABLE = ShownGame(
    "table",
    TABLE_EFFECTS,
    ("own_turns", "points", "seat_0", "blocked", "claims", "multi_draws"),
    {
        "endings": ("discard", "meld", "claim", "blocked", "lowest"),
        "counts": ("claims", "pile_draws", "multi_draws", "extra_cards", "new_melds", "laid_off", "reshuffles"),
        "seats": tuple(name for name in TABLE_EFFECTS if name.startswith("seat_")),
    },
)


UNITS = {
    "hand_size": "cards", "ranks": "ranks", "suits": "suits", "min_turns_before_knock": "turns", "max_turns": "turns",
    "players": "players", "max_pile_draw": "cards", "max_reshuffles": "reshuffles",
}  # fmt: skip
"""Units of the rule fields that are not points."""


def rule_label(name: str, quote: str = "") -> str:
    """A field of the rules with its unit."""
    return f"{quote}{name}{quote} ({UNITS.get(name, 'points')})"


def game_of(rules: str) -> ShownGame:
    """The game that these rules are of."""
    return TABLE if is_table(rules) else GIN


def changes_of(base: str, variant: str) -> dict[str, Any]:
    """The fields in which a variant differs from its base, with the variant's values."""
    fields, own = any_rules(base).model_dump(), any_rules(variant).model_dump()
    return {name: value for name, value in own.items() if value != fields[name]}


def described(strategy: str) -> tuple[str, list[str]]:
    """The family of a strategy that is shipped (or "") and what it does, in sentences."""
    try:
        name = parse_spec(strategy).name
        return name, (table if name in table.FAMILIES else gin).describe(strategy).splitlines()
    except (InputError, KeyError):
        return "", [sentence("not_shipped")]


def is_family(name: str) -> bool:
    """Whether a family of strategies of this name is shipped."""
    return name in gin.FAMILIES or name in table.FAMILIES
