"""The rollout player: hidden cards drawn, hands played on from the middle, and the choices made by them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from ginsim import layout as D
from ginsim.cards import parse_hand
from ginsim.deals import next_state
from ginsim.games.catalog import Strategy
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, MUST_TAKE, RECORD, ROWS
from ginsim.games.gin.odds import game_odds, outcomes
from ginsim.games.gin.players.lookahead import W_KEPT_DEAR, W_READS, discard_lookahead, draw_lookahead
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.games.gin.rollout import decisions as kernel
from ginsim.games.gin.rollout import playout
from ginsim.games.gin.rollout import sample as hidden
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import HANDS, Work, play
from tests.helpers import from_mask, mask
from tests.oracle import outlook
from tests.oracle import rollout as twin
from tests.oracle.cards import Card, Hand, to_mask
from tests.strategy_contract import awkward_views, view_of
from tests.test_lookahead import chances_in, known, one_card, weights_of

KINDS = ("draw", "discard", "knock")
RESHUFFLED = "classic25(ranks=6, hand_size=7, eleven_card_start=true, upcard_offer=false, stock_end=reshuffle, knock_limit=2)"
RULES = (
    "eaai",
    "classic20",
    "oklahoma",
    "round_the_corner",
    "classic25(wrap=true, ace_value=15, redraw_ban=false, knock_limit=4)",
    "classic25(ranks=5, wrap=true, hand_size=5, upcard_offer=false)",
    "classic25(suits=3, hand_size=8, stock_end=dead_at_0)",
    "big_gin(stock_end=last_discard, knock_limit=3)",
    "classic25(eleven_card_start=true, upcard_offer=false)",
    RESHUFFLED,
)


# Moments of real play


@dataclass(frozen=True)
class Moment:
    """A draw or discard decision of real play, and all that its player does not see."""

    rules: Rules
    kind: str
    player: int
    table: np.ndarray
    """Before the decision."""
    after: np.ndarray
    """The player's view after it."""
    answer: int
    hand: tuple[int, int]
    """Deal and play."""

    @property
    def view(self) -> np.ndarray:
        return self.table[self.player].copy()

    @property
    def opponent(self) -> np.ndarray:
        view: np.ndarray = self.table[1 - self.player]
        return view

    @property
    def opponent_hand(self) -> np.int64:
        return np.int64(self.opponent[V.HAND])

    @property
    def stock(self) -> np.ndarray:
        """The cards of the stock, in order."""
        end = int(self.opponent[D.RANKS] * self.opponent[D.SUITS])
        cards: np.ndarray = self.table[DECK, end - int(self.opponent[V.STOCK]) : end].copy()
        return cards


@cache
def moments(rules: str, a: str, b: str, deals: int, seed: int = 5) -> tuple[list[Moment], dict[tuple[int, int], np.ndarray]]:
    """Draws and discards of hands of two strategies, the offer of the first upcard and the wall apart; and what came of each."""
    found = list[Moment]()

    def watch(t: np.ndarray, slots: Any) -> None:
        def watched(player: int, kind: str, decide: Callable[..., int]) -> Callable[..., int]:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                before = t.copy()
                answer = decide(view, params)
                if not view[V.OFFER] and not view[V.WALL]:
                    hand = int(t[RECORD, H.DEAL]), int(t[RECORD, H.PLAY])
                    found.append(Moment(Rules.parse(rules), kind, player, before, view.copy(), answer, hand))
                return answer

            return decision

        for player, i in product(range(2), range(2)):
            slots[player][i] = watched(player, KINDS[i], slots[player][i])

    work = Work((Strategy.parse(a), Strategy.parse(b)), Rules.parse(rules), seed, HANDS, 0, deals)
    records = play(work, keep=True, watch=watch).records
    assert records is not None
    return found, {(int(row[H.DEAL]), int(row[H.PLAY])): row for row in records}


def some_moments(rules: str, number: int, kind: str | None = None, latest: int = 100) -> list[Moment]:
    """Moments of players of all sorts."""
    pairs = [("random", "simple"), ("lookahead", "gin_only"), ("simple", "simple")]
    every = [m for pair in pairs for m in moments(rules, *pair, 3)[0] if kind in (None, m.kind) and m.view[V.TURN] <= latest]
    return random.Random(rules).sample(every, min(number, len(every)))


