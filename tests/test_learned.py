"""Learned players: what they see and how their nets answer, against a slow twin; games that branch; weights as they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.learned import features
from ginsim.games.gin.learned import layout as L
from ginsim.games.gin.learned.net import answer, begin
from ginsim.games.gin.learned.weights import read_weights, shipped, weights_bytes
from ginsim.games.gin.players.lookahead import M_BELIEVED
from ginsim.games.gin.players.nextdraw import lane_of
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import GAMES, HANDS, Work, play
from tests.helpers import Asking, from_mask, mask
from tests.oracle import learned as twin
from tests.oracle import melds
from tests.oracle import outlook as looks
from tests.oracle.cards import Card, Hand, point
from tests.test_lookahead import chances_in, known, one_card, weights_of

RULES = {
    "eaai": 3,
    "oklahoma": 2,
    "round_the_corner": 2,
    "classic25(ranks=8, hand_size=7, target=30)": 3,
    "classic25(suits=3, hand_size=8)": 2,
    "classic25(eleven_card_start=true, upcard_offer=false, stock_end=reshuffle)": 2,
}
"""Rules and how many hands of them are played and watched."""
CLOSE = 1e-9


def random_weights(seed: int, path: Path, styles: int = 1) -> str:
    """A learned player with weights at random, kept in a file: its spec."""
    rng = np.random.default_rng(seed)
    nets = {net: rng.normal(0, 0.15, L.NET) for net in (*L.NETS, *(f"then_{net}" for net in L.NETS if styles > 1))}
    path.write_bytes(weights_bytes(nets))
    return f"learned(weights='{path}')"


class Watched(Asking):
    """Plays a learned player, and compares what it sees of each choice with what the twin says of the view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.looks = weights_of(self.strategy)

    def given(self, view: np.ndarray) -> np.ndarray:
        """What the net is given, as the workspace has it, a number for each row."""
        found = np.zeros(L.ROWS)
        found[: L.NUMBERS] = view.view(np.float64)[L.W_NUMBERS : L.W_NUMBERS + L.NUMBERS]
        for row in view[L.W_CLASSES : L.W_CLASSES + L.CLASSES]:
            found[row] += row >= 0
        return found

    def output(self, view: np.ndarray, net: int, before: bool) -> float:
        """The net's answer, which must be the twin's."""
        given = self.given(view)
        begin(view, self.params, net)
        found = float(answer(view, self.params, net, before))
        assert found == pytest.approx(twin.net_output(self.params[net : net + L.NET], given, L.WIDE, L.NARROW), abs=1e-6)
        return found

    def expected(self, view: View, held: Hand, card: Card, chances: dict[Card, float]) -> dict[str, float]:
        """The twin's numbers of a discard."""
        told = known(view.array, self.rules)
        who, hidden = looks.likely(told, chances), looks.unseen(told) - held
        outlook = looks.outlook(held - {card}, hidden, who, self.looks, told.pack)
        risk = looks.danger(card, hidden, told.opponent_known, who, self.looks["dear_pair"], told.pack)
        given = self.looks["danger"] + min(told.turn, 12) / 12 * self.looks["danger_turn"]
        given *= 1 + self.looks["danger_value"] * (point(card, told.pack) - 6)
        cost = looks.keeping_cost(told, held - {card}, hidden, who, self.looks) + given * risk
        own = twin.own_numbers(told, held, card, chances, (outlook, risk, cost))
        late = min(told.turn, 12) / 12
        facts = {
            "stock": view.stock, "took": sum(taken > 0 for taken, _ in view.opp_moves), "own": view.own_score,
            "other": view.opp_score, "starter": view.starter, "limit": view.limit, "target": self.rules.target,
        }  # fmt: skip
        thrown = [c for _, move in view.opp_moves if (c := one_card(move))]
        shared = twin.shared_numbers(told, facts, thrown)
        return own | {f"late {name}": late * own[name] for name in L.LATER} | shared

    def states(self, view: View, card: Card, own: Hand) -> list[str]:
        """The twin's classes of a card: near it, and of its rank."""
        told = known(view.array, self.rules)
        thrown = [c for _, move in view.opp_moves if (c := one_card(move))]
        mine = {c for _, move in view.own_moves[-2:] if (c := one_card(move))}
        hidden = looks.unseen(told) - own - {card}
        refused = frozenset(mine & told.opponent_passed)
        of = [*twin.near_cards(card, told.pack), *twin.same_rank(card, told.pack)]
        return [twin.state(c, own, told, thrown, refused, hidden) for c in of]

    def check_card(self, view: View, array: np.ndarray, card: Card, own: Hand) -> None:
        rows = array[L.W_CLASSES : L.W_CLASSES + L.OFFSETS + L.SAME_RANK]
        starts = [*(L.R_NEAR + k * L.STATES for k in range(L.OFFSETS)), *[L.R_RANK] * L.SAME_RANK]
        states = [twin.STATES[row - start] for row, start in zip(rows, starts, strict=True)]
        expected = self.states(view, card, own)
        assert states[: L.OFFSETS] == expected[: L.OFFSETS]
        assert sorted(states[L.OFFSETS :]) == sorted(expected[L.OFFSETS :])
        assert array[L.W_CLASSES + L.OFFSETS + L.SAME_RANK] == L.R_CARD + card[0]

    def draw(self, view: View) -> int:
        mine = self.answer("draw", view.array.copy())
        if view.wall or (mine == 1 and not view.upcard):
            return mine
        array = view.array.copy()
        array[M_BELIEVED] = 0
        features.describe_draw(array, self.params)
        card = one_card(view.upcard)
        assert card is not None
        self.check_card(view, array, card, from_mask(view.hand))
        offer = 0 if not view.offer else 1 if view.starter else 2
        assert array[L.W_CLASSES + L.CLASSES - 1] == L.R_OFFER + offer
        told = known(array, self.rules)
        numbers = array.view(np.float64)[L.W_NUMBERS + L.N_BEFORE : L.W_NUMBERS + L.NUMBERS]
        who, hidden = looks.likely(told, chances_in(array)), looks.unseen(told)
        now = looks.outlook(told.hand, hidden, who, self.looks, told.pack)
        cost = looks.keeping_cost(told, told.hand, hidden, who, self.looks)
        assert numbers[1:5] == pytest.approx([now.deadwood / 20, now.loose / 5, now.low / 10, now.reach], abs=CLOSE)
        assert numbers[-1] == pytest.approx(cost / 100, abs=CLOSE)
        value = self.output(array, L.DRAW_NET, True)
        gin = looks.saving(told, chances_in(array), self.looks) == float("inf")
        assert mine == (gin or value > 0)
        self.seen.add(f"draw {mine} {'offer' if view.offer else ''}".strip())
        return mine

    def discard(self, view: View) -> int:
        array = view.array
        mine = self.answer("discard", array)
        told = known(array, self.rules)
        if self.gives_gin(view, told):
            rest = told.hand - {next(iter(from_mask(mine)))}
            assert not looks.points(looks.loose_in_best(rest, told.pack), told.pack)
            return mine
        plain, chances = array.copy(), chances_in(array)
        discards, listed = features.weigh_all(plain, plain[V.HAND], plain[V.BANNED], np.int64(0), self.params)
        chosen = features.choices(plain, discards, listed)
        features.describe_shared(plain)
        best: dict[Card, float] = {}
        for card in from_mask(chosen):
            x = np.int64(mask(card))
            features.describe_discard(plain, plain[V.HAND], x, listed)
            numbers = plain.view(np.float64)[L.W_NUMBERS : L.W_NUMBERS + L.N_BEFORE]
            expected = self.expected(view, told.hand, card, chances)
            assert dict(zip(expected, numbers, strict=True)) == pytest.approx(expected, abs=CLOSE)
            self.check_card(view, plain, card, told.hand - {card})
            best[card] = self.output(plain, L.DISCARD_NET, False)
            assert plain.view(np.float64)[L.W_COSTS + lane_of(x, listed)] == pytest.approx(100 * expected["cost"])
        assert best[next(iter(from_mask(mine)))] == pytest.approx(max(best.values()), abs=1e-6)
        self.check_choices(told, chances, set(best))
        self.seen.add("discard" if len(best) == 1 else "choice")
        return mine

    def gives_gin(self, view: View, told: looks.Known) -> bool:
        """Whether a discard is allowed that leaves no deadwood, on a turn that may end with a knock."""
        early = self.rules.min_turns_before_knock + (self.rules.eleven_card_start and view.starter)
        return view.turn >= early and melds.best_discards(told.hand, told.banned, told.pack)[0] == 0

    def check_choices(self, told: looks.Known, chances: dict[Card, float], chosen: set[Card]) -> None:
        """The best six by cost within 12 of the best, and all that leave the least deadwood."""
        costs = looks.costs(told, told.hand, told.banned, chances, self.looks)
        order = sorted(costs, key=lambda c: costs[c])
        left = {c: looks.points(looks.loose_in_best(told.hand - {c}, told.pack), told.pack) for c in costs}
        least = {c for c in costs if left[c] == min(left.values())}
        near = {c for c in order[:6] if costs[c] <= costs[order[0]] + 12 + CLOSE}
        ties = [c for c in order if abs(costs[c] - costs[order[min(5, len(order) - 1)]]) < CLOSE]
        assert chosen - set(ties) == (near | least) - set(ties)

    def knock(self, view: View) -> int:
        array = view.array
        mine = self.answer("knock", array.copy())
        if view.deadwood:
            fresh = array.copy()
            fresh[L.W_KEPT_HAND] = 0  # nothing is kept of the discard: all is worked out again
            assert self.answer("knock", fresh) == mine
            features.describe_knock(array, self.params)
            assert array[L.W_CLASSES + L.OFFSETS + L.SAME_RANK + 2] == L.R_DEADWOOD + min(view.deadwood, 11)
            assert mine == (self.output(array, L.KNOCK_NET, False) > 0)
        self.seen.add(f"knock {mine}")
        return mine


