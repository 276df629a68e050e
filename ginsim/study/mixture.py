"""Any strategies together at one table, one for each seat: each deal is played with all of them moving from seat to seat.

The unit is the deal with its rotations: every strategy has every seat once with the same cards. The same strategy may have two or
more seats, and is then judged by all of them together.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from ginsim.errors import InputError
from ginsim.games.base import GAMES, HANDS, LATER_GAME_SUMS, as_dict, unit_sums
from ginsim.games.catalog import GAMES_THERE_ARE, game_of, rules_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import ALPHA, holm, p_value
from ginsim.inference.estimates import (
    GAME_UNIT,
    ONE_HAND,
    POINTS_UNIT,
    Estimate,
    RatioSums,
    mean_of_clusters,
    mean_of_pairs,
    share_of_pairs,
    table_text,
    within,
)
from ginsim.simulation.execute import Progress
from ginsim.simulation.hands import read_parts
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import ROTATED, Done, Work, session
from ginsim.study.base import Player, RulesField, carried_out, register
from ginsim.study.compare import hands_of_games, scaled
from ginsim.study.criterion import (
    Judged,
    JudgedExperiment,
    JudgedManifest,
    Leader,
    ahead_by,
    bounds,
    disagreement_of_leaders,
    said,
    told_by,
)
from ginsim.study.kept import TALLIES, check_at_most, check_counts_of, check_squares, hands_folder, same_names
from ginsim.study.measures import COMPARED, OF_GAMES
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Mixture", "MixtureExperiment", "mixture"]

KEY = "table"


def sums_of(sides: int) -> tuple[str, ...]:
    """Names of the sums over deals: what each side scored and won, and the products of every two, in hands or in games.

    Examples
    --------
    >>> sums_of(1)[5:]
    ('points_0', 'won_0', 'won_0_decided', 'points_0x0', 'won_0x0', 'hands_sq')
    """
    own = [f"{what}_{i}{more}" for i in range(sides) for what, more in (("points", ""), ("won", ""), ("won", "_decided"))]
    both = [f"{what}_{i}x{j}" for i in range(sides) for j in range(i + 1) for what in ("points", "won")]
    return ("pairs", "hands", "unfinished", "decided", "decided_sq", *own, *both, "hands_sq")


@dataclass(frozen=True)
class MixtureWork(Work):
    """Deals (or games) at one table, each played in as many rotations as there are seats."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play them; the tally has the names `sums_of`."""
        start, table = time.perf_counter(), session(self)
        tally, kept = np.zeros(len(self.sums), np.int64), []
        for records in table.blocks(self.first, self.count):
            tally += self._sums(records)
            if keep:
                kept.append(table.kept(records))
        return Done(self, tally, time.perf_counter() - start, np.concatenate(kept) if keep else None)

    @property
    def sums(self) -> tuple[str, ...]:
        """Names of its sums."""
        return sums_of(len(self.players))

    def hands_in(self, tally: np.ndarray) -> int:
        """Hands played."""
        return int(tally[1])

    def _sums(self, records: np.ndarray) -> np.ndarray:
        game, n, lineups = game_of(self.rules), len(self.players), self.lineups
        found: dict[str, Any]
        if self.phase == HANDS:
            points, winner = game.scores(records, lineups, n), game.winners(records, lineups)
            found, hands = {"unfinished": 0}, np.ones(len(records), np.int64)
        else:
            columns = {name: records[:, i] for i, name in enumerate(game.game_columns)}
            points, winner = game.margins(records, lineups, n), game.game_winners(records, lineups)
            found, hands = {"unfinished": columns["unfinished"].sum()}, columns["hands"]
        points, won = (unit_sums(x, n) for x in (points, (winner[:, None] == np.arange(n)).astype(np.int64)))
        decided, hands = unit_sums((winner >= 0).astype(np.int64), n), unit_sums(hands, n)
        found |= {"hands": hands.sum(), "hands_sq": hands @ hands}
        found |= {"pairs": len(points), "decided": decided.sum(), "decided_sq": decided @ decided}
        for i in range(n):
            found |= {f"points_{i}": points[:, i].sum(), f"won_{i}": won[:, i].sum(), f"won_{i}_decided": won[:, i] @ decided}
            for j in range(i + 1):
                found |= {f"points_{i}x{j}": points[:, i] @ points[:, j], f"won_{i}x{j}": won[:, i] @ won[:, j]}
        return np.array([int(found[name]) for name in self.sums], np.int64)


