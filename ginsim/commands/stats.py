"""``ginsim stats``: what hands are like, turn by turn, what a knock risks, and what going on brings instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.study import run_settings
from ginsim.errors import InputError, check_count
from ginsim.games.catalog import game_of
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turncount import MOST_DEADWOOD, MOST_OWN_TURN
from ginsim.report.folder import save_again
from ginsim.study.statistics import Statistics


def show(
    strategies: list[str], rules: list[str], opponent: str | None, deals: int, seed: int, knock: int | None, turn: int | None,
    out: Path | None, workers: int | None, quiet: bool, command: str, fresh: bool, form: str = "table",
) -> None:  # fmt: skip
    """Play, print tables, and what the knock asked for (if one is) risks and brings, beside going on."""
    if (knock is None) != (turn is None):
        raise InputError("knock and turn: give both (a knock with 7 on turn 5: --knock 7 --turn 5) or neither")
    if knock is not None and turn is not None:
        if not (game := game_of(rules[0])).turn_tables:
            raise InputError(f"knock: {rules[0]} is {game.title}, in which nobody knocks; leave --knock and --turn out")
        check_count("knock", knock, 0, MOST_DEADWOOD - 1)
        check_count("turn", turn, 1, MOST_OWN_TURN - 1)
        _check_legal(Rules.parse(rules[0]), knock, turn)
    first, *others = rules
    settings: dict[str, Any] = {"kind": "statistics", "strategies": strategies, "rules": first, "variants": others}
    settings |= {"opponent": opponent, "deals": deals, "seed": seed, "games": 0}
    result = run_settings(settings, out, workers, False, quiet, command, fresh, form=form)
    if knock is not None and turn is not None:
        assert isinstance(result, Statistics)
        told = [result.knock_sentence(cell, turn, knock) for cell in range(len(result.hands))]
        tell("\n".join(["", *told]), err=form != "table")
        if out is not None:
            save_again(out, asked="\n\n".join(told))


def _check_legal(rules: Rules, knock: int, turn: int) -> None:
    """A knock that the rules never allow needs no playing."""
    if turn <= rules.min_turns_before_knock:
        raise InputError(f"turn: {turn} is not allowed: {rules} allows no knock before turn {rules.min_turns_before_knock + 1}")
    if knock > rules.knock_limit and not rules.oklahoma:
        raise InputError(f"knock: {knock} is not allowed: {rules} allows a knock with {rules.knock_limit} or less")
