"""What the results of all studies can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = ["Result"]


class Result:
    """A result: it has a sentence that answers (``verdict``), tables, pictures, and goes into a folder."""

    @property
    def hand_count(self) -> int:
        """Hands played."""
        raise NotImplementedError

    def verdict(self) -> str:
        """The answer in a sentence or two."""
        raise NotImplementedError

    def save(self, folder: str | Path, **notes: Any) -> Path:
        """Write tables, plots, report and manifest; returns the folder."""
        from ginsim.report.folder import save_result

        return save_result(self, Path(folder), **notes)
