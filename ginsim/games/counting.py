"""What the compiled counts of all games share."""

from __future__ import annotations

from ginsim.jit import njit

__all__ = ["add_games", "add_products"]


@njit
def add_games(won, decided, margin, hands, out):
    """Add one deal's games to the sums of ``ginsim.games.base.GAME_TALLY`` that are of the deal as a whole."""
    out[0] += 1
    out[1] += won
    out[2] += won * won
    out[3] += decided
    out[4] += decided * decided
    out[5] += won * decided
    out[6] += margin
    out[7] += margin * margin
    out[8] += hands
    out[13] += hands * hands


@njit
def add_products(base, own, first, second, values, out):
    """Add to each of the sums ``out`` the products of two values of every row, by their numbers ``first`` and ``second``.

    The values are 1, then the columns of ``own``, of ``base`` and of their difference; ``values`` is scratch room for them.
    """
    n = own.shape[1]
    values[0] = 1
    for row in range(own.shape[0]):
        for k in range(n):
            values[1 + k], values[1 + n + k], values[1 + 2 * n + k] = own[row, k], base[row, k], own[row, k] - base[row, k]
        for k in range(out.size):
            out[k] += values[first[k]] * values[second[k]]
