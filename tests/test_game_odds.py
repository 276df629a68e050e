"""The odds of a game with their intervals: counts, the jackknife against resampling, and games played."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.odds import game_odds, outcomes, start_odds
from ginsim.games.gin.rules import Rules
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work, play, run
from ginsim.study.odds import BATCHES, Odds, OddsExperiment, odds

A, B = "threshold(knock=4)", "simple"
RULES = Rules.parse("eaai(target=50)")


@pytest.fixture(scope="module")
def found() -> Odds:
    return odds(A, B, RULES, deals=6_000, games=600, seed=6)


@pytest.fixture(scope="module")
def records() -> np.ndarray:
    kept = play(Work((Strategy.parse(A), Strategy.parse(B)), RULES, 6, HANDS, 0, 6_000), keep=True).records
    assert kept is not None
    return kept


def test_counts_are_those_of_the_hands(found: Odds, records: np.ndarray) -> None:
    np.testing.assert_array_equal(found.counts.sum(axis=0), outcomes(records, 50))
    for batch in (0, 7, BATCHES - 1):
        np.testing.assert_array_equal(found.counts[batch], outcomes(records[records[:, H.DEAL] % BATCHES == batch], 50))
    np.testing.assert_array_equal(found.chances, game_odds(outcomes(records, 50), RULES))
    assert found.start.value == pytest.approx(start_odds(outcomes(records, 50), RULES))


def test_any_workers_and_chunks_give_the_same(found: Odds) -> None:
    tallies, experiment = Tallies(), OddsExperiment(a=A, b=B, rules=RULES, deals=6_000, games=600, seed=6)
    for done in run(experiment.works(), workers=2, chunk=777):
        tallies.add((done.work.key, done.work.phase), done.work.first, done.work.count, done.tally)
    assert experiment.result(tallies) == found


def test_errors_are_those_of_resampled_deals(found: Odds, records: np.ndarray) -> None:
    """The jackknife against a bootstrap over duplicate pairs, at three scores."""
    rng, pairs = np.random.default_rng(1), records.reshape(6_000, 2, -1)
    again = []
    for _ in range(60):
        sample = pairs[rng.integers(0, 6_000, 6_000)].reshape(12_000, -1)
        again.append(game_odds(outcomes(sample, 50), RULES))
    spread = np.std(again, axis=0, ddof=1)
    for own, other in [(0, 0), (30, 10), (20, 45)]:
        assert found.errors[own, other, 0] == pytest.approx(spread[own, other, 0], rel=0.55)  # 19 and 59 degrees of freedom
    ratio = found.errors[:, :, :2] / np.maximum(spread, 1e-12)
    assert 0.7 < np.median(ratio) < 1.4


def test_games_played_agree_and_are_less_exact(found: Odds) -> None:
    assert abs(found.start.value - found.games_won.value) < 4 * math.hypot(found.start.se, found.games_won.se)
    assert "which agrees" in found.verdict()
    assert found.hand_count == 12_000 + found.games_tally["hands"]
    assert "games played" not in odds(A, B, RULES, deals=100, games=0).verdict()


def test_at_any_score(found: Odds) -> None:
    e = found.at(30, 10)
    assert e.value == pytest.approx(found.chances[30, 10].mean())
    assert e.low < e.value < e.high <= 1 and e.se == found.errors[30, 10, 2]
    assert found.at(30, 10, starter=1).value == found.chances[30, 10, 1]
    assert found.at(49, 0).high <= 1
    table = found.table().set_index(["own", "other"])
    assert table.loc[(30, 10), "chance"] == pytest.approx(e.value) and len(table) == 25
    assert found.summary().loc[30, 10] == pytest.approx(e.value)
    for own, other, starter in [(50, 0, None), (-1, 0, None), (0, 0, 2)]:
        with pytest.raises(InputError, match="is not allowed; give a whole number"):
            found.at(own, other, starter)


def test_a_mirror_is_even() -> None:
    even = odds(B, B, RULES, deals=200, games=0)
    assert (even.start.value, even.start.se) == (pytest.approx(0.5), pytest.approx(0, abs=1e-12))
    np.testing.assert_allclose(even.chances, 1 - even.chances.transpose(1, 0, 2)[:, :, ::-1], atol=1e-12)


def test_it_is_kept(found: Odds, tmp_path: Path) -> None:
    ginsim.save(found, tmp_path)
    assert ginsim.load_results(tmp_path) == found
    page = (tmp_path / "report.md").read_text()
    assert "## By score" in page and "odds.png" in page
    assert {"odds.csv", "odds.svg", "summary.csv"} <= {path.name for path in tmp_path.iterdir()}
    sums = json.loads((tmp_path / "tallies.json").read_text())
    assert sums["3-0-1"] == found.counts[3, 0, 1].tolist() and sums[GAMES] == found.games_tally


def test_the_command_prints_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ["--rules", "eaai(target=50)", "--deals", "300", "--games", "10", "--out", str(out)]
    result = CliRunner().invoke(app, ["odds", A, B, *options])
    assert result.exit_code == 0, result.output
    assert f"Chance that {A} wins the game" in result.output and f"{A} wins" in result.output
    assert isinstance(ginsim.load_results(out), Odds)


def test_refused() -> None:
    with pytest.raises(InputError, match=r"rules: .* has no odds by score"):
        odds(A, B, "hollywood")
    with pytest.raises(InputError, match="deals: 3 is not allowed"):
        odds(A, B, "eaai", deals=3)
    result = CliRunner().invoke(app, ["odds", A, B, "--rules", "hollywood"])
    assert result.exit_code == 2 and "has no odds by score" in result.output
