"""What all results on disk have in common: the manifest, and whether the sums they rest on are possible.

A result folder holds ``manifest.json`` (what was played, on which machine) and ``tallies.json`` (the integer sums by
pairing and phase). Everything else in it can be made again from these two; how is up to each of `ginsim.experiment.kinds`.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from ginsim.errors import InputError, brief, one_line, shown
from ginsim.experiment.wording import allowed
from ginsim.files import read_plain
from ginsim.games.gin import records as H
from ginsim.games.gin.count import FOLDS, GAME_TALLY, HAND_TALLY, LUCK_TALLY
from ginsim.games.gin.luck import LUCK_SIZE
from ginsim.games.gin.rules import Rules
from ginsim.inference.sequential import SequentialTest
from ginsim.simulation.journal import JOURNAL
from ginsim.simulation.play import GAMES, HANDS
from ginsim.specs import own_file
from ginsim.study.compare import MOST_DEALS, MOST_SEED, Comparison
from ginsim.study.effect import GAME_SUMS
from ginsim.study.tournament import pairing_key

__all__ = [
    "CHECKSUM", "HANDS_FOLDER", "LUCK", "MANIFEST", "PASSING", "TALLIES", "ImpossibleError", "Manifest", "Name", "Saved", "Sums",
    "Told", "UntilEntry", "check_at_most", "check_counts_of", "check_pair", "check_pairings", "check_squares", "check_sums_of",
    "check_told", "checked_facts", "checked_json", "existing", "first_of", "hands_folder", "kept_facts", "kept_pairing",
    "lasting", "manifest_text", "pairing_keys", "pairings_text", "same_names", "with_later_sums",
]  # fmt: skip

MANIFEST, TALLIES, HANDS_FOLDER = "manifest.json", "tallies.json", "hands"
LUCK = "luck"
"""Beside the phases: the sums for control variates, where they were kept."""
Sums = dict[str, dict[str, dict[str, int]]]
"""Pairing key -> phase -> name of the sum -> sum."""
MOST_SUM = 1 << 63
CHECKSUM = "manifest_sha256"
PASSING = ("saved", "wall_seconds", "hands_per_second", "machine")
"""What a manifest says of the moment and the machine, not of the result."""
Saved = Any
"""Results that are saved and loaded: of the classes that ``ginsim.experiment.registry`` lists."""


class ImpossibleError(InputError):
    """A result that no run can come to; it is not saved."""


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


class _Share(BaseModel):
    """A part of the deals of a seed."""

    model_config = ConfigDict(strict=True, extra="forbid")

    seed: int = Field(ge=0, le=MOST_SEED)
    part: str = Field(pattern="^[1-9][0-9]{0,4}/[1-9][0-9]{0,4}$")
    deals: int = Field(ge=1, le=MOST_DEALS)
    games: int = Field(ge=0, le=MOST_DEALS)

    @field_validator("part")
    @classmethod
    def _part(cls, value: str) -> str:
        part, parts = map(int, value.split("/"))
        if part > parts:
            raise InputError(f"{value!r} is not allowed: there is no part {part} of {parts}")
        return value

    def own(self, count: int) -> int:
        """How many of ``count`` pairs are in this part."""
        part, parts = map(int, self.part.split("/"))
        return count * part // parts - count * (part - 1) // parts


class _File(BaseModel):
    """A file that a strategy is made of."""

    model_config = ConfigDict(strict=True, extra="forbid")

    file: str
    sha256: str


_AGAINST = ("compare", "table_compare", "odds", "coverage", "error_rates")
"""Kinds of study in which a strategy may play against itself."""


class Told(BaseModel):
    """What a manifest says beyond what a result is rebuilt from."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    ginsim: str = ""
    title: str = ""
    question: str = ""
    command: str = ""
    experiment: str = ""
    changed: str = ""
    study: str = ""
    asked: str = ""
    kind: str
    strategies: list[str] = Field(min_length=1)
    seed: int | list[int]
    deals: int = Field(ge=0)
    games: int = Field(0, ge=0, le=MOST_DEALS)
    hands_played: int | None = None
    shares: Annotated[list[_Share], Field(min_length=1)] | None = None
    strategy_files: list[_File] | None = None
    hands_kept: bool = False
    records_kept: list[str] | None = None
    files: list[str] = []
    saved: str = ""
    hands_per_second: int | None = None
    machine: dict[str, Any] = {}
    until: Any = None

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        """What it says twice it must say alike."""
        if again := [name for name in self._apart() if self._apart().count(name) > 1]:
            raise InputError(f"strategies: {shown(again[0])} is there twice")
        if self.records_kept is not None and self.hands_kept != (HANDS_FOLDER in self.records_kept):
            raise InputError(f"hands_kept={self.hands_kept} is impossible with records_kept={shown(self.records_kept)}")
        if self.strategy_files is not None:
            files = {of.file for of in self.strategy_files}
            if missing := [file for file in map(own_file, self.strategies) if file and file not in files]:
                raise InputError(f"strategy_files: {shown(missing[0])}, the file of a strategy, is missing")
        for what in ("deals", "games") if self.shares and not self.until else ():  # until decided, fewer are played
            of, played = sum(share.own(getattr(share, what)) for share in self.shares or ()), getattr(self, what)
            if of != played and (what == "deals" or played):  # some studies play no games, whatever is given
                raise InputError(f"{what}={played} is impossible with shares of {of}")
        seeds = self.seed if isinstance(self.seed, list) else [self.seed]
        if self.shares and {share.seed for share in self.shares} != set(seeds):
            raise InputError(f"seed={shown(self.seed)} is not what the shares say")
        return self

    def _apart(self) -> list[str]:
        """Strategies of which none may be there twice."""
        return [] if self.kind in _AGAINST else self.strategies[self.kind == "calibration" :]


