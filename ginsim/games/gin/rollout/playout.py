"""Playing a hand on from the middle: the player looks ahead, the opponent is taken to play by plain rules."""

from __future__ import annotations

import math

import numpy as np

from ginsim import layout as D
from ginsim.deals import mix
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    DECK,
    ENDED,
    MUST_DRAW,
    MUST_TAKE,
    NUMBERS,
    PLAYING,
    RECORD,
    between_turns,
    discard_card,
    draw_card,
    first_knock,
    play_on,
    settle,
    take_turn,
    take_upcard,
)
from ginsim.games.gin.players.decisions import KNOCK
from ginsim.games.gin.players.lookahead import M_BELIEVED, M_HAND, discard_lookahead, draw_lookahead, knock_window
from ginsim.jit import njit
from ginsim.melds import deadwood

MELD, RANDOM_BEST, THRESHOLD = 0, 1, 0
"""Numbers of the decisions by which both play where nobody looks ahead (``ginsim.games.gin.players.dispatch``)."""


@njit
def game_chance(own, opp, target):
    """Chance to win a game between equals from this score; 1 or 0 where it is over.

    A logistic curve fitted to the exact odds of simple against itself under EAAI rules (``ginsim.games.gin.odds``); off by 0.04
    at most, near the end of a game.
    """
    if own >= target:
        return 1.0
    if opp >= target:
        return 0.0
    return 1.0 / (1.0 + math.exp(0.36 * (opp - own) / math.sqrt(2.0 * target - own - opp + 23.0)))


@njit
def _copy(view, to, hand, random_state):
    """A view for a playout; of the logs those who play it need the opponent's last move only."""
    for slot in range(V.OWN_LOG):
        to[slot] = view[slot]
    to[V.HAND] = hand
    to[V.RANDOM] = np.int64(random_state)
    to[M_HAND] = to[M_BELIEVED] = 0


@njit
def set_table(view, t, opponent_hand, stock, state):
    """Set up the table ``t`` as player 0 sees it, with a hand for player 1 and the cards of the stock in order.

    ``state`` (uint64) feeds the players' streams. The deck is laid anew each time, for a reshuffle writes over it.
    """
    a, b = t[0], t[1]
    _copy(view, a, view[V.HAND], mix(state))
    _copy(view, b, opponent_hand, mix(state + np.uint64(1)))
    turn = view[V.OPP_TURN]
    if turn > 0:
        a[V.OPP_LOG + 2 * turn - 1] = view[V.OPP_LOG + 2 * turn - 1]
    b[V.TURN], b[V.OPP_TURN] = turn, view[V.TURN]
    b[V.OPP_DISCARDS], b[V.OWN_DISCARDS] = view[V.OWN_DISCARDS], view[V.OPP_DISCARDS]
    b[V.BANNED] = b[V.DRAWN] = b[V.OPP_HELD] = b[V.OPP_PASSED] = b[V.TAKEN] = 0
    b[V.STARTER] = 1 - view[V.STARTER]
    b[V.OWN_SCORE], b[V.OPP_SCORE] = view[V.OPP_SCORE], view[V.OWN_SCORE]
    t[RECORD, H.TURNS] = view[V.TURN] + turn
    first = view[D.RANKS] * view[D.SUITS] - view[V.STOCK]
    for i in range(view[V.STOCK]):
        t[DECK, first + i] = stock[i]


@njit
def finish_turn(t, x, params):
    """Player 0 discards ``x``, and knocks if the window says so: PLAYING or ENDED."""
    me = t[0]
    left = deadwood(me[V.HAND] ^ x, me)
    knocks = np.int64(0)
    if left <= me[R.LIMIT] and me[V.TURN] >= first_knock(me):
        me[V.DEADWOOD] = left
        knocks = knock_window(me, params)
    discard_card(t, 0, x)
    if knocks:
        return settle(t, np.int64(0), left, np.int64(H.GIN if left == 0 else H.KNOCKED))
    return PLAYING


@njit
def own_turn(t, mode, params):
    """A whole turn of player 0, whose draw is decided or given by ``mode``: PLAYING or ENDED."""
    me = t[0]
    if mode == ASK:
        mode = MUST_TAKE if draw_lookahead(me, params) else MUST_DRAW
    if mode == MUST_TAKE:
        take_upcard(t, 0)
    else:
        draw_card(t, 0)
    return finish_turn(t, discard_lookahead(me, params), params)


@njit
def play_out(t, ahead, params, plain):
    """Play the hand on from a turn of player 1: player 0 looks ahead for ``ahead`` turns, all else is played by ``plain``."""
    status, refill = between_turns(t, np.int64(1), np.uint64(t[0, V.RANDOM]))
    while ahead > 0 and status == PLAYING:
        ahead -= 1
        status = take_turn(t, np.int64(1), plain, (), np.int64(ASK))
        if status == PLAYING:
            status, refill = between_turns(t, np.int64(0), refill)
        if status == PLAYING:
            wall, ask = t[0, V.WALL], np.int64(ASK)  # at the wall all there is to decide is whether to knock
            status = take_turn(t, np.int64(0), plain, (), ask) if wall else own_turn(t, ask, params)
        if status == PLAYING:
            status, refill = between_turns(t, np.int64(1), refill)
    if status == PLAYING:
        play_on(t, np.int64(1), np.int64(ASK), refill, plain, ())


@njit
def worth(view, t, by_points):
    """What the hand that ended on ``t`` is worth to player 0: chance to win the game, or points in hundreds."""
    gain = t[RECORD, H.POINTS] if t[RECORD, H.WINNER] >= 0 else 0
    if by_points:
        return 0.01 * (gain if t[RECORD, H.WINNER] == 0 else -gain)
    own = view[V.OWN_SCORE] + (gain if t[RECORD, H.WINNER] == 0 else 0)
    opp = view[V.OPP_SCORE] + (gain if t[RECORD, H.WINNER] == 1 else 0)
    return game_chance(own, opp, view[R.TARGET])


@njit
def set_players(t, plain, opponent_knock):
    """Write down by which numbers both play where nobody looks ahead, and when the opponent knocks."""
    for player in range(2):
        at = NUMBERS + 3 * player
        t[RECORD, at], t[RECORD, at + 1], t[RECORD, at + 2] = MELD, RANDOM_BEST, THRESHOLD
        plain[player, KNOCK] = 0.0
    plain[1, KNOCK] = opponent_knock


__all__ = ["ENDED", "finish_turn", "game_chance", "own_turn", "play_out", "set_players", "set_table", "worth"]
