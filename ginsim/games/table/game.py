"""The house-rules table game as a `Game`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from ginsim.games.base import Game, unit_sums
from ginsim.games.ranking import check_known
from ginsim.games.strategy import Strategy
from ginsim.games.table import gamerecords as G
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.games.table.advice import advise_at_table
from ginsim.games.table.count import MEASURED, TABLE_TALLY, TURN_PARTS, measures_of
from ginsim.games.table.play import TableSession
from ginsim.games.table.players.families import REPERTOIRE
from ginsim.games.table.replay import replay_hand
from ginsim.games.table.rules import TableRules
from ginsim.inference.estimates import GAME_UNIT, HANDS_UNIT, ONE_HAND, TURNS_UNIT
from ginsim.inference.measures import Measure, mean, share

__all__ = ["TABLE"]

MEASURES: dict[str, Measure] = {
    "points": mean("points scored per hand", "points"),
    "turns": mean("turns per hand", "turns", TURNS_UNIT),
    "own_turns": mean("turns of each player", "turns", TURN_PARTS, scale=1 / TURN_PARTS),
    "discard": share("ended by a discard"),
    "meld": share("ended by melding all"),
    "claim": share("ended by a claim"),
    "blocked": share("hands blocked"),
    "lowest": share("won by the lowest deadwood"),
    "reshuffles": mean("reshuffles per hand", "reshuffles", ONE_HAND),
    "claims": mean("claims per hand", "claims", ONE_HAND),
    "pile_draws": mean("pile draws per hand", "draws", ONE_HAND),
    "multi_draws": mean("draws of 2 cards or more", "draws per hand", ONE_HAND),
    "extra_cards": mean("pile cards beyond one", "cards per hand", ONE_HAND),
    "new_melds": mean("melds per hand", "melds", ONE_HAND),
    "laid_off": mean("cards laid off per hand", "cards", ONE_HAND),
    "seat_0": share("won by the starter"),
    **{f"seat_{seat}": share(f"won by seat {seat}") for seat in range(1, R.MOST_SEATS)},
}
"""What is measured of every hand; all are means over the hands dealt."""
GAME_MEASURES = {
    "hands_per_game": mean("hands per game", "hands", HANDS_UNIT),
    "game_points": mean("points of a game's winner", "points", GAME_UNIT),
}
PARTS = {
    "endings": ("discard", "meld", "claim", "blocked", "lowest"),
    "counts": ("claims", "pile_draws", "multi_draws", "extra_cards", "new_melds", "laid_off", "reshuffles"),
    "seats": tuple(name for name in MEASURES if name.startswith("seat_")),
}
ENDINGS_SHOWN = {name: (name,) for name in ("discard", "meld", "claim", "lowest", "blocked")}


class _Table(Game):
    plain_player = "table_greedy"
    rules, repertoire, session = TableRules, REPERTOIRE, TableSession
    hand_columns, game_columns, endings = H.COLUMNS, G.COLUMNS, H.ENDINGS
    nobody = frozenset(("blocked",))
    endings_shown = ENDINGS_SHOWN
    most_gain = 512
    measures = MappingProxyType({name: MEASURES[name] for name in MEASURED})
    game_measures = GAME_MEASURES
    headline = ("own_turns", "points")
    foremost = ("own_turns", "points", "seat_0", "blocked", "claims", "multi_draws")
    parts = PARTS
    effect_sums = (*MEASURED, *(f"{name}_sq" for name in MEASURED), *(f"{name}_difference_sq" for name in MEASURED))
    alone = True
    shown = ("claims", "multi_draws", "blocked")

    def seats(self, rules: Any) -> int:
        return int(rules.players)

    def width(self, rules: Any) -> int:
        return R.MOST_SEATS

    @property
    def hand_tally(self) -> tuple[str, ...]:
        return TABLE_TALLY

    def _by_side(self, by_seat: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        """Sums by side of what is known by seat."""
        sits = np.tile(lineups, (len(by_seat) // len(lineups), 1))
        return np.stack([np.where(sits == side, by_seat, 0).sum(axis=1) for side in range(sides)], axis=1)

    def scores(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        return self._by_side(records[:, H.SCORE : H.SCORE + R.MOST_SEATS], lineups, sides)

    def _side_of(self, seat: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        sits = np.tile(lineups, (len(seat) // len(lineups), 1))
        return np.where(seat >= 0, sits[np.arange(len(seat)), seat], -1)

    def winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        return self._side_of(records[:, H.WINNER], lineups)

    def game_winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        return self._side_of(records[:, G.WINNER], lineups)

    def starter_won(self, records: np.ndarray) -> np.ndarray:
        found: np.ndarray = records[:, H.WINNER] == 0
        return found

    def margins(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        scores = self._by_side(records[:, G.SCORE : G.SCORE + R.MOST_SEATS], lineups, sides)
        return np.where(records[:, [G.WINNER]] >= 0, scores, 0)

    def gains(self, records: np.ndarray) -> np.ndarray:
        return np.asarray(records[:, H.SCORE : H.SCORE + R.MOST_SEATS].max(axis=1))

    def game_measure(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        scores = np.where(records[:, [G.WINNER]] >= 0, records[:, G.SCORE : G.SCORE + R.MOST_SEATS], 0)
        return unit_sums(np.stack([records[:, G.HANDS], scores.max(axis=1)], axis=1), len(lineups))

    def measure(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        out = np.zeros((len(records), len(MEASURED)), np.int64)
        measures_of(records, int(rules.players), out)
        return unit_sums(out, len(lineups))

    def sum_of(self, measure: str) -> str:
        return "winner_points" if measure == "points" else measure

    def most_points(self, rules: Any) -> int:
        deck = 4 * (int(rules.ace_value) + sum(range(2, 11)) + 30)  # all the cards there are, in both plays of a pair
        return math.ceil(2 * deck / int(rules.players))

    def replay(self, players: Sequence[Strategy], rules: Any, seed: int, deal: int, play: int) -> Any:
        return replay_hand(players, rules, seed, deal, play)

    def advise(self, rules: Any, **moment: Any) -> Any:
        check_known(moment, rules, self.title, advise_at_table)
        return advise_at_table(rules=rules, **moment)


TABLE = _Table()
"""The house-rules table game for two to six."""
