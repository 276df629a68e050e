"""Positions in the flat arrays of the table game: the rules, the state, a player's view, a plan.

The rules array starts with the slots of ``ginsim.layout`` that describe the deck and what a meld is, and so do the state and
the views: the meld functions take any of them.
"""

from ginsim.layout import R_HAND_SIZE, R_SUITS, RULES_SIZE

MOST_SEATS = 6
MOST_MELDS = 17
"""Of three cards each, from 52."""
MEMORY_SIZE = 16

# Rules, from the first slot that the deck leaves free.
T_HAND_SIZE = R_HAND_SIZE
T_PLAYERS = R_SUITS + 1
T_MAX_PILE_DRAW = 10
T_BAN = 11
"""What may not be discarded: 0 all cards taken from the pile this turn, 1 only a single one."""
T_CLAIMS = 12
T_OUT = 13
"""0 either, 1 meld_only, 2 discard_required."""
T_MAX_RESHUFFLES = 14
T_MAX_TURNS = 15
T_BLOCKED = 16
"""0 void, 1 lowest."""
T_COUNT = 17
"""0 unmatched, 1 all_in_hand."""
T_TARGET = 18

# What everybody at the table knows. Lists by seat hold MOST_SEATS entries.
S_TURN = RULES_SIZE
"""Turns completed in this hand, of all players."""
S_STOCK = S_TURN + 1
"""Cards left in the stock."""
S_RESHUFFLES = S_TURN + 2
S_PILE_SIZE = S_TURN + 3
S_MELDS = S_TURN + 4
"""Number of melds on the table."""
S_SETS = S_TURN + 5
"""All cards in sets on the table."""
S_RUNS = S_TURN + 6
"""All cards in runs on the table."""
S_COUNT = S_TURN + 7
"""By seat: cards in the hand."""
S_HELD = S_COUNT + MOST_SEATS
"""By seat: cards taken from the pile and still in the hand."""
S_TOOK = S_HELD + MOST_SEATS
"""By seat: all cards ever taken from the pile."""
S_CLAIMED = S_TOOK + MOST_SEATS
"""By seat: the cards claimed."""
S_DISCARDED = S_CLAIMED + MOST_SEATS
"""By seat: all cards ever discarded."""
S_REFUSED = S_DISCARDED + MOST_SEATS
"""By seat: cards that lay on top of the pile when the player drew from the stock."""
S_SCORE = S_REFUSED + MOST_SEATS
"""By seat: points in the game before this hand."""
S_MELD = S_SCORE + MOST_SEATS
"""Melds on the table as masks, in order of birth."""
S_PILE = S_MELD + MOST_MELDS
"""The discard pile as masks, bottom first."""
PUBLIC_END = S_PILE + 52

# What only the player knows, and what is asked.
V_SEAT = PUBLIC_END
V_HAND = V_SEAT + 1
V_TAKEN = V_SEAT + 2
"""At the play decision: cards taken from the pile this turn."""
V_DEEPEST = V_SEAT + 3
"""At the play decision: the card that must be melded or laid off this turn (0: none)."""
V_DRAWN = V_SEAT + 4
"""At the play decision: the cards drawn this turn, from wherever."""
V_BANNED = V_SEAT + 5
"""At the play decision: cards that may not be discarded."""
V_CARD = V_SEAT + 6
"""At the claim decision: the discard that may be claimed."""
V_RANDOM = V_SEAT + 7
"""State of the player's own random stream."""
V_MEMORY = V_SEAT + 8
"""Slots that belong to the strategy; zero at the start of a hand."""

# The plan, written by the play and claim decisions.
P_DISCARD = V_MEMORY + MEMORY_SIZE
"""The discard (0: none, all cards are melded or laid off)."""
P_MELDS = P_DISCARD + 1
"""What is added to each meld on the table; after the last of these, new melds."""
VIEW_SIZE = P_MELDS + MOST_MELDS
