"""A hand as it was written down, whole or as far as one player knew it: a plain value, whatever notation it came from.

Nothing in it is checked against the rules; that is what `ginsim.games.gin.recorded.walk.walk` is for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ginsim.games.gin.recorded.writing import as_text
from ginsim.games.gin.rules import PRESETS, Rules

__all__ = ["BIG_GIN", "GIN", "KNOCK", "UNFINISHED", "RecordedHand", "Result", "Shown", "Turn"]

KNOCK, GIN, BIG_GIN = "knock", "gin", "big gin"
UNFINISHED = "unfinished"
Action = Literal["pass", "take", "draw", "discard"]


@dataclass(frozen=True)
class Turn:
    """A turn, or a refusal of the first upcard or of the last discard; a card is a mask of one bit.

    Attributes
    ----------
    player : int
        0 or 1.
    action : {'pass', 'take', 'draw', 'discard'}
        How it began: with a refusal, with the top of the pile, with a card from the stock; or it was a discard only, which is the
        first turn where the starter is dealt one card more.
    drawn : int
        The card taken or drawn; 0 if it is not known, or there is none.
    discard : int
        0 if it is not known, if there is none (big gin), or if the record ends before it.
    ending : str
        ``knock``, ``gin`` or ``big gin`` if the turn ended the hand so.
    """

    player: int
    action: Action
    drawn: int = 0
    discard: int = 0
    ending: str = ""
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where in its source the turn is (``turn``), and what it is made of (``drawn``, ``discard``, ``ending``), for messages."""

    def place(self, part: str = "turn") -> str:
        """Where a part of it was written, as messages name it; empty if that is not known."""
        return self.places.get(part) or self.places.get("turn", "")


@dataclass(frozen=True)
class Shown:
    """What a player laid down, or showed, when the hand was over; sets of cards are masks.

    Attributes
    ----------
    melds : tuple of int or None
        None if they were not written down.
    laid_off : int
        Cards laid off on the opponent's melds.
    unmatched : int or None
        None if they were not written down.
    """

    melds: tuple[int, ...] | None = None
    laid_off: int = 0
    unmatched: int | None = None

    @property
    def cards(self) -> int:
        """All cards that were shown."""
        return sum(self.melds or ()) | self.laid_off | (self.unmatched or 0)


@dataclass(frozen=True)
class Result:
    """How the hand ended: as one of ``ginsim.games.gin.records.ENDINGS``, ``unfinished``, or not said (an empty text).

    ``winner`` is -1 if nobody won.
    """

    ending: str = ""
    winner: int = -1
    points: int = 0


@dataclass(frozen=True)
class RecordedHand:
    """A hand that was written down; ``str`` writes it in ginsim's notation (``ginsim.games.gin.recorded.notation``).

    Attributes
    ----------
    rules : Rules
    names : (str, str)
        Players 0 and 1.
    score, boxes : (int, int)
        Points and hands won of both in the game before the hand.
    starter : int
        The player who acts first; the other one dealt.
    dealt : (int or None, int or None)
        The hands as dealt (masks), None if not known.
    upcard : int
        The first upcard; 0 if the rules have none.
    turns : tuple of Turn
    shown : (Shown or None, Shown or None)
        What each showed at the end.
    result : Result or None
        As it was written down.
    game, note : str
        The game that the hand belongs to, and whatever else was said.
    """

    rules: Rules = PRESETS["classic25"].rules
    names: tuple[str, str] = ("A", "B")
    score: tuple[int, int] = (0, 0)
    boxes: tuple[int, int] = (0, 0)
    starter: int = 0
    dealt: tuple[int | None, int | None] = (None, None)
    upcard: int = 0
    turns: tuple[Turn, ...] = ()
    shown: tuple[Shown | None, Shown | None] = (None, None)
    result: Result | None = None
    game: str = ""
    note: str = ""
    places: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    """Where in its source each field is, for messages."""

    @property
    def knocker(self) -> int:
        """The player who knocked, went gin or laid down big gin; -1 if nobody did."""
        return self.turns[-1].player if self.turns and self.turns[-1].ending else -1

    def __str__(self) -> str:
        return as_text(self)
