"""The published situations of the table game, and scripted turns for each paragraph of its rules."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from ginsim.cards import format_hand, parse_hand
from ginsim.errors import InputError
from ginsim.games.kernel import interpreted
from ginsim.games.table import hand as engine
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.hand import DECK, ENDED, FAILED, PLAYING, RECORD, STATE, X_HAND, new_table
from ginsim.games.table.position import claim_options, is_table_meld, lay_off_choices, legal_depths, legal_discards, position
from ginsim.games.table.rules import TableRules

CASES = {
    case["id"]: case
    for case in json.loads((Path(__file__).parent / "data" / "cases.json").read_text(encoding="utf-8"))["cases"]
    if case["kind"] == "s001"
}
NO_LOG = np.zeros((0, L.SIZE), np.int64)


class Table:
    """A scripted position: hands by seat, pile from the bottom, stock from the top."""

    def __init__(self, hands, pile="", stock="", table=(), rules="house", answers=None):
        self.rules = TableRules.parse(rules).replace(players=len(hands))
        self.t = position(hands[0], pile, table, self.rules)
        self.s = self.t[STATE]
        for seat, hand in enumerate(hands):
            self.s[X_HAND + seat] = parse_hand(hand)
            self.s[V.COUNT + seat] = parse_hand(hand).bit_count()
        cards = [parse_hand(card) for card in stock.split()]
        self.t[DECK, 52 - len(cards) : 52] = cards
        self.s[V.STOCK] = len(cards)
        self.asked = []
        self.answers = answers or {}
        self.slots = [[self.decision(seat, kind) for kind in range(3)] for seat in range(6)]

    def decision(self, seat, kind):
        def decide(view, params):
            self.asked.append((seat, ("draw", "play", "claim")[kind]))
            answer = self.answers.get((seat, ("draw", "play", "claim")[kind]), 0)
            if kind == 0:
                return answer
            if answer == 0:
                return 0
            self.write(seat, *answer)
            return 1

        return decide

    def write(self, seat, melds, discard=""):
        for number, cards in melds.items():
            self.t[seat, V.PLAN_MELDS + number] = parse_hand(cards)
        self.t[seat, V.PLAN_MELDS - 1] = parse_hand(discard)

    def turn(self, seat=0, draw=0, melds=None, discard=""):
        """Play a scripted turn, claims included, by the engine's own source."""
        self.answers |= {(seat, "draw"): draw, (seat, "play"): (melds or {}, discard)}
        who, params = np.arange(6), np.zeros((6, 64))
        depth = interpreted(engine.asked_draw)(self.t, np.int64(seat), who, params, self.slots)
        if depth == engine.BLOCKED:
            return engine.settle(self.t, -1, H.ENDINGS.index("blocked"))
        if depth == engine.ILLEGAL:
            return FAILED
        status = interpreted(engine.play_drawn)(self.t, np.int64(seat), depth, who, params, self.slots, NO_LOG)
        if status == PLAYING and self.rules.claims:
            status = interpreted(engine.ask_for_claims)(self.t, np.int64(seat), 1, who, params, self.slots, NO_LOG)
        return status

    def hand(self, seat):
        return format_hand(int(self.s[X_HAND + seat]))

    @property
    def pile(self):
        return [format_hand(int(card)) for card in self.s[V.PILE : V.PILE + self.s[V.PILE_SIZE]]]

    @property
    def melds(self):
        return [format_hand(int(meld)) for meld in self.s[V.MELD : V.MELD + self.s[V.MELDS]]]

    @property
    def ending(self):
        return H.ENDINGS[self.t[RECORD, H.ENDING]]

    @property
    def scores(self):
        return self.t[RECORD, H.SCORE : H.SCORE + self.rules.players].tolist()


def same(cards: str) -> str:
    return format_hand(parse_hand(cards))


def test_every_case_is_here() -> None:
    assert sorted(CASES) == sorted(["T1", "T2", "T6", "T7", "T8", "T11", "T12", "T14", "T16", "T17"])


@pytest.mark.parametrize("name", ["T1", "T2"])
def test_case_depths(name: str) -> None:
    state, expect = CASES[name]["state"], CASES[name]["expect"]["legal_k"]
    found = legal_depths(" ".join(state["hand"]), state["pile_bottom_to_top"], state["table"])
    assert {k: found[int(k)] for k in expect} == expect


