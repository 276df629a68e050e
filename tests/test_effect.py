"""What rules change: effects and maps against a plain recount of the kept records, their folders, plots and commands."""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.image import imread
from scipy import stats
from typer.testing import CliRunner

import ginsim
from ginsim import InputError, effect, load_results, rule_map
from ginsim.cli import app
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import run_experiment
from ginsim.experiment.saved import CHECKSUM
from ginsim.games.catalog import Strategy
from ginsim.games.gin.game import GIN
from ginsim.games.gin.rules import Rules
from ginsim.inference.corrections import holm, p_value, simultaneous
from ginsim.inference.estimates import Estimate
from ginsim.report import plots
from ginsim.report.plots.effects import _draw_changes
from ginsim.report.plots.maps import _draw_border
from ginsim.report.sheets import sheet_of
from ginsim.simulation.execute import execute
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.study.effect import GAME_SUMS, Effect, EffectExperiment, EffectWork, changes_of, check_variants
from ginsim.study.map import RuleMap
from ginsim.study.settings import built
from ginsim.study.whoplays import Gap, gaps

ROOT = Path(__file__).parent.parent
BASE, SEED, DEALS, PAIRS = "classic25", 5, 150, 12
VARIANTS = ["(knock_limit=5, tie=push)", "straight", "(upcard_offer=false)", "(shutout=none)"]
NAMES = ["classic25(knock_limit=5, tie=push)", "straight", "classic25(upcard_offer=false)", "classic25(shutout=none)"]
STRATEGIES = ["threshold(knock=10)", "threshold(knock=0)", "simple"]
PAIRINGS = list(itertools.combinations_with_replacement(range(3), 2))
X, Y = ("gin_bonus", [0, 25, 50]), ("undercut_bonus", [0, 50])
FIELD = ["threshold(knock=0)", "threshold(knock=5)", "threshold(knock=10)"]
MEASURES = [*GIN.effects]


@pytest.fixture(scope="module")
def found() -> Effect:
    return effect(BASE, VARIANTS, STRATEGIES, deals=DEALS, seed=SEED, games=PAIRS)


@pytest.fixture(scope="module")
def plane() -> RuleMap:
    return rule_map(X, Y, FIELD, deals=60, seed=SEED)


def records(rules: str, number: int, phase: str) -> pd.DataFrame:
    """The hands or games of pairing ``number``, played one work at a time, with what is measured of each."""
    i, j = PAIRINGS[number]
    count = DEALS if phase == HANDS else PAIRS
    a, b = Strategy.parse(STRATEGIES[i]), Strategy.parse(STRATEGIES[j])
    done = play(Work((a, b), Rules.parse(rules), SEED, phase, number * count, count), keep=True)
    assert done.records is not None
    table = GIN.frame(done.records, phase).astype({"ending": str} if phase == HANDS else {})
    if phase == GAMES:
        return table.assign(hands_per_game=table["hands"], game_points=table["margin"].abs())
    won = table["winner"] >= 0
    return table.assign(
        knock=table["ending"] == "knock",
        gin=table["ending"].isin(["gin", "big_gin"]),
        undercut=table["ending"] == "undercut",
        dead=table["ending"].isin(["dead", "stalled"]),
        decided=won,
        starter_won=won & (table["winner"] == table["starter"]),
        own=table["points"] * table["winner"].map({0: 1, 1: -1, -1: 0}),
    )


def by_pair(table: pd.DataFrame) -> pd.DataFrame:
    """Sums over the two plays of each deal."""
    return table.select_dtypes(["number", "bool"]).astype(float).groupby(table.columns[0]).sum()


@pytest.fixture(scope="module")
def recount() -> dict[tuple[int, int, str], pd.DataFrame]:
    """Pairs by rule (0 is the base), pairing and phase."""
    return {
        (rule, number, phase): by_pair(records(rules, number, phase))
        for rule, rules in enumerate([BASE, *NAMES])
        for number in range(len(PAIRINGS))
        for phase in (HANDS, GAMES)
    }


UNIT = {"points": 25, "turns": 5, "hands_per_game": 3, "game_points": 100}


def student(values: Any, unit: float) -> tuple[float, float]:
    """Mean of the pairs' figures a hand, and how far its interval reaches: two pairs more lie ``unit`` points off."""
    n = len(values)
    return values.mean(), stats.t.ppf(0.975, n - 1) * math.sqrt(values.var(ddof=1) / n + 2 * (unit / 2 / n) ** 2)


def wilson(p: float, se: float) -> tuple[float, float, float]:
    """A share with its interval, as of the trials that its standard error amounts to."""
    z, n = stats.norm.ppf(0.975), p * (1 - p) / se**2
    centre, reach = (p + z * z / 2 / n) / (1 + z * z / n), z / (1 + z * z / n) * math.sqrt(se**2 + (z / 2 / n) ** 2)
    return p, centre - reach, centre + reach


def combined(parts: list[tuple[float, float]]) -> list[float]:
    """Mean of independent values, of which the intervals reach so far."""
    values, reaches = np.array(parts).T
    value, reach = values.mean(), np.sqrt((reaches**2).sum()) / len(reaches)
    return [value, value - reach, value + reach]


def figures(estimate: Any) -> list[float]:
    return [estimate.value, estimate.low, estimate.high]


# --- the figures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", range(1, 5))
@pytest.mark.parametrize("measure", [name for name in MEASURES if name != "starter"])
def test_differences_are_those_of_a_recount(found: Effect, recount: dict[Any, pd.DataFrame], rule: int, measure: str) -> None:
    phase = GAMES if "game" in measure else HANDS
    parts, levels = [], []
    for number in range(len(PAIRINGS)):
        own, base = recount[rule, number, phase][measure] / 2, recount[0, number, phase][measure] / 2
        parts.append(student(own - base, UNIT.get(measure, 1)))
        levels.append((own.mean(), base.mean()))
    assert figures(found.difference(rule, measure)) == pytest.approx(combined(parts), abs=1e-12)
    assert [found.level(rule, measure), found.level(0, measure)] == pytest.approx(np.mean(levels, axis=0))


