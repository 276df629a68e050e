"""Deals: a pure function of seed and index, every order equally likely, and the twin in plain integers agrees."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from ginsim import deals
from tests.oracle import rng
from tests.oracle.cards import Pack, to_mask

LANES = [deals.DECK_LANE, deals.SEAT_LANE, deals.SEAT_LANE + 1, deals.RESHUFFLE_LANE]
SEEDS = [0, 1, 7, 2**31, 2**63 - 1]
INDICES = [0, 1, 2, 10**6, deals.GAME_BASE, deals.GAME_BASE + 12345 * deals.HANDS_PER_GAME + 17]


def stream(seed: int, index: int, lane: int = deals.DECK_LANE) -> np.uint64:
    return np.uint64(deals.stream(np.int64(seed), np.int64(index), np.int64(lane)))


def deck(seed: int, index: int, ranks: int = 13, suits: int = 4) -> np.ndarray:
    cards = deals.base_deck(ranks, suits)
    deals.shuffle(cards, 0, cards.size, stream(seed, index))
    return cards


def orders(seed: int, count: int, size: int) -> np.ndarray:
    """``count`` shuffles of 0 … size - 1."""
    table = np.tile(np.arange(size), (count, 1))
    for index in range(count):
        deals.shuffle(table[index], 0, size, stream(seed, index))
    return table


def chance(counts: np.ndarray, expected: float, freedom: int) -> float:
    """Probability of a fit as bad as this (chi-square)."""
    statistic = ((counts - expected) ** 2).sum() / expected
    return float(stats.chi2.sf(statistic, freedom))


@pytest.fixture(scope="module")
def decks() -> np.ndarray:
    return orders(2024, 30_000, 52)


def test_base_deck() -> None:
    assert deals.base_deck().dtype == np.int64
    assert deals.base_deck().tolist() == [1 << (16 * suit + rank) for suit in range(4) for rank in range(13)]
    assert deals.base_deck(3, 2).tolist() == [1, 2, 4, 1 << 16, 1 << 17, 1 << 18]


def test_a_deal_is_a_pure_function() -> None:
    first = deck(7, 5)
    deck(7, 6), deck(8, 5)
    assert np.array_equal(deck(7, 5), first)
    assert sorted(first) == sorted(deals.base_deck())


def test_deals_differ() -> None:
    seen = {tuple(deck(seed, index)) for seed in SEEDS for index in INDICES}
    assert len(seen) == len(SEEDS) * len(INDICES)


def test_lanes_and_indices_differ() -> None:
    states = {stream(seed, index, lane) for seed in range(20) for index in range(50) for lane in LANES}
    assert len(states) == 20 * 50 * len(LANES)
    words = {rng.mix(int(state) + rng.GAMMA & rng.WORD) for state in states}
    assert len(words) == len(states)


@pytest.mark.parametrize("lane", LANES)
@pytest.mark.parametrize("seed", SEEDS)
def test_twin_streams(seed: int, lane: int) -> None:
    for index in INDICES:
        twin = rng.Stream(seed, index, lane)
        state = stream(seed, index, lane)
        assert int(state) == twin.state
        for _ in range(3):
            state = np.uint64(deals.next_state(state))
            assert int(deals.mix(state)) == twin.word()


@pytest.mark.parametrize(("ranks", "suits"), [(13, 4), (13, 2), (7, 4), (9, 3), (5, 2), (3, 4)])
def test_twin_decks(ranks: int, suits: int) -> None:
    for index in [*INDICES, *range(100, 300)]:
        twin = rng.deck(3, index, Pack(ranks, suits))
        assert deck(3, index, ranks, suits).tolist() == [to_mask([card]) for card in twin]


@pytest.mark.parametrize("size", range(2, 53))
def test_shuffle_permutes_its_span_and_nothing_else(size: int) -> None:
    for first in (0, 1, 5):
        cards = np.arange(60)
        deals.shuffle(cards, first, first + size, stream(size, first))
        assert sorted(cards[first : first + size]) == list(range(first, first + size))
        assert np.array_equal(np.delete(cards, slice(first, first + size)), np.delete(np.arange(60), slice(first, first + size)))


@pytest.mark.parametrize("size", [0, 1])
def test_nothing_to_shuffle(size: int) -> None:
    cards = np.arange(3)
    state = stream(1, 2)
    assert int(deals.shuffle(cards, 1, 1 + size, state)) == int(state)
    assert cards.tolist() == [0, 1, 2]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_all_orders_are_equally_likely(size: int) -> None:
    count = 40 * math.factorial(size) + 2000
    places = {order: i for i, order in enumerate(permutations(range(size)))}
    counts = np.bincount([places[tuple(order)] for order in orders(11, count, size)], minlength=len(places))
    assert chance(counts, count / len(places), len(places) - 1) > 1e-3


def test_every_card_is_equally_likely_everywhere(decks: np.ndarray) -> None:
    counts = np.array([np.bincount(place, minlength=52) for place in decks.T])
    # A deck fills one cell in every row and every column: 51 * 51 degrees of freedom, each of variance n / 51.
    statistic = ((counts - len(decks) / 52) ** 2).sum() / (len(decks) / 51)
    assert 1e-3 < stats.chi2.sf(statistic, 51 * 51) < 1 - 1e-3


@pytest.mark.parametrize(("one", "other"), [(0, 1), (3, 4), (0, 51), (20, 30), (50, 51)])
def test_pairs_of_places_are_independent(decks: np.ndarray, one: int, other: int) -> None:
    counts = np.zeros((52, 52))
    np.add.at(counts, (decks[:, one], decks[:, other]), 1)
    assert not counts.diagonal().any()
    assert chance(counts[~np.eye(52, dtype=bool)], len(decks) / (52 * 51), 52 * 51 - 1) > 1e-3


def test_neighbouring_deals_are_independent(decks: np.ndarray) -> None:
    counts = np.zeros((52, 52))
    np.add.at(counts, (decks[:-1, 0], decks[1:, 0]), 1)
    assert chance(counts, (len(decks) - 1) / 52**2, 52**2 - 1) > 1e-3


@pytest.mark.parametrize("n", [1, 2, 3, 7, 10, 52, 1000])
def test_below32(n: int) -> None:
    """In range, and unbiased: the first 2**32 % n fractions of the half word are refused."""
    halves = [0, 1, n, 2**31, 2**32 - 1, *range(12345, 2**32, 2**27)]
    for half in halves:
        index, fraction = rng.cut(half, n, 1 << 32)
        expected = index if fraction >= (1 << 32) % n else -1
        assert deals.below32(np.uint64(half << 32 | 0xDEADBEEF), n) == expected
        assert expected < n
