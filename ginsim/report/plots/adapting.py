"""What rules change before players adapt their knock to them, and after; and maps of what is best over two rules."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ginsim.errors import InputError, suggest
from ginsim.report.games import rule_label
from ginsim.report.plots.effects import label_rules
from ginsim.report.plots.names import height_of, variant_labels, width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    DIVERGING,
    GREY,
    ORANGE,
    PALETTE,
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
from ginsim.training.retraining import STAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ginsim.inference.measures import Measure
    from ginsim.study.adaptation import Adaptation
    from ginsim.training.retraining import Retraining

__all__ = ["adapting", "adapting_map", "retrained"]

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

    def level(name: str) -> str:
        return level_text(name, result.level(0, name).value)

    stages = {BEFORE: (ORANGE, "s", False), AFTER: (BLUE, "o", True)}
    said = "before the knock adapts (hollow) and after (full)"
    return _changes(result, {name: MEASURES[name] for name in SHOWN}, level, stages, said, ax)


@styled
def retrained(result: Retraining, ax: Axes | None = None) -> Axes:
    """What each variant changes against the base, before players adapt, with the knock and with all play adapted.

    Parameters
    ----------
    result : Retraining
    ax : matplotlib Axes, optional
        Only the first measure is drawn on it.
    """
    shown = {name: result.measured(name) for name in result.foremost}

    def level(name: str) -> str:
        return shown[name].value_text(result.level(0, name))

    stages = dict(zip(STAGES, ((ORANGE, "s", False), (PALETTE[2], "D", False), (BLUE, "o", True)), strict=True))
    said = "before players adapt (squares), with the knock adapted (diamonds) and with all play adapted (full)"
    return _changes(result, shown, level, stages, said, ax)


Drawn = tuple[str, str, bool]
"""Colour, marker, and whether it is filled."""


def _changes(
    result: Any,
    shown: Mapping[str, Measure],
    level: Callable[[str], str],
    stages: Mapping[str, Drawn],
    said: str,
    ax: Axes | None,
) -> Axes:
    """A panel for each measure, a row for each variant, a dot for each stage of adapting."""
    rules = range(1, 1 + len(result.variants))
    order = sorted(rules, key=lambda rule: -result.change(rule, next(iter(shown))).value)
    names = variant_labels(result.base, result.variants)
    labels = wrapped([names[rule - 1] for rule in order])
    given, title = ax is not None, f"Change against {result.base}"
    panels = [ax] if ax else new_panels(1.7 * len(shown) + 0.4 + width_of(labels), 1.5 * height_of(labels) + 1.7, len(shown))
    for panel, (name, measure) in zip(panels, shown.items(), strict=False):
        panel.axvline(0, color=GREY, linewidth=1.0, zorder=1)
        for offset, (when, drawn) in zip(np.linspace(-0.08, 0.08, len(stages)) * len(stages), stages.items(), strict=True):
            found = {at + offset: result.change(rule, name, when) for at, rule in enumerate(order)}
            rows = {at: [measure.factor * x for x in (e.value, e.low, e.high)] for at, e in found.items()}
            dots(panel, cast(Any, rows), *drawn, 4.0)
        head = f"{textwrap.fill(measure.label, HEAD)}\n(base {level(name)})"
        panel.set_title(f"{title}: {head}" if given else head, fontsize=8)
        panel.set_xlabel(measure.change_unit, fontsize=8)
        panel.grid(axis="x")
        panel.locator_params(axis="x", nbins=4)
    label_rules(panels, labels)
    if given:
        return panels[0]
    head = f"{title}, {said}, with 95 % intervals"
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
