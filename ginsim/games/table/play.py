"""Playing a range of deals of the table game: who sits where, the unit of work, and what is told of an illegal decision.

Two strategies sit alternately, and each deal (or game) is played twice with all of them changing sides: each strategy plays
every seat on the same cards, and what the cards and the seats give falls to both. With three or five players one of them has a
seat more, in the other play the other.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import StrategyError
from ginsim.games.table import gamerecords as G
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table.count import (
    EFFECT_TALLY,
    GAME_TALLY,
    MEASURES,
    TABLE_TALLY,
    tally_table,
    tally_table_effect,
    tally_table_games,
)
from ginsim.games.table.faults import guarded, illegal
from ginsim.games.table.hand import RECORD, new_table
from ginsim.games.table.kernels import games_kernel, hands_kernel
from ginsim.games.table.rules import TableRules
from ginsim.games.table.spec import TableStrategy
from ginsim.games.table.trace import Seats
from ginsim.simulation.play import BLOCK, GAMES, HANDS, Done, Work


def alternate(players: int) -> np.ndarray:
    """Seats of two strategies, alternately, and with all sides changed; int64[2, R.MOST_SEATS]."""
    lineups = np.zeros((2, R.MOST_SEATS), np.int64)
    lineups[0, 1:players:2] = 1
    lineups[1, 0:players:2] = 1
    return lineups


@dataclass(frozen=True)
class TableWork(Work):
    """Deals ``first`` … ``first + count - 1`` of hands or games of two strategies at one table, each played twice."""

    a: TableStrategy  # type: ignore[assignment]
    b: TableStrategy  # type: ignore[assignment]
    rules: TableRules  # type: ignore[assignment]

    def carry_out(self, keep: bool = False) -> Done:
        """Play it in this thread; ``keep`` also returns the records."""
        start = time.perf_counter()
        names, add = (TABLE_TALLY, tally_table) if self.phase == HANDS else (GAME_TALLY, tally_table_games)
        tally, m, kept = np.zeros(len(names), np.int64), np.zeros(len(MEASURES), np.int64), []
        lineups = alternate(self.rules.players)
        for records in play_blocks(self, (self.a, self.b), lineups):
            add(records, len(records), lineups, self.rules.players, m, tally)
            if keep:
                kept.append(records.copy())
        return Done(self, tally, time.perf_counter() - start, np.concatenate(kept) if keep else None)


@dataclass(frozen=True)
class TableEffectWork(Work):
    """Deals under ``rules`` and, from the same decks, under each of ``variants``, one strategy on all seats."""

    a: TableStrategy  # type: ignore[assignment]
    b: TableStrategy  # type: ignore[assignment]
    rules: TableRules  # type: ignore[assignment]
    variants: tuple[TableRules, ...] = ()

    def carry_out(self, keep: bool = False) -> Done:
        """Play the base and every variant; the tally holds one row a rule, the base first."""
        start = time.perf_counter()
        all_rules = (self.rules, *self.variants)
        out = np.zeros((len(all_rules), len(EFFECT_TALLY)), np.int64)
        m, v = np.zeros((2, len(MEASURES)), np.int64)
        lineup = np.zeros((1, R.MOST_SEATS), np.int64)
        for first in range(self.first, self.first + self.count, BLOCK):
            count = min(BLOCK, self.first + self.count - first)
            played = [
                np.concatenate([r.copy() for r in play_blocks(self.part(first, count), (self.a,), lineup, rules)])
                for rules in all_rules
            ]
            for row, rules, records in zip(out, all_rules, played, strict=True):
                tally_table_effect(played[0], self.rules.players, records, rules.players, count, m, v, row)
        return Done(self, out.ravel(), time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played under all rules."""
        return self.count * (1 + len(self.variants))


def play_blocks(work: Work, players: tuple[TableStrategy, ...], lineups: np.ndarray, rules: TableRules | None = None) -> Any:
    """Play a piece of work and yield the records, one row a play, a block at a time (the array is used again).

    Raises
    ------
    StrategyError
        If a decision is illegal or fails; names the strategy, the decision, the situation and the deal.
    """
    played: Any = rules or work.rules
    seats = Seats(players)
    t = new_table(played.array())
    if seats.kind == "python":
        seats.slots = [guarded(player, played, work.seed, t) for player in players]
    try:
        yield from _blocks(work, players, lineups, played, seats, t)
    except (StrategyError, KeyboardInterrupt, GeneratorExit):  # or whoever reads the blocks has enough of them
        raise
    except BaseException:
        _find_culprit(work, players, lineups, played, t)
        raise


def _blocks(work: Work, players: tuple[TableStrategy, ...], lineups: np.ndarray, rules: TableRules, seats: Seats, t: Any) -> Any:
    hands = work.phase == HANDS
    kernel, width, error = (hands_kernel, H.SIZE, H.ERROR) if hands else (games_kernel, G.SIZE, G.ERROR)
    more = () if hands else (np.zeros(R.MOST_SEATS, np.int64),)
    records = np.zeros((len(lineups) * min(BLOCK, work.count), width), np.int64)
    log, unchanged = np.zeros((0, L.SIZE), np.int64), seats.params.copy()
    for first in range(work.first, work.first + work.count, BLOCK):
        count = min(BLOCK, work.first + work.count - first)
        rows = kernel(seats.kind)(t, work.seed, first, count, lineups, seats.params, seats.slots, records, log, *more)
        if records[rows - 1, error]:
            raise _illegal(work, players, lineups, rules, t)
        if not np.array_equal(seats.params, unchanged):
            names = " or ".join(map(str, players))
            raise StrategyError(f"strategy {names}: a decision wrote to params, which are not its own")
        yield records[:rows]


def _find_culprit(work: Work, players: tuple[TableStrategy, ...], lineups: np.ndarray, rules: TableRules, t: Any) -> None:
    """After an exception in compiled code: play its deal or game again, interpreted, to say whose decision raised it."""
    deal = int(t[RECORD, H.DEAL])
    first = deal if work.phase == HANDS else max(deal - GAME_BASE, 0) // HANDS_PER_GAME
    again, seats = new_table(rules.array()), Seats(players)
    seats.kind = "python"
    seats.slots = [guarded(player, rules, work.seed, again) for player in players]
    for start, count in ((first, 1), (work.first, work.count)):
        list(_blocks(work.part(start, count), players, lineups, rules, seats, again))


def _illegal(work: Work, players: tuple[TableStrategy, ...], lineups: np.ndarray, rules: TableRules, t: Any) -> StrategyError:
    record = t[RECORD]
    names = " or ".join(dict.fromkeys(map(str, players)))
    if len(players) == 1 or work.phase == HANDS:
        names = str(players[lineups[record[H.PLAY], record[H.ERROR_SEAT]]])
    return illegal(names, rules, work.seed, t)


__all__ = ["GAMES", "TableEffectWork", "TableWork", "alternate", "play_blocks"]
