"""Numbers that others have published, each under its conditions and inside its tolerance."""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from ginsim.cards import card_at
from ginsim.games.catalog import Strategy
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import records as H
from ginsim.games.gin.rules import Rules
from ginsim.melds import deadwood_many, run_cards, set_cards
from ginsim.simulation.play import GAMES, HANDS, Work, play

EAAI = Rules.parse("eaai")
HANDS_PLAYED = 411_058


def played(a: str, b: str, pairs: int, phase: str = HANDS, seed: int = 2021) -> pd.DataFrame:
    work = Work((Strategy.parse(a), Strategy.parse(b)), EAAI, seed, phase, 0, pairs)
    return pd.DataFrame(play(work, keep=True).records, columns=H.COLUMNS if phase == HANDS else G.COLUMNS)


# Simple against Simple: 411,058 hands, 40,000 games


@cache
def simple_hands() -> pd.DataFrame:
    """As many hands, each once: the second play of a pair would be the mirror image of the first."""
    hands = played("simple", "simple", HANDS_PLAYED)
    hands = hands[hands.play == 0]
    hands["left"] = np.where(hands.knocker == 0, hands.deadwood_0, hands.deadwood_1)
    return hands


@pytest.mark.parametrize(
    ("ending", "percent", "tolerance"),
    [(H.KNOCKED, 93.49, 0.25), (H.UNDERCUT, 4.25, 0.15), (H.GIN, 2.09, 0.10), (H.DEAD, 0.18, 0.05)],
)
def test_endings(ending: int, percent: float, tolerance: float) -> None:
    assert 100 * (simple_hands().ending == ending).mean() == pytest.approx(percent, abs=tolerance)


def test_turns_per_hand() -> None:
    assert simple_hands().turns.mean() == pytest.approx(12.54, abs=0.06)


def test_hands_per_game() -> None:
    games = played("simple", "simple", 40_000, GAMES)
    assert games[games.play == 0].hands.mean() == pytest.approx(10.28, abs=0.06)


def test_points_per_decided_hand() -> None:
    hands = simple_hands()
    assert hands.points[hands.winner >= 0].mean() == pytest.approx(16.21, abs=0.12)


@pytest.mark.parametrize(
    ("ending", "points", "tolerance"), [(H.KNOCKED, 15.04, 0.12), (H.UNDERCUT, 26.62, 0.35), (H.GIN, 47.45, 0.6)]
)
def test_points_by_ending(ending: int, points: float, tolerance: float) -> None:
    hands = simple_hands()
    assert hands.points[hands.ending == ending].mean() == pytest.approx(points, abs=tolerance)


def test_knockers_deadwood() -> None:
    hands = simple_hands()
    assert hands.left[hands.ending == H.KNOCKED].mean() == pytest.approx(7.06, abs=0.03)


def test_starters_share() -> None:
    decided = simple_hands().query("winner >= 0")
    assert 100 * (decided.winner == decided.starter).mean() == pytest.approx(50.15, abs=0.25)


BY_TURNS = [3173, 2901, 8141, 7525, 15257, 14657, 23179, 22352, 29243, 27536, 31989, 29137]  # turns 1 … 12
BY_DEADWOOD = [8606, 19397, 17912, 16361, 18591, 20742, 35388, 51409, 68598, 73938, 79394]  # 0 … 10


def distance(counts: np.ndarray, published: list[int]) -> float:
    """Chi square of two samples of one size; about as large as there are cells if both come from one source."""
    theirs = np.array(published)
    return float(((counts - theirs) ** 2 / (counts + theirs)).sum())


def test_shape_of_the_lengths() -> None:
    assert distance(np.bincount(simple_hands().turns)[1:13], BY_TURNS) < 40  # one in 10,000 with 12 cells


def test_shape_of_the_knocks() -> None:
    decided = simple_hands().query("winner >= 0")
    assert distance(np.bincount(decided.left, minlength=11), BY_DEADWOOD) < 40


# Strict draws. These were published from 20,000 and 27,000 hands, so their own sampling error is most of the tolerance.


