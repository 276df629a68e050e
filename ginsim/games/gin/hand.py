"""One hand of two-player gin: dealing, the upcard offer, turns, the ways a hand ends, scoring.

All that a hand needs lies in one int64 table ``t`` (rows below): the players' views, which are both their knowledge and
the engine's state, the record, and the deck. Passing one array and a player's number keeps calls cheap. Decisions come
from ``slots``, three functions (draw, discard, knock) for each player, or, where ``slots`` is empty, from the numbers in
the record row: the length of a tuple is known as the source is compiled, and only one of the two is. The same source runs
compiled and, for strategies in plain Python, interpreted (``ginsim.games.gin.kernels``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ginsim import layout as D
from ginsim.deals import DECK_LANE, RESHUFFLE_LANE, SEAT_LANE, base_deck, shuffle, stream
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.players.dispatch import discard_by_number, draw_by_number, knock_by_number
from ginsim.jit import njit, njit_inline
from ginsim.melds import best_discards, deadwood, knocker_melds, lay_off, points, run_cards, set_cards

PLAYING, ENDED, FAILED = 0, 1, 2
ASK, MUST_DRAW, MUST_TAKE, NO_DRAW, WRONG = 0, 1, 2, 3, 4

# Rows of the table: the views of players 0 and 1, then these.
RECORD, DECK, ORDERED, ROWS = 2, 3, 4, 5
NUMBERS = H.SIZE
"""Where the record row keeps the numbers of six built-in decisions: draw, discard, knock of player 0, then of 1."""
FIRST = NUMBERS + 6
"""… and the player of the first turn: the dealer, if only the dealer wanted the first upcard."""

"""``DECK`` is the deck as shuffled, ``ORDERED`` the same cards in order."""

_ACE, _SPADES = 0x0001000100010001, 0xFFFF


def new_table(rules: np.ndarray, numbers: Sequence[int]) -> np.ndarray:
    """A table for ``rules`` (a rules array), ready for ``play_hand``; int64[ROWS, V.SIZE]."""
    t = np.zeros((ROWS, V.SIZE), np.int64)
    t[:2, : rules.size] = rules
    t[RECORD, NUMBERS : NUMBERS + 6] = numbers
    deck = base_deck(int(rules[D.RANKS]), int(rules[D.SUITS]))
    t[ORDERED, : deck.size] = deck
    return t


@njit
def new_deck(t, seed, index):
    """Shuffle the deck of deal ``index``."""
    deck, ordered = t[DECK], t[ORDERED]
    cards = t[0][D.RANKS] * t[0][D.SUITS]
    for i in range(cards):
        deck[i] = ordered[i]
    shuffle(deck, np.int64(0), cards, stream(seed, index, np.int64(DECK_LANE)))


@njit
def _seat(view, hand, upcard, stock, starter, random_state):
    """Empty a view of the last hand and give it the new one."""
    for slot in range(V.HAND, V.OFFER):
        view[slot] = 0
    for slot in range(V.MEMORY, V.MEMORY + V.MEMORY_SIZE):
        view[slot] = 0
    view[V.HAND] = hand
    view[V.UPCARD] = view[V.PILE] = upcard
    view[V.STOCK] = stock
    view[V.OFFER] = view[V.WALL] = view[V.TAKEN] = view[V.OPP_TURN] = 0
    view[V.OPP_LOG] = 0  # a first turn that only discards leaves it so
    view[V.STARTER] = starter
    view[V.RANDOM] = np.int64(random_state)


@njit
def _limit_of(upcard, rules):
    """Knock limit in force: the rule's, or what the upcard says (Oklahoma)."""
    if rules[R.OKLAHOMA] == 0:
        return rules[R.KNOCK_LIMIT]
    if upcard & _ACE:
        return rules[R.OKLAHOMA] - 1
    return points(upcard, rules)


