"""Which cards the opponent holds: the chance of each unseen card, from what they took, passed and discarded.

A card near one that they took is likelier, one near a card they discarded or passed less likely. *Near* is the same rank,
the next rank of the suit, or two ranks away. Each kind of evidence multiplies the odds of a card by a factor; the odds are
scaled so that the chances add up to the number of the opponent's unknown cards.
"""

from __future__ import annotations

import math

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import view as V
from ginsim.games.gin.players.outlook import last_value, unseen_cards, worth_more
from ginsim.jit import njit_inline, njit_lanes, njit_part, popcount
from ginsim.melds import neighbours

_LANE = 0xFFFF
_EVERY_SUIT = 0x0001000100010001
UNIT = 1 << 20
"""Chances are kept in the view as whole multiples of 1 / UNIT."""

# Factors of the odds: one card of the same rank, a second; one next to it in suit, a second; one two ranks away.
DISCARDED = (0.351, 0.489, 0.463, 0.606, 0.668)
PASSED = (0.431, 0.647, 0.526, 0.678, 0.682)
TOOK = (3.24, 5.11, 3.22, 11.1, 2.28)


@njit_inline
def near(cards, c):
    """``(rank1, rank2, next1, next2, two)``: cards with one, two of ``cards`` of their rank, beside them, two ranks away."""
    s, t, u, v = cards & _LANE, (cards >> 16) & _LANE, (cards >> 32) & _LANE, cards >> 48
    once = s | t | u | v
    twice = ((s | t) & (u | v)) | (s & t) | (u & v)
    down2, down1, up1, up2 = neighbours(cards, c)
    return once * _EVERY_SUIT, twice * _EVERY_SUIT, down1 | up1, down1 & up1, down2 | up2


@njit_inline
def _read(factors, reads):
    """The factors of one kind of evidence as far as it is read."""
    a, b, c, d, e = factors
    rest = 1.0 - reads
    return rest + reads * a, rest + reads * b, rest + reads * c, rest + reads * d, rest + reads * e


@njit_lanes
def _multiply(cards, kind, reads, view):
    """Multiply the weights of all cards by what the evidence of one kind, ``cards``, says of each."""
    rank1, rank2, next1, next2, two = near(cards, view)
    a, b, c, d, e = _read(kind, reads)
    weights = view.view(np.float64)
    for i in range(64):
        w = a if rank1 >> i & 1 else 1.0
        w *= b if rank2 >> i & 1 else 1.0
        w2 = c if next1 >> i & 1 else 1.0
        w2 *= d if next2 >> i & 1 else 1.0
        weights[V.WORK + i] *= w * w2 * (e if two >> i & 1 else 1.0)


@njit_part
def _weigh(unseen, held, kept_dear, reads, view):
    """Write the weight of each unseen card to the workspace, in order, and what is kept of it to the belief; their sum."""
    dear = worth_more(unseen, last_value(view), view)
    discards = view[V.OPP_DISCARDS]
    passed = view[V.OPP_PASSED] & ~discards
    weights = view.view(np.float64)
    for i in range(64):
        weights[V.WORK + i] = 1.0 if unseen >> i & 1 else 0.0
    if discards:
        _multiply(discards, DISCARDED, reads, view)
    if passed:
        _multiply(passed, PASSED, reads, view)
    if held:
        _multiply(held, TOOK, reads, view)
    for i in range(64):
        weights[V.WORK + i] *= kept_dear if dear >> i & 1 else 1.0
        view[V.BELIEF + i] = np.int64(weights[V.WORK + i] * UNIT)
    total = 0.0
    rest = unseen
    while rest:
        total += weights[V.WORK + popcount((rest & -rest) - 1)]
        rest &= rest - 1
    return total


@njit_part
def _chances(a, unseen, view):
    """Sums of the chances, and of how fast they change with the logarithm of ``a``, the scale of the odds."""
    chances = view.view(np.float64)
    for i in range(64):
        odds = a * view[V.BELIEF + i] / UNIT
        chances[V.WORK + i] = odds / (1.0 + odds)
    total = slope = 0.0
    rest = unseen
    while rest:
        chance = chances[V.WORK + popcount((rest & -rest) - 1)]
        total += chance
        slope += chance * (1.0 - chance)
        rest &= rest - 1
    return total, slope


@njit_lanes
def believe(view, kept_dear, reads):
    """Write the chance of every unseen card to ``view[V.BELIEF + …]``, in units of 1 / UNIT; 0 for the other cards.

    The slot of a card is ``popcount(card - 1)``. ``kept_dear`` is the factor of a card worth more than the last discard,
    ``reads`` how far the factors of the evidence are used: 0 is not at all, 1 fully (each is 1 + reads · (factor - 1)).
    """
    unseen, held = unseen_cards(view), view[V.OPP_HELD]
    total, count = _weigh(unseen, held, kept_dear, reads, view), popcount(unseen)
    unknown = view[D.HAND_SIZE] - popcount(held)
    if unknown <= 0 or unknown >= count or total * UNIT < count:  # nothing to weigh
        for i in range(64):
            view[V.BELIEF + i] = UNIT if unknown >= count and unseen >> i & 1 else 0
        return
    a = unknown / total * count / (count - unknown)
    for _ in range(2):  # Newton's steps for the logarithm of a
        total, slope = _chances(a, unseen, view)
        a *= math.exp(min(max((unknown - total) / slope, -2.0), 2.0))
    for i in range(64):
        odds = a * view[V.BELIEF + i] / UNIT
        view[V.BELIEF + i] = np.int64(UNIT * odds / (1.0 + odds))


@njit_inline
def held_chance(card, view):
    """Chance of one card as `believe` wrote it."""
    return view[V.BELIEF + popcount(card - 1)] / UNIT
