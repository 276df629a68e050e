"""ginsim's notation of recorded hands: a text that a person can type and any program can write.

An example, with everything there is::

    rules: eaai                              # a preset, or one with changes; classic25 if it is left out
    A: Ann                                   # the players' names; in the lines below they are A and B
    B: Bert
    score: 35 18                             # points in the game before the hand, A's first
    dealer: B                                # or starter: A; else whoever comes first below starts
    hand A: 4S 4H 5H 9C 10C JC KD 2S 8D AH   # as dealt; left out, or ?, if it is not known
    upcard: 6H

    A passes                                 # the first upcard (or the last discard, where it may be taken)
    B takes 6H, discards KC
    A draws 4D, discards KD                  # from the stock
    B draws ?, discards QC                   # a card that A did not see
    A takes QC, discards 8D, knocks          # or gin; or, instead of a discard, big gin

    A melds 4S 4H 4D | 9C 10C JC QC, unmatched 2S 5H AH      # what was shown when the hand was over
    B melds 6S 6H 6D, lays off 8C, unmatched KS KH AD 7D 9S JS
    result: A 39 knock                       # or undercut, gin, big gin, or nothing; dead, stalled, push, unfinished

The grammar; ``{ }`` is any number of times, ``[ ]`` once or not at all, ``|`` one or the other::

    file     = { hand }
    hand     = { header } { turn } { shown } [ result ]
    header   = NAME ":" value
    turn     = player "passes"
             | player [ "takes" [ card ] | "draws" [ card | "?" ] ] [ "discards" ( card | "?" ) [ "knocks" | "gin" ] | "big gin" ]
    shown    = player [ "melds" ( cards { "|" cards } | "none" ) ] [ "lays off" cards ] [ "unmatched" ( cards | "none" ) ]
    result   = "result:" ( player points [ "knock" | "undercut" | "gin" | "big gin" ]
                         | "dead" | "stalled" | "push" | "unfinished" )
    player   = "A" | "B"

Headers are ``rules``, ``A``, ``B``, ``game``, ``note``, ``score``, ``boxes`` (hands won in the game, A's first), ``starter`` or
``dealer``, ``hand A``, ``hand B`` and ``upcard``, each once and in any order. A header after a turn or a result begins the next
hand. Rules, names and ``game`` hold until they are said again; in one ``game`` the score goes on from hand to hand. A value that
begins or ends with a space or a quote, or holds a comment's sign, stands in ``"…"``.

A line is a turn. Commas are as spaces, capitals do not matter, empty lines are free, and ``#`` at the start of a line or after a
space begins a comment. Cards are written as everywhere (`ginsim.cards.parse_hand`). A discard is ``?`` only with a knock (it may
lie face down). The last turn may lack its discard: the record ends with that decision. A first turn that only discards
(``eleven_card_start``) is ``A discards KD``. The result may be left out; it is worked out if the cards are known.

Whether the moves are possible and legal is not looked at here: see `ginsim.games.gin.recorded.walk.walk`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ginsim.cards import format_hand
from ginsim.errors import InputError, one_line, shown, suggest
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN, KNOCK, UNFINISHED, RecordedHand, Result, Shown, Turn
from ginsim.games.gin.recorded.words import SHOWN, Phrase, Word, cards_in, groups_in, is_none, one_card, phrases
from ginsim.games.gin.rules import Rules

__all__ = ["parse_hands"]

MOST_POINTS = 100_000
_HEADER = re.compile(r"\s*([^\W\d_]+(?: +[^\W\d_]+)*)\s*")
_COMMENT = re.compile(r"(?:^|(?<=\s))#.*", re.DOTALL)
_QUOTED = re.compile(r'"((?:[^"\\]|\\["\\])*)"')
_PAIR = re.compile(r"([0-9]{1,6})(?:\s*[:,-]\s*|\s+)([0-9]{1,6})")
_RESULT = re.compile(r"([ab])\s+([0-9]{1,6})(?:\s+(knock|undercut|gin|big\s+gin))?", re.IGNORECASE)
_WITHOUT_WINNER = ("dead", "stalled", "push", UNFINISHED)

_ACTIONS: Any = {"passes": "pass", "takes": "take", "draws": "draw"}
_ENDINGS = {"knocks": KNOCK, GIN: GIN, BIG_GIN: BIG_GIN}


@dataclass
class _Draft:
    """A hand that is being read."""

    fields: dict[str, Any] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    dealt: list[int | None] = field(default_factory=lambda: [None, None])
    turns: list[Turn] = field(default_factory=list)
    shown: list[Shown | None] = field(default_factory=lambda: [None, None])
    first: Word | None = None
    ended: bool = False

    @property
    def begun(self) -> bool:
        """Whether another header belongs to the next hand."""
        return bool(self.turns) or any(self.shown) or self.ended


def parse_hands(text: str, rules: str | Rules = "classic25") -> list[RecordedHand]:
    r"""Read hands in ginsim's notation.

    Parameters
    ----------
    text : str
    rules : Rules or str
        Where the text names none.

    Raises
    ------
    InputError
        With line and column, what is there, and what was expected.

    Examples
    --------
    >>> (hand,) = parse_hands("hand A: A23.456.789.T\nupcard: 6H\nA takes 6H, discards 10S, knocks")
    >>> print(hand.turns[0].ending, hand.rules)
    knock classic25
    >>> parse_hands("upcard: 6H\nA takes 6H, discrads 10S")
    Traceback (most recent call last):
    ginsim.errors.InputError: line 2, column 13: found 'discrads', expected discards, big gin or the end of the line
    """
    if not isinstance(text, str):
        raise InputError(f"hands: {shown(text)} is not a text")
    return list(_read(text, Rules.parse(rules)))


def _read(text: str, rules: Rules) -> Iterator[RecordedHand]:
    draft, before = _Draft(), RecordedHand(rules=rules)
    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip("\r")
        colon = line.find(":")
        header = _HEADER.fullmatch(line, 0, colon) if colon >= 0 else None
        if not _COMMENT.sub("", line).strip():
            continue
        if header is None:
            _add_line(draft, _first_word(_COMMENT.sub("", line), number))
            continue
        name = Word(" ".join(header[1].lower().split()), number, header.start(1) + 1)
        value = _value(line, number, colon + 1)
        if name.text == "result":
            _add_result(draft, name, value)
            continue
        if draft.begun:
            yield (before := _finished(draft, before))
            draft = _Draft()
        _add_header(draft, name, value)
    if draft.first is not None:
        yield _finished(draft, before)


def _first_word(line: str, number: int) -> Word:
    """A line without the space around it."""
    return Word(line.strip(), number, len(line) - len(line.lstrip()) + 1)


# Headers


def _value(line: str, number: int, start: int) -> Word:
    """What a header says."""
    start += len(line[start:]) - len(line[start:].lstrip())
    if line[start : start + 1] != '"':
        return Word(_COMMENT.sub("", line[start:]).rstrip(), number, start + 1)
    quoted = _QUOTED.match(line, start)
    if quoted is None:
        Word(line, number, start + 1).fail("the quote is not closed")
    if rest := _COMMENT.sub("", line[quoted.end() :]).strip():
        Word(rest, number, quoted.end() + 1).fail(f"found {shown(rest)} after the closing quote")
    return Word(re.sub(r"\\(.)", r"\1", quoted[1]), number, start + 1)


def _add_header(draft: _Draft, name: Word, value: Word) -> None:
    read = _HEADERS.get(name.text)
    if read is None:
        name.fail(f"there is no header {shown(name.text)}; {suggest(name.text, [*_HEADERS, 'result'])}")
    field_name = "starter" if name.text == "dealer" else name.text
    if field_name in draft.places:
        name.fail(f"{field_name} is given twice; the first is in {draft.places[field_name]}")
    draft.first = draft.first or name
    draft.places[field_name] = value.place
    read(draft, name.text, value)


def _told(draft: _Draft, name: str, value: Word) -> None:
    try:
        draft.fields[name] = one_line(value.text)
    except InputError as error:
        value.fail(str(error))


def _rules(draft: _Draft, name: str, value: Word) -> None:
    try:
        draft.fields[name] = Rules.parse(value.text)
    except InputError as error:
        value.fail(str(error))


def _pair(draft: _Draft, name: str, value: Word) -> None:
    found = _PAIR.fullmatch(value.text)
    if not found:
        value.fail(f"found {shown(value.text)}, expected two numbers, A's first, such as {name}: 35 18")
    draft.fields[name] = int(found[1]), int(found[2])


def _who(draft: _Draft, name: str, value: Word) -> None:
    player = _player(value.text)
    if player is None:
        value.fail(f"found {shown(value.text)}, expected A or B")
    draft.fields["starter"] = player if name == "starter" else 1 - player


def _hand(draft: _Draft, name: str, value: Word) -> None:
    draft.dealt["ab".index(name[-1])] = None if value.text == "?" else cards_in(value, value.words())


def _upcard(draft: _Draft, name: str, value: Word) -> None:
    draft.fields[name] = one_card(value, value.words())


_HEADERS: dict[str, Callable[[_Draft, str, Word], None]] = {
    "rules": _rules, "a": _told, "b": _told, "game": _told, "note": _told, "score": _pair, "boxes": _pair,
    "starter": _who, "dealer": _who, "hand a": _hand, "hand b": _hand, "upcard": _upcard,
}  # fmt: skip


def _add_result(draft: _Draft, name: Word, value: Word) -> None:
    if draft.ended:
        name.fail("the hand has a result already; the next hand begins with a header")
    draft.ended, draft.places["result"], draft.first = True, value.place, draft.first or name
    word = " ".join(value.text.lower().split())
    found = _RESULT.fullmatch(word)
    if found:
        ending = (found[3] or "").replace(" ", "_")
        draft.fields["result"] = Result(ending, "ab".index(found[1]), int(found[2]))
    elif word in _WITHOUT_WINNER:
        draft.fields["result"] = Result(word)
    else:
        value.fail(
            f"found {shown(value.text)}, expected who won how many points, such as A 12 or A 12 knock (undercut, gin, big gin), "
            f"or one of {', '.join(_WITHOUT_WINNER)}"
        )


# Turns, and what was shown


def _add_line(draft: _Draft, line: Word) -> None:
    """A line that is no header."""
    words = line.words() or [line]
    player = _player(words[0].text)
    if player is None:
        known = "a turn or what was shown (A … or B …), a header (name: value) or a comment (#)"
        words[0].fail(f"found {shown(words[0].text)}, expected {known}")
    if draft.ended:
        words[0].fail("the hand is over; the next one begins with a header such as upcard")
    draft.first = draft.first or words[0]
    said = list(phrases(words, line))
    if said[0].verb in SHOWN:
        _add_shown(draft, player, words[0], said)
    else:
        _add_turn(draft, player, words[0], said)


def _player(text: str) -> int | None:
    return {"a": 0, "b": 1}.get(text.lower())


def _add_turn(draft: _Draft, player: int, word: Word, line: list[Phrase]) -> None:
    last = draft.turns[-1] if draft.turns else None
    if any(draft.shown):
        word.fail("the hand is over, for cards have been shown; the next one begins with a header such as upcard")
    if last is not None and last.ending:
        word.fail(f"the hand is over: {'AB'[last.player]} ended it in {last.place()}")
    if last is not None and last.action != "pass" and not last.discard:
        word.fail(f"another turn, but the one in {last.place()} has no discard")
    said = {phrase.verb: phrase for phrase in line}
    ending = next((found for verb, found in _ENDINGS.items() if verb in said), "")
    action = _ACTIONS.get(line[0].verb, "discard")
    drawn = discard = 0
    if action == "take":
        drawn = _taken(draft, line[0])
    elif action == "draw":
        drawn = _card_or_unknown(line[0], missing=True)
    if "discards" in said:
        discard = _card_or_unknown(said["discards"], missing=False)
        if not discard and not ending:
            said["discards"].about[0].fail("found '?', expected a card: a discard lies face up, unless it is that of a knock")
    parts = {"turn": word} | {
        part: (phrase.about or [phrase.word])[0]
        for part, verbs in (("drawn", ("takes", "draws")), ("discard", ("discards",)), ("ending", tuple(_ENDINGS)))
        for verb, phrase in said.items()
        if verb in verbs
    }
    draft.turns.append(Turn(player, action, drawn, discard, ending, {part: at.place for part, at in parts.items()}))


def _taken(draft: _Draft, phrase: Phrase) -> int:
    """The card that is taken; it need not be said, for it lies on top."""
    if phrase.about:
        return one_card(phrase.word, phrase.about)
    top = next((turn.discard for turn in reversed(draft.turns) if turn.discard), draft.fields.get("upcard", 0))
    if not top:
        phrase.word.fail("there is no upcard to take; say upcard: 6H before the first turn")
    return int(top)


def _card_or_unknown(phrase: Phrase, missing: bool) -> int:
    """A card, or 0 for ``?``, or for nothing where it may be ``missing``."""
    if (not phrase.about and missing) or (phrase.about and phrase.about[0].text == "?"):
        return 0
    return one_card(phrase.word, phrase.about)


def _add_shown(draft: _Draft, player: int, word: Word, line: list[Phrase]) -> None:
    who = f"shown {'ab'[player]}"
    if draft.shown[player] is not None:
        word.fail(f"what {'AB'[player]} showed is said already in {draft.places[who]}")
    said = {phrase.verb: phrase for phrase in line}
    melds, laid_off, unmatched = said.get("melds"), said.get("lays off"), said.get("unmatched")
    found = Shown(
        None if melds is None else tuple(groups_in(melds)),
        0 if laid_off is None else cards_in(laid_off.word, laid_off.about),
        None if unmatched is None else 0 if is_none(unmatched) else cards_in(unmatched.word, unmatched.about),
    )
    seen = 0
    for cards in (*(found.melds or ()), found.laid_off, found.unmatched or 0):
        if seen & cards:
            word.fail(f"{format_hand(seen & cards)} is shown twice")
        seen |= cards
    draft.shown[player] = found
    draft.places[who] = word.place


# The hand as a whole


def _finished(draft: _Draft, before: RecordedHand) -> RecordedHand:
    """The hand that was read; what it does not say is as in the hand before."""
    known, first = draft.fields, draft.first or Word("", 1, 1)
    if not (draft.turns or known.get("upcard") or any(draft.dealt)):
        first.fail("no hand follows these headers: say the upcard, the cards dealt, or a turn")
    starter = draft.turns[0].player if draft.turns else 0
    game = known.get("game", before.game)
    rules = known.get("rules", before.rules)
    score, boxes = (known.get(name) for name in ("score", "boxes"))
    if game and game == before.game:
        score, boxes = _going_on(before, rules, score, boxes, draft, first)
    return RecordedHand(
        rules=rules,
        names=(known.get("a", before.names[0]), known.get("b", before.names[1])),
        score=score or (0, 0),
        boxes=boxes or (0, 0),
        starter=known.get("starter", starter),
        dealt=(draft.dealt[0], draft.dealt[1]),
        upcard=known.get("upcard", 0),
        turns=tuple(draft.turns),
        shown=(draft.shown[0], draft.shown[1]),
        result=known.get("result"),
        game=game,
        note=known.get("note", ""),
        places=draft.places | {"hand": first.place},
    )


def _going_on(before: RecordedHand, rules: Rules, score: Any, boxes: Any, draft: _Draft, first: Word) -> tuple[Any, Any]:
    """Score and boxes after the hand before, which is of the same game."""
    if rules.hollywood or before.result is None or before.result.ending == UNFINISHED:
        why = "three columns are scored" if rules.hollywood else "the hand before has no result"
        return (score, boxes) if score else first.fail(f"say the score: it is the same game {shown(before.game)}, but {why}")
    won = before.result.winner
    after = tuple(old + before.result.points * (player == won) for player, old in enumerate(before.score))
    if score not in (None, after):
        there = draft.places["score"]
        raise InputError(f"{there}: the score is {after[0]} {after[1]} after the hand before; for another game say game: …")
    if max(after) >= rules.target:
        first.fail(f"the game ended with the hand before, at {after[0]} to {after[1]}; for another one say game: …")
    return after, boxes or tuple(old + (player == won) for player, old in enumerate(before.boxes))
