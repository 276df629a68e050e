"""Hands of files and folders, read and walked through the rules."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ginsim.errors import InputError
from ginsim.files import expanded, path_of
from ginsim.games.gin.recorded.decisions import Walk
from ginsim.games.gin.recorded.reading import read_hands
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.rules import Rules

__all__ = ["Walked", "walked"]


class Walked(NamedTuple):
    """A hand that was walked through, and where it was written."""

    walk: Walk
    place: str


def walked(
    paths: Iterable[str | Path], rules: str | Rules = "classic25", notation: str | None = None, lenient: bool = False
) -> list[Walked]:
    """Walk through all hands of files, and of all files of folders.

    Raises
    ------
    InputError
        For what cannot be read or is not allowed, with the file, the hand, line and column.
    """
    return [found for path in paths for file in _files(path) for found in _of_file(file, rules, notation, lenient)]


def _files(path: str | Path) -> list[Path]:
    """The file, or the files of the folder in the order of their names."""
    given = expanded(path_of("file", path))
    if not given.is_dir():
        return [given]
    found = sorted(file for file in given.rglob("*") if file.is_file() and not file.name.startswith("."))
    if not found:
        raise InputError(f"file: there is no file in {given}")
    return found


def _of_file(file: Path, rules: str | Rules, notation: str | None, lenient: bool) -> list[Walked]:
    hands, found = read_hands(file, rules, notation), []
    for number, hand in enumerate(hands, start=1):
        place = f"{file}: hand {number}" if len(hands) > 1 else str(file)
        try:
            found.append(Walked(walk(hand, lenient), place))
        except InputError as error:
            raise InputError(f"{place}: {error}") from None
    return found
