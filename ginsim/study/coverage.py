"""How often intervals contain the true value, measured on many samples for which it is known.

Two strategies play, and for every deal the label of the first is given to either of them at random, so each label wins half
of the decided hands by construction, with pairs that depend on each other as they do in play. Of the label's wins only so many
are counted, at random, that the true share is the one asked for; above a half the hands that are not counted are. Each sample
plays deals of its own, and for each of the five figures of ``FIGURES`` it is noted whether its interval contains the true value.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import Field, field_validator

from ginsim.errors import InputError
from ginsim.games.base import HANDS
from ginsim.games.gin import records as H
from ginsim.inference.estimates import (
    ONE_HAND,
    POINTS_UNIT,
    Estimate,
    RatioSums,
    mean_of_estimates,
    mean_of_pairs,
    share_of_clusters,
    share_of_pairs,
    share_of_trials,
)  # fmt: skip
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play
from ginsim.study.base import Result, register
from ginsim.study.kept import TALLIES, Manifest
from ginsim.study.relabelled import RelabelledExperiment, check_shares, relabelled

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COUNTS", "FIGURES", "KEY", "Coverage", "CoverageExperiment", "CoverageWork", "count_key"]

KEY = "coverage"
FIELD = 3
"""Pairings of which a mean is taken: a sample has so many parts."""
FIGURES = {
    "share": "a share, of one pairing",
    "mean": f"a share, mean over {FIELD} pairings",
    "cell": "a share of only some hands, a tenth of the pairs",
    "share_difference": "difference of two shares on the same deals",
    "points": "difference in points per hand",
}
"""What is estimated. Of the differences the truth is 0, and the share is that of hands in which there is any."""
COUNTS = ("held", "below", "above")
"""Samples whose interval holds the truth, lies below it, lies above it."""


@dataclass(frozen=True)
class CoverageWork(Work):
    """Samples ``first`` … ``first + count - 1``, each of ``most`` pairs in each of its parts."""

    most: int = 1
    shares: tuple[float, ...] = (0.5,)

    def carry_out(self, keep: bool = False) -> Done:
        """Play and judge; the tally holds ``COUNTS`` for each figure, of each share."""
        start = time.perf_counter()
        tally = np.zeros((len(self.shares), len(FIGURES), len(COUNTS)), np.int64)
        for sample in range(self.first, self.first + self.count):
            tally += self._judged(sample)
        return Done(self, tally.ravel(), time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played."""
        return 2 * FIELD * self.most * self.count

    def _judged(self, sample: int) -> np.ndarray:
        pairs = FIELD * self.most
        records = play(Work(self.players, self.rules, self.seed, HANDS, sample * pairs, pairs), keep=True).records
        assert records is not None
        rng = np.random.default_rng((self.seed, sample))
        labelled = relabelled(records, rng.integers(0, 2, pairs).astype(bool))
        winner, points = (labelled[:, column].reshape(-1, 2) for column in (H.WINNER, H.POINTS))
        out = np.zeros((len(self.shares), len(FIGURES), len(COUNTS)), np.int64)
        for i, share in enumerate(self.shares):
            counted = rng.random((pairs, 2)) < 2 * min(share, 1 - share)
            for j, (e, truth) in enumerate(figures(winner, points, counted, share)):
                out[i, j, 0 if e.low <= truth <= e.high else 1 if e.high < truth else 2] += 1
        return out


