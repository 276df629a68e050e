"""Decisions that look one draw ahead and weigh what a discard gives away.

The cost of a hand ``H'`` (after a discard) is a weighted sum of its deadwood, of what its best discard is expected to leave
after the next draw (deadwood, unmatched cards, deadwood cut at 10, the chance to be at 10 or less), and of the danger that
the discard completes a meld of the opponent. Weights change from the first to the twelfth turn.
"""

from __future__ import annotations

import numpy as np

from ginsim.jit import njit, njit_inline, popcount
from ginsim.layout import R_B0, R_HAND_SIZE, R_REDRAW_BAN, R_TARGET
from ginsim.melds import MANY, best_discards, deadwood, dearest, fourth_cards, loose_cards, points, run_cards, set_cards
from ginsim.strategies.appraisal import lateness
from ginsim.strategies.decisions import DISCARD, DRAW, KNOCK, Decision, Param
from ginsim.strategies.opponent import believe, held_chance
from ginsim.strategies.outlook import last_value, makes_meld, neighbours, unseen_cards, worth_more
from ginsim.strategies.view import V_BANNED, V_DEADWOOD, V_HAND, V_MEMORY, V_OPP_HELD, V_OWN_SCORE, V_TURN, V_UPCARD

WINDOW = 6  # entries in each list of the knock window
HOPELESS = 10  # a discard that leaves this much more deadwood than the best is not looked at
BREAKING = 3  # the same for a card of a meld

# Slots of the memory: the hand that the best discard was found for when the draw was decided, that discard, and the own turn
# (from 1) for which the chances of the opponent's cards are written down.
M_HAND, M_DISCARD, M_BELIEVED = range(V_MEMORY, V_MEMORY + 3)

# Slots of the DISCARD block of the parameters.
W_DEADWOOD, W_DEADWOOD_TURN, W_NEXT, W_LOOSE, W_LOOSE_TURN, W_LOW, W_LOW_TURN, W_KNOCK = range(DISCARD, DISCARD + 8)
W_DANGER, W_DANGER_TURN, W_DANGER_VALUE, W_KEPT_DEAR, W_OPP_HOLDS, W_DEAR_DRAW, W_DEAR_PAIR, W_READS = range(
    DISCARD + 8, DISCARD + 16
)


@njit_inline
def worth(cards, value, c):
    """Those of ``cards`` that count exactly ``value`` points."""
    for k in range(4):
        if value >> k & 1:
            cards &= c[R_B0 + k]
        else:
            cards &= ~c[R_B0 + k]
    return cards


@njit
def after_draw(h, c):
    """``(deadwood, unmatched cards)`` left by the best discard of a hand with one card too many."""
    runs, sets = run_cards(h, c), set_cards(h)
    clash = runs & sets
    if clash == 0:
        loose = h & ~(runs | sets)
        value = dearest(loose, c)[1]
        if value:
            return points(loose, c) - value, popcount(loose) - 1
    best, count = MANY, 0
    kept_out = clash
    while True:
        loose = loose_cards(h, kept_out, c)
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


@njit
def outlook(h, unseen, even, c, params):
    """Expected ``(deadwood, unmatched cards, deadwood cut at 10, chance of at most 10)`` after a draw and the best discard.

    A card that melds with nothing either goes again or replaces the dearest unmatched card, so those are taken together by
    value; the others are tried one by one, weighted by how likely they are to be in the stock.
    """
    fits = makes_meld(h, c) & unseen
    others = unseen & ~fits
    loose = loose_in_best(h, c)
    now, dear, count = points(loose, c), dearest(loose, c)[1], popcount(loose)
    number = popcount(others)
    total = float(number)
    la, ln = float(now * number), float(count * number)
    lg = float(min(now, 10) * number)
    pk = float(number) if now <= 10 else 0.0
    for value in range(1, dear):
        n = popcount(worth(others, value, c))
        if n:
            left = now - dear + value
            la -= (now - left) * n
            lg -= (min(now, 10) - min(left, 10)) * n
            if now > 10 and left <= 10:
                pk += n
    while fits:
        d = fits & -fits
        fits ^= d
        left, unmatched = after_draw(h | d, c)
        chance = held_chance(d, c)
        w = max(0.1, 1.0 + params[W_OPP_HOLDS] * (chance - even) + params[W_DEAR_DRAW] * (points(d, c) - 6.5))
        total += w
        la += w * left
        ln += w * unmatched
        lg += w * min(left, 10)
        if left <= 10:
            pk += w
    if total <= 0.0:
        return float(now), float(count), float(min(now, 10)), 0.0
    return la / total, ln / total, lg / total, pk / total


