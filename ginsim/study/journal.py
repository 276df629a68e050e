"""The journal of a run: one line for each piece of work done, so that an interrupted run can go on.

A line holds its own checksum; a line that does not match it (a write cut short) is passed over and its deals are played
again. Pieces are tallies of integers, so whatever the pieces, the sums are the same.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ginsim.study.hands import whole_part
from ginsim.study.play import Done, Work

Key = tuple[str, str]
"""Key of the works that belong together, and their phase."""


def _sum_of(text: str) -> int:
    return zlib.crc32(text.encode())


class Tallies:
    """Sums by (key, phase), and which deals they cover."""

    def __init__(self) -> None:
        self.sums: dict[Key, np.ndarray] = {}
        self.ranges: dict[Key, list[tuple[int, int]]] = {}
        self.seconds = 0.0
        """Wall time of the sessions that made these."""

    def add(self, key: Key, first: int, count: int, tally: np.ndarray) -> None:
        """Add the tally of the pairs ``first`` … ``first + count - 1``; nothing if any of them is counted already."""
        if any(first < at + n and at < first + count for at, n in self.ranges.get(key, [])):
            return
        self.sums[key] = self.sums[key] + tally if key in self.sums else tally.copy()
        self.ranges.setdefault(key, []).append((first, count))

    def missing(self, work: Work) -> Iterator[Work]:
        """The parts of ``work`` that are not covered yet."""
        at, end = work.first, work.first + work.count
        for first, count in sorted(self.ranges.get((work.key, work.phase), [])):
            if at < first < end:
                yield work.part(at, first - at)
            at = max(at, first + count)
        if at < end:
            yield work.part(at, end - at)

    def pairs(self, works: Iterable[Work]) -> int:
        """Pairs of ``works`` already covered."""
        return sum(work.count - sum(part.count for part in self.missing(work)) for work in works)


class Journal:
    """An append-only file of finished pieces of one study."""

    def __init__(self, path: Path, study: str) -> None:
        self.path = path
        self.study = study
        self.left_out = 0
        """Pairs of other studies that `load` found and left out."""

    def load(self, hands: Path | None = None) -> Tallies:
        """Everything of this study that was written whole; the lines of another study are left out.

        With a folder ``hands`` a piece counts only if its part of the per-hand table is whole, too.
        """
        tallies = Tallies()
        session, self.left_out = 0.0, 0
        if not self.path.exists():
            return tallies
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
            entry = _checked(line)
            if entry and entry["study"] != self.study:
                self.left_out += entry["count"]
            elif entry and (hands is None or whole_part(hands, entry["phase"], entry["key"], entry["first"], entry["count"])):
                key = (entry["key"], entry["phase"])
                tallies.add(key, entry["first"], entry["count"], np.array(entry["tally"], np.int64))
                if entry["elapsed"] < session:  # a later session
                    tallies.seconds += session
                session = entry["elapsed"]
        tallies.seconds += session
        return tallies

    def close(self) -> None:
        """The study is finished: remove its lines, and the file if no other study has any."""
        if not self.path.exists():
            return
        lines = self.path.read_text(encoding="utf-8", errors="replace").splitlines()
        others = [line for line in lines if (entry := _checked(line)) and entry["study"] != self.study]
        if others:
            self.path.write_text("\n".join(others) + "\n", encoding="utf-8")
        else:
            self.path.unlink()

    def append(self, done: Done, elapsed: float) -> None:
        """Write a finished piece, and how long this session has run."""
        work = done.work
        body = json.dumps(
            {
                "study": self.study,
                "key": work.key,
                "phase": work.phase,
                "first": work.first,
                "count": work.count,
                "tally": done.tally.tolist(),
                "elapsed": round(elapsed, 3),
            }
        )
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"\n{_sum_of(body):08x} {body}\n")


def _checked(line: str) -> dict[str, Any] | None:
    checksum, _, body = line.partition(" ")
    if not body or checksum != f"{_sum_of(body):08x}":
        return None
    entry: dict[str, Any] = json.loads(body)
    return entry
