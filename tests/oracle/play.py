"""One hand of Gin Rummy, step by step as the rules tell it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from .cards import Card, Hand, pack_of
from .melds import NOTHING, Arrangement, best_defence, deadwood, permitted
from .scoring import hand_multiplier, knock_limit, knock_score

Outcome = tuple[str, int | None, int]
"""Ending, winner, points."""


@dataclass
class View:
    """All that a player may know at a decision."""

    rules: Any
    hand: Hand
    upcard: Card | None  # the top discard
    discards: tuple[Card, ...]  # the pile, top last
    opponent_known: Hand  # cards the opponent took from the pile and still holds
    opponent_refused: tuple[Card, ...]  # upcards the opponent left lying, in the order of refusal
    own_discards: tuple[Card, ...]
    opponent_discards: tuple[Card, ...]
    turn: int  # own turns completed
    stock_left: int
    limit: int
    starter: bool
    drawn: Card | None = None
    banned: Hand = NOTHING  # cards that may not be discarded now
    offer: bool = False
    wall: bool = False
    chosen: Card | None = None  # at the knock: the discard, no longer in hand, not yet on the pile
    deadwood: int | None = None  # at the knock: of the cards kept; for big gin (no card chosen) 0


class Player(Protocol):
    def draw(self, view: View) -> bool: ...

    def discard(self, view: View) -> Card: ...

    def knock(self, view: View) -> bool: ...


@dataclass
class Record:
    """What came of a hand; players and seats are the indices 0 and 1."""

    ending: str
    winner: int | None
    points: int
    turns: int  # full turns of both players
    starter: int
    upcards: tuple[int, int]  # cards taken from the pile, by player
    dealt: tuple[int, int]  # deadwood of the cards dealt, by player
    final: tuple[int, int]  # deadwood at the end, before lay-offs, by player
    log: list[tuple[int, str, Card | None]]
    knocker: int | None = None
    knocker_deadwood: int | None = None
    defender_before: int | None = None  # the defender's least deadwood without lay-offs
    defender_after: int | None = None
    laid_off: frozenset[int] = frozenset({0})  # points laid off in the best defences
    melds: Arrangement = frozenset()  # the knocker's
    possible: set[Outcome] = field(default_factory=set)  # over all arrangements the default rule permits


def no_reshuffle(cards: list[Card]) -> list[Card]:
    raise AssertionError("the stock is empty and no reshuffle was given")


def play_hand(
    deck: Sequence[Card],
    rules: Any,
    starter: int,
    players: Sequence[Player],
    reshuffle: Callable[[list[Card]], list[Card]] = no_reshuffle,
) -> Record:
    """Play one hand of the deck; `reshuffle` orders a new stock from the discards (given bottom first)."""
    return Table(deck, rules, starter, players, reshuffle).play()


class Table:
    def __init__(
        self,
        deck: Sequence[Card],
        rules: Any,
        starter: int,
        players: Sequence[Player],
        reshuffle: Callable[[list[Card]], list[Card]],
    ) -> None:
        self.rules, self.pack, self.starter, self.players = rules, pack_of(rules), starter, players
        self.reshuffle = reshuffle
        self.deck = list(deck)
        n, eleven = rules.hand_size, int(rules.eleven_card_start)
        first, rest = self.deck[: n + eleven], self.deck[n + eleven :]
        second, rest = rest[:n], rest[n:]
        self.hands: list[Hand] = [frozenset(), frozenset()]
        self.hands[starter], self.hands[1 - starter] = frozenset(first), frozenset(second)
        self.pile: list[Card] = [] if eleven else [rest.pop(0)]
        self.stock = rest
        upcard = self.pile[0] if self.pile else None
        self.limit, self.multiplier = knock_limit(upcard, rules), hand_multiplier(upcard, rules)
        self.dealt = deadwood(self.hands[0], self.pack), deadwood(self.hands[1], self.pack)
        self.turns, self.taken = [0, 0], [0, 0]
        self.known: list[Hand] = [NOTHING, NOTHING]  # of each player's cards, those the other knows
        self.refused: list[list[Card]] = [[], []]
        self.discarded: list[list[Card]] = [[], []]
        self.log: list[tuple[int, str, Card | None]] = []
        self.check()

    def check(self) -> None:
        """No card is lost or doubled."""
        everything = [*self.hands[0], *self.hands[1], *self.pile, *self.stock]
        assert sorted(everything) == sorted(self.deck), "cards lost or doubled"

    def view(self, p: int, **more: Any) -> View:
        return View(
            rules=self.rules,
            hand=self.hands[p],
            upcard=self.pile[-1] if self.pile else None,
            discards=tuple(self.pile),
            opponent_known=self.known[1 - p],
            opponent_refused=tuple(self.refused[1 - p]),
            own_discards=tuple(self.discarded[p]),
            opponent_discards=tuple(self.discarded[1 - p]),
            turn=self.turns[p],
            stock_left=len(self.stock),
            limit=self.limit,
            starter=p == self.starter,
            **more,
        )

    # The course of the hand

    def play(self) -> Record:
        player, record = self.opening()
        while record is None:
            took = self.wants_upcard(player)
            record = self.turn(player, "take" if took else "stock")
            player = 1 - player
        return record

    def opening(self) -> tuple[int, Record | None]:
        """Before the normal turns: the player of the next turn, and a record if the hand is over."""
        first, dealer = self.starter, 1 - self.starter
        if self.rules.eleven_card_start:
            return dealer, self.turn(first, "dealt")
        if not self.rules.upcard_offer:
            return first, None
        for p in (first, dealer):
            if self.wants_upcard(p, offer=True):
                return 1 - p, self.turn(p, "take")
        return dealer, self.turn(first, "stock")

    def wants_upcard(self, p: int, **more: bool) -> bool:
        wanted = bool(self.players[p].draw(self.view(p, **more)))
        if not wanted:
            self.refused[p].append(self.pile[-1])
            self.log.append((p, "refuse", self.pile[-1]))
        return wanted

    def turn(self, p: int, source: str) -> Record | None:
        """One full turn; a record if it ends the hand."""
        drawn = self.draw(p, source)
        banned = frozenset({drawn}) if drawn and source == "take" and self.rules.redraw_ban else NOTHING
        if self.big_gin(p, drawn=drawn, banned=banned):
            return self.showdown(p, big=True)
        chosen = self.choose(p, drawn=drawn, banned=banned)
        kept = self.hands[p] - {chosen}
        left = deadwood(kept, self.pack)
        view = self.view(p, drawn=drawn, banned=banned, chosen=chosen, deadwood=left)
        knocks = self.in_time(p) and left <= self.limit and self.players[p].knock(replace(view, hand=kept))
        self.throw(p, chosen)
        return self.showdown(p) if knocks else self.end_of_turn(p)

    def draw(self, p: int, source: str) -> Card | None:
        if source == "dealt":
            return None
        if source == "take":
            drawn = self.pile.pop()
            self.known[p] |= {drawn}
            self.taken[p] += 1
        else:
            drawn = self.stock.pop(0)
        self.hands[p] |= {drawn}
        self.log.append((p, source, drawn))
        self.check()
        return drawn

    def choose(self, p: int, banned: Hand, **more: Any) -> Card:
        chosen = self.players[p].discard(self.view(p, banned=banned, **more))
        assert chosen in self.hands[p] - banned, f"illegal discard {chosen}"
        return chosen

    def throw(self, p: int, chosen: Card) -> None:
        """Discard; that completes the turn."""
        self.hands[p] -= {chosen}
        self.known[p] -= {chosen}
        self.pile.append(chosen)
        self.discarded[p].append(chosen)
        self.log.append((p, "discard", chosen))
        self.turns[p] += 1
        self.check()

    def in_time(self, p: int) -> bool:
        full = self.turns[p]
        if self.rules.eleven_card_start and p == self.starter:
            full -= 1  # without a draw it was no full turn; below 0 it is the one going on
        return bool(full >= self.rules.min_turns_before_knock)

    def big_gin(self, p: int, **more: Any) -> bool:
        """Whether the player ends the hand with all cards melded and none discarded."""
        legal = self.rules.big_gin_bonus is not None and self.in_time(p)
        if not legal or deadwood(self.hands[p], self.pack) > 0:
            return False
        if not self.players[p].knock(self.view(p, deadwood=0, **more)):
            return False
        self.log.append((p, "big gin", None))
        self.turns[p] += 1
        return True

    def end_of_turn(self, p: int) -> Record | None:
        stock_end = self.rules.stock_end
        was_last = sum(self.turns) >= self.rules.max_turns
        if stock_end == "dead_at_2" and len(self.stock) <= 2:
            return self.nobody("dead")
        if stock_end == "dead_at_0" and not self.stock:
            return self.nobody("dead")
        if stock_end == "last_discard" and len(self.stock) <= 2:
            return self.nobody("dead") if was_last else self.facing_the_wall(1 - p)
        if was_last:
            return self.nobody("stalled")
        if stock_end == "reshuffle" and not self.stock:
            *old, top = self.pile
            self.stock, self.pile = self.reshuffle(old), [top]
            self.check()
        return None

    def facing_the_wall(self, p: int) -> Record:
        """The last discard may be taken only to knock with it."""
        last = self.pile[-1]
        with_it = self.hands[p] | {last}
        banned = frozenset({last}) if self.rules.redraw_ban else NOTHING
        banned |= {c for c in with_it if deadwood(with_it - {c}, self.pack) > self.limit}
        stuck = banned == with_it  # no discard leaves a knock
        all_melded = self.rules.big_gin_bonus is not None and deadwood(with_it, self.pack) == 0
        if not self.in_time(p) or (stuck and not all_melded) or not self.wants_upcard(p, wall=True):
            return self.nobody("dead")
        drawn = self.draw(p, "take")
        if stuck:  # it was taken for big gin; there is nothing to ask
            self.log.append((p, "big gin", None))
            self.turns[p] += 1
            return self.showdown(p, big=True)
        if self.big_gin(p, drawn=drawn, banned=banned, wall=True):
            return self.showdown(p, big=True)
        self.throw(p, self.choose(p, drawn=drawn, banned=banned, wall=True))
        return self.showdown(p)

    # The end of the hand

    def record(self, outcome: Outcome, **more: Any) -> Record:
        return Record(
            *outcome,
            turns=sum(self.turns),
            starter=self.starter,
            upcards=(self.taken[0], self.taken[1]),
            dealt=self.dealt,
            final=(deadwood(self.hands[0], self.pack), deadwood(self.hands[1], self.pack)),
            log=self.log,
            **more,
        )

    def nobody(self, ending: str) -> Record:
        outcome = (ending, None, 0)
        return self.record(outcome, possible={outcome})

    def showdown(self, p: int, big: bool = False) -> Record:
        """Lay out the first of the arrangements permitted; `possible` holds what any of them would bring."""
        knocker, defender, pack = self.hands[p], self.hands[1 - p], self.pack
        left = deadwood(knocker, pack)
        gin = "big_gin" if big else "gin" if left == 0 else ""
        layoff = "none" if gin and not self.rules.layoff_on_gin else self.rules.layoff
        if not big:
            self.log.append((p, "knock", None))
        choices = permitted(knocker, frozenset(self.deck) - knocker - set(self.pile), pack)
        defences = [best_defence(defender, melds, layoff, pack) for melds in choices]
        outcomes = [self.outcome(p, left, d.deadwood, gin) for d in defences]
        return self.record(
            outcomes[0],
            knocker=p,
            knocker_deadwood=left,
            defender_before=deadwood(defender, pack),
            defender_after=defences[0].deadwood,
            laid_off=defences[0].laid_off,
            melds=choices[0],
            possible=set(outcomes),
        )

    def outcome(self, p: int, left: int, after: int, gin: str) -> Outcome:
        ending, by_knocker, won = knock_score(left, after, self.rules, self.multiplier, gin)
        return ending, None if by_knocker is None else p if by_knocker else 1 - p, won
