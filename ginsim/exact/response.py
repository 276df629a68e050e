"""The exact best response to a fixed strategy in a gin small enough to go through: every hand, draw and discard there can be.

The responder sees its own cards and all that lies open. At each of its decisions it knows, from the strategy, how likely each
hand of the opponent is; it goes through its own choices, the draws and all answers, and takes what brings most.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ginsim import layout as D
from ginsim.cards import cards_of
from ginsim.errors import InputError, StrategyError
from ginsim.exact import beliefs as B
from ginsim.games.base import stacked
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import RulesLike
from ginsim.games.gin.hand import (
    ASK,
    DECK,
    MUST_DRAW,
    MUST_TAKE,
    PLAYING,
    RECORD,
    between_turns,
    deal,
    discard_card,
    draw_card,
    first_knock,
    new_table,
    take_upcard,
)
from ginsim.games.gin.players.decisions import (
    discard_new_pair,
    discard_random,
    discard_random_best,
    draw_random,
    knock_random,
)
from ginsim.games.gin.rules import Rules
from ginsim.games.kernel import interpreted
from ginsim.melds import deadwood

__all__ = [
    "MOST", "Response", "Tree", "best_response", "check_small", "exact_points", "exact_value", "is_small", "positions", "seen_by",
]  # fmt: skip

MOST = 500_000_000
"""Positions, at most: what a minute or a few is enough for."""
COUNTABLE = frozenset((discard_new_pair, discard_random, discard_random_best, draw_random, knock_random))
"""Decisions that draw one random number, for one choice among as many cards as a hand has, or between two."""
ME, OTHER = 0, 1


@dataclass(frozen=True)
class Response:
    """What a player wins of a strategy, exactly.

    Attributes
    ----------
    strategy, rules : str
    player : str
        Who wins it; empty for the best response.
    starting, answering : float
        Points a hand that it wins on average as the player who acts first, and as the other.
    positions : int
        An upper bound of the positions gone through.
    """

    strategy: str
    rules: str
    starting: float
    answering: float
    positions: int
    player: str = ""

    @property
    def points(self) -> float:
        """Points a hand, each player starting as often."""
        return (self.starting + self.answering) / 2

    def __str__(self) -> str:
        who = self.player or f"Whoever knows {self.strategy}"
        most = "" if self.player else ", and nobody wins more"
        return (
            f"{who} wins {self.points:+.4f} points a hand of {self.strategy} under {self.rules}{most}: "
            f"{self.starting:+.4f} acting first, {self.answering:+.4f} acting second."
        )


def best_response(strategy: str | Strategy, rules: RulesLike = None, report: Callable[[float], None] | None = None) -> Response:
    """What the best response to a strategy wins, by going through all that can happen.

    Parameters
    ----------
    strategy : str or Strategy
        One whose random choices can be counted: any shipped one except those with rollouts or a chart that mixes.
    rules : Rules or str
        A small gin: few cards, and few turns (``max_turns``).
    report : function of a share, optional
        Told how much is done, from 0 to 1.

    Returns
    -------
    Response

    Raises
    ------
    InputError
        For a game that is too large, rules that cannot be gone through, or a strategy that cannot be counted.

    Examples
    --------
    >>> small = "classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, stock_end=dead_at_0, max_turns=2)"
    >>> round(best_response("threshold(knock=0)", small).points, 6)
    2.82817
    """
    return _response(strategy, None, rules, report)


def exact_value(
    player: str | Strategy, strategy: str | Strategy, rules: RulesLike = None, report: Callable[[float], None] | None = None
) -> Response:
    """What a player wins from a strategy, counted as `best_response` counts it for the best player.

    Parameters
    ----------
    player, strategy : str or Strategy
        Two whose random choices can be counted.
    rules, report
        As in `best_response`.

    Returns
    -------
    Response

    Raises
    ------
    InputError
        As `best_response`.

    Examples
    --------
    >>> small = "classic20(ranks=5, suits=2, hand_size=3, knock_limit=5, stock_end=dead_at_0, max_turns=2)"
    >>> abs(exact_value("simple", "simple", small).points) < 1e-12
    True
    """
    return _response(strategy, player, rules, report)


def _response(
    strategy: str | Strategy, player: str | Strategy | None, rules: RulesLike, report: Callable[[float], None] | None
) -> Response:
    read = check_small(rules)
    own = Strategy.parse(strategy, read.GAME)
    other = None if player is None else Strategy.parse(player, read.GAME)
    return Response(str(own), str(read), *Tree(read, own, other).both(report), positions(read), str(other or ""))


def exact_points(strategy: str | Strategy, rules: Any, report: Callable[[float], None] | None = None) -> float | None:
    """Points a hand of the best response; None if the game is too large for it, or the strategy cannot be counted."""
    try:
        return best_response(strategy, rules, report).points
    except InputError:
        return None


def is_small(rules: Any) -> bool:
    """Whether all that can happen under rules can be gone through.

    Examples
    --------
    >>> is_small("classic25")
    False
    """
    try:
        check_small(rules)
    except InputError:
        return False
    return True


def check_small(rules: RulesLike) -> Rules:
    """Rules under which all can be gone through.

    Raises
    ------
    InputError
        Naming the field, or the positions and the most that are allowed.
    """
    read = Rules.parse("classic25" if rules is None else rules)
    for field, wanted in (("eleven_card_start", False), ("big_gin_bonus", None)):
        if getattr(read, field) != wanted:
            raise InputError(f"rules: {field}={getattr(read, field)} is not gone through exactly; leave it off")
    if read.stock_end not in ("dead_at_2", "dead_at_0"):
        raise InputError(f"rules: stock_end={read.stock_end} is not gone through exactly; give dead_at_2 or dead_at_0")
    if read.max_turns > B.MOST_TURNS:
        raise InputError(
            f"rules: max_turns={read.max_turns} is too many to go through exactly, {B.MOST_TURNS} at most; "
            "a small game has max_turns=3, for instance"
        )
    if (count := positions(read)) > MOST:
        raise InputError(
            f"rules: {read} has about {count:.1e} positions, {MOST:.1e} at most can be gone through; give fewer ranks, suits, "
            "cards (hand_size) or turns (max_turns)"
        )
    return read


def positions(rules: Rules) -> int:
    """About how many positions there are to go through, at most: deals, times own choices and draws on both sides.

    Examples
    --------
    >>> f"{positions(Rules.parse('classic20(ranks=4, suits=3, hand_size=3, knock_limit=5, max_turns=3)')):,}"
    '203,575,680'
    """
    deck, n = rules.ranks * rules.suits, rules.hand_size
    deals = math.comb(deck, n) * (deck - n) * math.comb(deck - n - 1, n)
    total = 0
    for first in range(2):
        stock, ways = deck - 2 * n - 1, 1
        for turn in range(rules.max_turns):
            ways *= (1 + stock) * (n + 1) if turn % 2 == first else max(stock, 1)
            stock = max(stock - 1, 0)
        total += deals * ways
    return total


# --- the tree --------------------------------------------------------------------------------------------------------------


class _Belief(NamedTuple):
    """The worlds that there may be: hands int64[n], kept slots int64[n, KEPT], weights float64[n]."""

    hands: np.ndarray
    kept: np.ndarray
    weights: np.ndarray

    def where(self, chosen: Any) -> _Belief:
        return _Belief(self.hands[chosen], self.kept[chosen], self.weights[chosen])


Node = Callable[[np.ndarray], float]
"""What comes of a choice: a value, from the table after the decision."""


class Tree:
    """All that can happen between a responder, player 0, and a strategy, player 1.

    Values are weighted with the chance of all draws and of the strategy's choices. ``own`` is the player who plays in place of
    the best response, if there is one; with ``policy`` the answers of the best response are noted there by what it sees.
    """

    def __init__(
        self, rules: Rules, strategy: Strategy, own: Strategy | None = None, policy: dict[Any, int] | None = None
    ) -> None:
        self.rules, self.policy = rules, policy
        self.players = tuple((seat or strategy).under(rules) for seat in (own, strategy))
        self.own = own is not None
        form = self.players[OTHER].kind
        self.play, self.ask = B.playing(form), interpreted(B.choices)
        self.params, self.slots = stacked(self.players), tuple(player.slots for player in self.players)
        self.called = () if form == "numbers" else self.slots
        self.countable = [np.array([f in COUNTABLE for f in player.decisions], np.int64) for player in self.players]
        self.states = B.bins(rules.hand_size + 1)
        most = len(self.states) + 1
        self.blank = new_table(rules.array(), self.players[OTHER].numbers * 2)
        tables, answers = np.stack([self.blank] * 3), np.zeros((3, most), np.int64)
        self.room = tables, answers, np.zeros((3, most)), np.zeros((3, most, B.KEPT), np.int64)
        self.out, self.most = _room_for(0), (1 + len(self.states)) * 2 * rules.ranks * rules.suits
        self.deck = [int(card) for card in cards_of(int(rules.array()[D.FULL]))]

    # All deals

    def both(self, report: Callable[[float], None] | None) -> tuple[float, float]:
        """The value of starting, and of not."""
        found, roots = [0.0, 0.0], list(self.roots())
        for done, (hand, upcard) in enumerate(roots):
            for starter in range(2):
                found[starter] += self.root(starter, hand, upcard)
            if report:
                report((done + 1) / len(roots))
        return found[0] / len(roots), found[1] / len(roots)

    def roots(self) -> Iterator[tuple[int, int]]:
        """Own hand and first upcard, one as likely as another."""
        for cards in combinations(self.deck, self.rules.hand_size):
            for upcard in self.deck:
                if upcard not in cards:
                    yield sum(cards), upcard

    def root(self, starter: int, hand: int, upcard: int) -> float:
        """The value of a deal, over all hands of the opponent; ``starter`` is who acts first."""
        n, t = self.rules.hand_size, self.blank.copy()
        unseen = [card for card in self.deck if not card & (hand | upcard)]
        hands = np.array([sum(cards) for cards in combinations(unseen, n)], np.int64)
        own = [card for card in self.deck if card & hand]
        dealt = [*own, *unseen[:n]] if starter == ME else [*unseen[:n], *own]
        t[DECK, : len(self.deck)] = [*dealt, upcard, *unseen[n:]]
        deal(t, np.uint64(0), np.int64(0), np.int64(starter))
        belief = _Belief(hands, np.zeros((len(hands), B.KEPT), np.int64), np.full(len(hands), 1 / len(hands)))
        if not self.rules.upcard_offer:
            return self.turn(t, starter, ASK, belief)
        return self.offer(t, starter, starter, belief)

    # Moves

    def offer(self, t: np.ndarray, player: int, starter: int, belief: _Belief) -> float:
        """The upcard is offered to a player."""

        def passed(t: np.ndarray, belief: _Belief) -> float:
            t = t.copy()
            t[1 - player, V.OPP_PASSED] |= t[player, V.UPCARD]
            t[player, V.OFFER] = 0
            return self.offer(t, 1 - player, starter, belief) if player == starter else self.turn(t, starter, MUST_DRAW, belief)

        if player == OTHER:
            groups = self.replies(t, B.OFFERED, belief)[1]
            return sum(self.turn(t, OTHER, MUST_TAKE, of) if took else passed(t, of) for took, of in groups)
        asked = t.copy()
        asked[ME, V.OFFER] = 1

        def taken(t: np.ndarray) -> float:
            t = t.copy()
            t[ME, V.OFFER] = 0
            return self.turn(t, ME, MUST_TAKE, belief)

        return self.decided(asked, B.DRAWING, {1: taken, 0: lambda t: passed(t, belief)}, belief)

    def turn(self, t: np.ndarray, player: int, mode: int, belief: _Belief) -> float:
        """A turn of a player, whose draw goes as ``mode`` says, and all that follows."""
        if not len(belief.hands):
            return 0.0
        if player == OTHER:
            return self.other_turn(t, mode, belief)
        if not self.own and self.policy is None and self.is_last(t, mode):
            return float(B.last_turn(t[ME], mode != MUST_DRAW, mode != MUST_TAKE, belief.hands, belief.weights))
        ways = {1: lambda t: self.take(t, belief), 0: lambda t: self.draw(t, belief)}
        if mode != ASK:
            return ways[int(mode == MUST_TAKE)](t)
        return self.decided(t, B.DRAWING, ways, belief)

    def is_last(self, t: np.ndarray, mode: int) -> bool:
        """Whether the hand ends with this turn, however it is played."""
        if t[RECORD, H.TURNS] + 1 >= t[ME, R.MAX_TURNS]:
            return True
        end = 2 if t[ME, R.STOCK_END] == 0 else 0
        return bool(t[ME, V.STOCK] - (mode == MUST_DRAW) <= end)

    def other_turn(self, t: np.ndarray, mode: int, belief: _Belief) -> float:
        """A turn of the strategy, in all worlds at once."""
        lost, groups = self.replies(t, mode, belief)
        total = -lost
        for seen, of in groups:
            after = t.copy()
            if seen & 1:
                take_upcard(after, OTHER)
            else:
                after[DECK] = 0  # what was drawn differs from world to world
                draw_card(after, OTHER)
            discard_card(after, OTHER, np.int64(seen >> 1))
            total += self.goes_on(after, ME, of)
        return total

    def goes_on(self, t: np.ndarray, player: int, belief: _Belief) -> float:
        """What follows a turn without a knock."""
        return self.turn(t, player, ASK, belief) if between_turns(t, player, np.uint64(0))[0] == PLAYING else 0.0

    def take(self, t: np.ndarray, belief: _Belief) -> float:
        """The responder takes the upcard."""
        t = t.copy()
        take_upcard(t, ME)
        return self.discard(t, belief)

    def draw(self, t: np.ndarray, belief: _Belief) -> float:
        """The responder draws any card that may lie in the stock."""
        me, total = t[ME], 0.0
        for card in cards_of(int(me[D.FULL] & ~(me[V.HAND] | me[V.PILE] | me[V.OPP_HELD]))):
            of = belief.where(belief.hands & card == 0)
            if len(of.hands):
                after = t.copy()
                after[DECK, len(self.deck) - me[V.STOCK]] = card
                draw_card(after, ME)
                total += self.discard(after, of._replace(weights=of.weights / me[V.STOCK]))
        return total

    def discard(self, t: np.ndarray, belief: _Belief) -> float:
        """The responder has drawn: every discard, with a knock or without."""
        cards = cards_of(int(t[ME, V.HAND] & ~t[ME, V.BANNED]))
        ways: dict[int, Node] = {card: lambda t, card=card: self.knock(t, card, belief) for card in cards}  # type: ignore[misc]
        return self.decided(t, B.DISCARDING, ways, belief)

    def knock(self, t: np.ndarray, card: int, belief: _Belief) -> float:
        """A discard was chosen: the knock, if it is legal, and what follows without one."""

        def on(t: np.ndarray) -> float:
            t = t.copy()
            discard_card(t, ME, np.int64(card))
            return self.goes_on(t, OTHER, belief)

        hand, me = t[ME, V.HAND] ^ card, t[ME]
        left = deadwood(hand, me)
        if left > me[R.LIMIT] or me[V.TURN] < first_knock(me):
            return on(t)
        knocks = {1: lambda t: float(B.gain_of(t[ME], hand, card, belief.hands, belief.weights)), 0: on}
        return self.decided(t, B.KNOCKING, knocks, belief, (hand, np.int64(card), left))

    # Decisions

    def decided(
        self, t: np.ndarray, kind: int, ways: Mapping[int, Node], belief: _Belief, kept: tuple[Any, ...] = (np.int64(0),) * 3
    ) -> float:
        """The value of the best choice, or of what the player chooses."""
        if self.own:
            return sum(odds * ways[answer](after) for answer, odds, after in self.answers(t, kind, kept))
        values = {answer: way(t) for answer, way in ways.items()}
        best = max(values, key=lambda answer: values[answer])
        if self.policy is not None:
            self.policy[seen_by(t[ME], kind, *kept[:2])] = best
        return values[best]

    def answers(self, t: np.ndarray, kind: int, kept: tuple[Any, ...]) -> list[tuple[int, float, np.ndarray]]:
        """The player's answers, with their chances and the table after each."""
        _, answers, odds, after = self.room
        found = self.ask(t.copy(), ME, kind, (self.params, self.states, self.countable[ME]), self.slots, *kept, self.room)
        self.check(found, ME)
        tables = []
        for i in range(found):
            tables.append(t.copy())
            B.lay(tables[-1][ME], t[ME, V.HAND], after[kind, i])
        return list(zip(answers[kind, :found].tolist(), odds[kind, :found].tolist(), tables, strict=True))

    def replies(self, t: np.ndarray, mode: int, belief: _Belief) -> tuple[float, list[tuple[int, _Belief]]]:
        """The strategy's next move in every world: what its knocks bring it, and the other worlds by what is seen of it."""
        hands, kept, weights, seen, lost = out = self.out_for(len(belief.hands) * self.most)
        lost[0] = 0.0
        given = self.params, self.states, self.countable[OTHER]
        found = self.play(t, OTHER, mode, given, self.called, *belief, self.room, out)
        self.check(found, OTHER)
        order = np.argsort(seen[:found], kind="stable")
        kinds, starts = np.unique(seen[order], return_index=True)
        groups = np.split(order, starts[1:]) if found else []
        told = [_Belief(hands[own], kept[own], weights[own]) for own in groups]
        return float(lost[0]), list(zip(kinds.tolist(), told, strict=True))

    def out_for(self, worlds: int) -> tuple[np.ndarray, ...]:
        """Room for so many worlds, which the next move overwrites."""
        if len(self.out[0]) < worlds:
            self.out = _room_for(worlds)
        return self.out

    def check(self, found: int, player: int) -> None:
        """Refuse a strategy that cannot be counted, or that plays wrongly."""
        name = self.players[player]
        if found == B.TOO_RANDOM:
            raise InputError(f"strategy: the random choices of {name} cannot be counted; give one that plays without, or simple")
        if found < 0:
            raise StrategyError(f"strategy {name}: a decision is not a legal move under {self.rules}")


def _room_for(worlds: int) -> tuple[np.ndarray, ...]:
    """Hands, kept slots and weights of worlds, what is seen of each, and points: as `beliefs.replies` fills them."""
    numbers = np.zeros((2, worlds), np.int64)
    return numbers[0], np.zeros((worlds, B.KEPT), np.int64), np.zeros(worlds), numbers[1], np.zeros(1)


def seen_by(view: np.ndarray, kind: int, hand: int, card: int) -> tuple[Any, ...]:
    """All that a decision of the best response hangs on; ``card`` is the discard, at the knock."""
    turns, theirs = int(view[V.TURN]), int(view[V.OPP_TURN])
    slots = (V.UPCARD, V.PILE, V.DRAWN, V.OPP_PASSED, V.STARTER, V.STOCK, V.OFFER)
    own, other = view[V.OWN_LOG : V.OWN_LOG + 2 * turns], view[V.OPP_LOG : V.OPP_LOG + 2 * theirs]
    return kind, int(hand) or int(view[V.HAND]), int(card), *(int(view[slot]) for slot in slots), own.tobytes(), other.tobytes()
