"""The chance to win a game from every score, from hands: exact by dynamic programming but for the hands being a sample.

`ginsim.games.gin.odds` turns the distribution of one hand's result into the odds of a game. Here are the hands for it, the
intervals that their number leaves, and games played beside it as a check.
"""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator
from scipy.special import stdtrit

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, check_count
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, LATER_GAME_SUMS, as_dict
from ginsim.games.gin import records as H
from ginsim.games.gin.odds import game_odds, outcomes
from ginsim.games.gin.rules import Rules
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import p_value
from ginsim.inference.estimates import Estimate, RatioSums, from_mean, share_of_pairs, within
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play
from ginsim.study.base import PairExperiment, Result, carried_out, register
from ginsim.study.kept import TALLIES, Manifest, Name, with_later_sums
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["BATCHES", "Odds", "OddsExperiment", "odds"]

BATCHES = 20
"""Parts of the deals that are left out one after the other for the intervals (a jackknife)."""
REACH = float(stdtrit(BATCHES - 1, 0.975))
"""Standard errors that a 95 % interval reaches."""
MISSED = 3.69
"""Hands of a kind of which none came up although, with a chance of 2.5 %, so many were to be expected: -log 0.025."""
KEY = "odds"
STEP = 10
"""Points between the scores that tables show."""


@dataclass(frozen=True)
class OddsWork(Work):
    """Pairs of hands of which every result is counted, apart for ``BATCHES`` parts of the deals."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play them; the tally is int64[BATCHES, 2, 2, target + 1], flat (``ginsim.games.gin.odds.outcomes``)."""
        start = time.perf_counter()
        records = play(Work(self.players, self.rules, self.seed, HANDS, self.first, self.count), keep=True).records
        assert records is not None
        batch = records[:, H.DEAL] % BATCHES
        counts = [outcomes(records[batch == number], self.rules.target) for number in range(BATCHES)]
        return Done(self, np.array(counts).ravel(), time.perf_counter() - start)


