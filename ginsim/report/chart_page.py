"""Charts of when to knock as one web page that needs no other file: the reader chooses which chart, and looks at its cells."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.inference.estimates import NORMAL
from ginsim.report.given import GivenChart
from ginsim.solving.cells import KNOWN, SEATS
from ginsim.solving.chart import LEAST, Chart
from ginsim.study.solve import CRITERIA, Solution

__all__ = ["AXES", "Place", "Shown", "chart_page", "charts_on_page"]

AXES = {
    "rules": "Rules", "players": "Draws and discards", "play": "Play", "by": "What counts", "score": "Score", "knows": "Known",
    "source": "Source",
}  # fmt: skip
"""What charts may differ in, beside their cells, and how the page calls it."""
SAFE = "safe: two equal players"


@dataclass(frozen=True)
class Place:
    """What a chart is for; the reader chooses among the values that there are."""

    rules: str = ""
    players: str = ""
    play: str = ""
    by: str = ""
    score: str = ""
    knows: str = ""
    source: str = ""


@dataclass(frozen=True)
class Shown:
    """A chart on the page.

    Attributes
    ----------
    chart : Chart
        Of one that was not judged it is only shown what to do.
    place : Place
    note : str
        How it was made.
    advice : str
        The rule to remember, if there is one.
    unit : str
        Of gains.
    factor : float
        What they are multiplied by: 100 for shares.
    decimals : int
        Of gains.
    """

    chart: Chart
    place: Place
    note: str = ""
    advice: str = ""
    unit: str = "points"
    factor: float = 1.0
    decimals: int = 2


def chart_page(shown: Sequence[Shown], title: str = "When to knock") -> str:
    """The page.

    Parameters
    ----------
    shown : sequence of Shown
        The reader sees the first one first.
    title : str

    Raises
    ------
    InputError
        If there is no chart.
    """
    if not shown:
        raise InputError("charts: there is none")
    data = {"axes": AXES, "least": LEAST, "charts": [_facts(one) for one in shown]}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    page = (files("ginsim.report") / "templates" / "chart.html").read_text(encoding="utf-8")
    parts = {"title": html.escape(title), "plain": html.escape("\n\n".join(map(str, shown[0].chart.grids()))), "data": text}
    for name, part in parts.items():  # the data last: nothing is looked for in them
        page = page.replace(f"@{name}@", part)
    return page


def _facts(one: Shown) -> dict[str, Any]:
    """What the page reads of a chart."""
    chart = one.chart
    at = np.flatnonzero(chart.seen)
    values = {"knock": chart.knock}
    if chart.sums:
        values |= {"often": chart.reached, "gain": chart.gain, "half": NORMAL * chart.error}
    cells = {"cell": at.tolist(), "told": chart.told.ravel()[at].astype(int).tolist()}
    cells |= {name: [float(f"{x:.4g}") for x in array.ravel()[at]] for name, array in values.items()}
    return {
        "at": asdict(one.place),
        "note": one.note,
        "advice": one.advice,
        "unit": one.unit,
        "factor": one.factor,
        "decimals": one.decimals,
        "judged": bool(chart.sums),
        "hands": chart.hands,
        "seats": [seat.capitalize() for seat in SEATS],
        "facts": [{"name": fact.column, "meaning": fact.meaning, "labels": fact.labels} for fact in chart.cells.facts],
        "shape": chart.cells.shape,
        "cells": cells,
    }


def charts_on_page(given: Sequence[Solution | GivenChart], title: str = "When to knock") -> str:
    """The page of charts: the reader chooses among their rules, players, criteria, scores and what is known."""
    return chart_page([one for of in given for one in (_shown(of) if isinstance(of, Solution) else [_alone(of)])], title)


def _alone(of: GivenChart) -> Shown:
    """A chart that came without its study."""
    about = of.about
    by, unit = CRITERIA.get(about.get("by", ""), ("not known", "points"))
    rules, players = (about.get(name, "not known") for name in ("rules", "strategy"))
    place = Place(rules, players, SAFE if of.made else "not known", by, "any", _known(of.chart), of.name)
    gains = "" if of.chart.sums else "Its file does not say what knocking gains in each cell."
    note = " ".join(filter(None, (f"{of.title}.", of.made, gains)))
    return Shown(of.chart, place, note, unit=unit)


def _known(chart: Chart) -> str:
    """What a chart knows, in words."""
    return " and ".join(KNOWN[name].meaning for name in chart.cells.known) or "nothing but seat and turn"


def _shown(result: Solution) -> list[Shown]:
    """The charts of a solved knock: the safe one, the best reply if there is one, and those at other scores."""
    known = _known(result.chart)
    made = f"solved on {result.deals:,} deals, judged on {result.checks:,} others"
    under = f"Under {result.rules}, with the draws and discards of {result.strategy}"
    start = "0:0" if result.by_score is not None else "any"
    place = Place(result.rules, result.strategy, SAFE, result.criterion, start, known, "solved")
    note = f"{under}: {made}. If both players knock by this chart, neither gains by knocking otherwise while seeing no more."
    found = [Shown(result.chart, place, note, next(iter(result.remembered), ""), result.unit)]
    if result.reply is not None:
        about = f"{under}: {made}. It does best against {result.against} as it knocks, and is safe against nobody else."
        found.append(Shown(result.reply, replace(place, play=f"exploiting: {result.against}"), about, unit=result.unit))
    for (own, other), chart in result.at_scores.items():
        found.append(Shown(chart, replace(place, score=f"{own}:{other}"), note, unit=result.unit))
    return found
