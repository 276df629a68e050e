"""The compiled loops over scores: values, what results mean, visits. Places, levels and results are those of ``backward``."""

from __future__ import annotations

from ginsim.jit import njit

__all__ = ["add_meaning", "add_visits", "fill_values"]


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
    """Add how often a game gets from each of ``places``, each after all that lead to it, to others."""
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
