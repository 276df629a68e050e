"""Solving the knock: for rules and a way to draw and discard, the chart that says when to knock, and what others give away.

The method. As long as draws and discards do not look at knocking, all that knocking can do to a hand is to end it. So each deal
is played once without knocks, to gin or to the end of the stock, and what each knock on the way would have brought is noted
(``ginsim.games.gin.courses``). When to knock is then a game of two on these courses, which is solved by counterfactual regret
minimisation over cells of what is known (``ginsim.solving``). Whatever is told of a chart is told on deals it was not made of.

Counted by games or by their margin, a hand means what the scores after it are worth: there is a chart for every two scores,
solved from the end of the game backwards (``ginsim.solving.scores``).

Its limits. Draws and discards are those of the strategy, whatever the chart says; the chart tells apart only what is asked for;
counted by points or boxes, a hand is judged by itself. An equilibrium is safe, it does not exploit: against a player whose
knocking is known another chart wins more (``against``).
"""

from __future__ import annotations

import json
import math
import os
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, shown
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.rules import Rules
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.estimates import Estimate, from_mean, interval_text
from ginsim.simulation.execute import Progress
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.solving.advices import ADVICES, advice
from ginsim.solving.cells import KNOWN, Cells
from ginsim.solving.chart import Chart
from ginsim.solving.game import Payoff, by_points
from ginsim.solving.payoffs import BY_GAME, check_scores
from ginsim.solving.remember import best_of_each, best_rules
from ginsim.solving.scores import SHOWN, ScoreCharts, check_size, score_charts
from ginsim.solving.solved import PER_CELL, Bench, best_reply, equilibrium, varying, with_ends
from ginsim.study.base import Player, Result, carried_out, register
from ginsim.study.kept import TALLIES, Manifest, Name
from ginsim.study.recording import (
    CourseExperiment,
    CourseWork,
    check_solvable,
    course_work,
    courses_of_parts,
    kept_courses,
    record,
)  # fmt: skip
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CRITERIA", "Solution", "SolveExperiment", "solve"]

CRITERIA: dict[str, tuple[str, str]] = {
    "points": ("points of the hand", "points"),
    "boxes": ("points of the hand and the box for winning it", "points"),
    "games": ("chance to win the game", "hundredths of a game"),
    "margin": ("margin of the game as it is settled", "points of the margin"),
}
"""What may count: in words, and its unit."""
BY_DEFAULT = ("deadwood", "unmatched")
MOST_CHECKS = 200_000
"""Deals on which charts are judged, at most; and of which charts are made that only tell what knowing something is worth."""
LEAST_DEALS = 100
NEEDED = ("value", "chart", "purified", "own", "chart - purified", "chart - own")
REPLIES = ("reply", "reply starter", "reply dealer", "reply own", "reply safe", "reply gain")
"""Figures that there always are, and those that there are with ``against``."""
SOLVED, CHECKED, REPLIED, REPLIES_CHECKED = "solve", "check", "reply", "reply-check"


def threads(workers: int | None) -> int:
    """Threads for solving."""
    if workers is not None:
        return int(workers)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, eq=False)