@pytest.mark.parametrize("rule", range(1, 5))
def test_starters_share_against_delta_method(found: Effect, recount: dict[Any, pd.DataFrame], rule: int) -> None:
    """The variance of the difference of two ratios from its gradient and the covariance of the four sums."""
    differences, shares = [], []
    for number in range(len(PAIRINGS)):
        own, base = recount[rule, number, HANDS], recount[0, number, HANDS]
        four = np.array([own["starter_won"], own["decided"], base["starter_won"], base["decided"]])
        s, n, s0, n0 = four.mean(axis=1)
        gradient = np.array([1 / n, -s / n**2, -1 / n0, s0 / n0**2])
        cov = np.cov(four) / DEALS
        more = DEALS / (DEALS - 1)
        variance = max(gradient @ cov @ gradient, 0) + more * 2 / max(own["decided"].sum(), base["decided"].sum()) ** 2
        differences.append((s / n - s0 / n0, stats.t.ppf(0.975, DEALS - 1) * math.sqrt(variance)))
        sums = own["decided"].sum()
        counting = sums**2 / (own["decided"] ** 2).sum()
        variance = max(gradient[:2] @ cov[:2, :2] @ gradient[:2], 0) / more
        variance += 2 * (sums / counting * 2 * s / n * (1 - s / n) / sums) ** 2
        variance *= counting / (counting - 1)
        shares.append(wilson(s / n, math.sqrt(variance)))
    assert figures(found.difference(rule, "starter")) == pytest.approx(combined(differences), abs=1e-8)
    value = np.mean([share[0] for share in shares])
    below, above = (math.sqrt(sum((share[k] - share[0]) ** 2 for share in shares)) / len(shares) for k in (1, 2))
    assert figures(found.starter_share(rule)) == pytest.approx([value, value - below, value + above], abs=1e-8)
    assert found.level(rule, "starter") == pytest.approx(found.starter_share(rule).value)


def test_starters_interval_against_bootstrap(recount: dict[Any, pd.DataFrame]) -> None:
    alone = effect(BASE, ["(upcard_offer=false)"], ["threshold(knock=10)"], deals=DEALS, seed=SEED, games=0)
    own, base = recount[3, 0, HANDS], recount[0, 0, HANDS]
    rng = np.random.default_rng(1)
    four = np.array([own["starter_won"], own["decided"], base["starter_won"], base["decided"]])
    sums = np.array([four[:, rng.integers(0, DEALS, DEALS)].sum(axis=1) for _ in range(4000)]).T
    spread = float(np.std(sums[0] / sums[1] - sums[2] / sums[3]))
    assert alone.difference(1, "starter").se == pytest.approx(spread, rel=0.06)


def test_best_strategies_are_those_of_a_recount(found: Effect, recount: dict[Any, pd.DataFrame]) -> None:
    assert found.criterion == "games_won"
    found = found.judged_by("points_per_hand")
    table = found.best()
    assert list(table["rules"]) == [BASE, *NAMES]
    for rule in range(5):
        means = []
        for i in range(3):
            parts = []
            for number, pair in enumerate(PAIRINGS):
                if i in pair and pair[0] != pair[1]:
                    own = recount[rule, number, HANDS]["own"] / 2 * (1 if pair[0] == i else -1)
                    parts.append(student(own, 25))
            means.append(combined(parts))
            assert figures(found.against_field(rule, i)) == pytest.approx(means[i], abs=1e-12)
        order = sorted(range(3), key=lambda i: -means[i][0])
        row = table.iloc[rule]
        assert [row["best"], row["second"]] == [STRATEGIES[i] for i in order[:2]]
        assert row[["points_per_hand", "points_per_hand_low", "points_per_hand_high"]].tolist() == pytest.approx(means[order[0]])
        assert row["clear"] == (means[order[0]][1] > means[order[1]][2])


def test_table_and_verdict(found: Effect) -> None:
    table = found.table()
    assert list(table["variant"].unique()) == NAMES and list(table["measure"].unique()) == MEASURES
    np.testing.assert_allclose(table["value"] - table["base"], table["difference"], atol=1e-12)
    assert ((table["low"] <= table["difference"]) & (table["difference"] <= table["high"])).all()
    assert found.summary().loc["straight", "turns"] == found.difference(2, "turns").value
    text = found.verdict()
    assert "straight changes the points scored per hand most: +" in text and "The starter wins " in text
    assert found.hand_count == sum(
        2 * DEALS + int(found.game_tallies[key][rule][0]) for key in found.tallies for rule in range(5)
    )


def test_what_changes_most_is_clear_among_all_variants(found: Effect) -> None:
    for measure in MEASURES:
        changes = {rule: found.difference(rule, measure) for rule in range(1, 5)}
        shown = holm([p_value(e) for e in changes.values()])
        clear = found.clearly_changed(measure)
        assert {rule for rule, _ in clear} == {rule for rule, p in zip(changes, shown, strict=True) if p <= 0.05}
        assert [abs(e.value) for _, e in clear] == sorted((abs(e.value) for _, e in clear), reverse=True)
        for rule, e in clear:
            assert e == simultaneous(changes[rule], 4) and e.low < changes[rule].low and e.high > changes[rule].high


def test_who_comes_near_the_largest_change_is_told() -> None:
    bonuses = [f"(gin_bonus={points})" for points in (30, 31, 20)]
    near = effect("classic25", bonuses, ["gin_only"], deals=20, games=0, about="points")
    assert near.verdict().startswith("classic25(gin_bonus=31) changes the points scored per hand most: +")
    assert near.verdict().endswith("under classic25; 2 others cannot be told apart from it in that.")
    assert "2 others" not in effect("classic25", ["(gin_bonus=30)", "(gin_bonus=60)"], ["gin_only"], deals=300, games=0).verdict()


def test_the_answer_is_about_what_was_asked(found: Effect, tmp_path: Path) -> None:
    asked = replace(found, about="starter")
    assert asked.verdict().startswith("The starter wins ") and "changes the points" not in asked.verdict()
    assert asked.foremost[0] == "starter" and set(asked.foremost) == set(found.foremost)
    assert "best of the given" in asked.verdict()
    folder = ginsim.save(replace(found, about="turns"), tmp_path / "turns")
    assert load_results(folder) == replace(found, about="turns") != found
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "changes the turns per hand most" in page and "| rules | turns per hand |" in page
    own = {"rules": "classic25", "strategies": ["simple"], "variants": ["straight"]}
    assert built("effect", **own, about="gin").digest() == built("effect", **own).digest()
    with pytest.raises(InputError, match="about: 'gins' is not measured; did you mean 'gin'"):
        built("effect", **own, about="gins")
    with pytest.raises(InputError, match="about: 'hands_per_game' is not measured"):
        built("effect", **own, about="hands_per_game", games=0)


