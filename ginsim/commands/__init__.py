"""What the commands print; one module a command."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from ginsim.errors import visible

LEAST_WIDTH = 80  # a narrower terminal breaks the lines itself, rather than have tables cut


class PlainConsole(Console):
    """A console on which what is printed is text: no markup, and nothing in it steers the terminal."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render(self, *given: Any, **more: Any) -> Iterable[Segment]:
        for text, style, control in super().render(*given, **more):
            yield Segment(text if control else visible(text), style, control)


def console_of(width: int = 120) -> Console:
    """Where results go: as wide as the terminal, or ``width`` where there is none."""
    if sys.stdout.isatty():
        width = max(Console().width, LEAST_WIDTH)
    return PlainConsole(width=width)


def tell(text: object, err: bool = False, nl: bool = True) -> None:
    """Print a text; nothing in it steers the terminal."""
    print(visible(str(text)), end="\n" if nl else "", file=sys.stderr if err else sys.stdout, flush=True)
