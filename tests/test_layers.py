"""Imports go one way, those inside functions and for type checkers included: by layer, and in no circle of modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "ginsim"
LAYERS = (
    ("version", "errors", "answers", "specs", "files", "cards", "layout", "compiling", "inlined", "jit", "deals", "melds"),
    ("inference",),
    ("games",),
    ("exact",),
    ("solving",),
    ("simulation",),
    ("study",),
    ("experiment",),
    ("training",),
    ("report",),
    ("warm", "bench", "guide"),
    ("commands",),
    ("cli", "__main__"),
)
"""Parts of the package: each may import itself, those beside it and those before it."""
IN_GAMES = (
    "decisions", "rules", "kernel", "counting", "sources", "packages", "codecache", "plugin", "families", "strategy", "ranking",
    "base", ("gin", "table"), "rulebook", "catalog",
)  # fmt: skip
"""The same within ``games``: what games share, each game, and what knows them all."""


def modules() -> dict[str, Path]:
    """All modules by their dotted name."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(name: str, path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the package that a module imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ginsim":
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in known else str(node.module))
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in known}
    return found - {name, "ginsim"}  # the names of the package itself are looked up when they are used


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    known = modules()
    return {name: imports_of(name, path, known) for name, path in known.items() if name != "ginsim"}


def rank(part: str, layers: tuple[object, ...]) -> int:
    return next(i for i, names in enumerate(layers) if part == names or (isinstance(names, tuple) and part in names))


def test_every_part_has_its_layer(graph: dict[str, set[str]]) -> None:
    assert {name.split(".")[1] for name in graph} == {part for layer in LAYERS for part in layer}
    within = {name.split(".")[2] for name in graph if name.startswith("ginsim.games.")}
    assert within == {part for entry in IN_GAMES for part in (entry if isinstance(entry, tuple) else (entry,))}


def test_imports_go_one_way(graph: dict[str, set[str]]) -> None:
    upward = []
    for name, used in graph.items():
        for other in used:
            own, its = (module.split(".") for module in (name, other))
            within = own[1] == its[1] == "games" and len(own) > 2 < len(its)
            if rank(own[1], LAYERS) < rank(its[1], LAYERS) or (within and rank(own[2], IN_GAMES) < rank(its[2], IN_GAMES)):
                upward.append(f"{name} imports {other}")
    assert not upward


def test_games_do_not_know_each_other(graph: dict[str, set[str]]) -> None:
    for own, other in (("gin", "table"), ("table", "gin")):
        beside = [name for name in graph if name.startswith(f"ginsim.games.{own}.")]
        assert not {(name, used) for name in beside for used in graph[name] if used.startswith(f"ginsim.games.{other}.")}


def test_there_is_no_circle(graph: dict[str, set[str]]) -> None:
    done: set[str] = set()

    def walk(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for used in sorted(graph.get(name, ())):
                walk(used, (*path, name))
            done.add(name)

    for name in graph:
        walk(name, ())


def test_only_games_and_what_is_of_one_game_alone_name_a_game(graph: dict[str, set[str]]) -> None:
    """A branch on which game it is belongs into ``games``: elsewhere no module compares names of games."""
    for name, path in modules().items():
        if not name.startswith("ginsim.games"):
            text = path.read_text(encoding="utf-8")
            assert "is_table" not in text and 'GAME == "' not in text and '.name == "table"' not in text, name
