"""The one notation for things with parameters: ``name(param=value, ...)``.

Rules (``classic25(knock_limit=5)``) and strategies (``simple(knock_at=3)``, ``my/file.py:careful``)
are written alike on the command line, in experiment files and in result tables. Values are numbers,
true, false, none, words (bare or quoted) and flat lists of these.
"""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from numbers import Integral
from typing import NoReturn

from ginsim.errors import InputError, brief, shown

Scalar = int | float | bool | str | None
Value = Scalar | list[Scalar]

_TOKEN = re.compile(
    r"""\s*(?: (?P<mark>[()\[\],=])
             | (?P<quoted>"(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*')
             | (?P<bare>[^\s()\[\],='"]+) )""",
    re.VERBOSE | re.DOTALL,
)
_SPACE = re.compile(r"\s*")
_INT = re.compile(r"[+-]?[0-9]{1,400}")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_][\w-]*")
_PATH = re.compile(r".+\.py:[A-Za-z_]\w*", re.DOTALL)
_CONSTANTS: dict[str, Scalar] = {"true": True, "True": True, "false": False, "False": False}
_CONSTANTS |= {"none": None, "None": None}
_VALUE_HINT = "a value (number, true, false, none, word or [list])"


@dataclass(frozen=True)
class Spec:
    """A parsed ``name(param=value, ...)``; ``str`` prints it again."""

    name: str
    args: dict[str, Value] = field(default_factory=dict)

    def __str__(self) -> str:
        return format_spec(self.name, self.args)


def parse_spec(text: str) -> Spec:
    """Read one spec.

    Parameters
    ----------
    text : str
        ``name``, ``name()`` or ``name(param=value, ...)``; the name may be ``path/to/file.py:name``.

    Returns
    -------
    Spec

    Raises
    ------
    InputError
        With the text, the column and what was expected there.

    Examples
    --------
    >>> parse_spec("classic25(knock_limit=5, oklahoma=true)")
    Spec(name='classic25', args={'knock_limit': 5, 'oklahoma': True})
    """
    reader = _Reader(text)
    spec = reader.spec()
    if reader.kind != "end":
        reader.fail("the end")
    return spec


def split_specs(text: str) -> list[str]:
    """Split a comma-separated list of specs, leaving the commas inside brackets alone.

    Examples
    --------
    >>> split_specs("simple, meld(knock_at=[1, 2]), random()")
    ['simple', 'meld(knock_at=[1, 2])', 'random()']
    """
    reader = _Reader(text)
    parts = []
    while True:
        start = reader.column
        reader.spec()
        parts.append(text[start : reader.previous_end])
        if reader.kind == "end":
            return parts
        reader.expect(",", "',' or the end")


def own_file(strategy: str) -> str:
    """The file that a user's strategy ``path/to/file.py:name`` comes from; empty for others."""
    try:
        file, _, name = parse_spec(strategy).name.rpartition(".py:")
    except InputError:
        return ""
    return f"{file}.py" if file and name else ""


def format_spec(name: str, args: Mapping[str, Value] | None = None) -> str:
    """Write a spec; `parse_spec` gives back the same name and arguments.

    Examples
    --------
    >>> format_spec("classic25", {"knock_limit": 5, "tie": "push", "wrap": True})
    'classic25(knock_limit=5, tie=push, wrap=true)'
    """
    if not (_WORD.fullmatch(name) or _PATH.fullmatch(name)):
        raise InputError(f"{shown(name)} cannot be the name of a spec: use a word or path/to/file.py:name")
    for key in args or {}:
        if not key.isidentifier():
            raise InputError(f"{shown(key)} cannot be the name of a parameter")
    given = ", ".join(f"{key}={format_value(value)}" for key, value in (args or {}).items())
    return (name if _is_bare(name) else _quote(name)) + (f"({given})" if given else "")


