"""The strategies that ginsim ships: which decisions each may combine, by name.

To add one, write a ``Family`` here. The parameters of a family are those of its decisions (``ginsim.strategies.decisions``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from ginsim.errors import InputError, brief, shown, suggest
from ginsim.specs import Value, format_value, parse_spec
from ginsim.strategies.decisions import BUILT_IN, DISCARD, DRAW, KNOCK, PARAMS_SIZE, Decision, Param
from ginsim.strategies.lookahead import LOOKAHEAD
from ginsim.strategies.presets import PRESETS, Preset

KINDS = ("draw", "discard", "knock")
BLOCKS = {"draw": DRAW, "discard": DISCARD, "knock": KNOCK}
DECISIONS = {(decision.kind, decision.name): decision for decision in (*BUILT_IN, *LOOKAHEAD)}


@dataclass(frozen=True)
class Family:
    """A named strategy with parameters.

    ``draw``, ``discard`` and ``knock`` name the decisions it may use, the first being the default. Where there is more
    than one, draw and discard are chosen by name (``draw=strict``), the knock decision by the parameter that is given.
    """

    name: str
    meaning: str
    draw: tuple[str, ...]
    discard: tuple[str, ...]
    knock: tuple[str, ...]
    fixed: tuple[tuple[str, float], ...] = ()
    """Parameters that belong to the family's definition and cannot be changed."""
    defaults: tuple[tuple[str, float | tuple[float, ...]], ...] = ()
    """Parameters whose default differs from the decision's: what makes a preset."""

    def decisions(self, args: Mapping[str, Value]) -> tuple[Decision, Decision, Decision]:
        """The three decisions that ``args`` choose."""
        draw, discard = (self._chosen(kind, args) for kind in ("draw", "discard"))
        if draw.needs and draw.needs != (discard.kind, discard.name):
            raise InputError(f"strategy {self.name}: draw={draw.name} needs {'='.join(draw.needs)}, whose weights it uses")
        knocks = [DECISIONS["knock", name] for name in self.knock]
        reads = {decision: {param.name for param in decision.params} for decision in knocks}
        given = [name for name in args if any(name in names for names in reads.values())]
        for decision, names in reads.items():
            if names.issuperset(given):
                return draw, discard, decision
        raise InputError(f"strategy {self.name}: give one of {' and '.join(given)}, not both")

    def _chosen(self, kind: str, args: Mapping[str, Value]) -> Decision:
        allowed: tuple[str, ...] = getattr(self, kind)
        choice = args.get(kind, allowed[0])
        if choice not in allowed:
            raise InputError(f"strategy {self.name}: {kind}={_written(choice)} is not one of {', '.join(allowed)}")
        return DECISIONS[kind, str(choice)]

    def default(self, param: Param) -> Value:
        """What a parameter is unless it is given."""
        value = (dict(self.fixed) | dict(self.defaults)).get(param.name, param.default)
        return list(value) if isinstance(value, tuple) else value

    def options(self) -> dict[str, tuple[Param | None, tuple[str, ...]]]:
        """All that may be given: name -> (parameter, ()) or (None, names of decisions)."""
        found: dict[str, tuple[Param | None, tuple[str, ...]]] = {}
        for kind in ("draw", "discard"):
            if len(getattr(self, kind)) > 1:
                found[kind] = (None, getattr(self, kind))
        for kind in KINDS:
            for name in getattr(self, kind):
                for param in DECISIONS[kind, name].params:
                    if param.name not in dict(self.fixed):
                        found[param.name] = (param, ())
        return found

    def numbers(self, args: Mapping[str, Value]) -> list[float]:
        """The parameter array for ``args``: each decision's block filled in the order of its parameters."""
        options = self.options()
        for name in args:
            if name not in options:
                known = suggest(name, options) if options else "it has none"
                raise InputError(f"strategy {self.name} has no parameter {shown(name)}; {known}")
        values = [0.0] * PARAMS_SIZE
        used = {"draw", "discard"}
        for kind, decision in zip(KINDS, self.decisions(args), strict=True):
            at = BLOCKS[kind]
            for param in decision.params:
                used.add(param.name)
                value = args.get(param.name, self.default(param))
                cells = _cells(self.name, param, value)
                values[at : at + len(cells)] = cells
                at += 1 + param.many
        for name in args:
            if name not in used:
                raise InputError(f"strategy {self.name}: {name} has no effect with the decisions chosen")
        return values


def _cells(strategy: str, param: Param, value: Value) -> list[float]:
    """A parameter as it is stored: one number, or for a list its length and its numbers."""
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


