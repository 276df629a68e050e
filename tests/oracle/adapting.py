"""What a hand comes to by a chart, plainly: turn after turn of its course, with the chance that it gets there."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

KNOCK, UNDERCUT, GIN, BIG_GIN, DEAD, STALLED, PUSH = range(7)
Hand = list[dict[str, int]]
"""A course: its rows, the last one of which ends it anyhow."""
Chance = Callable[[dict[str, int]], float]


def end_of(row: dict[str, int], rules: Any) -> dict[str, float]:
    """What a hand comes to that ends with a row."""
    ending = row["ending"]
    bonus = {GIN: rules.gin_bonus, BIG_GIN: rules.big_gin_bonus, UNDERCUT: rules.undercut_bonus}.get(ending, 0)
    points = 0 if ending in (DEAD, STALLED, PUSH) else (abs(row["difference"]) + bonus) * row["multiplier"]
    winner = 1 - row["seat"] if ending == UNDERCUT else row["seat"]
    return {
        "knocked": ending in (KNOCK, UNDERCUT, PUSH), "undercut": ending == UNDERCUT, "gin": ending in (GIN, BIG_GIN),
        "nobody": ending in (DEAD, STALLED, PUSH), "points": points, "value": points if winner == 0 else -points,
        "turn": row["turn"],
    }  # fmt: skip


def figures(hand: Hand, rules: Any, chance: Chance) -> dict[str, float]:
    """The mean of what a hand comes to, followed to each of its ends."""
    total: dict[str, float] = defaultdict(float)

    def follow(at: int, reach: float) -> None:
        row = hand[at]
        knocks = 1.0 if row["final"] else chance(row)
        for name, value in end_of(row, rules).items():
            total[name] += reach * knocks * value
        if not row["final"]:
            follow(at + 1, reach * (1.0 - knocks))

    follow(0, 1.0)
    return dict(total)


def last_turn(hands: Sequence[Hand], chance: Chance, most: float, turns: int, normal: float) -> list[int]:
    """The own turn by which so many of the knocks have been made: as it is, perhaps, and surely."""
    knocks = []
    for hand in hands:
        by_turn, reach = [0.0] * (1 + turns), 1.0
        for row in hand:
            if row["final"]:
                break
            by_turn[min(row["turn"], turns)] += reach * chance(row)
            reach *= 1.0 - chance(row)
        knocks.append(by_turn)
    total = sum(map(sum, knocks))
    found: list[int] = []
    for k in (0, 1, -1):
        for turn in range(1, turns + 1):
            share = sum(sum(own[: turn + 1]) for own in knocks) / total if total and turn < turns else 1.0
            scatter = sum((sum(own[: turn + 1]) - share * sum(own)) ** 2 for own in knocks)
            if share + k * normal * (math.sqrt(scatter) / total if total else 0.0) >= most:
                found.append(turn if total else 0)
                break
    return found
