"""Knocking by the score: a chart for every two scores, solved from the end of the game backwards.

The method. With both scores and who starts, the game is a game of hands, whose results mean what the scores after them are worth:
the chance to win the game, or the margin to come. From the highest scores down, the knock is solved at each with these payoffs
(``ginsim.solving.cfr``), and the score gets its value from how hands end with the chart found. Charts are made for classes of
scores (``known.SCORES``), narrow near the end; values for every single score. Within a class a chart is made for the mean of what
results mean at its scores, weighed by how often games get there; where that is another score of the same class, its value is the
one with the score-blind chart. After a hand that nobody wins the game is where it was: the value is divided by the chance that
somebody wins.

Values are worked out on the deals that the charts are made of; what the charts win of others is forecast on other deals.

Assumptions. Draws and discards look neither at the knock nor at the score. The same deals serve at all scores. Both players know
the scores, and both knock by the charts. Where a shutout doubles boxes, their number is not known, only the scores.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, check_count, suggest
from ginsim.files import path_of, write_whole
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.players.chartfiles import MOST_BY_SCORE, chances_of
from ginsim.games.gin.players.known import SCORES
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import Estimate, from_mean
from ginsim.solving.backward import backwards, meaning, result_codes, results, starters, visited, work_back
from ginsim.solving.cells import SEATS, Cells
from ginsim.solving.cfr import SWEEPS, Learnt, learn
from ginsim.solving.chart import Chart, with_worth
from ginsim.solving.game import KnockGame, Payoff, by_points
from ginsim.solving.payoffs import BY_GAME, Stakes, level_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CLASSES", "SHOWN", "Forecast", "ScoreCharts", "check_size", "class_of_score", "forecast", "score_charts"]

CLASSES = len(SCORES) + 1
"""Classes of scores that charts tell apart."""
NEAR_SWEEPS, KEEP, A_SWEEP = 20, 0.3, 100_000
"""Sweeps from the solution of a score nearby, how much its regrets count, and the hands of each sweep, about."""
FEW, EARLY = 0.25, 3
"""Share of the hands that could knock below which play is for gin; own turn at which it is told what is knocked with early."""
SHOWN = ((50, 0), (0, 50), (50, 50), (90, 50), (50, 90), (90, 75), (75, 90), (90, 90), (96, 96))
"""Scores that are shown beside the first, in hundredths of the target."""
TRACE = 1e-9
"""What a score counts besides: there may be some that games never get to."""
PARTS = 20
"""Parts of the deals that are left out one after the other for the intervals of a forecast (a jackknife)."""


def class_of_score(score: int | np.ndarray, target: int) -> np.ndarray:
    """The class of scores in a game to ``target``."""
    found: np.ndarray = np.searchsorted(SCORES, -(-100 * np.asarray(score) // target), side="right")
    return found


def _classes(target: int) -> np.ndarray:
    """The class of each level."""
    return class_of_score(np.maximum(np.arange(target + 1) - 1, 0), target)


def _numbers(target: int) -> np.ndarray:
    """The number, at every i, j, s, of the pair of classes and the starter: int64[levels, levels, 2]."""
    own, theirs = np.meshgrid(_classes(target), _classes(target), indexing="ij")
    found: np.ndarray = (CLASSES * own + theirs)[:, :, None] * 2 + np.arange(2)
    return found


@dataclass(frozen=True, eq=False)
class ScoreCharts:
    """When to knock at every score.

    Attributes
    ----------
    rules : Rules
    by : {'games', 'margin'}
        What counts.
    cells : Cells
        What each chart tells apart.
    knock : float64[CLASSES, CLASSES, cells.shape]
        Chance to knock in each cell, by the classes of the own score and of the other's.
    blind : Chart
        The chart that looks at no score: by points of the hand, or, for ``margin``, points and box.
    hands : float64[results]
        Chance of each result of a hand (`ginsim.solving.backward`) if both knock by the blind chart.
    worth : float64[levels, levels, 2]
        What scores are worth if both knock by these charts: by the own level, the other's, and whether one starts (0) or deals.
        For ``games`` hundredths of a game above a half.
    """

    rules: Rules
    by: str
    cells: Cells
    knock: np.ndarray
    blind: Chart
    hands: np.ndarray
    worth: np.ndarray

    @property
    def stakes(self) -> Stakes:
        """What hands and the end of the game bring."""
        return Stakes.of(self.rules, self.by, self.hands)

    @property
    def values(self) -> np.ndarray:
        """What scores are worth: float64[target, target, 2] by own points, the other's, starting (0) or not.

        The chance to win the game, or the margin to come.
        """
        return _told(self.worth, self.by)

    def at(self, own: int, other: int) -> Chart:
        """The chart of a player with ``own`` points against ``other``."""
        a, b = self._score(own, other)
        return Chart(self.cells, self.knock[tuple(class_of_score(np.array([a, b]), self.rules.target))])

    def judged(self, own: int, other: int, courses: Courses, workers: int = 1) -> Chart:
        """The chart `at` a score with what its choices are worth there, in courses that it was not made of."""
        chart, theirs = self.at(own, other), self.at(other, own).chances(courses)
        seats = []
        for seat, of in enumerate([(own, other), (other, own)]):
            game = KnockGame.of(courses, self.cells, self.rules, self.payoff(*of))
            seats.append(with_worth(chart, game, theirs, seat, workers))
        sums = {name: np.stack([seats[0].sums[name][0], seats[1].sums[name][1]]) for name in seats[0].sums}
        return replace(seats[0], sums=sums)

    def payoff(self, own: int, other: int) -> Payoff:
        """What hands mean to side 0 if who starts has ``own`` points, and the dealer ``other``."""
        a, b = self._score(own, other)
        means = meaning(np.array([[level_of(a), level_of(b)]]), np.ones(1), self.stakes, self.worth)

        def payoff(winner: np.ndarray, points: np.ndarray, courses: Courses) -> np.ndarray:
            to_starter = means[result_codes(courses, self.rules)]
            return np.asarray(np.where(starters(courses) == 0, to_starter, -to_starter))

        return payoff

    def table(self, charts: Mapping[tuple[int, int], Chart]) -> pd.DataFrame:
        """How play changes with the score: a row for each of these scores, own and other's, and seat.

        value: the chance to win the game, or the margin to come; gin_from: the own turn from which on fewer than ``FEW`` of the
        hands that could knock do; least: the least deadwood that mostly knocks on own turn ``EARLY``.

        Parameters
        ----------
        charts : mapping of (int, int) to Chart
            Those of the scores, `judged`.
        """
        import pandas as pd

        rows = []
        for (own, other), chart in charts.items():
            value, last, least = self.values[own, other], gin_from(chart), least_knocked(chart)
            rows += [(own, other, name, value[seat], last[seat], least[seat]) for seat, name in enumerate(SEATS)]
        return pd.DataFrame(rows, columns=["own", "other", "seat", "value", "gin_from", "least"])

    def forecast(self, courses: Courses, against: Chart | ScoreCharts | None = None, workers: int = 1) -> Forecast:
        """What these charts win of another way of knocking (of the blind chart, unless one is given) in other deals."""
        return forecast(self, against or self.blind, courses, self.rules, self.by, workers)

    def facts(self) -> dict[str, Any]:
        """What JSON keeps; strategies play by it (``stop=chart``)."""
        kept = np.flatnonzero(self.knock.ravel() > 0)
        found: dict[str, Any] = {"known": list(self.cells.known), "scores": list(SCORES), "cell": kept.tolist()}
        found["knock"] = np.round(self.knock.ravel()[kept], 3).tolist()
        numbers = {"hands": self.hands, "worth": self.worth[:, :, 0].ravel()}
        rounded = {name: [float(f"{x:.7g}") for x in values] for name, values in numbers.items()}
        return found | {"rules": str(self.rules), "by": self.by, "blind": self.blind.facts()} | rounded

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> ScoreCharts:
        """The charts that were kept.

        Raises
        ------
        InputError
            If these are none.
        """
        known, knock = chances_of(facts, "of the file")
        try:
            rules, blind, cells = Rules.parse(facts["rules"]), Chart.of_facts(facts["blind"]), Cells.of(known)
            hands, worth = np.array(facts["hands"], float), np.array(facts["worth"], float)
            levels = rules.target + 1
            starting = worth.reshape(levels, levels)
            right = facts["by"] in BY_GAME and hands.shape == (3 + 2 * rules.most_points,) and np.isfinite(worth).all()
            knock = knock.reshape(CLASSES, CLASSES, *cells.shape)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"chart of the file: these are no charts by the score: {error}") from None
        if not right:
            raise InputError("chart of the file: these are no charts by the score")
        return cls(rules, facts["by"], cells, knock, blind, hands, np.stack([starting, -starting.T], 2))

    def kept(self) -> ScoreCharts:
        """The charts as they come back when they were kept: rounded."""
        return ScoreCharts.of_facts(self.facts())

    def text(self) -> str:
        """The text of a file, which `of_text` reads and strategies play by."""
        return json.dumps(self.facts()) + "\n"

    def save(self, path: str | Path) -> Path:
        """Write the charts to a file, for strategies that play by them: ``custom(stop=chart, chart="my/charts.json")``."""
        return write_whole(path_of("path", path), self.text())

    @classmethod
    def of_text(cls, text: str) -> ScoreCharts:
        """The charts of a file's text."""
        return cls.of_facts(json.loads(text))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScoreCharts) and self.facts() == other.facts()

    __hash__ = object.__hash__

    def _score(self, own: int, other: int) -> tuple[int, int]:
        most = self.rules.target - 1
        return check_count("own", own, 0, most), check_count("other", other, 0, most)


