"""Games worked out from the end backwards: what each score is worth, from how hands end there.

A result of a hand is a number: 0 if nobody wins, else ``1 + seat * kinds + points``, with the seat of the winner (0: the starter)
and ``kinds`` of points from 0 up. Values are those of one of two players, A, as ``values[i, j, s]``: A at level i, the other at
level j (`ginsim.solving.payoffs`), A starting the next hand if s is 0. Places are rows (i, j).
"""

from __future__ import annotations

import numpy as np

from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.solving.game import KnockGame, outcomes
from ginsim.solving.kernels import add_results
from ginsim.solving.payoffs import Stakes
from ginsim.solving.scorekernels import add_meaning, add_visits, fill_values

__all__ = ["backwards", "meaning", "result_codes", "results", "starters", "visited", "work_back"]


def result_codes(courses: Courses, rules: Rules) -> np.ndarray:
    """The result of a hand that ends with each row, int32[rows]."""
    winner, points = outcomes(courses, rules)
    seat = (winner != starters(courses)).astype(np.int32)
    found: np.ndarray = np.where(winner < 0, 0, 1 + seat * (rules.most_points + 1) + points)
    return found


def starters(courses: Courses) -> np.ndarray:
    """The side that started the hand of each row, int8[rows]."""
    found: np.ndarray = courses.side ^ courses.rows["seat"].astype(np.int8)
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
