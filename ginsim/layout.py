"""Slots that every array of rules or of a view begins with: the deck, and what a meld of it is. The meld functions read these.

Each game's ``layout`` goes on from here. Import it as ``D``: ``c[D.RANKS]``.
"""

WRAP_LOW = 0
"""Mask of the lowest two ranks of every suit of the deck if runs may turn the corner, else 0."""
RANKS = 1
B0 = 2
"""``B0 .. B3``: cards whose points have bit k set; points = sum of 2**k * popcount(h & B_k)."""
B1 = 3
B2 = 4
B3 = 5
FULL = 6
"""Mask of the whole deck."""
HAND_SIZE = 7
SUITS = 8

SIZE = 40
"""Length of the rules array; the slots above the last name are zero."""
