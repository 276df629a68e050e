"""The best strategy over a plane of two rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ginsim.report.games import rule_label
from ginsim.report.plots.names import value_labels
from ginsim.report.plots.style import (
    BLACK,
    BORDER,
    FAINT,
    HATCH,
    cells_in,
    cells_on,
    colour_bar,
    fitted,
    ink_on,
    step_colour,
    styled,
    write_on,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.map import RuleMap


@styled
def rule_map(rule_map: RuleMap, ax: Axes | None = None) -> Axes:
    """The best strategy over the plane of two rule fields.

    Hatched cells: the lead is within the intervals. The thick line is the border of the region where the first of the
    strategies is best.

    Parameters
    ----------
    rule_map : RuleMap
    ax : matplotlib Axes, optional
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    best, (rows, columns) = rule_map.best_index(), rule_map.points.shape[:2]
    labels, common = value_labels(rule_map.strategies)
    n = len(labels)
    colours = [step_colour(i, n) for i in range(n)]
    cell = min(max(6.0 / max(rows, columns), 0.34), 0.8)
    ax, given = cells_on(ax, cell * columns, cell * rows)
    norm = BoundaryNorm([i - 0.5 for i in range(n + 1)], n)
    mesh = ax.pcolormesh(best, cmap=ListedColormap(colours), norm=norm, edgecolors="white", linewidth=0.6)
    unclear = _hatch_unclear(ax, rule_map, colours, best)
    size = min(9.0, 72 * cell * 0.8 / (0.64 * max(map(len, labels))))
    if size >= 4.5:
        for (r, c), i in cells_in(best):
            write_on(ax, c + 0.5, r + 0.5, labels[int(i)], colours[int(i)], size)
    border = _draw_border(ax, best)
    _label_plane(ax, rule_map)
    label = f"best strategy ({common})" if common else "best strategy"
    bar = colour_bar(ax, mesh, label, ticks=range(n), drawedges=False)
    bar.ax.set_yticklabels(labels)
    bar.ax.minorticks_off()
    bar.ax.tick_params(length=0)
    notes = [f"Best strategy under {rule_map.base}"]
    if border:
        notes.append(f"thick line: border of the region of {rule_map.strategies[0]}")
    if unclear:
        notes.append("hatched: the lead over the second is within the 95 % intervals")
    ax.set_title("\n".join(notes), fontsize=9)
    return ax if given else fitted(ax, cell * columns, cell * rows)


def _hatch_unclear(ax: Axes, rule_map: RuleMap, colours: Sequence[Sequence[float]], best: Any) -> int:
    """Hatch the cells whose lead is within the intervals; how many there are."""
    from matplotlib.patches import Rectangle

    clear, count = rule_map.table()["clear"].to_numpy().reshape(best.shape), 0
    for (r, c), i in cells_in(best):
        if not clear[r, c]:
            ink = "#777777" if ink_on(colours[int(i)]) == BLACK else FAINT
            patch = Rectangle((c + 0.03, r + 0.03), 0.94, 0.94, fill=False, linewidth=0, edgecolor=ink, hatch=HATCH)
            patch.set_gid(f"unclear-{r}-{c}")
            ax.add_patch(patch)
            count += 1
    return count


def _draw_border(ax: Axes, best: Any) -> bool:
    """A thick line between the cells where the first strategy is best and the others; whether there is one."""
    from matplotlib.collections import LineCollection

    rows, columns = best.shape
    first = best == 0
    lines = [[(c + 1, r), (c + 1, r + 1)] for r in range(rows) for c in range(columns - 1) if first[r, c] != first[r, c + 1]]
    lines += [[(c, r + 1), (c + 1, r + 1)] for r in range(rows - 1) for c in range(columns) if first[r, c] != first[r + 1, c]]
    for colour, width, gid in (("white", 5.5, "border-casing"), (BORDER, 3.2, "border")):
        ax.add_collection(LineCollection(lines, colors=colour, linewidths=width, capstyle="round", gid=gid, zorder=4))
    return bool(lines)


def _label_plane(ax: Axes, rule_map: RuleMap) -> None:
    for axis, (name, values) in ((ax.xaxis, rule_map.x), (ax.yaxis, rule_map.y)):
        axis.set_ticks([k + 0.5 for k in range(len(values))], [str(value) for value in values])
        axis.set_label_text(rule_label(name))
    ax.set_xlim(0, len(rule_map.x[1]))
    ax.set_ylim(0, len(rule_map.y[1]))
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)
