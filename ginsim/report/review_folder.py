"""The folder of a review: the page, tables, pictures, all figures as JSON, and the hands."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ginsim.errors import InputError
from ginsim.experiment.alone import made_folder
from ginsim.files import csv_text, path_of, write_whole
from ginsim.games.gin.recorded.writing import all_as_text
from ginsim.report.html import html_page
from ginsim.report.markup import fenced, plain_text
from ginsim.report.page import rules_section, terms_section
from ginsim.report.plots import figure_bytes
from ginsim.report.sheet import Sheet
from ginsim.report.sheets import sheet_of
from ginsim.report.template import filled
from ginsim.study.kept import MANIFEST
from ginsim.study.review import Review
from ginsim.version import __version__

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["review_json", "save_review"]


def save_review(result: Review, folder: str | Path, title: str = "", question: str = "", command: str = "") -> Path:
    """Write a review into ``folder``.

    Parameters
    ----------
    result : Review
    folder : path
    title, question : str
        For the report.
    command : str
        What makes the same again; by default a call from Python.

    Raises
    ------
    InputError
        If the folder holds the result of a study.
    """
    path = path_of("folder", folder)
    if (path / MANIFEST).exists():
        raise InputError(f"folder: {path} holds the result of a study; give another folder")
    sheet = sheet_of(result)
    page = _page(result, sheet, title, question, command)
    contents: dict[str, bytes | str] = {"review.json": review_json(result), "report.md": page}
    contents["hands.txt"] = all_as_text(hand.record for hand in result.hands) + "\n"
    tables = {name: table for name, table in sheet.tables().items() if table is not None}
    contents |= {f"{name}.csv": csv_text(table, index=False, float_format="%.6g") for name, table in tables.items()}
    drawn = _drawn(sheet.pictures)
    contents |= drawn
    svg = {name.replace(".svg", ".png"): data.decode() for name, data in drawn.items() if name.endswith(".svg")}
    contents["report.html"] = html_page(page, svg)
    made_folder("folder", path)
    for name, data in contents.items():
        write_whole(path / name, data)
    return path


def _drawn(pictures: Mapping[str, Callable[..., Axes]]) -> dict[str, bytes]:
    """The pictures as files."""
    found: dict[str, bytes] = {}
    for name, draw in pictures.items():
        axes = draw()
        found |= {f"{name}.{form}": figure_bytes(axes, form) for form in ("png", "svg")}
    return found


def review_json(result: Review) -> str:
    """All figures of a review as JSON."""
    return json.dumps(result.as_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _page(result: Review, sheet: Sheet, title: str, question: str, command: str) -> str:
    body = sheet.body()
    rules = dict.fromkeys(str(hand.record.rules) for hand in result.hands)
    settings = f"--rollouts {result.rollouts} --seed {result.seed} --by {result.by} --player {shlex.quote(result.player)}"
    page = filled(
        "review_page",
        title=plain_text(title or sheet.title),
        question=plain_text(question),
        body=body,
        terms=terms_section(body, "gin"),
        rules="\n\n".join(map(rules_section, rules)),
        command=fenced(command or f"ginsim review hands.txt {settings}", "sh"),
        version=__version__,
    )
    return f"{page}\n"
