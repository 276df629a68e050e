"""What hands are like: how long they last, how they end, what they bring, how turns go and what a knock would come to on each.

Every strategy plays itself (or a common opponent) under every rule, all on the same decks. What is said of turns is said of the
strategy's own; a knock counts wherever it was legal, made or not.
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

from ginsim.answers import joined
from ginsim.cards import RANKS, SUITS
from ginsim.errors import InputError, check_count, listed
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, Game, as_dict
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.gin.cardcount import CARD_PARTS, sums_of_cards
from ginsim.games.gin.turncount import MOST_DEADWOOD, MOST_OWN_TURN, NEAR, PARTS_OF, SPANS, sums_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import (
    LEAST_CLUSTERS,
    LEVEL,
    ONE_HAND,
    POINTS_UNIT,
    TURNS_UNIT,
    Estimate,
    RatioSums,
    cautious_difference,
    extra_variance,
    from_mean,
    interval_text,
    mean_of_clusters,
    share_of_clusters,
    share_of_hands,
    share_of_trials,
    within,
)
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Done, Work, play
from ginsim.study.base import MOST_LISTED, Experiment, Player, Result, carried_out, distinct, register
from ginsim.study.compare import Comparison, alike
from ginsim.study.effect import check_variants, variants_field
from ginsim.study.kept import TALLIES, Manifest, Name, check_pair, same_names, with_later_sums
from ginsim.study.measures import SHARE
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Statistics", "StatisticsExperiment", "StatisticsWork", "statistics", "tables_of"]

PAIRS = 8192
"""Pairs played before they are counted."""
MOST_TURNS = 128
"""Turns of a hand from which they are counted together."""
LEAST_PAIRS = LEAST_CLUSTERS
"""Pairs with such a turn, or such a knock, from which it is shown."""
IN_WORDS = {
    "knock": "with a knock", "gin": "with gin", "undercut": "with an undercut", "nobody": "without a winner",
    "discard": "with a discard", "meld": "with a meld", "claim": "with a claim", "lowest": "with the lowest hand winning",
    "blocked": "blocked",
}  # fmt: skip
"""How hands end, in a sentence, by the names that games give the endings."""
QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)
RANK_NAMES = dict(
    zip(
        RANKS,
        ("aces", "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings"),
        strict=True,
    )
)
"""Names of the ranks, many of each."""
LATER = frozenset(("cards", "ranks", "play_on", "play_on_spans"))
"""Tables that results of older versions lack, all of them together."""


def tables_of(game: Game) -> dict[str, tuple[int, ...]]:
    """Tables of counts and their shapes: hands by turns of all players; hands by points to the winner; those of the turns."""
    return {"turns": (MOST_TURNS,), "points": (game.most_gain,), **game.turn_tables}


@dataclass(frozen=True)
class StatisticsWork(Work):
    """Hands whose records are counted in tables; the tally is that of hands, and the tables one after the other."""

    def carry_out(self, keep: bool = False) -> Done:
        """Play and count."""
        start, game, width, parts = time.perf_counter(), game_of(self.rules), len(self.sums), []
        for first in range(self.first, self.first + self.count, PAIRS):
            count = min(PAIRS, self.first + self.count - first)
            turns = bool(game.turn_tables)
            done = play(Work(self.players, self.rules, self.seed, HANDS, first, count, turns=turns), keep=True)
            assert done.records is not None
            own, of_turns = np.split(done.tally, [width])
            parts.append(np.concatenate((own, counts(game, done.records), of_turns)))
        return Done(self, np.sum(parts, axis=0), time.perf_counter() - start)


def counts(game: Game, records: np.ndarray) -> np.ndarray:
    """The tables of hand records, turns and points, one after the other, int64."""
    columns = (records[:, game.hand_columns.index("turns")], MOST_TURNS), (game.gains(records), game.most_gain)
    return np.concatenate([np.bincount(np.minimum(column, most - 1), minlength=most) for column, most in columns])


@dataclass(frozen=True)
class Statistics(Result):
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
        The counts of each cell, by name (`tables_of`); those of older results lack ``LATER``.
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
            a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)
            for a, b in zip(self.tables, other.tables, strict=True)
        )

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.summary().to_string()}"

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return 2 * self.deals * len(self.hands)

    @property
    def alone(self) -> bool:
        """Whether one strategy has all seats of a table."""
        return self.game.alone and not self.opponent

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
        """Share of the hands that end in one of these ways, with Wilson's interval over pairs.

        For several ways together it is computed as if both plays of a pair always ended alike, so it is never too narrow.
        """
        t = self.hands[cell].hands_tally
        counts = {ending: t[f"{ending}_0"] + t[f"{ending}_1"] for ending in endings}
        hands = sum(counts.values())
        alone = next((ending for ending, count in counts.items() if count == hands), None)
        return share_of_hands(hands, hands // 2 if alone is None else min(alike(t, alone), hands // 2), self.deals)

    def points_scored(self, cell: int) -> float:
        """Points to the winner per hand."""
        t = self.hands[cell].hands_tally
        return sum(t[f"{ending}_points_{player}"] for ending in self.game.endings for player in (0, 1)) / (2 * self.deals)

    def quantile(self, cell: int, name: str, share: float) -> int:
        """The least number of turns (or points) that at least this share of the hands do not exceed."""
        table = self.tables[cell][name]
        return int(np.searchsorted(np.cumsum(table), share * table.sum()))

    def lengths(self, cell: int, most: int | None = None) -> pd.DataFrame:
        """Hands by the turns of both players: turns, hands, share with its interval, share that lasted no longer.

        The lengths are those that there were; with ``most`` all from the shortest up to this, those of no hand as well.
        """
        import pandas as pd

        table = self.tables[cell]["turns"]
        some = np.flatnonzero(table)
        some = some if most is None else np.arange(some[0], most + 1)
        shares = [share_of_trials(float(table[turns] / table.sum()), self.deals) for turns in some]
        found = pd.DataFrame({"turns": some, "hands": table[some], "share": [e.value for e in shares]})
        found["low"], found["high"] = [e.low for e in shares], [e.high for e in shares]
        return found.assign(no_longer=np.cumsum(table)[some] / table.sum())

    def turns(self, cell: int) -> pd.DataFrame:
        """The strategy's own turns, a row for each: how many, the deadwood kept, how many of them could knock, had gin.

        ``reached`` is the share of hands in which there was such a turn; ``deadwood`` the mean, ``q10`` … ``q90`` quantiles;
        ``able`` the share in which a knock (or gin) was legal, ``gin`` that with gin, ``took`` that which began with the upcard.
        The last row may stand for all later turns as well.
        """
        import pandas as pd

        table, held = self.tables[cell]["by_turn"], self.tables[cell]["held"]
        rows = []
        for turn in np.flatnonzero(table[:, 1]).tolist():
            n = int(table[turn, 1])
            row: dict[str, Any] = {"turn": turn, "pairs": int(table[turn, 0]), "turns": n, "reached": n / (2 * self.deals)}
            for name in PARTS_OF["by_turn"]:
                estimate = mean_of_clusters if name == "deadwood" else share_of_clusters
                e = estimate(self._sums(cell, "by_turn", name, turn))
                row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
            up_to = np.cumsum(held[turn])
            row |= {f"q{100 * share:.0f}": int(np.searchsorted(up_to, share * n)) for share in QUANTILES}
            rows.append(row)
        return pd.DataFrame(rows)

    def undercut(self, cell: int, turn: int, deadwood: int) -> Estimate:
        """Chance that a knock with ``deadwood`` on the strategy's own turn ``turn`` (from 1) is undercut, where it was legal."""
        return share_of_clusters(self._knock(cell, turn, deadwood, "undercut"))

    def knock_points(self, cell: int, turn: int, deadwood: int) -> Estimate:
        """Points that such a knock brings, less than 0 where it is undercut."""
        return mean_of_clusters(self._knock(cell, turn, deadwood, "points"), unit=TURNS_UNIT)

    def _sums(self, cell: int, name: str, part: str, *at: int) -> RatioSums:
        """The sums of a part in one place of a table."""
        return RatioSums(**{key: int(sums[at]) for key, sums in sums_of(self.tables[cell][name], name, part).items()})

    def _knock(self, cell: int, turn: int, deadwood: int, part: str) -> RatioSums:
        turn = check_count("turn", turn, 1, MOST_OWN_TURN - 1)
        deadwood = check_count("knock", deadwood, 0, MOST_DEADWOOD - 1)
        return self._sums(cell, "if_knocked", part, turn, deadwood)

    def knocks(self, cell: int) -> pd.DataFrame:
        """What a knock comes to, by the own turn and the deadwood: a row for each that was legal once or more.

        ``knocks`` counts these turns, whether the player knocked or not; ``undercut`` is the share of them that would be (or was)
        undercut and ``points`` what the knock brings, less than 0 where it is undercut; ``made`` counts those that were made,
        ``made_undercut`` the undercut among them. Gin is among them, with deadwood 0.
        """
        import pandas as pd

        table, rows = self.tables[cell]["if_knocked"], []
        for turn, deadwood in zip(*np.nonzero(table[..., 1]), strict=True):
            cut, points = self.undercut(cell, turn, deadwood), self.knock_points(cell, turn, deadwood)
            made, made_cut = (self._sums(cell, "if_knocked", part, turn, deadwood).x for part in ("made", "made_undercut"))
            figures = (cut.value, cut.low, cut.high, points.value, points.low, points.high)
            rows.append((int(turn), int(deadwood), *table[turn, deadwood, :2].tolist(), *figures, made, made_cut))
        names = ["undercut", "low", "high", "points", "points_low", "points_high", "made", "made_undercut"]
        return pd.DataFrame(rows, columns=["turn", "deadwood", "pairs", "knocks", *names])

    def enough(self, table: pd.DataFrame) -> pd.DataFrame:
        """Of `turns` or `knocks` the rows that are shown: of one turn, with pairs enough."""
        return table[(table["pairs"] >= LEAST_PAIRS) & (table["turn"] < MOST_OWN_TURN - 1)]

    def knock_sentence(self, cell: int, turn: int, deadwood: int) -> str:
        """What a knock with ``deadwood`` on the own turn ``turn`` risks and brings, in words."""
        strategy, rules = self.cells[cell]
        who = f"{strategy} plays {self.opponent}" if self.opponent else f"Both play {strategy}"
        n = self._knock(cell, turn, deadwood, "undercut").n
        what = f"{who} under {rules}: a knock with {deadwood} on {strategy}'s own turn {turn}"
        if n == 0:
            return f"{what} was never legal in {2 * self.deals:,} hands; play more deals."
        cut, points = self.undercut(cell, turn, deadwood), self.knock_points(cell, turn, deadwood)
        low, high = interval_text(100 * cut.low, 100 * cut.high, ".1f"), interval_text(points.low, points.high, "+.2f")
        return (
            f"{what} is undercut in {SHARE.value_text(cut.value)} of cases (95 % interval {low}) and brings "
            f"{points.value:+.2f} points on average ({high}); such a knock was legal in {n:,} of {2 * self.deals:,} hands."
            + self._choice_words(cell, turn, deadwood)
        )

    def tells(self, cell: int, name: str) -> bool:
        """Whether the tables of a cell have this one."""
        return name in self.tables[cell]

    def _choice(self, cell: int, name: str, part: str, *at: int) -> Estimate:
        return mean_of_clusters(self._sums(cell, name, part, *at), unit=POINTS_UNIT)

    def _choices(self, cell: int, name: str) -> list[dict[str, Any]]:
        rows = []
        table = self.tables[cell][name]
        for at in zip(*np.nonzero(table[..., 1]), strict=True):
            row: dict[str, Any] = {"at": int(at[0]), "deadwood": int(at[1])}
            row |= {"pairs": int(table[at][0]), "states": int(table[at][1])}
            for part in PARTS_OF[name]:
                e = self._choice(cell, name, part, *at)
                row |= {part: e.value, f"{part}_low": e.low, f"{part}_high": e.high}
            rows.append(row)
        return rows

    def play_on(self, cell: int) -> pd.DataFrame:
        """What a knock brings and what going on by the strategy does, in the same positions, by the own turn and the deadwood.

        ``states`` counts the turns on which such a knock was legal, made or not; gin is not among them, nor what was taken only
        to knock. ``knock`` and ``on`` are the points of the one and the other, to the player, and ``gain`` what the knock
        brings more: each with its interval, that of the difference paired. The hidden cards are as they were.
        """
        import pandas as pd

        names = ["turn", "deadwood", "pairs", "states", *_with_bounds(PARTS_OF["play_on"])]
        return pd.DataFrame(self._choices(cell, "play_on")).rename(columns={"at": "turn"}).reindex(columns=names)

    def play_on_spans(self, cell: int) -> pd.DataFrame:
        """As `play_on`, several turns together: ``first`` and ``last`` of them, ``span`` their position in ``SPANS``."""
        import pandas as pd

        found = [{"span": (k := row.pop("at")), "first": SPANS[k][0], "last": SPANS[k][1]} | row
                 for row in self._choices(cell, "play_on_spans")]  # fmt: skip
        names = ["span", "first", "last", "deadwood", "pairs", "states", *_with_bounds(PARTS_OF["play_on"])]
        table = pd.DataFrame(found, columns=names)
        return table[table["pairs"] >= LEAST_PAIRS].reset_index(drop=True)

    def knock_gain(self, cell: int, turn: int, deadwood: int) -> Estimate:
        """Points by which a knock with ``deadwood`` on the own turn ``turn`` beats going on, in the same hands."""
        turn = check_count("turn", turn, 1, MOST_OWN_TURN - 1)
        deadwood = check_count("knock", deadwood, 1, MOST_DEADWOOD - 1)
        return self._choice(cell, "play_on", "gain", turn, deadwood)

    def play_on_sentence(self, cell: int) -> str:
        """Where a knock is better than going on, and where worse, in words; empty if that was not counted, or too seldom."""
        table = self.play_on_spans(cell) if self.tells(cell, "play_on_spans") else None
        if table is None or table.empty:
            return ""
        strategy, rules = self.cells[cell]
        better, worse = table[table["gain_low"] > 0], table[table["gain_high"] < 0]
        text = (
            f"{strategy} against {self.opponent or 'itself'} under {rules}, at 0–0: of {len(table)} combinations of turns "
            f"and deadwood, a knock at once clearly brings more points than going on by {strategy} in {len(better)} and clearly "
            f"fewer in {len(worse)}"
        )
        for rows, largest, word in ((better, "max", "knocking"), (worse, "min", "going on")):
            if len(rows):
                row: Any = rows.loc[getattr(rows["gain"], f"idx{largest}")()]
                sign = 1 if word == "knocking" else -1
                low, high = sorted((sign * row["gain_low"], sign * row["gain_high"]))
                text += (
                    f"; {word} is most ahead with {int(row['deadwood'])} on own turns {span_text(int(row['span']))}, by "
                    f"{sign * row['gain']:.1f} points ({interval_text(low, high, '.1f')})"
                )
        return f"{text}. Each interval is a 95 % one by itself."

    def _choice_words(self, cell: int, turn: int, deadwood: int) -> str:
        """What going on brings instead of a knock, in words, after a sentence on the knock; empty if that was not counted."""
        if not self.tells(cell, "play_on") or deadwood == 0 or not self.tables[cell]["play_on"][turn, deadwood, 1]:
            return ""
        on, gain = (self._choice(cell, "play_on", part, turn, deadwood) for part in ("on", "gain"))
        told = interval_text(on.low, on.high, "+.2f"), interval_text(gain.low, gain.high, "+.2f")
        verdict = "knocking is better" if gain.low > 0 else "going on is better" if gain.high < 0 else "which is better is open"
        return (
            f" Going on by {self.cells[cell][0]} in the same positions brings {on.value:+.2f} ({told[0]}): the knock gains "
            f"{gain.value:+.2f} points ({told[1]}), so {verdict}."
        )

    def per_hand(self, cell: int, part: str, rank: int, suit: int | None = None) -> Estimate:
        """How many cards of a rank (1 … 13), or how often that of one suit (0 … 3), came to this in a hand, with its interval.

        ``part`` is one of ``CARD_PARTS``; both players count.
        """
        name, at = ("ranks", (rank - 1,)) if suit is None else ("cards", (suit, rank - 1))
        x, x_sq = (int(sums[at]) for sums in sums_of_cards(self.tables[cell][name], part))
        pairs = self.deals
        return within(mean_of_clusters(RatioSums(x, x_sq, 2 * pairs, 4 * pairs, 2 * x, pairs)), 0.0, math.inf)

    def cards(self, cell: int) -> pd.DataFrame:
        """How often in a hand cards are dealt, kept, thrown, taken, melded by the winner and laid off, by rank and by card.

        ``suit`` is empty in rows that tell of all cards of a rank; both players count.
        """
        import pandas as pd

        ranks = (np.flatnonzero(self.tables[cell]["ranks"][:, 0]) + 1).tolist() if self.tells(cell, "ranks") else []
        rows = []
        for rank, suit in [(r, None) for r in ranks] + [(r, s) for r in ranks for s in range(4)]:
            if suit is None or self.tables[cell]["cards"][suit, rank - 1, 0]:
                row: dict[str, Any] = {"rank": RANKS[rank - 1], "suit": "" if suit is None else SUITS[suit]}
                for part in CARD_PARTS:
                    e = self.per_hand(cell, part, rank, suit)
                    row |= {part: e.value, f"{part}_low": e.low, f"{part}_high": e.high}
                rows.append(row)
        return pd.DataFrame(rows, columns=["rank", "suit", *_with_bounds(CARD_PARTS)])

    def melded_sentence(self, cell: int) -> str:
        """Which ranks lie most and least often in the melds of winners, in words; empty if that was not counted."""
        table = self.cards(cell)
        table = table[table["suit"] == ""]
        if table.empty or self.deals < LEAST_PAIRS or not table["melded"].sum():
            return ""
        rows: list[Any] = table.sort_values("melded", ascending=False).to_dict("records")
        strategy, rules = self.cells[cell]
        first, last = rows[0], rows[-1]
        near = [row for row in rows if row["melded_high"] >= first["melded_low"]]
        told = [f"{row['melded']:.2f} ({interval_text(row['melded_low'], row['melded_high'], '.2f')})" for row in (first, last)]
        names = joined([RANK_NAMES[row["rank"]] for row in near])
        open_ = "" if len(near) == 1 else f" (the intervals of {names} overlap)"
        return (
            f"{strategy} against {self.opponent or 'itself'} under {rules}: of the {table['melded'].sum():.2f} cards per hand "
            f"dealt that lie in the melds of its winner, {RANK_NAMES[first['rank']]} are the most, {told[0]} per hand{open_}, "
            f"and {RANK_NAMES[last['rank']]} the fewest, {told[1]}."
        )

    def discards(self, cell: int) -> pd.DataFrame:
        """How often the opponent takes a discard of the strategy at once, by its rank, and by how it lies to their own discards.

        ``discard`` is the rank (1 … 13) or one of ``NEAR``: beside a card that the opponent discarded before (in suit), of the
        rank of one, both, neither.
        """
        import pandas as pd

        rows: list[Any] = []
        for name, labels in (("by_rank", range(1, 14)), ("by_near", NEAR)):
            for k, label in enumerate(labels):
                n = int(self.tables[cell][name][k, 1])
                if n:
                    e = self._taken(cell, name, k)
                    rows.append((str(label), n, e.value, e.low, e.high))
        return pd.DataFrame(rows, columns=["discard", "discards", "taken", "low", "high"])

    def _taken(self, cell: int, name: str, k: int) -> Estimate:
        return share_of_clusters(self._sums(cell, name, "taken", k))

    def taken(self, cell: int, which: int | str) -> Estimate:
        """Share of the discards of a rank (1 … 13), or of a kind of ``NEAR``, that the opponent takes at once."""
        return self._taken(cell, *(("by_near", NEAR.index(which)) if isinstance(which, str) else ("by_rank", which - 1)))

    def taken_more(self, cell: int, a: int | str, b: int | str) -> Estimate:
        """By how much more often (a share) discards ``a`` are taken than ``b``, both ranks (1 … 13) or kinds of ``NEAR``.

        The interval is as wide as those of both together: never too narrow, however they depend on each other.
        """
        return within(cautious_difference(self.taken(cell, a), self.taken(cell, b)), -1, 1)

    def mean_turns(self, cell: int) -> Estimate:
        """Turns of both players in a hand."""
        return self.hands[cell].turns_per_hand

    def lasting(self, cell: int, least: int, most: int) -> Estimate:
        """Share of the hands that last from ``least`` to ``most`` turns of both players."""
        return share_of_trials(float(self.tables[cell]["turns"][least : most + 1].sum()) / (2 * self.deals), self.deals)

    def over_by(self, cell: int, turns: int) -> Estimate:
        """Share of the hands that are over by the end of so many turns of each player."""
        return self.lasting(cell, 0, turns * self.game.seats(rules_of(self.cells[cell][1])))

    def starter_share(self, cell: int) -> Estimate:
        """Share of the decided hands that the player who starts wins."""
        return self.hands[cell].starter_share

    def likelier(self, cell: int, a: str, b: str) -> Estimate:
        """By how much larger (a share of all hands) the one ending is than the other, with Student's interval.

        The variance is that of a difference of two shares of the same trials, one for each pair: never too narrow.
        """
        one, other = self.share(cell, *self.game.endings_shown[a]).value, self.share(cell, *self.game.endings_shown[b]).value
        value, spread = one - other, max(one + other - (one - other) ** 2, 0.0)
        se = math.sqrt(spread / self.deals + extra_variance(self.deals, ONE_HAND))
        return within(from_mean(value, se, self.deals), -1, 1)

    def undercut_share(self, cell: int) -> Estimate:
        """Share of the knocks made, gin apart, that were undercut, by either player; a trial for every two knocks."""
        t = self.hands[cell].hands_tally
        won, cut = (sum(t[f"{ending}_{player}"] for player in (0, 1)) for ending in ("knock", "undercut"))
        return share_of_trials(cut / (won + cut), (won + cut) / 2) if won + cut else Estimate(math.nan, 0.0, 1.0, math.inf, LEVEL)

    def first_upcard(self, cell: int) -> tuple[Estimate, Estimate]:
        """Shares of the hands in which the starter took the first upcard, and in which the dealer did."""
        starter, dealer = (share_of_trials(int(n) / (2 * self.deals), self.deals) for n in self.tables[cell]["hands"][:2])
        return starter, dealer

    def laid_off(self, cell: int) -> Estimate:
        """Points laid off per hand; the interval, as if the plays of a pair always came out alike, is never too narrow."""
        return self._per_hand(self.hands[cell].hands_tally["laid_off"], int(self.tables[cell]["hands"][3]), TURNS_UNIT)

    def points(self, cell: int) -> Estimate:
        """Points to the winner per hand dealt, with an interval as in `laid_off`."""
        table = self.tables[cell]["points"]
        return self._per_hand(self.points_scored(cell) * 2 * self.deals, int(table @ np.arange(len(table)) ** 2), POINTS_UNIT)

    def _per_hand(self, total: float, squares: int, unit: float) -> Estimate:
        hands = 2 * self.deals
        mean = total / hands
        variance = max(squares / hands - mean * mean, 0.0) / max(self.deals - 1, 1)
        return within(from_mean(mean, math.sqrt(variance + extra_variance(self.deals, unit)), self.deals), 0.0, math.inf)

    def summary(self) -> pd.DataFrame:
        """One row a cell: length, endings, points, the starter's share, points laid off, who takes the first upcard."""
        import pandas as pd

        rows = []
        for k, (strategy, rules) in enumerate(self.cells):
            hands = self.hands[k]
            turns = hands.turns_per_hand
            row: dict[str, Any] = {"strategy": strategy, "rules": rules, "turns": turns.value}
            row |= {"turns_low": turns.low, "turns_high": turns.high}
            row |= {f"turns_{share:.0%}": self.quantile(k, "turns", share) for share in (0.05, 0.5, 0.95)}
            told = {name: self.share(k, *endings) for name, endings in self.game.endings_shown.items()}
            told |= {"points": self.points(k), "starter": hands.starter_share}
            if self.game.turn_tables:
                told |= {"laid_off": self.laid_off(k)}
                told |= dict(zip(("upcard_starter", "upcard_dealer"), self.first_upcard(k), strict=True))
                told |= {"knocks_undercut": self.undercut_share(k)}
            told |= {name: hands.measure(name) for name in self.game.shown}
            for name, e in told.items():
                row |= {name: e.value, f"{name}_low": e.low, f"{name}_high": e.high}
            if self.game.turn_tables:
                row["taken_per_hand"] = (hands.hands_tally["taken_0"] + hands.hands_tally["taken_1"]) / (2 * self.deals)
                row["hands_with_lay_offs"] = int(self.tables[k]["hands"][2]) / (2 * self.deals)
            rows.append(row)
        return pd.DataFrame(rows)

    def verdict(self) -> str:
        """How long hands last and how they end, in a sentence for each cell (for many, the extremes)."""
        sentences = []
        labels = self.labels()
        order = sorted(range(len(labels)), key=lambda k: self.hands[k].turns_per_hand.value)
        for k in order if len(order) <= 3 else (order[0], order[-1]):
            turns = self.hands[k].turns_per_hand
            ends = {word: self.share(k, *own).value for word, own in self.game.endings_shown.items()}
            told = [f"{SHARE.value_text(value)} {IN_WORDS.get(word, f'by {word}')}" for word, value in ends.items() if value]
            players = "both players" if self.hands[k].table_size == 2 else "all players"
            sentences.append(
                f"{labels[k]}: a hand takes {turns.value:.2f} turns of {players} ({turns.low:.2f} to {turns.high:.2f}), "
                f"nine in ten take {self.quantile(k, 'turns', 0.05)} to {self.quantile(k, 'turns', 0.95)}; "
                f"how hands end: {joined(told)}."
            )
        return " ".join(sentences)


