"""What a choice lost, by its definition: the best of each part of the rollouts is what all the others say."""

from __future__ import annotations

from collections.abc import Sequence


def lost(values: Sequence[Sequence[float]], played: int, parts: int) -> list[float]:
    """For each rollout, the best choice of the rollouts of other parts less the one that was played."""
    found = []
    for r, row in enumerate(values):
        others = [own for s, own in enumerate(values) if s % parts != r % parts]
        totals = [sum(own[i] for own in others) for i in range(len(row))]
        found.append(row[totals.index(max(totals))] - row[played])
    return found
