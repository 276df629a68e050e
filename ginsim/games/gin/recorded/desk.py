"""The engine's table as a recorded hand is walked through: where cards are, what is wrong, and what was decided."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ginsim import layout as D
from ginsim.cards import cards_of, format_hand
from ginsim.errors import InputError
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import DECK, deal, new_table
from ginsim.games.gin.recorded.decisions import Decision, Fault
from ginsim.games.gin.recorded.hand import RecordedHand
from ginsim.games.gin.recorded.knowledge import known

__all__ = ["Desk", "StopError"]


class StopError(Exception):
    """What cannot be ends a lenient walk."""


class Desk:
    """The table while a hand is walked through."""

    def __init__(self, hand: RecordedHand, lenient: bool) -> None:
        self.hand, self.rules, self.lenient = hand, hand.rules, lenient
        self.at, self.decisions, self.faults = 0, list[Decision](), list[Fault]()
        self.known = known(hand)
        self.t = new_table(hand.rules.array(), (-1,) * 6)
        self.to_move, self.refusals, self.over, self.checked = hand.starter, 0, "", False

    def mark(self, text: str, place: str) -> str:
        """A rule is broken: what a lenient walk notes; nothing if the text is empty."""
        if text:
            fault = Fault(self.at, place or f"turn {self.at + 1}", text)
            if not self.lenient:
                raise InputError(str(fault))
            self.faults.append(fault)
        return text

    def stop(self, text: str, place: str) -> NoReturn:
        """Something cannot be."""
        self.mark(text, place)
        raise StopError

    def place(self, part: str) -> str:
        """Where a part of the record beside the turns was written."""
        return self.hand.places.get(part.lower()) or self.hand.places.get("hand", part)

    def in_deck(self, cards: int, place: str) -> None:
        if strange := cards & ~int(self.t[0, D.FULL]):
            self.stop(f"{format_hand(strange)} is not in the deck of {self.rules}", place)

    def apart(self, card: int, places: Mapping[str, int], what: str, place: str) -> None:
        """Cards are in none of these places."""
        for where, cards in places.items():
            if card & cards:
                self.stop(f"{what.format(format_hand(card & cards))}: it is in {where}", place)

    # The deal

    def deal(self) -> None:
        hand, size, eleven, seen = self.hand, self.rules.hand_size, self.rules.eleven_card_start, 0
        for name, cards in zip(("hand A", "hand B", "upcard"), (*hand.dealt, hand.upcard), strict=True):
            self.in_deck(cards or 0, self.place(name))
            self.apart(cards or 0, {"another place of the deal": seen}, "{} cannot be dealt twice", self.place(name))
            seen |= cards or 0
        for p, cards in enumerate(hand.dealt):
            wanted = size + (eleven and p == hand.starter)
            if cards is not None and cards.bit_count() != wanted:
                self.stop(f"{cards.bit_count()} cards are given; {self.rules} deals {wanted}", self.place(f"hand {'AB'[p]}"))
        if (hand.upcard.bit_count() == 1) == eleven:
            what = "has no upcard; leave it out" if eleven else "begins with an upcard; say which, such as upcard: 6H"
            self.stop(f"{self.rules} {what}", self.place("upcard"))
        if max(hand.score) >= self.rules.target:
            a, b = hand.score
            self.mark(f"at {a} to {b} the game is over; both are below {self.rules.target}", self.place("score"))
        self.sit_down()

    def sit_down(self) -> None:
        """Lay the deck so that the known cards are dealt, and show the score."""
        hand, t, size = self.hand, self.t, self.rules.hand_size
        for start, player in ((0, hand.starter), (size + self.rules.eleven_card_start, 1 - hand.starter)):
            cards = list(cards_of(self.known.hands[0][player] or 0))
            t[DECK, start : start + len(cards)] = cards
        if hand.upcard:
            t[DECK, 2 * size] = hand.upcard
        deal(t, 0, 0, hand.starter)
        for p in (0, 1):
            t[p, [V.OWN_SCORE, V.OPP_SCORE]] = hand.score[p], hand.score[1 - p]
            t[p, [V.OWN_BOXES, V.OPP_BOXES]] = hand.boxes[p], hand.boxes[1 - p]
            t[p, V.RANDOM] = 0

    def show_hands(self, place: str) -> None:
        """The known hands lie where they are held, and nowhere else."""
        hands, pile = [self.held(p) for p in (0, 1)], int(self.t[0, V.PILE])
        self.apart(hands[0] or 0, {"B's hand": hands[1] or 0, "the pile": pile}, "A cannot hold {} in this turn", place)
        self.apart(hands[1] or 0, {"the pile": pile}, "B cannot hold {} in this turn", place)
        for p, cards in enumerate(hands):
            if cards is not None:
                self.t[p, V.HAND] = cards

    def held(self, player: int) -> int | None:
        """A player's hand before this turn (behind the last one: at the end), if it is known."""
        return self.known.hands[self.at][player]

    def decide(self, kind: str, action: str, card: int, fault: str = "", seen: bool = True) -> None:
        """Note a decision, if the player's cards are known (``seen``)."""
        if seen and self.held(self.to_move) is not None:
            view = self.t[self.to_move].copy()
            cards = (card,) if card else ()
            self.decisions.append(Decision(self.at, self.to_move, kind, action, cards, view, self.rules, fault))
