"""What the results of all studies can do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.deals import HANDS_PER_GAME, MOST_WITHOUT_WINNER

__all__ = ["Result"]


class Result:
    """A result: it has a sentence that answers (``verdict``), tables, pictures, and goes into a folder."""

    @property
    def hand_count(self) -> int:
        """Hands played."""
        raise NotImplementedError

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games that were played (``ginsim.games.gin.count.GAME_TALLY``), by pairing."""
        return []

    @property
    def remark(self) -> str:
        """A sentence on games that were stopped unfinished; empty if there were none."""
        games, stopped = 2 * sum(t["pairs"] for t in self.game_sums), sum(t["unfinished"] for t in self.game_sums)
        if not stopped:
            return ""
        which = f"{stopped:,} of the {games:,} games were" if stopped > 1 else f"One of the {games:,} games was"
        why = f"{MOST_WITHOUT_WINNER} hands in a row without a winner (or {HANDS_PER_GAME:,} in all)"
        return f"{which} stopped unfinished after {why}, with no winner."

    def verdict(self) -> str:
        """The answer in a sentence or two."""
        raise NotImplementedError

    def save(self, folder: str | Path, **notes: Any) -> Path:
        """Write tables, plots, report and manifest; returns the folder."""
        from ginsim.report.folder import save_result

        return save_result(self, folder, **notes)
