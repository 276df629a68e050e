"""The opponent model against what was held, as an experiment file, and its sums on disk."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, field_validator

from ginsim.errors import InputError, listed
from ginsim.experiment.base import MOST_LISTED, Experiment, StrategySpec
from ginsim.experiment.kind import Kind
from ginsim.experiment.saved import TALLIES, Manifest, Name, same_names
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.sightings import model_of
from ginsim.games.strategy import Strategy
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import HANDS, Work
from ginsim.study.calibration import (
    BIN_SUMS,
    BINS,
    CLASSES,
    GROUPS,
    SCORE_SUMS,
    Calibration,
    CalibrationSums,
    CalibrationWork,
    named_sums,
)
from ginsim.study.compare import MOST_DEALS
from ginsim.study.grid import check_named

__all__ = ["CALIBRATION", "CalibrationExperiment", "calibrate"]


class CalibrationExperiment(Experiment):
    """How well ``watcher`` can tell the cards of ``opponents``."""

    kind: Literal["calibration"] = "calibration"
    deals: int = Field(2_000, ge=2, le=MOST_DEALS, description="duplicate pairs of hands against each opponent")
    watcher: StrategySpec = Field(description="spec of the strategy whose view is taken")
    opponents: list[StrategySpec] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of the strategies whose cards are guessed"
    )

    @field_validator("opponents")
    @classmethod
    def _different(cls, value: list[str]) -> list[str]:
        return [str(opponent) for opponent in check_named("opponents", value)]

    @property
    def game_pairs(self) -> int:
        return 0

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(name) for name in (self.watcher, *self.opponents)]

    def works(self) -> list[Work]:
        watcher, *opponents = self.field()
        of = Rules.parse(self.rules), self.seed, HANDS, 0, self.deals
        return [CalibrationWork(watcher, o, *of, str(i), False, *model_of(watcher)) for i, o in enumerate(opponents)]

    def result(self, tallies: Tallies, **more: Any) -> Calibration:
        watcher, *opponents = self.field()
        none = np.zeros(BINS * len(BIN_SUMS) + len(GROUPS) * len(SCORE_SUMS), np.int64)
        sums = {str(o): named_sums(tallies.sums.get((str(i), HANDS), none)) for i, o in enumerate(opponents)}
        deals = sum(count for _, count in tallies.ranges.get(("0", HANDS), []))
        of = self.watcher, tuple(sums), self.rules, self.seed, deals, *model_of(watcher)
        return Calibration(*of, sums, **more)


def calibrate(
    watcher: str | Strategy,
    opponents: str | Strategy | Sequence[str | Strategy],
    rules: str | Rules = "eaai",
    deals: int = 2_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Calibration:
    """Compare the chances that an opponent holds each unseen card with what was held.

    Parameters
    ----------
    watcher : spec of the strategy whose view is taken at each of its discards
    opponents : spec of the strategy, or specs of those, whose cards are guessed
    rules : spec
    deals : int
        Duplicate pairs of hands against each opponent, the same decks for all.

    Examples
    --------
    >>> result = calibrate("champion", "simple", deals=5)
    >>> int(result.table()["cards"].sum()) == result.cards("simple")
    True
    """
    from ginsim.experiment.reading import checked_settings

    several = [opponents] if isinstance(opponents, str | Strategy) else listed("opponents", opponents, "strategies")
    of = {"watcher": str(watcher), "opponents": [str(o) for o in several], "rules": str(rules), "deals": deals, "seed": seed}
    experiment = checked_settings({"kind": "calibration"} | of)
    result: Calibration = experiment.result(execute(experiment.works(), workers, progress))
    return result


class CalibrationManifest(Manifest):
    """What a `Calibration` is rebuilt from."""

    strategies: list[Name] = Field(min_length=2)
    deals: int = Field(ge=1, le=MOST_DEALS)
    kept_dear: float
    reads: float


def calibration_text(result: Calibration) -> str:
    """The sums as the text of ``tallies.json``, a line for each class and group."""

    def lines(own: dict[str, dict[str, int]]) -> str:
        return ",\n".join(f"  {json.dumps(name)}: {json.dumps(sums)}" for name, sums in own.items())

    return "{\n" + ",\n".join(f" {json.dumps(o)}: {{\n{lines(own)}\n }}" for o, own in result.sums.items()) + "\n}\n"


def rebuilt_calibration(folder: Path, manifest: CalibrationManifest, rules: Rules, sums: Any, **more: Any) -> Calibration:
    """The calibration that was saved."""
    path = folder / TALLIES
    watcher, *opponents = manifest.strategies
    same_names(path, "opponent", set(sums), set(opponents))
    for opponent, own in sums.items():
        same_names(path, f"{opponent}: class or group", set(own), {*CLASSES, *GROUPS})
        for name, named in own.items():
            same_names(path, f"{opponent}: {name}: sum", set(named), set(BIN_SUMS if name in CLASSES else SCORE_SUMS))
            if min(named.values()) < 0:
                raise InputError(f"results: {path}: {opponent}: {name}: a sum below 0 is impossible")
        if sum(own[name]["cards"] for name in CLASSES) != own["all"]["cards"]:
            raise InputError(f"results: {path}: {opponent}: the cards of the classes are not those of all turns")
    model = manifest.kept_dear, manifest.reads
    return Calibration(watcher, tuple(opponents), str(rules), manifest.seeds, manifest.deals, *model, sums, **more)


CALIBRATION = Kind(
    CalibrationExperiment, Calibration, calibration_text, CalibrationManifest, CalibrationSums, rebuilt_calibration
)
