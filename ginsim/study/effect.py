"""What a rule changes: the same deals under the base rules and under each variant, by the same strategies.

The unit is the deal with its plays: a duplicate pair, or a table of one strategy. Base and variant share the deck of each, so
luck that both have in common drops out of the differences, and their intervals are those of paired differences.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import BaseModel, Field, field_validator, model_validator

from ginsim.answers import joined
from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, brief, listed, shown, suggest
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, HEAD, LATER_GAME_SUMS, Game, as_dict, game_sums, head_sums
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.counting import add_products
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import ALPHA, holm, p_value, simultaneous
from ginsim.inference.estimates import (
    ONE_HAND,
    Estimate,
    RatioSums,
    from_mean,
    interval_text,
    mean_of_estimates,
    mean_of_pairs,
    share_of_pairs,
    within,
)  # fmt: skip
from ginsim.inference.measures import Measure
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import ALONE, SIDES, Done, Work, session, unit_points
from ginsim.specs import parse_spec
from ginsim.study.base import MOST_LISTED, Player, carried_out, distinct, register
from ginsim.study.compare import Comparison, of_measure, scaled
from ginsim.study.criterion import (
    Judged,
    JudgedExperiment,
    JudgedManifest,
    Leader,
    disagreement_of_leaders,
    leaders_otherwise,
    opposite,
    told_by,
)
from ginsim.study.kept import (
    TALLIES,
    check_at_most,
    check_counts_of,
    check_squares,
    check_sums_of,
    pairing_key,
    same_names,
    with_later_sums,
)
from ginsim.study.measures import COMPARED
from ginsim.study.settings import built
from ginsim.study.whoplays import told_gaps

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "GAME_SUMS", "Effect", "EffectExperiment", "EffectWork", "Variant", "changes_of", "check_variants", "effect", "kept_rows",
    "kept_variants", "told_variants", "variants_field",
]  # fmt: skip

GAME_SUMS = ("hands", "hands_difference_sq", "margin", "margin_difference_sq", "unfinished")
"""Names of the sums over units of games: each measure, and the squares of its differences from the base."""
SIDES_OF = {HANDS: HEAD, GAMES: tuple(name for name in GAME_TALLY if name not in LATER_GAME_SUMS)}
"""Names of the sums of what each side won, by phase: figures are those of a `Comparison` under each rule. Hands of games are
among ``GAME_SUMS``."""
SIDES_KEPT = {HANDS: "hands_by_side", GAMES: "games_by_side"}
"""What they are called where they are kept."""
ADAPTS = {"adapt": {"knock": "adaptation"}}
SOLVED = "'knock': the knock of each strategy is solved under all of the rules"
ADAPT: Any = Field(None, exclude=True, description=SOLVED)
"""A key of effects and maps, and the kind of study that they are with it."""
FULLY = {"adapt": ADAPTS["adapt"] | {"play": "retraining"}}
"""The same of effects alone, whose players may adapt all they do."""
OWN = "own_points"
"""Points of the first strategy less the other's."""


@dataclass(frozen=True)
class EffectWork(Work):
    """Units of hands or games under ``rules`` and, on the same decks, under each of ``variants``."""

    variants: tuple[RulesModel, ...] = ()
    sides: bool = False
    """Whether to count what each side won as well: the sums `SIDES_OF`, after the others."""

    @property
    def cases(self) -> Iterable[tuple[tuple[Strategy, ...], RulesModel]]:
        """Who plays under which rules, the base first."""
        return [(self.players, rules) for rules in (self.rules, *self.variants)]

    @property
    def form(self) -> tuple[Any, ...]:
        return *super().form, len(self.variants), self.sides

    def carry_out(self, keep: bool = False) -> Done:
        """Play the base and every variant; the tally holds one row a rule, the base first."""
        start = time.perf_counter()
        of = self.seed, self.phase, self.first, self.count
        works = [Work(players, rules, *of, seating=self.seating) for players, rules in self.cases]
        tables = [session(work).blocks(self.first, self.count) for work in works]
        rows = [self._under_all(works, records) for records in zip(*tables, strict=True)]
        tally = np.sum(rows, axis=0).ravel() if rows else np.zeros(0, np.int64)
        return Done(self, tally, time.perf_counter() - start)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played under all rules, given the tally."""
        rules = 1 + len(self.variants)
        return int(tally.reshape(rules, -1)[:, 0].sum()) if self.phase == GAMES else self.plays * self.count * rules

    def _under_all(self, works: Sequence[Work], blocks: Sequence[np.ndarray]) -> np.ndarray:
        """The sums of the same deals under each rule."""
        game, found = game_of(self.rules), []
        for work, records in zip(works, blocks, strict=True):
            if self.phase == GAMES:
                hands, margin = game.game_measure(records, work.lineups).T
                unfinished = int(records[:, game.game_columns.index("unfinished")].sum())
                found.append((np.stack([hands, margin], axis=1), unfinished))
            else:
                measured = game.measure(records, work.lineups, work.rules)
                own = [unit_points(work, records)] if OWN in columns_of(game) else []
                found.append((np.column_stack([measured, *own]), 0))
        base = found[0][0]
        if self.phase == GAMES:
            rows = np.array([_game_sums(base, own, unfinished) for own, unfinished in found])
        else:
            rows = np.array([effect_sums(game, base, own) for own, _ in found])
        if not self.sides:
            return rows
        count = game_sums if self.phase == GAMES else head_sums
        size = len(SIDES_OF[self.phase])
        return np.hstack([rows, [count(game, own, work.lineups, 2)[:size] for work, own in zip(works, blocks, strict=True)]])


def _game_sums(base: np.ndarray, own: np.ndarray, unfinished: int) -> list[int]:
    """Hands and margins of units of games, each with the squared differences from the base; games stopped unfinished."""
    totals, squares = own.sum(axis=0), ((own - base) ** 2).sum(axis=0)
    return [int(totals[0]), int(squares[0]), int(totals[1]), int(squares[1]), unfinished]


def effect_sums(game: Game, base: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The sums ``Game.effect_sums`` of units under a rule, beside those under the base: int64[units, `columns_of`]."""
    first, second = _factors(game)
    found = np.zeros(len(first), np.int64)
    add_products(base, own, first, second, np.zeros(1 + 3 * own.shape[1], np.int64), found)
    return found


