"""Experiment files: a small TOML file that names a study, and carrying it out into a result folder.

To add a kind of study, write a model with ``works`` and ``result`` and add it to ``KINDS``.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, field_validator, model_validator

from ginsim.errors import InputError, shown, suggest
from ginsim.rules import Rules
from ginsim.strategies.spec import Strategy
from ginsim.study.compare import DEALS_PER_GAME, MOST_DEALS, MOST_SEED, Comparison, comparison_of, works_of
from ginsim.study.effect import Effect, check_players, check_variants, effect_of, effect_works
from ginsim.study.execute import Progress, execute
from ginsim.study.hands import clear_parts
from ginsim.study.journal import Journal, Tallies
from ginsim.study.play import Work
from ginsim.study.rulemap import RuleMap, check_axis, map_of, map_works
from ginsim.study.tournament import Tournament, check_field, tournament_of, tournament_works

JOURNAL = "journal.jsonl"
Result = Comparison | Tournament | Effect | RuleMap


class Experiment(BaseModel):
    """What every experiment file may say."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    kind: str = Field(description="which kind of study")
    title: str = Field("", description="heading of the report")
    question: str = Field("", description="what the study is to answer, in a sentence")
    rules: str = Field("classic25", description="rules spec")
    deals: int = Field(20_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands for each pairing")
    games: int | None = Field(None, ge=0, le=MOST_DEALS, description="duplicate pairs of games for each pairing")
    seed: int = Field(0, ge=0, le=MOST_SEED)
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

    @field_validator("rules")
    @classmethod
    def _rules(cls, value: str) -> str:
        return str(Rules.parse(value))

    @property
    def game_pairs(self) -> int:
        """Pairs of games for each pairing."""
        return self.deals // DEALS_PER_GAME if self.games is None else self.games

    def works(self) -> list[Work]:
        """Everything that is to be played."""
        raise NotImplementedError

    def result(self, tallies: Tallies, **more: Any) -> Result:
        """The result that the tallies amount to."""
        raise NotImplementedError

    def field(self) -> Sequence[Strategy]:
        """The strategies that take part."""
        raise NotImplementedError

    def digest(self) -> str:
        """Changes when anything changes that the figures depend on: rules, strategies (and their files), deals, seed."""
        from ginsim.jit import source_digest

        facts = self.model_dump(exclude={"title", "question"}) | {
            "strategies": [str(s) for s in self.field()],
            "files": [file_digest(s.name) for s in self.field()],
            "engine": source_digest(),
        }
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]


