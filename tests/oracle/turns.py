"""What each turn of a hand came to, noted while the oracle plays it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from .cards import Card
from .melds import best_defence, deadwood, permitted
from .play import Outcome, Table


@dataclass(frozen=True)
class Turn:
    """A turn: who, the own number from 1, whether the upcard was taken, the discard and how it lies to the opponent's, whether
    the opponent took it (None: could not), deadwood kept, and what a knock could bring (empty: illegal).
    """

    player: int
    turn: int
    took: bool
    discard: Card
    beside: bool
    same_rank: bool
    taken: bool | None
    deadwood: int
    outcomes: frozenset[Outcome]


class WatchedTable(Table):
    """A table that keeps the turns; they are of the hand once it is played."""

    def __init__(self, *args: Any) -> None:
        self.seen: list[Turn] = []
        super().__init__(*args)

    def draw(self, p: int, source: str) -> Card | None:
        if self.seen and source != "dealt":
            self.seen[-1] = replace(self.seen[-1], taken=source == "take")
        self.source = source
        return super().draw(p, source)

    def throw(self, p: int, chosen: Card) -> None:
        legal, turn = self.in_time(p), self.turns[p] + 1
        super().throw(p, chosen)
        theirs, ranks = set(self.discarded[1 - p]), self.pack.ranks
        (rank, suit), left = chosen, deadwood(self.hands[p], self.pack)
        steps = [rank - 1, rank + 1]
        if self.pack.wrap:
            steps = [step % ranks for step in steps]
        self.seen.append(
            Turn(
                p, turn, self.source == "take", chosen, any((step, suit) in theirs for step in steps),
                any(other[0] == rank for other in theirs), None, left,
                frozenset(self.knocks_now(p, left)) if legal and left <= self.limit else frozenset(),
            )
        )  # fmt: skip

    def knocks_now(self, p: int, left: int) -> set[Outcome]:
        """What a knock could come to now."""
        knocker, defender = self.hands[p], self.hands[1 - p]
        gin = "gin" if left == 0 else ""
        layoff = "none" if gin and not self.rules.layoff_on_gin else self.rules.layoff
        choices = permitted(knocker, frozenset(self.deck) - knocker - set(self.pile), self.pack)
        return {self.outcome(p, left, best_defence(defender, melds, layoff, self.pack).deadwood, gin) for melds in choices}
