"""Files laid by somebody else, code that must not run, folders that cannot be used, and strategies that fail in every way."""

from __future__ import annotations

import json
import os
import pickle
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import jit, merge, save
from ginsim.cli import app
from ginsim.errors import InputError, StrategyError
from ginsim.experiment.loading import load_results
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.files import append_text, read_own, write_whole
from ginsim.games import sources
from ginsim.games.catalog import Strategy
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import REPERTOIRES
from ginsim.games.table.rules import TableRules
from ginsim.report.folder import WRITTEN, save_again
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.study.base import kinds
from ginsim.study.calibration import CalibrationExperiment
from ginsim.study.compare import CompareExperiment

ROOT = Path(__file__).parents[1]


def command(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, list(words))
    assert "Traceback" not in result.output and not isinstance(result.exception, InputError)
    return result.exit_code, " ".join(result.output.split())


def small(**changes: Any) -> CompareExperiment:
    return CompareExperiment(**{"a": "simple", "b": "random", "deals": 60, "games": 6, "seed": 1} | changes)


# --- links in a folder of results --------------------------------------------------------------------------------------

LINKED = [".report.md.partial", "report.md", "manifest.json", "tallies.json", "summary.csv", "endings.png", "report.html"]


@pytest.mark.parametrize("name", LINKED)
def test_no_file_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    mine, out = tmp_path / "mine", tmp_path / "out"
    mine.write_text("mine")
    out.mkdir()
    (out / name).symlink_to(mine)
    run_experiment(small(), out, save, 1)
    assert mine.read_text() == "mine"
    assert not any(path.is_symlink() for path in out.iterdir())
    if name not in ("manifest.json", "tallies.json"):  # read, not written: they may well be kept elsewhere
        (out / name).unlink(missing_ok=True)
        (out / name).symlink_to(mine)
        save_again(out)
        assert mine.read_text() == "mine" and not (out / "report.md").is_symlink()


@pytest.mark.parametrize("name", ["journal.jsonl", "hands", "games"])
@pytest.mark.parametrize("target", ["file", "folder", "nothing"])
def test_journal_and_hands_are_no_links(tmp_path: Path, name: str, target: str) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    kept = tmp_path / "folder" / "hands-0-1-000000000000.parquet"
    kept.write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / target)
    with pytest.raises(InputError, match=f"{name} is a link"):
        run_experiment(small(), tmp_path / "out", save, 1, keep_hands=True, fresh=True)
    with pytest.raises(InputError):
        resume(tmp_path / "out", save)
    with pytest.raises(InputError):
        status(tmp_path / "out")
    assert (tmp_path / "file").read_text() == kept.read_text() == "mine"
    assert len(list((tmp_path / "folder").iterdir())) == 1 and not (tmp_path / "nothing").exists()


def test_what_is_no_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "mine").write_text("mine")
    os.link(tmp_path / "mine", tmp_path / "same")
    for name in ("pipe", "same"):
        with pytest.raises(InputError, match=name):
            read_own(tmp_path / name)
        with pytest.raises((InputError, OSError), match=name):
            append_text(tmp_path / name, "more")
    assert (tmp_path / "mine").read_text() == "mine"
    write_whole(tmp_path / "same", "other")
    assert ((tmp_path / "mine").read_text(), (tmp_path / "same").read_text()) == ("mine", "other")


@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path, linked: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    target = tmp_path / "link.csv" if linked else tmp_path / "pipe"
    if linked:
        target.symlink_to(tmp_path / "pipe")
    for words in ("schema", "exact melds --format csv", "compare simple random --deals 5 --games 0"):
        code, text = command(*words.split(), "--out", str(target))
        assert code == 2 and target.name in text
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode) and target.is_symlink() == linked
    with pytest.raises(InputError, match="is not a regular file"):
        write_whole(target, "x")


