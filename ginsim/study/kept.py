"""Kept results: what a manifest tells of a study, and whether the sums a result is made of are possible."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from ginsim.deals import MOST_DEALS, MOST_SEED
from ginsim.errors import InputError, one_line, shown
from ginsim.files import read_own
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, HEAD, LATER_GAME_SUMS, Game
from ginsim.games.catalog import GAMES_THERE_ARE
from ginsim.games.rules import RulesModel
from ginsim.inference.sequential import SequentialTest

__all__ = [
    "HANDS_FOLDER", "LUCK", "MANIFEST", "TALLIES", "KeptState", "Manifest", "Name", "Sums", "UntilEntry", "check_at_most",
    "check_counts_of", "check_pair", "check_pairings", "check_squares", "check_sums_of", "hands_folder", "kept_state",
    "pairing_key", "pairing_keys", "pairings_text", "same_names", "with_later_sums",
]  # fmt: skip

MANIFEST, TALLIES, HANDS_FOLDER = "manifest.json", "tallies.json", "hands"
LUCK = "luck"
"""Beside the phases: the sums for control variates, where they were kept."""
Sums = dict[str, dict[str, dict[str, int]]]
"""Pairing key -> phase -> name of the sum -> sum."""
MOST_SUM = 1 << 63
Name = Annotated[str, AfterValidator(one_line)]
"""A name as it is shown: of a strategy, of rules, of a parameter and its value."""


class _RulesEntry(BaseModel):
    fields: dict[str, Any]


class UntilEntry(BaseModel):
    """A sequential test and the sums at its looks: pairs, and the first four powers of their points."""

    model_config = ConfigDict(strict=True)

    test: SequentialTest
    most: int = Field(ge=1, le=MOST_DEALS)
    most_points: int = Field(ge=1)
    looks: list[Annotated[list[int], Field(min_length=5, max_length=5)]]
    per: int | None = Field(None, ge=2)


class Manifest(BaseModel):
    """What a result is rebuilt from; a manifest holds more than that."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    kind: str
    game: str = ""
    rules: _RulesEntry
    strategies: list[Name] = Field(min_length=1)
    seed: int | list[int]
    wall_seconds: Annotated[float, Field(ge=0)] | None
    hands_kept: bool
    tallies_sha256: str
    until: UntilEntry | None = None

    @field_validator("seed")
    @classmethod
    def _seed(cls, value: int | list[int]) -> int | list[int]:
        seeds = value if isinstance(value, list) else [value]
        if not seeds or not all(0 <= seed <= MOST_SEED for seed in seeds):
            raise InputError(f"{shown(value)} is not allowed; a seed is a whole number from 0 to {MOST_SEED}")
        return value

    @property
    def seeds(self) -> int | tuple[int, ...]:
        """The seed, or the seeds of what was merged."""
        return self.seed if isinstance(self.seed, int) else tuple(self.seed)

    @property
    def played(self) -> RulesModel:
        """The rules."""
        of = self.game or ("table" if "players" in self.rules.fields else "gin")  # older manifests do not name the game
        if of not in GAMES_THERE_ARE:
            raise InputError(f"game: there is no {shown(of)}; games are {', '.join(GAMES_THERE_ARE)}")
        return GAMES_THERE_ARE[of].rules.of_fields(self.rules.fields)


def pairing_key(i: int, j: int) -> str:
    """Key of the works of pairing (i, j)."""
    return f"{i}-{j}"


def pairings_text(pairings: Mapping[tuple[int, int], Any]) -> str:
    """The sums of pairings as the text of ``tallies.json``."""
    sums = {pairing_key(*key): {HANDS: dict(c.hands_tally), GAMES: dict(c.games_tally)} for key, c in pairings.items()}
    for key, c in pairings.items():
        if c.luck_tally is not None:
            sums[pairing_key(*key)][LUCK] = dict(c.luck_tally)
    return json.dumps(sums, indent=1) + "\n"


def pairing_keys(strategies: int, mirrors: bool = False) -> list[str]:
    """Keys of the pairings in their order."""
    combinations = itertools.combinations_with_replacement if mirrors else itertools.combinations
    return [pairing_key(i, j) for i, j in combinations(range(strategies), 2)]


def hands_folder(folder: Path, manifest: Manifest) -> Path | None:
    """Where the per-hand table lies, if it was kept and is still there."""
    return folder / HANDS_FOLDER if manifest.hands_kept and (folder / HANDS_FOLDER).is_dir() else None


def with_later_sums(sums: Any, version: int) -> Any:
    """Sums as this version keeps them: of later ones, what they must have been, or what makes no interval too narrow."""
    if version > 1 or not isinstance(sums, dict):
        return sums
    if sums and all(type(value) is int for value in sums.values()):
        of_effects = {"hands", "hands_difference_sq", "margin", "margin_difference_sq"}
        if sums.keys() >= {*GAME_TALLY} - {"unfinished"} - LATER_GAME_SUMS or sums.keys() == of_effects:
            return {"unfinished": 0} | sums
        for game in GAMES_THERE_ARE.values():
            if {*HEAD} <= sums.keys() <= {*game.hand_tally}:
                return game.with_later_sums(sums)
    return {key: with_later_sums(value, version) for key, value in sums.items()}


def check_pairings(path: Path, sums: Sums, strategies: int, game: Game) -> None:
    """Each pairing must be there with exactly the sums that this version keeps."""
    same_names(path, "pairing", set(sums), set(pairing_keys(strategies)))
    for key, phases in sums.items():
        check_pair(path, key, phases, game)


