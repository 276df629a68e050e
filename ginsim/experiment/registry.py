"""The kinds of study there are, and results on disk by their kind.

To add a kind, write a file in `ginsim.experiment.kinds` and name it here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ginsim.errors import InputError
from ginsim.experiment.kind import Kind
from ginsim.experiment.kinds.calibration import CALIBRATION
from ginsim.experiment.kinds.compare import COMPARE
from ginsim.experiment.kinds.coverage import COVERAGE
from ginsim.experiment.kinds.effect import EFFECT
from ginsim.experiment.kinds.error_rates import ERROR_RATES
from ginsim.experiment.kinds.grid import FACTORIAL, GAUNTLET, SWEEP
from ginsim.experiment.kinds.map import MAP
from ginsim.experiment.kinds.odds import ODDS
from ginsim.experiment.kinds.statistics import STATISTICS
from ginsim.experiment.kinds.table import TABLE_COMPARE, TABLE_EFFECT, TABLE_TOURNAMENT
from ginsim.experiment.kinds.tournament import TOURNAMENT
from ginsim.experiment.saved import (
    MANIFEST,
    TALLIES,
    ImpossibleError,
    Manifest,
    Saved,
    Told,
    check_told,
    checked_facts,
    checked_json,
    existing,
    first_of,
    manifest_text,
    with_later_sums,
)  # fmt: skip

__all__ = ["KINDS", "check_saved", "kind_of", "load_results", "load_sums", "tallies_text"]

KINDS: dict[str, Kind] = {
    "tournament": TOURNAMENT,
    "compare": COMPARE,
    "effect": EFFECT,
    "gauntlet": GAUNTLET,
    "sweep": SWEEP,
    "factorial": FACTORIAL,
    "statistics": STATISTICS,
    "map": MAP,
    "odds": ODDS,
    "calibration": CALIBRATION,
    "error_rates": ERROR_RATES,
    "coverage": COVERAGE,
    "table_compare": TABLE_COMPARE,
    "table_tournament": TABLE_TOURNAMENT,
    "table_effect": TABLE_EFFECT,
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
    try:
        result = _built(folder, manifest, sums)
    except InputError as error:
        raise error if str(error).startswith("results: ") else InputError(f"results: {folder / MANIFEST}: {error}") from None
    check_told(folder, checked_facts(folder), sums, result.hand_count)
    return result


def _built(folder: Path, manifest: Manifest, sums: Any) -> Saved:
    """The result of these sums, if they are possible."""
    seconds = math.nan if manifest.wall_seconds is None else manifest.wall_seconds
    rules = KINDS[manifest.kind].rules.of_fields(manifest.rules.fields)
    return KINDS[manifest.kind].build(folder, manifest, rules, sums, wall_seconds=seconds)


def check_saved(folder: Path, facts: Mapping[str, Any], tallies: str) -> None:
    """Refuse to save what could not be loaded again: a manifest and sums, of which nothing is written yet.

    Raises
    ------
    ImpossibleError
        Naming what is impossible.
    """
    kind, told = KINDS[facts["kind"]], json.loads(manifest_text(facts))
    try:
        manifest = kind.manifest.model_validate(told)
        sums = TypeAdapter(kind.sums).validate_python(json.loads(tallies), strict=True)
        check_told(folder, told, sums, _built(folder, manifest, sums).hand_count)
        Told.model_validate(told)
    except ValidationError as error:
        raise ImpossibleError(f"results: {folder}: {first_of(error)}") from None
    except InputError as error:
        raise ImpossibleError(error) from None


def load_sums(folder: Path) -> tuple[Manifest, Any]:
    """The manifest of a result folder and its sums, checked for their shape and the checksum."""
    manifest = checked_json(folder / MANIFEST, TypeAdapter(Manifest))
    if manifest.kind not in KINDS:
        raise InputError(f"results: {folder / MANIFEST}: kind {manifest.kind!r} is not known; kinds are {', '.join(KINDS)}")
    if manifest.kind == "compare" and len(manifest.strategies) != 2:
        raise InputError(f"results: {folder / MANIFEST}: a compare has 2 strategies, not {len(manifest.strategies)}")
    kind = KINDS[manifest.kind]
    manifest = checked_json(folder / MANIFEST, TypeAdapter(kind.manifest))
    return manifest, checked_json(folder / TALLIES, TypeAdapter(kind.sums), manifest.tallies_sha256, with_later_sums)
