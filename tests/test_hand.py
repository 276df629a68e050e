"""One hand: the kernels against the oracle deal by deal, every rule by script, and what must hold of every record."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import HANDS, Work, play
from tests.helpers import (
    Row,
    Seen,
    assert_same_hand,
    engine_hands,
    from_mask,
    named,
    oracle_hand,
    play_script,
    random_rules,
    random_spec,
    watch_both,
)  # fmt: skip
from tests.oracle import melds, rng
from tests.oracle.cards import Card, card, cards, full_deck, hand, pack_of, to_mask
from tests.oracle.players import Scripted

# Deal by deal against the oracle


@pytest.mark.parametrize("shard", range(6))
def test_every_hand_is_the_oracles(shard: int) -> None:
    """Over 2,000 combinations of rules, each with two strategies drawn at random."""
    rnd = random.Random(shard)
    for number in range(350):
        rules, seed, play_number = random_rules(rnd), rnd.randrange(1 << 62), number % 2
        a, b = (Strategy.parse(random_spec(rnd)) for _ in range(2))
        row = named(engine_hands("slots", a, b, rules, seed, number, 1)[play_number])
        assert (row["deal"], row["play"], row["error"]) == (number, play_number, 0)
        told = oracle_hand(a, b, rules, seed, number, play_number)
        assert_same_hand(row, told, rules, rng.deck(seed, number, pack_of(rules)))


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_the_oracles(preset: str) -> None:
    rules, a, b = Rules.parse(preset), Strategy.parse("threshold(draw=strict, knock=5)"), Strategy.parse("simple")
    for row in map(named, engine_hands("numbers", a, b, rules, 2, 0, 12)):
        told = oracle_hand(a, b, rules, 2, row["deal"], row["play"])
        assert_same_hand(row, told, rules, rng.deck(2, row["deal"], pack_of(rules)))


@pytest.mark.parametrize("shard", range(2))
def test_players_see_what_the_oracles_players_see(shard: int) -> None:
    """Own hand, pile, discards, what is known of the other, moves, stock and limits at every single decision.

    The oracle asserts at every turn that no card is lost or doubled; equal views carry that over to the kernel.
    """
    rnd = random.Random(100 + shard)
    for number in range(150):
        rules = random_rules(rnd)
        a, b = (Strategy.parse(random_spec(rnd)) for _ in range(2))
        watch_both(a, b, rules, seed=rnd.randrange(1 << 62), deal=number, starter=number % 2)


class Plain:
    """A built-in strategy as a user's object in plain Python."""

    def __init__(self, spec: str) -> None:
        self.strategy = Strategy.parse(spec)

    def draw(self, view: View) -> int:
        return self.strategy.decisions[0](view.array, self.strategy.array)

    def discard(self, view: View) -> int:
        return self.strategy.decisions[1](view.array, self.strategy.array)

    def knock(self, view: View) -> int:
        return self.strategy.decisions[2](view.array, self.strategy.array)


def test_all_kernels_play_alike() -> None:
    rnd = random.Random(7)
    by_number = 0
    for _ in range(80):
        rules, seed = random_rules(rnd), rnd.randrange(1 << 62)
        specs = random_spec(rnd), random_spec(rnd)
        a, b = map(Strategy.parse, specs)
        expected = engine_hands("slots", a, b, rules, seed, 5, 2)
        np.testing.assert_array_equal(engine_hands("python", a, b, rules, seed, 5, 2), expected)
        if a.kind == b.kind == "numbers":
            by_number += 1
            np.testing.assert_array_equal(engine_hands("numbers", a, b, rules, seed, 5, 2), expected)
        objects = [Strategy.of(player=Plain(spec)) for spec in specs]
        for one, two in [(objects[0], b), objects]:
            done = play(Work((one, two), rules, seed, HANDS, 5, 2), keep=True)
            np.testing.assert_array_equal(done.records, expected)
    assert by_number > 20


def test_a_hand_does_not_depend_on_those_before() -> None:
    rnd = random.Random(8)
    for _ in range(30):
        rules, a, b = random_rules(rnd), Strategy.parse(random_spec(rnd)), Strategy.parse("simple")
        together = engine_hands("slots", a, b, rules, 3, 0, 20)
        for deal in (0, 7, 19):
            alone = engine_hands("slots", a, b, rules, 3, deal, 1)
            np.testing.assert_array_equal(together[2 * deal : 2 * deal + 2], alone)


