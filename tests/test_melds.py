"""Melds, deadwood, discards and lay-offs: kernels and public functions against the worked cases and the oracle."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ginsim
from ginsim import InputError, Rules, best_discard, best_melds, deadwood, is_meld, lay_off_targets, rank_discards, showdown
from ginsim import layout as D
from ginsim import melds as kernel
from ginsim.cards import FULL_DECK, cards_of, format_hand, parse_hand
from ginsim.games.gin.evaluate import Arrangement, BestDiscard, _all_melds
from tests.oracle import melds as oracle
from tests.oracle import scoring
from tests.oracle.cards import Card, Hand, from_mask, full_deck, hand, ordered, pack_of, points, to_mask

DATA = Path(__file__).parent / "data"
CASES = json.loads((DATA / "cases.json").read_text(encoding="utf-8"))["cases"]
FIELD = json.loads((DATA / "field_cases.json").read_text(encoding="utf-8"))

VARIANTS = {
    "standard": Rules(),
    "ace 15": Rules(ace_value=15),
    "wrap": Rules(wrap=True),
    "round the corner": Rules.preset("round_the_corner"),
    "three suits": Rules(suits=3),
    "two suits": Rules(suits=2, hand_size=7),
    "seven ranks": Rules(ranks=7),
    "seven ranks, wrap": Rules(ranks=7, wrap=True),
    "five ranks, wrap, ace 15": Rules(ranks=5, wrap=True, ace_value=15, hand_size=7),
    "four ranks, wrap": Rules(ranks=4, wrap=True, hand_size=4),
    "five ranks, two suits": Rules(ranks=5, suits=2, hand_size=3),
}
every_variant = pytest.mark.parametrize("rules", VARIANTS.values(), ids=VARIANTS.keys())


# Hands: from anywhere in the deck, and those where sets and runs fight for the cards.


def scattered(rng: Random, rules: Rules) -> Hand:
    deck = full_deck(pack_of(rules))
    return frozenset(rng.sample(deck, rng.randint(1, min(14, len(deck) - 1))))


def grid(rng: Random, rules: Rules) -> Hand:
    """A block of neighbouring ranks in several suits, perhaps round the corner, with holes and strays."""
    suits, width, start = rng.randint(2, 4), rng.randint(3, 5), rng.randrange(13)
    block = [((start + i) % rules.ranks, suit % rules.suits) for i in range(width) for suit in range(suits)]
    strays = rng.sample(full_deck(pack_of(rules)), 2)
    return trimmed(rng, {*block, *strays}, rules)


def long_run(rng: Random, rules: Rules) -> Hand:
    length, start, suit = rng.randint(4, 13), rng.randrange(13), rng.randrange(rules.suits)
    run = {((start + i) % rules.ranks, suit) for i in range(length)}
    return trimmed(rng, run | set(rng.sample(full_deck(pack_of(rules)), 3)), rules)


def crossing_melds(rng: Random, rules: Rules) -> Hand:
    """Melds that share cards."""
    every = sorted((m for m in oracle.all_melds(pack_of(rules)) if len(m) <= 5), key=ordered)
    cards = set(rng.choice(every))
    while len(cards) < 9 and len(cards) < rules.ranks * rules.suits // 2:
        cards |= rng.choice([m for m in every if len(m & cards) in (0, 1)] or every)
    return trimmed(rng, cards, rules)


def trimmed(rng: Random, cards: set[Card], rules: Rules) -> Hand:
    """At most 14 cards, and not the whole of a small deck."""
    most = rng.choice([10, 11, 14])
    return frozenset(rng.sample(ordered(cards), min(most, len(cards), rules.ranks * rules.suits - 1)))


KINDS = [scattered, grid, long_run, crossing_melds]


def hands_of(rules: Rules, count: int, seed: int = 1) -> list[Hand]:
    rng = Random(seed)
    return [rng.choice(KINDS)(rng, rules) for _ in range(count)]


def some(rng: Random, cards: Iterable[Card], share: float = 0.5) -> Hand:
    return frozenset(c for c in ordered(cards) if rng.random() < share)


def ten_and_ten(rng: Random, rules: Rules) -> tuple[Hand, Hand]:
    """Two hands that lie close together, so that lay-offs abound."""
    deck, size = full_deck(pack_of(rules)), rules.hand_size
    rich = ordered(rng.choice(KINDS)(rng, rules) | rng.choice(KINDS)(rng, rules))
    rng.shuffle(rich)
    rest = [c for c in rng.sample(deck, len(deck)) if c not in rich]
    cards = (rich + rest)[: 2 * size]
    melds = sorted(oracle.melds_in(frozenset(cards), pack_of(rules)), key=lambda _: rng.random())
    for first in melds:  # the knocker gets a meld or two whole
        cards = ordered(first) + [c for c in cards if c not in first] if len(first) <= size else cards
        if rng.random() < 0.5:
            break
    return frozenset(cards[:size]), frozenset(cards[size:])


def masks(hands: Iterable[Hand]) -> np.ndarray:
    return np.array([to_mask(held) for held in hands], dtype=np.int64)


def split(arrangement: Iterable[Hand]) -> tuple[int, int]:
    """Masks of the cards in sets and in runs."""
    sets = [m for m in arrangement if len({suit for _, suit in m}) > 1]
    runs = [m for m in arrangement if m not in sets]
    return to_mask(oracle.melded(frozenset(sets))), to_mask(oracle.melded(frozenset(runs)))


def as_family(melds: Iterable[int]) -> frozenset[Hand]:
    return frozenset(from_mask(meld) for meld in melds)


# Worked cases, through the public functions


def of_kind(kind: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("case", [pytest.param(c, id=c["id"]) for c in CASES if c["kind"] == kind])


def rules_of(case: dict[str, Any], **more: Any) -> Rules:
    return Rules(wrap=case.get("wrap", False), ace_value=case.get("ace_value", 1), **more)


def joined(cards: list[str]) -> str:
    return " ".join(cards)


@of_kind("deadwood")
def test_case_deadwood(case: dict[str, Any]) -> None:
    text, rules, expect = joined(case["hand"]), rules_of(case), case["expect"]
    best = best_melds(text, rules)
    assert deadwood(text, rules) == expect["min_deadwood"]
    assert {way.points for way in best} == {expect["min_deadwood"]}
    assert len(best) == expect["n_optimal"]
    assert {frozenset(way.melds) for way in best} == {
        frozenset(parse_hand(joined(meld)) for meld in way) for way in expect["optimal"]
    }


@of_kind("best_discard")
def test_case_best_discard(case: dict[str, Any]) -> None:
    text, banned, expect = joined(case["hand"]), joined(case["banned"]), case["expect"]
    assert best_discard(text, banned) == (expect["min_after_discard"], parse_hand(joined(expect["discards"])))
    if "min_after_discard_if_not_banned" in expect:
        assert best_discard(text).deadwood == expect["min_after_discard_if_not_banned"]


@of_kind("showdown")
def test_case_showdown(case: dict[str, Any]) -> None:
    expect, sides = case["expect"], (joined(case["knocker_hand"]), joined(case["opp_hand"]))
    melds = [joined(meld) for meld in case["knocker_melds"]]
    for name, score in expect["scores"].items():
        gin, undercut, tie = name.split("_")
        table = {"gin_bonus": int(gin[3:]), "undercut_bonus": int(undercut[8:]), "tie": tie[4:]}
        got = showdown(*sides, rules_of(case, **table), melds, multiplier=case["mult"])
        assert got.knocker_deadwood == expect["knocker_deadwood"]
        assert got.defender_before == expect["opp_min_deadwood_before"]
        assert got.defender_deadwood == expect["opp_final_deadwood"]
        assert (got.ending == "gin") == case["gin"]
        assert got.winner == ("defender" if score["winner"] == "opponent" else score["winner"])
        assert got.points == score["points"]
    if expect["opp_final_if_forced_min_melding"] is not None:
        got = showdown(*sides, rules_of(case, layoff="after_melds"), melds)
        assert got.defender_deadwood == expect["opp_final_if_forced_min_melding"]


def test_case_c11_by_default() -> None:
    """The knocker chooses the set, which exposes less."""
    case = next(case for case in CASES if case["id"] == "C11a")
    got = showdown(joined(case["knocker_hand"]), joined(case["opp_hand"]))
    assert got.knocker_melds == (parse_hand("2S 2H 2D"), parse_hand("9C 10C JC QC"))
    assert got.points == 16


@of_kind("meld_validity")
def test_case_meld_validity(case: dict[str, Any]) -> None:
    for item in case["items"]:
        text = joined(item["cards"])
        assert is_meld(text, Rules(wrap=True)) == item["wrap"], item
        assert is_meld(text) == item["no_wrap"], item


@of_kind("layoff_targets")
def test_case_layoff_targets(case: dict[str, Any]) -> None:
    for item in case["items"]:
        melds = [joined(meld) for meld in item["melds"]]
        assert lay_off_targets(melds, Rules(wrap=item["wrap"])) == parse_hand(joined(item["expect"])), item


@pytest.mark.parametrize(("text", "expect"), FIELD["deadwood"])
def test_field_deadwood(text: str, expect: int) -> None:
    assert deadwood(text) == expect
    assert {way.points for way in best_melds(text)} == {expect}


@pytest.mark.parametrize(("text", "expect", "discards"), FIELD["best_discard"])
def test_field_best_discard(text: str, expect: int, discards: list[str]) -> None:
    assert best_discard(text) == (expect, parse_hand(joined(discards)))


# Against the oracle


@every_variant
def test_card_kernels(rules: Rules) -> None:
    c, pack = rules.array(), pack_of(rules)
    for held in hands_of(rules, 250):
        mask = to_mask(held)
        melds = oracle.melds_in(held, pack)
        sets, runs = split(melds)
        assert kernel.points(mask, c) == points(held, pack)
        assert (kernel.set_cards(mask), kernel.run_cards(mask, c)) == (sets, runs)
        assert kernel.clash_cards(mask, c) == sets & runs
        dear = max(points([card], pack) for card in held)
        assert kernel.dearest(mask, c) == (to_mask(card for card in held if points([card], pack) == dear), dear)
        for card in full_deck(pack):
            if card not in held:
                assert kernel.joins_meld(mask, to_mask([card]), c) == bool(oracle.melds_with(held, card, pack))
    assert kernel.dearest(0, c) == (0, 0)


@every_variant
def test_deadwood_and_arrangements(rules: Rules) -> None:
    hands = hands_of(rules, 250)
    expected = [oracle.deadwood(held, pack_of(rules)) for held in hands]
    for held, least in zip(hands, expected, strict=True):
        mask = to_mask(held)
        assert kernel.deadwood(mask, rules.array()) == deadwood(mask, rules) == least
        best = best_melds(mask, rules)
        assert [way.points for way in best] == [least] * len(best)
        assert all(sum(way.melds) + way.deadwood == mask for way in best)
        families = [as_family(way.melds) for way in best]
        assert len(set(families)) == len(families)
        assert set(families) == set(oracle.arrangements(held, pack_of(rules)))
        loose = [kernel.loose_cards(mask, out, rules.array()) for out in (0, mask)]
        assert all(deadwood(cards, rules) >= least for cards in loose if cards)
    many = deadwood(masks(hands), rules)
    assert (many.tolist(), many.dtype) == (expected, np.int16)


@every_variant
def test_best_discards(rules: Rules) -> None:
    rng, pack = Random(2), pack_of(rules)
    hands = [held for held in hands_of(rules, 250, seed=2) if len(held) > 1]
    bans = [rng.choice([frozenset(), some(rng, held, 0.2), some(rng, held, 0.8)]) for held in hands]
    bans = [ban if ban != held else frozenset() for held, ban in zip(hands, bans, strict=True)]
    expected = []
    for held, ban in zip(hands, bans, strict=True):
        least, cards = oracle.best_discards(held, ban, pack)
        expected.append((least, to_mask(cards)))
        assert kernel.best_discards(to_mask(held), to_mask(ban), rules.array()) == expected[-1]
        assert best_discard(to_mask(held), to_mask(ban), rules) == expected[-1]
        ranked = rank_discards(to_mask(held), to_mask(ban), rules)
        assert ranked == sorted(ranked, key=lambda item: item[1])
        assert {from_mask(card): left for card, left in ranked} == {
            frozenset({card}): oracle.deadwood(held - {card}, pack) for card in held - ban
        }
    many = best_discard(masks(hands), masks(bans), rules)
    assert list(zip(many.deadwood.tolist(), many.cards.tolist(), strict=True)) == expected
    assert (many.deadwood.dtype, many.cards.dtype) == (np.int16, np.int64)


@every_variant
def test_best_discards_ban_everything(rules: Rules) -> None:
    for held in hands_of(rules, 30, seed=3):
        assert kernel.best_discards(to_mask(held), to_mask(held), rules.array()) == (kernel.MANY, 0)


@every_variant
def test_is_meld(rules: Rules) -> None:
    every = oracle.all_melds(pack_of(rules))
    assert all(is_meld(to_mask(meld), rules) for meld in every)
    rng, deck = Random(4), full_deck(pack_of(rules))
    for meld in sorted(every, key=ordered)[::7]:
        near = meld ^ {rng.choice(deck)}
        assert is_meld(to_mask(near), rules) == (near in every)


@every_variant
def test_lay_off_targets(rules: Rules) -> None:
    pack = pack_of(rules)
    for held in hands_of(rules, 100, seed=5):
        family = Random(len(held)).choice(oracle.arrangements(held, pack))
        sets, runs = split(family)
        targets = to_mask(oracle.layoff_targets(family, pack))
        assert lay_off_targets([to_mask(meld) for meld in family], rules) == targets
        once = int(kernel.fourth_cards(sets)) & to_mask(full_deck(pack))
        assert not once & sets
        for card in full_deck(pack):
            mask = to_mask([card])
            if not mask & runs and kernel.grow_runs(runs, mask, rules.array()) & mask:
                once |= mask
        assert once & ~(sets | runs) == targets


@every_variant
def test_exposure_and_the_knockers_melds(rules: Rules) -> None:
    rng, c, pack = Random(6), rules.array(), pack_of(rules)
    for held in hands_of(rules, 100, seed=6):
        unseen = some(rng, frozenset(full_deck(pack)) - held, rng.choice([0.3, 0.7, 1.0]))
        for family in oracle.arrangements(held, pack)[:4]:
            exposed = kernel.exposure(*split(family), to_mask(unseen), c)
            assert exposed == oracle.exposure(family, unseen, pack)
        chosen = kernel.knocker_melds(to_mask(held), to_mask(unseen), c)
        assert chosen in {split(family) for family in oracle.permitted(held, unseen, pack)}


def lay_off_is_legal(defender: Hand, laid: int, family: frozenset[Hand], rules: Rules) -> bool:
    cards = from_mask(laid)
    return cards <= defender and frozenset() in oracle.leftovers(cards, family, pack_of(rules))


@every_variant
@pytest.mark.parametrize("layoff", ["optimal", "after_melds", "none"])
def test_lay_off(rules: Rules, layoff: str) -> None:
    """Against any legal melds of the knocker, the best and others."""
    rng, c, pack = Random(7), rules.array(), pack_of(rules)
    mode = ["optimal", "after_melds", "none"].index(layoff)
    for _ in range(150):
        knocker, defender = ten_and_ten(rng, rules)
        best, every = oracle.arrangements(knocker, pack), list(oracle.families(oracle.melds_in(knocker, pack)))
        family = rng.choice(rng.choice([best, every]))
        expected = oracle.best_defence(defender, family, layoff, pack)
        left, laid = kernel.lay_off(to_mask(defender), *split(family), mode, c)
        assert left == expected.deadwood
        assert kernel.points(laid, c) in expected.laid_off
        assert lay_off_is_legal(defender, laid, family, rules)


@every_variant
@pytest.mark.parametrize(
    "changes",
    [{}, {"layoff": "after_melds", "tie": "push"}, {"layoff": "none", "tie": "knocker"}, {"layoff_on_gin": True}],
    ids=str,
)
def test_showdown(rules: Rules, changes: dict[str, Any]) -> None:
    rules = rules.replace(layoff_on_gin=False).replace(**changes)
    rng, pack, endings = Random(8), pack_of(rules), set()
    for _ in range(100):
        knocker, defender = ten_and_ten(rng, rules)
        multiplier, own = rng.choice([1, 2]), None
        if rng.random() < 0.5:
            own = [to_mask(meld) for meld in rng.choice(oracle.arrangements(knocker, pack))]
        got = showdown(to_mask(knocker), to_mask(defender), rules, own, multiplier)
        family = as_family(got.knocker_melds)
        if own is None:
            unseen = frozenset(full_deck(pack)) - knocker
            assert split(family) in {split(f) for f in oracle.permitted(knocker, unseen, pack)}
        else:
            assert set(got.knocker_melds) == set(own)
        gin = "gin" if got.knocker_deadwood == 0 else ""
        layoff = "none" if gin and not rules.layoff_on_gin else rules.layoff
        expected = oracle.best_defence(defender, family, layoff, pack)
        assert got.knocker_deadwood == oracle.left_over(knocker, family, pack)
        assert (got.defender_before, got.defender_deadwood) == (oracle.deadwood(defender, pack), expected.deadwood)
        assert got.laid_off_points == points(from_mask(got.laid_off), pack)
        assert got.laid_off_points in expected.laid_off
        assert lay_off_is_legal(defender, got.laid_off, family, rules)
        own_melds = as_family(got.defender_melds)
        assert oracle.left_over(defender - from_mask(got.laid_off), own_melds, pack) == got.defender_deadwood
        assert all(oracle.is_meld(meld, pack) and meld <= defender for meld in own_melds)
        score = scoring.knock_score(got.knocker_deadwood, got.defender_deadwood, rules, multiplier, gin)
        who = {True: "knocker", False: "defender", None: None}[score.by_knocker]
        assert (got.winner, got.points, got.ending) == (who, score.points, score.ending)
        endings.add(got.ending)
    assert "knock" in endings or rules.ranks * rules.suits < 20


def test_any_legal_melds_may_be_laid_out() -> None:
    """Even none, and with a hand that could go gin."""
    gin = "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S"
    other = "AS 4S 7S 4H 8H JH 3D 5D QC KD"
    assert showdown(gin, other).ending == "gin"
    got = showdown(gin, other, melds=["AH 2H 3H", "9D 9H 9C 9S"])
    assert (got.knocker_deadwood, got.laid_off) == (18, parse_hand("4H"))
    assert showdown(gin, other, melds=[]).knocker_deadwood == 60
    assert showdown(gin, other, melds=best_melds(gin)[0]) == showdown(gin, other)


def test_big_gin() -> None:
    big, other = "AH 2H 3H 5C 6C 7C 8C 9D 9H 9C 9S", "AS 4S 7S 4H 8H JH 3D 5D QC KD"
    got = showdown(big, other, "pagat")
    assert (got.ending, got.winner, got.points) == ("big_gin", "knocker", 31 + 62)
    assert got.laid_off == 0
    assert showdown(big, other, "pagat(layoff_on_gin=true)").laid_off == parse_hand("4H")
    with pytest.raises(InputError, match="knocker: 11 cards"):
        showdown(big, other)
    with pytest.raises(InputError, match="unmatched: 2C"):
        showdown(big.replace("8C", "2C"), other, "pagat")
    with pytest.raises(InputError, match="unmatched: 9C"):
        showdown(big, other, "pagat", ["AH 2H 3H", "5C 6C 7C 8C", "9D 9H 9S"])


# Properties

card_sets = st.lists(st.integers(0, 51), min_size=1, max_size=14, unique=True)
quick = settings(deadline=None, max_examples=300)


def mask_of(places: list[int], order: tuple[int, ...] = (0, 1, 2, 3)) -> int:
    return sum(1 << (16 * order[place // 13] + place % 13) for place in places)


@quick
@given(card_sets)
def test_wrap_never_raises_deadwood(places: list[int]) -> None:
    for ace in (1, 15):
        assert deadwood(mask_of(places), Rules(wrap=True, ace_value=ace)) <= deadwood(mask_of(places), Rules(ace_value=ace))


@quick
@given(card_sets, st.permutations(range(4)), st.booleans())
def test_suits_are_alike(places: list[int], order: tuple[int, ...], wrap: bool) -> None:
    assert deadwood(mask_of(places), Rules(wrap=wrap)) == deadwood(mask_of(places, order), Rules(wrap=wrap))


@quick
@given(card_sets, st.booleans())
def test_a_card_more_costs_its_points_at_most(places: list[int], wrap: bool) -> None:
    """And a discard can only save the points of the card."""
    rules = Rules(wrap=wrap)
    whole, c = mask_of(places), rules.array()
    for card in cards_of(whole):
        assert kernel.deadwood(whole, c) <= kernel.deadwood(whole ^ card, c) + kernel.points(card, c)


@quick
@given(card_sets)
def test_reordering_is_no_change(places: list[int]) -> None:
    text = format_hand(mask_of(places))
    assert deadwood(" ".join(reversed(text.split()))) == deadwood(mask_of(places))


def test_number_of_melds() -> None:
    assert len(_all_melds(False, 13, 4)) == 329
    assert len(_all_melds(True, 13, 4)) == 589


@pytest.mark.parametrize(
    ("text", "rules", "ways"),
    [
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 5H", "classic25", 28),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS 5H", "classic25(wrap=true)", 131),
        ("7S 8S 9S 10S 7H 8H 9H 10H 7D 8D 9D 10D AC", "classic25", 4),
        ("4S 5S 6S 7S 4H 5H 6H 7H 4D 5D 6D 7D 4C 5C", "classic25", None),
    ],
)
def test_awkward_hands(text: str, rules: str, ways: int | None) -> None:
    best = best_melds(text, rules)
    expected = oracle.arrangements(hand(text), pack_of(Rules.parse(rules)))
    assert {as_family(way.melds) for way in best} == set(expected)
    assert len(best) == len(expected) == (ways or len(expected))
    assert [len(way.melds) for way in best] == sorted(len(way.melds) for way in best)


# Forms of input and output


def test_texts_masks_and_arrays_are_alike() -> None:
    texts = ["8S 8H 8D 5S 6S 7S AD 4C 9H QS", "AS", "2♠,3♠,4♠ TH"]
    read = [parse_hand(text) for text in texts]
    expected = [24, 1, 10]
    assert [deadwood(text) for text in texts] == [deadwood(mask) for mask in read] == expected
    readonly = np.array(read, dtype=np.int64)
    readonly.flags.writeable = False
    for many in (
        texts, read, tuple(texts), np.array(read), readonly, np.array(read, np.uint64), np.array(texts), np.array(read, object),
        np.repeat(np.array(read, np.int64), 2)[::2], iter(read),
    ):  # fmt: skip
        assert deadwood(many).tolist() == expected  # type: ignore[call-overload]


def test_pandas() -> None:
    pd = pytest.importorskip("pandas")
    assert deadwood(pd.Series(["AS", "2S KH"])).tolist() == [1, 12]
    assert deadwood(pd.Series([1, 2], dtype="Int64")).tolist() == [1, 2]


@pytest.mark.parametrize("scalar", [5, np.int64(5), np.uint8(5), np.array(5)])
def test_one_mask(scalar: int) -> None:
    assert (deadwood(scalar), type(deadwood(scalar))) == (4, int)


def test_no_hands() -> None:
    assert deadwood([]).tolist() == deadwood(np.array([], np.int64)).tolist() == []
    assert best_discard([]).cards.size == 0


def test_one_ban_for_all_or_one_each() -> None:
    hands = ["KS QH 2D", "KS 9D 3C"]
    assert best_discard(hands, "KS").deadwood.tolist() == [12, 13]
    assert best_discard(hands, ["QH", "9D"]).deadwood.tolist() == [12, 12]
    assert best_discard(hands, parse_hand("4H")).deadwood.tolist() == best_discard(hands).deadwood.tolist() == [12, 12]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: deadwood(""), "hand: no cards"),
        (lambda: deadwood(0), "hand: no cards"),
        (lambda: deadwood("AS 1S"), "'1S' appears twice"),
        (lambda: deadwood("AS 7Z"), "'7Z'"),
        (lambda: deadwood(FULL_DECK), "hand: 52 cards"),
        (lambda: deadwood(None), "None"),
        (lambda: deadwood(1.5), "1.5"),
        (lambda: deadwood(True), "True"),
        (lambda: deadwood(["AS", "AX"]), r"hands\[1\]: 'AX'"),
        (lambda: deadwood([1, 0]), r"hands\[1\]: no cards"),
        (lambda: deadwood(np.array([1, 2, (1 << 13) - 1 | 3 << 16])), r"hands\[2\]: 15 cards"),
        (lambda: deadwood(np.array([1, -1])), r"hands\[1\]: -1"),
        (lambda: deadwood(np.array([1, 1 << 13])), r"hands\[1\]: 8192"),
        (lambda: deadwood(np.array([1, 1 << 63], np.uint64)), r"hands\[1\]: 9223372036854775808"),
        (lambda: deadwood(np.array([1.0])), "float64"),
        (lambda: deadwood(b"8S"), "hands: b'8S' is not allowed; give a list of texts"),
        (lambda: deadwood(bytearray(b"8S")), "hands: bytearray"),
        (lambda: deadwood(memoryview(b"8S")), "hands: <memory"),
        (lambda: deadwood({}), "hands: {} is not allowed"),
        (lambda: deadwood(None), "hands: None is not allowed"),
        (lambda: deadwood(np.True_), "bool"),
        (lambda: deadwood(np.array([True])), "bool"),
        (lambda: deadwood(np.array([[1]])), r"shape \(1, 1\)"),
        (lambda: deadwood("AS QC", "classic25(ranks=11, suits=3)"), "hand: QC not in the deck of these rules, A to J of S H D"),
        (lambda: deadwood(np.array([1, 1 << 12]), "classic25(ranks=12)"), r"hands\[1\]: KS not in the deck"),
        (lambda: deadwood("AS", "clasic25"), "did you mean 'classic25'"),
        (lambda: deadwood("AS", 25), "25"),
        (lambda: best_melds(""), "hand: no cards"),
        (lambda: best_melds("AS AS"), "'AS' appears twice"),
        (lambda: best_discard("AS 2S", "2S AS"), "banned: AS 2S"),
        (lambda: best_discard("AS 2S", "ZZ"), "banned: 'ZZ'"),
        (lambda: best_discard([1, 2], [0]), "banned: 1 mask for 2 hands"),
        (lambda: best_discard([1, 3], [0, 3]), r"banned\[1\]: AS 2S"),
        (lambda: best_discard([1, 3], 1), r"banned\[0\]: AS"),
        (lambda: rank_discards("AS", "AS"), "banned: AS"),
        (lambda: is_meld("KS AS", "classic25(ranks=12)"), "cards: KS"),
        (lambda: lay_off_targets("AS 2S 3S"), "one text"),
        (lambda: lay_off_targets(["AS 2S 3S", "AH 2S"]), r"melds\[1\]: 2S AH is not a set or run"),
        (lambda: lay_off_targets(["AS 2S 3S", "3S 4S 5S"]), r"melds\[1\]: 3S already in another meld"),
        (lambda: lay_off_targets([""]), r"melds\[0\]: nothing"),
        (lambda: lay_off_targets(7), "melds: 7"),
    ],
)  # fmt: skip
def test_bad_input(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


KNOCKER, DEFENDER = "5S 5H 5D 9C 10C JC QS QH QD 7H", "2S 3S 4S 8H 8D 8S KS KD KH 7D"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"knocker": KNOCKER.replace(" 7H", "")}, "knocker: 9 cards; these rules ask for 10, after the discard$"),
        ({"knocker": KNOCKER.replace(" 7H", ""), "rules": "pagat"}, "knocker: 9 cards.*or 11, all melded"),
        ({"defender": DEFENDER + " AC"}, "defender: 11 cards"),
        ({"defender": DEFENDER.replace("7D", "7H")}, "both hold 7H"),
        ({"defender": DEFENDER.replace("7D", "7X")}, "defender: '7X'"),
        ({"knocker": "AS", "rules": "classic25(hand_size=7)"}, "knocker: 1 card; these rules ask for 7"),
        ({"rules": "classic25(ranks=12)"}, "defender: KS KH KD not in the deck"),
        ({"melds": ["5S 5H 5D", "8S 8H 8D"]}, r"melds\[1\]: 8S 8H 8D not in the knocker's hand"),
        ({"melds": ["5S 5H"]}, r"melds\[0\]: 5S 5H is not a set or run"),
        ({"melds": ["QS QH QD", "5S 5H 5D", "QS QH QD"]}, r"melds\[2\]: QS QH QD already"),
        ({"melds": "5S 5H 5D"}, "one text"),
        ({"multiplier": 0}, "multiplier=0"),
    ],
)
def test_bad_showdown(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        showdown(**({"knocker": KNOCKER, "defender": DEFENDER} | changes))


def test_numpy_multiplier() -> None:
    assert showdown(KNOCKER, DEFENDER, multiplier=np.int64(2)) == showdown(KNOCKER, DEFENDER, multiplier=2)


def test_what_is_shown() -> None:
    way = best_melds("KC QC AC 2C 5S 5D 5H 9C", "classic25(wrap=true)")[0]
    assert str(way) == "5S 5H 5D · QC KC AC 2C | 9C"
    assert repr(way) == "Arrangement('5S 5H 5D · QC KC AC 2C | 9C', points=9)"
    assert str(best_melds("7S 8S 9S")[0]) == "7S 8S 9S"
    assert str(best_melds("7S AH")[0]) == "no meld | 7S AH"
    assert repr(BestDiscard(3, parse_hand("KH"))) == "BestDiscard(deadwood=3, cards='KH')"
    got = showdown(KNOCKER, DEFENDER)
    assert str(got) == "undercut: 7 against 7, the defender wins 25"
    assert "knocker_melds='5S 5H 5D · QS QH QD · 9C 10C JC'" in repr(got)
    assert eval(repr(got), {"Showdown": dict})["ending"] == "undercut"


def test_results_are_values() -> None:
    way = Arrangement((7,), 0, 0)
    assert way == best_melds("AS 2S 3S")[0]
    with pytest.raises(AttributeError):
        way.points = 3  # type: ignore[misc]
    assert hash(showdown(KNOCKER, DEFENDER)) == hash(showdown(KNOCKER, DEFENDER))


@every_variant
def test_kernels_of_many(rules: Rules) -> None:
    hands = masks(hands_of(rules, 40, seed=9))
    c = rules.array()
    out, cards = np.empty(hands.size, np.int16), np.empty(hands.size, np.int64)
    kernel.deadwood_many(hands, c, out)
    assert out.tolist() == [kernel.deadwood(mask, c) for mask in hands]
    kernel.best_discards_many(hands, np.zeros_like(hands), c, out, cards)
    assert list(zip(out.tolist(), cards.tolist(), strict=True)) == [kernel.best_discards(mask, 0, c) for mask in hands]
    assert kernel.outside(hands, FULL_DECK) == -1
    hands[7] |= 1 << 14
    assert kernel.outside(hands, FULL_DECK) == 7
    assert bool(c[D.WRAP_LOW]) == rules.wrap
    assert ginsim.deadwood is deadwood
