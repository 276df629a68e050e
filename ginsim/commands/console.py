"""The console on which tables are printed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment

from ginsim.errors import visible


class PlainConsole(Console):
    """A console on which what is printed is text: no markup, and nothing in it steers the terminal."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(markup=False, emoji=False, **settings)

    def render(self, *given: Any, **more: Any) -> Iterable[Segment]:
        for segment in super().render(*given, **more):
            text, style, control = segment
            yield segment if control or text.isprintable() else Segment(visible(text), style, control)
