"""Lines of the notation: words that know where they are, and the phrases they make."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from ginsim.cards import format_hand, parse_hand
from ginsim.errors import InputError, shown
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN

__all__ = ["SHOWN", "Phrase", "Word", "cards_in", "groups_in", "is_none", "one_card", "phrases"]

_WORD = re.compile(r"[^\s,;|]+|\|")
_PLAIN = {
    "pass": "passes", "take": "takes", "draw": "draws", "discard": "discards", "knock": "knocks", "meld": "melds",
    "lay off": "lays off", "goes gin": GIN, "goes big gin": BIG_GIN,
}  # fmt: skip
SHOWN = ("melds", "lays off", "unmatched")
"""Verbs of lines that say what was shown when the hand was over."""
_SPELT = _PLAIN | {verb: verb for verb in (*_PLAIN.values(), *SHOWN)}
_NEXT = {
    "": ("passes", "takes", "draws", "discards", *SHOWN),
    "takes": ("discards", BIG_GIN),
    "draws": ("discards", BIG_GIN),
    "discards": ("knocks", GIN),
    "melds": ("lays off", "unmatched"),
    "lays off": ("unmatched",),
}
"""What may follow a verb in a line."""


@dataclass(frozen=True)
class Word:
    """A piece of a line, and where it is."""

    text: str
    line: int
    column: int

    @property
    def place(self) -> str:
        return f"line {self.line}, column {self.column}"

    def fail(self, message: str) -> NoReturn:
        raise InputError(f"{self.place}: {message}")

    def words(self) -> list[Word]:
        return [Word(found[0], self.line, self.column + found.start()) for found in _WORD.finditer(self.text)]


@dataclass
class Phrase:
    """A verb and what it is about."""

    verb: str
    word: Word
    about: list[Word] = field(default_factory=list)


def phrases(words: list[Word], line: Word) -> Iterator[Phrase]:
    """The phrases of a line, each allowed after the one before."""
    phrase, at = None, 1
    while at < len(words):
        spelt, length = _verb(words, at)
        allowed = _NEXT.get(phrase.verb if phrase else "", ())
        if spelt in allowed:
            if phrase:
                yield phrase
            phrase, at = Phrase(spelt, words[at]), at + length
        elif spelt or phrase is None or not _takes_more(phrase):
            expected = [*allowed, *([] if phrase is None else ["the end of the line"])]
            words[at].fail(f"found {shown(words[at].text)}, expected {_or(expected)}")
        else:
            phrase.about.append(words[at])
            at += 1
    if phrase is None:
        Word("", line.line, line.column + len(line.text)).fail(f"the line ends, expected {_or(list(_NEXT['']))}")
    yield phrase


def _verb(words: list[Word], at: int) -> tuple[str, int]:
    """The verb that begins here, and of how many words it is; ``("", 0)`` if none does."""
    for length in (3, 2, 1):
        spelt = " ".join(word.text.lower() for word in words[at : at + length])
        if spelt in _SPELT and at + length <= len(words):
            return _SPELT[spelt], length
    return "", 0


def _takes_more(phrase: Phrase) -> bool:
    """Whether another word can belong to a phrase."""
    most = {"passes": 0, "takes": 1, "draws": 1, "discards": 1, "knocks": 0, GIN: 0, BIG_GIN: 0}
    return len(phrase.about) < most.get(phrase.verb, 1000)


def _or(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


def groups_in(phrase: Phrase) -> Iterator[int]:
    """Melds, with ``|`` between them."""
    if is_none(phrase):
        return
    group: list[Word] = []
    for word in [*phrase.about, Word("|", 0, 0)]:
        if word.text != "|":
            group.append(word)
            continue
        yield cards_in(phrase.word if word.line == 0 else word, group)
        group = []


def is_none(phrase: Phrase) -> bool:
    """Whether a phrase says that there are no such cards."""
    return [word.text.lower() for word in phrase.about] == ["none"]


def cards_in(at: Word, words: list[Word]) -> int:
    """Cards, one at least."""
    cards = 0
    for word in words:
        found = parse_hand(word.text, word.place)
        if cards & found:
            word.fail(f"{format_hand(cards & found)} appears twice")
        cards |= found
    if not cards:
        at.fail("expected cards such as 7S 10H")
    return cards


def one_card(at: Word, words: list[Word]) -> int:
    """A single card."""
    cards = cards_in(at, words)
    if cards.bit_count() != 1:
        words[0].fail(f"found {format_hand(cards)}, expected one card")
    return cards
