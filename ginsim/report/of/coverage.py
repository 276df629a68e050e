"""How often intervals contain the true value."""

from __future__ import annotations

from functools import partial

from ginsim.report import plots
from ginsim.report.figures import SHARE
from ginsim.report.page import told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.coverage import FIGURES, Coverage

__all__ = ["sheet"]

OF = Coverage
"""What is shown here."""


def sheet(c: Coverage) -> Sheet:
    """How often intervals contain the true value."""
    return Sheet(
        "coverage",
        [c.a, c.b],
        {"rules": c.rules, "deals": c.deals, "seed": c.seed, "samples": c.samples, "shares": list(c.shares)},
        c.rules,
        (c.a, c.b),
        "How often intervals contain the true value",
        lambda: _body(c),
        lambda: {"coverage": c.table()},
        {"coverage": partial(plots.coverage, c)},
        lambda: [_held(c)],
    )


def _held(c: Coverage) -> Texts:
    rows = [(words, *(SHARE.text(c.held(name, share)) for share in c.shares)) for name, words in FIGURES.items()]
    heads = ("figure", *(f"{100 * share:g} %" for share in c.shares))
    title = "95 % intervals that contain the true value, by the true share"
    return Texts(heads, rows, range(1, len(heads)), title=title)


def _body(c: Coverage) -> str:
    return filled("coverage", **told(c), table=_held(c).markdown())
