"""``ginsim tune``: tune a strategy, say how far it is, and print what came out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.progress import stoppable, teller
from ginsim.study.tune import tune


def show(
    strategy: str, against: list[str], rules: str, *, folder: Path | None, quiet: bool, command: str, **more: Any
) -> None:
    """Tune and print; Ctrl-C leaves the state of the last generation."""
    kept = f"the last generation is kept; resume with:\n  {command}" if folder else "nothing is kept without --out FOLDER"
    with stoppable(kept):
        result = tune(strategy, against, rules, folder=folder, report=teller(quiet), **more)
    tell(str(result))
