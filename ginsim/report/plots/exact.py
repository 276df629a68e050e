"""Exact odds of deadwood."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ginsim.cards import format_hand
from ginsim.report.plots.style import FAINT, INK, PALETTE, new_axes, settled, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.exact.deadwood import ExactDeadwood

_MELDS = (FAINT, *PALETTE)
"""Colours by number of melds: grey for none."""


@styled
def deadwood_odds(result: ExactDeadwood, ax: Axes | None = None) -> Axes:
    """Share of hands by least deadwood, stacked by the number of melds; a line where a knock becomes possible."""
    given, axes = ax is not None, new_axes(6.8, 3.6) if ax is None else ax
    shares = 100 * result.counts / result.hands
    below = np.zeros(len(shares))
    for melds in range(shares.shape[1]):
        label = f"{melds or 'no'} meld{'' if melds == 1 else 's'} ({shares[:, melds].sum():.2g} %)"
        part, colour = shares[:, melds], _MELDS[melds]
        axes.bar(range(len(shares)), part, 1.0, below, color=colour, edgecolor="white", linewidth=0.3, label=label)
        below += part
    if result.knockable is not None:
        share = 100 * result.knockable / result.hands
        axes.axvline(result.rules.knock_limit + 0.5, color=INK, linewidth=1.0, linestyle="--")
        note = f"enough to knock: {share:.2g} %\ngin: {100 * result.gin / result.hands:.2g} %"
        place = (result.rules.knock_limit + 0.5, 1)
        axes.annotate(note, place, (5, -2), ("data", "axes fraction"), "offset points", va="top", fontsize=8)
    after = " after the best discard" if result.discard else ""
    cards = "".join(
        f" {word} {format_hand(cards)}" for word, cards in (("with", result.holding), ("without", result.without)) if cards
    )
    axes.set_title(f"All {result.hands:,} hands of {result.cards} cards{cards}, {result.rules}: mean {float(result.mean):.2f}")
    axes.set_xlabel(f"least deadwood{after} (points)")
    axes.set_ylabel("share of hands (%)")
    axes.set_xlim(-0.7, len(shares) - 0.3)
    axes.set_ylim(0, 1.08 * below.max())
    axes.grid(axis="y")
    axes.legend(loc="upper right", fontsize=8)
    return axes if given else settled(axes)
