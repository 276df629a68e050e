"""Solving the knock against linear programs, the best reply against trying everything, and charts as they are kept."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.players import chartfiles
from ginsim.games.gin.rules import Rules
from ginsim.solving.advices import ADVICES, advice
from ginsim.solving.cells import Cells
from ginsim.solving.cfr import EPSILON, solve
from ginsim.solving.chart import LEAST, Chart, rule, with_worth
from ginsim.solving.game import KnockGame, by_points, by_row, outcomes, pairing, values
from ginsim.solving.judge import advantage, reply_gain, value
from ginsim.solving.respond import respond
from ginsim.solving.solved import Bench, best_reply, equilibrium, varying, with_ends
from ginsim.study.recording import record

RULES = Rules.parse("classic25")


@pytest.fixture(scope="module")
def courses() -> Courses:
    return record("threshold", RULES, 7, 0, 3000, workers=1)


@pytest.fixture(scope="module")
def game(courses: Courses) -> KnockGame:
    return KnockGame.of(courses, Cells.of("deadwood"), RULES, by_points())


def regrouped(game: KnockGame, cell: np.ndarray, size: int) -> KnockGame:
    """The game with other cells."""
    return replace(game, cell=np.where(game.cell < 0, -1, cell).astype(np.int32), cells=SimpleNamespace(size=size))  # type: ignore[arg-type]


# --- payoffs -----------------------------------------------------------------------------------------------------------


def test_points_are_put_together_again(courses: Courses) -> None:
    for spec in ("classic25", "classic25(gin_bonus=20, undercut_bonus=10)", "tournament"):
        rules = Rules.parse(spec)
        rows = courses if spec != "tournament" else record("threshold", rules, 7, 0, 200, workers=1)
        winner, points = outcomes(rows, rules)
        for row, side, won, gain in zip(rows.rows[:2000], rows.side, winner, points, strict=False):
            difference, times = int(row["difference"]), int(row["multiplier"])
            if row["ending"] == H.KNOCKED:
                assert (won, gain) == (side, times * difference)
            elif row["ending"] == H.UNDERCUT:
                assert (won, gain) == (1 - side, times * (rules.undercut_bonus - difference)) and difference <= 0
            elif row["ending"] == H.GIN:
                assert (won, gain) == (side, times * (difference + rules.gin_bonus))
            else:
                assert (won, gain) == (-1, 0)


def test_other_bonuses_need_no_other_courses() -> None:
    other = Rules.parse("classic25(gin_bonus=10, undercut_bonus=40)")
    own = record("threshold", RULES, 3, 0, 50, workers=1)
    again = record("threshold", other, 3, 0, 50, workers=1)
    assert own.rows.tobytes() == again.rows.tobytes()
    assert not np.array_equal(outcomes(own, RULES)[1], outcomes(own, other)[1])


def test_a_box_counts_for_the_winner(courses: Courses) -> None:
    winner, _ = outcomes(courses, RULES)
    plain, boxed = (by_points(box)(*outcomes(courses, RULES), courses) for box in (0.0, 25.0))
    assert (boxed - plain).tolist() == (25 * np.select([winner == 0, winner == 1], [1, -1], 0)).tolist()


def test_values_by_hand() -> None:
    """Two hands of two and one rows, worked out by hand."""
    of = {"turn": np.ones(5, np.uint8), "plays": 1, "cells": SimpleNamespace(size=3)}
    game = KnockGame(
        starts=np.array([0, 3, 5]), side=np.array([0, 1, 0, 1, 0], np.int8), cell=np.array([0, 1, -1, 2, -1], np.int32),
        payoff=np.array([10, -20, 40, 6, -8], np.float32), **of,
    )  # fmt: skip
    knock = np.array([0.5, 0.25, 1, 0.0, 1], np.float32)
    assert values(game, knock).tolist() == [0.5 * 10 + 0.5 * (0.25 * -20 + 0.75 * 40), -8]


# --- linear programs ------------------------------------------------------------------------------------------------------


def matrix_value(payoffs: np.ndarray) -> float:
    """Value of a matrix game to the one who chooses the row."""
    rows, columns = payoffs.shape
    found = linprog(
        [*[0.0] * rows, -1.0], A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]), b_ub=np.zeros(columns),
        A_eq=[[1.0] * rows + [0.0]], b_eq=[1.0], bounds=[(0, None)] * rows + [(None, None)],
    )  # fmt: skip
    assert found.success
    return float(-found.fun)


def sequence_value(game: KnockGame, parents: list[dict[int, int]]) -> float:
    """Value of the game to side 0 by the sequence form (von Stengel 1996); ``parents``: the cell before each cell of a side.

    A sequence is to knock in a cell, or to go on in it; the empty one is number 0.
    """
    knocks, waits = [], []
    for own in parents:
        order = {cell: k for k, cell in enumerate(own)}
        knocks.append({cell: 1 + 2 * k for cell, k in order.items()})
        waits.append({cell: 2 + 2 * k for cell, k in order.items()} | {-1: 0})
    sizes = [1 + 2 * len(own) for own in parents]
    payoff = np.zeros(sizes)
    for hand in range(game.hands):
        at = [0, 0]
        for row in range(game.starts[hand], game.starts[hand + 1]):
            cell, side = int(game.cell[row]), int(game.side[row])
            here = list(at)
            if cell >= 0:
                here[side], at[side] = knocks[side][cell], waits[side][cell]
            payoff[here[0], here[1]] += game.payoff[row] / game.hands
    flows = []
    for side, own in enumerate(parents):
        flow = np.zeros((1 + len(own), sizes[side]))
        flow[0, 0] = 1.0
        for k, (cell, before) in enumerate(own.items(), 1):
            flow[k, waits[side][before]] = -1.0
            flow[k, knocks[side][cell]] = flow[k, waits[side][cell]] = 1.0
        flows.append(flow)
    e, f = flows
    start = np.zeros(len(e))
    start[0] = 1.0
    aim = np.concatenate([np.zeros(sizes[0]), [-1.0], np.zeros(len(f) - 1)])
    found = linprog(
        aim, A_ub=np.hstack([-payoff.T, f.T]), b_ub=np.zeros(sizes[1]),
        A_eq=np.hstack([e, np.zeros((len(e), len(f)))]), b_eq=start, bounds=[(0, None)] * sizes[0] + [(None, None)] * len(f),
    )  # fmt: skip
    assert found.success
    return float(-found.fun)


def with_memory(game: KnockGame, told: np.ndarray) -> tuple[KnockGame, list[dict[int, int]]]:
    """The game of players who remember all that they were told on their own turns, and what came before each cell."""
    numbers: dict[tuple[Any, ...], int] = {}
    cell, parents = np.full(len(game.side), -1), [dict[int, int](), dict[int, int]()]
    for hand in range(game.hands):
        seen: list[tuple[Any, ...]] = [(0,), (1,)]
        for row in range(game.starts[hand], game.starts[hand + 1] - 1):
            side = int(game.side[row])
            before = numbers.get(seen[side], -1)
            seen[side] = (*seen[side], int(game.turn[row]), int(told[row]))
            cell[row] = numbers.setdefault(seen[side], len(numbers))
            parents[side][int(cell[row])] = before
    return regrouped(game, cell, len(numbers)), parents


def test_with_the_whole_own_history_the_sequence_form_has_the_same_value(courses: Courses, game: KnockGame) -> None:
    few = game_of_part(courses, 400)
    coarse = courses.part(0, 400).rows["deadwood"] // 6
    remembering, parents = with_memory(few, coarse)
    assert remembering.cells.size > 500
    exact = sequence_value(remembering, parents)
    for epsilon in (0.05, 1.0):  # who remembers everything may weigh by either chance
        chart = solve(remembering, sweeps=1000, epsilon=epsilon)
        assert values(remembering, by_row(remembering, chart)).mean() == pytest.approx(exact, abs=1e-4)


def game_of_part(courses: Courses, deals: int) -> KnockGame:
    return KnockGame.of(courses.part(0, deals), Cells.of("deadwood"), RULES, by_points())


def few_cells(courses: Courses, game: KnockGame, late: int = 6, high: int = 6) -> KnockGame:
    """Four cells a seat: early or late, low or high deadwood."""
    rows = courses.rows
    cell = 4 * game.side + 2 * (rows["turn"] > late) + (rows["deadwood"] >= high)
    return regrouped(game, cell, 8)


def test_with_few_cells_the_normal_form_has_the_same_value(courses: Courses, game: KnockGame) -> None:
    few = few_cells(courses, game)
    pure = np.array(list(itertools.product((0.0, 1.0), repeat=4)))
    payoffs = np.empty((16, 16))
    for (i, own), (j, theirs) in itertools.product(enumerate(pure), enumerate(pure)):
        payoffs[i, j] = values(few, by_row(few, np.concatenate([own, theirs]))).mean()
    exact = matrix_value(payoffs)
    chart = solve(few, sweeps=400)
    assert values(few, by_row(few, chart)).mean() == pytest.approx(exact, abs=5e-3)
    # neither side gains by any other choice
    first = max(values(few, by_row(few, np.concatenate([own, chart[4:]]))).mean() for own in pure)
    second = min(values(few, by_row(few, np.concatenate([chart[:4], theirs]))).mean() for theirs in pure)
    assert first - second < 0.02


def test_regrets_weighed_by_the_opponent_alone_do_not_solve_it() -> None:
    """A chart forgets: without the own chance in the weights much more can be won of it, however many sweeps."""
    game = KnockGame.of(record("threshold", RULES, 7, 0, 20_000, workers=2), Cells.of("deadwood"), RULES, by_points())
    given = []
    for epsilon in (EPSILON, 1.0):
        knock = by_row(game, solve(game, epsilon=epsilon, workers=2))
        given.append(reply_gain(game, knock, game, knock, workers=2).mean())
    assert 0 <= given[0] < 0.05 < 0.1 < given[1]


# --- the best reply --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*ADVICES, "half", "solved"])
def test_the_reply_never_loses_on_its_own_deals(name: str, courses: Courses, game: KnockGame) -> None:
    if name in ADVICES:
        knock = advice(name).chances(courses)
    else:
        knock = by_row(game, solve(game) if name == "solved" else np.full(game.cells.size, 0.5))
    if "unmatched" in name:
        game = KnockGame.of(courses, Cells.of("deadwood, unmatched"), RULES, by_points())
    assert reply_gain(game, knock, game, knock).mean() >= -1e-9


def test_the_reply_is_the_best_of_all(courses: Courses) -> None:
    """With what little is left to choose when only few turns are told apart, all charts can be tried."""
    part = courses.part(0, 500)
    rows = part.rows.copy()
    rows["turn"] = np.minimum(rows["turn"], 5)  # turns 2 to 5
    short = Courses(rows)
    game = KnockGame.of(short, Cells.of(""), RULES, by_points())
    used = np.unique(game.cell[(game.side == 0) & (game.cell >= 0)])
    assert 3 <= len(used) <= 5
    for name in ("knock at once", "never knock before gin", "knock on turns 1 to 3, then gin"):
        theirs = advice(name).chances(short)
        found = respond(game, theirs, 0)
        best = -np.inf
        for choice in itertools.product((0.0, 1.0), repeat=len(used)):
            chart = np.zeros(game.cells.size)
            chart[used] = choice
            best = max(best, values(game, pairing(game, 0, by_row(game, chart), theirs)).mean())
        own = values(game, pairing(game, 0, by_row(game, found), theirs)).mean()
        assert own == pytest.approx(best, abs=0.05 * abs(best) + 0.05)  # no change on a single turn improves it


def test_no_change_in_a_single_cell_improves_the_reply(courses: Courses, game: KnockGame) -> None:
    theirs = advice("knock with 4 or less").chances(courses)
    for player, sign in ((0, 1), (1, -1)):
        found = respond(game, theirs, player)
        own = sign * values(game, pairing(game, player, by_row(game, found), theirs)).mean()
        seen = np.unique(game.cell[(game.side == player) & (game.cell >= 0) & (game.turn < 20)])
        for cell in seen[::7]:
            other = found.copy()
            other[cell] = 1 - other[cell]
            assert sign * values(game, pairing(game, player, by_row(game, other), theirs)).mean() <= own + 1e-6


# --- the same however it is cut -------------------------------------------------------------------------------------------


def test_workers_do_not_matter(courses: Courses, game: KnockGame) -> None:
    assert np.array_equal(solve(game, sweeps=5), solve(game, sweeps=5, workers=3))
    theirs = advice("knock at once").chances(courses)
    assert np.array_equal(respond(game, theirs, 1), respond(game, theirs, 1, workers=3))
    chart = rule(lambda turn, deadwood, **_: deadwood > turn, "deadwood")
    one, three = (with_worth(chart, game, workers=workers) for workers in (1, 3))
    assert all(np.array_equal(one.sums[name], three.sums[name]) for name in one.sums)


# --- charts ----------------------------------------------------------------------------------------------------------------


def test_worth_of_cells_by_hand(courses: Courses, game: KnockGame) -> None:
    """Gain and reach of some cells from all hands, one after the other."""
    chart = rule(lambda turn, deadwood, **_: np.where(turn > 5, 0.25, 0.5) * (deadwood > 2), "deadwood")
    judged = with_worth(chart, game)
    flat = chart.knock.ravel()
    reach, gain = np.zeros(flat.size), np.zeros(flat.size)
    for hand in range(game.hands):
        chance, rows = 1.0, range(game.starts[hand], game.starts[hand + 1] - 1)
        reached = []
        for row in rows:
            reached.append(chance)
            chance *= 1 - flat[game.cell[row]]
        after = float(game.payoff[game.starts[hand + 1] - 1])
        for row, chance in zip(reversed(rows), reversed(reached), strict=True):
            reach[game.cell[row]] += chance
            gain[game.cell[row]] += chance * (game.payoff[row] - after) * (1 if game.side[row] == 0 else -1)
            after += flat[game.cell[row]] * (game.payoff[row] - after)
    np.testing.assert_allclose(judged.sums["reached"].ravel(), reach, rtol=1e-6)
    np.testing.assert_allclose(judged.sums["gain"].ravel(), gain, rtol=1e-5, atol=1e-4)
    assert judged.reached.sum() == pytest.approx(reach.sum() / game.hands)
    assert (judged.told == (judged.sums["reached"] >= LEAST)).all()
    table = judged.table()
    assert set(table["seat"]) == {"starter", "dealer"} and (table["gain_low"] <= table["gain"]).all()


def test_a_chart_is_kept(courses: Courses, game: KnockGame, tmp_path: Path) -> None:
    chart = equilibrium(courses, courses, game.cells, RULES, by_points())
    assert Chart.of_text(chart.text()) == chart == chart.kept()
    loaded = Chart.of_text(chart.save(tmp_path / "chart.json").read_text())
    assert np.array_equal(loaded.knock, chart.knock) and not loaded.sums
    assert set(np.unique(chart.purified().knock)) == {0.0, 1.0}
    text = str(chart)
    assert "starter" in text and "dealer" in text and "·" in text and "never" in text


def test_a_chart_as_seen_by_one_who_knows_less(courses: Courses) -> None:
    cells = Cells.of("deadwood, unmatched")
    game = KnockGame.of(courses, cells, RULES, by_points())
    chart = with_worth(rule(lambda turn, unmatched, **_: unmatched > 0), game)
    less = chart.onto("deadwood")
    assert less.sums["reached"].sum() == pytest.approx(chart.sums["reached"].sum())
    seen = chart.sums["reached"][0, 8, 9]
    assert less.knock[0, 8, 9] == pytest.approx((chart.knock[0, 8, 9] * seen).sum() / seen.sum())
    with pytest.raises(InputError, match="knows: stock is not known here"):
        chart.onto("stock")
    assert len(chart.grids()) == 6 and len(chart.onto("unmatched").grids()) == 6 and len(chart.onto("").grids()) == 2


def test_charts_that_are_none(tmp_path: Path) -> None:
    right = {"known": ["deadwood"], "cell": [3, 4], "knock": [0, 0.5]}
    wrong: list[Any] = [
        [], 5, {"known": []}, right | {"known": ["luck"]}, right | {"known": ["stock", "stock"]}, right | {"cell": [3]},
        right | {"cell": [3, 4.5]}, right | {"cell": [-1, 3]}, right | {"cell": [3, 640]}, right | {"knock": [0, 1.5]},
        right | {"knock": [0, "x"]}, right | {"knock": [0, float("nan")]}, right | {"cell": [True, 2]},
        right | {"known": [["a"]]}, right | {"cell": [3, 3]},
    ]  # fmt: skip
    path = tmp_path / "own.json"
    for content in wrong:
        path.write_text(json.dumps(content))
        with pytest.raises(InputError, match=r"chart .*own\.json is not a chart"):
            Strategy.parse(f'custom(stop=chart, chart="{path}")')
    for text in ("{", "[" * 100_000, "1" * 5_000):
        path.write_text(text)
        with pytest.raises(InputError, match="is not a chart: it is not JSON that can be read"):
            chartfiles.read_chart(str(path))
    with pytest.raises(InputError, match="cannot be read"):
        chartfiles.read_chart(str(tmp_path / "none.json"))
    with pytest.raises(InputError, match=r"there is no chart 'classic26'; did you mean 'classic25'"):
        Strategy.parse("custom(stop=chart, chart=classic26)")
    with pytest.raises(InputError, match=r"chart=\[1, 2\] is not allowed; give one of"):
        Strategy.parse("custom(stop=chart, chart=[1, 2])")


def test_shipped_charts_are_charts() -> None:
    assert "classic25" in chartfiles.shipped()
    for name in chartfiles.shipped():
        table, digest = chartfiles.read_chart(name)
        assert digest == "" and 0 <= min(table) <= max(table) == 1


KNOWN = ["deadwood", "deadwood, unmatched", "taken, last", "deadwood, unmatched, taken, last, limit", "deadwood, stock", ""]


@pytest.mark.parametrize("known", KNOWN)
def test_a_strategy_plays_its_chart(known: str, tmp_path: Path) -> None:
    """On every turn the decision looks up the cell that the chart has for the row of the course."""
    cells = Cells.of(known)
    chart = Chart(cells, (np.random.default_rng(5).random(cells.shape) < 0.4).astype(float))
    path = chart.save(tmp_path / "own.json")
    for rules in ("oklahoma", "classic25(knock_limit=40, stock_end=last_discard)"):
        own = record(f'threshold(draw=strict, stop=chart, chart="{path}")', rules, 1, 0, 200, workers=1)
        asked = own.rows["final"] == 0
        assert own.rows["knocked"][asked].tolist() == chart.chances(own)[asked].tolist()


def test_a_mixed_chart_knocks_as_often_as_it_says(tmp_path: Path) -> None:
    path = rule(lambda turn, deadwood, **_: 0.3 + 0 * deadwood, "deadwood").save(tmp_path / "own.json")
    own = record(f'threshold(stop=chart, chart="{path}")', "classic25", 1, 0, 500, workers=1)
    share = own.rows["knocked"][own.rows["final"] == 0].mean()
    assert share == pytest.approx(0.3, abs=0.03)


def test_a_chart_of_a_file_counts_as_the_file_does(tmp_path: Path) -> None:
    chart = rule(lambda turn, deadwood, **_: deadwood > turn, "deadwood")
    path = chart.save(tmp_path / "own.json")
    player = Strategy.parse(f'lookahead(stop=chart, chart="{path}")')
    assert str(Strategy.parse(str(player))) == str(player) and player.unchanged and player.sources
    chart.purified().onto("").save(path)
    assert not player.unchanged and Strategy.parse(str(player)).sources != player.sources
    path.unlink()
    assert not player.unchanged
    assert Strategy.parse("custom(stop=chart)").unchanged


# --- judged ------------------------------------------------------------------------------------------------------------------


def test_figures_of_advices(courses: Courses) -> None:
    """What was found by an independent trial, on deals of other seeds: knock at once 3.74, gin only 1.79 points a hand."""
    checks = record("threshold", RULES, 8, 0, 20_000, workers=2)
    bench = Bench(checks, RULES, by_points(), Cells.of("deadwood"), 2)
    for name, known in {"knock at once": 3.74, "knock with 4 or less": 3.60, "never knock before gin": 1.79}.items():
        found = bench.exploitability(advice(name).chances(checks))
        assert found.low - 0.15 < known < found.high + 0.15
    by_boxes = Bench(checks, RULES, by_points(25), Cells.of("deadwood"), 2)
    assert by_boxes.exploitability(advice("knock at once").chances(checks)).value == pytest.approx(0.84, abs=0.25)
    assert by_boxes.exploitability(advice("never knock before gin").chances(checks)).value == pytest.approx(7.5, abs=0.6)


def test_advantage_is_antisymmetric(courses: Courses, game: KnockGame) -> None:
    a, b = advice("knock at once").chances(courses), advice("never knock before gin").chances(courses)
    assert advantage(game, a, b).value == pytest.approx(-advantage(game, b, a).value)
    assert advantage(game, a, a).value == 0
    assert value(game, a).se > 0


def test_a_reply_to_a_strategy(courses: Courses) -> None:
    met = record("threshold", RULES, 2, 0, 3000, "simple", workers=2)
    checks = record("threshold", RULES, 2, 3000, 3000, "simple", workers=2)
    safe = equilibrium(courses, None, Cells.of("deadwood"), RULES, by_points())
    reply, figures = best_reply(met, checks, Cells.of("deadwood"), RULES, by_points(), safe=safe)
    assert figures["reply"].low > figures["reply safe"].value > figures["reply own"].value
    assert figures["reply"].value == pytest.approx((figures["reply starter"].value + figures["reply dealer"].value) / 2)
    assert figures["reply gain"].value == pytest.approx(figures["reply"].value - figures["reply own"].value)
    assert reply.told.any() and reply.hands == 6000
    assert with_ends(checks)[checks.rows["final"] == 1].min() == 1


def test_what_varies() -> None:
    assert varying(record("threshold", "classic25", 0, 0, 50, workers=1)) == ["deadwood", "unmatched", "taken", "last", "stock"]
    assert "limit" in varying(record("threshold", "oklahoma", 0, 0, 50, workers=1))
