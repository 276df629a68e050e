"""From courses to charts: solved on some deals, judged on others."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from ginsim.games.gin.courses import Courses, joined
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import Estimate
from ginsim.solving import judge
from ginsim.solving.cells import KNOWN, Cells
from ginsim.solving.cfr import SWEEPS, solve
from ginsim.solving.chart import Chart, with_worth
from ginsim.solving.game import KnockGame, Payoff, pairing, values
from ginsim.solving.respond import respond

__all__ = ["PER_CELL", "Bench", "best_reply", "equilibrium", "varying"]

FOLDS = 4
"""Parts of the deals, each of which judges a reply that was learnt on the others."""
PER_CELL = 200
"""Deals for each cell from which on a chart is hardly fitted to noise."""


@dataclass(frozen=True)
class Bench:
    """Courses of a strategy in both seats on which ways of knocking are judged, none of them made of these deals.

    Attributes
    ----------
    courses : Courses
    rules : Rules
    payoff : Payoff
        What counts.
    cells : Cells
        What the best reply knows.
    workers : int
        Threads.
    """

    courses: Courses
    rules: Rules
    payoff: Payoff
    cells: Cells
    workers: int = 1

    @property
    def game(self) -> KnockGame:
        """The game that the courses are."""
        return KnockGame.of(self.courses, self.cells, self.rules, self.payoff)

    def solved(self, courses: Courses, cells: Cells) -> Chart:
        """The equilibrium of other courses, to those who know what ``cells`` tells apart."""
        return equilibrium(courses, None, cells, self.rules, self.payoff, self.workers)

    def value(self, knock: np.ndarray) -> Estimate:
        """What a hand is worth to the starter if both knock so (the chance of each row)."""
        return judge.value(self.game, knock, self.workers)

    def advantage(self, own: np.ndarray, theirs: np.ndarray) -> Estimate:
        """What one way of knocking wins of another, per hand, each having either seat as often."""
        return judge.advantage(self.game, own, theirs, self.workers)

    def exploitability(self, knock: np.ndarray) -> Estimate:
        """What the best reply wins of a way of knocking, per hand, in either seat as often.

        The reply to it in each fourth of the deals is learnt on the other three: so chance can make the figure come out below 0
        where there is nothing to win.
        """
        ends = [self.courses.deals * k // FOLDS for k in range(FOLDS + 1)]
        parts = [self.courses.part(first, end - first) for first, end in itertools.pairwise(ends)]
        knocks = np.split(knock, np.cumsum([len(part.rows) for part in parts])[:-1])
        gains = []
        for k, part in enumerate(parts):
            others = [i for i in range(FOLDS) if i != k]
            train = KnockGame.of(joined([parts[i] for i in others]), self.cells, self.rules, self.payoff)
            test = KnockGame.of(part, self.cells, self.rules, self.payoff)
            gains.append(judge.reply_gain(train, np.concatenate([knocks[i] for i in others]), test, knocks[k], self.workers))
        return judge.mean(np.concatenate(gains))


def equilibrium(
    courses: Courses, checks: Courses | None, cells: Cells, rules: Rules, payoff: Payoff, workers: int = 1, sweeps: int = SWEEPS
) -> Chart:
    """The chart with which two equal players have nothing to gain by knocking otherwise.

    Parameters
    ----------
    courses : Courses
        Of the deals it is solved on, one strategy having both seats.
    checks : Courses or None
        Of other deals, on which its cells are judged.
    cells, rules, payoff : Cells, Rules, Payoff
        What is known, the bonuses, and what counts.
    workers, sweeps : int
    """
    game = KnockGame.of(courses, cells, rules, payoff)
    chart = Chart(cells, np.round(solve(game, sweeps, workers=workers), 4).reshape(cells.shape))
    if checks is None:
        return chart
    return with_worth(chart, KnockGame.of(checks, cells, rules, payoff), workers=workers).kept()


def best_reply(
    courses: Courses, checks: Courses, cells: Cells, rules: Rules, payoff: Payoff, workers: int = 1, *, safe: Chart
) -> tuple[Chart, dict[str, Estimate]]:
    """The chart of the first of two strategies that does best against the other's own knocking, and what hands are worth.

    Parameters
    ----------
    courses, checks : Courses
        In both seatings; the other strategy was asked to knock.
    cells, rules, payoff, workers
        As in `equilibrium`.
    safe : Chart
        The first strategy's equilibrium, to compare with.

    Returns
    -------
    Chart
    dict of str to Estimate
        What a hand of ``checks`` is worth to the first strategy: ``reply``, ``reply starter`` and ``reply dealer`` if it knocks
        by the chart, ``reply own`` as it knocks by itself, ``reply safe`` by the equilibrium; and ``reply gain``, what the reply
        brings above its own knocking.
    """
    game = KnockGame.of(courses, cells, rules, payoff)
    knocked = courses.rows["knocked"].astype(np.float32)
    chart = Chart(cells, respond(game, knocked, 0, workers).reshape(cells.shape))
    judged = KnockGame.of(checks, cells, rules, payoff)
    theirs = with_ends(checks)
    chart = with_worth(chart, judged, theirs, 0, workers).kept()
    found = values(judged, pairing(judged, 0, chart.chances(checks), theirs), workers)
    own = values(judged, theirs, workers)
    return chart, {
        "reply": judge.mean(judged.by_deal(found)),
        "reply starter": judge.mean(found[0::2]),
        "reply dealer": judge.mean(found[1::2]),
        "reply own": judge.mean(judged.by_deal(own)),
        "reply safe": judge.mean(judged.by_deal(values(judged, pairing(judged, 0, safe.chances(checks), theirs), workers))),
        "reply gain": judge.mean(judged.by_deal(found - own)),
    }


def with_ends(courses: Courses) -> np.ndarray:
    """The chance that each row knocks if the strategies knock as they did when they were asked, float32[rows]."""
    found: np.ndarray = np.maximum(courses.rows["knocked"], courses.rows["final"]).astype(np.float32)
    return found


def varying(courses: Courses) -> list[str]:
    """What may be known and is not the same throughout."""
    return [name for name, fact in KNOWN.items() if len(np.unique(fact.of(courses.rows[fact.column][:100_000]))) > 1]
