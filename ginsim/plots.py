"""Plots of results, one function each: ``ginsim.plots.heatmap(result, ax=None)`` draws and returns the matplotlib axes."""

from ginsim.report.plots import *  # noqa: F403
from ginsim.report.plots import __all__ as __all__
