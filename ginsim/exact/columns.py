"""A small table without pandas, which takes longer to load than such a table to make."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Columns"]


@dataclass(frozen=True)
class Columns:
    """Columns of plain numbers by name, and a label for each row."""

    index: str
    """What the labels are."""
    labels: Sequence[str | int]
    columns: dict[str, list[Any]]

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Each row, its label first."""
        return zip(self.labels, *self.columns.values(), strict=True)

    def by_label(self, name: str) -> dict[str | int, Any]:
        """A column by the labels of its rows."""
        return dict(zip(self.labels, self.columns[name], strict=True))

    def only(self, *names: str) -> Columns:
        """The same rows with these columns."""
        return Columns(self.index, self.labels, {name: self.columns[name] for name in names})

    def records(self) -> list[dict[str, Any]]:
        """Each row by the names of its columns."""
        return [dict(zip((self.index, *self.columns), row, strict=True)) for row in self.rows()]

    def csv(self) -> str:
        """The table as CSV."""
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows([(self.index, *self.columns), *self.rows()])
        return text.getvalue()

    def frame(self) -> pd.DataFrame:
        """The table as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.columns, pd.Index(self.labels, name=self.index))
