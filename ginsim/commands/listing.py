"""``ginsim list``: everything that can be named in a spec, with its parameters."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from ginsim.commands import console_of
from ginsim.errors import InputError, shown, suggest
from ginsim.rules import PRESETS, Rules, allowed
from ginsim.specs import format_value
from ginsim.strategies.decisions import Param
from ginsim.strategies.families import DECISIONS, FAMILIES


def _strategies() -> Table:
    table = _table("Strategies", "strategy", "parameter", "default", "allowed", "meaning")
    for family in FAMILIES.values():
        table.add_row(family.name, "", "", "", family.meaning)
        for name, (param, choices) in family.options().items():
            if param is None:
                table.add_row("", name, choices[0], " | ".join(choices), f"the {name} decision")
            else:
                table.add_row("", name, format_value(family.default(param)), _range(param), param.meaning)
    table.add_row("path/to/file.py:name", "", "", "", "a strategy of your own: jitted functions or plain Python")
    return table


def _decisions() -> Table:
    table = _table("Decisions", "kind", "name", "parameters", "meaning")
    for decision in DECISIONS.values():
        params = ", ".join(f"{param.name} ({_range(param)})" for param in decision.params)
        table.add_row(decision.kind, decision.name, params, decision.meaning)
    return table


def _rules() -> Table:
    table = _table("Fields of rules (defaults: classic25)", "field", "default", "allowed", "meaning")
    defaults = Rules()
    for name, info in Rules.model_fields.items():
        table.add_row(name, format_value(getattr(defaults, name)), allowed(name), info.description or "")
    return table


def _presets() -> Table:
    table = _table("Presets of rules", "preset", "description")
    for name, preset in PRESETS.items():
        table.add_row(name, preset.description)
    return table


SECTIONS: dict[str, Callable[[], Table]] = {
    "strategies": _strategies,
    "decisions": _decisions,
    "presets": _presets,
    "rules": _rules,
}


def show(what: str) -> None:
    """Print one section, or all."""
    if what != "all" and what not in SECTIONS:
        raise InputError(f"list: there is no {shown(what)}; {suggest(what, [*SECTIONS, 'all'])}")
    console = console_of(140)
    for name, section in SECTIONS.items():
        if what in ("all", name):
            console.print(section())


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _range(param: Param) -> str:
    plain = f"{param.low:g} … {param.high:g}"
    return f"list of 1 to {param.many}, each {plain}" if param.many else plain
