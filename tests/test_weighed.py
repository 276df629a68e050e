"""The decisions called ``weighed`` against their twins, on views of real play and on awkward ones; what each weight does."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest

from ginsim import layout as D
from ginsim.cards import format_hand, parse_hand
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import new_table
from ginsim.games.gin.kernels import hands_kernel
from ginsim.games.gin.players import appraisal
from ginsim.games.gin.players.families import FAMILIES, REPERTOIRE
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.melds import knocker_melds, lay_off
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.helpers import Asking, engine_hands, from_mask
from tests.oracle import weighed as twin
from tests.strategy_contract import awkward_views, view_of
from tests.test_lookahead import RULES, known, rules_of, weights_of

CLOSE = 1e-9
OFF = "custom(draw=weighed, discard=weighed, stop=weighed)"


def seen(view: np.ndarray, rules: Rules) -> twin.Seen:
    """A view in the words of the twin."""
    plain, mine = known(view, rules), View(view)
    boxes = int(view[R.BOX_BONUS]) * (mine.opp_boxes - mine.own_boxes)
    return twin.Seen(
        **{f.name: getattr(plain, f.name) for f in fields(plain)},
        left_by_opponent=from_mask(mine.opp_discards | mine.opp_passed),
        opponent_turns=mine.opp_turn,
        first_offer=bool(mine.offer and mine.starter),
        stock=mine.stock,
        lead=mine.opp_score - mine.own_score + boxes,
        opponent_score=mine.opp_score,
    )


def random_weighed(rnd: random.Random) -> str:
    """All three decisions with weights about; each is 0 at times."""
    values = {"take_at": rnd.choice([1, 3, -2]), "slack": rnd.choice([0, 0.5, 3, 7, 30]), "points": rnd.choice([1, 1, 0.3, -1])}
    names = "no_meld outs deny points_turn pair connector inside triangle middle keep_turn bait"
    values |= {name: rnd.choice([0, round(rnd.gauss(0, 2), 2)]) for name in names.split()}
    values |= {"safety": rnd.choice([0, 8, 40, -5]), "safety_turn": rnd.choice([0, 20])}
    values |= {"pickup": rnd.choice([1, 2, 9]), "trust": rnd.choice([0, 0.5, 1])}
    values |= {"undercut_risk": rnd.choice([1, 0.3, 0.1]), "gin_from": rnd.choice([201, 4, 9])}
    values |= {"knock_to_win": rnd.choice([0, 100]), "knock_if_close": rnd.choice([0, 90, 100])}
    values["behind"] = rnd.choice([0, 0.3, -0.1])
    values["high_pair"] = rnd.choice([0, [0], [4, 4, 0, -6], [-6, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]])
    lists = f"knock_by_turn={rnd.choice([[10], [10, 9, 4], [3, 10]])}, knock_by_stock={rnd.choice([[100], [2, 5, 9], [0, 9]])}"
    return f"custom({', '.join(f'{name}={value}' for name, value in values.items())}, {lists})"


class Watched(Asking):
    """Plays by the kernels' decisions, and compares each with what the twin says of the view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.weights = weights_of(self.strategy)
        assert [f.__name__ for f in self.strategy.decisions] == [f"{kind}_weighed" for kind in REPERTOIRE.kinds]

    def draw(self, view: View) -> int:
        mine, worth = self.answer("draw", view.array), twin.upcard_worth(seen(view.array, self.rules), self.weights)
        assert mine == (worth >= self.weights["take_at"]) or abs(worth - self.weights["take_at"]) < CLOSE
        self.seen.add(f"draw {mine}")
        return mine

    def discard(self, view: View) -> int:
        mine, cost = self.answer("discard", view.array), twin.costs(seen(view.array, self.rules), self.weights)
        assert cost[next(iter(from_mask(mine)))] == pytest.approx(min(cost.values()), abs=CLOSE)
        self.seen.add("one candidate" if len(cost) == 1 else "several candidates")
        return mine

    def knock(self, view: View) -> int:
        mine, told = self.answer("knock", view.array), seen(view.array, self.rules)
        assert mine == twin.knocks(told, self.weights)
        assert appraisal.undercut_chance(view.array) == pytest.approx(twin.undercut_chance(told))
        self.seen.add(f"knock {mine}")
        return mine


