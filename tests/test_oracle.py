"""The oracle against the worked cases, and scripted hands for every rule dimension."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.oracle import melds, rng, scoring
from tests.oracle.cards import Card, Pack, card, cards, from_mask, full_deck, hand, pack_of, points, show, to_mask
from tests.oracle.play import Record, View, play_hand
from tests.oracle.players import Random, Scripted, Simple, Threshold

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "cases.json").read_text())["cases"]
FIELD = json.loads((DATA / "field_cases.json").read_text())


def of_kind(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


HOUSE: dict[str, Any] = {
    "gin_bonus": 25,
    "undercut_bonus": 25,
    "big_gin_bonus": None,
    "knock_limit": 10,
    "oklahoma": False,
    "oklahoma_ace": "gin_only",
    "spades_double": False,
    "min_turns_before_knock": 0,
    "upcard_offer": True,
    "eleven_card_start": False,
    "tie": "undercut",
    "layoff": "optimal",
    "layoff_on_gin": False,
    "stock_end": "dead_at_2",
    "redraw_ban": True,
    "wrap": False,
    "ace_value": 1,
    "hand_size": 10,
    "ranks": 13,
    "suits": 4,
    "max_turns": 200,
    "target": 100,
    "game_bonus": 100,
    "box_bonus": 25,
    "shutout": "none",
    "next_dealer": "alternate",
    "hollywood": False,
    "third_column_double": False,
}


def house(**changes: Any) -> SimpleNamespace:
    rules = HOUSE | changes
    assert rules.keys() == HOUSE.keys()
    return SimpleNamespace(**rules)


def pack_of_case(case: dict[str, Any]) -> Pack:
    return Pack(wrap=case.get("wrap", False), ace_value=case.get("ace_value", 1))


def family(texts: Sequence[Sequence[str]]) -> melds.Arrangement:
    return frozenset(hand(m) for m in texts)


# Worked cases


@of_kind("deadwood")
def test_deadwood(case: dict[str, Any]) -> None:
    held, pack, expect = hand(case["hand"]), pack_of_case(case), case["expect"]
    best = melds.arrangements(held, pack)
    assert melds.deadwood(held, pack) == expect["min_deadwood"]
    assert len(best) == expect["n_optimal"]
    assert set(best) == {family(f) for f in expect["optimal"]}


@of_kind("best_discard")
def test_best_discard(case: dict[str, Any]) -> None:
    held, banned, expect = hand(case["hand"]), hand(case["banned"]), case["expect"]
    assert melds.best_discards(held, banned) == (expect["min_after_discard"], hand(expect["discards"]))
    if "min_after_discard_if_not_banned" in expect:
        assert melds.best_discards(held)[0] == expect["min_after_discard_if_not_banned"]


@of_kind("showdown")
def test_showdown(case: dict[str, Any]) -> None:
    knocker, defender = hand(case["knocker_hand"]), hand(case["opp_hand"])
    pack, expect = pack_of_case(case), case["expect"]
    laid = family(case["knocker_melds"])
    left = melds.left_over(knocker, laid, pack)
    assert left == expect["knocker_deadwood"]
    assert melds.deadwood(defender, pack) == expect["opp_min_deadwood_before"]
    after = melds.defence(defender, laid, "none" if case["gin"] else "optimal", pack)
    assert after == expect["opp_final_deadwood"]
    if expect["opp_final_if_forced_min_melding"] is not None:
        assert melds.defence(defender, laid, "after_melds", pack) == expect["opp_final_if_forced_min_melding"]
    for name, score in expect["scores"].items():
        gin, undercut, tie = name.split("_")
        rules = house(gin_bonus=int(gin[3:]), undercut_bonus=int(undercut[8:]), tie=tie[4:])
        got = scoring.knock_score(left, after, rules, case["mult"], "gin" if case["gin"] else "")
        assert (got.by_knocker, got.points) == (BY_KNOCKER[score["winner"]], score["points"])


BY_KNOCKER = {"knocker": True, "opponent": False, None: None}


@of_kind("score")
def test_score(case: dict[str, Any]) -> None:
    rules = house(gin_bonus=case["gin_bonus"], undercut_bonus=case["undercut_bonus"], tie=case["tie"])
    gin = "gin" if case["gin"] else ""
    got = scoring.knock_score(case["knocker_deadwood"], case["opp_deadwood"], rules, gin=gin)
    assert (got.by_knocker, got.points) == (BY_KNOCKER[case["expect"]["winner"]], case["expect"]["points"])


@of_kind("oklahoma")
def test_oklahoma_limit(case: dict[str, Any]) -> None:
    rules = house(oklahoma=True, spades_double=True, oklahoma_ace=case["ace_rule"])
    upcard = card(case["upcard"])
    assert scoring.knock_limit(upcard, rules) == case["expect"]["limit"]
    assert scoring.hand_multiplier(upcard, rules) == case["expect"]["multiplier"]


@of_kind("meld_validity")
def test_meld_validity(case: dict[str, Any]) -> None:
    for item in case["items"]:
        assert melds.is_meld(hand(item["cards"]), Pack(wrap=True)) == item["wrap"], item
        assert melds.is_meld(hand(item["cards"])) == item["no_wrap"], item


@of_kind("layoff_targets")
def test_layoff_targets(case: dict[str, Any]) -> None:
    for item in case["items"]:
        targets = melds.layoff_targets(family(item["melds"]), Pack(wrap=item["wrap"]))
        assert targets == hand(item["expect"]), item


def match_rules(case: dict[str, Any]) -> SimpleNamespace:
    given = dict(case["rules"])
    return house(box_bonus=given.pop("box"), **given)


@of_kind("match")
def test_match(case: dict[str, Any]) -> None:
    got = scoring.play_game([tuple(h) for h in case["hands"]], match_rules(case))
    for name, value in case["expect"].items():
        assert getattr(got, name) == value, name


@of_kind("hollywood")
def test_hollywood(case: dict[str, Any]) -> None:
    got = scoring.play_hollywood([tuple(h) for h in case["hands"]], match_rules(case))
    for column, expect in zip(got.columns, case["expect"]["columns"], strict=True):
        for name, value in expect.items():
            assert getattr(column, name) == value, name
    assert got.net == case["expect"]["net"]
    assert got.log == case["expect"]["log"]


@pytest.mark.parametrize(("text", "expect"), FIELD["deadwood"])
def test_field_deadwood(text: str, expect: int) -> None:
    assert melds.deadwood(hand(text)) == expect


@pytest.mark.parametrize(("text", "expect", "discards"), FIELD["best_discard"])
def test_field_best_discard(text: str, expect: int, discards: list[str]) -> None:
    assert melds.best_discards(hand(text)) == (expect, hand(discards))


# Melds and cards


def test_number_of_melds() -> None:
    sets = set(melds.sets(Pack()))
    runs = set(melds.runs(Pack()))
    assert (len(sets), sum(len(r) <= 10 for r in runs)) == (65, 240)
    assert len(melds.all_melds(Pack())) == 329
    assert len(melds.all_melds(Pack(wrap=True))) == 589
    assert len(melds.all_melds(Pack(ranks=3, suits=2))) == 2
    assert len(melds.all_melds(Pack(ranks=4, suits=3, wrap=True))) == 4 + 3 * (4 + 1)


def test_short_deck_has_short_circle() -> None:
    assert melds.is_meld(hand("5S AS 2S"), Pack(ranks=5, wrap=True))
    assert not melds.is_meld(hand("5S AS 2S"), Pack(ranks=5))
    assert not melds.is_meld(hand("KS AS 2S"), Pack(ranks=5, wrap=True))


def test_masks() -> None:
    assert to_mask(hand("AS 2S AH KC")) == 0b11 | 1 << 16 | 1 << 60
    assert from_mask(to_mask(hand("10D 7H QC"))) == hand("TD 7H QC")
    assert show(from_mask(0b11 | 1 << 60)) == "AS 2S KC"
    assert points(hand("AS 5H KD"), Pack(ace_value=15)) == 30


def test_defender_breaks_a_four_set_to_extend_a_run() -> None:
    laid = family([["3C", "4C", "5C"]])
    held = hand("6C 6S 6H 6D 7C")
    assert melds.defence(held, laid, "optimal") == 0
    assert melds.defence(held, laid, "after_melds") == 7
    assert melds.defence(held, laid, "none") == 7


def test_lay_offs_chain_on_one_end_and_choose_their_meld() -> None:
    # 6S serves the run, which opens it to 7S and 8S; on the set it would strand them.
    laid = family([["3S", "4S", "5S"], ["6H", "6D", "6C"]])
    assert melds.after_layoffs(hand("6S 7S 8S KD"), laid) == 10
    unseen = frozenset(full_deck()) - melds.melded(laid)
    assert melds.exposed(laid, unseen) == hand("AS 2S 6S 7S 8S 9S 10S JS QS KS")
    assert melds.exposed(laid, hand("AS 6S 8S")) == hand("6S")


def test_knocker_exposes_least() -> None:
    held = hand("2S 2H 2D AS 3S 9C 10C JC QC 5H")
    unseen = frozenset(full_deck()) - held
    clubs = ["9C", "10C", "JC", "QC"]
    with_set, with_run = family([["2S", "2H", "2D"], clubs]), family([["AS", "2S", "3S"], clubs])
    assert melds.permitted(held, unseen) == [with_set]
    assert melds.permitted(held, unseen - hand("4S 8C")) == [with_run]
    assert set(melds.permitted(held, unseen - hand("4S 8C 2C"))) == {with_set, with_run}
    # 2C could reach the clubs anyhow: it counts once, so the set costs nothing more.
    assert set(melds.permitted(held, unseen - hand("4S"))) == {with_set, with_run}


# Scripted hands. Nobody has a meld in the dealt hands unless a test says so.

LOW = "AC 4C 7C 2D 8D JD 3H 5H QS KH"
HIGH = "AS 4S 7S 2H 8H JH 3D 5D QC KD"
GIN = "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S"
KNOCK_7 = "5S 5H 5D 9C 10C JC QS QH QD 7H"
TIE_7 = "2S 3S 4S 8H 8D 8S KS KD KH 7D"


def stack(starter: str, dealer: str, *then: str) -> list[Card]:
    """A deck: both hands, the cards that follow, and the rest in order."""
    top = cards(" ".join([starter, dealer, *then]))
    assert len(set(top)) == len(top)
    return top + [c for c in full_deck() if c not in top]


def play(deck: list[Card], a: Any, b: Any, *more: Any, **changes: Any) -> Record:
    """Player 0 is the starter."""
    return play_hand(deck, house(**changes), 0, [a, b], *more)


def moves(record: Record, count: int) -> list[str]:
    return [f"{p} {what} {show([c]) if c else ''}".strip() for p, what, c in record.log[:count]]


def views(player: Scripted, kind: str) -> list[View]:
    return [view for seen, view in player.seen if seen == kind]


def test_both_refuse_then_the_starter_must_draw_from_the_stock() -> None:
    a, b = Scripted(), Scripted()
    record = play(stack(LOW, HIGH, "9S", "10H"), a, b)
    assert moves(record, 5) == ["0 refuse 9S", "1 refuse 9S", "0 stock 10H", "0 discard 10H", "1 refuse 10H"]
    first, second = views(b, "draw")[:2]
    assert (first.offer, first.upcard, first.turn) == (True, card("9S"), 0)
    assert first.opponent_refused == (card("9S"),)
    assert (second.offer, second.discards) == (False, tuple(cards("9S 10H")))
    assert len(views(a, "draw")) == 1 + 14  # the offer, then all of the 15 turns but the first
    assert views(a, "discard")[0].drawn == card("10H")


def test_starter_takes_the_offer() -> None:
    a, b = Scripted(draws=[1], discards=cards("KH")), Scripted(draws=[1], discards=cards("JH"))
    record = play(stack(LOW, HIGH, "9S"), a, b)
    assert moves(record, 4) == ["0 take 9S", "0 discard KH", "1 take KH", "1 discard JH"]
    assert not views(b, "draw")[0].offer
    assert views(b, "draw")[0].opponent_known == hand("9S")
    assert record.upcards == (1, 1)


def test_dealer_takes_the_offer_and_the_starter_is_next() -> None:
    a, b = Scripted(), Scripted(draws=[1], discards=cards("KD"))
    record = play(stack(LOW, HIGH, "9S", "10H"), a, b)
    assert moves(record, 5) == ["0 refuse 9S", "1 take 9S", "1 discard KD", "0 refuse KD", "0 stock 10H"]
    assert record.upcards == (0, 1)
    after = views(a, "draw")[1]
    assert (after.opponent_known, after.opponent_discards, after.turn) == (hand("9S"), (card("KD"),), 0)


def test_no_offer_is_a_normal_first_turn() -> None:
    a, b = Scripted(draws=[1], discards=cards("KH")), Scripted()
    record = play(stack(LOW, HIGH, "9S"), a, b, upcard_offer=False)
    assert moves(record, 3) == ["0 take 9S", "0 discard KH", "1 refuse KH"]
    assert not views(a, "draw")[0].offer


@pytest.mark.parametrize(("stock_end", "turns"), [("dead_at_2", 29), ("dead_at_0", 31), ("last_discard", 29)])
def test_stock_runs_out(stock_end: str, turns: int) -> None:
    record = play(stack(LOW, HIGH, "9S"), Scripted(), Scripted(), stock_end=stock_end)
    assert (record.ending, record.winner, record.points, record.turns) == ("dead", None, 0, turns)
    assert record.dealt == (60, 60)
    assert record.possible == {("dead", None, 0)}


def test_reshuffle_and_stalled() -> None:
    given: list[list[Card]] = []

    def backwards(old: list[Card]) -> list[Card]:
        given.append(list(old))
        return old[::-1]

    a, b = Scripted(), Scripted()
    record = play(stack(LOW, HIGH, "9S"), a, b, backwards, stock_end="reshuffle", max_turns=35)
    assert (record.ending, record.turns) == ("stalled", 35)
    # All 31 drawn and thrown: 32 in the pile, 31 become the stock, of which four more were drawn.
    (old,) = given
    assert len(old) == 31
    assert old[0] == card("9S")
    after = views(b, "draw")[-2]
    assert (after.stock_left, len(after.discards)) == (31, 1)
    drawn = [c for _, what, c in record.log if what == "stock"]
    assert drawn[31:] == old[::-1][:4]


def test_redraw_ban() -> None:
    a = Scripted(draws=[1], discards=cards("9S"))
    with pytest.raises(AssertionError, match="illegal discard"):
        play(stack(LOW, HIGH, "9S"), a, Scripted())
    assert views(a, "discard")[0].banned == hand("9S")
    a = Scripted(draws=[1], discards=cards("9S"))
    record = play(stack(LOW, HIGH, "9S"), a, Scripted(), redraw_ban=False)
    assert moves(record, 2) == ["0 take 9S", "0 discard 9S"]
    assert not views(a, "discard")[0].banned


def test_knock_may_be_declined_and_is_asked_again() -> None:
    a = Scripted(knocks=[0, 1])
    record = play(stack(KNOCK_7, HIGH.replace("5D", "9D").replace("QC", "6D"), "9S"), a, Scripted())
    asked = views(a, "knock")
    assert [v.turn for v in asked] == [0, 1]
    assert (asked[0].deadwood, asked[0].chosen) == (7, asked[0].drawn)
    assert (record.ending, record.winner, record.knocker, record.turns) == ("knock", 0, 0, 3)
    assert record.knocker_deadwood == 7
    # The discard has left the hand and is not yet on the pile.
    assert asked[0].chosen not in asked[0].hand
    assert asked[0].discards == (card("9S"),)


def test_knock_limits() -> None:
    held, other = "3S 3H 3D 6C 7C 8C AD 2S 2H 9H", "AS 4S 7S 4H 8H JH JD 5D QC KD"  # 14
    for limit, asked in [(10, False), (13, False), (14, True), (100, True)]:
        a = Scripted(knocks=[1])
        record = play(stack(held, other, "9S", "KS"), a, Scripted(), knock_limit=limit)
        assert bool(views(a, "knock")) == asked
        assert record.ending == ("knock" if asked else "dead")


def test_straight_gin_takes_only_gin() -> None:
    a = Scripted(knocks=[1])
    assert play(stack(KNOCK_7, TIE_7, "9S", "AH"), a, Scripted(), knock_limit=0).ending == "dead"
    record = play(stack(GIN, HIGH.replace("2H", "KC"), "QD", "KS"), a, Scripted(), knock_limit=0)
    assert (record.ending, record.winner, record.turns) == ("gin", 0, 1)


@pytest.mark.parametrize("least", [0, 1, 2])
def test_turns_before_a_knock_count_own_full_turns(least: int) -> None:
    other = HIGH.replace("2H", "KC")
    a = Scripted(knocks=[1])
    record = play(stack(GIN, other, "QD", "KS"), a, Scripted(), min_turns_before_knock=least)
    assert (record.ending, record.turns) == ("gin", 2 * least + 1)
    # The dealer who took the upcard has had a turn; the starter's refusal was none.
    b = Scripted(draws=[1], knocks=[1], discards=cards("JD"))
    record = play(stack(other, GIN, "JD"), Scripted(), b, min_turns_before_knock=least, redraw_ban=False)
    assert views(b, "knock")[0].turn == least


def test_gin_is_never_undercut_and_pays_its_bonus_against_nothing() -> None:
    other = "AS 2S 3S 10D 10C 10S KD KC KS KH"
    record = play(stack(GIN, other, "QD", "JS"), Scripted(knocks=[1]), Scripted())
    assert (record.ending, record.winner, record.points, record.defender_after) == ("gin", 0, 25, 0)


def test_lay_off_on_gin_only_as_an_option() -> None:
    other = "4H 8C 4S 7S 8H JH 3D 5D QC KD"
    assert melds.deadwood(hand(other)) == 69
    for option, points_won in [(False, 25 + 69), (True, 25 + 57)]:
        record = play(stack(GIN, other, "QD", "KS"), Scripted(knocks=[1]), Scripted(), layoff_on_gin=option)
        assert (record.points, record.laid_off) == (points_won, frozenset({12 if option else 0}))


@pytest.mark.parametrize(
    ("tie", "expect"),
    [("undercut", ("undercut", 1, 25)), ("push", ("push", None, 0)), ("knocker", ("knock", 0, 0))],
)
def test_ties(tie: str, expect: tuple[str, int | None, int]) -> None:
    record = play(stack(KNOCK_7, TIE_7, "9S", "AH"), Scripted(knocks=[1]), Scripted(), tie=tie)
    assert (record.ending, record.winner, record.points) == expect
    assert record.possible == {expect}
    assert record.knocker == 0


def test_lay_offs_and_undercut() -> None:
    # QC goes onto the queens or the run; 8C would fit below the run but is needed with the other eights.
    other = "2S 3S 4S 8H 8D 8C KS KD KH QC"
    record = play(stack(KNOCK_7, other, "9S", "AH"), Scripted(knocks=[1]), Scripted())
    assert (record.ending, record.winner, record.points) == ("undercut", 1, 25 + 7)
    assert (record.defender_before, record.defender_after, record.laid_off) == (10, 0, frozenset({10}))
    record = play(stack(KNOCK_7, other, "9S", "AH"), Scripted(knocks=[1]), Scripted(), layoff="none")
    assert (record.ending, record.points) == ("knock", 3)


def test_oklahoma_and_spades_double() -> None:
    a = Scripted(knocks=[1])
    changes: dict[str, Any] = {"oklahoma": True, "spades_double": True}
    record = play(stack(KNOCK_7, TIE_7, "6S", "AH"), a, Scripted(), **changes)
    assert views(a, "draw")[0].limit == 6
    assert not views(a, "knock")
    assert record.ending == "dead"
    record = play(stack(KNOCK_7, TIE_7, "9S", "AH"), a, Scripted(), **changes)
    assert (record.ending, record.points) == ("undercut", 50)
    record = play(stack(KNOCK_7, TIE_7, "9D", "AH"), Scripted(knocks=[1]), Scripted(), **changes)
    assert (record.ending, record.points) == ("undercut", 25)


def test_big_gin() -> None:
    other = HIGH.replace("2H", "KC")
    deck = stack(GIN, other, "8C", "KS")
    record = play(deck, Scripted(draws=[1], knocks=[1]), Scripted(), big_gin_bonus=31)
    assert (record.ending, record.winner, record.turns) == ("big_gin", 0, 1)
    assert record.points == 31 + melds.deadwood(hand(other))
    assert record.knocker_deadwood == 0
    # Declined, it is an ordinary turn that may still end in gin.
    a = Scripted(draws=[1], discards=cards("9C"), knocks=[0, 1])
    record = play(deck, a, Scripted(), big_gin_bonus=31)
    assert record.ending == "gin"
    assert [(v.chosen, v.deadwood) for v in views(a, "knock")] == [(None, 0), (card("9C"), 0)]
    # Not asked where it is off or too early.
    for changes in ({"big_gin_bonus": None}, {"big_gin_bonus": 31, "min_turns_before_knock": 1}):
        a = Scripted(draws=[1], discards=cards("9C"), knocks=[0])
        play(deck, a, Scripted(), max_turns=1, **changes)
        assert all(v.chosen is not None for v in views(a, "knock"))


def test_big_gin_lay_off() -> None:
    other = "4H 8D 4S 7S 8H JH 3D 5D QC KD"
    for option, saved in [(False, 0), (True, 4)]:
        a = Scripted(draws=[1], knocks=[1])
        record = play(stack(GIN, other, "8C"), a, Scripted(), big_gin_bonus=31, layoff_on_gin=option)
        assert record.points == 31 + 69 - saved


def test_eleven_card_start() -> None:
    changes: dict[str, Any] = {"eleven_card_start": True, "upcard_offer": False}
    a, b = Scripted(discards=cards("KS")), Scripted(draws=[1], discards=cards("KD"))
    record = play(stack(LOW + " KS", HIGH, "10H"), a, b, **changes)
    assert moves(record, 5) == ["0 discard KS", "1 take KS", "1 discard KD", "0 refuse KD", "0 stock 10H"]
    first = views(a, "discard")[0]
    assert (first.drawn, first.upcard, first.stock_left, len(first.hand)) == (None, None, 31, 11)
    # The first discard is no full turn, and neither a knock nor big gin may come with it.
    gin = stack(GIN + " 8C", HIGH.replace("2H", "KC"))
    for least, turns in ((0, 3), (1, 5), (2, 7)):
        a = Scripted(knocks=[1], discards=cards("9C"))
        record = play(gin, a, Scripted(), min_turns_before_knock=least, **changes)
        assert (record.ending, record.turns) == ("gin", turns)
    a = Scripted(knocks=[1], discards=cards("9C"))
    record = play(gin, a, Scripted(), big_gin_bonus=31, **changes)
    assert (record.ending, record.turns, record.log[0][1]) == ("gin", 3, "discard")


class TestLastDiscard:
    """After 29 turns from the stock the dealer faces the wall; the starter's last discard is KH."""

    held = "AH 2H 3H 5C 6C 7C KD KS 4D 2S"  # KH would leave 6, or 2 without 4D

    def run(self, b: Scripted, last: str = "KH", dealer: str = held, **changes: Any) -> Record:
        starter = "8D JD 9S QS QC 7S AC 10H 4C " + ("KH" if last == "KH" else "6D")
        a = Scripted(discards=[])
        a.discard = lambda view: card(last) if view.stock_left == 2 else view.drawn  # type: ignore[method-assign, assignment, return-value]
        return play(stack(starter, dealer, "3S"), a, b, stock_end="last_discard", **changes)

    def test_taken_to_knock(self) -> None:
        b = Scripted(draws=[0] * 15 + [1], discards=[], knocks=[])
        b.discard = lambda view: card("4D") if view.wall else view.drawn  # type: ignore[method-assign, assignment, return-value]
        record = self.run(b)
        assert record.log[-3:] == [(1, "take", card("KH")), (1, "discard", card("4D")), (1, "knock", None)]
        assert (record.knocker, record.knocker_deadwood, record.turns) == (1, 2, 30)
        assert record.upcards == (0, 1)

    def test_only_discards_that_allow_the_knock(self) -> None:
        b = Scripted(draws=[0] * 15 + [1])
        self.run(b)
        wall = views(b, "draw")[-1], views(b, "discard")[-1]
        assert all(v.wall for v in wall)
        assert not any(v.wall for _, v in b.seen[:-2])
        kept = hand(self.held) | {card("KH")}
        assert kept - wall[1].banned == {c for c in kept - {card("KH")} if melds.deadwood(kept - {c}) <= 10}

    def test_refused(self) -> None:
        b = Scripted()
        assert self.run(b).ending == "dead"
        assert views(b, "draw")[-1].wall

    def test_big_gin_at_the_wall(self) -> None:
        b = Scripted(draws=[0] * 15 + [1])
        b.knock = lambda view: view.wall  # type: ignore[method-assign]
        record = self.run(b, dealer="AH 2H 3H 4H 5C 6C 7C 8C KS KC", knock_limit=0, big_gin_bonus=31)
        assert (record.ending, record.winner, record.turns) == ("big_gin", 1, 30)

    def test_the_last_discard_may_be_taken_for_big_gin_alone(self) -> None:
        rules: dict[str, Any] = {"hand_size": 5, "ranks": 6, "knock_limit": 0, "stock_end": "last_discard"}
        dealt, last = cards("2S 3S 4S 6H 6D AH AD 5S 5D 5C"), card("AS")
        rest = [c for c in full_deck(pack_of(house(**rules))) if c not in (*dealt, last)]
        rest.insert(11, last)  # the starter draws it on the last of 11 turns from the stock
        for bonus, takes, turns in ((31, True, 12), (31, False, 11), (None, True, 11)):
            record = play([*dealt, *rest], Scripted(), Scripted(draws=[0] * 6 + [takes]), big_gin_bonus=bonus, **rules)
            assert (record.ending, record.winner) == (("big_gin", 1) if turns == 12 else ("dead", None))
            assert record.turns == turns

    def test_useless_card_or_too_early(self) -> None:
        b = Scripted(draws=[0] * 15 + [1])
        assert self.run(b, last="6D", dealer="AD 4S 7H 2C 8H JH 3D 5H QH KD").ending == "dead"
        assert not any(v.wall for v in views(b, "draw"))
        assert self.run(Scripted(draws=[0] * 15 + [1]), min_turns_before_knock=15).ending == "dead"
        assert self.run(Scripted(draws=[0] * 15 + [1]), min_turns_before_knock=14).ending != "dead"


