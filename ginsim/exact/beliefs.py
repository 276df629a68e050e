"""What a fixed strategy does with every hand it may hold: the compiled part of an exact best response.

A *belief* is a list of worlds, one for each way in which the strategy may have come to where it is: its hand, what it keeps to
itself in its view (``KEPT`` slots), and a weight, the chance of all draws and random choices on the way. What both players see
lies in the engine's table, once for all worlds. The engine's own functions make every move.
"""

from __future__ import annotations

import functools
from typing import Any

import numba.types as nb
import numpy as np

from ginsim import layout as D
from ginsim.deals import mix, next_state
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import (
    ASK,
    DECK,
    MUST_TAKE,
    asked_to_discard,
    asked_to_knock,
    asked_to_take,
    discard_card,
    draw_card,
    first_knock,
    showdown,
    take_upcard,
)
from ginsim.games.gin.kernels import SLOTS
from ginsim.games.kernel import F2, I1, I2, compiled, interpreted
from ginsim.jit import njit
from ginsim.melds import deadwood

__all__ = ["KEPT", "MOST_TURNS", "OFFERED", "bins", "choices", "gain_of", "last_turn", "lay", "playing"]

MOST_TURNS = 8
"""Turns of both players, at most: their moves are kept in each world."""
NEAR, FAR = V.MEMORY_SIZE + 2 * MOST_TURNS, V.WORK - V.BELIEF
KEPT = NEAR + FAR
"""Slots of a world: the strategy's memory and its own moves, then what it believes."""
DRAWING, DISCARDING, KNOCKING = 0, 1, 2
OFFERED = 9
"""Beside the ways in which a turn's draw goes: only whether the upcard is taken, at its offer."""
F1, I3 = nb.float64[::1], nb.int64[:, :, ::1]
TOO_RANDOM, ILLEGAL = -1, -2
"""What stands for the number of answers if a decision draws random numbers that cannot be counted, or answers wrongly."""


@functools.cache
def bins(most: int) -> np.ndarray:
    """States of a random stream, one for each part of a draw: the choice among n ≤ ``most`` is exact if all are gone through.

    The first random number from state k lies in part k of as many equal parts as the least common multiple of 1 … ``most``,
    so that each of n choices is made from 1 in n of the states.
    """
    parts = int(np.lcm.reduce(np.arange(1, most + 1)))
    found: dict[int, int] = {}
    state = 1
    while len(found) < parts:
        state += 1
        word = int(mix(next_state(np.uint64(state)))) >> 32
        part, at = divmod(word * parts, 1 << 32)
        if (1 << 30) < at < 3 << 30:  # not at an edge, where another word might be asked for
            found.setdefault(part, state)
    return np.array([found[part] for part in range(parts)], np.int64)


@njit
def lay(view, hand, kept):
    """Give a view what belongs to one world."""
    view[V.HAND] = hand
    for i in range(NEAR):
        view[V.MEMORY + i] = kept[i]
    for i in range(FAR):
        view[V.BELIEF + i] = kept[NEAR + i]


@njit
def _keep(view, kept):
    """Note what belongs to a world."""
    for i in range(NEAR):
        kept[i] = view[V.MEMORY + i]
    for i in range(FAR):
        kept[NEAR + i] = view[V.BELIEF + i]


@njit
def _same(kept, other):
    """Whether two worlds keep the same."""
    for i in range(KEPT):  # noqa: SIM110 - compiled
        if kept[i] != other[i]:
            return False
    return True


