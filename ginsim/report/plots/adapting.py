"""What rules change before players adapt their knock to them, and after; and maps of what is best over two rules."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, cast

from ginsim.errors import InputError, suggest
from ginsim.report.games import rule_label
from ginsim.report.plots.effects import label_rules
from ginsim.report.plots.names import height_of, variant_labels, width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    DIVERGING,
    GREY,
    ORANGE,
    cells_in,
    cells_on,
    colour_bar,
    dots,
    fitted,
    new_panels,
    settled,
    styled,
    write_on,
)
from ginsim.solving.adapting import AFTER, BEFORE
from ginsim.study.adaptation import MEASURES, level_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ginsim.study.adaptation import Adaptation

__all__ = ["adapting", "adapting_map"]

HEAD = 28
"""Characters in a line of the heading of a panel."""
SHOWN = ("knocked", "last", "gin", "undercut", "points", "value")


@styled
def adapting(result: Adaptation, ax: Axes | None = None) -> Axes:
    """What each variant changes against the base, before players adapt (hollow) and after (full), with 95 % intervals.

    Parameters
    ----------
    result : Adaptation
    ax : matplotlib Axes, optional
        Only the share of hands that end with a knock is drawn on it.
    """
    rules = range(1, 1 + len(result.variants))
    order = sorted(rules, key=lambda rule: -result.change(rule, SHOWN[0]).value)
    names = variant_labels(result.base, result.variants)
    labels = wrapped([names[rule - 1] for rule in order])
    given, title = ax is not None, f"Change against {result.base}"
    panels = [ax] if ax else new_panels(1.7 * len(SHOWN) + 0.4 + width_of(labels), 1.5 * height_of(labels) + 1.7, len(SHOWN))
    for panel, name in zip(panels, SHOWN, strict=False):
        measure = MEASURES[name]
        panel.axvline(0, color=GREY, linewidth=1.0, zorder=1)
        for when, colour, offset in ((BEFORE, ORANGE, -0.16), (AFTER, BLUE, 0.16)):
            found = {at + offset: result.change(rule, name, when) for at, rule in enumerate(order)}
            rows = {at: [measure.factor * x for x in (e.value, e.low, e.high)] for at, e in found.items()}
            dots(panel, cast(Any, rows), colour, "s" if when == BEFORE else "o", when == AFTER, 4.0)
        head = f"{textwrap.fill(measure.label, HEAD)}\n(base {level_text(name, result.level(0, name).value)})"
        panel.set_title(f"{title}: {head}" if given else head, fontsize=8)
        panel.set_xlabel(measure.change_unit, fontsize=8)
        panel.grid(axis="x")
        panel.locator_params(axis="x", nbins=4)
    label_rules(panels, labels)
    if given:
        return panels[0]
    head = f"{title}, before the knock adapts (hollow) and after (full), with 95 % intervals"
    cast("Figure", panels[0].figure).suptitle(head, x=0.01, ha="left", fontsize=10)
    return settled(panels[0], 2)


@styled
def adapting_map(result: Adaptation, measure: str = SHOWN[0], ax: Axes | None = None) -> Axes:
    """A measure over the plane of two rules, if both players knock as well as possible in each cell.

    Parameters
    ----------
    result : Adaptation
        Of a map.
    measure : str
        One of ``MEASURES``.
    ax : matplotlib Axes, optional
    """
    if not result.axes or measure not in MEASURES:
        raise InputError("map: these are variants, not a map" if not result.axes else f"measure: {suggest(measure, MEASURES)}")
    m, values = MEASURES[measure], result.plane(measure)
    rows, columns = values.shape
    cell = min(max(6.0 / max(rows, columns), 0.42), 0.8)
    ax, given = cells_on(ax, cell * columns, cell * rows)
    shown = m.factor * values
    reach = max(float(abs(shown).max()), 1e-9)
    scale: dict[str, Any] = {"cmap": DIVERGING, "vmin": -reach, "vmax": reach} if m.signed else {"cmap": "viridis"}
    mesh = ax.pcolormesh(shown, edgecolors="white", linewidth=0.6, **scale)
    texts = {place: f"{value:{'+z.2f' if m.signed else '.0f'}}".replace("-", "−") for place, value in cells_in(shown)}
    size = min(9.0, 72 * cell * 0.8 / (0.64 * max(map(len, texts.values()))))
    for (r, c), text in texts.items():
        write_on(ax, c + 0.5, r + 0.5, text, mesh.cmap(mesh.norm(shown[r, c])), size)
    for axis, (name, ticks) in zip((ax.xaxis, ax.yaxis), result.axes, strict=True):
        axis.set_ticks([k + 0.5 for k in range(len(ticks))], [str(value) for value in ticks])
        axis.set_label_text(rule_label(name))
    ax.set_xlim(0, columns)
    ax.set_ylim(0, rows)
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)
    colour_bar(ax, mesh, m.axis if m.is_share else f"{m.label} ({m.unit})")
    of = f"{m.label[:1].upper()}{m.label[1:]} under {result.base}"
    ax.set_title(f"{of},\nif both players knock as well as possible ({result.widest(measure)})", fontsize=9)
    return ax if given else fitted(ax, cell * columns, cell * rows)
