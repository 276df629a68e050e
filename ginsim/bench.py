"""Speed on this machine: rates of evaluation, discards, hands and games, beside an installed peer's; CPU time of commands."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

import numpy as np

from ginsim.cards import cards_of
from ginsim.deals import base_deck
from ginsim.games.catalog import Strategy, rules_of
from ginsim.games.gin.evaluate import best_discard, deadwood
from ginsim.games.gin.players.decisions import discard_new_pair, draw_meld, knock_threshold
from ginsim.games.gin.view import View
from ginsim.simulation.play import GAMES, HANDS, Work, play, run

RULES = "eaai"
HANDS_IN_ARRAY = 20_000
SIMPLE, SIMPLE_TWO, SIMPLE_ALL = "simple mirror, 1 core", "simple mirror, 2 cores", "simple mirror, all cores"
PLUG_IN = "simple as a plug-in, 1 core"
RATIOS = {
    "simple: 2 cores to 1 core": (SIMPLE_TWO, SIMPLE),
    "simple: all cores to 1 core": (SIMPLE_ALL, SIMPLE),
    "simple: plug-in to built-in": (PLUG_IN, SIMPLE),
}
SECONDS = "CPU s"
HAND = "8S 8H 8D 5S 6S 7S AD 4C 9H QS"
COMMANDS = {
    "ginsim eval": ("eval", HAND), "ginsim exact fill": ("exact", "fill", "4H 4S 5H"),
    "ginsim exact deadwood": ("exact", "deadwood"), "ginsim exact melds": ("exact", "melds"),
    "ginsim scoresheet": ("scoresheet", "A23 B18 A41"), "ginsim list": ("list",), "ginsim list champion": ("list", "champion"),
}  # fmt: skip
FIRST_USES = {"hands": "simple", "look-ahead": "lookahead", "rollouts": "rollout(rollouts=2)"}


@dataclass(frozen=True)
class Job:
    """A figure to measure: ``value`` is given the seconds it may take; ``peer`` measures the same of open-spiel."""

    name: str
    unit: str
    value: Callable[[float], float]
    peer: Callable[[float], float] | None = None


@dataclass(frozen=True)
class Figure:
    """What was measured in each repeat, and of the peer in the same repeats."""

    name: str
    unit: str
    values: tuple[float, ...]
    peer: tuple[float, ...] = ()

    def ratios(self, other: tuple[float, ...]) -> tuple[float, ...]:
        """What this is to another, repeat by repeat; repeats are taken in turn, so drift of the machine cancels."""
        return tuple(a / b for a, b in zip(self.values, other, strict=True))


def measure(jobs: Sequence[Job], seconds: float, repeats: int, report: Callable[[str], None], warm: bool = True) -> list[Figure]:
    """Measure all jobs in turn, ``repeats`` times over, with ``warm`` after one round that does not count."""
    own: list[list[float]] = [[] for _ in jobs]
    peer: list[list[float]] = [[] for _ in jobs]
    for repeat in range(0 if warm else 1, repeats + 1):
        for number, job in enumerate(jobs):
            report(f"{'warming up' if repeat == 0 else f'repeat {repeat} of {repeats}'}: {job.name}")
            for call, values in ((job.value, own[number]), (job.peer, peer[number])):
                if call is not None:
                    value = call(seconds if repeat else 0)
                    values += [value] if repeat else []
    return [Figure(job.name, job.unit, tuple(own[i]), tuple(peer[i])) for i, job in enumerate(jobs)]


def _rate(call: Callable[[], int], seconds: float) -> float:
    """Items a second; ``call`` does some work and returns how many items it did."""
    items, start = 0, time.perf_counter()
    while items == 0 or time.perf_counter() - start < seconds:
        items += call()
    return items / (time.perf_counter() - start)


def _cpu_seconds(code: str, *words: str, **environment: str) -> float:
    """CPU time of a process of its own that runs ``code``, from its start to its end."""
    clock = "import atexit, sys, time; atexit.register(lambda: print(time.process_time(), file=sys.stderr)); "
    command = [sys.executable, "-c", clock + code, *words]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=True)
    return float(done.stderr.split()[-1])


def _command(words: Sequence[str], _: float) -> float:
    return _cpu_seconds("from ginsim.cli import main; main()", *words)


def _first_use(spec: str, _: float) -> float:
    """CPU time until a player has played its first hands, nothing being compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        return _cpu_seconds("from ginsim.bench import first_hands; first_hands(sys.argv[1])", spec, NUMBA_CACHE_DIR=folder)


def first_hands(spec: str) -> None:
    """Play one pair of hands against ``simple``."""
    _against_simple(spec, 1)


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
    play(Work((spy, spy), rules_of(RULES), 3, HANDS, 0, 150))
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


def figures(
    seconds: float, repeats: int, peers: bool, first_uses: int = 0, report: Callable[[str], None] = print
) -> list[Figure]:
    """All figures of ginsim and, with ``peers``, those of open-spiel that match one of them, in the same run.

    First use is measured ``first_uses`` times: to compile everything takes long.
    """
    found = measure([*_rates(peers), *_commands()], seconds, repeats, report)
    by_name = {figure.name: figure for figure in found}
    for name, (one, other) in RATIOS.items():
        if one in by_name:
            found.append(Figure(name, "×", by_name[one].ratios(by_name[other].values)))
    jobs = [Job(f"first use of {what}", SECONDS, partial(_first_use, spec)) for what, spec in FIRST_USES.items()]
    return found + (measure(jobs, seconds, first_uses, report, warm=False) if first_uses else [])


