"""Playing until it is decided: a sequential test on the points of duplicate pairs.

The test bets. Let x be the difference of a pair in points per hand. Whoever says "the true difference is at most p0" must
accept bets on x - p0 at even odds: a capital of 1 that stakes a share b of itself on every pair becomes the product of
1 + b (x - p0), and if the saying is true, it ever reaches 1 / alpha with a chance of at most alpha (Ville, Etude critique de
la notion de collectif, 1939). So alpha and beta hold however often one looks, and whatever the differences are like: rare
ones, lopsided ones, none at all (Waudby-Smith and Ramdas, Journal of the Royal Statistical Society B 86, 2024). All that is
used is that a hand under the rules has a highest score, which bounds x.

Four capitals are kept, two for each strategy: against "it is not better" and against "it is better by the stated size".
The stake is the one that a sequential probability ratio test between both would take were the variance known, (p1 - p0) / v,
with v from the pairs before, so that the test stops about as early as that one. Stakes are set at each look, for the pairs
until the next.

The looks are at numbers of deals fixed beforehand, and each sees exactly the deals from 0 on. So the outcome is a function
of the seed, however the work is cut and spread, and whether it was interrupted or not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ginsim.errors import InputError
from ginsim.inference.estimates import POINTS_UNIT, extra_variance
from ginsim.inference.planning import pairs_to_show

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "DECISIONS", "FOURTHS_SHIFT", "MOMENTS", "Look", "PowerSums", "Sequential", "SequentialTest", "odds_text", "points_text",
]  # fmt: skip

DECISIONS = ("", "first", "second", "equal")
"""Not decided; the first strategy is better, the second is, neither is by as much as was asked for."""


MOMENTS = ("cubes", "fourths_high", "fourths_low")
"""Third and fourth powers of a pair's points; the fourth in two parts."""
FOURTHS_SHIFT = 40
MOST_STAKE = 0.75
"""Share of the capital that can be lost on one pair, at most."""
_FOURTH = (-math.log1p(-MOST_STAKE) - MOST_STAKE - MOST_STAKE**2 / 2 - MOST_STAKE**3 / 3) / MOST_STAKE**4
"""log(1 + y) is at least y - y^2/2 + y^3/3 less this times y^4 for every y above -0.75: the series' rest at its worst."""


@dataclass(frozen=True)
class PowerSums:
    """Pairs, and the sums of the first four powers of a pair's points (int); ``per`` hands and seats share them."""

    pairs: int = 0
    powers: tuple[int, int, int, int] = (0, 0, 0, 0)
    per: int = 2

    @classmethod
    def of(cls, tally: Mapping[str, int], moments: Mapping[str, int], per: int = 2) -> PowerSums:
        """From the sums of hands (``ginsim.games.base.HEAD``) and those of ``MOMENTS``."""
        fourth = (moments["fourths_high"] << FOURTHS_SHIFT) + moments["fourths_low"]
        return cls(tally["pairs"], (tally["points"], tally["points_sq"], moments["cubes"], fourth), per)

    @property
    def mean(self) -> float:
        """Points per hand."""
        return self.powers[0] / (self.per * self.pairs)

    @property
    def variance(self) -> float:
        """Of a pair's points per hand; the integers are exact until the division."""
        n, total, squares = self.pairs, *self.powers[:2]
        return (n * squares - total * total) / (self.per**2 * n * max(n - 1, 1))

    def less(self, other: PowerSums) -> PowerSums:
        """The sums of the pairs that ``other`` has not."""
        first, second, third, fourth = (a - b for a, b in zip(self.powers, other.powers, strict=True))
        return PowerSums(self.pairs - other.pairs, (first, second, third, fourth), self.per)

    def about(self, centre: float) -> tuple[float, float, float, float]:
        """The sums of the first four powers of points per hand less ``centre``."""
        n, (a, b, c, d), m = self.pairs, (x / self.per**k for k, x in enumerate(self.powers, 1)), centre
        return (
            a - n * m,
            b - 2 * m * a + n * m**2,
            c - 3 * m * b + 3 * m**2 * a - n * m**3,
            d - 4 * m * c + 6 * m**2 * b - 4 * m**3 * a + n * m**4,
        )

    def log_capital(self, stake: float, centre: float, sign: int) -> float:
        """At most the logarithm of the product of 1 + ``stake`` · ``sign`` · (points per hand - ``centre``) over the pairs.

        No pair may lose more than ``MOST_STAKE`` of the capital.
        """
        first, second, third, fourth = (x * (sign * stake) ** k for k, x in enumerate(self.about(centre), 1))
        return first - second / 2 + third / 3 - _FOURTH * fourth


