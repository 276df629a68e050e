"""What a hand of the table game weighs after a card from the stock and the best turn with it, on average.

Most cards that may come are idle: they make no meld with the hand and cannot be laid off, so that all else stays where it is, and
the hand has one more card to keep or to discard. They are weighed side by side: each has a lane, an entry in every row of the
workspace at the end of the view, and what is done to all lanes is one loop without a branch over ``range(lanes)``, of which LLVM
takes eight, or four, at a time. Spare lanes hold no card, and what comes out in them is not read.
"""

from __future__ import annotations

import numpy as np

from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.players.decisions import grow_once
from ginsim.games.table.players.weighing import CARDS, GOES_OUT, NONE, OUTS, burden, weigh, weight_of_points
from ginsim.games.table.turns import MELD_ONLY, arranged, contested
from ginsim.jit import njit, njit_inline, njit_lanes, njit_part, popcount
from ginsim.melds import fourth_cards, grow_runs, makes_meld, meld_constants, points

L_CARD, L_VALUE = V.WORK, V.WORK + V.LANES
"""Rows of the workspace: the card that comes; what the hand weighs then (of ``view.view(np.float64)``)."""


@njit_inline
def lanes_of(n):
    """Lanes gone through for ``n`` cards."""
    return n + 15 & ~15


@njit
def idle_cards(unseen, view):
    """Those of the cards ``unseen`` that make no meld with the hand and cannot be laid off, not even behind cards of it."""
    hand, sets, runs = view[V.HAND], view[V.SETS], view[V.RUNS]
    return unseen & ~(makes_meld(hand, view) | fourth_cards(sets) | grow_once(grow_runs(runs, hand, view), unseen, view))


@njit_part
def _discarded(loose, own_runs, unseen, weight, lanes, view, params):
    """Weigh the hand that keeps the cards ``loose`` and what comes."""
    c, floats = meld_constants(view), view.view(np.float64)
    held, least = loose | own_runs, points(loose, c)
    cards, each_out = params[CARDS] * (popcount(loose) + 1), params[OUTS]
    for i in range(lanes):
        card = view[L_CARD + i]
        outs = popcount(makes_meld(held | card, c) & unseen)
        value = weight * (least + points(card, c)) + cards - each_out * outs
        best = floats[L_VALUE + i]
        floats[L_VALUE + i] = value if value < best else best


@njit_part
def weigh_idle(view, params, idle, unseen):
    """Write the weight of the hand after the best turn with each of the cards ``idle`` to its lane, in their order."""
    sets, runs, lanes = view[V.SETS], view[V.RUNS], lanes_of(popcount(idle))
    floats, weight = view.view(np.float64), weight_of_points(view, params)
    rest, best = idle, NONE
    for i in range(lanes):
        view[L_CARD + i] = rest & -rest
        floats[L_VALUE + i] = NONE
        rest &= rest - 1
    kept_out = clash = contested(view[V.HAND], sets, runs, view)
    while True:
        own_sets, chain, own_runs, fourth = arranged(view[V.HAND], kept_out, sets, runs, view)
        left = view[V.HAND] & ~(own_sets | chain | own_runs | fourth)
        if left:  # what comes is discarded again, or one of the cards left is
            best = min(best, burden(left, own_runs, unseen, weight, view, params))
        elif view[R.OUT] != MELD_ONLY:
            best = GOES_OUT
        rest = left
        while rest:
            x = rest & -rest
            rest ^= x
            _discarded(left ^ x, own_runs, unseen, weight, lanes, view, params)
        if kept_out == 0:
            break
        kept_out = (kept_out - 1) & clash
    for i in range(lanes):
        value = floats[L_VALUE + i]
        floats[L_VALUE + i] = value if value < best else best


@njit_lanes
def after_stock(view, params, unseen):
    """Mean weight of the hand after a card from the stock and the best turn with it."""
    idle = idle_cards(unseen, view)
    weigh_idle(view, params, idle, unseen)
    values = view.view(np.float64)
    total, lane, rest, nothing = 0.0, L_VALUE, unseen, unseen & 0
    while rest:
        card = rest & -rest
        rest ^= card
        if card & idle:
            value = values[lane]
            lane += 1
        else:
            value = weigh(view, params, view[V.HAND] | card, nothing, nothing, unseen ^ card, 0.0)[0]
        total += max(value, -100.0)
    return total / max(popcount(unseen), 1)
