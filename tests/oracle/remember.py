"""Rules of knocking that a person can remember, in plain Python, and what they come to hand by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """A turn on which somebody may knock, or the end of the hand: what side 0 gets if the hand ends here."""

    side: int
    turn: int
    deadwood: int
    unmatched: int
    worth: float
    theirs: float
    """Chance that it knocks if the other player decides."""


def says(family: str, a: int, until: int, turn: int, deadwood: int, unmatched: int) -> bool:
    """Whether a rule knocks."""
    early = turn <= until
    match family:
        case "at least":
            return early and deadwood >= a
        case "at most":
            return early and deadwood <= a
        case "gin first":
            return not early and deadwood <= a
        case "all, then few":
            return early or deadwood <= a
        case "above the turn":
            return early and deadwood >= turn + a
        case "unmatched":
            return early and unmatched >= a
        case "unmatched, at least":
            return early and unmatched >= 2 and deadwood >= a
        case "unmatched, then few":
            return unmatched >= 2 and (early or deadwood <= a)
        case "two with few":
            return (unmatched == 2 and deadwood <= a) or (unmatched > 2 and early)
    raise AssertionError(family)


def value(hand: Sequence[Row], player: int, knocks: Callable[[Row], bool]) -> float:
    """What side 0 gets of a hand in which ``player`` knocks by a rule and the other as the rows say."""
    first, *later = hand
    if not later:
        return first.worth
    chance = float(knocks(first)) if first.side == player else first.theirs
    return chance * first.worth + (1 - chance) * value(later, player, knocks)


def worth(hands: Sequence[Sequence[Row]], knocks: Callable[[Row], bool]) -> float:
    """What one who knocks by a rule gets a hand, in both seats."""
    total = sum(value(hand, 0, knocks) - value(hand, 1, knocks) for hand in hands)
    return total / (2 * len(hands))
