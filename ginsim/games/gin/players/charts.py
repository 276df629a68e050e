"""The knock decision by a chart: a table of chances by what is known, looked up on each turn (``chartfiles`` reads it)."""

from __future__ import annotations

import numpy as np

from ginsim.deals import draw_below
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.known import BOUNDS, SCORES, TURNS, class_of, last_discard, pickups, unmatched
from ginsim.jit import njit

__all__ = ["CHANCES", "FLAGS", "knock_chart"]

_DEADWOOD, _UNMATCHED, _TAKEN, _LAST, _LIMIT, _STOCK = BOUNDS.values()
FLAGS = PARAMS_SIZE
"""Behind the other parameters: whether each of ``BOUNDS`` is told apart, …"""
BY_SCORE = FLAGS + len(BOUNDS)
"""… whether the classes of both scores are (``SCORES``), …"""
CHANCES = BY_SCORE + 1
"""… then the chances to knock, by own and other's score, seat (starter, dealer), own turn, and what is told apart, the last
changing fastest."""
_PARTS = 1 << 20


@njit
def _score_class(score, target):
    return class_of((100 * score + target - 1) // target, SCORES)


@njit
def knock_chart(view, params):
    """Always go gin; else knock with the chance that a chart gives, by seat, turn and what the chart knows."""
    left = view[V.DEADWOOD]
    if left == 0:
        return np.int64(1)
    if params.size <= CHANCES:
        return np.int64(0)
    cell = np.int64(0)
    if params[BY_SCORE] != 0.0:
        own, other = _score_class(view[V.OWN_SCORE], view[R.TARGET]), _score_class(view[V.OPP_SCORE], view[R.TARGET])
        cell = own * (1 + len(SCORES)) + other
    cell = (2 * cell + 1 - view[V.STARTER]) * TURNS + min(view[V.TURN], TURNS - 1)
    if params[FLAGS] != 0.0:
        cell = cell * (1 + len(_DEADWOOD)) + class_of(left, _DEADWOOD)
    if params[FLAGS + 1] != 0.0:
        cell = cell * (1 + len(_UNMATCHED)) + class_of(unmatched(view[V.HAND], view), _UNMATCHED)
    if params[FLAGS + 2] != 0.0:
        cell = cell * (1 + len(_TAKEN)) + class_of(pickups(view), _TAKEN)
    if params[FLAGS + 3] != 0.0:
        cell = cell * (1 + len(_LAST)) + class_of(last_discard(view), _LAST)
    if params[FLAGS + 4] != 0.0:
        cell = cell * (1 + len(_LIMIT)) + class_of(view[R.LIMIT], _LIMIT)
    if params[FLAGS + 5] != 0.0:
        cell = cell * (1 + len(_STOCK)) + class_of(view[V.STOCK], _STOCK)
    if CHANCES + cell >= params.size:
        return np.int64(0)
    chance = params[CHANCES + cell]
    if chance <= 0.0 or chance >= 1.0:
        return np.int64(chance >= 1.0)
    return np.int64(draw_below(view, V.RANDOM, _PARTS) < chance * _PARTS)
