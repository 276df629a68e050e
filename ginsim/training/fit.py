"""Fitting the nets to branched decisions, by JAX and optax."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from ginsim.errors import InputError, said
from ginsim.games.gin.learned.branching import CHOICES
from ginsim.games.gin.learned.layout import BEFORE, CLASSES, COST, LAST, N_BEFORE, NARROW, NET, NUMBERS, ROWS, SECOND, SKIP, WIDE
from ginsim.training.data import NO_CLASS, Branches

__all__ = ["EPOCHS", "check_installed", "fit"]

EPOCHS, RATE, DECAY = 3, 1e-3, 0.3
BATCH = {"discard": 128, "draw": 384, "knock": 384}
COST_SLOPE = -0.55
"""Weight of the cost with which the linear way of a net begins."""


@contextmanager
def _two_threads() -> Iterator[None]:
    """JAX takes as many threads as there are cores when it starts, and the last digits of a fit depend on how many it has."""
    before = os.environ.get("NPROC")
    os.environ["NPROC"] = "2"
    try:
        yield
    finally:
        os.environ.pop("NPROC")
        if before is not None:
            os.environ["NPROC"] = before


def _jax() -> tuple[Any, Any]:
    try:
        import jax
        import optax

        with _two_threads():
            jax.devices()
    except ImportError:
        raise InputError("training needs JAX and optax: pip install 'ginsim[train]'") from None
    except Exception as error:  # such as versions that do not go together
        why = f"training needs JAX and optax, which cannot be imported ({type(error).__name__}: {said(error)})"
        raise InputError(f"{why}; install them again: pip install 'ginsim[train]'") from None
    return jax, optax


def check_installed() -> None:
    """Refuse to begin without what the fit needs.

    Raises
    ------
    InputError
        If JAX or optax is missing.
    """
    _jax()


def fit(branches: Branches, net: str, seed: int, passed: Callable[[], None] = lambda: None) -> np.ndarray:
    """The weights of a net, from scratch: float32[NET]; ``passed`` is called after each pass over the decisions."""
    jax, optax = _jax()
    inputs, values, mask = _arrays(branches, net)
    count = len(values)
    if count == 0 and net == "knock":  # straight gin: nobody is ever asked
        return np.zeros(NET, np.float32)
    if count < BATCH[net]:
        found = f"only {count:,} of the {len(branches.decisions):,} decisions that were played out are for the {net} net"
        raise InputError(f"rows: {found}, which needs at least {BATCH[net]:,}; give more rows, in another folder")
    rng = np.random.default_rng(seed)
    weights = _start(net, rng)
    steps = count // BATCH[net]
    schedule = optax.linear_schedule(RATE, 0.0, EPOCHS * steps)
    optimizer = optax.adamw(schedule, weight_decay=DECAY)
    state = optimizer.init(weights)
    epoch = _epoch(optimizer)
    for _ in range(EPOCHS):
        order = rng.permutation(count)[: steps * BATCH[net]].reshape(steps, BATCH[net]).astype(np.int32)
        weights, state = epoch(weights, state, order, inputs, values, mask)
        passed()
    return _flat(jax.device_get(weights))


def _arrays(branches: Branches, net: str) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray, np.ndarray]:
    """What is given of each decision's choices: (numbers, marked rows), values and which of them there are.

    A draw or a knock has one choice, to do it, whose value is what it gains.
    """
    chosen = branches.of(net)
    width = CHOICES if net == "discard" else 1
    places = np.minimum(np.arange(width)[None, :], chosen[:, 2:3] - 1)
    rows = chosen[:, 1:2] + places
    mask = (np.arange(width)[None, :] < chosen[:, 2:3]).astype(np.float32)
    values = branches.values[rows]
    if net != "discard":
        values = values - branches.values[chosen[:, 1:2] + 1]
    marks = np.zeros((*rows.shape, ROWS - NUMBERS), np.uint8)
    for column in range(CLASSES):
        classes = branches.classes[rows, column]
        given = np.nonzero(classes != NO_CLASS)
        marks[(*given, classes[given] - NUMBERS)] += 1  # no row is there twice in a column
    return (branches.numbers[rows], marks), values.astype(np.float32), mask


def _start(net: str, rng: np.random.Generator) -> dict[str, np.ndarray]:
    """The weights that a fit begins with."""
    first = rng.normal(0, np.sqrt(2 / 40), (ROWS, WIDE))
    second = rng.normal(0, np.sqrt(2 / WIDE), (WIDE, NARROW))
    last = rng.normal(0, 0.1 / np.sqrt(NARROW), NARROW)
    skip = np.zeros(ROWS)
    if net != "knock":
        skip[COST] = COST_SLOPE
    if net == "draw":
        skip[N_BEFORE + BEFORE.index("cost")] = -COST_SLOPE
    found = {"first": first, "first_bias": np.zeros(WIDE), "second": second, "second_bias": np.zeros(NARROW), "last": last}
    return {name: of.astype(np.float32) for name, of in (found | {"skip": skip, "skip_bias": np.zeros(1)}).items()}


def _output(weights: Any, numbers: Any, marks: Any) -> Any:
    import jax.numpy as jnp

    given = jnp.concatenate((numbers.astype(jnp.float32), marks.astype(jnp.float32)), axis=-1)
    first = jnp.maximum(given @ weights["first"] + weights["first_bias"], 0.0)
    second = jnp.maximum(first @ weights["second"] + weights["second_bias"], 0.0)
    return second @ weights["last"] + given @ weights["skip"] + weights["skip_bias"]


def _loss(weights: Any, numbers: Any, marks: Any, values: Any, mask: Any) -> Any:
    """Squared error of the differences between the choices of a decision, or of the one gain."""
    import jax.numpy as jnp

    error = values - _output(weights, numbers, marks)
    if values.shape[-1] > 1:
        error = error - (error * mask).sum(-1, keepdims=True) / mask.sum(-1, keepdims=True)
    return jnp.sum(mask * error**2) / jnp.sum(mask)


def _epoch(optimizer: Any) -> Any:
    """One pass over the decisions, in the order given: ``(weights, state)``."""
    import jax
    import optax

    @partial(jax.jit, donate_argnums=(0, 1))
    def epoch(weights: Any, state: Any, order: Any, inputs: Any, values: Any, mask: Any) -> Any:
        def step(carry: Any, of: Any) -> Any:
            weights, state = carry
            gradient = jax.grad(_loss)(weights, inputs[0][of], inputs[1][of], values[of], mask[of])
            updates, state = optimizer.update(gradient, state, weights)
            return (optax.apply_updates(weights, updates), state), None

        return jax.lax.scan(step, (weights, state), order)[0]

    return epoch


def _flat(weights: dict[str, np.ndarray]) -> np.ndarray:
    """Weights as they lie behind a player's parameters."""
    found = np.zeros(NET, np.float32)
    found[: ROWS * WIDE], found[ROWS * WIDE : SKIP] = np.ravel(weights["first"]), weights["first_bias"]
    found[SKIP : SKIP + ROWS], found[SKIP + ROWS] = weights["skip"], weights["skip_bias"][0]
    found[SECOND : SECOND + WIDE * NARROW] = np.ravel(weights["second"])
    found[SECOND + WIDE * NARROW : LAST], found[LAST:] = weights["second_bias"], weights["last"]
    return found
