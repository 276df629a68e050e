"""The luck of a recorded hand: of the deal, and of each card from the stock against all that could have come in its place.

The quantities are those by which studies take the luck of the draw out of their figures (``ginsim.games.gin.luck``); what a unit
of each is worth in points is measured on hands that are played under the same rules (`weights_of`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ginsim import layout as D
from ginsim.cards import cards_of
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.luck import LUCK, LUCK_SIZE, SCALE
from ginsim.games.gin.recorded.decisions import Walk
from ginsim.melds import best_discards, deadwood

__all__ = ["HandLuck", "LuckyDraw", "Weights", "draws_of", "hand_luck_of", "weights_of"]

_K, LEAD = len(LUCK), LUCK.index("lead")


@dataclass(frozen=True)
class Weights:
    """What luck is worth in points.

    Attributes
    ----------
    draw : tuple of float
        Of a unit of each quantity of ``ginsim.games.gin.luck.LUCK``.
    blind : tuple of float
        The same where the opponent's hand, and so the lead on it, is not known.
    deal : float
        Of a point of deadwood less than the opponent's when the cards are dealt.
    start : float
        Of having the first turn.
    dealt : float
        Deadwood of a hand as it is dealt, on average.
    """

    draw: tuple[float, ...]
    blind: tuple[float, ...]
    deal: float
    start: float
    dealt: float


def weights_of(records: np.ndarray) -> Weights:
    """Weights by least squares of the points of hands on their luck.

    Parameters
    ----------
    records : int64[hands, columns]
        Records of hands (``ginsim.games.gin.records``), each followed by its luck.
    """
    winner, points = records[:, H.WINNER], records[:, H.POINTS]
    gained = np.where(winner == 0, points, np.where(winner == 1, -points, 0))
    luck = records[:, H.SIZE : H.SIZE + LUCK_SIZE] / SCALE
    drawn = luck[:, :_K] - luck[:, _K:]
    dealt = records[:, H.DEALT : H.DEALT + 2]
    better = (dealt[:, 1] - dealt[:, 0]) * records[:, H.MULTIPLIER]
    starts = np.where(records[:, H.STARTER] == 0, 1, -1)
    whole = _least_squares(gained, drawn, better, starts)
    blind = _least_squares(gained, drawn[:, :LEAD], better, starts)
    return Weights(tuple(whole[:_K]), (*blind[:LEAD], 0.0), whole[_K], whole[_K + 1], float(dealt.mean()))


def _least_squares(gained: np.ndarray, *columns: np.ndarray) -> list[float]:
    return [float(x) for x in np.linalg.lstsq(np.column_stack(columns), gained, rcond=None)[0]]


@dataclass(frozen=True)
class LuckyDraw:
    """A card from the stock: the turn, who drew it, the card, its luck by each quantity, and in points for who drew it."""

    turn: int
    player: int
    card: int
    luck: tuple[float, ...]
    points: float


@dataclass(frozen=True)
class HandLuck:
    """The luck of a hand, as far as its cards are known.

    Attributes
    ----------
    deal : (float or None, float or None)
        Of either player's cards and seat, in points; where both hands are known, one is the other with its sign turned.
    draws : tuple of LuckyDraw
    whole : bool
        Whether the luck of every draw is known, of both players.
    """

    deal: tuple[float | None, float | None]
    draws: tuple[LuckyDraw, ...]
    whole: bool

    def points(self, player: int) -> float:
        """The luck of a player less that of the opponent, in points."""
        own = sum(draw.points if draw.player == player else -draw.points for draw in self.draws)
        return own + (self.deal[player] or 0.0)


def hand_luck_of(walk: Walk, weights: Weights) -> HandLuck:
    """The luck of a hand that was walked through."""
    drawn = tuple(_lucky(turn, player, card, luck, blind, weights) for turn, player, card, luck, blind in draws_of(walk))
    from_stock = sum(turn.action == "draw" for turn in walk.hand.turns)
    return HandLuck(_of_the_deal(walk, weights), drawn, len(drawn) == from_stock)


def _lucky(turn: int, player: int, card: int, luck: tuple[int, ...], blind: bool, weights: Weights) -> LuckyDraw:
    units = tuple(part / SCALE for part in luck)
    worth = weights.blind if blind else weights.draw
    return LuckyDraw(turn, player, card, units, sum(w * unit for w, unit in zip(worth, units, strict=True)))


def _of_the_deal(walk: Walk, weights: Weights) -> tuple[float | None, float | None]:
    """The luck of the cards dealt, and of the first turn; None for a player of whom nothing is known."""
    if not walk.decisions:
        return None, None
    view, starter = walk.decisions[0].view, walk.hand.starter
    held = walk.known.hands[0]
    left = [weights.dealt if cards is None else float(deadwood(np.int64(cards), view)) for cards in held]
    luck = [
        weights.deal * int(view[V.MULTIPLIER]) * (left[1 - p] - left[p]) + (weights.start if p == starter else -weights.start)
        for p in (0, 1)
    ]
    return luck[0] if held[0] is not None else None, luck[1] if held[1] is not None else None


def draws_of(walk: Walk) -> Iterator[tuple[int, int, int, tuple[int, ...], bool]]:
    """Turn, player, card, luck (``SCALE`` is one unit) of each draw that can be judged; whether the opponent's hand is unknown.

    The stock is what lies nowhere else; where the opponent's hand is not known, it is all that the player has not seen.
    """
    if not walk.decisions:
        return
    view, pile, taken = walk.decisions[0].view, walk.hand.upcard, [0, 0]
    for at, turn in enumerate(walk.hand.turns):
        card, thrown, player = walk.known.drawn[at], walk.known.discards[at], turn.player
        held, other = (walk.known.hands[at][p] for p in (player, 1 - player))
        if turn.action == "draw" and card and held is not None:
            away = held | pile | (taken[1 - player] if other is None else other)
            yield at, player, card, _luck_of(view, held, other or 0, card, int(view[D.FULL]) & ~away), other is None
        if turn.action == "take":
            pile, taken[player] = pile & ~card, taken[player] | card
        if turn.action != "pass" and not thrown:
            return  # from here on it is not known what lies in the pile
        pile, taken[player] = pile | thrown, taken[player] & ~thrown


def _luck_of(view: np.ndarray, hand: int, other: int, card: int, stock: int) -> tuple[int, ...]:
    """How much better a card is than the cards of the stock on average, each with the best discard after it."""
    left, limit, none = stock.bit_count(), int(view[R.LIMIT]), np.int64(0)
    facing = int(deadwood(np.int64(other), view))

    def judged(drawn: int) -> np.ndarray:
        after = int(best_discards(np.int64(hand | drawn), none, view)[0])
        knocks = after <= limit
        return np.array([-after, knocks, after == 0, facing - after if knocks else 0])

    every = sum(judged(other_card) for other_card in cards_of(stock))
    weight = (SCALE + left // 2) // left * int(view[V.MULTIPLIER])
    return tuple(int(x) for x in weight * (left * judged(card) - every))
