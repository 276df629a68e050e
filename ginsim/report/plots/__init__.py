"""Plots of results: each function draws on ``ax``, or on a figure of its own, and returns the matplotlib axes.

Nothing here touches pyplot: figures are plain ``matplotlib.figure.Figure`` objects, so plots work without a display and
in threads. ``axes.figure`` is the figure; `save_figure` writes it.
"""

from __future__ import annotations

from ginsim.report.plots.adapting import adapting, adapting_map, retrained
from ginsim.report.plots.calibration import calibration
from ginsim.report.plots.card import chart_card, knock_card
from ginsim.report.plots.cards import cards
from ginsim.report.plots.charts import advices, advices_side_by_side, knock_chart, knock_charts
from ginsim.report.plots.effects import GAMES_SHOWN, best_strategies, differences, starter_share, who_plays
from ginsim.report.plots.exact import deadwood_odds
from ginsim.report.plots.field import heatmap, ranking
from ginsim.report.plots.grids import against, cells, factorial_effects, sweep_curve, sweep_map
from ginsim.report.plots.hands import endings
from ginsim.report.plots.inference import coverage, error_rates, looks, nash, ratings, score_map
from ginsim.report.plots.maps import rule_map
from ginsim.report.plots.names import short_labels, value_labels, variant_labels
from ginsim.report.plots.review import course, errors_by_kind, worst_decisions
from ginsim.report.plots.statistics import (
    card_bars,
    convergence,
    deadwood_fan,
    endings_mix,
    hand_lengths,
    knock_map,
    play_on_map,
    turn_chances,
)
from ginsim.report.plots.style import DIVERGING, MARGIN, STYLE, figure_bytes, save_figure
from ginsim.report.plots.table import table_endings, table_seats
from ginsim.report.plots.training import exploitability, habits, nets, training_course

__all__ = [
    "DIVERGING", "GAMES_SHOWN", "MARGIN", "STYLE", "adapting", "adapting_map", "advices", "advices_side_by_side", "against",
    "best_strategies", "calibration", "card_bars", "cards", "cells", "chart_card", "convergence", "course", "coverage",
    "deadwood_fan", "deadwood_odds", "differences", "endings", "endings_mix", "error_rates", "errors_by_kind", "exploitability",
    "factorial_effects", "figure_bytes", "habits", "hand_lengths", "heatmap", "knock_card", "knock_chart", "knock_charts",
    "knock_map", "looks", "nash", "nets", "play_on_map", "ranking", "ratings", "retrained", "rule_map", "save_figure",
    "score_map", "short_labels", "starter_share", "sweep_curve", "sweep_map", "table_endings", "table_seats", "training_course",
    "turn_chances", "value_labels", "variant_labels", "who_plays", "worst_decisions",
]  # fmt: skip
