"""The front page of results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import InputError, gallery
from ginsim.cli import app
from ginsim.report.gallery import MADE, entries

RESULTS = Path(__file__).parent.parent / "results"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, play in (("b", lambda: ginsim.compare("simple", "gin_only", deals=20, games=0, workers=1)),
                       ("a", lambda: ginsim.statistics(["simple"], deals=20, workers=1))):  # fmt: skip
        ginsim.save(play(), tmp_path / name, title=f"Study {name}", question=f"Who, {name}?")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_each_study_has_its_question_answer_and_picture(folder: Path) -> None:
    text = gallery(folder).read_text()
    played = ginsim.load_results(folder / "b")
    assert text.index("## Who is better, and why") < text.index("[Study b](b/report.md)")
    assert text.index("## How hands and games go") < text.index("[Study a](a/report.md)")
    assert "*Who, b?*" in text and played.verdict() in text.replace("`", "") and 'src="b/' in text
    assert all((folder / entry.folder / entry.picture).is_file() for entry in entries(folder))
    assert gallery(folder).read_text() == text  # what it made itself is replaced


def test_a_page_written_by_hand_stays(folder: Path) -> None:
    (folder / "README.md").write_text("# Mine\n")
    with pytest.raises(InputError, match=r"README\.md was not made by ginsim gallery; move it away first"):
        gallery(folder)
    assert (folder / "README.md").read_text() == "# Mine\n"


@pytest.mark.parametrize("where", ["nowhere", "empty", "a/report.md"])
def test_where_there_is_nothing_to_show(folder: Path, where: str) -> None:
    result = CliRunner().invoke(app, ["gallery", str(folder / where)])
    assert result.exit_code == 2 and "results: " in result.output


def test_the_page_of_the_shipped_results_is_up_to_date() -> None:
    page = (RESULTS / "README.md").read_text()
    assert page.startswith(MADE)
    found = entries(RESULTS)
    assert len(found) == sum(path.is_dir() for path in RESULTS.iterdir())
    assert all(str(entry) in page for entry in found)


@pytest.mark.parametrize("name", sorted(path.parent.name for path in RESULTS.glob("*/manifest.json")))
def test_pages_give_the_answer_of_today(name: str) -> None:
    """Who changes a sentence writes the pages again."""
    assert f"**Answer.** {ginsim.load_results(RESULTS / name).verdict()}\n" in (RESULTS / name / "report.md").read_text()


@pytest.mark.parametrize("page", sorted(RESULTS.rglob("report.md")), ids=lambda page: str(page.parent.relative_to(RESULTS)))
def test_commands_of_pages_work_in_any_checkout(page: Path) -> None:
    words = [word for block in re.findall(r"```sh\n(.*?)```", page.read_text(encoding="utf-8"), re.S) for word in block.split()]
    assert words and not [word for word in words if word.startswith(("/", "~"))]
