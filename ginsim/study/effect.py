"""What a rule changes: the same deals under the base rules and under each variant, by the same strategies.

The unit is again the duplicate pair. Base and variant share the deck of each pair, so luck that both have in common drops
out of the differences, and their intervals are those of paired differences.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, brief, listed
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin.rules import Rules
from ginsim.games.plugin import check_each_once
from ginsim.games.strategy import Strategy
from ginsim.games.table.rules import is_table
from ginsim.inference.corrections import ALPHA, holm, p_value
from ginsim.inference.estimates import (
    GAME_UNIT,
    HANDS_UNIT,
    ONE_HAND,
    POINTS_UNIT,
    TURNS_UNIT,
    Estimate,
    RatioSums,
    from_mean,
    interval_text,
    mean_of_estimates,
    mean_of_pairs,
    share_of_pairs,
    within,
)  # fmt: skip
from ginsim.simulation import effecttally as T
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import BLOCK, GAMES, HANDS, Done, Work, play
from ginsim.study.compare import check_counts, gin_only
from ginsim.study.result import Result

if TYPE_CHECKING:
    import pandas as pd

MEASURES = {
    "points": "points scored per hand",
    "knock": "hands won by a knock (share)",
    "gin": "hands ending in gin (share)",
    "undercut": "hands ending in an undercut (share)",
    "dead": "hands that ended without a winner, out of stock or out of turns (share)",
    "turns": "turns per hand, both players",
    "starter": "decided hands won by the player who starts (share)",
    "hands_per_game": "hands per game",
    "game_points": "settled points by which a game is won",
}
"""What is measured, in words; the starter's share is a ratio, the others are means over hands or games."""
_GAME_MEANS = ("hands_per_game", "game_points")
_UNITS = {"points": POINTS_UNIT, "turns": TURNS_UNIT, "hands_per_game": HANDS_UNIT, "game_points": GAME_UNIT}
"""What a play that comes out otherwise usually changes, where that is not a count of hands."""
GAME_SUMS = ("hands", "hands_difference_sq", "margin", "margin_difference_sq", "unfinished")
"""Names of the sums over pairs of games: each measure, and the squares of its differences from the base."""