def test_strategies_do_not_change_the_deal() -> None:
    rules = Rules.parse("tournament")
    simple, wild = Strategy.parse("simple"), Strategy.parse("random")
    columns = [H.COLUMNS.index(name) for name in ("deal", "play", "starter", "dealt_0", "dealt_1", "limit", "multiplier")]
    pairings = [(simple, simple), (wild, simple), (wild, wild)]
    played = [engine_hands("slots", a, b, rules, 4, 0, 50)[:, columns] for a, b in pairings]
    np.testing.assert_array_equal(played[0], played[1])
    np.testing.assert_array_equal(played[0], played[2])
    first, second = played[0][::2], played[0][1::2]
    np.testing.assert_array_equal(first[:, [3, 4]], second[:, [4, 3]])  # the two plays of a pair swap the hands


@pytest.mark.parametrize("spec", ["simple", "random", "threshold(knock=4, draw=strict, discard=random_best)"])
def test_identical_strategies_cancel_exactly(spec: str) -> None:
    strategy, rnd = Strategy.parse(spec), random.Random(9)
    for rules in [*(preset.rules for preset in PRESETS.values()), *(random_rules(rnd) for _ in range(100))]:
        records = pd.DataFrame(engine_hands("slots", strategy, strategy, rules, 11, 0, 30), columns=H.COLUMNS)
        first, second = (records[records.play == play_number].reset_index() for play_number in (0, 1))
        decided = first.winner >= 0
        assert (first.winner[decided] == 1 - second.winner[decided]).all()
        for name, mirrored in [("ending", "ending"), ("points", "points"), ("turns", "turns"), ("after_0", "after_1")]:
            assert (first[name] == second[mirrored]).all(), (name, rules)


# Every rule by script. Nobody has a meld in the dealt hands unless a test says so.

LOW = "AC 4C 7C 2D 8D JD 3H 5H QS KH"
HIGH = "AS 4S 7S 2H 8H JH 3D 5D QC KD"
GIN_HAND = "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S"
OTHER = HIGH.replace("2H", "KC")  # shares no card with GIN_HAND
KNOCK_7 = "5S 5H 5D 9C 10C JC QS QH QD 7H"
TIE_7 = "2S 3S 4S 8H 8D 8S KS KD KH 7D"


def house(**changes: Any) -> Rules:
    return Rules(**({"min_turns_before_knock": 0} | changes))


def stack(starter: str, dealer: str, *then: str) -> list[Card]:
    """A deck: both hands, the cards that follow, and the rest in order."""
    top = cards(" ".join([starter, dealer, *then]))
    assert len(set(top)) == len(top)
    return top + [c for c in full_deck() if c not in top]


def scripted(deck: list[Card], a: Scripted, b: Scripted, **changes: Any) -> tuple[Row, list[Seen]]:
    """Player 0 is the starter."""
    return play_script(deck, a, b, house(**changes))


def asked(seen: list[Seen], player: int, kind: str) -> list[dict[str, Any]]:
    return [s.view for s in seen if (s.player, s.kind) == (player, kind)]


def came(row: Row) -> tuple[str, int, int]:
    return H.ENDINGS[row["ending"]], row["winner"], row["points"]


def bits(text: str) -> int:
    return to_mask(cards(text))


def test_both_refuse_then_the_starter_must_draw_from_the_stock() -> None:
    _, seen = scripted(stack(LOW, HIGH, "9S", "10H"), Scripted(), Scripted())
    assert [(s.player, s.kind) for s in seen[:4]] == [(0, "draw"), (1, "draw"), (0, "discard"), (1, "draw")]
    assert [s.view["offer"] for s in seen[:4]] == [1, 1, 0, 0]
    assert [s.view["turn"] for s in seen[:4]] == [0, 0, 0, 0]
    assert seen[2].view["drawn"] == bits("10H")
    assert seen[1].view["opp_passed"] == seen[2].view["opp_passed"] == bits("9S")


def test_starter_takes_the_offer() -> None:
    a, b = Scripted(draws=[1], discards=cards("KH")), Scripted(draws=[1], discards=cards("JH"))
    row, seen = scripted(stack(LOW, HIGH, "9S"), a, b)
    assert (row["taken_0"], row["taken_1"]) == (1, 1)
    second = asked(seen, 1, "draw")[0]
    assert (second["offer"], second["opp_held"], second["upcard"], second["pile"]) == (0, bits("9S"), bits("KH"), bits("KH"))


