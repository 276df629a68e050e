"""What rules change once players adapt to them: the knock is solved under the base rules and under each variant.

A strategy gives the draws and discards. Before adapting, both sides knock under a variant by the chart that is solved for the
base rules; after it, by the variant's own. Hands are recorded without knocks (``ginsim.study.recording``), once for all rules
that differ only in bonuses; charts are made of some deals, and all is told of others, the same under all rules: so differences
are paired. Experiments of the kinds ``effect`` and ``map`` lead here with ``adapt = "knock"``.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, Field, field_validator, model_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError
from ginsim.games.gin import layout as R
from ginsim.games.gin.courses import Courses
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate, cautious_difference, from_mean, mean_of_chances, mean_of_estimates, within
from ginsim.inference.measures import Measure, mean, share
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.solving.adapting import AFTER, BEFORE, FIGURES, LAST, Kept, adapted
from ginsim.solving.cells import TURNS
from ginsim.solving.solved import PER_CELL
from ginsim.study.base import MOST_LISTED, Player, Result, distinct, register
from ginsim.study.effect import Variant, check_variants, kept_variants, told_variants, variants_field
from ginsim.study.kept import TALLIES, Manifest, Name, same_names
from ginsim.study.map import Axis, check_axis, rules_of_cells
from ginsim.study.recording import CourseExperiment, CourseWork, check_solvable, course_work, courses_of_parts, kept_courses
from ginsim.study.settings import built
from ginsim.study.solve import LEAST_DEALS, MOST_CHECKS, threads

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MEASURES", "Adaptation", "AdaptationExperiment", "level_text"]

MEASURES: dict[str, Measure] = {
    "knocked": share("hands that end with a knock"),
    LAST: mean("own turn by which 95 % of the knocks are made", "turns", decimals=1),
    "value": Measure("value of the start", "points", decimals=3, signed=True),
    "points": mean("points scored per hand", "points"),
    "gin": share("hands ending in gin"),
    "undercut": share("hands undercut"),
    "nobody": share("hands without a winner"),
    "turn": mean("own turn on which hands end", "turns"),
}
"""What is told of rules; the first three are what a map shows."""
MAPPED = tuple(MEASURES)[:3]
SOLVED, CHECKED = "solve", "check"


@dataclass(frozen=True)
class Adaptation(Result):
    """What rules change before players adapt their knock to them, and after.

    Attributes
    ----------
    base : str
    variants : tuple of str
        Of a map those of its cells, row by row.
    strategies : tuple of str
        Whose draws and discards they are, each against itself.
    deals, checks : int
        Deals for each strategy that charts are made of, and others of which everything is told.
    cells : int
        Cells of the base's chart that come up, of the strategy with most.
    recorded : int
        Hands recorded for all of them.
    figures : mapping of (int, int) to Kept
        By strategy and rule (0 is the base).
    axes : tuple of (field, values)
        Across and down, of a map; else empty.
    """

    base: str
    variants: tuple[str, ...]
    strategies: tuple[str, ...]
    seed: int | tuple[int, ...]
    deals: int
    checks: int
    cells: int
    recorded: int
    figures: Mapping[tuple[int, int], Kept]
    axes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    wall_seconds: float = field(default=math.nan, compare=False)

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return self.recorded

    @property
    def plays(self) -> int:
        """Hands of each deal."""
        return 1

    def level(self, rule: int, measure: str, when: str = AFTER, strategy: int | None = None) -> Estimate:
        """A measure under rule number ``rule`` (0 is the base) ``before`` adapting or ``after``, of one strategy or the mean."""
        return self._told(rule, f"{BEFORE if rule == 0 else when} {measure}", strategy)

    def change(self, rule: int, measure: str, when: str = AFTER, strategy: int | None = None) -> Estimate:
        """Variant ``rule`` less base, ``before`` adapting or ``after``, with the interval of paired differences.

        For ``last`` the interval is as wide as those of both turns together.
        """
        if measure == LAST:
            return cautious_difference(self.level(rule, measure, when, strategy), self.level(0, measure, when, strategy))
        return self._told(rule, f"{when} - base {measure}", strategy)

    def adapting(self, rule: int, measure: str, strategy: int | None = None) -> Estimate:
        """What adapting to variant ``rule`` changes: after less before, as `change`."""
        if measure == LAST:
            return cautious_difference(*(self.level(rule, measure, when, strategy) for when in (AFTER, BEFORE)))
        return self._told(rule, f"{AFTER} - {BEFORE} {measure}", strategy)

    def gain(self, rule: int, strategy: int | None = None) -> Estimate:
        """What who has adapted to variant ``rule`` wins, per hand, of who has not."""
        return self._told(rule, "gain", strategy)

    def _told(self, rule: int, name: str, strategy: int | None) -> Estimate:
        chosen = range(len(self.strategies)) if strategy is None else [strategy]
        found = [_estimate(name, *self.figures[k, rule][name]) for k in chosen]
        if name.endswith(f" {LAST}"):  # turns are whole, and their errors no standard errors: the ends are averaged as they are
            value, low, high = (sum(ends) / len(found) for ends in zip(*((e.value, e.low, e.high) for e in found), strict=True))
            return Estimate(value, low, high, math.nan)
        return mean_of_estimates(found)

    def table(self, strategy: int | None = None) -> pd.DataFrame:
        """A row for each variant and measure: under the base, before adapting, after, and the changes with their intervals."""
        import pandas as pd

        rows = []
        for rule, variant in enumerate(self.variants, 1):
            for measure in MEASURES:
                own = [self.level(0, measure, strategy=strategy)]
                own += [self.level(rule, measure, when, strategy) for when in (BEFORE, AFTER)]
                own += [self.change(rule, measure, when, strategy) for when in (BEFORE, AFTER)]
                own.append(self.adapting(rule, measure, strategy))
                rows.append((variant, measure, *(x for e in own for x in (e.value, e.low, e.high))))
        names = ("base", BEFORE, AFTER, "change_before", "change_after", "adapting")
        return pd.DataFrame(rows, columns=["variant", "measure", *(f"{n}{end}" for n in names for end in ("", "_low", "_high"))])

    def by_strategy(self) -> pd.DataFrame:
        """`table` of each strategy."""
        import pandas as pd

        return pd.concat([self.table(k).assign(strategy=name) for k, name in enumerate(self.strategies)], ignore_index=True)

    def summary(self) -> pd.DataFrame:
        """After adapting: a row for each variant, a column for each measure, and what adapting gains."""
        import pandas as pd

        rows = [
            [spec, *(self.level(rule, measure).value for measure in MEASURES), self.gain(rule).value if rule else 0.0]
            for rule, spec in enumerate((self.base, *self.variants))
        ]
        return pd.DataFrame(rows, columns=["rules", *MEASURES, "gain"]).set_index("rules")

    def plane(self, measure: str, when: str = AFTER) -> np.ndarray:
        """A measure in each cell of a map, float64[down, across]."""
        (_, across), (_, down) = self.axes
        values = [self.level(rule, measure, when).value for rule in range(1, 1 + len(self.variants))]
        return np.array(values).reshape(len(down), len(across))

    def widest(self, measure: str) -> str:
        """How far the intervals of a map's cells reach at most, in words."""
        m, levels = MEASURES[measure], [self.level(rule, measure) for rule in range(1, 1 + len(self.variants))]
        if measure == LAST:
            down, up = max(e.value - e.low for e in levels), max(e.high - e.value for e in levels)
            return f"intervals reach at most {down:.0f} turn{'s' if round(down) != 1 else ''} down and {up:.0f} up"
        half = m.number_text(max(e.high - e.low for e in levels) / 2).lstrip("+")
        return f"each at most ± {half}"

    @property
    def noise(self) -> str:
        """What is to be said if there are too few deals for the cells."""
        if self.deals >= PER_CELL * self.cells:
            return ""
        return (
            f"The {self.cells:,} cells of the chart of {self.base} share only {self.deals:,} deals, so part of it is chance: "
            f"play {PER_CELL * self.cells:,} deals."
        )

    def verdict(self) -> str:
        """What changes most once players adapt, in a sentence or two."""
        text = self._of_map() if self.axes else self._of_variants()
        return f"{text} {self.noise}".strip()

    def _of_map(self) -> str:
        """How far the measures range over a map."""
        ranges = []
        for name in MAPPED:
            low, high = (level_text(name, value) for value in (self.plane(name).min(), self.plane(name).max()))
            m = MEASURES[name]
            ranges.append(f"{m.label}, {low} to {high}{f' {m.unit}' if name == 'value' else ''} ({self.widest(name)})")
        over = f"As {self.axes[0][0]} and {self.axes[1][0]} vary under {self.base}"
        return f"{over}, two players who knock as well as possible give these ranges: {'; '.join(ranges)}."

    def _of_variants(self) -> str:
        """The variant to which the knock adapts most."""
        m, rules = MEASURES["knocked"], range(1, 1 + len(self.variants))
        most = max(rules, key=lambda rule: abs(self.adapting(rule, "knocked").value))
        dear = max(rules, key=lambda rule: self.gain(rule).value)
        gain = self.gain(dear)
        several = len(self.variants) > 1
        cost = (
            f"A player who does not adapt loses {'the most ' if several else ''}under {self.variants[dear - 1]}: "
            f"{gain.value:.3f} points a hand ({gain.low:.3f} to {gain.high:.3f}) to one who does."
            if gain.low > 0
            else f"No gain from adapting is clear{' under any variant' if several else ''}."
        )
        before, after = (m.text(self.level(most, "knocked", when)) for when in (BEFORE, AFTER))
        return (
            f"Under {self.base}, {m.text(self.level(0, 'knocked'))} of hands end with a knock if both players knock as well as "
            f"possible. Adapting changes that share{' the most' if several else ''} under {self.variants[most - 1]}, from "
            f"{before} to {after}. {cost}"
        )


