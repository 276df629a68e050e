"""What a strategy is made of: helpers count, wherever they come from, are loaded anew and leave no compiled code behind."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from joblib import parallel_config
from joblib.externals.loky import get_reusable_executor

from ginsim import save
from ginsim.errors import InputError, StrategyError
from ginsim.experiment.runs import resume, run_experiment
from ginsim.games import packages, sources
from ginsim.games.catalog import Strategy
from ginsim.games.gin.rules import Rules
from ginsim.games.plugin import source_files
from ginsim.games.table.rules import TableRules
from ginsim.simulation.execute import Interrupted, execute
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.compare import CompareExperiment

ROOT = Path(__file__).parents[1]
HELPER = """
import numba
import numpy as np
from ginsim.games.gin import view as V

LIMIT = 4

@numba.njit(cache=True)
def enough(view):
    return np.int64(view[V.DEADWOOD] <= 4)
"""
JITTED = """
import numpy as np
{imports}
from ginsim.games.plugin import decision
from ginsim.games.catalog import Strategy

@decision
def knock(view, params):
    return {enough}(view)

mine = Strategy.of(draw="meld", discard="random_best", knock=knock)
"""
PLAIN = """
{imports}

class Plain:
    def draw(self, view):
        return False
    def discard(self, view):
        free = view.hand & ~view.banned
        return free & -free
    def knock(self, view):
        return view.deadwood <= {limit}
