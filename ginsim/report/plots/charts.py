"""When to knock, solved: the chart, and what other ways of knocking give away."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError
from ginsim.report.plots.names import width_of, wrapped
from ginsim.report.plots.style import BLUE, GREY, INK, axes_on, cells_on, dots, fitted, settled, styled, write_on

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.solving.chart import Chart
    from ginsim.study.solve import Solution

__all__ = ["advices", "knock_chart", "shown"]

SIDE, GAP = 0.23, 1.6


def shown(chart: Chart) -> Chart:
    """The chart as far as a page has room for it: by deadwood and one thing more."""
    known = chart.cells.known
    others = [name for name in known if name != "deadwood"]
    return chart if len(others) < 2 else chart.onto([name for name in known if name in ("deadwood", others[0])])


@styled
def knock_chart(result: Solution, reply: bool = False, ax: Axes | None = None) -> Axes:
    """When to knock: turns down, deadwood across, one seat below the other; K knock, · go on, 5 half the time, – unknown.

    Parameters
    ----------
    result : Solution
    reply : bool
        The best reply to the strategy whose knocking is given, instead of the equilibrium.
    ax : matplotlib Axes, optional
    """
    chart = result.reply if reply and result.reply is not None else result.chart
    chart = shown(chart)
    if not chart.told.any():
        raise InputError("chart: no cell came up often enough; play more deals")
    grids = chart.grids()
    across = len(grids) // 2
    turns, columns = len(grids[0].turns), max(len(grids[0].columns), 1)
    wide, high = across * columns + (across - 1) * GAP, 2 * turns + 1.5 * GAP
    ax, given = cells_on(ax, SIDE * wide, SIDE * high)
    marks = {**{str(k): k / 10 for k in range(1, 10)}, "K": 1.0, "·": 0.0, "–": np.nan}
    ticks: list[tuple[float, str]] = []
    mesh: Any = None
    for k, grid in enumerate(grids):
        left, top = (k % across) * (columns + GAP), (k // across) * (turns + 1.5 * GAP)
        values = np.array([[marks[mark] for mark in row] for row in grid.marks])
        x, y = left + np.arange(columns + 1), top + np.arange(turns + 1)
        mesh = ax.pcolormesh(x, y, values, cmap="Blues", vmin=0, vmax=1.25, edgecolors="white", linewidth=0.5)
        for (row, column), mark in np.ndenumerate(grid.marks):
            colour = mesh.cmap(mesh.norm(values[row, column])) if mark != "–" else (1.0, 1.0, 1.0, 1.0)
            write_on(ax, float(x[column]) + 0.5, float(y[row]) + 0.5, str(mark), colour, 6.5)
        ax.text(left, top - 0.35, textwrap.fill(grid.title, 3 * columns + 10), fontsize=8, color=INK, va="bottom")
        if k < across:
            ticks += [(left + column + 0.5, label) for column, label in enumerate(grid.columns)]
    rows = [(seat * (turns + 1.5 * GAP) + row + 0.5, turn) for seat in (0, 1) for row, turn in enumerate(grids[0].turns)]
    ax.set_xticks(*map(list, zip(*ticks, strict=True)))
    ax.set_yticks(*map(list, zip(*rows, strict=True)))
    ax.tick_params(labelsize=7)
    ax.set_xlim(0, wide)
    ax.set_ylim(high, -GAP)
    ax.set_aspect("equal")
    ax.set_xlabel("own deadwood (points)" if "deadwood" in chart.cells.known else "")
    ax.set_ylabel("own turn")
    ax.spines[:].set_visible(False)
    of = f"best reply to {result.against}" if reply else "two equal players"
    title = f"When to knock: {of}, {result.strategy}, {result.rules}, by {result.by}"
    ax.set_title(textwrap.fill(title, 20 + 3 * round(wide)), fontsize=9)
    return ax if given else fitted(ax, SIDE * wide, SIDE * (high + GAP))


@styled
def advices(result: Solution, ax: Axes | None = None) -> Axes:
    """What ways of knocking give away: to the best reply (full), and to the solved chart (hollow), with 95 % intervals."""
    table = result.advices()
    labels = wrapped(list(table["advice"]))
    ax, given = axes_on(ax, 5.2 + width_of(labels), 1.2 + 0.42 * len(table))
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    best = {k: tuple(table.loc[k, ["exploitable", "exploitable_low", "exploitable_high"]]) for k in range(len(table))}
    chart = {k + 0.25: tuple(table.loc[k, ["to_chart", "to_chart_low", "to_chart_high"]]) for k in range(1, len(table))}
    dots(ax, best, BLUE, "o", True)
    dots(ax, chart, INK, "s", False, 4.0)  # type: ignore[arg-type]
    ax.set_yticks(range(len(table)), labels)
    ax.set_ylim(len(table) - 0.4, -0.6)
    ax.set_xlabel("given away per hand: to the best reply (dots), to the chart (squares)")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    ax.set_title(textwrap.fill(f"{result.strategy}, {result.rules}, by {result.by}", 70), fontsize=9)
    return ax if given else settled(ax)


