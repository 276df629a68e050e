"""The sequential test: its formula, that its course is a function of the seed, and how often it is wrong."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.experiment.runs import run_experiment
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.rules import Rules
from ginsim.inference import sequential
from ginsim.inference.sequential import MOST_STAKE, Look, PowerSums, Sequential, SequentialTest
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.compare import Comparison, compare
from ginsim.study.error_rates import COUNTS, ErrorRates, ErrorWork, error_rates
from ginsim.study.settings import checked_settings

A, B = "threshold(knock=4)", "simple"


EAAI = Rules.parse("eaai").most_points


def sums(points: Any) -> PowerSums:
    """The power sums of given pairs."""
    pairs = np.asarray(points, np.int64)
    first, second, third, fourth = (int((pairs**k).sum()) for k in range(1, 5))
    return PowerSums(len(pairs), (first, second, third, fourth))


def course(test: SequentialTest, pairs: Any, most_points: float = EAAI) -> tuple[Look, ...]:
    """The looks at given pairs."""
    return test.course((sums(pairs[:n]) for n in test.looks(len(pairs))), most_points)


def test_the_capitals_are_those_of_bets_pair_by_pair() -> None:
    """Never more than the product over the pairs, each block with the stake that the pairs before it gave; little less."""
    rng = np.random.default_rng(1)
    for null, points, sides in [(0.0, 0.5, 2), (0.0, 4.0, 2), (-1.0, 0.25, 1), (0.5, 0.75, 1)]:
        test = SequentialTest(null=null, points=points, sides=sides, alpha=1e-6, beta=1e-6)
        pairs = np.round(rng.normal(2 * points, 25, 400)).astype(int).clip(-2 * EAAI, 2 * EAAI)
        own, before, logs = pairs / 2, 0, np.zeros(4)
        for look, n in zip(course(test, pairs), test.looks(400), strict=False):
            reach = EAAI + max(abs(null), points)
            variance = (((own[:before] - (null + points) / 2) ** 2).sum() + reach**2) / (before + 25)
            stake = min((points - null) / variance, 0.75 / reach)
            block, before = own[before:n], n
            for k, gains in enumerate((block - null, -block - null, points - block, points + block)):
                logs[k] += np.log1p(stake * gains).sum()
            assert all(bet <= exact + 1e-9 for bet, exact in zip(look.capitals, logs, strict=True))
            np.testing.assert_allclose(look.capitals, logs, rtol=0.02, atol=0.02)
            assert look.sums.mean == pytest.approx(own[:n].mean()) and look.sums.variance == pytest.approx(own[:n].var(ddof=1))


def test_the_logarithm_is_bounded_from_below() -> None:
    y = np.concatenate((np.linspace(-MOST_STAKE, 3, 100_001), np.logspace(0, 4, 1_000)))
    bound = y - y**2 / 2 + y**3 / 3 - sequential._FOURTH * y**4
    assert (bound <= np.log1p(y) + 1e-12).all()


def test_bounds_and_decisions() -> None:
    test = SequentialTest(points=1.0, alpha=0.1, beta=0.2)
    assert test.bounds == pytest.approx((math.log(5), math.log(20)))
    one = SequentialTest(points=1.0, alpha=0.1, beta=0.2, sides=1)
    assert one.bounds == pytest.approx((math.log(5), math.log(10)))
    spread = np.array([-20, 20] * 500)
    for shift, decision, of_one in [(3, "first", "first"), (-3, "second", "equal"), (0, "equal", "equal")]:
        assert course(test, spread + shift)[-1].decision == decision
        assert course(one, spread + shift)[-1].decision == of_one
    for points, decision in [(0, "equal"), (4, "first"), (-4, "second")]:  # pairs that never differ
        looks = course(test, np.full(2_000, points))
        assert looks[-1].decision == decision and all(math.isfinite(value) for value in looks[-1].capitals)


def rare_course(test: SequentialTest, values: np.ndarray, rng: np.random.Generator, share: float) -> tuple[Look, ...]:
    """The looks where only a share of the pairs differs, by these values."""
    at = rng.geometric(share, len(values)).cumsum()
    powers = np.cumsum([np.zeros(4, np.int64), *np.transpose([values**k for k in range(1, 5)])], axis=0)
    seen = ((n, powers[np.searchsorted(at, n, side="right")].tolist()) for n in test.looks(int(at[-1])))
    return test.course((PowerSums(n, (a, b, c, d)) for n, (a, b, c, d) in seen), EAAI)


@pytest.mark.parametrize("share", [0.1, 0.01, 0.001])
@pytest.mark.parametrize(
    ("high", "low"),
    [(20, -20), (200, -4), (4, -200), (250, -250)],  # alike, many small ones against a large one, as large as can be
)
def test_rare_differences_are_judged_as_promised(share: float, high: int, low: int) -> None:
    runs, test = 120, SequentialTest(points=10 * share)
    slack = 3.5 * math.sqrt(0.05 * 0.95 / runs)
    for size in (0.0, 0.5, 1.0, 1.5):  # in stated sizes
        mean = min(20 * size, high)
        decisions = []
        for run in range(runs):
            rng = np.random.default_rng((run, int(10 * size)))
            values = np.where(rng.random(1_000) < (mean - low) / (high - low), high, low)
            decisions.append(rare_course(test, values, rng, share)[-1].decision)
        wrong = {"second"} | ({"first"} if mean == 0 else set()) | ({"equal"} if mean >= 20 else set())
        assert np.mean([decision in wrong for decision in decisions]) < 0.05 + slack


def test_the_players_that_part_once_in_a_thousand_hands_are_told_apart() -> None:
    """Only the fifteenth own turn differs; a normal approximation called it equal in a third of the runs."""
    late = f"threshold(knock_by_turn=[{', '.join(['10'] * 14)}, 0])"
    for seed in range(8):
        course = compare(late, "threshold(knock=10)", "eaai", deals=200_000, seed=seed, until={"points": 0.014}).sequential
        assert course is not None and course.decision == "first"
    mirror = compare("simple", "simple", "eaai", deals=100_000, until={"points": 0.25})
    assert mirror.sequential is not None and mirror.sequential.decision == "equal"
    assert "every deal came out the same with the seats exchanged" in mirror.sequential.reason("a", "b")
    assert "simple plays itself" in mirror.verdict() and "inf" not in mirror.sequential.reason("a", "b")


def test_no_hand_is_won_by_more_than_the_rules_allow() -> None:
    pair = (Strategy.parse("gin_only"), Strategy.parse("random"))
    for spec in ("eaai", "tournament", "classic25(big_gin_bonus=31, ace_value=15)", "round_the_corner", "eaai(hand_size=3)"):
        rules = Rules.parse(spec)
        records = play(Work(pair, rules, 1, HANDS, 0, 3_000), keep=True).records
        assert records is not None and records[:, H.POINTS].max() <= rules.most_points


def test_looks_are_fixed_beforehand() -> None:
    test = SequentialTest(first=100)
    looks = test.looks(1_000)
    assert looks[:4] == [100, 110, 121, 133]
    assert looks[-1] == 1_000
    assert all(a < b <= a * 1.1 for a, b in itertools.pairwise(looks))
    assert test.looks(60) == [60]
    assert test.looks(100_000)[: len(looks) - 1] == looks[:-1]


def test_fixed_size_has_the_power_it_says() -> None:
    test, rng = SequentialTest(points=1.0, alpha=0.05, beta=0.2), np.random.default_rng(2)
    pairs = test.fixed_pairs(11.0**2)
    found = [abs(x) > 1.959964 for x in (rng.normal(1.0, 11 / math.sqrt(pairs), 20_000) / (11 / math.sqrt(pairs)))]
    assert np.mean(found) == pytest.approx(0.8, abs=0.015)


# Comparisons


UNTIL = {"points": 1.0, "first": 200}


@pytest.fixture(scope="module")
def decided() -> Comparison:
    return compare(A, B, "eaai", deals=20_000, seed=3, until=UNTIL)


def test_the_course_is_that_of_the_deals_in_order(decided: Comparison) -> None:
    course = decided.sequential
    assert course is not None and course.decision == "first" and decided.deals == course.pairs < 20_000
    work = Work((Strategy.parse(A), Strategy.parse(B)), Rules.parse("eaai"), 3, HANDS, 0, course.pairs)
    records = play(work, keep=True).records
    assert records is not None
    pairs = (np.where(records[:, H.WINNER] == 0, 1, -1) * records[:, H.POINTS]).reshape(-1, 2).sum(axis=1)
    seen = [sums(pairs[:n]) for n in course.test.looks(20_000)]
    assert course.looks == course.test.course(seen, EAAI)
    assert [look.decision for look in course.looks[:-1]] == [""] * (len(course.looks) - 1)
    assert decided.hands_tally["points"] == pairs.sum()


@pytest.mark.parametrize("workers", [1, 2])
def test_any_workers_and_a_luck_tally_give_the_same(workers: int, decided: Comparison) -> None:
    assert compare(A, B, "eaai", deals=20_000, seed=3, until=SequentialTest(**UNTIL), workers=workers) == decided  # type: ignore[arg-type]


def test_interrupted_at_any_moment_it_goes_on_to_the_same_end(decided: Comparison, tmp_path: Path) -> None:
    experiment = checked_settings(
        {"kind": "compare", "a": A, "b": B, "rules": "eaai", "deals": 20_000, "seed": 3, "until": UNTIL}
    )
    for stops in range(1, 200):
        calls = 0

        def stop(done: Any, *_: int, limit: int = 2 + stops % 3) -> None:
            nonlocal calls
            calls += done is not None
            if calls >= limit:
                raise KeyboardInterrupt

        try:
            result = run_experiment(experiment, tmp_path, ginsim.save, 1, stop)
            break
        except Interrupted:
            continue
    assert stops > 2
    assert result == decided == ginsim.load_results(tmp_path)
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["deals"] == decided.deals and manifest["until"]["most"] == 20_000
    assert "until=" in manifest["command"] or manifest["experiment"] == ""
    assert (tmp_path / "looks.csv").exists() and (tmp_path / "looks.png").exists()
    assert "## The sequential test" in (tmp_path / "report.md").read_text()


def test_why_it_stopped_is_told(decided: Comparison) -> None:
    course = decided.sequential
    assert course is not None
    text = decided.verdict()
    assert text.startswith(f"Stopped after {2 * decided.deals:,} hands: {A} is better than {B} (evidence ")
    assert f"so {2 * (course.fixed_pairs - course.pairs):,} were saved" in text
    assert compare(B, A, "eaai", deals=20_000, seed=3, until=UNTIL).verdict().startswith("Stopped after")
    equal = compare(B, B, "eaai", deals=2_000, until=UNTIL)
    assert equal.deals < 1_000 and equal.sequential is not None and "simple plays itself" in equal.verdict()
    assert "neither simple nor simple is better by 1 point" in equal.sequential.reason(B, B)
    short = compare(A, B, "eaai", deals=150, seed=3, until=UNTIL)
    assert short.deals == 150 and short.verdict().startswith("Not decided after 300 hands, the most allowed")
    one = compare(B, A, "eaai", deals=20_000, seed=3, until=UNTIL | {"sides": 1})
    assert f"{B} is not better by 1 point per hand" in one.verdict()
    assert Sequential(SequentialTest(), (), 10, EAAI).reason(A, B) == "Nothing was played."


def test_games_only_if_asked_for(decided: Comparison) -> None:
    assert decided.games_tally["pairs"] == 0
    assert compare(A, B, "eaai", deals=200, until=UNTIL, games=5).games_tally["pairs"] == 5


@pytest.mark.parametrize(
    ("until", "complaint"),
    [
        ({"points": -1.0}, "until.points"), ({"points": "much"}, "until.points"), ({"alpha": 0.7}, "until.alpha"),
        ({"point": 1.0}, "until.point"), ({"first": 2}, "until.first"), ({"null": 1.0}, "null"),
        ({"null": 0.1}, "null: 0.1 is not allowed with two sides"), ({"sides": 3}, "until.sides"), ("decided", "until"),
    ],
)  # fmt: skip
def test_what_is_refused(until: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        compare(A, B, deals=10, until=until)


def test_not_in_parts() -> None:
    settings = {"kind": "compare", "a": A, "b": B, "deals": 100, "until": UNTIL, "part": "1/2"}
    with pytest.raises(InputError, match=r"part: '1/2' is not allowed with until"):
        checked_settings(settings)


# Error rates


@pytest.fixture(scope="module")
def rates() -> ErrorRates:
    until = {"points": 3.0, "first": 50}
    of = {"differences": [0.0, 1.5, 3.0, -3.0], "comparisons": 600, "deals": 900, "seed": 9, "rules": "eaai"}
    return error_rates(A, B, until=until, **of)


def test_false_alarms_and_power_are_as_promised(rates: ErrorRates) -> None:
    slack = 3.5 * math.sqrt(0.05 * 0.95 / 600)
    assert rates.share(0.0, "first", "second").value < 0.05 + slack
    assert rates.share(3.0, "first").value > 0.95 - slack
    assert rates.share(-3.0, "second").value > 0.95 - slack
    assert rates.share(3.0, "second").value < 0.025 + slack
    assert rates.share(0.0, "fixed").value < 0.05 + slack
    assert rates.share(0.0, "peeked").value > 0.1  # what continuous looking at plain intervals does
    assert rates.pairs(3.0).value < 2 * rates.fixed_pairs(3.0)


def test_a_comparison_is_judged_as_by_hand(rates: ErrorRates) -> None:
    a, b, rules = Strategy.parse(A), Strategy.parse(B), Rules.parse("eaai")
    test = rates.test
    for number in range(3):
        work = ErrorWork((a, b), rules, 9, HANDS, number, 1, "", test=test, most=900, differences=(1.5,))
        row = dict(zip(COUNTS, work.carry_out().tally.tolist(), strict=True))
        records = play(Work((a, b), rules, 9, HANDS, 900 * number, 900), keep=True).records
        assert records is not None
        pairs = (np.where(records[:, H.WINNER] == 0, 1, -1) * records[:, H.POINTS]).reshape(-1, 2).sum(axis=1)
        pairs = np.where(np.random.default_rng((9, number)).integers(0, 2, 900), -pairs, pairs) + 3
        peeked = False
        for n in test.looks(900):
            own = pairs[:n] / 2
            peeked |= bool(abs(own.mean()) / own.std(ddof=1) * math.sqrt(n) >= norm.ppf(0.975))
        last = course(test, pairs, EAAI + 1.5)[-1]
        stop, decision = last.pairs, last.decision or "undecided"
        assert [row[name] for name in COUNTS[:4]] == [int(name == decision) for name in COUNTS[:4]]
        assert (row["pairs"], row["pairs_sq"], row["peeked"]) == (stop, stop**2, peeked)
        size = min(900, test.fixed_pairs(float(pairs.var(ddof=1)) / 4))
        fixed = abs(pairs[:size].mean()) / pairs[:size].std(ddof=1) * math.sqrt(size) >= norm.ppf(0.975)
        assert (row["fixed"], row["fixed_pairs"]) == (fixed, size)


def test_rates_add_up_however_they_are_cut_and_are_kept(rates: ErrorRates, tmp_path: Path) -> None:
    work = checked_settings(
        {"kind": "error_rates", "a": A, "b": B, "until": {"points": 3.0, "first": 50}, "comparisons": 600, "deals": 900,
         "differences": [0.0, 1.5, 3.0, -3.0], "seed": 9, "rules": "eaai"}
    ).works()[0]  # fmt: skip
    parts = sum(work.part(first, 3).carry_out().tally for first in (0, 3))
    np.testing.assert_array_equal(work.part(0, 6).carry_out().tally, parts)
    ginsim.save(rates, tmp_path)
    assert ginsim.load_results(tmp_path) == rates
    assert "were called" not in rates.verdict() and "600 comparisons of equal strategies" in rates.verdict()
    counts = json.loads((tmp_path / "tallies.json").read_text())
    assert counts["0"] == rates.counts["0"]


@pytest.mark.parametrize("differences", [[0.25], [0.0, 0.0], [1e9], []])
def test_differences_refused(differences: list[float]) -> None:
    with pytest.raises(InputError, match="differences"):
        error_rates(A, B, comparisons=30, deals=30, differences=differences)


# The command


def test_compare_until_decided(tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = ["--rules", "eaai", "--until", "decided", "--points", "2", "--control", "--hands", "--bootstrap", "--out", str(out)]
    result = CliRunner().invoke(app, ["compare", A, B, *options])
    assert result.exit_code == 0, result.output
    words = " ".join(result.output.split())
    assert "Stopped after" in words and "bootstrap of points per hand:" in words
    kept = ginsim.load_results(out)
    assert kept.sequential.test == SequentialTest(points=2.0) and kept.luck_tally is not None
    hands = kept.hands()
    assert len(hands) == 2 * kept.deals and set(hands["pairing"]) == {"0-1"}
    assert hands["deal"].tolist() == [deal for deal in range(kept.deals) for _ in range(2)]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--until", "bored"], "until: 'bored' is not allowed; give 'decided'"),
        (["--until", "decided", "--alpha", "0.7"], "alpha: '0.7' is not allowed; give a number of at least 0.000001"),
        (["--until", "decided", "--points", "0"], "points: '0' is not allowed"),
        (["--alpha", "0.1"], "alpha: it needs --until decided"),
        (["--points", "1", "--beta", "0.1"], "points: it needs --until decided"),
        (["--bootstrap"], "bootstrap: --bootstrap resamples the hands; give --hands and --out FOLDER"),
    ],
)
def test_compare_refuses(options: list[str], complaint: str) -> None:
    result = CliRunner().invoke(app, ["compare", A, B, *options])
    assert result.exit_code == 2 and complaint in result.output
