"""Every estimator against the plain formula on data; intervals where nothing or everything was won; how often they hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.experiment.reading import checked_settings
from ginsim.experiment.runs import play_all
from ginsim.experiment.saved import with_later_sums
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import (
    Estimate,
    from_mean,
    mean_of_chances,
    mean_of_clusters,
    mean_of_estimates,
    mean_of_pairs,
    share_of_clusters,
    share_of_pairs,
    share_of_trials,
    within,
)  # fmt: skip
from ginsim.simulation.play import HANDS
from ginsim.study.coverage import COUNTS, FIGURES, CoverageWork, figures

Z = stats.norm.ppf(0.975)


def wilson(p: float, n: float) -> tuple[float, float]:
    centre, reach = (p + Z * Z / 2 / n) / (1 + Z * Z / n), Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + (Z / 2 / n) ** 2)
    return centre - reach, centre + reach


def sums(won: np.ndarray, of: np.ndarray) -> tuple[int, ...]:
    return int(won.sum()), int(of.sum()), int((won * won).sum()), int((won * of).sum()), int((of * of).sum())


@pytest.mark.parametrize("seed", range(5))
def test_means_against_formulas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pairs = rng.integers(-80, 80, 50 + 100 * seed)
    n = len(pairs)
    e = mean_of_pairs(int(pairs.sum()), int((pairs**2).sum()), n)
    assert e.value == pytest.approx(pairs.mean() / 2)
    assert e.se == pytest.approx(math.sqrt(pairs.var(ddof=1) / n + 2 * 25**2 / n**2) / 2)
    assert e.high - e.value == pytest.approx(stats.t.ppf(0.975, n - 1) * e.se) == pytest.approx(e.value - e.low)
    plain = mean_of_pairs(int(pairs.sum()), int((pairs**2).sum()), n, unit=0)
    assert plain.se == pytest.approx(stats.sem(pairs) / 2)
    of = rng.integers(1, 4, n)
    c = mean_of_clusters(
        n, int(of.sum()), int((of * of).sum()), int(pairs.sum()), int((pairs**2).sum()), int((pairs * of).sum())
    )
    off = pairs - c.value * of
    assert c.value == pytest.approx(pairs.sum() / of.sum())
    assert c.se == pytest.approx(math.sqrt(((off**2).sum() + 2) * n / (n - 1)) / of.sum())


@pytest.mark.parametrize("seed", range(5))
def test_shares_against_formulas(seed: int) -> None:
    rng = np.random.default_rng(seed)
    of = rng.integers(1, 3, 40 + 200 * seed)
    won = rng.binomial(of, 0.1 + 0.2 * seed)
    n, e = len(of), share_of_pairs(*sums(won, of), len(of))  # type: ignore[misc]
    p = won.sum() / of.sum()
    counting = of.sum() ** 2 / (of**2).sum()
    extra = 2 * (of.sum() / counting * 2 * p * (1 - p)) ** 2
    se = math.sqrt((((won - p * of) ** 2).sum() + extra) * counting / (counting - 1)) / of.sum()
    assert (e.value, e.se) == pytest.approx((p, se))
    assert (e.low, e.high) == pytest.approx(wilson(p, p * (1 - p) / se**2))
    own = share_of_clusters(n, int(of.sum()), int((of * of).sum()), int(won.sum()), int((won * won).sum()), int((won * of).sum()))
    assert own == e
    values = rng.beta(2, 3, 300)
    m = mean_of_chances(float(values.mean()), float(values.var(ddof=1)), 300)
    se = math.sqrt(values.var(ddof=1) / 300 + 2 * (2 * m.value * (1 - m.value) / 300) ** 2)
    assert (m.low, m.high) == pytest.approx(wilson(m.value, m.value * (1 - m.value) / se**2))


def test_a_mean_of_estimates_adds_the_distances_in_squares() -> None:
    parts = [share_of_trials(0.0, 50), share_of_trials(0.4, 80), share_of_trials(1.0, 20)]
    e = mean_of_estimates(parts)
    assert e.value == pytest.approx(1.4 / 3)
    assert e.value - e.low == pytest.approx(math.sqrt(sum((part.value - part.low) ** 2 for part in parts)) / 3)
    assert e.high - e.value == pytest.approx(math.sqrt(sum((part.high - part.value) ** 2 for part in parts)) / 3)
    assert mean_of_estimates([from_mean(1.0, math.inf, 0), parts[0]]).low == -math.inf
    exact = Estimate(0.5, 0.5, 0.5, 0.0)
    assert mean_of_estimates([exact, exact]) == exact
    assert within(from_mean(0.1, 0.5, 10), -1, 1).low == -1 < within(from_mean(0.1, 0.1, 10), -1, 1).low


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60))
def test_shares_stay_within_and_are_never_empty(pairs: list[tuple[int, int]]) -> None:
    won, of = (np.array(column) for column in zip(*((min(a, b), b) for a, b in pairs), strict=True))
    e = share_of_pairs(*sums(won, of), len(of))  # type: ignore[misc]
    if of.sum():
        assert 0 <= e.low <= e.value <= e.high <= 1 and e.low < e.high
        mean = mean_of_estimates([e, share_of_trials(0.0, 30), share_of_trials(1.0, 7)])
        assert 0 <= mean.low < mean.high <= 1
        total, squares = int(won.sum()), int((won * won).sum())
        assert len(of) < 2 or mean_of_pairs(total, squares, len(of)).low < mean_of_pairs(total, squares, len(of)).high


def test_strategies_that_must_cancel_are_exact_and_no_others() -> None:
    split = np.ones(100, int), np.full(100, 2)
    assert share_of_pairs(*sums(*split), 100, exact=True) == Estimate(0.5, 0.5, 0.5, 0.0)  # type: ignore[misc]
    assert share_of_pairs(*sums(*split), 100).low < 0.5  # type: ignore[misc]
    mirror = ginsim.compare("simple", "simple", "eaai", deals=50, games=5)
    assert mirror.points_per_hand == Estimate(0, 0, 0, 0) and mirror.hands_won.low == mirror.games_won.high == 0.5
    assert "plays itself" in mirror.verdict()
    like = ginsim.compare("threshold(knock=10)", "threshold(knock_by_turn=[10, 10, 10, 10, 10, 10, 10, 9])", "eaai", deals=20)
    assert like.hands_tally["points_sq"] == 0 and like.points_per_hand.low < 0 < like.points_per_hand.high
    assert "came out equal on every deal; so the difference is between" in like.verdict()


def test_endings_of_pairs_against_the_hands(tmp_path: Any) -> None:
    """Wilson's interval of each ending from the pairs; a share of pairs that end alike is as one of so many trials."""
    found = ginsim.compare("champion", "simple", "eaai", deals=2_000, games=0, keep_hands=tmp_path / "hands")
    hands = found.hands()
    table = found.endings().set_index(["ending", "winner"])
    for (ending, winner), row in table.iterrows():  # type: ignore[misc]
        of = hands["ending"] == ending
        if winner in (found.a, found.b):
            of &= hands["winner"] == (winner == found.b)
        won = of.to_numpy().reshape(-1, 2).sum(axis=1)
        e = share_of_pairs(*sums(won, np.full(2_000, 2)), 2_000)  # type: ignore[misc]
        assert (row["share"], row["low"], row["high"]) == pytest.approx((e.value, e.low, e.high))
    assert e.low < e.high