def test_a_view_hides_the_opponents_cards() -> None:
    rules = house()
    for index in range(20):
        watchers = [Scripted(draws=[i % 3 == 0 for i in range(40)]) for _ in range(2)]
        play_hand(rng.deck(1, index), rules, 0, watchers)
        for watcher in watchers:
            for _, view in watcher.seen:
                assert view.opponent_known <= frozenset(full_deck()) - view.hand - set(view.discards)


# Strategies


def shown(held: str, upcard: str | None = None, **more: Any) -> View:
    nothing: dict[str, Any] = dict.fromkeys(
        ("discards", "opponent_refused", "own_discards", "opponent_discards"), ()
    )
    facts = {"turn": 0, "stock_left": 20, "limit": 10, "starter": True, "opponent_known": frozenset()}
    upper = card(upcard) if upcard else None
    return View(**(nothing | facts | {"rules": house(), "hand": hand(held), "upcard": upper} | more))


def stream() -> rng.Stream:
    return rng.Stream(1, 2, rng.STARTER_LANE)


def test_draw_decisions() -> None:
    # JD makes a run of JD QD KD, but at the price of the kings: a meld, no gain.
    held = "KS KH KD QD AS 2H 3C AC 5H 7C"
    assert Threshold(stream(), draw="meld").draw(shown(held, "JD"))
    assert not Threshold(stream(), draw="strict").draw(shown(held, "JD"))
    # An ace for a nine: no meld, less deadwood.
    assert not Threshold(stream(), draw="meld").draw(shown("4D 4H 4S 7C 7D 7H AS 3C 5H 9C", "AC"))
    assert Threshold(stream(), draw="strict").draw(shown("4D 4H 4S 7C 7D 7H AS 3C 5H 9C", "AC"))
    assert not Threshold(stream(), draw="never").draw(shown(held, "QS"))


