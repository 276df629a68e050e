"""The slow table game: the worked cases, a scripted turn for every sentence of its rules, and checks of itself."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.cards import Card, Pack, card, cards, full_deck, hand, pack_of
from tests.oracle.melds import all_melds, is_meld
from tests.oracle.table import (
    HAND_SIZES,
    After,
    Drawn,
    Entry,
    Game,
    IllegalError,
    LayOff,
    Melds,
    NewMeld,
    Position,
    Record,
    Turn,
    can_end,
    claims,
    counted,
    deal,
    draw,
    ends,
    is_end,
    legal_depths,
    score,
    summary,
    take_turn,
)
from tests.oracle.table_players import Anything, Scripted
from tests.oracle.table_positions import OPTIONS, house, some_position

CASES = {c["id"]: c for c in json.loads((Path(__file__).parent / "data" / "cases.json").read_text())["cases"]}


def meld(text: str) -> NewMeld:
    return NewMeld(hand(text))


def off(text: str, place: int = 0) -> LayOff:
    return LayOff(card(text), place)


def table(*texts: str) -> Melds:
    return tuple(hand(text) for text in texts)


def at(held: str, melds: Sequence[str] = (), pile: str = "KD", top: str | None = "2C", **changes: Any) -> Position:
    return Position(house(**changes), hand(held), table(*melds), tuple(cards(pile)), card(top) if top else None)


def turn(depth: int, *plays: NewMeld | LayOff, discard: str | None = None) -> Turn:
    return Turn(depth, plays, card(discard) if discard else None)


def refused(position: Position, attempt: Turn) -> str:
    with pytest.raises(IllegalError) as caught:
        take_turn(position, attempt)
    return str(caught.value)


def discards(drawn: Drawn) -> set[Card | None]:
    """That may end the turn if nothing is melded or laid off."""
    return {after.discard for after, end in ends(drawn).items() if not end.plays}


def steps(record: Record) -> list[str]:
    return [f"{entry.kind} {entry.seat}" for entry in record.log]


def game(
    hands: Sequence[str], stock: str, pile: str, players: Sequence[Scripted], melds: Sequence[str] = (), **more: Any
) -> Game:
    reshuffle = more.pop("reshuffle", list)
    return Game([hand(h) for h in hands], cards(stock), cards(pile), house(**more), players, reshuffle, table(*melds))


# Worked cases


def test_multi_draw_by_depth() -> None:
    for name in ("T1", "T2"):
        state, expect = CASES[name]["state"], CASES[name]["expect"]["legal_k"]
        position = at(" ".join(state["hand"]), pile=" ".join(state["pile_bottom_to_top"]), top="JH")
        legal = legal_depths(position)
        assert {k: int(k) in legal for k in expect} == expect


def test_a_single_card_from_the_pile() -> None:
    state, expect = CASES["T6"]["state"], CASES["T6"]["expect"]
    drawn = draw(at(" ".join(state["hand"]), pile=" ".join(state["pile_bottom_to_top"])), 1)
    assert discards(drawn) == set(cards(expect["legal_discards"]))


def test_claims_by_lay_off_and_by_a_new_meld() -> None:
    for name, way in [("T7", off("7H", 0)), ("T8", meld("9S 9C 9D"))]:
        state, expect = CASES[name]["state"], CASES[name]["expect"]
        held, melds = hand(state["hand"]), table(*map(" ".join, state["table"]))
        assert claims(house(), held, melds, card(state["discard"])) == [way]
        hands = ["KS KC " + state["discard"], " ".join(state["hand"])]
        players = [Scripted([turn(0, discard=state["discard"])]), Scripted([], [way])]
        played = game(hands, "3D 3C", "JD", players, map_texts(state["table"]), max_turns=1)
        record = played.play()
        assert len(record.hands[1]) == expect["hand_size_after"]
        assert played.pile == cards("JD")


def map_texts(melds: Sequence[Sequence[str]]) -> list[str]:
    return [" ".join(m) for m in melds]


def test_priority_of_claims() -> None:
    state, expect = CASES["T11"]["state"], CASES["T11"]["expect"]
    nines = {0: "9D KS KC", 1: "2S 2H 5D", 2: "9S 9C 5H", 3: "7D 8D 6H"}
    assert state["able"] == [s for s in (1, 2, 3) if claims(house(), hand(nines[s]), (), card("9D"))]
    players = [Scripted([turn(0, discard="9D")]), *(Scripted([], [None]) for _ in range(3))]
    players[2].claims = [meld("9S 9C 9D")]
    g = game([nines[s] for s in range(4)], "4S 4H 4C 4D", "QD", players, max_turns=2)
    record = g.play()
    assert steps(record) == ["turn 0", f"claim {expect['claimer']}", f"turn {expect['next_turn']}"]
    assert not players[3].asked, "asked although another claimed"
    # The next in turn order if the first passes.
    players = [Scripted([turn(0, discard="9D")]), Scripted(), Scripted([], [None]), Scripted([], [meld("7D 8D 9D")])]
    record = game([nines[s] for s in range(4)], "4S 4H 4C 4D", "QD", players, max_turns=1).play()
    assert steps(record) == ["turn 0", "claim 3"]
    assert record.melds == table("7D 8D 9D")


def test_out_by_the_final_discard() -> None:
    case = CASES["T12"]
    assert (case["state"]["hand_after_draw"], case["expect"]["discard"]) == (["5S", "5D", "5C", "KH"], "KH")
    other = Scripted([], [meld("KS KD KH")])
    record = game(["5S 5D 5C", "KS KD 2H"], "KH 3D", "JD", [Scripted([turn(0, meld("5S 5D 5C"), discard="KH")]), other]).play()
    assert (record.ending, record.winner, record.scores) == ("discard", 0, [22, -22])
    assert not other.asked
    assert case["expect"]["claim_window"] is False


def test_the_top_discard_is_kept() -> None:
    state, expect = CASES["T14"]["state"], CASES["T14"]["expect"]
    given: list[list[Card]] = []
    players = [Scripted([turn(0, discard="5S")]), Scripted()]
    pile = " ".join(state["pile_bottom_to_top"])
    g = game(["5S 7D", "5D 7C"], "", pile, players, max_turns=1, reshuffle=lambda old: given.append(old) or old[::-1])
    record = g.play()
    assert sorted(given[0]) == sorted(cards(expect["stock_multiset"]))
    assert players[0].views[0].pile == tuple(cards(expect["pile"]))
    assert record.log == [Entry("turn", 0, 0, hand("9D"), card("5S"), True, ())]
    assert (record.reshuffles, g.stock) == (1, cards("2C"))


def test_a_card_that_fits_two_melds() -> None:
    case = CASES["T16"]
    position = at(" ".join(case["state"]["hand"]), map_texts(case["state"]["table"]), top="JD")
    for choice in case["expect"]["choices"]:
        _, melds, _ = take_turn(position, turn(0, off("6H", choice), discard="2C"))
        assert len(melds) == 2
        assert melds[choice] == position.melds[choice] | {card("6H")}
    first = take_turn(position, turn(0, off("6H", 0), discard="2C"))[1]
    assert first == table(*map_texts(case["expect"]["table_after_choice_0"]))


def test_deal_sizes() -> None:
    expect = CASES["T17"]["expect"]
    for players in range(2, 7):
        hands, stock, pile = deal(full_deck(), players)
        assert {len(h) for h in hands} == {expect["deal"][str(players)]} == {HAND_SIZES[players]}
        assert (len(stock), len(pile)) == (expect["stock"][str(players)], 1)
        assert sorted([*stock, *pile, *(c for h in hands for c in h)]) == sorted(full_deck())


# Melds


def test_number_of_melds() -> None:
    assert len(all_melds(Pack(wrap=True))) == 589
    assert len(all_melds(Pack(wrap=False))) == 329


@pytest.mark.parametrize(
    ("text", "without", "wrap"),
    [
        ("KS AS 2S", False, True),
        ("QS KS AS", False, True),
        ("JS QS KS AS 2S", False, True),
        ("AS 2S 3S", True, True),
        ("KS AS", False, False),
        ("KS AS 3S", False, False),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", True, True),
        ("AS 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS", False, True),
        ("7S 7H 7D 7C", True, True),
        ("7S 7H", False, False),
        ("4S 5S 6H", False, False),
    ],
)
def test_wrap(text: str, without: bool, wrap: bool) -> None:
    for option, legal in [(False, without), (True, wrap)]:
        position = at(text + " 9D 9H", wrap=option)
        attempt = turn(0, meld(text), discard="9D")
        if legal:
            assert take_turn(position, attempt)[1] == table(text)
        else:
            assert refused(position, attempt) == "no meld"


def test_melds_grow_at_either_end_and_round_the_corner() -> None:
    position = at("7H 3H 8H 9D 2H", ["4H 5H 6H"])
    _, melds, _ = take_turn(position, turn(0, off("3H"), off("7H"), off("8H"), off("2H"), discard="9D"))
    assert melds == table("2H 3H 4H 5H 6H 7H 8H")
    assert refused(position, turn(0, off("8H"), off("7H"), discard="9D")) == "the card does not fit"
    position = at("2H 9D 4C", ["QH KH AH"])
    assert take_turn(position, turn(0, off("2H"), discard="9D"))[1] == table("QH KH AH 2H")
    position = at("AH 2H 9D", ["JH QH KH"], wrap=False)
    assert refused(position, turn(0, off("AH"), discard="9D")) == "the card does not fit"
    # The last card of the circle fits at both ends; nothing fits a whole one, nor a full set.
    long = "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH"
    assert take_turn(at("KH 9D", [long]), turn(0, off("KH"), discard="9D"))[1] == table(long + " KH")
    full = [long + " KH", "5S 5H 5D 5C"]
    assert {e.old for e in ends(draw(at("4D 9D", full), 0))} == {table(*full)}


def test_a_set_takes_its_fourth_card_only() -> None:
    assert take_turn(at("5C 9D 8D", ["5S 5H 5D"]), turn(0, off("5C"), discard="9D"))[1] == table("5S 5H 5D 5C")
    assert refused(at("6D 9D 8D", ["5S 5H 5D"]), turn(0, off("6D"), discard="9D")) == "the card does not fit"


def test_melds_never_merge() -> None:
    # 6H closes the gap, and still 7H may not follow 6H out of the other run.
    position = at("6H 2H 9D 10H", ["3H 4H 5H", "7H 8H 9H"])
    after = take_turn(position, turn(0, off("6H", 1), off("10H", 1), discard="9D"))
    assert after[1] == table("3H 4H 5H", "6H 7H 8H 9H 10H")
    assert refused(position, turn(0, off("6H", 0), off("10H", 0), discard="9D")) == "the card does not fit"
    # A new run of the same cards' neighbours is a meld of its own.
    position = at("6H 7H 8H 9D", ["3H 4H 5H"])
    assert take_turn(position, turn(0, meld("6H 7H 8H"), discard="9D"))[1] == table("3H 4H 5H", "6H 7H 8H")


# Draw


def test_depths() -> None:
    assert at("5S 9D", pile="3D QC").depths == [0, 1, 2]
    assert at("5S 9D", pile="3D QC 4C 5C 6C 7C").depths == [0, 1, 2, 3, 4, 5]
    assert at("5S 9D", pile="3D QC 4C 5C 6C 7C", max_pile_draw=2).depths == [0, 1, 2]
    assert at("5S 9D", pile="", top="2C").depths == [0]
    assert at("5S 9D", pile="3D", top=None).depths == [1]
    assert refused(at("5S 9D", pile="3D"), turn(2, discard="5S")) == "2 cards cannot be drawn"
    assert refused(at("5S 9D", pile="3D", top=None), turn(0, discard="5S")) == "0 cards cannot be drawn"


def test_the_deepest_card_must_be_used() -> None:
    position = at("8C 9C 5H QD", pile="7C KD 2S")
    assert take_turn(position, turn(3, meld("7C 8C 9C"), discard="5H")) == (hand("QD KD 2S"), table("7C 8C 9C"), (card("5H"),))
    assert refused(position, turn(3, discard="5H")) == "the deepest card taken is neither melded nor laid off"
    assert refused(position, turn(2, discard="5H")) == "the deepest card taken is neither melded nor laid off"
    assert take_turn(position, turn(1, discard="5H"))[0] == hand("8C 9C QD 2S")


def test_a_lay_off_meets_the_obligation() -> None:
    position = at("5H QD", ["8C 9C 10C"], pile="7C KD")
    assert legal_depths(position) == [0, 1, 2]
    assert take_turn(position, turn(2, off("7C"), discard="5H")) == (hand("QD KD"), table("7C 8C 9C 10C"), (card("5H"),))
    # In a chain: 6C fits behind the 7C of the hand, or behind one taken with it.
    assert legal_depths(at("5H 7C", ["8C 9C 10C"], pile="6C KD")) == [0, 1, 2]
    assert legal_depths(at("5H QD", ["8C 9C 10C"], pile="6C 7C")) == [0, 1, 2]
    # On a meld made this turn, with cards taken along.
    position = at("7S 7H 5H QD", pile="6D 7D 8D", max_pile_draw=3)
    assert take_turn(position, turn(3, meld("6D 7D 8D"), discard="5H"))[0] == hand("7S 7H QD")
    position = at("7S 7H 5H QD", pile="7C 7D")
    assert take_turn(position, turn(2, meld("7S 7H 7D"), off("7C", 0), discard="5H"))[1] == table("7S 7H 7D 7C")


def test_a_draw_needs_a_complete_turn_after_it() -> None:
    # 7C could be melded, but then only cards of the pile are left, which may not be discarded.
    assert legal_depths(at("8C 9C", pile="7C KD")) == [0, 1]
    assert legal_depths(at("8C 9C", pile="7C KD", pile_discard_ban="only_if_single")) == [0, 1, 2]
    assert legal_depths(at("8C 9C", pile="7C 10C")) == [0, 1, 2]
    assert legal_depths(at("8C 9C", pile="7C 10C", out_mode="discard_required")) == [0, 1]
    assert legal_depths(at("8C 9C KD", pile="7C 10C", out_mode="meld_only")) == [0, 1, 2]
    # Two lay-offs and the discard leave the QC; three would leave only the card to discard.
    assert legal_depths(at("6H KD", ["3H 4H 5H"], pile="7H QC", out_mode="meld_only")) == [0, 1, 2]
    assert legal_depths(at("6H KD", ["2H 3H 4H"], pile="7H 5H", out_mode="meld_only")) == [0, 1]
    # 7C and 10C melded, KD would be the last card; without 10C it stays.
    assert legal_depths(at("8C 9C KD", pile="7C", out_mode="meld_only")) == [0, 1]
    drawn = draw(at("8C 9C KD", pile="7C", out_mode="meld_only"), 1)
    assert {e.discard for e in ends(drawn)} == set(cards("8C 9C KD"))
    assert not any(e.new for e in ends(drawn))


# Play and discard


def test_nothing_is_compulsory() -> None:
    position = at("4S 4H 4D 9D", ["4C 5C 6C"], top="7C")
    assert take_turn(position, turn(0, discard="9D"))[0] == hand("4S 4H 4D 7C")
    assert take_turn(position, turn(0, off("7C"), discard="4D"))[0] == hand("4S 4H 9D")


def test_any_number_of_melds_and_lay_offs() -> None:
    position = at("4S 4H 4D 9S 9H 9D KD 3C 8C", ["4C 5C 6C"], pile="KS", top="7C")
    attempt = turn(0, off("3C"), meld("4S 4H 4D"), meld("9S 9H 9D"), off("7C"), off("8C"), discard="KD")
    held, melds, pile = take_turn(position, attempt)
    assert (held, pile) == (frozenset(), tuple(cards("KS KD")))
    assert melds == table("3C 4C 5C 6C 7C 8C", "4S 4H 4D", "9S 9H 9D")


def test_cards_must_be_in_hand() -> None:
    position = at("4S 4H 9D 3C", ["5C 6C 7C"])
    assert refused(position, turn(0, meld("4S 4H 4D"), discard="9D")) == "cards not in hand"
    assert refused(position, turn(0, off("4C"), discard="9D")) == "card not in hand"
    assert refused(position, turn(0, off("3C", 1), discard="9D")) == "no such meld on the table"
    assert refused(position, turn(0, off("3C", -1), discard="9D")) == "no such meld on the table"
    assert refused(position, turn(0, discard="KC")) == "the discard is not in hand"
    assert refused(position, turn(0)) == "a card must be discarded"
    # A card is in one meld at most.
    position = at("4S 4H 4D 5D 6D 9D")
    assert refused(position, turn(0, meld("4S 4H 4D"), meld("4D 5D 6D"), discard="9D")) == "cards not in hand"
    assert refused(position, turn(0, meld("4S 4H 4D"), discard="4D")) == "the discard is not in hand"


def test_pile_discard_ban() -> None:
    held = "8C 9C 5H"
    for ban, allowed in [("all", {"5H"}), ("only_if_single", {"5H", "KD", "2S"})]:
        drawn = draw(at(held, pile="7C KD 2S", pile_discard_ban=ban), 3)
        assert {e.discard for e in ends(drawn) if e.new == {hand("7C 8C 9C")}} == {card(c) for c in allowed}
        drawn = draw(at(held, pile="7C KD 2S", pile_discard_ban=ban), 1)
        assert discards(drawn) == set(cards(held))
        drawn = draw(at(held, pile="7C KD 2S", top="QD", pile_discard_ban=ban), 0)
        assert discards(drawn) == set(cards(held + " QD"))


def test_a_pile_card_that_was_melded_cannot_be_discarded_either() -> None:
    position = at("7C 8C 5H", pile="9C")
    assert refused(position, turn(1, meld("7C 8C 9C"), discard="9C")) == "the discard is not in hand"
    assert refused(position, turn(1, discard="9C")) == "the discard was taken from the pile this turn"


# Claims


def test_a_claim_is_one_play_with_the_discard() -> None:
    held, melds = hand("7S 7H 9D 10D 3C"), table("5D 6D 7D", "8S 8H 8C")
    ways = claims(house(), held, melds, card("8D"))
    assert set(ways) == {off("8D", 0), off("8D", 1), meld("8D 9D 10D")}
    assert claims(house(), held, melds, card("7C")) == [meld("7S 7H 7C")]
    # No chain: 9D would have to come with it.
    assert claims(house(), held, table("6D 7D 8D"), card("10D")) == []
    # A meld of own cards alone, or a lay-off of another card, is no claim.
    assert claims(house(), hand("4S 4H 4D"), melds, card("KC")) == []
    assert claims(house(claims=False), held, melds, card("8D")) == []
    # Not only three cards.
    assert set(claims(house(), hand("7S 7H 7D"), (), card("7C"))) == {
        meld("7C 7S 7H"), meld("7C 7S 7D"), meld("7C 7H 7D"), meld("7S 7H 7D 7C"),
    }  # fmt: skip


def test_the_claimer_gets_no_turn_and_the_next_player_acts() -> None:
    players = [Scripted([turn(0, discard="9D")]), Scripted([], [meld("9S 9C 9D")]), Scripted()]
    record = game(["9D KS 2H", "9S 9C 4H 5S", "QS QH 3D"], "4S 5H 6C 7C", "10D", players, max_turns=3).play()
    assert steps(record) == ["turn 0", "claim 1", "turn 1", "turn 2"]
    assert record.log[1] == Entry("claim", 1, 0, hand("9D"), None, False, (hand("9S 9C 9D"),))
    # The claimed card is gone: the pile is what it was before the discard.
    assert players[1].views[0].pile == tuple(cards("10D"))


def test_what_a_claim_uncovers_and_the_upcard_cannot_be_claimed() -> None:
    # 9D would fit player 1's nines, as the upcard and when the claim of KH uncovers it.
    players = [Scripted([turn(0, discard="KH")]), Scripted([], [None]), Scripted([], [meld("KS KC KH")])]
    record = game(["KH 2S 2H", "9S 9C 4H", "KS KC 3D 4D"], "4S 5H 6C 7C", "9D", players, max_turns=2).play()
    assert players[1].asked == []
    assert steps(record) == ["turn 0", "claim 2", "turn 1"]
    assert players[1].offered == [[0, 1]], "it may still be drawn"


def test_the_discarder_is_not_asked() -> None:
    players = [Scripted([turn(0, discard="9D")]), Scripted()]
    record = game(["9D 9S 9C", "KS KC 3D"], "4S 5H", "10D", players, max_turns=1).play()
    assert not players[0].asked
    assert record.turns == 1


def test_no_claims() -> None:
    players = [Scripted([turn(0, discard="9D")]), Scripted([], [meld("9S 9C 9D")])]
    record = game(["9D KS 2H", "9S 9C 4H"], "4S 5H 6C 7C", "10D", players, max_turns=1, claims=False).play()
    assert not players[1].asked
    assert not record.melds


# Going out


def test_out_by_melding_all() -> None:
    players = [Scripted([turn(0, meld("5S 5D 5C"))]), Scripted()]
    record = game(["5S 5D", "KS QD 2H"], "5C 3D", "JD", players).play()
    assert (record.ending, record.winner, record.scores, record.turns) == ("meld", 0, [22, -22], 1)


def test_out_by_a_claim() -> None:
    for way, held, melds in [(off("7H"), "", ["4H 5H 6H"]), (meld("7H 7S 7C"), "7S 7C", [])]:
        first = Scripted([turn(0, discard="7H"), turn(0, discard="3D")])
        if held:
            players = [first, Scripted([], [way]), Scripted()]
            record = game(["7H KS 2H", held, "QD JC"], "3C 3D", "JD", players, melds).play()
            assert (record.ending, record.winner, record.scores) == ("claim", 1, [-15, 35, -20])
        else:  # a lay-off leaves the hand as it was, so it never ends one
            players = [first, Scripted([], [way])]
            record = game(["7H KS 2H", "QD"], "3C 3D", "JD", players, melds, max_turns=1).play()
            assert record.ending == "blocked"
            assert record.hands[1] == hand("QD")


@pytest.mark.parametrize(
    ("out_mode", "melding", "discarding"), [("either", True, True), ("meld_only", True, False), ("discard_required", False, True)]
)
def test_out_modes(out_mode: str, melding: bool, discarding: bool) -> None:
    drawn = draw(at("5S 5D 9H", top="5C", out_mode=out_mode), 0)
    assert is_end(drawn, hand("9H"), card("9H")) is discarding
    assert any(not e.left for e in ends(drawn)) is discarding
    drawn = draw(at("5S 5D", top="5C", out_mode=out_mode), 0)
    assert any(not e.left for e in ends(drawn)) is melding
    assert bool(claims(house(out_mode=out_mode), hand("5S 5D"), (), card("5C"))) is melding
    assert claims(house(out_mode=out_mode), hand("5S 5D 5H"), (), card("5C"))
    # A four-card claim would go out, a three-card claim would not.
    ways = claims(house(out_mode=out_mode), hand("5S 5D 5H"), (), card("5C"))
    assert len(ways) == 3 + melding


def test_a_last_card_in_hand_never_sticks() -> None:
    for out_mode, ban in product(("either", "meld_only", "discard_required"), ("all", "only_if_single")):
        for pile, top in [("KD", None), ("KD", "2C"), ("", "2C"), ("9D 8D 7D KD", "2C")]:
            position = at("5S", pile=pile, top=top, out_mode=out_mode, pile_discard_ban=ban)
            assert legal_depths(position)[0] == (0 if top else 1)


# The stock runs out


def test_with_one_pile_card_the_player_must_take_it() -> None:
    players = [Scripted([turn(1, discard="5S")]), Scripted([turn(1, discard="5D")])]
    record = game(["5S 7D", "5D 7C"], "", "KH", players, max_turns=2).play()
    assert players[0].offered == players[1].offered == [[1]]
    assert record.reshuffles == 0
    # Whether or not a reshuffle would be left.
    players = [Scripted([turn(1, discard="5S")]), Scripted()]
    assert game(["5S 7D", "5D 7C"], "", "KH", players, max_turns=1, max_reshuffles=0).play().turns == 1


def test_no_card_at_all_blocks() -> None:
    # The claim takes the only card of the pile.
    players = [Scripted([turn(1, discard="5S")]), Scripted([], [meld("5S 5D 5C")])]
    record = game(["5S 7D", "5D 5C 7C 2D"], "", "KH", players).play()
    assert (record.ending, record.winner, record.scores, record.turns) == ("blocked", None, [0, 0], 1)


def test_reshuffles_are_limited() -> None:
    for limit, turns in [(0, 2), (1, 4), (2, 6)]:
        players = [Scripted(), Scripted()]
        # Two cards in the stock, one pile card: after two turns three lie on the pile, two go back to the stock.
        record = game(["5S 7D", "5D 7C"], "2S 2H", "KH", players, max_reshuffles=limit).play()
        assert (record.ending, record.turns, record.reshuffles) == ("blocked", turns, limit)


def test_turns_are_limited() -> None:
    record = game(["5S 7D", "5D 7C"], "2S 2H 3S", "KH", [Scripted(), Scripted()], max_turns=3).play()
    assert (record.ending, record.turns) == ("blocked", 3)
    # The last turn may still end the hand, by a claim too.
    players = [Scripted([turn(0, discard="5S")]), Scripted([], [meld("5S 5D 5C")])]
    record = game(["5S 7D", "5D 5C"], "2S 2H 3S", "KH", players, max_turns=1).play()
    assert (record.ending, record.winner) == ("claim", 1)


def test_the_lowest_wins_a_blocked_hand() -> None:
    hands = ["KS QD", "2S 3D", "5D 7C"]
    record = game(hands, "", "", [Scripted() for _ in hands], blocked="lowest").play()
    assert (record.ending, record.winner, record.scores) == ("lowest", 1, [-20, 32, -12])
    tied = game([hands[0], hands[1], "2C 3C"], "", "", [Scripted() for _ in hands], blocked="lowest").play()
    assert (tied.ending, tied.winner, tied.scores) == ("blocked", None, [0, 0, 0])
    assert game(hands, "", "", [Scripted() for _ in hands]).play().scores == [0, 0, 0]


# Scoring


def test_counting() -> None:
    hands = [frozenset[Card](), hand("KS KD KC 2H"), hand("QD KD AD 3C")]
    assert [counted(h, house()) for h in hands] == [0, 2, 3]
    assert [counted(h, house(wrap=False)) for h in hands] == [0, 2, 24]
    assert [counted(h, house(count="all_in_hand")) for h in hands] == [0, 32, 24]
    assert score(hands, 0, house(count="all_in_hand", ace_value=15)) == [70, -32, -38]
    assert score(hands, 0, house()) == [5, -2, -3]


# The oracle against itself


def other_ends(drawn: Drawn) -> set[After]:
    """All legal ends by another way: every card is put anywhere, and the whole is looked at."""
    listed, old = sorted(drawn.hand), len(drawn.melds)
    places = range(old + 2 + len(listed) // 3)  # melds of the table, the discard, the hand, new melds
    found = set()
    for where in product(places, repeat=len(listed)):
        groups = [frozenset(c for c, place in zip(listed, where, strict=True) if place == here) for here in places]
        grown = tuple(m | more for m, more in zip(drawn.melds, groups, strict=False))
        discard, left, *others = groups[old:]
        new = frozenset(filter(None, others))
        if not all(is_meld(m, pack_of(drawn.rules)) for m in (*grown, *new)):
            continue
        if drawn.obligation in left | discard or discard & drawn.banned or len(discard) > 1 or (left and not discard):
            continue
        if not left and drawn.rules.out_mode == ("meld_only" if discard else "discard_required"):
            continue
        found.add(After(left, grown, new, next(iter(discard), None)))
    return found


def test_every_end_is_found_and_no_other() -> None:
    luck = random.Random(5)
    checked = deep = 0
    for i in range(400):
        position = some_position(luck)
        for depth in position.depths[0 if i < 60 else 2 :]:
            drawn = draw(position, depth)
            found = ends(drawn)
            if len(drawn.hand) <= 5:
                assert found.keys() == other_ends(drawn)
                checked += 1
                deep += depth > 1 and bool(found)
            for after, end in found.items():
                assert summary(drawn, end) == after
            assert can_end(drawn) == bool(found)
    assert (checked > 200, deep > 15) == (True, True)


def test_whole_hands() -> None:
    """The game checks itself at every turn: 52 cards, valid melds, a legal move, no score lost."""
    luck = random.Random(7)
    endings = set()
    for i in range(250):
        rules = house(
            **{option: luck.choice(values) for option, values in OPTIONS.items()},
            claims=luck.random() < 0.7,
            max_reshuffles=luck.choice([0, 1, 5]),
            max_turns=luck.choice([5, 400, 400]),
            blocked=luck.choice(["void", "lowest"]),
            count=luck.choice(["unmatched", "all_in_hand"]),
        )
        deck = luck.sample(full_deck(), 52)
        n = 2 + i % 5
        hands, stock, pile = deal(deck, n, luck.choice([None, 3]))
        record = Game(hands, stock, pile, rules, [Anything(luck.choice)] * n, lambda old: luck.sample(old, len(old))).play()
        endings.add((record.ending, rules.out_mode))
        assert record.turns <= rules.max_turns
        assert record.reshuffles <= rules.max_reshuffles
        assert sum(record.scores) == 0
        assert (record.winner is None) == (record.ending == "blocked")
        if record.ending in {"discard", "meld", "claim"}:
            assert [not h for h in record.hands].index(True) == record.winner
    out = [(ending, mode) for ending in ("discard", "meld", "claim") for mode in ("either", "meld_only", "discard_required")]
    never = {("discard", "meld_only"), ("meld", "discard_required"), ("claim", "discard_required")}
    assert endings >= set(out) - never
    assert not endings & never
    assert endings >= {("blocked", "either"), ("lowest", "either")}
