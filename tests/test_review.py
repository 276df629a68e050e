"""Recorded hands reviewed: costs, luck, totals, the report."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from dataclasses import replace as changed
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cards import cards_of, parse_hand
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import GAME, POINTS, advise_on
from ginsim.games.gin.luck import LUCK_SIZE
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, UPCARD
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.recorded.notation import parse_hands
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.recorded.writing import all_as_text
from ginsim.games.gin.reviewed import luck as lucky
from ginsim.games.gin.reviewed.costs import CUTS, GRADES, PARTS, cost, exactly, graded, lost
from ginsim.games.gin.reviewed.judging import Judged, Skipped, judge
from ginsim.games.gin.reviewed.luck import draws_of, hand_luck_of
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import Estimate
from ginsim.simulation.play import Work, play
from ginsim.study.hand import replay
from ginsim.study.review import Review, luck_weights, review
from ginsim.study.reviewed import Player
from tests.helpers import random_rules
from tests.oracle import review as slow
from tests.test_recorded import RARE, hands

ROLLOUT = Strategy.parse("champion_rollout", "gin")
LAID_OFF = """\
hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH
hand B: 6S 6H 6D 8C QS KS 2C QC 5D 7H
upcard: 6C
A passes
B passes
A draws QH, discards KD
B draws 3C, discards QS
A draws 3H, discards QH
B draws 4C, discards QC
A takes QC, discards 8D, knocks