def test_nobody_waits_for_a_pipe(tmp_path: Path) -> None:
    """Reading one would hang until somebody writes to it."""
    out, pipe = tmp_path / "out", tmp_path / "pipe.py"
    run_experiment(small(), out, save, 1, keep_hands=True)
    os.mkfifo(pipe)
    for words in (["run", str(pipe)], ["validate", str(pipe)], ["scoresheet", str(pipe)], ["compare", f"{pipe}:P", "simple"]):
        code, _ = command(*words)
        assert code == 2, words
    os.mkfifo(tmp_path / "results.csv")
    assert "is not a regular file" in command("scoresheet", str(tmp_path / "results.csv"))[1]
    assert sources.content_digest(pipe) == "" and list(sources.files_of(pipe)) == [""]
    part = next((out / "hands").iterdir())
    part.unlink()
    os.mkfifo(part)
    with pytest.raises(InputError, match="not a regular file"):
        load_results(out).hands()
    actions: list[Callable[[Path], Any]] = [load_results, status, save_again, lambda where: resume(where, save)]
    for name in ("tallies.json", "manifest.json"):
        (out / name).unlink()
        os.mkfifo(out / name)
        for action in [*actions, lambda where: merge([where, where], tmp_path / "merged")]:
            with pytest.raises(InputError, match=f"{name} is not a regular file|cannot be read"):
                action(out)
    with pytest.raises(InputError, match=r"not a regular file"):
        run_experiment(small(seed=2), out, save, 1)


def test_only_what_ginsim_writes_is_removed(tmp_path: Path) -> None:
    out = tmp_path / "out"
    run_experiment(small(), out, save, 1, keep_hands=True)
    (tmp_path / "folder").mkdir()
    mine = [out / "thesis.docx", out / "hands" / "notes.parquet", out / ".hidden", tmp_path / "beside.csv", out / "own.csv"]
    mine += [tmp_path / "folder" / "hands-1.parquet"]
    for path in mine:
        path.write_text("mine")
    (out / "games").rename(tmp_path / "games")
    (out / "games").symlink_to(tmp_path / "folder")
    (out / "map.csv").symlink_to(tmp_path / "beside.csv")
    (out / "nash.csv").write_text("of another study")
    facts = json.loads((out / "manifest.json").read_text())
    facts["files"] += [os.path.relpath(path, out) for path in mine]
    facts["files"] += ["games/hands-1.parquet", "games/games-1.parquet", "map.csv"]
    facts["files"] += ["nash.csv", "../beside.csv", str(mine[0]), "hands/../own.csv", "", ".", "hands"]
    facts.pop("manifest_sha256")
    (out / "manifest.json").write_text(json.dumps(facts))
    with pytest.raises(InputError, match="is a link"):
        save_again(out)
    assert all(path.read_text() == "mine" for path in mine)
    (out / "games").unlink()
    (tmp_path / "games").rename(out / "games")
    save_again(out)
    assert all(path.read_text() == "mine" for path in mine)
    assert not (out / "nash.csv").exists()


def test_all_that_is_written_may_be_removed() -> None:
    for manifest in ROOT.glob("results/**/manifest.json"):
        for name in json.loads(manifest.read_text()).get("files", ()):
            assert WRITTEN.fullmatch(name), name
    others = ["report", "a.csv", "../map.csv", "hands/x.parquet", "hands/hands-/x.parquet", "map.csv/", "map.csv\n"]
    assert not any(map(WRITTEN.fullmatch, others))


# --- where compiled code is kept ---------------------------------------------------------------------------------------


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Neither a home nor a cache of one's own; the folder for temporary files, which others may write to."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setattr(tempfile, "tempdir", str(shared))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    return shared


def test_the_cache_in_the_shared_folder_is_private(nowhere: Path) -> None:
    folder = jit.cache_folder()
    assert folder == nowhere / f"ginsim-{os.getuid()}" / "ginsim" / folder.name
    for path in (folder, folder.parent.parent):
        assert stat.S_IMODE(path.stat().st_mode) & 0o022 == 0
    assert stat.S_IMODE(folder.parent.parent.stat().st_mode) == 0o700
    assert jit.cache_folder() == folder


