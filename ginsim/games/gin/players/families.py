"""The strategies that ginsim ships: which decisions each may combine, by name.

To add one, write a ``Family`` here. Its parameters are those of its decisions.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from numbers import Real

from ginsim.errors import InputError, brief, shown, suggest
from ginsim.games import packages
from ginsim.games.gin.players.decisions import BUILT_IN, DISCARD, DRAW, KNOCK, PARAMS_SIZE, Decision, Param
from ginsim.games.gin.players.discards import DISCARDS
from ginsim.games.gin.players.draws import DRAWS
from ginsim.games.gin.players.knocks import KNOCKS
from ginsim.games.gin.players.lookahead import LOOKAHEAD
from ginsim.games.gin.players.presets import PRESETS, Preset
from ginsim.games.gin.rollout.decisions import ROLLOUT
from ginsim.specs import Value, format_value, parse_spec

KINDS = ("draw", "discard", "knock")
BLOCKS = {"draw": DRAW, "discard": DISCARD, "knock": KNOCK}
ROOM = {"draw": DISCARD - DRAW, "discard": KNOCK - DISCARD, "knock": PARAMS_SIZE - KNOCK}
"""Cells of each decision's block of parameters."""
WORDS = {"draw": "draw", "discard": "discard", "knock": "stop"}
"""The word by which a spec names each decision (``knock`` is a parameter)."""
DECISIONS = {
    (decision.kind, decision.name): decision for decision in (*BUILT_IN, *DRAWS, *DISCARDS, *KNOCKS, *LOOKAHEAD, *ROLLOUT)
}


def decision_of(kind: str, name: str) -> Decision | None:
    """The decision of that name, shipped or of an installed package; None if there is none.

    Raises
    ------
    InputError
        If a package brings it but it cannot be used.
    """
    if (kind, name) in DECISIONS:
        return DECISIONS[kind, name]
    found = packages.load(packages.DECISIONS, f"{kind}.{name}")
    if found is None:
        return None
    what = f"{packages.DECISIONS} '{kind}.{name}'"
    if not isinstance(found, Decision) or (found.kind, found.name) != (kind, name):
        raise InputError(f"{what}: {shown(found)} is not the {kind} decision {name}")
    if sum(param.cells for param in found.params) > ROOM[kind]:
        raise InputError(f"{what}: its parameters need more than the {ROOM[kind]} cells of a {kind} decision")
    taken = {param.name for (of, _), decision in DECISIONS.items() if of != kind for param in decision.params}
    for param in found.params:
        if param.name in taken | set(WORDS.values()):
            raise InputError(f"{what}: its parameter {param.name} has the name of another decision's; call it something else")
    return found


@dataclass(frozen=True)
class Family:
    """A named strategy with parameters.

    ``draw``, ``discard`` and ``knock`` name the decisions it may use. Where there is more than one, a spec names one
    (``draw=strict``, ``discard=highest``, ``stop=by_turn``) or just gives parameters: then it is the first that has them.
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
    open: bool = False
    """Whether it may also use decisions of installed packages."""

    def decisions(self, args: Mapping[str, Value]) -> tuple[Decision, Decision, Decision]:
        """The three decisions that ``args`` choose."""
        draw, discard, knock = (self._chosen(kind, args) for kind in KINDS)
        for one, other in ((draw, discard), (discard, knock)):
            if one.needs and other.name not in one.needs:
                needed = " or ".join(f"{WORDS[other.kind]}={name}" for name in one.needs if name in getattr(self, other.kind))
                raise InputError(f"strategy {self.name}: {one.kind}={one.name} needs {needed}, whose parameters it uses")
        return draw, discard, knock

    def _chosen(self, kind: str, args: Mapping[str, Value]) -> Decision:
        """The decision that is named, or the first that has all the parameters given for this kind."""
        allowed = self._allowed(kind, args)
        choice = args.get(WORDS[kind])
        if WORDS[kind] in args and choice not in allowed:
            raise InputError(f"strategy {self.name}: {WORDS[kind]}={_written(choice)} is not one of {', '.join(allowed)}")
        decisions = [self._decision(kind, name) for name in allowed if choice in (None, name)]
        reads = [{param.name for param in decision.params} for decision in decisions]
        given = [name for name in args if any(name in names for names in reads)]
        for decision, names in zip(decisions, reads, strict=True):
            if choice or names.issuperset(given):
                return decision
        raise InputError(f"strategy {self.name}: give one of {' and '.join(given)}, not both")

    def _allowed(self, kind: str, args: Mapping[str, Value]) -> tuple[str, ...]:
        """Names of the decisions that may be chosen, with the one that ``args`` name if a package brings it."""
        allowed: tuple[str, ...] = getattr(self, kind)
        choice = args.get(WORDS[kind])
        more = self.open and isinstance(choice, str) and choice not in allowed and decision_of(kind, choice)
        return (*allowed, str(choice)) if more else allowed

    def _decision(self, kind: str, name: str) -> Decision:
        decision = decision_of(kind, name)
        if decision is None:
            raise InputError(f"strategy {self.name}: there is no {kind} decision {name!r}")
        return decision

    def default(self, param: Param) -> Value:
        """What a parameter is unless it is given."""
        value = (dict(self.fixed) | dict(self.defaults)).get(param.name, param.default)
        return list(value) if isinstance(value, tuple) else value

    def options(self, args: Mapping[str, Value] | None = None) -> dict[str, tuple[Param | None, tuple[str, ...]]]:
        """All that may be given (beside ``args``): name -> (parameter, ()) or (None, names of decisions)."""
        found: dict[str, tuple[Param | None, tuple[str, ...]]] = {}
        for kind, word in WORDS.items():
            if len(getattr(self, kind)) > 1:
                found[word] = (None, getattr(self, kind))
        for kind in KINDS:
            for name in self._allowed(kind, args or {}):
                for param in self._decision(kind, name).params:
                    if param.name not in dict(self.fixed):
                        found[param.name] = (param, ())
        return found

    def numbers(self, args: Mapping[str, Value]) -> list[float]:
        """The parameter array for ``args``: each decision's block filled in the order of its parameters."""
        options = self.options(args)
        for name in args:
            if name not in options:
                known = suggest(name, options) if options else "it has none"
                raise InputError(f"strategy {self.name} has no parameter {shown(name)}; {known}")
        values = [0.0] * PARAMS_SIZE
        used = set(WORDS.values())
        for kind, decision in zip(KINDS, self.decisions(args), strict=True):
            at = BLOCKS[kind]
            for param in decision.params:
                used.add(param.name)
                value = args.get(param.name, self.default(param))
                cells = _cells(self.name, param, value)
                values[at : at + len(cells)] = cells
                at += param.cells
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
    numbers = tuple((name, value) for name, value in args.items() if name not in WORDS.values())
    return Family(preset.name, preset.meaning, (draw.name,), (discard.name,), (knock.name,), defaults=numbers)  # type: ignore[arg-type]


