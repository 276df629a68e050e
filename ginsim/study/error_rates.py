"""How often a test is wrong, measured on many comparisons of which the truth is known.

Two strategies play, and for every deal the label of the first is given to either of them at random: so the two labels
are equal in strength by construction, with scores as they are in play. Adding a fixed number of points to each hand of the
first label makes it better by exactly that. Each comparison plays deals of its own; all tests judge the same ones:

- the sequential test (``ginsim.inference.sequential``);
- peeking: at each of its looks the plain interval, as if the size had been fixed (which is wrong, and how much shows here);
- a test of fixed size, with the plain interval and with the luck of the draw taken out (``ginsim.inference.control``).

Strategies that seldom differ are simulated from these: with a share of 0.01 the pairs that were played are scattered at random
among a hundred times as many that came out alike, and the true difference and the one tested for are a hundredth.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError
from ginsim.games.base import HANDS, as_dict
from ginsim.games.gin import records as H
from ginsim.games.gin.count import LUCK_SUMS, tally_luck
from ginsim.games.gin.luck import LUCK_SIZE
from ginsim.games.strategy import Strategy
from ginsim.inference.control import controlled_mean, luck_names
from ginsim.inference.corrections import p_value
from ginsim.inference.estimates import Estimate, mean_of_pairs, share_of_trials
from ginsim.inference.sequential import PowerSums, SequentialTest, points_text
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play
from ginsim.study.base import MOST_LISTED, Result, carried_out, register
from ginsim.study.compare import check_control
from ginsim.study.kept import TALLIES, Manifest, Name, check_at_most, check_squares
from ginsim.study.relabelled import RelabelledExperiment, check_shares, relabelled
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COUNTS", "ErrorRates", "ErrorRatesExperiment", "ErrorWork", "count_key", "error_rates"]

KEY = "error_rates"
COUNTS = (
    "first", "second", "equal", "undecided", "pairs", "pairs_sq", "peeked", "fixed", "fixed_pairs", "controlled",
)  # fmt: skip
"""Counts over the comparisons, for each difference.

first, second, equal, undecided: what the sequential test decided. pairs: played until then (``_sq``: sum of squares).
peeked, fixed, controlled: comparisons in which that test called the first label better or worse. fixed_pairs: pairs of the
test of fixed size.
"""


@dataclass(frozen=True)
class ErrorWork(Work):
    """Comparisons ``first`` … ``first + count - 1``, each on ``most`` pairs of its own that differ."""

    test: SequentialTest = field(default_factory=SequentialTest)
    most: int = 1
    differences: tuple[float, ...] = (0.0,)
    shares: tuple[float, ...] = (1.0,)

    def carry_out(self, keep: bool = False) -> Done:
        """Play and judge; the tally holds ``COUNTS`` for each difference, of each share."""
        start = time.perf_counter()
        tally = np.zeros((len(self.shares) * len(self.differences), len(COUNTS)), np.int64)
        for comparison in range(self.first, self.first + self.count):
            tally += self._judged(comparison)
        return Done(self, tally.ravel(), time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played."""
        return 2 * self.most * self.count

    def _judged(self, comparison: int) -> np.ndarray:
        work = Work(self.players, self.rules, self.seed, HANDS, comparison * self.most, self.most, luck=self.luck)
        records = play(work, keep=True).records
        assert records is not None
        swap = np.random.default_rng((self.seed, comparison)).integers(0, 2, self.most).astype(bool)
        labelled = relabelled(records, swap)
        points = np.where(labelled[:, H.WINNER] == 0, 1, -1) * labelled[:, H.POINTS]
        pairs = points.reshape(-1, 2).sum(axis=1)
        rows = []
        for number, share in enumerate(self.shares):
            gaps = np.random.default_rng((self.seed, comparison, number)).geometric(share, self.most)
            rows += [self._row(pairs, np.cumsum(gaps), labelled, share, difference) for difference in self.differences]
        return np.array(rows, np.int64)

    def _row(self, pairs: np.ndarray, at: np.ndarray, labelled: np.ndarray, share: float, difference: float) -> list[int]:
        """Judge pairs of which those with the numbers ``at`` (from 1) differ, by ``pairs`` and the difference, and no others."""
        shifted = pairs + round(2 * difference)
        powers = np.cumsum([shifted**k for k in range(1, 5)], axis=1)
        most = int(at[-1])

        def sums(n: int) -> PowerSums:
            differing = int(np.searchsorted(at, n, side="right"))
            first, second, third, fourth = powers[:, differing - 1].tolist() if differing else (0, 0, 0, 0)
            return PowerSums(n, (first, second, third, fourth))

        def found(seen: PowerSums) -> bool:
            return self._differs(mean_of_pairs(*seen.powers[:2], seen.pairs))

        test = scaled(self.test, share)
        seen = [sums(n) for n in test.looks(most)]
        stop = test.course(seen, self.rules.most_points + max(map(abs, self.differences)))[-1]
        n = min(most, max(2, test.fixed_pairs(seen[-1].variance)))
        controlled = self.luck and self._differs(controlled_mean(luck_sums(labelled[: 2 * n])), -difference)
        decided = [stop.decision == name for name in ("first", "second", "equal", "")]
        tests = any(map(found, seen)), found(sums(n)), n, controlled
        return [*map(int, decided), stop.pairs, stop.pairs**2, *map(int, tests)]

    def _differs(self, gain: Estimate, null: float = 0.0) -> bool:
        return p_value(gain, null) <= self.test.alpha


