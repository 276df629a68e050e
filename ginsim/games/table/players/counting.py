"""Decisions of the table game that count cards: what a hand may still become, what a discard gives away, what to hold back."""

from __future__ import annotations

import numpy as np

from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.players.afterstock import after_stock
from ginsim.games.table.players.decisions import best_lay_off, best_new_meld
from ginsim.games.table.players.plans import OUT, cheapest_hand, write_plan, write_turn
from ginsim.games.table.players.weighing import (
    CLAIM,
    DANGER,
    DEPTH,
    GOES_OUT,
    LAY,
    MINING,
    NONE,
    PARAMS,
    unseen_cards,
    weigh,
)
from ginsim.games.table.turns import banned_discards, fewest_played
from ginsim.jit import njit, popcount

__all__ = ["PARAMS", "counting_claim", "counting_draw", "counting_play"]


@njit
def counting_draw(view, params):
    """Take from the pile if the deepest card is played and the hand then weighs less than after an average card of the stock."""
    hand, size = view[V.HAND], view[V.PILE_SIZE]
    unseen = unseen_cards(view)
    best, depth = NONE, np.int64(0)
    taken = hand & 0
    for k in range(1, min(np.int64(params[DEPTH]), view[R.MAX_PILE_DRAW], size) + 1):
        card = view[V.PILE + size - k]
        taken |= card
        if fewest_played(hand | taken, card, view[V.SETS], view[V.RUNS], view):
            value = weigh(view, params, hand | taken, card, banned_discards(taken, view), unseen, 0.0)[0]
            if value < NONE:
                value += params[MINING] * (k - 1)
            if value < best:
                best, depth = value, np.int64(k)
    if depth == 0 or best <= GOES_OUT / 2:
        return depth
    return depth if best < after_stock(view, params, unseen) else np.int64(0)


@njit
def counting_play(view, params):
    """Lay off as much as possible, meld when ``lay`` allows it, discard what weighs most and is of least use to the others."""
    hand, must, banned = view[V.HAND], view[V.DEEPEST], view[V.BANNED]
    value, kept_out, card = weigh(view, params, hand, must, banned, unseen_cards(view), params[DANGER])
    if value == NONE:
        write_turn(view, hand, must, banned)
        return np.int64(1)
    write_plan(view, hand, kept_out)
    view[V.PLAN_DISCARD] = card
    if value > GOES_OUT and view[R.COUNT] == 0:
        _hold_back(view, params, must)
    return np.int64(1)


@njit
def _hold_back(view, params, must):
    """Take the new melds out of the plan if too many other cards would be left, all but the one with ``must``."""
    left = view[V.HAND] & ~view[V.PLAN_DISCARD]
    for i in range(V.PLAN_MELDS, V.PLAN_MELDS + V.MOST_MELDS):
        left &= ~view[i]
    if popcount(left) <= params[LAY]:
        return
    first = V.PLAN_MELDS + view[V.MELDS]
    kept = first
    for i in range(first, V.PLAN_MELDS + V.MOST_MELDS):
        meld = view[i]
        view[i] = 0
        if meld & must:
            view[kept] = meld
            kept += 1


@njit
def counting_claim(view, params):
    """Take the discard if that saves enough points, or ends the hand.

    Who is next may draw the card as well, and passes on a new meld unless another can lay the card off.
    """
    card, seat = view[V.CARD], view[V.SEAT]
    now = cheapest_hand(view[V.HAND], view[V.SETS], view[V.RUNS], view)[0]
    value, meld = best_new_meld(view)
    after, onto = best_lay_off(view)
    first = seat == view[V.TURN] % view[R.PLAYERS]
    if value == OUT or (now - value >= params[CLAIM] and (onto >= 0 or not first)):
        view[V.PLAN_MELDS + view[V.MELDS]] = meld
        return np.int64(1)
    if onto >= 0 and not first and now - after >= params[CLAIM]:
        view[V.PLAN_MELDS + onto] = card
        return np.int64(1)
    return np.int64(0)
