"""Charts of when to knock as a web page: what it holds, and what a browser makes of it where there is one."""

from __future__ import annotations

import html
import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ginsim
from ginsim import InputError, plots, solve
from ginsim.report.chart_page import Place, Shown, chart_page
from ginsim.report.solved import named
from ginsim.solving.advices import ADVICES
from ginsim.solving.chart import Chart
from ginsim.study.solve import Solution
from tests.test_card import made
from tests.test_html import BROWSER, QUIET, Outline

TEXT = "</script><b>&"


@pytest.fixture(scope="module")
def shown() -> list[Shown]:
    rng = np.random.default_rng(0)

    def chart(known: str) -> Chart:
        whole = made(known)
        gains = {"gain": 1000 * rng.normal(size=whole.cells.shape), "gain_sq": np.full(whole.cells.shape, 9000.0)}
        sums = whole.sums | {name: np.where(whole.told, values, 0.0) for name, values in gains.items()}
        return Chart(whole.cells, whole.knock, sums, whole.hands)

    def place(by: str, knows: str) -> Place:
        return Place("classic25", "threshold", "safe", by, knows=knows)

    both = "own deadwood and own unmatched cards"
    return [
        Shown(chart("deadwood, unmatched"), place("points", both), f"Solved. {TEXT}", "Go for gin."),
        Shown(chart("deadwood"), place("points", "own deadwood")),
        Shown(chart("deadwood, unmatched, taken"), place("points", "three things")),
        Shown(chart("deadwood, unmatched"), place("games", both), unit="% of games", factor=100.0),
    ]


def data_of(page: str) -> Any:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    return json.loads(found[1])


def test_it_stands_alone(shown: list[Shown]) -> None:
    page = chart_page(shown, f"Knock {TEXT}")
    outline = Outline(page)
    assert not outline.open and not outline.sources and not {"img", "link", "iframe"} & set(outline.tags)
    assert not re.search(r"url\(|https?://|@import|fetch\(|@\w+@", page) and 'name="viewport"' in page
    assert "<title>Knock &lt;/script&gt;&lt;b&gt;&amp;</title>" in page and page.count("</script>") == 2
    assert data_of(page)["charts"][0]["note"] == f"Solved. {TEXT}"


def test_it_has_every_cell(shown: list[Shown]) -> None:
    data = data_of(chart_page(shown))
    for one, facts in zip(shown, data["charts"], strict=True):
        chart, cells = one.chart, facts["cells"]
        at = np.unravel_index(cells["cell"], chart.cells.shape)
        assert len(at[0]) == (chart.reached > 0).sum() and tuple(facts["shape"]) == chart.cells.shape
        half = 1.96 * chart.error
        for name, values in (("knock", chart.knock), ("often", chart.reached), ("gain", chart.gain), ("half", half)):
            assert cells[name] == pytest.approx(values[at], rel=1e-3)
        assert cells["told"] == chart.told[at].astype(int).tolist()


def test_without_scripts_it_has_the_chart_in_signs(shown: list[Shown]) -> None:
    page = chart_page(shown)
    assert page[page.index("<noscript>") :].startswith("<noscript><pre>starter, own unmatched cards: 1\n")


def test_what_cannot_be_shown() -> None:
    with pytest.raises(InputError, match="charts: there is none"):
        chart_page([])


def test_a_chart_that_was_not_judged_shows_what_to_do() -> None:
    chart = replace(made("deadwood"), sums={})
    facts = data_of(chart_page([Shown(chart, Place())]))["charts"][0]
    assert not facts["judged"] and "gain" not in facts["cells"] and facts["cells"]["cell"] == np.flatnonzero(chart.seen).tolist()
    turn, deadwood = np.unravel_index(facts["cells"]["cell"], chart.cells.shape)[1:]
    assert (turn.min(), turn.max(), deadwood.min()) == (0, 13, 2)  # what is beyond never knocks, and need not come up


# --- in a browser ------------------------------------------------------------------------------------------------------


HELPERS = """
const seen = [], choices = find("choices"), cells = () => [...document.querySelectorAll("td")];
const tip = () => find("tip").hidden ? "" : find("tip").textContent;
const choose = (name, value) => {
  choices.elements[name].value = value;
  choices.elements[name].dispatchEvent(new Event("change"));
};
const press = (td, key) => td.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
"""


