"""How often a test is wrong, measured on many comparisons of which the truth is known.

Two strategies play, and for every deal the label of the first is given to either of them at random: so the two labels
are equal in strength by construction, with scores as they are in play. Adding a fixed number of points to each hand of the
first label makes it better by exactly that. Each comparison plays deals of its own; all tests judge the same ones:

- the sequential test (``ginsim.inference.sequential``);
- peeking: at each of its looks the plain interval, as if the size had been fixed (which is wrong, and how much shows here);
- a test of fixed size, with the plain interval and with the luck of the draw taken out (``ginsim.inference.control``).
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.gin.luck import LUCK_SIZE
from ginsim.gin.records import H_POINTS, H_WINNER, HAND_SIZE
from ginsim.inference.control import controlled_mean
from ginsim.inference.corrections import p_value
from ginsim.inference.estimates import Estimate, mean_of_pairs, share_of_trials
from ginsim.inference.sequential import SequentialTest, points_text
from ginsim.simulation.play import HANDS, Done, Work, play
from ginsim.simulation.tally import LUCK_TALLY, as_dict, tally_luck
from ginsim.study.result import Result

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COUNTS", "ErrorRates"]

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
    """Comparisons ``first`` … ``first + count - 1``, each on ``most`` pairs of its own."""

    test: SequentialTest = field(default_factory=SequentialTest)
    most: int = 1
    differences: tuple[float, ...] = (0.0,)

    def carry_out(self, keep: bool = False) -> Done:
        """Play and judge; the tally holds ``COUNTS`` for each difference."""
        start = time.perf_counter()
        tally = np.zeros((len(self.differences), len(COUNTS)), np.int64)
        for comparison in range(self.first, self.first + self.count):
            tally += self._judged(comparison)
        return Done(self, tally.ravel(), time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played."""
        return 2 * self.most * self.count

    def _judged(self, comparison: int) -> np.ndarray:
        work = Work(self.a, self.b, self.rules, self.seed, HANDS, comparison * self.most, self.most, luck=self.luck)
        records = play(work, keep=True).records
        assert records is not None
        swap = np.random.default_rng((self.seed, comparison)).integers(0, 2, self.most).astype(bool)
        labelled = relabelled(records, swap)
        points = np.where(labelled[:, H_WINNER] == 0, 1, -1) * labelled[:, H_POINTS]
        pairs = points.reshape(-1, 2).sum(axis=1)
        return np.array([self._row(pairs, labelled, difference) for difference in self.differences], np.int64)

    def _row(self, pairs: np.ndarray, labelled: np.ndarray, difference: float) -> list[int]:
        shifted = pairs + round(2 * difference)
        sums = np.cumsum(shifted), np.cumsum(shifted**2)

        def tally(n: int) -> dict[str, int]:
            return {"pairs": n, "points": int(sums[0][n - 1]), "points_sq": int(sums[1][n - 1])}

        looks = [self.test.judge(tally(n)) for n in self.test.looks(self.most)]
        stop = next((look for look in looks if look.decision), looks[-1])
        peeked = any(self._differs(mean_of_pairs(look.points, look.points_sq, look.pairs)) for look in looks)
        variance = float(shifted.var(ddof=1)) / 4
        n = min(self.most, max(2, self.test.fixed_pairs(variance)))
        at_end = tally(n)
        fixed = self._differs(mean_of_pairs(at_end["points"], at_end["points_sq"], n))
        controlled = False
        if self.luck:
            gain = controlled_mean(luck_sums(labelled[: 2 * n]))
            controlled = self._differs(gain, -difference)
        decided = [stop.decision == name for name in ("first", "second", "equal", "")]
        return [*map(int, decided), stop.pairs, stop.pairs**2, int(peeked), int(fixed), n, int(controlled)]

    def _differs(self, gain: Estimate, null: float = 0.0) -> bool:
        return p_value(gain, null) <= self.test.alpha


def relabelled(records: np.ndarray, swap: np.ndarray) -> np.ndarray:
    """Hand records (with luck or without) with the winners exchanged, and the luck, in the pairs where ``swap`` holds."""
    swapped = np.repeat(swap, 2)
    out = records.copy()
    won = swapped & (records[:, H_WINNER] >= 0)
    out[won, H_WINNER] = 1 - records[won, H_WINNER]
    if records.shape[1] > HAND_SIZE:
        half = HAND_SIZE + LUCK_SIZE // 2
        out[swapped, HAND_SIZE:half], out[swapped, half:] = records[swapped, half:], records[swapped, HAND_SIZE:half]
    return out


