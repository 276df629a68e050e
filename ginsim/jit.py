"""The one place where Numba is imported and set up; every compiled module takes ``njit`` from here.

Numba's disk cache is keyed by the content of the file that defines a function only: a helper changed in another file
would leave its callers stale. So the cache folder itself is keyed by a digest of all compiled modules and what they import.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ginsim import compiling

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether functions stay as they are written; Numba is not even loaded then, which takes longer than to look at a few hands."""

if not PLAIN:
    import numba
    from numba.core import event
    from numba.core.errors import NumbaExperimentalFeatureWarning
    from numba.extending import intrinsic

    try:
        from ginsim.inlined import AVAILABLE, EntryDispatcher
    except ImportError:  # another Numba
        AVAILABLE = False

__all__ = ["cache_folder", "njit", "njit_alloc", "popcount", "source_digest"]


@functools.cache
def source_digest() -> str:
    """Digest of the whole package: processes that play together must have the same."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]


UNUSED = 30 * 24 * 3600
"""Seconds after which the compiled code of a version that does not run any more is removed."""
_IMPORTS = re.compile(r"^from (ginsim[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""Imports as a module loads: compiled code holds nothing of what functions import when they are called."""


def compiled_modules() -> dict[str, bytes]:
    """Sources that compiled code is made of: of the modules that compile, and of all that these import as they load."""
    root = Path(__file__).parent
    sources = {".".join(p.relative_to(root.parent).with_suffix("").parts): p.read_bytes() for p in sorted(root.rglob("*.py"))}
    imports = {name: _IMPORTS.findall(text.decode()) for name, text in sources.items()}
    found = [name for name, lines in imports.items() if any(of == "ginsim.jit" and "njit" in what for of, what in lines)]
    found.append("ginsim.inlined")  # how they are compiled; imported below only where something is
    for name in found:  # grows as it goes
        for of, what in imports[name]:
            for module in (of, *(f"{of}.{word}" for word in re.findall(r"\w+", what))):
                if module in sources and module not in found:
                    found.append(module)
    return {name: sources[name] for name in sorted(found)}


@functools.cache
def compiled_digest() -> str:
    """Digest of the sources that compiled code is made of."""
    digest = hashlib.sha256()
    for name, source in compiled_modules().items():
        digest.update(name.encode() + source)
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of the compiled code for exactly these sources; below the user's own ``NUMBA_CACHE_DIR`` if there is one.

    What lies there is run: so it is a folder that nobody else can write to, or a new one for this process and its children.
    """
    name = f"numba-{compiled_digest()}"
    if own := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(own) / f"ginsim-{name}"
    for base in _bases():
        try:
            for folder in (base, base / "ginsim", base / "ginsim" / name):
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                if not _is_private(folder):
                    break
            else:
                if os.access(folder, os.W_OK):
                    os.utime(folder)
                    _remove_old(base / "ginsim")
                    return folder
        except OSError:
            continue
    made = Path(tempfile.mkdtemp(prefix="ginsim-"))
    os.environ["NUMBA_CACHE_DIR"] = str(made)
    atexit.register(_remove, made, os.getpid())
    return made / f"ginsim-{name}"


def _remove_old(base: Path) -> None:
    """Remove the compiled code of versions that have not run for a month."""
    for folder in base.glob("numba-*"):
        with contextlib.suppress(OSError):
            if not folder.is_symlink() and time.time() - folder.stat().st_mtime > UNUSED:
                shutil.rmtree(folder, ignore_errors=True)


def _bases() -> Iterator[Path]:
    """Where caches belong: of the user, then of the user in the folder of temporary files."""
    if (base := os.environ.get("XDG_CACHE_HOME")) and Path(base).is_absolute():
        yield Path(base)
    else:
        with contextlib.suppress(RuntimeError):  # neither HOME nor an entry for the user
            yield Path("~/.cache").expanduser()
    if hasattr(os, "getuid"):
        yield Path(tempfile.gettempdir()) / f"ginsim-{os.getuid()}"


def _is_private(folder: Path) -> bool:
    """Whether nobody but the user (and root) can put anything into a folder, or put another one in its place."""
    if not hasattr(os, "getuid"):  # Windows: the folders of a user are the user's own
        return True
    shared = Path(tempfile.gettempdir()).resolve()
    found = os.lstat(folder) if folder.parent.resolve() == shared else folder.stat()
    if folder.parent.resolve() == shared and stat.S_IMODE(found.st_mode) & 0o077:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in (os.getuid(), 0) and not found.st_mode & stat.S_IWOTH


def _remove(folder: Path, process: int) -> None:
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


def _popcount(typing: Any, word: Any) -> Any:
    """Number of bits set: one machine instruction, and one that LLVM can use on many words at once."""
    return numba.int64(numba.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


def _jitted(**options: Any) -> Callable[[Any], Any]:
    """A decorator that compiles a function when it is first called, and keeps the compiled code on disk."""
    plain: Callable[[Any], Any] = numba.njit(cache=True, nogil=True, **options)
    if numba.config.DISABLE_JIT or not AVAILABLE:
        return plain

    def decorated(function: Any) -> Any:
        made = EntryDispatcher(function, targetoptions=plain(function).targetoptions)
        made.enable_caching()
        return made

    return decorated


def _plain(function: Any) -> Any:
    return function


def _counted(word: Any) -> int:
    return int(word).bit_count()


if PLAIN:
    njit: Any = _plain
    njit_alloc: Any = _plain
    njit_inline: Any = _plain
    njit_lanes: Any = _plain
    njit_part: Any = _plain
    popcount: Any = _counted
else:
    numba.config.CACHE_DIR = str(cache_folder())
    # Decisions are passed to the kernels as first-class functions: that is what ginsim is built on, not an accident.
    warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

    class _Compiling(event.Listener):  # type: ignore[misc]
        """Says so when something is compiled, not when it is loaded."""

        def on_start(self, event: event.Event) -> None:
            compiling.begin(event.data["dispatcher"].py_func.__module__)

        def on_end(self, event: event.Event) -> None:
            """Nothing is told at the end."""

    event.register("numba:compile", _Compiling())

    njit = _jitted(_nrt=False)
    njit_alloc = _jitted()
    njit_inline = _jitted(_nrt=False, forceinline=True)
    # A division by zero gives no number instead of an error: only without that check can LLVM divide several at a time.
    njit_lanes = _jitted(_nrt=False, error_model="numpy")
    # Part of the one function that calls it, and never compiled by itself.
    njit_part = _jitted(_nrt=False, error_model="numpy", inline="always")
    popcount = _counted if numba.config.DISABLE_JIT else intrinsic(_popcount)