@pytest.mark.parametrize("spec", RULES)
def test_decisions_of_real_play(spec: str, tmp_path: Path) -> None:
    """The players of a few hands, with weights at random."""
    rules, seen = Rules.parse(spec), set[str]()
    for deal in range(RULES[spec]):
        player = Strategy.parse(random_weights(deal, tmp_path / f"{deal}.npz"))
        pair = [Watched(player, rules) for _ in range(2)]
        play(Work(tuple(Strategy.of(player=own) for own in pair), rules, 21, HANDS, deal, 1))
        seen |= pair[0].seen | pair[1].seen
    assert {"draw 0", "draw 1", "choice"} <= seen


def test_engine_and_interpreter_agree(tmp_path: Path) -> None:
    """Games of a player with two styles, compiled and watched, end alike."""
    rules = Rules.parse("eaai(target=50)")
    player = Strategy.parse(random_weights(5, tmp_path / "two.npz", styles=2))
    simple = Strategy.parse("threshold(knock=10)")

    class Plain:
        """The same decisions, called by the interpreted engine."""

        def draw(self, view: View) -> int:
            return int(player.decisions[0](view.array, player.array))

        def discard(self, view: View) -> int:
            return int(player.decisions[1](view.array, player.array))

        def knock(self, view: View) -> int:
            return int(player.decisions[2](view.array, player.array))

    compiled = play(Work((player, simple), rules, 3, GAMES, 0, 4), keep=True).records
    slow = play(Work((Strategy.of(player=Plain()), simple), rules, 3, GAMES, 0, 4), keep=True).records
    np.testing.assert_array_equal(compiled, slow)