@njit
def deal(t, seed, index, starter):
    """Set up both views from the shuffled deck."""
    first, second, record, deck = t[starter], t[1 - starter], t[RECORD], t[DECK]
    n = first[D.HAND_SIZE]
    more = n + 1 if first[R.ELEVEN] else n
    a = b = np.int64(0)
    for i in range(more):
        a |= deck[i]
    for i in range(more, more + n):
        b |= deck[i]
    upcard = np.int64(0) if first[R.ELEVEN] else deck[2 * n]
    stock = first[D.RANKS] * first[D.SUITS] - 2 * n - 1
    lane = np.int64(SEAT_LANE)
    _seat(first, a, upcard, stock, lane - lane + 1, stream(seed, index, lane))
    _seat(second, b, upcard, stock, lane - lane, stream(seed, index, lane + 1))
    first[R.LIMIT] = second[R.LIMIT] = _limit_of(upcard, first)
    multiplier = 2 if first[R.SPADES_DOUBLE] and upcard & _SPADES else 1
    first[V.MULTIPLIER] = second[V.MULTIPLIER] = record[H.MULTIPLIER] = multiplier
    record[H.LIMIT] = first[R.LIMIT]
    record[H.STARTER] = starter
    record[H.DEALT + starter] = deadwood(a, first)
    record[H.DEALT + 1 - starter] = deadwood(b, first)


@njit_inline
def first_knock(me):
    """Own turns that must be over before a knock; a first turn that only discards is one more, and never ends in a knock."""
    return me[R.MIN_TURNS] + (me[R.ELEVEN] & me[V.STARTER])


@njit_inline
def _seal(view):
    """A sum over the slots that belong to the engine, to see whether a decision wrote to them."""
    total = view[R.LIMIT] - view[V.RANDOM]
    for slot in range(V.HAND, V.MEMORY):
        total += view[slot]
    return total


@njit_inline
def _asked(function, view, params):
    """The answer of a decision from a slot, or H.TAMPERED if it wrote where it may not."""
    before = _seal(view)
    answer = function(view, params)
    return answer if _seal(view) == before else np.int64(H.TAMPERED)


@njit_inline
def asked_to_take(t, player, params, slots):
    """The draw decision: 1 to take the upcard, 0 for the stock."""
    if len(slots) == 0:
        return draw_by_number(t[RECORD][NUMBERS + 3 * player], t[player], params[player])
    return _asked(slots[player][0], t[player], params[player])


@njit_inline
def asked_to_discard(t, player, params, slots):
    """The discard decision: a card."""
    if len(slots) == 0:
        return discard_by_number(t[RECORD][NUMBERS + 3 * player + 1], t[player], params[player])
    return _asked(slots[player][1], t[player], params[player])


@njit_inline
def asked_to_knock(t, player, params, slots, hand, chosen, left):
    """The knock decision on ``hand`` with deadwood ``left`` if a knock is legal, else 0."""
    me = t[player]
    if left > me[R.LIMIT] or me[V.TURN] < first_knock(me):
        return np.int64(0)
    before = me[V.HAND]
    me[V.HAND] = hand
    me[V.CHOSEN] = chosen
    me[V.DEADWOOD] = left
    if len(slots) == 0:
        answer = knock_by_number(t[RECORD][NUMBERS + 3 * player + 2], me, params[player])
    else:
        answer = _asked(slots[player][2], me, params[player])
    me[V.HAND] = before
    me[V.CHOSEN] = 0
    return answer


@njit_inline
def take_upcard(t, player):
    """Move the upcard into the player's hand."""
    me, opp = t[player], t[1 - player]
    card = me[V.UPCARD]
    me[V.HAND] |= card
    me[V.DRAWN] = card
    me[V.BANNED] = card if me[R.REDRAW_BAN] else 0
    me[V.TAKEN] += 1
    opp[V.OPP_HELD] |= card
    opp[V.OPP_LOG + 2 * opp[V.OPP_TURN]] = card
    me[V.PILE] = opp[V.PILE] = me[V.PILE] ^ card