class TournamentExperiment(Experiment):
    """A round robin of ``strategies``."""

    kind: str = "tournament"
    strategies: list[str] = Field(min_length=2, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_field(value)]

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        return tournament_works(self.field(), Rules.parse(self.rules), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Tournament:
        return tournament_of(tallies, self.field(), Rules.parse(self.rules), self.seed, **more)


class CompareExperiment(Experiment):
    """``a`` against ``b``."""

    kind: str = "compare"
    a: str = Field(description="spec of the first strategy")
    b: str = Field(description="spec of the second strategy")

    @field_validator("a", "b")
    @classmethod
    def _strategy(cls, value: str) -> str:
        return str(Strategy.parse(value))

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(self.a), Strategy.parse(self.b)]

    def works(self) -> list[Work]:
        a, b = self.field()
        return works_of(a, b, Rules.parse(self.rules), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Comparison:
        a, b = self.field()
        return comparison_of(tallies, a, b, Rules.parse(self.rules), self.seed, **more)


class EffectExperiment(Experiment):
    """What each of ``variants`` changes against ``rules``; a variant may be written ``(field=value)``."""

    kind: str = "effect"
    variants: list[str] = Field(min_length=1, description="rules, or changes of the base such as (knock_limit=5)")
    strategies: list[str] = Field(min_length=1, description="specs of the strategies that play")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_players(value)]

    @model_validator(mode="after")
    def _variants(self) -> Self:
        self._rules_of_variants()
        return self

    def _rules_of_variants(self) -> list[Rules]:
        return check_variants(Rules.parse(self.rules), self.variants)

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_works(base, variants, self.field(), self.deals, self.game_pairs, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Effect:
        more.pop("hands_folder", None)
        base, variants = Rules.parse(self.rules), self._rules_of_variants()
        return effect_of(tallies, base, variants, self.field(), self.deals, self.game_pairs, self.seed, **more)


class Axis(BaseModel):
    """A rule field and the values it takes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    field: str
    values: list[int]


class MapExperiment(Experiment):
    """The best of ``strategies`` over a plane of two rule fields."""

    kind: str = "map"
    x: Axis = Field(description="the field across: {field = ..., values = [...]}")
    y: Axis = Field(description="the field down: {field = ..., values = [...]}")
    strategies: list[str] = Field(min_length=2, description="specs of the field")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_field(value)]

    @model_validator(mode="after")
    def _axes(self) -> Self:
        self._parts()
        return self

    def _parts(self) -> tuple[Any, ...]:
        base = Rules.parse(self.rules)
        axes = [check_axis(base, name, axis.field, axis.values) for name, axis in (("x", self.x), ("y", self.y))]
        if self.x.field == self.y.field:
            raise InputError(f"y: {self.y.field!r} is already on the other axis")
        return base, *axes, self.field(), self.deals, self.seed

    def field(self) -> Sequence[Strategy]:
        return [Strategy.parse(text) for text in self.strategies]

    def works(self) -> list[Work]:
        return map_works(*self._parts())

    def result(self, tallies: Tallies, **more: Any) -> RuleMap:
        more.pop("hands_folder", None)
        return map_of(tallies, *self._parts(), **more)


KINDS: dict[str, type[Experiment]] = {
    "tournament": TournamentExperiment,
    "compare": CompareExperiment,
    "effect": EffectExperiment,
    "map": MapExperiment,
}


def file_digest(name: str) -> str:
    """SHA-256 of the file of the user's strategy ``path/to/file.py:name`` ('' for others, or if there is no such file)."""
    path = Path(name.rpartition(":")[0]).expanduser()
    return hashlib.sha256(path.read_bytes()).hexdigest() if name.rpartition(":")[0] and path.is_file() else ""


def load_experiment(path: str | Path, **changes: Any) -> Experiment:
    """Read and check an experiment file.

    Parameters
    ----------
    path : path
    **changes
        Fields to change, such as ``deals`` or ``seed``; None leaves a field as it is.

    Raises
    ------
    InputError
        Naming the file, each wrong key, its value and what is allowed.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise InputError(f"experiment: there is no file {path}") from None
    except RecursionError:
        raise InputError(f"experiment {path}: too deeply nested") from None
    except (OSError, ValueError) as error:
        raise InputError(f"experiment {path}: {error}") from None
    given = {key: value for key, value in changes.items() if value is not None}
    data |= given
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        wrong = f"kind={kind!r} is not known" if "kind" in data else "the key 'kind' is missing"
        raise InputError(f"experiment {path}: {wrong}; kinds are {', '.join(KINDS)}")
    model = KINDS[kind]
    try:
        experiment = model.model_validate(data)
    except ValidationError as error:
        raise InputError("\n".join(f"experiment {path}: {line}" for line in _complaints(error, model))) from None
    experiment._source, experiment._changed = text, tuple(f"{key}={value}" for key, value in given.items())
    return experiment


def _article(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def _complaints(error: ValidationError, model: type[Experiment]) -> list[str]:
    """Each mistake in one line that names the key and the value."""
    lines = []
    for problem in error.errors():
        key = ".".join(str(part) for part in problem["loc"])
        if problem["type"] == "extra_forbidden":
            kind = _article(model.model_fields["kind"].default)
            lines.append(f"there is no key {key!r} in {kind} experiment; {suggest(key, model.model_fields)}")
        elif problem["type"] == "missing":
            lines.append(f"the key {key!r} is missing ({model.model_fields[key].description})")
        elif problem["type"] == "value_error":
            text = str(problem["ctx"]["error"])  # may name the key itself, or be about several
            lines.append(f"{key}: {text}" if key and not text.startswith(f"{key}: ") else text)
        elif problem["type"] == "too_short":
            lines.append(f"{key}: needs at least {problem['ctx']['min_length']}; {problem['ctx']['actual_length']} given")
        else:
            lines.append(f"{key}={shown(problem['input'])} is not allowed: {problem['msg'][0].lower()}{problem['msg'][1:]}")
    return lines


def run_experiment(
    experiment: Experiment,
    folder: str | Path,
    workers: int | None = None,
    progress: Progress | None = None,
    keep_hands: bool = False,
    fresh: bool = False,
    command: str = "",
    report: Callable[[str], None] | None = None,
) -> Result:
    """Carry out an experiment into ``folder``: play what is missing, then write tables, plots, report and manifest.

    What was finished before an interruption lies in the journal there and is not played again, unless ``fresh``.

    Raises
    ------
    Interrupted
        On Ctrl-C; calling it again goes on from there.
    """
    if keep_hands and not isinstance(experiment, CompareExperiment | TournamentExperiment):
        kind = _article(experiment.kind)
        raise InputError(f"hands: the hands of {kind} are not kept, they are under many rules; leave --hands out")
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"out: {folder} cannot be used as a folder ({error.strerror})") from None
    journal = Journal(folder / JOURNAL, experiment.digest() + ("+hands" if keep_hands else ""))
    if fresh:
        journal.close()
    works = experiment.works()
    _warn_of_other_result(folder, experiment, report)
    hands = folder / "hands" if keep_hands else None
    before = journal.load(hands).pairs(works)
    if journal.left_out and report:
        report(
            f"{journal.left_out:,} pairs in {journal.path} are of another study (another file, strategy, setting or "
            "version); they are kept there and not counted here"
        )
    if before and report:
        report(f"going on with {before:,} pairs already played (start over with --fresh)")
    if not before and hands:
        clear_parts(hands)
    tallies = execute(works, workers, progress, journal, hands)
    result = experiment.result(tallies, wall_seconds=tallies.seconds, hands_folder=hands)
    save(result, folder, experiment, command)
    journal.close()
    return result


def _warn_of_other_result(folder: Path, experiment: Experiment, report: Callable[[str], None] | None) -> None:
    """Say so if the folder holds the result of another question, which will be replaced."""
    try:
        old = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return
    own = {"kind": experiment.kind, "deals": experiment.deals, "seed": experiment.seed}
    same = isinstance(old, dict) and all(old.get(key, value) == value for key, value in own.items())
    if report and not same:
        report(f"{folder} holds another result (other deals, seed or kind), which will be replaced")


def save(result: Result, folder: Path, experiment: Experiment, command: str) -> None:
    """Write the result folder."""
    from ginsim.report import folder as report

    more: dict[str, Any] = {
        "title": experiment.title,
        "question": experiment.question,
        "command": command,
        "experiment": experiment.source,
        "changed": ", ".join(experiment.changed),
        "study": experiment.digest(),
    }
    if isinstance(result, Tournament):
        report.save_tournament(result, folder, **more)
    elif isinstance(result, Effect):
        report.save_effect(result, folder, **more)
    elif isinstance(result, RuleMap):
        report.save_rule_map(result, folder, **more)
    else:
        report.save_comparison(result, folder, **more)
