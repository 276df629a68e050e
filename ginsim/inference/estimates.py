"""Estimates with their intervals, from the sums that a run keeps.

Three kinds of interval serve every study:

- a share has Wilson's, with as many trials as its standard error over duplicate pairs amounts to: it stays within 0 … 1 and is
  never empty, also where nothing or everything was won;
- a mean has Student's, over duplicate pairs, to which two more are added that lie a hand's usual difference above and below
  the others (as Bonett and Price do for paired shares: Journal of Educational and Behavioral Statistics 37, 2012): where many
  pairs differ that changes nothing, and where few or none did the interval still says how little is known;
- a sum, difference or mean of independent figures has the interval that follows from theirs (`mean_of_estimates`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, Self

from scipy.special import ndtri, stdtrit

from ginsim.inference.planning import LEVEL

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

__all__ = [
    "GAME_UNIT", "HANDS_UNIT", "LEAST_CLUSTERS", "LEVEL", "NORMAL", "ONE_HAND", "POINTS_UNIT", "TURNS_UNIT", "Estimate",
    "RatioSums", "cautious_difference", "extra_variance", "from_mean", "interval_text", "mean_of_chances", "mean_of_clusters",
    "mean_of_estimates", "mean_of_pairs", "percent_text", "share_of_clusters", "share_of_hands", "share_of_pairs",
    "share_of_trials", "table_text", "within",
]  # fmt: skip

NORMAL = float(ndtri(0.5 + LEVEL / 2))
"""Standard errors that a normal interval reaches."""
POINTS_UNIT, TURNS_UNIT, GAME_UNIT, HANDS_UNIT, ONE_HAND = 25, 5, 100, 3, 1
"""What a play that comes out otherwise usually changes: points and turns of a hand, the margin and the hands of a game, a count
of hands. It decides nothing but the intervals of figures that hardly ever differ."""


@dataclass(frozen=True)
class Estimate:
    """A figure and its confidence interval.

    ``float(estimate)`` is the figure; ``low`` and ``high`` bound the interval of ``level``; ``se`` is the standard error,
    ``freedom`` the degrees of freedom with which it is known. It compares and rounds as its figure does; plain numbers may be
    added, and it may be multiplied by them. Two estimates cannot be added: what they have in common decides how sure the sum is.

    Examples
    --------
    >>> share = Estimate(0.55, 0.52, 0.58, 0.015)
    >>> share > 0.5, f"{share:.1%}", 100 * share
    (True, '55.0%', <Estimate: 55 [52, 58]>)
    """

    value: float
    low: float
    high: float
    se: float
    level: float = LEVEL
    freedom: float = field(default=math.inf, compare=False)

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        return f"{self.value:.4g} [{interval_text(self.low, self.high, '.4g', ', ')}]"

    def __repr__(self) -> str:
        return f"<Estimate: {self}>"

    def __format__(self, form: str) -> str:
        return format(self.value, form) if form else str(self)

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __abs__(self) -> float:
        return abs(self.value)

    def __lt__(self, other: float | Estimate) -> bool:
        return self.value < float(other)

    def __gt__(self, other: float | Estimate) -> bool:
        return self.value > float(other)

    def __le__(self, other: float | Estimate) -> bool:
        return self.value <= float(other)

    def __ge__(self, other: float | Estimate) -> bool:
        return self.value >= float(other)

    def __neg__(self) -> Estimate:
        return replace(self, value=-self.value, low=-self.high, high=-self.low)

    def __add__(self, shift: float | Estimate) -> Estimate:
        if isinstance(shift, Estimate):
            return NotImplemented  # the interval of a sum depends on what the two have in common
        return replace(self, value=self.value + shift, low=self.low + shift, high=self.high + shift)

    def __sub__(self, shift: float | Estimate) -> Estimate:
        return NotImplemented if isinstance(shift, Estimate) else self + -shift

    def __mul__(self, by: float | Estimate) -> Estimate:
        if isinstance(by, Estimate):
            return NotImplemented
        low, high = sorted((self.low * by, self.high * by))
        return replace(self, value=self.value * by, low=low, high=high, se=self.se * abs(by))

    def __truediv__(self, by: float | Estimate) -> Estimate:
        return NotImplemented if isinstance(by, Estimate) else self * (1 / by)

    __radd__, __rmul__ = __add__, __mul__

    @property
    def decided(self) -> bool:
        """Whether the interval leaves out zero."""
        return self.low > 0 or self.high < 0


class RatioSums(NamedTuple):
    """Sums over duplicate pairs from which a ratio ``x / n`` and its standard error follow.

    Of each pair: ``x``, what was won (or scored, or seen); its square; ``n``, how often there was something to win; its
    square; their product; and ``pairs``, the number of pairs.

    Examples
    --------
    >>> RatioSums.named({"won": 3, "won_sq": 5, "decided": 4, "decided_sq": 8, "won_decided": 6, "pairs": 2})
    RatioSums(x=3, x_sq=5, n=4, n_sq=8, x_n=6, pairs=2)
    """

    x: int
    x_sq: int
    n: int
    n_sq: int
    x_n: int
    pairs: int

    @classmethod
    def of(cls, x: np.ndarray, n: np.ndarray) -> Self:
        """From both figures of each pair."""
        return cls(int(x.sum()), int((x * x).sum()), int(n.sum()), int((n * n).sum()), int((x * n).sum()), len(x))

    @classmethod
    def named(cls, sums: Mapping[str, int], x: str = "won", n: str = "decided", pairs: str = "pairs") -> Self:
        """From sums of these names: ``x``, ``x_sq``, ``n``, ``n_sq``, ``x_n`` and ``pairs``.

        Parameters
        ----------
        sums : mapping of str to int
        x, n, pairs : str
            How the figures, and the number of pairs, are called there.
        """
        return cls(sums[x], sums[f"{x}_sq"], sums[n], sums[f"{n}_sq"], sums[f"{x}_{n}"], sums[pairs])


def interval_text(low: float, high: float, form: str = ".3f", to: str = " to ") -> str:
    """An interval in words; "unknown" where there are too few data for one.

    Parameters
    ----------
    low, high : float
    form : str
        How a bound is written, as `format` takes it.
    to : str
        What stands between the bounds.

    Examples
    --------
    >>> interval_text(0.25, 0.5, ".1%"), interval_text(-math.inf, math.inf)
    ('25.0% to 50.0%', 'unknown')
    """
    return f"{low:{form}}{to}{high:{form}}" if math.isfinite(low) and math.isfinite(high) else "unknown"


def percent_text(share: float) -> str:
    """A share in percent; a dash where there is none.

    Examples
    --------
    >>> percent_text(0.125), percent_text(math.nan)
    ('12.5%', '–')
    """
    return "–" if math.isnan(share) else f"{share:.1%}"


def table_text(table: pd.DataFrame) -> str:
    """A table of figures as text, "unknown" where a bound is infinite."""
    return table.replace([math.inf, -math.inf], math.nan).to_string(na_rep="unknown")


def from_mean(value: float, se: float, samples: int, level: float = LEVEL) -> Estimate:
    """Student's interval about a mean of independent values.

    Parameters
    ----------
    value : float
        The mean.
    se : float
        Its standard error.
    samples : int
        How many values; with fewer than two the interval is infinite.
    level : float
    """
    if samples < 2 or not math.isfinite(se):
        return Estimate(value, -math.inf, math.inf, math.inf, level)
    reach = float(stdtrit(samples - 1, 0.5 + level / 2)) * se
    return Estimate(value, value - reach, value + reach, se, level, samples - 1)


def mean_of_pairs(
    total: int, squares: int, pairs: int, per_pair: int = 2, level: float = LEVEL, unit: float = POINTS_UNIT
) -> Estimate:
    """Mean per play from the sum and the sum of squares of the pairs' totals.

    The sampling unit is the duplicate pair: its plays share a deck, so only whole pairs are independent. The integer
    sums are exact, so the figure does not depend on how the work was cut up.

    Parameters
    ----------
    total, squares : int
        Sums over pairs of the pair's total and of its square.
    pairs : int
    per_pair : int
        Plays of a pair.
    level : float
    unit : float
        What a play that comes out otherwise usually changes; 0 only where all pairs must be alike.

    Examples
    --------
    >>> never = mean_of_pairs(0, 0, 1000)  # no pair of a thousand differed
    >>> round(never.low, 3), never.value, round(never.high, 3)
    (-0.035, 0.0, 0.035)
    """
    if pairs == 0:
        return Estimate(math.nan, -math.inf, math.inf, math.inf, level)
    value = total / pairs / per_pair
    if pairs == 1:
        return from_mean(value, math.inf, 1, level)
    spread = (pairs * squares - total * total) / (pairs * (pairs - 1))  # exact integers until the division
    return from_mean(value, math.sqrt(spread / pairs + extra_variance(pairs, unit)) / per_pair, pairs, level)


def extra_variance(pairs: int, unit: float) -> float:
    """Variance of a mean over pairs that two more add, a ``unit`` above and below it."""
    return 2 * (unit / pairs) ** 2


LEAST_CLUSTERS = 30
"""Pairs from which their scatter is trusted."""


def share_of_pairs(sums: RatioSums, level: float = LEVEL, *, exact: bool = False) -> Estimate:
    """Share ``x / n`` where both are sums over duplicate pairs, with a Wilson interval.

    The standard error is that of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, section 11.7); the
    interval is Wilson's (JASA 1927) with the effective number of trials that this standard error amounts to, so it stays
    within 0 … 1 and is honest where nothing, or everything, was won (then a pair counts as one trial). Where the pairs split
    evenly, two that do not are added: they count the more the nearer the share is to a half.

    Parameters
    ----------
    sums : RatioSums
        Of what was won and of what there was to win.
    level : float
    exact : bool
        Whether all pairs must split alike, as those of a strategy against itself do; the share is exact if they did.

    Examples
    --------
    >>> none = share_of_pairs(RatioSums(x=0, x_sq=0, n=200, n_sq=400, x_n=0, pairs=100))
    >>> none.value, none.low, round(none.high, 3)
    (0.0, 0.0, 0.037)
    """
    x, x_sq, n, n_sq, x_n, pairs = sums
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0, math.inf, level)
    share = x / n
    scatter = max(x_sq - 2 * share * x_n + share * share * n_sq, 0.0)
    if exact and scatter * n < 1e-9 and pairs >= 2:
        return Estimate(share, share, share, 0.0, level)
    counting = n * n / n_sq  # pairs that have something to count, were they alike
    scatter += 2 * (min(n_sq / n, 2) * 2 * share * (1 - share)) ** 2
    se = math.sqrt(scatter * counting / max(counting - 1, 1)) / n
    trials = share * (1 - share) / se**2 if 0 < share < 1 and counting >= LEAST_CLUSTERS else counting
    found = share_of_trials(share, trials, level)
    return replace(found, se=se) if se else found


def share_of_hands(hands: int, both: int, pairs: int, level: float = LEVEL) -> Estimate:
    """Share of all hands of duplicate pairs that come out in a way, as `share_of_pairs`.

    Parameters
    ----------
    hands : int
        Hands that do.
    both : int
        Pairs in which both plays do.
    pairs : int
    level : float

    Examples
    --------
    >>> e = share_of_hands(100, 50, 1000)  # always both plays or none: a trial for each pair
    >>> round(e.low, 4) == round(share_of_trials(0.05, 1000).low, 4)
    True
    """
    return share_of_pairs(RatioSums(hands, hands + 2 * both, 2 * pairs, 4 * pairs, 2 * hands, pairs), level)


def share_of_clusters(sums: RatioSums, level: float = LEVEL) -> Estimate:
    """As `share_of_pairs`, where ``pairs`` are only those that have something to count.

    With less than 30 of them each counts as one trial.
    """
    if 0 < sums.pairs < LEAST_CLUSTERS:
        return share_of_trials(sums.x / sums.n, sums.pairs, level)
    return share_of_pairs(sums, level)


def mean_of_clusters(sums: RatioSums, level: float = LEVEL, unit: float = ONE_HAND) -> Estimate:
    """Mean ``x / n`` where both are sums over pairs of which each may count several times, with Student's interval.

    The standard error is that of a ratio of sums over clusters (Cochran, Sampling Techniques, 1977, section 11.7), two of
    them a ``unit`` above and below the mean added.
    """
    x, x_sq, n, n_sq, x_n, pairs = sums
    if pairs == 0:
        return Estimate(math.nan, -math.inf, math.inf, math.inf, level)
    mean = x / n
    scatter = x_sq - 2 * mean * x_n + mean * mean * n_sq + 2 * unit * unit
    return from_mean(mean, math.sqrt(max(scatter, 0.0) * pairs / max(pairs - 1, 1)) / n, pairs, level)


def share_of_trials(share: float, trials: float, level: float = LEVEL) -> Estimate:
    """Wilson's interval (JASA 1927) for a share of so many independent trials (a whole number or an effective one)."""
    z = float(ndtri(0.5 + level / 2))
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    reach = z / (1 + z * z / trials) * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    se = math.sqrt(share * (1 - share) / trials)
    low, high = max(0.0, min(share, centre - reach)), min(1.0, max(share, centre + reach))  # rounding would leave out 0 and 1
    return Estimate(share, low, high, se, level)


