"""The compiled entry points of the table game: many deals or games, each with several plays in which the seats change.

``hands_kernel`` and ``games_kernel`` return the function to call: compiled with function slots, or the same source interpreted
where a strategy is in plain Python.
"""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, MOST_WITHOUT_WINNER
from ginsim.games.kernel import DECISION, F2, I1, I2, kernel
from ginsim.games.table import gamerecords as G
from ginsim.games.table import hand
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.hand import ENDED, FAILED, RECORD, STATE, TURN_OVER, deal
from ginsim.jit import njit, njit_inline

SLOTS = nb.UniTuple(nb.UniTuple(nb.FunctionType(DECISION), 3), R.MOST_SEATS)
HAND = nb.int64(I2, *[nb.int64] * 3, I1, F2, SLOTS, I2)


@njit_inline
def play_hand(play_one, t, seed, index, who, params, slots, log):
    """Play deal ``index`` of ``seed`` and fill the record row: ENDED or FAILED, as `play_on`, which ``play_one`` is."""
    deal(t, seed, index)
    last = t[STATE][R.PLAYERS] - 1  # as if the dealer had had a turn, and nobody were left to claim the upcard
    return play_one(t, last, np.int64(TURN_OVER), last + 1, who, params, slots, log)


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
            status = play_hand(play_one, t, seed, index, lineups[play], params, slots, log)
            for column in range(H.SIZE):
                records[row, column] = record[column]
            row += 1
            if status == FAILED:
                return row
    return row


@njit
def leader(scores, first, n):
    """Place of the highest of the ``n`` scores from slot ``first`` on; -1 if another is as high."""
    best, winner = scores[first], 0
    for seat in range(1, n):
        if scores[first + seat] > best:
            best, winner = scores[first + seat], seat
        elif scores[first + seat] == best:
            winner = -1
    return winner


def play_games(play_one, t, seed, first, count, lineups, params, slots, records, log, who):
    """Play games ``first`` … ``first + count - 1``, once for each row of ``lineups``: the seats of the first hand.

    A game goes to the target, or for as many hands as the rules allow: then the highest score wins, and of equal ones none. The
    deal passes to the left after each hand with a winner. A game is stopped as unfinished after ``MOST_WITHOUT_WINNER`` hands
    in a row that nobody won, or ``HANDS_PER_GAME`` in all. ``who`` is scratch room for the seats of a hand. Returns the number
    of game records written; after a failure the record row of ``t`` is that of the hand that failed.
    """
    s, record = t[STATE], t[RECORD]
    n = s[R.PLAYERS]
    most = s[R.HANDS] if s[R.HANDS] else np.int64(HANDS_PER_GAME)
    row = 0
    for game in range(first, first + count):
        for play in range(lineups.shape[0]):
            out = records[row]
            row += 1
            for column in range(G.SIZE):
                out[column] = 0
            out[G.GAME], out[G.PLAY], out[G.WINNER] = game, play, -1
            starter = in_vain = 0  # the first hand's seat of who starts this one; hands in a row without a winner
            while out[G.WINNER] < 0 and in_vain < MOST_WITHOUT_WINNER and out[G.HANDS] < most:
                for seat in range(n):
                    who[seat] = lineups[play, (starter + seat) % n]
                    s[V.SCORE + seat] = out[G.SCORE + (starter + seat) % n]
                index = GAME_BASE + game * HANDS_PER_GAME + out[G.HANDS]
                record[H.PLAY] = play
                status = play_hand(play_one, t, seed, index, who, params, slots, log)
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
            if out[G.WINNER] < 0 and s[R.HANDS] and out[G.HANDS] == most:
                out[G.WINNER] = leader(out, G.SCORE, n)
            elif out[G.WINNER] < 0:
                out[G.UNFINISHED] = 1
    return row


@functools.cache
def hands_kernel(form: str) -> Any:
    """``play_deals`` for strategies of ``form``: ``slots`` or ``python``."""
    return kernel(play_deals, hand.play_on, HAND, form, (I2, *[nb.int64] * 3, I2, F2, SLOTS, I2, I2))


@functools.cache
def games_kernel(form: str) -> Any:
    """``play_games`` for strategies of ``form``: ``slots`` or ``python``."""
    return kernel(play_games, hand.play_on, HAND, form, (I2, *[nb.int64] * 3, I2, F2, SLOTS, I2, I2, I1))


__all__ = ["ENDED", "FAILED", "games_kernel", "hands_kernel"]
