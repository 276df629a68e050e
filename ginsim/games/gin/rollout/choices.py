"""What each choice at a moment of a hand comes to: hidden cards drawn, every choice played to the end on the same ones."""

from __future__ import annotations

import numpy as np

from ginsim.deals import stream
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import ASK, MUST_DRAW, MUST_TAKE, PLAYING, RECORD, between_turns, discard_card, settle, take_turn
from ginsim.games.gin.players.dispatch import draw_by_number
from ginsim.games.gin.rollout.decisions import P_AHEAD, P_ASTRAY, P_WAITS
from ginsim.games.gin.rollout.playout import MELD, own_turn, play_out, set_table, worth
from ginsim.games.gin.rollout.sample import CARDS, sample
from ginsim.jit import njit
from ginsim.melds import deadwood

__all__ = ["DRAWS", "GOES_ON", "KNOCKS", "LAYS_DOWN", "PASSES", "TAKES", "roll_out"]

TAKES, DRAWS, PASSES, GOES_ON, KNOCKS, LAYS_DOWN = range(6)
"""What can be chosen: take the upcard, draw from the stock, pass the first upcard; discard a card and go on, or knock with the
rest; lay down big gin."""
LANE = 64
"""Lane of the random streams, one a rollout, apart from those of deals."""


@njit
def _pass_upcard(t, plain):
    """Player 0 passes the first upcard: what the opponent does, and how player 0 then draws: ``(PLAYING or ENDED, mode)``."""
    me, opp = t[0], t[1]
    opp[V.OPP_PASSED] |= me[V.UPCARD]
    mode = MUST_DRAW
    if me[V.STARTER]:
        if draw_by_number(MELD, opp, plain[1]) == 0:
            me[V.OPP_PASSED] |= me[V.UPCARD]
            return PLAYING, MUST_DRAW
        mode = MUST_TAKE
    status = take_turn(t, np.int64(1), plain, (), np.int64(mode))
    if status == PLAYING:
        status, _ = between_turns(t, np.int64(0), np.uint64(me[V.RANDOM]))
    return status, ASK


@njit
def _carry_out(t, kind, card, params, plain):
    """Player 0 does what was chosen: PLAYING or ENDED."""
    me = t[0]
    if kind <= PASSES:
        status, mode = PLAYING, MUST_TAKE if kind == TAKES else MUST_DRAW
        if kind == PASSES:
            status, mode = _pass_upcard(t, plain)
        return own_turn(t, np.int64(mode), params) if status == PLAYING else status
    if kind == LAYS_DOWN:
        return settle(t, np.int64(0), np.int64(0), np.int64(H.BIG_GIN))
    left = deadwood(me[V.HAND] ^ card, me)
    discard_card(t, 0, card)
    if kind == KNOCKS:
        return settle(t, np.int64(0), left, np.int64(H.GIN if left == 0 else H.KNOCKED))
    return PLAYING


@njit
def roll_out(view, seen, seed, first, kinds, cards, t, deck, odds, params, plain, hands, values):
    """Fill a row of ``values`` for each rollout from number ``first`` on: points and chance to win the game of each choice.

    ``view`` is the player's; ``seen`` the same as `sample` wants it: with beliefs, with all unseen cards that the opponent
    does not hold as the stock, and without turns of the opponent if they are not known. Rollout ``r`` of a seed is the same
    however many are played in a call.

    Parameters
    ----------
    kinds, cards : int64[n]
        The choices, and the cards they discard.
    t, deck, odds, plain
        Scratch: a table with its players set, int64[3, 52], float64[52]; the opponent's parameters.
    hands : int64[count]
        The opponent's hands drawn.
    values : float64[count, n, 2]
    """
    for r in range(len(hands)):
        hand, state = sample(seen, deck, odds, params[P_ASTRAY], params[P_WAITS], stream(seed, first + r, np.int64(LANE)))
        hands[r] = hand
        for i in range(len(kinds)):
            set_table(view, t, hand, deck[CARDS], np.uint64(state))
            t[0, V.OFFER] = t[1, V.OFFER] = 0
            if _carry_out(t, kinds[i], cards[i], params, plain) == PLAYING:
                play_out(t, np.int64(params[P_AHEAD]), params, plain)
            gain = t[RECORD, H.POINTS] if t[RECORD, H.WINNER] >= 0 else 0
            values[r, i, 0] = gain if t[RECORD, H.WINNER] == 0 else -gain
            values[r, i, 1] = worth(view, t, False)
