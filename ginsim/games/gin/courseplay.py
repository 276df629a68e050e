"""Playing a hand on without its knocks: the engine's own turns, and what each knock would have brought (``courses`` keeps it)."""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim.deals import RESHUFFLE_LANE, stream
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    ENDED,
    FAILED,
    PLAYING,
    RECORD,
    WRONG,
    between_turns,
    first_knock,
    new_deck,
    open_hand,
    showdown,
    take_turn,
)
from ginsim.games.gin.kernels import SLOTS
from ginsim.games.gin.players.known import last_discard, pickups, unmatched
from ginsim.games.kernel import F2, I1, I2
from ginsim.games.kernel import kernel as kernel_of
from ginsim.jit import njit
from ginsim.melds import deadwood

__all__ = ["MOST_ROWS", "ROW", "courses_kernel"]

ROW = np.dtype([
    ("seat", "u1"), ("turn", "u1"), ("deadwood", "u1"), ("unmatched", "u1"), ("taken", "u1"), ("last", "u1"), ("limit", "u1"),
    ("stock", "u1"), ("knocked", "u1"), ("ending", "u1"), ("multiplier", "u1"), ("final", "u1"), ("difference", "i2"),
])  # fmt: skip
"""A turn on which a knock is legal, or the end of a hand (``final``), of which each hand has one.

seat: 0 for the starter, 1 for the dealer. turn: the player's own, from 1. deadwood, unmatched: points and cards of the hand
kept. taken: cards that the opponent took from the pile so far. last: points of the opponent's last discard, 0 before the
first. limit: the knock limit in force. stock: cards left. knocked: 1 if the player, asked, did knock. ending: position in
``records.ENDINGS`` of the hand if it ends here. multiplier: of its points. difference: the defender's deadwood after lay-offs
less the knocker's; 0 if nobody scores.
"""
NAMES = ROW.names or ()
(
    C_SEAT, C_TURN, C_DEADWOOD, C_UNMATCHED, C_TAKEN, C_LAST, C_LIMIT, C_STOCK, C_KNOCKED, C_ENDING, C_MULTIPLIER, C_FINAL,
    C_DIFFERENCE,
) = range(len(NAMES))  # fmt: skip
MOST_ROWS = V.MAX_TURNS_ALLOWED + 1
"""Rows that a course may take."""


@njit
def _known(t, player, row):
    """Enter who moved, and what that player knows after the discard."""
    me = t[player]
    row[C_SEAT], row[C_TURN] = 1 - me[V.STARTER], min(me[V.TURN], 255)
    row[C_TAKEN], row[C_LAST] = min(pickups(me), 255), last_discard(me)
    row[C_LIMIT], row[C_STOCK], row[C_MULTIPLIER] = me[R.LIMIT], me[V.STOCK], me[V.MULTIPLIER]
    row[C_DEADWOOD] = row[C_UNMATCHED] = row[C_KNOCKED] = row[C_DIFFERENCE] = row[C_FINAL] = 0


@njit
def _enter_knock(t, player, left, ending, row):
    """Enter what a knock with deadwood ``left`` (or gin) comes to."""
    me = t[player]
    pile = me[V.PILE]
    ending, _, _, after, _ = showdown(me[V.HAND], t[1 - player][V.HAND], pile, left, ending, me)
    row[C_DEADWOOD], row[C_UNMATCHED] = left, unmatched(me[V.HAND], me)
    row[C_ENDING], row[C_DIFFERENCE] = ending, after - left


@njit
def _enter_turn(t, player, status, row):
    """Enter the turn just played: 1 if it is the last of the hand, 0 if a knock was legal, -1 if it was not."""
    me, ending = t[player], t[RECORD][H.ENDING]
    if status == ENDED and ending == H.BIG_GIN:
        _known(t, player, row)
        _enter_knock(t, player, np.int64(0), np.int64(H.BIG_GIN), row)
        row[C_TURN] += 1  # it has no discard that would end the turn
        row[C_FINAL] = 1
        return 1
    if status == ENDED and t[RECORD][H.KNOCKER] < 0:  # at the wall, where the upcard was not wanted
        _enter_nobody(t, player, row)
        return 1
    left = deadwood(me[V.HAND], me)
    if left > me[R.LIMIT] or me[V.TURN] <= first_knock(me):
        return -1
    _known(t, player, row)
    _enter_knock(t, player, left, H.GIN if left == 0 else H.KNOCKED, row)
    row[C_KNOCKED] = 1 if status == ENDED else 0
    row[C_FINAL] = 1 if left == 0 or me[V.WALL] else 0
    return row[C_FINAL]


@njit
def _enter_nobody(t, player, row):
    """Enter the end of a hand without a score."""
    _known(t, player, row)
    row[C_ENDING], row[C_FINAL] = t[RECORD][H.ENDING], 1


@njit
def play_course(t, seed, index, starter, params, slots, rows):
    """Play a deal on to gin or to the end of the stock, whoever knocks, into ``rows``: how many were filled, -1 if it failed."""
    player, mode = open_hand(t, seed, index, starter, params, slots)
    if mode == WRONG:
        return -1
    refill = stream(seed, index, np.int64(RESHUFFLE_LANE))
    at = 0
    while True:
        status = take_turn(t, player, params, slots, mode)
        if status == FAILED:
            return -1
        last = _enter_turn(t, player, status, rows[at])
        if last >= 0:
            at += 1
        if last == 1:
            return at
        player, mode = 1 - player, ASK
        status, refill = between_turns(t, player, refill)
        if status != PLAYING:
            _enter_nobody(t, player, rows[at])
            return at + 1


def play_courses(play_one, t, seed, first, count, params, slots, records, rows, counts):
    """Play deals ``first`` … ``first + count - 1``, with player 0 starting and, if ``counts[0]`` is 2, with player 1 too.

    The rows of all courses go into ``rows``, one course after the other; ``counts[1]`` becomes their number. Returns the number
    of hands; less than there should be means that the last one failed.
    """
    reshuffles = t[0][R.STOCK_END] == 3
    hands, counts[1] = 0, 0
    record = t[RECORD]
    for index in range(first, first + count):
        for play in range(counts[0]):
            if play == 0 or reshuffles:
                new_deck(t, seed, index)
            record[H.DEAL], record[H.PLAY] = index, play
            filled = play_one(t, seed, index, play, params, slots, rows[counts[1] :])
            records[hands, H.ERROR] = record[H.ERROR]
            hands += 1
            if filled < 0:
                return hands
            counts[1] += filled
    return hands


@functools.cache
def courses_kernel(form: str) -> Any:
    """``play_courses`` for strategies of ``form``: ``numbers``, ``slots`` or ``python``."""
    slots = SLOTS if form == "slots" else nb.Tuple(())
    course_type = nb.int64(I2, nb.int64, nb.int64, nb.int64, F2, slots, I2)
    return kernel_of(play_courses, play_course, course_type, form, (I2, *[nb.int64] * 3, F2, slots, I2, I2, I1))
