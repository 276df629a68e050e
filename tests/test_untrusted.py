"""What a stranger's file, a full disk or a small terminal can do: nothing that is not told, and nothing unsafe."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

from ginsim import InputError, best_discard, compare, error_rates, load_results, merge, rank_discards, save, sweep, tournament
from ginsim.cli import app
from ginsim.commands import tell
from ginsim.commands.console import print_tables
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.experiment.saved import CHECKSUM, manifest_text
from ginsim.files import append_text, csv_text
from ginsim.report import folder as saving
from ginsim.report.folder import save_again, save_result
from ginsim.report.html import html_page
from ginsim.report.markup import plain_text, without_links
from ginsim.report.sheets import sheet_of
from ginsim.report.texts import Texts
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.journal import JOURNAL, _line, entries
from ginsim.study.base import kinds
from ginsim.study.compare import Comparison
from ginsim.study.kept import MANIFEST, TALLIES
from ginsim.study.settings import checked_settings
from tests.helpers import Stop

ROOT = Path(__file__).parent.parent
EVIL = "![a](http://evil.example/a.png) <img src=http://evil.example/b> [c](http://evil.example/c)\n\n# d\n\n\x1b[31m`e` **f**"


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saving, "sheet_of", lambda result: replace(sheet_of(result), pictures={}))


def ginsim(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result.output


def study(**more: Any) -> Any:
    settings: dict[str, Any] = {"kind": "compare", "a": "simple", "b": "threshold(knock=3)", "deals": 60, "games": 5, "seed": 5}
    return kinds()["compare"].experiment.model_validate(settings | more)


@pytest.fixture(scope="module")
def played() -> Comparison:
    return compare("simple", "threshold(knock=3)", deals=60, games=5, seed=5)


@pytest.fixture
def folder(played: Comparison, tmp_path: Path) -> Path:
    return save_result(played, tmp_path / "result")


def change(folder: Path, edit: Callable[[dict[str, Any]], Any]) -> None:
    """Change the manifest, with the right checksum."""
    facts = json.loads((folder / MANIFEST).read_bytes())
    facts.pop(CHECKSUM)
    edit(facts)
    (folder / MANIFEST).write_text(manifest_text(facts), encoding="utf-8")


# --- reports, tables, terminals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["title", "question", "asked", "changed", "command"])
def test_texts_of_a_manifest_stay_words(field: str, folder: Path) -> None:
    change(folder, lambda facts: facts.update({field: EVIL, "experiment": "kind = 'x'\n```\n" + EVIL}))
    save_again(folder)
    page, markdown = (folder / "report.html").read_text(), (folder / "report.md").read_text()
    assert "evil.example" in page
    assert not re.search(r"<(img|a) ", page) and "\x1b" not in page + markdown
    outside = re.sub(r"(?ms)^(`{3,})\w+\n.*?^\1$|!\[[^\]]*\]\(\w+\.png\)", "", markdown)
    assert not re.search(r"(?<!\\)[\[<]", outside) and not re.search(r"(?<!\\)://", outside)


def test_a_claim_stays_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    case = f"when = {json.dumps(EVIL)}\nwho = {json.dumps(EVIL)}\nfigure = 'points_per_hand'\nat_least = 0.0\n"
    claim = f"[claim]\ntext = {json.dumps(EVIL)}\nmeaning = {json.dumps(EVIL)}\n[[claim.cases]]\n{case}"
    (tmp_path / "c.toml").write_text(f"kind = 'compare'\na = 'simple'\nb = 'random'\ndeals = 50\n{claim}", encoding="utf-8")
    told = ginsim("claims", "c.toml", "--out", "out", "-q")
    assert "\x1b" not in told
    page = (tmp_path / "out" / "README.md").read_text()
    assert "http://" not in page and r"!\[a\](http\://evil" in page and "\n# d" not in page
    assert "<img" not in (tmp_path / "out" / "c" / "report.html").read_text()


def test_only_own_pictures_are_shown() -> None:
    text = "# T\n\n![own](a.png)\n\nand ![far](http://x/y.png), [link](http://x), <http://x>\n"
    page = html_page(text, {"a.png": "<svg></svg>"})
    assert "<figure>" in page and "<img" not in page and "href" not in page and "and far," in page


@pytest.mark.parametrize("text", ["simple (a, b): c_d, 1.5 – 2 %?", "knock_by_turn=10", "Is 7 > 4"])
def test_common_texts_are_left_alone(text: str) -> None:
    assert plain_text(text).replace("\\", "") == text and without_links(text) == text


def test_nothing_printed_steers_the_terminal(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    tell("a\x1b[2Jb\r\x07")
    assert capsys.readouterr().out == "a\\x1b[2Jb\\r\\x07\n"
    print_tables([Texts(("h\x1b[2J",), [("c\x1b]0;title\x07d",), ("[red]e[/red]",)], title="t\r", caption="f\x07")])
    text = capsys.readouterr().out
    assert "\x1b" not in text and "\x07" not in text and "\r" not in text
    assert r"c\x1b]0;title\x07d" in text and "[red]e[/red]" in text
    change(folder, lambda facts: facts.update(strategies=["sim\x1b[31mple", "threshold(knock=3)"]))
    assert r"a name cannot contain '\x1b'" in ginsim("report", str(folder), code=2)


def test_names_in_experiments_stay_names(tmp_path: Path) -> None:
    (tmp_path / "a`b.py").write_text(
        "class A:\n def draw(self, view): return 0\n def discard(self, view): return 1\n def knock(self, view): return 0\n"
    )
    file, own = tmp_path / "x.toml", f"'{tmp_path}/a`b.py:A'"
    sweep = f"sweep'\nstrategy = {own}\nopponents = ['simple']\nover = {{'rules.gin_bonus' = [1, 2]}}"
    for text in (f"compare'\na = 'simple'\nb = {own}", sweep):
        file.write_text(f"kind = '{text}\n")
        with pytest.raises(InputError, match="a name cannot contain '`'"):
            load_experiment(file)


def test_cells_are_no_formulas() -> None:
    frame = pd.DataFrame({"=a": ["=1+1", "+x", "-x.py:y", "@x", "-1.5", "+3"], "b": [-1.5, 2.0, float("-inf"), 0.0, -1e-9, 1.0]})
    assert csv_text(frame, index=False).splitlines() == [
        "'=a,b", "'=1+1,-1.5", "'+x,2.0", "'-x.py:y,-inf", "'@x,0.0", "-1.5,-1e-09", "+3,1.0",
    ]  # fmt: skip


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_suits_are_letters_where_symbols_are_lacking(encoding: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    words = [sys.executable, "-m", "ginsim", "eval", "8H 8D 8C 5S 6S 7S AD 4C 9H QS", "--upcard", "2♥"]
    done = subprocess.run(words, env=environment, check=True, capture_output=True)
    text = done.stdout.decode(encoding)
    assert "8H 8D 8C" in text and "taking 2H: deadwood 24 -> 16" in text and "?" not in text


# --- manifests, journals, parts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", 5), ("question", ["x"]), ("command", None), ("experiment", {}), ("study", 1.5), ("asked", False),
        ("changed", 0),
        ("shares", 5), ("shares", [5]), ("shares", [{"seed": 1}]), ("shares", [{"seed": 1, "part": "x", "deals": 1, "games": 0}]),
        ("files", "abc"), ("files", [1]), ("records_kept", [None]), ("machine", []), ("wall_seconds", "1"), ("wall_seconds", -1),
        ("strategies", []), ("strategies", [1, 2]), ("seed", []), ("seed", -1), ("seed", 1 << 70), ("deals", "60"),
        ("deals", None),
        ("rules", []), ("rules", {"fields": []}), ("rules", {"fields": {"self": 1}}), ("kind", []), ("hands_per_second", "x"),
        ("strategy_files", [[]]),
    ],
)  # fmt: skip
def test_manifests_of_wrong_types_are_told(field: str, value: Any, folder: Path, tmp_path: Path) -> None:
    change(folder, lambda facts: facts.update({field: value}))
    for action in (load_results, status, save_again, lambda where: merge([where, where], tmp_path / "out")):
        with pytest.raises(InputError, match=r"results: .*manifest\.json|merge: "):
            action(folder)


def test_a_manifest_that_is_no_table_is_told(folder: Path) -> None:
    for text in ("[]", "5", "null", '"x"', '{"kind": NaN}'):
        (folder / MANIFEST).write_text(text)
        with pytest.raises(InputError, match="is damaged"):
            load_results(folder)


def interrupted(folder: Path) -> Path:
    with pytest.raises(Interrupted):
        run_experiment(study(), folder, save, 1, Stop(1))
    return folder


PIECE = {"key": "0-1", "phase": "hands", "ranges": [[0, 1]], "tally": [1], "elapsed": 0.1, "records": None}


@pytest.mark.parametrize(
    "more",
    [
        {"tally": 5}, {"tally": [1.5]}, {"tally": ["1"]}, {"tally": [1 << 70]}, {"tally": None}, {"tally": [[1]]},
        {"tally": [True]},
        {"ranges": []}, {"ranges": [[0]]}, {"ranges": [[0, 0]]}, {"ranges": [[-5, 3]]}, {"ranges": 5}, {"ranges": [["a", 1]]},
        {"ranges": [[0, 5], [3, 5]]}, {"key": 5}, {"key": None}, {"phase": []}, {"elapsed": "x"}, {"elapsed": None}, {"study": 5},
    ],
)  # fmt: skip
def test_pieces_of_the_wrong_shape_are_played_again(more: dict[str, Any], tmp_path: Path) -> None:
    cut = interrupted(tmp_path / "cut")
    header = next(entries(cut / JOURNAL))
    bad = {"study": header["study"]} | PIECE | more
    (cut / JOURNAL).write_text(_line(header) + _line(bad) + "00000000 []\n" + f"{0x0C1D8A2B:08x} 5\n")
    assert status(cut).done == 0
    resume(cut, save, 1)
    whole = run_experiment(study(), tmp_path / "whole", save, 1)
    assert load_results(cut) == whole


@pytest.mark.parametrize(
    "more", [{"tally": [1, 2, 3]}, {"ranges": [[1000, 5]]}, {"tally": []}, {"key": "simple"}, {"phase": "x"}]
)
def test_pieces_of_another_study_are_told(more: dict[str, Any], tmp_path: Path) -> None:
    cut = interrupted(tmp_path / "cut")
    header, *pieces = entries(cut / JOURNAL)
    (cut / JOURNAL).write_text(_line(header) + _line(pieces[0] | more))
    with pytest.raises(InputError, match="start over with --fresh"):
        resume(cut, save, 1)


@pytest.mark.parametrize(
    "more", [{"experiment": 5}, {"experiment": {}}, {"hands": 1}, {"pairs": "x"}, {"from": None}, {"changed": [1]}]
)
def test_a_damaged_header_is_told(more: dict[str, Any], tmp_path: Path) -> None:
    cut = interrupted(tmp_path / "cut")
    header, *pieces = entries(cut / JOURNAL)
    (cut / JOURNAL).write_text("".join(map(_line, [header | more, *pieces])))
    for action in (status, lambda where: resume(where, save)):
        with pytest.raises(InputError, match=r"is damaged: its header, .*, cannot be read; run the same study"):
            action(cut)
    said: list[str] = []
    assert run_experiment(study(), cut, save, 1, report=said.append) == run_experiment(study(), tmp_path / "whole", save, 1)
    assert "going on with" in said[0]


def test_nothing_is_written_while_a_run_is_going_on(folder: Path, tmp_path: Path) -> None:
    other = run_experiment(study(seed=6), tmp_path / "6", save, 1)
    seen: list[str] = []

    def meanwhile(*_: Any) -> None:
        for action in (lambda: merge([folder, tmp_path / "6"], tmp_path / "run"), lambda: save_again(tmp_path / "run")):
            try:
                action()
            except InputError as error:
                seen.append(str(error))

    shutil.copytree(folder, tmp_path / "run")
    run_experiment(study(seed=7), tmp_path / "run", save, 1, meanwhile, replace=True)
    assert seen and all("another run is in progress" in text for text in seen)
    assert load_results(tmp_path / "run").seed == 7 and other.seed == 6


def test_stray_parts_are_not_counted(tmp_path: Path) -> None:
    run_experiment(study(), tmp_path, save, 1, keep_hands=True)
    part = next((tmp_path / "hands").glob("*.parquet"))
    for name in ("hands-copy.parquet", f"{part.stem} (1).parquet", "hands-0-1-5.parquet"):
        shutil.copy(part, part.with_name(name))
    assert len(load_results(tmp_path).hands()) == 120
    save_again(tmp_path)
    assert not any("copy" in name or "(1)" in name for name in json.loads((tmp_path / MANIFEST).read_text())["files"])
    shutil.copy(part, part.with_name("hands-0-1-000000999999.parquet"))
    with pytest.raises(InputError, match=r"holds 240 hands, but 120 were played"):
        load_results(tmp_path).hands()
    part.write_bytes(b"PAR1")
    with pytest.raises(InputError, match="is damaged"):
        load_results(tmp_path).hands()


# --- a full disk, too little memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", ["journal", "tallies"])
def test_a_full_disk_names_the_file_and_how_to_go_on(at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    replaced, pieces = Path.replace, []

    def add(path: Path, text: str) -> None:
        """The header of a journal can be written, and a piece."""
        pieces.append(text)
        append_text(path, text) if len(pieces) < 3 else full()

    with monkeypatch.context() as patch:
        if at == "journal":
            patch.setattr("ginsim.simulation.journal.append_text", add)
        else:
            patch.setattr(Path, "replace", lambda p, to: full() if "tallies" in p.name else replaced(p, to))
        words = ["compare", "simple", "threshold(knock=3)", "--deals", "60", "--games", "5", "--out", str(tmp_path / "out"), "-q"]
        text = ginsim(*words, code=2)
    assert f"{JOURNAL if at == 'journal' else TALLIES}': No space left on device" in text
    assert f"ginsim resume {tmp_path / 'out'}" in text
    assert "Report, tables" in ginsim("resume", str(tmp_path / "out"), "-q")


def test_too_little_memory_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def greedy(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("ginsim.commands.eval.show_hand", greedy)
    assert "not enough memory" in ginsim("eval", "7S", code=2)
    with monkeypatch.context() as patch:
        patch.setattr("ginsim.study.base.execute", greedy)
        words = ["compare", "simple", "random", "--deals", "60", "--out", str(tmp_path / "out"), "-q"]
        text = ginsim(*words, code=2)
    assert "not enough memory" in text and "ginsim resume" in text


# --- long files, numbers that are none, near misses --------------------------------------------------------------------

BASE = 'kind = "compare"\na = "simple"\nb = "random"\n'


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (BASE + "".join(f"key{i} = 1\n" for i in range(20_000)), "20,000 mistakes; here are the first 50"),
        ('kind = "tournament"\nstrategies = [' + ", ".join(f'"simpel{i}"' for i in range(20_000)) + "]\n", "at most 256"),
        ('kind = "tournament"\nstrategies = [' + ", ".join(f'"simpel{i}"' for i in range(256)) + "]\n", "did you mean 'simple'?"),
        (BASE + 'title = "' + "x" * 2_000_000 + '"\n', "more than 1,000,000 bytes"),
        (BASE + ".".join("a" * 20_000) + " = 1\n", "too deeply nested"),
    ],
    ids=["keys", "strategies", "names", "title", "dots"],
)
def test_long_files_are_read_soon(text: str, part: str, tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text(text)
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load_experiment(tmp_path / "x.toml")
    assert time.process_time() - start < 10  # half a minute and more before
    assert part in str(caught.value)


@pytest.mark.parametrize("bound", ["at_least = inf", "at_most = -inf", "at_least = nan", "at_least = -inf\nat_most = 1.0"])
def test_bounds_of_claims_are_numbers(bound: str, tmp_path: Path) -> None:
    claim = '[claim]\ntext = "t"\nmeaning = "m"\n[[claim.cases]]\nwhen = "w"\nfigure = "points_per_hand"\n'
    (tmp_path / "x.toml").write_text(BASE + claim + bound + "\n")
    with pytest.raises(InputError, match=r"claim\.cases\.0\.at_(least|most): .* is not allowed; give a finite number"):
        load_experiment(tmp_path / "x.toml")


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["effect", "classic25", "hand_size=7"], "parameters go in brackets: (hand_size=7)"),
        (["effect", "classic25", "wrap"], "wrap is a field, not a preset; write classic25(wrap=true), or (wrap=true)"),
        (["eval", "7S", "--rules", "knock_limit"], "write classic25(knock_limit=…)"),
        (["compare", "knock=4", "simple"], "parameters go in brackets: (knock=4)"),
        (["eval", "7S", "--rules", "house(wrap"], "expected"),
        (["scoresheet", "A1", "--rules", "house"], "house is the table game, but this is for two-player gin: classic25"),
        (["exact", "melds", "--rules", "house(players=2)"], "house is the table game, but this is for two-player gin: classic25"),
        (
            ["odds", "simple", "random", "--rules", "house"],
            "rules: house is the table game, for which there are no odds by score",
        ),
        (["stats", "--strategy", "expert"], "expert plays the table game, not two-player gin; for that there are random, simple"),
    ],
)
def test_near_misses_get_a_hint(words: list[str], part: str) -> None:
    assert part in ginsim(*words, code=2)


# --- exact facts of nothing --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("holding", ["7S", "7S 2D"])
def test_no_card_fills_it(holding: str) -> None:
    text = ginsim("exact", "fill", holding)
    assert "none (0 of" in text and "opponent holds" not in text
    assert json.loads(ginsim("exact", "fill", holding, "--format", "json"))["opponent_all"] is None
    assert "holds all that are left" in ginsim("exact", "fill", "7S 7H", "--known", "7D 7C")


def test_exact_tables_have_every_row_and_no_nan() -> None:
    text = ginsim("exact", "deadwood", "--cards", "3", "--rules", "oklahoma(hand_size=3, ranks=8)")
    assert "deadwood of 8 or less: enough to knock if the upcard is worth 8" in " ".join(text.split())
    text = ginsim("exact", "deadwood", "--cards", "3", "--holding", "7S 8S 9S")
    assert "nan" not in text and "–" in text
    assert "or less" not in ginsim("exact", "deadwood", "--cards", "3", "--rules", "straight").split("By least")[0]


def test_sums_of_a_result_are_those_that_were_sealed(folder: Path) -> None:
    text = (folder / TALLIES).read_text().replace('"pairs": 60', '"pairs": 61')
    (folder / TALLIES).write_text(text)
    change(folder, lambda facts: facts.update(tallies_sha256=hashlib.sha256(text.encode()).hexdigest()))
    with pytest.raises(InputError, match="the endings do not add up"):
        load_results(folder)


# --- sums and manifests that no run can come to ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spoil",
    [
        lambda piece: {"tally": [1 << 62] * len(piece["tally"])},
        lambda piece: {"tally": [0] * len(piece["tally"])},
        lambda piece: {"tally": [-1] * len(piece["tally"])},
        lambda piece: {"tally": [piece["tally"][0]] + [1 << 62] * (len(piece["tally"]) - 1)},
        lambda piece: {"tally": [piece["tally"][0]] + [-1] * (len(piece["tally"]) - 1)},
        lambda piece: {"tally": [piece["tally"][0]] + [0] * (len(piece["tally"]) - 1)},
        lambda piece: {"ranges": [[0, piece["tally"][0] - 1]]},
    ],
)
@pytest.mark.parametrize(
    "more", [{}, {"until": {"points": 0.3}, "games": None}, {"kind": "tournament"}, {"kind": "gauntlet"}, {"kind": "statistics"}]
)
def test_impossible_sums_of_a_journal_are_not_published(spoil: Any, more: dict[str, Any], tmp_path: Path) -> None:
    players = ["simple", "threshold(knock=3)"]
    kind = more.get("kind", "compare")
    own: dict[str, Any] = {
        "compare": {}, "tournament": {"strategies": players}, "statistics": {"strategies": players[:1], "games": None},
        "gauntlet": {"challengers": players, "opponents": ["random"]},
    }[kind]  # fmt: skip
    given = {"deals": 60, "games": 5, "seed": 5} | ({"a": "simple", "b": players[1]} if kind == "compare" else own) | more
    asked = kinds()[kind].experiment.model_validate({key: value for key, value in given.items() if value is not None})
    cut = tmp_path / "cut"
    with pytest.raises(Interrupted):
        run_experiment(asked, cut, save, 1, Stop(1))
    header, *pieces = entries(cut / JOURNAL)
    pieces[0] |= spoil(pieces[0])
    (cut / JOURNAL).write_text("".join(map(_line, [header, *pieces])))
    with pytest.raises(InputError, match=r"journal\.jsonl.* start over with --fresh"):
        resume(cut, save, 1)
    assert not (cut / MANIFEST).exists() and not (cut / "report.md").exists()


def seal(folder: Path, sums: Any) -> None:
    """Put other sums there, with the right checksums."""
    text = json.dumps(sums)
    (folder / TALLIES).write_text(text)
    change(folder, lambda facts: facts.update(tallies_sha256=hashlib.sha256(text.encode()).hexdigest()))


def test_axes_that_are_not_those_of_the_cells(tmp_path: Path) -> None:
    save(sweep("threshold", {"knock": [0, 5]}, ["simple"], deals=30, games=0), tmp_path)
    change(tmp_path, lambda facts: facts["axes"][0]["values"].pop())
    with pytest.raises(InputError, match="cells: 2 are impossible with 1 values of the axes"):
        load_results(tmp_path)


@pytest.mark.parametrize("more", [{"pairs_sq": 0}, {"peeked": 31}, {"fixed": 31}, {"controlled": 31}])
def test_counts_of_errors_that_no_run_can_come_to(more: dict[str, int], tmp_path: Path) -> None:
    save(error_rates("simple", "threshold(knock=3)", comparisons=30, deals=30, until={"points": 5.0, "first": 30}), tmp_path)
    sums = json.loads((tmp_path / TALLIES).read_text())
    sums["0"] |= more
    seal(tmp_path, sums)
    with pytest.raises(InputError, match=r"tallies\.json: 0: .* is impossible with"):
        load_results(tmp_path)


@pytest.mark.parametrize("phase", ["hands", "games"])
@pytest.mark.parametrize("value", ["x", None, [], 1.5, {}, True])
def test_earlier_sums_of_wrong_types_are_told(phase: str, value: Any, folder: Path) -> None:
    sums = json.loads((folder / TALLIES).read_text())
    of = sums["0-1"][phase]
    sums["0-1"][phase] = {name: value for name in of if "_both" not in name and name != "unfinished"}
    seal(folder, sums)
    with pytest.raises(InputError, match=r"tallies\.json is damaged"):
        load_results(folder)


@pytest.mark.parametrize("field", ["title", "question", "games", "command", "experiment"])
def test_results_that_say_less_are_merged(field: str, folder: Path, tmp_path: Path) -> None:
    other = run_experiment(study(seed=6), tmp_path / "6", save, 1)
    change(folder, lambda facts: facts.pop(field))
    if field == "games":  # the sums are of some
        with pytest.raises(InputError, match="games=0 is impossible"):
            merge([folder, tmp_path / "6"], tmp_path / "out")
    else:
        assert load_results(merge([folder, tmp_path / "6"], tmp_path / "out")).deals == 60 + other.deals


SHARE = {"seed": 5, "part": "1/1", "deals": 60, "games": 5}


@pytest.mark.parametrize(
    "more",
    [
        {"deals": 61}, {"games": 4}, {"games": -5}, {"games": "x"}, {"hands_played": 7}, {"shares": []},
        {"shares": [SHARE | {"part": "5/3"}]}, {"shares": [SHARE | {"part": "1/2"}]}, {"shares": [SHARE | {"seed": 6}]},
        {"shares": [SHARE | {"games": 50}]}, {"hands_kept": True}, {"records_kept": ["hands"]},
        {"deals": 61, "shares": [SHARE | {"deals": 61}]},
        {"strategies": ["simple", "own.py:P"]},
        {"strategies": ["simple", "own.py:P"], "strategy_files": [{"file": "other.py", "sha256": ""}]},
        {"strategy_files": [{"file": "a.py"}]},
    ],
)  # fmt: skip
def test_manifests_that_contradict_themselves_are_told(more: dict[str, Any], folder: Path, tmp_path: Path) -> None:
    change(folder, lambda facts: facts.update(more))
    for action in (load_results, status, save_again, lambda where: merge([where, where], tmp_path / "out")):
        with pytest.raises(InputError, match=r"results: .*manifest\.json"):
            action(folder)


def test_a_strategy_is_in_a_tournament_once(tmp_path: Path) -> None:
    result = tournament(["simple", "random"], deals=20, games=0)
    save(result, tmp_path / "out")
    change(tmp_path / "out", lambda facts: facts.update(strategies=["simple", "simple"]))
    with pytest.raises(InputError, match="'simple' is listed twice"):
        load_results(tmp_path / "out")


@pytest.mark.parametrize("more", [{"files": 5}, {"files": [["a"]]}, {"files": [["a", 1]]}, {"files": {}}, {"engine": 5}])
def test_a_header_with_wrong_files_is_told(more: dict[str, Any], tmp_path: Path) -> None:
    cut = interrupted(tmp_path / "cut")
    header, *pieces = entries(cut / JOURNAL)
    (cut / JOURNAL).write_text("".join(map(_line, [header | more, *pieces])))
    with pytest.raises(InputError, match="is damaged: its header"):
        resume(cut, save)


# --- options, arguments, output ----------------------------------------------------------------------------------------

DECIDED = ["compare", "simple", "random", "--deals", "40", "--until", "decided", "-q"]


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ([*DECIDED, "--points", "1e-300"], "points: '1e-300' is not allowed; give a number from 0.001 to 1000"),
        ([*DECIDED, "--points", "1e999"], "give a number from 0.001 to 1000"),
        ([*DECIDED, "--alpha", "1e-9"], "give a number of at least 0.000001 and below 0.5"),
        ([*DECIDED, "--alpha", "5e-2x"], "give a number of at least"),
        (["odds", "simple", "random", "--deals", "10"], "deals: 10 is not allowed; give a whole number from 20 to"),
    ],
)
def test_numbers_that_are_refused(words: list[str], part: str) -> None:
    text = " ".join(ginsim(*words, code=2).split())
    assert part in text and "above 0" not in text


def test_numbers_in_scientific_notation() -> None:
    ginsim(*DECIDED, "--alpha", "5e-2", "--beta", "1E-1", "--points", "2.5e-1")


@pytest.mark.parametrize("deal", ["-1", str(1 << 37), str(1 << 49), str(1 << 62), str(1 << 63), "x"])
def test_deals_have_one_range(deal: str) -> None:
    text = " ".join(ginsim("replay", "simple", "simple", f"--deal={deal}", code=2).split())
    assert "from 0 to 68719476735, or for a hand of a game one from 1099511627776 to 282574488338431" in text


@pytest.mark.parametrize(
    ("more", "part"),
    [
        ({"deals": "x"}, "deals: 'x' is not allowed; give a whole number from 1 to 68719476736"),
        ({"games": -1}, "games: -1 is not allowed; give a whole number from 0 to 68719476736"),
        ({"title": 5}, "title: 5 is not allowed; give text in quotes"),
        ({"control": 1}, "control: 1 is not allowed; give true or false"),
        ({"until": 5}, "until: 5 is not allowed; give a table"),
        ({"until": {"points": "x"}}, "until.points: 'x' is not allowed; give a number from 0.001 to 1000"),
        ({"until": {"alpha": 0.7}}, "until.alpha: 0.7 is not allowed; give a number of at least 0.000001 and below 0.5"),
        ({"claim": {"text": 5}}, "claim.text: 5 is not allowed; give text in quotes"),
        ({"claim": {"text": "t", "meaning": "m", "cases": 5}}, "claim.cases: 5 is not allowed; give a list"),
        ({"claim": {"text": "t", "meaning": "m", "cases": [5]}}, "claim.cases.0: 5 is not allowed; give a table"),
        ({"kind": "gauntlet", "challengers": "x", "opponents": [5]}, "challengers: 'x' is not allowed; give a list"),
        ({"kind": "odds", "deals": 10}, "deals: 10 is not allowed; give a whole number from 20 to 68719476736"),
    ],
)
def test_fields_are_refused_in_plain_words(more: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError) as caught:
        checked_settings({"kind": "compare", "a": "simple", "b": "random"} | more)
    assert part in str(caught.value) and "input" not in str(caught.value) and "instance" not in str(caught.value)


def test_paths_that_are_none(played: Comparison, tmp_path: Path) -> None:
    for value in (None, 5, "", b"x", "a\0b", []):
        for action in (lambda v: save(played, v), lambda v: merge([tmp_path, tmp_path], v), lambda v: merge([v, v], tmp_path)):
            with pytest.raises(InputError, match="is not allowed; give a path"):
                action(value)
    for given in (None, "ab", {}, {tmp_path, "x"}):
        with pytest.raises(InputError, match=r"folders: .* is not allowed; give a list of result folders"):
            merge(given, None)  # type: ignore[arg-type]


def test_a_set_has_no_order() -> None:
    for given in ({"simple", "random"}, frozenset({"simple", "random"}), {"simple": 1, "random": 2}.keys()):
        with pytest.raises(InputError, match=r"strategies: .* is not allowed; give a list"):
            tournament(given, deals=5)  # type: ignore[arg-type]


def test_only_cards_of_the_hand_are_banned() -> None:
    hand = "3H 4H 5H 6H 7S 8S 9S KC KS KH JD"
    for banned, cards in ((3, "AS 2S"), ("2S", "2S"), ("JD 2S", "2S")):
        for choose in (best_discard, rank_discards):
            with pytest.raises(InputError, match=f"banned: {cards} is not in the hand"):
                choose(hand, banned)
    with pytest.raises(InputError, match=r"banned\[1\]: 2S is not in the hand"):
        best_discard([hand, hand], ["JD", "2S"])
    assert best_discard([hand, hand], ["JD", "JD"]).deadwood.tolist() == [10, 10]


@pytest.mark.parametrize("words", [["list", "all"], ["schema"], ["--help"], ["eval", "7S"]])
def test_output_that_cannot_be_written(words: list[str], tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_DISABLE_JIT": "1"}
    run = [sys.executable, "-m", "ginsim", *words]
    begun = subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert begun.stdout and begun.stderr
    begun.stdout.close()
    assert begun.stderr.read() == b"" and begun.wait() in (0, 1)
    begun.stderr.close()
    closed = subprocess.run(["sh", "-c", 'exec "$@" >&-', "sh", *run], env=environment, capture_output=True, text=True)
    assert closed.returncode in (1, 2) and closed.stderr == "ginsim: standard output cannot be written: it is closed\n"
    (tmp_path / "out").write_bytes(bytes(2048))
    small = ["sh", "-c", 'ulimit -f 1; out=$1; shift; exec "$@" >>"$out"', "sh", str(tmp_path / "out"), *run]
    full = subprocess.run(small, env=environment, stderr=subprocess.PIPE, text=True)
    assert full.returncode in (1, 2) and full.stderr == "ginsim: standard output cannot be written: File too large\n"
