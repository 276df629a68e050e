"""How players of recorded hands play: what they take, when and with how much they knock, what they throw."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.games.gin import view as V
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, KNOCK, UPCARD, Decision
from ginsim.inference.estimates import LEAST_CLUSTERS, Estimate, RatioSums, from_mean, share_of_clusters
from ginsim.melds import points

if TYPE_CHECKING:
    from ginsim.study.reviewed import ReviewedHand

__all__ = ["habits_of"]


def habits_of(name: str, hands: Sequence[ReviewedHand]) -> dict[str, Any]:
    """The habits of a player, with 95 % intervals over hands.

    ``upcard_taken`` and ``taken`` are shares: of the first upcards offered, of all other draws; ``knocked`` of the chances to
    knock. ``knock_turn`` and ``knock_deadwood`` are means of the knocks that were made (gin and big gin among them), ``thrown``
    the mean value of discards.
    """
    own = [list(_own(hand, name)) for hand in hands if name in hand.names]
    knocks = [[d for d in decisions if d.kind == KNOCK] for decisions in own]
    ended = [[d for d in decisions if d.action != "discard"] for decisions in knocks]
    thrown = [[d for d in decisions if d.kind == DISCARD and d.cards] for decisions in own]
    figures = {
        "upcard_taken": _share(_of(own, UPCARD, "take")),
        "taken": _share(_of(own, DRAW, "take")),
        "knocked": _share([(sum(d.action != "discard" for d in of), len(of)) for of in knocks]),
        "knock_turn": _mean(float(d.view[V.TURN]) + 1 for of in ended for d in of),
        "knock_deadwood": _mean(float(d.view[V.DEADWOOD]) for of in ended for d in of),
        "thrown": _each([[float(points(np.int64(d.cards[0]), d.view)) for d in of] for of in thrown]),
    }
    row: dict[str, Any] = {"player": name, "hands": sum(map(bool, own)), "knocks": sum(map(len, ended))}
    for figure, estimate in figures.items():
        told = () if estimate is None else (estimate.value, estimate.low, estimate.high)
        known = [value if math.isfinite(value) else None for value in told] or [None] * 3
        row |= dict(zip((figure, f"{figure}_low", f"{figure}_high"), known, strict=True))
    return row


def _own(hand: ReviewedHand, name: str) -> Iterator[Decision]:
    """The player's decisions that the rules allow."""
    seat = hand.names.index(name)
    return (d for d in hand.walked.walk.decisions if d.player == seat and not d.fault)


def _of(own: Iterable[list[Decision]], kind: str, action: str) -> list[tuple[int, int]]:
    """Of each hand, how often an action was chosen, and how often it could have been."""
    decisions = [[d.action == action for d in of if d.kind == kind] for of in own]
    return [(sum(chosen), len(chosen)) for chosen in decisions]


def _share(counted: Iterable[tuple[int, int]]) -> Estimate | None:
    """A share, hands being independent."""
    found = np.array([pair for pair in counted if pair[1]], np.int64).reshape(-1, 2)
    return share_of_clusters(RatioSums.of(found[:, 0], found[:, 1])) if len(found) else None


def _mean(values: Iterable[float]) -> Estimate | None:
    """A mean of figures of which a hand has one at most."""
    return _each([[value] for value in values])


def _each(hands: Iterable[list[float]]) -> Estimate | None:
    """A mean of figures of which a hand may have several; no interval if there are few hands."""
    found = [values for values in hands if values]
    if not found:
        return None
    totals, counts = np.array([sum(values) for values in found]), np.array([len(values) for values in found], float)
    ratio = float(totals.sum() / counts.sum())
    if len(found) < LEAST_CLUSTERS:
        return from_mean(ratio, math.inf, 1)
    spread = float((totals - ratio * counts).std(ddof=1)) / len(found) ** 0.5 / float(counts.mean())
    return from_mean(ratio, spread, len(found))
