"""What rules change once players adapt fully: a player is trained again under the base rules and under each variant.

All of them begin as the same player and learn as long. Before adapting, the player trained for the base plays itself under a
variant; with its knock adapted, its third net is that of the player trained for the variant; at last that player plays. All play
the same deals, so changes are paired. Experiments of the kind ``effect`` lead here with ``adapt = "play"``.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, field_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError
from ginsim.files import write_whole
from ginsim.games.base import GAMES, HANDS
from ginsim.games.catalog import game_of
from ginsim.games.gin.learned.weights import read_nets, weights_bytes
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import ALPHA, holm, p_value
from ginsim.inference.estimates import Estimate
from ginsim.inference.measures import Measure
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.base import MOST_LISTED, Player, Result, Say, register
from ginsim.study.compare import Comparison, comparison_of, works_of
from ginsim.study.effect import (
    GAME_SUMS,
    Effect,
    EffectWork,
    Variant,
    check_variants,
    kept_rows,
    kept_variants,
    told_variants,
    variants_field,
)
from ginsim.study.kept import TALLIES, Manifest, Name, Sums, check_pair, same_names
from ginsim.study.measures import COMPARED
from ginsim.study.settings import built
from ginsim.training.course import ITSELF, WEIGHTS, Iteration, Trained, apart, train, with_weights
from ginsim.training.experiment import TrainingExperiment, carried_out_in, folder_of
from ginsim.training.habits import CELLS, HabitsWork, check_habits, clearest
from ginsim.training.train import Opponent, check_courses, checked_opponents

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ADAPTED", "BEFORE", "KNOCK", "PLAY", "STAGES", "Retraining", "RetrainingExperiment", "retrain"]

WON = COMPARED["games_won"]
BEFORE, KNOCK, PLAY = "before", "knock", "play"
STAGES = {BEFORE: "before adapting", KNOCK: "knock adapted", PLAY: "play adapted"}
"""What is adapted, and how that is called."""
ADAPTED = (KNOCK, PLAY)
CHANGED, ADAPTING = "changed", "adapting"
"""The two sets of sums of a variant: all stages beside the base, and those that adapt beside the one that does not."""
PLAIN = "simple"
"""Against whom habits are counted."""


@dataclass(frozen=True)
class RetrainedWork(EffectWork):
    """An `EffectWork` with players of its own for each of the variants, which need not differ from each other."""

    adapted: tuple[tuple[Strategy, ...], ...] = ()

    @property
    def cases(self) -> Iterator[tuple[tuple[Strategy, ...], RulesModel]]:
        """Who plays under which rules, the base first."""
        yield self.players, self.rules
        yield from zip(self.adapted, self.variants, strict=True)


@dataclass(frozen=True)
class Retraining(Result):
    """What rules change before players adapt to them, once they adapt their knock, and once they adapt all their play.

    Attributes
    ----------
    base : str
    variants : tuple of str
    start : str
        Who each player was at first.
    against : tuple of str
        Whom they learned to beat; ``itself`` may be one.
    seed : int
    rows : int
        Choices played out in each iteration.
    courses : tuple of tuple of Iteration
        How each training went, that for the base first.
    changed : tuple of Effect
        For each variant the base and, as its variants, the ``STAGES`` of it.
    adapting : tuple of Effect
        For each variant, as base, who has not adapted, and as variants who has: the ``ADAPTED``.
    gains : mapping of (int, str) to Comparison
        By variant, from 1, and stage: who has adapted against who has not.
    habits : mapping of (int, str) to int64[len(CELLS), len(COLUMNS)]
        By variant and stage (before, play): what they do against ``simple``.
    """

    TABLE = "table"

    base: str
    variants: tuple[str, ...]
    start: str
    against: tuple[str, ...]
    seed: int | tuple[int, ...]
    rows: int
    courses: tuple[tuple[Iteration, ...], ...]
    changed: tuple[Effect, ...]
    adapting: tuple[Effect, ...]
    gains: Mapping[tuple[int, str], Comparison]
    habits: Mapping[tuple[int, str], np.ndarray]
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Retraining):
            return NotImplemented
        names = ("base", "variants", "start", "against", "seed", "rows", "courses", "changed", "adapting", "gains")
        return all(getattr(self, name) == getattr(other, name) for name in names) and all(
            np.array_equal(sums, other.habits[at]) for at, sums in self.habits.items()
        )

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.table().to_string(index=False)}"

    @property
    def strategies(self) -> tuple[str, ...]:
        """Who the players were at first, whom they learned to beat, and against whom habits are counted."""
        return tuple(dict.fromkeys((self.start, *(own for own in self.against if own != ITSELF), PLAIN)))

    @property
    def deals(self) -> int:
        """Duplicate pairs of hands of each stage."""
        return self.changed[0].deals

    @property
    def pairs(self) -> int:
        """Duplicate pairs of games of each stage."""
        return self.changed[0].games

    @property
    def hand_count(self) -> int:
        """Hands played once the players were trained."""
        parts: list[Any] = [*self.changed, *self.adapting, *self.gains.values()]
        return int(sum(part.hand_count for part in parts)) + 2 * self.deals * len(self.habits)

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """Pairs of games, and those stopped unfinished, of everything that was played."""
        own = [sums for part in (*self.changed, *self.adapting) for sums in part.game_sums]
        return own + [dict(gain.games_tally) for gain in self.gains.values()]

    @property
    def seconds(self) -> float:
        """Time of all trainings."""
        return sum(step.seconds for course in self.courses for step in course)

    @property
    def foremost(self) -> list[str]:
        """Names of the measures that are shown."""
        return [*self.changed[0].foremost, "hands_per_game"]

    @property
    def measures(self) -> list[str]:
        """Names of what was measured."""
        return self.changed[0].measures

    def measured(self, name: str) -> Measure:
        """What a measure is called, and its unit."""
        return self.changed[0].measured(name)

    def level(self, rule: int, name: str, stage: str = PLAY) -> float:
        """A measure under rule number ``rule``, 0 being the base, in one of the ``STAGES``."""
        return self.changed[rule - 1].level(1 + list(STAGES).index(stage), name) if rule else self.changed[0].level(0, name)

    def change(self, rule: int, name: str, stage: str = PLAY) -> Estimate:
        """Variant ``rule`` less base in one of the ``STAGES``, with the interval of paired differences."""
        return self.changed[rule - 1].difference(1 + list(STAGES).index(stage), name)

    def adapts(self, rule: int, name: str, stage: str = PLAY) -> Estimate:
        """What adapting to variant ``rule`` changes: less the stage before it, with the interval of paired differences."""
        return self.adapting[rule - 1].difference(1 + ADAPTED.index(stage), name)

    def gain(self, rule: int, stage: str = PLAY) -> Estimate:
        """Share of the games under variant ``rule`` that who has adapted wins from who has not."""
        return self.gains[rule, stage].games_won

    def otherwise(self, rule: int) -> str:
        """What a player does otherwise who has adapted to variant ``rule``, in a sentence."""
        return clearest(self.habits[rule, BEFORE], self.habits[rule, PLAY])

    def table(self) -> pd.DataFrame:
        """A row for each variant, measure and stage: the base, the level, the change, and what adapting changes."""
        import pandas as pd

        rows = []
        for rule, variant in enumerate(self.variants, 1):
            for name in self.measures:
                for stage in STAGES:
                    change = self.change(rule, name, stage)
                    own = self.adapts(rule, name, stage) if stage in ADAPTED else Estimate(0.0, 0.0, 0.0, 0.0)
                    figures = (x for e in (change, own) for x in (e.value, e.low, e.high))
                    rows.append((variant, name, stage, self.level(0, name), self.level(rule, name, stage), *figures))
        names = [f"{name}{end}" for name in ("change", "adapting") for end in ("", "_low", "_high")]
        return pd.DataFrame(rows, columns=["variant", "measure", "adapted", "base", "value", *names])

    def gain_table(self) -> pd.DataFrame:
        """A row for each variant and what is adapted: games won and points a hand from who has not."""
        import pandas as pd

        rows = []
        for (rule, stage), gain in self.gains.items():
            figures = (x for e in (gain.games_won, gain.points_per_hand) for x in (e.value, e.low, e.high))
            rows.append((self.variants[rule - 1], stage, *figures))
        names = [f"{name}{end}" for name in ("games_won", "points_per_hand") for end in ("", "_low", "_high")]
        return pd.DataFrame(rows, columns=["variant", "adapted", *names])

    def course(self) -> pd.DataFrame:
        """A row for each rules, iteration and opponent: games won then."""
        import pandas as pd

        rows = [
            (rules, k + 1, step.rows, step.seconds, opponent, *won)
            for rules, course in zip((self.base, *self.variants), self.courses, strict=True)
            for k, step in enumerate(course)
            for opponent, won in step.won.items()
        ]
        return pd.DataFrame(rows, columns=["rules", "iteration", "choices", "seconds", "opponent", "games_won", "low", "high"])

    def verdict(self) -> str:
        """Under which variant adapting pays most, and what the knock has of that."""
        rules = range(1, 1 + len(self.variants))
        shown = [p <= ALPHA for p in holm([p_value(self._over_half(rule)) for rule in rules])]
        clear = [rule for rule in rules if shown[rule - 1] and self.gain(rule).value > 0.5]
        most = max(clear or rules, key=lambda rule: self.gain(rule).value)
        knock = self.gain(most, KNOCK)
        name, several = self.variants[most - 1], len(self.variants) > 1
        others = len(self.variants) - len(clear)
        if several:
            none = f"Adapting does not clearly pay under any of the {len(self.variants)} variants. It comes closest under {name}:"
            head = f"Adapting pays most under {name}:" if clear else none
        else:
            head = f"Adapting {'pays' if clear else 'is not shown to pay'} under {name}:"
        text = (
            f"{head} a player who has adapted wins {WON.text(self.gain(most))} of the games against one who still plays as under "
            f"{self.base}, and one who has adapted only the knock wins {WON.text(knock)}."
        )
        if several and clear and others:
            text += f" Adapting does not clearly pay under {others} of the {len(self.variants)} variants."
        return text

    def _over_half(self, rule: int) -> Estimate:
        e = self.gain(rule)
        return Estimate(e.value - 0.5, e.low - 0.5, e.high - 0.5, e.se)


# --- the study -------------------------------------------------------------------------------------------------------------


class RetrainingExperiment(TrainingExperiment):
    """A player is trained again under ``rules`` and under each of ``variants``, and all that changes is measured."""

    kind: Literal["retraining"] = "retraining"
    PLACE = "players"
    EXTENDS = frozenset(("settings", "strategies"))
    adapt: Literal["play"] = Field("play", description="what is adapted")
    deals: int = Field(10_000, ge=100, le=MOST_DEALS, description="duplicate pairs of hands for each variant and stage")
    variants: list[str] = Field(
        min_length=1, max_length=MOST_LISTED, description="rules, or changes to the base such as (knock_limit=5)"
    )
    strategies: list[Player] = Field(
        ["strong"], min_length=1, max_length=1, validate_default=True, description="who each player is at first"
    )
    against: list[Opponent] = Field(
        [PLAIN, "allround", ITSELF], min_length=1, max_length=MOST_LISTED, validate_default=True,
        description="specs of the opponents they learn to beat; 'itself' is the player as it was before",
    )
    _trained: tuple[Trained, ...] = PrivateAttr(())
    _players: dict[tuple[int, str], Strategy] = PrivateAttr({})
    _weights: str = PrivateAttr("")

    _variants = field_validator("variants")(variants_field)
    _against = field_validator("against")(checked_opponents)

    @property
    def extent(self) -> str:
        return f'kind effect with adapt = "{self.adapt}", {self.amount}'

    @property
    def begins(self) -> Strategy:
        """Who each player is at first: an alias is whom it stands for under the base."""
        return self.strategies[0].under(self.rules)

    @property
    def every_rules(self) -> list[RulesModel]:
        """The base, and the variants."""
        return [self.rules, *check_variants(self.rules, self.variants)]

    def field(self) -> Sequence[Strategy]:
        known = {str(own): own for own in (self.begins, *(own for own in self.against if own != ITSELF), Strategy.parse(PLAIN))}
        return list(known.values())

    def prepare(self, folder: Path, workers: int | None, progress: Progress | None, report: Say | None) -> None:
        rules, trained = self.every_rules, list[Trained]()
        for number, own in enumerate(rules, 1):
            if report:
                report(f"player {number} of {len(rules)}, under {own}")
            against, place = [str(other) for other in self.against], folder / self.PLACE / folder_of(own)
            settings = self.settings() | {"start": self.begins, "games": max(self.games // 4, 100)}
            trained.append(train(str(own), against, place, workers=workers, report=report, progress=progress, **settings))
        self._trained = tuple(trained)
        files = b"".join((own.folder / WEIGHTS).read_bytes() for own in trained)
        self._weights = hashlib.sha256(files).hexdigest()[:8]
        base, *adapted = (read_nets(str(own.folder / WEIGHTS))[0] for own in trained)
        for rule, (nets, of) in enumerate(zip(adapted, trained[1:], strict=True), 1):
            mixed = of.folder / "knock_adapted.npz"
            write_whole(mixed, weights_bytes(base | {"knock": nets["knock"]}))
            self._players |= {(rule, BEFORE): trained[0].strategy, (rule, KNOCK): with_weights(mixed), (rule, PLAY): of.strategy}

    def _player(self, rule: int, stage: str) -> Strategy:
        return self._players.get((rule, stage), self.begins)

    def _kept_as(self, *names: object) -> str:
        """The key under which sums are kept: those of other weights are not these."""
        return f"{'-'.join(map(str, names))}@{self._weights}"

    def works(self) -> list[Work]:
        """For each variant all stages beside the base, those that adapt beside the one that does not, and against it; habits."""
        works, base, plain = list[Work](), self._player(1, BEFORE), Strategy.parse(PLAIN)
        seed, games = apart(self.seed, 2), self.games
        for rule, variant in enumerate(self.every_rules[1:], 1):
            players = {stage: self._player(rule, stage) for stage in STAGES}
            for name, rules, stages in ((CHANGED, self.rules, tuple(STAGES)), (ADAPTING, variant, ADAPTED)):
                of = (variant,) * len(stages), tuple((players[stage],) * 2 for stage in stages)
                for phase, count in ((HANDS, self.deals), (GAMES, games)):
                    key = self._kept_as(name, rule)
                    works.append(RetrainedWork((base, base), rules, seed, phase, 0, count, key, variants=of[0], adapted=of[1]))
            for stage in ADAPTED:
                works += works_of(players[stage], base, variant, self.deals, games, seed, self._kept_as(stage, rule), 0)
            for stage in (BEFORE, PLAY):
                key = self._kept_as("habits", stage, rule)
                works.append(HabitsWork((players[stage], plain), variant, apart(self.seed, 3), HANDS, 0, self.deals, key))
        return works

    def result(self, tallies: Tallies, **more: Any) -> Retraining:
        changed, adapting, gains, habits = [], [], dict[tuple[int, str], Comparison](), dict[tuple[int, str], np.ndarray]()
        _, *variants = self.every_rules
        for rule, played in enumerate(variants, 1):
            variant = str(played)
            sums = [
                {phase: tallies.sums[self._kept_as(name, rule), phase].reshape(1 + count, -1) for phase in (HANDS, GAMES)}
                for name, count in ((CHANGED, len(STAGES)), (ADAPTING, len(ADAPTED)))
            ]
            of = str(self.begins), self.seed, self.deals, self.games
            changed.append(_effect(str(self.rules), variant, sums[0], *of))
            adapting.append(_effect(variant, variant, sums[1], *of))
            for stage in ADAPTED:
                found = comparison_of(tallies, self.begins, self.begins, played, self.seed, self._kept_as(stage, rule))
                gains[rule, stage] = replace(found, a=STAGES[stage], b=STAGES[BEFORE])
            for stage in (BEFORE, PLAY):
                habits[rule, stage] = tallies.sums[self._kept_as("habits", stage, rule), HANDS].reshape(len(CELLS), -1)
        courses = tuple(own.iterations for own in self._trained)
        told = str(self.begins), tuple(map(str, self.against)), self.seed, self.rows, courses
        names, effects = tuple(map(str, variants)), (tuple(changed), tuple(adapting))
        return Retraining(str(self.rules), names, *told, *effects, gains, habits, **more)


def _effect(
    base: str, variant: str, sums: Mapping[str, np.ndarray], start: str, seed: int | tuple[int, ...], deals: int, games: int
) -> Effect:
    """The effect of a variant: a row for each stage below that of the base."""
    variants = (variant,) * (len(sums[HANDS]) - 1)
    return Effect(base, variants, (start,), seed, deals, games, {"0-0": sums[HANDS]}, {"0-0": sums[GAMES]})


def retrain(
    base: str | RulesModel,
    variants: Sequence[str | RulesModel],
    start: str | Strategy = "strong",
    folder: str | Path = "retrained",
    workers: int | None = None,
    progress: Progress | None = None,
    report: Say | None = None,
    **settings: Any,
) -> Retraining:
    """Train a player under the base rules and under each variant, and measure what changes once players adapt.

    Parameters
    ----------
    base : str or Rules
    variants : sequence of str or Rules
        ``"oklahoma"``, or fields to change in the base: ``"(knock_limit=5)"``.
    start : str or Strategy
        The strategy that each player begins as; an alias means what it stands for under the base.
    folder : path
        The players are trained in ``players`` there; the same call resumes from there.
    workers, progress
        As in `ginsim.compare`; while it trains, ``progress`` is called with texts.
    report : function of a text, optional
        Told of each iteration.
    **settings
        The fields of `RetrainingExperiment`: against, minutes (for each player), iterations, rows, games, deals, seed.

    Returns
    -------
    Retraining
    """
    of = built("retraining", rules=base, variants=variants, strategies=[start], **settings)
    return carried_out_in(of, folder, workers, progress, report)  # type: ignore[no-any-return]


# --- how it is kept --------------------------------------------------------------------------------------------------------


class RetrainingManifest(Manifest):
    """What a `Retraining` is rebuilt from."""

    variants: list[Variant] = Field(min_length=1)
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=1, le=MOST_DEALS)
    against: list[Name] = Field(min_length=1)
    rows: int = Field(ge=1)
    courses: list[Annotated[list[Iteration], Field(min_length=1)]]


StageSums = dict[str, dict[str, dict[str, int]]]
"""Phase -> base or stage -> name of the sum -> sum."""


class RetrainingSums(BaseModel):
    """By variant, the sums of stages beside the base and beside who has not adapted, of games between them, and of habits."""

    model_config = ConfigDict(strict=True, extra="forbid")

    changed: list[StageSums]
    adapting: list[StageSums]
    gains: Sums
    habits: dict[str, list[list[int]]]


def _rows(count: int) -> list[str]:
    """Names of the rows of an effect: the base and the stages, or who has not adapted and the others."""
    return ["base", *STAGES] if count == len(STAGES) else list(STAGES)


def _named(effect: Effect) -> StageSums:
    rows, found = _rows(len(effect.variants)), {}
    both = (HANDS, effect.tallies, effect.game.effect_sums), (GAMES, effect.game_tallies, GAME_SUMS)
    for phase, tallies, names in both:
        tally = tallies["0-0"]
        found[phase] = {row: dict(zip(names, own, strict=True)) for row, own in zip(rows, tally.tolist(), strict=True)}
    return found


def _text(r: Retraining) -> str:
    """The sums as the text of ``tallies.json``."""
    gains = {f"{stage}-{rule}": {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for (rule, stage), c in r.gains.items()}
    habits = {f"{stage}-{rule}": sums.tolist() for (rule, stage), sums in r.habits.items()}
    kept = {CHANGED: list(map(_named, r.changed)), ADAPTING: list(map(_named, r.adapting)), "gains": gains, "habits": habits}
    return json.dumps(kept, indent=1) + "\n"


def _rebuilt(folder: Path, manifest: RetrainingManifest, sums: RetrainingSums, **more: Any) -> Retraining:
    path, base = folder / TALLIES, manifest.played
    variants, start = tuple(map(str, kept_variants(base, manifest.variants))), manifest.strategies[0]
    if not len(variants) == len(sums.changed) == len(sums.adapting) == len(manifest.courses) - 1:
        raise InputError(f"results: {path}: not the sums, or the courses, of {len(variants)} variants")
    for course in manifest.courses:
        check_courses(folder, course, [own for own in manifest.against if own != ITSELF])
    numbers = range(1, 1 + len(variants))
    same_names(path, "gain", set(sums.gains), {f"{stage}-{rule}" for rule in numbers for stage in ADAPTED})
    habits = check_habits(path, sums.habits, [f"{stage}-{rule}" for rule in numbers for stage in (BEFORE, PLAY)], manifest.deals)
    effects, gains = {}, dict[tuple[int, str], Comparison]()
    for rule, variant in enumerate(variants, 1):
        for name, own, first, count in (
            (CHANGED, sums.changed, str(base), len(STAGES)),
            (ADAPTING, sums.adapting, variant, len(ADAPTED)),
        ):
            kept = _tallies(path, f"{name} {rule}", own[rule - 1], _rows(count), manifest)
            effects[name, rule] = _effect(first, variant, kept, start, manifest.seeds, manifest.deals, manifest.games)
        for stage in ADAPTED:
            key = f"{stage}-{rule}"
            check_pair(path, key, sums.gains[key], game_of(variant))
            of = STAGES[stage], STAGES[BEFORE], variant, manifest.seeds
            gains[rule, stage] = Comparison(*of, sums.gains[key][HANDS], sums.gains[key][GAMES])
    told = start, tuple(manifest.against), manifest.seeds, manifest.rows, tuple(map(tuple, manifest.courses))
    changed, adapting = (tuple(effects[name, rule] for rule in numbers) for name in (CHANGED, ADAPTING))
    kept_habits = {(rule, stage): habits[f"{stage}-{rule}"] for rule in numbers for stage in (BEFORE, PLAY)}
    return Retraining(str(base), variants, *told, changed, adapting, gains, kept_habits, **more)


def _tallies(path: Path, where: str, own: StageSums, rows: Sequence[str], manifest: RetrainingManifest) -> dict[str, np.ndarray]:
    """The sums of an effect, if they are possible."""
    same_names(path, f"{where}: phase", set(own), {HANDS, GAMES})
    names = {HANDS: game_of(manifest.played).effect_sums, GAMES: GAME_SUMS}
    pairs = {HANDS: manifest.deals, GAMES: manifest.games}
    return {phase: kept_rows(path, f"{where}: {phase}", "stage", own[phase], rows, names[phase], pairs[phase]) for phase in names}


def _facts(r: Retraining) -> dict[str, Any]:
    variants = told_variants(r.base, r.variants)
    courses = [[step.model_dump() for step in course] for course in r.courses]
    return {"variants": variants, "games": r.pairs, "against": list(r.against), "rows": r.rows, "courses": courses}


register(
    "retraining", experiment=RetrainingExperiment, result=Retraining, text=_text, manifest=RetrainingManifest,
    sums=RetrainingSums, build=_rebuilt, facts=_facts, merges=False, version=2,
)  # fmt: skip
