"""Charts by name and by file: what is said of them, and how they are shown without the study that they were solved in."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.gin.players.chartfiles import about_chart, kept_chart, read_chart, shipped
from ginsim.report.given import GivenChart, given_charts
from ginsim.solving.chart import rule
from tests.test_card import made


def run_cli(*words: str, fails: int = 0) -> str:
    """What a command prints."""
    result = CliRunner().invoke(app, list(words), env={"COLUMNS": "160"})
    assert result.exit_code == fails, result.output
    return result.output


EXPERIMENTS = Path(__file__).parent.parent / "experiments" / "charts"


def test_a_folder_or_a_pipe_is_no_chart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder and holds no tallies"):
        read_chart(f"{tmp_path}/")
    (tmp_path / "tallies.json").write_text("{}")
    with pytest.raises(InputError, match=r"is a folder; did you mean its tallies\.json"):
        read_chart(str(tmp_path))
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="not a regular file"):
        read_chart(str(tmp_path / "pipe.json"))


# --- what is said of them ------------------------------------------------------------------------------------------------


def test_shipped_charts_say_what_their_experiments_say() -> None:
    assert shipped() == sorted(path.stem for path in EXPERIMENTS.glob("*.toml"))
    for name in shipped():
        of = {"by": "points"} | tomllib.loads((EXPERIMENTS / f"{name}.toml").read_text(encoding="utf-8"))
        kept = kept_chart(name)[0]
        about = about_chart(kept)
        assert about == {key: str(of[key]) for key in ("title", "rules", "strategy", "by", "deals", "seed")}
        assert kept["known"] == of["knows"] and about["title"].startswith("When to knock under ")


def test_a_saved_chart_may_say_what_it_is_of(tmp_path: Path) -> None:
    chart = rule(lambda turn, **other: turn < 5)
    plain, told = chart.save(tmp_path / "plain.json"), chart.save(tmp_path / "told.json", rules="eaai", strategy="simple")
    assert read_chart(str(plain))[0] == read_chart(str(told))[0]
    assert [about_chart(kept_chart(str(path))[0]) for path in (plain, told)] == [{}, {"rules": "eaai", "strategy": "simple"}]
    with pytest.raises(InputError, match="of: 'colour' is not allowed; give texts, some of title, rules"):
        chart.save(tmp_path / "x.json", colour="red")


@pytest.mark.parametrize("name", ["classic25_strong", "tournament"])
def test_list_explains_a_chart(name: str) -> None:
    assert f"{name}" in run_cli("list")
    alone, every = run_cli("list", name), run_cli("list", "charts")
    about = about_chart(kept_chart(name)[0])
    for word in (about["rules"], about["strategy"], about["title"].rpartition(", ")[2]):
        assert word in alone and word in every
    assert all(other in every for other in shipped())


# --- in short ------------------------------------------------------------------------------------------------------------


def test_a_chart_in_short() -> None:
    early = rule(
        lambda turn, seat, deadwood, unmatched, **other: (unmatched > 0) & (
            ((turn > 1) & (turn <= 7 + seat) & (deadwood > 8)) | ((turn > 11) & (turn < 16) & (deadwood == 9)) | (turn == 18)
        ) & (deadwood < 11) & (deadwood > 1)
    )  # fmt: skip
    lines = str(early).splitlines()
    assert [line.split() for line in lines[2:]] == [
        ["unmatched", *map(str, range(2, 11))],
        ["starter", "2", "to", "3+", *"·" * 7, "2-7,12-15", "2-7"],
        ["dealer", "2", "to", "3+", *"·" * 7, "2-8,12-15", "2-8"],
    ]  # turn 18 stands apart


def test_what_is_too_rare_is_said_in_short() -> None:
    lines = str(made("deadwood, limit")).splitlines()
    assert lines[3].split()[:3] == ["starter", "any", "·"] and lines[3].split()[5:] == ["2-6"] * 7  # of 7, 40 % is rounded
    rare = made("deadwood")
    assert str(replace(rare, sums={name: 0 * of for name, of in rare.sums.items()})) == "Nothing is told of any cell."
    bare = rule(lambda turn, **other: turn < 9, "")
    assert str(bare).splitlines()[2:] == ["         knock on turns", "starter  1-8", "dealer   1-8"]


@pytest.mark.parametrize("name", shipped())
def test_shipped_charts_fit_on_two_screens(name: str) -> None:
    text = str(given_charts([name])[0])
    assert text.startswith(f"{name}: When to knock under ") and "with the draws and discards of" in text.splitlines()[1]
    assert len(text.splitlines()) < 60 and all(len(line) <= 130 for line in text.splitlines())


def test_many_classes_are_cut(tmp_path: Path) -> None:
    def odd(turn, taken, last, stock, **other):  # type: ignore[no-untyped-def]
        return turn < 3 + taken + last + stock

    text = str(rule(odd, "deadwood, unmatched, taken, last, stock"))
    assert len(text.splitlines()) < 70 and "lines more, which a page shows" in text.splitlines()[-1]


# --- the command -----------------------------------------------------------------------------------------------------------


def test_charts_are_shown_by_name_file_and_folder(tmp_path: Path) -> None:
    path = rule(lambda turn, **other: turn < 5, "deadwood").save(tmp_path / "mine.json", rules="eaai", strategy="simple")
    text = run_cli("charts", "knock5", str(path))
    assert text.startswith("knock5: When to knock under a knock limit of 5")
    assert "Under eaai, with the draws and discards of simple" in text
    result = ginsim.solve("threshold", knows="deadwood", deals=200, workers=1)
    folder = ginsim.save(result, tmp_path / "solved")
    assert given_charts([folder]) == [result]
    (judged,) = given_charts([folder / "tallies.json"])
    assert isinstance(judged, GivenChart) and judged.chart == result.chart and judged.chart.sums
    assert str(result) in run_cli("charts", str(folder))
    whole = tmp_path / "whole.json"
    whole.write_text(result.chart.text())
    assert given_charts([str(whole)])[0].chart == result.chart


def test_charts_without_their_study_on_pages_and_cards(tmp_path: Path) -> None:
    solved = ginsim.save(ginsim.solve("threshold", knows="deadwood", deals=600, workers=1), tmp_path / "solved")
    out = ginsim.charts_page(["knock5", "tournament", solved], tmp_path / "all")
    names = {path.name for path in out.iterdir()}
    assert {"chart.html", "card_knock5.png", "card_tournament_limit_10+.svg", "card_classic25.png"} <= names
    assert "card_tournament_limit_0.png" not in names  # nobody ever knocks there
    assert "Knock limit in force: 3" in (out / "card_tournament_limit_3.svg").read_text(encoding="utf-8")
    one = ginsim.charts_page(["knock5"], tmp_path / "one.svg").read_text(encoding="utf-8")
    assert one.startswith("<?xml") and "draws and discards of threshold" in one and "look as sure as others" in one
    assert ginsim.charts_page(["knock5", "knock15"], tmp_path / "two.png").read_bytes()[1:4] == b"PNG"
    page = ginsim.charts_page(["knock5", "knock15_strong"], tmp_path / "page.html").read_text(encoding="utf-8")
    assert "classic25(knock_limit=15)" in page and "Its file does not say what knocking gains" in page
    with pytest.raises(InputError, match="one card has no room for this chart; give a folder for 9 cards"):
        ginsim.charts_page(["oklahoma"], tmp_path / "one.pdf")
    with pytest.raises(InputError, match="oklahoma knows more than the others"):
        ginsim.charts_page(["oklahoma", "knock5"], tmp_path / "two.pdf")


@pytest.mark.parametrize(
    ("names", "out", "said"),
    [
        (["oklahomb"], "", "nor a shipped chart; did you mean 'oklahoma'?"),
        (["no/such"], "", "there is no folder no/such"),
        (["no.json"], "", "chart no.json cannot be read"),
        (["knock5", "knock5"], "", "is given twice"),
        (["knock5"], "p.txt", "p.txt is no page (.html), picture (.png, .svg, .pdf) or folder"),
        (["empty.json"], "", "chart empty.json never knocks: there is nothing to show"),
        (["empty.json"], "x.html", "chart empty.json never knocks: there is nothing to show"),
        (["bare.json"], "", "chart bare.json is not a chart: it needs lists known, cell and knock"),
        (["list.json"], "x", "chart list.json is not a chart: it needs lists known, cell and knock"),
        (["sums.json"], "", "chart sums.json is not a chart: gain.0: Input should be a valid number"),
        (["short.json"], "", "its lists are of different lengths"),
        (["scores.json"], "", "chart scores.json: these are charts for every two scores, not one"),
    ],
)
def test_what_is_no_chart_is_refused(
    names: list[str], out: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    whole = json.loads(made("deadwood").text())
    files = {
        "empty": {"known": [], "cell": [], "knock": []}, "bare": {}, "list": [1],
        "sums": whole | {"gain": ["x"]}, "short": whole | {"gain": [1.0]}, "scores": whole | {"scores": [1]},
    }  # fmt: skip
    for name, facts in files.items():
        Path(f"{name}.json").write_text(json.dumps(facts))
    assert said in " ".join(run_cli("charts", *names, *(["--out", out] if out else []), fails=2).split())
    assert not out or not Path(out).exists()
