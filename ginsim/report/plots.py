"""Plots of results: each function draws on ``ax``, or on a figure of its own, and returns the matplotlib axes.

Nothing here touches pyplot: figures are plain ``matplotlib.figure.Figure`` objects, so plots work without a display and
in threads. ``axes.figure`` is the figure; `save_figure` writes it.
"""

from __future__ import annotations

import functools
import io
import math
import textwrap
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar, cast

from ginsim.errors import InputError, suggest
from ginsim.specs import Spec, format_value, parse_spec

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ginsim.study.compare import Comparison
    from ginsim.study.tournament import Tournament

__all__ = ["MEASURES", "STYLE", "endings", "heatmap", "ranking", "save_figure", "short_labels", "write_whole"]

# Okabe and Ito's colours: apart for the colour-blind too.
BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"
INK, LIGHT, FAINT = "#222222", "#DDDDDD", "#B8B8B8"
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
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure.subplots()


def _settled(ax: Axes) -> Axes:
    """Lay the figure out once and for all, so that it looks the same however often it is drawn or saved."""
    figure = cast("Figure", ax.figure)
    for _ in range(4):  # square cells need a few rounds to settle
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return ax


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
"""Characters from which names do not go under columns, and after which they are wrapped."""


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
    cell = min(max(6.2 / n, 0.38 if n <= MOST_ANNOTATED else 0.22), 1.0)
    given = ax is not None
    if ax is None:
        labels, _ = short_labels(tournament.strategies)
        side = cell * n
        ax = _new_axes(side + 2.1 + _width(labels), side + 1.0 + min(_width(labels), _width(["m" * LONG])))
    reach = max((abs(v - m.neutral) for v in values.flat if math.isfinite(v)), default=0.0) or 1.0
    ax.set_facecolor("#EEEEEE")  # shows on the diagonal
    mesh = ax.pcolormesh(
        values, cmap=DIVERGING, vmin=m.neutral - reach, vmax=m.neutral + reach, edgecolors="white", linewidth=0.8
    )
    hatched = _hatch_neutral(ax, tournament, measure, m)
    if n <= MOST_ANNOTATED:
        _annotate(ax, values, m, reach, cell)
    _label_cells(ax, tournament.strategies, cell)
    bar = ax.figure.colorbar(mesh, ax=ax, shrink=0.8, pad=0.02, aspect=25)
    bar.set_label(m.label)
    bar.outline.set_visible(False)
    note = f"\nhatched: the 95 % interval includes {m.neutral:g}" if hatched else ""
    ax.set_title(f"{m.label[:1].upper()}{m.label[1:]}, row against column{note}", fontsize=9)
    return ax if given else _settled(ax)


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


def _annotate(ax: Axes, values: Any, m: Measure, reach: float, cell: float) -> None:
    """Write each value into its cell, as large as fits."""
    texts = {(i, j): m.form.format(v).replace("-", "−") for (i, j), v in _items(values) if math.isfinite(v)}
    longest = max((len(text) for text in texts.values()), default=1)
    size = min(9.0, 72 * cell * 0.86 / (0.64 * longest))
    for (i, j), text in texts.items():
        strong = abs(values[i, j] - m.neutral) > 0.6 * reach
        ax.text(j + 0.5, i + 0.5, text, ha="center", va="center", fontsize=size, color="white" if strong else INK)


def _items(values: Any) -> list[tuple[tuple[int, int], float]]:
    return [((i, j), float(v)) for i, row in enumerate(values) for j, v in enumerate(row)]


def _label_cells(ax: Axes, strategies: Sequence[str], cell: float) -> None:
    """Name rows and columns; columns by the number of their row if the names are long."""
    labels, common = short_labels(strategies)
    n, size = len(labels), min(TICK, 72 * cell * 0.75)
    ticks, long = [k + 0.5 for k in range(n)], max(map(len, labels)) > LONG
    columns = [str(k + 1) for k in range(n)] if long else labels
    rows = [f"{name}  {k + 1}" for k, name in enumerate(_wrapped(labels))] if long else labels
    upright = _width(columns) < 0.95 * cell
    turn: dict[str, Any] = {} if upright else {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
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
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    return ax if given else _settled(ax)


NO_WINNER = ("dead", "stalled", "push")
_SIDES = ((BLUE, "", -0.2), (ORANGE, "///", 0.2), (GREY, "\\\\\\", 0.0))
"""Colour, hatch and place of the bars of the first strategy, the second and nobody."""


@_styled
def endings(comparison: Comparison, ax: Axes | None = None) -> Axes:
    """How the hands ended and who won them, in per cent of all hands."""
    table = comparison.endings()
    kinds = list(dict.fromkeys(table["ending"]))
    table["side"] = [2 if kind in NO_WINNER else player for kind, player in zip(table["ending"], table["player"], strict=True)]
    given = ax is not None
    if ax is None:
        ax = _new_axes(6.4, 1.7 + 0.55 * max(len(kinds), 1))
    for side, who in enumerate((*_sides(comparison), "nobody")):
        colour, hatch, offset = _SIDES[side]
        rows = table[table["side"] == side]
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


def write_whole(path: Path, data: bytes | str) -> Path:
    """Write a file so that it is never seen half-written; makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.partial")
    partial.write_bytes(data.encode() if isinstance(data, str) else data)
    return partial.replace(path)
