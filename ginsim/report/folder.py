"""The result folder of a study: tables, plots, the page, the sums behind them, and a manifest.

All files but the manifest are functions of what was played, not of the machine or the moment: saved again, they are the
same to the bit. Each is written whole or not at all, the manifest last. It lists them, so that the next result saved into the
folder can take away those that are not its own; nothing else is ever removed.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim import __version__
from ginsim.errors import InputError
from ginsim.files import write_whole
from ginsim.report import plots
from ginsim.report.page import Notes, changes_of, comparison_page, effect_page, map_page, own_file, tournament_page
from ginsim.report.plots import save_figure
from ginsim.rules import Rules
from ginsim.study.experiment import file_digest
from ginsim.study.hands import GAMES_FOLDER
from ginsim.study.results import HANDS_FOLDER, MANIFEST, TALLIES, Saved, tallies_text

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ginsim.study.compare import Comparison
    from ginsim.study.effect import Effect
    from ginsim.study.rulemap import RuleMap
    from ginsim.study.tournament import Tournament

__all__ = ["machine", "save_comparison", "save_effect", "save_rule_map", "save_tournament", "write_table"]

LIBRARIES = ("numpy", "numba", "pandas", "scipy", "pyarrow", "matplotlib", "joblib")


def save_tournament(t: Tournament, folder: str | Path, **notes: str) -> Path:
    """Write a round robin into ``folder``: tables (CSV, Parquet), plots (PNG, SVG), report, sums and manifest.

    Parameters
    ----------
    t : Tournament
    folder : path
    **notes : str
        For the report: ``title``, ``question``, ``command`` (what reproduces it; by default a call from Python),
        ``experiment`` (text of the experiment file), ``changed`` (what was given beside it), ``study`` (its digest).
    """
    command = _call("tournament", [list(t.strategies)], _settings(_first(t)))
    full = _notes(t.strategies, command, notes, _kept(Path(folder), t.hands_folder))
    ranking = t.ranking()
    tables = {
        "ranking": ranking.reset_index(),
        "points_per_hand": _named(t.matrix("points_per_hand")),
        "hands_won": _named(t.matrix("hands_won")),
        "games_won": _named(t.matrix("games_won")) if "games_won" in ranking else None,
        "pairings": t.pairing_table(),
    }
    pictures = {"heatmap": plots.heatmap(t), "ranking": plots.ranking(t)}
    facts = _facts("tournament", t, list(t.strategies), _settings(_first(t)), full)
    return _save(Path(folder), tables, pictures, tournament_page(t, full), tallies_text(t), facts)


def save_comparison(c: Comparison, folder: str | Path, **notes: str) -> Path:
    """Write a comparison into ``folder``; the parameters are those of `save_tournament`."""
    command = _call("compare", [c.a, c.b], _settings(c))
    full = _notes((c.a, c.b), command, notes, _kept(Path(folder), c.hands_folder))
    tables = {"summary": c.summary().reset_index(), "endings": c.endings()}
    facts = _facts("compare", c, [c.a, c.b], _settings(c), full)
    return _save(Path(folder), tables, {"endings": plots.endings(c)}, comparison_page(c, full), tallies_text(c), facts)


def save_effect(e: Effect, folder: str | Path, **notes: str) -> Path:
    """Write the effects of rules into ``folder``; the parameters are those of `save_tournament`."""
    settings = {"deals": e.deals, "seed": e.seed, "games": e.games}
    full = _notes(e.strategies, _call("effect", [e.base, list(e.variants), list(e.strategies)], settings), notes)
    several = len(e.strategies) > 1
    tables = {"effects": e.table(), "best": e.best() if several else None, "starter_share": _starter_shares(e)}
    pictures = {
        "differences": plots.differences(e),
        "games": plots.differences(e, plots.GAMES_SHOWN) if e.games else None,
        "best": plots.best_strategies(e) if several else None,
        "starter_share": plots.starter_share(e),
    }
    facts = _facts("effect", e, list(e.strategies), settings | {"rules": e.base}, full)
    facts["variants"] = [{"spec": variant, "changes": changes_of(e.base, variant)} for variant in e.variants]
    return _save(Path(folder), tables, pictures, effect_page(e, full), tallies_text(e), facts)


def _starter_shares(e: Effect) -> pd.DataFrame:
    import pandas as pd

    estimates = [e.starter_share(rule) for rule in range(1 + len(e.variants))]
    rows = [(rules, x.value, x.low, x.high) for rules, x in zip((e.base, *e.variants), estimates, strict=True)]
    return pd.DataFrame(rows, columns=["rules", "share", "low", "high"])


def save_rule_map(m: RuleMap, folder: str | Path, **notes: str) -> Path:
    """Write a map of best strategies into ``folder``; the parameters are those of `save_tournament`."""
    axes = [[name, list(values)] for name, values in (m.x, m.y)]
    settings = {"rules": m.base, "deals": m.deals, "seed": m.seed}
    full = _notes(m.strategies, _call("rule_map", [*axes, list(m.strategies)], settings), notes)
    tables = {"map": m.table(), "summary": m.summary().rename(columns=str).rename_axis(columns=None).reset_index()}
    facts = _facts("map", m, list(m.strategies), settings | {"games": 0}, full)
    facts |= {axis: {"field": name, "values": values} for axis, (name, values) in zip("xy", axes, strict=True)}
    return _save(Path(folder), tables, {"map": plots.rule_map(m)}, map_page(m, full), tallies_text(m), facts)


def _notes(strategies: Sequence[str], command: str, given: Mapping[str, str], kept: Sequence[str] = ()) -> Notes:
    """What the report says beside the figures; ``command`` unless another is given."""
    files = {file: file_digest(f"{file}:") for file in map(own_file, strategies) if file}
    more = {"command": command} | {key: value for key, value in given.items() if value}
    return Notes(**more, files=tuple(files.items()), kept=tuple(kept))


def _kept(folder: Path, hands: Path | None) -> list[str]:
    """The folders of kept records that lie in the result folder: hands, games."""
    if hands is None or hands.resolve() != (folder / HANDS_FOLDER).resolve():
        return []
    return [name for name in (HANDS_FOLDER, GAMES_FOLDER) if any((folder / name).glob("*.parquet"))]


def _save(
    folder: Path,
    tables: Mapping[str, pd.DataFrame | None],
    pictures: Mapping[str, Axes | None],
    page: str,
    tallies: str,
    facts: dict[str, Any],
) -> Path:
    """Write all files of a result folder, without the tables and pictures that are None."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder: {folder} cannot be used as a folder ({error.strerror})") from None
    paths = [write_whole(folder / TALLIES, tallies), write_whole(folder / "report.md", page), folder / MANIFEST]
    for name, table in tables.items():
        if table is not None:
            paths += write_table(table, folder, name)
    for name, axes in pictures.items():
        if axes is not None:
            paths += save_figure(axes, folder, name)
    for name in facts["records_kept"]:
        paths += (folder / name).glob("*.parquet")
    facts["hands_kept"] = HANDS_FOLDER in facts["records_kept"]
    facts["tallies_sha256"] = hashlib.sha256(tallies.encode()).hexdigest()
    facts["files"] = sorted(path.relative_to(folder).as_posix() for path in paths)
    _remove_stale(folder, set(facts["files"]))
    write_whole(folder / MANIFEST, json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False) + "\n")
    return folder