def mean_of_chances(mean: float, variance: float, count: int, level: float = LEVEL) -> Estimate:
    """Mean of independent values within 0 … 1: Wilson's interval with the trials that its error amounts to.

    Parameters
    ----------
    mean, variance : float
        Of the values; the variance with the divisor ``count - 1``.
    count : int
        How many values.
    level : float
    """
    if not 0 < mean < 1:
        return share_of_trials(mean, count, level)
    se = math.sqrt(variance / count + extra_variance(count, 2 * mean * (1 - mean)))
    return replace(share_of_trials(mean, mean * (1 - mean) / se**2, level), se=se)


def mean_of_estimates(parts: Sequence[Estimate], level: float = LEVEL) -> Estimate:
    """Plain mean of independent estimates.

    Its interval follows from theirs: the distances of the bounds add in squares (Zou and Donner, Statistics in Medicine 27,
    2008), so the interval of a mean of shares stays within 0 … 1, and has no width only if all of them are exact.

    Examples
    --------
    >>> never, always = share_of_trials(0.0, 100), share_of_trials(1.0, 100)
    >>> mean = mean_of_estimates([never, never])
    >>> mean.value, mean.low, round(mean.high, 4)
    (0.0, 0.0, 0.0262)
    >>> mean_of_estimates([never, always]).value
    0.5
    """
    n = len(parts)
    value = sum(part.value for part in parts) / n
    below = math.sqrt(sum((part.value - part.low) ** 2 for part in parts)) / n
    above = math.sqrt(sum((part.high - part.value) ** 2 for part in parts)) / n
    variances = [part.se**2 for part in parts]
    known = sum(variance**2 / part.freedom for variance, part in zip(variances, parts, strict=True) if math.isfinite(variance))
    freedom = sum(variances) ** 2 / known if known else math.inf  # Welch and Satterthwaite
    return Estimate(value, value - below, value + above, math.sqrt(sum(variances)) / n, level, freedom)


def cautious_difference(one: Estimate, other: Estimate) -> Estimate:
    """Difference of two estimates that may depend on each other in any way, such as figures of games on the same decks.

    The standard error of a difference is at most the sum of both (Minkowski's inequality), so the distances of the bounds add:
    the difference is shown only if the two intervals do not touch.

    Examples
    --------
    >>> found = cautious_difference(Estimate(0.6, 0.55, 0.65, 0.025), Estimate(0.5, 0.47, 0.53, 0.015))
    >>> round(found.low, 3), round(found.high, 3), found.decided
    (0.02, 0.18, True)
    """
    freedom = min(one.freedom, other.freedom)
    return Estimate(one.value - other.value, one.low - other.high, one.high - other.low, one.se + other.se, one.level, freedom)


def within(estimate: Estimate, low: float, high: float) -> Estimate:
    """The estimate, its interval cut to where the figure can be."""
    return replace(estimate, low=min(max(estimate.low, low), high), high=max(min(estimate.high, high), low))
