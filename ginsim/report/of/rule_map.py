"""A map of best strategies over two rules."""

from __future__ import annotations

from functools import partial

from ginsim.report import plots
from ginsim.report.games import rule_label
from ginsim.report.page import code_list, each_pairing, rules_section, told
from ginsim.report.plots import value_labels
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.map import RuleMap

__all__ = ["sheet"]

OF = RuleMap
"""What is shown here."""


def sheet(m: RuleMap) -> Sheet:
    """A map of best strategies."""
    axes = [[name, list(values)] for name, values in (m.x, m.y)]
    (x, _), (y, _) = axes
    return Sheet(
        "rule_map",
        [*axes, list(m.strategies)],
        {"rules": m.base, "deals": m.deals, "seed": m.seed},
        m.base,
        m.strategies,
        f"The best strategy over {x} and {y}",
        lambda: _body(m),
        lambda: {"map": m.table(), "summary": m.summary().rename(columns=str).rename_axis(columns=None).reset_index()},
        {"map": partial(plots.rule_map, m)},
        lambda: [_map(m)],
        rules_text=rules_section(m.base, f"but for `{x}` and `{y}`"),
    )


def _map(m: RuleMap) -> Texts:
    (x, across), (y, down) = m.x, m.y
    labels, common = value_labels(m.strategies)
    best, clear = m.best_index(), m.table()["clear"].to_numpy().reshape(m.points.shape[:2])
    rows = [
        (value, *(labels[i] + ("" if sure else " ?") for i, sure in zip(best[r], clear[r], strict=True)))
        for r, value in reversed(list(enumerate(down)))
    ]
    title = f"Best strategy{f' ({common})' if common else ''}: {x} across, {y} down"
    head, caption = (f"{y} \\ {x}", *map(str, across)), "?: the lead over the second is within the intervals"
    return Texts(head, rows, range(len(head)), title=title, caption=caption)


def _body(m: RuleMap) -> str:
    (x, across), (y, down) = m.x, m.y
    common = value_labels(m.strategies)[1]
    return filled(
        "map",
        **told(m),
        common=f" ({common})" if common else "",
        x=rule_label(x, "`"),
        y=rule_label(y, "`"),
        x_name=x,
        y_name=y,
        map=_map(m).markdown(),
        strategies=code_list(m.strategies),
        cells=len(across) * len(down),
        each=each_pairing(m.points.shape[2]),
    )
