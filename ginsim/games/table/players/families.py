"""The strategies that ginsim ships for the table game, by name.

To add one, write its decisions (``decisions`` or a module beside it), name them in ``REPERTOIRE`` and write a ``Family``. All
three decisions read the same block of parameters.
"""

from __future__ import annotations

from ginsim.games import families
from ginsim.games.decisions import Decision
from ginsim.games.families import REPERTOIRES, Repertoire
from ginsim.games.table.players import counting, decisions
from ginsim.games.table.players.plain import as_played
from ginsim.games.table.rules import TableRules

__all__ = ["FAMILIES", "REPERTOIRE", "Family"]

REPERTOIRE = Repertoire(
    TableRules.GAME,
    TableRules.TITLE,
    {"draw": "draw", "play": "play", "claim": "claims"},  # ``claim`` is a parameter
    {
        "draw": "0 for the stock, or a number of pile cards that leaves a legal turn",
        "play": "1 with a legal plan: melds and lay-offs that use the deepest card taken, and a discard that is not banned",
        "claim": "0, or 1 with the card laid off or in one new meld",
    },
    {"draw": 0, "play": 0, "claim": 0},
    {
        (kind, name): Decision(kind, name, getattr(of, f"{name}_{kind}"), params)
        for name, of, params in (("random", decisions, ()), ("greedy", decisions, ()), ("counting", counting, counting.PARAMS))
        for kind in ("draw", "play", "claim")
    },
    {},
    as_played,
)
GREEDY, COUNTING = ((("greedy",),) * 3, (("counting",),) * 3)


class Family(families.Family):
    """A named strategy of the table game with parameters."""

    REPERTOIRE = REPERTOIRE


def _level(**values: float) -> tuple[tuple[str, float], ...]:
    return tuple(values.items())


FAMILIES = REPERTOIRE.families
FAMILIES |= {
    family.name: family
    for family in (
        Family("table_random", "legal moves at random", (("random",),) * 3),
        Family(
            "table_greedy",
            "takes from the pile what leaves fewer points, melds and lays off all it can, discards the highest card left",
            GREEDY,
        ),
        Family(
            "table_counting",
            "counts cards: keeps what may still make melds, gives little away, melds late, judges claims and deep draws",
            COUNTING,
        ),
        Family(
            "novice",
            "takes at most one card from the pile, claims only to go out, melds at once, discards the highest card",
            COUNTING,
            defaults=_level(lay=15, cards=0, outs=0, danger=0, depth=1, claim=1000, caution=0),
        ),
        Family(
            "intermediate",
            "takes several cards from the pile, claims, keeps cards that make melds with many unseen ones, melds at once",
            COUNTING,
            defaults=_level(lay=15, cards=4, outs=1, danger=0, caution=0),
        ),
        Family(
            "expert",
            "table_counting with tuned parameters: keeps melds until it can go out, judges discards by what they give away",
            COUNTING,
        ),
    )
}
REPERTOIRES[REPERTOIRE.game] = REPERTOIRE
