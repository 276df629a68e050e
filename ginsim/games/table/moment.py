"""A moment of a hand at the table as one of its players describes it: the engine's table, and what is to be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.cards import format_card, format_hand, parse_hand
from ginsim.errors import InputError, check_count, listed
from ginsim.games.table import view as V
from ginsim.games.table.hand import STATE, X_HAND
from ginsim.games.table.position import Cards, Melds, Pile, claims_of, draws_of, in_order, melds_of, position
from ginsim.games.table.rules import TableRules

__all__ = ["CLAIM", "DRAW", "PLAY", "Moment", "read_moment"]

DRAW, PLAY, CLAIM = range(3)
"""What is to be chosen."""
MOST_SCORE = 100_000
STOCK = "stock"
DECK = 52


@dataclass(frozen=True)
class Moment:
    """A player's moment of choice.

    Attributes
    ----------
    rules : TableRules
    t : int64[ROWS, V.SIZE]
        The table, without what the player does not see: the stock, and the others' hands except for the cards known.
    seat : int
        The player's.
    choosing : {DRAW, PLAY, CLAIM}
    unseen : int
        The cards that are in the others' hands, in the stock, or in the pile without being named.
    taken : tuple of int
        The cards taken from the pile this turn, the deepest first.
    card : int
        The discard that may be claimed.
    discarder : int
        Whose it was.
    counted : bool
        Whether the numbers of cards in the other hands were given.
    """

    rules: TableRules
    t: np.ndarray
    seat: int
    choosing: int
    unseen: int
    taken: tuple[int, ...]
    card: int
    discarder: int
    counted: bool

    @property
    def hand(self) -> int:
        """The player's cards."""
        return int(self.t[STATE, X_HAND + self.seat])

    @property
    def others(self) -> list[int]:
        """The other seats, in turn order from the next on."""
        return [(self.seat + step) % self.rules.players for step in range(1, self.rules.players)]

    def __str__(self) -> str:
        s = self.t[STATE]
        melds = " | ".join(format_hand(int(meld), symbols=True) for meld in s[V.MELD : V.MELD + s[V.MELDS]]) or "no melds"
        top = int(s[V.PILE + s[V.PILE_SIZE] - 1]) if s[V.PILE_SIZE] else 0
        pile = f"{s[V.PILE_SIZE]} cards in the pile, {format_card(top, symbols=True)} on top" if top else "no pile"
        pile = pile.replace("1 cards", "1 card")
        counts = ", ".join(str(s[V.COUNT + seat]) for seat in self.others)
        what = {
            DRAW: "to draw",
            PLAY: "to play" + (f" with {_in_words(self.taken)} taken" if self.taken else " after a card from the stock"),
            CLAIM: f"may claim {format_card(self.card, symbols=True) if self.card else ''}",
        }[self.choosing]
        turn = f"after turn {s[V.TURN]}" if self.choosing == CLAIM else f"turn {s[V.TURN] + 1}"
        return (
            f"seat {self.seat} {what}, {turn} of all players; on the table {melds}; {pile}; {s[V.STOCK]} cards in the stock; "
            f"the others hold {counts}; {self.rules}"
        )


def _in_words(cards: Iterable[int]) -> str:
    return " ".join(format_card(card, symbols=True) for card in cards)