def test_dealer_takes_the_offer_and_has_had_the_first_turn() -> None:
    row, seen = scripted(stack(LOW, HIGH, "9S", "10H"), Scripted(), Scripted(draws=[1], discards=cards("KD")))
    assert [(s.player, s.kind) for s in seen[:4]] == [(0, "draw"), (1, "draw"), (1, "discard"), (0, "draw")]
    assert (seen[3].view["turn"], seen[3].view["opp_turn"], seen[3].view["opp_held"]) == (0, 1, bits("9S"))
    assert (row["taken_0"], row["taken_1"]) == (0, 1)


def test_no_offer_is_a_normal_first_turn() -> None:
    _, seen = scripted(stack(LOW, HIGH, "9S"), Scripted(draws=[1]), Scripted(), upcard_offer=False)
    assert [(s.player, s.kind) for s in seen[:3]] == [(0, "draw"), (0, "discard"), (1, "draw")]
    assert not any(s.view["offer"] for s in seen)


@pytest.mark.parametrize(("stock_end", "turns"), [("dead_at_2", 29), ("dead_at_0", 31), ("last_discard", 29)])
def test_the_stock_runs_out(stock_end: str, turns: int) -> None:
    row, seen = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end=stock_end)
    assert came(row) == ("dead", -1, 0)
    assert (row["turns"], row["knocker"], row["dealt_0"], row["dealt_1"]) == (turns, -1, 60, 60)
    assert [s.view["stock"] for s in seen if s.kind == "discard"] == list(range(30, 30 - turns, -1))


def test_reshuffle_and_stalled() -> None:
    row, seen = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end="reshuffle", max_turns=35)
    assert (came(row), row["turns"]) == (("stalled", -1, 0), 35)
    stocks = [s.view["stock"] for s in seen if s.kind == "discard"]
    assert stocks == [*range(30, -1, -1), 30, 29, 28, 27]
    again = next(s.view for s in seen if s.kind == "draw" and s.view["turn"] == 15 and s.view["stock"] == 31)
    assert again["pile"] == again["upcard"]


@pytest.mark.parametrize("stock_end", ["dead_at_2", "reshuffle"])
def test_taking_each_others_discards_for_ever_is_stopped(stock_end: str) -> None:
    a, b = Scripted(draws=[1] * 60), Scripted(draws=[1] * 60)
    row, seen = scripted(stack(LOW, HIGH, "9S"), a, b, stock_end=stock_end, max_turns=60)
    assert (came(row), row["turns"]) == (("stalled", -1, 0), 60)
    assert row["taken_0"] + row["taken_1"] == 60
    assert {s.view["stock"] for s in seen} == {31}


def test_a_card_taken_from_the_pile_may_not_be_thrown_back() -> None:
    _, seen = scripted(stack(LOW, HIGH, "9S"), Scripted(draws=[1]), Scripted())
    assert asked(seen, 0, "discard")[0]["banned"] == bits("9S")
    _, seen = scripted(stack(LOW, HIGH, "9S"), Scripted(draws=[1], discards=cards("9S")), Scripted(), redraw_ban=False)
    assert asked(seen, 0, "discard")[0]["banned"] == 0
    assert asked(seen, 1, "draw")[0]["upcard"] == bits("9S")


def test_a_drawn_card_of_the_stock_may_be_thrown() -> None:
    _, seen = scripted(stack(LOW, HIGH, "9S", "10H"), Scripted(discards=cards("10H")), Scripted())
    assert asked(seen, 0, "discard")[0]["banned"] == 0
    assert seen[3].view["upcard"] == bits("10H")


def test_a_knock_may_be_declined_and_is_asked_again() -> None:
    dealer = HIGH.replace("5D", "9D").replace("QC", "6D")
    row, seen = scripted(stack(KNOCK_7, dealer, "9S"), Scripted(knocks=[0, 1]), Scripted())
    first, second = asked(seen, 0, "knock")
    assert (first["turn"], second["turn"], first["deadwood"]) == (0, 1, 7)
    assert first["chosen"] == first["drawn"]
    assert not first["chosen"] & (first["hand"] | first["pile"])
    assert (row["ending"], row["winner"], row["knocker"], row["turns"], row["deadwood_0"]) == (H.KNOCKED, 0, 0, 3, 7)


@pytest.mark.parametrize(("limit", "may"), [(10, False), (13, False), (14, True), (15, True), (100, True)])
def test_a_limit_above_ten_really_allows_the_knock(limit: int, may: bool) -> None:
    held, other = "3S 3H 3D 6C 7C 8C AD 2S 2H 9H", "AS 4S 7S 4H 8H JH JD 5D QC KD"  # 14 left
    row, seen = scripted(stack(held, other, "9S", "KS"), Scripted(knocks=[1]), Scripted(), knock_limit=limit)
    assert bool(asked(seen, 0, "knock")) == may
    assert row["ending"] == (H.KNOCKED if may else H.DEAD)
    assert row["limit"] == limit