@pytest.mark.parametrize("spec", RULES)
def test_decisions_of_real_play(spec: str) -> None:
    rnd, rules, counts = random.Random(spec), Rules.parse(spec), set[str]()
    for deal in range(4):
        pair = [Watched(Strategy.parse(random_weighed(rnd)), rules) for _ in range(2)]
        play(Work(tuple(Strategy.of(player=player) for player in pair), rules, 11, HANDS, deal, 1))
        counts |= pair[0].seen | pair[1].seen
    assert {"draw 0", "draw 1", "one candidate", "several candidates", "knock 1"} <= counts


def test_awkward_views() -> None:
    rnd = random.Random(5)
    for kind, view in awkward_views().values():
        for _ in range(6):
            getattr(Watched(Strategy.parse(random_weighed(rnd)), rules_of(view)), kind)(View(view.copy()))


def test_knocks_at_every_score() -> None:
    rnd, rules, answers = random.Random(8), Rules(), set[int]()
    for _ in range(100):
        watched, view = Watched(Strategy.parse(random_weighed(rnd)), rules), view_of("classic25", "AS 2S 3S 9H JH 3D 7D QD 4C KC")
        for left, turn, own, opp in product([0, 4, 10], [0, 3, 30], [0, 60, 95], [0, 60, 95]):
            view[V.DEADWOOD], view[V.TURN], view[V.OWN_SCORE], view[V.OPP_SCORE] = left, turn, own, opp
            view[V.STOCK] = rnd.randrange(32)
            answers.add(watched.knock(View(view)))
    assert answers == {0, 1}


def test_without_weights_the_plain_player() -> None:
    """Each weighed decision as it comes is the strict draw, the highest discard, the threshold of 10."""
    simple = Strategy.parse("simple")
    for rules, phase in product(["classic25", "round_the_corner"], [HANDS, GAMES]):
        plain, *same = (
            play(Work((Strategy.parse(spec), simple), Rules.parse(rules), 3, phase, 0, 30)).tally
            for spec in ("threshold(draw=strict)", "custom", OFF)
        )
        for tally in same:
            np.testing.assert_array_equal(tally, plain)


@pytest.mark.parametrize("rules", ["eaai", "round_the_corner"])
def test_all_kernels_play_alike(rules: str) -> None:
    """Reached by number, through slots and interpreted, the decisions come to the same hands."""
    rnd = random.Random(9)
    for seed in range(4):
        pair = Strategy.parse(random_weighed(rnd)), Strategy.parse("defensive")
        numbers, *others = (engine_hands(kind, *pair, Rules.parse(rules), seed, 0, 6) for kind in ("numbers", "slots", "python"))
        for records in others:
            np.testing.assert_array_equal(records, numbers)


# What each weight does


def ask(spec: str, kind: str, hand: str, **slots: Any) -> str:
    strategy = Strategy.parse(f"custom({spec})")
    answer = int(strategy.decisions[REPERTOIRE.kinds.index(kind)](view_of("classic25", hand, **slots), strategy.array))
    return format_hand(answer) if kind == "discard" else str(answer)


NINE = "4D 4H 4S 7C 7D 7H "


