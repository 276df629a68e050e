"""Plots of results: each function draws on ``ax``, or on a figure of its own, and returns the matplotlib axes.

Nothing here touches pyplot: figures are plain ``matplotlib.figure.Figure`` objects, so plots work without a display and
in threads. ``axes.figure`` is the figure; `save_figure` writes it.
"""

from __future__ import annotations

import functools
import io
import math
import re
import textwrap
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from ginsim.errors import InputError, suggest
from ginsim.files import write_whole
from ginsim.rules import Rules
from ginsim.specs import Spec, format_value, parse_spec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ginsim.study.compare import Comparison
    from ginsim.study.effect import Effect
    from ginsim.study.estimates import Estimate
    from ginsim.study.rulemap import RuleMap
    from ginsim.study.tournament import Tournament

__all__ = [
    "CHANGES", "MEASURES", "STYLE", "best_strategies", "differences", "endings", "heatmap", "ranking", "rule_map", "save_figure",
    "short_labels", "starter_share", "value_labels", "variant_labels",
]  # fmt: skip

# Okabe and Ito's colours: apart for the colour-blind too.
BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"
INK, BLACK, LIGHT, FAINT = "#222222", "#000000", "#DDDDDD", "#B8B8B8"
DIVERGING = "RdBu"  # red below neutral, blue above; safe for the colour-blind
HATCH = "///"

STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],  # comes with matplotlib, so a plot is the same on every machine
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titlelocation": "left",
    "axes.labelsize": 9.0,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": LIGHT,
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.5,
    "legend.frameon": False,
    "text.color": INK,
    "text.parse_math": False,  # a name may hold a dollar sign
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.major.size": 0.0,
    "ytick.major.size": 0.0,
    "axes.unicode_minus": True,
    "svg.fonttype": "none",
    "svg.hashsalt": "ginsim",
    "savefig.dpi": 160,
    "savefig.facecolor": "white",
}
"""How all plots look: matplotlib's settings, in force while a plot is drawn or saved."""


class Measure(NamedTuple):
    """A figure that is plotted: its name with units, the value that favours nobody, and how a value is written."""

    label: str
    neutral: float
    form: str


MEASURES: Mapping[str, Measure] = {
    "points_per_hand": Measure("points per hand", 0.0, "{:+.2f}"),
    "hands_won": Measure("share of decided hands won", 0.5, "{:.3f}"),
    "games_won": Measure("share of games won", 0.5, "{:.3f}"),
    "margin_per_game": Measure("settled points per game", 0.0, "{:+.1f}"),
}


class Change(NamedTuple):
    """A figure that rules change: its name, its unit, the factor to that unit, decimals of the base's value, its sign."""

    label: str
    unit: str
    scale: float
    decimals: int
    sign: str


CHANGES: Mapping[str, Change] = {
    "points": Change("points scored per hand", "points", 1, 2, ""),
    "knock": Change("hands won by a knock", "percentage points", 100, 1, " %"),
    "gin": Change("hands ending in gin", "percentage points", 100, 1, " %"),
    "undercut": Change("hands undercut", "percentage points", 100, 1, " %"),
    "dead": Change("hands dead", "percentage points", 100, 1, " %"),
    "turns": Change("turns per hand", "turns", 1, 2, ""),
    "starter": Change("starter's share of wins", "percentage points", 100, 1, " %"),
    "hands_per_game": Change("hands per game", "hands", 1, 2, ""),
    "game_points": Change("points a game is won by", "points", 1, 1, ""),
}
SHOWN = ("points", "gin", "undercut", "dead", "turns", "starter")
GAMES_SHOWN = ("game_points", "hands_per_game")
"""What is shown of an effect unless something else is asked for: of hands, of games."""

P = ParamSpec("P")
T = TypeVar("T")
_LOCK = threading.RLock()


def _styled(draw: Callable[P, T]) -> Callable[P, T]:
    """Draw in `STYLE` whatever the user's settings, one thread at a time: they are global in matplotlib."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        from matplotlib import rc_context, rcdefaults, rcParams

        with _LOCK, rc_context():
            rcdefaults()
            rcParams.update(cast(Any, STYLE))
            return draw(*args, **kwargs)

    return drawn


def _new_axes(width: float, height: float) -> Axes:
    return _new_panels(width, height, 1)[0]


def _new_panels(width: float, height: float, count: int) -> list[Axes]:
    """Axes side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return list(figure.subplots(1, count, sharey=True, squeeze=False)[0])


