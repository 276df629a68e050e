"""Hands with headers like those of bridge (PBN): ``[Deal "C2 S3 …, HA DA …"]``, ``[Upcard "HQ"]``, ``[Dealer "2"]``, ``[Play]``.

So are written the 10,000 hands of people that Arkadium published (one file a hand). Of these the players, who dealt, both hands
and the upcard are read. The codes of the moves under ``[Play]`` are not documented: they are not read, and the note says so. What
else the headers say stands in the note as it is, among it ``GameScore`` and ``Score``, of which it is not said whether they are
before or after the hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ginsim.cards import parse_hand
from ginsim.errors import InputError, shown, visible
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.rules import Rules

__all__ = ["TAG", "parse_pbn"]

TAG = re.compile(r'\[\s*(\w+)\s*(?:"([^"]*)"\s*)?\]')
_READ = ("Deal", "Upcard", "Dealer", "Player1", "Player2", "Play")


@dataclass
class _Tags:
    """The headers of a hand with their places, and how many lines of moves there are."""

    tags: dict[str, tuple[str, str]] = field(default_factory=dict)
    moves: int = 0


def parse_pbn(text: str, rules: str | Rules = "classic25") -> list[RecordedHand]:
    r"""Read hands with headers in brackets; the rules are not among them.

    Raises
    ------
    InputError
        With line and column.

    Examples
    --------
    >>> text = '[Dealer "2"]\n[Deal "C2 S3 C5 D6 S6 H7 C8 C9 DQ SQ, HA DA C3 D4 H6 C6 S8 CJ SJ DK"]\n[Upcard "HQ"]\n[Play]'
    >>> (hand,) = parse_pbn(text)
    >>> hand.starter, len(hand.turns)
    (0, 0)
    """
    played, found = Rules.parse(rules), [_Tags()]
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not line.strip() or line.startswith(("%", ";")):
            continue
        tag = TAG.fullmatch(line.strip())
        if tag is None and "Play" not in found[-1].tags:
            raise InputError(f'line {number}, column 1: found {shown(line)}, expected a header such as [Upcard "HQ"]')
        if tag is None:
            found[-1].moves += 1
            continue
        if tag[1] in found[-1].tags:
            found.append(_Tags())
        column = line.index("[") + (tag.start(2) if tag[2] is not None else tag.start(1)) + 1
        found[-1].tags[tag[1]] = visible(tag[2] or ""), f"line {number}, column {column}"
    return [_hand(tags, played) for tags in found]


def _hand(of: _Tags, rules: Rules) -> RecordedHand:
    tags = of.tags
    if "Deal" not in tags:
        place = next(iter(tags.values()))[1] if tags else "line 1, column 1"
        raise InputError(f'{place}: there is no [Deal "…, …"]')
    deal, place = tags["Deal"]
    parts = deal.split(",")
    if len(parts) != 2:
        raise InputError(f"{place}: found {len(parts)} hands, expected two with a comma between them")
    first, second = (parse_hand(part, place) for part in parts)
    upcard, upcard_place = tags.get("Upcard", ("", place))
    card = parse_hand(upcard, upcard_place)
    if card.bit_count() > 1:
        raise InputError(f"{upcard_place}: found {shown(upcard)}, expected one card")
    dealer, dealer_place = tags.get("Dealer", ("2", place))
    if dealer not in ("1", "2"):
        raise InputError(f"{dealer_place}: found {shown(dealer)}, expected 1 or 2")
    names = [tags.get(f"Player{i}", ("", ""))[0].replace("`", "'") or f"player {i}" for i in (1, 2)]
    return RecordedHand(
        rules=rules,
        names=(names[0], names[1]),
        starter=0 if dealer == "2" else 1,
        dealt=(first, second),
        upcard=card,
        note="; ".join(_notes(of)),
        places={"hand a": place, "hand b": place, "upcard": upcard_place, "hand": place},
    )


def _notes(of: _Tags) -> list[str]:
    said = [f"{name} {value}".replace("`", "'") for name, (value, _) in of.tags.items() if name not in _READ]
    return [*said, f"{of.moves} lines of moves under [Play] were not read"] if of.moves else said
