"""Gin Rummy by simulation: evaluate hands, play strategies against each other, compare rules.

>>> import ginsim
>>> ginsim.deadwood("8S 8H 8D 5S 6S 7S AD 4C")
5
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ginsim.version import __version__ as __version__

if TYPE_CHECKING:
    from ginsim.cards import format_hand as format_hand
    from ginsim.cards import parse_hand as parse_hand
    from ginsim.errors import InputError as InputError
    from ginsim.exact.deadwood import exact_deadwood as exact_deadwood
    from ginsim.exact.responder import Responder as Responder
    from ginsim.exact.response import best_response as best_response
    from ginsim.exact.response import exact_value as exact_value
    from ginsim.experiment.loading import load_results as load_results
    from ginsim.games import table as table
    from ginsim.games.catalog import Strategy as Strategy
    from ginsim.games.gin.evaluate import best_discard as best_discard
    from ginsim.games.gin.evaluate import best_melds as best_melds
    from ginsim.games.gin.evaluate import deadwood as deadwood
    from ginsim.games.gin.evaluate import is_meld as is_meld
    from ginsim.games.gin.evaluate import lay_off_targets as lay_off_targets
    from ginsim.games.gin.evaluate import rank_discards as rank_discards
    from ginsim.games.gin.evaluate import showdown as showdown
    from ginsim.games.gin.recorded.reading import read_hands as read_hands
    from ginsim.games.gin.rules import Rules as Rules
    from ginsim.games.gin.view import View as View
    from ginsim.games.table.rules import TableRules as TableRules
    from ginsim.report import plots as plots
    from ginsim.report.gallery import gallery as gallery
    from ginsim.report.showing import charts_page as charts_page
    from ginsim.report.showing import merge as merge
    from ginsim.report.showing import plot as plot
    from ginsim.report.showing import save as save
    from ginsim.study.calibration import calibrate as calibrate
    from ginsim.study.compare import compare as compare
    from ginsim.study.effect import effect as effect
    from ginsim.study.error_rates import error_rates as error_rates
    from ginsim.study.grid import factorial as factorial
    from ginsim.study.grid import gauntlet as gauntlet
    from ginsim.study.grid import sweep as sweep
    from ginsim.study.hand import advise as advise
    from ginsim.study.hand import replay as replay
    from ginsim.study.hand import replay_row as replay_row
    from ginsim.study.map import rule_map as rule_map
    from ginsim.study.mixture import mixture as mixture
    from ginsim.study.odds import odds as odds
    from ginsim.study.plan import plan as plan
    from ginsim.study.review import review as review
    from ginsim.study.solve import solve as solve
    from ginsim.study.statistics import statistics as statistics
    from ginsim.study.stepwise import Table as Table
    from ginsim.study.tournament import tournament as tournament
    from ginsim.training.exploit import exploit as exploit
    from ginsim.training.exploit import exploitability as exploitability
    from ginsim.training.retraining import retrain as retrain
    from ginsim.training.train import train as train

_HOME = {
    "InputError": "ginsim.errors",
    "Responder": "ginsim.exact.responder",
    "Rules": "ginsim.games.gin.rules",
    "Strategy": "ginsim.games.catalog",
    "Table": "ginsim.study.stepwise",
    "TableRules": "ginsim.games.table.rules",
    "View": "ginsim.games.gin.view",
    "advise": "ginsim.study.hand",
    "best_discard": "ginsim.games.gin.evaluate",
    "best_melds": "ginsim.games.gin.evaluate",
    "best_response": "ginsim.exact.response",
    "calibrate": "ginsim.study.calibration",
    "charts_page": "ginsim.report.showing",
    "compare": "ginsim.study.compare",
    "deadwood": "ginsim.games.gin.evaluate",
    "effect": "ginsim.study.effect",
    "error_rates": "ginsim.study.error_rates",
    "exact_deadwood": "ginsim.exact.deadwood",
    "exact_value": "ginsim.exact.response",
    "exploit": "ginsim.training.exploit",
    "exploitability": "ginsim.training.exploit",
    "factorial": "ginsim.study.grid",
    "format_hand": "ginsim.cards",
    "gallery": "ginsim.report.gallery",
    "gauntlet": "ginsim.study.grid",
    "is_meld": "ginsim.games.gin.evaluate",
    "lay_off_targets": "ginsim.games.gin.evaluate",
    "load_results": "ginsim.experiment.loading",
    "merge": "ginsim.report.showing",
    "mixture": "ginsim.study.mixture",
    "odds": "ginsim.study.odds",
    "parse_hand": "ginsim.cards",
    "plan": "ginsim.study.plan",
    "plot": "ginsim.report.showing",
    "plots": "ginsim.report.plots",
    "rank_discards": "ginsim.games.gin.evaluate",
    "read_hands": "ginsim.games.gin.recorded.reading",
    "replay": "ginsim.study.hand",
    "replay_row": "ginsim.study.hand",
    "review": "ginsim.study.review",
    "rule_map": "ginsim.study.map",
    "save": "ginsim.report.showing",
    "showdown": "ginsim.games.gin.evaluate",
    "solve": "ginsim.study.solve",
    "statistics": "ginsim.study.statistics",
    "sweep": "ginsim.study.grid",
    "table": "ginsim.games.table",
    "tournament": "ginsim.study.tournament",
    "retrain": "ginsim.training.retraining",
    "train": "ginsim.training.train",
}
"""Where each public name is defined; it is imported on first use, so ``import ginsim`` costs next to nothing."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(_HOME[name])
    value = globals()[name] = home if name in ("plots", "table") else getattr(home, name)
    return value


def __dir__() -> list[str]:
    return ["__version__", *__all__]
