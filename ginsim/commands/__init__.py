"""What the commands print; one module a command."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ginsim.errors import InputError, shown, suggest, visible
from ginsim.games import rulebook as rulebook  # so that every command tells a preset of another game from no preset

FORMATS = ("table", "csv", "json")


def check_format(form: str, formats: Sequence[str] = FORMATS) -> None:
    """Refuse a format in which nothing can be printed."""
    if form not in formats:
        raise InputError(f"format: there is no {shown(form)}; {suggest(form, formats)}")


def tell(text: object, err: bool = False, nl: bool = True) -> None:
    """Print a text; nothing in it steers the terminal."""
    print(visible(str(text)), end="\n" if nl else "", file=sys.stderr if err else sys.stdout, flush=True)
