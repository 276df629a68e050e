"""Runs in folders: killed and gone on with, damaged, looked at, cut into parts and merged, on a cluster."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginsim import load_results, merge, save
from ginsim.errors import InputError
from ginsim.experiment.merge import missing_deals
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.report import folder as saving
from ginsim.report.sheets import sheet_of
from ginsim.simulation.execute import Interrupted
from ginsim.simulation.journal import JOURNAL, Journal, Tallies, entries
from ginsim.simulation.play import play
from ginsim.study.base import Experiment, kinds
from ginsim.study.compare import CompareExperiment
from ginsim.study.kept import MANIFEST, TALLIES
from tests.helpers import Stop

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}

KILLS = 4
"""How often in a row a run is killed."""
SMALL: dict[str, dict[str, Any]] = {
    "compare": {"a": "simple", "b": "threshold(knock=3)"},
    "tournament": {"strategies": ["simple", "threshold(knock=3)", "threshold(knock=0)"]},
    "effect": {"variants": ["(knock_limit=5)", "straight"], "strategies": ["simple", "threshold(knock=3)"]},
    "gauntlet": {"challengers": ["simple", "threshold(knock=3)"], "opponents": ["threshold(knock=0)", "threshold"]},
    "sweep": {"strategy": "threshold", "over": {"knock": [0, 5]}, "opponents": ["simple", "threshold(knock=3)"]},
    "factorial": {"strategy": "threshold", "factors": {"knock": [0, 5], "draw": ["meld", "strict"]}, "opponents": ["simple"]},
    "statistics": {"strategies": ["simple", "threshold(knock=3)"], "variants": ["(knock_limit=5)"], "games": 0},
    "odds": {"a": "simple", "b": "threshold(knock=3)"},
    "map": {
        "strategies": ["simple", "threshold(knock=3)"],
        "x": {"field": "gin_bonus", "values": [0, 25]},
        "y": {"field": "undercut_bonus", "values": [0, 25]},
    },
}
"""The least that an experiment of each kind says."""


def experiment(kind: str, **more: Any) -> Experiment:
    settings = {"kind": kind, "deals": 60, "games": 8, "seed": 5} | SMALL[kind] | more
    return kinds()[kind].experiment.model_validate(settings)


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Results are saved without their pictures, which take longest, but for those saved by other processes."""
    monkeypatch.setattr(saving, "sheet_of", lambda result: replace(sheet_of(result), pictures={}))


