"""What a player could know of each unseen card, and whether the opponent held it: the raw material of the opponent model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import RECORD
from ginsim.games.gin.players.families import REPERTOIRE
from ginsim.games.gin.players.lookahead import W_KEPT_DEAR, W_READS
from ginsim.games.gin.players.opponent import UNIT, believe, near
from ginsim.games.gin.players.outlook import last_value, unseen_cards, worth_more
from ginsim.games.strategy import Strategy
from ginsim.jit import njit, popcount

__all__ = ["DEAR", "EVIDENCE", "MODELS", "Sightings", "model_of", "sightings"]

MODELS = ("belief", "dear", "even")
"""The opponent model; an older one, which only says that dear cards are less likely; all unseen cards equally likely."""
DEAR, DEAR_MOST = 0.3, 0.95
"""Of the older model: weight of a card dearer than the last discard, and the highest chance."""
_NEAR = ("rank", "rank_twice", "next", "next_twice", "two_away")
EVIDENCE = (*(f"{kind}_{how}" for kind in ("discarded", "passed", "took") for how in _NEAR), "kept_dear")
"""The factors of the model, one for each bit of what was seen of a card."""
HELD, SEEN, CHANCE, WIDTH = 0, 1, 2, 2 + len(MODELS)


@njit
def _bits(card, around):
    """Which of the five kinds of nearness hold for a card, one bit each."""
    rank1, rank2, next1, next2, two = around
    bits = (1 if card & rank1 else 0) | (2 if card & rank2 else 0) | (4 if card & next1 else 0)
    return bits | (8 if card & next2 else 0) | (16 if card & two else 0)


@njit
def look(view, theirs, kept_dear, reads, rows):
    """Fill a row for each unseen card: held by the opponent (hand ``theirs``), evidence, chances by `MODELS`; their number.

    Overwrites the belief in the view, so give it a copy.
    """
    believe(view, kept_dear, reads)
    unseen, held, discards = unseen_cards(view), view[V.OPP_HELD], view[V.OPP_DISCARDS]
    dear = worth_more(unseen, last_value(view), view)
    d, p, k = near(discards, view), near(view[V.OPP_PASSED] & ~discards, view), near(held, view)
    unknown, count = view[D.HAND_SIZE] - popcount(held), popcount(unseen)
    each = unknown / max(count - (1.0 - DEAR) * popcount(dear), 1e-9)
    row = 0
    while unseen:
        card = unseen & -unseen
        unseen ^= card
        high = card & dear != 0
        rows[row, HELD] = 1.0 if card & theirs else 0.0
        rows[row, SEEN] = _bits(card, d) + 32 * _bits(card, p) + 1024 * _bits(card, k) + (32768 if high else 0)
        rows[row, CHANCE] = view[V.BELIEF + popcount(card - 1)] / UNIT
        rows[row, CHANCE + 1] = min(each * (DEAR if high else 1.0), DEAR_MOST)
        rows[row, CHANCE + 2] = unknown / count
        row += 1
    return row


@dataclass(frozen=True)
class Sightings:
    """Every unseen card at every discard decision of a watcher, a row each.

    Attributes
    ----------
    deal, turn : int64[n]
        The deal; the watcher's turn, from 0.
    decision : int64[n]
        Number of the decision, from 0.
    held : bool[n]
        Whether the opponent held the card.
    seen : int64[n]
        What was seen of it: bit i for ``EVIDENCE[i]``.
    chances : float64[n, len(MODELS)]
    """

    deal: np.ndarray
    turn: np.ndarray
    decision: np.ndarray
    held: np.ndarray
    seen: np.ndarray
    chances: np.ndarray


def model_of(watcher: Strategy) -> tuple[float, float]:
    """``(kept_dear, reads)`` of a strategy that weighs the opponent's cards; the defaults for one that does not."""
    decision = REPERTOIRE.decisions["discard", "lookahead"]
    if set(watcher.decisions).intersection(REPERTOIRE.forms(decision)):
        return float(watcher.array[W_KEPT_DEAR]), float(watcher.array[W_READS])
    defaults = {param.name: float(param.default) for param in decision.params}
    return defaults["kept_dear"], defaults["reads"]


def sightings(play: Callable[[Any], object], kept_dear: float, reads: float) -> Sightings:
    """Look over the shoulder of the first strategy whenever it is to discard.

    ``play`` plays hands with what it is given as the ``watch`` of a ``ginsim.games.base.Session``.
    """
    found: list[tuple[int, int, np.ndarray]] = []
    rows = np.zeros((64, WIDTH))

    def watch(t: np.ndarray, slots: Any) -> None:
        decide: Callable[..., int] = slots[0][1]

        def discard(view: np.ndarray, params: np.ndarray) -> int:
            count = look(view.copy(), t[1, V.HAND], kept_dear, reads, rows)
            found.append((int(t[RECORD, H.DEAL]), int(view[V.TURN]), rows[:count].copy()))
            return decide(view, params)

        slots[0][1] = discard

    play(watch)
    every = np.concatenate([own for *_, own in found]) if found else rows[:0]
    sizes = [len(own) for *_, own in found]

    def spread(values: Any) -> np.ndarray:
        return np.repeat(np.array(values, np.int64), sizes)

    return Sightings(
        spread([deal for deal, *_ in found]),
        spread([turn for _, turn, _ in found]),
        spread(range(len(found))),
        every[:, HELD] > 0,
        every[:, SEEN].astype(np.int64),
        every[:, CHANCE:],
    )
