"""Experiments: what a study file may say, one model a kind. `ginsim.study.kinds` lists them all.

To add a kind, write a model with ``works``, ``result`` and ``field`` and register it there.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, field_validator, model_validator

from ginsim.errors import InputError
from ginsim.rules import Rules
from ginsim.strategies import packages
from ginsim.strategies.spec import Strategy
from ginsim.study.claims import Claim
from ginsim.study.compare import DEALS_PER_GAME, MOST_DEALS, MOST_SEED, check_control, comparison_of, decided_of, works_of
from ginsim.study.effect import check_players, check_variants, effect_of, effect_works
from ginsim.study.journal import Tallies
from ginsim.study.play import Work
from ginsim.study.rulemap import check_axis, map_of, map_works
from ginsim.study.sequential import SequentialTest, next_works
from ginsim.study.tournament import check_field, tournament_of, tournament_works

MOST_PARTS = 10_000
StrategySpec = Annotated[str, AfterValidator(lambda text: str(Strategy.parse(text)))]
RulesSpec = Annotated[str, AfterValidator(lambda text: str(Rules.parse(text)))]


class Experiment(BaseModel):
    """What every experiment file may say."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

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
            "files": [file_digest(s.name) for s in self.field()],
            "packages": packages.installed(),
            "engine": source_digest(),
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


def file_digest(name: str) -> str:
    """SHA-256 of the file of the user's strategy ``path/to/file.py:name`` ('' for others, or if there is no such file)."""
    path = Path(name.rpartition(":")[0]).expanduser()
    return hashlib.sha256(path.read_bytes()).hexdigest() if name.rpartition(":")[0] and path.is_file() else ""


class FieldExperiment(Experiment):
    """What studies of a field of ``strategies`` have in common."""

    strategies: list[StrategySpec] = Field(min_length=2, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_field(value)]

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]


class TournamentExperiment(FieldExperiment):
    """A round robin of ``strategies``."""

    kind: Literal["tournament"] = "tournament"

    @property
    def keeps_hands(self) -> bool:
        return True

    def works(self) -> list[Work]:
        return tournament_works(self.field(), Rules.parse(self.rules), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return tournament_of(tallies, self.field(), Rules.parse(self.rules), self.seed, **more)


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


class EffectExperiment(Experiment):
    """What each of ``variants`` changes against ``rules``; a variant may be written ``(field=value)``."""

    kind: Literal["effect"] = "effect"
    variants: list[str] = Field(min_length=1, description="rules, or changes of the base such as (knock_limit=5)")
    strategies: list[StrategySpec] = Field(min_length=1, description="specs of the strategies that play")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_players(value)]

    @field_validator("variants")
    @classmethod
    def _variants(cls, value: list[str], info: Any) -> list[str]:
        if "rules" in info.data:  # or the base is wrong, which is told anyway
            base, wrong = Rules.parse(info.data["rules"]), []
            for variant in value:
                try:
                    check_variants(base, [variant])
                except InputError as error:
                    wrong.append(str(error))
            if wrong:
                raise InputError("\n".join(wrong))
            check_variants(base, value)
        return value

    def _rules_of_variants(self) -> list[Rules]:
        return check_variants(Rules.parse(self.rules), self.variants)

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_works(base, variants, self.field(), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_of(tallies, base, variants, self.field(), self.own_deals, self.own_games, self.seed, **more)


class Axis(BaseModel):
    """A rule field and the values it takes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    field: str = Field(description="a field of the rules that is a number")
    values: list[int] = Field(description="two or more values in rising order")


class MapExperiment(FieldExperiment):
    """The best of ``strategies`` over a plane of two rule fields."""

    kind: Literal["map"] = "map"
    x: Axis = Field(description="the field across: {field = ..., values = [...]}")
    y: Axis = Field(description="the field down: {field = ..., values = [...]}")

    @field_validator("x", "y")
    @classmethod
    def _axis(cls, value: Axis, info: Any) -> Axis:
        if "rules" in info.data:
            check_axis(Rules.parse(info.data["rules"]), info.field_name, value.field, value.values)
        if info.field_name == "y" and "x" in info.data and info.data["x"].field == value.field:
            raise InputError(f"y: {value.field!r} is already on the other axis")
        return value

    def _axes(self) -> tuple[Any, Any]:
        base = Rules.parse(self.rules)
        x, y = (check_axis(base, name, axis.field, axis.values) for name, axis in (("x", self.x), ("y", self.y)))
        return x, y

    def works(self) -> list[Work]:
        return map_works(Rules.parse(self.rules), *self._axes(), self.field(), self.deals, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Any:
        return map_of(tallies, Rules.parse(self.rules), *self._axes(), self.field(), self.own_deals, self.seed, **more)
