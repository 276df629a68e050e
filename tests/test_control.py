"""The luck of the draw against its definition, and what taking it out does: a narrower interval, and no bias."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginsim
from ginsim.errors import InputError
from ginsim.games.base import as_dict
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.luck import LUCK_SIZE, SCALE
from ginsim.games.gin.rules import Rules
from ginsim.inference.control import FEWEST, control_saved, controlled_mean, luck_names
from ginsim.inference.corrections import p_value
from ginsim.simulation.play import HANDS, Work, play, run
from ginsim.study.error_rates import luck_sums
from ginsim.study.relabelled import relabelled
from tests.helpers import oracle_hand
from tests.oracle import rng
from tests.oracle.cards import pack_of
from tests.oracle.luck import luck


def lucky(a: str, b: str, rules: str, count: int, seed: int = 8, first: int = 0) -> Work:
    return Work((Strategy.parse(a), Strategy.parse(b)), Rules.parse(rules), seed, HANDS, first, count, "x", luck=True)


def records_of(work: Work) -> np.ndarray:
    records = play(work, keep=True).records
    assert records is not None
    return records


def pairs_of(records: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of player 0 less player 1 and luck, summed over the plays of each pair."""
    points = np.where(records[:, H.WINNER] == 0, 1, -1) * records[:, H.POINTS]
    return points.reshape(-1, 2).sum(axis=1), records[:, H.SIZE:].reshape(-1, 2, LUCK_SIZE).sum(axis=1)


RULES = [
    "eaai", "classic20", "tournament", "oklahoma(spades_double=true)", "round_the_corner(stock_end=last_discard, knock_limit=30)",
    "classic25(eleven_card_start=true, upcard_offer=false, big_gin_bonus=31, knock_limit=40)",
    "classic25(suits=2, hand_size=6, big_gin_bonus=31, knock_limit=20, stock_end=dead_at_0)", "classic25(upcard_offer=false)",
]  # fmt: skip


@pytest.mark.parametrize("rules", RULES)
def test_luck_is_what_it_is_called(rules: str) -> None:
    for a, b, count in [("threshold(knock=0)", "simple", 3), ("threshold(draw=strict)", "threshold(knock=4, draw=never)", 2)]:
        work = lucky(a, b, rules, count, seed=sum(map(ord, rules)))
        for row in records_of(work):
            deal = int(row[H.DEAL])
            told = oracle_hand(*work.players, work.rules, work.seed, deal, int(row[H.PLAY]))
            deck = rng.deck(work.seed, deal, pack_of(work.rules))
            assert row[H.SIZE:].tolist() == luck(deck, told, work.rules, SCALE)


def test_its_mean_is_zero() -> None:
    for a, b, rules in [("threshold(knock=4)", "simple", "eaai"), ("threshold(knock=0)", "simple", "oklahoma")]:
        sums = records_of(lucky(a, b, rules, 8_000))[:, H.SIZE:]
        z = sums.mean(axis=0) / sums.std(axis=0) * math.sqrt(len(sums))
        assert np.abs(z).max() < 4


def test_the_hands_are_those_played_without_it() -> None:
    work = lucky("threshold(knock=4)", "simple", "eaai", 300)
    plain = play(replace(work, luck=False), keep=True)
    with_luck = play(work, keep=True)
    assert plain.records is not None and with_luck.records is not None
    np.testing.assert_array_equal(with_luck.records[:, :H.SIZE], plain.records)
    np.testing.assert_array_equal(with_luck.tally[: len(HAND_TALLY)], plain.tally)


def test_sums_are_those_of_the_pairs_however_they_are_cut() -> None:
    work = lucky("threshold(knock=4)", "simple", "eaai", 301, first=50)
    whole = play(work, keep=True)
    assert whole.records is not None
    np.testing.assert_array_equal(sum(done.tally for done in run([work], workers=2, chunk=37)), whole.tally)
    tally = as_dict(luck_names(1 + LUCK_SIZE), whole.tally[len(HAND_TALLY) :])
    assert tally == luck_sums(whole.records)
    points, sums = pairs_of(whole.records)
    values, deals = np.column_stack([points, sums]), whole.records[::2, H.DEAL]
    for fold in (0, 1):
        own = values[deals % 2 == fold]
        assert tally[f"pairs_{fold}"] == len(own)
        for i in range(1 + LUCK_SIZE):
            assert tally[f"sum{i}_{fold}"] == own[:, i].sum()
            assert [tally[f"sum{i}x{j}_{fold}"] for j in range(i + 1)] == (own[:, i] @ own[:, : i + 1]).tolist()


def tally_of(points: np.ndarray, sums: np.ndarray) -> dict[str, int]:
    """The sums of given pairs, as if they were deals 0, 1, …"""
    out: dict[str, int] = {}
    for fold in (0, 1):
        own = np.column_stack([points, sums])[fold::2]
        out[f"pairs_{fold}"] = len(own)
        for i in range(1 + LUCK_SIZE):
            out[f"sum{i}_{fold}"] = int(own[:, i].sum())
            out |= {f"sum{i}x{j}_{fold}": int(own[:, i] @ own[:, j]) for j in range(i + 1)}
    return out