def error_of(values: pd.Series, hands: int) -> float:
    """Three standard errors of the mean of so many hands."""
    return float(3 * values.std() / hands**0.5)


def test_strict_mirror() -> None:
    hands = played("threshold(draw=strict, discard=random_best)", "threshold(draw=strict, discard=random_best)", 200_000)
    hands = hands[hands.play == 0]
    decided = hands[hands.winner >= 0]
    assert 100 * (hands.ending == H.DEAD).mean() == pytest.approx(0.05, abs=0.03)
    by_starter = 100.0 * (decided.winner == decided.starter)
    for values, published in [(decided.points, 16.45), (by_starter, 49.45)]:
        assert values.mean() == pytest.approx(published, abs=error_of(values, 20_000))


@cache
def four_against_ten() -> pd.DataFrame:
    four, ten = (f"threshold(draw=strict, discard=random_best, knock={knock})" for knock in (4, 10))
    return played(four, ten, 200_000)


@pytest.mark.parametrize(
    ("player", "knocks", "undercuts", "gins", "points"), [(0, 20.5, 16.6, 3.0, 9.28), (1, 58.1, 0.1, 1.6, 8.22)]
)
def test_strict_four_against_ten(player: int, knocks: float, undercuts: float, gins: float, points: float) -> None:
    hands = four_against_ten()
    won = hands.winner == player
    for ending, published in [(H.KNOCKED, knocks), (H.UNDERCUT, undercuts), (H.GIN, gins)]:
        share = 100.0 * (won & (hands.ending == ending))
        assert share.mean() == pytest.approx(published, abs=error_of(share, 27_000) + 0.05)  # printed to 0.1
    gain = hands.points.where(won, 0)
    assert gain.mean() == pytest.approx(points, abs=error_of(gain, 27_000))


def test_strict_four_wins_fewer_hands_and_more_points() -> None:
    hands = four_against_ten()
    decided = hands[hands.winner >= 0]
    first = 100.0 * (decided.winner == 0)
    assert first.mean() == pytest.approx(40.2, abs=error_of(first, 27_000))
    assert hands.points[hands.winner == 0].sum() > 1.05 * hands.points[hands.winner == 1].sum()


# Combinatorics


def test_number_of_melds() -> None:
    c = Rules().array()
    suits = [*combinations(range(4), 3), tuple(range(4))]
    sets = [sum(card_at(rank, suit) for suit in some) for rank in range(13) for some in suits]
    assert sum(set_cards(held) == held for held in sets) == 65
    runs = [
        sum(card_at(rank, suit) for rank in range(low, low + length))
        for suit in range(4)
        for low in range(13)
        for length in range(3, 11)
        if low + length <= 13
    ]
    assert sum(run_cards(held, c) == held for held in runs) == 240
    # Whatever three to five cards are taken of one suit: those that are all in one run are the consecutive ones.
    for length in (3, 4, 5):
        whole = [held for held in map(sum, combinations([1 << rank for rank in range(13)], length)) if run_cards(held, c) == held]
        assert len(whole) == 14 - length


def test_mean_dealt_deadwood() -> None:
    """56.569434 over all ten-card hands, by a sample of 600,000 independent ones."""
    rng, hands = np.random.default_rng(5), 600_000
    cards = np.array([card_at(rank, suit) for suit in range(4) for rank in range(13)])
    order = np.argpartition(rng.random((hands, 52), dtype=np.float32), 10, axis=1)[:, :10]
    out = np.zeros(hands, np.int64)
    deadwood_many(cards[order].sum(axis=1), Rules().array(), out)
    assert out.mean() == pytest.approx(56.569434, abs=4 * out.std() / hands**0.5)


def test_mean_dealt_deadwood_in_play() -> None:
    """The engine's own shuffle deals the same hands on average."""
    hands = simple_hands()
    for player in (0, 1):
        dealt = hands[f"dealt_{player}"]
        assert dealt.mean() == pytest.approx(56.569434, abs=4 * dealt.std() / len(dealt) ** 0.5)
