"""Players who remember only the last discards: the same decisions, on a view without what they have forgotten.

The top of the pile lies open, and one's own hand is known; ``remembers`` is the number of discards before the top, of both
players, that are known too. Of a card whose latest discard lies further back nothing is known: neither that it is gone, nor who
threw it, nor that the opponent passed or took it. How many turns were played and how many cards are in the stock is always known.

The logs of the view are left as they are: none of these decisions reads more of them than the opponent's last discard.
"""

from __future__ import annotations

from ginsim.games.decisions import Param
from ginsim.games.gin import view as V
from ginsim.games.gin.players.discards import discard_weighed
from ginsim.games.gin.players.draws import draw_weighed
from ginsim.games.gin.players.knocks import knock_weighed
from ginsim.games.gin.players.lookahead import discard_lookahead, draw_lookahead
from ginsim.jit import njit, njit_inline

__all__ = ["MEMORY", "REMEMBERS", "SHORT"]

MEMORY = 15
"""Where the parameter lies: between those of the draw and of the discard."""
REMEMBERS = Param("remembers", 100, 0, 100, "how many discards before the top of the pile are remembered; 100 is all")


@njit_inline
def remembered(view, n):
    """The top of the pile and the ``n`` discards before it."""
    cards = view[V.UPCARD]
    own, other = view[V.TURN], view[V.OPP_TURN]
    theirs = True  # players take turns, and the last discard was the opponent's
    left = n + 1
    while left > 0 and (other if theirs else own) > 0:
        if theirs:
            other -= 1
            cards |= view[V.OPP_LOG + 2 * other + 1]
        else:
            own -= 1
            cards |= view[V.OWN_LOG + 2 * own + 1]
        theirs = not theirs
        left -= 1
    return cards


@njit_inline
def forget(view, params):
    """Take out of the view what is not remembered; what it was, for `recall`."""
    was = view[V.PILE], view[V.OPP_HELD], view[V.OPP_PASSED], view[V.OPP_DISCARDS], view[V.OWN_DISCARDS]
    n = int(params[MEMORY])
    if n < view[V.TURN] + view[V.OPP_TURN]:  # else all discards, the first upcard too
        known = remembered(view, n)
        for slot in (V.PILE, V.OPP_HELD, V.OPP_PASSED, V.OPP_DISCARDS, V.OWN_DISCARDS):
            view[slot] &= known
    return was


@njit_inline
def recall(view, was):
    """Put back what `forget` took out."""
    view[V.PILE], view[V.OPP_HELD], view[V.OPP_PASSED], view[V.OPP_DISCARDS], view[V.OWN_DISCARDS] = was


@njit
def draw_weighed_of_short_memory(view, params):
    """As draw_weighed, of what is remembered."""
    was = forget(view, params)
    answer = draw_weighed(view, params)
    recall(view, was)
    return answer


@njit
def draw_lookahead_of_short_memory(view, params):
    """As draw_lookahead, of what is remembered."""
    was = forget(view, params)
    answer = draw_lookahead(view, params)
    recall(view, was)
    return answer


@njit
def discard_weighed_of_short_memory(view, params):
    """As discard_weighed, of what is remembered."""
    was = forget(view, params)
    answer = discard_weighed(view, params)
    recall(view, was)
    return answer


@njit
def discard_lookahead_of_short_memory(view, params):
    """As discard_lookahead, of what is remembered."""
    was = forget(view, params)
    answer = discard_lookahead(view, params)
    recall(view, was)
    return answer


@njit
def knock_weighed_of_short_memory(view, params):
    """As knock_weighed, of what is remembered."""
    was = forget(view, params)
    answer = knock_weighed(view, params)
    recall(view, was)
    return answer


SHORT = {
    draw_weighed: draw_weighed_of_short_memory,
    draw_lookahead: draw_lookahead_of_short_memory,
    discard_weighed: discard_weighed_of_short_memory,
    discard_lookahead: discard_lookahead_of_short_memory,
    knock_weighed: knock_weighed_of_short_memory,
}
"""Decisions that look at what was discarded, each with the same of a short memory."""