@pytest.mark.parametrize(
    ("spec", "hand", "slots", "plain", "changed"),
    [
        ("pair=1", NINE + "10H KC KS AS 2H", {}, "KC", "10H"),
        ("pair=1", NINE + "10H KC KS AS 2H", {"pile": "KD KH 9S"}, "KC", "KC"),  # no king is left
        ("high_pair=1", NINE + "10H KC KS AS 2H", {"turn": 9}, "KC", "10H"),
        ("high_pair=[1, 1, 1, 0]", NINE + "10H KC KS AS 2H", {"turn": 2}, "KC", "10H"),
        ("high_pair=[1, 1, 1, 0]", NINE + "10H KC KS AS 2H", {"turn": 3}, "KC", "KC"),
        ("high_pair=1", NINE + "10H KC KS AS 2H", {"pile": "KD KH 9S"}, "KC", "KC"),  # no king is left
        ("high_pair=1", NINE + "9H 9C 8S AS 2H", {}, "9C", "9C"),  # nines are not high
        ("pair=1, high_pair=-1", NINE + "10H KC KS AS 2H", {}, "KC", "KC"),  # what one adds the other takes away
        ("slack=9, high_pair=-9", NINE + "KC JH JS AS 2H", {}, "KC", "JH"),
        ("connector=1", NINE + "10H QC KC AS 2H", {}, "KC", "10H"),
        ("inside=1", NINE + "10H JC KC AS 2H", {}, "KC", "10H"),
        ("inside=-1", NINE + "10C JH KH AS 2H", {}, "10C", "KH"),
        ("middle=1", NINE + "10C KH AS 2H 2S", {}, "10C", "KH"),
        ("middle=-1", NINE + "10H KC AS 2H 2S", {}, "KC", "10H"),
        ("triangle=5", NINE + "QC JC QH 10S 2S", {}, "QC", "JC"),
        ("slack=1, points=-1", NINE + "10H 9C AS 2H 2S", {}, "10H", "9C"),
        ("slack=1, points_turn=-2", NINE + "10H 9C AS 2H 2S", {"turn": 3}, "10H", "10H"),
        ("slack=1, points_turn=-2", NINE + "10H 9C AS 2H 2S", {"turn": 12}, "10H", "9C"),
        ("keep_turn=-1, pair=1", NINE + "10H KC KS AS 2H", {"turn": 6}, "KC", "10H"),
        ("keep_turn=-1, pair=1", NINE + "10H KC KS AS 2H", {"turn": 12}, "KC", "KC"),
        ("safety=5", NINE + "10H KC AS 2H 2S", {"opp_held": "QC JC"}, "KC", "10H"),
        ("safety=5", NINE + "KH 10C AS 2H 2S", {}, "10C", "KH"),
        ("safety=5", NINE + "KH 10C AS 2H 2S", {"pile": "10H 10S 9C JC"}, "10C", "10C"),  # nobody can use that ten
        ("safety_turn=5", NINE + "10H KC AS 2H 2S", {"opp_held": "QC JC"}, "KC", "KC"),
        ("safety_turn=5", NINE + "10H KC AS 2H 2S", {"opp_held": "QC JC", "turn": 20}, "KC", "10H"),
        ("safety=5, pickup=0", NINE + "KH JC AS 3C 2S", {"opp_held": "9C", "pile": "QC"}, "JC", "JC"),
        ("safety=5, pickup=9", NINE + "KH JC AS 3C 2S", {"opp_held": "9C", "pile": "QC"}, "JC", "KH"),
        ("safety=5, trust=0", NINE + "QH KC AS 3C 2S", {"opp_passed": "QS", "pile": "QS 8S"}, "KC", "QH"),
        ("safety=5, trust=1", NINE + "QH KC AS 3C 2S", {"opp_passed": "QS", "pile": "QS 8S"}, "KC", "KC"),
        ("safety=5, trust=1", NINE + "QH KC AS 3C 2S", {"opp_discards": "QS", "pile": "QS 8S"}, "KC", "KC"),
        ("bait=1", NINE + "QS QC KH 10D 2C", {}, "QC", "KH"),  # beside the queen of hearts, which is wanted
    ],
)
def test_discards(spec: str, hand: str, slots: dict[str, Any], plain: str, changed: str) -> None:
    assert ask("discard=weighed", "discard", hand, **slots) == plain
    assert ask(spec, "discard", hand, **slots) == changed


