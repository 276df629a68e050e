"""Figures of ``ginsim bench`` kept in a file, and those of a later run set against them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from ginsim.bench import Figure
from ginsim.errors import InputError, shown
from ginsim.files import read_plain, write_whole
from ginsim.report.folder import machine
from ginsim.version import __version__

Positive = Annotated[float, Field(gt=0, lt=1e15)]


@dataclass(frozen=True)
class KeptFigure:
    """A figure as it stands in the file, beside its median and its spread."""

    name: str
    unit: str
    values: Annotated[tuple[Positive, ...], Field(min_length=1)]


@dataclass(frozen=True)
class Kept:
    """What is used of a file: the machine, and the figures."""

    machine: dict[str, str | int]
    figures: tuple[KeptFigure, ...]


@dataclass(frozen=True)
class Ratio:
    """A figure to what it was: the ratio of the medians, and how low and how high single repeats would put it."""

    name: str
    unit: str
    median: float
    lowest: float
    highest: float


_KEPT = TypeAdapter(Kept)


def check_out(out: Path) -> None:
    """Refuse, before anything is measured, a file that cannot be written."""
    if out.suffix.lower() != ".json":
        raise InputError(f"out: {shown(str(out))} is not allowed; give a file that ends in .json")
    if out.exists() and not out.is_file():
        raise InputError(f"out: {out} is {'a folder' if out.is_dir() else 'not a regular file'}; give a file to write")
    if not out.absolute().parent.is_dir():
        raise InputError(f"out: there is no folder {out.absolute().parent}")
    if not os.access(out.absolute().parent, os.W_OK):
        raise InputError(f"out: {out} cannot be written: its folder is read-only")


def keep(out: Path, found: list[Figure], seconds: float, repeats: int) -> None:
    """Write all figures with what they were measured on."""
    figures = [
        {"name": figure.name, "unit": figure.unit, "median": median(figure.values), "lowest": min(figure.values)}
        | {"highest": max(figure.values), "values": figure.values, "open_spiel": figure.peer}
        for figure in found
    ]
    facts = {"ginsim": __version__, "machine": machine(), "seconds": seconds, "repeats": repeats, "figures": figures}
    write_whole(out, json.dumps(facts, indent=1, ensure_ascii=False) + "\n")


def read_kept(path: Path) -> Kept:
    """The figures of an earlier run.

    Raises
    ------
    InputError
        If the file is not one that ``ginsim bench --out`` wrote.
    """
    try:
        return _KEPT.validate_json(read_plain(path), strict=True)
    except OSError as error:
        raise InputError(f"against: {path} cannot be read ({error.strerror})") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        raise InputError(f"against: {path} is not a file from ginsim bench --out: {where}: {first['msg']}") from None


def against(found: list[Figure], kept: Kept) -> list[Ratio]:
    """The figures that both runs have, new to old."""
    old = {(figure.name, figure.unit): figure.values for figure in kept.figures}
    return [
        Ratio(new.name, new.unit, median(new.values) / median(was), min(new.values) / max(was), max(new.values) / min(was))
        for new in found
        if (was := old.get((new.name, new.unit)))
    ]


def differences(kept: Kept) -> list[str]:
    """What is different about the machine: ``cores 2 instead of 4``."""
    now = machine()
    return [f"{name} {now.get(name)} instead of {value}" for name, value in kept.machine.items() if now.get(name) != value]