@pytest.mark.parametrize("measure", ["points", "gin", "turns", "starter"])
def test_who_plays_matters_as_a_recount_says(found: Effect, measure: str) -> None:
    """Differences of independent figures, of all rules and pairs together, by hand; of each rule the pair furthest apart."""
    rows = []
    for rule in range(5):
        own = [(found.difference if rule else found.value)(rule, measure, k) for k in range(3)]
        for i, j in itertools.combinations(range(3), 2):
            d, se = own[i].value - own[j].value, math.hypot(own[i].se, own[j].se)
            known = sum(e.se**4 / e.freedom for e in (own[i], own[j]))
            p = 2 * stats.t.sf(abs(d) / se, se**4 / known if known else 1e9) if 0 < se < math.inf else float(d == 0 or se > 0)
            rows.append((rule, (i, j), d, p))
    adjusted = holm([row[3] for row in rows])
    clear: dict[int, Any] = {}
    for (rule, players, d, _), p in zip(rows, adjusted, strict=True):
        if p <= 0.05 and abs(d) > abs(clear.get(rule, (None, 0.0))[1]):
            clear[rule] = players, d
    assert {gap.rule: (gap.players, pytest.approx(gap.difference.value)) for gap in gaps(found, measure)} == clear
    assert bool(clear) == (measure != "starter")


def test_the_page_says_who_plays_under_each_rule() -> None:
    """Of names that stand for another player under other rules, and of no others."""
    played = {"deals": 100, "games": 0, "seed": 1, "workers": 1}
    several = sheet_of(effect("classic25", ["(knock_limit=5)", "(tie=push)"], ["simple", "ordinary"], **played)).body()
    said = "`ordinary` is `threshold(stop=chart, chart=classic25)` under `classic25` and `tie=push`, "
    assert f"other rules: {said}`threshold(stop=chart, chart=knock5)` under `knock_limit=5`. What" in several
    assert "But for that, the strategies are the same under every rule." in several and "`simple` is" not in several
    alike = sheet_of(effect("classic25", ["(tie=push)"], ["ordinary"], **played)).body()
    assert "stand for another player" not in alike and "\n\nThe strategies are the same under every rule." in alike


def test_the_answer_says_whether_it_depends_on_who_plays(found: Effect) -> None:
    count = len(gaps(found, "points"))
    assert 0 < count < 4
    assert f"What a variant changes in the points scored per hand depends on who plays for {count} of the 4 variants, most " in (
        found.verdict()
    )
    same = effect(BASE, ["(gin_bonus=30)"], ["threshold(knock=10)", "threshold(knock=11)"], deals=60, games=0)
    assert "None of this is found to depend on who plays." in same.verdict()
    assert "who plays" not in effect(BASE, ["straight"], deals=5, games=0).verdict()
    table = effect("house", ["(wrap=false)"], ["table_random", "expert"], deals=60)
    own = (table.measured("own_turns").text(table.value(0, "own_turns", k)) for k in range(2))
    told = "Who plays matters for the turns of each player under house: {} where all play table_random, {} where all play expert."
    assert told.format(*own) in table.verdict()


def test_a_rule_that_works_both_ways_is_told() -> None:
    """More to pay for gin: who plays for it gains by it, and two who knock at once hardly make any."""
    of = Gap(1, "points", (0, 1), (Estimate(1, 0.5, 1.5, 0.25), Estimate(-1, -1.5, -0.5, 0.25)), Estimate(2, 1, 3, 0.35))
    assert of.turned and not replace(of, rule=0).turned and not replace(of, figures=(of.figures[0],) * 2).turned
    assert not replace(of, figures=(of.figures[0], Estimate(-1, -2.5, 0.5, 0.75))).turned


def test_a_rule_of_games_changes_no_hand(found: Effect) -> None:
    for measure in MEASURES:
        e = found.difference(4, measure)
        if measure == "game_points":
            assert e.value < 0 and e.low < e.value < e.high
        else:
            pairs = PAIRS if measure == "hands_per_game" else DEALS
            assert e.value == 0 and not e.decided and not found.differed(4, measure)
            assert 0 < e.high == -e.low <= student(np.zeros(pairs), UNIT.get(measure, 1))[1]


def test_one_strategy_and_no_games() -> None:
    alone = effect(BASE, ["(knock_limit=5)"], deals=40, games=0)
    assert alone.strategies == ("simple",) and "hands_per_game" not in alone.measures and not alone.game_tallies
    assert "best of" not in alone.verdict()
    with pytest.raises(InputError, match="only one played"):
        plots.best_strategies(alone)


def test_names_of_the_sums() -> None:
    assert len(set(GIN.effect_sums)) == len(GIN.effect_sums) and len(set(GAME_SUMS)) == len(GAME_SUMS)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_workers_give_the_same(found: Effect, plane: RuleMap, workers: int) -> None:
    assert effect(BASE, VARIANTS, STRATEGIES, deals=DEALS, seed=SEED, games=PAIRS, workers=workers) == found
    assert rule_map(X, Y, FIELD, deals=60, seed=SEED, workers=workers) == plane
    assert effect(BASE, VARIANTS, STRATEGIES, deals=DEALS, seed=SEED + 1, games=PAIRS, workers=workers) != found
    assert rule_map(X, Y, FIELD, deals=60, seed=SEED + 1, workers=workers) != plane


def test_pieces_add_up_and_count_their_hands() -> None:
    works = EffectExperiment(
        rules=BASE, variants=["straight", "oklahoma"], strategies=["simple"], deals=1100, games=5, seed=SEED
    ).works()
    assert [work.phase for work in works] == [HANDS, GAMES]
    for work in works:
        assert isinstance(work, EffectWork)
        whole = work.carry_out()
        parts = [work.part(work.first, 1).carry_out(), work.part(work.first + 1, work.count - 1).carry_out()]
        np.testing.assert_array_equal(whole.tally, parts[0].tally + parts[1].tally)
        hands = work.hands_in(whole.tally)
        assert hands == 2 * 1100 * 3 if work.phase == HANDS else hands > 2 * 5 * 3


