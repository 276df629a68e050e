"""The command line: what it prints, what it says to bad input, and what is left after Ctrl-C."""

from __future__ import annotations

import io
import json
import os
import random
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from ginsim.cli import app, command_line, reported
from ginsim.commands.console import room
from ginsim.commands.eval import show_hand
from ginsim.simulation.journal import entries
from ginsim.study.settings import built

ROOT = Path(__file__).parent.parent
EXPERIMENTS = sorted((ROOT / "experiments").glob("*.toml"))
HAND = "8H 8D 8C 5S 6S 7S AD 4C 9H QS"


def ginsim(*words: str, code: int = 0) -> str:
    """What a command prints, on either stream."""
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_help_names_every_command() -> None:
    text = ginsim("--help")
    commands = ("eval", "run", "compare", "tournament", "list", "bench", "scoresheet", "plan", "showdown")
    assert all(command in text for command in commands)


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "simple", "random"), ("compare", "simple", "random", "--until", "decided"), ("odds", "simple", "random"),
        ("tournament", "simple", "random"), ("mixture", "novice", "expert"), ("effect", "classic25", "(knock_limit=5)"),
        ("opponent", "champion", "simple"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_help_tells_how_many_deals_are_played(words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[dict[str, Any]] = []
    for module in ("study", "opponent"):
        monkeypatch.setattr(f"ginsim.commands.{module}.run_settings", lambda settings, *more, **named: asked.append(settings))
    ginsim(*words)
    study = built(**asked[0])
    told = " ".join(ginsim(words[0], "--help").replace("│", " ").split())
    told, deals, rest = told.rpartition("--deals <int>")[2].partition(f"{study.deals:,}")
    assert deals and ")" not in told  # it is named where the option is told
    assert words[0] == "opponent" or ("a tenth of the deals" in rest if study.game_pairs else "with --until none" in rest)


def test_help_is_quick() -> None:
    def seconds() -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "ginsim", "--help"], cwd=ROOT, check=True, capture_output=True)
        return time.perf_counter() - start

    loaded = "import sys, ginsim.cli; print(*{name.split('.')[0] for name in sys.modules})"
    modules = subprocess.run([sys.executable, "-c", loaded], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
    assert {"numba", "numpy", "pandas", "matplotlib", "scipy"}.isdisjoint(modules)
    assert min(seconds() for _ in range(3)) < 2  # the budget of 0.4 s is for a quiet machine


QUICK = (
    ("eval", HAND, "--upcard", "QD"), ("eval", "8S 8H 8D 5S 6S 7S AD", "--rules", "house"), ("exact", "deadwood", "--cards", "4"),
    ("exact", "melds", "--cards", "3"), ("exact", "fill", "4H 4S 5H", "--format", "csv"),
    ("exact", "danger", "KS 7S", "--format", "json"), ("exact", "outs", HAND), ("exact", "dead"), ("list",),
    ("scoresheet", "A23 B18"), ("plan", "--win", "55%", "--power", "95%"), ("plan", "--hands", "500", "--format", "json"),
    ("showdown", "7", "18"), ("showdown", "2S 2H 2D AS 3S 9C 10C JC QC 5H", "4S 5S KD KH KS 7H 8H 9H 6D KC"),
)  # fmt: skip


@pytest.mark.parametrize("words", QUICK, ids=" ".join)
def test_quick_commands_compile_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    """Neither Numba nor pandas is even loaded, no folder for compiled code is made, and the output is that of compiled code."""
    code = "import atexit, sys; atexit.register(lambda: print(*{name.split('.')[0] for name in sys.modules}, file=sys.stderr)); "
    command = [sys.executable, "-c", code + "from ginsim.cli import main; main()", *words]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA_")}
    environment |= {"XDG_CACHE_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, encoding="utf-8")
    assert {"llvmlite", "numba", "pandas", "scipy"}.isdisjoint(done.stderr.split())
    assert not list(tmp_path.iterdir())
    assert done.stdout == ginsim(*words)


def test_plain_functions_give_what_compiled_ones_do() -> None:
    rng = random.Random(1)
    cards = [f"{rank}{suit}" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K") for suit in "SHDC"]
    near = [cards[at : at + 20] for at in (0, 16, 32)]  # neighbouring ranks, in which sets and runs compete
    asked = [(" ".join(rng.sample(rng.choice([cards, *near]), size)), rules) for size in (3, 10, 11, 14) * 5
             for rules in ("classic25", "round_the_corner")]  # fmt: skip
    code = f"from ginsim.commands.eval import show_hand; [print(show_hand(hand, None, rules)) for hand, rules in {asked!r}]"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, encoding="utf-8")
    assert done.stdout == "".join(f"{show_hand(hand, None, rules)}\n" for hand, rules in asked)


@pytest.mark.parametrize("words", [("eval", "-h"), ("exact", "-h"), ("exact", "fill", "-h"), ("nothing",), ("-h",)], ids=" ".join)
def test_one_command_alone_says_what_all_of_them_say(words: tuple[str, ...]) -> None:
    """A process leaves the options of other commands aside; help and complaints are the same."""
    environment = os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "100"}
    command = [sys.executable, "-m", "ginsim", *words]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True, encoding="utf-8")
    expected = CliRunner().invoke(app, list(words), prog_name="python -m ginsim", env={"COLUMNS": "100"})
    assert (done.returncode, done.stdout, done.stderr) == (expected.exit_code, expected.stdout, expected.stderr)


