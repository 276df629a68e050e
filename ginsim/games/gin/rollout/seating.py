"""What two players have seen of each other, written into the views of a playout for those who read the moves of a hand."""

from __future__ import annotations

import numpy as np

from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.jit import njit

__all__ = ["seat_opponent"]


@njit
def _upcard_before(view, k):
    """The discard of the opponent that lay on the pile on own turn ``k``; 0 for what was there before both began."""
    at = k if view[V.OPP_TURN] > view[V.TURN] else k - 1  # who moves second sees a discard more
    return view[V.OPP_LOG + 2 * at + 1] if at >= 0 else np.int64(0)


@njit
def _first_upcard(view, b):
    """What the opponent ``b`` knows of what became of the first upcard: taken by the player, or passed."""
    lies = view[V.PILE] & ~(view[V.OWN_DISCARDS] | view[V.OPP_DISCARDS])
    theirs = view[V.OPP_LOG] if view[V.OPP_TURN] > 0 else np.int64(0)
    if view[R.ELEVEN]:
        return
    if lies:
        begun = view[V.TURN] > 0 or view[V.DRAWN] != 0
        if (view[R.OFFER_RULE] and not view[V.OFFER]) or (view[V.STARTER] and begun):
            b[V.OPP_PASSED] |= lies
    elif view[V.TURN] > 0 and _upcard_before(view, np.int64(0)) == 0 and theirs & ~view[V.OWN_DISCARDS] == 0:
        card = view[V.OWN_LOG]
        b[V.OPP_LOG] = card
        b[V.OPP_HELD] |= card & ~view[V.OWN_DISCARDS]


@njit
def seat_opponent(view, a, b):
    """Give both players all that they have seen of each other: ``a`` as ``view`` has it, ``b`` as the opponent must have."""
    for k in range(2 * view[V.OPP_TURN]):
        a[V.OPP_LOG + k] = b[V.OWN_LOG + k] = view[V.OPP_LOG + k]
    for k in range(view[V.TURN]):
        drawn, card, upcard = view[V.OWN_LOG + 2 * k], view[V.OWN_LOG + 2 * k + 1], _upcard_before(view, k)
        took = np.int64(drawn == upcard and upcard != 0)
        a[V.OWN_LOG + 2 * k], a[V.OWN_LOG + 2 * k + 1] = drawn, card
        b[V.OPP_LOG + 2 * k], b[V.OPP_LOG + 2 * k + 1] = drawn * took, card
        b[V.OPP_HELD] = (b[V.OPP_HELD] | drawn * took) & ~card
        b[V.OPP_PASSED] |= upcard * (1 - took)
    for slot in range(V.MEMORY, V.MEMORY + V.MEMORY_SIZE):
        a[slot] = b[slot] = 0
    b[V.OPP_KNOCKED] = b[V.OFFER] = 0
    _first_upcard(view, b)
    now = view[V.DRAWN]  # taken from the pile on this turn: it was the last discard
    if now and now & view[V.UPCARD]:
        b[V.OPP_HELD] |= now
        b[V.OPP_LOG + 2 * view[V.TURN]] = now
    elif now:
        b[V.OPP_PASSED] |= view[V.UPCARD]
        b[V.OPP_LOG + 2 * view[V.TURN]] = 0
