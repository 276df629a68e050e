"""Families of strategies by name, and the repertoire of a game: its decisions and families."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from numbers import Real
from typing import Any, ClassVar

from ginsim.errors import InputError, brief, shown, suggest
from ginsim.games import packages
from ginsim.games.decisions import PARAMS_SIZE, Decision, Param, Table
from ginsim.specs import Value, format_value, parse_spec

__all__ = ["REPERTOIRES", "Family", "Memory", "Repertoire", "describe"]


@dataclass(frozen=True)
class Memory:
    """A parameter of strategies, not of one decision: how much of what they have seen they remember.

    Attributes
    ----------
    param : Param
        Its highest value, which is the default, is all.
    cell : int
        Where it lies in the array of parameters.
    short : mapping of function to function
        Decisions that look at what has been seen, each with the same of what is remembered.
    needed : frozenset of str
        Names of decisions that must know all.
    """

    param: Param
    cell: int
    short: Mapping[Callable[..., int], Callable[..., int]]
    needed: frozenset[str]


@dataclass(eq=False)
class Repertoire:
    """What a game asks its players, and the decisions and strategies that ginsim ships for it.

    Attributes
    ----------
    game, title : str
        Name of the game, and the same in words.
    words : mapping of str to str
        The decisions by kind, in the order in which a strategy has them, each with the word that names it in a spec.
    asked : mapping of str to str
        By kind: what is a legal answer, for messages.
    blocks : mapping of str to int
        By kind: where its block of parameters starts.
    decisions : dict of (kind, name) to Decision
    families : dict of str to Family
    plain : function
        Turns an object in plain Python, with one method a kind, into the functions that the interpreted engine calls.
    numbers : mapping of function to int
        Decisions that the engine also knows by number, which is faster.
    memory : Memory, optional
        How strategies are made to forget, if they can be.
    """

    game: str
    title: str
    words: Mapping[str, str]
    asked: Mapping[str, str]
    blocks: Mapping[str, int]
    decisions: dict[tuple[str, str], Decision]
    families: dict[str, Family]
    plain: Callable[[Any], tuple[Callable[..., int], ...]]
    numbers: Mapping[Callable[..., int], int] = field(default_factory=dict)
    memory: Memory | None = None

    @property
    def kinds(self) -> tuple[str, ...]:
        """What a strategy decides."""
        return tuple(self.words)

    @property
    def needs(self) -> str:
        """The methods of a strategy in plain Python, in words."""
        *others, last = (f"{kind}(view)" for kind in self.kinds)
        return f"the methods {', '.join(others)} and {last}" if others else f"the method {last}"

    def room(self, kind: str) -> int:
        """Cells of the block of a kind's parameters."""
        start, others = self.blocks[kind], [*self.blocks.values(), *([self.memory.cell] if self.memory else [])]
        return min((end for end in others if end > start), default=PARAMS_SIZE) - start

    def forms(self, decision: Decision) -> tuple[Callable[..., int], ...]:
        """The functions that play a decision: its own, and that of a short memory if there is one."""
        short = self.memory and self.memory.short.get(decision.function)
        return (decision.function, short) if short else (decision.function,)

    def decision_of(self, kind: str, name: str) -> Decision | None:
        """The decision of that name, shipped or of an installed package; None if there is none.

        Raises
        ------
        InputError
            If a package brings it but it cannot be used.
        """
        if (kind, name) in self.decisions:
            return self.decisions[kind, name]
        found = packages.load(packages.DECISIONS, f"{kind}.{name}")
        if found is None:
            return None
        what = f"{packages.DECISIONS} '{kind}.{name}'"
        if not isinstance(found, Decision) or (found.kind, found.name) != (kind, name):
            raise InputError(f"{what}: {shown(found)} is not the {kind} decision {name}")
        if sum(param.cells for param in found.params) > self.room(kind):
            raise InputError(f"{what}: its parameters need more than the {self.room(kind)} cells of a {kind} decision")
        taken = {param.name for (of, _), decision in self.decisions.items() if of != kind for param in decision.params}
        for param in found.params:
            if param.name in taken | set(self.words.values()):
                raise InputError(f"{what}: its parameter {param.name} has the name of another decision's; call it something else")
        return found


