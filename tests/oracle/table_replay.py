"""A hand of the engine played again from its log: every turn and claim has to stand up to the slow rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import Any

from . import rng
from .cards import Card, from_mask, pack_of
from .melds import NOTHING
from .table import Drawn, Entry, Finish, Game, Play, Player, Record, View, deal, plays

SEAT_LANE = 8


def rules_of(rules: Any) -> SimpleNamespace:
    """The engine's rules as the oracle reads them."""
    return SimpleNamespace(ranks=13, suits=4, **rules.model_dump())


def entry(row: Iterable[int]) -> Entry:
    """A row of the engine's log."""
    kind, seat, depth, drawn, discard, reshuffled, *masks = map(int, row)
    while masks and not masks[-1]:
        masks.pop()
    dropped = next(iter(from_mask(discard)), None)
    what = tuple(from_mask(mask) if mask else NOTHING for mask in masks)
    return Entry(("turn", "claim")[kind], seat, depth, from_mask(drawn), dropped, bool(reshuffled), what)


class Follower:
    """Does what the log says; all seats share one."""

    def __init__(self, log: Iterable[Entry]) -> None:
        self.left = list(log)

    def draw(self, view: View, depths: list[int]) -> int:
        assert self.left, "the log ends, the hand goes on"
        assert self.left[0][:2] == ("turn", view.seat)
        return self.left[0].depth

    def finish(self, view: View, drawn: Drawn) -> Finish:
        said = self.left.pop(0)
        return Finish(plays(said.placed, view.melds, pack_of(view.rules)), said.discard)

    def claim(self, view: View, discard: Card, ways: list[Play]) -> Play | None:
        if not self.left or self.left[0][:2] != ("claim", view.seat):
            return None
        (move,) = plays(self.left.pop(0).placed, view.melds, pack_of(view.rules))
        return move


def dealt(seed: int, index: int, rules: Any, players: Sequence[Player]) -> Game:
    hands, stock, pile = deal(rng.deck(seed, index), rules.players, rules.hand_size)
    return Game(hands, stock, pile, rules, players, rng.reshuffler(seed, index))


def replay(log: Iterable[Entry], seed: int, index: int, rules: Any) -> Record:
    """What comes of the hand if all do as the log says; the new log is the old one, cards drawn included."""
    follower = Follower(log)
    said = list(follower.left)
    record = dealt(seed, index, rules, [follower] * rules.players).play()
    assert not follower.left, "the hand is over, the log goes on"
    assert record.log == said
    return record


def streams(seed: int, index: int, players: int) -> list[rng.Stream]:
    return [rng.Stream(seed, index, SEAT_LANE + seat) for seat in range(players)]
