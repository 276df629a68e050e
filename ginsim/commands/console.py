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
        console.print(_table(texts))


def _table(texts: Texts) -> Table:
    """Names may be broken, numbers not."""
    numbers = set(texts.numbers)
    table = Table(
        title=texts.title or None, title_justify="left", caption=texts.caption or None, caption_justify="left",
        show_header=any(texts.head), min_width=min(len(texts.title), 76),
    )  # fmt: skip
    for k, head in enumerate(texts.head):
        if k in numbers:
            widest = max((len(str(row[k])) for row in texts.rows), default=0)
            table.add_column(textwrap.fill(head.strip("`"), max(HEAD, widest)), justify="right", no_wrap=True)
        else:
            table.add_column(head, overflow="fold")
    for number, row in enumerate(texts.rows):
        table.add_row(*map(str, row), end_section=texts.first_apart and number == 0)
    return table
