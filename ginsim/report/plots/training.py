"""How a player got better as it was trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ginsim.report.plots.style import GREY, MARKERS, axes_on, colour_of, settled, styled, title_and_legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.training.course import Trained

__all__ = ["training_course"]


@styled
def training_course(result: Trained, ax: Axes | None = None) -> Axes:
    """Games won after each iteration, against each opponent, with 95 % intervals.

    Parameters
    ----------
    result : Trained
    ax : Axes, optional
        To draw on; a new figure unless it is given.
    """
    ax, given = axes_on(ax, 6.0, 3.6)
    opponents = list(result.iterations[-1].won)
    steps = np.arange(1, 1 + len(result.iterations))
    for i, opponent in enumerate(opponents):
        found = [result.won(opponent, k) for k in range(len(steps))]
        values = 100 * np.array([e.value for e in found])
        reach = 100 * np.array([[e.value - e.low for e in found], [e.high - e.value for e in found]])
        aside = steps + 0.06 * (i - (len(opponents) - 1) / 2)
        ax.errorbar(
            aside, values, yerr=reach, color=colour_of(i, len(opponents)), marker=MARKERS[i % len(MARKERS)], markersize=4,
            linewidth=1.2, capsize=2, label=f"against {opponent}",
        )  # fmt: skip
    ax.axhline(50, color=GREY, linewidth=0.8, linestyle=":")
    ax.set_xticks(steps)
    ax.set_xlabel("iteration (play, fit, judge)")
    ax.set_ylabel("games won (%)")
    title_and_legend(ax, f"Games won under {result.rules} as the player learns", given)
    return ax if given else settled(ax)
