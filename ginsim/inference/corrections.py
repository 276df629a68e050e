"""Many comparisons at once, and a check of the intervals that assumes no distribution."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from ginsim.errors import InputError
from ginsim.inference.estimates import LEVEL, Estimate

__all__ = ["ALPHA", "BLOCKS", "block_sums", "bootstrap_ratio", "holm", "p_value", "simultaneous"]

ALPHA = 0.05
"""A result among many is called clear if its p-value, adjusted for their number, is up to this."""
BLOCKS = 1_000
"""Blocks of neighbouring pairs that are resampled; a block is as independent of the next as pairs are."""


def p_value(estimate: Estimate, null: float = 0.0) -> float:
    """Two-sided p-value of "the figure is ``null``" by Student's t; 1 if nothing is known.

    Examples
    --------
    >>> from ginsim.inference.estimates import from_mean
    >>> round(p_value(from_mean(1.96, 1.0, 1000)), 3)
    0.05
    """
    off = abs(estimate.value - null)
    if not math.isfinite(estimate.se) or math.isnan(off):
        return 1.0
    if estimate.se == 0:
        return float(off == 0)
    return float(2 * stdtr(estimate.freedom, -off / estimate.se))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for their number by Holm's step-down method (Scandinavian Journal of Statistics 6, 1979).

    Calling every result with an adjusted value up to 0.05 real is wrong anywhere with a chance of at most 5 %.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = least
    return adjusted


def simultaneous(estimate: Estimate, figures: int) -> Estimate:
    """The interval of one of several figures, so wide that those of all hold at once (Bonferroni), however they are connected.

    Both sides of the interval are stretched as Student's is.

    Parameters
    ----------
    estimate : Estimate
    figures : int
        How many there are; one leaves the interval as it is.

    Examples
    --------
    >>> from ginsim.inference.estimates import from_mean
    >>> wide = simultaneous(from_mean(5.0, 1.0, 1000), 8)
    >>> round(wide.low, 2), round(wide.high, 2)
    (2.26, 7.74)
    """
    above = [1 - (1 - estimate.level) / (2 * count) for count in (figures, 1)]
    wider, own = (float(stdtrit(estimate.freedom, share)) for share in above)
    low, high = (estimate.value + (end - estimate.value) * wider / own for end in (estimate.low, estimate.high))
    return dataclasses.replace(estimate, low=low, high=high)


def block_sums(values: Any, blocks: int = BLOCKS) -> np.ndarray:
    """Sums of the rows of ``values`` over at most ``blocks`` runs of neighbouring rows, as equal as can be."""
    values = np.asarray(values)
    count = min(blocks, len(values))
    return np.array([part.sum(axis=0) for part in np.array_split(values, count)])


def bootstrap_ratio(
    above: np.ndarray, below: np.ndarray, level: float = LEVEL, resamples: int = 9_999, seed: int = 0
) -> Estimate:
    """A ratio of sums with a bootstrap interval (BCa; Efron, JASA 82, 1987) over independent units.

    Parameters
    ----------
    above, below : arrays of one length
        What each unit (a duplicate pair, or a block of them) adds to the numerator and the denominator.
    level : float
    resamples, seed : int
        The same seed gives the same interval.

    Raises
    ------
    InputError
        If there are fewer than two units.
    """
    from scipy.stats import bootstrap

    if len(above) < 2:
        raise InputError(f"bootstrap: {len(above)} units given; it needs at least 2")
    value = float(above.sum() / below.sum())
    if not (above * below.sum() - below * above.sum()).any():
        return Estimate(value, value, value, 0.0, level)  # every unit alike
    result = bootstrap(
        (above, below), lambda x, y, axis=-1: x.sum(axis=axis) / y.sum(axis=axis), paired=True, vectorized=True,
        n_resamples=resamples, batch=500, confidence_level=level, random_state=np.random.default_rng(seed),
    )  # fmt: skip
    interval = result.confidence_interval
    return Estimate(value, float(interval.low), float(interval.high), float(result.standard_error), level)
