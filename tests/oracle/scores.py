"""Games as hands after hands, followed with all their chances: what a score is worth, plainly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from .scoring import Column

Results = list[tuple[float, int | None, int]]
"""Ways a hand may end: the chance, the seat that wins (0: the starter; None: nobody), the points."""


def hand_results(hands: Iterable[list[tuple[float, int | None, int]]]) -> Results:
    """How hands end, from the chance to knock and the winner and points of each of their rows."""
    found: dict[tuple[int | None, int], float] = defaultdict(float)
    count = 0
    for rows in hands:
        count += 1
        here = 1.0
        for chance, seat, points in rows:
            found[seat, points] += here * chance
            here *= 1.0 - chance
    return [(total / count, *of) for of, total in found.items()]


def game_worth(
    results: Callable[[int, int, int], Results], rules: Any, by: str, points: tuple[int, int], starter: int, least: float = 1e-11
) -> float:
    """What a game is worth to player 0 from these points on (boxes: one each if there are points).

    ``results(own, other, starter)`` tells how hands end. Hands won are counted one by one.
    """
    start = (*points, int(points[0] > 0), int(points[1] > 0), starter)
    alive, worth = {start: 1.0}, 0.0
    while alive:
        later: dict[tuple[int, ...], float] = defaultdict(float)
        for state, chance in alive.items():
            for share, seat, gain in results(*state[:2], state[4]):
                if seat is None:
                    later[state] += chance * share
                    continue
                winner = state[4] if seat == 0 else 1 - state[4]
                column = Column(rules)
                column.points, column.boxes = list(state[:2]), list(state[2:4])
                column.add(winner, gain)
                if column.winner is not None:
                    margin = column.settle().margin
                    worth += chance * share * ((1 if winner == 0 else 0) if by == "games" else margin if winner == 0 else -margin)
                    continue
                after = {"alternate": 1 - state[4], "loser": winner, "winner": 1 - winner}[rules.next_dealer]
                later[*column.points, *column.boxes, after] += chance * share
        alive = {state: chance for state, chance in later.items() if chance > least}
    return worth - (settled_before(points, rules) if by == "margin" else 0.0)


def settled_before(points: tuple[int, int], rules: Any) -> float:
    """The part of the margin that was there at the start."""
    boxes = [rules.box_bonus * (p > 0) for p in points]
    return float(points[0] + boxes[0] - points[1] - boxes[1])