REPERTOIRES: dict[str, Repertoire] = {}
"""What may be played, by game: each game enters its own."""


@dataclass(frozen=True)
class Family:
    """A named strategy with parameters.

    ``choices`` names, for each decision of the game, those it may use. Where there is more than one, a spec names one
    (``draw=strict``, ``discard=highest``, ``stop=by_turn``) or just gives parameters: then it is the first that has them.
    """

    REPERTOIRE: ClassVar[Repertoire]
    """Set by the game."""

    name: str
    meaning: str
    choices: tuple[tuple[str, ...], ...]
    fixed: tuple[tuple[str, float | str], ...] = ()
    """Parameters that belong to the family's definition and cannot be changed."""
    defaults: tuple[tuple[str, float | tuple[float, ...]], ...] = ()
    """Parameters whose default differs from the decision's: what makes a preset."""
    open: bool = False
    """Whether it may also use decisions of installed packages."""
    under: Callable[[Any, Mapping[str, Value]], str] | None = None
    """If it is another player under other rules: the spec of that player, given the rules and the arguments."""

    def functions(self, args: Mapping[str, Value]) -> tuple[Callable[..., int], ...]:
        """What plays: the functions of the decisions that ``args`` choose."""
        return tuple(self.REPERTOIRE.forms(decision)[-1 if self._forgets(args) else 0] for decision in self.decisions(args))

    def _forgets(self, args: Mapping[str, Value]) -> bool:
        """Whether less than all is remembered."""
        memory = self.REPERTOIRE.memory
        return memory is not None and args.get(memory.param.name, memory.param.high) != memory.param.high

    def _memory(self) -> Memory | None:
        """How it is made to forget, if it can be: as it comes it needs not know all, and it may look at what has been seen."""
        memory = self.REPERTOIRE.memory
        if memory is None or memory.needed.intersection(names[0] for names in self.choices):
            return None
        allowed = (self._decision(kind, name) for kind in self.REPERTOIRE.kinds for name in self._names(kind))
        return memory if any(decision.function in memory.short for decision in allowed) else None

    def _cell_of_memory(self, memory: Memory, value: Value, decisions: Collection[Decision]) -> float:
        """The parameter as it is stored.

        Raises
        ------
        InputError
            If it is not allowed, or a decision must know all or comes from a package.
        """
        cell = _cells(self.name, memory.param, value)[0]
        for of in decisions:
            if cell < memory.param.high and (of.name in memory.needed or (of.kind, of.name) not in self.REPERTOIRE.decisions):
                decision = f"{self.REPERTOIRE.words[of.kind]}={of.name}"
                raise InputError(f"strategy {self.name}: {memory.param.name} is not for {decision}, which must know all")
        return cell if cell < memory.param.high else 0.0

    def _names(self, kind: str) -> tuple[str, ...]:
        return self.choices[self.REPERTOIRE.kinds.index(kind)]

    def decisions(self, args: Mapping[str, Value]) -> tuple[Decision, ...]:
        """The decisions that ``args`` choose."""
        chosen = tuple(self._chosen(kind, args) for kind in self.REPERTOIRE.kinds)
        for one, other in pairwise(chosen):
            if one.needs and other.name not in one.needs:
                word = self.REPERTOIRE.words[other.kind]
                needed = " or ".join(f"{word}={name}" for name in one.needs if name in self._names(other.kind))
                raise InputError(f"strategy {self.name}: {one.kind}={one.name} needs {needed}, whose parameters it uses")
        return chosen

    def _chosen(self, kind: str, args: Mapping[str, Value]) -> Decision:
        """The decision that is named, or the first that has all the parameters given for this kind."""
        allowed, word = self._allowed(kind, args), self.REPERTOIRE.words[kind]
        choice = args.get(word)
        if word in args and choice not in allowed:
            raise InputError(f"strategy {self.name}: {word}={_written(choice)} is not one of {', '.join(allowed)}")
        decisions = [self._decision(kind, name) for name in allowed if choice in (None, name)]
        reads = [{param.name for param in _options(decision)} for decision in decisions]
        given = [name for name in args if any(name in names for names in reads)]
        for decision, names in zip(decisions, reads, strict=True):
            if choice or names.issuperset(given):
                return decision
        raise InputError(f"strategy {self.name}: give one of {' and '.join(given)}, not both")

    def _allowed(self, kind: str, args: Mapping[str, Value]) -> tuple[str, ...]:
        """Names of the decisions that may be chosen, with the one that ``args`` name if a package brings it."""
        allowed = self._names(kind)
        choice = args.get(self.REPERTOIRE.words[kind])
        more = self.open and isinstance(choice, str) and choice not in allowed and self.REPERTOIRE.decision_of(kind, choice)
        return (*allowed, str(choice)) if more else allowed

    def _decision(self, kind: str, name: str) -> Decision:
        decision = self.REPERTOIRE.decision_of(kind, name)
        if decision is None:
            raise InputError(f"strategy {self.name}: there is no {kind} decision {name!r}")
        return decision

    def default(self, param: Param | Table) -> Value:
        """What a parameter is unless it is given."""
        value = (dict(self.fixed) | dict(self.defaults)).get(param.name, param.default)
        return list(value) if isinstance(value, tuple) else value

    def options(self, args: Mapping[str, Value] | None = None) -> dict[str, tuple[Param | Table | None, tuple[str, ...]]]:
        """All that may be given (beside ``args``): name -> (parameter, ()) or (None, names of decisions)."""
        found: dict[str, tuple[Param | Table | None, tuple[str, ...]]] = {}
        for kind, word in self.REPERTOIRE.words.items():
            if len(self._names(kind)) > 1:
                found[word] = (None, self._names(kind))
        for kind in self.REPERTOIRE.kinds:
            for name in self._allowed(kind, args or {}):
                for param in _options(self._decision(kind, name)):
                    if param.name not in dict(self.fixed):
                        found[param.name] = (param, ())
        if memory := self._memory():
            found[memory.param.name] = (memory.param, ())
        return found

    def numbers(self, args: Mapping[str, Value]) -> list[float]:
        """The parameter array for ``args``: each decision's block filled in the order of its parameters."""
        options = self.options(args)
        for name in args:
            if name not in options:
                known = suggest(name, options) if options else "it has none"
                raise InputError(f"strategy {self.name} has no parameter {shown(name)}; {known}")
        values = [0.0] * PARAMS_SIZE
        used, decisions = set(self.REPERTOIRE.words.values()), self.decisions(args)
        for decision in decisions:
            at = self.REPERTOIRE.blocks[decision.kind]
            used |= {param.name for param in _options(decision)}
            for param in decision.params:
                cells = _cells(self.name, param, args.get(param.name, self.default(param)))
                values[at : at + len(cells)] = cells
                at += param.cells
        if (memory := self._memory()) and memory.param.name in args:
            values[memory.cell] = self._cell_of_memory(memory, args[memory.param.name], decisions)
            used |= {memory.param.name for decision in decisions if decision.function in memory.short}
        for name in args:
            if name not in used:
                raise InputError(f"strategy {self.name}: {name} has no effect with the decisions chosen")
        return values

    def table(self, args: Mapping[str, Value]) -> tuple[tuple[float, ...], str]:
        """The numbers behind the parameters, and the digest of the file they are from; nothing and '' if there are none."""
        for decision in self.decisions(args):
            if (table := decision.table) is None:
                continue
            name = args.get(table.name, self.default(table))
            if not isinstance(name, str):
                allowed = f"one of {', '.join(table.names())} or the path of a file"
                raise InputError(f"strategy {self.name}: {table.name}={_written(name)} is not allowed; give {allowed}")
            try:
                return table.read(name)
            except InputError as error:
                raise InputError(f"strategy {self.name}: {error}") from None
        return (), ""


