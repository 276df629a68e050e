"""A recorded hand walked through the rules: every decision as its player saw it, every move checked, the outcome worked out.

The engine's own table keeps the books (``ginsim.games.gin.hand``): what players see here is what strategies see in a hand that is
played. Only the cards come from the record, and some of them may not be known.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.cards import format_card, format_hand
from ginsim.errors import InputError, shown
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    DECK,
    ENDED,
    RECORD,
    between_turns,
    discard_card,
    draw_card,
    only_to_knock,
    take_upcard,
)
from ginsim.games.gin.recorded import legality
from ginsim.games.gin.recorded.decisions import DISCARD, DRAW, KNOCK, LAY_OFF, MELDS, UPCARD, Decision, Walk
from ginsim.games.gin.recorded.desk import Desk, StopError
from ginsim.games.gin.recorded.hand import BIG_GIN, UNFINISHED, RecordedHand, Turn
from ginsim.games.gin.recorded.showdown import Outcome, Table, lay_out
from ginsim.games.kernel import interpreted
from ginsim.melds import deadwood

__all__ = ["walk"]

LAST_DISCARD, WALL = "last_discard", 2


def walk(hand: RecordedHand, lenient: bool = False) -> Walk:
    r"""Walk a recorded hand through the rules.

    Parameters
    ----------
    hand : RecordedHand
    lenient : bool
        Mark moves that the rules do not allow, and go on; what cannot be at all (a card in two places, a turn of the wrong
        player) is marked, and ends the walk.

    Raises
    ------
    InputError
        For the first move that is not allowed, saying where it is and what was allowed.

    Examples
    --------
    >>> from ginsim.games.gin.recorded.notation import parse_hands
    >>> text = "hand A: 4S 4H 4D 9C 10C JC KD 2S 8D AH\nupcard: 6H\nA takes, discards KD\nB draws, discards 3C\nA draws 5S, "
    >>> hands = parse_hands(text + "discards 8D, knocks")
    >>> walk(hands[0])
    Traceback (most recent call last):
    ginsim.errors.InputError: line 5, column 26: A may not knock with 14: the most is 10; A may go on
    >>> [(decision.kind, decision.action) for decision in walk(hands[0], lenient=True).decisions[:3]]
    [('upcard', 'take'), ('discard', 'discard'), ('draw', 'draw')]
    """
    if not isinstance(hand, RecordedHand):
        raise InputError(f"hand: {shown(hand)} is not a recorded hand; read one with ginsim.read_hands")
    walker = _Walker(hand, lenient)
    outcome = walker.outcome()
    return Walk(hand, tuple(walker.decisions), walker.known, outcome, tuple(walker.faults))


class _Walker(Desk):
    """Turns, and the end."""

    def outcome(self) -> Outcome | None:
        """How the hand ends, having walked through it."""
        try:
            self.deal()
            for turn in self.hand.turns:
                self.turn(turn)
                self.at += 1
            return self.end()
        except StopError:
            return None

    # Turns

    def turn(self, turn: Turn) -> None:
        player, me = turn.player, self.t[turn.player]
        if self.over:
            self.after_the_end(turn)
            return
        if player != self.to_move:
            self.stop(f"{'AB'[player]} is not on turn, {'AB'[1 - player]} is", turn.place())
        self.show_hands(turn.place())
        first = not self.t[:2, V.TURN].any()
        me[V.OFFER] = self.rules.upcard_offer and first and self.refusals < 2
        must_draw = self.rules.upcard_offer and first and self.refusals == 2
        fault = self.mark(legality.beginning(turn, me, must_draw, self.rules.eleven_card_start and first), turn.place())
        if turn.action != "discard" and not must_draw:
            top = int(me[V.UPCARD]) if turn.action == "take" else 0
            self.decide(UPCARD if me[V.OFFER] else DRAW, turn.action, top, fault)
        if turn.action == "pass":
            self.refuse(player)
            return
        me[V.OFFER] = 0
        self.draw(turn)
        self.go_on(turn)

    def after_the_end(self, turn: Turn) -> None:
        """Nothing but a word that nobody takes the last discard."""
        said = turn.action == "pass" and turn.player == self.to_move and self.rules.stock_end == LAST_DISCARD
        if not (said and self.over == "dead" and self.at == len(self.hand.turns) - 1):
            why = "the stock has run out" if self.over == "dead" else f"{self.t[RECORD, H.TURNS]} turns have been played"
            self.stop(f"the hand is over: {why}", turn.place())

    def refuse(self, player: int) -> None:
        """The first upcard goes to the other player, or must be left; the last discard ends the hand."""
        me = self.t[player]
        if me[V.OFFER]:
            me[V.OFFER] = 0
            self.refusals += 1
            self.t[1 - player, V.OPP_PASSED] |= me[V.UPCARD]
            self.to_move = 1 - player
        elif me[V.WALL]:
            self.over = "dead"
        else:  # a turn cannot be passed
            raise StopError

    def draw(self, turn: Turn) -> None:
        """The card taken or drawn, if the turn begins with one."""
        me, name, card, place = self.t[turn.player], "AB"[turn.player], self.known.drawn[self.at], turn.place("drawn")
        if turn.action == "take":
            top = int(me[V.UPCARD])
            if not top or card not in (0, top):
                lies = f"{format_card(top)} lies on top of the pile" if top else "there is no upcard"
                self.stop(f"{name} cannot take {format_hand(card)}: {lies}", place)
            take_upcard(self.t, turn.player)
            if me[V.WALL] and self.held(turn.player) is not None:
                only_to_knock(me)
        elif turn.action == "draw":
            self.in_deck(card, place)
            hands = {f"{'AB'[p]}'s hand": (self.held(p) or 0) | int(self.t[1 - p, V.OPP_HELD]) for p in (0, 1)}
            self.apart(card, hands | {"the pile": int(me[V.PILE])}, f"{name} cannot draw {{}} from the stock", place)
            if me[V.STOCK] <= 0:
                self.stop("the stock is empty", place)
            me[V.WALL] = 0
            self.t[DECK, me[D.RANKS] * me[D.SUITS] - me[V.STOCK]] = card
            draw_card(self.t, turn.player)
        elif not self.rules.eleven_card_start or self.t[:2, V.TURN].any():  # a discard without a draw
            raise StopError

    def go_on(self, turn: Turn) -> None:
        """What follows the draw."""
        player, card, me = turn.player, self.known.discards[self.at], self.t[turn.player]
        whole = self.held(player) is not None and bool(me[V.DRAWN] or turn.action == "discard")
        if turn.ending == BIG_GIN:
            left = int(deadwood(me[V.HAND], me)) if whole else -1
            self.checked = whole
            fault = self.mark(legality.big_gin(turn, left, me, self.rules), turn.place("ending"))
            self.ask_big_gin(BIG_GIN, 0, whole, fault)
            self.decide(DISCARD, BIG_GIN, 0, fault, whole)
            return
        if not card and not turn.ending:
            if self.at < len(self.hand.turns) - 1:
                self.stop(f"{'AB'[player]}'s turn has no discard", turn.place())
            return  # the record ends with the question what to discard
        self.discard(turn, card, whole)
        self.to_move = 1 - player
        if not turn.ending:
            self.between(self.to_move)

    def discard(self, turn: Turn, card: int, whole: bool) -> None:
        """The discard, with the knock if there is one."""
        player, me, place = turn.player, self.t[turn.player], turn.place("discard")
        name, other = "AB"[player], "AB"[1 - player]
        self.in_deck(card, place)
        elsewhere = {"the pile": int(me[V.PILE]), f"{other}'s hand": (self.held(1 - player) or 0) | int(me[V.OPP_HELD])}
        self.apart(card, elsewhere, f"{name} cannot discard {{}}", place)
        if whole and card & ~int(me[V.HAND]):
            self.stop(f"{name} does not hold {format_card(card)}, but {format_hand(int(me[V.HAND]))}", place)
        fault = self.mark(legality.thrown(turn, card, me, self.rules), place)
        fault = fault or (self.mark(legality.wall(turn), turn.place()) if me[V.WALL] else "")
        action = "knock" if turn.ending else "discard"
        self.ask_big_gin("discard", card, whole and card > 0)
        left = int(deadwood(me[V.HAND] ^ card, me)) if whole and card else -1
        self.checked = left >= 0
        fault = fault or (self.mark(legality.knock(turn, left, me, self.rules), turn.place("ending")) if turn.ending else "")
        self.decide(DISCARD, action, card, fault, left >= 0)
        if not me[V.WALL] and (turn.ending or (left <= me[R.LIMIT] and not legality.early(me, self.rules))):
            self.ask_knock(action, card, left, fault)
        me[V.HAND] |= card
        discard_card(self.t, player, card)

    def ask_big_gin(self, action: str, card: int, whole: bool, fault: str = "") -> None:
        """The decision whether to lay down big gin, where the engine asks for it."""
        me = self.t[self.to_move]
        possible = me[R.BIG_GIN_BONUS] >= 0 and not legality.early(me, self.rules) and me[V.BANNED] != me[V.HAND]
        if whole and possible and deadwood(me[V.HAND], me) == 0:
            me[V.DEADWOOD] = 0
            self.decide(KNOCK, action, card, fault)

    def ask_knock(self, action: str, card: int, left: int, fault: str) -> None:
        """The decision whether to knock, with the hand as it is shown then."""
        me = self.t[self.to_move]
        before = int(me[V.HAND])
        me[V.HAND], me[V.CHOSEN], me[V.DEADWOOD] = before & ~card, card, left
        self.decide(KNOCK, action, card, fault, left >= 0)
        me[V.HAND], me[V.CHOSEN] = before, 0

    def between(self, player: int) -> None:
        """What may end the hand before the next turn, a ``player``'s, or refill the stock."""
        me, held = self.t[player], self.known.hands[self.at + 1][player]
        last = self.t[RECORD, H.TURNS] >= self.rules.max_turns
        if self.rules.stock_end == LAST_DISCARD and me[V.STOCK] <= WALL and held is None and not last:
            me[V.WALL] = 1  # whether a knock is possible cannot be known
            return
        me[V.HAND] = me[V.HAND] if held is None else held
        status, _ = _between()(self.t, player, np.uint64(0))
        if status == ENDED:
            self.over = H.ENDINGS[int(self.t[RECORD, H.ENDING])]

    # The end

    def end(self) -> Outcome | None:
        """The outcome, which is what the record says."""
        said, place, wall = self.hand.result, self.place("result"), self.t[self.to_move, V.WALL]
        hands = [self.at_the_end(p) for p in (0, 1)]
        if self.hand.knocker >= 0:
            return self.compared(self.laid_out(hands), place)
        if said is None:
            return Outcome(self.over) if self.over else None
        if wall and not self.over and said.ending == "dead":
            self.decide(DRAW, "pass", 0)
            self.over = "dead"
        if said.winner >= 0:
            self.mark(f"{'AB'[said.winner]} cannot have won {said.points}, for nobody knocked", place)
        elif said.ending not in (self.over, UNFINISHED):
            how = f"it is {self.over}" if self.over else f"{self.t[0, V.STOCK]} cards are left in the stock"
            self.mark(f"the hand is not {said.ending}: {how}", place)
        return Outcome(self.over) if self.over else None

    def at_the_end(self, player: int) -> int | None:
        """The hand at the end, of which nothing else was shown; None if it is not known."""
        held, said, name = self.held(player), self.hand.shown[player], "AB"[player]
        if said is None:
            return held
        place, taken, most = self.place(f"shown {name}"), int(self.t[1 - player, V.OPP_HELD]), self.rules.hand_size
        self.in_deck(said.cards, place)
        other = {f"{'AB'[1 - player]}'s hand": self.held(1 - player) or 0, "the pile": int(self.t[player, V.PILE])}
        self.apart(said.cards, other, f"{name} cannot show {{}}", place)
        if held is not None and said.cards & ~held:
            self.stop(f"{name} does not hold {format_hand(said.cards & ~held)}, but {format_hand(held)}", place)
        whole = said.melds is not None and said.unmatched is not None
        count, fits = said.cards.bit_count(), most + (self.hand.knocker == player and self.hand.turns[-1].ending == BIG_GIN)
        if count > fits or (whole and held is None and count < fits):
            self.stop(f"{name} shows {count} cards; it must be {fits}", place)
        if held is not None and taken & ~held:
            self.stop(f"{name} took {format_hand(taken & ~held)} and did not discard it, so it must be shown", place)
        return held

    def laid_out(self, hands: list[int | None]) -> Outcome | None:
        """The showdown, if both hands are known."""
        hand, knocker = self.hand, self.hand.knocker
        mine, theirs = hands[knocker], hands[1 - knocker]
        if mine is None:
            return None
        self.t[knocker, V.HAND], self.t[1 - knocker, V.HAND] = mine, theirs or 0
        laid, other = hand.shown[knocker], hand.shown[1 - knocker]
        found = lay_out(Table(self.rules, self.t[knocker], mine, theirs, laid, other, hand.turns[-1].ending, self.checked))
        for side, text in found.faults:
            who = f"shown {'ab'[knocker if side == 0 else 1 - knocker]}"
            self.mark(text, self.hand.places.get(who) or hand.turns[-1].place("ending"))
        if laid is not None and laid.melds is not None:
            self.show(knocker, MELDS, found.melds)
        if found.outcome is None:
            return None
        if other is not None and (other.melds is not None or other.unmatched is not None):
            self.show(1 - knocker, LAY_OFF, (found.outcome.laid_off,))
        winner = {None: -1, "knocker": knocker, "defender": 1 - knocker}[found.winner]
        return replace(found.outcome, winner=winner, knocker=knocker)

    def show(self, player: int, kind: str, cards: tuple[int, ...]) -> None:
        """Note a decision how to lay a hand out."""
        self.decisions.append(Decision(self.at, player, kind, kind, cards, self.t[player].copy(), self.rules))

    def compared(self, found: Outcome | None, place: str) -> Outcome | None:
        """The outcome of a knock: what was worked out, or else what the record says."""
        said = self.hand.result
        if said is None:
            return found
        if said.ending == UNFINISHED:
            return None
        if found is None:
            return Outcome(said.ending, said.winner, said.points, self.hand.knocker)
        if (said.winner, said.points) != (found.winner, found.points) or said.ending not in ("", found.ending):
            self.mark(f"by the rules it is {found}", place)
        return found


@functools.cache
def _between() -> Any:
    return interpreted(between_turns)
