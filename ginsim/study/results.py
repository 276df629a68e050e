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
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ginsim.errors import InputError, brief, shown
from ginsim.gin.records import ENDINGS
from ginsim.rules import Rules
from ginsim.study.compare import MOST_DEALS, Comparison
from ginsim.study.effect import GAME_SUMS, TALLY, Effect
from ginsim.study.play import GAMES, HANDS
from ginsim.study.rulemap import RuleMap, cell_key
from ginsim.study.tally import GAME_TALLY, HAND_TALLY
from ginsim.study.tournament import Tournament, pairing_key

__all__ = ["HANDS_FOLDER", "KINDS", "MANIFEST", "TALLIES", "Saved", "load_results", "tallies_text"]

MANIFEST, TALLIES, HANDS_FOLDER = "manifest.json", "tallies.json", "hands"
Sums = dict[str, dict[str, dict[str, int]]]
"""Pairing key -> phase -> name of the sum -> sum."""
EffectSums = dict[str, dict[str, dict[str, dict[str, int]]]]
"""Pairing key -> phase -> rules -> name of the sum -> sum."""
MapSums = dict[str, dict[str, list[int]]]
"""Key of the cell (row, column) -> pairing key -> sum and sum of squares of a pair's points."""
MOST_SUM = 1 << 63
Saved = Comparison | Tournament | Effect | RuleMap
"""Results that are saved and loaded."""


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


class _Variant(BaseModel):
    changes: dict[str, Any]


class _EffectManifest(_Manifest):
    strategies: list[str] = Field(min_length=1)
    variants: list[_Variant] = Field(min_length=1)
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=0, le=MOST_DEALS)


class _Axis(BaseModel):
    field: str
    values: list[int] = Field(min_length=1)


class _MapManifest(_Manifest):
    strategies: list[str] = Field(min_length=2)
    x: _Axis
    y: _Axis
    deals: int = Field(ge=1, le=MOST_DEALS)


