"""How many hands hold no set, no run, or neither: through the deck rank by rank, all hands that go on alike at once."""

from __future__ import annotations

from collections import defaultdict
from itertools import product

__all__ = ["count_meldless"]

State = tuple[int, int]
"""Of a suit: the length of the stretch it began with, as long as that matters, and of the one that the last rank belongs to."""
_UNBROKEN = -1
"""The first stretch is the last one."""


def count_meldless(cards: int, ranks: int, suits: int, wrap: bool, sets: bool, runs: bool) -> int:
    """Count the hands of ``cards`` cards without a set, if ``sets``, and without a run, if ``runs``.

    Examples
    --------
    >>> count_meldless(3, 13, 4, False, sets=True, runs=False), count_meldless(3, 13, 4, False, sets=False, runs=True)
    (22048, 22056)
    """
    start: State = (_UNBROKEN if wrap and runs else 0, 0)
    hands = {((start,) * suits, 0): 1}
    for _ in range(ranks):
        after: defaultdict[tuple[tuple[State, ...], int], int] = defaultdict(int)
        for (states, held), number in hands.items():
            for has in product((0, 1), repeat=suits):
                more = sum(has)
                if held + more <= cards and not (sets and more >= 3):
                    grown = [_grown(state, bool(one)) if runs else state for state, one in zip(states, has, strict=True)]
                    if all(last < 3 for _, last in grown):
                        after[tuple(sorted(grown)), held + more] += number
        hands = after
    return sum(number for (states, held), number in hands.items() if held == cards and not any(map(_joins, states)))


def _joins(state: State) -> bool:
    """Whether the ends of the suit make a run together."""
    return sum(state) >= 3


def _grown(state: State, has: bool) -> State:
    """The state after one more rank."""
    first, last = state
    return (first, last + 1) if has else (last if first == _UNBROKEN else first, 0)
