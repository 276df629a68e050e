"""Where the compiled code of users' files is kept: in a folder keyed by all the sources that it is made of.

Numba's own key is the content of the file that defines a function: a helper changed in another file would leave it stale.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CacheImpl, UserProvidedCacheLocator

from ginsim.games import packages, sources
from ginsim.jit import compiled_digest

__all__ = ["SourcesLocator", "key_anew"]


class SourcesLocator(UserProvidedCacheLocator):  # type: ignore[misc]
    """A folder for each state of the sources, and for each name that a file is imported under."""

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        key = _key(py_func, py_file)
        name = hashlib.sha256(f"{key} {py_func.__module__} {compiled_digest()}".encode()).hexdigest()[:32]
        self._cache_path = str(Path(numba.config.CACHE_DIR) / f"own-{name}")

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> Any:
        """A locator, if the function is of a user's own file or of a package that brings strategies."""
        return None if _key(py_func, py_file) is None else super().from_function(py_func, py_file)


def _key(function: Any, file: str) -> str | None:
    top = function.__module__.partition(".")[0]
    return None if top == "ginsim" else sources.key_of(file) or packages.key_of(top)


def key_anew(function: Any) -> None:
    """Key the compiled code of a function that was decorated before ginsim was loaded."""
    implementation = getattr(getattr(function, "_cache", None), "_impl", None)
    if implementation is None or function.overloads or isinstance(implementation.locator, SourcesLocator):
        return
    if _key(function.py_func, inspect.getfile(function.py_func)):
        function.enable_caching()


if SourcesLocator not in CacheImpl._locator_classes:
    CacheImpl._locator_classes.insert(0, SourcesLocator)
