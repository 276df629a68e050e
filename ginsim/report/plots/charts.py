"""When to knock, solved: the chart, and what other ways of knocking give away."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError
from ginsim.report.plots.names import width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    GREY,
    INK,
    MARKERS,
    axes_on,
    cells_on,
    colour_of,
    dots,
    fitted,
    legend_above,
    settled,
    styled,
    write_on,
)  # fmt: skip
from ginsim.solving.cells import KNOWN, SEATS
from ginsim.solving.grids import GO_ON, RARE, Grid

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ginsim.solving.chart import Chart
    from ginsim.study.solve import Solution

__all__ = ["advices", "advices_side_by_side", "class_words", "knock_chart", "knock_charts", "left_out", "shown"]

SIDE, GAP = 0.23, 1.6
OVER, APART, HEADING, LETTER, PAGE = 2.6, 1.3, 1.4, 0.3, 1.35
"""Room over a part for its heading and deadwoods, between parts, for a seat and a letter, in cells; a page's height by width."""
LEGEND = "K, dark: knock; ·, light: play on; a number: the % of cases in which to knock; –: too rare to say"
"""What the signs and shades of a chart mean."""
CHANCES = {**{str(k): k / 100 for k in range(10, 100, 10)}, "K": 1.0, "·": 0.0, "–": np.nan}
"""Chance to knock by sign."""
CLASSES = {
    "unmatched": "{} unmatched", "taken": "they took {}", "last": "their last discard: {}", "limit": "limit {}",
    "stock": "stock {}",
}  # fmt: skip
"""Classes of what is known, in few words."""


def chart_of(result: Solution, reply: bool) -> Chart:
    """The chart of a picture, as far as there is room for it: the equilibrium, or the best reply if that is asked for."""
    return shown(result.reply if reply and result.reply is not None else result.chart)


def put_together(chart: Chart, kept: Sequence[str]) -> str:
    """Says which things that a chart knows a picture does not tell apart; '' if there are none."""
    names = [KNOWN[name].meaning for name in chart.cells.known if name not in kept]
    return f"Averaged over {', '.join(names)}, so a number may stand for several choices" if names else ""


def shown(chart: Chart) -> Chart:
    """The chart as far as a page has room for it: by deadwood and one thing more."""
    known = chart.cells.known
    others = [name for name in known if name != "deadwood"]
    return chart if len(others) < 2 else chart.onto([name for name in known if name in ("deadwood", others[0])])


def class_words(name: str, label: str) -> str:
    """A class of what is known, in few words."""
    return CLASSES[name].format(label.replace("-", "–"))


@styled
def knock_chart(result: Solution, reply: bool = False, ax: Axes | None = None) -> Axes:
    """When to knock: turns down, deadwood across, in parts for each seat and class of what else is known, in rows on a page.

    K knock, · play on, 50 half the time, – unknown. Parts of which nothing is told, and turns after the last knock, are left out.

    Parameters
    ----------
    result : Solution
    reply : bool
        The best reply to the strategy whose knocking is given, instead of the equilibrium.
    ax : matplotlib Axes, optional
    """
    chart = chart_of(result, reply)
    if not chart.told.any():
        raise InputError("chart: no cell came up often enough; play more deals")
    grids, later = _until_last_knock(chart.grids())
    seats = dict[str, list[Grid]]()
    for grid in grids:
        if (grid.marks != RARE).any():  # seats stand side by side if they have one part each
            seats.setdefault(grid.seat if grid.classes else "", []).append(_told_of(grid))
    over = HEADING * len(seats) if "" not in seats else 0.0
    high = len(grids[0].turns) + OVER
    rows, wide = _in_rows(seats, high, over)
    ax, given = cells_on(ax, SIDE * wide, SIDE * (high * len(rows) + over))
    top, seat = 0.0, ""
    for row in rows:
        if over and row[0].seat != seat:
            seat = row[0].seat
            top += HEADING
            ax.text(0, top - 0.5, seat.capitalize(), fontsize=9, weight="bold", color=INK, va="bottom")
        left = 0.0
        for grid in row:
            _panel(ax, grid, left, top + OVER - 1, first=not left)
            left += _wide(grid) + APART
        top += high
    across = "own deadwood across (points)" if "deadwood" in chart.cells.known else ""
    notes = filter(None, (across, LEGEND, later, left_out(grids), put_together(result.chart, chart.cells.known)))
    ax.set_xlabel("\n".join(textwrap.fill(note, 20 + 3 * round(wide)) for note in notes))
    ax.set_ylabel("own turn", labelpad=24)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_xlim(0, wide)
    ax.set_ylim(top, 0)
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)
    of = f"best reply to {result.against}" if reply else "two equal players"
    title = f"When to knock: {of}, {result.strategy}, {result.rules}, by {result.by}"
    ax.set_title(textwrap.fill(title, 20 + 3 * round(wide)), fontsize=9)
    return ax if given else fitted(ax, SIDE * wide, SIDE * top)


