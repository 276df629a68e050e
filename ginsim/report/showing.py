"""Results as pictures and in folders: by their type, for every kind there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError, shown
from ginsim.exact.deadwood import ExactDeadwood
from ginsim.experiment.loading import load_results
from ginsim.experiment.merge import merge as merged
from ginsim.files import path_of, write_whole
from ginsim.games.gin.replay import Replay
from ginsim.inference.nash import Nash
from ginsim.inference.ratings import Ratings
from ginsim.report import plots
from ginsim.report.chart_page import solutions_page
from ginsim.report.folder import save_result
from ginsim.report.sheets import sheet_of
from ginsim.study.solve import Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["charts_page", "merge", "plot", "save"]

DRAWN: dict[type, Callable[..., Axes]] = {
    ExactDeadwood: plots.deadwood_odds,
    Nash: plots.nash,
    Ratings: plots.ratings,
    Replay: plots.cards,
}
"""What is drawn besides results of studies."""


def plot(result: Any, ax: Axes | None = None) -> Axes:
    """Draw the main picture of a result; ``ginsim.plots`` has the others.

    Parameters
    ----------
    result : Comparison, Tournament, Effect, …, Replay, ExactDeadwood, Ratings or Nash
    ax : matplotlib Axes, optional
        What to draw on; by default a figure of its own.

    Returns
    -------
    Axes
        ``plot(result).figure`` is the figure.

    Raises
    ------
    InputError
        If there is no picture of such a thing, such as a replay at the table.
    """
    if ax is not None and not hasattr(ax, "axvline"):
        raise InputError(f"ax: {shown(ax)} is not allowed; give Axes of Matplotlib, or none")
    if draw := DRAWN.get(type(result)):
        return draw(result, ax=ax)
    return sheet_of(result).plot(ax)


def save(result: Any, folder: str | Path, **notes: Any) -> Path:
    """Write a result into ``folder``: tables (CSV, Parquet, LaTeX), plots (PNG, SVG), report, sums and manifest.

    Parameters
    ----------
    result : Comparison, Tournament, Effect, …
    folder : path
    **notes
        For the report: ``title``, ``question``, and what else `ginsim.report.folder.save_result` takes.

    Returns
    -------
    Path
        The folder; ``ginsim.load_results`` reads it again.
    """
    return save_result(result, folder, **notes)


def merge(folders: Sequence[str | Path], out: str | Path) -> Path:
    """Put results of the same study on other deals together: other seeds, or other parts of the deals of one seed.

    Parameters
    ----------
    folders : two or more result folders
    out : path
        Folder for the result; returned.
    """
    return merged(folders, out, save_result)


def charts_page(results: Sequence[Solution | str | Path], out: str | Path, title: str = "When to knock") -> Path:
    """Put solved knocks on one web page that needs no other file: the reader chooses the chart, and looks at its cells.

    Parameters
    ----------
    results : sequence of Solution or result folder
        They may differ in rules, strategy, what counts and what is known; the first is shown first.
    out : path
        The file; returned.
    title : str

    Raises
    ------
    InputError
        If there is none, or one is not a solved knock.
    """
    loaded = [load_results(result) if isinstance(result, str | Path) else result for result in results]
    for given, result in zip(results, loaded, strict=True):
        if not isinstance(result, Solution):
            raise InputError(f"results: {shown(str(given))} is not a solved knock; give what `solve` has returned, or its folder")
    return write_whole(path_of("out", out), solutions_page(loaded, title))
