"""``ginsim warm`` compiles all that the commands need; who compiles without it hears why it takes a while."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numba
import pytest
from typer.testing import CliRunner

from ginsim import compiling
from ginsim.cli import app
from ginsim.warm import parts

ROOT = Path(__file__).parent.parent
HAND = "8H 8D 8C 5S 6S 7S AD 4C 9H QS"
COMMANDS = (
    ("eval", f"{HAND} KC"),
    ("compare", "simple", "threshold", "--deals", "20", "--games", "2"),
    ("compare", "champion", "champion_rollout(rollouts=4)", "--deals", "1", "--games", "1", "--control"),
    ("compare", "aggressive", "random", "--deals", "20", "--games", "1", "--until", "decided"),
    ("compare", "expert", "novice", "--rules", "house", "--deals", "5", "--games", "1"),
    ("tournament", "simple", "threshold", "gin_only", "--deals", "5", "--games", "2"),
    ("effect", "eaai", "eaai(gin_bonus=20)", "--deals", "5"),
    ("effect", "house", "house(players=3)", "--strategies", "table_greedy", "--deals", "5"),
    ("replay", "simple", "champion", "--deal", "1"),
    ("record", "hand.txt"),
    ("replay", "expert", "novice", "--deal", "1", "--rules", "house"),
    ("advise", HAND, "--upcard", "KC", "--rollouts", "4"),
    ("advise", HAND, "--rules", "house", "--pile", "KC QC 2C", "--rollouts", "4"),
    ("advise", HAND, "--rules", "house", "--drawn", "9H", "--rollouts", "4"),
    ("advise", HAND, "--rules", "house", "--claim", "8S", "--rollouts", "4"),
    ("stats", "--strategy", "champion", "--deals", "5"),
    ("odds", "simple", "champion", "--deals", "20"),
    ("compare", "learned", "simple", "--deals", "5", "--games", "1"),
    ("compare", "strong_rollout(rollouts=4)", "learned", "--deals", "1", "--games", "1"),
    ("opponent", "champion", "simple", "--deals", "10"),
    ("exact", "deadwood", "--rules", "classic25(ranks=6)"),
)


@pytest.fixture
def told() -> Iterator[list[int]]:
    """The seconds that were foretold for what was compiled during a test."""
    heard: list[int] = []
    compiling.listeners.append(heard.append)
    yield heard
    compiling.listeners.clear()


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, (words, result.output)
    return result.output


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_nothing_is_left_to_compile(told: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    told_so = run("warm")
    assert "everything is compiled, after" in told_so or "everything was compiled already" in told_so
    compiling.listeners.append(told.append)  # the command has a bar of its own, so it tells nobody
    told.clear()
    (tmp_path / "hand.txt").write_text(run("replay", "simple", "simple", "--deal", "7", "--format", "record"), encoding="utf-8")
    for words in COMMANDS:
        run(*words)
        assert not told, words


def test_quiet_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.commands.warm.parts", lambda: [("nothing", int)])
    assert run("warm", "--quiet") == ""


def test_parts_have_names() -> None:
    names = [name for name, _ in parts()]
    assert len(set(names)) == len(names) > 3


@pytest.mark.parametrize(
    ("module", "seconds"),
    [("ginsim.games.gin.rollout.decisions", 20), ("ginsim.games.gin.hand", 10), ("ginsim.melds", 3), ("my_file", 3)],
)
def test_how_long_it_takes(module: str, seconds: int, told: list[int]) -> None:
    compiling.begin(module)
    assert told == [seconds]


def test_a_command_says_once_that_it_compiles(tmp_path: Path) -> None:
    def errors(*words: str) -> str:
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "ginsim", "eval", *words]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stderr

    assert errors(HAND) == "compiling once, about 3 s; ginsim warm compiles everything ahead of time\n"
    assert errors(HAND) == ""
