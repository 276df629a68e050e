"""Games in which nobody wins any more: stopped, counted, and told wherever results are shown."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import InputError, compare, gauntlet, load_results, odds, sweep, tournament
from ginsim.cli import app
from ginsim.games.base import GAME_TALLY, HEAD, as_dict
from ginsim.games.catalog import Strategy
from ginsim.games.gin.view import View
from ginsim.simulation.play import GAMES, Work, play
from ginsim.study.kept import TALLIES, with_later_sums

NEVER, LATE = "threshold(knock=-1)", "threshold(knock=-1, draw=strict)"
STOPPED = "games were stopped unfinished after 50 hands in a row without a winner"


class Sitter:
    """A player in plain Python who never ends a hand; a game of two used to take minutes."""

    def draw(self, view: View) -> int:
        return 0

    def discard(self, view: View) -> int:
        free = view.hand & ~view.banned
        return free & -free

    def knock(self, view: View) -> int:
        return 0


@pytest.mark.parametrize("rules", ["eaai", "hollywood", "classic25(max_turns=5)"])
def test_a_comparison_tells_of_them(rules: str, tmp_path: Path) -> None:
    found = compare(NEVER, LATE, rules, deals=4, games=3)
    t = found.games_tally
    assert (t["unfinished"], t["decided"], t["margin"], t["hands"]) == (6, 0, 0, 6 * 50)
    assert found.remark.startswith(f"6 of the 6 {STOPPED}") and found.remark in str(found)
    assert found.remark in (ginsim.save(found, tmp_path) / "report.md").read_text(encoding="utf-8")
    assert load_results(tmp_path) == found


def test_other_results_tell_of_them() -> None:
    two = tournament([NEVER, LATE, "simple"], deals=4, games=2)
    assert sum(pairing.games_tally["unfinished"] for pairing in two.pairings.values()) == 4
    assert two.remark.startswith(f"4 of the 12 {STOPPED}") and two.remark in str(two)
    assert gauntlet([NEVER, LATE], [NEVER], deals=4, games=2).remark.startswith(f"8 of the 8 {STOPPED}")
    assert sweep("threshold", {"knock": [-1, 10]}, [NEVER], deals=4, games=1).remark.startswith(f"2 of the 4 {STOPPED}")
    assert odds("simple", "threshold(knock=3)", deals=100, games=2).remark == ""
    assert compare("simple", "simple", deals=4, games=2).remark == ""


def test_the_table_game_tells_of_them() -> None:
    found = compare("table_greedy", "table_random", "house(max_turns=2)", deals=4, games=2)
    assert found.games_tally["unfinished"] == 4 and found.games_tally["hands"] == 4 * 50
    assert found.remark.startswith(f"4 of the 4 {STOPPED}")


def test_players_in_plain_python_come_to_an_end() -> None:
    sitter = Strategy.of(player=Sitter())
    tally = as_dict(GAME_TALLY, play(Work((sitter, sitter), ginsim.Rules.parse("eaai(max_turns=4)"), 0, GAMES, 0, 1)).tally)
    assert (tally["unfinished"], tally["hands"]) == (2, 100)


def test_kept_games_have_the_column(tmp_path: Path) -> None:
    found = compare(NEVER, "simple", "classic25(max_turns=9)", deals=4, games=6, keep_hands=tmp_path / "hands")
    from ginsim.simulation.hands import read_parts

    kept = read_parts(tmp_path / "hands", GAMES)
    assert kept["unfinished"].sum() == found.games_tally["unfinished"]


def test_the_terminal_tells_of_them() -> None:
    words = ["compare", NEVER, LATE, "--deals", "4", "--games", "2", "--quiet"]
    shown = CliRunner().invoke(app, words).output
    assert f"4 of the 4 {STOPPED}" in " ".join(shown.split())


def test_results_of_older_versions_have_none(tmp_path: Path) -> None:
    found = compare("simple", "threshold(knock=3)", deals=4, games=2)
    sums = {"0-1": {"hands": dict(found.hands_tally), "games": {**found.games_tally}}}
    older: Any = json.loads(json.dumps(sums))
    del older["0-1"]["games"]["unfinished"]
    assert with_later_sums(older, 1) == sums
    few = {"0-1": {"hands": dict.fromkeys(HEAD, 1)}}  # neither: told when they are looked at
    assert with_later_sums(few, 1) == few
    ginsim.save(found, tmp_path)
    damaged = json.loads((tmp_path / TALLIES).read_text())
    damaged["0-1"]["games"]["unfinished"] = 3
    (tmp_path / TALLIES).write_text(json.dumps(damaged))
    with pytest.raises(InputError):
        load_results(tmp_path)
