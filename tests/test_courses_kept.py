"""Courses that parts of a study keep for merging: never others than those that were played; and wrong input of solved knocks."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.commands.benchfile import check_out, read_kept
from ginsim.errors import InputError
from ginsim.solving.cells import Cells

MAP = """kind = "map"
adapt = "knock"
strategies = ["threshold"]
x = {field = "gin_bonus", values = [0, 25]}
y = {field = "undercut_bonus", values = [0, 10]}
deals = 100
"""


def ran(*words: Any) -> Any:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("parts")
    (folder / "map.toml").write_text(MAP)
    other = "--part", "2/2", "--seed", "1"
    for out, more in (("a", ("--part", "1/2")), ("b", ("--part", "2/2")), ("other", other), ("whole", ())):
        assert ran("run", folder / "map.toml", "--out", folder / out, "-q", *more).exit_code == 0
    return folder


def test_merged_parts_are_the_whole(parts: Path, tmp_path: Path) -> None:
    assert ran("merge", parts / "a", parts / "b", "--out", tmp_path / "all").exit_code == 0
    assert (tmp_path / "all" / "tallies.json").read_text() == (parts / "whole" / "tallies.json").read_text()


@pytest.mark.parametrize("how", ["other seed", "cut short", "missing"])
def test_courses_of_another_run_are_not_merged(parts: Path, tmp_path: Path, how: str) -> None:
    b = shutil.copytree(parts / "b", tmp_path / "b")
    part = min((b / "courses").iterdir())
    if how == "missing":
        part.unlink()
    else:
        found = (parts / "other" / "courses" / part.name).read_bytes()
        part.write_bytes(found if how == "other seed" else found[:100])
    result = ran("merge", parts / "a", b, "--out", tmp_path / "all")
    assert result.exit_code == 2 and part.name in result.stderr and f"remove {b / 'courses'}" in result.stderr
    shutil.rmtree(b / "courses")
    assert ran("merge", parts / "a", b, "--out", tmp_path / "all").exit_code == 0
    assert (tmp_path / "all" / "tallies.json").read_text() == (parts / "whole" / "tallies.json").read_text()


def test_a_changed_chart_is_not_taken_for_the_one_that_played(tmp_path: Path) -> None:
    chart = tmp_path / "chart.json"
    chart.write_text(json.dumps({"known": [], "cell": [0, 1], "knock": [1.0, 1.0]}))
    spec = f'custom(stop=chart, chart="{chart}")'
    for seed in (0, 1):
        out = tmp_path / str(seed)
        assert ran("solve", spec, "--deals", 100, "--seed", seed, "--out", out, "-q").exit_code == 0
    assert ran("report", tmp_path / "0").exit_code == 0  # what it says of its courses is kept
    chart.write_text(json.dumps({"known": [], "cell": [5], "knock": [1.0]}))
    result = ran("merge", tmp_path / "0", tmp_path / "1", "--out", tmp_path / "all")
    assert result.exit_code == 2 and "has changed since" in result.stderr


def test_a_part_has_two_deals(tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP)
    result = ran("run", tmp_path / "map.toml", "--out", tmp_path / "a", "--part", "2/100")
    assert result.exit_code == 2 and "cut 100 deals into 50 parts at most" in result.stderr


def test_solve_starts_over(tmp_path: Path) -> None:
    words = "solve", "threshold", "--out", tmp_path / "a", "-q", "--deals"
    assert ran(*words, 100).exit_code == 0
    assert ran(*words, 120).exit_code == 2
    assert ran(*words, 120, "--fresh").exit_code == 0


@pytest.mark.parametrize("known", [5, True, [["deadwood"]]])
def test_what_is_known_are_names(known: Any) -> None:
    with pytest.raises(InputError, match=r"^knows: "):
        Cells.of(known)


def test_a_figure_has_a_name() -> None:
    with pytest.raises(InputError, match=r"^figure: there is no"):
        ginsim.solve("threshold", deals=100).figure(["value"])  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_bench_waits_for_no_pipe(tmp_path: Path) -> None:
    os.mkfifo(pipe := tmp_path / "pipe.json")
    with pytest.raises(InputError, match="not a regular file"):
        read_kept(pipe)
    with pytest.raises(InputError, match=r"^out: .* is not a regular file"):
        check_out(pipe)
    with pytest.raises(InputError, match=r"^against: .*missing\.json cannot be read"):
        read_kept(tmp_path / "missing.json")


PLAIN = """
from pathlib import Path
import ginsim

Path({ran!r}).touch()


class Plain:
    def draw(self, view):
        return ginsim.deadwood(view.hand | view.upcard) < ginsim.deadwood(view.hand)

    def discard(self, view):
        cards = ginsim.best_discard(view.hand, banned=view.banned).cards
        return cards & -cards

    def knock(self, view):
        return True
"""


def test_a_merge_runs_no_file_that_a_result_names(tmp_path: Path) -> None:
    was_run, plain = tmp_path / "ran", tmp_path / "plain.py"
    plain.write_text(PLAIN.format(ran=str(was_run)))
    (tmp_path / "own.toml").write_text(f'kind = "solve"\nstrategy = "{plain}:Plain"\ndeals = 200\n')
    for out, part in (("a", "1/2"), ("b", "2/2"), ("whole", "1/1")):
        assert ran("run", tmp_path / "own.toml", "--out", tmp_path / out, "-q", "--part", part).exit_code == 0
    was_run.unlink()
    assert ran("merge", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "all").exit_code == 0
    assert (tmp_path / "all" / "tallies.json").read_text() == (tmp_path / "whole" / "tallies.json").read_text()
    shutil.rmtree(tmp_path / "b" / "courses")
    refused = ran("merge", tmp_path / "a", tmp_path / "b", "--out", tmp_path / "none")
    assert refused.exit_code == 2 and "would run the file of" in refused.output
    assert not was_run.exists()
