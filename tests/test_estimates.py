"""Every estimator against the plain formula on data; intervals where nothing or everything was won; how often they hold."""

from __future__ import annotations

import math
import re
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
from ginsim.games.catalog import Strategy
from ginsim.inference.estimates import (
    ONE_HAND,
    Estimate,
    RatioSums,
    cautious_difference,
    extra_variance,
    from_mean,
    mean_of_chances,
    mean_of_clusters,
    mean_of_estimates,
    mean_of_pairs,
    share_of_clusters,
    share_of_hands,
    share_of_pairs,
    share_of_trials,
    within,
)  # fmt: skip
from ginsim.simulation.play import HANDS
from ginsim.study.base import played
from ginsim.study.coverage import COUNTS, FIGURES, CoverageWork, figures
from ginsim.study.kept import with_later_sums
from ginsim.study.settings import checked_settings

Z = stats.norm.ppf(0.975)


def wilson(p: float, n: float) -> tuple[float, float]:
    centre, reach = (p + Z * Z / 2 / n) / (1 + Z * Z / n), Z / (1 + Z * Z / n) * math.sqrt(p * (1 - p) / n + (Z / 2 / n) ** 2)
    return centre - reach, centre + reach


def uneven(rng: np.random.Generator, pairs: int) -> np.ndarray:
    """How often each pair counts: once or twice as a rule, some of them hundreds of times."""
    return np.minimum(np.ceil(rng.pareto(0.7, pairs)), 500).astype(int)


def ratios() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """What was won and what there was to win, pair by pair."""
    rng = np.random.default_rng(5)
    cases = {f"{pairs} pairs": rng.integers(1, 3, pairs) for pairs in (2, 7, 29, 30, 31, 400)}
    cases |= {"some pairs count nothing": rng.integers(0, 3, 90), "uneven": uneven(rng, 200), "few and uneven": uneven(rng, 12)}
    random = {name: (rng.binomial(n, 0.3), n) for name, n in cases.items()}
    lopsided = {f"{name}, won or lost as a whole": (n * (rng.random(len(n)) < 0.6), n) for name, n in cases.items()}
    ones = np.ones(50, int)
    return random | lopsided | {
        "all equal": (ones, 2 * ones), "none won": (0 * ones, 2 * ones), "all won": (2 * ones, 2 * ones),
        "one pair": (ones[:1], 2 * ones[:1]), "one pair, lost": (0 * ones[:1], 2 * ones[:1]), "one of them counts all": (
            np.append(300, 0 * ones), np.append(700, ones)),
        "nothing to win": (0 * ones, 0 * ones),
    }  # fmt: skip


RATIOS = ratios()
ratio_cases = pytest.mark.parametrize("case", RATIOS)


def spread_of_ratio(x: np.ndarray, n: np.ndarray, extra: float, pairs: float) -> float:
    """Standard error of ``sum(x) / sum(n)`` from each pair's distance to it, two more so far off on either side."""
    off = np.concatenate([x - x.sum() / n.sum() * n, [extra, -extra]])
    return math.sqrt((off**2).sum() * pairs / max(pairs - 1, 1)) / n.sum()


def share_by_hand(x: np.ndarray, n: np.ndarray) -> tuple[float, float, float, float]:
    """Value, low, high, standard error."""
    p, counting, per_pair = x.sum() / n.sum(), n.sum() ** 2 / (n**2).sum(), (n**2).sum() / n.sum()
    se = spread_of_ratio(x, n, min(per_pair, 2) * 2 * p * (1 - p), counting)
    low, high = wilson(p, p * (1 - p) / se**2 if 0 < p < 1 and counting >= 30 else counting)
    return p, low, high, se


def as_told(e: Estimate, value: float, low: float, high: float, se: float) -> bool:
    return (e.value, e.low, e.high, e.se) == pytest.approx((value, low, high, se), rel=1e-9, abs=1e-12)


