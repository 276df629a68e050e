"""What a user's strategy is made of: its file, and every module that loading it brings in.

The standard library, installed packages and ginsim itself are left out; packages installed in editable mode count, for their
sources change without a new version. What is imported is read from the sources, so that a digest needs nothing to be run, and
completed by what was seen to be loaded.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.machinery
import os
import site
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from ginsim.errors import InputError
from ginsim.files import read_plain

Files = dict[str, Path]
"""Files by the name of the module; a strategy's own file has the name ''."""

PREFIX = "ginsim_plugin_"
"""What the names of modules made from users' files begin with."""
_TRIES = 4
_BEGUN = time.time()
_LOCK = threading.RLock()
_SEEN: dict[Path, str] = {}
"""Digest of each file as it was when its module was loaded, as far as it is known."""
_OURS: set[str] = set()
"""Modules that strategies brought in."""
_BROUGHT: dict[Path, Files] = {}
"""What loading a file brought in beyond what its imports say."""
_LOADED: dict[tuple[Path, str], Any] = {}
_KEYS: dict[Path, str] = {}


def bring(start: Path, name: str, load: Callable[[str], Any]) -> tuple[Any, str]:
    """What ``load`` makes of a file, and the digest of all it is made of; done again only after one of these files changed.

    Modules of these files are then loaded anew, too. ``load`` is given the digest.
    """
    with _LOCK:
        files = files_of(start, name)
        for _ in range(_TRIES):
            digest = digest_of(files)
            if (start, digest) in _LOADED:
                return _LOADED[start, digest], digest
            _forget(files)
            before = set(sys.modules)
            _KEYS.update(dict.fromkeys(map(_real, files.values()), digest))
            made = load(digest)
            _note(start, made, before)
            if files == (files := files_of(start, name)):
                break
        _LOADED[start, digest] = made
        return made, digest


def files_of(start: Path, name: str = "") -> Files:
    """A file and all that it imports, directly or not."""
    found = {**_BROUGHT.get(start, {}), name: start}
    todo = list(found.items())
    while todo:
        module, path = todo.pop()
        for imported in _names(module, path):
            for inner, file in _located(imported, start.parent):
                if inner not in found:
                    found[inner] = file
                    todo.append((inner, file))
    return dict(sorted(found.items()))


def digest_of(files: Mapping[str, Path]) -> str:
    """Digest of the names and the contents of files; it does not depend on where they lie."""
    whole = hashlib.sha256()
    for name, path in sorted(files.items()):
        whole.update(f"{name} {content_digest(path)}\n".encode())
    return whole.hexdigest()[:32]


def content_digest(path: Path) -> str:
    """SHA-256 of a file ('' if it is not there, or no regular file)."""
    try:
        return hashlib.sha256(read_plain(path)).hexdigest()
    except (OSError, InputError):
        return ""


def key_of(file: str) -> str | None:
    """What the compiled code of a function defined in ``file`` depends on; None if it is not a user's own file."""
    path = _real(Path(file))
    if path not in _KEYS and (is_installed(path) or not path.is_file()):
        return None
    return _KEYS.get(path) or digest_of(files_of(path))


def located(name: str) -> Path | None:
    """The file of a module, found without importing anything; None if it is installed, built in or not there."""
    return dict(_located(name, None)).get(name)


def is_installed(path: Path) -> bool:
    """Whether a file belongs to the standard library, an installed package or ginsim itself."""
    return _real(path).is_relative_to(_real(Path(__file__).parents[1])) or any(map(_real(path).is_relative_to, _roots()))


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))