def _of_preset(preset: Preset) -> Family:
    """The family of a preset: the decisions its spec chooses, its parameters as defaults."""
    spec = parse_spec(preset.spec)
    args = {name: tuple(value) if isinstance(value, list) else value for name, value in spec.args.items()}
    draw, discard, knock = BASIC[spec.name].decisions(spec.args)
    numbers = tuple((name, value) for name, value in args.items() if name not in KINDS)
    return Family(preset.name, preset.meaning, (draw.name,), (discard.name,), (knock.name,), defaults=numbers)  # type: ignore[arg-type]


BASIC = {
    family.name: family
    for family in (
        Family("random", "legal moves at random", ("random",), ("random",), ("random",)),
        Family(
            "simple",
            "the Simple player of the EAAI challenge: takes the upcard only for a meld, discards at random among the best, "
            "never repeats a draw and discard, knocks as soon as it may",
            ("meld",),
            ("new_pair",),
            ("threshold",),
            fixed=(("knock", 100.0),),
        ),
        Family(
            "threshold",
            "least deadwood by hand, knocking at a threshold that may depend on the turn",
            ("meld", "strict", "never"),
            ("highest", "random_best"),
            ("threshold", "by_turn"),
        ),
        Family(
            "gin_only",
            "never knocks before gin; takes the upcard only for a meld, discards at random among the best",
            ("meld", "strict"),
            ("random_best", "highest"),
            ("threshold",),
            fixed=(("knock", 0.0),),
        ),
        Family(
            "early_then_gin",
            "knocks as soon as it may in its first three turns, then plays for gin",
            ("meld", "strict"),
            ("random_best", "highest"),
            ("by_turn",),
            defaults=(("knock_by_turn", (10.0, 10.0, 10.0, 0.0)),),
        ),
        Family(
            "lookahead",
            "weighs what a hand is worth after the next draw against what the discard gives away",
            ("lookahead", "strict", "meld", "never"),
            ("lookahead",),
            ("early", "window", "threshold", "by_turn"),
            defaults=(("knock_from", (5.0, 6.0, 8.0, 10.0)),),
        ),
    )
}

FAMILIES = BASIC | {preset.name: _of_preset(preset) for preset in PRESETS}
"""All strategies by name: the families, and the presets tuned from them."""


FEW = 3
"""Parameters of a decision up to which `describe` names all; of more it names those that are given."""


def describe(spec: str) -> str:
    """What a shipped strategy does, in words: a line for the family and one for each decision with its parameters.

    Examples
    --------
    >>> print(describe("threshold(knock=4)"))
    Least deadwood by hand, knocking at a threshold that may depend on the turn.
    Draw: take the upcard if it lies in a meld with cards in hand.
    Discard: among the discards that leave the least deadwood the dearest, of equals the last in the order S H D C, A … K.
    Knock (if allowed): with deadwood of at most 4.
    """
    parsed = parse_spec(spec)
    family, args = FAMILIES[parsed.name], parsed.args
    family.numbers(args)
    lines = [f"{family.meaning[:1].upper()}{family.meaning[1:]}."]
    for kind, decision in zip(KINDS, family.decisions(args), strict=True):
        values = {param: args.get(param.name, family.default(param)) for param in decision.params}
        allowed = " (if allowed)" if kind == "knock" else ""
        lines.append(f"{kind.capitalize()}{allowed}: {_in_words(kind, decision, values, args)}.")
    return "\n".join(lines)


def _in_words(kind: str, decision: Decision, values: Mapping[Param, Value], args: Mapping[str, Value]) -> str:
    """The meaning of a decision, with its parameters' values."""
    text = decision.meaning.rstrip(".")
    if like := re.match(r"Like (\w+)", text):
        text = DECISIONS[kind, like[1]].meaning.rstrip(".") + text[like.end() :]
    shown = []
    for param, value in values.items():
        if f"``{param.name}``" in text:
            text = text.replace(f"``{param.name}``", _number(value) + (" (any)" if value == param.high else ""))
        elif len(values) <= FEW or param.name in args:
            shown.append(f"{param.name}={_number(value)} ({param.meaning})")
    if hidden := len(values) - len(shown) if len(values) > FEW else 0:
        shown.append(f"{hidden} {'other ' if shown else ''}weights as shipped")
    text = text.removeprefix("Knock ") if text.startswith("Knock with") else text
    return f"{text[:1].lower()}{text[1:]}{'; ' if shown else ''}{', '.join(shown)}"


def _number(value: Value) -> str:
    """A number or a list of numbers, as short as it goes."""
    if isinstance(value, list):
        return f"[{', '.join(_number(x) for x in value)}]"
    return f"{value:g}" if isinstance(value, float) else format_value(value)
