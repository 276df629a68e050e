"""What is known at a knock, cut into the cells of a chart: by seat, own turn, and as much more as is wanted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.errors import InputError, shown, suggest
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.players.chartfiles import MOST_CELLS
from ginsim.games.gin.players.known import BOUNDS, TURNS

__all__ = ["KNOWN", "SEATS", "TURNS", "Cells", "Fact"]

SEATS = ("starter", "dealer")


@dataclass(frozen=True)
class Fact:
    """Something known: the column of a course that tells it, and what its classes are called."""

    column: str
    meaning: str
    labels: tuple[str, ...]

    @property
    def classes(self) -> int:
        """How many are told apart."""
        return len(self.labels)

    def of(self, values: np.ndarray) -> np.ndarray:
        """The class of each value, int32."""
        table = np.searchsorted(BOUNDS[self.column], np.arange(256), side="right").astype(np.int32)
        found: np.ndarray = table[values]
        return found


def _ranges(column: str) -> tuple[str, ...]:
    """Classes by the values they hold."""
    ends = (0, *BOUNDS[column])
    inner = [f"{a}-{b - 1}" if b - a > 1 else str(a) for a, b in itertools.pairwise(ends)]
    return (*inner, f"{ends[-1]}+")


KNOWN: dict[str, Fact] = {
    "deadwood": Fact("deadwood", "own deadwood", _ranges("deadwood")),
    "unmatched": Fact("unmatched", "own unmatched cards", ("1", "2", "3+")),
    "taken": Fact("taken", "upcards that the opponent took", _ranges("taken")),
    "last": Fact("last", "points of the opponent's last discard", ("none", "1-4", "5-8", "9+")),
    "limit": Fact("limit", "knock limit in force", _ranges("limit")),
    "stock": Fact("stock", "cards left in the stock", _ranges("stock")),
}
"""All that may be told apart beside seat and turn, in the order of the dimensions of a chart."""


@dataclass(frozen=True)
class Cells:
    """The cells of a chart that tells ``known`` apart; a chart is an array of this ``shape``: seats, turns, then what is known.

    Examples
    --------
    >>> Cells.of("unmatched, deadwood").shape
    (2, 20, 16, 3)
    """

    known: tuple[str, ...]

    @classmethod
    def of(cls, known: str | Sequence[str]) -> Cells:
        """Cells by the names of what is known, in any order.

        Raises
        ------
        InputError
            For a name that is not in ``KNOWN``, or is there twice, and for too many cells.
        """
        if not isinstance(known, Iterable):
            raise InputError(f"knows: {shown(known)} is not allowed; give names, some of {', '.join(KNOWN)}")
        given = [name.strip() for name in known.split(",")] if isinstance(known, str) else list(known)
        given = [name for name in given if name != ""]
        for name in given:
            if type(name) is not str or name not in KNOWN:
                raise InputError(f"knows: there is no {shown(name)}; {suggest(str(name), KNOWN)}")
            if given.count(name) > 1:
                raise InputError(f"knows: {name} is listed twice")
        found = cls(tuple(name for name in KNOWN if name in given))
        if found.size > MOST_CELLS:
            raise InputError(f"knows: {', '.join(found.known)} make {found.size:,} cells; at most {MOST_CELLS:,} are allowed")
        return found

    @property
    def facts(self) -> tuple[Fact, ...]:
        """What is known, beside seat and turn."""
        return tuple(KNOWN[name] for name in self.known)

    @property
    def shape(self) -> tuple[int, ...]:
        """Dimensions of a chart."""
        return (len(SEATS), TURNS, *(fact.classes for fact in self.facts))

    @property
    def size(self) -> int:
        """Cells in all, used or not."""
        return math.prod(self.shape)

    def index(self, courses: Courses) -> np.ndarray:
        """The cell of each row, int32; -1 for the end of a hand, where nothing is decided."""
        rows = courses.rows
        found = rows["seat"].astype(np.int32)
        found *= TURNS
        found += np.clip(rows["turn"], 1, TURNS).astype(np.int32) - 1
        for fact in self.facts:
            found *= fact.classes
            found += fact.of(rows[fact.column])
        found[rows["final"] != 0] = -1
        return found

    def within(self, other: Cells) -> np.ndarray:
        """For each cell here the cell of ``other``, which tells no more apart, that holds it: int64[size].

        Raises
        ------
        InputError
            If the other tells something apart that is not told apart here.
        """
        if more := [name for name in other.known if name not in self.known]:
            raise InputError(f"knows: {', '.join(more)} is not known here")
        kept = [0, 1, *(2 + k for k, name in enumerate(self.known) if name in other.known)]
        places: Any = np.indices(self.shape)[kept]
        found: np.ndarray = np.ravel_multi_index(tuple(places), other.shape).ravel()
        return found
