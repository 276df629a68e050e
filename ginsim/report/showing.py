"""Results as pictures and in folders: by their type, for every kind there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError, shown
from ginsim.exact.deadwood import ExactDeadwood
from ginsim.experiment.alone import made_folder
from ginsim.experiment.loading import load_results
from ginsim.experiment.merge import merge as merged
from ginsim.experiment.saved import kept_facts
from ginsim.files import csv_text, path_of, write_whole
from ginsim.games.gin.replay import Replay
from ginsim.inference.nash import Nash
from ginsim.inference.ratings import Ratings
from ginsim.report import plots
from ginsim.report.chart_page import solutions_page
from ginsim.report.folder import save_result
from ginsim.report.review_folder import save_review
from ginsim.report.sheets import sheet_of
from ginsim.report.solved import named, side_by_side, side_by_side_pictures, ways_table
from ginsim.study.kept import MANIFEST
from ginsim.study.review import Review
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
    return save_review(result, folder, **notes) if isinstance(result, Review) else save_result(result, folder, **notes)


def merge(folders: Sequence[str | Path], out: str | Path) -> Path:
    """Put results of the same study on other deals together: other seeds, or other parts of the deals of one seed.

    Parameters
    ----------
    folders : two or more result folders
    out : path
        Folder for the result; returned.
    """
    return merged(folders, out, save_result)


def charts_page(
    results: Sequence[Solution | str | Path], out: str | Path, title: str = "When to knock", command: str = ""
) -> Path:
    """Put solved knocks together: on a web page where the reader chooses the chart, or in a folder with a report on all of them.

    Parameters
    ----------
    results : sequence of Solution or result folder
        They may differ in rules, strategy, what counts and what is known; the first is shown first.
    out : path
        A file (``.html``), which needs no other, or a folder for ``report.md`` with its table (``advices.csv``), pictures of all
        charts side by side (PNG, SVG) and the web page (``chart.html``); for a folder what counts must be the same for all.
        Returned.
    title : str
    command : str
        What the report says makes the same again.

    Raises
    ------
    InputError
        If there is none, one is given twice or is not a solved knock, or ``out`` is the folder of a study.
    """
    folders = [Path(result).resolve() for result in results if isinstance(result, str | Path)]
    if again := next((folder for k, folder in enumerate(folders) if folder in folders[:k]), None):
        raise InputError(f"results: {shown(str(again))} is given twice")
    loaded = [load_results(result) if isinstance(result, str | Path) else result for result in results]
    for given, result in zip(results, loaded, strict=True):
        if not isinstance(result, Solution):
            raise InputError(f"results: {shown(str(given))} is not a solved knock; give what `solve` has returned, or its folder")
    path, page = path_of("out", out), solutions_page(loaded, title)
    if path.suffix.lower() in (".html", ".htm"):
        return write_whole(path, page)
    if (path / MANIFEST).exists():
        raise InputError(f"out: {path} holds the result of a study; give another folder, or a file ending in .html")
    by_name = named(loaded)
    kept = [kept_facts(Path(result)).get("command", "") for result in results if isinstance(result, str | Path)]
    report = side_by_side(by_name, [text for text in (*kept, command) if text], title)
    made_folder("out", path)
    for name, draw in side_by_side_pictures(by_name).items():
        plots.save_figure(draw(), path, name, ("png", "svg"))
    write_whole(path / "advices.csv", csv_text(ways_table(by_name), index=False, float_format="%.6g"))
    write_whole(path / "chart.html", page)
    write_whole(path / "report.md", report)
    return path
