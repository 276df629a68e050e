"""A strategy of any game as a value: its decisions and their parameters, written ``name(param=value, …)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np

from ginsim.errors import InputError, listed, shown, suggest
from ginsim.games import packages
from ginsim.games.decisions import PARAMS_SIZE
from ginsim.games.families import REPERTOIRES, Family, Repertoire
from ginsim.games.plugin import Missing, checked, has_methods, is_skipped, is_unchanged, load_from_file, made_by, sent
from ginsim.specs import Value, format_spec, parse_spec

__all__ = ["REPERTOIRES", "Strategy"]

RECEIVE: list[Callable[..., Strategy]] = []
"""What makes a strategy in another process: a function of a module that enters all games there."""
_FILE = re.compile(r".+\.py:\w+")
_NO_PARAMS = (0.0,) * PARAMS_SIZE


@dataclass(frozen=True)
class Strategy:
    """A player of a game: its decisions and an array of parameters.

    Use `Strategy.parse` for anything that has a name, `Strategy.of` for functions or objects of your own.

    Attributes
    ----------
    name : str
        Name of the family, of what a package brings (``ginsim.games.packages``), or ``path/to/file.py:name``.
    args : dict
        The parameters as given.
    decisions : tuple of functions
        Those of the game, in the order of its ``Repertoire``.
    params : tuple of 80 floats or more
        What the decisions read; a table may lie behind the first 80.
    player : object or None
        The plain-Python strategy behind the decisions, if it is one.
    sources : str
        Digest of the files it was loaded from, '' for what ginsim or an installed package brings.
    game : str
        The game it plays; empty if that is not known because its file was not imported.
    """

    name: str
    args: Mapping[str, Value] = field(default_factory=dict)
    decisions: tuple[Callable[..., Any], ...] = ()
    params: tuple[float, ...] = ()
    player: Any = None
    sources: str = ""
    named: bool = False
    """Whether `parse` finds it by its name, in another process too."""
    game: str = ""

    @classmethod
    def parse(cls, given: Any, game: str = "") -> Strategy:
        """The strategy that a spec names; a Strategy is returned as it is.

        Parameters
        ----------
        given : str, Strategy or object in plain Python
        game : str, optional
            The game that it must play; any game if it is not given.

        Raises
        ------
        InputError
            For an unknown name, an unknown parameter or a value that is not allowed, and for a strategy of another game.

        Examples
        --------
        >>> from ginsim.games.catalog import Strategy
        >>> str(Strategy.parse("threshold(knock = 4)"))
        'threshold(knock=4)'
        >>> Strategy.parse("expert").game
        'table'
        """
        if not isinstance(given, Strategy | str):
            if _game_of_methods(given):
                return cls.of(player=given, game=game)
            raise InputError(f"strategy: {shown(given)} is neither a spec such as 'threshold(knock=4)' nor a Strategy")
        found = _parsed(given, game) if isinstance(given, str) else given
        if game and found.game and found.game != game:
            own, wanted = REPERTOIRES[found.game], REPERTOIRES[game]
            there_are = ", ".join(wanted.families)
            raise InputError(f"strategy: {found} plays {own.title}, not {wanted.title}; for that there are {there_are}")
        return found

    @classmethod
    def of(
        cls, /, *, params: Mapping[str, float] | None = None, name: str = "", player: Any = None, game: str = "", **decisions: Any
    ) -> Strategy:
        """A strategy of your own: jitted functions and named parameters, or a plain-Python ``player``.

        Parameters
        ----------
        **decisions : functions of (view, params) that return an int64
            One for each decision of the game: ``draw``, ``discard`` and ``knock`` for gin; ``draw``, ``play`` and ``claim`` for
            the table game. Compiled if they are not yet. A decision of a shipped strategy may be named: ``draw="strict"``.
        params : mapping of str to float
            Stored in this order in ``params[0]``, ``params[1]``, …
        player : object with a method ``kind(view)`` for each decision
            Any Python code; it must not keep anything from one hand to the next.
        """
        if player is not None:
            own = game or _game_of_methods(player)
            if not own or not has_methods(player, REPERTOIRES[own].kinds):
                raise InputError(f"strategy: {shown(player)} needs {_needs(own)}")
            return cls(_free(name or type(player).__name__), {}, REPERTOIRES[own].plain(player), _NO_PARAMS, player, game=own)
        own = game or next((r.game for r in REPERTOIRES.values() if set(r.kinds) == set(decisions)), "")
        if not own or set(decisions) != set(REPERTOIRES[own].kinds):
            wanted = " or ".join(" ".join(r.kinds) for r in REPERTOIRES.values())
            those = ", ".join(decisions) or "none"
            raise InputError(f"strategy {name}: decisions {those} are not those of a game; give {wanted}")
        repertoire, given = REPERTOIRES[own], dict(params or {})
        if len(given) > PARAMS_SIZE:
            raise InputError(f"strategy {name}: {len(given)} parameters; at most {PARAMS_SIZE} are allowed")
        label = _free(name or getattr(decisions[repertoire.kinds[0]], "__name__", "own").strip("<>"))
        functions = tuple(checked(label, kind, _named(label, kind, decisions[kind], repertoire)) for kind in repertoire.kinds)
        numbers = [_number(label, key, value) for key, value in given.items()]
        return cls(label, given, functions, (*numbers, *_NO_PARAMS[len(numbers) :]), game=own)

    def under(self, rules: Any) -> Strategy:
        """Who plays for it under given rules: itself, unless its name stands for another player under each.

        Examples
        --------
        >>> from ginsim.games.catalog import Strategy
        >>> from ginsim.games.rulebook import rules_of
        >>> str(Strategy.parse("learned").under(rules_of("classic20")))
        'learned(weights=classic20)'
        """
        family = _family(self.name)
        spec = family.under(rules, self.args) if family and family.under else str(self)
        return self if spec == str(self) else _shipped(spec)

    @property
    def repertoire(self) -> Repertoire:
        """What its game asks and ships."""
        return REPERTOIRES[self.game]

    @property
    def kind(self) -> str:
        """``numbers`` (inlined by the kernels), ``slots`` (called by them) or ``python`` (interpreted)."""
        if isinstance(self.player, Missing):
            raise self.player.told()
        if self.player is not None:
            return "python"
        return "numbers" if all(function in self.repertoire.numbers for function in self.decisions) else "slots"

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the decisions (-1: has none)."""
        return tuple(self.repertoire.numbers.get(function, -1) for function in self.decisions)

    @property
    def slots(self) -> tuple[Any, ...]:
        """The decisions, compiled for the kernels' function slots."""
        if self.player is not None:
            return self.decisions
        return tuple(checked(self.name, *of) for of in zip(self.repertoire.kinds, self.decisions, strict=True))

    @property
    def changed(self) -> list[str]:
        """Its shipped decisions that once decided otherwise, with the version they are of now."""
        shipped = REPERTOIRES[self.game].decisions.values() if self.game else ()
        own = [d for d in shipped if d.version > 1 and set(self.decisions).intersection(self.repertoire.forms(d))]
        return [f"{d.kind} {d.name} {d.version}" for d in own]

    @property
    def array(self) -> np.ndarray:
        """The parameters, float64[80] or longer."""
        return np.array(self.params)

    @property
    def unchanged(self) -> bool:
        """Whether the files that it was made of are still what they were."""
        if not self.sources or _FILE.fullmatch(self.name):
            return is_unchanged(self.name, self.sources)
        family = _family(self.name)
        try:
            return family is not None and family.table(self.args)[1] == self.sources
        except InputError:
            return False

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
            return RECEIVE[-1], ("by_name", str(self), self.sources)
        if self.player is not None:
            return RECEIVE[-1], ("by_player", self.player, self.name, self.game)
        return RECEIVE[-1], ("by_functions", self.decisions, dict(self.args), self.name, self.game)


