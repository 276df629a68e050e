"""Strategies from a user's own file: jitted functions, or an object in plain Python."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import os
import pickle
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaError, UnsupportedBytecodeError

from ginsim.errors import InputError, StrategyError, shown, suggest, told
from ginsim.files import expanded
from ginsim.games import sources
from ginsim.games.codecache import key_anew

ARGUMENTS = (types.int64[::1], types.float64[::1])
_EXPECTED = "a decision takes (view, params) and returns an int64"
_not_run: ContextVar[list[str] | None] = ContextVar("not_run", default=None)


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
    if hasattr(function, "py_func"):
        key_anew(function)
    else:
        function = decision(function)
    try:
        function.compile(ARGUMENTS)
        found = function.overloads[ARGUMENTS].signature.return_type
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


@contextmanager
def nothing_run(really: bool = True) -> Iterator[list[str]]:
    """Within, no file of a strategy is imported; the list fills with those that would have been."""
    skipped: list[str] = []
    token = _not_run.set(skipped if really else None)
    try:
        yield skipped
    finally:
        _not_run.reset(token)


def is_skipped(path_and_name: str) -> bool:
    """Whether no file may be imported now (`nothing_run`); that it is there is checked all the same."""
    if (skipped := _not_run.get()) is None:
        return False
    file_of(path_and_name)
    if path_and_name not in skipped:
        skipped.append(path_and_name)
    return True


def file_of(path_and_name: str) -> Path:
    """The Python file in ``path/to/file.py:name``."""
    path = expanded(path_and_name.rpartition(":")[0]).absolute()
    if not path.is_file():
        raise InputError(f"strategy {shown(path_and_name, 200)}: there is no file {path}")
    return path.resolve()


def load_from_file(path_and_name: str) -> tuple[Any, str]:
    """The object ``name`` of the Python file in ``path/to/file.py:name``, and the digest of its sources."""
    path, name = file_of(path_and_name), path_and_name.rpartition(":")[2]
    module, digest = sources.bring(path, "", lambda digest: _module(path, digest))
    public = [key for key in vars(module) if not key.startswith("_")]
    if not name or name not in vars(module):
        raise InputError(f"strategy {path_and_name!r}: the file has no {name!r}; {suggest(name, public)}")
    return vars(module)[name], digest


def is_unchanged(path_and_name: str, digest: str) -> bool:
    """Whether a strategy's files are those it was made of; ``digest`` is '' for one that has none of its own."""
    return not digest or sources.digest_of(sources.files_of(file_of(path_and_name))) == digest


def source_files(specs: Iterable[str]) -> list[tuple[str, str]]:
    """The files that strategies ``path/to/file.py:name`` are made of, as seen from where we are, with their SHA-256."""
    found: dict[str, str] = {}
    for written in dict.fromkeys(spec.rpartition(":")[0] for spec in specs):
        start = Path(written)
        try:
            own = file_of(f"{written}:")
        except InputError:
            found[written] = ""
            continue
        for path in sources.files_of(own).values():
            name = written if path == own else str(start.parent / os.path.relpath(path, own.parent))
            found[name] = sources.content_digest(path)
    return list(found.items())


def _module(path: Path, digest: str) -> Any:
    """Import a file under a name of its own, the same in every process: compiled code kept on disk refers to it."""
    key = f"{sources.PREFIX}{path.stem}_{hashlib.sha256(f'{path} {digest}'.encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(key, path)
    if spec is None or spec.loader is None:
        raise InputError(f"strategy file {path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[key] = module
    try:
        with told(f"strategy file {path}"):
            spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[key]
        raise
    return module


def has_methods(thing: Any, kinds: Iterable[str], name: str = "") -> bool:
    """Whether ``thing`` has the methods ``kinds`` of a strategy in plain Python.

    Raises
    ------
    InputError
        If looking for them runs code of the user's own that fails.
    """
    with told(f"strategy {name or type(thing).__name__}"):
        return all(callable(getattr(thing, kind, None)) for kind in kinds)


def made_by(name: str, found: Any, args: Mapping[str, Any]) -> Any:
    """An object of the class ``found`` of a user's own, with ``args``."""
    with told(f"strategy {name}"):
        return found(**args)


@dataclass(frozen=True)
class Missing:
    """In place of the player of a strategy that is not in this process what it was in the one that sent it."""

    why: str

    def told(self) -> StrategyError:
        """What to raise when it is to play."""
        return StrategyError(self.why)


def sent(parse: Callable[[str], Any], text: str, digest: str) -> tuple[Any, Missing | None]:
    """A strategy sent by another process; an error must wait until it plays, or the worker dies of it."""
    try:
        found = parse(text)
    except InputError as error:
        return None, Missing(str(error))
    if found.sources != digest:
        return None, Missing(f"strategy {text}: its files differ from those the study began with")
    return found, None


def identity(strategy: Any) -> Hashable:
    """What a strategy plays, however it is written: its decisions and parameters, or the object behind them."""
    if None in strategy.decisions:  # its file was not imported
        return str(strategy)
    if strategy.player is None:
        return strategy.decisions, strategy.params
    try:
        return type(strategy.player), pickle.dumps(strategy.player)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what cannot be pickled, or whose own code fails, is like nothing else
        return type(strategy.player), id(strategy.player)


def check_each_once(name: str, players: Iterable[Any], why: str = "") -> None:
    """No player may be in a field twice, under whatever spelling.

    Raises
    ------
    InputError
        Naming the two.
    """
    seen: dict[Hashable, str] = {}
    for player in players:
        for key in (str(player), identity(player)):
            if (first := seen.get(key)) == str(player):
                raise InputError(f"{name}: {player} is listed twice{why}")
            if first is not None:
                raise InputError(f"{name}: {first} and {player} are the same player under two names{why}")
        seen |= {str(player): str(player), identity(player): str(player)}