def test_straight_gin_takes_only_gin() -> None:
    row, _ = scripted(stack(KNOCK_7, TIE_7, "9S", "AH"), Scripted(knocks=[1]), Scripted(), knock_limit=0)
    assert came(row) == ("dead", -1, 0)
    row, _ = scripted(stack(GIN_HAND, OTHER, "QD", "KS"), Scripted(knocks=[1]), Scripted(), knock_limit=0)
    assert (row["ending"], row["winner"], row["turns"]) == (H.GIN, 0, 1)


@pytest.mark.parametrize("least", [0, 1, 2])
def test_turns_before_a_knock_are_own_full_turns(least: int) -> None:
    row, _ = scripted(stack(GIN_HAND, OTHER, "QD", "KS"), Scripted(knocks=[1]), Scripted(), min_turns_before_knock=least)
    assert (row["ending"], row["turns"]) == (H.GIN, 2 * least + 1)
    # The dealer who took the upcard has had a turn; the starter's refusal was none.
    dealer = Scripted(draws=[1], knocks=[1], discards=cards("JD"))
    deck = stack(OTHER, GIN_HAND, "JD")
    _, seen = scripted(deck, Scripted(), dealer, min_turns_before_knock=least, redraw_ban=False)
    assert asked(seen, 1, "knock")[0]["turn"] == least


def test_gin_is_never_undercut_and_pays_against_nothing() -> None:
    other = "AS 2S 3S 10D 10C 10S KD KC KS KH"
    row, _ = scripted(stack(GIN_HAND, other, "QD", "JS"), Scripted(knocks=[1]), Scripted())
    assert came(row) == ("gin", 0, 25)


@pytest.mark.parametrize(("option", "points_won", "laid"), [(False, 25 + 69, 0), (True, 25 + 57, 12)])
def test_nothing_is_laid_off_on_gin_unless_the_rules_say_so(option: bool, points_won: int, laid: int) -> None:
    other = "4H 8C 4S 7S 8H JH 3D 5D QC KD"
    row, _ = scripted(stack(GIN_HAND, other, "QD", "KS"), Scripted(knocks=[1]), Scripted(), layoff_on_gin=option)
    assert (row["points"], row["laid_off"], row["deadwood_1"], row["after_1"]) == (points_won, laid, 69, 69 - laid)


@pytest.mark.parametrize(
    ("tie", "expect"),
    [("undercut", ("undercut", 1, 25)), ("push", ("push", -1, 0)), ("knocker", ("knock", 0, 0))],
)
def test_ties(tie: str, expect: tuple[str, int, int]) -> None:
    row, _ = scripted(stack(KNOCK_7, TIE_7, "9S", "AH"), Scripted(knocks=[1]), Scripted(), tie=tie)
    assert came(row) == expect
    assert row["knocker"] == 0


@pytest.mark.parametrize(
    ("layoff", "expect"), [("optimal", ("undercut", 1, 32)), ("after_melds", ("undercut", 1, 32)), ("none", ("knock", 0, 3))]
)
def test_lay_offs(layoff: str, expect: tuple[str, int, int]) -> None:
    # QC goes onto the queens or the run; 8C would fit below the run but is needed with the other eights.
    other = "2S 3S 4S 8H 8D 8C KS KD KH QC"
    row, _ = scripted(stack(KNOCK_7, other, "9S", "AH"), Scripted(knocks=[1]), Scripted(), layoff=layoff)
    assert came(row) == expect
    assert (row["deadwood_1"], row["laid_off"]) == (10, 0 if layoff == "none" else 10)


def test_lay_offs_chain_on_the_same_end() -> None:
    # 8C and then 7C below 9C 10C JC; 6D stays.
    other = "2S 3S 4S 8C 7C 6D KS KD KH KC"
    row, _ = scripted(stack(KNOCK_7, other, "9S", "AH"), Scripted(knocks=[1]), Scripted())
    assert (row["deadwood_1"], row["after_1"], row["laid_off"]) == (21, 6, 15)
    assert came(row) == ("undercut", 1, 25 + 1)


def test_the_defender_may_break_a_meld_to_lay_off_more() -> None:
    # 9D of the four nines and then 10D go onto the knocker's run 6D 7D 8D.
    knocker, defender = "6D 7D 8D 2C 3C 4C KS KH KC 5S", "9S 9H 9C 9D 10D AS AH 7S QD QH"
    for layoff, left in [("optimal", 29), ("after_melds", 39), ("none", 39)]:
        row, _ = scripted(stack(knocker, defender, "JS", "JH"), Scripted(knocks=[1]), Scripted(), layoff=layoff)
        assert (row["deadwood_1"], row["after_1"]) == (39, left)