def test_against_regression_by_hand() -> None:
    rng = np.random.default_rng(3)
    sums = rng.integers(-900, 900, (400, LUCK_SIZE))
    points = (40 + sums @ np.linspace(0.01, 0.08, LUCK_SIZE) + rng.normal(0, 20, 400)).round().astype(int)
    halves, residuals = [(points[f::2], sums[f::2]) for f in (0, 1)], []
    for own, other in [(0, 1), (1, 0)]:
        y, x = halves[other]
        b = np.linalg.lstsq(np.column_stack([np.ones(len(y)), x]), y, rcond=None)[0][1:]
        residuals.append(halves[own][0] - halves[own][1] @ b)
    mean = np.concatenate(residuals).mean() / 2
    se = math.sqrt(sum(r.var(ddof=1) * len(r) for r in residuals) + 2 * 25**2) / 400 / 2
    e = controlled_mean(tally_of(points, sums))
    assert (e.value, e.se) == pytest.approx((mean, se), rel=1e-9)
    assert control_saved(tally_of(points, sums)) > 0.8


def test_few_pairs_and_constant_sums() -> None:
    rng = np.random.default_rng(4)
    points = rng.integers(-40, 40, 2 * FEWEST)
    nothing = tally_of(points, np.zeros((len(points), LUCK_SIZE), int))
    assert controlled_mean(nothing).value == pytest.approx(points.mean() / 2)
    few = tally_of(points[:20], rng.integers(-9, 9, (20, LUCK_SIZE)))
    assert controlled_mean(few).value == pytest.approx(points[:20].mean() / 2)
    assert math.isnan(control_saved(few))
    assert controlled_mean(tally_of(points[:3], np.zeros((3, LUCK_SIZE), int))).se == math.inf
    assert math.isnan(controlled_mean(tally_of(points[:0], np.zeros((0, LUCK_SIZE), int))).value)


def test_thousands_of_equal_pairings_give_no_more_false_alarms_than_they_may() -> None:
    """Labels given at random make the sides equal; both the rate of alarms and the mean figure must show it."""
    runs, size = 2_000, 120
    records = records_of(lucky("threshold(knock=4)", "simple", "eaai", runs * size, seed=77))
    swap = np.random.default_rng(5).integers(0, 2, runs * size).astype(bool)
    labelled = relabelled(records, swap)
    found = [controlled_mean(luck_sums(part)) for part in np.split(labelled, runs)]
    rate, bound = np.mean([p_value(e) <= 0.05 for e in found]), 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / runs)
    assert rate < bound
    values = np.array([e.value for e in found])
    assert abs(values.mean()) < 4 * values.std() / math.sqrt(runs)
    assert values.std() == pytest.approx(np.mean([e.se for e in found]), rel=0.1)  # the errors are told right


def test_unbiased_where_the_sides_differ() -> None:
    """Many short runs against one long plain one: small samples are where a bias of estimated multiples would show."""
    records = records_of(lucky("threshold(knock=0)", "simple", "eaai", 1_000 * 100, seed=78))
    points, _ = pairs_of(records)
    short = np.array([controlled_mean(luck_sums(part)).value for part in np.split(records, 1_000)])
    apart = short - points.reshape(1_000, -1).mean(axis=1) / 2
    assert abs(apart.mean()) < 4 * apart.std() / math.sqrt(len(apart))


def test_the_players_may_be_exchanged() -> None:
    records = records_of(lucky("threshold(knock=4)", "simple", "eaai", 600))
    exchanged = relabelled(records, np.ones(600, bool))
    one, other = controlled_mean(luck_sums(records)), controlled_mean(luck_sums(exchanged))
    assert (one.value, one.se) == pytest.approx((-other.value, other.se))
    np.testing.assert_array_equal(relabelled(exchanged, np.ones(600, bool)), records)


# Comparisons


@pytest.fixture(scope="module")
def duel() -> ginsim.study.compare.Comparison:  # type: ignore[name-defined]
    return ginsim.compare("threshold(knock=4)", "simple", "eaai", deals=8_000, seed=4, games=0, control=True)


def test_a_comparison_needs_clearly_fewer_hands(duel: Any) -> None:
    assert duel.control_saved > 0.2
    assert duel.points_controlled.se < 0.9 * duel.points_per_hand.se
    assert abs(duel.points_controlled.value - duel.points_per_hand.value) < 3 * duel.points_per_hand.se
    assert "points per hand, luck taken out" in duel.summary().index
    plain = ginsim.compare("threshold(knock=4)", "simple", "eaai", deals=50, games=0)
    assert plain.points_controlled == plain.points_per_hand
    assert math.isnan(plain.control_saved)


def test_a_strategy_against_itself_comes_out_even() -> None:
    result = ginsim.compare("simple", "simple", "eaai", deals=500, games=0, control=True)
    assert (result.points_controlled.value, result.points_controlled.se) == (0, 0)
    assert math.isnan(result.control_saved)


def test_it_is_kept_with_the_result(duel: Any, tmp_path: Path) -> None:
    ginsim.save(duel, tmp_path)
    assert ginsim.load_results(tmp_path) == duel
    assert "## Luck taken out" in (tmp_path / "report.md").read_text()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert "control=True" in manifest["command"]


def test_wrong_sums_are_noticed(duel: Any, tmp_path: Path) -> None:
    bad = [
        ({"pairs_0": 3}, "pairs is not what the hands say"),
        ({"sum0_0": 10**6}, "sum0 is not what the hands say"),
        ({"sum3x3_1": 0}, "sum3_1=.* is impossible"),
    ]
    for change, complaint in bad:
        with pytest.raises(InputError, match=complaint):
            ginsim.save(replace(duel, luck_tally=duel.luck_tally | change), tmp_path)


def test_not_with_reshuffles() -> None:
    with pytest.raises(InputError, match=r"control: .*reshuffled"):
        ginsim.compare("simple", "random", "classic25(stock_end=reshuffle)", deals=5, control=True)
