"""``ginsim record``: recorded hands held against the rules, and written in ginsim's notation."""

from __future__ import annotations

from pathlib import Path

from ginsim.commands import tell
from ginsim.games.gin.recorded.walked import walked
from ginsim.games.gin.recorded.writing import as_text


def show(files: list[Path], rules: str, notation: str | None, lenient: bool) -> None:
    """Print the hands of all files; what is not allowed is refused, or marked."""
    walks = [found.walk for found in walked(files, rules, notation, lenient)]
    tell("\n\n".join(as_text(found.hand, found.marks) for found in walks))
    faults = sum(len(found.faults) for found in walks)
    if lenient:
        tell(f"{len(walks)} hands read, {faults} faults", err=True)