@dataclass(frozen=True)
class Mixture(Judged):
    """The result of `mixture`.

    Attributes
    ----------
    seats : tuple of str
        The strategies, one for each seat, in the order in which they sit.
    hands_tally, games_tally : mapping of str to int
        The sums `sums_of` over deals and over games.
    by : str, optional
        What better means (``ginsim.study.criterion``).
    """

    TABLE = "ranking"

    seats: tuple[str, ...]
    rules: str
    seed: int | tuple[int, ...]
    hands_tally: dict[str, int]
    games_tally: dict[str, int]
    wall_seconds: float = field(default=math.nan, compare=False)
    hands_folder: Path | None = field(default=None, compare=False)
    by: str | None = None

    @property
    def strategies(self) -> tuple[str, ...]:
        """Each strategy once."""
        return tuple(dict.fromkeys(self.seats))

    @property
    def deals(self) -> int:
        """Deals played, each once for every seat."""
        return self.hands_tally["pairs"]

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        return self.hands_tally["hands"] + self.games_tally["hands"]

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games."""
        return [self.games_tally]

    @property
    def plays(self) -> int:
        """How often each deal, or game, is played: once for every seat."""
        return len(self.seats)

    def hands(self) -> pd.DataFrame:
        """The per-hand table, if it was kept (``keep_hands``); strategies are numbered as they sit, -1 is nobody."""
        if self.hands_folder is None:
            raise InputError("hands: this mixture kept none; run it with keep_hands=FOLDER (--hands)")
        return read_parts(self.hands_folder, played=self.plays * self.deals)

    def _sides(self, strategy: str) -> list[int]:
        if strategy not in self.seats:
            raise InputError(f"strategy: {strategy} has no seat; there are {', '.join(self.strategies)}")
        return [i for i, name in enumerate(self.seats) if name == strategy]

    def _points(self, t: Mapping[str, int], weights: Mapping[str, int], per: int, unit: float) -> Estimate:
        """Mean of a weighted sum of what the strategies score, per ``per`` hands and seats of a deal."""
        of = {i: weight for name, weight in weights.items() for i in self._sides(name)}
        total = sum(weight * t[f"points_{i}"] for i, weight in of.items())
        both = itertools.product(of.items(), of.items())
        squares = sum(a * b * t[f"points_{max(i, j)}x{min(i, j)}"] for (i, a), (j, b) in both)
        return mean_of_pairs(total, squares, t["pairs"], per, unit=unit)

    def points_per_hand(self, strategy: str) -> Estimate:
        """Points of a strategy per hand and seat."""
        return self._points(self.hands_tally, {strategy: 1}, len(self.seats) * len(self._sides(strategy)), POINTS_UNIT)

    def difference(self, a: str, b: str, measure: str = "points_per_hand") -> Estimate:
        """A measure of one strategy less that of another, per seat, at the same table and on the same deals.

        Parameters
        ----------
        a, b : str
        measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}
        """
        m, n = len(self._sides(a)), len(self._sides(b))
        weights, of_games = {a: n, b: -m}, measure in OF_GAMES
        t = self.games_tally if of_games else self.hands_tally
        if COMPARED[measure].is_share:
            return self._won_more(t, weights, m * n)
        return self._points(t, weights, len(self.seats) * m * n, GAME_UNIT if of_games else POINTS_UNIT)

    def _won_more(self, t: Mapping[str, int], weights: Mapping[str, int], per: int) -> Estimate:
        """A weighted sum of what the strategies won, as a share of what was decided."""
        of = {i: weight for name, weight in weights.items() for i in self._sides(name)}
        won, both = (sum(weight * t[f"won_{i}{more}"] for i, weight in of.items()) for more in ("", "_decided"))
        pairs = itertools.product(of.items(), of.items())
        squares = sum(a * b * t[f"won_{max(i, j)}x{min(i, j)}"] for (i, a), (j, b) in pairs)
        if not t["decided"]:
            return Estimate(math.nan, -math.inf, math.inf, math.inf)
        sums = RatioSums(won, squares, t["decided"], t["decided_sq"], both, t["pairs"])
        return within(scaled(mean_of_clusters(sums, unit=per * ONE_HAND), 1 / per), -1, 1)

    def margin_per_game(self, strategy: str) -> Estimate:
        """What a strategy has at the end of a game, per seat; unknown (nan) if no game was finished."""
        t = self.games_tally if self.games_tally["decided"] else self.games_tally | {"pairs": 0}
        return self._points(t, {strategy: 1}, len(self.seats) * len(self._sides(strategy)), GAME_UNIT)

    def hands_per_game(self, strategy: str) -> Estimate:
        """Hands of the games that a strategy takes part in, which are all that were played."""
        self._sides(strategy)
        return hands_of_games(self.games_tally, self.plays)

    def hands_won(self, strategy: str) -> Estimate:
        """Share (0 … 1) of the decided hands that a strategy won, on all its seats."""
        return self._won(self.hands_tally, strategy)

    def games_won(self, strategy: str) -> Estimate:
        """Share (0 … 1) of the finished games that a strategy won, on all its seats."""
        return self._won(self.games_tally, strategy)

    def _won(self, t: Mapping[str, int], strategy: str) -> Estimate:
        sides = self._sides(strategy)
        squares = sum(t[f"won_{max(i, j)}x{min(i, j)}"] for i, j in itertools.product(sides, sides))
        won, of = (sum(t[f"won_{i}{more}"] for i in sides) for more in ("", "_decided"))
        return share_of_pairs(RatioSums(won, squares, t["decided"], t["decided_sq"], of, t["pairs"]))

    def ranking(self) -> pd.DataFrame:
        """The strategies from best to worst by the criterion, per seat, with their intervals."""
        import pandas as pd

        rows = []
        for name in self.strategies:
            row: dict[str, Any] = {"strategy": name, "seats": len(self._sides(name))}
            for measure in self.measures:
                e: Estimate = getattr(self, measure)(name)
                row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
            rows.append(row)
        table = pd.DataFrame(rows).sort_values(self.criterion, ascending=False, kind="stable", ignore_index=True)
        table.index = pd.RangeIndex(1, len(table) + 1, name="rank")
        return table

    def summary(self) -> pd.DataFrame:
        """The ranking."""
        return self.ranking()

    @cached_property
    def _differences(self) -> dict[tuple[str, str], Estimate]:
        order = self.ranking()["strategy"].tolist()
        return {(a, b): self.difference(a, b, self.criterion) for a, b in itertools.combinations(order, 2)}

    def pairing_table(self) -> pd.DataFrame:
        """One row for every two strategies: the difference by the criterion, per seat, p-values plain and by Holm's method."""
        import pandas as pd

        plain = [p_value(e) for e in self._differences.values()]
        rows = [
            (a, b, e.value, e.low, e.high, p, adjusted, adjusted <= ALPHA)
            for ((a, b), e), p, adjusted in zip(self._differences.items(), plain, holm(plain), strict=True)
        ]
        return pd.DataFrame(rows, columns=["a", "b", "difference", "low", "high", "p", "p_holm", "clear"])

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), table_text(self.ranking()), self.remark)))

    def verdict(self) -> str:
        """Who does best at the table by the criterion, who cannot be told from it, and what other measures say against it."""
        order, name = self.ranking()["strategy"].tolist(), self.criterion
        first, games = order[0], f" and {self.games_tally['pairs']:,} games" if self.games_tally["pairs"] else ""
        e, basis = self._figure(name, first), f"{self.deals:,} deals{games}, each played from every seat, {self.rules}"
        if len(order) == 1:
            return f"{first} has all seats, so the plays of every deal cancel ({basis})."
        text = f"{first} does best with {said(name, e.value)} (95 % interval {bounds(name, e)}; {basis})"
        if like := [other for other in order[1:] if not self.difference(first, other, name).decided]:
            text = f"{text}; it cannot be told apart from {', '.join(like)} on the same deals."
        else:
            ahead = self.difference(first, order[1], name)
            text = f"{text}, clearly ahead of {order[1]} on the same deals (by {ahead_by(name, ahead)})."
        return text + self._other_leaders(order)

    def _figure(self, measure: str, strategy: str) -> Estimate:
        found: Estimate = getattr(self, measure)(strategy)
        return found

    def _other_leaders(self, order: list[str]) -> str:
        """Who clearly leads by another measure."""
        first, found = order[0], []
        for measure in self.others:
            best = max(order, key=lambda strategy: self._figure(measure, strategy).value / self._per(measure, strategy))
            if self.difference(best, first, measure).low > 0:
                apart = self.difference(first, best, self.criterion).low > 0
                found.append(Leader(measure, best, self._figure(measure, best), self._figure(measure, first), apart))
        return disagreement_of_leaders(self.criterion, first, found)

    def _per(self, measure: str, strategy: str) -> int:
        """What a figure is divided by to be one of each seat: shares are of all seats of a strategy."""
        return len(self._sides(strategy)) if COMPARED[measure].is_share else 1


