"""Games whose decisions branch: at some of them the true state is copied, and each choice is played to the end of the hand.

The hidden cards as they are, and the stock in its order, are one sample of what they may be given what the player saw, drawn
with exactly the right chances: so nothing has to be guessed, and choices of the same moment are compared on the same cards.
"""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, RESHUFFLE_LANE, draw_below, stream
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    DECK,
    FAILED,
    MUST_DRAW,
    MUST_TAKE,
    NO_DRAW,
    PLAYING,
    RECORD,
    asked_to_discard,
    asked_to_knock,
    asked_to_take,
    between_turns,
    deal,
    draw_card,
    finish_turn,
    first_knock,
    new_deck,
    take_turn,
    take_upcard,
)
from ginsim.games.gin.kernels import SLOTS
from ginsim.games.gin.learned.features import (
    choices,
    class_deadwood,
    describe_discard,
    describe_draw,
    describe_shared,
    least_cost,
    weigh_all,
)
from ginsim.games.gin.learned.layout import CLASSES, NUMBERS, W_CLASSES, W_NUMBERS
from ginsim.games.gin.match import next_starter, remember
from ginsim.games.gin.players.lookahead import M_BELIEVED
from ginsim.games.gin.rest import end_turn, play_discard, play_draw
from ginsim.games.kernel import F2, I1, I2, compiled
from ginsim.jit import njit, popcount
from ginsim.melds import deadwood

__all__ = ["BRANCHED", "CHOICES", "COUNTERS", "branching_kernel"]

DISCARD, DRAW, KNOCK = range(3)
LANE = 65
CHOICES = 5
"""Choices of a discard that are played out: the best by cost, the last one any of the others."""
OFTEN = (40, 50, 100)
"""How many in a hundred of the discards, draws and legal knocks are branched at."""
SPARE = 400
"""Rows that are to be free when a hand begins; what does not fit in is not branched at."""
STRAYS = 10
"""In a hundred discards that go on with one of the best four by cost, not with the player's own."""
BRANCHED = ("kind", "first", "choices", "own", "other", "starter")
"""Columns of a decision: its kind, where its rows begin, how many there are, the scores, whether the player started."""
P_KIND, P_FIRST, P_CHOICES, P_OWN, P_OTHER, P_STARTER = range(len(BRANCHED))
COUNTERS = C_DECISIONS, C_ROWS, C_STATE = range(3)
"""Slots of the counters: decisions and rows so far, and the state of the random choices."""


@njit
def _copy(t, to):
    for i in range(V.SIZE):
        to[0, i] = t[0, i]
        to[1, i] = t[1, i]
    for i in range(64):
        to[RECORD, i] = t[RECORD, i]
        to[DECK, i] = t[DECK, i]


@njit
def _copy_to_look(t, player, w):
    """Copy the table, for ``player`` to look ahead from there with beliefs of the moment."""
    _copy(t, w)
    w[player, M_BELIEVED] = 0


@njit
def _enter(t, player, kind, counters, decisions):
    """Enter a decision; its rows follow."""
    row = decisions[counters[C_DECISIONS]]
    me = t[player]
    row[P_KIND], row[P_FIRST], row[P_CHOICES] = kind, counters[C_ROWS], 0
    row[P_OWN], row[P_OTHER], row[P_STARTER] = me[V.OWN_SCORE], me[V.OPP_SCORE], me[V.STARTER]
    counters[C_DECISIONS] += 1


@njit
def _describe_row(view, counters, numbers, classes):
    """Enter what is written of a choice in the workspace of ``view``."""
    f, row = view.view(np.float64), counters[C_ROWS]
    for k in range(NUMBERS):
        numbers[row, k] = f[W_NUMBERS + k]
    for k in range(CLASSES):
        classes[row, k] = view[W_CLASSES + k]


@njit
def _value_row(gain, counters, decisions, gains):
    """Enter what a choice came to."""
    gains[counters[C_ROWS]] = gain
    counters[C_ROWS] += 1
    decisions[counters[C_DECISIONS] - 1, P_CHOICES] += 1


