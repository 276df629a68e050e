"""The learned decisions: a net for each weighs the choices that looking ahead leaves."""

from __future__ import annotations

import numpy as np

from ginsim.games.decisions import Decision, Table
from ginsim.games.gin import view as V
from ginsim.games.gin.learned.features import (
    choices,
    describe_discard,
    describe_draw,
    describe_knock,
    describe_shared,
    keep_choice,
    weigh_all,
)
from ginsim.games.gin.learned.layout import DISCARD_NET, DRAW_NET, KNOCK_NET
from ginsim.games.gin.learned.net import answer, begin
from ginsim.games.gin.learned.weights import read_weights, shipped
from ginsim.games.gin.players.lookahead import M_BELIEVED, WEIGHTS, upcard_gives_gin
from ginsim.jit import njit

__all__ = ["LEARNED"]


@njit
def draw_learned(view, params):
    """Take the upcard if that gives gin, or if a net finds it better than the stock."""
    if view[V.WALL] or upcard_gives_gin(view):
        return np.int64(1)
    view[M_BELIEVED] = 0
    describe_draw(view, params)
    begin(view, params, DRAW_NET)
    return np.int64(answer(view, params, DRAW_NET, True) > 0.0)


@njit
def discard_learned(view, params):
    """The discard that a net finds best, of those that looking ahead leaves."""
    hand = view[V.HAND]
    view[M_BELIEVED] = 0
    discards, listed = weigh_all(view, hand, view[V.BANNED], np.int64(0), params)
    rest = choices(view, discards, listed)
    describe_shared(view)
    begin(view, params, DISCARD_NET)
    best, found = -1e18, np.int64(0)
    while rest:
        x = rest & -rest
        rest ^= x
        describe_discard(view, hand, x, listed)
        value = answer(view, params, DISCARD_NET, False)
        if value > best:
            best, found = value, x
            keep_choice(view, hand ^ x)
    return found


@njit
def knock_learned(view, params):
    """Gin always; else if a net finds it better than to go on."""
    if view[V.DEADWOOD] == 0:
        return np.int64(1)
    describe_knock(view, params)
    begin(view, params, KNOCK_NET)
    return np.int64(answer(view, params, KNOCK_NET, False) > 0.0)


_TABLE = Table("weights", "eaai", "what was learned, and under which rules", shipped, read_weights)
LEARNED = (
    Decision("draw", "learned", draw_learned, needs=("learned", "lookahead"), table=_TABLE),
    Decision("discard", "learned", discard_learned, WEIGHTS, table=_TABLE),
    Decision("knock", "learned", knock_learned, table=_TABLE),
)