# --- what is played ----------------------------------------------------------------------------------------------------


class MixtureExperiment(JudgedExperiment):
    """``seats``: the strategies at one table, one for each seat."""

    kind: Literal["mixture"] = "mixture"
    rules: RulesField = Field("house", description="rules spec; by default house, with a seat for each", validate_default=True)
    seats: list[Player] = Field(min_length=2, max_length=16, description="strategies, one a seat; the same may sit twice")

    @model_validator(mode="before")
    @classmethod
    def _rules_for_all(cls, given: Any) -> Any:
        """Without rules those of the strategies' game are meant; at a table with a seat for each."""
        seats = given.get("seats") if isinstance(given, dict) and "rules" not in given else None
        if not isinstance(seats, list | tuple) or not seats:
            return given
        first = Strategy.parse(seats[0])
        rules = rules_of(next(iter(GAMES_THERE_ARE[first.game or "table"].rules.presets())))
        if "players" in type(rules).model_fields and len(seats) > 1:
            try:
                rules = rules.replace(players=len(seats))
            except InputError as error:
                raise InputError(f"seats: {len(seats)} given; {error}") from None
        return {**given, "seats": [first, *seats[1:]], "rules": rules}

    @model_validator(mode="after")
    def _one_a_seat(self) -> Self:
        if len(self.seats) != (wanted := self.game.seats(self.rules)):
            raise InputError(f"seats: {len(self.seats)} given; {self.rules} has {wanted} seats")
        return self

    @property
    def unit(self) -> str:
        return "deals"

    @property
    def keeps_hands(self) -> bool:
        return True

    def field(self) -> Sequence[Strategy]:
        return self.seats

    def works(self) -> list[Work]:
        of = tuple(self.seats), self.rules, self.seed
        phases = ((HANDS, self.deals), (GAMES, self.game_pairs))
        return [MixtureWork(*of, phase, 0, count, KEY, seating=ROTATED) for phase, count in phases if count]

    def result(self, tallies: Tallies, **more: Any) -> Mixture:
        names = sums_of(len(self.seats))
        none = np.zeros(len(names), np.int64)
        hands, games = (as_dict(names, tallies.sums.get((KEY, phase), none)) for phase in (HANDS, GAMES))
        return Mixture(tuple(map(str, self.seats)), str(self.rules), self.seed, hands, games, by=self.by, **more)


