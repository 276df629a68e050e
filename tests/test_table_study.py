"""Studies of the table game: seats, errors, results on disk, and that the numbers are the same however they are made."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cards import parse_hand
from ginsim.cli import app
from ginsim.errors import InputError, StrategyError
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import run_experiment
from ginsim.games.base import GAME_TALLY
from ginsim.games.catalog import Strategy
from ginsim.games.table import gamerecords as G
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.count import TABLE_TALLY
from ginsim.games.table.game import TABLE
from ginsim.games.table.hand import show
from ginsim.games.table.players.decisions import best_lay_off
from ginsim.games.table.position import position
from ginsim.games.table.rules import TableRules
from ginsim.games.table.trace import trace
from ginsim.guide import page
from ginsim.simulation.play import GAMES, HANDS, Work, lineups, play, run
from ginsim.study.compare import Comparison, compare
from ginsim.study.effect import Effect, effect
from ginsim.study.settings import checked_settings
from ginsim.study.tournament import Tournament

OWN = Path(__file__).parent / "data" / "table_strategies.py"
SIX = ["table_random", "table_greedy", "table_counting(lay=3)", "novice", "intermediate", "expert"]


def work(a: str, b: str, players: int, count: int, phase: str = HANDS, first: int = 0) -> Work:
    return Work((Strategy.parse(a), Strategy.parse(b)), TableRules(players=players), 3, phase, first, count, "0-1")


def records_of(of: Work) -> np.ndarray:
    found = play(of, keep=True).records
    assert found is not None
    return found


# Seats


@pytest.mark.parametrize("players", range(2, 7))
def test_every_strategy_plays_every_seat(players: int) -> None:
    first, second = lineups(f"house(players={players})", 2)[:, :players]
    assert (first + second == 1).all()
    assert first.tolist() == [seat % 2 for seat in range(players)]


@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("strategy", ["table_random", "expert"])
def test_equal_strategies_cancel(players: int, strategy: str) -> None:
    for phase, names in ((HANDS, TABLE_TALLY), (GAMES, GAME_TALLY)):
        count = 40 if phase == HANDS else 4
        tally = dict(zip(names, work(strategy, strategy, players, count, phase).carry_out().tally.tolist(), strict=True))
        gained = "points" if phase == HANDS else "margin"
        assert tally[gained] == tally[f"{gained}_sq"] == 0
        assert 2 * tally["won"] == tally["decided"] > 0


def test_the_sides_change_on_the_same_cards() -> None:
    records = records_of(work("table_greedy", "table_greedy", 5, 20))
    assert (records[0::2, 2:] == records[1::2, 2:]).all()


# The same numbers


@pytest.mark.parametrize("phase", [HANDS, GAMES])
def test_any_workers_and_chunks(phase: str) -> None:
    count = 60 if phase == HANDS else 7
    whole = work("expert", "table_random", 4, count, phase).carry_out().tally
    for workers, chunk in ((1, 1), (2, 7), (3, 50)):
        parts = [done.tally for done in run([work("expert", "table_random", 4, count, phase)], workers, chunk=chunk)]
        assert (np.sum(parts, axis=0) == whole).all()


def test_tally_is_what_the_records_say() -> None:
    of = work("expert", "novice", 3, 50)
    records, tally = records_of(of), dict(zip(TABLE_TALLY, of.carry_out().tally.tolist(), strict=True))
    rows = [dict(zip(H.COLUMNS, record, strict=True)) for record in records.tolist()]
    points, won = [], 0
    for deal in range(50):
        gained = 0
        for number in range(2):
            row, sides = rows[2 * deal + number], of.lineups[number].tolist()
            assert (row["deal"], row["play"]) == (deal, number)
            gained += sum(row[f"score_{seat}"] for seat in range(3) if sides[seat] == 0)
            won += row["winner"] >= 0 and sides[row["winner"]] == 0
        points.append(gained)
    assert (tally["points"], tally["points_sq"], tally["won"]) == (sum(points), sum(p * p for p in points), won)
    for name in ("turns", "claims", "multi_draws", "laid_off", "reshuffles"):
        assert tally[name] == sum(row[name] for row in rows)
    for ending in range(len(H.ENDINGS)):
        assert tally[H.ENDINGS[ending]] == sum(row["ending"] == ending for row in rows)
    assert tally["seat_0"] == tally["starter"] == sum(row["winner"] == 0 for row in rows)


def test_games_go_to_the_target_and_the_deal_to_the_left() -> None:
    of = work("table_greedy", "novice", 4, 6, GAMES)
    names = G.COLUMNS
    for record in records_of(of).tolist():
        row = dict(zip(names, record, strict=True))
        scores = [row[f"score_{seat}"] for seat in range(4)]
        assert sum(scores) == 0 and max(scores) == scores[row["winner"]] >= 100
        assert row["scored"] <= row["hands"]
    with_blocked = TableRules(players=6, max_turns=12)
    hands = records_of(Work(of.players, with_blocked, 3, GAMES, 0, 5))
    assert (hands[:, names.index("scored")] < hands[:, names.index("hands")]).any()


def test_a_traced_hand_is_the_recorded_one() -> None:
    records = records_of(work("table_greedy", "expert", 4, 5))
    found = trace(["table_greedy", "expert"] * 2, "house", seed=3, deal=4).record
    assert list(found.values())[2:] == records[8].tolist()[2:]


# Strategies


@pytest.mark.parametrize("spec", SIX)
def test_specs(spec: str) -> None:
    strategy = Strategy.parse(spec)
    assert Strategy.parse(str(strategy)) == strategy == pickle.loads(pickle.dumps(strategy))
    assert hash(strategy) == hash(Strategy.parse(spec))


def test_levels_beat_the_one_below() -> None:
    for players in (2, 4, 6):
        for better, worse in (("intermediate", "novice"), ("expert", "intermediate")):
            assert compare(better, worse, TableRules(players=players), 1_000, games=0).points_per_hand.low > 0


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("table_greedy(x=1)", "has no parameter 'x'; it has none"),
        ("expert(clam=1)", "has no parameter 'clam'; did you mean 'claim'?"),
        ("expert(lay=16)", "lay=16 is not allowed; give a number from 0 to 15"),
        ("simple", "simple plays two-player gin, not the table game"),
        ("expret", "did you mean 'expert'?"),
        (f"{OWN}:Nobody", "the file has no 'Nobody'"),
        (f"{OWN}:stock_only", "neither a Strategy nor an object with the methods"),
        (f"{OWN}:jitted(x=1)", "has no parameter 'x'; it has none"),
    ],
)
def test_no_strategies(spec: str, complaint: str) -> None:
    with pytest.raises(InputError) as error:
        Strategy.parse(spec, "table")
    assert complaint in str(error.value)


def test_own_strategies_in_python_and_jitted() -> None:
    for own in (f"{OWN}:Cautious", f"{OWN}:Cautious(high=false)"):
        assert compare("table_greedy", own, "house(players=3)", 30, games=2).points_per_hand.low > 0
    without_pile = compare("table_greedy", f"{OWN}:jitted", "house(players=3)", 30, games=2)
    assert without_pile.hand_count > 60 and without_pile.hands_tally["pile_draws"] > 0
    built_in = work("table_greedy", "expert", 4, 30).carry_out().tally
    assert (work(f"{OWN}:twin", "expert", 4, 30).carry_out().tally == built_in).all()


def test_interpreted_play_is_compiled_play() -> None:
    """A plain-Python strategy that asks the jitted decisions plays as they do."""

    class Twin:
        decisions = Strategy.parse("table_greedy").decisions
        draw = claim = play = None

    def asked(i: int):  # type: ignore[no-untyped-def]
        return lambda view, params: Twin.decisions[i](view, params)

    params = Strategy.parse("table_greedy").params
    slots = Strategy("twin", {}, tuple(asked(i) for i in range(3)), params, Twin, game="table")
    of = Work((slots, Strategy.parse("expert")), TableRules(), 3, HANDS, 0, 12, "0-1")
    assert slots.kind == "python"
    assert (of.carry_out().tally == work("table_greedy", "expert", 4, 12).carry_out().tally).all()


def test_the_strategy_of_the_guide_plays(tmp_path: Path) -> None:
    file = tmp_path / "table.py"
    shown = re.findall(r"```python\n(.*?)```", page("table"), re.DOTALL)
    file.write_text(next(block for block in shown if block.startswith("# table.py")), encoding="utf-8")
    assert compare(f"{file}:Patient", "table_random", "house", deals=20, games=1).hand_count > 40


def test_a_card_that_fits_a_set_and_a_run_goes_where_it_helps() -> None:
    t = position("10S 4C KD", "9S", ["9H 9D 9C", "5S 6S 7S 8S"])
    show(t, 0)
    view = t[0]
    view[V.CARD] = parse_hand("9S")
    assert best_lay_off(view) == (14, 1)  # onto the run: 10S is played after it


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("Cheat", r"Cheat: illegal play decision 1 with discard \w+ \(expected 1 with a legal plan.*hand .*table none.*deal 0"),
        ("Broken", r"Broken: the draw decision raised ZeroDivisionError: no idea; hand .* rules house"),
        ("too_deep", r"too_deep: illegal draw decision 6 \(expected 0 for the stock.*seat \d, turn \d"),
    ],
)
def test_illegal_decisions_are_told(name: str, complaint: str) -> None:
    with pytest.raises(StrategyError, match=complaint):
        compare(f"{OWN}:{name}", "table_greedy", "house", deals=5, games=0)


# Results


def test_compare_tournament_and_effect(tmp_path: Path) -> None:
    comparison = ginsim.compare("expert", "novice", "house(players=2)", deals=60, games=5)
    assert isinstance(comparison, Comparison) and comparison.points_per_hand.low > 0
    assert comparison.seats_won()["share"].sum() == pytest.approx(1 - comparison.measure("blocked").value)
    assert comparison.endings().query("winner != 'either'")["hands"].sum() == 120
    assert "expert is better than novice" in str(comparison)
    field = ginsim.tournament(["expert", "novice", "table_greedy"], "house", deals=60, games=4)
    assert isinstance(field, Tournament) and field.ranking()["strategy"][1] == "expert"
    found = ginsim.effect("house", ["(players=2)", "(claims=false)"], ["table_greedy", "novice"], deals=60)
    assert isinstance(found, Effect)
    assert found.value(2, "claims").value == 0 < found.value(0, "claims").value
    assert found.difference(2, "claims").high < 0
    assert found.level(0, "own_turns") == pytest.approx(found.level(0, "turns") / 4)
    assert "players=2" in found.verdict() or "house" in found.verdict()
    for number, result in enumerate((comparison, field, found)):
        folder = ginsim.save(result, tmp_path / str(number))
        assert ginsim.load_results(folder) == result
        page = (folder / "report.md").read_text(encoding="utf-8")
        assert not re.search(r"\b(gin|knock|undercut)\b", page)
        assert "`max_pile_draw`" in page


def test_saved_sums_are_checked(tmp_path: Path) -> None:
    found = effect("house", ["(claims=false)"], deals=20)
    text = json.loads((ginsim.save(found, tmp_path) / "tallies.json").read_text(encoding="utf-8"))
    assert list(text["0-0"]["hands"]["house"]) == list(TABLE.effect_sums)
    assert len(TABLE.measures) == 21
    manifest = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["kind"] == "effect" and manifest["rules"]["fields"]["players"] == 4


def test_experiment_file_runs_and_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(
        'kind = "effect"\nrules = "house(players=3)"\nvariants = ["(wrap=false)"]\nstrategies = ["novice"]\n'
        "deals = 50\nseed = 4\n",
        encoding="utf-8",
    )
    experiment = load_experiment(file)
    result = run_experiment(experiment, tmp_path / "out", ginsim.save)
    assert result == effect("house(players=3)", ["(wrap=false)"], ["novice"], 50, 4)
    assert run_experiment(experiment, tmp_path / "out", ginsim.save) == ginsim.load_results(tmp_path / "out") == result


def test_shipped_experiment_is_valid() -> None:
    experiment = load_experiment(Path(__file__).parents[1] / "experiments" / "house_rules.toml")
    assert (experiment.kind, experiment.game.name) == ("effect", "table")


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"kind": "compare", "a": "simple", "b": "novice", "rules": "house"}, "simple plays two-player gin"),
        ({"kind": "compare", "a": "novice", "b": "simple"}, "novice plays the table game, not two-player gin"),
        ({"kind": "odds", "a": "novice", "b": "expert", "rules": "house"}, "is the table game, for which there are no odds"),
        ({"kind": "compare", "a": "novice", "b": "expert", "rules": "house", "control": True}, "not measured (control)"),
        ({"kind": "effect", "rules": "house", "variants": ["(knock_limit=3)"], "strategies": ["novice"]}, "'knock_limit'"),
        ({"kind": "effect", "rules": "house", "variants": ["(players=4)"], "strategies": ["novice"]}, "is the base itself"),
        ({"kind": "tournament", "rules": "house", "strategies": ["novice", "novice"]}, "is listed twice"),
        ({"kind": "compare", "a": "novice", "b": "expert", "rules": "house(players=7)"}, "players=7 is not possible"),
        (
            {"kind": "effect", "rules": "house", "strategies": ["novice"]}
            | {"variants": ["(max_pile_draw=1, pile_discard_ban=all)"]},
            "variants: pile_discard_ban=all has no effect with max_pile_draw=1",
        ),
        (
            {"kind": "compare", "a": "novice", "b": "expert", "rules": "house(max_reshuffles=1, max_turns=20)"},
            "max_reshuffles=1 has no effect with max_turns=20",
        ),
    ],
)
def test_what_does_not_fit_is_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError) as error:
        checked_settings(settings)
    assert complaint in str(error.value)


def test_gin_options_are_refused_at_the_table() -> None:
    with pytest.raises(InputError, match=r"rules: house is the table game, .* not measured \(control\)"):
        ginsim.compare("novice", "expert", "house", control=True)


def test_commands() -> None:
    runner = CliRunner()
    shown = runner.invoke(app, ["eval", "QC KC AC 2C 9D 9H 4S", "--rules", "house"]).output
    assert "melds: A♣ 2♣ Q♣ K♣" in shown and "knock" not in shown
    assert "melds: none" in runner.invoke(app, ["eval", "QC KC AC 2C 9D 9H 4S", "--rules", "house(wrap=false)"]).output
    listed = runner.invoke(app, ["list", "all"]).output
    assert all(name in listed for name in ("house", "table_greedy", "max_pile_draw", "expert"))
    played = runner.invoke(app, ["compare", "expert", "novice", "--rules", "house", "--deals", "20", "--games", "0", "-q"])
    assert played.exit_code == 0 and "claims per hand" in played.output
    changed = runner.invoke(app, ["effect", "house", "(players=2)", "--strategies", "novice", "--deals", "20", "-q"])
    assert changed.exit_code == 0 and "players=2" in changed.output