def test_version() -> None:
    assert ginsim("--version").startswith("ginsim ")


def test_eval_shows_melds_and_deadwood() -> None:
    text = ginsim("eval", HAND)
    assert "deadwood: 24" in text
    assert "8♥ 8♦ 8♣" in text
    assert "Q♠ 9♥ A♦ 4♣" in text


def test_eval_ranks_discards_of_eleven_cards() -> None:
    lines = ginsim("eval", "3H 4H 5H 6H 7S 8S 9S KC KS KH JD").splitlines()
    ranks = lines[lines.index("discards, best first (deadwood left):") + 1 :]
    assert ranks[0].split() == ["0", "J♦"]
    assert ranks[1].split() == ["10", "3♥", "6♥"]


def test_eval_upcard_may_not_go_back() -> None:
    text = ginsim("eval", "3H 4H 5H 6H 7S 8S 9S KC KS KH", "--upcard", "JD")
    assert "deadwood 0 → 10" in text
    assert "J♦ was just taken" in text


def test_eval_under_other_rules() -> None:
    hand = "QC KC AC 2C 5S 5D 5H 9C 8D JS"
    assert "deadwood: 50" in ginsim("eval", hand)
    assert "deadwood: 27" in ginsim("eval", hand, "--rules", "classic25(wrap=true)")


def test_list_names_everything_on_one_screen() -> None:
    text, whole = ginsim("list"), ginsim("list", "all")
    assert len(text.splitlines()) <= 40 and max(map(len, text.splitlines())) <= 140
    for word in ("threshold", "simple", "knock: threshold", "random_best", "classic25", "min_turns_before_knock", "house"):
        assert word in text
    named = [line.rpartition(": ")[2] for line in text.splitlines()[:-1] if line.startswith("  ")]
    assert all(word in whole for names in named for word in names.strip(", ").split(", "))


def test_all_is_listed_with_parameters() -> None:
    text = ginsim("list", "all")
    for word in ("threshold", "simple", "knock_by_turn", "strict", "random_best", "classic25", "min_turns_before_knock", "pagat"):
        assert word in text
    assert "threshold" not in ginsim("list", "presets")


@pytest.mark.parametrize(
    ("words", "there", "not_there"),
    [
        (("champion",), ["Strategies of two-player gin", "deadwood_turn"], ["champion20", "Decisions", "threshold"]),
        (("lookahead",), ["Strategies of two-player gin", "Decisions of two-player gin"], ["champion", "rollouts"]),
        (("strategies", "lookahead"), ["Strategies of two-player gin"], ["Decisions of two-player gin"]),
        (("decisions", "weighed"), ["draw", "discard", "knock"], ["threshold"]),
        (("gin", "knock_limit"), ["a whole number from 0 to 100"], ["gin_bonus"]),
        (("house",), ["the table game for 2 to 6", "Fields of house", "max_pile_draw"], ["classic25"]),
        (("expert",), ["Strategies of the table game"], ["novice"]),
    ],
    ids=" ".join,
)
def test_list_shows_one_of_them_by_name(words: tuple[str, ...], there: list[str], not_there: list[str]) -> None:
    text = ginsim("list", *words)
    assert all(word in text for word in there) and not any(word in text for word in not_there)


