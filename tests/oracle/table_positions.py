"""Rules and positions of the table game at random."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

from .cards import Card, Pack, full_deck
from .melds import Meld, all_melds, melded
from .table import Position

HOUSE: dict[str, Any] = {
    "ranks": 13,
    "suits": 4,
    "wrap": True,
    "ace_value": 1,
    "max_pile_draw": 5,
    "pile_discard_ban": "all",
    "claims": True,
    "out_mode": "either",
    "max_reshuffles": 5,
    "max_turns": 400,
    "blocked": "void",
    "count": "unmatched",
}


def house(**changes: Any) -> SimpleNamespace:
    rules = HOUSE | changes
    assert rules.keys() == HOUSE.keys()
    return SimpleNamespace(**rules)


OPTIONS: dict[str, list[Any]] = {
    "wrap": [True, False],
    "max_pile_draw": [5, 3, 2, 1],
    "pile_discard_ban": ["all", "only_if_single"],
    "out_mode": ["either", "meld_only", "discard_required"],
}
MELDS = {wrap: sorted(all_melds(Pack(wrap=wrap)), key=sorted) for wrap in (True, False)}


def some_position(luck: random.Random, most: int = 4) -> Position:
    """A few cards and a few melds on the table; most cards are near each other or near what is on the table."""
    rules = house(**{option: luck.choice(values) for option, values in OPTIONS.items()})
    melds: list[Meld] = []
    for m in luck.sample(MELDS[rules.wrap], 10):
        if len(melds) < 2 and len(m) < 5 and not m & melded(frozenset(melds)):
            melds.append(m)
    free = [c for c in luck.sample(full_deck(), 52) if c not in melded(frozenset(melds))]
    low, width = luck.randrange(13), luck.choice([3, 4, 6, 13])
    if luck.random() < 0.4:
        free.sort(key=lambda c: min((away(c, other) for m in melds for other in m), default=0) > 2)
    else:
        free.sort(key=lambda c: (c[0] - low) % 13 >= width)
    n = luck.randint(1, most)
    hand, (top, *rest) = free[:n], free[n:]
    return Position(rules, frozenset(hand), tuple(melds), tuple(rest[: luck.randint(0, most - 1)]), top)


def away(one: Card, other: Card) -> int:
    """Steps between two cards of a suit; far for those of two suits."""
    return min((one[0] - other[0]) % 13, (other[0] - one[0]) % 13) if one[1] == other[1] else 13
