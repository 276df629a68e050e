"""``ginsim advise``: what may be done with a hand, ranked by rollouts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rich.table import Table

from ginsim.commands import console_of, tell
from ginsim.errors import InputError, shown, suggest
from ginsim.files import csv_text
from ginsim.games.catalog import GAMES_THERE_ARE, game_of
from ginsim.games.ranking import Ranking
from ginsim.inference.estimates import Estimate
from ginsim.study.hand import advise

FORMATS = ("table", "csv", "json")
POINTS = "points"
HEADINGS = {"points": "points", "game": "games won", "won": "hands won"}


def show(hand: str, rules: str, seed: int, form: str, both: Mapping[str, Any], **by_game: Mapping[str, Any]) -> None:
    """Print the advice for a moment.

    Parameters
    ----------
    hand, rules, seed, form
    both : mapping of str to a value or None
        Options of every game, as they were given: None if they were not.
    **by_game : mapping of str to a value or None
        Options of one game only, by its name.
    """
    if form not in FORMATS:
        raise InputError(f"format: there is no {shown(form)}; {suggest(form, FORMATS)}")
    game = game_of(rules)
    for name, options in by_game.items():
        for option, value in options.items():
            if name != game.name and value is not None:
                raise InputError(f"{option}: {rules} is {game.title}; this is an option of {GAMES_THERE_ARE[name].title}")
    given = {name: value for name, value in {**by_game[game.name], **both}.items() if value is not None}
    advice: Ranking = advise(hand, rules, seed=seed, **given)
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


def _table(advice: Ranking) -> Table:
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


def _caption(advice: Ranking) -> str:
    ranked = "points of the hand" if advice.by == POINTS else "the chance to win the game"
    return f"Ranked by {ranked}; {advice.rollouts:,} rollouts, all choices on the same hidden cards; 95 % intervals in brackets."
