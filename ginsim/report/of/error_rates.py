"""How often tests are wrong."""

from __future__ import annotations

from functools import partial

from ginsim.inference.sequential import points_text
from ginsim.report import plots
from ginsim.report.figures import SHARE, row_text
from ginsim.report.page import told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.error_rates import ErrorRates

__all__ = ["sheet"]

OF = ErrorRates
"""What is shown here."""

COLUMNS = {
    "decided": "called one better",
    "wrong": "called the wrong one better",
    "equal": "equal",
    "undecided": "undecided",
    "peeked": "peeking",
    "fixed": "fixed size",
    "controlled": "fixed size, luck out",
}


def sheet(r: ErrorRates) -> Sheet:
    """How often tests are wrong."""
    of = {"comparisons": r.comparisons, "differences": list(r.differences), "control": r.control}
    settings = {"rules": r.rules, "deals": r.deals, "seed": r.seed}
    return Sheet(
        "error_rates",
        [r.a, r.b],
        settings | of | {"shares": list(r.shares), "until": r.test.model_dump()},
        r.rules,
        (r.a, r.b),
        "How often a test is wrong",
        lambda: _body(r),
        lambda: {"error_rates": r.table()},
        {"error_rates": partial(plots.error_rates, r)},
        lambda: [_shares(r)],
    )


def _shares(r: ErrorRates) -> Texts:
    table, rare = r.table(), r.shares != (1.0,)
    names = [name for name in COLUMNS if name != "controlled" or r.control]
    rows = []
    for _, row in table.iterrows():
        shares = [row_text(SHARE, row, name) if name in table else "–" for name in names]
        differing = [f"{100 * row['differing']:g} %"] if rare else []
        pairs = (f"{2 * row[name]:,.0f}" for name in ("pairs", "fixed_pairs"))
        rows.append((*differing, f"{row['difference']:g}", *shares, *pairs))
    heads = (*(["pairs that differ"] * rare), "difference", *(COLUMNS[name] for name in names), "hands", "hands, fixed size")
    title = f"Shares of {r.comparisons:,} comparisons, by the difference in points per hand, with 95 % intervals"
    return Texts(heads, rows, range(len(heads)), title=title)


def _body(r: ErrorRates) -> str:
    return filled(
        "error_rates",
        **told(r),
        table=_shares(r).markdown(),
        rarely=r.shares != (1.0,),
        size=points_text(r.test.points),
        alpha=f"{r.test.alpha:g}",
        beta=f"{r.test.beta:g}",
        first=f"{r.test.first:,}",
    )
