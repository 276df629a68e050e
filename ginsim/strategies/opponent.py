"""Which cards the opponent holds: the chance of each unseen card, from what they took, passed and discarded.

A card near one that they took is likelier, one near a card they discarded or passed less likely. *Near* is the same rank,
the next rank of the suit, or two ranks away. Each kind of evidence multiplies the odds of a card by a factor; the odds are
scaled so that the chances add up to the number of the opponent's unknown cards.
"""

from __future__ import annotations

import math

from ginsim.jit import njit, njit_inline, popcount
from ginsim.layout import R_HAND_SIZE
from ginsim.strategies.outlook import last_value, neighbours, unseen_cards, worth_more
from ginsim.strategies.view import V_BELIEF, V_OPP_DISCARDS, V_OPP_HELD, V_OPP_PASSED

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


@njit_inline
def _factor(card, around, factors):
    rank1, rank2, next1, next2, two = around
    w = factors[0] if card & rank1 else 1.0
    w *= factors[1] if card & rank2 else 1.0
    w2 = factors[2] if card & next1 else 1.0
    w2 *= factors[3] if card & next2 else 1.0
    return w * w2 * (factors[4] if card & two else 1.0)


@njit
def believe(view, kept_dear, reads):
    """Write the chance of every unseen card to ``view[V_BELIEF + …]``, in units of 1 / UNIT; 0 for the other cards.

    The slot of a card is ``popcount(card - 1)``. ``kept_dear`` is the factor of a card worth more than the last discard,
    ``reads`` how far the factors of the evidence are used: 0 is not at all, 1 fully (each is 1 + reads · (factor - 1)).
    """
    unseen, held = unseen_cards(view), view[V_OPP_HELD]
    discards = view[V_OPP_DISCARDS]
    d, p, k = near(discards, view), near(view[V_OPP_PASSED] & ~discards, view), near(held, view)
    discarded, passed, took = _read(DISCARDED, reads), _read(PASSED, reads), _read(TOOK, reads)
    dear = worth_more(unseen, last_value(view), view)
    for i in range(64):
        view[V_BELIEF + i] = 0
    total, count = 0.0, 0
    rest = unseen
    while rest:
        card = rest & -rest
        rest ^= card
        w = _factor(card, d, discarded) * _factor(card, p, passed) * _factor(card, k, took)
        if card & dear:
            w *= kept_dear
        view[V_BELIEF + popcount(card - 1)] = int(w * UNIT)
        total += w
        count += 1
    unknown = view[R_HAND_SIZE] - popcount(held)
    if unknown <= 0 or unknown >= count or total * UNIT < count:  # nothing to weigh
        rest = unseen
        while rest:
            card = rest & -rest
            rest ^= card
            view[V_BELIEF + popcount(card - 1)] = UNIT if unknown >= count else 0
        return
    a = unknown / total * count / (count - unknown)
    for _ in range(2):  # Newton's steps for the logarithm of a
        total = slope = 0.0
        rest = unseen
        while rest:
            card = rest & -rest
            rest ^= card
            odds = a * view[V_BELIEF + popcount(card - 1)] / UNIT
            chance = odds / (1.0 + odds)
            total += chance
            slope += chance * (1.0 - chance)
        a *= math.exp(min(max((unknown - total) / slope, -2.0), 2.0))
    rest = unseen
    while rest:
        card = rest & -rest
        rest ^= card
        odds = a * view[V_BELIEF + popcount(card - 1)] / UNIT
        view[V_BELIEF + popcount(card - 1)] = int(UNIT * odds / (1.0 + odds))


@njit_inline
def held_chance(card, view):
    """Chance of one card as `believe` wrote it."""
    return view[V_BELIEF + popcount(card - 1)] / UNIT
