"""``ginsim train`` and ``ginsim exploit``: train players into the folder of a study, and say how far they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.study import run_settings
from ginsim.training.course import WEIGHTS
from ginsim.training.fit import check_installed


def show_training(settings: dict[str, Any], folder: Path, workers: int | None, quiet: bool, command: str, fresh: bool) -> None:
    """Train a player, judge it and print the outcome."""
    check_installed()
    run_settings({"kind": "train", **settings}, folder, workers, False, quiet, command, fresh)
    tell(f"Its weights are {folder / WEIGHTS}.")


def show_exploiting(settings: dict[str, Any], folder: Path, workers: int | None, quiet: bool, command: str, fresh: bool) -> None:
    """Train a responder to each strategy and print by how much it wins."""
    check_installed()
    run_settings({"kind": "exploit", **settings}, folder, workers, False, quiet, command, fresh)