def luck_sums(records: np.ndarray) -> dict[str, int]:
    """The sums for control variates of hand records with their luck."""
    out = np.zeros(len(LUCK_TALLY), np.int64)
    own, luck = (np.ascontiguousarray(part) for part in np.split(records, [HAND_SIZE], axis=1))
    tally_luck(own, luck, len(own), np.zeros(1 + LUCK_SIZE, np.int64), out)
    return as_dict(LUCK_TALLY, out)


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
        By how many points per hand the first label is better.
    control : bool
        Whether the luck of the draw was measured.
    counts : mapping of the difference, as text, to counts by name (``COUNTS``)
    """

    a: str
    b: str
    rules: str
    seed: int | tuple[int, ...]
    test: SequentialTest
    deals: int
    comparisons: int
    differences: tuple[float, ...]
    control: bool
    counts: dict[str, dict[str, int]]
    wall_seconds: float = field(default=math.nan, compare=False)

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * self.comparisons

    def share(self, difference: float, *names: str) -> Estimate:
        """Share of the comparisons that came out as any of ``names``, with Wilson's interval."""
        own = self.counts[f"{difference:g}"]
        return share_of_trials(sum(own[name] for name in names) / self.comparisons, self.comparisons)

    def pairs(self, difference: float) -> Estimate:
        """Pairs that the sequential test took, on average."""
        own = self.counts[f"{difference:g}"]
        return mean_of_pairs(own["pairs"], own["pairs_sq"], self.comparisons, per_pair=1)

    def table(self) -> pd.DataFrame:
        """One row a difference: how each test called it, with intervals, and the pairs it took.

        decided: share in which the sequential test called either label better; right, wrong: with the label that is;
        equal, undecided; pairs; fixed_pairs; peeked, fixed, controlled: share in which these tests found a difference.
        """
        import pandas as pd

        rows = []
        for difference in self.differences:
            own = self.counts[f"{difference:g}"]
            row: dict[str, Any] = {"difference": difference}
            shares = {"decided": ("first", "second"), "right": ("first",), "wrong": ("second",)}
            shares |= {name: (name,) for name in ("equal", "undecided", "peeked", "fixed")}
            shares |= {"controlled": ("controlled",)} if self.control else {}
            if difference == 0:
                del shares["right"], shares["wrong"]
            for name, parts in shares.items():
                e = self.share(difference, *parts)
                row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
            pairs = self.pairs(difference)
            row |= {"pairs": pairs.value, "pairs_low": pairs.low, "pairs_high": pairs.high}
            rows.append(row | {"fixed_pairs": own["fixed_pairs"] / self.comparisons})
        return pd.DataFrame(rows)

    def summary(self) -> pd.DataFrame:
        """The table."""
        return self.table()

    def shown(self) -> dict[str, pd.DataFrame]:
        """What is printed: the shares of each difference, as texts."""
        table = self.table()
        names = [name for name in table.columns if not name.endswith(("_low", "_high"))]
        own = {name: [_text(name, value) for value in table[name]] for name in names}
        return {f"Shares of {self.comparisons:,} comparisons, by the difference in points per hand": table[[]].assign(**own)}

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.table().to_string(index=False)}"

    def verdict(self) -> str:
        """The error rates in words."""

        def text(e: Estimate) -> str:
            return f"{100 * e.value:.1f} % ({100 * e.low:.1f} to {100 * e.high:.1f})"

        parts = []
        for difference in self.differences:
            saved = 1 - self.pairs(difference).value / (self.counts[f"{difference:g}"]["fixed_pairs"] / self.comparisons)
            took = f"and {'saved' if saved >= 0 else 'added'} {abs(100 * saved):.0f} % of the hands of a test of fixed size"
            if difference == 0:
                head = (
                    f"Of {self.comparisons:,} comparisons of equal strategies the sequential test called one better in "
                    f"{text(self.share(0, 'first', 'second'))}, with alpha {self.test.alpha:g}, {took}; looking at plain "
                    f"intervals as often would have done so in {text(self.share(0, 'peeked'))}."
                )
                if self.control:
                    plain, controlled = (text(self.share(0, name)) for name in ("fixed", "controlled"))
                    head += f" A plain test of fixed size: {plain}; the same with the luck of the draw taken out: {controlled}."
                parts.append(head)
            elif difference == self.test.points:
                parts.append(
                    f"A difference of {points_text(difference)} was found in {text(self.share(difference, 'first'))}, "
                    f"with beta {self.test.beta:g}, {took}."
                )
        return " ".join(parts) or f"{self.comparisons:,} comparisons were judged."

    def plot(self, ax: Any = None) -> Any:
        """What each test finds, by the true difference; returns the matplotlib axes."""
        from ginsim.report.plots import error_rates

        return error_rates(self, ax)


def _text(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:g}" if name == "difference" else f"{value:,.0f}" if "pairs" in name else f"{100 * value:.1f} %"










