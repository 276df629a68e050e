"""The compiled entry points: many duplicate pairs of hands or of games in one call.

``hands_kernel`` and ``games_kernel`` return the function to call for two strategies: compiled with inlined decisions if
both have numbers, compiled with function slots if both are jitted, and the same source interpreted otherwise.
"""

from __future__ import annotations

import functools
import types as python_types
from collections.abc import Callable
from typing import Any

import numba
import numba.types as nb

from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import hand
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin.hand import FAILED, RECORD, new_deck
from ginsim.games.gin.match import play_game
from ginsim.jit import njit, njit_inline

_I1, _I2, _F2 = nb.int64[::1], nb.int64[:, ::1], nb.float64[:, ::1]
DECISION = nb.int64(nb.int64[::1], nb.float64[::1])
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


def _interpreted(function: Any, **rebound: Any) -> Any:
    """The plain-Python source of a jitted function, with some of the functions it calls replaced."""
    source = getattr(function, "py_func", function)
    return python_types.FunctionType(source.__code__, {**source.__globals__, **rebound}, source.__name__)


def _interpreted_hand() -> Any:
    """``play_hand`` with everything between it and the decisions interpreted."""
    asked = _interpreted(hand._asked)
    wants, discards, knocks = (_interpreted(f, _asked=asked) for f in (hand._wants, hand._discards, hand._knocks))
    big_gin = _interpreted(hand._big_gin, _knocks=knocks)
    finish = _interpreted(hand._finish_turn, _discards=discards, _knocks=knocks, _big_gin=big_gin)
    turn = _interpreted(hand.take_turn, _wants=wants, _finish_turn=finish)
    play_on = _interpreted(hand.play_on, take_turn=turn, between_turns=_interpreted(hand.between_turns))
    return _interpreted(hand.play_hand, _offer=_interpreted(hand._offer, _wants=wants), play_on=play_on)


def compiled(source: Callable[..., int], signature: Any) -> Any:
    """An entry point compiled for ``signature`` and nothing else; the source as it is where Numba is switched off."""
    if numba.config.DISABLE_JIT:
        return source
    dispatcher: Any = njit(source)
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def pointed(function: Any, signature: Any) -> Any:
    """A jitted function compiled for ``signature``, for kernels that call it through a pointer."""
    if not numba.config.DISABLE_JIT:
        function.compile(signature)
    return function


def _hand_type(kind: str) -> Any:
    return nb.int64(_I2, nb.int64, nb.int64, nb.int64, _F2, SLOTS if kind == "slots" else nb.none)


@functools.cache
def hand_player(kind: str) -> Any:
    """``play_hand`` for strategies of ``kind``: ``numbers``, ``slots`` or ``python``.

    It is compiled by itself, and kernels call it through a pointer: the optimizer would otherwise go through all of it again
    for each kernel, and for each function between, which took most of a minute.
    """
    return _interpreted_hand() if kind == "python" else pointed(hand.play_hand, _hand_type(kind))


def kernel(source: Callable[..., int], kind: str, *more: nb.Type) -> Any:
    """The form of ``source`` for strategies of ``kind``: ``(t, seed, first, count, params, slots, records, *more)``.

    ``source`` takes the function that plays a hand before all that.
    """
    play_one = hand_player(kind)
    if kind == "python":
        parts = {name: _interpreted(part) for name, part in (("record_hand", record_hand), ("play_game", play_game))}
        return functools.partial(_interpreted(source, **parts), play_one)
    signature = nb.int64(nb.FunctionType(_hand_type(kind)), _I2, *[nb.int64] * 3, _F2, _hand_type(kind).args[-1], _I2, *more)
    return functools.partial(compiled(source, signature), play_one)


@functools.cache
def hands_kernel(kind: str) -> Any:
    """``play_pairs`` for strategies of ``kind``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_pairs, kind)


@functools.cache
def games_kernel(kind: str) -> Any:
    """``play_game_pairs`` for strategies of ``kind``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_game_pairs, kind, _I2, _I1)
