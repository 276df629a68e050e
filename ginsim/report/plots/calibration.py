"""How well chances agree with what came out."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from ginsim.report.plots.names import short_labels
from ginsim.report.plots.style import GREY, MARKERS, axes_on, colour_of, settled, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.calibration import Calibration


@styled
def calibration(result: Calibration, ax: Axes | None = None) -> Axes:
    """Share of the cards that was held against the chance predicted; on a figure of its own, also how many cards there were."""
    table, names = result.table(), list(result.opponents)
    labels = short_labels(names)[0] if len(names) > 1 else names
    ax, given = axes_on(ax, 5.6, 6.2)
    below = None if given else ax.inset_axes((0, -0.34, 1, 0.26), sharex=ax)
    most = 100 * min(1.01, 0.05 + table[["predicted", "held"]].to_numpy().max())
    width = 100 * (table["chance_to"] - table["chance_from"]).max()
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    for k, (name, label) in enumerate(zip(names, labels, strict=True)):
        own, colour = table[table["opponent"] == name], colour_of(k, len(names))
        held, low, high = (100 * own[column] for column in ("held", "held_low", "held_high"))
        ax.errorbar(
            100 * own["predicted"], held, yerr=[held - low, high - held], color=colour, marker=MARKERS[k % len(MARKERS)],
            markersize=4.5, linewidth=1.1, elinewidth=1.2, capsize=2.5, label=label,
        )  # fmt: skip
        if below is not None:
            bar = 0.84 * width / len(names)
            middle = 100 * own["chance_from"] + 0.08 * width + bar * (k + 0.5)
            below.bar(middle, 100 * own["cards"] / own["cards"].sum(), bar, color=colour, linewidth=0)
    ax.set_xlim(0, most)
    ax.set_ylim(0, most)
    ax.set_aspect("equal")
    ax.grid(axis="both")
    ax.set_ylabel("cards that the opponent held (%; 95 % intervals)")
    last = ax if below is None else below
    last.set_xlabel("predicted chance that the opponent holds the card (%)")
    if below is not None:
        ax.tick_params(labelbottom=False)
        below.set_ylabel("cards looked at (%)")
        below.grid(axis="y")
    ax.legend(loc="upper left", title="opponent", title_fontsize=8.5, fontsize=8.5, alignment="left")
    title = f"As {result.watcher} sees it; {result.hand_count:,} hands, {result.rules}; dashed: as predicted"
    ax.set_title(textwrap.fill(title, 66), fontsize=9)
    return ax if given else settled(ax)
