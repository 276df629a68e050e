"""Hands played again: the same as the study's, in words, as data and as cards."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cards import parse_hand
from ginsim.cli import app
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import InputError, StrategyError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import RECORD
from ginsim.games.gin.replay import Move, Replay
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.text import as_text
from ginsim.games.table import records as TH
from ginsim.games.table.replay import TableReplay, held_in, melds_in
from ginsim.games.table.rules import TableRules
from ginsim.report.plots import figure_bytes
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.study.hand import LAST_DEAL, replay, replay_row
from tests.helpers import random_rules, random_spec

FILE = str(Path(__file__).parent / "data" / "strategies.py")
TABLE_FILE = Path(__file__).parent / "data" / "table_strategies.py"


def studied(a: Any, b: Any, rules: Rules, seed: int, deal: int) -> list[dict[str, int]]:
    """The records of both plays as the compiled kernel leaves them."""
    work = Work((Strategy.parse(a), Strategy.parse(b)), rules, seed, HANDS, deal, 1)
    records = play(work, keep=True).records
    assert records is not None
    return [dict(zip(H.COLUMNS, row, strict=True)) for row in records.tolist()]


def some_hand(seed: int) -> tuple[str, str, Rules, int, int]:
    rnd = random.Random(seed)
    a, b = random_spec(rnd), random_spec(rnd)
    return a, b, random_rules(rnd), rnd.randrange(1000), rnd.randrange(1 << 36)


def follow(hand: Replay) -> None:
    """Every move is possible after the one before, and the hand ends as its record says."""
    hands, upcard, stock = list(hand.dealt), hand.upcard, None
    assert not hands[0] & hands[1]
    for move in hand.moves:
        assert move.upcard == upcard
        assert stock is None or move.stock == stock or hand.rules.stock_end == "reshuffle"
        assert not move.held & ~hands[1 - move.player]
        assert not move.unseen & (hands[move.player] | move.pile | move.drawn)
        if move.refusal:
            assert (move.hand, move.drawn, move.discard) == (hands[move.player], 0, 0)
            stock = move.stock
            continue
        assert move.taken == (move.drawn != 0 and move.drawn == upcard)
        assert not move.drawn & (hands[0] | hands[1])
        assert move.hand | move.discard == hands[move.player] | move.drawn
        assert not move.hand & move.discard
        hands[move.player], upcard = move.hand, move.discard
        stock = move.stock - (move.drawn != 0 and not move.taken)
    turns = [move for move in hand.moves if not move.refusal]
    assert len(turns) == hand.record["turns"]
    assert_legal(turns, hand)
    assert [sum(m.taken for m in turns if m.player == p) for p in (0, 1)] == [hand.record["taken_0"], hand.record["taken_1"]]
    assert not any(move.knock for move in turns[:-1])
    assert bool(hand.moves[-1].knock) == (hand.record["knocker"] >= 0)
    for player in range(2):
        assert ginsim.deadwood(hands[player], hand.rules) == hand.record[f"deadwood_{player}"]
        assert ginsim.deadwood(hand.dealt[player], hand.rules) == hand.record[f"dealt_{player}"]


def assert_legal(turns: list[Move], hand: Replay) -> None:
    """Turn by turn, each move is allowed by the rules, and a knock was in the player's power exactly where it is."""
    rules, record = hand.rules, hand.record
    assert all(one.player != other.player for one, other in itertools.pairwise(turns))
    for move in turns:
        full = move.turn - 1 - (rules.eleven_card_start and move.player == record["starter"])
        in_time = full >= rules.min_turns_before_knock
        assert not (move.taken and rules.redraw_ban and move.discard == move.drawn)
        assert (move.drawn == 0) == (full < 0)
        assert move.taken or not move.drawn or move.stock > (2 if rules.stock_end in ("dead_at_2", "last_discard") else 0)
        if move.discard:
            assert (move.knock is not None) == (in_time and ginsim.deadwood(move.hand, rules) <= record["limit"])
        else:
            assert in_time and rules.big_gin_bonus is not None and ginsim.deadwood(move.hand, rules) == 0
    if hand.ending == "stalled":
        assert len(turns) == rules.max_turns
    if hand.ending == "dead":
        drawn = turns[-1].drawn != 0 and not turns[-1].taken
        assert turns[-1].stock - drawn <= 2 - 2 * (rules.stock_end == "dead_at_0") and rules.stock_end != "reshuffle"


