"""Results of one study put together: the same question on other deals, each counted once."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ginsim.errors import InputError, listed
from ginsim.experiment.alone import alone, made_folder
from ginsim.experiment.loading import load_results, load_sums
from ginsim.experiment.saved import checked_facts, existing, kept_facts
from ginsim.files import path_of
from ginsim.games.base import LATER_GAME_SUMS
from ginsim.games.plugin import nothing_run
from ginsim.study.base import kinds
from ginsim.study.kept import Manifest

__all__ = ["merge", "missing_deals"]

_OWN = {"deals", "checks", "games", "seed", "wall_seconds", "hands_kept", "tallies_sha256"}
"""What may differ between results that are merged."""


def merge(folders: Sequence[str | Path], out: str | Path, save: Callable[..., Any]) -> Path:
    """Put results of the same study on other deals together: other seeds, or other parts of the deals of one seed.

    What is kept are sums of integers, so the figures are exactly those of one study of all the deals.

    Parameters
    ----------
    folders : two or more result folders
    out : path
        Folder for the result; returned.
    save : function
        Writes a result into a folder, with notes: `ginsim.save`.

    Raises
    ------
    InputError
        If they are of different studies, or any deal would count twice.
    """
    given = [path_of("folders", folder) for folder in listed("folders", folders, "result folders")]
    if len(given) < 2:
        raise InputError("merge: give two folders or more")
    if path_of("out", out).resolve() in [folder.resolve() for folder in given]:
        raise InputError(f"out: {out} is one of the folders to merge; give another")
    for folder in given:
        load_results(folder)  # tells whether it is whole
    read = [(path, *load_sums(path), _facts(path)) for path in map(existing, given)]
    first, manifest, _, facts = read[0]
    for path, other, _, more in read[1:]:
        _check_same(first, manifest, facts, path, other, more)
    shares = [share for *_, own in read for share in own["shares"]]
    _check_apart(shares)
    _check_replaced(path_of("out", out), facts, shares)
    seeds = sorted({share["seed"] for share in shares})
    seconds = [m.wall_seconds for _, m, _, _ in read]
    total: dict[str, Any] = {name: sum(own[name] for *_, own in read) for name in ("deals", "games")}
    total |= {"seed": seeds[0] if len(seeds) == 1 else seeds, "hands_kept": False}
    total["wall_seconds"] = None if None in seconds else sum(filter(None, seconds))
    kind = kinds()[manifest.kind]
    whole: Any = kind.manifest.model_validate(manifest.model_dump() | total)
    more = {} if whole.wall_seconds is None else {"wall_seconds": whole.wall_seconds}
    if kind.join:
        with nothing_run():
            result = kind.join([(path, own["shares"]) for path, *_, own in read], whole, **more)
    else:
        result = kind.build(first, whole, functools.reduce(_added, (own for _, _, own, _ in read)), **more)
    commands = [own["command"] for *_, own in read]
    notes = {name: facts[name] for name in ("title", "question", "experiment")}
    with alone(made_folder("out", out)) as folder:
        save(result, folder, **notes, command="\n".join(dict.fromkeys(commands)), shares=tuple(shares))
        return folder


def _facts(folder: Path) -> dict[str, Any]:
    """The manifest as it is: what it says beyond what a result is rebuilt from."""
    facts = checked_facts(folder)
    if not facts.get("shares"):
        raise InputError(f"merge: {folder} was saved by an older version; run its study again")
    return facts


def _check_same(first: Path, a: Manifest, facts: dict[str, Any], second: Path, b: Manifest, more: dict[str, Any]) -> None:
    """Both must be of the same study, but for the deals."""
    if a.kind != b.kind:
        raise InputError(f"merge: {first} is of kind {a.kind}, {second} of kind {b.kind}")
    if not kinds()[a.kind].merges or getattr(a, "until", None):
        raise InputError(f"merge: {first} cannot be merged: its comparisons stop when they are decided")
    for name in type(a).model_fields:
        if name not in _OWN and getattr(a, name) != getattr(b, name):
            raise InputError(f"merge: {first} and {second} are different studies: {name} differs")
    for name in ("strategy_files", "ginsim"):
        if facts.get(name) != more.get(name):
            raise InputError(f"merge: {first} and {second} cannot be merged: {name} differs")


def _check_apart(shares: Sequence[dict[str, Any]]) -> None:
    """No deal may be in two of the shares."""
    for a, b in itertools.combinations(shares, 2):
        if a["seed"] != b["seed"]:
            continue
        if (a["deals"], a["games"]) != (b["deals"], b["games"]):
            raise InputError(
                f"merge: seed {a['seed']} was played with {a['deals']} deals and with {b['deals']}: they have deals in common"
            )
        (first, end), (other, end_of_other) = (_range(share) for share in (a, b))
        if first < end_of_other and other < end:
            raise InputError(f"merge: parts {a['part']} and {b['part']} of seed {a['seed']} have deals in common")


def _check_replaced(out: Path, facts: dict[str, Any], shares: Sequence[dict[str, Any]]) -> None:
    """Refuse to replace a result, unless it is of the same study and all its deals are among those merged."""
    old = kept_facts(out)
    own = old.get("shares")
    same = all(old.get(name) == facts.get(name) for name in ("kind", "rules", "strategies"))
    if old and not (same and isinstance(own, list) and all(share in shares for share in own)):
        raise InputError(f"out: {out} holds the result of another study, or of other deals; give another folder")


def missing_deals(folder: str | Path) -> str:
    """Which deals of its seeds a result does not cover, in words; empty if it has them all.

    Raises
    ------
    InputError
        If it is no result folder or was saved by an older version.
    """
    folder, found = existing(folder), []
    shares = sorted(_facts(folder)["shares"], key=lambda share: (share["seed"], _range(share)))
    for seed, own in itertools.groupby(shares, key=lambda share: share["seed"]):
        at = 0
        for share in own:
            first, end = _range(share)
            found += [f"{at:,} to {first - 1:,} of seed {seed}"] if at < first else []
            at = end
        found += [f"{at:,} to {share['deals'] - 1:,} of seed {seed}"] if at < share["deals"] else []
    return "; ".join(found)


def _range(share: dict[str, Any]) -> tuple[int, int]:
    part, parts = map(int, share["part"].split("/"))
    return share["deals"] * (part - 1) // parts, share["deals"] * part // parts


def _added(a: Any, b: Any) -> Any:
    """Two trees of sums, added leaf by leaf; an empty branch (no games) adds nothing."""
    if hasattr(a, "model_dump"):
        return type(a).model_validate(_added(a.model_dump(), b.model_dump()))
    if isinstance(a, dict):
        if not a or not b:
            return a or b
        if not a.keys() ^ b.keys() <= LATER_GAME_SUMS:
            raise InputError("merge: the sums have different names")
        return {key: _added(value, b[key]) for key, value in a.items() if key in b}  # without what one of them lacks
    if isinstance(a, list):
        return [_added(x, y) for x, y in zip(a, b, strict=True)]
    return a + b
