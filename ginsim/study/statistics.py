"""What hands are like: how long they last, how they end, what they bring, when knocks come and which of them are undercut.

Every strategy plays itself (or a common opponent) under every rule, all on the same decks.
"""

from __future__ import annotations

import itertools
import json
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator

from ginsim.errors import InputError, listed
from ginsim.gin.records import ENDINGS, H_DEADWOOD, H_ENDING, H_KNOCKER, H_POINTS, H_TURNS, UNDERCUT
from ginsim.rules import Rules
from ginsim.strategies.spec import Strategy
from ginsim.study.compare import MOST_DEALS, MOST_SEED, Comparison, check_count
from ginsim.study.effect import check_variants
from ginsim.study.estimates import Estimate, share_of_trials
from ginsim.study.execute import Progress, execute
from ginsim.study.experiment import Experiment, StrategySpec
from ginsim.study.grid import check_named
from ginsim.study.journal import Tallies
from ginsim.study.play import HANDS, Done, Work, play
from ginsim.study.results import TALLIES, Manifest, check_pair, same_names
from ginsim.study.tally import GAME_TALLY, HAND_TALLY, as_dict

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Statistics", "StatisticsExperiment", "StatisticsManifest", "StatisticsSums", "StatisticsWork", "build_statistics",
    "statistics", "statistics_text",
]  # fmt: skip

PAIRS = 8192
"""Pairs played before they are counted."""
MOST_TURNS, MOST_POINTS, MOST_OWN_TURN, MOST_DEADWOOD = 128, 256, 32, 32
"""Sizes of the tables of counts; what lies beyond is counted in the last cell."""
TABLES: dict[str, tuple[int, ...]] = {
    "turns": (MOST_TURNS,),
    "points": (MOST_POINTS,),
    "knocks": (MOST_OWN_TURN, MOST_DEADWOOD, 2),
}
"""Tables of counts: hands by turns of both players; hands by points to the winner; knocks (gin included) by the knocker's own
turn, its deadwood, and whether it was undercut."""
_SIZES = {name: math.prod(shape) for name, shape in TABLES.items()}
_H = len(HAND_TALLY)


@dataclass(frozen=True)
class StatisticsWork(Work):
    """Hands whose records are counted in tables; the tally is that of hands, and the tables one after the other."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play and count."""
        start = time.perf_counter()
        tally, tables = np.zeros(_H, np.int64), np.zeros(sum(_SIZES.values()), np.int64)
        for first in range(self.first, self.first + self.count, PAIRS):
            count = min(PAIRS, self.first + self.count - first)
            done = play(Work(self.a, self.b, self.rules, self.seed, HANDS, first, count), keep=True)
            assert done.records is not None
            tally += done.tally
            tables += counts(done.records)
        return Done(self, np.concatenate((tally, tables)), time.perf_counter() - start)