def test_oklahoma_and_spades_double() -> None:
    changes: dict[str, Any] = {"oklahoma": True, "spades_double": True}
    row, seen = scripted(stack(KNOCK_7, TIE_7, "6S", "AH"), Scripted(knocks=[1]), Scripted(), **changes)
    assert (seen[0].view["limit"], seen[0].view["multiplier"], row["limit"], row["multiplier"]) == (6, 2, 6, 2)
    assert not asked(seen, 0, "knock")
    row, _ = scripted(stack(KNOCK_7, TIE_7, "9S", "AH"), Scripted(knocks=[1]), Scripted(), **changes)
    assert came(row) == ("undercut", 1, 50)
    row, _ = scripted(stack(KNOCK_7, TIE_7, "9D", "AH"), Scripted(knocks=[1]), Scripted(), **changes)
    assert came(row) == ("undercut", 1, 25)


@pytest.mark.parametrize(
    ("upcard", "ace", "limit"), [("AS", "gin_only", 0), ("AS", "one", 1), ("2D", "one", 2), ("KC", "one", 10)]
)
def test_oklahoma_limits(upcard: str, ace: str, limit: int) -> None:
    deck = [card(upcard), *(c for c in full_deck() if c != card(upcard))]
    deck = deck[1:21] + deck[:1] + deck[21:]
    row, _ = scripted(deck, Scripted(), Scripted(), oklahoma=True, oklahoma_ace=ace, ace_value=15)
    assert row["limit"] == limit


def test_big_gin() -> None:
    deck = stack(GIN_HAND, OTHER, "8C", "KS")
    row, seen = scripted(deck, Scripted(draws=[1], knocks=[1]), Scripted(), big_gin_bonus=31)
    assert (*came(row), row["turns"]) == ("big_gin", 0, 31 + melds.deadwood(hand(OTHER)), 1)
    (knock,) = asked(seen, 0, "knock")
    assert (knock["chosen"], knock["deadwood"], knock["hand"].bit_count()) == (0, 0, 11)
    # Declined, it is an ordinary turn that may still end in gin.
    row, seen = scripted(deck, Scripted(draws=[1], discards=cards("9C"), knocks=[0, 1]), Scripted(), big_gin_bonus=31)
    assert row["ending"] == H.GIN
    assert [(v["chosen"], v["deadwood"]) for v in asked(seen, 0, "knock")] == [(0, 0), (bits("9C"), 0)]


@pytest.mark.parametrize("changes", [{"big_gin_bonus": None}, {"big_gin_bonus": 31, "min_turns_before_knock": 1}])
def test_big_gin_is_not_asked_where_it_is_off_or_too_early(changes: dict[str, Any]) -> None:
    a = Scripted(draws=[1], discards=cards("9C"), knocks=[0])
    _, seen = scripted(stack(GIN_HAND, OTHER, "8C", "KS"), a, Scripted(), **changes)
    assert all(v["chosen"] for v in asked(seen, 0, "knock") if v["turn"] == 0)


@pytest.mark.parametrize(("option", "saved"), [(False, 0), (True, 4)])
def test_lay_offs_on_big_gin(option: bool, saved: int) -> None:
    other = "4H 8D 4S 7S 8H JH 3D 5D QC KD"
    a = Scripted(draws=[1], knocks=[1])
    row, _ = scripted(stack(GIN_HAND, other, "8C"), a, Scripted(), big_gin_bonus=31, layoff_on_gin=option)
    assert row["points"] == 31 + 69 - saved


def test_eleven_card_start() -> None:
    changes: dict[str, Any] = {"eleven_card_start": True, "upcard_offer": False}
    a, b = Scripted(discards=cards("KS")), Scripted(draws=[1], discards=cards("KD"))
    _, seen = scripted(stack(LOW + " KS", HIGH, "10H"), a, b, **changes)
    assert [(s.player, s.kind) for s in seen[:4]] == [(0, "discard"), (1, "draw"), (1, "discard"), (0, "draw")]
    first = seen[0].view
    assert (first["drawn"], first["upcard"], first["stock"], first["hand"].bit_count()) == (0, 0, 31, 11)
    deck = stack(GIN_HAND + " 8C", OTHER)
    row, _ = scripted(deck, Scripted(knocks=[1], discards=cards("9C")), Scripted(), **changes)
    assert (row["ending"], row["turns"]) == (H.GIN, 3)
    deck = stack(GIN_HAND + " KS", OTHER, "JS", "8C")
    row, _ = scripted(deck, Scripted(discards=cards("KS"), knocks=[1]), Scripted(), big_gin_bonus=31, **changes)
    assert (row["ending"], row["turns"]) == (H.BIG_GIN, 3)


