"""The table game as a whole: what must hold at every turn, for every number of players and every rule."""

from __future__ import annotations

import dataclasses
from functools import reduce
from operator import or_
from typing import Any

import numpy as np
import pytest

from ginsim.cards import format_hand
from ginsim.deals import DECK_LANE, GAME_BASE, HANDS_PER_GAME, base_deck, shuffle, stream
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.table import gamerecords as G
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.position import is_table_meld
from ginsim.games.table.rules import TableRules
from ginsim.games.table.trace import Trace, trace
from ginsim.games.table.view import TableView
from ginsim.simulation.play import GAMES, HANDS, Work

FULL = sum(0x1FFF << 16 * suit for suit in range(4))
VARIANTS = [
    "",
    ", wrap=false",
    ", max_pile_draw=1",
    ", claims=false",
    ", out_mode=meld_only",
    ", out_mode=discard_required",
    ", pile_discard_ban=only_if_single",
    ", pile_discard_ban=only_if_single, out_mode=discard_required, hand_size=3",
    ", max_reshuffles=0, blocked=lowest",
    ", max_turns=7, blocked=lowest, count=all_in_hand",
    ", ace_value=15, count=all_in_hand, out_mode=meld_only, wrap=false",
]


def follow(found: Trace, rules: TableRules) -> None:
    """Play the log again on plain masks: 52 cards at every row, melds that are melds, cards taken from where they lie."""
    n, size = rules.players, rules.cards
    deck = [int(card) for card in found.deck]
    hands = [sum(deck[seat * size : (seat + 1) * size]) for seat in range(n)]
    pile, stock, melds = [deck[n * size]], deck[n * size + 1 :], []
    turn = 0
    for row in found.log.tolist():
        seat, depth, drawn, discard = row[L.SEAT], row[L.DEPTH], row[L.DRAWN], row[L.DISCARD]
        if row[L.RESHUFFLED]:
            assert not stock and len(pile) > 1
            stock, pile = pile[:-1], pile[-1:]  # in an order that only the generator knows
        if row[L.KIND]:
            assert drawn == pile.pop() and not discard and rules.claims
            assert seat != (turn - 1) % n
        else:
            assert seat == turn % n
            turn += 1
            if depth:
                assert drawn == sum(pile[-depth:]) and depth <= rules.max_pile_draw
                deepest = pile[-depth]
                del pile[-depth:]
            else:
                assert drawn in stock
                stock.remove(drawn)
        before = hands[seat].bit_count()
        hands[seat] |= drawn
        assert hands[seat].bit_count() == before + drawn.bit_count()
        placed = 0
        for i, cards in enumerate(row[L.MELDS:]):
            if not cards:
                continue
            assert not cards & placed and cards & hands[seat] == cards
            placed |= cards
            if i < len(melds):
                melds[i] |= cards
            else:
                assert i == len(melds)
                melds.append(cards)
            assert is_table_meld(melds[i], rules)
        hands[seat] ^= placed
        if row[L.KIND]:
            assert drawn & placed and sum(1 for cards in row[L.MELDS:] if cards) == 1
        else:
            if depth > 1:
                assert deepest & placed
            if discard:
                assert discard & hands[seat]
                assert not (discard & drawn and depth) or (depth > 1 and rules.pile_discard_ban == "only_if_single")
                hands[seat] ^= discard
                pile.append(discard)
            else:
                assert hands[seat] == 0
        places = [*hands, *pile, *stock, *melds]
        assert reduce(or_, places) == FULL and sum(mask.bit_count() for mask in places) == 52
    check_end(found, rules, hands)


