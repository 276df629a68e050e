"""``ginsim bench``: the rates as a table, with the ratios that hold when the machine's speed drifts."""

from __future__ import annotations

import os
import platform
import sys

from rich.console import Console
from rich.table import Table

from ginsim.bench import Rate, has_peer, own_rates, peer_rates
from ginsim.errors import InputError


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

    own = {rate.name: rate for rate in own_rates(seconds, repeats, report)}
    other = {rate.name: rate for rate in peer_rates(seconds, repeats, report)} if peers and has_peer() else {}
    report("\r")
    console = Console(width=None if sys.stdout.isatty() else 120)
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    console.print(f"{machine}; median of {repeats} repeats")
    console.print(_table(own, other))
    for text in _ratios(own, other):
        console.print(text, highlight=False)
    if peers and not other:
        console.print("open-spiel is not installed; pip install 'ginsim[peers]' sets its figures beside these")


def _table(own: dict[str, Rate], other: dict[str, Rate]) -> Table:
    table = Table()
    for name in ("figure", "unit", "median", "lowest", "highest", *(["open-spiel", "ratio"] if other else [])):
        table.add_column(name, justify="left" if name in ("figure", "unit") else "right")
    for rate in own.values():
        peer = other.get(rate.name)
        cells = [f"{peer.median:,.0f}", f"{rate.median / peer.median:,.0f} ×"] if peer else ["", ""]
        numbers = [f"{value:,.0f}" for value in (rate.median, rate.lowest, rate.highest)]
        table.add_row(rate.name, rate.unit, *numbers, *(cells if other else []))
    return table


def _ratios(own: dict[str, Rate], other: dict[str, Rate]) -> list[str]:
    def ratio(a: str, b: str) -> float:
        return own[a].median / own[b].median

    return [
        f"all cores / 1 core, simple: {ratio('simple mirror, all cores', 'simple mirror, 1 core'):.2f}",
        f"plug-in / built-in, simple: {ratio('simple as a plug-in, 1 core', 'simple mirror, 1 core'):.2f}",
    ]
