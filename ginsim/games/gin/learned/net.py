"""A net's answer for one choice, from the numbers and classes in the view's workspace and the weights behind the parameters."""

from __future__ import annotations

import numpy as np

from ginsim.games.gin.learned.layout import (
    CLASSES,
    FIRST,
    LAST,
    N_BEFORE,
    N_SHARED,
    NARROW,
    NUMBERS,
    OFFSETS,
    ROWS,
    SAME_RANK,
    SECOND,
    SKIP,
    W_CLASSES,
    W_FIRST,
    W_NUMBERS,
    W_SECOND,
    W_SHARED,
    WIDE,
)
from ginsim.jit import njit_lanes


@njit_lanes
def _add_row(to, at, row, x, f, params):
    """Add ``x`` times a row of the first layer."""
    first = at + FIRST + row * WIDE
    for j in range(WIDE):
        f[to + j] += x * params[first + j]


@njit_lanes
def begin(view, params, at):
    """What all choices of a decision share: the bias, the numbers ``SHARED``, and the classes of the decision."""
    f = view.view(np.float64)
    first = at + FIRST + ROWS * WIDE
    for j in range(WIDE):
        f[W_SHARED + j] = params[first + j]
    total = params[at + SKIP + ROWS]
    for k in range(N_SHARED, N_BEFORE):
        x = f[W_NUMBERS + k]
        _add_row(W_SHARED, at, k, x, f, params)
        total += x * params[at + SKIP + k]
    for k in range(OFFSETS + SAME_RANK + 1, CLASSES):
        row = view[W_CLASSES + k]
        if row >= 0:
            _add_row(W_SHARED, at, row, 1.0, f, params)
            total += params[at + SKIP + row]
    f[W_SHARED + WIDE] = total


@njit_lanes
def answer(view, params, at, before):
    """The output for a choice; ``before`` tells whether the numbers ``BEFORE`` are given."""
    f = view.view(np.float64)
    total = f[W_SHARED + WIDE]
    for j in range(WIDE):
        f[W_FIRST + j] = f[W_SHARED + j]
    for k in range(NUMBERS if before else N_SHARED):
        if k >= N_SHARED and k < N_BEFORE:
            continue
        x = f[W_NUMBERS + k]
        if x != 0.0:
            _add_row(W_FIRST, at, k, x, f, params)
            total += x * params[at + SKIP + k]
    for k in range(OFFSETS + SAME_RANK + 1):
        row = view[W_CLASSES + k]
        _add_row(W_FIRST, at, row, 1.0, f, params)
        total += params[at + SKIP + row]
    return total + _deeper(f, params, at)


@njit_lanes
def _deeper(f, params, at):
    """What the hidden layers add."""
    bias = at + SECOND + WIDE * NARROW
    for j in range(NARROW):
        f[W_SECOND + j] = params[bias + j]
    for i in range(WIDE):
        x = f[W_FIRST + i]
        if x > 0.0:
            row = at + SECOND + i * NARROW
            for j in range(NARROW):
                f[W_SECOND + j] += x * params[row + j]
    total = 0.0
    for j in range(NARROW):
        total += max(f[W_SECOND + j], 0.0) * params[at + LAST + j]
    return total
