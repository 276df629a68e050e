"""Strategies: the contract for every shipped one, strategies of one's own, and what is refused with which words."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginsim.cards import format_hand, parse_hand
from ginsim.errors import InputError, StrategyError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, new_table, play_hand
from ginsim.games.gin.players import decisions
from ginsim.games.gin.players.dispatch import BY_NUMBER
from ginsim.games.gin.players.families import FAMILIES, REPERTOIRE
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.games.kernel import interpreted
from ginsim.games.plugin import decision
from ginsim.melds import best_discards, deadwood
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.strategy_contract import StrategyContract, view_of

# The contract, for every family and every choice of decisions

MINE = Path(__file__).parent / "data" / "strategies.py"


class TestSimple(StrategyContract):
    spec = "simple"
    random = True


class TestRandom(StrategyContract):
    spec = "random"
    random = True


class TestThreshold(StrategyContract):
    spec = "threshold"
    random = False


def every_threshold() -> list[type[StrategyContract]]:
    family = FAMILIES["threshold"]
    knocks = {"threshold": "knock=4", "chart": "chart=classic25", "by_turn": "knock_by_turn=[10, 7.5, -1, 3]"}
    return [
        type(f"TestThreshold_{draw}_{discard}_{knock}", (StrategyContract,), {
            "spec": f"threshold(draw={draw}, discard={discard}, {knocks[knock]})",
            "random": True if discard == "random_best" else None if knock == "chart" else False,
            "__module__": __name__,
        })
        for draw, discard, knock in product(*family.choices)
    ]  # fmt: skip


globals().update({case.__name__: case for case in every_threshold()})


class TestGinOnly(StrategyContract):
    spec = "gin_only"
    random = True


class TestEarlyThenGin(StrategyContract):
    spec = "early_then_gin(draw=strict)"
    random = True


class TestLookahead(StrategyContract):
    spec = "lookahead"
    random = False


class TestLookaheadOtherwise(StrategyContract):
    spec = "lookahead(draw=strict, knock=3, danger=0, danger_turn=0)"
    random = False


class TestRollout(StrategyContract):
    spec = "rollout(rollouts=2, margin=15, draw_margin=15)"
    rules = ("classic25", "classic25(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle)")
    random = True


class TestCustom(StrategyContract):
    spec = "custom"
    random = False


class TestCustomAtRandom(StrategyContract):
    spec = "custom(draw=random, discard=new_pair, stop=random)"
    random = True


class TestAggressive(StrategyContract):
    spec = "aggressive(deny=20, outs=1, bait=2)"
    random = False


class TestDefensive(StrategyContract):
    spec = "defensive(gin_from=9, knock_by_stock=[3, 10], behind=0.05, slack=40, points=-1)"
    random = False


class TestLearned(StrategyContract):
    spec = "learned"
    random = False


class TestStrong(StrategyContract):
    spec = "strong"
    rules = ("oklahoma",)
    random = False


class TestStrongRollout(StrategyContract):
    spec = "strong_rollout(rollouts=2, again=2, margin=0.05, draw_margin=0.05)"
    rules = ("oklahoma", "classic25(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle)")
    random = True


class TestOrdinary(StrategyContract):
    spec = "ordinary"
    rules = ("oklahoma",)
    random = False


class TestLearnedOtherwise(StrategyContract):
    spec = "learned(draw=lookahead, stop=by_turn, knock_by_turn=[10, 4], weights=eaai_simple)"
    rules = ("classic20",)
    random = False


class TestChampion(StrategyContract):
    spec = "champion"
    random = False


class TestChampionRollout(StrategyContract):
    spec = "champion_rollout(rollouts=2)"
    rules = ("eaai",)
    random = True


class TestChampion20(StrategyContract):
    spec = "champion20"
    random = False


class TestChampion20Rollout(StrategyContract):
    spec = "champion20_rollout(rollouts=1)"
    rules = ("classic20",)
    random = True


class TestChampionOklahoma(StrategyContract):
    spec = "champion_oklahoma"
    rules = ("oklahoma",)
    random = False


class TestAllround(StrategyContract):
    spec = "allround(gain=1)"
    random = False


class TestJittedFile(StrategyContract):
    spec = f"{MINE}:careful(least=2)"
    random = True


class TestPlainFile(StrategyContract):
    spec = f"{MINE}:Plain(knock=7)"
    random = True


class TestPlainObject(StrategyContract):
    spec = f"{MINE}:plain"
    random = True


def test_every_family_has_a_contract() -> None:
    tested = {case.spec.partition("(")[0] for case in StrategyContract.__subclasses__()}
    assert set(FAMILIES) <= tested


# What the decisions do


def ask(spec: str, kind: str, view: np.ndarray) -> int:
    strategy = Strategy.parse(spec)
    return int(strategy.decisions[("draw", "discard", "knock").index(kind)](view, strategy.array))


def test_draw_decisions() -> None:
    # JD makes a run of JD QD KD, but at the price of the kings: a meld, no gain.
    kings = view_of("classic25", "KS KH KD QD AS 2H 3C AC 5H 7C", upcard="JD")
    # An ace for a nine: no meld, less deadwood.
    nine = view_of("classic25", "4D 4H 4S 7C 7D 7H AS 3C 5H 9C", upcard="AC")
    for draw, answers in [("meld", (1, 0)), ("strict", (0, 1)), ("never", (0, 0))]:
        assert tuple(ask(f"threshold(draw={draw})", "draw", view) for view in (kings, nine)) == answers


def test_strict_draws_look_at_the_legal_discards_only() -> None:
    # QD would be the best discard after QD: only without the ban does the deadwood stay what it is.
    view = view_of("classic25", "4D 4H 4S 7C 7D 7H 9S 9H 9C AS", upcard="QD")
    assert ask("threshold(draw=strict)", "draw", view) == 0


def test_discard_decisions() -> None:
    held = "4D 4H 4S 7C 7D 7H AS 3C KH KC 10D"
    assert ask("threshold", "discard", view_of("classic25", held)) == parse_hand("KC")
    assert ask("threshold", "discard", view_of("classic25", held, banned="KC")) == parse_hand("10D")
    picks = Counter(ask("threshold(discard=random_best)", "discard", view_of("classic25", held, random=n)) for n in range(600))
    assert set(picks) == {parse_hand(card) for card in ("KH", "KC", "10D")}
    assert min(picks.values()) > 150
    tens = {ask("random", "discard", view_of("classic25", held, random=n, banned="10D")) for n in range(300)}
    assert tens == {parse_hand(card) for card in held.split()} - {parse_hand("10D")}


def test_simple_never_repeats_a_pair() -> None:
    view = view_of("classic25", "4D 4H 4S 7C 7D 7H AS 3C KH 2D 5H", drawn="AS")
    simple = Strategy.parse("simple")
    first = simple.decisions[1](view, simple.array)
    assert format_hand(int(first)) == "KH"
    seen = View(view)
    view[V.OWN_LOG : V.OWN_LOG + 2] = parse_hand("AS"), first  # the log, as the engine keeps it
    view[V.TURN] = 1
    assert seen.own_moves == [(parse_hand("AS"), parse_hand("KH"))]
    assert format_hand(int(simple.decisions[1](view, simple.array))) == "5H"
    view[V.DRAWN] = parse_hand("3C")
    assert format_hand(int(simple.decisions[1](view, simple.array))) == "KH"


def test_knock_decisions() -> None:
    def knocks(spec: str, left: int, turn: int = 0) -> int:
        return ask(spec, "knock", view_of("classic25(knock_limit=100)", "AS", chosen="KD", deadwood=left, turn=turn))

    assert [knocks("threshold(knock=4)", left) for left in (0, 4, 5)] == [1, 1, 0]
    assert [knocks("threshold(knock=-1)", left) for left in (0, 10)] == [0, 0]
    assert [knocks("threshold(knock_by_turn=[10, 6, 2])", 5, turn) for turn in (0, 1, 2, 7)] == [1, 1, 0, 0]
    assert [knocks("simple", left) for left in (0, 10, 100)] == [1, 1, 1]
    assert knocks("threshold", 10) == 1 > knocks("threshold", 11)
    assert {ask("random", "knock", view_of("classic25", "AS", random=n)) for n in range(30)} == {0, 1}


def test_random_below_is_even_and_its_own() -> None:
    view = view_of("classic25", "AS", random=99)
    counts = Counter(int(decisions.random_below(view, 7)) for _ in range(7000))
    assert set(counts) == set(range(7))
    assert all(abs(n - 1000) < 150 for n in counts.values())
    view, other = view_of("classic25", "AS", random=1), view_of("classic25", "AS", random=1)
    assert [View(view).random(10) for _ in range(20)] == [int(decisions.random_below(other, 10)) for _ in range(20)]


def test_every_decision_by_number_is_built_in() -> None:
    assert {found.function for found in REPERTOIRE.decisions.values()} >= set(BY_NUMBER)
    assert all(found.meaning for found in REPERTOIRE.decisions.values())


# Specs


@pytest.mark.parametrize(
    ("spec", "kind"),
    [("simple", "numbers"), ("random", "slots"), ("threshold(draw=strict, knock=3)", "numbers"), (f"{MINE}:plain", "python")],
)
def test_kinds(spec: str, kind: str) -> None:
    assert Strategy.parse(spec).kind == kind


def test_equal_strategies() -> None:
    assert Strategy.parse("threshold( knock = 4 )") == Strategy.parse("threshold(knock=4)")
    assert Strategy.parse("threshold(knock=4)") != Strategy.parse("threshold(knock=5)")
    assert Strategy.parse("threshold(knock_by_turn=4)").params == Strategy.parse("threshold(knock_by_turn=[4])").params
    assert Strategy.parse(f"{MINE}:plain") == Strategy.parse(f"{MINE}:plain") != Strategy.parse(f"{MINE}:Plain")
    assert Strategy.parse("custom(pair=1)").decisions == Strategy.parse("custom(discard=weighed, pair=1)").decisions
    assert Strategy.parse("threshold(stop=by_turn)").params == Strategy.parse("threshold(knock_by_turn=10)").params
    assert len({Strategy.parse("simple"), Strategy.parse("simple()"), Strategy.parse("random")}) == 2
    assert repr(Strategy.parse("threshold(knock=4)")) == "Strategy.parse('threshold(knock=4)')"


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("simpel", ["simpel", "did you mean 'simple'?"]),
        ("wizard", ["wizard", "known: random, simple, threshold"]),
        ("simple(knock=4)", ["simple", "knock"]),
        ("random(knock=4)", ["random", "no parameter 'knock'"]),
        ("threshold(knok=4)", ["knok", "did you mean 'knock'?"]),
        ("threshold(knock=101)", ["knock=101", "from -1 to 100"]),
        ("threshold(knock=-2)", ["knock=-2"]),
        ("threshold(knock=true)", ["knock=true"]),
        ("threshold(knock=soon)", ["knock=soon"]),
        ("threshold(knock=[1, 2])", ["knock=[1, 2]"]),
        ("threshold(knock=none)", ["knock=none"]),
        (f"threshold(knock={'9' * 399})", ["knock=999", "…", "from -1 to 100"]),
        (f"threshold(knock_by_turn=[1, {'9' * 399}])", ["knock_by_turn=[1, 999", "…", "a list of 1 to 15 numbers"]),
        ("threshold(knock=nan)", ["knock=nan"]),
        ("threshold(knock=inf)", ["knock=inf"]),
        ("threshold(self=1)", ["no parameter 'self'"]),
        ("threshold(knock_by_turn=[])", ["knock_by_turn=[]", "a list of 1 to 15 numbers"]),
        (f"threshold(knock_by_turn={[1] * 16})", ["knock_by_turn", "1 to 15"]),
        ("threshold(knock_by_turn=[1, 200])", ["200"]),
        ("threshold(knock=4, knock_by_turn=[4])", ["knock", "knock_by_turn", "not both"]),
        ("threshold(draw=sometimes)", ["draw=sometimes", "meld, strict, never"]),
        ("threshold(draw=random)", ["draw=random"]),
        ("threshold(stop=weighed)", ["stop=weighed", "threshold, by_turn"]),
        ("simple(stop=threshold)", ["no parameter 'stop'"]),
        ("custom(draw=sometimes)", ["draw=sometimes", "strict, meld, never, weighed"]),
        ("custom(stop=by_turn, knock=4)", ["knock has no effect"]),
        ("custom(slack=3, danger=2)", ["slack and danger", "not both"]),
        ("custom(draw=lookahead)", ["draw=lookahead needs discard=lookahead"]),
        ("custom(discard=rollout)", ["discard=rollout needs stop=window"]),
        ("threshold(draw=[1])", ["draw"]),
        ("threshold(discard=none)", ["discard=none", "highest, random_best"]),
        ("threshold(knock=4", ["threshold(knock=4", "the text ends"]),
        ("", ["the text ends"]),
        ("nowhere/file.py:mine", ["nowhere/file.py", "no file"]),
        (f"{MINE}:carefull", ["carefull", "did you mean 'careful'?"]),
        (f"{MINE}:careful(most=3)", ["no parameter 'most'"]),
        (f"{MINE}:careful(least=low)", ["least", "not a number"]),
        (f"{MINE}:Plain(speed=3)", ["Plain", "speed"]),
        (f"{MINE}:plain(knock=3)", ["plain", "takes no parameters"]),
        (f"{MINE}:NOTHING", ["NOTHING", "neither a Strategy nor an object with the methods draw"]),
    ],
)
def test_refused_specs(spec: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        Strategy.parse(spec)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize("thing", [None, 7, ["simple"], object()])
def test_what_is_no_strategy(thing: Any) -> None:
    with pytest.raises(InputError, match="strategy"):
        Strategy.parse(thing)


# Strategies of one's own


def hands(a: Any, b: Any = "simple", rules: str = "classic25", seed: int = 3, count: int = 30, phase: str = HANDS) -> np.ndarray:
    work = Work((Strategy.parse(a), Strategy.parse(b)), Rules.parse(rules), seed, phase, 0, count)
    records = play(work, keep=True).records
    assert records is not None
    return records


HEAD = """
import numpy as np
from ginsim.melds import best_discards, deadwood, joins_meld
from ginsim.games.gin.players.decisions import pick
from ginsim.games.plugin import decision
from ginsim.games.catalog import Strategy
from ginsim.games.gin import view as V
"""

LIKE_THRESHOLD = """
@decision
def draw(view, params):
    return np.int64(joins_meld(view[V.HAND], view[V.UPCARD], view))