"""
IMPORTS = {
    "name": ("from {helper} import enough, LIMIT", "enough", "LIMIT"),
    "module": ("import {helper} as h", "h.enough", "h.LIMIT"),
    "inner": ("import {helper}.inner", "{helper}.inner.enough", "{helper}.inner.LIMIT"),
    "relative": ("from {helper} import enough, LIMIT", "enough", "LIMIT"),
    "dynamic": ("import importlib\nh = importlib.import_module('{helper}')", "h.enough", "h.LIMIT"),
    "hidden": ("h = __import__('hel' + '{helper}'[3:])\nenough, LIMIT = h.enough, h.LIMIT", "enough", "LIMIT"),
}
"""How a helper is imported: the import, and how its function and its number are used."""
Install = Callable[..., tuple[Path, Path]]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Writes a strategy's file and its helper, imported in some way; gives both paths."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(how: str = "name", source: str = JITTED, name: str = "strat.py") -> tuple[Path, Path]:
        helper = "helper_of_test"
        imports, enough, limit = (text.replace("{helper}", helper) for text in IMPORTS[how])
        (tmp_path / name).write_text(source.format(imports=imports, enough=enough, limit=limit))
        place = tmp_path / f"{helper}.py"
        if how in ("inner", "relative"):
            (tmp_path / helper).mkdir(exist_ok=True)
            (tmp_path / helper / "__init__.py").write_text("" if how == "inner" else "from .inner import LIMIT, enough\n")
            place = tmp_path / helper / "inner.py"
        place.write_text(HELPER)
        return tmp_path / name, place

    yield write
    for key in [key for key in sys.modules if key.startswith("helper_of_test")]:
        del sys.modules[key]


def change(helper: Path, to: int) -> None:
    """Another limit in a helper."""
    helper.write_text(HELPER.replace("= 4", f"= {to}"))


def played(a: Any, count: int = 30) -> bytes:
    records = play(Work((Strategy.parse(a), Strategy.parse("simple")), Rules(), 3, HANDS, 0, count), keep=True).records
    assert records is not None
    return records[:, 2:].tobytes()


def study_of(a: Any) -> CompareExperiment:
    return CompareExperiment(a=a, b="simple", deals=10)


def likewise(knock: int) -> bytes:
    return played(f"threshold(discard=random_best, knock={knock})")


# --- what counts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", IMPORTS)
def test_a_changed_helper_is_another_strategy(install: Install, how: str) -> None:
    """Compiled: the digest changes, and the new code plays, in this process and in others."""
    path, helper = install(how)
    spec = f"{path}:mine"
    first = Strategy.parse(spec)
    assert played(spec) == played(first) == likewise(4)
    assert Strategy.parse(spec).sources == first.sources
    before = study_of(spec).digest()
    change(helper, 9)
    assert played(spec) == likewise(9)
    assert Strategy.parse(spec).sources != first.sources
    assert study_of(spec).digest() != before == study_of(first).digest()
    assert played(first) == likewise(4)  # made before the change
    assert elsewhere(path) == hash_of(likewise(9))
    change(helper, 4)
    assert played(spec) == likewise(4)
    assert study_of(spec).digest() == before
    assert elsewhere(path) == hash_of(likewise(4))


def hash_of(data: bytes) -> str:
    import zlib

    return str(zlib.crc32(data))


def elsewhere(path: Path, **environment: str) -> str:
    """Checksum of what another process plays."""
    code = f"from tests.test_sources import hash_of, played; print(hash_of(played({f'{path}:mine'!r})))"
    paths = os.pathsep.join([str(ROOT), str(path.parent)])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": paths} | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("how", IMPORTS)
def test_plain_helpers_count(install: Install, how: str) -> None:
    path, helper = install(how, PLAIN)
    before, digest = played(f"{path}:Plain"), Strategy.parse(f"{path}:Plain").sources
    change(helper, 60)
    assert played(f"{path}:Plain") != before
    assert Strategy.parse(f"{path}:Plain").sources != digest


def test_both_of_two_strategies_count_their_helper(install: Install) -> None:
    (one, helper), (other, _) = install("hidden", PLAIN), install("hidden", PLAIN, name="other.py")
    before = [Strategy.parse(f"{path}:Plain").sources for path in (one, other)]
    change(helper, 60)
    assert all(a != Strategy.parse(f"{path}:Plain").sources for a, path in zip(before, (one, other), strict=True))
    assert played(f"{one}:Plain") == played(f"{other}:Plain")


def test_a_helper_that_was_imported_before(install: Install) -> None:
    path, helper = install()
    import helper_of_test  # type: ignore[import-not-found]

    assert helper_of_test.LIMIT == 4
    change(helper, 9)
    assert played(f"{path}:mine") == likewise(9)
    change(helper, 3)
    assert played(f"{path}:mine") == likewise(3)


def test_helpers_of_helpers_and_of_functions(install: Install, tmp_path: Path) -> None:
    path, helper = install(source=PLAIN)
    inner = "    from helper_of_test_more import LIMIT\n    return LIMIT\n"
    helper.write_text(f"def limit():\n{inner}LIMIT = limit()\nenough = None\n")
    more = tmp_path / "helper_of_test_more.py"
    more.write_text("LIMIT = 4\n")
    found = [Path(file) for file, _ in source_files([f"{path}:Plain"])]
    assert found == [path, helper, more]
    before = Strategy.parse(f"{path}:Plain").sources
    more.write_text("LIMIT = 9\n")
    assert Strategy.parse(f"{path}:Plain").sources != before


def test_a_file_that_puts_its_folder_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    head = "import sys; from pathlib import Path; sys.path.insert(0, str(Path(__file__).parent))\nimport helper_of_test as h"
    (tmp_path / "own.py").write_text(PLAIN.format(imports=head, limit="h.LIMIT"))
    (tmp_path / "helper_of_test.py").write_text("LIMIT = 4\n")
    assert len(source_files([f"{tmp_path / 'own.py'}:Plain"])) == 2  # before it is loaded
    assert played(f"{tmp_path / 'own.py'}:Plain")
    sys.modules.pop("helper_of_test")


def test_a_helper_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the source says where it lies; what was loaded does."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "helper_of_test.py").write_text(HELPER)
    head = f"import sys; sys.path.insert(0, {str(tmp_path / 'deep')!r})\nfrom helper_of_test import enough"
    path = tmp_path / "strat.py"
    path.write_text(JITTED.format(imports=head, enough="enough"))
    for limit in (4, 9, 2):
        change(tmp_path / "deep" / "helper_of_test.py", limit)
        assert elsewhere(path) == hash_of(likewise(limit))
        assert played(f"{path}:mine") == likewise(limit)
    assert [Path(file).name for file, _ in source_files([f"{path}:mine"])] == ["strat.py", "helper_of_test.py"]
    sys.modules.pop("helper_of_test")


def test_what_does_not_count(install: Install) -> None:
    path, _ = install(source="import json, numpy, pandas.api, scipy, pytest, ginsim.specs, no_such_module_at_all\n" + PLAIN)
    files = sources.files_of(path)
    assert set(files) == {"", "helper_of_test"}


def test_a_source_that_cannot_be_parsed(tmp_path: Path) -> None:
    for text in ("def (", "\0", "(" * 5000, "x = " + "-" * 50_000 + "1"):
        (tmp_path / "bad.py").write_text(text)
        assert len(sources.files_of(tmp_path / "bad.py")) == 1
        with pytest.raises(InputError, match=r"bad\.py"):
            Strategy.parse(f"{tmp_path / 'bad.py'}:x")


def test_the_digest_does_not_depend_on_the_place(install: Install, tmp_path: Path) -> None:
    path, helper = install()
    before = sources.digest_of(sources.files_of(path))
    (tmp_path / "moved").mkdir()
    for file in (path, helper):
        (tmp_path / "moved" / file.name).write_bytes(file.read_bytes())
    helper.unlink()
    assert sources.digest_of(sources.files_of(tmp_path / "moved" / path.name)) == before


# --- other processes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [JITTED, PLAIN], ids=["jitted", "plain"])
def test_worker_processes_play_the_same(install: Install, source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path, helper = install(source=source)
    spec = f"{path}:{'mine' if source is JITTED else 'Plain'}"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), str(tmp_path)]))
    get_reusable_executor().shutdown()  # workers of an earlier test know another path
    for limit in (4, 9):
        change(helper, limit)
        work = Work((Strategy.parse(spec), Strategy.parse("simple")), Rules(), 3, HANDS, 0, 40)
        with parallel_config(backend="loky", n_jobs=2):
            found = execute([work])
        assert found.sums["", HANDS].tolist() == play(work).tally.tolist()
    change(helper, 2)
    with parallel_config(backend="loky", n_jobs=2), pytest.raises(StrategyError, match="its files differ"):
        execute([work])


def test_another_process_with_other_files_refuses(install: Install) -> None:
    path, helper = install()
    data = pickle.dumps(Strategy.parse(f"{path}:mine"))
    assert pickle.loads(data) == Strategy.parse(f"{path}:mine")
    change(helper, 9)
    found = pickle.loads(data)
    with pytest.raises(StrategyError, match="its files differ"):
        play(Work((found, found), Rules(), 3, HANDS, 0, 1))
    path.unlink()
    with pytest.raises(StrategyError, match="there is no file"):
        play(Work((pickle.loads(data), found), Rules(), 3, HANDS, 0, 1))


def test_a_cache_of_ones_own_is_respected(install: Install, tmp_path: Path) -> None:
    path, helper = install()
    cache = tmp_path / "cache"
    for limit in (4, 9):
        change(helper, limit)
        assert elsewhere(path, NUMBA_CACHE_DIR=str(cache)) == hash_of(likewise(limit))
    folders = list(cache.glob("**/own-*"))
    assert len(folders) == 4  # the file and its helper, twice


# --- studies -----------------------------------------------------------------------------------------------------------


def stopped(path: Path, folder: Path) -> CompareExperiment:
    """A run that was interrupted."""
    study = CompareExperiment(a=f"{path}:Plain", b="simple", deals=100, games=0)

    def stop(done: Any, pairs: int, total: int) -> None:
        if pairs > 10:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        run_experiment(study, folder, save, 1, stop)
    return study


def test_a_run_is_not_gone_on_with_after_a_helper_changed(install: Install, tmp_path: Path) -> None:
    path, helper = install(source=PLAIN)
    stopped(path, tmp_path / "out")
    change(helper, 60)
    with pytest.raises(InputError, match="a strategy file has changed since"):
        resume(tmp_path / "out", save)
    change(helper, 4)
    assert resume(tmp_path / "out", save).hand_count == 200
    manifest = (tmp_path / "out" / "manifest.json").read_text()
    assert str(helper) in manifest and str(path) in manifest


def test_resume_imports_nothing_that_was_changed(install: Install, tmp_path: Path) -> None:
    path, helper = install(source=PLAIN)
    stopped(path, tmp_path / "out")
    for file in (path, helper):
        before = file.read_text()
        file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n" + before)
        with pytest.raises(InputError, match="a strategy file has changed since"):
            resume(tmp_path / "out", save)
        assert not (tmp_path / "ran").exists()
        file.write_text(before)


def test_a_strategy_changed_while_it_plays(install: Install, tmp_path: Path) -> None:
    path, helper = install(source=PLAIN)
    study = CompareExperiment(a=f"{path}:Plain", b="simple", deals=40, games=0)

    def edit(done: Any, pairs: int, total: int) -> None:
        if pairs > 10:
            change(helper, 60)

    for _ in range(2):  # the second time it was changed before
        with pytest.raises(InputError, match="was changed while the study was running"):
            run_experiment(study, tmp_path / "out", save, 1, edit)
        assert not (tmp_path / "out" / "manifest.json").exists()


def test_editable_packages_count(install: Install, tmp_path: Path) -> None:
    """A package that is not in site-packages changes without a new version."""
    install()
    (info := tmp_path / "folk-1.2.dist-info").mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: folk\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[ginsim.strategies]\nfolk_player = strat:mine\n")
    packages.entries.cache_clear()
    study = study_of("folk_player")
    try:
        assert played("folk_player") == likewise(4)
        before = study.digest()
        change(tmp_path / "helper_of_test.py", 9)
        assert study.digest() != before
        assert played("folk_player") == likewise(9)
    finally:
        packages.entries.cache_clear()
        sys.modules.pop("strat", None)


def test_the_table_game_counts_them_too(install: Install, tmp_path: Path) -> None:
    (tmp_path / "helper_of_test.py").write_text("LIMIT = 1\n")
    path = tmp_path / "table.py"
    path.write_text(
        "from helper_of_test import LIMIT\nclass P:\n    def draw(self, v): return 0\n    def play(self, v): return {}, 0\n"
        "    def claim(self, v): return None\n"
    )
    before = Strategy.parse(f"{path}:P")
    assert pickle.loads(pickle.dumps(before)) == before
    (tmp_path / "helper_of_test.py").write_text("LIMIT = 2\n")
    assert Strategy.parse(f"{path}:P").sources != before.sources
    found = pickle.loads(pickle.dumps(before))
    with pytest.raises(StrategyError, match="its files differ"):
        play(Work((found, found), TableRules(), 3, HANDS, 0, 1))
