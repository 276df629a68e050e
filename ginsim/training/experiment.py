"""What experiments that train players have in common."""

from __future__ import annotations

import hashlib
import re
import shutil
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import Field, field_validator, model_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError
from ginsim.experiment.alone import alone, made_folder
from ginsim.files import expanded, no_link, path_of
from ginsim.games.rules import RulesModel
from ginsim.simulation.execute import Progress
from ginsim.study.base import Experiment, Player, played
from ginsim.training.course import AGAINST_APART, MOST_ITERATIONS, MOST_SECONDS, steps_text
from ginsim.training.data import ROOM

__all__ = ["TrainingExperiment", "carried_out_in", "folder_of"]


class TrainingExperiment(Experiment):
    """Players are trained in a folder of the study; then they are judged as any others are."""

    NEEDS, WITHOUT = "training", "for which no player can be trained"
    EXTENDS = frozenset(("settings",))
    PLACE: ClassVar[str]
    """The folder, within that of the study, in which players are trained."""

    deals: int = Field(2_000, ge=100, le=MOST_DEALS, description="duplicate pairs of hands by which the outcome is judged")
    games: int = Field(2_500, ge=100, le=1_000_000, description="duplicate pairs of games by which the outcome is judged")
    start: Player = Field("champion", description="who plays in the first iteration", validate_default=True)
    rows: int = Field(1_600_000, ge=2 * ROOM, le=AGAINST_APART * ROOM, description="choices played out in each iteration")
    minutes: float = Field(10.0, gt=0, le=MOST_SECONDS / 60, description="how long to train each player")
    iterations: int | None = Field(None, ge=1, le=MOST_ITERATIONS, description="stop after this many iterations, if sooner")

    @field_validator("part")
    @classmethod
    def _whole(cls, value: str) -> str:
        if value != "1/1":
            raise InputError(f"{value!r} is not allowed: a training cannot be cut into parts")
        return value

    @model_validator(mode="after")
    def _one_score(self) -> Self:
        for number, rules in enumerate(self.every_rules):
            if getattr(rules, "hollywood", False):
                why = "no player can be trained for Hollywood, whose games are not won by one score"
                raise InputError(f"{'variants' if number else 'rules'}: {why}")
        return self

    @property
    def every_rules(self) -> list[RulesModel]:
        """All rules under which players are trained."""
        return [self.rules]

    @property
    def amount(self) -> str:
        limit = "" if self.iterations is None else f" or {steps_text(self.iterations)}"
        return f"{self.minutes:g} minutes{limit} of training for each player, {super().amount}"

    def forget(self, folder: Path) -> None:
        place = folder / self.PLACE
        no_link(place)
        shutil.rmtree(place, ignore_errors=True)

    def settings(self) -> dict[str, Any]:
        """What every training of the study is given."""
        return {"minutes": self.minutes, "iterations": self.iterations, "start": self.start, "rows": self.rows, "seed": self.seed}


def carried_out_in(
    experiment: TrainingExperiment, folder: str | Path, workers: int | None, progress: Progress | None, report: Any
) -> Any:
    """The result of an experiment whose players are trained in a folder."""
    with alone(made_folder("folder", expanded(path_of("folder", folder)))) as own:
        experiment.prepare(own, workers, progress, report)
        return experiment.result(played(experiment, workers, progress))


def folder_of(*of: object) -> str:
    """Name of the folder of a player that is trained: the same whatever others there are."""
    words = "_".join(map(str, of))
    return f"{re.sub(r'[^a-z0-9]+', '_', words.lower())[:60].strip('_')}_{hashlib.sha256(words.encode()).hexdigest()[:8]}"
