"""A moment of a hand as a player describes it: the view that goes with it, and whether it is possible at all."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.cards import format_card, format_hand
from ginsim.errors import InputError, check_count, listed, shown
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import read_cards
from ginsim.games.gin.rules import Rules
from ginsim.melds import points

__all__ = ["Position", "read_position"]

MOST_SCORE = 100_000
SPADES = 0xFFFF
Cards = str | Iterable[str | int]


@dataclass(frozen=True)
class Position:
    """A player's view at a draw or a discard.

    Attributes
    ----------
    rules : Rules
    view : int64[V.SIZE]
    hidden : int
        Cards that are neither seen nor with the opponent: the stock, and discards that were not named.
    turns_known : bool
        Whether each turn of the opponent is in the view's log.
    """

    rules: Rules
    view: np.ndarray
    hidden: int
    turns_known: bool

    @property
    def drawing(self) -> bool:
        """Whether the draw is to be chosen, not the discard."""
        return int(self.view[V.HAND]).bit_count() == self.rules.hand_size

    @property
    def offered(self) -> bool:
        """Whether it is the first upcard that may be taken."""
        return bool(self.view[V.OFFER])


def read_position(
    rules: Rules,
    hand: str | int,
    upcard: str | int = "",
    seen: str | int = "",
    discarded: Cards = "",
    opponent_discarded: Cards = "",
    opponent_took: Cards = "",
    turn: int | None = None,
    dealer: bool = False,
    stock: int | None = None,
    limit: int | None = None,
    score: tuple[int, int] = (0, 0),
) -> Position:
    """The view of a player who describes the moment so; for what the arguments mean see ``ginsim.games.gin.advice``.

    Raises
    ------
    InputError
        For cards that contradict each other, naming them, and for numbers that cannot be.
    """
    c = rules.array()
    own, other = _in_order(discarded, "discarded", rules), _in_order(opponent_discarded, "opponent_discarded", rules)
    took = _in_order(opponent_took, "opponent_took", rules)
    held, top, others = read_cards(hand, "hand", rules), read_cards(upcard, "upcard", rules), read_cards(seen, "seen", rules)
    size = held.bit_count()
    if size not in (rules.hand_size, rules.hand_size + 1):
        raise InputError(f"hand: {size} cards; give {rules.hand_size} to choose the draw, or one more to choose the discard")
    drawing = size == rules.hand_size
    if top.bit_count() > 1 or (drawing and not top):
        raise InputError(f"upcard: {shown(upcard)} is not allowed; give the one card that may be taken")
    offered = bool(drawing and rules.upcard_offer and not (own or other or took) and turn in (None, 1))
    if top and not offered and other[-1:] != [top] and (turn or 1) + len(own) + len(other) + dealer > 1:
        other.append(top)  # what lies on top is what the opponent discarded last
    given = _Given(held, top, others, own, other, took)
    given.check(drawing)

    if turn is None:
        turn = len(own) + 1 if own else len(other) + (not dealer or not other)
    turn = check_count("turn", turn, 1, V.LOG_TURNS - 1)
    if len(other) > turn or len(own) >= turn:
        what = f"opponent_discarded: {len(other)} cards" if len(other) > turn else f"discarded: {len(own)} cards"
        raise InputError(f"{what} (the upcard counts) are too many before your turn {turn}")
    theirs = len(other) if len(other) == turn else turn - 1 + (dealer and not offered)
    if len(took) > theirs:
        raise InputError(f"opponent_took: {len(took)} entries are too many for {theirs} turns before your turn {turn}; give turn")
    view = np.zeros(V.SIZE, np.int64)
    view[: c.size] = c
    view[V.HAND], view[V.UPCARD], view[V.PILE] = held, top, given.pile
    view[V.OPP_HELD], view[V.OPP_DISCARDS], view[V.OWN_DISCARDS] = given.taken, sum(set(other)), sum(set(own))
    view[V.OPP_PASSED] = (view[V.OWN_DISCARDS] & ~sum(set(took) - {0})) | (top if offered and dealer else 0)
    view[V.TURN], view[V.OPP_TURN], view[V.OFFER] = turn - 1, theirs, offered
    view[V.STARTER] = not dealer and theirs < turn
    view[V.OWN_SCORE], view[V.OPP_SCORE] = _score(score, rules)
    view[V.MULTIPLIER] = 2 if offered and rules.spades_double and top & SPADES else 1
    view[R.LIMIT] = _limit(limit, top if offered else 0, rules, c)
    if not drawing and top & held:
        view[V.DRAWN], view[V.BANNED] = top, top if rules.redraw_ban else 0
    known = _log(view, own, other, took)
    return Position(rules, view, _stock(view, stock, given, len(own) == turn - 1, drawing, rules), known)


@dataclass(frozen=True)
class _Given:
    """What was said of the cards."""

    hand: int
    upcard: int
    seen: int
    own: list[int]
    other: list[int]
    took: list[int]

    @property
    def taken(self) -> int:
        """Cards that the opponent took and did not discard after that."""
        return sum(set(self.took) - {0} - set(self.other))

    @property
    def pile(self) -> int:
        """Cards known to be in the discard pile."""
        return (sum(set(self.own) | set(self.other)) | self.seen | self.upcard) & ~(self.hand | self.taken)

    def check(self, drawing: bool) -> None:
        """Refuse cards that are in two places."""
        own, other, back = sum(set(self.own)), sum(set(self.other)), sum(set(self.took) - {0})
        wrong = {
            "upcard: {} is in the hand; with as many cards as are dealt, an upcard is another card": self.upcard & self.hand
            if drawing
            else 0,
            "seen: {} is in the hand": self.seen & self.hand,
            "opponent_took: {} is in your hand, and the opponent did not discard it": self.taken & self.hand,
            "opponent_took: {} is the upcard, and the opponent did not discard it": self.taken & self.upcard,
            "opponent_took: {} is also among the cards seen elsewhere": self.taken & self.seen,
            "discarded: {} is in your hand, and the opponent did not discard it": own & self.hand & ~other,
            "discarded: {} is the upcard; on your turn that is a card of the opponent's": own & self.upcard & ~back,
            "opponent_discarded: {} lies on top: name it last": sum(set(self.other[:-1])) & self.upcard,
        }
        for message, cards in wrong.items():
            if cards:
                raise InputError(message.format(format_hand(cards)))


def _in_order(cards: Cards, field: str, rules: Rules) -> list[int]:
    """Single cards in the order given; ``-`` stands for none where a turn may have none."""
    words: list[Any] = re.split(r"[\s,;]+", cards.strip()) if isinstance(cards, str) else listed(field, cards, "cards")
    found: list[int] = []
    for word in (word for word in words if word != ""):
        card = 0 if word == "-" and field == "opponent_took" else read_cards(word, field, rules)
        if card.bit_count() > 1 or (card == 0 and word != "-"):
            raise InputError(f"{field}: {shown(word)} is not one card; give them in order, separated by spaces")
        if card and card in found:
            raise InputError(f"{field}: {format_card(card)} appears twice")
        found.append(card)
    return found


def _score(score: tuple[int, int], rules: Rules) -> tuple[int, int]:
    if len(score) != 2:
        raise InputError(f"score: {shown(score)} is not allowed; give two numbers, yours first")
    own, opp = (check_count("score", value, 0, MOST_SCORE) for value in score)
    if max(own, opp) >= rules.target:
        raise InputError(f"score: {own} to {opp} has ended the game; both are below {rules.target}")
    return own, opp


def _limit(limit: int | None, first_upcard: int, rules: Rules, c: np.ndarray) -> int:
    """The knock limit in force."""
    if not rules.oklahoma:
        if limit not in (None, rules.knock_limit):
            raise InputError(f"limit: {shown(limit)} is not allowed: {rules} sets it, {rules.knock_limit}")
        return rules.knock_limit
    if first_upcard:
        ace = first_upcard & sum(1 << 16 * suit for suit in range(4))
        own = int(c[R.OKLAHOMA]) - 1 if ace else int(points(np.int64(first_upcard), c))
        if limit not in (None, own):
            raise InputError(f"limit: {shown(limit)} is not allowed: the first upcard sets {own}")
        return own
    if limit is None:
        raise InputError("limit: under these rules the first upcard sets it; give it (--limit), for a picture card 10")
    return check_count("limit", limit, 0, 100)


def _log(view: np.ndarray, own: list[int], other: list[int], took: list[int]) -> bool:
    """Write down the moves; whether every turn of the opponent is known."""
    turns, theirs = int(view[V.TURN]), int(view[V.OPP_TURN])
    for k, card in enumerate(own):
        view[V.OWN_LOG + 2 * (turns - len(own) + k) + 1] = card
    for k, card in enumerate(other):
        view[V.OPP_LOG + 2 * (theirs - len(other) + k) + 1] = card
    if len(other) < theirs or (took and len(took) != theirs):
        return False
    for k, card in enumerate(took):
        view[V.OPP_LOG + 2 * k] = card
    return True


def _stock(view: np.ndarray, stock: int | None, given: _Given, own_known: bool, drawing: bool, rules: Rules) -> int:
    """Set the number of cards in the stock; returns how many cards are in it or among discards that were not named."""
    size, theirs = int(view[V.HAND]).bit_count(), int(view[V.OPP_TURN])
    unseen = (int(view[D.FULL]) & ~(given.hand | given.pile | given.taken)).bit_count()
    deal = size - (not drawing)
    unknown = deal - given.taken.bit_count()
    if unknown < 0:
        raise InputError(f"opponent_took: {given.taken.bit_count()} cards; a hand has {deal}")
    hidden = unseen - unknown
    drawn = int(view[V.TURN]) + theirs - sum(card > 0 for card in given.took) + bool(not drawing and not view[V.DRAWN])
    drawn -= rules.eleven_card_start  # the first turn only discards
    dealt = int(view[D.FULL]).bit_count() - 2 * deal - 1
    least = 0 if not drawing else 1 if rules.stock_end in ("dead_at_0", "reshuffle") else 3  # with less the hand is over
    if stock is None:
        all_named = own_known and len(given.other) == theirs
        stock = hidden if all_named else min(max(dealt - drawn, least), hidden)
    if hidden < least:
        raise InputError(f"seen: so many cards are named that fewer than {least} are left for the stock")
    view[V.STOCK] = check_count("stock", stock, least, hidden)
    return hidden
