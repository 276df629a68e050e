"""Single positions of the table game, in words: which draws, discards, claims and lay-offs are legal.

Cards may be text (``"8C 9C"``) or masks; ``table`` is a list of melds, ``pile`` the discard pile from the bottom up.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from ginsim.cards import cards_of, format_hand, parse_hand
from ginsim.errors import InputError, listed
from ginsim.games.table import view as V
from ginsim.games.table.hand import STATE, X_HAND, legal_depth, new_table
from ginsim.games.table.rules import TableRules
from ginsim.games.table.turns import banned_discards, can_claim, is_meld

__all__ = ["claim_options", "is_table_meld", "lay_off_choices", "legal_depths", "legal_discards", "position"]

Cards = str | int
Rules = str | TableRules


def position(hand: Cards, pile: Sequence[Cards] | str = (), table: Sequence[Cards] = (), rules: Rules = "house") -> np.ndarray:
    """A table (``ginsim.games.table.hand``) on which seat 0 has this hand, with this pile and these melds.

    Raises
    ------
    InputError
        For cards that are none or lie in two places, and for melds that are none.
    """
    played = TableRules.parse(rules)
    t = new_table(played.array())
    s = t[STATE]
    seen = s[X_HAND] = parse_hand(hand)
    s[V.COUNT] = seen.bit_count()
    cards = [card for item in (pile.split() if isinstance(pile, str) else pile) for card in cards_of(parse_hand(item, "pile"))]
    melds = [parse_hand(meld, "table") for meld in listed("table", table, "melds")]
    if len(melds) > V.MOST_MELDS:
        raise InputError(f"table: {len(melds)} melds given; there is room for {V.MOST_MELDS}")
    for name, part in [*(("pile", card) for card in cards), *(("table", meld) for meld in melds)]:
        if seen & part:
            raise InputError(f"{name}: {format_hand(seen & part)} lies elsewhere already; each card of the deck exists once")
        seen |= part
    s[V.PILE : V.PILE + len(cards)] = cards
    s[V.PILE_SIZE] = len(cards)
    for i, meld in enumerate(melds):
        if not is_meld(meld, s):
            raise InputError(f"table: {format_hand(meld)} is no meld under {played}")
        s[V.MELD + i] = meld
        s[V.RUNS if _one_suit(meld) else V.SETS] |= meld
    s[V.MELDS] = len(melds)
    return t


def _one_suit(cards: int) -> bool:
    return any(cards & ~(0x1FFF << 16 * suit) == 0 for suit in range(4))


def is_table_meld(cards: Cards, rules: Rules = "house") -> bool:
    """Whether the cards are one meld.

    Examples
    --------
    >>> is_table_meld("QC KC AC 2C"), is_table_meld("QC KC AC 2C", "house(wrap=false)")
    (True, False)
    """
    return bool(is_meld(parse_hand(cards), TableRules.parse(rules).array()))


def legal_depths(
    hand: Cards, pile: Sequence[Cards] | str, table: Sequence[Cards] = (), rules: Rules = "house"
) -> dict[int, bool]:
    """For each number of cards from the top of the pile whether a player with this hand may take them.

    Examples
    --------
    >>> legal_depths("8C 9C 5H QD", "7C KD 2S")
    {1: True, 2: False, 3: True}
    """
    t = position(hand, pile, table, rules)
    return {k: bool(legal_depth(t, 0, k)) for k in range(1, int(t[STATE, V.PILE_SIZE]) + 1)}


def legal_discards(hand: Cards, taken: Cards = 0, rules: Rules = "house") -> list[str]:
    """Cards of a hand that may be discarded after ``taken``, which it holds now, were taken from the pile this turn.

    Examples
    --------
    >>> legal_discards("5S 9D QC", taken="QC")
    ['5S', '9D']
    """
    banned = int(banned_discards(parse_hand(taken), TableRules.parse(rules).array()))
    return format_hand(parse_hand(hand) & ~banned).split()


def lay_off_choices(card: Cards, table: Sequence[Cards], rules: Rules = "house") -> list[int]:
    """Numbers of the melds on the table that a card can be laid off on.

    Examples
    --------
    >>> lay_off_choices("6H", ["3H 4H 5H", "7H 8H 9H"])
    [0, 1]
    """
    s = position(card, (), table, rules)[STATE]
    return [i for i in range(int(s[V.MELDS])) if is_meld(s[V.MELD + i] | s[X_HAND], s)]


def claim_options(hand: Cards, card: Cards, table: Sequence[Cards] = (), rules: Rules = "house") -> list[str]:
    """Every legal way to claim a discard: lay-offs by the number of the meld, then new melds from the shortest.

    Examples
    --------
    >>> claim_options("9S 9C 4H", "9D")
    ['meld 9S 9D 9C']
    """
    t = position(hand, [card], table, rules)
    s: Any = t[STATE]
    mask, own = parse_hand(card), parse_hand(hand)
    if not can_claim(s, own, own.bit_count(), mask):
        return []
    options = [f"layoff on meld {i}" for i in lay_off_choices(card, table, rules)]
    needs_a_card = TableRules.parse(rules).out_mode == "discard_required"
    for size in range(2, own.bit_count() + 1 - needs_a_card):
        melds = (mask | sum(chosen) for chosen in combinations(cards_of(own), size))
        options += [f"meld {format_hand(meld)}" for meld in melds if is_meld(meld, s)]
    return options
