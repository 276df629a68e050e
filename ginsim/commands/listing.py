"""``ginsim list``: everything that can be named in a spec, with its parameters."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib import import_module

from ginsim.commands import tell
from ginsim.commands.console import print_tables, room
from ginsim.errors import InputError, shown, suggest
from ginsim.games import packages
from ginsim.games.decisions import Param, Table
from ginsim.games.families import REPERTOIRES, Family, Repertoire
from ginsim.games.gin.players.chartfiles import about_chart, kept_chart, shipped
from ginsim.games.rulebook import RULES, presets
from ginsim.games.rules import RulesModel, allowed
from ginsim.report.texts import Texts
from ginsim.specs import format_value


def _strategies(of: Repertoire, title: str) -> Texts:
    rows: list[tuple[str, ...]] = []
    for family in of.families.values():
        rows.append((family.name, "", "", "", family.meaning))
        for name, (param, choices) in family.options().items():
            if param is None:
                kind = next(kind for kind, word in of.words.items() if word == name)
                rows.append(("", name, choices[0], " | ".join(choices), f"the {kind} decision, unless a parameter sets it"))
            elif not family.open or param == (of.memory and of.memory.param):
                rows.append(("", name, format_value(family.default(param)), _range(param), param.meaning))
        if family.under and not family.options():
            rows += [("", f"under {', '.join(own)}", "", "", spec) for spec, own in _under(family, of.game).items()]
        if family.open:
            rows.append(("", "…", "", "", "the parameters of its decisions (ginsim list decisions)"))
    return Texts(("strategy", "parameter", "default", "allowed", "meaning"), [*rows, *_others(of)], title=title)


def _under(family: Family, game: str) -> dict[str, list[str]]:
    """Who a strategy is under the presets of a game."""
    found: dict[str, list[str]] = {}
    for model in RULES:
        for preset, own in model.presets().items() if game == model.GAME else ():
            found.setdefault(family.under(own.rules, {}) if family.under else "", []).append(preset)
    return found


def _others(of: Repertoire) -> Iterator[tuple[str, ...]]:
    """What packages bring, and what users write."""
    if of.game == RULES[0].GAME:  # of which game they are is not known before they are loaded
        for name, brought_by in packages.names(packages.STRATEGIES).items():
            yield name, "", "", "", _brought(brought_by, name in of.families)
    yield "path/to/file.py:name", "", "", "", "a strategy of your own: jitted functions or plain Python"


def _decisions(of: Repertoire, title: str) -> Texts:
    rows: list[tuple[str, ...]] = []
    for decision in of.decisions.values():
        rows.append((decision.kind, decision.name, "", "", "", decision.meaning))
        for param in decision.params:
            meaning = f"{param.meaning} (“{param.claim}”)" if param.claim else param.meaning
            rows.append(("", "", param.name, format_value(param.default), _range(param), meaning))
        if table := decision.table:
            rows.append(("", "", table.name, table.default, _range(table), table.meaning))
    shipped = {f"{kind}.{name}" for kind, name in of.decisions}
    for name, brought_by in packages.names(packages.DECISIONS).items() if of.game == RULES[0].GAME else ():
        kind, _, own = name.partition(".")
        rows.append((kind, own, "", "", "", _brought(brought_by, name in shipped)))
    return Texts(("kind", "name", "parameter", "default", "allowed", "meaning"), rows, title=title)


def _brought(brought_by: list[str], shipped: bool) -> str:
    """Where a name comes from, or why it is refused."""
    refused = "refused: the name of a shipped one; " if shipped else "refused: brought twice; " if len(brought_by) > 1 else ""
    return f"{refused}from {' and '.join(brought_by)}"


def _fields_of_preset(name: str) -> Iterator[Texts]:
    """The fields of a preset, if there is one of that name."""
    if preset := presets().get(name):
        rows = [(field, format_value(value)) for field, value in preset.rules.model_dump().items()]
        yield Texts(("field", "value"), rows, title=f"Fields of {name}")


def _fields(of: type[RulesModel], title: str) -> Texts:
    """The fields of a game's rules."""
    defaults = of()
    rows = [
        (name, format_value(getattr(defaults, name)), allowed(name, of), info.description or "")
        for name, info in of.model_fields.items()
    ]
    return Texts(("field", "default", "allowed", "meaning"), rows, title=title)


def _presets() -> Texts:
    rows = [(name, preset.description) for name, preset in presets().items()]
    return Texts(("preset", "description"), rows, title="Presets of rules")


