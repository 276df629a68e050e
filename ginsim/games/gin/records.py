"""What one hand leaves behind: the columns of its record, and the codes in it. Import it as ``H``: ``record[H.WINNER]``."""

from __future__ import annotations

COLUMNS = (
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
    DEAL, PLAY, STARTER, ENDING, WINNER, POINTS, KNOCKER,
    DEADWOOD, _, AFTER, _, LAID_OFF, TURNS, TAKEN, _, DEALT, _, LIMIT, MULTIPLIER, ERROR,
) = range(len(COLUMNS))  # fmt: skip
SIZE = len(COLUMNS)

ENDINGS = ("knock", "undercut", "gin", "big_gin", "dead", "stalled", "push")
KNOCKED, UNDERCUT, GIN, BIG_GIN, DEAD, STALLED, PUSH = range(len(ENDINGS))

ERRORS = ("", "draw", "discard", "knock")
BAD_DRAW, BAD_DISCARD, BAD_KNOCK = 1, 2, 3
TAMPERED = -(1 << 62)
"""Stands for the answer of a decision that wrote to slots of the engine's."""