def test_results_kept_before_pairs_were_looked_at_for_endings() -> None:
    sums_now = ginsim.compare("champion", "simple", "eaai", deals=300, games=0).hands_tally
    before = {name: value for name, value in sums_now.items() if "_both" not in name}
    later = with_later_sums({"0-1": {"hands": before}})["0-1"]["hands"]
    assert later.keys() == sums_now.keys() and later["knock_both_0"] == sums_now["knock_0"] // 2
    assert with_later_sums({"hands": sums_now}) == {"hands": sums_now}


# What was seen to go wrong


def shares_of(table: pd.DataFrame, name: str) -> pd.DataFrame:
    return table[[name, f"{name}_low", f"{name}_high"]]


def test_a_field_in_which_one_never_wins() -> None:
    found = ginsim.tournament(["champion", "simple", "random"], "eaai", deals=300, games=50, seed=1)
    for name in ("games_won", "hands_won"):
        own = shares_of(found.ranking(), name).to_numpy()
        assert (own >= 0).all() and (own <= 1).all() and (own[:, 1] < own[:, 2]).all()
    assert found.ranking()["games_won_high"].iloc[-1] > 0.01


def test_odds_of_one_who_always_wins() -> None:
    found = ginsim.odds("champion", "random", "eaai", deals=300, games=30)
    assert found.start.low < 1 - 1e-12 and found.start.high <= 1
    assert "times the variance" not in found.verdict() and "(100.00 to 100.00)" not in found.verdict()
    mirror = ginsim.odds("simple", "simple", "eaai", deals=100, games=10)
    assert "plays itself, so each side wins half of" in mirror.verdict() and mirror.at(50, 20).low < mirror.at(50, 20).high