def check_showdown(hand: Replay) -> None:
    shown, record = hand.showdown(), hand.record
    assert (shown is None) == (record["knocker"] < 0)
    if shown is None:
        return
    defender = 1 - record["knocker"]
    assert shown.ending == hand.ending
    assert shown.points == record["points"]
    assert shown.laid_off_points == record["laid_off"]
    assert (shown.knocker_deadwood, shown.defender_deadwood) == (record[f"after_{1 - defender}"], record[f"after_{defender}"])


def test_any_hand_is_the_one_that_was_played() -> None:
    endings = Counter[str]()
    for seed in range(80):
        a, b, rules, of, deal = some_hand(seed)
        told = studied(a, b, rules, of, deal)
        for number in range(2):
            hand = replay(a, b, deal, of, rules, number)
            assert hand.record == told[number], (a, b, rules, of, deal)
            follow(hand)
            check_showdown(hand)
            assert json.loads(json.dumps(hand.as_dict()))["record"]["ending"] == hand.ending
            assert f"seed {of}, play {number}" in str(hand)
            endings[hand.ending] += 1
    assert set(endings) >= {"knock", "undercut", "gin", "dead"}, endings


@pytest.mark.parametrize(
    ("rules", "wanted"),
    [
        ("big_gin(gin_bonus=0, knock_limit=100, ranks=5, hand_size=5)", "big_gin"),
        ("classic25(tie=push, ranks=5, hand_size=5)", "push"),
        ("classic25(stock_end=last_discard, knock_limit=3)", "wall"),
        ("big_gin(knock_limit=0, min_turns_before_knock=0, stock_end=last_discard, hand_size=5, ranks=5)", "big gin at the wall"),
        ("classic25(eleven_card_start=true, upcard_offer=false, min_turns_before_knock=0, knock_limit=100)", "no draw"),
    ],
)
def test_rare_ends_and_beginnings(rules: str, wanted: str) -> None:
    for deal in range(300):
        for a in ("simple", "threshold(knock=-1)"):
            hand = replay(a, "simple", deal, 3, rules, deal % 2)
            last = hand.moves[-1]
            seen = {
                "big_gin": hand.ending == "big_gin",
                "push": hand.ending == "push",
                "wall": last.stock <= 2 and last.taken and hand.record["knocker"] >= 0,
                "big gin at the wall": last.stock <= 2 and last.taken and hand.ending == "big_gin",
                "no draw": hand.moves[0].drawn == 0,
            }[wanted]
            if seen:
                follow(hand)
                check_showdown(hand)
                assert hand.record == studied(a, "simple", Rules.parse(rules), 3, deal)[deal % 2]
                assert as_text(hand)
                assert figure_bytes(ginsim.plot(hand), "svg")
                return
    pytest.fail(f"no {wanted} in 300 deals")


def test_the_look_ahead_shows_its_costs() -> None:
    hand = replay("champion", "simple", 4711, 1, "eaai")
    assert hand.record == studied("champion", "simple", Rules.parse("eaai"), 1, 4711)[0]
    turns = [move for move in hand.moves if not move.refusal]
    assert all(not move.costs for move in turns if move.player == 1)
    for move in (move for move in turns if move.player == 0):
        cards, costs = zip(*move.costs, strict=True)
        assert move.discard == cards[0]
        assert list(costs) == sorted(costs)
    follow(hand)


def test_a_plain_python_strategy() -> None:
    spec = f"{FILE}:Plain"
    for number in range(2):
        hand = replay(spec, "simple", 17, 2, "eaai", number)
        assert hand.record == studied(spec, "simple", Rules.parse("eaai"), 2, 17)[number]
        follow(hand)


# Hands of games


def games(a: str, b: str, rules: str, seed: int, game: int) -> dict[tuple[int, int], tuple[int, int]]:
    """The score before every hand, by play and deal, of a pair of games."""
    first, second = Strategy.parse(a), Strategy.parse(b)
    found: dict[tuple[int, int], tuple[int, int]] = {}

    def watch(t: np.ndarray, slots: Any) -> None:
        def noted(decide: Any) -> Any:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                key = int(t[RECORD, H.PLAY]), int(t[RECORD, H.DEAL])
                found.setdefault(key, (int(t[0, V.OWN_SCORE]), int(t[0, V.OPP_SCORE])))
                return int(decide(view, params))

            return decision

        for player in range(2):
            slots[player] = [noted(decide) for decide in slots[player]]

    play(Work((first, second), Rules.parse(rules), seed, GAMES, game, 1), watch=watch)
    return found