def test_case_single_top_card() -> None:
    state, expect = CASES["T6"]["state"], CASES["T6"]["expect"]
    taken = state["pile_bottom_to_top"][-1]
    assert legal_discards(" ".join([*state["hand"], taken]), taken) == expect["legal_discards"]
    table = Table([" ".join(state["hand"]), "2C 3C"], " ".join(state["pile_bottom_to_top"]), "4C")
    assert table.turn(draw=1, discard=taken) == FAILED
    for card in expect["legal_discards"]:
        table = Table([" ".join(state["hand"]), "2C 3C"], " ".join(state["pile_bottom_to_top"]), "4C")
        assert table.turn(draw=1, discard=card) == PLAYING


def test_case_claim_by_lay_off() -> None:
    state, expect = CASES["T7"]["state"], CASES["T7"]["expect"]
    melds = [" ".join(meld) for meld in state["table"]]
    options = claim_options(" ".join(state["hand"]), state["discard"], melds)
    assert [option for option in options if option.startswith("layoff")] == expect["claim_options"]
    table = Table([f"{state['discard']} KC", "8C", "2D 3D"], "KH", "KS", melds)
    table.answers[1, "claim"] = ({0: state["discard"]}, "")
    assert table.turn(discard=state["discard"]) == PLAYING
    assert table.s[V.COUNT + 1] == expect["hand_size_after"]
    assert table.hand(1) == "8C"
    assert table.melds == ["4H 5H 6H 7H"]
    assert table.pile == ["KH"]


def test_case_claim_of_a_set() -> None:
    state, expect = CASES["T8"]["state"], CASES["T8"]["expect"]
    options = claim_options(" ".join(state["hand"]), state["discard"])
    assert [same(option.removeprefix("meld ")) for option in options] == [
        same(option.removeprefix("meld ")) for option in expect["claim_options"]
    ]
    table = Table([f"{state['discard']} KC", " ".join(state["hand"])], "KH", "KS")
    table.answers[1, "claim"] = ({0: "9S 9C 9D"}, "")
    assert table.turn(discard=state["discard"]) == PLAYING
    assert table.s[V.COUNT + 1] == expect["hand_size_after"]
    assert (table.hand(1), table.s[V.STOCK], table.pile) == ("4H", 0, ["KH"])


def test_case_priority() -> None:
    expect = CASES["T11"]["expect"]
    table = Table(["9D KC", "2S 3D 4C", "9S 9C JD", "9H 8D 7D"], "KH", "KS KD")
    for seat in (2, 3):
        table.answers[seat, "claim"] = ({0: "9S 9C 9D" if seat == 2 else "7D 8D 9D"}, "")
    assert table.turn(discard="9D") == PLAYING
    assert [seat for seat, kind in table.asked if kind == "claim"] == [expect["claimer"]]
    assert table.melds == [same("9S 9C 9D")]
    played = [row[1] for row in _log_of_a_claim()]
    assert played[0] == 0 and played[2] == expect["next_turn"]


def _log_of_a_claim() -> list[list[int]]:
    """The turn before a claim by another than the next player, the claim, and the turn after it, renumbered from seat 0."""
    from ginsim.games.table.trace import trace

    for deal in range(400):
        log = trace("table_greedy", "house(players=4)", seed=5, deal=deal).log.tolist()
        for a, b, c in zip(log, log[1:], log[2:], strict=False):
            if b[0] == 1 and (b[1] - a[1]) % 4 == 2:
                return [[row[0], (row[1] - a[1]) % 4] for row in (a, b, c)]
    raise AssertionError("no claim by the player after the next one")


def test_case_final_discard_cannot_be_claimed() -> None:
    state, expect = CASES["T12"]["state"], CASES["T12"]["expect"]
    cards = state["hand_after_draw"]
    table = Table([" ".join(cards[:-1]), "KS KC 2D"], "3H", cards[-1])
    assert table.turn(melds={0: " ".join(cards[:3])}, discard=expect["discard"]) == ENDED
    assert table.ending == "discard" and table.t[RECORD, H.WINNER] == 0
    assert ("claim" in [kind for _, kind in table.asked]) is expect["claim_window"]


def test_case_reshuffle_keeps_the_top() -> None:
    state, expect = CASES["T14"]["state"], CASES["T14"]["expect"]
    table = Table(["AS 2S", "AD 2D"], " ".join(state["pile_bottom_to_top"]))
    assert engine.start_turn(table.t) == engine.ASK
    assert table.pile == expect["pile"]
    stock = [format_hand(int(card)) for card in table.t[DECK, 52 - table.s[V.STOCK] : 52]]
    assert sorted(stock) == sorted(expect["stock_multiset"])