def discard(view, params):  # compiled by Strategy.of
    return pick(view, best_discards(view[V.HAND], view[V.BANNED], view)[1])

@decision
def knock(view, params):
    return np.int64(view[V.DEADWOOD] <= params[1])

mine = Strategy.of(draw=draw, discard=discard, knock=knock, params={"unused": 1, "knock": 4})
mixed = Strategy.of(draw="strict", discard=discard, knock="threshold", name="mixed")
"""


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Writes a file of strategies and gives its path."""

    def write(source: str, name: str = "own.py") -> Path:
        path = tmp_path / name
        path.write_text(HEAD + source)
        return path

    return write


def test_jitted_functions_from_a_file(write: Any) -> None:
    path = write(LIKE_THRESHOLD)
    mine = Strategy.parse(f"{path}:mine")
    assert mine.kind == "slots"
    for rules, phase in product(["classic25", "round_the_corner"], [HANDS, GAMES]):
        twin = hands("threshold(discard=random_best, knock=4)", rules=rules, phase=phase, count=8)
        np.testing.assert_array_equal(hands(mine, rules=rules, phase=phase, count=8), twin)


def test_parameters_by_name(write: Any) -> None:
    path = write(LIKE_THRESHOLD)
    given = Strategy.parse(f"{path}:mine(knock=8)")
    assert given.params[:3] == (1.0, 8.0, 0.0)
    assert str(given) == f"{path}:mine(knock=8)" or str(given) == f'"{path}:mine"(knock=8)'
    assert Strategy.parse(str(given)) == given
    assert pickle.loads(pickle.dumps(given)) == given
    np.testing.assert_array_equal(hands(given), hands("threshold(discard=random_best, knock=8)"))


