"""What a player knows that may speak for or against a knock, and the classes that a chart tells apart."""

from __future__ import annotations

import numpy as np

from ginsim.games.gin import view as V
from ginsim.jit import njit, njit_inline, popcount
from ginsim.melds import MANY, asked_about, loose_cards, points, run_cards, set_cards, with_rank

__all__ = ["BOUNDS", "SCORES", "TURNS", "class_of", "last_discard", "pickups", "unmatched"]

TURNS = 20
"""Own turns that are told apart; the last stands for all later ones too."""
BOUNDS: dict[str, tuple[int, ...]] = {
    "deadwood": tuple(range(1, 16)),
    "unmatched": (2, 3),
    "taken": (1, 2),
    "last": (1, 5, 9),
    "limit": tuple(range(1, 11)),
    "stock": (4, 8, 12, 16, 20, 24),
}
"""The least value of every class but the first, by what is known: own deadwood, own unmatched cards, cards the opponent took from
the pile, points of the opponent's last discard, the knock limit in force, cards left in the stock."""
SCORES = (1, 15, 30, 45, 60, 70, 80, 86, 90, 92, 94, 96, 98)
"""The least value of every class of scores but the first, in hundredths of the target, rounded up."""


@njit_inline
def class_of(value, bounds):
    """The class that a value is in."""
    found = np.int64(0)
    for bound in bounds:
        found += value >= bound
    return found


@njit
def unmatched(hand, c):
    """Unmatched cards of a hand with least deadwood; the fewest, if it can be melded in several ways."""
    runs, sets = run_cards(hand, c), set_cards(hand)
    clash = runs & sets
    if clash == 0:
        return popcount(hand & ~(runs | sets))
    least, fewest = MANY, np.int64(0)
    asked, joint = asked_about(hand, clash)
    chosen = asked
    while True:
        loose = loose_cards(hand, with_rank(chosen, joint), c)
        left, count = points(loose, c), popcount(loose)
        if left < least or (left == least and count < fewest):
            least, fewest = left, count
        if chosen == 0:
            return fewest
        chosen = (chosen - 1) & asked


@njit
def pickups(view):
    """Cards that the opponent has taken from the discard pile so far."""
    taken = np.int64(0)
    for turn in range(view[V.OPP_TURN]):
        if view[V.OPP_LOG + 2 * turn] != 0:
            taken += 1
    return taken


@njit
def last_discard(view):
    """Points of the opponent's last discard, 0 before the first."""
    turns = view[V.OPP_TURN]
    return points(view[V.OPP_LOG + 2 * turns - 1], view) if turns > 0 else np.int64(0)
