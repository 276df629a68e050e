"""What a field of a file may hold, in plain words: Pydantic's own speak of inputs, instances and dictionaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

__all__ = ["allowed"]

_WANTED = {
    "string_type": "text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "finite_number": "a finite number",
    **dict.fromkeys(("dict_type", "model_type", "model_attributes_type"), "a table"),
    **dict.fromkeys(("int_type", "int_from_float", "int_parsing"), "a whole number"),
}
_BOUNDS = {"ge": "of at least", "gt": "above", "le": "up to", "lt": "below"}


def allowed(problem: Mapping[str, Any], model: type[BaseModel] | None = None) -> str:
    """What may stand where Pydantic found ``problem``, such as "give a whole number from 1 to 9"."""
    field = _field(model, problem["loc"]) if model else None
    kind, context = problem["type"], problem.get("ctx", {})
    if kind == "literal_error":
        return f"give {context['expected']}"
    if kind == "float_type" or set(context) & set(_BOUNDS):
        return f"give {'a whole number' if _is_whole(field, context) else 'a number'}{_range(field, context)}"
    if kind not in _WANTED:
        return str(problem["msg"][0].lower() + problem["msg"][1:])
    return f"give {_WANTED[kind]}{_range(field, context) if kind.startswith('int') else ''}"


def _is_whole(field: FieldInfo | None, context: Mapping[str, Any]) -> bool:
    kinds = (field.annotation, *get_args(field.annotation)) if field else map(type, context.values())
    return int in kinds


def _range(field: FieldInfo | None, context: Mapping[str, Any]) -> str:
    """The bounds of a number, if it has any."""
    own = {name: getattr(item, name) for item in (field.metadata if field else ()) for name in _BOUNDS if hasattr(item, name)}
    bounds = own or {name: context[name] for name in _BOUNDS if name in context}
    texts = {name: f"{Decimal(str(value)):f}".removesuffix(".0") for name, value in bounds.items()}
    if texts.keys() == {"ge", "le"}:
        return f" from {texts['ge']} to {texts['le']}"
    found = " and ".join(f"{word} {texts[name]}" for name, word in _BOUNDS.items() if name in texts)
    return f" {found}" if found else ""


def _field(model: type[BaseModel], loc: Sequence[str | int]) -> FieldInfo | None:
    """The field that a place in a file is of; None for an item of a list and the like."""
    if not loc or not isinstance(loc[0], str) or loc[0] not in model.model_fields:
        return None
    field = model.model_fields[loc[0]]
    if len(loc) == 1:
        return field
    inner = next(filter(_is_model, _parts(field.annotation)), None)
    rest = loc[2:] if isinstance(loc[1], int) else loc[1:]
    return _field(inner, rest) if inner else None


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _parts(annotation: Any) -> list[Any]:
    """An annotation and all within it."""
    return [annotation, *(part for inner in get_args(annotation) for part in _parts(inner))]
