"""What a kind of study is made of; each is registered once, in `ginsim.experiment.registry`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ginsim.experiment.base import Experiment
from ginsim.experiment.saved import Manifest, Saved
from ginsim.games.gin.rules import Rules
from ginsim.games.table.rules import TableRules


class Kind(NamedTuple):
    """A kind of study.

    ``experiment`` is the model of its file and ``result`` the class of what comes out. ``text`` writes the sums of a result,
    ``manifest`` and ``sums`` are the shapes of its two files, and ``build(folder, manifest, rules, sums, **more)`` makes the
    result of them again; ``merges`` says whether sums of other deals may be added to them. How a result is shown is up to
    ``ginsim.report``: its class has ``save`` and ``verdict``.
    """

    experiment: type[Experiment]
    result: type[Saved]
    text: Callable[[Any], str]
    manifest: type[Manifest]
    sums: Any
    build: Callable[..., Saved]
    rules: type[Rules] | type[TableRules] = Rules
    merges: bool = True
