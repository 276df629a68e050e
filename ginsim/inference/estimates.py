"""Estimates with their intervals, from the sums that a run keeps."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scipy.special import ndtri, stdtrit

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "LEAST_CLUSTERS", "LEVEL", "Estimate", "from_mean", "interval_text", "mean_of_clusters", "mean_of_estimates",
    "mean_of_pairs", "share_of_clusters", "share_of_pairs", "share_of_trials", "table_text",
]  # fmt: skip

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A figure and its confidence interval.

    ``float(estimate)`` is the figure; ``low`` and ``high`` bound the interval of ``level``; ``se`` is the standard error.
    """

    value: float
    low: float
    high: float
    se: float
    level: float = LEVEL

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.4g} [{interval_text(self.low, self.high, '.4g', ', ')}]"

    def __neg__(self) -> Estimate:
        return Estimate(-self.value, -self.high, -self.low, self.se, self.level)

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


def interval_text(low: float, high: float, form: str = ".3f", to: str = " to ") -> str:
    """An interval in words; "unknown" where there are too few data for one.

    Examples
    --------
    >>> interval_text(0.25, 0.5, ".1%"), interval_text(-math.inf, math.inf)
    ('25.0% to 50.0%', 'unknown')
    """
    return f"{low:{form}}{to}{high:{form}}" if math.isfinite(low) and math.isfinite(high) else "unknown"


def table_text(table: pd.DataFrame) -> str:
    """A table of figures as text, "unknown" where a bound is infinite."""
    return table.replace([math.inf, -math.inf], math.nan).to_string(na_rep="unknown")


def from_mean(value: float, se: float, samples: int, level: float = LEVEL) -> Estimate:
    """Student's interval about a mean of ``samples`` independent values with standard error ``se``."""
    if samples < 2 or not math.isfinite(se):
        return Estimate(value, -math.inf, math.inf, math.inf, level)
    reach = float(stdtrit(samples - 1, 0.5 + level / 2)) * se
    return Estimate(value, value - reach, value + reach, se, level)


def mean_of_pairs(total: int, squares: int, pairs: int, per_pair: int = 2, level: float = LEVEL) -> Estimate:
    """Mean per play from the sum and the sum of squares of the pairs' totals.

    The sampling unit is the duplicate pair: its plays share a deck, so only whole pairs are independent. The integer
    sums are exact, so the figure does not depend on how the work was cut up.
    """
    if pairs == 0:
        return Estimate(math.nan, -math.inf, math.inf, math.inf, level)
    value = total / pairs / per_pair
    if pairs == 1:
        return from_mean(value, math.inf, 1, level)
    spread = (pairs * squares - total * total) / (pairs * (pairs - 1))  # exact integers until the division
    return from_mean(value, math.sqrt(spread / pairs) / per_pair, pairs, level)


def share_of_pairs(
    won: int, of: int, won_sq: int, won_of: int, of_sq: int, pairs: int, level: float = LEVEL
) -> Estimate:
    """Share ``won / of`` where both are sums over duplicate pairs, with a Wilson interval.

    The standard error is that of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, section 11.7); the
    interval is Wilson's (JASA 1927) with the effective number of trials that this standard error amounts to, so it stays
    within 0 … 1 and is honest where nothing, or everything, was won (then a pair counts as one trial).
    """
    if of == 0:
        return Estimate(math.nan, 0.0, 1.0, math.inf, level)
    share = won / of
    scatter = won_sq - 2 * share * won_of + share * share * of_sq
    se = math.sqrt(max(scatter, 0.0) * pairs / max(pairs - 1, 1)) / of
    trials = share * (1 - share) / se**2 if 0 < share < 1 and se > 0 and pairs >= 30 else min(pairs, of)
    if 0 < share < 1 and scatter * of < 1e-9 and pairs >= 2:
        return Estimate(share, share, share, 0.0, level)  # every pair split alike: identical strategies
    return replace(share_of_trials(share, trials, level), se=se)


LEAST_CLUSTERS = 30
"""Pairs from which their scatter is trusted."""


def share_of_clusters(pairs: int, of: int, of_sq: int, won: int, won_sq: int, won_of: int, level: float = LEVEL) -> Estimate:
    """As `share_of_pairs`, where ``pairs`` are only those that have something to count.

    With less than 30 of them each counts as one trial.
    """
    if pairs < LEAST_CLUSTERS:
        return share_of_trials(won / of, pairs, level) if pairs else Estimate(math.nan, 0.0, 1.0, math.inf, level)
    return share_of_pairs(won, of, won_sq, won_of, of_sq, pairs, level)


def mean_of_clusters(pairs: int, of: int, of_sq: int, total: int, total_sq: int, total_of: int, level: float = LEVEL) -> Estimate:
    """Mean ``total / of`` where both are sums over pairs of which each may count several times, with Student's interval.

    The standard error is that of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, section 11.7).
    """
    if pairs == 0:
        return Estimate(math.nan, -math.inf, math.inf, math.inf, level)
    mean = total / of
    scatter = total_sq - 2 * mean * total_of + mean * mean * of_sq
    return from_mean(mean, math.sqrt(max(scatter, 0.0) * pairs / max(pairs - 1, 1)) / of, pairs, level)


def share_of_trials(share: float, trials: float, level: float = LEVEL) -> Estimate:
    """Wilson's interval (JASA 1927) for a share of so many independent trials (a whole number or an effective one)."""
    z = float(ndtri(0.5 + level / 2))
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    se = math.sqrt(share * (1 - share) / trials)
    return Estimate(share, max(0.0, centre - reach), min(1.0, centre + reach), se, level)


def mean_of_estimates(parts: list[Estimate], level: float = LEVEL) -> Estimate:
    """Plain mean of independent estimates, with a normal interval."""
    value = sum(part.value for part in parts) / len(parts)
    se = math.sqrt(sum(part.se**2 for part in parts)) / len(parts)
    reach = float(ndtri(0.5 + level / 2)) * se
    return Estimate(value, value - reach, value + reach, se, level)
