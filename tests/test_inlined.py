"""Functions that compiled code calls are optimised once, within the function that is called from Python."""

from __future__ import annotations

import gc
import pickle
from pathlib import Path

import numba
import numpy as np
import pytest

from ginsim import inlined, jit
from ginsim.deals import next_state
from ginsim.games.gin.rules import Rules
from ginsim.jit import njit, njit_inline
from ginsim.melds import deadwood

pytestmark = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")


@njit
def lowest(n):
    return n + 1


@njit
def unused_unless_odd(n, odd):
    return lowest(n) if odd else n


@njit_inline
def middle(n):
    return lowest(n) * 2


@njit
def entry(n):
    return unused_unless_odd(n, False) + middle(n)


@njit
def other_entry(n):
    return middle(n) + lowest(n)


@njit
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


@njit
def calls_factorial(n):
    return factorial(n)


@njit
def quotient(a, b=2):
    if b < 0:
        raise ValueError("b is below 0")
    return a // b


@njit
def calls_quotient(a, b):
    return quotient(a, b) + quotient(a)


def test_installed_numba_has_what_is_used() -> None:
    assert inlined.AVAILABLE


def test_what_is_called_is_compiled_by_itself_only_when_python_calls_it() -> None:
    for _ in range(2):
        assert entry(3) == 3 + 8
        assert other_entry(3) == 8 + 4
    assert not middle.overloads and not unused_unless_odd.overloads
    assert middle(3) == 8 and list(middle.overloads) == [(numba.int64,)]


def test_garbage_is_collected_again_afterwards() -> None:
    with pytest.raises(numba.TypingError):
        entry("no number")
    assert gc.isenabled() and "resolve_function_type" not in vars(entry.typingctx)


def test_what_operators_make_of_types_is_looked_up_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))  # compiled, not loaded

    @njit
    def sums(a, i):
        return a[i] + a[i + 1] + a[i + 2] + a[i + 3] if i > 0 else a[i]

    asked = []
    look_up = numba.core.typing.Context.resolve_function_type

    def noted(context, func, args, kws):
        asked.append((func, args))
        return look_up(context, func, args, kws)

    monkeypatch.setattr(numba.core.typing.Context, "resolve_function_type", noted)
    assert sums(np.arange(5), 1) == 10
    assert len(asked) > 5 and len(set(asked)) == len(asked)
    assert "resolve_function_type" not in vars(sums.typingctx)


def test_other_types_are_other_translations() -> None:
    assert entry(0.5) == 0.5 + 3.0
    assert entry(np.int64(3)) == 11


def test_functions_may_call_themselves() -> None:
    assert calls_factorial(10) == factorial(10) == 3_628_800


def test_defaults_and_exceptions_come_through() -> None:
    assert calls_quotient(9, 3) == 3 + 4
    with pytest.raises(ZeroDivisionError):
        calls_quotient(9, 0)
    with pytest.raises(ValueError, match="b is below 0"):
        calls_quotient(9, -1)


def test_functions_of_others_may_call_them() -> None:
    @numba.njit
    def own(hand, c):
        return deadwood(hand, c) + 1

    c = Rules.parse("classic25").array()
    hand = np.int64(0x1F)
    assert own(hand, c) == deadwood(hand, c) + 1


def test_they_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(next_state)) is next_state


def test_without_what_is_used_numba_compiles_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "AVAILABLE", False)
    plain = jit._jitted(_nrt=False)
    inner = plain(lowest.py_func)

    @plain
    def outer(n):
        return inner(n) + 1

    assert not isinstance(inner, inlined.EntryDispatcher)
    assert outer(1) == 3 and inner.overloads


@pytest.mark.parametrize(
    ("owner", "name", "parameters", "found"),
    [
        (inlined, "_has", "owner names", True), (inlined, "_has", "owner", False), (inlined, "_had", "", False),
        (inlined, "AVAILABLE", "", False), (inlined.EntryDispatcher, "get_overload", "sig", True),
    ],
)  # fmt: skip
def test_what_is_called_is_looked_for(owner: object, name: str, parameters: str, found: bool) -> None:
    assert inlined._takes(owner, name, parameters) is found


def test_what_is_read_is_looked_for() -> None:
    class Base:
        of_class = 1

        def __init__(self) -> None:
            self.of_object = 2

    class Derived(Base):
        """Nothing of its own."""

    assert inlined._has(Derived, "of_class of_object")
    assert not inlined._has(Derived, "of_class of_nobody")
