"""A table of two-player gin at which pairs of hands, or of games, are played and counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginsim.cards import format_hand
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import StrategyError
from ginsim.games.base import GAME_TALLY, HANDS, Session, stacked
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import records as H
from ginsim.games.gin.cardcount import CardTally
from ginsim.games.gin.count import HAND_TALLY, LUCK_SUMS, tally_games, tally_hands, tally_luck
from ginsim.games.gin.ends import END_SIZE
from ginsim.games.gin.hand import RECORD, new_table
from ginsim.games.gin.kernels import games_kernel, hands_kernel
from ginsim.games.gin.luck import LUCK_SIZE, luck_kernel
from ginsim.games.gin.match import COLUMN_SIZE, COLUMNS
from ginsim.games.gin.turncount import TurnTally
from ginsim.games.gin.turns import MOST_TURNS, TURN_SIZE, turns_kernel
from ginsim.games.gin.view import View

__all__ = ["GinSession"]


class GinSession(Session):
    """Duplicate pairs: side 0 starts the first play of each, side 1 the second.

    With ``extra`` luck or turns the sums of hands go on with those for control variates, or the tables of ``turncount`` and
    ``cardcount``.
    """

    @property
    def columns(self) -> tuple[str, ...]:
        return H.COLUMNS if self.phase == HANDS else G.COLUMNS

    def new_table(self) -> np.ndarray:
        a, b = self.players
        return new_table(self.rules.array(), (*a.numbers, *b.numbers))

    def seated(self) -> tuple[np.ndarray, Any]:
        a, b = self.players
        params = stacked(self.players)
        if self.form == "numbers":
            return params, ()
        return params, (a.slots, b.slots) if self.form == "slots" else [self.guarded(a), self.guarded(b)]

    def prepare(self) -> None:
        self.scratch: tuple[np.ndarray, ...] = ()
        self.tables: tuple[TurnTally | CardTally, ...] = ()
        most = len(self.records)
        if self.phase != HANDS:
            self.kernel = games_kernel(self.form)
            self.scratch = np.zeros((COLUMNS, COLUMN_SIZE), np.int64), np.zeros(2, np.int64)  # score sheet, reach
        elif self.extra == "luck":
            self.kernel, self.scratch = luck_kernel(self.form), (np.zeros((most, LUCK_SIZE), np.int64),)
        elif self.extra == "turns":
            ends = np.zeros((most, END_SIZE), np.int64)
            self.kernel, self.scratch = turns_kernel(self.form), (np.zeros((most * MOST_TURNS, TURN_SIZE), np.int64), ends)
            self.tables = TurnTally(), CardTally()
        else:
            self.kernel = hands_kernel(self.form)
        self._own = np.zeros(len(HAND_TALLY if self.phase == HANDS else GAME_TALLY), np.int64)
        self._luck = np.zeros(LUCK_SUMS if self.extra == "luck" else 0, np.int64)

    def run(self, first: int, count: int) -> int:
        return int(self.kernel(self.t, self.seed, first, count, self.params, self.slots, self.records, *self.scratch))

    def count(self, records: np.ndarray) -> None:
        rows = len(records)
        if self.phase != HANDS:
            tally_games(records, rows, self._own)
            return
        tally_hands(records, rows, self._own)
        if self.extra == "luck":
            tally_luck(records, self.scratch[0], rows, np.zeros(1 + LUCK_SIZE, np.int64), self._luck)
        for table in self.tables:
            table.add(records, rows, *self.scratch)

    @property
    def sums(self) -> np.ndarray:
        return np.concatenate((self._own, *(table.flat() for table in self.tables), self._luck))

    def kept(self, records: np.ndarray) -> np.ndarray:
        return np.hstack((records, self.scratch[0][: len(records)])) if self.extra == "luck" else records.copy()

    @property
    def deal(self) -> int:
        index = int(self.t[RECORD, H.DEAL])
        return index if self.phase == HANDS else (index - GAME_BASE) // HANDS_PER_GAME

    def illegal(self) -> StrategyError:
        record = self.t[RECORD]
        player, answer = int(record[H.KNOCKER]), int(record[H.POINTS])
        kind, strategy = H.ERRORS[record[H.ERROR]], self.players[player]
        if answer == H.TAMPERED:
            text = f"the {kind} decision wrote to slots of the view that belong to the engine (its own are random and memory)"
            return StrategyError(f"strategy {strategy}: {text}; {self.situation(self.t[player])}")
        return self.refused(strategy, strategy.repertoire.kinds.index(kind), str(answer), self.t[player])

    def situation(self, view: np.ndarray) -> str:
        record, seen = self.t[RECORD], View(view)
        banned = f" banned {format_hand(seen.banned)}," if seen.banned else ""
        return (
            f"hand {format_hand(seen.hand)},{banned} upcard {format_hand(seen.upcard) or 'none'}, own turn {seen.turn + 1}, "
            f"deal {int(record[H.DEAL])}, play {int(record[H.PLAY])}, seed {self.seed}, rules {self.rules}"
        )
