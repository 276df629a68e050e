"""Slots of the rules array of the table game, after those of the deck (``ginsim.layout``). Import it as ``R``."""

from ginsim import layout as D

MOST_SEATS = 6

# Rules, from the first slot that the deck leaves free.
HAND_SIZE = D.HAND_SIZE
PLAYERS = D.SUITS + 1
MAX_PILE_DRAW = 10
BAN = 11
"""What may not be discarded: 0 all cards taken from the pile this turn, 1 only a single one."""
CLAIMS = 12
OUT = 13
"""0 either, 1 meld_only, 2 discard_required."""
MAX_RESHUFFLES = 14
MAX_TURNS = 15
BLOCKED = 16
"""0 void, 1 lowest."""
COUNT = 17
"""0 unmatched, 1 all_in_hand."""
TARGET = 18
HANDS = 19
"""Hands after which a game ends (0: to the target only)."""
