"""Studies of the table game: two strategies at a table, a round robin of such tables, and what rules change."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, listed
from ginsim.games.gin.count import as_dict
from ginsim.games.plugin import check_each_once
from ginsim.games.table import records as H
from ginsim.games.table.count import EFFECT_TALLY, GAME_TALLY, MEASURES, SCALES, TABLE_TALLY, TURN_PARTS
from ginsim.games.table.play import TableEffectWork, TableWork
from ginsim.games.table.rules import TableRules
from ginsim.games.table.spec import TableStrategy
from ginsim.inference.estimates import (
    GAME_UNIT,
    ONE_HAND,
    POINTS_UNIT,
    TURNS_UNIT,
    Estimate,
    RatioSums,
    interval_text,
    mean_of_estimates,
    mean_of_pairs,
    share_of_pairs,
    within,
)  # fmt: skip
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work
from ginsim.specs import parse_spec
from ginsim.study.compare import Comparison, check_counts, endings_table
from ginsim.study.result import Result
from ginsim.study.tournament import Tournament, pairing_key

if TYPE_CHECKING:
    import pandas as pd

SHOWN = ("claims", "multi_draws", "blocked")
"""What a comparison's summary tells of the hands besides who won."""
_SIZE = len(MEASURES)


def is_share(measure: str) -> bool:
    """Whether a measure is a share of the hands."""
    return MEASURES[measure].endswith("(share)")


def _unit(measure: str) -> float:
    """What a play that comes out otherwise usually changes, as the sums count it."""
    return POINTS_UNIT if measure == "points" else {"turns": TURNS_UNIT, "own_turns": TURN_PARTS}.get(measure, ONE_HAND)


def _of_measure(measure: str, total: int, squares: int, deals: int, plays: int) -> Estimate:
    """A measure's mean over the plays of so many deals: a share of them with Wilson's interval, or with Student's."""
    if is_share(measure):
        return share_of_pairs(RatioSums(total, squares, plays * deals, plays * plays * deals, plays * total, deals))
    return mean_of_pairs(total, squares, deals, plays, unit=_unit(measure))


def _scaled(measure: str, e: Estimate) -> Estimate:
    return Estimate(*(SCALES[measure] * x for x in (e.value, e.low, e.high, e.se)))


@dataclass(frozen=True)
class TableComparison(Comparison):
    """Two strategies at one table, seated alternately: figures from the side of ``a``, all its seats together.

    A duplicate pair is a deal played twice, the second time with the sides changed on every seat.
    """

    @property
    def players(self) -> int:
        """Seats at the table."""
        return TableRules.parse(self.rules).players

    @cached_property
    def points_per_hand(self) -> Estimate:
        """Points of ``a`` per hand and seat; those of ``b`` are the same with the other sign."""
        t = self.hands_tally
        return mean_of_pairs(t["points"], t["points_sq"], t["pairs"], self.players, unit=0 if self._cancels else POINTS_UNIT)

    @cached_property
    def margin_per_game(self) -> Estimate:
        """Score of ``a`` at the end of a game, per seat; unknown (nan) if no game was finished."""
        t = self.games_tally
        unit = 0 if self._mirror and not t["margin_sq"] else GAME_UNIT
        return mean_of_pairs(t["margin"], t["margin_sq"], t["pairs"] if t["decided"] else 0, self.players, unit=unit)

    def measure(self, name: str) -> Estimate:
        """One of ``ginsim.games.table.count.MEASURES``, over all hands."""
        t, key = self.hands_tally, "winner_points" if name == "points" else name
        return _scaled(name, _of_measure(name, t[key], t[f"{key}_sq"], t["pairs"], 2))

    def seats(self) -> pd.DataFrame:
        """Share of all hands won from each seat (0 starts), with 95 % intervals."""
        import pandas as pd

        rows = [(seat, self.measure(f"seat_{seat}")) for seat in range(self.players)]
        return pd.DataFrame([(seat, e.value, e.low, e.high) for seat, e in rows], columns=["seat", "share", "low", "high"])

    def endings(self) -> pd.DataFrame:
        """How the hands ended: hands, share of all hands with its interval, mean points, by ending and winner."""
        return endings_table(self, H.ENDINGS, ("blocked",))

    def summary(self) -> pd.DataFrame:
        """The main figures, one a row: measure, estimate, low, high."""
        import pandas as pd

        more = [(MEASURES[name].removesuffix(" (share)"), self.measure(name)) for name in SHOWN]
        rows = [(name, e.value, e.low, e.high) for name, e in more]
        table = pd.DataFrame(rows, columns=["measure", "estimate", "low", "high"]).set_index("measure")
        return pd.concat([super().summary(), table])


