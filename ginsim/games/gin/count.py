"""What is kept of many hands: integer sums over duplicate pairs, which add up exactly however the work is cut.

A tally is an int64 array with the names ``HAND_TALLY`` or ``ginsim.games.base.GAME_TALLY``; tallies of other deals are added.
To keep something more, name it and count it here.
"""

from __future__ import annotations

import numpy as np

from ginsim.games.counting import add_games
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import records as H
from ginsim.games.gin.luck import LUCK_SIZE
from ginsim.jit import njit

HAND_TALLY = (
    "pairs",
    "points", "points_sq", "single_sq",
    "won", "won_sq", "decided", "decided_sq", "won_decided",
    "starter", "starter_sq", "starter_decided",
    "turns", "turns_sq",
    "taken_0", "taken_1",
    "knocks_0", "knocks_1", "cut_0", "cut_1", "laid_off", "knock_deadwood",
    *(f"{ending}_{player}" for ending in H.ENDINGS for player in (0, 1)),
    *(f"{ending}_points_{player}" for ending in H.ENDINGS for player in (0, 1)),
    *(f"{ending}_both_{player}" for ending in H.ENDINGS for player in (0, 1)), *(f"{ending}_both" for ending in H.ENDINGS),
)  # fmt: skip
"""Names of the sums over duplicate pairs, from player 0's side.

points: of player 0 less those of player 1, in a pair; ``_sq`` sums of squares of a pair's totals; single_sq: squares of
single plays. won: hands won by player 0; decided: hands with a winner; won_decided: sum of products over pairs. starter:
hands won by the starter. turns: of both players. taken_p: cards taken from the pile. knocks_p: hands p knocked (gin
included); cut_p: knocks of p that were undercut. laid_off: points laid off. knock_deadwood: of knockers who won
without gin. {ending}_p, {ending}_points_p: hands and points by ending and winner (p = 0 also for hands nobody won).
{ending}_both_p, {ending}_both: pairs of which both plays ended so, with that winner or with any.
"""

_PAIRS, _POINTS, _WON, _STARTER, _TURNS, _TAKEN, _KNOCKS, _CUT = (
    HAND_TALLY.index(name) for name in ("pairs", "points", "won", "starter", "turns", "taken_0", "knocks_0", "cut_0")
)
_LAID_OFF, _KNOCK_DEADWOOD = HAND_TALLY.index("laid_off"), HAND_TALLY.index("knock_deadwood")
_ENDING, _ENDING_POINTS = HAND_TALLY.index("knock_0"), HAND_TALLY.index("knock_points_0")
_BOTH_WON, _BOTH = HAND_TALLY.index("knock_both_0"), HAND_TALLY.index("knock_both")


@njit
def tally_hands(records, rows, out):
    """Add ``rows`` hand records (two a pair) to the tally ``out``."""
    for row in range(0, rows, 2):
        points = won = decided = starter = turns = np.int64(0)
        for play in range(2):
            r = records[row + play]
            winner = r[H.WINNER]
            gain = r[H.POINTS] if winner == 0 else -r[H.POINTS]
            points += gain
            out[_POINTS + 2] += gain * gain
            turns += r[H.TURNS]
            if winner >= 0:
                decided += 1
                won += winner == 0
                starter += winner == r[H.STARTER]
            _tally_hand(r, max(winner, 0), out)
        ending, winner = records[row, H.ENDING], records[row, H.WINNER]
        if records[row + 1, H.ENDING] == ending:
            out[_BOTH + ending] += 1
            if records[row + 1, H.WINNER] == winner:
                out[_BOTH_WON + 2 * ending + max(winner, 0)] += 1
        out[_PAIRS] += 1
        out[_POINTS] += points
        out[_POINTS + 1] += points * points
        out[_WON] += won
        out[_WON + 1] += won * won
        out[_WON + 2] += decided
        out[_WON + 3] += decided * decided
        out[_WON + 4] += won * decided
        out[_STARTER] += starter
        out[_STARTER + 1] += starter * starter
        out[_STARTER + 2] += starter * decided
        out[_TURNS] += turns
        out[_TURNS + 1] += turns * turns


