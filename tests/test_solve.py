"""The study that solves the knock: its settings, its figures against play, how it is kept, resumed, cut and merged."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import Estimate
from ginsim.report import plots
from ginsim.report.folder import save_result
from ginsim.report.plots.charts import class_words
from ginsim.report.sheets import sheet_of
from ginsim.simulation.execute import Interrupted
from ginsim.solving.chart import Chart, rule
from ginsim.study.settings import built
from ginsim.study.solve import Solution, solve
from tests.helpers import Stop
from tests.test_card import made

WITH_BOXES = "classic25(gin_bonus=20)"
BOX = Rules.parse(WITH_BOXES).box_bonus
SMALL = {"deals": 1500, "seed": 3}


@pytest.fixture(scope="module")
def solved() -> Solution:
    return solve("threshold", "classic25", **SMALL, workers=2)


@pytest.fixture(scope="module")
def replied() -> Solution:
    own = "threshold(discard=random_best)"
    return solve(own, WITH_BOXES, against="simple", by="boxes", knows="deadwood", deals=3000, workers=2)


def test_what_is_told(solved: Solution) -> None:
    assert (solved.deals, solved.checks, solved.known) == (1500, 1500, ("deadwood", "unmatched"))
    assert solved.hand_count == 3000 and solved.chart.hands == 1500
    assert solved.figure("own").value > 2 and solved.figure("chart - own").low > 1
    assert solved.figure("knock at once").value > 2
    table = solved.advices()
    assert table["advice"].iloc[0] == "chart" and table["to_chart"].iloc[0] == 0
    assert (table["exploitable_low"] <= table["exploitable"]).all()
    assert set(solved.worth()["known"]) == {"unmatched", "taken", "last", "stock"}
    assert solved.deals_per_cell < 200 and "part of it is chance" in solved.noise
    assert str(solved).startswith("Knocking by the chart gives away") and solved.noise in solved.verdict()
    with pytest.raises(InputError, match="figure: there is no 'luck'"):
        solved.figure("luck")


def test_knock_at_once_is_the_own_knock_of_a_threshold(solved: Solution) -> None:
    """The strategy was asked on each turn: the advice that says the same is not told twice."""
    assert solved.figure("knock at once") == solved.figure("own")
    assert "knock at once" not in solved.judged and "never knock before gin" in solved.judged
    assert solved.advices()["advice"].tolist() == solved.judged
    assert solved.exploitability("threshold(knock=10)").value == pytest.approx(solved.figure("own").value)
    gin = solved.exploitability("threshold(knock=0)").value
    assert gin == pytest.approx(solved.figure("never knock before gin").value)
    assert solved.advantage("threshold(knock=0)").value == pytest.approx(solved.figure("chart - never knock before gin").value)
    assert solved.advantage(solved.chart).value == 0
    assert solved.advantage(solved.purified).value == pytest.approx(solved.figure("chart - purified").value)
    less = solved.exploitability(solved.chart, knows="unmatched")
    assert less.se > 0
    with pytest.raises(InputError, match="simple does not draw and discard as threshold does"):
        solved.advantage("simple")
    with pytest.raises(InputError, match="expert plays the table game"):
        solved.exploitability("expert")


def test_by_boxes_the_advice_turns_round() -> None:
    points, boxes = (solve("threshold", by=by, knows="deadwood", deals=3000, workers=2) for by in ("points", "boxes"))
    assert points.figure("never knock before gin").high < points.figure("own").low
    assert boxes.figure("own").high < boxes.figure("never knock before gin").low
    late = (slice(None), slice(8, 13), slice(6, 11))
    assert boxes.chart.knock[late].mean() > 0.5 > points.chart.knock[late].mean()


WAYS = [
    *(f"threshold(knock={knock})" for knock in (10, 7, 5, 3, 0)),
    "threshold(knock_by_turn=[10, 10, 10, 10, 0])",
    "threshold(knock_by_turn=[0, 0, 0, 2, 4, 6, 8])",
    "threshold(stop=chart, chart=classic25)",
    "custom(draw=meld, discard=highest, stop=early, finish=0, knock_from=[6, 6, 6, 6, 6, 6, 6])",
    "custom(draw=meld, discard=highest, stop=weighed, undercut_risk=0.3)",
]


@pytest.mark.parametrize("rules", ["classic25", "pagat", "tournament"])
def test_forecast_and_play_agree(rules: str, tmp_path: Path) -> None:
    found = solve("threshold", rules, deals=1000, workers=2)
    own = f'threshold(stop=chart, chart="{found.chart.save(tmp_path / "chart.json")}")'
    far = 0
    for other in WAYS:
        forecast = found.advantage(other)
        played = ginsim.compare(own, other, rules, deals=3000, games=0, seed=9).points_per_hand
        apart = abs(forecast.value - played.value) / np.hypot(forecast.se, played.se)
        assert apart < 3.5, other
        far += apart > 1.96
    assert far <= 3


def test_the_forecast_of_a_reply_and_play_agree(replied: Solution, tmp_path: Path) -> None:
    assert replied.reply is not None
    for chart, name in ((replied.reply, "reply"), (replied.chart, "reply safe")):
        path = chart.save(tmp_path / "chart.json")
        own = f'threshold(discard=random_best, stop=chart, chart="{path}")'
        played = ginsim.compare(own, "simple", WITH_BOXES, deals=4000, games=0, seed=9)
        boxes = BOX * (2 * played.hands_won.value - 1) * played.hands_tally["decided"] / (2 * played.deals)
        forecast = replied.figure(name)
        gained = played.points_per_hand.value + boxes
        assert abs(forecast.value - gained) < 3 * np.hypot(forecast.se, 1.5 * played.points_per_hand.se)


def test_the_same_for_any_number_of_workers(solved: Solution) -> None:
    assert solve("threshold", "classic25", **SMALL, workers=1) == solved
    assert solve("threshold", "classic25", deals=1500, seed=4, workers=1) != solved


def test_it_is_saved_and_loaded(solved: Solution, replied: Solution, tmp_path: Path) -> None:
    for number, result in enumerate((solved, replied)):
        folder = ginsim.save(result, tmp_path / str(number))
        again = load_results(folder)
        assert again == result and again.verdict() == result.verdict()
        page = (folder / "report.md").read_text(encoding="utf-8")
        assert "## How it was solved" in page and "Limits: draws and discards do not change with the chart" in page
        assert ("## Against simple" in page) == (number == 1) and "$" not in page
        cells = pd.read_csv(folder / "chart.csv")
        assert len(cells) == len(result.table()) and cells["knock"].between(0, 1).all()
        assert (folder / "reply.png").exists() == (number == 1)
        player = ginsim.Strategy.parse(f'threshold(stop=chart, chart="{folder / "tallies.json"}")')
        assert np.array_equal(np.array(player.params[87:]).reshape(result.chart.cells.shape), result.chart.knock)
        assert not (folder / "courses").exists()
        assert f'by="{result.by}"' in json.loads((folder / "manifest.json").read_text())["command"]


def test_a_result_that_was_changed(solved: Solution, tmp_path: Path) -> None:
    folder = ginsim.save(solved, tmp_path)
    text = (folder / "tallies.json").read_text()
    (folder / "tallies.json").write_text(text.replace('"known": ["deadwood"', '"known": ["stock"'))
    with pytest.raises(InputError, match="is damaged or was changed"):
        load_results(folder)


def test_pictures(solved: Solution, replied: Solution) -> None:
    assert plots.knock_chart(solved).get_ylabel() == "own turn"
    assert "best reply to simple" in plots.knock_chart(replied, reply=True).get_title(loc="left")
    assert len(plots.advices(solved).get_yticks()) == len(solved.advices())
    some = solve("threshold", knows="unmatched,taken,last", deals=2000, workers=1)
    assert sheet_of(some).plot() is not None
    assert len(sheet_of(some).console()) > 3


def knocked(text: str) -> dict[str, str]:
    """The signs that the words of a table stand for, by deadwood."""
    found: dict[str, str] = {}
    for part in text.split(", ") if text not in ("·", "–") else []:
        if mixed := re.fullmatch(r"(\d+) \((\d+) %\)", part):
            found[mixed[1]] = mixed[2]
        else:
            first, _, last = part.partition("-")
            found |= {str(points): "K" for points in range(int(first), int(last or first) + 1)}
    return found


def test_tables_say_what_the_chart_does(solved: Solution) -> None:
    """The same in words: a table for each seat, and the turns after the last knock together."""
    grids, tables = solved.chart.grids(), sheet_of(solved).console()[:2]
    assert [table.title for table in tables] == ["Starter: knock with", "Dealer: knock with"]
    for k, grid in enumerate(grids):
        table = tables[k // 3]
        column = next((at for at, head in enumerate(table.head) if head == grid.known), None)
        if column is None:
            assert set(grid.marks.ravel()) == {"–"} and class_words(*grid.classes[0]) in tables[1].caption
            continue
        rows = {row[0]: knocked(row[column]) for row in table.rows}
        for turn, marks in zip(grid.turns, grid.marks, strict=True):
            own = {label: mark for label, mark in zip(grid.columns, marks, strict=True) if mark not in "·–"}
            assert rows.get(turn, {}) == own
    turns = [row[0] for row in tables[0].rows]
    assert turns[-1].endswith("+") and set(tables[0].rows[-1][1:]) == {"·"} and len(turns) < len(grids[0].turns)
    bare = solve("threshold", knows="deadwood", deals=600, workers=1)
    assert sheet_of(bare).console()[0].head == ("turn", "starter", "dealer")


def drawn(chart: Chart, result: Solution) -> list[str]:
    """The texts of a chart's picture, with its notes."""
    ax = plots.knock_chart(replace(result, chart=chart))
    assert ax.figure
    ax.figure.canvas.draw()
    return [*(text.get_text() for text in ax.texts), ax.get_xlabel()]


