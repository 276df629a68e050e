"""``ginsim list``: everything that can be named in a spec, with its parameters."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from ginsim.commands import console_of
from ginsim.errors import InputError, shown, suggest
from ginsim.games import packages
from ginsim.games.decisions import Param
from ginsim.games.gin.players.families import DECISIONS, FAMILIES, WORDS
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.rules import allowed
from ginsim.games.table.players.families import FAMILIES as TABLE_FAMILIES
from ginsim.games.table.rules import PRESETS as TABLE_PRESETS
from ginsim.games.table.rules import TableRules
from ginsim.specs import format_value


def _strategies() -> Table:
    table = _table("Strategies", "strategy", "parameter", "default", "allowed", "meaning")
    for family in FAMILIES.values():
        table.add_row(family.name, "", "", "", family.meaning)
        for name, (param, choices) in family.options().items():
            if param is None:
                kind = next(kind for kind, word in WORDS.items() if word == name)
                table.add_row("", name, choices[0], " | ".join(choices), f"the {kind} decision, if no parameter tells")
            elif not family.open:
                table.add_row("", name, format_value(family.default(param)), _range(param), param.meaning)
        if family.open:
            table.add_row("", "…", "", "", "the parameters of its decisions (ginsim list decisions)")
    for name, brought_by in packages.names(packages.STRATEGIES).items():
        table.add_row(name, "", "", "", _brought(brought_by, name in FAMILIES))
    table.add_row("path/to/file.py:name", "", "", "", "a strategy of your own: jitted functions or plain Python")
    return table


def _decisions() -> Table:
    table = _table("Decisions", "kind", "name", "parameter", "default", "allowed", "meaning")
    for decision in DECISIONS.values():
        table.add_row(decision.kind, decision.name, "", "", "", decision.meaning)
        for param in decision.params:
            meaning = f"{param.meaning} (“{param.claim}”)" if param.claim else param.meaning
            table.add_row("", "", param.name, format_value(param.default), _range(param), meaning)
    shipped = {f"{kind}.{name}" for kind, name in DECISIONS}
    for name, brought_by in packages.names(packages.DECISIONS).items():
        kind, _, own = name.partition(".")
        table.add_row(kind, own, "", "", "", _brought(brought_by, name in shipped))
    return table


def _brought(brought_by: list[str], shipped: bool) -> str:
    """Where a name comes from, or why it is refused."""
    refused = "refused: the name of a shipped one; " if shipped else "refused: brought twice; " if len(brought_by) > 1 else ""
    return f"{refused}from {' and '.join(brought_by)}"


def _rules() -> Table:
    table = _table("Fields of rules (defaults: classic25)", "field", "default", "allowed", "meaning")
    defaults = Rules()
    for name, info in Rules.model_fields.items():
        table.add_row(name, format_value(getattr(defaults, name)), allowed(name), info.description or "")
    return table


def _presets() -> Table:
    table = _table("Presets of rules", "preset", "description")
    for name, description in _described():
        table.add_row(name, description)
    return table


def _described() -> list[tuple[str, str]]:
    gin = [(name, preset.description) for name, preset in PRESETS.items()]
    return gin + [(name, preset.description) for name, preset in TABLE_PRESETS.items()]


def _table_strategies() -> Table:
    table = _table("Strategies of the table game (rules=house)", "strategy", "parameter", "default", "allowed", "meaning")
    for family in TABLE_FAMILIES.values():
        table.add_row(family.name, "", "", "", family.meaning)
        for param in family.params:
            table.add_row("", param.name, format_value(family.default(param)), _range(param), param.meaning)
    return table


def _table_rules() -> Table:
    table = _table("Fields of rules of the table game (defaults: house)", "field", "default", "allowed", "meaning")
    defaults = TableRules()
    for name, info in TableRules.model_fields.items():
        table.add_row(name, format_value(getattr(defaults, name)), allowed(name, TableRules), info.description or "")
    return table


SECTIONS: dict[str, Callable[[], Table]] = {
    "strategies": _strategies,
    "decisions": _decisions,
    "presets": _presets,
    "rules": _rules,
    "table": _table_strategies,
    "house": _table_rules,
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
