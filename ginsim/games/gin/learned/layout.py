"""What the nets of a learned player are given, and how their weights lie behind its parameters.

A net sees *numbers* (scaled so that most lie between -1 and 1) and *classes*, each of which picks a row of the first layer. It
has two hidden layers of rectified units and, besides, a linear way from everything it is given to its one output.
"""

from __future__ import annotations

from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.gin import view as V

OWN = (
    "deadwood", "next_deadwood", "next_unmatched", "next_low", "reach", "unmatched", "outs", "outs_in_stock", "pairs",
    "neighbours", "gapped", "dearest", "danger", "danger_value", "cost", "value", "gin_outs",
)  # fmt: skip
"""Numbers of a discard and of the hand it leaves (outlook: see ``players.lookahead``)."""
COST = OWN.index("cost")
LATER = ("deadwood", "next_deadwood", "next_unmatched", "next_low", "danger", "cost")
"""Those of ``OWN`` that are given once more, multiplied by how far the hand has gone."""
SHARED = (
    "lateness", "stock", "last_discard", "mean_discard", "opponent_known", "opponent_took", "own_score", "opponent_score",
    "own_need", "opponent_needs", "starter", "limit",
)  # fmt: skip
"""Numbers that are the same for all choices of a decision."""
BEFORE = ("deadwood", "next_deadwood", "next_unmatched", "next_low", "reach", "unmatched", "outs", "outs_in_stock", "cost")
"""Numbers of the hand as it is, for the draw."""
N_OWN, N_LATER = 0, len(OWN)
N_SHARED = N_LATER + len(LATER)
N_BEFORE = N_SHARED + len(SHARED)
NUMBERS = N_BEFORE + len(BEFORE)

STATES = 9
"""Where a card is: not in the deck, own, known with the opponent, discarded by them on their first three turns, later, refused by
them in the last two turns, elsewhere in the pile, unseen and worth at most their last discard, unseen and worth more."""
OFFSETS, SAME_RANK, RANKS, TURNS, DEADWOOD, OFFER = 6, 3, 13, 13, 12, 3
R_NEAR = NUMBERS
"""Rows of the six cards up to three ranks away in suit, by offset and state, …"""
R_RANK = R_NEAR + OFFSETS * STATES
"""… of the three of the same rank, …"""
R_CARD = R_RANK + STATES
"""… of the rank of the card, …"""
R_TURN = R_CARD + RANKS
R_DEADWOOD = R_TURN + TURNS
R_OFFER = R_DEADWOOD + DEADWOOD
ROWS = R_OFFER + OFFER
CLASSES = OFFSETS + SAME_RANK + 4
"""Classes of a choice: near cards, cards of its rank, its own rank; then turn, deadwood, offer."""

WIDE, NARROW = 64, 32
"""Units of the hidden layers."""
FIRST, SKIP = 0, (ROWS + 1) * WIDE
"""Weights of a net: first layer (a row for everything that may be given, the last one its bias), linear way (the same rows), …"""
SECOND = SKIP + ROWS + 1
"""… second layer (a row for each unit of the first, the last one its bias), …"""
LAST = SECOND + (WIDE + 1) * NARROW
"""… and the weights of its units."""
NET = LAST + NARROW
STYLES = PARAMS_SIZE
"""How many styles follow, each with its nets: the second is for opponents who have been seen to knock late."""
DISCARD_NET, DRAW_NET, KNOCK_NET = (STYLES + 1 + k * NET for k in range(3))
NETS = ("discard", "draw", "knock")
WEIGHTS = 3 * NET
"""All weights of a style."""

# Workspace in the view.
W_SHARED = V.NOTES
"""What is shared by all choices of a decision: units of the first layer, then the linear way."""
W_FIRST = W_SHARED + WIDE + 1
W_SECOND = W_FIRST + WIDE
W_NUMBERS = W_SECOND + NARROW
"""Numbers of a choice (floats) and …"""
W_CLASSES = W_NUMBERS + NUMBERS
"""… its classes (rows, whole numbers; -1: none)."""
W_COSTS = W_CLASSES + CLASSES
W_DANGERS = W_COSTS + V.LANES
W_LOOSE = W_DANGERS + V.LANES
"""Unmatched cards that each discard leaves."""
W_KEPT_HAND = W_LOOSE + V.LANES
"""The hand kept by the discard that was chosen last, and its numbers and classes."""
W_KEPT_NUMBERS = W_KEPT_HAND + 1
W_KEPT_CLASSES = W_KEPT_NUMBERS + NUMBERS
W_END = W_KEPT_CLASSES + CLASSES
assert W_END <= V.NOTES + V.NOTES_SIZE
