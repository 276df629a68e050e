"""Two-player gin as a `Game`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ginsim.games.base import Game, unit_sums
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import records as H
from ginsim.games.gin.advice import advise_in_words
from ginsim.games.gin.cardcount import CARD_TABLES
from ginsim.games.gin.count import HAND_TALLY, MEANS, measures_of
from ginsim.games.gin.odds import outcomes, start_odds
from ginsim.games.gin.play import GinSession
from ginsim.games.gin.players.families import REPERTOIRE
from ginsim.games.gin.position import read_position
from ginsim.games.gin.replay import replay_hand
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turncount import TURN_TABLES
from ginsim.games.ranking import check_known
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import GAME_UNIT, HANDS_UNIT, TURNS_UNIT
from ginsim.inference.measures import Measure, mean, share

__all__ = ["GIN"]

ENDINGS_SHOWN = {
    "knock": ("knock",), "gin": ("gin", "big_gin"), "undercut": ("undercut",), "nobody": ("dead", "stalled", "push"),
}  # fmt: skip
MEASURES = {
    "points": mean("points scored per hand", "points"),
    "knock": share("hands won by a knock"),
    "gin": share("hands ending in gin"),
    "undercut": share("hands undercut"),
    "dead": share("hands dead or stalled"),
    "turns": mean("turns per hand", "turns", TURNS_UNIT),
    "starter": Measure("starter's share of wins", "%", "ratio", 1),
}
GAME_MEASURES = {
    "hands_per_game": mean("hands per game", "hands", HANDS_UNIT),
    "game_points": mean("points a game is won by", "points", GAME_UNIT),
}


class _Gin(Game):
    plain_player = "simple"
    rules, repertoire, session = Rules, REPERTOIRE, GinSession
    hand_columns, game_columns, endings = H.COLUMNS, G.COLUMNS, H.ENDINGS
    nobody = frozenset(("dead", "stalled", "push"))
    endings_shown = ENDINGS_SHOWN
    turn_tables = TURN_TABLES | CARD_TABLES
    measures, game_measures = MEASURES, GAME_MEASURES
    headline = ("points",)
    foremost = ("points", "gin", "undercut", "dead", "turns", "starter")
    effect_sums = (
        *MEANS, *(f"{name}_difference_sq" for name in MEANS), "own_points", "own_points_sq", "starter_sq", "starter_x_decided",
        "decided_sq", "starter_x_base_starter", "starter_x_base_decided", "decided_x_base_starter", "decided_x_base_decided",
    )  # fmt: skip
    extras = frozenset(("luck", "turns", "odds", "sightings", "pictures", "courses", "training"))

    @property
    def hand_tally(self) -> tuple[str, ...]:
        return HAND_TALLY

    @property
    def measured(self) -> tuple[str, ...]:
        return MEANS

    def with_later_sums(self, sums: dict[str, int]) -> dict[str, int]:
        """How often both plays of a pair ended alike was not kept once: as if they always had, so no interval is too narrow."""
        if sums.keys() != {name for name in HAND_TALLY if "_both" not in name}:
            return sums
        found = dict(sums)
        for ending in H.ENDINGS:
            hands = [sums[f"{ending}_{player}"] for player in (0, 1)]
            found |= {f"{ending}_both_{player}": count // 2 for player, count in enumerate(hands)}
            found[f"{ending}_both"] = sum(hands) // 2
        return {name: found[name] for name in HAND_TALLY}

    def scores(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        winner, points = records[:, H.WINNER], records[:, H.POINTS]
        gain = np.where(winner == 0, points, np.where(winner == 1, -points, 0))
        return np.stack([gain, -gain], axis=1)

    def winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        return records[:, H.WINNER]

    def starter_won(self, records: np.ndarray) -> np.ndarray:
        found: np.ndarray = records[:, H.WINNER] == records[:, H.STARTER]
        return found

    def margins(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        margin = records[:, G.MARGIN]
        return np.stack([margin, -margin], axis=1)

    def gains(self, records: np.ndarray) -> np.ndarray:
        return records[:, H.POINTS]

    def measure(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        out = np.zeros((len(records), len(MEANS)), np.int64)
        measures_of(records, out)
        return unit_sums(out, len(lineups))

    aim = share("games won", 2)

    def aimed(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        return outcomes(records, rules.target)

    def aim_of(self, sums: np.ndarray, rules: Any) -> float:
        return start_odds(sums, rules)

    def most_points(self, rules: Any) -> int:
        return int(rules.most_points)

    def replay(self, players: Sequence[Strategy], rules: Any, seed: int, deal: int, play: int) -> Any:
        return replay_hand(players, rules, seed, deal, play)

    def advise(self, rules: Any, **moment: Any) -> Any:
        check_known(moment, rules, self.title, read_position, advise_in_words)
        return advise_in_words(rules, **moment)


GIN = _Gin()
"""Two-player gin."""
