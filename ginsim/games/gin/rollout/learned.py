"""Decisions of the learned player, those between which its nets see little played to the end of the hand many times.

As in ``decisions``, but the nets say what is played out and are the prior, and the next turns of both are played as the nets say:
the opponent is taken to play as well. What follows is played plainly, several times from each state that is reached, the stock in
another order each time, which costs little and takes away much of the noise.
"""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.deals import mix, next_state, shuffle
from ginsim.games.decisions import PARAMS_SIZE, Decision, Param
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    DECK,
    MUST_DRAW,
    MUST_TAKE,
    PLAYING,
    RECORD,
    ROWS,
    between_turns,
    draw_card,
    first_knock,
    play_on,
    take_turn,
    take_upcard,
)
from ginsim.games.gin.learned.decisions import (
    LEARNED,
    begin_discards,
    discard_learned,
    draw_learned,
    draw_value,
    knock_learned,
)
from ginsim.games.gin.learned.features import describe_discard
from ginsim.games.gin.learned.layout import W_KEPT_HAND
from ginsim.games.gin.learned.net import answer
from ginsim.games.gin.players.decisions import DRAW
from ginsim.games.gin.players.lookahead import M_BELIEVED, upcard_gives_gin
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.rest import end_turn
from ginsim.games.gin.rollout.decisions import (
    AFTER_WEIGHTS,
    DEAR_HELD,
    FOR_POINTS,
    MOST,
    STAGES,
    enter,
    goes_on,
    is_of_play,
    within,
)
from ginsim.games.gin.rollout.playout import set_players, set_table, worth
from ginsim.games.gin.rollout.sample import one_hand, shuffled_stock, spread
from ginsim.games.gin.rollout.seating import seat_opponent
from ginsim.jit import njit, njit_alloc
from ginsim.melds import best_discards, deadwood

__all__ = ["LEARNED_ROLLOUT"]

P_ROLLOUTS, P_MARGIN, P_SHARE, P_AHEAD, P_THEIRS, P_AGAIN, P_OPPONENT, P_POINTS = range(AFTER_WEIGHTS, AFTER_WEIGHTS + 8)
SCALE = 0.25
"""Chance to win the game that a net's answer of 1 stands for (``training.data``)."""
READS = 1.0
"""How far the moves of the opponent tell what they hold."""
DRAWS = 0
"""Instead of a card: the choice was how to draw."""


@njit
def knocks_learned(me, x, params):
    """Whether the player knocks with the discard ``x``, and the deadwood that is left."""
    left = deadwood(me[V.HAND] ^ x, me)
    if left > me[R.LIMIT] or me[V.TURN] < first_knock(me):
        return np.int64(0), left
    before = me[V.DEADWOOD]
    me[V.HAND] ^= x
    me[V.CHOSEN], me[V.DEADWOOD] = x, left
    knocks = knock_learned(me, params)
    me[V.HAND] |= x
    me[V.CHOSEN], me[V.DEADWOOD] = 0, before
    return knocks, left


@njit
def learned_turn(t, player, mode, params):
    """A whole turn as the nets say, whose draw is decided or given by ``mode``: PLAYING or ENDED."""
    me = t[player]
    if mode == ASK:
        mode = MUST_TAKE if draw_learned(me, params) else MUST_DRAW
    if mode == MUST_TAKE:
        take_upcard(t, player)
    else:
        draw_card(t, player)
    x = discard_learned(me, params)
    knocks, left = knocks_learned(me, x, params)
    return end_turn(t, player, x, left, knocks)


@njit
def play_learned(t, player, ahead, theirs, params, plain):
    """Play on from a turn of ``player``, ``ahead`` turns of player 0 and ``theirs`` of player 1 as the nets say.

    Returns ``(status, player to move, refill)``. If one of them has turns left to play so, the other plays by ``plain``.
    """
    status, refill = between_turns(t, player, np.uint64(t[0, V.RANDOM]))
    while status == PLAYING and (ahead > 0 or theirs > 0):
        learned = ahead > 0 if player == 0 else theirs > 0
        if learned and not t[player, V.WALL]:
            status = learned_turn(t, player, np.int64(ASK), params)
        else:
            status = take_turn(t, player, plain, (), np.int64(ASK))
        ahead, theirs = ahead - (1 - player), theirs - player
        if status == PLAYING:
            player = 1 - player
            status, refill = between_turns(t, player, refill)
    return status, player, refill


