"""Gauntlets, sweeps and factorial designs: what is played, figures against a retelling by pandas, pictures and pages."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

import ginsim
from ginsim import InputError, factorial, gauntlet, load_results, plots, sweep
from ginsim.games.base import GAME_TALLY
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.rules import Rules
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.study.compare import compare
from ginsim.study.grid import Factorial, Gauntlet, GauntletExperiment, Grid, GridWork, Sweep, cells_of, check_axes
from tests.kept import change_sums

DEALS = 300


@pytest.fixture(scope="module")
def field() -> Gauntlet:
    players, opponents = ["threshold(knock=4)", "simple", "threshold(knock=0)"], ["threshold(knock=10)", "gin_only"]
    return gauntlet(players, opponents, "eaai", deals=DEALS, seed=3, games=10)


@pytest.fixture(scope="module")
def curve() -> Sweep:
    over = {"knock": {"from": 0, "to": 10, "step": 5}}
    return sweep("threshold", over, ["simple", "threshold(knock=4)"], deals=DEALS, seed=3)


@pytest.fixture(scope="module")
def plane() -> Sweep:
    return sweep("threshold", {"knock": [0, 10], "rules.gin_bonus": [0, 25, 50]}, ["simple"], deals=DEALS, seed=3)


FACTORS: dict[str, Any] = {"draw": ["meld", "strict"], "knock": ["(knock=4)", "(knock_by_turn=[10, 0])", "(knock=10)"]}


@pytest.fixture(scope="module")
def design() -> Factorial:
    return factorial("threshold", FACTORS, ["simple", "threshold(knock=4)"], deals=DEALS, seed=3)


def gains(grid: Grid) -> np.ndarray:
    """Points per hand of every pair, cell and opponent by itself: float64[opponents, deals, cells]."""
    found = np.zeros((len(grid.opponents), grid.deals, len(grid.players)))
    for (k, player), (j, opponent) in itertools.product(enumerate(grid.players), enumerate(grid.opponents)):
        a, b, rules = Strategy.parse(player), Strategy.parse(opponent), Rules.parse(grid.cell_rules[k])
        assert isinstance(grid.seed, int)
        records = play(Work((a, b), rules, grid.seed, HANDS, j * grid.deals, grid.deals), keep=True).records
        assert records is not None
        winner, points = (records[:, H.COLUMNS.index(name)] for name in ("winner", "points"))
        sign = np.where(winner == 0, 1, np.where(winner == 1, -1, 0))
        found[j, :, k] = (sign * points).reshape(-1, 2).mean(axis=1)
    return found


def estimate_of(values: np.ndarray) -> tuple[float, float, float]:
    """Mean over opponents and deals with its interval, float64[opponents, deals] given.

    Two pairs are added to each of the decks, 25 points off.
    """
    n, opponents = values.shape[1], values.shape[0]
    se = math.sqrt(sum(own.var(ddof=1) / n + 2 * (25 / 2 / n) ** 2 for own in values)) / opponents
    mean, reach = float(values.mean()), float(student.ppf(0.975, n - 1)) * se
    return mean, mean - reach, mean + reach


def same(e: Any, values: np.ndarray) -> None:
    assert (e.value, e.low, e.high) == pytest.approx(estimate_of(values), abs=1e-9)


@pytest.mark.parametrize("name", ["field", "curve", "plane", "design"])
def test_figures_are_those_of_the_pairs(name: str, request: pytest.FixtureRequest) -> None:
    grid: Grid = request.getfixturevalue(name).judged_by("points_per_hand")
    pairs = gains(grid)
    for k in range(len(grid.players)):
        same(grid.estimate(k), pairs[:, :, k])
        for other in set(range(len(grid.players))) - {k}:
            same(grid.difference(k, other), pairs[:, :, k] - pairs[:, :, other])
    weights = np.random.default_rng(1).normal(size=len(grid.players))
    same(grid.contrast(weights), pairs @ weights)
    best = grid.order()[0]
    assert best == int(pairs.mean(axis=(0, 1)).argmax())
    told = {k for k in range(len(grid.players)) if k != best and estimate_of(pairs[:, :, best] - pairs[:, :, k])[1] > 0}
    assert set(grid.like_best()) == set(range(len(grid.players))) - told - {best}


def test_effects_are_those_of_a_full_design(design: Factorial) -> None:
    """Main effects and interactions by hand, from the table of cell means of every pair."""
    pairs = gains(design).reshape(2, DEALS, 2, 3)
    grand = pairs.mean(axis=(2, 3))
    draws, knocks = pairs.mean(axis=3), pairs.mean(axis=2)
    for i in range(2):
        same(design.effect((0,), (i,)), draws[:, :, i] - grand)
    for k in range(3):
        same(design.effect((1,), (k,)), knocks[:, :, k] - grand)
    for i, k in itertools.product(range(2), range(3)):
        rest = pairs[:, :, i, k] - draws[:, :, i] - knocks[:, :, k] + grand
        same(design.effect((0, 1), (i, k)), rest)
    table = design.effects()
    assert table["term"].tolist() == ["draw"] * 2 + ["knock"] * 3 + ["draw × knock"] * 6
    assert table.groupby("term")["effect"].sum().abs().max() < 1e-9
    assert (table["p_holm"] >= table["p"]).all() and (table["clear"] == (table["p_holm"] < 0.05)).all()


def test_shares_add_up(design: Factorial) -> None:
    shares = design.shares()
    assert shares["term"].tolist() == ["draw", "knock", "draw × knock"]
    assert shares["share"].sum() == pytest.approx(1)
    means = np.array([design.estimate(k).value for k in range(6)])
    table = design.effects()
    squares = {"draw": 3, "knock": 2, "draw × knock": 1}
    for term, times in squares.items():
        own = times * (table["effect"][table["term"] == term] ** 2).sum()
        assert shares["share"][shares["term"] == term].iloc[0] == pytest.approx(own / ((means - means.mean()) ** 2).sum())


def test_cells_are_comparisons(field: Gauntlet) -> None:
    """Against the first opponent a cell is what compare plays; the second has decks of its own."""
    alone = compare("simple", "threshold(knock=10)", "eaai", deals=DEALS, seed=3, games=10)
    assert field.cells[1, 0] == alone
    of = GauntletExperiment(challengers=["simple"], opponents=["gin_only", "random"], rules="eaai", deals=30, games=4, seed=3)
    assert [(w.key, w.phase, w.first, w.count) for w in of.works()] == [
        ("0", HANDS, 0, 30), ("0", GAMES, 0, 4), ("1", HANDS, 30, 30), ("1", GAMES, 4, 4),
    ]  # fmt: skip


@pytest.mark.parametrize("phase", [HANDS, GAMES])
def test_tallies_of_ranges_add_up(phase: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = cells_of("threshold", Rules(), {"knock": [0, 4], "rules.gin_bonus": [0, 25]})
    opponent = Strategy.parse("simple")
    work = GridWork((cells[0][0], opponent), Rules(), 5, phase, 0, 40, "0", cells=tuple(cells))
    whole = work.carry_out()
    parts = [work.part(0, 13).carry_out(), work.part(13, 27).carry_out()]
    np.testing.assert_array_equal(whole.tally, parts[0].tally + parts[1].tally)
    monkeypatch.setattr("ginsim.study.grid.PAIRS", 7)
    np.testing.assert_array_equal(whole.tally, work.carry_out().tally)
    names = HAND_TALLY if phase == HANDS else GAME_TALLY
    for k, (player, rules) in enumerate(cells):
        own = play(Work((player, opponent), rules, 5, phase, 0, 40)).tally
        np.testing.assert_array_equal(whole.tally[k * len(names) : (k + 1) * len(names)], own)
    hands = 40 * 2 * 4 if phase == HANDS else sum(whole.tally[k * len(names) + names.index("hands")] for k in range(4))
    assert work.hands_in(whole.tally) == hands


# --- what may be asked -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"from": 0, "to": 10}, list(range(11))),
        ({"from": 0, "to": 10, "step": 4}, [0, 4, 8]),
        ({"from": 0.1, "to": 0.3, "step": 0.1}, [0.1, 0.2, 0.3]),
        ([3, 1], [3, 1]),
        (range(3), [0, 1, 2]),
        (["meld", "(draw=strict)"], ["meld", "(draw=strict)"]),
    ],
)
def test_values_of_an_axis(given: Any, values: list[Any]) -> None:
    assert check_axes("over", {"x": given}, 1, 2) == {"x": values}


@pytest.mark.parametrize(
    ("axes", "complaint"),
    [
        ({}, "over: {} is not allowed; give 1 to 2 parameters"),
        ({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, "give 1 to 2 parameters"),
        ([1], r"over: \[1\] is not allowed"),
        ({"a": [1]}, r"over.a: \[1\] is not allowed; give two or more different values"),
        ({"a": [1, 1]}, "two or more different values"),
        ({"a": 5}, "over.a: 5 is not allowed; give a list of values"),
        ({"a": "meld"}, "give a list of values"),
        ({"a": {"from": 0}}, r"give {from = …, to = …, step = …} with numbers"),
        ({"a": {"from": 0, "to": "x"}}, "with numbers"),
        ({"a": {"from": 0, "to": 10, "step": 0}}, "has 0 values; give 2 to 256"),
        ({"a": {"from": 0, "to": math.inf}}, "has 0 values"),
        ({"a": {"from": 0, "to": 1e9}}, "has 1000000001 values"),
        ({"a": list(range(100)), "b": list(range(100))}, "10000 combinations; at most 256"),
    ],
)
def test_bad_axes(axes: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        check_axes("over", axes, 1, 2)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: sweep("threshold", {"knok": [1, 2]}, ["simple"]), "no parameter 'knok'"),
        (lambda: sweep("threshold", {"rules.gin_bonos": [1, 2]}, ["simple"]), "gin_bonus"),
        (lambda: sweep("threshold", {"rules.knock_limit": [1, -2]}, ["simple"]), "knock_limit=-2"),
        (
            lambda: sweep("threshold", {"rules.knock_limit": [1, 2]}, ["simple"], rules="oklahoma"),
            "are the same player under the same rules",
        ),
        (
            lambda: factorial("threshold", {"rules.knock_limit": [0, 5], "rules.tie": ["push", "knocker"]}, ["simple"]),
            "are the same player under the same rules",
        ),
        (lambda: sweep("threshold", {"knock": [1, 2]}, []), "opponents: needs at least 1; 0 given"),
        (lambda: sweep("threshold", {"knock": [1, 2]}, ["simple", "simple"]), "opponents: simple is listed twice"),
        (lambda: gauntlet([], ["simple"]), "challengers: needs at least 1; 0 given"),
        (lambda: gauntlet(["simple", "simple"], ["random"]), "challengers: simple is listed twice"),
        (lambda: gauntlet(["simple"], ["random"], deals=0), "deals: 0 is not allowed"),
        (lambda: factorial("threshold", {"knock": [1, 2]}, ["simple"]), "give 2 to 6 parameters"),
        (
            lambda: factorial("threshold", {"knock": [1, 2], "style": ["(knock=3)", "(draw=meld)"]}, ["simple"]),
            r"style: '\(knock=3\)' sets knock, and so does knock",
        ),
    ],
)
def test_bad_input(call: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        call()


def test_values_of_numpy() -> None:
    wanted = sweep("threshold", {"knock": [0, 4]}, ["simple"], deals=2)
    assert sweep("threshold", {"knock": np.array([0, 4])}, ("simple",), deals=2) == wanted
    by_step: Any = {"from": np.int64(0), "to": np.int64(4), "step": 4}
    assert sweep("threshold", {"knock": by_step}, ["simple"], deals=np.int64(2)) == wanted


def test_levels_may_set_several_parameters() -> None:
    axes: Any = {"stop": ["(knock=4, draw=meld)", "(knock_by_turn=[1, 2])"], "rules.tie": ["push", "knocker"]}
    cells = cells_of("threshold(draw=strict)", Rules(), axes)
    assert [(str(player), rules.tie) for player, rules in cells] == [
        ("threshold(draw=meld, knock=4)", "push"), ("threshold(draw=meld, knock=4)", "knocker"),
        ("threshold(draw=strict, knock_by_turn=[1, 2])", "push"), ("threshold(draw=strict, knock_by_turn=[1, 2])", "knocker"),
    ]  # fmt: skip


# --- in words and on disk ----------------------------------------------------------------------------------------------


def test_verdicts(field: Gauntlet, curve: Sweep, design: Factorial) -> None:
    best = field.order()[0]
    assert field.verdict().startswith(f"{field.players[best]} does best against threshold(knock=10), gin_only: ")
    assert ("cannot be told apart from" in field.verdict()) == bool(field.like_best())
    assert curve.labels() == ["knock=0", "knock=5", "knock=10"]
    assert "Of the factors, knock matters most" in design.verdict()
    alone = gauntlet(["simple"], ["random"], deals=50)
    assert alone.verdict().endswith("classic25).")


def test_rules_are_not_ranked() -> None:
    """Players choose how to play, not the rules: strategies are compared under each set of rules."""
    both = sweep("threshold", {"knock": [0, 10], "rules.gin_bonus": [0, 50]}, ["simple"], deals=300, seed=3)
    text = both.verdict()
    head = "Against simple, in points per hand with 95 % intervals"
    assert text.startswith(f"{head}, knock=0 is clearly the best under each of the 2 sets of rules: from +")
    assert text.index("under classic25(gin_bonus=0) to +") < text.index("under classic25(gin_bonus=50)")
    few = sweep("threshold", {"knock": [8, 10], "rules.gin_bonus": [0, 50]}, ["simple"], deals=30, seed=3).verdict()
    assert few.startswith(f"{head}, the best under each set of rules: under classic25(gin_bonus=0) knock=")
    assert "not told apart from knock=" in few
    assert {both.cell_rules[k] == both.cell_rules[best] for k, best in both.best_of.items()} == {True}
    table = both.table()
    assert (table["behind_best"] == 0).sum() == 2 and (table["behind_best"] >= 0).all()
    assert "the best under each set of rules" in plots.sweep_map(both).get_title(loc="left")
    rules_only = sweep("threshold", {"rules.gin_bonus": [0, 50]}, ["simple"], deals=100)
    assert ", threshold scores: under classic25(gin_bonus=0) +" in rules_only.verdict().replace("-", "+")
    assert all("best" not in text for text in plots.sweep_curve(rules_only).get_legend_handles_labels()[1])
    design = factorial("threshold", {"knock": [0, 10], "rules.gin_bonus": [0, 50]}, ["simple"], deals=100)
    assert design.verdict().startswith("Against simple, in points per hand")


def test_few_deals_have_no_interval(tmp_path: Path) -> None:
    once = sweep("threshold", {"knock": [0, 10]}, ["simple"], deals=1)
    assert once.estimate(0).low == -math.inf and not once.difference(0, 1).decided
    assert "unknown" in once.verdict() and "unknown" in str(once)
    assert load_results(ginsim.save(once, tmp_path)) == once


@pytest.mark.parametrize("name", ["field", "curve", "plane", "design"])
def test_folder(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    grid: Grid = request.getfixturevalue(name)
    folder = ginsim.save(grid, tmp_path / "a", title="T", question="Q?")
    again = load_results(folder)
    assert again == grid and type(again) is type(grid)
    assert again.verdict() == grid.verdict()
    page = (folder / "report.md").read_text()
    assert page.startswith(f"# T\n\nQ?\n\n**Answer.** {grid.verdict()}")
    for label in grid.labels():
        assert f"| `{label}` | " in page
    pictures = [part.partition(")")[0] for part in page.split("](")[1:] if part.partition(")")[0].endswith(".png")]
    assert pictures and all((folder / picture).is_file() for picture in pictures)
    command = json.loads((folder / "manifest.json").read_text())["command"]

    call = command.removeprefix("python -c 'import ginsim; ginsim.save(").removesuffix(', "result")\'')
    assert eval(call, {"ginsim": ginsim}) == grid
    assert dataclasses.replace(grid, deals=grid.deals + 1) != grid


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t.update({"7": t["0"]}), "opponent 7 is not known"),
        (lambda t: t["0"]["hands"].pop("1"), "opponent 0: hands: cell 1 is missing"),
        (lambda t: t["0"]["products"][0].__setitem__(0, 5), "products do not match"),
        (lambda t: t["0"]["products"].pop(), "products do not match"),
        (lambda t: t["0"]["hands"]["1"].update(won=10**6), "won=1000000 is impossible"),
    ],
)
def test_damaged_sums(change: Any, complaint: str, plane: Sweep, tmp_path: Path) -> None:
    folder = ginsim.save(plane, tmp_path)
    change_sums(folder, change)
    with pytest.raises(InputError, match=complaint):
        load_results(folder)


# --- pictures ----------------------------------------------------------------------------------------------------------


def test_curve(curve: Sweep) -> None:
    ax = plots.sweep_curve(curve)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("knock", "points per hand")
    line = next(line for line in ax.lines if line.get_label() == "mean over the opponents")
    assert line.get_xdata().tolist() == [0, 5, 10]  # type: ignore[union-attr]
    assert line.get_ydata() == pytest.approx([curve.estimate(k).value for k in range(3)])
    band = ax.collections[0].get_paths()[0].vertices
    assert min(band[:, 1]) == pytest.approx(min(curve.estimate(k).low for k in range(3)))  # type: ignore[index]
    assert plots.sweep_curve(curve, "hands_won").get_ylabel() == "hands won (%)"
    with pytest.raises(InputError, match="over 1 parameter; a map is over two"):
        plots.sweep_map(curve)
    words = sweep("threshold", {"draw": ["meld", "strict"]}, ["simple"], deals=20)
    assert [tick.get_text() for tick in plots.sweep_curve(words).get_xticklabels()] == ["meld", "strict"]


def test_map(plane: Sweep) -> None:
    ax = plots.sweep_map(plane)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("gin_bonus (points)", "knock")
    gids = {patch.get_gid(): patch for patch in ax.patches}
    best: Any = gids["best"]
    assert 3 * best.get_y() + best.get_x() == plane.order()[0]
    assert set(gids) - {"best", None} == {f"like-{k}" for k in plane.like_best()}
    assert len(ax.texts) == 6
    with pytest.raises(InputError, match="over 2 parameters; a curve is over one"):
        plots.sweep_curve(plane)


def test_cells_and_effects(field: Gauntlet, design: Factorial) -> None:
    ax = plots.cells(field, "games_won")
    assert ax.get_xlabel().startswith("games won (%)") and ax.get_ylim()[0] > ax.get_ylim()[1]
    ax = plots.factorial_effects(design)
    labels = [tick.get_text() for tick in ax.get_yticklabels()]
    assert labels[:5] == ["draw: meld", "draw: strict", "knock: knock=4", "knock: knock_by_turn=[10, 0]", "knock: knock=10"]
    assert all(ginsim.plot(grid) is not None for grid in (field, design))
    with pytest.raises(InputError, match="'games_won' cannot be plotted here"):
        plots.cells(design, "games_won")
