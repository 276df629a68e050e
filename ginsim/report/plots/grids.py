"""Players on common decks: gauntlets, sweeps over one or two parameters, effects of factors."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError
from ginsim.report.games import rule_label
from ginsim.report.plots.field import measure_of, written
from ginsim.report.plots.names import height_of, value_labels, width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    DIVERGING,
    GREY,
    HATCH,
    ORANGE,
    axes_on,
    cells_in,
    cells_on,
    colour_bar,
    colour_of,
    dots,
    fitted,
    settled,
    styled,
    title_and_legend,
    write_on,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.inference.estimates import Estimate
    from ginsim.inference.measures import Measure
    from ginsim.study.grid import Factorial, Grid, Sweep

__all__ = ["against", "cells", "factorial_effects", "sweep_curve", "sweep_map"]


@styled
def cells(grid: Grid, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """Every player of a grid from the best down, with 95 % intervals.

    Hollow: on the same decks it cannot be told from the best (by the criterion).

    Parameters
    ----------
    grid : Gauntlet, Sweep or Factorial
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
        By default the criterion of the study.
    ax : matplotlib Axes, optional
    """
    measure = measure or grid.criterion
    m = measure_of(measure, grid.sided)
    order, like = list(grid.best_of), set(grid.like_best())
    names, common = value_labels(list(grid.labels())) if len(grid.axes) == 1 else (grid.labels(), "")
    labels = wrapped([names[k] for k in order])
    ax, given = axes_on(ax, 5.6 + width_of(labels), max(2.0, 1.1 + height_of(labels)))
    found = {at: grid.estimate(k, measure) for at, k in enumerate(order)}
    ax.axvline(m.factor * m.neutral, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    for full in (False, True):
        rows = {at: _scaled(m, e) for at, e in found.items() if (order[at] not in like) == full}
        dots(ax, rows, BLUE, "o", full)
    ax.set_yticks(range(len(order)), labels)
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_ylabel(common or ", ".join(name for name, _ in grid.axes))
    ax.set_xlabel(f"{m.axis}, mean over the opponents (95 % intervals)")
    best = "the best under the same rules" if len(grid.by_rules) > 1 else "the best"
    note = f"; hollow: not told from {best}" if like else ""
    ax.set_title(textwrap.fill(f"Against {against(grid)}, under {grid.rules}{note}", 90), fontsize=9)
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    return ax if given else settled(ax)


def against(grid: Grid) -> str:
    """The opponents, or how many they are."""
    return ", ".join(grid.opponents) if len(grid.opponents) <= 3 else f"{len(grid.opponents)} opponents"


@styled
def sweep_curve(sweep: Sweep, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """A figure over one parameter: the mean over the opponents with the band of its 95 % intervals, and each opponent.

    Parameters
    ----------
    sweep : Sweep
        Over one parameter.
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
        By default the criterion of the study.
    ax : matplotlib Axes, optional
    """
    measure = measure or sweep.criterion
    m = measure_of(measure, sweep.sided)
    if len(sweep.axes) != 1:
        raise InputError(f"sweep: over {len(sweep.axes)} parameters; a curve is over one (see sweep_map)")
    (name, values), *_ = sweep.axes
    at = _places(values)
    ax, given = axes_on(ax, 6.6, 4.0)
    means = [sweep.estimate(k, measure) for k in range(len(values))]
    ax.axhline(m.factor * m.neutral, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.fill_between(at, *_bounds(m, means), color=BLUE, alpha=0.2, linewidth=0, label="95 % intervals")
    if len(sweep.opponents) > 1:
        for j, opponent in enumerate(sweep.opponents):
            own: list[Estimate] = [getattr(sweep.cells[k, j], measure) for k in range(len(values))]
            colour = colour_of(j, len(sweep.opponents)) if len(sweep.opponents) > 6 else colour_of(j + 1, 7)
            ax.plot(at, [m.factor * e.value for e in own], ":", color=colour, linewidth=1.2, label=f"against {opponent}")
    label = "mean over the opponents" if len(sweep.opponents) > 1 else f"against {sweep.opponents[0]}"
    ax.plot(at, [m.factor * e.value for e in means], "o-", color=BLUE, markersize=4, linewidth=1.4, label=label, zorder=3)
    best = sweep.order()[0]
    if measure == sweep.criterion and len(sweep.by_rules) == 1:
        top = m.factor * means[best].value
        ax.plot([at[best]], [top], "D", color=ORANGE, markersize=6, zorder=4, label=f"best: {values[best]}")
    if at == [float(k) for k in range(len(values))] and not _numeric(values):
        ax.set_xticks(at, wrapped(values))
    elif len(values) <= 16:
        ax.set_xticks(at, values)
    ax.set_xlabel(_axis_label(name))
    ax.set_ylabel(m.axis)
    ax.grid(axis="y")
    title_and_legend(ax, textwrap.fill(f"{sweep.base} over {name}, under {sweep.rules}", 80), given)
    return ax if given else settled(ax)


def _scaled(m: Measure, e: Estimate) -> tuple[float, float, float]:
    """Value, low and high as they are drawn."""
    return m.factor * e.value, m.factor * e.low, m.factor * e.high


def _bounds(m: Measure, estimates: list[Estimate]) -> tuple[list[float], list[float]]:
    """Lower and upper ends; the value itself where they are unknown."""
    found = [_scaled(m, e) for e in estimates]
    low, high = ([own[end] if math.isfinite(own[end]) else own[0] for own in found] for end in (1, 2))
    return low, high


def _numeric(values: tuple[str, ...]) -> bool:
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return False
    return all(map(math.isfinite, numbers))


def _places(values: tuple[str, ...]) -> list[float]:
    """Where values lie on an axis: at themselves if they are numbers, else one after the other."""
    return [float(value) for value in values] if _numeric(values) else [float(k) for k in range(len(values))]


def _axis_label(name: str) -> str:
    """The parameter, with its unit if it is a field of the rules."""
    field = name.removeprefix("rules.")
    return rule_label(field) if field != name else name


@styled
def sweep_map(sweep: Sweep, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """A figure over two parameters; the best cell (under each set of rules) is framed, hatched ones are not told from it.

    Parameters
    ----------
    sweep : Sweep
        Over two parameters.
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
        By default the criterion of the study.
    ax : matplotlib Axes, optional
    """
    from matplotlib.patches import Rectangle

    measure = measure or sweep.criterion
    m = measure_of(measure, sweep.sided)
    if len(sweep.axes) != 2:
        raise InputError(f"sweep: over {len(sweep.axes)} parameter; a map is over two (see sweep_curve)")
    (down, rows), (across, columns) = sweep.axes
    wide, high = len(columns), len(rows)
    found = [[m.factor * sweep.estimate(r * wide + c, measure).value for c in range(wide)] for r in range(high)]
    size = min(max(6.2 / max(len(rows), len(columns)), 0.38), 0.9)
    ax, given = cells_on(ax, size * wide, size * high)
    neutral = m.factor * m.neutral
    reach = max((abs(v - neutral) for row in found for v in row if math.isfinite(v)), default=0.0) or 1.0
    mesh: Any = ax.pcolormesh(
        found, cmap=DIVERGING, vmin=neutral - reach, vmax=neutral + reach, edgecolors="white", linewidth=0.8
    )
    like = sweep.like_best()
    for k in like:
        r, c = divmod(k, len(columns))
        hatched: dict[str, Any] = {"fill": False, "linewidth": 0, "edgecolor": GREY, "hatch": HATCH, "gid": f"like-{k}"}
        ax.add_patch(Rectangle((c + 0.03, r + 0.03), 0.94, 0.94, **hatched))
    texts = {place: written(m, v / m.factor) for place, v in cells_in(found) if math.isfinite(v)}
    font = min(9.0, 72 * size * 0.86 / (0.64 * max(map(len, texts.values()), default=1)))
    for (r, c), text in texts.items() if font >= 4.5 else ():
        write_on(ax, c + 0.5, r + 0.5, text, mesh.cmap(mesh.norm(found[r][c])), font)
    for best in dict.fromkeys(sweep.best_of.values()):
        r, c = divmod(best, len(columns))
        ax.add_patch(Rectangle((c, r), 1, 1, fill=False, linewidth=2.2, edgecolor=ORANGE, zorder=5, gid="best", clip_on=False))
    ax.set_xticks([k + 0.5 for k in range(len(columns))], wrapped(columns))
    ax.set_yticks([k + 0.5 for k in range(len(rows))], wrapped(rows))
    ax.set_xlim(0, len(columns))
    ax.set_ylim(0, len(rows))
    ax.set_aspect("equal")
    ax.set_xlabel(_axis_label(across))
    ax.set_ylabel(_axis_label(down))
    ax.spines[:].set_visible(False)
    colour_bar(ax, mesh, m.axis)
    framed = "the best under each set of rules" if len(sweep.by_rules) > 1 else "the best"
    note = f"\nframed: {framed}{'; hatched: not told from it' if like else ''}"
    ax.set_title(f"{m.axis[:1].upper()}{m.axis[1:]} against {against(sweep)}{note}", fontsize=9)
    return ax if given else fitted(ax, size * len(columns), size * len(rows))


@styled
def factorial_effects(grid: Factorial, ax: Axes | None = None) -> Axes:
    """Main effects of the levels of each factor and interactions of two that are clear, with 95 % intervals.

    Hollow: not clear after Holm's correction for all effects.
    """
    table = grid.effects()
    shown: list[Any] = [row for row in table.itertuples() if row.order == 1 or (row.order == 2 and row.clear)]
    labels = wrapped([f"{row.term}: {row.level}" for row in shown])
    ax, given = axes_on(ax, 5.6 + width_of(labels), max(2.0, 1.1 + height_of(labels)))
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    mains = len([row for row in shown if row.order == 1])
    for colour, inside in ((BLUE, range(mains)), (ORANGE, range(mains, len(shown)))):
        for full in (False, True):
            rows = {at: (shown[at].effect, shown[at].low, shown[at].high) for at in inside if shown[at].clear == full}
            dots(ax, rows, colour, "o" if colour == BLUE else "s", full)
    if mains < len(shown):
        ax.axhline(mains - 0.5, color=GREY, linewidth=0.6)
    ax.set_yticks(range(len(shown)), labels)
    ax.set_ylim(len(shown) - 0.4, -0.6)
    ax.set_ylabel("factor: level")
    ax.set_xlabel("effect in points per hand (95 % intervals; hollow: not clear among so many)")
    more = "; below the line: interactions of two that are clear" if mains < len(shown) else ""
    ax.set_title(textwrap.fill(f"Main effects against {against(grid)}, under {grid.rules}{more}", 90), fontsize=9)
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    return ax if given else settled(ax)