def tried(page: str, script: str, folder: Path, width: int = 1000, height: int = 900) -> Any:
    """What a script on the page puts into ``seen``; the page is in a frame, because no window is as narrow as a telephone."""
    assert BROWSER
    whole = f"<script>{{ {HELPERS} {script} parent.document.title = JSON.stringify(seen); }}</script></body>"
    framed = html.escape(page.replace("</body>", whole))
    file = folder / "tried.html"
    style = f"border: 0; width: {width}px; height: {height}px"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><title></title><iframe style="{style}" srcdoc="{framed}"></iframe>')
    words = [BROWSER, *QUIET, f"--user-data-dir={folder / 'profile'}", "--dump-dom", file.as_uri()]
    done = subprocess.run(words, check=True, capture_output=True, timeout=120)
    title = re.search(r"<title>(.*?)</title>", done.stdout.decode(), re.DOTALL)
    assert title
    return json.loads(html.unescape(title[1]).replace("\xa0", " "))


in_browser = pytest.mark.skipif(BROWSER is None, reason="needs Chromium")


@in_browser
def test_cells_tell_their_gain(shown: list[Shown], tmp_path: Path) -> None:
    """Under the pointer and on focus, which the arrow keys move; Escape hides it."""
    script = """
      const td = document.querySelectorAll("tbody")[1].rows[0].cells[1];
      seen.push(tip());
      td.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); seen.push(tip(), td.textContent);
      find("chart").dispatchEvent(new PointerEvent("pointerleave")); seen.push(tip());
      td.focus(); seen.push(tip());
      press(td, "ArrowRight"); press(document.activeElement, "ArrowDown"); seen.push(tip());
      seen.push(document.activeElement.getAttribute("aria-label"), cells().filter(one => one.tabIndex === 0).length);
      press(document.activeElement, "Escape"); seen.push(tip());
      press(td, "ArrowLeft"); press(td, "ArrowUp"); seen.push(document.activeElement.cellIndex);
    """
    before, over, sign, left, focused, moved, label, stops, hidden, stays = tried(chart_page(shown), script, tmp_path)
    chart = shown[0].chart
    assert before == left == hidden == "" and sign == "•" and stays == 2 and stops == 3
    at = (0, 1, 2, 1)  # starter, turn 2, deadwood 2, two unmatched cards
    gain, half = chart.gain[at], 1.96 * chart.error[at]
    low, high = (f"{gain + k * half:+.2f}".replace("-", "−") for k in (-1, 1))
    assert over == focused and over.startswith("Starter, turn 2, own deadwood 2, own unmatched cards 2Play on.")
    assert f"{gain:+.2f} points (95 %: {low} to {high})".replace("-", "−") in over and "comes up in 0.50 % of hands" in over
    assert moved.startswith("Starter, turn 3, own deadwood 3, own unmatched cards 2") and label.startswith("Starter, turn 3")


@in_browser
def test_the_reader_chooses(shown: list[Shown], tmp_path: Path) -> None:
    script = """
      const told = () => [choices.elements.knows.value, choices.elements.by.value, document.querySelectorAll("table").length,
        Object.keys(Object.fromEntries([...choices.elements].map(one => [one.name, 1]))).join(" ")];
      seen.push(told(), find("advice").textContent);
      choose("by", "games"); cells()[0].focus(); seen.push(told(), tip());
      choose("knows", "own deadwood"); seen.push(told(), find("advice").hidden);
      choose("knows", "three things"); choose("taken", 2); cells()[0].focus(); seen.push(told(), tip());
      choose("seat", 1); cells()[0].focus(); seen.push(tip());
      choose("view", "gain"); seen.push(cells()[0].textContent, find("legend").hidden);
    """
    found = tried(chart_page(shown), script, tmp_path)
    (first, advice), (games, in_games), (single, hidden), (three, taken), dealer, gain, legend = (
        found[:2], found[2:4], found[4:6], found[6:8], *found[8:]
    )  # fmt: skip
    both = "own deadwood and own unmatched cards"
    assert first == [both, "points", 3, "by knows seat view"] and advice == "To remember: Go for gin."
    assert games == [both, "games", 3, "by knows seat view"] and "% of games" in in_games
    assert single == ["own deadwood", "points", 1, "by knows seat view"] and hidden
    assert three == ["three things", "points", 3, "by knows seat taken view"] and "took 2+" in taken
    assert dealer.startswith("Dealer, turn 2") and re.fullmatch(r"[+−]?\d+(\.\d)?", gain) and legend


