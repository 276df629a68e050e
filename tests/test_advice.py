"""Advice by rollouts: the moment as it is described, what each choice comes to, and what is told of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import layout as D
from ginsim.cards import cards_of, format_card, format_hand, parse_hand
from ginsim.cli import app
from ginsim.deals import stream
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import Advice, choices_at, rolled_out
from ginsim.games.gin.hand import ASK, MUST_DRAW, MUST_TAKE, PLAYING, RECORD, ROWS, between_turns, discard_card, settle, take_turn
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.position import Position, read_position
from ginsim.games.gin.rollout.choices import DRAWS, GOES_ON, KNOCKS, LANE, LAYS_DOWN, PASSES, TAKES
from ginsim.games.gin.rollout.decisions import DEAR_HELD, P_AHEAD, P_ASTRAY, P_OPPONENT, P_WAITS, READS
from ginsim.games.gin.rollout.playout import game_chance, own_turn, play_out, set_players, set_table
from ginsim.games.gin.rollout.sample import CARDS, sample
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.inference.estimates import Estimate
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.hand import advise
from tests.oracle.cards import from_mask, pack_of
from tests.oracle.melds import melds_with

HAND = "4S 4H 5H 9C 10C JC KD 2S 8D QH"
GIN_HAND = "3H 4H 5H 6H 7S 8S 9S KC KS KH JD"
ROLLOUT = Strategy.parse("rollout")
WEIGHTS = ROLLOUT.array
CLASSIC = Rules.parse("classic25")


# The moment


def test_a_first_turn_that_only_discards() -> None:
    """Nobody knocks on it, it draws no card, and it is no full turn."""
    rules = Rules.parse("classic25(eleven_card_start=true, upcard_offer=false)")
    for least, turn, knocks in ((0, 1, False), (0, 2, True), (1, 2, False), (1, 3, True)):
        position = read_position(rules.replace(min_turns_before_knock=least), GIN_HAND, turn=turn)
        assert (KNOCKS in choices_at(position)[0]) == knocks
        assert position.view[V.STOCK] == 31 - 2 * (turn - 1)
    dealer = read_position(rules, HAND, upcard="AD", turn=1, dealer=True)
    assert dealer.view[V.STOCK] == 31
    dealer = read_position(rules.replace(min_turns_before_knock=0), GIN_HAND, upcard="2C", turn=1, dealer=True)
    assert KNOCKS in choices_at(dealer)[0]


def seen_in_play(rules: str, deals: int) -> list[tuple[int, np.ndarray]]:
    """``(kind, view)`` of the draws and discards of real hands."""
    found = list[tuple[int, np.ndarray]]()

    def watch(t: np.ndarray, slots: Any) -> None:
        def noted(kind: int, decide: Callable[..., int]) -> Callable[..., int]:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                found.append((kind, view.copy()))
                return decide(view, params)

            return decision

        for player in range(2):
            slots[player] = [noted(kind, decide) for kind, decide in enumerate(slots[player])]

    one, other = Strategy.parse("lookahead"), Strategy.parse("threshold(knock=2, draw=strict)")
    play(Work((one, other), Rules.parse(rules), 3, HANDS, 0, deals), watch=watch)
    return [(kind, view) for kind, view in found if kind < 2 and not view[V.WALL]]


def described(view: np.ndarray, rules: Rules) -> Position | None:
    """The moment of real play in the words of a player; None if a card went to and fro, which those cannot tell."""
    seen = View(view)
    own = [card for _, card in seen.own_moves]
    took, other = [took for took, _ in seen.opp_moves], [card for _, card in seen.opp_moves]
    named = [*own, *other, *(card for card in took if card)]
    if len(set(own)) < len(own) or len(set(other)) < len(other) or seen.opp_held != sum({*took} - {0} - {*other}):
        return None
    first = seen.pile & ~sum({*named}) & ~seen.upcard
    return read_position(
        rules,
        seen.hand,
        seen.upcard,
        first,
        [format_card(card) for card in own],
        [format_card(card) for card in other],
        ["-" if not card else format_card(card) for card in took],
        dealer=not seen.starter if seen.offer else seen.opp_turn > seen.turn,
        turn=seen.turn + 1,
        limit=int(view[R.LIMIT]),
    )


@pytest.mark.parametrize("rules", ["eaai", "classic25(redraw_ban=false)", "oklahoma", "classic25(upcard_offer=false)"])
def test_a_moment_told_in_full_is_the_one_of_real_play(rules: str) -> None:
    cards = (V.HAND, V.UPCARD, V.PILE, V.OPP_HELD, V.OPP_DISCARDS, V.OWN_DISCARDS, V.BANNED)
    same = (*cards, V.TURN, V.OPP_TURN, V.STOCK, V.OFFER, R.LIMIT)
    told = 0
    for kind, view in seen_in_play(rules, 12):
        position = described(view, Rules.parse(rules))
        if position is None:
            continue
        told += 1
        assert position.drawing == (kind == 0)
        assert position.turns_known
        assert position.hidden == view[V.STOCK]
        for slot in same:
            assert position.view[slot] == view[slot], (slot, View(view).as_dict())
        if view[V.DRAWN] & view[V.UPCARD]:
            assert position.view[V.DRAWN] == view[V.DRAWN]
        assert View(position.view).opp_moves == View(view).opp_moves
        assert [card for _, card in View(position.view).own_moves] == [card for _, card in View(view).own_moves]
        assert not position.view[V.OPP_PASSED] & ~view[V.OPP_PASSED]  # the first upcard may be missing
    assert told > 100


def test_what_is_not_told_is_worked_out() -> None:
    at = read_position(CLASSIC, HAND, "6H", turn=5)
    assert (at.view[V.TURN], at.view[V.OPP_TURN], at.view[V.STOCK], at.hidden) == (4, 4, 23, 31)
    assert not at.turns_known
    assert at.view[V.OPP_DISCARDS] == parse_hand("6H")
    first = read_position(CLASSIC, HAND, "6H")
    assert first.offered
    assert (first.view[V.STARTER], first.view[V.STOCK]) == (1, 31)
    second = read_position(CLASSIC, HAND, "6H", dealer=True)
    assert (second.view[V.STARTER], second.view[V.OPP_PASSED]) == (0, parse_hand("6H"))
    later = read_position(CLASSIC, HAND, "6H", opponent_discarded="7C QC", dealer=True)
    assert (later.view[V.TURN], later.view[V.OPP_TURN], later.view[V.STARTER]) == (2, 3, 0)
    starter = read_position(CLASSIC, HAND, "6H", opponent_discarded="7C QC")
    assert (starter.view[V.TURN], starter.view[V.OPP_TURN], starter.view[V.STARTER]) == (3, 3, 1)
    knows = read_position(CLASSIC, HAND, "6H", discarded="KS QS", opponent_discarded="7C", opponent_took="KS -")
    assert format_hand(int(knows.view[V.OPP_HELD])) == "KS"
    assert format_hand(int(knows.view[V.OPP_PASSED])) == "QS"
    assert knows.turns_known
    taken = read_position(CLASSIC, HAND + " 6H", "6H", turn=3)
    assert taken.view[V.BANNED] == taken.view[V.DRAWN] == parse_hand("6H")
    assert read_position(CLASSIC, HAND + " 6H", "7C", turn=3).view[V.BANNED] == 0
    assert read_position(CLASSIC, HAND, "6H", turn=5, stock=12).view[V.STOCK] == 12


@pytest.mark.parametrize(
    ("upcard", "ace", "limit"), [("6H", "one", 6), ("KH", "one", 10), ("AH", "one", 1), ("AH", "gin_only", 0)]
)
def test_an_upcard_may_set_the_limit(upcard: str, ace: str, limit: int) -> None:
    rules = Rules.parse(f"oklahoma(oklahoma_ace={ace})")
    assert read_position(rules, HAND, upcard).view[R.LIMIT] == limit
    with pytest.raises(InputError, match="limit: under these rules"):
        read_position(rules, HAND, upcard, turn=4)
    assert read_position(rules, HAND, upcard, turn=4, limit=3).view[R.LIMIT] == 3


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hand": "4S 4H"}, "hand: 2 cards; give 10 to choose the draw, or one more"),
        ({"hand": HAND + " 6H 7H"}, "hand: 12 cards"),
        ({"hand": "4S 4S"}, "appears twice"),
        ({"upcard": ""}, "upcard: '' is not allowed; give the one card"),
        ({"upcard": "6H 7H"}, "upcard: '6H 7H' is not allowed"),
        ({"upcard": "4H"}, "upcard: 4H is in the hand"),
        ({"seen": "4H 7H"}, "seen: 4H is in the hand"),
        ({"opponent_took": "4H"}, "opponent_took: 4H is in your hand"),
        ({"opponent_took": "6H"}, "opponent_took: 6H is the upcard"),
        ({"opponent_took": "7H", "seen": "7H"}, "opponent_took: 7H is also among the cards seen"),
        ({"opponent_took": "7H 7H"}, "opponent_took: 7H appears twice"),
        ({"opponent_took": "7H8H"}, "opponent_took: '7H8H' is not one card"),
        ({"discarded": "4H"}, "discarded: 4H is in your hand"),
        ({"discarded": "6H"}, "discarded: 6H is the upcard"),
        ({"discarded": "-"}, "discarded: '-' is not"),
        ({"opponent_discarded": "6H 7H"}, "opponent_discarded: 6H lies on top: name it last"),
        ({"opponent_discarded": "7H 8H 9H", "turn": 2}, r"opponent_discarded: 4 cards \(the upcard counts\) are too many"),
        ({"discarded": "7H 8H", "turn": 2}, "discarded: 2 cards"),
        ({"turn": 0}, "turn: 0 is not allowed"),
        ({"turn": 5, "stock": 40}, "stock: 40 is not allowed; give a whole number from 3 to 31"),
        ({"score": (100, 20)}, "score: 100 to 20 has ended the game"),
        ({"score": (1, 2, 3)}, "score: .* give two numbers"),
        ({"seen": "everything"}, "seen: 'everything' is not a card"),
        ({"rules": "house"}, "upcard: house is the table game, whose advice has no upcard; known: hand, pile, "),
        ({"rollouts": 1}, "rollouts: 1 is not allowed"),
        ({"player": "nobody"}, "strategy: there is no 'nobody'"),
        ({"turn": 4, "rules": "oklahoma"}, "limit: under these rules the first upcard sets it"),
        ({"opponent_took": "AS AH AD AC 2H 2D 2C 3S 3H 3D 3C", "turn": 12}, "opponent_took: 11 cards; a hand has 10"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        advise(**({"hand": HAND, "upcard": "6H", "rollouts": 2} | wrong))


def test_too_many_cards_seen() -> None:
    others = list(cards_of(int(CLASSIC.array()[D.FULL]) & ~parse_hand(HAND + " 6H")))
    for named in (29, 31):
        with pytest.raises(InputError, match="seen: so many cards are named that fewer than 3 are left"):
            advise(HAND, upcard="6H", seen=sum(others[:named]), turn=9, rollouts=2)
    assert advise(HAND, upcard="6H", seen=sum(others[:28]), turn=9, rollouts=2).position.view[V.STOCK] == 3


# What the choices come to


def opponent_takes(view: np.ndarray, rules: Rules) -> bool:
    """Whether the plain opponent takes the upcard: if it lies in a meld with cards in hand (the slow meld code)."""
    (card,) = from_mask(int(view[V.UPCARD]))
    return any(True for _ in melds_with(from_mask(int(view[V.HAND])), card, pack_of(rules)))


def slow_values(position: Position, kinds: np.ndarray, cards: np.ndarray, rollouts: int, seed: int) -> np.ndarray:
    """The rollouts one by one, in plain Python about the engine's moves."""
    rules, params = position.rules, WEIGHTS
    seen = position.view.copy()
    believe(seen, DEAR_HELD, READS)
    seen[V.STOCK] = position.hidden
    seen[V.OPP_TURN] *= position.turns_known
    values = np.zeros((rollouts, len(kinds), 2))
    t, plain = np.zeros((ROWS, V.SIZE), np.int64), np.zeros((2, PARAMS_SIZE))
    set_players(t, plain, params[P_OPPONENT])

    def turn(mode: int) -> int:
        return int(own_turn(t, mode, params))

    def opponent_first(mode: int) -> int:
        status = take_turn(t, 1, plain, (), mode)
        if status == PLAYING:
            status, _ = between_turns(t, 0, np.uint64(t[0, V.RANDOM]))
        return turn(ASK) if status == PLAYING else int(status)

    def done(kind: int, card: int) -> int:
        me = t[0]
        if kind == TAKES:
            return turn(MUST_TAKE)
        if kind == DRAWS:
            return turn(MUST_DRAW)
        if kind == PASSES:
            t[1, V.OPP_PASSED] |= me[V.UPCARD]
            if not me[V.STARTER]:
                return opponent_first(MUST_DRAW)
            if opponent_takes(t[1], rules):
                return opponent_first(MUST_TAKE)
            me[V.OPP_PASSED] |= me[V.UPCARD]
            return turn(MUST_DRAW)
        if kind == LAYS_DOWN:
            return int(settle(t, 0, 0, H.BIG_GIN))
        discard_card(t, 0, card)
        left = ginsim.deadwood(int(me[V.HAND]), rules)
        return int(settle(t, 0, left, H.GIN if left == 0 else H.KNOCKED)) if kind == KNOCKS else PLAYING

    for r in range(rollouts):
        deck, odds = np.zeros((3, 52), np.int64), np.zeros(52)
        hand, state = sample(seen, deck, odds, params[P_ASTRAY], params[P_WAITS], np.uint64(stream(seed, r, LANE)))
        for i, (kind, card) in enumerate(zip(kinds.tolist(), cards.tolist(), strict=True)):
            set_table(position.view, t, hand, deck[CARDS], np.uint64(state))
            t[:2, V.OFFER] = 0
            if done(kind, card) == PLAYING:
                play_out(t, np.int64(params[P_AHEAD]), params, plain)
            winner, points = t[RECORD, H.WINNER], t[RECORD, H.POINTS]
            gain = {-1: 0, 0: points, 1: -points}[int(winner)]
            score = [int(position.view[slot]) for slot in (V.OWN_SCORE, V.OPP_SCORE)]
            values[r, i] = gain, game_chance(score[0] + max(gain, 0), score[1] + max(-gain, 0), position.view[R.TARGET])
    return values


