"""Strategies from a user's own file: jitted functions, or an object in plain Python."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import sys
from collections.abc import Callable
from operator import index
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from ginsim.cards import parse_card
from ginsim.errors import InputError, suggest
from ginsim.strategies.view import View

ARGUMENTS = (types.int64[::1], types.float64[::1])
_EXPECTED = "a decision takes (view, params) and returns an int64"


def decision(function: Callable[..., Any]) -> Any:
    """Compile a decision: a function of ``view`` (int64[::1]) and ``params`` (float64[::1]) that returns an int.

    Use it as a decorator in a file of your own. The compiled code is kept on disk.

    Raises
    ------
    InputError
        If the function does not take two arguments.
    """
    if len(inspect.signature(function).parameters) != 2:
        raise InputError(f"decision {function.__name__}: it takes {inspect.signature(function)}; {_EXPECTED}")
    return numba.njit(cache=True, nogil=True)(function)


def checked(strategy: str, kind: str, function: Any) -> Any:
    """``function`` compiled for the one signature the kernels call, or an error a person can read."""
    if not callable(function):
        raise InputError(f"strategy {strategy}: {kind} is {function!r}, not a function; {_EXPECTED}")
    if numba.config.DISABLE_JIT:
        return function
    if not hasattr(function, "py_func"):
        function = decision(function)
    try:
        function.compile(ARGUMENTS)
        found = function.overloads[ARGUMENTS].signature.return_type
    except ModuleNotFoundError:  # the disk holds the code of this file imported under another name
        return checked(strategy, kind, numba.njit(nogil=True)(function.py_func))
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise InputError(
            f"strategy {strategy}: {kind} does not compile for (view: int64[::1], params: float64[::1]): {_reason(error)}"
        ) from None
    except (KeyError, TypeError) as error:
        raise InputError(f"strategy {strategy}: {kind} cannot be called with (view, params): {error}") from None
    if found != types.int64:
        raise InputError(f"strategy {strategy}: {kind} returns {found}; {_EXPECTED} (wrap the result in np.int64(…))")
    return function


def _reason(error: Exception) -> str:
    """What Numba objects to, and where, out of its long message."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip() and not line.startswith("Failed in")]
    place = next((line.rstrip(":") for line in lines if line.startswith("File ")), "")
    return f"{lines[0]} ({place})" if place else lines[0]


def load_from_file(path_and_name: str) -> Any:
    """The object ``name`` of the Python file in ``path/to/file.py:name``."""
    path_text, _, name = path_and_name.rpartition(":")
    path = Path(path_text).expanduser().resolve()
    if not path.is_file():
        raise InputError(f"strategy {path_and_name!r}: there is no file {path}")
    module = _module(path)
    public = [key for key in vars(module) if not key.startswith("_")]
    if not name or name not in vars(module):
        raise InputError(f"strategy {path_and_name!r}: the file has no {name!r}; {suggest(name, public)}")
    return vars(module)[name]


def _module(path: Path) -> Any:
    """Import ``path`` once, under a name of its own; a changed file is imported anew.

    The name is the same in every process: compiled code kept on disk refers to it.
    """
    digest = hashlib.sha256(f"{path} {path.stat().st_mtime_ns}".encode()).hexdigest()[:16]
    key = f"ginsim_plugin_{path.stem}_{digest}"
    if key in sys.modules:
        return sys.modules[key]
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise InputError(f"strategy file {path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit, GeneratorExit) as error:
        del sys.modules[key]
        raise InputError(f"strategy file {path}: {type(error).__name__}: {error}") from error
    return module


def is_python_strategy(thing: Any) -> bool:
    """Whether ``thing`` has the three methods of a strategy in plain Python."""
    return all(callable(getattr(thing, kind, None)) for kind in ("draw", "discard", "knock"))


def python_decision(player: Any, kind: str) -> Callable[[np.ndarray, np.ndarray], int]:
    """A method of a plain-Python strategy in the form that the (interpreted) kernels call."""
    method = getattr(player, kind)
    return lambda view, params: _as_int(method(View(view)), kind)


def _as_int(answer: Any, kind: str) -> int:
    """A plain-Python answer as the kernels take it; -1, which is never legal, for what is no answer."""
    try:
        if isinstance(answer, str) and kind == "discard":
            return parse_card(answer)
        value = int(answer) if isinstance(answer, bool | np.bool_) else index(answer)
    except (InputError, TypeError):
        return -1
    return value if 0 <= value < 1 << 63 else -1
