"""Pictures of what is concluded: ratings, the mixture nothing beats, the course of a sequential test, odds by score."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING

from ginsim.inference.sequential import points_text
from ginsim.report.figures import SHARE
from ginsim.report.plots.names import short_labels, width_of, wrapped
from ginsim.report.plots.style import (
    BLACK,
    BLUE,
    DIVERGING,
    GREY,
    MARKERS,
    PALETTE,
    axes_on,
    cells_on,
    colour_bar,
    dots,
    fitted,
    legend_above,
    new_axes,
    settled,
    styled,
)  # fmt: skip
from ginsim.study.measures import COMPARED

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.inference.nash import Nash
    from ginsim.inference.ratings import Ratings
    from ginsim.study.compare import Comparison
    from ginsim.study.coverage import Coverage
    from ginsim.study.error_rates import ErrorRates
    from ginsim.study.odds import Odds


def _rows(count: int, labels: list[str]) -> Axes:
    """Axes with a row for each strategy."""
    lines = 1 + max(label.count("\n") for label in wrapped(labels))
    return new_axes(5.6 + width_of(labels), max(2.0, 0.9 + max(0.3, 0.17 * lines) * count))


def _name_rows(ax: Axes, labels: list[str], common: str) -> None:
    ax.set_yticks(range(len(labels)), wrapped(labels))
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_ylabel(common or "strategy")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)


@styled
def ratings(result: Ratings, ax: Axes | None = None) -> Axes:
    """Elo ratings from the best down, with their 95 % intervals."""
    table = result.table()
    labels, common = short_labels(list(table["strategy"]))
    given = ax is not None
    if ax is None:
        ax = _rows(len(table), labels)
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    figures = table[["elo", "low", "high"]].to_numpy(dtype=float)
    dots(ax, dict(enumerate(figures)), BLUE, "o", True)
    _name_rows(ax, labels, common)
    ax.set_xlabel(f"Elo points above the mean of the field, from {result.of} won (95 % intervals)")
    return ax if given else settled(ax)


@styled
def nash(result: Nash, ax: Axes | None = None) -> Axes:
    """Shares of the mixture that nothing in the field beats, with the range that sampling errors leave."""
    table = result.table()
    labels, common = short_labels(list(table["strategy"]))
    given = ax is not None
    if ax is None:
        ax = _rows(len(table), labels)
    shares, lows, highs = (100 * table[name].to_numpy() for name in ("share", "low", "high"))
    ax.barh(range(len(table)), shares, 0.6, color=BLUE, alpha=0.75, linewidth=0)
    for i, (low, high) in enumerate(zip(lows, highs, strict=True)):
        if high > low:
            ax.plot([low, high], [i, i], color=BLACK, linewidth=1.4, marker="|", markersize=6)
    _name_rows(ax, labels, common)
    ax.set_xlim(0, 102)
    ax.set_xlabel(f"share in the mixture that nothing beats, by {COMPARED[result.measure].label} (%; 95 % intervals)")
    return ax if given else settled(ax)


@styled
def looks(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """The evidence that a sequential test has at its looks, and how much it asks for."""
    course = comparison.sequential
    assert course is not None
    (first, second), _ = short_labels([comparison.a, comparison.b]) if comparison.a != comparison.b else (["first", "second"], "")
    size, sides = points_text(course.test.points), course.test.sides
    names = [f"{first} is better", f"{second} is better", f"neither is better by {size}"]
    if sides == 1:
        names = [names[0], "", f"{first} is not better by {size}"]
    enough = [math.exp(bound) for bound in course.test.bounds]
    ax, given = axes_on(ax, 6.4, 3.4)
    at = [2 * look.pairs for look in course.looks]
    low, high = 1e-3, 30 * max(enough)
    evidence = zip(*(look.evidence(sides) for look in course.looks), strict=True)
    for k, (name, values) in enumerate(zip(names, evidence, strict=True)):
        if name:
            shown = [min(max(math.exp(min(value, 50.0)), low), high) for value in values]
            colour, marker = PALETTE[k], MARKERS[k]
            ax.plot(at, shown, color=colour, marker=marker, markersize=3.5, linewidth=1.2, label=textwrap.fill(name, 60))
    for bound, text in zip(enough, ("enough for: not better", "enough for: better"), strict=True):
        ax.axhline(bound, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
        below = bound == min(enough) != max(enough)
        ax.annotate(
            text, (0, bound), (4, -2 if below else 2), xycoords=("axes fraction", "data"), textcoords="offset points", size=8,
            va="top" if below else "bottom",
        )  # fmt: skip
    ax.set_yscale("log")
    ax.set_ylim(low / 1.3, high * 1.3)
    ax.yaxis.set_major_formatter(lambda y, _: f"{y:g} to 1")
    ax.set_xlabel("hands played")
    ax.set_ylabel("evidence")
    ax.grid(axis="y")
    legend_above(ax, 1, handlelength=2.0)
    return ax if given else settled(ax)


@styled
def score_map(odds: Odds, ax: Axes | None = None) -> Axes:
    """Chance of the first strategy to win the game from every score, either player starting as often."""
    (first, second), _ = short_labels([odds.a, odds.b]) if odds.a != odds.b else (["own", "other"], "")
    chances = 100 * odds.chances.mean(axis=2)
    target, side = len(chances), 4.4
    ax, given = cells_on(ax, side, side)
    mesh = ax.imshow(
        chances.T, origin="lower", cmap=DIVERGING, vmin=0, vmax=100, extent=(-0.5, target - 0.5, -0.5, target - 0.5),
        interpolation="nearest",
    )  # fmt: skip
    lines = ax.contour(range(target), range(target), chances.T, levels=range(10, 100, 10), colors=BLACK, linewidths=0.7)
    ax.clabel(lines, fmt="%d %%", fontsize=8)
    ax.plot([0], [0], marker="o", color=BLACK, markersize=5, clip_on=False)
    ax.set_xlabel(textwrap.fill(f"points of {first}", 50))
    ax.set_ylabel(textwrap.fill(f"points of {second}", 50))
    colour_bar(ax, mesh, f"chance that {first} wins the game (%)")
    title = f"{SHARE.text(odds.start)} at the start (95 % interval), {odds.rules}"
    widest = 100 * odds.widest
    ax.set_title(f"{textwrap.fill(title, 70)}\nany score: within {widest:.2f} percentage points (95 %)", fontsize=9)
    return ax if given else fitted(ax, side, side)


@styled
def error_rates(rates: ErrorRates, ax: Axes | None = None) -> Axes:
    """How often each test finds a difference, by the true difference, with 95 % intervals.

    With several shares of pairs that differ: the sequential test at each, by the difference as a multiple of the one tested for.
    """
    table, several = rates.table(), len(rates.shares) > 1
    x, series = "difference", []
    if several:
        x = "sizes"
        table[x] = table["difference"] / (table["differing"] * rates.test.points)
        series = [("decided", f"{100 * s:g} % of the pairs differ", table[table["differing"] == s]) for s in rates.shares]
    else:
        names = {"decided": "sequential test", "peeked": "plain interval at every look", "fixed": "test of fixed size"}
        names |= {"controlled": "the same, luck taken out"} if rates.control else {}
        series = [(name, label, table) for name, label in names.items()]
    ax, given = axes_on(ax, 6.4, 3.8)
    spread = (table[x].max() - table[x].min() or 1.0) / 120
    for k, (name, label, own) in enumerate(series):
        at = own[x] + spread * (k - (len(series) - 1) / 2)
        shares, low, high = (100 * own[column] for column in (name, f"{name}_low", f"{name}_high"))
        ax.errorbar(
            at, shares, yerr=[shares - low, high - shares], fmt=MARKERS[k % len(MARKERS)],
            linestyle=("-", ":", "--", "-.")[k % 4], color=PALETTE[k % len(PALETTE)], markersize=4.5, linewidth=1.1,
            elinewidth=1.2, capsize=2.5, label=label,
        )  # fmt: skip
    for level in (rates.test.alpha, 1 - rates.test.beta):
        ax.axhline(100 * level, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.set_ylim(-3, 103)
    ax.set_xlabel("true difference (as a multiple of the one tested for)" if several else "true difference (points per hand)")
    ax.set_ylabel("comparisons in which a\ndifference is found (%)")
    ax.grid(axis="y")
    ax.legend(loc="center right", fontsize=8.5)
    at_size = "" if several else f" at {rates.test.points:g}"
    ax.set_title(
        f"{rates.comparisons:,} comparisons; dashed: alpha {100 * rates.test.alpha:g} %, "
        f"power {100 * (1 - rates.test.beta):g} %{at_size}", fontsize=9,
    )  # fmt: skip
    return ax if given else settled(ax)


@styled
def coverage(result: Coverage, ax: Axes | None = None) -> Axes:
    """How often 95 % intervals contain the true value, by the true share, each with its own interval."""
    from ginsim.study.coverage import FIGURES

    table = result.table()
    ax, given = axes_on(ax, 6.8, 4.0)
    for k, (figure, words) in enumerate(FIGURES.items()):
        own = table[table["figure"] == figure]
        at = [i + 0.13 * (k - (len(FIGURES) - 1) / 2) for i in range(len(own))]
        held, low, high = (100 * own[name].to_numpy() for name in ("held", "held_low", "held_high"))
        ax.errorbar(
            at, held, yerr=[held - low, high - held], fmt=MARKERS[k], color=PALETTE[k], markersize=5, elinewidth=1.2,
            capsize=2.5, label=words,
        )  # fmt: skip
    ax.axhline(95, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.set_xticks(range(len(result.shares)), [f"{100 * share:g} %" for share in result.shares])
    ax.set_xlabel("true share")
    ax.set_ylabel("95 % intervals that\ncontain the true value (%)")
    ax.grid(axis="y")
    legend_above(ax, 2, handlelength=2.0, fontsize=8)
    return ax if given else settled(ax)
