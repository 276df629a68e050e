"""``ginsim train``, ``exploit`` and ``effect``: studies for which players are trained, or may be, with progress."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.study import run_settings
from ginsim.errors import InputError
from ginsim.specs import split_specs
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


def show_effect(
    settings: dict[str, Any],
    strategies: str | None,
    training: dict[str, Any],
    out: Path | None,
    workers: int | None,
    quiet: bool,
    command: str,
    fresh: bool,
) -> None:
    """Print what rules change, for players who do not adapt, or whose knock or play does."""
    if strategies is not None and not strategies.strip():
        raise InputError(f"strategies: {strategies!r} is not allowed; give one or more, separated by commas")
    play, given = settings["adapt"] == "play", {name: value for name, value in training.items() if value is not None}
    if given and not play:
        raise InputError(f"{next(iter(given))}: only with --adapt play, for which players are trained")
    if play and out is None:
        raise InputError("out: players are trained in a folder; give --out FOLDER")
    if play:
        check_installed()
        settings |= given
    elif settings["deals"] is None and not settings["adapt"]:
        settings["deals"] = 50_000
    names = split_specs(strategies or ("strong" if play else "simple"))
    run_settings({"kind": "effect", **settings, "strategies": names}, out, workers, False, quiet, command, fresh)