def _remove_stale(folder: Path, written: set[str]) -> None:
    """Remove what the manifest of an earlier result in this folder lists and this one has not written."""
    try:
        listed = json.loads((folder / MANIFEST).read_bytes())["files"]
        names = {name for name in listed if isinstance(name, str)} - written
    except (OSError, ValueError, KeyError, TypeError):  # none, damaged, or of an older version
        return
    for name in names:
        path = folder / name
        inside = path.parent in (folder, folder / HANDS_FOLDER, folder / GAMES_FOLDER)
        if inside and path.is_file():
            path.unlink()
            if path.parent != folder and not any(path.parent.iterdir()):
                path.parent.rmdir()


def write_table(table: pd.DataFrame, folder: Path, name: str) -> list[Path]:
    """Write ``name.csv`` (six digits) and ``name.parquet`` (full precision), without the index."""
    data = io.BytesIO()
    table.to_parquet(data, index=False)
    text = table.to_csv(index=False, float_format="%.6g", lineterminator="\n")
    return [write_whole(folder / f"{name}.csv", text), write_whole(folder / f"{name}.parquet", data.getvalue())]


def _named(matrix: pd.DataFrame) -> pd.DataFrame:
    return matrix.rename_axis("strategy").reset_index()


def _first(t: Tournament) -> Comparison:
    return next(iter(t.pairings.values()))


def _settings(some: Comparison) -> dict[str, Any]:
    """What a pairing was played with, by the names of the parameters."""
    return {"rules": some.rules, "deals": some.deals, "seed": some.seed, "games": some.games_tally["pairs"]}


def _call(function: str, first: list[Any], settings: Mapping[str, Any]) -> str:
    """The call from Python that plays the same again."""
    written = [_literal(value) for value in first] + [f"{key}={_literal(value)}" for key, value in settings.items()]
    given = ", ".join(written)
    return "python -c " + shlex.quote(f'import ginsim; ginsim.{function}({given}).save("result")')


def _literal(value: Any) -> str:
    """A text, number or list as Python reads it, in double quotes: the call stands in single ones."""
    return json.dumps(value, ensure_ascii=False)


def _facts(kind: str, result: Saved, strategies: list[str], settings: Mapping[str, Any], notes: Notes) -> dict[str, Any]:
    """The manifest: what was played, when, where and how fast."""
    seconds = result.wall_seconds if math.isfinite(result.wall_seconds) else None
    return {
        "ginsim": __version__,
        "kind": kind,
        "title": notes.title,
        "question": notes.question,
        "rules": {"spec": settings["rules"], "fields": Rules.parse(settings["rules"]).model_dump()},
        "strategies": strategies,
        "strategy_files": [{"file": file, "sha256": digest} for file, digest in notes.files],
        "records_kept": list(notes.kept),
        "seed": result.seed,
        "deals": settings["deals"],
        "games": settings["games"],
        "hands_played": result.hand_count,
        "saved": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "wall_seconds": seconds,
        "hands_per_second": round(result.hand_count / seconds) if seconds else None,
        "machine": machine(),
        "command": notes.command,
        "experiment": notes.experiment,
        "changed": notes.changed,
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
