"""What one hand leaves behind: the columns of its record, and the codes in it. Import it as ``H``: ``record[H.WINNER]``."""

from __future__ import annotations

from ginsim.games.table import layout as R

COLUMNS = (
    "deal", "play", "ending", "winner", "turns", "reshuffles", "claims", "pile_draws", "multi_draws", "extra_cards",
    "new_melds", "laid_off",
    *(f"score_{seat}" for seat in range(R.MOST_SEATS)),
    *(f"left_{seat}" for seat in range(R.MOST_SEATS)),
    "error", "error_seat", "answer",
)  # fmt: skip
"""Columns (int64) of a hand record; seats are 0 … players - 1, seat 0 starts, -1 is nobody.

deal: index of the deal. play: which of the plays of the deal, that is who sat where. ending: position in ``ENDINGS``. winner: a
seat. turns: of all players. claims: discards claimed. pile_draws: turns that took from the pile; multi_draws: two cards or more;
extra_cards: taken beyond one a draw. new_melds: laid on the table; laid_off: cards added to melds on it. score_s: points of
the hand; left_s: deadwood at its end. error: 0, or what a decision did wrong, then error_seat and answer say whose and what.
"""
(
    DEAL, PLAY, ENDING, WINNER, TURNS, RESHUFFLES, CLAIMS, PILE_DRAWS, MULTI_DRAWS, EXTRA_CARDS,
    NEW_MELDS, LAID_OFF,
) = range(12)  # fmt: skip
SCORE = 12
LEFT = SCORE + R.MOST_SEATS
ERROR = LEFT + R.MOST_SEATS
ERROR_SEAT, ANSWER = ERROR + 1, ERROR + 2
SIZE = len(COLUMNS)

ENDINGS = ("discard", "meld", "claim", "blocked", "lowest")
DISCARD, MELD, CLAIM, BLOCKED, LOWEST = range(len(ENDINGS))

ERRORS = ("", "draw", "play", "claim")
BAD_DRAW, BAD_PLAY, BAD_CLAIM = 1, 2, 3
TAMPERED = -(1 << 62)
"""Stands for the answer of a decision that wrote to slots of the engine's."""