def test_scoresheet_settles() -> None:
    text = ginsim("scoresheet", "A23 B18 A41 - B35 A44", "--names", "Ann,Bob")
    assert "283" in text
    assert "103" in text
    assert "180" in text
    assert "Ann" in text


def test_scoresheet_reads_csv_and_hollywood(tmp_path: Path) -> None:
    file = tmp_path / "hands.csv"
    file.write_text("winner,points\nA,23\nA,41\nA,44\nB,36\n,0\nB,12\nA,17\nB,60\nB,33\n")
    assert "576" in ginsim("scoresheet", str(file), "--rules", "hollywood(shutout=double_total)")


def test_compare_prints_a_verdict() -> None:
    text = ginsim("compare", "threshold(knock=0)", "threshold(knock=10)", "--rules", "eaai", "--deals", "3000", "--seed", "7")
    assert "threshold(knock=0) is better than threshold(knock=10) with" in " ".join(text.split())
    assert "games won" in text
    few = ginsim("compare", "threshold(knock=5)", "threshold(knock=6)", "--deals", "100", "--games", "0")
    assert "is not yet clear" in " ".join(few.split())


def test_compare_into_a_folder_with_hands(tmp_path: Path) -> None:
    ginsim("compare", "simple", "random", "--deals", "60", "--games", "5", "--out", str(tmp_path), "--hands")
    hands = pd.concat(pd.read_parquet(part) for part in (tmp_path / "hands").glob("hands-*.parquet"))
    assert len(hands) == 120
    assert {"report.md", "manifest.json", "summary.csv", "endings.png"} <= {path.name for path in tmp_path.iterdir()}
    assert json.loads((tmp_path / "manifest.json").read_text())["deals"] == 60


def test_tournament_ranks() -> None:
    text = ginsim("tournament", "simple", "random", "threshold(knock=0)", "--deals", "200", "--games", "0")
    assert "threshold(knock=0) leads" in " ".join(text.split())


@pytest.mark.parametrize("path", EXPERIMENTS, ids=lambda path: path.stem)
def test_shipped_experiments_are_valid(path: Path) -> None:
    from ginsim.experiment.reading import load_experiment

    assert load_experiment(path).works()


