"""What a walk through a recorded hand finds: decisions, faults, the outcome."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ginsim.errors import InputError
from ginsim.games.gin import view as V
from ginsim.games.gin.position import Position
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.recorded.knowledge import Known
from ginsim.games.gin.recorded.showdown import Outcome
from ginsim.games.gin.rules import Rules

__all__ = ["DISCARD", "DRAW", "KNOCK", "LAY_OFF", "MELDS", "UPCARD", "Decision", "Fault", "Walk"]

UPCARD, DRAW, DISCARD, KNOCK, MELDS, LAY_OFF = "upcard", "draw", "discard", "knock", "melds", "lay off"


@dataclass(frozen=True, eq=False)
class Decision:
    """A decision of a recorded hand.

    Attributes
    ----------
    turn : int
        Position in ``RecordedHand.turns``; one behind the last for what was laid down at the end, and for a last discard that was
        left without a word.
    player : int
    kind : {'upcard', 'draw', 'discard', 'knock', 'melds', 'lay off'}
        ``discard`` includes the knock; ``knock`` comes beside it where a knock, or big gin, is legal; ``melds`` and ``lay off``
        come where the record says what was done.
    action : str
        What was done, in the words of ``ginsim.games.gin.advice.Choice``: ``take``, ``draw`` or ``pass``; ``discard``, ``knock``
        or ``big gin``; otherwise as ``kind``.
    cards : tuple of int
        The card taken or discarded, the melds laid out, the cards laid off (a mask).
    view : int64[V.SIZE]
        What the player saw, as a strategy is shown it (with no random stream, and an empty memory).
    rules : Rules
    fault : str
        What rule it breaks; only in a lenient walk.
    """

    turn: int
    player: int
    kind: str
    action: str
    cards: tuple[int, ...]
    view: np.ndarray
    rules: Rules
    fault: str = ""

    @property
    def position(self) -> Position:
        """The moment as ``ginsim.games.gin.advice.advise_on`` takes it: of an upcard, a draw or a discard (and knock)."""
        if self.kind not in (UPCARD, DRAW, DISCARD):
            raise InputError(f"position: there is none at the decision {self.kind}; there is at {UPCARD}, {DRAW} and {DISCARD}")
        return Position(self.rules, self.view, int(self.view[V.STOCK]), turns_known=True)


@dataclass(frozen=True)
class Fault:
    """A rule that was broken, or something that cannot be: the turn (one behind the last: the end), where, and what."""

    turn: int
    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@dataclass(frozen=True)
class Walk:
    """What a walk through a recorded hand found.

    Attributes
    ----------
    hand : RecordedHand
    decisions : tuple of Decision
        Those of players whose cards were known then, in order.
    known : Known
        Both hands at every moment, and the cards drawn, as far as they can be worked out.
    outcome : Outcome or None
        By the rules, from what was laid out; as the record says it, if not all cards are known; None if the hand did not end.
    faults : tuple of Fault
        Empty unless the walk is lenient.
    """

    hand: RecordedHand
    decisions: tuple[Decision, ...]
    known: Known
    outcome: Outcome | None
    faults: tuple[Fault, ...]

    @property
    def marks(self) -> dict[int, str]:
        """What is wrong with each turn, for ``ginsim.games.gin.recorded.writing.as_text``."""
        found: dict[int, list[str]] = {}
        for fault in self.faults:
            found.setdefault(fault.turn, []).append(f"not allowed: {fault.text}")
        return {turn: "\n".join(texts) for turn, texts in found.items()}
