"""What is kept of the turns of many hands: integer sums by turn, by turn and deadwood, by discard.

All are of the turns of player 0, who starts one play of a pair and deals in the other. A share within a cell, such as the
undercuts among the knocks that were legal on a turn, is a ratio of sums over pairs; its interval needs their squares and
products, which are kept too (``ginsim.inference.estimates.share_of_clusters``).
"""

from __future__ import annotations

import math

import numpy as np

from ginsim.games.gin import records as H
from ginsim.games.gin.ends import E_ON, E_WALL
from ginsim.games.gin.turns import T_DEADWOOD, T_DISCARD, T_ENDING, T_NEAR, T_PLAYER, T_POINTS, T_TAKEN, T_TOOK, T_TURN
from ginsim.jit import njit, popcount

__all__ = ["MOST_DEADWOOD", "MOST_OWN_TURN", "NEAR", "PARTS_OF", "SPANS", "TURN_TABLES", "TurnTally", "sums_of"]

MOST_OWN_TURN, MOST_DEADWOOD, MOST_HELD, RANKS = 32, 32, 128, 13
"""Own turns, deadwood of a knock, deadwood of a hand, ranks; what lies beyond is counted in the last cell."""
NEAR = ("neither", "beside", "rank", "both")
"""How a discard lies to the cards that the opponent discarded before."""
PARTS = 4
WIDTH = 3 + 3 * PARTS
"""Sums of a cell: pairs with such a turn; these turns n, squares of n in a pair; for each part x sums of x, x² and x·n."""
PARTS_OF = {
    "by_turn": ("able", "gin", "took", "deadwood"),
    "if_knocked": ("undercut", "points", "made", "made_undercut"),
    "by_rank": ("taken",),
    "by_near": ("taken",),
    "play_on": ("knock", "on", "gain"),
    "play_on_spans": ("knock", "on", "gain"),
}
"""The parts of each table of cells: turns on which a knock was legal, that ended with gin, that began with the upcard, deadwood
kept; knocks, had they been made, that are undercut, their points, those that were made, and of these the undercut; discards that
the opponent took at once; points of a knock with deadwood that need not be made, of going on instead, and the difference, by own
turn and deadwood, and by span of turns and deadwood."""
SPANS = ((1, 2), (3, 4), (5, 6), (7, 8), (9, 11), (12, MOST_OWN_TURN - 1))
"""Own turns that are taken together, first and last."""
SHAPES = {
    "by_turn": (MOST_OWN_TURN,), "if_knocked": (MOST_OWN_TURN, MOST_DEADWOOD), "by_rank": (RANKS,), "by_near": (len(NEAR),),
    "play_on": (MOST_OWN_TURN, MOST_DEADWOOD), "play_on_spans": (len(SPANS), MOST_DEADWOOD),
}  # fmt: skip
TURN_TABLES: dict[str, tuple[int, ...]] = {
    "held": (MOST_OWN_TURN, MOST_HELD),
    **{name: (*shape, 3 + 3 * len(PARTS_OF[name])) for name, shape in SHAPES.items()},
    "hands": (4,),
}
"""Tables and their shapes. held: turns by deadwood kept. hands: first upcard taken by the starter, by the dealer; hands with
lay-offs; squares of the points laid off in a hand."""
_KNOCKS = MOST_OWN_TURN
_RANK = _KNOCKS + MOST_OWN_TURN * MOST_DEADWOOD
_NEAR = _RANK + RANKS
_ON = _NEAR + len(NEAR)
_SPANS = _ON + MOST_OWN_TURN * MOST_DEADWOOD
CELLS = _SPANS + len(SPANS) * MOST_DEADWOOD
_SPAN_OF = np.array([sum(turn > last for _, last in SPANS[:-1]) for turn in range(MOST_OWN_TURN)])


def sums_of(table: np.ndarray, name: str, part: str) -> dict[str, np.ndarray]:
    """The sums of a part ``x`` in all cells of a table, by their names: those of ``ginsim.inference.estimates.RatioSums``."""
    at = 3 + 3 * PARTS_OF[name].index(part)
    columns = {"pairs": 0, "n": 1, "n_sq": 2, "x": at, "x_sq": at + 1, "x_n": at + 2}
    return {column: table[..., k] for column, k in columns.items()}


@njit
def _enter(pair, touched, cell, a, b, c, d):
    """Count a turn in a cell of this pair; ``touched[0]`` cells, listed from 1 on, are not empty."""
    if pair[cell, 0] == 0:
        touched[0] += 1
        touched[touched[0]] = cell
    pair[cell, 0] += 1
    pair[cell, 1] += a
    pair[cell, 2] += b
    pair[cell, 3] += c
    pair[cell, 4] += d