def test_pictures_leave_out_what_has_nothing_to_show(solved: Solution) -> None:
    """Panels stand in rows on a page; of those without a cell that can be told of there is a sentence."""
    chart = made("deadwood, limit")
    limit, deadwood = np.indices(chart.cells.shape)[[-1, 2]]
    within = {name: np.where(deadwood <= limit, of, 0.0) for name, of in chart.sums.items()}
    ax = plots.knock_chart(replace(solved, chart=replace(chart, sums=within)))
    texts = drawn(replace(chart, sums=within), solved)
    wide, high = ax.figure.get_size_inches()  # type: ignore[union-attr]
    assert 1.2 < high / wide < 2.0 and texts.count("limit 10+") == 2 and "limit 0" not in texts
    assert "Left out as too rare: limit 0" in texts[-1].replace("\n", " ") and "After turn 14" in texts[-1]
    assert texts.count("K") == (replace(chart, sums=within).marks() == "K").sum()
    one = np.where(np.indices(chart.cells.shape)[0] == 0, 1.0, 0.0)  # only the starter's
    seat = drawn(replace(chart, sums={name: of * one for name, of in within.items()}), solved)
    assert "Dealer" in texts and "Dealer" not in seat and "dealer, limit 3" in seat[-1].replace("\n", " ")


