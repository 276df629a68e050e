"""What a page says of a game: its rules, strategies and measures. Nothing else in the report asks which game it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ginsim.errors import InputError
from ginsim.games import catalog
from ginsim.games.families import describe
from ginsim.games.strategy import REPERTOIRES
from ginsim.inference.measures import Measure
from ginsim.report.template import sentence
from ginsim.specs import parse_spec
from ginsim.study.measures import GIN_EFFECTS, TABLE_EFFECTS

__all__ = ["SHOWN", "ShownGame", "described", "game_of", "rule_label"]

MOST_SHOWN = 6
"""Measures of an effect that are shown of a game of which it is not said which."""


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


SHOWN: dict[str, ShownGame] = {
    "gin": ShownGame("gin", GIN_EFFECTS, ("points", "gin", "undercut", "dead", "turns", "starter")),
    "table": ShownGame(
        "table",
        TABLE_EFFECTS,
        ("own_turns", "points", "seat_0", "blocked", "claims", "multi_draws"),
        {
            "endings": ("discard", "meld", "claim", "blocked", "lowest"),
            "counts": ("claims", "pile_draws", "multi_draws", "extra_cards", "new_melds", "laid_off", "reshuffles"),
            "seats": tuple(name for name in TABLE_EFFECTS if name.startswith("seat_")),
        },
    ),
}
"""By name of the game; of any other all that it measures is shown as it calls it."""


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
    game = catalog.game_of(rules)
    effects = {**game.measures, **game.game_measures}
    return SHOWN.get(game.name) or ShownGame(game.name, effects, tuple(game.measures)[:MOST_SHOWN])


def described(strategy: str) -> tuple[str, list[str]]:
    """The family of a strategy that is shipped (or "") and what it does, in sentences."""
    try:
        name = parse_spec(strategy).name
        of = next(own for own in REPERTOIRES.values() if name in own.families)
        return name, describe(strategy, of).splitlines()
    except (InputError, KeyError, StopIteration):
        return "", [sentence("not_shipped")]
