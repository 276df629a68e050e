"""A hand played step by step: who sits at the table is asked from outside, be it another program or a person.

The compiled hand cannot wait for an answer. It is therefore played, interpreted, until an answer is missing, and played again
from the deal when there is one more: all answers are kept, and so is what a decision wrote into its own part of the view.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ginsim.cards import cards_of, format_card, format_hand, parse_card
from ginsim.deals import MOST_DEALS, MOST_SEED
from ginsim.errors import InputError, check_count, listed, shown
from ginsim.games.catalog import Strategy
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import best_melds
from ginsim.games.gin.hand import first_knock
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, KNOCK, UPCARD
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.replay import Move, Notes, OneHand, Replay
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.melds import deadwood

__all__ = ["BIG_GIN", "GO_ON", "STOCK", "PASS", "TAKE", "Table"]

TAKE, PASS, STOCK, BIG_GIN, GO_ON = "take", "pass", "draw", "big gin", "go on"
_OUTSIDE = "me"
_OWN = np.array([V.RANDOM, *range(V.MEMORY, V.OWN_LOG), *range(V.BELIEF, V.SIZE)])
"""Slots of a view that belong to who decides."""


class _AskedError(BaseException):
    """An answer is missing; no decision's own error, so that nothing on the way takes it for one."""

    def __init__(self, player: int, kind: int, view: np.ndarray) -> None:
        self.player, self.kind, self.view = player, kind, view


