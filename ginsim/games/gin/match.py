"""Games to a target, jitted: who deals next, scores, boxes, game bonus, shutout, Hollywood's three columns.

``ginsim.games.gin.scoring`` is the readable form of the same scoring, for score sheets.
"""

from __future__ import annotations

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, MOST_WITHOUT_WINNER
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import layout as R
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import ENDED, FAILED, RECORD, new_deck
from ginsim.jit import njit

# One row a column of the score sheet: points and boxes of both players, and whether it is closed.
C_POINTS, C_BOXES, C_CLOSED, COLUMN_SIZE = 0, 2, 4, 5
COLUMNS = 3


@njit
def settle_column(column, winner, rules):
    """Margin by which ``winner``, who reached the target, wins a column (RULES: match scoring)."""
    loser = 1 - winner
    shutout = rules[R.SHUTOUT] if column[C_BOXES + loser] == 0 else 0
    hand_points = column[C_POINTS + winner] * (2 if shutout == 2 else 1)
    bonus = rules[R.GAME_BONUS] * (2 if shutout == 1 else 1)
    total = hand_points + rules[R.BOX_BONUS] * column[C_BOXES + winner] + bonus
    if shutout == 3:
        total *= 2
    margin = total - column[C_POINTS + loser] - rules[R.BOX_BONUS] * column[C_BOXES + loser]
    return margin * 2 if shutout == 4 else margin


@njit
def enter_result(sheet, reach, winner, gain, rules):
    """Enter a won hand into the open columns; returns the margin, from player 0's side, of the columns it closes."""
    last = 0
    if rules[R.HOLLYWOOD]:
        lowest = 0
        while sheet[lowest, C_CLOSED]:
            lowest += 1
        reach[winner] = min(COLUMNS, max(reach[winner] + 1, lowest + 1))
        last = reach[winner] - 1
    net = 0
    for k in range(last + 1):
        column = sheet[k]
        if column[C_CLOSED]:
            continue
        column[C_POINTS + winner] += gain
        column[C_BOXES + winner] += 1
        if column[C_POINTS + winner] >= rules[R.TARGET]:
            column[C_CLOSED] = 1
            margin = settle_column(column, winner, rules) * (2 if rules[R.HOLLYWOOD] == 2 and k == 2 else 1)
            net += margin if winner == 0 else -margin
    return net


@njit
def _show_scores(a, b, column):
    a[V.OWN_SCORE] = b[V.OPP_SCORE] = column[C_POINTS]
    b[V.OWN_SCORE] = a[V.OPP_SCORE] = column[C_POINTS + 1]
    a[V.OWN_BOXES] = b[V.OPP_BOXES] = column[C_BOXES]
    b[V.OWN_BOXES] = a[V.OPP_BOXES] = column[C_BOXES + 1]


@njit
def next_starter(starter, winner, rules):
    """Who acts first in the next hand; the dealer is the other one."""
    if winner < 0:
        return starter
    rule = rules[R.NEXT_DEALER]
    if rule == 0:
        return 1 - starter
    return winner if rule == 1 else 1 - winner


@njit
def remember(t):
    """Note for the hands to come on which of their turns a player has knocked without gin."""
    record = t[RECORD]
    knocker, ending = record[H.KNOCKER], record[H.ENDING]
    if knocker >= 0 and ending != H.GIN and ending != H.BIG_GIN:
        t[1 - knocker][V.OPP_KNOCKED] = max(t[1 - knocker][V.OPP_KNOCKED], t[knocker][V.TURN])


@njit
def play_game(play_one, t, seed, game, starter, params, slots, sheet, reach, out):
    """Play game number ``game`` of ``seed`` to its end and fill the game record ``out``.

    It is stopped as unfinished after ``MOST_WITHOUT_WINNER`` hands in a row that nobody won, or ``HANDS_PER_GAME`` in all.
    ``play_one`` plays a hand (`ginsim.games.gin.hand.play_hand` in the form wanted).
    """
    a, record = t[0], t[RECORD]
    for k in range(COLUMNS):
        for i in range(COLUMN_SIZE):
            sheet[k, i] = 0
    for i in range(G.SIZE):
        out[i] = 0
    reach[0] = reach[1] = 0
    out[G.FIRST_STARTER] = starter
    a[V.OPP_KNOCKED] = t[1][V.OPP_KNOCKED] = 0
    columns = COLUMNS if a[R.HOLLYWOOD] else 1
    current = in_vain = 0
    while current < columns and in_vain < MOST_WITHOUT_WINNER and out[G.HANDS] < HANDS_PER_GAME:
        index = GAME_BASE + game * HANDS_PER_GAME + out[G.HANDS]
        new_deck(t, seed, index)
        _show_scores(a, t[1], sheet[current])
        record[H.DEAL] = index
        status = play_one(t, seed, index, starter, params, slots)
        if status == FAILED:
            out[G.ERROR] = record[H.ERROR]
            return status
        out[G.HANDS] += 1
        winner = record[H.WINNER]
        in_vain = 0 if winner >= 0 else in_vain + 1
        remember(t)
        if winner >= 0:
            out[G.SCORED] += 1
            out[G.MARGIN] += enter_result(sheet, reach, winner, record[H.POINTS], a)
            while current < columns and sheet[current, C_CLOSED]:
                current += 1
        starter = next_starter(starter, winner, a)
    _close_game(sheet, columns, current, out)
    return ENDED


@njit
def _close_game(sheet, columns, current, out):
    """Who won, and the sums over the columns."""
    for k in range(columns):
        for player in range(2):
            out[G.POINTS + player] += sheet[k, C_POINTS + player]
            out[G.BOXES + player] += sheet[k, C_BOXES + player]
    out[G.WINNER] = -1
    if current < columns:
        out[G.UNFINISHED], out[G.MARGIN] = 1, 0
    elif columns == 1:
        out[G.WINNER] = 0 if sheet[0, C_POINTS] > sheet[0, C_POINTS + 1] else 1
        out[G.SHUTOUT] = 1 if sheet[0, C_BOXES] == 0 or sheet[0, C_BOXES + 1] == 0 else 0
    elif out[G.MARGIN] != 0:
        out[G.WINNER] = 0 if out[G.MARGIN] > 0 else 1
