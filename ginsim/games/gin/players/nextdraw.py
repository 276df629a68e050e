"""What each discard of a hand leaves after the next draw and its best discard, for all its discards side by side.

Each discard has a lane: an entry in every row of the workspace that follows the belief in the view. What is done to all
lanes is done in one loop without a branch, so that LLVM takes eight lanes, or four, at a time. Such a loop runs over
``range(lanes)`` from 0, where ``lanes`` is 8 or 16 (`lanes_of`), so that there is no remainder; spare lanes hold no discard
and what comes out in them is not read. The cards that are waited for are gone through one by one, in order; what a draw
leaves is found once for all discards that only take themselves away.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import view as V
from ginsim.games.gin.players.opponent import held_chance
from ginsim.jit import njit, njit_inline, njit_part, popcount
from ginsim.melds import MANY, best_discards, dearest, loose_cards, makes_meld, meld_constants, points, run_cards, set_cards

# Rows of whole numbers: the card discarded, its loose cards and then their number; the cards waited for; the deadwood left.
L_CARD, L_LOOSE, L_FITS, L_NOW = range(V.WORK, V.WORK + 4 * V.LANES, V.LANES)
# Rows of floats (of ``view.view(np.float64)``): the points of the card; the sum of the weights; weighted sums and then means over
# the draws of the deadwood, the unmatched cards, the deadwood cut at 10, the chance of at most 10; the cost.
L_POINTS, L_TOTAL, L_NEXT, L_UNMATCHED, L_LOW, L_REACH, L_COST = range(V.WORK + 4 * V.LANES, V.WORK + 11 * V.LANES, V.LANES)


@njit_inline
def lanes_of(n):
    """Lanes gone through for ``n`` discards."""
    return 8 if n <= 8 else 16


@njit_inline
def lane_of(card, listed):
    """The lane of one of the cards ``listed``."""
    return popcount(listed & (card - 1))


@njit
def loose_in_best(h, c):
    """Unmatched cards of one arrangement with least deadwood."""
    runs, sets = run_cards(h, c), set_cards(h)
    clash = runs & sets
    if clash == 0:
        return h & ~(runs | sets)
    best, found = MANY, np.int64(0)
    kept_out = clash
    while True:
        loose = loose_cards(h, kept_out, c)
        left = points(loose, c)
        if left < best:
            best, found = left, loose
        if kept_out == 0:
            return found
        kept_out = (kept_out - 1) & clash


@njit_inline
def dearest_value(h, c):
    """What the dearest of the cards ``h`` is worth, 0 for no card; as `dearest`, without a branch."""
    value = 0
    for k in range(3, -1, -1):
        t = h & c[D.B0 + k]
        h = t if t else h
        value += 1 << k if t else 0
    return value


@njit_inline
def cheaper(cards, value, c):
    """``(those of cards that count less than value, those that count as much)``, value 0 … 15, without a branch."""
    below, equal = np.int64(0), cards
    for k in range(3, -1, -1):
        bit, wanted = c[D.B0 + k], -(value >> k & 1)
        below |= equal & wanted & ~bit
        equal &= ~(bit ^ wanted)
    return below, equal


@njit_part
def _begin(hand, unseen, lanes, view):
    """Count the draws of cards that meld with nothing: they go again, or replace the dearest unmatched card."""
    c, floats = meld_constants(view), view.view(np.float64)
    for i in range(lanes):
        loose = view[L_LOOSE + i]
        now, dear, count = points(loose, c), dearest_value(loose, c), popcount(loose)
        card = view[L_CARD + i]
        fits = makes_meld(hand & ~card, c) & unseen
        others = unseen & ~fits
        number = popcount(others)
        saving, _ = cheaper(others, dear, c)
        most = max(dear - max(now - 10, 0), 0)  # cards worth less bring the deadwood below 10, or lower it there
        lowering, just = cheaper(others, most, c)
        reaching = number if now <= 10 else popcount(lowering | just)
        view[L_FITS + i], view[L_NOW + i] = fits, now
        view[L_LOOSE + i] = count
        floats[L_POINTS + i] = points(card, c)
        floats[L_TOTAL + i] = number
        floats[L_NEXT + i] = now * number - (dear * popcount(saving) - points(saving, c))
        floats[L_UNMATCHED + i] = count * number
        floats[L_LOW + i] = min(now, 10) * number - (most * popcount(lowering) - points(lowering, c))
        floats[L_REACH + i] = reaching


@njit
def after_draw(h, c):
    """``(deadwood, unmatched cards)`` left by the best discard of a hand with one card too many."""
    runs, sets = run_cards(h, c), set_cards(h)
    clash = runs & sets
    best, count = MANY, 0
    kept_out = clash
    while True:
        loose = loose_cards(h, kept_out, c) if clash else h & ~(runs | sets)
        value = dearest(loose, c)[1]
        if value == 0:  # all melded: one of them goes, and may leave others unmatched
            gives, cards = best_discards(h, np.int64(0), c)
            return gives, popcount(loose_in_best(h ^ (cards & -cards), c))
        left = points(loose, c) - value
        if left < best:
            best, count = left, popcount(loose) - 1
        if kept_out == 0:
            return best, count
        kept_out = (kept_out - 1) & clash


@njit_part
def after_draw_of_all(h, c):
    """``(deadwood, unmatched cards, plain, single, second)`` left by the best discard of a hand with two cards too many.

    If one of the cards ``plain`` goes too, only its own points are missing, or if it is ``single``, ``second`` points: it can be
    in no meld, and in no arrangement, or in the only one, is it the one card to discard.
    """
    runs, sets = run_cards(h, c), set_cards(h)
    clash, plain = runs & sets, h & ~(runs | sets)
    if clash == 0:
        cards, value = dearest(plain, c)
        left, count = points(plain, c) - value, popcount(plain) - 1
        if cards & (cards - 1):
            return left, count, plain, np.int64(0), 0
        second = dearest(plain ^ cards, c)[1]
        return left, count, plain if second else plain ^ cards, cards, second
    best, count = MANY, 0
    kept_out = clash
    while True:
        loose = loose_cards(h, kept_out, c)
        cards, value = dearest(loose, c)
        if cards & (cards - 1) == 0:
            plain &= ~cards
        left = points(loose, c) - value
        if left < best:
            best, count = left, popcount(loose) - 1
        if kept_out == 0:
            return best, count, plain, np.int64(0), 0
        kept_out = (kept_out - 1) & clash


@njit_part
def _add(lane, weight, left, unmatched, floats):
    """Add a draw to one lane."""
    floats[L_TOTAL + lane] += weight
    floats[L_NEXT + lane] += weight * left
    floats[L_UNMATCHED + lane] += weight * unmatched
    floats[L_LOW + lane] += weight * min(left, 10.0)
    floats[L_REACH + lane] += weight if left <= 10.0 else 0.0


@njit_part
def _draw(d, hand, weight, discards, lanes, view):
    """Add the draw of ``d``, where it is waited for."""
    floats = view.view(np.float64)
    left, unmatched, plain, single, second = after_draw_of_all(hand | d, view)
    for i in range(lanes):
        card = view[L_CARD + i]
        w = weight if view[L_FITS + i] & d and card & plain else 0.0
        _add(i, w, left - (second if card == single else floats[L_POINTS + i]), unmatched - 1.0, floats)
    others = discards & ~plain
    while others:
        x = others & -others
        others ^= x
        lane = lane_of(x, discards)
        if view[L_FITS + lane] & d:
            left, unmatched = after_draw(hand ^ x | d, view)
            _add(lane, weight, left, unmatched, floats)


@njit_part
def _divide(lanes, view):
    """Make means of the sums; with nothing to draw all stays as it is."""
    floats = view.view(np.float64)
    for i in range(lanes):
        total, now = floats[L_TOTAL + i], view[L_NOW + i]
        some = total > 0.0
        floats[L_NEXT + i] = floats[L_NEXT + i] / total if some else now
        floats[L_UNMATCHED + i] = floats[L_UNMATCHED + i] / total if some else view[L_LOOSE + i]
        floats[L_LOW + i] = floats[L_LOW + i] / total if some else min(now, 10)
        floats[L_REACH + i] = floats[L_REACH + i] / total if some else 0.0


@njit_part
def outlooks(hand, discards, unseen, even, opp_holds, dear_draw, view):
    """Expected deadwood, unmatched cards, deadwood cut at 10 and chance of at most 10 after a draw and the best discard.

    The rows ``L_CARD`` and ``L_LOOSE`` hold the ``discards``, in order, and the unmatched cards they leave. A card that makes
    a meld is weighted by how likely it is to be in the stock.
    """
    lanes = lanes_of(popcount(discards))
    _begin(hand, unseen, lanes, view)
    waited = makes_meld(hand, view) & unseen
    while waited:
        d = waited & -waited
        waited ^= d
        weight = max(0.1, 1.0 + opp_holds * (held_chance(d, view) - even) + dear_draw * (points(d, view) - 6.5))
        _draw(d, hand, weight, discards, lanes, view)
    _divide(lanes, view)
