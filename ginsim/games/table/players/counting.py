"""Decisions of the table game that count cards: what a hand may still become, what a discard gives away, what to hold back.

A hand is weighed by the cards that neither lie in a meld nor can be laid off: their points, ``cards`` for each of them, less
``outs`` for each unseen card that would make a meld of two of them. What a discard gives away is the chance that one of the
others can use it: at once if the table takes it, else for each pair of cards that makes a meld of it the chance that one player
holds both or finds them in the pile, as deep as a draw goes. A card that a player took from the pile and still has is known; the
rest of the hands is spread evenly over the cards not seen.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.decisions import Param
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.players.decisions import best_lay_off, best_new_meld
from ginsim.games.table.players.plans import OUT, cheapest_hand, write_plan, write_turn
from ginsim.games.table.turns import (
    DISCARD_REQUIRED,
    MELD_ONLY,
    arranged,
    banned_discards,
    contested,
    fewest_played,
    reach,
    top_cards,
)
from ginsim.jit import njit, popcount
from ginsim.melds import fourth_cards, makes_meld, neighbours, points

PARAMS = (
    Param("lay", 0, 0, 15, "most other cards that may be left when new melds are laid down; 0: only to go out; 15: at once"),
    Param("cards", 20, 0, 50, "points that a card in no meld counts besides its own"),
    Param("outs", 4, 0, 20, "points that an unseen card which would complete a meld is worth"),
    Param("danger", 2, 0, 50, "points that a discard costs which the others can use for certain"),
    Param("depth", 5, 1, 5, "most cards taken from the pile at once"),
    Param("mining", 1, 0, 50, "points that each card taken beyond the first costs besides its own"),
    Param("claim", 1, 0, 1000, "fewest points that a claim has to save"),
    Param("caution", 0.5, 0, 10, "by how much points weigh more after ten own turns; less before, more later"),
)
LAY, CARDS, OUTS, DANGER, DEPTH, MINING, CLAIM, CAUTION = range(len(PARAMS))
GOES_OUT = -1e6
NONE = 1e6


@njit
def unseen_cards(view):
    """Cards in the stock or, unknown to the player, in the others' hands."""
    seen = view[V.HAND] | view[V.CARD] | view[V.SETS] | view[V.RUNS] | top_cards(view, view[V.PILE_SIZE])
    for seat in range(view[R.PLAYERS]):
        seen |= view[V.HELD + seat]
    return view[D.FULL] & ~seen


@njit
def burden(loose, own_runs, unseen, weight, view, params):
    """What the cards ``loose`` weigh beside the runs held."""
    outs = popcount(makes_meld(loose | own_runs, view) & unseen)
    return weight * points(loose, view) + params[CARDS] * popcount(loose) - params[OUTS] * outs


@njit
def _both(y, z, unseen, pile, view):
    """Chance, summed over the others, that one player holds ``y`` and ``z``, or finds them in the ``pile``."""
    if y == 0 or z == 0:
        return 0.0
    total = 0.0
    cards = max(popcount(unseen), 1)
    for seat in range(view[R.PLAYERS]):
        if seat == view[V.SEAT]:
            continue
        known = view[V.HELD + seat]
        each = (view[V.COUNT + seat] - popcount(known)) / cards
        p = 1.0 if (known | pile) & y else each if unseen & y else 0.0
        q = 1.0 if (known | pile) & z else each if unseen & z else 0.0
        total += p * q
    return total


@njit
def given_away(card, sets, runs, unseen, pile, view):
    """Chance (0 … 1, roughly) that one of the others can use the discard ``card``."""
    if reach(sets, runs, card, view):
        return 1.0
    down2, down1, up1, up2 = neighbours(card, view)
    alike = fourth_cards(card)
    a = alike & -alike
    b = (alike ^ a) & -(alike ^ a)
    c = alike ^ a ^ b
    total = _both(a, b, unseen, pile, view) + _both(a, c, unseen, pile, view) + _both(b, c, unseen, pile, view)
    total += _both(down2, down1, unseen, pile, view) + _both(down1, up1, unseen, pile, view) + _both(up1, up2, unseen, pile, view)
    return min(total, 1.0)


@njit
def weigh(view, params, hand, must, banned, unseen, with_danger):
    """``(value, kept_out, discard)`` of the turn that leaves the lightest hand; the value is NONE if none was found."""
    sets, runs = view[V.SETS], view[V.RUNS]
    clash = contested(hand, sets, runs, view)
    best, best_out, best_card = NONE, clash, hand & 0
    weight = 1.0 + params[CAUTION] * view[V.TURN] / (10.0 * view[R.PLAYERS])
    pile = top_cards(view, min(view[R.MAX_PILE_DRAW] - 1, view[V.PILE_SIZE])) & ~hand
    kept_out = clash
    while True:
        own_sets, chain, own_runs, fourth = arranged(hand, kept_out, sets, runs, view)
        left = hand & ~(own_sets | chain | own_runs | fourth)
        if left & must == 0:
            if left == 0 and view[R.OUT] != DISCARD_REQUIRED:
                return GOES_OUT, kept_out, left
            free = left & ~banned
            if free and left == free & -free and view[R.OUT] != MELD_ONLY:
                return GOES_OUT, kept_out, free
            while free and left & (left - 1):
                card = free & -free
                free ^= card
                value = burden(left ^ card, own_runs, unseen, weight, view, params)
                if with_danger:
                    value += params[DANGER] * given_away(card, sets | fourth, runs | chain, unseen, pile, view)
                if value < best:
                    best, best_out, best_card = value, kept_out, card
        if kept_out == 0:
            return best, best_out, best_card
        kept_out = (kept_out - 1) & clash


@njit
def after_stock(view, params, unseen):
    """Mean weight of the hand after a card from the stock and the best turn with it."""
    total, rest, nothing = 0.0, unseen, unseen & 0
    while rest:
        card = rest & -rest
        rest ^= card
        value = weigh(view, params, view[V.HAND] | card, nothing, nothing, unseen ^ card, False)[0]
        total += max(value, -100.0)
    return total / max(popcount(unseen), 1)


@njit
def counting_draw(view, params):
    """From the pile if the deepest card taken is played and the hand is then lighter than after the stock on average."""
    hand, size = view[V.HAND], view[V.PILE_SIZE]
    unseen = unseen_cards(view)
    best, depth = NONE, np.int64(0)
    taken = hand & 0
    for k in range(1, min(np.int64(params[DEPTH]), view[R.MAX_PILE_DRAW], size) + 1):
        card = view[V.PILE + size - k]
        taken |= card
        if fewest_played(hand | taken, card, view[V.SETS], view[V.RUNS], view):
            value = weigh(view, params, hand | taken, card, banned_discards(taken, view), unseen, False)[0]
            if value < NONE:
                value += params[MINING] * (k - 1)
            if value < best:
                best, depth = value, np.int64(k)
    if depth == 0 or best <= GOES_OUT / 2:
        return depth
    return depth if best < after_stock(view, params, unseen) else np.int64(0)


@njit
def counting_play(view, params):
    """Lays off all it can, melds when ``lay`` lets it, discards what weighs most and is of least use to the others."""
    hand, must, banned = view[V.HAND], view[V.DEEPEST], view[V.BANNED]
    value, kept_out, card = weigh(view, params, hand, must, banned, unseen_cards(view), True)
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
    """Claims what saves enough points, and whatever ends the hand.

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