class SequentialTest(BaseModel):
    """When to stop: the difference worth finding, the errors allowed, and when it is looked.

    Examples
    --------
    >>> test = SequentialTest(points=0.5)
    >>> [round(bound, 3) for bound in test.bounds]
    [2.996, 3.689]
    >>> test.looks(2_000)[:4]
    [100, 110, 121, 133]
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    points: float = Field(0.25, ge=0.001, le=1_000, allow_inf_nan=False, description="difference worth finding, points per hand")
    null: float = Field(0.0, ge=-1_000, le=1_000, allow_inf_nan=False, description="difference that is none, points per hand")
    sides: Literal[1, 2] = Field(2, description="2: either strategy may be better; 1: only whether the first is")
    alpha: float = Field(0.05, ge=1e-6, lt=0.5, description="chance of calling one better if they are equal, at most")
    beta: float = Field(0.05, ge=1e-6, lt=0.5, description="chance of missing a difference of so many points, at most")
    first: int = Field(100, ge=30, le=1 << 30, description="pairs at the first look; each look has a tenth more")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.null >= self.points:
            raise InputError(f"null: {self.null:g} is not allowed; give less than points, which is {self.points:g}")
        if self.sides == 2 and self.null != 0:
            raise InputError(f"null: {self.null:g} is not allowed with two sides; give sides = 1 or leave it out")
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Logarithms of the capitals that are enough: against "it is better by so much", and against "it is not better"."""
        return -math.log(self.beta), -math.log(self.alpha / self.sides)

    def looks(self, most: int) -> list[int]:
        """After how many pairs it is looked, up to ``most``."""
        looks = [min(self.first, most)]
        while looks[-1] < most:
            looks.append(min(most, looks[-1] + looks[-1] // 10))
        return looks

    def judge(self, sums: PowerSums, most_points: float, before: Look | None = None) -> Look:
        """One look at all pairs so far.

        Parameters
        ----------
        sums : PowerSums
        most_points : float
            Points per hand that a pair can bring at most (``Game.most_points``).
        before : Look, optional
            The look before this one; its stakes were on the pairs between.
        """
        before = before or Look(PowerSums(per=sums.per), (0.0,) * 4, (0.0,) * 2, "")
        reach = most_points + max(abs(self.null), self.points)
        stake = self._stake(before.sums, reach)
        block = sums.less(before.sums)
        gains = [block.log_capital(stake, centre, sign) for centre, sign in self._bets()]
        capitals = tuple(old + gain for old, gain in zip(before.capitals, gains, strict=True))
        peaks = tuple(map(max, before.peaks, capitals[2:]))
        enough_not, enough = self.bounds
        if capitals[0] >= enough:
            decision = "first"
        elif self.sides == 2 and capitals[1] >= enough:
            decision = "second"
        else:
            decision = "equal" if min(peaks[: self.sides]) >= enough_not else ""
        return Look(sums, capitals, peaks, decision)

    def course(self, sums: Iterable[PowerSums], most_points: float) -> tuple[Look, ...]:
        """The looks at these sums, up to the first that decides."""
        looks: list[Look] = []
        for seen in sums:
            looks.append(self.judge(seen, most_points, looks[-1] if looks else None))
            if looks[-1].decision:
                break
        return tuple(looks)

    def _bets(self) -> list[tuple[float, int]]:
        """Of each capital what it bets away from, and whether upwards: first better, second better, first not, second not."""
        return [(self.null, 1), (-self.null, -1), (self.points, -1), (-self.points, 1)]

    def _stake(self, sums: PowerSums, reach: float) -> float:
        """(p1 - p0) / v; v begins as that of a fifth of ``reach``, which counts as much as 25 pairs, one of them that far off."""
        n, square = sums.pairs, sums.about((self.null + self.points) / 2)[1]
        variance = (square + reach * reach) / (n + 25)
        return min((self.points - self.null) / variance, MOST_STAKE / reach)

    def fixed_pairs(self, variance: float) -> int:
        """Pairs that a test of fixed size with the same errors needs, from the variance of a pair's points per hand."""
        return math.ceil(pairs_to_show(variance, self.points - self.null, self.alpha / self.sides, self.beta))


@dataclass(frozen=True)
class Look:
    """What one look saw: sums over pairs, the capitals' logarithms, the highest of the last two so far, the decision (or '').

    The capitals bet that the first strategy is better, that the second is, that the first is not better by the stated size,
    that the second is not.
    """

    sums: PowerSums
    capitals: tuple[float, ...]
    peaks: tuple[float, ...]
    decision: str

    @property
    def pairs(self) -> int:
        """Pairs played."""
        return self.sums.pairs

    def evidence(self, sides: int = 2) -> tuple[float, float, float]:
        """Logarithms of the evidence for "first", "second" and "equal"."""
        return self.capitals[0], self.capitals[1] if sides == 2 else -math.inf, min(self.peaks[:sides])


@dataclass(frozen=True)
class Sequential:
    """The course of a sequential test.

    Attributes
    ----------
    test : SequentialTest
    looks : tuple of Look
    most : int
        Pairs at which it stops undecided.
    most_points : int
        Points that a hand can have at most under the rules.
    """

    test: SequentialTest
    looks: tuple[Look, ...]
    most: int
    most_points: int
    per: int = 2

    @property
    def decision(self) -> str:
        """One of ``DECISIONS``."""
        return self.looks[-1].decision if self.looks else ""

    @property
    def pairs(self) -> int:
        """Pairs played until the decision."""
        return self.looks[-1].pairs if self.looks else 0

    @property
    def fixed_pairs(self) -> int:
        """Pairs that a test of fixed size with the same errors would have needed; 0 where no pair differed.

        Two pairs count beside those that were played, as for intervals: a few that differ say little of how much they do.
        """
        sums = self.looks[-1].sums if self.looks else PowerSums()
        if not sums.powers[1]:
            return 0
        return self.test.fixed_pairs(sums.variance + sums.pairs * extra_variance(sums.pairs, POINTS_UNIT / sums.per))

    @property
    def hands_saved(self) -> int:
        """Hands saved against the fixed size (negative: it took more)."""
        return 2 * (self.fixed_pairs - self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """What it is made of, for a manifest."""
        looks = [[look.pairs, *look.sums.powers] for look in self.looks]
        own = {"test": self.test.model_dump(), "most": self.most, "most_points": self.most_points, "looks": looks}
        return own | ({} if self.per == 2 else {"per": self.per})

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Sequential:
        """The test that `as_dict` told of."""
        per = kept.get("per", 2)
        sums = [PowerSums(pairs, (first, *others), per) for pairs, first, *others in kept["looks"]]
        test = SequentialTest.model_validate(kept["test"])
        return cls(test, test.course(sums, kept["most_points"]), kept["most"], kept["most_points"], per)

    def table(self) -> pd.DataFrame:
        """One row per look: pairs, points_per_hand, se, log evidence for first, second and equal, decision."""
        import pandas as pd

        rows = []
        for look in self.looks:
            se = math.sqrt(look.sums.variance / look.pairs)
            rows.append((look.pairs, look.sums.mean, se, *look.evidence(self.test.sides), look.decision))
        return pd.DataFrame(rows, columns=["pairs", "points_per_hand", "se", "first", "second", "equal", "decision"])

    def reason(self, a: str, b: str) -> str:
        """Why it stopped and what that saved, in words."""
        if not self.looks:
            return "Nothing was played."
        test, last = self.test, self.looks[-1]
        size, (enough_not, enough) = points_text(test.points), test.bounds
        evidence = dict(zip(DECISIONS[1:], last.evidence(test.sides), strict=True))
        if not self.decision:
            nearest = max(evidence["first"], evidence["second"])
            return (
                f"Not decided after {2 * self.pairs:,} hands, the most allowed: the evidence is {odds_text(nearest)} that one is "
                f"better ({odds_text(enough)} needed) and {odds_text(evidence['equal'])} that neither is better by {size} "
                f"({odds_text(enough_not)} needed){self._fixed()}."
            )
        equal = f"neither {a} nor {b} is" if test.sides == 2 else f"{a} is not"
        found, bound = {
            "first": (f"{a} is better than {b}", enough),
            "second": (f"{b} is better than {a}", enough),
            "equal": (f"{equal} better by {size}", enough_not),
        }[self.decision]
        return (
            f"Stopped after {2 * self.pairs:,} hands: {found} (evidence {odds_text(evidence[self.decision])}; "
            f"{odds_text(bound)} needed){self._fixed()}."
        )

    def _fixed(self) -> str:
        """What a test of fixed size would have taken."""
        test, saved = self.test, self.hands_saved
        if not self.fixed_pairs:
            return "; every deal came out the same with the seats exchanged"
        told = f"; a test of fixed size needs {2 * self.fixed_pairs:,} hands (alpha {test.alpha:g}, beta {test.beta:g})"
        return told + (f", so {abs(saved):,} {'were saved' if saved >= 0 else 'more were played'}" if self.decision else "")


def odds_text(log_evidence: float) -> str:
    """Evidence in words.

    Examples
    --------
    >>> odds_text(math.log(40)), odds_text(-9.0), odds_text(100.0)
    ('40 to 1', 'under 0.01 to 1', 'over a million to 1')
    """
    if log_evidence > math.log(1e6):
        return "over a million to 1"
    odds = math.exp(log_evidence)
    return f"{odds:,.0f} to 1" if odds >= 9.95 else f"{odds:.2g} to 1" if odds >= 0.01 else "under 0.01 to 1"


def points_text(points: float) -> str:
    """Points per hand in words.

    Examples
    --------
    >>> points_text(1.0), points_text(0.25)
    ('1 point per hand', '0.25 points per hand')
    """
    return f"{points:g} {'point' if points == 1 else 'points'} per hand"
