"""``ginsim bench``: the figures as a table, kept in a file, and set against those of an earlier run."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from statistics import median

from ginsim.bench import Figure, figures, has_peer
from ginsim.commands import tell
from ginsim.commands.benchfile import Ratio, against, check_out, differences, keep, read_kept
from ginsim.commands.console import print_tables
from ginsim.errors import InputError
from ginsim.report.texts import Texts

LEGEND = (
    "deadwood, best discard: for arrays of hands; uniform = dealt at random, meld-rich = from four adjacent ranks, in play =\n"
    "as they come up. mirror: a strategy against itself under eaai. CPU s: CPU time of a command in a process of its own, from\n"
    "start to end; less is better. first use: until the first hands are played, compiling included."
)
PEER = "open-spiel: the same hands one by one from Python, and two of its simple bots against each other."


def show(seconds: float, repeats: int, peers: bool, first_uses: int, out: Path | None, old: Path | None) -> None:
    """Measure and print; write to ``out``, and print the ratios to the figures in ``old``."""
    if not 0 < seconds <= 60:
        raise InputError(f"seconds: {seconds} is not allowed; give a number above 0, up to 60")
    if not 1 <= repeats <= 1000:
        raise InputError(f"repeats: {repeats} is not allowed; give a whole number from 1 to 1000")
    if out is not None:
        check_out(out)
    kept = None if old is None else read_kept(old)
    quiet = not sys.stderr.isatty()

    def report(text: str) -> None:
        if not quiet:
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    found = figures(seconds, repeats, peers, first_uses, report)
    report("\r")
    machine = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    tell(f"{machine}; median of {repeats} repeats")
    print_tables([_figures(found)])
    tell(LEGEND)
    if peers:
        tell(PEER if has_peer() else "open-spiel is not installed; pip install '.[peers]' adds its figures")
    if out is not None:
        keep(out, found, seconds, repeats)
        tell(f"written: {out}", err=True)
    if kept is not None:
        if not (ratios := against(found, kept)):
            raise InputError(f"against: {old} has none of these figures")
        print_tables([_ratios(ratios, str(old))])
        if other := differences(kept):
            tell(f"measured elsewhere: {', '.join(other)}")


def _figures(found: list[Figure]) -> Texts:
    peers = any(figure.peer for figure in found)
    rows = []
    for figure in found:
        cells = [_number(value) for value in (median(figure.values), min(figure.values), max(figure.values))]
        if figure.peer:
            cells += [_number(median(figure.peer)), f"{_number(median(figure.ratios(figure.peer)))} ×"]
        rows.append([figure.name, figure.unit, *cells, *([""] * (2 * peers + 3 - len(cells)))])
    heads = ("figure", "unit", "median", "lowest", "highest", *(["open-spiel", "ratio"] if peers else []))
    return Texts(heads, rows, range(2, len(heads)))


def _ratios(found: list[Ratio], old: str) -> Texts:
    rows = [(r.name, r.unit, *(f"{value:.3f}" for value in (r.median, r.lowest, r.highest))) for r in found]
    caption = "lowest, highest: the lowest new figure over the highest old one, and the other way round"
    return Texts(("figure", "unit", "new / old", "lowest", "highest"), rows, range(2, 5), (), f"Compared with {old}", caption)


def _number(value: float) -> str:
    """Whole numbers, and three figures of what is small."""
    return f"{value:,.0f}" if value >= 100 else f"{value:#.3g}"