def _until_last_knock(grids: Sequence[Grid]) -> tuple[list[Grid], str]:
    """The grids as far as anybody knocks, and what is to be said of later turns."""
    turns = grids[0].turns
    acts = np.array([~np.isin(grid.marks, (GO_ON, RARE)).all(axis=1) for grid in grids]).any(axis=0)
    end = int(np.flatnonzero(acts).max(initial=0)) + 1
    if end + 1 >= len(turns):
        return list(grids), ""
    said = f"After turn {turns[end - 1]} nobody knocks"
    return [grid._replace(turns=turns[:end], marks=grid.marks[:end]) for grid in grids], said


def _told_of(grid: Grid) -> Grid:
    """The deadwoods of a grid of which anything is told."""
    used = np.flatnonzero((grid.marks != RARE).any(axis=0))
    used = np.arange(used[0], used[-1] + 1)
    return grid._replace(columns=tuple(grid.columns[k] for k in used), marks=grid.marks[:, used])


def _in_rows(seats: Mapping[str, Sequence[Grid]], high: float, over: float) -> tuple[list[list[Grid]], float]:
    """The parts in rows, each seat in rows of its own: few enough to be no higher than a page, and no wider than they need.

    ``high`` is the height of a row, ``over`` of all headings of seats. Also returns the width.
    """
    widths = [_wide(grid) for grids in seats.values() for grid in grids]
    most = max(sum(_wide(grid) + APART for grid in grids) for grids in seats.values())
    ways = [(wide, _broken(seats, wide)) for wide in range(math.ceil(max(widths)), math.ceil(most) + 1)]
    fit = [rows for wide, rows in ways if high * len(rows) + over <= PAGE * wide] or [ways[-1][1]]
    rows = next(rows for _, rows in ways if len(rows) == len(fit[0]))
    return rows, max(sum(_wide(grid) + APART for grid in row) - APART for row in rows)


def _broken(seats: Mapping[str, Sequence[Grid]], wide: float) -> list[list[Grid]]:
    """The parts in rows of at most this width."""
    rows = list[list[Grid]]()
    for grids in seats.values():
        left = math.inf
        for grid in grids:
            if left + _wide(grid) > wide:
                rows.append([])
                left = 0.0
            rows[-1].append(grid)
            left += _wide(grid) + APART
    return rows


def _heading(grid: Grid) -> str:
    return ", ".join(class_words(*known) for known in grid.classes) or grid.seat.capitalize()


def _wide(grid: Grid) -> float:
    """Cells that a part takes, with its heading."""
    return max(len(grid.columns), LETTER * len(_heading(grid)))


def _panel(ax: Axes, grid: Grid, left: float, top: float, first: bool) -> None:
    """A part of the chart under its heading and deadwoods, the first of a row with its turns."""
    small: dict[str, Any] = {"fontsize": 7, "color": INK}
    ax.text(left, top - 1.1, _heading(grid), fontsize=8, color=INK, va="bottom")
    for k, label in enumerate(grid.columns):
        ax.text(left + k + 0.5, top - 0.2, label, ha="center", va="bottom", **small)
    for k, label in enumerate(grid.turns if first else ()):
        ax.text(left - 0.3, top + k + 0.5, label, ha="right", va="center", **small)
    _block(ax, grid.marks, left, top)