@njit
def choices(s, player, kind, given, slots, hand, card, left, room):
    """All answers of a decision with their chances, and what the player keeps after each; returns how many there are.

    ``given`` has the parameters, the states of `bins`, and which decisions are countable; ``hand``, ``card`` and ``left`` are the
    cards kept, the discard and the deadwood, at the knock. Fills the rows ``kind`` of ``room``. TOO_RANDOM if a decision that is
    not countable draws random numbers.
    """
    params, states, countable = given
    answers, odds, after = room[1][kind], room[2][kind], room[3][kind]
    view, before = s[player], after[after.shape[0] - 1]
    _keep(view, before)
    found, held = 0, view[V.HAND]
    for k in range(states.size):
        if k > 0:
            lay(view, held, before)
        view[V.RANDOM] = states[k]
        if kind == DRAWING:
            answer = asked_to_take(s, player, params, slots)
        elif kind == DISCARDING:
            answer = asked_to_discard(s, player, params, slots)
        else:
            answer = asked_to_knock(s, player, params, slots, hand, card, left)
        drawn = view[V.RANDOM] != states[k]
        if drawn and not countable[kind]:
            return TOO_RANDOM
        share = 1.0 / states.size if drawn else 1.0
        at = found
        own = after[found]
        _keep(view, own)
        for i in range(found):
            if answers[i] == answer and _same(after[i], own):
                at = i
        if at == found:
            answers[found], odds[found] = answer, 0.0
            found += 1
            if found == after.shape[0] - 1:
                return TOO_RANDOM
        odds[at] += share
        if not drawn:
            return found
    return found


@njit
def _points(view, hand, defender, pile, left):
    """Points of a knock to the knocker, below 0 for an undercut."""
    ending, gain, _, _, _ = showdown(hand, defender, pile, left, H.GIN if left == 0 else H.KNOCKED, view)
    return -gain if ending == H.UNDERCUT else gain


@njit
def gain_of(view, hand, card, hands, weights):
    """What a knock with ``hand``, having discarded ``card``, brings over all worlds, weighted."""
    left, total = deadwood(hand, view), 0.0
    for w in range(hands.size):
        total += weights[w] * _points(view, hand, hands[w], view[V.PILE] | card, left)
    return total


@njit
def _best_knock(view, hand, banned, without, hands, weights):
    """The most that a knock brings over the worlds in whose hand ``without`` is not; 0 if it is better not to knock."""
    best = 0.0
    rest = hand & ~banned
    while rest:
        card = rest & -rest
        rest ^= card
        left = deadwood(hand ^ card, view)
        if left <= view[R.LIMIT]:
            total = 0.0
            for w in range(hands.size):
                if hands[w] & without == 0:
                    total += weights[w] * _points(view, hand ^ card, hands[w], view[V.PILE] | card, left)
            best = max(best, total)
    return best


@njit
def last_turn(view, takes, draws, hands, weights):
    """What the best own turn brings, weighted over all worlds, if the hand ends with it; each way to draw only if it is allowed.

    After the upcard is taken it does not lie in the pile any more.
    """
    if view[V.TURN] < first_knock(view):
        return 0.0
    held, upcard, stock = view[V.HAND], view[V.UPCARD], view[V.STOCK]
    best = 0.0
    if takes:
        view[V.PILE] ^= upcard
        best = _best_knock(view, held | upcard, upcard if view[R.REDRAW_BAN] else np.int64(0), np.int64(0), hands, weights)
        view[V.PILE] ^= upcard
    if draws:
        total, rest = 0.0, view[D.FULL] & ~(held | view[V.PILE] | view[V.OPP_HELD])
        while rest:
            card = rest & -rest
            rest ^= card
            total += _best_knock(view, held | card, np.int64(0), card, hands, weights)
        best = max(best, total / stock)
    return best


@njit
def _copied(s, t, player):
    """Copy the view of a player, but for moves yet to come and what does not outlast a decision."""
    for slot in range(V.OWN_LOG + 2 * MOST_TURNS):
        s[player, slot] = t[player, slot]
    for slot in range(V.OPP_LOG, V.OPP_LOG + 2 * MOST_TURNS):
        s[player, slot] = t[player, slot]
    for slot in range(V.BELIEF, V.WORK):
        s[player, slot] = t[player, slot]


@njit
def _add(out, n, hand, view, weight, seen):
    """Enter a world; returns how many there are then."""
    hands, kept, weights, notes, _ = out
    hands[n], weights[n], notes[n] = hand, weight, seen
    _keep(view, kept[n])
    return n + 1


