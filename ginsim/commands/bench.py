"""``ginsim bench``: the rates as a table, with the ratios that hold when the machine's speed drifts."""

from __future__ import annotations

import os
import platform
import statistics
import sys

from rich.table import Table

from ginsim.bench import PLUG_IN, SIMPLE, SIMPLE_ALL, Rate, has_peer, rates
from ginsim.commands import console_of
from ginsim.errors import InputError

LEGEND = (
    "deadwood, best discard: of arrays of hands; uniform = dealt at random, meld-rich = from four neighbouring ranks, in play =\n"
    "as they come up. mirror: a strategy against itself under eaai. open-spiel: the same hands one by one from Python, and two\n"
    "of its simple bots against each other."
)


def show(seconds: float, repeats: int, peers: bool) -> None:
    """Measure and print."""
    if not 0 < seconds <= 60:
        raise InputError(f"seconds: {seconds} is not allowed; give a number above 0, up to 60")
    if not 1 <= repeats <= 1000:
        raise InputError(f"repeats: {repeats} is not allowed; give a whole number from 1 to 1000")
    quiet = not sys.stderr.isatty()

    def report(text: str) -> None:
        if not quiet:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    found = rates(seconds, repeats, peers, report)
    report("\r")
    console = console_of()
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    console.print(f"{machine}; median of {repeats} repeats")
    console.print(_table(found))
    console.print(LEGEND, highlight=False, soft_wrap=True)
    by_name = {rate.name: rate for rate in found}
    console.print(f"all cores to 1 core, simple: {by_name[SIMPLE_ALL].ratio(by_name[SIMPLE].own):.2f}", highlight=False)
    console.print(f"plug-in to built-in, simple: {by_name[PLUG_IN].ratio(by_name[SIMPLE].own):.2f}", highlight=False)
    if peers and not has_peer():
        console.print("open-spiel is not installed; pip install '.[peers]' sets its figures beside these")


def _table(found: list[Rate]) -> Table:
    peers = any(rate.peer for rate in found)
    table = Table()
    for name in ("figure", "unit", "median", "lowest", "highest", *(["open-spiel", "ratio"] if peers else [])):
        table.add_column(name, justify="left" if name in ("figure", "unit") else "right")
    for rate in found:
        cells = [f"{statistics.median(rate.peer):,.0f}", f"{rate.ratio(rate.peer):,.0f} ×"] if rate.peer else ["", ""]
        numbers = [f"{value:,.0f}" for value in (statistics.median(rate.own), min(rate.own), max(rate.own))]
        table.add_row(rate.name, rate.unit, *numbers, *(cells if peers else []))
    return table
