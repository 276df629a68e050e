"""The learned player that plays nearly equal choices on: what it lists, what comes of each, and what it chooses."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest

from ginsim import layout as D
from ginsim.cards import parse_hand
from ginsim.deals import mix, next_state
from ginsim.games.catalog import Strategy
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, MUST_DRAW, MUST_TAKE, RECORD, ROWS, play_on
from ginsim.games.gin.learned.decisions import discard_learned, draw_learned
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.rollout import learned as kernel
from ginsim.games.gin.rollout import playout
from ginsim.games.gin.rollout import sample as hidden
from ginsim.games.gin.rollout.seating import seat_opponent
from ginsim.games.gin.rules import Rules
from ginsim.melds import best_discards
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.helpers import from_mask
from tests.strategy_contract import awkward_views, view_of
from tests.test_rollout import PLAYED_ON, RULES, Moment, moments, outcome

SPEC = "strong_rollout(weights=eaai, {})"


@cache
def params_of(text: str = "rollouts=4") -> np.ndarray:
    found: np.ndarray = Strategy.parse(SPEC.format(text)).array
    return found


def some(rules: str, kind: str, number: int = 12) -> list[Moment]:
    """Moments of a hand of the learned player against a plain one."""
    every = moments(rules, "learned(weights=eaai)", "simple", 6)[0]
    found = [m for m in every if m.kind == kind and m.player == 0]
    return found[:: max(len(found) // number, 1)]


def listed(view: np.ndarray, text: str) -> dict[int, float]:
    """The discards that are played out, best first, and what they cost in chance to win the game."""
    cards, costs = np.zeros(kernel.MOST, np.int64), np.zeros(kernel.MOST)
    params = params_of(text)
    n = kernel.candidates(view.copy(), params[kernel.P_MARGIN], cards, costs, params)
    return {int(card): float(cost) for card, cost in zip(cards[:n], costs[:n], strict=True)}


# What is played out


@pytest.mark.parametrize("rules", RULES)
def test_the_first_listed_is_the_learned_discard(rules: str) -> None:
    """The rest comes in the order of its cost, none further from the first than the margin, and all within are there."""
    sizes = set[int]()
    for moment in some(rules, "discard"):
        every, near = (listed(moment.view, f"rollouts=4, margin={margin}") for margin in (1, 0.02))
        costs = list(every.values())
        assert costs == sorted(costs)
        assert near == {card: cost for card, cost in every.items() if cost <= costs[0] + 0.02}
        if best_discards(moment.view[V.HAND], moment.view[V.BANNED], moment.view)[0] > 0:
            assert next(iter(every)) == discard_learned(moment.view, params_of())
        sizes.add(len(near))
    assert max(sizes) > 1


@pytest.mark.parametrize("rules", RULES)
def test_without_margins_it_plays_as_learned(rules: str) -> None:
    params = params_of("rollouts=4, margin=0, draw_margin=0")
    answers = set()
    for kind, by_rollouts, by_net in (
        ("discard", kernel.discard_learned_rollout, discard_learned),
        ("draw", kernel.draw_learned_rollout, draw_learned),
    ):
        for moment in some(rules, kind):
            if kind == "discard" and len(listed(moment.view, "rollouts=4, margin=0")) > 1:
                continue  # two that are the same to the net
            array = moment.view
            assert by_rollouts(array, params) == by_net(moment.view, params)
            assert array[V.RANDOM] == moment.view[V.RANDOM]
            answers.add(kind)
    assert answers == {"draw", "discard"}


@pytest.mark.parametrize("rules", ["eaai", "oklahoma"])
def test_only_what_is_listed_is_discarded(rules: str) -> None:
    """Which of it is for the random numbers to say: one word of the stream is used, and the same says the same."""
    text, differ = "rollouts=4, again=1, margin=0.05, share=0", 0
    for moment in some(rules, "discard"):
        found, answers = listed(moment.view, text), set()
        gin = best_discards(moment.view[V.HAND], moment.view[V.BANNED], moment.view)[0] == 0
        for state in range(5):
            arrays = [moment.view, moment.view]
            for array in arrays:
                array[V.RANDOM] = 1009 * state
            one, other = (int(kernel.discard_learned_rollout(array, params_of(text))) for array in arrays)
            assert one == other
            answers.add(one)
            if len(found) > 1 and not gin:
                assert np.uint64(arrays[0][V.RANDOM]) == next_state(np.uint64(1009 * state))
        assert gin or answers <= set(found)
        differ += len(answers) > 1
    assert differ > 3


def test_gin_is_never_played_out() -> None:
    """A discard that leaves gin, and an upcard that brings it, are taken whatever the margins."""
    params = params_of("rollouts=4, margin=1, draw_margin=1")
    view = view_of("eaai", "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S KD", stock=25, turn=2, opp_turn=2)
    before = view.copy()
    assert kernel.discard_learned_rollout(view, params) == parse_hand("KD")
    assert view[V.RANDOM] == before[V.RANDOM]
    gin = view_of("eaai", "AH 2H 3H 5C 6C 7C 9D 9H 9C KD", upcard="9S", pile="9S", stock=31, turn=1, opp_turn=1)
    assert kernel.draw_learned_rollout(gin, params) == 1


def test_draws_by_rollouts() -> None:
    """At the offer, and where the net sees much between both, nothing is played out."""
    answers, played = set(), 0
    for rules in ("eaai", "oklahoma", "classic20"):
        for moment in some(rules, "draw", 20):
            view, offer = moment.view, moment.view
            answers.add(int(kernel.draw_learned_rollout(view, params_of("rollouts=4, draw_margin=1"))))
            played += view[V.RANDOM] != moment.view[V.RANDOM]
            offer[V.OFFER] = 1
            kernel.draw_learned_rollout(offer, params_of("rollouts=4, draw_margin=1"))
            assert offer[V.RANDOM] == moment.view[V.RANDOM]
    assert answers == {0, 1}
    assert played > 20


def test_views_that_do_not_add_up() -> None:
    """Where the stock is not what is left of the deck, nothing can be played out: the nets decide."""
    params, odd = params_of("rollouts=4, margin=1, draw_margin=1"), 0
    for kind, view in awkward_views().values():
        if kind == "knock" or view[V.WALL]:
            continue
        array, other = view.copy(), view.copy()
        by_rollouts, by_net = (
            (kernel.discard_learned_rollout, discard_learned)
            if kind == "discard"
            else (kernel.draw_learned_rollout, draw_learned)
        )
        answer = by_rollouts(array, params)
        if array[V.RANDOM] == view[V.RANDOM]:
            assert answer == by_net(other, params)
            odd += 1
    assert odd > 5


# What comes of it


def play_choice(moment: Moment, text: str, card: int, how: int, state: int = 1) -> tuple[float, np.ndarray]:
    """Worth of a choice with the true cards, and the record of the hand."""
    params, plain = params_of(text), np.zeros((2, PARAMS_SIZE))
    t, u, cards = (np.zeros((ROWS, V.SIZE), np.int64) for _ in range(3))
    playout.set_players(t, plain, params[kernel.P_OPPONENT])
    stock = cards[0]
    stock[: moment.stock.size] = moment.stock
    chosen = np.int64(card), np.int64(how)
    found = kernel.play_choice(moment.view, t, u, moment.opponent_hand, stock, np.uint64(state), *chosen, params, plain)
    return float(found), t[RECORD, : H.SIZE].copy()


@pytest.mark.parametrize("rules", [rules for rules in PLAYED_ON if "big_gin" not in rules])
def test_the_nets_end_the_hand_as_they_did(rules: str) -> None:
    """Two learned players, from each discard and draw on: with the true cards the hand ends as it did."""
    name = "learned(weights=eaai)"
    found, records = moments(rules, name, name, 4)
    count = 0
    for moment in found:
        card, how = moment.answer, 0
        if moment.kind == "draw":
            card, how = kernel.DRAWS, MUST_TAKE if moment.answer else MUST_DRAW
        else:
            view = moment.view
            assert discard_learned(view, params_of()) == card
            how = int(kernel.knocks_learned(view, np.int64(card), params_of())[0])
            np.testing.assert_array_equal(view[: V.MEMORY], moment.view[: V.MEMORY])
        worth, record = play_choice(moment, "ahead=100, opponent_ahead=100", card, how)
        expected = outcome(records[moment.hand], moment.player)
        assert outcome(record, 0) == expected
        sign = {0: 1, 1: -1, -1: 0}[expected[0]]
        view = moment.view
        scores = [
            int(view[slot]) + (sign * way > 0) * int(record[H.POINTS]) for slot, way in ((V.OWN_SCORE, 1), (V.OPP_SCORE, -1))
        ]
        assert worth == playout.game_chance(*(np.int64(score) for score in scores), np.int64(moment.rules.target))
        count += 1
    assert count > 30


def mean_worth(t: np.ndarray, view: np.ndarray, times: int, state: np.uint64) -> list[float]:
    """Twin of `mean_worths`: the worth of each hand, played on a copy of the whole table."""
    plain, worths = np.zeros((2, PARAMS_SIZE)), []
    playout.set_players(np.zeros_like(t), plain, 100)
    end = int(t[0, D.RANKS] * t[0, D.SUITS])
    for _ in range(times):
        u = t.copy()
        state = np.uint64(kernel.shuffle(u[DECK], end - t[0, V.STOCK], end, state))
        assert sorted(u[DECK]) == sorted(t[DECK])
        for player in range(2):
            u[player, V.RANDOM] = np.uint64(mix(np.uint64((int(state) + player) % (1 << 64)))).astype(np.int64)
        play_on(u, np.int64(1), np.int64(0), np.uint64(5), plain, ())
        worths.append(float(playout.worth(view, u, True)))
    return worths


@pytest.mark.parametrize("rules", RULES)
def test_mean_of_plain_endings(rules: str) -> None:
    differ = 0
    for number, moment in enumerate(some(rules, "discard", 6)):
        t, u, plain = np.zeros((ROWS, V.SIZE), np.int64), np.zeros((ROWS, V.SIZE), np.int64), np.zeros((2, PARAMS_SIZE))
        stock = np.zeros(52, np.int64)
        stock[: moment.stock.size] = moment.stock
        playout.set_players(t, plain, 100)
        playout.set_table(moment.view, t, moment.opponent_hand, stock, np.uint64(1))
        seat_opponent(moment.view, t[0], t[1])
        card = np.int64(moment.answer)
        playout.discard_card(t, 0, card)
        before, state = t.copy(), np.uint64(11 * number + 1)
        refill, how = np.uint64(5), (np.int64(3), state)
        found, _ = kernel.mean_worths(moment.view, t, u, np.int64(1), refill, plain, *how)
        expected = mean_worth(before, moment.view, 3, state)
        assert found == pytest.approx(math.fsum(expected) / 3)
        np.testing.assert_array_equal(t, before)
        differ += len(set(expected)) > 1
    assert differ > 0


def means(view: np.ndarray, cards: list[int], hows: list[int], params: np.ndarray) -> list[float]:
    """What each choice comes to on the mean of all rollouts, each choice on the same hands."""
    array, t, u = view.copy(), np.zeros((ROWS, V.SIZE), np.int64), np.zeros((ROWS, V.SIZE), np.int64)
    plain, deck, odds, stock = np.zeros((2, PARAMS_SIZE)), np.zeros((3, 52), np.int64), np.zeros(52), np.zeros(52, np.int64)
    playout.set_players(t, plain, params[kernel.P_OPPONENT])
    believe(array, kernel.DEAR_HELD, kernel.READS)
    number, alias = hidden.spread(array, deck, odds)
    state, worths = np.uint64(next_state(np.uint64(array[V.RANDOM]))), []
    for _ in range(int(params[kernel.P_ROLLOUTS])):
        hand, state = hidden.one_hand(array, deck, odds, number, alias, np.uint64(state))
        state = np.uint64(hidden.shuffled_stock(array, hand, stock, np.uint64(state)))
        assert not from_mask(hand) & from_mask(array[V.HAND] | array[V.PILE])
        told = (t, u, np.int64(hand), stock, state)
        worths.append([
            float(kernel.play_choice(view, *told, np.int64(card), np.int64(how), params, plain))
            for card, how in zip(cards, hows, strict=True)
        ])  # fmt: skip
    return [math.fsum(column) / len(worths) for column in zip(*worths, strict=True)]


@pytest.mark.parametrize("rules", ["eaai", "classic20", "oklahoma"])
def test_the_choice_with_the_best_mean_is_made(rules: str) -> None:
    """Of two choices, with fewer rollouts than it takes to give one up; the share of what the net sees is taken off."""
    chosen = Counter[int]()
    for moment in some(rules, "discard", 20):
        for share in (0, 2):
            params = params_of(f"rollouts=8, again=2, margin=1, share={share}")
            found = list(listed(moment.view, "rollouts=8, margin=1").items())[:2]
            if len(found) < 2:
                continue
            cards, costs, hows = np.zeros(2, np.int64), np.zeros(2), np.zeros(2, np.int64)
            cards[:], costs[:] = zip(*found, strict=True)
            hows[:] = [int(kernel.knocks_learned(moment.view, card, params)[0]) for card in cards]
            values = np.array(means(moment.view, cards.tolist(), hows.tolist(), params)) - share * costs
            best = int(kernel.best_choice(moment.view, np.int64(2), cards, hows, costs, params))
            assert values[best] == pytest.approx(values.max())
            chosen[best] += 1
    assert min(chosen[0], chosen[1]) > 2


@pytest.mark.parametrize("phase", [HANDS, GAMES])
def test_the_same_for_any_number_of_workers(phase: str) -> None:
    players = Strategy.parse("strong_rollout(rollouts=4, margin=0.05)"), Strategy.parse("simple")
    rules: Any = Rules.parse("eaai")
    whole = play(Work(players, rules, 3, phase, 0, 4), keep=True).records
    parts = [play(Work(players, rules, 3, phase, first, 2), keep=True).records for first in (0, 2)]
    assert whole is not None
    np.testing.assert_array_equal(whole, np.vstack([part for part in parts if part is not None]))


def test_parameters_lie_in_their_order() -> None:
    array = params_of("rollouts=7, margin=0.5, share=3, ahead=4, opponent_ahead=5, again=6, opponent_knock=9, for_points=1")
    assert array[kernel.P_ROLLOUTS : kernel.P_POINTS + 1].tolist() == [7, 0.5, 3, 4, 5, 6, 9, 1]
