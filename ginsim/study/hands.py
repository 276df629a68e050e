"""The per-hand table: written in parts as Parquet, read back as one frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError
from ginsim.gin.records import ENDINGS, GAME_COLUMNS, HAND_COLUMNS
from ginsim.study.play import HANDS, Done

if TYPE_CHECKING:
    import pandas as pd


GAMES_FOLDER = "games"
"""Where the records of games lie, beside the folder of the hands."""


def frame(records: np.ndarray, phase: str = HANDS) -> pd.DataFrame:
    """Hand (or game) records as a frame: small integer columns, the ending as a category.

    Player 0 is the first strategy of the comparison, 1 the second, -1 nobody.
    """
    import pandas as pd

    names = HAND_COLUMNS if phase == HANDS else GAME_COLUMNS
    columns: dict[str, Any] = {name: records[:, i] for i, name in enumerate(names) if name != "error"}
    table = pd.DataFrame(columns)
    wide = {"deal", "game", "margin"}
    table = table.astype({name: "int16" for name in table.columns if name not in wide})
    if phase == HANDS:
        table["ending"] = pd.Categorical.from_codes(records[:, names.index("ending")], categories=pd.Index(ENDINGS))
    return table


def write_part(done: Done, folder: Path) -> Path:
    """Write the records of a piece of work as one Parquet file, whole or not at all."""
    assert done.records is not None
    work = done.work
    if work.phase != HANDS:
        folder = folder.with_name(GAMES_FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    table = frame(done.records, work.phase)
    table.insert(0, "pairing", work.key)
    path = folder / f"{work.phase}-{work.key.replace('/', '_')}-{work.first:012d}.parquet"
    partial = path.with_suffix(".partial")
    table.to_parquet(partial, index=False)
    partial.replace(path)
    return path


def clear_parts(folder: Path) -> None:
    """Remove the parts of an earlier study."""
    for part in (*folder.glob("*.parquet"), *folder.with_name(GAMES_FOLDER).glob("*.parquet")):
        part.unlink()


def read_parts(folder: Path, phase: str = HANDS) -> pd.DataFrame:
    """All parts of a run as one frame, in the order of the deals.

    Raises
    ------
    InputError
        If the run kept no hands.
    """
    import pandas as pd

    if phase != HANDS:
        folder = folder.with_name(GAMES_FOLDER)
    parts = sorted(folder.glob(f"{phase}-*.parquet"))
    if not parts:
        raise InputError(f"hands: none were kept in {folder}; run with --hands (keep_hands=True)")
    order = ["pairing", "deal" if phase == HANDS else "game", "play"]
    return pd.concat([pd.read_parquet(part) for part in parts]).sort_values(order, ignore_index=True)