def test_discard_decisions() -> None:
    held = "4D 4H 4S 7C 7D 7H AS 3C KH KC 10D"
    best = {card("KH"), card("KC"), card("10D")}
    assert Threshold(stream(), discard="highest").discard(shown(held)) == card("KC")
    assert {Threshold(rng.Stream(1, i, 1)).discard(shown(held)) for i in range(50)} == best
    picker = Threshold(stream())
    before = picker.stream.state
    assert picker.discard(shown(held.replace("KH", "9H").replace("10D", "9D"))) == card("KC")
    assert picker.stream.state == before, "a single candidate costs no random number"
    assert Threshold(stream()).discard(shown(held, banned=hand("KH KC"))) == card("10D")


def test_knock_thresholds() -> None:
    player = Threshold(stream(), knock=[10, 6, 2])
    assert [player.knock(shown("AS", deadwood=5, turn=t)) for t in (0, 1, 2, 7)] == [True, True, False, False]
    assert Simple(stream()).knock(shown("AS", deadwood=10))


def test_simple_never_repeats_a_pair() -> None:
    held = "4D 4H 4S 7C 7D 7H AS 3C KH 2D 5H"
    player = Simple(stream())
    view = shown(held, drawn=card("AS"))
    first, second = player.discard(view), player.discard(view)
    assert (first, second) == (card("KH"), card("5H"))
    assert player.discard(shown(held, drawn=card("3C"))) == card("KH")
    for _ in range(9):
        player.discard(view)
    assert player.discard(view) == card("KH"), "with every pair used up the rule is void"


