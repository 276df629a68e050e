"""What one hand and one game leave behind: the columns of their records, and the codes in them."""

from __future__ import annotations

HAND_COLUMNS = (
    "deal", "play", "starter", "ending", "winner", "points", "knocker",
    "deadwood_0", "deadwood_1", "after_0", "after_1", "laid_off",
    "turns", "taken_0", "taken_1", "dealt_0", "dealt_1", "limit", "multiplier", "error",
)  # fmt: skip
"""Columns (int64) of a hand record; players are 0 and 1, -1 is nobody.

deal: index of the deal. play: 0 or 1, first or second play of a duplicate pair. starter, winner, knocker: players.
ending: position in ``ENDINGS``. points: to the winner. deadwood_p: least deadwood when the hand ended; after_p: the same
after lay-offs. laid_off: points of the cards laid off. turns: of both players. taken_p: cards taken from the discard
pile. dealt_p: deadwood as dealt. limit, multiplier: in force. error: 0, or what a decision did wrong
(then knocker is the player and points the answer).
"""

(
    H_DEAL, H_PLAY, H_STARTER, H_ENDING, H_WINNER, H_POINTS, H_KNOCKER,
    H_DEADWOOD, _, H_AFTER, _, H_LAID_OFF, H_TURNS, H_TAKEN, _, H_DEALT, _, H_LIMIT, H_MULTIPLIER, H_ERROR,
) = range(len(HAND_COLUMNS))  # fmt: skip
HAND_SIZE = len(HAND_COLUMNS)

ENDINGS = ("knock", "undercut", "gin", "big_gin", "dead", "stalled", "push")
KNOCKED, UNDERCUT, GIN, BIG_GIN, DEAD, STALLED, PUSH = range(len(ENDINGS))

ERRORS = ("", "draw", "discard", "knock")
BAD_DRAW, BAD_DISCARD, BAD_KNOCK = 1, 2, 3
TAMPERED = -(1 << 62)
"""Stands for the answer of a decision that wrote to slots of the engine's."""

GAME_COLUMNS = (
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
    G_GAME, G_PLAY, G_FIRST_STARTER, G_WINNER, G_MARGIN, G_HANDS, G_SCORED, G_POINTS, _, G_BOXES, _, G_SHUTOUT, G_UNFINISHED,
    G_ERROR,
) = range(len(GAME_COLUMNS))  # fmt: skip
GAME_SIZE = len(GAME_COLUMNS)
