"""Decisions by rollouts: where the look-ahead sees little between choices, each is played to the end of the hand many times.

All choices play the same hidden cards. A choice is judged by the mean of what the hand was worth, less a share of its
look-ahead cost: rollouts are noisy, and a prior keeps them from chasing it. After every eighth of the rollouts those choices go
that are surely worse than the best, after every quarter the worse half.
"""

from __future__ import annotations

import math

import numpy as np

from ginsim import layout as D
from ginsim.deals import next_state
from ginsim.games.decisions import PARAMS_SIZE, Decision, Param
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import MUST_DRAW, MUST_TAKE, PLAYING, ROWS
from ginsim.games.gin.players.decisions import DRAW
from ginsim.games.gin.players.lookahead import (
    LOOKAHEAD,
    M_BELIEVED,
    W_KEPT_DEAR,
    W_READS,
    discard_lookahead,
    draw_costs,
    upcard_gives_gin,
    weigh_discards,
    with_danger,
)
from ginsim.games.gin.players.nextdraw import L_COST, lane_of
from ginsim.games.gin.players.opponent import believe
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.games.gin.rollout.playout import finish_turn, own_turn, play_out, set_players, set_table, worth
from ginsim.games.gin.rollout.sample import likely_hands, shuffled_stock, spread
from ginsim.jit import njit, njit_alloc, popcount

MOST = 6
"""Choices that are played out at most."""
STAGES, DRAWN = 8, 6
"""Parts of the rollouts, after each of which choices are given up; hands drawn for each that is played."""
ENOUGH = 16
"""Rollouts after which a choice may be surely worse than another."""
DISCARDING, DRAWING = 0, 1
AFTER_WEIGHTS = W_READS + 1
P_ROLLOUTS, P_MARGIN, P_SHARE, P_AHEAD, P_ASTRAY, P_WAITS, P_OPPONENT, P_POINTS = range(AFTER_WEIGHTS, AFTER_WEIGHTS + 8)
P_GAIN, P_DRAW_MARGIN = DRAW, DRAW + 1
DEAR_HELD, READS = 0.8, 0.7
"""How likely an opponent holds a card dearer than the last discard, where it is not known how they discard."""


@njit
def enter(cards, costs, n, x, cost):
    """Enter a card in a list of ``n``, cheapest first, ``MOST`` at most; how many there are then."""
    at = n
    while at > 0 and costs[at - 1] > cost:
        if at < MOST:
            cards[at], costs[at] = cards[at - 1], costs[at - 1]
        at -= 1
    if at < MOST:
        cards[at], costs[at] = x, cost
        n = min(n + 1, MOST)
    return n


@njit
def within(costs, n, margin):
    """How many of a list of ``n`` costs, least first, are within ``margin`` of the least."""
    while n > 1 and costs[n - 1] > costs[0] + margin:
        n -= 1
    return n


@njit
def candidates(view, hand, banned, margin, cards, costs, params):
    """List the discards whose cost is within ``margin`` of the least, cheapest first, ``MOST`` at most; their number."""
    unseen, held = unseen_cards(view), view[V.OPP_HELD]
    discards, listed = weigh_discards(view, hand, banned, np.int64(0), unseen, params)
    n = 0
    while discards:
        x = discards & -discards
        discards ^= x
        cost = with_danger(view.view(np.float64)[L_COST + lane_of(x, listed)], x, unseen, held, 1e18, view, params)
        n = enter(cards, costs, n, x, cost)
    return within(costs, n, margin)


@njit
def _behind(i, best, worths, costs, done, share):
    """How much less choice ``i`` has come to than ``best``, and the standard error of that: all choices play the same cards."""
    total = squares = 0.0
    for r in range(done):
        more = worths[r, best] - worths[r, i]
        total += more
        squares += more * more
    mean = total / done
    return mean - share * (costs[best] - costs[i]), math.sqrt(max(squares / done - mean * mean, 0.0) / done)


@njit
def goes_on(order, n, most, worths, costs, done, share):
    """Sort the first ``n`` choices of ``order``, best first; keep the best ``most``, less what is surely worse than the first.

    Surely worse is what is two standard errors behind, once ``ENOUGH`` rollouts are done. Returns how many go on.
    """
    for k in range(1, n):
        at = k
        while at > 0 and _behind(order[at], order[at - 1], worths, costs, done, share)[0] < 0.0:
            order[at], order[at - 1] = order[at - 1], order[at]
            at -= 1
    kept = 1
    for k in range(1, most):
        less, error = _behind(order[k], order[0], worths, costs, done, share)
        if less <= 2.0 * error or done < ENOUGH:
            order[kept] = order[k]
            kept += 1
    return kept


@njit
def is_of_play(view):
    """Whether what is unseen is just the stock and the opponent's hand, as in all real play."""
    return popcount(unseen_cards(view)) == view[D.HAND_SIZE] - popcount(view[V.OPP_HELD]) + view[V.STOCK]


