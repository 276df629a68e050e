"""Experiment files: every mistake by its key and line, all at once; the JSON schema; what the command line says of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ginsim import InputError
from ginsim.cli import app
from ginsim.experiment.reading import load_experiment, schema
from ginsim.study.base import kinds

ROOT = Path(__file__).parent.parent

TOURNAMENT = """\
kind = "tournament"
strategies = [
  "simple",
  "simpel",  # no such
  "threshold(knock=1000)",
]
deals = 0
deels = 5
"""
SWEEP = """\
kind = "sweep"
strategy = "threshold"
opponents = ["simple", "rondom"]
[over]
knok = [1, 2]
"""
MAP = """\
kind = "map"
strategies = ["simple", "random"]
x = {field = "gin_bonus", values = [0, "a"]}
[y]
field = "gin_bonos"
values = [0, 5]
"""
CASES: list[tuple[str, list[str]]] = [
    (
        TOURNAMENT,
        [
            "deals: 0 is not allowed; give a whole number from 1 to 68719476736 (line 7)",
            "strategies.1: strategy: there is no 'simpel'",
            "(line 4)",
            "strategies.2: strategy threshold: knock=1000",
            "(line 5)",
            "there is no key 'deels' in a tournament experiment (line 8); did you mean 'deals'?",
        ],
    ),
    (
        'kind = "effect"\nrules = "classic25"\nstrategies = ["simple"]\nvariants = ["(knock_limt=5)", "clasic20", "straight"]\n',
        ["variants: there is no field 'knock_limt'", "variants: there is no 'clasic20'", "(line 4)"],
    ),
    (
        SWEEP,
        [
            "opponents.1: strategy: there is no 'rondom'",
            "(line 3)",
            "over.knok: strategy threshold has no parameter 'knok'",
            "(line 4)",
        ],
    ),
    (
        SWEEP.replace("rondom", "random").replace("knok = [1, 2]", "knock = {from = 0, to = 0}"),
        ["over.knock: {'from': 0, 'to': 0} has 1 values; give 2 to 256 (line 4)"],
    ),
    (
        'kind = "factorial"\nstrategy = "threshold"\nopponents = ["simple"]\n'
        'factors = {knock = [1, 2], draw = ["meld", "mild"]}\n',
        ["factors.draw: strategy threshold: draw=mild is not one of", "(line 4)"],
    ),
    (MAP, ["x.values.1: 'a' is not allowed", "(line 3)", "y: 'gin_bonos' is not a rule field", "(line 4)"]),
    (
        'kind = "compare"\na = "simple"\nrules = "classic26"\npart = "3/2"\n',
        [
            "the key 'b' is missing (spec of the second strategy)",
            "rules: there is no 'classic26'",
            "(line 3)",
            "part: '3/2'",
            "(line 4)",
        ],
    ),
    ('\n\nkind = "sweeep"\n', ["kind='sweeep' is not known (line 3); kinds are adaptation, calibration, compare"]),
    ('title = "x"\n', ["the key 'kind' is missing; kinds are"]),
    ("kind = \n", ["Invalid value (at line 1, column 8)"]),
    (
        'kind = "gauntlet"\nchallengers = []\nopponents = ["simple", "simple"]\n',
        ["challengers: needs at least 1; 0 given (line 2)", "opponents: simple is listed twice (line 3)"],
    ),
    (
        'kind = "statistics"\nstrategies = ["simple"]\nvariants = ["classic25"]\ngames = 5\n',
        ["variants: classic25 is the base itself (line 3)", "games: 5 is not allowed; give 0", "(line 4)"],
    ),
    (
        'kind = "compare"\na = "simple"\nb = "simple"\ndeals = 3\npart = "1/4"\n',
        ["part: '1/4' is not allowed: 3 deals"],
    ),
]


@pytest.mark.parametrize(("text", "parts"), CASES)
def test_every_mistake_is_told(text: str, parts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    lines = str(caught.value).splitlines()
    assert all(line.startswith(f"experiment {path}: ") for line in lines)
    for part in parts:
        assert any(part in line for line in lines), (part, lines)


def test_validate_tells_of_all_files(tmp_path: Path) -> None:
    good, bad, worse = (tmp_path / name for name in ("good.toml", "bad.toml", "worse.toml"))
    good.write_text('kind = "compare"\na = "simple"\nb = "random"\ndeals = 1000\ngames = 10\n')
    bad.write_text('kind = "compare"\na = "simpel"\nb = "rondom"\n')
    worse.write_text("kind = 5\n")
    result = CliRunner().invoke(app, ["validate", str(good), str(bad), str(worse), str(tmp_path / "none.toml")])
    assert result.exit_code == 2
    assert f"{good}: kind compare, 1,010 duplicate pairs" in result.output
    for part in ("'simpel'", "'rondom'", "kind=5 is not known", "there is no file"):
        assert part in result.output
    assert CliRunner().invoke(app, ["validate", str(good)]).exit_code == 0


@pytest.mark.parametrize("path", sorted((ROOT / "experiments").rglob("*.toml")), ids=lambda path: path.stem)
def test_shipped_experiments_are_valid(path: Path) -> None:
    assert load_experiment(path).own_works()


def test_schema_names_every_kind_and_key(tmp_path: Path) -> None:
    found = schema()
    assert set(found["discriminator"]["mapping"]) == set(kinds())
    for name, kind in kinds().items():
        model = found["$defs"][found["discriminator"]["mapping"][name].rpartition("/")[2]]
        assert set(model["properties"]) == set(kind.experiment.model_fields)
        assert "kind" in model["required"] and model["additionalProperties"] is False
        assert model["properties"]["kind"]["const"] == name
    file = tmp_path / "schema.json"
    assert CliRunner().invoke(app, ["schema", "--out", str(file)]).exit_code == 0
    shown = CliRunner().invoke(app, ["schema"])
    assert json.loads(file.read_text()) == json.loads(shown.output) == json.loads(json.dumps(found))


def test_schema_accepts_what_is_valid() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    import tomllib

    validator: Any = jsonschema.Draft202012Validator(schema())
    for path in (ROOT / "experiments").rglob("*.toml"):
        validator.validate(tomllib.loads(path.read_text(encoding="utf-8")))
    wrong = {"kind": "sweep", "strategy": "threshold", "opponents": ["simple"], "over": {"knock": 5}}
    assert not validator.is_valid(wrong) and not validator.is_valid({"kind": "compare"})
    gin, undercut = ({"field": f"{name}_bonus", "values": [10, 25]} for name in ("gin", "undercut"))
    plane = {"kind": "map", "strategies": ["simple", "threshold"], "x": gin, "y": undercut}
    assert validator.is_valid(plane) and validator.is_valid(plane | {"adapt": "knock"})
    assert not validator.is_valid(plane | {"adapt": "play"}) and not validator.is_valid({"kind": "compare", "adapt": "play"})