def level_text(measure: str, value: float) -> str:
    """A value of a measure; of one strategy turns are whole."""
    return f"{value:.3g}" if measure == LAST else MEASURES[measure].value_text(value)


def _estimate(name: str, value: float, second: float, third: float) -> Estimate:
    """A figure that was kept, with its interval."""
    *of, measure = name.split(" ")
    if measure == LAST:
        return Estimate(value, second, third, math.nan)
    if measure in MEASURES and MEASURES[measure].is_share:
        if len(of) == 1:
            return mean_of_chances(min(max(value, 0.0), 1.0), second**2 * third, int(third))
        return within(from_mean(value, second, int(third)), -1, 1)
    return from_mean(value, second, int(third))


# --- the study -------------------------------------------------------------------------------------------------------------


def _blind(strategy: Strategy) -> bool:
    """Whether draws and discards do not look at bonuses: those that are shipped do not, unless they play hands out."""
    repertoire = strategy.repertoire if strategy.game else None
    shipped = {form for decision in repertoire.decisions.values() for form in repertoire.forms(decision)} if repertoire else set()
    return strategy.player is None and shipped.issuperset(strategy.decisions[:2])


def _groups(rules: Sequence[Any], strategy: Strategy) -> list[list[int]]:
    """The numbers of rules that have their courses in common, the first rules in the first group."""
    found, blind = dict[Any, list[int]](), _blind(strategy)
    for number, own in enumerate(rules):
        array = own.array().copy()
        if blind:
            array[[R.GIN_BONUS, R.UNDERCUT_BONUS]] = 0
            array[R.BIG_GIN_BONUS] = min(array[R.BIG_GIN_BONUS], 0)  # below 0: it is not played
        found.setdefault(tuple(array.tolist()), []).append(number)
    return list(found.values())


