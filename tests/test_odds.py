"""The odds of a game from the results of hands: against an exact recursion, and against games played."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from ginsim.errors import InputError
from ginsim.games.base import GAME_TALLY, as_dict
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.odds import as_counts, game_odds, outcomes, start_odds
from ginsim.games.gin.rules import Rules
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.oracle.scoring import dealers


def solve(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations (the last number of a row is its right side)."""
    rows = [list(row) for row in rows]
    for i in range(len(rows)):
        pivot = next(j for j in range(i, len(rows)) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j, row in enumerate(rows):
            if j != i:
                rows[j] = [x - row[i] * y for x, y in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]


class Exact:
    """Chance that player 0 wins, in fractions, by recursion from a score to those that one hand may lead to."""

    def __init__(self, counts: np.ndarray, target: int, next_dealer: str) -> None:
        self.counts, self.target, self.next_dealer = counts.tolist(), target, next_dealer
        self.at = lru_cache(maxsize=None)(self.both)

    def hands(self, starter: int) -> Iterator[tuple[Fraction, int, int, int]]:
        """(chance, winner, points, next starter)"""
        total = sum(map(sum, self.counts[starter]))
        for winner in (0, 1):
            _, dealer = dealers([(winner, 1)], 1 - starter, self.next_dealer)
            for points, number in enumerate(self.counts[starter][winner]):
                if number:
                    yield Fraction(number, total), winner, points, 1 - dealer

    def both(self, a: int, b: int) -> list[Fraction]:
        """For either starter; hands of no points stay at the score, so both are solved together."""
        if a >= self.target or b >= self.target:
            return [Fraction(a >= self.target)] * 2
        rows = []
        for starter in (0, 1):
            row = [Fraction(starter == 0), Fraction(starter == 1), Fraction(0)]
            for chance, winner, points, after in self.hands(starter):
                if points:
                    row[2] += chance * self.at(a + points * (winner == 0), b + points * (winner == 1))[after]
                else:
                    row[after] -= chance
            rows.append(row)
        return solve(rows)


def random_counts(rnd: random.Random, target: int) -> np.ndarray:
    """A distribution of results: dense or with few kinds, with many results of no points or none."""
    while True:
        counts = np.zeros((2, 2, target + 1), np.int64)
        for cell in np.ndindex(counts.shape):
            if rnd.random() < rnd.choice([0.1, 0.9]):
                counts[cell] = rnd.randrange(1, 20)
        counts[:, :, 0] *= rnd.choice([0, 1, 30])
        if counts[:, :, 1:].any(axis=(1, 2)).all():
            return counts


@pytest.mark.parametrize("next_dealer", ["alternate", "loser", "winner"])
def test_odds_are_exact(next_dealer: str) -> None:
    rnd = random.Random(next_dealer)
    for _ in range(25):
        target = rnd.randrange(1, 13)
        counts, rules = random_counts(rnd, target), Rules(target=target, next_dealer=next_dealer)
        exact, odds = Exact(counts, target, next_dealer), game_odds(counts, rules)
        assert odds.shape == (target, target, 2)
        for a in range(target):
            for b in range(target):
                assert odds[a, b] == pytest.approx([float(x) for x in exact.at(a, b)], abs=1e-12)
        assert start_odds(counts, rules) == pytest.approx(float(sum(exact.at(0, 0)) / 2), abs=1e-12)


@pytest.mark.parametrize("next_dealer", ["alternate", "loser", "winner"])
def test_the_players_may_be_exchanged(next_dealer: str) -> None:
    rnd, rules = random.Random(4), Rules(target=9, next_dealer=next_dealer)
    counts = random_counts(rnd, 9)
    odds, other = game_odds(counts, rules), game_odds(counts[::-1, ::-1], rules)
    np.testing.assert_allclose(odds, 1 - other.transpose(1, 0, 2)[:, :, ::-1], atol=1e-12)


def test_odds_known_without_reckoning() -> None:
    """A point a hand, won by either as often: the odds are those of the first to win so many tosses."""
    rules = Rules(target=4)
    counts = np.zeros((2, 2, 5), np.int64)
    counts[:, :, 1] = 1
    odds = game_odds(counts, rules)
    for a, b in np.ndindex(4, 4):
        tosses = 7 - a - b
        won = sum(math.comb(tosses, k) for k in range(4 - a, tosses + 1)) / 2**tosses
        assert odds[a, b] == pytest.approx([won, won])
    counts[:, 1] = 0
    assert (game_odds(counts, rules) == 1).all()


# From played hands


def hands(a: str, b: str, rules: Rules, deals: int, seed: int = 3) -> np.ndarray:
    records = play(Work((Strategy.parse(a), Strategy.parse(b)), rules, seed, HANDS, 0, deals), keep=True).records
    assert records is not None
    return records


def test_outcomes_are_counted() -> None:
    for spec, target in [("classic25", 100), ("classic25(tie=knocker)", 7), ("classic25(tie=push)", 30)]:
        records = hands("threshold", "gin_only", Rules.parse(spec), 400)
        counts = outcomes(records, target)
        frame = pd.DataFrame(records, columns=list(H.COLUMNS)).query("winner >= 0")
        cut = frame.assign(points=frame["points"].clip(upper=target))
        expected = cut.value_counts(["starter", "winner", "points"])
        assert counts.shape == (2, 2, target + 1)
        assert {key: counts[key] for key in expected.index} == expected.to_dict()
        assert counts.sum() == len(frame) < len(records)
        np.testing.assert_array_equal(as_counts(counts.ravel()), counts)


@pytest.mark.parametrize(
    ("a", "b", "spec"),
    [
        ("threshold(knock=4)", "simple", "eaai"),
        ("simple", "gin_only", "classic20"),
        ("threshold(draw=strict)", "simple", "pagat(target=60, tie=knocker)"),  # the loser deals
        ("threshold(knock=0)", "threshold", "round_the_corner(next_dealer=winner)"),
        ("early_then_gin", "threshold(draw=never)", "oklahoma(target=30)"),
    ],
)
def test_odds_agree_with_played_games(a: str, b: str, spec: str) -> None:
    """Within four standard errors of both: of the games, and of the odds (from parts of the hands)."""
    rules = Rules.parse(spec)
    records = hands(a, b, rules, 12_000)
    parts = [start_odds(outcomes(part, rules.target), rules) for part in np.split(records, 20)]
    won = as_dict(GAME_TALLY, play(Work((Strategy.parse(a), Strategy.parse(b)), rules, 4, GAMES, 0, 2_000)).tally)
    share = won["won"] / won["decided"]
    error = math.hypot(math.sqrt(share * (1 - share) / won["decided"]), float(np.std(parts, ddof=1)) / math.sqrt(20))
    assert abs(start_odds(outcomes(records, rules.target), rules) - share) < 4 * error


# What cannot be reckoned


def test_refused() -> None:
    rules, some = Rules(target=3), np.zeros((2, 2, 4), np.int64)
    some[:, :, 2] = 1
    with pytest.raises(InputError, match="Hollywood"):
        game_odds(some, Rules(target=3, hollywood=True))
    for starter, points in [((0, 1), slice(None)), ((0,), slice(None)), ((1,), slice(None)), ((1,), slice(1, None))]:
        for dealer in ("alternate", "loser", "winner"):
            counts = some.copy()
            counts[:, 0, 0] = 5  # hands of no points, which for ever lead back
            counts[list(starter), :, points] = 0
            with pytest.raises(InputError, match="play more deals"):
                game_odds(counts, rules.replace(next_dealer=dealer))
