"""Histories of OpenSpiel's game ``gin_rummy``: lists of action numbers.

An action below 52 is a card (suits in the order spades, clubs, diamonds, hearts, each from the ace up): dealt, drawn, discarded
or laid off. 52 takes the upcard, 53 draws, 54 passes or ends a list of melds or lay-offs, 55 knocks. From 56 on a meld is laid
down: the sets of each rank (without the spade, club, diamond or heart, then all four), then runs of three, four and five by suit.

Its rules as ginsim's are ``eaai(tie=push, layoff=optimal, stock_end=last_discard, redraw_ban=false)`` with its knock card,
bonuses and Oklahoma. What is different (a hand that ends so is ``unfinished``, and its note says why):

- player 0 always starts, there is no score, and big gin is not played;
- a player who takes the upcard and discards it again may do so; if both do, one after the other, the hand ends without a score;
- the hand ends without a score when the upcard is taken for the fiftieth time, the first upcard not counted;
- both players lay out by hand, which need not be the best way; who knocks must get down to the knock card, no further.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from ginsim.cards import card_at, format_card
from ginsim.errors import InputError, listed, shown
from ginsim.games.gin.recorded.hand import GIN, KNOCK, UNFINISHED, RecordedHand, Result, Shown, Turn
from ginsim.games.gin.rules import Rules
from ginsim.specs import parse_spec

__all__ = ["of_actions", "parse_openspiel", "rules_of_game"]

TAKE, DRAW, PASS, KNOCKS, MELD = 52, 53, 54, 55, 56
LEFT_AT_THE_WALL = 2
MOST_TAKEN = 50
"""Upcards taken, the last of which is not carried out."""
BASE = "eaai(tie=push, layoff=optimal, stock_end=last_discard, redraw_ban=false)"
_SUITS = (0, 3, 2, 1)
_CARDS: tuple[int, ...] = tuple(card_at(rank, suit) for suit in _SUITS for rank in range(13))
_FIELDS = {"knock_card": "knock_limit", "gin_bonus": "gin_bonus", "undercut_bonus": "undercut_bonus", "oklahoma": "oklahoma"}
_DECK = {"num_ranks": 13, "num_suits": 4, "hand_size": 10}


def _all_melds() -> tuple[int, ...]:
    ranks = [[card_at(rank, suit) for suit in _SUITS] for rank in range(13)]
    sets = [sum(rank) - missing for rank in ranks for missing in (*rank, 0)]
    runs = [
        sum(_CARDS[13 * suit + start + i] for i in range(length))
        for length in (3, 4, 5)
        for suit in range(4)
        for start in range(14 - length)
    ]
    return (*sets, *runs)


MELDS = _all_melds()
"""The melds of the actions from ``MELD`` on."""


def rules_of_game(game: str) -> Rules:
    """The rules that go with the parameters of a game, as OpenSpiel writes them.

    Examples
    --------
    >>> str(rules_of_game("gin_rummy(knock_card=5)"))
    'eaai(knock_limit=5, tie=push, layoff=optimal, stock_end=last_discard, redraw_ban=false)'
    """
    spec, base = parse_spec(game), Rules.parse(BASE)
    if spec.name != "gin_rummy":
        raise InputError(f"game: {shown(spec.name)} is not gin_rummy")
    for name, value in spec.args.items():
        if name in _DECK and value != _DECK[name]:
            raise InputError(f"game: {name}={shown(value)} cannot be read; only {name}={_DECK[name]} can")
        if name not in _DECK and name not in _FIELDS:
            raise InputError(f"game: gin_rummy has no parameter {shown(name)}; it has {', '.join([*_FIELDS, *_DECK])}")
    return base.varied(**{_FIELDS[name]: value for name, value in spec.args.items() if name in _FIELDS})


def parse_openspiel(text: str) -> list[RecordedHand]:
    """Read histories from a text: numbers (a history a line, or a number a line), or what ``serialize_game_and_state`` gives."""
    game = re.search(r"^\[Game\]\s*\n(.*)$", text, re.MULTILINE)
    told = re.sub(r"#.*", "", text.split("[State]", 1)[-1] if game else text)
    lines = [re.findall(r"[^\s,\[\]]+", line) for line in told.splitlines()]
    lines = [line for line in lines if line]
    if lines and all(len(line) == 1 for line in lines):
        lines = [[word for line in lines for word in line]]
    rules = rules_of_game(game[1].strip() if game else "gin_rummy()")
    found = []
    for number, line in enumerate(lines, start=1):
        try:
            found.append(of_actions([_number(word) for word in line], rules))
        except InputError as error:
            raise InputError(f"history {number}: {error}" if len(lines) > 1 else str(error)) from None
    return found


def _number(word: str) -> Any:
    return int(word) if re.fullmatch(r"[0-9]{1,9}", word) else word


def of_actions(actions: Iterable[int], rules: Rules | str = "gin_rummy()") -> RecordedHand:
    """A history as a record.

    Parameters
    ----------
    actions : list of int
        As ``state.history()`` gives them, the whole or the beginning of it.
    rules : Rules or str
        Ginsim's rules, or a game as OpenSpiel writes it.

    Raises
    ------
    InputError
        For an action that has no place there, naming its position in the list.
    """
    played = rules_of_game(rules) if isinstance(rules, str) else rules
    return _History(listed("actions", actions, "numbers"), played).read()


class _History:
    """A history that is being read; ``at`` is the position of the next action."""

    def __init__(self, actions: Sequence[Any], rules: Rules) -> None:
        for at, action in enumerate(actions):
            if isinstance(action, bool) or not isinstance(action, int) or not 0 <= action < MELD + len(MELDS):
                raise InputError(f"actions[{at}]: {shown(action)} is not an action; they are 0 to {MELD + len(MELDS) - 1}")
        self.actions, self.rules, self.at = actions, rules, 0
        self.turns: list[Turn] = []
        self.shown: list[Shown | None] = [None, None]
        self.hands = [0, 0]
        self.places: dict[str, str] = {}
        self.player, self.top, self.stock, self.taken, self.back = 0, 0, 31, 0, False
        self.over, self.note = False, ""
        self.result: Result | None = None

    def read(self) -> RecordedHand:
        if len(self.actions) < 21:
            raise InputError(f"actions: {len(self.actions)} given; the deal alone has 21 (two hands and the upcard)")
        cards = [self.card("a card dealt") for _ in range(21)]
        dealt = [0, 0]
        for i, card in enumerate(cards):
            if card in cards[:i]:
                raise InputError(f"actions[{i}]: {format_card(card)} is dealt twice")
            if i < 20:
                dealt[i // 10] |= card
        self.hands, self.top = list(dealt), cards[20]
        while self.more and not self.over:
            self.turn()
        if self.more:
            self.fail("nothing, for the hand is over")
        return RecordedHand(
            rules=self.rules,
            names=("player 0", "player 1"),
            dealt=(dealt[0], dealt[1]),
            upcard=cards[20],
            turns=tuple(self.turns),
            shown=(self.shown[0], self.shown[1]),
            result=self.result,
            note=self.note,
            places=self.places | {"hand": "actions[0:21]"},
        )

    @property
    def more(self) -> bool:
        return self.at < len(self.actions)

    def fail(self, expected: str) -> NoReturn:
        raise InputError(f"actions[{self.at}]: found {self.actions[self.at]}, expected {expected}")

    def card(self, what: str) -> int:
        if self.actions[self.at] >= len(_CARDS):
            self.fail(f"{what} (0 to 51)")
        self.at += 1
        return _CARDS[int(self.actions[self.at - 1])]

    def next_is(self, action: int) -> bool:
        """Whether the next action is this one; it is passed over then."""
        found = self.more and bool(self.actions[self.at] == action)
        self.at += found
        return found

    # Turns

    def turn(self) -> None:
        place, player = f"actions[{self.at}]", self.player
        offered = len(self.turns) < 2 and all(turn.action == "pass" for turn in self.turns)
        wall = self.stock == LEFT_AT_THE_WALL
        if (offered or wall) and self.next_is(PASS):
            self.turns.append(Turn(player, "pass", places={"turn": place}))
            self.player = 1 - player
            self.over, self.result = wall, Result("dead") if wall else None
        elif wall and self.next_is(KNOCKS):
            self.hands[player] |= self.top
            self.knock(Turn(player, "take", self.top, places={"turn": place}))
        elif not wall and self.next_is(TAKE):
            self.taken += not offered
            if self.taken == MOST_TAKEN:
                self.stop(f"{MOST_TAKEN} upcards had been taken")
            else:
                self.hands[player] |= self.top
                self.go_on(Turn(player, "take", self.top, places={"turn": place}))
        elif not wall and not offered and self.next_is(DRAW):
            drawn = self.card("the card drawn") if self.more else 0
            self.stock -= 1
            self.hands[player] |= drawn
            self.go_on(Turn(player, "draw", drawn, places={"turn": place, "drawn": f"actions[{self.at - 1}]"}))
        else:
            self.fail("55 or 54 (knock, pass)" if wall else "52 or 54 (take, pass)" if offered else "52 or 53 (take, draw)")

    def go_on(self, turn: Turn) -> None:
        """The discard or the knock."""
        if not self.more:
            self.turns.append(turn)
        elif self.next_is(KNOCKS):
            self.knock(turn)
        else:
            again = turn.drawn if turn.action == "take" else 0
            self.top = self.discard(turn)
            self.turns.append(_ended(turn, self.top, f"actions[{self.at - 1}]"))
            if self.top == again and self.back:
                self.stop("both players had discarded the upcard that they had just taken")
            self.back, self.player = self.top == again, 1 - turn.player

    def discard(self, turn: Turn) -> int:
        """The card that is discarded."""
        card = self.card("a discard")
        self.hands[turn.player] &= ~card
        return card

    def stop(self, why: str) -> None:
        self.over, self.result = True, Result(UNFINISHED)
        self.note = f"stopped by a rule of OpenSpiel's: {why}"

    # The showdown

    def knock(self, turn: Turn) -> None:
        """The discard, both players' melds, and the lay-offs before those of the defender; the history may end anywhere."""
        player, other, place = turn.player, 1 - turn.player, f"actions[{self.at}]"
        self.over, self.result = True, Result(UNFINISHED)
        if not self.more:
            self.turns.append(turn)
            return
        discard = self.discard(turn)
        melds, ended = self.melds(player)
        left = self.hands[player] & ~sum(melds)
        gin = ended and not left
        self.turns.append(_ended(turn, discard, place, GIN if gin else KNOCK))
        if not ended:
            return
        self.shown[player] = Shown(melds, 0, left)
        laid, ended = (0, True) if gin else self.laid_off()
        if not ended:
            return
        melds, ended = self.melds(other)
        if ended:
            self.shown[other] = Shown(melds, laid, self.hands[other] & ~(laid | sum(melds)))
            self.result = None

    def melds(self, player: int) -> tuple[tuple[int, ...], bool]:
        """Melds, and whether a pass ends them."""
        found: list[int] = []
        self.places[f"shown {'AB'[player]}".lower()] = f"actions[{self.at}]"
        while self.more:
            if self.next_is(PASS):
                return tuple(found), True
            if self.actions[self.at] < MELD or MELDS[self.actions[self.at] - MELD] & sum(found):
                self.fail("another meld (56 to 240) or 54 (pass)")
            found.append(MELDS[self.actions[self.at] - MELD])
            self.at += 1
        return tuple(found), False

    def laid_off(self) -> tuple[int, bool]:
        """Cards laid off, and whether a pass ends them."""
        laid = 0
        while self.more:
            if self.next_is(PASS):
                return laid, True
            laid |= self.card("a card to lay off or 54 (pass)")
        return laid, False


def _ended(turn: Turn, discard: int, place: str, ending: str = "") -> Turn:
    """A turn with its discard."""
    return replace(turn, discard=discard, ending=ending, places={**turn.places, "discard": place, "ending": place})
