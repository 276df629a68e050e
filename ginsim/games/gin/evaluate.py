"""What a hand is worth: least deadwood, arrangements, discards, the showdown. One call for a text, a mask or an array.

Hands are texts (``"8S 8H 8D"``), masks, or many at once: an integer array of masks or a list of texts. ``rules`` is a
`Rules` value, a spec such as ``"round_the_corner(hand_size=7)"``, or None for ``classic25``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple, overload

import numpy as np
import numpy.typing as npt

from ginsim import layout as D
from ginsim import melds as kernel
from ginsim.cards import LANE, RANKS, SUITS, card_at, cards_of, format_hand, parse_hand
from ginsim.errors import InputError, listed, shown
from ginsim.games.gin import layout as R
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.gin.scoring import score_hand

__all__ = [
    "Arrangement", "BestDiscard", "Showdown", "best_discard", "best_melds", "deadwood", "is_meld", "lay_off_targets",
    "rank_discards", "showdown",
]  # fmt: skip

MOST_CARDS = 14
NO_LAYOFF = 2
HANDS = "texts such as '7S 10H', or of masks"

Hand = str | int | np.integer[Any]
Hands = npt.NDArray[Any] | list[str] | list[int]
RulesLike = Rules | str | None
Masks = npt.NDArray[np.int64]
Deadwoods = npt.NDArray[np.int16]


@dataclass(frozen=True, repr=False)
class Arrangement:
    """One way to meld a hand: sets by rank, then runs by suit; the cards in no meld; their points."""

    melds: tuple[int, ...]
    deadwood: int
    points: int

    def __str__(self) -> str:
        return f"{_names(self.melds) or 'no meld'} | {format_hand(self.deadwood)}".removesuffix(" | ")

    def __repr__(self) -> str:
        return f"Arrangement({str(self)!r}, points={self.points})"


class BestDiscard(NamedTuple):
    """Least deadwood after one discard, and the mask of all discards that reach it; arrays for many hands."""

    deadwood: int | Deadwoods
    cards: int | Masks

    def __repr__(self) -> str:
        cards = repr(format_hand(self.cards)) if isinstance(self.cards, int) else self.cards
        return f"BestDiscard(deadwood={self.deadwood}, cards={cards})"


@dataclass(frozen=True, repr=False)
class Showdown:
    """How a knock comes out.

    ``defender_deadwood`` is what is left after lay-offs, ``defender_before`` what it was before; ``laid_off`` is a mask.
    ``winner`` is ``"knocker"``, ``"defender"`` or None (a push).
    """

    knocker_deadwood: int
    defender_deadwood: int
    defender_before: int
    laid_off: int
    laid_off_points: int
    winner: Literal["knocker", "defender"] | None
    points: int
    ending: Literal["knock", "undercut", "gin", "big_gin", "push"]
    knocker_melds: tuple[int, ...]
    defender_melds: tuple[int, ...]

    def __str__(self) -> str:
        laid_off = f" after laying off {format_hand(self.laid_off)}" if self.laid_off else ""
        result = f"the {self.winner} wins {self.points}" if self.winner else "nobody scores"
        return f"{self.ending}: {self.knocker_deadwood} against {self.defender_deadwood}{laid_off}, {result}"

    def __repr__(self) -> str:
        shown = vars(self) | {
            "laid_off": format_hand(self.laid_off),
            "knocker_melds": _names(self.knocker_melds),
            "defender_melds": _names(self.defender_melds),
        }
        return f"Showdown({', '.join(f'{name}={value!r}' for name, value in shown.items())})"


@overload
def deadwood(hands: Hand, rules: RulesLike = None) -> int: ...
@overload
def deadwood(hands: Hands, rules: RulesLike = None) -> Deadwoods: ...
def deadwood(hands: Hand | Hands, rules: RulesLike = None) -> int | Deadwoods:
    """Least deadwood of a hand of 1 to 14 cards, or of each of many hands.

    Parameters
    ----------
    hands : str, int, integer array or list
        One hand as text or mask; or an array of masks, a list of texts.
    rules : Rules or str, optional
        What a run is, what an ace counts, which deck; ``classic25`` if not given.

    Returns
    -------
    int or int16 array

    Raises
    ------
    InputError
        For what is not a hand of the deck.

    Examples
    --------
    >>> deadwood("8S 8H 8D 5S 6S 7S AD 4C")
    5
    >>> deadwood(["QH KH AH", "9S 9H 9C"], "round_the_corner")
    array([0, 0], dtype=int16)
    """
    rules, c = _read_rules(rules)
    if _is_one(hands):
        return int(kernel.deadwood(_read_hand(hands, "hand", rules), c))
    masks = _read_hands(hands, rules)
    out = np.empty(masks.size, np.int16)
    kernel.deadwood_many(masks, c, out)
    return out


def best_melds(hand: Hand, rules: RulesLike = None) -> list[Arrangement]:
    """Every arrangement of a hand that leaves the least deadwood, those with the fewest melds first.

    Cutting a long run differently makes another arrangement.

    Examples
    --------
    >>> for arrangement in best_melds("2S 2H 2D AS 3S 9C 10C JC"):
    ...     print(arrangement)
    2S 2H 2D · 9C 10C JC | AS 3S
    AS 2S 3S · 9C 10C JC | 2H 2D
    """
    rules, c = _read_rules(rules)
    return _arrangements(_read_hand(hand, "hand", rules), rules, c)


@overload
def best_discard(hand: Hand, banned: Hand = 0, rules: RulesLike = None) -> BestDiscard: ...
@overload
def best_discard(hand: Hands, banned: Hand | Hands = 0, rules: RulesLike = None) -> BestDiscard: ...
def best_discard(hand: Hand | Hands, banned: Hand | Hands = 0, rules: RulesLike = None) -> BestDiscard:
    """Least deadwood that one discard can leave, and the discards that leave it.

    Parameters
    ----------
    hand : str, int, integer array or list
        The hand to discard from (11 cards in play), or many.
    banned : str, int, integer array or list
        Cards of the hand that may not be discarded, such as the one just taken from the discards; one for all hands or one each.
    rules : Rules or str, optional

    Examples
    --------
    >>> best_discard("3H 4H 5H 6H 7S 8S 9S KC KS KH JD", banned="JD")
    BestDiscard(deadwood=10, cards='3H 6H')
    """
    rules, c = _read_rules(rules)
    if _is_one(hand):
        held = _read_hand(hand, "hand", rules)
        ban = _read_banned(held, banned, rules)
        left, cards = kernel.best_discards(held, ban, c)
        return BestDiscard(int(left), int(cards))
    masks = _read_hands(hand, rules)
    bans = _read_bans(masks, banned, rules)
    out, found = np.empty(masks.size, np.int16), np.empty(masks.size, np.int64)
    kernel.best_discards_many(masks, bans, c, out, found)
    return BestDiscard(out, found)


def rank_discards(hand: Hand, banned: Hand = 0, rules: RulesLike = None) -> list[tuple[int, int]]:
    """Every allowed discard as ``(card, deadwood after it)``, the best first.

    Examples
    --------
    >>> [(format_hand(card), left) for card, left in rank_discards("4S 5S 6S KD AD")]
    [('KD', 1), ('AD', 10), ('6S', 20), ('5S', 21), ('4S', 22)]
    """
    rules, c = _read_rules(rules)
    held = _read_hand(hand, "hand", rules)
    ban = _read_banned(held, banned, rules)
    after = [(card, int(kernel.deadwood(held ^ card, c))) for card in cards_of(held & ~ban)]
    return sorted(after, key=lambda item: (item[1], item[0]))


def showdown(
    knocker: Hand,
    defender: Hand,
    rules: RulesLike = None,
    melds: Arrangement | Iterable[Hand] | None = None,
    multiplier: int = 1,
) -> Showdown:
    """Settle a knock: melds, lay-offs, who wins and how many points.

    Whether the knock was allowed is not checked. A knocker without deadwood has gin; with one card more than the rules
    deal, big gin.

    Parameters
    ----------
    knocker, defender : str or int
        The hands after the knocker's discard.
    rules : Rules or str, optional
    melds : Arrangement or list of str or int, optional
        What the knocker lays out; if not given, the least deadwood, and among equals what exposes the fewest points of
        lay-offs among all cards the knocker does not hold.
    multiplier : int
        2 if spades double and the first upcard was one.

    Raises
    ------
    InputError
        For hands that cannot meet under these rules, and for melds that the knocker cannot lay out.

    Examples
    --------
    >>> print(showdown("2S 2H 2D AS 3S 9C 10C JC QC 5H", "4S 5S KD KH KS 7H 8H 9H 6D 10D"))
    knock: 9 against 25, the knocker wins 16
    """
    rules, c = _read_rules(rules)
    held, other = _read_sides(knocker, defender, rules)
    if melds is None:
        sets, runs = (int(cards) for cards in kernel.knocker_melds(held, int(c[D.FULL]) & ~held, c))
        laid_out = longest_melds(sets, runs, rules)
    else:
        laid_out = _read_melds(melds, rules, held)
        sets = sum(meld for meld in laid_out if _is_set(meld))
        runs = sum(laid_out) - sets
    left = int(kernel.points(held & ~(sets | runs), c))
    big_gin = held.bit_count() > rules.hand_size
    if big_gin and left:
        loose = format_hand(held & ~(sets | runs))
        raise InputError(f"knocker: {held.bit_count()} cards are big gin only if all are melded; unmatched: {loose}")
    mode = int(c[R.LAYOFF]) if left or rules.layoff_on_gin else NO_LAYOFF
    after, laid_off = (int(value) for value in kernel.lay_off(other, sets, runs, mode, c))
    score = score_hand(left, after, rules, big_gin=big_gin, multiplier=multiplier)
    return Showdown(
        knocker_deadwood=left,
        defender_deadwood=after,
        defender_before=int(kernel.deadwood(other, c)),
        laid_off=laid_off,
        laid_off_points=int(kernel.points(laid_off, c)),
        winner=score.winner,
        points=score.points,
        ending=score.ending,
        knocker_melds=laid_out,
        defender_melds=_arrangements(other & ~laid_off, rules, c)[0].melds,
    )


def is_meld(cards: Hand, rules: RulesLike = None) -> bool:
    """Whether these cards are one set or one run.

    Examples
    --------
    >>> is_meld("QH KH AH"), is_meld("QH KH AH", "classic25(wrap=true)")
    (False, True)
    """
    rules, _ = _read_rules(rules)
    return read_cards(cards, "cards", rules) in _all_melds(rules.wrap, rules.ranks, rules.suits)


def lay_off_targets(melds: Arrangement | Iterable[Hand], rules: RulesLike = None) -> int:
    """Mask of the cards that extend one of the melds by themselves.

    Examples
    --------
    >>> format_hand(lay_off_targets(["JS QS KS", "4S 4H 4D"]))
    '10S 4C'
    """
    rules, _ = _read_rules(rules)
    table = _read_melds(melds, rules)
    every = _all_melds(rules.wrap, rules.ranks, rules.suits)
    free = _deck(rules) & ~sum(table)
    return sum(card for card in cards_of(free) if any(meld | card in every for meld in table))


# Melds one by one


@lru_cache
def _all_melds(wrap: bool, ranks: int, suits: int) -> frozenset[int]:
    """All melds of a deck."""
    sets = {
        sum(card_at(rank, suit) for suit in range(suits) if suit != missing)
        for rank in range(ranks)
        for missing in range(-1, suits)
    }
    runs = {
        sum(card_at((start + i) % ranks, suit) for i in range(length))
        for suit in range(suits)
        for start in range(ranks)
        for length in range(3, ranks + 1)
        if wrap or start + length <= ranks
    }
    return frozenset(runs | {cards for cards in sets if cards.bit_count() >= 3})


def _melds_of(hand: int, rules: Rules) -> list[int]:
    return [meld for meld in _all_melds(rules.wrap, rules.ranks, rules.suits) if not meld & ~hand]


def _arrangements(hand: int, rules: Rules, c: Masks) -> list[Arrangement]:
    found = _ways(hand, int(kernel.deadwood(hand, c)), _melds_of(hand, rules), c)
    ways = [Arrangement(tuple(sorted(melds, key=_place)), loose, int(kernel.points(loose, c))) for melds, loose in found]
    return sorted(ways, key=lambda way: (len(way.melds), [_place(meld) for meld in way.melds]))


def _ways(hand: int, left: int, melds: list[int], c: Masks) -> Iterator[tuple[tuple[int, ...], int]]:
    """``(melds, loose cards)`` of every way to arrange ``hand`` with deadwood ``left``, its least or less."""
    if kernel.deadwood(hand, c) != left:
        return
    if hand == 0:
        yield (), 0
        return
    card = hand & -hand
    for chosen, loose in _ways(hand ^ card, left - int(kernel.points(card, c)), melds, c):
        yield chosen, loose | card
    for meld in melds:
        if meld & card and not meld & ~hand:
            for chosen, loose in _ways(hand ^ meld, left, melds, c):
                yield (meld, *chosen), loose


def longest_melds(sets: int, runs: int, rules: Rules) -> tuple[int, ...]:
    """The melds that the cards ``sets`` and ``runs`` make, no run cut."""
    fitting = [meld for meld in _melds_of(sets, rules) if _is_set(meld)]
    fitting += [meld for meld in _melds_of(runs, rules) if not _is_set(meld)]
    longest = [meld for meld in fitting if not any(meld != other and not meld & ~other for other in fitting)]
    return tuple(sorted(longest, key=_place))


def _is_set(meld: int) -> bool:
    return meld.bit_length() - (meld & -meld).bit_length() >= LANE


def _place(meld: int) -> tuple[bool, int]:
    """Sets by rank, then runs by suit."""
    return (False, ((meld & -meld).bit_length() - 1) % LANE) if _is_set(meld) else (True, meld)


def _names(melds: Iterable[int]) -> str:
    return " · ".join(format_hand(in_order(meld)) for meld in melds)


def in_order(meld: int) -> list[int]:
    """Cards of a meld; a run that turns the corner starts above its gap (Q K A 2)."""
    cards = list(cards_of(meld))
    gaps = [i for i in range(1, len(cards)) if cards[i] != 2 * cards[i - 1]]
    start = gaps[0] if gaps and not _is_set(meld) else 0
    return cards[start:] + cards[:start]


# Reading what was passed


def _read_rules(rules: RulesLike) -> tuple[Rules, Masks]:
    read = PRESETS["classic25"].rules if rules is None else Rules.parse(rules)
    return read, _constants(read)


@lru_cache
def _constants(rules: Rules) -> Masks:
    return rules.array()


def _deck(rules: Rules) -> int:
    return int(_constants(rules)[D.FULL])


def _is_one(hands: Any) -> bool:
    return isinstance(hands, str) or (hasattr(hands, "__index__") and np.ndim(hands) == 0)


def read_cards(cards: Any, field: str, rules: Rules) -> int:
    """Mask of any number of cards, all of the deck in use."""
    mask = parse_hand(cards, field)
    if mask & ~_deck(rules):
        raise _not_in_deck(mask, field, rules)
    return mask


def _not_in_deck(mask: int, field: str, rules: Rules) -> InputError:
    deck = f"A to {RANKS[rules.ranks - 1]} of {' '.join(SUITS[: rules.suits])}"
    return InputError(f"{field}: {format_hand(mask & ~_deck(rules))} not in the deck of these rules, {deck}")


def _wrong_size(cards: int, field: str) -> InputError:
    return InputError(f"{field}: {_count(cards)}; a hand has 1 to {MOST_CARDS}")


def _count(number: int, what: str = "card") -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


def _read_hand(hand: Any, field: str, rules: Rules) -> int:
    mask = read_cards(hand, field, rules)
    if not 1 <= mask.bit_count() <= MOST_CARDS:
        raise _wrong_size(mask.bit_count(), field)
    return mask


def _read_masks(values: Any, field: str, rules: Rules) -> Masks:
    """Many masks as the kernels want them: int64, contiguous, writable (or they would compile once more)."""
    array = np.asarray(values) if hasattr(values, "__array__") else None
    if array is None or array.dtype.kind in "OUT":
        many = listed(field, values if array is None else array.tolist(), HANDS)
        return np.array([read_cards(cards, f"{field}[{i}]", rules) for i, cards in enumerate(many)], np.int64)
    if array.dtype.kind not in "iu":
        raise InputError(f"{field}: an array of {array.dtype} holds no masks; give integers (int64), or texts")
    if array.ndim != 1:
        raise InputError(f"{field}: an array of shape {array.shape}; one dimension is needed")
    masks = np.require(array, np.int64, ["C", "A", "W"])
    wrong = int(kernel.outside(masks, _deck(rules)))
    if wrong >= 0:
        read_cards(int(array[wrong]), f"{field}[{wrong}]", rules)
    return masks


def _read_hands(hands: Any, rules: Rules) -> Masks:
    masks = _read_masks(hands, "hands", rules)
    sizes = np.bitwise_count(masks)
    if masks.size and not (sizes.min() >= 1 and sizes.max() <= MOST_CARDS):
        wrong = int(np.argmax((sizes < 1) | (sizes > MOST_CARDS)))
        raise _wrong_size(int(sizes[wrong]), f"hands[{wrong}]")
    return masks


def _read_banned(hand: int, banned: Any, rules: Rules) -> int:
    mask = read_cards(banned, "banned", rules)
    if mask & ~hand:
        raise InputError(f"banned: {format_hand(mask & ~hand)} is not in the hand")
    if not hand & ~mask:
        raise InputError(f"banned: {format_hand(mask)} leaves no card of the hand to discard")
    return mask


def _read_bans(hands: Masks, banned: Any, rules: Rules) -> Masks:
    """Banned cards of each of many hands."""
    if _is_one(banned):
        bans = np.full(hands.size, read_cards(banned, "banned", rules), np.int64)
    else:
        bans = _read_masks(banned, "banned", rules)
        if bans.size == hands.size and (strange := bans & ~hands).any():
            wrong = int(np.argmax(strange != 0))
            raise InputError(f"banned[{wrong}]: {format_hand(int(strange[wrong]))} is not in the hand")
    if bans.size != hands.size:
        raise InputError(f"banned: {_count(bans.size, 'mask')} for {_count(hands.size, 'hand')}; give one for all or one each")
    stuck = (hands & ~bans) == 0
    if stuck.any():
        wrong = int(np.argmax(stuck))
        raise InputError(f"banned[{wrong}]: {format_hand(int(bans[wrong]))} leaves no card of the hand to discard")
    return bans


def _read_sides(knocker: Any, defender: Any, rules: Rules) -> tuple[int, int]:
    """The two hands of a showdown."""
    held, other = read_cards(knocker, "knocker", rules), read_cards(defender, "defender", rules)
    size, big_gin = rules.hand_size, rules.big_gin_bonus is not None
    also = f" (or {size + 1}, all melded, for big gin)" if big_gin else ""
    if held.bit_count() != size and not (big_gin and held.bit_count() == size + 1):
        raise InputError(f"knocker: {_count(held.bit_count())}; these rules ask for {size}, after the discard{also}")
    if other.bit_count() != size:
        raise InputError(f"defender: {_count(other.bit_count())}; these rules ask for {size}")
    if held & other:
        raise InputError(f"knocker and defender both hold {format_hand(held & other)}; each card exists once")
    return held, other


def _read_melds(melds: Any, rules: Rules, hand: int | None = None) -> tuple[int, ...]:
    """Melds, each card in one only, and all from ``hand`` if there is one."""
    if isinstance(melds, str):
        raise InputError(f"melds: {shown(melds)} is one text; give a list with a text or mask for each meld")
    table = listed("melds", melds.melds if isinstance(melds, Arrangement) else melds, HANDS)
    used, read = 0, []
    for i, cards in enumerate(table):
        meld = read_cards(cards, f"melds[{i}]", rules)
        if meld not in _all_melds(rules.wrap, rules.ranks, rules.suits):
            raise InputError(f"melds[{i}]: {format_hand(meld) or 'nothing'} is not a set or run under these rules")
        if meld & used:
            raise InputError(f"melds[{i}]: {format_hand(meld & used)} already in another meld")
        if hand is not None and meld & ~hand:
            raise InputError(f"melds[{i}]: {format_hand(meld & ~hand)} not in the knocker's hand")
        used |= meld
        read.append(meld)
    return tuple(sorted(read, key=_place))
