"""Training in miniature: what branches come to, that a training is the same however it is cut, its page, and what is refused."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.experiment.runs import resume, run_experiment, status
from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.learned import branching
from ginsim.games.gin.learned import layout as L
from ginsim.games.gin.odds import game_odds, outcomes
from ginsim.games.gin.players.families import REPERTOIRE
from ginsim.games.gin.rules import Rules
from ginsim.report.folder import save_again
from ginsim.report.showing import save
from ginsim.simulation.play import Work, play
from ginsim.study.settings import built
from ginsim.training import data
from ginsim.training.course import ITSELF, Trained, prior, train
from ginsim.training.data import Branches, branch, chances, joined
from ginsim.training.exploit import Exploitability, Exploited, exploit
from ginsim.training.fit import fit
from ginsim.training.habits import CELLS, COLUMNS, HABITS, HabitsWork, share_in
from ginsim.training.train import Training, without
from tests.kept import change_sums
from tests.oracle.learned import net_output

pytest.importorskip("jax")
pytest.importorskip("optax")

pytestmark = pytest.mark.xdist_group("training")  # on one worker, so that what is trained once is trained once
SMALL: dict[str, Any] = {"rows": 80_000, "games": 100, "seed": 5, "iterations": 2}
AGAINST = ("simple", ITSELF)
FILES = ("weights_02.npz", "weights_01.npz")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A training of two iterations, against two opponents."""
    return train("eaai", AGAINST, tmp_path_factory.mktemp("whole"), **SMALL)


@pytest.fixture(scope="module")
def some(tmp_path_factory: pytest.TempPathFactory) -> Branches:
    """Decisions of champion against simple."""
    looks = prior(tmp_path_factory.mktemp("prior"))
    return branch(Strategy.parse("champion"), Strategy.parse("simple"), looks, Rules.parse("eaai"), 3, [1, 2], 2)


# What branches come to


def test_pieces_are_the_same_however_they_are_played(some: Branches, tmp_path: Path) -> None:
    looks, rules = prior(tmp_path), Rules.parse("eaai")
    pair = Strategy.parse("champion"), Strategy.parse("simple")
    parts = [branch(*pair, looks, rules, 3, [k], 1) for k in (1, 2)]
    again = joined(parts)
    for name in ("decisions", "numbers", "classes", "values"):
        np.testing.assert_array_equal(getattr(again, name), getattr(some, name))
    some.save(tmp_path / "some.npz")
    kept = Branches.load(tmp_path / "some.npz")
    assert kept is not None
    np.testing.assert_array_equal(kept.values, some.values)
    assert not np.array_equal(parts[0].values[:1000], parts[1].values[:1000])


def test_decisions_have_their_rows(some: Branches) -> None:
    kinds, first, count = some.decisions[:, 0], some.decisions[:, 1], some.decisions[:, 2]
    assert set(kinds) == {0, 1, 2}
    np.testing.assert_array_equal(first, np.concatenate(([0], np.cumsum(count)[:-1])))
    assert count.sum() == len(some.values) <= 2 * data.ROOM
    assert set(count[kinds != branching.DISCARD]) == {2}
    assert 2 <= count[kinds == branching.DISCARD].min() <= count[kinds == branching.DISCARD].max() == branching.CHOICES
    assert (some.decisions[:, 3:5] < 100).all()
    assert np.abs(some.values).max() <= data.SCALE


def test_what_taking_gin_and_knocking_bring(some: Branches) -> None:
    """A knock with little deadwood late gains less than one with much early, and discards of higher cost are worth less."""
    knocks = some.of("knock")
    gains = some.values[knocks[:, 1]] - some.values[knocks[:, 1] + 1]
    turn = some.classes[knocks[:, 1], L.OFFSETS + L.SAME_RANK + 1].astype(int) - L.R_TURN
    assert gains[turn <= 1].mean() > gains[turn >= 6].mean() + 0.05
    discards = some.of("discard")
    full = discards[discards[:, 2] == branching.CHOICES][:, 1]
    places = [some.values[full + k].mean() for k in range(branching.CHOICES)]
    assert places[0] == max(places) and places[-1] == min(places)