def test_style_switches_after_a_late_knock(tmp_path: Path) -> None:
    """The second style is used from the hand after one in which the opponent knocked on an own turn from 4 on."""
    one = {net: np.zeros(L.NET) for net in L.NETS}
    for name, bias in (("draw", 1.0), ("then_draw", -1.0)):
        one[name] = np.zeros(L.NET)
        one[name][L.SKIP + L.ROWS] = bias  # always take, then never
    for name in ("then_discard", "then_knock"):
        one[name] = np.zeros(L.NET)
    (tmp_path / "two.npz").write_bytes(weights_bytes(one))
    player = Strategy.parse(f"learned(weights='{tmp_path / 'two.npz'}')")
    view = np.zeros(V.SIZE, np.int64)
    rules = Rules()
    view[: rules.array().size] = rules.array()
    view[R.LIMIT] = 10
    view[V.HAND], view[V.UPCARD] = np.int64(0b1010101010101), np.int64(1 << 20 | 0)
    view[V.HAND] |= np.int64(0b10101 << 32)
    view[V.PILE], view[V.STOCK] = view[V.UPCARD], 31
    for turn, takes in ((0, 1), (3, 1), (4, 0), (9, 0)):
        view[V.OPP_KNOCKED] = turn
        assert player.decisions[0](view.copy(), player.array) == takes


def test_knocks_are_remembered_within_a_game() -> None:
    """What a player is told of the opponent's knocks in the hands before, against the hands as they were played."""
    rules = Rules.parse("eaai(target=60)")
    told: list[tuple[int, int, int]] = []

    class Watcher:
        """Plays plainly and notes what it is told."""

        def draw(self, view: View) -> int:
            told.append((view.own_score, view.opp_score, view.opp_knocked))
            return 0

        def discard(self, view: View) -> int:
            rest = view.hand & ~view.banned
            return rest & -rest

        def knock(self, view: View) -> int:
            return 0

    play(Work((Strategy.of(player=Watcher()), Strategy.parse("threshold(knock=10)")), rules, 8, GAMES, 0, 3))
    firsts = [knocked for own, other, knocked in told if own == other == 0]
    assert firsts and not any(firsts)  # no knock is remembered from the game before
    later = [knocked for own, other, knocked in told if other > 0]
    assert any(knocked > 0 for knocked in later)
    assert all(0 <= knocked < 40 for _, _, knocked in told)


# Weights


def test_weights_that_are_not(tmp_path: Path) -> None:
    for name, data, told in (
        ("none", b"", "not a .npz file"),
        ("text", b"PK\x03\x04 no", "not a .npz file"),
        ("short", weights_bytes({net: np.zeros(5) for net in L.NETS}), "discard is not"),
        ("nan", weights_bytes({net: np.full(L.NET, np.nan) for net in L.NETS}), "finite"),
        ("part", weights_bytes({"draw": np.zeros(L.NET)}), "nets discard, draw, knock"),
    ):
        path = tmp_path / f"{name}.npz"
        path.write_bytes(data)
        with pytest.raises(InputError, match=told):
            Strategy.parse(f"learned(weights='{path}')")
    with pytest.raises(InputError, match="cannot be read"):
        Strategy.parse(f"learned(weights='{tmp_path / 'missing.npz'}')")
    with pytest.raises(InputError, match="did you mean 'eaai'"):
        read_weights("eaaai")


@pytest.mark.parametrize("name", shipped())
def test_shipped_weights(name: str) -> None:
    weights, digest = read_weights(name)
    assert not digest
    assert len(weights) == 1 + int(weights[0]) * L.WEIGHTS
    assert Strategy.parse(f"learned(weights={name})").array.size > L.WEIGHTS
