"""One hand of the table game with everything that happened in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ginsim.errors import InputError, StrategyError, listed
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table.faults import guarded, illegal
from ginsim.games.table.hand import DECK, DECK_SIZE, new_table
from ginsim.games.table.hand import deal as deal_cards
from ginsim.games.table.kernels import hands_kernel
from ginsim.games.table.rules import TableRules
from ginsim.games.table.spec import TableStrategy


class Trace(NamedTuple):
    """A hand: the deck as shuffled at first, the log (``LOG_COLUMNS``), the record by the names of its columns."""

    deck: np.ndarray
    log: np.ndarray
    record: dict[str, int]


class Seats:
    """The strategies of a table as the kernels take them: parameters, decisions, and whether they are interpreted."""

    def __init__(self, players: Sequence[TableStrategy]) -> None:
        padded = [*players, *[players[0]] * (R.MOST_SEATS - len(players))]
        self.kind = "python" if any(player.kind == "python" for player in players) else "slots"
        self.params = np.stack([player.array for player in padded])
        self.slots: Any = tuple(player.slots for player in padded) if self.kind == "slots" else [p.decisions for p in padded]


def trace(
    strategies: str | TableStrategy | Sequence[str | TableStrategy],
    rules: str | TableRules = "house",
    seed: int = 0,
    deal: int = 0,
) -> Trace:
    """Play one hand and keep all of it.

    Parameters
    ----------
    strategies : one strategy for all seats, or one for each
    rules : str or TableRules
    seed, deal : int
        Which deal.

    Raises
    ------
    StrategyError
        If a decision is illegal or fails, as in a study.

    Examples
    --------
    >>> hand = trace("table_greedy", "house(players=3)", seed=1, deal=5)
    >>> len(hand.log) == hand.record["turns"] + hand.record["claims"]
    True
    """
    played = TableRules.parse(rules)
    one = isinstance(strategies, str | TableStrategy)
    given: list[Any] = [strategies] * played.players if one else listed("strategies", strategies, "strategies")
    if len(given) != played.players:
        raise InputError(f"strategies: {len(given)} given; the table has players={played.players}")
    players = [TableStrategy.parse(strategy) for strategy in given]
    seats = Seats(players)
    t = new_table(played.array())
    deal_cards(t, seed, deal)
    deck = t[DECK, :DECK_SIZE].copy()
    record, log = _played(players, seats, played, t, seed, deal)
    return Trace(deck, log, record)


def _played(
    players: Sequence[TableStrategy], seats: Seats, rules: TableRules, t: np.ndarray, seed: int, deal: int
) -> tuple[dict[str, int], np.ndarray]:
    """Record and log of the hand; what an exception in compiled code was is seen by playing it again, interpreted."""
    lineup = np.arange(R.MOST_SEATS, dtype=np.int64)[None, :]
    records, log = np.zeros((1, H.SIZE), np.int64), np.zeros((2 * rules.max_turns, L.SIZE), np.int64)
    if seats.kind == "python":
        seats.slots = [guarded(player, rules, seed, t) for player in players]
    try:
        hands_kernel(seats.kind)(t, seed, deal, 1, lineup, seats.params, seats.slots, records, log)
    except StrategyError:
        raise
    except Exception:
        if seats.kind == "slots":
            seats.kind = "python"
            _played(players, seats, rules, t, seed, deal)
        raise
    record = dict(zip(H.COLUMNS, records[0].tolist(), strict=True))
    if record["error"]:
        raise illegal(str(players[record["error_seat"]]), rules, seed, t)
    return record, log[: record["turns"] + record["claims"]]