class Solution(Result):
    """When to knock, and what that is worth.

    Attributes
    ----------
    strategy, rules : str
        Whose draws and discards they are, and the rules.
    deals, checks : int
        Deals that the chart is made of, and others on which everything is judged.
    by : str
        What counts (``CRITERIA``).
    chart : Chart
        The equilibrium: two who knock by it have nothing to gain by knocking otherwise.
    figures : mapping of str to (float, float, int)
        Means per hand with their standard errors and numbers of deals; see `figure`.
    against : str
        A strategy whose knocking is given; empty if there is none.
    reply : Chart or None
        What does best against it.
    by_score : ScoreCharts or None
        By ``games`` and ``margin``: the charts for every two scores. ``chart`` is the one at 0 to 0, and so is all that is told
        of hands.
    at_scores : mapping of (int, int) to Chart
        Its charts at other scores, own and other's, with what their choices are worth there.
    """

    TABLE = "advices"

    strategy: str
    rules: str
    seed: int | tuple[int, ...]
    deals: int
    checks: int
    by: str
    chart: Chart
    figures: Mapping[str, tuple[float, float, int]]
    against: str = ""
    reply: Chart | None = None
    by_score: ScoreCharts | None = None
    at_scores: Mapping[tuple[int, int], Chart] = field(default_factory=dict)
    wall_seconds: float = field(default=math.nan, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and (_facts(self), _text(self)) == (_facts(other), _text(other))

    __hash__ = object.__hash__

    @property
    def hand_count(self) -> int:
        """Hands played."""
        return (self.deals + self.checks) * (3 if self.against else 1)

    @property
    def known(self) -> tuple[str, ...]:
        """What the chart tells apart, beside seat and turn."""
        return self.chart.cells.known

    @property
    def criterion(self) -> str:
        """What counts, in words."""
        return CRITERIA[self.by][0]

    @property
    def unit(self) -> str:
        """What figures of hands are counted in."""
        return CRITERIA[self.by][1]

    def figure(self, name: str) -> Estimate:
        """A figure with its interval, per hand.

        ``value``: what the hand is worth to the starter if both knock by the chart (to the dealer it is the opposite);
        ``chart``, ``purified``, ``own`` (the strategy as it knocks by itself), each of ``remembered`` and ``ADVICES``: what the
        best reply wins of who knocks so; ``chart - own``, ``chart - purified``, …: what the chart wins of it; ``worth of taken``,
        …: what a chart that also knows this wins of the chart by deadwood alone. With ``against``: ``reply``, ``reply
        starter``, ``reply dealer``, ``reply own``, ``reply gain``, ``reply safe`` (`ginsim.solving.solved.best_reply`). By games
        and margin, ``score``: the share of games won, or the margin of a game, of who knows the score against who does not.
        """
        if type(name) is not str or name not in self.figures:
            raise InputError(f"figure: there is no {shown(name)}; there are {', '.join(self.figures)}")
        return from_mean(*self.figures[name])

    @property
    def value(self) -> Estimate:
        """What the hand is worth to the starter; to the dealer it is the opposite."""
        return self.figure("value")

    @property
    def purified(self) -> Chart:
        """The chart that always knocks or never does: chances stand where the choice matters little, so they are rounded."""
        return self.chart.purified()

    @property
    def deals_per_cell(self) -> float:
        """Deals the chart is made of for each of its cells that came up."""
        return self.deals / max(self.chart.used, 1)

    @property
    def noise(self) -> str:
        """What is to be said if there are too few deals for so many cells."""
        if self.deals_per_cell >= PER_CELL:
            return ""
        return (
            f"The chart's {self.chart.used:,} cells share only {self.deals:,} deals, so part of it is chance: play "
            f"{PER_CELL * self.chart.used:,} deals, or let the chart see less."
        )

    @property
    def forgets(self) -> str:
        """What is to be said if the chart gives away more than chance explains, though it is made of enough deals."""
        lost = self.figure("chart")
        if self.noise or lost.low <= 0:
            return ""
        return (
            f"The chart itself still gives away {_in_words(lost, f'{self.unit} a hand')}, and more sweeps would not help. A "
            "chart does not remember how a hand came to a cell, so there may be no single chart that sees so little and is safe "
            "against all others. That would take several whole charts, one drawn before each hand, or a chart that sees more."
        )

    def summary(self) -> pd.DataFrame:
        """All figures: a row for each, with its interval."""
        import pandas as pd

        rows = [(name, e.value, e.low, e.high, e.se) for name, e in ((name, self.figure(name)) for name in self.figures)]
        return pd.DataFrame(rows, columns=["figure", "value", "low", "high", "se"])

    def advices(self) -> pd.DataFrame:
        """What ways of knocking give away: a row for each; exploitable: to the best reply; to_chart: to the chart.

        ``advice`` is the name of the figure, ``means`` what it is (`way`).
        """
        import pandas as pd

        rows = []
        for name in self.judged:
            e, c = self.figure(name), self.figure(f"chart - {name}") if name != "chart" else Estimate(0.0, 0.0, 0.0, 0.0)
            rows.append((name, self.way(name), e.value, e.low, e.high, c.value, c.low, c.high))
        names = ["advice", "means", *(f"{what}{end}" for what in ("exploitable", "to_chart") for end in ("", "_low", "_high"))]
        return pd.DataFrame(rows, columns=names)

    @property
    def judged(self) -> list[str]:
        """The ways of knocking of which it is told what they give away; of two that do the same the first."""
        found = {name: self.figures.get(f"chart - {name}") for name in self.figures}
        names = [name for name in found if name == "chart" or found[name]]
        first = {(self.figures[name], found[name]): name for name in reversed(names)}
        return [name for name in names if name in NEEDED or first[self.figures[name], found[name]] == name]

    def way(self, name: str) -> str:
        """A way of knocking that is judged, in words."""
        if name != "own":
            return {"chart": "the chart", "purified": "the chart without mixing"}.get(name, name)
        said = [other for other in ADVICES if self.figures.get(other) == self.figures["own"]]
        return f"as {self.strategy} knocks{f': {said[0]}' if said else ''}"

    @property
    def remembered(self) -> list[str]:
        """The rules that were found for a person to remember, the best first: by deadwood, by unmatched cards, by both."""
        return [name for name in self.judged if name not in {"chart", "purified", "own", *ADVICES}]

    def worth(self) -> pd.DataFrame:
        """What knowing something is worth beyond deadwood, to the chart: a row for each fact."""
        import pandas as pd

        found = [(name, self.figure(f"worth of {name}")) for name in KNOWN if f"worth of {name}" in self.figures]
        names = ["known", "worth", "worth_low", "worth_high"]
        return pd.DataFrame([(name, e.value, e.low, e.high) for name, e in found], columns=names)

    def scores(self) -> pd.DataFrame:
        """How play changes with the score (`ginsim.solving.scores.ScoreCharts.table`); empty where scores do not count."""
        import pandas as pd

        return pd.DataFrame() if self.by_score is None else self.by_score.table({(0, 0): self.chart, **self.at_scores})

    def at_scores_table(self) -> pd.DataFrame:
        """The charts at other scores than 0:0: a row for each score, own and other's, and cell (`Chart.table`)."""
        import pandas as pd

        tables = []
        for (own, other), chart in self.at_scores.items():
            tables.append(chart.table().assign(own=own, other=other))
        found = pd.concat(tables, ignore_index=True)
        return found[["own", "other", *[name for name in found if name not in ("own", "other")]]]

    def table(self) -> pd.DataFrame:
        """The chart, a row for each cell (`Chart.table`)."""
        return self.chart.table()

    def exploitability(
        self, strategy: str | Strategy | Chart, knows: str | Sequence[str] | None = None, workers: int | None = None
    ) -> Estimate:
        """What the best reply wins, per hand, of a strategy with the same draws and discards, or of a chart.

        Of the deals on which charts are judged each fourth tests a reply that was learnt on the other three, in both seats.
        Nothing is cut at 0: a reply that is fitted to chance, where there is nothing to win, loses.

        Parameters
        ----------
        strategy : str, Strategy or Chart
        knows : names of what the replying player tells apart, optional
            What the chart does by default.
        workers : int, optional
        """
        bench, knock = self._bench(strategy, knows, workers)
        return bench.exploitability(knock)

    def advantage(self, strategy: str | Strategy | Chart, workers: int | None = None) -> Estimate:
        """What the chart wins, per hand, of a strategy with the same draws and discards, or of another chart."""
        bench, knock = self._bench(strategy, None, workers)
        return bench.advantage(self.chart.chances(bench.courses), knock)

    def _bench(
        self, strategy: str | Strategy | Chart, knows: str | Sequence[str] | None, workers: int | None
    ) -> tuple[Bench, np.ndarray]:
        """The deals to judge on, and how the strategy knocks there."""
        rules = Rules.parse(self.rules)
        own = Strategy.parse(self.strategy, rules.GAME)
        player = own if isinstance(strategy, Chart) else Strategy.parse(strategy, rules.GAME)
        _check_same_style(own, player)
        seed = self.seed if isinstance(self.seed, int) else self.seed[0]
        courses = record(player, rules, seed, self.deals, self.checks, workers=workers)
        cells = self.chart.cells if knows is None else Cells.of(knows)
        bench = Bench(courses, rules, _payoff(self.by, rules, self.by_score), cells, threads(workers))
        return bench, strategy.chances(courses) if isinstance(strategy, Chart) else with_ends(courses)

    def __str__(self) -> str:
        return f"{self.verdict()}\n{self.chart}"

    def verdict(self) -> str:
        """What the chart is worth, in words."""
        known = " and ".join(KNOWN[name].meaning for name in self.known) or "nothing but seat and turn"
        own, a_hand = self.figure("own"), f"{self.unit} a hand"
        to_chart = f", and {_in_words(self.figure('chart - own'))} to the chart" if own.low > 0 else ""
        text = (
            f"Knocking by the chart gives away {_given_away(self.figure('chart'), a_hand)}. With its own knocking, "
            f"{self.strategy} gives away {_given_away(own, a_hand)}{to_chart}. If both knock by the chart, starting is worth "
            f"{_in_words(self.value, a_hand)}. The chart sees {known}; it is solved for the {self.criterion}"
            f"{' at 0 to 0' if self.by_score else ''}, under {self.rules}, with the draws and discards of {self.strategy}."
        )
        if self.by_score is not None:
            text += f" {self.of_scores()}"
        if self.reply is not None:
            text += (
                f" Against {self.against}, {self.strategy} scores {_in_words(self.figure('reply'), a_hand)} with the best "
                f"reply, {_in_words(self.figure('reply safe'))} with the safe chart and {_in_words(self.figure('reply own'))} "
                "with its own knocking."
            )
        return f"{text} {self.noise}".strip()

    def of_scores(self) -> str:
        """What it is worth to know the score, in words; empty where scores do not count."""
        if self.by_score is None:
            return ""
        e, blind = self.figure("score"), "who knocks by the chart for points"
        if self.by == "games":
            share, interval = f"{100 * e.value:.2f} %", interval_text(100 * e.low, 100 * e.high, ".2f")
            return f"A player who knows the score wins {share} ({interval}) of games against one {blind}."
        return f"A player who knows the score wins {_in_words(e, 'points a game')} from one {blind} and boxes."


def _payoff(by: str, rules: Rules, by_score: ScoreCharts | None) -> Payoff:
    """What a hand is worth; where scores count, at 0 to 0."""
    return by_points(rules.box_bonus if by == "boxes" else 0.0) if by_score is None else by_score.payoff(0, 0)


def _given_away(e: Estimate, unit: str) -> str:
    """What a way of knocking gives away, in words: nothing, unless the interval is above 0."""
    found = _in_words(e, unit)
    return f"{found} to the best reply found" if e.low > 0 else f"nothing measurable: the best reply found wins {found}"


def _in_words(e: Estimate, unit: str = "") -> str:
    return f"{e.value:z.3f}{f' {unit}' if unit else ''} ({interval_text(e.low, e.high, 'z.3f')})"


def _check_same_style(own: Strategy, other: Strategy) -> None:
    """Only the knock may differ."""
    at = own.repertoire.blocks["knock"]
    if own.player is not None or other.player is not None:
        same = own == other
    else:
        same = own.decisions[:2] == other.decisions[:2] and own.params[:at] == other.params[:at]
    if not same:
        raise InputError(
            f"strategy: {other} does not draw and discard as {own} does, so its hands take another course; give one that differs "
            "only in how it knocks"
        )


# --- the study -------------------------------------------------------------------------------------------------------------


class SolveExperiment(CourseExperiment):
    """When to knock with the draws and discards of ``strategy``."""

    kind: Literal["solve"] = "solve"
    strategy: Player = Field(description="spec of the strategy whose draws and discards are played")
    against: Player | None = Field(None, description="spec of a strategy: the best reply to the way it knocks is found too")
    by: Literal["points", "boxes", "games", "margin"] = Field(
        "points",
        description="what counts: points of the hand, points and the box for it, chance to win the game, or its settled margin",
    )
    scores: list[str] = Field(
        [], description='more scores at which charts are shown, own:other, such as ["90:50", "50:90"]; for games and margin'
    )
    knows: list[str] = Field(list(BY_DEFAULT), description=f"what the chart sees: some of {', '.join(KNOWN)}")
    deals: int = Field(200_000, ge=LEAST_DEALS, le=MOST_DEALS // 4, description="deals that the chart is made from")

    @field_validator("knows", "scores", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [name.strip() for name in value.split(",") if name.strip()] if isinstance(value, str) else value

    @field_validator("knows")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        try:
            return list(Cells.of(value).known)
        except InputError as error:
            raise InputError(str(error).removeprefix("knows: ")) from None

    @model_validator(mode="after")
    def _solvable(self) -> SolveExperiment:
        rules: Any = self.rules
        check_solvable(self.strategy, rules)
        if "limit" in self.knows and not rules.oklahoma:
            raise InputError(f"knows: limit is {rules.knock_limit} in every hand under {rules} and tells nothing; leave it out")
        if self.by == "boxes" and not rules.box_bonus:
            raise InputError(f"by: boxes count nothing under {rules}: box_bonus=0; give points")
        if self.by in BY_GAME:
            check_scores(rules)
            check_size(Cells.of(self.knows))
        elif self.scores:
            raise InputError(f"scores: they do not count when by is {self.by}; give by games or margin")
        self.shown_scores()
        return self

    def shown_scores(self) -> list[tuple[int, int]]:
        """The scores at which charts are shown besides 0:0: those that are given, or some."""
        rules: Any = self.rules
        if self.by not in BY_GAME:
            return []
        given = [_score(text, rules.target) for text in self.scores]
        found = given or [(a * rules.target // 100, b * rules.target // 100) for a, b in SHOWN]
        return [score for score in dict.fromkeys(found) if score != (0, 0)]

    def field(self) -> Sequence[Strategy]:
        return [self.strategy, *([self.against] if self.against else [])]

    def works(self) -> list[Work]:
        """The deals that are solved, then those on which the charts are judged; against another strategy the same again."""
        checks = min(self.deals, MOST_CHECKS)
        of = self.strategy, self.rules, self.seed
        works: list[Work] = [
            course_work(*of, 0, self.deals, key=SOLVED),
            course_work(*of, self.deals, checks, key=CHECKED),
        ]
        if self.against:
            works.append(course_work(*of, 0, self.deals, self.against, REPLIED))
            works.append(course_work(*of, self.deals, checks, self.against, REPLIES_CHECKED))
        return works

    def result(self, tallies: Tallies, **more: Any) -> Solution:
        folder, workers = more.pop("records"), threads(more.pop("workers", None))
        found = {work.key: kept_courses(folder, work) for work in self.own_works() if isinstance(work, CourseWork)}
        return _solved(self, self.seed, found, workers, **more)


def _solved(
    of: SolveExperiment, seed: int | tuple[int, ...], found: Mapping[str, Courses], workers: int, **more: Any
) -> Solution:
    """Solve the knock on the courses of the works of a study, by their keys."""
    rules: Any = of.rules
    courses, checks, cells = found[SOLVED], found[CHECKED], Cells.of(of.knows)
    by_score = score_charts(courses, rules, of.by, cells, workers).kept() if of.by in BY_GAME else None
    payoff = _payoff(of.by, rules, by_score)
    if by_score is None:
        chart = equilibrium(courses, checks, cells, rules, payoff, workers)
    else:
        chart, *others = (by_score.judged(*score, checks, workers).kept() for score in [(0, 0), *of.shown_scores()])
        more |= {"by_score": by_score, "at_scores": dict(zip(of.shown_scores(), others, strict=True))}
    figures, reply = _figures(courses, Bench(checks, rules, payoff, cells), chart, workers), None
    if by_score is not None:
        figures["score"] = by_score.forecast(checks, workers=workers).start
    if of.against:
        reply, replies = best_reply(found[REPLIED], found[REPLIES_CHECKED], cells, rules, payoff, workers, safe=chart)
        figures |= replies
    kept = {name: (e.value, e.se, int(e.freedom) + 1) for name, e in figures.items()}
    names = str(of.strategy), str(rules), seed, courses.deals, checks.deals, of.by
    return Solution(*names, chart, kept, str(of.against or ""), reply, **more)


def _score(text: str, target: int) -> tuple[int, int]:
    """A score from its text."""
    found = re.fullmatch(r"\s*([0-9]{1,5})\s*:\s*([0-9]{1,5})\s*", text)
    if not found or max(int(part) for part in found.groups()) >= target:
        raise InputError(f"scores: {shown(text)} is not a score; give own:other, each from 0 to {target - 1}")
    return int(found[1]), int(found[2])


def _figures(courses: Courses, bench: Bench, chart: Chart, workers: int) -> dict[str, Estimate]:
    """What is told of a chart and of other ways of knocking; each figure in one thread."""
    checks = bench.courses
    by_chart = chart.chances(checks)
    ways = {"chart": by_chart, "purified": chart.purified().chances(checks), "own": with_ends(checks)}
    rules = best_rules(courses, bench.rules, bench.payoff, chart.chances(courses), workers=workers)
    ways |= {rule.sentence: rule.chart.chances(checks) for rule in best_of_each(rules).values()}
    ways |= {name: advice(name).chances(checks) for name in ADVICES}
    tasks: dict[str, Callable[[], Estimate]] = {"value": lambda: bench.value(by_chart)}
    alike = {name: next(other for other in ways if np.array_equal(ways[other], knock)) for name, knock in ways.items()}
    for name, knock in ways.items():
        if alike[name] == name:
            tasks[name] = partial(bench.exploitability, knock)
        if name != "chart":
            tasks[f"chart - {name}"] = partial(bench.advantage, by_chart, knock)
    part = courses.part(0, min(courses.deals, MOST_CHECKS))
    known = [name for name in varying(checks) if name != "deadwood"]
    with ThreadPoolExecutor(workers) as pool:
        knowing = [("deadwood",), *(("deadwood", name) for name in known)]
        charts = pool.map(lambda names: bench.solved(part, Cells.of(names)).chances(checks), knowing)
        figures = dict(zip(tasks, pool.map(lambda task: task(), tasks.values()), strict=True))
        figures = {"value": figures["value"]} | {name: figures[alike[name]] for name in ways} | figures
        by_deadwood, *others = charts
        worth = pool.map(lambda knock: bench.advantage(knock, by_deadwood), others)
        return figures | {f"worth of {name}": found for name, found in zip(known, worth, strict=True)}


def solve(
    strategy: str | Strategy,
    rules: str | RulesModel = "classic25",
    *,
    against: str | Strategy | None = None,
    by: str = "points",
    knows: str | Sequence[str] = BY_DEFAULT,
    scores: str | Sequence[str] = (),
    deals: int = 200_000,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Solution:
    """Solve the knock: the chart that leaves two players who draw and discard as ``strategy`` does nothing to gain.

    Parameters
    ----------
    strategy : str or Strategy
        Its draws and discards are played; its own knocking is only compared.
    rules : str or Rules
    against : str or Strategy, optional
        A strategy whose knocking is fixed: the best reply to it is found as well.
    by : {'points', 'boxes', 'games', 'margin'}
        What counts: the points of the hand, these and the box for winning it, the chance to win the game, or the margin of the
        game as it is settled. By the last two there is a chart for every two scores (``result.by_score``).
    knows : names of what the chart tells apart, beside seat and own turn
        Some of ``deadwood``, ``unmatched`` (own unmatched cards), ``taken`` (upcards that the opponent took), ``last`` (points of
        the opponent's last discard), ``limit`` (the knock limit in force), ``stock`` (cards left).
    scores : str or list of str, optional
        Scores at which charts are shown besides 0:0, such as ``"90:50"``: own and other's; by games and margin.
    deals : int
        Deals that the chart is made from; as many others, up to 200,000, judge it.
    seed, workers, progress
        As in `ginsim.compare`.

    Examples
    --------
    >>> result = solve("threshold", deals=200)
    >>> result.chart.knock.shape
    (2, 20, 16, 3)
    """
    settings = {"strategy": strategy, "rules": rules, "against": against, "by": by, "knows": knows, "scores": scores}
    of = built("solve", **settings, deals=deals, seed=seed)
    result: Solution = carried_out(of, workers, progress)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


class SolveManifest(Manifest):
    """What a `Solution` is rebuilt from."""

    strategies: list[Name] = Field(min_length=1, max_length=2)
    deals: int = Field(ge=1, le=MOST_DEALS)
    checks: int = Field(ge=2, le=MOST_DEALS)
    by: str
    knows: list[str]
    scores: list[str] = Field([])


class KeptKnock(BaseModel):
    """A chart that was not judged (`Chart.facts`)."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    known: list[str]
    hands: int = Field(ge=0, le=1 << 62)
    cell: list[int]
    knock: list[float]


class KeptChart(KeptKnock):
    """A chart and what its cells are worth."""

    reached: list[float]
    reached_sq: list[float]
    gain: list[float]
    gain_reached: list[float]
    gain_sq: list[float]


class KeptScores(BaseModel):
    """The charts for every two scores (`ScoreCharts.facts`)."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    known: list[str]
    scores: list[int]
    cell: list[int]
    knock: list[float]
    rules: str
    by: str
    blind: KeptKnock
    hands: list[float]
    worth: list[float]


class SolveSums(BaseModel):
    """What is kept of a `Solution`: charts, and figures as mean, standard error and number of deals."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    chart: KeptChart
    reply: KeptChart | None = None
    by_score: KeptScores | None = None
    at_scores: dict[str, KeptChart] = {}
    figures: dict[str, Annotated[list[float | int], Field(min_length=3, max_length=3)]]


def _text(result: Solution) -> str:
    """Charts and figures as the text of ``tallies.json``."""
    charts = {name: chart.facts() for name, chart in (("chart", result.chart), ("reply", result.reply)) if chart is not None}
    parts = [f' "{name}": {json.dumps(facts)}' for name, facts in charts.items()]
    if result.by_score is not None:
        parts.append(f' "by_score": {json.dumps(result.by_score.facts())}')
        at_scores = [f'  "{own}:{other}": {json.dumps(chart.facts())}' for (own, other), chart in result.at_scores.items()]
        parts.append(' "at_scores": {\n' + ",\n".join(at_scores) + "\n }")
    parts.append(' "figures": ' + json.dumps({name: list(own) for name, own in result.figures.items()}))
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _rebuilt(folder: Path, manifest: SolveManifest, sums: SolveSums, **more: Any) -> Solution:
    path = folder / TALLIES
    against = manifest.strategies[1] if len(manifest.strategies) > 1 else ""
    wanted = {*NEEDED, *(REPLIES if against else ()), *(["score"] if manifest.by in BY_GAME else [])}
    if (sums.by_score is None) == (manifest.by in BY_GAME) or list(sums.at_scores) != manifest.scores:
        raise InputError(f"results: {path}: its charts by the score are not those of the study")
    if manifest.by not in CRITERIA or (sums.reply is None) == bool(against) or not wanted <= set(sums.figures):
        raise InputError(f"results: {path}: these are not the charts and figures of a solved knock")
    if any(se < 0 or type(count) is not int or not 2 <= count < 1 << 53 for _, se, count in sums.figures.values()):
        raise InputError(f"results: {path}: a figure is impossible")
    try:
        chart, reply = (None if own is None else Chart.of_facts(own.model_dump()) for own in (sums.chart, sums.reply))
        by_score = None if sums.by_score is None else ScoreCharts.of_facts(sums.by_score.model_dump())
        at_scores = {
            _score(text, by_score.rules.target): Chart.of_facts(own.model_dump())
            for text, own in sums.at_scores.items()
            if by_score is not None
        }
    except InputError as error:
        raise InputError(f"results: {path}: {error}") from None
    figures = {name: (float(value), float(se), int(count)) for name, (value, se, count) in sums.figures.items()}
    of = manifest.strategies[0], str(manifest.played), manifest.seeds, manifest.deals, manifest.checks, manifest.by
    assert chart is not None
    return Solution(*of, chart, figures, against, reply, by_score, at_scores, **more)


def _joined(folders: Sequence[tuple[Path, Sequence[Any]]], manifest: SolveManifest, **more: Any) -> Solution:
    """The knock solved on the deals of several results: courses that were not kept are recorded again."""
    settings: dict[str, Any] = {
        "kind": "solve", "strategy": manifest.strategies[0],
        "against": manifest.strategies[1] if len(manifest.strategies) > 1 else None,
        "rules": str(manifest.played), "by": manifest.by, "knows": manifest.knows,
        "scores": manifest.scores,
    }  # fmt: skip
    found = {key: read() for key, read in courses_of_parts(settings, folders).items()}
    return _solved(built(**settings), manifest.seeds, found, threads(None), **more)


def _facts(result: Solution) -> dict[str, Any]:
    scores = [f"{own}:{other}" for own, other in result.at_scores]
    return {"checks": result.checks, "by": result.by, "knows": list(result.known), "scores": scores}


register(
    "solve", experiment=SolveExperiment, result=Solution, text=_text, manifest=SolveManifest, sums=SolveSums,
    build=_rebuilt, facts=_facts, against_itself=True, join=_joined,
)  # fmt: skip