def test_headings_of_narrow_parts_do_not_meet(solved: Solution) -> None:
    ax = plots.knock_chart(replace(solved, chart=made("unmatched, taken").onto("unmatched")))
    ax.figure.canvas.draw()
    boxes = [text.get_window_extent() for text in ax.texts if "unmatched" in text.get_text()]
    assert len(boxes) == 6 and not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


def test_cards_at_chosen_scores(solved: Solution, tmp_path: Path) -> None:
    aware = replace(solved, by="games", at_scores={(90, 50): made("deadwood"), (50, 90): made("deadwood, unmatched, taken")})
    pictures = sheet_of(aware).pictures
    assert {"card_90_50", "card_50_90"} <= set(pictures) and "card_0_0" not in pictures
    said = " ".join(text.get_text() for text in pictures["card_90_50"]().texts)
    assert "at 90:50" in said.replace("\n", " ") and "To remember" not in said
    with pytest.raises(InputError, match=r"score: there is no chart at .* there are 90:50, 50:90"):
        plots.knock_card(aware, score=(1, 2))


def test_a_chart_that_gives_something_away_says_why(solved: Solution) -> None:
    many = replace(solved, deals=10_000_000)
    lost, none = ({**many.figures, "chart": (0.05, se, 1000)} for se in (0.01, 0.05))
    assert "does not remember" in replace(many, figures=lost).forgets
    assert not replace(many, figures=none).forgets and not replace(solved, figures=lost).forgets


def test_a_page_on_too_few_deals_names_no_picture_that_is_not_there(tmp_path: Path) -> None:
    folder = save_result(solve("threshold", deals=200, knows="deadwood,unmatched,taken,last", workers=1), tmp_path / "few")
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert not (folder / "card.png").exists() and "card.png" not in page and "The same in words" not in page


def test_ways_are_told_in_words(solved: Solution) -> None:
    assert [solved.way(name) for name in ("chart", "purified")] == ["the chart", "the chart without mixing"]
    assert solved.way("own") == "as threshold knocks: knock at once"
    other = replace(solved, strategy="threshold(knock=4)", figures=dict(solved.figures) | {"own": (9.0, 1.0, 9)})
    assert other.way("own") == "as threshold(knock=4) knocks"
    names = [label.get_text().replace("\n", " ") for label in plots.advices(solved).get_yticklabels()]
    assert names == solved.advices()["means"].tolist() and "own" not in names


def settings(**more: object) -> dict[str, object]:
    return {"kind": "solve", "strategy": "threshold", "deals": 40_000, "seed": 1} | more


def test_it_is_resumed(tmp_path: Path) -> None:
    study = built(**settings(deals=400))
    whole = run_experiment(study, tmp_path / "whole", save_result, 1)
    with pytest.raises(Interrupted):
        run_experiment(study, tmp_path / "cut", save_result, 1, Stop())
    assert "resume with" in str(status(tmp_path / "cut")) and (tmp_path / "cut" / "courses").is_dir()
    assert resume(tmp_path / "cut", save_result, 1) == whole
    assert not (tmp_path / "cut" / "courses").exists() and status(tmp_path / "cut").finished