def _with_bounds(names: Sequence[str]) -> list[str]:
    return [f"{name}{end}" for name in names for end in ("", "_low", "_high")]


def span_text(span: int) -> str:
    """The own turns of a span, in words."""
    first, last = SPANS[span]
    return f"{first} and later" if last == MOST_OWN_TURN - 1 else f"{first} to {last}"


def split_tables(flat: Any, game: Game) -> dict[str, np.ndarray]:
    """The tables that stand one after the other in ``flat``."""
    tables = tables_of(game)
    ends = np.cumsum([math.prod(shape) for shape in tables.values()])[:-1]
    parts = np.split(np.asarray(flat, np.int64), ends)
    return {name: part.reshape(shape) for (name, shape), part in zip(tables.items(), parts, strict=True)}


class StatisticsExperiment(Experiment):
    """What the hands of ``strategies`` are like, under ``rules`` and ``variants``."""

    kind: Literal["statistics"] = "statistics"
    games: Literal[0] = Field(0, description="none: statistics are about hands")
    strategies: list[Player] = Field(min_length=1, max_length=MOST_LISTED, description="specs of the strategies")
    opponent: Player | None = Field(None, description="whom all of them play; otherwise each plays itself")
    variants: list[str] = Field([], max_length=MOST_LISTED, description="more rules, or changes to rules such as (knock_limit=5)")

    @field_validator("strategies")
    @classmethod
    def _strategies(cls, value: list[Strategy]) -> list[Strategy]:
        return distinct("strategies", value)

    _variants = field_validator("variants")(variants_field)

    def _every_rules(self) -> list[RulesModel]:
        return [self.rules, *(check_variants(self.rules, self.variants) if self.variants else [])]

    def _cells(self) -> list[tuple[Strategy, RulesModel]]:
        return list(itertools.product(self.strategies, self._every_rules()))

    @property
    def unit(self) -> str:
        """What its works count, in words."""
        return "deals" if self.game.alone and not self.opponent else super().unit

    def field(self) -> Sequence[Strategy]:
        return [*self.strategies, *([self.opponent] if self.opponent else [])]

    def works(self) -> list[Work]:
        return [
            StatisticsWork((player, self.opponent or player), rules, self.seed, HANDS, 0, self.deals, str(k))
            for k, (player, rules) in enumerate(self._cells())
        ]

    def result(self, tallies: Tallies, **more: Any) -> Statistics:
        hands, tables, names = [], [], self.game.hand_tally
        for k, (player, own) in enumerate(self._cells()):
            of_hands, rest = np.split(tallies.sums[str(k), HANDS], [len(names)])
            sums = as_dict(names, of_hands), dict.fromkeys(GAME_TALLY, 0)
            hands.append(Comparison(str(player), str(self.opponent or player), str(own), self.seed, *sums))
            tables.append(split_tables(rest, self.game))
        of = tuple(map(str, self.strategies)), tuple(map(str, self._every_rules())), str(self.opponent or ""), self.seed
        return Statistics(*of, self.own_deals, tuple(hands), tuple(tables), **more)


