"""``ginsim record``: recorded hands held against the rules, and written in ginsim's notation."""

from __future__ import annotations

from pathlib import Path

from ginsim.commands import tell
from ginsim.errors import InputError
from ginsim.games.gin.recorded.decisions import Walk
from ginsim.games.gin.recorded.reading import read_hands
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.recorded.writing import as_text


def show(files: list[Path], rules: str, notation: str | None, lenient: bool) -> None:
    """Print the hands of all files; what is not allowed is refused, or marked."""
    walks = [found for file in files for found in _walked(file, rules, notation, lenient)]
    tell("\n\n".join(as_text(found.hand, found.marks) for found in walks))
    faults = sum(len(found.faults) for found in walks)
    if lenient:
        tell(f"{len(walks)} hands read, {faults} faults", err=True)


def _walked(file: Path, rules: str, notation: str | None, lenient: bool) -> list[Walk]:
    hands, found = read_hands(file, rules, notation), []
    for number, hand in enumerate(hands, start=1):
        try:
            found.append(walk(hand, lenient))
        except InputError as error:
            raise InputError(f"{file}: {f'hand {number}: ' if len(hands) > 1 else ''}{error}") from None
    return found
