"""Gauntlets, sweeps and factorial designs: players on common decks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError
from ginsim.report import plots
from ginsim.report.figures import SHARE, figure
from ginsim.report.of.comparison import given_by
from ginsim.report.page import code_list, rules_section, told, variants_section
from ginsim.report.plots import against
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.specs import parse_spec
from ginsim.study.grid import Factorial, Gauntlet, Grid, Sweep
from ginsim.study.measures import COMPARED, PART_EFFECT

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


__all__ = ["sheet"]

OF = Grid
"""What is shown here."""

CAUTIOUS = (
    " Of games each player's sums are kept by themselves, so a difference in them has an interval that is wide enough however "
    "the two depend on each other: it leaves out zero only if the intervals of both do not touch."
)
_CELLS = "![{} of each {}, with 95 % intervals](cells.png)"


def sheet(g: Grid) -> Sheet:
    """A gauntlet, a sweep or a factorial design."""
    axes = {name: [_value(value) for value in values] for name, values in g.axes}
    first: list[Any] = [list(g.players)] if isinstance(g, Gauntlet) else [g.base, axes]
    players = list(dict.fromkeys(g.players))
    several = len(g.opponents) > 1

    def tables() -> Mapping[str, pd.DataFrame | None]:
        found: dict[str, pd.DataFrame | None] = {"cells": g.table(), "opponents": g.opponent_table() if several else None}
        return found | ({"effects": g.effects(), "shares": g.shares()} if isinstance(g, Factorial) else {})

    return Sheet(
        type(g).__name__.lower(),
        [*first, list(g.opponents)],
        {"rules": g.rules, "deals": g.deals, "seed": g.seed, "games": g.games} | given_by(g),
        g.rules,
        [*players, *(name for name in g.opponents if name not in players)],
        _title(g),
        lambda: _body(g),
        tables,
        _pictures(g),
        lambda: [_ranking(g), *(_effects(g) if isinstance(g, Factorial) else [])],
        rules_text=_rules(g),
    )


def _value(text: str) -> Any:
    """A value of an axis as it is given in Python: several parameters at once in brackets."""
    try:
        return parse_spec(f"value(is={text})").args["is"]
    except InputError:
        return f"({text})"


def _title(g: Grid) -> str:
    *others, last = (name for name, _ in g.axes)
    names = f"{', '.join(others)} and {last}" if others else last
    if isinstance(g, Gauntlet):
        return f"{len(g.players)} challengers against {len(g.opponents)} opponents"
    return f"What {names} are worth together" if isinstance(g, Factorial) else f"{g.base} over {names}"


def _pictures(g: Grid) -> dict[str, Callable[..., Axes]]:
    if isinstance(g, Sweep):
        return {"curve": partial(plots.sweep_curve, g)} if len(g.axes) == 1 else {"heatmap": partial(plots.sweep_map, g)}
    effects = {"effects": partial(plots.factorial_effects, g)} if isinstance(g, Factorial) else {}
    return {**effects, "cells": partial(plots.cells, g)}


def _captions(g: Grid) -> str:
    label = g.judged.label
    cells = _CELLS.format(f"{label[:1].upper()}{label[1:]}", _cell_name(g))
    if isinstance(g, Factorial):
        mains = "![Main effects of each factor in points per hand, with 95 % intervals](effects.png)"
        return f"{mains}\n\n{cells}"
    if isinstance(g, Gauntlet):
        return cells
    names = [name for name, _ in g.axes]
    if len(names) == 1:
        return f"![{label[:1].upper()}{label[1:]} over {names[0]}, with the band of the 95 % intervals](curve.png)"
    return f"![Heat map of {label} over {names[0]} and {names[1]}](heatmap.png)"


def _cell_name(g: Grid) -> str:
    return "challenger" if isinstance(g, Gauntlet) else "setting" if len(g.axes) == 1 else "combination"


def _ranking(g: Grid) -> Texts:
    labels, rows = g.labels(), []
    for k, best in g.best_of.items():
        figures = [COMPARED[name].text(g.estimate(k, name)) for name in g.measures]
        rows.append((labels[k], *figures, "" if k == best else g.judged.difference_text(g.behind(best, k))))
    behind = f"behind the best in {g.judged.label}" if len(g.measures) > 2 else "behind the best"
    heads = (_cell_name(g), *(COMPARED[name].label for name in g.measures), behind)
    return Texts(heads, rows, range(1, len(heads)), (0,), f"Against {against(g)}, with 95 % intervals")


def _by_opponent(g: Grid) -> Texts:
    """The criterion of every cell against every opponent."""
    labels, columns = g.labels(), range(len(g.opponents))
    rows = [(labels[k], *(g.judged.text(getattr(g.cells[k, j], g.criterion)) for j in columns)) for k in g.best_of]
    return Texts((_cell_name(g), *(f"`{name}`" for name in g.opponents)), rows, range(1, 1 + len(columns)), (0,))


def _effects(g: Factorial) -> list[Texts]:
    """Main effects, and interactions of two."""
    found: list[Any] = list(g.effects().itertuples())
    texts = []
    for order, heads, title in (
        (1, ("factor", "level", "effect"), "Main effects"), (2, ("factors", "levels", "interaction"), "Interactions of two"),
    ):  # fmt: skip
        rows = [
            (row.term, row.level, f"{PART_EFFECT.text(figure(row.effect, row.low, row.high))}{'' if row.clear else ' –'}")
            for row in found
            if row.order == order
        ]
        caption = "–: not clear after Holm's correction for all the effects"
        texts.append(Texts(heads, rows, (2,), (1,), f"{title}: {PART_EFFECT.label}, with 95 % intervals", caption))
    return texts


def _body(g: Grid) -> str:
    mains, interactions, spread = "", "", ""
    if isinstance(g, Factorial):
        mains, interactions = (table.markdown() for table in _effects(g))
        shares: list[Any] = sorted(g.shares().itertuples(), key=lambda row: -row.share)
        spread = ", ".join(f"{row.term} explains {SHARE.value_text(row.share)}" for row in shares)
    several = len(g.opponents) > 1
    return filled(
        "grid",
        **told(g),
        pictures=_captions(g),
        mains=mains,
        interactions=interactions,
        spread=spread,
        combinations=len(g.players),
        axes=", ".join(name for name, _ in g.axes),
        behind="the best under the same rules" if len(g.by_rules) > 1 else "the best",
        ranking=_ranking(g).markdown(),
        criterion=g.judged.label,
        axis=g.judged.axis,
        cautious="" if g.criterion == "points_per_hand" else CAUTIOUS,
        by_opponent=_by_opponent(g).markdown() if several else "",
        opponents=code_list(g.opponents),
        games=f" and {g.games:,} duplicate pairs of games" if g.games else "",
        each=" for each opponent" if several else "",
    )


def _rules(g: Grid) -> str:
    """The base rules in full, and what the cells change in them."""
    names = [name.removeprefix("rules.") for name, _ in g.axes if name.startswith("rules.")]
    section = rules_section(g.rules, f"but for {' and '.join(f'`{name}`' for name in names)}" if names else "")
    others = [name for name in dict.fromkeys(g.cell_rules) if name != g.rules]
    return section if names else "\n\n".join(filter(None, (section, variants_section(g.rules, others))))