@dataclass(frozen=True)
class TableTournament(Tournament):
    """A round robin of tables: in each pairing two strategies sit alternately (`TableComparison`)."""


@dataclass(frozen=True)
class TableEffect(Result):
    """The result of `effect` for the table game: what each variant of the rules changes, a strategy playing all seats.

    Attributes
    ----------
    base : str
    variants, strategies : tuple of str
    deals : int
        Deals for each strategy and each rule; each is played once, on the same deck under all rules.
    tallies : mapping of str to int64 array
        By number of the strategy, one row a rule, the base first (``ginsim.games.table.count.EFFECT_TALLY``).
    """

    base: str
    variants: tuple[str, ...]
    strategies: tuple[str, ...]
    seed: int | tuple[int, ...]
    deals: int
    tallies: dict[str, np.ndarray]
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableEffect):
            return NotImplemented
        names = ("base", "variants", "strategies", "seed", "deals")
        same = all(getattr(self, name) == getattr(other, name) for name in names) and self.tallies.keys() == other.tallies.keys()
        return same and all(np.array_equal(tally, other.tallies[key]) for key, tally in self.tallies.items())

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return self.deals * (1 + len(self.variants)) * len(self.strategies)

    @property
    def measures(self) -> list[str]:
        """Names of what was measured."""
        return list(MEASURES)

    def players(self, rule: int) -> int:
        """Players under rule number ``rule``, 0 being the base."""
        return TableRules.parse((self.base, *self.variants)[rule]).players

    def value(self, rule: int, measure: str, strategy: int | None = None) -> Estimate:
        """A measure under rule number ``rule`` with its interval: of one strategy's tables, or the mean over them."""

        def own(sums: np.ndarray, k: int) -> Estimate:
            return _of_measure(measure, int(sums[rule, k]), int(sums[rule, _SIZE + k]), self.deals, 1)

        return self._mean(measure, strategy, own)

    def difference(self, rule: int, measure: str, strategy: int | None = None) -> Estimate:
        """Variant ``rule`` less base, with the interval of differences deal by deal."""

        def paired(sums: np.ndarray, k: int) -> Estimate:
            unit = _unit(measure)
            e = mean_of_pairs(int(sums[rule, k] - sums[0, k]), int(sums[rule, 2 * _SIZE + k]), self.deals, 1, unit=unit)
            return within(e, -1, 1) if is_share(measure) else e

        return self._mean(measure, strategy, paired)

    def differed(self, rule: int, measure: str) -> bool:
        """Whether a measure came out differently under variant ``rule`` than under the base on any deal."""
        k = 2 * _SIZE + list(MEASURES).index(measure)
        return any(sums[rule, k] > 0 for sums in self.tallies.values())

    def _mean(self, measure: str, strategy: int | None, estimate: Any) -> Estimate:
        k = list(MEASURES).index(measure)
        keys = list(self.tallies) if strategy is None else [str(strategy)]
        return _scaled(measure, mean_of_estimates([estimate(self.tallies[key], k) for key in keys]))

    def level(self, rule: int, measure: str) -> float:
        """A measure under rule number ``rule``, mean over the strategies."""
        return self.value(rule, measure).value

    def table(self) -> pd.DataFrame:
        """One row for each strategy, rule and measure: value with interval, and the difference from the base with its own.

        Seats that a rule does not have are left out.
        """
        import pandas as pd

        rows = []
        for number, strategy in enumerate(self.strategies):
            for rule, name in enumerate((self.base, *self.variants)):
                absent = {f"seat_{seat}" for seat in range(self.players(rule), 6)}
                for measure in (m for m in MEASURES if m not in absent):
                    v, d = self.value(rule, measure, number), self.difference(rule, measure, number)
                    rows.append((strategy, name, measure, v.value, v.low, v.high, d.value, d.low, d.high))
        columns = ["strategy", "rules", "measure", "value", "low", "high", "difference", "difference_low", "difference_high"]
        return pd.DataFrame(rows, columns=columns)

    def summary(self) -> pd.DataFrame:
        """Values by rule (rows) and measure (columns), mean over the strategies."""
        import pandas as pd

        rules = (self.base, *self.variants)
        rows = [[self.level(rule, measure) for measure in MEASURES] for rule in range(len(rules))]
        return pd.DataFrame(rows, index=list(rules), columns=list(MEASURES))

    def verdict(self) -> str:
        """What changes the length of a hand, its points and the blocked hands most, in a sentence each."""
        parts = [self._most(measure, words) for measure, words in (("own_turns", "turns of each player"), ("points", "points"))]
        share = self.value(0, "blocked")
        worst = max(range(1 + len(self.variants)), key=lambda rule: self.level(rule, "blocked"))
        most = self.value(worst, "blocked")
        text = f"Nobody wins {_percent(share)} of the hands under {self.base}"
        if worst:
            text += f"; most are blocked under {self.variants[worst - 1]}: {_percent(most)}"
        return " ".join([*parts, f"{text}."])

    def _most(self, measure: str, words: str) -> str:
        found = [(self.difference(rule, measure), name) for rule, name in enumerate(self.variants, 1)]
        clear = [(e, name) for e, name in found if e.decided]
        if not clear:
            return f"No variant is seen to change the {words} per hand under {self.base}."
        e, name = max(clear, key=lambda item: abs(item[0].value))
        return (
            f"{name} changes the {words} per hand most: {e.value:+.2f} ({interval_text(e.low, e.high, '+.2f')}) from "
            f"{self.level(0, measure):.2f} under {self.base}."
        )

    def plot(self, ax: Any = None) -> Any:
        """Differences in points per hand with intervals; returns the matplotlib axes."""
        from ginsim.report.plots import differences

        return differences(self, ("points",), ax)  # type: ignore[arg-type]


