"""What is told of a decision of the table game that was illegal or failed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ginsim.cards import format_hand
from ginsim.errors import StrategyError, said
from ginsim.games.plugin import NoMoveError
from ginsim.games.table import records as H
from ginsim.games.table.hand import RECORD
from ginsim.games.table.rules import TableRules
from ginsim.games.table.spec import TableStrategy
from ginsim.games.table.view import TableView

__all__ = ["guarded", "illegal"]

EXPECTED = {
    "draw": "0 for the stock, or a number of pile cards that leaves a legal turn",
    "play": "1 with a legal plan: melds and lay-offs that use the deepest card taken, and a discard that is not banned",
    "claim": "0, or 1 with the card laid off or in one new meld",
}


def guarded(player: TableStrategy, rules: TableRules, seed: int, t: Any) -> list[Callable[..., int]]:
    """The decisions (interpreted) of a player at the table ``t``, whose own exceptions are told as errors of the strategy."""

    def guard(i: int, function: Callable[..., int]) -> Callable[..., int]:
        def decide(view: np.ndarray, params: np.ndarray) -> int:
            try:
                return int(function(view, params))
            except KeyboardInterrupt:
                raise
            except NoMoveError as answer:
                what = f"strategy {player}: illegal {H.ERRORS[i + 1]} decision {answer} (expected {EXPECTED[H.ERRORS[i + 1]]})"
                raise StrategyError(f"{what}; {_situation(rules, seed, t, TableView(view))}") from None
            except BaseException as error:
                what = f"strategy {player}: the {H.ERRORS[i + 1]} decision raised {type(error).__name__}: {said(error)}"
                raise StrategyError(f"{what}; {_situation(rules, seed, t, TableView(view))}") from error

        return decide

    return [guard(i, function) for i, function in enumerate(player.decisions)]


def illegal(name: str, rules: TableRules, seed: int, t: Any) -> StrategyError:
    """The error of the decision that the record of the table ``t`` tells of; ``name`` is whose it was."""
    record = t[RECORD]
    kind, view = H.ERRORS[record[H.ERROR]], TableView(t[int(record[H.ERROR_SEAT])])
    plan = f" with {view.plan_text()}" if kind != "draw" and record[H.ANSWER] == 1 else ""
    what = f"illegal {kind} decision {int(record[H.ANSWER])}{plan} (expected {EXPECTED[kind]})"
    return StrategyError(f"strategy {name}: {what}; {_situation(rules, seed, t, view)}")


def _situation(rules: TableRules, seed: int, t: Any, view: TableView) -> str:
    """What a player was asked about, and where to find it again."""
    cards = {"hand": view.hand, "banned": view.banned, "must play": view.deepest, "discard": view.card}
    table = " | ".join(format_hand(meld) for meld in view.table) or "none"
    pile = " ".join(format_hand(card) for card in view.pile[-5:]) or "none"
    held = ", ".join(f"{name} {format_hand(mask)}" for name, mask in cards.items() if mask or name == "hand")
    return (
        f"{held}, table {table}, pile (top last) {pile}, seat {view.seat}, turn {view.turn + 1}, deal {int(t[RECORD, H.DEAL])}, "
        f"seed {seed}, rules {rules}"
    )
