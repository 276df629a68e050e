"""The built-in decisions, one jitted function each, and what is shared by those who write more.

A decision takes ``view`` (int64[::1], see ``ginsim.games.gin.view``) and ``params`` (float64[::1]) and returns an int64:

- draw: 1 to take the upcard, 0 for the stock (at the offer: to pass);
- discard: the card to discard, as a mask, one of the hand and none of the banned;
- knock: 1 to knock, asked only when it is legal.

A decision reads its own block of ``params``: from ``DRAW``, ``DISCARD`` or ``KNOCK`` on, in the order its parameters are
declared. To add one, write it here (or in a module beside this one) and name it in ``BUILT_IN``. Those called ``weighed``
(``draws``, ``discards``, ``knocks``) put together what players argue about, one parameter each.
"""

from __future__ import annotations

import numpy as np

from ginsim.deals import draw_below
from ginsim.games.decisions import Decision, Param
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.jit import njit, popcount
from ginsim.melds import MANY, best_discards, deadwood, dearest, joins_meld

DRAW, DISCARD, KNOCK = 0, 16, 48
"""Where each decision's block of parameters starts."""


@njit
def random_below(view, n):
    """A random index 0 … n - 1 from the player's own stream."""
    return draw_below(view, V.RANDOM, n)


@njit
def pick(view, cards):
    """One of ``cards`` at random; the stream is touched only if there is a choice."""
    rest = cards & (cards - 1)
    if rest == 0:
        return cards
    skip = random_below(view, popcount(cards))
    for _ in range(skip):
        cards &= cards - 1
    return cards & -cards


@njit
def after_taking(view):
    """Least deadwood after taking the upcard and the best legal discard."""
    card = view[V.UPCARD]
    return best_discards(view[V.HAND] | card, card if view[R.REDRAW_BAN] else 0, view)[0]


@njit
def draw_never(view, params):
    """Always draw from the stock."""
    return np.int64(0)


@njit
def draw_meld(view, params):
    """Take the upcard if it makes a meld with cards in hand."""
    return np.int64(joins_meld(view[V.HAND], view[V.UPCARD], view))


@njit
def draw_strict(view, params):
    """Take the upcard if it leaves, after the best discard, less deadwood than the hand has now."""
    return np.int64(after_taking(view) < deadwood(view[V.HAND], view))


@njit
def draw_random(view, params):
    """Take the upcard or not, with even chances."""
    return random_below(view, 2)


@njit
def discard_random_best(view, params):
    """At random among the cards whose discard leaves the least deadwood."""
    return pick(view, best_discards(view[V.HAND], view[V.BANNED], view)[1])


@njit
def discard_highest(view, params):
    """The highest card whose discard leaves the least deadwood; of equals, the last in the order S H D C, A … K."""
    cards = dearest(best_discards(view[V.HAND], view[V.BANNED], view)[1], view)[0]
    while cards & (cards - 1):
        cards &= cards - 1
    return cards


@njit
def discard_new_pair(view, params):
    """Like random_best, but never drawing and discarding the same two cards twice in a hand."""
    drawn = view[V.DRAWN]
    repeats = np.int64(0)
    if view[V.MEMORY] & drawn:  # drawn before in this hand
        for turn in range(view[V.TURN]):
            if view[V.OWN_LOG + 2 * turn] == drawn:
                repeats |= view[V.OWN_LOG + 2 * turn + 1]
    view[V.MEMORY] |= drawn
    left, cards = best_discards(view[V.HAND], view[V.BANNED] | repeats, view)
    if left == MANY:
        cards = best_discards(view[V.HAND], view[V.BANNED], view)[1]
    return pick(view, cards)


@njit
def discard_random(view, params):
    """Any legal discard, at random."""
    return pick(view, view[V.HAND] & ~view[V.BANNED])


@njit
def knock_threshold(view, params):
    """Knock with deadwood of at most ``knock``."""
    return np.int64(view[V.DEADWOOD] <= params[KNOCK])


@njit
def knock_by_turn(view, params):
    """Knock with at most the deadwood given for the own turn; the last entry holds from then on, -1 means never."""
    last = np.int64(params[KNOCK]) - 1
    return np.int64(view[V.DEADWOOD] <= params[KNOCK + 1 + min(view[V.TURN], last)])


@njit
def knock_random(view, params):
    """Knock or not, with even chances."""
    return random_below(view, 2)


_KNOCK = Param("knock", 10, -1, 100, "most deadwood to knock with; 0 plays for gin")
BY_TURN = Param("knock_by_turn", 10, -1, 100, "most deadwood to knock with on own turn 1, 2, …; the last repeats", many=15)

BUILT_IN = (
    Decision("draw", "meld", draw_meld),
    Decision("draw", "strict", draw_strict),
    Decision("draw", "never", draw_never),
    Decision("draw", "random", draw_random),
    Decision("discard", "random_best", discard_random_best),
    Decision("discard", "highest", discard_highest),
    Decision("discard", "new_pair", discard_new_pair),
    Decision("discard", "random", discard_random),
    Decision("knock", "threshold", knock_threshold, (_KNOCK,)),
    Decision("knock", "by_turn", knock_by_turn, (BY_TURN,)),
    Decision("knock", "random", knock_random),
)