def _percent(e: Estimate) -> str:
    return f"{100 * e.value:.2f} % ({interval_text(100 * e.low, 100 * e.high, '.2f')})"


# --- what is played ----------------------------------------------------------------------------------------------------


def check_players(strategies: Any, least: int) -> tuple[TableStrategy, ...]:
    """The strategies of a study: at least so many, none twice."""
    field = tuple(TableStrategy.parse(strategy) for strategy in listed("strategies", strategies, "strategies"))
    if len(field) < least:
        raise InputError(f"strategies: {len(field)} given; at least {least} are needed")
    check_each_once("strategies", field, "; each may enter only once")
    return field


def table_works(
    field: Sequence[TableStrategy], rules: TableRules, deals: int, games: int, seed: int
) -> list[Work]:
    """The works of all pairings, each on deals and games of its own."""
    works: list[Work] = []
    for number, (i, j) in enumerate(itertools.combinations(range(len(field)), 2)):
        for phase, count in ((HANDS, deals), (GAMES, games)):
            if count:
                works.append(TableWork(field[i], field[j], rules, seed, phase, number * count, count, pairing_key(i, j)))
    return works


def table_comparison(
    tallies: Tallies, a: TableStrategy, b: TableStrategy, rules: TableRules, seed: int, key: str = "0-1", **more: Any
) -> TableComparison:
    """The comparison that the tallies of ``key`` amount to."""
    hands = tallies.sums.get((key, HANDS), np.zeros(len(TABLE_TALLY), np.int64))
    games = tallies.sums.get((key, GAMES), np.zeros(len(GAME_TALLY), np.int64))
    return TableComparison(str(a), str(b), str(rules), seed, as_dict(TABLE_TALLY, hands), as_dict(GAME_TALLY, games), **more)


def table_tournament(
    tallies: Tallies, field: Sequence[TableStrategy], rules: TableRules, seed: int, **more: Any
) -> TableTournament:
    """The tournament that the tallies amount to."""
    pairings: dict[tuple[int, int], Comparison] = {
        (i, j): table_comparison(tallies, field[i], field[j], rules, seed, pairing_key(i, j))
        for i, j in itertools.combinations(range(len(field)), 2)
    }
    return TableTournament(tuple(map(str, field)), str(rules), seed, pairings, **more)