def _commands() -> list[Job]:
    return [Job(name, SECONDS, partial(_command, words)) for name, words in COMMANDS.items()]


def _rates(peers: bool) -> list[Job]:
    ten, eleven = hands_in_play()
    other = _Peer() if peers and has_peer() else None
    jobs = []

    def add(name: str, unit: str, call: Callable[[], int], peer: Callable[[], int] | None = None) -> None:
        jobs.append(Job(name, unit, partial(_rate, call), partial(_rate, peer) if peer else None))

    for label, hands in (("uniform", uniform_hands(10)), ("meld-rich", meld_rich_hands(10)), ("in play", ten)):
        peer = partial(other.deadwood, [_open_spiel_cards(int(mask)) for mask in hands[:2000]]) if other else None
        add(f"deadwood, {label}", "hands/s", partial(_evaluate, hands), peer)
    for label, hands in (("uniform", uniform_hands(11)), ("meld-rich", meld_rich_hands(11)), ("in play", eleven)):
        add(f"best discard, {label}", "hands/s", partial(_discard, hands))
    simple, gin_only = Strategy.parse("simple"), Strategy.parse("threshold(knock=0)")
    add(SIMPLE, "hands/s", partial(_play, simple, 1), other.hands if other else None)
    cores = os.cpu_count() or 1
    if cores >= 2:
        add(SIMPLE_TWO, "hands/s", partial(_play, simple, 2))
    if cores > 2:
        add(SIMPLE_ALL, "hands/s", partial(_play, simple, None))
    add("threshold(knock=0) mirror, 1 core", "hands/s", partial(_play, gin_only, 1))
    add("threshold(knock=0) mirror, all cores", "hands/s", partial(_play, gin_only, None))
    add(PLUG_IN, "hands/s", partial(_play, _plug_in(), 1))
    add("simple mirror games to 100, 1 core", "games/s", partial(_games, simple))
    add("aggressive against simple, 1 core", "hands/s", partial(_against_simple, "aggressive", 2_000))
    add("lookahead against simple, 1 core", "hands/s", partial(_against_simple, "lookahead", 500))
    add("rollout, 128 a choice, against simple", "hands/s", partial(_against_simple, "rollout(rollouts=128)", 2))
    add("rollout under classic20, against simple", "hands/s", partial(_against_simple, "rollout(rollouts=128)", 2, "classic20"))
    add("table_greedy at a table of 4, 1 core", "hands/s", partial(_table, "table_greedy", 5_000))
    add("expert at a table of 4, 1 core", "hands/s", partial(_table, "expert", 500))
    return jobs


def _plug_in() -> Strategy:
    """The Simple player as a user's strategy: the same decisions, reached through function slots only."""
    params = {f"p{i}": x for i, x in enumerate(Strategy.parse("simple").params)}
    return Strategy.of(draw=_slot_draw, discard=discard_new_pair, knock=knock_threshold, params=params)


def _slot_draw(view: np.ndarray, params: np.ndarray) -> np.int64:
    return np.int64(draw_meld(view, params))


def _evaluate(hands: np.ndarray) -> int:
    deadwood(hands)
    return int(hands.size)


def _discard(hands: np.ndarray) -> int:
    best_discard(hands)
    return int(hands.size)


def _play(strategy: Strategy, workers: int | None) -> int:
    pairs = 400_000 * (workers or os.cpu_count() or 1)  # as many for each core: to begin and to end takes time
    for _ in run([Work((strategy, strategy), rules_of(RULES), 5, HANDS, 0, pairs)], workers):
        pass
    return 2 * pairs


def _against_simple(spec: str, pairs: int, rules: str = RULES) -> int:
    play(Work((Strategy.parse(spec), Strategy.parse("simple")), rules_of(rules), 5, HANDS, 0, pairs))
    return 2 * pairs


def _games(strategy: Strategy) -> int:
    pairs = 1_000
    play(Work((strategy, strategy), rules_of(RULES), 5, GAMES, 0, pairs))
    return 2 * pairs


def _table(spec: str, pairs: int) -> int:
    player = Strategy.parse(spec)
    play(Work((player, player), rules_of("house(players=4)"), 5, HANDS, 0, pairs))
    return 2 * pairs


def has_peer() -> bool:
    """Whether open-spiel is installed (extra ``peers``)."""
    return find_spec("pyspiel") is not None


class _Peer:
    """open-spiel: ``min_deadwood`` called from Python, and ``evaluate_bots`` of two of its simple bots."""

    def __init__(self) -> None:
        import pyspiel

        self.spiel = pyspiel
        self.game = pyspiel.load_game("gin_rummy")
        self.utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
        self.rng = random.Random(1)

    def deadwood(self, hands: list[list[int]]) -> int:
        for hand in hands:
            self.utils.min_deadwood(hand)
        return len(hands)

    def hands(self) -> int:
        number = 20
        for _ in range(number):
            bots = [self.spiel.make_simple_gin_rummy_bot(self.game.get_parameters(), player) for player in range(2)]
            self.spiel.evaluate_bots(self.game.new_initial_state(), bots, self.rng.randrange(1 << 30))
        return number


def _open_spiel_cards(mask: int) -> list[int]:
    """The same hand in open-spiel's numbering (suit by suit, thirteen ranks each)."""
    return [13 * (at // 16) + at % 16 for at in (card.bit_length() - 1 for card in cards_of(mask))]
