"""Tuning in miniature: what is tuned, that a run is the same however it is cut, and what is refused."""

from __future__ import annotations

import json
import os
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin.odds import start_odds
from ginsim.games.gin.players.families import FAMILIES
from ginsim.games.gin.rules import Rules
from ginsim.study.tune import HELD_OUT, HISTORY, RESULT, STATE, Objective, Tuned, knobs_of, tune, with_values

pytest.importorskip("cma")

START = "early_then_gin(draw=strict)"
SMALL: dict[str, Any] = {"deals": 50, "held_out": 40, "generations": 2, "seed": 5, "rules": "classic20"}


def small(start: str = START, against: Any = ("simple",), **changes: Any) -> Tuned:
    """A tune of a few seconds at most; the time it took is left out, for it differs."""
    return replace(tune(start, against, **(SMALL | changes)), seconds=0)


@pytest.fixture(scope="module")
def whole() -> Tuned:
    """Without interruption or folder."""
    return small()


# What is tuned


def test_knobs() -> None:
    knobs, values = knobs_of(Strategy.parse("threshold(knock=4)"))
    assert [(knob.name, knob.position, knob.low, knob.high) for knob in knobs] == [("knock", -1, -1, 100)]
    assert values == [4.0]
    knobs, values = knobs_of(Strategy.parse("early_then_gin(knock_by_turn=[9, 3])"))
    assert [(knob.name, knob.position) for knob in knobs] == [("knock_by_turn", 0), ("knock_by_turn", 1)]
    assert values == [9, 3]
    knobs, values = knobs_of(Strategy.parse("lookahead(danger=2)"), ["finish", "danger", "knock_from"])
    assert [knob.name for knob in knobs] == ["danger", "finish", *["knock_from"] * 4]
    assert values == [2, 10, 5, 6, 8, 10]
    assert all(knob.step > 0 and knob.low <= value <= knob.high for knob, value in zip(knobs, values, strict=True))


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_tuned_or_refused(name: str) -> None:
    spec = Strategy.parse(name)
    try:
        knobs, values = knobs_of(spec)
    except InputError as error:
        assert "no parameter to tune" in str(error)  # noqa: PT017 - either way will do
        assert not any(param for param, _ in FAMILIES[name].options().values())
        return
    again = with_values(spec, knobs, values)
    assert again.decisions == spec.decisions
    assert again.params == pytest.approx(spec.params, rel=1e-3)
    assert knobs_of(again)[0] == knobs


def test_values_are_set_within_their_ranges() -> None:
    spec = Strategy.parse("lookahead(draw=strict, knock_by_turn=[4, 9], danger=1)")
    knobs, _ = knobs_of(spec, ["knock_by_turn", "danger"])
    assert [knob.name for knob in knobs] == ["danger", "knock_by_turn", "knock_by_turn"]
    changed = with_values(spec, knobs, [0.123456, -7, 1e9])
    assert changed.args == {"draw": "strict", "knock_by_turn": [-1, 100], "danger": 0.1235}
    assert Strategy.parse(str(changed)) == changed
    assert changed.decisions == spec.decisions


# A run


def test_a_tiny_tune(whole: Tuned) -> None:
    assert whole.start == START
    assert (whole.against, whole.rules, whole.generations) == (("simple",), "classic20", 2)
    tuned = Strategy.parse(whole.strategy)
    assert tuned.name == "early_then_gin"
    assert tuned.args["draw"] == "strict"
    for estimate in (whole.held_out, whole.start_held_out):
        assert estimate.low < estimate.value < estimate.high
        assert 0 < estimate.value < 1
    assert "against simple under classic20" in str(whole)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers(whole: Tuned, workers: int) -> None:
    np.random.seed(workers)  # noqa: NPY002 - which must not matter
    assert small(workers=workers) == whole


def test_other_seeds_and_opponents(whole: Tuned) -> None:
    assert small(seed=6).strategy != whole.strategy
    both = small(against=["simple", "threshold(knock=3)"])
    assert both.against == ("simple", "threshold(knock=3)")
    assert both.strategy != whole.strategy


def test_lists_and_single_knobs() -> None:
    assert Strategy.parse(small("threshold(knock=8)").strategy).args.keys() == {"knock"}
    tuned = Strategy.parse(small("lookahead", only=["gain", "knock_from"], generations=1).strategy)
    assert tuned.args.keys() == {"gain", "knock_from"}


