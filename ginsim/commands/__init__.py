"""What the commands print; one module a command."""

from __future__ import annotations

import sys

from ginsim.errors import visible
from ginsim.games import rulebook as rulebook  # so that every command tells a preset of another game from no preset


def tell(text: object, err: bool = False, nl: bool = True) -> None:
    """Print a text; nothing in it steers the terminal."""
    print(visible(str(text)), end="\n" if nl else "", file=sys.stderr if err else sys.stdout, flush=True)