@njit_inline
def draw_card(t, player):
    """Move the top of the stock into the player's hand; the upcard counts as passed."""
    me, opp = t[player], t[1 - player]
    stock = me[V.STOCK]
    card = t[DECK][me[D.RANKS] * me[D.SUITS] - stock]
    me[V.HAND] |= card
    me[V.DRAWN] = card
    me[V.BANNED] = 0
    opp[V.OPP_PASSED] |= me[V.UPCARD]
    opp[V.OPP_LOG + 2 * opp[V.OPP_TURN]] = 0
    me[V.STOCK] = opp[V.STOCK] = stock - 1


@njit_inline
def discard_card(t, player, card):
    """Move ``card`` from the hand to the top of the pile and close the turn's books."""
    me, opp = t[player], t[1 - player]
    me[V.HAND] ^= card
    me[V.OWN_DISCARDS] |= card
    opp[V.OPP_DISCARDS] |= card
    opp[V.OPP_HELD] &= ~card
    me[V.PILE] = opp[V.PILE] = me[V.PILE] | card
    me[V.UPCARD] = opp[V.UPCARD] = card
    turn = me[V.TURN]
    me[V.OWN_LOG + 2 * turn] = me[V.DRAWN]
    me[V.OWN_LOG + 2 * turn + 1] = card
    opp[V.OPP_LOG + 2 * turn + 1] = card
    me[V.DRAWN] = me[V.BANNED] = 0
    me[V.TURN] = opp[V.OPP_TURN] = turn + 1
    t[RECORD][H.TURNS] += 1


@njit
def _melds_all(hand, c):
    """Whether all cards of a hand can be melded at once."""
    return (run_cards(hand, c) | set_cards(hand)) == hand and deadwood(hand, c) == 0


@njit
def lay_down(t, player, params, slots):
    """Big gin, if all cards meld and the player wants it; at the wall it is what a card was taken for that leaves no discard."""
    me = t[player]
    none, hand = np.int64(0), me[V.HAND]
    if not _melds_all(hand, me):
        return PLAYING
    answer = np.int64(1) if me[V.BANNED] == hand else asked_to_knock(t, player, params, slots, hand, none, none)
    if answer == 0:
        return PLAYING
    if answer != 1:
        return _fail(t, player, np.int64(H.BAD_KNOCK), answer)
    t[RECORD][H.TURNS] += 1
    return settle(t, player, none, np.int64(H.BIG_GIN))


@njit
def finish_turn(t, player, params, slots):
    """What follows the draw: big gin, the discard, the knock. Returns PLAYING, ENDED or FAILED."""
    me = t[player]
    if me[R.BIG_GIN_BONUS] >= 0:
        status = lay_down(t, player, params, slots)
        if status != PLAYING:
            return status
    card = asked_to_discard(t, player, params, slots)
    hand = me[V.HAND]
    if card <= 0 or card & (card - 1) or card & ~hand or card & me[V.BANNED]:
        return _fail(t, player, np.int64(H.BAD_DISCARD), card)
    left = deadwood(hand ^ card, me)
    answer = np.int64(1) if me[V.WALL] else asked_to_knock(t, player, params, slots, hand ^ card, card, left)
    if answer != 0 and answer != 1:
        return _fail(t, player, np.int64(H.BAD_KNOCK), answer)
    discard_card(t, player, card)
    if answer == 0:
        return PLAYING
    return settle(t, player, left, H.GIN if left == 0 else H.KNOCKED)


@njit
def _fail(t, player, what, answer):
    """Note which player's decision was wrong, and what it answered."""
    t[RECORD][H.ERROR] = what
    t[RECORD][H.KNOCKER] = player
    t[RECORD][H.POINTS] = answer
    return FAILED