def scaled(test: SequentialTest, share: float) -> SequentialTest:
    """The test for strategies of which a ``share`` of the pairs differs: for as much smaller a difference."""
    return test.model_copy(update={"points": test.points * share, "null": test.null * share})


def count_key(difference: float, share: float) -> str:
    """Name of the counts of a difference among the pairs that differ, a ``share`` of all."""
    return f"{difference:g}" if share == 1 else f"{difference:g} in {share:g}"


def luck_sums(records: np.ndarray) -> dict[str, int]:
    """The sums for control variates of hand records with their luck."""
    out = np.zeros(LUCK_SUMS, np.int64)
    own, luck = (np.ascontiguousarray(part) for part in np.split(records, [H.SIZE], axis=1))
    tally_luck(own, luck, len(own), np.zeros(1 + LUCK_SIZE, np.int64), out)
    return as_dict(luck_names(1 + LUCK_SIZE), out)


@dataclass(frozen=True)
class ErrorRates(Result):
    """How often each test was right and wrong.

    Attributes
    ----------
    a, b, rules : str
        Who played, under which rules.
    test : SequentialTest
    deals : int
        Pairs at which a comparison ends undecided.
    comparisons : int
    differences : tuple of float
        By how many points per hand the first label is better in the pairs that differ.
    shares : tuple of float
        Shares of pairs that differ; the first label is better by share x difference, which is also what is tested for.
    control : bool
        Whether the luck of the draw was measured.
    counts : mapping of the difference and share, as text, to counts by name (``COUNTS``)
    """

    TABLE = "table"

    a: str
    b: str
    rules: str
    seed: int | tuple[int, ...]
    test: SequentialTest
    deals: int
    comparisons: int
    differences: tuple[float, ...]
    shares: tuple[float, ...]
    control: bool
    counts: dict[str, dict[str, int]]
    wall_seconds: float = field(default=math.nan, compare=False)

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * self.comparisons

    def share(self, difference: float, *names: str, of: float = 1.0) -> Estimate:
        """Share of the comparisons that came out as any of ``names``, with Wilson's interval; ``of`` is a share of pairs."""
        own = self.counts[count_key(difference, of)]
        return share_of_trials(sum(own[name] for name in names) / self.comparisons, self.comparisons)

    def pairs(self, difference: float, of: float = 1.0) -> Estimate:
        """Pairs that the sequential test took, on average."""
        own = self.counts[count_key(difference, of)]
        return mean_of_pairs(own["pairs"], own["pairs_sq"], self.comparisons, per_pair=1)

    def fixed_pairs(self, difference: float, of: float = 1.0) -> float:
        """Pairs that the test of fixed size took, on average."""
        return self.counts[count_key(difference, of)]["fixed_pairs"] / self.comparisons

    def table(self) -> pd.DataFrame:
        """One row per share of differing pairs and difference: how each test called it, with intervals, and the pairs it took.

        decided: share in which the sequential test called either label better; right, wrong: with the label that is;
        equal, undecided; pairs; fixed_pairs; peeked, fixed, controlled: share in which these tests found a difference.
        """
        import pandas as pd

        rows = []
        for of, difference in itertools.product(self.shares, self.differences):
            row: dict[str, Any] = {"differing": of, "difference": of * difference}
            shares = {"decided": ("first", "second"), "right": ("first",), "wrong": ("second",)}
            shares |= {name: (name,) for name in ("equal", "undecided", "peeked", "fixed")}
            shares |= {"controlled": ("controlled",)} if self.control else {}
            if difference == 0:
                del shares["right"], shares["wrong"]
            for name, parts in shares.items():
                e = self.share(difference, *parts, of=of)
                row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
            pairs = self.pairs(difference, of)
            row |= {"pairs": pairs.value, "pairs_low": pairs.low, "pairs_high": pairs.high}
            rows.append(row | {"fixed_pairs": self.fixed_pairs(difference, of)})
        return pd.DataFrame(rows)

    def summary(self) -> pd.DataFrame:
        """The table."""
        return self.table()

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.table().to_string(index=False)}"

    def verdict(self) -> str:
        """The error rates in words."""
        parts = [self._verdict(of) for of in self.shares]
        return " ".join(part for part in parts if part) or f"{self.comparisons:,} comparisons were judged."

    def _verdict(self, of: float) -> str:
        def text(e: Estimate) -> str:
            return f"{100 * e.value:.1f} % ({100 * e.low:.1f} to {100 * e.high:.1f})"

        parts = []
        where = "" if of == 1 else f" that differ in {100 * of:g} % of the pairs"
        for difference in self.differences:
            saved = 1 - self.pairs(difference, of).value / self.fixed_pairs(difference, of)
            took = f"{'saved' if saved >= 0 else 'added'} {abs(100 * saved):.0f} % of the hands of a test of fixed size"
            if difference == 0:
                head = (
                    f"Of {self.comparisons:,} comparisons of equal strategies{where}, the sequential test called one better in "
                    f"{text(self.share(0, 'first', 'second', of=of))}, with alpha {self.test.alpha:g}, and {took}; looking at "
                    f"plain intervals as often would have done so in {text(self.share(0, 'peeked', of=of))}."
                )
                if self.control:
                    plain, controlled = (text(self.share(0, name, of=of)) for name in ("fixed", "controlled"))
                    head += f" A plain test of fixed size did so in {plain}; without the luck of the draw, in {controlled}."
                parts.append(head)
            elif difference == self.test.points:
                parts.append(
                    f"A difference of {points_text(of * difference)} was found in "
                    f"{text(self.share(difference, 'first', of=of))} and missed in "
                    f"{text(self.share(difference, 'second', 'equal', of=of))}, with beta {self.test.beta:g}, and {took}."
                )
        return " ".join(parts)


