"""When to knock, solved."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from ginsim.games.gin.players.known import SCORES
from ginsim.inference.estimates import Estimate
from ginsim.inference.measures import Measure
from ginsim.report import plots
from ginsim.report.chart_page import charts_on_page
from ginsim.report.figures import row_text
from ginsim.report.page import code_list, told
from ginsim.report.plots.charts import left_out, shown
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.solving.cells import KNOWN, SEATS, TURNS
from ginsim.solving.cfr import EPSILON, SWEEPS
from ginsim.solving.chart import LEAST, Chart
from ginsim.solving.grids import GO_ON, RARE, Grid
from ginsim.solving.scores import CLASSES, EARLY, FEW
from ginsim.solving.solved import FOLDS
from ginsim.study.solve import Solution

__all__ = ["sheet"]

OF = Solution
"""What is shown here."""
GAIN = Measure("points a hand", "points", decimals=3)
SIGNED = Measure("points a hand", "points", decimals=3, signed=True)
SIGNS_SAID = (
    "3-6: knock with 3 to 6 points of deadwood; 8 (90 %): knock with 8 in 90 % of cases; ·: always play on; –: too rare to say."
)
SIGNS = GO_ON + RARE
"""Of cells in which nobody knocks, or of which nothing is told."""


def sheet(s: Solution) -> Sheet:
    """When to knock, solved."""
    return Sheet(
        "solve",
        [s.strategy],
        {"rules": s.rules, "by": s.by, "knows": list(s.known), "deals": s.deals, "seed": s.seed}
        | ({"against": s.against} if s.against else {})
        | ({"scores": [f"{own}:{other}" for own, other in s.at_scores]} if s.at_scores else {}),
        s.rules,
        [s.strategy, *([s.against] if s.against else [])],
        f"When to knock with the draws and discards of {s.strategy}",
        lambda: _body(s),
        lambda: {
            "chart": s.table(),
            "reply": s.reply.table() if s.reply is not None else None,
            "summary": s.summary(),
            "advices": s.advices(),
            "worth": s.worth(),
            "scores": s.scores() if s.by_score is not None else None,
            "at_scores": s.at_scores_table() if s.at_scores else None,
        },
        {
            **({"chart": partial(plots.knock_chart, s), "card": partial(plots.knock_card, s)} if _drawn(s.chart) else {}),
            "advices": partial(plots.advices, s),
            **({"reply": partial(plots.knock_chart, s, True)} if _drawn(s.reply) else {}),
            **{name: partial(plots.knock_card, s, score=score) for score, name in _cards(s).items()},
        },
        lambda: [
            *_tables(s.chart), *([_scores(s)] if s.by_score is not None else []), _advices(s), _worth(s),
            *([_replies(s)] if s.reply is not None else []),
        ],
        remarks=(SIGNS_SAID,) if _drawn(s.chart) else (),
        pages={"chart": lambda: charts_on_page([s])},
    )


def _cards(s: Solution) -> dict[tuple[int, int], str]:
    """The names of the cards at other scores than 0 to 0."""
    return {(own, other): f"card_{own}_{other}" for (own, other), chart in s.at_scores.items() if _drawn(chart)}


def _drawn(chart: Chart | None) -> bool:
    """Whether there is anything to draw."""
    return chart is not None and bool(chart.told.any())


def _tables(chart: Chart) -> list[Texts]:
    """With what to knock on each turn: a table for each seat, with a column for each class of what is known beside deadwood."""
    grids = shown(chart).grids()
    across = len(grids) // len(SEATS)
    if across == 1:
        return [_table("Knock with", [grid.title for grid in grids], grids)]
    found = []
    for seat in SEATS:
        own = [grid for grid in grids if grid.seat == seat and (grid.marks != RARE).any()]
        if own:
            found.append(_table(f"{seat.capitalize()}: knock with", [grid.known for grid in own], own))
    return [*found[:-1], replace(found[-1], caption=left_out(grids))] if found else []


def _table(title: str, heads: Sequence[str], grids: Sequence[Grid]) -> Texts:
    """A column for each grid, a row for each turn; the turns after the last knock are put together."""
    rows = [tuple(_knocked(grid.columns, own) for own in grid.marks) for grid in grids]
    turns = grids[0].turns
    knocks = [k for k in range(len(turns)) if any(row[k] not in SIGNS for row in rows)]
    last = max(knocks, default=-1)
    told = [(turn, *own) for turn, own in zip(turns, zip(*rows, strict=True), strict=True)][: last + 1]
    later = [(f"{turns[last + 1]}+", *"·" * len(grids))] if last + 1 < len(turns) else []
    return Texts(("turn", *heads), [*told, *later], range(1 + len(grids)), title=title)


def _knocked(labels: Sequence[str], marks: Sequence[str]) -> str:
    """With what to knock on a turn, such as ``3-6, 8 (90 %)``; a dot: with nothing; a dash: too rare to tell."""
    found = []
    for knock, run in itertools.groupby(zip(labels, marks, strict=True), lambda cell: cell[1] == "K"):
        if knock:
            first, *rest = (label for label, _ in run)
            found.append(f"{first}-{rest[-1]}" if rest else first or "K")
        else:
            found += [f"{label} ({mark} %)".strip() for label, mark in run if mark not in SIGNS]
    return ", ".join(found) or ("·" if "·" in marks else "–")


def _in_markdown(chart: Chart) -> str:
    parts = [text for of in _tables(chart) for text in (f"{of.title}:", of.markdown(), f"{of.caption}." if of.caption else "")]
    return "\n\n".join(filter(None, parts))


def _advices(s: Solution) -> Texts:
    rows = []
    for _, row in s.advices().iterrows():
        to_chart = "" if row["advice"] == "chart" else row_text(GAIN, row, "to_chart")
        rows.append((row["means"], row_text(GAIN, row, "exploitable"), to_chart))
    head = ("way of knocking", "given away to the best reply", "to the chart")
    return Texts(head, rows, (1, 2), title=f"What ways of knocking give away per hand ({s.unit}), with 95 % intervals")


def _remember(s: Solution) -> str:
    """The rules for a person, the best first."""
    rows = s.advices().set_index("advice", drop=False).loc[s.remembered]
    return "\n".join(
        f"- **{row['advice']}** This gives away {row_text(GAIN, row, 'to_chart')} {s.unit} a hand to the chart and "
        f"{row_text(GAIN, row, 'exploitable')} to the best reply."
        for _, row in rows.iterrows()
    )


def _worth(s: Solution) -> Texts:
    rows = [(KNOWN[row["known"]].meaning, row_text(SIGNED, row, "worth")) for _, row in s.worth().iterrows()]
    title = f"The value of extra information per hand ({s.unit}), with 95 % intervals"
    return Texts(("known besides deadwood", "worth per hand"), rows, (1,), title=title)


def _replies(s: Solution) -> Texts:
    words = {
        "reply": "the best reply", "reply safe": "the safe chart", "reply own": f"as {s.strategy} knocks",
        "reply gain": f"gain of the best reply over knocking as {s.strategy} does", "reply starter": "the best reply, as starter",
        "reply dealer": "the best reply, as dealer",
    }  # fmt: skip
    rows = [(words[name], SIGNED.text(s.figure(name))) for name in words]
    title = f"Safe play and exploitation, per hand ({s.unit})"
    return Texts(("knocking", f"scores against {s.against}"), rows, (1,), title=title)


def _scores(s: Solution) -> Texts:
    """How play changes with the score."""
    rows = []
    for _, row in s.scores().iterrows():
        worth = f"{100 * row['value']:.1f} %" if s.by == "games" else f"{row['value']:+.1f}"
        least = "" if math.isnan(row["least"]) else f"{row['least']:.0f}"
        rows.append((f"{row['own']}:{row['other']}", row["seat"], worth, row["gin_from"], least))
    head = ("score", "seat", "worth", "gin only from turn", f"least deadwood to knock on turn {EARLY}")
    return Texts(head, rows, (2, 3, 4), title="How play changes with the score (own:opponent's)")


def _at_scores(s: Solution) -> str:
    """The charts at other scores, by deadwood if it is known."""
    found = []
    for (own, other), chart in s.at_scores.items():
        seen = chart.onto("deadwood") if "deadwood" in chart.cells.known else shown(chart)
        found.append(f"### At {own} to {other}\n\n{_in_markdown(seen)}")
    return "\n\n".join(found)


def _body(s: Solution) -> str:
    value: Estimate = s.value
    return filled(
        "solve",
        **told(s),
        strategy=s.strategy,
        against=s.against,
        criterion=s.criterion,
        known=code_list(s.known) or "nothing",
        chart=_in_markdown(s.chart),
        reply=_in_markdown(s.reply) if s.reply is not None else "",
        shown="" if shown(s.chart) is s.chart else code_list(shown(s.chart).cells.known),
        advices=_advices(s).markdown(),
        remember=_remember(s),
        beaten=any(s.figure(f"chart - {name}").high < 0 for name in s.remembered),
        worth=_worth(s).markdown(),
        fitted=bool((s.worth()["worth"] < 0).any()),
        replies=_replies(s).markdown() if s.reply is not None else "",
        starter=SIGNED.text(value),
        dealer=SIGNED.text(-value),
        loss=SIGNED.text(-s.figure("chart - purified")),
        cards=", ".join(f"`{name}.png` ({own}:{other})" for (own, other), name in _cards(s).items()),
        forgets=s.forgets,
        mixed=f"{int((s.chart.told & (s.chart.knock > 0.01) & (s.chart.knock < 0.99)).sum()):,}",
        drawn=_drawn(s.chart),
        signs=SIGNS_SAID,
        reply_drawn=_drawn(s.reply),
        cells=f"{s.chart.used:,}",
        per_cell=f"{s.deals_per_cell:,.0f}",
        checks=f"{s.checks:,}",
        least=LEAST,
        turns=TURNS,
        sweeps=SWEEPS,
        epsilon=f"{EPSILON:g}",
        folds=FOLDS,
        by_score=s.by_score is not None,
        unit=s.unit,
        clear=not s.noise,
        noise=s.noise,
        aware=s.of_scores(),
        classes=CLASSES,
        bounds=", ".join(map(str, (0, *SCORES))),
        few=f"{100 * FEW:.0f} %",
        early=EARLY,
        styles=_scores(s).markdown() if s.by_score is not None else "",
        at_scores=_at_scores(s),
        limit="the same deals serve for every score, and both players know the score"
        if s.by_score is not None
        else "each hand is judged by itself, whatever the score of the game",
    )
