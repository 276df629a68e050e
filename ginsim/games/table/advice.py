"""What to do at the table: every choice played to the end many times on the same hidden cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ginsim.cards import cards_of, format_card, format_hand
from ginsim.deals import MOST_SEED
from ginsim.errors import InputError, check_count
from ginsim.games.base import HANDS
from ginsim.games.ranking import Ranking, mean_of_values
from ginsim.games.strategy import Strategy
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.hand import RECORD, STATE, show
from ginsim.games.table.moment import CLAIM, DRAW, PLAY, Moment, read_moment
from ginsim.games.table.play import TableSession
from ginsim.games.table.players.families import REPERTOIRE
from ginsim.games.table.players.plans import best_turn, write_plan, write_turn
from ginsim.games.table.position import Cards, Melds, Pile, claims_of, draws_of, plan_words
from ginsim.games.table.rollout import CHOICE, CHOICE_SIZE, rollout_kernel
from ginsim.games.table.rules import TableRules
from ginsim.games.table.turns import arranged, banned_discards, contested, legal_play
from ginsim.inference.estimates import POINTS_UNIT, Estimate, mean_of_chances
from ginsim.melds import MANY, deadwood, points

__all__ = ["TableAdvice", "TableChoice", "advise_at_moment", "advise_at_table", "choices_of", "rolled_out"]

MOST_ROLLOUTS = 1_000_000
BLOCK = 50
"""Rollouts in one call, short enough for an interrupt."""


@dataclass(frozen=True)
class TableChoice:
    """Something that may be done at the table, and what it came to.

    Attributes
    ----------
    text : str
        What is done, in words.
    deadwood : int
        What the hand counts right after it: for a draw from the pile, after the best turn with it; for a draw from the stock
        and for a pass, as it is.
    points : Estimate
        Points of the hand for the player.
    won : Estimate
        Chance (0 … 1) to win the hand.
    behind : Estimate
        Points that it gains over the best choice, on the same cards; 0 for the best.
    """

    text: str
    deadwood: int
    points: Estimate
    won: Estimate
    behind: Estimate

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class TableAdvice(Ranking):
    """The result of `advise_at_table`.

    Attributes
    ----------
    moment : Moment
        The moment as it was understood.
    choices : tuple of TableChoice
        The best first.
    player : str
        Who plays on, in all seats.
    rollouts, seed : int
    """

    moment: Moment
    choices: tuple[TableChoice, ...]
    player: str
    rollouts: int
    seed: int

    FIGURES = ("points", "won")
    by = "points"

    def situation(self) -> str:
        """The moment in one line, with what was worked out or assumed."""
        return f"{self.moment}; {self.player} plays on"

    def caveat(self) -> str:
        """What was not said and may make the figures wrong, if anything."""
        if self.moment.counted or not self.moment.t[STATE, V.MELDS]:
            return ""
        return "Careful: melds are on the table, but counts was not given; the others are taken to hold as many as were dealt."


def advise_at_table(
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
    rules: str | TableRules = "house",
    player: str | Strategy = "expert",
    rollouts: int = 500,
    seed: int = 0,
) -> TableAdvice:
    """Rank what may be done at the table: the draw; after it melds, lay-offs and the discard; or a claim.

    The cards not seen are dealt to the other hands and the stock again and again, each as likely as any other, and every choice
    is played to the end on the same cards, with all seats playing as ``player`` does.

    Parameters
    ----------
    hand : str or int
        Your cards; after the draw, including those drawn.
    pile : str or list
        The discard pile from the bottom up, after the draw if you have drawn.
    table : str or list
        The melds on the table: ``"3H 4H 5H | 7S 7D 7C"`` or a list of them.
    counts : str or list, optional
        Cards in each other hand, from the next player on; by default as many as are dealt.
    held : str or list
        Cards known to be in each other hand, from the next player on: ``"KS QS | | 2C"`` or a list.
    drawn : str or list
        Cards just taken from the pile, the deepest first, or ``"stock"``: then the rest of the turn is chosen, not the draw.
    claim : str or int
        A discard that may be claimed.
    seat : int
        Yours; seat 0 starts.
    discarder : int, optional
        Seat of the player whose discard may be claimed; by default the player before you.
    turn : int, optional
        Your turn, from 1 (with ``claim`` the coming one); by default the earliest that stock and pile allow.
    stock : int, optional
        Cards left in the stock; by default all that are nowhere else. The rest lie at the bottom of the pile.
    scores : str or list, optional
        Everybody's points in the game, yours first, then from the next player on.
    rules : str or TableRules
    player : str or Strategy
    rollouts, seed : int

    Returns
    -------
    TableAdvice

    Raises
    ------
    InputError
        For cards that contradict each other and for anything else that is impossible.

    Examples
    --------
    >>> advice = advise_at_table("8C 9C 5H 5S QD KD 2H", "7C KS 2S", rollouts=50)
    >>> [str(choice) for choice in advice.choices]
    ['take 3 cards (7♣ K♠ 2♠)', 'draw from the stock', 'take 2♠']
    """
    moment = read_moment(
        TableRules.parse(rules), hand, pile, table, counts, held, drawn, claim, seat, discarder, turn, stock, scores
    )
    return advise_at_moment(moment, player, rollouts, seed)


def advise_at_moment(
    moment: Moment,
    player: str | Strategy = "expert",
    rollouts: int = 500,
    seed: int = 0,
    report: Callable[[int], None] | None = None,
) -> TableAdvice:
    """Rank the choices of a moment; ``report`` is told how many rollouts are done."""
    rollouts, seed = check_count("rollouts", rollouts, 2, MOST_ROLLOUTS), check_count("seed", seed, 0, MOST_SEED)
    who = Strategy.parse(player, REPERTOIRE.game)
    found = choices_of(moment)
    values = rolled_out(moment, np.array([c.row for c in found], np.int64), who, rollouts, seed, report)
    gains, wins = values[:, :, 0], values[:, :, 1]
    best = int(gains.mean(axis=0).argmax())
    choices = [
        TableChoice(
            choice.text,
            choice.deadwood,
            mean_of_values(gains[:, i], POINTS_UNIT),
            mean_of_chances(float(wins[:, i].mean()), float(wins[:, i].var(ddof=1)), rollouts),
            mean_of_values(gains[:, i] - gains[:, best], 0.0 if i == best else POINTS_UNIT),
        )
        for i, choice in enumerate(found)
    ]
    choices.sort(key=lambda choice: -choice.behind.value)
    return TableAdvice(moment, tuple(choices), str(who), rollouts, seed)


@dataclass(frozen=True)
class _Option:
    """A choice as the kernel takes it (a row of ``ginsim.games.table.rollout``), and what is said of it."""

    row: list[int]
    text: str
    deadwood: int


def choices_of(moment: Moment) -> list[_Option]:
    """All that is considered: every legal draw, every legal claim, and the sensible plans."""
    return list({DRAW: _draws, PLAY: _plays, CLAIM: _claims}[moment.choosing](moment))


def _row(number: int, discard: int = 0, added: Iterable[tuple[int, int]] = ()) -> list[int]:
    row = [number, discard, *[0] * V.MOST_MELDS]
    for meld, cards in added:
        row[CHOICE + meld] = cards
    assert len(row) == CHOICE_SIZE
    return row


def _counted(moment: Moment, cards: int) -> int:
    """What a hand counts at the end of the hand."""
    s = moment.t[STATE]
    return int((points if s[R.COUNT] else deadwood)(np.int64(cards), s))


def _draws(moment: Moment) -> Iterable[_Option]:
    s, own = moment.t[STATE], moment.hand
    pile = [int(card) for card in s[V.PILE : V.PILE + s[V.PILE_SIZE]]]
    for depth in draws_of(moment.t, moment.seat):
        if depth == 0:
            yield _Option(_row(0), "draw from the stock", _counted(moment, own))
            continue
        taken = pile[-depth:]
        must = np.int64(taken[0] if depth > 1 else 0)
        banned = banned_discards(np.int64(sum(taken)), s)
        left = int(best_turn(np.int64(own | sum(taken)), must, banned, s[V.SETS], s[V.RUNS], s)[0])
        names = " ".join(format_card(card, symbols=True) for card in taken)
        yield _Option(_row(depth), f"take {names}" if depth == 1 else f"take {depth} cards ({names})", max(left, 0))


def _plays(moment: Moment) -> Iterable[_Option]:
    """For each discard the plan that plays most besides, and the one that lays off only; and the best turn of all."""
    t, seat, own = moment.t.copy(), moment.seat, moment.hand
    s, taken = t[STATE], moment.taken
    must = np.int64(taken[0] if len(taken) > 1 else 0)
    banned = banned_discards(np.int64(sum(taken)), s)
    show(t, seat)
    v, found = t[seat], dict[tuple[int, ...], str]()

    def add() -> None:
        if legal_play(v, s, np.int64(own), must, banned):
            added = [int(cards) for cards in v[V.PLAN_MELDS : V.PLAN_MELDS + V.MOST_MELDS]]
            melds = [int(meld) for meld in s[V.MELD : V.MELD + s[V.MELDS]]]
            found[int(v[V.PLAN_DISCARD]), *added] = plan_words(melds, added, int(v[V.PLAN_DISCARD]))

    for card in (0, *cards_of(own & ~int(banned))):
        _most_played(v, own & ~card, int(must))
        v[V.PLAN_DISCARD] = card
        add()
        _hold_back(v, int(must))
        add()
    if write_turn(v, np.int64(own), must, banned) != MANY:
        add()
    if not found:
        raise InputError(f"drawn: no legal turn follows; {format_hand(int(must))} can be neither melded nor laid off")
    for (discard, *added), text in found.items():
        yield _Option(_row(len(taken), discard, enumerate(added)), text, _counted(moment, own & ~discard & ~sum(added)))


def _most_played(v: np.ndarray, cards: int, must: int) -> None:
    """Write the plan that plays ``must`` and all it can of ``cards``, with the fewest points left, into a view."""
    clash = int(contested(np.int64(cards), v[V.SETS], v[V.RUNS], v))
    best, best_out, kept_out = MANY, clash, clash
    while True:
        placed = sum(int(part) for part in arranged(np.int64(cards), np.int64(kept_out), v[V.SETS], v[V.RUNS], v))
        left = int(points(np.int64(cards & ~placed), v))
        if left < best and not must & ~placed:
            best, best_out = left, kept_out
        if kept_out == 0:
            break
        kept_out = (kept_out - 1) & clash
    write_plan(v, np.int64(cards), np.int64(best_out))


def _hold_back(v: np.ndarray, must: int) -> None:
    """Take the new melds out of the plan, all but the one with ``must``."""
    first = V.PLAN_MELDS + int(v[V.MELDS])
    kept = [int(meld) for meld in v[first : V.PLAN_MELDS + V.MOST_MELDS] if int(meld) & must]
    v[first : V.PLAN_MELDS + V.MOST_MELDS] = 0
    v[first : first + len(kept)] = kept


def _claims(moment: Moment) -> Iterable[_Option]:
    s, own, card = moment.t[STATE], moment.hand, moment.card
    melds = [int(meld) for meld in s[V.MELD : V.MELD + s[V.MELDS]]]
    yield _Option(_row(0), "pass", _counted(moment, own))
    for number, cards in claims_of(s, own, card):
        added = [0] * number + [cards]
        text = plan_words(melds, added, 0)
        yield _Option(_row(1, 0, [(number, cards)]), f"claim: {text}", _counted(moment, own & ~cards))


class _Rollouts(TableSession):
    """Rollouts of a moment in place of deals: ``extra`` is the moment and the rows of its choices."""

    moment: Moment
    rows: np.ndarray

    def new_table(self) -> np.ndarray:
        super().new_table()
        given: Any = self.extra
        self.moment, self.rows = given
        table: np.ndarray = self.moment.t.copy()
        return table

    def prepare(self) -> None:
        self.kernel, self.log = rollout_kernel(self.form), np.zeros((0, L.SIZE), np.int64)
        self.base, self.who = self.moment.t.copy(), np.zeros(R.MOST_SEATS, np.int64)
        self.unseen = np.array(list(cards_of(self.moment.unseen)), np.int64)
        self.values = np.zeros((self.most, len(self.rows), 2))

    def run(self, first: int, count: int) -> int:
        """Roll out; the only record is that of the last hand."""
        whose = (self.moment.seat, self.moment.discarder, self.moment.choosing)
        own = self.who, self.params, self.slots, self.log, self.values[:count]
        self.kernel(self.base, self.t, self.unseen, self.unseen.copy(), self.seed, first, *whose, self.rows, *own)
        self.records[0] = self.t[RECORD, : H.SIZE]
        return 1


def rolled_out(
    moment: Moment,
    rows: np.ndarray,
    player: Strategy,
    rollouts: int,
    seed: int,
    report: Callable[[int], None] | None = None,
) -> np.ndarray:
    """What each choice came to in each rollout: float64[rollouts, choices, 2], points and whether the hand was won.

    Raises
    ------
    StrategyError
        If a decision of the player is illegal or fails.
    """
    values, lineup = np.zeros((rollouts, len(rows), 2)), np.zeros((1, R.MOST_SEATS), np.int64)
    session = _Rollouts([player], moment.rules, seed, HANDS, lineup, BLOCK, (moment, rows))  # type: ignore[arg-type]
    for first in range(0, rollouts, BLOCK):
        count = min(BLOCK, rollouts - first)
        session.play(first, count)
        values[first : first + count] = session.values[:count]
        if report:
            report(first + count)
    return values
