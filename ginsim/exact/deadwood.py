"""Exact odds of the deadwood of a random hand: no dealing, every hand there is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ginsim import layout as D
from ginsim.cards import card_at, format_hand
from ginsim.errors import InputError, shown
from ginsim.exact.columns import Columns
from ginsim.exact.counting import Deck, Suit, count_hands
from ginsim.games.gin.evaluate import MOST_CARDS, Hand, RulesLike, read_cards
from ginsim.games.gin.rules import PRESETS, Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ExactDeadwood", "deck_of", "exact_deadwood", "read_count", "read_rules"]


@dataclass(frozen=True, repr=False)
class ExactDeadwood:
    """How many hands have which least deadwood; what `exact_deadwood` returns.

    Attributes
    ----------
    cards : int
        Cards of a hand, before the discard if there is one.
    rules : Rules
    discard : bool
        Whether deadwood and melds are those after the best discard.
    holding, without : int
        Masks of the cards that all the hands hold, and of those that none does.
    counts : int64[deadwood, melds]
        Hands by least deadwood and by the fewest melds that reach it.
    """

    cards: int
    rules: Rules
    discard: bool
    holding: int
    without: int
    counts: npt.NDArray[np.int64]

    @property
    def hands(self) -> int:
        """All hands."""
        return int(self.counts.sum())

    @property
    def gin(self) -> int:
        """Hands without deadwood (one card more than a hand, none discarded: big gin)."""
        return int(self.counts[0].sum())

    @property
    def meldless(self) -> int:
        """Hands without any meld."""
        return int(self.counts[:, 0].sum())

    @property
    def knockable(self) -> int | None:
        """Hands with no more deadwood than the knock limit, gin hands among them; None where the upcard sets the limit."""
        return None if self.rules.oklahoma else self.at_most(self.rules.knock_limit)

    @property
    def mean(self) -> Fraction:
        """Mean deadwood, exactly; ``float(mean)`` rounds it."""
        return Fraction(int(self.counts.sum(axis=1) @ np.arange(len(self.counts))), self.hands)

    def at_most(self, deadwood: int) -> int:
        """Hands with at most so much deadwood.

        Examples
        --------
        >>> three = exact_deadwood(3)
        >>> three.at_most(0), three.hands  # three cards that are a set or a run
        (96, 22100)
        """
        return int(self.counts[: max(0, deadwood + 1)].sum())

    def table(self) -> pd.DataFrame:
        """The distribution: a row for each deadwood with ``hands``, ``chance`` and ``at_most`` (chance of so much or less)."""
        return self.by_deadwood().frame()

    def by_deadwood(self) -> Columns:
        """What `table` shows."""
        hands = self.counts.sum(axis=1)
        columns = {"hands": hands, "chance": hands / self.hands, "at_most": hands.cumsum() / self.hands}
        return _columns("deadwood", columns)

    def melds(self) -> pd.DataFrame:
        """Hands by number of melds, the fewest that leave the least deadwood: ``hands``, ``chance``, mean ``deadwood``."""
        return self.by_melds().frame()

    def by_melds(self) -> Columns:
        """What `melds` shows."""
        hands = self.counts.sum(axis=0)
        points = np.arange(len(self.counts)) @ self.counts
        deadwood = np.divide(points, hands, out=np.full(len(hands), np.nan), where=hands > 0)
        return _columns("melds", {"hands": hands, "chance": hands / self.hands, "deadwood": deadwood})

    def summary(self) -> dict[str, Any]:
        """What there is to quote: plain numbers and texts by name."""
        return {
            "rules": str(self.rules),
            "cards": self.cards,
            "discard": self.discard,
            "holding": format_hand(self.holding),
            "without": format_hand(self.without),
            "hands": self.hands,
            "mean": float(self.mean),
            "gin": self.gin,
            "knockable": self.knockable,
            "meldless": self.meldless,
        }

    def __repr__(self) -> str:
        return f"ExactDeadwood({', '.join(f'{name}={value!r}' for name, value in self.summary().items())})"


def _columns(index: str, arrays: dict[str, npt.NDArray[Any]]) -> Columns:
    """Rows numbered from 0."""
    columns = {name: array.tolist() for name, array in arrays.items()}
    return Columns(index, range(len(columns["hands"])), columns)


def exact_deadwood(
    cards: int | None = None,
    rules: RulesLike = None,
    discard: bool = False,
    holding: Hand = 0,
    without: Hand = 0,
    report: Callable[[int], None] | None = None,
) -> ExactDeadwood:
    """Count all hands of ``cards`` cards by their least deadwood.

    Parameters
    ----------
    cards : int, optional
        Cards of a hand, 1 to 14; as many as the rules deal if not given.
    rules : Rules or str, optional
        What a run is, what an ace counts, which deck, how much deadwood a knock allows; ``classic25`` if not given.
    discard : bool
        Count by the deadwood that the best discard leaves.
    holding, without : str or int
        Only hands with all cards of the first and none of the second. The hands without all the cards one has seen are
        those the opponent may hold.
    report : callable, optional
        Called with the number of ranks counted.

    Returns
    -------
    ExactDeadwood

    Raises
    ------
    InputError
        If there are no such hands.

    Examples
    --------
    >>> every = exact_deadwood(10)
    >>> every.hands, every.gin, round(float(every.mean), 6)
    (15820024220, 136694, 56.569434)
    >>> exact_deadwood(3, holding="7S 8S").table().head(2).hands.tolist()  # 6♠ or 9♠ fills it
    [2, 0]
    """
    read = read_rules(rules)
    held, out = read_cards(holding, "holding", read), read_cards(without, "without", read)
    count = read_count(read.hand_size if cards is None else cards, held, out, read, discard)
    counts = count_hands(count, deck_of(read, held, out), discard, report=report)
    return ExactDeadwood(count, read, discard, held, out, counts)


def deck_of(rules: Rules, holding: int = 0, without: int = 0) -> Deck:
    """The deck of the rules, for hands that hold some cards and do not hold others."""
    order = list(reversed(range(rules.ranks)))
    if rules.wrap:
        order = [0, *order[:-1]]  # a circle may start anywhere; from the ace it is quickest
    values = tuple(rules.ace_value if rank == 0 else min(rank + 1, 10) for rank in order)

    def bits(cards: int, suit: int) -> int:
        return sum(1 << i for i, rank in enumerate(order) if cards & card_at(rank, suit))

    full = int(rules.array()[D.FULL])
    return Deck(values, rules.wrap, tuple(Suit(bits(full & ~without, s), bits(holding, s)) for s in range(rules.suits)))


def read_rules(rules: RulesLike) -> Rules:
    """Rules as they are passed to the functions of this package."""
    return PRESETS["classic25"].rules if rules is None else Rules.parse(rules)


def read_count(cards: Any, held: int, out: int, rules: Rules, discard: bool) -> int:
    """The number of cards of a hand, if there are such hands."""
    if held & out:
        raise InputError(f"holding and without both name {format_hand(held & out)}; a hand has a card or not")
    least = max(1 + discard, held.bit_count())
    most = min(MOST_CARDS, rules.ranks * rules.suits - out.bit_count())
    if least > most:
        raise InputError(f"holding and without leave no hand: {least} cards or more, of {most} at most")
    if isinstance(cards, bool) or not isinstance(cards, int | np.integer) or not least <= cards <= most:
        raise InputError(f"cards: {shown(cards)} is not allowed; give a whole number from {least} to {most}")
    return int(cards)
