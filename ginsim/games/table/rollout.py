"""Playing choices at the table to the end: the hidden cards dealt, the choice made, the hand played on by the engine."""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim.deals import DECK_LANE, RESHUFFLE_LANE, shuffle, stream
from ginsim.games.kernel import F2, I1, I2, kernel
from ginsim.games.table import hand
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.hand import (
    DECK,
    DECK_SIZE,
    FAILED,
    PLAYING,
    RECORD,
    STATE,
    TABLE_SEAT_LANE,
    TURN_OVER,
    X_HAND,
    X_REFILL,
    finish,
    show,
    start_turn,
    take_claim,
)
from ginsim.games.table.kernels import HAND, SLOTS
from ginsim.games.table.moment import CLAIM, DRAW
from ginsim.jit import njit, popcount

CHOICE = 2
"""A choice is a row: the cards drawn from the pile (of a claim: 1, or 0 to pass), the discard, and from here what is melded."""
CHOICE_SIZE = CHOICE + V.MOST_MELDS


@njit
def copy_table(base, t):
    """Make the table ``t`` the same as ``base``."""
    for row in range(base.shape[0]):
        for slot in range(V.WORK):
            t[row, slot] = base[row, slot]


@njit
def lay_out(base, unseen, cards, seat, seed, index):
    """Deal the cards ``unseen`` of rollout ``index``: to the hands after ``seat``, into the stock, the rest under the pile.

    ``cards`` is scratch of the same size. All random streams begin as in deal ``index`` of ``seed``.
    """
    s, record = base[STATE], base[RECORD]
    for i in range(unseen.size):
        cards[i] = unseen[i]
    shuffle(cards, np.int64(0), np.int64(cards.size), stream(seed, index, np.int64(DECK_LANE)))
    record[H.DEAL] = index
    at = np.int64(0)
    for step in range(1, s[R.PLAYERS]):
        other = (seat + step) % s[R.PLAYERS]
        held = s[V.HELD + other]
        while popcount(held) < s[V.COUNT + other]:
            held |= cards[at]
            at += 1
        s[X_HAND + other] = held
    for i in range(DECK_SIZE - s[V.STOCK], DECK_SIZE):
        base[DECK][i] = cards[at]
        at += 1
    for i in range(cards.size - at):
        s[V.PILE + i] = cards[at + i]
    for other in range(s[R.PLAYERS]):
        base[other][V.RANDOM] = np.int64(stream(seed, index, np.int64(TABLE_SEAT_LANE + other)))
    s[X_REFILL] = np.int64(stream(seed, index, np.int64(RESHUFFLE_LANE)))


@njit
def begin(t, seat, discarder, choosing, choice, log):
    """Make the choice: ``(status, seat, depth, first)``, the last three for `play_on`."""
    s, v = t[STATE], t[seat]
    if choosing == DRAW:
        start_turn(t)
        return np.int64(PLAYING), seat, choice[0], np.int64(1)
    after = (seat - discarder) % s[R.PLAYERS]
    if choosing == CLAIM and choice[0] == 0:
        return np.int64(PLAYING), discarder, np.int64(TURN_OVER), after + 1
    show(t, seat)
    v[V.PLAN_DISCARD] = choice[1]
    for i in range(V.MOST_MELDS):
        v[V.PLAN_MELDS + i] = choice[CHOICE + i]
    if choosing == CLAIM:
        status = take_claim(t, seat, s[V.PILE + s[V.PILE_SIZE] - 1], log)
        return np.int64(status), discarder, np.int64(TURN_OVER), s[R.PLAYERS]
    return np.int64(finish(t, seat, choice[0], log)), seat, np.int64(TURN_OVER), np.int64(1)


def roll_out(play_one, base, t, unseen, cards, seed, first, seat, discarder, choosing, choices, who, params, slots, log, values):
    """Play each of ``choices`` to the end on the hidden cards of rollouts ``first``, ``first + 1``, …, as many as ``values`` has.

    ``unseen`` are the cards to deal, ``cards`` scratch. Writes the points of ``seat`` and whether it won; 0 if a decision
    failed: the record row of ``t`` says which.
    """
    for r in range(values.shape[0]):
        lay_out(base, unseen, cards, seat, seed, first + r)
        for i in range(choices.shape[0]):
            copy_table(base, t)
            status, whose, depth, asked = begin(t, seat, discarder, choosing, choices[i], log)
            if status == PLAYING:
                status = play_one(t, whose, depth, asked, who, params, slots, log)
            if status == FAILED:
                return 0
            values[r, i, 0] = t[RECORD, H.SCORE + seat]
            values[r, i, 1] = t[RECORD, H.WINNER] == seat
    return 1


@functools.cache
def rollout_kernel(form: str) -> Any:
    """``roll_out`` for strategies of ``form``: ``slots`` or ``python``."""
    signature = (I2, I2, I1, I1, *[nb.int64] * 5, I2, I1, F2, SLOTS, I2, nb.float64[:, :, ::1])
    return kernel(roll_out, hand.play_on, HAND, form, signature)
