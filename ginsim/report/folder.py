"""The result folder of a study: tables, plots, the page, the sums behind them, and a manifest.

All files but the manifest are functions of what was played, not of the machine or the moment: saved again, they are the
same to the bit. Each is written whole or not at all, the manifest last.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import io
import json
import math
import os
import platform
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim import __version__
from ginsim.errors import InputError
from ginsim.report import plots
from ginsim.report.page import Notes, comparison_page, tournament_page
from ginsim.report.plots import save_figure, write_whole
from ginsim.rules import Rules
from ginsim.study.results import HANDS_FOLDER, MANIFEST, TALLIES, tallies_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ginsim.study.compare import Comparison
    from ginsim.study.tournament import Tournament

__all__ = ["machine", "save_comparison", "save_tournament", "write_table"]

LIBRARIES = ("numpy", "numba", "pandas", "scipy", "pyarrow", "matplotlib", "joblib")


def save_tournament(
    t: Tournament,
    folder: str | Path,
    *,
    title: str = "",
    question: str = "",
    command: str = "",
    experiment: str = "",
    study: str = "",
) -> Path:
    """Write a round robin into ``folder``: tables (CSV, Parquet), plots (PNG, SVG), report, sums and manifest.

    Parameters
    ----------
    t : Tournament
    folder : path
    title, question : str
        For the report.
    command : str
        What reproduces it; by default a call from Python.
    experiment : str
        Text of the experiment file.
    study : str
        Digest of the study.
    """
    command = command or _call("tournament", [list(t.strategies)], _first(t))
    notes = Notes(title, question, command, experiment, study)
    ranking = t.ranking()
    tables = {
        "ranking": ranking.reset_index(),
        "points_per_hand": _named(t.matrix("points_per_hand")),
        "hands_won": _named(t.matrix("hands_won")),
        "games_won": _named(t.matrix("games_won")) if "games_won" in ranking else None,
        "pairings": t.pairing_table(),
    }
    pictures = {"heatmap": plots.heatmap(t), "ranking": plots.ranking(t)}
    facts = _facts("tournament", t, list(t.strategies), _first(t), notes)
    return _save(Path(folder), tables, pictures, tournament_page(t, notes), tallies_text(t), facts, t.hands_folder)


def save_comparison(
    c: Comparison,
    folder: str | Path,
    *,
    title: str = "",
    question: str = "",
    command: str = "",
    experiment: str = "",
    study: str = "",
) -> Path:
    """Write a comparison into ``folder``; the parameters are those of `save_tournament`."""
    notes = Notes(title, question, command or _call("compare", [c.a, c.b], c), experiment, study)
    tables = {"summary": c.summary().reset_index(), "endings": c.endings()}
    facts = _facts("compare", c, [c.a, c.b], c, notes)
    return _save(
        Path(folder), tables, {"endings": plots.endings(c)}, comparison_page(c, notes), tallies_text(c), facts, c.hands_folder
    )


def _save(
    folder: Path,
    tables: Mapping[str, pd.DataFrame | None],
    pictures: Mapping[str, Axes],
    page: str,
    tallies: str,
    facts: dict[str, Any],
    hands: Path | None,
) -> Path:
    """Write all files of a result folder; a table that is None is taken away."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder: {folder} cannot be used as a folder ({error.strerror})") from None
    write_whole(folder / TALLIES, tallies)
    for name, table in tables.items():
        write_table(table, folder, name)
    for name, axes in pictures.items():
        save_figure(axes, folder, name)
    write_whole(folder / "report.md", page)
    facts["hands_kept"] = hands is not None and hands.resolve() == (folder / HANDS_FOLDER).resolve()
    facts["tallies_sha256"] = hashlib.sha256(tallies.encode()).hexdigest()
    write_whole(folder / MANIFEST, json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return folder


def write_table(table: pd.DataFrame | None, folder: Path, name: str) -> None:
    """Write ``name.csv`` (six digits) and ``name.parquet`` (full precision), without the index; None removes both."""
    csv, parquet = folder / f"{name}.csv", folder / f"{name}.parquet"
    if table is None:
        csv.unlink(missing_ok=True)
        parquet.unlink(missing_ok=True)
        return
    write_whole(csv, table.to_csv(index=False, float_format="%.6g", lineterminator="\n"))
    data = io.BytesIO()
    table.to_parquet(data, index=False)
    write_whole(parquet, data.getvalue())


def _named(matrix: pd.DataFrame) -> pd.DataFrame:
    return matrix.rename_axis("strategy").reset_index()


def _first(t: Tournament) -> Comparison:
    return next(iter(t.pairings.values()))


def _call(function: str, players: list[Any], some: Comparison) -> str:
    """The call from Python that plays the same again."""
    settings = {"rules": some.rules, "deals": some.deals, "seed": some.seed, "games": some.games_tally["pairs"]}
    written = [_literal(value) for value in players] + [f"{key}={_literal(value)}" for key, value in settings.items()]
    given = ", ".join(written)
    return "python -c " + shlex.quote(f'import ginsim; ginsim.{function}({given}).save("result")')


def _literal(value: Any) -> str:
    """A text, number or list as Python reads it, in double quotes: the call stands in single ones."""
    return json.dumps(value, ensure_ascii=False)


def _facts(kind: str, result: Comparison | Tournament, strategies: list[str], some: Comparison, notes: Notes) -> dict[str, Any]:
    """The manifest: what was played, when, where and how fast."""
    seconds = result.wall_seconds if math.isfinite(result.wall_seconds) else None
    return {
        "ginsim": __version__,
        "kind": kind,
        "title": notes.title,
        "question": notes.question,
        "rules": {"spec": result.rules, "fields": Rules.parse(result.rules).model_dump()},
        "strategies": strategies,
        "seed": result.seed,
        "deals": some.deals,
        "games": some.games_tally["pairs"],
        "hands_played": result.hand_count,
        "saved": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "wall_seconds": seconds,
        "hands_per_second": round(result.hand_count / seconds) if seconds else None,
        "machine": machine(),
        "command": notes.command,
        "experiment": notes.experiment,
        "study": notes.study,
    }


def machine() -> dict[str, Any]:
    """What the figures were computed with: platform, processor, cores, versions of Python and of the libraries."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": cores,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:  # not Linux
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