@ratio_cases
def test_sums_of_ratios(case: str) -> None:
    x, n = RATIOS[case]
    told = {"x": x.sum(), "x_sq": (x**2).sum(), "n": n.sum(), "n_sq": (n**2).sum(), "x_n": (x * n).sum(), "pairs": len(x)}
    found = RatioSums.of(x, n)
    assert found._asdict() == told and all(type(value) is int for value in found)
    assert RatioSums.named(told | {"deals": 1}, "x", "n") == found
    assert RatioSums.named(told | {"deals": 1}, "x", "n", "deals") == found._replace(pairs=1)


@ratio_cases
def test_shares_of_pairs(case: str) -> None:
    x, n = RATIOS[case]
    e = share_of_pairs(RatioSums.of(x, n))
    if not n.any():
        assert math.isnan(e.value) and (e.low, e.high, e.se) == (0, 1, math.inf)
        return
    value, low, high, se = share_by_hand(x, n)
    assert as_told(e, value, low, high, se)
    assert share_of_pairs(RatioSums.of(x, n), exact=True) == (
        Estimate(value, value, value, 0.0) if len(x) > 1 and (x * n.sum() == x.sum() * n).all() else e
    )


@ratio_cases
def test_shares_of_clusters(case: str) -> None:
    x, n = (column[RATIOS[case][1] > 0] for column in RATIOS[case])
    e = share_of_clusters(RatioSums.of(x, n))
    if not len(n):
        assert math.isnan(e.value) and (e.low, e.high, e.se) == (0, 1, math.inf)
    elif len(n) >= 30:
        assert as_told(e, *share_by_hand(x, n))
    else:
        p = x.sum() / n.sum()
        assert as_told(e, p, *wilson(p, len(n)), math.sqrt(p * (1 - p) / len(n)))


@ratio_cases
@pytest.mark.parametrize("unit", [0, 1, 5])
def test_means_of_clusters(case: str, unit: int) -> None:
    x, n = (column[RATIOS[case][1] > 0] for column in RATIOS[case])
    e = mean_of_clusters(RatioSums.of(7 * x - 3 * n, n), unit=unit)
    if len(n) < 2:
        assert (e.low, e.high, e.se) == (-math.inf, math.inf, math.inf)
        return
    value, se = (7 * x - 3 * n).sum() / n.sum(), spread_of_ratio(7 * x - 3 * n, n, unit, len(n))
    reach = stats.t.ppf(0.975, len(n) - 1) * se
    assert as_told(e, value, value - reach, value + reach, se)
    assert mean_of_clusters(RatioSums.of(7 * x - 3 * n, n)) == mean_of_clusters(RatioSums.of(7 * x - 3 * n, n), unit=ONE_HAND)


@pytest.mark.parametrize("unit", [0, 1, 25])
@pytest.mark.parametrize("per_pair", [1, 2, 4])
def test_means_of_pairs(unit: int, per_pair: int) -> None:
    rng = np.random.default_rng(4)
    rare = np.append(np.zeros(500, int), [40, -1])
    for pairs in (rng.integers(-80, 80, 150), rng.integers(-80, 80, 2), rare, np.full(20, 6), np.zeros(9, int)):
        n, e = len(pairs), mean_of_pairs(int(pairs.sum()), int((pairs**2).sum()), len(pairs), per_pair, unit=unit)
        plays = pairs / per_pair
        assert extra_variance(n, unit) == pytest.approx((np.array([unit, -unit]) ** 2).sum() / n**2)
        se = math.sqrt(plays.var(ddof=1) / n + ((np.array([unit, -unit]) / per_pair) ** 2).sum() / n**2)
        reach = stats.t.ppf(0.975, n - 1) * se
        assert as_told(e, plays.mean(), plays.mean() - reach, plays.mean() + reach, se) and e.freedom == n - 1
        if se:
            assert (e.low, e.high) == pytest.approx(stats.t.interval(0.95, n - 1, plays.mean(), se))
    one, none = mean_of_pairs(6, 36, 1, per_pair, unit=unit), mean_of_pairs(0, 0, 0, per_pair, unit=unit)
    assert (one.value, one.low, one.high) == (6 / per_pair, -math.inf, math.inf)
    assert math.isnan(none.value) and (none.low, none.high) == (-math.inf, math.inf)


