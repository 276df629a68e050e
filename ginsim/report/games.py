"""What a page says of the rules and the strategies of a game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ginsim.answers import joined
from ginsim.errors import InputError
from ginsim.games.families import REPERTOIRES, describe
from ginsim.games.rulebook import RULES, rules_of
from ginsim.games.strategy import Strategy
from ginsim.report.template import sentence
from ginsim.specs import parse_spec

__all__ = ["described", "played_as", "rule_label"]


def rule_label(name: str, quote: str = "") -> str:
    """A field of the rules with its unit.

    Examples
    --------
    >>> rule_label("hand_size"), rule_label("gin_bonus")
    ('hand_size (cards)', 'gin_bonus (points)')
    """
    extra = next((rules.model_fields[name].json_schema_extra for rules in RULES if name in rules.model_fields), None)
    unit = extra.get("unit") if isinstance(extra, dict) else None
    return f"{quote}{name}{quote} ({unit or 'points'})"


def described(strategy: str, rules: str) -> tuple[str, list[str]]:
    """The family of a strategy that is shipped (or "") and what it does under rules, in sentences."""
    try:
        name = parse_spec(strategy).name
        of = next(own for own in REPERTOIRES.values() if name in own.families)
        plays = str(Strategy.parse(strategy).under(rules_of(rules)))
        meaning, *does = describe(plays, of).splitlines()
    except (InputError, KeyError, StopIteration):
        return "", [sentence("not_shipped")]
    if plays != strategy:
        meaning = f"{describe(strategy, of).splitlines()[0]} Under {rules} it is `{plays}`: {meaning}"
    return name, [meaning, *does]


def played_as(strategies: Iterable[str], rules: Mapping[str, str]) -> str:
    """Whom strategies stand for that are not the same player under all ``rules`` (labels by spec), in sentences.

    Examples
    --------
    >>> played_as(["simple", "strong"], {"eaai": "eaai", "oklahoma": "oklahoma", "big_gin": "big_gin"})
    '`strong` is `learned(weights=eaai)` under `eaai` and `big_gin`, `learned(weights=oklahoma)` under `oklahoma`.'
    """
    said = []
    for strategy in dict.fromkeys(strategies):
        players = dict[str, list[str]]()
        for spec, label in rules.items():
            players.setdefault(_player(strategy, spec), []).append(f"`{label}`")
        if len(players) > 1:
            said.append(f"`{strategy}` is {', '.join(f'`{player}` under {joined(own)}' for player, own in players.items())}.")
    return " ".join(said)


def _player(strategy: str, rules: str) -> str:
    """Who plays for a strategy: itself unless it is shipped, for a page runs no code of others."""
    try:
        shipped = any(parse_spec(strategy).name in own.families for own in REPERTOIRES.values())
        return str(Strategy.parse(strategy).under(rules_of(rules))) if shipped else strategy
    except InputError:
        return strategy
