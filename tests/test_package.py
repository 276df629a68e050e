"""The package as a whole: light to import, its public names, the command the README shows for the tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ginsim
from ginsim.jit import SHOWING, compiled_modules, source_digest

ROOT = Path(__file__).parent.parent
HEAVY = {"joblib", "matplotlib", "numba", "numpy", "pandas", "pyarrow", "pydantic", "rich", "scipy", "typer"}
PUBLIC = {
    "InputError", "Rules", "Strategy", "TableRules", "View", "advise", "best_discard", "best_melds",
    "calibrate", "compare", "deadwood", "effect", "error_rates", "exact_deadwood", "factorial", "format_hand",
    "gauntlet", "is_meld", "lay_off_targets", "load_results", "merge", "odds", "parse_hand", "plots", "rank_discards",
    "replay", "replay_row", "rule_map", "showdown", "statistics", "sweep", "tournament",
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


LAYERS = (
    ("layout",), ("errors",), ("compiling", "inlined"), ("jit",), ("files",), ("cards",), ("specs",), ("deals",),
    ("melds",), ("rules",),
    ("strategies", "gin", "rollout"),  # a hand asks for decisions, and rollouts, which are decisions, play hands
    ("evaluate",), ("exact",), ("table",), ("simulation",), ("inference",), ("study",), ("experiment",), ("watch",),
    ("report",), ("plots",), ("bench", "warm"), ("commands",), ("cli",), ("__main__",),
)  # fmt: skip
"""Parts of the package, each of which imports itself, those beside it and those before it (the names of ``ginsim`` apart)."""


def test_imports_go_one_way() -> None:
    level = {name: number for number, names in enumerate(LAYERS) for name in names}
    upward = []
    for path in (ROOT / "ginsim").rglob("*.py"):
        own = path.relative_to(ROOT / "ginsim").with_suffix("").parts[0]
        for node in ast.parse(path.read_text(encoding="utf-8")).body:  # what functions import when they are called is theirs
            parts = (node.module or "").split(".") if isinstance(node, ast.ImportFrom) else []
            inside = parts[:1] == ["ginsim"] and len(parts) > 1 and own not in ("__init__", parts[1])
            if inside and level[parts[1]] > level[own]:
                upward.append(f"{path.relative_to(ROOT)} imports {node.module}")
    assert not upward


def test_what_shows_figures_makes_none() -> None:
    """The digest of the sources leaves it out, so nothing else may import it and nothing in it may be compiled."""
    for path in (ROOT / "ginsim").rglob("*.py"):
        text, parts = path.read_text(encoding="utf-8"), path.relative_to(ROOT / "ginsim").parts
        assert not (parts[0] in SHOWING and re.search(r"import .*\bnjit", text)), path
    before = source_digest.__wrapped__()
    assert len(before) == 16 and {name.removesuffix(".py") for name in SHOWING} <= {name for names in LAYERS for name in names}


def test_compiled_code_is_kept_by_what_it_is_made_of() -> None:
    """Every module with a jitted function counts; a change of a study, an experiment file or a report compiles nothing."""
    found = compiled_modules()
    for path in (ROOT / "ginsim").rglob("*.py"):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        jitted = re.search(r"^@(?:numba\.)?njit", path.read_text(encoding="utf-8"), re.MULTILINE)
        assert not jitted or module in found, module
    assert not {name.split(".")[1] for name in found} & {"commands", "experiment", "report", "study", "watch"}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_public_name_exists(name: str) -> None:
    value = getattr(ginsim, name)
    assert value.__name__.removeprefix("ginsim.") == name  # plots is a module
    assert value.__doc__


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "ginsim" / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [(node.module, alias.name) for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    seen = {name: f"ginsim.{name}" if module == "ginsim" else module for module, name in imports}
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
