"""The words of the pages: Markdown in ``templates``, one file a page, with places for what a study fills in.

``$name`` is a place. A paragraph that begins with ``[name]`` is there only if ``name`` is not empty; under a heading that
begins so, the whole section.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files
from string import Template
from typing import Any

__all__ = ["filled", "sentence", "terms"]

_PART = re.compile(r"(?:\[(\w+)\] )?((#*).*)", re.DOTALL)


@functools.cache
def _source(name: str) -> str:
    return (files("ginsim.report") / "templates" / name).read_text(encoding="utf-8")


@functools.cache
def _sentences() -> dict[str, str]:
    return tomllib.loads(_source("sentences.toml"))


def sentence(name: str) -> str:
    """A sentence that stands on several pages; empty if there is none of this name."""
    return _sentences().get(name, "")


@functools.cache
def terms(game: str) -> list[dict[str, str]]:
    """The terms of a game that pages explain: ``term``, ``found`` (a pattern), ``meaning``."""
    every: list[dict[str, str]] = tomllib.loads(_source("terms.toml"))["term"]
    return [entry for entry in every if entry.get("game", game) == game]


def filled(page: str, **values: Any) -> str:
    """The template of this name with its places filled."""
    kept, left_out = [], 0
    for part in re.split(r"\n{2,}", _source(f"{page}.md").strip()):
        found = _PART.fullmatch(part)
        assert found is not None
        condition, text, level = found[1], found[2], len(found[3])
        if level and level <= left_out:
            left_out = 0
        if left_out or (condition and not values[condition]):
            left_out = left_out or level
            continue
        kept.append(Template(" ".join(text.split("\n"))).substitute(_sentences() | values).strip())
    return "\n\n".join(filter(None, kept))