def _parsed(text: str, game: str) -> Strategy:
    """The strategy of a spec: from a file, shipped, or brought by a package."""
    spec = parse_spec(text)
    if _FILE.fullmatch(spec.name):
        if is_skipped(spec.name):
            return Strategy(spec.name, spec.args, (None,), _NO_PARAMS, named=True)  # type: ignore[arg-type]
        found, digest = load_from_file(spec.name)
        return replace(_of_object(spec.name, found, spec.args), sources=digest, named=True)
    family = _family(spec.name) or packages.load(packages.STRATEGIES, spec.name)
    if family is None:
        repertoires = [REPERTOIRES[game]] if game else list(REPERTOIRES.values())
        known = [name for own in repertoires for name in own.families] + list(packages.names(packages.STRATEGIES))
        raise InputError(f"strategy: there is no {spec.name!r}; {suggest(spec.name, known)} (or path/to/file.py:name)")
    if not isinstance(family, Family):
        return replace(_of_object(spec.name, family, spec.args), named=True)
    functions = family.functions(spec.args)
    params, (table, digest) = family.numbers(spec.args), family.table(spec.args)
    of = family.REPERTOIRE.game
    return Strategy(spec.name, spec.args, functions, (*params, *table), sources=digest, named=True, game=of)


@cache
def _shipped(spec: str) -> Strategy:
    """A strategy that a name stands for: of what is shipped alone, so that its tables need not be read for each piece of work."""
    return Strategy.parse(spec)


