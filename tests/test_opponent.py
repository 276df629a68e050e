"""The opponent model against a slow twin, on views of real play and on awkward ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import pytest

from ginsim.games.catalog import Strategy
from ginsim.games.gin import view as V
from ginsim.games.gin.players import opponent as kernel
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import HANDS, Work, play
from tests.helpers import from_mask, mask
from tests.oracle import opponent as twin
from tests.oracle.cards import Pack, bit, full_deck, pack_of, to_mask
from tests.oracle.outlook import Known
from tests.strategy_contract import awkward_views, view_of
from tests.test_lookahead import AWKWARD, PACKS, RULES, TEN, array_of, chances_in, known, rules_of, without

FACTORS = (kernel.DISCARDED, kernel.PASSED, kernel.TOOK)
WEIGHED = ((0.3, 1.0), (1.0, 0.5), (2.5, 0.0), (0.0, 1.0))
"""Factor of the dear cards, and how far the others are used."""
STEPS = 2
CLOSE = 1e-4
"""Weights of the odds are kept in steps of a millionth."""


def assert_as_told(view: np.ndarray, told: Known, kept_dear: float, reads: float) -> float:
    """What is written into a view is the twin's; returns by how much the chances miss the number of unknown cards."""
    array = view.copy()
    kernel.believe(array, kept_dear, reads)
    found, expected = chances_in(array), twin.beliefs(told, kept_dear, reads, FACTORS, STEPS)
    assert found == pytest.approx(expected, abs=CLOSE)
    assert all(0 <= chance <= 1 for chance in found.values())
    assert {slot for slot in range(64) if array[V.BELIEF + slot]} <= {bit(card) for card in found}
    np.testing.assert_array_equal(array[:V.BELIEF], view[:V.BELIEF])
    return abs(sum(found.values()) - unknown(told))


def unknown(told: Known) -> int:
    """Cards of the opponent that were not seen."""
    return int(told.rules.hand_size - len(told.opponent_known))


@dataclass
class Watched:
    """Plays as a strategy does, and looks at the chances before each draw and discard."""

    strategy: Strategy
    rules: Rules
    missed: list[float] = field(default_factory=list)
    """By how much the chances of the shipped model miss the number of unknown cards."""
    away: list[float] = field(default_factory=list)
    """How far from the chances that do not the farthest is."""

    def look(self, view: np.ndarray) -> None:
        told = known(view, self.rules)
        missed = [assert_as_told(view, told, *weighed) for weighed in WEIGHED]
        self.missed.append(missed[0])
        stepped, exact = (twin.beliefs(told, *WEIGHED[0], FACTORS, steps) for steps in (STEPS, None))
        assert sum(exact.values()) == pytest.approx(unknown(told))
        self.away.append(max(abs(exact[card] - stepped[card]) for card in exact))

    def answer(self, kind: int, view: View) -> int:
        if kind < 2:
            self.look(view.array)
        return int(self.strategy.decisions[kind](view.array, self.strategy.array))

    def draw(self, view: View) -> int:
        return self.answer(0, view)

    def discard(self, view: View) -> int:
        return self.answer(1, view)

    def knock(self, view: View) -> int:
        return self.answer(2, view)


@pytest.mark.parametrize("spec", RULES)
def test_chances_of_real_play(spec: str) -> None:
    """Two steps bring the sum of the chances to within a quarter of a card on average, far from it after many pick-ups."""
    rules = Rules.parse(spec)
    missed, away = list[float](), list[float]()
    for deal, names in enumerate([("random", "simple"), ("lookahead", "gin_only")]):
        pair = [Watched(Strategy.parse(name), rules) for name in names]
        play(Work(tuple(Strategy.of(player=player) for player in pair), rules, 12, HANDS, deal, 2))
        missed += pair[0].missed + pair[1].missed
        away += pair[0].away + pair[1].away
    assert np.mean(missed) < 0.25
    assert np.max(missed) < 2
    assert np.mean(away) < 0.025
    assert np.max(away) < 0.2


@pytest.mark.parametrize("pack", PACKS, ids=str)
def test_cards_near_others(pack: Pack) -> None:
    c, rnd, deck = array_of(pack), random.Random(5), full_deck(pack)
    for _ in range(100):
        cards = frozenset(card for card in deck if rnd.random() < rnd.choice([0.05, 0.2, 0.7]))
        found = [from_mask(kind) for kind in kernel.near(np.int64(to_mask(cards)), c)]
        for card in deck:
            assert tuple(card in kind for kind in found) == twin.near(card, cards, pack), (card, cards)


@pytest.mark.parametrize("spec", RULES)
def test_any_view(spec: str) -> None:
    """Evidence at random, from none to very much; also none of the opponent's cards known, or all."""
    rnd, rules = random.Random(7), Rules.parse(spec)
    for _ in range(40):
        view, deck = view_of(rules, ""), full_deck(pack_of(rules))
        rnd.shuffle(deck)
        own, rest = deck[: rules.hand_size], deck[rules.hand_size :]
        held = rest[: rnd.choice([0, 0, 1, 3, rules.hand_size])]
        most = max(len(held), len(rest) - rules.hand_size)
        gone = rest[len(held) : rnd.randrange(len(held), most + 1)]
        discards = [card for card in gone if rnd.random() < 0.5]
        passed = [card for card in gone if rnd.random() < 0.5]
        slots = {V.HAND: own, V.OPP_HELD: held, V.PILE: gone, V.OPP_DISCARDS: discards, V.OPP_PASSED: passed}
        for slot, cards in slots.items():
            view[slot] = to_mask(cards)
        if discards:
            view[V.OPP_TURN], view[V.OPP_LOG + 1] = 1, mask(discards[-1])
        assert_as_told(view, known(view, rules), *rnd.choice(WEIGHED))


def test_awkward_views() -> None:
    for _, view in (AWKWARD | awkward_views()).values():
        array = view.copy()
        if turns := array[V.OPP_TURN]:
            array[V.OPP_LOG + 2 * turns - 1] = mask((1, 0))
        for weighed in WEIGHED:
            assert_as_told(array, known(array, rules_of(view)), *weighed)


def test_nothing_to_weigh() -> None:
    """All the opponent's cards known, none left in the stock, one unseen card, and only dear cards that are never kept."""
    held = "AS 3S 4S AH 2H 3H AD 2D AC 2C"
    told = {
        "all known": (view_of("eaai", TEN, opp_held=held), 0),
        "no stock": (view_of("eaai", TEN, pile=without(TEN, held)), 1),
        "one unseen": (view_of("eaai", TEN, opp_held=held[3:], pile=without(TEN, held)), 1),
    }
    for name, (view, chance) in told.items():
        for weighed in WEIGHED:
            kernel.believe(view, *weighed)
            assert set(chances_in(view).values()) == {chance}, name
    low = " ".join(card for card in without(TEN).split() if card[:-1] in "A23456789")
    dear = view_of("eaai", TEN, pile=low, opp_turn=1)
    dear[V.OPP_LOG + 1] = mask((0, 1))
    kernel.believe(dear, 0.0, 1.0)
    assert set(chances_in(dear).values()) == {0.0}