def effect_works(
    base: TableRules, variants: Sequence[TableRules], field: Sequence[TableStrategy], deals: int, seed: int
) -> list[Work]:
    """The works of an effect: one for each strategy, on deals of its own."""
    return [
        TableEffectWork(player, player, base, seed, HANDS, number * deals, deals, str(number), variants=tuple(variants))
        for number, player in enumerate(field)
    ]


def table_effect(
    tallies: Tallies, base: TableRules, variants: Sequence[TableRules], field: Sequence[TableStrategy], deals: int, seed: int,
    **more: Any,
) -> TableEffect:  # fmt: skip
    """The effect that the tallies amount to."""
    rules = 1 + len(variants)
    sums = {key: tally.reshape(rules, len(EFFECT_TALLY)) for (key, _), tally in sorted(tallies.sums.items())}
    return TableEffect(str(base), tuple(map(str, variants)), tuple(map(str, field)), seed, deals, sums, **more)


def check_variants(base: TableRules, variants: Sequence[str | TableRules]) -> list[TableRules]:
    """At least one, none twice, none equal to the base; a variant may be a change of the base: ``(players=2)``."""
    found: list[TableRules] = []
    for given in listed("variants", variants, "rules"):
        try:
            if isinstance(given, str) and given.lstrip().startswith("("):
                rules = base.replace(**parse_spec(f"base{given.strip()}").args)
            else:
                rules = TableRules.parse(given)
        except InputError as error:
            raise InputError(f"variants: {str(error).removeprefix('rules: ')}") from None
        if rules == base or rules in found:
            raise InputError(f"variants: {given} is {'the base itself' if rules == base else 'listed twice'}")
        found.append(rules)
    if not found:
        raise InputError("variants: none given; an effect needs at least 1")
    return found


def compare_at_table(
    a: str | TableStrategy,
    b: str | TableStrategy,
    rules: str | TableRules = "house",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    progress: Progress | None = None,
) -> TableComparison:
    """Play ``a`` against ``b`` at one table, seated alternately; ``ginsim.compare`` does so under ``house`` rules.

    Parameters
    ----------
    a, b : str or TableStrategy
    rules : str or TableRules
    deals, games : int
        Each is played twice, with the sides changed on every seat; games a tenth of the deals by default.
    seed, workers, progress
        As in ``ginsim.compare``.

    Examples
    --------
    >>> result = compare_at_table("table_greedy", "table_greedy", "house(players=3)", deals=20, games=0)
    >>> float(result.points_per_hand), float(result.hands_won)
    (0.0, 0.5)
    """
    field, played = (TableStrategy.parse(a), TableStrategy.parse(b)), TableRules.parse(rules)
    deals, games, seed = check_counts(deals, games, seed)
    tallies = execute(table_works(field, played, deals, games, seed), workers, progress)
    return table_comparison(tallies, *field, played, seed)


def tournament_at_table(
    strategies: Sequence[str | TableStrategy],
    rules: str | TableRules = "house",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    progress: Progress | None = None,
) -> TableTournament:
    """Play a round robin of tables; the parameters are those of `compare_at_table`."""
    field, played = check_players(strategies, 2), TableRules.parse(rules)
    deals, games, seed = check_counts(deals, games, seed)
    tallies = execute(table_works(field, played, deals, games, seed), workers, progress)
    return table_tournament(tallies, field, played, seed)


def effect_at_table(
    base: str | TableRules,
    variants: Sequence[str | TableRules],
    strategies: Sequence[str | TableStrategy] = ("table_greedy",),
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> TableEffect:
    """Measure what each variant changes, each strategy playing all seats; the parameters are those of ``ginsim.effect``.

    Examples
    --------
    >>> found = effect_at_table("house", ["(max_pile_draw=1)"], deals=200)
    >>> found.difference(1, "multi_draws").high < 0
    True
    """
    rules = TableRules.parse(base)
    others, field = check_variants(rules, variants), check_players(strategies, 1)
    deals, _, seed = check_counts(deals, 0, seed)
    tallies = execute(effect_works(rules, others, field, deals, seed), workers, progress)
    return table_effect(tallies, rules, others, field, deals, seed)