def _settled(ax: Axes, rounds: int = 4) -> Axes:
    """Lay the figure out once and for all, so that it looks the same however often it is drawn or saved."""
    figure = cast("Figure", ax.figure)
    for _ in range(rounds):  # square cells need a few to settle
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return ax


def _fitted(ax: Axes, width: float, height: float) -> Axes:
    """Make the axes ``width`` by ``height`` inches and the figure as large as they and their labels need."""
    figure = cast("Figure", ax.figure)
    figure.set_layout_engine("none")
    for _ in range(2):  # the second time with all labels where they will be
        figure.draw_without_rendering()
        inside, outside = ax.get_window_extent(), cast(Any, ax.get_tightbbox())
        left, below, right, above = (
            abs(x) / figure.dpi + MARGIN
            for x in (outside.x0 - inside.x0, outside.y0 - inside.y0, outside.x1 - inside.x1, outside.y1 - inside.y1)
        )
        whole = (left + width + right, below + height + above)
        figure.set_size_inches(*whole)
        ax.set_position((left / whole[0], below / whole[1], width / whole[0], height / whole[1]))
    return ax


def _colour_bar(ax: Axes, mesh: Any, **more: Any) -> Any:
    """A bar as high as the axes, beside them."""
    wide = ax.get_window_extent().width / ax.figure.dpi
    side = ax.inset_axes((1 + 0.14 / wide, 0, 0.17 / wide, 1))
    bar = ax.figure.colorbar(mesh, cax=side, **more)
    bar.outline.set_visible(False)
    return bar


def _measure(name: str, known: Sequence[str]) -> Measure:
    if name not in known:
        raise InputError(f"measure: {name!r} cannot be plotted here; {suggest(name, known)}")
    return MEASURES[name]


def _known(tournament: Tournament, names: Sequence[str]) -> list[str]:
    """Those of the measures ``names`` that this tournament can show: none of games if it played none."""
    played = any(pairing.games_tally["pairs"] for pairing in tournament.pairings.values())
    return [name for name in names if played or "game" not in name]


# --- names -------------------------------------------------------------------------------------------------------------


def short_labels(strategies: Sequence[str]) -> tuple[list[str], str]:
    """Names for an axis: only what varies, if all strategies are of one family.

    Returns
    -------
    labels : list of str
        One a strategy, all different.
    common : str
        The family with the parameters that all share; empty if there is more than one family.

    Examples
    --------
    >>> short_labels(["threshold(knock=0, draw=strict)", "threshold(knock=10, draw=strict)"])
    (['knock=0', 'knock=10'], 'threshold(draw=strict)')
    >>> short_labels(["simple", "strategies/mine.py:careful"])
    (['simple', 'mine.py:careful'], '')
    """
    specs = [_spec_of(strategy) for strategy in strategies]
    shared = _shared(specs)
    if len(specs) > 1 and len({spec.name for spec in specs}) == 1:
        own = [{key: value for key, value in spec.args.items() if key not in shared} for spec in specs]
        labels = [", ".join(f"{key}={format_value(value)}" for key, value in args.items()) or "default" for args in own]
        common = _written(Spec(specs[0].name, shared))
    else:
        labels, common = [_written(spec) for spec in specs], ""
    if len(set(labels)) < len(set(strategies)):
        return list(strategies), ""
    return labels, common


def variant_labels(base: str, variants: Sequence[str]) -> list[str]:
    """Names of variants beside their base: the fields that differ, or the preset.

    Examples
    --------
    >>> variant_labels("classic25", ["classic25(knock_limit=5, tie=push)", "straight", "oklahoma(oklahoma_ace=one)"])
    ['knock_limit=5, tie=push', 'straight', 'oklahoma(oklahoma_ace=one)']
    """
    rules, name = Rules.parse(base).model_dump(), parse_spec(base).name
    labels = []
    for variant in variants:
        fields = Rules.parse(variant).model_dump()
        changed = {key: None if value == "none" else value for key, value in fields.items() if value != rules[key]}
        own = [f"{key}={format_value(value)}" for key, value in changed.items()]
        labels.append(", ".join(own) if parse_spec(variant).name == name else variant)
    return labels


