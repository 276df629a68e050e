"""Names of charts that are none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ginsim.errors import InputError
from ginsim.games.gin.players.chartfiles import read_chart


def test_a_folder_or_a_pipe_is_no_chart(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder and holds no tallies"):
        read_chart(f"{tmp_path}/")
    (tmp_path / "tallies.json").write_text("{}")
    with pytest.raises(InputError, match=r"is a folder; did you mean its tallies\.json"):
        read_chart(str(tmp_path))
    os.mkfifo(tmp_path / "pipe.json")
    with pytest.raises(InputError, match="not a regular file"):
        read_chart(str(tmp_path / "pipe.json"))