@pytest.mark.parametrize(
    ("spec", "hand", "slots", "answers"),
    [
        ("take_at=10", NINE + "9S 9D KC 2H", {"upcard": "AS"}, "10"),
        ("no_meld=20", NINE + "3S 9D KC 2H", {"upcard": "AS"}, "10"),
        ("no_meld=20", NINE + "9S 9D KC 2H", {"upcard": "9C"}, "11"),
        ("take_at=3", NINE + "QS 9D KC 2H", {"upcard": "9S"}, "10"),
        ("take_at=3, outs=1", NINE + "QS 9D KC 2H", {"upcard": "9S"}, "11"),
        ("take_at=0, outs=1", NINE + "QS 9D 10C 2H", {"upcard": "KS"}, "01"),
        ("deny=50", NINE + "QS 9D 10C 2H", {"upcard": "KS", "offer": 1, "starter": 1}, "01"),
        ("deny=50", NINE + "QS 9D 10C 2H", {"upcard": "KS", "offer": 1, "starter": 0}, "00"),
        ("deny=50", NINE + "QS 9D 10C 2H", {"upcard": "KS", "offer": 0, "starter": 1}, "00"),
    ],
)
def test_draws(spec: str, hand: str, slots: dict[str, Any], answers: str) -> None:
    assert ask("draw=weighed", "draw", hand, **slots) + ask(spec, "draw", hand, **slots) == answers


@pytest.mark.parametrize(
    ("spec", "slots", "answer"),
    [
        ("gin_from=4", {"turn": 2}, "1"),
        ("gin_from=4", {"turn": 3}, "0"),
        ("gin_from=4", {"turn": 3, "deadwood": 0}, "1"),
        ("knock_by_turn=[10, 4], stop=weighed", {"turn": 0}, "1"),
        ("knock_by_turn=[10, 4], stop=weighed", {"turn": 5}, "0"),
        ("knock_by_stock=[3, 10]", {"stock": 3}, "0"),
        ("knock_by_stock=[3, 10]", {"stock": 4}, "1"),
        ("undercut_risk=0.2", {"opp_turn": 1, "opp_held": "KC"}, "1"),
        ("undercut_risk=0.2", {"opp_turn": 12, "opp_held": "KC"}, "0"),
        ("knock_by_turn=0, knock_to_win=10", {"own_score": 95}, "1"),
        ("knock_by_turn=0, knock_to_win=10", {"own_score": 94}, "0"),
        ("knock_by_turn=0, knock_if_close=25", {"opp_score": 75}, "1"),
        ("knock_by_turn=0, knock_if_close=25", {"opp_score": 74}, "0"),
        ("knock_by_turn=4, behind=0.1", {"opp_score": 10}, "1"),
        ("knock_by_turn=4, behind=0.1", {"opp_score": 10, "own_score": 1}, "0"),
        ("knock_by_turn=4, behind=0.1", {"opp_score": 10, "own_score": 20, "opp_boxes": 1}, "1"),
    ],
)
def test_knocks(spec: str, slots: dict[str, Any], answer: str) -> None:
    assert ask(spec, "knock", NINE + "AS 2H 2S AC", **{"deadwood": 5, "chosen": "KD"} | slots) == answer


def test_wants_of_the_opponent() -> None:
    """Nothing known of them: each of the pairs that make a meld, with the chance of holding both."""
    view = view_of("classic25", "KS 2D 4H 6C 8S 10D QH AH 3S 5D 7C")
    unseen, even = unseen_cards(view), 10 / 41
    chances = appraisal.chances_of_sorts(view, unseen, 3.0, 0.25)
    assert chances == pytest.approx((3 * even, 0.75 * even, 2.25 * even, even))
    sorts = appraisal.sorts_of_cards(view, unseen)
    assert sorts == (0, 0, 0, unseen)
    for card, pairs in [("KS", 1 + 3), ("2D", 2 + 3), ("7C", 1 + 3)]:
        found = appraisal.opponent_wants(np.int64(parse_hand(card)), np.int64(0), sorts, chances, view)
        assert found == pytest.approx(pairs * even**2), card