def story(moment: Moment) -> twin.Story:
    view = View(moment.view)
    moves = [(one_card(took), next(iter(from_mask(thrown)))) for took, thrown in view.opp_moves]
    own = [next(iter(from_mask(thrown))) for _, thrown in view.own_moves]
    return twin.Story(moment.rules, int(view.array[R.LIMIT]), moves, own, view.turn == view.opp_turn)


def other_hand(moment: Moment, rnd: random.Random) -> Hand:
    """A hand that the opponent might have."""
    view = moment.view
    rest = sorted(from_mask(unseen_cards(view)))
    held = from_mask(view[V.OPP_HELD])
    return held | frozenset(rnd.sample(rest, int(view[D.HAND_SIZE]) - len(held)))


# The opponent's hand followed back


def test_moves_seen_are_those_of_this_hand() -> None:
    """Whoever starts with eleven cards draws none first; the log says so in every hand of a run, not only in the first."""
    every = moments("classic25(eleven_card_start=true, upcard_offer=false)", "random", "simple", 3)[0]
    firsts = [m for m in every if m.opponent[V.STARTER] and m.view[V.OPP_TURN]]
    assert len({m.hand for m in firsts}) == 6
    assert all(View(m.view).opp_moves[0][0] == 0 for m in firsts)


@pytest.mark.parametrize("rules", RULES)
def test_hands_followed_back(rules: str) -> None:
    rnd, seen = random.Random(rules), set[float]()
    for moment in some_moments(rules, 14):
        told = story(moment)
        for hand in (from_mask(moment.opponent_hand), other_hand(moment, rnd)):
            for least in (0.0, rnd.choice([0.2, 0.5, 0.9])):
                state, astray, waits = rnd.getrandbits(64), rnd.choice([0.0, 0.5, 0.9]), rnd.choice([0.3, 0.8])
                stream = twin.Words(state)
                expected = twin.fit(told, hand, stream.guess, astray, waits, least)
                found = hidden.plausible(moment.view, np.int64(to_mask(hand)), astray, waits, least, np.uint64(state))
                assert (found[0], int(found[1])) == (expected, stream.state)
                seen.add(expected)
    assert {0.0, 1.0} < seen


def true_draws(moment: Moment) -> list[Card | None]:
    return [one_card(drawn) for drawn, _ in View(moment.opponent).own_moves]


@pytest.mark.parametrize("rules", RULES)
def test_what_simple_really_holds_fits(rules: str) -> None:
    """With the cards that it drew. It strays only where it drew a card for the second time and may not repeat a discard."""
    strays = 0
    for moment in moments(rules, "simple", "simple", 6)[0]:
        draws = true_draws(moment)
        hand = from_mask(moment.opponent_hand)

        def drew(k: int, options: Any, draws: list[Card | None] = draws) -> Any:
            assert draws[k] in options or draws[k] is None
            return draws[k]

        fits = twin.fit(story(moment), hand, drew, 0.0, 0.0)
        if fits < 1:
            assert len(set(draws)) < len(draws)
            strays += 1
    assert strays == 0 or rules == RESHUFFLED


def test_a_card_taken_is_not_what_was_drawn_later() -> None:
    """7S was taken and discarded a turn later, when a card of the other ten was drawn: the hand before had 7S in its set."""
    view = view_of("classic25", "AC 2D 3H 4C 6D 8C 9H JC QD KC", turn=2, opp_turn=2, starter=1, pile="7S KH")
    view[V.OPP_LOG : V.OPP_LOG + 4] = [mask((6, 0)), mask((12, 1)), 0, mask((6, 0))]
    hand = parse_hand("7H 7D AS 2S 3S 4S 5S 8H 9D 10H")
    fits = [hidden.plausible(view, np.int64(hand), 0.5, 1.0, 0.0, np.uint64(state))[0] for state in range(200)]
    # To discard it was odd; to take it only if 7H or 7D, two of the ten cards that may have been drawn, came later.
    assert set(fits) == {0.5, 0.25}
    assert 0.1 < np.mean(np.array(fits) == 0.25) < 0.3


