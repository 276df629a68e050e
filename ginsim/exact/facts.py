"""Facts about cards: melds they can be in, chances that a holding fills, chances that the opponent can use a discard.

All chances are exact and before any behaviour: the unseen cards lie anywhere, in the opponent's hand or the stock, each
way being as likely. So cards drawn, or held by the opponent, are a random choice among the unseen (hypergeometric).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim import layout as D
from ginsim import melds as kernel
from ginsim.cards import LANE, RANKS, card_at, cards_of, format_card, format_hand
from ginsim.errors import InputError, listed, shown
from ginsim.exact.columns import Columns
from ginsim.exact.deadwood import read_count, read_rules
from ginsim.exact.meldless import count_meldless
from ginsim.games.gin.evaluate import Hand, RulesLike, _all_melds, read_cards
from ginsim.games.gin.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Fill", "card_melds", "danger", "fill", "hidden_cards", "kinds_of_melds"]

DRAWS = (1, 2, 3, 4, 5, 6, 8, 10)


def card_melds(rules: RulesLike = None) -> pd.DataFrame:
    """In how many melds a card of each rank can be: sets, and runs of up to the cards of a hand.

    Returns
    -------
    DataFrame
        A row for each rank: ``sets``, ``runs``, ``melds`` (both), ``sets_of_3``, ``sets_of_4``, ``runs_of_3`` and so on, and
        ``usable``, the chance that an opponent with a random hand of the other cards makes a meld with the card.

    Examples
    --------
    >>> card_melds().loc[["A", "2", "7", "K"], ["sets", "runs_of_3", "runs", "melds"]]
          sets  runs_of_3  runs  melds
    rank
    A        4          1     8     12
    2        4          2    16     20
    7        4          3    40     44
    K        4          1     8     12
    """
    return melds_by_rank(rules).frame()


def melds_by_rank(rules: RulesLike = None) -> Columns:
    """What `card_melds` shows."""
    read = read_rules(rules)
    every = [meld for meld in _all_melds(read.wrap, read.ranks, read.suits) if meld.bit_count() <= read.hand_size]
    rows = []
    for rank in range(read.ranks):
        kinds = [(_is_run(meld), meld.bit_count()) for meld in every if meld & card_at(rank, 0)]
        sets, runs = ([size for is_run, size in kinds if is_run == kind] for kind in (False, True))
        row: dict[str, Any] = {"sets": len(sets), "runs": len(runs), "melds": len(kinds)}
        row |= {f"sets_of_{size}": sets.count(size) for size in range(3, read.suits + 1)}
        row |= {f"runs_of_{size}": runs.count(size) for size in range(3, min(read.ranks, read.hand_size) + 1)}
        rows.append(row | {"usable": float(_danger(card_at(rank, 0), _deck(read) & ~card_at(rank, 0), 0, read))})
    return Columns("rank", RANKS[: read.ranks], {name: [row[name] for row in rows] for name in rows[0]})


def kinds_of_melds(cards: int | None = None, rules: RulesLike = None) -> pd.DataFrame:
    """How many hands hold a set, a run, both, either, neither (of all hands of so many cards): ``hands``, ``chance``.

    A set and a run that need the same card are both held.

    Examples
    --------
    >>> kinds_of_melds(3).hands.to_dict()
    {'a set': 52, 'a run': 44, 'both': 0, 'either': 96, 'neither': 22004}
    """
    return hands_by_melds(cards, rules).frame()


def hands_by_melds(cards: int | None = None, rules: RulesLike = None) -> Columns:
    """What `kinds_of_melds` shows."""
    read = read_rules(rules)
    count = read_count(read.hand_size if cards is None else cards, 0, 0, read, False)
    every = comb(read.ranks * read.suits, count)
    kinds = (True, False), (False, True), (True, True)
    with_set, with_run, either = (every - count_meldless(count, read.ranks, read.suits, read.wrap, *kind) for kind in kinds)
    names = ["a set", "a run", "both", "either", "neither"]
    hands = [with_set, with_run, with_set + with_run - either, either, every - either]
    return Columns("hands with", names, {"hands": hands, "chance": [number / every for number in hands]})


@dataclass(frozen=True, repr=False)
class Fill:
    """How a holding can fill; what `fill` returns.

    Attributes
    ----------
    holding : int
        Mask of the cards held.
    outs : int
        Mask of the unseen cards that make a meld with the holding, one of them being enough.
    dead : int
        Mask of the cards that would have, and lie among the cards seen.
    unseen : int
        Number of unseen cards.
    opponent : int
        How many of them the opponent holds.
    known : int
        Mask of cards that make a meld and are known to be in the opponent's hand.
    draws : tuple of int
    """

    holding: int
    outs: int
    dead: int
    unseen: int
    opponent: int
    known: int
    draws: tuple[int, ...]

    def chance(self, draws: int) -> Fraction:
        """Chance that at least one of so many cards drawn from the stock fills the holding.

        Examples
        --------
        >>> fill("5H 6H").chance(1)  # the four or the seven, of 50 cards
        Fraction(1, 25)
        """
        return 1 - _none_of(self.outs.bit_count(), draws, self.unseen)

    @property
    def opponent_one(self) -> Fraction:
        """Chance that the opponent holds one or more of the cards that fill."""
        return Fraction(1) if self.known else 1 - _none_of(self.outs.bit_count(), self.opponent, self.unseen)

    @property
    def opponent_all(self) -> Fraction | None:
        """Chance that the opponent holds all of them, so that nothing can fill the holding; None if there are none."""
        left = self.outs.bit_count()
        if not self.outs | self.known:
            return None
        ways = comb(self.unseen - left, self.opponent - left) if left <= self.opponent else 0
        return Fraction(ways, comb(self.unseen, self.opponent))

    def table(self) -> pd.DataFrame:
        """A row for each number of ``draws`` with the ``chance`` that they fill the holding."""
        return self.by_draws().frame()

    def by_draws(self) -> Columns:
        """What `table` shows."""
        return Columns("draws", self.draws, {"chance": [float(self.chance(draws)) for draws in self.draws]})

    def __repr__(self) -> str:
        outs, dead = format_hand(self.outs), format_hand(self.dead)
        return f"Fill({format_hand(self.holding)!r}, outs={outs!r}, dead={dead!r}, unseen={self.unseen})"


def fill(
    holding: Hand, seen: Hand = 0, draws: Iterable[int] = DRAWS, rules: RulesLike = None, known: Hand = 0
) -> Fill:
    """Chances that one of the next cards drawn makes a meld with a holding: a pair, a two-card run, an inside run, a triangle.

    Parameters
    ----------
    holding : str or int
        The cards to be filled, such as ``"4H 4S 5H"``.
    seen : str or int
        Cards one has seen and that cannot come: the rest of the own hand, discards; those of the holding may be among them.
    draws : list of int
        Numbers of cards drawn from the stock.
    rules : Rules or str, optional
    known : str or int
        Cards known to be in the opponent's hand.

    Returns
    -------
    Fill

    Raises
    ------
    InputError
        For own or seen cards in the opponent's hand, and for more draws than the stock has cards.

    Examples
    --------
    >>> triangle = fill("4H 4S 5H", seen="KD KC", draws=[1, 2])
    >>> triangle
    Fill('4S 4H 5H', outs='3H 6H 4D 4C', dead='', unseen=47)
    >>> triangle.table().chance.round(6).tolist()
    [0.085106, 0.164662]
    """
    read = read_rules(rules)
    held = read_cards(holding, "holding", read)
    if not held:
        raise InputError("holding: no cards; give the cards to be filled, such as '4H 4S 5H'")
    hidden, opponent, theirs = hidden_cards({"holding": held, "seen": read_cards(seen, "seen", read)}, known, read)
    c, deck = read.array(), _deck(read)
    useful = sum(card for card in cards_of(deck & ~held) if kernel.joins_meld(held, card, c))
    most = hidden.bit_count() - opponent
    numbers = tuple(_draws(number, most) for number in listed("draws", draws, "whole numbers"))
    return Fill(held, useful & hidden, useful & ~hidden & ~theirs, hidden.bit_count(), opponent, useful & theirs, numbers)


def danger(hand: Hand, seen: Hand = 0, rules: RulesLike = None, known: Hand = 0) -> pd.DataFrame:
    """Chance for each card of a hand that the opponent, given it, could make a meld with it.

    Parameters
    ----------
    hand : str or int
        The cards one might discard, and all others in the own hand.
    seen : str or int
        Cards that lie in the discard pile; those of the hand may be among them.
    rules : Rules or str, optional
    known : str or int
        Cards known to be in the opponent's hand.

    Returns
    -------
    DataFrame
        A row for each card, the safest first: ``pairs``, the pairs of cards the opponent may hold that make a meld with it,
        and ``chance``.

    Examples
    --------
    >>> danger("KS 7S", seen="KH").round(4)
          pairs  chance
    card
    KS        2  0.0755
    7S        6  0.1961
    """
    return danger_by_card(hand, seen, rules, known).frame()


def danger_by_card(hand: Hand, seen: Hand = 0, rules: RulesLike = None, known: Hand = 0) -> Columns:
    """What `danger` shows."""
    read = read_rules(rules)
    held = read_cards(hand, "hand", read)
    if not held:
        raise InputError("hand: no cards; give the cards one might discard")
    hidden, _, theirs = hidden_cards({"hand": held, "seen": read_cards(seen, "seen", read)}, known, read)
    found = [
        (float(_danger(card, hidden, theirs, read)), len(_pairs(card, hidden | theirs, read)), format_card(card))
        for card in cards_of(held)
    ]
    chances, pairs, names = zip(*sorted(found, key=lambda row: row[:2]), strict=True)
    return Columns("card", names, {"pairs": list(pairs), "chance": list(chances)})


def _danger(card: int, hidden: int, theirs: int, rules: Rules) -> Fraction:
    """Chance that the opponent, who holds ``theirs`` and others of the ``hidden`` cards, makes a meld with ``card``."""
    pairs = _pairs(card, hidden | theirs, rules)
    open_cards = list(cards_of(_union(pairs) & hidden))
    unknown, unseen = rules.hand_size - theirs.bit_count(), hidden.bit_count()
    safe = 0
    for size in range(min(unknown, len(open_cards)) + 1):
        ways = comb(unseen - len(open_cards), unknown - size)
        for some in combinations(open_cards, size):
            held = sum(some) | theirs
            safe += 0 if any(pair & ~held == 0 for pair in pairs) else ways
    return 1 - Fraction(safe, comb(unseen, unknown))


def _pairs(card: int, cards: int, rules: Rules) -> list[int]:
    """Pairs among ``cards`` that make a meld of three with ``card``."""
    threes = [meld for meld in _all_melds(rules.wrap, rules.ranks, rules.suits) if meld.bit_count() == 3 and meld & card]
    return [meld ^ card for meld in threes if not (meld ^ card) & ~cards]


def hidden_cards(named: dict[str, int], known: Hand, rules: Rules) -> tuple[int, int, int]:
    """Cards unseen, how many of them the opponent holds, and the cards known to be in that hand."""
    theirs = read_cards(known, "known", rules)
    for name, cards in named.items():
        if cards & theirs:
            raise InputError(f"{name} and known both name {format_hand(cards & theirs)}; each card exists once")
    hidden, unknown = _deck(rules) & ~_union([*named.values(), theirs]), rules.hand_size - theirs.bit_count()
    if unknown < 0:
        raise InputError(f"known: {theirs.bit_count()} cards; the opponent holds {rules.hand_size}")
    if unknown > hidden.bit_count():
        raise InputError(f"{', '.join(named)} and known leave {hidden.bit_count()} unseen; the opponent holds {unknown} such")
    return hidden, unknown, theirs


def _none_of(outs: int, draws: int, unseen: int) -> Fraction:
    """Chance that so many draws from the unseen cards hold none of the outs."""
    return Fraction(comb(unseen - outs, draws), comb(unseen, draws))


def _draws(number: Any, most: int) -> int:
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number <= most:
        raise InputError(f"draws: {shown(number)} is not allowed; give whole numbers up to {most}, the cards of the stock")
    return int(number)


def _deck(rules: Rules) -> int:
    return int(rules.array()[D.FULL])


def _union(masks: Iterable[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _is_run(meld: int) -> bool:
    return meld.bit_length() - (meld & -meld).bit_length() < LANE
