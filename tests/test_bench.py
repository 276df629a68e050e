"""``ginsim bench``: what is measured, kept in a file and set against an earlier run."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ginsim import bench
from ginsim.bench import Figure, Job, figures, measure
from ginsim.cli import app
from ginsim.commands.benchfile import against, differences, keep, read_kept
from ginsim.errors import InputError
from ginsim.report.folder import machine


def run(*words: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["bench", "--repeats", "2", *map(str, words)])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures that take no time: 1, 2, 3 … as they are measured, the first round (0) being no part of them."""
    calls = iter(range(100))
    monkeypatch.setattr(bench, "_rates", lambda peers: [Job("hands", "hands/s", lambda seconds: float(next(calls)))])
    monkeypatch.setattr(bench, "_commands", list)


def kept(path: Path, *values: float, name: str = "hands", unit: str = "hands/s", **changed: Any) -> Path:
    figure = {"name": name, "unit": unit, "values": values} | changed
    path.write_text(json.dumps({"machine": machine(), "figures": [figure]}))
    return path


def test_the_first_round_does_not_count() -> None:
    seen: list[float] = []
    jobs = [Job("a", "x", lambda seconds: seen.append(seconds) or float(len(seen)))]  # type: ignore[func-returns-value]
    assert measure(jobs, 0.5, 2, lambda text: None) == [Figure("a", "x", (2, 3))]
    assert seen == [0, 0.5, 0.5]
    assert measure(jobs, 0.5, 1, lambda text: None, warm=False) == [Figure("a", "x", (4,))]


def test_rates_are_of_the_work_done() -> None:
    assert bench._rate(lambda: 7, 0) > 0


def test_ratios_are_taken_repeat_by_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {bench.SIMPLE: iter((9, 10, 20)), bench.SIMPLE_TWO: iter((9, 19, 36))}
    jobs = [Job(name, "hands/s", lambda seconds, of=of: next(of)) for name, of in values.items()]
    monkeypatch.setattr(bench, "_rates", lambda peers: jobs)
    monkeypatch.setattr(bench, "_commands", list)
    *_, ratio = figures(0.1, 2, False, report=lambda text: None)
    assert ratio == Figure("simple: 2 cores to 1 core", "×", (1.9, 1.8))


def test_all_rates_are_there() -> None:
    names = [job.name for job in bench._rates(False)]
    assert len(set(names)) == len(names)
    parts = ("deadwood, meld-rich", bench.SIMPLE, "lookahead", "rollout, ", "rollout under classic20", "expert", "table_greedy")
    for word in (*parts, "plug-in"):
        assert any(word in name for name in names), word


def test_quick_commands_are_measured_in_processes_of_their_own() -> None:
    jobs = {job.name: job for job in bench._commands()}
    assert {"ginsim eval", "ginsim exact deadwood", "ginsim scoresheet", "ginsim list"} <= set(jobs)
    assert 0.01 < jobs["ginsim eval"].value(0) < 30


def test_first_use_starts_with_nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def measured(code: str, *words: str, **environment: str) -> float:
        assert words == ("simple",) and "first_hands" in code
        assert not list(Path(environment["NUMBA_CACHE_DIR"]).iterdir())
        return 12.5

    monkeypatch.setattr(bench, "_cpu_seconds", measured)
    assert bench._first_use("simple", 0) == 12.5


@pytest.mark.usefixtures("few")
def test_first_uses_are_measured_as_often_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "_first_use", lambda spec, seconds: 20.0)
    found = figures(0.1, 1, False, 3, lambda text: None)
    assert found[1:] == [Figure(f"first use of {what}", "CPU s", (20, 20, 20)) for what in bench.FIRST_USES]
    assert len(figures(0.1, 1, False, 0, lambda text: None)) == 1


@pytest.mark.usefixtures("few")
def test_figures_are_kept_and_set_against_each_other(tmp_path: Path) -> None:
    out = tmp_path / "new.json"
    text = run("--out", out, "--against", kept(tmp_path / "old.json", 4, 1, 2)).output
    assert re.search(r"hands +│ hands/s +│ +0.750 │ +0.250 │ +2.000", text)  # 1.5 to 2; 1 to 4; 2 to 1
    assert "measured elsewhere" not in text
    facts = json.loads(out.read_text())
    assert facts["machine"] == machine() and facts["repeats"] == 2
    assert facts["figures"] == [
        {"name": "hands", "unit": "hands/s", "median": 1.5, "lowest": 1, "highest": 2, "values": [1, 2], "open_spiel": []}
    ]
    assert "new / old" in run("--against", out).output


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    found = [Figure("a", "hands/s", (1.5, 2.0), (1.0, 1.0)), Figure("b", "CPU s", (0.3,))]
    keep(tmp_path / "x.json", found, 0.3, 2)
    assert [(ratio.name, ratio.median) for ratio in against(found, read_kept(tmp_path / "x.json"))] == [("a", 1), ("b", 1)]
    assert differences(read_kept(tmp_path / "x.json")) == []


def test_another_machine_is_told(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(json.dumps({"machine": machine() | {"cores": 999}, "figures": []}))
    assert differences(read_kept(path)) == [f"cores {machine()['cores']} instead of 999"]


@pytest.mark.usefixtures("few")
def test_a_figure_in_another_unit_is_another(tmp_path: Path) -> None:
    old = kept(tmp_path / "old.json", 1, unit="games/s")
    assert f"against: {old} has none of these figures" in run("--against", old, code=2).stderr.replace("\n", " ")


@pytest.mark.parametrize(
    "content",
    [
        "", "no JSON", "[]", "{}", '{"machine": {}}', '{"machine": {}, "figures": [{}]}', '{"machine": 1, "figures": []}',
        '{"machine": {"cores": [1]}, "figures": []}', b"\xff\xfe\x00", "[" * 100_000,
    ],
)  # fmt: skip
def test_wrong_files_are_refused(tmp_path: Path, content: str | bytes) -> None:
    path = tmp_path / "old.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=r"against: .*old\.json is not a file from ginsim bench --out: "):
        read_kept(path)


@pytest.mark.parametrize("values", [(), (0,), (-1,), (1, float("nan")), (float("inf"),), ("1",), (None,), (True,)])
def test_wrong_figures_are_refused(tmp_path: Path, values: tuple[Any, ...]) -> None:
    with pytest.raises(InputError, match=r"is not a file from ginsim bench --out: figures\.0\.values"):
        read_kept(kept(tmp_path / "old.json", *values))


def test_wrong_paths_are_refused_before_anything_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "measure", lambda *given, **more: pytest.fail("measured"))
    (tmp_path / "folder.json").mkdir()
    for words, message in (
        (["--out", tmp_path / "x.csv"], "give a file that ends in .json"),
        (["--out", tmp_path / "folder.json"], "folder.json is a folder; give a file to write"),
        (["--out", tmp_path / "none" / "x.json"], "out: there is no folder"),
        (["--out", ""], "out: '' is not allowed; give a file"),
        (["--against", tmp_path / "none.json"], "none.json"),
        (["--against", tmp_path], str(tmp_path)),
        (["--against", ""], "against: '' is not allowed; give a file"),
        (["--first-uses", "-1"], "first_uses: -1 is not allowed"),
        (["--first-uses", "x"], "first_uses: 'x' is not allowed"),
    ):
        result = run(*words, code=2)
        assert message in result.stderr and "Traceback" not in result.stderr
