"""The cheaper built-in decisions by number, for the kernel that inlines them.

A kernel calls decisions through function slots, which serve every strategy but cost a call each. For decisions of a few
nanoseconds that call is most of the time, so those named here can also be reached by number. Leaving a decision out
costs it nothing but that speed.
"""

from __future__ import annotations

from collections.abc import Callable

from ginsim.games.gin.players.charts import knock_chart
from ginsim.games.gin.players.decisions import (
    discard_highest,
    discard_new_pair,
    discard_random_best,
    draw_meld,
    draw_never,
    draw_strict,
    knock_by_turn,
    knock_threshold,
)
from ginsim.games.gin.players.discards import discard_weighed
from ginsim.games.gin.players.draws import draw_weighed
from ginsim.games.gin.players.knocks import knock_weighed
from ginsim.jit import njit_inline

BY_NUMBER: dict[Callable[..., int], int] = {
    draw_meld: 0, draw_strict: 1, draw_never: 2, draw_weighed: 3,
    discard_new_pair: 0, discard_random_best: 1, discard_highest: 2, discard_weighed: 3,
    knock_threshold: 0, knock_by_turn: 1, knock_weighed: 2, knock_chart: 3,
}  # fmt: skip


@njit_inline
def draw_by_number(number, view, params):
    """The draw decision of that number."""
    if number == 0:
        return draw_meld(view, params)
    if number == 1:
        return draw_strict(view, params)
    if number == 2:
        return draw_never(view, params)
    return draw_weighed(view, params)


@njit_inline
def discard_by_number(number, view, params):
    """The discard decision of that number."""
    if number == 0:
        return discard_new_pair(view, params)
    if number == 1:
        return discard_random_best(view, params)
    if number == 2:
        return discard_highest(view, params)
    return discard_weighed(view, params)


@njit_inline
def knock_by_number(number, view, params):
    """The knock decision of that number."""
    if number == 0:
        return knock_threshold(view, params)
    if number == 1:
        return knock_by_turn(view, params)
    if number == 2:
        return knock_weighed(view, params)
    return knock_chart(view, params)
