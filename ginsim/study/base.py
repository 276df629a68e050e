"""What every kind of study has: the model of its file, what it plays, its result, how that is kept.

A kind is one module of this package. It defines a model (`Experiment`), whose ``works`` are played and whose ``result`` makes a
result of the tallies, and how the sums of a result are written and read again; `register` makes it known. Files, commands and
calls from Python all build the same model (`built`).
"""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    SkipValidation,
    WithJsonSchema,
    field_validator,
    model_validator,
)  # fmt: skip

from ginsim.answers import Answer
from ginsim.deals import HANDS_PER_GAME, MOST_DEALS, MOST_SEED, MOST_WITHOUT_WINNER
from ginsim.errors import InputError, one_line
from ginsim.games import packages
from ginsim.games.base import Game
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.plugin import check_each_once
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.hands import empty_folder
from ginsim.simulation.journal import Journal, Tallies
from ginsim.simulation.play import Work
from ginsim.study.claims import Claim

__all__ = [
    "DEALS_PER_GAME", "ENGINE", "MOST_LISTED", "Experiment", "FieldExperiment", "Kind", "PairExperiment", "Player", "Result",
    "RulesField", "Say", "as_spec",
    "carried_out", "distinct", "kind_of", "kinds", "played", "register",
]  # fmt: skip

ENGINE = 1
"""Version of all that figures depend on, raised by hand where any changes: what was begun or kept before is then old.

``tests/test_engine.py`` plays fixed hands and says when that must be.
"""
PLACES = ("ginsim.study", "ginsim.training")
"""Packages whose modules are looked through for kinds of study."""
Say = Callable[[str], None]
"""Told what a person should know."""
MOST_PARTS = 10_000
MOST_LISTED = 256
"""Strategies, variants or cases of one study."""
DEALS_PER_GAME = 10
"""Deals for each pair of games, unless the number of games is given; a game takes about ten hands."""


