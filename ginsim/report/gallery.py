"""A front page of results: the question, the answer and a small picture of each page in a folder."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ginsim.errors import InputError
from ginsim.experiment.saved import existing, kept_facts
from ginsim.files import read_plain, write_whole

__all__ = ["Entry", "entries", "gallery"]

PAGE, REPORT, CLAIMS, ADVICES = "README.md", "report.md", "claims.csv", "advices.csv"
MADE = "<!-- Made by ginsim gallery: what is written here by hand is lost. -->"
"""How a front page begins, so that no other file is replaced."""
CLAIMED, OTHERS = "What writers claim", "More"
ABOUT: dict[str, tuple[str, ...]] = {
    "When to knock": ("solve",),
    "What rules change": ("effect", "adaptation", "retraining", "map"),
    "Who is better, and why": ("tournament", "compare", "gauntlet", "sweep", "factorial", "mixture", "exploit", "train"),
    "How hands and games go": ("statistics", "odds"),
    CLAIMED: (),
    "How far figures can be trusted": ("coverage", "error_rates", "calibration"),
}
"""Headings of the page, and the kinds of study below each."""
WIDTH = 360
"""Of a picture, in pixels."""


@dataclass(frozen=True)
class Entry:
    """What a page says first.

    Attributes
    ----------
    folder, page : str
        Below the front page.
    title, question, answer : str
        Empty where the page has none.
    picture : str
        The file of the first one; empty if there is none.
    picture_says : str
    heading : str
        Under which it stands.
    """

    folder: str
    page: str
    title: str
    question: str
    answer: str
    picture: str
    picture_says: str
    heading: str

    def __str__(self) -> str:
        link = f"### [{self.title}]({self.folder}/{self.page})"
        image = f'<img src="{self.folder}/{self.picture}" alt="{self.picture_says}" width="{WIDTH}">' if self.picture else ""
        return "\n\n".join(filter(None, (link, f"*{self.question}*" if self.question else "", self.answer, image)))


def gallery(folder: str | Path = "results") -> Path:
    """Write the front page of a folder of results, ``README.md``.

    Parameters
    ----------
    folder : path
        Of result folders; of each that has a page, the front page shows question, answer and first picture.

    Returns
    -------
    Path
        The page.

    Raises
    ------
    InputError
        If there is no such folder, it holds no pages, or its ``README.md`` was written by hand.
    """
    folder = existing(folder)
    found, page = entries(folder), folder / PAGE
    if not found:
        raise InputError(f"results: no folder in {folder} has a {REPORT}; give a folder of results")
    if page.exists() and not read_plain(page).decode(errors="replace").startswith(MADE):
        raise InputError(f"results: {page} was not made by ginsim gallery; move it away first")
    return write_whole(page, _page(found))


def entries(folder: Path) -> list[Entry]:
    """What there is to show in a folder, by the names of its folders."""
    below = sorted(path for path in folder.iterdir() if path.is_dir())
    return [_claims(own) if (own / CLAIMS).is_file() else _entry(own) for own in below if (own / _page_of(own)).is_file()]


def _page_of(folder: Path) -> str:
    return PAGE if (folder / CLAIMS).is_file() else REPORT


def _entry(folder: Path) -> Entry:
    title, paragraphs = _read(folder / REPORT)
    kind = kept_facts(folder).get("kind", "solve" if (folder / ADVICES).is_file() else "")  # charts side by side have no manifest
    heading = next((text for text, kinds in ABOUT.items() if kind in kinds), OTHERS)
    answer = next((text.removeprefix("**Answer.** ") for text in paragraphs if text.startswith("**Answer.**")), "")
    question = paragraphs[0] if answer and not paragraphs[0].startswith("**Answer.**") else ""
    picture = next(filter(None, (re.match(r"!\[(.*)\]\(([\w.+-]+\.png)\)$", text) for text in paragraphs)), None)
    says, file = picture.groups() if picture else ("", "")
    text = answer or _first(paragraphs)
    return Entry(folder.name, REPORT, title, question, text, file, says.replace('"', "&quot;"), heading)


def _claims(folder: Path) -> Entry:
    """Claims with their verdicts."""
    title, paragraphs = _read(folder / PAGE)
    rows = csv.DictReader(io.StringIO(read_plain(folder / CLAIMS).decode(errors="replace")))
    verdicts = {row.get("claim", ""): row.get("verdict", "") for row in rows}
    listed = "\n".join(f"- {claim} **{verdict.capitalize()}.**" for claim, verdict in verdicts.items())
    return Entry(folder.name, PAGE, title, "", listed or _first(paragraphs), "", "", CLAIMED)


def _read(page: Path) -> tuple[str, list[str]]:
    """The title of a page, and its paragraphs."""
    text = read_plain(page).decode(errors="replace")
    paragraphs = [part.strip().replace("\n", " ") for part in re.split(r"\n\s*\n", text)]
    title = paragraphs[0].removeprefix("# ") if paragraphs[0].startswith("# ") else ""
    return title or "Untitled", paragraphs[1:]


def _first(paragraphs: Iterable[str]) -> str:
    """The first paragraph of words, on a page without an answer."""
    return next((text for text in paragraphs if text and text[0] not in "#!|`<-"), "")


def _page(found: list[Entry]) -> str:
    parts = [MADE, "# Results", "Each study with its question, its answer and a picture. The page behind the title has the rest."]
    for heading in (*ABOUT, OTHERS):
        own = [entry for entry in found if entry.heading == heading]
        parts += [f"## {heading}", *map(str, own)] if own else []
    return "\n\n".join(parts) + "\n"
