"""What the README and the guide show works as printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ginsim.cli import app
from ginsim.games.gin.recorded.notation import parse_hands
from ginsim.games.gin.recorded.walk import walk
from ginsim.guide import about, page, topics
from ginsim.version import __version__

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDE = [page(topic) for topic in topics()]
TEXT = "\n".join((README, *GUIDE))


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_eval_prints_what_the_readme_shows() -> None:
    shown = next(block for block in blocks("console") if "ginsim eval" in block)
    result = CliRunner().invoke(app, ["eval", "8H 8D 8C 5S 6S 7S AD 4C 9H QS"])
    assert result.output.strip() == shown.split("\n", 1)[1].strip()


def test_the_hand_written_down_is_one() -> None:
    (hand,) = parse_hands(next(block for block in blocks("text") if block.startswith("rules: ")))
    assert str(walk(hand).outcome) == "A 39 knock (8 against 47)"


def test_python_lines_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = next(block for block in blocks("python") if block.startswith("import ginsim"))
    monkeypatch.chdir(tmp_path)
    exec(code.replace("deals=100_000", "deals=200"), {})  # noqa: S102
    assert (tmp_path / "somewhere" / "report.md").exists()


def test_a_hand_is_played_from_python(capsys: pytest.CaptureFixture[str]) -> None:
    exec(next(block for block in blocks("python") if block.startswith("from ginsim import Table")), {})  # noqa: S102
    printed = capsys.readouterr().out
    (hand,) = parse_hands(printed[printed.index("\nrules: ") :])
    assert hand.names == ("me", "simple")
    assert walk(hand).outcome is not None


def test_a_strategy_of_your_own_plays(tmp_path: Path) -> None:
    from ginsim.study.compare import compare

    file = tmp_path / "my_strategy.py"
    file.write_text(next(block for block in blocks("python") if block.startswith("# my_strategy.py")), encoding="utf-8")
    assert len(file.read_text().splitlines()) < 30
    result = compare(f"{file}:hurried(early=5)", "simple", deals=200, games=0)
    assert result.hand_count == 400


def test_a_plain_python_strategy_plays(tmp_path: Path) -> None:
    from ginsim.study.compare import compare

    file = tmp_path / "plain.py"
    file.write_text(next(block for block in blocks("python") if block.startswith("# plain.py")), encoding="utf-8")
    assert compare(f"{file}:Plain(knock=4)", "simple", deals=5, games=0).hand_count == 10


def test_experiment_shown_is_valid(tmp_path: Path) -> None:
    from ginsim.experiment.reading import load_experiment

    file = tmp_path / "shown.toml"
    strategy = tmp_path / "my_strategy.py"
    strategy.write_text(next(block for block in blocks("python") if block.startswith("# my_strategy.py")), encoding="utf-8")
    file.write_text(blocks("toml")[0].replace("my_strategy.py", str(strategy)), encoding="utf-8")
    load_experiment(file)


def test_files_named_exist() -> None:
    for name in re.findall(r"\]\(([\w./]+)\)|`(ginsim/[\w./]*)`", TEXT):
        path = next(filter(None, name))
        assert (ROOT / path).exists(), path
    for name in re.findall(r"\[((?:results|experiments|notebooks)/[\w./]*)\]", "\n".join(GUIDE)):
        assert (ROOT / name).exists(), name


def test_the_readme_opens_the_door_and_stops() -> None:
    assert len(README.splitlines()) < 150
    assert all(f"(ginsim/guide/{topic}.md)" in README for topic in topics())


def test_the_guide_lists_its_pages_and_prints_each() -> None:
    listed = CliRunner().invoke(app, ["guide"]).output
    for topic in topics():
        assert topic in listed and about(topic)[:40] in listed
        assert CliRunner().invoke(app, ["guide", topic]).output == page(topic)
    refused = CliRunner().invoke(app, ["guide", "knock"])
    assert refused.exit_code == 2 and "topic: there is no 'knock'; did you mean 'knocking'?" in refused.output


def test_commands_of_the_guide_are_commands() -> None:
    commands = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    commands |= {group.name for group in app.registered_groups}
    named = set(re.findall(r"(?:`|\n|\$ )ginsim ([a-z]+)\b", TEXT.replace("\nginsim answers", "")))
    assert len(named) > 25 and named <= commands


def test_what_is_cited_is_this_version() -> None:
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
