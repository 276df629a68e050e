"""One hand of the table game again, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.cards import cards_of, format_card, format_hand
from ginsim.deals import GAME_BASE
from ginsim.errors import InputError
from ginsim.games.strategy import Strategy
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table.rules import TableRules
from ginsim.games.table.trace import trace
from ginsim.melds import fourth_cards, grow_runs, knocker_melds, points

__all__ = ["TableReplay", "TableTurn", "replay_hand"]

HOW = {
    "discard": "with a last discard",
    "meld": "by melding all",
    "claim": "by claiming a discard",
    "lowest": "with the least in hand",
}


@dataclass(frozen=True)
class TableTurn:
    """A turn, or a claim of a discard out of turn; sets of cards are masks.

    Attributes
    ----------
    seat : int
    claim, reshuffled : bool
        Whether it is a claim; whether the stock was made anew before it.
    depth : int
        Cards taken from the pile; 0: the stock.
    drawn, discard : int
        The cards drawn or claimed; the discard (0: none).
    melded : tuple of (before, added)
        What was added to which meld on the table (0: a new one).
    hand : int
        The player's hand after it.
    table : tuple of int
        The melds on the table after it.
    """

    seat: int
    claim: bool
    reshuffled: bool
    depth: int
    drawn: int
    discard: int
    melded: tuple[tuple[int, int], ...]
    hand: int
    table: tuple[int, ...]


@dataclass(frozen=True)
class TableReplay:
    """A hand of the table game turn by turn; ``print`` it, or see `as_dict`.

    Attributes
    ----------
    strategies : tuple of str
        By seat; seat 0 starts.
    rules : TableRules
    seed, deal, play : int
    record : dict of str to int
        Columns as in ``ginsim.games.table.records.TABLE_COLUMNS``.
    dealt : tuple of int
        The hands by seat (masks).
    upcard : int
        The first card of the pile.
    turns : tuple of TableTurn
    """

    strategies: tuple[str, ...]
    rules: TableRules
    seed: int
    deal: int
    play: int
    record: dict[str, int]
    dealt: tuple[int, ...]
    upcard: int
    turns: tuple[TableTurn, ...]

    @property
    def ending(self) -> str:
        """One of ``ginsim.games.table.records.ENDINGS``."""
        return H.ENDINGS[self.record["ending"]]

    @property
    def hands(self) -> tuple[int, ...]:
        """The hands at the end, by seat."""
        return tuple((dict(enumerate(self.dealt)) | {turn.seat: turn.hand for turn in self.turns}).values())

    def __str__(self) -> str:
        c = self.rules.array()
        lines = [f"Deal {self.deal}, seed {self.seed}, play {self.play}; rules {self.rules}"]
        lines += [f"seat {seat}: {name}" for seat, name in enumerate(self.strategies)]
        lines += [f"seat 0 starts; upcard {_cards(self.upcard)}", ""]
        lines += [f"seat {seat} is dealt   {held_in(hand, c)}" for seat, hand in enumerate(self.dealt)]
        number = 0
        for turn in self.turns:
            number += not turn.claim
            label = "   " if turn.claim else f"{number:3d}"
            lines += ["", f"{label} seat {turn.seat} {_done(turn)}", f"      {held_in(turn.hand, c)}"]
            if turn.melded:
                lines.append(f"      on the table: {_apart(turn.table)}")
        lines += ["", "hands at the end, and what they count:"]
        lines += [f"seat {seat}   {held_in(hand, c, self.record[f'left_{seat}'])}" for seat, hand in enumerate(self.hands)]
        return "\n".join([*lines, "", self._outcome()])

    def _outcome(self) -> str:
        scores = ", ".join(f"seat {seat} {self.record[f'score_{seat}']:+d}" for seat in range(len(self.strategies)))
        if self.ending not in ("blocked", "lowest"):
            return f"Seat {self.record['winner']} wins {HOW[self.ending]}: {scores}."
        most = self.rules.max_turns
        why = f"The hand went on for {most} turns, the most allowed" if self.record["turns"] >= most else "The stock ran out"
        if self.record["winner"] < 0:
            return f"{why}: the hand is blocked, and nobody wins ({scores})."
        return f"{why}: seat {self.record['winner']} wins {HOW[self.ending]} ({scores})."

    def as_dict(self) -> dict[str, Any]:
        """All of it with cards as text, ready for JSON."""
        c = self.rules.array()
        return {
            "deal": self.deal,
            "seed": self.seed,
            "play": self.play,
            "rules": str(self.rules),
            "strategies": list(self.strategies),
            "upcard": format_hand(self.upcard),
            "dealt": [_held_dict(hand, c) for hand in self.dealt],
            "turns": [
                {
                    "seat": turn.seat,
                    "claim": turn.claim,
                    "reshuffled": turn.reshuffled,
                    "from_pile": turn.depth,
                    "drawn": format_hand(turn.drawn),
                    "melded": [{"to": format_hand(before), "added": format_hand(added)} for before, added in turn.melded],
                    "discard": format_hand(turn.discard),
                    "after": _held_dict(turn.hand, c),
                    "table": [format_hand(meld) for meld in turn.table],
                }
                for turn in self.turns
            ],
            "final": [_held_dict(hand, c) for hand in self.hands],
            "record": self.record | {"ending": self.ending},
        }


def replay_hand(players: Sequence[Strategy], rules: TableRules, seed: int, deal: int, play: int) -> TableReplay:
    """A hand of strategies that sit as in a study: two alternately, or one a seat."""
    if deal >= GAME_BASE:
        raise InputError(f"deal: {deal} belongs to a game; of the table game only single hands are replayed")
    seats = [players[(seat + play) % len(players)] for seat in range(rules.players)]
    found = trace(seats, rules, seed, deal)
    size, n = rules.cards, rules.players
    dealt = tuple(sum(found.deck[seat * size : (seat + 1) * size].tolist()) for seat in range(n))
    turns = tuple(_turns(list(dealt), found.log.tolist()))
    record, upcard = found.record | {"play": play}, int(found.deck[n * size])
    return TableReplay(tuple(map(str, seats)), rules, seed, deal, play, record, dealt, upcard, turns)


def _turns(hands: list[int], log: list[list[int]]) -> Iterator[TableTurn]:
    """The log with the hands and the table followed."""
    table: list[int] = []
    for row in log:
        seat, melded = row[L.SEAT], []
        hands[seat] = (hands[seat] | row[L.DRAWN]) & ~row[L.DISCARD]
        for i, added in enumerate(row[L.MELDS:]):
            if added:
                table += [0] * (i + 1 - len(table))
                melded.append((table[i], added))
                table[i] |= added
                hands[seat] &= ~added
        yield TableTurn(
            seat,
            bool(row[L.KIND]),
            bool(row[L.RESHUFFLED]),
            row[L.DEPTH],
            row[L.DRAWN],
            row[L.DISCARD],
            tuple(melded),
            hands[seat],
            tuple(table),
        )


def _done(turn: TableTurn) -> str:
    """What a player did."""
    what = "claims" if turn.claim else "draws" if turn.depth == 0 else f"takes {turn.depth} from the pile:"
    parts = [f"{what} {_cards(turn.drawn)}"]
    if turn.reshuffled:
        parts.insert(0, "(the stock is made anew)")
    for before, added in turn.melded:
        parts.append(f"lays off {_cards(added)} on {_cards(before)}" if before else f"melds {_cards(added)}")
    if turn.discard:
        parts.append(f"discards {_cards(turn.discard)}")
    return ", ".join(parts)


def melds_in(hand: int, c: np.ndarray) -> tuple[int, ...]:
    """The melds of an arrangement of the hand with least deadwood, sets first; ``c`` is a rules array."""
    found = []
    sets, runs = (int(cards) for cards in knocker_melds(np.int64(hand), np.int64(0), c))
    while sets:
        card = sets & -sets
        found.append((card | int(fourth_cards(card))) & sets)
        sets ^= found[-1]
    while runs:
        found.append(int(grow_runs(runs & -runs, runs, c)))
        runs ^= found[-1]
    return tuple(found)


def held_in(hand: int, c: np.ndarray, counted: int | None = None) -> str:
    """A hand as it is shown: what it counts (its deadwood, unless told), its melds, its unmatched cards."""
    melds = melds_in(hand, c)
    loose = hand & ~sum(melds)
    count = int(points(np.int64(loose), c)) if counted is None else counted
    return f"{count:2d}  {' | '.join(filter(None, (_apart(melds) or 'no meld', _cards(loose)))) if hand else 'nothing left'}"


def _held_dict(hand: int, c: np.ndarray) -> dict[str, Any]:
    melds = melds_in(hand, c)
    loose = hand & ~sum(melds)
    count = int(points(np.int64(loose), c))
    return {"melds": [format_hand(meld) for meld in melds], "unmatched": format_hand(loose), "deadwood": count}


def _apart(melds: Sequence[int]) -> str:
    return " · ".join(map(_cards, melds))


def _cards(cards: int) -> str:
    return " ".join(format_card(card, symbols=True) for card in cards_of(cards))