MOMENTS = {
    "draw": {"hand": HAND, "upcard": "6H", "turn": 4},
    "offered first": {"hand": HAND, "upcard": "6H", "score": (60, 70)},
    "offered second": {"hand": HAND, "upcard": "6H", "dealer": True},
    "offered, spades double": {"hand": HAND, "upcard": "6S", "rules": Rules.parse("classic25(spades_double=true)")},
    "discard": {
        "hand": HAND + " 6D",
        "upcard": "6H",
        "discarded": "KS QS",
        "opponent_discarded": "7H JS",
        "opponent_took": "- KS",
    },
    "knock or not": {"hand": "4S 4H 4D 9C 10C JC AD 2S AC 6S 6D", "upcard": "6H", "turn": 6, "score": (90, 20)},
    "gin": {"hand": GIN_HAND, "turn": 3, "stock": 8},
    "big gin": {"hand": "3H 4H 5H 6H 7S 8S 9S KC KS KH KD", "turn": 3, "rules": Rules.parse("big_gin")},
    "turning the corner": {"hand": HAND, "upcard": "6H", "turn": 2, "rules": Rules.parse("round_the_corner")},
}


def moment(name: str) -> Position:
    rules = MOMENTS[name].get("rules", CLASSIC)
    return read_position(rules, **{key: value for key, value in MOMENTS[name].items() if key != "rules"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MOMENTS)
def test_rollouts_are_those_of_the_slow_twin(name: str) -> None:
    position = moment(name)
    kinds, cards = choices_at(position)
    values, _ = rolled_out(position, kinds, cards, 12, 5, ROLLOUT)
    np.testing.assert_array_equal(values, slow_values(position, kinds, cards, 12, 5))


def test_the_offer_goes_both_ways() -> None:
    position = moment("offered first")
    _, hands = rolled_out(position, *choices_at(position), 200, 1, ROLLOUT)
    views = [np.array([*position.view[:V.HAND], hand, *position.view[V.HAND + 1 :]]) for hand in hands]
    assert 0 < sum(opponent_takes(view, position.rules) for view in views) < 200


def test_a_knock_is_worth_what_the_showdown_says() -> None:
    position = moment("knock or not")
    kinds, cards = choices_at(position)
    values, hands = rolled_out(position, kinds, cards, 200, 1, ROLLOUT)
    knocks = [i for i, kind in enumerate(kinds) if kind == KNOCKS]
    assert {format_card(int(cards[i])) for i in knocks} == {"6S", "6D"}
    for i in knocks:
        held = int(position.view[V.HAND] ^ cards[i])
        for hand, gained in zip(hands.tolist(), values[:, i, 0], strict=True):
            shown = ginsim.showdown(held, hand, position.rules)
            assert gained == (shown.points if shown.winner == "knocker" else -shown.points)


@pytest.mark.parametrize("name", MOMENTS)
def test_hands_drawn_agree_with_what_was_seen(name: str) -> None:
    position = moment(name)
    view = position.view
    _, hands = rolled_out(position, *choices_at(position), 60, 2, ROLLOUT)
    for hand in hands:
        assert int(hand).bit_count() == position.rules.hand_size
        assert not hand & (view[V.HAND] | view[V.PILE])
        assert not view[V.OPP_HELD] & ~hand


def test_cards_that_nobody_named_may_be_anywhere() -> None:
    """With a short stock, each hidden card is in it as often as another (none is left out for its place in the deck)."""
    position = read_position(CLASSIC, HAND, "6H", turn=3, stock=4)
    values, _ = rolled_out(position, np.array([DRAWS]), np.array([0]), 400, 1, ROLLOUT)
    assert values[:, 0, 0].std() > 0
    seen, deck, odds = position.view.copy(), np.zeros((3, 52), np.int64), np.zeros(52)
    believe(seen, DEAR_HELD, READS)
    seen[V.STOCK], seen[V.OPP_TURN] = position.hidden, 0
    tops = set()
    for r in range(400):
        sample(seen, deck, odds, 0.05, 0.05, np.uint64(stream(1, r, LANE)))
        tops.add(int(deck[CARDS, 0]))
    assert len(tops) == (int(View(position.view).unseen)).bit_count()


def test_rollouts_do_not_depend_on_how_they_are_cut() -> None:
    position = moment("discard")
    kinds, cards = choices_at(position)
    more, hands = rolled_out(position, kinds, cards, 130, 7, ROLLOUT)
    less, first = rolled_out(position, kinds, cards, 61, 7, ROLLOUT)
    np.testing.assert_array_equal(more[:61], less)
    np.testing.assert_array_equal(hands[:61], first)
    other, _ = rolled_out(position, kinds, cards, 61, 8, ROLLOUT)
    assert not np.array_equal(other, less)


# What may be done, and what is told


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("draw", {TAKES, DRAWS}),
        ("offered first", {TAKES, PASSES}),
        ("discard", {GOES_ON}),
        ("knock or not", {GOES_ON, KNOCKS}),
        ("big gin", {GOES_ON, KNOCKS, LAYS_DOWN}),
    ],
)
def test_the_choices(name: str, kinds: set[int]) -> None:
    assert set(choices_at(moment(name))[0].tolist()) == kinds


