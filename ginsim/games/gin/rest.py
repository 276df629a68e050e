"""The rest of a hand, once it is known what a player draws or discards: played to its end by any strategies."""

from __future__ import annotations

import numpy as np

from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    MUST_DRAW,
    MUST_TAKE,
    PLAYING,
    RECORD,
    asked_to_knock,
    asked_to_take,
    between_turns,
    discard_card,
    draw_card,
    finish_turn,
    play_on,
    settle,
    take_upcard,
)
from ginsim.jit import njit
from ginsim.melds import deadwood

__all__ = ["end_turn", "gain_of", "play_discard", "play_draw", "play_rest"]


@njit
def end_turn(t, player, x, left, knocks):
    """Discard ``x``, and knock with the rest, of deadwood ``left``, if that was decided: PLAYING or ENDED."""
    discard_card(t, player, x)
    if knocks:
        return settle(t, player, left, np.int64(H.GIN if left == 0 else H.KNOCKED))
    return PLAYING


@njit
def play_rest(t, to_move, refill, params, slots):
    """Play on from a turn of ``to_move``: ENDED or FAILED."""
    status, refill = between_turns(t, to_move, refill)
    return play_on(t, to_move, np.int64(ASK), refill, params, slots) if status == PLAYING else status


@njit
def gain_of(t, player):
    """Points of the hand that has ended, from the side of ``player``."""
    winner, points = t[RECORD, H.WINNER], t[RECORD, H.POINTS]
    return np.int64(0) if winner < 0 else points if winner == player else -points


@njit
def _after_pass(t, player, params, slots):
    """After ``player`` passed the first upcard: ``(who moves, how)``."""
    me, other = t[player], t[1 - player]
    other[V.OPP_PASSED] |= me[V.UPCARD]
    if me[V.STARTER]:
        other[V.OFFER] = 1
        takes = asked_to_take(t, 1 - player, params, slots)
        other[V.OFFER] = 0
        if takes:
            return 1 - player, MUST_TAKE
        me[V.OPP_PASSED] |= me[V.UPCARD]
        return player, MUST_DRAW
    return 1 - player, MUST_DRAW


@njit
def play_draw(t, player, takes, refill, params, slots):
    """The rest of a hand after a draw: points of ``player``."""
    me = t[player]
    if me[V.OFFER]:
        me[V.OFFER] = 0
        if takes:
            mover, mode = player, MUST_TAKE
        else:
            mover, mode = _after_pass(t, player, params, slots)
        play_on(t, mover, mode, refill, params, slots)
        return gain_of(t, player)
    if takes:
        take_upcard(t, player)
    else:
        draw_card(t, player)
    if finish_turn(t, player, params, slots) == PLAYING:
        play_rest(t, 1 - player, refill, params, slots)
    return gain_of(t, player)


@njit
def play_discard(t, player, x, knocks, refill, params, slots):
    """The rest of a hand after a discard: points of ``player``. ``knocks``: 1, 0 or -1 for what the player decides."""
    me = t[player]
    hand = me[V.HAND] ^ x
    left = deadwood(hand, me)
    if me[V.WALL]:
        knocks = 1
    if knocks < 0:
        knocks = asked_to_knock(t, player, params, slots, hand, x, left)
    if end_turn(t, player, x, left, knocks) == PLAYING:
        play_rest(t, 1 - player, refill, params, slots)
    return gain_of(t, player)
