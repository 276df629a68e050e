"""What is shown of each kind of result. To show a new kind, write a file in ``ginsim.report.of``: it is found there.

Such a file has ``OF``, the class of the result (what is derived from it is shown in the same way), and ``sheet(result)``.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Callable
from typing import Any

from ginsim.errors import InputError
from ginsim.report import of
from ginsim.report.sheet import Sheet

__all__ = ["Sheet", "sheet_of", "sheets"]


@functools.cache
def sheets() -> dict[type, Callable[[Any], Sheet]]:
    """What makes the sheet of a result, by its class."""
    modules = [importlib.import_module(f"{of.__name__}.{module.name}") for module in pkgutil.iter_modules(of.__path__)]
    return {module.OF: module.sheet for module in modules}


def sheet_of(result: Any) -> Sheet:
    """The sheet of a result.

    Raises
    ------
    InputError
        If it is no result of a study.
    """
    for kind in type(result).__mro__:
        if kind in sheets():
            return sheets()[kind](result)
    raise InputError(f"result: nothing is shown of a {type(result).__name__}; give the result of a study")