# Hidden cards


def drawn(moment: Moment, state: int, astray: float, waits: float, model: tuple[float, float]) -> tuple[Hand, list[Card], int]:
    """What the kernel draws: a hand, the stock in order, the state after."""
    view = moment.view
    believe(view, *model)
    before = view.copy()
    deck, odds = np.zeros((3, 52), np.int64), np.zeros(52)
    hand, after = hidden.sample(view, deck, odds, astray, waits, np.uint64(state))
    np.testing.assert_array_equal(view, before)
    return from_mask(hand), [next(iter(from_mask(card))) for card in deck[hidden.CARDS, : view[V.STOCK]]], int(after)


@pytest.mark.parametrize("rules", RULES)
def test_hidden_cards(rules: str) -> None:
    """Card for card those of the twin; never one that was seen, and each unseen one either held or in the stock."""
    rnd = random.Random(rules)
    for moment in some_moments(rules, 8, latest=4):
        view, state = moment.view, rnd.getrandbits(64)
        astray, waits = rnd.choice([(0.5, 0.5), (0.3, 0.9), (1.0, 1.0)])
        hand, stock, after = drawn(moment, state, astray, waits, (0.8, 0.6))
        believe(view, 0.8, 0.6)
        unseen, held, stream = from_mask(unseen_cards(view)), from_mask(view[V.OPP_HELD]), twin.Words(state)
        limits = hidden.TRIES, hidden.ENOUGH, hidden.FLOOR
        expected = twin.sample(story(moment), held, chances_in(view), astray, waits, stream, *limits)
        assert (hand, stock, after) == (*expected, stream.state)
        assert len(hand) == view[D.HAND_SIZE]
        assert held <= hand
        assert sorted([*(hand - held), *stock]) == sorted(unseen)


@pytest.mark.parametrize("rules", RULES)
def test_hands_for_a_stage(rules: str) -> None:
    """Hand for hand those of the twin, stage after stage; nothing that was seen is in the wrong place."""
    rnd = random.Random(rules)
    for moment in some_moments(rules, 4, latest=5):
        view, state = moment.view, rnd.getrandbits(64)
        astray, waits = rnd.choice([(0.5, 0.5), (0.0, 0.9), (1.0, 1.0)])
        believe(view, 0.8, 0.6)
        deck, odds = np.zeros((3, 52), np.int64), np.zeros(52)
        number, alias = hidden.spread(view, deck, odds)
        twins, told, held = twin.deck_of(chances_in(view)), story(moment), from_mask(view[V.OPP_HELD])
        stream, after = twin.Words(state), np.uint64(state)
        assert alias == (twin.cells(twins) is not None)
        for wanted in (3, 5):
            hands, scratch = np.zeros(wanted, np.int64), (np.zeros(4 * wanted, np.int64), np.zeros(4 * wanted))
            after = hidden.likely_hands(view, deck, odds, number, alias, astray, waits, *scratch, hands, np.uint64(after))
            expected = twin.likely_hands(
                told, held, twins, astray, waits, stream, 4 * wanted, wanted, hidden.FLOOR, hidden.LEAST
            )
            assert ([from_mask(hand) for hand in hands], int(after)) == (expected, stream.state)


@pytest.mark.parametrize("odds", [[1.0] * 4, [1, 2, 3, 4, 5, 6], [0.1, 3, 0.2, 3.1, 2, 2.9, 0.1, 3], [1e-6] * 5 + [1.0] * 5])
def test_cells_give_each_card_its_odds(odds: list[float]) -> None:
    deck, n = np.zeros((3, 52), np.int64), len(odds)
    usable = hidden._alias(deck, np.array(odds, np.float64), n)
    assert usable == (4 * max(odds) < sum(odds))
    table = twin.cells([((i, 0), x) for i, x in enumerate(odds)])
    if usable:
        found = deck[hidden.KEEP, :n], deck[hidden.OTHER, :n]
        assert list(zip(*(row.tolist() for row in found), strict=True)) == table
        words = np.zeros(n)
        for own, (share, other) in enumerate(table or []):
            words[own] += min(share, twin.WHOLE)
            words[other] += twin.WHOLE - min(share, twin.WHOLE)
        assert words / words.sum() == pytest.approx(np.array(odds) / sum(odds), abs=1e-8)