def figures(winner: np.ndarray, points: np.ndarray, counted: np.ndarray, share: float) -> Iterator[tuple[Estimate, float]]:
    """The figures of ``FIGURES``, each with its truth, from the plays of all parts (int64[pairs, 2])."""
    of = (winner >= 0).sum(axis=1)
    won = ((winner == 0) & counted).sum(axis=1)
    if share > 0.5:
        won = of - won
    most = len(of) // FIELD
    parts = [share_of_pairs(RatioSums.of(won[k : k + most], of[k : k + most])) for k in range(0, len(of), most)]
    yield parts[0], share
    yield mean_of_estimates(parts), share
    some = slice(0, most // 10)
    yield share_of_clusters(RatioSums.of(won[some], of[some])), share
    part = slice(0, most)
    for value, unit in ((1, ONE_HAND), (points[part], POINTS_UNIT)):
        gains = (np.select([winner[part] == 0, winner[part] == 1], [1, -1], 0) * counted[part] * value).sum(axis=1)
        yield mean_of_pairs(int(gains.sum()), int((gains**2).sum()), most, unit=unit), 0.0


def count_key(figure: str, share: float) -> str:
    """Name of the counts of a figure at a true share."""
    return f"{figure} at {share:g}"


@dataclass(frozen=True)
class Coverage(Result):
    """How often intervals contain the true value.

    Attributes
    ----------
    a, b, rules : str
        Who played, under which rules.
    deals : int
        Pairs of a sample, in each of its parts.
    samples : int
    shares : tuple of float
        The true shares.
    counts : mapping of figure and share, as text, to counts by name (``COUNTS``)
    """

    a: str
    b: str
    rules: str
    seed: int | tuple[int, ...]
    deals: int
    samples: int
    shares: tuple[float, ...]
    counts: dict[str, dict[str, int]]
    wall_seconds: float = field(default=math.nan, compare=False)

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * FIELD * self.deals * self.samples

    def held(self, figure: str, share: float) -> Estimate:
        """Share of the samples whose interval contains the true value."""
        return share_of_trials(self.counts[count_key(figure, share)]["held"] / self.samples, self.samples)

    def table(self) -> pd.DataFrame:
        """One row per figure and true share: how often the interval contained the true value, lay below it, lay above it."""
        import pandas as pd

        rows = []
        for figure in FIGURES:
            for share in self.shares:
                e, own = self.held(figure, share), self.counts[count_key(figure, share)]
                rows.append((figure, share, e.value, e.low, e.high, own["below"] / self.samples, own["above"] / self.samples))
        return pd.DataFrame(rows, columns=["figure", "share", "held", "held_low", "held_high", "below", "above"])

    def summary(self) -> pd.DataFrame:
        """Share of the intervals that contain the true value, by figure (rows) and true share (columns)."""
        return self.table().pivot(index="figure", columns="share", values="held").loc[list(FIGURES)]

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    def verdict(self) -> str:
        """The range of coverage in words."""
        held = {(figure, share): self.held(figure, share).value for figure in FIGURES for share in self.shares}
        ends = min(held, key=held.__getitem__), max(held, key=held.__getitem__)
        at = [f"{100 * held[end]:.1f} % ({FIGURES[end[0]]}, {100 * end[1]:g} %)" for end in ends]
        return (
            f"In {self.samples:,} samples, 95 % intervals contained the true value in {at[0]} to {at[1]}, over {len(FIGURES)} "
            f"figures and true shares from {100 * min(self.shares):g} to {100 * max(self.shares):g} %."
        )


class CoverageExperiment(RelabelledExperiment):
    """How often 95 % intervals contain the true value, on ``samples`` for which it is known."""

    kind: Literal["coverage"] = "coverage"
    deals: int = Field(2_000, ge=300, le=1_000_000, description="duplicate pairs in each part of a sample")
    samples: int = Field(2_000, ge=30, le=1_000_000, description="samples for each true share")
    shares: list[float] = Field([0.002, 0.01, 0.5, 0.99, 0.998], min_length=1, description="true shares")

    @field_validator("shares")
    @classmethod
    def _shares(cls, value: list[float]) -> list[float]:
        return list(check_shares(value, 1 - 1e-4))

    @property
    def unit(self) -> str:
        return "samples"

    def works(self) -> list[Work]:
        of = (self.a, self.b), self.rules, self.seed, HANDS, 0, self.samples, KEY
        return [CoverageWork(*of, most=self.deals, shares=tuple(self.shares))]

    def result(self, tallies: Tallies, **more: Any) -> Coverage:
        counts, judged = self.counted(tallies, KEY, count_keys(self.shares), COUNTS)
        of = str(self.a), str(self.b), str(self.rules), self.seed, self.deals, judged
        return Coverage(*of, tuple(self.shares), counts, **more)


def count_keys(shares: Sequence[float]) -> list[str]:
    """Names of the counts, in the order of the tally."""
    return [count_key(figure, share) for share in shares for figure in FIGURES]


class CoverageManifest(Manifest):
    """What a `Coverage` is rebuilt from."""

    strategies: list[str] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=1)
    samples: int = Field(ge=1)
    true_shares: list[float]


def _text(coverage: Coverage) -> str:
    """The counts as the text of ``tallies.json``."""
    return json.dumps(coverage.counts, indent=1) + "\n"


def _rebuilt(folder: Path, manifest: CoverageManifest, sums: Any, **more: Any) -> Coverage:
    path, wanted = folder / TALLIES, set(count_keys(manifest.true_shares))
    if set(sums) != wanted or any(set(own) != set(COUNTS) for own in sums.values()):
        raise InputError(f"results: {path}: the counts are not those of {', '.join(sorted(wanted))}")
    for name, own in sums.items():
        if sum(own.values()) != manifest.samples or min(own.values()) < 0:
            raise InputError(f"results: {path}: {name}: the counts do not add up to {manifest.samples} samples")
    a, b = manifest.strategies
    of = manifest.deals, manifest.samples, tuple(manifest.true_shares)
    return Coverage(a, b, str(manifest.played), manifest.seeds, *of, sums, **more)


def _facts(c: Coverage) -> dict[str, Any]:
    return {"samples": c.samples, "true_shares": list(c.shares), "games": 0}


register(
    "coverage", experiment=CoverageExperiment, result=Coverage, text=_text, manifest=CoverageManifest,
    sums=dict[str, dict[str, int]], build=_rebuilt, facts=_facts, merges=False, against_itself=True,
)  # fmt: skip