class Table:
    """One hand of two-player gin, played step by step; ``print`` it to see what the player on turn sees.

    Parameters
    ----------
    a, b : str, Strategy or None
        Who sits in seats 0 and 1: a strategy, or ``None`` (or ``"me"``) for a seat whose decisions you give with `play`.
    rules : str or Rules
    seed, deal : int
        The cards that are dealt: the same as in every study with that seed.
    starter : {0, 1}
        The seat that acts first.
    score : (int, int)
        Points of both players in the game before the hand.

    Raises
    ------
    InputError
        For anything that is not allowed.
    StrategyError
        For an illegal move of a strategy.

    Examples
    --------
    >>> table = Table(b="simple", rules="eaai", seed=1, deal=4711)
    >>> print(table)
    A: upcard? take or pass
    hand     4S 8S 9S 10S AH 5D 8D 2C 7C 10C
    melds    8S 9S 10S | 4S AH 5D 8D 2C 7C 10C, deadwood 37
    upcard   3C, 31 cards in the stock, a knock needs 10 or less
    >>> table.play("take").decision, table.choices[:3]
    ('discard', ('4S', '8S', '9S'))
    >>> table.play("10C").steps
    ((0, 'takes 3C, discards 10C'), (1, 'draws, discards 10D'))
    """

    def __init__(
        self, a: str | Strategy | None = None, b: str | Strategy | None = "simple", *, rules: str | Rules = "classic25",
        seed: int = 0, deal: int = 0, starter: int = 0, score: Sequence[int] = (0, 0),
    ) -> None:  # fmt: skip
        self.rules = Rules.parse(rules)
        self.deal, first = check_count("deal", deal, 0, MOST_DEALS - 1), check_count("starter", starter, 0, 1)
        seats = [None if who is None or who == _OUTSIDE else Strategy.parse(who, self.rules.GAME) for who in (a, b)]
        self.names = tuple(map(str, (seats[0] or a or "A", seats[1] or b or "B")))
        self._notes, self._answers, self._at = Notes(seats), list[tuple[int, np.ndarray]](), 0
        self._seats = seats
        self._asked: _AskedError | None = None
        self._hand: Replay | None = None
        standing = np.array([*_score(score, self.rules), 0, 0])
        players = [seat or Strategy.parse("simple", self.rules.GAME) for seat in seats]
        seed = check_count("seed", seed, 0, MOST_SEED)
        self._session = OneHand(players, self.rules, seed, first, standing, self._watch)
        self._go_on()

    # What is asked

    @property
    def over(self) -> bool:
        """Whether the hand has ended."""
        return self._hand is not None

    @property
    def player(self) -> int:
        """The seat on turn; -1 when the hand is over."""
        return -1 if self._asked is None else self._asked.player

    @property
    def decision(self) -> str:
        """What is asked: ``upcard``, ``draw``, ``discard`` or ``knock``; empty when the hand is over."""
        if self._asked is None:
            return ""
        return (UPCARD if self._asked.view[V.OFFER] else DRAW, DISCARD, KNOCK)[self._asked.kind]

    @property
    def view(self) -> View:
        """What the player on turn knows; what is written into the random stream and the memory, the player's own, stays."""
        self._open()
        return View(self._view)

    @property
    def choices(self) -> tuple[str, ...]:
        """What `play` takes now: cards at a discard, else words."""
        if self._asked is None:
            return ()
        view = self._asked.view
        if self.decision == DISCARD:
            return tuple(format_card(card) for card in cards_of(int(view[V.HAND] & ~view[V.BANNED])))
        if self.decision == KNOCK:
            return (KNOCK if view[V.CHOSEN] else BIG_GIN), GO_ON
        return TAKE, (PASS if view[V.OFFER] or view[V.WALL] else STOCK)

    @property
    def knocks(self) -> dict[str, int]:
        """The discards after which a knock is allowed, and the deadwood that each leaves; empty at other decisions."""
        if self._asked is None or self.decision != DISCARD:
            return {}
        view = self._asked.view
        if view[V.TURN] < first_knock(view):
            return {}
        left = {card: int(deadwood(int(view[V.HAND]) ^ parse_card(card), view)) for card in self.choices}
        return {card: points for card, points in left.items() if points <= view[R.LIMIT]}

    @property
    def steps(self) -> tuple[tuple[int, str], ...]:
        """What both did so far, as everybody at the table saw it: the seat, and a text."""
        moves = self._hand.moves if self._hand else self._notes.moves
        return tuple((move.player, _seen(move)) for move in moves)

    def __str__(self) -> str:
        if self._hand is not None:
            return str(self._hand)
        view = View(self._open().view)
        best = best_melds(view.hand, self.rules)[0]
        upcard = format_card(view.upcard) if view.upcard else "none"
        limit = f"a knock needs {view.limit} or less" if view.limit else "only gin ends the hand"
        asked = "which card?" if self.decision == DISCARD else " or ".join(self.choices)
        return "\n".join((
            f"{self.names[self.player]}: {self.decision}? {asked}",
            f"hand     {format_hand(view.hand)}",
            f"melds    {best}, deadwood {best.points}",
            f"upcard   {upcard}, {view.stock} cards in the stock, {limit}",
        ))  # fmt: skip

    # What is answered

    def play(self, choice: str | int) -> Table:
        """Give the decision that is asked for; the strategies at the table play on.

        Parameters
        ----------
        choice : str or int
            One of `choices`; or the number with which a strategy's decision says it.

        Raises
        ------
        InputError
            If that is not allowed, saying what is; the decision is asked for still.
        """
        asked, answer = self._open(), self._answer(choice)
        self._notes.note(self._session.t, asked.player, asked.kind, asked.view, answer)
        self._answers.append((answer, self._view[_OWN]))
        self._go_on()
        return self

    def _answer(self, choice: Any) -> int:
        """The number of a choice."""
        text, choices = choice, self.choices
        if isinstance(choice, int | np.integer) and not isinstance(choice, bool):
            numbers = {parse_card(card): card for card in choices} if self.decision == DISCARD else {1: choices[0], 0: choices[1]}
            text = numbers.get(int(choice))
        elif isinstance(choice, str):
            text = _spelt(choice, self.decision == DISCARD)
        if text not in choices:
            raise InputError(f"choice: {shown(choice)} is not allowed at the {self.decision} decision; choose {self._allowed()}")
        if self.decision == DISCARD:
            return parse_card(text)
        return int(text == choices[0])

    def _allowed(self) -> str:
        choices = self.choices
        if self.decision != DISCARD:
            return " or ".join(choices)
        banned = format_hand(int(self._open().view[V.BANNED]))
        return f"one of {' '.join(choices)}" + (f" ({banned} may not be discarded this turn)" if banned else "")

    # What comes out

    @property
    def result(self) -> Replay:
        """The hand from its deal to its end, as `ginsim.replay` shows one.

        Raises
        ------
        InputError
            If the hand is not over.
        """
        if self._hand is None:
            self._open()
            raise InputError(f"the hand is not over: {self.names[self.player]} is asked for the {self.decision} decision")
        return self._hand

    def record(self) -> str:
        """The hand in ginsim's notation, which `ginsim.read_hands` and ``ginsim review`` read.

        Raises
        ------
        InputError
            If the hand is not over.
        """
        return str(of_replay(self.result))

    # How it is played

    def _open(self) -> _AskedError:
        """The question that is open."""
        if self._asked is None:
            raise InputError("the hand is over; see its result" if self.over else "the hand was broken off; begin it anew")
        return self._asked

    def _go_on(self) -> None:
        """Play from the deal to the next answer that is missing, or to the end."""
        self._at, self._asked = 0, None
        try:
            self._hand = self._notes.replay(self._session, self.deal, self._session.starter, self.names)
        except _AskedError as asked:
            self._asked, self._view = asked, asked.view.copy()

    def _watch(self, t: np.ndarray, slots: Any) -> None:
        """Have the table's own answers given for the decisions of the session."""

        def told(player: int, kind: int, decide: Callable[..., int]) -> Callable[..., int]:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                if self._at == len(self._answers):
                    if self._seats[player] is None:
                        raise _AskedError(player, kind, view.copy())
                    before = view.copy()
                    answer = decide(view, params)
                    self._notes.note(t, player, kind, before, answer)
                    self._answers.append((answer, view[_OWN]))
                answer, view[_OWN] = self._answers[self._at]
                self._at += 1
                return answer

            return decision

        for player in range(2):
            slots[player] = [told(player, kind, decide) for kind, decide in enumerate(slots[player])]


def _score(score: Any, rules: Rules) -> list[int]:
    """The points of both before the hand."""
    points = listed("score", score, "two numbers")
    if len(points) != 2:
        raise InputError(f"score: {shown(score)} is not allowed; give the points of both, such as (40, 25)")
    return [check_count("score", own, 0, rules.target - 1) for own in points]


def _spelt(choice: str, card: bool) -> str:
    """A choice as `Table.choices` has it."""
    if not card:
        return " ".join(choice.lower().split())
    try:
        return format_card(parse_card(choice))
    except InputError:
        return ""


def _seen(move: Move) -> str:
    """A move as everybody at the table saw it."""
    if move.refusal:
        return f"passes {format_card(move.upcard)}"
    done = [f"takes {format_card(move.drawn)}" if move.taken else "draws"] if move.drawn else []
    done += [f"discards {format_card(move.discard)}"] if move.discard else []
    done += ["knocks" if move.discard else "lays down big gin"] if move.knock else []
    return ", ".join(done)
