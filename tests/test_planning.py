"""How much must be played: formulas against simulated series and sums written out, plans, and the command."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.inference.planning import (
    MISSED,
    chances_to_lead,
    difference_shown,
    luck,
    normal_chance_to_lead,
    pairs_to_show,
    pairs_to_show_share,
    series_to_lead,
    share_shown,
)
from ginsim.study.compare import Comparison
from ginsim.study.plan import percent, plan, read_share

Z = 1.959963984540054


def command(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["plan", *words])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def shown_by_wilson(wins: np.ndarray, games: int) -> np.ndarray:
    """Whether Wilson's 95 % interval of a share of games won lies above one half."""
    p = wins / games
    middle = p + Z * Z / (2 * games)
    reach = Z * np.sqrt(p * (1 - p) / games + Z * Z / (4 * games * games))
    return (middle - reach) / (1 + Z * Z / games) > 0.5


def binomial_above_half(share: float, games: int) -> float:
    """The chance to win more than half of the games, added up."""
    return math.fsum(math.comb(games, k) * share**k * (1 - share) ** (games - k) for k in range(games // 2 + 1, games + 1))


@pytest.mark.parametrize("missed", [0.05, MISSED, 0.5])
def test_so_many_pairs_show_a_difference_as_often_as_they_should(missed: float) -> None:
    rng, pairs = np.random.default_rng(2), pairs_to_show(11.0**2, 1.0, missed=missed)
    means = rng.normal(1.0, 11 / math.sqrt(pairs), 40_000)
    assert np.mean(means > Z * 11 / math.sqrt(pairs)) == pytest.approx(1 - missed, abs=0.01)
    assert pairs_to_show(11.0**2, -1.0, missed=missed) == pairs == 4 * pairs_to_show(11.0**2, 2.0, missed=missed)
    assert pairs_to_show(11.0**2, 1.0) == pairs_to_show(11.0**2, 1.0, 0.025, 0.2)


@pytest.mark.parametrize("share", [0.52, 0.55, 0.62, 0.7])
@pytest.mark.parametrize("missed", [0.05, MISSED, 0.5])
def test_so_many_games_show_a_share_as_often_as_they_should(share: float, missed: float) -> None:
    """Series of independent games, judged by Wilson's interval; whole numbers of games won leave some room."""
    games = 2 * math.ceil(pairs_to_show_share(1 / 8, share, missed=missed))
    wins = np.random.default_rng(3).binomial(games, share, 40_000)
    step = 1 / math.sqrt(2 * math.pi * games * share * (1 - share))  # chance of the most likely number
    assert np.mean(shown_by_wilson(wins, games)) == pytest.approx(1 - missed, abs=0.01 + step)
    assert not shown_by_wilson(np.array([games // 2]), games)[0]


def test_pairs_that_go_together_need_fewer() -> None:
    """Both games of a pair with a common part: the variance between equal players, measured on such pairs, is what plans it."""
    rng, share = np.random.default_rng(4), 0.58

    def won(p: float, size: tuple[int, ...]) -> np.ndarray:
        opposite = rng.random(size) < 0.3  # the deal decides: each player wins one of the two games
        return np.where(opposite, 0.5, rng.binomial(2, (p - 0.15) / 0.7, size) / 2)

    variance = float(np.var(won(0.5, (400_000,))))
    assert variance == pytest.approx(0.7 / 8, rel=0.01)
    pairs = math.ceil(pairs_to_show_share(variance, share))
    means = won(share, (20_000, pairs)).mean(axis=1)
    assert np.mean(means - 0.5 > Z * math.sqrt(variance / pairs)) == pytest.approx(1 - MISSED, abs=0.03)


def test_what_a_number_shows_is_the_inverse_of_how_many_show_it() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        variance, missed = float(rng.uniform(0.02, 0.25)), float(rng.uniform(0.0001, 0.5))
        share, points = float(rng.uniform(0.5001, 0.9999)), float(rng.uniform(0.01, 20))
        pairs = pairs_to_show_share(variance, share, missed=missed)
        assert share_shown(variance, pairs, missed=missed) == pytest.approx(share, abs=1e-9)
        pairs = pairs_to_show(900 * variance, points, missed=missed)
        assert difference_shown(900 * variance, pairs, missed=missed) == pytest.approx(points)
    least = 4 * Z * Z / 8
    assert math.isnan(share_shown(1 / 8, least - 0.001)) and share_shown(1 / 8, least + 1e-6) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("share", [0.5, 0.501, 0.55, 0.6, 0.75, 0.96, 1.0])
def test_chances_to_lead_are_binomial_sums(share: float) -> None:
    for (games, chance), expected in zip(chances_to_lead(share), range(1, 122, 2), strict=False):
        assert games == expected and chance == pytest.approx(binomial_above_half(share, games), abs=1e-12)


@pytest.mark.parametrize("share", [0.55, 0.58, 0.6, 0.75, 0.9, 0.96])
def test_the_series_to_lead_is_the_least_odd_one(share: float) -> None:
    games = next(n for n in range(1, 1000, 2) if binomial_above_half(share, n) >= 0.95)
    assert series_to_lead(share) == games
    assert series_to_lead(0.5001) is None and series_to_lead(share, most=games - 1) is None
    assert series_to_lead(share, most=games) == games


def test_luck_and_skill_share_the_squared_departure() -> None:
    """Simulated: what the mean of some games departs from one half by, squared, against what one player's luck leaves of it."""
    rng = np.random.default_rng(6)
    for share, games in ((0.55, 1), (0.55, 101), (0.7, 5)):
        means = rng.binomial(games, share, 400_000) / games
        expected = np.var(means) / np.mean((means - 0.5) ** 2)
        assert luck(share * (1 - share), share - 0.5, games) == pytest.approx(expected, abs=0.01)
    hands = rng.normal(0.5, 30, (20_000, 100)).sum(axis=1)
    assert normal_chance_to_lead(900.0, 0.5, 100) == pytest.approx(np.mean(hands > 0), abs=0.015)


def test_a_plan_from_a_question() -> None:
    found = plan(win="55%", power="95%")
    assert (found.pairs, found.alone, found.to_lead, found.half_luck) == (647, 1294, 269, 99)
    assert plan(win=0.55, power=0.95) == found
    for games in (40, 301, 5000):
        shown = plan(games=games)
        assert abs(plan(win=shown.advantage).pairs - games // 2) <= 1 and shown.number == games
    for hands in (60, 3001):
        assert abs(plan(points=plan(hands=hands, sd=24).advantage, sd=24).pairs - hands // 2) <= 1
    by_hand = 2 * math.ceil((Z + 0.8416212335729143) ** 2 * 900 / 2 / 0.5**2)
    assert 2 * plan(points=0.5).pairs == by_hand == plan(points=0.5).alone


def test_a_plan_is_looked_at() -> None:
    found = plan(win=0.55, power=0.95)
    assert repr(found) == f"<Plan: {found.verdict()}>" and "1,294 games" in found.verdict()
    assert "<table" in found._repr_html_()
    table = found.table()
    assert list(table.columns) == ["luck", "leads"] and table.index.name == "games"
    assert (table.luck.diff().iloc[1:] < 0).all() and (table.leads.diff().iloc[1:] > 0).all()
    assert "rough figure" in plan(win=0.8).verdict() and "rough figure" not in found.verdict()


@pytest.fixture(scope="module")
def pilot() -> Comparison:
    return ginsim.compare("simple", "threshold(knock=4)", deals=400, games=120, workers=1)


def test_a_pilot_gives_the_variance_and_an_advantage_with_its_range(pilot: Comparison) -> None:
    found = plan(pilot=pilot)
    won = pilot.games_won
    share = max(won.value, 1 - won.value)
    assert found.advantage == pytest.approx(share) and found.observed and found.pilot is not None
    variance = won.se**2 * 120 / 4 / (share * (1 - share))
    assert found.pairs == math.ceil(pairs_to_show_share(variance, share))
    ends = sorted(abs(x - 0.5) for x in (won.low, won.high)) if won.low > 0.5 or won.high < 0.5 else None
    least, most = found.pairs_range or (0, 0)
    assert least <= found.pairs
    assert (most is None) == (ends is None) and (most is None or most >= found.pairs)
    points = plan(pilot=pilot, by="hands")
    e = pilot.points_per_hand
    assert points.pairs == math.ceil(pairs_to_show(e.se**2 * 400, e.value))
    assert plan(pilot=pilot, points=1).pairs == math.ceil(pairs_to_show(e.se**2 * 400, 1.0))
    assert plan(pilot=pilot, points=1).pairs_range is None
    assert "In the pilot" in found.verdict() and "120 duplicate pairs of games" in found.verdict()


def test_a_pilot_that_shows_nothing_says_so() -> None:
    even = ginsim.compare("simple", "threshold(knock=9)", deals=60, games=0, seed=1, workers=1)
    e = even.points_per_hand
    assert e.low < 0 < e.high
    found = plan(pilot=even)
    least, most = found.pairs_range or (0, 0)
    assert least == math.ceil(pairs_to_show(e.se**2 * 60, max(e.high, -e.low))) and most is None
    assert "does not yet show who is better" in found.verdict()


def test_a_pilot_is_played_from_two_strategies_or_a_folder(tmp_path: Path, pilot: Comparison) -> None:
    played = plan("simple", "threshold(knock=4)", deals=400, pilot_games=120, workers=1)
    assert played == plan(pilot=pilot)
    ginsim.save(pilot, tmp_path / "kept")
    text = " ".join(command("--from", str(tmp_path / "kept")).split())
    assert text.startswith(" ".join(plan(pilot=pilot).verdict().split()))
    assert " ".join(plan(pilot=pilot, by="hands").verdict().split()) in text
    words = ("simple", "threshold(knock=4)", "--deals", "400", "--pilot-games", "120", "--workers", "1", "-q")
    assert " ".join(command(*words).split()) == text
    (tmp_path / "empty").mkdir()
    assert "empty" in command("--from", str(tmp_path / "empty"), code=2)


@pytest.mark.parametrize(
    ("asked", "part"),
    [
        ({}, "nothing is asked"),
        ({"win": 0.5}, "win: 0.5 is not allowed"),
        ({"win": 55}, "win: 55 is not clear; write 55% or, as a share of 1, 0.55"),
        ({"win": "x"}, "win: 'x' is not allowed"),
        ({"win": True}, "win: True is not allowed"),
        ({"win": "100%"}, "win: '100%' is not allowed"),
        ({"win": 0.55, "power": "30%"}, "power: '30%' is not allowed"),
        ({"win": 0.55, "games": 5}, "win and games: two questions at once"),
        ({"win": 0.55, "sd": 30}, "sd: it is only for hands"),
        ({"points": 0}, "points: 0 is not allowed"),
        ({"points": math.nan}, "points: nan is not allowed"),
        ({"points": 1, "sd": 0}, "sd: 0 is not allowed"),
        ({"games": 2}, "so few show nothing"),
        ({"games": 1}, "games"),
        ({"hands": 2.5}, "hands"),
        ({"win": 0.55, "by": "games"}, "by: 'games' is not allowed"),
        ({"a": "simple"}, "b: a pilot needs two strategies"),
        ({"pilot": 3}, "pilot: int is not allowed"),
    ],
    ids=str,
)
def test_what_cannot_be_planned_is_told(asked: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError, match=re.escape(part)):
        plan(**asked)


def test_a_pilot_that_is_none_is_told() -> None:
    with pytest.raises(InputError, match="plays itself"):
        plan("simple", "simple", deals=40, pilot_games=40, workers=1)
    with pytest.raises(InputError, match="10 duplicate pairs of hands are too few"):
        plan("simple", "random", deals=10, pilot_games=0, points=1, workers=1)


def test_shares_are_read_and_written() -> None:
    assert [read_share("win", text, 0.5, "") for text in ("55%", " 55 % ", "0.55", ".55", 0.55, "55.0%")] == [0.55] * 6
    for text in ("55", "", "%", "5 5%", "-55%", "1e-1", "٥٥%", "0.55.1", None, "nan"):
        with pytest.raises(InputError, match="win: "):
            read_share("win", text, 0.5, "a share")
    for share in np.random.default_rng(7).uniform(0.001, 0.999, 200):
        apart = min(share, 1 - share, abs(share - 0.5))
        assert float(percent(share).removesuffix(" %")) / 100 == pytest.approx(share, abs=apart / 10)


def test_the_command_answers_first() -> None:
    text = command("--win", "55%", "--power", "95%")
    answer = "It takes 1,294 games to show with a chance of 95 % that a player who wins 55 % of games is better."
    assert " ".join(text.split()).startswith(answer)
    assert "over 99.99 %" in text and "100 %" not in text
    (one,) = json.loads(command("--points", "0.5", "--format", "json"))
    assert one["pairs"] == 14_128 and len(one["table"]) == 5
    rows = list(csv.DictReader(command("--games", "1294", "--power", "95%", "--format", "csv").splitlines()))
    assert [int(row["games"]) for row in rows] == [1, 11, 101, 1001, 10_001]
    assert float(rows[0]["leads"]) == pytest.approx(0.55, abs=0.001)


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["--win", "55"], "win: '55' is not clear; write 55% or, as a share of 1, 0.55"),
        (["--win", "55%", "--format", "xml"], "format: there is no 'xml'"),
        (["simple"], "strategies: 1 given; a pilot needs two"),
        (["--win", "55%", "--deals", "5"], "deals: it is for a pilot"),
        (["simple", "random", "--win", "55"], "win: '55' is not clear"),
        (["simple", "random", "--from", "x"], "from: give a folder or two strategies, not both"),
        (["--from", "nowhere"], "there is no folder nowhere"),
        (["--points", "x"], "points: 'x' is not allowed"),
        (["--games", "1"], "games: 1 is not allowed"),
        ([], "nothing is asked"),
    ],
    ids=str,
)
def test_bad_words_are_told(words: list[str], part: str) -> None:
    assert part in " ".join(command(*words, code=2).split())


def test_a_plan_loads_no_play() -> None:
    code = "import sys, ginsim; ginsim.plan(win='55%').verdict(); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    assert {"numba", "scipy", "pandas", "ginsim.study.compare", "ginsim.simulation.play"}.isdisjoint(loaded)
