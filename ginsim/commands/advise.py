"""``ginsim advise``: what may be done with a hand, ranked by rollouts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ginsim.commands import check_format, tell
from ginsim.commands.console import print_tables
from ginsim.errors import InputError
from ginsim.files import csv_text
from ginsim.games.catalog import GAMES_THERE_ARE, game_of
from ginsim.games.ranking import Ranking
from ginsim.report.texts import Texts
from ginsim.study.hand import advise
from ginsim.study.measures import COMPARED

POINTS = "points"
MEASURES = {"points": "points_per_hand", "game": "games_won", "won": "hands_won"}
"""By which measure a figure of a choice is shown."""


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
    check_format(form)
    game = game_of(rules)
    for name, options in by_game.items():
        for option, value in options.items():
            if name != game.name and value is not None:
                raise InputError(f"{option}: {rules} is {game.title}; this is an option of {GAMES_THERE_ARE[name].title}")
    given = {name: value for name, value in {**by_game.get(game.name, {}), **both}.items() if value is not None}
    advice: Ranking = advise(hand, rules=rules, seed=seed, **given)
    if form == "csv":
        tell(csv_text(advice.table()), nl=False)
    elif form == "json":
        facts: dict[str, Any] = {"situation": advice.situation(), "verdict": advice.verdict(), "caveat": advice.caveat()}
        facts |= {"by": advice.by, "rollouts": advice.rollouts}
        rows = advice.table().reset_index().to_dict("records")
        tell(json.dumps(facts | {"seed": advice.seed, "choices": rows}, indent=1, ensure_ascii=False))
    else:
        tell("\n".join(filter(None, (advice.situation(), advice.verdict(), advice.caveat()))) + "\n")
        print_tables([_choices(advice)])


def _choices(advice: Ranking) -> Texts:
    """The choices, the best first, with 95 % intervals."""
    measures = {name: COMPARED[measure] for name, measure in MEASURES.items()}
    measures[POINTS] = replace(measures[POINTS], decimals=2)
    behind = measures[advice.by]
    rows = [
        (choice, choice.deadwood, *(measures[name].text(getattr(choice, name)) for name in advice.FIGURES),
         "" if choice is advice.best else behind.difference_text(choice.behind))
        for choice in advice.choices
    ]  # fmt: skip
    ranked = "points of the hand" if advice.by == POINTS else "the chance to win the game"
    caption = f"Ranked by {ranked}; {advice.rollouts:,} rollouts, all choices on the same hidden cards; 95 % intervals."
    caption += " pp: percentage points." if behind.is_share else ""
    headings = ("points" if name == POINTS else measures[name].label for name in advice.FIGURES)
    return Texts(("choice", "deadwood", *headings, "behind the best"), rows, range(1, 5), caption=caption)