class Result(Answer):
    """A result: a plain value that has a sentence that answers (``verdict``) and tables; ``ginsim.report`` shows it."""

    @property
    def hand_count(self) -> int:
        """Hands played."""
        raise NotImplementedError

    @property
    def game(self) -> Game:
        """The game that was played."""
        rules: Any = getattr(self, "rules", None) or getattr(self, "base", None)
        return game_of(rules[0] if isinstance(rules, tuple) else rules)

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games that were played (``ginsim.games.base.GAME_TALLY``), by pairing."""
        return []

    @property
    def plays(self) -> int:
        """How often each deal, or game, is played."""
        return 2

    @property
    def remark(self) -> str:
        """A sentence on games that were stopped unfinished; empty if there were none."""
        games, stopped = (sum(t[name] for t in self.game_sums) for name in ("pairs", "unfinished"))
        games *= self.plays
        if not stopped:
            return ""
        which = f"{stopped:,} of the {games:,} games were" if stopped > 1 else f"One of the {games:,} games was"
        why = f"{MOST_WITHOUT_WINNER} hands in a row without a winner (or {HANDS_PER_GAME:,} in all)"
        return f"{which} stopped unfinished after {why}, with no winner."


class Kind(NamedTuple):
    """A kind of study.

    ``experiment`` is the model of its file and ``result`` the class of what comes out. ``text`` writes the sums of a result,
    ``manifest`` and ``sums`` are the shapes of its two files, and ``build(folder, manifest, sums, **more)`` makes the result of
    them again. ``merges`` says whether sums of other deals may be added to them; ``facts(result)`` is what the manifest says
    beside what all do; with ``against_itself`` a strategy may meet itself. ``join(folders, manifest)`` makes the result of
    several folders, each given with its shares of the deals, where that needs more than their sums. ``version`` is that of its
    sums: ``bring(sums, version)``
    makes sums of this version of what an older one kept.
    """

    experiment: type[Experiment]
    result: type
    text: Callable[[Any], str]
    manifest: type[BaseModel]
    sums: Any
    build: Callable[..., Any]
    facts: Callable[[Any], dict[str, Any]] = lambda result: {}
    merges: bool = True
    against_itself: bool = False
    version: int = 1
    bring: Callable[[Any, int], Any] = lambda sums, version: sums
    join: Callable[..., Any] | None = None


_KINDS: dict[str, Kind] = {}


def register(name: str, **parts: Any) -> Kind:
    """Make a kind of study known under the name that files give it."""
    _KINDS[name] = Kind(**parts)
    return _KINDS[name]


def kinds() -> dict[str, Kind]:
    """All kinds of study by name: every module of the packages ``PLACES`` may register some."""
    for place in PLACES:
        for module in pkgutil.iter_modules(importlib.import_module(place).__path__):
            importlib.import_module(f"{place}.{module.name}")
    return dict(sorted(_KINDS.items()))


def kind_of(result: Any) -> str:
    """Name of the kind of a result."""
    return next(name for name, kind in kinds().items() if type(result) is kind.result)


# --- fields of files -------------------------------------------------------------------------------------------------------


def as_spec(read: Callable[[Any], Any]) -> tuple[Any, ...]:
    """A field that is given as a spec (or as what it means), is a value in the model, and is written as a spec."""
    skip: Any = SkipValidation
    return skip(), BeforeValidator(read), PlainSerializer(str, return_type=str), WithJsonSchema({"type": "string"})


Player = Annotated[Strategy, *as_spec(Strategy.parse)]
RulesField = Annotated[RulesModel, *as_spec(rules_of)]


def distinct(field: str, players: Sequence[Strategy], why: str = "") -> list[Strategy]:
    """Players of whom none is there twice."""
    check_each_once(field, players, why)
    return list(players)


class Experiment(BaseModel):
    """What every experiment file may say."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, arbitrary_types_allowed=True)

    RECORDS: ClassVar[str] = ""
    """The folder of the records of hands that its result is made of; empty if that is made of the tallies alone."""
    NEEDS: ClassVar[str] = ""
    """What the game must have besides (``Game.extras``)."""
    WITHOUT: ClassVar[str] = ""
    """What is said of a game that does not."""
    BECOMES: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Keys with values that make it another kind of study, and which."""
    WORDS: ClassVar[frozenset[str]] = frozenset({"title", "question", "claim"})
    """Keys that no figure depends on."""
    EXTENDS: ClassVar[frozenset[str]] = frozenset()
    """In what a study may differ from the finished one in its folder and goes on from it; `prepare` says what else may not."""

    kind: str = Field(description="which kind of study")
    title: str = Field("", description="heading of the report")
    question: str = Field("", description="what the study should answer, in a sentence")
    rules: RulesField = Field("classic25", description="rules spec", validate_default=True)
    deals: int = Field(20_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands for each pairing")
    games: int | None = Field(None, ge=0, le=MOST_DEALS, description="duplicate pairs of games for each pairing")
    seed: int = Field(0, ge=0, le=MOST_SEED, description="the same seed gives the same result")
    claim: Claim | None = Field(None, description="a claim that the study decides: its text, its meaning and its cases")
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

    @field_validator("deals", "games", "seed", mode="before")
    @classmethod
    def _numpy_integers_are_integers(cls, value: Any) -> Any:
        return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value

    @field_validator("part")
    @classmethod
    def _part(cls, value: str) -> str:
        found = re.fullmatch(r"([1-9][0-9]{0,4})/([1-9][0-9]{0,4})", value)
        if not found or not int(found[1]) <= int(found[2]) <= MOST_PARTS:
            raise InputError(f"{value!r} is not allowed; write 2/5 for the second of five parts (at most {MOST_PARTS})")
        return value

    @model_validator(mode="after")
    def _together(self) -> Self:
        """The part must be one of deals that there are; all must play the game of the rules and have names that can be shown."""
        if int(self.part.partition("/")[2]) > self.deals:
            raise InputError(f"part: {self.part!r} is not allowed: {self.deals} deals cannot be cut into that many parts")
        if self.NEEDS:
            self.game.has(self.NEEDS, self.rules, self.WITHOUT)
        for player in self.field():
            try:
                Strategy.parse(player, self.game.name)
            except InputError as error:
                raise InputError(f"{self._key_of(player)}: {str(error).removeprefix('strategy: ')}") from None
            one_line(str(player))
        return self

    def _key_of(self, player: Strategy) -> str:
        """The key that a player is given by."""
        given = {name: getattr(self, name) for name in type(self).model_fields}
        several = {name: own if isinstance(own, list) else [own] for name, own in given.items()}
        return next((name for name, own in several.items() if any(one is player for one in own)), "strategy")

    @property
    def game(self) -> Game:
        """What is played."""
        return game_of(self.rules)

    @property
    def unit(self) -> str:
        """What its works count, in words."""
        return "duplicate pairs"

    @property
    def extent(self) -> str:
        """What the study is and how much is to be played, in words."""
        return f"kind {self.kind}, {self.amount}"

    @property
    def amount(self) -> str:
        """How much is to be played, in words."""
        return f"{sum(work.count for work in self.own_works()):,} {self.unit}"

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

    def prepare(self, folder: Path, workers: int | None, progress: Progress | None, report: Say | None) -> None:
        """Make what is to be played, where that takes long, in the folder of the study; what is there already is used again."""

    def told_of(self, records: Path) -> dict[str, Any]:
        """What the manifest says of the records that the result was made of."""
        return {}

    def forget(self, folder: Path) -> None:
        """Remove what `prepare` has made, so that it starts over."""

    def works(self) -> list[Work]:
        """Everything that the whole study plays; before `prepare`, that many of somebody else."""
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
        facts = self.model_dump(exclude=set(self.WORDS)) | {
            "strategies": [str(s) for s in self.field()],
            "files": [s.sources for s in self.field()],
            "packages": packages.installed() + sorted(packages.made_of().items()),
            "engine": [ENGINE, _KINDS[self.kind].version],
        }
        if changed := [s.changed for s in self.field() if s.changed]:
            facts["decisions"] = changed
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


class FieldExperiment(Experiment):
    """What studies of a field of ``strategies`` have in common."""

    strategies: list[Player] = Field(min_length=2, max_length=MOST_LISTED, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("strategies", value, "; each may enter only once")

    def field(self) -> Sequence[Strategy]:
        return self.strategies


class PairExperiment(Experiment):
    """What studies of two strategies have in common."""

    a: Player = Field(description="spec of the first strategy")
    b: Player = Field(description="spec of the second strategy")

    def field(self) -> Sequence[Strategy]:
        return [self.a, self.b]


# --- carrying out --------------------------------------------------------------------------------------------------------


def played(
    experiment: Experiment,
    workers: int | None = None,
    progress: Progress | None = None,
    journal: Journal | None = None,
    hands: Path | None = None,
) -> Tallies:
    """Play all works of an experiment, and whatever it wants played next in the light of them.

    Parameters
    ----------
    experiment : Experiment
    workers, progress, journal, hands
        As in `ginsim.simulation.execute.execute`.
    """
    digest = experiment.digest()
    tallies = execute(experiment.own_works(), workers, progress, journal, hands)
    while _still(experiment, digest) and (works := experiment.next_works(tallies)):
        tallies = execute(works, workers, progress, journal, hands, tallies)
    return tallies


def _still(experiment: Experiment, digest: str) -> bool:
    """Refuse to go on with strategies, or to end, if their files are not those the study began with."""
    if experiment.digest() != digest or not all(strategy.unchanged for strategy in experiment.field()):
        raise InputError("a strategy file was changed while the study was running: the pairs played so far used the old one")
    return True


def carried_out(
    experiment: Experiment, workers: int | None = None, progress: Progress | None = None, keep_hands: str | Path | None = None
) -> Any:
    """The result of an experiment, of which nothing is kept but the hands.

    Parameters
    ----------
    experiment : Experiment
    workers, progress
        As in `ginsim.simulation.execute.execute`.
    keep_hands : path, optional
        A folder for the record of every hand, in which none lie yet.
    """
    if experiment.RECORDS:
        with TemporaryDirectory() as folder:
            records = Path(folder) / experiment.RECORDS
            records.mkdir()
            return experiment.result(played(experiment, workers, progress, hands=records), records=records, workers=workers)
    hands = None if keep_hands is None else empty_folder("keep_hands", keep_hands)
    more = {"hands_folder": hands} if experiment.keeps_hands else {}
    return experiment.result(played(experiment, workers, progress, hands=hands), **more)
