"""Melds, deadwood, discards, lay-offs on bit masks: the jitted core.

Every function takes ``c``, an int64 array whose first slots (``D.WRAP_LOW`` … ``D.FULL``) say what a run is and what a
card counts. A rules array will do, and so will a strategy's view: both start with those slots. Functions of many hands
at once are at the end.

Sets and runs meet only in *clash* cards, those that lie in a possible run and in a possible set. For every subset of the
clash cards kept out of the sets, the best sets and runs are closed form: all sets of what is left, then all runs of what
is left. The best arrangement is one of those few. Of a rank of three cards only one clash card needs to be asked about: its
set is there or not, whichever of the three lie in runs.
"""

from __future__ import annotations

from ginsim import layout as D
from ginsim.jit import njit, njit_inline, popcount

MANY = 1 << 20  # more than any deadwood


@njit_inline
def meld_constants(c):
    """The slots that say what a meld is and what a card counts: loops that write to the view need not read them anew."""
    return c[D.WRAP_LOW], c[D.RANKS], c[D.B0], c[D.B1], c[D.B2], c[D.B3], c[D.FULL]


@njit
def points(h, c):
    """Points of all cards of ``h``."""
    return popcount(h & c[D.B0]) + 2 * popcount(h & c[D.B1]) + 4 * popcount(h & c[D.B2]) + 8 * popcount(h & c[D.B3])


@njit
def run_cards(h, c):
    """Cards of ``h`` that lie in some run of it; all of them can lie in runs at once."""
    around = c[D.WRAP_LOW]
    e = h | ((h & around) << c[D.RANKS])
    start = e & (e >> 1) & (e >> 2)
    r = start | (start << 1) | (start << 2)
    return (r | ((r >> c[D.RANKS]) & around)) & h


@njit_inline
def turned(h, suits):
    """The cards ``h`` moved on by so many suits (1, 2 or 3), clubs to spades: one machine instruction."""
    by = 16 * suits
    return (h & (1 << 64 - by) - 1) << by | h >> 64 - by & (1 << by) - 1


@njit
def set_cards(h):
    """Cards of ``h`` that lie in some set of it; all of them can lie in sets at once."""
    two = h & turned(h, 1)
    three = two & turned(two, 1)
    return (three | turned(three, 2) | turned(three, 3)) & h


@njit
def loose_cards(h, kept_out, c):
    """Unmatched cards of ``h`` if the cards ``kept_out`` may lie in runs only."""
    rest = h & ~set_cards(h & ~kept_out)
    return rest & ~run_cards(rest, c)


@njit
def clash_cards(h, c):
    """Cards of ``h`` that lie in a possible run and in a possible set."""
    return run_cards(h, c) & set_cards(h)


@njit
def asked_about(h, clash):
    """``(asked, joint)``: the clash cards of which every subset is tried, and those of ranks with three cards."""
    two = h & turned(h, 1)
    joint = clash & ~(two & turned(two, 2))
    return clash & ~(joint >> 16 | joint >> 32 | joint >> 48), joint


@njit
def with_rank(chosen, joint):
    """The clash cards kept out if those ``chosen`` of the cards asked about are: with one of ``joint`` all of its rank."""
    return chosen | (chosen >> 16 | chosen >> 32 | chosen >> 48) & joint


@njit
def deadwood(h, c):
    """Least deadwood of the hand ``h``."""
    runs = run_cards(h, c)
    sets = set_cards(h)
    clash = runs & sets
    if clash == 0:
        return points(h & ~(runs | sets), c)
    best = MANY
    asked, joint = asked_about(h, clash)
    chosen = asked
    while True:
        best = min(best, points(loose_cards(h, with_rank(chosen, joint), c), c))
        if chosen == 0:
            return best
        chosen = (chosen - 1) & asked


@njit
def dearest(h, c):
    """``(cards, value)``: the cards of ``h`` worth most, and what one of them is worth (0 for no card)."""
    value = 0
    t = h & c[D.B3]
    if t:
        h = t
        value += 8
    t = h & c[D.B2]
    if t:
        h = t
        value += 4
    t = h & c[D.B1]
    if t:
        h = t
        value += 2
    t = h & c[D.B0]
    if t:
        h = t
        value += 1
    return h, value


