"""The learned decisions: a net for each judges the choices that looking ahead leaves."""

from __future__ import annotations

import numpy as np

from ginsim.games.decisions import Decision, Table
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import first_knock
from ginsim.games.gin.learned.features import (
    choices,
    describe_discard,
    describe_draw,
    describe_knock,
    describe_shared,
    keep_choice,
    weigh_all,
)
from ginsim.games.gin.learned.layout import DISCARD_NET, DRAW_NET, KNOCK_NET, STYLES, WEIGHTS
from ginsim.games.gin.learned.net import answer, begin
from ginsim.games.gin.learned.weights import read_weights, shipped
from ginsim.games.gin.players.lookahead import M_BELIEVED, upcard_gives_gin
from ginsim.games.gin.players.lookahead import WEIGHTS as LOOKS
from ginsim.jit import njit
from ginsim.melds import best_discards

__all__ = ["LEARNED"]


LATE = 4
"""Own turn from which on a knock tells that the opponent does not only play for gin once the hand has gone on."""


@njit
def style(view, params):
    """Where the weights of the style in use begin, after those of the first: an opponent who knocks late is played otherwise."""
    return np.int64(WEIGHTS if params[STYLES] > 1.0 and view[V.OPP_KNOCKED] >= LATE else 0)


@njit
def draw_value(view, params):
    """How much better than the stock a net finds the upcard."""
    view[M_BELIEVED] = 0
    describe_draw(view, params)
    net = DRAW_NET + style(view, params)
    begin(view, params, net)
    return answer(view, params, net, True)


@njit
def draw_learned(view, params):
    """Take the upcard if that makes gin, or if a net judges it better than the stock."""
    if view[V.WALL] or upcard_gives_gin(view):
        return np.int64(1)
    return np.int64(draw_value(view, params) > 0.0)


@njit
def begin_discards(view, params):
    """Prepare the net for the discards that looking ahead leaves: ``(those discards, cards that have a lane, the net)``."""
    view[M_BELIEVED] = 0
    discards, listed = weigh_all(view, view[V.HAND], view[V.BANNED], np.int64(0), params)
    rest = choices(view, discards, listed)
    describe_shared(view)
    net = DISCARD_NET + style(view, params)
    begin(view, params, net)
    return rest, listed, net


@njit
def discard_learned(view, params):
    """The discard that makes gin, or that a net judges best of those that looking ahead leaves."""
    hand = view[V.HAND]
    left, cards = best_discards(hand, view[V.BANNED], view)
    if left == 0 and view[V.TURN] >= first_knock(view):
        return cards & -cards
    rest, listed, net = begin_discards(view, params)
    best, found = -1e18, np.int64(0)
    while rest:
        x = rest & -rest
        rest ^= x
        describe_discard(view, hand, x, listed)
        value = answer(view, params, net, False)
        if value > best:
            best, found = value, x
            keep_choice(view, hand ^ x)
    return found


@njit
def knock_learned(view, params):
    """Always go gin; else knock if a net judges it better than playing on."""
    if view[V.DEADWOOD] == 0:
        return np.int64(1)
    describe_knock(view, params)
    net = KNOCK_NET + style(view, params)
    begin(view, params, net)
    return np.int64(answer(view, params, net, False) > 0.0)


_TABLE = Table("weights", "eaai", "what was learned, and under which rules", shipped, read_weights)
LEARNED = (
    Decision("draw", "learned", draw_learned, needs=("learned", "lookahead"), table=_TABLE),
    Decision("discard", "learned", discard_learned, LOOKS, table=_TABLE),
    Decision("knock", "learned", knock_learned, table=_TABLE),
)
