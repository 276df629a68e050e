"""What is kept of many hands of the table game: integer sums over deals, each played once for each way of seating.

The sampling unit is the deal with all its plays; ``_sq`` are sums of squares of a deal's totals.
"""

from __future__ import annotations

import numpy as np

from ginsim.games.counting import add_games
from ginsim.games.table import gamerecords as G
from ginsim.games.table import layout as R
from ginsim.games.table import records as H
from ginsim.jit import njit

TURN_PARTS = 60
"""Own turns are kept in sixtieths: whole numbers for any number of players."""
MEASURED = (
    "points", "turns", "own_turns", "discard", "meld", "claim", "blocked", "lowest", "reshuffles",
    "claims", "pile_draws", "multi_draws", "extra_cards", "new_melds", "laid_off",
    *(f"seat_{seat}" for seat in range(R.MOST_SEATS)),
)  # fmt: skip
"""What is measured of every hand (``ginsim.games.table.game`` says it in words)."""
_COUNTED = (H.RESHUFFLES, H.CLAIMS, H.PILE_DRAWS, H.MULTI_DRAWS, H.EXTRA_CARDS, H.NEW_MELDS, H.LAID_OFF)
_SIZE = len(MEASURED)
_FIRST_COUNT, _SEATS = MEASURED.index("reshuffles"), MEASURED.index("seat_0")

TABLE_TALLY = (
    "pairs", "points", "points_sq", "single_sq",
    "won", "won_sq", "decided", "decided_sq", "won_decided", "starter", "starter_sq", "starter_decided",
    *(name if name != "points" else "winner_points" for name in MEASURED),
    *(f"{name if name != 'points' else 'winner_points'}_sq" for name in MEASURED),
    *(f"{ending}_{side}" for ending in H.ENDINGS for side in (0, 1)),
    *(f"{ending}_points_{side}" for ending in H.ENDINGS for side in (0, 1)),
)  # fmt: skip
"""Names of the sums of a comparison, from the side of the first strategy (0), over all its seats; a deal is a pair of plays."""
_MEASURED = TABLE_TALLY.index("winner_points")
_ENDING = TABLE_TALLY.index("discard_0")
_ENDING_POINTS = TABLE_TALLY.index("discard_points_0")


@njit
def add_measures(record, players, m):
    """Add the measures of a hand to ``m``."""
    winner = record[H.WINNER]
    ending = record[H.ENDING]
    m[0] += record[H.SCORE + winner] if winner >= 0 else 0
    m[1] += record[H.TURNS]
    m[2] += record[H.TURNS] * TURN_PARTS // players
    m[3 + ending] += 1
    for k in range(len(_COUNTED)):
        m[_FIRST_COUNT + k] += record[_COUNTED[k]]
    if winner >= 0:
        m[_SEATS + winner] += 1


@njit
def tally_table(records, rows, lineups, players, m, out):
    """Add hand records, ``len(lineups)`` a deal, to the tally of a comparison; ``m`` is scratch room for the measures."""
    plays = lineups.shape[0]
    for row in range(0, rows, plays):
        for k in range(_SIZE):
            m[k] = 0
        points = won = decided = starter = np.int64(0)
        for play in range(plays):
            r = records[row + play]
            add_measures(r, players, m)
            gain = np.int64(0)
            for seat in range(players):
                if lineups[play, seat] == 0:
                    gain += r[H.SCORE + seat]
            points += gain
            out[3] += gain * gain
            winner, side = r[H.WINNER], 0
            if winner >= 0:
                decided += 1
                starter += winner == 0
                side = lineups[play, winner]
                won += side == 0
                out[_ENDING_POINTS + 2 * r[H.ENDING] + side] += r[H.SCORE + winner]
            out[_ENDING + 2 * r[H.ENDING] + side] += 1
        out[0] += 1
        out[1] += points
        out[2] += points * points
        out[4] += won
        out[5] += won * won
        out[6] += decided
        out[7] += decided * decided
        out[8] += won * decided
        out[9] += starter
        out[10] += starter * starter
        out[11] += starter * decided
        for k in range(_SIZE):
            out[_MEASURED + k] += m[k]
            out[_MEASURED + _SIZE + k] += m[k] * m[k]


@njit
def tally_table_games(records, rows, lineups, players, m, out):
    """Add game records to a tally with the names ``GAME_TALLY``; the margin is the score of the first strategy's seats."""
    plays = lineups.shape[0]
    for row in range(0, rows, plays):
        won = decided = margin = hands = np.int64(0)
        for play in range(plays):
            r = records[row + play]
            if r[G.WINNER] >= 0:
                decided += 1
                won += lineups[play, r[G.WINNER]] == 0
                for seat in range(players):
                    if lineups[play, seat] == 0:
                        margin += r[G.SCORE + seat]
            hands += r[G.HANDS]
            out[9] += r[G.SCORED]
            out[12] += r[G.UNFINISHED]
        add_games(won, decided, margin, hands, out)


@njit
def measures_of(records, players, out):
    """The measures of each hand, into the rows of ``out``."""
    for row in range(records.shape[0]):
        add_measures(records[row], players, out[row])


__all__ = ["MEASURED", "TABLE_TALLY", "TURN_PARTS", "measures_of", "tally_table", "tally_table_games"]
