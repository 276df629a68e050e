"""Twin of what a learned player sees of a choice, and of its nets: numbers by name, classes by name, arrays by numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .cards import Card, Hand, Pack, bit, full_deck, ordered, point, points
from .outlook import (
    Known,
    Likely,
    after_draw,
    completing,
    danger,
    last_value,
    likely,
    loose_in_best,
    unseen,
)

STATES = ("none", "mine", "theirs", "early", "late", "refused", "pile", "cheap", "dear")
"""Where a card may be, in the order of the nets' rows."""


def near_cards(card: Card, pack: Pack) -> list[Card | None]:
    """The cards three to one ranks below, then one to three above, in suit."""
    found: list[Card | None] = []
    for step in (-3, -2, -1, 1, 2, 3):
        rank, suit = card
        rank += step
        if pack.wrap:
            rank %= pack.ranks
        there = (rank, suit)
        found.append(there if there in full_deck(pack) else None)
    return found


def same_rank(card: Card, pack: Pack) -> list[Card | None]:
    """The other cards of the rank, in the order of the deck; None for those that a short deck does not have."""
    found: list[Card | None] = [c for c in ordered(full_deck(pack)) if c[0] == card[0] and c != card]
    return found + [None] * (3 - len(found))


def state(card: Card | None, own: Hand, known: Known, moves: Sequence[Card], refused: Hand, hidden: Hand) -> str:
    """Where a card is; ``moves`` are the opponent's discards in order."""
    if card is None:
        return "none"
    if card in own:
        return "mine"
    if card in known.opponent_known:
        return "theirs"
    if card in known.pile:
        if card in moves[:3]:
            return "early"
        return "late" if card in moves else "refused" if card in refused else "pile"
    return "dear" if card in hidden and point(card, known.pack) > last_value(known) else "cheap"


def shapes(loose: Hand, pack: Pack) -> tuple[int, int, int]:
    """Cards with another of their rank; pairs of neighbours; pairs with a gap of one."""
    pairs = sum(any(c[0] == d[0] and c != d for d in loose) for c in loose)
    above = [near_cards(c, pack) for c in loose]
    return pairs, sum(near[3] in loose for near in above), sum(near[4] in loose for near in above)


def to_gin(kept: Hand, loose: int, fits: Hand, chances: Mapping[Card, float], pack: Pack) -> float:
    """Expected number of cards in the stock that leave a hand without deadwood."""
    if loose > 3:
        return 0.0
    return sum(1 - chances[c] for c in fits if after_draw(kept | {c}, pack)[0] == 0)


def own_numbers(known: Known, held: Hand, card: Card, chances: Mapping[Card, float], costs: Any) -> dict[str, float]:
    """Numbers of discarding ``card`` from ``held``; ``costs`` gives its outlook, danger and cost."""
    kept, pack = held - {card}, known.pack
    loose, hidden = loose_in_best(kept, pack), unseen(known) - held
    fits = completing(kept, pack) & hidden
    pairs, beside, gapped = shapes(loose, pack)
    outlook, risk, cost = costs
    value = point(card, pack)
    return {
        "deadwood": points(loose, pack) / 20,
        "next_deadwood": outlook.deadwood / 20,
        "next_unmatched": outlook.loose / 5,
        "next_low": outlook.low / 10,
        "reach": outlook.reach,
        "unmatched": len(loose) / 5,
        "outs": len(fits) / 8,
        "outs_in_stock": sum(1 - chances[c] for c in fits) / 8,
        "pairs": pairs / 2,
        "neighbours": beside / 2,
        "gapped": gapped / 2,
        "dearest": max((point(c, pack) for c in loose), default=0) / 10,
        "danger": risk,
        "danger_value": risk * value / 10,
        "cost": cost / 100,
        "value": value / 10,
        "gin_outs": to_gin(kept, len(loose), fits, chances, pack) / 4,
    }


def shared_numbers(known: Known, facts: Mapping[str, float], discards: Sequence[Card]) -> dict[str, float]:
    """Numbers that all choices share; ``facts`` are the plain counts, ``discards`` the opponent's in order."""
    weights = [0.7**back for back in range(min(len(discards), 8))]
    values = [point(c, known.pack) for c in discards[::-1][:8]]
    mean = sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights) if weights else 10.0
    target = facts["target"]
    return {
        "lateness": min(known.turn, 12) / 12,
        "stock": facts["stock"] / 31,
        "last_discard": last_value(known) / 10,
        "mean_discard": mean / 10,
        "opponent_known": len(known.opponent_known) / 5,
        "opponent_took": facts["took"] / 5,
        "own_score": facts["own"] / target,
        "opponent_score": facts["other"] / target,
        "own_need": min(target - facts["own"], 50) / 50,
        "opponent_needs": min(target - facts["other"], 50) / 50,
        "starter": facts["starter"],
        "limit": facts["limit"] / 10,
    }


def net_output(weights: np.ndarray, given: np.ndarray, wide: int, narrow: int) -> float:
    """The answer of a net to all that it may be given (a number for each row of its first layer)."""
    rows = len(given) + 1
    first, rest = weights[: rows * wide].reshape(rows, wide), weights[rows * wide :]
    skip, rest = rest[:rows], rest[rows:]
    second, last = rest[: (wide + 1) * narrow].reshape(wide + 1, narrow), rest[(wide + 1) * narrow :]
    whole = np.append(given, 1.0)
    units = np.maximum(whole @ first, 0)
    units = np.maximum(np.append(units, 1.0) @ second, 0)
    return float(whole @ skip + units @ last)


__all__ = ["Likely", "bit", "danger", "likely", "net_output", "own_numbers", "shared_numbers"]
