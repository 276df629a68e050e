"""What rules change: differences, the best strategy, the starter's share."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from ginsim.errors import InputError
from ginsim.report.plots.names import check_measure, height_of, short_labels, variant_labels, width_of
from ginsim.report.plots.style import (
    BLUE,
    GREY,
    INK,
    MARKERS,
    ORANGE,
    colour_of,
    dots,
    legend_above,
    new_axes,
    new_panels,
    settled,
    styled,
)  # fmt: skip
from ginsim.study.whoplays import gaps

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ginsim.inference.estimates import Estimate
    from ginsim.inference.measures import Measure
    from ginsim.study.effect import Effect


GAMES_SHOWN = ("game_points", "hands_per_game")
"""What is shown of games."""
APART = 0.6
"""How much of a row the marks of several strategies share."""
RULES_WRAP = 46
"""Characters after which the changes that make a variant are wrapped."""


@styled
def differences(effect: Effect, measures: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """What each variant changes against the base, with 95 % intervals; variants sorted by the first measure.

    Hollow grey marks: the interval includes zero. On a figure of its own, variants that change nothing at all are named
    below. Returns the first of the axes.

    Parameters
    ----------
    effect : Effect
    measures : sequence of str, optional
        Of ``effect.measures``; one panel each.
    ax : matplotlib Axes, optional
        Only the first measure is drawn on it.
    """
    game = effect.game
    names = list(effect.foremost if measures is None else measures)
    for name in names or [""]:
        check_measure(name, effect.measures)
    given, title = ax is not None, f"Change against {effect.base}"
    names = names[:1] if given else names
    found = {rule: [effect.difference(rule, name) for name in names] for rule in range(1, 1 + len(effect.variants))}
    still = [] if given else _without_change(effect, names)
    order = sorted((rule for rule in found if rule not in still), key=lambda rule: -found[rule][0].value)
    labels = _rule_labels(effect, order)
    if ax is None:
        panels = new_panels(1.8 * len(names) + 0.4 + width_of(labels), height_of(labels) + 1.6, len(names))
        figure = cast("Figure", panels[0].figure)
        figure.suptitle(f"{title}, with 95 % intervals (hollow: it includes no change)", x=0.01, ha="left", fontsize=10.5)
        _note_unchanged(figure, effect, still, "none of this is changed by")
    else:
        panels = [ax]
    for k, (panel, name) in enumerate(zip(panels, names, strict=True)):
        measure = game.effects[name]
        _draw_changes(panel, [found[rule][k] for rule in order], measure)
        head = f"{measure.label}\n(base {measure.value_text(effect.level(0, name))})"
        panel.set_title(f"{title}: {head}" if given else head, fontsize=9)
        panel.set_xlabel(f"change, {measure.change_unit}" if len(names) == 1 else measure.change_unit)
    label_rules(panels, labels)
    return panels[0] if given else settled(panels[0], 2)


def _without_change(effect: Effect, measures: Sequence[str]) -> list[int]:
    """The rules under which none of the measures came out otherwise on any deal; none if that holds for all."""
    rules = range(1, 1 + len(effect.variants))
    still = [rule for rule in rules if not any(effect.differed(rule, measure) for measure in measures)]
    return still if len(still) < len(rules) else []


def _note_unchanged(figure: Figure, effect: Effect, rules: Sequence[int], words: str) -> None:
    """Name the variants that are not drawn."""
    if rules:
        text = f"{words[:1].upper()}{words[1:]}: {'; '.join(_rule_labels(effect, rules))}."
        wide = textwrap.fill(text, int(12.5 * figure.get_figwidth()), break_long_words=False)
        figure.supxlabel(wide, x=0.01, ha="left", fontsize=8)


def _rule_labels(effect: Effect, rules: Iterable[int]) -> list[str]:
    """Names of the rules by number, 0 being the base; wrapped."""
    names = [f"{effect.base} (base)", *variant_labels(effect.base, effect.variants)]
    return [textwrap.fill(names[rule], RULES_WRAP, break_long_words=False) for rule in rules]


def _draw_changes(ax: Axes, changes: Sequence[Estimate], measure: Measure) -> None:
    """A line from zero to each difference, and its interval; what lies far outside the others is cut off and written."""
    scaled = [[measure.factor * x for x in (e.value, e.low, e.high)] for e in changes]
    reach = _reach([max(map(abs, figures)) for figures in scaled])
    near = [x for figures in scaled for x in figures if abs(figures[0]) <= reach and math.isfinite(x)]
    far = [figures[0] for figures in scaled if abs(figures[0]) > reach]
    low, high = min([0.0, *near, *(-reach / 2 for x in far if x < 0)]), max([0.0, *near, *(reach / 2 for x in far if x > 0)])
    margin = 0.06 * (high - low) or 1.0
    ax.set_xlim(low - margin, high + margin)
    ax.axvline(0, color=GREY, linewidth=1.0, zorder=1)
    colours = [(BLUE if e.value > 0 else ORANGE) if e.decided else GREY for e in changes]
    for colour in (BLUE, ORANGE, GREY):
        rows = {at: scaled[at] for at, own in enumerate(colours) if own == colour}
        shown = {at: figures for at, figures in rows.items() if abs(figures[0]) <= reach}
        for at, figures in rows.items():
            if abs(figures[0]) > reach:
                _draw_far(ax, figures[0], at, colour)
        ax.hlines(list(shown), 0, [figures[0] for figures in shown.values()], color=colour, linewidth=1.0, alpha=0.45, zorder=2)
        dots(ax, shown, colour, "o", colour != GREY, 4.0)
    ax.grid(axis="x")
    ax.locator_params(axis="x", nbins=4)


def _reach(sizes: Sequence[float]) -> float:
    """How far a panel shows: up to the greatest value, unless that would squeeze most of the others to nothing."""
    known = sorted(size for size in sizes if math.isfinite(size) and size > 0)
    if not known:
        return 1.0
    most = known[int(0.8 * (len(known) - 1))]
    return known[-1] if known[-1] <= 4 * most else max(size for size in known if size <= 2 * most)


def _draw_far(ax: Axes, value: float, at: float, colour: str) -> None:
    """A value beyond the panel: an arrow to its edge, and the figure."""
    edge = ax.get_xlim()[1 if value > 0 else 0]
    tip = {"arrowstyle": "-|>", "color": colour, "linewidth": 1.0, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (edge, at), (0, at), arrowprops=tip, annotation_clip=False)
    text, behind = f"{value:+.3g}".replace("-", "−"), {"facecolor": "white", "pad": 0.6, "linewidth": 0}
    ax.text(0.5 * edge, at, text, va="center", ha="center", fontsize=7.0, color=INK, bbox=behind)


def label_rules(panels: Sequence[Axes], labels: Sequence[str]) -> None:
    """Rules from top to bottom, every second row on grey."""
    panels[0].set_yticks(range(len(labels)), labels, fontsize=8, linespacing=0.95)
    panels[0].set_ylim(len(labels) - 0.4, -0.6)
    for panel in panels:
        panel.spines["left"].set_visible(False)
        for row in range(0, len(labels), 2):
            panel.axhspan(row - 0.5, row + 0.5, color="#F6F6F6", linewidth=0, zorder=0)


@styled
def best_strategies(effect: Effect, ax: Axes | None = None) -> Axes:
    """What every strategy comes to against the others under each rule, by the criterion of the study.

    Full marks: the best under the rule, if its lead is clear. On a figure of its own, variants that change none of this
    are named below.

    Parameters
    ----------
    effect : Effect
        Of two strategies or more.
    ax : matplotlib Axes, optional
    """
    players = range(len(effect.strategies))
    if len(players) < 2:
        raise InputError("strategies: only one played; which is best shows with at least 2")
    found = {rule: [effect.against_field(rule, i) for i in players] for rule in range(1 + len(effect.variants))}
    first = max(players, key=lambda i: found[0][i].value)
    given = ax is not None
    still = [] if given else [rule for rule in found if rule and found[rule] == found[0]]
    order = [0, *sorted((rule for rule in found if rule and rule not in still), key=lambda rule: -found[rule][first].value)]
    labels = _rule_labels(effect, order)
    names, common = short_labels(effect.strategies)
    if ax is None:
        ax = new_axes(5.6 + width_of(labels), height_of(labels) + 1.5)
        _note_unchanged(cast("Figure", ax.figure), effect, still, "as under the base")
    m = effect.judged
    ax.axvline(m.factor * m.neutral, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    for i in players:
        rows = [found[rule][i] for rule in order]
        clear = [all(own.low > e.high for e in found[rule] if e is not own) for rule, own in zip(order, rows, strict=True)]
        _draw_player(ax, names[i], (i, len(players)), rows, clear, m)
    ax.set_xlabel(f"{m.axis}, against the other strategies (95 % intervals)")
    _label_players(ax, f"{common or 'strategies'}; full: clearly the best under the rule", labels)
    return ax if given else settled(ax, 2)


@styled
def who_plays(effect: Effect, measure: str | None = None, ax: Axes | None = None) -> Axes:
    """What each variant changes in a measure where all play one strategy, for each of the strategies, with 95 % intervals.

    Full marks: that depends on who plays. On a figure of its own, variants that change it for nobody are named below.

    Parameters
    ----------
    effect : Effect
        Of two strategies or more.
    measure : str, optional
        Of ``effect.measures``; the foremost unless it is given.
    ax : matplotlib Axes, optional
    """
    players = range(len(effect.strategies))
    if len(players) < 2:
        raise InputError("strategies: only one played; whether it matters who plays shows with at least 2")
    name = measure or effect.foremost[0]
    check_measure(name, effect.measures)
    given, m = ax is not None, effect.game.effects[name]
    still = [] if given else _without_change(effect, [name])
    found = {
        rule: [effect.difference(rule, name, i) for i in players]
        for rule in range(1, 1 + len(effect.variants))
        if rule not in still
    }
    order = sorted(found, key=lambda rule: -found[rule][-1].value)
    labels, apart = _rule_labels(effect, order), {gap.rule for gap in gaps(effect, name)}
    names, common = short_labels(effect.strategies)
    if ax is None:
        ax = new_axes(5.6 + width_of(labels), height_of(labels) + 1.5)
        _note_unchanged(cast("Figure", ax.figure), effect, still, "changed by none of")
    ax.axvline(0, color=GREY, linewidth=1.0, zorder=1)
    for i in players:
        _draw_player(
            ax, names[i], (i, len(players)), [found[rule][i] for rule in order], [rule in apart for rule in order], m, APART
        )
    ax.set_xlabel(f"change in {m.label}, {m.change_unit} (95 % intervals)")
    _label_players(ax, f"All play {common or 'one strategy'}, against {effect.base}; full: who plays matters", labels)
    return ax if given else settled(ax, 2)


def _draw_player(
    ax: Axes,
    name: str,
    number: tuple[int, int],
    rows: Sequence[Estimate],
    full: Sequence[bool],
    measure: Measure,
    apart: float = 0.0,
) -> None:
    """The figures of one strategy (its number, of how many) under each rule, from top to bottom; hollow where not ``full``."""
    shift = apart * ((number[0] + 0.5) / number[1] - 0.5)
    colour, marker = colour_of(*number), MARKERS[number[0] % len(MARKERS)]
    ax.plot([], [], marker, color=colour, markersize=5, label=name)
    for filled in (False, True):
        some = {
            at + shift: [measure.factor * x for x in (e.value, e.low, e.high)] for at, e in enumerate(rows) if full[at] == filled
        }
        dots(ax, some, colour, marker, filled)


def _label_players(ax: Axes, title: str, labels: Sequence[str]) -> None:
    """Who is who, above; the rules at the side."""
    lines = legend_above(ax, 6, handlelength=1.0, columnspacing=1.2)
    ax.set_title(title, fontsize=9, pad=8 + 15 * lines)
    ax.grid(axis="x")
    label_rules([ax], labels)


@styled
def starter_share(effect: Effect, ax: Axes | None = None) -> Axes:
    """The share of the decided hands that the starter wins, under the base and each variant, with 95 % intervals.

    Hollow: the interval includes one half. On a figure of its own, variants with the base's share are named below.

    Parameters
    ----------
    effect : Effect
    ax : matplotlib Axes, optional
    """
    found = {rule: effect.starter_share(rule) for rule in range(1 + len(effect.variants))}
    given = ax is not None
    still = [] if given else [rule for rule in found if rule and found[rule] == found[0]]
    order = [0, *sorted((rule for rule in found if rule and rule not in still), key=lambda rule: -found[rule].value)]
    labels = _rule_labels(effect, order)
    if ax is None:
        ax = new_axes(5.6 + width_of(labels), height_of(labels) + 1.2)
        _note_unchanged(cast("Figure", ax.figure), effect, still, "as under the base")
    ax.axvline(50, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    rows = {at: [100 * x for x in (found[rule].value, found[rule].low, found[rule].high)] for at, rule in enumerate(order)}
    for full in (False, True):
        dots(ax, {at: f for at, f in rows.items() if (not f[1] <= 50 <= f[2]) == full}, BLUE, "o", full)
    ax.set_xlabel("decided hands won by the player who starts (%, with 95 % intervals)")
    ax.set_title("Starter's share; hollow: the interval includes 50 %", fontsize=9)
    ax.grid(axis="x")
    label_rules([ax], labels)
    return ax if given else settled(ax, 2)