@njit
def _tally_hand(r, winner, out):
    """The sums that are counted hand by hand."""
    ending, knocker = r[H.ENDING], r[H.KNOCKER]
    for player in range(2):
        out[_TAKEN + player] += r[H.TAKEN + player]
    if knocker >= 0:
        out[_KNOCKS + knocker] += 1
        if ending == H.UNDERCUT:
            out[_CUT + knocker] += 1
        if ending == H.KNOCKED:
            out[_KNOCK_DEADWOOD] += r[H.DEADWOOD + knocker]
    out[_LAID_OFF] += r[H.LAID_OFF]
    out[_ENDING + 2 * ending + winner] += 1
    out[_ENDING_POINTS + 2 * ending + winner] += r[H.POINTS]


MEANS = ("points", "knock", "gin", "undercut", "dead", "turns", "starter", "decided")
"""What is measured of every hand, and the decided hands that the starter's wins are a share of."""


@njit
def measures_of(records, out):
    """The measures ``MEANS`` of each hand, into the rows of ``out``."""
    for row in range(records.shape[0]):
        r, m = records[row], out[row]
        ending, winner = r[H.ENDING], r[H.WINNER]
        m[0] = r[H.POINTS]
        m[1] = ending == H.KNOCKED
        m[2] = ending in (H.GIN, H.BIG_GIN)
        m[3] = ending == H.UNDERCUT
        m[4] = ending in (H.DEAD, H.STALLED)
        m[5] = r[H.TURNS]
        m[6] = winner >= 0 and winner == r[H.STARTER]
        m[7] = winner >= 0


@njit
def tally_games(records, rows, out):
    """Add ``rows`` game records (two a pair) to the tally ``out``."""
    for row in range(0, rows, 2):
        won = decided = margin = hands = np.int64(0)
        for play in range(2):
            r = records[row + play]
            winner = r[G.WINNER]
            margin += r[G.MARGIN]
            if winner >= 0:
                decided += 1
                won += winner == 0
                out[10 + winner] += r[G.SHUTOUT]
            hands += r[G.HANDS]
            out[9] += r[G.SCORED]
            out[12] += r[G.UNFINISHED]
        add_games(won, decided, margin, hands, out)


_SUMS = LUCK_SIZE + 1
_FOLD = 1 + _SUMS + _SUMS * (_SUMS + 1) // 2
FOLDS = 2
LUCK_SUMS = FOLDS * _FOLD
"""Sums for control variates (``ginsim.inference.control.luck_names``), for even deals and for odd ones: quantity 0 is the points
of player 0 less those of player 1 in a pair, the others are the luck of the draw (``ginsim.games.gin.luck``) in a pair."""


@njit
def tally_luck(records, lucks, rows, pair, out):
    """Add ``rows`` hand records (two a pair) and their luck to the tally ``out``; ``pair`` is scratch."""
    for row in range(0, rows, 2):
        pair[0] = 0
        for play in range(2):
            r = records[row + play]
            pair[0] += r[H.POINTS] if r[H.WINNER] == 0 else -r[H.POINTS]
        for k in range(LUCK_SIZE):
            pair[1 + k] = lucks[row, k] + lucks[row + 1, k]
        at = _FOLD * (records[row, H.DEAL] % FOLDS)
        out[at] += 1
        for i in range(_SUMS):
            out[at + 1 + i] += pair[i]
        at += 1 + _SUMS
        for i in range(_SUMS):
            for j in range(i + 1):
                out[at] += pair[i] * pair[j]
                at += 1


__all__ = ["HAND_TALLY", "LUCK_SUMS", "MEANS", "measures_of", "tally_games", "tally_hands", "tally_luck"]
