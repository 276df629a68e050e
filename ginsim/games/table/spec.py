"""A strategy of the table game as a value: three decisions and their parameters, written ``name(param=value, …)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ginsim.cards import parse_hand
from ginsim.errors import InputError, shown, suggest
from ginsim.games.gin.players.families import FAMILIES as GIN
from ginsim.games.plugin import Missing, NoMoveError, checked, is_python_strategy, is_skipped, load_from_file, made_by, sent
from ginsim.games.strategy import free_name
from ginsim.games.table import view as V
from ginsim.games.table.players.families import FAMILIES, KINDS, PARAMS_SIZE
from ginsim.games.table.view import TableView
from ginsim.specs import Value, format_spec, parse_spec

_FILE = re.compile(r".+\.py:\w+")
_UNKNOWN: tuple[Any, ...] = (None, None, None)
"""The decisions of a strategy whose file was not imported."""
_NEEDS = "the methods draw(view), play(view) and claim(view)"


@dataclass(frozen=True)
class TableStrategy:
    """A player of the table game: three decisions (draw, play, claim) and an array of parameters.

    Use `TableStrategy.parse` for anything that has a name, `TableStrategy.of` for functions or objects of your own.

    Attributes
    ----------
    name : str
        Name of the family, or ``path/to/file.py:name``.
    args : dict
        The parameters as given.
    decisions : tuple of three functions
    params : tuple of floats
        What the decisions read.
    player : object or None
        The plain-Python strategy behind the decisions, if it is one.
    sources : str
        Digest of the files it was loaded from, '' for what ginsim brings.
    """

    name: str
    args: Mapping[str, Value] = field(default_factory=dict)
    decisions: tuple[Callable[..., Any], ...] = ()
    params: tuple[float, ...] = ()
    player: Any = None
    sources: str = ""
    named: bool = False
    """Whether `parse` finds it by its name, in another process too."""

    @classmethod
    def parse(cls, text: str | TableStrategy) -> TableStrategy:
        """The strategy that a spec names; a TableStrategy is returned as it is.

        Raises
        ------
        InputError
            For an unknown name, an unknown parameter or a value that is not allowed.

        Examples
        --------
        >>> str(TableStrategy.parse("table_greedy()"))
        'table_greedy'
        """
        if isinstance(text, TableStrategy):
            return text
        if not isinstance(text, str):
            if is_python_player(text):
                return cls.of(player=text)
            raise InputError(f"strategy: {shown(text)} is neither a spec such as 'table_greedy' nor a TableStrategy")
        spec = parse_spec(text)
        if _FILE.fullmatch(spec.name):
            if is_skipped(spec.name):
                return cls(spec.name, spec.args, _UNKNOWN, (0.0,) * PARAMS_SIZE)
            return _from_file(spec.name, spec.args)
        family = FAMILIES.get(spec.name)
        if family is None:
            raise InputError(_unknown(spec.name))
        return cls(spec.name, spec.args, family.decisions, tuple(family.numbers(spec.args)), named=True)

    @classmethod
    def of(
        cls,
        draw: Any = None,
        play: Any = None,
        claim: Any = None,
        params: Mapping[str, float] | None = None,
        name: str = "",
        player: Any = None,
    ) -> TableStrategy:
        """A strategy of your own: three jitted functions and named parameters, or a plain-Python ``player``.

        Parameters
        ----------
        draw, play, claim : functions of (view, params) that return an int64
            Compiled if they are not yet; ``ginsim.games.table.view`` names the slots of the view.
        params : mapping of str to float
            Stored in this order in ``params[0]``, ``params[1]``, …
        player : object with methods ``draw(view)``, ``play(view)``, ``claim(view)``
            ``draw`` returns 0 for the stock or the number of pile cards; ``play`` returns ``(melds, discard)`` with the discard
            as a mask or text (0 or None: none); ``claim`` returns None to pass, or ``melds``. Melds are a mapping from the number
            of a meld to the cards added to it; new melds go on counting from ``len(view.table)``. It must not keep anything from
            one hand to the next.
        """
        if player is not None:
            if not is_python_player(player):
                raise InputError(f"strategy: {shown(player)} needs {_NEEDS}")
            return cls(_free(name or type(player).__name__), {}, _python_decisions(player), (0.0,) * PARAMS_SIZE, player)
        given = dict(params or {})
        label = _free(name or getattr(play, "__name__", "custom").strip("<>"))
        if len(given) > PARAMS_SIZE:
            raise InputError(f"strategy {label}: {len(given)} parameters; at most {PARAMS_SIZE} are allowed")
        functions = tuple(checked(label, kind, f) for kind, f in zip(KINDS, (draw, play, claim), strict=True))
        numbers = [float(value) for value in given.values()]
        return cls(label, given, functions, (*numbers, *[0.0] * (PARAMS_SIZE - len(numbers))))

    @property
    def kind(self) -> str:
        """``slots`` (called by the kernels) or ``python`` (interpreted)."""
        if isinstance(self.player, Missing):
            raise self.player.told()
        return "slots" if self.player is None else "python"

    @property
    def slots(self) -> tuple[Any, ...]:
        """The three decisions, compiled for the kernels' function slots."""
        if self.player is not None:
            return self.decisions
        return tuple(checked(self.name, kind, function) for kind, function in zip(KINDS, self.decisions, strict=True))

    @property
    def array(self) -> np.ndarray:
        """The parameters (float64)."""
        return np.array(self.params)

    def __str__(self) -> str:
        return format_spec(self.name, self.args)

    def __repr__(self) -> str:
        return f"TableStrategy.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TableStrategy) or str(self) != str(other):
            return False
        if self.player is None:
            return self.decisions == other.decisions
        return (self.named and other.named) or self.player is other.player

    def __hash__(self) -> int:
        return hash(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        if self.named:
            return (_parsed, (str(self), self.sources))
        if self.player is not None:
            return (_of_player, (self.player, self.name))
        return (_of_functions, (self.decisions, dict(self.args), self.name))


def is_python_player(thing: Any, name: str = "") -> bool:
    """Whether ``thing`` has the three methods of a table strategy in plain Python."""
    return is_python_strategy(thing, name, KINDS)


def _free(name: str) -> str:
    return free_name(name, (*FAMILIES, *GIN))


def _unknown(name: str) -> str:
    if name in GIN:
        known = ", ".join(FAMILIES)
        return f"strategy: {name} plays two-player gin, not the table game; strategies for house rules are {known}"
    return f"strategy: there is no {name!r} for the table; {suggest(name, FAMILIES)} (or path/to/file.py:name)"


def _parsed(text: str, sources: str) -> TableStrategy:
    found, missing = sent(TableStrategy.parse, text, sources)
    return found if missing is None else TableStrategy(text, {}, _UNKNOWN, (0.0,) * PARAMS_SIZE, missing)


def _of_player(player: Any, name: str) -> TableStrategy:
    return TableStrategy.of(player=player, name=name)


def _of_functions(functions: tuple[Any, ...], params: Mapping[str, float], name: str) -> TableStrategy:
    draw, play, claim = functions
    return TableStrategy.of(draw, play, claim, params, name)


def _from_file(path_and_name: str, args: Mapping[str, Value]) -> TableStrategy:
    """A TableStrategy, or a plain-Python strategy class or object, found in a user's file."""
    found, digest = load_from_file(path_and_name)
    if issubclass(type(found), type):  # isinstance would run code of the user's own
        found = made_by(path_and_name, found, args)
    elif args:
        raise InputError(f"strategy {path_and_name} is not a class: it takes no parameters")
    if issubclass(type(found), TableStrategy):
        named: TableStrategy = replace(found, name=path_and_name, args=args, sources=digest, named=True)
        return named
    if not is_python_player(found, path_and_name):
        raise InputError(f"strategy {path_and_name}: neither a TableStrategy nor an object with {_NEEDS}")
    return TableStrategy(path_and_name, args, _python_decisions(found), (0.0,) * PARAMS_SIZE, found, digest, True)


def _python_decisions(player: Any) -> tuple[Callable[..., int], ...]:
    """The methods of a plain-Python strategy in the form that the (interpreted) kernels call."""

    def draw(array: np.ndarray, params: np.ndarray) -> int:
        answer = player.draw(TableView(array))
        if not isinstance(answer, int | np.integer) or not 0 <= int(answer) < 1 << 62:
            raise NoMoveError(shown(answer))
        return int(answer)

    def play(array: np.ndarray, params: np.ndarray) -> int:
        view = TableView(array)
        return _written(view, answer := player.play(view), answer)

    def claim(array: np.ndarray, params: np.ndarray) -> int:
        view = TableView(array)
        melds = player.claim(view)
        return 0 if melds is None else _written(view, (melds, 0), melds)

    return draw, play, claim


def _written(view: TableView, plan: Any, answer: Any) -> int:
    """Write a plain-Python plan into the view; always 1."""
    try:
        melds, discard = plan
        numbered = {int(number): parse_hand(cards) for number, cards in melds.items()}
        card = parse_hand(discard or 0)
    except (AttributeError, TypeError, ValueError):
        raise NoMoveError(shown(answer)) from None
    if any(not 0 <= number < V.MOST_MELDS for number in numbered):
        raise NoMoveError(shown(answer))
    view.write(numbered, card)
    return 1
