"""Knocking by the score: values against games followed plainly, charts against linear programs, forecasts against play."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ginsim import compare, save
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.games.catalog import Strategy
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.odds import game_odds
from ginsim.games.gin.players.known import SCORES
from ginsim.games.gin.rules import Rules
from ginsim.solving import scores as S
from ginsim.solving.advices import advice
from ginsim.solving.backward import backwards, result_codes, results, visited, work_back
from ginsim.solving.cells import Cells
from ginsim.solving.chart import Chart, rule
from ginsim.solving.game import KnockGame, by_points, outcomes
from ginsim.solving.judge import advantage
from ginsim.solving.payoffs import Stakes, level_of
from ginsim.solving.scores import CLASSES, ScoreCharts, class_of_score, forecast, score_charts
from ginsim.study import solve as study
from ginsim.study.recording import record
from ginsim.study.settings import built
from ginsim.study.solve import Solution, solve
from tests.oracle.scores import game_worth, hand_results
from tests.test_solving import matrix_value

TINY = Rules.parse(
    "classic25(ranks=4, suits=4, hand_size=3, gin_bonus=4, undercut_bonus=2, target=12, game_bonus=20, box_bonus=5)"
)
SHUTOUTS = ("none", "bonus_x2", "double_points", "double_total", "double_difference")
UNKNOWING = Cells.of("")


def tiny(**changes: object) -> Rules:
    """Rules of short hands and short games."""
    return TINY.replace(**changes)


@pytest.fixture(scope="module")
def hands() -> Courses:
    return record("threshold", tiny(), 3, 0, 300, workers=1)


@pytest.fixture(scope="module")
def eaai() -> Courses:
    return record("threshold", "eaai", 3, 0, 3000, workers=1)


@pytest.fixture(scope="module")
def charts(eaai: Courses) -> ScoreCharts:
    return score_charts(eaai, Rules.parse("eaai"), cells=Cells.of("unmatched"), workers=2)


def plain_results(courses: Courses, rules: Rules, chances: np.ndarray) -> list[tuple[float, int | None, int]]:
    """How hands end if each row knocks with its chance, by the plain twin."""
    winner, points = outcomes(courses, rules)
    rows = [(float(p), None if w < 0 else int(w), int(n)) for p, w, n in zip(chances, winner, points, strict=True)]
    return hand_results(rows[a:b] for a, b in itertools.pairwise(courses.starts))


def worth_everywhere(courses: Courses, rules: Rules, by: str, chart: Chart) -> np.ndarray:
    """What scores are worth if both knock by a chart at every score."""
    game = KnockGame.of(courses, chart.cells, rules, by_points())
    chances = results(game, result_codes(courses, rules), chart.knock.ravel(), rules.most_points + 1)
    stakes = Stakes.of(rules, by, chances[0])
    levels = np.arange(stakes.levels)
    worth = np.zeros((stakes.levels, stakes.levels, 2))
    work_back(backwards(levels, levels), np.zeros(worth.shape, np.int64), chances, stakes, worth)
    return worth


# --- values of scores -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("next_dealer", ["alternate", "loser", "winner"])
@pytest.mark.parametrize("by", ["games", "margin"])
def test_scores_are_worth_what_games_followed_plainly_come_to(hands: Courses, by: str, next_dealer: str) -> None:
    rules, chart = tiny(next_dealer=next_dealer), advice("knock with 4 or less")
    worth = worth_everywhere(hands, rules, by, chart)
    ends = plain_results(hands, rules, chart.chances(hands))
    for a, b, s in [(0, 0, 0), (0, 0, 1), (0, 7, 0), (7, 3, 1), (11, 11, 0)]:
        found = worth[level_of(a), level_of(b), s]
        expected = game_worth(lambda *of: ends, rules, by, (a, b), s)
        assert (0.5 + found / 100 if by == "games" else found) == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("shutout", SHUTOUTS)
@pytest.mark.parametrize("changes", [{}, {"tie": "knocker", "next_dealer": "loser"}, {"undercut_bonus": 0, "box_bonus": 0}])
def test_shutouts_and_hands_won_by_nothing_are_settled_as_the_rules_say(
    hands: Courses, shutout: str, changes: dict[str, object]
) -> None:
    rules, chart = tiny(shutout=shutout, **changes), advice("knock at once")
    courses = record("threshold", rules, 3, 0, 300, workers=1)
    ends = plain_results(courses, rules, chart.chances(courses))
    if changes:
        assert any(points == 0 and seat is not None for _, seat, points in ends)
    worth = worth_everywhere(courses, rules, "margin", chart)
    expected = [game_worth(lambda *of: ends, rules, "margin", (0, 0), s) for s in range(2)]
    assert worth[0, 0].mean() == pytest.approx(np.mean(expected), abs=1e-7)
    if shutout in ("none", "bonus_x2", "double_points") or not rules.box_bonus:  # scores tell all that counts
        assert worth[0, 0].tolist() == pytest.approx(expected, abs=1e-7)
        assert worth[0, 6, 0] == pytest.approx(game_worth(lambda *of: ends, rules, "margin", (0, 5), 0), abs=1e-7)


def test_chances_to_win_are_those_of_the_odds(hands: Courses) -> None:
    rules, chart = tiny(), advice("knock at once")
    worth = worth_everywhere(hands, rules, "games", chart)
    counts = np.zeros((2, 2, rules.target + 1))
    for chance, seat, points in plain_results(hands, rules, chart.chances(hands)):
        if seat is not None:
            for starter in range(2):
                counts[starter, starter ^ seat, min(points, rules.target)] += chance
    assert np.allclose(0.5 + S._told(worth, "games") / 100 - 0.005, 0.5 + (game_odds(counts, rules) - 0.5) / 100)


def test_how_often_games_get_to_scores(hands: Courses) -> None:
    rules, chart = tiny(), advice("knock at once")
    game = KnockGame.of(hands, chart.cells, rules, by_points())
    chances = results(game, result_codes(hands, rules), chart.knock.ravel(), rules.most_points + 1)
    stakes = Stakes.of(rules, "games", chances[0])
    visits = visited(np.zeros((stakes.levels, stakes.levels, 2), np.int64), chances, stakes)
    ends = [(chance, points) for chance, seat, points in plain_results(hands, rules, chart.chances(hands)) if seat is not None]
    total = sum(chance for chance, _ in ends)
    to_five = sum(chance for chance, points in ends if points == 5) / total
    assert visits[0, 0].tolist() == [0.5, 0.5]
    assert visits[6, 0].sum() + visits[0, 6].sum() >= to_five - 1e-12
    assert visits[1].sum() == visits[:, 1].sum() == 0  # nobody wins by nothing


# --- charts ---------------------------------------------------------------------------------------------------------------


def plain_pass(courses: Courses, rules: Rules) -> dict[tuple[int, int], float]:
    """Chance of the starter at every score, from the end backwards, a linear program at each; only turns are told apart."""
    game = KnockGame.of(courses, UNKNOWING, rules, by_points())
    cells = [np.unique(game.cell[(game.side == side) & (game.cell >= 0)]) for side in range(2)]
    plans = [list(itertools.product((0.0, 1.0), repeat=len(own))) for own in cells]
    ends = {}
    for k, m in itertools.product(range(len(plans[0])), range(len(plans[1]))):
        knock = np.zeros(UNKNOWING.size)
        knock[cells[0]], knock[cells[1]] = plans[0][k], plans[1][m]
        chances = np.where(game.cell < 0, 1.0, knock[game.cell])
        ends[k, m] = plain_results(courses, rules, chances)
    found: dict[tuple[int, int], float] = {}
    scores = itertools.product(range(rules.target), repeat=2)
    for a, b in sorted(scores, key=sum, reverse=True):
        value = 0.5
        for _ in range(25):  # a hand that nobody wins leads back here

            def after(seat: int | None, gain: int, a: int = a, b: int = b, value: float = value) -> float:
                if seat is None:
                    return value
                own, other = (a + gain, b) if seat == 0 else (a, b + gain)
                return 1.0 if own >= rules.target else 0.0 if other >= rules.target else 1.0 - found[other, own]

            means = {of: after(*of) for of in {(seat, gain) for ways in ends.values() for _, seat, gain in ways}}
            payoffs = np.zeros((len(plans[0]), len(plans[1])))
            for of, ways in ends.items():
                payoffs[of] = sum(chance * means[seat, gain] for chance, seat, gain in ways)
            value = matrix_value(payoffs)
        found[a, b] = value
    return found


def test_the_values_are_those_of_linear_programs_at_every_score() -> None:
    rules = tiny(max_turns=7, target=6)
    assert len({int(class_of_score(score, 6)) for score in range(6)}) == 6  # each score is a class of its own
    courses = record("threshold", rules, 3, 0, 400, workers=1)
    exact = plain_pass(courses, rules)
    found = score_charts(courses, rules, cells=UNKNOWING, sweeps=200).values[:, :, 0]
    assert {of: pytest.approx(value, abs=0.004) for of, value in exact.items()} == {of: found[of] for of in exact}
    assert np.ptp(list(exact.values())) > 0.2


def test_a_game_of_one_hand_is_won_by_who_wins_the_hand(eaai: Courses) -> None:
    rules, cells = Rules.parse("eaai(target=1)"), Cells.of("unmatched")
    chart = score_charts(eaai, rules, cells=cells, sweeps=100).at(0, 0)

    def by_hands(winner: np.ndarray, points: np.ndarray, courses: Courses) -> np.ndarray:
        return np.select([winner == 0, winner == 1], [1.0, -1.0], 0.0)

    game = KnockGame.of(eaai, cells, rules, by_hands)
    other = S.learn(game).mean
    gain = advantage(game, chart.chances(eaai), Chart(cells, other.reshape(cells.shape)).chances(eaai))
    assert abs(gain.value) < 0.003
    bad = advantage(game, chart.chances(eaai), rule(lambda turn, **known: turn < 0).chances(eaai))
    assert bad.value > 0.05  # where only winning counts, playing for gin is a mistake


def test_the_margin_of_a_game_of_one_hand_without_bonuses_is_its_points(eaai: Courses) -> None:
    rules, cells = Rules.parse("eaai(target=1)"), Cells.of("unmatched")
    found = score_charts(eaai, rules, "margin", cells, sweeps=100)
    game = KnockGame.of(eaai, cells, rules, by_points())
    gain = advantage(game, found.at(0, 0).chances(eaai), found.blind.chances(eaai))
    assert abs(gain.value) < 0.03
    assert found.stakes.end.max() == 0


def test_both_players_are_alike_and_a_lead_is_worth_something(charts: ScoreCharts) -> None:
    values = charts.values
    assert np.abs(values[:, :, 0] + values[:, :, 1].T - 1).max() < 1e-12
    steps = np.diff(values, axis=0)
    assert steps.min() > -0.004 and np.mean(steps > 0) > 0.99
    assert np.diff(values, axis=1).max() < 0.004
    assert values[99, 0].min() > 0.9 > 0.1 > values[0, 99].max()


def test_near_the_end_the_lead_changes_the_knock(charts: ScoreCharts, eaai: Courses) -> None:
    even, gin_wins = charts.judged(0, 0, eaai), charts.judged(75, 90, eaai)
    leads, both = charts.judged(95, 50, eaai), charts.judged(99, 99, eaai)
    assert max(S.gin_from(gin_wins)) < min(S.gin_from(even)) < min(S.gin_from(leads)) < min(S.gin_from(both))
    table = charts.table({(0, 0): even, (75, 90): gin_wins})
    assert table["gin_from"].tolist() == [*S.gin_from(even), *S.gin_from(gin_wins)]
    assert table["value"].tolist() == [*charts.values[0, 0], *charts.values[75, 90]]
    assert table["least"].isna().all()  # these charts do not know the deadwood


def test_charts_do_not_depend_on_the_number_of_workers(eaai: Courses) -> None:
    rules = Rules.parse("eaai(target=30)")
    few = eaai.part(0, 300)
    one, two = (score_charts(few, rules, "margin", UNKNOWING, workers=workers) for workers in (1, 2))
    assert one.text() == two.text()
    assert one.forecast(few, workers=1).start == one.forecast(few, workers=2).start
    seen: list[tuple[int, int]] = []
    score_charts(few, rules, cells=UNKNOWING, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1][0] == seen[-1][1] == len({int(class_of_score(score, 30)) for score in range(30)}) ** 2


def test_charts_are_kept(charts: ScoreCharts, tmp_path: Path) -> None:
    again = ScoreCharts.of_text(charts.text())
    assert again == charts and again.at(96, 3) == charts.at(96, 3)
    assert np.allclose(again.values, charts.values, atol=1e-7)
    for change in ({"by": "points"}, {"worth": [1.0]}, {"hands": []}, {"rules": None}, {"scores": [50]}, {"cell": [-1]}):
        with pytest.raises(InputError, match="chart"):
            ScoreCharts.of_facts(charts.facts() | change)
    with pytest.raises(InputError, match="for every two scores, not one"):
        Chart.of_text(charts.text())
    with pytest.raises(InputError, match="no charts by the score"):
        ScoreCharts.of_text(charts.blind.text())
    facts = charts.facts()
    del facts["blind"]
    with pytest.raises(InputError, match="chart"):
        ScoreCharts.of_facts(facts)


@pytest.mark.parametrize(
    ("spec", "by", "words"),
    [("hollywood", "games", "Hollywood"), ("eaai(target=2000)", "games", "target=2000"), ("eaai", "points", "no 'points'")],
)
def test_what_is_refused(eaai: Courses, spec: str, by: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        score_charts(eaai.part(0, 50), Rules.parse(spec), by, UNKNOWING)


def test_other_things_that_are_refused(eaai: Courses, charts: ScoreCharts) -> None:
    rules = Rules.parse("eaai")
    with pytest.raises(InputError, match="one strategy"):
        score_charts(Courses(eaai.rows, 2), rules)
    with pytest.raises(InputError, match="more deals"):
        score_charts(Courses(eaai.rows[eaai.rows["final"] > 0][eaai.side[eaai.rows["final"] > 0] == 0]), rules, cells=UNKNOWING)
    with pytest.raises(InputError, match="by the score at most"):
        score_charts(eaai.part(0, 50), rules, cells=Cells.of("deadwood, unmatched, limit"))
    with pytest.raises(InputError, match="own: 100"):
        charts.at(100, 0)


# --- forecasts and play ---------------------------------------------------------------------------------------------------


def test_who_knows_the_score_wins_more_games(charts: ScoreCharts, eaai: Courses) -> None:
    found = charts.forecast(eaai, workers=2)
    assert found.start.low > 0.5
    assert found.values[0, 0].mean() == pytest.approx(found.start.value)
    assert found.gain[95, 50].min() > 0.005 and abs(found.gain[0, 0].mean() - found.start.value + 0.5) < 1e-9
    assert forecast(charts, charts, eaai, charts.rules).start.value == pytest.approx(0.5)
    assert forecast(charts.blind, charts, eaai, charts.rules).start.value == pytest.approx(1 - found.start.value)


PLAYED = [("knock at once", "threshold(knock=10)"), ("knock with 4 or less", "threshold(knock=4)")]


@pytest.mark.parametrize("spec", ["eaai", "classic25", "pagat"])
def test_games_of_fixed_rules_come_out_as_forecast(spec: str) -> None:
    rules = Rules.parse(spec)
    courses = record("threshold", rules, 1, 0, 20_000, workers=2)
    (mine, own), (yours, theirs) = PLAYED
    played = compare(own, theirs, rules, deals=100, games=4000, seed=9, workers=2)
    for by, seen in [("games", played.games_won), ("margin", played.margin_per_game)]:
        told = forecast(advice(mine), advice(yours), courses, rules, by).start
        reach = np.hypot(told.high - told.low, seen.high - seen.low) / 2
        assert abs(told.value - seen.value) < 1.3 * reach


def test_the_chance_from_a_score_is_that_of_a_shorter_game(eaai: Courses) -> None:
    (mine, own), (yours, theirs) = PLAYED
    told = forecast(advice(mine), advice(yours), record("threshold", "eaai", 1, 0, 20_000, workers=2), Rules.parse("eaai"))
    for left in (10, 40):
        seen = compare(own, theirs, f"eaai(target={left})", deals=100, games=4000, seed=9, workers=2).games_won
        assert seen.low - 0.004 < told.values[100 - left, 100 - left].mean() < seen.high + 0.004


# --- the study ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved() -> Solution:
    return solve("threshold", "eaai(target=30)", by="games", knows="unmatched", scores="25:10, 10:25", deals=1000, workers=2)


def test_the_study_tells_of_scores(solved: Solution) -> None:
    assert list(solved.at_scores) == [(25, 10), (10, 25)] and solved.unit == "hundredths of a game"
    assert solved.by_score is not None and np.array_equal(solved.by_score.at(0, 0).knock, solved.chart.knock)
    assert solved.scores()["own"].tolist() == [0, 0, 25, 25, 10, 10]
    assert set(solved.at_scores_table()["own"]) == {25, 10}
    share = solved.figure("score")
    assert 0.4 < share.low < share.high < 0.6 and f"{100 * share.value:.2f} %" in solved.verdict()
    assert "solved for the chance to win the game at 0 to 0" in solved.verdict()
    worth = 100 * (solved.by_score.values[0, 0, 0] - 0.5)
    assert abs(solved.value.value - worth) < 4 * solved.value.se
    assert solved.advantage(solved.chart).value == 0
    assert solved.figure("chart - never knock before gin").value == pytest.approx(solved.advantage("threshold(knock=0)").value)


def test_the_margin_is_told_in_points() -> None:
    found = solve("threshold", tiny(), by="margin", knows="", deals=200, workers=1)
    assert "points of the margin" in found.verdict()
    assert ") from one who knocks by the chart for points and boxes" in found.verdict()
    assert len(found.scores()) == 2 * (1 + len(found.at_scores))
    replied = solve("threshold", "eaai(target=10)", against="threshold(knock=0)", by="games", knows="", deals=300, workers=1)
    assert replied.figure("reply").value >= replied.figure("reply safe").low and replied.reply is not None


def test_solved_scores_are_saved_loaded_and_played(solved: Solution, tmp_path: Path) -> None:
    folder = save(solved, tmp_path / "out")
    assert load_results(folder) == solved
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "## The score" in page and "### At 25 to 10" in page and "hundredths of a game" in page and "$" not in page
    assert {"scores.csv", "at_scores.csv"} <= {path.name for path in folder.iterdir()}
    assert 'scores=["25:10", "10:25"]' in json.loads((folder / "manifest.json").read_text())["command"]
    assert solved.by_score is not None
    own = solved.by_score.save(tmp_path / "own.json")
    first, second = (Strategy.parse(f'threshold(stop=chart, chart="{path}")', "gin") for path in (own, folder / "tallies.json"))
    assert first.params == second.params
    assert np.array_equal(first.params[-solved.by_score.knock.size :], solved.by_score.knock.ravel())


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"by": "points", "scores": ["5:0"]}, "scores: they do not count when by is points; give by games or margin"),
        ({"by": "games", "scores": ["5-0"]}, "scores: '5-0' is not a score; give own:other, each from 0 to 99"),
        ({"by": "games", "scores": ["5:100"]}, "scores: '5:100' is not a score"),
        ({"by": "games", "rules": "hollywood"}, "rules: in a Hollywood match"),
        ({"by": "margin", "rules": "classic25(target=5000)"}, "not to target=5000"),
        ({"by": "games", "rules": "oklahoma", "knows": ["deadwood", "unmatched", "limit"]}, "by the score at most"),
    ],
)
def test_settings_that_are_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as refused:
        built("solve", strategy="threshold", **more)
    assert words in str(refused.value)


def test_scores_that_were_changed(solved: Solution, tmp_path: Path) -> None:
    facts = json.loads(study._text(solved))
    scores = [f"{own}:{other}" for own, other in solved.at_scores]
    manifest: Any = SimpleNamespace(
        strategies=["threshold"], by="games", scores=scores, played=solved.rules, seeds=0, deals=1000, checks=1000
    )
    assert study._rebuilt(tmp_path, manifest, study.SolveSums.model_validate(facts)) == solved
    for change in ({"by_score": None}, {"at_scores": {}}, {"by_score": facts["by_score"] | {"scores": [1]}}):
        with pytest.raises(InputError, match=r"by the score|scores must be"):
            study._rebuilt(tmp_path, manifest, study.SolveSums.model_validate(facts | change))
    manifest.by = "points"
    with pytest.raises(InputError, match="by the score"):
        study._rebuilt(tmp_path, manifest, study.SolveSums.model_validate(facts))


# --- charts by the score as strategies ------------------------------------------------------------------------------------


def saved(path: Path, knock: np.ndarray) -> str:
    """A strategy that knocks by charts for every two scores, told apart by nothing but seat and turn."""
    kept = np.flatnonzero(knock.ravel())
    facts = {"known": [], "scores": list(SCORES), "cell": kept.tolist(), "knock": knock.ravel()[kept].tolist()}
    path.write_text(json.dumps(facts))
    return f'threshold(stop=chart, chart="{path.as_posix()}")'


def test_charts_alike_at_all_scores_play_as_one_chart(tmp_path: Path, charts: ScoreCharts) -> None:
    (tmp_path / "one.json").write_text(Chart(charts.cells, charts.blind.knock).text())
    alike = np.broadcast_to(charts.blind.knock, charts.knock.shape)
    facts = charts.facts() | {"cell": np.flatnonzero(alike.ravel()).tolist(), "knock": alike.ravel()[alike.ravel() > 0].tolist()}
    (tmp_path / "all.json").write_text(json.dumps(facts))
    one, every = (f'threshold(stop=chart, chart="{(tmp_path / name).as_posix()}")' for name in ("one.json", "all.json"))
    first, second = (compare(own, "threshold(knock=4)", "eaai", deals=50, games=50, workers=1) for own in (one, every))
    assert first.summary().equals(second.summary())


@pytest.mark.parametrize("spec", ["eaai", "eaai(target=37)"])
def test_games_by_the_score_come_out_as_forecast(tmp_path: Path, spec: str) -> None:
    """Knock at once when ahead, else never: what is played is what is worked out."""
    rules = Rules.parse(spec)
    knock = np.zeros((CLASSES, CLASSES, *UNKNOWING.shape))
    for own, other in itertools.product(range(CLASSES), repeat=2):
        knock[own, other] = own > other
    courses = record("threshold", rules, 1, 0, 20_000, workers=2)
    blind = Chart(UNKNOWING, np.ones(UNKNOWING.shape))
    hands = np.ones(3 + 2 * rules.most_points)
    by_score = ScoreCharts(rules, "games", UNKNOWING, knock, blind, hands, np.zeros((rules.target + 1, rules.target + 1, 2)))
    worked_out = by_score.forecast(courses, advice("knock at once"))
    told = worked_out.start
    played = compare(saved(tmp_path / "x.json", knock), "threshold(knock=10)", rules, deals=100, games=6000, seed=4, workers=2)
    seen = played.games_won
    assert abs(told.value - seen.value) < 1.3 * np.hypot(told.high - told.low, seen.high - seen.low) / 2
    never = forecast(advice("never knock before gin"), advice("knock at once"), courses, rules)
    assert np.abs(worked_out.values - never.values).max() > 0.02  # the score does matter


def test_a_single_hand_is_played_at_nothing_to_nothing(tmp_path: Path) -> None:
    knock = np.zeros((CLASSES, CLASSES, *UNKNOWING.shape))
    knock[0, 0] = 1
    spec = saved(tmp_path / "x.json", knock)
    found = compare(spec, "threshold(knock=10)", "eaai", deals=200, workers=1)
    assert found.points_per_hand.value == 0  # it knocks at once, as the other does


def test_damaged_charts_by_the_score(tmp_path: Path) -> None:
    knock = np.ones((CLASSES, CLASSES, *UNKNOWING.shape))
    spec = saved(tmp_path / "x.json", knock)
    assert Strategy.parse(spec, "gin")
    facts = json.loads((tmp_path / "x.json").read_text())
    for change in ({"scores": [1, 2]}, {"scores": None}, {"cell": [knock.size, *facts["cell"][1:]]}):
        (tmp_path / "x.json").write_text(json.dumps(facts | change))
        with pytest.raises(InputError, match="is not a chart"):
            Strategy.parse(spec, "gin")
