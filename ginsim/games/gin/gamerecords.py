"""What one game leaves behind: the columns of its record. Import it as ``G``: ``record[G.MARGIN]``."""

from __future__ import annotations

COLUMNS = (
    "game", "play", "first_starter", "winner", "margin", "hands", "scored",
    "points_0", "points_1", "boxes_0", "boxes_1", "shutout", "unfinished", "error",
)  # fmt: skip
"""Columns (int64) of a game record.

winner: who won the game (Hollywood: who is ahead on the net, -1 if nobody), -1 if unfinished.
margin: settled from player 0's side. hands: all hands dealt; scored: those with a winner. points_p, boxes_p: of the game
(Hollywood: summed over the columns). unfinished: 1 if the game was stopped, for want of winners or at the most hands; then
nobody wins it, and the margin is 0. error: 0, or what a decision did wrong in the last hand.
"""
(
    GAME, PLAY, FIRST_STARTER, WINNER, MARGIN, HANDS, SCORED, POINTS, _, BOXES, _, SHUTOUT, UNFINISHED,
    ERROR,
) = range(len(COLUMNS))  # fmt: skip
SIZE = len(COLUMNS)
