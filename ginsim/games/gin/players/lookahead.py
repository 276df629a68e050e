"""Decisions that look one draw ahead and weigh what a discard gives away.

The cost of a hand ``H'`` (after a discard) is a weighted sum of its deadwood, of what its best discard is expected to leave
after the next draw (deadwood, unmatched cards, deadwood cut at 10, the chance to be at 10 or less), and of the danger that
the discard completes a meld of the opponent. Weights change from the first to the twelfth turn.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.games.decisions import Decision, Param
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.appraisal import lateness
from ginsim.games.gin.players.decisions import DISCARD, DRAW, KNOCK
from ginsim.games.gin.players.nextdraw import (
    L_CARD,
    L_COST,
    L_LOOSE,
    L_LOW,
    L_NEXT,
    L_NOW,
    L_REACH,
    L_UNMATCHED,
    lane_of,
    lanes_of,
    loose_in_best,
    outlooks,
)
from ginsim.games.gin.players.opponent import believe, held_chance
from ginsim.games.gin.players.outlook import last_value, unseen_cards, worth_more
from ginsim.jit import njit, njit_inline, njit_lanes, njit_part, popcount
from ginsim.melds import best_discards, fourth_cards, neighbours, points, run_cards, set_cards

WINDOW = 6  # entries in each list of the knock window
HOPELESS = 10  # a discard that leaves this much more deadwood than the best is not looked at
BREAKING = 3  # the same for a card of a meld

# Slots of the memory: the hand that the best discard was found for when the draw was decided, that discard, and the own turn
# (from 1) for which the chances of the opponent's cards are written down.
M_HAND, M_DISCARD, M_BELIEVED = range(V.MEMORY, V.MEMORY + 3)

# Slots of the DISCARD block of the parameters.
W_DEADWOOD, W_DEADWOOD_TURN, W_NEXT, W_LOOSE, W_LOOSE_TURN, W_LOW, W_LOW_TURN, W_KNOCK = range(DISCARD, DISCARD + 8)
W_DANGER, W_DANGER_TURN, W_DANGER_VALUE, W_KEPT_DEAR, W_OPP_HOLDS, W_DEAR_DRAW, W_DEAR_PAIR, W_READS = range(
    DISCARD + 8, DISCARD + 16
)


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


@njit_inline
def even_chance(view, unseen):
    """Chance that the opponent holds an unseen card if all are equally likely."""
    return (view[D.HAND_SIZE] - popcount(view[V.OPP_HELD])) / max(popcount(unseen), 1)


@njit_inline
def hopeless(x, left, least, loose):
    """Whether a discard that leaves ``left`` is not looked at; ``least`` and the unmatched cards ``loose`` are of the best."""
    return left > least + (HOPELESS if x & loose else BREAKING)


@njit_part
def _list_discards(view, hand, banned, kept):
    """Give the discards that are looked at, and the card ``kept``, their lanes: ``(discards, all cards that have a lane)``."""
    least, loose = best_discards(hand, banned, view)[0], loose_in_best(hand, view)
    melding = run_cards(hand, view) | set_cards(hand)
    discards, n = np.int64(0), 0
    free = hand & ~banned | kept
    listed = kept
    for lane in range(V.LANES):
        view[L_CARD + lane] = view[L_LOOSE + lane] = 0
    while free:
        x = free & -free
        free ^= x
        rest = loose_in_best(hand ^ x, view) if x & melding else loose ^ x
        if x & banned or hopeless(x, points(rest, view), least, loose):
            if x != kept:
                continue
        else:
            discards |= x
        listed |= x
        view[L_CARD + n], view[L_LOOSE + n] = x, rest
        n += 1
    return discards, listed


@njit_lanes
def weigh_discards(view, hand, banned, kept, unseen, params):
    """Write the cost of each discard to its lane, danger apart: ``(discards looked at, cards that have a lane)``.

    The card ``kept`` (0: none) has a lane, looked at or not. Lanes are in the order of the cards: `lane_of`.
    """
    discards, listed = _list_discards(view, hand, banned, kept)
    outlooks(hand, listed, unseen, even_chance(view, unseen), params[W_OPP_HOLDS], params[W_DEAR_DRAW], view)
    tau = lateness(view)
    deadwood = params[W_DEADWOOD] + params[W_DEADWOOD_TURN] * tau
    unmatched, low = params[W_LOOSE] + params[W_LOOSE_TURN] * tau, params[W_LOW] + params[W_LOW_TURN] * tau
    then, reach = params[W_NEXT], params[W_KNOCK]
    floats = view.view(np.float64)
    for i in range(lanes_of(popcount(listed))):
        cost = deadwood * view[L_NOW + i] + then * floats[L_NEXT + i]
        cost += unmatched * floats[L_UNMATCHED + i] + low * floats[L_LOW + i]
        floats[L_COST + i] = cost - reach * floats[L_REACH + i]
    return discards, listed


@njit_inline
def with_danger(cost, x, unseen, held, enough, view, params):
    """``cost`` of discarding ``x`` and the danger of it, which is left out where the rest already comes to ``enough``."""
    given = params[W_DANGER] + params[W_DANGER_TURN] * lateness(view)
    given *= 1.0 + params[W_DANGER_VALUE] * (points(x, view) - 6)
    if given < 0.0 or (given > 0.0 and cost < enough):
        cost += given * danger(x, unseen, held, last_value(view), view, params)
    return cost


@njit_lanes
def least_costs(view, hand, banned, kept, gain, params):
    """``(now, cost, discard)``: the cost without the card ``kept``, the least over the discards of ``hand``, and that discard.

    ``hand`` has one card too many. With ``kept`` (0: none), danger may be missing from a cost that is not lower by ``gain``.
    """
    unseen, held = unseen_cards(view) & ~hand, view[V.OPP_HELD]
    discards, listed = weigh_discards(view, hand, banned, kept, unseen, params)
    costs = view.view(np.float64)
    now, most = 0.0, 1e18
    if kept:
        now = costs[L_COST + lane_of(kept, listed)]
        if params[W_DEAR_PAIR] >= 0.0:  # danger only adds to a cost
            most = now - gain
    best, found = 1e18, np.int64(0)
    while discards:
        x = discards & -discards
        discards ^= x
        cost = costs[L_COST + lane_of(x, listed)]
        cost = with_danger(cost, x, unseen, held, best if cost <= most else cost, view, params)
        if cost < best:
            best, found = cost, x
    return now, best, found


@njit
def discard_lookahead(view, params):
    """The discard of least cost: what the hand is worth after the next draw, and what the discard gives away."""
    if view[M_HAND] == view[V.HAND] and not view[M_DISCARD] & view[V.BANNED]:
        return view[M_DISCARD]
    if view[M_BELIEVED] != view[V.TURN] + 1:
        believe(view, params[W_KEPT_DEAR], params[W_READS])
    return least_costs(view, view[V.HAND], view[V.BANNED], np.int64(0), 0.0, params)[2]


@njit
def upcard_gives_gin(view):
    """Whether the upcard and the best discard leave no deadwood."""
    card = view[V.UPCARD]
    return best_discards(view[V.HAND] | card, card if view[R.REDRAW_BAN] else np.int64(0), view)[0] == 0


@njit
def draw_costs(view, gain, params):
    """``(now, taken, discard)``: cost of the hand, its cost with the upcard after the best discard, and that discard.

    Danger may be missing from ``taken`` where it is not lower by ``gain``.
    """
    card = view[V.UPCARD]
    believe(view, params[W_KEPT_DEAR], params[W_READS])
    view[M_BELIEVED] = view[V.TURN] + 1
    return least_costs(view, view[V.HAND] | card, card if view[R.REDRAW_BAN] else np.int64(0), card, gain, params)


@njit
def draw_lookahead(view, params):
    """Take the upcard if that lowers the cost of the hand by at least ``gain``, or makes gin."""
    if upcard_gives_gin(view):
        return np.int64(1)
    now, taken, discard = draw_costs(view, params[DRAW], params)
    view[M_HAND], view[M_DISCARD] = view[V.HAND] | view[V.UPCARD], discard
    return np.int64(taken <= now - params[DRAW])


@njit
def knock_early(view, params):
    """Always go gin; else knock early, with at least a deadwood that depends on the turn, and at the end of a game."""
    left = view[V.DEADWOOD]
    if left == 0:
        return np.int64(1)
    if view[R.TARGET] - view[V.OWN_SCORE] <= params[KNOCK] - left:
        return np.int64(1)
    turn = view[V.TURN]
    if turn >= params[KNOCK + 1]:
        return np.int64(0)
    return np.int64(left >= params[KNOCK + 2 + turn])


@njit
def knock_window(view, params):
    """Always go gin; else knock with deadwood within limits that depend on the turn, and at the end of a game."""
    left, turn = view[V.DEADWOOD], view[V.TURN]
    if left == 0 or view[R.TARGET] - view[V.OWN_SCORE] <= params[KNOCK] - left:
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
        ("reach", 5, "worth of the chance of having 10 or less after the next draw"),
        ("danger", 8.5, "weight of the chance that the discard makes a meld for the opponent, on the first turn"),
        ("danger_turn", 12, "how much that grows until the twelfth turn"),
        ("danger_value", 0.07, "how much more danger counts for each point of the discard above 6"),
        (
            "kept_dear",
            0.3,
            "how likely the opponent is to hold a card worth more than their last discard; 1 is as likely as others",
        ),
        ("opp_holds", 0.6, "how much the chance counts that the opponent holds a wanted card"),
        ("dear_draw", 0.1, "how much more a wanted card counts for each point above 6.5"),
        ("dear_pair", 1.5, "how much a pair with a card worth more than the opponent's last discard adds to danger"),
        ("reads", 0.3, "how much the opponent's pick-ups, passes and discards count: 0 not at all, 1 as measured"),
    )
    lowest = {"kept_dear": 0, "reads": 0}
    highest = {"reads": 1}
    return tuple(Param(name, default, lowest.get(name, -100), highest.get(name, 100), meaning) for name, default, meaning in rows)


WEIGHTS = _weights()
LOOKAHEAD = (
    Decision(
        "draw",
        "lookahead",
        draw_lookahead,
        (Param("gain", 2, -100, 100, "least saving of cost for which the upcard is taken"),),
        needs=("lookahead", "rollout", "learned"),
    ),
    Decision("discard", "lookahead", discard_lookahead, WEIGHTS),
    Decision(
        "knock",
        "early",
        knock_early,
        (
            Param("finish", 10, 0, 100, "knock when the player needs no more than this, less the deadwood, to reach the target"),
            Param("knock_from", 5, 0, 101, "knock on own turn 1, 2, … with this deadwood or more; later only gin", many=12),
        ),
    ),
    Decision(
        "knock",
        "window",
        knock_window,
        (
            Param("finish", 10, 0, 100, "knock when the player needs no more than this, less the deadwood, to reach the target"),
            Param(
                "window_from",
                0,
                0,
                101,
                "knock on own turn 1, 2, … with this deadwood or more; the last entry repeats",
                many=WINDOW,
            ),
            Param("window_to", 10, -1, 100, "… and with no more than this; the last entry repeats", many=WINDOW),
        ),
    ),
)