def test_parts_are_merged(tmp_path: Path) -> None:
    whole = run_experiment(built(**settings(deals=600)), tmp_path / "whole", save_result, 1)
    folders = [tmp_path / "1", tmp_path / "2"]
    for number, folder in enumerate(folders, 1):
        part = run_experiment(built(**settings(deals=600, part=f"{number}/2")), folder, save_result, 1)
        assert (part.deals, part.checks) == (300, 300) and (folder / "courses").is_dir()
    assert load_results(ginsim.merge(folders, tmp_path / "merged")) == whole
    for path in (folders[0] / "courses").iterdir():  # then they are recorded again
        path.unlink()
    (folders[0] / "courses").rmdir()
    assert load_results(ginsim.merge(folders, tmp_path / "again")) == whole
    other = run_experiment(built(**settings(deals=200, seed=8)), tmp_path / "other", save_result, 1)
    both = load_results(ginsim.merge([tmp_path / "whole", tmp_path / "other"], tmp_path / "both"))
    assert (both.deals, both.seed) == (800, (1, 8)) and both.chart != other.chart
    run_experiment(built(**settings(deals=200, seed=9, knows=["taken"])), tmp_path / "taken", save_result, 1)
    with pytest.raises(InputError, match="knows differs"):
        ginsim.merge([tmp_path / "whole", tmp_path / "taken"], tmp_path / "none")


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"strategy": "rollout"}, "the knock of rollout cannot be solved"),
        ({"rules": "straight"}, "rules: straight allows no knock before gin"),
        ({"rules": "house", "strategy": "expert"}, "rules: house is the table game, which has no knock to solve"),
        ({"rules": "eaai", "by": "boxes"}, "by: boxes count nothing under eaai: box_bonus=0"),
        ({"by": "luck"}, "by: 'luck' is not allowed; give 'points'"),
        ({"knows": ["deadwod"]}, "knows: there is no 'deadwod'; did you mean 'deadwood'"),
        ({"knows": ["stock", "stock"]}, "knows: stock is listed twice"),
        ({"knows": ["deadwood", "unmatched", "taken", "last", "limit", "stock"]}, "cells; at most"),
        ({"deals": 10}, "deals: 10 is not allowed; give a whole number from 100"),
        ({"against": "nobody"}, "there is no 'nobody'"),
        ({"games": 5, "luck": 1}, "there is no key 'luck' in a solve experiment"),
    ],
)  # fmt: skip
def test_what_is_refused(more: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as refused:
        built(**settings(**more))
    assert words in str(refused.value)


def test_a_file(tmp_path: Path) -> None:
    file = tmp_path / "solve.toml"
    file.write_text('kind = "solve"\nstrategy = "threshold"\nrules = "oklahoma"\nby = "boxes"\nknows = ["limit", "unmatched"]\n')
    study = load_experiment(file, deals=500)
    assert (study.knows, study.deals, study.game_pairs) == (["unmatched", "limit"], 500, 0)  # type: ignore[attr-defined]
    assert [work.count for work in study.works()] == [500, 500]


def test_a_strategy_of_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = Path(__file__).parent / "data" / "strategies.py"
    (tmp_path / "own.py").write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    names = [line.split()[0] for line in (tmp_path / "own.py").read_text().splitlines() if "= Strategy." in line]
    result = solve(f"own.py:{names[0]}", deals=100, workers=1)
    assert result.strategy == f"own.py:{names[0]}" and result.figure("value").se > 0


def test_rules_with_a_limit_of_their_own() -> None:
    low = solve("threshold", "classic25(knock_limit=3)", deals=200, workers=1)
    assert "knock with 6 or more until turn 7, then gin" not in low.judged  # it says the same as to play for gin
    high = solve("threshold", "classic25(knock_limit=40)", deals=200, workers=1)
    assert high.chart.cells.shape[2] == 16 and (high.table()["deadwood"] == "15+").any()


def test_a_rule_in_words_is_a_chart(solved: Solution) -> None:
    simple = rule(lambda turn, unmatched, **known: (turn <= 8) & (unmatched > 0))
    assert isinstance(simple, Chart)
    assert solved.exploitability(simple).value < solved.figure("own").value / 3


def test_a_figure_that_rounds_to_nothing_has_no_sign(solved: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Solution, "figure", lambda self, name: Estimate(-0.0001, -0.0004, 0.0004, 0.0002))
    assert "nothing measurable: the best reply found wins 0.000 points a hand (0.000 to 0.000)" in solved.verdict()
    assert re.search(r"starting is worth -?\d+\.\d+ points a hand \(", solved.verdict())


def test_what_is_the_same_in_every_hand_is_not_told_apart() -> None:
    with pytest.raises(InputError, match="knows: limit is 10 in every hand under classic25 and tells nothing"):
        solve("threshold", knows=["deadwood", "limit"], deals=100)
