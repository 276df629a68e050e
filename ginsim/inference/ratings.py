"""One number for the strength of each strategy: Bradley and Terry's model on the scale of Elo.

Strategy i beats strategy j with chance 1 / (1 + 10 ** ((e_j - e_i) / 400)) (Bradley and Terry, Biometrika 39, 1952). The
ratings e are those of maximum likelihood, with half a win and half a loss added to each pairing so that they stay finite.
Their errors are those of a sandwich estimator (White, Econometrica 50, 1982) with the duplicate pair as the cluster.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc, expit, logit

from ginsim.errors import InputError
from ginsim.inference.estimates import LEVEL, Estimate, share_of_trials

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ELO", "Ratings", "ratings_of"]

ELO = 400 / math.log(10)
"""Elo points in one unit of the logarithm of the odds."""
CLOSE = 1e-12
MOST_STEPS = 100


@dataclass(frozen=True)
class Ratings:
    """Ratings of a field; their mean is 0, only differences mean anything.

    Attributes
    ----------
    strategies : tuple of str
    elo : float64[n]
    covariance : float64[n, n]
    of : str
        What was won: hands or games.
    misfit : float
        Chi-squared of the shares observed against those that the ratings imply.
    freedom : int
        Its degrees of freedom.
    influence : float64[n, pairings]
        How much the logarithm of the odds in each pairing moves each rating (in the same logarithms).
    reach : float64[2, pairings]
        How far the 95 % intervals of these logarithms reach, below and above.
    """

    strategies: tuple[str, ...]
    elo: np.ndarray
    covariance: np.ndarray
    of: str
    misfit: float
    freedom: int
    influence: np.ndarray
    reach: np.ndarray

    @property
    def fit_p(self) -> float:
        """P-value of "one number a strategy tells it all"; nan for a field of two."""
        return float(chdtrc(self.freedom, self.misfit)) if self.freedom else math.nan

    def rating(self, i: int) -> Estimate:
        """The rating of strategy ``i`` against the mean of the field."""
        return self._contrast(np.eye(len(self.elo))[i])

    def lead(self, i: int, j: int) -> Estimate:
        """The rating of strategy ``i`` less that of strategy ``j``."""
        one = np.eye(len(self.elo))
        return self._contrast(one[i] - one[j])

    def _contrast(self, weights: np.ndarray) -> Estimate:
        """A weighted sum of ratings; the distances to the bounds of the pairings' odds add in squares, as those of a mean do.

        So the interval is longer on the side of the shares near 0 or 100 %, where odds are least known.
        """
        moves = weights @ self.influence
        own = np.where(moves > 0, self.reach, self.reach[::-1])  # what lies above in a pairing that counts against it lies below
        below, above = ELO * np.sqrt(((moves * own) ** 2).sum(axis=1))
        value, se = float(weights @ self.elo), math.sqrt(max(float(weights @ self.covariance @ weights), 0.0))
        return Estimate(value, value - float(below), value + float(above), se, LEVEL)

    def table(self) -> pd.DataFrame:
        """The field from best to worst: strategy, elo, low, high, se."""
        import pandas as pd

        rows = [(name, e.value, e.low, e.high, e.se) for name, e in ((s, self.rating(i)) for i, s in enumerate(self.strategies))]
        table = pd.DataFrame(rows, columns=["strategy", "elo", "low", "high", "se"])
        return table.sort_values("elo", ascending=False, kind="stable", ignore_index=True)


def ratings_of(strategies: Sequence[str], tallies: Mapping[tuple[int, int], Mapping[str, int]], of: str = "games") -> Ratings:
    """Ratings from what was won in each pairing.

    Parameters
    ----------
    strategies : sequence of str
    tallies : mapping of (i, j) to sums
        ``won`` and ``decided`` of strategy i against j, ``won_sq``, ``won_decided``, ``decided_sq`` over pairs.
    of : str
        What was won, in words.

    Raises
    ------
    InputError
        If a pairing has no decided game.
    """
    n, keys = len(strategies), list(tallies)
    for i, j in keys:
        if not tallies[i, j]["decided"]:
            raise InputError(f"ratings: no {of[:-1]} of {strategies[i]} against {strategies[j]} was decided; play more {of}")
    design = np.zeros((len(keys), n))
    for row, (i, j) in enumerate(keys):
        design[row, i], design[row, j] = 1.0, -1.0
    won = np.array([tallies[key]["won"] + 0.5 for key in keys])
    played = np.array([tallies[key]["decided"] + 1.0 for key in keys])
    scatter = np.array([_scatter(tallies[key]) for key in keys])
    theta = np.zeros(n)
    for _ in range(MOST_STEPS):  # Newton; the likelihood is concave
        p = expit(design @ theta)
        information = design.T @ (design * (played * p * (1 - p))[:, None])
        inverse = np.linalg.pinv(information, hermitian=True)  # ratings that add up to 0
        step = inverse @ (design.T @ (won - played * p))
        theta += step * min(1.0, 2.0 / max(np.abs(step).max(), CLOSE))
        if np.abs(step).max() < CLOSE:
            break
    misfit = float(np.sum((won - played * p) ** 2 / scatter))
    covariance = inverse @ (design.T @ (design * scatter[:, None])) @ inverse
    influence = inverse @ (design.T * (played * p * (1 - p)))
    reach = np.array([_reach(share, trials) for share, trials in zip(won / played, _trials(won, played, scatter), strict=True)]).T
    return Ratings(tuple(strategies), ELO * theta, ELO**2 * covariance, of, misfit, len(keys) - n + 1, influence, reach)


def _trials(won: np.ndarray, played: np.ndarray, scatter: np.ndarray) -> np.ndarray:
    """Independent trials that the errors of the numbers won amount to."""
    trials: np.ndarray = won * (played - won) / scatter
    return trials


def _reach(share: float, trials: float) -> tuple[float, float]:
    """How far Wilson's interval reaches below and above a share, in logarithms of odds."""
    e = share_of_trials(float(share), float(trials))
    at, low, high = (float(logit(x)) for x in (e.value, e.low, e.high))
    return at - low, high - at


def _scatter(t: Mapping[str, int]) -> float:
    """Variance of the number won, pairs being independent; that of single plays where pairs tell nothing."""
    share, pairs = t["won"] / t["decided"], t["pairs"]
    clustered = (t["won_sq"] - 2 * share * t["won_decided"] + share * share * t["decided_sq"]) * pairs / max(pairs - 1, 1)
    if clustered > 1e-9:
        return clustered
    share = (t["won"] + 0.5) / (t["decided"] + 1)
    return (t["decided"] + 1) * share * (1 - share)