@pytest.mark.parametrize("trap", ["link", "open", "file", "inner"])
def test_a_cache_that_somebody_else_laid(nowhere: Path, trap: str, tmp_path: Path) -> None:
    laid = nowhere / f"ginsim-{os.getuid()}"
    (tmp_path / "theirs").mkdir(mode=0o700)
    if trap == "link":
        laid.symlink_to(tmp_path / "theirs")
    elif trap == "file":
        laid.write_text("")
    else:
        laid.mkdir()
        laid.chmod(0o777 if trap == "open" else 0o700)
        if trap == "inner":
            (laid / "ginsim").mkdir()
            (laid / "ginsim").chmod(0o777)
    folder = jit.cache_folder()
    try:
        made = Path(os.environ["NUMBA_CACHE_DIR"])
        assert made.parent == nowhere and made != laid and stat.S_IMODE(made.stat().st_mode) == 0o700
        assert folder.parent == made and jit.cache_folder() == folder
        assert not list((tmp_path / "theirs").iterdir())
    finally:
        os.environ.pop("NUMBA_CACHE_DIR", None)


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can make a file another's")
def test_a_cache_of_another_user(nowhere: Path) -> None:
    laid = nowhere / f"ginsim-{os.getuid()}"
    laid.mkdir(mode=0o700)
    os.chown(laid, 12_345, 12_345)
    folder = jit.cache_folder()
    assert laid not in folder.parents
    os.environ.pop("NUMBA_CACHE_DIR", None)


def test_where_there_are_no_users(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.delattr(os, "getuid")
    assert jit.cache_folder().parent.parent == nowhere
    os.environ.pop("NUMBA_CACHE_DIR", None)


def test_a_cache_folder_that_is_given_is_kept_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert jit.cache_folder().parent == tmp_path
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert jit.cache_folder().parent == tmp_path / "ginsim"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # to wherever it is run from: not allowed by its specification
    assert jit.cache_folder().is_absolute()


def test_neither_home_nor_a_user(tmp_path: Path) -> None:
    """A user that has no entry and no HOME can play, plot and save."""
    code = (
        "import pwd, sys; pwd.getpwuid = {}.__getitem__; sys.path.insert(0, sys.argv[1]); "
        "import ginsim; r = ginsim.compare('simple', 'random', deals=20, games=0); ginsim.save(r, 'out'); print(r.deals)"
    )
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, "-c", code, str(ROOT)]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "20" and (tmp_path / "out" / "report.html").exists()


def test_a_home_that_is_not_there() -> None:
    with pytest.raises(InputError, match="no home folder"):
        Strategy.parse("~nouser-at-all/x.py:y")
    code, text = command("compare", "~nouser-at-all/x.py:y", "simple", "--deals", "5")
    assert code == 2 and "~nouser-at-all/x.py" in text


# --- what runs code ----------------------------------------------------------------------------------------------------

MARKS = """
from pathlib import Path
from ginsim.games.catalog import Strategy
Path({ran!r}).touch()
mine = Strategy.parse('simple')
"""
FILES = {
    "compare": "a = '{own}'\nb = 'simple'",
    "tournament": "strategies = ['{own}', 'simple', '{own}(knock=3)']",
    "effect": "strategies = ['{own}']\nvariants = ['(gin_bonus=30)']",
    "gauntlet": "challengers = ['{own}']\nopponents = ['simple']",
    "sweep": "strategy = '{own}'\nopponents = ['simple']\n[over]\nknock = [1, 2]",
    "factorial": "strategy = '{own}'\nopponents = ['{own}']\n[factors]\nknock = [1, 2]\npair = [0, 1]",
    "statistics": "strategies = ['{own}']",
    "map": "strategies = ['{own}', 'simple']\nx = {{field = 'gin_bonus', values = [1, 2]}}\n"
    "y = {{field = 'undercut_bonus', values = [1, 2]}}",
    "odds": "a = '{own}'\nb = 'simple'",
    "adaptation": "strategies = ['{own}']\nvariants = ['(gin_bonus=30)']",
    "effect once players adapt": "adapt = 'knock'\nstrategies = ['{own}']\nvariants = ['(gin_bonus=30)']",
    "solve": "strategy = '{own}'\nagainst = '{own}'",
    "calibration": "watcher = '{own}'\nopponents = ['simple', '{own}']",
    "coverage": "a = '{own}'\nb = 'simple'",
    "error_rates": "a = '{own}'\nb = 'simple'\ndifferences = [0.5]",
    "compare at the table": "rules = 'house'\na = '{own}'\nb = 'table_greedy'",
    "tournament at the table": "rules = 'house'\nstrategies = ['{own}', 'table_greedy']",
    "effect at the table": "rules = 'house'\nstrategies = ['{own}']\nvariants = ['(players=2)']",
    "train": "against = ['{own}', 'itself']",
    "exploit": "strategies = ['{own}']\nrules = ['classic25', 'classic20']",
    "retraining": "against = ['{own}']\nvariants = ['(gin_bonus=30)']",
    "effect once players learn": "adapt = 'play'\nagainst = ['{own}']\nvariants = ['(gin_bonus=30)']",
    "mixture": "rules = 'house(players=2)'\nseats = ['{own}', 'table_greedy']",
}


