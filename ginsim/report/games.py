"""What a page says of the rules and the strategies of a game."""

from __future__ import annotations

from ginsim.errors import InputError
from ginsim.games.families import REPERTOIRES, describe
from ginsim.games.rulebook import RULES, rules_of
from ginsim.games.strategy import Strategy
from ginsim.report.template import sentence
from ginsim.specs import parse_spec

__all__ = ["described", "rule_label"]


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