@njit_inline
def _pair(a, b, unseen, held, above, dear_pair, view):
    """Weight of the opponent holding both cards ``a`` and ``b`` (0 if a card is not possible)."""
    either = a | b
    if a == 0 or b == 0 or (either & (unseen | held)) != either:
        return 0.0
    p = 1.0 if a & held else held_chance(a, view)
    q = 1.0 if b & held else held_chance(b, view)
    return p * q * (dear_pair if either & above else 1.0)


@njit
def danger(x, unseen, held, seen_value, c, params):
    """Weighted chance that the opponent holds two cards that make a meld with ``x``."""
    above = worth_more(unseen | held, seen_value, c)
    dear = params[W_DEAR_PAIR]
    others = fourth_cards(x)
    a = others & -others
    others ^= a
    b = others & -others
    d = others ^ b
    total = _pair(a, b, unseen, held, above, dear, c)
    total += _pair(a, d, unseen, held, above, dear, c)
    total += _pair(b, d, unseen, held, above, dear, c)
    down2, down1, up1, up2 = neighbours(x, c)
    total += _pair(down1, up1, unseen, held, above, dear, c)
    if down1 == up2:  # a circle of three ranks: there is no other pair
        return total
    total += _pair(down2, down1, unseen, held, above, dear, c)
    return total + _pair(up1, up2, unseen, held, above, dear, c)


@njit
def keeping_cost(h, left, unseen, even, tau, c, params):
    """Cost of the ten cards ``h`` with deadwood ``left``, danger apart."""
    la, ln, lg, pk = outlook(h, unseen, even, c, params)
    cost = (params[W_DEADWOOD] + params[W_DEADWOOD_TURN] * tau) * left + params[W_NEXT] * la
    cost += (params[W_LOOSE] + params[W_LOOSE_TURN] * tau) * ln + (params[W_LOW] + params[W_LOW_TURN] * tau) * lg
    return cost - params[W_KNOCK] * pk


@njit_inline
def even_chance(view, unseen):
    """Chance that the opponent holds an unseen card if all are equally likely."""
    return (view[R_HAND_SIZE] - popcount(view[V_OPP_HELD])) / max(popcount(unseen), 1)


@njit_inline
def hopeless(x, left, least, loose):
    """Whether a discard that leaves ``left`` is not looked at; ``least`` and the unmatched cards ``loose`` are of the best."""
    return left > least + (HOPELESS if x & loose else BREAKING)


@njit_inline
def whole_cost(x, left, hand, unseen, held, even, tau, enough, view, params):
    """Cost of discarding ``x`` from ``hand``; danger is left out where the rest already comes to ``enough``."""
    cost = keeping_cost(hand ^ x, left, unseen, even, tau, view, params)
    given = (params[W_DANGER] + params[W_DANGER_TURN] * tau) * (1.0 + params[W_DANGER_VALUE] * (points(x, view) - 6))
    if given < 0.0 or (given > 0.0 and cost < enough):
        cost += given * danger(x, unseen, held, last_value(view), view, params)
    return cost


@njit
def best_cost(view, hand, banned, unseen, held, params):
    """``(cost, discard)``: the least cost over the discards of a hand with one card too many."""
    if view[M_BELIEVED] != view[V_TURN] + 1:
        believe(view, params[W_KEPT_DEAR], params[W_READS])
    even, tau = even_chance(view, unseen), lateness(view)
    least, loose = best_discards(hand, banned, view)[0], loose_in_best(hand, view)
    best, found = 1e18, np.int64(0)
    free = hand & ~banned
    while free:
        x = free & -free
        free ^= x
        left = deadwood(hand ^ x, view)
        if hopeless(x, left, least, loose):
            continue
        cost = whole_cost(x, left, hand, unseen, held, even, tau, best, view, params)
        if cost < best:
            best, found = cost, x
    return best, found


@njit
def discard_lookahead(view, params):
    """The discard of least cost: what the hand is worth after the next draw, and what the discard gives away."""
    if view[M_HAND] == view[V_HAND] and not view[M_DISCARD] & view[V_BANNED]:
        return view[M_DISCARD]
    return best_cost(view, view[V_HAND], view[V_BANNED], unseen_cards(view), view[V_OPP_HELD], params)[1]


@njit
def upcard_gives_gin(view):
    """Whether the upcard and the best discard leave no deadwood."""
    card = view[V_UPCARD]
    return best_discards(view[V_HAND] | card, card if view[R_REDRAW_BAN] else np.int64(0), view)[0] == 0


@njit
def draw_costs(view, params):
    """``(now, taken, discard)``: cost of the hand, its cost with the upcard after the best discard, and that discard."""
    card, hand = view[V_UPCARD], view[V_HAND]
    banned = card if view[R_REDRAW_BAN] else np.int64(0)
    unseen, held = unseen_cards(view), view[V_OPP_HELD]
    believe(view, params[W_KEPT_DEAR], params[W_READS])
    view[M_BELIEVED] = view[V_TURN] + 1
    even, tau = even_chance(view, unseen), lateness(view)
    now = keeping_cost(hand, deadwood(hand, view), unseen, even, tau, view, params)
    taken, discard = best_cost(view, hand | card, banned, unseen, held, params)
    return now, taken, discard


