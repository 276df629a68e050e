"""The compiled loops over recorded hands: regrets, best replies, values, rules. The arrays are those of ``game.KnockGame``."""

from __future__ import annotations

import numpy as np

from ginsim.jit import njit

__all__ = [
    "MOST_ROWS", "add_gains", "add_regrets", "add_results", "add_rules", "add_worth", "begin_values", "fill_chances",
    "fill_firsts", "fill_reach", "hand_values",
]  # fmt: skip

MOST_ROWS = 512
"""More than the rows of any hand."""


@njit
def add_regrets(starts, side, cell, payoff, knock, player, epsilon, first, end, scratch, regrets, reached):
    """Add the weighed gain of knocking over going on, and the own chance to get there, to the cells of ``player``."""
    own, theirs = scratch[0], scratch[1]
    sign = 1.0 if player == 0 else -1.0
    for hand in range(first, end):
        at, last = starts[hand], starts[hand + 1] - 1
        a = b = 1.0
        for row in range(at, last):
            own[row - at], theirs[row - at] = a, b
            stays = 1.0 - knock[cell[row]]
            if side[row] == player:
                a *= stays
            else:
                b *= stays
        value = np.float64(payoff[last])
        for row in range(last - 1, at - 1, -1):
            c, here = cell[row], np.float64(payoff[row])
            if side[row] == player:
                chance = own[row - at]
                regrets[c] += sign * (here - value) * theirs[row - at] * (epsilon + (1.0 - epsilon) * chance)
                reached[c] += chance
            value += knock[c] * (here - value)


@njit
def hand_values(starts, payoff, knock, first, end, out):
    """What each hand is worth to side 0 if each row knocks with the chance ``knock``."""
    for hand in range(first, end):
        at, last = starts[hand], starts[hand + 1] - 1
        value = np.float64(payoff[last])
        for row in range(last - 1, at - 1, -1):
            value += knock[row] * (payoff[row] - value)
        out[hand] = value


@njit
def fill_reach(starts, knock, first, end, reach):
    """The chance that a hand gets to each row if all rows knock with the chance ``knock``."""
    for hand in range(first, end):
        chance = 1.0
        for row in range(starts[hand], starts[hand + 1]):
            reach[row] = chance
            chance *= 1.0 - knock[row]


@njit
def fill_chances(side, cell, own, theirs, player, first, end, out):
    """The chance that each row knocks: of ``player`` by a chart, of the other side as given."""
    for row in range(first, end):
        out[row] = theirs[row] if side[row] != player else own[cell[row]] if cell[row] >= 0 else 1.0


@njit
def begin_values(starts, payoff, first, end, at, value):
    """Start every hand at its end: the row that ``value`` is of, and the value."""
    for hand in range(first, end):
        at[hand] = starts[hand + 1] - 1
        value[hand] = payoff[at[hand]]


@njit
def add_gains(rows, hands, side, cell, payoff, own, theirs, player, reach, at, value, gains):
    """Add what knocking in each of ``rows`` brings above going on, times the chance to get there, to the gains of its cell.

    Each of ``hands`` is first followed back to just after the row, the own side knocking as ``own`` says (by cell).
    """
    sign = 1.0 if player == 0 else -1.0
    for k in range(rows.size - 1, -1, -1):
        row, hand = rows[k], hands[k]
        after = value[hand]
        for later in range(at[hand] - 1, row, -1):
            p = own[cell[later]] if side[later] == player else np.float64(theirs[later])
            after += p * (payoff[later] - after)
        at[hand], value[hand] = row + 1, after
        gains[cell[row]] += sign * (payoff[row] - after) * reach[row]


@njit
def add_worth(starts, side, cell, payoff, knock, first, end, scratch, sums):
    """Add the sums of ``Chart`` over hands in which all rows knock with the chance ``knock``."""
    for hand in range(first, end):
        at, last = starts[hand], starts[hand + 1] - 1
        reach = 1.0
        for row in range(at, last):
            scratch[row - at] = reach
            reach *= 1.0 - knock[row]
        value = np.float64(payoff[last])
        for row in range(last - 1, at - 1, -1):
            c, w = cell[row], scratch[row - at]
            x = (payoff[row] - value) * (1.0 if side[row] == 0 else -1.0)
            sums[0, c] += w
            sums[1, c] += w * w
            sums[2, c] += w * x
            sums[3, c] += w * w * x
            sums[4, c] += w * w * x * x
            value += knock[row] * (payoff[row] - value)


@njit
def fill_firsts(starts, side, payoff, theirs, player, first, end, worth):
    """What ``player`` gets who first knocks with each own row; in the last row of a hand: who never does."""
    sign = 1.0 if player == 0 else -1.0
    for hand in range(first, end):
        last, gone, reach = starts[hand + 1] - 1, 0.0, sign
        for row in range(starts[hand], last):
            if side[row] == player:
                worth[row] = gone + reach * payoff[row]
            else:
                gone += reach * theirs[row] * payoff[row]
                reach *= 1.0 - theirs[row]
        worth[last] = gone + reach * payoff[last]


@njit
def add_rules(starts, side, turn, cell, worth, player, early, late, first, end, got, sums):
    """Add to ``sums[t]`` what ``player`` gets by knocking as ``early`` says up to turn t, and as ``late`` says after it.

    ``got`` is room to work in.
    """
    latest = sums.size - 1
    for hand in range(first, end):
        last = starts[hand + 1] - 1
        got[:] = worth[last]
        for row in range(last - 1, starts[hand] - 1, -1):
            if side[row] == player:
                on = min(np.int64(turn[row]), latest)
                if early[cell[row]]:
                    got[on:] = worth[row]
                if late[cell[row]]:
                    got[:on] = worth[row]
        sums += got


@njit
def add_results(starts, cell, result, knock, part, first, end, out):
    """Add the chance that each hand ends with each result, knocking by a chart; hand h counts in row ``h // part`` of ``out``."""
    for hand in range(first, end):
        own = out[min(hand // part, out.shape[0] - 1)]
        reach, last = 1.0, starts[hand + 1] - 1
        for row in range(starts[hand], last):
            chance = reach * knock[cell[row]]
            own[result[row]] += chance
            reach -= chance
        own[result[last]] += reach
