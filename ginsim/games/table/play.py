"""A table of two to six at which hands, or games, are played and counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginsim.cards import format_hand
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import StrategyError
from ginsim.games.base import GAME_TALLY, HANDS, Session, stacked
from ginsim.games.table import gamerecords as G
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table.count import MEASURED, TABLE_TALLY, tally_table, tally_table_games
from ginsim.games.table.hand import RECORD, new_table
from ginsim.games.table.kernels import games_kernel, hands_kernel
from ginsim.games.table.view import TableView

__all__ = ["TableSession"]


class TableSession(Session):
    """Deals played once for each lineup; with ``extra`` log the turns of the last hand stand in ``log``."""

    @property
    def columns(self) -> tuple[str, ...]:
        return H.COLUMNS if self.phase == HANDS else G.COLUMNS

    def new_table(self) -> np.ndarray:
        self.form = "slots" if self.form == "numbers" else self.form
        return new_table(self.rules.array())

    def seated(self) -> tuple[np.ndarray, Any]:
        players = [*self.players, *[self.players[0]] * (R.MOST_SEATS - len(self.players))]
        params = stacked(players)
        if self.form == "slots":
            return params, tuple(player.slots for player in players)
        return params, [self.guarded(player) for player in self.players]

    def prepare(self) -> None:
        hands = self.phase == HANDS
        self.kernel = (hands_kernel if hands else games_kernel)(self.form)
        self.log = np.zeros((2 * self.rules.max_turns if self.extra == "log" else 0, L.SIZE), np.int64)
        self._more = () if hands else (np.zeros(R.MOST_SEATS, np.int64),)
        self._own = np.zeros(len(TABLE_TALLY if hands else GAME_TALLY), np.int64)
        self._scratch = np.zeros(len(MEASURED), np.int64)

    def run(self, first: int, count: int) -> int:
        own = self.lineups, self.params, self.slots, self.records, self.log, *self._more
        return int(self.kernel(self.t, self.seed, first, count, *own))

    def count(self, records: np.ndarray) -> None:
        add = tally_table if self.phase == HANDS else tally_table_games
        add(records, len(records), self.lineups, self.rules.players, self._scratch, self._own)

    @property
    def sums(self) -> np.ndarray:
        return self._own

    @property
    def deal(self) -> int:
        index = int(self.t[RECORD, H.DEAL])
        return index if self.phase == HANDS else max(index - GAME_BASE, 0) // HANDS_PER_GAME

    def illegal(self) -> StrategyError:
        record = self.t[RECORD]
        kind, seat, answer = H.ERRORS[record[H.ERROR]], int(record[H.ERROR_SEAT]), int(record[H.ANSWER])
        names = " or ".join(dict.fromkeys(map(str, self.players)))
        if self.phase == HANDS:
            names = str(self.players[self.lineups[record[H.PLAY], seat]])
        view = self.t[seat]
        plan = f" with {TableView(view).plan_text()}" if kind != "draw" and answer == 1 else ""
        return self.refused(names, H.ERRORS.index(kind) - 1, f"{answer}{plan}", view)

    def situation(self, view: np.ndarray) -> str:
        seen = TableView(view)
        cards = {"hand": seen.hand, "banned": seen.banned, "must play": seen.deepest, "discard": seen.card}
        table = " | ".join(format_hand(meld) for meld in seen.table) or "none"
        pile = " ".join(format_hand(card) for card in seen.pile[-5:]) or "none"
        held = ", ".join(f"{name} {format_hand(mask)}" for name, mask in cards.items() if mask or name == "hand")
        return (
            f"{held}, table {table}, pile (top last) {pile}, seat {seen.seat}, turn {seen.turn + 1}, "
            f"deal {int(self.t[RECORD, H.DEAL])}, seed {self.seed}, rules {self.rules}"
        )