def gin_from(chart: Chart) -> list[int]:
    """The own turns, of both seats, from which on fewer than ``FEW`` of the hands that could knock do, by a judged chart."""
    turns = chart.onto("")
    knocks = np.where(turns.told, turns.knock, 0.0) >= FEW
    return [int(np.flatnonzero(own).max(initial=-1)) + 2 for own in knocks]


def least_knocked(chart: Chart) -> list[float]:
    """The least deadwood that mostly knocks on own turn ``EARLY``, of both seats, by a judged chart; nan for none."""
    if "deadwood" not in chart.cells.known:
        return [math.nan, math.nan]
    hands = chart.onto("deadwood")
    knocks = (hands.told & (hands.knock > 0.5))[:, EARLY - 1]
    return [float(np.flatnonzero(own)[0]) if own.any() else math.nan for own in knocks]


def score_charts(
    courses: Courses,
    rules: Rules,
    by: str = "games",
    cells: Cells | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    sweeps: int = NEAR_SWEEPS,
) -> ScoreCharts:
    """Solve the knock at every score of a game.

    Parameters
    ----------
    courses : Courses
        Of one strategy in both seats.
    rules : Rules
        For the bonuses, the target, who starts the next hand and, by margin, how a game is settled.
    by : {'games', 'margin'}
        What counts: the chance to win the game, or the margin of the game as it is settled.
    cells : Cells, optional
        What the charts tell apart: own deadwood and unmatched cards, unless it is given.
    workers : int
        Threads; the charts do not depend on them.
    progress : function, optional
        Called with the charts done and all there are.
    sweeps : int
        Of learning at each score, from what was learnt at one nearby.

    Raises
    ------
    InputError
        For another criterion, a Hollywood match, games to very many points, two strategies, or too few deals.
    """
    if by not in BY_GAME:
        raise InputError(f"by: there is no {by!r}; {suggest(by, BY_GAME)}")
    if courses.plays != 1:
        raise InputError("courses: scores are solved for one strategy in both seats")
    cells = cells or Cells.of("deadwood, unmatched")
    check_size(cells)
    return _Pass(courses, rules, by, cells, workers, sweeps).run(progress)


