"""Which cards of a hand are dealt, kept, thrown, taken, melded by the winner and laid off: counted by card and by rank.

Both players count. What is kept of many hands are, for each card and for each rank, the sums over pairs of how often that came
up and of its squares.
"""

from __future__ import annotations

import numpy as np

from ginsim.games.gin import records as H
from ginsim.games.gin.ends import E_DEALT, E_KEPT, E_LAID, E_MELDED
from ginsim.games.gin.turns import T_DISCARD, T_TAKEN
from ginsim.jit import njit, popcount

__all__ = ["CARD_PARTS", "CARD_TABLES", "CardTally", "sums_of_cards"]

CARD_PARTS = ("dealt", "kept", "thrown", "taken", "melded", "laid_off")
"""dealt to a player; in a hand when it ended, a last discard thrown; discarded; taken by the opponent at once, having been
discarded (the first upcard never is); in a meld of the winner's; laid off on a meld of the knocker's."""
SUITS, RANKS, CARDS = 4, 13, 52
CARD_TABLES = {"cards": (SUITS, RANKS, 2 * len(CARD_PARTS)), "ranks": (RANKS, 2 * len(CARD_PARTS))}
"""Tables and their shapes: for each part the sum, and the sum of squares over pairs."""
P_DEALT, P_KEPT, P_THROWN, P_TAKEN, P_MELDED, P_LAID = range(len(CARD_PARTS))


def sums_of_cards(table: np.ndarray, part: str) -> tuple[np.ndarray, np.ndarray]:
    """The sums of a part in all cells of a table, and those of its squares over pairs."""
    at = 2 * CARD_PARTS.index(part)
    return table[..., at], table[..., at + 1]


@njit
def _enter(mask, part, pair):
    """Count the cards of a mask."""
    while mask:
        at = popcount((mask & -mask) - 1)
        pair[RANKS * (at // 16) + at % 16, part] += 1
        mask &= mask - 1


@njit
def _close_pair(pair, cards, ranks):
    """Add the counts of a pair, and empty them."""
    for part in range(len(CARD_PARTS)):
        for rank in range(RANKS):
            of_rank = np.int64(0)
            for suit in range(SUITS):
                x = pair[RANKS * suit + rank, part]
                pair[RANKS * suit + rank, part] = 0
                cards[suit, rank, 2 * part] += x
                cards[suit, rank, 2 * part + 1] += x * x
                of_rank += x
            ranks[rank, 2 * part] += of_rank
            ranks[rank, 2 * part + 1] += of_rank * of_rank


@njit
def tally_cards(records, rows, turns, ends, pair, cards, ranks):
    """Add ``rows`` hands (two a pair), their turns and their cards; ``pair`` is scratch."""
    at = 0
    for hand in range(rows):
        end = ends[hand]
        _enter(end[E_DEALT], P_DEALT, pair)
        _enter(end[E_KEPT], P_KEPT, pair)
        _enter(end[E_MELDED], P_MELDED, pair)
        _enter(end[E_LAID], P_LAID, pair)
        for _ in range(records[hand, H.TURNS]):
            _enter(turns[at, T_DISCARD], P_THROWN, pair)
            if turns[at, T_TAKEN] == 1:
                _enter(turns[at, T_DISCARD], P_TAKEN, pair)
            at += 1
        if hand % 2 == 1:
            _close_pair(pair, cards, ranks)


class CardTally:
    """The sums as they grow; ``flat`` is all of them in one int64 array, the tables of ``CARD_TABLES`` one after the other."""

    def __init__(self) -> None:
        self._pair = np.zeros((CARDS, len(CARD_PARTS)), np.int64)
        self._cards, self._ranks = (np.zeros(shape, np.int64) for shape in CARD_TABLES.values())

    def add(self, records: np.ndarray, rows: int, turns: np.ndarray, ends: np.ndarray) -> None:
        """Add the cards of ``rows`` hand records, whole pairs."""
        tally_cards(records, rows, turns, ends, self._pair, self._cards, self._ranks)

    def flat(self) -> np.ndarray:
        """All sums."""
        return np.concatenate([self._cards.ravel(), self._ranks.ravel()])
