"""How a hand ended: its cards, and what it would have come to had the last knock not been made.

A hand in which nobody knocked tells by itself what going on was worth on each of its turns. One that ended with a knock is played
on from there: the hidden cards as they are, and the stock in its order, are one sample of what they may be given what the player
saw, drawn with exactly the right chances.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.deals import GO_ON_LANE, stream
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, RECORD, showdown
from ginsim.games.gin.rest import play_rest
from ginsim.jit import njit
from ginsim.melds import knocker_melds

__all__ = ["END_COLUMNS", "END_SIZE", "could_go_on", "go_on", "hand_cards"]

END_COLUMNS = ("dealt", "kept", "melded", "laid", "wall", "went_on")
"""Columns (int64) of the end of a hand.

dealt, kept, melded, laid: cards dealt to the players, in their hands at the end, in melds of the winner's, laid off. wall: 1 if
player 0 had taken the last discard, which one may only to knock. went_on: points of player 0; where it ended the hand
with a knock that it need not have made, its points had it only discarded and gone on by its strategy.
"""
E_DEALT, E_KEPT, E_MELDED, E_LAID, E_WALL, E_ON = range(len(END_COLUMNS))
END_SIZE = len(END_COLUMNS)


@njit
def hand_cards(t, row):
    """Fill the first columns of ``row`` with the cards of the hand just played on the table ``t``, and its wall."""
    deck, record = t[DECK], t[RECORD]
    row[E_DEALT] = 0
    for i in range(2 * t[0, D.HAND_SIZE] + t[0, R.ELEVEN]):
        row[E_DEALT] |= deck[i]
    row[E_KEPT] = t[0, V.HAND] | t[1, V.HAND]
    row[E_MELDED] = row[E_LAID] = 0
    row[E_WALL] = t[0, V.WALL]
    knocker = record[H.KNOCKER]
    if knocker < 0:
        return
    me, hand, defender = t[knocker], t[knocker, V.HAND], t[1 - knocker, V.HAND]
    ending = record[H.ENDING]
    how = ending if ending == H.GIN or ending == H.BIG_GIN else np.int64(H.KNOCKED)
    row[E_LAID] = laid = showdown(hand, defender, me[V.PILE], record[H.DEADWOOD + knocker], how, me)[4]
    if ending == H.UNDERCUT:
        sets, runs = knocker_melds(defender & ~laid, np.int64(0), me)
        row[E_MELDED] = sets | runs
    elif ending != H.PUSH:
        sets, runs = knocker_melds(hand, me[D.FULL] & ~(hand | me[V.PILE]), me)
        row[E_MELDED] = sets | runs


@njit
def could_go_on(record, end):
    """Whether the hand of ``record`` ended with a knock of player 0, gin apart, that was not the only choice."""
    ending = record[H.ENDING]
    return record[H.KNOCKER] == 0 and ending != H.GIN and ending != H.BIG_GIN and end[E_WALL] == 0


@njit
def go_on(t, seed, index, player, params, slots):
    """Play on after the knock of ``player`` that ended the hand on ``t``, as if it had only discarded: ENDED or FAILED."""
    return play_rest(t, 1 - player, stream(seed, index, np.int64(GO_ON_LANE)), params, slots)