def columns_of(game: Game) -> tuple[str, ...]:
    """What is measured of each unit; with the first strategy's points if the game keeps sums of them."""
    return (*game.measured, OWN) if OWN in game.effect_sums else game.measured


@functools.cache
def _factors(game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the two values whose products make each of the sums ``Game.effect_sums`` (`add_products`)."""
    names = columns_of(game)
    own, base, difference = ({name: k for k, name in enumerate(names, 1 + part * len(names))} for part in range(3))

    def factors(name: str) -> tuple[int, int]:
        if name in own:
            return 0, own[name]
        for ending, of in (("_difference_sq", difference), ("_sq", own)):
            if name.endswith(ending):
                return (of[name.removesuffix(ending)],) * 2
        one, _, other = name.partition("_x_")
        return own[one], base[other.removeprefix("base_")] if other.startswith("base_") else own[other]

    first, second = np.array([factors(name) for name in game.effect_sums], np.int64).reshape(-1, 2).T.copy()
    return first, second


@dataclass(frozen=True)
class Effect(Judged):
    """The result of `effect`.

    Attributes
    ----------
    base : str
    variants : tuple of str
    strategies : tuple of str
    deals, games : int
        Units of hands and games for each pairing of strategies (or each strategy) and each rule.
    tallies : mapping of str to int64 array
        By pairing, one row a rule, the base first, with the names ``Game.effect_sums``.
    game_tallies : mapping of str to int64 array
        The same of games, with the names ``GAME_SUMS``.
    unmeasured : tuple of str
        Measures that the game did not have yet when this was played.
    by : str, optional
        What better means (``ginsim.study.criterion``).
    sides : mapping of str to mapping of str to int64 array
        By phase and pairing of different strategies, one row a rule: what each side won (`SIDES_OF`). Older results lack it.
    about : str, optional
        The measure that was asked about: the answer is about it, and tables and plots begin with it.
    """

    base: str
    variants: tuple[str, ...]
    strategies: tuple[str, ...]
    seed: int | tuple[int, ...]
    deals: int
    games: int
    tallies: dict[str, np.ndarray]
    game_tallies: dict[str, np.ndarray]
    unmeasured: tuple[str, ...] = ()
    wall_seconds: float = field(default=math.nan, compare=False)
    by: str | None = None
    sides: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    about: str | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        names = ("base", "variants", "strategies", "seed", "deals", "games", "unmeasured", "by", "about")
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and same_arrays(self.tallies, other.tallies)
            and same_arrays(self.game_tallies, other.game_tallies)
            and self.sides.keys() == other.sides.keys()
            and all(same_arrays(own, other.sides[phase]) for phase, own in self.sides.items())
        )

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), self.summary().to_string(), self.remark)))

    @cached_property
    def _at(self) -> dict[str, int]:
        """Positions of the sums."""
        return {name: k for k, name in enumerate(self.game.effect_sums)}

    @property
    def plays(self) -> int:
        """Hands of each deal under each rule."""
        return 1 if self.game.alone else 2

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        hands = self.plays * self.deals * (1 + len(self.variants)) * len(self.tallies)
        return hands + sum(int(tally[:, 0].sum()) for tally in self.game_tallies.values())

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """Pairs of games and those stopped unfinished, under each rule."""
        unfinished = GAME_SUMS.index("unfinished")
        rows = [row for tally in self.game_tallies.values() for row in tally]
        return [{"pairs": self.games, "unfinished": int(row[unfinished])} for row in rows]

    @property
    def games_finished(self) -> bool:
        """Whether games of different strategies were finished, and counted, under every rule."""
        decided, own = GAME_TALLY.index("decided"), self.sides.get(GAMES, {})
        return bool(own) and all(tally[:, decided].all() for tally in own.values())

    @property
    def sided(self) -> list[str]:
        """Names of the measures that say which strategy is better; older results have points per hand alone."""
        return super().sided if self.sides else ["points_per_hand"]

    @property
    def measures(self) -> list[str]:
        """Names of what was measured."""
        own = (*self.game.measures, *(self.game.game_measures if self.games else ()))
        return [name for name in own if name not in self.unmeasured]

    @property
    def foremost(self) -> list[str]:
        """Names of the measures that are shown unless others are asked for; first the one that was asked about."""
        asked = (self.about,) if self.about in self.measures else ()
        return [name for name in dict.fromkeys((*asked, *self.game.foremost)) if name in self.measures]

    def measured(self, measure: str) -> Measure:
        """What a measure is called, and its unit."""
        return self.game.game_measures[measure] if measure in self.game.game_measures else self.game.measures[measure]

    def players(self, rule: int) -> int:
        """Players under rule number ``rule``, 0 being the base."""
        return self.game.seats(rules_of((self.base, *self.variants)[rule]))

    def _keys(self, strategy: int | None) -> list[str]:
        return list(self.tallies) if strategy is None else [f"{strategy}-{strategy}"]

    def level(self, rule: int, measure: str) -> float:
        """A measure under rule number ``rule`` (0 is the base), mean over the pairings of strategies."""
        return float(np.mean([self._level(key, rule, measure) for key in self.tallies]))

    def _level(self, key: str, rule: int, measure: str) -> float:
        if measure in self.game.game_measures:
            own = self.game_tallies[key][rule, 2 * list(self.game.game_measures).index(measure)]
            return float(own) / (self.plays * self.games)
        sums, of = self.tallies[key][rule], self.measured(measure)
        if of.kind == "ratio":
            return float(sums[self._at[measure]] / sums[self._at["decided"]]) if sums[self._at["decided"]] else math.nan
        return of.scale * float(sums[self._at[measure]]) / (self.plays * self.deals)

    def value(self, rule: int, measure: str, strategy: int | None = None) -> Estimate:
        """A measure under rule number ``rule`` with its interval, of one strategy playing itself or the mean over all.

        The interval is unknown where the squares that it takes are not kept.
        """
        return mean_of_estimates([self._value(key, rule, measure) for key in self._keys(strategy)])

    def _value(self, key: str, rule: int, measure: str) -> Estimate:
        sums, of = self.tallies[key][rule], self.measured(measure)
        if of.kind == "ratio":
            return share_of_pairs(self._ratio(sums))
        if f"{measure}_sq" not in self._at:
            return Estimate(self._level(key, rule, measure), -math.inf, math.inf, math.inf)
        return of_measure(of, int(sums[self._at[measure]]), int(sums[self._at[f"{measure}_sq"]]), self.deals, self.plays)

    def _ratio(self, sums: np.ndarray) -> RatioSums:
        won, won_sq, n, n_sq, both = (
            int(sums[self._at[name]]) for name in ("starter", "starter_sq", "decided", "decided_sq", "starter_x_decided")
        )
        return RatioSums(won, won_sq, n, n_sq, both, self.deals)

    def difference(self, rule: int, measure: str, strategy: int | None = None) -> Estimate:
        """Variant ``rule`` less base, with the interval of paired differences: of one strategy, or the mean over all pairings."""
        return mean_of_estimates([self._difference(key, rule, measure) for key in self._keys(strategy)])

    def _difference(self, key: str, rule: int, measure: str) -> Estimate:
        of = self.measured(measure)
        if measure in self.game.game_measures:
            own, base = self.game_tallies[key][rule], self.game_tallies[key][0]
            k = 2 * list(self.game.game_measures).index(measure)
            return mean_of_pairs(int(own[k] - base[k]), int(own[k + 1]), self.games, self.plays, unit=of.step)
        own, base = self.tallies[key][rule], self.tallies[key][0]
        if of.kind == "ratio":
            return self._ratio_difference(own, base)
        k, squares = self._at[measure], int(own[self._at[f"{measure}_difference_sq"]])
        e = scaled(mean_of_pairs(int(own[k] - base[k]), squares, self.deals, self.plays, unit=of.step), of.scale)
        return within(e, -1, 1) if of.kind == "share" else e

    def differed(self, rule: int, measure: str) -> bool:
        """Whether a measure came out differently under variant ``rule`` than under the base on any deal."""
        if measure in self.game.game_measures:
            k = 2 * list(self.game.game_measures).index(measure) + 1
            return any(tally[rule, k] > 0 for tally in self.game_tallies.values())
        parts = (measure, "decided") if self.measured(measure).kind == "ratio" else (measure,)
        at = [self._at[f"{name}_difference_sq"] for name in parts]
        return any(tally[rule, k] > 0 for tally in self.tallies.values() for k in at)

    def _ratio_difference(self, own: np.ndarray, base: np.ndarray) -> Estimate:
        """Difference of two ratios over the same units, linearised (Cochran, Sampling Techniques, 1977, section 6.10)."""
        one, other = self._ratio(own), self._ratio(base)
        n, n0 = float(one.n), float(other.n)
        if not n or not n0:
            return from_mean(math.nan, math.inf, 0)
        r, r0 = one.x / n, other.x / n0
        names = ("starter_x_base_starter", "starter_x_base_decided", "decided_x_base_starter", "decided_x_base_decided")
        s_s0, s_n0, n_s0, n_n0 = (float(own[self._at[name]]) for name in names)
        var = (one.x_sq - 2 * r * one.x_n + r * r * one.n_sq) / n**2
        var += (other.x_sq - 2 * r0 * other.x_n + r0 * r0 * other.n_sq) / n0**2
        both = (s_s0 - r0 * s_n0 - r * n_s0 + r * r0 * n_n0) / (n * n0)
        var = max(var - 2 * both, 0.0) + 2 * (ONE_HAND / max(n, n0)) ** 2
        return within(from_mean(float(r - r0), math.sqrt(var * self.deals / max(self.deals - 1, 1)), self.deals), -1, 1)

    def starter_share(self, rule: int) -> Estimate:
        """Share of the hands (of the decided ones, where the game counts these) won by the starter under rule ``rule``."""
        if "starter" not in self.game.measures:
            return self.value(rule, "seat_0")
        parts = [share_of_pairs(sums) for tally in self.tallies.values() if (sums := self._ratio(tally[rule])).n]
        return mean_of_estimates(parts) if parts else Estimate(math.nan, 0.0, 1.0, math.inf)

    def table(self) -> pd.DataFrame:
        """One row for each variant and measure: base, variant, difference with its interval, p-values.

        ``p`` is that of "no difference", ``p_holm`` the same adjusted by Holm's method for the number of variants and
        measures, ``clear`` whether that is up to 0.05.
        """
        import pandas as pd

        rows: list[tuple[Any, ...]] = []
        for rule, variant in enumerate(self.variants, 1):
            for measure in self._there(rule):
                e = self.difference(rule, measure)
                levels = self.level(0, measure), self.level(rule, measure)
                rows.append((variant, measure, *levels, e.value, e.low, e.high, p_value(e)))
        table = pd.DataFrame(rows, columns=["variant", "measure", "base", "value", "difference", "low", "high", "p"])
        adjusted = holm(table["p"].tolist())
        return table.assign(p_holm=adjusted, clear=[p <= ALPHA for p in adjusted])

    def _there(self, rule: int) -> list[str]:
        """The measures but those of seats that a rule does not have."""
        absent = {f"seat_{seat}" for seat in range(self.players(rule), 99)}
        return [measure for measure in self.measures if measure not in absent]

    def by_strategy(self) -> pd.DataFrame:
        """A row for each strategy alone, rule and measure: value and difference from the base, with intervals if known."""
        import pandas as pd

        rows = []
        for number, strategy in enumerate(self.strategies):
            for rule, name in enumerate((self.base, *self.variants)):
                for measure in self._there(rule):
                    v, d = self.value(rule, measure, number), self.difference(rule, measure, number)
                    known = (v.low, v.high) if math.isfinite(v.se) else (math.nan, math.nan)
                    rows.append((strategy, name, measure, v.value, *known, d.value, d.low, d.high))
        columns = ["strategy", "rules", "measure", "value", "low", "high", "difference", "difference_low", "difference_high"]
        return pd.DataFrame(rows, columns=columns)

    def summary(self) -> pd.DataFrame:
        """Differences by variant (rows) and measure (columns)."""
        wide = self.table().pivot(index="variant", columns="measure", values="difference")
        return wide.reindex(index=list(self.variants), columns=self.measures)

    def best(self) -> pd.DataFrame:
        """Which strategy comes out best under each rule by the criterion: means against the others, its lead, other leaders.

        ``clear`` says whether the intervals of the first two do not touch, ``otherwise`` which other measures clearly favour
        another strategy.
        """
        import pandas as pd

        rows: list[dict[str, Any]] = []
        for rule, name in enumerate((self.base, *self.variants)):
            means = [self.against_field(rule, i) for i in range(len(self.strategies))]
            order = sorted(range(len(means)), key=lambda i: -means[i].value)
            first, second = order[:2]
            row: dict[str, Any] = {"rules": name, "best": self.strategies[first]}
            for measure in self.sided:
                e = self.against_field(rule, first, measure)
                row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
            row |= {"second": self.strategies[second], f"second_{self.criterion}": means[second].value}
            clear = means[first].low > means[second].high
            rows.append(row | {"clear": clear, "otherwise": ", ".join(of.measure for of in self._leaders(rule) if of.apart)})
        return pd.DataFrame(rows)

    def _leaders(self, rule: int) -> list[Leader]:
        """Who clearly leads by other measures under a rule."""

        def figures(measure: str) -> list[Estimate]:
            return [self.against_field(rule, i, measure) for i in range(len(self.strategies))]

        return leaders_otherwise(self.strategies, self.criterion, self.others, figures)

    def against_field(self, rule: int, i: int, measure: str | None = None) -> Estimate:
        """A measure (the criterion, unless another is named) of strategy ``i`` against the others under rule ``rule``."""
        others = [j for j in range(len(self.strategies)) if j != i]
        return mean_of_estimates([self._against(rule, i, j, measure or self.criterion) for j in others])

    def _against(self, rule: int, i: int, j: int, measure: str) -> Estimate:
        if i > j:
            return opposite(COMPARED[measure], self._against(rule, j, i, measure))
        key = pairing_key(i, j)
        if measure == "points_per_hand":
            own = self.tallies[key][rule]
            points, squares = (int(own[self._at[name]]) for name in ("own_points", "own_points_sq"))
            return mean_of_pairs(points, squares, self.deals)
        hands, games = (
            as_dict(SIDES_OF[phase], self.sides[phase][key][rule] if phase in self.sides else np.zeros(len(SIDES_OF[phase]), int))
            for phase in SIDES_OF
        )
        rules = (self.base, *self.variants)[rule]
        found: Estimate = getattr(Comparison(self.strategies[i], self.strategies[j], rules, self.seed, hands, games), measure)
        return found

    def verdict(self) -> str:
        """What changes most, and whether the best strategy changes, in a sentence or two."""
        asked = self.about if self.about in self.measures else None
        heads = [asked] if asked else [name for name in self.game.headline if name in self.measures]
        text = " ".join(self._starter_verdict() if name == "starter" else self._most(name) for name in heads)
        text = f"{text} {told_gaps(self, heads[0])}".strip()
        if self.game.alone:
            return text if asked else f"{text} {self._blocked()}".strip()
        if len(self.strategies) > 1:
            best = self.best()
            others: dict[str, list[str]] = {}
            for row in best.iloc[1:].itertuples():
                if row.best != best["best"][0] and row.clear:
                    others.setdefault(str(row.best), []).append(str(row.rules))
            changed = [f"{name} under {joined(rules)}" for name, rules in others.items()]
            by = f" by {self.judged.label}" if len(self.sided) > 1 else ""
            text += f" The best of the given strategies{by} is {best['best'][0]} under {self.base}"
            text += f"; but {', '.join(changed)}." if changed else ", and no variant clearly changes that."
            text += disagreement_of_leaders(self.criterion, best["best"][0], self._leaders(0), self.base)
        return text if asked or "starter" not in self.measures else f"{text} {self._starter_verdict()}"

    def clearly_changed(self, measure: str) -> list[tuple[int, Estimate]]:
        """Rules that clearly change a measure, by their numbers, and how much: the largest change first.

        Clear is what is so for all variants together (Holm's correction), and the intervals hold for all of them at once
        (`simultaneous`): who looks for the largest change among many finds one by chance, too.
        """
        changes = [(rule, self.difference(rule, measure)) for rule in range(1, 1 + len(self.variants))]
        shown = holm([p_value(e) for _, e in changes])
        clear = [(rule, simultaneous(e, len(changes))) for (rule, e), p in zip(changes, shown, strict=True) if p <= ALPHA]
        return sorted(clear, key=lambda item: -abs(item[1].value))

    def _most(self, measure: str) -> str:
        of, clear = self.measured(measure), self.clearly_changed(measure)
        if not clear:
            return f"No variant is found to change the {of.label} under {self.base}."
        (first, e), others = clear[0], clear[1:]
        least = min(abs(e.low), abs(e.high))
        near = [self.variants[rule - 1] for rule, other in others if max(abs(other.low), abs(other.high)) >= least]
        told, low, high = map(replace(of, signed=True).number_text, (e.value, e.low, e.high))
        base, name = of.value_text(self.level(0, measure)), self.variants[first - 1]
        interval = f"95 % interval {low} to {high}{', for all variants at once' if len(self.variants) > 1 else ''}"
        text = f"{name} changes the {of.label} most: {told} ({interval}) from {base} under {self.base}"
        if near:
            text += f"; {near[0] if len(near) == 1 else f'{len(near)} others'} cannot be told apart from it in that"
        return f"{text}."

    def _blocked(self) -> str:
        """How often nobody wins, and under which rules most."""
        if "blocked" not in self.measures:
            return ""
        worst = max(range(1 + len(self.variants)), key=lambda rule: self.level(rule, "blocked"))
        own, most = (self.measured("blocked").text(self.value(rule, "blocked")) for rule in (0, worst))
        text = f"Under {self.base}, {own} of the hands have no winner"
        return f"{text}; the largest share is under {self.variants[worst - 1]}: {most}." if worst else f"{text}."

    def _starter_verdict(self) -> str:
        shares = [(self.starter_share(rule), name) for rule, name in enumerate((self.base, *self.variants))]
        (e, _), others = shares[0], shares[1:]
        if math.isnan(e.value):
            return f"No hand was decided under {self.base}."
        text = f"The starter wins {100 * e.value:.2f} % of the decided hands under {self.base}"
        text += f" ({interval_text(100 * e.low, 100 * e.high, '.2f')})"
        clear = [others[rule - 1] for rule, _ in self.clearly_changed("starter")]
        if not clear:
            return f"{text}, and no variant is found to change that."
        if self.about == "starter" and len(clear) > 1:
            ends = [end(clear, key=lambda item: item[0].value) for end in (min, max)]
            least, most = (f"{_share(e)} under {name}" for e, name in ends)
            return f"{text}; among the variants that change this, it runs from {least} to {most}."
        return f"{text}; {clear[0][1]} changes that most, to {_share(clear[0][0])}."


def _share(e: Estimate) -> str:
    return f"{100 * e.value:.2f} % ({interval_text(100 * e.low, 100 * e.high, '.2f')})"


def same_arrays(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    """Whether both hold the same arrays under the same names."""
    return one.keys() == other.keys() and all(np.array_equal(array, other[key]) for key, array in one.items())


# --- what is played ----------------------------------------------------------------------------------------------------


def check_variants(base: RulesModel, variants: Any) -> list[RulesModel]:
    """At least one, none twice, none equal to the base.

    A variant that starts with a bracket is a change of the base: ``(knock_limit=5)``.
    """
    found: list[RulesModel] = []
    for given in listed("variants", variants, "rules"):
        try:
            changed = isinstance(given, str) and given.lstrip().startswith("(")
            rules = base.replace(**parse_spec(f"base{given.strip()}").args) if changed else type(base).parse(given)
        except InputError as error:
            raise InputError(f"variants: {str(error).removeprefix('rules: ')}") from None
        if rules == base:
            raise InputError(f"variants: {brief(str(given))} is the base itself")
        if rules in found:
            raise InputError(f"variants: {brief(str(given))} is listed twice")
        found.append(rules)
    if not found:
        raise InputError("variants: none given; an effect needs at least 1")
    return found


def variants_field(value: list[Any], info: Any) -> list[Any]:
    """The variants of a file, each of which is told if it is wrong."""
    if value and "rules" in info.data:  # or the base is wrong, which is told anyway
        base, wrong = info.data["rules"], []
        for variant in value:
            try:
                check_variants(base, [variant])
            except InputError as error:
                wrong.append(str(error))
        if wrong:
            raise InputError("\n".join(wrong))
        check_variants(base, value)
    return value


class EffectExperiment(JudgedExperiment):
    """What each of ``variants`` changes against ``rules``; a variant may be written ``(field=value)``."""

    BECOMES = FULLY
    WORDS = JudgedExperiment.WORDS | {"about"}

    kind: Literal["effect"] = "effect"
    deals: int = Field(20_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands for each pairing and each rule")
    variants: list[str] = Field(
        min_length=1, max_length=MOST_LISTED, description="rules, or changes to the base such as (knock_limit=5)"
    )
    strategies: list[Player] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies that play")
    adapt: Literal["knock", "play"] | None = Field(
        None, exclude=True, description=f"{SOLVED}; 'play': a player is trained under each"
    )

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("strategies", value, "; each plays itself in any case")

    about: str | None = Field(None, description="the measure that the answer is about: points, turns, starter …")

    _variants = field_validator("variants")(variants_field)

    @model_validator(mode="after")
    def _measured(self) -> Self:
        names = (*self.game.measures, *(self.game.game_measures if self.game_pairs else ()))
        if self.about and self.about not in names:
            raise InputError(f"about: {shown(self.about)} is not measured; {suggest(self.about, names)}")
        return self

    @model_validator(mode="after")
    def _some_to_judge(self) -> Self:
        if self.by and (self.game.alone or len(self.strategies) < 2):
            raise InputError(f"by: {self.by!r} says which of several strategies is best, and here none meet; leave it out")
        return self

    @property
    def unit(self) -> str:
        """What its works count, in words."""
        return "deals" if self.game.alone else super().unit

    def field(self) -> Sequence[Strategy]:
        return self.strategies

    def _pairings(self) -> list[tuple[int, int]]:
        n = range(len(self.strategies))
        return [(i, i) for i in n] if self.game.alone else list(itertools.combinations_with_replacement(n, 2))

    def works(self) -> list[Work]:
        """Those of all pairings of strategies, mirrors included, each on deals of its own; or of each strategy alone."""
        works: list[Work] = []
        variants, alone = tuple(check_variants(self.rules, self.variants)), self.game.alone
        for number, (i, j) in enumerate(self._pairings()):
            players = (self.strategies[i],) if alone else (self.strategies[i], self.strategies[j])
            for phase, count in ((HANDS, self.deals), (GAMES, self.game_pairs)):
                if count:
                    of = players, self.rules, self.seed, phase, number * count, count, f"{i}-{j}"
                    seating = ALONE if alone else SIDES
                    works.append(EffectWork(*of, seating=seating, variants=variants, sides=not alone and i != j))
        return works

    def result(self, tallies: Tallies, **more: Any) -> Effect:
        variants = check_variants(self.rules, self.variants)
        widths = {HANDS: len(self.game.effect_sums), GAMES: len(GAME_SUMS)}
        by_phase: dict[str, dict[str, np.ndarray]] = {HANDS: {}, GAMES: {}}
        sides: dict[str, dict[str, np.ndarray]] = {}
        for (key, phase), tally in sorted(tallies.sums.items()):
            own, by_side = np.split(tally.reshape(1 + len(variants), -1), [widths[phase]], axis=1)
            by_phase[phase][key] = own
            if by_side.size:
                sides.setdefault(phase, {})[key] = by_side
        names, players = tuple(map(str, variants)), tuple(map(str, self.strategies))
        of = str(self.rules), names, players, self.seed, self.own_deals, self.own_games
        return Effect(*of, by_phase[HANDS], by_phase[GAMES], by=self.by, sides=sides, about=self.about, **more)


def effect(
    base: str | RulesModel,
    variants: Sequence[str | RulesModel],
    strategies: str | Strategy | Sequence[str | Strategy] | None = None,
    deals: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    progress: Progress | None = None,
    adapt: str | None = None,
    by: str | None = None,
    about: str | None = None,
) -> Effect | Any:
    """Measure what each variant changes against the base rules.

    Parameters
    ----------
    base : str or Rules
    variants : sequence of str or Rules
        ``"oklahoma"``, or fields to change in the base: ``"(knock_limit=5)"``.
    strategies : sequence of str or Strategy
        Every pairing of them is played, each against itself too; the game's plain player unless they are given.
    deals, games : int
        Duplicate pairs of hands and games for each pairing and each rule; 50,000 and games a tenth of the deals by default.
    seed, workers, progress
        As in `compare`.
    adapt : 'knock', optional
        Solve the knock of each strategy under all of the rules, and show what changes before it is adapted and after: the result
        is an `Adaptation` (`ginsim.study.adaptation`), of 100,000 deals by default and no games. For players who adapt all they
        do: `ginsim.retrain`.
    by : {'games_won', 'margin_per_game', 'points_per_hand'}, optional
        Which of several strategies is best under each rule: by games won unless no games are played, then by points per hand.
    about : str, optional
        The measure that the question is about, such as ``starter``: the answer is about it alone.

    Examples
    --------
    >>> found = effect("classic25", ["(knock_limit=5)"], ["simple"], deals=300, games=0)
    >>> found.difference(1, "turns").low > 0
    True
    """
    if adapt == "play":
        raise InputError("adapt: 'play' is not allowed here, for players are trained in a folder; use ginsim.retrain")
    players = [game_of(base).plain_player] if strategies is None else strategies
    given = 50_000 if deals is None and adapt is None else deals
    settings = {"rules": base, "variants": variants, "strategies": players, "deals": given, "games": games}
    of = built("effect", **settings, seed=seed, adapt=adapt, by=by, about=about)
    result: Effect | Any = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------

EffectSums = dict[str, dict[str, dict[str, dict[str, int]]]]
"""Pairing key -> phase -> rules -> name of the sum -> sum."""


class Variant(BaseModel):
    """A variant as a manifest keeps it."""

    changes: dict[str, Any]


class EffectManifest(JudgedManifest):
    """What an effect is rebuilt from."""

    variants: list[Variant] = Field(min_length=1)
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=0, le=MOST_DEALS)
    about: str | None = None


def _text(effect: Effect) -> str:
    rules, unmeasured = (effect.base, *effect.variants), _later_sums(effect.game, effect.unmeasured)
    sided = [phase for phase in SIDES_KEPT if phase in effect.sides]

    def named(tally: np.ndarray, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
        rows = [dict(zip(names, row, strict=True)) for row in tally.tolist()]
        return {
            rule: {name: value for name, value in row.items() if name not in unmeasured}
            for rule, row in zip(rules, rows, strict=True)
        }

    sums = {
        key: {
            HANDS: named(tally, effect.game.effect_sums),
            GAMES: named(effect.game_tallies[key], GAME_SUMS) if effect.games else {},
            **{SIDES_KEPT[of]: named(effect.sides[of][key], SIDES_OF[of]) for of in sided if key in effect.sides[of]},
        }
        for key, tally in effect.tallies.items()
    }
    return json.dumps(sums, indent=1) + "\n"


def _bring(sums: Any, version: int) -> Any:
    """Of the table game the sums once were of each strategy by its number, of hands only; before 3 none were by side."""
    if version < 2 and isinstance(sums, dict) and all(key.isdigit() for key in sums):
        sums = {f"{key}-{key}": {HANDS: own, GAMES: {}} for key, own in sums.items()}
    return with_later_sums(sums, version)


def kept_variants(base: RulesModel, variants: Sequence[Any]) -> list[Any]:
    """The rules that a manifest keeps by their changes to the base."""
    return [base.of_fields(base.model_dump() | variant.changes) for variant in variants]


def _rebuilt(folder: Path, manifest: EffectManifest, sums: EffectSums, **more: Any) -> Effect:
    path, rules = folder / TALLIES, manifest.played
    base, game, n = str(rules), game_of(rules), range(len(manifest.strategies))
    deals = {HANDS: manifest.deals, GAMES: manifest.games}
    variants = tuple(map(str, kept_variants(rules, manifest.variants)))
    keys = [f"{i}-{j}" for i, j in itertools.combinations_with_replacement(n, 2) if i == j or not game.alone]
    same_names(path, "pairing", set(sums), set(keys))

    def array(key: str, phase: str, names: tuple[str, ...]) -> np.ndarray:
        of = sums[key][phase]
        if phase == HANDS:
            of = {rule: named | dict.fromkeys(later.difference(named), 0) for rule, named in of.items()}
        return kept_rows(path, f"{key}: {phase}", "rules", of, (base, *variants), names, deals[phase])

    for key in keys:
        same_names(path, f"{key}: phase", set(sums[key]) - set(SIDES_KEPT.values()), {HANDS, GAMES})
    unmeasured = _unmeasured(game, [own for key in keys for own in sums[key][HANDS].values()])
    later = _later_sums(game, unmeasured)
    hands = {key: array(key, HANDS, game.effect_sums) for key in keys}
    games = {key: array(key, GAMES, GAME_SUMS) for key in keys} if manifest.games else {}
    of = base, variants, tuple(manifest.strategies), manifest.seeds, manifest.deals, manifest.games
    sides = _kept_sides(path, sums, (base, *variants), deals)
    return Effect(*of, hands, games, unmeasured, by=manifest.by, sides=sides, about=manifest.about, **more)


def _kept_sides(path: Path, sums: EffectSums, rules: Sequence[str], pairs: dict[str, int]) -> dict[str, dict[str, np.ndarray]]:
    """What each side won in the pairings of different strategies; nothing if an older version kept none of it."""
    found: dict[str, dict[str, np.ndarray]] = {}
    for phase, kept in SIDES_KEPT.items():
        keys = {key for key, own in sums.items() if kept in own}
        if not keys:
            continue
        same_names(path, f"{kept}: pairing", keys, {key for key in sums if len(set(key.split("-"))) == 2})
        for key in keys:
            same_names(path, f"{key}: {kept}: rules", set(sums[key][kept]), set(rules))
            for rule, own in sums[key][kept].items():
                where, names = f"{key}: {kept}: {rule}", SIDES_OF[phase]
                squares = {name: f"{name}_sq" for name in names if f"{name}_sq" in names}
                check_sums_of(path, where, own, names, squares, pairs[phase], signed=("points", "margin"))
                check_at_most(f"{path}: {where}", own, "won", "decided")
                check_at_most(f"{path}: {where}", own | {"plays": 2 * own["pairs"]}, "decided", "plays")
                if own["pairs"] != pairs[phase]:
                    raise InputError(f"results: {path}: {where}: pairs={own['pairs']} is impossible with {pairs[phase]} played")
        rows = {key: [[sums[key][kept][rule][name] for name in SIDES_OF[phase]] for rule in rules] for key in sorted(keys)}
        found[phase] = {key: np.array(own, np.int64) for key, own in rows.items()}
    return found


def kept_rows(
    path: Path,
    where: str,
    what: str,
    kept: dict[str, dict[str, int]],
    rows: Sequence[str],
    names: Sequence[str],
    pairs: int,
) -> np.ndarray:
    """The sums ``names`` of ``rows``, the base first, if they are possible: int64[rows, names]; ``what`` the rows are."""
    same_names(path, f"{where}: {what}", set(kept), set(rows))
    for row, named in kept.items():
        same_names(path, f"{where}: {row}: sum", set(named), set(names))
    for row, named in kept.items():
        _check(f"{path}: {where}: {row}", named, kept[rows[0]], pairs)
    return np.array([[kept[row][name] for name in names] for row in rows], np.int64)


def _later_sums(game: Game, measures: Sequence[str]) -> set[str]:
    """The sums that are kept of measures."""
    return {f"{name}{more}" for name in measures for more in ("", "_sq", "_difference_sq")}.intersection(game.effect_sums)


def _unmeasured(game: Game, kept: Sequence[dict[str, int]]) -> tuple[str, ...]:
    """Measures that came later than these sums: nothing is kept of them anywhere, and no other figure takes them."""
    free = [name for name in game.measures if name not in game.headline and game.measures[name].kind != "ratio"]
    return tuple(name for name in free if not any(_later_sums(game, [name]) & own.keys() for own in kept))


def _check(where: str, own: dict[str, int], base: dict[str, int], pairs: int) -> None:
    """The sums of one rule beside those of the base."""
    check_counts_of(where, own, signed=("own_points",))
    if "starter" in own:
        check_at_most(where, own, "starter", "decided")
    for name in own:
        if f"{name}_sq" in own:
            check_squares(where, name, own[name], own[f"{name}_sq"], pairs)
        if (squares := own.get(f"{name}_difference_sq")) is not None:
            check_squares(where, f"{name}_difference", own[name] - base[name], squares, pairs)


def _facts(e: Effect) -> dict[str, Any]:
    return {"variants": told_variants(e.base, e.variants)} | told_by(e) | ({"about": e.about} if e.about else {})


def changes_of(base: str, variant: str) -> dict[str, Any]:
    """The fields in which a variant differs from its base, with the variant's values."""
    fields, own = rules_of(base).model_dump(), rules_of(variant).model_dump()
    return {name: value for name, value in own.items() if value != fields[name]}


def told_variants(base: str, variants: Sequence[str]) -> list[dict[str, Any]]:
    """What a manifest says of variants (`Variant`)."""
    return [{"spec": variant, "changes": changes_of(base, variant)} for variant in variants]


register(
    "effect", experiment=EffectExperiment, result=Effect, text=_text, manifest=EffectManifest, sums=EffectSums, build=_rebuilt,
    facts=_facts, version=3, bring=_bring,
)  # fmt: skip