@in_browser
@pytest.mark.parametrize("width", [380, 1200])
def test_the_reader_chooses_the_score(shown: list[Shown], tmp_path: Path, width: int) -> None:
    """Where the score counts there are charts of several; a chart by points is for any."""
    points, games = shown[0], shown[3]
    charts = [replace(one, place=replace(one.place, score=score)) for one, score in
              ((games, "0:0"), (replace(games, chart=games.chart.purified()), "90:50"), (points, "any"))]  # fmt: skip
    script = """
      const told = () => [choices.elements.by.value, choices.elements.score.value, choices.elements.seat.value];
      const over = () => { cells()[0].dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); return tip(); };
      seen.push(told(), [...choices.elements.score.options].map(one => one.value));
      choose("score", "90:50"); seen.push(told(), over());
      choose("seat", 1); seen.push(told(), over());
      choose("by", "points"); seen.push(told(), over());
      choose("score", "0:0"); seen.push(told(), over());
    """
    first, scores, late, tip, dealer, theirs, points_too, by_points, back, again = tried(
        chart_page(charts), script, tmp_path, width
    )
    assert first == ["games", "0:0", "0"] and scores == ["0:0", "90:50", "any"]
    assert late == ["games", "90:50", "0"] and "% of games (95 %: " in tip and tip.startswith("Starter")
    assert dealer == ["games", "90:50", "1"] and theirs.startswith("Dealer")
    assert points_too == ["points", "any", "1"] and " points (95 %: " in by_points
    assert back == ["games", "0:0", "1"] and again.startswith("Dealer")


@in_browser
@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 900)])
def test_it_has_room(shown: list[Shown], tmp_path: Path, width: int, height: int) -> None:
    """Nothing is wider than the window, not even what a cell at the edge tells."""
    script = """
      const wide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
      seen.push(innerWidth, wide());
      for (const one of document.querySelectorAll("section")) seen.push(one.scrollWidth - one.clientWidth);
      for (const td of [document.querySelector("tbody tr").lastChild, document.querySelector("td")]) {
        td.focus();
        const box = find("tip").getBoundingClientRect();
        seen.push(box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight);
      }
    """
    wide, more, *found = tried(chart_page(shown), script, tmp_path, width, height)
    assert wide == width and more <= 0 and found == [0, 0, 0, True, True]


# --- of solved knocks ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def solved() -> list[Solution]:
    of: dict[str, Any] = {"deals": 1500, "seed": 1, "workers": 1}
    return [solve("threshold", **of), solve("threshold", by="boxes", knows="deadwood", against="simple", **of)]


def test_solved_knocks_on_one_page(solved: list[Solution], tmp_path: Path) -> None:
    folder = ginsim.save(solved[0], tmp_path / "solved")
    assert {"card.png", "card.svg", "chart.html"} <= {path.name for path in folder.iterdir()}
    out = ginsim.charts_page([folder, solved[1]], tmp_path / "charts.html")
    charts = data_of(out.read_text(encoding="utf-8"))["charts"]
    assert [chart["at"]["play"].split(":")[0] for chart in charts] == ["safe", "safe", "exploiting"]
    assert [chart["at"]["by"].split()[-1] for chart in charts] == ["hand", "it", "it"]
    assert charts[0]["at"]["knows"] == "own deadwood and own unmatched cards" and charts[2]["at"]["knows"] == "own deadwood"
    assert charts[0]["advice"] == solved[0].remembered[0] and "simple" in charts[2]["note"]
    alone = data_of((folder / "chart.html").read_text(encoding="utf-8"))["charts"]
    assert alone == charts[:1]