@pytest.mark.parametrize("rules", ["eaai", "pagat", "hollywood"])
def test_hands_of_a_game_add_up_to_it(rules: str) -> None:
    a, b, seed, game = "simple", "threshold(knock=3)", 5, 7
    of = games(a, b, rules, seed, game)
    for number in range(2):
        own = [(score, deal) for (p, deal), score in of.items() if p == number]
        hands = [replay(a, b, deal, seed, rules, number) for _, deal in own]
        assert [hand.score for hand in hands] == [score for score, _ in own]
        assert [hand.deal - GAME_BASE - game * HANDS_PER_GAME for hand in hands] == list(range(len(own)))
        assert hands[0].record["starter"] == number
        assert all(hand.record["play"] == number for hand in hands)
        if rules == "eaai":  # one column: the score is the sum of what was won
            totals = [0, 0]
            for hand in hands:
                assert hand.score == tuple(totals)
                if hand.record["winner"] >= 0:
                    totals[hand.record["winner"]] += hand.record["points"]
            assert max(totals) >= 100
        with pytest.raises(InputError, match=f"which has hands 0 to {len(own) - 1} only"):
            replay(a, b, own[-1][1] + 1, seed, rules, number)


# Rows of results


def test_rows_of_a_comparison_and_of_a_tournament(tmp_path: Path) -> None:
    result = ginsim.compare("simple", "threshold(knock=5)", "classic20", deals=6, seed=4, games=0, keep_hands=tmp_path / "a")
    field = ["simple", "gin_only", "threshold(knock=2)"]
    three = ginsim.tournament(field, "eaai", deals=3, seed=4, games=0, keep_hands=tmp_path / "b")
    for of in (result, three):
        table = of.hands()
        for _, row in table.iterrows():
            hand = replay_row(of, row)
            assert hand.ending == row["ending"]
            assert all(hand.record[name] == row[name] for name in table.columns if name not in ("pairing", "ending"))
    assert isinstance(table, pd.DataFrame)


def test_rows_that_are_none() -> None:
    result = ginsim.compare("simple", "simple", deals=2, games=0)
    with pytest.raises(InputError, match=r"row: .* is not a row"):
        replay_row(result, {"deal": 1})
    with pytest.raises(InputError, match="result: hands of a dict"):
        replay_row({}, {"deal": 1, "play": 0})  # type: ignore[arg-type]


# The table game


def test_moves_of_the_table_game_are_legal() -> None:
    rnd = random.Random(5)
    endings = Counter[str]()
    for deal in range(60):
        fields: dict[str, Any] = {
            "players": rnd.randrange(2, 7), "wrap": rnd.random() < 0.5, "claims": rnd.random() < 0.7,
            "max_pile_draw": rnd.randrange(2, 6), "pile_discard_ban": rnd.choice(["all", "only_if_single"]),
            "out_mode": rnd.choice(["either", "meld_only", "discard_required"]), "blocked": rnd.choice(["void", "lowest"]),
            "max_turns": rnd.choice([20, 60, 400]),
        }  # fmt: skip
        hand = replay(*rnd.choices(["table_random", "table_greedy", "novice", "expert"], k=2), deal, 9, TableRules(**fields))
        follow_table(hand)
        assert hand.record["turns"] <= hand.rules.max_turns
        endings[hand.ending] += 1
        if hand.ending in ("discard", "meld", "claim"):
            assert fields["out_mode"] == "either" or (hand.ending == "discard") == (fields["out_mode"] == "discard_required")
    assert set(endings) == {"discard", "meld", "claim", "blocked", "lowest"}, endings


