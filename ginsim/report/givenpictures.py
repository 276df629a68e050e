"""Charts that came without their study as pictures: cards to print, and side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ginsim.errors import InputError
from ginsim.report import plots
from ginsim.report.given import UNSURE, GivenChart
from ginsim.solving.cells import KNOWN
from ginsim.solving.chart import Chart
from ginsim.study.solve import CRITERIA, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cards_of", "picture_of"]

Draw = Callable[[], "Axes"]


def picture_of(given: Sequence[Solution | GivenChart]) -> Draw:
    """The picture of charts: one as a card, several side by side.

    Raises
    ------
    InputError
        If one is too much for a card.
    """
    if len(given) > 1:
        return partial(plots.knock_charts, _by_name(given))
    cards = dict(_cards(given[0], ""))
    if len(cards) > 1:
        raise InputError(f"out: one card has no room for this chart; give a folder for {len(cards)} cards, or a page (.html)")
    return next(iter(cards.values()))


def cards_of(given: Sequence[Solution | GivenChart]) -> dict[str, Draw]:
    """The cards of charts by the names of their files."""
    return {f"card_{stem}{more}": draw for stem, one in _by_name(given).items() for more, draw in _cards(one, "_").items()}


def _by_name(given: Sequence[Solution | GivenChart]) -> dict[str, Solution | GivenChart]:
    """The charts by short names, no two of which are alike: a solved knock by its rules and what tells it from others."""
    found = dict[str, Solution | GivenChart]()
    facts = [_facts(one) for one in given if isinstance(one, Solution)]
    differ = [k for k, column in enumerate(zip(*facts, strict=True)) if k and len(set(column)) > 1]
    for one in given:
        if isinstance(one, Solution):
            name = "_".join(_facts(one)[k] for k in (0, *differ))
        else:
            name = Path(one.name).name.removesuffix(".json")
        stem = re.sub(r"[^\w.-]+", "_", name).strip("_")[:80] or "chart"
        again = sum(other == stem or other.startswith(f"{stem}-") for other in found)
        found[f"{stem}-{again + 1}" if again else stem] = one
    return found


def _facts(one: Solution) -> tuple[str, ...]:
    """In what solved knocks may differ, the rules first."""
    return one.rules, one.strategy, one.by, "_".join(one.known)


def _cards(one: Solution | GivenChart, joint: str) -> dict[str, Draw]:
    """The card of a chart, or if it knows much, one for each class of what it knows last, where it ever knocks."""
    if isinstance(one, Solution):
        return {"": partial(plots.knock_card, one)}
    return {
        joint.join(["", *(f"{name}_{label}" for name, label in classes)]): partial(_card, one, chart, classes)
        for classes, chart in _parts(one.chart)
        if chart.knock.any()
    }


def _parts(chart: Chart) -> Iterator[tuple[list[tuple[str, str]], Chart]]:
    """The chart, or if it knows more than two things beside seat and turn, its parts that do not."""
    if len(chart.cells.known) < 3:
        yield [], chart
        return
    last = chart.cells.known[-1]
    for label in KNOWN[last].labels:
        for classes, part in _parts(chart.where(last, label)):
            yield [*classes, (last, label)], part


def _card(one: GivenChart, chart: Chart, classes: Sequence[tuple[str, str]]) -> Axes:
    """A card of a chart or of a part of it."""
    about: Mapping[str, str] = one.about
    said = ". ".join(f"{KNOWN[name].meaning}: {label}".capitalize() for name, label in classes)
    counted = CRITERIA.get(about.get("by", ""), ("not known",))[0]
    deals = about.get("deals", "")
    source = f"{one.name}{f', solved on {int(deals):,} deals' if deals.isdecimal() else ''}{'' if chart.sums else f'. {UNSURE}'}"
    return plots.chart_card(chart, about.get("rules", "not known"), about.get("strategy", "not known"), counted, source, said)
