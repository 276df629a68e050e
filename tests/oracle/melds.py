"""Melds, deadwood, discards and lay-offs by looking at every possibility."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .cards import STANDARD, Card, Hand, Pack, full_deck, ordered, points

Meld = frozenset[Card]
Arrangement = frozenset[Meld]

NOTHING: Hand = frozenset()
CACHE = 1 << 17


def sets(pack: Pack) -> Iterator[Meld]:
    for rank in range(pack.ranks):
        for size in (3, 4):
            for suits in combinations(range(pack.suits), size):
                yield frozenset((rank, suit) for suit in suits)


def runs(pack: Pack) -> Iterator[Meld]:
    """Runs of any length; with wrap the arcs of the circle (the whole circle comes up once a start)."""
    for suit in range(pack.suits):
        for start in range(pack.ranks):
            for length in range(3, pack.ranks + 1):
                if pack.wrap or start + length <= pack.ranks:
                    yield frozenset(((start + i) % pack.ranks, suit) for i in range(length))


@lru_cache
def all_melds(pack: Pack = STANDARD) -> frozenset[Meld]:
    return frozenset(sets(pack)) | frozenset(runs(pack))


def is_meld(held: Iterable[Card], pack: Pack = STANDARD) -> bool:
    return frozenset(held) in all_melds(pack)


@lru_cache(maxsize=CACHE)
def melds_in(held: Hand, pack: Pack = STANDARD) -> tuple[Meld, ...]:
    return tuple(sorted((m for m in all_melds(pack) if m <= held), key=ordered))


def families(melds: tuple[Meld, ...]) -> Iterator[Arrangement]:
    """Every choice of disjoint melds, the empty one included."""
    if not melds:
        yield frozenset()
        return
    first, rest = melds[0], melds[1:]
    yield from families(rest)
    for family in families(tuple(m for m in rest if not m & first)):
        yield family | {first}


def melded(arrangement: Arrangement) -> Hand:
    return NOTHING.union(*arrangement)


def left_over(held: Hand, arrangement: Arrangement, pack: Pack = STANDARD) -> int:
    return points(held - melded(arrangement), pack)


@lru_cache(maxsize=CACHE)
def deadwood(held: Hand, pack: Pack = STANDARD) -> int:
    return min(left_over(held, family, pack) for family in families(melds_in(held, pack)))


def arrangements(held: Hand, pack: Pack = STANDARD) -> list[Arrangement]:
    """All ways to meld the hand that leave the least deadwood, in a fixed order."""
    least = deadwood(held, pack)
    best = [f for f in families(melds_in(held, pack)) if left_over(held, f, pack) == least]
    return sorted(best, key=lambda f: sorted(ordered(m) for m in f))


def best_discards(held: Hand, banned: Hand = NOTHING, pack: Pack = STANDARD) -> tuple[int, Hand]:
    """Least deadwood after one discard, and every allowed discard that reaches it."""
    after = {c: deadwood(held - {c}, pack) for c in held - banned}
    least = min(after.values())
    return least, frozenset(c for c, value in after.items() if value == least)


def melds_with(held: Hand, card: Card, pack: Pack = STANDARD) -> list[Meld]:
    """Possible melds of the hand and the card that contain the card."""
    return [m for m in melds_in(held | {card}, pack) if card in m]


# Lay-offs


def layoff_targets(melds: Iterable[Meld], pack: Pack = STANDARD) -> Hand:
    """Cards that extend one of the melds by themselves."""
    table = frozenset(melds)
    free = set(full_deck(pack)) - melded(table)
    return frozenset(c for c in free for m in table if is_meld(m | {c}, pack))


@lru_cache(maxsize=CACHE)
def leftovers(loose: Hand, table: Arrangement, pack: Pack = STANDARD) -> frozenset[Hand]:
    """What can be left of the loose cards after lay-offs on the table, chained as far as one likes."""
    left = {loose}
    for m in table:
        for c in loose:
            if is_meld(m | {c}, pack):
                left |= leftovers(loose - {c}, (table - {m}) | {m | {c}}, pack)
    return frozenset(left)


def after_layoffs(loose: Hand, table: Arrangement, pack: Pack = STANDARD) -> int:
    """Least points left of the loose cards."""
    return min(points(left, pack) for left in leftovers(loose, table, pack))


class Defence(NamedTuple):
    deadwood: int
    laid_off: frozenset[int]
    """Points laid off in the defences that come to this deadwood: not always one number."""


def best_defence(held: Hand, knocker_melds: Iterable[Meld], layoff: str, pack: Pack = STANDARD) -> Defence:
    """The defender's least deadwood against these melds; `layoff` as in the rules."""
    table = frozenset(knocker_melds) if layoff != "none" else frozenset()
    own = families(melds_in(held, pack)) if layoff == "optimal" else arrangements(held, pack)
    laid: dict[int, set[int]] = {}  # by deadwood
    for family in own:
        loose = held - melded(family)
        for left in leftovers(loose, table, pack):
            laid.setdefault(points(left, pack), set()).add(points(loose - left, pack))
    least = min(laid)
    return Defence(least, frozenset(laid[least]))


def defence(held: Hand, knocker_melds: Iterable[Meld], layoff: str, pack: Pack = STANDARD) -> int:
    """The deadwood of the best defence alone."""
    return best_defence(held, knocker_melds, layoff, pack).deadwood


def exposed(arrangement: Arrangement, unseen: Hand, pack: Pack = STANDARD) -> Hand:
    """Unseen cards that a chain of unseen cards could bring onto the melds."""
    reached: set[Card] = set()
    for m in arrangement:
        grown = m
        while new := {c for c in unseen - grown if is_meld(grown | {c}, pack)}:
            grown |= {min(new)}
        reached |= grown - m
    return frozenset(reached)


def exposure(arrangement: Arrangement, unseen: Hand, pack: Pack = STANDARD) -> int:
    return points(exposed(arrangement, unseen, pack), pack)


def permitted(held: Hand, unseen: Hand, pack: Pack = STANDARD) -> list[Arrangement]:
    """The knocker's default: least deadwood, then least exposure; all arrangements that tie."""
    best = arrangements(held, pack)
    least = min(exposure(a, unseen, pack) for a in best)
    return [a for a in best if exposure(a, unseen, pack) == least]
