"""What a knock comes to as the cards were laid out, which need not be the best way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ginsim import layout as D
from ginsim.cards import LANE, format_hand
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import is_meld, longest_melds
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN, Shown
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.scoring import score_hand
from ginsim.melds import deadwood, fourth_cards, grow_runs, knocker_melds, lay_off, points

__all__ = ["LaidOut", "Outcome", "Table", "lay_out"]

NO_LAYOFF, AFTER_MELDS = 2, 1


@dataclass(frozen=True)
class Outcome:
    """How a hand ended.

    Attributes
    ----------
    ending : str
        One of ``ginsim.games.gin.records.ENDINGS``; empty if the record does not say.
    winner, points : int
        -1 if nobody won.
    knocker : int
        -1 if nobody knocked.
    knocker_deadwood, defender_deadwood : int
        After lay-offs; -1 if nobody knocked, or not all cards are known.
    knocker_melds : tuple of int
        As laid out.
    laid_off : int
    """

    ending: str
    winner: int = -1
    points: int = 0
    knocker: int = -1
    knocker_deadwood: int = -1
    defender_deadwood: int = -1
    knocker_melds: tuple[int, ...] = ()
    laid_off: int = 0

    def __str__(self) -> str:
        won = f"{'AB'[self.winner]} {self.points} " if self.winner >= 0 else ""
        how = f" ({self.knocker_deadwood} against {self.defender_deadwood})" if self.knocker_deadwood >= 0 else ""
        return f"{won}{self.ending.replace('_', ' ')}{how}"


@dataclass(frozen=True)
class Table:
    """What lies on the table after a knock: the knocker's view, both hands, and what was said of them.

    The defender's hand is None if it is not known. ``checked`` says whether the knock has been found to be legal, or not to be.
    """

    rules: Rules
    view: np.ndarray
    knocker: int
    defender: int | None
    shown: Shown | None
    defender_shown: Shown | None
    ending: str
    checked: bool


@dataclass(frozen=True)
class LaidOut:
    """What came of it, without the players: the outcome (None if the defender's hand is not known), and who won; the melds laid
    out; and what is wrong with what the knocker (0) or the defender (1) laid down.
    """

    outcome: Outcome | None
    melds: tuple[int, ...]
    winner: Literal["knocker", "defender"] | None
    faults: tuple[tuple[int, str], ...]


def lay_out(table: Table) -> LaidOut:
    """Melds, lay-offs and points; what was not said is laid out as the engine does."""
    faults: list[tuple[int, str]] = []
    c, rules, held = table.view, table.rules, table.knocker
    melds = _knocker_melds(table, faults)
    left, least = int(points(np.int64(held & ~sum(melds)), c)), int(deadwood(np.int64(held), c)) if table.checked else 0
    if left > least and table.ending in (GIN, BIG_GIN):
        faults.append((0, f"that is not {table.ending}: {left} is left as it is laid out"))
    elif left > c[R.LIMIT] >= least:
        faults.append((0, f"{left} is left as it is laid out, and the most to knock with is {int(c[R.LIMIT])}"))
    if table.defender is None:
        return LaidOut(None, melds, None, tuple(faults))
    after, laid = _defence(table, table.defender, melds, left, faults)
    big_gin = table.ending == BIG_GIN and left == 0 and rules.big_gin_bonus is not None
    score = score_hand(left, after, rules, big_gin=big_gin, multiplier=int(c[V.MULTIPLIER]))
    return LaidOut(Outcome(score.ending, -1, score.points, -1, left, after, melds, laid), melds, score.winner, tuple(faults))


def _knocker_melds(table: Table, faults: list[tuple[int, str]]) -> tuple[int, ...]:
    """The melds laid out: those that were said, or the best ones."""
    c, held, shown = table.view, table.knocker, table.shown
    if shown is not None:
        faults += [(0, text) for text in _wrong_melds(shown, held, table.rules, c)]
        if shown.laid_off:
            faults.append((0, "who knocked lays nothing off"))
        if shown.melds is not None:
            return tuple(meld for meld in shown.melds if is_meld(meld, table.rules))
    melded = held if shown is None or shown.unmatched is None else held & ~shown.unmatched
    sets, runs = knocker_melds(np.int64(melded), np.int64(int(c[D.FULL]) & ~(held | int(c[V.PILE]))), c)
    return longest_melds(int(sets), int(runs), table.rules)


def _wrong_melds(shown: Shown, held: int, rules: Rules, c: np.ndarray) -> Iterator[str]:
    """What is wrong with the melds and unmatched cards that somebody showed of a hand."""
    melded = sum(shown.melds or ())
    for meld in shown.melds or ():
        if not is_meld(meld, rules):
            yield f"{format_hand(meld)} is no meld"
    if shown.unmatched is None:
        return
    if shown.melds is None and deadwood(np.int64(held & ~(shown.laid_off | shown.unmatched)), c):
        yield f"{format_hand(held & ~(shown.laid_off | shown.unmatched))} cannot all be melded"
    elif shown.melds is not None and (rest := held & ~(melded | shown.laid_off)) != shown.unmatched:
        yield f"{format_hand(rest & ~shown.unmatched)} is neither melded, laid off nor unmatched"


def _defence(
    table: Table, held: int, melds: tuple[int, ...], left: int, faults: list[tuple[int, str]]
) -> tuple[int, int]:
    """The defender's deadwood after lay-offs, and the cards laid off."""
    c, shown, rules = table.view, table.defender_shown, table.rules
    sets = sum(meld for meld in melds if _is_set(meld))
    runs = sum(melds) - sets
    mode = int(c[R.LAYOFF]) if left or rules.layoff_on_gin else NO_LAYOFF
    if shown is None or (shown.melds is None and shown.unmatched is None and not shown.laid_off):
        after, laid = lay_off(np.int64(held), np.int64(sets), np.int64(runs), np.int64(mode), c)
        return int(after), int(laid)
    laid = shown.laid_off
    wrong = [*_wrong_melds(shown, held, rules, c), *_wrong_lay_offs(laid, sets, runs, mode, c)]
    faults += [(1, text) for text in wrong]
    if shown.melds is None and shown.unmatched is None:
        return int(deadwood(np.int64(held & ~laid), c)), laid
    loose = held & ~(laid | sum(shown.melds)) if shown.melds is not None else shown.unmatched or 0
    least = deadwood(np.int64(held), c)
    if mode == AFTER_MELDS and laid and not wrong and points(np.int64(loose | laid), c) > least:
        faults.append((1, f"under {rules} the defender melds for the least deadwood, {least}, and only then lays off"))
    return int(points(np.int64(loose), c)), laid


def _wrong_lay_offs(laid: int, sets: int, runs: int, mode: int, c: np.ndarray) -> Iterator[str]:
    """What is wrong with cards laid off."""
    if laid and mode == NO_LAYOFF:
        yield "nothing may be laid off" if c[R.LAYOFF] == NO_LAYOFF else "nothing may be laid off on gin"
    elif loose := laid & ~(int(grow_runs(np.int64(runs), np.int64(laid), c)) | int(fourth_cards(np.int64(sets)))):
        yield f"{format_hand(loose)} cannot be laid off on these melds"


def _is_set(meld: int) -> bool:
    return meld.bit_length() - (meld & -meld).bit_length() >= LANE