def counts(records: np.ndarray) -> np.ndarray:
    """The tables of hand records, one after the other, int64."""
    ending, knocker, turns = records[:, H_ENDING], records[:, H_KNOCKER], records[:, H_TURNS]
    knocked = records[knocker >= 0]
    own = np.minimum((knocked[:, H_TURNS] + 1) // 2, MOST_OWN_TURN - 1)  # players take turns, and the knocker had the last
    deadwood = np.take_along_axis(knocked, H_DEADWOOD + knocked[:, H_KNOCKER, None], axis=1)[:, 0]
    at = (own * MOST_DEADWOOD + np.minimum(deadwood, MOST_DEADWOOD - 1)) * 2 + (ending[knocker >= 0] == UNDERCUT)
    return np.concatenate(
        [
            np.bincount(np.minimum(turns, MOST_TURNS - 1), minlength=MOST_TURNS),
            np.bincount(np.minimum(records[:, H_POINTS], MOST_POINTS - 1), minlength=MOST_POINTS),
            np.bincount(at, minlength=_SIZES["knocks"]),
        ]
    ).astype(np.int64)


@dataclass(frozen=True)
class Statistics:
    """The result of `statistics`.

    Attributes
    ----------
    strategies, rules : tuple of str
        Their combinations are the cells, in this order, the rules changing fastest.
    opponent : str
        Whom all strategies play; empty if each plays itself.
    hands : tuple of Comparison
        The figures of each cell.
    tables : tuple of dict of str to int64 array
        The counts of each cell, by name (``TABLES``).
    """

    strategies: tuple[str, ...]
    rules: tuple[str, ...]
    opponent: str
    seed: int | tuple[int, ...]
    deals: int
    hands: tuple[Comparison, ...]
    tables: tuple[dict[str, np.ndarray], ...]
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Statistics):
            return NotImplemented
        names = ("strategies", "rules", "opponent", "seed", "deals", "hands")
        return all(getattr(self, name) == getattr(other, name) for name in names) and all(
            np.array_equal(a[name], b[name]) for a, b in zip(self.tables, other.tables, strict=True) for name in TABLES
        )

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * len(self.hands)

    @property
    def cells(self) -> list[tuple[str, str]]:
        """Strategy and rules of each cell."""
        return list(itertools.product(self.strategies, self.rules))

    def labels(self) -> list[str]:
        """Names of the cells: what they differ in."""
        one = len(self.rules) == 1
        return [
            strategy if one else rules if len(self.strategies) == 1 else f"{strategy}, {rules}" for strategy, rules in self.cells
        ]

    def share(self, cell: int, *endings: str) -> Estimate:
        """Share of the hands that end in one of these ways, with Wilson's interval, a trial for each pair."""
        t = self.hands[cell].hands_tally
        hands = sum(t[f"{ending}_{player}"] for ending in endings for player in (0, 1))
        return share_of_trials(hands / (2 * self.deals), self.deals)

    def points_scored(self, cell: int) -> float:
        """Points to the winner per hand."""
        t = self.hands[cell].hands_tally
        return sum(t[f"{ending}_points_{player}"] for ending in ENDINGS for player in (0, 1)) / (2 * self.deals)

    def quantile(self, cell: int, name: str, share: float) -> int:
        """The least number of turns (or points) that at least this share of the hands do not exceed."""
        table = self.tables[cell][name]
        return int(np.searchsorted(np.cumsum(table), share * table.sum()))

    def lengths(self, cell: int) -> pd.DataFrame:
        """Hands by the turns of both players: turns, hands, share with its interval, share that lasted no longer."""
        import pandas as pd

        table = self.tables[cell]["turns"]
        some = np.flatnonzero(table)
        shares = [share_of_trials(float(table[turns] / table.sum()), self.deals) for turns in some]
        found = pd.DataFrame({"turns": some, "hands": table[some], "share": [e.value for e in shares]})
        found["low"], found["high"] = [e.low for e in shares], [e.high for e in shares]
        return found.assign(no_longer=np.cumsum(table)[some] / table.sum())

    def knocks(self, cell: int) -> pd.DataFrame:
        """Knocks by the knocker's own turn and its deadwood: how many, and the share undercut with its interval.

        Gin (deadwood 0 cannot be undercut) is among them. The interval is Wilson's with one trial for every two knocks, as if
        the plays of a pair always knocked alike: it is never too narrow.
        """
        import pandas as pd

        table = self.tables[cell]["knocks"]
        rows = []
        for turn, deadwood in zip(*np.nonzero(table.sum(axis=2)), strict=True):
            held, cut = (int(x) for x in table[turn, deadwood])
            e = share_of_trials(cut / (held + cut), max((held + cut) / 2, 1))
            rows.append((int(turn), int(deadwood), held + cut, e.value, e.low, e.high))
        return pd.DataFrame(rows, columns=["turn", "deadwood", "knocks", "undercut", "low", "high"])

    def summary(self) -> pd.DataFrame:
        """One row a cell: length, points, shares of the endings, the starter's share."""
        import pandas as pd

        rows = []
        for k, (strategy, rules) in enumerate(self.cells):
            hands = self.hands[k]
            turns = hands.turns_per_hand
            row: dict[str, Any] = {"strategy": strategy, "rules": rules, "turns": turns.value}
            row |= {"turns_low": turns.low, "turns_high": turns.high}
            row |= {f"turns_{share:.0%}": self.quantile(k, "turns", share) for share in (0.05, 0.5, 0.95)}
            row["points"] = self.points_scored(k)
            for name, endings in KINDS_OF_ENDINGS.items():
                e = self.share(k, *endings)
                row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
            row["starter"] = hands.starter_share.value
            rows.append(row)
        return pd.DataFrame(rows)

    def shown(self) -> dict[str, pd.DataFrame]:
        """Tables of texts for a terminal, by title."""
        import pandas as pd

        labels = self.labels()
        rows = []
        for k in range(len(self.hands)):
            turns = self.hands[k].turns_per_hand
            shares = [f"{self.share(k, *endings).value:.1%}" for endings in KINDS_OF_ENDINGS.values()]
            span = f"{self.quantile(k, 'turns', 0.05)} to {self.quantile(k, 'turns', 0.95)}"
            rows.append((labels[k], f"{turns.value:.2f}", span, f"{self.points_scored(k):.2f}", *shares))
        names = ["", "turns", "9 in 10", "points", *KINDS_OF_ENDINGS]
        return {"Hands": pd.DataFrame(rows, columns=names)}

    def verdict(self) -> str:
        """How long hands last and how they end, in a sentence for each cell (for many, the extremes)."""
        sentences = []
        labels = self.labels()
        order = sorted(range(len(labels)), key=lambda k: self.hands[k].turns_per_hand.value)
        for k in order if len(order) <= 3 else (order[0], order[-1]):
            turns, cut = self.hands[k].turns_per_hand, self.share(k, "undercut")
            gin = self.share(k, "gin", "big_gin")
            sentences.append(
                f"{labels[k]}: a hand takes {turns.value:.2f} turns of both players ({turns.low:.2f} to {turns.high:.2f}), "
                f"nine in ten {self.quantile(k, 'turns', 0.05)} to {self.quantile(k, 'turns', 0.95)}; "
                f"{gin.value:.1%} end in gin, {cut.value:.1%} in an undercut ({cut.low:.1%} to {cut.high:.1%})."
            )
        return " ".join(sentences)

    def save(self, folder: str | Path, **notes: Any) -> Path:
        """Write tables, plots, report and manifest; returns the folder."""
        from ginsim.report.folder import save_result

        return save_result(self, folder, **notes)

    def plot(self, ax: Any = None) -> Any:
        """How hands end, by cell; returns the matplotlib axes."""
        from ginsim.report.plots import endings_mix

        return endings_mix(self, ax=ax)


