"""The best response as a player: it knows the strategy that it plays against, and no other."""

from __future__ import annotations

from typing import Any

from ginsim.cards import cards_of, format_hand
from ginsim.errors import InputError
from ginsim.exact import beliefs as B
from ginsim.exact.response import Tree, check_small, seen_by
from ginsim.games.catalog import Strategy
from ginsim.games.gin.evaluate import RulesLike
from ginsim.games.gin.view import View

__all__ = ["Responder"]


class Responder:
    """A player that wins what `best_response` says against a strategy; give it to `ginsim.compare` or `ginsim.Table`.

    Parameters
    ----------
    strategy : str or Strategy
        The strategy that it plays against.
    rules : Rules or str
        The small gin that is played.

    Raises
    ------
    InputError
        As `best_response`; and in play, for a position that the strategy never reaches.

    Examples
    --------
    >>> import ginsim
    >>> small = "classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, stock_end=dead_at_0, max_turns=2)"
    >>> ginsim.Table(Responder("simple", small), "simple", rules=small, deal=5).steps[0]
    (0, 'takes 4S, discards 5S')
    """

    def __init__(self, strategy: str | Strategy, rules: RulesLike = None) -> None:
        self.rules, self.policy = check_small(rules), dict[Any, int]()
        self.strategy = Strategy.parse(strategy, self.rules.GAME)
        self.tree = Tree(self.rules, self.strategy, policy=self.policy)

    def draw(self, view: View) -> int:
        """1 to take the upcard."""
        return self._answer(view, B.DRAWING)

    def discard(self, view: View) -> int:
        """The discard."""
        return self._answer(view, B.DISCARDING)

    def knock(self, view: View) -> int:
        """1 to knock."""
        return self._answer(view, B.KNOCKING)

    def _answer(self, view: View, kind: int) -> int:
        seen = seen_by(view.array, kind, view.hand, view.chosen if kind == B.KNOCKING else 0)
        if seen not in self.policy:
            dealt = _dealt(view, kind)
            for upcard in _upcards(view, dealt):
                self.tree.root(0 if view.starter else 1, dealt, upcard)
                if seen in self.policy:
                    break
            else:
                raise InputError(f"{self.strategy} never plays so that it comes to {format_hand(view.hand)}")
        return self.policy[seen]


def _dealt(view: View, kind: int) -> int:
    """The hand as it was dealt: all own moves undone."""
    hand = view.hand | (view.chosen if kind == B.KNOCKING else 0)
    if kind != B.DRAWING:
        hand &= ~view.drawn
    for drawn, discarded in reversed(view.own_moves):
        hand = (hand | discarded) & ~drawn
    return hand


def _upcards(view: View, dealt: int) -> list[int]:
    """What the first upcard may have been: a card that nobody discarded, or one that was taken from the pile."""
    taken = sum({card for card, _ in (*view.opp_moves, *view.own_moves)}) | view.drawn
    return list(cards_of((view.upcard | view.pile | taken) & ~dealt))
