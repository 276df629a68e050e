"""The kinds of study, each registered once: what its file may say, what comes out, and how that is kept on disk."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from ginsim.errors import InputError
from ginsim.rules import Rules
from ginsim.study.calibration import (
    Calibration,
    CalibrationExperiment,
    CalibrationManifest,
    CalibrationSums,
    calibration_text,
    rebuilt_calibration,
)  # fmt: skip
from ginsim.study.compare import Comparison
from ginsim.study.effect import Effect
from ginsim.study.errorrates import (
    ErrorRates,
    ErrorRatesExperiment,
    ErrorRatesManifest,
    error_rates_text,
    rebuilt_error_rates,
)  # fmt: skip
from ginsim.study.experiment import CompareExperiment, EffectExperiment, Experiment, MapExperiment, TournamentExperiment
from ginsim.study.gameodds import Odds, OddsExperiment, OddsManifest, OddsSums, odds_text, rebuilt_odds
from ginsim.study.grid import Factorial, Gauntlet, Sweep
from ginsim.study.grid_kinds import (
    FactorialExperiment,
    GauntletExperiment,
    GridManifest,
    GridSums,
    SweepExperiment,
    build_grid,
    grid_text,
)  # fmt: skip
from ginsim.study.results import (
    MANIFEST,
    TALLIES,
    EffectManifest,
    EffectSums,
    Manifest,
    MapManifest,
    MapSums,
    Saved,
    Sums,
    checked_json,
    comparison_text,
    effect_text,
    existing,
    map_text,
    rebuilt_comparison,
    rebuilt_effect,
    rebuilt_map,
    rebuilt_tournament,
    tournament_text,
)  # fmt: skip
from ginsim.study.rulemap import RuleMap
from ginsim.study.statistics import (
    Statistics,
    StatisticsExperiment,
    StatisticsManifest,
    StatisticsSums,
    build_statistics,
    statistics_text,
)  # fmt: skip
from ginsim.study.tablekinds import (
    TableCompareExperiment,
    TableEffectExperiment,
    TableEffectSums,
    TableTournamentExperiment,
    rebuilt_table_comparison,
    rebuilt_table_effect,
    rebuilt_table_tournament,
    table_effect_text,
)  # fmt: skip
from ginsim.study.tablestudy import TableComparison, TableEffect, TableTournament
from ginsim.study.tournament import Tournament
from ginsim.table.rules import TableRules

__all__ = ["KINDS", "Kind", "kind_of", "load_results", "tallies_text"]


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


KINDS: dict[str, Kind] = {
    "tournament": Kind(TournamentExperiment, Tournament, tournament_text, Manifest, Sums, rebuilt_tournament),
    "compare": Kind(CompareExperiment, Comparison, comparison_text, Manifest, Sums, rebuilt_comparison),
    "effect": Kind(EffectExperiment, Effect, effect_text, EffectManifest, EffectSums, rebuilt_effect),
    "gauntlet": Kind(GauntletExperiment, Gauntlet, grid_text, GridManifest, dict[str, GridSums], build_grid(Gauntlet)),
    "sweep": Kind(SweepExperiment, Sweep, grid_text, GridManifest, dict[str, GridSums], build_grid(Sweep)),
    "factorial": Kind(FactorialExperiment, Factorial, grid_text, GridManifest, dict[str, GridSums], build_grid(Factorial)),
    "statistics": Kind(
        StatisticsExperiment, Statistics, statistics_text, StatisticsManifest, dict[str, StatisticsSums], build_statistics
    ),
    "map": Kind(MapExperiment, RuleMap, map_text, MapManifest, MapSums, rebuilt_map),
    "odds": Kind(OddsExperiment, Odds, odds_text, OddsManifest, OddsSums, rebuilt_odds),
    "calibration": Kind(
        CalibrationExperiment, Calibration, calibration_text, CalibrationManifest, CalibrationSums, rebuilt_calibration
    ),
    "error_rates": Kind(
        ErrorRatesExperiment,
        ErrorRates,
        error_rates_text,
        ErrorRatesManifest,
        dict[str, dict[str, int]],
        rebuilt_error_rates,
        merges=False,
    ),
    "table_compare": Kind(
        TableCompareExperiment, TableComparison, comparison_text, Manifest, Sums, rebuilt_table_comparison, TableRules
    ),
    "table_tournament": Kind(
        TableTournamentExperiment, TableTournament, tournament_text, Manifest, Sums, rebuilt_table_tournament, TableRules
    ),
    "table_effect": Kind(
        TableEffectExperiment, TableEffect, table_effect_text, EffectManifest, TableEffectSums, rebuilt_table_effect, TableRules
    ),
}


def kind_of(result: Saved) -> str:
    """Name of the kind of a result."""
    return next(name for name, kind in KINDS.items() if type(result) is kind.result)


def tallies_text(result: Saved) -> str:
    """The sums of a result as the text of ``tallies.json``."""
    return KINDS[kind_of(result)].text(result)


def load_results(folder: str | Path) -> Saved:
    """The result that was saved in a folder, rebuilt from its sums.

    Parameters
    ----------
    folder : path
        Where ``result.save``, ``ginsim run`` or ``--out`` wrote to.

    Raises
    ------
    InputError
        If it is no result folder or a file in it is damaged; names the file and what is wrong.
    """
    folder = existing(folder)
    manifest, sums = load_sums(folder)
    seconds = math.nan if manifest.wall_seconds is None else manifest.wall_seconds
    try:
        rules = KINDS[manifest.kind].rules(**manifest.rules.fields)
        return KINDS[manifest.kind].build(folder, manifest, rules, sums, wall_seconds=seconds)
    except InputError as error:
        raise error if str(error).startswith("results: ") else InputError(f"results: {folder / MANIFEST}: {error}") from None


def load_sums(folder: Path) -> tuple[Manifest, Any]:
    """The manifest of a result folder and its sums, checked for their shape and the checksum."""
    manifest = checked_json(folder / MANIFEST, TypeAdapter(Manifest))
    if manifest.kind not in KINDS:
        raise InputError(f"results: {folder / MANIFEST}: kind {manifest.kind!r} is not known; kinds are {', '.join(KINDS)}")
    if manifest.kind == "compare" and len(manifest.strategies) != 2:
        raise InputError(f"results: {folder / MANIFEST}: a compare has 2 strategies, not {len(manifest.strategies)}")
    kind = KINDS[manifest.kind]
    manifest = checked_json(folder / MANIFEST, TypeAdapter(kind.manifest))
    return manifest, checked_json(folder / TALLIES, TypeAdapter(kind.sums), manifest.tallies_sha256)
