"""What ``ginsim replay`` prints: the hand turn by turn, in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from ginsim.cards import parse_hand
from ginsim.errors import InputError, shown
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN, KNOCK, RecordedHand, Result, Shown, Turn
from ginsim.games.gin.rules import Rules

__all__ = ["HEADLINE", "parse_replays"]

HEADLINE = re.compile(r"Deal (\d+), seed (\d+), play (\d+)(?:, at (\d{1,6}) to (\d{1,6}))?; rules (.+)")
_NAME = re.compile(r"([AB]): (.+)")
_STARTS = re.compile(r"([AB]) starts; (?:upcard (\S+)|no upcard); .*")
_DEALT = re.compile(r"([AB]) is dealt +\d+  (.+)")
_PASS = re.compile(r" {4}([AB]) passes (\S+)")
_TURN = re.compile(
    r" *\d+ ([AB]) (?:(takes|draws) (\S+?)(?: \(leaving \S+\))?)?(?:, |(?<=[AB] ))?(?:discards (\S+?))?"
    r"(?:, )?(knocks|lays down big gin|could knock, and goes on)?"
)
_HELD = re.compile(r" {8}(?: *\d+  .*|[AB] saw that .*|cost of discards: .*)")
_SHOWN = re.compile(r"([AB])  ( *\d+)  (.+?)(?:, having laid off (.+))?")
_WINS = re.compile(r"([AB]) wins (\d{1,6}) points (by a knock|by an undercut|with gin|with big gin)\.")
_ENDINGS = {"by a knock": "knock", "by an undercut": "undercut", "with gin": "gin", "with big gin": "big_gin"}
_NOBODY = {
    "The stock ran out before anyone knocked: nobody scores.": "dead",
    "The hand went on for too many turns: nobody scores.": "stalled",
    "Equal deadwood: nobody scores.": "push",
}


def parse_replays(text: str) -> list[RecordedHand]:
    """Read hands that were printed, one after the other.

    Raises
    ------
    InputError
        With the line that is none of a replay's.
    """
    found: list[_Replay] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if head := HEADLINE.fullmatch(line.rstrip()):
            found.append(_Replay(head, number))
        elif line.strip():
            if not found:
                raise InputError(f"line {number}, column 1: found {shown(line)}, expected Deal …, seed …, play …; rules …")
            found[-1].add(line.rstrip(), number)
    return [replay.finished() for replay in found]


class _Replay:
    """A hand that is being read."""

    def __init__(self, head: re.Match[str], line: int) -> None:
        self.line, self.first = line, line
        deal, seed, play, own, other, rules = head.groups()
        self.fields: dict[str, Any] = {"note": f"deal {deal}, seed {seed}, play {play}"}
        if own is not None:
            self.fields["score"] = int(own), int(other)
        try:
            self.fields["rules"] = Rules.parse(rules)
        except InputError as error:
            raise InputError(f"line {line}, column {head.start(6) + 1}: {error}") from None
        self.names, self.dealt = ["A", "B"], list[int | None]([None, None])
        self.shown, self.turns = list[Shown | None]([None, None]), list[Turn]()

    def add(self, line: str, number: int) -> None:
        """Another line of it."""
        self.line = number
        if line in _NOBODY:
            self.fields["result"] = Result(_NOBODY[line])
            return
        for pattern, read in self.kinds():
            if found := pattern.fullmatch(line):
                read(found)
                return
        self.fail(1, f"found {shown(line)}, which is no line of a replay")

    def kinds(self) -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], None]]]:
        """Kinds of lines, and what reads them."""
        yield _NAME, self.name
        yield _STARTS, self.starts
        yield _DEALT, self.deal
        yield _PASS, self.refuse
        yield _TURN, self.turn
        yield _HELD, lambda found: None
        yield _WINS, self.wins
        yield _SHOWN, self.show

    def fail(self, column: int, text: str) -> NoReturn:
        raise InputError(f"line {self.line}, column {column}: {text}")

    def place(self, column: int) -> str:
        return f"line {self.line}, column {column}"

    def cards(self, found: re.Match[str], group: int) -> int:
        """The cards of a group; 0 if it is empty."""
        return parse_hand(re.sub("[·|]", " ", found[group]), self.place(found.start(group) + 1)) if found[group] else 0

    def one_card(self, found: re.Match[str], group: int) -> int:
        cards = self.cards(found, group)
        return cards if cards.bit_count() <= 1 else self.fail(found.start(group) + 1, f"found {found[group]}, expected one card")

    def name(self, found: re.Match[str]) -> None:
        self.names["AB".index(found[1])] = found[2]

    def starts(self, found: re.Match[str]) -> None:
        self.fields |= {"starter": "AB".index(found[1]), "upcard": self.one_card(found, 2)}

    def deal(self, found: re.Match[str]) -> None:
        self.dealt["AB".index(found[1])] = self.cards(_without(found, "no meld"), 2)

    def refuse(self, found: re.Match[str]) -> None:
        self.one_card(found, 2)
        self.turns.append(Turn("AB".index(found[1]), "pass", places={"turn": self.place(found.start(1) + 1)}))

    def turn(self, found: re.Match[str]) -> None:
        action: Any = {"takes": "take", "draws": "draw", None: "discard"}[found[2]]
        drawn, discard = self.one_card(found, 3), self.one_card(found, 4)
        knocks = found[5] in ("knocks", "lays down big gin")
        ending = "" if not knocks else KNOCK if discard else BIG_GIN  # gin is told at the end
        parts = {"turn": 1, "drawn": 3, "discard": 4, "ending": 5}
        places = {part: self.place(found.start(group) + 1) for part, group in parts.items() if found[group]}
        self.turns.append(Turn("AB".index(found[1]), action, drawn, discard, ending, places))

    def show(self, found: re.Match[str]) -> None:
        """A hand as it was laid down at the end."""
        melded, _, loose = _without(found, "no meld")[3].partition("|")
        place = self.place(found.start(3) + 1)
        melds = tuple(parse_hand(group, place) for group in melded.split("·") if group.strip())
        self.shown["AB".index(found[1])] = Shown(melds, self.cards(found, 4), parse_hand(loose, place))

    def wins(self, found: re.Match[str]) -> None:
        self.fields["result"] = Result(_ENDINGS[found[3]], "AB".index(found[1]), int(found[2]))

    def finished(self) -> RecordedHand:
        result = self.fields.get("result")
        if self.turns and self.turns[-1].ending == KNOCK and result is not None and result.ending == "gin":
            last = self.turns[-1]
            self.turns[-1] = Turn(last.player, last.action, last.drawn, last.discard, GIN, last.places)
        return RecordedHand(
            names=(self.names[0], self.names[1]),
            dealt=(self.dealt[0], self.dealt[1]),
            turns=tuple(self.turns),
            shown=(self.shown[0], self.shown[1]),
            places={"hand": f"line {self.first}, column 1"},
            **self.fields,
        )


def _without(found: re.Match[str], words: str) -> re.Match[str]:
    """The same match in a text where some words are blank."""
    again = found.re.fullmatch(found.string.replace(words, " " * len(words)))
    return found if again is None else again