def test_solved_knocks_side_by_side(solved: list[Solution], tmp_path: Path) -> None:
    first, by_boxes = solved
    eaai = replace(first, rules="eaai", seed=7)
    folder = ginsim.save(first, tmp_path / "solved", command="ginsim run first.toml")
    out = ginsim.charts_page([folder, eaai], tmp_path / "both", "Knock", "ginsim charts one two")
    names = {"report.md", "advices.csv", "charts.png", "charts.svg", "advices.png", "advices.svg", "chart.html"}
    assert {path.name for path in out.iterdir()} == names
    page = (out / "report.md").read_text(encoding="utf-8")
    assert page.startswith("# Knock\n") and "ginsim run first.toml\nginsim charts one two\n" in page and "$" not in page
    assert "for 2 sets of rules" in page and "| way of knocking | classic25 | eaai |" in page and "`layoff=after_melds`" in page
    table = pd.read_csv(out / "advices.csv")
    for result, name in ((first, "classic25"), (eaai, "eaai")):
        own = table[table["result"] == name].set_index("way")
        assert set(ADVICES) | set(result.remembered) < set(own.index) and not own.index.duplicated().any()
        for way in ADVICES:
            assert own.loc[way, "exploitable"] == pytest.approx(result.figure(way).value, rel=1e-5)
            assert own.loc[way, "to_chart"] == pytest.approx(result.figure(f"chart - {way}").value, rel=1e-5)
    charts = data_of((out / "chart.html").read_text(encoding="utf-8"))["charts"]
    assert [chart["at"]["rules"] for chart in charts] == ["classic25", "eaai"]
    alone = ginsim.charts_page([by_boxes], tmp_path / "alone") / "report.md"
    assert "## How alike they are" in page and "## How alike they are" not in alone.read_text(encoding="utf-8")
    with pytest.raises(InputError, match="they count by points and by boxes"):
        ginsim.charts_page(solved, tmp_path / "mixed")
    with pytest.raises(InputError, match="two of them are the same, of 'classic25'"):
        ginsim.charts_page([first, first], tmp_path / "twice")
    with pytest.raises(InputError, match=r"results: .* is given twice"):
        ginsim.charts_page([folder, folder], tmp_path / "twice")
    with pytest.raises(InputError, match=r"out: .* holds the result of a study; give another folder"):
        ginsim.charts_page([folder, eaai], folder)
    assert ginsim.load_results(folder) == first
    assert "Take this chart as a sketch" in (folder / "report.md").read_text(encoding="utf-8")
    assert not (tmp_path / "mixed").exists() and not (tmp_path / "twice").exists()


def test_results_are_named_by_what_they_differ_in(solved: list[Solution]) -> None:
    first = solved[0]
    assert list(named([first])) == ["classic25"]
    assert list(named([first, replace(first, rules="eaai", seed=2)])) == ["classic25", "eaai"]
    assert list(named([first, replace(first, strategy="champion")])) == ["threshold", "champion"]
    three = [first, replace(first, rules="eaai"), replace(first, seed=(1, 2))]
    assert list(named(three)) == ["classic25; seed 1", "eaai; seed 1", "classic25; seeds 1, 2"]


def test_charts_side_by_side_are_those_of_the_seat(solved: list[Solution]) -> None:
    first, by_boxes = solved
    for seat, chart in (("starter", first.chart), ("dealer", first.chart)):
        ax = plots.knock_charts({"a": first, "b": first}, seat)
        drawn = [text.get_text() for text in ax.texts]
        signs = chart.marks()[("starter", "dealer").index(seat)]
        assert drawn.count("K") == 2 * (signs == "K").sum() and ax.get_ylabel() == f"own turn of the {seat}"
    mixed = plots.knock_charts({"a": first, "b": by_boxes})  # one of them does not know the unmatched cards
    assert not [text for text in mixed.texts if "unmatched" in text.get_text()]
    with pytest.raises(InputError, match="seat: 'north' is not allowed"):
        plots.knock_charts({"a": first}, "north")


def test_other_results_have_no_such_page(tmp_path: Path) -> None:
    result = ginsim.compare("simple", "random", deals=20, games=0)
    with pytest.raises(InputError, match="is not a solved knock"):
        ginsim.charts_page([result], tmp_path / "x.html")  # type: ignore[list-item]


def test_rules_to_remember(solved: list[Solution]) -> None:
    for result in solved:
        advices = result.advices().set_index("advice")
        assert 1 <= len(result.remembered) <= 3 and set(result.remembered) < set(advices.index)
        assert np.isfinite(advices.drop(columns="means").loc[result.remembered].to_numpy()).all()
        assert all(sentence.endswith(".") for sentence in result.remembered)
