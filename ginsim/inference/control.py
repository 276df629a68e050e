"""Control variates: points per hand with the luck of the draw taken out.

A duplicate pair cancels the luck of the deal, but once the strategies part, their plays draw different cards. The luck of
those draws (``ginsim.games.gin.luck``) has mean 0 exactly, so taking a multiple of it off a pair's points changes nothing but the
variance. The multiples are those of linear regression (Lavenberg and Welch, Management Science 27, 1981); each half of the
deals takes the multiples found in the other half, which keeps the figure free of bias for any number of deals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ginsim.inference.estimates import LEVEL, POINTS_UNIT, Estimate, extra_variance, from_mean

__all__ = ["FOLDS", "control_saved", "controlled_mean", "luck_names", "sums_in"]

FOLDS = 2
"""The deals are halved by number: even ones and odd ones."""
FEWEST = 10
"""Pairs for each sum in each half from which the multiples are worth estimating; with fewer none is taken off."""


def luck_names(sums: int) -> tuple[str, ...]:
    """Names of what is kept for ``sums`` quantities of a pair, its points (0) and its luck (1 …), for either half of the deals.

    ``sum{i}``: the sum over pairs; ``sum{i}x{j}``: of products of two of them.
    """
    own = ("pairs", *(f"sum{i}" for i in range(sums)), *(f"sum{i}x{j}" for i in range(sums) for j in range(i + 1)))
    return tuple(f"{name}_{fold}" for fold in range(FOLDS) for name in own)


def sums_in(names: int) -> int:
    """How many quantities so many names are of."""
    return next((k for k in range(1, 200) if len(luck_names(k)) >= names), 1)


class _Moments(NamedTuple):
    """Pairs, means and covariances (divided by pairs - 1) of a pair's points (0) and luck (1 …)."""

    pairs: int
    mean: np.ndarray
    covariance: np.ndarray

    def multiples(self) -> np.ndarray:
        """Least squares of the points on the luck; sums that never vary get 0."""
        return np.asarray(np.linalg.pinv(self.covariance[1:, 1:], hermitian=True) @ self.covariance[1:, 0])


def _moments(tally: Mapping[str, int], fold: int) -> _Moments:
    n = tally[f"pairs_{fold}"]
    sums = sums_in(len(tally))
    total = [tally[f"sum{i}_{fold}"] for i in range(sums)]
    covariance = np.zeros((sums, sums))
    for i in range(sums):
        for j in range(i + 1):  # exact integers until the division
            spread = n * tally[f"sum{i}x{j}_{fold}"] - total[i] * total[j]
            covariance[i, j] = covariance[j, i] = spread / (n * (n - 1)) if n > 1 else math.nan
    return _Moments(n, np.array([x / n if n else math.nan for x in total]), covariance)


def controlled_mean(tally: Mapping[str, int], per_pair: int = 2, level: float = LEVEL) -> Estimate:
    """Points per hand of player 0 less player 1, the luck of the draw taken out.

    Parameters
    ----------
    tally : mapping of str to int
        The sums named by `luck_names`.
    per_pair : int
        Hands in a pair.

    Returns
    -------
    Estimate
        With an infinite interval if one of the halves has fewer than two pairs.
    """
    folds = [_moments(tally, fold) for fold in range(FOLDS)]
    pairs = sum(own.pairs for own in folds)
    if min(own.pairs for own in folds) < 2:
        total = sum(tally[f"sum0_{fold}"] for fold in range(FOLDS))
        return from_mean(total / pairs / per_pair if pairs else math.nan, math.inf, pairs, level)
    value = variance = 0.0
    for own, other in zip(folds, reversed(folds), strict=True):
        b = other.multiples() if min(own.pairs, other.pairs) >= FEWEST * len(own.mean) else np.zeros(len(own.mean) - 1)
        weights = np.concatenate(([1.0], -b))
        share = own.pairs / pairs
        value += share * float(weights @ own.mean)
        variance += share**2 * float(weights @ own.covariance @ weights) / own.pairs
    variance += extra_variance(pairs, POINTS_UNIT)
    return from_mean(value / per_pair, math.sqrt(max(variance, 0.0)) / per_pair, pairs, level)


def control_saved(tally: Mapping[str, int]) -> float:
    """Share of the variance of plain pairing that is saved: 0.3 means that 0.7 times the hands are enough.

    nan if there are too few pairs, or if the pairs never differ.
    """
    folds = [_moments(tally, fold) for fold in range(FOLDS)]
    pairs = sum(own.pairs for own in folds)
    if min(own.pairs for own in folds) < FEWEST * len(folds[0].mean):
        return math.nan
    plain = sum(own.pairs * own.covariance[0, 0] for own in folds) / pairs
    left = (2 * controlled_mean(tally).se) ** 2 * pairs
    return 1 - left / plain if plain > 0 else math.nan
