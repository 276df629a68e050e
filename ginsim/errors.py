"""The one error for bad input, and the "did you mean" that goes with it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class InputError(ValueError):
    """Something the user wrote cannot be used; the message names it and says what is allowed."""


class StrategyError(InputError):
    """A strategy answered with an illegal move; the message names strategy, decision, hand and deal."""


def suggest(word: str, known: Iterable[str]) -> str:
    """Name the closest known word, or list them all.

    Examples
    --------
    >>> suggest("knock_limt", ["gin_bonus", "knock_limit"])
    "did you mean 'knock_limit'?"
    >>> suggest("x", ["gin_bonus", "knock_limit"])
    'known: gin_bonus, knock_limit'
    """
    names = list(known)
    close = get_close_matches(word, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"
