"""Slots of the rules array of two-player gin, after those of the deck (``ginsim.layout``). Import it as ``R``: ``c[R.LIMIT]``."""

# One hand.
LIMIT = 9
GIN_BONUS = 10
UNDERCUT_BONUS = 11
BIG_GIN_BONUS = 12
"""-1: big gin is not played."""
OKLAHOMA = 13
"""0 off, 1 an ace means gin only, 2 an ace means a limit of one."""
SPADES_DOUBLE = 14
MIN_TURNS = 15
OFFER_RULE = 16
ELEVEN = 17
TIE = 18
"""0 undercut, 1 push, 2 knocker."""
LAYOFF = 19
"""0 optimal, 1 after_melds, 2 none."""
LAYOFF_ON_GIN = 20
STOCK_END = 21
"""0 dead_at_2, 1 dead_at_0, 2 last_discard, 3 reshuffle."""
REDRAW_BAN = 22

# Games and matches.
TARGET = 23
GAME_BONUS = 24
BOX_BONUS = 25
SHUTOUT = 26
"""0 none, 1 bonus_x2, 2 double_points, 3 double_total, 4 double_difference."""
NEXT_DEALER = 27
"""0 alternate, 1 loser, 2 winner."""
HOLLYWOOD = 28
"""0 off, 1 on, 2 on and the third column counts double."""
MAX_TURNS = 29

KNOCK_LIMIT = 30
"""The rule's limit; ``LIMIT`` is the one in force in the hand, which Oklahoma changes."""
