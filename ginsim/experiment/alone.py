"""One run at a time writes into a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ginsim.errors import InputError
from ginsim.files import path_of


def made_folder(field: str, folder: str | Path) -> Path:
    """A folder to write into, made if it is not there.

    Raises
    ------
    InputError
        Naming ``field`` if it cannot be used.
    """
    path = path_of(field, folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{field}: {path} cannot be used as a folder ({error.strerror})") from None
    return path


@contextmanager
def alone(folder: Path) -> Iterator[Path]:
    """Refuse to write into a folder while a run in it is going on."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield folder
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InputError(f"out: another run is in progress in {folder}; give another folder, or wait until it ends") from None
    except OSError:  # a file system without locks
        pass
    try:
        yield folder
    finally:
        os.close(handle)
