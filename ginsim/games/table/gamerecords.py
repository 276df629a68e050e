"""What one game leaves behind: the columns of its record. Import it as ``G``: ``record[G.SCORE + seat]``."""

from __future__ import annotations

from ginsim.games.table import layout as R

COLUMNS = (
    "game", "play", "winner", "hands", "scored", *(f"score_{seat}" for seat in range(R.MOST_SEATS)), "unfinished", "error",
)  # fmt: skip
"""Columns (int64) of a game record; seats are those of its first hand.

winner: the seat that reached the target, or had the highest score after the last hand that the rules allow (-1: nobody, because
the game is unfinished or the highest scores are equal). hands: all dealt; scored: with a winner. unfinished: 1 if the game was
stopped, for want of winners or at the most hands of any game; a game that ends in equal scores is finished.
"""
GAME, PLAY, WINNER, HANDS, SCORED, SCORE = range(6)
UNFINISHED = SCORE + R.MOST_SEATS
ERROR = UNFINISHED + 1
SIZE = len(COLUMNS)
