"""One hand of the table game: the deal, turns, claims, reshuffles, the ways a hand ends, scoring.

All that a hand needs lies in one int64 table ``t`` (rows below). The engine reads its own rows only: a view is a copy of what a
player may know, made before each decision, and of what a decision writes there only the plan is read, and checked. Decisions
come from ``slots``, three functions (draw, play, claim) for each player; ``who[seat]`` is the player on a seat. The same source
runs compiled and, for strategies in plain Python, interpreted (``ginsim.games.table.kernels``).
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.deals import DECK_LANE, RESHUFFLE_LANE, base_deck, shuffle, stream
from ginsim.games.table import layout as R
from ginsim.games.table import log as L
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.turns import banned_discards, can_claim, can_take, legal_claim, legal_play, top_cards
from ginsim.jit import njit, popcount
from ginsim.melds import MANY, deadwood, points

PLAYING, ENDED, FAILED = 0, 1, 2
ASK, MUST_TAKE, NO_CARD = 0, 1, 2
TURN_OVER, BLOCKED, ILLEGAL = -1, -2, -3
"""Where the number of pile cards drawn would stand: there is no draw, because …"""
DECK_SIZE = 52
TABLE_SEAT_LANE = 8
"""Random stream of seat 0; the other seats follow."""

# Rows of the table: the views by seat, then these.
STATE, RECORD, DECK, ORDERED, ROWS = R.MOST_SEATS, R.MOST_SEATS + 1, R.MOST_SEATS + 2, R.MOST_SEATS + 3, R.MOST_SEATS + 4

# The state row: the rules and what is public, as in the views, and then what the engine alone knows.
X_HAND = V.PUBLIC_END
"""By seat: the cards in hand."""
X_REFILL = X_HAND + R.MOST_SEATS
"""State of the random stream of reshuffles."""
X_ROWS = X_REFILL + 1
"""Rows of the log written."""
X_RESHUFFLED = X_REFILL + 2
"""1 if the stock was made anew at the start of this turn."""


def new_table(rules: np.ndarray) -> np.ndarray:
    """A table for ``rules`` (a rules array), ready for a deal; int64[ROWS, V.SIZE]."""
    t = np.zeros((ROWS, V.SIZE), np.int64)
    t[STATE, :D.SIZE] = rules
    t[ORDERED, :DECK_SIZE] = base_deck()
    return t


@njit
def deal(t, seed, index):
    """Shuffle and deal deal ``index`` of ``seed``; scores stay as they are."""
    s, deck, ordered = t[STATE], t[DECK], t[ORDERED]
    for i in range(DECK_SIZE):
        deck[i] = ordered[i]
    shuffle(deck, np.int64(0), np.int64(DECK_SIZE), stream(seed, index, np.int64(DECK_LANE)))
    for slot in range(V.TURN, V.SCORE):
        s[slot] = 0
    for slot in range(V.MELD, V.PILE):
        s[slot] = 0
    for column in range(H.ENDING, H.SIZE):
        t[RECORD][column] = 0
    t[RECORD][H.DEAL] = index
    size = s[R.HAND_SIZE]
    at = np.int64(0)
    for seat in range(s[R.PLAYERS]):
        s[X_HAND + seat] = 0
        for _ in range(size):
            s[X_HAND + seat] |= deck[at]
            at += 1
        s[V.COUNT + seat] = size
        v = t[seat]
        for slot in range(V.WORK):
            v[slot] = 0
        v[V.RANDOM] = np.int64(stream(seed, index, np.int64(TABLE_SEAT_LANE + seat)))
    s[V.PILE] = deck[at]
    s[V.PILE_SIZE] = 1
    s[V.STOCK] = DECK_SIZE - at - 1
    s[X_REFILL] = np.int64(stream(seed, index, np.int64(RESHUFFLE_LANE)))
    s[X_ROWS] = s[X_RESHUFFLED] = 0


@njit
def show(t, seat):
    """Bring the view of a seat up to date, its plan empty."""
    s, v = t[STATE], t[seat]
    for slot in range(V.PILE + s[V.PILE_SIZE]):
        v[slot] = s[slot]
    v[V.SEAT] = seat
    v[V.HAND] = s[X_HAND + seat]
    v[V.TAKEN] = v[V.DEEPEST] = v[V.DRAWN] = v[V.BANNED] = v[V.CARD] = v[V.PLAN_DISCARD] = 0
    for slot in range(V.PLAN_MELDS, V.PLAN_MELDS + V.MOST_MELDS):
        v[slot] = 0


@njit
def _reshuffle(t):
    """Keep the top of the pile and shuffle the rest into a new stock at the end of the deck."""
    s, deck = t[STATE], t[DECK]
    top = s[V.PILE + s[V.PILE_SIZE] - 1]
    rest = top_cards(s, s[V.PILE_SIZE]) ^ top
    at = np.int64(DECK_SIZE)
    while rest:
        at -= 1
        card = rest & -rest
        deck[at] = card
        rest ^= card
    s[X_REFILL] = np.int64(shuffle(deck, at, np.int64(DECK_SIZE), np.uint64(s[X_REFILL])))
    s[V.PILE] = top
    s[V.PILE_SIZE] = 1
    s[V.STOCK] = DECK_SIZE - at
    s[V.RESHUFFLES] += 1
    s[X_RESHUFFLED] = 1


@njit
def start_turn(t):
    """How the next turn begins: ASK for the draw, MUST_TAKE the only card, or NO_CARD: the hand is blocked."""
    s = t[STATE]
    s[X_RESHUFFLED] = 0
    if s[V.TURN] >= s[R.MAX_TURNS]:
        return NO_CARD
    if s[V.STOCK]:
        return ASK
    if s[V.PILE_SIZE] < 2:
        return MUST_TAKE if s[V.PILE_SIZE] else NO_CARD
    if s[V.RESHUFFLES] >= s[R.MAX_RESHUFFLES]:
        return NO_CARD
    _reshuffle(t)
    return ASK


@njit
def legal_depth(t, seat, depth):
    """Whether the seat may draw so: 0 from the stock, else so many cards from the pile."""
    s = t[STATE]
    if depth < 0 or depth > s[R.MAX_PILE_DRAW] or depth > s[V.PILE_SIZE]:
        return False
    return depth == 0 or can_take(s, s[X_HAND + seat], depth)


@njit
def draw(t, seat, depth):
    """Move cards from the stock (``depth`` 0) or the pile into the hand, and show the seat what the turn has to keep to."""
    s, record = t[STATE], t[RECORD]
    taken = must = np.int64(0)
    size = s[V.PILE_SIZE]
    if depth:
        taken = drawn = top_cards(s, depth)
        must = s[V.PILE + size - depth] if depth > 1 else must
        s[V.PILE_SIZE] -= depth
        s[V.HELD + seat] |= taken
        s[V.TOOK + seat] |= taken
        record[H.PILE_DRAWS] += 1
        record[H.MULTI_DRAWS] += depth > 1
        record[H.EXTRA_CARDS] += depth - 1
    else:
        drawn = t[DECK][DECK_SIZE - s[V.STOCK]]
        s[V.STOCK] -= 1
        if size:
            s[V.REFUSED + seat] |= s[V.PILE + size - 1]
    s[X_HAND + seat] |= drawn
    s[V.COUNT + seat] += max(depth, 1)
    show(t, seat)
    v = t[seat]
    v[V.TAKEN], v[V.DEEPEST], v[V.DRAWN], v[V.BANNED] = taken, must, drawn, banned_discards(taken, s)


@njit
def _note(t, seat, kind, depth, drawn, card, log):
    """Write a row of the log, if there is room for one: who did what, with the plan in the seat's view."""
    s = t[STATE]
    row = s[X_ROWS]
    if row < log.shape[0]:
        entry = log[row]
        entry[L.KIND], entry[L.SEAT], entry[L.DEPTH], entry[L.DRAWN], entry[L.DISCARD] = kind, seat, depth, drawn, card
        entry[L.RESHUFFLED] = 0 if kind else s[X_RESHUFFLED]
        for i in range(V.MOST_MELDS):
            entry[L.MELDS + i] = t[seat][V.PLAN_MELDS + i]
        s[X_ROWS] = row + 1


