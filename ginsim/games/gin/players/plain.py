"""Strategies of two-player gin in plain Python, in the form that the interpreted engine calls."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

import numpy as np

from ginsim.cards import parse_card
from ginsim.errors import InputError, NoMoveError, shown, told
from ginsim.games.gin.view import View

__all__ = ["as_played"]


def as_played(player: Any) -> tuple[Callable[..., int], ...]:
    """The decisions draw, discard and knock of an object with these methods."""
    return tuple(_decision(player, kind) for kind in ("draw", "discard", "knock"))


def _decision(player: Any, kind: str) -> Callable[[np.ndarray, np.ndarray], int]:
    with told(f"strategy {type(player).__name__}: {kind}"):
        method = getattr(player, kind)
    return lambda view, params: _as_int(method(View(view)), kind)


def _as_int(answer: Any, kind: str) -> int:
    """An answer as the engine takes it."""
    try:
        if isinstance(answer, str) and kind == "discard":
            return parse_card(answer)
        value = int(answer) if isinstance(answer, bool | np.bool_) else index(answer)
    except (InputError, TypeError):
        raise NoMoveError(shown(answer)) from None
    if not 0 <= value < 1 << 63:
        raise NoMoveError(shown(answer))
    return value