@njit
def _discards(s, player, other, weight, took, given, slots, room, out, n):
    """All ways in which the strategy ends a turn in one world, where it has drawn; returns how many worlds there are then."""
    tables, answers, odds, after = room
    view, v, none = s[player], tables[2], np.int64(0)
    held = view[V.HAND]
    found = choices(s, player, DISCARDING, given, slots, none, none, none, room)
    for i in range(found):
        card = answers[DISCARDING, i]
        if card <= 0 or card & (card - 1) or card & ~held or card & view[V.BANNED]:
            return ILLEGAL
        _copied(v, s, player)
        lay(v[player], held, after[DISCARDING, i])
        hand = held ^ card
        left = deadwood(hand, view)
        knocks = choices(v, player, KNOCKING, given, slots, hand, card, left, room)
        for k in range(knocks):
            answer, share = answers[KNOCKING, k], weight * odds[DISCARDING, i] * odds[KNOCKING, k]
            if answer == 1:
                out[4][0] += share * _points(view, hand, other, view[V.PILE] | card, left)
            elif answer != 0:
                return ILLEGAL
            else:
                _copied(v, s, player)
                lay(v[player], held, after[KNOCKING, k])
                discard_card(v, player, card)
                n = _add(out, n, hand, v[player], share, 2 * card + took)
        if knocks < 0:
            return knocks
    return n if found > 0 else found


@njit
def _draws(s, player, other, weight, took, given, slots, room, out, n):
    """All turns of the strategy in one world: with the upcard, or with each card of the stock; returns how many worlds."""
    view, u = s[player], room[0][1]
    rest = view[V.UPCARD] if took else view[D.FULL] & ~(other | view[V.HAND] | view[V.PILE])
    weight /= 1 if took else view[V.STOCK]
    while rest and n >= 0:
        card = rest & -rest
        rest ^= card
        _copied(u, s, player)
        if took:
            take_upcard(u, player)
        else:
            u[DECK][view[D.RANKS] * view[D.SUITS] - view[V.STOCK]] = card
            draw_card(u, player)
        n = _discards(u, player, other, weight, took, given, slots, room, out, n)
    return n


@njit
def replies(t, player, mode, given, slots, hands, kept, weights, room, out):
    """Play the strategy's next move in every world: an answer to the offer of the upcard, or a turn.

    ``mode`` is OFFERED, or how the turn's draw goes. Fills ``out``: hands, kept slots and weights of the worlds after it, what is
    seen of each (the discard, doubled, and 1 if the upcard was taken), and the points of the strategy's knocks, weighted.
    Returns how many worlds there are; TOO_RANDOM or ILLEGAL if there is no telling.
    """
    tables, answers, odds, after = room
    s, other, none, n = tables[0], t[1 - player, V.HAND], np.int64(0), 0
    view, offered = s[player], mode == OFFERED
    for w in range(hands.size):
        _copied(s, t, player)
        lay(view, hands[w], kept[w])
        if offered or mode == ASK:
            view[V.OFFER] = np.int64(offered)
            found = choices(s, player, DRAWING, given, slots, none, none, none, room)
            view[V.OFFER] = 0
        else:
            found, answers[DRAWING, 0], odds[DRAWING, 0] = 1, np.int64(mode == MUST_TAKE), 1.0
            _keep(view, after[DRAWING, 0])
        if found < 0:
            return found
        for i in range(found):
            took, weight = answers[DRAWING, i], weights[w] * odds[DRAWING, i]
            if took != 0 and took != 1:
                return ILLEGAL
            lay(view, hands[w], after[DRAWING, i])
            if offered:
                n = _add(out, n, hands[w], view, weight, took)
            else:
                n = _draws(s, player, other, weight, took, given, slots, room, out, n)
            if n < 0:
                return n
    return n


def playing(form: str) -> Any:
    """`replies` for a strategy of a form: compiled, decisions inlined or in slots, or interpreted for plain Python."""
    if form == "python":
        return interpreted(replies)
    given, room, out = nb.Tuple((F2, I1, I1)), nb.Tuple((I3, I2, F2, I3)), nb.Tuple((I1, I2, F1, I1, F1))
    slots = SLOTS if form == "slots" else nb.Tuple(())
    more = given, slots, I1, I2, F1, room, out
    return compiled(getattr(replies, "py_func", replies), nb.int64(I2, nb.int64, nb.int64, *more))
