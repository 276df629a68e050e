"""The table game step by step as the rules tell it: melds lie open, nobody knocks, two to six players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from .cards import Card, Hand, bit, pack_of, points
from .melds import NOTHING, Meld, deadwood, is_meld, melded, melds_in, melds_with
from .play import no_reshuffle

Melds = tuple[Meld, ...]
"""What lies on the table in the order it was laid; a meld is known by its place."""

HAND_SIZES = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}


class IllegalError(Exception):
    """Why a turn or a claim may not be made."""


def insist(condition: bool, reason: str) -> None:
    if not condition:
        raise IllegalError(reason)


class NewMeld(NamedTuple):
    cards: Hand


class LayOff(NamedTuple):
    card: Card
    meld: int


Play = NewMeld | LayOff


class Finish(NamedTuple):
    """The part of a turn after the draw."""

    plays: tuple[Play, ...] = ()
    discard: Card | None = None


class Turn(NamedTuple):
    depth: int  # 0 for the stock, else the number of cards taken from the pile
    plays: tuple[Play, ...] = ()
    discard: Card | None = None


class Position(NamedTuple):
    """What decides which turns are legal."""

    rules: Any
    hand: Hand
    melds: Melds
    pile: tuple[Card, ...]  # top last
    top: Card | None  # of the stock

    @property
    def depths(self) -> list[int]:
        """What could be drawn if nothing had to follow."""
        deepest = min(self.rules.max_pile_draw, len(self.pile))
        return [0] * (self.top is not None) + list(range(1, deepest + 1))


class Drawn(NamedTuple):
    """The position after the draw."""

    rules: Any
    hand: Hand
    melds: Melds
    pile: tuple[Card, ...]
    taken: tuple[Card, ...]  # from the pile, deepest first

    @property
    def obligation(self) -> Card | None:
        return self.taken[0] if len(self.taken) >= 2 else None

    @property
    def banned(self) -> Hand:
        """Cards that may not be discarded this turn."""
        if self.rules.pile_discard_ban == "only_if_single" and len(self.taken) > 1:
            return NOTHING
        return frozenset(self.taken)


# Legality


def draw(position: Position, depth: int) -> Drawn:
    rules, held, melds, pile, top = position
    insist(depth in position.depths, f"{depth} cards cannot be drawn")
    if depth == 0:
        assert top is not None
        return Drawn(rules, held | {top}, melds, pile, ())
    taken = pile[-depth:]
    return Drawn(rules, held | set(taken), melds, pile[:-depth], taken)


def play(held: Hand, melds: Melds, move: Play, rules: Any) -> tuple[Hand, Melds]:
    """Hand and table after one meld or lay-off."""
    pack = pack_of(rules)
    if isinstance(move, NewMeld):
        insist(move.cards <= held, "cards not in hand")
        insist(is_meld(move.cards, pack), "no meld")
        return held - move.cards, (*melds, move.cards)
    insist(move.card in held, "card not in hand")
    insist(move.meld in range(len(melds)), "no such meld on the table")
    longer = melds[move.meld] | {move.card}
    insist(is_meld(longer, pack), "the card does not fit")
    return held - {move.card}, (*melds[: move.meld], longer, *melds[move.meld + 1 :])


def check_end(drawn: Drawn, left: Hand, discard: Card | None) -> None:
    """`left` is in hand before the discard."""
    out_mode = drawn.rules.out_mode
    insist(drawn.obligation not in left, "the deepest card taken is neither melded nor laid off")
    if not left:
        insist(discard is None, "nothing is left to discard")
        insist(out_mode != "discard_required", "going out takes a discard")
        return
    insist(discard is not None, "a card must be discarded")
    insist(discard in left, "the discard is not in hand")
    insist(discard not in drawn.banned, "the discard was taken from the pile this turn")
    insist(len(left) > 1 or out_mode != "meld_only", "going out by a discard is not allowed")


def finish(drawn: Drawn, end: Finish) -> tuple[Hand, Melds, tuple[Card, ...]]:
    """Hand, table and pile after the turn."""
    held, melds = drawn.hand, drawn.melds
    for move in end.plays:
        held, melds = play(held, melds, move, drawn.rules)
    check_end(drawn, held, end.discard)
    if end.discard is None:
        return held, melds, drawn.pile
    return held - {end.discard}, melds, (*drawn.pile, end.discard)


def take_turn(position: Position, turn: Turn) -> tuple[Hand, Melds, tuple[Card, ...]]:
    return finish(draw(position, turn.depth), Finish(turn.plays, turn.discard))


def claims(rules: Any, held: Hand, melds: Melds, discard: Card) -> list[Play]:
    """All that may be done with another player's discard out of turn: one lay-off, or one new meld with own cards."""
    if not rules.claims:
        return []
    pack = pack_of(rules)
    ways: list[Play] = [LayOff(discard, i) for i, m in enumerate(melds) if is_meld(m | {discard}, pack)]
    ways += [NewMeld(m) for m in melds_with(held, discard, pack)]
    return [way for way in ways if rules.out_mode != "discard_required" or play(held | {discard}, melds, way, rules)[0]]