BUILDING = (
    ("take_at", 2.0), ("no_meld", 20.0), ("slack", 10.0), ("points", 4.0), ("pair", 5.0), ("connector", 2.0), ("inside", 1.0),
    ("keep_turn", -1.0),
)  # fmt: skip
"""Weights, set by hand, of a player that takes the upcard only for a meld and keeps what can become one, less so with time."""

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
        Family(
            "rollout",
            "looks ahead, and where that sees little between choices plays each to the end of the hand many times",
            ("rollout", "lookahead", "strict", "meld", "never"),
            ("rollout",),
            ("window",),
            defaults=(("window_from", (5.0, 6.0, 8.0, 10.0, 101.0)),),
        ),
        Family(
            "custom",
            "any decisions together; without parameters the plain player: strict draws, the dearest of the best discards, knocks "
            "at 10",
            ("strict", "meld", "never", "weighed", "lookahead", "rollout", "random"),
            ("highest", "random_best", "new_pair", "weighed", "lookahead", "rollout", "random"),
            ("threshold", "by_turn", "weighed", "early", "window", "random"),
            open=True,
        ),
        Family(
            "aggressive",
            "keeps what can become a meld, heedless of what it gives away, and knocks unless an undercut is likelier than 1 in 4",
            ("weighed",),
            ("weighed",),
            ("weighed",),
            defaults=(*BUILDING, ("undercut_risk", 0.25)),
        ),
        Family(
            "defensive",
            "holds back what the opponent may use, and knocks only if an undercut is less likely than 1 in 20",
            ("weighed",),
            ("weighed",),
            ("weighed",),
            defaults=(*BUILDING, ("safety", 5.0), ("undercut_risk", 0.05)),
        ),
    )
}

FAMILIES = BASIC | {preset.name: _of_preset(preset) for preset in PRESETS}
"""All strategies by name: the families, and the presets tuned from them."""


FEW = 3
"""Parameters of a decision up to which `describe` names all; of more it names those that are given or set by hand."""
BY_HAND = 10
"""Parameters that a family sets up to which they are taken as set by hand; more are the work of a tuner."""


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
    named = {*args, *(dict(family.defaults) if len(family.defaults) <= BY_HAND else ())}
    lines = [f"{family.meaning[:1].upper()}{family.meaning[1:]}."]
    for kind, decision in zip(KINDS, family.decisions(args), strict=True):
        values = {param: args.get(param.name, family.default(param)) for param in decision.params}
        allowed = " (if allowed)" if kind == "knock" else ""
        lines.append(f"{kind.capitalize()}{allowed}: {_in_words(kind, decision, values, named)}.")
    return "\n".join(lines)


def _in_words(kind: str, decision: Decision, values: Mapping[Param, Value], named: Collection[str]) -> str:
    """The meaning of a decision, with its parameters' values: all if they are few, else those named."""
    text = decision.meaning.rstrip(".")
    if like := re.match(r"Like (\w+)", text):
        text = DECISIONS[kind, like[1]].meaning.rstrip(".") + text[like.end() :]
    shown = []
    for param, value in values.items():
        if f"``{param.name}``" in text:
            text = text.replace(f"``{param.name}``", _number(value) + (" (any)" if value == param.high else ""))
        elif len(values) <= FEW or param.name in named:
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
