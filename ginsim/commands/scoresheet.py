"""``ginsim scoresheet``: settle a match from its hand results."""

from __future__ import annotations

from pathlib import Path

from ginsim.errors import InputError, shown
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.scoring import format_scoresheet, parse_results, read_results, settle


def show(results: str, rules: str, names: str) -> str:
    """The score sheet of the results (inline or a CSV file)."""
    players = [name.strip() for name in names.split(",")]
    if len(players) != 2 or not all(players):
        raise InputError(f"names: {shown(names)} is not allowed; give two names separated by a comma")
    hands = read_results(results) if _is_file(results) else parse_results(results)
    return format_scoresheet(settle(hands, Rules.parse(rules)), players)


def _is_file(results: str) -> bool:
    if results.lower().endswith(".csv"):
        return True
    try:
        return Path(results).is_file()
    except OSError:  # a long list is no name of a file
        return False
