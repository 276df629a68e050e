"""What every strategy must hold to. For one of your own, in a test file::

    from tests.strategy_contract import StrategyContract

    class TestMine(StrategyContract):
        spec = "path/to/file.py:mine(param=2)"
"""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from ginsim.cards import format_hand, parse_hand
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin import view as slots_of_a_view
from ginsim.games.gin.hand import new_table
from ginsim.games.gin.kernels import hands_kernel
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.gin.view import View
from ginsim.melds import deadwood
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.helpers import random_rules

KINDS = ("draw", "discard", "knock")
Asked = list[tuple[str, np.ndarray]]


class StrategyContract:
    """Inherit from it and set ``spec``; every test is then yours."""

    spec: str
    rules: tuple[str, ...] = ("classic25", "round_the_corner")
    """Rules for the longer tests; all presets and random rules are tried anyhow."""
    random: bool | None = None
    """Whether it draws random numbers (None: either will do)."""

    @pytest.fixture
    def strategy(self) -> Strategy:
        return Strategy.parse(self.spec)

    def test_moves_are_legal_under_every_rule(self, strategy: Strategy) -> None:
        """An illegal move would stop the run with a StrategyError."""
        rnd = random.Random(1)
        every = [*(preset.rules for preset in PRESETS.values()), *(random_rules(rnd) for _ in range(60))]
        for number, rules in enumerate(every):
            for a, b in [(strategy, Strategy.parse("random")), (strategy, strategy)]:
                play(Work((a, b), rules, number, HANDS, 0, 4))

    def test_same_seed_same_play(self, strategy: Strategy) -> None:
        for spec in self.rules:
            once, again, other = (records(strategy, spec, seed) for seed in (5, 5, 6))
            np.testing.assert_array_equal(once, again)
            assert not np.array_equal(once, other)

    def test_a_deal_is_played_alike_wherever_it_comes(self, strategy: Strategy) -> None:
        """Nothing is kept from one hand to the next."""
        for spec in self.rules:
            together = records(strategy, spec, seed=7)
            for deal in (0, 5, 11):
                np.testing.assert_array_equal(records(strategy, spec, 7, deal, 1), together[2 * deal : 2 * deal + 2])

    def test_plays_games(self, strategy: Strategy) -> None:
        for spec in self.rules:
            works = [Work(strategy, Strategy.parse("simple"), Rules.parse(spec), 8, GAMES, 0, 2) for _ in range(2)]
            np.testing.assert_array_equal(*(play(work, keep=True).records for work in works))

    def test_views_are_left_alone(self, strategy: Strategy) -> None:
        """Only the random stream, the memory and the belief belong to the strategy."""
        for kind, view in [*views_in_play(), *awkward_views().values()]:
            array, params = view.copy(), strategy.array
            answer(strategy, kind, array, params)
            own = {V.RANDOM, *range(V.MEMORY, V.MEMORY + V.MEMORY_SIZE), *range(V.BELIEF, V.SIZE)}
            assert {int(slot) for slot in np.flatnonzero(array != view)} <= own
            np.testing.assert_array_equal(params, strategy.array)

    def test_answers_follow_from_the_view(self, strategy: Strategy) -> None:
        """The same view, the same answer, and nothing beyond the moves made is read from the logs."""
        for kind, view in views_in_play():
            array = view.copy()
            expected = answer(strategy, kind, array, strategy.array)
            again = view.copy()
            again[V.OWN_LOG + 2 * View(view).turn : V.OPP_LOG] = -1
            again[V.OPP_LOG + 2 * View(view).opp_turn :] = -1
            assert answer(strategy, kind, again, strategy.array) == expected
            assert again[V.RANDOM] == array[V.RANDOM]

    def test_random_numbers_come_from_the_own_stream(self, strategy: Strategy) -> None:
        differ = False
        for kind, view in views_in_play():
            answers = set()
            for state in range(8):
                array = view.copy()
                array[V.RANDOM] = 1000003 * state
                answers.add(answer(strategy, kind, array, strategy.array))
            differ |= len(answers) > 1
        assert self.random is None or differ == self.random

    def test_survives_awkward_views(self, strategy: Strategy) -> None:
        for name, (kind, view) in awkward_views().items():
            assert legal(strategy, kind, view), (name, answer(strategy, kind, view.copy(), strategy.array))

    def test_pickles(self, strategy: Strategy) -> None:
        copy = pickle.loads(pickle.dumps(strategy))
        assert copy == strategy
        assert hash(copy) == hash(strategy)
        np.testing.assert_array_equal(records(copy, self.rules[0], 9), records(strategy, self.rules[0], 9))

    def test_is_written_as_it_is_read(self, strategy: Strategy) -> None:
        again = Strategy.parse(str(strategy))
        assert (str(again), again.params) == (str(strategy), strategy.params)
        assert str(strategy) in repr(strategy)
        assert Strategy.parse(strategy) is strategy


def records(strategy: Strategy, rules: str, seed: int, first: int = 0, count: int = 12) -> Any:
    work = Work(strategy, Strategy.parse("simple"), Rules.parse(rules), seed, HANDS, first, count)
    return play(work, keep=True).records


def answer(strategy: Strategy, kind: str, view: np.ndarray, params: np.ndarray) -> int:
    return int(strategy.decisions[KINDS.index(kind)](view, params))


def legal(strategy: Strategy, kind: str, view: np.ndarray) -> bool:
    array = view.copy()
    given, seen = answer(strategy, kind, array, strategy.array), View(view)
    if kind == "discard":
        return given.bit_count() == 1 and given > 0 and given & seen.hand & ~seen.banned == given
    return given in (0, 1)