A melds 4S 4H 4D | 9C 10C JC QC
B melds 6S 6H 6D | 2C 3C 4C{laid}
"""
KNOWN = "hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH\nupcard: 6H\nA passes\nB passes\nA draws KC, discards 2S\nB draws, discards 3C"


@cache
def some() -> Review:
    """A review of hands of a good and a poor player."""
    return review([recorded(deal) for deal in range(4)], rollouts=40)


def recorded(deal: int, play: int = 0, rules: str = "classic25") -> RecordedHand:
    return of_replay(replay("champion", "simple", deal, 5, rules, play))


def judged(hand: RecordedHand, rollouts: int = 20, by: str = POINTS) -> list[Judged | Skipped]:
    return list(judge(walk(hand), rollouts, 3, ROLLOUT, by))


# Costs


def test_what_is_lost_is_what_the_oracle_says() -> None:
    rng = np.random.default_rng(1)
    for rollouts in (2, 3, 7, 10, 25, 40):
        values = rng.integers(-30, 30, (rollouts, 5)).astype(float)
        for played in range(5):
            assert lost(values, played).tolist() == slow.lost(values.tolist(), played, min(PARTS, rollouts))


def test_chance_alone_costs_nothing_on_average() -> None:
    rng = np.random.default_rng(2)
    found = [cost(rng.normal(0, 20, (60, 8)), 0, 25).value for _ in range(400)]  # eight choices that are equally good
    assert abs(np.mean(found)) < 3 * np.std(found) / len(found) ** 0.5
    assert np.mean(found) < 0.5  # the best of eight means would look better by 3.7


def test_a_cost_that_is_there_is_found() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(0, 20, (1000, 1)) + rng.normal(0, 5, (1000, 3)) + np.array([0.0, 2.0, 1.0])
    assert cost(values, 0, 0).low < 2 < cost(values, 0, 0).high
    assert cost(values, 1, 25) == cost(values[:, 1:2], 0, 25)  # the best in every part: it costs nothing


def test_grades() -> None:
    for by, cuts in CUTS.items():
        assert list(cuts) == sorted(cuts), by
        sure = [Estimate(cut * 1.01, cut / 2, cut * 2, cut / 4) for cut in (-1, *cuts)]
        assert [graded(estimate, cuts) for estimate in sure] == list(GRADES)
        assert graded(Estimate(2 * cuts[2], -cuts[0], 5 * cuts[2], cuts[2]), cuts) == "doubtful"


# Decisions


def test_decisions_are_judged_as_advice_judges_them() -> None:
    for one in judged(recorded(1)):
        assert isinstance(one, Judged)
        if one.decision.kind not in (UPCARD, DRAW, DISCARD):
            continue
        advice = advise_on(one.decision.position, POINTS, 20, 3, "champion_rollout")
        texts = {str(choice) for choice in advice.choices}
        assert {one.best.text, one.played.text} <= texts
        assert one.options == len(texts)
        assert one.best.points.value >= one.played.points.value


def test_the_first_decision_has_the_very_figures_of_advice() -> None:
    first = judged(recorded(1), 50)[0]
    assert isinstance(first, Judged)
    advice = advise_on(first.decision.position, POINTS, 50, 3, "champion_rollout")
    assert (first.best.text, first.best.points) == (str(advice.best), advice.best.points)


def test_hands_of_all_rules_are_judged() -> None:
    rnd, kinds, skipped = random.Random(6), Counter[str](), Counter[str]()
    rules = [*(random_rules(rnd) for _ in range(40)), *map(Rules.parse, RARE)]
    for number, of in enumerate(rules):
        for hand in hands(of, 2, number):
            walked = walk(of_replay(hand))
            found = list(judge(walked, 3, number, ROLLOUT, GAME, number))
            kinds.update(one.kind for one in found if isinstance(one, Judged))
            skipped.update(one.why for one in found if isinstance(one, Skipped))
            for one in found:
                if isinstance(one, Judged):
                    assert one.options >= 2
                    assert math.isfinite(one.points.value)
                    assert 0 <= one.played.game.value <= one.best.game.value <= 1
    assert set(kinds) == {"upcard", "draw", "discard", "knock", "melds", "lay off"}, kinds
    assert set(skipped) == {"on the last discard"}, skipped


def test_a_card_not_laid_off_costs_what_it_counts() -> None:
    laid = (", unmatched 8C KS 5D 7H", ", lays off 8C")
    wrong, right = (judged(parse_hands(LAID_OFF.format(laid=what))[0])[-1] for what in laid)
    assert isinstance(wrong, Judged)
    assert wrong.points == exactly(8)  # 8C goes with 9C
    assert (wrong.kind, wrong.best.text, wrong.grade) == ("lay off", "lay off 8♣, 22 left", "blunder")
    assert isinstance(right, Judged)
    assert (right.points, right.grade, right.right) == (exactly(0), "fine", True)


def test_melds_are_judged_against_hands_that_may_be() -> None:
    text = (
        "rules: classic25(min_turns_before_knock=0)\nhand A: 4S 4H 4D 3C 4C 5C 8D 9D 10D AH\n"
        "hand B: 7C 8C 6S KD QD QH JS 9S 2C 2S\nupcard: KH\nA passes\nB passes\n"
        "A draws KS, discards KS, knocks\n\nA melds {melds}\nB melds none"
    )
    for melds in ("4S 4H 4D 4C | 8D 9D 10D, unmatched 5C 3C AH", "4S 4H 4D | 3C 4C 5C | 8D 9D 10D, unmatched AH"):
        found = {one.kind: one for one in judged(parse_hands(text.format(melds=melds))[0], 60) if isinstance(one, Judged)}
        if "unmatched AH" in melds:
            assert "melds" not in found  # there is no other way to leave so little
        else:
            assert found["melds"].points.low > 0
            assert found["melds"].best.deadwood == 1


def test_half_known_hands_are_judged_from_the_known_side() -> None:
    result = review(parse_hands(KNOWN), rollouts=30)
    assert {one.decision.player for _, one in result.judged} == {0}
    assert [player.name for player in result.players] == ["A"]
    assert result.players[0].result is None
    row = result.by_hand().iloc[0]
    assert row["luck_of_the_deal"] is not None
    assert pd.isna(row["result"])
    whole = recorded(2)
    blind = changed(whole, dealt=(whole.dealt[0], None), shown=(whole.shown[0], None), turns=tuple(
        changed(turn, drawn=0) if turn.player and turn.action == "draw" else turn for turn in whole.turns))  # fmt: skip
    seen = [one for one in judged(whole) if one.decision.player == 0 and one.decision.kind in (UPCARD, DRAW, DISCARD)]
    alone = [one for one in judged(blind) if one.decision.kind in (UPCARD, DRAW, DISCARD)]
    assert [(one.decision.turn, one.decision.cards) for one in alone] == [(one.decision.turn, one.decision.cards) for one in seen]
    assert all(np.array_equal(a.decision.view, b.decision.view) for a, b in zip(alone, seen, strict=True))


def test_nothing_is_known_that_was_not_known_then() -> None:
    """Cards of the opponent's, and those to come, change nothing in what a decision costs."""
    hand = recorded(2)
    known = judge(walk(hand), 30, 1, ROLLOUT, POINTS)
    first = next(one for one in known if one.decision.player == 0)
    spades_and_hearts = parse_hand("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH")
    other = sorted(cards_of(spades_and_hearts & ~((hand.dealt[0] or 0) | hand.upcard)))[:10]
    changed_hand = changed(hand, dealt=(hand.dealt[0], sum(other)), turns=hand.turns[:1], shown=(None, None), result=None)
    again = next(one for one in judge(walk(changed_hand), 30, 1, ROLLOUT, POINTS) if one.decision.player == 0)
    assert isinstance(first, Judged)
    assert isinstance(again, Judged)
    assert (first.points, first.best, first.played) == (again.points, again.best, again.played)