@njit
def _lay(t, seat, given):
    """Put the plan of a seat's view on the table, with ``given`` (a claimed card or 0) besides its own cards."""
    s, v, record = t[STATE], t[seat], t[RECORD]
    hand = s[X_HAND + seat] | given
    for i in range(V.MOST_MELDS):
        own = v[V.PLAN_MELDS + i]
        if own == 0:
            continue
        if i < s[V.MELDS]:
            record[H.LAID_OFF] += popcount(own)
        else:
            s[V.MELDS] += 1
            record[H.NEW_MELDS] += 1
        s[V.MELD + i] |= own
        lanes = s[V.MELD + i]
        suit = (lanes | (lanes >> 16) | (lanes >> 32) | (lanes >> 48)) & 0xFFFF
        s[V.SETS if suit & (suit - 1) == 0 else V.RUNS] |= own
        hand &= ~own
    s[X_HAND + seat] = hand
    s[V.HELD + seat] &= hand
    s[V.COUNT + seat] = popcount(hand)


@njit
def finish(t, seat, depth, log):
    """Carry out the plan in a seat's view after the draw, which is legal: melds, lay-offs, discard."""
    s, v = t[STATE], t[seat]
    card = v[V.PLAN_DISCARD]
    _note(t, seat, 0, depth, v[V.DRAWN], card, log)
    _lay(t, seat, np.int64(0))
    s[V.TURN] += 1
    if card:
        s[X_HAND + seat] ^= card
        s[V.COUNT + seat] -= 1
        s[V.HELD + seat] &= ~card
        s[V.DISCARDED + seat] |= card
        s[V.PILE + s[V.PILE_SIZE]] = card
        s[V.PILE_SIZE] += 1
    if s[V.COUNT + seat] == 0:
        return settle(t, seat, H.DISCARD if card else H.MELD)
    return PLAYING


