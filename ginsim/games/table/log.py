"""The log of a hand: a row for each turn and each claim. Import it as ``L``: ``row[L.SEAT]``."""

from __future__ import annotations

from ginsim.games.table import view as V

COLUMNS = (
    "kind", "seat", "depth", "drawn", "discard", "reshuffled", *(f"meld_{i}" for i in range(V.MOST_MELDS)),
)  # fmt: skip
"""Columns (int64) of the log of a hand, one row for each turn and each claim.

kind: 0 turn, 1 claim. depth: cards taken from the pile, 0 is the stock. drawn: the cards drawn, or the one claimed. discard: the
card (0: none). reshuffled: 1 if the stock was made anew before this turn. meld_i: what was added to meld i of the table, and
after the last of these the new melds.
"""
KIND, SEAT, DEPTH, DRAWN, DISCARD, RESHUFFLED, MELDS = range(7)
SIZE = len(COLUMNS)
