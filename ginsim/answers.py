"""What has an answer in words: short where it is looked at, with its main table in a notebook."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Any, ClassVar

__all__ = ["Answer", "joined"]

MOST_ROWS = 30
"""Of a table in a notebook."""


class Answer:
    """A value with a sentence that answers (``verdict``) and a table; ``TABLE`` names the method that makes the main one.

    ``repr`` is the sentence; a notebook shows the table below it.
    """

    TABLE: ClassVar[str] = "summary"

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "__repr__" not in cls.__dict__:  # else a dataclass writes one with every number it holds
            cls.__repr__ = Answer.__repr__  # type: ignore[method-assign]

    def verdict(self) -> str:
        """The answer in a sentence or two."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.verdict()}>"

    def _repr_html_(self) -> str:
        table = getattr(self, self.TABLE)()
        return f"<p>{html.escape(self.verdict())}</p>\n{table.to_html(max_rows=MOST_ROWS, na_rep='')}"


def joined(parts: Sequence[str]) -> str:
    """Parts of a sentence in a row.

    Examples
    --------
    >>> joined(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
