"""The console on which results are printed, and how tables look there."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.table import Table

from ginsim.errors import visible
from ginsim.report.texts import Texts

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


def print_tables(console: Console, tables: Iterable[Texts]) -> None:
    """Print tables of texts one under the other."""
    for texts in tables:
        console.print(_table(texts, console.width))


def _table(texts: Texts, room: int) -> Table:
    """Names may be broken; numbers only between their words, where they would leave no room for names."""
    numbers, columns = set(texts.numbers), [[str(row[k]) for row in texts.rows] for k in range(len(texts.head))]
    heads = [head.strip("`") if k in numbers else head for k, head in enumerate(texts.head)]
    widths = [max(map(len, (*column, *head.split())), default=0) for head, column in zip(heads, columns, strict=True)]
    own = [width if k in numbers else min(width, NAME) for k, width in enumerate(widths)]
    fits = 3 * len(own) + sum(own) < room
    if 3 * len(own) + sum(max(width, HEAD) for width in own) < room:
        widths = [max(HEAD, width) for width in widths]
    table = Table(
        title=texts.title or None, title_justify="left", caption=texts.caption or None, caption_justify="left",
        show_header=any(texts.head), min_width=min(len(texts.title), 76),
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
