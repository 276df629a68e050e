"""What ``ginsim replay --format json`` prints: one hand, several one after the other, or a list; also lists of actions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

from ginsim.cards import parse_hand
from ginsim.errors import InputError, one_line, shown
from ginsim.games.gin import records as H
from ginsim.games.gin.recorded.from_openspiel import of_actions
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN, KNOCK, RecordedHand, Result, Shown, Turn
from ginsim.games.gin.rules import Rules

__all__ = ["of_data", "parse_json"]


def parse_json(text: str) -> list[RecordedHand]:
    """Read hands from JSON: objects as `ginsim.games.gin.text.as_dict` gives them, or OpenSpiel's lists of actions.

    Raises
    ------
    InputError
        With line and column for what is no JSON, and the name of the field for what is no hand.
    """
    found: list[RecordedHand] = []
    for value in _values(text):
        several = isinstance(value, list) and not (value and all(isinstance(item, int) for item in value))
        for item in value if several else [value]:
            try:
                found.append(of_actions(item) if isinstance(item, list) else of_data(item))
            except InputError as error:
                raise InputError(f"hand {len(found) + 1}: {error}") from None
    return found


def _values(text: str) -> Iterator[Any]:
    """The values of a text, one after the other."""
    reader, at = json.JSONDecoder(), 0
    while at < len(text):
        if text[at].isspace() or text[at] == ",":
            at += 1
            continue
        try:
            value, at = reader.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise InputError(f"line {error.lineno}, column {error.colno}: {error.msg} in JSON") from None
        except (RecursionError, ValueError):
            raise InputError("this JSON cannot be read: too many brackets, or digits") from None
        yield value


class _Data:
    """A value of JSON that knows what it is called."""

    def __init__(self, value: Any, name: str = "") -> None:
        self.value, self.name = value, name

    def fail(self, allowed: str) -> NoReturn:
        raise InputError(f"{self.name or 'hand'}: {shown(self.value)} is not allowed; expected {allowed}")

    def __getitem__(self, key: str) -> _Data:
        if not isinstance(self.value, dict):
            self.fail("an object")
        if key not in self.value:
            raise InputError(f"{self.name or 'hand'}: there is no {key}")
        return _Data(self.value[key], f"{self.name}.{key}" if self.name else key)

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def items(self, count: int | None = None) -> list[_Data]:
        """The items of a list, of ``count`` if there is one."""
        if not isinstance(self.value, list) or count not in (None, len(self.value)):
            self.fail("a list" if count is None else f"a list of {count}")
        return [_Data(value, f"{self.name}[{i}]") for i, value in enumerate(self.value)]

    @property
    def text(self) -> str:
        return str(self.value) if isinstance(self.value, str) else self.fail("a text")

    @property
    def label(self) -> str:
        """A text on one line."""
        return one_line(self.text)

    @property
    def cards(self) -> int:
        return parse_hand(self.text, self.name)

    @property
    def card(self) -> int:
        """One card, or 0 for none."""
        cards = self.cards
        return cards if cards.bit_count() <= 1 else self.fail("one card")

    def number(self, low: int, high: int) -> int:
        """A whole number in a range."""
        whole = isinstance(self.value, int) and not isinstance(self.value, bool)
        return int(self.value) if whole and low <= self.value <= high else self.fail(f"a whole number from {low} to {high}")

    @property
    def player(self) -> int:
        return self.number(0, 1)


def of_data(data: Any) -> RecordedHand:
    """A hand from the data of a replay.

    Raises
    ------
    InputError
        For data that is none, naming the field, the value and what is expected.
    """
    hand, record = _Data(data), _Data(data)["record"]
    a, b = (name.label for name in hand["strategies"].items(2))
    dealt = tuple(_held(held) for held in hand["dealt"].items(2))
    moves = hand["moves"].items()
    return RecordedHand(
        rules=Rules.parse(hand["rules"].text),
        names=(a, b),
        score=_pair(hand["score"]),
        boxes=_pair(hand["boxes"]) if "boxes" in hand else (0, 0),
        starter=record["starter"].player,
        dealt=(dealt[0], dealt[1]),
        upcard=hand["upcard"].card,
        turns=tuple(_turn(move, i == len(moves) - 1) for i, move in enumerate(moves)),
        shown=_shown(hand),
        result=_result(record),
        note=", ".join(f"{name} {hand[name].number(0, 1 << 62)}" for name in ("deal", "seed", "play")),
        places={"hand": "hand"} | {name: name for name in ("upcard", "score")} | {f"hand {p}": "dealt" for p in "ab"},
    )


def _pair(data: _Data) -> tuple[int, int]:
    first, second = (number.number(0, 100_000) for number in data.items(2))
    return first, second


def _held(data: _Data) -> int:
    """A hand that is told by melds and unmatched cards."""
    return sum(meld.cards for meld in data["melds"].items()) | data["unmatched"].cards


def _turn(data: _Data, last: bool) -> Turn:
    player, places = data["player"].player, {"turn": data.name}
    if "refuses" in data:
        return Turn(player, "pass", places=places)
    drawn, discard, taken = data["drawn"].card, data["discard"].card, data["taken"].value
    if not isinstance(taken, bool):
        data["taken"].fail("true or false")
    knocks = data["knock"].value
    if knocks is not None and not isinstance(knocks, bool):
        data["knock"].fail("true, false or null")
    action: Any = "take" if taken else "draw" if drawn else "discard"
    ending = "" if not knocks else KNOCK if discard else BIG_GIN
    if ending == KNOCK and data["after"]["deadwood"].number(0, 1000) == 0:
        ending = GIN
    if ending and not last:
        data["knock"].fail("false or null, for the hand goes on")
    return Turn(player, action, drawn, discard, ending, places | {p: f"{data.name}.{p}" for p in ("drawn", "discard")})


def _shown(hand: _Data) -> tuple[Shown | None, Shown | None]:
    """What was laid down; without a knock the hands as they were at the end."""
    final, knocker = list(hand["dealt"].items(2)), hand["record"]["knocker"].number(-1, 1)
    for move in hand["moves"].items():
        if "after" in move:
            final[move["player"].player] = move["after"]
    sides = []
    for player, held in enumerate(final):
        melds, laid = held["melds"], 0
        if knocker >= 0:
            showdown = hand["showdown"]
            melds = showdown["knocker_melds" if player == knocker else "defender_melds"]
            laid = 0 if player == knocker else showdown["laid_off"].cards
        groups = tuple(meld.cards for meld in melds.items())
        sides.append(Shown(groups, laid, _held(held) & ~(sum(groups) | laid)))
    return sides[0], sides[1]


def _result(record: _Data) -> Result:
    ending = record["ending"]
    if ending.text not in H.ENDINGS:
        ending.fail(f"one of {', '.join(H.ENDINGS)}")
    return Result(ending.text, record["winner"].number(-1, 1), record["points"].number(0, 100_000))
