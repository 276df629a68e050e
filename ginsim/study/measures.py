"""The measures of the studies by name: what is said of two strategies, and what rules change in each game."""

from __future__ import annotations

from ginsim.games.table.count import TURN_PARTS
from ginsim.inference.estimates import GAME_UNIT, HANDS_UNIT, POINTS_UNIT, TURNS_UNIT
from ginsim.inference.measures import Measure, mean, share

__all__ = ["CLAIMED", "COMPARED", "GIN_EFFECTS", "LAID_OFF", "PART_EFFECT", "SCORES", "TABLE_EFFECTS"]


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
}
"""Of one strategy against another, from the side of the first."""
PART_EFFECT = _points("effect in points per hand", POINTS_UNIT, 3)
"""Of a level of a factor, or of levels together."""
GIN_EFFECTS: dict[str, Measure] = {
    "points": mean("points scored per hand", "points"),
    "knock": share("hands won by a knock"),
    "gin": share("hands ending in gin"),
    "undercut": share("hands undercut"),
    "dead": share("hands dead or stalled"),
    "turns": mean("turns per hand", "turns", TURNS_UNIT),
    "starter": _of_decided("starter's share of wins"),
    "hands_per_game": mean("hands per game", "hands", HANDS_UNIT),
    "game_points": mean("points a game is won by", "points", GAME_UNIT),
}
"""What rules change in gin."""
TABLE_EFFECTS: dict[str, Measure] = {
    "points": mean("points scored per hand", "points"),
    "turns": mean("turns per hand", "turns", TURNS_UNIT),
    "own_turns": mean("turns of each player", "turns", TURN_PARTS, scale=1 / TURN_PARTS),
    "discard": share("ended by a discard"),
    "meld": share("ended by melding all"),
    "claim": share("ended by a claim"),
    "blocked": share("hands blocked"),
    "lowest": share("given to the lowest"),
    "reshuffles": mean("reshuffles per hand", "reshuffles", 1),
    "claims": mean("claims per hand", "claims", 1),
    "pile_draws": mean("pile draws per hand", "draws", 1),
    "multi_draws": mean("draws of 2 cards or more", "draws per hand", 1),
    "extra_cards": mean("pile cards beyond one", "cards per hand", 1),
    "new_melds": mean("melds per hand", "melds", 1),
    "laid_off": mean("cards laid off per hand", "cards", 1),
    "seat_0": share("won by who starts"),
    **{f"seat_{seat}": share(f"won by seat {seat}") for seat in range(1, 6)},
    "hands_per_game": mean("hands per game", "hands", HANDS_UNIT),
    "game_points": mean("points of a game's winner", "points", GAME_UNIT),
}
"""What rules change in the table game."""
LAID_OFF = mean("points laid off per hand", "points", TURNS_UNIT)
SCORES: dict[str, Measure] = {
    "log": Measure("log loss", "nats", decimals=4, better=-1),
    "brier": Measure("Brier", decimals=4, better=-1),
}
"""Of chances against what came out."""
CLAIMED: dict[str, Measure] = {
    "points": Measure("points", "points per hand", decimals=3, signed=True),
    "share": share("share"),
    "gap": Measure("difference of shares", "percentage points", "share", 1, signed=True),
    "turns": mean("turns", "turns", TURNS_UNIT),
    "melds": Measure("melds", "melds", signed=True),
    "deadwood": Measure("deadwood", "points of deadwood", signed=True),
}
"""Of the cases of claims, by the unit that a case names."""