class ErrorRatesExperiment(RelabelledExperiment):
    """How often the sequential test is wrong, on ``comparisons`` of labels of which the truth is known."""

    kind: Literal["error_rates"] = "error_rates"
    deals: int = Field(5_000, ge=30, le=MOST_DEALS, description="duplicate pairs at which a comparison ends undecided")
    until: SequentialTest = Field(SequentialTest(points=1.0), description="the sequential test")
    comparisons: int = Field(2_000, ge=30, le=1_000_000, description="comparisons for each difference")
    differences: list[float] = Field(
        [0.0, 1.0], min_length=1, max_length=MOST_LISTED, description="true differences in points per hand, in halves"
    )
    shares: list[float] = Field(
        [1.0], min_length=1, max_length=MOST_LISTED,
        description="shares of the pairs that differ; below 1, points and differences are reduced by the same factor",
    )
    control: bool = Field(False, description="also judge with the luck of the draw taken out")

    @field_validator("differences")
    @classmethod
    def _halves(cls, value: list[float]) -> list[float]:
        for difference in value:
            if not (2 * difference).is_integer() or not -1_000 <= difference <= 1_000:
                raise InputError(f"differences: {difference!r} is not allowed; give whole or half points from -1000 to 1000")
        if len(set(value)) < len(value):
            raise InputError("differences: each may be given once")
        return value

    @model_validator(mode="after")
    def _shares(self) -> Self:
        check_shares(self.shares, 1)
        if self.control and self.shares != [1.0]:
            raise InputError("control: not allowed with shares; the luck of the draw is known only for pairs that were played")
        return self

    @property
    def unit(self) -> str:
        return "comparisons"

    def works(self) -> list[Work]:
        luck = check_control(self.control, self.rules)
        more: dict[str, Any] = {"test": self.until, "most": self.deals}
        more |= {"differences": tuple(self.differences), "shares": tuple(self.shares)}
        return [ErrorWork((self.a, self.b), self.rules, self.seed, HANDS, 0, self.comparisons, KEY, luck, **more)]

    def result(self, tallies: Tallies, **more: Any) -> ErrorRates:
        counts, judged = self.counted(tallies, KEY, count_keys(self.differences, self.shares), COUNTS)
        of = str(self.a), str(self.b), str(self.rules), self.seed, self.until, self.deals, judged
        return ErrorRates(*of, tuple(self.differences), tuple(self.shares), self.control, counts, **more)


