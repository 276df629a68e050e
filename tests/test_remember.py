"""Rules of knocking that a person can remember: what the search says they are worth, and which it finds."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.solving import judge
from ginsim.solving.cells import TURNS, Cells
from ginsim.solving.chart import Chart
from ginsim.solving.game import KnockGame, by_points
from ginsim.solving.memory import CELLS, FAMILIES, HELD, MemoryRule
from ginsim.solving.remember import best_of_each, best_rules, families_worth
from ginsim.solving.solved import equilibrium
from ginsim.study.recording import record
from tests.oracle import remember as oracle

RULES = Rules.parse("classic25")
MOST = 10
ONE = "With one unmatched card go for gin;"


@pytest.fixture(scope="module")
def courses() -> Courses:
    return record("threshold", RULES, 0, 0, 20_000, workers=1)


@pytest.fixture(scope="module")
def chart(courses: Courses) -> Chart:
    return equilibrium(courses, None, Cells.of("deadwood, unmatched"), RULES, by_points())


def rules_of(family: str) -> list[MemoryRule]:
    untils = [*range(1, TURNS), None]
    return [MemoryRule(family, a, until) for a in FAMILIES[family].numbers(MOST) for until in untils]


def in_plain(courses: Courses, theirs: np.ndarray) -> list[list[oracle.Row]]:
    game = KnockGame.of(courses, CELLS, RULES, by_points())
    rows = [
        oracle.Row(int(side), int(row["turn"]), int(row["deadwood"]), min(int(row["unmatched"]), 3), float(worth), float(chance))
        for side, row, worth, chance in zip(courses.side, courses.rows, game.payoff, theirs, strict=True)
    ]
    return [rows[first:end] for first, end in zip(courses.starts[:-1], courses.starts[1:], strict=True)]


@pytest.mark.parametrize("family", FAMILIES)
def test_worth_is_that_of_the_plain_twin(courses: Courses, family: str) -> None:
    few = courses.part(0, 60)
    theirs = np.random.default_rng(1).random(len(few.rows)).astype(np.float32) * 0.5
    hands, found = in_plain(few, theirs), families_worth(few, RULES, by_points(), theirs)[family]
    assert sorted(found) == sorted(FAMILIES[family].numbers(MOST))
    for a, values in found.items():
        assert len(values) == TURNS
        for turn in (1, 3, 7, 8, TURNS):
            plain = oracle.worth(hands, lambda row: oracle.says(family, a, turn, row.turn, row.deadwood, row.unmatched))  # noqa: B023
            assert values[turn - 1] == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_rule_is_the_chart_that_its_words_say(family: str) -> None:
    for rule in rules_of(family)[:: 5]:
        until = TURNS if rule.until is None else rule.until
        for at in [(0, t, d, u) for t in range(0, TURNS, 3) for d in range(1, 11) for u in range(3)]:
            says = oracle.says(family, rule.first, until, int(HELD.turn[at]), at[2], at[3] + 1)
            assert rule.chart.knock[at] == rule.chart.knock[1, *at[1:]] == says


def test_worth_is_what_is_judged(courses: Courses, chart: Chart) -> None:
    theirs, game = chart.chances(courses), KnockGame.of(courses, CELLS, RULES, by_points())
    found = families_worth(courses, RULES, by_points(), theirs)
    for family, a, until in (("unmatched", 2, 8), ("at least", 6, 7), ("two with few", 3, 8)):
        loss = judge.advantage(game, theirs, MemoryRule(family, a, until).chart.chances(courses))
        assert found[family][a][until - 1] == pytest.approx(-loss.value, abs=1e-5)  # chances have single precision


def test_one_side_alone(courses: Courses, chart: Chart) -> None:
    few = courses.part(0, 500)
    of = few, RULES, by_points(), chart.chances(few)
    both, first, second = (families_worth(*of, sides=sides)["unmatched"][2] for sides in ((0, 1), (0,), (1,)))
    assert both == pytest.approx((first + second) / 2)


def test_any_number_of_workers(courses: Courses, chart: Chart) -> None:
    of = courses, RULES, by_points(), chart.chances(courses)
    one, three = (families_worth(*of, workers=workers)["two with few"] for workers in (1, 3))
    assert all(np.array_equal(one[a], three[a]) for a in one)


def test_the_best_of_each_family(courses: Courses, chart: Chart) -> None:
    of = courses, RULES, by_points(), chart.chances(courses)
    found, worth = best_rules(*of), families_worth(*of)
    assert sorted(rule.family for rule in found) == sorted(FAMILIES)
    lost = []
    for rule in found:
        values = np.array(list(worth[rule.family].values()))
        own = worth[rule.family][rule.first][TURNS - 1 if rule.until is None else rule.until - 1]
        assert own == pytest.approx(values.max(), abs=1e-9)
        lost.append(-own)
    assert lost == sorted(lost)
    by = best_of_each(found)
    assert set(by) == {"deadwood", "unmatched", "both"} and found[0] in by.values()
    assert all(by[rule.by] == rule or lost[found.index(by[rule.by])] <= own for rule, own in zip(found, lost, strict=True))


def test_what_is_found_under_classic25(courses: Courses, chart: Chart) -> None:
    """One unmatched card: gin; more: knock until turn 8 or so; by deadwood 6 or more until then."""
    found = {rule.family: rule for rule in best_rules(courses, RULES, by_points(), chart.chances(courses))}
    assert found["unmatched"].first == 2 and found["unmatched"].until in {7, 8, 9}
    assert found["at least"].first in {5, 6, 7} and found["at least"].until in {6, 7, 8, 9}
    assert str(found["gin first"]) == "Go for gin."


def test_of_equals_the_one_with_fewer_numbers(courses: Courses) -> None:
    """Against one who knocks at once it is best to do so, whatever the turn: then no turn is named."""
    few = courses.part(0, 300)
    always = np.ones(len(few.rows), np.float32)
    found = {rule.family: rule for rule in best_rules(few, RULES, lambda *of: -np.ones(len(few.rows)), always)}
    assert found["unmatched"] == MemoryRule("unmatched", 2, None) and found["at least"] == MemoryRule("at least", 1, None)


@pytest.mark.parametrize("family", FAMILIES)
def test_sentences(family: str) -> None:
    seen = dict[str, np.ndarray]()
    for rule in rules_of(family):
        sentence, knock = str(rule), rule.chart.knock
        assert len(re.findall(r"\d+", sentence)) <= 2
        assert sentence[0].isupper() and sentence.endswith(".") and "  " not in sentence and "None" not in sentence
        assert np.array_equal(seen.setdefault(sentence, knock), knock)


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (("unmatched", 2, 8), "With one unmatched card go for gin; with two or more knock until turn 8."),
        (("unmatched", 3, None), "With one or two unmatched cards go for gin; with three or more knock as soon as you may."),
        (("at least", 6, 7), "Knock with 6 or more until turn 7, then go for gin."),
        (("at least", 1, None), "Knock as soon as you may."),
        (("at most", 4, None), "Knock with 4 or less."),
        (("gin first", 4, 9), "Go for gin until turn 9, then knock with 4 or less."),
        (("all, then few", 1, 6), "Knock as soon as you may until turn 6, then only with 1 or less."),
        (("above the turn", 1, 7), "Until turn 7 knock if your deadwood is above the number of your turn, then go for gin."),
        (("above the turn", -1, None), "Knock if your deadwood is at least the number of your turn less 1."),
        (("unmatched, at least", 3, 8), f"{ONE} with more knock with 3 points or more until turn 8, then go for gin."),
        (("unmatched, then few", 3, 8), f"{ONE} with more knock until turn 8, later only with 3 points or less."),
        (("two with few", 3, 8), f"{ONE} with two knock with 3 points or less; with three or more knock until turn 8."),
    ],
)  # fmt: skip
def test_in_words(rule: tuple[str, int, int | None], sentence: str) -> None:
    assert MemoryRule(*rule).sentence == sentence
