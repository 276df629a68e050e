"""The engine and the oracle at the same deal: random rules, twins of strategies, and what must be equal."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.hand import DECK, RECORD, new_table
from ginsim.games.gin.hand import play_hand as engine_hand
from ginsim.games.gin.kernels import hands_kernel
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View as EngineView
from ginsim.games.kernel import interpreted
from tests.oracle import players, rng
from tests.oracle.cards import Card, from_mask, pack_of, to_mask
from tests.oracle.play import Record, View, play_hand
from tests.oracle.scoring import hand_multiplier, knock_limit

Row = dict[str, int]
"""A hand record of the engine by column."""


class Stop:
    """A progress callback that interrupts a study after so many pieces."""

    def __init__(self, pieces: int = 1) -> None:
        self.left = pieces

    def __call__(self, done: Any, pairs: int, total: int) -> None:
        self.left -= done is not None
        if self.left < 0:
            raise KeyboardInterrupt


@dataclass
class Asking:
    """Plays by a strategy's own decisions, called one by one, so that each answer can be looked at; notes what was ``seen``."""

    strategy: Strategy
    rules: Rules
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.params = self.strategy.array

    def answer(self, kind: str, array: np.ndarray) -> int:
        """The decision of that kind on a view."""
        return int(self.strategy.decisions[self.strategy.repertoire.kinds.index(kind)](array, self.params))


# Rules and strategies at random


def random_rules(rnd: random.Random, **fixed: Any) -> Rules:
    """Any sensible combination of all the dimensions of one hand."""
    while True:
        changes: dict[str, Any] = {
            "gin_bonus": rnd.choice([0, 20, 25]),
            "undercut_bonus": rnd.choice([0, 10, 25]),
            "big_gin_bonus": rnd.choice([None, 0, 31]),
            "knock_limit": rnd.choice([10, 10, 0, 5, 15, rnd.randrange(101)]),
            "oklahoma": rnd.random() < 0.3,
            "oklahoma_ace": rnd.choice(["gin_only", "one"]),
            "spades_double": rnd.random() < 0.3,
            "min_turns_before_knock": rnd.choice([0, 0, 1, 2, 3]),
            "upcard_offer": rnd.random() < 0.6,
            "tie": rnd.choice(["undercut", "push", "knocker"]),
            "layoff": rnd.choice(["optimal", "after_melds", "none"]),
            "layoff_on_gin": rnd.random() < 0.4,
            "stock_end": rnd.choice(["dead_at_2", "dead_at_0", "last_discard", "reshuffle"]),
            "redraw_ban": rnd.random() < 0.6,
            "wrap": rnd.random() < 0.4,
            "ace_value": rnd.choice([1, 15]),
            "max_turns": rnd.choice([100, 60, 25]),
        }
        if not changes["upcard_offer"] and rnd.random() < 0.5:
            changes |= {"eleven_card_start": True, "oklahoma": False, "spades_double": False}
        if rnd.random() < 0.5:
            changes |= {"ranks": rnd.randrange(3, 14), "suits": rnd.randrange(2, 5), "hand_size": rnd.randrange(3, 11)}
        try:
            idle = Rules._of(changes | fixed)._without_effect()
            return Rules(**{field: value for field, value in (changes | fixed).items() if field not in idle})
        except InputError:
            continue


def random_spec(rnd: random.Random) -> str:
    """A built-in strategy with parameters."""
    family = rnd.choice(["simple", "random", "threshold", "threshold"])
    if family != "threshold":
        return family
    draw, discard = rnd.choice(["meld", "strict", "never"]), rnd.choice(["random_best", "highest"])
    knock = f"knock={rnd.choice([-1, 0, 3, 5, 10, 30])}"
    if rnd.random() < 0.5:
        knock = f"knock_by_turn={[rnd.randrange(-1, 25) for _ in range(rnd.randrange(1, 8))]}"
    return f"threshold(draw={draw}, discard={discard}, {knock})"


def twin(strategy: Strategy, stream: rng.Stream) -> Any:
    """The oracle's player for a built-in strategy: random, simple or a threshold."""
    if strategy.name == "random":
        return players.Random(stream)
    if strategy.name == "simple":
        return players.Simple(stream)
    assert strategy.name == "threshold", f"{strategy} has no twin"
    args: dict[str, Any] = dict(strategy.args)
    knock = args.pop("knock", args.pop("knock_by_turn", 10))
    return players.Threshold(stream, knock, args.get("draw", "meld"), args.get("discard", "highest"))


# One hand on both sides