@njit
def settle(t, winner, ending):
    """Score a hand that ``winner`` (-1: nobody) ends so."""
    s, record = t[STATE], t[RECORD]
    least, second, lowest = MANY, MANY, -1
    for seat in range(s[R.PLAYERS]):
        hand = s[X_HAND + seat]
        left = points(hand, s) if s[R.COUNT] else deadwood(hand, s)
        record[H.LEFT + seat] = left
        if left < least:
            least, second, lowest = left, least, seat
        elif left < second:
            second = left
    if ending == H.BLOCKED and s[R.BLOCKED] and least < second:
        ending, winner = H.LOWEST, lowest
    record[H.ENDING], record[H.WINNER] = ending, winner
    record[H.TURNS], record[H.RESHUFFLES] = s[V.TURN], s[V.RESHUFFLES]
    if winner >= 0:
        for seat in range(s[R.PLAYERS]):
            if seat != winner:
                record[H.SCORE + seat] = -record[H.LEFT + seat]
                record[H.SCORE + winner] += record[H.LEFT + seat]
    return ENDED


@njit
def _fail(t, seat, what, answer):
    """Note which seat's decision was wrong, and what it answered."""
    t[RECORD][H.ERROR], t[RECORD][H.ERROR_SEAT], t[RECORD][H.ANSWER] = what, seat, answer
    return FAILED


@njit
def asked_draw(t, seat, who, params, slots):
    """How the seat begins its turn: the number of pile cards (0: the stock), or BLOCKED or ILLEGAL."""
    mode = start_turn(t)
    if mode != ASK:
        return np.int64(1 if mode == MUST_TAKE else BLOCKED)
    player = who[seat]
    show(t, seat)
    depth = slots[player][0](t[seat], params[player])
    if not legal_depth(t, seat, depth):
        _fail(t, seat, H.BAD_DRAW, depth)
        return np.int64(ILLEGAL)
    return depth


@njit
def play_drawn(t, seat, depth, who, params, slots, log):
    """Draw so, which is legal, and play the rest of the turn: melds, lay-offs and the discard."""
    player, v = who[seat], t[seat]
    draw(t, seat, depth)
    must, banned, drawn = v[V.DEEPEST], v[V.BANNED], v[V.DRAWN]
    answer = slots[player][1](v, params[player])
    if answer != 1 or not legal_play(v, t[STATE], t[STATE][X_HAND + seat], must, banned):
        return _fail(t, seat, H.BAD_PLAY, answer)
    v[V.DRAWN] = drawn
    return finish(t, seat, depth, log)


@njit
def take_claim(t, seat, card, log):
    """Carry out the claim in a seat's view, which is legal."""
    s = t[STATE]
    _note(t, seat, 1, 0, card, np.int64(0), log)
    s[V.PILE_SIZE] -= 1
    s[V.CLAIMED + seat] |= card
    t[RECORD][H.CLAIMS] += 1
    _lay(t, seat, card)
    return settle(t, seat, H.CLAIM) if s[V.COUNT + seat] == 0 else PLAYING


@njit
def ask_for_claims(t, discarder, first, who, params, slots, log):
    """Offer the top of the pile to the others in turn, from the ``first`` after the discarder; who claims it has it."""
    s = t[STATE]
    card = s[V.PILE + s[V.PILE_SIZE] - 1]
    for step in range(first, s[R.PLAYERS]):
        seat = discarder + step
        if seat >= s[R.PLAYERS]:
            seat -= s[R.PLAYERS]
        if not can_claim(s, s[X_HAND + seat], s[V.COUNT + seat], card):
            continue
        player, v = who[seat], t[seat]
        show(t, seat)
        v[V.CARD] = card
        answer = slots[player][2](v, params[player])
        if answer == 0:
            continue
        if answer != 1 or not legal_claim(v, s, s[X_HAND + seat], card):
            return _fail(t, seat, H.BAD_CLAIM, answer)
        return take_claim(t, seat, card, log)
    return PLAYING


@njit
def play_on(t, seat, depth, first, who, params, slots, log):
    """Play to the end of the hand and fill the record row; returns ENDED or FAILED.

    ``seat`` is on turn and draws ``depth``, which is legal; with TURN_OVER its turn is over, and the others have been offered
    its discard up to the ``first`` after it.

    After FAILED the record says whose decision was wrong (error_seat, error), and that seat's view is as it was answered. ``log``
    (int64[rows, L.SIZE]) takes a row a turn and claim, as far as it has rows.
    """
    s = t[STATE]
    while True:
        status = PLAYING if depth == TURN_OVER else play_drawn(t, seat, depth, who, params, slots, log)
        if status == PLAYING and s[R.CLAIMS]:
            status = ask_for_claims(t, seat, first, who, params, slots, log)
        if status != PLAYING:
            return status
        seat, first = seat + 1, np.int64(1)
        if seat == s[R.PLAYERS]:
            seat = np.int64(0)
        depth = asked_draw(t, seat, who, params, slots)
        if depth == BLOCKED:
            return settle(t, -1, H.BLOCKED)
        if depth == ILLEGAL:
            return FAILED
