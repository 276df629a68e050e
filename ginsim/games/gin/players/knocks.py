"""The knock decision with a parameter for each reason that players give for knocking or playing on."""

from __future__ import annotations

import numpy as np

from ginsim.games.decisions import Decision, Param
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.appraisal import undercut_chance
from ginsim.games.gin.players.decisions import BY_TURN, KNOCK
from ginsim.jit import njit

BY_STOCK = Param(
    "knock_by_stock", 100, -1, 100, "… and at most this with 0–3, 4–7, … cards left in the stock; the last entry repeats",
    "knock while the stock is high", many=8,
)  # fmt: skip
K_TURN = KNOCK
K_STOCK = K_TURN + 1 + BY_TURN.many
K_GIN_FROM, K_RISK, K_WIN, K_CLOSE, K_BEHIND = range(K_STOCK + 1 + BY_STOCK.many, K_STOCK + 6 + BY_STOCK.many)
STOCK_STEP = 4


@njit
def behind(view):
    """Points that the opponent's line is ahead, boxes counted."""
    boxes = view[V.OPP_BOXES] - view[V.OWN_BOXES]
    return view[V.OPP_SCORE] - view[V.OWN_SCORE] + view[R.BOX_BONUS] * boxes


@njit
def knock_weighed(view, params):
    """Always go gin, and knock if it decides the game; else knock with little deadwood, unless a parameter forbids it."""
    left, turn, stock = view[V.DEADWOOD], view[V.TURN], view[V.STOCK] // STOCK_STEP
    if left == 0 or view[R.TARGET] - view[V.OWN_SCORE] <= params[K_WIN] - left:
        return np.int64(1)
    if view[R.TARGET] - view[V.OPP_SCORE] <= params[K_CLOSE]:
        return np.int64(1)
    if turn + 1 >= params[K_GIN_FROM]:
        return np.int64(0)
    limit = params[K_TURN + 1 + min(turn, np.int64(params[K_TURN]) - 1)]
    if params[K_BEHIND] != 0.0:
        limit += params[K_BEHIND] * behind(view)
    if left > limit or left > params[K_STOCK + 1 + min(stock, np.int64(params[K_STOCK]) - 1)]:
        return np.int64(0)
    return np.int64(params[K_RISK] >= 1.0 or undercut_chance(view) <= params[K_RISK])


_ROWS = (
    ("gin_from", V.LOG_TURNS, 1, V.LOG_TURNS, "from this own turn on, go gin only", "knock early, later play for gin"),
    ("undercut_risk", 1, 0, 1, "most chance of an undercut to knock with, by the opponent's turns, pick-ups and last discard",
     "do not knock into an undercut"),
    ("knock_to_win", 0, 0, 100, "knock when the player needs no more than this, less the deadwood, to reach the target",
     "knock when it wins the game"),
    ("knock_if_close", 0, 0, 1000, "knock when the opponent needs no more than this to reach the target",
     "knock before the opponent wins the game"),
    ("behind", 0, -1, 1, "how much the limits by turn rise for each point by which the opponent leads, boxes included",
     "the leader can wait, the player behind must hurry"),
)  # fmt: skip

KNOCKS = (Decision("knock", "weighed", knock_weighed, (BY_TURN, BY_STOCK, *(Param(*row) for row in _ROWS))),)
