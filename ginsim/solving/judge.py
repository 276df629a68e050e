"""What ways of knocking are worth against each other, on deals that none of them was made of: figures with their intervals.

All are per hand, either side having each seat as often.
"""

from __future__ import annotations

import math

import numpy as np

from ginsim.inference.estimates import Estimate, from_mean
from ginsim.solving.game import KnockGame, by_row, pairing, values
from ginsim.solving.respond import respond

__all__ = ["advantage", "mean", "reply_gain", "value"]


def mean(values: np.ndarray) -> Estimate:
    """The mean of independent values."""
    count = len(values)
    if not count:
        return from_mean(math.nan, math.inf, 0)
    return from_mean(float(values.mean()), float(values.std(ddof=1) / math.sqrt(count)) if count > 1 else math.inf, count)


def value(game: KnockGame, knock: np.ndarray, workers: int = 1) -> Estimate:
    """What a hand is worth to side 0 if each row knocks with the chance ``knock`` (float32[rows])."""
    return mean(game.by_deal(values(game, knock, workers)))


def advantage(game: KnockGame, own: np.ndarray, theirs: np.ndarray, workers: int = 1) -> Estimate:
    """What one way of knocking (the chance of each row, in both seats) wins of another, per hand."""
    first = values(game, pairing(game, 0, own, theirs), workers)
    second = values(game, pairing(game, 1, own, theirs), workers)
    return mean(game.by_deal((first - second) / 2))


def reply_gain(train: KnockGame, trained: np.ndarray, judge: KnockGame, judged: np.ndarray, workers: int = 1) -> np.ndarray:
    """What the best reply to a way of knocking, learnt in hands of ``train``, wins of it in each deal of ``judge``.

    ``trained`` and ``judged`` are the chances of the rows of both to knock.
    """
    total = np.zeros(judge.hands)
    for player in range(2):
        reply = respond(train, trained, player, workers)
        found = values(judge, pairing(judge, player, by_row(judge, reply), judged), workers)
        total += found if player == 0 else -found
    return judge.by_deal(total / 2)

