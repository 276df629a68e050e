"""Positions in the flat arrays that the jitted code reads: one name for each slot, nothing else.

``R_*`` are positions in the int64 array of ``Rules.array()``. The first nine describe the deck and
what a meld is; they are all that the meld code needs.
"""

# The deck and its melds.
R_WRAP_LOW = 0
"""Mask of the lowest two ranks of every suit of the deck if runs may turn the corner, else 0."""
R_RANKS = 1
R_B0 = 2
"""``R_B0 .. R_B3``: cards whose points have bit k set; points = sum of 2**k * popcount(h & B_k)."""
R_B1 = 3
R_B2 = 4
R_B3 = 5
R_FULL = 6
"""Mask of the whole deck."""
R_HAND_SIZE = 7
R_SUITS = 8

# One hand.
R_LIMIT = 9
R_GIN_BONUS = 10
R_UNDERCUT_BONUS = 11
R_BIG_GIN_BONUS = 12
"""-1: big gin is not played."""
R_OKLAHOMA = 13
"""0 off, 1 an ace means gin only, 2 an ace means a limit of one."""
R_SPADES_DOUBLE = 14
R_MIN_TURNS = 15
R_OFFER_RULE = 16
R_ELEVEN = 17
R_TIE = 18
"""0 undercut, 1 push, 2 knocker."""
R_LAYOFF = 19
"""0 optimal, 1 after_melds, 2 none."""
R_LAYOFF_ON_GIN = 20
R_STOCK_END = 21
"""0 dead_at_2, 1 dead_at_0, 2 last_discard, 3 reshuffle."""
R_REDRAW_BAN = 22

# Games and matches.
R_TARGET = 23
R_GAME_BONUS = 24
R_BOX_BONUS = 25
R_SHUTOUT = 26
"""0 none, 1 bonus_x2, 2 double_points, 3 double_total, 4 double_difference."""
R_NEXT_DEALER = 27
"""0 alternate, 1 loser, 2 winner."""
R_HOLLYWOOD = 28
"""0 off, 1 on, 2 on and the third column counts double."""
R_MAX_TURNS = 29

R_KNOCK_LIMIT = 30
"""The rule's limit; ``R_LIMIT`` is the one in force in the hand, which Oklahoma changes."""

RULES_SIZE = 40
"""Length of the rules array; the slots above the last name are zero."""
