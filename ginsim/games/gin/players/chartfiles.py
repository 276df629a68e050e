"""Charts as they are kept: what they tell apart, and the chance to knock in each cell; shipped, or in a user's file.

A shipped chart ``NAME`` is the one that ``experiments/charts/NAME.toml`` finds, as ``Chart.save`` writes it, with the ``ABOUT``
of that experiment.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ginsim.errors import InputError, shown
from ginsim.files import Shelf, expanded
from ginsim.games.decisions import Decision, Table
from ginsim.games.gin.players.charts import knock_chart
from ginsim.games.gin.players.known import BOUNDS, SCORES, TURNS

__all__ = [
    "ABOUT", "BY_SCORE", "CHARTS", "MOST_BY_SCORE", "MOST_CELLS", "OF", "about_chart", "chances_of", "kept_chart", "read_chart",
    "shipped",
]  # fmt: skip

MOST_BYTES = 1 << 24
MOST_CELLS = 1 << 18
"""Cells of a chart."""
MOST_BY_SCORE = 1 << 21
"""Cells of charts for every two scores."""
BY_SCORE = "by_score"
"""Where the sums of a solved knock keep the charts for every two scores."""
OF, ABOUT = "of", ("title", "rules", "strategy", "by", "deals", "seed")
"""Where a file says what its chart is of, and what it may say: all texts, for the reader only."""


_SHELF = Shelf("chart", "ginsim.games.gin", "charts", ".json", MOST_BYTES, "is not a chart", "there is no chart")


def shipped() -> list[str]:
    """Names of the charts that ginsim ships."""
    return _SHELF.names()


def read_chart(name: str) -> tuple[tuple[float, ...], str]:
    """The table of a chart, as it lies behind the parameters, and the digest of its file ('' for one that is shipped).

    Parameters
    ----------
    name : str
        Of a shipped chart, or the path of a file: one that a chart was saved to, or ``tallies.json`` of a solved knock.
    """
    found, where, digest = kept_chart(name)
    return table_of(found, where), digest


def kept_chart(name: str) -> tuple[Any, str, str]:
    """What is kept under the name of a chart or a path, what to call it, and its digest (see `read_chart`); not yet checked."""
    if _SHELF.is_path(name) or name not in shipped():
        _no_folder(expanded(name), name)
    data, where, digest = _SHELF.content(name)
    try:
        return json.loads(data), where, digest
    except (ValueError, RecursionError):
        raise InputError(f"chart {where} is not a chart: it is not JSON that can be read") from None


def about_chart(found: Any) -> dict[str, str]:
    """What a kept chart says it is of (``ABOUT``); empty if it says nothing."""
    said = found.get(OF) if isinstance(found, Mapping) else None
    return {name: said[name] for name in ABOUT if isinstance(said.get(name), str)} if isinstance(said, Mapping) else {}


def _no_folder(path: Path, name: str) -> None:
    """Refuse a folder, naming the file in it that was meant."""
    if path.is_dir():
        inside = path / "tallies.json"
        meant = f"; did you mean its tallies.json ({inside})?" if inside.is_file() else " and holds no tallies.json"
        raise InputError(f"chart {shown(name)} is a folder{meant}")


def table_of(found: Any, where: str) -> tuple[float, ...]:
    """The flags and chances of a chart as it is kept."""
    known, table = chances_of(found, where)
    return (*(float(name in known) for name in BOUNDS), float(len(table) > cells_of(known)), *table.tolist())


def cells_of(known: list[str]) -> int:
    """Cells of a chart for one score."""
    return 2 * TURNS * math.prod(len(BOUNDS[name]) + 1 for name in known)


def chances_of(found: Any, where: str) -> tuple[list[str], np.ndarray]:
    """What a kept chart tells apart, and its chances by cell; if it looks at the scores, one such chart after the other.

    Raises
    ------
    InputError
        If it is no chart.
    """
    if isinstance(found, Mapping) and "chart" in found:
        found = found.get(BY_SCORE, found["chart"])
    wrong = InputError(f"chart {where} is not a chart: it needs lists known, cell and knock")
    if not isinstance(found, Mapping) or not all(isinstance(found.get(name), list) for name in ("known", "cell", "knock")):
        raise wrong
    known, cells, chances = found["known"], found["cell"], found["knock"]
    if not all(isinstance(name, str) and name in BOUNDS for name in known) or len(set(known)) < len(known):
        raise InputError(f"chart {where} is not a chart: known is some of {', '.join(BOUNDS)}")
    by_score = "scores" in found
    if by_score and found["scores"] != list(SCORES):
        raise InputError(f"chart {where} is not a chart: scores must be {list(SCORES)}")
    size = cells_of(known) * ((len(SCORES) + 1) ** 2 if by_score else 1)
    whole = all(type(cell) is int and 0 <= cell < size for cell in cells)
    right = all(type(chance) in (int, float) and 0 <= chance <= 1 for chance in chances)
    if len(cells) != len(chances) or not whole or not right or size > (MOST_BY_SCORE if by_score else MOST_CELLS):
        raise InputError(f"chart {where} is not a chart: it needs a chance from 0 to 1 for each of its cells 0 to {size - 1}")
    if len(set(cells)) < len(cells):
        raise InputError(f"chart {where} is not a chart: a cell is listed twice")
    table = np.zeros(size)
    table[np.array(cells, np.int64)] = chances
    return known, table


CHARTS = (
    Decision(
        "knock",
        "chart",
        knock_chart,
        table=Table("chart", "classic25", "the chart: a shipped one, or the path of a file", shipped, read_chart),
    ),
)
