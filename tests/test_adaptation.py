"""What rules change once players adapt: the counting, against a plain twin and against play; the study, and how it is kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.games.base import HANDS
from ginsim.games.gin import records as H
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.game import GIN
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import NORMAL
from ginsim.report import plots
from ginsim.report.folder import save_result
from ginsim.report.sheets import sheet_of
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.play import Work, session
from ginsim.solving.adapting import AFTER, BEFORE, FIGURES, KNOWS, MOST, hand_figures, last_turn
from ginsim.solving.cells import TURNS, Cells
from ginsim.solving.chart import Chart
from ginsim.solving.game import by_points
from ginsim.solving.solved import equilibrium
from ginsim.study import adaptation
from ginsim.study.adaptation import MEASURES, Adaptation, AdaptationExperiment
from ginsim.study.recording import check_solvable, record
from ginsim.study.settings import built
from tests.helpers import Stop
from tests.oracle import adapting as twin

ROOT = Path(__file__).parent.parent
VARIANTS = ["(gin_bonus=0, undercut_bonus=40)", "(undercut_bonus=0)", "(knock_limit=5)", "oklahoma"]
X, Y = ("gin_bonus", [10, 25]), ("undercut_bonus", [0, 25, 40])
SMALL: dict[str, Any] = {"deals": 600, "seed": 3}


@pytest.fixture(scope="module")
def found() -> Adaptation:
    result: Adaptation = ginsim.effect("classic25", VARIANTS, ["threshold", "simple"], **SMALL, workers=2, adapt="knock")
    return result


@pytest.fixture(scope="module")
def plane() -> Adaptation:
    result: Adaptation = ginsim.rule_map(X, Y, ["threshold"], **SMALL, workers=2, adapt="knock")
    return result


def hands_of(courses: Courses) -> list[twin.Hand]:
    """Courses as lists of rows in plain Python."""
    rows = [dict(zip(courses.rows.dtype.names, row.tolist(), strict=True)) for row in courses.rows]
    return [rows[a:b] for a, b in zip(courses.starts[:-1], courses.starts[1:], strict=True)]


@pytest.mark.parametrize(
    "rules",
    ["classic25", "oklahoma(gin_bonus=7)", "classic25(big_gin_bonus=31, tie=push)", "classic25(knock_limit=30, undercut_bonus=3)",
     "eaai(spades_double=true, stock_end=last_discard)"],
)  # fmt: skip
def test_the_counting_is_that_of_a_plain_twin(rules: str) -> None:
    of, courses = Rules.parse(rules), record("threshold", rules, 5, 0, 250, workers=1)
    cells = Cells.of("deadwood, unmatched")
    chart = Chart(cells, np.random.default_rng(1).random(cells.shape).round(2) ** 3)
    knock = chart.chances(courses)
    hands = hands_of(courses)
    at = {id(row): float(p) for row, p in zip((row for hand in hands for row in hand), knock, strict=True)}

    def chance(row: dict[str, int]) -> float:
        return at[id(row)]

    plain = [twin.figures(hand, of, chance) for hand in hands]
    values = hand_figures(courses, of, knock)
    for name, own in zip(FIGURES, values, strict=True):
        assert own == pytest.approx([hand[name] for hand in plain], abs=1e-5), name
    assert list(last_turn(courses, knock)) == twin.last_turn(hands, chance, MOST, TURNS, NORMAL)


def test_the_turn_of_the_last_knocks_is_not_moved_by_a_few() -> None:
    courses = record("threshold", "classic25", 5, 0, 400, workers=1)
    turn = courses.rows["turn"]
    early, late = (np.where(turn <= 6, 1.0, chance).astype(np.float32) for chance in (0.0, 0.002))
    assert last_turn(courses, np.zeros(len(turn), np.float32)) == (0, 0, 0)
    assert last_turn(courses, early)[2] <= 6 and abs(last_turn(courses, late)[0] - last_turn(courses, early)[0]) <= 1


def test_a_mean_of_turns_has_the_mean_of_their_ends(found: Adaptation) -> None:
    of_both = [found.level(1, "last", strategy=k) for k in (0, 1)]
    mean = found.level(1, "last")
    for end in ("value", "low", "high"):
        assert getattr(mean, end) == np.mean([getattr(e, end) for e in of_both])


@pytest.mark.parametrize("rules", ["classic25", "classic25(undercut_bonus=5)", "oklahoma"])
def test_forecast_and_play_agree(rules: str, tmp_path: Path) -> None:
    """What is worked out of hands by a chart, and hands that are played by it."""
    of = Rules.parse(rules)
    chart = equilibrium(record("threshold", rules, 3, 0, 3000), None, Cells.of(KNOWS), of, by_points())
    checks = record("threshold", rules, 3, 3000, 3000)
    forecast = dict(zip(FIGURES, hand_figures(checks, of, chart.chances(checks)), strict=True))
    spec = f'threshold(stop=chart, chart="{chart.save(tmp_path / "chart.json")}")'
    player = Strategy.parse(spec)
    hands = np.concatenate(list(session(Work((player, player), of, 9, HANDS, 0, 3000)).blocks(0, 3000)))[::2]  # both are the same
    winner, ending = hands[:, H.WINNER], np.array(H.ENDINGS)[hands[:, H.ENDING]]
    points = np.where(winner < 0, 0, hands[:, H.POINTS])
    played = {
        "knocked": np.isin(ending, ["knock", "undercut", "push"]), "undercut": ending == "undercut",
        "gin": np.isin(ending, ["gin", "big_gin"]), "nobody": np.isin(ending, ["dead", "stalled", "push"]), "points": points,
        "value": np.where(winner == hands[:, H.STARTER], points, -points),
    }  # fmt: skip
    for name, values in played.items():
        own, theirs = forecast[name], np.asarray(values, float)
        error = np.hypot(own.std() / len(own) ** 0.5, theirs.std() / len(theirs) ** 0.5)
        assert abs(own.mean() - theirs.mean()) < 3.5 * error, name


def test_what_is_told(found: Adaptation) -> None:
    assert (found.deals, found.checks, found.hand_count) == (600, 600, 2 * 3 * 1200)  # bonuses have the base's courses
    table = found.table()
    assert len(table) == len(VARIANTS) * len(MEASURES)
    same = table["measure"].isin(["knocked", "gin", "undercut", "nobody", "turn"])
    first = table[same & table["variant"].str.contains("bonus")]
    assert (first["change_before"] == 0).all()  # who does not adapt plays the same hands
    low, high = (found.level(rule, "knocked") for rule in (1, 2))
    assert low.high < found.level(0, "knocked").low and found.level(0, "knocked").high < high.low
    for rule in range(1, 1 + len(VARIANTS)):
        for measure in MEASURES:
            before, after = (found.change(rule, measure, when).value for when in (BEFORE, AFTER))
            assert found.adapting(rule, measure).value == pytest.approx(after - before, abs=1e-5)
            level = found.level(rule, measure).value - found.level(0, measure).value
            assert after == pytest.approx(level, abs=1e-5)
            both = [found.level(rule, measure, strategy=k).value for k in (0, 1)]
            assert found.level(rule, measure).value == pytest.approx(np.mean(both))
    assert found.gain(2).low > 0
    assert "share only 600 deals, so part of it is chance" in found.verdict() and found.verdict() in str(found)


def test_the_base_is_solved_as_by_itself(found: Adaptation) -> None:
    solved = ginsim.solve("threshold", "classic25", **SMALL, workers=1)
    assert found.level(0, "value", strategy=0).value == pytest.approx(solved.value.value, rel=1e-5)
    assert found.level(0, "value", strategy=0).se == pytest.approx(solved.value.se, rel=1e-5)
    limit = ginsim.solve("threshold", "classic25(knock_limit=5)", **SMALL, workers=1)
    assert found.level(3, "value", strategy=0).value == pytest.approx(limit.value.value, rel=1e-5)


def test_a_cell_of_a_map_that_is_the_base(plane: Adaptation) -> None:
    cell = 1 + 1 * 2 + 1
    assert plane.variants[cell - 1] == "classic25" == plane.base
    for measure in set(MEASURES) - {"last"}:
        assert plane.change(cell, measure).value == plane.change(cell, measure, BEFORE).value == 0
    assert plane.gain(cell).value == 0
    knocked = plane.plane("knocked")
    assert knocked.shape == (3, 2) and (np.diff(knocked, axis=0) < 0).all()
    assert plane.hand_count == 1200  # one recording serves all


def test_bonuses_need_no_courses_of_their_own(plane: Adaptation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adaptation, "_blind", lambda strategy: False)
    apart: Adaptation = ginsim.rule_map(X, Y, ["threshold"], **SMALL, workers=1, adapt="knock")
    assert apart.hand_count == 6 * 1200  # the base is one of the cells
    assert apart.figures == plane.figures


@pytest.mark.parametrize("discard", [d.name for d in GIN.repertoire.decisions.values() if d.kind == "discard"])
def test_shipped_draws_and_discards_do_not_look_at_bonuses(discard: str) -> None:
    for draw in [d.name for d in GIN.repertoire.decisions.values() if d.kind == "draw"]:
        try:
            strategy = Strategy.parse(f"custom(draw={draw}, discard={discard}, stop=threshold)")
            check_solvable(strategy, Rules.parse("eaai"))
        except InputError:
            continue
        low, high = (f"classic25(gin_bonus={a}, undercut_bonus={b}, big_gin_bonus={c})" for a, b, c in ((0, 50, 0), (90, 1, 99)))
        rows = [record(strategy, rules, 2, 0, 15, workers=1).rows for rules in (low, high)]
        assert np.array_equal(*rows), draw


def test_a_strategy_of_the_users_own_is_recorded_under_each_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = (Path(__file__).parent / "data" / "strategies.py").read_text(encoding="utf-8")
    (tmp_path / "own.py").write_text(source, encoding="utf-8")
    name = next(line.split()[0] for line in source.splitlines() if "= Strategy." in line)
    study = built("effect", variants=["(gin_bonus=0)"], strategies=[f"own.py:{name}"], deals=100, adapt="knock")
    assert len(study.works()) == 4
    again = built("effect", variants=["(gin_bonus=0)"], strategies=["champion"], deals=100, adapt="knock")
    assert len(again.works()) == 2


def test_the_same_for_any_number_of_workers(found: Adaptation) -> None:
    again = ginsim.effect("classic25", VARIANTS, ["threshold", "simple"], **SMALL, workers=1, adapt="knock")
    assert again == found


def test_it_is_saved_and_loaded(found: Adaptation, plane: Adaptation, tmp_path: Path) -> None:
    for number, result in enumerate((found, plane)):
        folder = ginsim.save(result, tmp_path / str(number))
        again = load_results(folder)
        assert again == result and again.verdict() == result.verdict()
        page = (folder / "report.md").read_text(encoding="utf-8")
        assert page.count("## How it was played") == 1 and "$" not in page and "[maps]" not in page
        assert ("## Before players adapt" in page) == (number == 0) and ("## Value of the start" in page) == (number == 1)
        for name in ("adapting",) if number == 0 else ("map_knocked", "map_last", "map_value"):
            assert (folder / f"{name}.png").exists() and f"({name}.png)" in page
        command = json.loads((folder / "manifest.json").read_text())["command"]
        call = command.removeprefix("python -c 'import ginsim; ginsim.save(").removesuffix(', "result")\'')
        assert 'adapt="knock"' in call and eval(call, {"ginsim": ginsim}) == result
        assert sheet_of(result).console()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda f: f["0-1"].pop("gain"), "0-1: figure gain is missing"),
        (lambda f: f.pop("1-2"), "rule 1-2 is missing"),
        (lambda f: f["0-0"].update({"before gin": [1.5, 0.1, 600]}), "before gin: 1.5, 0.1, 600 is impossible"),
        (lambda f: f["0-0"].update({"before gin": [0.5, -0.1, 600]}), "before gin: 0.5, -0.1, 600 is impossible"),
        (lambda f: f["0-0"].update({"before gin": [0.5, 0.1, 7]}), "before gin: 0.5, 0.1, 7 is impossible"),
        (lambda f: f["0-0"].update({"before last": [5.0, 6.0, 7.0]}), "before last: 5, 6, 7 is impossible"),
    ],
)  # fmt: skip
def test_a_result_that_was_changed(change: Callable[[Any], Any], words: str, found: Adaptation, tmp_path: Path) -> None:
    import hashlib

    folder = ginsim.save(found, tmp_path)
    path = folder / "tallies.json"
    sums = json.loads(path.read_text())
    change(sums["figures"])
    path.write_text(json.dumps(sums))
    with pytest.raises(InputError, match="is damaged or was changed"):
        load_results(folder)
    facts = json.loads((folder / "manifest.json").read_text())
    facts["tallies_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(facts))
    with pytest.raises(InputError) as refused:
        load_results(folder)
    assert words in str(refused.value)


def test_pictures(found: Adaptation, plane: Adaptation) -> None:
    from matplotlib.figure import Figure

    ax = plots.adapting(found)
    assert len(ax.figure.axes) == 6 and len(ax.get_yticks()) == len(VARIANTS)
    assert ginsim.plot(found, ax := Figure().subplots()) is ax
    for measure in MEASURES:
        ax = plots.adapting_map(plane, measure)
        assert ax.get_xlabel() == "gin_bonus (points)" and plane.widest(measure) in ax.get_title(loc="left")
    levels = [plane.level(rule, "value") for rule in range(1, 1 + len(plane.variants))]
    assert plane.widest("value") == f"each at most ± {max(e.high - e.value for e in levels):.3f}"
    turns = [plane.level(rule, "last") for rule in range(1, 1 + len(plane.variants))]
    down = round(max(e.value - e.low for e in turns))
    assert f"reach at most {down} turn{'' if down == 1 else 's'} down" in plane.widest("last")
    with pytest.raises(InputError, match="measure: did you mean 'knocked'"):
        plots.adapting_map(plane, "knock")
    with pytest.raises(InputError, match="not a map"):
        plots.adapting_map(found)


def settings(**more: Any) -> dict[str, Any]:
    return {"kind": "effect", "adapt": "knock", "variants": VARIANTS[1:3], "strategies": ["threshold"], "deals": 400} | more


def a_map(**more: Any) -> dict[str, Any]:
    axes = {name: {"field": of, "values": values} for name, (of, values) in (("x", X), ("y", Y))}
    return {"kind": "map", "adapt": "knock", "strategies": ["threshold"], "deals": 400} | axes | more


@pytest.mark.parametrize("given", [settings(), a_map()], ids=["effect", "map"])
def test_it_is_resumed(given: dict[str, Any], tmp_path: Path) -> None:
    study = built(**given)
    whole = run_experiment(study, tmp_path / "whole", save_result, 1)
    with pytest.raises(Interrupted):
        run_experiment(study, tmp_path / "cut", save_result, 1, Stop())
    assert "resume with" in str(status(tmp_path / "cut")) and (tmp_path / "cut" / "courses").is_dir()
    assert resume(tmp_path / "cut", save_result, 1) == whole
    assert not (tmp_path / "cut" / "courses").exists() and status(tmp_path / "cut").finished


@pytest.mark.parametrize("given", [settings(), a_map()], ids=["effect", "map"])
def test_parts_are_merged(given: dict[str, Any], tmp_path: Path) -> None:
    whole = run_experiment(built(**given), tmp_path / "whole", save_result, 1)
    folders = [tmp_path / "1", tmp_path / "2"]
    for number, folder in enumerate(folders, 1):
        part = run_experiment(built(**given, part=f"{number}/2"), folder, save_result, 1)
        assert (part.deals, part.checks) == (200, 200) and (folder / "courses").is_dir()
    assert load_results(ginsim.merge(folders, tmp_path / "merged")) == whole
    run_experiment(built(**given, seed=8), tmp_path / "other", save_result, 1)
    both = load_results(ginsim.merge([tmp_path / "whole", tmp_path / "other"], tmp_path / "both"))
    assert (both.deals, both.checks, both.seed) == (800, 800, (0, 8))


def test_other_studies_are_not_merged(tmp_path: Path) -> None:
    run_experiment(built(**settings()), tmp_path / "a", save_result, 1)
    run_experiment(built(**settings(seed=1, variants=["(knock_limit=4)"])), tmp_path / "b", save_result, 1)
    with pytest.raises(InputError, match="variants differs"):
        ginsim.merge([tmp_path / "a", tmp_path / "b"], tmp_path / "none")
    with pytest.raises(InputError, match="holds the result of another study"):
        run_experiment(built(**settings(seed=2)), tmp_path / "a", save_result, 1)
    with pytest.raises(InputError, match="hands: the hands of an adaptation are not kept"):
        run_experiment(built(**settings()), tmp_path / "c", save_result, 1, keep_hands=True)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (settings(adapt="draw"), "adapt: 'draw' is not allowed; give 'knock'"),
        (settings(games=5), "games: 5 is not allowed; where the knock is adapted, no games are played"),
        (settings(variants=["(knock_limit=0)"]), "variants: straight allows no knock before gin"),
        (settings(rules="straight", variants=["classic25"]), "rules: straight allows no knock before gin"),
        (settings(strategies=["rollout"]), "the knock of rollout cannot be solved"),
        (settings(strategies=["threshold", "threshold(knock=4)"]), "threshold(knock=4) draws and discards as threshold does"),
        (settings(strategies=["threshold", "threshold"]), "strategies: "),
        (settings(strategies=[]), "strategies: needs at least 1"),
        (settings(variants=[]), "variants: none given"),
        (settings(variants=["(gin_bonus=25)"]), "is the base itself"),
        (settings(variants=["(gin_bonu=25)"]), "did you mean 'gin_bonus'"),
        (settings(rules="house", variants=["(players=2)"], strategies=["expert"]), "the table game, which has no knock to solve"),
        (settings(deals=10), "deals: 10 is not allowed; give a whole number from 100"),
        (settings(luck=1), "there is no key 'luck' in an adaptation experiment"),
        (settings(until={}), "there is no key 'until' in an adaptation experiment"),
        (settings(x={"field": "gin_bonus", "values": [1, 2]}), "variants: a map has x and y instead"),
        (a_map(y=None), "y: none given; an effect needs variants, a map needs x and y"),
        (a_map(x={"field": "knock_limit", "values": [0, 5]}), "x or y: straight"),
        (a_map(y={"field": "gin_bonus", "values": [0, 5]}), "y: 'gin_bonus' is already on the other axis"),
        (a_map(x={"field": "tie", "values": [0, 5]}), "x: 'tie' is not a rule field with numbers"),
        (a_map(strategies=[]), "strategies: needs at least 1"),
        (a_map(adapt=None), "strategies: needs at least 2; 1 given"),
    ],
)  # fmt: skip
def test_what_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        built(**given)
    assert words in str(refused.value)


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text('kind = "effect"\nadapt = "knock"\nstrategies = ["threshold"]\nvariants = ["(gin_bonus=0)"]\ngames = 3\n')
    with pytest.raises(InputError, match=r"study.toml: games: 3 is not allowed"):
        load_experiment(file)
    study = load_experiment(file, deals=500, games=0)
    assert isinstance(study, AdaptationExperiment) and [work.count for work in study.works()] == [500, 500]
    assert load_experiment(file, games=0).deals == 100_000


@pytest.mark.parametrize("name", ["bonus_plane", "adapted_effects"])
def test_a_shipped_experiment(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = load_experiment(ROOT / "experiments" / f"{name}.toml", deals=100)
    monkeypatch.setattr(adaptation, "_groups", lambda rules, strategy: [list(range(len(rules)))])  # quicker, and wrong
    result = run_experiment(study, tmp_path, save_result, command="ginsim run it")
    page = (tmp_path / "report.md").read_text()
    assert page.startswith(f"# {study.title}\n\n{study.question}\n\n**Answer.** ") and "ginsim run it" in page
    assert load_results(tmp_path) == result
    if name == "bonus_plane":
        assert [(of, values[0], values[-1]) for of, values in result.axes] == [("gin_bonus", 0, 50), ("undercut_bonus", 0, 50)]


def command(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, result.output


def test_commands(tmp_path: Path, plane: Adaptation) -> None:
    more = ("--adapt", "knock", "--deals", "200", "--quiet")
    code, text = command("effect", "classic25", "(undercut_bonus=0)", "--strategies", "threshold", *more)
    assert code == 0 and "What adapting changes" in text, text
    of = ("map", "gin_bonus=10,25", "undercut_bonus=0, 25,40", "--strategies", "threshold", "--seed", "3", "--quiet")
    code, text = command(*of, "--adapt", "knock", "--deals", "600", "--out", str(tmp_path / "map"))
    assert code == 0 and "Own turn by which 95 % of the knocks are made" in text, text
    assert load_results(tmp_path / "map") == plane
    code, text = command(*of[:4], "threshold(knock=0), threshold", "--deals", "20", "--quiet")
    assert code == 0 and "Best strategy" in text
    for wrong, words in (
        (("effect", "classic25", "oklahoma", "--adapt", "knock", "--games", "7"), "games: 7 is not allowed"),
        (("effect", "classic25", "oklahoma", "--adapt", "all"), "adapt: 'all' is not allowed; give 'knock'"),
        (("effect", "classic25", "oklahoma", "--adapt", "knock", "--until", "decided"), "--until"),
        (("effect", "house", "(players=2)", "--strategies", "expert", "--adapt", "knock"), "which has no knock to solve"),
        (("map", "gin_bonus=1,x", "undercut_bonus=0,5", "--strategies", "threshold"), "x: 'gin_bonus=1,x' is not allowed; give"),
        (("map", "gin_bonus=1,2", "undercut_bonus=0,5", "--strategies", "threshold"), "strategies: needs at least 2; 1 given"),
    ):
        code, text = command(*wrong)
        assert code == 2 and words in text, text
