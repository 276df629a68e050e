"""A strategy as a value: three decisions and their parameters, written ``name(param=value, …)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ginsim.errors import InputError, shown, suggest
from ginsim.games import packages
from ginsim.games.gin.players.decisions import PARAMS_SIZE
from ginsim.games.gin.players.dispatch import BY_NUMBER
from ginsim.games.gin.players.families import DECISIONS, FAMILIES, KINDS, Family, decision_of
from ginsim.games.plugin import Missing, checked, is_python_strategy, is_skipped, load_from_file, made_by, python_decision, sent
from ginsim.specs import Value, format_spec, parse_spec

_FILE = re.compile(r".+\.py:\w+")
TABLE_PLAYERS = ("table_random", "table_greedy", "table_counting", "novice", "intermediate", "expert")
"""Names of strategies of the other game (``ginsim.table``), which none of this game may have."""
WHERE_TABLE = "compare, tournament, effect and replay play that, with rules=house"
_UNKNOWN: tuple[Any, ...] = (None, None, None)
"""The decisions of a strategy whose file was not imported."""


@dataclass(frozen=True)
class Strategy:
    """A player: three decisions (draw, discard, knock) and an array of parameters.

    Use `Strategy.parse` for anything that has a name, `Strategy.of` for functions or objects of your own.

    Attributes
    ----------
    name : str
        Name of the family, of what a package brings (``ginsim.games.packages``), or ``path/to/file.py:name``.
    args : dict
        The parameters as given.
    decisions : tuple of three functions
    params : tuple of 80 floats
        What the decisions read.
    player : object or None
        The plain-Python strategy behind the decisions, if it is one.
    sources : str
        Digest of the files it was loaded from, '' for what ginsim or an installed package brings.
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
    def parse(cls, text: str | Strategy) -> Strategy:
        """The strategy that a spec names; a Strategy is returned as it is.

        Raises
        ------
        InputError
            For an unknown name, an unknown parameter or a value that is not allowed.

        Examples
        --------
        >>> str(Strategy.parse("threshold(knock = 4)"))
        'threshold(knock=4)'
        """
        if isinstance(text, Strategy):
            return text
        if not isinstance(text, str):
            if is_python_strategy(text):
                return cls.of(player=text)
            raise InputError(f"strategy: {shown(text)} is neither a spec such as 'threshold(knock=4)' nor a Strategy")
        spec = parse_spec(text)
        if _FILE.fullmatch(spec.name):
            if is_skipped(spec.name):
                return cls(spec.name, spec.args, _UNKNOWN, (0.0,) * PARAMS_SIZE)
            found, digest = load_from_file(spec.name)
            return replace(_of_object(spec.name, found, spec.args), sources=digest, named=True)
        family = FAMILIES.get(spec.name) or packages.load(packages.STRATEGIES, spec.name)
        if family is None:
            if spec.name in TABLE_PLAYERS:
                raise InputError(f"strategy: {spec.name} plays the table game, not two-player gin; {WHERE_TABLE}")
            known = [*FAMILIES, *packages.names(packages.STRATEGIES)]
            raise InputError(f"strategy: there is no {spec.name!r}; {suggest(spec.name, known)} (or path/to/file.py:name)")
        if not isinstance(family, Family):
            return replace(_of_object(spec.name, family, spec.args), named=True)
        numbers = family.numbers(spec.args)
        functions = tuple(decision.function for decision in family.decisions(spec.args))
        return cls(spec.name, spec.args, functions, tuple(numbers), named=True)

    @classmethod
    def of(
        cls,
        draw: Any = None,
        discard: Any = None,
        knock: Any = None,
        params: Mapping[str, float] | None = None,
        name: str = "",
        player: Any = None,
    ) -> Strategy:
        """A strategy of your own: three jitted functions and named parameters, or a plain-Python ``player``.

        Parameters
        ----------
        draw, discard, knock : functions of (view, params) that return an int64
            Compiled if they are not yet. A decision of a shipped strategy may be named: ``draw="strict"``.
        params : mapping of str to float
            Stored in this order in ``params[0]``, ``params[1]``, …
        player : object with methods ``draw(view)``, ``discard(view)``, ``knock(view)``
            Any Python code; it must not keep anything from one hand to the next.
        """
        if player is not None:
            if not is_python_strategy(player):
                raise InputError(f"strategy: {shown(player)} needs the methods draw(view), discard(view) and knock(view)")
            functions: tuple[Any, ...] = tuple(python_decision(player, kind) for kind in KINDS)
            return cls(_free(name or type(player).__name__), {}, functions, (0.0,) * PARAMS_SIZE, player)
        given = dict(params or {})
        if len(given) > PARAMS_SIZE:
            raise InputError(f"strategy {name}: {len(given)} parameters; at most {PARAMS_SIZE} are allowed")
        label = _free(name or getattr(draw, "__name__", "own").strip("<>"))
        functions = tuple(
            checked(label, kind, _named(label, kind, function) if isinstance(function, str) else function)
            for kind, function in zip(KINDS, (draw, discard, knock), strict=True)
        )
        numbers = [_number(label, key, value) for key, value in given.items()]
        return cls(label, given, functions, (*numbers, *[0.0] * (PARAMS_SIZE - len(numbers))))

    @property
    def kind(self) -> str:
        """``numbers`` (inlined by the kernels), ``slots`` (called by them) or ``python`` (interpreted)."""
        if isinstance(self.player, Missing):
            raise self.player.told()
        if self.player is not None:
            return "python"
        return "numbers" if all(function in BY_NUMBER for function in self.decisions) else "slots"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the three decisions (-1: has none)."""
        return tuple(BY_NUMBER.get(function, -1) for function in self.decisions)

    @property
    def slots(self) -> tuple[Any, ...]:
        """The three decisions, compiled for the kernels' function slots."""
        if self.player is not None:
            return self.decisions
        return tuple(checked(self.name, kind, function) for kind, function in zip(KINDS, self.decisions, strict=True))

    @property
    def array(self) -> np.ndarray:
        """The parameters, float64[80]."""
        return np.array(self.params)

    def __str__(self) -> str:
        return format_spec(self.name, self.args)

    def __repr__(self) -> str:
        return f"Strategy.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Strategy) or str(self) != str(other):
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


