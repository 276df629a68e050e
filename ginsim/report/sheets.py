"""What is shown of each kind of result. To show a new kind, write a file in ``ginsim.report.of`` and name it here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ginsim.errors import InputError
from ginsim.report.of import (
    calibration,
    comparison,
    coverage,
    effect,
    error_rates,
    grid,
    mixture,
    odds,
    rule_map,
    statistics,
    tournament,
)
from ginsim.report.sheet import Sheet
from ginsim.study.calibration import Calibration
from ginsim.study.compare import Comparison
from ginsim.study.coverage import Coverage
from ginsim.study.effect import Effect
from ginsim.study.error_rates import ErrorRates
from ginsim.study.grid import Grid
from ginsim.study.map import RuleMap
from ginsim.study.mixture import Mixture
from ginsim.study.odds import Odds
from ginsim.study.statistics import Statistics
from ginsim.study.tournament import Tournament

__all__ = ["SHEETS", "Sheet", "sheet_of"]

SHEETS: dict[type, Callable[[Any], Sheet]] = {
    Tournament: tournament.sheet,
    Comparison: comparison.sheet,
    Effect: effect.sheet,
    RuleMap: rule_map.sheet,
    Mixture: mixture.sheet,
    Statistics: statistics.sheet,
    Odds: odds.sheet,
    Calibration: calibration.sheet,
    ErrorRates: error_rates.sheet,
    Coverage: coverage.sheet,
    Grid: grid.sheet,
}
"""By the class of the result; what is derived from it is shown in the same way."""


def sheet_of(result: Any) -> Sheet:
    """The sheet of a result.

    Raises
    ------
    InputError
        If it is no result of a study.
    """
    for kind in type(result).__mro__:
        if kind in SHEETS:
            return SHEETS[kind](result)
    raise InputError(f"result: nothing is shown of a {type(result).__name__}; give the result of a study")