def oracle_hand(a: Strategy, b: Strategy, rules: Rules, seed: int, deal: int, starter: int, spy: Any = None) -> Record:
    """The deal as the oracle plays it; `spy` wraps each player."""
    pair = [twin(strategy, stream) for strategy, stream in zip((a, b), rng.streams(seed, deal, starter), strict=True)]
    if spy:
        pair = [spy(p, player) for p, player in enumerate(pair)]
    return play_hand(rng.deck(seed, deal, pack_of(rules)), rules, starter, pair, rng.reshuffler(seed, deal))


def engine_hands(kind: str, a: Strategy, b: Strategy, rules: Rules, seed: int, first: int, count: int) -> np.ndarray:
    """Records of duplicate pairs from one of the three kernels."""
    table = new_table(rules.array(), (*a.numbers, *b.numbers))
    slots = {"numbers": (), "slots": (a.slots, b.slots), "python": (a.decisions, b.decisions)}[kind]
    records = np.zeros((2 * count, H.SIZE), np.int64)
    rows = hands_kernel(kind)(table, seed, first, count, np.array([a.params, b.params]), slots, records)
    assert rows == 2 * count, named(records[rows - 1])
    return records


def named(record: np.ndarray) -> Row:
    return dict(zip(H.COLUMNS, record.tolist(), strict=True))


def assert_same_hand(row: Row, told: Record, rules: Rules, deck: Sequence[Card]) -> None:
    """The engine's record says what the oracle's does."""
    winner = None if row["winner"] < 0 else row["winner"]
    assert (H.ENDINGS[row["ending"]], winner, row["points"]) in told.possible
    assert row["starter"] == told.starter
    assert row["turns"] == told.turns
    assert (row["taken_0"], row["taken_1"]) == told.upcards
    assert (row["dealt_0"], row["dealt_1"]) == told.dealt
    assert (row["deadwood_0"], row["deadwood_1"]) == told.final
    assert row["knocker"] == (-1 if told.knocker is None else told.knocker)
    upcard = None if rules.eleven_card_start else deck[2 * rules.hand_size]
    assert row["limit"] == knock_limit(upcard, rules)
    assert row["multiplier"] == hand_multiplier(upcard, rules)
    if told.knocker is None:
        assert (row["after_0"], row["after_1"], row["laid_off"]) == (*told.final, 0)
    elif len(told.possible) == 1:  # else the knocker had a choice of equal arrangements
        assert row[f"after_{told.knocker}"] == told.knocker_deadwood
        assert row[f"after_{1 - told.knocker}"] == told.defender_after
        assert row["laid_off"] in told.laid_off


# What the players see


@dataclass
class Seen:
    """A decision: the player, its kind and the view in the words of the oracle, as masks and numbers."""

    player: int
    kind: str
    view: dict[str, Any]
    own_moves: list[tuple[int, int]] | None = None
    opp_moves: list[tuple[int, int]] | None = None


def mask(card: Card | None) -> int:
    return 0 if card is None else to_mask([card])


def told(view: View) -> dict[str, Any]:
    """An oracle's view with the names of the engine's."""
    return {
        "hand": to_mask(view.hand),
        "upcard": mask(view.upcard),
        "pile": to_mask(view.discards),
        "opp_held": to_mask(view.opponent_known),
        "opp_passed": to_mask(set(view.opponent_refused)),
        "opp_discards": to_mask(set(view.opponent_discards)),
        "own_discards": to_mask(set(view.own_discards)),
        "drawn": mask(view.drawn),
        "banned": to_mask(view.banned),
        "chosen": mask(view.chosen),
        "turn": view.turn,
        "opp_turn": len(view.opponent_discards),
        "stock": view.stock_left,
        "offer": view.offer,
        "wall": view.wall,
        "starter": view.starter,
        "limit": view.limit,
    } | ({} if view.deadwood is None else {"deadwood": view.deadwood})


class OracleSpy:
    """Keeps what an oracle's player is shown."""

    def __init__(self, p: int, player: Any, trace: list[Seen]) -> None:
        self.p, self.player, self.trace = p, player, trace

    def __getattr__(self, kind: str) -> Callable[[View], Any]:
        def decide(view: View) -> Any:
            self.trace.append(Seen(self.p, kind, told(view)))
            return getattr(self.player, kind)(view)

        return decide


def engine_spy(p: int, kind: str, decide: Callable[..., int], trace: list[Seen]) -> Callable[..., int]:
    """A decision that keeps what it is shown."""

    def watched(array: np.ndarray, params: np.ndarray) -> int:
        view = EngineView(array)
        trace.append(Seen(p, kind, view.as_dict() | {"unseen": view.unseen}, view.own_moves, view.opp_moves))
        return decide(array, params)

    return watched


