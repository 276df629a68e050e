"""A chart: the chance to knock in every cell, and what is known of how much that matters."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, shown
from ginsim.files import path_of, write_whole
from ginsim.games.gin.courses import Courses
from ginsim.games.gin.players.chartfiles import ABOUT, OF, chances_of
from ginsim.inference.estimates import NORMAL
from ginsim.solving.cells import KNOWN, SEATS, Cells
from ginsim.solving.game import KnockGame, by_row, in_blocks
from ginsim.solving.grids import Grid, in_short
from ginsim.solving.kernels import MOST_ROWS, add_worth

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["LEAST", "Chart", "rule", "with_worth"]

LEAST = 30
"""Times that a cell must have come up among the hands it was judged on; of others nothing is told."""
SUMS = ("reached", "reached_sq", "gain", "gain_reached", "gain_sq")


@dataclass(frozen=True, eq=False)
class Chart:
    """When to knock.

    Attributes
    ----------
    cells : Cells
        What it tells apart.
    knock : float64[cells.shape]
        Chance to knock in each cell.
    sums : mapping of str to float64[cells.shape]
        Over the hands it was judged on (``with_worth``), each counted with the chance w that it gets to the cell: w and w², both
        times the gain x of knocking over going on, and w² x². Empty if it was not judged.
    hands : int
        Those hands.
    """

    cells: Cells
    knock: np.ndarray
    sums: Mapping[str, np.ndarray] = field(default_factory=dict)
    hands: int = 0

    @property
    def reached(self) -> np.ndarray:
        """How often each cell comes up per hand, if both sides play by the chart."""
        return self.sums["reached"] / max(self.hands, 1)

    @property
    def told(self) -> np.ndarray:
        """Which cells came up often enough that something can be said of them; all, if the chart was not judged."""
        return self.sums["reached"] >= LEAST if self.sums else np.ones(self.knock.shape, bool)

    @property
    def seen(self) -> np.ndarray:
        """Which cells there is anything to show of: those that came up.

        If the chart was not judged, those from the first turn and the least deadwood that ever knock to the last and the most.
        """
        if self.sums:
            return self.sums["reached"] > 0
        found = np.ones(self.knock.shape, bool)
        for axis in (1, *(2 + k for k, name in enumerate(self.cells.known) if name == "deadwood")):
            knocks = (self.knock > 0).any(axis=tuple({*range(found.ndim)} - {axis}), keepdims=True)
            since, until = np.maximum.accumulate(knocks, axis), np.flip(np.maximum.accumulate(np.flip(knocks, axis), axis), axis)
            found &= since & until
        return found

    @property
    def used(self) -> int:
        """How many cells came up at all."""
        return int((self.sums["reached"] > 0).sum())

    @property
    def gain(self) -> np.ndarray:
        """What knocking brings above going on (below 0: costs), each time that the cell comes up; nan where it never does."""
        with np.errstate(invalid="ignore", divide="ignore"):
            found: np.ndarray = self.sums["gain"] / self.sums["reached"]
        return found

    @property
    def error(self) -> np.ndarray:
        """Standard error of ``gain``."""
        mean = self.gain
        with np.errstate(invalid="ignore", divide="ignore"):
            scatter = self.sums["gain_sq"] - 2 * mean * self.sums["gain_reached"] + mean**2 * self.sums["reached_sq"]
            found: np.ndarray = np.sqrt(np.maximum(scatter, 0.0)) / self.sums["reached"]
        return found

    @property
    def decided(self) -> np.ndarray:
        """Cells in which one choice is better beyond the error."""
        with np.errstate(invalid="ignore"):
            found: np.ndarray = self.told & (np.abs(self.gain) > NORMAL * self.error)
        return found

    def chances(self, courses: Courses) -> np.ndarray:
        """The chance that each row of courses knocks, float32[rows]."""
        cell = self.cells.index(courses)
        return np.where(cell < 0, 1.0, self.knock.ravel()[cell]).astype(np.float32)

    def purified(self) -> Chart:
        """The chart that always knocks or never does: chances are rounded, which they are where the choice hardly matters."""
        return replace(self, knock=np.where(self.knock >= 0.5, 1.0, 0.0))

    def table(self) -> pd.DataFrame:
        """A row for each cell that came up.

        seat, turn and what is known; knock: the chance; per_hand: how often the cell comes up; gain, with its interval: of
        knocking over going on; told: whether it came up often enough; decided: whether the interval leaves out 0.
        """
        import pandas as pd

        at = np.nonzero(self.sums["reached"] > 0) if self.sums else np.nonzero(np.ones(self.cells.shape))
        columns: dict[str, Any] = {"seat": [SEATS[k] for k in at[0]], "turn": at[1] + 1}
        for k, fact in enumerate(self.cells.facts):
            columns[fact.column] = [fact.labels[value] for value in at[2 + k]]
        columns["knock"] = self.knock[at]
        if self.sums:
            half = NORMAL * self.error[at]
            columns |= {"per_hand": self.reached[at], "gain": self.gain[at], "gain_low": self.gain[at] - half}
            columns |= {"gain_high": self.gain[at] + half, "told": self.told[at], "decided": self.decided[at]}
        return pd.DataFrame(columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Chart) and self.facts() == other.facts()

    __hash__ = object.__hash__

    def __str__(self) -> str:
        return in_short(self.grids())

    def where(self, name: str, label: str) -> Chart:
        """The chart where something known has this class: a part that does not tell it apart.

        Examples
        --------
        >>> rule(lambda limit, turn, **other: turn < limit, "deadwood, limit").where("limit", "3").knock[0, :4, 0].tolist()
        [1.0, 1.0, 0.0, 0.0]
        """
        at = self.cells.known.index(name)
        k = KNOWN[name].labels.index(label)
        cells = Cells(self.cells.known[:at] + self.cells.known[at + 1 :])
        sums = {of: values.take(k, 2 + at) for of, values in self.sums.items()}
        return Chart(cells, self.knock.take(k, 2 + at), sums, self.hands)

    def onto(self, known: str | Sequence[str]) -> Chart:
        """The chart as it looks to one who sees only what is ``known``: each cell counts as often as it comes up."""
        cells = Cells.of(known)
        within = self.cells.within(cells)

        def total(values: np.ndarray) -> np.ndarray:
            found: np.ndarray = np.bincount(within, values.ravel(), cells.size).reshape(cells.shape)
            return found

        weight = self.sums["reached"] if self.sums else np.ones(self.cells.shape)
        seen, knocked = total(weight), total(weight * self.knock)
        alike = total(self.knock) / total(np.ones(self.cells.shape))
        knock = np.divide(knocked, seen, out=alike, where=seen > 0)
        return Chart(cells, knock, {name: total(values) for name, values in self.sums.items()}, self.hands)

    def marks(self) -> np.ndarray:
        """A sign for each cell.

        K: knock; a dot: play on; a number: knock in so many per cent of cases; –: it came up too rarely to tell.
        """
        tenths = np.rint(10 * self.knock).astype(int)
        return np.where(self.told, np.array(["·", *map(str, range(10, 100, 10)), "K"])[tenths], "–")

    def grids(self) -> list[Grid]:
        """The chart in grids: turns down, deadwood across; one for each seat and each class of whatever else is known.

        Without deadwood a grid has one column. Turns and deadwoods of which nothing is told are left out, and of a chart that was
        not judged those that never knock.
        """
        across = self.cells.known.index("deadwood") if "deadwood" in self.cells.known else None
        often = np.where(self.told, self.sums["reached"] if self.sums else 1.0, 0.0)
        all_of = self.marks(), self.told & self.seen, often, self.sums["reached"] if self.sums else often
        marks, seen, told, came = (of[..., None] if across is None else np.moveaxis(of, 2 + across, -1) for of in all_of)
        columns = np.flatnonzero(seen.any(axis=tuple(range(seen.ndim - 1))))
        turns = np.flatnonzero(seen.any(axis=(0, *range(2, seen.ndim))))
        labels = ("",) if across is None else KNOWN["deadwood"].labels
        heads = tuple(str(turn + 1) for turn in turns), tuple(labels[k] for k in columns)
        others = [fact for fact in self.cells.facts if fact.column != "deadwood"]
        found = []
        for place in np.ndindex(marks.shape[0], *marks.shape[2:-1]):
            at = (place[0], slice(None), *place[1:])
            classes = tuple((fact.column, fact.labels[k]) for fact, k in zip(others, place[1:], strict=True))
            clear = float(told[at].sum() / came[at].sum()) if came[at].any() else 1.0
            found.append(Grid(SEATS[place[0]], classes, *heads, marks[at][np.ix_(turns, columns)], clear))
        return found

    # --- kept -----------------------------------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """What JSON keeps of it: the cells that came up, or in which it knocks."""
        knock = self.knock.ravel()
        kept = np.flatnonzero((knock > 0) | (self.sums["reached"].ravel() > 0) if self.sums else knock > 0)
        found: dict[str, Any] = {"known": list(self.cells.known), "hands": self.hands, "cell": kept.tolist()}
        found["knock"] = [round(float(p), 4) for p in knock[kept]]
        return found | {name: [float(f"{x:.7g}") for x in self.sums[name].ravel()[kept]] for name in self.sums}

    @classmethod
    def of_facts(cls, facts: Mapping[str, Any]) -> Chart:
        """The chart that was kept."""
        if "scores" in facts:
            raise InputError("chart of the file: these are charts for every two scores, not one")
        known, knock = chances_of(facts, "of the file")
        cells = Cells.of(known)
        kept = np.array(facts["cell"], np.int64)

        def spread(values: Any) -> np.ndarray:
            if len(values) != len(kept):
                raise InputError("chart: its lists are of different lengths")
            found = np.zeros(cells.size)
            found[kept] = values
            return found.reshape(cells.shape)

        sums = {name: spread(facts[name]) for name in SUMS if name in facts}
        return cls(cells, knock.reshape(cells.shape), sums, int(facts.get("hands", 0)))

    def kept(self) -> Chart:
        """The chart as it comes back when it was kept: rounded."""
        return Chart.of_facts(self.facts())

    def text(self) -> str:
        """The text of a file, which `of_text` reads."""
        return json.dumps(self.facts()) + "\n"

    @classmethod
    def of_text(cls, text: str) -> Chart:
        """The chart of a file's text."""
        return cls.of_facts(json.loads(text))

    def save(self, path: str | Path, **of: str) -> Path:
        """Write the chances to a file, for strategies that play by them: ``custom(stop=chart, chart="my/chart.json")``.

        Parameters
        ----------
        path : path
        **of : str
            What it is of, for its reader: some of ``title``, ``rules``, ``strategy``, ``by``, ``deals``, ``seed``.
        """
        if unknown := next((name for name in of if name not in ABOUT or not isinstance(of[name], str)), None):
            raise InputError(f"of: {shown(unknown)} is not allowed; give texts, some of {', '.join(ABOUT)}")
        facts = ({OF: of} if of else {}) | replace(self, sums={}, hands=0).facts()
        return write_whole(path_of("path", path), json.dumps(facts) + "\n")


