"""Studies of tests and intervals: two strategies play, and for every deal the label of the first is given to either at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ginsim.errors import InputError
from ginsim.games.base import HANDS, as_dict
from ginsim.games.gin import records as H
from ginsim.games.gin.luck import LUCK_SIZE
from ginsim.simulation.journal import Tallies
from ginsim.study.base import PairExperiment

__all__ = ["RelabelledExperiment", "check_shares", "relabelled"]


class RelabelledExperiment(PairExperiment):
    """What such studies have in common."""

    NEEDS, WITHOUT = "sightings", "for which tests and intervals are not checked"

    @property
    def game_pairs(self) -> int:
        return 0

    def counted(
        self, tallies: Tallies, key: str, keys: Sequence[str], names: Sequence[str]
    ) -> tuple[dict[str, dict[str, int]], int]:
        """The counts by key and name, and of how many samples they are."""
        sums = tallies.sums.get((key, HANDS), np.zeros(len(keys) * len(names), np.int64)).reshape(len(keys), len(names))
        judged = sum(n for _, n in tallies.ranges.get((key, HANDS), []))
        return {own: as_dict(names, row) for own, row in zip(keys, sums, strict=True)}, judged


def check_shares(shares: Sequence[float], most: float) -> Sequence[float]:
    """Shares from 0.0001 to ``most``, each once."""
    for share in shares:
        if not 1e-4 <= share <= most:
            raise InputError(f"shares: {share!r} is not allowed; give numbers from 0.0001 to {most:g}")
    if len(set(shares)) < len(shares):
        raise InputError("shares: each may be given only once")
    return shares


def relabelled(records: np.ndarray, swap: np.ndarray) -> np.ndarray:
    """Hand records (with luck or without) with the winners exchanged, and the luck, in the pairs where ``swap`` holds."""
    swapped = np.repeat(swap, 2)
    out = records.copy()
    won = swapped & (records[:, H.WINNER] >= 0)
    out[won, H.WINNER] = 1 - records[won, H.WINNER]
    if records.shape[1] > H.SIZE:
        half = H.SIZE + LUCK_SIZE // 2
        out[swapped, H.SIZE:half], out[swapped, half:] = records[swapped, half:], records[swapped, H.SIZE:half]
    return out
