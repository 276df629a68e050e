"""One hand again, move by move: exactly the hand a study played, found by its deal, seed and play."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ginsim import layout as D
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import InputError
from ginsim.games.base import GAMES, HANDS, Watch
from ginsim.games.gin import records as H
from ginsim.games.gin import text
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import Showdown, longest_melds, showdown
from ginsim.games.gin.hand import RECORD, new_deck, play_hand
from ginsim.games.gin.kernels import record_hand
from ginsim.games.gin.play import GinSession
from ginsim.games.gin.players.lookahead import W_KEPT_DEAR, W_READS, discard_lookahead
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.rollout.decisions import MOST, candidates, discard_rollout
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.games.kernel import interpreted
from ginsim.games.strategy import Strategy
from ginsim.melds import knocker_melds

__all__ = ["Move", "Notes", "OneHand", "Replay", "replay_hand", "watcher"]

_PAIR = np.array([[0, 1], [1, 0]])

_STANDING = (V.OWN_SCORE, V.OPP_SCORE, V.OWN_BOXES, V.OPP_BOXES)
_OTHERS = (V.OPP_SCORE, V.OWN_SCORE, V.OPP_BOXES, V.OWN_BOXES)
_ALL_COSTS = 1e18


@dataclass(frozen=True)
class Move:
    """A turn, or a refusal of the first upcard or of the last discard; sets of cards are masks, 0 is no card.

    Attributes
    ----------
    player : int
        0 or 1.
    turn : int
        The player's own turns up to this one; 0 if it is a refusal.
    upcard, stock : int
        The top of the pile, and the number of cards in the stock, before the move.
    drawn, discard : int
        Cards; nothing is drawn on a first turn that only discards, nothing is discarded with big gin.
    taken : bool
        Whether the card drawn is the upcard.
    knock : bool or None
        Whether the player knocked (or went gin), None if it was not legal.
    hand, pile : int
        The player's hand and the discard pile after the move.
    held, passed, discards, unseen : int
        What the player knew when choosing the discard: cards the opponent took from the pile and holds, cards the opponent
        refused, cards the opponent discarded, and those not seen at all.
    costs : tuple of (card, cost)
        How a strategy that looks ahead weighed the discards, the cheapest first (6 at most); empty for others.
    """

    player: int
    turn: int
    upcard: int
    stock: int
    hand: int
    pile: int
    held: int
    passed: int
    discards: int
    unseen: int
    drawn: int = 0
    taken: bool = False
    discard: int = 0
    knock: bool | None = None
    costs: tuple[tuple[int, float], ...] = ()

    @property
    def refusal(self) -> bool:
        """Whether this is a refusal, which is no turn."""
        return self.turn == 0


@dataclass(frozen=True)
class Replay:
    """A hand move by move; ``print`` it, or see `as_dict` and `plot`.

    Attributes
    ----------
    a, b : str
        Players 0 and 1 as specs.
    rules : Rules
    seed, deal, play : int
    record : dict of str to int
        Its row of the per-hand table, columns as in ``ginsim.games.gin.records.HAND_COLUMNS``.
    dealt : tuple of two int
        The hands as dealt (masks).
    upcard : int
        The first upcard (0 if there is none).
    score : tuple of two int
        Points of both players in the game before the hand.
    moves : tuple of Move
    boxes : tuple of two int
        Hands that both had won in the game.
    """

    a: str
    b: str
    rules: Rules
    seed: int
    deal: int
    play: int
    record: dict[str, int]
    dealt: tuple[int, int]
    upcard: int
    score: tuple[int, int]
    moves: tuple[Move, ...]
    boxes: tuple[int, int] = (0, 0)

    @property
    def ending(self) -> str:
        """One of ``ginsim.games.gin.records.ENDINGS``."""
        return H.ENDINGS[self.record["ending"]]

    @property
    def hands(self) -> tuple[int, int]:
        """The hands at the end."""
        first, second = self.dealt
        for move in self.moves:
            first, second = (first, move.hand) if move.player else (move.hand, second)
        return first, second

    def showdown(self) -> Showdown | None:
        """Melds, lay-offs and points of a knock or gin; None if nobody knocked."""
        knocker = self.record["knocker"]
        if knocker < 0:
            return None
        c = self.rules.array()
        held, other = self.hands[knocker], self.hands[1 - knocker]
        sets, runs = (int(cards) for cards in knocker_melds(held, int(c[D.FULL]) & ~(held | self.moves[-1].pile), c))
        melds = longest_melds(sets, runs, self.rules)
        return showdown(held, other, self.rules, melds, self.record["multiplier"])

    def as_dict(self) -> dict[str, Any]:
        """All of it with cards as text, ready for JSON."""
        return text.as_dict(self)

    def __str__(self) -> str:
        return text.as_text(self)


def replay_hand(players: Sequence[Strategy], rules: Rules, seed: int, deal: int, play: int) -> Replay:
    """One hand of a study again: of a pair of hands, or of a game, which is played up to there."""
    starter, standing = (play, np.zeros(4, np.int64)) if deal < GAME_BASE else _before(players, rules, seed, deal, play)
    return _watched(players, rules, seed, deal, play, starter, standing)


def _before(players: Sequence[Strategy], rules: Rules, seed: int, deal: int, play_number: int) -> tuple[int, np.ndarray]:
    """Who starts a hand of a game, and the score and boxes from player 0's side: its game is played."""
    game, hand = divmod(deal - GAME_BASE, HANDS_PER_GAME)
    found: dict[tuple[int, int], tuple[int, np.ndarray]] = {}

    def note(t: np.ndarray, player: int, kind: int, view: np.ndarray, answer: int) -> None:
        at = int(t[RECORD, H.PLAY]), int(t[RECORD, H.DEAL]) - deal + hand
        found.setdefault(at, (0 if t[0, V.STARTER] else 1, t[0, list(_STANDING)]))

    GinSession(players, rules, seed, GAMES, _PAIR, 1, watch=watcher(note)).play(game, 1)
    if (play_number, hand) not in found:
        hands = sum(at == play_number for at, _ in found)
        raise InputError(f"deal: {deal} would be hand {hand} of game {game}, which has hands 0 to {hands - 1} only")
    return found[play_number, hand]


