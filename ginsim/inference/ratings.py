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
from scipy.special import chdtrc, expit, ndtri

from ginsim.errors import InputError
from ginsim.inference.estimates import LEVEL, Estimate

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
    """

    strategies: tuple[str, ...]
    elo: np.ndarray
    covariance: np.ndarray
    of: str
    misfit: float
    freedom: int

    @property
    def fit_p(self) -> float:
        """P-value of "one number a strategy tells it all"; nan for a field of two."""
        return float(chdtrc(self.freedom, self.misfit)) if self.freedom else math.nan

    def rating(self, i: int, level: float = LEVEL) -> Estimate:
        """The rating of strategy ``i`` against the mean of the field."""
        return _normal(float(self.elo[i]), float(self.covariance[i, i]), level)

    def lead(self, i: int, j: int, level: float = LEVEL) -> Estimate:
        """The rating of strategy ``i`` less that of strategy ``j``."""
        c = self.covariance
        return _normal(float(self.elo[i] - self.elo[j]), float(c[i, i] + c[j, j] - 2 * c[i, j]), level)

    def table(self) -> pd.DataFrame:
        """The field from best to worst: strategy, elo, low, high, se."""
        import pandas as pd

        rows = [(name, e.value, e.low, e.high, e.se) for name, e in ((s, self.rating(i)) for i, s in enumerate(self.strategies))]
        table = pd.DataFrame(rows, columns=["strategy", "elo", "low", "high", "se"])
        return table.sort_values("elo", ascending=False, kind="stable", ignore_index=True)


def _normal(value: float, variance: float, level: float) -> Estimate:
    se = math.sqrt(max(variance, 0.0))
    reach = float(ndtri(0.5 + level / 2)) * se
    return Estimate(value, value - reach, value + reach, se, level)


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
    return Ratings(tuple(strategies), ELO * theta, ELO**2 * covariance, of, misfit, len(keys) - n + 1)


def _scatter(t: Mapping[str, int]) -> float:
    """Variance of the number won, pairs being independent; that of single plays where pairs tell nothing."""
    share, pairs = t["won"] / t["decided"], t["pairs"]
    clustered = (t["won_sq"] - 2 * share * t["won_decided"] + share * share * t["decided_sq"]) * pairs / max(pairs - 1, 1)
    if clustered > 1e-9:
        return clustered
    share = (t["won"] + 0.5) / (t["decided"] + 1)
    return (t["decided"] + 1) * share * (1 - share)
