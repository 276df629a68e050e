"""What a learned player sees of a choice, as numbers and classes (``layout``), written to the view's workspace."""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.learned.layout import (
    CLASSES,
    N_BEFORE,
    N_LATER,
    N_SHARED,
    NUMBERS,
    OFFSETS,
    R_CARD,
    R_DEADWOOD,
    R_NEAR,
    R_OFFER,
    R_RANK,
    R_TURN,
    RANKS,
    SAME_RANK,
    STATES,
    TURNS,
    W_CLASSES,
    W_COSTS,
    W_DANGERS,
    W_KEPT_CLASSES,
    W_KEPT_HAND,
    W_KEPT_NUMBERS,
    W_LOOSE,
    W_NUMBERS,
)
from ginsim.games.gin.players.appraisal import lateness
from ginsim.games.gin.players.known import pickups
from ginsim.games.gin.players.lookahead import (
    M_BELIEVED,
    W_DANGER,
    W_DANGER_TURN,
    W_DANGER_VALUE,
    W_KEPT_DEAR,
    W_READS,
    danger,
    weigh_discards,
)
from ginsim.games.gin.players.nextdraw import (
    L_COST,
    L_FITS,
    L_LOOSE,
    L_LOW,
    L_NEXT,
    L_NOW,
    L_REACH,
    L_UNMATCHED,
    after_draw,
    dearest_value,
    lane_of,
    loose_in_best,
)
from ginsim.games.gin.players.opponent import believe, held_chance
from ginsim.games.gin.players.outlook import last_value, unseen_cards, worth_more
from ginsim.jit import njit, popcount
from ginsim.melds import fourth_cards, neighbours, points, turned

EARLY = 3
"""Turns of the opponent whose discards are told from later ones."""
MOST_FOR_GIN = 3
"""Unmatched cards from which a drawn card can make gin."""
FADES = 0.7
"""How much less each earlier discard of the opponent counts in their mean."""


@njit
def weigh_all(view, hand, banned, kept, params):
    """Costs and dangers of all discards of ``hand``: ``(discards, cards that have a lane)``, as `weigh_discards`."""
    if view[M_BELIEVED] != view[V.TURN] + 1:
        believe(view, params[W_KEPT_DEAR], params[W_READS])
        view[M_BELIEVED] = view[V.TURN] + 1
    unseen = unseen_cards(view) & ~hand
    discards, listed = weigh_discards(view, hand, banned, kept, unseen, params)
    floats = view.view(np.float64)
    given, held, last = params[W_DANGER] + params[W_DANGER_TURN] * lateness(view), view[V.OPP_HELD], last_value(view)
    rest = listed
    lane = 0
    while rest:
        x = rest & -rest
        rest ^= x
        risk = danger(x, unseen, held, last, view, params) if x != kept or x & discards else 0.0
        floats[W_DANGERS + lane] = risk
        floats[W_COSTS + lane] = floats[L_COST + lane] + given * (1.0 + params[W_DANGER_VALUE] * (points(x, view) - 6)) * risk
        view[W_LOOSE + lane] = loose_in_best(hand ^ x, view)
        lane += 1
    return discards, listed


@njit
def _shapes(loose, c):
    """``(pairs, neighbours, gapped)`` among unmatched cards."""
    _, _, up1, up2 = neighbours(loose, c)
    same = turned(loose, 1) | turned(loose, 2) | turned(loose, 3)
    return popcount(same & loose), popcount(up1 & loose), popcount(up2 & loose)


@njit
def _in_stock(fits, view):
    """Expected number of the cards ``fits`` that are not with the opponent."""
    total = 0.0
    while fits:
        card = fits & -fits
        fits ^= card
        total += 1.0 - held_chance(card, view)
    return total


@njit
def _to_gin(kept, unmatched, fits, view):
    """Expected number of the cards ``fits`` in the stock that, drawn, leave a hand ``kept`` without deadwood."""
    total = 0.0
    if unmatched <= MOST_FOR_GIN:
        while fits:
            card = fits & -fits
            fits ^= card
            if after_draw(kept | card, view)[0] == 0:
                total += 1.0 - held_chance(card, view)
    return total


@njit
def _outlook(view, lane, f, at):
    """Write what the hand of a lane is and may become: the numbers that ``OWN`` and ``BEFORE`` begin with."""
    f[at], f[at + 1], f[at + 2] = view[L_NOW + lane] / 20.0, f[L_NEXT + lane] / 20.0, f[L_UNMATCHED + lane] / 5.0
    f[at + 3], f[at + 4], f[at + 5] = f[L_LOW + lane] / 10.0, f[L_REACH + lane], view[L_LOOSE + lane] / 5.0
    f[at + 6], f[at + 7] = popcount(view[L_FITS + lane]) / 8.0, _in_stock(view[L_FITS + lane], view) / 8.0


