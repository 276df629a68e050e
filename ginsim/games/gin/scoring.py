"""Who scores what: the points of one hand, and the settling of a game or a Hollywood match.

Plain Python, one hand at a time: to settle the results of a match played at a table, and to check the
jitted code against.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, NamedTuple

from ginsim.cards import parse_hand
from ginsim.errors import InputError, listed, shown
from ginsim.files import read_text
from ginsim.games.gin.rules import Rules

Pair = tuple[int, int]
MOST_POINTS = 999_999_999


class HandScore(NamedTuple):
    """The outcome of a showdown: who wins, how many points, and how the hand ended."""

    winner: Literal["knocker", "defender"] | None
    points: int
    ending: Literal["knock", "undercut", "gin", "big_gin", "push"]


class HandResult(NamedTuple):
    """One line of a score sheet: the winner (0, 1 or None), the points, and boxes beyond the usual one."""

    winner: int | None
    points: int
    extra_boxes: int = 0


@dataclass(frozen=True)
class Column:
    """One game, settled or (not ``closed``) still running.

    ``totals`` are points and boxes, and for the winner of a closed game ``game_bonus`` and
    ``shutout_bonus`` as well. ``margin`` is the winner's lead, 0 while the game runs.
    """

    points: Pair
    boxes: Pair
    closed: bool = False
    winner: int | None = None
    shutout: bool = False
    game_bonus: int = 0
    shutout_bonus: int = 0
    totals: Pair = (0, 0)
    margin: int = 0


class LogEntry(NamedTuple):
    """What one hand changed: the columns it went to (from 1), the points then, the columns closed by then."""

    winner: int | None
    points: int
    columns: tuple[int, ...]
    running: tuple[Pair, ...]
    closed: tuple[int, ...]


@dataclass(frozen=True)
class Settlement:
    """A game (one column) or a Hollywood match (three) added up; ``finished`` if all columns are closed.

    ``net`` is what each player wins from the other over the closed columns. ``winner`` (None before the end)
    reached the target in a game, and has the better net in a match; ``margin`` is that player's net.
    ``points``, ``boxes`` and ``totals`` are summed over the columns.
    """

    rules: Rules
    columns: tuple[Column, ...]
    log: tuple[LogEntry, ...]

    @property
    def finished(self) -> bool:
        return all(column.closed for column in self.columns)

    @property
    def points(self) -> Pair:
        return _sum(column.points for column in self.columns)

    @property
    def boxes(self) -> Pair:
        return _sum(column.boxes for column in self.columns)

    @property
    def totals(self) -> Pair:
        return _sum(column.totals for column in self.columns)

    @property
    def net(self) -> Pair:
        lead = 0
        for number, column in enumerate(self.columns, start=1):
            weight = 2 if number == 3 and self.rules.third_column_double else 1
            lead += weight * (column.margin if column.winner == 0 else -column.margin)
        return lead, -lead

    @property
    def winner(self) -> int | None:
        if not self.rules.hollywood:
            return self.columns[0].winner  # even if boxes bring the other more
        return None if not self.finished or self.net[0] == 0 else int(self.net[1] > 0)

    @property
    def margin(self) -> int:
        return 0 if self.winner is None else self.net[self.winner]

    @property
    def shutout(self) -> bool:
        return any(column.shutout for column in self.columns)


def upcard_effect(card: int | str, rules: str | Rules) -> tuple[int, int]:
    """Give the knock limit and the multiplier of a hand that starts with this upcard.

    Examples
    --------
    >>> upcard_effect("6S", Rules.preset("tournament"))
    (6, 2)
    """
    rules = Rules.parse(rules)
    mask = parse_hand(card, "upcard")
    if mask.bit_count() != 1:
        raise InputError(f"upcard: {shown(card)} is not one card")
    suit, rank = divmod(mask.bit_length() - 1, 16)
    limit = rules.knock_limit
    if rules.oklahoma:
        ace = 0 if rules.oklahoma_ace == "gin_only" else 1
        limit = ace if rank == 0 else min(rank + 1, 10)
    return limit, 2 if rules.spades_double and suit == 0 else 1


def score_hand(
    knocker_deadwood: int,
    defender_deadwood: int,
    rules: str | Rules,
    gin: bool = False,
    big_gin: bool = False,
    multiplier: int = 1,
) -> HandScore:
    """Score a showdown.

    Parameters
    ----------
    knocker_deadwood, defender_deadwood : int
        The defender's is what is left after lay-offs, where these are allowed.
    rules : Rules or str
    gin, big_gin : bool
        Gin is also understood from a knocker's deadwood of 0.
    multiplier : int
        2 if spades double and the first upcard was one.

    Examples
    --------
    >>> score_hand(9, 6, Rules())
    HandScore(winner='defender', points=28, ending='undercut')
    """
    rules = Rules.parse(rules)
    knocker_deadwood = _checked("knocker_deadwood", knocker_deadwood)
    defender_deadwood = _checked("defender_deadwood", defender_deadwood)
    multiplier = _checked("multiplier", multiplier, least=1)
    if (gin or big_gin) and knocker_deadwood > 0:
        raise InputError(f"knocker_deadwood={knocker_deadwood} is not possible: gin leaves 0")
    if big_gin and rules.big_gin_bonus is None:
        raise InputError("big_gin=True is not possible: big_gin_bonus=none in these rules")

    if big_gin:
        return HandScore("knocker", multiplier * (defender_deadwood + (rules.big_gin_bonus or 0)), "big_gin")
    if knocker_deadwood == 0:
        return HandScore("knocker", multiplier * (defender_deadwood + rules.gin_bonus), "gin")
    difference = defender_deadwood - knocker_deadwood
    if difference > 0:
        return HandScore("knocker", multiplier * difference, "knock")
    if difference == 0 and rules.tie == "push":
        return HandScore(None, 0, "push")
    if difference == 0 and rules.tie == "knocker":
        return HandScore("knocker", 0, "knock")
    return HandScore("defender", multiplier * (rules.undercut_bonus - difference), "undercut")


class Game:
    """A score sheet: add the hands one by one, ask for the `settlement` at any time.

    Examples
    --------
    >>> game = Game(Rules())
    >>> for winner, points in [(0, 23), (1, 18), (0, 41), (None, 0), (1, 35), (0, 44)]:
    ...     game.add(winner, points)
    >>> game.settlement().totals, game.settlement().margin
    ((283, 103), 180)
    """

    def __init__(self, rules: str | Rules) -> None:
        self.rules = Rules.parse(rules)
        count = 3 if self.rules.hollywood else 1
        self._points = [[0, 0] for _ in range(count)]
        self._boxes = [[0, 0] for _ in range(count)]
        self._reach = [0, 0]
        self._log: list[LogEntry] = []

    @property
    def finished(self) -> bool:
        """Whether every column is closed."""
        return not self._open()

    def add(self, winner: int | None, points: int, extra_boxes: int = 0) -> None:
        """Enter the next hand; ``winner=None`` is a hand without one."""
        number = len(self._log) + 1
        winner, points, extra_boxes = _checked_result(HandResult(winner, points, extra_boxes), number)
        if self.finished:
            score = " and ".join(f"{a}-{b}" for a, b in self._points)
            raise InputError(
                f"hand {number} comes after the end: hand {number - 1} closed the game at {score}"
            )
        entered = [] if winner is None else self._enter(winner, points, 1 + extra_boxes)
        closed = set(range(len(self._points))) - set(self._open())
        running = tuple((a, b) for a, b in self._points)
        self._log.append(LogEntry(winner, points, _numbered(entered), running, _numbered(closed)))

    def settlement(self) -> Settlement:
        """Add up what has been played so far."""
        columns = zip(self._points, self._boxes, strict=True)
        settled = tuple(_settle_column((p[0], p[1]), (b[0], b[1]), self.rules) for p, b in columns)
        return Settlement(self.rules, settled, tuple(self._log))

    def _open(self) -> list[int]:
        return [c for c, points in enumerate(self._points) if max(points) < self.rules.target]

    def _enter(self, winner: int, points: int, boxes: int) -> list[int]:
        """Write a win into the open columns the winner has reached: one more with each win, at least one."""
        open_columns = self._open()
        self._reach[winner] = min(len(self._points), max(self._reach[winner] + 1, open_columns[0] + 1))
        entered = [c for c in open_columns if c < self._reach[winner]]
        for column in entered:
            self._points[column][winner] += points
            self._boxes[column][winner] += boxes
        return entered


def settle(results: Iterable[HandResult | tuple[int | None, int]], rules: str | Rules) -> Settlement:
    """Settle a game or, under Hollywood rules, a match.

    Parameters
    ----------
    results : iterable of HandResult
        In playing order; tuples ``(winner, points)`` will do.
    rules : Rules or str

    Returns
    -------
    Settlement
        With ``finished`` False and the running score if the target has not been reached.

    Raises
    ------
    InputError
        For an impossible result, and for hands after the end of the game.
    """
    game = Game(rules)
    for result in listed("results", results, "(winner, points)"):
        try:
            hand = HandResult(*result)
        except TypeError:
            raise InputError(f"{shown(result)} is not a result: give (winner, points)") from None
        game.add(*hand)
    return game.settlement()


def _settle_column(points: Pair, boxes: Pair, rules: Rules) -> Column:
    totals = [p + rules.box_bonus * b for p, b in zip(points, boxes, strict=True)]
    if max(points) < rules.target:
        return Column(points, boxes, totals=(totals[0], totals[1]))
    winner = 0 if points[0] >= rules.target else 1
    shutout = boxes[1 - winner] == 0
    bonus = 0
    if shutout:
        doubled = {
            "bonus_x2": rules.game_bonus,
            "double_points": points[winner],
            "double_total": totals[winner] + rules.game_bonus,
        }
        bonus = doubled.get(rules.shutout, 0)
    totals[winner] += rules.game_bonus + bonus
    margin = totals[winner] - totals[1 - winner]
    if shutout and rules.shutout == "double_difference":
        margin *= 2
    return Column(
        points,
        boxes,
        closed=True,
        winner=winner,
        shutout=shutout,
        game_bonus=rules.game_bonus,
        shutout_bonus=bonus,
        totals=(totals[0], totals[1]),
        margin=margin,
    )


def parse_results(text: str) -> list[HandResult]:
    """Read results written as on a score pad.

    ``A23`` is a win of player A worth 23, ``B18+1`` one of B with an extra box, ``-`` (or ``dead``) a hand
    without a winner. Spaces or commas part them.

    Examples
    --------
    >>> parse_results("A23, B18 -")
    [HandResult(winner=0, points=23, extra_boxes=0), HandResult(winner=1, points=18, extra_boxes=0), \
HandResult(winner=None, points=0, extra_boxes=0)]
    """
    if not text.strip(" \t\n,;"):
        raise InputError("there are no results: write them like A23 B18 - A41")
    results: list[HandResult] = []
    for word in re.split(r"[\s,;]+", re.sub(r"\b([ABab])\s+(?=[0-9])", r"\1", text).strip(" \t\n,;")):
        found = re.fullmatch(r"([AB])([0-9]{1,9})(?:\+([0-9]{1,9}))?|(-|dead|void|none)", word, re.IGNORECASE)
        if not found:
            raise InputError(
                f"result {len(results) + 1}, {shown(word)}, cannot be read: "
                "write A23 or B18 for a win, A23+1 with an extra box, - for a hand without a winner"
            )
        player, points, extra, _ = found.groups()
        winner = None if player is None else "AB".index(player.upper())
        results.append(HandResult(winner, int(points or 0), int(extra or 0)))
    return results


def parse_results_csv(text: str) -> list[HandResult]:
    """Read results from CSV text.

    The columns are winner (A, B, 0, 1, or empty), points and, if wanted, extra_boxes.
    """
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), skipinitialspace=True)
    try:
        return _read_rows(reader)
    except csv.Error as error:  # such as a cell without an end
        raise InputError(f"CSV line {reader.line_num} cannot be read: {error}") from None


def _read_rows(reader: csv.DictReader[str]) -> list[HandResult]:
    header = [name.strip().lower() for name in reader.fieldnames or []]
    unknown = set(header) - {"winner", "points", "extra_boxes"}
    if unknown or not {"winner", "points"} <= set(header) or len(set(header)) < len(header):
        raise InputError(
            f"the CSV columns must be winner, points and perhaps extra_boxes, not {shown(', '.join(header))}"
        )
    reader.fieldnames = header
    players: dict[str, int | None] = {
        "a": 0,
        "0": 0,
        "b": 1,
        "1": 1,
        "": None,
        "-": None,
        "none": None,
        "dead": None,
    }
    results: list[HandResult] = []
    for row in reader:
        cells = {name: (cell or "").strip() for name, cell in row.items() if name}
        try:
            if None in row:  # more cells than columns
                raise ValueError
            winner = players[cells["winner"].lower()]
            results.append(HandResult(winner, _number(cells["points"]), _number(cells.get("extra_boxes", ""))))
        except (KeyError, ValueError):
            raise InputError(
                f"CSV line {reader.line_num}, {shown(','.join(cells.values()))}, cannot be read: "
                "winner is A, B or empty, points and extra_boxes are whole numbers"
            ) from None
    return results


def _number(cell: str) -> int:
    if not re.fullmatch("[0-9]{0,9}", cell):
        raise ValueError
    return int(cell or 0)


def read_results(path: str | Path) -> list[HandResult]:
    """Read results from a file: CSV if its name says so, else a score pad as in `parse_results`."""
    try:
        text = read_text(Path(path))
    except InputError as error:
        raise InputError(f"results: {error}") from None
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or error
        raise InputError(f"the results in {shown(str(path), 200)} cannot be read: {why}") from None
    return parse_results_csv(text) if str(path).lower().endswith(".csv") else parse_results(text)


def format_scoresheet(settlement: Settlement, names: Sequence[str] = ("A", "B")) -> str:
    """Print a settlement as a score sheet: the hands, then how the totals come about.

    Parameters
    ----------
    settlement : Settlement
    names : sequence of str
        The two players.
    """
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"names={shown(list(names))} is not possible: give two different names")
    rules, columns = settlement.rules, settlement.columns
    width = max(6, *(len(name) for name in names))
    heads = [f"column {number}" for number in range(1, len(columns) + 1)] if len(columns) > 1 else [""]

    def line(label: str, cells: Sequence[Pair | Sequence[str]]) -> str:
        groups = [f"{a!s:>{width}} {b!s:>{width}}" for a, b in cells]
        return f"{label:<20} {'   '.join(groups)}".rstrip()

    sheet = [line("", [(head, "") for head in heads])] if heads[0] else []
    sheet.append(line("hand", [names] * len(columns)))
    sheet += [
        line(_hand_label(n, hand, names), _hand_cells(hand)) for n, hand in enumerate(settlement.log, 1)
    ]
    rule = "-" * len(line("", [("-", "-")] * len(columns)))
    sheet += [rule, line("points", [c.points for c in columns])]
    sheet.append(line(f"boxes at {rules.box_bonus}", [[_boxes(b, rules) for b in c.boxes] for c in columns]))
    sheet.append(line("game bonus", [_to_winner(c, c.game_bonus) for c in columns]))
    if any(c.shutout_bonus for c in columns):
        sheet.append(line("shutout", [_to_winner(c, c.shutout_bonus) for c in columns]))
    sheet += [line("total", [c.totals for c in columns]), rule]
    return "\n".join(sheet + _verdict(settlement, names))


def _hand_label(number: int, hand: LogEntry, names: Sequence[str]) -> str:
    what = "no score" if hand.winner is None else f"{names[hand.winner]} {hand.points}"
    return f"{number:>3}  {what}"


def _hand_cells(hand: LogEntry) -> list[Sequence[str]]:
    """Show the running points of the winner in the columns the hand went to."""
    cells: list[Sequence[str]] = []
    for number, points in enumerate(hand.running, start=1):
        entered = number in hand.columns
        cells.append([str(points[p]) if entered and p == hand.winner else "" for p in (0, 1)])
    return cells


def _boxes(count: int, rules: Rules) -> str:
    return f"{count}: {count * rules.box_bonus}"


def _to_winner(column: Column, bonus: int) -> list[str]:
    return [str(bonus) if bonus and column.winner == player else "" for player in (0, 1)]


def _verdict(settlement: Settlement, names: Sequence[str]) -> list[str]:
    """Say who won each column and the whole."""
    rules = settlement.rules
    lines = []
    for number, column in enumerate(settlement.columns, start=1):
        what = f"Column {number}" if rules.hollywood else "The game"
        if column.winner is None:
            lines.append(f"{what} is not finished: nobody has {rules.target} points yet.")
            continue
        how = " with a shutout" if column.shutout else ""
        if column.shutout and rules.shutout == "double_difference":
            how += ", which doubles the difference"
        twice = ", counted double" if rules.third_column_double and number == 3 else ""
        lines.append(f"{what}: {names[column.winner]} wins by {column.margin}{how}{twice}.")
    if rules.hollywood:
        state = "Net" if settlement.finished else "Net so far"
        lines.append(f"{state}: {names[0]} {settlement.net[0]:+}, {names[1]} {settlement.net[1]:+}.")
    return lines


def _sum(pairs: Iterable[Pair]) -> Pair:
    first, second = zip(*pairs, strict=True)
    return sum(first), sum(second)


def _numbered(columns: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(column + 1 for column in columns))


def _checked(name: str, value: Any, least: int = 0) -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= int(value) <= MOST_POINTS:
        allowed = f"a whole number from {least} to {MOST_POINTS}"
        raise InputError(f"{name}={shown(value)} is not possible: it must be {allowed}")
    return int(value)


def _checked_result(result: HandResult, number: int) -> HandResult:
    winner: Any = result.winner
    if winner is not None and (isinstance(winner, bool) or not isinstance(winner, Integral) or winner not in (0, 1)):
        raise InputError(f"hand {number}: winner={shown(winner)} is not possible: it must be 0, 1 or None")
    points = _checked(f"hand {number}: points", result.points)
    extra_boxes = _checked(f"hand {number}: extra_boxes", result.extra_boxes)
    if winner is None and (points or extra_boxes):
        raise InputError(f"hand {number}: points={points} without a winner: only the winner of a hand scores")
    return HandResult(None if winner is None else int(winner), points, extra_boxes)
