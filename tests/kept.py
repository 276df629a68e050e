"""Kept results that are changed on purpose, with their checksums made right again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ginsim.experiment.saved import CHECKSUM, manifest_text

__all__ = ["change_sums"]


def change_sums(folder: Path, change: Callable[[Any], object]) -> None:
    """Change the sums of a result in place, and sign them as if they had been played."""
    path = folder / "tallies.json"
    sums = json.loads(path.read_text())
    change(sums)
    path.write_text(json.dumps(sums))
    facts = json.loads((folder / "manifest.json").read_text())
    facts["tallies_sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    facts.pop(CHECKSUM)
    (folder / "manifest.json").write_text(manifest_text(facts))
