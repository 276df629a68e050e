"""What each choice at a moment of a hand comes to if it is played on as in the rollouts of the learned player.

`ginsim.games.gin.rollout.choices` does the same for the player that looks ahead, and ``following`` for players without rollouts.
"""

from __future__ import annotations

import numpy as np

from ginsim.deals import stream
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import MUST_DRAW, MUST_TAKE, PLAYING, settle, take_turn
from ginsim.games.gin.learned.decisions import draw_learned
from ginsim.games.gin.rest import end_turn
from ginsim.games.gin.rollout.choices import KNOCKS, LANE, LAYS_DOWN, PASSES, TAKES
from ginsim.games.gin.rollout.learned import P_AHEAD, P_THEIRS, learned_turn, play_rest, seat
from ginsim.games.gin.rollout.playout import worth
from ginsim.games.gin.rollout.sample import CARDS, first_hidden, next_hidden
from ginsim.jit import njit
from ginsim.melds import deadwood

__all__ = ["play_choice", "roll_out_learned"]


@njit
def _pass_upcard(t, params):
    """Player 0 passes the first upcard: ``(who moves, how they draw)``."""
    me, other = t[0], t[1]
    other[V.OPP_PASSED] |= me[V.UPCARD]
    if not me[V.STARTER]:
        return np.int64(1), np.int64(MUST_DRAW)
    other[V.OFFER] = 1
    takes = draw_learned(other, params)
    other[V.OFFER] = 0
    if takes:
        return np.int64(1), np.int64(MUST_TAKE)
    me[V.OPP_PASSED] |= me[V.UPCARD]
    return np.int64(0), np.int64(MUST_DRAW)


@njit
def _carry_out(t, kind, card, theirs, params, plain):
    """Player 0 does what was chosen: ``(status, who moved last)``; a draw is followed by the discard that the nets find best."""
    me = t[0]
    if kind == LAYS_DOWN:
        return settle(t, np.int64(0), np.int64(0), np.int64(H.BIG_GIN)), np.int64(0)
    if kind > PASSES:
        return end_turn(t, np.int64(0), card, deadwood(me[V.HAND] ^ card, me), np.int64(kind == KNOCKS)), np.int64(0)
    me[V.OFFER] = 0
    mover, how = np.int64(0), np.int64(MUST_TAKE if kind == TAKES else MUST_DRAW)
    if kind == PASSES:
        mover, how = _pass_upcard(t, params)
    if mover == 1 and theirs == 0:
        return take_turn(t, mover, plain, (), how), mover
    return learned_turn(t, mover, how, params), mover


@njit
def play_choice(view, t, u, hand, stock, state, kind, card, params, plain):
    """What a choice comes to if the opponent has ``hand``: ``(points in hundreds, chance to win the game)``."""
    ahead, theirs = np.int64(params[P_AHEAD]), np.int64(params[P_THEIRS])
    seat(view, t, hand, stock, state)
    status, mover = _carry_out(t, kind, card, theirs, params, plain)
    if status != PLAYING:
        return worth(view, t, True), worth(view, t, False)
    if mover == 1:  # the turn that the player had by any other choice is still to come
        ahead, theirs = ahead + 1, max(theirs - 1, np.int64(0))
    return play_rest(view, t, u, 1 - mover, ahead, theirs, np.uint64(state), params, plain)


@njit
def roll_out_learned(view, seen, seed, first, kinds, cards, t, u, deck, odds, drawn, params, plain, hands, values):
    """Fill a row of ``values`` for each draw of the hidden cards: points and chance to win the game of each choice.

    As ``roll_out``, with hands drawn as ``drawn`` says (`first_hidden`); ``u`` is another table to play on.
    """
    hand, fit, state = first_hidden(seen, deck, odds, drawn, stream(seed, first, np.int64(LANE)))
    for r in range(len(hands)):
        hand, fit, state = next_hidden(seen, deck, drawn, hand, fit, state)
        hands[r] = hand
        for i in range(len(kinds)):
            found = play_choice(view, t, u, hand, deck[CARDS], np.uint64(state), kinds[i], cards[i], params, plain)
            values[r, i, 0], values[r, i, 1] = 100.0 * found[0], found[1]
