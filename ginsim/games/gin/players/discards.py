"""The discard decision with a parameter for each reason that players give for keeping or discarding a card."""

from __future__ import annotations

import numpy as np

from ginsim.games.decisions import Decision, Param
from ginsim.games.gin import view as V
from ginsim.games.gin.players.appraisal import beside, chances_of_sorts, lateness, opponent_wants, sorts_of_cards
from ginsim.games.gin.players.decisions import DISCARD
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.jit import njit, njit_inline, popcount
from ginsim.melds import best_discards, deadwood, fourth_cards, makes_meld, neighbours, points, run_cards, set_cards

W_SLACK, W_POINTS, W_POINTS_TURN, W_PAIR, W_CONNECTOR, W_INSIDE, W_TRIANGLE, W_MIDDLE = range(DISCARD, DISCARD + 8)
W_KEEP_TURN, W_SAFETY, W_SAFETY_TURN, W_PICKUP, W_TRUST, W_BAIT, W_HIGH_PAIR = range(DISCARD + 8, DISCARD + 15)
HIGH = 10
"""Points from which on a card is high."""


@njit
def holding_value(x, rest, unseen, view, params):
    """What ``x`` is worth beside the other cards ``rest``, in points."""
    same = fourth_cards(x)
    down2, down1, up1, up2 = neighbours(x, view)
    paired = same & rest != 0
    value = params[W_PAIR] * popcount(same & unseen) if paired else 0.0
    ends, inside = 0, 0
    if down1 & rest:
        ends += popcount((down2 | up1) & unseen)
    if up1 & rest:
        ends += popcount((down1 | up2) & unseen)
    if down2 & rest:
        inside += popcount(down1 & unseen)
    if up2 & rest:
        inside += popcount(up1 & unseen)
    value += params[W_CONNECTOR] * ends + params[W_INSIDE] * inside
    if paired and (down1 | up1) & rest:
        value += params[W_TRIANGLE]
    runs = int(down2 != 0 and down1 != 0) + int(down1 != 0 and up1 != 0) + int(up1 != 0 and up2 != 0)
    return value + params[W_MIDDLE] * runs


@njit_inline
def only_adds(params, keep, safety, high_pair):
    """Whether nothing makes a discard cheaper than the deadwood it leaves."""
    if keep < 0.0 or safety < 0.0 or high_pair < 0.0 or params[W_BAIT] > 0.0:
        return False
    return min(params[W_PAIR], params[W_CONNECTOR], params[W_INSIDE], params[W_TRIANGLE], params[W_MIDDLE]) >= 0.0


@njit
def discard_weighed(view, params):
    """The discard of least cost, by deadwood and what else is given a weight; of equals the highest, then the last in order."""
    hand, slack = view[V.HAND], params[W_SLACK]
    least, cards = best_discards(hand, view[V.BANNED], view)
    if slack < 1.0 and cards & (cards - 1) == 0:
        return cards
    runs, sets = run_cards(hand, view), set_cards(hand)
    loose, clash = hand & ~(runs | sets), runs & sets
    total, others = points(loose, view), np.int64(0)
    if slack >= 1.0:
        others = hand & ~(view[V.BANNED] | cards)
        if clash == 0 and total > least + slack:  # then no card of a meld can go
            others &= loose
    unseen, late = unseen_cards(view), lateness(view)
    each = params[W_POINTS] + params[W_POINTS_TURN] * late
    keep = 1.0 + params[W_KEEP_TURN] * late
    safety = params[W_SAFETY] + params[W_SAFETY_TURN] * late
    sorts, chances = (unseen, unseen, unseen, unseen), (0.0, 0.0, 0.0, 0.0)
    if safety != 0.0:
        sorts, chances = sorts_of_cards(view, unseen), chances_of_sorts(view, unseen, params[W_PICKUP], params[W_TRUST])
    high_pair = params[W_HIGH_PAIR + 1 + min(view[V.TURN], np.int64(params[W_HIGH_PAIR]) - 1)]
    bounded = only_adds(params, keep, safety, high_pair)
    best, found, dear, more = 1e18, np.int64(0), np.int64(0), np.int64(0)
    while cards | others:
        first = cards != 0
        x = cards & -cards if first else others & -others
        cards &= ~x
        others &= ~x
        rest, value = hand ^ x, points(x, view)
        if not first:  # without a clash an unmatched card takes just its own points with it
            more = (total - value if clash == 0 and x & loose else deadwood(rest, view)) - least
            if more > slack or (bounded and each * more > best):
                continue
        cost = each * more + keep * holding_value(x, rest, unseen, view, params)
        if high_pair != 0.0 and value >= HIGH and fourth_cards(x) & rest:
            cost += high_pair * popcount(fourth_cards(x) & unseen)
        if safety != 0.0:
            cost += safety * opponent_wants(x, view[V.OPP_HELD], sorts, chances, view)
        if params[W_BAIT] != 0.0:
            cost -= params[W_BAIT] * popcount(makes_meld(rest, view) & unseen & beside(x, view))
        if cost < best or (cost == best and (value > dear or (value == dear and x > found))):
            best, found, dear = cost, x, value
    return found


_ROWS = (
    ("slack", 0, 0, 100, "how many points above the least deadwood a discard may leave", ""),
    ("points", 1, -100, 100, "weight of each point of deadwood left in hand", "throw high cards first"),
    ("points_turn", 0, -100, 100, "how much that grows until the thirteenth turn", "hold high cards early, not late"),
    ("pair", 0, -100, 100, "points for each unseen card that makes a set with the card's pair", "keep pairs"),
    ("connector", 0, -100, 100, "points for each unseen card making a run with the card and a neighbour", "keep neighbours"),
    ("inside", 0, -100, 100, "points for the unseen card between two of a suit, two ranks apart", "never fill an inside run"),
    ("triangle", 0, -100, 100, "points for a card with both a pair and a neighbour", "a triangle is the best holding"),
    ("middle", 0, -100, 100, "points for each run of three that a card of its rank can be in, 1 to 3", "hold middle cards"),
    ("keep_turn", 0, -100, 100, "share by which the last five change until the thirteenth turn", "build early, unload late"),
    ("safety", 0, -1000, 1000, "points for each pair that the opponent is expected to hold and that the card makes a meld with",
     "discard what the opponent cannot use"),
    ("safety_turn", 0, -1000, 1000, "how much that grows until the thirteenth turn", "play safe late"),
    ("pickup", 2, 0, 20, "how many times likelier a card beside one they took is to be held", "watch what they pick up"),
    ("trust", 0.5, 0, 1, "how much less likely a card beside one they discarded or passed is to be held",
     "a card next to the opponent's discard is safe"),
    ("bait", 0, -100, 100, "points for each wanted card of the same rank as the discard or next to it",
     "fish with a discard like the card you want"),
)  # fmt: skip

_HIGH_PAIR = Param(
    "high_pair", 0, -100, 100, "on own turn 1, 2, …, how much more pair counts for cards worth 10 or more; the last repeats",
    "hold a high pair early, then break it", many=12,
)  # fmt: skip

DISCARDS = (Decision("discard", "weighed", discard_weighed, (*(Param(*row) for row in _ROWS), _HIGH_PAIR)),)
