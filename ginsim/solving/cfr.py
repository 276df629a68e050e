"""Both sides' knocking, solved together: counterfactual regret minimisation on recorded courses.

Each sweep goes through all hands once for each side: in every cell the regret of not having knocked (or of having) is added up,
negative sums are cut at 0, and the next sweep knocks in proportion to what is left (CFR+, Tammelin 2014); the answer is the mean
of all sweeps, later ones counting more. A chart forgets: two turns with the same cell may have come about by different earlier
choices of the same player. So a regret is weighed not only by the chance that the *opponent* let the hand get there, which is
all that matters to a player who remembers everything (Zinkevich et al. 2007), but mostly by the own chance too: that is the slope
of the value of the chart. A small part ``epsilon`` leaves the own chance out, so that cells that are never reached learn as well.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ginsim.solving.game import KnockGame, in_blocks
from ginsim.solving.kernels import MOST_ROWS, add_regrets

__all__ = ["EPSILON", "SWEEPS", "Learnt", "learn", "solve"]

SWEEPS, EPSILON = 100, 0.05


class Learnt(NamedTuple):
    """Where learning has got to, by cell: the mean chance to knock, and the last one with the regrets behind it."""

    mean: np.ndarray
    knock: np.ndarray
    ahead: np.ndarray
    behind: np.ndarray


def solve(
    game: KnockGame,
    sweeps: int = SWEEPS,
    epsilon: float = EPSILON,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> np.ndarray:
    """The chance to knock in each cell, float64[cells], with which neither side has much to gain by another chart.

    Parameters
    ----------
    game : KnockGame
        Of whom each cell belongs to one side only.
    sweeps : int
    epsilon : float
        Weight of a regret where the own choices do not lead.
    workers : int
        Threads; the answer does not depend on them.
    progress : function, optional
        Called with the sweeps done and all there are.
    """
    return learn(game, sweeps, epsilon, workers, progress).mean


def learn(
    game: KnockGame,
    sweeps: int = SWEEPS,
    epsilon: float = EPSILON,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    *,
    start: Learnt | None = None,
    keep: float = 1.0,
    parts: int = 1,
) -> Learnt:
    """As `solve`, with all that learning can go on from.

    Parameters
    ----------
    game, sweeps, epsilon, workers, progress
        As in `solve`.
    start : Learnt, optional
        Of a game much like this one, with payoffs of the same size: few sweeps are then enough.
    keep : float
        How much its regrets still count.
    parts : int
        Each sweep goes through one of so many parts of the hands, in turn.
    """
    size = game.cells.size
    knock = np.full(size, 0.5) if start is None else start.knock
    ahead, behind = (np.zeros(size), np.zeros(size)) if start is None else (keep * start.ahead, keep * start.behind)
    total, weight = np.zeros(size), np.zeros(size)
    for sweep in range(1, sweeps + 1):
        for player in range(2):
            gain, reached = _regrets(game, knock, player, epsilon, workers, (sweep % parts, parts))
            total += sweep * reached * knock
            weight += sweep * reached
            ahead = np.maximum(ahead + (1.0 - knock) * gain, 0.0)
            behind = np.maximum(behind - knock * gain, 0.0)
            both = ahead + behind
            knock = np.divide(ahead, both, out=np.full(size, 0.5), where=both > 0)
        if progress:
            progress(sweep, sweeps)
    seen = np.bincount(game.cell[game.cell >= 0], minlength=size) > 0
    mean = np.divide(total, weight, out=np.where(seen, knock, 0.0), where=weight > 0)
    return Learnt(mean, knock, ahead, behind)


def _regrets(
    game: KnockGame, knock: np.ndarray, player: int, epsilon: float, workers: int, part: tuple[int, int]
) -> np.ndarray:
    """Gains of knocking over going on, and own chances to get there, float64[2, cells]; of every so many-th block of hands."""

    def work(block: int, first: int, end: int) -> np.ndarray:
        sums, scratch = np.zeros((2, game.cells.size)), np.empty((2, MOST_ROWS))
        if block % part[1] != part[0]:
            return sums
        of = game.starts, game.side, game.cell, game.payoff
        add_regrets(*of, knock, player, epsilon, first, end, scratch, sums[0], sums[1])
        return sums

    return np.asarray(sum(in_blocks(game.hands, work, workers)))
