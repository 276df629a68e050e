"""Tables of texts on a terminal, or in a text file."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from unicodedata import east_asian_width

from ginsim.commands import tell
from ginsim.errors import visible
from ginsim.report.texts import Texts

WIDTH, LEAST_WIDTH = 120, 80
NAME = 16
"""Characters that columns of names are given at least, if they are so long."""
HEAD = 14
"""Characters that the heads of columns of numbers may take without being wrapped, however narrow the numbers."""


def room(width: int = WIDTH) -> int:
    """Characters in a line: as many as the terminal shows, or ``width`` where there is none.

    A terminal narrower than 80 characters breaks the lines itself, rather than have tables cut.
    """
    return max(shutil.get_terminal_size().columns, LEAST_WIDTH) if sys.stdout.isatty() else width


def print_tables(tables: Iterable[Texts], width: int = WIDTH) -> None:
    """Print tables of texts one under the other."""
    for texts in tables:
        tell(table_text(texts, room(width)))


def table_text(texts: Texts, width: int = WIDTH) -> str:
    """A table drawn with lines, no wider than ``width`` if that can be.

    Examples
    --------
    >>> print(table_text(Texts(("name", "points"), [("simple", "1"), ("champion", "20")], (1,))))
    ┏━━━━━━━━━━┳━━━━━━━━┓
    ┃ name     ┃ points ┃
    ┡━━━━━━━━━━╇━━━━━━━━┩
    │ simple   │      1 │
    │ champion │     20 │
    └──────────┴────────┘
    """
    numbers, headed = set(texts.numbers), any(texts.head)
    head = [visible(text.strip("`") if k in numbers else text) for k, text in enumerate(texts.head)]
    rows = [[visible(str(cell)) for cell in row] for row in texts.rows]
    widths = _widths(head, rows, numbers, width)
    lines = [*_wrapped(texts.title, width), _rule("┏━┳┓" if headed else "┌─┬┐", widths)]
    if headed:
        lines += [*_row(head, widths, numbers, "┃"), _rule("┡━╇┩", widths)]
    for number, row in enumerate(rows):
        lines += _row(row, widths, numbers, "│")
        if texts.first_apart and number == 0:
            lines.append(_rule("├─┼┤", widths))
    return "\n".join([*lines, _rule("└─┴┘", widths), *_wrapped(texts.caption, width)])


def _widths(head: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int], width: int) -> list[int]:
    """A width for each column: numbers are not broken as long as there is room for names."""
    columns = ["\n".join(row[k] for row in rows) for k in range(len(head))]
    whole, words = ([max(map(_width, cut(column)), default=0) for column in columns] for cut in (str.splitlines, str.split))
    heads = [max(map(_width, text.split()), default=0) for text in head]
    most = [max(whole[k], min(_width(text), max(whole[k], HEAD) if k in numbers else width)) for k, text in enumerate(head)]
    left = width - 3 * len(head) - 1
    for numbers_least in (whole, words):
        least = [max(numbers_least[k], heads[k]) if k in numbers else min(most[k], NAME) for k in range(len(head))]
        if sum(least) <= left:
            break
    cap = 0  # what is left goes to the narrow columns first
    while cap < width and sum(_between(cap + 1, least, most)) <= left:
        cap += 1
    return _between(cap, least, most)


def _between(cap: int, least: Sequence[int], most: Sequence[int]) -> list[int]:
    return [max(low, min(high, cap)) for low, high in zip(least, most, strict=True)]


def _row(cells: Sequence[str], widths: Sequence[int], numbers: set[int], line: str) -> Iterator[str]:
    """The lines of one row."""
    columns = [_wrapped(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*columns, [""], fillvalue=""):
        placed = [_placed(part, width, k in numbers) for k, (part, width) in enumerate(zip(parts, widths, strict=False))]
        yield f"{line} {f' {line} '.join(placed)} {line}"


def _placed(text: str, width: int, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a text, broken between words where that can be."""
    if _width(text) <= width and "\n" not in text:
        return [text] if text else []
    most = width if text.isascii() else max(1, width * len(text) // max(1, _width(text)))
    return [part for line in text.split("\n") for part in textwrap.wrap(line, most, break_on_hyphens=False) or [""]]


def _width(text: str) -> int:
    """Columns of the terminal that a text takes."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)


def _rule(marks: str, widths: Sequence[int]) -> str:
    """A line between rows, such as ``├─┼┤`` tells."""
    return marks[0] + marks[2].join(marks[1] * (width + 2) for width in widths) + marks[3]
