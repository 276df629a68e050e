"""``ginsim train`` and ``ginsim exploit``: train a player, say how far it is, and write its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.progress import stoppable, teller
from ginsim.report.training import save_training
from ginsim.training.course import train
from ginsim.training.exploit import exploit


def show_training(rules: str, against: list[str], folder: Path, *, quiet: bool, command: str, **more: Any) -> None:
    """Train and print; Ctrl-C leaves what was played and fitted."""
    with stoppable(_kept(folder, command)):
        result = train(rules, against, folder, report=teller(quiet), **more)
    save_training(result, command)
    tell(f"{result}\nIts weights are {folder / 'weights.npz'}, its page {folder / 'report.md'}.")


def show_exploiting(strategy: str, rules: str, folder: Path, *, quiet: bool, command: str, **more: Any) -> None:
    """Train a best responder and print by how much it wins; Ctrl-C leaves what was played and fitted."""
    with stoppable(_kept(folder, command)):
        result = exploit(strategy, rules, folder, report=teller(quiet), **more)
    save_training(result.trained, command)
    tell(str(result))


def _kept(folder: Path, command: str) -> str:
    return f"what was played is kept in {folder}; resume with:\n  {command}"