@pytest.mark.parametrize("rules", ["house", "house(players=2, claims=false)", "house(players=5, max_pile_draw=3)"])
def test_hands_of_the_table_game(rules: str) -> None:
    a, b = "expert", "table_greedy"
    played = TableRules.parse(rules)
    for deal in range(6):
        work = Work((Strategy.parse(a), Strategy.parse(b)), played, 2, HANDS, deal, 1)
        records = work.carry_out(keep=True).records
        assert records is not None
        for number in range(2):
            hand = replay(a, b, deal, 2, rules, number)
            assert hand.record == dict(zip(TH.COLUMNS, records[number].tolist(), strict=True))
            follow_table(hand)
            assert "wins" in str(hand).splitlines()[-1]
            data = json.loads(json.dumps(hand.as_dict()))
            assert len(data["turns"]) == hand.record["turns"] + hand.record["claims"]
            assert [held["deadwood"] for held in data["final"]] == [hand.record[f"left_{seat}"] for seat in range(played.players)]


def test_hands_of_the_table_game_are_shown_with_melds_and_what_they_count() -> None:
    for rules in ("house", "house(players=2, wrap=false, ace_value=15)"):
        hand = replay("expert", "novice", 3, 5, rules)
        c, two = hand.rules.array(), Rules(wrap=hand.rules.wrap, ace_value=hand.rules.ace_value)
        for held in (*hand.dealt, *(turn.hand for turn in hand.turns if turn.hand)):
            melds = melds_in(held, c)
            assert all(ginsim.is_meld(meld, two) for meld in melds) and sum(melds) & ~held == 0
            left = held & ~sum(melds)
            assert sum(ginsim.deadwood(1 << card, two) for card in range(64) if left >> card & 1) == ginsim.deadwood(held, two)
        text = str(hand)
        assert all(f"seat {seat} is dealt   {held_in(dealt, c)}" in text for seat, dealt in enumerate(hand.dealt))
        assert text.count("on the table: ") == sum(bool(turn.melded) for turn in hand.turns) > 0
        final = text.split("hands at the end, and what they count:\n")[1].splitlines()
        for seat in range(hand.rules.players):
            assert final[seat].split()[:3] == ["seat", str(seat), str(hand.record[f"left_{seat}"])]
    ends = (replay("table_random", "table_greedy", deal, 5, "house(count=all_in_hand)") for deal in range(100))
    hand, loser = next((hand, seat) for hand in ends for seat in range(4) if melds_in(hand.hands[seat], hand.rules.array()))
    held, counted = hand.hands[loser], hand.record[f"left_{loser}"]
    assert counted == sum(ginsim.deadwood(1 << card) for card in range(64) if held >> card & 1)
    assert f"seat {loser}   {held_in(held, hand.rules.array(), counted)}" in str(hand)
    assert held_in(0, c) == " 0  nothing left"


def follow_table(hand: TableReplay) -> None:
    """All cards are in one place, and melds on the table are melds."""
    hands, table = list(hand.dealt), list[int]()
    rules = Rules(wrap=hand.rules.wrap, ace_value=hand.rules.ace_value)
    for turn in hand.turns:
        assert not turn.drawn & sum(hands)
        held = hands[turn.seat] | turn.drawn
        for before, added in turn.melded:
            assert added & ~held == 0
            held ^= added
            if before:
                table.remove(before)
            table.append(before | added)
            assert ginsim.is_meld(before | added, rules)
        assert turn.hand == held & ~turn.discard
        assert turn.depth == 0 or turn.drawn.bit_count() == turn.depth <= hand.rules.max_pile_draw
        if turn.depth > 0 and (hand.rules.pile_discard_ban == "all" or turn.depth == 1):
            assert not turn.discard & turn.drawn
        if turn.claim:
            assert turn.drawn & ~turn.hand and not turn.discard and len(turn.melded) == 1 and hand.rules.claims
        else:
            assert turn.discard or not turn.hand
        hands[turn.seat] = turn.hand
        assert sorted(turn.table) == sorted(table)
    assert hand.hands == tuple(hands)
    for seat, held in enumerate(hands):
        assert (held == 0) == (seat == hand.record["winner"] and hand.ending in ("discard", "meld", "claim"))


FOLLY = """
class Folly:
    def draw(self, view):
        return {draw}

    def discard(self, view):
        return {discard}

    def knock(self, view):
        return {knock}
"""
TABLE_FOLLY = """
class Folly:
    def draw(self, view):
        return {draw}

    def play(self, view):
        return {play}

    def claim(self, view):
        return {claim}
"""


