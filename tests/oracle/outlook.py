"""Twin of what the lookahead decisions work out: danger, the hand after the next draw, the cost of a discard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from .cards import Card, Hand, Pack, bit, full_deck, ordered, pack_of, point, points
from .melds import NOTHING, best_discards, deadwood, is_meld, melded, melds_in, melds_with

Weights = Mapping[str, Any]
"""The parameters of a decision by name."""
LATE, HOPELESS, BREAKING = 12, 10, 3


@dataclass(frozen=True)
class Known:
    """What a player knows that the decisions use."""

    rules: Any
    hand: Hand
    pile: Hand = NOTHING
    upcard: Card | None = None
    opponent_known: Hand = NOTHING
    opponent_discards: Hand = NOTHING
    opponent_passed: Hand = NOTHING
    last_discard: Card | None = None  # the opponent's
    chosen: Card | None = None
    banned: Hand = NOTHING
    turn: int = 0
    deadwood: int = 0
    score: int = 0

    @property
    def pack(self) -> Pack:
        return pack_of(self.rules)


# Who may hold what


def unseen(known: Known) -> Hand:
    """Cards that the player sees nowhere."""
    seen = known.hand | known.pile | known.opponent_known | {known.chosen}
    return frozenset(c for c in full_deck(known.pack) if c not in seen)


def last_value(known: Known) -> int:
    return 10 if known.last_discard is None else point(known.last_discard, known.pack)


@dataclass(frozen=True)
class Likely:
    """The points of the opponent's last discard, the chance of an unseen card on average, and the chance of each."""

    value: int
    even: float
    chances: Mapping[Card, float]


def likely(known: Known, chances: Mapping[Card, float]) -> Likely:
    unknown = known.rules.hand_size - len(known.opponent_known)
    return Likely(last_value(known), unknown / max(len(unseen(known)), 1), chances)


def completing(held: Hand, pack: Pack) -> Hand:
    """Cards that would lie in a meld with cards held."""
    return frozenset(c for c in full_deck(pack) if c not in held and melds_with(held, c, pack))


@cache
def partners(card: Card, pack: Pack) -> tuple[Hand, ...]:
    """Pairs that make a meld with the card."""
    others = [c for c in full_deck(pack) if c != card]
    return tuple(frozenset(pair) for pair in combinations(others, 2) if is_meld({card, *pair}, pack))


def danger(card: Card, hidden: Hand, held: Hand, who: Likely, dear_pair: float, pack: Pack) -> float:
    """Sum over the pairs that make a meld with the card: how likely the opponent is to hold both."""
    total = 0.0
    for pair in partners(card, pack):
        if pair <= hidden | held:
            chance = dear_pair if any(point(c, pack) > who.value for c in pair) else 1.0
            for c in pair:
                chance *= 1.0 if c in held else who.chances[c]
            total += chance
    return total


# The hand after the next draw


def in_melds(held: Hand, kind: str, pack: Pack) -> Hand:
    """Cards that lie in a "set" or in a "run" of the hand."""
    return melded(frozenset(m for m in melds_in(held, pack) if (len({suit for _, suit in m}) == 1) == (kind == "run")))


@lru_cache(maxsize=1 << 17)
def arranged(held: Hand, pack: Pack) -> tuple[Hand, ...]:
    """What is left over if sets are formed first, then runs; once for each choice of cards withheld from the sets.

    Only cards that a set and a run want are withheld: all of them first, none last, as if they counted down in binary.
    """
    wanted = ordered(in_melds(held, "set", pack) & in_melds(held, "run", pack))
    left = []
    for number in range(2 ** len(wanted) - 1, -1, -1):
        withheld = {c for i, c in enumerate(wanted) if number >> i & 1}
        rest = held - in_melds(held - withheld, "set", pack)
        left.append(rest - in_melds(rest, "run", pack))
    return tuple(left)


def loose_in_best(held: Hand, pack: Pack) -> Hand:
    """The unmatched cards of the first arrangement with least deadwood."""
    return min(arranged(held, pack), key=lambda loose: points(loose, pack))


@lru_cache(maxsize=1 << 17)
def after_draw(held: Hand, pack: Pack) -> tuple[int, int]:
    """Deadwood and number of unmatched cards once the best discard is made (which may be any card)."""
    ways = []
    for loose in arranged(held, pack):
        if not loose:
            least, cards = best_discards(held, pack=pack)
            return least, len(loose_in_best(held - {min(cards, key=bit)}, pack))
        ways.append((points(loose, pack) - max(point(c, pack) for c in loose), len(loose) - 1))
    return min(ways, key=lambda way: way[0])


class Outlook(NamedTuple):
    """What to expect after the next draw and the best discard."""

    deadwood: float
    loose: float
    low: float
    reach: float