def value_labels(strategies: Sequence[str]) -> tuple[list[str], str]:
    """As `short_labels`, but the bare values if the strategies differ in one parameter.

    Examples
    --------
    >>> value_labels(["threshold(knock=0)", "threshold(knock=10)"])
    (['0', '10'], 'threshold, knock')
    >>> value_labels(["simple", "threshold(knock=10)"])
    (['simple', 'threshold(knock=10)'], '')
    """
    labels, common = short_labels(strategies)
    specs = [_spec_of(strategy) for strategy in strategies]
    names = {key for spec in specs for key in spec.args if f"{key}=" in "".join(labels)}
    if common and len(names) == 1 and all(label.startswith(f"{min(names)}=") for label in labels):
        return [label.partition("=")[2] for label in labels], f"{common}, {min(names)}"
    return labels, common


def _spec_of(strategy: str) -> Spec:
    try:
        return parse_spec(strategy)
    except InputError:  # a strategy made in Python may have any name
        return Spec(strategy)


def _shared(specs: Sequence[Spec]) -> dict[str, Any]:
    """The parameters that all specs have with the same value."""
    first, *others = specs or [Spec("")]
    return {
        key: value
        for key, value in first.args.items()
        if all(key in spec.args and format_value(spec.args[key]) == format_value(value) for spec in others)
    }


def _written(spec: Spec) -> str:
    """The spec without the folders of a file's name."""
    args = ", ".join(f"{key}={format_value(value)}" for key, value in spec.args.items())
    name = spec.name.replace("\\", "/").rsplit("/", 1)[-1] if ".py:" in spec.name else spec.name
    return f"{name}({args})" if args else name


# --- plots -------------------------------------------------------------------------------------------------------------

MOST_ANNOTATED = 25
"""Strategies of a heat map up to which each cell shows its value."""
TICK = 8.5
"""Size of the tick labels in points."""
LONG, WRAP = 18, 36
"""Characters from which names do not go aslant under columns, and after which they are wrapped."""
LINES = 4
"""Lines that a name under a column may take."""
MARGIN = 0.08
"""Inches around a grid with its labels."""


@_styled
def heatmap(tournament: Tournament, measure: str = "points_per_hand", ax: Axes | None = None) -> Axes:
    """The payoff matrix: each row's strategy against each column's, in the order given.

    Hatched cells cannot be told from neutral: their 95 % interval includes it.

    Parameters
    ----------
    tournament : Tournament
    measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}
    ax : matplotlib Axes, optional
    """
    m = _measure(measure, _known(tournament, list(MEASURES)))
    values = tournament.matrix(measure).to_numpy(dtype=float)
    n = len(values)
    cell = _cell_side(tournament.strategies)
    given = ax is not None
    if ax is None:
        ax = _new_axes(cell * n + 3.0, cell * n + 2.0)
        ax.figure.set_layout_engine("none")  # type: ignore[union-attr]
        ax.set_position((0.3, 0.3, cell * n / (cell * n + 3.0), cell * n / (cell * n + 2.0)))
    reach = max((abs(v - m.neutral) for v in values.flat if math.isfinite(v)), default=0.0) or 1.0
    ax.set_facecolor("#EEEEEE")  # shows on the diagonal
    mesh = ax.pcolormesh(
        values, cmap=DIVERGING, vmin=m.neutral - reach, vmax=m.neutral + reach, edgecolors="white", linewidth=0.8
    )
    hatched = _hatch_neutral(ax, tournament, measure, m)
    if n <= MOST_ANNOTATED:
        _annotate(ax, values, m, mesh, cell)
    _label_cells(ax, tournament.strategies, cell)
    _colour_bar(ax, mesh).set_label(m.label)
    note = f"\nhatched: the 95 % interval includes {m.neutral:g}" if hatched else ""
    ax.set_title(f"{m.label[:1].upper()}{m.label[1:]}, row against column{note}", fontsize=9)
    return ax if given else _fitted(ax, cell * n, cell * n)


