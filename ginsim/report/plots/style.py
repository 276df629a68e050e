"""How plots look, the colours they share, and writing them: the same for all."""

from __future__ import annotations

import functools
import io
import math
import textwrap
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from ginsim.errors import InputError
from ginsim.files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

# Okabe and Ito's colours: apart for the colour-blind too.
BLUE, ORANGE, GREY = "#0072B2", "#E69F00", "#999999"
INK, BLACK, LIGHT, FAINT = "#222222", "#000000", "#DDDDDD", "#B8B8B8"
DIVERGING = "RdBu"  # red below neutral, blue above; safe for the colour-blind
HATCH = "///"
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#222222")
MARKERS = "osD^vP*"
BORDER = "#D55E00"
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
MARGIN = 0.08
"""Inches around a grid with its labels."""
TICK = 8.5
"""Size of the tick labels in points."""
FEW = 7
"""Lines of a legend that finds room beside curves."""
WITHIN = 0.8
"""Share of the width of a figure that a legend over its axes may take."""
NAME = 70
"""Characters after which names in a legend are wrapped."""
P = ParamSpec("P")
T = TypeVar("T")
_LOCK = threading.RLock()


def styled(draw: Callable[P, T]) -> Callable[P, T]:
    """Draw in `STYLE` whatever the user's settings, one thread at a time: they are global in matplotlib."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> T:
        from matplotlib import rc_context, rcdefaults, rcParams

        with _LOCK, rc_context():
            rcdefaults()
            rcParams.update(cast(Any, STYLE))
            return draw(*args, **kwargs)

    return drawn


def new_axes(width: float, height: float) -> Axes:
    """Axes on a figure of this size in inches."""
    return new_panels(width, height, 1)[0]


def axes_on(ax: Axes | None, width: float, height: float) -> tuple[Axes, bool]:
    """The axes that were given, or new ones of this size; whether they were given."""
    return (new_axes(width, height), False) if ax is None else (ax, True)


def cells_on(ax: Axes | None, width: float, height: float) -> tuple[Axes, bool]:
    """The same for square cells: new axes have room for labels (`fitted` takes away what is not needed)."""
    if ax is not None:
        return ax, True
    whole = width + 3.0, height + 2.0
    ax = new_axes(*whole)
    cast("Figure", ax.figure).set_layout_engine("none")
    ax.set_position((0.3, 0.3, width / whole[0], height / whole[1]))
    return ax, False


def new_panels(width: float, height: float, count: int) -> list[Axes]:
    """Axes side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return list(figure.subplots(1, count, sharey=True, squeeze=False)[0])


def settled(ax: Axes, rounds: int = 4) -> Axes:
    """Lay the figure out once and for all, so that it looks the same however often it is drawn or saved."""
    figure = cast("Figure", ax.figure)
    for _ in range(rounds):  # square cells need a few to settle
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    return ax


def fitted(ax: Axes, width: float, height: float) -> Axes:
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


def legend_above(ax: Axes, columns: int, **more: Any) -> int:
    """A legend over the axes in as many columns as the figure is wide enough for, at most these; returns its rows."""
    handles, labels = ax.get_legend_handles_labels()
    names = [textwrap.fill(label, NAME) for label in labels]
    for count in (columns, max(columns // 2, 1), 1):
        style = {"handlelength": 1.4, "fontsize": 8.5} | more
        legend = ax.legend(handles, names, loc="lower left", bbox_to_anchor=(-0.01, 1.0), ncols=count, **style)
        if legend.get_window_extent().width < WITHIN * cast("Figure", ax.figure).bbox.width:
            break
    return -(-len(names) // count)


def title_and_legend(ax: Axes, title: str, given: bool) -> None:
    """A title, and a legend: inside if it has few lines, else between title and axes; a figure of its own grows by as much."""
    few = sum(1 + label.count("\n") for label in ax.get_legend_handles_labels()[1]) <= FEW
    lines = 0 if few else legend_above(ax, 3, fontsize=8)
    if few:
        ax.legend(fontsize=8)
    ax.set_title(title, fontsize=9, pad=6 + 14 * lines)
    if lines and not given:
        figure = cast("Figure", ax.figure)
        figure.set_figheight(figure.get_figheight() + 14 * lines / 72)


def colour_bar(ax: Axes, mesh: Any, label: str, **more: Any) -> Any:
    """A bar as high as the axes, beside them, with a label that is broken into lines so as to be no longer than the bar."""
    extent, figure = ax.get_window_extent(), ax.figure
    wide = extent.width / figure.dpi
    side = ax.inset_axes((1 + 0.14 / wide, 0, 0.17 / wide, 1))
    bar = figure.colorbar(mesh, cax=side, **more)
    bar.outline.set_visible(False)
    bar.set_label(label)
    fit = len(label) * extent.height / bar.ax.yaxis.label.get_window_extent().height
    bar.set_label(textwrap.fill(label, max(int(fit), 8), break_long_words=False))
    return bar


def step_colour(i: int, count: int) -> tuple[float, ...]:
    """Step ``i`` of ``count`` of a sequence of colours."""
    from matplotlib import colormaps

    return cast("tuple[float, ...]", colormaps["viridis"](i / max(count - 1, 1)))


def colour_of(i: int, count: int) -> Any:
    """A strategy's colour: one of few that are far apart, or a step of a sequence."""
    return PALETTE[i] if count <= len(PALETTE) else step_colour(i, count)


def ink_on(colour: Sequence[float]) -> str:
    """Dark or white, whichever has more contrast with a colour (WCAG 2)."""
    linear = [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in colour[:3]]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return BLACK if (luminance + 0.05) ** 2 > 0.05 * 1.05 else "white"


def write_on(ax: Axes, x: float, y: float, text: str, colour: Any, size: float) -> None:
    """Text in the middle of a cell of this colour."""
    ground = {"facecolor": colour, "linewidth": 0, "pad": 0.2 * size}
    ax.text(x, y, text, ha="center", va="center", fontsize=size, color=ink_on(colour), bbox=ground)


def cells_in(values: Any) -> list[tuple[tuple[int, int], float]]:
    """The values of a matrix with their places."""
    return [((i, j), float(v)) for i, row in enumerate(values) for j, v in enumerate(row)]


def dots(ax: Axes, rows: Mapping[Any, Sequence[float]], colour: Any, marker: str, full: bool, size: float = 5.0) -> None:
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


_UNDATED: Mapping[str, dict[str, Any]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}


@styled
def figure_bytes(figure: Figure | SubFigure | Axes, form: str) -> bytes:
    """A figure as the bytes of a file: 'png', 'svg' or 'pdf'; the same plot gives the same bytes."""
    if form not in _UNDATED:
        raise InputError(f"formats: {form!r} is not one of {', '.join(_UNDATED)}")
    whole: Any = getattr(figure, "figure", figure)
    data = io.BytesIO()
    whole.savefig(data, format=form, metadata=_UNDATED[form])
    return small_png(data.getvalue()) if form == "png" else data.getvalue()


def small_png(data: bytes) -> bytes:
    """A picture as PNG with at most 256 colours: enough for plots, and a third of the size."""
    from PIL import Image

    small, full = io.BytesIO(), Image.open(io.BytesIO(data))
    few = full.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    few.save(small, "png", optimize=True, dpi=full.info.get("dpi", (96, 96)))
    return small.getvalue()


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
    return [write_whole(Path(folder) / f"{stem}.{form}", figure_bytes(figure, form)) for form in formats]