@pytest.mark.parametrize("study", FILES)
def test_validate_runs_nothing(study: str, tmp_path: Path) -> None:
    kind = study.split()[0]
    own, file = tmp_path / "own.py", tmp_path / "study.toml"
    own.write_text(MARKS.format(ran=str(tmp_path / "ran")))
    file.write_text(f"kind = '{kind}'\ndeals = 500\n{FILES[study].format(own=f'{own}:mine')}\n")
    code, text = command("validate", str(file))
    assert (code, (tmp_path / "ran").exists()) == (0, False), text
    assert "not checked" in text and f"{own}:mine" in text and "--import" in text
    own.unlink()
    code, text = command("validate", str(file))
    assert code == 2 and "there is no file" in text


def test_every_kind_is_validated() -> None:
    assert {study.split()[0] for study in FILES} == set(kinds())


def test_validate_imports_if_told_to(tmp_path: Path) -> None:
    own, file = tmp_path / "own.py", tmp_path / "study.toml"
    own.write_text(MARKS.format(ran=str(tmp_path / "ran")))
    file.write_text(f"kind = 'compare'\na = '{own}:mine'\nb = 'simple'\n")
    code, text = command("validate", "--import", str(file))
    assert (code, (tmp_path / "ran").exists()) == (0, True) and "not checked" not in text
    file.write_text(f"kind = 'compare'\na = '{own}:none'\nb = 'simple'\n")
    assert command("validate", str(file))[0] == 0
    code, text = command("validate", "--import", str(file))
    assert code == 2 and "the file has no 'none'" in text


def test_a_journal_that_names_another_file(tmp_path: Path) -> None:
    """What is resumed must be what the journal was begun with."""

    def stop(done: Any, pairs: int, total: int) -> None:
        if pairs:
            raise KeyboardInterrupt

    own = tmp_path / "own.py"
    own.write_text(MARKS.format(ran=str(tmp_path / "ran")))
    with pytest.raises(Interrupted):
        run_experiment(small(), tmp_path / "out", save, 1, stop)
    from ginsim.simulation.journal import _line, entries

    journal = tmp_path / "out" / "journal.jsonl"
    lines = list(entries(journal))
    lines[0]["experiment"]["a"] = f"{own}:mine"
    journal.write_text("".join(map(_line, lines)))
    with pytest.raises(InputError, match="has changed since the run"):
        resume(tmp_path / "out", save)
    assert not (tmp_path / "ran").exists()


# --- strategies that fail ----------------------------------------------------------------------------------------------

FAILS = ["SystemExit('out')", "GeneratorExit()", "BaseException('x')", "type('Own', (BaseException,), {})()", "OSError(5, 'x')"]
BROKEN = {
    "init": "class P(L):\n    def __init__(self): raise {fails}\n",
    "new": "class P(L):\n    def __new__(cls): raise {fails}\n",
    "property": "class P(L):\n    @property\n    def draw(self): raise {fails}\n",
    "getattribute": "class P(L):\n    def __getattribute__(self, name): raise {fails}\n",
    "method": "class P(L):\n    def draw(self, view): raise {fails}\n",
    "repr": "class P:\n    def __repr__(self): raise {fails}\n",
    "module": "raise {fails}\n",
    "text": "class E(Exception):\n    def __str__(self): raise {fails}\nclass P(L):\n    def __init__(self): raise E\n",
    "attribute": "class M(type):\n    def __call__(cls): raise {fails}\nclass P(L, metaclass=M): pass\n",
}
LEGAL = """
class L:
    def draw(self, view): return 0
    def discard(self, view): return view.hand & ~view.banned & -(view.hand & ~view.banned)
    def knock(self, view): return 0
    def play(self, view): return {}, view.hand & -view.hand
    def claim(self, view): return None
"""


