"""The result folder of a study: tables, plots, the page, the sums behind them, and a manifest.

All files but the manifest are functions of what was played, not of the machine or the moment: saved again, they are the
same to the bit, and then the manifest stays as it is, too. Each is written whole or not at all, the manifest last. It lists
them, so that the next result saved into the folder can take away those that are not its own; nothing else is ever removed.
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
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.experiment.alone import alone, made_folder
from ginsim.experiment.loading import check_saved, load_results, tallies_text
from ginsim.experiment.saved import PASSING, kept_facts, lasting, manifest_text
from ginsim.files import csv_text, path_of, write_whole
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.plugin import source_files
from ginsim.report.html import html_page, latex_tables
from ginsim.report.page import Notes
from ginsim.report.plots import figure_bytes, save_figure
from ginsim.report.sheet import Sheet
from ginsim.report.sheets import sheet_of
from ginsim.simulation.hands import GAMES_FOLDER, parts_of
from ginsim.specs import own_file
from ginsim.study.base import kind_of, kinds
from ginsim.study.kept import HANDS_FOLDER, MANIFEST, TALLIES
from ginsim.version import __version__

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["machine", "save_again", "save_pictures", "save_result"]

NOTES = ("title", "question", "command", "experiment", "changed", "study", "asked")
"""What a manifest keeps of the words around the figures."""
WRITTEN = re.compile(
    r"manifest\.json|tallies\.json|report\.md|(chart|report)\.html|tables\.tex|hands/hands-[^/]+\.parquet|games/games-[^/]+\.parquet|"
    r"(adaptation|adapting|advices|at_scores|best|calibration|card(_\d+_\d+)?|cards(_\d+)?|cells|chart|course|coverage|curve|deadwood(_\d+)?|"
    r"differences|discards|effects|endings|error_rates|exploitability|gains|games|games_won|habits|hands_won|nets|outcome|"
    r"by_strategy|heatmap|knocks(_\d+)?|lengths|looks|map(_(knocked|last|value))?|margin_per_game|nash|odds|opponents|pairings|play_on(_\d+)?|reply|worth|points_per_hand|ranking|ratings|retrained|retraining|scores|seats|shares|"
    r"starter_share|summary|turns|who_plays)\.(csv|parquet|png|svg)"
)
"""The names of all that is ever written into a result folder, and so of all that may be removed from one."""
LIBRARIES = ("numpy", "numba", "pandas", "scipy", "pyarrow", "matplotlib", "joblib")


def save_result(result: Any, folder: str | Path, **notes: Any) -> Path:
    """Write a result into ``folder``: tables (CSV, Parquet, LaTeX), plots (PNG, SVG), report, sums and manifest.

    Parameters
    ----------
    result : Comparison, Tournament, …
    folder : path
    **notes
        For the report: ``title``, ``question``, ``command`` (what reproduces it; by default a call from Python),
        ``experiment`` (text of the experiment file), ``changed`` (what was given beside it), ``study`` (its digest),
        ``shares`` (which seeds and parts of the deals it covers), ``asked`` (what it was made to tell, in Markdown).
    """
    return _write(result, path_of("folder", folder), notes, {})


def _write(result: Any, folder: Path, notes: Mapping[str, Any], passing: Mapping[str, Any]) -> Path:
    """Write a result; ``passing`` replaces what the manifest would say of the moment and the machine."""
    sheet = sheet_of(result)
    command = _call(sheet.function, sheet.arguments, sheet.settings)
    kept = _kept(folder, getattr(result, "hands_folder", None))
    full = _notes((*sheet.strategies, *sheet.others), command, notes, kept)
    facts = {**_facts(result, sheet, full), **passing}
    tallies = tallies_text(result)
    facts |= {"hands_kept": HANDS_FOLDER in kept, "tallies_sha256": hashlib.sha256(tallies.encode()).hexdigest()}
    check_saved(folder, facts, tallies)
    return _save(folder, sheet, sheet.page(full), tallies, facts)


def save_again(folder: str | Path, judged: Callable[[Any], Any] | None = None, **notes: Any) -> Path:
    """Write the report, tables and plots of a finished study again from its sums; ``notes`` as in `save_result`, or as they were.

    Parameters
    ----------
    folder : path
    judged : function, optional
        Makes of the result the one that is shown: the same sums judged by another criterion, say.
    **notes

    Raises
    ------
    InputError
        If it is no result folder or a file in it is damaged.
    """
    result, facts = load_results(folder), kept_facts(Path(folder))
    result = judged(result) if judged else result
    kept: dict[str, Any] = {name: facts.get(name, "") for name in NOTES} | {"shares": tuple(facts.get("shares", ()))}
    kept["courses"] = facts.get("courses", {})
    kept["files"] = tuple((of["file"], of["sha256"]) for of in facts.get("strategy_files", ()))  # as they were
    passing = {name: facts[name] for name in PASSING if name in facts}  # nothing was played now
    with alone(Path(folder)) as where:
        return _write(result, where, kept | notes, passing)


def save_pictures(folder: str | Path, formats: Sequence[str]) -> list[Path]:
    """Draw the plots of a finished study again from its sums; the files written.

    Raises
    ------
    InputError
        If it is no result folder or a file in it is damaged, or a format is not 'png', 'svg' or 'pdf'.
    """
    pictures = sheet_of(load_results(folder)).pictures
    with alone(Path(folder)) as where:
        drawn = [save_figure(draw(), where, name, formats) for name, draw in pictures.items()]
    return [path for paths in drawn for path in paths]


def _notes(strategies: Sequence[str], command: str, given: Mapping[str, Any], kept: Sequence[str] = ()) -> Notes:
    """What the report says beside the figures; ``command`` unless another is given."""
    files = source_files(f"{file}:" for file in map(own_file, strategies) if file)
    more = {"command": command, "files": tuple(files)} | {key: value for key, value in given.items() if value}
    return Notes(**more, kept=tuple(kept))


def _kept(folder: Path, hands: Path | None) -> list[str]:
    """The folders of kept records that lie in the result folder: hands, games."""
    if hands is None or hands.resolve() != (folder / HANDS_FOLDER).resolve():
        return []
    return [name for name in (HANDS_FOLDER, GAMES_FOLDER) if parts_of(folder / name, name)]


def _save(folder: Path, sheet: Sheet, page: str, tallies: str, facts: dict[str, Any]) -> Path:
    """Write all files of a result folder, without the tables that are None."""
    made_folder("folder", folder)
    contents: dict[str, bytes] = {TALLIES: tallies.encode(), "report.md": page.encode()}
    for name, table in sheet.tables().items():
        if table is not None:
            contents |= _table_files(table, name)
    for name, draw in sheet.pictures.items():
        axes = draw()
        contents |= {f"{name}.{form}": figure_bytes(axes, form) for form in ("png", "svg")}
    drawn = {f"{name}.png": contents[f"{name}.svg"].decode() for name in sheet.pictures}
    contents |= {"report.html": html_page(page, drawn).encode(), "tables.tex": latex_tables(page).encode()}
    contents |= {f"{name}.html": make().encode() for name, make in sheet.pages.items()}
    records = [path for name in facts["records_kept"] for path in parts_of(folder / name, name)]
    facts["files"] = sorted([*contents, MANIFEST, *(path.relative_to(folder).as_posix() for path in records)])
    assert all(WRITTEN.fullmatch(name) for name in contents), contents.keys()
    changed = [name for name, data in contents.items() if _content(folder / name) != data]
    old = kept_facts(folder)
    for name in changed:
        write_whole(folder / name, contents[name])
    _remove_stale(folder, old, set(facts["files"]))
    if changed or lasting(old) != lasting(facts):
        write_whole(folder / MANIFEST, manifest_text(facts))
    return folder


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _remove_stale(folder: Path, old: Mapping[str, Any], written: set[str]) -> None:
    """Remove what the manifest of an earlier result lists and this one has not written, if it has a name that ginsim gives."""
    listed = old.get("files")
    names = {name for name in listed if isinstance(name, str)} - written if isinstance(listed, list) else set()
    for name in filter(WRITTEN.fullmatch, names):
        path = folder / name
        if not path.is_file() or path.is_symlink():
            continue
        if path.parent == folder:
            path.unlink()
        elif not path.parent.is_symlink():
            path.unlink()
            if not any(path.parent.iterdir()):
                path.parent.rmdir()


def _table_files(table: pd.DataFrame, name: str) -> dict[str, bytes]:
    """``name.csv`` (six digits) and ``name.parquet`` (full precision), without the index."""
    data = io.BytesIO()
    table.to_parquet(data, index=False)
    text = csv_text(table, index=False, float_format="%.6g")
    return {f"{name}.csv": text.encode(), f"{name}.parquet": data.getvalue()}


def _call(function: str, first: Sequence[Any], settings: Mapping[str, Any]) -> str:
    """The call from Python that plays the same again."""
    written = [_literal(value) for value in first] + [f"{key}={_literal(value)}" for key, value in settings.items()]
    given = ", ".join(written)
    return "python -c " + shlex.quote(f'import ginsim; ginsim.save(ginsim.{function}({given}), "result")')


def _literal(value: Any) -> str:
    """A text, number or list as Python reads it, in double quotes: the call stands in single ones."""
    return str(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _facts(result: Any, sheet: Sheet, notes: Notes) -> dict[str, Any]:
    """The manifest: what was played, when, where and how fast."""
    kind = kinds()[kind_of(result)]
    seconds = result.wall_seconds if math.isfinite(result.wall_seconds) else None
    played = {"deals": sheet.settings["deals"], "games": sheet.settings.get("games", 0)}
    seed = list(result.seed) if isinstance(result.seed, tuple) else result.seed
    return {
        "ginsim": __version__,
        "kind": kind_of(result),
        "game": game_of(sheet.rules).name,
        "title": notes.title,
        "question": notes.question,
        "rules": {"spec": sheet.rules, "fields": rules_of(sheet.rules).model_dump()},
        "strategies": list(sheet.strategies),
        "strategy_files": [{"file": file, "sha256": digest} for file, digest in notes.files],
        "records_kept": list(notes.kept),
        "seed": seed,
        **played,
        "shares": list(notes.shares) or [{"seed": seed, "part": "1/1", **played}],
        "hands_played": result.hand_count,
        "saved": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "wall_seconds": seconds,
        "hands_per_second": round(result.hand_count / seconds) if seconds else None,
        "machine": machine(),
        "command": notes.command,
        "experiment": notes.experiment,
        "changed": notes.changed,
        "study": notes.study,
        "asked": notes.asked,
        "tallies_version": kind.version,
        **({"courses": notes.courses} if notes.courses else {}),
        **kind.facts(result),
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
