"""A decision of a strategy and its parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["PARAMS_SIZE", "Decision", "Param", "Table"]

PARAMS_SIZE = 80
"""Length of the array of parameters (float64) that a decision is given, but for a table behind them."""


@dataclass(frozen=True)
class Param:
    """A parameter of a decision: its name, default and allowed values, and what it means."""

    name: str
    default: float
    low: float
    high: float
    meaning: str
    claim: str = ""
    """The players' saying that the parameter puts a number to."""
    many: int = 0
    """If not 0: a list of up to this many numbers, stored as its length and then the numbers."""

    @property
    def cells(self) -> int:
        """Room that the parameter takes in a block."""
        return 1 + self.many


@dataclass(frozen=True)
class Table:
    """A parameter of a decision that names a table of numbers, which lies behind all other parameters.

    ``names`` tells those that are shipped; ``read`` gives the numbers of a name (or of a file, by its path) and the digest of the
    file, '' for what is shipped.
    """

    name: str
    default: str
    meaning: str
    names: Callable[[], list[str]]
    read: Callable[[str], tuple[tuple[float, ...], str]]


@dataclass(frozen=True)
class Decision:
    """A jitted decision and its parameters, in the order of its block of ``params``."""

    kind: str
    name: str
    function: Callable[..., int]
    params: tuple[Param, ...] = field(default=())
    needs: tuple[str, ...] = ()
    """Names of which the decision that is asked for next must be one, for this one reads its parameters too."""
    version: int = 1
    """Raised when it decides otherwise than before: what was played with it is then not gone on with."""
    table: Table | None = None

    @property
    def meaning(self) -> str:
        """First line of the function's docstring."""
        return (self.function.__doc__ or "").strip().split("\n")[0]
