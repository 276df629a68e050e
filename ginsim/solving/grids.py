"""Charts as signs: in grids of turns and deadwoods, and in short, as a player would want to read them in a terminal."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ginsim.solving.cells import KNOWN

__all__ = ["GO_ON", "RARE", "Grid", "in_short"]

GO_ON, RARE = "·", "–"
MOSTLY = 50
"""Per cent of cases from which on a cell counts as one that knocks, in short."""
APART, MOST_LINES = 2, 60
"""Turns that stand apart and are left out; lines."""
SHORT = """\
Own turns on which to knock, by own deadwood (gin is always declared). · never; – too rare to say; what is not listed never
knocks. In short: a cell knocks if it does so in at least half the cases, and one or two turns that stand apart are left out."""


class Grid(NamedTuple):
    """A part of a chart as signs (`ginsim.solving.chart.Chart.marks`): its turns down, deadwoods across.

    ``classes`` is what else is known there: names and labels; ``clear`` the share of its decisions, as often as they come up,
    of which something is told.
    """

    seat: str
    classes: tuple[tuple[str, str], ...]
    turns: tuple[str, ...]
    columns: tuple[str, ...]
    marks: np.ndarray
    clear: float = 1.0

    @property
    def known(self) -> str:
        """What else is known, in words."""
        return ", ".join(f"{KNOWN[name].meaning}: {label}" for name, label in self.classes)

    @property
    def title(self) -> str:
        """The seat, and what else is known."""
        return ", ".join(filter(None, (self.seat, self.known)))

    def __str__(self) -> str:
        head = f"{'turn':>5} " + "".join(f"{label:>4}" for label in self.columns)
        rows = [f"{turn:>5} " + "".join(f"{mark:>4}" for mark in row) for turn, row in zip(self.turns, self.marks, strict=True)]
        return "\n".join([self.title, head, *rows])


def in_short(grids: Sequence[Grid]) -> str:
    """The grids of a chart in few lines: for each seat and whatever else is known, on which turns each deadwood knocks.

    Lines that say the same for classes next to each other are put together.
    """
    facts, columns = [name for name, _ in grids[0].classes], grids[0].columns
    if not columns:
        return "Nothing is told of any cell."
    table = [("", *facts, *(label or "knock on turns" for label in columns))]
    for seat, run in itertools.groupby(grids, key=lambda grid: grid.seat):
        own = list(run)
        acts = np.vectorize(_knocks, otypes=[bool])(np.stack([grid.marks for grid in own])).any(axis=(0, 2))
        first = int(np.argmax(acts))
        knocks = list(_lines(own, own[0].turns[first])) or [(*("any" for _ in facts), *GO_ON * len(columns))]
        table += [(seat if not k else "", *line) for k, line in enumerate(knocks)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in table]
    if more := lines[1 + MOST_LINES :]:
        lines[1 + MOST_LINES :] = [f"… and {len(more)} lines more, which a page shows (ginsim charts … --out page.html)"]
    return "\n".join([SHORT, *lines])


def _lines(grids: Sequence[Grid], first: str) -> Iterator[tuple[str, ...]]:
    """For each class of what is known that knocks the turns by deadwood; the last thing known in ranges where it is alike."""
    told = [(grid, tuple(_turns(grid, column, first) for column in range(len(grid.columns)))) for grid in grids]
    last = KNOWN[grids[0].classes[-1][0]].labels if grids[0].classes else ()
    for (others, cells), run in itertools.groupby(told, key=lambda one: (one[0].classes[:-1], one[1])):
        labels = [grid.classes[-1][1] for grid, _ in run if grid.classes]
        ends = labels if len(labels) < 2 else ["any" if len(labels) == len(last) else f"{labels[0]} to {labels[-1]}"]
        if not set(cells) <= {GO_ON, RARE}:
            yield (*(label for _, label in others), *ends, *cells)


def _turns(grid: Grid, column: int, first: str) -> str:
    """The turns on which a deadwood knocks, such as ``2-4,8-12``; ``first`` is the first one on which its seat knocks."""
    marks = [(turn, mark) for turn, mark in zip(grid.turns, grid.marks[:, column], strict=True) if mark != RARE]
    if not marks:
        return RARE
    runs = []
    for knocks, run in itertools.groupby(marks, key=lambda one: _knocks(one[1])):
        turns = [turn for turn, _ in run]
        if knocks and (len(turns) > APART or turns[0] == first):
            runs.append(turns[0] if len(turns) == 1 else f"{turns[0]}-{turns[-1]}")
    return ",".join(runs) or GO_ON


def _knocks(mark: str) -> bool:
    return mark == "K" or (mark.isdigit() and int(mark) >= MOSTLY)