def test_a_plain_mean_is_students() -> None:
    values = np.random.default_rng(1).normal(3, 2, 17)
    for level in (0.5, 0.95):
        e = from_mean(values.mean(), stats.sem(values), 17, level)
        told = stats.ttest_1samp(values, 0).confidence_interval(level)
        assert as_told(e, values.mean(), told.low, told.high, stats.sem(values)) and (e.level, e.freedom) == (level, 16)
    for e in (from_mean(1.0, 0.5, 1), from_mean(1.0, math.inf, 9), from_mean(1.0, math.nan, 9)):
        assert (e.value, e.low, e.high, e.se) == (1.0, -math.inf, math.inf, math.inf)


@pytest.mark.parametrize(("won", "trials"), [(0, 1), (0, 50), (1, 1), (1, 3), (20, 50), (50, 50)])
def test_shares_of_trials(won: int, trials: int) -> None:
    for level in (0.5, 0.95):
        told = stats.binomtest(won, trials).proportion_ci(level, method="wilson")
        p = won / trials
        assert as_told(share_of_trials(p, trials, level), p, told.low, told.high, math.sqrt(p * (1 - p) / trials))


@pytest.mark.parametrize("chance", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("pairs", [1, 20, 500])
def test_shares_of_hands(chance: float, pairs: int) -> None:
    plays = np.random.default_rng(pairs).random((pairs, 2)) < chance
    e = share_of_hands(int(plays.sum()), int(plays.all(axis=1).sum()), pairs)
    assert as_told(e, *share_by_hand(plays.sum(axis=1), np.full(pairs, 2)))


def test_means_of_chances() -> None:
    rng = np.random.default_rng(3)
    for values in (rng.beta(2, 3, 300), rng.beta(0.1, 0.1, 40), np.full(50, 0.25), np.array([0.0, 1.0])):
        n, mean = len(values), values.mean()
        off = np.concatenate([(values - mean) * math.sqrt(n / (n - 1)), [2 * mean * (1 - mean), -2 * mean * (1 - mean)]])
        se = math.sqrt((off**2).sum()) / n
        e = mean_of_chances(float(mean), float(values.var(ddof=1)), n)
        assert as_told(e, mean, *wilson(mean, mean * (1 - mean) / se**2), se)
    for sure in (0.0, 1.0):
        assert as_told(mean_of_chances(sure, 0.0, 50), sure, *wilson(sure, 50), 0)


def test_a_comparison_says_how_many_pairs_would_show_it() -> None:
    found = ginsim.compare("threshold(knock=10)", "simple", "eaai", deals=300, games=0)
    e = found.points_per_hand
    needed = 300 * ((Z + stats.norm.ppf(0.8)) * e.se / e.value) ** 2
    told = re.search(r"about ([\d,]+) pairs would show it in four of five cases", found.verdict())
    assert told and needed <= int(told[1].replace(",", "")) <= 1.1 * needed + 1


def test_a_mean_of_estimates_adds_the_distances_in_squares() -> None:
    parts = [share_of_trials(0.0, 50), share_of_trials(0.4, 80), share_of_trials(1.0, 20)]
    e = mean_of_estimates(parts)
    assert e.value == pytest.approx(1.4 / 3)
    assert e.value - e.low == pytest.approx(math.sqrt(sum((part.value - part.low) ** 2 for part in parts)) / 3)
    assert e.high - e.value == pytest.approx(math.sqrt(sum((part.high - part.value) ** 2 for part in parts)) / 3)
    assert e.se == pytest.approx(math.sqrt(sum(part.se**2 for part in parts)) / 3) and e.freedom == math.inf
    x, y = np.random.default_rng(6).normal([[0], [5]], [[1], [3]], (2, 12))
    mean = mean_of_estimates([from_mean(x.mean(), stats.sem(x), 12), from_mean(-y[:7].mean(), stats.sem(y[:7]), 7)])
    welch = stats.ttest_ind(x, y[:7], equal_var=False)
    assert (mean.value / mean.se, mean.freedom) == pytest.approx((welch.statistic, welch.df))
    assert mean_of_estimates([from_mean(1.0, math.inf, 0), parts[0]]).low == -math.inf
    exact = Estimate(0.5, 0.5, 0.5, 0.0)
    assert mean_of_estimates([exact, exact]) == exact
    assert within(from_mean(0.1, 0.5, 10), -1, 1).low == -1 < within(from_mean(0.1, 0.1, 10), -1, 1).low


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=60))
def test_shares_stay_within_and_are_never_empty(pairs: list[tuple[int, int]]) -> None:
    won, of = (np.array(column) for column in zip(*((min(a, b), b) for a, b in pairs), strict=True))
    e = share_of_pairs(RatioSums.of(won, of))
    if of.sum():
        assert 0 <= e.low <= e.value <= e.high <= 1 and e.low < e.high
        mean = mean_of_estimates([e, share_of_trials(0.0, 30), share_of_trials(1.0, 7)])
        assert 0 <= mean.low < mean.high <= 1
        total, squares = int(won.sum()), int((won * won).sum())
        assert len(of) < 2 or mean_of_pairs(total, squares, len(of)).low < mean_of_pairs(total, squares, len(of)).high