def rule(says: Callable[..., Any], known: str = "deadwood, unmatched") -> Chart:
    """The chart of a rule, a function of arrays ``turn`` (from 1), ``seat`` and the classes of what is ``known``, by name.

    Examples
    --------
    >>> early = rule(lambda turn, deadwood, **other: (turn <= 7) & (deadwood >= 6))
    >>> float(early.knock[0, 6, 6, 0]), float(early.knock[0, 7, 6, 0])
    (1.0, 0.0)
    """
    cells = Cells.of(known)
    places = np.indices(cells.shape)
    classes = {name: places[2 + k] for k, name in enumerate(cells.known)}
    found = says(seat=places[0], turn=places[1] + 1, **classes)
    return Chart(cells, np.broadcast_to(np.asarray(found, float), cells.shape).copy())


def with_worth(chart: Chart, game: KnockGame, theirs: np.ndarray | None = None, player: int = 0, workers: int = 1) -> Chart:
    """The chart with what its choices are worth in the hands of a game.

    Parameters
    ----------
    chart : Chart
    game : KnockGame
        Of hands that it was not made of, with the same cells.
    theirs : float32[rows], optional
        The chance of each row of the other side than ``player`` to knock; both play by the chart if it is not given.
    """
    knock = by_row(game, chart.knock.ravel())
    side, cell = game.side, game.cell
    if theirs is not None:
        knock = np.where(side == player, knock, theirs)

    def work(block: int, first: int, end: int) -> np.ndarray:
        sums = np.zeros((len(SUMS), game.cells.size + 1))
        add_worth(game.starts, side, cell, game.payoff, knock, first, end, np.empty(MOST_ROWS), sums)
        return sums

    cell = cell if theirs is None else np.where(side == player, cell, game.cells.size)
    total = np.asarray(sum(in_blocks(game.hands, work, workers)))[:, :-1]
    return replace(chart, sums=dict(zip(SUMS, total.reshape(-1, *game.cells.shape), strict=True)), hands=game.hands)



