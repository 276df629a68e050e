"""The one place where Numba is imported and set up; every compiled module takes ``njit`` from here.

Numba's disk cache is keyed by the content of the file that defines a function only: a helper changed in another file
would leave its callers stale. So the cache folder itself is keyed by a digest of all compiled modules and what they import.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numba
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.extending import intrinsic

__all__ = ["cache_folder", "njit", "njit_alloc", "popcount", "source_digest"]


SHOWING = ("__main__.py", "bench.py", "cli.py", "commands", "plots.py", "report", "watch")
"""What shows figures and hands but makes none, and compiles nothing."""


@functools.cache
def source_digest() -> str:
    """Digest of the sources that figures depend on: all of the package but what only shows them."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for path in sorted(root.rglob("*.py")):
        if path.relative_to(root).parts[0] in SHOWING:
            continue
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


_IMPORTS = re.compile(r"^from (ginsim[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
"""Imports as a module loads: compiled code holds nothing of what functions import when they are called."""


def compiled_modules() -> dict[str, bytes]:
    """Sources that compiled code is made of: of the modules that compile, and of all that these import as they load."""
    root = Path(__file__).parent
    sources = {".".join(p.relative_to(root.parent).with_suffix("").parts): p.read_bytes() for p in sorted(root.rglob("*.py"))}
    imports = {name: _IMPORTS.findall(text.decode()) for name, text in sources.items()}
    found = [name for name, lines in imports.items() if any(of == "ginsim.jit" and "njit" in what for of, what in lines)]
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
    """Folder of the compiled code for exactly these sources (the user's own ``NUMBA_CACHE_DIR`` comes first)."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser()
    folder = Path(base) / "ginsim" / f"numba-{compiled_digest()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    return folder if usable else Path(tempfile.gettempdir()) / f"ginsim-{os.getuid()}" / folder.name


numba.config.CACHE_DIR = str(cache_folder())
# Decisions are passed to the kernels as first-class functions: that is what ginsim is built on, not an accident.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

njit = numba.njit(cache=True, nogil=True, _nrt=False)
njit_alloc = numba.njit(cache=True, nogil=True)
njit_inline = numba.njit(cache=True, nogil=True, _nrt=False, forceinline=True)
# A division by zero gives no number instead of an error: only without that check can LLVM divide several at a time.
njit_lanes = numba.njit(cache=True, nogil=True, _nrt=False, error_model="numpy")
# Part of the one function that calls it, and never compiled by itself.
njit_part = numba.njit(cache=True, nogil=True, _nrt=False, error_model="numpy", inline="always")


def _popcount(typing: Any, word: Any) -> Any:
    """Number of bits set: one machine instruction, and one that LLVM can use on many words at once."""
    return numba.int64(numba.int64), lambda context, builder, signature, args: builder.ctpop(args[0])


popcount = (lambda word: int(word).bit_count()) if numba.config.DISABLE_JIT else intrinsic(_popcount)
