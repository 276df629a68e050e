"""The best reply to a way of knocking that is given: what a player gains who knows it, and knocks by a chart of the own.

A player who forgets has no exact best reply by working backwards: what is best on a turn depends on what is done on the turns
before (they decide which hands get here) and after. So one own turn after the other is made as good as it can be with all others
as they are, from late to early, again and again until nothing is gained; from three starts: never to knock, always to knock, and
as the player to be beaten does. The best end is taken. Each step can only gain; what comes out is a reply that no change on a
single turn improves, and that does no worse on its own hands than the way of knocking which it replies to.
"""

from __future__ import annotations

import itertools

import numpy as np

from ginsim.solving.cells import SEATS, TURNS
from ginsim.solving.game import KnockGame, cuts, in_blocks, values
from ginsim.solving.kernels import add_gains, begin_values, fill_chances, fill_reach

__all__ = ["respond"]

MOST_ROUNDS = 50


class _Replies:
    """The rows of one side by own turn, in blocks of hands, and what following hands back needs."""

    def __init__(self, game: KnockGame, theirs: np.ndarray, player: int, workers: int) -> None:
        self.game, self.theirs, self.player, self.workers = game, theirs, player, workers
        decides = np.flatnonzero((game.side == player) & (game.cell >= 0))
        turn = np.minimum(game.turn[decides], TURNS)
        hand = (np.searchsorted(game.starts, decides, side="right") - 1).astype(np.int32)
        self.turns = range(int(turn.max(initial=0)), 0, -1)
        self.rows, self.hands = dict[tuple[int, int], np.ndarray](), dict[tuple[int, int], np.ndarray]()
        of_block = np.searchsorted(hand, cuts(game.hands))
        for block, (first, end) in enumerate(itertools.pairwise(of_block)):
            for on in self.turns:
                here = first + np.flatnonzero(turn[first:end] == on)
                self.rows[block, on], self.hands[block, on] = decides[here], hand[here]
        self.both, self.reach = np.empty((2, len(game.side)), np.float32)
        self.at, self.value = np.empty(game.hands, np.int64), np.empty(game.hands)
        size = game.cells.size
        self.turn_of = np.tile(np.repeat(np.arange(1, TURNS + 1), size // (len(SEATS) * TURNS)), len(SEATS))

    def round(self, knock: np.ndarray) -> np.ndarray:
        """Make one own turn after the other as good as it can be, from late to early."""
        game = self.game
        self._set(knock)

        def begin(block: int, first: int, end: int) -> None:
            fill_reach(game.starts, self.both, first, end, self.reach)
            begin_values(game.starts, game.payoff, first, end, self.at, self.value)

        in_blocks(game.hands, begin, self.workers)
        for on in self.turns:
            gains = self._gains(knock, on)
            knock = np.where((self.turn_of == on) & (gains != 0), gains > 0, knock).astype(np.float64)
        return knock

    def _gains(self, knock: np.ndarray, on: int) -> np.ndarray:
        game = self.game

        def work(block: int, first: int, end: int) -> np.ndarray:
            gains = np.zeros(game.cells.size)
            rows, hands = self.rows[block, on], self.hands[block, on]
            of = game.side, game.cell, game.payoff, knock, self.theirs, self.player
            add_gains(rows, hands, *of, self.reach, self.at, self.value, gains)
            return gains

        return np.asarray(sum(in_blocks(game.hands, work, self.workers)))

    def _set(self, knock: np.ndarray) -> None:
        """Set the chance that each row knocks."""
        game = self.game

        def work(block: int, first: int, end: int) -> None:
            of = game.side, game.cell, knock, self.theirs, self.player
            fill_chances(*of, game.starts[first], game.starts[end], self.both)

        in_blocks(game.hands, work, self.workers)

    def worth(self, knock: np.ndarray) -> float:
        """What a chart comes to."""
        self._set(knock)
        mean = float(values(self.game, self.both, self.workers).mean())
        return mean if self.player == 0 else -mean

    def climb(self, knock: np.ndarray) -> tuple[float, np.ndarray]:
        """From this chart, go up until nothing is gained: what that comes to, and the chart."""
        best = self.worth(knock)
        for _ in range(MOST_ROUNDS):
            better = self.round(knock)
            if (value := self.worth(better)) <= best:
                break
            best, knock = value, better
        return best, knock


def respond(game: KnockGame, theirs: np.ndarray, player: int, workers: int = 1) -> np.ndarray:
    """The chart (chances by cell, float64[cells], nearly all 0 or 1) with which ``player`` does best against ``theirs``.

    Parameters
    ----------
    game : KnockGame
    theirs : float32[rows]
        The chance of each row of the other side to knock. What it says of the own side is where one search starts.
    player : {0, 1}
        The side that replies.
    workers : int
        Threads; the answer does not depend on them.
    """
    replies = _Replies(game, theirs, player, workers)
    size = game.cells.size
    own = (game.side == player) & (game.cell >= 0)
    rows, knocks = (np.bincount(game.cell[own], weights, size) for weights in (None, theirs[own]))
    alike = np.divide(knocks, rows, out=np.zeros(size), where=rows > 0)
    climbs = [replies.climb(start) for start in (np.zeros(size), np.ones(size), alike)]
    return max(climbs, key=lambda climb: climb[0])[1]
