"""A chart of when to knock as a card to print: one sheet of ISO paper, told without colours by letters and hatching."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ginsim.errors import InputError, shown
from ginsim.report.plots.charts import chart_of, class_words, put_together
from ginsim.report.plots.charts import shown as as_far_as_shown
from ginsim.report.plots.style import BLUE, FAINT, GREY, INK, new_axes, styled
from ginsim.solving.cells import SEATS, TURNS
from ginsim.solving.payoffs import BY_GAME
from ginsim.version import __version__

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.solving.chart import Chart
    from ginsim.study.solve import Solution

__all__ = ["chart_card", "knock_card"]

PAPERS = [(105, 148), (148, 210), (210, 297), (297, 420)]
"""Sizes that a card may have, in millimetres: A6 to A3."""
EDGE, HEAD, FOOT, LINE, TEXT, GAP = 6.0, 13.0, 16.5, 5.0, 3.2, 3.0
"""Margin, room for the title and for the legend, heights of a heading and of a line of text, distance of blocks (millimetres)."""
LABEL = 1.0
"""Width of the column of turns, in cells."""
LEAST, MOST = (3.9, 3.5), (8.5, 6.5)
"""Sizes that a cell may have (millimetres)."""
POINT = 72 / 25.4
"""Points of a millimetre."""
CLEAR = 0.9
"""Share of the decisions of a part of which something must be told, to say that one never knocks there."""
KNOCK, WAIT, MIXED, RARE, HATCHED = BLUE, "white", "#F6DDA8", "#F1F1F1", "//////"


class Block(NamedTuple):
    """A part of the card: one seat, one class of what else is known."""

    title: str
    turns: Sequence[str]
    columns: Sequence[str]
    marks: np.ndarray

    @property
    def wide(self) -> float:
        """In cells."""
        return len(self.columns) + LABEL


class Row(NamedTuple):
    """Blocks side by side, with a heading unless they have their own."""

    title: str
    blocks: Sequence[Block]

    def height(self, down: float) -> float:
        """In millimetres, with the distance to the next one."""
        lines = bool(self.title) + bool(self.blocks)
        return LINE * lines + max((1 + len(block.turns) for block in self.blocks), default=0) * down + GAP


@styled
def knock_card(
    result: Solution, reply: bool = False, ax: Axes | None = None, score: tuple[int, int] | None = None
) -> Axes:
    """When to knock, as a card to print.

    Parameters
    ----------
    result : Solution
    reply : bool
        The best reply to the strategy whose knocking is given, instead of the equilibrium.
    ax : matplotlib Axes, optional
    score : (int, int), optional
        Own and other's: the chart there, one of ``result.at_scores``; by default the one at 0 to 0.

    Raises
    ------
    InputError
        If there is no chart at this score.
    """
    if score is not None and score not in result.at_scores:
        known = ", ".join(f"{own}:{other}" for own, other in result.at_scores) or "none"
        raise InputError(f"score: there is no chart at {shown(score)}; there are {known}")
    players = result.strategy + (f", against {result.against}" if reply else "")
    seeds = result.seed if isinstance(result.seed, int) else ", ".join(map(str, result.seed))
    source = f"ginsim {__version__}, solved on {result.deals:,} deals, seed {seeds}"
    advice = "" if reply or score or not result.remembered else f"To remember: {result.remembered[0]}"
    chart = as_far_as_shown(result.at_scores[score]) if score else chart_of(result, reply)
    at = f", at {score[0]}:{score[1]} (own points, opponent's)" if score else ", at 0:0, the start of a game"
    counted = result.criterion + (at if result.by in BY_GAME else "")
    advice = " ".join(filter(None, (advice, put_together(result.chart, chart.cells.known))))
    return chart_card(chart, result.rules, players, counted, source, advice, ax=ax)


@styled
def chart_card(
    chart: Chart,
    rules: str,
    players: str,
    criterion: str,
    source: str = "",
    advice: str = "",
    seat: str = "",
    ax: Axes | None = None,
) -> Axes:
    """A chart as a card to print: turns down, deadwood across, on the smallest sheet from A6 to A3 that has room.

    K on dark ground: knock; a dot: play on; a number on hatched ground: knock in so many per cent of cases; a pale dash: it
    hardly comes up. Turns on which nobody knocks any more are put together.

    Parameters
    ----------
    chart : Chart
    rules, players, criterion : str
        Under what rules, with whose draws and discards, and by what it was solved.
    source : str
        How it was made: at the bottom.
    advice : str
        In short; under the title.
    seat : {'', 'starter', 'dealer'}
        Both, or one.
    ax : matplotlib Axes, optional
        Axes whose limits are set to the card in millimetres; by default a figure of the size of the sheet.

    Raises
    ------
    InputError
        If the largest sheet has no room for the chart.
    """
    if seat and seat not in SEATS:
        raise InputError(f"seat: {seat!r} is not allowed; give {' or '.join(SEATS)}, or nothing for both")
    said = f"Rules {rules}  ·  draws and discards of {players}  ·  what counts: {criterion}", advice
    (wide, high), rows, (across, down) = _placed(_seats(chart, [seat] if seat else SEATS), said)
    axes = new_axes(wide / 25.4, high / 25.4) if ax is None else ax
    if ax is None:
        axes.figure.set_layout_engine("none")  # type: ignore[union-attr]
        axes.set_position((0, 0, 1, 1))
    axes.set_xlim(0, wide)
    axes.set_ylim(high, 0)
    axes.set_axis_off()
    _title(axes, *_lines(wide, said))
    top = _head(wide, said)
    for row in rows:
        _row(axes, row, top, across, down)
        top += row.height(down)
    _legend(axes, wide, high, source)
    return axes


# --- what stands where -----------------------------------------------------------------------------------------------------


def _seats(chart: Chart, seats: Sequence[str]) -> list[Row]:
    """The parts of the card by seat; late turns on which nobody knocks are one row, and where one never knocks is only said."""
    grids = [grid for grid in chart.grids() if grid.seat in seats]
    turns = list(grids[0].turns)
    if not turns:
        return [Row(f"{seat.capitalize()} (too few deals to tell)", []) for seat in seats]
    acts = np.array([~np.isin(grid.marks, ("·", "–")).all(axis=1) for grid in grids]).any(axis=0)
    first = min(int(np.flatnonzero(acts).max(initial=-1)) + 1, len(turns) - 1)  # what stands for all later turns
    if first < len(turns) - 1 or turns[first] == str(TURNS):
        turns[first:] = [f"{turns[first]}+"]
    blocks = {seat: list[Block]() for seat in seats}
    silent, unclear = ({seat: list[str]() for seat in seats} for _ in range(2))
    for grid in grids:
        late = grid.marks[first:]
        marks = np.vstack([grid.marks[:first], late if len(late) == 1 else np.where((late == "·").any(axis=0), "·", "–")])
        used = np.flatnonzero((marks != "–").any(axis=0))
        title = ", ".join(class_words(*known) for known in grid.classes)
        if not np.isin(marks, ("·", "–")).all():
            blocks[grid.seat].append(Block(title, turns, [grid.columns[k] for k in used], marks[:, used]))
        else:
            (silent if used.size and grid.clear >= CLEAR else unclear)[grid.seat].append(title)
    return [Row(_seat_title(seat, silent[seat], unclear[seat]), blocks[seat]) for seat in seats]


def _seat_title(seat: str, silent: Sequence[str], unclear: Sequence[str]) -> str:
    """The seat, where it never knocks, and where that is not known."""
    said = [("never knock", silent), ("too few deals to tell", unclear)]
    parts = [f"{'; '.join(filter(None, where))}: {what}".removeprefix(": ") for what, where in said if where]
    return f"{seat.capitalize()} ({'. '.join(parts)})" if parts else seat.capitalize()


def _placed(seats: Sequence[Row], said: Sequence[str]) -> tuple[tuple[float, float], list[Row], tuple[float, float]]:
    """The sheet, the blocks in rows, and the size of a cell: the smallest sheet, and on it the largest cells."""
    most = max(len(row.blocks) for row in seats)
    ways = [
        [Row("" if k else row.title, row.blocks[k : k + n]) for row in seats for k in range(0, max(len(row.blocks), 1), n)]
        for n in range(1, max(most, 1) + 1)
    ]
    ways.append(_side_by_side(seats))
    for paper in PAPERS:
        found = []
        for sheet in (paper, paper[::-1]):
            for rows in ways:
                cell = _cell(rows, sheet[0] - 2 * EDGE, sheet[1] - _head(sheet[0], said) - FOOT)
                if cell[0] >= LEAST[0] and cell[1] >= LEAST[1]:
                    found.append((min(cell[0], 1.3 * cell[1]), sheet, rows, cell))
        if found:
            _, sheet, rows, cell = max(found, key=lambda way: way[0])
            return sheet, rows, cell
    parts = sum(len(row.blocks) for row in seats)
    raise InputError(f"chart: a card has no room for {parts} parts; show less of what is known (Chart.onto), or one seat")


def _side_by_side(seats: Sequence[Row]) -> list[Row]:
    """Both seats in one row, under what is to be said of them."""
    names = [row.title.partition(" (")[0] for row in seats]
    blocks = [
        block if k else block._replace(title=", ".join(filter(None, (name, block.title))))
        for name, row in zip(names, seats, strict=True)
        for k, block in enumerate(row.blocks)
    ]
    return [*(Row(row.title, []) for row in seats if " (" in row.title or not row.blocks), Row("", blocks)]


def _lines(wide: float, said: Sequence[str]) -> list[list[str]]:
    """Texts in lines for a sheet of this width."""
    return [textwrap.wrap(text, int((wide - 2 * EDGE) / 1.34)) for text in said]


def _head(wide: float, said: Sequence[str]) -> float:
    """Room that the title and texts under it take."""
    return HEAD + TEXT * sum(map(len, _lines(wide, said))) + 1.0


def _cell(rows: Sequence[Row], wide: float, high: float) -> tuple[float, float]:
    """Width and height of a cell, if the rows are to fill this room."""
    full = [row for row in rows if row.blocks]
    across = [(wide - GAP * (len(row.blocks) - 1)) / sum(block.wide for block in row.blocks) for row in full]
    lines = sum(row.height(1.0) - row.height(0.0) for row in rows)
    return min(*across, MOST[0], MOST[0]), min((high - sum(row.height(0.0) for row in rows)) / max(lines, 1), MOST[1])


# --- how it is drawn -------------------------------------------------------------------------------------------------------


def _title(ax: Axes, said: Sequence[str], advice: Sequence[str]) -> None:
    ax.text(EDGE, EDGE, "When to knock", fontsize=13, weight="bold", va="top", color=INK)
    for k, line in enumerate((*said, *advice)):
        style = "italic" if k >= len(said) else "normal"
        ax.text(EDGE, HEAD + (k + 0.5) * TEXT, line, fontsize=6.8, va="center", style=style, color=INK)


def _row(ax: Axes, row: Row, top: float, across: float, down: float) -> None:
    """A row of blocks, from the left, with its heading."""
    if row.title:
        name, _, rest = row.title.partition(" (")
        words = ax.text(EDGE, top + LINE / 2, name, fontsize=8.5, weight="bold", va="center", color=INK)
        if rest:
            beside: dict[str, Any] = {"xycoords": words, "textcoords": "offset points", "va": "bottom"}
            ax.annotate(rest.rstrip(")"), (1, 0), (6, 0), fontsize=7, color=INK, **beside)
        top += LINE
    left, edge = EDGE, float(max(ax.get_xlim())) - EDGE / 2
    for k, block in enumerate(row.blocks):
        after = left + block.wide * across + GAP
        room = (after if k < len(row.blocks) - 1 else edge) - left - LABEL * across
        _draw(ax, block, left, top, across, down, room)
        left = after


def _draw(ax: Axes, block: Block, left: float, top: float, across: float, down: float, room: float) -> None:
    """A block with its heading, for which there is some room, turns and deadwoods."""
    x, y = left + LABEL * across, top + LINE
    size = min(0.62 * down, 0.75 * across) * POINT
    fits = min(7.5, size, 1.5 * POINT * room / max(len(block.title), 1))
    small: dict[str, Any] = {"fontsize": 0.8 * size, "ha": "center", "va": "center", "color": INK}
    ax.text(x, top + LINE / 2, block.title, fontsize=fits, weight="bold", va="center", color=INK)
    ax.text(x - 0.15 * across, y + down / 2, "turn", **small | {"ha": "right", "fontsize": 0.6 * size, "color": GREY})
    for k, label in enumerate(block.columns):
        ax.text(x + (k + 0.5) * across, y + down / 2, label, **small)
    for k, label in enumerate(block.turns):
        ax.text(x - 0.15 * across, y + (k + 1.5) * down, label, **small | {"ha": "right"})
    cells = [(x + c * across, y + (1 + r) * down, str(mark)) for (r, c), mark in np.ndenumerate(block.marks)]
    _cells(ax, cells, across, down, size)


def _cells(ax: Axes, cells: Sequence[tuple[float, float, str]], across: float, down: float, size: float) -> None:
    """Cells with their signs."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    frame: dict[str, Any] = {"edgecolor": FAINT, "linewidth": 0.4}
    middle: dict[str, Any] = {"ha": "center", "va": "center_baseline"}
    for kind, ground in (("K", KNOCK), ("·", WAIT), ("–", RARE), ("", MIXED)):
        boxes = [Rectangle((x, y), across, down) for x, y, mark in cells if (mark if mark in "K·–" else "") == kind]
        ax.add_collection(PatchCollection(boxes, facecolor=ground, hatch=None if kind else HATCHED, **frame))
    for x, y, mark in cells:
        at = x + across / 2, y + down / 2
        if mark == "K":
            ax.text(*at, "K", fontsize=size, weight="bold", color="white", **middle)
        elif mark not in "·–":
            under: dict[str, Any] = {"facecolor": MIXED, "linewidth": 0, "pad": 0.5}
            ax.text(*at, mark, fontsize=0.85 * size, color=INK, bbox=under, **middle)
    for sign, marker, colour in (("·", ".", INK), ("–", "_", GREY)):
        places = [(x + across / 2, y + down / 2) for x, y, mark in cells if mark == sign]
        at_x, at_y = [x for x, _ in places], [y for _, y in places]
        ax.scatter(at_x, at_y, s=(0.35 * size) ** 2, c=colour, marker=marker, linewidths=0.6)


def _legend(ax: Axes, wide: float, high: float, source: str) -> None:
    """What the signs mean, and how the card was made."""
    y, side = high - EDGE - 6.6, 4.0
    words = {"K": "knock", "·": "play on", "40": "knock in 40 % of cases", "–": "hardly comes up"}
    x = EDGE
    for mark, text in words.items():
        _cells(ax, [(x, y, mark)], side + 0.6, side - 0.2, 7.0)
        ax.text(x + side + 1.6, y + side / 2, text, fontsize=6.4, va="center", color=INK)
        x += side + 4.2 + 1.22 * len(text)
    told = f"Own turn down, own deadwood across. {source}".strip()
    ax.text(EDGE, high - EDGE, told, fontsize=5.4, va="bottom", color="#555555")
