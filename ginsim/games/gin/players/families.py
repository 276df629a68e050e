"""The strategies that ginsim ships for two-player gin: which decisions each may combine, by name.

To add one, write a ``Family`` here. Its parameters are those of its decisions.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping

from ginsim.games import families
from ginsim.games.families import REPERTOIRES, Memory, Repertoire
from ginsim.games.gin.learned.decisions import LEARNED
from ginsim.games.gin.players.chartfiles import CHARTS
from ginsim.games.gin.players.decisions import BUILT_IN, DISCARD, DRAW, KNOCK
from ginsim.games.gin.players.discards import DISCARDS
from ginsim.games.gin.players.dispatch import BY_NUMBER
from ginsim.games.gin.players.draws import DRAWS
from ginsim.games.gin.players.fitting import ordinary_under, strong_under, weights_under
from ginsim.games.gin.players.knocks import KNOCKS
from ginsim.games.gin.players.lookahead import LOOKAHEAD, WEIGHTS
from ginsim.games.gin.players.memory import MEMORY, REMEMBERS, SHORT
from ginsim.games.gin.players.plain import as_played
from ginsim.games.gin.players.presets import PRESETS, Preset
from ginsim.games.gin.rollout.decisions import ROLLOUT
from ginsim.games.gin.rollout.learned import LEARNED_ROLLOUT
from ginsim.games.gin.rules import Rules
from ginsim.specs import Value, format_spec, parse_spec

__all__ = ["FAMILIES", "REPERTOIRE", "Family"]

DECISIONS = (*BUILT_IN, *DRAWS, *DISCARDS, *KNOCKS, *CHARTS, *LOOKAHEAD, *LEARNED, *ROLLOUT, *LEARNED_ROLLOUT)

REPERTOIRE = Repertoire(
    Rules.GAME,
    Rules.TITLE,
    {"draw": "draw", "discard": "discard", "knock": "stop"},  # ``knock`` is a parameter
    {"draw": "1 to take the upcard or 0", "discard": "one card of the hand that is not banned", "knock": "1 to knock or 0"},
    {"draw": DRAW, "discard": DISCARD, "knock": KNOCK},
    {(decision.kind, decision.name): decision for decision in DECISIONS},
    {},
    as_played,
    BY_NUMBER,
    Memory(REMEMBERS, MEMORY, SHORT, frozenset(decision.name for decision in (*LEARNED, *ROLLOUT, *LEARNED_ROLLOUT))),
)


class Family(families.Family):
    """A named strategy of two-player gin with parameters."""

    REPERTOIRE = REPERTOIRE


def _of_preset(preset: Preset) -> Family:
    """The family of a preset: the decisions its spec chooses, its parameters as defaults."""
    spec = parse_spec(preset.spec)
    args = {name: tuple(value) if isinstance(value, list) else value for name, value in spec.args.items()}
    *others, (discard, knock) = itertools.pairwise(BASIC[spec.name].decisions(spec.args))
    knocks = (knock.name,) if discard.needs else (knock.name, "chart")
    chosen = (*((decision.name,) for decision, _ in (*others, (discard, knock))), knocks)
    numbers = tuple((name, value) for name, value in args.items() if name not in REPERTOIRE.words.values())
    return Family(preset.name, preset.meaning, chosen, defaults=numbers)  # type: ignore[arg-type]


BUILDING = (
    ("take_at", 2.0), ("no_meld", 20.0), ("slack", 10.0), ("points", 4.0), ("pair", 5.0), ("connector", 2.0), ("inside", 1.0),
    ("keep_turn", -1.0),
)  # fmt: skip
"""Weights, set by hand, of a player that takes the upcard only for a meld and keeps what can become one, less so with time."""

LOOKS = tuple(
    (name, float(value))  # type: ignore[arg-type]
    for name, value in parse_spec(PRESETS[0].spec).args.items()
    if name in {param.name for param in WEIGHTS}
)
"""How a learned player looks ahead: with the weights of champion."""


def _with_weights(name: str, rules: Rules, args: Mapping[str, Value]) -> str:
    """A learned player with the weights for these rules, if it needs any and none are given."""
    given = "weights" in args or not any(decision.table for decision in FAMILIES[name].decisions(args))
    return format_spec(name, args if given else {**args, "weights": weights_under(rules)})


BASIC = {
    family.name: family
    for family in (
        Family("random", "legal moves at random", (("random",), ("random",), ("random",))),
        Family(
            "simple",
            "the Simple player of the EAAI challenge: takes the upcard only for a meld, discards at random among the best "
            "cards, never draws and discards the same two cards twice, knocks as soon as it may",
            (("meld",), ("new_pair",), ("threshold",)),
            fixed=(("knock", 100.0),),
        ),
        Family(
            "threshold",
            "keeps the least deadwood and knocks at a threshold that may depend on the turn",
            (("meld", "strict", "never"), ("highest", "random_best"), ("threshold", "by_turn", "chart")),
        ),
        Family(
            "gin_only",
            "knocks only with gin; takes the upcard only for a meld, discards at random among the best cards",
            (("meld", "strict"), ("random_best", "highest"), ("threshold",)),
            fixed=(("knock", 0.0),),
        ),
        Family(
            "early_then_gin",
            "knocks as soon as it may in its first three turns, then plays for gin",
            (("meld", "strict"), ("random_best", "highest"), ("by_turn",)),
            defaults=(("knock_by_turn", (10.0, 10.0, 10.0, 0.0)),),
        ),
        Family(
            "lookahead",
            "weighs what a hand is worth after the next draw against what the discard gives away",
            (("lookahead", "strict", "meld", "never"), ("lookahead",), ("early", "window", "threshold", "by_turn", "chart")),
            defaults=(("knock_from", (5.0, 6.0, 8.0, 10.0)),),
        ),
        Family(
            "rollout",
            "looks ahead; where that shows little difference between choices, plays each to the end of the hand many times",
            (("rollout", "lookahead", "strict", "meld", "never"), ("rollout",), ("window",)),
            defaults=(("window_from", (5.0, 6.0, 8.0, 10.0, 101.0)),),
        ),
        Family(
            "learned",
            "judges the choices that looking ahead leaves by nets trained on hands played to the end",
            (("learned", "lookahead"), ("learned", "lookahead"), ("learned", "early", "window", "by_turn", "threshold")),
            defaults=LOOKS,
            under=functools.partial(_with_weights, "learned"),
        ),
        Family(
            "strong",
            "the best general player that ginsim ships for the rules in use",
            (("learned",), ("learned",), ("learned",)),
            fixed=(*LOOKS, ("weights", "eaai")),
            under=lambda rules, _: strong_under(rules),
        ),
        Family(
            "strong_rollout",
            "strong, but plays out each of several nearly equal choices: 32 times by the nets for one turn of each player, and "
            "from there 8 times to the end of the hand",
            (("learned_rollout",), ("learned_rollout",), ("learned",)),
            fixed=LOOKS,
            under=functools.partial(_with_weights, "strong_rollout"),
        ),
        Family(
            "ordinary",
            "a plain player for the rules in use: takes the upcard only for a meld, discards the highest unmatched card, "
            "and knocks by the chart solved for such play",
            (("meld",), ("highest",), ("chart",)),
            fixed=(("chart", "classic25"),),
            under=lambda rules, _: ordinary_under(rules),
        ),
        Family(
            "custom",
            "any draw, discard and knock decision together; without parameters a plain player: strict draws, the highest of the "
            "best discards, knocks at 10",
            (
                ("strict", "meld", "never", "weighed", "lookahead", "rollout", "random"),
                ("highest", "random_best", "new_pair", "weighed", "lookahead", "rollout", "random"),
                ("threshold", "by_turn", "weighed", "early", "window", "chart", "random"),
            ),
            open=True,
        ),
        Family(
            "aggressive",
            "keeps what can become a meld, whatever it gives away, and knocks unless an undercut is likelier than 1 in 4",
            (("weighed",), ("weighed",), ("weighed", "chart")),
            defaults=(*BUILDING, ("undercut_risk", 0.25)),
        ),
        Family(
            "defensive",
            "keeps cards that the opponent may use, and knocks only if an undercut is less likely than 1 in 20",
            (("weighed",), ("weighed",), ("weighed", "chart")),
            defaults=(*BUILDING, ("safety", 5.0), ("undercut_risk", 0.05)),
        ),
    )
}

FAMILIES = REPERTOIRE.families
"""All strategies by name: the families, and the presets tuned from them."""
FAMILIES |= BASIC | {preset.name: _of_preset(preset) for preset in PRESETS}
REPERTOIRES[REPERTOIRE.game] = REPERTOIRE
