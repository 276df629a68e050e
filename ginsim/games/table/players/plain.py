"""Strategies of the table game in plain Python, in the form that the interpreted engine calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ginsim.cards import parse_hand
from ginsim.errors import NoMoveError, shown
from ginsim.games.table import view as V
from ginsim.games.table.view import TableView

__all__ = ["as_played"]


def as_played(player: Any) -> tuple[Callable[..., int], ...]:
    """The decisions draw, play and claim of an object with these methods.

    ``draw`` returns 0 for the stock or the number of pile cards; ``play`` returns ``(melds, discard)`` with the discard as a
    mask or text (0 or None: none); ``claim`` returns None to pass, or ``melds``. Melds map the number of a meld to the cards
    added to it; new melds go on counting from ``len(view.table)``.
    """

    def draw(array: np.ndarray, params: np.ndarray) -> int:
        answer = player.draw(TableView(array))
        if not isinstance(answer, int | np.integer) or not 0 <= int(answer) < 1 << 62:
            raise NoMoveError(shown(answer))
        return int(answer)

    def play(array: np.ndarray, params: np.ndarray) -> int:
        view = TableView(array)
        return _written(view, answer := player.play(view), answer)

    def claim(array: np.ndarray, params: np.ndarray) -> int:
        view = TableView(array)
        melds = player.claim(view)
        return 0 if melds is None else _written(view, (melds, 0), melds)

    return draw, play, claim


def _written(view: TableView, plan: Any, answer: Any) -> int:
    """Write a plain-Python plan into the view; always 1."""
    try:
        melds, discard = plan
        numbered = {int(number): parse_hand(cards) for number, cards in melds.items()}
        card = parse_hand(discard or 0)
    except (AttributeError, TypeError, ValueError):
        raise NoMoveError(shown(answer)) from None
    if any(not 0 <= number < V.MOST_MELDS for number in numbered):
        raise NoMoveError(shown(answer))
    view.write(numbered, card)
    return 1
