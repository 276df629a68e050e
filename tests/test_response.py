"""The exact best response in a small gin: against the whole tree of a tinier one played by the oracle, and against the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import pytest

from ginsim.exact.response import Tree, best_response, check_small, exact_value
from ginsim.games.catalog import Strategy
from ginsim.games.gin.rules import Rules
from tests.helpers import told, twin
from tests.oracle.cards import from_mask
from tests.oracle.play import View, play_hand

TINY = "ranks=5, suits=2, hand_size=3, max_turns=3"
KINDS = [
    (f"classic20({TINY}, knock_limit=3)", "threshold(knock=3)"),
    (f"classic20({TINY}, knock_limit=6, redraw_ban=false, tie=push)", "threshold(knock=2, draw=strict)"),
    (f"classic25({TINY}, knock_limit=5)", "simple"),
    (f"eaai({TINY}, oklahoma=true, spades_double=true)", "simple"),
    ("classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, max_turns=2, upcard_offer=false)", "random"),
]  # fmt: skip


class Asked(Exception):
    """A choice is missing: which, and what the responder sees."""

    def __init__(self, kind: str, view: View) -> None:
        self.kind, self.view = kind, view


class Random(Exception):
    """A random number below n is missing."""

    def __init__(self, n: int) -> None:
        self.n = n


@dataclass
class Tape:
    """Random numbers one by one."""

    numbers: tuple[int, ...]
    at: int = 0

    def below(self, n: int) -> int:
        if self.at == len(self.numbers):
            raise Random(n)
        self.at += 1
        return self.numbers[self.at - 1]


class Script:
    """The responder: answers as it is told, and asks if that does not suffice."""

    def __init__(self, answers: tuple[Any, ...]) -> None:
        self.left = list(answers)

    def __getattr__(self, kind: str) -> Callable[[View], Any]:
        def decide(view: View) -> Any:
            if not self.left:
                raise Asked(kind, view)
            return self.left.pop(0)

        return decide


def naive(rules: Rules, strategy: Strategy, starter: int, hand: int, upcard: int) -> float:
    """The value of a deal: all decks there can be are played anew for each further choice of the responder."""
    full = frozenset().union(from_mask(int(rules.array()[6])))
    own, first = from_mask(hand), from_mask(upcard)
    unseen = full - own - first
    worlds = []
    for theirs in combinations(sorted(unseen), rules.hand_size):
        for stock in permutations(sorted(unseen - set(theirs))):
            hands = [*sorted(own), *theirs] if starter == 0 else [*theirs, *sorted(own)]
            worlds.append(([*hands, *first, *stock], (), 1.0))
    share = 1 / len(worlds)

    def value(script: tuple[Any, ...], worlds: list[Any]) -> float:
        total, groups = 0.0, dict[Any, list[Any]]()
        choices = dict[Any, list[Any]]()
        while worlds:
            deck, tape, weight = worlds.pop()
            try:
                played = play_hand(deck, rules, starter, [Script(script), twin(strategy, Tape(tape))])
                total += weight * (0 if played.winner is None else played.points if played.winner == 0 else -played.points)
            except Random as asked:
                worlds += [(deck, (*tape, i), weight / asked.n) for i in range(asked.n)]
            except Asked as asked:
                seen = asked.kind, repr(sorted(told(asked.view).items()))
                groups.setdefault(seen, []).append((deck, tape, weight))
                cards = sorted(asked.view.hand - asked.view.banned)
                choices[seen] = cards if asked.kind == "discard" else [False, True]
        for seen, own in groups.items():
            total += max(value((*script, choice), list(own)) for choice in choices[seen])
        return total

    return share * value((), worlds)


@pytest.mark.parametrize(("spec", "name"), KINDS)
@pytest.mark.parametrize("starter", [0, 1])
@pytest.mark.parametrize("at", [101, 607])
def test_naive_tree(spec: str, name: str, starter: int, at: int) -> None:
    rules, strategy = check_small(spec), Strategy.parse(name, "gin")
    tree = Tree(rules, strategy)
    hand, upcard = list(tree.roots())[at]
    assert tree.root(starter, hand, upcard) == pytest.approx(naive(rules, strategy, starter, hand, upcard), abs=1e-9)