@dataclass(frozen=True)
class EffectWork(Work):
    """Pairs of hands or games under ``rules`` and, on the same decks, under each of ``variants``."""

    variants: tuple[Rules, ...] = ()

    def carry_out(self, keep: bool = False) -> Done:
        """Play the base and every variant; the tally holds one row a rule, the base first."""
        start = time.perf_counter()
        rows = [self._under_all(first, min(BLOCK, self.first + self.count - first)) for first in self._starts()]
        tally = np.sum(rows, axis=0).ravel() if rows else np.zeros(0, np.int64)
        return Done(self, tally, time.perf_counter() - start)

    def _starts(self) -> range:
        return range(self.first, self.first + self.count, BLOCK)

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played under all rules, given the tally."""
        rules = 1 + len(self.variants)
        return int(tally.reshape(rules, -1)[:, 0].sum()) if self.phase == GAMES else 2 * self.count * rules

    def _under_all(self, first: int, count: int) -> np.ndarray:
        records: list[Any] = [
            play(Work(self.a, self.b, rules, self.seed, self.phase, first, count), keep=True).records
            for rules in (self.rules, *self.variants)
        ]
        if self.phase == GAMES:
            return np.array([_game_sums(records[0], own) for own in records])
        out = np.zeros((len(records), T.TALLY_SIZE), np.int64)
        m, v = np.zeros(T.N, np.int64), np.zeros(T.N, np.int64)
        for i, own in enumerate(records):
            T.tally_effect(records[0], own, len(own), m, v, out[i])
        return out


def _game_sums(base: Any, own: Any) -> list[int]:
    """Hands and margins in pairs of games, each with the squared differences from the base; games stopped unfinished."""
    sums = []
    for column in (G.HANDS, G.MARGIN):
        one, other = (abs(records[0::2, column]) + abs(records[1::2, column]) for records in (own, base))
        sums += [int(one.sum()), int(((one - other) ** 2).sum())]
    return [*sums, int(own[:, G.UNFINISHED].sum())]


@dataclass(frozen=True)
class Effect(Result):
    """The result of `effect`.

    Attributes
    ----------
    base : str
    variants : tuple of str
    strategies : tuple of str
    deals, games : int
        Duplicate pairs of hands and games for each pairing of strategies and each rule.
    tallies : mapping of str to int64 array
        By pairing, one row a rule, the base first.
    """

    base: str
    variants: tuple[str, ...]
    strategies: tuple[str, ...]
    seed: int | tuple[int, ...]
    deals: int
    games: int
    tallies: dict[str, np.ndarray]
    game_tallies: dict[str, np.ndarray]
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Effect):
            return NotImplemented
        names = ("base", "variants", "strategies", "seed", "deals", "games")
        return (
            all(getattr(self, name) == getattr(other, name) for name in names)
            and same_arrays(self.tallies, other.tallies)
            and same_arrays(self.game_tallies, other.game_tallies)
        )

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), self.summary().to_string(), self.remark)))

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        hands = 2 * self.deals * (1 + len(self.variants)) * len(self.tallies)
        return hands + sum(int(tally[:, 0].sum()) for tally in self.game_tallies.values())

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """Pairs of games and those stopped unfinished, under each rule."""
        unfinished = GAME_SUMS.index("unfinished")
        rows = [row for tally in self.game_tallies.values() for row in tally]
        return [{"pairs": self.games, "unfinished": int(row[unfinished])} for row in rows]

    @property
    def measures(self) -> list[str]:
        """Names of what was measured."""
        return [name for name in MEASURES if self.games or name not in _GAME_MEANS]

    def level(self, rule: int, measure: str) -> float:
        """A measure under rule number ``rule`` (0 is the base), mean over the pairings of strategies."""
        return float(np.mean([self._level(key, rule, measure) for key in self.tallies]))

    def _level(self, key: str, rule: int, measure: str) -> float:
        if measure in _GAME_MEANS:
            return float(self.game_tallies[key][rule, 2 * _GAME_MEANS.index(measure)]) / (2 * self.games)
        sums = self.tallies[key][rule]
        if measure == "starter":
            return float(sums[T.STARTER] / sums[T.DECIDED]) if sums[T.DECIDED] else math.nan
        return float(sums[T.MEANS.index(measure)]) / (2 * self.deals)

    def difference(self, rule: int, measure: str) -> Estimate:
        """Variant ``rule`` less base, with the interval of paired differences, mean over the pairings of strategies."""
        return mean_of_estimates([self._difference(key, rule, measure) for key in self.tallies])

    def _difference(self, key: str, rule: int, measure: str) -> Estimate:
        if measure in _GAME_MEANS:
            own, base = self.game_tallies[key][rule], self.game_tallies[key][0]
            k = 2 * _GAME_MEANS.index(measure)
            return mean_of_pairs(int(own[k] - base[k]), int(own[k + 1]), self.games, unit=_UNITS[measure])
        own, base = self.tallies[key][rule], self.tallies[key][0]
        if measure == "starter":
            return self._ratio_difference(own, base)
        k = T.MEANS.index(measure)
        e = mean_of_pairs(int(own[k] - base[k]), int(own[T.DIFF_SQ + k]), self.deals, unit=_UNITS.get(measure, ONE_HAND))
        return e if measure in _UNITS else within(e, -1, 1)

    def differed(self, rule: int, measure: str) -> bool:
        """Whether a measure came out differently under variant ``rule`` than under the base on any deal."""
        if measure in _GAME_MEANS:
            k = 2 * _GAME_MEANS.index(measure) + 1
            return any(tally[rule, k] > 0 for tally in self.game_tallies.values())
        parts = [T.MEANS.index(name) for name in ((measure, "decided") if measure == "starter" else (measure,))]
        return any(tally[rule, T.DIFF_SQ + k] > 0 for tally in self.tallies.values() for k in parts)

    def _ratio_difference(self, own: np.ndarray, base: np.ndarray) -> Estimate:
        """Difference of two ratios over the same pairs, linearised (Cochran, Sampling Techniques, 1977, section 6.10)."""
        n, n0 = float(own[T.DECIDED]), float(base[T.DECIDED])
        if not n or not n0:
            return from_mean(math.nan, math.inf, 0)
        r, r0 = own[T.STARTER] / n, base[T.STARTER] / n0
        ss, sn, nn, s_s0, s_n0, n_s0, n_n0 = (float(x) for x in own[T.CROSS:])
        ss0, sn0, nn0 = (float(x) for x in base[T.CROSS : T.CROSS + 3])
        var = (ss - 2 * r * sn + r * r * nn) / n**2 + (ss0 - 2 * r0 * sn0 + r0 * r0 * nn0) / n0**2
        both = (s_s0 - r0 * s_n0 - r * n_s0 + r * r0 * n_n0) / (n * n0)
        var = max(var - 2 * both, 0.0) + 2 * (ONE_HAND / max(n, n0)) ** 2
        return within(from_mean(float(r - r0), math.sqrt(var * self.deals / max(self.deals - 1, 1)), self.deals), -1, 1)

    def starter_share(self, rule: int) -> Estimate:
        """Share of the decided hands won by the starter under rule ``rule``, mean over the pairings of strategies."""
        parts = []
        for tally in self.tallies.values():
            won, n, won_sq, won_n, n_sq = tally[rule, [T.STARTER, T.DECIDED, T.CROSS, T.CROSS + 1, T.CROSS + 2]].tolist()
            if n:
                parts.append(share_of_pairs(RatioSums(won, won_sq, n, n_sq, won_n, self.deals)))
        return mean_of_estimates(parts) if parts else Estimate(math.nan, 0.0, 1.0, math.inf)

    def table(self) -> pd.DataFrame:
        """One row for each variant and measure: base, variant, difference with its interval, p-values.

        ``p`` is that of "no difference", ``p_holm`` the same adjusted by Holm's method for the number of variants and
        measures, ``clear`` whether that is up to 0.05.
        """
        import pandas as pd

        rows: list[tuple[Any, ...]] = []
        for rule, variant in enumerate(self.variants, 1):
            for measure in self.measures:
                e = self.difference(rule, measure)
                levels = self.level(0, measure), self.level(rule, measure)
                rows.append((variant, measure, *levels, e.value, e.low, e.high, p_value(e)))
        table = pd.DataFrame(rows, columns=["variant", "measure", "base", "value", "difference", "low", "high", "p"])
        adjusted = holm(table["p"].tolist())
        return table.assign(p_holm=adjusted, clear=[p <= ALPHA for p in adjusted])

    def summary(self) -> pd.DataFrame:
        """Differences by variant (rows) and measure (columns)."""
        return self.table().pivot(index="variant", columns="measure", values="difference").loc[list(self.variants), self.measures]

    def best(self) -> pd.DataFrame:
        """Which strategy comes out best under each rule: mean points per hand against the others, and its lead."""
        import pandas as pd

        rows = []
        for rule, name in enumerate((self.base, *self.variants)):
            means = [self.against_field(rule, i) for i in range(len(self.strategies))]
            order = sorted(range(len(means)), key=lambda i: -means[i].value)
            first, second = means[order[0]], means[order[1]]
            rows.append(
                (name, self.strategies[order[0]], first.value, first.low, first.high, self.strategies[order[1]], second.value,
                 first.low > second.high)
            )  # fmt: skip
        columns = ["rules", "best", "points_per_hand", "low", "high", "second", "second_points_per_hand", "clear"]
        return pd.DataFrame(rows, columns=columns)

    def against_field(self, rule: int, i: int) -> Estimate:
        """Points per hand of strategy ``i`` against the others under rule ``rule``."""
        parts = []
        for j in range(len(self.strategies)):
            if i != j:
                own = self.tallies[f"{min(i, j)}-{max(i, j)}"][rule]
                e = mean_of_pairs(int(own[T.OWN]), int(own[T.OWN + 1]), self.deals)
                parts.append(e if i < j else -e)
        return mean_of_estimates(parts)

    def verdict(self) -> str:
        """What changes most, and whether the best strategy changes, in a sentence or two."""
        points = [(self.difference(rule, "points"), name) for rule, name in enumerate(self.variants, 1)]
        clear = [(e, name) for e, name in points if e.decided]
        if not clear:
            text = f"No variant is seen to change the points scored per hand under {self.base}."
        else:
            e, name = max(clear, key=lambda item: abs(item[0].value))
            text = (
                f"{name} changes the points scored per hand most: {e.value:+.2f} "
                f"(95 % interval {e.low:+.2f} to {e.high:+.2f}) from {self.level(0, 'points'):.2f} under {self.base}."
            )
        if len(self.strategies) > 1:
            best = self.best()
            changed = [
                f"{row.best} under {row.rules}" for row in best.iloc[1:].itertuples() if row.best != best["best"][0] and row.clear
            ]
            text += f" Best of the given strategies is {best['best'][0]} under {self.base}"
            text += f"; but {', '.join(changed)}." if changed else ", and no variant clearly changes that."
        return f"{text} {self._starter_verdict()}"

    def _starter_verdict(self) -> str:
        shares = [(self.starter_share(rule), name) for rule, name in enumerate((self.base, *self.variants))]
        (e, _), others = shares[0], shares[1:]
        if math.isnan(e.value):
            return f"No hand was decided under {self.base}."
        text = f"The starter wins {100 * e.value:.2f} % of the decided hands under {self.base}"
        text += f" ({interval_text(100 * e.low, 100 * e.high, '.2f')})"
        clear = [others[rule - 1] for rule in range(1, len(shares)) if self.difference(rule, "starter").decided]
        if not clear:
            return f"{text}, and no variant is seen to change that."
        e, name = max(clear, key=lambda item: abs(item[0].value - shares[0][0].value))
        return f"{text}; {name} changes that most, to {100 * e.value:.2f} % ({100 * e.low:.2f} to {100 * e.high:.2f})."

    def plot(self, ax: Any = None) -> Any:
        """Differences in points per hand with intervals, sorted; returns the matplotlib axes."""
        from ginsim.report.plots import differences

        return differences(self, ax=ax)


def same_arrays(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    """Whether both hold the same arrays under the same names."""
    return one.keys() == other.keys() and all(np.array_equal(array, other[key]) for key, array in one.items())


def check_players(strategies: Sequence[str | Strategy]) -> tuple[Strategy, ...]:
    """At least one strategy, none twice."""
    players = tuple(Strategy.parse(strategy) for strategy in listed("strategies", strategies, "strategies"))
    if not players:
        raise InputError("strategies: none given; an effect needs at least 1")
    check_each_once("strategies", players, "; each plays itself in any case")
    return players


def effect_works(
    base: Rules, variants: Sequence[Rules], players: Sequence[Strategy], deals: int, games: int, seed: int
) -> list[Work]:
    """The works of all pairings of strategies, mirrors included."""
    works: list[Work] = []
    pairings = itertools.combinations_with_replacement(range(len(players)), 2)
    for number, (i, j) in enumerate(pairings):
        for phase, count in ((HANDS, deals), (GAMES, games)):
            if count:
                of = players[i], players[j], base, seed, phase, number * count, count, f"{i}-{j}"
                works.append(EffectWork(*of, variants=tuple(variants)))
    return works


def effect_of(
    tallies: Tallies, base: Rules, variants: Sequence[Rules], players: Sequence[Strategy], deals: int, games: int, seed: int,
    **more: Any,
) -> Effect:  # fmt: skip
    """The effect that the tallies amount to."""
    rules = 1 + len(variants)
    hands = {key: tally.reshape(rules, T.TALLY_SIZE) for (key, phase), tally in tallies.sums.items() if phase == HANDS}
    lengths = {key: tally.reshape(rules, len(GAME_SUMS)) for (key, phase), tally in tallies.sums.items() if phase == GAMES}
    names = tuple(str(rules) for rules in variants)
    return Effect(str(base), names, tuple(str(s) for s in players), seed, deals, games, hands, lengths, **more)


def check_variants(base: Rules, variants: Sequence[str | Rules]) -> list[Rules]:
    """At least one, none twice, none equal to the base.

    A variant that starts with a bracket is a change of the base: ``(knock_limit=5)``.
    """
    found: list[Rules] = []
    for given in listed("variants", variants, "rules"):
        try:
            rules = variant_of(base, given)
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


def variant_of(base: Rules, given: str | Rules) -> Rules:
    """Rules by spec, or by the fields in which they differ from the base: ``(knock_limit=5)``."""
    if isinstance(given, str) and given.lstrip().startswith("("):
        from ginsim.specs import parse_spec

        return base.replace(**parse_spec(f"base{given.strip()}").args)
    return Rules.parse(given)


def effect(
    base: str | Rules,
    variants: Sequence[str | Rules],
    strategies: Sequence[str | Strategy] = ("simple",),
    deals: int = 50_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    progress: Progress | None = None,
) -> Effect:
    """Measure what each variant changes against the base rules.

    Parameters
    ----------
    base : str or Rules
    variants : sequence of str or Rules
        ``"oklahoma"``, or fields to change in the base: ``"(knock_limit=5)"``.
    strategies : sequence of str or Strategy
        Every pairing of them is played, each against itself too.
    deals, games : int
        Duplicate pairs of hands and games for each pairing and each rule; games a tenth of the deals by default.
    seed, workers, progress
        As in `compare`.

    Examples
    --------
    >>> found = effect("classic25", ["(knock_limit=5)"], ["simple"], deals=300, games=0)
    >>> found.difference(1, "turns").low > 0
    True
    """
    if is_table(base):
        from ginsim.study.tablestudy import effect_at_table

        gin_only({"games": games}, base)
        return effect_at_table(base, variants, strategies, deals, seed, workers, progress)  # type: ignore[arg-type, return-value]
    rules = Rules.parse(base)
    others = check_variants(rules, variants)
    players = check_players(strategies)
    deals, games, seed = check_counts(deals, games, seed)
    tallies = execute(effect_works(rules, others, players, deals, games, seed), workers, progress)
    return effect_of(tallies, rules, others, players, deals, games, seed)