def files(folder: Path) -> dict[str, bytes]:
    """All files but the manifest, which tells the time."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "manifest.json"
    }


def lasting(folder: Path) -> dict[str, Any]:
    """What the manifest says but for times and machine."""
    facts: dict[str, Any] = json.loads((folder / "manifest.json").read_text())
    return {key: value for key, value in facts.items() if key not in ("saved", "wall_seconds", "hands_per_second", "machine")}


# --- killed ------------------------------------------------------------------------------------------------------------

STUDY = """
kind = "sweep"
strategy = "threshold"
opponents = ["simple", "threshold(knock=10)"]
deals = 400_000
games = 100
seed = 5
[over]
knock = [0, 4]
"""


def test_killed_again_and_again_and_resumed_ends_the_same(tmp_path: Path) -> None:
    """SIGKILL at random moments; what the journal holds is not played again, and the files are those of an undisturbed run."""
    file = tmp_path / "study.toml"
    file.write_text(STUDY)
    command = [sys.executable, "-m", "ginsim", "run", str(file), "-q", "--workers", "2", "--out"]
    go_on = [sys.executable, "-m", "ginsim", "resume", "out", "-q", "--workers", "2"]
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    subprocess.run([*command, "out"], cwd=tmp_path / "a", env=ENVIRONMENT, check=True, capture_output=True)
    rnd, journal, kills, last = random.Random(1), tmp_path / "b" / "out" / JOURNAL, 0, 0
    while kills < KILLS:
        words = go_on if journal.exists() else [*command, "out"]
        process = subprocess.Popen(words, cwd=tmp_path / "b", env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        before = journal.stat().st_size if journal.exists() else 0
        deadline = time.monotonic() + 100
        while time.monotonic() < deadline and process.poll() is None:
            if journal.exists() and journal.stat().st_size > before:  # a piece more
                break
            time.sleep(0.01)
        time.sleep(rnd.random() * 0.3)
        finished = process.poll() is not None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if finished:  # before it could be killed that often in a row: begin anew
            shutil.rmtree(tmp_path / "b" / "out")
            kills = last = 0
            continue
        kills += 1
        done = sum(count for entry in entries(journal) if "tally" in entry for _, count in entry["ranges"])
        assert done >= last
        last = done
    subprocess.run(go_on if journal.exists() else [*command, "out"], cwd=tmp_path / "b", env=ENVIRONMENT, check=True)
    assert files(tmp_path / "a" / "out") == files(tmp_path / "b" / "out")
    assert lasting(tmp_path / "a" / "out") == lasting(tmp_path / "b" / "out")
    assert not journal.exists()


@pytest.mark.parametrize("kind", SMALL)
def test_interrupted_and_resumed_is_the_same(kind: str, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    expected = run_experiment(experiment(kind), whole, save, 1)
    with pytest.raises(Interrupted):
        run_experiment(experiment(kind), cut, save, 1, Stop(1))
    found = status(cut)
    assert not found.finished and found.kind == kind and 0 < found.done < found.pairs
    assert f"ginsim resume {cut}" in str(found)
    assert resume(cut, save, 1) == expected
    assert files(cut) == files(whole) and lasting(cut) == lasting(whole)
    assert status(cut).finished and str(status(cut)).endswith(f"{kind}, finished")
    assert load_results(cut) == expected
    with pytest.raises(InputError, match="the run there is finished"):
        resume(cut, save)


def interrupted(folder: Path, hands: bool = False) -> Experiment:
    """A comparison stopped after its first pieces."""
    study = experiment("compare", deals=200)
    with pytest.raises(Interrupted):
        run_experiment(study, folder, save, 1, Stop(1), keep_hands=hands)
    return study


def test_damaged_lines_are_played_again(tmp_path: Path) -> None:
    study = interrupted(tmp_path / "cut")
    journal = tmp_path / "cut" / JOURNAL
    lines = journal.read_text().splitlines()
    pieces = [n for n, line in enumerate(lines) if '"tally"' in line]
    lines[pieces[0]] = lines[pieces[0]].replace('"tally": [', '"tally": [1')  # a figure changed: the checksum tells
    journal.write_text("\n".join(lines) + '\n12345678 {"torn": tr')
    assert sum(1 for entry in entries(journal) if "tally" in entry) == len(pieces) - 1
    resume(tmp_path / "cut", save, 1)
    run_experiment(study, tmp_path / "whole", save, 1)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_damaged_hands_are_played_again(tmp_path: Path) -> None:
    study = experiment("tournament")
    with pytest.raises(Interrupted):
        run_experiment(study, tmp_path / "cut", save, 1, Stop(1), keep_hands=True)
    before = status(tmp_path / "cut").done
    part = next((tmp_path / "cut" / "hands").glob("*.parquet"))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1  # one bit
    part.write_bytes(data)
    assert status(tmp_path / "cut").done < before
    resume(tmp_path / "cut", save, 1)
    run_experiment(study, tmp_path / "whole", save, 1, keep_hands=True)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_resume_says_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="there is no unfinished run"):
        resume(tmp_path, save)
    interrupted(tmp_path)
    monkeypatch.setattr("ginsim.experiment.runs.ENGINE", 0)
    with pytest.raises(InputError, match=r"has changed since the run .* was started"):
        resume(tmp_path, save)
    entry = next(entries(tmp_path / JOURNAL))
    monkeypatch.undo()
    resume(tmp_path, save)
    with pytest.raises(InputError, match="the run there is finished"):
        resume(tmp_path, save)
    (tmp_path / TALLIES).write_text("{")
    with pytest.raises(InputError, match="is damaged"):
        resume(tmp_path, save)
    assert entry["from"] == str(Path.cwd()) and entry["experiment"]["kind"] == "compare"


def test_a_long_journal_is_shortened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.simulation.journal.MOST_BYTES", 3000)
    study = experiment("tournament", deals=2000)
    with pytest.raises(Interrupted):
        run_experiment(study, tmp_path / "cut", save, 1, Stop(12))
    lines = (tmp_path / "cut" / JOURNAL).read_text().splitlines()
    assert 1 < sum('"tally"' in line for line in lines) < 12
    resume(tmp_path / "cut", save, 1)
    run_experiment(study, tmp_path / "whole", save, 1)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_ranges_are_joined() -> None:
    rnd, tallies, taken = random.Random(3), Tallies(), set[int]()
    for _ in range(300):
        first, count = rnd.randrange(200), rnd.randrange(1, 9)
        pairs = set(range(first, first + count))
        tallies.add(("a", "hands"), first, count, np.array([count]))
        if not pairs & taken:
            taken |= pairs
        ranges = tallies.ranges["a", "hands"]
        assert {pair for at, n in ranges for pair in range(at, at + n)} == taken
        assert all(a + n < b for (a, n), (b, _) in itertools.pairwise(ranges))
    assert tallies.sums["a", "hands"].tolist() == [len(taken)]


# --- merged ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", SMALL)
def test_parts_merge_to_the_whole(kind: str, tmp_path: Path) -> None:
    whole = run_experiment(experiment(kind), tmp_path / "whole", save, 1)
    for part in (1, 2, 3):
        run_experiment(experiment(kind, part=f"{part}/3"), tmp_path / str(part), save, 1)
    merge([tmp_path / "3", tmp_path / "1", tmp_path / "2"], tmp_path / "merged")
    merged = load_results(tmp_path / "merged")
    assert merged == whole
    tables = [name for name in files(tmp_path / "whole") if not name.startswith("report")]
    assert all(files(tmp_path / "merged")[name] == files(tmp_path / "whole")[name] for name in tables)
    with pytest.raises(InputError, match="parts 1/3 and 1/3 of seed 5 have deals in common"):
        merge([tmp_path / "1", tmp_path / "merged"], tmp_path / "no")
    assert not (tmp_path / "no").exists()


def test_a_manifest_that_was_changed_is_told(tmp_path: Path) -> None:
    run_experiment(experiment("compare"), tmp_path, save, 1)
    path = tmp_path / MANIFEST
    for old, new in (('"seed": 5', '"seed": 6'), ('"deals": 60', '"deals": 90'), ('"gin_bonus": 25', '"gin_bonus": 20')):
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))
        with pytest.raises(InputError, match="was changed: its checksum"):
            load_results(tmp_path)
        with pytest.raises(InputError):
            merge([tmp_path, tmp_path], tmp_path / "out")
        path.write_text(text)
    load_results(tmp_path)


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    study = experiment("compare")

    def again(*_: Any) -> None:
        with pytest.raises(InputError, match="another run is in progress"):
            run_experiment(study, tmp_path, save, 1)

    run_experiment(study, tmp_path, save, 1, again)
    run_experiment(study, tmp_path, save, 1)


def test_deals_that_are_missing_are_told(tmp_path: Path) -> None:
    for part in ("1/4", "3/4"):
        run_experiment(experiment("compare", part=part), tmp_path / part[0], save, 1)
    assert missing_deals(merge([tmp_path / "1", tmp_path / "3"], tmp_path / "half")) == "15 to 29 of seed 5; 45 to 59 of seed 5"
    run_experiment(experiment("compare", seed=6), tmp_path / "other", save, 1)
    assert missing_deals(merge([tmp_path / "half", tmp_path / "other"], tmp_path / "more")).count("of seed 5") == 2
    assert missing_deals(tmp_path / "other") == ""


def test_seeds_merge(tmp_path: Path) -> None:
    a = run_experiment(experiment("compare"), tmp_path / "a", save, 1)
    b = run_experiment(experiment("compare", seed=6, deals=90), tmp_path / "b", save, 1)
    merged = load_results(merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c"))
    assert merged.deals == 150 and merged.seed == (5, 6)
    assert merged.hands_tally == {name: a.hands_tally[name] + b.hands_tally[name] for name in a.hands_tally}
    page = (tmp_path / "c" / "report.md").read_text()
    assert "seeds 5, 6" in page and "all of 60 deals of seed 5; all of 90 deals of seed 6. Each came from its command" in page
    again = run_experiment(experiment("compare", seed=7), tmp_path / "d", save, 1)
    more = load_results(merge([tmp_path / "c", tmp_path / "d"], tmp_path / "e"))
    assert more.deals == 210 and more.seed == (5, 6, 7) and more.hand_count == merged.hand_count + again.hand_count


@pytest.mark.parametrize(
    ("kind", "more", "complaint"),
    [
        ("compare", {}, "parts 1/1 and 1/1 of seed 5 have deals in common"),
        ("compare", {"deals": 70}, "seed 5 was played with 60 deals and with 70"),
        ("compare", {"a": "threshold(knock=1)", "seed": 6}, "are different studies: strategies differs"),
        ("compare", {"rules": "eaai", "seed": 6}, "are different studies: rules differs"),
        ("tournament", {}, "is of kind compare"),
    ],
)
def test_what_does_not_merge(kind: str, more: dict[str, Any], complaint: str, tmp_path: Path) -> None:
    run_experiment(experiment("compare"), tmp_path / "a", save, 1)
    run_experiment(experiment(kind, **more), tmp_path / "b", save, 1)
    with pytest.raises(InputError, match=complaint):
        merge([tmp_path / "a", tmp_path / "b"], tmp_path / "c")


def test_merging_replaces_only_what_it_is_made_of(tmp_path: Path) -> None:
    for seed in (5, 6, 7):
        run_experiment(experiment("compare", seed=seed), tmp_path / str(seed), save, 1)
    merge([tmp_path / "5", tmp_path / "6"], tmp_path / "all")
    assert load_results(merge([tmp_path / str(seed) for seed in (5, 6, 7)], tmp_path / "all")).deals == 180
    with pytest.raises(InputError, match="all holds the result of another study, or of other deals; give another folder"):
        merge([tmp_path / "5", tmp_path / "6"], tmp_path / "all")
    run_experiment(experiment("tournament"), tmp_path / "other", save, 1)
    with pytest.raises(InputError, match="other holds the result of another study"):
        merge([tmp_path / "5", tmp_path / "6"], tmp_path / "other")


def test_a_study_that_stops_when_decided_is_not_merged(tmp_path: Path) -> None:
    for seed in (5, 6):
        run_experiment(experiment("compare", deals=200, seed=seed, until={"first": 50}), tmp_path / str(seed), save, 1)
    with pytest.raises(InputError, match="its comparisons stop when they are decided"):
        merge([tmp_path / "5", tmp_path / "6"], tmp_path / "c")


def test_one_folder_is_not_merged(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two folders or more"):
        merge([tmp_path], tmp_path / "c")


@pytest.mark.parametrize("part", ["0/3", "4/3", "1", "1/0", "-1/2", "1/61", "x"])
def test_bad_parts(part: str) -> None:
    with pytest.raises(ValueError, match="part"):
        experiment("compare", part=part)


def test_unchanged_results_are_left_alone(tmp_path: Path) -> None:
    """Running a study again that gives the same leaves every file as it is, the manifest with its times included."""
    run_experiment(experiment("compare"), tmp_path, save, 1)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()}
    run_experiment(experiment("compare"), tmp_path, save, 1)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in tmp_path.iterdir()} == before


# --- on a cluster ------------------------------------------------------------------------------------------------------


@contextmanager
def dask_cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers as processes of their own; its address, and the workers."""
    where = folder / "scheduler.json"
    quiet: dict[str, Any] = {"env": ENVIRONMENT, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    base = [sys.executable, "-m", "dask"]
    local = ["--host", "127.0.0.1", "--no-dashboard"]
    scheduler = subprocess.Popen([*base, "scheduler", "--port", "0", "--scheduler-file", str(where), *local], **quiet)
    worker = [*base, "worker", "--scheduler-file", str(where), "--nthreads", "1", "--no-nanny", *local]
    workers = [subprocess.Popen(worker, **quiet) for _ in range(2)]
    try:
        deadline = time.monotonic() + 60
        while not where.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        yield json.loads(where.read_text())["address"], [*workers, scheduler]
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def test_dask_gives_the_same_though_a_worker_dies(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    study = experiment("compare", deals=200_000, games=50)
    local = run_experiment(study, tmp_path / "local", save)
    file = tmp_path / "study.toml"
    file.write_text("kind = 'compare'\na = 'simple'\nb = 'threshold(knock=3)'\ndeals = 200_000\ngames = 50\nseed = 5\n")
    with dask_cluster(tmp_path) as (address, workers):
        words = [sys.executable, "-m", "ginsim", "run", str(file), "-q", "--dask", address, "--out", str(tmp_path / "far")]
        process = subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        journal = tmp_path / "far" / JOURNAL
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if any("tally" in entry for entry in entries(journal)):
                break
            time.sleep(0.02)
        alive = process.poll() is None
        workers[0].kill()
        output, _ = process.communicate(timeout=180)
    assert alive, output  # or it was over before the worker died
    assert process.returncode == 0, output
    assert load_results(tmp_path / "far") == local
    tables = [name for name in files(tmp_path / "local") if not name.startswith("report")]
    assert {name: files(tmp_path / "far")[name] for name in tables} == {name: files(tmp_path / "local")[name] for name in tables}


def test_a_scheduler_that_dies_is_told(tmp_path: Path) -> None:
    """What had come back is kept, and the command that goes on is printed."""
    pytest.importorskip("distributed")
    file, journal = tmp_path / "study.toml", tmp_path / "far" / JOURNAL
    file.write_text("kind = 'compare'\na = 'simple'\nb = 'threshold(knock=3)'\ndeals = 20_000_000\ngames = 0\nseed = 5\n")
    words = [sys.executable, "-m", "ginsim", "run", str(file), "-q", "--out", str(tmp_path / "far"), "--dask"]
    with dask_cluster(tmp_path) as (address, (*_, scheduler)):
        process = subprocess.Popen(
            [*words, address], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None and not any("tally" in e for e in entries(journal)):
            time.sleep(0.02)
        scheduler.kill()
        output, _ = process.communicate(timeout=180)
    assert process.returncode == 2 and "Traceback" not in output, output
    assert "dask: the cluster was lost" in output and f"ginsim resume {tmp_path / 'far'}" in output
    assert status(tmp_path / "far").done > 0


def test_no_scheduler_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    from ginsim.simulation.cluster import cluster

    monkeypatch.setattr("ginsim.simulation.cluster.PATIENCE", "1s")
    with pytest.raises(InputError, match=r"dask: no scheduler answers at 'tcp://127\.0\.0\.1:9'"), cluster("tcp://127.0.0.1:9"):
        pass


def test_without_a_cluster_nothing_changes() -> None:
    from ginsim.simulation.cluster import cluster

    with cluster(None):
        assert CompareExperiment(a="simple", b="simple", deals=5).own_works()


def test_hands_of_two_sessions_make_one_table(tmp_path: Path) -> None:
    study = interrupted(tmp_path / "cut", hands=True)
    resume(tmp_path / "cut", save, 1)
    run_experiment(study, tmp_path / "whole", save, 1, keep_hands=True)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")
    assert len(load_results(tmp_path / "cut").hands()) == 400


def test_journals_of_other_versions_are_passed_over(tmp_path: Path) -> None:
    journal = Journal(tmp_path / JOURNAL, "mine")
    work = experiment("compare").works()[0].part(0, 10)
    journal.append(play(work), 1.0)
    with journal.path.open("a") as file:
        file.write('c2412a4c {"study": "older", "key": "0-1"}\n')
    assert journal.load().pairs([work]) == 10