@pytest.mark.parametrize("least", range(4))
def test_a_first_turn_that_only_discards_is_no_full_turn(least: int) -> None:
    """Both hold gin from the start; who began with eleven cards has made one turn more when a knock is first allowed."""
    a, b = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S KH", "AD 2D 3D 4D 5D 6D 7D 8D 9D 10D"
    changes: dict[str, Any] = {"eleven_card_start": True, "upcard_offer": False, "min_turns_before_knock": least}
    _, seen = scripted(stack(a, b), Scripted(discards=cards("KH")), Scripted(), **changes)
    assert [asked(seen, p, "knock")[0]["turn"] for p in range(2)] == [least + 1, least]
    row, _ = scripted(stack(a, b), Scripted(discards=cards("KH")), Scripted(knocks=[1]), **changes)
    assert (row["ending"], row["knocker"], row["turns"]) == (H.GIN, 1, 2 * least + 2)


class TestLastDiscard:
    """After 29 turns from the stock the dealer faces the wall; the starter's last discard is KH."""

    held = "AH 2H 3H 5C 6C 7C KD KS 4D 2S"  # KH would leave 6, or 2 without 4D

    def run(self, takes: bool, final: str = "", last: str = "KH", dealer: str = held, **changes: Any) -> tuple[Row, list[Seen]]:
        starter = "8D JD 9S QS QC 7S AC 10H 4C " + ("KH" if last == "KH" else "6D")
        deck = stack(starter, dealer, "3S")
        a = Scripted(discards=[*deck[21:49:2], card(last)])
        b = Scripted(draws=[0] * 15 + [takes], discards=[*deck[22:50:2], *cards(final)])
        return scripted(deck, a, b, stock_end="last_discard", **changes)

    def test_taken_to_knock(self) -> None:
        row, seen = self.run(True, "4D")
        assert (row["knocker"], row["deadwood_1"], row["turns"], row["taken_1"]) == (1, 2, 30, 1)
        assert [s.kind for s in seen[-2:]] == ["draw", "discard"]  # the knock itself is not asked
        assert [s.view["wall"] for s in seen[-3:]] == [0, 1, 1]

    def test_only_discards_that_allow_the_knock(self) -> None:
        _, seen = self.run(True)
        kept = hand(self.held) | {card("KH")}
        allowed = {c for c in kept - {card("KH")} if melds.deadwood(kept - {c}) <= 10}
        assert from_mask(seen[-1].view["hand"] & ~seen[-1].view["banned"]) == allowed

    def test_refused(self) -> None:
        row, seen = self.run(False)
        assert came(row) == ("dead", -1, 0)
        assert seen[-1].view["wall"] == 1

    def test_a_useless_card_cannot_be_taken(self) -> None:
        row, seen = self.run(True, last="6D", dealer="AD 4S 7H 2C 8H JH 3D 5H QH KD")
        assert row["ending"] == H.DEAD
        assert not any(s.view["wall"] for s in seen)

    def test_big_gin_at_the_wall(self) -> None:
        dealer = "AH 2H 3H 4H 5C 6C 7C 8C KS KC"
        changes: dict[str, Any] = {"knock_limit": 0, "big_gin_bonus": 31}
        deck = stack("8D JD 9S QS QC 7S AC 10H 4C KH", dealer, "3S")
        b = Scripted(draws=[0] * 15 + [1], discards=deck[22:50:2], knocks=[0, 1])  # not yet with KD
        a = Scripted(discards=[*deck[21:49:2], card("KH")])
        row, seen = scripted(deck, a, b, stock_end="last_discard", **changes)
        assert (row["ending"], row["winner"], row["turns"]) == (H.BIG_GIN, 1, 30)
        assert seen[-1].kind == "knock"

    def test_the_last_discard_may_be_taken_for_big_gin_alone(self) -> None:
        rules: dict[str, Any] = {"hand_size": 5, "ranks": 6, "knock_limit": 0, "stock_end": "last_discard"}
        dealt, last = cards("2S 3S 4S 6H 6D AH AD 5S 5D 5C"), card("AS")
        rest = [c for c in full_deck(pack_of(house(**rules))) if c not in (*dealt, last)]
        deck = [*dealt, *rest[:11], last, *rest[11:]]  # the starter draws it on the last of 11 turns from the stock
        for bonus, takes, turns in ((31, True, 12), (31, False, 11), (None, True, 11)):
            row, seen = scripted(deck, Scripted(), Scripted(draws=[0] * 6 + [takes]), big_gin_bonus=bonus, **rules)
            assert (row["ending"], row["turns"]) == (H.BIG_GIN if turns == 12 else H.DEAD, turns)
            assert (seen[-1].view["wall"], seen[-1].kind) == ((1, "draw") if bonus else (0, "discard"))

    @pytest.mark.parametrize("deal", range(2))
    def test_big_gin_of_short_decks_at_the_wall_is_the_oracles(self, deal: int) -> None:
        rules = Rules.parse(
            "straight(big_gin_bonus=31, min_turns_before_knock=0, stock_end=last_discard, hand_size=5, ranks=6)"
        )
        simple = Strategy.parse("simple")
        for row in map(named, engine_hands("numbers", simple, simple, rules, 1, deal, 1)):
            told = oracle_hand(simple, simple, rules, 1, deal, row["play"])
            assert_same_hand(row, told, rules, rng.deck(1, deal, pack_of(rules)))
            assert row["ending"] == H.BIG_GIN or deal == 0

    def test_every_short_hand_at_the_wall_is_the_oracles(self) -> None:
        """Where the last discard comes up in most hands, and often melds all cards while no discard leaves a knock."""
        rnd, walls, alone = random.Random(4), 0, 0
        for number in range(1000):
            shape = {"hand_size": rnd.choice([5, 5, 5, 3]), "ranks": rnd.choice([5, 6]), "suits": rnd.choice([3, 4])}
            limit = {"knock_limit": rnd.choice([0, 0, 0, 2]), "oklahoma": False, "min_turns_before_knock": rnd.randrange(2)}
            bonus, wrap = rnd.choice([0, 31, 31, None]), rnd.random() < 0.5
            rules = random_rules(rnd, **shape, **limit, big_gin_bonus=bonus, wrap=wrap, stock_end="last_discard", max_turns=100)
            specs = ("simple", "threshold(knock=-1, draw=strict)", "threshold(knock=-1)")
            pair = [Strategy.parse(rnd.choice(specs)) for _ in range(2)]
            row, seen = watch_both(*pair, rules, seed=rnd.randrange(1 << 62), deal=number, starter=number % 2)
            at_wall = [s.kind for s in seen if s.view["wall"]]
            walls += bool(at_wall)
            alone += at_wall == ["draw"] and row["ending"] == H.BIG_GIN
        assert walls > 100 and alone > 5