def left_out(grids: Sequence[Grid]) -> str:
    """Says of which parts of a chart nothing is told; '' if there are none."""
    rare = [grid for grid in grids if not (grid.marks != RARE).any()]
    both = [grid.classes for grid in rare if grid.seat == SEATS[0] and grid.classes in [o.classes for o in rare if o is not grid]]
    names = [", ".join(class_words(*known) for known in classes) for classes in both]
    names += [", ".join([grid.seat, *(class_words(*of) for of in grid.classes)]) for grid in rare if grid.classes not in both]
    return f"Left out as too rare: {'; '.join(names)}" if names else ""


def _block(ax: Axes, marks: np.ndarray, left: float, top: float) -> None:
    """The signs of a part of a chart, on ground that is the darker the more one knocks."""
    values = np.vectorize(CHANCES.get, otypes=[float])(marks)
    x, y = left + np.arange(marks.shape[1] + 1), top + np.arange(marks.shape[0] + 1)
    mesh = ax.pcolormesh(x, y, values, cmap="Blues", vmin=0, vmax=1.25, edgecolors="white", linewidth=0.5)
    for (row, column), mark in np.ndenumerate(marks):
        colour: Any = mesh.cmap(mesh.norm(values[row, column])) if mark != "–" else (1.0, 1.0, 1.0, 1.0)
        write_on(ax, float(x[column]) + 0.5, float(y[row]) + 0.5, str(mark), colour, 6.5)


@styled
def knock_charts(results: Mapping[str, Any], seat: str = "starter", ax: Axes | None = None) -> Axes:
    """Charts of one seat side by side: a column for each result under its name, one below the other for unmatched cards.

    Parameters
    ----------
    results : mapping of str to Solution, or anything else with a ``chart``
        All of them know deadwood; unmatched cards are told apart if all know them, everything else is put together, which needs
        charts that were judged.
    seat : {'starter', 'dealer'}
    ax : matplotlib Axes, optional
    """
    known = [name for name in ("deadwood", "unmatched") if all(name in result.chart.cells.known for result in results.values())]
    if "deadwood" not in known:
        raise InputError("results: charts are shown side by side by deadwood, and one of them does not know it")
    if seat not in SEATS:
        raise InputError(f"seat: {seat!r} is not allowed; give {' or '.join(SEATS)}")
    if odd := next((name for name, of in results.items() if not of.chart.sums and of.chart.cells.known != tuple(known)), None):
        raise InputError(f"results: {odd} knows more than the others, and its cells cannot be put together: it was not judged")
    charts = [result.chart.onto(known) for result in results.values()]
    signs = np.stack([np.where(chart.seen, chart.marks(), "–")[SEATS.index(seat)] for chart in charts])
    signs = signs.reshape(*signs.shape[:3], -1)  # results, turns, deadwood, unmatched
    columns = np.flatnonzero((signs != "–").any(axis=(0, 1, 3)))
    if not len(columns):
        raise InputError("chart: no cell came up often enough; play more deals")
    told = np.flatnonzero((signs != "–").any(axis=(0, 2, 3)))
    knocks = np.flatnonzero(~np.isin(signs, ["–", "·"]).all(axis=(0, 2, 3)))
    turns = told[told <= max(knocks, default=told[-1])]
    wide, high = len(columns) + GAP, len(turns) + GAP
    classes = KNOWN["unmatched"].labels if "unmatched" in known else ("",)
    whole = len(results) * wide - GAP, len(classes) * high - GAP
    ax, given = cells_on(ax, SIDE * whole[0], SIDE * whole[1])
    for k, name in enumerate(results):
        for group, label in enumerate(classes):
            _block(ax, signs[k][np.ix_(turns, columns)][..., group], k * wide, group * high)
            words = f"{KNOWN['unmatched'].meaning}: {label}" if label and not k else ""
            ax.text(k * wide, group * high - 0.3, words, fontsize=8, color=INK, va="bottom")
        ax.text(k * wide, -GAP, textwrap.fill(name, 3 * len(columns)), fontsize=9, color=INK, va="bottom", weight="bold")
    labels = KNOWN["deadwood"].labels
    across = [(k * wide + c + 0.5, labels[column]) for k in range(len(results)) for c, column in enumerate(columns)]
    down = [(group * high + r + 0.5, str(turn + 1)) for group in range(len(classes)) for r, turn in enumerate(turns)]
    ax.set_xticks(*map(list, zip(*across, strict=True)))
    ax.set_yticks(*map(list, zip(*down, strict=True)))
    ax.tick_params(labelsize=7)
    ax.set_xlim(0, whole[0])
    ax.set_ylim(whole[1], -1.8 * GAP)
    ax.set_aspect("equal")
    merged = [put_together(result.chart, known) for result in results.values()]
    notes = dict.fromkeys(filter(None, ("own deadwood (points)", LEGEND, *merged)))
    ax.set_xlabel("\n".join(textwrap.fill(note, 12 + 3 * round(whole[0])) for note in notes))
    ax.set_title(f"When the {seat} knocks", fontsize=10)
    ax.set_ylabel(f"own turn of the {seat}")
    ax.spines[:].set_visible(False)
    return ax if given else fitted(ax, SIDE * whole[0], SIDE * (whole[1] + 1.8 * GAP))