def read_moment(
    rules: TableRules,
    hand: Cards,
    pile: Pile = "",
    table: Melds = "",
    counts: str | Sequence[int] | None = None,
    held: Melds = "",
    drawn: Pile = "",
    claim: Cards = "",
    seat: int = 0,
    discarder: int | None = None,
    turn: int | None = None,
    stock: int | None = None,
    scores: str | Sequence[int] | None = None,
) -> Moment:
    """The moment that a player describes with these; for what the arguments mean see ``ginsim.games.table.advice``.

    Raises
    ------
    InputError
        For cards that contradict each other, naming them, and for impossible numbers.
    """
    n = rules.players
    seat = check_count("seat", seat, 0, n - 1)
    own, card = parse_hand(hand), parse_hand(claim, "claim")
    lying = in_order(pile, "pile")
    if not own:
        raise InputError("hand: no cards; give one or more")
    choosing, taken = _choosing(rules, own, drawn, card)
    if choosing == CLAIM:
        lying = [*(c for c in lying if c != card or lying[-1] != c), card]
    elif discarder is not None:
        raise InputError("discarder: it needs claim, the card that was discarded")
    known = _held(held, n)
    t = position(own, lying, table, rules, seat)
    unseen = _unseen(t, own, known)
    by = _discarder(discarder, seat, n) if choosing == CLAIM else seat
    moment = Moment(rules, t, seat, choosing, unseen, taken, card, by, counts is not None)
    s = t[STATE]
    for other, cards, count in zip(moment.others, known, _counts(counts, known, rules), strict=True):
        s[V.HELD + other] = s[V.TOOK + other] = cards
        s[V.COUNT + other] = count
    s[V.HELD + seat] = s[V.TOOK + seat] = sum(taken)
    _stock(moment, stock)
    _turn(moment, turn, choosing == PLAY and not taken)
    _scores(s, scores, seat, rules)
    _check_possible(moment)
    return moment


def _choosing(rules: TableRules, own: int, drawn: Pile, card: int) -> tuple[int, tuple[int, ...]]:
    """What is to be chosen, and the cards just taken from the pile."""
    from_stock = isinstance(drawn, str) and drawn.strip().lower() == STOCK
    taken = () if from_stock else tuple(in_order(drawn, "drawn"))
    if card and (taken or from_stock):
        raise InputError("claim: it cannot be given with drawn; a discard is claimed out of turn")
    if card.bit_count() > 1:
        raise InputError(f"claim: {format_hand(card)} is not one card")
    if card & own:
        raise InputError(f"claim: {format_hand(card)} is in the hand")
    if card and not rules.claims:
        raise InputError(f"claim: there are no claims under {rules}")
    if missing := sum(taken) & ~own:
        raise InputError(f"drawn: {format_hand(missing)} is not in the hand, which includes the cards just taken")
    if len(taken) > rules.max_pile_draw:
        raise InputError(f"drawn: {len(taken)} cards; {rules} allows {rules.max_pile_draw} at once")
    return (CLAIM if card else PLAY if taken or from_stock else DRAW), taken


def _discarder(discarder: int | None, seat: int, n: int) -> int:
    """Whose discard may be claimed: by default that of the player before."""
    found = (seat - 1) % n if discarder is None else check_count("discarder", discarder, 0, n - 1)
    if found == seat:
        raise InputError(f"discarder: {found} is your own seat; nobody claims their own discard")
    return found


def _held(held: Melds, n: int) -> list[int]:
    """Cards known in the other hands, from the next player on."""
    groups = melds_of(held, "held") or [0] * (n - 1)
    if len(groups) != n - 1:
        raise InputError(f"held: {len(groups)} hands given; there are {n - 1} others (| between them, from the next player on)")
    return groups


def _numbers(field: str, given: str | Sequence[int], count: int, low: int, high: int) -> list[int]:
    """So many whole numbers, as text or one by one."""
    words = [w for w in re.split(r"[\s,;]+", given.strip()) if w] if isinstance(given, str) else listed(field, given, "numbers")
    read: list[Any] = [int(w) if isinstance(w, str) and re.fullmatch(r"[+-]?[0-9]{1,9}", w) else w for w in words]
    numbers = [check_count(field, number, low, high) for number in read]
    if len(numbers) != count:
        raise InputError(f"{field}: {len(numbers)} given; {count} are needed")
    return numbers


def _counts(counts: str | Sequence[int] | None, known: list[int], rules: TableRules) -> list[int]:
    """How many cards each of the others holds."""
    if counts is None:
        return [max(rules.cards, cards.bit_count()) for cards in known]
    numbers = _numbers("counts", counts, rules.players - 1, 1, DECK)
    for number, cards in zip(numbers, known, strict=True):
        if cards.bit_count() > number:
            raise InputError(f"held: {format_hand(cards)} are more cards than the {number} of that hand")
    return numbers


