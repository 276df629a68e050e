"""How many hands have which least deadwood: through the deck rank by rank, all hands at once.

Once it is chosen which cards lie in sets, the runs of a suit are closed form: every stretch of three or more of its other
cards. So all that matters of the ranks gone through is, for each choice of sets, how long the last stretch of each suit is
and what the rest counts: a *front*. Hands with the same front go on alike; there are some hundred fronts where there are
10**10 hands, so each step counts hands by (front, cards, deadwood) and nothing is ever enumerated.

What keeps the fronts few: a choice that cannot become better than another is dropped, costs are relative to the cheapest
choice, and suits are sorted, for nothing depends on their names. Ranks are gone through from the dearest down, so that the
best discard is known early.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Deck", "Suit", "count_hands"]

Way = tuple[bool, tuple[int, ...]]
"""A choice of sets (and of a discard): whether a card was discarded, and the state of each suit."""
Choices = tuple[tuple[Way, int], ...]
"""The ways that may still turn out best, each with its cost above the cheapest."""
Counts = npt.NDArray[np.int64]

_UNBROKEN = 16
"""States of a suit are ``4 * first + last``: the length of its last stretch (3: or more) and, if runs turn the corner, of
the one it began with. As long as no gap came, both are one: ``_UNBROKEN + last``."""
_STATES = 20
_NEVER = -(1 << 30)


class Suit(NamedTuple):
    """Ranks that may be in the hand and ranks that must be, as bit masks (bit 0 = the next rank)."""

    may: int
    must: int = 0


class Deck(NamedTuple):
    """What melds and deadwood depend on: the points of each rank, whether runs turn the corner, the suits.

    Ranks in an order in which neighbours follow each other; the dearest first is quickest.
    """

    values: tuple[int, ...]
    wrap: bool
    suits: tuple[Suit, ...]


class _Front(NamedTuple):
    suits: tuple[Suit, ...]
    choices: Choices


class _Rank:
    """What the cards of a rank do to the suits; each case is worked out once, for fronts have most of their ways in common."""

    def __init__(self, held: list[tuple[int, int]], gap: list[int], worst: list[list[int]], thrown: list[list[int]]) -> None:
        """Take the tables of this rank.

        ``held`` by state: the state after one more card that is in no set, and what that costs; ``gap`` by state: the state
        without such a card; ``worst`` after the rank: how much dearer a state can turn out than another, whatever follows;
        ``thrown``: the same if the other state still discards a card of its suit, and the first does not.
        """
        self.held, self.gap, self.worst, self.thrown = held, gap, worst, thrown
        self.moved, self.behind = cache(self._moved), cache(self._behind)

    def _moved(self, states: tuple[int, ...], free: tuple[bool, ...]) -> tuple[tuple[int, ...], int]:
        """The states after a rank of which the suits ``free`` hold a card that is in no set, and what that costs."""
        moves = [self.held[state] if is_free else (self.gap[state], 0) for state, is_free in zip(states, free, strict=True)]
        return tuple(state for state, _ in moves), sum(price for _, price in moves)

    def _behind(self, a: Way, b: Way) -> int:
        """How much dearer ``a`` can turn out than ``b``, whatever follows."""
        if a[0] < b[0]:
            return -_NEVER
        most = sum(self.worst[x][y] for x, y in zip(a[1], b[1], strict=True))
        if a[0] > b[0]:  # the other still discards, from one of the suits
            most += max(self.thrown[x][y] - self.worst[x][y] for x, y in zip(a[1], b[1], strict=True))
        return most


class _Tables(NamedTuple):
    """Each rank, and by state of a suit what joining its ends gives back."""

    ranks: list[_Rank]
    finish: list[int]


def count_hands(
    cards: int,
    deck: Deck,
    discard: bool = False,
    report: Callable[[int], None] | None = None,
) -> Counts:
    """Count the hands of ``cards`` cards by their least deadwood and the fewest melds that reach it.

    Parameters
    ----------
    cards : int
        Cards of a hand.
    deck : Deck
        The cards that may and those that must be in the hand, their points, and whether runs turn the corner.
    discard : bool
        Count by the least deadwood after the best discard instead; melds are those left.
    report : callable, optional
        Called with the number of ranks done.

    Returns
    -------
    int64[deadwood, melds]
        Hands.
    """
    unit = cards // 3 + 1  # costs are deadwood * unit + melds, so that the least cost means the fewest melds
    tables = _tables(deck.values, deck.wrap, unit)
    start = (False, (_UNBROKEN if deck.wrap else 0,) * len(deck.suits))
    fronts = {_Front(tuple(sorted(deck.suits)), ((start, 0),)): _Block(0, np.ones((1, 1), np.int64))}
    for rank in range(len(deck.values)):
        steps = _steps(fronts, tables.ranks[rank], cards, discard)
        fronts = {front: _Block.sum_of(parts, cards) for front, parts in steps.items()}
        if report:
            report(rank + 1)
    return _by_cost(fronts, cards, tables, discard, unit)


class _Block(NamedTuple):
    """Numbers of hands by cards (from ``first`` on) and cost."""

    first: int
    hands: Counts

    @classmethod
    def sum_of(cls, parts: list[tuple[_Block, int, int, int]], cards: int) -> _Block:
        """Add blocks up, each with some more cards, a cost added and a factor."""
        first = min(block.first + more for block, more, _, _ in parts)
        last = min(cards, max(block.first + len(block.hands) - 1 + more for block, more, _, _ in parts))
        width = max(block.hands.shape[1] + cost for block, _, cost, _ in parts)
        total = np.zeros((last - first + 1, width), np.int64)
        for block, more, cost, times in parts:
            rows = block.hands[: cards + 1 - block.first - more, max(0, -cost) :]  # a cost below 0 was paid before
            at = block.first + more - first, max(0, cost)
            total[at[0] : at[0] + rows.shape[0], at[1] : at[1] + rows.shape[1]] += rows if times == 1 else times * rows
        return cls(first, total)


def _steps(
    fronts: dict[_Front, _Block], rank: _Rank, cards: int, discard: bool
) -> dict[_Front, list[tuple[_Block, int, int, int]]]:
    """What every front turns into with the cards of ``rank``: (hands, cards, cost, how often), by the front after it."""
    steps = defaultdict(list)
    for front, block in fronts.items():
        later = [Suit(suit.may >> 1, suit.must >> 1) for suit in front.suits]
        for held, times in _patterns(_alike(front), tuple((suit.may & 1, suit.must & 1) for suit in front.suits)):
            more = sum(held)
            if block.first + more <= cards:
                after, cost = _front_after(_costs(front.choices, held, rank, discard), later, rank)
                steps[after].append((block, more, cost, times))
    return steps


def _alike(front: _Front) -> tuple[int, ...]:
    """For every suit the number of the first one that is exactly like it."""
    columns = [(suit, tuple(way[1][i] for way, _ in front.choices)) for i, suit in enumerate(front.suits)]
    return tuple(map(columns.index, columns))


@cache
def _patterns(alike: tuple[int, ...], bounds: tuple[tuple[int, int], ...]) -> list[tuple[tuple[bool, ...], int]]:
    """Which suits may hold a card of a rank, those that differ only in suits alike counted together."""
    ways: Counter[tuple[bool, ...]] = Counter()
    for held in product((False, True), repeat=len(alike)):
        if all(must <= has <= may for has, (may, must) in zip(held, bounds, strict=True)):
            left = [sorted(has for has, j in zip(held, alike, strict=True) if j == i) for i in range(len(alike))]
            ways[tuple(left[i].pop() for i in alike)] += 1
    return list(ways.items())


@cache
def _uses(held: tuple[bool, ...], discard: bool) -> list[tuple[bool, tuple[bool, ...], bool]]:
    """What can be done with the cards of a rank: (one is discarded, the suits whose card is in no set, there is a set)."""
    suits = [i for i, has in enumerate(held) if has]
    made: list[list[int]] = [[]]
    made += [[i for i in suits if i != out] for out in [None, *suits] if len(suits) - (out is not None) >= 3]
    return [
        (thrown is not None, tuple(has and i not in used and i != thrown for i, has in enumerate(held)), bool(used))
        for thrown in [None, *(suits if discard else [])]
        for used in made
        if thrown not in used
    ]


def _costs(choices: Choices, held: tuple[bool, ...], rank: _Rank, discard: bool) -> dict[Way, int]:
    """The ways to go on with the cards ``held`` of a rank, each with its least cost."""
    costs: dict[Way, int] = {}
    for (thrown, states), paid in choices:
        for throws, free, makes_set in _uses(held, discard and not thrown):
            after, price = rank.moved(states, free)
            way, cost = (thrown or throws, after), paid + makes_set + price
            if costs.get(way, cost) >= cost:
                costs[way] = cost
    return costs


def _front_after(costs: dict[Way, int], suits: list[Suit], rank: _Rank) -> tuple[_Front, int]:
    """The front that comes after a rank, its suits in order, and the cost that all its ways share."""
    kept = _undominated(costs, rank)
    base = kept[0][1]
    columns = sorted(zip(suits, *(way[1] for way, _ in kept), strict=True))
    ordered, *states = zip(*columns, strict=True)
    return _Front(ordered, tuple(sorted(((way[0], s), cost - base) for (way, cost), s in zip(kept, states, strict=True)))), base


def _undominated(costs: dict[Way, int], rank: _Rank) -> list[tuple[Way, int]]:
    """The ways that may still turn out best, the cheapest first, in an order in which no suit comes before another."""
    if len(costs) == 1:
        return list(costs.items())
    kept: list[tuple[Way, int]] = []
    for way, cost in sorted(costs.items(), key=_by_cost_and_states):
        if not any(old_cost + rank.behind(old, way) <= cost for old, old_cost in kept):
            kept = [(old, old_cost) for old, old_cost in kept if cost + rank.behind(way, old) > old_cost]
            kept.append((way, cost))
    return kept


def _by_cost_and_states(item: tuple[Way, int]) -> tuple[int, bool, list[int]]:
    (thrown, states), cost = item
    return cost, thrown, sorted(states)


def _by_cost(fronts: dict[_Front, _Block], cards: int, tables: _Tables, discard: bool, unit: int) -> Counts:
    """Settle what is left to pay and add up the hands of ``cards`` cards: int64[deadwood, melds]."""
    total = np.zeros(0, np.int64)
    for front, block in fronts.items():
        ends = [cost + sum(tables.finish[s] for s in way[1]) for way, cost in front.choices if way[0] == discard]
        if not ends or cards < block.first or cards >= block.first + len(block.hands):
            continue
        row = block.hands[cards - block.first]
        least = min(ends)
        row = row[-least:] if least < 0 else np.pad(row, (least, 0))
        total = np.pad(total, (0, max(0, row.size - total.size)))
        total[: row.size] += row
    table = np.pad(total, (0, -total.size % unit)).reshape(-1, unit)
    return table[: 1 + np.flatnonzero(table.any(axis=1)).max(), : 1 + np.flatnonzero(table.any(axis=0)).max()]


@cache
def _tables(values: tuple[int, ...], wrap: bool, unit: int) -> _Tables:
    """A card's points are paid when it is held, and given back when its stretch reaches three."""
    prices = [value * unit for value in values]
    gap = [4 * (state >> 2) if state < _UNBROKEN else 4 * (state - _UNBROKEN) for state in range(_STATES)]
    held = []
    for rank, price in enumerate(prices):
        grown = 1 - sum(prices[max(0, rank - 2) : rank])
        held.append([(state + (state & 3 < 3), (price, price, grown, 0)[state & 3]) for state in range(_STATES)])
    finish = [_round_the_corner(*divmod(state, 4), prices) if wrap else 0 for state in range(_STATES)]
    worst = [[[a - b for b in finish] for a in finish]]
    thrown = [[[_NEVER] * _STATES] * _STATES]
    for steps in reversed(held[1:]):
        before = [_worst_before(steps, gap, table) for table in (worst[-1], thrown[-1])]
        for a, (x, price) in enumerate(steps):
            before[1][a] = [max(so_far, price + worst[-1][x][gap[b]]) for b, so_far in enumerate(before[1][a])]
        worst.append(before[0])
        thrown.append(before[1])
    return _Tables([_Rank(steps, gap, *after) for steps, *after in zip(held, worst[::-1], thrown[::-1], strict=True)], finish)


def _round_the_corner(first: int, last: int, prices: list[int]) -> int:
    """What joining the first and the last stretch gives back; there is one meld more, or one less."""
    if first == 0 or first > 3 or last == 0 or first + last < 3:
        return 0
    back = sum(prices[:first]) * (first < 3) + sum(prices[-last:]) * (last < 3)
    return 1 - (first == 3) - (last == 3) - back


def _worst_before(steps: list[tuple[int, int]], gap: list[int], after: list[list[int]]) -> list[list[int]]:
    """How much dearer a state can turn out than another, from the same one rank later."""
    return [
        [max(price - other + after[x][y], after[gap[a]][gap[b]]) for b, (y, other) in enumerate(steps)]
        for a, (x, price) in enumerate(steps)
    ]
