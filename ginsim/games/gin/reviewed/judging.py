"""Decisions of a recorded hand against all else that could have been done, on hidden cards drawn from what was known then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ginsim.games.gin import view as V
from ginsim.games.gin.advice import GAME, MOST_ROLLOUTS, POINTS, Choice, choices_at, rolled_choices, rolled_out
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, KNOCK, LAY_OFF, MELDS, UPCARD, Decision, Walk
from ginsim.games.gin.reviewed.arrangements import Ways, ways_to_lay_off, ways_to_meld
from ginsim.games.gin.reviewed.costs import CUTS, cost, exactly, graded
from ginsim.games.gin.rollout.choices import DRAWS, GOES_ON, KNOCKS, LAYS_DOWN, PASSES, TAKES
from ginsim.games.ranking import mean_of_values
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import POINTS_UNIT, Estimate

__all__ = ["KINDS", "Judged", "Option", "Skipped", "judge"]

KINDS = (UPCARD, DRAW, DISCARD, KNOCK, MELDS, LAY_OFF)
"""What a decision is about: that to knock or not is told from which card to discard."""
_KINDS = {
    "take": TAKES, "draw": DRAWS, "pass": PASSES, "discard": GOES_ON, "knock": KNOCKS, "big gin": LAYS_DOWN,
}  # fmt: skip
UNITS = (POINTS_UNIT, 0.2)
"""What a rollout that comes out otherwise usually changes: points, and the chance to win the game."""
ENDS = ("knock", "big gin")


class Option(NamedTuple):
    """Something that could be done: in words, its card, the deadwood it leaves, points of the hand, chance to win the game."""

    text: str
    card: int
    deadwood: int
    points: Estimate
    game: Estimate


@dataclass(frozen=True, eq=False)
class Judged:
    """A decision that was judged.

    Attributes
    ----------
    decision : Decision
    kind : str
        One of ``KINDS``.
    options : int
        How many there were.
    best, played : Option
    points, game : Estimate
        What the one that was played cost: in points, and in the chance (0 … 1) to win the game. Each is told against the best
        in that; a cost may come out below 0, for which one is best is found on other hidden cards than what it gains.
    grade : str
    """

    decision: Decision
    kind: str
    options: int
    best: Option
    played: Option
    points: Estimate
    game: Estimate
    grade: str

    def cost(self, by: str) -> Estimate:
        """The cost in ``points`` or in the chance to win the ``game``."""
        return self.game if by == GAME else self.points

    @property
    def right(self) -> bool:
        """Whether the best was played."""
        return self.best.text == self.played.text


@dataclass(frozen=True)
class Skipped:
    """A decision that was not judged, and why."""

    decision: Decision
    why: str


def judge(
    walk: Walk, rollouts: int, seed: int, who: Strategy, by: str, number: int = 0
) -> Iterator[Judged | Skipped]:
    """Judge the decisions of a hand one after the other; forced ones are left out.

    Parameters
    ----------
    walk : Walk
    rollouts, seed : int
    who : Strategy
        The player who plays on.
    by : {'points', 'game'}
        What the best is best in, and what grades go by.
    number : int
        Of the hand: each draws other cards.
    """
    hands: tuple[int, np.ndarray] | None = None
    for at, decision in enumerate(walk.decisions):
        start = (number << 10 | at) * MOST_ROLLOUTS
        if why := _cannot(decision):
            yield Skipped(decision, why)
        elif decision.kind in (UPCARD, DRAW, DISCARD):
            kinds, cards, played = _with_played(decision)
            if len(kinds) < 2:
                continue
            values, drawn = rolled_out(decision.position, kinds, cards, rollouts, seed, who, start=start)
            hands = decision.turn, drawn
            choices = rolled_choices(decision.position, kinds, cards, values, by)
            yield _judged(decision, choices, values, played, by)
        elif decision.kind in (MELDS, LAY_OFF):
            yield from _laid_out(walk, decision, hands, by)


def _cannot(decision: Decision) -> str:
    """Why a decision cannot be judged; empty if it can."""
    view = decision.view
    if decision.fault:
        return "against the rules"
    if decision.kind in (UPCARD, DRAW, DISCARD) and view[V.WALL]:
        return "on the last discard"
    unknown = decision.rules.hand_size - int(view[V.OPP_HELD]).bit_count()
    if decision.kind in (UPCARD, DRAW, DISCARD) and int(unseen_cards(view)).bit_count() != view[V.STOCK] + unknown:
        return "after a card that is not known"
    return ""


def _with_played(decision: Decision) -> tuple[np.ndarray, np.ndarray, int]:
    """Kinds and cards of all choices, and which of them was played; it may be one that advice does not look at."""
    kinds, cards = choices_at(decision.position)
    kind, card = _KINDS[decision.action], decision.cards[0] if decision.cards and decision.action not in ("draw", "pass") else 0
    found = np.flatnonzero((kinds == kind) & (cards == card))
    if len(found):
        return kinds, cards, int(found[0])
    return np.append(kinds, kind), np.append(cards, card), len(kinds)


def _judged(decision: Decision, choices: list[Choice], values: np.ndarray, played: int, by: str) -> Judged:
    """What the choice ``played`` cost."""
    best, own = max(choices, key=lambda choice: choice.behind.value), choices[played]
    points, game = (cost(values[:, :, k], played, unit) for k, unit in enumerate(UNITS))
    knock = decision.kind == DISCARD and (best.action in ENDS) != (own.action in ENDS)
    first, then = (Option(str(choice), choice.card, choice.deadwood, choice.points, choice.game) for choice in (best, own))
    grade = graded(points if by == POINTS else game, CUTS[by])
    return Judged(decision, KNOCK if knock else decision.kind, len(choices), first, then, points, game, grade)


def _laid_out(walk: Walk, decision: Decision, drawn: tuple[int, np.ndarray] | None, by: str) -> Iterator[Judged | Skipped]:
    """How melds were laid out, or cards laid off, if there were several ways to do it."""
    if decision.kind == LAY_OFF:
        ways = ways_to_lay_off(walk, decision)
    elif drawn is None or drawn[0] != decision.turn - 1:  # the hand ended on the last discard
        yield Skipped(decision, "on the last discard")
        return
    else:
        ways = ways_to_meld(walk, decision, drawn[1])
    if ways is not None:
        yield _of_ways(decision, ways, by)


def _of_ways(decision: Decision, ways: Ways, by: str) -> Judged:
    """What a way to lay the hand out cost; exactly, if nothing was hidden."""
    values, by_value = ways.values, ways.values[:, :, 0 if by == POINTS else 1].mean(axis=0)
    best, exact = int(by_value.argmax()), len(values) == 1
    if exact:
        points, game = (exactly(float(values[0, best, k] - values[0, ways.played, k])) for k in (0, 1))
    else:
        points, game = (cost(values[:, :, k], ways.played, unit) for k, unit in enumerate(UNITS))
    first, then = (
        Option(
            ways.texts[i],
            0,
            ways.left[i],
            exactly(values[0, i, 0]) if exact else mean_of_values(values[:, i, 0], UNITS[0]),
            exactly(values[0, i, 1]) if exact else mean_of_values(values[:, i, 1], UNITS[1]),
        )
        for i in (best, ways.played)
    )
    grade = graded(points if by == POINTS else game, CUTS[by])
    return Judged(decision, decision.kind, len(ways.texts), first, then, points, game, grade)