def test_hands_come_as_often_as_they_fit() -> None:
    """Of a hand with a share of the fits of 2.4 in ten, two or three in ten are taken."""
    moment = next(m for m in moments("eaai", "random", "simple", 3)[0] if m.view[V.TURN] == 3 and m.player == 0)
    view, state = moment.view, np.uint64(7)
    believe(view, 0.8, 0.6)
    deck, odds = np.zeros((3, 52), np.int64), np.zeros(52)
    number, alias = hidden.spread(view, deck, odds)
    drawn, fits, hands = np.zeros(40, np.int64), np.zeros(40), np.zeros(10, np.int64)
    seen = set[int]()
    for _ in range(50):
        state = hidden.likely_hands(view, deck, odds, number, alias, 0.2, 0.2, drawn, fits, hands, np.uint64(state))
        shares = 10 * np.diff(fits, prepend=0) / fits[-1]
        for hand, share in zip(drawn, shares, strict=True):
            times = int((hands == hand).sum())
            assert abs(times - share) < 1
            seen.add(times)
    assert {0, 1, 2} <= seen


@pytest.mark.parametrize("rules", RULES)
def test_hidden_cards_of_any_fit(rules: str) -> None:
    """Also where no hand goes with what was seen: then some hand comes all the same, and the same one again."""
    for moment in some_moments(rules, 30):
        unseen = from_mask(unseen_cards(moment.view)) | from_mask(moment.view[V.OPP_HELD])
        once, again, other = (drawn(moment, state, 0.0, 0.0, (0.8, 0.6)) for state in (3, 3, 4))
        assert once == again
        assert len(once[0]) == moment.view[D.HAND_SIZE]
        assert sorted([*once[0], *once[1]]) == sorted(unseen)
        assert once != other


def test_even_chances_draw_evenly() -> None:
    """Each unseen card as often in the hand, and as often on top of the stock."""
    moment = next(m for m in moments("eaai", "random", "simple", 3)[0] if m.view[V.TURN] == 3)
    cards = sorted(from_mask(unseen_cards(moment.view)))
    times, held, top = 4000, dict.fromkeys(cards, 0), dict.fromkeys(cards, 0)
    for state in range(times):
        hand, stock, _ = drawn(moment, 7919 * state, 1.0, 1.0, (1.0, 0.0))
        top[stock[0]] += 1
        for card in hand & set(cards):
            held[card] += 1
    for counts in (held, top):
        share = sum(counts.values()) / times / len(cards)
        chi2 = sum((n - times * share) ** 2 for n in counts.values()) / (times * share * (1 - share))
        assert 0.4 < chi2 / (len(cards) - 1) < 1.9  # 99.9 % lie within for 30 cards


def test_believed_chances_are_drawn_by() -> None:
    """Drawn one by one by their odds, cards come up nearly as often as they are believed in: the likeliest somewhat less."""
    gaps = list[float]()
    for moment in some_moments("eaai", 6):
        view, times = moment.view, 600
        believe(view, 0.8, 1.0)
        chances = chances_in(view)
        held = dict.fromkeys(chances, 0.0)
        for state in range(times):
            for card in drawn(moment, 104729 * state, 1.0, 1.0, (0.8, 1.0))[0] & set(held):
                held[card] += 1 / times
        scale = sum(held.values()) / sum(chances.values())  # the sum of the chances misses by a little
        gaps += [held[card] - scale * chances[card] for card in held]
    assert np.abs(gaps).mean() < 0.035
    assert np.abs(gaps).max() < 0.17


def test_hands_that_fit_are_nearer_the_truth() -> None:
    """Against simple, hands chosen by their fit have more of its cards than hands drawn by the chances alone."""
    right = {1.0: 0, 0.05: 0}
    for moment, chance in product(moments("eaai", "random", "simple", 6)[0], right):
        if moment.player == 0 and moment.view[V.TURN] >= 2:
            truth = from_mask(moment.opponent_hand & ~moment.view[V.OPP_HELD])
            right[chance] += sum(len(drawn(moment, 31 * state, chance, chance, (0.8, 0.6))[0] & truth) for state in range(20))
    assert right[0.05] > 1.05 * right[1.0]


