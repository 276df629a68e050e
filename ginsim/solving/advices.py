"""Popular advice on when to knock, as charts, to be judged beside the solved one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ginsim.solving.chart import Chart, rule

__all__ = ["ADVICES", "advice"]

ADVICES: dict[str, Callable[..., Any]] = {
    "knock at once": lambda turn, **known: turn > 0,
    "knock with 4 or less": lambda deadwood, **known: deadwood <= 4,
    "never knock before gin": lambda turn, **known: turn < 0,
    "knock on turns 1 to 3, then gin": lambda turn, **known: turn <= 3,
    "knock on turns 1 to 5, then gin": lambda turn, **known: turn <= 5,
    "knock with 6 or more until turn 7, then gin": lambda turn, deadwood, **known: (turn <= 7) & (deadwood >= 6),
    "gin with one unmatched card; with more knock until turn 8": lambda turn, unmatched, **known: (turn <= 8) & (unmatched > 0),
}
"""What says whether to knock, from the turn, the deadwood and the class of the number of unmatched cards (0: one card)."""


def advice(name: str) -> Chart:
    """The chart of an advice."""
    return rule(ADVICES[name])
