"""What is legal at the table: melds, draws, plans and claims, each checked by itself and not by how a player found it.

Functions take ``c``, an array that starts with a rules array, as the state and the views do. ``sets``
and ``runs`` are all cards of the sets and of the runs on the table. A table run grows at its ends only, so what can be laid off
on runs is what can be reached from their cards, one neighbour after the other.

Some legal turn always exists. A player holds a card or more. From the stock: draw, meld nothing, discard any card, and one or
more are left, which suits every ``out_mode``. Where the stock is empty and the pile one card, that card is taken and an own one
discarded. Two or more cards may only be taken where `turn_exists`, and a claim is never forced.
"""

from __future__ import annotations

from ginsim import layout as D
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.jit import njit, popcount
from ginsim.melds import fourth_cards, grow_runs, joins_meld, run_cards, set_cards

_LANE = 0xFFFF
EITHER, MELD_ONLY, DISCARD_REQUIRED = 0, 1, 2


@njit
def is_meld(cards, c):
    """Whether all of ``cards`` are one meld."""
    ranks = (cards | (cards >> 16) | (cards >> 32) | (cards >> 48)) & _LANE
    if popcount(cards) < 3:
        return False
    if ranks & (ranks - 1) == 0:
        return True
    one_suit = cards == ranks or cards == ranks << 16 or cards == ranks << 32 or cards == ranks << 48
    before = ranks << 1
    if c[D.WRAP_LOW]:
        before |= ranks >> (c[D.RANKS] - 1)
    starts = ranks & ~before
    return one_suit and starts & (starts - 1) == 0


@njit
def reach(sets, runs, cards, c):
    """All of ``cards`` that can be laid off on the table, chained as far as it goes."""
    return ((grow_runs(runs, cards, c) & ~runs) | fourth_cards(sets)) & cards


@njit
def fewest_played(cards, must, sets, runs, c):
    """Fewest of ``cards`` (1 … 3) that get ``must``, one of them, onto the table; 0 if nothing does.

    A chain of three lay-offs is a run itself, so three are always enough.
    """
    if reach(sets, runs, must, c):
        return 1
    beside = reach(sets, runs, cards, c) & must
    if beside:
        near = cards & reach(sets, runs, cards & ~must, c)
        while near:
            card = near & -near
            near ^= card
            if reach(sets, runs, card, c) and reach(sets, runs, card | must, c) & must:
                return 2
        return 3
    return 3 if joins_meld(cards & ~must, must, c) else 0


@njit
def arranged(cards, kept_out, sets, runs, c):
    """``(own sets, chain, own runs, fourth)`` of ``cards`` if those ``kept_out`` lie in no new set.

    All sets of what is left, then everything that reaches the ends of table runs (``chain``), new runs, and what still fits
    table sets (``fourth``): no order plays more, as a card that reaches a table run takes its own neighbours along.
    """
    own_sets = set_cards(cards & ~kept_out)
    rest = cards & ~own_sets
    chain = grow_runs(runs, rest, c) & ~runs
    rest ^= chain
    own_runs = run_cards(rest, c)
    return own_sets, chain, own_runs, fourth_cards(sets) & rest & ~own_runs


@njit
def contested(cards, sets, runs, c):
    """Cards that lie in a possible set and could go elsewhere too."""
    in_sets = set_cards(cards)
    return in_sets & (run_cards(cards, c) | reach(sets, runs, cards, c)) if in_sets else in_sets


@njit
def all_played(cards, sets, runs, c):
    """Whether every one of ``cards`` can be melded or laid off together."""
    clash = contested(cards, sets, runs, c)
    kept_out = clash
    while True:
        own_sets, chain, own_runs, fourth = arranged(cards, kept_out, sets, runs, c)
        if cards == own_sets | chain | own_runs | fourth:
            return True
        if kept_out == 0:
            return False
        kept_out = (kept_out - 1) & clash


@njit
def banned_discards(taken, c):
    """Cards that may not be discarded after taking ``taken`` from the pile."""
    return taken if c[R.BAN] == 0 or taken & (taken - 1) == 0 else taken & 0


