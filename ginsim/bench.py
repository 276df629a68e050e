"""Rates on this machine: evaluation, discards, hands and games, and those of an installed peer in the same run."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from ginsim.cards import cards_of
from ginsim.deals import base_deck
from ginsim.evaluate import best_discard, deadwood
from ginsim.rules import Rules
from ginsim.strategies.decisions import discard_new_pair, draw_meld, knock_threshold
from ginsim.strategies.spec import Strategy
from ginsim.strategies.view import View
from ginsim.study.play import GAMES, HANDS, Work, play, run

RULES = "eaai"
HANDS_IN_ARRAY = 20_000


@dataclass(frozen=True)
class Rate:
    """A figure of the bench: items a second, the median of several repeats."""

    name: str
    unit: str
    median: float
    lowest: float
    highest: float


def rate_of(name: str, unit: str, call: Callable[[], int], seconds: float, repeats: int) -> Rate:
    """Time ``call``, which returns how many items it did, after one call that does not count."""
    call()
    rates = []
    for _ in range(repeats):
        items, start = 0, time.perf_counter()
        while (spent := time.perf_counter() - start) < seconds or items == 0:
            items += call()
        rates.append(items / spent)
    return Rate(name, unit, statistics.median(rates), min(rates), max(rates))


def uniform_hands(cards: int, number: int = HANDS_IN_ARRAY) -> np.ndarray:
    """Random hands, int64[number]."""
    picks = np.argsort(np.random.default_rng(1).random((number, 52)), axis=1)[:, :cards]
    hands: np.ndarray = np.bitwise_or.reduce(base_deck()[picks], axis=1)
    return hands


def meld_rich_hands(cards: int, number: int = HANDS_IN_ARRAY) -> np.ndarray:
    """Hands from four neighbouring ranks, in which sets and runs compete."""
    rng = np.random.default_rng(2)
    low = rng.integers(0, 10, number)
    picks = np.argsort(rng.random((number, 16)), axis=1)[:, :cards]
    masks: np.ndarray = np.int64(1) << (16 * (picks // 4) + low[:, None] + picks % 4)
    return np.asarray(np.bitwise_or.reduce(masks, axis=1))


def hands_in_play(number: int = HANDS_IN_ARRAY) -> tuple[np.ndarray, np.ndarray]:
    """Hands of ten and of eleven cards as they come up when ``simple`` plays itself."""
    seen = _Spy()
    spy = Strategy.of(player=seen)
    play(Work(spy, spy, Rules.parse(RULES), 3, HANDS, 0, 150))
    return np.resize(np.array(seen.ten), number), np.resize(np.array(seen.eleven), number)


class _Spy:
    """The Simple player in plain Python, which notes the hands it holds."""

    def __init__(self) -> None:
        self.ten: list[int] = []
        self.eleven: list[int] = []
        self.params = Strategy.parse("simple").array

    def draw(self, view: View) -> int:
        self.ten.append(view.hand)
        return int(draw_meld(view.array, self.params))

    def discard(self, view: View) -> int:
        self.eleven.append(view.hand)
        return int(discard_new_pair(view.array, self.params))

    def knock(self, view: View) -> int:
        return int(knock_threshold(view.array, self.params))


def own_rates(seconds: float, repeats: int, report: Callable[[str], None] = print) -> list[Rate]:
    """The rates of ginsim."""
    ten, eleven = hands_in_play()
    jobs: list[tuple[str, str, Callable[[], int]]] = []
    for label, hands in (("uniform", uniform_hands(10)), ("meld-rich", meld_rich_hands(10)), ("in play", ten)):
        jobs.append((f"deadwood, {label}", "hands/s", partial(_evaluate, hands)))
    for label, hands in (("uniform", uniform_hands(11)), ("meld-rich", meld_rich_hands(11)), ("in play", eleven)):
        jobs.append((f"best discard, {label}", "hands/s", partial(_discard, hands)))
    for name in ("simple", "threshold(knock=0)"):
        jobs.append((f"{name} mirror, 1 core", "hands/s", partial(_play, _mirror(name), 1)))
        jobs.append((f"{name} mirror, all cores", "hands/s", partial(_play, _mirror(name), None)))
    jobs.append(("simple as a plug-in, 1 core", "hands/s", partial(_play, _plug_in(), 1)))
    jobs.append(("simple games, 1 core", "games/s", partial(_games, _mirror("simple"))))
    rates = []
    for name, unit, call in jobs:
        report(f"measuring {name}")
        rates.append(rate_of(name, unit, call, seconds, repeats))
    return rates


def _mirror(name: str) -> Strategy:
    return Strategy.parse(name)


def _plug_in() -> Strategy:
    """The Simple player as a user's strategy: the same decisions, reached through function slots only."""
    params = {str(i): x for i, x in enumerate(Strategy.parse("simple").params)}
    return Strategy.of(_slot_draw, discard_new_pair, knock_threshold, params)


def _slot_draw(view: np.ndarray, params: np.ndarray) -> np.int64:
    return np.int64(draw_meld(view, params))


def _evaluate(hands: np.ndarray) -> int:
    deadwood(hands)
    return int(hands.size)


def _discard(hands: np.ndarray) -> int:
    best_discard(hands)
    return int(hands.size)


def _play(strategy: Strategy, workers: int | None) -> int:
    pairs = 40_000
    for _ in run([Work(strategy, strategy, Rules.parse(RULES), 5, HANDS, 0, pairs)], workers, chunk=pairs // 8):
        pass
    return 2 * pairs


def _games(strategy: Strategy) -> int:
    pairs = 1_000
    play(Work(strategy, strategy, Rules.parse(RULES), 5, GAMES, 0, pairs))
    return 2 * pairs


def has_peer() -> bool:
    """Whether open-spiel is installed (extra ``peers``)."""
    return find_spec("pyspiel") is not None


def peer_rates(seconds: float, repeats: int, report: Callable[[str], None] = print) -> list[Rate]:
    """The same figures for open-spiel: ``min_deadwood`` called from Python, ``evaluate_bots`` of two simple bots."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    jobs = []
    for label, masks in (("uniform", uniform_hands(10, 2000)), ("in play", hands_in_play(2000)[0])):
        hands = [_open_spiel_cards(int(mask)) for mask in masks]
        jobs.append((f"deadwood, {label}", "hands/s", partial(_peer_deadwood, utils, hands)))
    jobs.append(("simple mirror, 1 core", "hands/s", partial(_peer_hands, pyspiel, game, random.Random(1))))
    rates = []
    for name, unit, call in jobs:
        report(f"measuring open-spiel: {name}")
        rates.append(rate_of(name, unit, call, seconds, repeats))
    return rates


def _open_spiel_cards(mask: int) -> list[int]:
    """The same hand in open-spiel's numbering (suit by suit, thirteen ranks each)."""
    return [13 * (at // 16) + at % 16 for at in (card.bit_length() - 1 for card in cards_of(mask))]


def _peer_deadwood(utils: Any, hands: list[list[int]]) -> int:
    for hand in hands:
        utils.min_deadwood(hand)
    return len(hands)


def _peer_hands(pyspiel: Any, game: Any, rng: random.Random) -> int:
    hands = 20
    for _ in range(hands):
        bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), player) for player in range(2)]
        pyspiel.evaluate_bots(game.new_initial_state(), bots, rng.randrange(1 << 30))
    return hands