def check_pair(path: Path, key: str, phases: Mapping[str, dict[str, int]], game: Game) -> None:
    """The sums of one pairing must be possible together."""
    same_names(path, f"{key}: phase", set(phases) - {LUCK}, {HANDS, GAMES})
    of_games = tuple(name for name in GAME_TALLY if name not in LATER_GAME_SUMS - phases[GAMES].keys())
    for phase, names in ((HANDS, game.hand_tally), (GAMES, of_games)):
        t, where = phases[phase], f"{path}: {key}: {phase}"
        squares = {name: f"{name}_sq" for name in names if f"{name}_sq" in names and name not in ("single",)}
        check_sums_of(path, f"{key}: {phase}", t, names, squares, t.get("pairs", 0), signed=("points", "margin"))
        check_at_most(where, t, "won", "decided")
        check_at_most(where, t | {"plays": 2 * t["pairs"]}, "decided", "plays")
        check_at_most(where, {"unfinished": 0, **t, "undecided": 2 * t["pairs"] - t["decided"]}, "unfinished", "undecided")
    hands, where = phases[HANDS], f"{path}: {key}: {HANDS}"
    check_at_most(where, hands, "starter", "decided")
    for name in (f"{ending}_both_{side}" for ending in game.endings for side in (0, 1)):
        if name in hands:
            twice = {"twice both": 2 * hands[name], "hands": hands[name.replace("_both", "")]}
            check_at_most(f"{where}: {name}", twice, "twice both", "hands")
    if sum(hands[f"{ending}_{side}"] for ending in game.endings for side in (0, 1)) != 2 * hands["pairs"]:
        raise InputError(f"results: {where}: the endings do not add up to two for each of the {hands['pairs']} pairs")
    if LUCK in phases:
        _check_luck(path, key, phases[LUCK], hands)


def _check_luck(path: Path, key: str, luck: dict[str, int], hands: dict[str, int]) -> None:
    """The sums for control variates are of the same pairs and points as those of the hands."""
    from ginsim.inference.control import FOLDS, luck_names, sums_in

    where, count = f"{path}: {key}: {LUCK}", sums_in(len(luck))
    same_names(path, f"{key}: {LUCK}: sum", set(luck), set(luck_names(count)))
    for luck_name, name in (("pairs", "pairs"), ("sum0", "points"), ("sum0x0", "points_sq")):
        if sum(luck[f"{luck_name}_{fold}"] for fold in range(FOLDS)) != hands[name]:
            raise InputError(f"results: {where}: {luck_name} is not what the hands say ({hands[name]})")
    for fold in range(FOLDS):
        for i in range(count):
            check_squares(where, f"sum{i}_{fold}", luck[f"sum{i}_{fold}"], luck[f"sum{i}x{i}_{fold}"], luck[f"pairs_{fold}"])


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
    check_counts_of(f"{path}: {where}", sums, signed)
    for name, square in squares.items():
        check_squares(f"{path}: {where}", name, sums[name], sums[square], count)


def check_counts_of(where: str, sums: dict[str, int], signed: tuple[str, ...]) -> None:
    """Sums are whole numbers that a run can come to; only those of ``signed`` may be below 0."""
    for name, value in sums.items():
        if not (-MOST_SUM if name in signed else 0) <= value < MOST_SUM:
            raise InputError(f"results: {where}: {name}={shown(value)} is impossible")


def check_at_most(where: str, sums: dict[str, int], less: str, more: str) -> None:
    """One sum cannot be above another."""
    if sums[less] > sums[more]:
        raise InputError(f"results: {where}: {less}={sums[less]} is impossible with {more}={sums[more]}")


def check_squares(where: str, name: str, total: int, squares: int, pairs: int) -> None:
    """A sum over pairs and the sum of its squares must be possible together (Cauchy and Schwarz)."""
    if not 0 <= squares < MOST_SUM or total * total > squares * pairs:
        raise InputError(f"results: {where}: {name}={shown(total)} is impossible with squares that add up to {shown(squares)}")


def same_names(path: Path, what: str, found: set[str], wanted: set[str]) -> None:
    """All names that are wanted must be there, and no others."""
    for complaint, names in (("is missing", wanted - found), ("is not known", found - wanted)):
        if names:
            raise InputError(f"results: {path}: {what} {', '.join(sorted(names))} {complaint}")


class KeptState(BaseModel):
    """What a command that takes long goes on from, with the settings it was begun with."""

    model_config = ConfigDict(extra="forbid", strict=True)

    study: dict[str, Any]


S = TypeVar("S", bound=KeptState)


def kept_state(command: str, path: Path, model: type[S], study: Mapping[str, Any], what: str = "study") -> S | None:
    """The state that a command goes on from; None if there is none yet.

    Parameters
    ----------
    command : str
        For messages.
    path : Path
    model : subclass of KeptState
    study : mapping
        Those that are asked for now.
    what : str
        What it may be another one of.

    Raises
    ------
    InputError
        If the file is damaged, or of other settings.
    """
    try:
        kept = model.model_validate_json(read_own(path))
    except FileNotFoundError:
        return None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the whole file"
        raise InputError(f"{command}: {path} is damaged ({where}: {first['msg']}); remove it to start over") from None
    if kept.study != study:
        names = [name for name in {**kept.study, **study} if kept.study.get(name) != study.get(name)]
        other = ", ".join(f"{name}: {shown(kept.study.get(name))} there, {shown(study.get(name))} now" for name in names)
        raise InputError(f"{command}: {path} belongs to another {what} ({other}); give another folder")
    return kept