def test_risk_of_an_undercut_is_what_happens() -> None:
    """Estimated against real shares of possible knocks that would be undercut, against players of several sorts."""
    rules, rnd = Rules.parse("eaai"), random.Random(3)
    table, told = new_table(rules.array(), (-1,) * 6), list[tuple[float, bool]]()

    def knock(view: np.ndarray, params: np.ndarray) -> int:
        hand, left = view[V.HAND], view[V.DEADWOOD]
        sets, runs = knocker_melds(hand, view[D.FULL] & ~(hand | view[V.PILE]), view)
        if left:
            told.append((appraisal.undercut_chance(view), lay_off(table[1][V.HAND], sets, runs, view[R.LAYOFF], view)[0] <= left))
        return int(left == 0 or rnd.random() < 0.25)

    me = Strategy.parse("custom")
    for number, spec in enumerate(["simple", "gin_only", "early_then_gin(draw=strict)"]):
        other = Strategy.parse(spec)
        slots = ((*me.decisions[:2], knock), other.decisions)
        out = np.zeros((800, H.SIZE), np.int64)
        assert hands_kernel("python")(table, number, 0, 400, np.array([me.params, other.params]), slots, out) == 800
    chance, real = np.array(told).T
    assert len(told) > 3000
    for low in (0, 0.15, 0.3, 0.5):
        part = (chance >= low) & (chance < low + 0.2)
        assert abs(chance[part].mean() - real[part].mean()) < 0.08, low


# Families


def test_blocks_have_room() -> None:
    for (kind, _), decision in REPERTOIRE.decisions.items():
        assert sum(param.cells for param in decision.params) <= REPERTOIRE.room(kind)
    assert sum(map(REPERTOIRE.room, REPERTOIRE.kinds)) + 1 == len(Strategy.parse("simple").params)  # and what is remembered
    blocks = REPERTOIRE.blocks
    assert [blocks[kind] for kind in REPERTOIRE.kinds] == sorted(blocks.values())


def test_a_parameter_means_one_thing() -> None:
    """Within the open family a name is a parameter of one kind of decision, alike in all that have it."""
    found: dict[str, Any] = {}
    choices = dict(zip(REPERTOIRE.kinds, FAMILIES["custom"].choices, strict=True))
    for (kind, name), decision in REPERTOIRE.decisions.items():
        for param in decision.params * (name in choices[kind]):
            assert found.setdefault(param.name, (kind, param)) == (kind, param)
    assert not set(found) & {"draw", "discard", "stop"}


def test_every_combination_has_a_spec() -> None:
    """All decisions of the open family together, by name; one in eight of the fast ones plays.

    Nets only fit the way of looking ahead that they were trained with, so learned decisions are of their own family.
    """
    family, rnd, simple = FAMILIES["custom"], random.Random(1), Strategy.parse("simple")
    decisions = REPERTOIRE.decisions
    by_kind = zip(REPERTOIRE.kinds, family.choices, strict=True)
    plain = {of for of in decisions if not of[1].startswith("learned")}
    assert {(kind, name) for kind, names in by_kind for name in names} == plain
    for draw, discard, stop in product(*family.choices):
        chosen = [decisions["draw", draw], decisions["discard", discard], decisions["knock", stop]]
        if any(one.needs and other.name not in one.needs for one, other in pairwise(chosen)):
            continue
        strategy = Strategy.parse(f"custom(draw={draw}, discard={discard}, stop={stop})")
        assert list(strategy.decisions) == [decision.function for decision in chosen]
        if discard != "rollout" and rnd.random() < 1 / 8:
            play(Work((strategy, simple), Rules(), 1, HANDS, 0, 3))


def test_presets_beat_simple() -> None:
    for name in ("defensive", "aggressive"):
        done = play(Work((Strategy.parse(name), Strategy.parse("simple")), Rules.parse("eaai"), 4, HANDS, 0, 6000), keep=True)
        assert done.records is not None
        pairs = np.where(done.records[:, 4] == 0, 1, -1) * done.records[:, 5]
        assert pairs.reshape(-1, 2).mean(axis=1).mean() > 0.3, name
