"""The luck of the draw by its definition, from the log of a hand: each card drawn against all cards left in the stock."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .cards import Card, Hand, pack_of
from .melds import deadwood
from .play import Record
from .scoring import hand_multiplier, knock_limit


def judged(hand: Hand, other: Hand, limit: int, pack: Any) -> tuple[int, int, int, int]:
    """Less deadwood, a knock, gin and the lead on the opponent, with the best discard from ``hand``."""
    left = min(deadwood(hand - {card}, pack) for card in hand)
    knock = left <= limit
    return -left, int(knock), int(left == 0), deadwood(other, pack) - left if knock else 0


def luck(deck: Sequence[Card], record: Record, rules: Any, scale: int) -> list[int]:
    """Eight sums: those of player 0, then those of player 1, weighed by the whole number nearest to ``scale / stock``."""
    pack, n, more = pack_of(rules), rules.hand_size, int(rules.eleven_card_start)
    upcard = None if more else deck[2 * n]
    limit, multiplier = knock_limit(upcard, rules), hand_multiplier(upcard, rules)
    hands = {record.starter: frozenset(deck[: n + more]), 1 - record.starter: frozenset(deck[n + more : 2 * n + more])}
    stock = list(deck[2 * n + 1 :])
    sums = [Fraction(0)] * 8
    for p, what, card in record.log:
        if what == "stock":
            weight = int(Fraction(scale, len(stock)) + Fraction(1, 2)) * multiplier
            each = [judged(hands[p] | {c}, hands[1 - p], limit, pack) for c in stock]
            assert stock[0] == card
            for k in range(4):
                mean = Fraction(sum(values[k] for values in each), len(stock))
                sums[4 * p + k] += weight * len(stock) * (each[0][k] - mean)
            stock.pop(0)
        if what in ("stock", "take"):
            hands[p] |= {card}
        if what == "discard":
            hands[p] -= {card}
    assert all(x.denominator == 1 for x in sums)
    return [int(x) for x in sums]
