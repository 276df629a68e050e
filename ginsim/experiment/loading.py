"""Results on disk: rebuilt from their sums, whatever their kind."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ginsim.errors import InputError
from ginsim.experiment.saved import (
    OLD_KINDS,
    ImpossibleError,
    Told,
    check_told,
    checked_facts,
    checked_json,
    existing,
    first_of,
    kept_facts,
    manifest_text,
)  # fmt: skip
from ginsim.study.base import Kind, kind_of, kinds
from ginsim.study.kept import MANIFEST, TALLIES, Manifest

__all__ = ["check_saved", "load_results", "load_sums", "tallies_text"]


def tallies_text(result: Any) -> str:
    """The sums of a result as the text of ``tallies.json``."""
    return kinds()[kind_of(result)].text(result)


def load_results(folder: str | Path) -> Any:
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


def _built(folder: Path, manifest: Manifest, sums: Any) -> Any:
    """The result of these sums, if they are possible."""
    seconds = math.nan if manifest.wall_seconds is None else manifest.wall_seconds
    return kinds()[manifest.kind].build(folder, manifest, sums, wall_seconds=seconds)


def check_saved(folder: Path, facts: Mapping[str, Any], tallies: str) -> None:
    """Refuse to save what could not be loaded again: a manifest and sums, of which nothing is written yet.

    Raises
    ------
    ImpossibleError
        Naming what is impossible.
    """
    kind, told = kinds()[facts["kind"]], json.loads(manifest_text(facts))
    try:
        manifest: Any = kind.manifest.model_validate(told)
        sums = TypeAdapter(kind.sums).validate_python(json.loads(tallies), strict=True)
        check_told(folder, told, sums, _built(folder, manifest, sums).hand_count)
        Told.model_validate(told)
    except ValidationError as error:
        raise ImpossibleError(f"results: {folder}: {first_of(error)}") from None
    except InputError as error:
        raise ImpossibleError(error) from None


def load_sums(folder: Path) -> tuple[Any, Any]:
    """The manifest of a result folder and its sums, checked for their shape and the checksum, and brought up to date."""
    manifest = checked_json(folder / MANIFEST, TypeAdapter(Manifest), brought=_with_new_kind)
    if manifest.kind not in kinds():
        raise InputError(f"results: {folder / MANIFEST}: kind {manifest.kind!r} is not known; kinds are {', '.join(kinds())}")
    kind = kinds()[manifest.kind]
    version = kept_facts(folder).get("tallies_version", 1)
    if not isinstance(version, int) or version > kind.version:
        raise InputError(f"results: {folder / MANIFEST}: tallies_version={version!r} is of a later version of ginsim")
    manifest = checked_json(folder / MANIFEST, TypeAdapter(kind.manifest), brought=_with_new_kind)
    brought = functools.partial(_brought, kind, version)
    return manifest, checked_json(folder / TALLIES, TypeAdapter(kind.sums), manifest.tallies_sha256, brought)


def _with_new_kind(facts: Any) -> Any:
    if not isinstance(facts, dict) or not isinstance(kind := facts.get("kind"), str):
        return facts
    return facts | {"kind": OLD_KINDS.get(kind, kind)}


def _brought(kind: Kind, version: int, sums: Any) -> Any:
    return kind.bring(sums, version) if version < kind.version else sums