BAD = [
    (["eval", "8H 8D 8X"], "8X"),
    (["eval", "8H 8H"], "8H"),
    (["eval", ""], "cards"),
    (["eval", HAND, "--rules", "classic26"], "classic26"),
    (["eval", HAND, "--upcard", "8H"], "8H is in the hand"),
    (["eval", HAND, "--upcard", "Z"], "Z"),
    (["compare", "simpel", "simple"], "did you mean 'simple'"),
    (["compare", "simple", "threshold(knok=3)"], "knok"),
    (["compare", "simple", "threshold(knock=1000)"], "0"),
    (["compare", "simple", "threshold(knock=3"], "knock=3"),
    (["compare", "simple", "random", "--deals", "0"], "deals: 0 is not allowed; give a whole number from 1 to 68719476736"),
    (["compare", "simple", "random", "--games", "-1"], "games: -1 is not allowed; give a whole number from 0 to"),
    (["compare", "simple", "random", "--seed", "-5"], "seed: -5 is not allowed; give a whole number from 0 to"),
    (["compare", "simple", "random", "--deals", "10", "--workers", "0"], "workers: 0"),
    (["compare", "simple", "random", "--deals", "ten"], "deals: 'ten' is not allowed; give a whole number from 1 to"),
    (["compare", "simple", "random", "--deals", "9" * 5000], "deals: '9999"),
    (["compare", "simple", "random", "--deals", "1e3"], "deals: '1e3'"),
    (["compare", "simple", "random", "--deals", "٣"], "deals: '٣'"),
    (["compare", "simple", "random", "--workers", "many"], "workers: 'many'"),
    (["compare", "simple", "random", "--out", ""], "out: '' is not allowed; give a folder"),
    (["compare", "simple", "random", "--deals", "9", "--out", "/" + "x" * 300], "cannot be used as a folder"),
    (["compare", "simple", "random", "--deals", "9", "--out", f"{__file__}/x"], "Not a directory"),
    (["compare", f"threshold(knock={'9' * 399})", "simple"], "knock=9999"),
    (["run", ""], "file: '' is not allowed; give a file"),
    (["tune", "lookahead", "--against", "simple", "--minutes", "nan"], "minutes: 'nan' is not allowed"),
    (["tune", "lookahead", "--against", "simple", "--generations", "0"], "generations: 0 is not allowed"),
    (["effect", "classic25", "(self=1)"], "ginsim: variants: there is no field 'self'"),
    (["compare", "simple", "random", "--rules", "classic26"], "rules: there is no 'classic26'; did you mean 'classic25'?"),
    (["effect", "classic25", "oklahoma", "--strategies", ""], "strategies: ''"),
    (["eval", HAND, "--rules", "classic25(self=1)"], "no field 'self'"),
    (["eval", HAND, "--upcard", ""], "upcard: '' is not one card"),
    (["eval", HAND, "--upcard", "2S 3S"], "upcard: '2S 3S' is not one card"),
    (["eval", HAND.replace("QS", "JS"), "--upcard", "KH", "--rules", "classic25(ranks=11)"], "upcard: KH not in the deck"),
    (["eval", "\x1b[31m" + "x" * 10_000], r"hand: '\x1b[31mxxx"),
    (["compare", "simple", "random", "--rules", "classic25(knock_limit=-1)"], "knock_limit=-1"),
    (["compare", "simple", "random", "--hands"], "--out"),
    (["compare", "nowhere.py:mine", "simple"], "nowhere.py"),
    (["tournament", "simple"], "strategies"),
    (["tournament", "simple", "simple"], "twice"),
    (["run", "nowhere.toml"], "nowhere.toml"),
    (["resume", "nowhere"], "results: there is no folder nowhere"),
    (["stats", "--strategy", "simple", "--knock", "7", "--turn", "1"], "turn: 1 is not allowed: classic25 allows"),
    (["stats", "--strategy", "simple", "--knock", "11", "--turn", "5"], "knock: 11 is not allowed: classic25 allows"),
    (["exact", "melds", "--out", "x.png"], "out: x.png is not allowed; give .txt, .csv or .json"),
    (["exact", "response", "simple", "--rules", "classic20"], "max_turns=200 is too many to go through exactly, 8 at most"),
    (["exact", "response", "simple", "--rules", "classic20(max_turns=4)"], "positions, 5.0e+08 at most can be gone through"),
    (["exact", "response", "simple", "--rules", "house"], "rules: house is the table game"),
    (["exact", "response", "nobody"], "there is no 'nobody'"),
    (["exact", "response", "rollout"], "strategy: the random choices of rollout cannot be counted"),
    (["exact", "response", "simple", "--out", "x.png"], "out: x.png is not allowed; give .txt, .csv or .json"),
    (["status", "nowhere"], "results: there is no folder nowhere"),
    (["merge", "nowhere", "there", "--out", "x"], "results: there is no folder nowhere"),
    (["merge", "nowhere", "--out", "x"], "merge: give two folders or more"),
    (["report", "nowhere"], "results: there is no folder nowhere"),
    (["plot", "nowhere", "--format", "gif"], "there is no folder nowhere"),
    (["validate", "nowhere.toml"], "there is no file nowhere.toml"),
    (["run", str(EXPERIMENTS[0]), "--part", "3/2"], "part: '3/2' is not allowed; write 2/5 for the second of five parts"),
    (["run", str(EXPERIMENTS[0]), "--dask", "nonsense"], "dask: "),
    (["list", "strategie"], "there is no 'strategie'; did you mean 'strategies'?"),
    (["list", "champio"], "there is no 'champio'; did you mean 'champion'?"),
    (["list", "rules", "champion"], "there is no 'champion'"),
    (["list", "table", "knock_limit"], "there is no 'knock_limit'"),
    (["list", "nothing", "champion"], "there is no 'nothing'; known: strategies, decisions, presets, charts, rules, "),
    (["bench", "--seconds", "0"], "seconds: '0' is not allowed; give a number above 0, up to 60"),
    (["bench", "--repeats", "x"], "repeats: 'x' is not allowed; give a whole number from 1 to 1000"),
    (["list", "x" * 10_000], "there is no 'xxx"),
    (["scoresheet", "A" + "1" * 5000], "result 1, 'A111"),
    (["scoresheet", "/" + "x/" * 5000 + "y.csv"], "cannot be read: File name too long"),
    (["scoresheet", "A23 C12"], "C12"),
    (["scoresheet", "A23", "--names", "Ann"], "names"),
    (["plan", "--win", "55"], "win: '55' is not clear; write 55% or, as a share of 1, 0.55"),
    (["showdown", "11", "18"], "knocker: a deadwood of 11 is too much to knock with; classic25 allows 10 or less"),
    (["nonsense"], "nonsense"),
]


