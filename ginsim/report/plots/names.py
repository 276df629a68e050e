"""Names on axes: only what varies, in lines that fit."""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from ginsim.errors import InputError, suggest
from ginsim.games.catalog import rules_of
from ginsim.report.plots.style import STYLE, TICK
from ginsim.specs import Spec, format_value, parse_spec

LONG, WRAP = 18, 36
"""Characters from which names do not go aslant under columns, and after which they are wrapped."""
LINES = 4
"""Lines that a name under a column may take."""


def check_measure(name: str, known: Sequence[str]) -> None:
    """Complain of a measure that is not among those that can be drawn."""
    if name not in known:
        raise InputError(f"measure: {name!r} cannot be plotted here; {suggest(name, known)}")


def short_labels(strategies: Sequence[str]) -> tuple[list[str], str]:
    """Names for an axis: only what varies, if all strategies are of one family.

    Returns
    -------
    labels : list of str
        One a strategy, all different.
    common : str
        The family with the parameters that all share; empty if there is more than one family.

    Examples
    --------
    >>> short_labels(["threshold(knock=0, draw=strict)", "threshold(knock=10, draw=strict)"])
    (['knock=0', 'knock=10'], 'threshold(draw=strict)')
    >>> short_labels(["simple", "strategies/mine.py:careful"])
    (['simple', 'mine.py:careful'], '')
    """
    specs = [_spec_of(strategy) for strategy in strategies]
    shared = _shared(specs)
    if len(specs) > 1 and len({spec.name for spec in specs}) == 1:
        own = [{key: value for key, value in spec.args.items() if key not in shared} for spec in specs]
        labels = [", ".join(f"{key}={format_value(value)}" for key, value in args.items()) or "default" for args in own]
        common = _written(Spec(specs[0].name, shared))
    else:
        labels, common = [_written(spec) for spec in specs], ""
    if len(set(labels)) < len(set(strategies)):
        return list(strategies), ""
    return labels, common


def variant_labels(base: str, variants: Sequence[str]) -> list[str]:
    """Names of variants beside their base: the fields that differ, or the preset.

    Examples
    --------
    >>> variant_labels("classic25", ["classic25(knock_limit=5, tie=push)", "straight", "oklahoma(oklahoma_ace=one)"])
    ['knock_limit=5, tie=push', 'straight', 'oklahoma(oklahoma_ace=one)']
    """
    rules, name = rules_of(base).model_dump(), parse_spec(base).name
    labels = []
    for variant in variants:
        fields = rules_of(variant).model_dump()
        changed = {key: None if value == "none" else value for key, value in fields.items() if value != rules[key]}
        own = [f"{key}={format_value(value)}" for key, value in changed.items()]
        labels.append(", ".join(own) if parse_spec(variant).name == name else variant)
    return labels


def value_labels(strategies: Sequence[str]) -> tuple[list[str], str]:
    """As `short_labels`, but the bare values if the strategies differ in one parameter.

    Examples
    --------
    >>> value_labels(["threshold(knock=0)", "threshold(knock=10)"])
    (['0', '10'], 'threshold, knock')
    >>> value_labels(["simple", "threshold(knock=10)"])
    (['simple', 'threshold(knock=10)'], '')
    """
    labels, common = short_labels(strategies)
    specs = [_spec_of(strategy) for strategy in strategies]
    names = {key for spec in specs for key in spec.args if f"{key}=" in "".join(labels)}
    if common and len(names) == 1 and all(label.startswith(f"{min(names)}=") for label in labels):
        return [label.partition("=")[2] for label in labels], f"{common}, {min(names)}"
    return labels, common


def _spec_of(strategy: str) -> Spec:
    try:
        return parse_spec(strategy)
    except InputError:  # a strategy made in Python may have any name
        return Spec(strategy)


def _shared(specs: Sequence[Spec]) -> dict[str, Any]:
    """The parameters that all specs have with the same value."""
    first, *others = specs or [Spec("")]
    return {
        key: value
        for key, value in first.args.items()
        if all(key in spec.args and format_value(spec.args[key]) == format_value(value) for spec in others)
    }


def _written(spec: Spec) -> str:
    """The spec without the folders of a file's name."""
    args = ", ".join(f"{key}={format_value(value)}" for key, value in spec.args.items())
    name = spec.name.replace("\\", "/").rsplit("/", 1)[-1] if ".py:" in spec.name else spec.name
    return f"{name}({args})" if args else name


def wrapped(labels: Sequence[str]) -> list[str]:
    """The labels in lines of at most `WRAP` characters."""
    return [textwrap.fill(label, WRAP, break_long_words=False) for label in labels]


def width_of(labels: Sequence[str]) -> float:
    """About the inches that the widest of the (wrapped) labels takes."""
    lines = [line for label in wrapped(labels) for line in label.splitlines()]
    return max(map(len, lines), default=0) * 0.6 * TICK / 72


def height_of(labels: Sequence[str]) -> float:
    """Inches that rows with these labels take."""
    lines = max((label.count("\n") for label in labels), default=0)
    return (0.235 + 0.11 * lines) * len(labels)


def stacked(labels: Sequence[str], cell: float) -> list[str]:
    """The names in lines that fit under cells, or [] if they do not; words are broken only for names that are long anyway."""
    found: list[str] = []
    for ends in ("(", "(=_") if max(map(len, labels)) > LONG else ("(",):
        found = [_in_lines(label, ends, 0.96 * cell) for label in labels]
        if all(found):
            return found
    return []


def _in_lines(label: str, ends: str, width: float) -> str:
    """The name broken after spaces and ``ends`` so that it fits into ``width`` inches, or "" if it does not."""
    lines = [""]
    for part in re.split(rf"(?<=[\s{ends}])(?![\s{ends}])", label):
        if lines[-1] and length_of((lines[-1] + part).rstrip()) > width:
            lines.append("")
        lines[-1] += part
    lines = [line.rstrip() for line in lines]
    return "\n".join(lines) if len(lines) <= LINES and all(length_of(line) <= width for line in lines) else ""


@functools.cache
def length_of(text: str) -> float:
    """Inches that a tick label takes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    font = FontProperties(family=STYLE["font.sans-serif"])
    return float(TextPath((0, 0), text, size=TICK, prop=font).get_extents().x1) / 72 if text.strip() else 0.0