def tallies_text(result: Saved) -> str:
    """The sums of a result as the text of ``tallies.json``."""
    if isinstance(result, Effect):
        return _effect_text(result)
    if isinstance(result, RuleMap):
        return _map_text(result)
    pairings = result.pairings if isinstance(result, Tournament) else {(0, 1): result}
    sums = {pairing_key(*key): {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for key, c in pairings.items()}
    return json.dumps(sums, indent=1) + "\n"


def _effect_text(effect: Effect) -> str:
    rules = (effect.base, *effect.variants)

    def named(tally: np.ndarray, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
        return {rule: dict(zip(names, row.tolist(), strict=True)) for rule, row in zip(rules, tally, strict=True)}

    sums = {
        key: {HANDS: named(tally, TALLY), GAMES: named(effect.game_tallies[key], GAME_SUMS) if effect.games else {}}
        for key, tally in effect.tallies.items()
    }
    return json.dumps(sums, indent=1) + "\n"


def _map_text(rule_map: RuleMap) -> str:
    """A line for each cell."""
    pairs = _pairs(len(rule_map.strategies))
    cells = [
        f" {json.dumps(cell_key(r, c))}: {json.dumps(dict(zip(pairs, rule_map.points[r, c].tolist(), strict=True)))}"
        for r, c in np.ndindex(rule_map.points.shape[:2])
    ]
    return "{\n" + ",\n".join(cells) + "\n}\n"


def _pairs(strategies: int, mirrors: bool = False) -> list[str]:
    """Keys of the pairings in their order."""
    combinations = itertools.combinations_with_replacement if mirrors else itertools.combinations
    return [pairing_key(i, j) for i, j in combinations(range(strategies), 2)]


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
    folder = _existing(folder)
    manifest = _checked(folder / MANIFEST, TypeAdapter(_Manifest))
    if manifest.kind not in KINDS:
        raise InputError(f"results: {folder / MANIFEST}: kind {manifest.kind!r} is not known; kinds are {', '.join(KINDS)}")
    if manifest.kind == "compare" and len(manifest.strategies) != 2:
        raise InputError(f"results: {folder / MANIFEST}: a compare has 2 strategies, not {len(manifest.strategies)}")
    kind = KINDS[manifest.kind]
    manifest = _checked(folder / MANIFEST, TypeAdapter(kind.manifest))
    sums = _checked(folder / TALLIES, TypeAdapter(kind.sums), manifest.tallies_sha256)
    seconds = math.nan if manifest.wall_seconds is None else manifest.wall_seconds
    try:
        rules = Rules(**manifest.rules.fields)
        return kind.build(folder, manifest, rules, sums, wall_seconds=seconds)
    except InputError as error:
        raise error if str(error).startswith("results: ") else InputError(f"results: {folder / MANIFEST}: {error}") from None


def _existing(folder: Any) -> Path:
    try:
        if (path := Path(folder)).is_dir():
            return path
    except (TypeError, OSError):  # no path, or a name that is too long
        pass
    raise InputError(f"results: there is no folder {brief(str(folder), 200)}")


def _hands_folder(folder: Path, manifest: _Manifest) -> Path | None:
    return folder / HANDS_FOLDER if manifest.hands_kept and (folder / HANDS_FOLDER).is_dir() else None


def _comparison(folder: Path, manifest: _Manifest, rules: Rules, sums: Sums, **more: Any) -> Comparison:
    _check_sums(folder / TALLIES, sums, 2)
    return _pairing(manifest, rules, sums, 0, 1, hands_folder=_hands_folder(folder, manifest), **more)


def _tournament(folder: Path, manifest: _Manifest, rules: Rules, sums: Sums, **more: Any) -> Tournament:
    n = len(manifest.strategies)
    _check_sums(folder / TALLIES, sums, n)
    if n < 2:
        raise InputError(f"results: {folder / MANIFEST}: a tournament has 2 strategies or more, not {n}")
    pairings = {(i, j): _pairing(manifest, rules, sums, i, j) for i, j in itertools.combinations(range(n), 2)}
    hands = _hands_folder(folder, manifest)
    return Tournament(tuple(manifest.strategies), str(rules), manifest.seed, pairings, hands_folder=hands, **more)


def _pairing(manifest: _Manifest, rules: Rules, sums: Sums, i: int, j: int, **more: Any) -> Comparison:
    of = sums[pairing_key(i, j)]
    return Comparison(manifest.strategies[i], manifest.strategies[j], str(rules), manifest.seed, of[HANDS], of[GAMES], **more)


def _effect(folder: Path, manifest: _EffectManifest, rules: Rules, sums: EffectSums, **more: Any) -> Effect:
    path, base = folder / TALLIES, str(rules)
    deals = {HANDS: manifest.deals, GAMES: manifest.games}
    variants = tuple(str(rules.replace(**variant.changes)) for variant in manifest.variants)
    keys = _pairs(len(manifest.strategies), mirrors=True)
    _same_names(path, "pairing", set(sums), set(keys))

    def array(key: str, phase: str, names: tuple[str, ...]) -> np.ndarray:
        of = sums[key][phase]
        _same_names(path, f"{key}: {phase}: rules", set(of), {base, *variants})
        for rule, named in of.items():
            _same_names(path, f"{key}: {phase}: {rule}: sum", set(named), set(names))
        for rule, named in of.items():
            _check_effect(f"{path}: {key}: {phase}: {rule}", named, of[base], deals[phase])
        return np.array([[of[rule][name] for name in names] for rule in (base, *variants)], np.int64)

    for key in keys:
        _same_names(path, f"{key}: phase", set(sums[key]), {HANDS, GAMES})
    hands = {key: array(key, HANDS, TALLY) for key in keys}
    games = {key: array(key, GAMES, GAME_SUMS) for key in keys} if manifest.games else {}
    strategies = tuple(manifest.strategies)
    return Effect(base, variants, strategies, manifest.seed, manifest.deals, manifest.games, hands, games, **more)


def _rule_map(folder: Path, manifest: _MapManifest, rules: Rules, sums: MapSums, **more: Any) -> RuleMap:
    x, y = ((axis.field, tuple(axis.values)) for axis in (manifest.x, manifest.y))
    path, pairs = folder / TALLIES, _pairs(len(manifest.strategies))
    cells = list(np.ndindex(len(y[1]), len(x[1])))
    _same_names(path, "cell", set(sums), {cell_key(r, c) for r, c in cells})
    points = np.zeros((len(y[1]), len(x[1]), len(pairs), 2), np.int64)
    for r, c in cells:
        cell = sums[cell_key(r, c)]
        _same_names(path, f"cell {cell_key(r, c)}: pairing", set(cell), set(pairs))
        if any(len(cell[pair]) != 2 for pair in pairs):
            raise InputError(f"results: {path}: cell {cell_key(r, c)}: a pairing has 2 sums")
        for pair in pairs:
            total, squares = cell[pair]
            _check_squares(f"{path}: cell {cell_key(r, c)}: {pair}", "points", total, squares, manifest.deals)
        points[r, c] = [cell[pair] for pair in pairs]
    return RuleMap(str(rules), x, y, tuple(manifest.strategies), manifest.seed, manifest.deals, points, **more)


class Kind(NamedTuple):
    """How a kind of result is read: the shapes of its manifest and of its sums, and what makes the result of them."""

    manifest: type[_Manifest]
    sums: Any
    build: Callable[..., Saved]


KINDS: dict[str, Kind] = {
    "tournament": Kind(_Manifest, Sums, _tournament),
    "compare": Kind(_Manifest, Sums, _comparison),
    "effect": Kind(_EffectManifest, EffectSums, _effect),
    "map": Kind(_MapManifest, MapSums, _rule_map),
}


def _checked(path: Path, shape: TypeAdapter[Any], digest: str | None = None) -> Any:
    """The content of a JSON file, if it is whole and of this shape."""
    try:
        data = path.read_bytes()
        found = json.loads(data)
    except FileNotFoundError:
        raise InputError(f"results: {path.parent} is no result folder: {path.name} is missing") from None
    except OSError as error:
        raise InputError(f"results: {path} cannot be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:  # JSONDecodeError, UnicodeDecodeError, brackets within brackets
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
    _same_names(path, "pairing", set(sums), set(_pairs(strategies)))
    for key, phases in sums.items():
        _same_names(path, f"{key}: phase", set(phases), {HANDS, GAMES})
        _same_names(path, f"{key}: {HANDS}: sum", set(phases[HANDS]), set(HAND_TALLY))
        _same_names(path, f"{key}: {GAMES}: sum", set(phases[GAMES]), set(GAME_TALLY))
        for phase, t in phases.items():
            where = f"{path}: {key}: {phase}"
            _check_counts(where, t, signed=("points", "margin"))
            _check_at_most(where, t, "won", "decided")
            _check_at_most(where, t | {"plays": 2 * t["pairs"]}, "decided", "plays")
            for name in ("won", "decided", "margin" if phase == GAMES else "points"):
                _check_squares(where, name, t[name], t[f"{name}_sq"], t["pairs"])
        hands, where = phases[HANDS], f"{path}: {key}: {HANDS}"
        _check_at_most(where, hands, "starter", "decided")
        for name in ("starter", "turns"):
            _check_squares(where, name, hands[name], hands[f"{name}_sq"], hands["pairs"])
        if sum(hands[f"{ending}_{player}"] for ending in ENDINGS for player in (0, 1)) != 2 * hands["pairs"]:
            raise InputError(f"results: {where}: the endings do not add up to two for each of the {hands['pairs']} pairs")


def _check_effect(where: str, own: dict[str, int], base: dict[str, int], pairs: int) -> None:
    """The sums of one rule beside those of the base."""
    _check_counts(where, own, signed=("own_points",))
    if "own_points" in own:
        _check_squares(where, "own_points", own["own_points"], own["own_points_sq"], pairs)
        _check_at_most(where, own, "starter", "decided")
    for name, squares in ((name, own.get(f"{name}_difference_sq")) for name in own):
        if squares is not None:
            _check_squares(where, f"{name}_difference", own[name] - base[name], squares, pairs)


def _check_counts(where: str, sums: dict[str, int], signed: tuple[str, ...]) -> None:
    for name, value in sums.items():
        if not (-MOST_SUM if name in signed else 0) <= value < MOST_SUM:
            raise InputError(f"results: {where}: {name}={shown(value)} is impossible")


def _check_at_most(where: str, sums: dict[str, int], less: str, more: str) -> None:
    if sums[less] > sums[more]:
        raise InputError(f"results: {where}: {less}={sums[less]} is impossible with {more}={sums[more]}")


def _check_squares(where: str, name: str, total: int, squares: int, pairs: int) -> None:
    """A sum over pairs and the sum of its squares must be possible together (Cauchy and Schwarz)."""
    if not 0 <= squares < MOST_SUM or total * total > squares * pairs:
        raise InputError(f"results: {where}: {name}={shown(total)} is impossible with squares that add up to {shown(squares)}")


def _same_names(path: Path, what: str, found: set[str], wanted: set[str]) -> None:
    for complaint, names in (("is missing", wanted - found), ("is not known", found - wanted)):
        if names:
            raise InputError(f"results: {path}: {what} {', '.join(sorted(names))} {complaint}")
