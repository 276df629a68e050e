"""Twin in plain integers of the random streams: decks, players' choices, reshuffles."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .cards import STANDARD, Card, Pack, bit, full_deck

T = TypeVar("T")

WORD = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15
M1 = 0xBF58476D1CE4E5B9
M2 = 0x94D049BB133111EB

DECK_LANE, STARTER_LANE, DEALER_LANE, RESHUFFLE_LANE = range(4)


def mix(z: int) -> int:
    z = (z ^ z >> 30) * M1 & WORD
    z = (z ^ z >> 27) * M2 & WORD
    return z ^ z >> 31


def cut(half: int, n: int, span: int) -> tuple[int, int]:
    """Integer part and fraction (in 2**-32) of n * half / 2**32."""
    return divmod(half * n, span)


class Stream:
    """Random numbers of one lane of one deal."""

    def __init__(self, seed: int, index: int, lane: int) -> None:
        key = mix(mix((seed + GAMMA) & WORD) + index * GAMMA & WORD)
        self.state = mix(key + lane * M1 & WORD)

    def word(self) -> int:
        self.state = self.state + GAMMA & WORD
        return mix(self.state)

    def below(self, n: int) -> int:
        while True:
            index, fraction = cut(self.word() >> 32, n, 1 << 32)
            if fraction >= (1 << 32) % n:
                return index

    def shuffled(self, items: list[T]) -> list[T]:
        """Fisher-Yates from the front: four steps a half word, the last three a word each."""
        items = list(items)
        place, halves = 0, list[int]()
        while (n := len(items) - place) >= 4:
            if not halves:
                word = self.word()
                halves = [word >> 32, word & 0xFFFFFFFF]
            fraction, steps = halves.pop(0), []
            for left in range(n, n - 4, -1):
                step, fraction = cut(fraction, left, 1 << 32)
                steps.append(step)
            if fraction < (1 << 32) % (n * (n - 1) * (n - 2) * (n - 3)):
                continue  # this half word would favour some orders
            for step in steps:
                items[place], items[place + step] = items[place + step], items[place]
                place += 1
        while (n := len(items) - place) > 1:
            step = self.below(n)
            items[place], items[place + step] = items[place + step], items[place]
            place += 1
        return items


def deck(seed: int, index: int, pack: Pack = STANDARD) -> list[Card]:
    """All cards of the deck of this deal in order."""
    return Stream(seed, index, DECK_LANE).shuffled(full_deck(pack))


def reshuffler(seed: int, index: int) -> Callable[[list[Card]], list[Card]]:
    """What makes the discards of this deal a new stock: they are put in falling order, then shuffled."""
    lane = Stream(seed, index, RESHUFFLE_LANE)
    return lambda old: lane.shuffled(sorted(old, key=bit, reverse=True))


def streams(seed: int, index: int, starter: int) -> tuple[Stream, Stream]:
    """The streams of players 0 and 1: they belong to the roles, starter and dealer."""
    lanes = (STARTER_LANE, DEALER_LANE)
    return Stream(seed, index, lanes[starter != 0]), Stream(seed, index, lanes[starter != 1])
