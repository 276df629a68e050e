"""What rules change once players adapt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ginsim.report import plots
from ginsim.report.games import rule_label
from ginsim.report.page import code_list, rules_section, told, variants_section
from ginsim.report.plots import variant_labels
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.solving.adapting import AFTER, BEFORE, KNOWS, LAST, MOST
from ginsim.solving.cells import KNOWN
from ginsim.study.adaptation import MAPPED, MEASURES, Adaptation, level_text

if TYPE_CHECKING:
    from ginsim.inference.estimates import Estimate

__all__ = ["sheet"]

OF = Adaptation
"""What is shown here."""


def sheet(a: Adaptation) -> Sheet:
    """What rules change once players adapt."""
    settings = {"deals": a.deals, "seed": a.seed, "adapt": "knock"}
    if a.axes:
        (x, across), (y, down) = a.axes
        title = f"The best knocking, over {x} and {y}"
        arguments = [[x, list(across)], [y, list(down)], list(a.strategies)]
        function, settings, but = "rule_map", {"rules": a.base, **settings}, f"but for `{x}` and `{y}`"
    else:
        title = f"What {len(a.variants)} variants change against {a.base} once players adapt"
        function, arguments, but = "effect", [a.base, list(a.variants), list(a.strategies)], ""
    rules = rules_section(a.base, but)
    return Sheet(
        function,
        arguments,
        settings,
        a.base,
        a.strategies,
        title,
        lambda: _body(a),
        lambda: {
            "adaptation": a.table(),
            "summary": a.summary().reset_index(),
            "by_strategy": a.by_strategy() if len(a.strategies) > 1 else None,
        },
        {f"map_{name}": partial(plots.adapting_map, a, name) for name in MAPPED}
        if a.axes
        else {"adapting": partial(plots.adapting, a)},
        lambda: [_plane(a, name) for name in MAPPED] if a.axes else [_changes(a, BEFORE), _changes(a, AFTER), _adapting(a)],
        rules_text=rules if a.axes else f"{rules}\n\n{variants_section(a.base, a.variants)}",
    )


def _heads(last: bool = True) -> list[str]:
    return [f"{m.label}{', pp' if m.is_share else ''}" for name, m in MEASURES.items() if last or name != LAST]


def _rows(a: Adaptation, change: Callable[[int, str], Estimate], last: Callable[[int], str]) -> list[Sequence[str]]:
    names = variant_labels(a.base, a.variants)
    return [
        (names[rule - 1], *(last(rule) if name == LAST else m.change_text(change(rule, name)) for name, m in MEASURES.items()))
        for rule in range(1, 1 + len(a.variants))
    ]


def _turns(e: Estimate) -> str:
    return f"{e.value:.3g} ({e.low:.3g} to {e.high:.3g})"


def _changes(a: Adaptation, when: str) -> Texts:
    """The base's figures, and what each variant changes in them before adapting or after."""
    base = (a.base, *(level_text(name, a.level(0, name).value) for name in MEASURES))
    rows = _rows(a, lambda rule, name: a.change(rule, name, when), lambda rule: _turns(a.level(rule, LAST, when)))
    title = f"Change against {a.base}, {when} the knock adapts, ± half the 95 % interval (pp: percentage points)"
    return Texts(("rules", *_heads()), [base, *rows], range(1, 1 + len(MEASURES)), (0,), title, first_apart=True)


def _adapting(a: Adaptation) -> Texts:
    """What adapting changes, and what not to adapt costs."""
    names = variant_labels(a.base, a.variants)
    rows = [
        (
            names[rule - 1],
            *(own.change_text(a.adapting(rule, name)) for name, own in MEASURES.items() if name != LAST),
            MEASURES["value"].text(a.gain(rule)),
        )
        for rule in range(1, 1 + len(a.variants))
    ]
    heads = ("rules", *_heads(last=False), "won from a player who does not adapt, points per hand")
    title = "What adapting changes (after minus before), ± half the 95 % interval"
    return Texts(heads, rows, range(1, len(heads)), (0,), title)


def _plane(a: Adaptation, measure: str) -> Texts:
    (x, across), (y, down) = a.axes
    m, values = MEASURES[measure], a.plane(measure)
    rows = [(value, *(level_text(measure, of) for of in values[r])) for r, value in reversed(list(enumerate(down)))]
    head = (f"{y} \\ {x}", *map(str, across))
    return Texts(head, rows, range(len(head)), title=f"{m.label[:1].upper()}{m.label[1:]}: {x} across, {y} down")


def _maps(a: Adaptation) -> str:
    found = []
    for name in MAPPED:
        m = MEASURES[name]
        unit = "per cent" if m.is_share else m.unit
        text = f"## {m.label[:1].upper()}{m.label[1:]}\n\nIn {unit} ({a.widest(name)})."
        found.append(f"{text}\n\n{_plane(a, name).markdown()}\n\n![{m.label}](map_{name}.png)")
    return "\n\n".join(found)


def _body(a: Adaptation) -> str:
    several = len(a.strategies) > 1
    values = {"x": rule_label(a.axes[0][0], "`"), "y": rule_label(a.axes[1][0], "`")} if a.axes else {"x": "", "y": ""}
    return filled(
        "adaptation",
        **told(a),
        **values,
        maps=_maps(a) if a.axes else "",
        variants="" if a.axes else "yes",
        before=_changes(a, BEFORE).markdown(),
        after=_changes(a, AFTER).markdown(),
        adapting=_adapting(a).markdown(),
        strategies=code_list(a.strategies),
        means=" Figures are plain means over the strategies." if several else "",
        each="Each" if several else "It",
        checks=f"{a.checks:,}",
        cells=f"{a.cells:,}",
        known=" and ".join(KNOWN[name].meaning for name in KNOWS),
        most=f"{100 * MOST:.0f} %",
    )
