"""Twin of how the rollout player draws the hidden cards: the opponent's hand followed back, cards drawn by their odds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import Card, Hand, ordered, pack_of
from .melds import best_discards, deadwood, melds_with
from .rng import Stream

Guess = Callable[[int, Sequence[Card]], Card]
"""Which of the cards was drawn from the stock on that turn."""


class Words(Stream):
    """A stream from a state on, with fractions too."""

    def __init__(self, state: int) -> None:
        self.state = state

    def fraction(self) -> float:
        return (self.word() >> 11) / 2**53

    def guess(self, _: int, options: Sequence[Card]) -> Card:
        return options[int(self.fraction() * len(options))]


@dataclass(frozen=True)
class Story:
    """What a player saw of the opponent's turns."""

    rules: Any
    limit: int
    moves: Sequence[tuple[Card | None, Card]]
    """The opponent's turns: the card taken from the pile (None: from the stock), the card discarded."""
    own_discards: Sequence[Card]
    own_first: bool
    """Whether the player had the first turn of the hand."""

    def lying(self, k: int) -> Card | None:
        """The player's discard that lay on the pile on the opponent's turn ``k`` (0 is the first)."""
        made = k + 1 if self.own_first else k
        return self.own_discards[made - 1] if made else None

    def full_turns(self, k: int) -> int:
        """The opponent's full turns before turn ``k``; below 0 if it is a first one that only discards."""
        return k - 1 if self.rules.eleven_card_start and not self.own_first else k

    def from_pile(self, k: int) -> set[Card]:
        """Cards that the opponent was known to hold when turn ``k`` began."""
        known: set[Card] = set()
        for took, thrown in self.moves[:k]:
            if took:
                known.add(took)
            known.discard(thrown)
        return known


@dataclass(frozen=True)
class Turn:
    """A turn of the opponent as it must have been."""

    number: int
    kept: Hand
    full: Hand
    before: Hand


def turns_back(story: Story, hand: Hand, guess: Guess) -> Iterator[Turn]:
    """The opponent's turns from the last to the first, if this is the hand; lazily, so that a guess is made only if needed."""
    kept = hand
    for k in reversed(range(len(story.moves))):
        took, thrown = story.moves[k]
        full = kept | {thrown}
        drawn = took
        yield Turn(k, kept, full, full)  # the draw is not known yet
        options = ordered(full - story.from_pile(k))
        if took is None and options:
            drawn = guess(k, options)
        yield Turn(k, kept, full, full - {drawn})
        kept = full - {drawn}


def fit(story: Story, hand: Hand, guess: Guess, astray: float, waits: float, least: float = 0.0) -> float:
    """A factor for every turn on which the opponent could have knocked, every discard not among the best, every card taken
    without a meld and every card refused that made one; the rest is left out once it falls below ``least``.
    """
    pack, rules, result = pack_of(story.rules), story.rules, 1.0
    both = turns_back(story, hand, guess)
    for half in both:
        took, thrown = story.moves[half.number]
        if story.full_turns(half.number) >= rules.min_turns_before_knock and deadwood(half.kept, pack) <= story.limit:
            result *= waits
        banned = frozenset({took}) if took and rules.redraw_ban else frozenset[Card]()
        if thrown not in best_discards(half.full, banned, pack)[1]:
            result *= astray
        if result < least:
            break
        turn, offered = next(both), story.lying(half.number)
        melds = took or offered
        if melds and bool(melds_with(turn.before, melds, pack)) != bool(took):
            result *= astray
    return result


WHOLE = 2**32

Deck = list[tuple[Card, float]]
"""Cards that the opponent may hold, with their odds."""


def cells(deck: Deck) -> list[tuple[int, int]] | None:
    """For each card of how many of 2**32 words it comes, and which comes else; None if one has a quarter of the odds.

    A card with less than an even share leaves the rest of its cell to the first card that still has more than one.
    """
    total = 0.0
    for _, odds in deck:
        total += odds
    if any(4 * odds >= total for _, odds in deck):
        return None
    share = [int(odds / total * len(deck) * WHOLE) for _, odds in deck]
    other = list(range(len(deck)))
    while True:
        less = [i for i, part in enumerate(share) if part < WHOLE and other[i] == i]
        more = [i for i, part in enumerate(share) if part > WHOLE]
        if not less or not more:
            return list(zip(share, other, strict=True))
        other[less[0]] = more[0]
        share[more[0]] -= WHOLE - share[less[0]]


def one_hand(deck: Deck, number: int, stream: Words) -> Hand:
    """Cards drawn one by one, each with a chance in proportion to its odds: by cells, a card that was drawn before again."""
    table, drawn = cells(deck), set[Card]()
    if table is None:
        return _from_the_deck(deck, number, stream)
    while len(drawn) < number:
        word = stream.word()
        cell, fraction = divmod((word >> 32) * len(deck), WHOLE)
        if fraction >= WHOLE % len(deck):
            share, other = table[cell]
            drawn.add(deck[cell if word % WHOLE < share else other][0])
    return frozenset(drawn)


def _from_the_deck(deck: Deck, number: int, stream: Words) -> Hand:
    """Cards drawn change places with the last of the deck."""
    drawn, total = set[Card](), 0.0
    for _, odds in deck:
        total += odds
    for last in range(len(deck) - 1, len(deck) - 1 - number, -1):
        mark, at = stream.fraction() * total, 0
        while at < last and mark >= deck[at][1]:
            mark -= deck[at][1]
            at += 1
        total -= deck[at][1]
        drawn.add(deck[at][0])
        deck[at], deck[last] = deck[last], deck[at]
    return frozenset(drawn)


def deck_of(chances: dict[Card, float]) -> Deck:
    return [(card, max(chances[card], 1e-6) / max(1 - chances[card], 1e-3)) for card in ordered(chances)]


def sample(
    story: Story, held: Hand, chances: dict[Card, float], astray: float, waits: float, stream: Words, tries: int,
    enough: float, floor: float,
) -> tuple[Hand, list[Card]]:
    """The opponent's hand and the stock in order: one of many hands, chosen by its share of what their fits come to."""
    deck = deck_of(chances)
    hand, total = frozenset[Card](), 0.0
    for _ in range(tries):
        found = held | one_hand(deck, story.rules.hand_size - len(held), stream)
        fits = fit(story, found, stream.guess, astray, waits, floor)
        total += fits
        if stream.fraction() * total <= fits:
            hand = found
        if total >= enough:
            break
    return hand, stream.shuffled(ordered(frozenset(chances) - hand))


def likely_hands(
    story: Story, held: Hand, deck: Deck, astray: float, waits: float, stream: Words, drawn: int, wanted: int, floor: float,
    least: float,
) -> list[Hand]:
    """Of ``drawn`` hands as many as wanted, at equal steps along their fits laid end to end."""
    hands, ends, total = list[Hand](), list[float](), 0.0
    for _ in range(drawn):
        hands.append(held | one_hand(deck, story.rules.hand_size - len(held), stream))
        total += max(fit(story, hands[-1], stream.guess, astray, waits, floor), least)
        ends.append(total)
    mark = stream.fraction()
    steps = [(i + mark) * (total / wanted) for i in range(wanted)]
    return [next((hand for hand, end in zip(hands, ends, strict=True) if end > step), hands[-1]) for step in steps]
