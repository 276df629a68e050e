"""Results as pictures and in folders: by their type, for every kind there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError, shown
from ginsim.exact.deadwood import ExactDeadwood
from ginsim.experiment.alone import made_folder
from ginsim.experiment.merge import merge as merged
from ginsim.experiment.saved import kept_facts
from ginsim.files import csv_text, path_of, write_whole
from ginsim.games.gin.replay import Replay
from ginsim.inference.nash import Nash
from ginsim.inference.ratings import Ratings
from ginsim.report import plots
from ginsim.report.chart_page import charts_on_page
from ginsim.report.folder import save_result
from ginsim.report.given import given_charts
from ginsim.report.givenpictures import cards_of, picture_of
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
PAGES, PICTURES = ("html", "htm"), ("png", "svg", "pdf")
"""Endings of files that charts are put into."""


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
        If there is no picture of it, as for a replay in the table game.
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
    """Put charts together: on a web page where the reader chooses the chart, as a picture, or in a folder.

    Parameters
    ----------
    results : sequence of Solution, result folder, name of a shipped chart or chart file (.json)
        They may differ in rules, strategy, what counts and what is known; the first is shown first.
    out : path
        A page (``.html``), which needs no other file; a picture (``.png``, ``.svg``, ``.pdf``): the card of one chart, or several
        side by side; or a folder. Of solved knocks the folder gets ``report.md`` with its table (``advices.csv``), pictures of
        all charts side by side (PNG, SVG) and the web page (``chart.html``); then what counts must be the same for all. If there
        are charts that come without their study, it gets the page and cards to print. Returned.
    title : str
    command : str
        The command that the report gives to make it again.

    Raises
    ------
    InputError
        If there is none, one is given twice or is no chart, or ``out`` is the folder of a study or some other sort of file.
    """
    path = path_of("out", out)
    form = path.suffix.lower().removeprefix(".")
    given = given_charts(results)
    if form in PAGES:
        return write_whole(path, charts_on_page(given, title))
    if form in PICTURES:
        return write_whole(path, plots.figure_bytes(picture_of(given)(), form))
    if re.fullmatch("[a-z][a-z0-9]{0,4}", form) and not path.is_dir():
        what = "is no page (.html), picture (.png, .svg, .pdf) or folder; make it first if it is to be a folder"
        raise InputError(f"out: {path} {what}")
    if (path / MANIFEST).exists():
        raise InputError(f"out: {path} holds the result of a study; give another folder, or a file ending in .html")
    solved = [one for one in given if isinstance(one, Solution)]
    if len(solved) < len(given):
        drawn, texts = cards_of(given), {"chart.html": charts_on_page(given, title)}
    else:
        by_name = named(solved)
        kept = [kept_facts(Path(result)).get("command", "") for result in results if isinstance(result, str | Path)]
        drawn = side_by_side_pictures(by_name)
        texts = {
            "advices.csv": csv_text(ways_table(by_name), index=False, float_format="%.6g"),
            "chart.html": charts_on_page(given, title),
            "report.md": side_by_side(by_name, [text for text in (*kept, command) if text], title),
        }
    made_folder("out", path)
    for name, draw in drawn.items():
        plots.save_figure(draw(), path, name, ("png", "svg"))
    for name, text in texts.items():
        write_whole(path / name, text)
    return path
