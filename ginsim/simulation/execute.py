"""Carrying out a list of works: compile, play what is missing, keep the journal and the hand parts, report progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ginsim.errors import InputError, shown
from ginsim.simulation.cluster import ClusterLostError, is_lost
from ginsim.simulation.hands import write_part
from ginsim.simulation.journal import Journal, Tallies
from ginsim.simulation.play import Done, Work, run, warm_up

PART = 1 << 15
"""Pairs in one part of the per-hand table."""

Progress = Callable[["Done | str | None", int, int], None]
"""Called with a finished piece (None at the start; a text while something is made ready), what is done and what is to do."""


class Interrupted(KeyboardInterrupt):
    """The user stopped the run; ``tallies`` holds what was finished."""

    def __init__(self, tallies: Tallies, done: int, total: int) -> None:
        super().__init__(f"stopped after {done:,} of {total:,} pairs")
        self.tallies, self.done, self.total = tallies, done, total


def execute(
    works: Sequence[Work],
    workers: int | None = None,
    progress: Progress | None = None,
    journal: Journal | None = None,
    hands: Path | None = None,
    tallies: Tallies | None = None,
) -> Tallies:
    """Play ``works`` and return their tallies.

    Parameters
    ----------
    works : sequence of Work
    workers : int, optional
        Threads; as many as there are cores by default.
    progress : function, optional
        Called with each finished piece, the units done and all units there are.
    journal : Journal, optional
        What it already holds is not played again; what is played is written there.
    hands : path, optional
        Folder for the record of every hand, in parts.
    tallies : Tallies, optional
        What was played already, to which the new tallies are added.

    Raises
    ------
    Interrupted
        On Ctrl-C, with everything that was finished.
    ClusterLostError
        If the cluster it was played on is gone.
    """
    loaded = tallies is None
    if tallies is None:
        tallies = journal.load(hands) if journal else Tallies()
    before, start = tallies.seconds, time.perf_counter()
    total = sum(work.count for work in works)
    done = tallies.pairs(works)
    left = [part for work in works for part in tallies.missing(work)]
    try:
        if progress:
            progress(None, done, total)
        warm_up(left)
        if loaded:
            _check_kept(works, tallies, f"journal: {journal.path}" if journal else "journal")
        for piece in run(left, workers, keep=hands is not None, chunk=PART if hands else None):
            records = write_part(piece, hands) if hands else None
            tallies.add((piece.work.key, piece.work.phase), piece.work.first, piece.work.count, piece.tally)
            tallies.seconds = before + time.perf_counter() - start
            if journal:
                journal.append(piece, tallies.seconds, records)
            if journal and not hands:
                journal.shorten(tallies)
            done += piece.work.count
            if progress:
                progress(piece, done, total)
    except KeyboardInterrupt:
        raise Interrupted(tallies, done, total) from None
    except BaseException as error:
        if is_lost(error):
            why = f"the cluster was lost after {done:,} of {total:,} pairs ({type(error).__name__})"
            raise ClusterLostError(f"dask: {why}") from None
        raise
    finally:
        tallies.seconds = before + time.perf_counter() - start
    return tallies


def _check_kept(works: Sequence[Work], tallies: Tallies, where: str) -> None:
    """What the journal held must be of these works: pairs of theirs, and as many sums as one of their pairs gives."""
    known, sizes = {(work.key.partition("@")[0], work.phase): work for work in works}, dict[Any, int]()
    for (key, phase), tally in tallies.sums.items():
        like = known.get((key.partition("@")[0], phase))  # the looks of a sequential test are many
        if like is None:
            raise InputError(f"{where}: the sums of {shown(key)} are from another study; start over with --fresh")
        pairs = sum(count for _, count in tallies.ranges[key, phase])
        if type(like) is Work and tally.size and tally[0] != pairs:
            raise InputError(
                f"{where}: the sums of {shown(key)} ({phase}) are of {tally[0]} pairs, but its deals are {pairs}; "
                "start over with --fresh"
            )
    for work in works:
        of = work.key, work.phase
        if of not in tallies.sums:
            continue
        if work.form not in sizes:
            sizes[work.form] = work.part(work.first, 1).carry_out().tally.size
        covered, end = tallies.ranges[of], work.first + work.count
        if tallies.sums[of].size != sizes[work.form] or covered[0][0] < work.first or sum(covered[-1]) > end:
            raise InputError(f"{where}: the sums of {work.key} ({work.phase}) are from another study; start over with --fresh")
