"""What a strategy may know: the slots of its view array, and a readable wrapper of it. Import it as ``V``: ``view[V.HAND]``.

A view is an ``int64`` array. It starts with the rules array (``ginsim.layout``), so the meld functions take a view
wherever they want meld constants, and ``R.LIMIT`` holds the knock limit in force. The rest is the player's knowledge.
Sets of cards are masks; a single card is a mask of one bit; 0 is no card.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.deals import random_index
from ginsim.games.gin import layout as R

HAND = D.SIZE
"""Own cards: ``hand_size`` of them, one more when a discard is to be chosen."""
UPCARD = 41
"""The top of the discard pile (0: the pile is empty); once taken, still that card until the discard."""
PILE = 42
"""All cards of the discard pile."""
OPP_HELD = 43
"""Cards the opponent took from the pile and still holds."""
OPP_PASSED = 44
"""Cards the opponent could have taken from the pile and did not."""
OPP_DISCARDS = 45
"""Cards the opponent has discarded."""
OWN_DISCARDS = 46
DRAWN = 47
"""The card drawn this turn (0 before the draw, and on a first turn that only discards)."""
BANNED = 48
"""Cards that may not be discarded this turn."""
CHOSEN = 49
"""At the knock decision: the card about to be discarded (0 for big gin)."""
DEADWOOD = 50
"""At the knock decision: the least deadwood of the cards kept."""
TURN = 51
"""Own turns completed before this one."""
STOCK = 52
"""Cards left in the stock."""
OFFER = 53
"""1 at the first decision about the upcard, where a refusal is no turn."""
WALL = 54
"""1 when the last discard may be taken, but only to knock with it."""
STARTER = 55
"""1 for the player who acts first in this hand."""
OWN_SCORE = 56
OPP_SCORE = 57
OWN_BOXES = 58
OPP_BOXES = 59
RANDOM = 60
"""State of the player's own random stream; ``random_below`` draws from it."""
MULTIPLIER = 61
"""What the points of this hand are multiplied by."""
TAKEN = 62
"""Cards taken from the discard pile so far."""
OPP_TURN = 63
"""The opponent's completed turns."""
OPP_KNOCKED = 64
"""In a game: the latest own turn (from 1) on which the opponent knocked, gin apart, in the hands before this one; 0 for none."""
MEMORY = 65
"""Sixteen slots that belong to the strategy; zero at the start of a hand, untouched by the engine."""
MEMORY_SIZE = 16
OWN_LOG = MEMORY + MEMORY_SIZE
"""Own moves, two slots a turn: the card drawn, the card discarded. Valid for the first ``TURN`` turns."""
LOG_TURNS = 201
OPP_LOG = OWN_LOG + 2 * LOG_TURNS
"""The opponent's moves, two slots a turn: the card taken from the pile (0: from the stock), the card discarded."""
BELIEF = OPP_LOG + 2 * LOG_TURNS
WORK = BELIEF + 64
"""Workspace of the decisions that look ahead, rows of ``LANES``: nothing in it outlasts a decision."""
LANES = 16
NOTES = WORK + 11 * LANES
"""Workspace of the learned decisions (``ginsim.games.gin.learned``)."""
NOTES_SIZE = 384
SIZE = NOTES + NOTES_SIZE

MAX_TURNS_ALLOWED = 2 * (LOG_TURNS - 1)
"""Longest hand, in turns of both players, that the logs have room for."""


class View:
    """A readable window on a view array, for strategies in plain Python.

    Attributes are the slots by name: ``view.hand``, ``view.upcard``, ``view.opp_held``, ``view.turn``, …; besides them
    ``view.limit`` (the knock limit in force), ``view.unseen``, the move lists, ``view.random(n)`` and ``view.array``.
    """

    __slots__ = ("array",)

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __getattr__(self, name: str) -> int:
        slot = _SLOTS.get(name)
        if slot is None:
            raise AttributeError(f"a view has no {name!r}; it has {', '.join(_SLOTS)}, unseen")
        return int(self.array[slot])

    def __dir__(self) -> list[str]:
        return [*_SLOTS, "array", "own_moves", "opp_moves", "random", "unseen"]

    @property
    def unseen(self) -> int:
        """Cards that are in the stock or, unknown to the player, in the opponent's hand."""
        return self.full & ~(self.hand | self.pile | self.opp_held | self.chosen)

    @property
    def own_moves(self) -> list[tuple[int, int]]:
        """(drawn, discarded) of each own turn."""
        return self._moves(OWN_LOG, self.turn)

    @property
    def opp_moves(self) -> list[tuple[int, int]]:
        """(taken from the pile or 0, discarded) of each turn of the opponent."""
        return self._moves(OPP_LOG, self.opp_turn)

    def random(self, n: Any) -> int:
        """A random index 0 … n - 1 from the player's own stream: the same run gives the same numbers."""
        return random_index(self.array, RANDOM, n)

    def _moves(self, start: int, turns: int) -> list[tuple[int, int]]:
        return [(int(self.array[at]), int(self.array[at + 1])) for at in range(start, start + 2 * turns, 2)]

    def as_dict(self) -> dict[str, Any]:
        """All named slots, for messages and reports."""
        return {name: int(self.array[slot]) for name, slot in _SLOTS.items()}


_SLOTS = {
    name.lower(): slot
    for name, slot in list(globals().items())
    if name.isupper() and len(name) > 1 and D.SIZE <= slot < MEMORY
} | {"limit": R.LIMIT, "full": D.FULL}
