"""What a player can work out of the view: who may hold a card, what a card may be worth next turn, what it may give away.

These are the features of the strategies that look ahead. ``H'`` is a hand of ten cards (as many as are dealt), an unseen
card one that is in the stock or, unknown, with the opponent.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import view as V
from ginsim.jit import njit, njit_inline
from ginsim.melds import points, turned


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


@njit_inline
def neighbours(h, c):
    """``(down2, down1, up1, up2)``: the cards of the deck one and two ranks below and above those of ``h``."""
    turn, around, full = c[D.RANKS], c[D.WRAP_LOW], c[D.FULL]
    top = around << (turn - 2)
    up1 = (h << 1) | ((h >> (turn - 1)) & around)
    up2 = (h << 2) | ((h >> (turn - 2)) & around)
    down1 = (h >> 1) | ((h << (turn - 1)) & top)
    down2 = (h >> 2) | ((h << (turn - 2)) & top)
    return down2 & full, down1 & full, up1 & full, up2 & full


@njit_inline
def makes_meld(h, c):
    """Cards outside ``h`` that would lie in a meld with cards of it."""
    down2, down1, up1, up2 = neighbours(h, c)
    runs = (up1 & up2) | (down1 & down2) | (up1 & down1)
    s, t, u = turned(h, 1), turned(h, 2), turned(h, 3)
    return (runs | s & t | s & u | t & u) & c[D.FULL] & ~h
