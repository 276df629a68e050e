"""Twin of the greedy player of the table game: it plays all it can and discards the dearest card left."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from .cards import Card, Hand, Pack, bit, ordered, pack_of, point, points
from .melds import NOTHING, Meld, is_meld, melds_in
from .table import Drawn, Finish, LayOff, Melds, NewMeld, Play, View, is_end, play, plays

OUT = -1
"""What a turn or a claim that leaves no card is worth, in points left."""


def is_run(meld: Meld) -> bool:
    return len({suit for _, suit in meld}) == 1


def in_sets(held: Hand) -> Hand:
    return frozenset(c for c in held if sum(c[0] == other[0] for other in held) >= 3)


def in_runs(held: Hand, pack: Pack) -> Hand:
    return NOTHING.union(*filter(is_run, melds_in(held, pack)))


def longest_run(card: Card, held: Hand, pack: Pack) -> Meld:
    return max((m for m in melds_in(held, pack) if is_run(m) and card in m), key=len, default=NOTHING)


def added(meld: Meld, cards: Hand, pack: Pack) -> Hand:
    """Those of the cards that can be laid on the meld, chained as far as it goes."""
    new: set[Card] = set()
    while more := {c for c in cards - meld - new if is_meld(meld | new | {c}, pack)}:
        new.add(min(more))
    return frozenset(new)


class Arranged(NamedTuple):
    what: tuple[Hand, ...]  # as in the log
    left: Hand


def arrange(held: Hand, kept_out: Hand, melds: Melds, pack: Pack) -> Arranged:
    """New sets without the cards kept out, lay-offs on runs, new runs, lay-offs on sets: all there are, in this order."""
    what, new, rest = [NOTHING] * len(melds), list[Meld](), held
    sets = in_sets(held - kept_out)
    for card in ordered(sets):
        if card in rest:
            new.append(frozenset(c for c in sets if c[0] == card[0]))
            rest -= new[-1]
    for runs in (True, False):
        for i, meld in enumerate(melds):
            if is_run(meld) == runs:
                what[i] = added(meld, rest, pack)
                rest -= what[i]
        if runs:
            for card in ordered(in_runs(rest, pack)):
                if card in rest:
                    new.append(longest_run(card, rest, pack))
                    rest -= new[-1]
    return Arranged((*what, *new), rest)


def on_table(held: Hand, melds: Melds, pack: Pack) -> Hand:
    """Cards that can be laid off, chained as far as it goes."""
    return NOTHING.union(*(added(meld, held, pack) for meld in melds))


def ways(held: Hand, melds: Melds, pack: Pack) -> Iterator[Arranged]:
    """One arrangement for each choice of cards kept out of the sets.

    Only cards that fit elsewhere too are kept out: all of them first, none last, as if they counted down in binary.
    """
    sets = in_sets(held)
    contested = ordered(sets & (in_runs(held, pack) | on_table(held, melds, pack))) if sets else []
    for number in range(2 ** len(contested) - 1, -1, -1):
        yield arrange(held, frozenset(c for i, c in enumerate(contested) if number >> i & 1), melds, pack)


def cheapest(held: Hand, melds: Melds, pack: Pack) -> int:
    """Points left if all that can be played is."""
    return min(points(way.left, pack) for way in ways(held, melds, pack))


class Choice(NamedTuple):
    value: int  # points left
    way: Arranged
    discard: Card | None


def dearest(cards: Hand, pack: Pack) -> Card | None:
    return max(cards, key=lambda c: (point(c, pack), bit(c)), default=None)


def turns(drawn: Drawn, must: Card | None, held_back: Hand) -> Iterator[Choice]:
    """Legal ends in which all that can be played is, but for the cards held back."""
    pack = pack_of(drawn.rules)
    for way in ways(drawn.hand - held_back, drawn.melds, pack):
        left = way.left | held_back
        discard = dearest(left - drawn.banned, pack)
        if must not in left and is_end(drawn, left, discard):
            kept = left - {discard}
            yield Choice(points(kept, pack) if kept else OUT, way, discard)


def best_turn(drawn: Drawn, must: Card | None) -> Choice | None:
    """The first of the turns that leave the fewest points; if no turn is legal with all played, one or two are held back."""
    choices = list(turns(drawn, must, NOTHING))
    others = ordered(drawn.hand - {must})
    if not choices:
        choices = [choice for c in others for choice in turns(drawn, must, frozenset({c}))]
    for i, c in enumerate(others):
        if not choices:
            choices = [choice for d in others[i + 1 :] for choice in turns(drawn, must, frozenset({c, d}))]
    return min(choices, key=lambda choice: choice.value, default=None)


def new_melds(card: Card, held: Hand, pack: Pack) -> Iterator[Meld]:
    """What is tried as a claim: all cards of the rank, three of them, the longest run, runs of three."""
    alike = [c for c in ordered(held) if c[0] == card[0]]
    if len(alike) >= 2:
        yield frozenset({card, *alike})
    if len(alike) == 3:
        yield from (frozenset({card, *pair}) for pair in reversed(list(combinations(alike, 2))))
    run = longest_run(card, held | {card}, pack)
    if run:
        yield run
    threes = [m for m in melds_in(run, pack) if len(m) == 3 and card in m and m != run]
    # Those that the card ends come first, by the other end; the one that it is the middle of is last.
    yield from sorted(threes, key=lambda m: (is_middle(card, m), bit(far_end(card, m))))


def is_middle(card: Card, run: Meld) -> bool:
    return all((c[0] - card[0]) % 13 in (0, 1, 12) for c in run)


def far_end(card: Card, run: Meld) -> Card:
    return next((c for c in run if (c[0] - card[0]) % 13 in (2, 11)), card)


class Greedy:
    def draw(self, view: View, depths: list[int]) -> int:
        """As many cards as leave the fewest points, if fewer than the hand now, the deepest one played."""
        pack = pack_of(view.rules)
        best, depth = cheapest(view.hand, view.melds, pack), 0
        for k in range(1, min(view.rules.max_pile_draw, len(view.pile)) + 1):
            taken = view.pile[-k:]
            held = view.hand | set(taken)
            if taken[0] in NOTHING.union(*melds_in(held, pack)) | on_table(held, view.melds, pack):
                choice = best_turn(Drawn(view.rules, held, view.melds, view.pile[:-k], taken), taken[0])
                if choice and choice.value < best:
                    best, depth = choice.value, k
        return depth if depth in depths else depths[0]

    def finish(self, view: View, drawn: Drawn) -> Finish:
        choice = best_turn(drawn, drawn.obligation)
        assert choice, "no turn is found"
        return Finish(plays(choice.way.what, drawn.melds, pack_of(view.rules)), choice.discard)

    def claim(self, view: View, discard: Card, ways: list[Play]) -> Play | None:
        """The one that leaves the fewest points, if fewer than now."""
        pack = pack_of(view.rules)
        best, chosen = cheapest(view.hand, view.melds, pack), None
        tried: list[Play] = [NewMeld(m) for m in new_melds(discard, view.hand, pack)]
        tried += [way for way in ways if isinstance(way, LayOff)]
        for way in filter(ways.__contains__, tried):
            held, melds = play(view.hand | {discard}, view.melds, way, view.rules)
            value = cheapest(held, melds, pack) if held else OUT
            if value < best:
                best, chosen = value, way
        return chosen
