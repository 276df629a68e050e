"""``ginsim stats``: what hands are like, turn by turn, and what a knock risks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from ginsim.commands.study import run_settings
from ginsim.errors import InputError
from ginsim.simulation.turntally import MOST_DEADWOOD, MOST_OWN_TURN
from ginsim.study.compare import check_count
from ginsim.study.statistics import Statistics


def show(
    strategies: list[str], rules: list[str], opponent: str | None, deals: int, seed: int, knock: int | None, turn: int | None,
    out: Path | None, workers: int | None, quiet: bool, command: str,
) -> None:  # fmt: skip
    """Play, print tables, and what the knock asked for (if one is) risks and brings."""
    if (knock is None) != (turn is None):
        raise InputError("knock and turn: give both (a knock with 7 on turn 5: --knock 7 --turn 5) or neither")
    if knock is not None:
        check_count("knock", knock, 0, MOST_DEADWOOD - 1)
        check_count("turn", turn, 1, MOST_OWN_TURN - 1)
    first, *others = rules
    settings: dict[str, Any] = {"kind": "statistics", "strategies": strategies, "rules": first, "variants": others}
    settings |= {"opponent": opponent, "deals": deals, "seed": seed, "games": 0}
    result = run_settings(settings, out, workers, False, quiet, command)
    if knock is not None and turn is not None:
        assert isinstance(result, Statistics)
        typer.echo()
        for cell in range(len(result.hands)):
            typer.echo(result.knock_sentence(cell, turn, knock))