def test_map_is_that_of_a_recount(plane: RuleMap) -> None:
    pairs = list(itertools.combinations(range(3), 2))
    for (r, undercut), (c, gin) in itertools.product(enumerate(Y[1]), enumerate(X[1])):
        rules = Rules(gin_bonus=gin, undercut_bonus=undercut)
        own = {}
        for number, (i, j) in enumerate(pairs):
            a, b = Strategy.parse(FIELD[i]), Strategy.parse(FIELD[j])
            done = play(Work((a, b), rules, SEED, HANDS, number * 60, 60), keep=True)
            assert done.records is not None
            table = GIN.frame(done.records, HANDS)
            points = (table["points"] * table["winner"].map({0: 1, 1: -1, -1: 0})).groupby(table["deal"]).sum().astype(float)
            assert plane.points[r, c, number].tolist() == [points.sum(), (points**2).sum()]
            own[i, j], own[j, i] = points / 2, -points / 2
        means = []
        for i in range(3):
            parts = [student(own[i, j], 25) for j in range(3) if j != i]
            means.append(combined(parts))
            assert figures(plane.against_field(r, c, i)) == pytest.approx(means[i], abs=1e-12)
        best = int(np.argmax([mean[0] for mean in means]))
        row = plane.table().set_index([X[0], Y[0]]).loc[(gin, undercut)]
        assert plane.best_index()[r, c] == best and row["best"] == FIELD[best] == plane.summary().loc[undercut, gin]
        assert row["clear"] == (means[best][1] > max(mean[2] for i, mean in enumerate(means) if i != best))
    assert plane.hand_count == 2 * 60 * 3 * 6
    assert "of 6 combinations of gin_bonus and undercut_bonus" in plane.verdict()


# --- what is refused ---------------------------------------------------------------------------------------------------


def test_a_variant_by_its_changes() -> None:
    given = effect("eaai", ["(knock_limit=5)", "( tie = push )"], deals=2, games=0)
    assert given.variants == ("eaai(knock_limit=5)", "eaai(tie=push)")
    assert effect("classic25", ["(oklahoma=true)"], deals=2, games=0) == effect("classic25", ["oklahoma"], deals=2, games=0)


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"variants": ["classic25"]}, "variants: classic25 is the base itself"),
        ({"variants": ["(knock_limit=10)"]}, r"variants: \(knock_limit=10\) is the base itself"),
        ({"variants": ["straight", "(knock_limit=0)"]}, r"variants: \(knock_limit=0\) is listed twice"),
        ({"variants": []}, "variants: needs at least 1; 0 given"),
        ({"variants": ["(knock_limt=5)"]}, "no field 'knock_limt'.*did you mean 'knock_limit'"),
        ({"variants": ["(knock_limit=101)"]}, "variants: knock_limit=101 is not possible"),
        ({"variants": ["(knock_limit=5"]}, "expected ',' or '\\)'"),
        ({"variants": ["straigt"]}, "variants: there is no 'straigt'"),
        ({"base": "classic26"}, "rules: there is no 'classic26'"),
        ({"strategies": []}, "strategies: needs at least 1; 0 given"),
        ({"strategies": ["simple", "simple"]}, "strategies: simple is listed twice"),
        ({"strategies": ["simpel"]}, "simpel"),
        ({"deals": 0}, "deals: 0 is not allowed"),
        ({"games": -1}, "games: -1 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"deals": 10**5000}, "deals: .* is not allowed; give a whole number from 1 to"),
        ({"variants": None}, "variants: None is not allowed; give a list"),
        ({"variants": "oklahoma"}, "variants: 'oklahoma' is not allowed; give a list"),
        ({"variants": ["(self=1)"]}, "variants: there is no field 'self'"),
        ({"base": "oklahoma", "variants": ["(knock_limit=5)"]}, "variants: knock_limit=5 has no effect with oklahoma=true"),
        ({"variants": ["classic25(oklahoma_ace=one)"]}, "variants: oklahoma_ace=one has no effect with oklahoma=false"),
        ({"variants": [5]}, "variants.0: 5 is not allowed; give text"),
        ({"strategies": 5}, "strategies: 5 is not allowed; give a list"),
    ],
)
def test_bad_effect(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        effect(**({"base": BASE, "variants": ["straight"], "deals": 2, "games": 0} | changes))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"x": ("gin_bonos", [0, 1])}, "x: 'gin_bonos' is not a rule field with numbers; did you mean 'gin_bonus'"),
        ({"x": ("tie", [0, 1])}, "x: 'tie' is not a rule field with numbers"),
        ({"y": ("undercut_bonus", [0])}, r"y: \[0\] is not allowed; give two or more values"),
        ({"y": ("undercut_bonus", [5, 0])}, "in rising order"),
        ({"y": ("undercut_bonus", [0, 2000])}, "y: undercut_bonus=2000 is not possible"),
        ({"x": 5}, "x: 5 is not allowed; give a rule field and its values"),
        ({"x": ("gin_bonus",)}, "x: .* is not allowed; give a rule field and its values"),
        ({"x": (None, [0, 1])}, "x.field: None is not allowed; give text"),
        ({"y": ("undercut_bonus", 5)}, "y.values: 5 is not allowed; give a list"),
        ({"y": ("undercut_bonus", [0, "a"])}, "y.values.1: 'a' is not allowed; give a whole number"),
        ({"y": ("big_gin_bonus", [None, 5])}, "y.values.0: None is not allowed; give a whole number"),
        ({"strategies": None}, "strategies: None is not allowed; give a list"),
        ({"y": X}, "y: 'gin_bonus' is already on the other axis"),
        ({"strategies": ["simple"]}, "needs at least 2"),
        ({"deals": 0}, "deals: 0 is not allowed"),
    ],
)
def test_bad_map(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        rule_map(**({"x": X, "y": Y, "strategies": FIELD, "deals": 2} | changes))


def test_any_sequence_is_a_list() -> None:
    """Tuples, arrays and iterators of strategies, rules and values; rules as they are."""
    wanted = effect("eaai", ["(gin_bonus=30)"], ["simple"], deals=2, games=0)
    assert effect("eaai", (Rules.parse("eaai(gin_bonus=30)"),), ("simple",), deals=2, games=0) == wanted
    assert effect("eaai", np.array(["(gin_bonus=30)"]), iter(["simple"]), deals=2, games=0) == wanted  # type: ignore[arg-type]


def test_numpy_numbers_are_numbers() -> None:
    found = rule_map(("gin_bonus", np.array([0, 25])), ("undercut_bonus", (0, 25)), FIELD, deals=np.int64(2), workers=np.int64(1))
    assert found.x == ("gin_bonus", (0, 25))


def test_one_deal_leaves_intervals_unknown() -> None:
    found = effect("classic25", ["oklahoma"], FIELD[:2], deals=1, games=1)
    assert "inf" not in found.verdict()
    assert "inf" not in str(found.difference(1, "turns"))


EFFECT_FILE = 'kind = "effect"\nvariants = ["(knock_limit=5)"]\nstrategies = ["simple"]\ndeals = 5\ngames = 0\n'
MAP_FILE = (
    'kind = "map"\nstrategies = ["simple", "threshold"]\ndeals = 5\nx = {field = "gin_bonus", values = [0, 25]}\n'
    'y = {field = "undercut_bonus", values = [0, 25]}\n'
)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (EFFECT_FILE.replace("(knock_limit=5)", "classic25"), "classic25 is the base itself"),
        (EFFECT_FILE.replace("knock_limit", "nock_limit"), "no field 'nock_limit'"),
        (EFFECT_FILE.replace('["simple"]', "[]"), "strategies: needs at least 1; 0 given"),
        (EFFECT_FILE.replace('["simple"]', '["simple", "simple"]'), r"bad\.toml: strategies: simple is listed twice"),
        (EFFECT_FILE.replace("strategies", "strategy"), "no key 'strategy' in an effect .*did you mean 'strategies'"),
        (MAP_FILE.replace("undercut_bonus", "gin_bonus"), "already on the other axis"),
        (MAP_FILE.replace("gin_bonus", "gin_bonos"), "did you mean 'gin_bonus'"),
        (MAP_FILE.replace("[0, 25]}\ny", "[25, 0]}\ny"), "in rising order"),
    ],
)
def test_bad_file(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=complaint):
        load_experiment(path)