@pytest.mark.parametrize(("words", "part"), BAD, ids=lambda value: " ".join(value)[:80] if isinstance(value, list) else "")
def test_bad_input_is_told_with_exit_code_2(words: list[str], part: str) -> None:
    text = ginsim(*words, code=2)
    assert part in text
    assert len(text) < 800


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("kind = 'tournament'\nstrategies = ['simple']", ["strategies"]),
        ("kind = 'turnament'\nstrategies = ['simple', 'random']", ["turnament", "tournament"]),
        ("strategies = ['simple', 'random']", ["kind"]),
        ("kind = 'compare'\na = 'simple'", ["'b' is missing"]),
        ("kind = 'compare'\na = 'simple'\nb = 'random'\ndeels = 5", ["deels", "deals"]),
        ("kind = 'compare'\na = 'simple'\nb = 'random'\ndeals = 'many'", ["deals", "many"]),
        ("kind = 'compare'\na = 'simple'\nb = 'rondom'\nrules = 'classic9'", ["rondom", "classic9"]),
        ("kind = compare", ["line 1"]),
    ],
)
def test_bad_experiment_files_name_the_key(tmp_path: Path, text: str, parts: list[str]) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text)
    output = ginsim("run", str(file), code=2)
    assert all(part in output for part in parts)


def test_an_illegal_strategy_is_named(tmp_path: Path) -> None:
    file = tmp_path / "cheat.py"
    file.write_text(
        "class Cheat:\n    def draw(self, view): return 0\n    def discard(self, view): return view.banned or 1 << 60\n"
        "    def knock(self, view): return 1\n"
    )
    output = ginsim("compare", f"{file}:Cheat", "simple", "--deals", "5", "--games", "0", code=2)
    assert all(part in output for part in ("Cheat", "illegal discard", "deal 0"))


