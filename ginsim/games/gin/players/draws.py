"""The draw decision with a parameter for each reason that players give for taking an upcard."""

from __future__ import annotations

import numpy as np

from ginsim.games.decisions import Decision, Param
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.appraisal import chances_of_sorts, opponent_wants, outs, sorts_of_cards
from ginsim.games.gin.players.decisions import DRAW
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.jit import njit
from ginsim.melds import best_discards, deadwood, joins_meld

D_TAKE_AT, D_NO_MELD, D_OUTS, D_DENY = range(DRAW, DRAW + 4)


@njit
def draw_weighed(view, params):
    """Take the upcard if it is worth ``take_at`` points or more, by deadwood saved and all that has a weight; always for gin."""
    hand, card = view[V.HAND], view[V.UPCARD]
    left, cards = best_discards(hand | card, card if view[R.REDRAW_BAN] else np.int64(0), view)
    saved = float(deadwood(hand, view) - left)
    if left == 0 and saved > 0.0:
        return np.int64(1)
    if params[D_NO_MELD] != 0.0 and not joins_meld(hand, card, view):
        saved -= params[D_NO_MELD]
    if params[D_OUTS] != 0.0:
        while cards & (cards - 1):
            cards &= cards - 1
        unseen = unseen_cards(view)
        saved += params[D_OUTS] * (outs((hand | card) ^ cards, unseen, view) - outs(hand, unseen, view))
    if params[D_DENY] != 0.0 and view[V.OFFER] and view[V.STARTER]:  # any later upcard is one the opponent gave away
        unseen = unseen_cards(view)
        chances = chances_of_sorts(view, unseen, 1.0, 0.0)
        saved += params[D_DENY] * opponent_wants(card, view[V.OPP_HELD], sorts_of_cards(view, unseen), chances, view)
    return np.int64(saved >= params[D_TAKE_AT])


_ROWS = (
    ("take_at", 1, -100, 100, "points that an upcard must be worth to be taken", "take it if it helps"),
    ("no_meld", 0, -100, 100, "points by which it counts less if it makes no meld", "take it only for a meld"),
    ("outs", 0, -100, 100, "points for each card more, or fewer, that would then make a meld", "take it to build"),
    ("deny", 0, -1000, 1000, "at the first offer, points for each pair expected in the dealer's hand that it makes a meld with",
     "take the first upcard to deny it"),
)  # fmt: skip

DRAWS = (Decision("draw", "weighed", draw_weighed, tuple(Param(*row) for row in _ROWS)),)