def _family(name: str) -> Family | None:
    """The shipped family of that name, of whatever game."""
    return next((own.families[name] for own in REPERTOIRES.values() if name in own.families), None)


def _of_object(name: str, found: Any, args: Mapping[str, Value]) -> Strategy:
    """A Strategy, a plain-Python strategy class or object from a user's file or a package, with ``args`` applied."""
    kind = type(found)  # isinstance would run code of the user's own
    if issubclass(kind, Strategy):
        if _family(found.name):
            shipped: Strategy = replace(Strategy.parse(format_spec(found.name, {**found.args, **args})), name=name, args=args)
            return shipped
        if unknown := [key for key in args if key not in found.args]:
            known = suggest(unknown[0], found.args) if found.args else "it has none"
            raise InputError(f"strategy {name} has no parameter {unknown[0]!r}; {known}")
        numbers = [_number(name, key, value) for key, value in {**found.args, **args}.items()]
        given: Strategy = replace(found, name=name, args=args, params=(*numbers, *found.params[len(numbers) :]))
        return given
    if issubclass(kind, type):
        found = made_by(name, found, args)
    elif args:
        raise InputError(f"strategy {name} is an object, not a class: it takes no parameters")
    if not (game := _game_of_methods(found, name)):
        raise InputError(f"strategy {name}: neither a Strategy nor an object with {_needs()}")
    return Strategy(name, args, REPERTOIRES[game].plain(found), _NO_PARAMS, found, game=game)


def _game_of_methods(thing: Any, name: str = "") -> str:
    """The game whose decisions an object has as methods; '' if there is none."""
    return next((own.game for own in REPERTOIRES.values() if has_methods(thing, own.kinds, name)), "")


def _needs(game: str = "") -> str:
    """The methods of a strategy in plain Python, in words."""
    own: Iterable[Repertoire] = [REPERTOIRES[game]] if game else REPERTOIRES.values()
    return ", or ".join(repertoire.needs for repertoire in own)


def _named(strategy: str, kind: str, function: Any, repertoire: Repertoire) -> Any:
    """A decision as it is given, or the shipped one that is named."""
    if not isinstance(function, str):
        return function
    if (decision := repertoire.decision_of(kind, function)) is None:
        known = [known for of, known in repertoire.decisions if of == kind]
        raise InputError(f"strategy {strategy}: there is no {kind} decision {function!r}; {suggest(function, known)}")
    return decision.function


def _number(strategy: str, name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"strategy {strategy}: {name}={value!r} is not a number")
    return float(value)


def _free(name: Any) -> str:
    """A name for a strategy made in Python, if it can be written in a spec and `Strategy.parse` finds nothing under it.

    Otherwise something else would play in another process, where a strategy is found by its name.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z_][\w-]*", name):
        raise InputError(f"strategy: {shown(name)} is not allowed as a name; use a word of letters, digits, _ and -")
    if _family(name):
        raise InputError(f"strategy: {name!r} is the name of another strategy; give yours another")
    return name


def players_of(field: str, strategies: Any, game: str, least: int = 1) -> tuple[Strategy, ...]:
    """The strategies of a study, all of one game: at least so many."""
    players = tuple(Strategy.parse(strategy, game) for strategy in listed(field, strategies, "strategies"))
    if len(players) < least:
        raise InputError(f"{field}: {len(players) or 'none'} given; at least {least} {'is' if least == 1 else 'are'} needed")
    return players


# --- sent to another process -------------------------------------------------------------------------------------------------


def _by_name(text: str, sources: str) -> Strategy:
    found, missing = sent(Strategy.parse, text, sources)
    return found if missing is None else Strategy(text, {}, (None,), _NO_PARAMS, missing)  # type: ignore[arg-type]


def _by_player(player: Any, name: str, game: str) -> Strategy:
    return Strategy.of(player=player, name=name, game=game)


def _by_functions(functions: tuple[Any, ...], params: Mapping[str, float], name: str, game: str) -> Strategy:
    return Strategy.of(params=params, name=name, game=game, **dict(zip(REPERTOIRES[game].kinds, functions, strict=True)))


RECEIVED: dict[str, Callable[..., Strategy]] = {"by_name": _by_name, "by_player": _by_player, "by_functions": _by_functions}
