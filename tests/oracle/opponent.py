"""Twin of the opponent model: how likely the opponent is to hold each unseen card, written from the definition."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .cards import Card, Hand, Pack, ordered, point
from .outlook import Known, last_value, unseen

Factors = tuple[float, ...]
"""What multiplies the odds: one card of the same rank, a second; one next to it in suit, a second; one two ranks away."""


def in_suit(card: Card, distance: int, pack: Pack) -> Hand:
    """The cards so many ranks away in the suit."""
    rank, suit = card
    ranks = {rank - distance, rank + distance}
    if pack.wrap:
        ranks = {r % pack.ranks for r in ranks}
    return frozenset((r, suit) for r in ranks if 0 <= r < pack.ranks)


def near(card: Card, cards: Hand, pack: Pack) -> tuple[bool, bool, bool, bool, bool]:
    """Whether one and two of the cards have its rank, one and two lie beside it, and any lies two ranks away."""
    same = sum(1 for rank, _ in cards if rank == card[0])
    beside = len(cards & in_suit(card, 1, pack))
    return same >= 1, same >= 2, beside >= 1, beside >= 2, bool(cards & in_suit(card, 2, pack))


def weight(card: Card, known: Known, kept_dear: float, reads: float, factors: Sequence[Factors]) -> float:
    """By how much the evidence multiplies the odds of a card; the factors are of discards, of passes and of pick-ups."""
    passed = known.opponent_passed - known.opponent_discards
    result = 1.0
    for cards, own in zip((known.opponent_discards, passed, known.opponent_known), factors, strict=True):
        for holds, factor in zip(near(card, cards, known.pack), own, strict=True):
            result *= 1 + reads * (factor - 1) if holds else 1.0
    return result * (kept_dear if point(card, known.pack) > last_value(known) else 1.0)


def expected(weights: Sequence[float], scale: float) -> float:
    """The number of cards held, if the odds of a card are its weight times the scale."""
    return sum(scale * w / (1 + scale * w) for w in weights)


def stepped(weights: Sequence[float], unknown: int, steps: int) -> float:
    """The scale of the odds after so many steps of Newton's, on its logarithm and of 2 at most, to where the chances add up."""
    scale = unknown / sum(weights) * len(weights) / (len(weights) - unknown)
    for _ in range(steps):
        chances = [scale * w / (1 + scale * w) for w in weights]
        step = (unknown - sum(chances)) / sum(p * (1 - p) for p in chances)
        scale *= math.exp(min(max(step, -2), 2))
    return scale


def solved(weights: Sequence[float], unknown: int) -> float:
    """The scale that makes the chances add up to the unknown cards, by halving."""
    low, high = -60.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if expected(weights, 2**middle) < unknown else (low, middle)
    return float(2**low)


def beliefs(
    known: Known, kept_dear: float, reads: float, factors: Sequence[Factors], steps: int | None = None
) -> dict[Card, float]:
    """The chance of each unseen card; with the exact scale of the odds, or after so many steps towards it."""
    hidden = ordered(unseen(known))
    unknown = known.rules.hand_size - len(known.opponent_known)
    weights = {c: weight(c, known, kept_dear, reads, factors) for c in hidden}
    if unknown >= len(hidden):
        return dict.fromkeys(hidden, 1.0)
    if unknown == 0 or not any(weights.values()):
        return dict.fromkeys(hidden, 0.0)
    values = list(weights.values())
    scale = solved(values, unknown) if steps is None else stepped(values, unknown, steps)
    return {c: scale * w / (1 + scale * w) for c, w in weights.items()}