def test_a_card_just_taken_may_not_go_back() -> None:
    hand = "4S 4H 5H 9C 10C JC KD 2S 8D QH 6H"
    banned = {choice.card for choice in advise(hand, upcard="6H", turn=3, rollouts=2).choices}
    free = {choice.card for choice in advise(hand, upcard="6H", turn=3, rollouts=2, rules="classic25(redraw_ban=false)").choices}
    assert free - banned == {parse_hand("6H")}


def test_nobody_knocks_before_the_rules_allow() -> None:
    kinds, _ = choices_at(read_position(CLASSIC, GIN_HAND, "2D", turn=1))
    assert set(kinds.tolist()) == {GOES_ON}


@pytest.mark.parametrize(
    ("given", "best"),
    [
        ({"hand": GIN_HAND, "turn": 3}, "discard J♦ and go gin"),
        ({"hand": "3H 4H 5H 7S 8S 9S KC KS KH JD", "upcard": "6H", "turn": 4}, "take 6♥"),
        ({"hand": HAND, "upcard": "6H", "turn": 5}, "take 6♥"),
        ({"hand": "2C 3C 4C 7H 8H 9H KS KD KH 5S", "upcard": "QD", "turn": 5}, "draw from the stock"),
        ({"hand": "3H 4H 5H 6H 7S 8S 9S KC KS KH KD", "turn": 3, "rules": "big_gin"}, "lay down big gin"),
    ],
)
def test_clear_cases(given: dict[str, Any], best: str) -> None:
    assert str(advise(**given, rollouts=200).best) == best


