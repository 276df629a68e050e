"""Decisions and what each of their choices came to, from games that branch."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from joblib import effective_n_jobs

from ginsim.errors import InputError, StrategyError
from ginsim.files import read_own, write_whole
from ginsim.games.base import HANDS, stacked
from ginsim.games.gin.hand import new_table
from ginsim.games.gin.learned.branching import BRANCHED, COUNTERS, branching_kernel
from ginsim.games.gin.learned.layout import CLASSES, NETS, NUMBERS, ROWS
from ginsim.games.gin.odds import game_odds, outcomes
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.simulation.play import Work, check_workers, play

__all__ = ["ROOM", "Branches", "branch", "chances", "joined"]

ROOM = 40_000
"""Rows of a piece."""
APART = 100_000
"""Numbers of games between the first ones of two pieces."""
SCALE = 4.0
"""What chances to win are multiplied by, so that they are about as large as the weights."""
NO_CLASS = 255
"""A class that is not there, as it is kept."""


@dataclass(frozen=True, eq=False)
class Branches:
    """Decisions at which several choices were played out.

    Attributes
    ----------
    decisions : int32[decisions, len(BRANCHED)]
        Kind, first row, rows, scores and whether the player started the hand.
    numbers, classes : float16[rows, NUMBERS], uint8[rows, CLASSES]
        What a net is given of each choice.
    values : float32[rows]
        Chance to win the game after the hand less that before it, times ``SCALE``.
    """

    decisions: np.ndarray
    numbers: np.ndarray
    classes: np.ndarray
    values: np.ndarray

    def of(self, net: str) -> np.ndarray:
        """The decisions of a net."""
        found: np.ndarray = self.decisions[self.decisions[:, 0] == NETS.index(net)]
        return found

    def save(self, path: Path) -> None:
        """Keep them in a file (``.npz``)."""
        buffer = io.BytesIO()
        np.savez(buffer, decisions=self.decisions, numbers=self.numbers, classes=self.classes, values=self.values)
        write_whole(path, buffer.getvalue())

    @classmethod
    def load(cls, path: Path) -> Branches | None:
        """Those that `save` kept; None if the file is damaged.

        Raises
        ------
        InputError
            If it is a link, or no plain file.
        """
        try:
            with np.load(io.BytesIO(read_own(path)), allow_pickle=False) as kept:
                found = cls(*(kept[name] for name in ("decisions", "numbers", "classes", "values")))
                return found if found.sound else None
        except InputError:
            raise
        except Exception:  # whatever numpy and zipfile make of a damaged file
            return None

    @property
    def sound(self) -> bool:
        """Whether all parts fit together: a file may hold anything."""
        rows = len(self.values)
        wanted = ((len(BRANCHED),), np.int32), ((NUMBERS,), np.float16), ((CLASSES,), np.uint8), ((), np.float32)
        parts = (self.decisions, self.numbers, self.classes, self.values)
        if any(part.shape[1:] != shape or part.dtype != kind for part, (shape, kind) in zip(parts, wanted, strict=True)):
            return False
        if not (len(self.numbers) == len(self.classes) == rows and np.isfinite(self.values).all()):
            return False
        if not np.isfinite(self.numbers).all():
            return False
        kind, first, count = self.decisions[:, 0], self.decisions[:, 1], self.decisions[:, 2]
        classes = self.classes[self.classes != NO_CLASS]
        least = np.where(kind == NETS.index("discard"), 1, 2)
        return bool(
            ((kind >= 0) & (kind < len(NETS)) & (first >= 0) & (count >= least) & (first.astype(int) + count <= rows)).all()
            and ((classes >= NUMBERS) & (classes < ROWS)).all()
        )


def joined(parts: Sequence[Branches]) -> Branches:
    """Decisions of several parts."""
    starts = np.cumsum([0, *(len(part.values) for part in parts)])
    decisions = [part.decisions + np.array([0, start, 0, 0, 0, 0], np.int32) for part, start in zip(parts, starts, strict=False)]
    return Branches(
        np.concatenate(decisions), *(np.concatenate([getattr(p, of) for p in parts]) for of in ("numbers", "classes", "values"))
    )


def chances(player: Strategy, other: Strategy, rules: Rules, seed: int, pairs: int = 1500) -> np.ndarray:
    """The chance that ``player`` wins a game from every score: float64[target, target, 2] (`game_odds`)."""
    records = play(Work((player, other), rules, seed, HANDS, 0, pairs), keep=True).records
    assert records is not None
    return game_odds(outcomes(records, rules.target), rules)


def branch(
    player: Strategy,
    other: Strategy,
    prior: Strategy,
    rules: Rules,
    seed: int,
    pieces: Sequence[int],
    workers: int | None = None,
    played: Callable[[int], None] = lambda rows: None,
    folder: Path | None = None,
) -> Branches:
    """Play games that branch, and value what came of them.

    Parameters
    ----------
    player, other : Strategy
        Who learns, and against whom.
    prior : Strategy
        A learned one: how it looks ahead tells which choices there are.
    rules : Rules
    seed : int
    pieces : sequence of int
        Numbers of the pieces, of about ``ROOM`` rows each: the same number is the same piece.
    workers : int, optional
    played : function
        Called with the rows that there are, after each piece that is played.
    folder : path, optional
        Each piece is kept there as soon as it is played; those that lie there are not played again.

    Raises
    ------
    StrategyError
        If a player makes a move that is not allowed.
    """
    parts = {k: part for k in pieces if folder and (part := Branches.load(folder / f"{k}.npz"))}
    if all(k in parts for k in pieces):
        return joined([parts[k] for k in pieces])
    player, other = player.under(rules), other.under(rules)
    odds = chances(player, other, rules, seed)
    branching_kernel()

    def piece(k: int) -> tuple[int, Branches]:
        found = _piece(player, other, prior, rules, seed, k, odds)
        if folder:
            found.save(folder / f"{k}.npz")
        return k, found

    pool = ThreadPoolExecutor(effective_n_jobs(check_workers(workers)))
    try:
        for k, part in pool.map(piece, [k for k in pieces if k not in parts]):
            parts[k] = part
            played(ROOM * len(parts))
        return joined([parts[k] for k in pieces])
    finally:  # an interrupt waits for the pieces that are being played: their threads write into arrays
        pool.shutdown(wait=True, cancel_futures=True)


def _piece(
    player: Strategy, other: Strategy, prior: Strategy, rules: Rules, seed: int, piece: int, odds: np.ndarray
) -> Branches:
    t, u, w = (new_table(rules.array(), (-1,) * 6) for _ in range(3))
    decisions, counters = np.zeros((ROOM, len(BRANCHED)), np.int64), np.zeros(len(COUNTERS), np.int64)
    numbers, classes = np.zeros((ROOM, NUMBERS), np.float32), np.zeros((ROOM, CLASSES), np.int16)
    gains = np.zeros(ROOM, np.int32)
    params, slots = stacked((player, other)), (player.slots, other.slots)
    played = branching_kernel()(
        t, seed, piece * APART, params, slots, prior.array, u, w, counters, decisions, numbers, classes, gains
    )  # fmt: skip
    if played < 0:
        raise StrategyError(f"training: {player} or {other} made a move that is not allowed")
    n, rows = counters[:2]
    decisions = decisions[:n]
    of = np.repeat(np.arange(n), decisions[:, 2])
    own, opponent, starter = decisions[of, 3], decisions[of, 4], decisions[of, 5]
    values = SCALE * (_after(own, opponent, starter, gains[:rows], odds, rules) - odds[own, opponent, 1 - starter])
    kept = np.where(classes[:rows] < 0, NO_CLASS, classes[:rows]).astype(np.uint8)
    return Branches(decisions.astype(np.int32), numbers[:rows].astype(np.float16), kept, values.astype(np.float32))


def _after(
    own: np.ndarray, other: np.ndarray, starter: np.ndarray, gain: np.ndarray, odds: np.ndarray, rules: Rules
) -> np.ndarray:
    """The chance to win the game after a hand that brought ``gain`` points (negative: to the opponent)."""
    own, other = own + np.maximum(gain, 0), other + np.maximum(-gain, 0)
    won = gain > 0
    starts = 1 - starter if rules.next_dealer == "alternate" else np.where(won == (rules.next_dealer == "loser"), 1, 0)
    starts = np.where(gain == 0, starter, starts)
    last = rules.target - 1
    chance = odds[np.minimum(own, last), np.minimum(other, last), 1 - starts]
    found: np.ndarray = np.where(own > last, 1.0, np.where(other > last, 0.0, chance))
    return found
