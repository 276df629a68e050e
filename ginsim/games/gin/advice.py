"""What to do with a hand: every choice played to the end many times on the same hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.cards import cards_of, format_card, format_hand
from ginsim.deals import MOST_SEED
from ginsim.errors import InputError, StrategyError, check_count
from ginsim.games.base import stacked
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import ROWS, first_knock
from ginsim.games.gin.players.families import REPERTOIRE
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.position import Position, read_position
from ginsim.games.gin.rollout.choices import DRAWS, GOES_ON, KNOCKS, LAYS_DOWN, PASSES, TAKES, roll_out
from ginsim.games.gin.rollout.decisions import DEAR_HELD, P_OPPONENT, READS, discard_rollout
from ginsim.games.gin.rollout.following import following_kernel
from ginsim.games.gin.rollout.learned import P_OPPONENT as P_PLAIN_KNOCK
from ginsim.games.gin.rollout.learned import discard_learned_rollout
from ginsim.games.gin.rollout.learned_choices import roll_out_learned
from ginsim.games.gin.rollout.playout import set_players
from ginsim.games.gin.rules import Rules
from ginsim.games.ranking import Ranking, mean_of_values
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import POINTS_UNIT, Estimate, mean_of_chances
from ginsim.melds import best_discards, deadwood

__all__ = [
    "GAME", "MOST_ROLLOUTS", "POINTS", "Advice", "Choice", "advise_in_words", "advise_on", "choices_at", "player_on",
    "rolled_choices",
    "rolled_out",
]  # fmt: skip

MOST_ROLLOUTS = 1_000_000
BLOCK = 50
"""Rollouts in one call, short enough for an interrupt."""
POINTS, GAME = "points", "game"
STRONG = "strong"
"""Who plays on where nobody is named."""
DRAWN = np.array([0.03, 0.3, 30.0, 300.0])
"""Where a strategy plays on, or a player by its nets: how hands of the opponent are drawn
(`ginsim.games.gin.rollout.sample.first_hidden`)."""


@dataclass(frozen=True)
class Choice:
    """Something that may be done, and what it came to.

    Attributes
    ----------
    action : str
        ``take``, ``draw``, ``pass``, ``discard``, ``knock`` or ``big gin``.
    card : int
        The card that is taken or discarded (0: none).
    deadwood : int
        The least deadwood it leaves at once; of ``draw`` and ``pass`` that of the hand as it is.
    points : Estimate
        Points of the hand, the opponent's counted as negative.
    game : Estimate
        Chance (0 … 1) to win the game, from the score after the hand, between equals.
    behind : Estimate
        What it gains more than the best choice, in what the choices are ranked by, on the same cards; 0 for the best.
    """

    action: str
    card: int
    deadwood: int
    points: Estimate
    game: Estimate
    behind: Estimate

    def __str__(self) -> str:
        card = f" {format_card(self.card, symbols=True)}" if self.card else ""
        return {
            "take": f"take{card}",
            "draw": "draw from the stock",
            "pass": "pass",
            "discard": f"discard{card}",
            "knock": f"discard{card} and {'go gin' if self.deadwood == 0 else f'knock with {self.deadwood}'}",
            "big gin": "lay down big gin",
        }[self.action]


@dataclass(frozen=True)
class Advice(Ranking):
    """The result of `advise`.

    Attributes
    ----------
    position : Position
        The moment as it was understood.
    choices : tuple of Choice
        The best first.
    by : {'points', 'game'}
        What they are ranked by.
    rollouts, seed : int
    """

    position: Position
    choices: tuple[Choice, ...]
    by: str
    rollouts: int
    seed: int

    FIGURES = ("points", "game")

    def situation(self) -> str:
        """The moment in one line, with what was worked out or assumed."""
        v = self.position.view
        upcard = f"upcard {format_card(int(v[V.UPCARD]), symbols=True)}" if v[V.UPCARD] else "no upcard"
        offer = "" if not self.position.offered else ", offered to you " + ("first" if v[V.STARTER] else "after the opponent")
        score = f", at {v[V.OWN_SCORE]} to {v[V.OPP_SCORE]}" if v[V.OWN_SCORE] or v[V.OPP_SCORE] else ""
        held = f", opponent holds {format_hand(int(v[V.OPP_HELD]), symbols=True)}" if v[V.OPP_HELD] else ""
        return f"turn {v[V.TURN] + 1}, {upcard}{offer}, {v[V.STOCK]} cards in the stock{held}{score}; {self.position.rules}"

    def caveat(self) -> str:
        """What was not said and makes the figures wrong, if anything."""
        turns = int(self.position.view[V.OPP_TURN])
        if self.position.turns_known or not turns:
            return ""
        which = f"{turns} turns" if turns > 1 else "a turn"
        return (
            f"Careful: what the opponent did on {which} was not said in full, so their cards are drawn as if no better than when "
            "they were dealt, and a knock looks better than it is. Give their discards in order (--opponent-discarded), and "
            "the other cards you saw."
        )

    def _cost(self, loss: Estimate) -> str:
        if self.by == GAME:
            cost, low, high = (f"{100 * value:.1f}" for value in (loss.value, loss.low, loss.high))
            return f"costs {cost} percentage points of the games won (95 % interval {low} to {high})"
        return super()._cost(loss)


def advise_in_words(
    rules: Rules,
    score: tuple[int, int] | None = None,
    rollouts: int = 2_000,
    seed: int = 0,
    player: Any = STRONG,
    **moment: Any,
) -> Advice:
    """Rank what may be done in a position that is described in words (``ginsim.study.hand.advise``)."""
    position = read_position(rules, **moment, score=(0, 0) if score is None else score)
    return advise_on(position, POINTS if score is None else GAME, rollouts, seed, player)


def advise_on(
    position: Position,
    by: str = POINTS,
    rollouts: int = 2_000,
    seed: int = 0,
    player: str | Strategy = STRONG,
    report: Callable[[int], None] | None = None,
) -> Advice:
    """Rank the choices of a position; ``report`` is told how many rollouts are done."""
    rollouts, seed = check_count("rollouts", rollouts, 2, MOST_ROLLOUTS), check_count("seed", seed, 0, MOST_SEED)
    who = player_on(player, position.rules)
    kinds, cards = choices_at(position)
    values, _ = rolled_out(position, kinds, cards, rollouts, seed, who, report)
    choices = rolled_choices(position, kinds, cards, values, by)
    choices.sort(key=lambda choice: -choice.behind.value)
    return Advice(position, tuple(choices), by, rollouts, seed)


def player_on(player: str | Strategy, rules: Rules) -> Strategy:
    """Who plays on from each choice: a compiled strategy for both players, or one by rollouts, as it does in those."""
    who = Strategy.parse(player, REPERTOIRE.game).under(rules)
    if who.player is not None:
        raise InputError(f"player: {who} is plain Python, which would take hours; give a compiled strategy, such as strong")
    return who


def rolled_choices(position: Position, kinds: np.ndarray, cards: np.ndarray, values: np.ndarray, by: str) -> list[Choice]:
    """The choices with what they came to in `rolled_out`, in the order given."""
    judged, own = values[:, :, 0 if by == POINTS else 1], int(position.view[V.HAND])
    best = int(judged.mean(axis=0).argmax())
    return [
        Choice(
            _ACTIONS[kind],
            card,
            _left(kind, card, own, position),
            mean_of_values(values[:, i, 0], POINTS_UNIT),
            mean_of_chances(float(values[:, i, 1].mean()), float(values[:, i, 1].var(ddof=1)), len(values)),
            mean_of_values(judged[:, i] - judged[:, best], 0.0 if i == best else POINTS_UNIT if by == POINTS else 1.0),
        )
        for i, (kind, card) in enumerate(zip(kinds.tolist(), cards.tolist(), strict=True))
    ]


_ACTIONS = {TAKES: "take", DRAWS: "draw", PASSES: "pass", GOES_ON: "discard", KNOCKS: "knock", LAYS_DOWN: "big gin"}


def choices_at(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Kinds and cards of all that may be done."""
    view = position.view
    hand = int(view[V.HAND])
    if position.drawing:
        found = [(TAKES, int(view[V.UPCARD])), (PASSES if position.offered else DRAWS, 0)]
    else:
        found = []
        may_knock = view[V.TURN] >= first_knock(view)
        for card in cards_of(hand & ~int(view[V.BANNED])):
            left = deadwood(np.int64(hand ^ card), view)
            knocks = may_knock and left <= view[R.LIMIT]
            found += [(KNOCKS, card)] if knocks else []
            found += [(GOES_ON, card)] if left or not knocks else []  # nobody goes on with gin
        if may_knock and view[R.BIG_GIN_BONUS] >= 0 and deadwood(np.int64(hand), view) == 0:
            found.append((LAYS_DOWN, 0))
    kinds, cards = zip(*found, strict=True)
    return np.array(kinds, np.int64), np.array(cards, np.int64)


