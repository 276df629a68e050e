"""``ginsim advise``: what may be done with a hand, ranked by rollouts."""

from __future__ import annotations

import json
from typing import Any

from rich.table import Table

from ginsim.commands import console_of, tell
from ginsim.errors import InputError, shown, suggest
from ginsim.files import csv_text
from ginsim.games.gin.advice import POINTS, Advice, advise
from ginsim.inference.estimates import Estimate

FORMATS = ("table", "csv", "json")


def show(form: str, **moment: Any) -> None:
    """Print the advice for a moment, given as to `advise`."""
    if form not in FORMATS:
        raise InputError(f"format: there is no {shown(form)}; {suggest(form, FORMATS)}")
    advice = advise(**moment)
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


def _table(advice: Advice) -> Table:
    """The choices, the best first, with 95 % intervals."""
    points = advice.by == POINTS
    table = Table(caption=_caption(advice), caption_justify="left")
    table.add_column("choice")
    for name in ("deadwood", "points", "games won", "behind the best"):
        table.add_column(name, justify="right")
    for choice in advice.choices:
        behind = "" if choice is advice.best else _cell(choice.behind, "+.2f" if points else "+.2%")
        figures = _cell(choice.points, "+.2f"), _cell(choice.game, ".1%")
        table.add_row(str(choice), str(choice.deadwood), *figures, behind)
    return table


def _cell(estimate: Estimate, form: str) -> str:
    return f"{estimate.value:{form}} ({estimate.low:{form}} to {estimate.high:{form}})"


def _caption(advice: Advice) -> str:
    ranked = "points of the hand" if advice.by == POINTS else "the chance to win the game"
    return f"Ranked by {ranked}; {advice.rollouts:,} rollouts, all choices on the same hidden cards; 95 % intervals in brackets."