def test_values_are_of_the_score_after_the_hand() -> None:
    """Chances after a hand, against going through the rules one case after the other."""
    target = 30
    for deals_next in ("alternate", "loser", "winner"):
        rules = Rules.parse(f"eaai(target={target}, next_dealer={deals_next})")
        records = play(Work((Strategy.parse("simple"), Strategy.parse("gin_only")), rules, 1, HANDS, 0, 300), keep=True).records
        assert records is not None
        odds = game_odds(outcomes(records, target), rules)
        np.testing.assert_array_equal(odds, chances(Strategy.parse("simple"), Strategy.parse("gin_only"), rules, 1, 300))
        hands = [(0, 0, 1, 12), (20, 10, 0, -9), (29, 3, 1, 1), (5, 25, 0, -40), (7, 8, 1, 0), (7, 8, 0, 0)]
        for own, other, starter, gain in hands:
            found = data._after(*(np.array([x]) for x in (own, other, starter, gain)), odds, rules)[0]
            if own + max(gain, 0) >= target or other + max(-gain, 0) >= target:
                assert found == (gain > 0)
                continue
            starts = {"alternate": not starter, "loser": gain > 0, "winner": gain < 0}[deals_next] if gain else bool(starter)
            assert found == odds[own + max(gain, 0), other + max(-gain, 0), 0 if starts else 1]


def test_room_that_runs_out() -> None:
    """A piece of games that never end soon stays within its rows."""
    rules = Rules.parse("classic25(stock_end=reshuffle, knock_limit=0)")
    looks = Strategy.parse("champion")
    found = branch(looks, looks, Strategy.parse("learned"), rules, 1, [1], 1)
    assert 0 < len(found.values) <= data.ROOM
    assert H.SIZE < 64  # what a copy of a table copies of the record


# Training


def test_training_repeats_and_resumes(whole: Trained, tmp_path: Path) -> None:
    """One iteration first, with a part of the second lost, then on: the same weights as at once."""
    first = train("eaai", AGAINST, tmp_path, **SMALL | {"iterations": 1})
    assert len(first.iterations) == 1
    kept = {path.name: path.read_bytes() for path in whole.folder.glob("*.npz")}
    assert (tmp_path / "weights_01.npz").read_bytes() == kept["weights_01.npz"] == (tmp_path / "weights.npz").read_bytes()
    told: list[str] = []
    second = train("eaai", AGAINST, tmp_path, report=told.append, **SMALL)
    assert told[0] == "going on after 1 iteration"
    assert (tmp_path / "weights.npz").read_bytes() == kept["weights.npz"]
    assert [i.won for i in second.iterations] == [i.won for i in whole.iterations]
    assert not (tmp_path / "branches").exists()


def test_what_a_fit_gives_is_what_the_player_uses(whole: Trained, some: Branches) -> None:
    """The output for rows of other data, computed by numpy from the file, tells good discards from bad ones."""
    weights = np.array(whole.strategy.params[1 + 80 :])[: L.NET]
    rows = some.of("discard")[:400]
    better = []
    for first, count in rows[:, 1:3]:
        outputs = []
        for row in range(first, first + count):
            given = np.zeros(L.ROWS)
            given[: L.NUMBERS] = some.numbers[row]
            for k in some.classes[row][some.classes[row] != data.NO_CLASS]:
                given[k] += 1
            outputs.append(net_output(weights, given, L.WIDE, L.NARROW))
        better.append(outputs[0] - outputs[-1])
    assert np.mean(better) > 0  # the least cost before any other


def test_a_second_style(whole: Trained, tmp_path: Path) -> None:
    """The finished training, with the weights of another one for later in a game."""
    shutil.copytree(whole.folder, tmp_path, dirs_exist_ok=True)
    found = train("eaai", AGAINST, tmp_path, then=str(whole.folder / "weights_01.npz"), **SMALL)
    params = np.array(found.strategy.params[80:])
    first, second = (np.array(Strategy.parse(f"learned(weights='{whole.folder / name}')").params[81:]) for name in FILES)
    np.testing.assert_array_equal(params, np.concatenate(([2.0], first, second)))


# Studies