@njit
def _discards_one_by_one(h, banned, c):
    best, cards = MANY, 0
    free = h & ~banned
    while free:
        card = free & -free
        free ^= card
        left = deadwood(h ^ card, c)
        if left < best:
            best, cards = left, card
        elif left == best:
            cards |= card
    return best, cards


@njit
def best_discards(h, banned, c):
    """``(deadwood, cards)``: the least deadwood after one discard, and all the discards that reach it.

    ``banned`` cards may not be discarded; if every card is banned the answer is ``(MANY, 0)``.

    In a given arrangement the best discards are the dearest unmatched cards, and breaking a meld is never better. Only
    where an arrangement has no unmatched card to give are the discards tried one by one.
    """
    runs = run_cards(h, c)
    sets = set_cards(h)
    clash = runs & sets
    if clash == 0:
        loose = h & ~(runs | sets)
        cards, value = dearest(loose & ~banned, c)
        if value == 0:
            return _discards_one_by_one(h, banned, c)
        return points(loose, c) - value, cards
    best, found = MANY, 0
    asked, joint = asked_about(h, clash)
    chosen = asked
    while True:
        loose = loose_cards(h, with_rank(chosen, joint), c)
        cards, value = dearest(loose & ~banned, c)
        if value == 0:
            return _discards_one_by_one(h, banned, c)
        left = points(loose, c) - value
        if left < best:
            best, found = left, cards
        elif left == best:
            found |= cards
        if chosen == 0:
            return best, found
        chosen = (chosen - 1) & asked


@njit_inline
def neighbours(h, c):
    """``(down2, down1, up1, up2)``: the cards of the deck one and two ranks below and above those of ``h``."""
    turn, around, full = c[D.RANKS], c[D.WRAP_LOW], c[D.FULL]
    top = around << (turn - 2)
    up1 = (h << 1) | ((h >> (turn - 1)) & around)
    up2 = (h << 2) | ((h >> (turn - 2)) & around)
    down1 = (h >> 1) | ((h << (turn - 1)) & top)
    down2 = (h >> 2) | ((h << (turn - 2)) & top)
    return down2 & full, down1 & full, up1 & full, up2 & full


@njit_inline
def makes_meld(h, c):
    """Cards outside ``h`` that would lie in a meld with cards of it."""
    down2, down1, up1, up2 = neighbours(h, c)
    runs = (up1 & up2) | (down1 & down2) | (up1 & down1)
    s, t, u = turned(h, 1), turned(h, 2), turned(h, 3)
    return (runs | s & t | s & u | t & u) & c[D.FULL] & ~h


@njit
def joins_meld(h, card, c):
    """Whether ``card`` lies in some meld of ``h | card``."""
    h |= card
    return ((run_cards(h, c) | set_cards(h)) & card) != 0


@njit
def grow_runs(runs, cards, c):
    """``runs`` with all of ``cards`` laid on their ends, chained as far as it goes."""
    low = c[D.WRAP_LOW]
    turn = c[D.RANKS] - 1
    while True:
        beside = (runs << 1) | (runs >> 1) | ((runs & low) << turn) | ((runs >> turn) & low)
        grown = runs | (beside & cards)
        if grown == runs:
            return runs
        runs = grown


@njit
def fourth_cards(sets):
    """Cards that could be laid on ``sets`` (cards lying in sets of three or four), in the deck or not."""
    return (turned(sets, 1) | turned(sets, 2) | turned(sets, 3)) & ~sets


@njit
def exposure(sets, runs, held, c):
    """Points of the cards among ``held`` that can be laid off on these melds."""
    return points((fourth_cards(sets) & held) | (grow_runs(runs, held, c) & ~runs), c)