@njit
def showdown(hand, defender, pile, left, ending, c):
    """What a knock (``ending`` H.KNOCKED), gin or big gin comes to: ``(ending, points, before, after, laid)``.

    ``c`` is a view. The points go to the defender if the knock is undercut; ``before`` and ``after`` are the defender's
    deadwood without and with lay-offs, ``laid`` the cards laid off.
    """
    before = deadwood(defender, c)
    after, laid = before, np.int64(0)
    if ending == H.KNOCKED or c[R.LAYOFF_ON_GIN]:
        sets, runs = knocker_melds(hand, c[D.FULL] & ~(hand | pile), c)
        after, laid = lay_off(defender, sets, runs, c[R.LAYOFF], c)
    gain = after - left
    if ending == H.GIN:
        gain += c[R.GIN_BONUS]
    elif ending == H.BIG_GIN:
        gain += c[R.BIG_GIN_BONUS]
    elif after < left or (after == left and c[R.TIE] == 0):
        ending, gain = H.UNDERCUT, left - after + c[R.UNDERCUT_BONUS]
    elif after == left and c[R.TIE] == 1:
        ending = H.PUSH
    return ending, gain * c[V.MULTIPLIER], before, after, laid


@njit
def settle(t, player, left, ending):
    """Lay-offs and score of a knock (``ending`` H.KNOCKED), gin or big gin by ``player``."""
    me, record, other = t[player], t[RECORD], 1 - player
    ending, gain, before, after, laid = showdown(me[V.HAND], t[other][V.HAND], me[V.PILE], left, ending, me)
    record[H.ENDING] = ending
    record[H.WINNER] = other if ending == H.UNDERCUT else -1 if ending == H.PUSH else player
    record[H.POINTS] = gain
    record[H.KNOCKER] = player
    record[H.DEADWOOD + player] = record[H.AFTER + player] = left
    record[H.DEADWOOD + other] = before
    record[H.AFTER + other] = after
    record[H.LAID_OFF] = points(laid, me)
    return ENDED


@njit
def _without_score(t, ending):
    """End a hand that nobody won."""
    record = t[RECORD]
    record[H.ENDING] = ending
    record[H.WINNER] = record[H.KNOCKER] = -1
    record[H.POINTS] = record[H.LAID_OFF] = 0
    for player in range(2):
        record[H.DEADWOOD + player] = record[H.AFTER + player] = deadwood(t[player][V.HAND], t[player])
    return ENDED


@njit
def only_to_knock(me):
    """Ban the discards after which a knock would not be legal."""
    hand = rest = me[V.HAND]
    while rest:
        x = rest & -rest
        rest ^= x
        if deadwood(hand ^ x, me) > me[R.LIMIT]:
            me[V.BANNED] |= x


@njit
def take_turn(t, player, params, slots, mode):
    """One full turn; ``mode`` says whether the draw is asked or given."""
    wall = t[player][V.WALL]
    if mode == ASK:
        answer = asked_to_take(t, player, params, slots)
        if answer != 0 and answer != 1:
            return _fail(t, player, np.int64(H.BAD_DRAW), answer)
        if wall and not answer:
            return _without_score(t, np.int64(H.DEAD))
        mode = MUST_TAKE if answer else MUST_DRAW
    if mode == MUST_TAKE:
        take_upcard(t, player)
        if wall:
            only_to_knock(t[player])
    elif mode == MUST_DRAW:
        draw_card(t, player)
    return finish_turn(t, player, params, slots)


@njit
def _offer(t, starter, params, slots):
    """The upcard offer: ``(player to act, how the turn's draw goes)``."""
    for turn in range(2):
        player = starter if turn == 0 else 1 - starter
        me = t[player]
        me[V.OFFER] = 1
        answer = asked_to_take(t, player, params, slots)
        me[V.OFFER] = 0
        if answer == 1:
            return player, MUST_TAKE
        if answer != 0:
            _fail(t, player, np.int64(H.BAD_DRAW), answer)
            return player, WRONG
        t[1 - player][V.OPP_PASSED] |= me[V.UPCARD]
    return starter, MUST_DRAW


