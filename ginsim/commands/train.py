"""``ginsim train`` and ``ginsim exploit``: train a player, say how far it is, and write its page."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer

from ginsim.commands import tell


def show_training(rules: str, against: list[str], folder: Path, *, quiet: bool, command: str, **more: Any) -> None:
    """Train and print; Ctrl-C leaves what was played and fitted."""
    from ginsim.report.training import save_training
    from ginsim.training.course import train

    result = _going(lambda say: train(rules, against, folder, report=say, **more), folder, quiet, command)
    save_training(result, command)
    tell(f"{result}\nIts weights are {folder / 'weights.npz'}, its page {folder / 'report.md'}.")


def show_exploiting(strategy: str, rules: str, folder: Path, *, quiet: bool, command: str, **more: Any) -> None:
    """Train a best responder and print by how much it wins."""
    from ginsim.report.training import save_training
    from ginsim.training.exploit import exploit

    result = _going(lambda say: exploit(strategy, rules, folder, report=say, **more), folder, quiet, command)
    save_training(result.trained, command)
    tell(str(result))


def _going(carry_out: Callable[[Callable[[str], None] | None], Any], folder: Path, quiet: bool, command: str) -> Any:
    say = None if quiet or not sys.stderr.isatty() else (lambda text: tell(text, err=True))
    try:
        return carry_out(say)
    except KeyboardInterrupt:
        tell(f"stopped; what was played is kept in {folder}; resume with:\n  {command}", err=True)
        raise typer.Exit(130) from None


__all__: Sequence[str] = ["show_exploiting", "show_training"]
