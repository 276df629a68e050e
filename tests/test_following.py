"""Hands that strategies play on from a moment, with the cards as they lay, come out as they did."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any, NamedTuple

import numba.types as nb
import numpy as np
import pytest

import ginsim
from ginsim import layout as D
from ginsim.cards import cards_of
from ginsim.errors import InputError
from ginsim.games.base import HANDS, stacked
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import choices_at, player_on, rolled_out
from ginsim.games.gin.hand import DECK, RECORD, ROWS
from ginsim.games.gin.kernels import SLOTS
from ginsim.games.gin.play import GinSession
from ginsim.games.gin.players.opponent import believe, held_chance
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.games.gin.position import read_position
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.gin.replay import watcher
from ginsim.games.gin.rollout.choices import DRAWS, GOES_ON, KNOCKS, LAYS_DOWN, PASSES, TAKES
from ginsim.games.gin.rollout.decisions import DEAR_HELD, READS
from ginsim.games.gin.rollout.following import play_choice
from ginsim.games.gin.rollout.playout import set_table
from ginsim.games.gin.rollout.sample import wander
from ginsim.games.gin.rollout.seating import seat_opponent
from ginsim.games.gin.rules import Rules
from ginsim.games.kernel import F2, I2, compiled
from ginsim.simulation.play import lineups
from ginsim.study.hand import replay

RULES = (
    "eaai", "classic20", "oklahoma", "classic25(min_turns_before_knock=2)", "classic25(redraw_ban=false)", "big_gin",
    "classic25(upcard_offer=false, eleven_card_start=true)", "classic25(stock_end=dead_at_0)",
)  # fmt: skip
PAIRS = (("champion", "lookahead(reads=0.5)"), ("learned(weights=eaai)", "champion"), ("threshold", "defensive"))


class Moment(NamedTuple):
    """A decision: in which play, whose, what they saw, what was hidden from them, and what they did."""

    play: int
    player: int
    view: np.ndarray
    hand: int
    stock: np.ndarray
    kind: int
    card: int


def moments_of(players: tuple[Strategy, ...], rules: Rules, deal: int) -> tuple[list[Moment], np.ndarray]:
    """All decisions of both plays of a deal but those on the last discard, and the records."""
    found: list[Moment] = []

    def note(t: np.ndarray, player: int, kind: int, before: np.ndarray, answer: int) -> None:
        if before[V.WALL]:
            return
        play, cards = int(t[RECORD, H.PLAY]), int(before[D.RANKS] * before[D.SUITS])
        hidden = int(t[1 - player, V.HAND]), t[DECK, cards - before[V.STOCK] : cards].copy()
        if kind == 0:
            did = TAKES if answer else PASSES if before[V.OFFER] else DRAWS
            found.append(Moment(play, player, before, *hidden, did, 0))
        elif kind == 1:
            found.append(Moment(play, player, before, *hidden, GOES_ON, int(answer)))
        elif answer and before[V.CHOSEN]:
            found[-1] = found[-1]._replace(kind=KNOCKS)
        elif answer:
            found.append(Moment(play, player, before, *hidden, LAYS_DOWN, 0))

    records = GinSession(players, rules, 5, HANDS, lineups(rules, 2), 1, watch=watcher(note)).play(deal, 1)
    return found, records.copy()


@pytest.fixture(scope="module")
def played() -> Any:
    """`play_choice`, compiled for any strategies."""
    return compiled(getattr(play_choice, "py_func", play_choice), nb.int64(I2, nb.int64, nb.int64, nb.uint64, F2, SLOTS))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_true_cards_give_the_true_end(played: Any, rules: str, pair: tuple[str, str]) -> None:
    own, players = Rules.parse(rules), tuple(Strategy.parse(name) for name in pair)
    t, seen = np.zeros((ROWS, V.SIZE), np.int64), 0
    for deal in range(6):
        found, records = moments_of(players, own, deal)
        for moment in found:
            sides = players if moment.player == 0 else players[::-1]
            stock = np.zeros(52, np.int64)
            stock[: len(moment.stock)] = moment.stock
            set_table(moment.view, t, moment.hand, stock, np.uint64(1))
            seat_opponent(moment.view, t[0], t[1])
            slots = (sides[0].slots, sides[1].slots)
            gain = played(t, moment.kind, moment.card, np.uint64(1), stacked(sides), slots)
            winner, points = records[moment.play, H.WINNER], records[moment.play, H.POINTS]
            wanted = 0 if winner < 0 else points if winner == moment.player else -points
            assert gain == wanted, (deal, moment)
            seen += 1
    assert seen > 100


def test_any_compiled_strategy_plays_on() -> None:
    hand = "AS 2S 3S 4H 5H 6H 7D 8D KC QD 2H"
    told = {"upcard": "2H", "seen": "KD JS 9C", "discarded": "KD JS", "opponent_discarded": "9C 2H"}
    players = ("simple", "strong", "rollout")
    found = {who: ginsim.advise(hand, rules="eaai", **told, rollouts=60, seed=1, player=who) for who in players}
    assert len({str(advice) for advice in found.values()}) == 3
    assert str(found["strong"]) == str(ginsim.advise(hand, rules="eaai", **told, rollouts=60, seed=1, player="learned"))


@pytest.mark.parametrize("rules", ["eaai", "oklahoma", "classic25(stock_end=dead_at_0)", "classic25(spades_double=true)"])
def test_by_nets_to_the_end_is_strong(rules: str) -> None:
    """With no plain rest, what `strong_rollout` finds is what `strong` does: on the same cards, to the last figure."""
    of, kinds = Rules.parse(rules), Counter[int]()
    strong, by_nets = (player_on(who, of) for who in ("strong", "strong_rollout(ahead=100, opponent_ahead=100, again=1)"))
    for deal in range(3):
        for one in walk(of_replay(replay("champion", "simple", deal, 5, rules))).decisions:
            if one.kind not in ("upcard", "draw", "discard") or one.view[V.WALL]:
                continue
            choices = choices_at(one.position)
            (slow, hands), (found, same) = (rolled_out(one.position, *choices, 6, 3, who) for who in (strong, by_nets))
            np.testing.assert_array_equal(hands, same)
            np.testing.assert_allclose(found, slow, rtol=0, atol=1e-12)
            kinds.update(choices[0].tolist())
    assert set(kinds) == {TAKES, DRAWS, PASSES, GOES_ON, KNOCKS}


def test_strong_rollout_plays_on_as_in_its_rollouts() -> None:
    """A turn of each by the nets, the rest plainly: the more often that is played, the less is left to chance."""
    hand = "AS 2S 3S 4H 5H 6H 7D 8D KC QD 2H"
    told = {"upcard": "2H", "seen": "KD JS 9C", "discarded": "KD JS", "opponent_discarded": "9C 2H", "rules": "eaai"}
    found = {own: ginsim.advise(hand, **told, rollouts=400, player=f"strong_rollout({own})") for own in ("again=1", "again=8")}
    one, many = (advice.best.points for advice in found.values())
    assert many.se < 0.8 * one.se
    assert abs(one.value - many.value) < 4 * one.se
    fewer = ginsim.advise(hand, **told, rollouts=400, player="strong_rollout(rollouts=2, margin=0, share=9)")
    assert str(fewer) == str(found["again=8"])  # how it chooses at the table is of no account here


@pytest.mark.parametrize("dealer", [False, True])
def test_a_pass_gives_no_turn_away(dealer: bool) -> None:
    """Whoever moves first after a pass, the player's next turn is played by the nets, though none may be that follows."""
    position = read_position(Rules.parse("eaai"), hand="4S 4H 5H 9C 10C JC KD 2S 8D QH", upcard="6S", dealer=dealer)
    choices, means = (np.array([PASSES]), np.array([0])), []
    for ahead, theirs in ((0, 0), (0, 1), (1, 1), (100, 100)):
        own = player_on(f"strong_rollout(ahead={ahead}, opponent_ahead={theirs})", position.rules)
        values, _ = rolled_out(position, *choices, 300, 1, own)
        assert np.isfinite(values).all()
        assert ((values[:, :, 1] >= 0) & (values[:, :, 1] <= 1)).all()
        means.append(float(values[:, 0, 0].mean()))
    assert len(set(means)) == 4


