"""One hand of the table game with everything that happened in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ginsim.errors import InputError, listed
from ginsim.games.base import HANDS
from ginsim.games.strategy import Strategy
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.games.table.hand import DECK, DECK_SIZE
from ginsim.games.table.hand import deal as deal_cards
from ginsim.games.table.play import TableSession
from ginsim.games.table.rules import TableRules


class Trace(NamedTuple):
    """A hand: the deck as shuffled at first, the log (``LOG_COLUMNS``), the record by the names of its columns."""

    deck: np.ndarray
    log: np.ndarray
    record: dict[str, int]


def trace(
    strategies: str | Strategy | Sequence[str | Strategy],
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
    one = not isinstance(strategies, list | tuple)
    given: list[Any] = [strategies] * played.players if one else listed("strategies", strategies, "strategies")
    if len(given) != played.players:
        raise InputError(f"strategies: {len(given)} given; the table has players={played.players}")
    players = [Strategy.parse(strategy, "table") for strategy in given]
    lineup = np.zeros((1, R.MOST_SEATS), np.int64)
    lineup[0, : played.players] = range(played.players)
    session = TableSession(players, played, seed, HANDS, lineup, 1, "log")
    records = session.play(deal, 1)
    deal_cards(session.t, seed, deal)
    record = dict(zip(H.COLUMNS, records[0].tolist(), strict=True))
    return Trace(session.t[DECK, :DECK_SIZE].copy(), session.log[: record["turns"] + record["claims"]], record)
