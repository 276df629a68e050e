"""The package as a whole: light to import, its public names, the command the README shows for the tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ginsim
from ginsim.jit import compiled_modules

ROOT = Path(__file__).parent.parent
HEAVY = {"joblib", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "pydantic", "rich", "scipy", "typer"}
PUBLIC = {
    "InputError", "Responder", "Rules", "Strategy", "TableRules", "View", "advise", "best_discard", "best_melds",
    "best_response", "calibrate", "exact_value",
    "charts_page", "compare", "deadwood", "effect", "error_rates", "exact_deadwood", "exploit", "exploitability", "factorial",
    "format_hand", "gallery", "gauntlet",
    "is_meld", "lay_off_targets", "load_results", "merge", "mixture", "odds", "parse_hand", "plan", "plot", "plots",
    "rank_discards", "read_hands", "replay", "replay_row", "retrain", "review", "rule_map", "save", "showdown", "solve",
    "statistics", "sweep", "table", "Table", "tournament", "train",
}  # fmt: skip


def python(code: str) -> str:
    """What a fresh interpreter prints."""
    return subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_import_loads_nothing_heavy() -> None:
    loaded = python("import sys, ginsim; print(*{name.split('.')[0] for name in sys.modules})").split()
    assert HEAVY.isdisjoint(loaded)


def test_cards_load_nothing_heavy() -> None:
    loaded = python("import sys, ginsim; ginsim.parse_hand('AS'); print(*{name.split('.')[0] for name in sys.modules})")
    assert HEAVY.isdisjoint(loaded.split())


def test_import_takes_no_time() -> None:
    clock = "from time import perf_counter as now; start = now(); import ginsim; print(now() - start)"
    assert min(float(python(clock)) for _ in range(3)) < 0.15


def test_public_names() -> None:
    assert set(ginsim.__all__) == PUBLIC
    assert set(dir(ginsim)) >= PUBLIC | {"__version__"}


def test_compiled_code_is_kept_by_what_it_is_made_of() -> None:
    """Every module with a jitted function counts; a change of a study, an experiment file or a report compiles nothing."""
    found = compiled_modules()
    for path in (ROOT / "ginsim").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        jitted = re.search(r"^@(?:numba\.)?njit", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not jitted or module in found, module
    assert not {name.split(".")[1] for name in found} & {"commands", "experiment", "report", "study"}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_name_exists(name: str) -> None:
    value = getattr(ginsim, name)
    assert value.__name__.rpartition(".")[2] == name  # plots and table are modules
    assert value.__doc__


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "ginsim" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [(node.module, alias.name) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    seen = {name: f"{module}.{name}" if name in ("plots", "table") else module for module, name in imports}
    assert seen == ginsim._HOME


def test_a_typo_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'ginsim' has no attribute 'deadwod'"):
        ginsim.deadwod  # noqa: B018
    with pytest.raises(ImportError):
        from ginsim import deadwod  # noqa: F401


def test_an_input_error_is_a_value_error() -> None:
    assert issubclass(ginsim.InputError, ValueError)


def test_version() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", ginsim.__version__)
    assert f"[{ginsim.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_ci_finds_the_readmes_test_command() -> None:
    (pattern,) = re.findall(r"grep -m 1 -E '(.+)' README\.md", (ROOT / ".ci" / "run").read_text(encoding="utf-8"))
    commands = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if re.search(pattern, line)]
    assert commands[0].endswith("pip install '.[test]' && pytest")
    assert commands[0].startswith("python3 -m venv .venv && . .venv/bin/activate && ")