def _options(decision: Decision) -> tuple[Param | Table, ...]:
    """All that may be given to a decision."""
    return (*decision.params, decision.table) if decision.table else decision.params


def _cells(strategy: str, param: Param, value: Value) -> list[float]:
    """A parameter as it is stored: one number, or for a list its length and its numbers."""
    if isinstance(value, list) and param.name == "knock":
        raise InputError(f"strategy {strategy}: knock={_written(value)} is not allowed; by own turn it is knock_by_turn")
    numbers = value if isinstance(value, list) else [value]
    allowed = f"a number from {param.low:g} to {param.high:g}"
    if param.many:
        allowed = f"a list of 1 to {param.many} numbers from {param.low:g} to {param.high:g}"
    plain = all(isinstance(x, Real) and not isinstance(x, bool) for x in numbers)
    fits = isinstance(value, list) <= bool(param.many) and 1 <= len(numbers) <= max(param.many, 1)
    if not (plain and fits) or not all(param.low <= x <= param.high for x in numbers):  # type: ignore[operator]
        raise InputError(f"strategy {strategy}: {param.name}={_written(value)} is not allowed; give {allowed}")
    cells = [float(x) for x in numbers]  # type: ignore[arg-type]
    return [float(len(cells)), *cells] if param.many else cells