def check_size(cells: Cells) -> None:
    """Refuse charts that tell too much apart to be made for every two scores."""
    if cells.size > (most := MOST_BY_SCORE // CLASSES**2):
        raise InputError(f"knows: {', '.join(cells.known)} make {cells.size:,} cells; by the score at most {most:,} are allowed")


class _Pass:
    """One pass over all pairs of classes of scores, from the end of the game backwards."""

    def __init__(self, courses: Courses, rules: Rules, by: str, cells: Cells, workers: int, sweeps: int) -> None:
        self.rules, self.by, self.cells, self.workers, self.sweeps = rules, by, cells, workers, sweeps
        self.game = KnockGame.of(courses, cells, rules, by_points(rules.box_bonus if by == "margin" else 0.0))
        self.codes, self.kinds = result_codes(courses, rules), rules.most_points + 1
        self.start = learn(replace(self.game, payoff=_even(self.game.payoff)), SWEEPS, workers=workers)
        self.blind = np.round(self.start.mean, 3)
        self.hands = self._results(self.blind)
        self.stakes = Stakes.of(rules, by, self.hands)
        self.of = _numbers(rules.target)
        self.chances = np.tile(self.hands, (2 * CLASSES**2, 1))
        self.worth = np.zeros(self.of.shape)
        self.visits = visited(self.of, self.chances, self.stakes)[:, :, 0]
        self.levels = [np.flatnonzero(_classes(rules.target) == k) for k in range(CLASSES)]
        self.knock = np.tile(self.blind, (CLASSES, CLASSES, 1))
        self.learnt = dict[tuple[int, int], Learnt]()

    def run(self, progress: Callable[[int, int], None] | None) -> ScoreCharts:
        """Solve the classes whose numbers have the same sum at once, for they do not lead to each other."""
        used = [k for k in range(CLASSES) if len(self.levels[k])]
        pairs = [(a, b) for a in used for b in used]
        done = 0
        with ThreadPoolExecutor(self.workers) as pool:
            for total in range(2 * CLASSES - 2, -1, -1):
                wave = [pair for pair in pairs if sum(pair) == total]
                self._value(wave)
                for pair, (learnt, found) in zip(wave, pool.map(self._solve, wave), strict=True):
                    self._enter(pair, learnt, found)
                self._value(wave)
                done += len(wave)
                if progress and wave:
                    progress(done, len(pairs))
        shape = self.cells.shape
        knock, blind = self.knock.reshape(CLASSES, CLASSES, *shape), Chart(self.cells, self.blind.reshape(shape))
        return ScoreCharts(self.rules, self.by, self.cells, knock, blind, self.hands, self.worth)

    def _value(self, wave: list[tuple[int, int]]) -> None:
        """Work out what the scores of these classes are worth, from how hands end there."""
        for a, b in wave:
            if a <= b:
                places = backwards(self.levels[a], self.levels[b])
                work_back(places, self.of, self.chances, self.stakes, self.worth)

    def _solve(self, pair: tuple[int, int]) -> tuple[Learnt, np.ndarray]:
        """What the starter (the first class) and the dealer should do, and how hands end then."""
        a, b = (grid.ravel() for grid in np.meshgrid(*(self.levels[k] for k in pair), indexing="ij"))
        means = meaning(np.stack([a, b], 1), self.visits[a, b] + TRACE, self.stakes, self.worth)
        game = replace(self.game, payoff=_even(means[self.codes]))
        near = self._near(pair)
        parts = min(max(game.hands // A_SWEEP, 1), self.sweeps)
        learnt = learn(game, self.sweeps if near else SWEEPS, start=near or self.start, keep=KEEP, parts=parts if near else 1)
        learnt = learnt._replace(mean=np.round(learnt.mean, 3))
        return learnt, self._results(learnt.mean)

    def _near(self, pair: tuple[int, int]) -> Learnt | None:
        """What was learnt at the score a step further, of the player who is behind if there is one."""
        a, b = pair
        steps = [(a + 1, b), (a, b + 1)]
        return next((self.learnt[step] for step in (steps if a <= b else steps[::-1]) if step in self.learnt), None)

    def _enter(self, pair: tuple[int, int], learnt: Learnt, found: np.ndarray) -> None:
        (a, b), half = pair, self.cells.size // 2
        self.learnt[pair] = learnt
        self.knock[a, b, :half], self.knock[b, a, half:] = learnt.mean[:half], learnt.mean[half:]
        self.chances[2 * (CLASSES * a + b)] = self.chances[2 * (CLASSES * b + a) + 1] = found

    def _results(self, knock: np.ndarray) -> np.ndarray:
        found: np.ndarray = results(self.game, self.codes, knock, self.kinds)[0]
        return found


def _even(payoff: np.ndarray) -> np.ndarray:
    """Payoffs moved and scaled to mean 0 and deviation 1, float32: the choices stay the same, and regrets of one size."""
    found: np.ndarray = ((payoff - payoff.mean(dtype=float)) / (payoff.std(dtype=float) or 1.0)).astype(np.float32)
    return found


@dataclass(frozen=True, eq=False)
class Forecast:
    """What one way of knocking wins of another in games.

    Attributes
    ----------
    by : {'games', 'margin'}
    worth, mirror : float64[levels, levels, 2]
        What scores are worth to the one against the other, and if both knock as the other does, as in `ScoreCharts`.
    start : Estimate
        What a game is worth, either starting as often: the share of games won, or the margin.
    """

    by: str
    worth: np.ndarray
    mirror: np.ndarray
    start: Estimate

    @property
    def values(self) -> np.ndarray:
        """The chance to win, or the margin to come: float64[target, target, 2], as `ScoreCharts.values`."""
        return _told(self.worth, self.by)

    @property
    def gain(self) -> np.ndarray:
        """What it is worth to knock so from each score on instead of as the other does: float64[target, target, 2]."""
        return np.asarray(self.values - _told(self.mirror, self.by))


def forecast(
    own: Chart | ScoreCharts, theirs: Chart | ScoreCharts, courses: Courses, rules: Rules, by: str = "games", workers: int = 1
) -> Forecast:
    """What one way of knocking wins of another in games, worked out from hands.

    Parameters
    ----------
    own, theirs : Chart or ScoreCharts
    courses : Courses
        Of deals that neither is made of; the interval tells how much these are a matter of chance.
    rules, by, workers
        As in `score_charts`.
    """
    cells = Cells.of(sorted({*own.cells.known, *theirs.cells.known}))
    game = KnockGame.of(courses, cells, rules, by_points())
    codes, kinds = result_codes(courses, rules), rules.most_points + 1
    mine, other = _spread(own, cells), _spread(theirs, cells)
    of = _numbers(rules.target)

    def found(number: int, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        a, b = divmod(number // 2, CLASSES)
        seats = (first[a, b], second[b, a]) if number % 2 == 0 else (second[b, a], first[a, b])
        knock = np.concatenate([seats[0][: cells.size // 2], seats[1][cells.size // 2 :]])
        return results(game, codes, knock, kinds, PARTS)

    with ThreadPoolExecutor(workers) as pool:
        numbers = range(2 * CLASSES**2)
        met = np.stack(list(pool.map(lambda number: found(number, mine, other), numbers)), 1)
        mirror = np.stack(list(pool.map(lambda number: found(number, other, other), numbers)), 1)
    hands = next((charts.hands for charts in (own, theirs) if isinstance(charts, ScoreCharts)), mirror.sum(axis=0)[0])
    stakes = Stakes.of(rules, by, hands)

    def worked_out(chances: np.ndarray) -> np.ndarray:
        worth = np.zeros(of.shape)
        levels = np.arange(stakes.levels)
        work_back(backwards(levels, levels), of, chances / chances[0].sum(), stakes, worth)
        return worth

    total = met.sum(axis=0)
    worth = worked_out(total)
    without = np.array([_told(worked_out(total - part), by)[0, 0].mean() for part in met])
    start = from_mean(float(_told(worth, by)[0, 0].mean()), float(without.std() * math.sqrt(PARTS - 1)), PARTS)
    return Forecast(by, worth, worked_out(mirror.sum(axis=0)), start)


def _spread(charts: Chart | ScoreCharts, cells: Cells) -> np.ndarray:
    """The chance to knock at both classes of scores, in cells that tell more apart: float64[CLASSES, CLASSES, cells]."""
    knock = charts.knock.reshape(-1, charts.cells.size)[:, cells.within(charts.cells)]
    found: np.ndarray = np.broadcast_to(knock, (CLASSES**2, cells.size)).reshape(CLASSES, CLASSES, cells.size)
    return found


def _told(worth: np.ndarray, by: str) -> np.ndarray:
    """Values by points instead of levels: chances, or margins."""
    levels = [level_of(points) for points in range(len(worth) - 1)]
    found: np.ndarray = worth[np.ix_(levels, levels)]
    return np.asarray(0.5 + found / 100 if by == "games" else found)
