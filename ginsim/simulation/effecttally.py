"""What an effect study counts of pairs of hands played under a variant, beside the same deals under the base rules."""

from __future__ import annotations

import numpy as np

from ginsim.games.gin import records as H
from ginsim.jit import njit

MEANS = ("points", "knock", "gin", "undercut", "dead", "turns", "starter", "decided")
POINTS, KNOCK, GIN, UNDERCUT, DEAD, TURNS, STARTER, DECIDED = range(len(MEANS))
N = len(MEANS)

# One tally for each rule (the base is the first): sums, sums of squared differences from the base, the strategies' points
# with their squares, and the products of starter's wins and decided hands (own x own, own x base) that the ratio needs.
SUM, DIFF_SQ, OWN, CROSS = 0, N, 2 * N, 2 * N + 2
TALLY = (
    *MEANS, *(f"{name}_difference_sq" for name in MEANS), "own_points", "own_points_sq", "starter_sq", "starter_x_decided",
    "decided_sq", "starter_x_base_starter", "starter_x_base_decided", "decided_x_base_starter", "decided_x_base_decided",
)  # fmt: skip
TALLY_SIZE = len(TALLY)


@njit
def _measure(records, row, m):
    """The measures of the pair at ``row``, summed over its two plays; returns player 0's points less player 1's."""
    for k in range(N):
        m[k] = 0
    own = np.int64(0)
    for play_of_pair in range(2):
        r = records[row + play_of_pair]
        ending, winner = r[H.ENDING], r[H.WINNER]
        m[POINTS] += r[H.POINTS]
        m[TURNS] += r[H.TURNS]
        m[KNOCK] += ending == H.KNOCKED
        m[GIN] += ending in (H.GIN, H.BIG_GIN)
        m[UNDERCUT] += ending == H.UNDERCUT
        m[DEAD] += ending in (H.DEAD, H.STALLED)
        if winner >= 0:
            m[DECIDED] += 1
            m[STARTER] += winner == r[H.STARTER]
            own += r[H.POINTS] if winner == 0 else -r[H.POINTS]
    return own


@njit
def tally_effect(base, records, rows, m, v, out):
    """Add pairs of hand records under a variant, beside the same deals under the base rules, to the tally ``out``."""
    for row in range(0, rows, 2):
        _measure(base, row, m)
        own = _measure(records, row, v)
        for k in range(N):
            out[SUM + k] += v[k]
            out[DIFF_SQ + k] += (v[k] - m[k]) * (v[k] - m[k])
        out[OWN] += own
        out[OWN + 1] += own * own
        s, n = v[STARTER], v[DECIDED]
        out[CROSS] += s * s
        out[CROSS + 1] += s * n
        out[CROSS + 2] += n * n
        out[CROSS + 3] += s * m[STARTER]
        out[CROSS + 4] += s * m[DECIDED]
        out[CROSS + 5] += n * m[STARTER]
        out[CROSS + 6] += n * m[DECIDED]
