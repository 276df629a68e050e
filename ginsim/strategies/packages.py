"""Strategies and decisions that installed packages bring, through entry points.

A package names them in its ``pyproject.toml``; nothing of it is imported before a spec asks for the name::

    [project.entry-points."ginsim.strategies"]
    careful = "my_package.players:careful"   # a Strategy, a Family, or a class or object in plain Python

    [project.entry-points."ginsim.decisions"]
    "draw.hungry" = "my_package.players:HUNGRY"   # a Decision, for custom(draw=hungry)

The name of a shipped strategy or decision always means the shipped one, and a name that two packages bring is refused.
"""

from __future__ import annotations

import functools
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ginsim.errors import InputError

STRATEGIES, DECISIONS = "ginsim.strategies", "ginsim.decisions"


def names(group: str) -> dict[str, list[str]]:
    """All names of a group, and the packages that bring each."""
    found: dict[str, list[str]] = {}
    for entry in _entries(group, tuple(sys.path)):
        found.setdefault(entry.name, []).append(_package(entry))
    return {name: sorted(packages) for name, packages in sorted(found.items())}


def installed() -> list[str]:
    """The packages that bring something, each with its version."""
    return sorted({package for group in (STRATEGIES, DECISIONS) for found in names(group).values() for package in found})


@functools.cache
def _entries(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of a group; to look through all packages takes long. ``path`` is where they lie."""
    return tuple(entry_points(group=group))


@functools.cache
def load(group: str, name: str) -> Any:
    """The object that a package brings under ``name``; None if no package does.

    Raises
    ------
    InputError
        If it cannot be imported, or if several packages bring it; names the packages.
    """
    entries = [entry for entry in _entries(group, tuple(sys.path)) if entry.name == name]
    if not entries:
        return None
    what = f"{group} {name!r}"
    if len(entries) > 1:
        packages = " and ".join(sorted(_package(entry) for entry in entries))
        raise InputError(f"{what}: the packages {packages} both bring it; only one of them can be installed")
    try:
        return entries[0].load()
    except (Exception, SystemExit) as error:
        where = f"package {_package(entries[0])}, {entries[0].value}"
        raise InputError(f"{what} ({where}): {type(error).__name__}: {error}") from error


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
