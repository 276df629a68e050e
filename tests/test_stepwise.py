"""Hands played step by step: the same as when strategies play them, whoever gives the decisions; what is not allowed is told."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ginsim
from ginsim.cards import format_card
from ginsim.errors import InputError, StrategyError
from ginsim.games.catalog import Strategy
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.replay import Replay
from ginsim.study.hand import replay
from ginsim.study.stepwise import Table
from tests.helpers import random_rules

RULES = (
    "classic25", "eaai", "oklahoma", "big_gin", "tournament", "classic25(eleven_card_start=true, upcard_offer=false)",
    "classic25(stock_end=last_discard)", "classic25(stock_end=reshuffle, knock_limit=0)", "round_the_corner", "straight",
)  # fmt: skip
SEATS = (
    ("champion", "simple", "a"), ("random", "random", "ab"), ("gin_only", "champion", "b"),
    ("simple", "threshold(knock=3)", "ab"),
)  # fmt: skip
KINDS = {"upcard": 0, "draw": 0, "discard": 1, "knock": 2}


def driven(a: str, b: str, outside: str, words: bool = False, **which: Any) -> Table:
    """A hand in which the strategies of the seats ``outside`` answer what the table asks."""
    players = [Strategy.parse(spec) for spec in (a, b)]
    seats = [None if name in outside else player for name, player in zip("ab", players, strict=True)]
    table = Table(*seats, **which)
    while not table.over:
        player = players[table.player]
        answer = int(player.decisions[KINDS[table.decision]](table.view.array, player.array))
        table.play(spelt(table, answer) if words else answer)
    return table


def spelt(table: Table, answer: int) -> str:
    return format_card(answer) if table.decision == "discard" else table.choices[1 - answer]


def plain(hand: Replay) -> Replay:
    """Without the names, and without what only strategies tell."""
    return replace(hand, a="", b="", moves=tuple(replace(move, costs=()) for move in hand.moves))


@pytest.mark.parametrize("rules", RULES)
def test_a_hand_is_the_one_that_strategies_play(rules: str) -> None:
    rnd = random.Random(rules)
    for i in range(12):
        a, b, outside = SEATS[i % len(SEATS)]
        deal, seed, starter = rnd.randrange(1 << 36), rnd.randrange(1000), rnd.randrange(2)
        table = driven(a, b, outside, words=i % 2 == 0, rules=rules, seed=seed, deal=deal, starter=starter)
        assert plain(table.result) == plain(replay(a, b, deal, seed, rules, starter))


def test_a_hand_under_any_rules() -> None:
    rnd = random.Random(19)
    for i in range(20):
        rules, (a, b, outside), deal = random_rules(rnd), SEATS[i % len(SEATS)], rnd.randrange(1 << 36)
        table = driven(a, b, outside, rules=rules, deal=deal)
        assert plain(table.result) == plain(replay(a, b, deal, 0, rules))


def test_what_the_record_says_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "hand.txt"
    for rules in RULES:
        table = driven("simple", "simple", "a", rules=rules, deal=3, score=(40, 25))
        file.write_text(table.record(), encoding="utf-8")
        (hand,) = ginsim.read_hands(file)
        assert hand.names == ("A", "simple")
        assert hand.score == (40, 25)
        assert str(hand) == table.record()
        assert not walk(hand).faults
        assert len(table.steps) == len(hand.turns)


def test_the_score_is_seen_from_both_sides() -> None:
    table = Table(None, None, score=(40, 25))
    assert (table.player, table.view.own_score, table.view.opp_score) == (0, 40, 25)
    table.play("pass")
    assert (table.player, table.view.own_score, table.view.opp_score) == (1, 25, 40)


def test_the_opponents_cards_are_not_told() -> None:
    table = Table("me", "simple", rules="eaai", seed=1, deal=4711)
    table.play("take").play("10C")
    assert table.steps == ((0, "takes 3C, discards 10C"), (1, "draws, discards 10D"))
    assert str(table).startswith("me: draw? take or draw\n")
    with pytest.raises(InputError, match="the hand is not over: me is asked for the draw decision"):
        table.record()


def test_a_knock_is_two_decisions() -> None:
    table = Table(rules="eaai(knock_limit=50)", seed=1, deal=4711).play("take")
    assert table.knocks["10C"] == 30
    table.play("10c")
    assert (table.decision, table.choices, table.view.deadwood) == ("knock", ("knock", "go on"), 30)
    assert not table.play("Knock").choices
    assert (table.player, table.decision, table.over) == (-1, "", True)
    assert table.steps == ((0, "takes 3C, discards 10C, knocks"),)
    for ask in (lambda: table.view, lambda: table.play("draw")):
        with pytest.raises(InputError, match="the hand is over; see its result"):
            ask()


@pytest.mark.parametrize("wrong", ["draw", "", "KD", None, True, 2, -1, 1.0, ["take"], "x" * 1000])
def test_what_is_not_allowed_is_told_and_asked_again(wrong: Any) -> None:
    table = Table(rules="eaai", seed=1, deal=4711)
    with pytest.raises(InputError, match=r"^choice: .* is not allowed at the upcard decision; choose take or pass$"):
        table.play(wrong)
    table.play(" TAKE ")
    with pytest.raises(InputError, match=r"^choice: .* choose one of 4S .* 10C \(3C may not be discarded"):
        table.play("3C" if wrong == "KD" else wrong)
    assert table.play("c10").steps[0] == (0, "takes 3C, discards 10C")


@pytest.mark.parametrize(
    "given",
    [
        ({"deal": -1}, "deal: -1"), ({"seed": 1.5}, "seed: 1.5"), ({"starter": 2}, "starter: 2"),
        ({"score": (100, 0)}, "score: 100"), ({"a": ""}, "the text ends, expected a name"), ({"a": 5}, "5"),
        ({"score": 5}, "score: 5"), ({"score": (1, 2, 3)}, "score: "), ({"rules": "house"}, "rules: house is the table game"),
        ({"b": "simpel"}, "did you mean 'simple'"), ({"b": "table_random"}, "table_random"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_told(given: tuple[dict[str, Any], str]) -> None:
    with pytest.raises(InputError) as error:
        Table(**given[0])
    assert given[1] in str(error.value)


def test_an_illegal_move_of_a_strategy_is_told(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text("class Wrong:\n    def draw(self, view):\n        return 7\n    def discard(self, view):\n        return 0\n"
                    "    def knock(self, view):\n        return 1\n", encoding="utf-8")  # fmt: skip
    table = Table(None, f"{file}:Wrong")
    with pytest.raises(StrategyError, match="draw decision"):
        table.play("pass")
    for ask in (lambda: table.view, lambda: table.result, lambda: table.play("pass"), lambda: str(table)):
        with pytest.raises(InputError, match="the hand was broken off; begin it anew"):
            ask()


def test_what_a_player_writes_into_the_view_of_the_engine_changes_nothing() -> None:
    table, other = (Table(rules="eaai", seed=1, deal=4711) for _ in range(2))
    table.view.array[:65] = 0
    assert (table.decision, table.choices, str(table)) == ("upcard", ("take", "pass"), str(other))
    assert table.play("take").choices == other.play("take").choices
    assert table.view.hand == other.view.hand
