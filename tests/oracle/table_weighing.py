"""Twin of the card-counting player's weighing: the lightest hand after a turn, card by card and player by player."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

from .cards import Card, Hand, full_deck, ordered, pack_of, points
from .melds import NOTHING, is_meld
from .table import Melds
from .table_greedy import Arranged, added, is_run, ways

GOES_OUT, NONE = -1e6, 1e6


class Other(NamedTuple):
    """What is known of another player."""

    known: Hand
    count: int


class Seen(NamedTuple):
    """What the player sees, and how cards are weighed: the strategy's parameters by name."""

    rules: Any
    hand: Hand
    melds: Melds
    pile: tuple[Card, ...]
    others: tuple[Other, ...]
    turn: int
    params: dict[str, float]

    @property
    def unseen(self) -> Hand:
        seen = self.hand.union(self.pile, *self.melds, *(other.known for other in self.others))
        return frozenset(full_deck()) - seen


def burden(loose: Hand, own_runs: Hand, unseen: Hand, seen: Seen) -> float:
    pack, held = pack_of(seen.rules), loose | own_runs
    outs = sum(any(is_meld({c, *pair}, pack) for pair in combinations(held, 2)) for c in unseen)
    weight = 1.0 + seen.params["caution"] * seen.turn / (10.0 * (len(seen.others) + 1))
    return weight * points(loose, pack) + seen.params["cards"] * len(loose) - seen.params["outs"] * outs


def given_away(card: Card, melds: Melds, unseen: Hand, pile: Hand, seen: Seen) -> float:
    """Chance, pair by pair and player by player, that a discard makes a meld of another's, or lies on the table at once."""
    pack = pack_of(seen.rules)
    if any(is_meld(meld | {card}, pack) for meld in melds):
        return 1.0

    def has(other: Other, one: Card) -> float:
        if one in other.known | pile:
            return 1.0
        return (other.count - len(other.known)) / max(len(unseen), 1) if one in unseen else 0.0

    melding = [pair for pair in combinations(set(full_deck()) - {card}, 2) if is_meld({card, *pair}, pack)]
    return min(sum(has(other, a) * has(other, b) for a, b in melding for other in seen.others), 1.0)


def grown(way: Arranged, melds: Melds) -> tuple[Melds, Hand]:
    """The melds on the table with what is laid off on them, and the cards of the new runs."""
    onto = tuple(meld | cards for meld, cards in zip(melds, way.what, strict=False))
    return onto, NOTHING.union(*(meld for meld in way.what[len(melds) :] if is_run(meld)))


def weigh(held: Hand, must: Card | None, banned: Hand, unseen: Hand, danger: bool, seen: Seen) -> tuple[float, Card | None]:
    """The lightest hand after a turn, and the discard; the first of equals."""
    best: tuple[float, Card | None] = (NONE, None)
    pile = frozenset(seen.pile[len(seen.pile) - min(seen.rules.max_pile_draw - 1, len(seen.pile)) :]) - held
    for way in ways(held, seen.melds, pack_of(seen.rules)):
        if must in way.left:
            continue
        if not way.left and seen.rules.out_mode != "discard_required":
            return GOES_OUT, None
        onto, own_runs = grown(way, seen.melds)
        for card in ordered(way.left - banned):
            rest = way.left - {card}
            if not rest and seen.rules.out_mode != "meld_only":
                return GOES_OUT, card
            if rest:
                value = burden(rest, own_runs, unseen, seen)
                value += seen.params["danger"] * given_away(card, onto, unseen, pile, seen) if danger else 0.0
                best = min(best, (value, card), key=lambda found: found[0])
    return best


def after_stock(seen: Seen) -> float:
    unseen = seen.unseen
    values = [weigh(seen.hand | {c}, None, NOTHING, unseen - {c}, False, seen)[0] for c in ordered(unseen)]
    return sum(max(value, -100.0) for value in values) / len(values)


def idle(seen: Seen) -> Hand:
    """Unseen cards that change nothing else: in no meld with the hand, and not to be laid off, even behind cards of it."""
    pack = pack_of(seen.rules)
    free = {c for c in seen.unseen if not any(is_meld({c, *pair}, pack) for pair in combinations(seen.hand, 2))}
    return frozenset(c for c in free if not any(c in added(meld, seen.hand | {c}, pack) for meld in seen.melds))


__all__ = ["GOES_OUT", "NONE", "Other", "Seen", "after_stock", "given_away", "idle", "weigh"]