def turns_told(record: Record) -> tuple[list[tuple[int, int, bool]], list[tuple[int, int, bool]]]:
    """(drawn, discarded, from the pile) of every full turn of each player."""
    turns: tuple[list[Any], list[Any]] = ([], [])
    drawn: tuple[int, bool] = (0, False)
    for p, what, card in record.log:
        if what in ("take", "stock"):
            drawn = mask(card), what == "take"
        elif what in ("discard", "big gin"):
            turns[p].append((drawn[0], mask(card), drawn[1]))
            drawn = (0, False)
    return turns


def assert_same_views(engine: list[Seen], oracle: list[Seen], record: Record, rules: Rules) -> None:
    """Both sides asked the same decisions in the same order and showed the same."""
    assert [(s.player, s.kind) for s in engine] == [(s.player, s.kind) for s in oracle]
    turns, full = turns_told(record), int(rules.array()[6])
    for mine, theirs in zip(engine, oracle, strict=True):
        v, own, opp = theirs.view, turns[mine.player], turns[1 - mine.player]
        if mine.kind != "draw" and own[v["turn"]][2]:
            v["upcard"] = v["drawn"]  # the engine names the card taken until the discard
        wrong = {name: (mine.view[name], value) for name, value in v.items() if mine.view[name] != value}
        assert not wrong, f"player {mine.player}, {mine.kind}: {wrong}"
        assert mine.own_moves == [(drawn, thrown) for drawn, thrown, _ in own[: v["turn"]]]
        assert mine.opp_moves == [(drawn if taken else 0, thrown) for drawn, thrown, taken in opp[: v["opp_turn"]]]
        assert mine.view["unseen"] == full & ~(v["hand"] | v["pile"] | v["opp_held"] | v["chosen"])


def watch_both(a: Strategy, b: Strategy, rules: Rules, seed: int, deal: int, starter: int) -> tuple[Row, list[Seen]]:
    """Play a deal on both sides and compare everything that was shown and what came of it."""
    engine: list[Seen] = []
    oracle: list[Seen] = []
    deck = rng.deck(seed, deal, pack_of(rules))
    slots = [
        [engine_spy(p, kind, f, engine) for kind, f in zip(("draw", "discard", "knock"), s.decisions, strict=True)]
        for p, s in enumerate((a, b))
    ]
    row = interpreted_hand(deck, slots, rules, seed, deal, starter, np.array([a.params, b.params]))
    record = oracle_hand(a, b, rules, seed, deal, starter, lambda p, player: OracleSpy(p, player, oracle))
    assert_same_views(engine, oracle, record, rules)
    assert_same_hand(row, record, rules, deck)
    return row, engine


def interpreted_hand(
    deck: Sequence[Card], slots: Any, rules: Rules, seed: int, deal: int, starter: int, params: np.ndarray
) -> Row:
    """One hand of a given deck with decisions in plain Python."""
    table = new_table(rules.array(), (-1,) * 6)
    table[DECK, : len(deck)] = [mask(card) for card in deck]
    interpreted(engine_hand)(table, seed, deal, starter, params, slots)
    return named(table[RECORD, :H.SIZE])


# Scripts


class Script:
    """The oracle's `Scripted` player for the engine: the same answers at the same places."""

    def __init__(self, player: players.Scripted) -> None:
        self.draws, self.discards, self.knocks = list(player.draws), list(player.discards), list(player.knocks)

    def draw(self, view: EngineView) -> bool:
        return bool(self.draws.pop(0)) if self.draws else False

    def discard(self, view: EngineView) -> int:
        if self.discards:
            return mask(self.discards.pop(0))
        free = view.hand & ~view.banned
        return view.drawn & free or free & -free

    def knock(self, view: EngineView) -> bool:
        return bool(self.knocks.pop(0)) if self.knocks else False


def play_script(
    deck: Sequence[Card], a: players.Scripted, b: players.Scripted, rules: Rules, starter: int = 0
) -> tuple[Row, list[Seen]]:
    """A hand by script on both sides, compared; returns the engine's record and what was seen."""
    engine: list[Seen] = []
    oracle: list[Seen] = []
    strategies = [Strategy.of(player=Script(player)) for player in (a, b)]
    slots = [
        [engine_spy(p, kind, f, engine) for kind, f in zip(("draw", "discard", "knock"), s.decisions, strict=True)]
        for p, s in enumerate(strategies)
    ]
    row = interpreted_hand(deck, slots, rules, 0, 0, starter, np.zeros((2, 64)))
    spies = [OracleSpy(p, player, oracle) for p, player in enumerate((a, b))]
    record = play_hand(deck, rules, starter, spies, rng.reshuffler(0, 0))
    assert_same_views(engine, oracle, record, rules)
    assert_same_hand(row, record, rules, deck)
    return row, engine


__all__ = [
    "Row", "Script", "Seen", "assert_same_hand", "engine_hands", "from_mask", "mask", "named", "oracle_hand", "play_script",
    "random_rules", "random_spec", "twin", "watch_both",
]  # fmt: skip
