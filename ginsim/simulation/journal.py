"""The journal of a run: one line for each piece of work done, so that an interrupted run can go on.

A line holds its own checksum; a line that does not match it (a write cut short, a damaged disk) is passed over and its deals
are played again. Pieces are tallies of integers, so whatever the pieces, the sums are the same. The first line of a study
is its header: what `ginsim resume` needs to know.
"""

from __future__ import annotations

import json
import math
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.files import append_text, no_link, read_own, write_whole, writing
from ginsim.simulation.hands import checksum_of_part
from ginsim.simulation.play import Done, Work

JOURNAL = "journal.jsonl"
MOST_BYTES = 8_000_000
"""What a session appends before the journal is written anew, one line for each key."""
MOST = 1 << 63
"""Sums are below it."""
Key = tuple[str, str]
"""Key of the works that belong together, and their phase."""
Ranges = list[tuple[int, int]]
"""Ranges of pairs, each by its first and their number, in order and apart from each other."""


def _sum_of(text: str) -> int:
    return zlib.crc32(text.encode())


class Tallies:
    """Sums by (key, phase), and which deals they cover."""

    def __init__(self) -> None:
        self.sums: dict[Key, np.ndarray] = {}
        self.ranges: dict[Key, Ranges] = {}
        self.seconds = 0.0
        """Wall time of the sessions that made these."""

    def add(self, key: Key, first: int, count: int, tally: np.ndarray) -> None:
        """Add the tally of the pairs ``first`` … ``first + count - 1``; nothing if any of them is counted already."""
        self.add_ranges(key, [(first, count)], tally)

    def add_ranges(self, key: Key, ranges: Ranges, tally: np.ndarray) -> None:
        """Add the tally of several ranges; nothing if any of their pairs is counted already."""
        covered = self.ranges.setdefault(key, [])
        if any(_overlaps(covered, first, count) for first, count in ranges):
            return
        if key in self.sums and self.sums[key].shape != tally.shape:
            raise InputError(f"journal: the sums of {key[0]} ({key[1]}) do not all have the same length; start over with --fresh")
        for first, count in ranges:
            _insert(covered, first, count)
        self.sums[key] = self.sums[key] + tally if key in self.sums else tally.copy()

    def missing(self, work: Work) -> Iterator[Work]:
        """The parts of ``work`` that are not covered yet."""
        at, end = work.first, work.first + work.count
        for first, count in self.ranges.get((work.key, work.phase), []):
            if at < first < end:
                yield work.part(at, first - at)
            at = max(at, first + count)
        if at < end:
            yield work.part(at, end - at)

    def pairs(self, works: Iterable[Work]) -> int:
        """Pairs of ``works`` already covered."""
        return sum(work.count - sum(part.count for part in self.missing(work)) for work in works)


def _overlaps(covered: Ranges, first: int, count: int) -> bool:
    at = bisect_left(covered, (first + count, 0))  # the ranges before it begin within or before this one
    return at > 0 and sum(covered[at - 1]) > first


def _insert(covered: Ranges, first: int, count: int) -> None:
    """Add a range that overlaps none, joining it to its neighbours."""
    at = bisect_left(covered, (first, 0))
    if at < len(covered) and covered[at][0] == first + count:
        count += covered.pop(at)[1]
    if at and sum(covered[at - 1]) == first:
        first, count = covered[at - 1][0], covered[at - 1][1] + count
        at -= 1
        covered.pop(at)
    covered.insert(at, (first, count))


