"""What the rules of all games have in common: one frozen value with presets, a text form and an array for the kernels."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from functools import cache
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from ginsim import layout as D
from ginsim.errors import InputError, shown, suggest
from ginsim.specs import parse_spec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class RulesModel(BaseModel):
    """What the rules of both games have in common: frozen values with presets, a text form and an array for the kernels."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    GAME: ClassVar[str]
    """Name of the game that these are rules of."""
    TITLE: ClassVar[str]
    """The same in words."""
    CHANGE: ClassVar[str]
    """A change of one field, for messages."""
    WHERE: ClassVar[str] = ""
    """Which presets these are, for messages."""

    @field_validator("*", mode="before")
    @classmethod
    def _numpy_integers_are_integers(cls, value: Any) -> Any:
        return int(value) if isinstance(value, Integral) and not isinstance(value, bool) else value

    @field_validator("ace_value", mode="before", check_fields=False)
    @classmethod
    def _equal_is_not_enough(cls, value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, Integral):  # True == 1 and 15.0 == 15 would satisfy Literal
            raise ValueError  # noqa: TRY004 - what pydantic expects
        return value

    def __init__(self, /, *unnamed: Any, **fields: Any) -> None:
        name = type(self).__name__
        if unnamed:
            raise InputError(f"rules: {shown(unnamed[0])} has no name; give fields by name, such as {name}({self.CHANGE})")
        self._fill(fields)
        self._check_effect(fields)

    def _fill(self, fields: dict[str, Any]) -> None:
        try:
            super().__init__(**fields)
        except ValidationError as error:
            raise InputError(complaints(error, type(self))) from None
        self._check_together()

    @classmethod
    def of_fields(cls, fields: Mapping[str, Any]) -> Self:
        """Give rules that were kept field by field (`model_dump`)."""
        rules = cls._of(dict(fields))
        rules._check_effect(())
        return rules

    @classmethod
    def _of(cls, fields: dict[str, Any]) -> Self:
        """Give the rules with these fields, whether each has an effect or not."""
        rules = cls.__new__(cls)
        rules._fill(fields)
        return rules

    def _check_effect(self, given: Container[str]) -> None:
        """Refuse fields that change nothing beside another, if they were given or no preset has them so."""
        idle = self._without_effect()
        wrong = [field for field in idle if field in given]
        if not wrong and not self._at_rest(idle):
            fields = type(self).model_fields
            wrong = [field for field in idle if getattr(self, field) != fields[field].default]
        if wrong:
            values = {field: str(getattr(self, field)) for field in wrong}
            values = {field: text.lower() if text in ("True", "False", "None") else text for field, text in values.items()}
            raise InputError("\n".join(f"{field}={values[field]} has no effect with {idle[field]}" for field in wrong))

    def _at_rest(self, idle: Iterable[str]) -> bool:
        """Whether fields are as they are by default, or in one of the presets."""
        values, fields = {field: getattr(self, field) for field in idle}, type(self).model_fields
        if all(value == fields[field].default for field, value in values.items()):
            return True
        presets = (preset.rules for preset in self.presets().values())
        return any(all(getattr(rules, field) == value for field, value in values.items()) for rules in presets)

    def _without_effect(self) -> dict[str, str]:
        """Say of the fields that change nothing beside another which one that is, and why."""
        raise NotImplementedError

    def _check_together(self) -> None:
        """Refuse fields that are fine alone and make no game together."""
        raise NotImplementedError

    @classmethod
    def presets(cls) -> Mapping[str, Any]:
        """Presets by name, each with its ``rules``; the first is the one that messages name."""
        raise NotImplementedError

    def _numbers(self) -> dict[int, int]:
        """Give the number of each slot of the kernel's array."""
        raise NotImplementedError

    @classmethod
    def parse(cls, spec: str | Self) -> Self:
        """Read rules from a spec, a preset with or without changes; rules pass through.

        Raises
        ------
        InputError
            If the spec cannot be read, or names an unknown preset, field or value.
        """
        if isinstance(spec, cls):
            return spec
        if not isinstance(spec, str):
            example = f"{next(iter(cls.presets()))}({cls.CHANGE})"
            raise InputError(f"rules: {shown(spec)} is neither a spec such as {example!r} nor {cls.__name__}")
        parsed = parse_spec(spec)
        return cls.preset(parsed.name, **parsed.args)

    @classmethod
    def preset(cls, name: Any, /, **changes: Any) -> Self:
        """Give the rules of a preset with some fields changed."""
        presets = cls.presets()
        if isinstance(name, str) and name in cls.model_fields and name not in presets:
            given = f"({name}={'true' if cls.model_fields[name].annotation is bool else '…'})"
            first = f"{next(iter(presets))}{given}"
            raise InputError(f"rules: {name} is a field, not a preset; write {first}, or {given} to change other rules")
        if not isinstance(name, str) or name not in presets:
            for other in RulesModel.__subclasses__():
                if isinstance(name, str) and name in other.presets():
                    known = ", ".join(presets)
                    raise InputError(f"rules: {name} is {other.TITLE}, but this is for {cls.TITLE}: {known}")
            raise InputError(f"rules: there is no {shown(name)}{cls.WHERE}; {suggest(name, presets)}")
        rules: Self = presets[name].rules
        if changes:
            own = [field for field, info in cls.model_fields.items() if getattr(rules, field) != info.default]
            rules = cls._of(rules.model_dump() | changes)
            idle = rules._without_effect()
            lost = own if own and all(field in idle for field in own) else []
            rules._check_effect([*changes, *lost])  # nor may all that makes the preset lose its effect
        return rules

    def replace(self, /, **changes: Any) -> Self:
        """Change fields; the result is checked like any other rules.

        Fields that were not changed and lose their effect beside the new ones go back to their defaults.
        """
        if not changes:
            return self
        rules = self._changed(changes, changes)
        rules._check_effect(changes)
        return rules

    def varied(self, /, **changes: Any) -> Self:
        """As `replace`, for one of many combinations: a change that has no effect in this one is left out."""
        return self._changed(changes, ()) if changes else self

    def _changed(self, changes: dict[str, Any], kept: Container[str]) -> Self:
        """Change fields; others that lose their effect by that go back to their defaults, except for those to be ``kept``."""
        rules, before, fields = self._of(self.model_dump() | changes), self._without_effect(), type(self).model_fields
        lost = [field for field in rules._without_effect() if field not in kept and (field not in before or field in changes)]
        return self._of(rules.model_dump() | {field: fields[field].default for field in lost}) if lost else rules

    def array(self) -> npt.NDArray[np.int64]:
        """Give the rules as the jitted code reads them (int64), laid out as in `ginsim.layout`."""
        import numpy as np

        array = np.zeros(D.SIZE, dtype=np.int64)
        for position, number in self._numbers().items():
            array[position] = number
        return array

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"


