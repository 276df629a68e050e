"""Weights of learned players as they are kept: shipped, or in a user's file."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import numpy as np

from ginsim.errors import InputError
from ginsim.files import Shelf
from ginsim.games.gin.learned.layout import NET, NETS

__all__ = ["THEN", "read_nets", "read_weights", "shipped", "weights_bytes"]

MOST_BYTES = 1 << 22
LARGEST = 1e6
"""Size up to which a weight is taken for one."""
THEN = "then_"
"""What the names of the nets of the second style begin with."""


_SHELF = Shelf(
    "weights", "ginsim.games.gin.learned", "shipped", ".npz", MOST_BYTES, "are not weights", "there are no weights"
)  # fmt: skip


def shipped() -> list[str]:
    """Names of the weights that ginsim ships."""
    return _SHELF.names()


def read_weights(name: str) -> tuple[tuple[float, ...], str]:
    """The weights of all nets, as they lie behind the parameters, and the digest of the file ('' for one that is shipped).

    Parameters
    ----------
    name : str
        Of shipped weights, or the path of a file (``.npz``) that training wrote.

    Raises
    ------
    InputError
        If there are none of that name, or the file is none of weights.
    """
    nets, digest = read_nets(name)
    return (len(nets) / len(NETS), *np.concatenate(list(nets.values())).astype(float).tolist()), digest


def read_nets(name: str) -> tuple[dict[str, np.ndarray], str]:
    """The weights by net (float32[NET]), those of a second style after the first, and the digest as in `read_weights`."""
    data, where, digest = _SHELF.content(name)
    return _nets(data, where), digest


def _nets(data: bytes, where: str) -> dict[str, np.ndarray]:
    try:
        if sum(member.file_size for member in zipfile.ZipFile(io.BytesIO(data)).infolist()) > MOST_BYTES:
            raise ValueError
        with np.load(io.BytesIO(data), allow_pickle=False) as found:
            names = [*NETS, *(THEN + net for net in NETS if THEN + NETS[0] in found)]
            nets = {net: np.asarray(found[net]) for net in names}
    except Exception:  # whatever numpy and zipfile make of a file that is something else
        raise InputError(f"weights {where} are not weights: not a .npz file with the nets {', '.join(NETS)}") from None
    for net, weights in nets.items():
        if weights.shape != (NET,) or weights.dtype != np.float32 or not (np.abs(weights) <= LARGEST).all():
            raise InputError(f"weights {where}: {net} is not {NET:,} finite numbers (float32) from -{LARGEST:g} to {LARGEST:g}")
    return nets


def weights_bytes(nets: dict[str, np.ndarray]) -> bytes:
    """Weights as a file keeps them: float32[NET] by net; those of a second style have ``THEN`` before their names."""
    buffer = io.BytesIO()
    arrays: dict[str, Any] = {net: np.asarray(weights, np.float32) for net, weights in nets.items()}
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()