def test_interrupt_keeps_what_is_done_and_resumes(tmp_path: Path) -> None:
    """Ctrl-C in the middle, then the printed command: the files equal those of a run without a stop."""
    result = tmp_path / "a"
    file = tmp_path / "study.toml"
    file.write_text(
        "kind = 'compare'\na = 'threshold(knock=3)'\nb = 'simple'\ndeals = 1_500_000\ngames = 20\nseed = 5\n", encoding="utf-8"
    )
    command = [sys.executable, "-m", "ginsim", "run", str(file), "--out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job, and its children, ignore it
    process = subprocess.Popen(
        [*command, str(tmp_path / "a")], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )  # fmt: skip
    signal.signal(signal.SIGINT, before)
    journal = tmp_path / "a" / "journal.jsonl"
    deadline = time.monotonic() + 600
    while not any("tally" in entry for entry in entries(journal)) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert f"Resume with:\n  ginsim resume {result}\n" in errors
    assert "1,500,020 pairs played" in ginsim("status", str(result))
    kept = journal.read_text()
    journal.write_text(kept + '\n12345678 {"torn": tr')  # a line cut short is passed over
    assert "already played" in ginsim("resume", str(result), "-q")
    assert ginsim("status", str(result)).endswith("compare, finished\n")
    subprocess.run([*command, str(tmp_path / "b")], env=environment, capture_output=True, text=True, check=True)
    for name in ("tallies.json", "summary.csv", "endings.csv"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    assert not journal.exists()


def test_run_all_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file once; what is up to date is not played again, and nothing is begun after the time."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "studies").mkdir()
    for name, deals in (("a", 20), ("b", 30)):
        text = f"kind = 'compare'\na = 'gin_only'\nb = 'simple'\ndeals = {deals}\nseed = 5\n"
        (tmp_path / "studies" / f"{name}.toml").write_text(text, encoding="utf-8")
    assert "left for the next call: b" in ginsim("run", "studies", "--all", "--minutes", "0.00001", "-q")
    text = ginsim("run", "studies", "--all", "-q")
    assert "a: up to date" in text
    assert (tmp_path / "results" / "b" / "report.md").exists()
    assert ginsim("run", "studies", "--all", "-q").count("up to date") == 2
    assert "--deals" in ginsim("run", "studies", "--all", "--deals", "5", code=2)
    assert "minutes" in ginsim("run", "studies/a.toml", "--minutes", "5", code=2)
    assert "no experiment" in ginsim("run", "results", "--all", code=2)


def test_run_of_what_is_up_to_date_says_so(tmp_path: Path) -> None:
    """Nothing is played again, but words of the file that changed are written; hands, other deals and --fresh are played."""
    file, out = tmp_path / "study.toml", tmp_path / "out"
    text = "kind = 'compare'\na = 'gin_only'\nb = 'simple'\ndeals = 20\ngames = 3\nseed = 5\n"
    file.write_text(text, encoding="utf-8")
    words = "run", str(file), "--out", str(out), "-q"
    assert "up to date" not in ginsim(*words)
    sums, saved = (json.loads((out / "manifest.json").read_text())[name] for name in ("tallies_sha256", "saved"))
    file.write_text(text + "by = 'points_per_hand'\ntitle = 'Another title'\n", encoding="utf-8")
    said = ginsim(*words)
    assert "is up to date" in said and "--fresh" in said and "points per hand" not in said
    facts = json.loads((out / "manifest.json").read_text())
    assert (facts["tallies_sha256"], facts["saved"], facts["by"]) == (sums, saved, "points_per_hand")
    assert "# Another title" in (out / "report.md").read_text(encoding="utf-8")
    assert "up to date" not in ginsim(*words, "--fresh")
    assert "up to date" not in ginsim(*words, "--hands")
    assert "up to date" in ginsim(*words, "--hands") and "up to date" in ginsim(*words)
    assert (out / "hands").is_dir()  # nothing was taken away
    assert "holds the result of another study" in ginsim(*words, "--deals", "30", code=2)


def test_a_long_list_of_results_is_no_file() -> None:
    assert "nobody has 10000 points yet" in ginsim("scoresheet", "A1 " * 5000, "--rules", "classic25(target=10000)")


@pytest.mark.parametrize("error", [PermissionError(13, "denied", "/root/x"), RecursionError(), OverflowError("int"), OSError()])
def test_what_goes_wrong_with_files_is_told(error: Exception, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as stop, reported():
        raise error
    assert stop.value.exit_code == 2
    assert capsys.readouterr().err.startswith("ginsim: ")


def test_a_damaged_encoding_is_told(tmp_path: Path) -> None:
    file = tmp_path / "hands.csv"
    file.write_bytes(b"winner,points\nA,\xff")
    assert "hands.csv' cannot be read" in ginsim("scoresheet", str(file), code=2)


EVERY = ["eval 8S", "list presets", "--help", "compare simple random --deals 3 --games 0"]


def in_shell(words: str, more: str = "", **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = f"{shlex.quote(sys.executable)} -m ginsim {words} {more}"
    return subprocess.run(["bash", "-c", command], cwd=ROOT, env={**os.environ, **environment}, capture_output=True)


@pytest.mark.parametrize("words", EVERY)
def test_output_that_nobody_takes_is_no_traceback(words: str) -> None:
    for where, told in ((">&-", b"it is closed"), (">/dev/full", b"No space left"), ("| true; exit ${PIPESTATUS[0]}", b"")):
        done = in_shell(words, where)
        assert done.returncode == 1 and told in done.stderr and b"Traceback" not in done.stderr, where
        assert bool(told) == bool(done.stderr), where


@pytest.mark.parametrize("words", EVERY)
def test_any_encoding_will_do(words: str) -> None:
    in_shell(words)  # what has to be compiled is, and says so
    for environment in (
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ):
        done = in_shell(words, **environment)
        assert (done.returncode, done.stderr) == (0, b""), environment
        assert len(done.stdout) > 20
    refused = in_shell("eval $'\\xff\\x1b[31m'", PYTHONIOENCODING="ascii")
    assert refused.returncode == 2
    assert refused.stderr.startswith(rb"ginsim: hand: '\udcff\x1b[31m' is not a card")


def test_a_narrow_terminal_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "20")
    assert room() == 80
    monkeypatch.setenv("COLUMNS", "150")
    assert room() == 150


def test_strategy_names_are_no_markup(tmp_path: Path) -> None:
    folder = tmp_path / "a[bold]b"
    folder.mkdir()
    (folder / "mine.py").write_text(
        "class Never:\n    def draw(self, view): return 0\n    def discard(self, view): return view.hand & -view.hand\n"
        "    def knock(self, view): return 0\n"
    )
    text = ginsim("compare", f"'{folder}/mine.py:Never'", "simple", "--deals", "2", "--games", "0")
    assert "a[bold]b" in text.replace("\n", "").replace(" ", "")


def test_parts_are_run_merged_and_shown_again(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text("kind = 'sweep'\nstrategy = 'threshold'\nopponents = ['simple']\ndeals = 60\n[over]\nknock = [0, 5]\n")
    parts = [str(tmp_path / str(part)) for part in (1, 2)]
    for part, folder in enumerate(parts, 1):
        assert "behind the best" in ginsim("run", str(file), "--part", f"{part}/2", "--out", folder, "-q")
    out = tmp_path / "both"
    told = ginsim("merge", *parts, "--out", str(out))
    assert "240 hands in " in told and "lacks" not in told
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    (out / "report.html").unlink()
    assert "written again" in ginsim("report", str(out))
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert ginsim("plot", str(out), "--format", "pdf").strip() == str(out / "curve.pdf")
    assert "of seed 0 have deals in common" in ginsim("merge", parts[0], parts[0], "--out", str(tmp_path / "no"), code=2)


def test_the_command_is_told_without_what_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["ginsim", "run", "a b.toml", "--workers", "2", "-q", "--dask=tcp://x:1", "--fresh", "--seed", "3", "--dask", "tcp://x:1"]
    monkeypatch.setattr(sys, "argv", words)
    assert command_line() == "ginsim run 'a b.toml' --seed 3"


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "simple", "threshold"),
        ("tournament", "simple", "threshold", "random"),
        ("mixture", "novice", "expert"),
        ("effect", "classic25", "straight"),
        ("odds", "simple", "threshold"),
        ("stats", "--strategy", "simple"),
    ],
    ids=lambda words: words[0],
)
def test_other_programs_are_given_the_tables(words: tuple[str, ...]) -> None:
    csv, found = (CliRunner().invoke(app, [*words, "--deals", "20", "--format", form, "--quiet"]) for form in ("csv", "json"))
    assert csv.exit_code == found.exit_code == 0, csv.output
    facts = json.loads(found.stdout)
    answer, first = facts.pop("answer"), next(name for name in facts if name != "answer")
    one, other = pd.read_csv(io.StringIO(csv.stdout)), pd.DataFrame(facts[first])
    assert list(one.columns) == list(other.columns) and len(one) == len(other) > 0
    for name in one.select_dtypes("number"):
        np.testing.assert_allclose(one[name].astype(float), other[name].astype(float), rtol=1e-12, atol=1e-15)
    assert answer.endswith(".")
    wrong = CliRunner().invoke(app, [*words, "--format", "xml"])
    assert wrong.exit_code == 2 and "format: there is no 'xml'; known: table, csv, json" in wrong.output


def test_the_tables_for_other_programs_are_those_that_are_saved(tmp_path: Path) -> None:
    words = ["compare", "simple", "threshold", "--deals", "20", "--out", str(tmp_path / "out"), "--quiet"]
    told = CliRunner().invoke(app, [*words, "--format", "json"])
    facts = json.loads(told.stdout)
    assert f"**Answer.** {facts['answer']}" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert "Report, tables and plots: " in told.stderr
    table, saved = pd.DataFrame(facts["summary"]), pd.read_parquet(tmp_path / "out" / "summary.parquet")
    assert list(table.columns) == list(saved.columns) and table["measure"].tolist() == saved["measure"].tolist()
    np.testing.assert_allclose(table["estimate"].astype(float), saved["estimate"], rtol=1e-12)
