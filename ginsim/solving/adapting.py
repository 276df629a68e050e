"""What hands are like if both sides knock by a chart, and what changes when they adapt it to other rules.

A course does not depend on the knock, so what a hand comes to by a chart is known exactly: the chance of each end it may have.
Before adapting, both knock under a variant by the chart of the base rules; after it, by the variant's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np

from ginsim.games.gin import records as H
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import NORMAL
from ginsim.solving.cells import TURNS, Cells
from ginsim.solving.chart import Chart
from ginsim.solving.game import by_points, in_blocks, outcomes
from ginsim.solving.kernels import fill_reach
from ginsim.solving.solved import Bench, equilibrium

__all__ = ["AFTER", "BEFORE", "FIGURES", "KNOWS", "LAST", "MOST", "Kept", "adapted", "hand_figures", "last_turn"]

KNOWS = ("deadwood", "unmatched")
"""What the charts tell apart."""
FIGURES = ("knocked", "undercut", "gin", "nobody", "points", "value", "turn")
"""Of each hand: whether it ends with a knock, an undercut, gin (or big gin), without a winner; the winner's points; its value to
the starter; the own turn, of the player who ends it, on which it ends."""
LAST = "last"
"""Of all hands: the own turn by which ``MOST`` of the knocks have been made."""
MOST = 0.95
"""A share of the knocks; the last few come at any time, and say nothing of how long one knocks."""
BEFORE, AFTER = "before", "after"
Kept = dict[str, tuple[float, float, float]]
"""Figures by name: mean, standard error and number of deals; of ``LAST`` the turn and the bounds of its interval."""


def hand_figures(courses: Courses, rules: Rules, knock: np.ndarray) -> np.ndarray:
    """``FIGURES`` of each hand, float64[figures, hands], if each row knocks with the chance ``knock`` (at the end: 1)."""
    rows, ending = courses.rows, courses.rows["ending"]
    ends = _reach(courses, knock) * knock
    winner, points = outcomes(courses, rules)
    told = (
        np.isin(ending, (H.KNOCKED, H.UNDERCUT, H.PUSH)), ending == H.UNDERCUT, np.isin(ending, (H.GIN, H.BIG_GIN)),
        np.isin(ending, (H.DEAD, H.STALLED, H.PUSH)), points, np.where(winner == 1, -points, points), rows["turn"],
    )  # fmt: skip
    found = np.stack([np.add.reduceat(ends * of, courses.starts[:-1]) for of in told])
    return np.round(found, 9)  # so that hands that come out alike differ by nothing


def last_turn(courses: Courses, knock: np.ndarray) -> tuple[float, float, float]:
    """The own turn by which ``MOST`` of the knocks of all hands have been made (0: there are none), with an interval.

    The interval goes from the first turn by which it may be that many to the first by which it certainly is.
    """
    decides = courses.rows["final"] == 0
    hand = np.repeat(np.arange(courses.hands), np.diff(courses.starts))[decides]
    place = hand * TURNS + np.clip(courses.rows["turn"][decides], 1, TURNS) - 1
    knocks = (_reach(courses, knock) * knock)[decides]
    by_turn = np.bincount(place, knocks, courses.hands * TURNS).reshape(-1, TURNS).cumsum(axis=1)
    own = by_turn[:, -1:]
    total = float(own.sum())
    if not total:
        return 0.0, 0.0, 0.0
    share = by_turn.sum(axis=0) / total
    share[-1] = 1.0
    error = np.sqrt(((by_turn - share * own) ** 2).sum(axis=0)) / total
    found = [int(np.argmax(share + k * NORMAL * error >= MOST)) + 1 for k in (0, 1, -1)]
    return float(found[0]), float(found[1]), float(found[2])


def adapted(
    groups: Iterable[tuple[Sequence[int], Callable[[], tuple[Courses, Courses]]]], rules: Sequence[Rules], workers: int = 1
) -> tuple[dict[int, Kept], int]:
    """What one strategy's hands are like under each of the rules, and the cells of the base's chart that come up.

    Parameters
    ----------
    groups : iterable of (numbers of rules, function)
        Rules that have their courses in common, the base first, and what reads these: of the deals that charts are made of, and
        of those on which all is judged.
    rules : sequence of Rules
        The base first.
    workers : int
        Threads; the figures do not depend on them.
    """
    found, used = dict[int, Kept](), 0
    base: Chart | None = None
    for numbers, read in groups:
        courses, checks = read()
        if base is None:
            base = _solved(courses, rules[0])
            knock = base.chances(checks)
            of_base = hand_figures(checks, rules[0], knock)
            cell = Cells.of(KNOWS).index(checks)
            used = np.unique(cell[(cell >= 0) & (_reach(checks, knock) > 0)]).size
            found[0] = _means(BEFORE, of_base) | {f"{BEFORE} {LAST}": last_turn(checks, knock)}
        others = [number for number in numbers if number]
        task = partial(_under, courses, checks, base, of_base)
        with ThreadPoolExecutor(workers) as pool:
            found |= dict(zip(others, pool.map(task, [rules[number] for number in others]), strict=True))
    return found, used


def _under(courses: Courses, checks: Courses, base: Chart, of_base: np.ndarray, rules: Rules) -> Kept:
    """The figures under a variant, before adapting and after, and their differences deal by deal."""
    before, after = base.chances(checks), _solved(courses, rules).chances(checks)
    old, new = hand_figures(checks, rules, before), hand_figures(checks, rules, after)
    bench = Bench(checks, rules, by_points(), Cells.of(KNOWS))
    gain = bench.advantage(after, before)
    found = _means(BEFORE, old) | _means(AFTER, new)
    found |= _means(f"{BEFORE} - base", old - of_base) | _means(f"{AFTER} - base", new - of_base)
    found |= _means(f"{AFTER} - {BEFORE}", new - old)
    found |= {f"{when} {LAST}": last_turn(checks, knock) for when, knock in ((BEFORE, before), (AFTER, after))}
    return found | {"gain": (gain.value, gain.se, checks.hands)}


def _solved(courses: Courses, rules: Rules) -> Chart:
    return equilibrium(courses, None, Cells.of(KNOWS), rules, by_points())


def _means(when: str, values: np.ndarray) -> Kept:
    """Means over hands with their standard errors, by names."""
    hands = values.shape[1]
    means, errors = values.mean(axis=1), values.std(axis=1, ddof=1) / math.sqrt(hands)
    return {f"{when} {name}": (float(m), float(e), hands) for name, m, e in zip(FIGURES, means, errors, strict=True)}


def _reach(courses: Courses, knock: np.ndarray) -> np.ndarray:
    """The chance that its hand gets to each row."""
    found = np.empty(len(knock))

    def work(block: int, first: int, end: int) -> None:
        fill_reach(courses.starts, knock, first, end, found)

    in_blocks(courses.hands, work)
    return found