KINDS_OF_ENDINGS = {
    "knock": ("knock",),
    "gin": ("gin", "big_gin"),
    "undercut": ("undercut",),
    "nobody": ("dead", "stalled", "push"),
}
"""Endings as they are shown."""


def _works(cells: Sequence[tuple[Strategy, Rules]], opponent: Strategy | None, deals: int, seed: int) -> list[Work]:
    return [
        StatisticsWork(player, opponent or player, rules, seed, HANDS, 0, deals, str(k))
        for k, (player, rules) in enumerate(cells)
    ]


def _statistics_of(
    tallies: Tallies, strategies: Sequence[Strategy], rules: Sequence[Rules], opponent: Strategy | None, deals: int, seed: int,
    **more: Any,
) -> Statistics:  # fmt: skip
    """The statistics that the tallies amount to."""
    hands, tables = [], []
    for k, (player, own) in enumerate(itertools.product(strategies, rules)):
        tally = tallies.sums[str(k), HANDS]
        sums = as_dict(HAND_TALLY, tally[:_H]), dict.fromkeys(GAME_TALLY, 0)
        hands.append(Comparison(str(player), str(opponent or player), str(own), seed, *sums))
        tables.append(split_tables(tally[_H:]))
    names, specs = tuple(map(str, strategies)), tuple(map(str, rules))
    return Statistics(names, specs, str(opponent or ""), seed, deals, tuple(hands), tuple(tables), **more)


def split_tables(flat: Any) -> dict[str, np.ndarray]:
    """The tables that stand one after the other in ``flat``."""
    ends = np.cumsum(list(_SIZES.values()))[:-1]
    parts = np.split(np.asarray(flat, np.int64), ends)
    return {name: part.reshape(shape) for (name, shape), part in zip(TABLES.items(), parts, strict=True)}


