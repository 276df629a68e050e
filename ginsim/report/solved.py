"""Solved knocks side by side, of several rules for instance: a page in Markdown with its table and pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ginsim.errors import InputError, shown
from ginsim.inference.measures import Measure
from ginsim.report import plots
from ginsim.report.figures import row_text
from ginsim.report.markup import fenced
from ginsim.report.page import seeds_text, variants_section
from ginsim.report.template import filled
from ginsim.report.texts import Texts, markdown_table
from ginsim.solving.advices import ADVICES
from ginsim.solving.cells import KNOWN
from ginsim.solving.cfr import SWEEPS
from ginsim.study.solve import Solution

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["named", "side_by_side", "side_by_side_pictures", "ways_table"]

GAIN = Measure("points a hand", "", decimals=3)
SIGNED = Measure("points a hand", "", decimals=3, signed=True)
ALWAYS = {"chart": "the chart", "purified": "the chart without mixing"}


def named(results: Sequence[Solution]) -> dict[str, Solution]:
    """The results by what they differ in: rules, and strategy, what is known or seed if need be.

    Raises
    ------
    InputError
        If what counts is not the same for all, or two do not differ.
    """
    counted = list(dict.fromkeys(result.by for result in results))
    if len(counted) > 1:
        raise InputError(
            f"results: they count by {' and by '.join(counted)}, and a folder is for results that count by the same; "
            "for one page with all of them give --out all.html"
        )
    facts = [(r.rules, r.strategy, ", ".join(r.known), seeds_text(r.seed), f"{r.deals:,} deals") for r in results]
    differ = [k for k, column in enumerate(zip(*facts, strict=True)) if len(set(column)) > 1] or [0]
    for count in range(1, 1 + len(differ)):
        found = {"; ".join(own[k] for k in differ[:count]): result for own, result in zip(facts, results, strict=True)}
        if len(found) == len(results):
            return found
    raise InputError(f"results: two of them are the same, of {shown(next(iter(found)))}")


def ways_table(results: Mapping[str, Solution]) -> pd.DataFrame:
    """What ways of knocking give away: a row for each result and way; exploitable: to the best reply; to_chart: to the chart."""
    import pandas as pd

    rows = []
    for name, result in results.items():
        for way in [*ALWAYS, *ADVICES, *result.remembered]:
            if way in result.figures:
                e, c = result.figure(way), None if way == "chart" else result.figure(f"chart - {way}")
                told = (c.value, c.low, c.high) if c else (0.0, 0.0, 0.0)
                rows.append((name, ALWAYS.get(way, way), way in result.remembered, e.value, e.low, e.high, *told))
    names = [f"{what}{end}" for what in ("exploitable", "to_chart") for end in ("", "_low", "_high")]
    return pd.DataFrame(rows, columns=["result", "way", "found", *names])


def side_by_side_pictures(results: Mapping[str, Solution]) -> dict[str, Callable[[], Axes]]:
    """The pictures of the page by their names."""
    ways, unit = ways_table(results), next(iter(results.values())).unit
    found: dict[str, Callable[[], Axes]] = {"advices": partial(plots.advices_side_by_side, ways[~ways["found"]], unit)}
    return found | ({"charts": partial(plots.knock_charts, results)} if _drawn(results) else {})


def side_by_side(results: Mapping[str, Solution], commands: Sequence[str], title: str) -> str:
    """The page in Markdown.

    Parameters
    ----------
    results : mapping of str to Solution
        By their names (`named`).
    commands : sequence of str
        That make the same again.
    title : str
    """
    ways, one = ways_table(results), next(iter(results.values()))
    return (
        filled(
            "charts",
            title=title,
            count=len(results),
            what="sets of rules" if len({result.rules for result in results.values()}) == len(results) else "cases",
            players=f", with the draws and discards of `{one.strategy}`" if _alone(r.strategy for r in results.values()) else "",
            criterion=one.criterion,
            unit=one.unit,
            answers="\n".join(f"- **{name}**: {f'{_answer(result)} {result.noise}'.strip()}" for name, result in results.items()),
            drawn=_drawn(results),
            classes=", with a part for each number of own unmatched cards" if _all_know("unmatched", results) else "",
            alike=_alike(results) if _alone(result.known for result in results.values()) and len(results) > 1 else "",
            exploitable=_ways(ways, "exploitable"),
            to_chart=_ways(ways[ways["way"] != ALWAYS["chart"]], "to_chart"),
            remember=_remember(ways),
            worth=_worth(results),
            variants=variants_section(one.rules, dict.fromkeys(r.rules for r in results.values() if r.rules != one.rules)),
            sweeps=SWEEPS,
            sure=_sure(results),
            commands=fenced("\n".join(commands), "sh"),
        )
        + "\n"
    )


def _drawn(results: Mapping[str, Solution]) -> bool:
    """Whether there are charts by deadwood to draw."""
    return _all_know("deadwood", results) and all(result.chart.told.any() for result in results.values())


def _alone(facts: Iterable[object]) -> bool:
    """Whether all are the same."""
    return len(set(facts)) == 1


def _all_know(name: str, results: Mapping[str, Solution]) -> bool:
    return all(name in result.known for result in results.values())


def _answer(result: Solution) -> str:
    """What is most worth knowing of a result."""
    best = min(result.remembered, key=lambda name: result.figure(name).value, default="")
    worst = max((name for name in ADVICES if name in result.figures), key=lambda name: result.figure(name).value)
    unit = f"{result.unit} per hand"
    lost = f"Of the usual advice, *{worst}* is the worst: it gives away {GAIN.text(result.figure(worst))} {unit}."
    if not best:
        return lost
    e = result.figure(best)
    if e.low > 0:
        return f"{best} This gives away {GAIN.text(e)} {unit} to the best reply. {lost}"
    return f"{best} This gives away nothing measurable: the best reply wins {GAIN.text(e)} {unit}. {lost}"


def _across(rows: dict[str, dict[str, str]], head: str) -> str:
    """A table with a column for each result, of rows that map results to texts."""
    names = list(dict.fromkeys(name for row in rows.values() for name in row))
    told = [(first, *(row.get(name, "") for name in names)) for first, row in rows.items()]
    return Texts((head, *names), told, range(1, 1 + len(names))).markdown()


def _ways(ways: pd.DataFrame, what: str) -> str:
    rows: dict[str, dict[str, str]] = {}
    for _, row in ways[~ways["found"]].iterrows():
        rows.setdefault(row["way"], {})[row["result"]] = row_text(GAIN, row, what)
    return _across(rows, "way of knocking")


def _remember(ways: pd.DataFrame) -> str:
    rows = [
        (row["result"], row["way"], row_text(GAIN, row, "to_chart"), row_text(GAIN, row, "exploitable"))
        for _, row in ways[ways["found"]].iterrows()
    ]
    return markdown_table(("", "rule", "given away to the chart", "to the best reply"), rows, (2, 3))


def _worth(results: Mapping[str, Solution]) -> str:
    rows: dict[str, dict[str, str]] = {}
    for name, result in results.items():
        for _, row in result.worth().iterrows():
            rows.setdefault(KNOWN[row["known"]].meaning, {})[name] = row_text(SIGNED, row, "worth")
    return _across(rows, "known besides deadwood") if rows else ""


def _alike(results: Mapping[str, Solution]) -> str:
    """In which share of the decisions under one chart another decides differently."""
    rows = {}
    for name, own in results.items():
        often = np.where(own.chart.told, own.chart.reached, 0.0)
        apart = {other: float((often * abs(own.chart.knock - r.chart.knock)).sum() / often.sum()) for other, r in results.items()}
        rows[name] = {other: "" if other == name else f"{share:.1%}".replace("%", " %") for other, share in apart.items()}
    return _across(rows, "")


def _sure(results: Mapping[str, Solution]) -> str:
    """How much the charts were made of, and how much of them is clear."""
    rows: dict[str, dict[str, str]] = {}
    for name, result in results.items():
        often = result.chart.reached
        facts = {
            "draws and discards of": f"`{result.strategy}`",
            "seed": seeds_text(result.seed).partition(" ")[2],
            "deals that make the chart": f"{result.deals:,}",
            "other deals that judge it": f"{result.checks:,}",
            "cells that come up": f"{result.chart.used:,}",
            "deals per cell": f"{result.deals_per_cell:,.0f}",
            "clear decisions": f"{100 * often[result.chart.decided].sum() / max(often.sum(), 1e-9):.0f} %",
            "given away by the chart": GAIN.text(result.figure("chart")),
            "lost by never mixing": SIGNED.text(result.figure("chart - purified")),
            "worth to the starter": SIGNED.text(result.value),
        }
        for what, text in facts.items():
            rows.setdefault(what, {})[name] = text
    return _across(rows, "")
