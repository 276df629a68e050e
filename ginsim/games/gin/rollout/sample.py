"""Drawing the hidden cards: a hand of the opponent and an order of the stock, as likely as what was seen makes them."""

from __future__ import annotations

import numpy as np

from ginsim import layout as D
from ginsim.deals import below32, mix, next_state, shuffle
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.opponent import held_chance
from ginsim.games.gin.players.outlook import unseen_cards
from ginsim.jit import njit, njit_inline, popcount
from ginsim.melds import best_discards, deadwood, joins_meld

TRIES, ENOUGH = 200, 1.0
"""Hands drawn at most, and the sum of their fits that is enough."""
FLOOR = 0.01
"""Once a fit is below, the rest of the opponent's turns is not looked at."""
LEAST = 1e-9
"""What a hand that does not fit at all counts, for there may be no other."""
CARDS, KEEP, OTHER = range(3)
"""Rows of a deck to draw from: the unseen cards; how many of 2**32 words in the cell of each mean this card; which else."""
WHOLE, LOW = 1 << 32, np.uint64(0xFFFFFFFF)
_UNIT = 1.0 / (1 << 53)
_ELEVEN = np.uint64(11)


@njit
def fraction(word):
    """A random word (uint64) as a number from 0 up to 1."""
    return np.int64(word >> _ELEVEN) * _UNIT


@njit_inline
def _passed_card(view, k):
    """The discard of the player's that the opponent could have taken on turn ``k``; 0 if it was not one."""
    at = k if view[V.TURN] == view[V.OPP_TURN] else k - 1  # who moves first is a discard ahead
    return view[V.OWN_LOG + 2 * at + 1] if at >= 0 else np.int64(0)


@njit
def plausible(view, hand, astray, waits, least, state):
    """How well a hand goes with all that the opponent did, their hand being followed back turn by turn: ``(fit, state)``.

    The fit is a product of ``astray`` for each discard that was not among the best, each card taken without a meld and
    each refused that made one, and of ``waits`` for each turn on which they might have knocked. Which card was drawn from
    the stock is guessed. Below ``least`` the rest is not looked at.
    """
    fit, limit = 1.0, view[R.LIMIT]
    first_knock = view[R.MIN_TURNS] + (view[R.ELEVEN] & (1 - view[V.STARTER]))  # a first turn that only discards is none
    for k in range(view[V.OPP_TURN] - 1, -1, -1):
        took, discarded = view[V.OPP_LOG + 2 * k], view[V.OPP_LOG + 2 * k + 1]
        if k >= first_knock and deadwood(hand, view) <= limit:
            fit *= waits
        hand |= discarded
        if best_discards(hand, took if view[R.REDRAW_BAN] else np.int64(0), view)[1] & discarded == 0:
            fit *= astray
        if fit < least:
            return fit, state
        if took:
            hand ^= took
            if not joins_meld(hand, took, view):
                fit *= astray
        else:
            free = hand & ~_held_before(view, k)
            state = next_state(state)
            skip = np.int64(fraction(mix(state)) * popcount(free))
            for _ in range(skip):
                free &= free - 1
            hand ^= free & -free
            refused = _passed_card(view, k)
            if refused and joins_meld(hand, refused, view):
                fit *= astray
    return fit, state


@njit_inline
def _held_before(view, k):
    """Cards that the opponent had taken from the pile and not discarded when turn ``k`` began."""
    cards = np.int64(0)
    for i in range(k):
        cards = (cards | view[V.OPP_LOG + 2 * i]) & ~view[V.OPP_LOG + 2 * i + 1]
    return cards


@njit
def _alias(deck, odds, n):
    """Lay out a table to draw one of ``n`` cards by one random word; False where one card has a quarter of the odds or more.

    Each cell has a card of its own and another; the word says which cell, and which of the two. (Walker: New fast method for
    generating discrete random numbers with arbitrary frequency distributions, Electronics Letters 10, 1974.)
    """
    total = most = 0.0
    for i in range(n):
        total += odds[i]
        most = max(most, odds[i])
    if 4.0 * most >= total:
        return False
    keep, other = deck[KEEP], deck[OTHER]
    for i in range(n):
        keep[i], other[i] = np.int64(odds[i] / total * n * WHOLE), i
    less, more = 0, 0
    while True:
        while less < n and (keep[less] >= WHOLE or other[less] != less):
            less += 1
        while more < n and keep[more] <= WHOLE:
            more += 1
        if less >= n or more >= n:
            return True
        other[less] = more
        keep[more] -= WHOLE - keep[less]
        if keep[more] < WHOLE and more < less:
            less = more


@njit
def spread(view, deck, odds):
    """List the unseen cards and the odds that the opponent holds them: ``(their number, whether they are drawn by alias)``."""
    n = 0
    rest = unseen_cards(view)
    while rest:
        card = rest & -rest
        rest ^= card
        p = held_chance(card, view)
        deck[CARDS, n], odds[n] = card, max(p, 1e-6) / max(1.0 - p, 1e-3)
        n += 1
    return n, _alias(deck, odds, n)


@njit
def _by_alias(deck, n, hand, number, state):
    """Draw ``number`` cards into ``hand``, a card that is there already anew: ``(hand, state)``."""
    cards, keep, other = deck[CARDS], deck[KEEP], deck[OTHER]
    while number > 0:
        state = next_state(state)
        word = mix(state)
        cell = below32(word, n)
        if cell < 0:
            continue
        card = cards[cell] if np.int64(word & LOW) < keep[cell] else cards[other[cell]]
        if not card & hand:
            hand |= card
            number -= 1
    return hand, state