# Luck


@pytest.mark.parametrize("rules", ["classic25", "oklahoma", "classic25(eleven_card_start=true, upcard_offer=false)", "big_gin"])
def test_luck_is_what_studies_take_out(rules: str) -> None:
    players, of = (Strategy.parse("threshold(knock=5)", "gin"), Strategy.parse("simple", "gin")), Rules.parse(rules)
    records = play(Work(players, of, 4, HANDS, 0, 6, luck=True), keep=True).records
    assert records is not None
    for record in records:
        hand = of_replay(replay(*map(str, players), deal=int(record[H.DEAL]), seed=4, rules=rules, play=int(record[H.PLAY])))
        found = np.zeros((2, LUCK_SIZE // 2), np.int64)
        for _, player, _, luck, blind in draws_of(walk(hand)):
            assert not blind
            found[player] += luck
        assert found.ravel().tolist() == record[H.SIZE :].tolist()


def test_a_draw_is_as_lucky_as_unlucky(monkeypatch: pytest.MonkeyPatch) -> None:
    view, stocks = walk(recorded(1)).decisions[0].view, []
    monkeypatch.setattr(lucky, "_luck_of", lambda *given: stocks.append(given) or (0, 0, 0, 0))
    list(draws_of(walk(recorded(1))))
    monkeypatch.undo()
    for _, held, other, card, stock in stocks:
        assert card & stock
        assert not stock & (held | other)
        every = [lucky._luck_of(view, held, other, drawn, stock) for drawn in cards_of(stock)]
        assert np.sum(every, axis=0).tolist() == [0, 0, 0, 0]


def test_the_luck_of_both_is_one_with_the_sign_turned() -> None:
    worth = luck_weights(Rules.parse("classic25"))
    assert worth is not None
    for deal in range(5):
        luck = hand_luck_of(walk(recorded(deal)), worth)
        assert luck.whole
        assert math.isclose(luck.points(0), -luck.points(1), abs_tol=1e-9)


def test_luck_explains_results() -> None:
    worth = luck_weights(Rules.parse("classic25"))
    assert worth is not None
    assert all(weight > 0 for weight in (worth.draw[0], worth.draw[2], worth.draw[3], worth.deal, worth.start))
    result = review([recorded(deal, deal % 2) for deal in range(40)], rollouts=2, workers=1)
    table = result.by_hand()
    own = table[table["player"] == "champion"].astype({"result": float, "result_less_luck": float})
    assert own["result_less_luck"].var() < 0.8 * own["result"].var()


def test_there_is_no_luck_where_the_stock_is_shuffled_again() -> None:
    result = review([recorded(1, rules="classic25(stock_end=reshuffle)")], rollouts=2)
    assert result.hands[0].luck is None
    assert result.players[0].luck is None
    assert "bad luck" not in result.verdict()
    assert result.draws().empty


# Totals


def test_totals_are_sums_of_decisions() -> None:
    result = some()
    table = result.decisions()
    for player in result.players:
        own = table[table["player"] == player.name]
        for by in (POINTS, GAME):
            total = sum(own[f"cost_{by}"])
            assert math.isclose(player.cost[by].value * player.hands, total)
            assert math.isclose(player.each[by].value * player.decisions, total)
        assert player.decisions == len(own) == sum(player.grades.values())
        assert Counter(own["grade"]) == player.grades
        by_hand = result.by_hand()
        mine = by_hand[by_hand["player"] == player.name]
        assert player.luck is not None
        assert player.result is not None
        assert math.isclose(player.luck.value, mine["luck"].mean())
        assert math.isclose(player.result.value, mine["result"].mean())
    kinds = result.by_kind()
    assert math.isclose(kinds["cost_points"].sum(), table["cost_points"].sum())
    assert kinds["decisions"].sum() == len(table)


def test_the_worst_come_first() -> None:
    worst = some().worst(100)
    costs = [one.points.value for _, one in worst]
    assert costs == sorted(costs, reverse=True)
    assert all(one.grade != "fine" for _, one in worst)


def test_habits_are_counted() -> None:
    result = some()
    for row in result.habits().to_dict("records"):
        own = [
            (hand, one) for hand in result.hands for one in hand.walked.walk.decisions if hand.names[one.player] == row["player"]
        ]
        draws = [one.action == "take" for _, one in own if one.kind == DRAW]
        assert math.isclose(row["taken"], sum(draws) / len(draws))
        knocks = [one for _, one in own if one.kind == "knock"]
        ended = [hand for hand in result.hands if hand.record.knocker >= 0 and hand.names[hand.record.knocker] == row["player"]]
        assert row["knocks"] == len(ended) == sum(one.action != "discard" for one in knocks)
        if knocks:
            assert math.isclose(row["knocked"], len(ended) / len(knocks))
        if ended:
            left = [hand.walked.walk.outcome.knocker_deadwood for hand in ended if hand.walked.walk.outcome]
            assert math.isclose(row["knock_deadwood"], sum(left) / len(left))
            assert pd.isna(row["knock_deadwood_low"])  # too few hands for an interval


def test_players_of_one_name_are_told_apart() -> None:
    result = review([of_replay(replay("simple", "simple", 3, 5))], rollouts=2)
    assert [player.name for player in result.players] == ["simple (A)", "simple (B)"]


def test_many_hands_say_more_than_these() -> None:
    hand = parse_hands(KNOWN)[0]
    few, many = (review([hand] * count, rollouts=10).players[0] for count in (29, 30))
    assert isinstance(few, Player)
    assert few.cost[POINTS].freedom != 28
    assert many.cost[POINTS].freedom == 29


def test_workers_change_nothing() -> None:
    one, two = (review([recorded(deal) for deal in range(3)], rollouts=10, workers=workers) for workers in (1, 2))
    assert one.as_dict() == two.as_dict()
    told: list[tuple[int, int]] = []
    review([recorded(1)], rollouts=2, progress=lambda done, total: told.append((done, total)))
    assert [done for done, _ in told] == list(range(1, len(told) + 1))
    assert told[-1][0] <= told[-1][1]


def test_a_score_asks_for_the_chance_to_win_the_game() -> None:
    hand = parse_hands("score: 90 20\n" + KNOWN)[0]
    assert review([hand], rollouts=2).by == GAME
    assert review([hand], rollouts=2, by=POINTS).by == POINTS
    assert some().by == POINTS
    assert "percentage points of games won" in review([hand], rollouts=2).verdict()


# The report


def test_the_folder_of_a_review(tmp_path: Path) -> None:
    folder = ginsim.save(some(), tmp_path / "a")
    names = sorted(path.name for path in folder.iterdir())
    tables = [f"{name}.csv" for name in ("by_hand", "by_kind", "decisions", "draws", "habits", "summary")]
    pictures = [f"{name}.{form}" for name in ("course", "errors", "worst") for form in ("png", "svg")]
    assert names == sorted([*tables, *pictures, "hands.txt", "report.html", "report.md", "review.json"])
    again = ginsim.save(some(), tmp_path / "b")
    assert all((folder / name).read_bytes() == (again / name).read_bytes() for name in names)
    page = (folder / "report.md").read_text()
    assert "$" not in page
    assert page.count("percentage points (95 % interval") == len(some().worst())
    data = json.loads((folder / "review.json").read_text())
    assert data["verdict"] == some().verdict()
    assert len(data["decisions"]) == len(some().judged)
    same = review(folder / "hands.txt", rollouts=40)
    assert same.as_dict()["decisions"] == data["decisions"]
    assert ginsim.plot(some()).get_ylabel() == "chance that champion wins the game (%)"
    assert "<svg" in (folder / "report.html").read_text()


def test_a_result_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match="holds the result of a study"):
        ginsim.save(some(), tmp_path)


def test_names_cannot_break_the_page(tmp_path: Path) -> None:
    hand = changed(parse_hands(KNOWN)[0], names=("$x <b>|`", "B"))
    page = (ginsim.save(review([hand], rollouts=10), tmp_path / "a") / "report.md").read_text()
    assert "\\<b\\>" in page
    assert not re.search(r"(?<!\\)<b", page)


# The command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["review", *words])
    assert result.exit_code == code, result.output
    return result.output


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "hands.txt"
    file.write_text(all_as_text(recorded(deal) for deal in range(2)))
    told = run(str(file), "--rollouts", "20", "--out", str(tmp_path / "out"))
    assert told.startswith("In 2 hands: champion lost ")
    assert "Errors by kind" in told
    assert (tmp_path / "out" / "report.md").exists()
    data = json.loads(run(str(file), "--rollouts", "20", "--format", "json"))
    assert data["rollouts"] == 20
    assert json.loads(run(str(tmp_path / "hands.txt"), "--quick", "--format", "json"))["rollouts"] == 200
    rows = run(str(file), "--rollouts", "20", "--format", "csv").splitlines()
    assert len(rows) == 1 + len(data["decisions"])


def test_strong_rollout_judges_by_its_nets(tmp_path: Path) -> None:
    """As advice does with that player; how long it thinks at the table is of no account."""
    file = tmp_path / "hand.txt"
    file.write_text("rules: eaai\n" + KNOWN)
    data = json.loads(run(str(file), "--rollouts", "20", "--player", "strong_rollout(rollouts=9999)", "--format", "json"))
    assert data["player"] == "strong_rollout(rollouts=9999)"
    first = next(one for one in walk(parse_hands(file.read_text())[0]).decisions if not one.player)
    best = advise_on(first.position, POINTS, 20, 0, "strong_rollout").best
    assert data["decisions"][0]["best"] == str(best)
    assert data["decisions"][0]["chance_before"] == best.game.value
    table = tmp_path / "nobody.txt"
    table.write_text(KNOWN)
    assert "expert plays the table game" in " ".join(run(str(table), "--player", "expert", code=2).split())


def test_a_folder_of_records(tmp_path: Path) -> None:
    for deal in range(3):
        (tmp_path / "in" / f"{deal}").mkdir(parents=True)
        (tmp_path / "in" / f"{deal}" / "hand.txt").write_text(str(recorded(deal)))
    data = json.loads(run(str(tmp_path / "in"), "--rollouts", "2", "--format", "json"))
    assert {row["hand"] for row in data["by_hand"]} == {1, 2, 3}
    (tmp_path / "empty").mkdir()
    assert "there is no file in" in run(str(tmp_path / "empty"), code=2)


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    file.write_text(KNOWN.replace("discards 2S", "discards 3S"))
    assert f"{file}: line 5, column" in run(str(file), code=2)
    file.write_text(KNOWN.rpartition("\n")[0].replace("discards 2S", "discards 2S, knocks"))
    assert f"{file}: line 5, column" in run(str(file), code=2)
    told = run(str(file), "--lenient", "--rollouts", "2")
    assert "A lost" in told
    file.write_text("upcard: 6H\nA passes\nB passes\nA draws, discards 2S")
    assert "there is no decision to judge" in run(str(file), code=2)
    file.write_text(KNOWN)
    for words, why in (
        (("--by", "money"), "by: 'money' is not allowed; give points or game"),
        (("--player", "nobody"), "strategy: there is no 'nobody'"),
        (("--quick", "--rollouts", "5"), "quick: that is --rollouts 200"),
        (("--format", "xml"), "format: there is no 'xml'"),
        (("--rollouts", "1"), "rollouts: 1 is not allowed"),
        (("--rules", "house"), "house"),
    ):
        assert why in " ".join(run(str(file), *words, code=2).split()), why
    assert "No such file" in run(str(tmp_path / "none.txt"), code=2)


def test_only_hands_are_reviewed() -> None:
    for given, why in (([], "there are none"), (5, "give a list of files or recorded hands"), ([5], "give a path")):
        with pytest.raises(InputError, match=why):
            review(given)  # type: ignore[arg-type]


def test_going_on_with_gin_is_judged_too() -> None:
    text = (
        "rules: classic25(min_turns_before_knock=0)\nhand A: 4S 4H 4D 9C 10C JC 2S 2H 2D AH\nupcard: KH\nA passes\nB passes\n"
        "A draws 2C, discards AH"
    )
    last = judged(parse_hands(text)[0], 100)[-1]
    assert isinstance(last, Judged)
    assert (last.kind, last.played.text, last.best.text) == ("knock", "discard A♥", "discard A♥ and go gin")
    assert last.points.low > 0
    assert int(last.decision.view[V.TURN]) == 0
