"""How often intervals contain the true value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginsim.report import plots
from ginsim.report.figures import SHARE
from ginsim.report.page import seeds_text
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.coverage import FIGURES

if TYPE_CHECKING:
    from ginsim.study.coverage import Coverage

__all__ = ["sheet"]


def sheet(c: Coverage) -> Sheet:
    """How often intervals contain the true value."""
    shares = list(c.shares)
    return Sheet(
        "coverage",
        [c.a, c.b],
        {"rules": c.rules, "deals": c.deals, "seed": c.seed, "samples": c.samples, "shares": shares},
        c.rules,
        (c.a, c.b),
        "How often intervals contain the true value",
        lambda: _body(c),
        lambda: {"coverage": c.table()},
        lambda: {"coverage": plots.coverage(c)},
        lambda ax: plots.coverage(c, ax),
        lambda: [_held(c)],
        {"samples": c.samples, "true_shares": shares, "games": 0},
    )


def _held(c: Coverage) -> Texts:
    rows = [(words, *(SHARE.text(c.held(name, share)) for share in c.shares)) for name, words in FIGURES.items()]
    heads = ("figure", *(f"{100 * share:g} %" for share in c.shares))
    title = "95 % intervals that contain the true value, by the true share"
    return Texts(heads, rows, range(1, len(heads)), title=title)


def _body(c: Coverage) -> str:
    return filled(
        "coverage",
        verdict=c.verdict(),
        table=_held(c).markdown(),
        a=c.a,
        b=c.b,
        rules=c.rules,
        seeds=seeds_text(c.seed),
        samples=f"{c.samples:,}",
        deals=f"{c.deals:,}",
        hands=f"{c.hand_count:,}",
    )
