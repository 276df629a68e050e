"""The compiled entry points of the table game: many deals or games, each with several plays in which the seats change.

``hands_kernel`` and ``games_kernel`` return the function to call: compiled with function slots, or the same source interpreted
where a strategy is in plain Python.
"""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, MOST_WITHOUT_WINNER
from ginsim.games.kernel import DECISION, F2, I1, I2, kernel
from ginsim.games.table import gamerecords as G
from ginsim.games.table import hand
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.hand import ENDED, FAILED, RECORD, STATE

SLOTS = nb.UniTuple(nb.UniTuple(nb.FunctionType(DECISION), 3), R.MOST_SEATS)
HAND = nb.int64(I2, nb.int64, nb.int64, I1, F2, SLOTS, I2)


def play_deals(play_one, t, seed, first, count, lineups, params, slots, records, log):
    """Play deals ``first`` … ``first + count - 1`` once for each row of ``lineups``, which says who sits where.

    Returns the number of records written; a failure stops it with the record that failed.
    """
    s, record = t[STATE], t[RECORD]
    for seat in range(R.MOST_SEATS):
        s[V.SCORE + seat] = 0
    row = 0
    for index in range(first, first + count):
        for play in range(lineups.shape[0]):
            record[H.PLAY] = play
            status = play_one(t, seed, index, lineups[play], params, slots, log)
            for column in range(H.SIZE):
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
    n = s[R.PLAYERS]
    row = 0
    for game in range(first, first + count):
        for play in range(lineups.shape[0]):
            out = records[row]
            row += 1
            for column in range(G.SIZE):
                out[column] = 0
            out[G.GAME], out[G.PLAY], out[G.WINNER] = game, play, -1
            starter = in_vain = 0  # the first hand's seat of who starts this one; hands in a row without a winner
            while out[G.WINNER] < 0 and in_vain < MOST_WITHOUT_WINNER and out[G.HANDS] < HANDS_PER_GAME:
                for seat in range(n):
                    who[seat] = lineups[play, (starter + seat) % n]
                    s[V.SCORE + seat] = out[G.SCORE + (starter + seat) % n]
                index = GAME_BASE + game * HANDS_PER_GAME + out[G.HANDS]
                record[H.PLAY] = play
                status = play_one(t, seed, index, who, params, slots, log)
                if status == FAILED:
                    out[G.ERROR] = record[H.ERROR]
                    return row
                out[G.HANDS] += 1
                in_vain = 0 if record[H.WINNER] >= 0 else in_vain + 1
                if record[H.WINNER] >= 0:
                    out[G.SCORED] += 1
                    for seat in range(n):
                        out[G.SCORE + (starter + seat) % n] += record[H.SCORE + seat]
                    winner = (starter + record[H.WINNER]) % n
                    if out[G.SCORE + winner] >= s[R.TARGET]:
                        out[G.WINNER] = winner
                    starter = (starter + 1) % n
            out[G.UNFINISHED] = 1 if out[G.WINNER] < 0 else 0
    return row


@functools.cache
def hands_kernel(form: str) -> Any:
    """``play_deals`` for strategies of ``form``: ``slots`` or ``python``."""
    return kernel(play_deals, hand.play_hand, HAND, form, (I2, *[nb.int64] * 3, I2, F2, SLOTS, I2, I2))


@functools.cache
def games_kernel(form: str) -> Any:
    """``play_games`` for strategies of ``form``: ``slots`` or ``python``."""
    return kernel(play_games, hand.play_hand, HAND, form, (I2, *[nb.int64] * 3, I2, F2, SLOTS, I2, I2, I1))


__all__ = ["ENDED", "FAILED", "games_kernel", "hands_kernel"]
