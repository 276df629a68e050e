"""The exact best response in a small gin: against the whole tree of a tinier one played by the oracle, and against the engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError, StrategyError
from ginsim.exact.responder import Responder
from ginsim.exact.response import Tree, best_response, check_small, exact_value, positions
from ginsim.games.catalog import Strategy
from ginsim.games.gin.players.families import FAMILIES
from ginsim.games.gin.rules import Rules
from ginsim.training import exploit
from tests.helpers import told, twin
from tests.oracle.cards import from_mask
from tests.oracle.play import View, play_hand

ROOT = Path(__file__).parents[1]
DECK = "ranks=5, suits=2, hand_size=3, stock_end=dead_at_0"
TINY, LONGER = f"{DECK}, max_turns=3", f"{DECK}, max_turns=4"
SMALL = f"classic20({DECK}, knock_limit=5, gin_bonus=5, undercut_bonus=5, max_turns=2)"
"""A game in which all is counted in a second or two."""
KINDS = [
    ("classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, max_turns=3)", "threshold(knock=3)"),  # dead after a draw
    (f"classic20({TINY}, knock_limit=6, redraw_ban=false, tie=push)", "threshold(knock=2, draw=strict)"),
    (f"classic25({TINY}, knock_limit=5)", "simple"),
    (f"eaai({TINY}, oklahoma=true, spades_double=true)", "simple"),
    (f"classic20({DECK}, knock_limit=5, max_turns=2, upcard_offer=false)", "random"),
    (f"classic25({TINY}, knock_limit=5, upcard_offer=false)", "threshold(knock=0, discard=random_best)"),
    (f"eaai({LONGER}, knock_limit=5)", "threshold(knock=4)"),
]  # fmt: skip


class AskedError(Exception):
    """A choice is missing: which, and what the responder sees."""

    def __init__(self, kind: str, view: View) -> None:
        self.kind, self.view = kind, view


class RandomError(Exception):
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
            raise RandomError(n)
        self.at += 1
        return self.numbers[self.at - 1]


class Script:
    """The responder: answers as it is told, and asks if that does not suffice."""

    def __init__(self, answers: tuple[Any, ...]) -> None:
        self.left = list(answers)

    def __getattr__(self, kind: str) -> Callable[[View], Any]:
        def decide(view: View) -> Any:
            if not self.left:
                raise AskedError(kind, view)
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
            except RandomError as asked:
                worlds += [(deck, (*tape, i), weight / asked.n) for i in range(asked.n)]
            except AskedError as asked:
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


class Plain:
    """The threshold player in plain Python; ``wrong`` is a discard that it makes up."""

    def __init__(self, wrong: bool = False) -> None:
        self.own, self.wrong = Strategy.parse("threshold(knock=2)", "gin"), wrong

    def draw(self, view: Any) -> int:
        return int(self.own.decisions[0](view.array, self.own.array))

    def discard(self, view: Any) -> int:
        return 1 if self.wrong and view.hand & 1 == 0 else int(self.own.decisions[1](view.array, self.own.array))

    def knock(self, view: Any) -> int:
        return int(self.own.decisions[2](view.array, self.own.array))


@pytest.fixture(scope="module")
def best() -> dict[str, float]:
    """What the best response wins of some strategies."""
    return {name: best_response(name, SMALL).points for name in ("simple", "threshold(knock=2)", "champion")}


def counted(player: str, strategy: str) -> ginsim.exact.response.Response | None:
    """What a player wins, if its random choices can be counted."""
    try:
        return exact_value(player, strategy, SMALL)
    except InputError:
        return None


def test_no_shipped_player_wins_more(best: dict[str, float]) -> None:
    found = {name: counted(name, "simple") for name in FAMILIES}
    values = [of.points for of in found.values() if of]
    assert max(values) <= best["simple"] and min(values) < -1
    random = {name for name, of in found.items() if of is None}
    assert random == {"rollout", "champion_rollout", "champion20_rollout", "strong_rollout"}
    for name in random:
        played = ginsim.compare(name, "simple", SMALL, deals=2_000, games=0, seed=6).points_per_hand
        assert played.low <= best["simple"] and played.high - played.low < 0.6


def test_what_one_wins_the_other_loses() -> None:
    for a, b in (("simple", "threshold(knock=2)"), ("defensive", "gin_only")):
        one, other = exact_value(a, b, SMALL), exact_value(b, a, SMALL)
        assert one.starting == pytest.approx(-other.answering) and one.answering == pytest.approx(-other.starting)
    own = exact_value("simple", "simple", SMALL)
    assert own.points == pytest.approx(0) and own.starting == pytest.approx(-own.answering) and own.starting > 0.1


@pytest.mark.parametrize(("a", "b"), [("threshold(knock=2)", "simple"), ("champion", "simple"), ("gin_only", "simple")])
def test_a_player_wins_that_much_in_play(a: str, b: str) -> None:
    played = ginsim.compare(a, b, SMALL, deals=100_000, games=0, seed=3).points_per_hand
    assert abs(exact_value(a, b, SMALL).points - played.value) < 2 * (played.high - played.low) / 2
    assert played.high - played.low < 0.1


@pytest.mark.parametrize("name", ["simple", "threshold(knock=2)", "champion"])
def test_the_best_response_wins_that_much_in_play(name: str, best: dict[str, float]) -> None:
    played = ginsim.compare(Responder(name, SMALL), name, SMALL, deals=4_000, games=0, seed=4, workers=1).points_per_hand
    assert abs(best[name] - played.value) < 2 * (played.high - played.low) / 2
    assert played.low > 0.5


@pytest.mark.parametrize(("offer", "turns"), [("true", 2), ("false", 3)])
def test_the_policy_gains_what_the_best_response_does(offer: str, turns: int) -> None:
    """The answers noted for all deals, followed without looking for better ones; three turns bury an upcard that nobody took."""
    rules, policy = check_small(f"eaai({DECK}, knock_limit=5, max_turns={turns}, upcard_offer={offer})"), dict[Any, int]()
    strategy = Strategy.parse("threshold(knock=4)", "gin")
    noted = Tree(rules, strategy, policy=policy).both(None)
    followed = Following(rules, strategy, policy=policy).both(None)
    best = best_response(strategy, rules)
    assert noted == pytest.approx((best.starting, best.answering), abs=1e-9)
    assert followed == pytest.approx((best.starting, best.answering), abs=1e-9)


class Following(Tree):
    """Plays by the answers that were noted."""

    def decided(self, t: Any, kind: int, ways: Any, belief: Any, kept: Any = (0, 0, 0)) -> float:
        assert self.policy is not None
        return float(ways[self.policy[ginsim.exact.response.seen_by(t[0], kind, *kept[:2])]](t))


def test_plain_python(best: dict[str, float]) -> None:
    tree = Tree(check_small(SMALL), Strategy.of(player=Plain()))
    compiled = Tree(check_small(SMALL), Strategy.parse("threshold(knock=2)", "gin"))
    for root in list(tree.roots())[::120]:
        assert tree.root(0, *root) == pytest.approx(compiled.root(0, *root), abs=1e-12)
    with pytest.raises(StrategyError, match="Plain: a decision is not a legal move"):
        best_response(Strategy.of(player=Plain(wrong=True)), SMALL)


def test_step_by_step(best: dict[str, float]) -> None:
    """At a table the responder plays the hands that it plays in a study."""
    name, deals = "threshold(knock=2)", 300
    responder, gains = Responder(name, SMALL), []
    for deal in range(deals):
        for starter in range(2):
            table = ginsim.Table(responder, name, rules=SMALL, seed=5, deal=deal, starter=starter)
            row = table.result.record
            gains.append({0: row["points"], 1: -row["points"], -1: 0}[row["winner"]])
    played = ginsim.compare(responder, name, SMALL, deals=deals, games=0, seed=5, workers=1).points_per_hand
    assert sum(gains) / len(gains) == pytest.approx(played.value)
    assert abs(best[name] - played.value) < played.high - played.low


def test_who_is_not_opposite_is_told() -> None:
    responder = Responder("gin_only", SMALL)
    with pytest.raises(StrategyError, match="gin_only never plays so that it comes to"):
        ginsim.compare(responder, "random", SMALL, deals=50, games=0, workers=1)


def test_too_large_a_game_is_refused() -> None:
    for rules, why in (
        ("classic25", "max_turns=200 is too many"),
        ("classic20(ranks=5, suits=3, hand_size=3, max_turns=4)", "positions"),
        ("classic20(ranks=5, suits=2, hand_size=3, max_turns=3, big_gin_bonus=31)", "big_gin_bonus=31"),
        ("classic20(ranks=6, suits=2, hand_size=3, max_turns=8, stock_end=reshuffle)", "stock_end=reshuffle"),
    ):
        with pytest.raises(InputError, match=why):
            best_response("simple", rules)


def test_positions_are_not_fewer_than_there_are() -> None:
    rules, tree = check_small(SMALL), Tree(check_small(SMALL), Strategy.parse("random", "gin"))
    most = [0]

    def counting(*of: Any) -> Any:
        most[0] += len(of[3].hands) if len(of) > 3 else 0
        return decided(*of)

    decided, tree.decided = tree.decided, counting  # type: ignore[method-assign]
    tree.root(0, *list(tree.roots())[400])
    assert 0 < most[0] < positions(rules) / 840


def test_command(best: dict[str, float]) -> None:
    words = ["exact", "response", "threshold(knock=2)", "--player", "simple", "--rules", SMALL]
    text = CliRunner().invoke(app, [*words]).output
    assert "on average" in text and f"{best['threshold(knock=2)']:+.4f}" in text and "+0.6339" in text
    table = CliRunner().invoke(app, [*words, "--format", "csv"]).output.splitlines()
    assert table[0] == "points a hand,best_response,simple" and len(table) == 4


def test_it_is_counted_once_for_a_responder(tmp_path: Path) -> None:
    """Kept beside the responder, of this strategy under these rules; how far the count is can be seen."""
    own, rules, shown = Strategy.parse("simple"), Rules.parse(SMALL), list[tuple[str, int, int]]()
    found = exploit._exact_in(tmp_path, own, rules, lambda *of: shown.append(of))
    assert found == best_response(own, rules).points
    assert shown[-1] == ("the best response to simple, going through all deals", 100, 100)
    assert [now for _, now, _ in shown] == sorted(now for _, now, _ in shown)
    shown.clear()
    assert exploit._exact_in(tmp_path, own, rules, lambda *of: shown.append(of)) == found and not shown
    with pytest.raises(InputError, match=r"belongs to another study .strategy: 'simple' there, 'gin_only' now"):
        exploit._exact_in(tmp_path, Strategy.parse("gin_only"), rules, None)
    assert exploit._exact_in(tmp_path / "random", Strategy.parse("rollout"), rules, None) is None


def test_training_finds_no_more_than_there_is() -> None:
    """The shipped responders, judged on fresh deals: the interval never lies above what the best response wins."""
    found = ginsim.load_results(ROOT / "results" / "exploitability_small")
    assert len(found.found) == 4
    for of in found.found.values():
        assert of.exact is not None and 0 < of.points.low <= of.exact
    assert found.verdict().endswith("In points a hand, they win 69 % to 78 % of what the best response does.")
    assert "exact" in found.table() and f"wins {found.found[0, 0].exact:+.2f}" in str(found.found[0, 0])


def test_shipped_figures_are_those_counted() -> None:
    """A part of the deals, each of which is counted for itself, has the mean that all have, near enough."""
    found = ginsim.load_results(ROOT / "results" / "exploitability_small")
    of = found.found[0, 1]
    tree = Tree(check_small(of.rules), Strategy.parse(of.strategy, "gin"))
    values = [sum(tree.root(starter, *root) for starter in range(2)) / 2 for root in list(tree.roots())[::45]]
    assert abs(sum(values) / len(values) - of.exact) < 3 * (max(values) - min(values)) / len(values) ** 0.5
