"""Reading, writing and removing files, without ever following a link that somebody laid into a folder of results."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ginsim.errors import InputError, shown, suggest

if TYPE_CHECKING:
    import pandas as pd

_NO_LINK = getattr(os, "O_NOFOLLOW", 0)  # Windows has neither
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)
_BYTES = getattr(os, "O_BINARY", 0)  # only Windows has it


def expanded(path: str | Path) -> Path:
    """A path as the user wrote it, with ``~`` replaced by the home folder.

    Raises
    ------
    InputError
        If there is no such home folder.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise InputError(f"{path}: there is no home folder for the ~ in it; write the path in full") from None


def path_of(field: str, path: Any) -> Path:
    """A path that was given as ``field``.

    Raises
    ------
    InputError
        If it is none, or empty, which would mean the current folder.
    """
    if not isinstance(path, str | os.PathLike) or not str(path).strip() or "\0" in str(path):
        raise InputError(f"{field}: {shown(path)} is not allowed; give a path")
    return Path(path)


def no_link(path: Path) -> Path:
    """``path``, unless it is a link: what lies in a folder of results may have been laid there by somebody else.

    Raises
    ------
    InputError
        If it is a link.
    """
    if path.is_symlink():
        raise InputError(f"{path} is a link, and ginsim follows no links in a results folder; remove it, or give another folder")
    return path


def write_whole(path: Path, data: bytes | str) -> Path:
    """Write a file so that it is never seen half-written; makes its folder. A link to a file is replaced, not followed.

    Raises
    ------
    InputError
        If what is there is no regular file, nor a link to one: a folder, a pipe, a device.
    """
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is {'a folder' if path.is_dir() else 'not a regular file'}; give a file to write")
    partial = path.with_name(f".{path.name}.partial")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.unlink(missing_ok=True)
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BYTES, 0o666), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return partial.replace(path)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Whatever keeps ``path`` from being written names it: a full disk does not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def append_text(path: Path, text: str) -> None:
    """Add to the end of a file of ginsim's own; it may be new, but neither a link nor anything but a plain file."""
    with os.fdopen(_opened(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), "ab") as file:
        file.write(text.encode())


def read_plain(path: Path) -> bytes:
    """The content of a regular file, or of what a link to one leads to: a pipe or a device might keep us waiting for ever.

    Raises
    ------
    OSError
        If it is not there, or cannot be read.
    InputError
        If it is no regular file.
    """
    descriptor = os.open(path, os.O_RDONLY | _NO_WAIT | _BYTES)
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        raise InputError(f"{path} is not a regular file; give a file to read")
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def read_text(path: Path) -> str:
    """The text of a regular file in UTF-8, with or without a mark of its byte order; see `read_plain`."""
    return io.TextIOWrapper(io.BytesIO(read_plain(path)), "utf-8-sig").read()


def read_own(path: Path) -> bytes:
    """The content of a file of ginsim's own in a folder of results.

    Raises
    ------
    FileNotFoundError
        If it is not there.
    InputError
        If it is a link, or no plain file.
    """
    with os.fdopen(_opened(path, os.O_RDONLY), "rb") as file:
        return file.read()


def _opened(path: Path, flags: int) -> int:
    """A descriptor of a plain file that has no other name: a write to it changes nothing else."""
    descriptor = os.open(no_link(path), flags | _NO_LINK | _NO_WAIT | _BYTES, 0o666)
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        os.close(descriptor)
        what = "has another name as well (a hard link)" if stat.S_ISREG(found.st_mode) else "is not a regular file"
        raise InputError(f"{path} {what}; remove it, or give another folder")
    return descriptor


def csv_text(frame: pd.DataFrame, **form: Any) -> str:
    r"""A table as CSV; a text that a spreadsheet would take for a formula gets an apostrophe in front.

    Examples
    --------
    >>> import pandas as pd
    >>> csv_text(pd.DataFrame({"who": ["=1+1", "simple"], "points": [-1.5, 2.0]}), index=False)
    "who,points\n'=1+1,-1.5\nsimple,2.0\n"
    """
    plain = frame.rename(index=_no_formula, columns=_no_formula)
    for name in plain.select_dtypes(exclude=["number", "bool"]):
        plain[name] = plain[name].map(_no_formula)
    text: str = plain.to_csv(lineterminator="\n", **form)
    return text


_FORMULA = re.compile(r"[=+@\t\r-]")
_NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?|[+-]inf|-", re.IGNORECASE)


def _no_formula(value: Any) -> Any:
    risky = isinstance(value, str) and _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return f"'{value}" if risky else value


class Shelf(NamedTuple):
    """Files of one sort that ginsim ships by name, beside which a user may give one of their own by its path.

    ``is_none`` says what a file is that is none of the sort ("is not a chart"), ``there_is_none`` begins what is said of an
    unknown name ("there is no chart").
    """

    noun: str
    package: str
    folder: str
    suffix: str
    most_bytes: int
    is_none: str
    there_is_none: str

    def names(self) -> list[str]:
        """Of those that are shipped."""
        return sorted(path.name.removesuffix(self.suffix) for path in self._there().iterdir() if path.name.endswith(self.suffix))

    def is_path(self, name: str) -> bool:
        """Whether ``name`` is the path of a user's file."""
        return name.endswith(self.suffix) or "/" in name or "\\" in name

    def content(self, name: str) -> tuple[bytes, str, str]:
        """What lies under a name or a path, what to call it, and the digest of it ('' if it is shipped).

        Raises
        ------
        InputError
            If there is nothing, or it cannot be read, or is too large.
        """
        if not self.is_path(name):
            if name not in self.names():
                known = suggest(name, self.names())
                raise InputError(f"{self.there_is_none} {shown(name)}; {known} (or the path of a {self.suffix} file)")
            return (self._there() / f"{name}{self.suffix}").read_bytes(), name, ""
        path = expanded(name)
        try:
            if path.stat().st_size > self.most_bytes:
                raise InputError(f"{self.noun} {path} {self.is_none}: the file has more than {self.most_bytes:,} bytes")
            data = read_plain(path)
        except OSError as error:
            raise InputError(f"{self.noun} {path} cannot be read ({error.strerror})") from None
        return data, str(path), hashlib.sha256(data).hexdigest()[:16]

    def _there(self) -> Any:
        return resources.files(self.package) / self.folder