def test_a_hand_out_of_stock_on_its_last_turn_is_dead() -> None:
    row, _ = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), max_turns=28)
    assert (row["ending"], row["turns"]) == (H.STALLED, 28)
    for most, stock_end in ((29, "dead_at_2"), (30, "dead_at_2"), (29, "last_discard"), (30, "last_discard")):
        row, _ = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end=stock_end, max_turns=most)
        assert (row["ending"], row["turns"]) == (H.DEAD, 29)
    row, _ = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end="dead_at_0", max_turns=31)
    assert (row["ending"], row["turns"]) == (H.DEAD, 31)
    row, _ = scripted(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end="reshuffle", max_turns=31)
    assert (row["ending"], row["turns"]) == (H.STALLED, 31)


def test_wrap_and_dear_aces() -> None:
    # Q-K-A and K-A-2 are runs only around the corner; an ace left over counts 15.
    held = "QS KS AS 2S 5H 6H 7H 9D 9C AD"
    for changes, left in [({}, 42), ({"wrap": True}, 19), ({"wrap": True, "ace_value": 15}, 33), ({"ace_value": 15}, 70)]:
        row, _ = scripted(stack(held, "AC 4C 7C 2D 8D JD 3H 5C QH KH", "9S"), Scripted(), Scripted(), **changes)
        assert row["dealt_0"] == left


@pytest.mark.parametrize(("shape", "stock"), [((13, 4, 7), 37), ((10, 2, 7), 5), ((3, 4, 3), 5), ((5, 2, 3), 3)])
def test_short_decks(shape: tuple[int, int, int], stock: int) -> None:
    ranks, suits, size = shape
    rules = house(ranks=ranks, suits=suits, hand_size=size)
    _, seen = play_script(full_deck(pack_of(rules)), Scripted(), Scripted(), rules)
    assert (seen[0].view["stock"], seen[0].view["hand"].bit_count()) == (stock, size)
    deck = to_mask(full_deck(pack_of(rules)))
    assert seen[0].view["full"] == deck
    assert all((s.view["hand"] | s.view["pile"]) & ~deck == 0 for s in seen)