def _cell_side(strategies: Sequence[str]) -> float:
    """Inches of a cell: large for few strategies, larger if only then their names go under the columns."""
    n, labels = len(strategies), short_labels(strategies)[0]
    side = min(max(6.2 / n, 0.38 if n <= MOST_ANNOTATED else 0.22), 1.0)
    return 1.5 if n <= 4 and not _stacked(labels, side) and _stacked(labels, 1.5) else side


def _stacked(labels: Sequence[str], cell: float) -> list[str]:
    """The names in lines that fit under cells, or [] if they do not; words are broken only for names that are long anyway."""
    found: list[str] = []
    for ends in ("(", "(=_") if max(map(len, labels)) > LONG else ("(",):
        found = [_in_lines(label, ends, 0.96 * cell) for label in labels]
        if all(found):
            return found
    return []


def _in_lines(label: str, ends: str, width: float) -> str:
    """The name broken after spaces and ``ends`` so that it fits into ``width`` inches, or "" if it does not."""
    lines = [""]
    for part in re.split(rf"(?<=[\s{ends}])(?![\s{ends}])", label):
        if lines[-1] and _length((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    lines = [line.rstrip() for line in lines]
    return "\n".join(lines) if len(lines) <= LINES and all(_length(line) <= width for line in lines) else ""


@functools.cache
def _length(text: str) -> float:
    """Inches that a tick label takes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family=STYLE["font.sans-serif"])
    return float(TextPath((0, 0), text, size=TICK, prop=font).get_extents().x1) / 72 if text.strip() else 0.0


def _hatch_neutral(ax: Axes, tournament: Tournament, measure: str, m: Measure) -> int:
    """Hatch the cells that cannot be told from neutral; how many there are."""
    from matplotlib.patches import Rectangle

    n, count = len(tournament.strategies), 0
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            e = tournament.estimate(i, j, measure)
            if math.isfinite(e.value) and e.low <= m.neutral <= e.high:
                inside = Rectangle((j + 0.03, i + 0.03), 0.94, 0.94, fill=False, linewidth=0, edgecolor=FAINT, hatch=HATCH)
                inside.set_gid(f"neutral-{i}-{j}")
                ax.add_patch(inside)
                count += 1
    return count


def _annotate(ax: Axes, values: Any, m: Measure, mesh: Any, cell: float) -> None:
    """Write each value into its cell, as large as fits, on a ground of the cell's colour that hatching does not cross."""
    texts = {(i, j): m.form.format(v + 0.0).replace("-", "−") for (i, j), v in _items(values) if math.isfinite(v)}
    longest = max((len(text) for text in texts.values()), default=1)
    size = min(9.0, 72 * cell * 0.86 / (0.64 * longest))
    for (i, j), text in texts.items():
        colour = mesh.cmap(mesh.norm(values[i, j]))
        _write_on(ax, j + 0.5, i + 0.5, text, colour, size)


def _write_on(ax: Axes, x: float, y: float, text: str, colour: Any, size: float) -> None:
    """Text in the middle of a cell of this colour."""
    ground = {"facecolor": colour, "linewidth": 0, "pad": 0.2 * size}
    ax.text(x, y, text, ha="center", va="center", fontsize=size, color=_ink_on(colour), bbox=ground)


def _items(values: Any) -> list[tuple[tuple[int, int], float]]:
    return [((i, j), float(v)) for i, row in enumerate(values) for j, v in enumerate(row)]


def _label_cells(ax: Axes, strategies: Sequence[str], cell: float) -> None:
    """Name rows and columns; columns by the number of their row if the names are long."""
    labels, common = short_labels(strategies)
    n, size = len(labels), min(TICK, 72 * cell * 0.75)
    ticks, stacked = [k + 0.5 for k in range(n)], _stacked(labels, cell)
    long = not stacked and max(map(len, labels)) > LONG
    columns = stacked or ([str(k + 1) for k in range(n)] if long else labels)
    rows = [f"{name}  {k + 1}" for k, name in enumerate(_wrapped(labels))] if long else _wrapped(labels)
    aslant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
    turn: dict[str, Any] = {} if stacked or long else aslant
    ax.set_xticks(ticks, columns, fontsize=size, **turn)
    ax.set_yticks(ticks, rows, fontsize=size)
    ax.set_xlim(0, n)
    ax.set_ylim(n, 0)
    ax.set_aspect("equal")
    ax.set_xlabel(f"opponent: {common}" if common else "opponent (number of its row)" if long else "opponent")
    ax.set_ylabel(f"strategy: {common}" if common else "strategy")
    ax.spines[:].set_visible(False)


def _wrapped(labels: Sequence[str]) -> list[str]:
    return [textwrap.fill(label, WRAP, break_long_words=False) for label in labels]


def _width(labels: Sequence[str]) -> float:
    """About the inches that the widest of the (wrapped) labels takes."""
    lines = [line for label in _wrapped(labels) for line in label.splitlines()]
    return max(map(len, lines), default=0) * 0.6 * TICK / 72


@_styled
def ranking(tournament: Tournament, measure: str = "points_per_hand", ax: Axes | None = None) -> Axes:
    """The field from the best down: means against all others, with their 95 % intervals.

    Parameters
    ----------
    tournament : Tournament
    measure : {'points_per_hand', 'hands_won', 'games_won'}
    ax : matplotlib Axes, optional
    """
    table = tournament.ranking()
    m = _measure(measure, [name for name in MEASURES if name in table])
    table = table.sort_values(measure, ascending=False, kind="stable")
    labels, common = short_labels(list(table["strategy"]))
    n = len(table)
    given = ax is not None
    if ax is None:
        lines = 1 + max(label.count("\n") for label in _wrapped(labels))
        ax = _new_axes(5.6 + _width(labels), max(2.0, 0.9 + max(0.3, 0.17 * lines) * n))
    at = list(range(n))
    values = table[measure].to_numpy()
    reach = [values - table[f"{measure}_low"].to_numpy(), table[f"{measure}_high"].to_numpy() - values]
    bars = [[float(r) if math.isfinite(r) else 0.0 for r in side] for side in reach]
    ax.axvline(m.neutral, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    ax.errorbar(values, at, xerr=bars, fmt="o", color=BLUE, markersize=4.5, elinewidth=1.6, capsize=3.0, zorder=2)
    ax.set_yticks(at, _wrapped(labels))
    ax.set_ylim(n - 0.4, -0.6)
    ax.set_ylabel(common or "strategy")
    ax.set_xlabel(f"{m.label}, mean against all others (95 % intervals)")
    ax.set_title(textwrap.fill(f"Ranking of {n} strategies by {m.label}, under {tournament.rules}", 80), fontsize=9)
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    return ax if given else _settled(ax)


_SIDES = ((BLUE, "", -0.2), (ORANGE, "///", 0.2), (GREY, "\\\\\\", 0.0))
"""Colour, hatch and place of the bars of the first strategy, the second and nobody."""


@_styled
def endings(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """How the hands ended and who won them, in per cent of all hands."""
    table = comparison.endings()
    table = table[table["winner"] != "either"]
    kinds = list(dict.fromkeys(table["ending"]))
    names = (comparison.a, comparison.b) if comparison.a != comparison.b else _sides(comparison)
    given = ax is not None
    if ax is None:
        ax = _new_axes(6.4, 1.7 + 0.55 * max(len(kinds), 1))
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
        _legend_above(ax)
    return ax if given else _settled(ax)


def _legend_above(ax: Axes) -> None:
    """A legend over the axes: in one row, or a line each if the names are long."""
    handles, labels = ax.get_legend_handles_labels()
    columns = 3 if sum(map(len, labels)) < 75 else 1
    names = [textwrap.fill(label, 70) for label in labels]
    ax.legend(handles, names, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=columns, handlelength=1.4, fontsize=8.5)


def _sides(comparison: Comparison) -> tuple[str, str]:
    """Names of the two players, told apart even if both play the same strategy."""
    if comparison.a == comparison.b:
        return f"{comparison.a} (first)", f"{comparison.b} (second)"
    (first, second), _ = short_labels([comparison.a, comparison.b])
    return first, second


PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#222222")
MARKERS = "osD^vP*"
BORDER = "#D55E00"
RULES_WRAP = 46
"""Characters after which the changes that make a variant are wrapped."""
UNITS = {"hand_size": "cards", "ranks": "ranks", "suits": "suits", "min_turns_before_knock": "turns", "max_turns": "turns"}
"""Units of the rule fields that are not points."""


@_styled
def differences(effect: Effect, measures: Sequence[str] | None = None, ax: Axes | None = None) -> Axes:
    """What each variant changes against the base, with 95 % intervals; variants sorted by the first measure.

    Hollow grey marks: the interval includes zero. On a figure of its own, variants that change nothing at all are named
    below. Returns the first of the axes.

    Parameters
    ----------
    effect : Effect
    measures : sequence of {'points', 'knock', 'gin', 'undercut', 'dead', 'turns', 'starter', 'hands_per_game', 'game_points'}
        One panel each.
    ax : matplotlib Axes, optional
        Only the first measure is drawn on it.
    """
    names = list(SHOWN if measures is None else measures)
    for name in names or [""]:
        if name not in effect.measures:
            raise InputError(f"measure: {name!r} cannot be plotted here; {suggest(name, effect.measures)}")
    given, title = ax is not None, f"Change against {effect.base}"
    names = names[:1] if given else names
    found = {rule: [effect.difference(rule, name) for name in names] for rule in range(1, 1 + len(effect.variants))}
    still = [] if given else _without_change(found)
    order = sorted((rule for rule in found if rule not in still), key=lambda rule: -found[rule][0].value)
    labels = _rule_labels(effect, order)
    if ax is None:
        panels = _new_panels(1.8 * len(names) + 0.4 + _width(labels), _height(labels) + 1.6, len(names))
        figure = cast("Figure", panels[0].figure)
        figure.suptitle(f"{title}, with 95 % intervals (hollow: it includes no change)", x=0.01, ha="left", fontsize=10.5)
        _note_unchanged(figure, effect, still, "none of this is changed by")
    else:
        panels = [ax]
    for k, (panel, name) in enumerate(zip(panels, names, strict=True)):
        change = CHANGES[name]
        _draw_changes(panel, [found[rule][k] for rule in order], change)
        head = f"{change.label}\n(base {change.scale * effect.level(0, name):.{change.decimals}f}{change.sign})"
        panel.set_title(f"{title}: {head}" if given else head, fontsize=9)
        panel.set_xlabel(f"change, {change.unit}" if len(names) == 1 else change.unit)
    _label_rules(panels, labels)
    return panels[0] if given else _settled(panels[0], 2)


def _without_change(found: Mapping[int, Sequence[Estimate]]) -> list[int]:
    """The rules whose every figure is that of the base; none if that holds for all."""
    still = [rule for rule, estimates in found.items() if all(e.value == 0 and e.se == 0 for e in estimates)]
    return still if len(still) < len(found) else []


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


def _height(labels: Sequence[str]) -> float:
    """Inches that rows with these labels take."""
    lines = max((label.count("\n") for label in labels), default=0)
    return (0.235 + 0.11 * lines) * len(labels)


def _draw_changes(ax: Axes, changes: Sequence[Estimate], change: Change) -> None:
    """A line from zero to each difference, and its interval; what lies far outside the others is cut off and written."""
    scaled = [[change.scale * x for x in (e.value, e.low, e.high)] for e in changes]
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
        _dots(ax, shown, colour, "o", colour != GREY, 4.0)
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


def _dots(ax: Axes, rows: Mapping[int, Sequence[float]], colour: Any, marker: str, full: bool, size: float = 5.0) -> None:
    """Value, low and high by row as marks with their intervals; hollow unless ``full``."""
    known = {at: figures for at, figures in rows.items() if math.isfinite(figures[0])}
    if not known:
        return
    sides = [(value - low, high - value) for value, low, high in known.values()]
    bars = [[side[k] if math.isfinite(side[k]) else 0.0 for side in sides] for k in range(2)]
    ax.errorbar(
        [figures[0] for figures in known.values()], list(known), xerr=bars, fmt=marker, color=colour,
        markerfacecolor=colour if full else "white", markersize=size, elinewidth=1.4, capsize=2.0, zorder=3 if full else 2,
    )  # fmt: skip


def _label_rules(panels: Sequence[Axes], labels: Sequence[str]) -> None:
    """Rules from top to bottom, every second row on grey."""
    panels[0].set_yticks(range(len(labels)), labels, fontsize=8, linespacing=0.95)
    panels[0].set_ylim(len(labels) - 0.4, -0.6)
    for panel in panels:
        panel.spines["left"].set_visible(False)
        for row in range(0, len(labels), 2):
            panel.axhspan(row - 0.5, row + 0.5, color="#F6F6F6", linewidth=0, zorder=0)


@_styled
def best_strategies(effect: Effect, ax: Axes | None = None) -> Axes:
    """Points per hand of every strategy against the others under each rule.

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
        ax = _new_axes(5.6 + _width(labels), _height(labels) + 1.5)
        _note_unchanged(cast("Figure", ax.figure), effect, still, "as under the base")
    ax.axvline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    for i in players:
        colour, marker = _colour(i, len(players)), MARKERS[i % len(MARKERS)]
        ax.plot([], [], marker, color=colour, markersize=5, label=names[i])
        rows = {at: found[rule][i] for at, rule in enumerate(order)}
        clear = {at for at, rule in enumerate(order) if all(rows[at].low > e.high for e in found[rule] if e is not rows[at])}
        for full in (False, True):
            some = {at: (e.value, e.low, e.high) for at, e in rows.items() if (at in clear) == full}
            _dots(ax, some, colour, marker, full)
    ax.set_xlabel("points per hand against the other strategies (95 % intervals)")
    lines = 1 + (len(players) - 1) // 6
    ax.set_title(f"{common or 'strategies'}; full: clearly the best under the rule", fontsize=9, pad=8 + 15 * lines)
    ax.legend(loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=6, handlelength=1.0, columnspacing=1.2, fontsize=8.5)
    ax.grid(axis="x")
    _label_rules([ax], labels)
    return ax if given else _settled(ax, 2)


def _colour(i: int, count: int) -> Any:
    """A strategy's colour: one of few that are far apart, or a step of a sequence."""
    return PALETTE[i] if count <= len(PALETTE) else _step(i, count)


@_styled
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
        ax = _new_axes(5.6 + _width(labels), _height(labels) + 1.2)
        _note_unchanged(cast("Figure", ax.figure), effect, still, "as under the base")
    ax.axvline(50, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    rows = {at: [100 * x for x in (found[rule].value, found[rule].low, found[rule].high)] for at, rule in enumerate(order)}
    for full in (False, True):
        _dots(ax, {at: f for at, f in rows.items() if (not f[1] <= 50 <= f[2]) == full}, BLUE, "o", full)
    ax.set_xlabel("decided hands won by the player who starts (%, with 95 % intervals)")
    ax.set_title("Starter's share; hollow: the interval includes 50 %", fontsize=9)
    ax.grid(axis="x")
    _label_rules([ax], labels)
    return ax if given else _settled(ax, 2)


@_styled
def rule_map(rule_map: RuleMap, ax: Axes | None = None) -> Axes:
    """The best strategy over the plane of two rule fields.

    Hatched cells: the lead is within the intervals. The thick line is the border of the region where the first of the
    strategies is best.

    Parameters
    ----------
    rule_map : RuleMap
    ax : matplotlib Axes, optional
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap

    best, (rows, columns) = rule_map.best_index(), rule_map.points.shape[:2]
    labels, common = value_labels(rule_map.strategies)
    n = len(labels)
    colours = [_step(i, n) for i in range(n)]
    cell = min(max(6.0 / max(rows, columns), 0.34), 0.8)
    given = ax is not None
    if ax is None:
        wide, high = cell * columns + 3.0, cell * rows + 2.0
        ax = _new_axes(wide, high)
        ax.figure.set_layout_engine("none")  # type: ignore[union-attr]
        ax.set_position((0.3, 0.3, cell * columns / wide, cell * rows / high))
    norm = BoundaryNorm([i - 0.5 for i in range(n + 1)], n)
    mesh = ax.pcolormesh(best, cmap=ListedColormap(colours), norm=norm, edgecolors="white", linewidth=0.6)
    unclear = _hatch_unclear(ax, rule_map, colours, best)
    size = min(9.0, 72 * cell * 0.8 / (0.64 * max(map(len, labels))))
    if size >= 4.5:
        for (r, c), i in _items(best):
            _write_on(ax, c + 0.5, r + 0.5, labels[int(i)], colours[int(i)], size)
    border = _draw_border(ax, best)
    _label_plane(ax, rule_map)
    bar = _colour_bar(ax, mesh, ticks=range(n), drawedges=False)
    bar.ax.set_yticklabels(labels)
    bar.ax.minorticks_off()
    bar.ax.tick_params(length=0)
    bar.set_label(f"best strategy ({common})" if common else "best strategy")
    notes = [f"Best strategy under {rule_map.base}"]
    if border:
        notes.append(f"thick line: border of the region of {rule_map.strategies[0]}")
    if unclear:
        notes.append("hatched: the lead over the second is within the 95 % intervals")
    ax.set_title("\n".join(notes), fontsize=9)
    return ax if given else _fitted(ax, cell * columns, cell * rows)


def _step(i: int, count: int) -> tuple[float, ...]:
    from matplotlib import colormaps

    return cast("tuple[float, ...]", colormaps["viridis"](i / max(count - 1, 1)))


def _ink_on(colour: Sequence[float]) -> str:
    """Dark or white, whichever has more contrast with a colour (WCAG 2)."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return BLACK if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


def _hatch_unclear(ax: Axes, rule_map: RuleMap, colours: Sequence[Sequence[float]], best: Any) -> int:
    """Hatch the cells whose lead is within the intervals; how many there are."""
    from matplotlib.patches import Rectangle

    clear, count = rule_map.table()["clear"].to_numpy().reshape(best.shape), 0
    for (r, c), i in _items(best):
        if not clear[r, c]:
            ink = "#777777" if _ink_on(colours[int(i)]) == BLACK else FAINT
            patch = Rectangle((c + 0.03, r + 0.03), 0.94, 0.94, fill=False, linewidth=0, edgecolor=ink, hatch=HATCH)
            patch.set_gid(f"unclear-{r}-{c}")
            ax.add_patch(patch)
            count += 1
    return count


def _draw_border(ax: Axes, best: Any) -> bool:
    """A thick line between the cells where the first strategy is best and the others; whether there is one."""
    from matplotlib.collections import LineCollection

    rows, columns = best.shape
    first = best == 0
    lines = [[(c + 1, r), (c + 1, r + 1)] for r in range(rows) for c in range(columns - 1) if first[r, c] != first[r, c + 1]]
    lines += [[(c, r + 1), (c + 1, r + 1)] for r in range(rows - 1) for c in range(columns) if first[r, c] != first[r + 1, c]]
    for colour, width, gid in (("white", 5.5, "border-casing"), (BORDER, 3.2, "border")):
        ax.add_collection(LineCollection(lines, colors=colour, linewidths=width, capstyle="round", gid=gid, zorder=4))
    return bool(lines)


def _label_plane(ax: Axes, rule_map: RuleMap) -> None:
    for axis, (name, values) in ((ax.xaxis, rule_map.x), (ax.yaxis, rule_map.y)):
        axis.set_ticks([k + 0.5 for k in range(len(values))], [str(value) for value in values])
        axis.set_label_text(f"{name} ({UNITS.get(name, 'points')})")
    ax.set_xlim(0, len(rule_map.x[1]))
    ax.set_ylim(0, len(rule_map.y[1]))
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)


# --- files -------------------------------------------------------------------------------------------------------------

_UNDATED: Mapping[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


@_styled
def save_figure(
    figure: Figure | SubFigure | Axes, folder: str | Path, stem: str, formats: Sequence[str] = ("png", "svg")
) -> list[Path]:
    """Write ``stem.png``, ``stem.svg`` … into ``folder``: the same plot gives the same bytes.

    Parameters
    ----------
    figure : Figure or Axes
    folder : path
    stem : str
        Name of the files without the ending.
    formats : sequence of {'png', 'svg', 'pdf'}
    """
    whole: Any = getattr(figure, "figure", figure)
    paths = []
    for kind in formats:
        if kind not in _UNDATED:
            raise InputError(f"formats: {kind!r} is not one of {', '.join(_UNDATED)}")
        data = io.BytesIO()
        whole.savefig(data, format=kind, metadata=_UNDATED[kind])
        paths.append(write_whole(Path(folder) / f"{stem}.{kind}", data.getvalue()))
    return paths