def test_strategies_that_must_cancel_are_exact_and_no_others() -> None:
    split = np.ones(100, int), np.full(100, 2)
    assert share_of_pairs(RatioSums.of(*split), exact=True) == Estimate(0.5, 0.5, 0.5, 0.0)
    assert share_of_pairs(RatioSums.of(*split)).low < 0.5
    mirror = ginsim.compare("simple", "simple", "eaai", deals=50, games=5)
    assert mirror.points_per_hand == Estimate(0, 0, 0, 0) and mirror.hands_won.low == mirror.games_won.high == 0.5
    assert "plays itself" in mirror.verdict()
    late = "threshold(knock_by_turn=[10, 10, 10, 10, 10, 10, 10, 9])"
    like = ginsim.compare("threshold(knock=10)", late, "eaai", deals=20, games=0)
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
        e = share_of_pairs(RatioSums.of(won, np.full(2_000, 2)))
        assert (row["share"], row["low"], row["high"]) == pytest.approx((e.value, e.low, e.high))
    assert e.low < e.high


def test_results_kept_before_pairs_were_looked_at_for_endings() -> None:
    sums_now = ginsim.compare("champion", "simple", "eaai", deals=300, games=0).hands_tally
    before = {name: value for name, value in sums_now.items() if "_both" not in name}
    later = with_later_sums({"0-1": {"hands": before}}, 1)["0-1"]["hands"]
    assert later.keys() == sums_now.keys() and later["knock_both_0"] == sums_now["knock_0"] // 2
    assert with_later_sums({"hands": sums_now}, 1) == {"hands": sums_now}


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
    return experiment.result(played(experiment))


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
    pair = (Strategy.parse("simple"), Strategy.parse("simple"))
    work = CoverageWork(pair, ginsim.Rules.parse("eaai"), 3, HANDS, 0, 4, most=300, shares=(0.5,))
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


@pytest.mark.parametrize("correlation", [-1.0, -0.5, 0.0, 0.9])
def test_a_cautious_difference_is_wide_enough_however_figures_depend_on_each_other(correlation: float) -> None:
    rng, n, missed = np.random.default_rng(5), 200, 0
    for _ in range(500):
        both = rng.multivariate_normal([1.0, 0.5], [[1.0, 2 * correlation], [2 * correlation, 4.0]], size=n)
        one, other = (from_mean(float(x.mean()), float(x.std(ddof=1)) / math.sqrt(n), n) for x in both.T)
        found = cautious_difference(one, other)
        assert found.value == one.value - other.value and found.se == one.se + other.se
        assert found.low == pytest.approx(one.low - other.high) and found.high == pytest.approx(one.high - other.low)
        missed += not found.low <= 0.5 <= found.high
    assert missed <= 0.05 * 500 + 3 * math.sqrt(500 * 0.05 * 0.95)
