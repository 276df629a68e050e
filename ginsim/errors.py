"""The one error for bad input, and what its messages are made of: values shown briefly, "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from difflib import get_close_matches
from numbers import Integral
from typing import Any

MOST_SHOWN = 60
MOST_MESSAGE = 4000


class InputError(ValueError):
    """Something the user wrote cannot be used; the message names it and says what is allowed."""

    def __init__(self, message: object = "") -> None:
        super().__init__(brief(str(message), MOST_MESSAGE))


class StrategyError(InputError):
    """A strategy answered with an illegal move; the message names strategy, decision, hand and deal."""


class NoMoveError(StrategyError):
    """A plain-Python strategy gave an answer that is not a move; the message shows it."""


def brief(text: str, most: int = MOST_SHOWN) -> str:
    r"""A text for a message: cut if it is long, control characters made visible (line breaks stay).

    Examples
    --------
    >>> brief("red \x1b[31m")
    'red \\x1b[31m'
    >>> brief("a" * 100, 5)
    'aaaaa…'
    """
    return visible(text if len(text) <= most else f"{text[:most]}…")


def visible(text: str) -> str:
    r"""A text for a terminal: control characters (all but line breaks) are written out as escapes.

    Examples
    --------
    >>> visible("red \x1b[31m")
    'red \\x1b[31m'
    """
    return text if text.isprintable() else "".join(c if c.isprintable() or c in "\n " else repr(c)[1:-1] for c in text)


def one_line(text: str) -> str:
    """A name as reports, tables and terminals show it: on one line, without control characters or backticks.

    Raises
    ------
    InputError
        If it has any.
    """
    if odd := next((c for c in text if not c.isprintable() or c == "`"), ""):
        raise InputError(f"{shown(text)} is not allowed: a name cannot contain {odd!r}")
    return text


def shown(value: object, most: int = MOST_SHOWN) -> str:
    r"""A value for a message: as Python writes it, on one line, cut if it is long.

    Examples
    --------
    >>> print(shown("two\nlines"), shown([1, 2]), shown("8S" * 100, 10))
    'two\nlines' [1, 2] '8S8S8S8S8S…'
    """
    try:
        if isinstance(value, str):
            return repr(value if len(value) <= most else f"{value[:most]}…")
        text = repr(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # such as an integer of more digits than Python writes, or code of the user's own
        text = f"({type(value).__name__} that cannot be shown)"
    return brief(" ".join(text.split()), most)


def suggest(word: object, known: Iterable[str]) -> str:
    """Name the closest known word, or list them all.

    Examples
    --------
    >>> suggest("knock_limt", ["gin_bonus", "knock_limit"])
    "did you mean 'knock_limit'?"
    >>> suggest("x", ["gin_bonus", "knock_limit"])
    'known: gin_bonus, knock_limit'
    """
    names = list(known)
    close = get_close_matches(str(word)[:MOST_SHOWN], names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}" if names else "there are none"


def check_count(name: str, value: Any, low: int, high: int) -> int:
    """``value`` if it is a whole number from ``low`` to ``high``."""
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= int(value) <= high:
        raise InputError(f"{name}: {shown(value)} is not allowed; give a whole number from {low} to {high}")
    return int(value)


def listed(name: str, values: Any, of: str) -> list[Any]:
    """The items of a list or another iterable; a text, bytes or a mapping is none, and a set has no order."""
    try:
        if isinstance(values, str | bytes | bytearray | memoryview | Mapping | Set):
            raise TypeError
        return list(values)
    except TypeError:
        raise InputError(f"{name}: {shown(values)} is not allowed; give a list of {of}") from None


def said(error: BaseException) -> str:
    """What an exception of the user's own code says, in one line."""
    try:
        return " ".join(str(error).split())
    except KeyboardInterrupt:
        raise
    except BaseException:  # its own __str__ is at fault
        return "(it cannot be shown)"


@contextmanager
def told(what: str) -> Iterator[None]:
    """Around code of the user's own: whatever it raises becomes an error that begins with ``what``; Ctrl-C stays Ctrl-C.

    Examples
    --------
    >>> with told("strategy own.py:Mine"):
    ...     raise SystemExit("enough")
    Traceback (most recent call last):
    ginsim.errors.InputError: strategy own.py:Mine: SystemExit: enough
    """
    try:
        yield
    except KeyboardInterrupt:
        raise
    except InputError as error:
        raise type(error)(f"{what}: {error}") from error
    except BaseException as error:
        raise InputError(f"{what}: {type(error).__name__}: {said(error)}") from error


def os_error_text(error: OSError) -> str:
    """What kept a file from being read or written, and which."""
    where = "" if error.filename is None else f"{shown(error.filename, 200)}: "
    return f"{where}{error.strerror or error}"