@njit
def draw_lookahead(view, params):
    """Take the upcard if that lowers the cost of the hand by ``gain`` at least, or gives gin."""
    if upcard_gives_gin(view):
        return np.int64(1)
    now, taken, discard = draw_costs(view, params)
    view[M_HAND], view[M_DISCARD] = view[V_HAND] | view[V_UPCARD], discard
    return np.int64(taken <= now - params[DRAW])


@njit
def knock_early(view, params):
    """Gin always; else early in the hand from a least deadwood up that depends on the turn, and at the end of a game."""
    left = view[V_DEADWOOD]
    if left == 0:
        return np.int64(1)
    if view[R_TARGET] - view[V_OWN_SCORE] <= params[KNOCK] - left:
        return np.int64(1)
    turn = view[V_TURN]
    if turn >= params[KNOCK + 1]:
        return np.int64(0)
    return np.int64(left >= params[KNOCK + 2 + turn])


@njit
def knock_window(view, params):
    """Gin always; else with deadwood in a window that depends on the turn, and at the end of a game."""
    left, turn = view[V_DEADWOOD], view[V_TURN]
    if left == 0 or view[R_TARGET] - view[V_OWN_SCORE] <= params[KNOCK] - left:
        return np.int64(1)
    low = params[KNOCK + 2 + min(turn, np.int64(params[KNOCK + 1]) - 1)]
    at = KNOCK + 2 + WINDOW
    high = params[at + 1 + min(turn, np.int64(params[at]) - 1)]
    return np.int64(low <= left <= high)


def _weights() -> tuple[Param, ...]:
    """The weights of a hand's cost, in the order of their slots; defaults set by hand."""
    rows = (
        ("deadwood", -0.5, "weight of the deadwood left by the discard, on the first turn"),
        ("deadwood_turn", 1.5, "how much that grows until the twelfth turn"),
        ("next", 1, "weight of the deadwood expected after the next draw and its best discard"),
        ("loose", 10, "weight of the unmatched cards expected then, on the first turn"),
        ("loose_turn", -4, "how much that grows until the twelfth turn"),
        ("low", 3, "weight of the expected deadwood cut at 10, on the first turn"),
        ("low_turn", 3, "how much that grows until the twelfth turn"),
        ("reach", 5, "worth of the chance to be at 10 or less after the next draw"),
        ("danger", 8.5, "weight of the chance that the discard makes a meld for the opponent, on the first turn"),
        ("danger_turn", 12, "how much that grows until the twelfth turn"),
        ("danger_value", 0.07, "how much more danger counts for each point of the discard above 6"),
        ("kept_dear", 0.3, "how likely the opponent keeps a card dearer than the last discard, 1 being as likely as others"),
        ("opp_holds", 0.6, "how much a wanted card's chance to be with the opponent counts"),
        ("dear_draw", 0.1, "how much more a wanted card counts for each point above 6.5"),
        ("dear_pair", 1.5, "how much a pair with a card dearer than the last discard adds to danger"),
        ("reads", 0.3, "how far the opponent's pick-ups, refusals and discards are read: 0 not at all, 1 as they were measured"),
    )
    lowest = {"kept_dear": 0, "reads": 0}
    highest = {"reads": 1}
    return tuple(Param(name, default, lowest.get(name, -100), highest.get(name, 100), meaning) for name, default, meaning in rows)


LOOKAHEAD = (
    Decision(
        "draw",
        "lookahead",
        draw_lookahead,
        (Param("gain", 2, -100, 100, "least saving of cost for which the upcard is taken"),),
        needs=("lookahead", "rollout"),
    ),
    Decision("discard", "lookahead", discard_lookahead, _weights()),
    Decision(
        "knock",
        "early",
        knock_early,
        (
            Param("finish", 10, 0, 100, "knock when no more than this less the deadwood is missing to the target"),
            Param("knock_from", 5, 0, 101, "knock on turn 1, 2, … with this deadwood or more; later only gin", many=12),
        ),
    ),
    Decision(
        "knock",
        "window",
        knock_window,
        (
            Param("finish", 10, 0, 100, "knock when no more than this less the deadwood is missing to the target"),
            Param("window_from", 0, 0, 101, "knock on turn 1, 2, … with this deadwood or more; the last repeats", many=WINDOW),
            Param("window_to", 10, -1, 100, "… and with no more than this; the last entry repeats", many=WINDOW),
        ),
    ),
)
