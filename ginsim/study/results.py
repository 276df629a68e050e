"""Results on disk: the sums they rest on, how they are written, and what makes a result of them again.

A result folder holds ``manifest.json`` (what was played, on which machine) and ``tallies.json`` (the integer sums by
pairing and phase). Everything else in it can be made again from these two. `ginsim.study.kinds` says which kind of study uses
what is here.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ginsim.errors import InputError, brief, shown
from ginsim.gin.luck import LUCK_SIZE
from ginsim.gin.records import ENDINGS
from ginsim.rules import Rules
from ginsim.study.compare import MOST_DEALS, Comparison
from ginsim.study.effect import GAME_SUMS, TALLY, Effect
from ginsim.study.journal import JOURNAL
from ginsim.study.play import GAMES, HANDS
from ginsim.study.rulemap import RuleMap, cell_key
from ginsim.study.sequential import Sequential, SequentialTest
from ginsim.study.tally import FOLDS, GAME_TALLY, HAND_TALLY, LUCK_TALLY
from ginsim.study.tournament import Tournament, pairing_key

__all__ = [
    "HANDS_FOLDER", "MANIFEST", "TALLIES", "EffectManifest", "EffectSums", "Manifest", "MapManifest", "MapSums", "Saved", "Sums",
    "check_pair", "check_sums_of", "checked_json", "comparison_text", "effect_text", "existing", "map_text", "rebuilt_comparison",
    "rebuilt_effect", "rebuilt_map", "rebuilt_tournament", "same_names", "tournament_text",
]  # fmt: skip

MANIFEST, TALLIES, HANDS_FOLDER = "manifest.json", "tallies.json", "hands"
LUCK = "luck"
"""Beside the phases: the sums for control variates, where they were kept."""
Sums = dict[str, dict[str, dict[str, int]]]
"""Pairing key -> phase -> name of the sum -> sum."""
EffectSums = dict[str, dict[str, dict[str, dict[str, int]]]]
"""Pairing key -> phase -> rules -> name of the sum -> sum."""
MapSums = dict[str, dict[str, list[int]]]
"""Key of the cell (row, column) -> pairing key -> sum and sum of squares of a pair's points."""
MOST_SUM = 1 << 63
Saved = Any
"""Results that are saved and loaded: of the classes that ``ginsim.study.kinds`` lists."""


class _RulesEntry(BaseModel):
    fields: dict[str, Any]


class UntilEntry(BaseModel):
    """A sequential test and the sums at its looks: pairs, points, their squares."""

    model_config = ConfigDict(strict=True)

    test: SequentialTest
    most: int = Field(ge=1, le=MOST_DEALS)
    looks: list[Annotated[list[int], Field(min_length=3, max_length=3)]]


class Manifest(BaseModel):
    """What a result is rebuilt from; a manifest holds more than that."""

    model_config = ConfigDict(strict=True)

    kind: str
    rules: _RulesEntry
    strategies: list[str]
    seed: int | list[int]
    wall_seconds: float | None
    hands_kept: bool
    tallies_sha256: str
    until: UntilEntry | None = None

    @property
    def seeds(self) -> int | tuple[int, ...]:
        """The seed, or the seeds of what was merged."""
        return self.seed if isinstance(self.seed, int) else tuple(self.seed)


class _Variant(BaseModel):
    changes: dict[str, Any]


class EffectManifest(Manifest):
    """What an effect is rebuilt from."""

    strategies: list[str] = Field(min_length=1)
    variants: list[_Variant] = Field(min_length=1)
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=0, le=MOST_DEALS)


class _Axis(BaseModel):
    field: str
    values: list[int] = Field(min_length=1)


class MapManifest(Manifest):
    """What a map is rebuilt from."""

    strategies: list[str] = Field(min_length=2)
    x: _Axis
    y: _Axis
    deals: int = Field(ge=1, le=MOST_DEALS)


def comparison_text(comparison: Comparison) -> str:
    """The sums of a comparison as the text of ``tallies.json``."""
    return _pairings_text({(0, 1): comparison})


def tournament_text(tournament: Tournament) -> str:
    """The sums of a tournament as the text of ``tallies.json``."""
    return _pairings_text(tournament.pairings)