@pytest.mark.parametrize("text", [EFFECT_FILE, MAP_FILE])
def test_hands_are_not_kept(text: str, tmp_path: Path) -> None:
    path = tmp_path / "small.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=r"hands: the hands of (an effect|a map) are not kept"):
        run_experiment(load_experiment(path), tmp_path / "out", ginsim.save, keep_hands=True)


# --- the shipped experiments -------------------------------------------------------------------------------------------


def test_rule_variants_covers_every_rule() -> None:
    experiment = load_experiment(ROOT / "experiments" / "rule_variants.toml")
    assert isinstance(experiment, EffectExperiment)
    variants = check_variants(experiment.rules, experiment.variants)
    changed = {name for rules in variants for name in changes_of(str(experiment.rules), str(rules))}
    assert set(Rules.model_fields) - changed == {"max_turns"}
    n = len(experiment.strategies)
    assert 2 * experiment.deals * n * (n + 1) / 2 >= 1_000_000


def test_seat_advantage_loads() -> None:
    seats = load_experiment(ROOT / "experiments" / "seat_advantage.toml")
    assert isinstance(seats, EffectExperiment)
    assert 1.96 * 0.5 / math.sqrt(seats.deals) < 0.001  # the plays of a pair may be alike


@pytest.mark.parametrize("name", ["rule_variants", "seat_advantage"])
def test_shipped_experiment_runs(name: str, tmp_path: Path) -> None:
    experiment = load_experiment(ROOT / "experiments" / f"{name}.toml", deals=2, games=1)
    result = run_experiment(experiment, tmp_path, ginsim.save, command="ginsim run it")
    page = (tmp_path / "report.md").read_text()
    assert page.startswith(f"# {experiment.title}\n\n{experiment.question}\n\n**Answer.** ") and "ginsim run it" in page
    assert load_results(tmp_path) == result
    works = experiment.works()
    again = experiment.result(execute(works), wall_seconds=1.0)
    assert again == result


# --- plots -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "variants", "labels"),
    [
        ("classic25", ["classic25(knock_limit=5)", "straight"], ["knock_limit=5", "straight"]),
        ("classic25", ["classic25(layoff=none)", "classic25(big_gin_bonus=0)"], ["layoff=none", "big_gin_bonus=0"]),
        ("classic25(knock_limit=5)", ["classic25(tie=push)"], ["knock_limit=10, tie=push"]),
        ("classic25", ["oklahoma(oklahoma_ace=one)"], ["oklahoma(oklahoma_ace=one)"]),
    ],
)
def test_variant_labels(base: str, variants: list[str], labels: list[str]) -> None:
    assert plots.variant_labels(base, variants) == labels


def tick_labels(ax: Axes) -> list[str]:
    return [tick.get_text().replace("\n", " ") for tick in ax.get_yticklabels()]


def test_differences_plot(found: Effect) -> None:
    ax = plots.differences(found)
    figure: Any = ax.figure
    order = sorted(range(1, 4), key=lambda rule: -found.difference(rule, "points").value)
    names = ["knock_limit=5, tie=push", "straight", "upcard_offer=false"]
    assert tick_labels(ax) == [names[rule - 1] for rule in order]
    assert "Change against classic25" in figure.get_suptitle() and "95 %" in figure.get_suptitle()
    assert figure.get_supxlabel() == "None of this is changed by: shutout=none."
    assert len(figure.axes) == 6
    for panel, name in zip(figure.axes, GIN.foremost, strict=True):
        measure = GIN.measures[name]
        assert panel.get_xlabel() == measure.change_unit
        assert panel.get_title(loc="left") == f"{measure.label}\n(base {measure.value_text(found.level(0, name))})"
        assert any(list(line.get_xdata()) == [0, 0] for line in panel.lines)
        marks = [line for line in panel.lines if line.get_marker() == "o"]
        drawn = {
            int(at): (value, line.get_markerfacecolor() == "white")
            for line in marks
            for value, at in zip(line.get_xdata(), line.get_ydata(), strict=True)
        }
        assert drawn  # a value far outside is an arrow
        for at, (value, hollow) in drawn.items():
            e = found.difference(order[at], name)
            assert value == pytest.approx(measure.factor * e.value) and hollow == (not e.decided)
        low, high = panel.get_xlim()
        assert low < 0 < high


def test_differences_on_given_axes(found: Effect) -> None:
    ax = Figure().subplots()
    assert plots.differences(found, ["turns", "points"], ax=ax) is ax and len(ax.figure.axes) == 1
    assert ax.get_title(loc="left").startswith("Change against classic25: turns per hand\n(base ")
    assert ax.get_xlabel() == "change, turns" and len(tick_labels(ax)) == 4
    assert ginsim.plot(found, Figure().subplots()).get_xlabel() == "change, points"
    ends = [list(bar[:, 0]) for c in ax.collections if isinstance(c, LineCollection) for bar in c.get_segments()]
    e = found.difference(3, "turns")
    assert any(pair == pytest.approx([e.low, e.high]) for pair in ends)


