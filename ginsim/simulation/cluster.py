"""Playing on a Dask cluster: the same pieces of work as anywhere, sent to its workers by joblib's dask backend."""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ginsim.errors import InputError, shown
from ginsim.jit import source_digest

__all__ = ["ClusterLostError", "cluster", "is_lost"]

PATIENCE = "15s"
"""How long a scheduler may take to answer."""
_clients: list[Any] = []


class ClusterLostError(InputError):
    """The cluster was lost; the results it had returned are kept."""


def is_lost(error: BaseException) -> bool:
    """Whether an exception came of a cluster that is gone, and not of what was played there."""
    if not _clients or isinstance(error, InputError | KeyboardInterrupt):
        return False
    theirs = any(kind.__module__.partition(".")[0] == "distributed" for kind in type(error).__mro__)
    return theirs or isinstance(error, CancelledError) or _clients[-1].status not in ("running", "connecting")


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Play on the cluster whose scheduler is at ``address`` (``tcp://host:8786``); here, if it is None.

    A piece of work is its parameters and a range of deals: no data travels but tallies. Pieces that a worker had when it
    died are given to another one.

    Raises
    ------
    InputError
        If Dask is not installed, no scheduler answers, it has no workers, or a worker has another version of ginsim.
    """
    if address is None:
        yield
        return
    try:
        from dask.distributed import Client
    except ImportError:
        raise InputError("dask: it is not installed; install ginsim with its extra: pip install 'ginsim[dask]'") from None
    from joblib import parallel_config

    logging.getLogger("tornado.application").setLevel(logging.CRITICAL)  # a scheduler that dies is told in a sentence, see below
    try:
        client: Any = Client(address, timeout=PATIENCE, set_as_default=True)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        raise InputError(f"dask: no scheduler answers at {shown(address)} ({type(error).__name__})") from None
    with _in_use(client), client:
        try:
            digests = client.run(source_digest)
        except BaseException as error:
            if is_lost(error):
                raise InputError(f"dask: the scheduler at {shown(address)} no longer answers") from None
            raise
        if not digests:
            raise InputError(f"dask: the scheduler at {address} has no workers; start some: dask worker {address}")
        others = sorted(worker for worker, digest in digests.items() if digest != source_digest())
        if others:
            raise InputError(f"dask: another version of ginsim is installed on {', '.join(others)}")
        with parallel_config(backend="dask"):
            yield


@contextmanager
def _in_use(client: Any) -> Iterator[None]:
    """Know the client while it is in use; what it logs of a lost connection is told once, by us."""
    log = logging.getLogger("distributed.client")
    level = log.level
    log.setLevel(logging.CRITICAL)
    _clients.append(client)
    try:
        yield
    finally:
        _clients.remove(client)
        log.setLevel(level)
