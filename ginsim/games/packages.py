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
import hashlib
import importlib
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from ginsim.errors import InputError, told
from ginsim.games import sources

STRATEGIES, DECISIONS = "ginsim.strategies", "ginsim.decisions"


def names(group: str) -> dict[str, list[str]]:
    """All names of a group, and the packages that bring each."""
    found: dict[str, list[str]] = {}
    for entry in entries(group, tuple(sys.path)):
        found.setdefault(entry.name, []).append(_package(entry))
    return {name: sorted(packages) for name, packages in sorted(found.items())}


def installed() -> list[str]:
    """The packages that bring something, each with its version."""
    return sorted({package for group in (STRATEGIES, DECISIONS) for found in names(group).values() for package in found})


def made_of() -> dict[str, str]:
    """Digests of the packages that are no finished installation (editable ones): name of the module -> digest."""
    modules = {entry.module for group in (STRATEGIES, DECISIONS) for entry in entry_points(group=group)}
    found = {name: sources.located(name) for name in sorted(modules)}
    return {name: sources.digest_of(sources.files_of(file, name)) for name, file in found.items() if file}


@functools.cache
def key_of(top: str) -> str | None:
    """What compiled code of an installed package that brings something depends on: its version; None for other packages."""
    for group in (STRATEGIES, DECISIONS):
        for entry in entry_points(group=group):
            if entry.module.partition(".")[0] == top:
                return hashlib.sha256(_package(entry).encode()).hexdigest()
    return None


@functools.cache
def entries(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    """The entry points of a group; to look through all packages takes long. ``path`` is where they lie."""
    return tuple(entry_points(group=group))


def entries_of(group: str, name: str) -> list[EntryPoint]:
    """The entry points of that name."""
    return [entry for entry in entries(group, tuple(sys.path)) if entry.name == name]


def load(group: str, name: str) -> Any:
    """The object that a package brings under ``name``; None if no package does.

    Raises
    ------
    InputError
        If it cannot be imported, or if several packages bring it; names the packages.
    """
    entries = entries_of(group, name)
    if not entries:
        return None
    what = f"{group} {name!r}"
    if len(entries) > 1:
        packages = " and ".join(sorted(_package(entry) for entry in entries))
        raise InputError(f"{what}: the packages {packages} both bring it; only one of them can be installed")
    entry = entries[0]
    with told(f"{what} (package {_package(entry)}, {entry.value})"):
        file = sources.located(entry.module)
        if file is None:
            return entry.load()
        module, _ = sources.bring(file, entry.module, lambda _: importlib.import_module(entry.module))
        return functools.reduce(getattr, filter(None, (entry.attr or "").split(".")), module)


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "?"