@njit_alloc
def best_choice(view, what, n, choices, costs, params):
    """The choice among the first ``n`` that does best when the hand is played on from it."""
    if n == 1 or not is_of_play(view):
        return choices[0]
    rollouts, done = np.int64(params[P_ROLLOUTS]), np.int64(0)
    stage = (rollouts + STAGES - 1) // STAGES
    t, plain = np.zeros((ROWS, V.SIZE), np.int64), np.zeros((2, PARAMS_SIZE))
    deck, stock, odds = np.zeros((3, 52), np.int64), np.zeros(52, np.int64), np.zeros(52)
    drawn, fits, hands = np.zeros(DRAWN * stage, np.int64), np.zeros(DRAWN * stage), np.zeros(stage, np.int64)
    order, worths = np.arange(n), np.zeros((stage * STAGES, n))
    set_players(t, plain, params[P_OPPONENT])
    believe(view, DEAR_HELD, READS)
    view[M_BELIEVED] = 0  # the look-ahead must not go on with these chances
    number, alias = spread(view, deck, odds)
    state = next_state(np.uint64(view[V.RANDOM]))
    view[V.RANDOM] = np.int64(state)
    while n > 1 and done < rollouts:
        state = likely_hands(view, deck, odds, number, alias, params[P_ASTRAY], params[P_WAITS], drawn, fits, hands, state)
        for hand in hands:
            state = shuffled_stock(view, hand, stock, state)
            for i in order[:n]:
                set_table(view, t, hand, stock, np.uint64(state))
                own = finish_turn(t, choices[i], params) if what == DISCARDING else own_turn(t, choices[i], params)
                if own == PLAYING:
                    play_out(t, np.int64(params[P_AHEAD]), params, plain)
                worths[done, i] = worth(view, t, params[P_POINTS] != 0.0)
            done += 1
        halves = n > 2 and done // stage % 2 == 0
        n = goes_on(order, n, (n + 1) // 2 if halves else n, worths, costs, done, params[P_SHARE])
    return choices[order[0]]


@njit_alloc
def discard_rollout(view, params):
    """The discard that does best in rollouts, among those of nearly the least cost."""
    if view[V.WALL]:  # the hand ends with this discard
        return discard_lookahead(view, params)
    cards, costs = np.zeros(MOST, np.int64), np.zeros(MOST)
    believe(view, params[W_KEPT_DEAR], params[W_READS])
    n = candidates(view, view[V.HAND], view[V.BANNED], params[P_MARGIN], cards, costs, params)
    return best_choice(view, np.int64(DISCARDING), n, cards, costs, params)


@njit_alloc
def draw_rollout(view, params):
    """Take the upcard or not as look-ahead says, or, where that shows little difference, as rollouts say."""
    if upcard_gives_gin(view):
        return np.int64(1)
    now, taken, _ = draw_costs(view, -1e18, params)
    gap = taken + params[P_GAIN] - now
    if abs(gap) > params[P_DRAW_MARGIN] or view[V.OFFER] or view[V.WALL]:
        return np.int64(gap <= 0.0)
    choices, costs = np.zeros(MOST, np.int64), np.zeros(MOST)
    choices[0], choices[1] = MUST_TAKE, MUST_DRAW
    costs[0] = gap
    return np.int64(best_choice(view, np.int64(DRAWING), np.int64(2), choices, costs, params) == MUST_TAKE)


FOR_POINTS = Param("for_points", 0, 0, 1, "1: rollouts are judged by points; 0: by the chance of winning the game")
_GAIN = next(decision for decision in LOOKAHEAD if decision.kind == "draw").params
_WEIGHTS = next(decision for decision in LOOKAHEAD if decision.kind == "discard").params

ROLLOUT = (
    Decision(
        "draw",
        "rollout",
        draw_rollout,
        (*_GAIN, Param("draw_margin", 3, 0, 1000, "rollouts decide where the costs of both choices differ by no more than this")),
        needs=("rollout",),
        version=2,
    ),
    Decision(
        "discard",
        "rollout",
        discard_rollout,
        (
            *_WEIGHTS,
            Param("rollouts", 128, 1, 1_000_000, "how many times each choice is played to the end of the hand"),
            Param("margin", 8, 0, 1000, "only discards whose cost is within this of the least are played out"),
            Param("share", 0.008, 0, 10, "how much of a choice's look-ahead cost is taken off what it won in rollouts"),
            Param("ahead", 2, 0, 100, "own turns of a rollout that are played with look-ahead; the others are played plainly"),
            Param("astray", 0.05, 0, 1, "chance that the opponent's last discard was not their best"),
            Param("waits", 0.05, 0, 1, "chance that an opponent who could have knocked did not"),
            Param("opponent_knock", 100, 0, 100, "most deadwood with which the opponent knocks in rollouts"),
            FOR_POINTS,
        ),
        needs=("window",),  # in rollouts too the player knocks by it
        version=2,
    ),
)