PLAYED: dict[str, Any] = {"rows": 80_000, "games": 100, "deals": 100, "seed": 5, "iterations": 1}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result folder of a training."""
    folder = tmp_path_factory.mktemp("study")
    run_experiment(built("train", rules="eaai", against=list(AGAINST), **PLAYED), folder, save)
    return folder


def test_a_training_is_a_study(study: Path) -> None:
    """It tells honestly whether it beats who it was at first, what each net brings, what it does otherwise; it is read again."""
    found, page = load_results(study), (study / "report.md").read_text(encoding="utf-8")
    assert isinstance(found, Training) and found.rivals == ("simple", "champion", "strong") and found.judges == ("simple",)
    assert "champion" in found.verdict() and "strong" in found.verdict() and found.verdict() in page
    e = found.games_won("champion")
    assert ("It beats champion," in page) == (e.low > 0.5) and ("It loses to champion," in page) == (e.high < 0.5)
    for words in ("| `simple` | trained against |", "without the knock net", "takes upcards with no meld", "simple always does"):
        assert words in page
    assert all((study / f"{name}.png").stat().st_size > 3000 for name in ("course", "nets", "habits"))
    assert str(found.strategy) == f'learned(weights="{study / "weights.npz"}")'
    before = (study / "report.md").read_bytes(), (study / "manifest.json").read_bytes()
    save_again(study)
    assert before == ((study / "report.md").read_bytes(), (study / "manifest.json").read_bytes())


def test_what_each_net_brings_is_played_by_the_player_without_it(study: Path) -> None:
    weights = study / "weights.npz"
    for at, (net, name) in enumerate((("draw", "lookahead"), ("discard", "lookahead"), ("knock", "early"))):
        whole, less = load_results(study).strategy, without(net, weights)
        other = REPERTOIRE.decisions[net, name].function
        assert [less.decisions[k] == whole.decisions[k] for k in range(3)] == [k != at for k in range(3)]
        assert less.decisions[at] == other


def test_habits_of_simple() -> None:
    """It knocks whenever it may, takes the upcard for a meld and never else; in parts they are the same."""
    simple, rules = Strategy.parse("simple"), Rules.parse("eaai")
    whole = HabitsWork((simple, simple), rules, 3, HANDS, 0, 60).carry_out().tally
    parts = [HabitsWork((simple, simple), rules, 3, HANDS, *of).carry_out().tally for of in ((0, 25), (25, 35))]
    np.testing.assert_array_equal(whole, sum(parts))
    sums, seen = whole.reshape(len(CELLS), len(COLUMNS)), 0
    for habit, turn, part in CELLS:
        n, e = share_in(sums, (habit, turn, part))
        seen += n
        if n and habit != "throw":
            assert e.value == (part != "with no meld")
    assert seen > 1000
    thrown = [share_in(sums, ("throw", "1–2", value))[1].value for value in HABITS["throw"].values()]
    assert sum(thrown) == pytest.approx(1) and thrown[-1] > 0.7


def test_a_finished_training_goes_on_if_asked_for_more(study: Path, tmp_path: Path) -> None:
    shutil.copytree(study, tmp_path, dirs_exist_ok=True)
    more = built("train", rules="eaai", against=list(AGAINST), **PLAYED | {"iterations": 2})
    assert len(run_experiment(more, tmp_path, save).iterations) == 2
    other = built("train", rules="eaai", against=["gin_only"], **PLAYED)
    with pytest.raises(InputError, match="another study"):
        run_experiment(other, tmp_path, save)


def test_weights_are_those_that_were_judged(study: Path, whole: Trained, tmp_path: Path) -> None:
    """Others beside a result are refused; without any it can be read."""
    shutil.copytree(study, tmp_path, dirs_exist_ok=True)
    shutil.copy(whole.folder / "prior.npz", tmp_path / "weights.npz")
    with pytest.raises(InputError, match=r"weights.npz is damaged or was changed: its checksum is not the one in manifest.json"):
        load_results(tmp_path)
    (tmp_path / "weights.npz").unlink()
    assert load_results(tmp_path) == load_results(study)


def test_damaged_results(study: Path, tmp_path: Path) -> None:
    for change, told in (
        (lambda sums: sums["pairings"].pop("draw-0"), "draw-0 is missing"),
        (lambda sums: sums["habits"].pop("simple"), "simple is missing"),
        (lambda sums: sums["habits"]["simple"][0].pop(), "habits of simple"),
        (lambda sums: sums["habits"]["simple"][0].__setitem__(0, 10**6), "habits of simple"),
    ):
        shutil.copytree(study, tmp_path / "x")
        change_sums(tmp_path / "x", change)
        with pytest.raises(InputError, match=told):
            load_results(tmp_path / "x")
        shutil.rmtree(tmp_path / "x")


def test_exploitability(tmp_path: Path) -> None:
    """Several strategies, stopped after the first responder and resumed: the same as at once."""
    settings = PLAYED | {"strategies": ["gin_only", "simple"], "rules": ["eaai", "classic20"], "games": 400}

    def stop(done: Any, now: int, total: int) -> None:
        if "against simple" in str(done):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_experiment(built("exploit", **settings), tmp_path, save, progress=stop)
    assert "0 of" in str(status(tmp_path)) and len(list((tmp_path / "responders").iterdir())) == 2
    found = resume(tmp_path, save)
    assert isinstance(found, Exploitability) and found == load_results(tmp_path)
    assert [of.strategy for of in found.ranked(0)] == sorted(
        found.strategies, key=lambda name: found.found[0, found.strategies.index(name)].games_won.value
    )
    of = found.found[0, 0]
    assert of.games_won.low > 0.5 and of.points.low > 0 and of.improving
    assert "lower bounds on what gin_only gives away" in str(of)
    page = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "lower bounds" in page and "| `classic20` | `simple` |" in page
    assert (tmp_path / "exploitability.png").stat().st_size > 3000
    shutil.copy(of.trained.folder / "prior.npz", of.trained.folder / "weights.npz")
    with pytest.raises(InputError, match=r"weights.npz is damaged or was changed"):
        load_results(tmp_path)
    again = exploit("gin_only", "eaai", tmp_path / "alone", **PLAYED)
    assert isinstance(again, Exploited) and again.games_won.value > 0.5


# What is refused


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"against": []}, "against"),
        ({"against": [ITSELF]}, "against"),
        ({"against": "simple"}, "against"),
        ({"against": 5}, "against"),
        ({"minutes": "5"}, "minutes"),
        ({"minutes": True}, "minutes"),
        ({"workers": "a"}, "workers"),
        ({"then": ""}, "then"),
        ({"then": 5}, "then"),
        ({"then": "nosuch"}, "then: there are no weights"),
        ({"against": ["simple", "simple"]}, "against"),
        ({"against": ["simpel"]}, "against: .*did you mean 'simple'"),
        ({"against": ["expert"]}, "plays"),
        ({"rules": "hollywood"}, "rules"),
        ({"rules": "house"}, "rules"),
        ({"minutes": 0}, "minutes"),
        ({"iterations": 0}, "iterations"),
        ({"rows": 10}, "rows"),
        ({"games": 1}, "games"),
        ({"seed": -1}, "seed"),
        ({"start": "nobody"}, "start: .*there is no 'nobody'"),
    ],
)
def test_bad_settings(changes: dict[str, Any], told: str, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"rules": "eaai", "against": ["simple"], "folder": tmp_path / "out"} | SMALL | changes
    with pytest.raises(InputError, match=told):
        train(settings.pop("rules"), settings.pop("against"), **settings)
    assert not (tmp_path / "out" / "training.json").exists()


def test_damaged_branches(some: Branches, tmp_path: Path) -> None:
    """A file cut short, or of other contents, is nothing: what was in it is played again. A link or a pipe is refused."""
    path = tmp_path / "kept.npz"
    some.save(path)
    whole = path.read_bytes()
    parts = {name: getattr(some, name) for name in ("decisions", "numbers", "classes", "values")}
    wrong: list[dict[str, Any]] = [
        {"numbers": some.numbers[:, :3]}, {"values": some.values[:-5]}, {"values": some.values * np.float32("nan")},
        {"decisions": some.decisions + np.int32(10**8)}, {"classes": np.full_like(some.classes, 200)}, {"decisions": np.int32(3)},
    ]  # fmt: skip
    for cut in (b"", whole[:5000], whole[: len(whole) // 2] + bytes(100) + whole[len(whole) // 2 + 100 :]):
        path.write_bytes(cut)
        assert Branches.load(path) is None
    for change in wrong:
        np.savez(path, **(parts | change))
        assert Branches.load(path) is None
    (tmp_path / "link.npz").symlink_to(path)
    with pytest.raises(InputError, match="link"):
        Branches.load(tmp_path / "link.npz")


def test_names_of_folders(tmp_path: Path) -> None:
    """Quotation marks and backslashes are part of a name like any other."""
    found = prior(tmp_path / "it's a \\ folder")
    assert Strategy.parse(str(found)).array.size > L.WEIGHTS


def test_folder_of_another_training(whole: Trained, tmp_path: Path) -> None:
    shutil.copytree(whole.folder, tmp_path, dirs_exist_ok=True)
    with pytest.raises(InputError, match=r"another training \(against: \['simple', 'itself'\] there, \['gin_only'\] now\)"):
        train("eaai", ["gin_only"], tmp_path, **SMALL)
    (tmp_path / "training.json").write_text("{}")
    with pytest.raises(InputError, match="damaged"):
        train("eaai", AGAINST, tmp_path, **SMALL)


def stopped(*of: Any, **more: Any) -> Any:
    raise KeyboardInterrupt


def test_what_is_played_is_of_one_training(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped in its first iteration, a folder is its own already; without its state, what was played counts no more."""
    monkeypatch.setattr("ginsim.training.course.joined", stopped)
    with pytest.raises(KeyboardInterrupt):
        train("eaai", ["simple"], tmp_path, **SMALL)
    played = tmp_path / "branches" / "01_1" / "1.npz"
    assert played.exists()
    with pytest.raises(InputError, match=r"belongs to another training \(seed: 5 there, 6 now\)"):
        train("eaai", ["simple"], tmp_path, **SMALL | {"seed": 6})
    assert played.exists()
    (tmp_path / "training.json").unlink()
    monkeypatch.setattr("ginsim.training.course.branch", stopped)
    with pytest.raises(KeyboardInterrupt):
        train("eaai", ["simple"], tmp_path, **SMALL | {"seed": 6})
    assert not played.exists()


