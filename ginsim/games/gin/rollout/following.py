"""What each choice at a moment of a hand comes to if any two strategies play on: hidden cards drawn, every choice on the same.

`ginsim.games.gin.rollout.choices` does the same for the player by rollouts, whose opponent plays plainly.
"""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim.deals import mix, stream
from ginsim.games.gin import records as H
from ginsim.games.gin.hand import RECORD, asked_to_take, settle
from ginsim.games.gin.kernels import SLOTS
from ginsim.games.gin.rest import gain_of, play_discard, play_draw
from ginsim.games.gin.rollout.choices import KNOCKS, LANE, LAYS_DOWN, PASSES, TAKES
from ginsim.games.gin.rollout.playout import set_table, worth
from ginsim.games.gin.rollout.sample import CARDS, first_hidden, next_hidden
from ginsim.games.gin.rollout.seating import seat_opponent
from ginsim.games.kernel import F2, I1, I2, compiled
from ginsim.jit import njit

__all__ = ["following_kernel", "play_choice"]


@njit
def play_choice(t, kind, card, refill, params, slots):
    """Player 0 does what was chosen, and both play on: the points of player 0."""
    if kind <= PASSES:
        asked_to_take(t, np.int64(0), params, slots)  # strategies remember what they believed then
        return play_draw(t, np.int64(0), np.int64(kind == TAKES), refill, params, slots)
    if kind == LAYS_DOWN:
        settle(t, np.int64(0), np.int64(0), np.int64(H.BIG_GIN))
        return gain_of(t, np.int64(0))
    return play_discard(t, np.int64(0), card, np.int64(kind == KNOCKS), refill, params, slots)


@njit
def _follow(view, seen, seed, first, kinds, cards, t, deck, odds, drawn, params, slots, hands, values):
    """Fill a row of ``values`` for each draw of the hidden cards: points and chance to win the game of each choice.

    As ``roll_out``, with hands drawn as ``drawn`` says (`first_hidden`). Returns 0, or -1 if a strategy made a move that is not
    allowed.
    """
    hand, fit, state = first_hidden(seen, deck, odds, drawn, stream(seed, first, np.int64(LANE)))
    for r in range(len(hands)):
        hand, fit, state = next_hidden(seen, deck, drawn, hand, fit, state)
        hands[r] = hand
        for i in range(len(kinds)):
            t[RECORD, H.ERROR] = 0
            set_table(view, t, hand, deck[CARDS], np.uint64(state))
            seat_opponent(view, t[0], t[1])
            values[r, i, 0] = play_choice(t, kinds[i], cards[i], np.uint64(mix(np.uint64(state) + np.uint64(2))), params, slots)
            if t[RECORD, H.ERROR]:
                return -1
            values[r, i, 1] = worth(view, t, False)
    return 0


@functools.cache
def following_kernel() -> Any:
    """``_follow``, compiled for any strategies that are."""
    what = (I1, I1, nb.int64, nb.int64, I1, I1, I2, I2, nb.float64[::1], nb.float64[::1], F2, SLOTS, I1, nb.float64[:, :, ::1])
    return compiled(getattr(_follow, "py_func", _follow), nb.int64(*what))