@pytest.mark.parametrize("fails", FAILS)
@pytest.mark.parametrize("where", BROKEN)
def test_whatever_a_strategy_raises_is_told(where: str, fails: str, tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    for game in ("eaai", "house"):
        path.write_text(LEGAL + BROKEN[where].format(fails=fails))
        other = "simple" if game == "eaai" else "table_greedy"
        code, text = command("compare", f"{path}:P", other, "--rules", game, "--deals", "30", "--games", "0")
        assert code == 2 and "own.py" in text, text
        path.unlink()


def test_ctrl_c_stays_ctrl_c(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        Strategy.parse(f"{tmp_path / 'own.py'}:P")
    (tmp_path / "own.py").write_text("class P:\n    def __init__(self): raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        Strategy.parse(f"{tmp_path / 'own.py'}:P")


class Answers:
    """Legal, but for one answer."""

    def __init__(self, kind: str, answer: Any) -> None:
        self.kind, self.answer = kind, answer

    def draw(self, view: Any) -> Any:
        return self.answer if self.kind == "draw" else 0

    def discard(self, view: Any) -> Any:
        free = view.hand & ~view.banned
        return self.answer if self.kind == "discard" else free & -free

    def knock(self, view: Any) -> Any:
        return self.answer if self.kind == "knock" else 0


@pytest.mark.parametrize("answer", [None, 0.5, "ZZ", "", [1], -5, 1 << 70, b"7S", {}, object, (0, 1), 7, "7S 8S"])
@pytest.mark.parametrize("kind", ["draw", "discard", "knock"])
@pytest.mark.parametrize("phase", [HANDS, GAMES])
def test_an_answer_is_told_as_what_it_was(kind: str, answer: Any, phase: str) -> None:
    player = Strategy.of(player=Answers(kind, answer))
    rules = Rules.parse("classic25(knock_limit=100)")
    with pytest.raises(StrategyError) as error:
        play(Work((player, Strategy.parse("simple")), rules, 3, phase, 0, 4))
    assert f"illegal {kind} decision {answer!r} (expected" in str(error.value)
    assert "deal" in str(error.value) and "Answers" in str(error.value)


class TableAnswers:
    """At the table: draws from the stock and discards, but for one answer."""

    def __init__(self, kind: str, answer: Any) -> None:
        self.kind, self.answer = kind, answer

    def draw(self, view: Any) -> Any:
        return self.answer if self.kind == "draw" else 0

    def play(self, view: Any) -> Any:
        free = view.hand & ~view.banned
        return self.answer if self.kind == "play" else ({}, free & -free)

    def claim(self, view: Any) -> Any:
        return self.answer if self.kind == "claim" else None


@pytest.mark.parametrize(
    ("kind", "answer"),
    [("draw", x) for x in (None, 0.5, "ZZ", -1, 1 << 70)]
    + [("play", x) for x in (None, 0.5, "ZZ", 7, ({}, "ZZ"), ({"x": 1}, 0), ({99: "7S"}, 0), ([], 0))]
    + [("claim", x) for x in (0.5, "ZZ", {99: "7S"}, {0: "ZZ"})],
)
def test_an_answer_at_the_table_is_told_as_what_it_was(kind: str, answer: Any) -> None:
    player, greedy = Strategy.of(player=TableAnswers(kind, answer)), Strategy.parse("table_greedy")
    with pytest.raises(StrategyError) as error:
        play(Work((player, greedy), TableRules(), 3, HANDS, 0, 40))
    assert f"illegal {kind} decision {answer!r} (expected" in str(error.value)


# --- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["gin", "table"])
@pytest.mark.parametrize("name", ["expert", "simple", "champion", "table_greedy", "tests/data/own.py:careful", "a b", "x(y=1)"])
def test_a_name_that_means_something_else(game: str, name: str) -> None:
    with pytest.raises(InputError, match="name"):
        Strategy.of(player=Answers("", 0) if game == "gin" else TableAnswers("", 0), name=name)
    decisions = dict.fromkeys(REPERTOIRES[game].kinds, lambda view, params: 0)
    with pytest.raises(InputError, match="name"):
        Strategy.of(**decisions, name=name)


class expert(TableAnswers):  # noqa: N801
    """A class that is called as what is shipped."""


def test_a_class_that_is_called_as_what_is_shipped() -> None:
    with pytest.raises(InputError, match="'expert' is the name of another strategy"):
        Strategy.of(player=expert("", 0))
    named = Strategy.of(player=expert("", 0), name="mine")
    again = pickle.loads(pickle.dumps(named))
    assert type(again.player) is expert and str(again) == "mine"


SAME = ["threshold", "threshold(knock=10)"]
TABLE_SAME = ["expert", "table_counting"]
FIELDS: dict[str, Callable[[list[str]], Any]] = {
    "tournament": lambda field: ginsim.tournament(field, deals=5),
    "effect": lambda field: ginsim.effect("classic25", ["(gin_bonus=30)"], field, deals=5),
    "challengers": lambda field: ginsim.gauntlet(field, ["simple"], deals=5),
    "opponents": lambda field: ginsim.gauntlet(["simple"], field, deals=5),
    "sweep": lambda field: ginsim.sweep("threshold", {"knock": [1, 2]}, field, deals=5),
    "statistics": lambda field: ginsim.statistics(field, deals=5),
    "map": lambda field: ginsim.rule_map(("gin_bonus", [1, 2]), ("undercut_bonus", [1, 2]), field, deals=5),
    "calibration": lambda field: ginsim.calibrate("champion", field, deals=5),
    "calibration file": lambda field: CalibrationExperiment(watcher="champion", opponents=field, deals=5),
}


@pytest.mark.parametrize("study", FIELDS)
@pytest.mark.parametrize(
    "same", [SAME, ["threshold", "threshold(stop=threshold)"], ["simple", "./own.py:mine"], ["./own.py:P", "own.py:P(knock=10)"]]
)
def test_a_player_is_known_by_value(study: str, same: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = "from ginsim.games.catalog import Strategy\nmine = Strategy.parse('simple')\n"
    (tmp_path / "own.py").write_text(LEGAL + source + "class P(L):\n    def __init__(self, knock=10): self.most = knock\n")
    with pytest.raises(ValueError, match="are the same player under two names"):
        FIELDS[study](same)
    with pytest.raises(ValueError, match="twice"):
        FIELDS[study]([same[0], same[0]])


@pytest.mark.parametrize("study", ["tournament", "effect"])
def test_a_player_of_the_table_is_known_by_value(study: str) -> None:
    first: tuple[Any, ...] = (TABLE_SAME, "house") if study == "tournament" else ("house", ["(players=2)"], TABLE_SAME)
    with pytest.raises(InputError, match="expert and table_counting are the same player under two names"):
        getattr(ginsim, study)(*first, deals=5)


def test_the_cells_of_a_sweep_are_different() -> None:
    with pytest.raises(InputError, match="the same player under the same rules"):
        ginsim.sweep("threshold", {"knock": [3, 3.0]}, ["simple"], deals=5)


def test_other_players_are_not_the_same(tmp_path: Path) -> None:
    source = "a = L()\nb = L()\nb.limit = 3\nclass P(L):\n    def __init__(self, knock=10): self.most = knock\n"
    (tmp_path / "own.py").write_text(LEGAL + source)
    own = f"{tmp_path / 'own.py'}:"
    field = [f"{own}a", f"{own}b", f"{own}P", f"{own}P(knock=3)", "threshold", "threshold(knock=9)"]
    assert len(ginsim.tournament(field, deals=1, games=0).strategies) == 6


@pytest.mark.parametrize("path", ["my plans/own.py:mine", "plans (1)/own.py:mine", "a[b].py:mine"])
def test_a_path_that_needs_quotes(path: str) -> None:
    for spec in (path, f"{path}(knock=3)"):
        with pytest.raises(InputError, match="needs quotes") as error:
            Strategy.parse(spec)
        assert f"'\"{path}\"'" in str(error.value)
    with pytest.raises(InputError, match="there is no file"):
        Strategy.parse(f'"{path}"')
    code, text = command("compare", path, "simple", "--deals", "5")
    assert code == 2 and "needs quotes" in text