@functools.cache
def _roots() -> tuple[Path, ...]:
    """Where the standard library and installed packages lie."""
    places = [sysconfig.get_paths()[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")]
    return tuple({_real(Path(place)) for place in (*places, *site.getsitepackages(), site.getusersitepackages())})


# --- what a source says that it imports --------------------------------------------------------------------------------


def _names(module: str, path: Path) -> Iterator[str]:
    """Names of modules that a file imports, wherever in it that stands; some may be no modules."""
    try:
        source = read_plain(path) if path.suffix == ".py" else b""
    except (OSError, InputError):
        return
    around = (module if path.name == "__init__.py" else module.rpartition(".")[0]).split(".")
    for level, name, members in _imports(source):
        base = ".".join(around[: len(around) - level + 1]) if level else ""
        if base or not level:
            full = f"{base}.{name}".strip(".")
            yield from (full, *(f"{full}.{member}" for member in members))


@functools.lru_cache(maxsize=1024)
def _imports(source: bytes) -> tuple[tuple[int, str, tuple[str, ...]], ...]:
    """Imports of a source: dots before the name, the name, what is taken from it."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    found: list[tuple[int, str, tuple[str, ...]]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node.level, node.module or "", tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__") and isinstance(node.args[0].value, str):
                found.append((0, node.args[0].value, ()))
    return tuple(found)


def _located(name: str, near: Path | None) -> Iterator[tuple[str, Path]]:
    """A module and the packages around it, each with its file, unless they are installed; nothing is imported.

    A file may put its own folder ``near`` on the path when it is loaded.
    """
    parts, path = name.split("."), None
    for end in range(1, len(parts) + 1):
        dotted = ".".join(parts[:end])
        spec = _spec(dotted, path)
        if spec is None and end == 1 and near is not None:
            spec = importlib.machinery.PathFinder.find_spec(dotted, [str(near)])
        if spec is None:
            return
        if spec.has_location and spec.origin:
            if is_installed(Path(spec.origin)):
                return
            yield dotted, Path(spec.origin)
        if spec.submodule_search_locations is None:
            return
        path = list(spec.submodule_search_locations)


def _spec(name: str, path: list[str] | None) -> Any:
    for finder in sys.meta_path:
        try:
            spec = finder.find_spec(name, path)
        except Exception:  # namespaces within namespaces that are not loaded, finders of other tools
            continue
        if spec is not None:
            return spec
    return None


# --- what was seen to be loaded ----------------------------------------------------------------------------------------


def _forget(files: Files) -> None:
    """Make the modules of strategies load anew: those brought in before, and all of these files if one of them changed."""
    changed = [name for name, path in files.items() if _has_changed(name, path)]
    for name in _OURS | (set(files) if changed else set()):
        if not _is_part_of_extension(name):
            sys.modules.pop(name, None)
    _SEEN.update({path: content_digest(path) for path in files.values()})


def _has_changed(name: str, path: Path) -> bool:
    """Whether a module was loaded from another content of its file, or may have been."""
    if path in _SEEN:
        return _SEEN[path] != content_digest(path)
    return name in sys.modules and path.stat().st_mtime > _BEGUN


def _is_part_of_extension(name: str) -> bool:
    """Whether a module is compiled or in a package with compiled ones, which cannot be loaded twice."""
    top = name.partition(".")[0]
    files = [str(_file(module)) for key, module in list(sys.modules.items()) if key.partition(".")[0] == top]
    return name == "__main__" or any(file.endswith(tuple(importlib.machinery.EXTENSION_SUFFIXES)) for file in files)


def _file(module: Any) -> Path | None:
    file = vars(module).get("__file__") if isinstance(module, ModuleType) else None
    return Path(file) if isinstance(file, str) else None


def _note(start: Path, made: Any, before: set[str]) -> None:
    """Keep in mind which modules loading a file brought in, and which it uses that were loaded already."""
    own = {key for key in set(sys.modules) - before if _counts(key) and sys.modules[key] is not made}
    _OURS.update(key for key in own if not key.startswith(PREFIX))
    used, todo = set(own), [made, *(sys.modules[key] for key in own)]
    while todo:
        for key in _referred(todo.pop()):
            if key not in used and _counts(key) and sys.modules[key] is not made:
                used.add(key)
                todo.append(sys.modules[key])
    _BROUGHT[start] = {key: file for key in used if (file := _file(sys.modules[key]))}


def _counts(name: str) -> bool:
    """Whether a loaded module is a source of the user's own."""
    file = _file(sys.modules.get(name))
    return file is not None and name not in ("__main__", "__mp_main__") and file.is_file() and not is_installed(file)


def _referred(module: Any) -> Iterator[str]:
    """Names of the loaded modules that the globals of a module come from."""
    for value in list(vars(module).values()) if isinstance(module, ModuleType) else ():
        whole = getattr(value, "py_func", value) if type(value).__module__.startswith(("numba.", "ginsim.")) else value
        name = whole.__name__ if isinstance(whole, ModuleType) else vars(type(whole)).get("__module__")
        if isinstance(whole, type) or type(whole).__name__ == "function":
            name = getattr(whole, "__module__", None)
        if isinstance(name, str) and name in sys.modules:
            yield name
