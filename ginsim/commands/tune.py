"""``ginsim tune``: tune a strategy, say how far it is, and print what came out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from ginsim.commands import tell
from ginsim.study.tune import tune


def show(
    strategy: str, against: list[str], rules: str, *, folder: Path | None, quiet: bool, command: str, **more: Any
) -> None:
    """Tune and print; Ctrl-C leaves the state of the last generation."""
    report = None if quiet or not sys.stderr.isatty() else (lambda text: tell(text, err=True))
    try:
        result = tune(strategy, against, rules, folder=folder, report=report, **more)
    except KeyboardInterrupt:
        kept = f"the last generation is kept; resume with:\n  {command}" if folder else "nothing is kept without --out FOLDER"
        tell(f"stopped; {kept}", err=True)
        raise typer.Exit(130) from None
    tell(str(result))
