"""Hands from a text or a file, whatever notation they are in."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from ginsim.errors import InputError, shown, suggest
from ginsim.files import expanded, path_of, read_text
from ginsim.games.gin.recorded.from_json import parse_json
from ginsim.games.gin.recorded.from_openspiel import parse_openspiel
from ginsim.games.gin.recorded.from_pbn import TAG, parse_pbn
from ginsim.games.gin.recorded.from_text import HEADLINE, parse_replays
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.recorded.notation import parse_hands
from ginsim.games.gin.rules import Rules

__all__ = ["NOTATIONS", "notation_of", "read_hands", "read_text_of_hands"]

NOTATIONS: dict[str, Callable[[str, Rules], list[RecordedHand]]] = {
    "record": parse_hands,
    "json": lambda text, rules: parse_json(text),
    "text": lambda text, rules: parse_replays(text),
    "openspiel": lambda text, rules: parse_openspiel(text),
    "pbn": parse_pbn,
}
"""Readers by name: of ginsim's notation, what ``ginsim replay`` prints, OpenSpiel's histories, and headers as in PBN."""
_NUMBERS = re.compile(r"[\s\d,\[\]]*")


def notation_of(text: str) -> str:
    """Which of ``NOTATIONS`` a text is in, by how it begins.

    Examples
    --------
    >>> notation_of("[8, 37, 50]"), notation_of('[Upcard "HQ"]'), notation_of("upcard: HQ")
    ('openspiel', 'pbn', 'record')
    """
    start = text.removeprefix("\ufeff").strip()
    first = start.partition("\n")[0].strip()
    if "OpenSpiel" in first or first in ("[Game]", "[Meta]") or (start and _NUMBERS.fullmatch(start)):
        return "json" if start.startswith("[[") else "openspiel"
    if TAG.fullmatch(first):
        return "pbn"
    if start[:1] in ("{", "["):
        return "json"
    return "text" if HEADLINE.fullmatch(first) else "record"


def read_text_of_hands(text: str, rules: str | Rules = "classic25", notation: str | None = None) -> list[RecordedHand]:
    """Read hands from a text; see `read_hands`."""
    kind = notation_of(text) if notation is None else notation
    if kind not in NOTATIONS:
        raise InputError(f"notation: there is no {shown(kind)}; {suggest(kind, NOTATIONS)}")
    found = NOTATIONS[kind](text, Rules.parse(rules))
    if not found:
        raise InputError("there is no hand in it")
    return found


def read_hands(path: str | Path, rules: str | Rules = "classic25", notation: str | None = None) -> list[RecordedHand]:
    """Read the hands of a file.

    Parameters
    ----------
    path : str or Path
    rules : Rules or str
        Where the file does not name them.
    notation : str, optional
        ``record`` (``ginsim.games.gin.recorded.notation``), ``json`` or ``text`` (what ``ginsim replay`` prints), ``openspiel``
        or ``pbn``; by default what it looks like.

    Returns
    -------
    list of RecordedHand
        As they were written; `ginsim.games.gin.recorded.walk.walk` checks them against the rules.

    Raises
    ------
    InputError
        For what cannot be read, with file, line and column.
    """
    file = expanded(path_of("file", path))
    try:
        return read_text_of_hands(read_text(file), rules, notation)
    except UnicodeDecodeError:
        raise InputError(f"{file}: it is not UTF-8 text") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None
