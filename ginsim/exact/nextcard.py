"""What the next card can do for a hand: every unseen card tried, each as likely as any other."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ginsim import melds as kernel
from ginsim.cards import cards_of, format_card, format_hand
from ginsim.errors import InputError
from ginsim.exact.columns import Columns
from ginsim.exact.deadwood import read_rules
from ginsim.exact.facts import hidden_cards
from ginsim.games.gin.evaluate import Hand, RulesLike, read_cards
from ginsim.games.gin.rules import Rules

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Outs", "outs"]


@dataclass(frozen=True, repr=False)
class Outs:
    """What the next card can do for a hand; what `outs` returns.

    Attributes
    ----------
    hand : int
        Mask of the cards held.
    rules : Rules
    deadwood : int
        Least deadwood of the hand as it is.
    limit : int
        The most deadwood that a knock allows; where the upcard sets the limit, the highest there is.
    left : dict of int to (int, int)
        By unseen card: the least deadwood after drawing it and the best discard, and the mask of the best discards.
    big_gin : int
        Mask of the cards with which all cards are melded, none discarded, where the rules have big gin.
    """

    hand: int
    rules: Rules
    deadwood: int
    limit: int
    left: dict[int, tuple[int, int]]
    big_gin: int

    @property
    def improve(self) -> int:
        """Mask of the cards that leave less deadwood than there is now."""
        return self.at_most(self.deadwood - 1)

    @property
    def knock(self) -> int:
        """Mask of the cards with which a knock is allowed, gin among them."""
        return self.at_most(self.limit)

    @property
    def gin(self) -> int:
        """Mask of the cards that leave no deadwood."""
        return self.at_most(0)

    def at_most(self, deadwood: int) -> int:
        """Mask of the cards after which the best discard leaves at most so much deadwood."""
        return sum(card for card, (left, _) in self.left.items() if left <= deadwood)

    def chance(self, cards: int) -> Fraction:
        """Chance that the next card is one of these.

        Examples
        --------
        >>> found = outs("4S 4H 4D 8C 9C 10C KS KH 2D AC")
        >>> found.chance(found.gin), found.chance(found.knock)
        (Fraction(0, 1), Fraction(1, 21))
        """
        return Fraction((cards & sum(self.left)).bit_count(), len(self.left))

    def table(self) -> pd.DataFrame:
        """A row for each unseen card, the best first: the ``deadwood`` after it and the best discards, and these."""
        return self.by_card().frame()

    def by_card(self) -> Columns:
        """What `table` shows."""
        best = sorted(self.left.items(), key=lambda item: (item[1][0], item[0]))
        left, discards = zip(*(after for _, after in best), strict=True)
        columns = {"deadwood": list(left), "discards": list(map(format_hand, discards))}
        return Columns("card", [format_card(card) for card, _ in best], columns)

    def summary(self) -> dict[str, Any]:
        """What there is to quote: cards and chances by name."""
        found = {"improve": self.improve, "knock": self.knock, "gin": self.gin, "big_gin": self.big_gin}
        facts: dict[str, Any] = {"hand": format_hand(self.hand), "rules": str(self.rules), "deadwood": self.deadwood}
        facts["unseen"] = len(self.left)
        return facts | {name: {"cards": format_hand(mask), "chance": float(self.chance(mask))} for name, mask in found.items()}

    def __repr__(self) -> str:
        names = ("improve", "knock", "gin")
        parts = ", ".join(f"{name}={format_hand(getattr(self, name))!r}" for name in names)
        return f"Outs({format_hand(self.hand)!r}, deadwood={self.deadwood}, {parts}, unseen={len(self.left)})"


def outs(hand: Hand, seen: Hand = 0, rules: RulesLike = None, known: Hand = 0) -> Outs:
    """What each unseen card does for a hand if it is drawn next: less deadwood, a knock, gin.

    The card is drawn from the stock and the best discard made, which may be the card itself. Whether the turn allows a knock is
    not asked.

    Parameters
    ----------
    hand : str or int
        As many cards as the rules deal, before the draw.
    seen : str or int
        Cards that cannot come: discards, and whatever else was seen; those of the hand may be among them.
    rules : Rules or str, optional
    known : str or int
        Cards known to be in the opponent's hand.

    Returns
    -------
    Outs

    Raises
    ------
    InputError
        For another number of cards, and for own or seen cards in the opponent's hand.

    Examples
    --------
    >>> found = outs("4S 4H 4D 8C 9C 10C JC AS AD KC")
    >>> format_hand(found.gin), found.chance(found.gin)
    ('AH AC', Fraction(1, 21))
    """
    read = read_rules(rules)
    held = read_cards(hand, "hand", read)
    if held.bit_count() != read.hand_size:
        more = ": discard first" if held.bit_count() == read.hand_size + 1 else ""
        raise InputError(f"hand: {held.bit_count()} cards; give the {read.hand_size} held before the draw{more}")
    hidden, _, _ = hidden_cards({"hand": held, "seen": read_cards(seen, "seen", read)}, known, read)
    c = read.array()
    left, big_gin = {}, 0
    for card in cards_of(hidden):
        points, discards = kernel.best_discards(held | card, 0, c)
        left[card] = int(points), int(discards)
        if read.big_gin_bonus is not None and points == 0 and kernel.deadwood(held | card, c) == 0:
            big_gin |= card
    limit = min(read.ranks, 10) if read.oklahoma else read.knock_limit
    return Outs(held, read, int(kernel.deadwood(held, c)), limit, left, big_gin)
