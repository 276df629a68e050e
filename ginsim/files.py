"""Writing files."""

from __future__ import annotations

from pathlib import Path

from ginsim.errors import InputError


def write_whole(path: Path, data: bytes | str) -> Path:
    """Write a file so that it is never seen half-written; makes its folder."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file to write")
    partial = path.with_name(f".{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data.encode() if isinstance(data, str) else data)
        return partial.replace(path)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