def results(held: Hand, hidden: Hand, exact: bool, pack: Pack) -> Iterator[tuple[Card, bool, int, int]]:
    """Each card that may be drawn: whether it completes a meld, the deadwood and the unmatched cards it leads to.

    A card that completes none is discarded again, or takes the place of the dearest card left over in the arrangement
    that is best now; with `exact` the best discard is looked for there too.
    """
    completes = completing(held, pack)
    loose = loose_in_best(held, pack)
    now, dear = points(loose, pack), max((point(c, pack) for c in loose), default=0)
    for c in hidden:
        if exact or c in completes:
            yield c, c in completes, *after_draw(held | {c}, pack)
        else:
            yield c, False, now - max(dear - point(c, pack), 0), len(loose)


def outlook(held: Hand, hidden: Hand, who: Likely, weights: Weights, pack: Pack, exact: bool = False) -> Outlook:
    """Mean over the unseen cards; one that completes a meld counts more or less by who may hold it and its points."""
    total, sums = 0.0, [0.0] * 4
    for c, completes, left, loose in results(held, hidden, exact, pack):
        weight = 1.0
        if completes:
            weight += weights["opp_holds"] * (who.chances[c] - who.even)
            weight += weights["dear_draw"] * (point(c, pack) - 6.5)
            weight = max(0.1, weight)
        total += weight
        for i, value in enumerate((left, loose, min(left, 10), left <= 10)):
            sums[i] += weight * value
    if total == 0:
        loose_now = loose_in_best(held, pack)
        now = points(loose_now, pack)
        return Outlook(now, len(loose_now), min(now, 10), 0.0)
    return Outlook(*(value / total for value in sums))


# Costs and decisions


def keeping_cost(known: Known, held: Hand, hidden: Hand, who: Likely, weights: Weights) -> float:
    """Cost of keeping these cards."""
    late = min(known.turn, LATE) / LATE
    expected = outlook(held, hidden, who, weights, known.pack)
    return float(
        (weights["deadwood"] + late * weights["deadwood_turn"]) * deadwood(held, known.pack)
        + weights["next"] * expected.deadwood
        + (weights["loose"] + late * weights["loose_turn"]) * expected.loose
        + (weights["low"] + late * weights["low_turn"]) * expected.low
        - weights["reach"] * expected.reach
    )


def costs(known: Known, held: Hand, banned: Hand, chances: Mapping[Card, float], weights: Weights) -> dict[Card, float]:
    """Cost of each discard that is looked at; ``chances``: how likely the opponent is to hold each unseen card."""
    pack, hidden, who = known.pack, unseen(known) - held, likely(known, chances)
    least, _ = best_discards(held, banned, pack)
    loose, found = loose_in_best(held, pack), {}
    for c in ordered(held - banned):
        if deadwood(held - {c}, pack) > least + (HOPELESS if c in loose else BREAKING):
            continue
        given = weights["danger"] + min(known.turn, LATE) / LATE * weights["danger_turn"]
        given *= 1 + weights["danger_value"] * (point(c, pack) - 6)
        threat = danger(c, hidden, known.opponent_known, who, weights["dear_pair"], pack)
        found[c] = keeping_cost(known, held - {c}, hidden, who, weights) + given * threat
    return found


def saving(known: Known, chances: Mapping[Card, float], weights: Weights) -> float:
    """By how much the upcard lowers the cost of the hand; infinite if it brings gin."""
    assert known.upcard is not None
    held = known.hand | {known.upcard}
    banned = frozenset({known.upcard}) if known.rules.redraw_ban else NOTHING
    if best_discards(held, banned, known.pack)[0] == 0:
        return float("inf")
    now = keeping_cost(known, known.hand, unseen(known), likely(known, chances), weights)
    return now - min(costs(known, held, banned, chances, weights).values())


def entry(values: Sequence[float], turn: int) -> float:
    return values[min(turn, len(values) - 1)]


def ends_game(known: Known, finish: float) -> bool:
    return bool(known.rules.target - known.score <= finish - known.deadwood)


def knock_early(known: Known, weights: Weights) -> bool:
    """With gin, at the end of a game, and on the turns listed with so much deadwood or more."""
    if known.deadwood == 0 or ends_game(known, weights["finish"]):
        return True
    values = weights["knock_from"]
    return known.turn < len(values) and known.deadwood >= values[known.turn]


def knock_window(known: Known, weights: Weights) -> bool:
    """With gin, at the end of a game, and with deadwood between two numbers that depend on the turn."""
    if known.deadwood == 0 or ends_game(known, weights["finish"]):
        return True
    low, high = (entry(weights[name], known.turn) for name in ("window_from", "window_to"))
    return low <= known.deadwood <= high
