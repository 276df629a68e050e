"""Exact odds of a game from the results of single hands, by dynamic programming over the score.

Where strategies do not look at the score, hands are alike at every score, so the distribution of one hand's result is all
there is to know: the chance to win a game follows exactly, far more precisely than from as many games played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.games.gin import records as H
from ginsim.games.gin.rules import Rules
from ginsim.jit import njit

_NEXT = {"alternate": 0, "loser": 1, "winner": 2}


def outcomes(records: np.ndarray, target: int) -> np.ndarray:
    """How often each result came up: int64[2, 2, target + 1], by starter, winner and points (cut at the target).

    Hands without a winner are left out: the same dealer deals again, so they only take time.
    """
    won = records[records[:, H.WINNER] >= 0]
    counts = np.zeros((2, 2, target + 1), np.int64)
    np.add.at(counts, (won[:, H.STARTER], won[:, H.WINNER], np.minimum(won[:, H.POINTS], target)), 1)
    return counts


@njit
def _fill(p, target, deals_next, odds):
    """Fill ``odds[a, b, starter]`` from high scores to low; a result of 0 points leads back to the same score."""
    for total in range(2 * target - 2, -1, -1):
        for a in range(max(0, total - target + 1), min(target - 1, total) + 1):
            b = total - a
            # x[s] = known[s] + stay[s, 0] * x[0] + stay[s, 1] * x[1]
            k0 = k1 = s00 = s01 = s10 = s11 = 0.0
            for starter in range(2):
                known = to0 = to1 = 0.0
                for winner in range(2):
                    after = 1 - starter if deals_next == 0 else winner if deals_next == 1 else 1 - winner
                    if after == 0:
                        to0 += p[starter, winner, 0]
                    else:
                        to1 += p[starter, winner, 0]
                    for gain in range(1, target + 1):
                        chance = p[starter, winner, gain]
                        if chance > 0.0:
                            if winner == 0:
                                known += chance * (1.0 if a + gain >= target else odds[a + gain, b, after])
                            elif b + gain < target:
                                known += chance * odds[a, b + gain, after]
                if starter == 0:
                    k0, s00, s01 = known, to0, to1
                else:
                    k1, s10, s11 = known, to0, to1
            det = (1.0 - s00) * (1.0 - s11) - s01 * s10
            odds[a, b, 0] = (k0 * (1.0 - s11) + s01 * k1) / det
            odds[a, b, 1] = (k1 * (1.0 - s00) + s10 * k0) / det


def game_odds(counts: np.ndarray, rules: Rules) -> np.ndarray:
    """Chance that player 0 wins the game from every score: float64[target, target, 2], by own score, other's, starter.

    Parameters
    ----------
    counts : int64[2, 2, target + 1]
        As from `outcomes`.
    rules : Rules
        For the target and who deals next; Hollywood has no such table.

    Raises
    ------
    InputError
        If no hand of a starter brought either player points, or for Hollywood.
    """
    if rules.hollywood:
        raise InputError("rules: the odds of a Hollywood match do not follow from a table of two scores; play games instead")
    if not counts[:, :, 1:].any(axis=(1, 2)).all():
        raise InputError("odds: no hand brought points for one of the starters; play more deals")
    p = counts / counts.sum(axis=(1, 2))[:, None, None]
    odds = np.zeros((rules.target, rules.target, 2))
    _fill(p, rules.target, _NEXT[rules.next_dealer], odds)
    return odds


def start_odds(counts: np.ndarray, rules: Rules) -> float:
    """Chance that player 0 wins a game from 0 to 0, either player starting as often."""
    return float(game_odds(counts, rules)[0, 0].mean())


def as_counts(tally: Any) -> np.ndarray:
    """Counts from a flat tally of them."""
    flat = np.asarray(tally, np.int64)
    return flat.reshape(2, 2, flat.size // 4)
