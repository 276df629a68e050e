"""The best reply to a way of knocking that is given: what a player gains who knows it, and knocks by a chart of the own.

A player who forgets has no exact best reply by working backwards: what is best on a turn depends on what is done on the turns
before (they decide which hands get here) and after. So one own turn after the other is made as good as it can be with all others
as they are, from late to early, again and again until nothing is gained; from two starts, never to knock and always to knock, of
which the better end is taken. Each step can only gain; what comes out is a reply that no change on a single turn improves.
"""

from __future__ import annotations

import numpy as np

from ginsim.jit import njit
from ginsim.solving.cells import SEATS, TURNS
from ginsim.solving.game import KnockGame, by_row, in_blocks, pairing, values

__all__ = ["respond"]

MOST_ROUNDS = 50


@njit
def add_gains(starts, side, turn, cell, payoff, knock, theirs, player, on, most, first, end, gains):
    """Add to each cell of ``player`` on the own turn ``on`` what knocking brings above going on, times the chance to get there.

    ``theirs`` is the chance of each row of the other side to knock, ``knock`` the own by cell.
    """
    sign = 1.0 if player == 0 else -1.0
    for hand in range(first, end):
        at, last = starts[hand], starts[hand + 1] - 1
        reach = 1.0
        row = at
        while row < last and reach > 0.0:
            if side[row] == player:
                if turn[row] == on or (on == most and turn[row] > most):
                    value = np.float64(payoff[last])
                    for later in range(last - 1, row, -1):
                        p = knock[cell[later]] if side[later] == player else np.float64(theirs[later])
                        value += p * (payoff[later] - value)
                    gains[cell[row]] += sign * (payoff[row] - value) * reach
                elif turn[row] > on:
                    break
                reach *= 1.0 - knock[cell[row]]
            else:
                reach *= 1.0 - theirs[row]
            row += 1


def respond(game: KnockGame, theirs: np.ndarray, player: int, workers: int = 1) -> np.ndarray:
    """The chart (0 or 1 for each cell, float64[cells]) with which ``player`` does best against ``theirs``.

    Parameters
    ----------
    game : KnockGame
    theirs : float32[rows]
        The chance of each row of the other side to knock.
    player : {0, 1}
        The side that replies.
    workers : int
        Threads; the answer does not depend on them.
    """
    climbs = [_climb(game, theirs, player, np.full(game.cells.size, start), workers) for start in (0.0, 1.0)]
    return max(climbs, key=lambda climb: climb[0])[1]


def _climb(game: KnockGame, theirs: np.ndarray, player: int, knock: np.ndarray, workers: int) -> tuple[float, np.ndarray]:
    """Make one own turn after the other as good as it can be until nothing is gained: what it comes to, and the chart."""
    size = game.cells.size
    sign = 1 if player == 0 else -1
    latest = min(TURNS, int(game.turn[game.side == player].max(initial=1)))
    turns = np.tile(np.repeat(np.arange(1, TURNS + 1), size // (len(SEATS) * TURNS)), len(SEATS))  # of each cell
    best, found = -np.inf, knock
    for _ in range(MOST_ROUNDS):
        for on in range(latest, 0, -1):
            gains = _gains(game, theirs, player, knock, on, workers)
            knock = np.where((turns == on) & (gains != 0), gains > 0, knock).astype(np.float64)
        value = sign * float(values(game, pairing(game, player, by_row(game, knock), theirs), workers).mean())
        if value <= best:
            break
        best, found = value, knock
    return best, found


def _gains(game: KnockGame, theirs: np.ndarray, player: int, knock: np.ndarray, on: int, workers: int) -> np.ndarray:
    def work(first: int, end: int) -> np.ndarray:
        gains = np.zeros(game.cells.size)
        add_gains(
            game.starts, game.side, game.turn, game.cell, game.payoff, knock, theirs, player, on, TURNS, first, end, gains
        )  # fmt: skip
        return gains

    return np.asarray(sum(in_blocks(game.hands, work, workers)))