def test_case_the_chosen_run() -> None:
    state, expect = CASES["T16"]["state"], CASES["T16"]["expect"]
    melds = [" ".join(meld) for meld in state["table"]]
    assert lay_off_choices("6H", melds) == expect["choices"]
    table = Table([" ".join(state["hand"]), "KC QD"], "KH", "9D", melds)
    assert table.turn(melds={0: "6H"}, discard="9D") == PLAYING
    assert table.melds == [" ".join(meld) for meld in expect["table_after_choice_0"]]
    table = Table([" ".join(state["hand"]), "KC QD"], "KH", "9D", melds)
    assert table.turn(melds={1: "6H"}, discard="9D") == PLAYING
    assert table.melds == [melds[0], "6H 7H 8H 9H"]


def test_case_deal_sizes() -> None:
    expect = CASES["T17"]["expect"]
    for players, cards in expect["deal"].items():
        rules = TableRules(players=int(players))
        t = new_table(rules.array())
        engine.deal(t, 3, 11)
        s = t[STATE]
        assert rules.cards == cards
        assert s[V.COUNT : V.COUNT + rules.players].tolist() == [cards] * rules.players
        assert s[V.STOCK] == expect["stock"][players]
        assert s[V.PILE_SIZE] == 1
        dealt = [int(s[X_HAND + seat]) for seat in range(rules.players)]
        left = sum(int(card) for card in t[DECK, 52 - s[V.STOCK] : 52])
        assert sum(dealt) + left + int(s[V.PILE]) == parse_hand(sum(0x1FFF << 16 * suit for suit in range(4)))


# Melds


def test_number_of_melds() -> None:
    """589 with runs that turn the corner, 329 without, 65 of them sets."""
    for rules, number in (("house", 589), ("house(wrap=false)", 329)):
        suits_of_sets = [suits for n in (3, 4) for suits in combinations(range(4), n)]
        sets = [sum(1 << 16 * suit + rank for suit in suits) for rank in range(13) for suits in suits_of_sets]
        arcs = {
            sum(1 << 16 * suit + (start + i) % 13 for i in range(length))
            for suit in range(4)
            for start in range(13)
            for length in range(3, 14)
        }
        assert len(sets) == 65
        assert sum(is_table_meld(cards, rules) for cards in [*sets, *arcs]) == number


@pytest.mark.parametrize("cards", ["", "5S", "5S 6S", "5S 5H", "5S 6S 8S", "5S 6S 7H", "5S 5H 6H", "AS 2S QS", "4S 4H 4D 5D"])
def test_no_melds(cards: str) -> None:
    assert not is_table_meld(cards)


def test_runs_turn_the_corner_only_with_wrap() -> None:
    hands = ["JC QC 5D", "2D 3S"]
    for rules, status in (("house", PLAYING), ("house(wrap=false)", FAILED)):
        table = Table(hands, "KH", "KC", ["AC 2C 3C"], rules)
        assert table.turn(melds={0: "KC"}, discard="JC") == status


def test_lay_offs_chain_at_both_ends_and_never_merge() -> None:
    table = Table(["2H 6H 7H 9C", "2D 3S"], "KH", "5S", ["3H 4H 5H", "8H 9H 10H"])
    assert table.turn(melds={0: "2H 6H 7H"}, discard="5S") == PLAYING
    assert table.melds == ["2H 3H 4H 5H 6H 7H", "8H 9H 10H"]


def test_a_gap_is_no_lay_off() -> None:
    table = Table(["7H 9C", "2D 3S"], "KH", "5S", ["3H 4H 5H"])
    assert table.turn(melds={0: "7H"}, discard="5S") == FAILED


# The draw


@pytest.mark.parametrize(("most", "legal"), [(1, []), (2, []), (3, [3]), (4, [3]), (5, [3, 5])])
def test_most_cards_from_the_pile(most: int, legal: list[int]) -> None:
    found = legal_depths("8C 9C 5H QD QH", "QS 2D 7C KD 2S", (), f"house(max_pile_draw={most})")
    assert [k for k, allowed in found.items() if allowed and k > 1] == legal


def test_the_deepest_card_must_be_played() -> None:
    for melds, status in (({0: "7C 8C 9C"}, PLAYING), ({}, FAILED)):
        table = Table(["8C 9C 5H QD", "2D 3D"], "7C KD 2S", "AS")
        assert table.turn(draw=3, melds=melds, discard="5H") == status


def test_the_deepest_card_may_be_laid_off_in_a_chain_or_on_a_meld_of_this_turn() -> None:
    table = Table(["6H 5D QD", "2D 3D"], "7H KD", "AS", ["3H 4H 5H"])
    assert table.turn(draw=2, melds={0: "6H 7H"}, discard="5D") == PLAYING
    table = Table(["4H 5H 6H QD", "2D 3D"], "7H KD", "AS")
    assert table.turn(draw=2, melds={0: "4H 5H 6H 7H"}, discard="QD") == PLAYING


