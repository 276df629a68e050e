"""Dead hands: no meld, and no two cards that one more card could make a meld; counted through the deck rank by rank."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from math import comb
from typing import TYPE_CHECKING

from ginsim.errors import InputError, listed
from ginsim.exact.columns import Columns
from ginsim.exact.deadwood import read_count, read_rules
from ginsim.games.gin.evaluate import RulesLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["count_dead", "dead_hands"]

SIZES = (7, 8, 9, 10, 11)
State = tuple[int, int]
"""Of a suit: ranks below its first card (if runs turn the corner) and ranks since its last one; two are as good as more."""
_EMPTY = (-1, 2)
"""No card yet, so none is near."""


def dead_hands(cards: Iterable[int] = SIZES, rules: RulesLike = None) -> pd.DataFrame:
    """How many hands of so many cards are dead: they hold no meld, and no two cards that one more card could make a meld.

    Two cards could become a meld if they are of one rank (and the deck has three suits or more), or of one suit and next to
    each other or with one rank between them; where the third card lies is not asked. So a dead hand holds each rank once at
    most, and its cards of a suit are three ranks apart or more.

    Parameters
    ----------
    cards : list of int
        Numbers of cards.
    rules : Rules or str, optional
        Which deck, and whether runs turn the corner; ``classic25`` if not given.

    Returns
    -------
    DataFrame
        A row for each number of ``cards``: dead ``hands``, their ``chance``, and ``one_in`` how many hands is dead (nothing if
        none is).

    Examples
    --------
    >>> dead_hands([9, 10]).hands.to_dict()
    {9: 6820068, 10: 4262880}
    """
    return dead_by_cards(cards, rules).frame()


def dead_by_cards(cards: Iterable[int] = SIZES, rules: RulesLike = None) -> Columns:
    """What `dead_hands` shows."""
    read = read_rules(rules)
    sizes = [read_count(number, 0, 0, read, False) for number in listed("cards", cards, "whole numbers")]
    if not sizes:
        raise InputError("cards: no numbers; give one or more, such as [9, 10]")
    counts = count_dead(max(sizes), read.ranks, read.suits, read.wrap)
    hands = [counts[size] for size in sizes]
    every = [comb(read.ranks * read.suits, size) for size in sizes]
    chances = [dead / all_there_are for dead, all_there_are in zip(hands, every, strict=True)]
    one_in = [1 / chance if chance else None for chance in chances]
    return Columns("cards", sizes, {"hands": hands, "chance": chances, "one_in": one_in})


def count_dead(most: int, ranks: int, suits: int, wrap: bool) -> list[int]:
    """Count the dead hands of each number of cards, from 0 to ``most``.

    Examples
    --------
    >>> count_dead(2, 13, 4, wrap=False)  # 1326 pairs of cards, less 78 of one rank and 92 near each other in a suit
    [1, 52, 1156]
    """
    at_once = suits if suits < 3 else 1  # two of a rank could become a set, if there are sets
    patterns = [has for has in product((False, True), repeat=suits) if sum(has) <= at_once]
    hands = {((_EMPTY,) * suits, 0): 1}
    for rank in range(ranks):
        after: defaultdict[tuple[tuple[State, ...], int], int] = defaultdict(int)
        for (states, held), number in hands.items():
            for has in patterns:
                near = any(one and since < 2 for (_, since), one in zip(states, has, strict=True))
                if not near and held + sum(has) <= most:
                    grown = sorted(_grown(state, one, rank, wrap) for state, one in zip(states, has, strict=True))
                    after[tuple(grown), held + sum(has)] += number
        hands = after
    ends = [(held, number) for (states, held), number in hands.items() if not any(map(_joins, states))]
    return [sum(number for held, number in ends if held == size) for size in range(most + 1)]


def _joins(state: State) -> bool:
    """Whether the first and the last card of the suit are near each other round the corner."""
    first, since = state
    return first >= 0 and first + since < 2


def _grown(state: State, has: bool, rank: int, wrap: bool) -> State:
    """The state after one more rank; where the first card lies matters only round the corner."""
    first, since = state
    return (min(rank, 2) if wrap and first < 0 else first, 0) if has else (first, min(since + 1, 2))