Note = Callable[[np.ndarray, int, int, np.ndarray, int], None]
"""Called after each decision with the table, the player, the kind (0 draw, 1 discard, 2 knock), the view before, the answer."""


def watcher(note: Note) -> Watch:
    """What a session calls to have every decision noted."""

    def watch(t: np.ndarray, slots: Any) -> None:
        def noted(player: int, kind: int, decide: Callable[..., int]) -> Callable[..., int]:
            def decision(view: np.ndarray, params: np.ndarray) -> int:
                before = view.copy()
                answer = decide(view, params)
                note(t, player, kind, before, answer)
                return answer

            return decision

        for player in range(2):
            slots[player] = [noted(player, kind, decide) for kind, decide in enumerate(slots[player])]

    return watch


def _watched(
    players: Sequence[Strategy], rules: Rules, seed: int, deal: int, play_number: int, starter: int, standing: np.ndarray
) -> Replay:
    """The hand that ``starter`` starts."""
    notes = Notes(players)
    session = OneHand(players, rules, seed, starter, standing, watcher(notes.note))
    return notes.replay(session, deal, play_number)


class OneHand(GinSession):
    """A table at which only one play of a deal is played, interpreted: the one that ``starter`` starts.

    ``standing`` is the score and the boxes from player 0's side, in the order of the view.
    """

    def __init__(
        self, players: Sequence[Strategy], rules: Rules, seed: int, starter: int, standing: np.ndarray, watch: Watch
    ) -> None:
        super().__init__(players, rules, seed, HANDS, _PAIR[[starter]], 1, watch=watch)
        self.starter, self.standing = starter, standing
        self.t[0, list(_STANDING)], self.t[1, list(_OTHERS)] = standing, standing

    def run(self, first: int, count: int) -> int:
        new_deck(self.t, self.seed, first)
        record, play = _interpreted()
        record(play, self.t, self.seed, first, self.starter, self.params, self.slots, self.records, 0)
        return 1


@functools.cache
def _interpreted() -> tuple[Any, Any]:
    """What plays a hand and keeps its record."""
    return interpreted(record_hand), interpreted(play_hand)