def test_far_values_are_cut_off_and_written(found: Effect) -> None:
    ax = Figure().subplots()
    _draw_changes(ax, [found.difference(3, "turns")] * 6 + [found.difference(2, "points")], GIN.measures["points"])
    assert [text.get_text() for text in ax.texts if text.get_text()] == [f"{found.difference(2, 'points').value:+.3g}"]
    assert ax.get_xlim()[1] < found.difference(2, "points").value


def test_unknown_measure(found: Effect) -> None:
    with pytest.raises(InputError, match="measure: 'turn' cannot be plotted here; did you mean 'turns'"):
        plots.differences(found, ["turn"])
    with pytest.raises(InputError, match="measure: '' cannot be plotted here"):
        plots.differences(found, [])


def test_many_variants_are_readable() -> None:
    many = effect(BASE, [f"(knock_limit={k})" for k in range(11, 45)], ["simple"], deals=3, games=0)
    ax = plots.differences(many, ["points"])
    figure: Any = ax.figure
    assert figure.get_size_inches()[1] / len(tick_labels(ax)) > 0.2
    figure.canvas.draw()
    boxes = [tick.get_window_extent() for tick in ax.get_yticklabels()]
    assert all(one.y0 >= other.y1 - 1 or other.y0 >= one.y1 - 1 for one, other in itertools.pairwise(boxes))


def test_best_plot(found: Effect) -> None:
    found = found.judged_by("points_per_hand")
    ax = plots.best_strategies(found)
    assert tick_labels(ax)[0] == "classic25 (base)" and len(tick_labels(ax)) == 4
    assert ax.get_xlabel().startswith("points per hand") and "95 %" in ax.get_xlabel()
    legend = ax.get_legend()
    assert legend is not None and [text.get_text() for text in legend.get_texts()] == STRATEGIES
    marks = [line for line in ax.lines if line.get_marker() in "osD" and len(line.get_xdata())]
    full = [line for line in marks if line.get_markerfacecolor() != "white"]
    assert sum(len(line.get_xdata()) for line in full) == int(found.best()["clear"][:4].sum())


def test_who_plays_plot(found: Effect) -> None:
    ax = plots.who_plays(found, "gin")
    assert ax.get_xlabel() == "change in hands ending in gin, percentage points (95 % intervals)"
    marks = [line for line in ax.lines if line.get_marker() in "osD" and len(line.get_xdata())]
    drawn = {(round(at), value) for line in marks for value, at in zip(*line.get_data(), strict=True)}
    at = tick_labels(ax).index("straight")
    assert {value for row, value in drawn if row == at} == {100 * found.difference(2, "gin", k).value for k in range(3)}
    full = {round(row) for line in marks if line.get_markerfacecolor() != "white" for row in line.get_ydata()}
    assert at in full and len(full) == len({gap.rule for gap in gaps(found, "gin")})
    assert "shutout=none" not in tick_labels(ax) and "shutout=none" in str(ax.figure._supxlabel.get_text())


@pytest.mark.parametrize(("name", "complaint"), [("gim", "gin"), ("", "only one")])
def test_who_plays_asks_for_what_there_is(found: Effect, name: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        plots.who_plays(found if name else effect(BASE, ["straight"], deals=5, games=0), name or None)


def test_starter_plot(found: Effect) -> None:
    ax = plots.starter_share(found)
    assert "(%" in ax.get_xlabel() and "95 %" in ax.get_xlabel() and tick_labels(ax)[0] == "classic25 (base)"
    assert any(list(line.get_xdata()) == [50, 50] for line in ax.lines)
    drawn = {at: value for line in ax.lines if line.get_marker() == "o" for value, at in zip(*line.get_data(), strict=True)}
    assert len(drawn) == 4
    assert drawn[tick_labels(ax).index("upcard_offer=false")] == pytest.approx(100 * found.starter_share(3).value)


def test_map_plot(plane: RuleMap) -> None:
    ax = plots.rule_map(plane)
    best = plane.best_index()
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["gin_bonus (points)", "undercut_bonus (points)"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "25", "50"] and tick_labels(ax) == ["0", "50"]
    assert ax.get_ylim()[0] < ax.get_ylim()[1]  # the greatest value on top
    shown = {(text.get_position()[1] - 0.5, text.get_position()[0] - 0.5): text.get_text() for text in ax.texts}
    assert shown == {(r, c): ["0", "5", "10"][best[r, c]] for r, c in np.ndindex(best.shape)}
    assert np.array_equal(np.asarray(ax.collections[0].get_array()).reshape(best.shape), best)
    clear = plane.table()["clear"].to_numpy().reshape(best.shape)
    hatched = {str(patch.get_gid()) for patch in ax.patches if patch.get_hatch()}
    assert hatched == {f"unclear-{r}-{c}" for r, c in np.argwhere(~clear)}
    (bar,) = ax.child_axes
    assert bar.get_ylabel().split() == ["best", "strategy", "(threshold,", "knock)"] and tick_labels(bar) == ["0", "5", "10"]


def test_border_of_a_map(plane: RuleMap) -> None:
    """Between the cells where the first strategy is best and the others, and nowhere else."""
    ax = Figure().subplots()
    assert _draw_border(ax, np.array([[1, 2, 0], [0, 0, 0]]))
    lines = {tuple(map(tuple, segment)) for segment in next(c for c in ax.collections if c.get_gid() == "border").get_segments()}
    assert lines == {((2, 0), (2, 1)), ((0, 1), (1, 1)), ((1, 1), (2, 1))}
    assert not _draw_border(ax, np.array([[1, 2], [2, 1]]))


def test_map_on_given_axes(plane: RuleMap) -> None:
    ax = Figure().subplots()
    assert plots.rule_map(plane, ax=ax) is ax and ginsim.plot(plane, Figure().subplots()).get_xlabel() == "gin_bonus (points)"


# --- folders -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folders(found: Effect, plane: RuleMap, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {kind: ginsim.save(result, tmp_path_factory.mktemp(kind)) for kind, result in (("effect", found), ("map", plane))}


EFFECT_FILES = {
    f"{name}.{ending}"
    for names, endings in [
        (("effects", "by_strategy", "best", "starter_share"), ("csv", "parquet")),
        (("differences", "games", "best", "who_plays", "starter_share"), ("png", "svg")),
    ]
    for name in names
    for ending in endings
} | {"report.md", "report.html", "tables.tex", "manifest.json", "tallies.json"}
MAP_FILES = {"map.csv", "map.parquet", "summary.csv", "summary.parquet", "map.png", "map.svg", "report.md"}
MAP_FILES |= {"report.html", "tables.tex", "manifest.json", "tallies.json"}


def test_effect_folder(found: Effect, folders: dict[str, Path]) -> None:
    folder = folders["effect"]
    assert {path.name for path in folder.iterdir()} == EFFECT_FILES
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "effects.parquet"), found.table(), check_dtype=False)
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "best.parquet"), found.best(), check_dtype=False)
    shares = pd.read_csv(folder / "starter_share.csv")
    assert list(shares.columns) == ["rules", "share", "low", "high"] and list(shares["rules"]) == [BASE, *NAMES]
    assert shares.iloc[2, 1:].tolist() == pytest.approx(figures(found.starter_share(2)), rel=1e-5)
    assert all(imread(folder / f"{name}.png").size for name in ("differences", "games", "best", "starter_share"))
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["kind"] == "effect" and manifest["rules"]["fields"] == Rules.parse(BASE).model_dump()
    assert manifest["variants"][0] == {"spec": NAMES[0], "changes": {"knock_limit": 5, "tie": "push"}}
    assert (manifest["deals"], manifest["games"], manifest["hands_played"]) == (DEALS, PAIRS, found.hand_count)
    sums = json.loads((folder / "tallies.json").read_text())
    assert sums["0-1"]["hands"]["straight"]["points"] == found.tallies["0-1"][2][0]


