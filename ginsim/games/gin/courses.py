"""The course of a hand without knocks: played on to gin or to the end of the stock, with what each knock would have brought.

As long as draws and discards do not look at knocking, all that knocking can do to a hand is to end it: everything that any
way of knocking could have come to lies on this one course. It is the engine's own, turn for turn: a knock that a player makes
is noted, and the hand goes on.

The points of a knock are kept in parts (the difference of the deadwoods, how it ended, what all is multiplied by), so that other
bonuses need no new courses.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ginsim.games.gin.courseplay import MOST_ROWS, ROW, courses_kernel
from ginsim.games.gin.play import GinSession

__all__ = ["ROW", "CourseSession", "Courses", "joined"]

NAMES = ROW.names or ()


class CourseSession(GinSession):
    """A table at which courses are played: each deal once if one strategy has both seats, else in both seatings."""

    def prepare(self) -> None:
        self.kernel = courses_kernel(self.form)
        plays = len(self.lineups)
        self.rows = np.zeros((plays * self.most * MOST_ROWS, len(NAMES)), np.int64)
        self.counts = np.array([plays, 0])
        self._kept: list[np.ndarray] = []

    def run(self, first: int, count: int) -> int:
        return int(self.kernel(self.t, self.seed, first, count, self.params, self.slots, self.records, self.rows, self.counts))

    def count(self, records: np.ndarray) -> None:
        found = self.rows[: self.counts[1]]
        kept = np.empty(len(found), ROW)
        for name, column in zip(NAMES, found.T, strict=True):
            kept[name] = column
        self._kept.append(kept)

    def course_rows(self, first: int, count: int) -> np.ndarray:
        """The rows of deals ``first`` … ``first + count - 1`` (dtype ``ROW``)."""
        self._kept.clear()
        for records in self.blocks(first, count):
            self.count(records)
        return np.concatenate(self._kept) if self._kept else np.empty(0, ROW)


@dataclass(frozen=True, eq=False)
class Courses:
    """Courses of consecutive deals.

    Attributes
    ----------
    rows : structured array
        Of dtype ``ROW``, one course after the other.
    plays : int
        Courses of each deal: 1 if one strategy has both seats; 2 if two strategies exchange them, the first starting in the
        first of the two.
    """

    rows: np.ndarray
    plays: int = 1

    @functools.cached_property
    def starts(self) -> np.ndarray:
        """Where each course begins, and where the last one ends: int64[hands + 1]."""
        ends = np.flatnonzero(self.rows["final"]) + 1
        return np.concatenate(([0], ends))

    @property
    def hands(self) -> int:
        """Courses there are."""
        return len(self.starts) - 1

    @property
    def deals(self) -> int:
        """Deals they are of."""
        return self.hands // self.plays

    @functools.cached_property
    def side(self) -> np.ndarray:
        """Which strategy each row is of, int8: the seat where one has both; else 0 for the first and 1 for the second."""
        seat = self.rows["seat"].astype(np.int8)
        if self.plays == 1:
            return seat
        hand = np.cumsum(self.rows["final"], dtype=np.int64) - self.rows["final"]
        found: np.ndarray = seat ^ (hand % 2).astype(np.int8)
        return found

    def part(self, first: int, count: int) -> Courses:
        """The courses of ``count`` deals from the ``first`` on (counted from 0 here)."""
        ends = self.starts[[self.plays * first, self.plays * (first + count)]]
        return Courses(self.rows[ends[0] : ends[1]], self.plays)


def joined(parts: Sequence[Courses]) -> Courses:
    """Courses of deals that follow each other."""
    return Courses(np.concatenate([part.rows for part in parts]), parts[0].plays)
