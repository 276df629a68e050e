"""What a hand of the table game weighs after the best turn, and what a discard gives away.

A hand is weighed by the cards that neither lie in a meld nor can be laid off: their points, ``cards`` for each of them, less
``outs`` for each unseen card that would make a meld of two of them. What a discard gives away is the chance that one of the
others can use it: at once if the table takes it, else for each pair of cards that makes a meld of it the chance that one player
holds both or finds them in the pile, as deep as a draw goes. A card that a player took from the pile and still has is known; the
rest of the hands is spread evenly over the cards not seen.
"""

from __future__ import annotations

from ginsim import layout as D
from ginsim.games.decisions import Param
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.turns import DISCARD_REQUIRED, MELD_ONLY, arranged, contested, reach, top_cards
from ginsim.jit import njit, popcount
from ginsim.melds import fourth_cards, makes_meld, neighbours, points

PARAMS = (
    Param(
        "lay", 0, 0, 15, "most other cards that may be left in hand when new melds are laid down; 0: only to go out; 15: at once"
    ),
    Param("cards", 20, 0, 50, "points that each card in no meld counts beside its own"),
    Param("outs", 4, 0, 20, "points for each unseen card that would complete a meld"),
    Param("danger", 2, 0, 50, "points that a discard costs if the others can certainly use it"),
    Param("depth", 5, 1, 5, "most cards taken from the pile at once"),
    Param("mining", 1, 0, 50, "points that each card taken beyond the first costs beside its own"),
    Param("claim", 1, 0, 1000, "fewest points that a claim has to save"),
    Param("caution", 0.5, 0, 10, "how much more points weigh after ten own turns; less before, more later"),
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
def weight_of_points(view, params):
    """What a point in hand weighs at this time of the hand."""
    return 1.0 + params[CAUTION] * view[V.TURN] / (10.0 * view[R.PLAYERS])


@njit
def may_hold(view, unseen):
    """``(known, one, two)``: the cards known to be with one of the others, and of those ``unseen`` what the chances of the others
    add up to that a player holds a certain one, and a certain two of them.
    """
    known, one, two = unseen & 0, 0.0, 0.0
    cards = max(popcount(unseen), 1)
    for seat in range(view[R.PLAYERS]):
        if seat != view[V.SEAT]:
            held = view[V.HELD + seat]
            each = (view[V.COUNT + seat] - popcount(held)) / cards
            known |= held
            one += each
            two += each * each
    return known, one, two


@njit
def _with_known(y, z, unseen, pile, view):
    """Chance, summed over the others, that one player holds ``y`` and ``z``, or finds them in the ``pile``."""
    total = 0.0
    cards = max(popcount(unseen), 1)
    for seat in range(view[R.PLAYERS]):
        if seat != view[V.SEAT]:
            held = view[V.HELD + seat]
            each = (view[V.COUNT + seat] - popcount(held)) / cards
            p = 1.0 if (held | pile) & y else each if unseen & y else 0.0
            q = 1.0 if (held | pile) & z else each if unseen & z else 0.0
            total += p * q
    return total


@njit
def _both(y, z, unseen, pile, others, view):
    """The same as `_with_known` for cards of which none need be there, looked up in ``others`` (`may_hold`) where it can be."""
    known, one, two = others
    pair = y | z
    if y == 0 or z == 0 or pair & ~(unseen | pile | known):
        return 0.0
    if pair & known:
        return _with_known(y, z, unseen, pile, view)
    if pair & pile == 0:
        return two
    return one if pair & unseen else view[R.PLAYERS] - 1.0


@njit
def given_away(card, sets, runs, unseen, pile, others, view):
    """Chance (0 … 1, roughly) that one of the others can use the discard ``card``."""
    if reach(sets, runs, card, view):
        return 1.0
    down2, down1, up1, up2 = neighbours(card, view)
    alike = fourth_cards(card)
    a = alike & -alike
    b = (alike ^ a) & -(alike ^ a)
    c = alike ^ a ^ b
    total = _both(a, b, unseen, pile, others, view) + _both(a, c, unseen, pile, others, view)
    total += _both(b, c, unseen, pile, others, view)
    in_runs = _both(down2, down1, unseen, pile, others, view) + _both(down1, up1, unseen, pile, others, view)
    return min(total + (in_runs + _both(up1, up2, unseen, pile, others, view)), 1.0)


@njit
def weigh(view, params, hand, must, banned, unseen, danger):
    """``(value, kept_out, discard)`` of the turn that leaves the lightest hand; the value is NONE if none was found.

    ``danger`` is what it costs to give a card away that the others can use for certain.
    """
    sets, runs = view[V.SETS], view[V.RUNS]
    clash = contested(hand, sets, runs, view)
    best, best_out, best_card = NONE, clash, hand & 0
    weight = weight_of_points(view, params)
    pile, others = hand & 0, (hand & 0, 0.0, 0.0)
    if danger > 0.0:
        pile = top_cards(view, min(view[R.MAX_PILE_DRAW] - 1, view[V.PILE_SIZE])) & ~hand
        others = may_hold(view, unseen)
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
                if danger > 0.0 and value < best:  # danger only adds to it
                    value += danger * given_away(card, sets | fourth, runs | chain, unseen, pile, others, view)
                if value < best:
                    best, best_out, best_card = value, kept_out, card
        if kept_out == 0:
            return best, best_out, best_card
        kept_out = (kept_out - 1) & clash
