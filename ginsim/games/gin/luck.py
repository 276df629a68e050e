"""The luck of the draw: how much better the cards from the stock were than the rest of the stock would have been.

When a player draws from the stock, every card left in it is as likely to come, given all that happened before. So a
quantity of the card drawn less its mean over the stock has mean 0, whatever the strategies do, and so has the sum over a
hand (a martingale; the idea is that of MIVAT, White and Bowling, IJCAI 2009, and AIVAT, Burch et al., AAAI 2018). Such
sums make control variates: see ``ginsim.inference.control``.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, FAILED, FIRST, RECORD, new_deck
from ginsim.games.gin.kernels import kernel, record_hand
from ginsim.games.kernel import I2
from ginsim.jit import njit
from ginsim.melds import best_discards, deadwood

__all__ = ["LUCK", "LUCK_SIZE", "SCALE", "hand_luck", "luck_kernel"]

LUCK = ("deadwood", "knock", "gin", "lead")
"""What a draw is judged by, each with the best discard after it: deadwood (less is luckier), 1 if a knock is legal, 1 if
it is gin, and the opponent's deadwood less the own if a knock is legal (else 0)."""
LUCK_SIZE = 2 * len(LUCK)
"""Sums of one hand: those of player 0, then those of player 1."""
SCALE = 256
"""Luck is counted in integers, so that sums are exact: ``SCALE`` is about one unit of ``LUCK``."""
_K = len(LUCK)


@njit
def _draw_luck(t, player, hand, other, at, out):
    """Add the luck of drawing ``deck[at]`` from the cards ``deck[at:]`` to ``hand``, the opponent holding ``other``."""
    me, deck, none = t[player], t[DECK], np.int64(0)
    end = me[D.RANKS] * me[D.SUITS]
    left = end - at
    # About SCALE / left, and an integer known before the draw: the mean stays exactly 0.
    weight = (SCALE + left // 2) // left * me[V.MULTIPLIER]
    limit, facing = me[R.LIMIT], deadwood(other, me)
    own, knocks, gins, leads = none, none, none, none
    for i in range(at, end):
        after = best_discards(hand | deck[i], none, me)[0]
        times = left - 1 if i == at else -1
        own -= times * after
        if after <= limit:
            knocks += times
            leads += times * (facing - after)
        if after == 0:
            gins += times
    first = _K * player
    out[first] += weight * own
    out[first + 1] += weight * knocks
    out[first + 2] += weight * gins
    out[first + 3] += weight * leads


@njit
def _turns(view):
    """Turns of a player whose draw is known, a last one that ended in big gin included."""
    return view[V.TURN] + (1 if view[V.DRAWN] else 0)


@njit
def _drawn(view, turn):
    """The card drawn on an own turn; 0 on a first turn that only discards."""
    return view[V.OWN_LOG + 2 * turn] if turn < view[V.TURN] else view[V.DRAWN]


@njit
def hand_luck(t, out):
    """Luck of all draws from the stock in the hand just played on the table ``t``, into ``out`` (int64[LUCK_SIZE]).

    The deck must be as it was dealt: not for rules that reshuffle. The moves are read from the players' logs.
    """
    for k in range(LUCK_SIZE):
        out[k] = 0
    deck, starter, n = t[DECK], t[RECORD][H.STARTER], t[0][D.HAND_SIZE]
    more = n + t[0][R.ELEVEN]
    hand = other = np.int64(0)
    for i in range(more):
        hand |= deck[i]
    for i in range(more, more + n):
        other |= deck[i]
    at = 2 * n + 1
    player = t[RECORD][FIRST]
    if player != starter:
        hand, other = other, hand
    turn = np.int64(0)
    while turn // 2 < _turns(t[player]):
        me, own = t[player], turn // 2
        card = _drawn(me, own)
        if card != 0 and t[1 - player][V.OPP_LOG + 2 * own] == 0:
            _draw_luck(t, player, hand, other, at, out)
            at += 1
        hand |= card
        if own < me[V.TURN]:
            hand ^= me[V.OWN_LOG + 2 * own + 1]
        hand, other = other, hand
        player, turn = 1 - player, turn + 1


def play_lucky_pairs(play_one, t, seed, first, count, params, slots, records, lucks):
    """As ``ginsim.games.gin.kernels.play_pairs``; the luck of each hand goes into its row of ``lucks``."""
    row = 0
    for index in range(first, first + count):
        new_deck(t, seed, index)
        for play in range(2):
            row += 1
            if record_hand(play_one, t, seed, index, play, params, slots, records, row - 1) == FAILED:
                return row
            hand_luck(t, lucks[row - 1])
    return row


@functools.cache
def luck_kernel(kind: str) -> Any:
    """``play_lucky_pairs`` for strategies of ``kind``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_lucky_pairs, kind, I2)
