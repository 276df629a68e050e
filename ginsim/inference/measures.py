"""What a measured quantity is called and how it is written: one entry for consoles, pages, pictures, CSV and LaTeX alike.

Games and studies own tables of measures by name; nothing else says what a measure's label, unit or decimals are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ginsim.inference.estimates import ONE_HAND, POINTS_UNIT, Estimate, interval_text

__all__ = ["Measure", "half_text", "mean", "share"]


@dataclass(frozen=True)
class Measure:
    """A measured quantity.

    Attributes
    ----------
    label : str
        As it is said, such as ``points per hand``.
    unit : str
        ``points``, ``turns``, ``%`` …; empty for plain counts.
    kind : {'mean', 'share', 'ratio'}
        A mean over hands (or games), a share of all of them, or a share of some of them (those that were decided, say).
    decimals : int
        Of a value as it is written (per cent for shares).
    signed : bool
        Whether it is written with its sign, because it is a difference between two sides.
    better : {1, 0, -1}
        Whether more of it is better for the strategy that it is of, less is, or neither.
    step : float
        What a play that comes out otherwise usually changes, as the sums count it (``inference.estimates.extra_variance``).
    scale : float
        What one of the sums counts for.

    Examples
    --------
    >>> share("hands won").text(Estimate(0.5, 0.45, 0.55, 0.025))
    '50.0 % (45.0 to 55.0)'
    >>> Measure("points per hand", "points", decimals=3, signed=True).text(Estimate(1.0, 0.5, 1.5, 0.25))
    '+1.000 (+0.500 to +1.500)'
    """

    label: str
    unit: str = ""
    kind: Literal["mean", "share", "ratio"] = "mean"
    decimals: int = 2
    signed: bool = False
    better: int = 0
    step: float = ONE_HAND
    scale: float = 1.0

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1 and is written in per cent."""
        return self.kind != "mean"

    @property
    def factor(self) -> float:
        """What a value is multiplied by when it is written: 100 for shares."""
        return 100.0 if self.is_share else 1.0

    @property
    def form(self) -> str:
        """The format of a written number."""
        return f"{'+' if self.signed else ''}z.{self.decimals}f"

    @property
    def neutral(self) -> float:
        """The value that favours neither of two sides."""
        return 0.5 if self.is_share else 0.0

    def side(self, e: Estimate) -> int:
        """Whom a value clearly favours: 1 the side that it is of, -1 the other, 0 neither (the interval includes neutral).

        Examples
        --------
        >>> share("games won").side(Estimate(0.4, 0.35, 0.45, 0.025))
        -1
        """
        return int(e.low > self.neutral) - int(e.high < self.neutral)

    @property
    def axis(self) -> str:
        """What stands at an axis of its numbers."""
        return f"{self.label} (%)" if self.is_share else self.label

    @property
    def change_unit(self) -> str:
        """The unit of a difference of it."""
        return "percentage points" if self.is_share else self.unit

    def number_text(self, value: float) -> str:
        """A value without its unit."""
        return f"{self.factor * value:{self.form}}" if math.isfinite(value) else "–"

    def value_text(self, value: float) -> str:
        """A value without an interval."""
        return f"{self.number_text(value)}{' %' if self.is_share and math.isfinite(value) else ''}"

    def text(self, e: Estimate) -> str:
        """A value with its interval; alone if what was kept does not tell one (nan)."""
        if not math.isfinite(e.value):
            return "–"
        if math.isnan(e.low):
            return self.value_text(e.value)
        return f"{self.value_text(e.value)} ({interval_text(self.factor * e.low, self.factor * e.high, self.form)})"

    def difference_text(self, e: Estimate) -> str:
        """A difference of it with its interval; of shares in percentage points (pp).

        Examples
        --------
        >>> share("games won").difference_text(Estimate(-0.085, -0.264, 0.095, 0.09))
        '-8.5 pp (-26.4 to +9.5)'
        """
        if not math.isfinite(e.value):
            return "–"
        form = f"+z.{self.decimals}f"
        value = f"{self.factor * e.value:{form}}{' pp' if self.is_share else ''}"
        return f"{value} ({interval_text(self.factor * e.low, self.factor * e.high, form)})"

    def change_text(self, e: Estimate) -> str:
        """A difference of it, to one decimal more, with the half-width of its interval; of shares in percentage points."""
        if not math.isfinite(e.value):
            return "–"
        return half_text(self.factor * e.value, self.factor * (e.high - e.low) / 2, self.decimals + 1, "+")


def half_text(value: float, half: float, places: int, sign: str = "") -> str:
    """A value and the half-width of its interval, to as many decimals more as it takes to see it; 0 if that is certain.

    Examples
    --------
    >>> half_text(2.68, 0.11, 1), half_text(2.68, 0.031, 1), half_text(-0.0, 0.004, 1, "+")
    ('2.7 ± 0.1', '2.68 ± 0.03', '+0.000 ± 0.004')
    """
    if not math.isfinite(half):
        return f"{value:{sign}z.{places}f} (unknown)"
    if value == half == 0:
        return "0"
    while half and round(half, places) == 0:
        places += 1
    return f"{value:{sign}z.{places}f} ± {half:.{places}f}"


def share(label: str, decimals: int = 1, better: int = 0) -> Measure:
    """A share of all hands (or games)."""
    return Measure(label, "%", "share", decimals, better=better)


def mean(label: str, unit: str, step: float = POINTS_UNIT, decimals: int = 2, scale: float = 1.0) -> Measure:
    """A mean over hands (or games)."""
    return Measure(label, unit, "mean", decimals, step=step, scale=scale)