# Properties of many hands


def played(a: str, b: str, rules: Rules, pairs: int = 200, seed: int = 21) -> pd.DataFrame:
    work = Work((Strategy.parse(a), Strategy.parse(b)), rules, seed, HANDS, 0, pairs)
    return pd.DataFrame(play(work, keep=True).records, columns=H.COLUMNS)


def test_a_higher_limit_never_forbids_a_knock() -> None:
    specs = "threshold(knock=3)", "threshold(knock=5, draw=strict, discard=random_best)"
    games = [played(*specs, Rules(knock_limit=limit)).drop(columns="limit") for limit in (5, 10, 40, 100)]
    for game in games[1:]:  # who knocks at 5 at the latest does just that
        pd.testing.assert_frame_equal(games[0], game)
    eager = [played("simple", "simple", Rules(knock_limit=limit)) for limit in (0, 1, 5, 10, 15, 30, 60, 100)]
    for tight, loose in pairwise(eager):
        assert (loose.turns <= tight.turns).all()
        assert (loose.ending[tight.knocker >= 0] != H.DEAD).all()
        assert ((loose.knocker >= 0) >= (tight.knocker >= 0)).all()


def test_more_melds_never_cost_a_dealt_hand() -> None:
    for base in (Rules(), Rules(ranks=7), Rules(ace_value=15), Rules(suits=3)):
        plain, wrapped = (played("simple", "simple", base.replace(wrap=wrap), 500) for wrap in (False, True))
        assert (wrapped[["dealt_0", "dealt_1"]] <= plain[["dealt_0", "dealt_1"]]).all().all()
        assert (wrapped.dealt_0 < plain.dealt_0).any()


def test_what_every_record_must_hold() -> None:
    rnd = random.Random(31)
    endings = np.zeros(len(H.ENDINGS), int)
    for number in range(150):
        rules = random_rules(rnd)
        a, b = random_spec(rnd), random_spec(rnd)
        r = played(a, b, rules, pairs=40, seed=number)
        endings += np.bincount(r.ending, minlength=len(H.ENDINGS))
        check_records(r, rules)
    assert (endings >= 20).all(), dict(zip(H.ENDINGS, endings, strict=True))


def check_records(r: pd.DataFrame, rules: Rules) -> None:
    """Facts about hand records that need no second look at the hand."""
    assert (r.error == 0).all()
    assert r.turns.between(1, rules.max_turns).all()
    assert (r.starter == r.play).all()
    assert (r.taken_0 + r.taken_1 <= r.turns).all()
    over = ~r.ending.isin([H.DEAD, H.STALLED])
    assert ((r.knocker >= 0) == over).all()
    assert ((r.winner < 0) == r.ending.isin([H.DEAD, H.STALLED, H.PUSH])).all()
    assert (r.points[r.winner < 0] == 0).all()
    assert (r.points >= 0).all()
    assert (r.turns[r.ending == H.STALLED] == rules.max_turns).all()
    assert (r.multiplier.isin([1, 2]) if rules.spades_double else r.multiplier == 1).all()
    s = r[over]
    mine, before, after = (
        pd.Series(np.where(s.knocker == p, s[f"{n}_0"], s[f"{n}_1"]), s.index)
        for p, n in ((0, "deadwood"), (1, "deadwood"), (1, "after"))
    )
    gin = s.ending.isin([H.GIN, H.BIG_GIN])
    assert (mine <= s.limit).all()
    assert ((mine == 0) == gin).all()
    assert (after <= before).all()
    assert (after + s.laid_off >= before).all()
    assert ((s.laid_off > 0) >= (after < before)).all()
    if rules.layoff == "none":
        assert (s.laid_off == 0).all()
    if not rules.layoff_on_gin:
        assert (s.laid_off[gin] == 0).all()
    bonus = {H.KNOCKED: 0, H.GIN: rules.gin_bonus, H.BIG_GIN: rules.big_gin_bonus or 0}
    bonus |= {H.UNDERCUT: rules.undercut_bonus, H.PUSH: 0}
    difference = (after - mine).where(s.ending != H.UNDERCUT, mine - after)
    assert (s.points == (difference + s.ending.map(bonus)) * s.multiplier).all()
    assert ((s.winner == s.knocker) == s.ending.isin([H.KNOCKED, H.GIN, H.BIG_GIN])).all()
    assert (after[s.ending == H.PUSH] == mine[s.ending == H.PUSH]).all()
