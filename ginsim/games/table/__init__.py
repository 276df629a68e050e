"""The house-rules table game for two to six: melds on the table, no knocking.

What is legal in a position, what a hand is worth there, and what to do:

>>> from ginsim import table
>>> table.legal_draws("8C 9C 5H QD", "7C KD 2S")
[0, 1, 3]
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ginsim.games.table.advice import advise_at_table as advise_at_table
    from ginsim.games.table.position import claim_options as claim_options
    from ginsim.games.table.position import evaluate as evaluate
    from ginsim.games.table.position import is_table_meld as is_table_meld
    from ginsim.games.table.position import lay_off_choices as lay_off_choices
    from ginsim.games.table.position import legal_depths as legal_depths
    from ginsim.games.table.position import legal_discards as legal_discards
    from ginsim.games.table.position import legal_draws as legal_draws

_POSITION = (
    "claim_options", "evaluate", "is_table_meld", "lay_off_choices", "legal_depths", "legal_discards", "legal_draws",
)  # fmt: skip
_HOME = dict.fromkeys(_POSITION, "position") | {"advise_at_table": "advice"}
"""The module of each public name; it is imported on first use."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return [*__all__]
