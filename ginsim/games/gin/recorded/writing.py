"""Recorded hands in ginsim's notation, as ``ginsim.games.gin.recorded.notation`` reads it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from ginsim.cards import format_card, format_hand
from ginsim.games.gin.evaluate import in_order

__all__ = ["all_as_text", "as_text"]


def as_text(hand: Any, marks: Mapping[int, str] | None = None) -> str:
    """A hand in ginsim's notation.

    Parameters
    ----------
    hand : RecordedHand
    marks : mapping of int to str, optional
        Remarks by the position of the turn; one position behind the last is the showdown.
    """
    remarks = marks or {}
    lines = [*(f"{name}: {_quoted(value)}" for name, value in _headers(hand)), ""]
    for at, turn in enumerate(hand.turns):
        lines += [_turn(turn), *_remark(remarks.get(at))]
    shown = [f"{player} {_shown(what)}" for player, what in zip("AB", hand.shown, strict=True) if what]
    lines += ["", *shown] if shown else []
    lines += [f"result: {_result(hand.result)}"] if hand.result else []
    return "\n".join([*lines, *_remark(remarks.get(len(hand.turns)))])


def all_as_text(hands: Iterable[Any]) -> str:
    """Hands one after the other."""
    return "\n\n".join(map(as_text, hands))


def _headers(hand: Any) -> Iterator[tuple[str, str]]:
    """Names and values of the headers."""
    yield "rules", str(hand.rules)
    yield from zip("AB", hand.names, strict=True)
    told = {"game": hand.game, "note": hand.note}
    yield from ((name, text) for name, text in told.items() if text)
    pairs = {"score": hand.score, "boxes": hand.boxes}
    yield from ((name, f"{a} {b}") for name, (a, b) in pairs.items() if a or b or (name == "score" and hand.game))
    yield "starter", "AB"[hand.starter]
    yield from ((f"hand {who}", format_hand(cards)) for who, cards in zip("AB", hand.dealt, strict=True) if cards is not None)
    if hand.upcard:
        yield "upcard", format_card(hand.upcard)


def _quoted(value: str) -> str:
    """A header's value; in quotes if it would not be read as it is."""
    if value and not re.search(r'^["\s#]|\s#|\s$', value):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _turn(turn: Any) -> str:
    """A line for a turn."""
    done = {
        "pass": "passes",
        "take": f"takes {_card(turn.drawn)}",
        "draw": f"draws {_card(turn.drawn)}",
        "discard": "",
    }[turn.action]
    parts = [done] if done else []
    if turn.discard or turn.ending in ("knock", "gin"):
        parts.append(f"discards {_card(turn.discard)}")
    if turn.ending:
        parts.append({"knock": "knocks"}.get(turn.ending, turn.ending))
    return f"{'AB'[turn.player]} {', '.join(parts)}"


def _card(card: int) -> str:
    return format_card(card) if card else "?"


def _shown(shown: Any) -> str:
    """What a player showed."""
    parts = []
    if shown.melds is not None:
        parts.append(f"melds {' | '.join(format_hand(in_order(meld)) for meld in shown.melds) or 'none'}")
    if shown.laid_off:
        parts.append(f"lays off {format_hand(shown.laid_off)}")
    if shown.unmatched is not None:
        parts.append(f"unmatched {format_hand(shown.unmatched) or 'none'}")
    return ", ".join(parts) or "melds none"


def _result(result: Any) -> str:
    if result.winner < 0:
        return str(result.ending)
    return f"{'AB'[result.winner]} {result.points} {result.ending.replace('_', ' ')}".rstrip()


def _remark(text: str | None) -> list[str]:
    """A comment, a line for each line of the text."""
    return [f"# {line}" for line in chain(text.split("\n"))] if text else []