def told_alike(of_study: Any, again: Any) -> str:
    """The one message of both."""
    messages = []
    for attempt in (of_study, again):
        with pytest.raises(StrategyError) as error:
            attempt()
        messages.append(str(error.value))
    assert messages[0] == messages[1]
    return messages[0]


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ({"draw": "9"}, "illegal draw decision 9"),
        ({"draw": "1 // 0"}, "the draw decision raised ZeroDivisionError"),
        ({"play": "0"}, "illegal play decision"),
        ({"play": "view.nothing"}, "the play decision raised AttributeError"),
        ({"play": "1"}, "illegal play decision"),
    ],
)
@pytest.mark.parametrize("number", range(2))
def test_an_illegal_move_at_the_table_is_the_error_of_a_study(
    tmp_path: Path, bad: dict[str, str], part: str, number: int
) -> None:
    file = tmp_path / "folly.py"
    file.write_text(TABLE_FOLLY.format(**{"draw": "0", "play": "1", "claim": "0"} | bad), encoding="utf-8")
    pair = (f"{file}:Folly", "table_greedy")[:: 1 - 2 * number]
    work = Work(tuple(map(Strategy.parse, pair)), TableRules(), 4, HANDS, 3, 1)
    message = told_alike(lambda: work.carry_out(), lambda: replay(*pair, 3, 4, "house", 0))
    assert part in message and "deal 3, seed 4" in message
    assert part in run(*pair, "--deal", "3", "--seed", "4", "--rules", "house", "--play", "1", code=2)


@pytest.mark.parametrize(
    ("bad", "part"),
    [
        ({"draw": "9"}, "illegal draw decision 9"),
        ({"discard": "1 // 0"}, "the discard decision raised ZeroDivisionError"),
        ({"discard": "0"}, "illegal discard decision 0"),
        ({"knock": "7"}, "illegal knock decision 7"),
        ({"knock": "view.nothing"}, "the knock decision raised AttributeError"),
    ],
)
def test_an_illegal_move_is_the_error_of_a_study(tmp_path: Path, bad: dict[str, str], part: str) -> None:
    file = tmp_path / "folly.py"
    legal = {"draw": "0", "discard": "(view.hand & ~view.banned) & -(view.hand & ~view.banned)", "knock": "0"}
    file.write_text(FOLLY.format(**legal | bad), encoding="utf-8")
    rules = Rules.parse("eaai(knock_limit=100)")
    a, b = Strategy.parse(f"{file}:Folly"), Strategy.parse("threshold(knock=-1)")
    work = Work((a, b), rules, 4, HANDS, 3, 1)
    message = told_alike(lambda: play(work), lambda: replay(a, b, 3, 4, rules))
    assert part in message and "deal 3, play 0, seed 4" in message
    assert part in run(str(a), str(b), "--deal", "3", "--seed", "4", "--rules", str(rules), code=2)


@pytest.mark.parametrize("name", ["Cheat", "Broken", "too_deep"])
def test_own_strategies_at_the_table_fail_as_in_a_study(name: str) -> None:
    own = Strategy.parse(f"{TABLE_FILE}:{name}")
    work = Work((own, Strategy.parse("table_greedy")), TableRules(), 4, HANDS, 3, 1)
    assert f"{name}: " in told_alike(lambda: work.carry_out(), lambda: replay(own, "table_greedy", 3, 4, "house"))


def test_what_stopped_a_hand_is_told() -> None:
    for rules, end in (
        ("house(max_turns=3)", "The hand went on for 3 turns, the most allowed: the hand is blocked, and nobody wins"),
        ("house(max_turns=3, blocked=lowest)", "The hand went on for 3 turns, the most allowed: seat"),
        ("house(max_reshuffles=0)", "The stock ran out: the hand is blocked, and nobody wins"),
        ("house(max_reshuffles=0, blocked=lowest)", "The stock ran out: seat"),
    ):
        hands = (replay("table_random", "table_random", deal, 1, rules) for deal in range(40))
        last = next(str(hand).splitlines()[-1] for hand in hands if hand.ending in ("blocked", "lowest"))
        assert last.startswith(end), last
    never = "threshold(knock=-1)"
    assert str(replay(never, never, 1, 1, "classic25(max_turns=9)")).endswith("too many turns: nobody scores.")
    assert str(replay(never, never, 1, 1)).endswith("The stock ran out before anyone knocked: nobody scores.")


# Words, data and cards


