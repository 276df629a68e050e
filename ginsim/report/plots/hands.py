"""How hands end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginsim.report.plots.names import short_labels
from ginsim.report.plots.style import BLUE, GREY, ORANGE, axes_on, legend_above, settled, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.compare import Comparison

_SIDES = ((BLUE, "", -0.2), (ORANGE, "///", 0.2), (GREY, "\\\\\\", 0.0))
"""Colour, hatch and place of the bars of the first strategy, the second and nobody."""


@styled
def endings(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """How the hands ended and who won them, in per cent of all hands."""
    table = comparison.endings()
    table = table[table["winner"] != "either"]
    kinds = list(dict.fromkeys(table["ending"]))
    names = (comparison.a, comparison.b) if comparison.a != comparison.b else _sides(comparison)
    ax, given = axes_on(ax, 6.4, 1.7 + 0.55 * max(len(kinds), 1))
    for winner, who, (colour, hatch, offset) in zip((*names, "nobody"), (*_sides(comparison), "nobody"), _SIDES, strict=True):
        rows = table[table["winner"] == winner]
        places = [kinds.index(kind) + offset for kind in rows["ending"]]
        shares = (100 * rows["share"]).tolist()
        if shares:
            ax.barh(places, shares, 0.38, color=colour, hatch=hatch, edgecolor="white", linewidth=0, label=f"won by {who}")
        for place, share in zip(places, shares, strict=True):
            ax.annotate(f"{share:.1f}", (share, place), (3, 0), textcoords="offset points", va="center", fontsize=8)
    ax.set_yticks(range(len(kinds)), [kind.replace("_", " ") for kind in kinds])
    ax.set_ylim(len(kinds) - 0.45, -0.55)
    ax.set_xlim(0, 110 * table["share"].max() if kinds else 1)
    ax.set_xlabel("share of all hands (%)")
    ax.set_ylabel("ending")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    if kinds:
        legend_above(ax, 3)
    return ax if given else settled(ax)


def _sides(comparison: Comparison) -> tuple[str, str]:
    """Names of the two players, told apart even if both play the same strategy."""
    if comparison.a == comparison.b:
        return f"{comparison.a} (first)", f"{comparison.b} (second)"
    (first, second), _ = short_labels([comparison.a, comparison.b])
    return first, second