def statistics(
    strategies: Sequence[str | Strategy],
    rules: Sequence[str | Rules] = ("classic25",),
    opponent: str | Strategy | None = None,
    deals: int = 50_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Play every strategy under every rule and count what its hands are like.

    Parameters
    ----------
    strategies : sequence of str or Strategy
    rules : sequence of str or Rules
        After the first, also changes of it: ``"(knock_limit=5)"``. All cells play the same decks.
    opponent : str or Strategy, optional
        Whom all play; otherwise each plays itself.
    deals, seed, workers, progress
        As in `compare`.

    Examples
    --------
    >>> found = statistics(["simple"], ["eaai"], deals=200)
    >>> int(found.tables[0]["turns"].sum())
    400
    """
    first, *others = listed("rules", rules, "rules") or [Rules()]
    base, players = Rules.parse(first), check_named("strategies", strategies)
    every = [base, *(check_variants(base, others) if others else [])]
    other = None if opponent is None else Strategy.parse(opponent)
    deals, seed = check_count("deals", deals, 1, MOST_DEALS), check_count("seed", seed, 0, MOST_SEED)
    cells = list(itertools.product(players, every))
    tallies = execute(_works(cells, other, deals, seed), workers, progress)
    return _statistics_of(tallies, players, every, other, deals, seed)


class StatisticsExperiment(Experiment):
    """What the hands of ``strategies`` are like, under ``rules`` and ``variants``."""

    kind: Literal["statistics"] = "statistics"
    games: Literal[0] = Field(0, description="none: statistics are of hands")
    strategies: list[StrategySpec] = Field(min_length=1, description="specs of the strategies")
    opponent: StrategySpec | None = Field(None, description="whom all of them play; otherwise each plays itself")
    variants: list[str] = Field([], description="more rules, or changes of rules such as (knock_limit=5)")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[str]) -> list[str]:
        return [str(strategy) for strategy in check_named("strategies", value)]

    @field_validator("variants")
    @classmethod
    def _variants(cls, value: list[str], info: Any) -> list[str]:
        if value and "rules" in info.data:
            check_variants(Rules.parse(info.data["rules"]), value)
        return value

    def _every_rules(self) -> list[Rules]:
        base = Rules.parse(self.rules)
        return [base, *(check_variants(base, self.variants) if self.variants else [])]

    def _opponent(self) -> Strategy | None:
        return None if self.opponent is None else Strategy.parse(self.opponent)

    def field(self) -> Sequence[Strategy]:
        opponent = self._opponent()
        return [*map(Strategy.parse, self.strategies), *([opponent] if opponent else [])]

    def works(self) -> list[Work]:
        cells = list(itertools.product(map(Strategy.parse, self.strategies), self._every_rules()))
        return _works(cells, self._opponent(), self.deals, self.seed)

    def result(self, tallies: Tallies, **more: Any) -> Statistics:
        players = [Strategy.parse(text) for text in self.strategies]
        return _statistics_of(tallies, players, self._every_rules(), self._opponent(), self.own_deals, self.seed, **more)


# --- on disk -----------------------------------------------------------------------------------------------------------


class StatisticsManifest(Manifest):
    """What statistics are rebuilt from."""

    deals: int = Field(ge=1)
    strategies: list[str] = Field(min_length=1)
    every_rules: list[str] = Field(min_length=1)
    opponent: str


class StatisticsSums(BaseModel):
    """The sums of a cell."""

    model_config = ConfigDict(strict=True, extra="forbid")

    hands: dict[str, int]
    tables: dict[str, list[int]]


def statistics_text(found: Statistics) -> str:
    """The sums of statistics as the text of ``tallies.json``, a line for each table."""
    cells = {
        str(k): {"hands": dict(hands.hands_tally), "tables": {name: table.ravel().tolist() for name, table in tables.items()}}
        for k, (hands, tables) in enumerate(zip(found.hands, found.tables, strict=True))
    }
    return json.dumps(cells).replace('], "', '],\n"').replace('}, "', '},\n"') + "\n"


def build_statistics(
    folder: Path, manifest: StatisticsManifest, rules: Rules, sums: dict[str, StatisticsSums], **more: Any
) -> Statistics:
    """The statistics that were saved."""
    path = folder / TALLIES
    cells = list(itertools.product(manifest.strategies, manifest.every_rules))
    same_names(path, "cell", set(sums), {str(k) for k in range(len(cells))})
    hands, tables = [], []
    for k, (player, own) in enumerate(cells):
        cell, none = sums[str(k)], dict.fromkeys(GAME_TALLY, 0)
        check_pair(path, f"cell {k}", {HANDS: cell.hands, "games": none})
        same_names(path, f"cell {k}: table", set(cell.tables), set(TABLES))
        for name, size in _SIZES.items():
            table = cell.tables[name]
            known = 2 * cell.hands["pairs"] if name != "knocks" else cell.hands["knocks_0"] + cell.hands["knocks_1"]
            if len(table) != size or min(table) < 0 or sum(table) != known:
                raise InputError(f"results: {path}: cell {k}: the table of {name} does not add up to {known}")
        hands.append(Comparison(player, manifest.opponent or player, own, manifest.seeds, cell.hands, none))
        tables.append(split_tables([x for name in TABLES for x in cell.tables[name]]))
    return Statistics(
        tuple(manifest.strategies), tuple(manifest.every_rules), manifest.opponent, manifest.seeds, manifest.deals, tuple(hands),
        tuple(tables), **more,
    )  # fmt: skip