class Journal:
    """An append-only file of finished pieces of one study."""

    def __init__(self, path: Path, study: str) -> None:
        self.path = path
        self.study = study
        self.left_out = 0
        """Pairs of other studies that `load` found and left out."""
        self.appended = 0
        """Bytes written by this session."""

    def load(self, hands: Path | None = None) -> Tallies:
        """Everything of this study that was written whole; the lines of another study are left out.

        With a folder ``hands`` a piece counts only if its part of the per-hand table is the one that was written.
        """
        tallies = Tallies()
        self.left_out = 0
        for entry in entries(self.path):
            if not is_piece(entry):
                continue
            if entry["study"] != self.study:
                self.left_out += sum(count for _, count in entry["ranges"])
                continue
            ranges = [(first, count) for first, count in entry["ranges"]]
            if hands is None or entry["records"] == checksum_of_part(hands, entry["phase"], entry["key"], ranges[0][0]):
                tallies.add_ranges((entry["key"], entry["phase"]), ranges, np.array(entry["tally"], np.int64))
                tallies.seconds = max(tallies.seconds, entry["elapsed"])
        return tallies

    @property
    def begun(self) -> bool:
        """Whether the study was begun and is not finished."""
        return any(entry["study"] == self.study and is_header(entry) for entry in entries(self.path))

    def begin(self, header: dict[str, Any]) -> None:
        """Write what the study is, unless it stands there already."""
        if not self.begun:
            self._write({"study": self.study} | header)

    def close(self) -> None:
        """The study is finished: remove its lines, and the file if no other study has any."""
        others = [_line(entry) for entry in entries(self.path) if entry["study"] != self.study]
        if others:
            write_whole(self.path, "".join(others))
        else:
            no_link(self.path).unlink(missing_ok=True)

    def append(self, done: Done, elapsed: float, records: int | None = None) -> None:
        """Write a finished piece, how long all sessions have run, and the checksum of its part of the per-hand table."""
        work = done.work
        self._write(_piece(self.study, (work.key, work.phase), [(work.first, work.count)], done.tally, elapsed, records))

    def _write(self, entry: dict[str, Any]) -> None:
        line = "\n" + _line(entry)  # a line that was cut short ends here
        with writing(self.path):
            append_text(self.path, line)
        self.appended += len(line)

    def shorten(self, tallies: Tallies) -> None:
        """Write the journal anew with one line for each key, if it has grown long."""
        if self.appended < MOST_BYTES:
            return
        kept = [entry for entry in entries(self.path) if entry["study"] != self.study or "tally" not in entry]
        pieces = [_piece(self.study, key, tallies.ranges[key], tally, tallies.seconds) for key, tally in tallies.sums.items()]
        write_whole(self.path, "".join(map(_line, [*kept, *pieces])))
        self.appended = 0


def _piece(
    study: str, key: Key, ranges: Ranges, tally: np.ndarray, elapsed: float, records: int | None = None
) -> dict[str, Any]:
    """The entry of one or more ranges of pairs."""
    entry = {"study": study, "key": key[0], "phase": key[1], "ranges": ranges, "tally": tally.tolist()}
    return entry | {"elapsed": round(elapsed, 3), "records": records}


def _line(entry: dict[str, Any]) -> str:
    body = json.dumps(entry)
    return f"{_sum_of(body):08x} {body}\n"


def is_header(entry: dict[str, Any]) -> bool:
    """Whether an entry says what the study is, as a run begins it."""
    shape = {"experiment": dict, "source": str, "changed": list, "hands": bool, "command": str, "from": str, "pairs": int}
    right = all(isinstance(entry.get(name), kind) for name, kind in shape.items())
    return (
        right
        and isinstance(entry["experiment"].get("kind"), str)
        and all(isinstance(text, str) for text in entry["changed"])
        and isinstance(entry.get("engine", ""), str)
        and _are_files(entry.get("files", []))
    )


def _are_files(found: Any) -> bool:
    """Whether these are the files of strategies, each with its checksum."""
    pairs = isinstance(found, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in found)
    return pairs and all(isinstance(text, str) for pair in found for text in pair)


def is_piece(entry: dict[str, Any]) -> bool:
    """Whether an entry holds the sums of some pairs, as a run writes them."""
    ranges: Any = entry.get("ranges")
    tally, elapsed = entry.get("tally"), entry.get("elapsed")
    return (
        all(isinstance(entry.get(name), str) for name in ("key", "phase"))
        and _are_lists(ranges, 2)
        and all(first >= 0 < count for first, count in ranges)
        and all(sum(one) < other[0] for one, other in pairwise(ranges))
        and _are_whole(tally)
        and isinstance(elapsed, int | float)
        and 0 <= elapsed < math.inf
        and "records" in entry
    )


def _are_lists(found: Any, size: int) -> bool:
    return isinstance(found, list) and bool(found) and all(_are_whole(part) and len(part) == size for part in found)


def _are_whole(found: Any) -> bool:
    return isinstance(found, list) and all(type(x) is int and -MOST <= x < MOST for x in found)


def entries(path: Path) -> Iterator[dict[str, Any]]:
    """The entries of a journal that were written whole, headers included; none if there is no journal."""
    try:
        lines = read_own(path).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        checksum, _, body = line.partition(" ")
        entry = _read(body) if checksum == f"{_sum_of(body):08x}" else None
        if isinstance(entry, dict) and isinstance(entry.get("study"), str):
            yield entry


def _read(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None
