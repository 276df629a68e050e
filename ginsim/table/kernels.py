"""The compiled entry points of the table game: many deals or games, each with several plays in which the seats change.

``hands_kernel`` and ``games_kernel`` return the function to call: compiled with function slots, or the same source interpreted
where a strategy is in plain Python.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba.types as nb

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, MOST_WITHOUT_WINNER
from ginsim.gin.kernels import DECISION, _interpreted, compiled, pointed
from ginsim.table import hand
from ginsim.table.hand import ENDED, FAILED, RECORD, STATE
from ginsim.table.layout import MOST_SEATS, S_SCORE, T_PLAYERS, T_TARGET
from ginsim.table.records import (
    GAME_SIZE, G_ERROR, G_GAME, G_HANDS, G_PLAY, G_SCORE, G_SCORED, G_UNFINISHED, G_WINNER, HAND_SIZE, H_ERROR, H_PLAY,
    H_SCORE, H_WINNER,
)  # fmt: skip

SLOTS = nb.UniTuple(nb.UniTuple(nb.FunctionType(DECISION), 3), MOST_SEATS)


def play_deals(play_one, t, seed, first, count, lineups, params, slots, records, log):
    """Play deals ``first`` … ``first + count - 1`` once for each row of ``lineups``, which says who sits where.

    Returns the number of records written; a failure stops it with the record that failed.
    """
    s, record = t[STATE], t[RECORD]
    for seat in range(MOST_SEATS):
        s[S_SCORE + seat] = 0
    row = 0
    for index in range(first, first + count):
        for play in range(lineups.shape[0]):
            record[H_PLAY] = play
            status = play_one(t, seed, index, lineups[play], params, slots, log)
            for column in range(HAND_SIZE):
                records[row, column] = record[column]
            row += 1
            if status == FAILED:
                return row
    return row


def play_games(play_one, t, seed, first, count, lineups, params, slots, records, log, who):
    """Play games ``first`` … ``first + count - 1`` to the target, once for each row of ``lineups``: the seats of the first hand.

    The deal passes to the left after each hand with a winner. A game is stopped as unfinished after ``MOST_WITHOUT_WINNER`` hands
    in a row that nobody won, or ``HANDS_PER_GAME`` in all. ``who`` is scratch room for the seats of a hand. Returns the number
    of game records written; after a failure the record row of ``t`` is that of the hand that failed.
    """
    s, record = t[STATE], t[RECORD]
    n = s[T_PLAYERS]
    row = 0
    for game in range(first, first + count):
        for play in range(lineups.shape[0]):
            out = records[row]
            row += 1
            for column in range(GAME_SIZE):
                out[column] = 0
            out[G_GAME], out[G_PLAY], out[G_WINNER] = game, play, -1
            starter = in_vain = 0  # the first hand's seat of who starts this one; hands in a row without a winner
            while out[G_WINNER] < 0 and in_vain < MOST_WITHOUT_WINNER and out[G_HANDS] < HANDS_PER_GAME:
                for seat in range(n):
                    who[seat] = lineups[play, (starter + seat) % n]
                    s[S_SCORE + seat] = out[G_SCORE + (starter + seat) % n]
                index = GAME_BASE + game * HANDS_PER_GAME + out[G_HANDS]
                record[H_PLAY] = play
                status = play_one(t, seed, index, who, params, slots, log)
                if status == FAILED:
                    out[G_ERROR] = record[H_ERROR]
                    return row
                out[G_HANDS] += 1
                in_vain = 0 if record[H_WINNER] >= 0 else in_vain + 1
                if record[H_WINNER] >= 0:
                    out[G_SCORED] += 1
                    for seat in range(n):
                        out[G_SCORE + (starter + seat) % n] += record[H_SCORE + seat]
                    winner = (starter + record[H_WINNER]) % n
                    if out[G_SCORE + winner] >= s[T_TARGET]:
                        out[G_WINNER] = winner
                    starter = (starter + 1) % n
            out[G_UNFINISHED] = 1 if out[G_WINNER] < 0 else 0
    return row


_I1, _I2, _F2 = nb.int64[::1], nb.int64[:, ::1], nb.float64[:, ::1]
HAND = nb.int64(_I2, nb.int64, nb.int64, _I1, _F2, SLOTS, _I2)


@functools.cache
def hand_player(kind: str) -> Any:
    """``play_hand`` for strategies of ``kind``, compiled by itself or with all between it and the decisions interpreted."""
    if kind == "python":
        return _interpreted(hand.play_hand, **{name: _interpreted(getattr(hand, name)) for name in ("_turn", "_claims")})
    return pointed(hand.play_hand, HAND)


def _kernel(source: Callable[..., int], kind: str, *more: nb.Type) -> Any:
    play_one = hand_player(kind)
    if kind == "python":
        return functools.partial(_interpreted(source), play_one)
    signature = nb.int64(nb.FunctionType(HAND), _I2, *[nb.int64] * 3, _I2, _F2, SLOTS, _I2, _I2, *more)
    return functools.partial(compiled(source, signature), play_one)


@functools.cache
def hands_kernel(kind: str) -> Any:
    """``play_deals`` for strategies of ``kind``: ``slots`` or ``python``."""
    return _kernel(play_deals, kind)


@functools.cache
def games_kernel(kind: str) -> Any:
    """``play_games`` for strategies of ``kind``: ``slots`` or ``python``."""
    return _kernel(play_games, kind, _I1)


__all__ = ["ENDED", "FAILED", "games_kernel", "hands_kernel"]