def _left(kind: int, card: int, hand: int, position: Position) -> int:
    """The least deadwood that a choice leaves at once."""
    view = position.view
    if kind == TAKES:
        banned = card if position.rules.redraw_ban else 0
        return int(best_discards(np.int64(hand | card), np.int64(banned), view)[0])
    return int(deadwood(np.int64(hand ^ card), view))


def rolled_out(
    position: Position,
    kinds: np.ndarray,
    cards: np.ndarray,
    rollouts: int,
    seed: int,
    who: Strategy,
    report: Callable[[int], None] | None = None,
    start: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """What each choice came to in each rollout if ``who`` plays on, and the hands of the opponent drawn (int64[rollouts]).

    The values are float64[rollouts, choices, 2]: points, chance to win the game. Rollouts are numbered from ``start``: those of a
    number draw the same.
    """
    view, seen = position.view.copy(), position.view.copy()
    believe(seen, DEAR_HELD, READS)
    seen[V.STOCK] = position.hidden
    if not position.turns_known:
        seen[V.OPP_TURN] = 0
    play = _PLAYED.get(who.decisions[1], _followed)(who, view, seen, seed, kinds, cards)
    hands, values = np.zeros(rollouts, np.int64), np.zeros((rollouts, len(kinds), 2))
    for first in range(0, rollouts, BLOCK):
        part = slice(first, min(first + BLOCK, rollouts))
        play(start + first, hands[part], values[part])
        if report:
            report(part.stop)
    return values, hands


Play = Callable[[int, np.ndarray, np.ndarray], None]
"""Fills in the hands drawn, and what choices came to, from the rollout of a number on."""


def _scratch() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return np.zeros((ROWS, V.SIZE), np.int64), np.zeros((3, 52), np.int64), np.zeros(52)


def _by_rollouts(who: Strategy, view: np.ndarray, seen: np.ndarray, seed: int, kinds: np.ndarray, cards: np.ndarray) -> Play:
    """The player looks ahead for some turns, all else is played plainly."""
    (t, deck, odds), params, plain = _scratch(), who.array, np.zeros((2, PARAMS_SIZE))
    set_players(t, plain, params[P_OPPONENT])

    def play(first: int, hands: np.ndarray, values: np.ndarray) -> None:
        roll_out(view, seen, seed, first, kinds, cards, t, deck, odds, params, plain, hands, values)

    return play


def _by_nets(who: Strategy, view: np.ndarray, seen: np.ndarray, seed: int, kinds: np.ndarray, cards: np.ndarray) -> Play:
    """Both play by the nets for the next turns, and then plainly."""
    (t, deck, odds), u, params, plain = _scratch(), _scratch()[0], who.array, np.zeros((2, PARAMS_SIZE))
    set_players(t, plain, params[P_PLAIN_KNOCK])

    def play(first: int, hands: np.ndarray, values: np.ndarray) -> None:
        roll_out_learned(view, seen, seed, first, kinds, cards, t, u, deck, odds, DRAWN, params, plain, hands, values)

    return play


def _followed(who: Strategy, view: np.ndarray, seen: np.ndarray, seed: int, kinds: np.ndarray, cards: np.ndarray) -> Play:
    """Both play on as the player does."""
    (t, deck, odds), params, slots, follow = _scratch(), stacked((who, who)), (who.slots, who.slots), following_kernel()

    def play(first: int, hands: np.ndarray, values: np.ndarray) -> None:
        if follow(view, seen, seed, first, kinds, cards, t, deck, odds, DRAWN, params, slots, hands, values):
            raise StrategyError(f"player: {who} made a move that is not allowed")

    return play


_PLAYED = {discard_rollout: _by_rollouts, discard_learned_rollout: _by_nets}
"""How players by rollouts play on: as in their rollouts, not by rollouts again."""
