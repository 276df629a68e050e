"""Twins of the built-in strategies, and a player that follows a script."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .cards import Card, Hand, bit, ordered, pack_of, point
from .melds import best_discards, deadwood, melds_with
from .play import View
from .rng import Stream


def pick(candidates: Hand, stream: Stream) -> Card:
    """One of the cards at random; a single card costs no random number."""
    listed = ordered(candidates)
    return listed[stream.below(len(listed))] if len(listed) > 1 else listed[0]


class Threshold:
    """Knocks at a threshold, or at one for each own turn; the last entry of the list repeats."""

    def __init__(
        self,
        stream: Stream,
        knock: int | Sequence[int] = 10,
        draw: str = "meld",
        discard: str = "random_best",
    ) -> None:
        self.stream = stream
        self.thresholds = [knock] if isinstance(knock, int) else list(knock)
        self.drawing, self.discarding = draw, discard

    def draw(self, view: View) -> bool:
        assert view.upcard is not None
        pack = pack_of(view.rules)
        if self.drawing == "meld":
            return bool(melds_with(view.hand, view.upcard, pack))
        if self.drawing == "strict":
            banned = frozenset({view.upcard}) if view.rules.redraw_ban else frozenset()
            after, _ = best_discards(view.hand | {view.upcard}, banned, pack)
            return after < deadwood(view.hand, pack)
        return False

    def discard(self, view: View) -> Card:
        pack = pack_of(view.rules)
        _, candidates = best_discards(view.hand, view.banned, pack)
        if self.discarding == "highest":
            return max(candidates, key=lambda c: (point(c, pack), bit(c)))
        return pick(candidates, self.stream)

    def knock(self, view: View) -> bool:
        assert view.deadwood is not None
        return view.deadwood <= self.thresholds[min(view.turn, len(self.thresholds) - 1)]


class Simple:
    """The published baseline: melds with the upcard, never the same (drawn, discarded) pair, knocks at once.

    One object a hand: it remembers its pairs.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.pairs: set[tuple[Card | None, Card]] = set()

    def draw(self, view: View) -> bool:
        assert view.upcard is not None
        return bool(melds_with(view.hand, view.upcard, pack_of(view.rules)))

    def discard(self, view: View) -> Card:
        repeats = frozenset(c for c in view.hand if (view.drawn, c) in self.pairs)
        if not view.hand - view.banned - repeats:
            repeats = frozenset()
        _, candidates = best_discards(view.hand, view.banned | repeats, pack_of(view.rules))
        chosen = pick(candidates, self.stream)
        self.pairs.add((view.drawn, chosen))
        return chosen

    def knock(self, view: View) -> bool:
        return True


class Random:
    """Anything legal, with even chances; knocks half the time."""

    def __init__(self, stream: Stream) -> None:
        self.stream = stream

    def draw(self, view: View) -> bool:
        return self.stream.below(2) == 1

    def discard(self, view: View) -> Card:
        return pick(view.hand - view.banned, self.stream)

    def knock(self, view: View) -> bool:
        return self.stream.below(2) == 1


class Scripted:
    """Follows prepared decisions and keeps the views it was shown.

    A missing draw decision means the stock, a missing discard the card just drawn (the first allowed card
    if that is banned), a missing knock decision no.
    """

    def __init__(
        self,
        draws: Iterable[bool | int] = (),
        discards: Iterable[Card] = (),
        knocks: Iterable[bool | int] = (),
    ) -> None:
        self.draws, self.discards, self.knocks = list(draws), list(discards), list(knocks)
        self.seen: list[tuple[str, View]] = []

    def draw(self, view: View) -> bool:
        self.seen.append(("draw", view))
        return bool(self.draws.pop(0)) if self.draws else False

    def discard(self, view: View) -> Card:
        self.seen.append(("discard", view))
        if self.discards:
            return self.discards.pop(0)
        if view.drawn is not None and view.drawn not in view.banned:
            return view.drawn
        return ordered(view.hand - view.banned)[0]

    def knock(self, view: View) -> bool:
        self.seen.append(("knock", view))
        return bool(self.knocks.pop(0)) if self.knocks else False