def _pairings_text(pairings: dict[tuple[int, int], Comparison]) -> str:
    sums = {pairing_key(*key): {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for key, c in pairings.items()}
    for key, c in pairings.items():
        if c.luck_tally is not None:
            sums[pairing_key(*key)][LUCK] = dict(c.luck_tally)
    return json.dumps(sums, indent=1) + "\n"


def effect_text(effect: Effect) -> str:
    """The sums of an effect as the text of ``tallies.json``."""
    rules = (effect.base, *effect.variants)

    def named(tally: np.ndarray, names: tuple[str, ...]) -> dict[str, dict[str, int]]:
        return {rule: dict(zip(names, row.tolist(), strict=True)) for rule, row in zip(rules, tally, strict=True)}

    sums = {
        key: {HANDS: named(tally, TALLY), GAMES: named(effect.game_tallies[key], GAME_SUMS) if effect.games else {}}
        for key, tally in effect.tallies.items()
    }
    return json.dumps(sums, indent=1) + "\n"


def map_text(rule_map: RuleMap) -> str:
    """The sums of a map as the text of ``tallies.json``, a line for each cell."""
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


def existing(folder: Any) -> Path:
    """A folder of results that is there."""
    try:
        if (path := Path(folder)).is_dir():
            return path
    except (TypeError, OSError):  # no path, or a name that is too long
        pass
    raise InputError(f"results: there is no folder {brief(str(folder), 200)}")


def _hands_folder(folder: Path, manifest: Manifest) -> Path | None:
    return folder / HANDS_FOLDER if manifest.hands_kept and (folder / HANDS_FOLDER).is_dir() else None


def rebuilt_comparison(folder: Path, manifest: Manifest, rules: Rules, sums: Sums, **more: Any) -> Comparison:
    """The comparison that was saved."""
    _check_sums(folder / TALLIES, sums, 2)
    more["sequential"] = Sequential.of(manifest.until.model_dump()) if manifest.until else None
    return _pairing(manifest, rules, sums, 0, 1, hands_folder=_hands_folder(folder, manifest), **more)


def rebuilt_tournament(folder: Path, manifest: Manifest, rules: Rules, sums: Sums, **more: Any) -> Tournament:
    """The tournament that was saved."""
    n = len(manifest.strategies)
    _check_sums(folder / TALLIES, sums, n)
    if n < 2:
        raise InputError(f"results: {folder / MANIFEST}: a tournament has 2 strategies or more, not {n}")
    pairings = {(i, j): _pairing(manifest, rules, sums, i, j) for i, j in itertools.combinations(range(n), 2)}
    hands = _hands_folder(folder, manifest)
    return Tournament(tuple(manifest.strategies), str(rules), manifest.seeds, pairings, hands_folder=hands, **more)


def _pairing(manifest: Manifest, rules: Rules, sums: Sums, i: int, j: int, **more: Any) -> Comparison:
    of = sums[pairing_key(i, j)]
    kept = of[HANDS], of[GAMES], of.get(LUCK)
    return Comparison(manifest.strategies[i], manifest.strategies[j], str(rules), manifest.seeds, *kept, **more)


def rebuilt_effect(folder: Path, manifest: EffectManifest, rules: Rules, sums: EffectSums, **more: Any) -> Effect:
    """The effect that was saved."""
    path, base = folder / TALLIES, str(rules)
    deals = {HANDS: manifest.deals, GAMES: manifest.games}
    variants = tuple(str(rules.replace(**variant.changes)) for variant in manifest.variants)
    keys = _pairs(len(manifest.strategies), mirrors=True)
    same_names(path, "pairing", set(sums), set(keys))

    def array(key: str, phase: str, names: tuple[str, ...]) -> np.ndarray:
        of = sums[key][phase]
        same_names(path, f"{key}: {phase}: rules", set(of), {base, *variants})
        for rule, named in of.items():
            same_names(path, f"{key}: {phase}: {rule}: sum", set(named), set(names))
        for rule, named in of.items():
            _check_effect(f"{path}: {key}: {phase}: {rule}", named, of[base], deals[phase])
        return np.array([[of[rule][name] for name in names] for rule in (base, *variants)], np.int64)

    for key in keys:
        same_names(path, f"{key}: phase", set(sums[key]), {HANDS, GAMES})
    hands = {key: array(key, HANDS, TALLY) for key in keys}
    games = {key: array(key, GAMES, GAME_SUMS) for key in keys} if manifest.games else {}
    strategies = tuple(manifest.strategies)
    return Effect(base, variants, strategies, manifest.seeds, manifest.deals, manifest.games, hands, games, **more)


def rebuilt_map(folder: Path, manifest: MapManifest, rules: Rules, sums: MapSums, **more: Any) -> RuleMap:
    """The map that was saved."""
    x, y = ((axis.field, tuple(axis.values)) for axis in (manifest.x, manifest.y))
    path, pairs = folder / TALLIES, _pairs(len(manifest.strategies))
    cells = list(np.ndindex(len(y[1]), len(x[1])))
    same_names(path, "cell", set(sums), {cell_key(r, c) for r, c in cells})
    points = np.zeros((len(y[1]), len(x[1]), len(pairs), 2), np.int64)
    for r, c in cells:
        cell = sums[cell_key(r, c)]
        same_names(path, f"cell {cell_key(r, c)}: pairing", set(cell), set(pairs))
        if any(len(cell[pair]) != 2 for pair in pairs):
            raise InputError(f"results: {path}: cell {cell_key(r, c)}: a pairing has 2 sums")
        for pair in pairs:
            total, squares = cell[pair]
            _check_squares(f"{path}: cell {cell_key(r, c)}: {pair}", "points", total, squares, manifest.deals)
        points[r, c] = [cell[pair] for pair in pairs]
    return RuleMap(str(rules), x, y, tuple(manifest.strategies), manifest.seeds, manifest.deals, points, **more)


def checked_json(path: Path, shape: TypeAdapter[Any], digest: str | None = None) -> Any:
    """The content of a JSON file, if it is whole and of this shape."""
    try:
        data = path.read_bytes()
        found = json.loads(data)
    except FileNotFoundError:
        if (path.parent / JOURNAL).exists():
            raise InputError(f"results: {path.parent} is not finished; go on with: ginsim resume {path.parent}") from None
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
    same_names(path, "pairing", set(sums), set(_pairs(strategies)))
    for key, phases in sums.items():
        check_pair(path, key, phases)


def check_pair(path: Path, key: str, phases: dict[str, dict[str, int]]) -> None:
    """The sums of one pairing must be possible together."""
    same_names(path, f"{key}: phase", set(phases) - {LUCK}, {HANDS, GAMES})
    same_names(path, f"{key}: {HANDS}: sum", set(phases[HANDS]), set(HAND_TALLY))
    same_names(path, f"{key}: {GAMES}: sum", set(phases[GAMES]), set(GAME_TALLY))
    if LUCK in phases:
        _check_luck(path, key, phases[LUCK], phases[HANDS])
    for phase, t in ((phase, phases[phase]) for phase in (HANDS, GAMES)):
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


def _check_luck(path: Path, key: str, luck: dict[str, int], hands: dict[str, int]) -> None:
    """The sums for control variates are of the same pairs and points as those of the hands."""
    where = f"{path}: {key}: {LUCK}"
    same_names(path, f"{key}: {LUCK}: sum", set(luck), set(LUCK_TALLY))
    for luck_name, name in (("pairs", "pairs"), ("sum0", "points"), ("sum0x0", "points_sq")):
        if sum(luck[f"{luck_name}_{fold}"] for fold in range(FOLDS)) != hands[name]:
            raise InputError(f"results: {where}: {luck_name} is not what the hands say ({hands[name]})")
    for fold in range(FOLDS):
        for i in range(1 + LUCK_SIZE):
            _check_squares(where, f"sum{i}_{fold}", luck[f"sum{i}_{fold}"], luck[f"sum{i}x{i}_{fold}"], luck[f"pairs_{fold}"])


def _check_effect(where: str, own: dict[str, int], base: dict[str, int], pairs: int) -> None:
    """The sums of one rule beside those of the base."""
    _check_counts(where, own, signed=("own_points",))
    if "own_points" in own:
        _check_squares(where, "own_points", own["own_points"], own["own_points_sq"], pairs)
        _check_at_most(where, own, "starter", "decided")
    for name, squares in ((name, own.get(f"{name}_difference_sq")) for name in own):
        if squares is not None:
            _check_squares(where, f"{name}_difference", own[name] - base[name], squares, pairs)


def check_sums_of(
    path: Path,
    where: str,
    sums: dict[str, int],
    names: Sequence[str],
    squares: dict[str, str],
    count: int,
    signed: tuple[str, ...] = (),
) -> None:
    """Sums over ``count`` deals: these names and no others, possible values; ``squares`` says which are squares of which."""
    same_names(path, f"{where}: sum", set(sums), set(names))
    _check_counts(f"{path}: {where}", sums, signed)
    for name, square in squares.items():
        _check_squares(f"{path}: {where}", name, sums[name], sums[square], count)


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


def same_names(path: Path, what: str, found: set[str], wanted: set[str]) -> None:
    """All names that are wanted must be there, and no others."""
    for complaint, names in (("is missing", wanted - found), ("is not known", found - wanted)):
        if names:
            raise InputError(f"results: {path}: {what} {', '.join(sorted(names))} {complaint}")