def test_a_draw_needs_a_legal_turn_after_it() -> None:
    """All that is left are cards just taken, which may not be discarded."""
    assert legal_depths("7S 7H", "7D KD") == {1: True, 2: False}
    assert legal_depths("7S 7H", "7D KD", (), "house(pile_discard_ban=only_if_single)") == {1: True, 2: True}
    assert legal_depths("7S 7H", "7D 7C") == {1: True, 2: True}
    assert legal_depths("7S 7H", "7D 7C", (), "house(out_mode=discard_required)") == {1: True, 2: True}
    assert legal_depths("7S 8S", "9S 10S", (), "house(out_mode=discard_required, max_pile_draw=2)")[2]
    assert legal_depths("7S 7H 2C", "7D 7C", (), "house(out_mode=meld_only)") == {1: True, 2: True}
    assert legal_depths("7S 7H 2C", "7D 8D", (), "house(out_mode=meld_only)") == {1: True, 2: True}
    assert legal_depths("7S 2C", "7D 8D", ["9D 10D JD"], "house(out_mode=meld_only)") == {1: True, 2: True}


def test_no_card_taken_from_the_pile_is_discarded() -> None:
    for rules, status in (("house", FAILED), ("house(pile_discard_ban=only_if_single)", PLAYING)):
        table = Table(["8C 9C 5H QD", "2D 3D"], "7C KD 2S", "AS", rules=rules)
        assert table.turn(draw=3, melds={0: "7C 8C 9C"}, discard="KD") == status


@pytest.mark.parametrize("depth", [-1, 4, 6])
def test_no_such_draw(depth: int) -> None:
    table = Table(["8C 9C 5H QD", "2D 3D"], "7C KD 2S", "AS")
    assert table.turn(draw=depth, discard="5H") == FAILED
    assert table.t[RECORD, H.ERROR] == 1 and table.t[RECORD, H.ANSWER] == depth


# The plan


@pytest.mark.parametrize(
    ("melds", "discard"),
    [
        ({0: "5S 5H"}, "KD"),  # no meld
        ({0: "5S 5H 5C"}, "KD"),  # not in the hand
        ({0: "5S 5H 5D", 1: "5D 6D 7D"}, "KD"),  # a card twice
        ({1: "5S 5H 5D"}, "KD"),  # a gap
        ({0: "5S 5H 5D"}, "5S"),  # on the table
        ({0: "5S 5H 5D"}, ""),  # no discard
        ({}, "KD 6D"),
        ({}, "2D"),
    ],
)
def test_illegal_plans(melds: dict[int, str], discard: str) -> None:
    table = Table(["5S 5H 5D 6D 7D", "2D 3D"], "AS", "KD")
    assert table.turn(melds=melds, discard=discard) == FAILED
    assert table.t[RECORD, H.ERROR] == 2
    assert table.hand(0) == same("5S 5H 5D 6D 7D KD")


def test_nothing_need_be_melded() -> None:
    table = Table(["5S 5H 5D 6D 7D", "2D 3D"], "AS", "KD")
    assert table.turn(discard="KD") == PLAYING
    assert table.melds == []


# Claims


def test_claims_are_offered_to_all_who_can_in_turn_and_once() -> None:
    table = Table(["6H KC", "2S 3D 4C", "5C JD 2H", "9H 8D 7D"], "KH", "KS", ["3H 4H 5H"])
    table.answers[3, "claim"] = ({0: "6H"}, "")
    assert table.turn(discard="6H") == PLAYING
    assert [seat for seat, kind in table.asked if kind == "claim"] == [1, 2, 3]
    assert table.t[RECORD, H.CLAIMS] == 1
    assert table.pile == ["KH"]  # uncovered, and not offered


def test_no_claims_where_the_rules_have_none() -> None:
    table = Table(["6H KC", "2S 3D 4C"], "KH", "KS", ["3H 4H 5H"], "house(claims=false)")
    assert table.turn(discard="6H") == PLAYING
    assert [kind for _, kind in table.asked] == ["draw", "play"]


@pytest.mark.parametrize("melds", [{0: "6H 7H"}, {1: "7H 8H 9H"}, {1: "6H 7H"}, {0: "6H", 1: "8H 9H 10H"}, {}])
def test_illegal_claims(melds: dict[int, str]) -> None:
    """A claim is the card alone on a meld, or one new meld with it."""
    table = Table(["6H KC", "7H 8H 9H 10H 2C"], "KH", "KS", ["3H 4H 5H"])
    table.answers[1, "claim"] = (melds, "")
    assert table.turn(discard="6H") == FAILED
    assert table.t[RECORD, H.ERROR] == 3