@njit
def _wall(t, player):
    """The player facing the wall may take the last discard, only to knock with it (stock_end ``last_discard``)."""
    me = t[player]
    card = me[V.UPCARD]
    hand, banned = me[V.HAND] | card, card if me[R.REDRAW_BAN] else np.int64(0)
    knocks = best_discards(hand, banned, me)[0] <= me[R.LIMIT] or (me[R.BIG_GIN_BONUS] >= 0 and _melds_all(hand, me))
    if me[V.TURN] < first_knock(me) or not knocks:
        return _without_score(t, np.int64(H.DEAD))
    me[V.WALL] = 1
    return PLAYING


@njit
def _reshuffle(t, state):
    """Keep the top discard and shuffle the rest into a new stock at the end of the deck; returns the new state."""
    a, b, deck = t[0], t[1], t[DECK]
    rest = a[V.PILE] & ~a[V.UPCARD]
    end = a[D.RANKS] * a[D.SUITS]
    at = end
    while rest:
        at -= 1
        card = rest & -rest
        deck[at] = card
        rest ^= card
    a[V.PILE] = b[V.PILE] = a[V.UPCARD]
    a[V.STOCK] = b[V.STOCK] = end - at
    return shuffle(deck, at, end, state)


@njit_inline
def between_turns(t, player, refill):
    """What may end a hand, or refill the stock, before a turn of ``player``: ``(status, refill)``."""
    me = t[player]
    stock_end = me[R.STOCK_END]
    last = t[RECORD][H.TURNS] >= me[R.MAX_TURNS]
    goes_on = me[V.STOCK] > (2 if stock_end == 0 or stock_end == 2 else 0) or stock_end == 3
    if last and goes_on:
        return _without_score(t, np.int64(H.STALLED)), refill
    if goes_on and me[V.STOCK] > 0:
        return PLAYING, refill
    if goes_on:
        return PLAYING, _reshuffle(t, np.uint64(refill))  # interpreted, it comes as a Python int
    if stock_end == 2 and not last:
        return _wall(t, player), refill
    return _without_score(t, np.int64(H.DEAD)), refill


@njit_inline
def play_on(t, player, mode, refill, params, slots):
    """Play the rest of a hand from a turn of ``player``, whose draw goes as ``mode`` says; ``refill`` feeds reshuffles."""
    status = PLAYING
    while status == PLAYING:
        status = take_turn(t, player, params, slots, mode)
        if status == PLAYING:
            player = 1 - player
            mode = ASK
            status, refill = between_turns(t, player, refill)
    t[RECORD][H.TAKEN] = t[0][V.TAKEN]
    t[RECORD][H.TAKEN + 1] = t[1][V.TAKEN]
    return status


@njit
def open_hand(t, seed, index, starter, params, slots):
    """Deal, and offer the upcard: ``(player of the first turn, how its draw goes)``; WRONG after a bad answer."""
    record = t[RECORD]
    record[H.TURNS] = record[H.ERROR] = 0
    deal(t, seed, index, starter)
    player, mode = starter, NO_DRAW if t[0][R.ELEVEN] else ASK
    if t[0][R.OFFER_RULE]:
        player, mode = _offer(t, starter, params, slots)
    record[FIRST] = player
    return player, mode


@njit
def play_hand(t, seed, index, starter, params, slots):
    """Play deal ``index`` of ``seed`` from the shuffled deck in ``t`` and fill its record row.

    The first slots of both views must hold the rules. Returns ENDED or FAILED; after FAILED the record names the player
    (knocker) and the decision (error), and that player's view is as it was answered.
    """
    player, mode = open_hand(t, seed, index, starter, params, slots)
    if mode == WRONG:
        return FAILED
    return play_on(t, player, mode, stream(seed, index, np.int64(RESHUFFLE_LANE)), params, slots)
