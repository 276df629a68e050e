"""What is wrong with a move, in words that say what was allowed; an empty text if nothing is. ``me`` is the player's view."""

from __future__ import annotations

import numpy as np

from ginsim.cards import cards_of, format_card, format_hand
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import first_knock
from ginsim.games.gin.recorded.hand import GIN, Turn
from ginsim.games.gin.rules import Rules
from ginsim.melds import best_discards, deadwood

__all__ = ["beginning", "big_gin", "early", "knock", "thrown", "wall"]


def beginning(turn: Turn, me: np.ndarray, must_draw: bool, only_discards: bool) -> str:
    """How a turn may begin; after two refusals with a draw from the stock, or with a discard only."""
    name, top = "AB"[turn.player], format_card(int(me[V.UPCARD])) if me[V.UPCARD] else ""
    allowed: tuple[str, ...] = ("take", "draw")
    said = f"{name} may take {top} or draw from the stock" if top else f"{name} may draw from the stock"
    if only_discards:
        allowed, said = ("discard",), f"{name} discards first, without drawing"
    elif me[V.OFFER]:
        allowed, said = ("pass", "take"), f"{name} may take the first upcard, {top}, or pass"
    elif must_draw:
        allowed, said = ("draw",), f"both passed {top}: {name} must draw from the stock"
    elif me[V.WALL]:
        allowed, said = ("pass", "take"), f"the stock has run out: {name} may take {top} to knock, or pass"
    return "" if turn.action in allowed else said


def thrown(turn: Turn, card: int, me: np.ndarray, rules: Rules) -> str:
    """Whether a card that is held may be discarded."""
    if not card & int(me[V.BANNED]):
        return ""
    name, free = "AB"[turn.player], format_hand(int(me[V.HAND] & ~me[V.BANNED])) or "nothing"
    if card == me[V.DRAWN] and rules.redraw_ban:
        why = f"{format_card(card)} was just taken from the pile and may not be discarded in the same turn"
    else:
        why = f"without {format_card(card)} {name} could not knock, and the last discard may be taken for that only"
    return f"{why}; {name} may discard {free}"


def wall(turn: Turn) -> str:
    """The last discard is taken to knock."""
    return "" if turn.ending else f"the last discard may be taken only to knock: {'AB'[turn.player]} must knock, or pass"


def early(me: np.ndarray, rules: Rules) -> str:
    """Why it is too early to knock."""
    first, turn = int(first_knock(me)) + 1, int(me[V.TURN]) + 1
    return f"{rules} allows that from a player's turn {first} on, and this is turn {turn}" if turn < first else ""


def knock(turn: Turn, left: int, me: np.ndarray, rules: Rules) -> str:
    """A knock that leaves so much deadwood (-1: not known); ``me`` holds the card to be discarded still."""
    name, most = "AB"[turn.player], int(me[R.LIMIT])
    if too_early := early(me, rules):
        return f"{name} may not knock yet: {too_early}; {name} may go on"
    if left > most:
        return f"{name} may not knock with {left}: the most is {most}; {name} may {_instead(me, most)}"
    return f"that is not gin, because {left} is left; {name} may knock" if turn.ending == GIN and left > 0 else ""


def _instead(me: np.ndarray, most: int) -> str:
    """What could have been done where a knock was not allowed."""
    hand, banned = np.int64(me[V.HAND]), np.int64(me[V.BANNED])
    if best_discards(hand, banned, me)[0] > most:
        return "go on"
    cards = [card for card in cards_of(int(hand & ~banned)) if deadwood(hand ^ card, me) <= most]
    return f"go on, or discard {' or '.join(map(format_card, cards))} to knock"


def big_gin(turn: Turn, left: int, me: np.ndarray, rules: Rules) -> str:
    """Big gin with so much deadwood (-1: not known)."""
    name = "AB"[turn.player]
    if me[R.BIG_GIN_BONUS] < 0:
        return f"{rules} does not play big gin; {name} may discard, and go gin if the rest is melded"
    if too_early := early(me, rules):
        return f"{name} may not lay down big gin yet: {too_early}; {name} may discard"
    return f"big gin needs all cards melded, and {left} is left; {name} may discard" if left > 0 else ""