@dataclass(frozen=True)
class Odds(Result):
    """The result of `odds`: the chance of ``a`` to win a game against ``b``.

    It holds for strategies that do not look at the score.

    Attributes
    ----------
    a, b, rules : str
    deals : int
        Duplicate pairs of hands.
    counts : int64[BATCHES, 2, 2, target + 1]
        Hands by part of the deals, starter (0 is ``a``), winner and points (cut at the target).
    games_tally : mapping of str to int
        Of the games played as a check.
    """

    a: str
    b: str
    rules: str
    seed: int | tuple[int, ...]
    deals: int
    counts: np.ndarray
    games_tally: dict[str, int]
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Odds):
            return NotImplemented
        names = ("a", "b", "rules", "seed", "deals", "games_tally")
        return all(getattr(self, name) == getattr(other, name) for name in names) and np.array_equal(self.counts, other.counts)

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games, by pairing."""
        return [self.games_tally]

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        return 2 * self.deals + self.games_tally["hands"]

    @cached_property
    def chances(self) -> np.ndarray:
        """Chance of ``a`` from every score: float64[target, target, 2] by own points, the other's, starter (0 is ``a``)."""
        return game_odds(self.counts.sum(axis=0), Rules.parse(self.rules))

    @cached_property
    def _without(self) -> np.ndarray:
        """The chances with each part of the deals left out: float64[BATCHES, target, target, 2]."""
        rules, total = Rules.parse(self.rules), self.counts.sum(axis=0)
        return np.array([game_odds(total - own, rules) for own in self.counts])

    @cached_property
    def errors(self) -> np.ndarray:
        """Standard errors of the chances at either starter and, last, of their mean: float64[target, target, 3]."""
        without = np.concatenate([self._without, self._without.mean(axis=3, keepdims=True)], axis=3)
        return np.asarray(without.std(axis=0) * math.sqrt(BATCHES - 1))

    def at(self, own: int, other: int, starter: int | None = None) -> Estimate:
        """Chance of ``a`` with ``own`` points against ``other``; if nobody is said to start, either does as often.

        Raises
        ------
        InputError
            If the game is over at that score.
        """
        most = len(self.chances) - 1
        own, other = check_count("own", own, 0, most), check_count("other", other, 0, most)
        if self.a == self.b and own == other and starter is None:
            return Estimate(0.5, 0.5, 0.5, 0.0)  # by symmetry
        which = [0, 1] if starter is None else [check_count("starter", starter, 0, 1)]
        value = float(self.chances[own, other, which].mean())
        e = from_mean(value, float(self.errors[own, other, 2 if starter is None else which[0]]), BATCHES)
        lowest, highest = (float(chances[own, other, which].mean()) for chances in self._had_more_been_won)
        return within(replace(e, low=min(e.low, lowest), high=max(e.high, highest)), 0.0, 1.0)

    @cached_property
    def _had_more_been_won(self) -> tuple[np.ndarray, np.ndarray]:
        """The chances had ``b`` won some hands more, and had ``a``: as many as can have been missed by chance.

        They bound the chance where one of them hardly ever won a hand, and the jackknife sees no more than that.
        """
        counts, rules = self.counts.sum(axis=0).astype(float), Rules.parse(self.rules)
        points = counts.sum(axis=(0, 1))
        more = points * (MISSED / 2 / points.sum())
        found = []
        for winner in (1, 0):
            own = counts.copy()
            own[:, winner] += more
            found.append(game_odds(own, rules))
        return found[0], found[1]

    @cached_property
    def widest(self) -> float:
        """Half of the widest interval of all scores, either player starting as often."""
        value, reach = self.chances.mean(axis=2), REACH * self.errors[:, :, 2]
        less, more = (chances.mean(axis=2) for chances in self._had_more_been_won)
        low, high = np.minimum(value - reach, less).clip(0, 1), np.maximum(value + reach, more).clip(0, 1)
        return float((high - low).max() / 2)

    @property
    def start(self) -> Estimate:
        """Chance at the start of a game, either starting as often."""
        return self.at(0, 0)

    @property
    def games_won(self) -> Estimate:
        """Share of the games won that were played as a check (nan if there were none)."""
        return share_of_pairs(RatioSums.named(self.games_tally))

    def table(self, step: int = STEP) -> pd.DataFrame:
        """One row for each score in steps of ``step`` points: own, other, chance (low, high), starting, not_starting."""
        import pandas as pd

        rows = []
        for own in range(0, len(self.chances), step):
            for other in range(0, len(self.chances), step):
                e = self.at(own, other)
                rows.append((own, other, e.value, e.low, e.high, *self.chances[own, other]))
        return pd.DataFrame(rows, columns=["own", "other", "chance", "low", "high", "starting", "not_starting"])

    def summary(self) -> pd.DataFrame:
        """The chance of ``a`` by own points (down) and the other's (across)."""
        return self.table().pivot_table(index="own", columns="other", values="chance")

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string(float_format='{:.3f}'.format)}"

    def verdict(self) -> str:
        """The chance at the start, how exact it is, and whether games played agree."""
        e, played = self.start, self.games_won
        if self.a == self.b:
            return (
                f"{self.a} plays itself, so each side wins half of the games if both start equally often; the chances at other "
                f"scores come from {2 * self.deals:,} hands ({self.rules})."
            )
        text = (
            f"{self.a} wins {100 * e.value:.2f} % of games against {self.b} (95 % interval {100 * e.low:.2f} to "
            f"{100 * e.high:.2f}; from {2 * self.deals:,} hands, {self.rules})"
        )
        if not self.games_tally["decided"]:
            return f"{text}."
        p = p_value(Estimate(played.value - e.value, 0, 0, math.hypot(played.se, e.se)))
        apart = p <= 0.01 and (played.low > e.high or played.high < e.low)
        agree = "does not agree: a strategy looks at the score, or there are too few hands" if apart else "agrees"
        gain = ((played.high - played.low) / (e.high - e.low)) ** 2 if e.high > e.low else math.nan
        exact = f" but has {gain:.1f} times the variance" if gain >= 1 and 0 < played.value < 1 else ""
        return (
            f"{text}; of {self.games_tally['decided']:,} games played it won {100 * played.value:.2f} % "
            f"({100 * played.low:.2f} to {100 * played.high:.2f}), which {agree}{exact}."
        )


