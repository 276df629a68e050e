"""Writing files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError

if TYPE_CHECKING:
    import pandas as pd


def write_whole(path: Path, data: bytes | str) -> Path:
    """Write a file so that it is never seen half-written; makes its folder."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; give a file to write")
    partial = path.with_name(f".{path.name}.partial")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_bytes(data.encode() if isinstance(data, str) else data)
        return partial.replace(path)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Whatever keeps ``path`` from being written names it: a full disk does not."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


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