def test_intervals_are_of_paired_differences() -> None:
    position = moment("discard")
    kinds, cards = choices_at(position)
    values, _ = rolled_out(position, kinds, cards, 300, 3, ROLLOUT)
    known = {"discarded": "KS QS", "opponent_discarded": "7H JS", "opponent_took": "- KS"}
    told = advise(HAND + " 6D", upcard="6H", rollouts=300, seed=3, player=ROLLOUT, **known)
    assert told.position.view.tolist() == position.view.tolist()
    column = {int(card): values[:, i, 0] for i, card in enumerate(cards)}
    best = column[told.best.card]
    for choice in told.choices:
        own = column[choice.card]
        assert choice.points.value == pytest.approx(own.mean())
        assert choice.behind.value == pytest.approx((own - best).mean())
        assert choice.behind.se == pytest.approx(
            ((own - best).var(ddof=1) / 300 + (2 * (25 / 300) ** 2 if choice is not told.best else 0)) ** 0.5
        )
        assert choice.behind.low <= choice.behind.value <= choice.behind.high
    gaps = [choice.behind.value for choice in told.choices]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[0] == 0
    independent = (told.choices[1].points.se ** 2 + told.best.points.se**2) ** 0.5
    assert told.choices[1].behind.se < independent


def test_a_score_ranks_by_the_game() -> None:
    by_points, by_game = (advise(**MOMENTS["knock or not"] | more, rollouts=100) for more in ({"score": None}, {}))
    assert (by_points.by, by_game.by) == ("points", "game")
    assert all(0 <= choice.game.value <= 1 for choice in by_game.choices)
    games = [choice.game.value for choice in by_game.choices]
    assert games == sorted(games, reverse=True)
    assert by_game.best.behind.value == 0
    clear = replace(by_game, choices=(by_game.best, replace(by_game.choices[1], behind=Estimate(-0.028, -0.057, -0.001, 0.014))))
    assert clear.verdict().endswith(" costs 2.8 percentage points of the games won (95 % interval 0.1 to 5.7).")