class OddsExperiment(PairExperiment):
    """The chance of ``a`` to win a game against ``b``, from every score."""

    NEEDS, WITHOUT = "odds", "for which there are no odds by score"

    kind: Literal["odds"] = "odds"
    deals: int = Field(100_000, ge=BATCHES, le=MOST_DEALS, description="duplicate pairs of hands")

    @model_validator(mode="after")
    def _target(self) -> Self:
        if getattr(self.rules, "hollywood", False):
            raise InputError(f"rules: {self.rules} has no odds by score: three games run at once; play games instead")
        return self

    def works(self) -> list[Work]:
        """The hands to count, and the games to check with."""
        of, games = ((self.a, self.b), self.rules, self.seed), self.game_pairs
        return [OddsWork(*of, HANDS, 0, self.deals, KEY), *([Work(*of, GAMES, 0, games, KEY)] if games else [])]

    def result(self, tallies: Tallies, **more: Any) -> Odds:
        rules: Any = self.rules
        shape = (BATCHES, 2, 2, rules.target + 1)
        counts = tallies.sums.get((KEY, HANDS), np.zeros(math.prod(shape), np.int64)).reshape(shape)
        games = as_dict(GAME_TALLY, tallies.sums.get((KEY, GAMES), np.zeros(len(GAME_TALLY), np.int64)))
        deals = sum(count for _, count in tallies.ranges.get((KEY, HANDS), []))
        return Odds(str(self.a), str(self.b), str(rules), self.seed, deals, counts, games, **more)


def odds(
    a: str | Strategy,
    b: str | Strategy,
    rules: str | RulesModel = "classic25",
    deals: int = 100_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    progress: Progress | None = None,
) -> Odds:
    """The chance that ``a`` wins a game against ``b`` from every score.

    Parameters
    ----------
    a, b : str or Strategy
    rules : str or Rules
    deals : int
        Duplicate pairs of hands whose results the odds are computed from.
    games : int, optional
        Duplicate pairs of games that are played as a check; a tenth of the deals by default.
    seed, workers, progress
        As in `ginsim.compare`.

    Examples
    --------
    >>> result = odds("simple", "simple", "eaai", deals=100, games=0)
    >>> round(float(result.start), 6)
    0.5
    """
    of = built("odds", a=a, b=b, rules=rules, deals=deals, seed=seed, games=games)
    result: Odds = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------

OddsSums = dict[str, list[int] | dict[str, int]]


class OddsManifest(Manifest):
    """What `Odds` are rebuilt from."""

    strategies: list[Name] = Field(min_length=2, max_length=2)
    deals: int = Field(ge=BATCHES, le=MOST_DEALS)


def _text(result: Odds) -> str:
    """The counts as the text of ``tallies.json``: for each batch, starter and winner those of 0, 1, … points."""
    rows = [
        f' "{batch}-{starter}-{winner}": {json.dumps(result.counts[batch, starter, winner].tolist())}'
        for batch, starter, winner in np.ndindex(result.counts.shape[:3])
    ]
    return "{\n" + ",\n".join([*rows, f' "{GAMES}": {json.dumps(result.games_tally)}']) + "\n}\n"


def _rebuilt(folder: Path, manifest: OddsManifest, sums: Any, **more: Any) -> Odds:
    rules: Any = manifest.played
    path, shape = folder / TALLIES, (BATCHES, 2, 2, rules.target + 1)
    wanted = {"-".join(map(str, place)): place for place in np.ndindex(shape[:3])}
    games = sums.get(GAMES)
    if set(sums) != {*wanted, GAMES} or not isinstance(games, dict) or set(games) | LATER_GAME_SUMS != set(GAME_TALLY):
        raise InputError(f"results: {path}: the counts are not those of {BATCHES} parts of the deals and of games")
    counts = np.zeros(shape, np.int64)
    for name, place in wanted.items():
        own = sums[name]
        if not isinstance(own, list) or len(own) != shape[3] or min(own) < 0 or sum(own) > 2 * manifest.deals:
            raise InputError(f"results: {path}: {name} does not hold counts of 0 to {rules.target} points")
        counts[place] = own
    a, b = manifest.strategies
    return Odds(a, b, str(rules), manifest.seeds, manifest.deals, counts, sums[GAMES], **more)


register(
    "odds", experiment=OddsExperiment, result=Odds, text=_text, manifest=OddsManifest, sums=OddsSums, build=_rebuilt,
    against_itself=True, version=3, bring=with_later_sums,
)  # fmt: skip
