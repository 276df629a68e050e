"""A readable window on a view of the table game, for strategies in plain Python."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from ginsim.cards import format_hand
from ginsim.deals import random_index
from ginsim.errors import InputError
from ginsim.layout import R_FULL
from ginsim.table import layout
from ginsim.table.layout import MOST_MELDS, P_DISCARD, P_MELDS, S_MELD, S_PILE

_LISTS = ("count", "held", "took", "claimed", "discarded", "refused", "score")
_SLOTS = {
    name[2:].lower(): value
    for name, value in vars(layout).items()
    if name.startswith(("T_", "S_", "V_")) and name[2:].lower() not in (*_LISTS, "meld", "pile", "memory")
} | {"full": R_FULL, "count_rule": layout.T_COUNT}


class TableView:
    """What a player may know at a decision.

    Attributes are the slots of `ginsim.table.layout` by name: ``view.hand``, ``view.seat``, ``view.stock``, ``view.turn``,
    ``view.banned``, ``view.deepest``, ``view.card``, …. By seat: ``view.count``, ``view.held``, ``view.took``, ``view.claimed``,
    ``view.discarded``, ``view.refused``, ``view.score``. Besides: ``view.table`` (the melds), ``view.pile`` (bottom first),
    ``view.unseen``, ``view.random(n)``, ``view.array``. Sets of cards are masks.
    """

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getattr__(self, name: str) -> Any:
        if name in _LISTS:
            start = getattr(layout, f"S_{name.upper()}")
            return [int(x) for x in self.array[start : start + self.players]]
        if name not in _SLOTS:
            raise AttributeError(f"a view of the table has no {name!r}; it has {', '.join(dir(self))}")
        return int(self.array[_SLOTS[name]])

    def __dir__(self) -> list[str]:
        return [*_SLOTS, *_LISTS, "array", "pile", "random", "table", "unseen"]

    @property
    def table(self) -> list[int]:
        """The melds on the table."""
        return [int(x) for x in self.array[S_MELD : S_MELD + self.melds]]

    @property
    def pile(self) -> list[int]:
        """The discard pile, bottom first."""
        return [int(x) for x in self.array[S_PILE : S_PILE + self.pile_size]]

    @property
    def unseen(self) -> int:
        """Cards in the stock or, unknown to the player, in the others' hands."""
        seen: int = reduce(or_, (self.hand, self.card, *self.table, *self.pile, *self.held))
        return int(self.full) & ~seen

    def random(self, n: Any) -> int:
        """A random index 0 … n - 1 from the player's own stream: the same run gives the same numbers."""
        return random_index(self.array, layout.V_RANDOM, n)

    def write(self, melds: dict[int, int], discard: int) -> None:
        """Write a plan: what is added to which meld, by its number (new melds go on counting), and the discard (0: none)."""
        for number, cards in melds.items():
            self.array[P_MELDS + number] = cards
        self.array[P_DISCARD] = discard

    def plan_text(self) -> str:
        """The plan that stands in the view, in words."""
        cards = self.array[P_MELDS : P_MELDS + MOST_MELDS]
        parts = [f"{_named(mask)} {'laid off on' if i < self.melds else 'as'} meld {i}" for i, mask in enumerate(cards) if mask]
        return ", ".join([*parts, f"discard {_named(self.array[P_DISCARD])}" if self.array[P_DISCARD] else "no discard"])


def _named(mask: Any) -> str:
    """Cards by name, or the number that is no mask of cards."""
    try:
        return format_hand(int(mask))
    except InputError:
        return str(int(mask))
