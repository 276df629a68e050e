"""What the commands print; one module a command."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from ginsim.errors import visible
from ginsim.games import rulebook as rulebook  # so that every command tells a preset of another game from no preset

if TYPE_CHECKING:
    from ginsim.commands.console import PlainConsole

LEAST_WIDTH = 80  # a narrower terminal breaks the lines itself, rather than have tables cut


def console_of(width: int = 120) -> PlainConsole:
    """Where results go: as wide as the terminal, or ``width`` where there is none."""
    from ginsim.commands.console import PlainConsole

    if sys.stdout.isatty():
        width = max(PlainConsole().width, LEAST_WIDTH)
    return PlainConsole(width=width)


def tell(text: object, err: bool = False, nl: bool = True) -> None:
    """Print a text; nothing in it steers the terminal."""
    print(visible(str(text)), end="\n" if nl else "", file=sys.stderr if err else sys.stdout, flush=True)