@njit
def _one_by_one(cards, odds, n, hand, number, state):
    """Draw ``number`` cards into ``hand`` and move them to the end of the list: ``(hand, state)``."""
    total = 0.0
    for i in range(n):
        total += odds[i]
    for _ in range(number):
        state = next_state(state)
        at, left = 0, fraction(mix(state)) * total
        while at < n - 1 and left >= odds[at]:
            left -= odds[at]
            at += 1
        n -= 1
        total -= odds[at]
        hand |= cards[at]
        cards[at], cards[n] = cards[n], cards[at]
        odds[at], odds[n] = odds[n], odds[at]
    return hand, state


@njit
def one_hand(view, deck, odds, n, alias, state):
    """Draw the opponent's unknown cards, each with a chance in proportion to its odds among those left: ``(hand, state)``."""
    hand = view[V.OPP_HELD]
    number = view[D.HAND_SIZE] - popcount(hand)
    if alias:
        return _by_alias(deck, n, hand, number, state)
    return _one_by_one(deck[CARDS], odds, n, hand, number, state)


@njit
def shuffled_stock(view, hand, cards, state):
    """Put the unseen cards that are not in ``hand`` into ``cards`` in an order for the stock; the state (uint64) after."""
    n = 0
    rest = unseen_cards(view) & ~hand
    while rest:
        card = rest & -rest
        rest ^= card
        cards[n] = card
        n += 1
    return shuffle(cards, np.int64(0), view[V.STOCK], np.uint64(state))


@njit
def sample(view, deck, odds, astray, waits, state):
    """Draw a hand of the opponent, and an order of the stock into the first of ``deck[CARDS]``: ``(hand, state)``.

    Hands are drawn until their fits come to ``ENOUGH``, and one of them is chosen by its share of that.
    `believe` must have written the chances of the cards to the view. ``deck`` (int64[3, 52]) and ``odds`` (float64[52]) are
    scratch, ``state`` (uint64) is that of the random stream.
    """
    n, alias = spread(view, deck, odds)
    hand, total = np.int64(0), 0.0
    for _ in range(TRIES):
        found, state = one_hand(view, deck, odds, n, alias, state)
        fit, state = plausible(view, found, astray, waits, FLOOR, state)
        total += fit
        state = next_state(state)
        if fraction(mix(state)) * total <= fit:
            hand = found
        if total >= ENOUGH:
            break
    return hand, shuffled_stock(view, hand, deck[CARDS], state)


@njit_inline
def _one_of(cards, state):
    """One of ``cards`` at random: ``(card, state)``."""
    state = next_state(state)
    for _ in range(np.int64(fraction(mix(state)) * popcount(cards))):
        cards &= cards - 1
    return cards & -cards, state


@njit
def wander(view, hand, fit, steps, astray, waits, state):
    """Exchange unknown cards of a hand of the opponent, one at a time, so that hands come up as often as they fit.

    Hands that fit well are rare: drawn at random they are hardly ever found once some turns have been played, and what is drawn
    is too weak. A Markov chain (Metropolis and others 1953) goes from hand to hand and finds them. Returns ``(hand, fit,
    state)``, for the chain to go on from.
    """
    held, unseen = view[V.OPP_HELD], unseen_cards(view)
    if hand == held or unseen & ~hand == 0:
        return hand, fit, state
    for _ in range(steps):
        out, state = _one_of(hand & ~held, state)
        into, state = _one_of(unseen & ~hand, state)
        state = next_state(state)
        wanted = fraction(mix(state)) * fit
        p, q = held_chance(into, view), held_chance(out, view)
        wanted *= max(q, 1e-6) * max(1.0 - p, 1e-3) / (max(p, 1e-6) * max(1.0 - q, 1e-3))
        found, state = plausible(view, hand ^ out ^ into, astray, waits, wanted, state)
        if found >= wanted:
            hand, fit = hand ^ out ^ into, max(found, LEAST)
    return hand, fit, state


@njit
def first_hidden(view, deck, odds, drawn, state):
    """The hand of the opponent from which `next_hidden` goes on: ``(hand, fit, state)``.

    ``drawn`` (float64[4]) are the chances that the opponent's discard was not the best for them, and that they waited with a
    knock; how many exchanges of cards lie between two hands, and before the first.
    """
    hand, state = sample(view, deck, odds, drawn[0], drawn[1], state)
    fit, state = plausible(view, hand, drawn[0], drawn[1], 0.0, state)
    return wander(view, hand, max(fit, LEAST), np.int64(drawn[3] - drawn[2]), drawn[0], drawn[1], state)


@njit
def next_hidden(view, deck, drawn, hand, fit, state):
    """Go on to the next hand, and draw an order of the stock into the first of ``deck[CARDS]``: ``(hand, fit, state)``."""
    hand, fit, state = wander(view, hand, max(fit, LEAST), np.int64(drawn[2]), drawn[0], drawn[1], state)
    return hand, fit, shuffled_stock(view, hand, deck[CARDS], state)


@njit
def likely_hands(view, deck, odds, n, alias, astray, waits, drawn, fits, hands, state):
    """Fill ``hands`` with hands of the opponent, each as often as its share of the fits of all ``drawn``; the state after.

    ``drawn`` (int64) and ``fits`` (float64) of one length are scratch: the hands that are drawn, and their fits summed up.
    Of a hand with a share of two and a half, two or three are taken (systematic resampling).
    """
    total = 0.0
    for i in range(len(drawn)):
        drawn[i], state = one_hand(view, deck, odds, n, alias, state)
        fit, state = plausible(view, drawn[i], astray, waits, FLOOR, state)
        total += max(fit, LEAST)
        fits[i] = total
    state = next_state(state)
    mark, step, at = fraction(mix(state)), total / len(hands), 0
    for i in range(len(hands)):
        while at < len(drawn) - 1 and fits[at] <= (i + mark) * step:
            at += 1
        hands[i] = drawn[at]
    return state