def test_pieces_are_kept_as_they_are_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped between two pieces, and again: none is played twice, and their time counts."""
    asked, spent, real = list[int](), list[float](), data._piece

    def piece(*of: Any) -> Branches:
        asked.append(of[5])
        return stopped() if len(asked) == 2 else real(*of)

    monkeypatch.setattr(data, "_piece", piece)
    monkeypatch.setattr("ginsim.training.course.joined", stopped)
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            train("eaai", ["simple"], tmp_path, workers=1, **SMALL)
        spent.append(json.loads((tmp_path / "training.json").read_text())["spent"])
    assert asked == [1, 2, 2] and 0 < spent[0] < spent[1] == spent[2]


def test_what_is_fitted_is_not_fitted_again(whole: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped while it is judged, a training goes on with the judging; not with other weights."""
    with monkeypatch.context() as patch:
        patch.setattr("ginsim.training.course.compare", stopped)
        with pytest.raises(KeyboardInterrupt):
            train("eaai", AGAINST, tmp_path, **SMALL)
    monkeypatch.setattr("ginsim.training.course.fit", stopped)
    shutil.copytree(tmp_path, tmp_path / "other")
    shutil.copy(whole.folder / "weights_02.npz", tmp_path / "other" / "weights_01.npz")
    with pytest.raises(InputError, match=r"weights_01.npz is damaged .not the weights that were learned"):
        train("eaai", AGAINST, tmp_path / "other", **SMALL)
    found = train("eaai", AGAINST, tmp_path, **SMALL | {"iterations": 1})
    assert found.iterations[0].won == whole.iterations[0].won and found.iterations[0].rows == whole.iterations[0].rows
    assert found.iterations[0].seconds > 0
    assert json.loads((tmp_path / "training.json").read_text())["fitted"] == ""  # the next one has to be