class Manifest(BaseModel):
    """What a result is rebuilt from; a manifest holds more than that."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    kind: str
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


def pairings_text(pairings: dict[tuple[int, int], Comparison]) -> str:
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


def manifest_text(facts: Mapping[str, Any]) -> str:
    """The text of ``manifest.json``, with a checksum of its own."""
    return json.dumps({**facts, CHECKSUM: _checksum(facts)}, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


_WORDS = ("title", "question", "command", "experiment", "games")


def checked_facts(folder: Path) -> dict[str, Any]:
    """The manifest, if it was not changed after it was written (those of older versions have no checksum).

    What every manifest says, and one of an older version may lack, is there as if it were empty.
    """
    told = checked_json(folder / MANIFEST, TypeAdapter(Told))
    facts = kept_facts(folder)
    if facts.get(CHECKSUM, _checksum(facts)) != _checksum(facts):
        raise InputError(f"results: {folder / MANIFEST} was changed: its checksum is not the one it was written with")
    return {name: getattr(told, name) for name in _WORDS} | facts


def kept_facts(folder: Path) -> dict[str, Any]:
    """The manifest of the result that lies in a folder, unchecked; empty if there is none, or a damaged one."""
    try:
        found = json.loads(read_plain(folder / MANIFEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def lasting(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest says of the result itself."""
    return {key: value for key, value in facts.items() if key not in (*PASSING, CHECKSUM)}


def _checksum(facts: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(lasting(facts), sort_keys=True).encode()).hexdigest()


def existing(folder: Any) -> Path:
    """A folder of results that is there."""
    try:
        if (path := Path(folder)).is_dir():
            return path
    except (TypeError, OSError):  # no path, or a name that is too long
        pass
    raise InputError(f"results: there is no folder {brief(str(folder), 200)}")


def hands_folder(folder: Path, manifest: Manifest) -> Path | None:
    """Where the per-hand table lies, if it was kept and is still there."""
    return folder / HANDS_FOLDER if manifest.hands_kept and (folder / HANDS_FOLDER).is_dir() else None


def kept_pairing(manifest: Manifest, rules: Rules, sums: Sums, i: int, j: int, **more: Any) -> Comparison:
    """The comparison of strategies ``i`` and ``j`` that was saved."""
    of = sums[pairing_key(i, j)]
    kept = of[HANDS], of[GAMES], of.get(LUCK)
    return Comparison(manifest.strategies[i], manifest.strategies[j], str(rules), manifest.seeds, *kept, **more)


