"""What all experiment files have in common; each of `ginsim.experiment.kinds` adds ``works``, ``result`` and ``field``."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from ginsim.errors import InputError, one_line
from ginsim.games import packages
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.claims import Claim
from ginsim.study.compare import DEALS_PER_GAME, MOST_DEALS, MOST_SEED
from ginsim.study.tournament import check_field

MOST_PARTS = 10_000
MOST_LISTED = 256
"""Strategies, variants or cases of one study."""
StrategySpec = Annotated[str, AfterValidator(lambda text: one_line(str(Strategy.parse(text))))]
RulesSpec = Annotated[str, AfterValidator(lambda text: str(Rules.parse(text)))]


class Experiment(BaseModel):
    """What every experiment file may say."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    kind: str = Field(description="which kind of study")
    title: str = Field("", description="heading of the report")
    question: str = Field("", description="what the study is to answer, in a sentence")
    rules: RulesSpec = Field("classic25", description="rules spec")
    deals: int = Field(20_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands for each pairing")
    games: int | None = Field(None, ge=0, le=MOST_DEALS, description="duplicate pairs of games for each pairing")
    seed: int = Field(0, ge=0, le=MOST_SEED, description="the same seed gives the same result")
    claim: Claim | None = Field(None, description="a saying that the study decides: its text and meaning, and the cases")
    part: str = Field("1/1", description="which part of the deals is played: '2/5' is the second fifth; parts can be merged")
    _source: str = PrivateAttr("")
    _changed: tuple[str, ...] = PrivateAttr(())

    @property
    def source(self) -> str:
        """Text of the file it was loaded from; empty if there was none."""
        return self._source

    @property
    def changed(self) -> tuple[str, ...]:
        """The fields that were given beside the file and take precedence over it."""
        return self._changed

    @field_validator("part")
    @classmethod
    def _part(cls, value: str) -> str:
        found = re.fullmatch(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", value)
        if not found or not int(found[1]) <= int(found[2]) <= MOST_PARTS:
            raise InputError(f"{value!r} is not allowed; write 2/5 for the second of five parts (at most {MOST_PARTS})")
        return value

    @model_validator(mode="after")
    def _part_of_deals(self) -> Self:
        if int(self.part.partition("/")[2]) > self.deals:
            raise InputError(f"part: {self.part!r} is not allowed: {self.deals} deals cannot be cut into so many parts")
        return self

    @property
    def unit(self) -> str:
        """What its works count, in words."""
        return "duplicate pairs"

    @property
    def game_pairs(self) -> int:
        """Pairs of games for each pairing."""
        return self.deals // DEALS_PER_GAME if self.games is None else self.games

    def share(self, count: int) -> tuple[int, int]:
        """Where this part of ``count`` pairs begins, and how many pairs it has."""
        part, parts = map(int, self.part.split("/"))
        first = count * (part - 1) // parts
        return first, count * part // parts - first

    @property
    def own_deals(self) -> int:
        """Pairs of hands for each pairing in this part."""
        return self.share(self.deals)[1]

    @property
    def own_games(self) -> int:
        """Pairs of games for each pairing in this part."""
        return self.share(self.game_pairs)[1]

    def works(self) -> list[Work]:
        """Everything that the whole study plays."""
        raise NotImplementedError

    def own_works(self) -> list[Work]:
        """What this part of the study plays."""
        shares = [(work, *self.share(work.count)) for work in self.works()]
        return [work.part(work.first + first, count) for work, first, count in shares if count]

    def next_works(self, tallies: Tallies) -> list[Work]:
        """What is to be played after all that was: nothing, unless the study decides as it goes."""
        return []

    def result(self, tallies: Tallies, **more: Any) -> Any:
        """The result that the tallies amount to."""
        raise NotImplementedError

    def field(self) -> Sequence[Strategy]:
        """The strategies that take part."""
        raise NotImplementedError

    @property
    def keeps_hands(self) -> bool:
        """Whether the record of every hand can be kept."""
        return False

    def digest(self) -> str:
        """Changes when anything changes that the figures depend on: rules, strategies (and their files), deals, seed."""
        from ginsim.jit import source_digest

        facts = self.model_dump(exclude={"title", "question", "claim"}) | {
            "strategies": [str(s) for s in self.field()],
            "files": [s.sources for s in self.field()],
            "packages": packages.installed() + sorted(packages.made_of().items()),
            "engine": source_digest(),
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


class FieldExperiment(Experiment):
    """What studies of a field of ``strategies`` have in common."""

    strategies: list[StrategySpec] = Field(min_length=2, max_length=MOST_LISTED, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_field(value)]

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]