def test_map_folder(plane: RuleMap, folders: dict[str, Path]) -> None:
    folder = folders["map"]
    assert {path.name for path in folder.iterdir()} == MAP_FILES
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "map.parquet"), plane.table(), check_dtype=False)
    grid = pd.read_csv(folder / "summary.csv", index_col="undercut_bonus")
    assert grid.to_numpy().tolist() == plane.summary().to_numpy().tolist() and list(grid.columns) == ["0", "25", "50"]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["kind"] == "map" and manifest["x"] == {"field": "gin_bonus", "values": [0, 25, 50]}
    assert imread(folder / "map.png").size


def test_saving_over_leaves_nothing_stale(folders: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(folders["effect"], tmp_path, dirs_exist_ok=True)
    alone = effect(BASE, ["straight"], deals=5, games=0)
    gone = {"best.csv", "best.parquet", "best.png", "best.svg", "games.png", "games.svg"}
    gone |= {"by_strategy.csv", "by_strategy.parquet", "who_plays.png", "who_plays.svg"}
    assert {path.name for path in ginsim.save(alone, tmp_path).iterdir()} == EFFECT_FILES - gone
    assert load_results(tmp_path) == alone


def test_round_trips(found: Effect, plane: RuleMap, folders: dict[str, Path], tmp_path: Path) -> None:
    for result, first in ((found, folders["effect"]), (plane, folders["map"])):
        again = load_results(first)
        assert again == result and type(again) is type(result)
        assert isinstance(again, Effect | RuleMap)
        pd.testing.assert_frame_equal(again.table(), result.table())
        assert again.verdict() == result.verdict()
        second = ginsim.save(again, tmp_path / f"{type(result).__name__}-again")
        for path in first.iterdir():
            assert path.name == "manifest.json" or path.read_bytes() == (second / path.name).read_bytes()
    again = load_results(folders["map"])
    assert isinstance(again, RuleMap) and np.array_equal(again.points, plane.points) and again.points.dtype == np.int64
    assert found != plane


@pytest.mark.parametrize("columns", [6, 18])
def test_the_label_of_the_colours_of_a_low_map_does_not_meet_the_title(columns: int) -> None:
    x, y = ("gin_bonus", range(10, 10 + columns)), ("undercut_bonus", [5, 10])
    plane = rule_map(x, y, ["threshold(knock=0)", "threshold(knock=4)"], deals=2)
    ax = plots.rule_map(plane)
    (bar,) = ax.child_axes
    label, title = bar.yaxis.label.get_window_extent(), ax.title.get_window_extent()
    assert bar.get_ylabel().split() == ["best", "strategy", "(threshold,", "knock)"]
    inside = bar.get_window_extent()
    assert label.y1 <= title.y0 or label.x0 >= title.x1
    assert label.height <= 1.15 * inside.height


@pytest.mark.parametrize("kind", ["effect", "rule_map"])
def test_default_command_plays_the_same(kind: str, found: Effect, plane: RuleMap, folders: dict[str, Path]) -> None:
    result, folder = (found, folders["effect"]) if kind == "effect" else (plane, folders["map"])
    command = json.loads((folder / "manifest.json").read_text())["command"]
    call = command.removeprefix("python -c 'import ginsim; ginsim.save(").removesuffix(', "result")\'')
    assert call.startswith(f"ginsim.{kind}(") and eval(call, {"ginsim": sys.modules["ginsim"]}) == result


def damage(path: Path, change: Callable[[Any], Any]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("effect", lambda m: m.pop("variants"), "manifest.json is damaged: variants is missing"),
        ("effect", lambda m: m["variants"].pop(), "tallies.json: 0-0: hands: rules .* is not known"),
        ("effect", lambda m: m["variants"][0].update(changes={"tie": "both"}), "manifest.json: tie='both' is not possible"),
        ("effect", lambda m: m["strategies"].pop(), "tallies.json: pairing .* is not known"),
        ("effect", lambda m: m.update(kind="tournament", tallies_version=2), "tallies.json is damaged"),
        ("map", lambda m: m["x"].update(values=[0]), "tallies.json: cell .* is not known"),
        ("map", lambda m: m["strategies"].append("x"), "tallies.json: cell 0,0: pairing .* is missing"),
        ("map", lambda m: m.update(x=3), "manifest.json is damaged: x: "),
    ],
)
def test_damaged_manifest(
    name: str, change: Callable[[Any], Any], complaint: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    for file in ("manifest.json", "tallies.json"):
        shutil.copy(folders[name] / file, tmp_path)
    damage(tmp_path / "manifest.json", change)
    with pytest.raises(InputError, match=complaint):
        load_results(tmp_path)


def write_tallies(folder: Path, change: Callable[[Any], Any]) -> None:
    """Changed sums with the checksum that belongs to them."""
    damage(folder / "tallies.json", change)
    digest = hashlib.sha256((folder / "tallies.json").read_bytes()).hexdigest()
    damage(folder / "manifest.json", lambda m: m.update(tallies_sha256=digest))


def first_rule(tallies: Any, phase: str = "hands", variant: bool = False) -> Any:
    return list(next(iter(tallies.values()))[phase].values())[variant]


def first_cell(tallies: Any) -> Any:
    return next(iter(next(iter(tallies.values())).values()))


@pytest.mark.parametrize(
    ("name", "change", "complaint"),
    [
        ("effect", lambda t: first_rule(t).update(points=-1), "tallies.json: .*points=-1 is impossible"),
        ("effect", lambda t: first_rule(t).update(points=1 << 70), "tallies.json: .*points=.* is impossible"),
        ("effect", lambda t: first_rule(t).update(starter=10**6), "tallies.json: .*starter=1000000 is impossible with decided"),
        ("effect", lambda t: first_rule(t).update(own_points=1), "tallies.json: .*own_points=1 is impossible"),
        ("effect", lambda t: first_rule(t, variant=True).update(turns_difference_sq=0), "tallies.json: .*turns_difference"),
        ("effect", lambda t: first_rule(t, "games", True).update(hands_difference_sq=0), "tallies.json: .*hands_difference"),
        ("map", lambda t: first_cell(t).__setitem__(1, -1), "tallies.json: cell .* is impossible"),
        ("map", lambda t: first_cell(t).__setitem__(0, 1 << 70), "tallies.json: cell .* is impossible"),
    ],
)
def test_impossible_sums(
    name: str, change: Callable[[Any], Any], complaint: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    for file in ("manifest.json", "tallies.json"):
        shutil.copy(folders[name] / file, tmp_path)
    write_tallies(tmp_path, change)
    with pytest.raises(InputError, match=complaint):
        load_results(tmp_path)


# --- pages and the command line ----------------------------------------------------------------------------------------


def test_effect_page(found: Effect, folders: dict[str, Path]) -> None:
    page = (folders["effect"] / "report.md").read_text()
    assert page.startswith(f"# What 4 variants change against classic25\n\n**Answer.** {found.verdict()}\n")
    e = found.difference(2, "gin")
    assert f"| `straight` | {found.difference(2, 'points').value:+.3f} ± " in page
    assert f" | {100 * e.value:+.2f} ± {100 * (e.high - e.value):.2f} | " in page
    pictures = ("differences", "games", "best", "who_plays", "starter_share")
    for part in (*(f"({name}.png)" for name in pictures), "linearised", "`knock_limit=5`, `tie=push`"):
        assert part in page
    assert all(f"| `{name}` | " in page for name in Rules.model_fields)
    for term in ("points scored per hand", "points per hand", "points a game is won by", "starter's share"):
        assert f"- **{term}**: " in page
    assert "- `threshold(knock=0)`: as `threshold(knock=10)`, but: Knock" in page and "| `shutout=none` |" in page
    assert "Each of the 6 pairings played" in page


def test_page_of_one_pairing(tmp_path: Path) -> None:
    page = (ginsim.save(effect(BASE, ["straight"], deals=5, games=0), tmp_path) / "report.md").read_text()
    assert "The one pairing played 5 duplicate pairs of hands under each of the 2 rules" in page


def test_map_page(plane: RuleMap, folders: dict[str, Path]) -> None:
    page = (folders["map"] / "report.md").read_text()
    assert page.startswith(f"# The best strategy over gin_bonus and undercut_bonus\n\n**Answer.** {plane.verdict()}\n")
    assert "| undercut_bonus \\ gin_bonus | 0 | 25 | 50 |" in page and "(map.png)" in page
    assert page.index("\n| 50 |") < page.index("\n| 0 |")


def test_effect_command(tmp_path: Path) -> None:
    words = ["effect", BASE, "(knock_limit=5)", "straight", "--strategies", "threshold(knock=0), threshold(draw=strict, knock=9)"]
    words += ["--deals", "30", "--games", "2", "--seed", "3", "--quiet", "--out", str(tmp_path)]
    outcome = CliRunner().invoke(app, words)
    assert outcome.exit_code == 0, outcome.output
    for part in ("Change against classic25", "knock_limit=5", "straight", "Best strategy under each rule", "per hand most"):
        assert part in outcome.output
    players = ["threshold(knock=0)", "threshold(draw=strict, knock=9)"]
    expected = effect(BASE, ["(knock_limit=5)", "straight"], players, deals=30, games=2, seed=3)
    assert load_results(tmp_path) == expected


def test_effect_command_without_a_folder() -> None:
    outcome = CliRunner().invoke(app, ["effect", BASE, "(tie=push)", "--deals", "20", "--games", "0", "-q"])
    assert outcome.exit_code == 0 and "tie=push" in outcome.output and "Best strategy" not in outcome.output
    bad = CliRunner().invoke(app, ["effect", BASE, "classic25", "--deals", "20"])
    assert bad.exit_code == 2 and "classic25 is the base itself" in bad.output


def test_map_is_shown_as_a_grid(tmp_path: Path) -> None:
    path = tmp_path / "plane.toml"
    path.write_text(MAP_FILE)
    outcome = CliRunner().invoke(app, ["run", str(path), "--quiet", "--out", str(tmp_path / "out")])
    assert outcome.exit_code == 0, outcome.output
    assert "gin_bonus across, undercut_bonus down" in outcome.output and "of 4 combinations" in " ".join(outcome.output.split())


def write_sums(folder: Path, sums: dict[str, Any]) -> None:
    """Write other sums into a result, with the right checksum."""
    text = json.dumps(sums, indent=1) + "\n"
    (folder / "tallies.json").write_text(text, encoding="utf-8")
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["tallies_sha256"] = hashlib.sha256(text.encode()).hexdigest()
    del manifest[CHECKSUM]
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def test_a_measure_that_came_later_leaves_older_results_readable(tmp_path: Path) -> None:
    found = effect("house(players=2)", ["(claims=false)"], ["novice"], deals=20, games=0)
    ginsim.save(found, tmp_path / "new")
    older = tmp_path / "older"
    shutil.copytree(tmp_path / "new", older)
    sums = json.loads((older / "tallies.json").read_text())
    for own in sums["0-0"]["hands"].values():
        for name in ("reshuffles", "reshuffles_sq", "reshuffles_difference_sq"):
            del own[name]
    write_sums(older, sums)
    again = load_results(older)
    assert again.measures == [name for name in found.measures if name != "reshuffles"]
    assert again.value(1, "points") == found.value(1, "points") and again != found
    assert "reshuffles per hand" not in ginsim.save(again, older).joinpath("report.md").read_text(encoding="utf-8")
    assert load_results(older) == again
    del next(iter(sums["0-0"]["hands"].values()))["claims_sq"]
    write_sums(older, sums)
    with pytest.raises(InputError, match="claims_sq is missing"):
        load_results(older)
