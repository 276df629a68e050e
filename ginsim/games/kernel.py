"""How the engines of all games are compiled: entry points, hands called through a pointer, and the same source interpreted."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any

import numba
import numba.types as nb

from ginsim.jit import njit

__all__ = ["DECISION", "compiled", "interpreted", "kernel", "pointed"]

I1, I2, F2 = nb.int64[::1], nb.int64[:, ::1], nb.float64[:, ::1]
DECISION = nb.int64(nb.int64[::1], nb.float64[::1])
HANDED = frozenset(("play_one", "slots", "function", "refill"))
"""Arguments of functions that are interpreted where decisions are: they, and what becomes a Python number beside them."""


def compiled(source: Callable[..., int], signature: Any) -> Any:
    """An entry point compiled for ``signature`` and nothing else; the source as it is where Numba is switched off."""
    if numba.config.DISABLE_JIT:
        return source
    dispatcher: Any = njit(source)
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def pointed(function: Any, signature: Any) -> Any:
    """A jitted function compiled for ``signature``, for kernels that call it through a pointer."""
    if not numba.config.DISABLE_JIT:
        function.compile(signature)
    return function


def interpreted(function: Any) -> Any:
    """The plain-Python source of a jitted function, and of all those between it and the decisions, which it calls."""
    made: dict[Any, Any] = {}

    def plain(jitted: Any) -> Any:
        source = getattr(jitted, "py_func", jitted)
        if source not in made:
            made[source] = types.FunctionType(source.__code__, names := dict(source.__globals__), source.__name__)
            for name in source.__code__.co_names:
                called = getattr(found := names.get(name), "py_func", found)
                if isinstance(called, types.FunctionType) and HANDED.intersection(inspect.signature(called).parameters):
                    names[name] = plain(found)
        return made[source]

    return plain(function)


def kernel(source: Callable[..., int], hand: Any, hand_type: Any, form: str, signature: Any, *more: Any) -> Any:
    """An entry point whose first argument plays a hand: ``hand``, compiled by itself for ``hand_type``, or interpreted.

    The arguments after it do ``more`` of the kind, each compiled in the same way.

    A hand is compiled by itself, and kernels call it through a pointer: the optimizer would otherwise go through all of it again
    for each kernel, and for each function between, which took most of a minute.
    """
    if form == "python":
        return functools.partial(interpreted(source), *map(interpreted, (hand, *more)))
    handed = [nb.FunctionType(hand_type)] * (1 + len(more))
    hands = [pointed(function, hand_type) for function in (hand, *more)]
    return functools.partial(compiled(source, nb.int64(*handed, *signature)), *hands)