# Every way to end a turn


def moves(held: Hand, melds: Melds, rules: Any) -> Iterator[Play]:
    pack = pack_of(rules)
    for card in sorted(held, key=bit):
        for i, m in enumerate(melds):
            if is_meld(m | {card}, pack):
                yield LayOff(card, i)
    yield from map(NewMeld, melds_in(held, pack))


def placed(before: Melds, after: Melds) -> tuple[Hand, ...]:
    """What came to each meld that lay on the table, then the new melds; nothing after the last that changed."""
    what = [*(m - old for m, old in zip(after, before, strict=False)), *after[len(before) :]]
    while what and not what[-1]:
        what.pop()
    return tuple(what)


def plays(what: Sequence[Hand], melds: Melds, pack: Any) -> tuple[Play, ...]:
    """The other way round: the lay-offs one by one, and the new melds."""
    moves: list[Play] = []
    for place, cards in enumerate(what):
        if place >= len(melds):
            moves.append(NewMeld(cards))
            continue
        meld, rest = melds[place], set(cards)
        while rest:
            fitting = [c for c in sorted(rest, key=bit) if is_meld(meld | {c}, pack)]
            card = fitting[0] if fitting else min(rest, key=bit)  # the rules will refuse it
            moves.append(LayOff(card, place))
            meld |= {card}
            rest.discard(card)
    return tuple(moves)


class After(NamedTuple):
    """What a legal end of a turn comes to, whatever the order of its plays."""

    left: Hand
    old: Melds  # those that lay on the table before, as they are now
    new: frozenset[Meld]
    discard: Card | None


def summary(drawn: Drawn, end: Finish) -> After:
    """Of a legal end."""
    held, melds, _ = finish(drawn, end)
    return After(held, melds[: len(drawn.melds)], frozenset(melds[len(drawn.melds) :]), end.discard)


State = tuple[Hand, Melds, frozenset[Meld]]
"""Hand, melds that lay on the table before, new ones."""


def reachable(drawn: Drawn) -> Iterator[tuple[State, tuple[Play, ...]]]:
    """Every state that plays lead to, once, with an order of plays that does."""
    old = len(drawn.melds)
    todo: list[tuple[Hand, Melds, tuple[Play, ...]]] = [(drawn.hand, drawn.melds, ())]
    seen: set[State] = set()
    while todo:
        held, melds, path = todo.pop()
        state = held, melds[:old], frozenset(melds[old:])
        if state in seen:
            continue
        seen.add(state)
        yield state, path
        todo += [(*play(held, melds, move, drawn.rules), (*path, move)) for move in moves(held, melds, drawn.rules)]


def is_end(drawn: Drawn, left: Hand, discard: Card | None) -> bool:
    try:
        check_end(drawn, left, discard)
    except IllegalError:
        return False
    return True


def every_end(drawn: Drawn) -> Iterator[tuple[After, Finish]]:
    for (left, old, new), plays in reachable(drawn):
        for discard in (None, *left):
            if is_end(drawn, left, discard):
                yield After(left - {discard}, old, new, discard), Finish(plays, discard)


def ends(drawn: Drawn) -> dict[After, Finish]:
    """Every legal end of the turn, by what it comes to; exponential in the cards that fit somewhere."""
    return dict(every_end(drawn))


def can_end(drawn: Drawn) -> bool:
    """Whether some legal end follows the draw."""
    return any(True for _ in every_end(drawn))


def legal_depths(position: Position) -> list[int]:
    """Draws that some complete legal turn follows; the card from the stock is not looked at, it never matters."""
    return [depth for depth in position.depths if can_end(draw(position, depth))]


# Scoring


