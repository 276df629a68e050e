"""Results on disk: the sums they rest on, and a result rebuilt from a folder without playing.

A result folder holds ``manifest.json`` (what was played, on which machine) and ``tallies.json`` (the integer sums by
pairing and phase). Everything else in it can be made again from these two. To add a kind of result, extend ``KINDS``.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from ginsim.errors import InputError
from ginsim.rules import Rules
from ginsim.study.compare import Comparison
from ginsim.study.play import GAMES, HANDS
from ginsim.study.tally import GAME_TALLY, HAND_TALLY
from ginsim.study.tournament import Tournament, pairing_key

__all__ = ["HANDS_FOLDER", "KINDS", "MANIFEST", "TALLIES", "load_results", "tallies_text"]

MANIFEST, TALLIES, HANDS_FOLDER = "manifest.json", "tallies.json", "hands"
Sums = dict[str, dict[str, dict[str, int]]]
"""Pairing key -> phase -> name of the sum -> sum."""


class _RulesEntry(BaseModel):
    fields: dict[str, Any]


class _Manifest(BaseModel):
    """What a result is rebuilt from; a manifest holds more than that."""

    model_config = ConfigDict(strict=True)

    kind: str
    rules: _RulesEntry
    strategies: list[str]
    seed: int
    wall_seconds: float | None
    hands_kept: bool
    tallies_sha256: str


def tallies_text(result: Comparison | Tournament) -> str:
    """The sums of a result as the text of ``tallies.json``."""
    pairings = result.pairings if isinstance(result, Tournament) else {(0, 1): result}
    sums = {pairing_key(*key): {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for key, c in pairings.items()}
    return json.dumps(sums, indent=1) + "\n"


def load_results(folder: str | Path) -> Comparison | Tournament:
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
    folder = Path(folder)
    if not folder.is_dir():
        raise InputError(f"results: there is no folder {folder}")
    manifest = _checked(folder / MANIFEST, TypeAdapter(_Manifest))
    if manifest.kind not in KINDS:
        raise InputError(f"results: {folder / MANIFEST}: kind {manifest.kind!r} is not known; kinds are {', '.join(KINDS)}")
    if manifest.kind == "compare" and len(manifest.strategies) != 2:
        raise InputError(f"results: {folder / MANIFEST}: a compare has 2 strategies, not {len(manifest.strategies)}")
    sums = _checked(folder / TALLIES, TypeAdapter(Sums), manifest.tallies_sha256)
    try:
        rules = str(Rules(**manifest.rules.fields))
    except InputError as error:
        raise InputError(f"results: {folder / MANIFEST}: {error}") from None
    _check_sums(folder / TALLIES, sums, len(manifest.strategies))
    hands = folder / HANDS_FOLDER if manifest.hands_kept and (folder / HANDS_FOLDER).is_dir() else None
    seconds = math.nan if manifest.wall_seconds is None else manifest.wall_seconds
    return KINDS[manifest.kind](manifest, rules, sums, wall_seconds=seconds, hands_folder=hands)


def _comparison(manifest: _Manifest, rules: str, sums: Sums, i: int = 0, j: int = 1, **more: Any) -> Comparison:
    of = sums[pairing_key(i, j)]
    return Comparison(manifest.strategies[i], manifest.strategies[j], rules, manifest.seed, of[HANDS], of[GAMES], **more)


def _tournament(manifest: _Manifest, rules: str, sums: Sums, **more: Any) -> Tournament:
    keys = itertools.combinations(range(len(manifest.strategies)), 2)
    pairings = {(i, j): _comparison(manifest, rules, sums, i, j) for i, j in keys}
    return Tournament(tuple(manifest.strategies), rules, manifest.seed, pairings, **more)


KINDS: dict[str, Callable[..., Comparison | Tournament]] = {"tournament": _tournament, "compare": _comparison}


def _checked(path: Path, shape: TypeAdapter[Any], digest: str | None = None) -> Any:
    """The content of a JSON file, if it is whole and of this shape."""
    try:
        data = path.read_bytes()
        found = json.loads(data)
    except FileNotFoundError:
        raise InputError(f"results: {path.parent} is no result folder: {path.name} is missing") from None
    except OSError as error:
        raise InputError(f"results: {path} cannot be read ({error.strerror})") from None
    except ValueError as error:  # JSONDecodeError, UnicodeDecodeError
        raise InputError(f"results: {path} is damaged: {error}") from None
    try:
        value = shape.validate_python(found, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise InputError(f"results: {path} is damaged: {where}: {first['msg'][0].lower()}{first['msg'][1:]}") from None
    if digest is not None and hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"results: {path} is damaged or was changed: its checksum is not the one in {MANIFEST}")
    return value


def _check_sums(path: Path, sums: Sums, strategies: int) -> None:
    """Each pairing must be there with exactly the sums that this version keeps."""
    wanted = {pairing_key(i, j) for i, j in itertools.combinations(range(strategies), 2)}
    _same_names(path, "pairing", set(sums), wanted)
    for key, phases in sums.items():
        _same_names(path, f"{key}: phase", set(phases), {HANDS, GAMES})
        _same_names(path, f"{key}: {HANDS}: sum", set(phases[HANDS]), set(HAND_TALLY))
        _same_names(path, f"{key}: {GAMES}: sum", set(phases[GAMES]), set(GAME_TALLY))


def _same_names(path: Path, what: str, found: set[str], wanted: set[str]) -> None:
    for complaint, names in (("is missing", wanted - found), ("is not known", found - wanted)):
        if names:
            raise InputError(f"results: {path}: {what} {', '.join(sorted(names))} {complaint}")