def _style(strategy: Strategy) -> Any:
    """What draws and discards depend on."""
    if strategy.player is not None or not strategy.game:
        return str(strategy)
    return strategy.decisions[:2], strategy.params[: strategy.repertoire.blocks["knock"]]


class AdaptationExperiment(CourseExperiment):
    """What ``variants`` of the rules, or those over a plane of ``x`` and ``y``, change once the knock is adapted to them."""

    kind: Literal["adaptation"] = "adaptation"
    adapt: Literal["knock"] = Field("knock", description="what is adapted")
    deals: int = Field(100_000, ge=LEAST_DEALS, le=MOST_DEALS // 4, description="deals that the charts of a strategy are made of")
    strategies: list[Player] = Field(
        min_length=1, max_length=MOST_LISTED, description="specs of strategies, whose draws and discards are played"
    )
    variants: list[str] = Field([], max_length=MOST_LISTED, description="rules, or changes to the base such as (knock_limit=5)")
    x: Axis | None = Field(None, description="of a map, the field across: {field = ..., values = [...]}")
    y: Axis | None = Field(None, description="of a map, the field down")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[Strategy]) -> list[Strategy]:
        distinct("strategies", value, "; each plays itself in any case")
        for k, own in enumerate(value):
            if alike := next((other for other in value[:k] if _style(other) == _style(own)), None):
                same = f"{own} draws and discards as {alike} does, so with the knock solved they are the same"
                raise InputError(f"{same}; give one of them")
        return value

    _variants = field_validator("variants")(variants_field)

    @field_validator("x", "y")
    @classmethod
    def _axis(cls, value: Axis | None, info: Any) -> Axis | None:
        if value and "rules" in info.data:
            check_axis(info.data["rules"], info.field_name, value.field, value.values)
        if value and info.field_name == "y" and (x := info.data.get("x")) and x.field == value.field:
            raise InputError(f"y: {value.field!r} is already on the other axis")
        return value

    @model_validator(mode="after")
    def _solvable(self) -> AdaptationExperiment:
        if self.games:
            raise InputError(f"games: {self.games} is not allowed; where the knock is adapted, no games are played")
        if self.variants and (self.x or self.y):
            raise InputError("variants: a map has x and y instead; give one or the other")
        if not self.variants and not (self.x and self.y):
            missing = "variants" if not self.x and not self.y else "y" if self.x else "x"
            raise InputError(f"{missing}: none given; an effect needs variants, a map needs x and y")
        for number, rules in enumerate(self.rules_of_all()):
            for strategy in self.strategies:
                try:
                    check_solvable(strategy, rules)
                except InputError as error:
                    of = "variants" if self.variants else "x or y"
                    raise InputError(str(error).replace("rules:", f"{of}:", 1) if number else str(error)) from None
        return self

    @property
    def extent(self) -> str:
        return f'kind {"effect" if self.variants else "map"} with adapt = "{self.adapt}", {self.amount}'

    def rules_of_all(self) -> list[Any]:
        """The base, and all variants or the cells of the map, row by row."""
        if self.x and self.y:
            return [self.rules, *rules_of_cells(self.rules, self.x, self.y)]
        return [self.rules, *check_variants(self.rules, self.variants)]

    def field(self) -> Sequence[Strategy]:
        return self.strategies

    def works(self) -> list[Work]:
        """For each strategy, on deals of its own: those that charts are made of, then those that all is told of."""
        checks, rules = min(self.deals, MOST_CHECKS), self.rules_of_all()
        works: list[Work] = []
        for k, strategy in enumerate(self.strategies):
            first = k * (self.deals + checks)
            for g, numbers in enumerate(_groups(rules, strategy)):
                of = strategy, rules[numbers[0]], self.seed
                works.append(course_work(*of, first, self.deals, key=f"{k}-{g}-{SOLVED}"))
                works.append(course_work(*of, first + self.deals, checks, key=f"{k}-{g}-{CHECKED}"))
        return works

    def result(self, tallies: Tallies, **more: Any) -> Adaptation:
        folder, workers = more.pop("records"), threads(more.pop("workers", None))
        works = {work.key: work for work in self.own_works() if isinstance(work, CourseWork)}
        return _adapted(self, self.seed, lambda key: kept_courses(folder, works[key]), workers, **more)


