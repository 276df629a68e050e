"""Mutants of everything that ginsim reads: each is used or told to be wrong, soon, and never with a traceback.

A few of each sort are tried; ``GINSIM_FUZZ=1000 pytest tests/test_fuzz.py`` tries a thousand. Mutant ``i`` is a function of its
sort and ``i``, so what failed fails again.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import random
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from ginsim import save
from ginsim.cards import format_hand, parse_hand
from ginsim.cli import app, reported
from ginsim.commands.eval import show_hand
from ginsim.commands.exact import show_danger, show_fill
from ginsim.commands.scoresheet import show as show_scoresheet
from ginsim.commands.study import show_again, show_merged, show_result, show_status
from ginsim.experiment.loading import load_results
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import resume, run_experiment
from ginsim.experiment.saved import CHECKSUM, manifest_text
from ginsim.games.catalog import Strategy, rules_of
from ginsim.games.gin.position import read_position
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.table.rules import TableRules
from ginsim.report import folder as saving
from ginsim.report.sheets import sheet_of
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.journal import JOURNAL, _line, entries
from ginsim.specs import parse_spec, split_specs
from ginsim.study.base import kinds
from ginsim.study.effect import check_variants
from ginsim.study.kept import MANIFEST, TALLIES
from tests.helpers import Stop

ROOT = Path(__file__).parent.parent
MANY = int(os.environ.get("GINSIM_FUZZ", "24"))
SECONDS = 30
"""What one mutant may take."""

NASTY: list[Any] = [
    None, True, False, 0, -1, 1, 7, 2**31, 2**63 - 1, 2**63, -(2**63), 10**30, 0.5, -1.5, 1e308, float("nan"), float("inf"),
    "", " ", "simple", "threshold(knock=4)", "house", "classic25", "(knock_limit=5)", "1/2", "0/0", "9" * 5000, "\x1b[31mred",
    "a\nb", "`x`", "![x](http://x)", "=1+1", "♠", "\ud800", "../../x", "x" * 10_000, [], [[]], {}, {"": 0}, [None], ["simple"],
    [[0, 1]], [[0, -1]], {"a": {"b": [1]}},
]  # fmt: skip
WORDS = [
    "nan", "inf", "-inf", "1e400", "0", "-1", "9" * 400, "2" * 5000, "true", "none", "[]", "[[1]]", "{}", "{a = 1}", "()", "(",
    ")", ",", "=", "'", '"', "\\", "`", "\x00", "\x1b[2J", "♠", "10♠", "T", "🂡", "é", "\u202e", "house", "simple", "a.py:b",
    "~nobody/x.py:y", "/dev/null", "knock=4", "=4", "wrap", "rules.", "1/2", "#", "[x]", "[[x]]", "\n", "  ",
]  # fmt: skip


def mutated(text: str, rnd: random.Random, words: list[str] = WORDS) -> str:
    """The text with a few changes: characters, words and lines taken out, doubled, exchanged or brought in."""
    for _ in range(rnd.choice((1, 1, 1, 2, 3, 6))):
        at, end = sorted(rnd.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + rnd.choice((1, 1, 3, 10, 40)))
        lines = text.splitlines(keepends=True)
        text = rnd.choice(
            [
                text[:at] + text[end:],
                text[:end] + text[at:],
                text[:at] + rnd.choice(words) + text[at:],
                text[:at] + rnd.choice(words) + text[end:],
                "".join(rnd.sample(lines, len(lines))) if len(lines) < 30 else text[at:],
                "".join(line for line in lines if rnd.random() < 0.9),
                text.replace(rnd.choice(text.split() or [" "]), rnd.choice(words)),
                text[:at],
            ]
        )
    return text


def mutated_tree(tree: Any, rnd: random.Random) -> Any:
    """A tree of JSON with a branch or leaf replaced, taken out, doubled or brought in."""
    if isinstance(tree, dict | list) and tree and rnd.random() < 0.85:
        keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
        key, copy = rnd.choice(keys), tree.copy()
        if (chance := rnd.random()) < 0.06:
            copy.pop(key)
        elif chance < 0.1:
            if isinstance(copy, dict):
                copy[rnd.choice(["x", "", str(key) + "_", "\x1b[2J"])] = rnd.choice([copy[key], *NASTY])
            else:
                copy.insert(key, rnd.choice([copy[key], *NASTY]))
        else:
            copy[key] = mutated_tree(copy[key], rnd)
        return copy
    if type(tree) is int and rnd.random() < 0.5:
        return rnd.choice([tree + 1, tree - 1, -tree, 2 * tree, tree * 10**6, float(tree), str(tree)])
    return rnd.choice(NASTY)


@contextmanager
def soon() -> Iterator[None]:
    """Fail if it takes too long."""

    def late(*_: Any) -> None:
        raise AssertionError(f"it took more than {SECONDS} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


class Trial:
    """What a sort of mutants did: the faults, each once."""

    def __init__(self) -> None:
        self.faults: dict[object, Exception] = {}

    def survives(self, what: object, *actions: Callable[[], Any]) -> None:
        """Each action does its work or tells what is wrong, as a command would; anything else is a fault of this mutant."""
        for action in actions:
            try:
                with soon(), warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # of sums that are possible, but odd
                    with reported():
                        action()
            except typer.Exit:  # told
                continue
            except Exception as error:
                error.add_note(f"mutant: {what!r}"[:3000])
                place = error.__traceback__
                while place and place.tb_next:
                    place = place.tb_next
                self.faults.setdefault((type(error), place and (place.tb_frame.f_code, place.tb_lineno)), error)

    def over(self, capsys: pytest.CaptureFixture[str]) -> None:
        """No mutant had a fault, and what was printed steers no terminal."""
        printed = capsys.readouterr()
        if self.faults:
            raise ExceptionGroup("mutants that are not told", list(self.faults.values()))
        for text in printed:
            assert "Traceback" not in text
            assert all(c.isprintable() or c == "\n" for c in text)


def mutants(sort: str) -> Iterator[tuple[int, random.Random]]:
    for i in range(MANY):
        yield i, random.Random(f"{sort} {i}")


# --- experiment files --------------------------------------------------------------------------------------------------


def test_experiment_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted((ROOT / "experiments").rglob("*.toml"))
    texts = [file.read_text(encoding="utf-8") for file in files]
    path, trial = tmp_path / "x.toml", Trial()
    for i, rnd in mutants("files"):
        text = mutated(texts[i % len(texts)], rnd, [*WORDS, *rnd.choice(texts).splitlines(keepends=True)])
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        trial.survives(text, lambda: load_experiment(path).own_works())
    trial.over(capsys)


# --- specs -------------------------------------------------------------------------------------------------------------

RULES = [*PRESETS, "classic25(knock_limit=5, wrap=true)", "pagat(big_gin_bonus=none, tie=push)", "eaai(hand_size=7, ranks=11)"]
TABLE_RULES = ["house", "house(players=2, wrap=false)", "house(players=6, hand_size=none, blocked=lowest)"]
PLAYERS = [
    "simple", "threshold(knock=4)", "threshold(knock_by_turn=[10, 3, 0], draw=strict)", "champion", "lookahead", "rollout",
    "custom(draw=meld, discard=highest)", "random", "some/file.py:name(a=1)", "'with space.py:name'",
]  # fmt: skip
TABLE_PLAYERS = ["table_random", "table_counting(mining=2)", "novice", "expert", "file.py:name"]
READERS: list[tuple[list[str], Callable[[str], Any]]] = [
    (RULES, Rules.parse),
    (TABLE_RULES, TableRules.parse),
    ([*RULES, *TABLE_RULES], rules_of),
    (PLAYERS, Strategy.parse),
    (TABLE_PLAYERS, Strategy.parse),
    ([*RULES, *PLAYERS], parse_spec),
    (["simple, threshold(knock=4), file.py:name", "a(b=[1, 2]), c"], split_specs),
    (["(knock_limit=5)", "(wrap=true, ranks=10)", "oklahoma"], lambda text: check_variants(Rules(), [text])[0]),
]


def test_specs(capsys: pytest.CaptureFixture[str]) -> None:
    def again(read: Callable[[str], Any], text: str) -> None:
        found = read(text)
        if not isinstance(found, list):
            assert read(str(found)) == found

    trial = Trial()
    for i, rnd in mutants("specs"):
        texts, read = READERS[i % len(READERS)]
        text = mutated(rnd.choice(texts), rnd)
        trial.survives(text, functools.partial(again, read, text))
    trial.over(capsys)


# --- hands and moments -------------------------------------------------------------------------------------------------

HANDS = [
    "8H 8D 8C 5S 6S 7S AD 4C 9H QS", "8h,8d,8c;5s 6s 7s ad 4c 9h qs", "8♥8♦8♣5♠6♠7♠A♦4♣9♥Q♠", "TS 10H 1D AS KC", "7S",
    "3H 4H 5H 6H 7S 8S 9S KC KS KH JD", "♠",
]  # fmt: skip
RESULTS = ["A23 B18 A41 - B35 A44", "A23,B18", "-", "A1 " * 60]


def hand_again(text: str) -> None:
    assert parse_hand(format_hand(parse_hand(text))) == parse_hand(text)


def try_hand(trial: Trial, rnd: random.Random) -> None:
    hand, card = (mutated(rnd.choice(texts), rnd) for texts in (HANDS, ["7S", "10♠", "AD 2D", "KH"]))
    rules = rnd.choice([*RULES, *TABLE_RULES, mutated(rnd.choice(RULES), rnd)])
    results, names = mutated(rnd.choice(RESULTS), rnd), mutated("Ann,Bob", rnd)
    mask, number = rnd.choice([rnd.getrandbits(64), -1, 0, 1 << 63, 2.5, None, True]), mutated("1,2,5", rnd)
    upcard, draws, turn = rnd.choice([card, None]), rnd.choice([None, number]), rnd.choice([None, 3])
    trial.survives(
        (hand, card, rules, results, names, mask, number),
        lambda: hand_again(hand),
        lambda: format_hand(parse_hand(mask)),
        lambda: show_hand(hand, upcard, rules),
        lambda: show_fill(card, hand, "", draws, rules, rnd.choice(["table", "csv", "json"]), None),
        lambda: show_danger(card, "", card, rules, "table", None),
        lambda: show_scoresheet(results, rules, names),
        lambda: read_position(Rules.parse(rules), hand, card, hand, card, card, card, turn, False, None, None),
    )


def test_hands(capsys: pytest.CaptureFixture[str]) -> None:
    trial = Trial()
    for _, rnd in mutants("hands"):
        try_hand(trial, rnd)
    trial.over(capsys)


# --- command lines -----------------------------------------------------------------------------------------------------

COMMANDS: list[list[str]] = [
    ["eval", HANDS[0], "--upcard", "2H", "--rules", "pagat"],
    ["exact", "fill", "4H 4S 5H", "--seen", "KD", "--draws", "1,2", "--format", "json"],
    ["exact", "danger", "KS 7S", "--known", "KH", "--rules", "round_the_corner"],
    ["exact", "melds", "--cards", "3", "--format", "csv"],
    ["exact", "deadwood", "--cards", "3", "--holding", "7S", "--without", "8S", "--rules", "eaai(ranks=5, hand_size=3)"],
    ["scoresheet", RESULTS[0], "--names", "Ann,Bob", "--rules", "hollywood"],
    ["list", "presets"],
    ["validate", "experiments/presets.toml", "nowhere.toml"],
    ["status", "results", "nowhere"],
    ["merge", "nowhere", "there", "--out", "x"],
    ["compare", "simpel", "random", "--rules", "classic25", "--deals", "10", "--seed", "1", "--part", "1/2"],
    ["stats", "--strategy", "simpel", "--rules", "(wrap=true)", "--knock", "7", "--turn", "5"],
    ["effect", "classic25", "(wrap=true)", "classic20", "--strategies", "simpel, random"],
    ["run", "nowhere.toml", "--deals", "5", "--minutes", "1", "--all"],
    ["replay", "simpel", "random", "--deal", "1", "--seed", "2", "--play", "1", "--format", "text"],
    ["play", "--against", "simpel", "--rules", "classic25", "--seed", "3", "--second"],
    ["advise", "7S 8S", "--upcard", "KH", "--seen", "2H", "--turn", "3", "--score", "10", "20", "--rollouts", "2"],
]


def try_command(trial: Trial, i: int, rnd: random.Random) -> None:
    words = COMMANDS[i % len(COMMANDS)].copy()
    at = rnd.randrange(1, len(words))
    words[at] = mutated(words[at], rnd)
    if rnd.random() < 0.2:
        words.insert(at, rnd.choice([*WORDS, rnd.choice(rnd.choice(COMMANDS))]))

    def called() -> None:
        result = CliRunner().invoke(app, words)
        assert result.exit_code in (0, 2), result.output
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert all(c.isprintable() or c in "\n\t" for c in result.output) or "Usage:" in result.output

    trial.survives(words, called)


def test_command_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    trial = Trial()
    for i, rnd in mutants("commands"):
        try_command(trial, i, rnd)
    trial.over(capsys)


# --- result folders ----------------------------------------------------------------------------------------------------

SMALL: dict[str, dict[str, Any]] = {
    "compare": {"a": "simple", "b": "threshold(knock=3)"},
    "sweep": {"strategy": "threshold", "over": {"knock": [0, 5]}, "opponents": ["simple"]},
    "effect": {"variants": ["(knock_limit=5)", "straight"], "strategies": ["simple", "threshold(knock=3)"]},
    "map": {
        "strategies": ["simple", "threshold(knock=3)"],
        "x": {"field": "gin_bonus", "values": [0, 25]},
        "y": {"field": "undercut_bonus", "values": [0, 25]},
    },
    "tournament": {"strategies": ["simple", "threshold(knock=3)", "threshold(knock=0)"]},
    "factorial": {"strategy": "threshold", "factors": {"knock": [0, 5], "draw": ["meld", "strict"]}, "opponents": ["simple"]},
    "statistics": {"strategies": ["simple"], "games": 0},
    "compare at the table": {"a": "table_random", "b": "novice", "rules": "house"},
    "effect at the table": {"variants": ["(players=2)"], "strategies": ["novice"], "rules": "house", "games": 0},
    "calibration": {"watcher": "champion", "opponents": ["simple"]},
    "error_rates": {"a": "simple", "b": "threshold(knock=3)", "comparisons": 30, "until": {"points": 5.0, "first": 30}},
    "solve": {"strategy": "threshold", "deals": 100, "knows": ["unmatched"]},
    "odds": {"a": "simple", "b": "threshold(knock=3)"},
    "adaptation": {"strategies": ["threshold"], "variants": ["(gin_bonus=0)", "(knock_limit=5)"], "deals": 100},
    "gauntlet": {"challengers": ["simple"], "opponents": ["threshold(knock=0)", "threshold"]},
    "mixture": {"seats": ["table_random", "novice"], "rules": "house(players=2)", "games": 0},
    "coverage": {"a": "simple", "b": "threshold(knock=3)", "deals": 300, "samples": 30},
}
TRIED = list(SMALL)[: 4 if MANY < 100 else None]


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures take longest; a long trial draws some of them."""
    monkeypatch.setattr(saving, "sheet_of", lambda result: replace(sheet_of(result), pictures={}))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished result of each kind, and a run of each that was stopped."""
    where = tmp_path_factory.mktemp("results")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(saving, "sheet_of", lambda result: replace(sheet_of(result), pictures={}))
        for name in TRIED:
            kind = name.split()[0]
            study = kinds()[kind].experiment.model_validate({"kind": kind, "deals": 40, "seed": 5} | SMALL[name])
            run_experiment(study, where / name, save, 1, keep_hands=study.keeps_hands)
            try:
                run_experiment(study, where / f"{name}-cut", save, 1, Stop(), keep_hands=study.keeps_hands)
            except Interrupted:
                continue
            shutil.rmtree(where / f"{name}-cut")  # it was played in one piece
    return where


def sealed(folder: Path, name: str, tree: Any) -> None:
    """Write a changed file of a result with checksums that are right, so that what it says is looked at."""
    def dumped(tree: Any) -> str:
        return json.dumps(tree, indent=1)

    facts = json.loads((folder / MANIFEST).read_bytes())
    if name == TALLIES:
        (folder / TALLIES).write_text(dumped(tree))
        facts["tallies_sha256"] = hashlib.sha256((folder / TALLIES).read_bytes()).hexdigest()
    else:
        facts = tree
    if isinstance(facts, dict):
        facts.pop(CHECKSUM, None)
        try:
            text = manifest_text(facts)
        except (ValueError, TypeError):  # such as nan
            text = dumped(facts)
        (folder / MANIFEST).write_bytes(text.encode("utf-8", "surrogatepass"))
    else:
        (folder / MANIFEST).write_text(dumped(facts))


def kept_hands(result: Any) -> Any:
    return result.hands() if callable(getattr(result, "hands", None)) else None


def try_folder(trial: Trial, i: int, rnd: random.Random, result: Path, folder: Path) -> None:
    shutil.copytree(result, folder)
    name, out = rnd.choice([MANIFEST, MANIFEST, TALLIES]), folder / "merged"
    path = folder / name
    if rnd.random() < 0.8:
        tree = json.loads(path.read_bytes())
        for _ in range(rnd.choice((1, 1, 2, 4))):
            tree = mutated_tree(tree, rnd)
        sealed(folder, name, tree)
    else:
        path.write_bytes(mutated(path.read_text(encoding="utf-8"), rnd).encode("utf-8", "surrogatepass"))
    if rnd.random() < 0.2 and (parts := list(folder.rglob("*.parquet"))):
        part = rnd.choice(parts)
        part.write_bytes(part.read_bytes()[: rnd.randrange(2000)])
    trial.survives(
        (i, result.name, name, path.read_bytes()[:2000]),
        lambda: show_result(load_results(folder)),
        lambda: show_status([folder]),
        lambda: show_merged([folder, result], out),
        lambda: show_again(folder),
        lambda: kept_hands(load_results(folder)),
    )
    if MANY > 100 and i % 20 == 0:
        trial.survives((i, name), lambda: [draw() for draw in sheet_of(load_results(folder)).pictures.values()])
    shutil.rmtree(folder)


def test_result_folders(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trial = Trial()
    for i, rnd in mutants("folders"):
        try_folder(trial, i, rnd, whole / TRIED[i % len(TRIED)], tmp_path / str(i))
    trial.over(capsys)


def try_journal(trial: Trial, i: int, rnd: random.Random, cut: Path, folder: Path) -> None:
    shutil.copytree(cut, folder)
    path = folder / JOURNAL
    if rnd.random() < 0.8:
        found = list(entries(path))
        at = rnd.randrange(len(found))
        found[at] = mutated_tree(found[at], rnd)
        path.write_text("".join(map(_line, found)))
    else:
        path.write_bytes(mutated(path.read_text(encoding="utf-8"), rnd).encode("utf-8", "surrogatepass"))
    trial.survives((i, cut.name, path.read_bytes()), lambda: show_status([folder]), lambda: resume(folder, save, 1))
    shutil.rmtree(folder)


def test_journals(whole: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trial, cut = Trial(), sorted(whole.glob("*-cut"))
    assert cut
    for i, rnd in mutants("journals"):
        try_journal(trial, i, rnd, cut[i % len(cut)], tmp_path / str(i))
    trial.over(capsys)
