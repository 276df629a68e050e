"""The per-hand table: written in parts as Parquet, read back as one frame."""

from __future__ import annotations

import io
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from ginsim.errors import InputError, said
from ginsim.files import no_link, read_own, read_plain, write_whole
from ginsim.simulation.play import HANDS, Done

if TYPE_CHECKING:
    import pandas as pd


GAMES_FOLDER = "games"
"""Where the records of games lie, beside the folder of the hands."""


def write_part(done: Done, folder: Path) -> int:
    """Write the records of a piece of work as one Parquet file, whole or not at all; returns its checksum."""
    assert done.records is not None
    work = done.work
    data = io.BytesIO()
    work.frame(done.records).to_parquet(data, index=False)
    write_whole(part_path(folder, work.phase, work.key, work.first), data.getvalue())
    return zlib.crc32(data.getvalue())


def parts_in(folder: Path) -> list[Path]:
    """All parts of hands, and of the games beside them."""
    return [*parts_of(folder, HANDS), *parts_of(folder.with_name(GAMES_FOLDER), "games")]


def parts_of(place: Path, phase: str) -> list[Path]:
    """The files of a folder that are named as parts are."""
    return sorted(path for path in no_link(place).glob(f"{phase}-*.parquet") if re.fullmatch(r".+-[0-9]{12}", path.stem))


def clear_parts(folder: Path) -> None:
    """Remove the parts of an earlier study."""
    for part in parts_in(folder):
        part.unlink()


def remove_parts(folder: Path) -> None:
    """Remove the parts of a study, and their folder if nothing else is in it."""
    clear_parts(folder)
    if folder.is_dir() and not folder.is_symlink() and not any(folder.iterdir()):
        folder.rmdir()


def empty_folder(field: str, folder: str | Path) -> Path:
    """A folder for the parts of a new run.

    Raises
    ------
    InputError
        If it cannot be used, or holds the parts of another run.
    """
    try:
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, TypeError, ValueError) as error:
        raise InputError(f"{field}: {folder!r} cannot be used as a folder ({error})") from None
    if not str(folder):
        raise InputError(f"{field}: {folder!r} is not allowed; name a folder")
    if parts_in(path):
        raise InputError(f"{field}: {path} holds the hands of an earlier run; give another folder")
    return path


def checksum_of_part(folder: Path, phase: str, key: str, first: int) -> int:
    """Checksum of the part for the pairs from ``first`` on; -1 if it is not there."""
    try:
        return zlib.crc32(read_own(part_path(folder, phase, key, first)))
    except OSError:
        return -1


def part_path(folder: Path, phase: str, key: str, first: int) -> Path:
    """Where a part lies: hands in ``folder``, games in a folder beside it."""
    place = no_link(folder if phase == HANDS else folder.with_name(GAMES_FOLDER))
    return place / f"{phase}-{key.replace('/', '_')}-{first:012d}.parquet"


def read_parts(folder: Path, phase: str = HANDS, played: int | None = None) -> pd.DataFrame:
    """All parts of a run as one frame, in the order of the deals.

    Raises
    ------
    InputError
        If the run kept no hands, a part is damaged, or they do not hold as many rows as were ``played``.
    """
    import pandas as pd

    if phase != HANDS:
        folder = folder.with_name(GAMES_FOLDER)
    parts = parts_of(folder, phase)
    if not parts:
        raise InputError(f"hands: none were kept in {folder}; run with --hands (keep_hands=True)")
    order = ["pairing", "deal" if phase == HANDS else "game", "play"]
    try:
        table = pd.concat([pd.read_parquet(io.BytesIO(read_plain(part))) for part in parts]).sort_values(order, ignore_index=True)
    except (ValueError, KeyError, OSError) as error:  # of pyarrow too
        raise InputError(f"hands: a part in {folder} is damaged: {said(error)}") from None
    if played is not None and len(table) != played:
        raise InputError(
            f"hands: {folder} holds {len(table):,} {phase}, but {played:,} were played: a part is missing or from another run"
        )
    return table
