"""The compiled entry points: many duplicate pairs of hands or of games in one call.

``hands_kernel`` and ``games_kernel`` return the function to call for two strategies: compiled with inlined decisions if
both have numbers, compiled with function slots if both are jitted, and the same source interpreted otherwise.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba.types as nb

from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import hand
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin.hand import FAILED, RECORD, new_deck
from ginsim.games.gin.match import play_game
from ginsim.games.kernel import DECISION, F2, I1, I2
from ginsim.games.kernel import kernel as kernel_of
from ginsim.jit import njit_inline

SLOTS = nb.UniTuple(nb.UniTuple(nb.FunctionType(DECISION), 3), 2)


@njit_inline
def record_hand(play_one, t, seed, index, play, params, slots, records, row):
    """Play deal ``index`` from the deck as it lies, player ``play`` starting, into ``records[row]``: ENDED or FAILED."""
    record = t[RECORD]
    record[H.DEAL] = index
    record[H.PLAY] = play
    status = play_one(t, seed, index, play, params, slots)
    for column in range(H.SIZE):
        records[row, column] = record[column]
    return status


def play_pairs(play_one, t, seed, first, count, params, slots, records):
    """Play deals ``first`` … ``first + count - 1`` twice, player 0 starting and then player 1, into ``records``.

    Returns the number of records written; less than ``2 * count`` means that the last one failed.
    """
    reshuffles = t[0][R.STOCK_END] == 3
    row = 0
    for index in range(first, first + count):
        for play in range(2):
            if play == 0 or reshuffles:
                new_deck(t, seed, index)
            row += 1
            if record_hand(play_one, t, seed, index, play, params, slots, records, row - 1) == FAILED:
                return row
    return row


def play_game_pairs(play_one, t, seed, first, count, params, slots, records, sheet, reach):
    """Play games ``first`` … ``first + count - 1`` twice, player 0 starting and then player 1, into ``records``.

    Returns the number of game records written; after a failure the record row of ``t`` is that of the hand that failed.
    """
    row = 0
    for game in range(first, first + count):
        for play in range(2):
            t[RECORD][H.PLAY] = play
            status = play_game(play_one, t, seed, game, play, params, slots, sheet, reach, records[row])
            records[row, G.GAME] = game
            records[row, G.PLAY] = play
            row += 1
            if status == FAILED:
                return row
    return row


def kernel(source: Callable[..., int], form: str, *more: nb.Type, also: tuple[Any, ...] = ()) -> Any:
    """The form of ``source`` for strategies of ``form``: ``(t, seed, first, count, params, slots, records, *more)``.

    ``source`` takes the function that plays a hand before all that, and then those of ``also``, called as it is.
    """
    slots = SLOTS if form == "slots" else nb.Tuple(())
    hand_type = nb.int64(I2, nb.int64, nb.int64, nb.int64, F2, slots)
    return kernel_of(source, hand.play_hand, hand_type, form, (I2, *[nb.int64] * 3, F2, slots, I2, *more), *also)


@functools.cache
def hands_kernel(form: str) -> Any:
    """``play_pairs`` for strategies of ``form``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_pairs, form)


@functools.cache
def games_kernel(form: str) -> Any:
    """``play_game_pairs`` for strategies of ``form``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_game_pairs, form, I2, I1)