@njit
def turn_exists(hand, must, banned, sets, runs, c):
    """Whether a legal turn is left for ``hand``, of which ``must`` has to be played and ``banned`` may not be discarded."""
    free = hand & ~banned & ~must
    while free:
        card = free & -free
        free ^= card
        rest = hand ^ card
        fewest = fewest_played(rest, must, sets, runs, c)
        if fewest and (c[R.OUT] != MELD_ONLY or popcount(rest) > fewest):
            return True
    return c[R.OUT] != DISCARD_REQUIRED and all_played(hand, sets, runs, c)


@njit
def top_cards(s, depth):
    """The top ``depth`` cards of the pile."""
    cards = s[V.PILE] & 0
    for i in range(s[V.PILE_SIZE] - depth, s[V.PILE_SIZE]):
        cards |= s[V.PILE + i]
    return cards


@njit
def can_take(s, hand, depth):
    """Whether ``hand`` may take the top ``depth`` cards of a pile that has as many."""
    if depth == 1:
        return True
    deepest = s[V.PILE + s[V.PILE_SIZE] - depth]
    taken = top_cards(s, depth)
    if fewest_played(hand | taken, deepest, s[V.SETS], s[V.RUNS], s) == 0:
        return False
    return turn_exists(hand | taken, deepest, banned_discards(taken, s), s[V.SETS], s[V.RUNS], s)


@njit
def can_claim(s, hand, count, card):
    """Whether ``hand`` of ``count`` cards may claim the discard ``card``: by laying it off, or in a new meld."""
    if reach(s[V.SETS], s[V.RUNS], card, s):
        return True
    return (count > 2 or s[R.OUT] != DISCARD_REQUIRED) and joins_meld(hand, card, s)


@njit
def placed_cards(plan, s, cards):
    """Cards, out of ``cards``, that a plan puts on the table; -1 where it does what cannot be done.

    ``plan`` is a view of which only the plan's slots are read, ``s`` the state.
    """
    placed = cards & 0
    melds = s[V.MELDS]
    gap = False
    for i in range(V.MOST_MELDS):
        own = plan[V.PLAN_MELDS + i]
        if own == 0:
            gap = i >= melds
            continue
        if gap:  # new melds stand without gaps
            return -1
        if own & (placed | ~cards) or not is_meld(own | s[V.MELD + i] if i < melds else own, s):
            return -1
        placed |= own
    return placed


@njit
def legal_play(plan, s, hand, must, banned):
    """Whether a plan is legal after the draw: melds, lay-offs, ``must`` among them if it is a card, and the discard."""
    placed = placed_cards(plan, s, hand)
    if placed < 0 or must & ~placed:
        return False
    rest, card = hand & ~placed, plan[V.PLAN_DISCARD]
    if rest == 0:
        return card == 0 and s[R.OUT] != DISCARD_REQUIRED
    if card <= 0 or card & (card - 1) or card & ~rest or card & banned:
        return False
    return rest != card or s[R.OUT] != MELD_ONLY


@njit
def legal_claim(plan, s, hand, card):
    """Whether a plan is a legal claim of ``card``: it alone goes onto a meld, or into one new meld with own cards."""
    placed = placed_cards(plan, s, hand | card)
    if placed < 0 or not placed & card or plan[V.PLAN_DISCARD] != 0:
        return False
    changed = 0
    for i in range(V.MOST_MELDS):
        own = plan[V.PLAN_MELDS + i]
        changed += own != 0
        if i < s[V.MELDS] and own & ~card:
            return False
    return changed == 1 and (s[R.OUT] != DISCARD_REQUIRED or hand & ~placed != 0)


__all__ = [
    "DISCARD_REQUIRED", "EITHER", "MELD_ONLY", "all_played", "arranged", "banned_discards", "can_claim", "can_take", "contested",
    "fewest_played", "is_meld", "legal_claim", "legal_play", "placed_cards", "reach", "top_cards", "turn_exists",
]  # fmt: skip