def count_keys(differences: Sequence[float], shares: Sequence[float]) -> list[str]:
    """Names of the counts, in the order of the tally."""
    return [count_key(difference, share) for share in shares for difference in differences]


def error_rates(
    a: str | Strategy,
    b: str | Strategy,
    workers: int | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> ErrorRates:
    """How often the sequential test and others are wrong.

    Parameters
    ----------
    a, b : str or Strategy
    workers, progress
        As in `ginsim.compare`.
    **settings
        The fields of `ErrorRatesExperiment`: rules, seed, comparisons, deals, until, differences, shares.

    Examples
    --------
    >>> rates = error_rates("threshold(knock=4)", "simple", comparisons=30, deals=30, until={"points": 5.0, "first": 30})
    >>> rates.counts["0"]["first"] + rates.counts["0"]["second"] + rates.counts["0"]["equal"] + rates.counts["0"]["undecided"]
    30
    """
    result: ErrorRates = carried_out(built("error_rates", a=a, b=b, **settings), workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


class ErrorRatesManifest(Manifest):
    """What an `ErrorRates` is rebuilt from."""

    strategies: list[Name] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=30, le=MOST_DEALS)
    comparisons: int = Field(ge=1)
    differences: list[float]
    differing: list[float] = Field([1.0], min_length=1)
    control: bool
    test: SequentialTest


def _text(rates: ErrorRates) -> str:
    """The counts as the text of ``tallies.json``."""
    return json.dumps(rates.counts, indent=1) + "\n"


def _rebuilt(folder: Path, manifest: ErrorRatesManifest, sums: Any, **more: Any) -> ErrorRates:
    path = folder / TALLIES
    wanted = set(count_keys(manifest.differences, manifest.differing))
    if set(sums) != wanted or any(set(own) != set(COUNTS) for own in sums.values()):
        raise InputError(f"results: {path}: the counts are not those of the differences {', '.join(sorted(wanted))}")
    for name, own in sums.items():
        if sum(own[part] for part in COUNTS[:4]) != manifest.comparisons or min(own.values()) < 0:
            raise InputError(f"results: {path}: {name}: the decisions do not add up to {manifest.comparisons} comparisons")
        check_squares(f"{path}: {name}", "pairs", own["pairs"], own["pairs_sq"], manifest.comparisons)
        for part in ("peeked", "fixed", "controlled"):
            check_at_most(f"{path}: {name}", own | {"comparisons": manifest.comparisons}, part, "comparisons")
    a, b = manifest.strategies
    pairs = manifest.deals, manifest.comparisons, tuple(manifest.differences), tuple(manifest.differing)
    of = manifest.test, *pairs, manifest.control
    return ErrorRates(a, b, str(manifest.played), manifest.seeds, *of, sums, **more)


def _facts(r: ErrorRates) -> dict[str, Any]:
    of = {"comparisons": r.comparisons, "differences": list(r.differences), "control": r.control, "games": 0}
    return of | {"differing": list(r.shares), "test": r.test.model_dump()}


register(
    "error_rates", experiment=ErrorRatesExperiment, result=ErrorRates, text=_text, manifest=ErrorRatesManifest,
    sums=dict[str, dict[str, int]], build=_rebuilt, facts=_facts, merges=False, against_itself=True,
)  # fmt: skip
