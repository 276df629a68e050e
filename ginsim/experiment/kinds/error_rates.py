"""Error rates of tests as an experiment file, and their counts on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from ginsim.errors import InputError
from ginsim.experiment.base import MOST_LISTED, Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name
from ginsim.games.gin.count import as_dict
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.inference.sequential import SequentialTest
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.study.compare import MOST_DEALS, check_control
from ginsim.study.errorrates import COUNTS, KEY, ErrorRates, ErrorWork, count_key

__all__ = ["ERROR_RATES", "ErrorRatesExperiment", "error_rates"]


class ErrorRatesExperiment(Experiment):
    """How often the sequential test is wrong, on ``comparisons`` of labels of which the truth is known."""

    kind: Literal["error_rates"] = "error_rates"
    deals: int = Field(5_000, ge=30, le=MOST_DEALS, description="duplicate pairs at which a comparison ends undecided")
    a: StrategySpec = Field(description="spec of the first strategy that plays")
    b: StrategySpec = Field(description="spec of the second strategy that plays")
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
        for share in self.shares:
            if not 1e-4 <= share <= 1:
                raise InputError(f"shares: {share!r} is not allowed; give numbers from 0.0001 to 1")
        if len(set(self.shares)) < len(self.shares):
            raise InputError("shares: each may be given only once")
        if self.control and self.shares != [1.0]:
            raise InputError("control: not allowed with shares; the luck of the draw is known only for pairs that were played")
        return self

    @property
    def unit(self) -> str:
        return "comparisons"

    @property
    def game_pairs(self) -> int:
        return 0

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(self.a), Strategy.parse(self.b)]

    def works(self) -> list[Work]:
        a, b = self.field()
        rules = Rules.parse(self.rules)
        luck, of = check_control(self.control, rules), (self.until, self.deals, tuple(self.differences), tuple(self.shares))
        return [ErrorWork(a, b, rules, self.seed, HANDS, 0, self.comparisons, KEY, luck, *of)]

    def result(self, tallies: Tallies, **more: Any) -> ErrorRates:
        keys = count_keys(self.differences, self.shares)
        sums = tallies.sums.get((KEY, HANDS), np.zeros(len(keys) * len(COUNTS), np.int64))
        counts = {key: as_dict(COUNTS, row) for key, row in zip(keys, sums.reshape(len(keys), len(COUNTS)), strict=True)}
        judged = tallies.ranges.get((KEY, HANDS), [])
        return ErrorRates(
            self.a, self.b, self.rules, self.seed, self.until, self.deals, sum(n for _, n in judged), tuple(self.differences),
            tuple(self.shares), self.control, counts, **more,
        )  # fmt: skip


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
    """How often the sequential test and others are wrong; ``settings`` are the fields of `ErrorRatesExperiment`.

    Examples
    --------
    >>> rates = error_rates("threshold(knock=4)", "simple", comparisons=30, deals=30, until={"points": 5.0, "first": 30})
    >>> rates.counts["0"]["first"] + rates.counts["0"]["second"] + rates.counts["0"]["equal"] + rates.counts["0"]["undecided"]
    30
    """
    from ginsim.experiment.reading import checked_settings

    experiment = checked_settings({"kind": "error_rates", "a": str(a), "b": str(b)} | settings)
    result: ErrorRates = experiment.result(execute(experiment.works(), workers, progress))
    return result


class ErrorRatesManifest(Manifest):
    """What an `ErrorRates` is rebuilt from."""

    strategies: list[Name] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=30, le=MOST_DEALS)
    comparisons: int = Field(ge=1)
    differences: list[float]
    differing: list[float] = Field([1.0], min_length=1)
    control: bool
    test: SequentialTest


def error_rates_text(rates: ErrorRates) -> str:
    """The counts as the text of ``tallies.json``."""
    return json.dumps(rates.counts, indent=1) + "\n"


def rebuilt_error_rates(folder: Path, manifest: ErrorRatesManifest, rules: Rules, sums: Any, **more: Any) -> ErrorRates:
    """The error rates that were saved."""
    path = folder / TALLIES
    wanted = set(count_keys(manifest.differences, manifest.differing))
    if set(sums) != wanted or any(set(own) != set(COUNTS) for own in sums.values()):
        raise InputError(f"results: {path}: the counts are not those of the differences {', '.join(sorted(wanted))}")
    for name, own in sums.items():
        if sum(own[part] for part in COUNTS[:4]) != manifest.comparisons or min(own.values()) < 0:
            raise InputError(f"results: {path}: {name}: the decisions do not add up to {manifest.comparisons} comparisons")
    a, b = manifest.strategies
    pairs = manifest.deals, manifest.comparisons, tuple(manifest.differences), tuple(manifest.differing)
    of = manifest.test, *pairs, manifest.control
    return ErrorRates(a, b, str(rules), manifest.seeds, *of, sums, **more)


ERROR_RATES = Kind(
    ErrorRatesExperiment,
    ErrorRates,
    error_rates_text,
    ErrorRatesManifest,
    dict[str, dict[str, int]],
    rebuilt_error_rates,
    merges=False,
)
