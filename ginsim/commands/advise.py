"""``ginsim advise``: what may be done with a hand, ranked by rollouts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.table import Table

from ginsim.commands import console_of, tell
from ginsim.errors import InputError, shown, suggest
from ginsim.files import csv_text
from ginsim.games.gin.advice import POINTS, Advice, advise
from ginsim.games.table.advice import TableAdvice, advise_at_table
from ginsim.games.table.rules import is_table
from ginsim.inference.estimates import Estimate

FORMATS = ("table", "csv", "json")
HEADINGS = {"points": "points", "game": "games won", "won": "hands won"}


def show(
    hand: str,
    rules: str,
    seed: int,
    form: str,
    gin: Mapping[str, Any],
    table: Mapping[str, Any],
    both: Mapping[str, Any],
) -> None:
    """Print the advice for a moment.

    Parameters
    ----------
    hand, rules, seed, form
    gin, table, both : mapping of str to a value or None
        Options of the one game, of the other, and of both, as they were given: None if they were not.
    """
    if form not in FORMATS:
        raise InputError(f"format: there is no {shown(form)}; {suggest(form, FORMATS)}")
    own, other = (table, gin) if is_table(rules) else (gin, table)
    for name, value in other.items():
        if value is not None:
            which = ("the table game", "two-player gin") if is_table(rules) else ("two-player gin", "the table game")
            raise InputError(f"{name}: {rules} is {which[0]}; this is an option of {which[1]}")
    given = {name: value for name, value in {**own, **both}.items() if value is not None}
    advice: Advice | TableAdvice = (advise_at_table if is_table(rules) else advise)(hand, rules=rules, seed=seed, **given)
    if form == "csv":
        tell(csv_text(advice.table()), nl=False)
    elif form == "json":
        facts: dict[str, Any] = {"situation": advice.situation(), "verdict": advice.verdict(), "caveat": advice.caveat()}
        facts |= {"by": advice.by, "rollouts": advice.rollouts}
        rows = advice.table().reset_index().to_dict("records")
        tell(json.dumps(facts | {"seed": advice.seed, "choices": rows}, indent=1, ensure_ascii=False))
    else:
        tell("\n".join(filter(None, (advice.situation(), advice.verdict(), advice.caveat()))) + "\n")
        console_of().print(_table(advice))


def _table(advice: Advice | TableAdvice) -> Table:
    """The choices, the best first, with 95 % intervals."""
    table = Table(caption=_caption(advice), caption_justify="left")
    table.add_column("choice")
    for name in ("deadwood", *(HEADINGS[figure] for figure in advice.FIGURES), "behind the best"):
        table.add_column(name, justify="right")
    for choice in advice.choices:
        behind = "" if choice is advice.best else _cell(choice.behind, "+.2f" if advice.by == POINTS else "+.2%")
        figures = (_cell(getattr(choice, name), "+.2f" if name == POINTS else ".1%") for name in advice.FIGURES)
        table.add_row(str(choice), str(choice.deadwood), *figures, behind)
    return table


def _cell(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} ({estimate.low:{form}} to {estimate.high:{form}})"


def _caption(advice: Advice | TableAdvice) -> str:
    ranked = "points of the hand" if advice.by == POINTS else "the chance to win the game"
    return f"Ranked by {ranked}; {advice.rollouts:,} rollouts, all choices on the same hidden cards; 95 % intervals in brackets."