def test_goes_on_from_its_folder(whole: Tuned, tmp_path: Path) -> None:
    told: list[str] = []
    folder = tmp_path / "new" / "folder"
    first = small(generations=1, folder=folder)
    assert first.generations == 1
    np.random.standard_normal(7)  # noqa: NPY002 - another user of the common stream
    assert small(folder=folder, report=told.append) == whole
    assert "resuming after 1 generations" in told[0]
    assert told[1].startswith("generation 2: best ")
    assert {path.name for path in folder.iterdir()} == {STATE, HISTORY, RESULT}
    history = [json.loads(line) for line in (folder / HISTORY).read_text().splitlines()]
    assert [line["generation"] for line in history] == [1, 2]
    result = json.loads((folder / RESULT).read_text())
    assert (result["strategy"], result["held_out"]["value"]) == (whole.strategy, whole.held_out.value)
    assert small(folder=folder) == whole  # all is done
    assert len((folder / HISTORY).read_text().splitlines()) == 2


def test_an_interrupt_loses_no_generation(whole: Tuned, tmp_path: Path) -> None:
    def stop(text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        small(folder=tmp_path, report=stop)
    assert not (tmp_path / RESULT).exists()
    assert small(folder=tmp_path) == whole


def test_the_time_ends_it() -> None:
    assert small(generations=None, minutes=1e-6).generations == 1


def test_the_aim_is_the_mean_over_opponents() -> None:
    rules, players = Rules.preset("classic20"), [Strategy.parse(spec) for spec in ("simple", "threshold(knock=3)")]
    aim = Objective(players, rules, 3, 1)
    counts = aim.counts(players, 100, 30)
    alone = [Objective([opponent], rules, 3, 2).counts(players[:1], 100, 30)[0][0] for opponent in players]
    np.testing.assert_array_equal(counts[0], alone)
    assert aim.value(counts[0]) == pytest.approx(np.mean([start_odds(own, rules) for own in alone]))
    assert aim.value(counts[0][:1]) == pytest.approx(0.5)  # against itself


def test_the_check_is_on_other_deals() -> None:
    """The held-out value is that of all deals; its standard error is about that of the mean of as many parts."""
    rules, player = Rules.preset("classic20"), Strategy.parse("threshold(knock=3)")
    aim = Objective([Strategy.parse("simple")], rules, 3, 1)
    found = aim.estimate(player, 2_010)
    assert found.value == aim.value(aim.counts([player], HELD_OUT, 2_000)[0])
    parts = [aim.value(aim.counts([player], HELD_OUT + 100 * i, 100)[0]) for i in range(20)]
    assert found.se == pytest.approx(np.std(parts, ddof=1) / 20**0.5, rel=0.2)
    assert aim.estimate(player, 20).se > found.se  # a pair in each batch will do


# What is refused


@pytest.mark.parametrize(
    ("changes", "parts"),
    [
        ({"start": "nowhere"}, ["nowhere"]),
        ({"start": "simple"}, ["simple", "no parameter to tune"]),
        ({"start": "tests/data/own_strategies.py:careful"}, ["careful"]),
        ({"only": ["knok"], "start": "threshold"}, ["knok", "did you mean 'knock'"]),
        ({"only": ["danger"]}, ["danger", "knock_by_turn"]),
        ({"only": ["knock"], "start": "lookahead"}, ["'knock'"]),
        ({"against": []}, ["against", "at least 1"]),
        ({"against": "simple"}, ["against", "list"]),
        ({"against": ["simpel"]}, ["did you mean 'simple'"]),
        ({"rules": "classic9"}, ["classic9"]),
        ({"rules": "hollywood"}, ["Hollywood"]),
        ({"deals": 9}, ["deals", "10"]),
        ({"held_out": 19}, ["held_out", "20"]),
        ({"generations": 0}, ["generations", "1"]),
        ({"generations": 1.5}, ["generations"]),
        ({"minutes": 0}, ["minutes"]),
        ({"minutes": float("nan")}, ["minutes"]),
        ({"seed": -1}, ["seed"]),
        ({"workers": 0}, ["workers"]),
    ],
    ids=str,
)
def test_bad_input(changes: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        small(**changes)
    assert all(part in str(error.value) for part in parts), str(error.value)


def test_not_a_shipped_strategy(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("class Own:\n    def draw(self, v): return 0\n    def discard(self, v): return v.hand & -v.hand\n"
                    "    def knock(self, v): return 1\n")  # fmt: skip
    with pytest.raises(InputError, match="not a shipped strategy"):
        small(f"{path}:Own")


def test_the_folder_of_another_study(tmp_path: Path) -> None:
    small(folder=tmp_path, generations=1)
    state = (tmp_path / STATE).read_bytes()
    others: list[dict[str, Any]] = [
        {"start": "early_then_gin"}, {"against": ["random"]}, {"rules": "eaai"}, {"seed": 6}, {"deals": 60},
        {"only": ["knock_by_turn"]},
    ]  # fmt: skip
    for changes in others:
        with pytest.raises(InputError, match="another study"):
            small(folder=tmp_path, **changes)
    assert (tmp_path / STATE).read_bytes() == state


class Hostile:
    def __reduce__(self) -> Any:
        return os.mkdir, ("unpickled",)


@pytest.mark.parametrize(
    "bad", [b"", b"nonsense", b"5", b"{}", b'{"study": {}}', b"[" * 99_999, b"\xff", pickle.dumps(Hostile())], ids=range(8)
)
def test_a_damaged_state(tmp_path: Path, bad: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / STATE).write_bytes(bad)
    with pytest.raises(InputError, match=r"state\.json is damaged"):
        small(folder=tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {STATE}


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state | {"scores": [state["scores"][0][:-1]]},
        lambda state: state | {"scores": [[*state["scores"][0][:-1], 7]]},
        lambda state: state | {"scores": [state["scores"][0][::-1]]},
        lambda state: state | {"scores": [[0.5, None]]},
        lambda state: state | {"mean": state["mean"][:-1]},
        lambda state: state | {"mean": [0.1 for _ in state["mean"]]},
        lambda state: state | {"seconds": -1},
        lambda state: state | {"seconds": "1"},
        lambda state: state | {"es": "more"},
    ],
)
def test_a_state_that_was_changed(tmp_path: Path, change: Any) -> None:
    small(folder=tmp_path, generations=1)
    state = change(json.loads((tmp_path / STATE).read_text()))
    (tmp_path / STATE).write_text(json.dumps(state))
    with pytest.raises(InputError, match=r"state\.json is damaged"):
        small(folder=tmp_path)
    (tmp_path / STATE).write_text(json.dumps(state)[:-100])
    with pytest.raises(InputError, match=r"state\.json is damaged"):
        small(folder=tmp_path)


def test_a_state_of_an_older_version_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "state.pickle").write_bytes(pickle.dumps(Hostile()))
    with pytest.raises(InputError, match=r"state\.pickle is from an older version"):
        small(folder=tmp_path)
    assert not Path("unpickled").exists()


@pytest.mark.parametrize("name", [STATE, HISTORY])
def test_links_are_not_followed(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).symlink_to(tmp_path / "mine")
    with pytest.raises(InputError, match="is a link"):
        small(folder=tmp_path / "out", generations=1)
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("mine")
    with pytest.raises(InputError, match="cannot be used as a folder"):
        small(folder=path)
    assert path.read_text() == "mine"


# The command line


def command(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["tune", *words])
    assert "Traceback" not in result.output
    return result.exit_code, result.output


def test_command(whole: Tuned, tmp_path: Path) -> None:
    words = [START, "--against", "simple", "--rules", "classic20", "--deals", "50", "--held-out", "40", "--seed", "5"]
    code, text = command(*words, "--generations", "2", "--out", str(tmp_path))
    assert (code, text.strip()) == (0, str(whole))
    assert (tmp_path / RESULT).exists()
    code, text = command(*words, "--generations", "2", "--out", str(tmp_path), "--seed", "7")
    assert code == 2
    assert "another study" in text


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["lookahed", "--against", "simple"], "lookahead"),
        (["lookahead"], "--against"),
        (["lookahead", "--against", "simpel"], "did you mean 'simple'"),
        (["lookahead", "--against", "simple", "--only", "dager"], "did you mean 'danger'"),
        (["simple", "--against", "simple"], "no parameter to tune"),
        (["lookahead", "--against", "simple", "--minutes", "0"], "minutes"),
        (["lookahead", "--against", "simple", "--generations", "0"], "generations"),
        (["lookahead", "--against", "simple", "--deals", "1"], "deals"),
        (["lookahead", "--against", "simple", "--held-out", "x"], "held"),
        (["lookahead", "--against", "simple", "--rules", "hollywood", "--deals", "10", "--generations", "1"], "Hollywood"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_words(words: list[str], part: str) -> None:
    code, text = command(*words)
    assert code == 2
    assert part in text
