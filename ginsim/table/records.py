"""What a hand and a game of the table game leave behind: the columns of their records, and the codes in them."""

from __future__ import annotations

from ginsim.table.layout import MOST_MELDS, MOST_SEATS

TABLE_COLUMNS = (
    "deal", "play", "ending", "winner", "turns", "reshuffles", "claims", "pile_draws", "multi_draws", "extra_cards",
    "new_melds", "laid_off",
    *(f"score_{seat}" for seat in range(MOST_SEATS)),
    *(f"left_{seat}" for seat in range(MOST_SEATS)),
    "error", "error_seat", "answer",
)  # fmt: skip
"""Columns (int64) of a hand record; seats are 0 … players - 1, seat 0 starts, -1 is nobody.

deal: index of the deal. play: which of the plays of the deal, that is who sat where. ending: position in ``ENDINGS``. winner: a
seat. turns: of all players. claims: discards claimed. pile_draws: turns that took from the pile; multi_draws: two cards or more;
extra_cards: taken beyond one a draw. new_melds: laid on the table; laid_off: cards added to melds on it. score_s: points of
the hand; left_s: deadwood at its end. error: 0, or what a decision did wrong, then error_seat and answer say whose and what.
"""
(
    H_DEAL, H_PLAY, H_ENDING, H_WINNER, H_TURNS, H_RESHUFFLES, H_CLAIMS, H_PILE_DRAWS, H_MULTI_DRAWS, H_EXTRA_CARDS,
    H_NEW_MELDS, H_LAID_OFF,
) = range(12)  # fmt: skip
H_SCORE = 12
H_LEFT = H_SCORE + MOST_SEATS
H_ERROR = H_LEFT + MOST_SEATS
H_ERROR_SEAT, H_ANSWER = H_ERROR + 1, H_ERROR + 2
HAND_SIZE = len(TABLE_COLUMNS)

ENDINGS = ("discard", "meld", "claim", "blocked", "lowest")
DISCARD, MELD, CLAIM, BLOCKED, LOWEST = range(len(ENDINGS))

ERRORS = ("", "draw", "play", "claim")
BAD_DRAW, BAD_PLAY, BAD_CLAIM = 1, 2, 3
TAMPERED = -(1 << 62)
"""Stands for the answer of a decision that wrote to slots of the engine's."""

LOG_COLUMNS = (
    "kind", "seat", "depth", "drawn", "discard", "reshuffled", *(f"meld_{i}" for i in range(MOST_MELDS)),
)  # fmt: skip
"""Columns (int64) of the log of a hand, one row for each turn and each claim.

kind: 0 turn, 1 claim. depth: cards taken from the pile, 0 is the stock. drawn: the cards drawn, or the one claimed. discard: the
card (0: none). reshuffled: 1 if the stock was made anew before this turn. meld_i: what was added to meld i of the table, and
after the last of these the new melds.
"""
L_KIND, L_SEAT, L_DEPTH, L_DRAWN, L_DISCARD, L_RESHUFFLED, L_MELDS = range(7)
LOG_SIZE = len(LOG_COLUMNS)

TABLE_GAME_COLUMNS = (
    "game", "play", "winner", "hands", "scored", *(f"score_{seat}" for seat in range(MOST_SEATS)), "unfinished", "error",
)  # fmt: skip
"""Columns (int64) of a game record; seats are those of its first hand.

winner: the seat that reached the target (-1: unfinished). hands: all dealt; scored: with a winner. unfinished: 1 if the game
was stopped, for want of winners or at the most hands.
"""
G_GAME, G_PLAY, G_WINNER, G_HANDS, G_SCORED, G_SCORE = range(6)
G_UNFINISHED = G_SCORE + MOST_SEATS
G_ERROR = G_UNFINISHED + 1
GAME_SIZE = len(TABLE_GAME_COLUMNS)