@njit
def _copy(t, to):
    """Copy a table but for what plain play does not read."""
    for slot in range(V.OWN_LOG):
        to[0, slot], to[1, slot] = t[0, slot], t[1, slot]
    for slot in range(64):
        to[RECORD, slot], to[DECK, slot] = t[RECORD, slot], t[DECK, slot]


@njit
def mean_worths(view, t, u, player, refill, plain, times, state):
    """Mean worths of the hand on ``t`` played on plainly ``times`` times, the stock in another order each time.

    They are ``(points in hundreds, chance to win the game)``. ``u`` is a table to play on, ``state`` (uint64) feeds the orders
    and the players' streams.
    """
    points = chance = 0.0
    end = t[0, D.RANKS] * t[0, D.SUITS]
    for _ in range(times):
        _copy(t, u)
        state = shuffle(u[DECK], end - t[0, V.STOCK], end, np.uint64(state))
        u[0, V.RANDOM], u[1, V.RANDOM] = np.int64(mix(state)), np.int64(mix(state + np.uint64(1)))
        play_on(u, player, np.int64(ASK), refill, plain, ())
        points += worth(view, u, True)
        chance += worth(view, u, False)
    return points / times, chance / times


@njit
def seat(view, t, hand, stock, state):
    """Set up the table ``t`` as player 0 sees it, the opponent with ``hand``, for players who read the moves of a hand."""
    set_table(view, t, hand, stock, np.uint64(state))
    seat_opponent(view, t[0], t[1])
    t[0, W_KEPT_HAND] = t[1, W_KEPT_HAND] = 0  # of another rollout


@njit
def play_rest(view, t, u, player, ahead, theirs, state, params, plain):
    """Worths of the hand from a turn of ``player``: ``ahead`` and ``theirs`` turns as the nets say, then plainly.

    They are ``(points in hundreds, chance to win the game)``.
    """
    status, player, refill = play_learned(t, player, ahead, theirs, params, plain)
    if status == PLAYING:
        return mean_worths(view, t, u, player, refill, plain, np.int64(params[P_AGAIN]), np.uint64(state))
    return worth(view, t, True), worth(view, t, False)


@njit
def play_choice(view, t, u, hand, stock, state, card, how, params, plain):
    """What a choice comes to if the opponent has ``hand``: the discard ``card`` with a knock or not, or a draw (``DRAWS``)."""
    seat(view, t, hand, stock, state)
    if card == DRAWS:
        status = learned_turn(t, np.int64(0), how, params)
    else:
        status = end_turn(t, np.int64(0), card, deadwood(view[V.HAND] ^ card, view), how)
    by_points = params[P_POINTS] != 0.0
    if status != PLAYING:
        return worth(view, t, by_points)
    turns = np.int64(params[P_AHEAD]), np.int64(params[P_THEIRS])
    points, chance = play_rest(view, t, u, np.int64(1), *turns, np.uint64(state), params, plain)
    return points if by_points else chance


