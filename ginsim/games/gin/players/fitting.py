"""Players that are others under other rules: which weights a learned one plays by, and who is called ordinary and strong."""

from __future__ import annotations

from ginsim.games.gin.rules import Rules

__all__ = ["chart_under", "ordinary_under", "strong_under", "weights_under"]

LOW, HIGH = 5, 13
"""Knock limits up to which the chart for 5 is taken, and from which on that for 15."""

LOW_FOR_PLAY, HIGH_FOR_PLAY = 7, 11
"""Knock limits up to which the weights for 5 are taken, and from which on those for 15: under a limit of 7 the first are no worse
than those for 10, and under 11 the second win 55 % of the games from those for 10."""


def weights_under(rules: Rules) -> str:
    """The shipped weights that were trained under the rules nearest to these.

    Examples
    --------
    >>> weights_under(Rules.parse("classic25")), weights_under(Rules.parse("pagat(oklahoma=true)"))
    ('eaai', 'oklahoma')
    """
    if rules.oklahoma:
        return "oklahoma"
    if rules.wrap:
        return "round_the_corner"
    if 0 < rules.knock_limit <= LOW_FOR_PLAY:
        return "knock5"
    if rules.knock_limit >= HIGH_FOR_PLAY:
        return "knock15"
    return "classic20" if rules.undercut_bonus < rules.gin_bonus else "eaai"


def strong_under(rules: Rules) -> str:
    """The best general player that ginsim ships for these rules."""
    return f"learned(weights={weights_under(rules)})"


def chart_under(rules: Rules) -> str:
    """The shipped chart of when to knock that was solved under the rules nearest to these, for plain draws and discards.

    Examples
    --------
    >>> chart_under(Rules.parse("classic25")), chart_under(Rules.parse("eaai"))
    ('classic25', 'eaai')
    """
    if rules.oklahoma:
        return "tournament" if rules.spades_double else "oklahoma"
    if rules.knock_limit <= LOW:
        return "knock5"
    if rules.knock_limit >= HIGH:
        return "knock15"
    if rules.undercut_bonus < rules.gin_bonus:
        return "classic20" if rules.big_gin_bonus is None else "pagat"
    return "classic25" if rules.min_turns_before_knock else "eaai"


def ordinary_under(rules: Rules) -> str:
    """A plain player for these rules: melds in hand, the dearest unmatched card out, and a knock solved for just that."""
    return "gin_only" if rules.knock_limit == 0 and not rules.oklahoma else f"threshold(stop=chart, chart={chart_under(rules)})"
