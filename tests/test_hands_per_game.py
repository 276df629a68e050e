"""Hands per game: their intervals against the games themselves one by one, and results of versions that kept no squares."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from kept import change_sums
from scipy import stats
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.experiment.merge import merge
from ginsim.games.base import GAME_TALLY, as_dict, game_sums
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import HANDS_UNIT, Estimate
from ginsim.report.folder import save_again, save_result
from ginsim.simulation.play import GAMES, Work, play
from ginsim.study.compare import hands_of_games
from ginsim.study.criterion import NO_INTERVAL
from ginsim.study.mixture import KEY, MixtureWork

A, B, C = "threshold(knock=4)", "simple", "gin_only"
NEVER = "threshold(knock=-1)"


def retold(hands: list[list[int]]) -> tuple[float, float, float]:
    """Mean of a game and its interval, from the hands of each play of each unit: two units, a bit more and less, are added."""
    means = [sum(own) / len(own) for own in hands]
    n, mean = len(means), sum(means) / len(means)
    spread = sum((x - mean) ** 2 for x in means) / (n - 1)
    se = math.sqrt(spread / n + 2 * (HANDS_UNIT / n / len(hands[0])) ** 2)
    reach = stats.t.ppf(0.975, n - 1) * se
    return mean, max(mean - reach, 0), mean + reach


def units_of(work: Work) -> list[list[int]]:
    """Hands of each play of each unit."""
    records = play(work, keep=True).records
    assert records is not None
    column = game_of(work.rules).game_columns.index("hands")
    return [[int(row[column]) for row in records[at : at + work.plays]] for at in range(0, len(records), work.plays)]


def figures(e: Estimate) -> tuple[float, float, float]:
    return e.value, e.low, e.high


CASES = [
    (A, B, "eaai", 12), (B, B, "classic25", 5), (A, C, "hollywood(target=40)", 3), (A, B, "classic25(target=20)", 4),
    (NEVER, B, "classic25(max_turns=9)", 2), ("expert", "novice", "house(players=3)", 4),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b", "rules", "games"), CASES)
def test_the_interval_is_that_of_the_games_themselves(a: str, b: str, rules: str, games: int) -> None:
    players, played = (Strategy.parse(a), Strategy.parse(b)), rules_of(rules)
    work = Work(players, played, 5, GAMES, 0, games)
    units, tally = units_of(work), as_dict(GAME_TALLY, play(work).tally)
    assert tally["hands_sq"] == sum(sum(own) ** 2 for own in units) and tally["hands"] == sum(map(sum, units))
    records = play(work, keep=True).records
    assert records is not None
    by_rows = as_dict(GAME_TALLY, game_sums(game_of(played), records, work.lineups, 2))
    assert (by_rows["hands"], by_rows["hands_sq"]) == (tally["hands"], tally["hands_sq"])
    assert figures(hands_of_games(tally, 2)) == pytest.approx(retold(units))


def test_without_games_or_with_a_single_pair() -> None:
    none = ginsim.compare(A, B, deals=4, games=0)
    assert math.isnan(none.hands_per_game.value) and "A game" not in none.verdict()
    assert "hands per game" not in none.summary().index
    one = ginsim.compare(A, B, deals=4, games=1)
    assert one.hands_per_game.value > 0 and math.isinf(one.hands_per_game.high) and "interval unknown)." in one.verdict()
    never = ginsim.compare(NEVER, NEVER, deals=4, games=2)
    assert math.isnan(never.hands_per_game.value) and "A game" not in never.verdict()


def test_of_a_table() -> None:
    """The unit is the game with all its rotations."""
    seats = ("novice", "table_greedy", "expert")
    found = ginsim.mixture(seats, deals=10, games=5, seed=3)
    work = MixtureWork(tuple(map(Strategy.parse, seats)), rules_of(found.rules), 3, GAMES, 0, 5, KEY, seating="rotated")
    for name in seats:
        assert figures(found.hands_per_game(name)) == pytest.approx(retold(units_of(work)))


@pytest.fixture(scope="module")
def field() -> Any:
    return ginsim.tournament([A, B, C], "classic25(target=50)", deals=20, games=6, seed=3)


def test_a_ranking_tells_the_mean_over_the_games_of_a_strategy(field: Any) -> None:
    table = field.ranking().set_index("strategy")
    for i, name in enumerate(field.strategies):
        own = [pairing.games_tally for key, pairing in field.pairings.items() if i in key]
        games = sum(2 * t["pairs"] for t in own)
        assert table["hands_per_game"][name] == pytest.approx(sum(t["hands"] for t in own) / games)
        parts = [hands_of_games(t, 2) for t in own]
        below = math.hypot(*(e.value - e.low for e in parts)) / len(parts)
        assert table["hands_per_game"][name] - table["hands_per_game_low"][name] == pytest.approx(below)
    pairings = field.pairing_table()
    for row, pairing in zip(pairings.to_dict("records"), field.pairings.values(), strict=True):
        expected = figures(pairing.hands_per_game)
        assert tuple(row[f"hands_per_game{end}"] for end in ("", "_low", "_high")) == pytest.approx(expected)


def test_pages_tables_and_formats_show_it(field: Any, tmp_path: Path) -> None:
    page = (save_result(field, tmp_path) / "report.md").read_text(encoding="utf-8")
    heads = [line for line in page.splitlines() if "| hands per game |" in line]
    assert len(heads) == 2  # the ranking, and the pairings
    with (tmp_path / "ranking.csv").open() as file:
        assert all(float(row["hands_per_game_low"]) < float(row["hands_per_game"]) for row in csv.DictReader(file))
    words = ["compare", A, B, "--rules", "classic25(target=50)", "--deals", "20", "--games", "6", "--quiet", "--format", "json"]
    shown = json.loads(CliRunner().invoke(app, words).stdout)
    (row,) = [row for row in shown["summary"] if row["measure"] == "hands per game"]
    assert f"A game takes {row['estimate']:.2f} hands on average (95 % interval {row['low']:.2f} to" in shown["answer"]


def without_squares(tree: Any) -> Any:
    """Sums as they were before."""
    if isinstance(tree, dict):
        return {name: without_squares(own) for name, own in tree.items() if name != "hands_sq"}
    return tree


def older(folder: Path) -> Path:
    """The result of a folder as an older version kept it."""

    def change(sums: dict[str, Any]) -> None:
        kept = without_squares(sums)
        sums.clear()
        sums.update(kept)

    change_sums(folder, change)
    return folder


MADE: dict[str, Callable[[], Any]] = {
    "compare": lambda: ginsim.compare(A, B, "classic25(target=50)", deals=20, games=4),
    "tournament": lambda: ginsim.tournament([A, B, C], "classic25(target=50)", deals=20, games=4),
    "gauntlet": lambda: ginsim.gauntlet([A, B], [C], "classic25(target=50)", deals=20, games=4),
    "sweep": lambda: ginsim.sweep("threshold", {"knock": [0, 10]}, [B], "classic25(target=50)", deals=20, games=4),
    "mixture": lambda: ginsim.mixture(["novice", "expert"], deals=6, games=2),
    "odds": lambda: ginsim.odds(A, B, "classic25(target=50)", deals=60, games=4),
}


@pytest.mark.parametrize("kind", MADE)
def test_older_results_show_the_mean_alone(kind: str, tmp_path: Path) -> None:
    new = MADE[kind]()
    old = ginsim.load_results(older(save_result(new, tmp_path)))
    assert without_squares(new.game_sums[0]) == old.game_sums[0] and "hands_sq" not in old.game_sums[0]
    save_again(tmp_path)
    assert ginsim.load_results(tmp_path) == old  # and it is not made up when it is written again
    if kind == "odds":  # games only check them
        return
    assert NO_INTERVAL in old.remark and NO_INTERVAL not in new.remark
    tables = (new.summary(), old.summary())
    for name in tables[0].columns:
        one, other = (table[name].to_numpy() for table in tables)
        if name.startswith("hands_per_game_"):
            assert np.isnan(other.astype(float)).all() and np.isfinite(one.astype(float)).all()
        elif kind != "compare":
            assert (one == other).all()
    if kind == "compare":
        differ = tables[0].compare(tables[1], keep_equal=False)
        assert differ.index.tolist() == ["hands per game"] and set(differ.columns.get_level_values(0)) == {"low", "high"}
        assert old.verdict() == new.verdict().partition(" hands on average")[0] + " hands on average."
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert NO_INTERVAL in page and "unknown" not in page


def test_merged_with_an_older_one_they_have_no_interval(tmp_path: Path) -> None:
    for seed in (1, 2):
        save_result(ginsim.compare(A, B, "classic25(target=50)", deals=20, games=4, seed=seed), tmp_path / str(seed))
    old = older(tmp_path / "1")
    merge([old, tmp_path / "2"], tmp_path / "all", save_result)
    merge([tmp_path / "2", old], tmp_path / "turned", save_result)
    found = ginsim.load_results(tmp_path / "all")
    assert found.games_tally == ginsim.load_results(tmp_path / "turned").games_tally and "hands_sq" not in found.games_tally
    assert found.games_tally["hands"] == sum(ginsim.load_results(tmp_path / s).games_tally["hands"] for s in ("1", "2"))


@pytest.mark.parametrize("kind", ["compare", "gauntlet", "mixture"])
def test_impossible_squares_are_refused(kind: str, tmp_path: Path) -> None:
    def change(tree: dict[str, Any]) -> None:
        for own in tree.values():
            if isinstance(own, dict):
                change(own)
        if "hands_sq" in tree:
            tree["hands_sq"] = tree["hands"] // 2

    change_sums(save_result(MADE[kind](), tmp_path), change)
    with pytest.raises(ginsim.InputError, match=r"hands=.* is impossible with squares that add up to"):
        ginsim.load_results(tmp_path)
