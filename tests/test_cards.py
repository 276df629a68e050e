"""Cards and hands: every usual notation, and errors that show the bad token."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.cards import FULL_DECK, RANKS, SUITS, card_at, cards_of, format_card, format_hand, parse_card, parse_hand
from ginsim.errors import InputError

masks = st.integers(0, 2**64 - 1).map(lambda bits: bits & FULL_DECK)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("7S", card_at(6, 0)),
        ("7s", card_at(6, 0)),
        ("7♠", card_at(6, 0)),
        ("7♤", card_at(6, 0)),
        ("TS", card_at(9, 0)),
        ("ts", card_at(9, 0)),
        ("10S", card_at(9, 0)),
        ("10♠", card_at(9, 0)),
        ("T♥", card_at(9, 1)),
        ("A♥️", card_at(0, 1)),  # an emoji heart
        ("8♠\ufe0e", card_at(7, 0)),  # and one that asks to be text
        ("1d", card_at(0, 2)),
        ("ad", card_at(0, 2)),
        ("j♢", card_at(10, 2)),
        ("kC", card_at(12, 3)),
        (" Q♣ ", card_at(11, 3)),
        ("S7", card_at(6, 0)),
        ("sa", card_at(0, 0)),
        ("dQ", card_at(11, 2)),
        ("♠10", card_at(9, 0)),
        ("HT", card_at(9, 1)),
        ("C1", card_at(0, 3)),
        ("♥️A", card_at(0, 1)),
    ],
)
def test_notations(text: str, card: int) -> None:
    assert parse_card(text) == card
    assert parse_hand(text) == card


@pytest.mark.parametrize("symbols", [False, True])
@pytest.mark.parametrize("suit", range(4))
@pytest.mark.parametrize("rank", range(13))
def test_every_card_has_a_name(rank: int, suit: int, symbols: bool) -> None:
    name = format_card(card_at(rank, suit), symbols)
    assert name == RANKS[rank] + ("♠♥♦♣" if symbols else SUITS)[suit]
    assert parse_card(name) == parse_card(name[-1] + name[:-1]) == card_at(rank, suit)


@pytest.mark.parametrize(
    "text",
    [
        "AS 10H 7C", "AS,10H,7C", "AS, 10H, 7C", "as;th;7c", "  AS\t10H\n7C ", "AS10H7C", "7♣A♠10♥", "ASTH7C", ",AS,,10H 7C,",
        "SA H10 C7", "SA, HT, C7", "SAHTC7", "S1H10C7", "AS H10 7C", "♣7♠A♥10", "7..T.A", "7..10.A", "7..t.1",
    ],
)  # fmt: skip
def test_hands(text: str) -> None:
    assert parse_hand(text) == card_at(0, 0) | card_at(9, 1) | card_at(6, 3)


def test_no_cards() -> None:
    assert parse_hand("") == parse_hand(" , ") == parse_hand(0) == 0
    assert format_hand(0) == ""


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("AS 1OH", "'1OH'"),
        ("AS 11H", "'11H'"),
        ("AS 7X", "'7X'"),
        ("AS H7S", "'S'"),
        ("S7H", "'H'"),
        ("H14", "'4'"),
        ("H1O", "'O'"),
        ("C2 DQ QD", "'QD'"),
        ("AS 7", "'7'"),
        ("AS S", "'S'"),
        ("AS 0S", "'0S'"),
        ("AS joker", "'joker'"),
        ("AS7H8", "'8'"),
        ("AS AS", "'AS'"),
        ("AS a♠", "'a♠'"),
        ("10S KH tS", "'tS'"),
        ("AS.7H", "'.7H'"),
        ("A23.456.789", "'A23.456.789'"),
        ("A23.456.789.T.", "'A23.456.789.T.'"),
        ("...", "'...'"),
        ("A23.4X6.789.T", "'A23.4X6.789.T'"),
        ("AKQ.JT9.876.54", "'AKQ'"),
        ("A23.465..", "'465'"),
        ("A22...", "'2C'"),
        ("A23... C3", "'C3'"),
    ],
)
def test_errors_show_the_bad_token(text: str, token: str) -> None:
    with pytest.raises(InputError, match="hand") as error:
        parse_hand(text)
    assert token in str(error.value)


def test_a_53rd_card() -> None:
    deck = format_hand(FULL_DECK)
    assert parse_hand(deck) == FULL_DECK
    with pytest.raises(InputError, match="'7D' appears twice"):
        parse_hand(deck + " 7D")


@pytest.mark.parametrize("text", ["", "7", "7S 8S", "7SS", "S", "S7S", "7...", "14S", "\u212aS", "7\u017f", None, 7, b"8S"])
def test_one_card_is_one_card(text: object) -> None:
    with pytest.raises(InputError, match="is not a card"):
        parse_card(text)


@pytest.mark.parametrize("mask", [-1, 1 << 13, 1 << 15, 1 << 61, 1 << 63, 1 << 80, True, 1.0, None, b"7S", ["7S"]])
def test_what_is_no_mask(mask: object) -> None:
    with pytest.raises(InputError, match="hand"):
        parse_hand(mask)  # type: ignore[arg-type]


@pytest.mark.parametrize("mask", [5, np.int64(5), np.uint8(5), np.array(5)])
def test_masks_pass(mask: int) -> None:
    read = parse_hand(mask)
    assert (read, type(read)) == (5, int)


@given(masks, st.booleans())
def test_round_trip(mask: int, symbols: bool) -> None:
    assert parse_hand(format_hand(mask, symbols)) == mask
    assert parse_hand(mask) == mask


@given(masks, st.randoms(use_true_random=False), st.sampled_from([" ", ",", ", ", "", ";"]))
def test_order_and_separators_do_not_matter(mask: int, random: object, gap: str) -> None:
    names = [format_card(card, symbols=bool(card & 0x5555555555555555)) for card in cards_of(mask)]
    random.shuffle(names)  # type: ignore[attr-defined]
    assert parse_hand(gap.join(names).lower()) == mask


@given(masks)
def test_by_suit_with_dots(mask: int) -> None:
    text = ".".join("".join("A23456789TJQK"[rank] for rank in range(13) if mask & card_at(rank, suit)) for suit in (3, 2, 1, 0))
    assert text == "..." or parse_hand(text) == parse_hand(text.lower()) == parse_hand(text.replace("T", "10")) == mask


@given(masks)
def test_cards_of(mask: int) -> None:
    cards = list(cards_of(mask))
    assert cards == sorted(cards)
    assert sum(cards) == mask
    assert all(card.bit_count() == 1 for card in cards)
    assert format_hand(cards) == format_hand(mask)


@given(st.text(max_size=12))
def test_any_text_is_a_hand_or_an_input_error(text: str) -> None:
    try:
        hand = parse_hand(text)
    except InputError:
        return
    assert hand & ~FULL_DECK == 0


def test_format_hand_takes_text_masks_and_cards() -> None:
    assert format_hand("10h as") == "AS 10H"
    assert format_hand("8S", symbols=True) == "8♠"
    assert format_hand(np.array(3)) == format_hand(np.int64(3)) == format_hand([2, 1][::-1]) == "AS 2S"


@pytest.mark.parametrize(
    "hand", [-1, None, True, b"8S", bytearray(b"8S"), {}, [0], [3], [-1], [None], np.array([7]), np.array([[1]]), "8X"]
)
def test_format_hand_refuses(hand: object) -> None:
    with pytest.raises(InputError, match=r"^(hand|card): .* is (not|neither) "):
        format_hand(hand)  # type: ignore[arg-type]


@pytest.mark.parametrize("card", [0, 3, -1, None, 1 << 13])
def test_format_card_refuses(card: int) -> None:
    with pytest.raises(InputError, match="card: "):
        format_card(card)


def test_a_long_hand_makes_a_short_message() -> None:
    with pytest.raises(InputError) as error:
        parse_hand("\x1b[31m" + "x" * 10**6)
    assert len(str(error.value)) < 300
    assert r"\x1b[31m" in str(error.value)
