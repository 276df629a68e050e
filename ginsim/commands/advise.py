"""``ginsim advise``: what may be done with a hand, ranked by rollouts."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from ginsim.commands import console_of, tell
from ginsim.commands.console import print_tables
from ginsim.errors import InputError, shown, suggest
from ginsim.files import csv_text
from ginsim.games.gin.advice import POINTS, Advice
from ginsim.report.texts import Texts
from ginsim.study.hand import advise
from ginsim.study.measures import COMPARED

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
        print_tables(console_of(), [_choices(advice)])


def _choices(advice: Advice) -> Texts:
    """The choices, the best first, with 95 % intervals."""
    points, won = replace(COMPARED["points_per_hand"], decimals=2), COMPARED["games_won"]
    behind = points if advice.by == POINTS else replace(won, signed=True)
    rows = [
        (choice, choice.deadwood, points.text(choice.points), won.text(choice.game),
         "" if choice is advice.best else behind.text(choice.behind))
        for choice in advice.choices
    ]  # fmt: skip
    ranked = "points of the hand" if advice.by == POINTS else "the chance to win the game"
    caption = f"Ranked by {ranked}; {advice.rollouts:,} rollouts, all choices on the same hidden cards; 95 % intervals."
    return Texts(("choice", "deadwood", "points", won.label, "behind the best"), rows, range(1, 5), caption=caption)