def _charts() -> Texts:
    """The charts that ginsim ships, by what their files say of them."""
    rows = []
    for name in shipped():
        found = kept_chart(name)[0]
        about = about_chart(found)
        rows.append((name, about["title"].removeprefix(TITLE), about["rules"], about["strategy"], ", ".join(found["known"])))
    return Texts(
        ("chart", TITLE.strip().lower(), "rules", "draws and discards of", "sees"), rows, title="Charts of when to knock",
        caption="Solved for two equal players. To show one: ginsim charts NAME; to play by it: 'custom(stop=chart, chart=NAME)'.",
    )  # fmt: skip


NAMED = ("strategy", "name", "preset", "field", "chart")
"""Heads of the columns with the names of what is listed."""
WIDTH = 140
TITLE = "When to knock under "
"""What titles of charts begin with."""


def show(what: str | None = None, name: str | None = None) -> None:
    """Print one section of all games, all sections of one game, or all; of these, only what is called ``name``.

    A name alone is looked for in all sections. Nothing at all: the names of everything, on one screen.
    """
    sections = _sections()
    if what is None:
        tell("\n".join(_overview(sections)))
        tell("More on each: ginsim list strategies, decisions, presets, charts or rules; ginsim list NAME; ginsim list all.")
        return
    if what not in sections and name is None:
        what, name = "all", what
    if what not in sections:
        raise InputError(f"list: there is no {shown(what)}; {suggest(what, sections)}")
    tables = sections[what]
    if name is not None:
        known = dict.fromkeys(known for texts in tables for known, _ in _items(texts))
        if name not in known:
            close = suggest(name, [*known, *sections])
            raise InputError(f"list: there is no {shown(name)}; {close if '?' in close else suggest('', sections)}")
        tables = [*filter(lambda texts: texts.rows, (_only(texts, name) for texts in tables)), *_fields_of_preset(name)]
    print_tables(tables, WIDTH)


def _sections() -> dict[str, list[Texts]]:
    """What can be asked for, and its tables."""
    sections: dict[str, list[Texts]] = {"strategies": [], "decisions": [], "presets": [_presets()], "charts": [_charts()]}
    sections["rules"] = []
    by_game: dict[str, list[Texts]] = {}
    for rules in RULES:
        first = next(iter(rules.presets()))
        if rules.GAME not in REPERTOIRES:
            import_module(f"ginsim.games.{rules.GAME}.players.families")  # the games themselves would take longer
        of = REPERTOIRES[rules.GAME]
        own = {
            "strategies": _strategies(of, f"Strategies of {of.title}"),
            "decisions": _decisions(of, f"Decisions of {of.title}"),
            "rules": _fields(rules, f"Fields of the rules of {of.title} (defaults: {first})"),
        }
        by_game[rules.GAME] = list(own.values())
        for section, texts in own.items():
            sections[section].append(texts)
    return sections | by_game | {"all": [texts for name in sections for texts in sections[name]]}


def _overview(sections: dict[str, list[Texts]]) -> Iterator[str]:
    """The names of everything, in lines."""
    lines = textwrap.TextWrapper(
        room(WIDTH), initial_indent="  ", subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )
    for section in ("strategies", "decisions", "presets", "charts", "rules"):
        for texts in sections[section]:
            names: dict[str, dict[str, None]] = {}
            for name, row in _items(texts):
                kind = (str(row[0]) or next(reversed(names))) if section == "decisions" else ""
                names.setdefault(kind, {})[name] = None
            yield texts.title
            for kind, own in names.items():
                yield lines.fill(f"{kind}: {', '.join(own)}" if kind else ", ".join(own))


def _items(texts: Texts) -> Iterator[tuple[str, Sequence[object]]]:
    """Each row with the name of what it belongs to: rows of parameters follow that of their strategy or decision."""
    at, name = next(k for k, head in enumerate(texts.head) if head in NAMED), ""
    for row in texts.rows:
        name = str(row[at]) if row[0] else name
        yield name, row


def _only(texts: Texts, name: str) -> Texts:
    return replace(texts, rows=[row for of, row in _items(texts) if of == name])


def _range(param: Param | Table) -> str:
    if isinstance(param, Table):
        return f"{', '.join(param.names())}; or a path"
    plain = f"{param.low:g} … {param.high:g}"
    return f"list of 1 to {param.many}, each {plain}" if param.many else plain