def test_effects_that_came_up_on_no_deal() -> None:
    found = ginsim.effect("eaai", ["(gin_bonus=30)"], ["simple"], deals=100, games=0)
    e = found.difference(1, "dead")
    assert e.value == 0 and -1 <= e.low < 0 < e.high <= 1 and not found.differed(1, "dead") and found.differed(1, "points")


def test_advice_on_a_sure_thing() -> None:
    advice = ginsim.advise("3H 4H 5H 6H 7S 8S 9S KC KS KH JD", turn=3, rollouts=50, score=(90, 0))
    assert all(0 <= c.game.low <= c.game.value <= c.game.high <= 1 and c.game.low < c.game.high for c in advice.choices)
    assert advice.best.behind == Estimate(0, 0, 0, 0)
    assert all(choice.behind.low < choice.behind.high for choice in advice.choices if choice is not advice.best)


# How often intervals hold


SETTINGS = {"kind": "coverage", "a": "threshold(knock=4)", "b": "simple", "rules": "eaai", "seed": 3, "deals": 2_000}


@pytest.fixture(scope="module")
def covered() -> Any:
    experiment = checked_settings(SETTINGS | {"samples": 150, "shares": [0.01, 0.5, 0.99]})
    return experiment.result(play_all(experiment))


def test_intervals_hold_as_often_as_they_say(covered: Any) -> None:
    table = covered.table()
    assert len(table) == 3 * len(FIGURES) and (table["held"] > 0.95 - 3.5 * math.sqrt(0.05 * 0.95 / 150)).all()
    assert table["held"].mean() == pytest.approx(0.955, abs=0.02)
    assert "In 150 samples, 95 % intervals contained the true value in" in covered.verdict()


def test_a_sample_is_judged_as_by_hand(covered: Any) -> None:
    """The counted wins have the share that was asked for, and each interval is compared with it."""
    rng = np.random.default_rng(1)
    winner, points = rng.integers(-1, 2, (60_000, 2)), rng.integers(1, 60, (60_000, 2))
    for share in (0.01, 0.7):
        counted = rng.random((60_000, 2)) < 2 * min(share, 1 - share)
        found = list(figures(winner, points, counted, share))
        assert len(found) == len(FIGURES)
        assert all(abs(e.value - truth) < 5 * e.se for e, truth in found)
    work = CoverageWork(
        Strategy.parse("simple"), Strategy.parse("simple"), ginsim.Rules.parse("eaai"), 3, HANDS, 0, 4, most=300, shares=(0.5,)
    )
    whole = work.carry_out().tally
    np.testing.assert_array_equal(whole, work.part(0, 1).carry_out().tally + work.part(1, 3).carry_out().tally)
    assert whole.reshape(len(FIGURES), len(COUNTS)).sum(axis=1).tolist() == [4] * len(FIGURES)


def test_coverage_is_kept(covered: Any, tmp_path: Any) -> None:
    ginsim.save(covered, tmp_path)
    assert ginsim.load_results(tmp_path) == covered
    assert (tmp_path / "coverage.png").exists() and "## By the true share" in (tmp_path / "report.md").read_text()
    with pytest.raises(InputError, match="shares"):
        checked_settings(SETTINGS | {"shares": [0.0]})
    file = tmp_path / "own.toml"
    file.write_text('kind = "coverage"\na = "simple"\nb = "threshold"\ndeals = 300\nsamples = 30\nshares = [0.5]\n')
    result = CliRunner().invoke(app, ["run", str(file), "--out", str(tmp_path / "out"), "--quiet"])
    assert result.exit_code == 0, result.output
