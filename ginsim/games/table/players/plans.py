"""The plans that matter: everything that can be played is played, but for a card or two held back where a rule asks for it.

Which cards can be played together depends only on which of the contested ones (`contested`) stay out of new
sets: few subsets, all of which are tried. Holding melds back is the strategies' business: they ask for plans of fewer cards.
"""

from __future__ import annotations

from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.turns import DISCARD_REQUIRED, MELD_ONLY, arranged, contested
from ginsim.jit import njit
from ginsim.melds import MANY, dearest, fourth_cards, grow_runs, points

OUT = -1
"""Value of a plan that leaves no card."""


@njit
def last_card(cards):
    """The last of ``cards`` in the order S H D C, A … K."""
    while cards & (cards - 1):
        cards &= cards - 1
    return cards


@njit
def cheapest_hand(hand, sets, runs, c):
    """``(points, cards)`` left if all that can be played of ``hand`` is, with the least points left."""
    clash = contested(hand, sets, runs, c)
    best, best_left = MANY, hand
    kept_out = clash
    while True:
        own_sets, chain, own_runs, fourth = arranged(hand, kept_out, sets, runs, c)
        left = hand & ~(own_sets | chain | own_runs | fourth)
        value = points(left, c)
        if value < best:
            best, best_left = value, left
        if kept_out == 0:
            return best, best_left
        kept_out = (kept_out - 1) & clash


@njit
def _discard_of(left, banned, c):
    """``(value, discard)`` with ``left`` in hand: the points that stay, OUT or, if the rules forbid it, MANY."""
    if left == 0:
        return (MANY if c[R.OUT] == DISCARD_REQUIRED else OUT), left
    cards, value = dearest(left & ~banned, c)
    if value == 0:
        return MANY, cards
    card = last_card(cards)
    if left == card:
        return (MANY if c[R.OUT] == MELD_ONLY else OUT), card
    return points(left, c) - value, card


@njit
def best_with(hand, held, must, banned, sets, runs, c):
    """``(value, kept_out, discard)`` of the best turn that keeps ``held`` in hand or discards it, and plays all else it can."""
    free = hand & ~held
    clash = contested(free, sets, runs, c)
    best, best_out, best_card = MANY, clash, hand & 0
    kept_out = clash
    while True:
        own_sets, chain, own_runs, fourth = arranged(free, kept_out, sets, runs, c)
        left = hand & ~(own_sets | chain | own_runs | fourth)
        if left & must == 0:
            value, card = _discard_of(left, banned, c)
            if value < best:
                best, best_out, best_card = value, kept_out, card
        if kept_out == 0:
            return best, best_out, best_card
        kept_out = (kept_out - 1) & clash


@njit
def best_turn(hand, must, banned, sets, runs, c):
    """``(value, held, kept_out, discard)`` of the turn that plays all it can and leaves the fewest points; MANY if none is legal.

    Cards are held back only where playing all is not legal: one to discard, or one more that stays. Where a rule forbids to go
    out in one way, holding a card back could leave fewer points even so; that is not looked for.
    """
    nothing = hand & 0
    value, kept_out, card = best_with(hand, nothing, must, banned, sets, runs, c)
    if value != MANY:
        return value, nothing, kept_out, card
    best, best_held, best_out, best_card = MANY, nothing, nothing, nothing
    first = hand & ~must
    while first:
        one = first & -first
        second = first
        while second:  # the first time it is the same card: one is held
            two = second & -second
            second ^= two
            value, kept_out, card = best_with(hand, one | two, must, banned, sets, runs, c)
            if value < best:
                best, best_held, best_out, best_card = value, one | two, kept_out, card
        first ^= one
    return best, best_held, best_out, best_card


@njit
def write_plan(v, free, kept_out):
    """Write the arrangement of ``free`` with ``kept_out`` into the plan of the view ``v``; what fits nowhere stays."""
    own_sets, chain, own_runs, fourth = arranged(free, kept_out, v[V.SETS], v[V.RUNS], v)
    melds = v[V.MELDS]
    for i in range(melds):
        meld = v[V.MELD + i]
        add = meld & 0
        if meld & v[V.SETS]:
            add = fourth & fourth_cards(meld)
        elif chain:
            add = grow_runs(meld, chain, v) & ~meld
            chain ^= add
        v[V.PLAN_MELDS + i] = add
    at = V.PLAN_MELDS + melds
    while own_sets:
        card = own_sets & -own_sets
        v[at] = (card | fourth_cards(card)) & own_sets
        own_sets ^= v[at]
        at += 1
    while own_runs:
        v[at] = grow_runs(own_runs & -own_runs, own_runs, v)
        own_runs ^= v[at]
        at += 1
    while at < V.PLAN_MELDS + V.MOST_MELDS:
        v[at] = 0
        at += 1


@njit
def write_turn(v, hand, must, banned):
    """Write the best turn of ``hand`` into the plan of ``v``; returns its value."""
    value, held, kept_out, card = best_turn(hand, must, banned, v[V.SETS], v[V.RUNS], v)
    write_plan(v, hand & ~held, kept_out)
    v[V.PLAN_DISCARD] = card
    return value


__all__ = [
    "OUT", "best_turn", "best_with", "cheapest_hand", "last_card", "write_plan", "write_turn",
]  # fmt: skip