def test_paths_of_every_sort(write: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my plans").mkdir()
    write(LIKE_THRESHOLD, "my plans/own (1).py")
    monkeypatch.chdir(tmp_path)
    strategy = Strategy.parse('"my plans/own (1).py:mine"')
    assert Strategy.parse(str(strategy)) == strategy
    assert len(hands(strategy, count=2)) == 4


def test_built_in_decisions_by_name(write: Any) -> None:
    mixed = Strategy.parse(f"{write(LIKE_THRESHOLD)}:mixed")
    assert mixed.kind == "slots"
    assert Strategy.of(draw="strict", discard="highest", knock="threshold", params={"knock": 3}).kind == "numbers"
    with pytest.raises(InputError, match="no draw decision 'strikt'; did you mean 'strict'"):
        Strategy.of(draw="strikt", discard="highest", knock="threshold")


PLAIN = """
class Plain:
    def __init__(self, knock=10):
        self.limit = knock

    def draw(self, view):
        return view.turn % 2 == 0

    def discard(self, view):
        from ginsim.cards import cards_of, format_card
        free = list(cards_of(view.hand & ~view.banned))
        return format_card(free[view.random(len(free))])

    def knock(self, view):
        return view.deadwood <= self.limit
"""


def test_plain_python(write: Any) -> None:
    path = write(PLAIN)
    assert Strategy.parse(f"{path}:Plain").kind == "python"
    never, always = (hands(f"{path}:Plain(knock={n})", "random", "classic25(knock_limit=60)") for n in (-1, 60))
    assert not np.array_equal(never, always)
    assert (never[:, 6] != 0).all()  # player 0 never knocks


def test_a_changed_file_is_read_anew(write: Any) -> None:
    path = write(PLAIN)
    before = hands(f"{path}:Plain", "random")
    write(PLAIN.replace("view.turn % 2 == 0", "False"))
    os.utime(path, (1, 1))
    assert not np.array_equal(hands(f"{path}:Plain", "random"), before)


def test_compiled_code_is_found_again_by_other_processes(write: Any) -> None:
    path = write(LIKE_THRESHOLD)
    expected = int(hands(f"{path}:mine", count=3)[:, 5].sum())
    code = f"from tests.test_strategies import hands; print(hands({str(path) + ':mine'!r}, count=3)[:, 5].sum())"
    for seed in "1", "2":
        environment, root = os.environ | {"PYTHONHASHSEED": seed}, Path(__file__).parents[1]
        done = subprocess.run([sys.executable, "-c", code], env=environment, cwd=root, capture_output=True, text=True)
        assert done.stdout.strip() == str(expected), done.stderr


def test_a_file_may_also_be_imported(write: Any) -> None:
    """Its compiled code on disk then names a module that another process does not know."""
    path = write(LIKE_THRESHOLD, "imported_before.py")
    code = "import sys; sys.path.insert(0, sys.argv[1]); import imported_before"
    subprocess.run([sys.executable, "-c", code, str(path.parent)], cwd=Path(__file__).parents[1], check=True)
    np.testing.assert_array_equal(hands(f"{path}:mine"), hands("threshold(discard=random_best, knock=4)"))


def test_objects_and_functions_without_a_file() -> None:
    simple = Strategy.parse("simple")

    class Borrowed:
        def draw(self, view: View) -> Any:
            return simple.decisions[0](view.array, simple.array)

        def discard(self, view: View) -> Any:
            return simple.decisions[1](view.array, simple.array)

        def knock(self, view: View) -> bool:
            return True

    assert str(Strategy.parse(Borrowed())) == "Borrowed"
    np.testing.assert_array_equal(hands(Borrowed(), "threshold"), hands("simple", "threshold"))
    own = Strategy.of(draw=draw_low, discard="highest", knock="threshold", params={"x": 3})
    assert (str(own), own.params[0]) == ("draw_low(x=3)", 3.0)
    assert len(hands(own, count=2)) == 4


def draw_low(view: Any, params: Any) -> Any:
    return np.int64(view[41] & 0x0007000700070007 != 0)


def test_decisions_use_the_tools_of_the_engine() -> None:
    """Meld functions take the view as it is: its first slots say what a meld is."""
    for rules in (Rules(), Rules(wrap=True, ace_value=15), Rules(ranks=7)):
        view = view_of(rules, "AS 2S 3S 5H 6H 7H 7D 7C 4C AD AC")
        assert deadwood(view[V.HAND], view) == deadwood(view[V.HAND], rules.array())
        assert best_discards(view[V.HAND], 0, view) == best_discards(view[V.HAND], 0, rules.array())
        assert view[R.LIMIT] == rules.knock_limit


def test_the_readable_view() -> None:
    view = View(view_of("classic25", "AS KD", upcard="9S", opp_held="2C", stock=7))
    assert (format_hand(view.hand), format_hand(view.upcard), view.stock, view.limit) == ("AS KD", "9S", 7, 10)
    assert format_hand(view.full & ~view.unseen) == "AS 9S KD 2C"
    assert {"hand", "limit", "unseen", "own_moves"} <= set(dir(view))
    assert view.as_dict()["opp_held"] == parse_hand("2C")
    with pytest.raises(AttributeError, match="no 'hidden'"):
        view.hidden  # noqa: B018


# Decisions that go wrong: the run stops, and the message says where

ILLEGAL = [
    ("draw", "np.int64(2)", "2"),
    ("draw", "np.int64(-1)", "-1"),
    ("discard", "np.int64(0)", "0"),
    ("discard", "view[V.HAND]", "2**62"),
    ("discard", "view[V.UPCARD]", "'nonsense'"),
    ("discard", "-(view[V.HAND] & -view[V.HAND])", "0.5"),
    ("discard", "np.int64(1) << 63", "2**63"),
    ("knock", "np.int64(2)", "None"),
    ("knock", "np.int64(-1)", "'yes'"),
]


def parts_of(kind: str, bad: str) -> dict[str, str]:
    usual = {"draw": "np.int64(0)", "discard": "pick(view, view[V.HAND] & ~view[V.BANNED])", "knock": "np.int64(1)"}
    return usual | {kind: bad}


@pytest.mark.parametrize("phase", [HANDS, GAMES])
@pytest.mark.parametrize(("kind", "bad", "plain"), ILLEGAL)
def test_illegal_decisions(write: Any, kind: str, bad: str, plain: str, phase: str) -> None:
    functions = "".join(f"def {k}(view, params):\n    return {v}\n" for k, v in parts_of(kind, bad).items())
    methods = f"from {__name__} import Legal\nclass Wild(Legal):\n    def {kind}(self, view):\n        return {plain}\n"
    path = write(f"{functions}\nwild = Strategy.of(draw=draw, discard=discard, knock=knock)\n{methods}")
    for name, seat in product(["wild", "Wild"], [0, 1]):
        strategies = [f"{path}:{name}", "simple"] if seat == 0 else ["simple", f"{path}:{name}"]
        with pytest.raises(StrategyError) as error:
            hands(*strategies, rules="classic25(knock_limit=60)", phase=phase, count=4)
        message = str(error.value)
        for part in (f"own.py:{name}", f"illegal {kind} decision", "hand ", "deal ", "play ", "seed 3", "rules classic25"):
            assert part in message


class Legal:
    """Any legal play, to be spoilt in one decision."""

    def draw(self, view: View) -> int:
        return 0

    def discard(self, view: View) -> int:
        free = view.hand & ~view.banned
        return free & -free

    def knock(self, view: View) -> np.bool_:
        return np.bool_(True)


def test_a_banned_card_is_refused_and_named(write: Any) -> None:
    source = "def stubborn(view, params):\n    return view[V.UPCARD] if view[V.BANNED] else pick(view, view[V.HAND])"
    path = write(f"{source}\nstubborn = Strategy.of(draw='strict', discard=stubborn, knock='threshold')")
    with pytest.raises(StrategyError, match="banned") as error:
        hands(f"{path}:stubborn")
    assert "illegal discard decision" in str(error.value)


def test_the_message_leads_back_to_the_hand() -> None:
    """Hand, deal, play and seed are those at which the decision is asked again."""
    asked: list[tuple[int, str]] = []

    class Fails(Legal):
        def discard(self, view: View) -> int:
            asked.append((view.turn, format_hand(view.hand)))
            return 0 if view.turn == 3 else super().discard(view)

    with pytest.raises(StrategyError) as error:
        hands("threshold(knock=-1)", Fails(), count=20, seed=77)
    message = str(error.value)
    assert f"hand {asked[-1][1]}," in message
    assert "own turn 4, deal 0, play 0, seed 77" in message


RAISES_JITTED = """
def draw(view, params):
    if view[V.TURN] == 2:
        raise ValueError("out of ideas")
    return np.int64(0)

wild = Strategy.of(draw=draw, discard="highest", knock="threshold")
"""

RAISES_PLAIN = """
from {module} import Legal

class wild(Legal):
    def draw(self, view):
        if view.turn == 2:
            raise ValueError("out of ideas")
        return 0
"""


@pytest.mark.parametrize("phase", [HANDS, GAMES])
@pytest.mark.parametrize("plain", [False, True])
def test_decisions_that_raise(write: Any, plain: bool, phase: str) -> None:
    path = write(RAISES_PLAIN.format(module=__name__) if plain else RAISES_JITTED)
    with pytest.raises(StrategyError) as error:
        hands("simple", f"{path}:wild", phase=phase, seed=5, count=600)
    message = str(error.value)
    for part in ("own.py:wild", "the draw decision raised ValueError: out of ideas", "own turn 3", "seed 5", "deal "):
        assert part in message
    assert isinstance(error.value.__cause__, ValueError)


@pytest.mark.parametrize(
    ("source", "parts"),
    [
        ("def bad(view):\n    return np.int64(0)", ["bad", "(view)", "takes (view, params) and returns an int64"]),
        ("def bad(view, params, more):\n    return np.int64(0)", ["bad", "(view, params, more)"]),
        ("def bad(view, params):\n    return view[0] > 0", ["draw returns bool", "np.int64"]),
        ("def bad(view, params):\n    return 0.5", ["draw returns float64"]),
        ("def bad(view, params):\n    pass", ["draw returns none"]),
        ("def bad(view, params):\n    return view.hand", ["draw does not compile", "hand"]),
        ("def bad(view, params):\n    return undefined_name(view)", ["draw does not compile", "undefined_name"]),
        ("def bad(view, params):\n    with open('x'):\n        return np.int64(0)", ["draw does not compile", "context manager"]),
        ("bad = 7", ["draw is 7, not a function"]),
        ("bad = None", ["draw is None, not a function"]),
        ("bad = decision(lambda view: 0)", ["(view)", "takes (view, params)"]),
        ("bad = 'sometimes'", ["no draw decision 'sometimes'"]),
    ],
)
def test_functions_that_cannot_be_decisions(write: Any, source: str, parts: list[str]) -> None:
    path = write(f"{source}\nown = Strategy.of(draw=bad, discard='highest', knock='threshold', name='own')")
    with pytest.raises(InputError) as error:
        hands(f"{path}:own", count=1)
    message = str(error.value)
    for part in parts:
        assert part in message
    assert len(message) < 1000


def test_files_that_cannot_be_read(write: Any) -> None:
    with pytest.raises(InputError, match="SyntaxError"):
        Strategy.parse(f"{write('def (', 'broken.py')}:own")
    with pytest.raises(InputError, match="ModuleNotFoundError: No module named 'no_such_module'"):
        Strategy.parse(f"{write('import no_such_module', 'needy.py')}:own")


def test_of_refuses() -> None:
    legal: Any = {"draw": "meld", "discard": "highest", "knock": "threshold"}
    with pytest.raises(InputError, match="methods draw"):
        Strategy.of(player=object())
    with pytest.raises(InputError, match="81 parameters; at most 80"):
        Strategy.of(**legal, params={f"p{n}": n for n in range(81)})
    for taken in ({"name": "simple"}, {"name": "champion", "player": Legal()}):
        with pytest.raises(InputError, match="is the name of another strategy"):
            Strategy.of(**(legal | taken))
    with pytest.raises(InputError, match="x='high' is not a number"):
        Strategy.of(**legal, params={"x": "high"})
    with pytest.raises(InputError, match="takes"):
        decision(lambda: 0)


def test_nothing_hidden_is_in_a_view() -> None:
    """The first view of the starter stays the same whatever the other holds and the stock brings."""
    rnd, rules = random.Random(2), Rules()
    cards = [1 << (16 * suit + rank) for suit in range(4) for rank in range(13)]
    seen: list[bytes] = []

    def watch(view: np.ndarray, params: np.ndarray) -> int:
        seen.append(view.tobytes())
        return -1  # an illegal answer ends the hand

    for _ in range(20):
        hidden = cards[10:20] + cards[21:]
        rnd.shuffle(hidden)
        table = new_table(rules.array(), (-1,) * 6)
        table[DECK, :52] = cards[:10] + hidden[:10] + cards[20:21] + hidden[10:]
        interpreted(play_hand)(table, 1, 0, 0, np.zeros((2, 64)), [[watch] * 3] * 2)
    assert len(seen) == 20
    assert len(set(seen)) == 1
