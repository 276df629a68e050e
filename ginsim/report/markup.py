"""Texts of others in Markdown: words stay words, and nothing on a page points outside it."""

from __future__ import annotations

import re

from ginsim.errors import visible

__all__ = ["fenced", "plain_text", "without_links"]

_MARKS = re.compile(r"[\\`*~<>\[\]]|\b_|_\b|:(?=//)|(?<=www)\.|^(?:[#+=-]|\d+(?=[.)]))", re.IGNORECASE)
_LINKS = re.compile(r"(`+)(?!`)[^`|\n]+(?<!`)\1(?!`)|\\.|[\[\]<]|:(?=//)|(?<=www)\.", re.IGNORECASE)


def plain_text(text: str) -> str:
    r"""A text in one line of Markdown that is shown as it is.

    Examples
    --------
    >>> print(plain_text("# When to *knock*?\n![x](http://x)"))
    \# When to \*knock\*? !\[x\](http\://x)
    """
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return _MARKS.sub(lambda found: f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}", line)


def without_links(markdown: str) -> str:
    r"""Markdown whose links, pictures and HTML are shown as they are written.

    Examples
    --------
    >>> print(without_links("**True**: `simple(x=[1])` and [this](http://x)"))
    **True**: `simple(x=[1])` and \[this\](http\://x)
    """
    return _LINKS.sub(lambda found: found[0] if found[0][0] in "`\\" else f"\\{found[0]}", _spelled(markdown))


def fenced(text: str, language: str) -> str:
    """A block of code, whatever is in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}{language}\n{_spelled(text).strip()}\n{fence}"


def _spelled(text: str) -> str:
    """A text whose control characters are spelled out, all but tabs and line breaks."""
    return "\t".join(map(visible, text.split("\t")))
