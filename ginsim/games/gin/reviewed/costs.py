"""What a choice cost, and how bad that is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ginsim.games.ranking import mean_of_values
from ginsim.inference.estimates import Estimate

__all__ = ["CUTS", "GRADES", "cost", "exactly", "graded", "lost"]

GRADES = ("fine", "doubtful", "error", "blunder")
PARTS = 10
"""Parts of the rollouts in each of which the best choice is the one that the others say."""
CUTS = {"points": (1.0, 2.0, 5.0), "game": (0.006, 0.012, 0.03)}
"""Costs from which a decision is doubtful, an error, a blunder: in points, and in the chance to win the game.

Of 1,483 decisions of ``champion_rollout`` against ``simple`` (100 hands under classic25, 1,000 rollouts) 11, 5 and 1 % cost more.
"""


def lost(values: np.ndarray, played: int) -> np.ndarray:
    """What a choice came to less than the best one, in each rollout.

    The rollouts are dealt out to ten parts, and what is best in each part is chosen by all the others: the best of several that
    are estimated on the same rollouts looks better than it is, and so would every other choice look worse.

    Parameters
    ----------
    values : float64[rollouts, choices]
    played : int

    Examples
    --------
    >>> lost(np.array([[1.0, 3.0], [2.0, 2.5], [0.0, 4.0], [9.0, 2.5]]), played=0)
    array([ 0. ,  0. ,  0. , -6.5])
    """
    found, total = np.empty(len(values)), values.sum(axis=0)
    for part in range(min(PARTS, len(values))):
        own = values[part::PARTS]
        best = (total - own.sum(axis=0)).argmax()
        found[part::PARTS] = own[:, best] - own[:, played]
    return found


def cost(values: np.ndarray, played: int, unit: float) -> Estimate:
    """The mean of what was `lost`, with its interval; differences are usually about a ``unit``."""
    found = lost(values, played)
    return mean_of_values(found, unit if found.any() else 0.0)


def exactly(value: float) -> Estimate:
    """A figure that nothing hidden leaves open."""
    return Estimate(float(value), float(value), float(value), 0.0)


def graded(cost: Estimate, cuts: Sequence[float]) -> str:
    """How bad a cost is; doubtful at most, if it may be none.

    Examples
    --------
    >>> graded(Estimate(2.0, 1.0, 3.0, 0.5), CUTS["points"]), graded(Estimate(2.0, -1.0, 5.0, 1.5), CUTS["points"])
    ('error', 'doubtful')
    """
    grade = sum(cost.value >= cut for cut in cuts)
    return GRADES[grade if cost.low > 0 else min(grade, 1)]