class Notes:
    """The moves of a hand, noted decision by decision; ``strategies`` has None for who is no strategy."""

    def __init__(self, strategies: Sequence[Strategy | None]) -> None:
        self.strategies = strategies
        self.moves: list[Move] = []
        self.dealt = [0, 0]
        self.taken: list[Move] = []  # for big gin at the wall, where nothing more is asked

    def note(self, t: np.ndarray, player: int, kind: int, view: np.ndarray, answer: int) -> None:
        """A decision, as `Note` says."""
        moves, strategy = self.moves, self.strategies[player]
        if not moves and not any(self.dealt):
            self.dealt[player], self.dealt[1 - player] = int(view[V.HAND] & ~view[V.DRAWN]), int(t[1 - player, V.HAND])
        if kind == 0 and answer == 0 and (view[V.OFFER] or view[V.WALL]):
            moves.append(_refusal(view, player))
        elif kind == 0 and answer == 1 and view[V.WALL]:
            self.taken.append(_taken_for_big_gin(view, player, strategy))
        elif kind == 1:
            moves.append(_turn(view, player, answer, strategy))
        elif kind == 2 and not view[V.CHOSEN]:  # big gin, or not
            moves.extend([_turn(view, player, 0, strategy)] if answer else [])
        elif kind == 2:
            moves[-1] = replace(moves[-1], knock=bool(answer))

    def replay(self, session: OneHand, deal: int, play_number: int, names: Sequence[str] = ()) -> Replay:
        """The hand, which is played to its end."""
        rules, moves = session.rules, self.moves
        records = session.play(deal, 1)
        record = dict(zip(H.COLUMNS, records[0].tolist(), strict=True)) | {"play": play_number}
        if H.ENDINGS[record["ending"]] == "big_gin" and moves[-1].discard:
            moves.extend(self.taken)
        upcard = 0 if rules.eleven_card_start else moves[0].upcard
        a, b = names or map(str, session.players)
        own, other, own_boxes, other_boxes = session.standing.tolist()
        told, hands = _knocked(moves, record), (self.dealt[0], self.dealt[1])
        boxes = own_boxes, other_boxes
        return Replay(a, b, rules, session.seed, deal, play_number, record, hands, upcard, (own, other), told, boxes)


def _knocked(moves: list[Move], record: Mapping[str, int]) -> tuple[Move, ...]:
    """The moves; a knock that nobody was asked about, at the wall, is one too."""
    if record["knocker"] >= 0:
        moves[-1] = replace(moves[-1], knock=True)
    return tuple(moves)


def _turn(view: np.ndarray, player: int, discard: int, strategy: Strategy | None) -> Move:
    """A turn as its discard decision shows it; without a discard, big gin."""
    move = _refusal(view, player)
    drawn = move.upcard if (taken := bool(view[V.DRAWN] & view[V.UPCARD])) else int(view[V.DRAWN])
    return replace(
        move,
        turn=int(view[V.TURN]) + 1,
        stock=move.stock + bool(drawn and not taken),
        hand=move.hand ^ discard,
        pile=move.pile | discard,
        drawn=drawn,
        taken=taken,
        discard=discard,
        knock=None if discard else True,
        costs=() if view[V.WALL] or not discard else _costs(view, strategy),
    )


def _taken_for_big_gin(view: np.ndarray, player: int, strategy: Strategy | None) -> Move:
    """The turn that big gin with the last discard is, as the view shows it before the draw."""
    after = view.copy()
    after[V.DRAWN] = view[V.UPCARD]
    after[V.HAND] |= view[V.UPCARD]
    after[V.PILE] ^= view[V.UPCARD]
    return _turn(after, player, 0, strategy)


def _refusal(view: np.ndarray, player: int) -> Move:
    """A refusal, as the view shows it before the answer."""
    upcard, stock, hand, pile, held, passed, discards = view[
        [V.UPCARD, V.STOCK, V.HAND, V.PILE, V.OPP_HELD, V.OPP_PASSED, V.OPP_DISCARDS]
    ].tolist()
    return Move(player, 0, upcard, stock, hand, pile, held, passed, discards, View(view).unseen)


def _costs(view: np.ndarray, strategy: Strategy | None) -> tuple[tuple[int, float], ...]:
    """The look-ahead cost of the discards, if that is what the strategy goes by."""
    if strategy is None or strategy.player is not None or strategy.decisions[1] not in (discard_lookahead, discard_rollout):
        return ()
    seen, params = view.copy(), strategy.array
    cards, costs = np.zeros(MOST, np.int64), np.zeros(MOST)
    believe(seen, params[W_KEPT_DEAR], params[W_READS])
    count = candidates(seen, seen[V.HAND], seen[V.BANNED], _ALL_COSTS, cards, costs, params)
    return tuple(zip(cards[:count].tolist(), costs[:count].tolist(), strict=True))