def _adapted(
    of: AdaptationExperiment, seed: int | tuple[int, ...], read: Callable[[str], Courses], workers: int, **more: Any
) -> Adaptation:
    """Solve the knock under all rules on courses, which are read by the keys of their works when they are needed."""
    rules, figures = of.rules_of_all(), dict[tuple[int, int], Kept]()
    count = {"deals": 0, "checks": 0, "cells": 0, "recorded": 0}

    def courses(key: str) -> tuple[Courses, Courses]:
        solved, checks = read(f"{key}-{SOLVED}"), read(f"{key}-{CHECKED}")
        count.update(deals=solved.deals, checks=checks.deals, recorded=count["recorded"] + solved.hands + checks.hands)
        return solved, checks

    for k, strategy in enumerate(of.strategies):
        groups = [(numbers, functools.partial(courses, f"{k}-{g}")) for g, numbers in enumerate(_groups(rules, strategy))]
        found, cells = adapted(groups, rules, workers)
        count["cells"] = max(count["cells"], cells)
        for rule in range(len(rules)):
            figures[k, rule] = {name: _rounded(*values) for name, values in found[rule].items()}
    axes = tuple((axis.field, tuple(axis.values)) for axis in (of.x, of.y) if axis)
    base, *variants = map(str, rules)
    return Adaptation(base, tuple(variants), tuple(map(str, of.strategies)), seed, **count, figures=figures, axes=axes, **more)


def _rounded(value: float, second: float, third: float) -> tuple[float, float, float]:
    """As it is kept."""
    return float(f"{value:.7g}"), float(f"{second:.7g}"), third


# --- how it is kept ------------------------------------------------------------------------------------------------------


class _KeptAxis(BaseModel):
    field: Name
    values: list[int] = Field(min_length=2)


class AdaptationManifest(Manifest):
    """What an `Adaptation` is rebuilt from."""

    variants: list[Variant]
    x: _KeptAxis | None = None
    y: _KeptAxis | None = None
    deals: int = Field(ge=1, le=MOST_DEALS)
    checks: int = Field(ge=2, le=MOST_DEALS)


