"""What a player at the table may know: the slots of the view array, and a readable window on it. Import it as ``V``.

The array starts with the rules (``ginsim.games.table.layout``), so the meld functions take a view, and the engine's state, whose
public part has the same slots, wherever they want meld constants. Sets of cards are masks; a single card is a mask of one bit.
"""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.cards import format_hand
from ginsim.deals import random_index
from ginsim.errors import InputError
from ginsim.games.table import layout as R

MOST_MELDS = 17
"""Of three cards each, from 52."""
MEMORY_SIZE = 16

# What everybody at the table knows. Lists by seat hold ``R.MOST_SEATS`` entries.
TURN = D.SIZE
"""Turns completed in this hand, of all players."""
STOCK = TURN + 1
"""Cards left in the stock."""
RESHUFFLES = TURN + 2
PILE_SIZE = TURN + 3
MELDS = TURN + 4
"""Number of melds on the table."""
SETS = TURN + 5
"""All cards in sets on the table."""
RUNS = TURN + 6
"""All cards in runs on the table."""
COUNT = TURN + 7
"""By seat: cards in the hand."""
HELD = COUNT + R.MOST_SEATS
"""By seat: cards taken from the pile and still in the hand."""
TOOK = HELD + R.MOST_SEATS
"""By seat: all cards ever taken from the pile."""
CLAIMED = TOOK + R.MOST_SEATS
"""By seat: the cards claimed."""
DISCARDED = CLAIMED + R.MOST_SEATS
"""By seat: all cards ever discarded."""
REFUSED = DISCARDED + R.MOST_SEATS
"""By seat: cards that lay on top of the pile when the player drew from the stock."""
SCORE = REFUSED + R.MOST_SEATS
"""By seat: points in the game before this hand."""
MELD = SCORE + R.MOST_SEATS
"""Melds on the table as masks, in order of birth."""
PILE = MELD + MOST_MELDS
"""The discard pile as masks, bottom first."""
PUBLIC_END = PILE + 52

# What only the player knows, and what is asked.
SEAT = PUBLIC_END
HAND = SEAT + 1
TAKEN = SEAT + 2
"""At the play decision: cards taken from the pile this turn."""
DEEPEST = SEAT + 3
"""At the play decision: the card that must be melded or laid off this turn (0: none)."""
DRAWN = SEAT + 4
"""At the play decision: the cards drawn this turn, from wherever."""
BANNED = SEAT + 5
"""At the play decision: cards that may not be discarded."""
CARD = SEAT + 6
"""At the claim decision: the discard that may be claimed."""
RANDOM = SEAT + 7
"""State of the player's own random stream."""
MEMORY = SEAT + 8
"""Slots that belong to the strategy; zero at the start of a hand."""

# The plan, written by the play and claim decisions.
PLAN_DISCARD = MEMORY + MEMORY_SIZE
"""The discard (0: none, all cards are melded or laid off)."""
PLAN_MELDS = PLAN_DISCARD + 1
"""What is added to each meld on the table; after the last of these, new melds."""
WORK = PLAN_MELDS + MOST_MELDS
"""Workspace of the decisions that weigh many cards side by side, rows of ``LANES``: nothing in it outlasts a decision."""
LANES = 64
SIZE = WORK + 2 * LANES

_LISTS = ("count", "held", "took", "claimed", "discarded", "refused", "score")
_OF_RULES = ("hand_size", "players", "max_pile_draw", "ban", "claims", "out", "max_reshuffles", "max_turns", "blocked", "target")
_OF_VIEW = (
    "turn", "stock", "reshuffles", "pile_size", "melds", "sets", "runs", "seat", "hand", "taken", "deepest", "drawn", "banned",
    "card", "random",
)  # fmt: skip
_SLOTS = {
    **{name: int(getattr(R, name.upper())) for name in _OF_RULES},
    **{name: int(globals()[name.upper()]) for name in _OF_VIEW},
    "full": D.FULL,
    "count_rule": R.COUNT,
}


class TableView:
    """What a player may know at a decision.

    Attributes are the slots of `this module` by name: ``view.hand``, ``view.seat``, ``view.stock``, ``view.turn``,
    ``view.banned``, ``view.deepest``, ``view.card``, …. By seat: ``view.count``, ``view.held``, ``view.took``, ``view.claimed``,
    ``view.discarded``, ``view.refused``, ``view.score``. Besides: ``view.table`` (the melds), ``view.pile`` (bottom first),
    ``view.unseen``, ``view.random(n)``, ``view.array``. Sets of cards are masks.
    """

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getattr__(self, name: str) -> Any:
        if name in _LISTS:
            start = globals()[name.upper()]
            return [int(x) for x in self.array[start : start + self.players]]
        if name not in _SLOTS:
            raise AttributeError(f"a view of the table has no {name!r}; it has {', '.join(dir(self))}")
        return int(self.array[_SLOTS[name]])

    def __dir__(self) -> list[str]:
        return [*_SLOTS, *_LISTS, "array", "pile", "random", "table", "unseen"]

    @property
    def table(self) -> list[int]:
        """The melds on the table."""
        return [int(x) for x in self.array[MELD : MELD + self.melds]]

    @property
    def pile(self) -> list[int]:
        """The discard pile, bottom first."""
        return [int(x) for x in self.array[PILE : PILE + self.pile_size]]

    @property
    def unseen(self) -> int:
        """Cards in the stock or, unknown to the player, in the others' hands."""
        seen: int = reduce(or_, (self.hand, self.card, *self.table, *self.pile, *self.held))
        return int(self.full) & ~seen

    def random(self, n: Any) -> int:
        """A random index 0 … n - 1 from the player's own stream: the same run gives the same numbers."""
        return random_index(self.array, RANDOM, n)

    def write(self, melds: dict[int, int], discard: int) -> None:
        """Write a plan: what is added to which meld, by its number (new melds go on counting), and the discard (0: none)."""
        for number, cards in melds.items():
            self.array[PLAN_MELDS + number] = cards
        self.array[PLAN_DISCARD] = discard

    def plan_text(self) -> str:
        """The plan that stands in the view, in words."""
        cards = self.array[PLAN_MELDS : PLAN_MELDS + MOST_MELDS]
        parts = [f"{_named(mask)} {'laid off on' if i < self.melds else 'as'} meld {i}" for i, mask in enumerate(cards) if mask]
        return ", ".join([*parts, f"discard {_named(self.array[PLAN_DISCARD])}" if self.array[PLAN_DISCARD] else "no discard"])


def _named(mask: Any) -> str:
    """Cards by name, or the number that is no mask of cards."""
    try:
        return format_hand(int(mask))
    except InputError:
        return str(int(mask))