# Random streams


def test_streams() -> None:
    assert sorted(rng.deck(5, 6)) == sorted(full_deck())
    assert rng.deck(5, 6) != rng.deck(5, 7) != rng.deck(6, 7)
    assert all(0 <= rng.Stream(5, 6, 1).below(n) < n for n in range(1, 50))
    a, b = rng.streams(5, 6, starter=1)
    assert a.state == rng.Stream(5, 6, rng.DEALER_LANE).state
    assert b.state == rng.Stream(5, 6, rng.STARTER_LANE).state


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 8, 20, 26, 52])
def test_shuffle_is_the_engines(size: int) -> None:
    np = pytest.importorskip("numpy")
    deals = pytest.importorskip("ginsim.deals")
    for index in range(20):
        mine = rng.Stream(3, index, rng.RESHUFFLE_LANE)
        array = np.arange(size)
        state = deals.shuffle(array, 0, size, np.uint64(deals.stream(3, index, deals.RESHUFFLE_LANE)))
        assert mine.shuffled(list(range(size))) == array.tolist()
        assert mine.state == int(state)


# Games


def test_next_dealer() -> None:
    results: list[scoring.Result] = [(0, 5), (None, 0), (1, 3), (1, 2)]
    assert scoring.dealers(results, 0, "alternate") == [0, 1, 1, 0, 1]
    assert scoring.dealers(results, 0, "loser") == [0, 1, 1, 0, 0]
    assert scoring.dealers(results, 0, "winner") == [0, 0, 0, 1, 1]