@styled
def advices_side_by_side(table: pd.DataFrame, unit: str = "points", ax: Axes | None = None) -> Axes:
    """What ways of knocking give away to the best reply, a colour and a mark for each result, with 95 % intervals.

    Parameters
    ----------
    table : DataFrame
        With columns ``result``, ``way``, ``exploitable``, ``exploitable_low``, ``exploitable_high``.
    unit : str
        Of these.
    ax : matplotlib Axes, optional
    """
    ways, names = list(dict.fromkeys(table["way"])), list(dict.fromkeys(table["result"]))
    labels = wrapped(ways)
    ax, given = axes_on(ax, 5.2 + width_of(labels), 1.4 + 0.5 * len(ways))
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    for k, name in enumerate(names):
        own = table[table["result"] == name]
        offset = 0.16 * (k - (len(names) - 1) / 2)
        at = [ways.index(way) + offset for way in own["way"]]
        figures = own[["exploitable", "exploitable_low", "exploitable_high"]].to_numpy()
        colour, marker = colour_of(k, len(names)), MARKERS[k % len(MARKERS)]
        dots(ax, dict(zip(at, figures, strict=True)), colour, marker, True, 4.5)
        ax.plot([], [], color=colour, marker=marker, linestyle="", markersize=4.5, label=name)
    ax.set_yticks(range(len(ways)), labels)
    ax.set_ylim(len(ways) - 0.4, -0.6)
    ax.set_xlabel(f"given away per hand to the best reply ({unit})")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    legend_above(ax, len(names))
    return ax if given else settled(ax)


@styled
def advices(result: Solution, ax: Axes | None = None) -> Axes:
    """What ways of knocking give away: to the best reply (full), and to the solved chart (hollow), with 95 % intervals."""
    table = result.advices()
    labels = wrapped(list(table["means"]))
    ax, given = axes_on(ax, 5.2 + width_of(labels), 1.2 + 0.42 * len(table))
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    best = {k: tuple(table.loc[k, ["exploitable", "exploitable_low", "exploitable_high"]]) for k in range(len(table))}
    chart = {k + 0.25: tuple(table.loc[k, ["to_chart", "to_chart_low", "to_chart_high"]]) for k in range(1, len(table))}
    dots(ax, best, BLUE, "o", True)
    dots(ax, chart, INK, "s", False, 4.0)
    ax.set_yticks(range(len(table)), labels)
    ax.set_ylim(len(table) - 0.4, -0.6)
    ax.set_xlabel(f"given away per hand ({result.unit}):\nto the best reply (dots), to the chart (squares)")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    ax.set_title(textwrap.fill(f"{result.strategy}, {result.rules}, by {result.by}", 70), fontsize=9)
    return ax if given else settled(ax)


