"""A hand that was reviewed, and what a review says of a player: the cost of decisions, luck, the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.games.gin.advice import GAME, POINTS
from ginsim.games.gin.reviewed.costs import GRADES, exactly
from ginsim.inference.estimates import LEAST_CLUSTERS, Estimate, from_mean, mean_of_estimates

if TYPE_CHECKING:
    from ginsim.games.gin.recorded.hand import RecordedHand
    from ginsim.games.gin.recorded.walked import Walked
    from ginsim.games.gin.reviewed.judging import Judged, Skipped
    from ginsim.games.gin.reviewed.luck import HandLuck

__all__ = ["Player", "ReviewedHand", "player_of"]


@dataclass(frozen=True, eq=False)
class ReviewedHand:
    """A hand that was reviewed.

    Attributes
    ----------
    walked : Walked
        The hand as it was walked through, and where it was written.
    judged : tuple of Judged
        Decisions of players whose cards were known then, in order; forced ones are left out.
    skipped : tuple of Skipped
        Those that could not be judged.
    luck : HandLuck or None
        None under rules that shuffle the pile into a new stock.
    """

    walked: Walked
    judged: tuple[Judged, ...]
    skipped: tuple[Skipped, ...]
    luck: HandLuck | None

    @property
    def record(self) -> RecordedHand:
        """The hand as it was written down."""
        return self.walked.walk.hand

    @property
    def names(self) -> tuple[str, str]:
        """The players, told apart."""
        a, b = self.record.names
        return (a, b) if a != b else (f"{a} (A)", f"{b} (B)")

    def seen(self, player: int) -> bool:
        """Whether any decision of a player was judged."""
        return any(one.decision.player == player for one in self.judged)

    def result(self, player: int) -> int | None:
        """Points won, or lost, by a player; None if the hand has no end."""
        outcome = self.walked.walk.outcome
        if outcome is None:
            return None
        return 0 if outcome.winner < 0 else outcome.points if outcome.winner == player else -outcome.points


@dataclass(frozen=True)
class Player:
    """A player's errors, luck and result.

    Intervals of fewer than 30 hands are about these very hands: they come from the draws of hidden cards alone. With more hands
    they are about the player, and come from the scatter of the hands.

    Attributes
    ----------
    name : str
    hands, decisions : int
        Hands with decisions that were judged, and these.
    grades : mapping of str to int
    cost : mapping of str to Estimate
        ``points`` and ``game``: what decisions cost in a hand.
    each : mapping of str to Estimate
        The same of a decision.
    luck, result, less_luck : Estimate or None
        Points of a hand by luck, won, and won but for luck; of hands of which all is known; None if there are none.
    known : int
        Hands of which luck and result are known.
    """

    name: str
    hands: int
    decisions: int
    grades: Mapping[str, int]
    cost: Mapping[str, Estimate]
    each: Mapping[str, Estimate]
    luck: Estimate | None
    result: Estimate | None
    less_luck: Estimate | None
    known: int

    def row(self) -> dict[str, Any]:
        """The figures as a row of a table."""
        row: dict[str, Any] = {"player": self.name, "hands": self.hands, "decisions": self.decisions}
        row |= {grade: self.grades.get(grade, 0) for grade in GRADES}
        figures: dict[str, Estimate | None] = {f"cost_{by}_per_hand": self.cost[by] for by in (POINTS, GAME)}
        figures |= {f"cost_{by}_per_decision": self.each[by] for by in (POINTS, GAME)}
        figures |= {"luck": self.luck, "result": self.result, "result_less_luck": self.less_luck}
        for name, figure in figures.items():
            told = (figure.value, figure.low, figure.high) if figure else (None, None, None)
            row |= dict(zip((name, f"{name}_low", f"{name}_high"), told, strict=True))
        return row | {"known_hands": self.known}

    def sentence(self, by: str) -> str:
        """What the player lost by decisions, and the luck."""
        total, scale = self.cost[by], self.hands
        value, low, high = (scale * x for x in (total.value, total.low, total.high))
        if by == GAME:
            lost = f"{100 * value:.1f} percentage points of games won (95 % interval {100 * low:.1f} to {100 * high:.1f})"
        else:
            lost = f"{value:.1f} points (95 % interval {low:.1f} to {high:.1f})"
        text = f"{self.name} lost {lost} in {self.decisions:,} decisions{self._grades()}"
        if self.luck is not None:
            luck = self.known * self.luck.value
            text += f", and had {'good' if luck >= 0 else 'bad'} luck worth {abs(luck):.1f} points"
        return text + "."

    def _grades(self) -> str:
        """Errors and blunders, if there are any."""
        bad = [(self.grades.get(grade, 0), grade) for grade in GRADES[:1:-1]]
        told = [f"{count} {grade}{'s' if count > 1 else ''}" for count, grade in bad if count]
        return f" ({' and '.join(told)})" if told else ""


def player_of(name: str, hands: Sequence[ReviewedHand], by: str) -> Player:
    """What a review says of a player."""
    seats = [(hand, hand.names.index(name)) for hand in hands if name in hand.names]
    seats = [(hand, seat) for hand, seat in seats if hand.seen(seat)]
    own = [[one for one in hand.judged if one.decision.player == seat] for hand, seat in seats]
    counts = np.array([len(judged) for judged in own], float)
    costs = {by: _of_hands([[one.cost(by) for one in judged] for judged in own], counts) for by in (POINTS, GAME)}
    known = [
        (hand.luck.points(seat), result)
        for hand, seat in seats
        if hand.luck and hand.luck.whole and hand.luck.deal[seat] is not None and (result := hand.result(seat)) is not None
    ]
    luck, won = np.array([pair[0] for pair in known], float), np.array([pair[1] for pair in known], float)
    return Player(
        name,
        len(seats),
        int(counts.sum()),
        _grades(one for judged in own for one in judged),
        {by: figures[0] for by, figures in costs.items()},
        {by: figures[1] for by, figures in costs.items()},
        _mean(luck),
        _mean(won),
        _mean(won - luck),
        len(known),
    )


def _grades(judged: Iterable[Judged]) -> Counter[str]:
    return Counter(one.grade for one in judged)


def _of_hands(costs: Sequence[Sequence[Estimate]], counts: np.ndarray) -> tuple[Estimate, Estimate]:
    """Cost of a hand and of a decision."""
    every = [cost for own in costs for cost in own]
    if not every:
        return exactly(0.0), exactly(0.0)
    each = mean_of_estimates(every)
    if len(costs) < LEAST_CLUSTERS:
        return _times(each, float(counts.mean())), each
    totals = np.array([sum(cost.value for cost in own) for own in costs])
    ratio = totals.sum() / counts.sum()
    spread = float((totals - ratio * counts).std(ddof=1)) / len(costs) ** 0.5 / float(counts.mean())
    return _scatter(totals), from_mean(float(ratio), spread, len(costs))


def _times(estimate: Estimate, factor: float) -> Estimate:
    value, low, high, se = (factor * x for x in (estimate.value, estimate.low, estimate.high, estimate.se))
    return replace(estimate, value=value, low=low, high=high, se=se)


def _mean(values: np.ndarray) -> Estimate | None:
    """Mean of what is known of hands; without an interval where they are few."""
    if not len(values):
        return None
    return exactly(float(values.mean())) if len(values) < LEAST_CLUSTERS else _scatter(values)


def _scatter(values: np.ndarray) -> Estimate:
    return from_mean(float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5, len(values))