def test_going_out_by_a_claim() -> None:
    for rules, status in (("house", ENDED), ("house(out_mode=meld_only)", ENDED), ("house(out_mode=discard_required)", PLAYING)):
        table = Table(["6H KC", "7H 8H", "2D AC"], "KH", "KS", rules=rules)
        table.answers[1, "claim"] = ({0: "6H 7H 8H"}, "")
        assert table.turn(discard="6H") == status
        assert (1, "claim") in table.asked or status == PLAYING
    assert claim_options("7H 8H", "6H", (), "house(out_mode=discard_required)") == []


# Going out


@pytest.mark.parametrize(("mode", "melding", "discarding"), [("either", 1, 1), ("meld_only", 1, 0), ("discard_required", 0, 1)])
def test_ways_to_go_out(mode: str, melding: int, discarding: int) -> None:
    rules = f"house(out_mode={mode})"
    table = Table(["7H 8H", "2D AC"], "KH", "6H", rules=rules)
    assert table.turn(melds={0: "6H 7H 8H"}) == (ENDED if melding else FAILED)
    table = Table(["7H 8H 9S", "2D AC"], "KH", "6H", rules=rules)
    assert table.turn(melds={0: "6H 7H 8H"}, discard="9S") == (ENDED if discarding else FAILED)


# The end of the stock


def test_the_only_pile_card_must_be_taken() -> None:
    table = Table(["7H 8H", "2D AC"], "KH")
    assert table.turn(discard="KH") == FAILED
    table = Table(["7H 8H", "2D AC"], "KH")
    assert table.turn(discard="8H") == PLAYING
    assert [kind for _, kind in table.asked] == ["play"]
    assert (table.hand(0), table.pile) == ("7H KH", ["8H"])


def test_blocked_without_any_card() -> None:
    table = Table(["7H 8H", "2D AC"])
    assert table.turn() == ENDED
    assert (table.ending, table.scores) == ("blocked", [0, 0])


@pytest.mark.parametrize("limit", ["max_reshuffles", "max_turns"])
def test_blocked_at_the_limits(limit: str) -> None:
    table = Table(["7H 8H", "2D AC"], "KH QH", rules=f"house({limit}=1)")
    assert table.turn(discard="8H") == PLAYING
    assert table.s[V.RESHUFFLES] == 1 and table.s[V.TURN] == 1
    table.s[V.STOCK] = 0
    assert table.turn(1) == ENDED
    assert table.ending == "blocked" and table.t[RECORD, H.WINNER] == -1


@pytest.mark.parametrize(
    ("hands", "scores"), [(["7H 8H", "2D AC", "KS KD"], [-15, 35, -20]), (["2H AH", "2D AC", "KS KD"], [0, 0, 0])]
)
def test_blocked_hands_may_go_to_the_lowest(hands: list[str], scores: list[int]) -> None:
    table = Table(hands, rules="house(blocked=lowest)")
    assert table.turn() == ENDED
    assert table.scores == scores
    assert table.ending == ("lowest" if any(scores) else "blocked")


# Scoring


@pytest.mark.parametrize(
    ("count", "ace", "scores"),
    [("unmatched", 1, [11, -11, 0]), ("all_in_hand", 1, [55, -32, -23]), ("unmatched", 15, [25, -25, 0])],
)
def test_scores(count: str, ace: int, scores: list[int]) -> None:
    table = Table(["7H 8H", "7C 7D 7S KC AC", "JC QC 3H 3D 3S"], "KH", "6H", rules=f"house(count={count}, ace_value={ace})")
    table.s[X_HAND + 2] = parse_hand("9D 8D 6D")
    table.s[X_HAND + 2] = parse_hand("JD QD KD") if count == "unmatched" else parse_hand("6D 8D 9D")
    assert table.turn(melds={0: "6H 7H 8H"}) == ENDED
    assert table.scores == scores
    assert sum(table.scores) == 0
    assert table.t[RECORD, H.LEFT] == 0


def test_positions_refuse_what_cannot_be() -> None:
    for call in (
        lambda: legal_depths("8C", "8C"),
        lambda: legal_depths("8C", "9C", ["10C JC"]),
        lambda: legal_depths("8C", "9C", ["10C JC QC"], "gin"),
        lambda: position("8C", (), ["9C"] * (V.MOST_MELDS + 1)),
    ):
        with pytest.raises(InputError):
            call()
