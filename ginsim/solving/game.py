"""Knocking as a game: who decides on which turn of each hand, in which cell, and what a knock there brings.

Two sides play: with one strategy in both seats the starter is side 0 and the dealer side 1; where two strategies exchange seats,
side 0 is the first. All payoffs are those of side 0; side 1 gets the same with the other sign.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.games.gin import records as H
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.solving.cells import Cells
from ginsim.solving.kernels import hand_values

__all__ = ["BLOCKS", "KnockGame", "Payoff", "by_points", "by_row", "cuts", "in_blocks", "pairing", "values"]

BLOCKS = 16
"""Parts in which hands are gone through, whose sums are added in order, so that the number of workers does not matter."""
Payoff = Callable[[np.ndarray, np.ndarray, Courses], np.ndarray]
"""What a hand is worth to side 0, from the side that wins each row (-1: nobody), the points it scores, and the courses."""


def by_points(box: float = 0.0) -> Payoff:
    """The points of the hand; with a ``box`` the winner gets so many more."""

    def payoff(winner: np.ndarray, points: np.ndarray, courses: Courses) -> np.ndarray:
        gain = np.where(winner < 0, 0.0, points + box)
        return np.where(winner == 1, -gain, gain)

    return payoff


def outcomes(courses: Courses, rules: Rules) -> tuple[np.ndarray, np.ndarray]:
    """Which side wins a hand that ends with each row (-1: nobody), and the points it scores."""
    rows, side = courses.rows, courses.side
    bonus = np.zeros(len(H.ENDINGS), np.int32)
    bonus[H.GIN], bonus[H.UNDERCUT], bonus[H.BIG_GIN] = rules.gin_bonus, rules.undercut_bonus, rules.big_gin_bonus or 0
    ending = rows["ending"]
    points = (np.abs(rows["difference"].astype(np.int32)) + bonus[ending]) * rows["multiplier"]
    winner = np.where(ending == H.UNDERCUT, 1 - side, side).astype(np.int8)
    nobody = np.isin(ending, (H.DEAD, H.STALLED, H.PUSH))
    winner[nobody] = -1
    points[nobody] = 0
    return winner, points


@dataclass(frozen=True, eq=False)
class KnockGame:
    """The arrays that solvers read, row by row of the courses.

    Attributes
    ----------
    starts : int64[hands + 1]
        Where each hand begins.
    side : int8[rows]
        Who decides.
    turn : uint8[rows]
        Own turn of that side, from 1.
    cell : int32[rows]
        Cell of the chart; -1 at the end of the hand, where nothing is decided.
    payoff : float32[rows]
        What side 0 gets if the hand ends here.
    plays : int
        Hands of each deal.
    """

    cells: Cells
    starts: np.ndarray
    side: np.ndarray
    turn: np.ndarray
    cell: np.ndarray
    payoff: np.ndarray
    plays: int

    @classmethod
    def of(cls, courses: Courses, cells: Cells, rules: Rules, payoff: Payoff) -> KnockGame:
        """The game that courses are, to those who know what ``cells`` tells apart."""
        winner, points = outcomes(courses, rules)
        worth = np.ascontiguousarray(payoff(winner, points, courses), np.float32)
        turn = np.ascontiguousarray(courses.rows["turn"])
        return cls(cells, courses.starts, courses.side, turn, cells.index(courses), worth, courses.plays)

    @property
    def hands(self) -> int:
        """Hands there are."""
        return len(self.starts) - 1

    def by_deal(self, values: np.ndarray) -> np.ndarray:
        """Means over the hands of each deal."""
        found: np.ndarray = values.reshape(-1, self.plays).mean(axis=1)
        return found


def cuts(hands: int) -> list[int]:
    """Where blocks of hands begin, and where the last one ends."""
    return [hands * k // BLOCKS for k in range(BLOCKS + 1)]


def in_blocks(hands: int, work: Callable[[int, int, int], Any], workers: int = 1) -> list[Any]:
    """``work(block, first, end)`` on blocks of hands, in order."""
    ends = cuts(hands)
    if workers == 1:
        return [work(block, *of) for block, of in enumerate(itertools.pairwise(ends))]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, range(BLOCKS), ends[:-1], ends[1:]))


def by_row(game: KnockGame, chart: np.ndarray) -> np.ndarray:
    """The chance that each row knocks by a chart, float32[rows]."""
    return np.where(game.cell < 0, 1.0, chart[game.cell]).astype(np.float32)


def pairing(game: KnockGame, player: int, own: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """The chance that each row knocks if ``player`` does as ``own`` says and the other as ``theirs`` does (float32[rows])."""
    found: np.ndarray = np.where(game.side == player, own, theirs)
    return found


def values(game: KnockGame, knock: np.ndarray, workers: int = 1) -> np.ndarray:
    """What each hand is worth to side 0, float64[hands]; ``knock`` is the chance that each row knocks."""
    out = np.empty(game.hands)

    def work(block: int, first: int, end: int) -> None:
        hand_values(game.starts, game.payoff, knock, first, end, out)

    in_blocks(game.hands, work, workers)
    return out
