"""What a record says of both hands at every moment: from the deal onwards, and back from what was shown at the end."""

from __future__ import annotations

from dataclasses import dataclass

from ginsim.games.gin.recorded.hand import BIG_GIN, RecordedHand, Turn

__all__ = ["Known", "known"]

Held = int | None
"""All cards of a hand, or None if one of them is not known."""


@dataclass(frozen=True)
class Known:
    """What is known of a recorded hand.

    Attributes
    ----------
    hands : tuple of (int or None, int or None)
        Both hands before each turn, and at the end; None if not all cards are known.
    drawn, discards : tuple of int
        The card of each turn; 0 if there is none, or it is not known.
    """

    hands: tuple[tuple[Held, Held], ...]
    drawn: tuple[int, ...]
    discards: tuple[int, ...]


def known(hand: RecordedHand) -> Known:
    """What can be worked out: a draw that was not noted, say, if the hands before and after it are known."""
    columns = [_column(hand, player) for player in range(2)]
    drawn, discards = [turn.drawn for turn in hand.turns], [turn.discard for turn in hand.turns]
    for at, turn in enumerate(hand.turns):
        before, after = (columns[turn.player][at + i] for i in range(2))
        if turn.action == "pass" or before is None or after is None:
            continue
        drawn[at] = drawn[at] or _single((after | discards[at]) & ~before, turn.action == "draw" and bool(turn.discard))
        discards[at] = discards[at] or _single((before | drawn[at]) & ~after, bool(turn.ending) and turn.ending != BIG_GIN)
    return Known(tuple(zip(*columns, strict=True)), tuple(drawn), tuple(discards))


def _single(cards: int, wanted: bool) -> int:
    return cards if wanted and cards.bit_count() == 1 else 0


def _column(hand: RecordedHand, player: int) -> list[Held]:
    """One player's hand before each turn and at the end."""
    return [back if onward is None else onward for onward, back in zip(_onward(hand, player), _back(hand, player), strict=True)]


def _onward(hand: RecordedHand, player: int) -> list[Held]:
    """From the deal on: a card that was not seen being drawn is known again once it is discarded."""
    dealt = hand.dealt[player]
    held, unknown, lost = dealt or 0, 0, dealt is None
    found: list[Held] = [dealt]
    for turn in hand.turns:
        if turn.player == player and turn.action != "pass":
            held |= turn.drawn
            unknown += turn.action == "draw" and not turn.drawn
            if held & turn.discard:
                held ^= turn.discard
            elif turn.discard:
                unknown -= 1
            lost = lost or unknown < 0 or (turn.ending not in ("", BIG_GIN) and not turn.discard)
        found.append(None if lost or unknown else held)
    return found


def _back(hand: RecordedHand, player: int) -> list[Held]:
    """Back from the end, as far as it is known what was drawn."""
    held = _at_the_end(hand, player)
    found = [held]
    for turn in reversed(hand.turns):
        if turn.player == player and turn.action != "pass" and held is not None:
            held = _before(turn, held)
        found.append(held)
    return found[::-1]


def _before(turn: Turn, after: int) -> Held:
    if (turn.action == "draw" and not turn.drawn) or (turn.ending not in ("", BIG_GIN) and not turn.discard):
        return None
    held = after | turn.discard
    return held & ~turn.drawn if not turn.drawn & ~held else None


def _at_the_end(hand: RecordedHand, player: int) -> Held:
    """The hand that was shown, if it is a whole one."""
    shown = hand.shown[player]
    last = hand.turns[-1] if hand.turns else None
    more = last is not None and last.player == player and last.ending == BIG_GIN
    return shown.cards if shown is not None and shown.cards.bit_count() == hand.rules.hand_size + more else None
