"""What a hand, a game and a Hollywood match are worth."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from .cards import Card, Pack, point

Result = tuple[int | None, int]
"""Winner of a hand (None: nobody) and the points."""


class Score(NamedTuple):
    ending: str
    by_knocker: bool | None
    points: int


def knock_score(knocker: int, defender: int, rules: Any, multiplier: int = 1, gin: str = "") -> Score:
    """Ending, whether the knocker wins (None: nobody) and points; `gin` is "", "gin" or "big_gin"."""
    if gin:
        bonus = rules.gin_bonus if gin == "gin" else rules.big_gin_bonus
        return Score(gin, True, (bonus + defender) * multiplier)
    if knocker < defender:
        return Score("knock", True, (defender - knocker) * multiplier)
    if knocker == defender and rules.tie == "push":
        return Score("push", None, 0)
    if knocker == defender and rules.tie == "knocker":
        return Score("knock", True, 0)
    return Score("undercut", False, (knocker - defender + rules.undercut_bonus) * multiplier)


def knock_limit(upcard: Card | None, rules: Any) -> int:
    if not rules.oklahoma or upcard is None:
        return int(rules.knock_limit)
    if upcard[0] == 0:
        return 0 if rules.oklahoma_ace == "gin_only" else 1
    return point(upcard, Pack())


def hand_multiplier(upcard: Card | None, rules: Any) -> int:
    return 2 if rules.spades_double and upcard is not None and upcard[1] == 0 else 1


@dataclass
class Settlement:
    winner: int | None  # None: the results ended before the target
    points: list[int]
    boxes: list[int]
    totals: list[int]
    margin: int
    shutout: bool


class Column:
    """A game in the making: points and boxes of both players."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.points, self.boxes = [0, 0], [0, 0]
        self.winner: int | None = None

    @property
    def open(self) -> bool:
        return self.winner is None

    def add(self, winner: int, points: int) -> None:
        self.points[winner] += points
        self.boxes[winner] += 1
        if self.points[winner] >= self.rules.target:
            self.winner = winner

    def settle(self) -> Settlement:
        rules, w = self.rules, self.winner
        totals = [self.points[p] + rules.box_bonus * self.boxes[p] for p in (0, 1)]
        if w is None:
            return Settlement(None, self.points, self.boxes, totals, 0, False)
        shutout = self.boxes[1 - w] == 0
        how = rules.shutout if shutout else "none"
        totals[w] += rules.game_bonus
        if how == "bonus_x2":
            totals[w] += rules.game_bonus
        if how == "double_points":
            totals[w] += self.points[w]
        if how == "double_total":
            totals[w] *= 2
        margin = totals[w] - totals[1 - w]
        if how == "double_difference":
            margin *= 2
        return Settlement(w, self.points, self.boxes, totals, margin, shutout)


def play_game(results: Iterable[Result], rules: Any) -> Settlement:
    """One game: results are taken until a player reaches the target."""
    column = Column(rules)
    for winner, points in results:
        if winner is not None and column.open:
            column.add(winner, points)
    return column.settle()


@dataclass
class Hollywood:
    columns: list[Settlement]
    net: list[int]
    log: list[Any]
    """A hand each: winner, points, columns that score (1 to 3), points in all columns, closed columns."""


def play_hollywood(results: Iterable[Result], rules: Any) -> Hollywood:
    columns = [Column(rules) for _ in range(3)]
    reach, log = [0, 0], list[Any]()
    for winner, points in results:
        open_columns = [i for i in (1, 2, 3) if columns[i - 1].open]
        if not open_columns:
            break
        if winner is None:
            log.append(["void"])
            continue
        reach[winner] = min(3, max(reach[winner] + 1, open_columns[0]))
        scoring = [i for i in open_columns if i <= reach[winner]]
        for i in scoring:
            columns[i - 1].add(winner, points)
        closed = [i for i in (1, 2, 3) if not columns[i - 1].open]
        log.append([winner, points, scoring, [list(c.points) for c in columns], closed])
    settled = [c.settle() for c in columns]
    net = 0
    for i, s in enumerate(settled):
        weight = 2 if i == 2 and rules.third_column_double else 1
        if s.winner is not None:
            net += weight * (s.margin if s.winner == 0 else -s.margin)
    return Hollywood(settled, [net, -net], log)


def dealers(results: Iterable[Result], first: int, next_dealer: str) -> list[int]:
    """Who deals each hand, and the one after the last."""
    turn = [first]
    for winner, _ in results:
        if winner is None:
            turn.append(turn[-1])
        elif next_dealer == "alternate":
            turn.append(1 - turn[-1])
        else:
            turn.append(winner if next_dealer == "winner" else 1 - winner)
    return turn
