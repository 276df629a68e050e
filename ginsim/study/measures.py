"""The measures of the studies by name: what is said of strategies. What rules change, a game says itself."""

from __future__ import annotations

from ginsim.inference.estimates import GAME_UNIT, HANDS_UNIT, POINTS_UNIT, TURNS_UNIT
from ginsim.inference.measures import Measure, mean, share

__all__ = ["CLAIMED", "COMPARED", "CRITERIA", "JUDGED", "LAID_OFF", "OF_GAMES", "PART_EFFECT", "SCORES", "SHARE"]


def _of_decided(label: str, better: int = 0) -> Measure:
    """A share of those hands or games that somebody won."""
    return Measure(label, "%", "ratio", 1, better=better)


def _points(label: str, step: float, decimals: int) -> Measure:
    """Points of one side less those of the other."""
    return Measure(label, "points", "mean", decimals, signed=True, better=1, step=step)


COMPARED: dict[str, Measure] = {
    "points_per_hand": _points("points per hand", POINTS_UNIT, 3),
    "points_controlled": _points("points per hand, luck taken out", POINTS_UNIT, 3),
    "hands_won": _of_decided("hands won", 1),
    "games_won": _of_decided("games won", 1),
    "margin_per_game": _points("margin per game", GAME_UNIT, 2),
    "turns_per_hand": mean("turns per hand", "turns", TURNS_UNIT),
    "starter_share": _of_decided("starter's share"),
    "hands_per_game": mean("hands per game", "hands", HANDS_UNIT),
}
"""Of one strategy against another, from the side of the first."""
OF_GAMES = ("games_won", "margin_per_game")
"""Those of games."""
JUDGED = ("points_per_hand", "hands_won", *OF_GAMES)
"""Those that say who is better; they can disagree, so all are shown wherever strategies are ranked or paired."""
CRITERIA = (*OF_GAMES, "points_per_hand")
"""Those of them that a study may answer by (``ginsim.study.criterion``)."""
PART_EFFECT = _points("effect in points per hand", POINTS_UNIT, 3)
"""Of a level of a factor, or of levels together."""
LAID_OFF = mean("points laid off per hand", "points", TURNS_UNIT)
SCORES: dict[str, Measure] = {
    "log": Measure("log loss", "nats", decimals=4, better=-1),
    "brier": Measure("Brier", decimals=4, better=-1),
}
"""Of chances against what came out."""
SHARE = share("share")
"""Any share, as it is written."""
CLAIMED: dict[str, Measure] = {
    "points": Measure("points", "points per hand", decimals=3, signed=True),
    "margin": Measure("margin", "points per game", decimals=2, signed=True),
    "share": SHARE,
    "gap": Measure("difference of shares", "percentage points", "share", 1, signed=True),
    "turns": mean("turns", "turns", TURNS_UNIT),
    "melds": Measure("melds", "melds", signed=True),
    "deadwood": Measure("deadwood", "points of deadwood", signed=True),
}
"""Of the cases of claims, by the unit that a case names."""