# Views


@cache
def views_in_play() -> Asked:
    """Views of decisions in real hands under many rules, of two random players (so that all sorts of things happen)."""
    rnd, found = random.Random(3), list[tuple[str, np.ndarray]]()
    wild = Strategy.parse("random")

    def watched(kind: str, decide: Callable[..., int]) -> Callable[..., int]:
        def decision(view: np.ndarray, params: np.ndarray) -> int:
            if rnd.random() < 0.1:
                found.append((kind, view.copy()))
            return decide(view, params)

        return decision

    slots = [[watched(kind, f) for kind, f in zip(KINDS, wild.decisions, strict=True)] for _ in range(2)]
    for number in range(30):
        rules = random_rules(rnd).array() if number else Rules().array()
        table, out = new_table(rules, (-1,) * 6), np.zeros((2, H.SIZE), np.int64)
        hands_kernel("python")(table, number, 0, 1, np.zeros((2, 64)), slots, out)
    assert {kind for kind, _ in found} == set(KINDS)
    return found


def view_of(rules: str | Rules, hand: str, **slots: int | str) -> np.ndarray:
    """A view of ``hand``; slots by name, cards as text."""
    view = np.zeros(V.SIZE, np.int64)
    array = Rules.parse(rules).array()
    view[: array.size] = array
    given: dict[str, int | str] = {"hand": hand, "stock": 20, "multiplier": 1, "random": 12345, "starter": 1}
    for name, value in (given | slots).items():
        view[getattr(slots_of_a_view, name.upper())] = parse_hand(value) if isinstance(value, str) else value
    view[V.PILE] |= view[V.UPCARD]
    return view


TEN = "2S 5S 6S 9H JH 3D 7D QD 4C KC"
ELEVEN = TEN + " 9C"
MELDED = "AH 2H 3H 5C 6C 7C 8C 9D 9H 9C 9S"
LOOSE = "AS 4S 7S 2H 8H JH 3D 5D QC KD"


@cache
def awkward_views() -> dict[str, tuple[str, np.ndarray]]:
    """Views that few hands bring about, by name."""
    found: dict[str, tuple[str, np.ndarray]] = {
        "nothing known": ("draw", view_of("classic25", TEN, upcard="9S", offer=1, stock=31)),
        "nothing known, dealer": ("draw", view_of("classic25", TEN, upcard="9S", offer=1, stock=31, starter=0)),
        "first discard of eleven cards": ("discard", view_of("classic25", ELEVEN, stock=31)),
        "gin already": ("draw", view_of("classic25", "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S", upcard="KD")),
        "all eleven melded": ("discard", view_of("big_gin", MELDED, drawn="8C")),
        "all eleven melded, card taken": ("discard", view_of("big_gin", MELDED, drawn="8C", banned="8C", upcard="8C")),
        "big gin": ("knock", view_of("big_gin", MELDED, drawn="8C")),
        "big gin at limit 0": ("knock", view_of("big_gin(knock_limit=0)", MELDED)),
        "gin at limit 0": ("knock", view_of("straight", "AH 2H 3H 5C 6C 7C 9D 9H 9C 9S", chosen="KD")),
        "the wall": ("draw", view_of("tournament", TEN, upcard="9S", wall=1, stock=2, turn=14, opp_turn=15)),
        "limit 100, no meld": ("knock", view_of("classic25(knock_limit=100)", LOOSE, chosen="KH", deadwood=60)),
        "nothing left in the stock": ("draw", view_of("classic25(stock_end=dead_at_0)", TEN, upcard="9S", stock=1)),
        "all of the opponent known": ("draw", view_of("classic25", TEN, upcard="9S", opp_held="AS 3S 4S AH 2H 3H AD 2D AC 2C")),
        "crowded with melds": ("discard", view_of("round_the_corner", "AS AH AD AC KS KH KD KC QS QH 2S", drawn="2S")),
        "smallest deck": ("discard", view_of("classic25(ranks=3, hand_size=3)", "AS 2S 3S AH", drawn="AH", stock=4)),
        "two suits": ("draw", view_of("classic25(ranks=5, suits=2, hand_size=3)", "AS 3S 5H", upcard="2S", stock=3)),
        "a circle of four ranks": ("discard", view_of("classic25(ranks=4, wrap=true, hand_size=4)", "AS 2S 3S AH 2H", stock=3)),
        "late in the longest hand": ("discard", late(view_of("classic25(max_turns=400)", ELEVEN, drawn="9C"))),
    }
    for card in format_hand(parse_hand(ELEVEN)).split():  # the only card that may go
        banned = format_hand(parse_hand(ELEVEN) & ~parse_hand(card))
        found[f"all but {card} banned"] = ("discard", view_of("classic25", ELEVEN, drawn="9C", banned=banned, wall=1))
    for _, view in found.values():
        seen = View(view)
        assert seen.deadwood in (0, deadwood(seen.hand, view))
    return found


def late(view: np.ndarray) -> np.ndarray:
    """The view on the last possible turn, with full logs: the card drawn now was drawn again and again."""
    view[V.TURN], view[V.OPP_TURN] = 199, 200
    view[V.OWN_LOG : V.OWN_LOG + 2 * 199 : 2] = parse_hand("9C")
    view[V.OWN_LOG + 1 : V.OWN_LOG + 2 * 199 : 2] = parse_hand("KC")
    view[V.OPP_LOG : V.OPP_LOG + 2 * 200] = parse_hand("AD")
    view[V.MEMORY] = parse_hand("9C")
    return view