@njit
def _branch_draw(t, player, refill, params, slots, prior, u, counters, decisions, numbers, classes, gains):
    """Play both draws to the end: one row, what taking gains."""
    _copy_to_look(t, player, u)
    view = u[player]
    describe_draw(view, prior)
    _enter(t, player, DRAW, counters, decisions)
    for takes in range(1, -1, -1):
        if takes:
            _describe_row(view, counters, numbers, classes)
        _copy(t, u)
        gain = play_draw(u, player, takes, refill, params, slots)
        if not takes:
            for k in range(CLASSES):
                classes[counters[C_ROWS], k] = -1
        _value_row(gain, counters, decisions, gains)


@njit
def _branch_discard(t, player, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains):
    """Play several discards to the end, a row each."""
    _copy_to_look(t, player, w)
    view = w[player]
    hand = view[V.HAND]
    discards, listed = weigh_all(view, hand, view[V.BANNED], np.int64(0), prior)
    rest = choices(view, discards, listed)
    describe_shared(view)
    if rest & (rest - 1) == 0:
        return
    _enter(t, player, DISCARD, counters, decisions)
    for k in range(CHOICES):
        if rest == 0:
            return
        x = least_cost(view, rest, listed)
        if k == CHOICES - 1:
            x = _any(rest, counters)
        rest ^= x
        describe_discard(view, hand, x, listed)
        _describe_row(view, counters, numbers, classes)
        _copy(t, u)
        _value_row(play_discard(u, player, x, -1, refill, params, slots), counters, decisions, gains)


@njit
def _any(cards, counters):
    """One of ``cards`` at random."""
    for _ in range(draw_below(counters, C_STATE, popcount(cards))):
        cards &= cards - 1
    return cards & -cards


@njit
def _branch_knock(t, player, x, left, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains):
    """Play a knock, and going on, to the end: one row, what knocking gains."""
    _copy_to_look(t, player, w)
    view = w[player]
    hand = view[V.HAND]
    _, listed = weigh_all(view, hand, np.int64(0), x, prior)
    describe_shared(view)
    describe_discard(view, hand, x, listed)
    class_deadwood(view, left)
    _enter(t, player, KNOCK, counters, decisions)
    for knocks in range(1, -1, -1):
        _describe_row(view, counters, numbers, classes)
        _copy(t, u)
        _value_row(play_discard(u, player, x, knocks, refill, params, slots), counters, decisions, gains)


@njit
def _chance(percent, counters):
    return draw_below(counters, C_STATE, 100) < percent


@njit
def _branches(kind, counters, gains):
    """Whether to branch at a decision, for which there must be room."""
    return counters[C_ROWS] + CHOICES <= len(gains) and _chance(OFTEN[kind], counters)


@njit
def _stray(t, player, x, prior, w, counters):
    """The player's discard ``x``, or now and then another of the best four by cost."""
    if not _chance(STRAYS, counters):
        return x
    _copy_to_look(t, player, w)
    view = w[player]
    discards, listed = weigh_all(view, view[V.HAND], view[V.BANNED], np.int64(0), prior)
    found, n = np.int64(0), 0
    while discards and n < 4:
        best = least_cost(view, discards, listed)
        found |= best
        discards ^= best
        n += 1
    return _any(found, counters)


@njit
def _turn(t, player, mode, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains):
    """A turn of the player that learns: PLAYING, ENDED or FAILED."""
    me = t[player]
    if me[V.WALL] or (me[R.BIG_GIN_BONUS] >= 0 and mode == NO_DRAW):
        return take_turn(t, player, params, slots, mode)
    if mode == ASK:
        if me[V.UPCARD] and _branches(DRAW, counters, gains):
            _branch_draw(t, player, refill, params, slots, prior, u, counters, decisions, numbers, classes, gains)
        mode = MUST_TAKE if asked_to_take(t, player, params, slots) else MUST_DRAW
    if mode == MUST_TAKE:
        take_upcard(t, player)
    elif mode == MUST_DRAW:
        draw_card(t, player)
    if me[R.BIG_GIN_BONUS] >= 0 and deadwood(me[V.HAND], me) == 0:
        return finish_turn(t, player, params, slots)
    if _branches(DISCARD, counters, gains):
        _branch_discard(t, player, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains)
    x = _stray(t, player, asked_to_discard(t, player, params, slots), prior, w, counters)
    hand = me[V.HAND] ^ x
    left = deadwood(hand, me)
    legal = left <= me[R.LIMIT] and me[V.TURN] >= first_knock(me)
    if legal and left > 0 and _branches(KNOCK, counters, gains):
        _branch_knock(t, player, x, left, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains)
    knocks = asked_to_knock(t, player, params, slots, hand, x, left)
    return end_turn(t, player, x, left, knocks)


