"""Tables of texts: the same on a page and on a console."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Texts", "markdown_table"]


@dataclass(frozen=True)
class Texts:
    """A table whose cells are written out.

    Attributes
    ----------
    head : sequence of str
    rows : sequence of rows
        What is no text is written as it is.
    numbers : iterable of int
        Columns that are set flush right.
    code : iterable of int
        Columns with names that are set as code on a page.
    title, caption : str
        For a console; on a page headings and sentences stand for them.
    first_apart : bool
        Whether a console sets the first row apart, because the others are told against it.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numbers: Iterable[int] = ()
    code: Iterable[int] = ()
    title: str = ""
    caption: str = ""
    first_apart: bool = False

    def markdown(self) -> str:
        """The table in Markdown; empty without rows."""
        code = set(self.code)
        rows = [[f"`{cell}`" if k in code and cell else cell for k, cell in enumerate(row)] for row in self.rows]
        return markdown_table(self.head, rows, self.numbers) if rows else ""


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()) -> str:
    r"""Write a Markdown table; the columns ``numbers`` are set flush right.

    Examples
    --------
    >>> print(markdown_table(("name", "points"), [("simple", 1), ("a|b", 20)], numbers=(1,)))
    | name | points |
    | :--- | ---: |
    | simple | 1 |
    | a\|b | 20 |
    """
    right = set(numbers)
    marks = ["---:" if column in right else ":---" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in (head, marks, *rows))


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