def counted(held: Hand, rules: Any) -> int:
    """Deadwood of a hand at the end: melds held do not count, or all cards do."""
    pack = pack_of(rules)
    return points(held, pack) if rules.count == "all_in_hand" else deadwood(held, pack)


def score(hands: Sequence[Hand], winner: int, rules: Any) -> list[int]:
    scores = [-counted(held, rules) for held in hands]
    scores[winner] = 0
    scores[winner] = -sum(scores)
    return scores


# One hand


class View(NamedTuple):
    """What a player may know."""

    rules: Any
    seat: int
    hand: Hand
    melds: Melds
    pile: tuple[Card, ...]
    stock_left: int
    cards_left: tuple[int, ...]  # of all players, by seat
    turns: int  # of all players, completed


class Player(Protocol):
    def draw(self, view: View, depths: list[int]) -> int: ...

    def finish(self, view: View, drawn: Drawn) -> Finish: ...

    def claim(self, view: View, discard: Card, ways: list[Play]) -> Play | None: ...


class Entry(NamedTuple):
    """A line of the log."""

    kind: str  # "turn" or "claim"
    seat: int
    depth: int
    drawn: Hand  # or the card claimed
    discard: Card | None
    reshuffled: bool  # before the turn
    placed: tuple[Hand, ...]


@dataclass
class Record:
    ending: str
    winner: int | None
    scores: list[int]
    turns: int
    reshuffles: int
    hands: list[Hand]
    melds: Melds
    log: list[Entry]


class Game:
    """One hand; seats in turn order from the player left of the dealer (seat 0) to the dealer."""

    def __init__(
        self,
        hands: Sequence[Hand],
        stock: Sequence[Card],
        pile: Sequence[Card],
        rules: Any,
        players: Sequence[Player],
        reshuffle: Callable[[list[Card]], list[Card]] = no_reshuffle,
        melds: Melds = (),
    ) -> None:
        self.rules, self.pack, self.players, self.reshuffle = rules, pack_of(rules), players, reshuffle
        self.hands, self.stock, self.pile, self.melds = list(hands), list(stock), list(pile), melds
        self.deck = self.everything()
        self.turns = self.reshuffles = 0
        self.log: list[Entry] = []
        self.reshuffled = False
        self.check()

    def everything(self) -> list[Card]:
        held = [c for h in self.hands for c in h]
        return sorted([*held, *self.stock, *self.pile, *(c for m in self.melds for c in m)], key=bit)

    def check(self) -> None:
        everything = self.everything()
        assert everything == self.deck, "cards lost or found"
        assert len(set(everything)) == len(everything), "a card twice"
        assert all(is_meld(m, self.pack) for m in self.melds)
        assert len(melded(frozenset(self.melds))) == sum(map(len, self.melds))

    def view(self, seat: int) -> View:
        return View(
            self.rules,
            seat,
            self.hands[seat],
            self.melds,
            tuple(self.pile),
            len(self.stock),
            tuple(map(len, self.hands)),
            self.turns,
        )

    def play(self) -> Record:
        return self.go_on(0)

    def go_on(self, seat: int) -> Record:
        """From the beginning of a turn of `seat` to the end."""
        while not self.blocked():
            record = self.after(seat, self.turn(seat))
            if record:
                return record
            seat = (seat + 1) % len(self.hands)
        return self.nobody_out()

    def after(self, seat: int, ending: str, first: int = 1) -> Record | None:
        """What follows a turn of `seat`: the end of the hand, if it was that, or claims by the others from the `first` on."""
        winner: int | None = seat
        if not ending:
            winner = self.ask_for_claims(seat, first)
            ending = "claim" if winner is not None else ""
        self.check()
        if ending:
            assert winner is not None
            return self.record(ending, winner, score(self.hands, winner, self.rules))
        assert all(self.hands)
        return None

    def blocked(self) -> bool:
        """Whether the next turn cannot be; fills the stock if it can."""
        if self.turns >= self.rules.max_turns:
            return True
        if self.stock or len(self.pile) == 1:
            return False
        if not self.pile or self.reshuffles >= self.rules.max_reshuffles:
            return True
        *old, top = self.pile
        self.stock, self.pile = self.reshuffle(old), [top]
        assert sorted(self.stock) == sorted(old)
        self.reshuffles += 1
        self.reshuffled = True
        self.check()
        return False

    def turn(self, seat: int) -> str:
        """One turn; how it ends the hand, if it does."""
        top = self.stock[0] if self.stock else None
        position = Position(self.rules, self.hands[seat], self.melds, tuple(self.pile), top)
        depths = legal_depths(position)
        assert depths, "stuck"
        depth = self.players[seat].draw(self.view(seat), depths)
        assert depth in depths, f"{depth} of {depths} drawn"
        drawn = draw(position, depth)
        if depth == 0:
            self.stock.pop(0)
        new = drawn.hand - self.hands[seat]
        self.hands[seat], self.pile = drawn.hand, list(drawn.pile)
        end = self.players[seat].finish(self.view(seat), drawn)
        before = self.melds
        self.hands[seat], self.melds, pile = finish(drawn, end)
        self.pile = list(pile)
        what = placed(before, self.melds)
        self.log.append(Entry("turn", seat, depth, new, end.discard, self.reshuffled, what))
        self.turns += 1
        self.reshuffled = False
        if self.hands[seat]:
            return ""
        return "meld" if end.discard is None else "discard"

    def ask_for_claims(self, discarder: int, first: int = 1) -> int | None:
        """Who goes out by a claim, if anybody does."""
        discard = self.pile[-1]
        for step in range(first, len(self.hands)):
            seat = (discarder + step) % len(self.hands)
            ways = claims(self.rules, self.hands[seat], self.melds, discard)
            way = self.players[seat].claim(self.view(seat), discard, ways) if ways else None
            if way is None:
                continue
            assert way in ways, f"illegal claim {way}"
            before = self.melds
            self.hands[seat], self.melds = play(self.hands[seat] | {discard}, before, way, self.rules)
            self.pile.pop()
            self.log.append(Entry("claim", seat, 0, frozenset({discard}), None, False, placed(before, self.melds)))
            return None if self.hands[seat] else seat
        return None

    def record(self, ending: str, winner: int | None, scores: list[int]) -> Record:
        assert sum(scores) == 0
        return Record(ending, winner, scores, self.turns, self.reshuffles, self.hands, self.melds, self.log)

    def nobody_out(self) -> Record:
        """Blocked: void, or the lowest hand wins if no other is as low (that is the engine's reading)."""
        wood = [counted(held, self.rules) for held in self.hands]
        if self.rules.blocked == "void" or wood.count(min(wood)) > 1:
            return self.record("blocked", None, [0] * len(self.hands))
        winner = wood.index(min(wood))
        return self.record("lowest", winner, score(self.hands, winner, self.rules))


