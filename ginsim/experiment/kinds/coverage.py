"""The coverage of intervals as an experiment file, and its counts on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, field_validator

from ginsim.errors import InputError
from ginsim.experiment.base import Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest
from ginsim.games.gin.count import as_dict
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.study.coverage import COUNTS, FIGURES, KEY, Coverage, CoverageWork, count_key

__all__ = ["COVERAGE", "CoverageExperiment"]


class CoverageExperiment(Experiment):
    """How often 95 % intervals contain the true value, on ``samples`` for which it is known."""

    kind: Literal["coverage"] = "coverage"
    deals: int = Field(2_000, ge=300, le=1_000_000, description="duplicate pairs in each part of a sample")
    a: StrategySpec = Field(description="spec of the first strategy that plays")
    b: StrategySpec = Field(description="spec of the second strategy that plays")
    samples: int = Field(2_000, ge=30, le=1_000_000, description="samples for each true share")
    shares: list[float] = Field([0.002, 0.01, 0.5, 0.99, 0.998], min_length=1, description="true shares")

    @field_validator("shares")
    @classmethod
    def _shares(cls, value: list[float]) -> list[float]:
        for share in value:
            if not 1e-4 <= share <= 1 - 1e-4:
                raise InputError(f"shares: {share!r} is not allowed; give numbers from 0.0001 to 0.9999")
        if len(set(value)) < len(value):
            raise InputError("shares: each may be given only once")
        return value

    @property
    def unit(self) -> str:
        return "samples"

    @property
    def game_pairs(self) -> int:
        return 0

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(self.a), Strategy.parse(self.b)]

    def works(self) -> list[Work]:
        a, b = self.field()
        of = {"most": self.deals, "shares": tuple(self.shares)}
        return [CoverageWork(a, b, Rules.parse(self.rules), self.seed, HANDS, 0, self.samples, KEY, **of)]  # type: ignore[arg-type]

    def result(self, tallies: Tallies, **more: Any) -> Coverage:
        keys = count_keys(self.shares)
        sums = tallies.sums.get((KEY, HANDS), np.zeros(len(keys) * len(COUNTS), np.int64)).reshape(len(keys), len(COUNTS))
        counts = {key: as_dict(COUNTS, row) for key, row in zip(keys, sums, strict=True)}
        judged = sum(n for _, n in tallies.ranges.get((KEY, HANDS), []))
        return Coverage(self.a, self.b, self.rules, self.seed, self.deals, judged, tuple(self.shares), counts, **more)


def count_keys(shares: Sequence[float]) -> list[str]:
    """Names of the counts, in the order of the tally."""
    return [count_key(figure, share) for share in shares for figure in FIGURES]


class CoverageManifest(Manifest):
    """What a `Coverage` is rebuilt from."""

    strategies: list[str] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=1)
    samples: int = Field(ge=1)
    true_shares: list[float]


def coverage_text(coverage: Coverage) -> str:
    """The counts as the text of ``tallies.json``."""
    return json.dumps(coverage.counts, indent=1) + "\n"


def rebuilt_coverage(folder: Path, manifest: CoverageManifest, rules: Rules, sums: Any, **more: Any) -> Coverage:
    """The coverage that was saved."""
    path, wanted = folder / TALLIES, set(count_keys(manifest.true_shares))
    if set(sums) != wanted or any(set(own) != set(COUNTS) for own in sums.values()):
        raise InputError(f"results: {path}: the counts are not those of {', '.join(sorted(wanted))}")
    for name, own in sums.items():
        if sum(own.values()) != manifest.samples or min(own.values()) < 0:
            raise InputError(f"results: {path}: {name}: the counts do not add up to {manifest.samples} samples")
    a, b = manifest.strategies
    of = manifest.deals, manifest.samples, tuple(manifest.true_shares)
    return Coverage(a, b, str(rules), manifest.seeds, *of, sums, **more)


COVERAGE = Kind(
    CoverageExperiment, Coverage, coverage_text, CoverageManifest, dict[str, dict[str, int]], rebuilt_coverage, merges=False
)
