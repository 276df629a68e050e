"""What each turn of a hand came to, read from the players' logs after the hand: deadwood, and what a knock would have brought.

A knock that was not made is judged as if it had been: the cards kept, the opponent's hand at that moment, its lay-offs.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.ends import E_ON, could_go_on, go_on, hand_cards
from ginsim.games.gin.hand import DECK, ENDED, FAILED, FIRST, RECORD, first_knock, new_deck, showdown
from ginsim.games.gin.kernels import kernel, record_hand
from ginsim.games.gin.players.opponent import near
from ginsim.games.gin.rest import gain_of
from ginsim.games.kernel import I2
from ginsim.jit import njit, njit_inline, popcount
from ginsim.melds import deadwood

__all__ = ["MOST_TURNS", "TURN_COLUMNS", "TURN_SIZE", "hand_turns", "turns_kernel"]

TURN_COLUMNS = ("player", "turn", "took", "discard", "near", "taken", "deadwood", "ending", "points")
"""Columns (int64) of a turn, one row for each in the order they were played.

player: 0 or 1. turn: the player's own, from 1. took: 1 if it began with the upcard. discard: the card, 0 for big gin. near: 1
if the discard lies beside a card that the opponent has discarded, plus 2 if it is of such a card's rank. taken: 1 if the
opponent took it at once, 0 if not, -1 if the hand was over. deadwood: of the cards kept. ending: position in ``ENDINGS`` of a
knock (or gin) then, -1 if it was not legal. points: of that knock, to the knocker, below 0 for an undercut.
"""
T_PLAYER, T_TURN, T_TOOK, T_DISCARD, T_NEAR, T_TAKEN, T_DEADWOOD, T_ENDING, T_POINTS = range(len(TURN_COLUMNS))
TURN_SIZE = len(TURN_COLUMNS)
MOST_TURNS = V.MAX_TURNS_ALLOWED
"""Rows that the turns of a hand may take."""


@njit
def _knock(me, hand, defender, pile, row):
    """Enter what a knock with ``hand`` brings, if it is legal on this turn."""
    row[T_DEADWOOD] = left = deadwood(hand, me)
    row[T_ENDING], row[T_POINTS] = -1, 0
    if left <= me[R.LIMIT] and row[T_TURN] > first_knock(me):
        ending, gain, _, _, _ = showdown(hand, defender, pile, left, H.GIN if left == 0 else H.KNOCKED, me)
        row[T_ENDING], row[T_POINTS] = ending, -gain if ending == H.UNDERCUT else gain


@njit
def hand_turns(t, rows):
    """Fill ``rows`` (int64[MOST_TURNS, TURN_SIZE]) for the hand just played on the table ``t``; returns their number."""
    deck, record, n = t[DECK], t[RECORD], t[0][D.HAND_SIZE]
    more = n + t[0][R.ELEVEN]
    hand = other = np.int64(0)  # of the player to move, and of the opponent
    for i in range(more):
        hand |= deck[i]
    for i in range(more, more + n):
        other |= deck[i]
    player = record[FIRST]
    if player != record[H.STARTER]:
        hand, other = other, hand
    pile = np.int64(0) if t[0][R.ELEVEN] else deck[2 * n]
    stock = t[0][D.RANKS] * t[0][D.SUITS] - 2 * n - 1
    thrown, theirs = np.int64(0), np.int64(0)  # discards of the player to move, and of the opponent
    for at in range(record[H.TURNS]):
        me, row, own = t[player], rows[at], at // 2
        card = me[V.OWN_LOG + 2 * own] if own < me[V.TURN] else me[V.DRAWN]
        took = card != 0 and t[1 - player][V.OPP_LOG + 2 * own] != 0
        row[T_PLAYER], row[T_TURN], row[T_TOOK], row[T_TAKEN] = player, own + 1, took, -1
        if at > 0:
            rows[at - 1, T_TAKEN] = took
        hand |= card
        if took:
            pile ^= card
        elif card != 0:
            stock -= 1
        if own < me[V.TURN]:
            out = me[V.OWN_LOG + 2 * own + 1]
            hand ^= out
            pile |= out
            rank, _, beside, _, _ = near(theirs, me)
            row[T_DISCARD] = out
            row[T_NEAR] = (1 if out & beside else 0) + (2 if out & rank else 0)
            _knock(me, hand, other, pile, row)
            thrown |= out
            if stock == 0 and me[R.STOCK_END] == 3:  # reshuffled; the top discard stays
                stock, pile = popcount(pile) - 1, out
        else:  # big gin: nothing is discarded
            row[T_DISCARD] = row[T_NEAR] = row[T_DEADWOOD] = 0
            row[T_ENDING], row[T_POINTS] = H.BIG_GIN, record[H.POINTS]
        hand, other, thrown, theirs, player = other, hand, theirs, thrown, 1 - player
    return record[H.TURNS]


@njit_inline
def end_of_hand(go_on, t, seed, index, params, slots, record, end):
    """Fill ``end`` for the hand just played on the table ``t``, whose record is kept, playing on if it ended early."""
    hand_cards(t, end)
    status = ENDED
    if could_go_on(record, end):
        status = go_on(t, seed, index, np.int64(0), params, slots)
        if status == FAILED:
            record[H.ERROR] = t[RECORD, H.ERROR]
    end[E_ON] = gain_of(t, 0)
    return status


def play_watched_pairs(play_one, go_on, t, seed, first, count, params, slots, records, turns, ends):
    """As ``ginsim.games.gin.kernels.play_pairs``; the turns of all hands go into ``turns``, one hand after the other.

    How each hand ended goes into its row of ``ends`` (int64[hands, END_SIZE]).
    """
    reshuffles = t[0][R.STOCK_END] == 3
    row, at = 0, 0
    for index in range(first, first + count):
        for play in range(2):
            if play == 0 or reshuffles:
                new_deck(t, seed, index)
            row += 1
            if record_hand(play_one, t, seed, index, play, params, slots, records, row - 1) == FAILED:
                return row
            at += hand_turns(t, turns[at:])
            if end_of_hand(go_on, t, seed, index, params, slots, records[row - 1], ends[row - 1]) == FAILED:
                return row
    return row


@functools.cache
def turns_kernel(kind: str) -> Any:
    """``play_watched_pairs`` for strategies of ``kind``: ``numbers``, ``slots`` or ``python``."""
    return kernel(play_watched_pairs, kind, I2, I2, also=(go_on,))