@njit
def describe(view, kept, x, lane):
    """Write the numbers of the discard ``x`` that has a lane (``OWN`` and ``LATER``)."""
    f = view.view(np.float64)
    loose, value = view[W_LOOSE + lane], points(x, view)
    pairs, beside, gapped = _shapes(loose, view)
    at = W_NUMBERS
    _outlook(view, lane, f, at)
    f[at + 8], f[at + 9], f[at + 10] = pairs / 2.0, beside / 2.0, gapped / 2.0
    f[at + 11], f[at + 12] = dearest_value(loose, view) / 10.0, f[W_DANGERS + lane]
    f[at + 13], f[at + 14], f[at + 15] = f[W_DANGERS + lane] * value / 10.0, f[W_COSTS + lane] / 100.0, value / 10.0
    f[at + 16] = _to_gin(kept, view[L_LOOSE + lane], view[L_FITS + lane], view) / 4.0
    late, to = lateness(view), W_NUMBERS + N_LATER
    f[to], f[to + 1], f[to + 2] = late * f[at], late * f[at + 1], late * f[at + 2]
    f[to + 3], f[to + 4], f[to + 5] = late * f[at + 3], late * f[at + 12], late * f[at + 14]


@njit
def describe_before(view, lane):
    """Write the numbers of the hand as it is, whose lane is that of the card that may be taken (``BEFORE``)."""
    f = view.view(np.float64)
    at = W_NUMBERS + N_BEFORE
    _outlook(view, lane, f, at)
    f[at + 8] = f[L_COST + lane] / 100.0


@njit
def _mean_discard(view):
    """Mean points of the opponent's discards, the later the more; 10 if there is none."""
    turns = view[V.OPP_TURN]
    total, weights, weight = 0.0, 0.0, 1.0
    for back in range(min(turns, 8)):
        total += weight * points(view[V.OPP_LOG + 2 * (turns - back) - 1], view)
        weights += weight
        weight *= FADES
    return total / weights if weights > 0.0 else 10.0


@njit
def describe_shared(view):
    """Write the numbers and classes that all choices of a decision share (``SHARED``; turn)."""
    f, at = view.view(np.float64), W_NUMBERS + N_SHARED
    target = view[R.TARGET]
    for k in range(N_BEFORE, NUMBERS):
        f[W_NUMBERS + k] = 0.0
    f[at], f[at + 1], f[at + 2] = lateness(view), view[V.STOCK] / 31.0, last_value(view) / 10.0
    f[at + 3], f[at + 4] = _mean_discard(view) / 10.0, popcount(view[V.OPP_HELD]) / 5.0
    f[at + 5] = pickups(view) / 5.0
    f[at + 6], f[at + 7] = view[V.OWN_SCORE] / target, view[V.OPP_SCORE] / target
    f[at + 8] = min(target - view[V.OWN_SCORE], 50) / 50.0
    f[at + 9] = min(target - view[V.OPP_SCORE], 50) / 50.0
    f[at + 10], f[at + 11] = view[V.STARTER], view[R.LIMIT] / 10.0
    view[W_CLASSES + OFFSETS + SAME_RANK + 1] = R_TURN + min(view[V.TURN], TURNS - 1)
    view[W_CLASSES + OFFSETS + SAME_RANK + 2] = view[W_CLASSES + OFFSETS + SAME_RANK + 3] = -1


@njit
def class_deadwood(view, left):
    """Write the class of the deadwood that may be knocked with."""
    view[W_CLASSES + OFFSETS + SAME_RANK + 2] = R_DEADWOOD + min(left, 11)


@njit
def class_offer(view):
    """Write whether the draw is of a turn, the first offer to the starter or the dealer."""
    offer = 0 if view[V.OFFER] == 0 else 2 - view[V.STARTER]
    view[W_CLASSES + OFFSETS + SAME_RANK + 3] = R_OFFER + offer


@njit
def _evidence(view):
    """``(early discards of the opponent, later ones, cards they refused in the last two turns)``."""
    early = late = refused = np.int64(0)
    for turn in range(view[V.OPP_TURN]):
        card = view[V.OPP_LOG + 2 * turn + 1]
        if turn < EARLY:
            early |= card
        else:
            late |= card
    turns = view[V.TURN]
    for back in range(1, 1 + min(turns, 2)):
        refused |= view[V.OWN_LOG + 2 * (turns - back) + 1]
    return early, late, refused & view[V.OPP_PASSED]