def format_value(value: Value) -> str:
    """Write one value of a spec.

    Examples
    --------
    >>> [format_value(v) for v in (True, None, 0.5, "meld", "two words", [1, 2])]
    ['true', 'none', '0.5', 'meld', '"two words"', '[1, 2]']
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        if any(isinstance(item, list | tuple) for item in value):
            raise InputError(f"{shown(value)} cannot be written in a spec: a list holds no lists")
        return f"[{', '.join(format_value(item) for item in value)}]"
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) and value not in _CONSTANTS else _quote(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(float(value))
    if isinstance(value, Integral) and abs(int(value)) < 10**400 and _INT.fullmatch(text := str(int(value))):
        return text  # NumPy's integers too
    raise InputError(
        f"{shown(value)} cannot be written in a spec: use a finite number, true, false, none, text or a list"
    )


def _is_bare(name: str) -> bool:
    token = _TOKEN.fullmatch(name)
    return token is not None and token["bare"] == name


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Reader:
    """A cursor on the tokens of a text: ``kind`` is a mark, 'quoted', 'bare' or 'end'."""

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise InputError(f"a spec is text such as name(param=value), not {shown(text)}")
        self.text = text
        self.end = self.start = 0
        self.advance()

    def advance(self) -> None:
        self.previous_end = self.end
        self.column = _SPACE.match(self.text, self.end).end()  # type: ignore[union-attr]
        found = _TOKEN.match(self.text, self.end)
        if self.column == len(self.text):
            self.kind, self.token, self.end = "end", "", self.column
        elif found is None:  # only a quote without its partner matches nothing
            self.token = self.text[self.column :]
            self.fail("a closing quote")
        else:
            self.token = found[found.lastgroup or 0]
            self.kind = self.token if found.lastgroup == "mark" else str(found.lastgroup)
            self.end = found.end()

    def fail(self, expected: str) -> NoReturn:
        found = f"found {shown(self.token)}" if self.token else "the text ends"
        raise InputError(f"in {shown(self.text)}, column {self.column + 1}: {found}, expected {expected}{self.path_hint()}")

    def path_hint(self) -> str:
        """How to quote a path that cannot stand bare, if that is what was written."""
        path = re.match(r"[^'\",=]+\.py:\w+", self.text[self.start :])
        if path is None or _is_bare(path[0]):
            return ""
        quoted = _quote(path[0])
        return f"; a path with spaces or brackets needs quotes: {quoted}, or in a shell {shlex.quote(quoted)}"

    def expect(self, kind: str, expected: str) -> None:
        if self.kind != kind:
            self.fail(expected)
        self.advance()

    def spec(self) -> Spec:
        self.start = self.column
        name = self.name()
        args: dict[str, Value] = {}
        if self.kind not in ("(", ",", "end"):
            given = f"; parameters go in brackets: ({brief(self.text.strip())})" if self.kind == "=" else ""
            self.fail(f"'(' or the end{given}")
        if self.kind != "(":
            return Spec(name, args)
        self.advance()
        if self.kind != ")":
            self.parameter(args, "the name of a parameter or ')'")
            while self.kind == ",":
                self.advance()
                self.parameter(args, "the name of a parameter")
        self.expect(")", "',' or ')'")
        return Spec(name, args)

    def name(self) -> str:
        name = _unquote(self.token) if self.kind == "quoted" else self.token
        if self.kind not in ("bare", "quoted") or not (_WORD.fullmatch(name) or _PATH.fullmatch(name)):
            self.fail("a name or path/to/file.py:name")
        self.advance()
        return name

    def parameter(self, args: dict[str, Value], hint: str) -> None:
        key = self.token
        if self.kind != "bare" or not key.isidentifier():
            self.fail(hint)
        if key in args:
            self.fail(f"another parameter ({brief(key)} is given twice)")
        self.advance()
        self.expect("=", f"'=' after {brief(key)}")
        args[key] = self.items() if self.kind == "[" else self.scalar(_VALUE_HINT)

    def items(self) -> list[Scalar]:
        hint = "a number, true, false, none or word (a list holds no lists)"
        found: list[Scalar] = []
        self.advance()
        if self.kind != "]":
            found.append(self.scalar(hint))
            while self.kind == ",":
                self.advance()
                found.append(self.scalar(hint))
        self.expect("]", "',' or ']'")
        return found

    def scalar(self, hint: str) -> Scalar:
        token = self.token
        value: Scalar
        if self.kind == "quoted":
            value = _unquote(token)
        elif self.kind != "bare":
            self.fail(hint)
        elif token in _CONSTANTS:
            value = _CONSTANTS[token]
        elif _INT.fullmatch(token):
            value = int(token)
        elif _FLOAT.fullmatch(token) and math.isfinite(float(token)):
            value = float(token)
        elif _WORD.fullmatch(token):
            value = token
        else:
            self.fail(f"{hint}; put other text in quotes")
        self.advance()
        return value


def _unquote(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)