@njit_alloc
def best_choice(view, n, cards, hows, costs, params):
    """Number of the choice among the first ``n`` that does best when the hand is played on from it."""
    if n == 1 or not is_of_play(view):
        return 0
    rollouts, done = np.int64(params[P_ROLLOUTS]), np.int64(0)
    stage = (rollouts + STAGES - 1) // STAGES
    t, u, plain = np.zeros((ROWS, V.SIZE), np.int64), np.zeros((ROWS, V.SIZE), np.int64), np.zeros((2, PARAMS_SIZE))
    deck, stock, odds = np.zeros((3, 52), np.int64), np.zeros(52, np.int64), np.zeros(52)
    order, worths = np.arange(n), np.zeros((stage * STAGES, n))
    set_players(t, plain, params[P_OPPONENT])
    believe(view, DEAR_HELD, READS)
    view[M_BELIEVED] = 0  # the nets must not go on with these chances
    number, alias = spread(view, deck, odds)
    state = next_state(np.uint64(view[V.RANDOM]))
    view[V.RANDOM] = np.int64(state)
    while n > 1 and done < rollouts:
        for _ in range(stage):
            hand, state = one_hand(view, deck, odds, number, alias, state)
            state = shuffled_stock(view, hand, stock, state)
            for i in order[:n]:
                worths[done, i] = play_choice(view, t, u, hand, stock, state, cards[i], hows[i], params, plain)
            done += 1
        halves = n > 2 and done // stage % 2 == 0
        n = goes_on(order, n, (n + 1) // 2 if halves else n, worths, costs, done, params[P_SHARE])
    return order[0]


@njit
def candidates(view, margin, cards, costs, params):
    """List the discards that a net finds within ``margin`` of the best, best first, ``MOST`` at most; their number."""
    hand, n = view[V.HAND], 0
    rest, listed, net = begin_discards(view, params)
    while rest:
        x = rest & -rest
        rest ^= x
        describe_discard(view, hand, x, listed)
        n = enter(cards, costs, n, x, -SCALE * answer(view, params, net, False))
    return within(costs, n, margin)


@njit_alloc
def discard_learned_rollout(view, params):
    """The discard that does best in rollouts, among those that a net judges nearly best."""
    gin = best_discards(view[V.HAND], view[V.BANNED], view)[0] == 0 and view[V.TURN] >= first_knock(view)
    if gin or view[V.WALL]:
        return discard_learned(view, params)
    cards, costs, knocks = np.zeros(MOST, np.int64), np.zeros(MOST), np.zeros(MOST, np.int64)
    n = candidates(view, params[P_MARGIN], cards, costs, params)
    for i in range(n if n > 1 else 0):
        knocks[i] = knocks_learned(view, cards[i], params)[0]
    return cards[best_choice(view, n, cards, knocks, costs, params)]


@njit_alloc
def draw_learned_rollout(view, params):
    """Take the upcard or not as a net says, or, where that shows little difference, as rollouts say."""
    if view[V.WALL] or upcard_gives_gin(view):
        return np.int64(1)
    gap = SCALE * draw_value(view, params)
    if abs(gap) > params[DRAW] or view[V.OFFER]:
        return np.int64(gap > 0.0)
    cards, costs, hows = np.zeros(2, np.int64), np.zeros(2), np.zeros(2, np.int64)
    hows[0], hows[1] = MUST_TAKE, MUST_DRAW
    costs[1] = gap
    if gap <= 0.0:  # where nothing can be played out it is as the net says
        hows[0], hows[1], costs[1] = MUST_DRAW, MUST_TAKE, -gap
    return np.int64(hows[best_choice(view, 2, cards, hows, costs, params)] == MUST_TAKE)


_DISCARD = next(decision for decision in LEARNED if decision.kind == "discard")

LEARNED_ROLLOUT = (
    Decision(
        "draw",
        "learned_rollout",
        draw_learned_rollout,
        (
            Param(
                "draw_margin",
                0.005,
                0,
                1,
                "rollouts decide where the net's chances of winning the game differ by no more than this",
            ),
        ),
        needs=("learned_rollout",),
        table=_DISCARD.table,
    ),
    Decision(
        "discard",
        "learned_rollout",
        discard_learned_rollout,
        (
            *_DISCARD.params,
            Param("rollouts", 32, 1, 1_000_000, "how many times the hidden cards are drawn and each choice is played on"),
            Param("margin", 0.006, 0, 1, "only discards within this of the net's best chance of winning the game are played out"),
            Param("share", 1, 0, 1000, "how much of a choice's shortfall by the net is taken off what it won in rollouts"),
            Param("ahead", 1, 0, 100, "own turns of a rollout that are played by the nets; the others are played plainly"),
            Param("opponent_ahead", 1, 0, 100, "opponent's turns of a rollout that are played by the nets"),
            Param(
                "again",
                8,
                1,
                10_000,
                "how many times the plain rest of each rollout is played, each with the stock in another order",
            ),
            Param("opponent_knock", 100, 0, 100, "most deadwood with which the opponent knocks in plain play"),
            FOR_POINTS,
        ),
        needs=("learned",),
        table=_DISCARD.table,
    ),
)
"""Defaults: chosen among five settings, each played on 60 to 600 duplicate pairs of deals against ``strong`` under EAAI rules,
after regressions of what two choices came to with the true cards on what rollouts and the net had said."""