def _unseen(t: np.ndarray, own: int, known: list[int]) -> int:
    """The cards that nobody said anything of; refuses cards known in two places."""
    s = t[STATE]
    lying = [int(card) for card in s[V.PILE : V.PILE + s[V.PILE_SIZE]]]
    seen = reduce(or_, (own, *lying, *(int(meld) for meld in s[V.MELD : V.MELD + s[V.MELDS]])))
    for cards in known:
        if seen & cards:
            raise InputError(f"held: {format_hand(seen & cards)} lies elsewhere already; each card of the deck exists once")
        seen |= cards
    return int(s[D.FULL]) & ~seen


def _stock(moment: Moment, stock: int | None) -> None:
    """Set the stock; cards that are in nobody's hand nor in it lie unnamed at the bottom of the pile."""
    s, unseen = moment.t[STATE], moment.unseen.bit_count()
    hidden = sum(int(s[V.COUNT + seat]) - int(s[V.HELD + seat]).bit_count() for seat in moment.others)
    left = unseen - hidden
    if left < 0:
        raise InputError(f"counts: the others hold {hidden} unknown cards, but only {unseen} are not named elsewhere")
    stock = left if stock is None else check_count("stock", stock, 0, left)
    unnamed, size = left - stock, int(s[V.PILE_SIZE])
    s[V.PILE + unnamed : V.PILE + unnamed + size] = s[V.PILE : V.PILE + size].copy()
    s[V.PILE_SIZE], s[V.STOCK] = size + unnamed, stock


def _turn(moment: Moment, turn: int | None, from_stock: bool) -> None:
    """Set how many turns are over; by default as few as the stock and the pile allow."""
    s, rules = moment.t[STATE], moment.rules
    n = rules.players
    drawn = DECK - 1 - n * rules.cards - int(s[V.STOCK]) - from_stock
    least = max(drawn, int(s[V.PILE_SIZE]) + len(moment.taken) - 1, moment.choosing == CLAIM)
    before = (moment.seat - moment.discarder) % n - 1 if moment.choosing == CLAIM else 0  # turns until the player's own
    earliest = max(1, -((moment.seat - before - least) // n) + 1)
    turn = earliest if turn is None else check_count("turn", turn, 1, rules.max_turns)
    if turn < earliest:
        raise InputError(
            f"turn: {turn} is too early for {drawn} cards drawn from the stock and {s[V.PILE_SIZE]} in the pile; give counts if "
            "the others do not hold as many cards as were dealt"
        )
    s[V.TURN] = (turn - 1) * n + moment.seat - before
    if s[V.TURN] >= rules.max_turns:
        raise InputError(f"turn: {turn} is too late; {rules} ends a hand after {rules.max_turns} turns of all players")


def _scores(s: Any, scores: str | Sequence[int] | None, seat: int, rules: TableRules) -> None:
    if scores is None:
        return
    numbers = _numbers("scores", scores, rules.players, -MOST_SCORE, MOST_SCORE)
    if max(numbers) >= rules.target:
        raise InputError(f"scores: {max(numbers)} has ended the game; all must be below {rules.target}")
    for step, score in enumerate(numbers):
        s[V.SCORE + (seat + step) % rules.players] = score


def _check_possible(moment: Moment) -> None:
    """Refuse a moment in which there is nothing to choose from."""
    s, card = moment.t[STATE], moment.card
    if moment.choosing == DRAW and not draws_of(moment.t, moment.seat):
        why = "stock and pile are empty" if not s[V.PILE_SIZE] else "the stock is empty and may not be renewed"
        raise InputError(f"stock: {why}; the hand is blocked")
    if moment.choosing == CLAIM and not claims_of(s, moment.hand, card):
        raise InputError(f"claim: {format_card(card)} can be neither laid off nor melded with this hand")
