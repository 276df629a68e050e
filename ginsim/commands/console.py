"""The console on which results are printed, and how tables look there."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from ginsim.errors import visible
from ginsim.report.texts import Texts

WIDTH, LEAST_WIDTH = 120, 80
NAME = 16
"""Characters that columns of names are given at least, if they are so long."""
HEAD = 14
"""Characters that the heads of columns of numbers may take without being wrapped, however narrow the numbers."""


class PlainConsole(Console):
    """A console on which what is printed is text: no markup, and nothing in it steers the terminal."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render(self, *given: Any, **more: Any) -> Iterable[Segment]:
        for segment in super().render(*given, **more):
            text, style, control = segment
            yield segment if control or text.isprintable() else Segment(visible(text), style, control)


def room(width: int = WIDTH) -> int:
    """Characters in a line: as many as the terminal shows, or ``width`` where there is none.

    A terminal narrower than 80 characters breaks the lines itself, rather than have tables cut.
    """
    return max(shutil.get_terminal_size().columns, LEAST_WIDTH) if sys.stdout.isatty() else width


def print_tables(tables: Iterable[Texts], width: int = WIDTH, console: Console | None = None) -> None:
    """Print tables of texts one under the other; of one that is too wide, parts of its columns."""
    console = console or PlainConsole(width=room(width))
    for texts in tables:
        for part in parts_of(_visible(texts), console.width):
            console.print(_table(part, console.width))
            if part.caption:
                console.print(Text(part.caption, style="table.caption"))


def table_text(texts: Texts, width: int = WIDTH) -> str:
    """A table as text."""
    console = PlainConsole(width=width, no_color=True)
    with console.capture() as text:
        print_tables([texts], console=console)
    return text.get()


def parts_of(texts: Texts, room: int) -> list[Texts]:
    """The table, or if figures would have to be broken, some of its columns at a time, each time beside the names."""
    own, numbers = _least_widths(texts), set(texts.numbers)
    names = [k for k in range(len(own)) if k not in numbers] or [0]
    groups: list[list[int]] = [[]]
    for k in range(len(own)):
        if k not in names:
            if groups[-1] and not _fit([own[i] for i in (*names, *groups[-1], k)], room):
                groups.append([])
            groups[-1].append(k)
    parts = [_columns(texts, sorted((*names, *group))) for group in groups]
    return [
        replace(part, title=texts.title if part is parts[0] else "", caption=texts.caption if part is parts[-1] else "")
        for part in parts
    ]


def _visible(texts: Texts) -> Texts:
    """Nothing in the cells steers the terminal, and all that is seen is counted in the widths."""
    rows = [[visible(str(cell)) for cell in row] for row in texts.rows]
    head, title, caption = [visible(head) for head in texts.head], visible(texts.title), visible(texts.caption)
    return replace(texts, head=head, rows=rows, title=title, caption=caption)


def _columns(texts: Texts, kept: Sequence[int]) -> Texts:
    """Some columns of a table."""
    numbers = set(texts.numbers)
    return replace(
        texts,
        head=[texts.head[k] for k in kept],
        rows=[[row[k] for k in kept] for row in texts.rows],
        numbers=[at for at, k in enumerate(kept) if k in numbers],
    )


def _widths(texts: Texts) -> list[int]:
    """Characters of each column's widest cell, or word of its head."""
    columns = [[str(row[k]) for row in texts.rows] for k in range(len(texts.head))]
    return [max(map(len, (*column, *head.split())), default=0) for head, column in zip(_heads(texts), columns, strict=True)]


def _heads(texts: Texts) -> list[str]:
    numbers = set(texts.numbers)
    return [head.strip("`") if k in numbers else head for k, head in enumerate(texts.head)]


def _least_widths(texts: Texts) -> list[int]:
    """Characters that each column needs: only names may be broken."""
    numbers = set(texts.numbers)
    return [width if k in numbers else min(width, NAME) for k, width in enumerate(_widths(texts))]


def _fit(widths: Sequence[int], room: int) -> bool:
    """Whether columns of these widths have room side by side."""
    return 3 * len(widths) + sum(widths) < room


def _table(texts: Texts, room: int) -> Table:
    """Names may be broken; numbers only between their words, where they would leave no room for names."""
    numbers, columns = set(texts.numbers), [[str(row[k]) for row in texts.rows] for k in range(len(texts.head))]
    heads, widths, own = _heads(texts), _widths(texts), _least_widths(texts)
    fits = _fit(own, room)
    if _fit([max(width, HEAD) for width in own], room):
        widths = [max(HEAD, width) for width in widths]
    table = Table(
        title=texts.title or None, title_justify="left", show_header=any(texts.head), min_width=min(len(texts.title), 76),
    )  # fmt: skip
    for k, head in enumerate(heads):
        if k in numbers:
            table.add_column(textwrap.fill(head, widths[k]), justify="right", no_wrap=fits)
        elif fits:
            table.add_column(head, overflow="fold")
        else:
            columns[k] = [textwrap.fill(name, NAME) for name in columns[k]]
            table.add_column(textwrap.fill(head, NAME), no_wrap=True)
    for number, row in enumerate(zip(*columns, strict=True)):
        table.add_row(*row, end_section=texts.first_apart and number == 0)
    return table