def _written(value: Value) -> str:
    """A value for a message, as in a spec if it can be written there."""
    try:
        return brief(format_value(value))
    except InputError:  # nan, inf, a number of very many digits
        return shown(value)


# --- in words ----------------------------------------------------------------------------------------------------------

FEW = 3
"""Parameters of a decision up to which `describe` names all; of more it names those that are given or set by hand."""
BY_HAND = 10
"""Parameters that a family sets up to which they are taken as set by hand; more are the work of a tuner."""


def describe(spec: str, repertoire: Repertoire) -> str:
    """What a shipped strategy does, in words: a line for the family and one for each decision with its parameters."""
    parsed = parse_spec(spec)
    family, args = repertoire.families[parsed.name], parsed.args
    family.numbers(args)
    named = {*args, *(dict(family.defaults) if len(family.defaults) <= BY_HAND else ())}
    lines, told = [f"{family.meaning[:1].upper()}{family.meaning[1:]}."], set[str]()
    for decision in family.decisions(args):
        own = [param for param in _options(decision) if param.name not in told]  # decisions may share their parameters
        values = {param: args.get(param.name, family.default(param)) for param in own}
        told |= {param.name for param in own}
        allowed = " (if allowed)" if decision.kind == "knock" else ""
        lines.append(f"{decision.kind.capitalize()}{allowed}: {_in_words(decision, values, named, repertoire)}.")
    if (memory := repertoire.memory) and memory.param.name in args:
        lines.append(f"Memory: {memory.param.name}={format_value(args[memory.param.name])} ({memory.param.meaning}).")
    return "\n".join(lines)


def _in_words(decision: Decision, values: Mapping[Any, Value], named: Collection[str], repertoire: Repertoire) -> str:
    """The meaning of a decision, with its parameters' values: all if they are few, else those named."""
    text = decision.meaning.rstrip(".")
    if like := re.match(r"Like (\w+)", text):
        text = repertoire.decisions[decision.kind, like[1]].meaning.rstrip(".") + text[like.end() :]
    told = []
    for param, value in values.items():
        if f"``{param.name}``" in text:
            text = text.replace(f"``{param.name}``", _number(value) + (" (any)" if value == getattr(param, "high", None) else ""))
        elif len(values) <= FEW or param.name in named:
            told.append(f"{param.name}={_number(value)} ({param.meaning})")
    if hidden := len(values) - len(told) if len(values) > FEW else 0:
        told.append(f"{hidden} {'other ' if told else ''}weights as shipped")
    text = text.removeprefix("Knock ") if text.startswith("Knock with") else text
    return f"{text[:1].lower()}{text[1:]}{'; ' if told else ''}{', '.join(told)}"


def _number(value: Value) -> str:
    """A number or a list of numbers, as short as it goes."""
    if isinstance(value, list):
        return f"[{', '.join(_number(x) for x in value)}]"
    return f"{value:g}" if isinstance(value, float) else format_value(value)