def test_the_result_is_a_table_and_words() -> None:
    told = advise(HAND, upcard="6H", turn=5, rollouts=100)
    assert isinstance(told, Advice)
    table = told.table()
    assert isinstance(table, pd.DataFrame)
    assert list(table.index) == ["take 6♥", "draw from the stock"]
    assert (table.points_low < table.points).all()
    assert (table.points < table.points_high).all()
    assert list(table.deadwood) == [24, 43]
    assert told.situation() == "turn 5, upcard 6♥, 23 cards in the stock; classic25"
    assert told.verdict().startswith("Take 6♥: the next best, draw from the stock, costs ")
    assert str(told).startswith(told.verdict())
    assert advise(HAND, upcard="6H", turn=5, rollouts=100).choices == told.choices


# The command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["advise", *words])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_command() -> None:
    words = (HAND, "--upcard", "6H", "--turn", "5", "--rollouts", "60", "--seed", "2", "--rules", "eaai")
    told = advise(HAND, upcard="6H", turn=5, rollouts=60, seed=2, rules="eaai")
    text = run(*words)
    assert text.startswith(f"{told.situation()}\n{told.verdict()}\n")
    assert "take 6♥" in text
    assert "60 rollouts" in text
    data = json.loads(run(*words, "--format", "json"))
    assert data["verdict"] == told.verdict()
    assert [row["choice"] for row in data["choices"]] == [str(choice) for choice in told.choices]
    assert run(*words, "--format", "csv") == told.table().to_csv(lineterminator="\n")
    scored = run(*words, "--score", "20", "35", "--opponent-took", "KC", "--seen", "2C 3C")
    assert "at 20 to 35" in scored
    assert "opponent holds K♣" in scored
    assert "Ranked by the chance to win the game" in scored
    assert re.search(r"[+-]\d+\.\d pp \([+-]", scored) and "pp: percentage points" in " ".join(scored.split())
    assert " pp " not in text and "pp:" not in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([HAND, "--upcard", "4H"], "upcard: 4H is in the hand"),
        ([HAND], "upcard: '' is not allowed"),
        ([HAND, "--upcard", "6H", "--turn", "x"], "turn: 'x' is not allowed"),
        ([HAND, "--upcard", "6H", "--rollouts", "1"], "rollouts: 1 is not allowed"),
        ([HAND, "--upcard", "6H", "--format", "cvs"], "did you mean 'csv'"),
        ([HAND, "--upcard", "6H", "--score", "100", "0"], "has ended the game"),
    ],
)
def test_command_refuses(words: list[str], message: str) -> None:
    assert message in run(*words, code=2)


def test_what_was_not_said_is_told() -> None:
    hand = "8H 8D 8C 5S 6S 7S AD AC AH 2C KD"
    assert "as if no better than when they were dealt" in " ".join(advise(hand, turn=5, rollouts=2).caveat().split())
    assert advise(hand, rollouts=2).caveat() == ""
    told = advise(hand, upcard="QD", discarded="KS", opponent_discarded="QC QD", rollouts=2)
    assert told.caveat() == ""


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        ({"opponent_took": "- KS -"}, "opponent_took: 3 entries are too many"),
        ({"limit": 11}, "limit: 11 is not allowed: classic25 sets it, 10"),
        ({"limit": 9, "rules": "oklahoma"}, "limit: 9 is not allowed: the first upcard sets 6"),
    ],
)
def test_what_does_not_fit_is_refused(more: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        advise("4S 4H 5H 9C 10C JC KD 2S 8D QH", upcard="6H", rollouts=2, **more)
