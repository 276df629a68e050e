"""A whole game in one file: each player gets a card and may change it once; the higher card wins the difference and a bonus."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from ginsim.errors import StrategyError
from ginsim.games.base import GAME_TALLY, HANDS, Game, Session, game_sums, hand_sums, unit_sums
from ginsim.games.decisions import Decision, Param
from ginsim.games.families import Family, Repertoire
from ginsim.games.rules import RulesModel
from ginsim.inference.measures import mean, share
from ginsim.jit import njit
from ginsim.specs import format_spec


class ToyRules(RulesModel):
    GAME, CHANGE = "toy", "ranks=10"
    TITLE = "the toy game"

    ranks: int = Field(13, ge=2, le=99, description="ranks of the cards")
    bonus: int = Field(5, ge=0, le=50, description="points for a hand won")
    target: int = Field(40, ge=1, le=1000, description="points that win a game")

    def _without_effect(self) -> dict[str, str]:
        return {}

    def _check_together(self) -> None:
        pass

    @classmethod
    def presets(cls) -> dict[str, Any]:
        return PRESETS

    def __str__(self) -> str:
        return format_spec("toy", {name: value for name, value in self if value != type(self).model_fields[name].default})


class _Preset:
    description, rules = "the higher card wins", ToyRules()


PRESETS = {"toy": _Preset}


@njit
def keep_above(view, params):
    """Keep a card of at least ``least``."""
    return np.int64(view[0] >= params[0])


def as_played(player: Any) -> Any:
    return (lambda view, params: int(player.keep(view)),)


REPERTOIRE = Repertoire(
    ToyRules.GAME, ToyRules.TITLE, {"keep": "keep"}, {"keep": "1 to keep the card, 0 to change it"}, {"keep": 0},
    {("keep", "above"): Decision("keep", "above", keep_above, (Param("least", 7, 0, 99, "lowest card that is kept"),))},
    {}, as_played,
)  # fmt: skip


class ToyFamily(Family):
    REPERTOIRE = REPERTOIRE


REPERTOIRE.families["keeper"] = ToyFamily("keeper", "keeps cards that are high enough", (("above",),))


class ToySession(Session):
    columns = property(lambda self: TOY.hand_columns if self.phase == HANDS else TOY.game_columns)  # type: ignore[assignment]
    deal = 0  # type: ignore[assignment]

    def new_table(self) -> np.ndarray:
        return np.zeros((2, 2), np.int64)

    def seated(self) -> Any:
        slots = [self.guarded(p) if self.form == "python" else p.slots for p in self.players]
        return np.stack([player.array for player in self.players]), slots

    def prepare(self) -> None:
        self._sums = np.zeros(len(TOY.hand_tally if self.phase == HANDS else GAME_TALLY), np.int64)

    def _hand(self, rng: Any, lineup: np.ndarray) -> np.ndarray:
        """The cards shown at the end, by seat."""
        cards = rng.integers(1, self.rules.ranks + 1, 4)
        for seat in range(2):
            self.t[seat] = cards[seat], self.rules.ranks
            answer = self.slots[lineup[seat]][0](self.t[seat], self.params[lineup[seat]])
            if answer not in (0, 1):
                raise self.refused(self.players[lineup[seat]], 0, str(answer), self.t[seat])
            cards[seat] = cards[seat] if answer else cards[2 + seat]
        return cards[:2]

    def run(self, first: int, count: int) -> int:
        row = 0
        for index in range(first, first + count):
            for play, lineup in enumerate(self.lineups):
                rng, score, hands = np.random.default_rng((self.seed, index, self.phase == HANDS)), np.zeros(2, np.int64), 0
                while hands == 0 or (self.phase != HANDS and max(score) < self.rules.target and hands < 200):
                    high, low = self._hand(rng, lineup)
                    hands += 1
                    gain = np.sign(high - low) * (abs(high - low) + self.rules.bonus)
                    score += [gain, -gain]
                winner = -1 if score[0] == score[1] else int(score.argmax())
                if self.phase == HANDS:
                    self.records[row] = index, play, winner < 0, winner, 2, *score, 0
                else:
                    self.records[row] = index, play, -1 if winner < 0 else lineup[winner], hands, hands, *score, winner < 0, 0
                row += 1
        return row

    def count(self, records: np.ndarray) -> None:
        add = hand_sums if self.phase == HANDS else game_sums
        self._sums += add(TOY, records, self.lineups, len(self.players))

    sums = property(lambda self: self._sums)  # type: ignore[assignment]

    def illegal(self) -> StrategyError:
        raise AssertionError

    def situation(self, view: np.ndarray) -> str:
        return f"card {view[0]} of {view[1]}, seed {self.seed}"


MEASURES = {"points": mean("points to the winner per hand", "points"), "even": share("hands that nobody won")}
GAME_MEASURES = {"hands_per_game": mean("hands per game", "hands"), "game_points": mean("points of the winner", "points")}


class Toy(Game):
    plain_player = "keeper"
    rules, repertoire, session = ToyRules, REPERTOIRE, ToySession
    hand_columns = ("deal", "play", "ending", "winner", "turns", "score_0", "score_1", "error")
    game_columns = ("game", "play", "winner", "hands", "scored", "score_0", "score_1", "unfinished", "error")
    endings, nobody, endings_shown = ("won", "even"), frozenset(("even",)), {"won": ("won",), "even": ("even",)}
    measures, game_measures = MEASURES, GAME_MEASURES
    effect_sums = ("points", "even", "points_difference_sq", "even_difference_sq", "own_points", "own_points_sq")

    def scores(self, records: np.ndarray, lineups: np.ndarray, sides: int) -> np.ndarray:
        sits, points = np.tile(lineups, (len(records) // len(lineups), 1)), records[:, 5:7]
        return np.stack([np.where(sits == side, points, 0).sum(axis=1) for side in range(sides)], axis=1)

    margins = scores

    def winners(self, records: np.ndarray, lineups: np.ndarray) -> np.ndarray:
        sits = np.tile(lineups, (len(records) // len(lineups), 1))
        return np.where(records[:, 3] >= 0, sits[np.arange(len(records)), records[:, 3]], -1)

    def starter_won(self, records: np.ndarray) -> np.ndarray:
        return records[:, 3] == 0

    def measure(self, records: np.ndarray, lineups: np.ndarray, rules: Any) -> np.ndarray:
        return unit_sums(np.stack([records[:, 5:7].max(axis=1), records[:, 2]], axis=1), len(lineups))

    def most_points(self, rules: Any) -> int:
        return rules.ranks + rules.bonus


TOY = Toy()
