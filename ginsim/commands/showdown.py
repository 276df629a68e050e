"""``ginsim showdown``: who wins how many points when a player knocks, from two hands or from two counts of deadwood."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ginsim.cards import format_card, format_hand
from ginsim.commands.eval import arrangement_line, one_card
from ginsim.errors import InputError, shown
from ginsim.games.gin.evaluate import Showdown, read_cards, showdown
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.scoring import HandScore, score_hand, upcard_effect
from ginsim.games.rulebook import rules_of

NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]*)?")
DEAREST = 10
"""Points of a card at most, but for aces under ace_value=15."""


def show(knocker: str, defender: str, rules_text: str, upcard_text: str | None = None, big_gin: bool = False) -> str:
    """What is laid out, what is laid off, and a sentence that says who wins how many points.

    Parameters
    ----------
    knocker, defender : str
        The hands after the knocker's discard, or the deadwood of both (the defender's after lay-offs) as numbers.
    rules_text : str
    upcard_text : str, optional
        The first upcard, where it sets the knock limit or doubles the points.
    big_gin : bool
        The knocker, whose deadwood is given as 0, has laid down eleven cards.

    Raises
    ------
    InputError
        For what cannot be read, hands that cannot meet, and a knock that the rules do not allow.

    Examples
    --------
    >>> print(show("7", "18", "classic25"))
    The knocker wins 11 points: 18 less 7.
    """
    rules = rules_of(rules_text)
    if not isinstance(rules, Rules):
        raise InputError(f"rules: {rules} is a game without a knock; give rules of two-player gin")
    upcard = None if upcard_text is None else one_card(upcard_text, rules)
    multiplier = 1 if upcard is None else upcard_effect(upcard, rules)[1]
    if big_gin and rules.big_gin_bonus is None:
        raise InputError(f"big-gin: {rules} has no big gin (big_gin_bonus=none); leave it out, or give such rules as big_gin")
    counts = [_count(name, text, rules) for name, text in (("knocker", knocker), ("defender", defender))]
    if counts[0] is not None and counts[1] is not None:
        left, after = counts[0], counts[1]
        if big_gin and left:
            raise InputError(f"knocker: a deadwood of {left} is not big gin; give 0")
        score, lines = score_hand(left, after, rules, big_gin=big_gin, multiplier=multiplier), []
    elif counts != [None, None]:
        raise InputError("knocker and defender: one is a number and one a hand; give two hands, or the deadwood of both")
    elif big_gin:
        raise InputError("big-gin: it goes with two counts of deadwood; of hands, give the knocker's eleven cards")
    else:
        found = showdown(knocker, defender, rules, multiplier=multiplier)
        left, after = found.knocker_deadwood, found.defender_deadwood
        score = HandScore(found.winner, found.points, found.ending)
        lines = [*_hands(found, read_cards(knocker, "knocker", rules), read_cards(defender, "defender", rules)), ""]
    _check_knock(left, rules, upcard)
    lines.append(_sentence(score, left, after, rules, multiplier))
    return "\n".join([*lines, *_about_the_upcard(score, left, rules, upcard)])


def _count(name: str, text: str, rules: Rules) -> int | None:
    """Deadwood that is given as a number; None for cards."""
    word = text.strip()
    if not NUMBER.fullmatch(word):
        return None
    most = rules.hand_size * max(DEAREST, rules.ace_value)
    if not word.isdigit() or len(word) > 3 or int(word) > most:
        raise InputError(
            f"{name}: a deadwood of {shown(word)} is not possible; give a whole number from 0 to {most}, which is what "
            f"{rules.hand_size} cards count at most"
        )
    return int(word)


def _check_knock(left: int, rules: Rules, upcard: int | None) -> None:
    """Refuse a knock with too much deadwood; the highest limit that an upcard can set counts where there is none."""
    if upcard is None:
        limit, who = (min(rules.ranks, DEAREST) if rules.oklahoma else rules.knock_limit), str(rules)
    else:
        limit = upcard_effect(upcard, rules)[0]
        who = f"{rules} with the upcard {format_card(upcard, symbols=True)}" if rules.oklahoma else str(rules)
    if left > limit:
        allowed = f"{limit} or less" if limit else "nothing but gin"
        raise InputError(f"knocker: a deadwood of {left} is too much to knock with; {who} allows {allowed}")


def _hands(found: Showdown, knocker: int, defender: int) -> Iterator[str]:
    """Both hands as they lie on the table, as ``ginsim eval`` shows them."""
    yield f"knocker: deadwood {found.knocker_deadwood}"
    yield arrangement_line(found.knocker_melds, knocker & ~_all(found.knocker_melds))
    before = f" ({found.defender_before} before lay-offs)" if found.laid_off else ""
    yield f"defender: deadwood {found.defender_deadwood}{before}"
    loose = defender & ~found.laid_off & ~_all(found.defender_melds)
    laid_off = f"   laid off: {format_hand(found.laid_off, symbols=True)}" if found.laid_off else ""
    yield arrangement_line(found.defender_melds, loose) + laid_off


def _all(melds: Iterable[int]) -> int:
    return sum(melds)  # no card is in two


def _sentence(score: HandScore, left: int, after: int, rules: Rules, multiplier: int) -> str:
    """Who wins how many points, and what they are made of."""
    if score.ending == "push":
        return f"Both have {left}, and {rules} gives nobody points for that."
    if score.ending == "knock" and left == after:
        return f"Both have {left}: under {rules} the knocker wins the hand, without points."
    name = score.ending.replace("_", " ")
    bonus = {"gin": rules.gin_bonus, "big gin": rules.big_gin_bonus, "undercut": rules.undercut_bonus}.get(name)
    undercut = f"{left} less {after}" if after < left else f"both have {left}"
    made_of = {"knock": f"{after} less {left}", "undercut": undercut}.get(name, f"the defender's {after}")
    if bonus:
        made_of += f", and {bonus} for {'the undercut' if name == 'undercut' else name}"
    if multiplier > 1:
        made_of += ", doubled because the first upcard is a spade"
    points = "1 point" if score.points == 1 else f"{score.points:,} points"
    if name == "knock":
        return f"The knocker wins {points}: {made_of}."
    return f"{name.capitalize()}! The {score.winner} wins {points}: {made_of}."


def _about_the_upcard(score: HandScore, left: int, rules: Rules, upcard: int | None) -> Iterator[str]:
    """What the first upcard would change where it is not given, or that it changes nothing."""
    if upcard is not None:
        if not (rules.oklahoma or rules.spades_double):
            yield f"The upcard changes nothing under {rules}."
        return
    if rules.oklahoma and left:
        yield f"The knock is allowed if the first upcard is worth {left} or more (--upcard)."
    if rules.spades_double and score.points:
        yield f"If the first upcard is a spade, the points double to {2 * score.points:,} (--upcard)."