def check_end(found: Trace, rules: TableRules, hands: list[int]) -> None:
    """The ending fits the last row, and the scores sum to 0."""
    record, n = found.record, rules.players
    scores = [record[f"score_{seat}"] for seat in range(n)]
    assert not record["error"] and sum(scores) == 0
    ending, winner = H.ENDINGS[record["ending"]], record["winner"]
    if ending in ("discard", "meld", "claim"):
        last = found.log[-1]
        assert hands[winner] == 0 and last[L.SEAT] == winner
        assert ending == ("claim" if last[L.KIND] else "discard" if last[L.DISCARD] else "meld")
        assert ending != ("discard" if rules.out_mode == "meld_only" else "")
        assert rules.out_mode != "discard_required" or ending == "discard"
    else:
        assert all(hands)
    assert record["turns"] <= rules.max_turns and record["reshuffles"] <= rules.max_reshuffles
    if winner >= 0:
        assert scores[winner] == sum(record[f"left_{seat}"] for seat in range(n) if seat != winner)
    else:
        assert not any(scores)


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("variant", VARIANTS)
def test_what_must_hold_at_every_turn(players: int, variant: str) -> None:
    rules = TableRules.parse(f"house(players={players}{variant})")
    for strategy in ("table_random", "table_greedy", "expert"):
        for deal in range(10):
            follow(trace(strategy, rules, seed=31, deal=deal), rules)


def test_the_deck_is_that_of_gin() -> None:
    deck = base_deck()
    shuffle(deck, 0, 52, stream(9, 4, DECK_LANE))
    assert (trace("table_random", "house(players=5)", seed=9, deal=4).deck == deck).all()


def test_a_seat_may_be_anyone() -> None:
    """Other players on other seats change nothing but what they do: the streams belong to seats and deals."""
    one = trace(["table_greedy"] * 4, "house", seed=2, deal=3)
    other = trace(["table_greedy", "table_random", "table_greedy", "table_greedy"], "house", seed=2, deal=3)
    assert (one.deck == other.deck).all()
    assert (one.log[0] == other.log[0]).all()


def test_seats_must_be_taken() -> None:
    with pytest.raises(InputError, match=r"strategies: 3 given; the table has players=4"):
        trace(["table_greedy"] * 3)


def test_there_is_room_for_everything() -> None:
    rules = TableRules()
    assert rules.array().dtype == np.int64
    assert V.WORK < 300 and R.MOST_SEATS == 6
    assert format_hand(FULL).count(" ") == 51


# Games


class Plain:
    """Draws from the stock and discards its last card, in plain Python."""

    def draw(self, view: TableView) -> int:
        return int(view.stock == 0)

    def play(self, view: TableView) -> tuple[dict[int, int], int]:
        free = view.hand & ~view.banned
        return {}, 1 << free.bit_length() - 1

    def claim(self, view: TableView) -> None:
        return None


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("player", ["table_random", Plain()])
def test_games_of_so_many_hands(players: int, player: Any) -> None:
    """Compiled and interpreted: all hands are dealt unless the target is reached; only one highest score wins."""
    rules = TableRules.parse(f"house(players={players}, hands=4, target=70, max_turns=40)")
    a, b = Strategy.parse("table_greedy"), Strategy.parse(player)
    work = Work((a, b), rules, 5, GAMES, 0, 12)
    done = work.carry_out(keep=True)
    assert done.records is not None
    early = 0
    for row in done.records.tolist():
        game = dict(zip(G.COLUMNS, row, strict=True))
        scores = [game[f"score_{seat}"] for seat in range(players)]
        assert sum(scores) == 0 and not game["unfinished"] and not game["error"]
        assert game["hands"] == 4 or max(scores) >= 70
        assert scores.count(max(scores)) > 1 if game["winner"] < 0 else game["winner"] == scores.index(max(scores))
        early += game["hands"] < 4
    assert early or players < 3
    longer = dataclasses.replace(work, rules=rules.replace(hands=5)).carry_out(keep=True)
    assert longer.records is not None
    ended = done.records[:, G.HANDS] < 4
    assert (longer.records[ended] == done.records[ended]).all()


def test_a_game_of_one_hand_is_the_hand() -> None:
    rules = TableRules.parse("house(hands=1, target=10000)")
    strategies = Strategy.parse("table_greedy"), Strategy.parse("table_random")
    found = Work(strategies, rules, 5, GAMES, 3, 8).carry_out(keep=True).records
    assert found is not None
    for row in found.tolist():
        hand = Work(strategies, rules, 5, HANDS, GAME_BASE + row[G.GAME] * HANDS_PER_GAME, 1).carry_out(keep=True).records
        assert hand is not None
        record = hand[row[G.PLAY]]
        assert row[G.SCORE : G.SCORE + 4] == record[H.SCORE : H.SCORE + 4].tolist()
        assert (row[G.WINNER], row[G.HANDS]) == (record[H.WINNER], 1)
