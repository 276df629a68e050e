"""``ginsim play``: a person plays a hand in the terminal."""

from __future__ import annotations

import secrets
import sys
from dataclasses import replace
from pathlib import Path

from ginsim.cards import format_card, format_hand, parse_card
from ginsim.commands import tell
from ginsim.commands.progress import stoppable
from ginsim.errors import InputError, shown
from ginsim.files import write_whole
from ginsim.games.catalog import Strategy
from ginsim.games.gin.recorded.decisions import DISCARD, KNOCK
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.text import NAMES, melded, outcome, symbols
from ginsim.study.stepwise import BIG_GIN, GO_ON, PASS, STOCK, TAKE, Table

MOST_SEED = 1 << 31
"""Seeds that are drawn where none is given: short enough to be typed."""
SHORT = {"t": TAKE, "s": STOCK, "p": PASS, "k": BIG_GIN, "g": GO_ON}
HELP = """  t         take the upcard
  s         draw from the stock
  p         pass, at the first upcard or the last discard
  8D        discard a card (also 8♦, D8)
  k 8D      discard it and knock, or go gin
  k, g      with all cards in melds: lay down big gin, or go on
  q         leave the hand"""


def show(against: str, rules: str, seed: int | None, second: bool, record: Path | None, reviewed: bool) -> None:
    """Play a hand with who sits at the terminal, write its record, and review it."""
    if record is not None and record.is_dir():
        raise InputError(f"record: {record} is a folder; give a file to write")
    played = Rules.parse(rules)
    opponent = Strategy.parse(against, played.GAME)
    drawn = secrets.randbelow(MOST_SEED) if seed is None else seed
    table = Table("me", opponent, rules=played, seed=drawn, starter=int(second))
    view = table.view
    limit = f"a knock needs {view.limit} or less" if view.limit else "only gin ends the hand"
    tell(f"You are A, {opponent} is B; rules {played}, seed {drawn}. {NAMES[second]} starts; {limit}. ? for help")
    with stoppable("nothing is written"):
        over = _played(table)
    if not over:
        tell("you left the hand; nothing is written")
        return
    tell("\n".join(["", *map(symbols, outcome(table.result))]))
    if record is not None:
        _write(record, f"{table.record()}\n")
    if reviewed:
        _review(table)


def _write(file: Path, text: str) -> None:
    """Write the record; print it where that fails, for nobody can play the same hand again."""
    try:
        write_whole(file, text)
    except (OSError, InputError):
        tell(f"\n{text}")
        raise
    tell(f"written: {file}", err=True)


def _played(table: Table) -> bool:
    """Ask for decisions until the hand is over; False if it is left."""
    known = 0
    while True:
        steps = table.steps
        tell("".join(f"\n{NAMES[player]} {symbols(done)}" for player, done in steps[known:]))
        known = len(steps)
        if table.over:
            return True
        tell(_position(table))
        if not _answered(table):
            return False


def _position(table: Table) -> str:
    """What the player sees."""
    view = table.view
    drawn = f"   drawn {_card(view.drawn)}" if view.drawn else ""
    lines = [f"hand    {melded(view.hand, table)}{drawn}"]
    if not view.drawn:
        lines.append(f"upcard  {_card(view.upcard) or 'none'}, {view.stock} cards in the stock")
    if view.opp_held:
        lines.append(f"B took  {format_hand(view.opp_held, symbols=True)}")
    if table.knocks:
        lines.append(f"knocks  {', '.join(f'{symbols(card)} leaves {left}' for card, left in table.knocks.items())}")
    return "\n".join(lines)


def _card(card: int) -> str:
    return format_card(card, symbols=True) if card else ""


def _answered(table: Table) -> bool:
    """Ask until the answer is one; False if the hand is left."""
    while True:
        tell(_question(table), nl=False)
        line = sys.stdin.readline() if sys.stdin else ""  # there is none if it was closed
        if not line:
            tell("")
            raise InputError("the input ended before the hand was over; nothing is written")
        words = line.split()
        if words == ["q"]:
            return False
        if words == ["?"]:
            tell(HELP)
            continue
        try:
            _play(table, words)
        except InputError as error:
            tell(f"{error}; ? for help")
            continue
        return True


def _question(table: Table) -> str:
    short = {name: key for key, name in SHORT.items()}
    if table.decision != DISCARD:
        return " or ".join(f"{short[choice]} ({choice})" for choice in table.choices) + ": "
    return f"discard{' (k CARD knocks)' if table.knocks else ''}: "


def _play(table: Table, words: list[str]) -> None:
    """One answer; a discard says whether it is one with a knock."""
    if table.decision != DISCARD:
        text = " ".join(words)
        table.play(SHORT.get(text.lower(), text))
        return
    knock = len(words) > 1 and words[0].lower() in ("k", KNOCK)
    card = " ".join(words[1:] if knock else words)
    allowed = table.knocks
    if knock and format_card(parse_card(card)) not in allowed:
        which = f"discard one of {' '.join(allowed)} to knock" if allowed else "no discard lets you knock"
        raise InputError(f"knock: {shown(card)} is not allowed; {which}")
    table.play(card)
    if table.decision == KNOCK and table.player == 0 and table.view.chosen:
        table.play(KNOCK if knock else GO_ON)


def _review(table: Table) -> None:
    """What each decision cost, as ``ginsim review --quick`` says it."""
    from ginsim.commands.review import review_progress, tell_review
    from ginsim.study.review import QUICK, review

    hand = replace(of_replay(table.result), names=("You", table.names[1]))
    with review_progress(False) as progress:
        found = review(hand, rollouts=QUICK, progress=progress)
    tell("")
    tell_review(found)