def deal(deck: Sequence[Card], players: int, hand_size: int | None = None) -> tuple[list[Hand], list[Card], list[Card]]:
    """Hands from the starter on, stock and pile."""
    n = HAND_SIZES[players] if hand_size is None else hand_size
    hands = [frozenset(deck[n * i : n * (i + 1)]) for i in range(players)]
    rest = list(deck[n * players :])
    return hands, rest[1:], rest[:1]


class Match(NamedTuple):
    """A whole game: seats are those of its first hand."""

    scores: list[int]
    winner: int | None
    hands: int
    scored: int
    ending: str  # "target", "hands", "equal" (after the last hand) or "unfinished"


def play_game(hand: Callable[[int], Record], rules: Any, patience: int = 50) -> Match:
    """Hand after hand until somebody has the target, the rules' hands are dealt, or so many in a row had no winner.

    `hand` plays one by its number; who is left of the dealer is seat 0 of it, and the deal passes on after a hand with a winner.
    """
    n = rules.players
    scores, dealer = [0] * n, n - 1
    winners: list[int | None] = []
    while True:
        result = hand(len(winners))
        won = None
        if result.winner is not None:
            for seat, gain in enumerate(result.scores):
                scores[(dealer + 1 + seat) % n] += gain
            won = (dealer + 1 + result.winner) % n
            dealer = (dealer + 1) % n
        winners.append(won)
        scored = sum(w is not None for w in winners)
        if won is not None and scores[won] >= rules.target:
            return Match(scores, won, len(winners), scored, "target")
        if len(winners) == rules.hands:
            best = [seat for seat in range(n) if scores[seat] == max(scores)]
            alone = best[0] if len(best) == 1 else None
            return Match(scores, alone, len(winners), scored, "equal" if alone is None else "hands")
        if winners[-patience:] == [None] * patience:
            return Match(scores, None, len(winners), scored, "unfinished")
