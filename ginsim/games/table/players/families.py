"""The strategies that ginsim ships for the table game, by name.

To add one, write its decisions (``decisions`` or a module beside it) and a ``TableFamily`` here. Its parameters lie in
``params[0]``, ``params[1]``, … in the order they are declared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ginsim.errors import InputError, shown, suggest
from ginsim.games.gin.players.decisions import PARAMS_SIZE, Param
from ginsim.games.gin.players.families import _cells
from ginsim.games.table.players import counting
from ginsim.games.table.players import decisions as players
from ginsim.specs import Value, format_value, parse_spec

KINDS = ("draw", "play", "claim")


@dataclass(frozen=True)
class TableFamily:
    """A named strategy of the table game: its decisions and their parameters."""

    name: str
    meaning: str
    decisions: tuple[Callable[..., int], Callable[..., int], Callable[..., int]]
    params: tuple[Param, ...] = ()
    defaults: tuple[tuple[str, float], ...] = ()
    """Parameters whose default differs from the declared one: what makes a level."""

    def default(self, param: Param) -> float:
        """What a parameter is unless it is given."""
        return dict(self.defaults).get(param.name, param.default)

    def numbers(self, args: Mapping[str, Value]) -> list[float]:
        """The parameter array for ``args``."""
        names = [param.name for param in self.params]
        for name in args:
            if name not in names:
                raise InputError(
                    f"strategy {self.name} has no parameter {shown(name)}; "
                    + (suggest(name, names) if names else "it has none")
                )
        values = [_cells(self.name, param, args.get(param.name, self.default(param)))[0] for param in self.params]
        return values + [0.0] * (PARAMS_SIZE - len(values))


def _level(**values: float) -> tuple[tuple[str, float], ...]:
    return tuple(values.items())


_GREEDY = (players.greedy_draw, players.greedy_play, players.greedy_claim)
_COUNTING = (counting.counting_draw, counting.counting_play, counting.counting_claim)

FAMILIES: dict[str, TableFamily] = {
    family.name: family
    for family in (
        TableFamily(
            "table_random",
            "legal moves at random",
            (players.random_draw, players.random_play, players.random_claim),
        ),
        TableFamily(
            "table_greedy",
            "takes from the pile what leaves fewer points, melds and lays off all it can, discards the dearest card left",
            _GREEDY,
        ),
        TableFamily(
            "table_counting",
            "counts cards: keeps what may yet make melds, gives little away, lays melds down late, weighs deep draws and claims",
            _COUNTING,
            counting.PARAMS,
        ),
        TableFamily(
            "novice",
            "takes one card at most from the pile, claims only to go out, melds at once, discards the dearest card",
            _COUNTING,
            counting.PARAMS,
            _level(lay=15, cards=0, outs=0, danger=0, depth=1, claim=1000, caution=0),
        ),
        TableFamily(
            "intermediate",
            "takes several cards from the pile, claims, keeps cards that make melds with many unseen ones, melds at once",
            _COUNTING,
            counting.PARAMS,
            _level(lay=15, cards=4, outs=1, danger=0, caution=0),
        ),
        TableFamily(
            "expert",
            "table_counting as tuned: melds stay in the hand until it can go out, discards are weighed by what they give away",
            _COUNTING,
            counting.PARAMS,
        ),
    )
}

def describe(spec: str) -> str:
    """What a shipped strategy does, in words, with the parameters that differ from their defaults.

    Examples
    --------
    >>> print(describe("table_counting(mining=2)"))
    Counts cards: keeps what may yet make melds, gives little away, lays melds down late, weighs deep draws and claims.
    mining=2: points that each card taken beyond the first costs besides its own.
    """
    parsed = parse_spec(spec)
    family = FAMILIES[parsed.name]
    family.numbers(parsed.args)
    lines = [f"{family.meaning[:1].upper()}{family.meaning[1:]}."]
    lines += [f"{p.name}={format_value(parsed.args[p.name])}: {p.meaning}." for p in family.params if p.name in parsed.args]
    return "\n".join(lines)


__all__ = ["FAMILIES", "KINDS", "PARAMS_SIZE", "TableFamily", "describe"]
