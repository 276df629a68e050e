"""One strategy against another."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial
from typing import Any

from ginsim.inference.sequential import odds_text, points_text
from ginsim.report import plots
from ginsim.report.figures import SHARE, figure
from ginsim.report.page import counts_text, told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled, sentence
from ginsim.report.texts import Texts
from ginsim.study.compare import Comparison
from ginsim.study.criterion import Judged
from ginsim.study.measures import COMPARED

__all__ = ["given_by", "settings_of", "sheet"]

OF = Comparison
"""What is shown here."""


def sheet(c: Comparison) -> Sheet:
    """One strategy against another."""
    settings, course = settings_of(c) | given_by(c), c.sequential
    if c.luck_tally is not None:
        settings["control"] = True
    if course:
        settings |= {"deals": course.most, "until": course.test.model_dump()}
    return Sheet(
        "compare",
        [c.a, c.b],
        settings,
        c.rules,
        (c.a, c.b),
        f"{c.a} against {c.b}",
        lambda: _body(c),
        lambda: {"summary": c.summary().reset_index(), "endings": c.endings(), "looks": course.table() if course else None},
        {"endings": partial(plots.endings, c)} | ({"looks": partial(plots.looks, c)} if course else {}),
        lambda: [_figures(c), _endings(c)],
        remarks=list(_remarks(c)),
    )


def given_by(result: Judged) -> dict[str, str]:
    """The criterion as a parameter, if one was named."""
    return {"by": result.by} if result.by else {}


def settings_of(some: Comparison) -> dict[str, Any]:
    """What a pairing was played with, by the names of the parameters."""
    return {"rules": some.rules, "deals": some.deals, "seed": some.seed, "games": some.games_tally["pairs"]}


def _figures(c: Comparison) -> Texts:
    rows: list[Any] = list(c.summary().itertuples())
    of = {m.label: m for m in (*COMPARED.values(), *(c.game.measures[name] for name in c.game.shown))}
    texts = [(row.Index, of[row.Index].text(figure(row.estimate, row.low, row.high))) for row in rows]
    return Texts(("measure", "estimate"), texts, (1,), title=f"{c.a} against {c.b}, with 95 % intervals")


def _endings(c: Comparison) -> Texts:
    rows: list[Any] = list(c.endings().itertuples())
    texts = [
        (row.ending.replace("_", " "), row.winner, f"{row.hands:,}", SHARE.text(figure(row.share, row.low, row.high)),
         f"{row.points:.2f}") for row in rows
    ]  # fmt: skip
    return Texts(("ending", "winner", "hands", "share", "mean points"), texts, (2, 3, 4), title="How the hands ended")


def _looks(c: Comparison) -> Texts:
    course = c.sequential
    assert course is not None
    two = course.test.sides == 2
    heads = ["hands", "points per hand", f"{c.a} better", *([f"{c.b} better"] if two else []), "equal"]
    rows = []
    for look in course.looks:
        first, second, equal = map(odds_text, look.evidence(course.test.sides))
        mean = COMPARED["points_per_hand"].value_text(look.sums.mean)
        rows.append([f"{2 * look.pairs:,}", mean, first, *([second] if two else []), equal])
    return Texts(heads, rows, range(len(heads)))


def _remarks(c: Comparison) -> Iterable[str]:
    """What a terminal says of figures that are missing, and of the variance saved."""
    if (games := c.games_tally["pairs"]) and not c.games_tally["decided"]:
        yield f"None of the {2 * games:,} games was finished; there is no figure for games."
    if c.deals and not c.hands_tally["decided"]:
        yield f"None of the {2 * c.deals:,} hands had a winner."
    if not math.isnan(c.variance_saved):
        yield f"Playing each deal from both seats saves {SHARE.value_text(c.variance_saved)} of the variance of points per hand."
    if not math.isnan(c.control_saved):
        yield f"Taking out the luck of the draw saves {SHARE.value_text(c.control_saved)} of what is left."


def _body(c: Comparison) -> str:
    saved, luck = c.variance_saved, c.control_saved
    seats = f" Playing each deal from both seats saves {SHARE.value_text(saved)} of the variance of points per hand."
    return filled(
        "comparison",
        **told(c),
        figures=_figures(c).markdown(),
        endings=_endings(c).markdown(),
        counts=counts_text(c.deals, c.games_tally["pairs"]),
        saved="" if math.isnan(saved) else seats,
        seating=sentence(f"seating_{c.game.name}"),
        luck_saved="" if math.isnan(luck) else SHARE.value_text(luck),
        luck_times=f"{1 - luck:.2f}",
        **_of_test(c),
    )


def _of_test(c: Comparison) -> dict[str, str]:
    """The places of the section of the sequential test."""
    course = c.sequential
    if course is None or not course.looks:
        return dict.fromkeys(("looks", "size", "for_whom", "alpha", "beta", "enough", "enough_not", "neither"), "")
    test, (enough_not, enough), two = course.test, course.test.bounds, course.test.sides == 2
    return {
        "looks": _looks(c).markdown(),
        "size": points_text(test.points),
        "for_whom": "for either strategy" if two else f"for {c.a}",
        "alpha": f"{test.alpha:g}",
        "beta": f"{test.beta:g}",
        "enough": odds_text(enough),
        "enough_not": odds_text(enough_not),
        "neither": "neither" if two else "it not",
    }
