"""``ginsim warm``: compile everything ahead, with a progress bar."""

from __future__ import annotations

import time
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from ginsim.commands import tell
from ginsim.jit import cache_folder
from ginsim.warm import parts


def show(quiet: bool) -> None:
    """Compile what is not compiled yet; the bar and the last line are left out if ``quiet``, the bar where nobody looks."""
    console, start, todo = Console(stderr=True), time.perf_counter(), parts()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed} of {task.total}"), TimeElapsedColumn())
    compiled = _compiled()
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("compiling", total=len(todo))
        for name, compile_part in todo:
            bar.update(task, description=f"compiling: {name}")
            compile_part()
            bar.advance(task)
    if not quiet:
        took = f"{time.perf_counter() - start:.0f} s"
        told = (
            f"everything was compiled already, as a check of {took} shows"
            if compiled == _compiled()
            else f"everything is compiled, after {took}"
        )
        tell(f"{told}; it is kept in {cache_folder()}")


def _compiled() -> int:
    """How many files the compiled code is kept in."""
    return sum(path.is_file() for path in Path(cache_folder()).rglob("*"))