@njit
def _hand(t, seed, index, starter, params, slots, prior, u, w, counters, decisions, numbers, classes, gains):
    """Play a hand; player 0 learns."""
    record = t[RECORD]
    record[H.TURNS] = record[H.ERROR] = 0
    deal(t, seed, index, starter)
    refill = stream(seed, index, np.int64(RESHUFFLE_LANE))
    player, mode = starter, NO_DRAW if t[0, R.ELEVEN] else ASK
    if t[0, R.OFFER_RULE]:
        for _ in range(2):
            me = t[player]
            me[V.OFFER] = 1
            if player == 0 and _branches(DRAW, counters, gains):
                _branch_draw(t, player, refill, params, slots, prior, u, counters, decisions, numbers, classes, gains)
            takes = asked_to_take(t, player, params, slots)
            me[V.OFFER] = 0
            if takes:
                mode = MUST_TAKE
                break
            t[1 - player, V.OPP_PASSED] |= me[V.UPCARD]
            player = 1 - player
            mode = MUST_DRAW
    status = PLAYING
    while status == PLAYING:
        if player == 0:
            status = _turn(
                t, player, mode, refill, params, slots, prior, u, w, counters, decisions, numbers, classes, gains
            )  # fmt: skip
        else:
            status = take_turn(t, player, params, slots, mode)
        if status == PLAYING:
            player, mode = 1 - player, ASK
            status, refill = between_turns(t, player, refill)
    return status


@njit
def _play(t, seed, first, params, slots, prior, u, w, counters, decisions, numbers, classes, gains):
    """Play games from number ``first`` on, player 0 learning, until the room is used: the number of games, -1 after a failure."""
    room = len(gains) - SPARE
    target, played = t[0, R.TARGET], 0
    counters[C_DECISIONS] = counters[C_ROWS] = 0
    while counters[C_ROWS] < room and counters[C_DECISIONS] < len(decisions) - SPARE:
        game = first + played
        counters[C_STATE] = np.int64(stream(seed, GAME_BASE + game * HANDS_PER_GAME, np.int64(LANE)))
        starter, hands = np.int64(game & 1), 0
        t[0, V.OPP_KNOCKED] = t[1, V.OPP_KNOCKED] = 0
        t[0, V.OWN_SCORE] = t[0, V.OPP_SCORE] = t[1, V.OWN_SCORE] = t[1, V.OPP_SCORE] = 0
        while max(t[0, V.OWN_SCORE], t[0, V.OPP_SCORE]) < target and hands < 50 and counters[C_ROWS] < room:
            index = GAME_BASE + game * HANDS_PER_GAME + hands
            new_deck(t, seed, index)
            status = _hand(t, seed, index, starter, params, slots, prior, u, w, counters, decisions, numbers, classes, gains)
            if status == FAILED:
                return -1
            hands += 1
            remember(t)
            winner = t[RECORD, H.WINNER]
            if winner >= 0:
                t[winner, V.OWN_SCORE] += t[RECORD, H.POINTS]
                t[1 - winner, V.OPP_SCORE] += t[RECORD, H.POINTS]
            starter = next_starter(starter, winner, t[0])
        played += 1
    return played


@functools.cache
def branching_kernel() -> Any:
    """``_play``, compiled for any strategies that are."""
    rows = (nb.float32[:, ::1], nb.int16[:, ::1], nb.int32[::1])
    table = (I2, nb.int64, nb.int64, F2, SLOTS, nb.float64[::1], I2, I2, I1, I2, *rows)
    return compiled(getattr(_play, "py_func", _play), nb.int64(*table))