@njit
def _enter_turn(row, made, pair, touched, held):
    """Count a turn of player 0; ``made`` says whether it ended in a knock."""
    turn, left, ending = min(row[T_TURN], MOST_OWN_TURN - 1), row[T_DEADWOOD], row[T_ENDING]
    held[turn, min(left, MOST_HELD - 1)] += 1
    legal, cut = 1 if ending >= 0 else 0, 1 if ending == H.UNDERCUT else 0
    gin = 1 if legal and left == 0 else 0
    _enter(pair, touched, turn, legal, gin, row[T_TOOK], left)
    if legal:
        cell = _KNOCKS + turn * MOST_DEADWOOD + min(left, MOST_DEADWOOD - 1)
        _enter(pair, touched, cell, cut, row[T_POINTS], made, made * cut)
    if row[T_TAKEN] >= 0:
        rank = popcount(row[T_DISCARD] - 1) % 16
        _enter(pair, touched, _RANK + rank, row[T_TAKEN], 0, 0, 0)
        _enter(pair, touched, _NEAR + row[T_NEAR], row[T_TAKEN], 0, 0, 0)


@njit
def _enter_choice(row, on, pair, touched):
    """Count a turn on which player 0 could knock or go on, which brought ``on`` points (or would have)."""
    turn, left, knock = min(row[T_TURN], MOST_OWN_TURN - 1), min(row[T_DEADWOOD], MOST_DEADWOOD - 1), row[T_POINTS]
    if row[T_ENDING] >= 0 and left > 0:
        for first in (_ON + turn * MOST_DEADWOOD, _SPANS + _SPAN_OF[turn] * MOST_DEADWOOD):
            _enter(pair, touched, first + left, knock, on, knock - on, 0)


@njit
def _close_pair(pair, touched, cells):
    """Add the sums of a pair to the cells, and empty them."""
    for i in range(1, touched[0] + 1):
        cell = touched[i]
        own, out = pair[cell], cells[cell]
        out[0] += 1
        out[1] += own[0]
        out[2] += own[0] * own[0]
        for part in range(PARTS):
            x = own[1 + part]
            out[3 + 3 * part] += x
            out[4 + 3 * part] += x * x
            out[5 + 3 * part] += x * own[0]
        for k in range(1 + PARTS):
            own[k] = 0
    touched[0] = 0


@njit
def tally_turns(records, rows, turns, ends, pair, touched, held, cells, hands):
    """Add the turns of ``rows`` hands (two a pair), which ended as ``ends`` says, to ``held``, ``cells`` and ``hands``.

    ``pair`` and ``touched`` are scratch.
    """
    at = 0
    for hand in range(rows):
        record = records[hand]
        last = at + record[H.TURNS] - 1
        if last >= at and turns[at, T_TOOK] == 1:
            hands[0 if turns[at, T_PLAYER] == record[H.STARTER] else 1] += 1
        hands[2] += 1 if record[H.LAID_OFF] > 0 else 0
        hands[3] += record[H.LAID_OFF] * record[H.LAID_OFF]
        while at <= last:
            if turns[at, T_PLAYER] == 0:
                _enter_turn(turns[at], 1 if at == last and record[H.KNOCKER] == 0 else 0, pair, touched, held)
                if at < last or ends[hand, E_WALL] == 0:
                    _enter_choice(turns[at], ends[hand, E_ON], pair, touched)
            at += 1
        if hand % 2 == 1:
            _close_pair(pair, touched, cells)


class TurnTally:
    """The sums as they grow; ``flat`` is all of them in one int64 array, the tables of ``TURN_TABLES`` one after the other."""

    def __init__(self) -> None:
        self._pair = np.zeros((CELLS, 1 + PARTS), np.int64)
        self._touched = np.zeros(CELLS + 1, np.int64)
        self._held = np.zeros(TURN_TABLES["held"], np.int64)
        self._cells = np.zeros((CELLS, WIDTH), np.int64)
        self._hands = np.zeros(TURN_TABLES["hands"], np.int64)

    def add(self, records: np.ndarray, rows: int, turns: np.ndarray, ends: np.ndarray) -> None:
        """Add the turns of ``rows`` hand records, whole pairs, and how they ended."""
        tally_turns(records, rows, turns, ends, self._pair, self._touched, self._held, self._cells, self._hands)

    def flat(self) -> np.ndarray:
        """All sums."""
        parts, at = [self._held.ravel()], 0
        for name, shape in SHAPES.items():
            own = self._cells[at : at + math.prod(shape), : TURN_TABLES[name][-1]]
            parts.append(own.ravel())
            at += math.prod(shape)
        return np.concatenate([*parts, self._hands])