def test_who_plays_on_is_compiled() -> None:
    class Slow:
        def draw(self, view: object) -> int:
            return 0

        discard = knock = draw

    with pytest.raises(InputError, match="player: Slow is plain Python"):
        ginsim.advise("AS 2S 3S 4H 5H 6H 7D 8D KC QD", rules="eaai", upcard="2H", player=Slow())


def test_hands_come_up_as_often_as_they_fit() -> None:
    """Of a small deck all hands can be listed: the chain visits each in proportion to its odds."""
    position = read_position(Rules.parse("classic25(ranks=5, suits=2, hand_size=3)"), hand="AS 2S 4H", upcard="5H")
    view = position.view.copy()
    believe(view, DEAR_HELD, READS)
    unseen = list(cards_of(int(unseen_cards(view))))
    wanted = {}
    for cards in itertools.combinations(unseen, 3):
        chances = [held_chance(np.int64(card), view) for card in cards]
        wanted[sum(cards)] = math.prod(max(p, 1e-6) / max(1 - p, 1e-3) for p in chances)
    total = sum(wanted.values())
    hand, fit, state, found = np.int64(sum(unseen[:3])), 1.0, np.uint64(5), Counter[int]()
    for _ in range(20_000):
        hand, fit, state = wander(view, hand, fit, 4, 0.05, 0.05, np.uint64(state))
        found[int(hand)] += 1
    assert set(found) == set(wanted)
    for cards, odds in wanted.items():
        assert found[cards] / 20_000 == pytest.approx(odds / total, abs=0.02)
