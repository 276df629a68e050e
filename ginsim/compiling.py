"""Who hears that something is being compiled, and how long that takes.

Light, so that the command line can ask to be told before anything that compiles is loaded (``ginsim.jit``).
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["begin", "expected", "listeners"]

Listener = Callable[[int], None]
listeners: list[Listener] = []
"""Called with the seconds it may take, each time a function is compiled rather than loaded."""

SECONDS = {"ginsim.games.gin.rollout": 20, "ginsim.games.gin.players": 15, "ginsim.games": 10}
"""About how long a command takes whose first compiled function is of this package; the others take a few seconds."""
FEW = 3


def expected(module: str) -> int:
    """Seconds that compiling may take, judged by the module of the first function."""
    return next((seconds for package, seconds in SECONDS.items() if module.startswith(f"{package}.")), FEW)


def begin(module: str) -> None:
    """Tell the listeners that a function of ``module`` is being compiled."""
    for listener in listeners:
        listener(expected(module))
