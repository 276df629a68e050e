"""Gin Rummy by simulation: evaluate hands, play strategies against each other, compare rules.

>>> import ginsim
>>> ginsim.deadwood("8S 8H 8D 5S 6S 7S AD 4C")
5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ginsim import plots as plots
    from ginsim.cards import format_hand as format_hand
    from ginsim.cards import parse_hand as parse_hand
    from ginsim.errors import InputError as InputError
    from ginsim.exact.deadwood import exact_deadwood as exact_deadwood
    from ginsim.experiment.kinds.calibration import calibrate as calibrate
    from ginsim.experiment.kinds.error_rates import error_rates as error_rates
    from ginsim.experiment.merge import merge as merge
    from ginsim.experiment.registry import load_results as load_results
    from ginsim.games.gin.advice import advise as advise
    from ginsim.games.gin.evaluate import best_discard as best_discard
    from ginsim.games.gin.evaluate import best_melds as best_melds
    from ginsim.games.gin.evaluate import deadwood as deadwood
    from ginsim.games.gin.evaluate import is_meld as is_meld
    from ginsim.games.gin.evaluate import lay_off_targets as lay_off_targets
    from ginsim.games.gin.evaluate import rank_discards as rank_discards
    from ginsim.games.gin.evaluate import showdown as showdown
    from ginsim.games.gin.replay import replay as replay
    from ginsim.games.gin.replay import replay_row as replay_row
    from ginsim.games.gin.rules import Rules as Rules
    from ginsim.games.gin.view import View as View
    from ginsim.games.strategy import Strategy as Strategy
    from ginsim.games.table.rules import TableRules as TableRules
    from ginsim.games.table.spec import TableStrategy as TableStrategy
    from ginsim.report.showing import plot as plot
    from ginsim.report.showing import save as save
    from ginsim.study.compare import compare as compare
    from ginsim.study.effect import effect as effect
    from ginsim.study.gameodds import odds as odds
    from ginsim.study.grid import factorial as factorial
    from ginsim.study.grid import gauntlet as gauntlet
    from ginsim.study.grid import sweep as sweep
    from ginsim.study.rulemap import rule_map as rule_map
    from ginsim.study.statistics import statistics as statistics
    from ginsim.study.tournament import tournament as tournament

__version__ = "0.1.0"

_EVALUATE = ("best_discard", "best_melds", "deadwood", "is_meld", "lay_off_targets", "rank_discards", "showdown")
_HOME = dict.fromkeys(_EVALUATE, "ginsim.games.gin.evaluate") | {
    "InputError": "ginsim.errors",
    "Rules": "ginsim.games.gin.rules",
    "Strategy": "ginsim.games.strategy",
    "TableRules": "ginsim.games.table.rules",
    "TableStrategy": "ginsim.games.table.spec",
    "View": "ginsim.games.gin.view",
    "advise": "ginsim.games.gin.advice",
    "calibrate": "ginsim.experiment.kinds.calibration",
    "compare": "ginsim.study.compare",
    "effect": "ginsim.study.effect",
    "error_rates": "ginsim.experiment.kinds.error_rates",
    "exact_deadwood": "ginsim.exact.deadwood",
    "factorial": "ginsim.study.grid",
    "format_hand": "ginsim.cards",
    "gauntlet": "ginsim.study.grid",
    "load_results": "ginsim.experiment.registry",
    "merge": "ginsim.experiment.merge",
    "odds": "ginsim.study.gameodds",
    "parse_hand": "ginsim.cards",
    "plot": "ginsim.report.showing",
    "plots": "ginsim.plots",
    "replay": "ginsim.games.gin.replay",
    "replay_row": "ginsim.games.gin.replay",
    "rule_map": "ginsim.study.rulemap",
    "save": "ginsim.report.showing",
    "statistics": "ginsim.study.statistics",
    "sweep": "ginsim.study.grid",
    "tournament": "ginsim.study.tournament",
}
"""Where each public name is defined; it is imported on first use, so ``import ginsim`` costs next to nothing."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = globals()[name] = home if _HOME[name] == f"ginsim.{name}" else getattr(home, name)
    return value


def __dir__() -> list[str]:
    return ["__version__", *__all__]