def statistics(
    strategies: str | Strategy | Sequence[str | Strategy],
    rules: str | RulesModel | Sequence[str | RulesModel] = "classic25",
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
    rules : str, Rules, or a sequence of them
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
    own_rules = [rules] if isinstance(rules, str | RulesModel) else listed("rules", rules, "rules")
    if not own_rules:
        raise InputError("rules: none given; give one or more")
    first, *others = own_rules
    more = {"opponent": opponent, "variants": others, "deals": deals, "seed": seed}
    result: Statistics = carried_out(built("statistics", strategies=strategies, rules=first, **more), workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


class StatisticsManifest(Manifest):
    """What statistics are rebuilt from."""

    deals: int = Field(ge=1)
    every_rules: list[Name] = Field(min_length=1)
    opponent: Name


class StatisticsSums(BaseModel):
    """The sums of a cell."""

    model_config = ConfigDict(strict=True, extra="forbid")

    hands: dict[str, int]
    tables: dict[str, list[int]]


def _text(found: Statistics) -> str:
    """The sums of statistics as the text of ``tallies.json``, a line for each table."""
    cells = {
        str(k): {"hands": dict(hands.hands_tally), "tables": {name: table.ravel().tolist() for name, table in tables.items()}}
        for k, (hands, tables) in enumerate(zip(found.hands, found.tables, strict=True))
    }
    return json.dumps(cells).replace('], "', '],\n"').replace('}, "', '},\n"') + "\n"


def _rebuilt(folder: Path, manifest: StatisticsManifest, sums: dict[str, StatisticsSums], **more: Any) -> Statistics:
    path, game = folder / TALLIES, game_of(manifest.played)
    sizes = {name: math.prod(shape) for name, shape in tables_of(game).items()}
    cells = list(itertools.product(manifest.strategies, manifest.every_rules))
    same_names(path, "cell", set(sums), {str(k) for k in range(len(cells))})
    hands, tables = [], []
    for k, (player, own) in enumerate(cells):
        cell, none = sums[str(k)], dict.fromkeys(GAME_TALLY, 0)
        check_pair(path, f"cell {k}", {HANDS: cell.hands, GAMES: none}, game)
        known = {name: size for name, size in sizes.items() if name not in LATER or LATER & set(cell.tables)}
        same_names(path, f"cell {k}: table", set(cell.tables), set(known))
        for name, size in known.items():
            table = cell.tables[name]
            if len(table) != size:
                raise InputError(f"results: {path}: cell {k}: the table of {name} has {len(table)} numbers, not {size}")
        split = {name: np.asarray(cell.tables[name], np.int64).reshape(tables_of(game)[name]) for name in known}
        _check_tables(f"{path}: cell {k}", split, cell.hands)
        hands.append(Comparison(player, manifest.opponent or player, own, manifest.seeds, cell.hands, none))
        tables.append(split)
    return Statistics(
        tuple(manifest.strategies), tuple(manifest.every_rules), manifest.opponent, manifest.seeds, manifest.deals, tuple(hands),
        tuple(tables), **more,
    )  # fmt: skip


def _check_tables(where: str, tables: dict[str, np.ndarray], hands: dict[str, int]) -> None:
    """The tables must be possible together, and with the sums of the hands."""
    counted = [table for name, table in tables.items() if name not in ("if_knocked", "play_on", "play_on_spans")]
    told = {name: (int(tables[name].sum()), 2 * hands["pairs"]) for name in ("turns", "points")}
    if "if_knocked" in tables:
        knocked = tables["if_knocked"]
        counted += [knocked[..., :6], knocked[..., 9:]]  # the points of knocks are the only sums that may be below 0
        told |= _of_turns(tables, hands)
    if "cards" in tables:
        counted += [tables[name][..., at] for name in ("play_on", "play_on_spans") for at in (0, 1, 2, 4, 7, 10)]
        told |= _of_cards(tables, hands)
    if min(int(table.min()) for table in counted) < 0:
        raise InputError(f"results: {where}: a count below 0 is impossible")
    for name, (found, known) in told.items():
        if found != known:
            raise InputError(f"results: {where}: the table of {name} does not add up to {known}")


def _of_turns(tables: dict[str, np.ndarray], hands: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What the tables of turns add up to, and what that is known to be."""
    by_turn, knocked = tables["by_turn"], tables["if_knocked"]
    return {
        "held": (int(tables["held"].sum()), int(by_turn[:, 1].sum())),
        "if_knocked": (int(knocked[..., 1].sum()), int(sums_of(by_turn, "by_turn", "able")["x"].sum())),
        "by_near": (int(tables["by_near"][:, 1].sum()), int(tables["by_rank"][:, 1].sum())),
        "made": (int(sums_of(knocked, "if_knocked", "made")["x"].sum()), hands["knocks_0"]),
    }


def _of_cards(tables: dict[str, np.ndarray], hands: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What the tables of cards and of going on add up to, and what that is known to be."""
    taken = hands["taken_0"] + hands["taken_1"] - int(tables["hands"][:2].sum())
    big_gin = hands["big_gin_0"] + hands["big_gin_1"]
    spans, of_turns = (int(tables[name][..., 1].sum()) for name in ("play_on_spans", "play_on"))
    ranks = tables["ranks"].sum(axis=0)
    return {
        **{f"cards {part}": (int(sums_of_cards(tables["cards"], part)[0].sum()), int(ranks[2 * k]))
           for k, part in enumerate(CARD_PARTS)},
        "ranks thrown": (int(ranks[4]), hands["turns"] - big_gin),
        "ranks taken": (int(ranks[6]), taken),
        "play_on_spans": (spans, of_turns),
    }  # fmt: skip


def _facts(s: Statistics) -> dict[str, Any]:
    return {"every_rules": list(s.rules), "opponent": s.opponent}


register(
    "statistics", experiment=StatisticsExperiment, result=Statistics, text=_text, manifest=StatisticsManifest,
    sums=dict[str, StatisticsSums], build=_rebuilt, facts=_facts, version=2, bring=with_later_sums,
)  # fmt: skip
