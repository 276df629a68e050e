"""Cards as (rank, suit) pairs, hands as frozensets, and the way to the engine's bit masks and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Card = tuple[int, int]
Hand = frozenset[Card]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "SHDC"


class Pack(NamedTuple):
    """What decides melds and points: the size of the deck, the wrap option and the value of the ace."""

    ranks: int = 13
    suits: int = 4
    wrap: bool = False
    ace_value: int = 1


STANDARD = Pack()


def pack_of(rules: Any) -> Pack:
    return Pack(rules.ranks, rules.suits, bool(rules.wrap), rules.ace_value)


def bit(card: Card) -> int:
    """Position of the card in the mask; also the order of cards wherever an order is needed."""
    rank, suit = card
    return 16 * suit + rank


def ordered(cards: Iterable[Card]) -> list[Card]:
    return sorted(cards, key=bit)


def full_deck(pack: Pack = STANDARD) -> list[Card]:
    return [(rank, suit) for suit in range(pack.suits) for rank in range(pack.ranks)]


def card(text: str) -> Card:
    rank, suit = text[:-1].upper().replace("T", "10"), text[-1].upper()
    return RANKS.index(rank), SUITS.index(suit)


def cards(text: str | Iterable[str]) -> list[Card]:
    """Cards of "10S 7H" or of ["10S", "7H"], in the order given."""
    return [card(word) for word in (text.split() if isinstance(text, str) else text)]


def hand(text: str | Iterable[str]) -> Hand:
    listed = cards(text)
    assert len(set(listed)) == len(listed), f"a card twice in {text}"
    return frozenset(listed)


def show(held: Iterable[Card]) -> str:
    return " ".join(RANKS[rank] + SUITS[suit] for rank, suit in ordered(held))


def to_mask(held: Iterable[Card]) -> int:
    return sum(1 << bit(c) for c in held)


def from_mask(mask: int) -> Hand:
    return frozenset(c for c in full_deck() if int(mask) >> bit(c) & 1)


def point(card: Card, pack: Pack = STANDARD) -> int:
    rank = card[0]
    return pack.ace_value if rank == 0 else min(rank + 1, 10)


def points(held: Iterable[Card], pack: Pack = STANDARD) -> int:
    return sum(point(c, pack) for c in held)