def with_later_sums(sums: Any) -> Any:
    """Sums as this version keeps them.

    Those of games lacked ``unfinished`` once, of which none was counted then; those of hands did not say how often both plays of
    a pair ended alike, and count as if they always had: no interval is too narrow then.
    """
    if not isinstance(sums, dict):
        return sums
    later = {name for name in HAND_TALLY if "_both" in name}
    whole = all(type(value) is int for value in sums.values())
    if whole and sums.keys() == {*HAND_TALLY} - later:
        either = {ending: (sums[f"{ending}_0"], sums[f"{ending}_1"]) for ending in H.ENDINGS}
        won = {f"{ending}_both_{player}": count // 2 for ending, counts in either.items() for player, count in enumerate(counts)}
        return sums | won | {f"{ending}_both": sum(counts) // 2 for ending, counts in either.items()}
    if whole and sums.keys() in ({*GAME_TALLY} - {"unfinished"}, {*GAME_SUMS} - {"unfinished"}):
        return sums | {"unfinished": 0}
    return {key: with_later_sums(value) for key, value in sums.items()}


def checked_json(
    path: Path, shape: TypeAdapter[Any], digest: str | None = None, brought: Callable[[Any], Any] = lambda found: found
) -> Any:
    """The content of a JSON file, if it is whole and of this shape once ``brought`` up to date."""
    try:
        data = read_plain(path)
        found = json.loads(data)
    except FileNotFoundError:
        if (path.parent / JOURNAL).exists() and (path.parent / JOURNAL).stat().st_size:
            again = shlex.join(["ginsim", "resume", str(path.parent)])
            raise InputError(f"results: {path.parent} is not finished; resume with: {again}") from None
        raise InputError(f"results: {path.parent} is no result folder: {path.name} is missing") from None
    except OSError as error:
        raise InputError(f"results: {path} cannot be read ({error.strerror})") from None
    except InputError as error:
        raise InputError(f"results: {error}") from None
    except (ValueError, RecursionError) as error:  # JSONDecodeError, UnicodeDecodeError, brackets within brackets
        raise InputError(f"results: {path} is damaged: {error}") from None
    try:
        value = shape.validate_python(brought(found), strict=True)
    except ValidationError as error:
        raise InputError(f"results: {path} is damaged: {first_of(error)}") from None
    if digest is not None and hashlib.sha256(data).hexdigest() != digest:
        raise InputError(f"results: {path} is damaged or was changed: its checksum is not the one in {MANIFEST}")
    return value


def first_of(error: ValidationError) -> str:
    """The first thing that is wrong with a file, and where in it."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "value_error":
        said = str(first["ctx"]["error"])
        return f"{where}: {said}" if where else said
    if first["type"] in ("missing", "extra_forbidden"):
        return f"{where} is {'missing' if first['type'] == 'missing' else 'not known'}"
    return f"{where or 'the whole file'}: {shown(first['input'])} is not allowed; {allowed(first)}"


def check_told(folder: Path, facts: Mapping[str, Any], sums: Any, hands: int) -> None:
    """What a manifest says was played must be what the sums are of."""
    for phase, pairs in _pairs_of(sums):
        told = facts["deals" if phase == HANDS else "games"]
        if pairs != told:
            what = "deals" if phase == HANDS else "games"
            raise InputError(f"results: {folder / MANIFEST}: {what}={told} is impossible with sums of {pairs} pairs in {TALLIES}")
    if facts.get("hands_played") not in (None, hands):
        raise InputError(f"results: {folder / MANIFEST}: hands_played={facts['hands_played']} is not what the sums say ({hands})")


def _pairs_of(sums: Any, phase: str = "") -> Iterator[tuple[str, int]]:
    """The numbers of pairs in a tree of sums, each with its phase."""
    tree = sums if isinstance(sums, dict) else dict(sums) if isinstance(sums, BaseModel) else {}
    for key, value in tree.items():
        if key == "pairs" and phase:
            yield phase, value
        yield from _pairs_of(value, key if key in (HANDS, GAMES, LUCK) else phase)


def check_pairings(path: Path, sums: Sums, strategies: int) -> None:
    """Each pairing must be there with exactly the sums that this version keeps."""
    same_names(path, "pairing", set(sums), set(pairing_keys(strategies)))
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
        check_counts_of(where, t, signed=("points", "margin"))
        check_at_most(where, t, "won", "decided")
        check_at_most(where, t | {"plays": 2 * t["pairs"]}, "decided", "plays")
        check_at_most(where, {"unfinished": 0, **t, "undecided": 2 * t["pairs"] - t["decided"]}, "unfinished", "undecided")
        for name in ("won", "decided", "margin" if phase == GAMES else "points"):
            check_squares(where, name, t[name], t[f"{name}_sq"], t["pairs"])
    hands, where = phases[HANDS], f"{path}: {key}: {HANDS}"
    check_at_most(where, hands, "starter", "decided")
    for ending in H.ENDINGS:
        for player in (0, 1):
            twice = {"twice both": 2 * hands[f"{ending}_both_{player}"], "hands": hands[f"{ending}_{player}"]}
            check_at_most(f"{where}: {ending}_both_{player}", twice, "twice both", "hands")
    for name in ("starter", "turns"):
        check_squares(where, name, hands[name], hands[f"{name}_sq"], hands["pairs"])
    if sum(hands[f"{ending}_{player}"] for ending in H.ENDINGS for player in (0, 1)) != 2 * hands["pairs"]:
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
