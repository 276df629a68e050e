"""The guide: a page for each thing that ginsim does, as ``ginsim guide`` prints it."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from ginsim.errors import InputError, suggest

__all__ = ["about", "page", "topics"]


@cache
def topics() -> tuple[str, ...]:
    """Names of the pages."""
    return tuple(sorted(path.name.removesuffix(".md") for path in files(__name__).iterdir() if path.name.endswith(".md")))


def page(topic: str) -> str:
    """The page on a topic, in Markdown.

    Raises
    ------
    InputError
        If there is none.
    """
    if topic not in topics():
        raise InputError(f"topic: there is no {topic!r}; {suggest(topic, topics())}")
    return (files(__name__) / f"{topic}.md").read_text(encoding="utf-8")


def about(topic: str) -> str:
    """What the page on a topic is about, in a sentence."""
    return page(topic).split("\n\n", 2)[1].replace("\n", " ")
