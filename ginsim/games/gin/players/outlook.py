"""What a player can work out of the view: who may hold a card, what a card may be worth next turn, what it may give away.

These are the features of the strategies that look ahead. ``H'`` is a hand of ten cards (as many as are dealt), an unseen
card one that is in the stock or, unknown, with the opponent.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import view as V
from ginsim.jit import njit, njit_inline
from ginsim.melds import points


@njit
def unseen_cards(view):
    """Cards that are in the stock or, unknown to the player, in the opponent's hand."""
    return view[D.FULL] & ~(view[V.HAND] | view[V.PILE] | view[V.OPP_HELD] | view[V.CHOSEN])


@njit
def last_value(view):
    """Points of the opponent's last discard; 10 if there is none."""
    turn = view[V.OPP_TURN]
    if turn == 0:
        return np.int64(10)
    return points(view[V.OPP_LOG + 2 * turn - 1], view)


@njit_inline
def worth_more(cards, value, c):
    """Those of ``cards`` that count more than ``value`` points (value 0 … 15)."""
    above = np.int64(0)
    equal = cards
    for k in range(3, -1, -1):
        bit = c[D.B0 + k]
        if value >> k & 1:
            equal &= bit
        else:
            above |= equal & bit
            equal &= ~bit
    return above
