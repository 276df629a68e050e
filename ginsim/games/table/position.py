"""Single positions of the table game, in words: what is legal (draws, discards, claims, lay-offs), and what a hand is worth.

Cards may be text (``"8C 9C"``) or masks. ``table`` is a list of melds, or text with ``|`` between them; ``pile`` the discard
pile from the bottom up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.cards import cards_of, format_hand, parse_hand
from ginsim.errors import InputError, listed, shown
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.hand import STATE, X_HAND, legal_depth, new_table, show
from ginsim.games.table.players.plans import OUT, write_turn
from ginsim.games.table.rules import TableRules
from ginsim.games.table.turns import DISCARD_REQUIRED, banned_discards, can_claim, is_meld
from ginsim.melds import deadwood, fourth_cards, grow_runs

__all__ = [
    "TableDraw", "TableEvaluation", "claim_options", "claims_of", "evaluate", "in_order", "is_table_meld", "lay_off_choices",
    "legal_depths", "legal_discards", "legal_draws", "melds_of", "plan_text", "position",
]  # fmt: skip

Cards = str | int
Pile = str | Sequence[Cards]
Melds = str | Sequence[Cards]
Rules = str | TableRules


def in_order(cards: Pile, field: str) -> list[int]:
    """Single cards (masks) in the order given, as text or one by one.

    Examples
    --------
    >>> [format_hand(card) for card in in_order("KD, 2S", "pile")]
    ['KD', '2S']
    """
    words = re.split(r"[\s,;]+", cards.strip()) if isinstance(cards, str) else listed(field, cards, "cards")
    found: list[int] = []
    for word in (word for word in words if word != ""):
        card = parse_hand(word, field)
        if card.bit_count() != 1:
            raise InputError(f"{field}: {shown(word)} is not one card; give them in order, separated by spaces")
        if card in found:
            raise InputError(f"{field}: {format_hand(card)} appears twice")
        found.append(card)
    return found


def melds_of(table: Melds, field: str = "table") -> list[int]:
    """Groups of cards (masks) from a list of them, or from text with ``|`` between them.

    Examples
    --------
    >>> [format_hand(meld) for meld in melds_of("5H 3H 4H | 7S 7D 7C")]
    ['3H 4H 5H', '7S 7D 7C']
    """
    groups = table.split("|") if isinstance(table, str) else listed(field, table, "melds")
    return [] if isinstance(table, str) and not table.strip() else [parse_hand(group, field) for group in groups]


def position(hand: Cards, pile: Pile = (), table: Melds = (), rules: Rules = "house", seat: int = 0) -> np.ndarray:
    """A table (``ginsim.games.table.hand``) on which a seat has this hand, with this pile and these melds.

    Parameters
    ----------
    hand : str or int
    pile : str or sequence of cards
        The discard pile, the top card last.
    table : str or sequence of melds
        The melds on the table; in a text separated by ``|``.
    rules : str or TableRules
    seat : int
        Whose hand it is.

    Raises
    ------
    InputError
        For cards that do not exist or lie in two places, and for groups that are not melds.
    """
    played = TableRules.parse(rules)
    t = new_table(played.array())
    s = t[STATE]
    seen = s[X_HAND + seat] = parse_hand(hand)
    s[V.COUNT + seat] = seen.bit_count()
    cards, melds = in_order(pile, "pile"), melds_of(table)
    if len(melds) > V.MOST_MELDS:
        raise InputError(f"table: {len(melds)} melds given; there is room for {V.MOST_MELDS}")
    for name, part in [*(("pile", card) for card in cards), *(("table", meld) for meld in melds)]:
        if seen & part:
            raise InputError(f"{name}: {format_hand(seen & part)} lies elsewhere already; each card of the deck exists once")
        seen |= part
    s[V.PILE : V.PILE + len(cards)] = cards
    s[V.PILE_SIZE] = len(cards)
    for i, meld in enumerate(melds):
        if not is_meld(meld, s):
            raise InputError(f"table: {format_hand(meld) or 'an empty group'} is not a meld under {played}")
        s[V.MELD + i] = meld
        s[V.RUNS if _one_suit(meld) else V.SETS] |= meld
    s[V.MELDS] = len(melds)
    return t


def _one_suit(cards: int) -> bool:
    return any(cards & ~(0x1FFF << 16 * suit) == 0 for suit in range(4))


def is_table_meld(cards: Cards, rules: Rules = "house") -> bool:
    """Whether the cards are one meld.

    Examples
    --------
    >>> is_table_meld("QC KC AC 2C"), is_table_meld("QC KC AC 2C", "house(wrap=false)")
    (True, False)
    """
    return bool(is_meld(parse_hand(cards), TableRules.parse(rules).array()))


def legal_depths(hand: Cards, pile: Pile, table: Melds = (), rules: Rules = "house") -> dict[int, bool]:
    """For each number of cards from the top of the pile whether a player with this hand may take them.

    Parameters
    ----------
    hand, pile, table, rules
        As in `position`.

    Examples
    --------
    >>> legal_depths("8C 9C 5H QD", "7C KD 2S")
    {1: True, 2: False, 3: True}
    """
    t = position(hand, pile, table, rules)
    return {k: bool(legal_depth(t, 0, k)) for k in range(1, int(t[STATE, V.PILE_SIZE]) + 1)}


def legal_draws(
    hand: Cards, pile: Pile, table: Melds = (), rules: Rules = "house", stock: int | None = None
) -> list[int]:
    """Every legal draw: 0 is a card from the stock, any other number that many cards from the top of the pile.

    Parameters
    ----------
    hand, pile, table, rules
        As in `legal_depths`.
    stock : int, optional
        Cards left in the stock; by default there are some. Without any, the pile except for its top card becomes the new stock,
        and a pile of one card must be taken.

    Examples
    --------
    >>> legal_draws("8C 9C 5H QD", "7C KD 2S")
    [0, 1, 3]
    >>> legal_draws("8C 9C 5H QD", "7C KD 2S", stock=0), legal_draws("8C 9C 5H QD", "2S", stock=0)
    ([0, 1], [1])
    """
    t = position(hand, pile, table, rules)
    t[STATE, V.STOCK] = 1 if stock is None else stock
    return draws_of(t, 0)


def draws_of(t: np.ndarray, seat: int) -> list[int]:
    """The legal draws of a seat at the table ``t``, as `legal_draws`; the turn has not begun."""
    s = t[STATE]
    size = int(s[V.PILE_SIZE])
    if s[V.STOCK]:
        return [0, *(k for k in range(1, size + 1) if legal_depth(t, seat, k))]
    if size > 1:
        return [0, 1] if s[V.RESHUFFLES] < s[R.MAX_RESHUFFLES] else []
    return [1] * size


def legal_discards(hand: Cards, taken: Cards = 0, rules: Rules = "house") -> list[str]:
    """Cards of a hand that may be discarded after ``taken``, which it holds now, were taken from the pile this turn.

    Examples
    --------
    >>> legal_discards("5S 9D QC", taken="QC")
    ['5S', '9D']
    """
    banned = int(banned_discards(parse_hand(taken), TableRules.parse(rules).array()))
    return format_hand(parse_hand(hand) & ~banned).split()


def lay_off_choices(card: Cards, table: Melds, rules: Rules = "house") -> list[int]:
    """Numbers of the melds on the table on which a card can be laid off.

    Examples
    --------
    >>> lay_off_choices("6H", ["3H 4H 5H", "7H 8H 9H"])
    [0, 1]
    """
    s = position(card, (), table, rules)[STATE]
    return [i for i in range(int(s[V.MELDS])) if is_meld(s[V.MELD + i] | s[X_HAND], s)]


def claim_options(hand: Cards, card: Cards, table: Melds = (), rules: Rules = "house") -> list[str]:
    """Every legal way to claim a discard: lay-offs by the number of the meld, then new melds from the shortest.

    Parameters
    ----------
    hand : str or int
    card : str or int
        The discard.
    table, rules
        As in `position`.

    Examples
    --------
    >>> claim_options("9S 9C 4H", "9D")
    ['meld 9S 9D 9C']
    """
    s = position(hand, [card], table, rules)[STATE]
    options = claims_of(s, parse_hand(hand), parse_hand(card))
    return [f"layoff on meld {i}" if i < s[V.MELDS] else f"meld {format_hand(cards)}" for i, cards in options]


def claims_of(s: Any, own: int, card: int) -> list[tuple[int, int]]:
    """The legal claims of ``card`` with the cards ``own`` in the state ``s``: numbers of melds and what is added to them."""
    if not s[R.CLAIMS] or not can_claim(s, own, own.bit_count(), card):
        return []
    found = [(i, card) for i in range(int(s[V.MELDS])) if is_meld(int(s[V.MELD + i]) | card, s)]
    suit = next(lane for lane in (0x1FFF << 16 * suit for suit in range(4)) if lane & card)
    most = own.bit_count() - (int(s[R.OUT]) == DISCARD_REQUIRED)
    near = [list(cards_of(own & mask)) for mask in (int(fourth_cards(card)), suit)]
    new = [card | sum(chosen) for size in range(2, most + 1) for cards in near for chosen in combinations(cards, size)]
    return found + [(int(s[V.MELDS]), meld) for meld in new if is_meld(meld, s)]


@dataclass(frozen=True)
class TableDraw:
    """A legal draw and what the best turn after it leaves.

    Attributes
    ----------
    depth : int
        Cards from the pile; 0: one from the stock.
    cards : int
        Those cards (a mask); 0 for the stock.
    points : float
        Fewest points left in the hand if all that can be played is played; for the stock the mean over the cards not seen.
    goes_out : float
        Whether no card is left (1 or 0); for the stock the share of the cards not seen that achieve it.
    plan : str
        The rest of the turn in words; for the stock, with the card that leaves most.
    """

    depth: int
    cards: int
    points: float
    goes_out: float
    plan: str

    def __str__(self) -> str:
        if self.depth == 0:
            return "draw from the stock"
        return f"take {format_hand(self.cards, symbols=True)}"


@dataclass(frozen=True)
class TableEvaluation:
    """What can be said of a hand at the table.

    Attributes
    ----------
    hand : int
    deadwood : int
        The least deadwood of the hand alone.
    lay_offs : tuple of (meld, cards)
        What can be laid off on which meld of the table, chained as far as it goes; melds and cards are masks.
    draws : tuple of TableDraw
        The legal draws, from the one that leaves the fewest points.
    """

    hand: int
    deadwood: int
    lay_offs: tuple[tuple[int, int], ...]
    draws: tuple[TableDraw, ...]

    def __str__(self) -> str:
        lines = [f"deadwood: {self.deadwood}"]
        for meld, cards in self.lay_offs:
            lines.append(f"can be laid off: {format_hand(cards, symbols=True)} on {format_hand(meld, symbols=True)}")
        return "\n".join([*lines, "", *draw_lines(self)])


def draw_lines(found: TableEvaluation) -> list[str]:
    """The draws of an evaluation, one a line."""
    lines = ["draws, fewest points left in hand first:"]
    for draw in found.draws:
        left = f"{draw.points:5.1f}" if draw.depth == 0 else "  out" if draw.goes_out else f"{draw.points:3.0f}  "
        chance = f", goes out with {draw.goes_out:.0%} of the cards not seen" if draw.goes_out > 0 and not draw.depth else ""
        lines.append(f"  {left}  {draw}{'' if draw.depth else f' on average{chance}; with a card of no use'}: {draw.plan}")
    return lines


def evaluate(hand: Cards, table: Melds = (), pile: Pile = (), rules: Rules = "house") -> TableEvaluation:
    """What a hand is worth at its turn: deadwood, lay-offs, and the best turn after each legal draw.

    The best turn plays all it can and leaves the fewest points; whether it is wise to lay down melds yet is another question
    (``ginsim.games.table.advice``).

    Parameters
    ----------
    hand : str or int
        The hand before the draw.
    table : str or list
        The melds on the table: ``"3H 4H 5H | 7S 7D 7C"`` or a list of them.
    pile : str or list
        The discard pile from the bottom up.
    rules : str or TableRules

    Examples
    --------
    >>> found = evaluate("8C 9C 5H QD", pile="7C KD 2S", rules="house(players=2)")
    >>> found.deadwood, [(str(draw), draw.points) for draw in found.draws if draw.depth]
    (32, [('take 2♠ K♦ 7♣', 17), ('take 2♠', 24)])
    """
    t = position(hand, pile, table, rules)
    own, s = parse_hand(hand), t[STATE]
    if not own:
        raise InputError("hand: no cards; give one or more")
    t[STATE, V.STOCK] = 1
    draws = [_stock_draw(t, own) if depth == 0 else _pile_draw(t, own, depth) for depth in draws_of(t, 0)]
    draws.sort(key=lambda draw: draw.points - draw.goes_out)
    return TableEvaluation(own, int(deadwood(np.int64(own), s)), tuple(_lay_offs(s, own)), tuple(draws))


def _lay_offs(s: Any, own: int) -> Iterator[tuple[int, int]]:
    for meld in s[V.MELD : V.MELD + int(s[V.MELDS])].tolist():
        cards = own & fourth_cards(meld) if meld & s[V.SETS] else grow_runs(meld, own, s) & ~meld
        if cards:
            yield meld, int(cards)


def _best_turn(t: np.ndarray, held: int, must: int, banned: int) -> tuple[int, str]:
    """Value (`write_turn`) and words of the best turn with these cards in the hand of seat 0."""
    show(t, 0)
    value = int(write_turn(t[0], np.int64(held), np.int64(must), np.int64(banned)))
    return value, plan_text(t[0])


def _pile_draw(t: np.ndarray, own: int, depth: int) -> TableDraw:
    pile = [int(card) for card in t[STATE, V.PILE : V.PILE + t[STATE, V.PILE_SIZE]]]
    taken = sum(pile[-depth:])
    banned = int(banned_discards(np.int64(taken), t[STATE]))
    value, plan = _best_turn(t, own | taken, pile[-depth] if depth > 1 else 0, banned)
    return TableDraw(depth, taken, max(value, 0), float(value == OUT), plan)


def _stock_draw(t: np.ndarray, own: int) -> TableDraw:
    s = t[STATE]
    melds, pile = s[V.MELD : V.MELD + int(s[V.MELDS])], s[V.PILE : V.PILE + int(s[V.PILE_SIZE])]
    unseen = list(cards_of(int(s[D.FULL]) & ~(own | sum(melds.tolist()) | sum(pile.tolist()))))
    values = [_best_turn(t, own | card, 0, 0) for card in unseen]
    points = [max(value, 0) for value, _ in values]
    worst = points.index(max(points))
    plan = values[worst][1].replace(f"discard {format_hand(unseen[worst], symbols=True)}", "discard it")
    return TableDraw(0, 0, sum(points) / len(points), sum(value == OUT for value, _ in values) / len(values), plan)


def plan_text(view: Any) -> str:
    """The plan that stands in a view, in words."""
    melds = int(view[V.MELDS])
    added = [int(cards) for cards in view[V.PLAN_MELDS : V.PLAN_MELDS + V.MOST_MELDS]]
    return plan_words([int(meld) for meld in view[V.MELD : V.MELD + melds]], added, int(view[V.PLAN_DISCARD]))


def plan_words(melds: Sequence[int], added: Iterable[int], discard: int) -> str:
    """A plan in words: what is added to each of the melds, then the new ones, and the discard (0: none)."""
    words = []
    for i, cards in enumerate(added):
        if cards and i < len(melds):
            words.append(f"lay off {format_hand(cards, symbols=True)} on {format_hand(melds[i], symbols=True)}")
        elif cards:
            words.append(f"meld {format_hand(cards, symbols=True)}")
    return ", ".join([*words, f"discard {format_hand(discard, symbols=True)}"] if discard else words)
