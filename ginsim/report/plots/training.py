"""Players that are trained: how one got better, what its nets bring, what it does otherwise, what responders win."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

from ginsim.games.gin.learned.layout import NETS
from ginsim.report.plots.names import width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    GREY,
    MARKERS,
    ORANGE,
    PALETTE,
    axes_on,
    colour_of,
    new_axes,
    settled,
    styled,
    title_and_legend,
)
from ginsim.training.habits import DEADWOOD, HABITS, TURNS, VALUES, share_in
from ginsim.training.train import PLAIN, TRAINED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from ginsim.inference.estimates import Estimate
    from ginsim.training.exploit import Exploitability
    from ginsim.training.train import Training

__all__ = ["exploitability", "habits", "nets", "training_course"]


def _reach(found: Sequence[Estimate]) -> tuple[np.ndarray, np.ndarray]:
    """Values in per cent, and how far their intervals reach."""
    values, low, high = (100 * np.array([getattr(e, end) for e in found], float) for end in ("value", "low", "high"))
    return values, np.array([values - low, high - values])


@styled
def training_course(result: Training, ax: Axes | None = None) -> Axes:
    """Games won after each iteration, against each opponent, with 95 % intervals.

    Parameters
    ----------
    result : Training
    ax : Axes, optional
        To draw on; a new figure unless it is given.
    """
    ax, given = axes_on(ax, 6.0, 3.6)
    opponents = result.judges
    steps = np.arange(1, 1 + len(result.iterations))
    for i, opponent in enumerate(opponents):
        values, reach = _reach([result.won(opponent, k) for k in range(len(steps))])
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


@styled
def nets(result: Training, ax: Axes | None = None) -> Axes:
    """Games won with all nets, and with each of them replaced by looking ahead, against each opponent, with 95 % intervals."""
    opponents, names = wrapped(result.judges), ("", *NETS)
    ax, given = axes_on(ax, 5.2 + width_of(opponents), 1.2 + 0.75 * len(opponents))
    for i, net in enumerate(names):
        values, reach = _reach([result.games_won(opponent, net) for opponent in result.judges])
        at = np.arange(len(opponents)) + 0.17 * (i - 1.5)
        ax.errorbar(
            values, at, xerr=reach, fmt=MARKERS[i], color=PALETTE[i], markersize=4.5, elinewidth=1.4, capsize=2.5,
            label=f"without the {net} net" if net else "all nets",
        )  # fmt: skip
    ax.axvline(50, color=GREY, linewidth=0.8, linestyle=":")
    ax.set_yticks(range(len(opponents)), [f"against {name}" for name in opponents])
    ax.set_ylim(len(opponents) - 0.45, -0.55)
    ax.set_xlabel("games won (%), with 95 % intervals")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    title_and_legend(ax, f"What each net brings, under {result.rules}", given)
    return ax if given else settled(ax)


SHOWN = (
    *(("knock", part, f"knocks with {part}") for part in DEADWOOD.values()),
    *(("take", part, f"takes the upcard {part}") for part in HABITS["take"].values()),
    *(("throw", part, f"throws {part}") for part in VALUES.values()),
)
"""Rows of the picture of habits."""


@styled
def habits(result: Training, ax: Axes | None = None) -> Axes:
    """How often the player knocks, takes upcards and throws what, by own turn (columns); rings: simple.

    In each column a share runs from the left edge, nothing, to the right edge, always.
    """
    turns = list(TURNS.values())
    ax, given = axes_on(ax, 8.4, 4.2)
    for row, (habit, part, _) in enumerate(SHOWN):
        for column, turn in enumerate(turns):
            for name, colour in ((PLAIN, ORANGE), (TRAINED, BLUE)):
                n, e = share_in(result.habits[name], (habit, turn, part))
                if n:
                    _dot(ax, column, row, e, colour, filled=name == TRAINED)
    for column in range(len(turns)):
        ax.axvspan(column + 0.06, column + 0.94, color="#F3F3F3", zorder=0, linewidth=0)
    for edge in (len(DEADWOOD), len(DEADWOOD) + 2):
        ax.axhline(edge - 0.5, color=GREY, linewidth=0.6)
    ax.set_yticks(range(len(SHOWN)), [label for *_, label in SHOWN])
    ax.set_ylim(len(SHOWN) - 0.4, -0.6)
    ax.set_xlim(0, len(turns))
    ends = [at for column in range(len(turns)) for at in (column + 0.1, column + 0.5, column + 0.9)]
    ax.set_xticks(ends, [text for turn in turns for text in ("0", f"50 %\nturns {turn}", "100")], fontsize=7.5)
    for spine in ("left", "bottom"):
        ax.spines[spine].set_visible(False)
    for name, colour in ((TRAINED, BLUE), (PLAIN, ORANGE)):
        ax.plot([], [], "o", color=colour, markerfacecolor=colour if name == TRAINED else "white", label=name)
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, fontsize=8)
    ax.set_title(f"What the player does, by own turn, under {result.rules}", fontsize=9, pad=22)
    return ax if given else settled(ax)


def _dot(ax: Axes, column: int, row: int, e: Estimate, colour: str, filled: bool) -> None:
    """A share with its interval in its place."""
    at, low, high = (column + 0.1 + 0.8 * x for x in (e.value, e.low, e.high))
    ax.plot([low, high], [row, row], color=colour, linewidth=1.2, zorder=2)
    ax.plot([at], [row], "o", color=colour, markersize=5, markerfacecolor=colour if filled else "white", zorder=3)


@styled
def exploitability(result: Exploitability, ax: Axes | None = None) -> Axes:
    """Games won by a responder to each strategy, from the hardest to beat down, with 95 % intervals; a colour for each rules.

    Parameters
    ----------
    result : Exploitability
    ax : matplotlib Axes, optional
    """
    by_most = {name: max(result.found[i, j].games_won.value for i in range(len(result.rules)))
               for j, name in enumerate(result.strategies)}  # fmt: skip
    order = sorted(range(len(result.strategies)), key=lambda j: by_most[result.strategies[j]])
    labels = wrapped([result.strategies[j] for j in order])
    n, several = len(labels), len(result.rules)
    given = ax is not None
    if ax is None:
        lines = 1 + max(label.count("\n") for label in labels)
        ax = new_axes(5.6 + width_of(labels), max(2.0, 1.1 + max(0.32, 0.17 * lines) * n))
    for i, rules in enumerate(result.rules):
        values, reach = _reach([result.found[i, j].games_won for j in order])
        at = np.arange(n) + 0.16 * (i - (several - 1) / 2)
        ax.errorbar(
            values, at, xerr=np.where(np.isfinite(reach), reach, 0), fmt=MARKERS[i % len(MARKERS)], color=colour_of(i, several),
            markersize=4.5, elinewidth=1.6, capsize=3.0, label=rules,
        )  # fmt: skip
    ax.axvline(50, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.set_yticks(range(n), labels)
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_xlabel("games won by a responder (%), at least; 95 % intervals")
    title = "What each strategy gives away to a trained responder" + (f", under {result.rules[0]}" if several == 1 else "")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    if several > 1:
        title_and_legend(ax, title, given)
    else:
        ax.set_title(textwrap.fill(title, 80), fontsize=9)
    return ax if given else settled(ax)
