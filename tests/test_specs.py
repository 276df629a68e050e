"""The notation name(param=value, ...): reading, printing, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ginsim.errors import InputError, brief, shown, suggest
from ginsim.specs import Spec, format_spec, format_value, parse_spec, split_specs


@pytest.mark.parametrize(
    ("text", "name", "args"),
    [
        ("simple", "simple", {}),
        ("simple()", "simple", {}),
        ("  simple ( ) ", "simple", {}),
        ("simple-2", "simple-2", {}),
        ("classic25(knock_limit=5)", "classic25", {"knock_limit": 5}),
        ("s(a=-1, b=+2, c=007)", "s", {"a": -1, "b": 2, "c": 7}),
        (
            "s(a=0.5,b=-1.5e-3,c=.5,d=2.,e=1e3)",
            "s",
            {"a": 0.5, "b": -0.0015, "c": 0.5, "d": 2.0, "e": 1000.0},
        ),
        ("s(a=true, b=False, c=True, d=false)", "s", {"a": True, "b": False, "c": True, "d": False}),
        ("s(a=none, b=None)", "s", {"a": None, "b": None}),
        ("s(draw=meld, stock_end=dead_at_2)", "s", {"draw": "meld", "stock_end": "dead_at_2"}),
        ("""s(a="two words", b='it"s', c="")""", "s", {"a": "two words", "b": 'it"s', "c": ""}),
        (r"""s(a="a\"b\\c", b='\'')""", "s", {"a": 'a"b\\c', "b": "'"}),
        ("s(a='true', b='5')", "s", {"a": "true", "b": "5"}),
        (
            "s(a=[1, 2, 3], b=[], c=[x, 'y z', 0.5, none])",
            "s",
            {"a": [1, 2, 3], "b": [], "c": ["x", "y z", 0.5, None]},
        ),
        ("path/to/file.py:careful", "path/to/file.py:careful", {}),
        ("../a-b.py:careful(x=1)", "../a-b.py:careful", {"x": 1}),
        (r"C:\games\mine.py:careful", r"C:\games\mine.py:careful", {}),
        ("'my dir/f (1).py:careful'(x=1)", "my dir/f (1).py:careful", {"x": 1}),
    ],
)
def test_reads(text, name, args):
    spec = parse_spec(text)
    assert spec == Spec(name, args)
    assert [type(v) for v in spec.args.values()] == [type(v) for v in args.values()]
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a name"),
        ("   ", 4, "a name"),
        ("(a=1)", 1, "a name"),
        ("5", 1, "a name"),
        ("no/such.txt:f", 1, "a name"),
        ("file.py:", 1, "a name"),
        ("'unquoted words'", 1, "a name"),
        ("s(", 3, "the name of a parameter or ')'"),
        ("s(a", 4, "'=' after a"),
        ("s(a=", 5, "a value"),
        ("s(a=1", 6, "',' or ')'"),
        ("s(a=1,)", 7, "the name of a parameter"),
        ("s(,a=1)", 3, "the name of a parameter"),
        ("s(1)", 3, "the name of a parameter"),
        ("s('a'=1)", 3, "the name of a parameter"),
        ("s(a-b=1)", 3, "the name of a parameter"),
        ("s(a:1)", 3, "the name of a parameter"),
        ("s(a==1)", 5, "a value"),
        ("s(a=1 2)", 7, "',' or ')'"),
        ("s(a=1, a=2)", 8, "a is given twice"),
        ("s(a=1))", 7, "the end"),
        ("s(a=1) x", 8, "the end"),
        ("s x", 3, "'(' or the end"),
        ("s)", 2, "'(' or the end"),
        ("s[1]", 2, "'(' or the end"),
        ("s, t", 2, "the end"),
        ("s(a=[1, 2)", 10, "',' or ']'"),
        ("s(a=[1, [2]])", 9, "a list holds no lists"),
        ("s(a=[,])", 6, "a number"),
        ("s(a=t(b=1))", 6, "',' or ')'"),
        ("s(a=1..2)", 5, "put other text in quotes"),
        ("s(a=1_000)", 5, "put other text in quotes"),
        ("s(a=1e999)", 5, "put other text in quotes"),
        ("s(a=0x10)", 5, "put other text in quotes"),
        ("s(a=__import__('os'))", 15, "',' or ')'"),
        ("s(a='b)", 5, "a closing quote"),
        ("s(a=\"b')", 5, "a closing quote"),
        ("s(a=" + "9" * 5000 + ")", 5, "a value"),
    ],
)
def test_refuses(text, column, expected):
    with pytest.raises(InputError) as error:
        parse_spec(text)
    message = str(error.value)
    assert f"column {column}:" in message
    assert expected in message
    assert shown(text) in message
    assert len(message) < 400


@pytest.mark.parametrize("value", [None, 5, b"simple", ["simple"]])
def test_refuses_what_is_not_text(value):
    with pytest.raises(InputError, match="a spec is text"):
        parse_spec(value)


scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
)
keys = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*", fullmatch=True)
names = st.one_of(
    st.from_regex(r"[A-Za-z_][A-Za-z0-9_-]*", fullmatch=True),
    st.text(min_size=1).map(lambda folder: f"{folder}/mine.py:careful"),
)


@given(names, st.dictionaries(keys, st.one_of(scalars, st.lists(scalars))))
def test_what_is_printed_reads_the_same(name, args):
    spec = parse_spec(format_spec(name, args))
    assert spec == Spec(name, args)
    assert repr(spec.args) == repr(args)  # tells 1, 1.0 and True apart


@given(st.text(alphabet="ab1.,=()[]'\"\\ -_:py", max_size=20))
def test_any_text_is_read_or_refused_with_input_error(text):
    try:
        spec = parse_spec(text)
    except InputError:
        return
    assert parse_spec(str(spec)) == spec


def test_numpy_numbers_are_printed_as_numbers():
    assert format_spec("s", {"a": np.int64(3), "b": np.float64(0.5)}) == "s(a=3, b=0.5)"


@pytest.mark.parametrize(
    "value", [math.inf, -math.inf, math.nan, [[1]], {"a": 1}, object(), b"x", 10**500, np.arange(3)]
)
def test_what_cannot_be_printed(value):
    with pytest.raises(InputError, match="cannot be written in a spec"):
        format_value(value)


@pytest.mark.parametrize("name", ["", "two words", "a(b)", "5"])
def test_names_that_cannot_be_printed(name):
    with pytest.raises(InputError, match="cannot be the name of a spec"):
        format_spec(name)


def test_parameter_names_that_cannot_be_printed():
    with pytest.raises(InputError, match="'a b' cannot be the name of a parameter"):
        format_spec("s", {"a b": 1})


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("simple", ["simple"]),
        (" simple ,meld( a = 1 , b=[1,2]) , x.py:f ", ["simple", "meld( a = 1 , b=[1,2])", "x.py:f"]),
        ("a(b='x, y)'), c", ["a(b='x, y)')", "c"]),
    ],
)
def test_splits_lists(text, parts):
    assert split_specs(text) == parts


@pytest.mark.parametrize("text", ["", "a,", ",a", "a,,b", "a b", "a(b=1", "a)b"])
def test_splitting_refuses(text):
    with pytest.raises(InputError, match="column"):
        split_specs(text)


def test_suggestions():
    assert suggest("clasic25", ["classic25", "pagat"]) == "did you mean 'classic25'?"
    assert suggest("zzz", ["classic25", "pagat"]) == "known: classic25, pagat"
    assert suggest("zzz", []) == "there are none"
    assert suggest(None, ["classic25"]) == "known: classic25"
    assert "simple" in suggest("simpl" + "e" * 10**6, ["simple"])


class Unshowable:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("8S", "'8S'"),
        ("a\nb\x1b[31m", r"'a\nb\x1b[31m'"),
        ("8S" * 10**6, f"'{'8S' * 30}…'"),
        (np.arange(40).reshape(2, 20), "array([[ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 1…"),
        (10**5000, "(int that cannot be shown)"),
        (Unshowable(), "(Unshowable that cannot be shown)"),
        (None, "None"),
    ],
    ids=lambda value: value[:10] if isinstance(value, str) else "",
)
def test_values_in_messages_are_short_and_visible(value, text):
    assert shown(value) == text


def test_messages_hold_no_control_characters_and_are_not_endless():
    assert str(InputError("two\nlines \x1b[31mred\x07 \ud800")) == r"two\nlines \x1b[31mred\x07 \ud800".replace(r"\n", "\n")
    assert len(str(InputError("x" * 10**6))) < 5000
    assert brief("♠ é 7S") == "♠ é 7S"


def test_a_long_spec_is_read_in_little_time():
    assert len(parse_spec(f"s(a=[{'1, ' * 200_000}1])").args["a"]) == 200_001
