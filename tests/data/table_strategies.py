"""Strategies of one's own for the table game, as a user would write them."""

import numpy as np

from ginsim.cards import cards_of
from ginsim.games.catalog import Strategy
from ginsim.games.table.players.decisions import greedy_claim, greedy_draw, greedy_play


class Cautious:
    """Draws from the stock, melds nothing but to lay single cards off, passes on claims."""

    def __init__(self, high: bool = True) -> None:
        self.high = high

    def draw(self, view):
        return 0

    def play(self, view):
        cards = [card for card in cards_of(view.hand) if not card & view.banned]
        return {}, cards[-1] if self.high else cards[0]

    def claim(self, view):
        return None


class Cheat(Cautious):
    """Discards what it has not."""

    def play(self, view):
        return {}, view.unseen & -view.unseen


class Broken(Cautious):
    """Raises."""

    def draw(self, view):
        raise ZeroDivisionError("no idea")


def stock_only(view, params):
    return np.int64(0)


def deep(view, params):
    return np.int64(params[0])


jitted = Strategy.of(draw=stock_only, play=greedy_play, claim=greedy_claim)
too_deep = Strategy.of(draw=deep, play=greedy_play, claim=greedy_claim, params={"depth": 6})
twin = Strategy.of(draw=greedy_draw, play=greedy_play, claim=greedy_claim)