@njit
def _state(card, own, view, early, late, refused, dear):
    """Where a card is (``STATES``)."""
    if card == 0:
        return 0
    if card & own:
        return 1
    if card & view[V.OPP_HELD]:
        return 2
    if card & view[V.PILE]:
        return 3 if card & early else 4 if card & late else 5 if card & refused else 6
    return 8 if card & dear else 7


@njit
def class_card(view, x, own):
    """Write the classes of a card: where those near it and those of its rank are, if ``own`` are the player's, and its rank."""
    early, late, refused = _evidence(view)
    unseen = unseen_cards(view) & ~own & ~x
    dear = worth_more(unseen, last_value(view), view)
    down2, down1, up1, up2 = neighbours(x, view)
    down3, up3 = neighbours(down2, view)[1], neighbours(up2, view)[2]
    at = W_CLASSES
    for k, card in enumerate((down3, down2, down1, up1, up2, up3)):
        view[at + k] = R_NEAR + k * STATES + _state(card, own, view, early, late, refused, dear)
    others = fourth_cards(x) & view[D.FULL]
    for k in range(SAME_RANK):
        card = others & -others
        others ^= card
        view[at + OFFSETS + k] = R_RANK + _state(card, own, view, early, late, refused, dear)
    view[at + OFFSETS + SAME_RANK] = R_CARD + min(popcount(x - 1) & 15, RANKS - 1)


@njit
def keep_choice(view, hand):
    """Keep what was written of the discard that leaves ``hand``, for the knock."""
    view[W_KEPT_HAND] = hand
    for k in range(NUMBERS):
        view[W_KEPT_NUMBERS + k] = view[W_NUMBERS + k]
    for k in range(CLASSES):
        view[W_KEPT_CLASSES + k] = view[W_CLASSES + k]


@njit
def describe_discard(view, hand, x, listed):
    """Write all of the discard ``x`` but what all discards share."""
    describe(view, hand ^ x, x, lane_of(x, listed))
    class_card(view, x, hand ^ x)


@njit
def describe_knock(view, params):
    """Write all of a knock: the hand kept if one goes on, and the deadwood. ``view[HAND]`` is the hand without the discard."""
    hand, x = view[V.HAND], view[V.CHOSEN]
    if view[W_KEPT_HAND] == hand:
        for k in range(NUMBERS):
            view[W_NUMBERS + k] = view[W_KEPT_NUMBERS + k]
        for k in range(CLASSES):
            view[W_CLASSES + k] = view[W_KEPT_CLASSES + k]
    else:
        _, listed = weigh_all(view, hand | x, np.int64(0), x, params)
        describe_shared(view)
        describe_discard(view, hand | x, x, listed)
    class_deadwood(view, view[V.DEADWOOD])


@njit
def describe_draw(view, params):
    """Write all of taking the upcard, with the discard of least cost after it."""
    card = view[V.UPCARD]
    hand = view[V.HAND] | card
    discards, listed = weigh_all(view, hand, card if view[R.REDRAW_BAN] else np.int64(0), card, params)
    describe_shared(view)
    class_offer(view)
    x = least_cost(view, discards, listed)
    describe(view, hand ^ x, x, lane_of(x, listed))
    describe_before(view, lane_of(card, listed))
    class_card(view, card, view[V.HAND])


@njit
def least_cost(view, discards, listed):
    """Of ``discards`` the one of least cost."""
    f = view.view(np.float64)
    best, found = 1e18, np.int64(0)
    while discards:
        x = discards & -discards
        discards ^= x
        cost = f[W_COSTS + lane_of(x, listed)]
        if cost < best:
            best, found = cost, x
    return found


MOST, WITHIN = 6, 12.0
"""Choices that a net weighs: so many of least cost, none dearer than the best by more than this."""


@njit
def choices(view, discards, listed):
    """The discards that a net weighs: the best by cost, and all that leave the least deadwood."""
    f = view.view(np.float64)
    least, rest = 1000, discards
    while rest:
        x = rest & -rest
        rest ^= x
        least = min(least, view[L_NOW + lane_of(x, listed)])
    chosen, rest, limit = np.int64(0), discards, 1e18
    for k in range(MOST):
        x = least_cost(view, rest, listed)
        if x == 0 or f[W_COSTS + lane_of(x, listed)] > limit:
            break
        limit = f[W_COSTS + lane_of(x, listed)] + WITHIN if k == 0 else limit
        chosen |= x
        rest ^= x
    while rest:
        x = rest & -rest
        rest ^= x
        if view[L_NOW + lane_of(x, listed)] == least:
            chosen |= x
    return chosen
