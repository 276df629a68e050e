"""Two strategies as an experiment file, and the sums of their comparison on disk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from ginsim.errors import InputError
from ginsim.experiment.base import Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Sums, check_pairings, hands_folder, kept_pairing, pairings_text
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.inference.sequential import Sequential, SequentialTest, next_works
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.compare import Comparison, check_control, comparison_of, decided_of, works_of

__all__ = ["COMPARE", "CompareExperiment"]


class CompareExperiment(Experiment):
    """``a`` against ``b``."""

    kind: Literal["compare"] = "compare"
    a: StrategySpec = Field(description="spec of the first strategy")
    b: StrategySpec = Field(description="spec of the second strategy")
    until: SequentialTest | None = Field(
        None, description="stop when this test has decided, {points = 0.25, alpha = 0.05, beta = 0.05}; at most after all deals"
    )
    control: bool = Field(False, description="take the luck of the draw out of the points per hand")

    @model_validator(mode="after")
    def _until_and_control(self) -> Self:
        check_control(self.control, Rules.parse(self.rules))
        if self.until and self.part != "1/1":
            raise InputError(f"part: {self.part!r} is not allowed with until; what is played depends on what was played before")
        return self

    @property
    def keeps_hands(self) -> bool:
        return True

    @property
    def game_pairs(self) -> int:
        return 0 if self.until and self.games is None else super().game_pairs

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(self.a), Strategy.parse(self.b)]

    def works(self) -> list[Work]:
        a, b = self.field()
        works = works_of(a, b, Rules.parse(self.rules), self.deals, self.game_pairs, self.seed, control=self.control)
        return self.next_works(Tallies()) + works[1:] if self.until else works

    def next_works(self, tallies: Tallies) -> list[Work]:
        if self.until is None:
            return []
        a, b = self.field()
        return next_works(self.until, a, b, Rules.parse(self.rules), self.deals, self.seed, tallies, self.control)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        a, b = self.field()
        of = tallies, a, b, Rules.parse(self.rules), self.seed
        return decided_of(self.until, self.deals, *of, **more) if self.until else comparison_of(*of, **more)


def comparison_text(comparison: Comparison) -> str:
    """The sums of a comparison as the text of ``tallies.json``."""
    return pairings_text({(0, 1): comparison})


def rebuilt_comparison(folder: Path, manifest: Manifest, rules: Rules, sums: Sums, **more: Any) -> Comparison:
    """The comparison that was saved."""
    check_pairings(folder / TALLIES, sums, 2)
    more["sequential"] = Sequential.of(manifest.until.model_dump()) if manifest.until else None
    return kept_pairing(manifest, rules, sums, 0, 1, hands_folder=hands_folder(folder, manifest), **more)


COMPARE = Kind(CompareExperiment, Comparison, comparison_text, Manifest, Sums, rebuilt_comparison)
