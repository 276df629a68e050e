"""Strategies of a user's own, for the tests."""

import numpy as np

from ginsim.games.catalog import Strategy
from ginsim.games.gin import view as V
from ginsim.games.gin.players.decisions import after_taking, pick
from ginsim.games.gin.view import View
from ginsim.games.plugin import decision
from ginsim.melds import best_discards, deadwood

NOTHING = 5


@decision
def draw(view, params):
    return np.int64(after_taking(view) + params[0] < deadwood(view[V.HAND], view))


@decision
def discard(view, params):
    """Hold back what the opponent is known to collect, if something else will do."""
    ranks = view[V.OPP_HELD]
    for _ in range(3):
        ranks |= (ranks << 16) | (ranks >> 16) & 0xFFFFFFFFFFFF
    best = best_discards(view[V.HAND], view[V.BANNED], view)[1]
    return pick(view, best & ~ranks if best & ~ranks else best)


@decision
def knock(view, params):
    return np.int64(view[V.DEADWOOD] <= params[1])


careful = Strategy.of(draw=draw, discard=discard, knock=knock, params={"least": 1, "knock": 6})


class Plain:
    """Anything, but knocks early."""

    def __init__(self, knock: int = 10) -> None:
        self.limit = knock

    def draw(self, view: View) -> int:
        return view.random(2)

    def discard(self, view: View) -> int:
        free = view.hand & ~view.banned
        for _ in range(view.random(free.bit_count())):
            free &= free - 1
        return free & -free

    def knock(self, view: View) -> bool:
        return view.deadwood <= self.limit


plain = Plain()