# Playing on


OWN = "custom(draw=lookahead, discard=rollout, stop=window, window_from={}, finish=0, ahead={}, opponent_knock={})"


def play_on(
    moment: Moment, params: np.ndarray, t: np.ndarray | None = None, choice: int | None = None, state: int | None = None
) -> np.ndarray:
    """The record of a hand played on from a moment with the true cards (and the true random states, if none is given)."""
    t = np.zeros((ROWS, V.SIZE), np.int64) if t is None else t
    plain = np.zeros((2, PARAMS_SIZE))
    playout.set_players(t, plain, params[kernel.P_OPPONENT])
    cards = np.zeros(52, np.int64)
    cards[: moment.stock.size] = moment.stock
    playout.set_table(moment.view, t, moment.opponent_hand, cards, np.uint64(state or 1))
    if state is None:
        t[0, V.RANDOM], t[1, V.RANDOM] = moment.after[V.RANDOM], moment.opponent[V.RANDOM]
    chosen = np.int64(moment.answer if choice is None else choice)
    if (playout.finish_turn if moment.kind == "discard" else playout.own_turn)(t, chosen, params) == playout.PLAYING:
        playout.play_out(t, np.int64(params[kernel.P_AHEAD]), params, plain)
    return t[RECORD, :H.SIZE].copy()


def outcome(record: np.ndarray, player: int) -> tuple[int, ...]:
    """How a hand ended, told of ``player`` first."""
    who = [-1 if record[column] < 0 else int(record[column] != player) for column in (H.WINNER, H.KNOCKER)]
    columns = (H.ENDING, H.POINTS, H.TURNS, H.LAID_OFF, H.DEADWOOD + player, H.DEADWOOD + 1 - player)
    return (*who, *(int(record[column]) for column in columns))


PLAYED_ON = [rules for rules in RULES if rules != RESHUFFLED]
"""A reshuffle in a playout has random numbers of its own."""


@pytest.mark.parametrize("rules", PLAYED_ON)
def test_plain_players_end_the_hand_as_they_did(rules: str) -> None:
    endings = set[int]()
    params = Strategy.parse(OWN.format(101, 0, 7)).array
    found, records = moments(rules, "gin_only", "custom(draw=meld, discard=random_best, knock=7)", 12)
    for moment in found:
        if moment.player == 0 and moment.kind == "discard":
            record = play_on(moment, params)
            assert outcome(record, 0) == outcome(records[moment.hand], 0)
            endings.add(int(record[H.ENDING]))
    assert len(endings) >= 2


@pytest.mark.parametrize("rules", PLAYED_ON)
def test_looking_ahead_ends_the_hand_as_it_did(rules: str) -> None:
    """From each discard and each card taken: a real player's discard after a card from the stock has older chances."""
    window = "[2, 4, 101]"
    params = Strategy.parse(OWN.format(window, 100, 7)).array
    own = f"custom(draw=lookahead, discard=lookahead, stop=window, window_from={window}, finish=0)"
    found, records = moments(rules, "custom(draw=meld, discard=random_best, knock=7)", own, 6)
    count = 0
    for moment in found:
        if moment.player == 1 and (moment.kind == "discard" or moment.answer):
            record = play_on(replaced(moment, answer=MUST_TAKE) if moment.kind == "draw" else moment, params)
            assert outcome(record, 0) == outcome(records[moment.hand], 1)
            count += 1
    assert count > 30


def replaced(moment: Moment, **changes: Any) -> Moment:
    return Moment(**(vars(moment) | changes))


