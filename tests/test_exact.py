"""Exact odds: every hand of small decks one by one, published figures, dealt hands, and the card facts by enumeration."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare
from typer.testing import CliRunner

from ginsim import InputError, Rules, exact_deadwood
from ginsim import melds as kernel
from ginsim.cards import FULL_DECK, format_card, parse_hand
from ginsim.cli import app
from ginsim.deals import base_deck
from ginsim.exact import card_melds, danger, dead_hands, fill, kinds_of_melds, outs
from ginsim.exact.meldless import count_meldless
from ginsim.report import plots
from tests.oracle import melds as oracle
from tests.oracle.cards import RANKS, Hand, Pack, from_mask, full_deck, hand, pack_of, to_mask

SMALL = {
    "three suits": (Rules(ranks=5, suits=3, hand_size=3), (3, 5, 7)),
    "two suits": (Rules(ranks=7, suits=2, hand_size=3), (4, 7, 11)),
    "four suits": (Rules(ranks=4, hand_size=3), (3, 6)),
    "ace 15": (Rules(ranks=4, ace_value=15, hand_size=3), (5,)),
    "wrap": (Rules(ranks=5, suits=3, wrap=True, hand_size=3), (3, 6)),
    "wrap, two suits": (Rules(ranks=7, suits=2, wrap=True, ace_value=15, hand_size=3), (5, 8, 13)),
    "wrap, four ranks": (Rules(ranks=4, wrap=True, hand_size=3), (3, 6)),
    "wrap, one suit's worth": (Rules(ranks=13, suits=2, wrap=True, hand_size=3), (4,)),
}
small = pytest.mark.parametrize(("rules", "sizes"), SMALL.values(), ids=SMALL.keys())


def fewest(held: Hand, pack: Pack) -> tuple[int, int]:
    """Least deadwood, and the fewest melds that leave it."""
    return oracle.deadwood(held, pack), min(len(family) for family in oracle.arrangements(held, pack))


def after_discard(held: Hand, pack: Pack) -> tuple[int, int]:
    return min(fewest(held - {card}, pack) for card in held)


def hands_of(rules: Rules, cards: int) -> Iterator[Hand]:
    return map(frozenset, combinations(full_deck(pack_of(rules)), cards))


def as_counter(counts: np.ndarray) -> Counter[tuple[int, int]]:
    return Counter({(int(d), int(m)): int(counts[d, m]) for d, m in np.argwhere(counts)})


# Counting


@small
@pytest.mark.parametrize("discard", [False, True], ids=["dealt", "after the discard"])
def test_every_hand_of_small_decks(rules: Rules, sizes: tuple[int, ...], discard: bool) -> None:
    pack, value = pack_of(rules), after_discard if discard else fewest
    for cards in sizes:
        expect = Counter(value(held, pack) for held in hands_of(rules, cards))
        assert as_counter(exact_deadwood(cards, rules, discard).counts) == expect, cards


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("ranks", "suits", "cards"), [(5, 4, 10), (5, 4, 11), (9, 2, 9), (7, 3, 8), (9, 2, 14)])
def test_every_hand_by_the_kernel(ranks: int, suits: int, cards: int, wrap: bool) -> None:
    rules = Rules(ranks=ranks, suits=suits, wrap=wrap, ace_value=15, hand_size=5)
    deck, c = base_deck(ranks, suits), rules.array()
    hands = deck[np.array(list(combinations(range(deck.size), cards)))].sum(axis=1)
    left, chosen = np.empty(hands.size, np.int16), np.empty(hands.size, np.int64)
    kernel.deadwood_many(hands, c, left)
    assert exact_deadwood(cards, rules).table().hands.tolist() == np.bincount(left).tolist()
    kernel.best_discards_many(hands, np.zeros_like(hands), c, left, chosen)
    assert exact_deadwood(cards, rules, discard=True).table().hands.tolist() == np.bincount(left).tolist()


@pytest.mark.parametrize("cards", range(1, 12))
def test_every_hand_is_counted_once(cards: int) -> None:
    every = exact_deadwood(cards)
    assert every.hands == comb(52, cards)
    assert every.table().hands.sum() == every.melds().hands.sum() == comb(52, cards)
    assert every.table().at_most.iloc[-1] == 1


def test_published_figures() -> None:
    every = exact_deadwood(10)
    assert every.gin == 136_694
    assert round(float(every.mean), 6) == 56.569434
    assert every.knockable == every.at_most(10) == every.table().hands[:11].sum()
    assert exact_deadwood(10, "straight").knockable == 136_694
    assert exact_deadwood(10, "oklahoma").knockable is None


def test_by_hand() -> None:
    assert exact_deadwood(3).gin == 52 + 44
    assert exact_deadwood(3, "classic25(wrap=true)").gin == 52 + 52
    assert exact_deadwood(4).gin == 13 + 4 * 10
    assert exact_deadwood(1, "round_the_corner").mean == Fraction(4 * (15 + 54 + 30), 52)
    assert exact_deadwood(2, discard=True).mean == Fraction(
        sum(min(a, b) for a, b in combinations([min(r + 1, 10) for r in range(13)] * 4, 2)), comb(52, 2)
    )


@pytest.mark.parametrize(
    ("rules", "cards", "discard"),
    [("classic25", 10, False), ("classic25", 8, True), ("round_the_corner", 7, False), ("classic25(ranks=9)", 8, True)],
)
def test_dealt_hands_agree(rules: str, cards: int, discard: bool) -> None:
    read = Rules.parse(rules)
    deck, count = base_deck(read.ranks, read.suits), 100_000
    order = np.random.default_rng(5).random((count, deck.size)).argpartition(cards, axis=1)[:, :cards]
    hands, c = deck[order].sum(axis=1), read.array()
    left, chosen = np.empty(count, np.int16), np.empty(count, np.int64)
    if discard:
        kernel.best_discards_many(hands, np.zeros_like(hands), c, left, chosen)
    else:
        kernel.deadwood_many(hands, c, left)
    expected = count * exact_deadwood(cards, read, discard).table().chance.to_numpy()
    seen = np.bincount(left, minlength=expected.size)
    common = expected >= 10
    rare = [seen[~common].sum(), expected[~common].sum()]
    assert chisquare([*seen[common], rare[0]], [*expected[common], rare[1]]).pvalue > 1e-3


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("discard", [False, True])
def test_hands_with_and_without_some_cards(wrap: bool, discard: bool) -> None:
    rules = Rules(ranks=6, suits=3, wrap=wrap, hand_size=3)
    holding, without = hand("3S 4H"), hand("5S AD 6D 3D")
    value = after_discard if discard else fewest
    expect = Counter(value(held, pack_of(rules)) for held in hands_of(rules, 6) if holding <= held and not held & without)
    found = exact_deadwood(6, rules, discard, to_mask(holding), to_mask(without))
    assert as_counter(found.counts) == expect
    assert (found.holding, found.without) == (to_mask(holding), to_mask(without))


def test_hands_with_a_card_and_without_it_are_all_hands() -> None:
    parts = [exact_deadwood(7, holding="9H"), exact_deadwood(7, without="9H")]
    assert sum((as_counter(part.counts) for part in parts), Counter()) == as_counter(exact_deadwood(7).counts)


def test_one_hand() -> None:
    only = exact_deadwood(holding="8S 8H 8D 5S 6S 7S AD 4C 9H QS")
    assert (only.hands, float(only.mean), only.gin, only.meldless) == (1, 24, 0, 0)
    assert "mean=24.0" in repr(only)
    assert only.melds().deadwood.dropna().tolist() == [24]
    last = exact_deadwood(3, without=FULL_DECK ^ parse_hand("2S 2H 2D"))
    assert (last.hands, last.gin) == (1, 1)


def test_progress_is_reported() -> None:
    ranks: list[int] = []
    exact_deadwood(3, "classic25(ranks=9)", report=ranks.append)
    assert ranks == list(range(1, 10))


# Card facts


@pytest.mark.parametrize("spec", ["classic25", "round_the_corner", "classic25(ranks=6, suits=3, hand_size=5)"])
def test_melds_of_each_card(spec: str) -> None:
    rules = Rules.parse(spec)
    table = card_melds(rules)
    every = [meld for meld in oracle.all_melds(pack_of(rules)) if len(meld) <= rules.hand_size]
    for rank in range(rules.ranks):
        sizes = Counter(f"{'sets' if len({s for _, s in m}) > 1 else 'runs'}_of_{len(m)}" for m in every if (rank, 0) in m)
        row = table.loc[RANKS[rank]].to_dict()
        assert {name: row[name] for name in row if "_of_" in name and row[name]} == sizes
        assert row["sets"] + row["runs"] == row["melds"] == sizes.total()
    sizes = {name: int(name.rsplit("_", 1)[1]) for name in table if "_of_" in name}
    assert sum(rules.suits * table[name].sum() / size for name, size in sizes.items()) == pytest.approx(len(every))


def test_melds_of_the_standard_deck() -> None:
    table = card_melds()
    assert 4 * sum(table[f"runs_of_{n}"].sum() / n for n in range(3, 11)) == pytest.approx(240)
    assert 4 * sum(table[f"sets_of_{n}"].sum() / n for n in (3, 4)) == pytest.approx(65)
    assert table.melds.idxmax() == "7"


@pytest.mark.parametrize(
    ("spec", "cards"),
    [
        ("classic25", 3), ("classic25", 10), ("classic25(wrap=true)", 5), ("classic25(suits=2, hand_size=7)", 7),
        ("classic25(ranks=9, suits=3, hand_size=7, wrap=true)", 8),
    ],
)  # fmt: skip
def test_hands_without_melds_are_counted_twice_alike(spec: str, cards: int) -> None:
    rules = Rules.parse(spec)
    meldless = count_meldless(cards, rules.ranks, rules.suits, rules.wrap, sets=True, runs=True)
    assert meldless == exact_deadwood(cards, rules).meldless == kinds_of_melds(cards, rules).hands["neither"]


@pytest.mark.parametrize("wrap", [False, True])
def test_kinds_of_melds(wrap: bool) -> None:
    rules = Rules(ranks=5, wrap=wrap, hand_size=3)
    pack = pack_of(rules)
    kinds: Counter[str] = Counter()
    for held in hands_of(rules, 6):
        melds = oracle.melds_in(held, pack)
        runs = sum(len({suit for _, suit in meld}) == 1 for meld in melds)
        names = {"a set": len(melds) > runs, "a run": runs, "both": 0 < runs < len(melds), "either": melds, "neither": not melds}
        kinds.update(name for name, holds in names.items() if holds)
    assert kinds_of_melds(6, rules).hands.to_dict() == kinds


# Dead hands


def is_dead(held: Hand, pack: Pack) -> bool:
    """Whether no meld of three of the deck has two of its cards, or all, in the hand."""
    threes = [meld for meld in oracle.all_melds(pack) if len(meld) == 3]
    return all(len(meld & held) < 2 for meld in threes)


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize(("ranks", "suits"), [(4, 4), (5, 3), (6, 3), (7, 2), (8, 2)])
def test_dead_hands_by_every_hand(ranks: int, suits: int, wrap: bool) -> None:
    rules = Rules(ranks=ranks, suits=suits, wrap=wrap, hand_size=3)
    pack = pack_of(rules)
    expect = [sum(is_dead(held, pack) for held in hands_of(rules, cards)) for cards in range(1, 7)]
    assert dead_hands(range(1, 7), rules).hands.tolist() == expect


def test_dead_hands_of_the_standard_deck() -> None:
    """A known figure: 6,820,068 of all hands of nine cards, 1 in 539."""
    table = dead_hands()
    assert table.index.tolist() == [7, 8, 9, 10, 11]
    assert table.hands[9] == 6_820_068
    assert round(table.one_in[9]) == 539
    assert table.chance[9] == 6_820_068 / comb(52, 9)
    assert dead_hands([13, 14]).hands.tolist() == [24_576, 0]


@pytest.mark.parametrize("spec", ["classic25", "round_the_corner"])
def test_dead_hands_agree_with_hands_dealt(spec: str) -> None:
    rules, rng, trials = Rules.parse(spec), np.random.default_rng(1), 20_000
    pack, deck = pack_of(rules), full_deck(pack_of(rules))
    threes = [meld for meld in oracle.all_melds(pack) if len(meld) == 3]
    pairs = {pair for meld in threes for pair in combinations(sorted(meld), 2)}
    dealt = [sorted(deck[i] for i in rng.choice(len(deck), 7, replace=False)) for _ in range(trials)]
    dead = sum(all(pair not in pairs for pair in combinations(held, 2)) for held in dealt)
    chance = dead_hands([7], rules).chance[7]
    assert abs(dead - trials * chance) < 4 * (trials * chance) ** 0.5


# What the next card does


@pytest.mark.parametrize(
    ("spec", "seed"),
    [("classic25", 1), ("round_the_corner(big_gin_bonus=31)", 2), ("classic25(hand_size=7, knock_limit=6)", 3), ("oklahoma", 4)],
)
def test_outs_by_every_card(spec: str, seed: int) -> None:
    """Each unseen card drawn, each discard tried."""
    rules = Rules.parse(spec)
    pack, rng = pack_of(rules), np.random.default_rng(seed)
    near = sorted(full_deck(pack))[:28]  # neighbouring ranks, so that there are melds
    for _ in range(4):
        held = frozenset(near[i] for i in rng.choice(len(near), rules.hand_size, replace=False))
        rest = sorted(set(full_deck(pack)) - held)
        seen = frozenset(rest[i] for i in rng.choice(len(rest), 8, replace=False))
        left = {card: after_discard(held | {card}, pack)[0] for card in rest if card not in seen}
        now, limit = oracle.deadwood(held, pack), 10 if rules.oklahoma else rules.knock_limit
        found = outs(to_mask(held), to_mask(seen), rules)
        asked = [(found.improve, now - 1), (found.knock, limit), (found.gin, 0)]
        for mask, most in asked:
            cards = {card for card, value in left.items() if value <= most}
            assert from_mask(mask) == cards
            assert found.chance(mask) == Fraction(len(cards), len(left))
        big = {card for card in left if not oracle.deadwood(held | {card}, pack)} if rules.big_gin_bonus is not None else set()
        assert from_mask(found.big_gin) == big
        assert found.table().deadwood.tolist() == sorted(left.values())


def test_outs_with_cards_known_in_the_opponents_hand() -> None:
    found = outs("4S 4H 4D 8C 9C 10C KS KH 2D AC", seen="2S", known="KD")
    assert found.knock == parse_hand("KC")
    assert found.chance(found.knock) == Fraction(1, 40)


def test_outs_in_words() -> None:
    found = outs("4S 4H 4D 8C 9C 10C JC AS AD KC")
    assert repr(found).startswith("Outs('AS 4S 4H AD 4D 8C 9C 10C JC KC', deadwood=12, improve='")
    assert "gin='AH AC', unseen=42)" in repr(found)
    assert found.table().discards["AH"] == "KC"


LITTLE = Rules(ranks=6, suits=4, hand_size=4)
LITTLE_WRAP = LITTLE.replace(wrap=True)


def shares(holds: Iterator[bool]) -> Fraction:
    ways = list(holds)
    return Fraction(sum(ways), len(ways))


@pytest.mark.parametrize("rules", [LITTLE, LITTLE_WRAP], ids=["plain", "wrap"])
@pytest.mark.parametrize(
    ("text", "seen"),
    [("4H 4S", ""), ("4H 4S", "4C"), ("2H 3H", "6S"), ("4H 6H", ""), ("4H 4S 5H", "3H AS"), ("AH 6H", ""), ("AH 3S", "")],
)
def test_fill_by_every_draw(rules: Rules, text: str, seen: str) -> None:
    pack, held, gone = pack_of(rules), hand(text), hand(seen)
    hidden = [card for card in full_deck(pack) if card not in held | gone]
    outs = {card for card in full_deck(pack) if card not in held and oracle.melds_with(held, card, pack)}
    found = fill(text, seen, [1, 2, 3], rules)
    assert from_mask(found.outs) == outs - gone
    assert from_mask(found.dead) == outs & gone
    assert found.unseen == len(hidden)
    for draws in (1, 2, 3):
        assert found.chance(draws) == shares(bool(outs.intersection(drawn)) for drawn in combinations(hidden, draws))
    hands = [set(cards) for cards in combinations(hidden, rules.hand_size)]
    assert found.opponent_one == shares(bool(outs & cards) for cards in hands)
    assert found.opponent_all == (shares(outs - gone <= cards for cards in hands) if outs - gone else None)


def test_fill_with_cards_known_in_the_opponents_hand() -> None:
    found = fill("4H 4S", known="4C KD")
    assert (found.outs, found.known, found.unseen, found.opponent) == (parse_hand("4D"), parse_hand("4C"), 48, 8)
    assert found.opponent_one == 1
    assert found.opponent_all == Fraction(8, 48)
    assert found.dead == 0


def test_own_cards_may_be_named_as_seen_too() -> None:
    assert fill("4H 4S", "4S 4H KD") == fill("4H 4S", "KD")
    assert danger("4H 4S", "4S 4H KD").equals(danger("4H 4S", "KD"))


def test_fill_in_words() -> None:
    """One out of 50 unseen cards for the inside run, two for the pair and the open run, one at the edge."""
    chances = {text: fill(text).chance(1) for text in ("4H 6H", "4H 4S", "5H 6H", "AH 2H")}
    assert chances == {"4H 6H": Fraction(1, 50), "4H 4S": Fraction(2, 50), "5H 6H": Fraction(2, 50), "AH 2H": Fraction(1, 50)}
    assert fill("AH 2H", rules="round_the_corner").chance(1) == Fraction(2, 50)
    assert fill("4H 4S 5H").chance(1) == Fraction(4, 49)
    assert fill("4H 9S").table().chance.eq(0).all()


@pytest.mark.parametrize("rules", [LITTLE, LITTLE_WRAP], ids=["plain", "wrap"])
@pytest.mark.parametrize(
    ("text", "seen", "known"),
    [("AH 4S 6D", "", ""), ("AH 4S 6D", "5S 4C", "3S"), ("4S", "", "4H 4D"), ("3C", "", "2C 5C AS 6S")],
)
def test_danger_by_every_hand(rules: Rules, text: str, seen: str, known: str) -> None:
    pack, own, gone, theirs = pack_of(rules), hand(text), hand(seen), hand(known)
    hidden = [card for card in full_deck(pack) if card not in own | gone | theirs]
    hands = [theirs | frozenset(cards) for cards in combinations(hidden, rules.hand_size - len(theirs))]
    table = danger(text, seen, rules, known)
    assert table.chance.is_monotonic_increasing
    for card in own:
        row = table.loc[format_card(to_mask([card]))]
        chance = shares(bool(oracle.melds_with(cards, card, pack)) for cards in hands)
        assert row.chance == pytest.approx(float(chance), abs=1e-12)
        pairs = [pair for pair in combinations([*hidden, *theirs], 2) if oracle.is_meld({*pair, card}, pack)]
        assert row.pairs == len(pairs)


# Bad input


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact_deadwood(0), "cards: 0 is not allowed; give a whole number from 1 to 14"),
        (lambda: exact_deadwood(15), "cards: 15"),
        (lambda: exact_deadwood(True), "cards: True"),
        (lambda: exact_deadwood(10.0), r"cards: 10\.0"),  # type: ignore[arg-type]
        (lambda: exact_deadwood(1, discard=True), "cards: 1 is not allowed; give a whole number from 2"),
        (lambda: exact_deadwood(13, "classic25(ranks=3, hand_size=3)"), "cards: 13 .* from 1 to 12"),
        (lambda: exact_deadwood(10, "clasic25"), "did you mean 'classic25'"),
        (lambda: exact_deadwood(3, holding="AS 2S 3S 4S"), "cards: 3 .* from 4 to 14"),
        (lambda: exact_deadwood(3, holding="AS", without="2S AS"), "holding and without both name AS"),
        (lambda: exact_deadwood(3, holding="1Z"), "holding: '1Z' is not a card"),
        (lambda: exact_deadwood(3, "classic25(ranks=9)", without="KS"), "without: KS not in the deck"),
        (lambda: exact_deadwood(3, without=FULL_DECK), "holding and without leave no hand"),
        (lambda: fill(""), "holding: no cards"),
        (lambda: fill("4H", known="4H"), "holding and known both name 4H"),
        (lambda: fill("4H", "5H", known="5H"), "seen and known both name 5H"),
        (lambda: fill("4H", known="AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS"), "known: 11 cards; the opponent holds 10"),
        (lambda: fill("4H", seen=FULL_DECK ^ parse_hand("4H 5H")), "leave 1 unseen; the opponent holds 10 such"),
        (lambda: fill("4H 5H", draws=[41]), "draws: 41 .* up to 40"),
        (lambda: fill("4H 5H", draws=[1.5]), r"draws: 1\.5"),  # type: ignore[list-item]
        (lambda: fill("4H 5H", draws=3), "draws: 3 is not allowed; give a list"),  # type: ignore[arg-type]
        (lambda: danger(""), "hand: no cards"),
        (lambda: danger("4H", known="4H"), "hand and known both name 4H"),
        (lambda: kinds_of_melds(0), "cards: 0"),
        (lambda: dead_hands([0]), "cards: 0 is not allowed; give a whole number from 1 to 14"),
        (lambda: dead_hands(9), "cards: 9 is not allowed; give a list of whole numbers"),  # type: ignore[arg-type]
        (lambda: dead_hands([]), "cards: no numbers"),
        (lambda: outs("4S 5S"), "hand: 2 cards; give the 10 held before the draw"),
        (lambda: outs("4S 4H 4D 8C 9C 10C KS KH 2D AC AS"), "hand: 11 cards; give the 10 held before the draw: discard first"),
        (lambda: outs("4S 4H 4D 8C 9C 10C KS KH 2D AC", known="4S"), "hand and known both name 4S"),
    ],
)  # fmt: skip
def test_bad_input(call: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()


# The command


def ginsim(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["exact", *words])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize(
    ("words", "column"), [(("melds",), "usable"), (("danger", "KS 7S"), "pairs"), (("deadwood", "--cards", "3"), "deadwood")]
)
def test_columns_that_do_not_speak_for_themselves_are_explained(words: tuple[str, ...], column: str) -> None:
    lines = ginsim(*words).splitlines()
    assert any(column in line.split() for line in lines if line.startswith("┃"))
    assert any(line.startswith(f"{column}: ") for line in lines)


def test_command_csv_is_deadwood_and_hands() -> None:
    lines = ginsim("deadwood", "--cards", "10", "--format", "csv").splitlines()
    assert lines[:2] == ["deadwood,hands", "0,136694"]
    assert [int(line.split(",")[0]) for line in lines[1:]] == list(range(len(lines) - 1))
    assert sum(int(line.split(",")[1]) for line in lines[1:]) == comb(52, 10)


def test_command_table_and_json(tmp_path: Path) -> None:
    text = ginsim("deadwood")
    assert "136,694" in text
    assert "mean deadwood: 56.569434" in text
    file = tmp_path / "odds.json"
    assert "written" in ginsim("deadwood", "--cards", "4", "--rules", "round_the_corner(knock_limit=3)", "--out", str(file))
    found = json.loads(file.read_text(encoding="utf-8"))
    assert (found["cards"], found["rules"], found["hands"]) == (4, "round_the_corner(knock_limit=3)", comb(52, 4))
    assert sum(found["melds"].values()) == sum(row["hands"] for row in found["table"]) == comb(52, 4)
    assert "big gin" in ginsim("deadwood", "--rules", "classic25(ranks=5, hand_size=4)", "--cards", "5")
    assert "after the best discard" in ginsim("deadwood", "--cards", "5", "--discard", "--holding", "AS 2S")


def test_command_draws(tmp_path: Path) -> None:
    file = tmp_path / "odds.svg"
    ginsim("deadwood", "--cards", "4", "--out", str(file))
    assert "All 270,725 hands of 4 cards, classic25" in file.read_text(encoding="utf-8")


def test_plot() -> None:
    found = exact_deadwood(5, discard=True, holding="AS")
    ax = plots.deadwood_odds(found)
    heights = np.array([bar.get_height() for bar in ax.patches]).reshape(found.counts.shape[::-1]).T
    assert heights.sum() == pytest.approx(100)
    assert np.allclose(heights, 100 * found.counts / found.hands)
    assert ax.get_ylabel() == "share of hands (%)"
    assert "after the best discard" in ax.get_xlabel()
    assert plots.deadwood_odds(exact_deadwood(3, "oklahoma"), ax) is ax


def test_command_facts(tmp_path: Path) -> None:
    assert ginsim("melds", "--format", "csv").splitlines()[0].startswith("rank,sets,runs,melds,sets_of_3")
    assert "a set" in ginsim("melds", "--cards", "3")
    assert json.loads(ginsim("melds", "--cards", "3", "--format", "json"))["hands"]["a run"] == 44
    text = ginsim("fill", "4H 4S 5H", "--seen", "3H KD", "--draws", "1,2", "--known", "4C")
    assert "6♥ 4♦ (2 of 46 unseen)" in text
    assert ginsim("fill", "4H 4S", "--draws", "1", "--format", "csv") == "draws,chance\n1,0.04\n"
    text = ginsim("outs", "4S 4H 4D 8C 9C 10C KS KH 2D AC", "--seen", "2S QD")
    assert "10 or less: enough to knock │     2 │  5.00 % │ K♦ K♣" in text
    assert "big gin" not in text
    text = ginsim("outs", "2S 2H 2D 4S 4H 4D 8C 9C 10C AC", "--rules", "oklahoma(big_gin_bonus=31)")
    assert "enough to knock if the upcard is worth 10" in text
    assert "every card" in text
    assert "big gin" in text
    found = json.loads(ginsim("outs", "4S 4H 4D 8C 9C 10C JC AS AD KC", "--format", "json"))
    assert found["gin"] == {"cards": "AH AC", "chance": 2 / 42}
    assert len(found["table"]) == found["unseen"] == 42
    (row,) = [line.split() for line in ginsim("dead").splitlines() if line.startswith("│ 9 ")]
    assert row == ["│", "9", "│", "6,820,068", "│", "0.1854", "%", "│", "539", "│"]
    assert ginsim("dead", "--cards", "14", "--format", "csv") == "cards,hands,chance,one_in\n14,0,0.0,\n"
    assert json.loads(ginsim("dead", "--cards", "14", "--format", "json"))["table"][0]["one_in"] is None
    assert "two cards of one rank" not in ginsim("dead", "--rules", "classic25(suits=2, hand_size=7)").replace("\n", " ")
    file = tmp_path / "facts.txt"
    ginsim("danger", "7S KS", "--out", str(file))
    assert [line.split()[1] for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("│")] == ["KS", "7S"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["deadwood", "--cards", "15"], "cards: 15"),
        (["deadwood", "--cards", "x"], "cards: 'x'"),
        (["deadwood", "--format", "cvs"], "did you mean 'csv'"),
        (["deadwood", "--rules", "nothing"], "there is no 'nothing'"),
        (["deadwood", "--out", " "], "out: ' '"),
        (["fill", "4H 4X"], "holding: '4X'"),
        (["fill", "4H 4S", "--draws", "1,x"], "draws: '1,x'"),
        (["danger", "4H", "--known", "4H"], "both name 4H"),
        (["outs", "4H 4S"], "hand: 2 cards; give the 10"),
        (["outs", "4X"], "hand: '4X'"),
        (["dead", "--cards", "0"], "cards: 0"),
        (["dead", "--format", "xml"], "format: there is no 'xml'"),
    ],
)
def test_command_bad_input(words: list[str], message: str) -> None:
    assert message in ginsim(*words, code=2)
