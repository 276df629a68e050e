"""What is shown of results: one way for all types and games, the words of pages in templates, figures alike everywhere."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from matplotlib.figure import Figure

import ginsim
from ginsim.commands.study import show_result
from ginsim.errors import InputError
from ginsim.inference.estimates import Estimate
from ginsim.inference.measures import Measure, share
from ginsim.report import template
from ginsim.report.sheets import sheets
from ginsim.report.template import filled, sentence, terms
from ginsim.study.base import kinds
from ginsim.study.measures import COMPARED

TEMPLATES = files("ginsim.report") / "templates"
SOURCES = Path(ginsim.__file__).parent


def test_every_kind_of_study_is_shown() -> None:
    for name, kind in kinds().items():
        assert any(shown in kind.result.__mro__ for shown in sheets()), name


def test_plot_by_type() -> None:
    duel = ginsim.compare("simple", "random", "eaai", deals=60, games=0)
    exact, hand = ginsim.exact_deadwood(3), ginsim.replay("simple", "simple", 3, 1)
    field = ginsim.tournament(["simple", "random"], "eaai", deals=60, games=0)
    for result in (duel, field, field.ratings(), field.nash(), exact, hand):
        ax = Figure().subplots()
        assert ginsim.plot(result, ax) is ax and ginsim.plot(result).figure is not ax.figure
    for nothing in (3, ginsim.replay("novice", "expert", 1, rules="house")):
        with pytest.raises(InputError, match=r"result: nothing is shown of a (int|TableReplay); give the result of a study"):
            ginsim.plot(nothing)


def test_figures_are_alike_on_console_page_and_in_latex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    duel = ginsim.compare("simple", "threshold(knock=5)", "eaai", deals=300, games=20)
    show_result(duel)
    printed = capsys.readouterr().out
    folder = ginsim.save(duel, tmp_path)
    page, tables = ((folder / name).read_text(encoding="utf-8") for name in ("report.md", "tables.tex"))
    for name in ("points_per_hand", "hands_won", "games_won", "margin_per_game", "turns_per_hand", "starter_share"):
        text = COMPARED[name].text(getattr(duel, name))
        assert text in printed and f"| {COMPARED[name].label} | {text} |" in page and text.replace("%", r"\%") in tables
    assert not re.search(r"\d%", printed + page)


def test_a_difference_has_one_decimal_more_and_no_negative_zero() -> None:
    e = Estimate(0.01234, 0.01, 0.01468, 0.001)
    assert share("hands won").change_text(e) == "+1.23 ± 0.23"
    assert Measure("points", decimals=2).change_text(Estimate(-0.00001, -0.001, 0.001, 0.001)) == "+0.000 ± 0.001"
    assert share("hands won").change_text(Estimate(0.0, -0.00001, 0.00001, 0.00001)) == "+0.000 ± 0.001"  # never "± 0"
    assert share("hands won").change_text(Estimate(0.0, 0.0, 0.0, 0.0)) == "0"
    assert Measure("points", decimals=2).text(Estimate(0.0, -0.001, 0.5, 0.1)) == "0.00 (0.00 to 0.50)"
    assert share("hands won").value_text(float("nan")) == "–"


def test_a_paragraph_or_section_is_there_if_what_it_needs_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# $a\n\n[b] only\nif $b\n\n[c] ## C\n\nof C\n\n### deeper\n\nof C too\n\n## D\n\n$$ $d"
    source = template._source
    monkeypatch.setattr(template, "_source", lambda name: text if name == "x.md" else source(name))
    assert filled("x", a="$b", b="", c="", d="\n\nd\n") == "# $b\n\n## D\n\n$ \n\nd"
    assert filled("x", a="A", b="B", c=1, d="") == "# A\n\nonly if B\n\n## C\n\nof C\n\n### deeper\n\nof C too\n\n## D\n\n$"


def test_every_template_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    names = {Path(path.name).stem for path in TEMPLATES.iterdir() if path.name.endswith(".md")}
    parts = (f"statistics_{part}" for part in ("turns", "knocks", "play_on", "cards"))
    made = {"effect_table", *parts}  # their names are put together
    assert {name for name in names - made if f'"{name}"' not in code} == set()
    assert sentence("pair") in (TEMPLATES / "sentences.toml").read_text(encoding="utf-8") and sentence("no such") == ""
    gin, table = ({entry["term"] for entry in terms(game)} for game in ("gin", "table"))
    assert gin > {"knock", "hands won"} and "hands won" in table and "knock" not in table