@pytest.mark.parametrize("rules", RULES)
def test_a_playout_leaves_nothing_behind(rules: str) -> None:
    """On a table that was played on already it goes as on a new one; also where the stock was shuffled anew."""
    params = Strategy.parse(OWN.format("[5, 101]", 3, 100)).array
    t = np.zeros((ROWS, V.SIZE), np.int64)
    for state, moment in enumerate(some_moments(rules, 25, "discard"), 1):
        free = int(moment.view[V.HAND] & ~moment.view[V.BANNED])
        for card in from_mask(free):
            used, new = (play_on(moment, params, table, mask(card), state) for table in (t, None))
            np.testing.assert_array_equal(used[:H.TURNS], new[:H.TURNS])
            assert used[H.TURNS] == new[H.TURNS]
    cards = [t[0, V.HAND], t[1, V.HAND], t[0, V.PILE]]
    assert sum(int(c).bit_count() for c in cards) == int(cards[0] | cards[1] | cards[2]).bit_count()


def test_what_a_hand_is_worth() -> None:
    view, t = view_of("eaai", "", own_score=60, opp_score=85), np.zeros((ROWS, V.SIZE), np.int64)
    for winner, points in product((-1, 0, 1), (0, 10, 40)):
        t[RECORD, H.WINNER], t[RECORD, H.POINTS] = winner, points
        own, opp = 60 + points * (winner == 0), 85 + points * (winner == 1)
        assert playout.worth(view, t, False) == playout.game_chance(own, opp, 100)
        assert playout.worth(view, t, True) == pytest.approx({0: 0.01, 1: -0.01, -1: 0}[winner] * points)
    t[RECORD, H.WINNER], t[RECORD, H.POINTS] = 1, 15
    assert playout.worth(view, t, False) == 0


def chance(own: int, opp: int, target: int) -> float:
    return float(playout.game_chance(np.int64(own), np.int64(opp), np.int64(target)))