def test_fits_do_not_depend_on_the_number_of_cores(some: Branches, tmp_path: Path) -> None:
    """The same weights from a process that may use one core only."""
    some.save(tmp_path / "some.npz")
    script = (
        "import hashlib, os, pathlib\n"
        "os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])\n"
        "from ginsim.training.data import Branches\n"
        "from ginsim.training.fit import fit\n"
        "print(hashlib.sha256(fit(Branches.load(pathlib.Path('some.npz')), 'discard', 1).tobytes()).hexdigest())\n"
    )
    words = [sys.executable, "-c", script]
    alone = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert alone.stdout.split() == [hashlib.sha256(fit(some, "discard", 1).tobytes()).hexdigest()]


def test_weights_that_are_not_those_that_were_learned(whole: Trained, tmp_path: Path) -> None:
    """Damaged, or others that could be played as well."""
    shutil.copytree(whole.folder, tmp_path, dirs_exist_ok=True)
    own = tmp_path / "weights_01.npz"
    for other in (own.read_bytes()[:900], (tmp_path / "weights_02.npz").read_bytes()):
        own.write_bytes(other)
        with pytest.raises(InputError, match=r"weights_01.npz is damaged .*remove .*training.json to start over"):
            train("eaai", AGAINST, tmp_path, **SMALL | {"iterations": 3})
    state = tmp_path / "training.json"
    state.write_text(state.read_text().replace('"weights": [', '"weights": ["00", '))
    with pytest.raises(InputError, match="weights: not one for each iteration"):
        train("eaai", AGAINST, tmp_path, **SMALL)