class AdaptationSums(BaseModel):
    """What is kept of an `Adaptation`: by strategy and rule the figures by name, each with its error and deals."""

    model_config = {"strict": True, "extra": "forbid", "allow_inf_nan": False}

    cells: int = Field(ge=1, le=1 << 30)
    recorded: int = Field(ge=1, le=1 << 62)
    figures: dict[str, dict[str, Annotated[list[float | int], Field(min_length=3, max_length=3)]]]


def _text(result: Adaptation) -> str:
    """The figures as the text of ``tallies.json``, a line for each strategy and rule."""
    lines = [f'  "{k}-{rule}": {json.dumps({n: list(v) for n, v in own.items()})}' for (k, rule), own in result.figures.items()]
    head = f' "cells": {result.cells},\n "recorded": {result.recorded},\n "figures": {{\n'
    return "{\n" + head + ",\n".join(lines) + "\n }\n}\n"


def _names(rule: int) -> set[str]:
    """What there is to be told of a rule, 0 being the base."""
    levels = {f"{when} {name}" for when in ((BEFORE, AFTER) if rule else (BEFORE,)) for name in (*FIGURES, LAST)}
    changes = (f"{BEFORE} - base", f"{AFTER} - base", f"{AFTER} - {BEFORE}")
    return levels | ({f"{change} {name}" for change in changes for name in FIGURES} | {"gain"} if rule else set())


def _rebuilt(folder: Path, manifest: AdaptationManifest, sums: AdaptationSums, **more: Any) -> Adaptation:
    path, base = folder / TALLIES, manifest.played
    axes = tuple((axis.field, tuple(axis.values)) for axis in (manifest.x, manifest.y) if axis)
    if len(axes) == 1:
        raise InputError(f"results: {folder}: a map has two axes")
    if manifest.x and manifest.y:
        variants = rules_of_cells(base, manifest.x, manifest.y)
    else:
        variants = kept_variants(base, manifest.variants)
    keys = [(k, rule) for k in range(len(manifest.strategies)) for rule in range(1 + len(variants))]
    same_names(path, "rule", set(sums.figures), {f"{k}-{rule}" for k, rule in keys})
    figures = dict[tuple[int, int], Kept]()
    for k, rule in keys:
        own = sums.figures[f"{k}-{rule}"]
        same_names(path, f"{k}-{rule}: figure", set(own), _names(rule))
        for name, (value, second, third) in own.items():
            _check(f"{path}: {k}-{rule}: {name}", name, value, second, third, manifest.checks)
            figures.setdefault((k, rule), {})[name] = float(value), float(second), third
    of = manifest.seeds, manifest.deals, manifest.checks, sums.cells, sums.recorded, figures, axes
    return Adaptation(str(base), tuple(map(str, variants)), tuple(manifest.strategies), *of, **more)


def _check(where: str, name: str, value: float, second: float, third: float, checks: int) -> None:
    """Refuse a figure that is impossible."""
    *of, measure = name.split(" ")
    if measure == LAST:
        possible = 0 <= second <= value <= third <= TURNS
    else:
        possible = second >= 0 and third == checks
        if measure in MEASURES and MEASURES[measure].is_share:
            possible = possible and (0 if len(of) == 1 else -1) - 1e-6 <= value <= 1 + 1e-6
    if not possible:
        raise InputError(f"results: {where}: {value:g}, {second:g}, {third:g} is impossible")


def _joined(folders: Sequence[tuple[Path, Sequence[Any]]], manifest: AdaptationManifest, **more: Any) -> Adaptation:
    """The knock solved on the deals of several results: courses that were not kept are recorded again."""
    base = manifest.played
    settings: dict[str, Any] = {"kind": "adaptation", "rules": str(base), "strategies": manifest.strategies}
    settings |= {"variants": [str(rules) for rules in kept_variants(base, manifest.variants)]}
    settings |= {name: axis.model_dump() for name, axis in (("x", manifest.x), ("y", manifest.y)) if axis}
    found = courses_of_parts(settings, folders)
    return _adapted(built(**settings), manifest.seeds, lambda key: found[key](), threads(None), **more)


def _facts(result: Adaptation) -> dict[str, Any]:
    variants = [] if result.axes else told_variants(result.base, result.variants)
    axes = {name: {"field": of, "values": list(values)} for name, (of, values) in zip("xy", result.axes, strict=False)}
    return {"checks": result.checks, "variants": variants, **axes}


register(
    "adaptation", experiment=AdaptationExperiment, result=Adaptation, text=_text, manifest=AdaptationManifest,
    sums=AdaptationSums, build=_rebuilt, facts=_facts, join=_joined,
)  # fmt: skip