@pytest.mark.parametrize("target", [1, 30, 100, 10_000])
def test_chance_to_win_a_game(target: int) -> None:
    scores = sorted({0, 1, target // 3, target // 2, target - 1, target, target + 40})
    for opp in scores[:-2]:
        chances = [chance(own, opp, target) for own in scores]
        assert chances == sorted(chances)
        assert chances[-2:] == [1, 1]
        assert all(chance(opp, own, target) == pytest.approx(1 - c) for own, c in zip(scores, chances, strict=True))
        assert all(0 < c < 1 for c in chances[:-2])
    assert chance(0, 0, target) == 0.5


def test_chance_to_win_a_game_is_near_the_exact_one() -> None:
    rules, simple = Rules.parse("eaai"), Strategy.parse("simple")
    records = play(Work((simple, simple), rules, 17, HANDS, 0, 40_000), keep=True).records
    assert records is not None
    exact = game_odds(outcomes(records, rules.target), rules).mean(axis=2)
    exact = (exact + 1 - exact.T) / 2
    found = np.array([[chance(own, opp, 100) for opp in range(100)] for own in range(100)])
    assert np.abs(found - exact).max() < 0.04
    assert np.abs(found - exact).mean() < 0.015


# Decisions


def params_of(text: str = "") -> np.ndarray:
    return Strategy.parse(f"rollout(rollouts=4, {text})").array


def discard(view: np.ndarray, params: np.ndarray) -> int:
    return int(kernel.discard_rollout(view.copy(), params))


def candidates(view: np.ndarray, params: np.ndarray) -> dict[int, float]:
    """The discards that are played out, cheapest first, and their costs."""
    array, cards, costs = view.copy(), np.zeros(kernel.MOST, np.int64), np.zeros(kernel.MOST)
    believe(array, params[W_KEPT_DEAR], params[W_READS])
    n = kernel.candidates(array, array[V.HAND], array[V.BANNED], params[kernel.P_MARGIN], cards, costs, params)
    return {int(card): float(cost) for card, cost in zip(cards[:n], costs[:n], strict=True)}


@pytest.mark.parametrize("rules", RULES)
def test_candidates(rules: str) -> None:
    """Those whose cost is near the least, as the twin of the look-ahead works it out."""
    strategy, sizes = Strategy.parse("rollout(margin=6)"), set[int]()
    for moment in some_moments(rules, 6, "discard"):
        view = moment.view
        found = candidates(view, strategy.array)
        believe(view, strategy.array[W_KEPT_DEAR], strategy.array[W_READS])
        told = known(view, moment.rules)
        costs = outlook.costs(told, told.hand, told.banned, chances_in(view), weights_of(strategy))
        least = min(costs.values())
        near = sorted(cost for cost in costs.values() if cost <= least + 6)[: kernel.MOST]
        assert list(found.values()) == pytest.approx(near)
        assert all(costs[next(iter(from_mask(card)))] == pytest.approx(cost) for card, cost in found.items())
        sizes.add(len(found))
    assert max(sizes) > 1


def discards_of_play() -> Iterator[Moment]:
    for rules in RULES:
        yield from some_moments(rules, 12, "discard")


def test_only_candidates_are_discarded() -> None:
    """Which of them is for the random numbers to say: the same say the same, and one word of the stream is used."""
    params, differ = params_of("margin=15"), 0
    for moment in discards_of_play():
        view, found = moment.view, candidates(moment.view, params)
        answers = set()
        for state in range(6):
            view[V.RANDOM] = 1009 * state
            array = view.copy()
            answers.add(int(kernel.discard_rollout(array, params)))
            if len(found) > 1:
                assert np.uint64(array[V.RANDOM]) == next_state(np.uint64(1009 * state))
            assert discard(view, params) in answers
        assert answers <= set(found)
        differ += len(answers) > 1
    assert differ > 10


def test_without_margin_it_discards_as_looking_ahead() -> None:
    params = params_of("margin=0")
    for moment in discards_of_play():
        view = moment.view
        view[V.MEMORY : V.MEMORY + 16] = 0
        if len(candidates(view, params)) == 1:  # else two cost the same
            assert discard(view, params) == discard_lookahead(view.copy(), params)


def test_the_share_of_the_cost_counts() -> None:
    """With the largest share only choices that cost nearly as little as the cheapest have a chance."""
    params = params_of("margin=1000, share=10, for_points=0")
    for moment in discards_of_play():
        found = candidates(moment.view, params)
        assert found[discard(moment.view, params)] <= min(found.values()) + 0.1


def still_open(order: list[int], most: int, worths: np.ndarray, costs: np.ndarray, share: float) -> list[int]:
    """Twin of `goes_on`: the best ``most``, less those that are two standard errors behind the first."""
    values = worths.mean(axis=0) - share * costs
    best = sorted(order, key=lambda i: -values[i])[:most]
    behind = {i: worths[:, best[0]] - worths[:, i] for i in best}
    error = {i: behind[i].std() / math.sqrt(len(worths)) for i in best}
    far = [i for i in best[1:] if len(worths) >= kernel.ENOUGH and values[best[0]] - values[i] > 2 * error[i]]
    return [i for i in best if i not in far]


def test_choices_that_go_on() -> None:
    rng, sizes = np.random.default_rng(3), set[int]()
    for _ in range(200):
        n, done = int(rng.integers(2, 7)), int(rng.integers(4, 40))
        common = rng.normal(size=(done, 1))  # the cards are the same for all
        worths = common + 0.3 * rng.normal(size=(done, n)) + 0.2 * rng.normal(size=n)
        costs, share = rng.random(n), float(rng.choice([0.0, 0.5]))
        order = rng.permutation(n)
        open_, most = order.tolist()[: int(rng.integers(2, n + 1))], 0
        most = int(rng.integers(1, len(open_) + 1))
        kept = kernel.goes_on(order, len(open_), most, np.vstack([worths, np.zeros_like(worths)]), costs, done, share)
        assert order[:kept].tolist() == still_open(open_, most, worths, costs, share)
        sizes.add(kept)
    assert sizes >= {1, 2, 3}


def test_draws_without_margin_are_those_of_looking_ahead() -> None:
    params, seen = params_of("draw_margin=0"), set()
    for rules in RULES:
        for moment in some_moments(rules, 25, "draw"):
            view, other = moment.view, moment.view
            view[V.MEMORY : V.MEMORY + 16] = other[V.MEMORY : V.MEMORY + 16] = 0
            answer = int(kernel.draw_rollout(view, params))
            assert answer == draw_lookahead(other, params)
            seen.add(answer)
    assert seen == {0, 1}


def test_draws_by_rollouts() -> None:
    """A card that brings gin is taken; at the offer and where there is much between both, nothing is played out."""
    params = params_of("draw_margin=1000, gain=0")
    gin = view_of("eaai", "AH 2H 3H 5C 6C 7C 9D 9H 9C KD", upcard="9S", pile="9S", stock=31, turn=1, opp_turn=1)
    assert kernel.draw_rollout(gin, params) == 1
    answers, played = set(), 0
    for rules in RULES:
        for moment in some_moments(rules, 15, "draw"):
            view = moment.view
            state = int(view[V.RANDOM])
            answers.add(int(kernel.draw_rollout(view, params)))
            played += view[V.RANDOM] != state
            offer = moment.view
            offer[V.OFFER] = 1
            kernel.draw_rollout(offer, params)
            assert offer[V.RANDOM] == state
    assert answers == {0, 1}
    assert played > 100


def test_views_that_do_not_add_up() -> None:
    """Where the stock is not what is left of the deck, nothing can be played out: the cheapest discard goes."""
    params, odd = params_of("margin=1000"), 0
    for name, (kind, view) in awkward_views().items():
        array = view.copy()
        array[V.OPP_TURN] = 0
        adds_up = int(unseen_cards(array)).bit_count() == view[D.HAND_SIZE] - int(view[V.OPP_HELD]).bit_count() + view[V.STOCK]
        if kind == "discard" and not adds_up:
            assert discard(array, params) == discard_lookahead(array.copy(), params), name
            assert array[V.RANDOM] == view[V.RANDOM]
            odd += 1
    assert odd > 5


def gin_next() -> np.ndarray:
    """Gin only; the opponent, whose cards are all known, has gin with QD, the card that costs most to keep."""
    held = "AS AH AD 5C 6C 7C 9D 10D JD KH"
    view = view_of("straight", "2S 3S 4S 6S 6H 6D 9S 9H 9C QD 7H", opp_held=held, upcard="2H", turn=3, opp_turn=3)
    view[V.OPP_LOG : V.OPP_LOG + 6] = [0, mask((12, 0)), 0, mask((12, 2)), 0, mask((1, 1))]
    view[V.OWN_LOG : V.OWN_LOG + 6] = [0, mask((11, 0)), 0, mask((11, 1)), 0, mask((10, 3))]
    view[V.PILE] = parse_hand("KS KD 2H QS QH JC")
    view[V.STOCK] = 52 - 11 - 10 - 6
    return view


@pytest.mark.parametrize("points", [0, 1])
def test_rollouts_see_what_looking_ahead_does_not(points: int) -> None:
    """Without its weight of danger, looking ahead gives the opponent gin; each rollout shows that to be lost."""
    view = gin_next()
    blind = f"danger=0, danger_turn=0, margin=1000, share=0, for_points={points}"
    params = Strategy.parse(f"rollout(rollouts=64, {blind})").array
    assert discard_lookahead(view.copy(), params) == parse_hand("QD")
    assert parse_hand("7H") in candidates(view, params)
    for state in range(10):
        view[V.RANDOM] = state
        assert discard(view, params) != parse_hand("QD")


def test_score_decides_what_is_best() -> None:
    """A game that the next points win is won by them whatever they are: the chance to win then rates all wins alike."""
    view, t = view_of("eaai", "", own_score=95, opp_score=0), np.zeros((ROWS, V.SIZE), np.int64)
    t[RECORD, H.WINNER] = 0
    values = set()
    for points in (5, 50):
        t[RECORD, H.POINTS] = points
        values.add(playout.worth(view, t, False))
    assert values == {1.0}


ODD = [
    *PRESETS,
    *RULES,
    "classic25(ranks=5, hand_size=5, wrap=true)",
    "classic25(ranks=3, hand_size=3)",
    "classic25(ranks=5, suits=2, hand_size=3)",
    "big_gin(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle, max_turns=40)",
]


def test_plays_by_all_rules() -> None:
    strategy, simple = Strategy.parse("rollout(rollouts=8, margin=15, draw_margin=15)"), Strategy.parse("simple")
    for number, rules in enumerate(ODD):
        play(Work((strategy, simple), Rules.parse(rules), number, HANDS, 0, 3))
