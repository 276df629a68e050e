"""What a terminal shows while something takes long, and what is said when it is stopped; silent where nobody is looking."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from ginsim.commands import tell

__all__ = ["bar_on_terminal", "stoppable", "teller"]


@contextmanager
def bar_on_terminal(quiet: bool) -> Iterator[tuple[Progress, TaskID] | None]:
    """A progress bar with the time left on a terminal, and its one task; None where nobody is looking."""
    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f}%"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield bar, bar.add_task("compiling", total=None)


def teller(quiet: bool) -> Callable[[str], None] | None:
    """What tells a terminal how far something is, a line at a time; None where nobody is looking."""
    return None if quiet or not sys.stderr.isatty() else (lambda text: tell(text, err=True))


@contextmanager
def stoppable(kept: str) -> Iterator[None]:
    """On Ctrl-C say what is ``kept``, and end the command."""
    try:
        yield
    except KeyboardInterrupt:
        tell(f"stopped; {kept}", err=True)
        raise typer.Exit(130) from None
