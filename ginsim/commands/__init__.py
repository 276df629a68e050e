"""What the commands print; one module a command."""

from __future__ import annotations

import sys

from rich.console import Console

LEAST_WIDTH = 80  # a narrower terminal breaks the lines itself, rather than have tables cut


def console_of(width: int = 120) -> Console:
    """Where results go: as wide as the terminal, or ``width`` where there is none. What is printed is text, not markup."""
    if sys.stdout.isatty():
        width = max(Console().width, LEAST_WIDTH)
    return Console(width=width, markup=False, emoji=False)
