"""Deal ``index`` of ``seed`` as a pure function: counter-based random streams and the shuffled deck.

Every deal has streams of its own, keyed by (seed, index, lane): one for the deck, one for each seat, one for reshuffles.
So no strategy can change the cards by drawing random numbers, and any worker can play any deal.

The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). Several
indices are cut out of one word without bias (Brackett-Rozinsky, Lemire: Batched ranged random integer generation, 2024).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.jit import njit

__all__ = [
    "DECK_LANE", "GAME_BASE", "GO_ON_LANE", "HANDS_PER_GAME", "MOST_DEALS", "MOST_SEED", "MOST_WITHOUT_WINNER", "RESHUFFLE_LANE",
    "SEAT_LANE", "base_deck", "below32",
    "draw_below", "mix", "next_state", "random_index", "shuffle", "stream",
]  # fmt: skip

DECK_LANE, SEAT_LANE, RESHUFFLE_LANE = 0, 1, 3  # the dealer's lane is SEAT_LANE + 1
GO_ON_LANE = 66
"""Reshuffles of a hand that is played on after it ended."""
MOST_DEALS = 1 << 36
"""Deals of a seed."""
MOST_SEED = 1 << 62
RANGES = {"deals": (1, MOST_DEALS), "games": (0, MOST_DEALS), "seed": (0, MOST_SEED)}
"""What studies take."""
GAME_BASE = 1 << 40  # hand h of game g is deal GAME_BASE + g * HANDS_PER_GAME + h
HANDS_PER_GAME = 1 << 12
MOST_WITHOUT_WINNER = 50
"""Hands in a row without a winner after which a game is stopped as unfinished."""

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_ONE, _TWO, _THREE, _FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
_SPAN = np.uint64(1 << 32)


@njit
def mix(z):
    """SplitMix64's finaliser: a bijection of the 64-bit words (uint64 in, uint64 out)."""
    z = (z ^ (z >> _S30)) * _M1
    z = (z ^ (z >> _S27)) * _M2
    return z ^ (z >> _S31)


@njit
def stream(seed, index, lane):
    """State (uint64) at which the stream of (seed, index, lane) starts."""
    key = mix(mix(np.uint64(seed) + _GAMMA) + np.uint64(index) * _GAMMA)
    return mix(key + np.uint64(lane) * _M1)


@njit
def next_state(state):
    """The state after ``state``; its random word is ``mix(next_state(state))``."""
    return state + _GAMMA


@njit
def below32(word, n):
    """Cut an index below ``n`` out of the upper half of ``word``; -1 asks for another word (keeps it unbiased)."""
    m = np.uint64(n)
    product = (word >> _S32) * m
    if (product & _LOW) < m and (product & _LOW) < _SPAN % m:
        return np.int64(-1)
    return np.int64(product >> _S32)


@njit
def draw_below(states, slot, n):
    """A random index 0 … n - 1 from the stream whose state (kept as int64) is in ``states[slot]``."""
    while True:
        state = next_state(np.uint64(states[slot]))
        states[slot] = np.int64(state)
        index = below32(mix(state), n)
        if index >= 0:
            return index


def random_index(states: Any, slot: int, n: Any) -> int:
    """As `draw_below`, for Python strategies; tells an ``n`` that is not a whole number from 1 to 2**31 - 1."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n < 1 << 31:
        raise InputError(f"random: {n!r} is not allowed; give a whole number from 1 to {(1 << 31) - 1}")
    return int(draw_below(states, slot, n))


@njit
def _swap_four(cards, p, half, n):
    """Fisher-Yates steps at ``p`` … ``p + 3`` of the ``n`` cards from ``p`` on; False asks for another half word."""
    b, c, d = n - _ONE, n - _TWO, n - _THREE
    x = half * n
    i = p + (x >> _S32)
    x = (x & _LOW) * b
    j = p + _ONE + (x >> _S32)
    x = (x & _LOW) * c
    k = p + _TWO + (x >> _S32)
    x = (x & _LOW) * d
    m = p + _THREE + (x >> _S32)
    product = n * b * c * d
    if (x & _LOW) < product and (x & _LOW) < _SPAN % product:
        return False
    cards[p], cards[i] = cards[i], cards[p]
    cards[p + _ONE], cards[j] = cards[j], cards[p + _ONE]
    cards[p + _TWO], cards[k] = cards[k], cards[p + _TWO]
    cards[p + _THREE], cards[m] = cards[m], cards[p + _THREE]
    return True


@njit
def shuffle(cards, first, last, state):
    """Shuffle ``cards[first:last]`` in place; four indices from each half word, the last three from a word each.

    Returns the state (uint64) after the words used.
    """
    p = np.uint64(first)
    n = np.uint64(last) - p
    word = np.uint64(0)
    fresh = True
    while n >= _FOUR:
        if fresh:
            state = next_state(state)
            word = mix(state)
        half = word >> _S32 if fresh else word & _LOW
        fresh = not fresh
        if _swap_four(cards, p, half, n):
            p += _FOUR
            n -= _FOUR
    while n > _ONE:
        state = next_state(state)
        i = below32(mix(state), n)
        if i >= 0:
            q = p + np.uint64(i)
            cards[p], cards[q] = cards[q], cards[p]
            p += _ONE
            n -= _ONE
    return state


def base_deck(ranks: int = 13, suits: int = 4) -> np.ndarray:
    """The deck in order, suits S H D C, ranks from the ace up, as card masks (int64[ranks * suits])."""
    return np.array([1 << (16 * suit + rank) for suit in range(suits) for rank in range(ranks)], dtype=np.int64)