def allowed(field: str, model: type[BaseModel]) -> str:
    """Say in words what a field of a model of rules may be.

    Examples
    --------
    >>> from ginsim.games.gin.rules import Rules
    >>> allowed("knock_limit", Rules)
    'a whole number from 0 to 100'
    """
    schema = _schema(model)[field]
    choices = []
    for kind in schema.get("anyOf", [schema]):
        if "enum" in kind:
            choices.append("one of " + ", ".join(str(value) for value in kind["enum"]))
        elif kind["type"] == "integer":
            choices.append(f"a whole number from {kind['minimum']} to {kind['maximum']}")
        else:
            choices.append({"boolean": "true or false", "null": "none"}[kind["type"]])
    return " or ".join(choices)


@cache
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    properties: dict[str, Any] = model.model_json_schema()["properties"]
    return properties


def complaints(error: ValidationError, model: type[BaseModel]) -> str:
    """Say, a line for each field that ``error`` is about, what is wrong with it and what is allowed."""
    return "\n".join(_complaint(e["loc"][0], e["input"], model) for e in error.errors())


def _complaint(field: int | str, value: object, model: type[BaseModel]) -> str:
    name = str(field)
    if name in model.model_fields:
        return f"{name}={shown(value)} is not possible: it must be {allowed(name, model)}"
    hint = suggest(name, model.model_fields)
    return f"rules: there is no field {shown(name)}; {hint}"


def deck_numbers(wrap: bool, ace_value: int, ranks: int = 13, suits: int = 4) -> dict[int, int]:
    """Give the slots of the kernel's array that describe the deck and what a meld is."""
    deck = {
        1 << (16 * suit + rank): ace_value if rank == 0 else min(rank + 1, 10)
        for suit in range(suits)
        for rank in range(ranks)
    }
    bits = [sum(card for card, points in deck.items() if points >> k & 1) for k in range(4)]
    return {
        D.WRAP_LOW: sum(0b11 << (16 * suit) for suit in range(suits)) if wrap else 0,
        D.RANKS: ranks,
        D.B0: bits[0],
        D.B1: bits[1],
        D.B2: bits[2],
        D.B3: bits[3],
        D.FULL: sum(deck),
        D.SUITS: suits,
    }
