"""What all results on disk have in common: the manifest, and whether the sums they rest on are possible.

A result folder holds ``manifest.json`` (what was played, on which machine) and ``tallies.json`` (the integer sums by
pairing and phase). Everything else in it can be made again from these two; how is up to each kind of `ginsim.study`.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, field_validator, model_validator

from ginsim.deals import MOST_DEALS, MOST_SEED
from ginsim.errors import InputError, brief, shown
from ginsim.files import read_plain
from ginsim.games.base import GAMES, HANDS
from ginsim.simulation.journal import JOURNAL
from ginsim.specs import own_file
from ginsim.study.base import kinds
from ginsim.study.kept import HANDS_FOLDER, LUCK, MANIFEST, TALLIES
from ginsim.study.wording import allowed

__all__ = [
    "CHECKSUM", "PASSING", "ImpossibleError", "Told", "check_told", "checked_facts", "checked_json", "existing", "first_of",
    "kept_facts", "lasting", "manifest_text",
]  # fmt: skip

CHECKSUM = "manifest_sha256"
PASSING = ("saved", "wall_seconds", "hands_per_second", "machine")
"""What a manifest says of the moment and the machine, not of the result."""


OLD_KINDS = {"table_compare": "compare", "table_tournament": "tournament", "table_effect": "effect"}
"""What kinds were called once."""


class ImpossibleError(InputError):
    """A result that no run can come to; it is not saved."""


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
            raise InputError(f"strategies: {shown(again[0])} is listed twice")
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
        kind = OLD_KINDS.get(self.kind, self.kind)
        return [] if kind in kinds() and kinds()[kind].against_itself else self.strategies[kind == "calibration" :]


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
        raise InputError(f"results: {path.parent} is not a result folder: {path.name} is missing") from None
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


