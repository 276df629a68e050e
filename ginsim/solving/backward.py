"""Games worked out from the end backwards: what each score is worth, from how hands end there.

A result of a hand is a number: 0 if nobody wins, else ``1 + seat * kinds + points``, with the seat of the winner (0: the starter)
and ``kinds`` of points from 0 up. Values are those of one of two players, A, as ``values[i, j, s]``: A at level i, the other at
level j (`ginsim.solving.payoffs`), A starting the next hand if s is 0. Places are rows (i, j).
"""

from __future__ import annotations

import numpy as np

from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.jit import njit
from ginsim.solving.game import KnockGame, outcomes
from ginsim.solving.kernels import add_results
from ginsim.solving.payoffs import Stakes

__all__ = ["backwards", "meaning", "result_codes", "results", "visited", "work_back"]


def result_codes(courses: Courses, rules: Rules) -> np.ndarray:
    """The result of a hand that ends with each row, int32[rows]."""
    winner, points = outcomes(courses, rules)
    found: np.ndarray = np.where(winner < 0, 0, 1 + winner.astype(np.int32) * (rules.most_points + 1) + points)
    return found


def results(game: KnockGame, codes: np.ndarray, knock: np.ndarray, kinds: int, parts: int = 1) -> np.ndarray:
    """How often each result comes up per hand, float64[parts, results], if all knock by a chart (float64[cells]).

    The hands are cut into ``parts`` of the same size, which add up; the last has what is left over.
    """
    out = np.zeros((parts, 1 + 2 * kinds))
    add_results(game.starts, game.cell, codes, knock, max(game.hands // parts, 1), 0, game.hands, out)
    return out / game.hands


def backwards(i: np.ndarray, j: np.ndarray) -> np.ndarray:
    """The places at the levels ``i`` and ``j``, in either order, each after all that may follow it."""
    a, b = (grid.ravel() for grid in np.meshgrid(i, j, indexing="ij"))
    places = np.unique(np.concatenate([np.stack([a, b], 1), np.stack([b, a], 1)]), axis=0).astype(np.int64)
    found: np.ndarray = places[np.argsort(-places.sum(axis=1), kind="stable")]
    return found


def work_back(places: np.ndarray, of: np.ndarray, chances: np.ndarray, stakes: Stakes, values: np.ndarray) -> None:
    """Fill ``values`` at ``places`` in this order; a hand at i, j, s has the results ``chances[of[i, j, s]]``."""
    scratch = np.empty(2), np.empty((2, 2))
    fill_values(places, of, chances, stakes.next_starter, stakes.hand, stakes.end, values, *scratch)


def meaning(places: np.ndarray, weights: np.ndarray, stakes: Stakes, values: np.ndarray) -> np.ndarray:
    """What each result means to the starter, A, on average over ``places`` by ``weights``: float64[results]."""
    out = np.zeros(1 + 2 * len(stakes.hand))
    add_meaning(places, weights / weights.sum(), stakes.next_starter, stakes.hand, stakes.end, values, out)
    return out


def visited(of: np.ndarray, chances: np.ndarray, stakes: Stakes) -> np.ndarray:
    """How often a game gets to each i, j, s, A starting it half of the time: float64 like ``of``."""
    levels = np.arange(stakes.levels)
    visits = np.zeros((*of.shape[:2], 2))
    visits[0, 0] = 0.5
    add_visits(np.ascontiguousarray(backwards(levels, levels)[::-1]), of, chances, stakes.next_starter, visits)
    return visits


@njit
def level_after(level, points):
    """The level of a player who wins a hand."""
    return points + 1 if level == 0 else level + points


@njit
def starter_after(s, winner, next_starter):
    """Who starts next (0: A) after a hand that s started."""
    return 1 - s if next_starter == 0 else winner if next_starter == 1 else 1 - winner


@njit
def worth_after(i, j, s, seat, points, next_starter, hand, end, values):
    """What it means to A that the player in ``seat`` wins a hand by so many points."""
    winner = s ^ seat
    own, other = (i, j) if winner == 0 else (j, i)
    sign = 1.0 if winner == 0 else -1.0
    to = level_after(own, points)
    if to >= values.shape[0]:
        return sign * (hand[points] + end[own, seat, 1 if other > 0 else 0, points])
    starts = starter_after(s, winner, next_starter)
    return sign * hand[points] + (values[to, j, starts] if winner == 0 else values[i, to, starts])


@njit
def fill_values(places, of, chances, next_starter, hand, end, values, known, stay):
    """Fill ``values`` at ``places``, each after all that may follow it.

    A hand without a winner leads back to the same place, and so may one of 0 points, with another starter perhaps: so the values
    with either starter are solved for together.
    """
    kinds = hand.size
    for n in range(places.shape[0]):
        i, j = places[n, 0], places[n, 1]
        stay[:] = 0.0
        values[i, j, 0] = values[i, j, 1] = 0.0
        for s in range(2):
            here = chances[of[i, j, s]]
            stay[s, s] += here[0]
            known[s] = 0.0
            for seat in range(2):
                winner = s ^ seat
                for points in range(kinds):
                    chance = here[1 + seat * kinds + points]
                    if chance > 0.0:
                        known[s] += chance * worth_after(i, j, s, seat, points, next_starter, hand, end, values)
                if (i if winner == 0 else j) > 0:
                    stay[s, starter_after(s, winner, next_starter)] += here[1 + seat * kinds]
        det = (1.0 - stay[0, 0]) * (1.0 - stay[1, 1]) - stay[0, 1] * stay[1, 0]
        values[i, j, 0] = (known[0] * (1.0 - stay[1, 1]) + stay[0, 1] * known[1]) / det
        values[i, j, 1] = (known[1] * (1.0 - stay[0, 0]) + stay[1, 0] * known[0]) / det


@njit
def add_meaning(places, weights, next_starter, hand, end, values, out):
    """Add what each result means to A, who starts, at ``places``, each counted by its weight."""
    kinds = hand.size
    for n in range(places.shape[0]):
        i, j = places[n, 0], places[n, 1]
        out[0] += weights[n] * values[i, j, 0]
        for seat in range(2):
            for points in range(kinds):
                worth = worth_after(i, j, 0, seat, points, next_starter, hand, end, values)
                out[1 + seat * kinds + points] += weights[n] * worth


@njit
def add_visits(places, of, chances, next_starter, visits):
    """Add how often a game gets on from each of ``places``, each after all that lead to it, leaving out hands that leave it there."""
    kinds = (chances.shape[1] - 1) // 2
    for n in range(places.shape[0]):
        i, j = places[n, 0], places[n, 1]
        for s in range(2):
            here = chances[of[i, j, s]]
            share = visits[i, j, s] / (1.0 - here[0])
            for seat in range(2):
                winner = s ^ seat
                for points in range(kinds):
                    a = level_after(i, points) if winner == 0 else i
                    b = level_after(j, points) if winner == 1 else j
                    if max(a, b) < visits.shape[0] and (a != i or b != j):
                        visits[a, b, starter_after(s, winner, next_starter)] += share * here[1 + seat * kinds + points]
