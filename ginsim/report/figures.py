"""Figures as they are written: by their measures."""

from __future__ import annotations

import math
from typing import Any

from ginsim.inference.estimates import Estimate
from ginsim.inference.measures import Measure
from ginsim.study.measures import SHARE

__all__ = ["SHARE", "figure", "row_text"]


def figure(value: float, low: float, high: float) -> Estimate:
    """A figure of which a table keeps the interval alone."""
    return Estimate(float(value), float(low), float(high), math.nan)


def row_text(measure: Measure, row: Any, name: str) -> str:
    """A figure of a row of a table that has its interval under ``name_low`` and ``name_high``."""
    return measure.text(figure(row[name], row[f"{name}_low"], row[f"{name}_high"]))
