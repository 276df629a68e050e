"""A field of strategies: the payoff matrix, and the ranking with intervals."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ginsim.inference.measures import Measure
from ginsim.report.plots.names import LONG, check_measure, short_labels, stacked, width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    DIVERGING,
    FAINT,
    GREY,
    HATCH,
    TICK,
    cells_in,
    cells_on,
    colour_bar,
    fitted,
    new_axes,
    settled,
    styled,
    write_on,
)
from ginsim.study.measures import COMPARED, JUDGED, OF_GAMES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.mixture import Mixture
    from ginsim.study.tournament import Tournament


def measure_of(name: str, known: Sequence[str]) -> Measure:
    """The measure of this name, if it is among those known here."""
    check_measure(name, known)
    return COMPARED[name]


def _known(tournament: Tournament) -> list[str]:
    """The payoffs that this tournament can show: none of games if it played none."""
    played = any(pairing.games_tally["pairs"] for pairing in tournament.pairings.values())
    return [name for name in JUDGED if played or name not in OF_GAMES]


MOST_ANNOTATED = 25
"""Strategies of a heat map up to which each cell shows its value."""


@styled
def heatmap(tournament: Tournament, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """The payoff matrix: each row's strategy against each column's, in the order given.

    Hatched cells cannot be told from neutral: their 95 % interval includes it.

    Parameters
    ----------
    tournament : Tournament
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
        By default the criterion of the study.
    ax : matplotlib Axes, optional
    """
    measure = measure or tournament.criterion
    m = measure_of(measure, _known(tournament))
    values, neutral = m.factor * tournament.matrix(measure).to_numpy(dtype=float), m.factor * m.neutral
    n = len(values)
    cell = _cell_side(tournament.strategies)
    ax, given = cells_on(ax, cell * n, cell * n)
    reach = max((abs(v - neutral) for v in values.flat if math.isfinite(v)), default=0.0) or 1.0
    ax.set_facecolor("#EEEEEE")  # shows on the diagonal
    mesh = ax.pcolormesh(values, cmap=DIVERGING, vmin=neutral - reach, vmax=neutral + reach, edgecolors="white", linewidth=0.8)
    hatched = _hatch_neutral(ax, tournament, measure, m)
    if n <= MOST_ANNOTATED:
        _annotate(ax, values, m, mesh, cell)
    _label_cells(ax, tournament.strategies, cell)
    colour_bar(ax, mesh, m.axis)
    note = f"\nhatched: the 95 % interval includes {neutral:g}" if hatched else ""
    ax.set_title(f"{m.axis[:1].upper()}{m.axis[1:]}, row against column{note}", fontsize=9)
    return ax if given else fitted(ax, cell * n, cell * n)


def _cell_side(strategies: Sequence[str]) -> float:
    """Inches of a cell: large for few strategies, larger if only then their names go under the columns."""
    n, labels = len(strategies), short_labels(strategies)[0]
    side = min(max(6.2 / n, 0.38 if n <= MOST_ANNOTATED else 0.22), 1.0)
    return 1.5 if n <= 4 and not stacked(labels, side) and stacked(labels, 1.5) else side


def _hatch_neutral(ax: Axes, tournament: Tournament, measure: str, m: Measure) -> int:
    """Hatch the cells that cannot be told from neutral; how many there are."""
    from matplotlib.patches import Rectangle

    n, count = len(tournament.strategies), 0
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            e = tournament.estimate(i, j, measure)
            if math.isfinite(e.value) and e.low <= m.neutral <= e.high:
                inside = Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, fill=False, linewidth=0, edgecolor=FAINT, hatch=HATCH)
                inside.set_gid(f"neutral-{i}-{j}")
                ax.add_patch(inside)
                count += 1
    return count


def written(m: Measure, value: float) -> str:
    """A value in a cell."""
    return m.number_text(value + 0.0).replace("-", "−")


def _annotate(ax: Axes, values: Any, m: Measure, mesh: Any, cell: float) -> None:
    """Write each value into its cell, as large as fits, on a ground of the cell's colour that hatching does not cross."""
    texts = {(i, j): written(m, v / m.factor) for (i, j), v in cells_in(values) if math.isfinite(v)}
    longest = max((len(text) for text in texts.values()), default=1)
    size = min(9.0, 72 * cell * 0.86 / (0.64 * longest))
    for (i, j), text in texts.items():
        colour = mesh.cmap(mesh.norm(values[i, j]))
        write_on(ax, j + 0.5, i + 0.5, text, colour, size)


def _label_cells(ax: Axes, strategies: Sequence[str], cell: float) -> None:
    """Name rows and columns; columns by the number of their row if the names are long."""
    labels, common = short_labels(strategies)
    n, size = len(labels), min(TICK, 72 * cell * 0.75)
    ticks, lines = [k + 0.5 for k in range(n)], stacked(labels, cell)
    long = not lines and max(map(len, labels)) > LONG
    columns = lines or ([str(k + 1) for k in range(n)] if long else labels)
    rows = [f"{name}  {k + 1}" for k, name in enumerate(wrapped(labels))] if long else wrapped(labels)
    aslant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    turn: dict[str, Any] = {} if lines or long else aslant
    ax.set_xticks(ticks, columns, fontsize=size, **turn)
    ax.set_yticks(ticks, rows, fontsize=size)
    ax.set_xlim(0, n)
    ax.set_ylim(n, 0)
    ax.set_aspect("equal")
    ax.set_xlabel(f"opponent: {common}" if common else "opponent (number of its row)" if long else "opponent")
    ax.set_ylabel(f"strategy: {common}" if common else "strategy")
    ax.spines[:].set_visible(False)


@styled
def ranking(tournament: Tournament | Mixture, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """The field from the best down: means against all others, with their 95 % intervals.

    Parameters
    ----------
    tournament : Tournament or Mixture
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
        By default the criterion of the study.
    ax : matplotlib Axes, optional
    """
    table = tournament.ranking()
    measure = measure or tournament.criterion
    m = measure_of(measure, tournament.sided)
    table = table.sort_values(measure, ascending=False, kind="stable")
    labels, common = short_labels(list(table["strategy"]))
    n = len(table)
    given = ax is not None
    if ax is None:
        lines = 1 + max(label.count("\n") for label in wrapped(labels))
        ax = new_axes(5.6 + width_of(labels), max(2.0, 0.9 + max(0.3, 0.17 * lines) * n))
    at = list(range(n))
    values, low, high = (m.factor * table[f"{measure}{end}"].to_numpy() for end in ("", "_low", "_high"))
    reach = [values - low, high - values]
    bars = [[float(r) if math.isfinite(r) else 0.0 for r in side] for side in reach]
    if hasattr(tournament, "pairings") or measure == "points_per_hand":  # at a table of several no share or score is neutral
        ax.axvline(m.factor * m.neutral, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.errorbar(values, at, xerr=bars, fmt="o", color=BLUE, markersize=4.5, elinewidth=1.6, capsize=3.0, zorder=2)
    ax.set_yticks(at, wrapped(labels))
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_ylabel(common or "strategy")
    ax.set_xlabel(f"{m.axis}{', mean against all others' if hasattr(tournament, 'pairings') else ''} (95 % intervals)")
    ax.set_title(textwrap.fill(f"Ranking of {n} strategies by {m.label}, under {tournament.rules}", 80), fontsize=9)
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    return ax if given else settled(ax)