def mixture(
    seats: Sequence[str | Strategy],
    rules: str | RulesModel | None = None,
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    keep_hands: str | Path | None = None,
    progress: Progress | None = None,
    by: str | None = None,
) -> Mixture:
    """Play any strategies at one table, each in every seat in turn on the same deal.

    Parameters
    ----------
    seats : sequence of str or Strategy
        One for each seat; the same may sit twice.
    rules : str or Rules, optional
        By default the house rules for as many players as there are seats.
    deals, games : int
        Each is played once for every seat; by default there are a tenth as many games as deals.
    seed, workers, keep_hands, progress, by
        As in `compare`.

    Examples
    --------
    >>> found = mixture(["novice", "table_greedy", "expert"], deals=60, games=0)
    >>> round(sum(found.points_per_hand(name).value for name in found.strategies), 9)
    0.0
    """
    of = built("mixture", seats=seats, rules=rules, deals=deals, seed=seed, games=games, by=by)
    result: Mixture = carried_out(of, workers, progress, keep_hands)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------

Sums = dict[str, dict[str, int]]
"""Phase -> name of the sum -> sum."""


class MixtureManifest(JudgedManifest):
    """What a mixture is rebuilt from."""

    seats: list[str] = Field(min_length=2)


def _text(m: Mixture) -> str:
    return json.dumps({HANDS: m.hands_tally, GAMES: m.games_tally}, indent=1) + "\n"


def _rebuilt(folder: Path, manifest: MixtureManifest, sums: Sums, **more: Any) -> Mixture:
    path, n = folder / TALLIES, len(manifest.seats)
    if list(dict.fromkeys(manifest.seats)) != manifest.strategies or n != game_of(manifest.played).seats(manifest.played):
        raise InputError(f"seats: {', '.join(manifest.seats)} are not the strategies at this table")
    same_names(path, "phase", set(sums), {HANDS, GAMES})
    for phase, t in sums.items():
        same_names(path, f"{phase}: sum", set(t) | LATER_GAME_SUMS, set(sums_of(n)))
        where, signed = f"{path}: {phase}", tuple(name for name in t if name.startswith("points"))
        check_counts_of(where, t, signed)
        check_at_most(where, t | {"plays": n * t["pairs"]}, "decided", "plays")
        if sum(t[f"won_{i}"] for i in range(n)) != t["decided"]:
            raise InputError(f"results: {where}: the hands won do not add up to those decided")
        if "hands_sq" in t:
            check_squares(where, "hands", t["hands"], t["hands_sq"], t["pairs"])
        for i, what in itertools.product(range(n), ("points", "won")):
            check_squares(where, f"{what}_{i}", t[f"{what}_{i}"], t[f"{what}_{i}x{i}"], t["pairs"])
    of = tuple(manifest.seats), str(manifest.played), manifest.seeds, sums[HANDS], sums[GAMES]
    return Mixture(*of, hands_folder=hands_folder(folder, manifest), by=manifest.by, **more)


register(
    "mixture", experiment=MixtureExperiment, result=Mixture, text=_text, manifest=MixtureManifest, sums=Sums, build=_rebuilt,
    facts=lambda m: {"seats": list(m.seats)} | told_by(m), version=2,
)  # fmt: skip
