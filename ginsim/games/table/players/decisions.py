"""Decisions of the table game that the shipped strategies are made of, one jitted function each.

A decision takes ``view`` (int64[::1], see ``ginsim.games.table.view``) and ``params`` (float64[::1]) and returns an int64:

- draw: 0 for the stock, or how many cards to take from the pile;
- play: 1, with the plan (melds, lay-offs, discard) written into the view;
- claim: 0 to pass, or 1 with the plan written into the view.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.deals import draw_below
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.players.plans import OUT, best_turn, cheapest_hand, write_turn
from ginsim.games.table.turns import DISCARD_REQUIRED, MELD_ONLY, banned_discards, can_take, fewest_played, is_meld, reach
from ginsim.jit import njit, popcount
from ginsim.melds import MANY, fourth_cards, grow_runs, joins_meld, set_cards


@njit
def random_below(view, n):
    """A random index 0 … n - 1 from the player's own stream."""
    return draw_below(view, V.RANDOM, n)


# A turn at random.


@njit
def random_draw(view, params):
    """The stock or a legal number of cards from the pile, each with the same chance."""
    most = min(view[R.MAX_PILE_DRAW], view[V.PILE_SIZE])
    depth = random_below(view, most + 1)
    return depth if depth == 0 or can_take(view, view[V.HAND], depth) else np.int64(0)


@njit
def random_play(view, params):
    """The best turn of a random part of the hand, or of all of it, with any legal discard."""
    hand, must, banned = view[V.HAND], view[V.DEEPEST], view[V.BANNED]
    held = hand & 0
    if random_below(view, 2):
        rest = hand & ~must
        while rest:
            card = rest & -rest
            rest ^= card
            if random_below(view, 2):
                held |= card
    if not _random_turn(view, hand, held, must, banned):
        write_turn(view, hand, must, banned)
    return np.int64(1)


@njit
def _random_turn(view, hand, held, must, banned):
    """Write a turn that plays all but ``held``, with any legal discard; False if that is not legal."""
    if hand & ~held == 0 or write_turn(view, hand & ~held, must, banned) == MANY:
        return False
    left = hand
    for i in range(V.PLAN_MELDS, V.PLAN_MELDS + V.MOST_MELDS):
        left &= ~view[i]
    free = left & ~banned
    if left == 0:
        return True
    if free == 0 or (left & (left - 1) == 0 and view[R.OUT] == MELD_ONLY):
        return False
    for _ in range(random_below(view, popcount(free))):
        free &= free - 1
    view[V.PLAN_DISCARD] = free & -free
    return True


@njit
def random_claim(view, params):
    """Claim or not, with even chances."""
    if random_below(view, 2) == 0:
        return np.int64(0)
    return write_claim(view, np.int64(MANY))


# Playing all that can be played.


@njit
def after_claim(view, add, to_sets):
    """Points left in hand, all that can be played taken off, once a claim puts ``add`` on the table (OUT: no card is left).

    ``to_sets`` says whether it becomes part of a set there, or of a run.
    """
    hand = view[V.HAND] & ~add
    if hand == 0:
        return np.int64(OUT)
    sets, runs = view[V.SETS], view[V.RUNS]
    return cheapest_hand(hand, sets | add if to_sets else sets, runs if to_sets else runs | add, view)[0]


@njit
def _consider(view, meld, best, best_meld):
    """The better of a claim's best new meld so far and ``meld``."""
    count = view[V.COUNT + view[V.SEAT]]
    if view[R.OUT] == DISCARD_REQUIRED and popcount(meld) > count:
        return best, best_meld
    value = after_claim(view, meld, set_cards(meld) != 0)
    return (value, meld) if value < best else (best, best_meld)


@njit
def best_new_meld(view):
    """``(value, meld)`` of the best claim by a new meld: points left in hand, MANY if there is none.

    What is tried: all cards of a rank, three of them, the longest run, and the three-card runs.
    """
    card, hand = view[V.CARD], view[V.HAND]
    best, meld = np.int64(MANY), card
    if not joins_meld(hand, card, view):
        return best, meld
    alike = fourth_cards(card) & hand
    if popcount(alike) >= 2:
        best, meld = _consider(view, alike | card, best, meld)
        rest = alike if popcount(alike) == 3 else alike & 0
        while rest:
            one = rest & -rest
            rest ^= one
            best, meld = _consider(view, (alike ^ one) | card, best, meld)
    arc = grow_runs(card, hand, view)
    if popcount(arc) >= 3:
        best, meld = _consider(view, arc, best, meld)
    if popcount(arc) > 3:
        near = grow_once(card, arc, view)
        ends = grow_once(near, arc, view) ^ near
        while ends:
            one = ends & -ends
            ends ^= one
            best, meld = _consider(view, card | grow_once(one, near, view), best, meld)
        if popcount(near) == 3:
            best, meld = _consider(view, near, best, meld)
    return best, meld


@njit
def best_lay_off(view):
    """``(value, onto)`` of the best claim by laying off: points left in hand, the number of the meld (-1: the card fits none)."""
    card = view[V.CARD]
    best, onto = np.int64(MANY), np.int64(-1)
    if reach(view[V.SETS], view[V.RUNS], card, view):
        for i in range(view[V.MELDS]):
            meld = view[V.MELD + i]
            if is_meld(meld | card, view):
                value = after_claim(view, card, meld & view[V.SETS] != 0)
                if value < best:
                    best, onto = value, np.int64(i)
    return best, onto


@njit
def grow_once(cards, among, c):
    """``cards`` with those of ``among`` that stand next to them in a suit."""
    low, turn = c[D.WRAP_LOW], c[D.RANKS] - 1
    beside = (cards << 1) | (cards >> 1) | ((cards & low) << turn) | ((cards >> turn) & low)
    return cards | (beside & among)


@njit
def write_claim(view, most):
    """Write the best claim into the plan if it leaves fewer than ``most`` points; 1 if it does, else 0."""
    value, meld = best_new_meld(view)
    after, onto = best_lay_off(view)
    if value != OUT and min(value, after) >= most:
        return np.int64(0)
    if value <= after:
        view[V.PLAN_MELDS + view[V.MELDS]] = meld
    else:
        view[V.PLAN_MELDS + onto] = view[V.CARD]
    return np.int64(1)


@njit
def greedy_draw(view, params):
    """Take as many pile cards as leave the fewest points, if the deepest can be played and the hand then has fewer than now."""
    hand, sets, runs = view[V.HAND], view[V.SETS], view[V.RUNS]
    best, depth = cheapest_hand(hand, sets, runs, view)[0], np.int64(0)
    size = view[V.PILE_SIZE]
    taken = hand & 0
    for k in range(1, min(view[R.MAX_PILE_DRAW], size) + 1):
        card = view[V.PILE + size - k]
        taken |= card
        if fewest_played(hand | taken, card, sets, runs, view):
            value = best_turn(hand | taken, card, banned_discards(taken, view), sets, runs, view)[0]
            if value < best:
                best, depth = value, np.int64(k)
    return depth


@njit
def greedy_play(view, params):
    """Meld and lay off as much as possible, discard the highest card left."""
    write_turn(view, view[V.HAND], view[V.DEEPEST], view[V.BANNED])
    return np.int64(1)


@njit
def greedy_claim(view, params):
    """Take the discard if that leaves fewer points in hand."""
    return write_claim(view, cheapest_hand(view[V.HAND], view[V.SETS], view[V.RUNS], view)[0])
