"""Playing until it is decided: a sequential probability ratio test on the points of duplicate pairs.

The test is the GSPRT as fishtest uses it: with mean m and variance v of n pairs, the log-likelihood ratio of "the true
difference is p1" against "it is p0" is (p1 - p0) (2 m - p0 - p1) n / (2 v) (M. Van den Bergh, A practical introduction to
the GSPRT, 2018; the theory is in Li, Liu and Ying, Sequential Analysis 33, 2014). It stops where the ratio leaves Wald's
bounds (Annals of Mathematical Statistics 16, 1945), and it may be looked at as often as one likes.

To tell which of two strategies is better, two such tests run side by side, one for each (after Sobel and Wald, 1949), each
with half of alpha. If both settle on "no difference", neither is better by as much as was asked for.

The looks are at numbers of deals fixed beforehand, and each sees exactly the deals from 0 on. So the outcome is a function
of the seed, however the work is cut and spread, and whether it was interrupted or not.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator
from scipy.special import ndtri

from ginsim.errors import InputError
from ginsim.rules import Rules
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.simulation.tally import HAND_TALLY, as_dict
from ginsim.strategies.spec import Strategy

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "DECISIONS", "Look", "Sequential", "SequentialTest", "as_test", "look_key", "next_works", "points_text", "sequential_of",
]  # fmt: skip

DECISIONS = ("", "first", "second", "equal")
"""Not decided; the first strategy is better, the second is, neither is by as much as was asked for."""


class SequentialTest(BaseModel):
    """When to stop: the difference worth finding, the errors allowed, and when it is looked.

    Examples
    --------
    >>> test = SequentialTest(points=0.5)
    >>> [round(bound, 3) for bound in test.bounds]
    [-2.97, 3.638]
    >>> test.looks(2_000)[:4]
    [500, 550, 605, 665]
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    points: float = Field(0.25, ge=0.001, le=1_000, allow_inf_nan=False, description="difference worth finding, points per hand")
    null: float = Field(0.0, ge=-1_000, le=1_000, allow_inf_nan=False, description="difference that is none, points per hand")
    sides: Literal[1, 2] = Field(2, description="2: either strategy may be better; 1: only whether the first is")
    alpha: float = Field(0.05, ge=1e-6, lt=0.5, description="chance of calling one better if they are equal, at most")
    beta: float = Field(0.05, ge=1e-6, lt=0.5, description="chance of missing a difference of so many points, at most")
    first: int = Field(500, ge=30, le=1 << 30, description="pairs at the first look; each look has a tenth more")

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.null >= self.points:
            raise InputError(f"null: {self.null:g} is not allowed; give less than points, which is {self.points:g}")
        if self.sides == 2 and self.null != 0:
            raise InputError(f"null: {self.null:g} is not allowed with two sides; give sides = 1 or leave it out")
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's bounds of a log-likelihood ratio: no difference at or below the first, one at or above the second."""
        alpha = self.alpha / self.sides
        return math.log(self.beta / (1 - alpha)), math.log((1 - self.beta) / alpha)

    def looks(self, most: int) -> list[int]:
        """After how many pairs it is looked, up to ``most``."""
        looks = [min(self.first, most)]
        while looks[-1] < most:
            looks.append(min(most, looks[-1] + looks[-1] // 10))
        return looks

    def judge(self, tally: Mapping[str, int]) -> Look:
        """One look at the sums of hands (``HAND_TALLY``) so far."""
        n, total, squares = tally["pairs"], tally["points"], tally["points_sq"]
        # Points per hand: half of a pair's; the integers are exact until the division.
        mean, variance = total / (2 * n), (n * squares - total * total) / (4 * n * max(n - 1, 1))
        up = self._ratio(mean, variance, n)
        down = self._ratio(-mean, variance, n) if self.sides == 2 else -math.inf
        low, high = self.bounds
        if up >= high:
            decision = "first"
        elif down >= high:
            decision = "second"
        elif max(up, down) <= low:
            decision = "equal"
        else:
            decision = ""
        return Look(n, total, squares, mean, math.sqrt(variance / n), up, down, decision)

    def _ratio(self, mean: float, variance: float, n: int) -> float:
        """Log-likelihood ratio; where pairs never differ it is as decided as their mean is."""
        drift = (self.points - self.null) * (2 * mean - self.null - self.points) * n / 2
        if variance == 0:
            return math.copysign(math.inf, drift) if drift else 0.0
        return drift / variance

    def fixed_pairs(self, variance: float) -> int:
        """Pairs that a test of fixed size with the same errors needs, from the variance of a pair's points per hand."""
        reach = float(ndtri(1 - self.alpha / self.sides) + ndtri(1 - self.beta))
        return math.ceil(variance * (reach / (self.points - self.null)) ** 2)


def as_test(given: SequentialTest | Mapping[str, Any] | None) -> SequentialTest | None:
    """The test given as such or by its fields.

    Raises
    ------
    InputError
        Naming the field that is wrong.
    """
    if given is None or isinstance(given, SequentialTest):
        return given
    try:
        return SequentialTest.model_validate(dict(given))
    except (ValidationError, TypeError, ValueError) as error:
        problems = error.errors() if isinstance(error, ValidationError) else [{"loc": (), "msg": str(error)}]
        told = [f"{'.'.join(['until', *map(str, problem['loc'])])}: {problem['msg']}" for problem in problems]
        raise InputError("; ".join(told)) from None


@dataclass(frozen=True)
class Look:
    """What one look saw: sums over pairs, points per hand with standard error, both tests' ratios, the decision (or '')."""

    pairs: int
    points: int
    points_sq: int
    mean: float
    se: float
    up: float
    down: float
    decision: str


@dataclass(frozen=True)
class Sequential:
    """The course of a sequential test.

    Attributes
    ----------
    test : SequentialTest
    looks : tuple of Look
    most : int
        Pairs at which it stops undecided.
    """

    test: SequentialTest
    looks: tuple[Look, ...]
    most: int

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
        """Pairs that a test of fixed size with the same errors would have needed."""
        return self.test.fixed_pairs(self.looks[-1].se ** 2 * self.pairs) if self.looks else 0

    @property
    def hands_saved(self) -> int:
        """Hands saved against the fixed size (negative: it took more)."""
        return 2 * (self.fixed_pairs - self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """What it is made of, for a manifest."""
        looks = [[look.pairs, look.points, look.points_sq] for look in self.looks]
        return {"test": self.test.model_dump(), "most": self.most, "looks": looks}

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> Sequential:
        """The test that `as_dict` told of."""
        test = SequentialTest.model_validate(kept["test"])
        names = ("pairs", "points", "points_sq")
        looks = tuple(test.judge(dict(zip(names, look, strict=True))) for look in kept["looks"])
        return cls(test, looks, kept["most"])

    def table(self) -> pd.DataFrame:
        """One row a look: pairs, points_per_hand, se, the log-likelihood ratios up and down, decision."""
        import pandas as pd

        rows = [(look.pairs, look.mean, look.se, look.up, look.down, look.decision) for look in self.looks]
        return pd.DataFrame(rows, columns=["pairs", "points_per_hand", "se", "up", "down", "decision"])

    def reason(self, a: str, b: str) -> str:
        """Why it stopped and what that saved, in words."""
        if not self.looks:
            return "Nothing was played."
        test, last, (low, high) = self.test, self.looks[-1], self.test.bounds
        fixed = (
            f"a test of fixed size needs {2 * self.fixed_pairs:,} hands for {points_text(test.points)} "
            f"(alpha {test.alpha:g}, beta {test.beta:g})"
        )
        nearer = max(last.up, last.down)
        if not self.decision:
            return (
                f"Not decided after {2 * self.pairs:,} hands, the most allowed: the log-likelihood ratio, {nearer:+.2f}, is "
                f"within its bounds {low:+.2f} and {high:+.2f}; {fixed}."
            )
        equal = f"neither of {a} and {b} is" if test.sides == 2 else f"{a} is not"
        found, bound = {
            "first": (f"{a} is better than {b}", high),
            "second": (f"{b} is better than {a}", high),
            "equal": (f"{equal} better by {points_text(test.points)}", low),
        }[self.decision]
        saved = self.hands_saved
        return (
            f"Stopped after {2 * self.pairs:,} hands: {found} (log-likelihood ratio {nearer:+.2f}, bound {bound:+.2f}); {fixed}, "
            f"so {abs(saved):,} were {'saved' if saved >= 0 else 'played more'}."
        )


def points_text(points: float) -> str:
    """Points per hand in words.

    Examples
    --------
    >>> points_text(1.0), points_text(0.25)
    ('1 point per hand', '0.25 points per hand')
    """
    return f"{points:g} {'point' if points == 1 else 'points'} per hand"


def look_key(number: int) -> str:
    """Key of the works between look ``number - 1`` and look ``number``."""
    return f"0-1@{number:03d}"


def sequential_of(test: SequentialTest, most: int, tallies: Tallies) -> tuple[np.ndarray, Sequential]:
    """The sums of the looks that are played in full, up to the decision, and the course of the test."""
    total: np.ndarray | None = None
    seen: list[Look] = []
    for number, pairs in enumerate(test.looks(most)):
        key = look_key(number), HANDS
        before = seen[-1].pairs if seen else 0
        if sum(count for _, count in tallies.ranges.get(key, [])) < pairs - before:
            break
        total = tallies.sums[key] + (0 if total is None else total)
        seen.append(test.judge(as_dict(HAND_TALLY, total[: len(HAND_TALLY)])))
        if seen[-1].decision:
            break
    return np.zeros(len(HAND_TALLY), np.int64) if total is None else total, Sequential(test, tuple(seen), most)


def next_works(
    test: SequentialTest, a: Strategy, b: Strategy, rules: Rules, most: int, seed: int, tallies: Tallies, luck: bool = False
) -> list[Work]:
    """What is to be played for the next look; nothing once it is decided, or at ``most`` pairs."""
    _, course = sequential_of(test, most, tallies)
    if course.decision or course.pairs == most:
        return []
    first, number = course.pairs, len(course.looks)
    return [Work(a, b, rules, seed, HANDS, first, test.looks(most)[number] - first, look_key(number), luck)]

