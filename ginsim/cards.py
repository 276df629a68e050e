"""Cards and hands as bit masks, and their names.

A hand is one integer: four 16-bit lanes, one a suit (spades lowest, then hearts, diamonds, clubs), with the ace in bit 0
of its lane and the king in bit 12. The top bit stays clear, so a mask is a valid ``int64``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ginsim.errors import InputError, listed, shown

__all__ = ["LANE", "RANKS", "SUITS", "card_at", "cards_of", "format_card", "format_hand", "parse_card", "parse_hand"]

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
LANE = 16

_RANK_OF = {name: rank for rank, name in enumerate(RANKS)} | {"T": 9, "1": 0}
_SUIT_OF = {letter: suit for suits in (SUITS, SYMBOLS, "♤♡♢♧") for suit, letter in enumerate(suits)}
_RANK, _SUIT = "10|[2-9AJQKT1]", "[SHDC♠♥♦♣♤♡♢♧][\ufe0e\ufe0f]?"
_CARD = re.compile(f"({_RANK})({_SUIT})|({_SUIT})({_RANK})", re.IGNORECASE | re.ASCII)
_BY_SUIT = re.compile(rf"(?=.*\w)((?:{_RANK})*)" + rf"\.((?:{_RANK})*)" * 3, re.IGNORECASE | re.ASCII)
_GAP = re.compile(r"[\s,;]+")
_ALLOWED = "a rank (A 2 … 9 10 or T J Q K) and a suit (S H D C or ♠ ♥ ♦ ♣), such as 7S or 10♠"
FULL_DECK = sum(0x1FFF << (LANE * suit) for suit in range(4))


def card_at(rank: int, suit: int) -> int:
    """Mask of the card of ``rank`` (0 = ace … 12 = king) and ``suit`` (0 … 3 = S H D C)."""
    return 1 << (LANE * suit + rank)


def parse_card(text: Any) -> int:
    """Mask of one card.

    Raises
    ------
    InputError
        If ``text`` is not exactly one card.

    Examples
    --------
    >>> parse_card("A♠"), parse_card("as"), parse_card("SA")
    (1, 1, 1)
    """
    match = _CARD.fullmatch(text.strip()) if isinstance(text, str) else None
    if not match:
        raise InputError(f"card: {shown(text)} is not a card; expected {_ALLOWED}")
    return _card_of(match)


def _card_of(match: re.Match[str]) -> int:
    """The card that ``_CARD`` found, whichever comes first in it."""
    rank, suit = (match[1], match[2]) if match[1] else (match[4], match[3])
    return card_at(_RANK_OF[rank.upper()], _SUIT_OF[suit[0].upper()])


def parse_hand(text: str | int, field: str = "hand") -> int:
    """Mask (int) of the cards named in ``text``; a mask is checked and returned as it is.

    Cards may be written ``7S``, ``7s``, ``7♠``, ``TS``, ``10S`` or ``10♠``, or with the suit first (``S7``, ``♠10``), apart by
    spaces, commas or nothing; or suit by suit with dots between, clubs first, each from the ace up: ``A23.456.789.T`` holds
    A♣ 2♣ 3♣ 4♦ 5♦ 6♦ 7♥ 8♥ 9♥ 10♠. ``field`` is what a message calls them.

    Raises
    ------
    InputError
        For anything that is not a card, and for a card that appears twice; the message shows the bad token.

    Examples
    --------
    >>> format_hand(parse_hand("10h, as 7♣"))
    'AS 10H 7C'
    >>> format_hand(parse_hand("C2 DQ")), format_hand(parse_hand("A23..T."))
    ('QD 2C', '10H AC 2C 3C')
    """
    if not isinstance(text, str):
        return _checked_mask(text, field)
    hand = 0
    for token in filter(None, _GAP.split(text.strip())):
        by_suit = _BY_SUIT.fullmatch(token)
        for name, card in _by_suit(by_suit, field) if by_suit else _one_by_one(token, field):
            if hand & card:
                raise InputError(f"{field}: {name!r} appears twice; there is only one of each card in the deck")
            hand |= card
    return hand


def _one_by_one(token: str, field: str) -> Iterator[tuple[str, int]]:
    """Cards (as written, and as masks) with nothing between."""
    at = 0
    while at < len(token):
        match = _CARD.match(token, at)
        if not match:
            raise InputError(f"{field}: {shown(token[at:])} is not a card; expected {_ALLOWED}")
        yield match[0], _card_of(match)
        at = match.end()


def _by_suit(match: re.Match[str], field: str) -> Iterator[tuple[str, int]]:
    """Cards of four groups of ranks with dots between: clubs, diamonds, hearts, spades."""
    for suit, group in zip("CDHS", match.groups(), strict=True):
        names = re.findall(_RANK, group.upper())
        ranks = [_RANK_OF[name] for name in names]
        if ranks != sorted(ranks):  # hands of bridge run from the highest down, and begin with spades
            order = "with dots between the suits, clubs come first, and each suit runs from the ace up, such as A23.456.789.T"
            raise InputError(f"{field}: {shown(group)} is not in order; {order}")
        for name, rank in zip(names, ranks, strict=True):
            yield f"{name}{suit}", card_at(rank, SUITS.index(suit))


def _checked_mask(mask: Any, field: str) -> int:
    try:
        value = operator.index(mask)
    except TypeError:
        raise InputError(f"{field}: {shown(mask)} is neither text such as '7S 10H' nor an integer mask") from None
    if isinstance(mask, bool) or value < 0 or value & ~FULL_DECK:
        raise InputError(f"{field}: {shown(mask)} is not a mask of cards (four 16-bit lanes, 13 bits each)")
    return value


def cards_of(hand: int) -> Iterator[int]:
    """The single-card masks of ``hand``, in ascending order."""
    while hand:
        card = hand & -hand
        yield card
        hand ^= card


def format_card(card: int, symbols: bool = False) -> str:
    """Name of a single-card mask, such as ``7S`` (``7♠`` with ``symbols``)."""
    if (mask := parse_hand(card, "card")).bit_count() != 1:
        raise InputError(f"card: {shown(card)} is not one card")
    suit, rank = divmod(mask.bit_length() - 1, LANE)
    return RANKS[rank] + (SYMBOLS if symbols else SUITS)[suit]


def format_hand(hand: str | int | Iterable[int], symbols: bool = False) -> str:
    """Names of the cards of a hand (suits S H D C, each from the ace up), or of single cards in their order.

    Examples
    --------
    >>> format_hand(7)
    'AS 2S 3S'
    """
    one = isinstance(hand, str) or not isinstance(hand, Iterable) or getattr(hand, "ndim", 1) == 0
    cards = cards_of(parse_hand(hand)) if one else listed("hand", hand, "cards")  # type: ignore[arg-type]
    return " ".join(format_card(card, symbols) for card in cards)