def _free(name: str) -> str:
    """``name``, if it can be written in a spec and means nothing else."""
    return free_name(name, (*FAMILIES, *TABLE_PLAYERS))


def free_name(name: Any, taken: Collection[str]) -> str:
    """A name for a strategy made in Python, if it can be written in a spec and `Strategy.parse` finds nothing under it.

    Raises
    ------
    InputError
        Otherwise: in another process, where a strategy is found by its name, something else would play.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        raise InputError(f"strategy: {shown(name)} is not allowed as a name; use a word of letters, digits, _ and -")
    if name in taken:
        raise InputError(f"strategy: {name!r} is the name of another strategy; give yours another")
    return name


def _parsed(text: str, sources: str) -> Strategy:
    found, missing = sent(Strategy.parse, text, sources)
    return found if missing is None else Strategy(text, {}, _UNKNOWN, (0.0,) * PARAMS_SIZE, missing)


def _named(strategy: str, kind: str, name: str) -> Any:
    decision = decision_of(kind, name)
    if decision is None:
        known = [known for of, known in DECISIONS if of == kind]
        raise InputError(f"strategy {strategy}: there is no {kind} decision {name!r}; {suggest(name, known)}")
    return decision.function


def _of_player(player: Any, name: str) -> Strategy:
    return Strategy.of(player=player, name=name)


def _of_functions(functions: tuple[Any, ...], params: Mapping[str, float], name: str) -> Strategy:
    draw, discard, knock = functions
    return Strategy.of(draw, discard, knock, params, name)


def _number(strategy: str, name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"strategy {strategy}: {name}={value!r} is not a number")
    return float(value)


def _of_object(name: str, found: Any, args: Mapping[str, Value]) -> Strategy:
    """A Strategy, a plain-Python strategy class or object from a user's file or a package, with ``args`` applied."""
    kind = type(found)  # isinstance would run code of the user's own
    if issubclass(kind, Strategy) and found.name in FAMILIES:
        changed = Strategy.parse(format_spec(found.name, {**found.args, **args}))
        return replace(changed, name=name, args=args)
    if issubclass(kind, Strategy):
        unknown = [key for key in args if key not in found.args]
        if unknown:
            known = suggest(unknown[0], found.args) if found.args else "it has none"
            raise InputError(f"strategy {name} has no parameter {unknown[0]!r}; {known}")
        given = {**found.args, **args}
        numbers = [_number(name, key, value) for key, value in given.items()]
        params = (*numbers, *found.params[len(numbers) :])
        return Strategy(name, args, found.decisions, params, found.player)
    if issubclass(kind, type):
        found = made_by(name, found, args)
    elif args:
        raise InputError(f"strategy {name} is an object, not a class: it takes no parameters")
    if not is_python_strategy(found, name):
        raise InputError(
            f"strategy {name}: neither a Strategy nor an object with draw(view), discard(view) and knock(view)"
        )
    functions = tuple(python_decision(found, kind) for kind in KINDS)
    return Strategy(name, args, functions, (0.0,) * PARAMS_SIZE, found)