def test_files_of_players_are_part_of_a_training(whole: Trained, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player whose file changes is another one, though its spec is the same."""
    weights, out = tmp_path / "own.npz", tmp_path / "out"
    monkeypatch.setattr("ginsim.training.course.branch", stopped)
    for name in reversed(FILES):
        shutil.copy(whole.folder / name, weights)
        match = None if name == "weights_01.npz" else "belongs to another training .files: "
        with pytest.raises(InputError if match else KeyboardInterrupt, match=match):
            train("eaai", ["simple", f"learned(weights='{weights}')"], out, **SMALL)


def test_too_few_decisions(some: Branches) -> None:
    rows = int(some.of("knock")[9, 1]) + 2  # ten knocks
    few = Branches(some.decisions[some.decisions[:, 1] < rows], some.numbers[:rows], some.classes[:rows], some.values[:rows])
    with pytest.raises(InputError, match=r"rows: only 10 of the [0-9,]+ decisions .* the knock net, which needs at least 384"):
        fit(few, "knock", 1)


@pytest.mark.parametrize(
    ("error", "told"),
    [("ImportError('none')", "needs JAX and optax: pip install"), ("RuntimeError('too old')", "RuntimeError: too old")],
)
def test_without_the_extra(error: str, told: str, tmp_path: Path) -> None:
    """Neither missing nor broken libraries end in a traceback, and no folder is made."""
    (tmp_path / "jax.py").write_text(f"raise {error}")
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    for command in (["train", "eaai"], ["exploit", "simple"], ["effect", "classic25", "straight", "--adapt", "play"]):
        words = [sys.executable, "-m", "ginsim", *command, "--out", "out"]
        done = subprocess.run(words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True)
        assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["train", "eaai", "--start", "expert"], "start: expert plays the table game"),
        (["train", "eaai", "--against", "expert"], "against: expert plays the table game"),
        (["exploit", "expert"], "strategies: expert plays the table game"),
        (["train", "eaai", "--rows", "5"], "rows: 5 "),
        (["train", "eaai", "--then", "nosuch"], "then: there are no weights 'nosuch'"),
        (["train", "eaai", "--then", ""], "then: '' is not allowed"),
        (["train", "eaai", "--against", "simpel"], "against.0: "),
        (["train", "eaai", "--against", "itself"], "against: give another"),
        (["train", "hollywood"], "rules: "),
        (["train", "house"], "rules: house is the table game, for which no player can be trained"),
        (["exploit", "nobody"], "strategies.0: "),
        (["exploit", "simple", "simple"], "strategies: simple is listed twice"),
    ],
)
def test_command_line(words: list[str], told: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "out")])
    assert result.exit_code == 2 and told in result.output
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = CliRunner().invoke(app, ["train", "eaai", "--out", str(tmp_path / "file" / "x")])
    assert result.exit_code == 2 and "out: " in result.output


def test_how_to_resume_names_the_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ginsim.training.train.trained_in", stopped)
    result = CliRunner().invoke(app, ["train", "eaai", "--workers", "2", "--out", str(tmp_path)])
    assert result.exit_code == 130 and f"ginsim resume {tmp_path} --workers 2" in result.output


def test_parts_are_refused() -> None:
    with pytest.raises(InputError, match="part: '1/2' is not allowed"):
        built("train", part="1/2")