@njit
def knocker_melds(h, held, c):
    """``(sets, runs)`` with which to knock: least deadwood, then least exposure to ``held``.

    ``held`` are the cards that the defender may hold.
    """
    asked, joint = asked_about(h, clash_cards(h, c))
    best, least, best_sets, best_runs = MANY, MANY, 0, 0
    chosen = asked
    while True:
        sets = set_cards(h & ~with_rank(chosen, joint))
        runs = run_cards(h & ~sets, c)
        left = points(h & ~(sets | runs), c)
        if left <= best:
            exposed = exposure(sets, runs, held, c)
            if left < best or exposed < least:
                best, least, best_sets, best_runs = left, exposed, sets, runs
        if chosen == 0:
            return best_sets, best_runs
        chosen = (chosen - 1) & asked


@njit
def _best_layoff(h, sets, runs, c):
    """Melds and lay-offs chosen together: every set of cards that can be laid off is tried."""
    fourth = fourth_cards(sets)
    fits = ((grow_runs(runs, h, c) & ~runs) | fourth) & h
    best, best_laid = deadwood(h, c), 0
    laid = fits & -fits
    while laid:
        if (((grow_runs(runs, laid, c)) | fourth) & laid) == laid:
            left = deadwood(h & ~laid, c)
            if left < best:
                best, best_laid = left, laid
        laid = (laid - fits) & fits
    return best, best_laid


@njit
def _layoff_after_melds(h, sets, runs, c):
    """The defender melds for least deadwood first, then lays off what is unmatched (best of equal meldings)."""
    least = deadwood(h, c)
    fourth = fourth_cards(sets)
    best, best_laid = MANY, 0
    asked, joint = asked_about(h, clash_cards(h, c))
    chosen = asked
    while True:
        loose = loose_cards(h, with_rank(chosen, joint), c)
        if points(loose, c) == least:
            laid = ((grow_runs(runs, loose, c) & ~runs) | fourth) & loose
            left = points(loose & ~laid, c)
            if left < best:
                best, best_laid = left, laid
        if chosen == 0:
            return best, best_laid
        chosen = (chosen - 1) & asked


@njit
def lay_off(h, sets, runs, mode, c):
    """``(deadwood, laid)`` of the defender ``h`` against melds ``sets`` and ``runs``; mode: 0 optimal, 1 after_melds, 2 none."""
    if mode == 0:
        return _best_layoff(h, sets, runs, c)
    if mode == 1:
        return _layoff_after_melds(h, sets, runs, c)
    return deadwood(h, c), 0


@njit
def _deadwood_without_clash(hands, c, out):
    """``out[i]`` = deadwood of ``hands[i]``, or -1 where cards clash; no branch, so that LLVM takes several at a time."""
    b0, b1, b2, b3 = c[D.B0], c[D.B1], c[D.B2], c[D.B3]
    for i in range(hands.size):
        h = hands[i]
        runs, sets = run_cards(h, c), set_cards(h)
        loose = h & ~(runs | sets)
        left = popcount(loose & b0) + 2 * popcount(loose & b1) + 4 * popcount(loose & b2) + 8 * popcount(loose & b3)
        out[i] = left if runs & sets == 0 else -1


@njit
def deadwood_many(hands, c, out):
    """``out[i] = deadwood(hands[i])``."""
    _deadwood_without_clash(hands, c, out)
    for i in range(hands.size):
        if out[i] < 0:
            out[i] = deadwood(hands[i], c)


@njit
def best_discards_many(hands, banned, c, out, cards):
    """``out[i], cards[i] = best_discards(hands[i], banned[i])``."""
    for i in range(hands.size):
        out[i], cards[i] = best_discards(hands[i], banned[i], c)


@njit
def outside(hands, deck):
    """First position of a hand that is no mask of cards of ``deck``, or -1."""
    for i in range(hands.size):
        if hands[i] & ~deck:
            return i
    return -1


__all__ = [
    "MANY", "best_discards", "best_discards_many", "clash_cards", "deadwood", "deadwood_many", "dearest", "exposure",
    "fourth_cards", "grow_runs", "joins_meld", "knocker_melds", "lay_off", "loose_cards", "makes_meld", "meld_constants",
    "neighbours", "outside", "points", "run_cards", "set_cards", "turned",
]  # fmt: skip