def test_text_tells_the_hand() -> None:
    text = str(replay("champion", "simple", 4711, 1, "eaai"))
    for part in ("A: champion", "A starts; upcard 3♣; a knock needs 10 or less", "A passes 3♣", "  1 A draws 10♦ (leaving 3♣)"):
        assert part in text
    assert "10♠ 10♦ 10♣ | " in text
    assert "cost of discards" in text
    assert text.splitlines()[-1].endswith(("by a knock.", "by an undercut.", "with gin."))


def test_data_holds_both_hands_and_what_was_known() -> None:
    hand = replay("simple", "simple", 3, 1)
    data = hand.as_dict()
    turns = [move for move in data["moves"] if "turn" in move]
    assert len(turns) == hand.record["turns"]
    for told, move in zip(turns, (m for m in hand.moves if not m.refusal), strict=True):
        after = told["after"]
        cards = " ".join([*after["melds"], after["unmatched"]])
        assert parse_hand(cards) == move.hand
        assert ginsim.deadwood(move.hand) == after["deadwood"]
        assert parse_hand(" ".join(told["knew"]["unseen"])) == move.unseen
    assert H.ENDINGS[hand.record["ending"]] == data["record"]["ending"]


def test_picture_shows_each_card_of_each_turn() -> None:
    hand = replay("simple", "threshold(knock=5)", 2, 1, "round_the_corner", 1)
    axes = ginsim.plot(hand)
    ranks = Counter(text.get_text() for text in axes.texts)
    suits = sum(ranks[symbol] for symbol in "♠♡♢♣")
    assert hand.showdown() is not None
    drawn = [move for move in hand.moves if not move.refusal]
    expected = 20 + 20 + sum(10 + (m.drawn > 0) + (m.discard > 0) for m in drawn)
    assert suits == expected
    assert ranks["knocks"] >= 1
    assert figure_bytes(axes, "png") == figure_bytes(ginsim.plot(hand), "png")


def test_long_hands_are_drawn_from_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("ginsim.report.plots.cards"), "MOST_ROWS", 3)
    texts = [text.get_text() for text in ginsim.plot(replay("simple", "simple", 3, 1)).texts]
    assert any("rounds are left out" in text for text in texts)


# The command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["replay", *words])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_command(tmp_path: Path) -> None:
    words = ("simple", "gin_only", "--deal", "4711", "--seed", "1", "--rules", "eaai", "--play", "1")
    hand = replay("simple", "gin_only", 4711, 1, "eaai", 1)
    assert run(*words).rstrip("\n") == str(hand)
    assert json.loads(run(*words, "--format", "json")) == hand.as_dict()
    picture = tmp_path / "new" / "hand.svg"
    assert f"written: {picture}" in run(*words, "--picture", str(picture))
    assert picture.read_bytes() == figure_bytes(ginsim.plot(hand), "svg")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["simple", "simple", "--deal", "1", "--rules", "house"], "there is no .simple.|simple"),
        (["expert", "novice", "--deal", str(GAME_BASE), "--rules", "house"], "of the table game only single hands are replayed"),
        (["expert", "novice", "--deal", "1", "--rules", "house", "--picture", "a.png"], "of whose hands there are no pictures"),
        (["simple", "simple", "--deal", "-1"], "deal: -1 is not allowed"),
        (["simple", "simple", "--deal", str(1 << 37)], "from 0 to 68719476735, or for a hand of a game one from 1099511627776"),
        (["simple", "simple", "--deal", str(LAST_DEAL + 1)], "deal: "),
        (["simple", "simple", "--deal", "1", "--play", "2"], "play: '2' is not allowed|play: 2 is not allowed"),
        (["simple", "simpel", "--deal", "1"], "did you mean 'simple'"),
        (["simple", "simple", "--deal", "1", "--format", "jsn"], "did you mean 'json'"),
        (["simple", "simple", "--deal", "1", "--picture", "hand.gif"], "picture: 'hand.gif' is not allowed"),
    ],
)
def test_command_refuses(words: list[str], message: str) -> None:
    assert re.search(message, run(*words, code=2))


def test_pictures_at_a_table_are_refused_before_the_hand_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.commands.replay.replay_seats", lambda *given: pytest.fail("played"))
    run("expert", "novice", "--deal", "1", "--rules", "house", "--picture", "a.png", code=2)


def test_a_move_that_is_no_turn() -> None:
    assert Move(0, 0, 1, 31, 2, 1, 0, 0, 0, 0).refusal