def test_the_undercutter_may_cross_the_target() -> None:
    got = scoring.play_game([(0, 95), (1, 99), (1, 30)], house())
    assert (got.winner, got.totals) == (1, [95 + 25, 129 + 50 + 100])


def test_third_column_may_count_double() -> None:
    hands: list[scoring.Result] = [(0, 100)] * 3
    single = scoring.play_hollywood(hands, house()).net[0]
    double = scoring.play_hollywood(hands, house(third_column_double=True)).net[0]
    assert double - single == 100 + 100 + 25


# The oracle plays


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"layoff": "after_melds", "min_turns_before_knock": 1},
        {"wrap": True, "ace_value": 15, "layoff_on_gin": True, "big_gin_bonus": 31},
        {"eleven_card_start": True, "upcard_offer": False, "stock_end": "reshuffle", "knock_limit": 0},
        {"oklahoma": True, "spades_double": True, "stock_end": "last_discard", "redraw_ban": False},
        {"ranks": 5, "hand_size": 7, "stock_end": "reshuffle", "tie": "push"},
        {"suits": 2, "hand_size": 7, "knock_limit": 30, "stock_end": "dead_at_0"},
    ],
)
def test_whole_hands(changes: dict[str, Any]) -> None:
    rules = house(**changes)
    pack = Pack(rules.ranks, rules.suits, rules.wrap, rules.ace_value)
    for index in range(12):
        starter = index % 2
        one, two = rng.streams(9, index, starter)
        strict = Threshold(one, knock=[4, 10], draw="strict", discard="highest")
        other = Random(two) if index < 6 else Simple(two)
        record = play_hand(
            rng.deck(9, index, pack), rules, starter, [strict, other], rng.reshuffler(9, index)
        )
        assert (record.ending, record.winner, record.points) in record.possible
        assert record.turns <= rules.max_turns
        if record.knocker is not None and record.ending not in {"gin", "big_gin"}:
            assert 0 < (record.knocker_deadwood or 0) <= max(rules.knock_limit, 10)


def test_identical_strategies_cancel_over_a_pair_of_deals() -> None:
    rules, total = house(), 0
    for index in range(10):
        for starter in (0, 1):
            one, two = rng.streams(4, index, starter)
            record = play_hand(rng.deck(4, index), rules, starter, [Simple(one), Simple(two)])
            total += 0 if record.winner is None else record.points * (1 - 2 * record.winner)
    assert total == 0
