"""What the compiled counts of all games share."""

from __future__ import annotations

from ginsim.jit import njit

__all__ = ["add_games"]


@njit
def add_games(won, decided, margin, out):
    """Add one deal's games to the first sums of ``ginsim.games.base.GAME_TALLY``."""
    out[0] += 1
    out[1] += won
    out[2] += won * won
    out[3] += decided
    out[4] += decided * decided
    out[5] += won * decided
    out[6] += margin
    out[7] += margin * margin
