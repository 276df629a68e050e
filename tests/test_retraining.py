"""What rules change once players adapt all their play, with players that have been trained already: who plays in each stage, that
figures are those of plain studies of them, how a result is kept, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.experiment.loading import load_results
from ginsim.experiment.runs import run_experiment
from ginsim.games.catalog import Strategy
from ginsim.games.gin.learned.layout import NETS
from ginsim.games.gin.learned.weights import read_nets, weights_bytes
from ginsim.report.folder import save_again
from ginsim.report.showing import save
from ginsim.study.compare import compare
from ginsim.study.effect import effect
from ginsim.study.settings import built
from ginsim.training.course import ITSELF, STATE, WEIGHTS, Iteration, State, apart, with_weights
from ginsim.training.experiment import folder_of
from ginsim.training.habits import CELLS, clearest
from ginsim.training.retraining import ADAPTED, BEFORE, KNOCK, PLAY, STAGES, Retraining, RetrainingExperiment, retrain
from tests.kept import change_sums

pytest.importorskip("jax")
pytest.importorskip("optax")

pytestmark = pytest.mark.xdist_group("training")
BASE, VARIANT = "classic25", "classic25(knock_limit=5)"
SMALL: dict[str, Any] = {"rows": 80_000, "iterations": 1, "deals": 120, "games": 100, "seed": 3}


def of(**more: Any) -> RetrainingExperiment:
    """The study, as given from Python."""
    settings = {"rules": BASE, "variants": ["(knock_limit=5)"], **SMALL, **more}
    found = built("retraining", **settings)
    assert isinstance(found, RetrainingExperiment)
    return found


def put_trained(folder: Path, experiment: RetrainingExperiment, shipped: tuple[str, ...] = ("eaai", "knock5")) -> None:
    """Write shipped weights into a folder as if they had been trained there."""
    against = [str(own) for own in experiment.against]
    for rules, name in zip(experiment.every_rules, shipped, strict=True):
        own = folder / experiment.PLACE / folder_of(rules)
        own.mkdir(parents=True)
        nets = {net: read_nets(name)[0][net] for net in NETS}
        (own / "weights_01.npz").write_bytes(weights_bytes(nets))
        study = {"rules": str(rules), "against": against, "start": str(experiment.begins)}
        numbers = {"rows": experiment.rows, "games": 100, "seed": experiment.seed}
        won = {other: [0.8, 0.7, 0.9] for other in against if other != ITSELF}
        state = State(study=study | numbers, iterations=[Iteration(rows=80_000, seconds=30.0, won=won)])
        (own / STATE).write_text(state.model_dump_json())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study that was carried out."""
    out = tmp_path_factory.mktemp("retrained")
    put_trained(out, of())
    run_experiment(of(), out, save, workers=2)
    return out


@pytest.fixture(scope="module")
def found(folder: Path) -> Retraining:
    result = load_results(folder)
    assert isinstance(result, Retraining)
    return result


def player(folder: Path, rules: str, name: str = WEIGHTS) -> Strategy:
    return with_weights(folder / "players" / folder_of(rules) / name)


def test_who_plays_in_each_stage(folder: Path) -> None:
    """With the knock adapted, the knock net is that of the variant and the others are those of the base."""
    own = folder / "players" / folder_of(VARIANT)
    mixed = read_nets(str(own / "knock_adapted.npz"))[0]
    for net in NETS:
        name = "knock5" if net == "knock" else "eaai"
        np.testing.assert_array_equal(mixed[net], read_nets(name)[0][net])


def test_before_adapting_is_a_plain_effect(found: Retraining, folder: Path) -> None:
    """The player of the base under both rules, on the same deals."""
    base = player(folder, BASE)
    plain = effect(BASE, ["(knock_limit=5)"], [base], deals=120, games=100, seed=apart(3, 2))
    for name in found.measures:
        assert found.level(0, name) == plain.level(0, name)
        assert found.level(1, name, BEFORE) == plain.level(1, name)
        assert found.change(1, name, BEFORE) == plain.difference(1, name)


def test_each_stage_is_its_player_under_the_variant(found: Retraining, folder: Path) -> None:
    for stage, name in ((KNOCK, "knock_adapted.npz"), (PLAY, WEIGHTS)):
        own = player(folder, VARIANT, name)
        plain = effect(VARIANT, ["classic20"], [own], deals=120, games=100, seed=apart(3, 2))
        for measure in found.measures:
            assert found.level(1, measure, stage) == plain.level(0, measure)
        fought = compare(own, player(folder, BASE), rules=VARIANT, deals=120, games=100, seed=apart(3, 2))
        assert found.gains[1, stage].hands_tally == fought.hands_tally
        assert found.gain(1, stage) == fought.games_won


def test_changes_are_paired(found: Retraining) -> None:
    """Adapting is the difference of the changes, and a narrower one than that of unpaired figures."""
    for name in found.measures:
        own, before, after = found.adapts(1, name), found.change(1, name, BEFORE), found.change(1, name)
        assert own.value == pytest.approx(after.value - before.value, abs=1e-12)
    before, after = (found.changed[0].value(1 + list(STAGES).index(stage), "turns") for stage in (BEFORE, PLAY))
    assert found.adapts(1, "turns").se < np.hypot(before.se, after.se)
    assert found.adapts(1, "turns").value > 0.3  # a limit of 5 takes longer


def test_what_is_said(found: Retraining, folder: Path) -> None:
    text = str(found)
    assert "classic25(knock_limit=5)" in found.verdict()
    assert "who has adapted only the knock" in text
    assert found.otherwise(1).startswith(("On own turns", "No change in its habits"))
    page = (folder / "report.md").read_text()
    assert "play adapted" in page and "**knock_limit=5**" in page and "nan" not in page
    assert (folder / "retrained.png").stat().st_size > 10_000
    assert set(found.table()["adapted"]) == set(STAGES)
    assert set(found.gain_table()["adapted"]) == set(ADAPTED)
    assert set(found.course()["rules"]) == {BASE, VARIANT}


def test_the_clearest_habit() -> None:
    """The change that is most standard errors wide; none if there are too few cases."""

    def sums(share: float, cell: int, cases: int = 1000) -> np.ndarray:
        rows = np.zeros((len(CELLS), 6), np.int64)
        for k in range(len(CELLS)):
            x = round(cases * (share if k == cell else 0.5))
            rows[k] = x, x, cases, cases, x, cases
        return rows

    for cell, (habit, turns, _) in enumerate(CELLS):
        said = clearest(sums(0.5, cell), sums(0.9, cell))
        assert said.startswith(f"On own turns {turns}, ") and "90 %" in said and "(before: 50 %)" in said
        assert {"knock": "knocks with", "take": "of the upcards", "throw": "of its discards"}[habit] in said
    for same in (clearest(sums(0.5, 0), sums(0.52, 0)), clearest(sums(0.1, 0, 50), sums(0.9, 0, 50))):
        assert same == "No change in its habits is clear."


def test_it_is_kept_and_written_again(found: Retraining, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    before = (tmp_path / "copy" / "report.md").read_text()
    save_again(tmp_path / "copy")
    assert (tmp_path / "copy" / "report.md").read_text() == before
    assert load_results(tmp_path / "copy") == found


def test_workers_do_not_matter(found: Retraining, tmp_path: Path) -> None:
    put_trained(tmp_path, of())
    told: list[str] = []
    again = retrain(BASE, ["(knock_limit=5)"], folder=tmp_path, workers=1, report=told.append, **SMALL)
    assert again == found
    assert told[0] == "player 1 of 2, under classic25"


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda sums: sums["changed"].pop(), "not the sums"),
        (lambda sums: sums["changed"][0]["hands"].pop("play"), "stage play is missing"),
        (lambda sums: sums["adapting"][0]["hands"].update(base={}), "stage base is not known"),
        (lambda sums: sums["changed"][0]["hands"]["base"].update(points=-1), "points=-1 is impossible"),
        (lambda sums: sums["gains"].pop("knock-1"), "gain knock-1 is missing"),
        (lambda sums: sums["habits"].pop("play-1"), "habits of play-1 is missing"),
        (lambda sums: sums["habits"]["play-1"].pop(), "not 6 sums for each of"),
    ],
)
def test_damaged_sums(folder: Path, tmp_path: Path, damage: Any, said: str) -> None:
    shutil.copytree(folder, tmp_path / "copy")
    change_sums(tmp_path / "copy", damage)
    with pytest.raises(InputError, match=said):
        load_results(tmp_path / "copy")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"variants": []}, "variants: needs at least 1"),
        ({"variants": ["classic25"]}, "is the base itself"),
        ({"variants": ["hollywood"]}, "Hollywood"),
        ({"strategies": ["simple", "champion"]}, "at most 1 is allowed"),
        ({"against": ["itself"]}, "give another opponent besides 'itself'"),
        ({"rules": "hollywood"}, "Hollywood"),
        ({"part": "1/2"}, "cannot be cut into parts"),
        ({"games": 0}, "games: 0 is not allowed"),
    ],
)
def test_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        of(**more)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--adapt", "play"], "out: players are trained in a folder; give --out FOLDER"),
        (["--minutes", "3"], "minutes: only with --adapt play"),
        (["--adapt", "play", "--out", "x", "--about", "knocked"], "about: 'knocked' is not allowed with --adapt play"),
        (["--adapt", "play", "--out", "x", "--by", "games_won"], "by: 'games_won' is not allowed with --adapt play"),
        (["--adapt", "knock", "--rows", "90000"], "rows: only with --adapt play"),
        (["--adapt", "all"], "adapt: 'all' is not allowed"),
        (["--adapt", "play", "--out", "x", "--strategies", "simple, champion"], "strategies: at most 1 is allowed"),
        (["--adapt", "play", "--out", "x", "--strategies", " "], "strategies: ' ' is not allowed"),
    ],
)
def test_refused_on_the_command_line(arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    outcome = CliRunner().invoke(app, ["effect", BASE, "(knock_limit=5)", *arguments])
    assert outcome.exit_code == 2 and said in outcome.output.replace("\n", " "), outcome.output


def test_effect_of_python_trains_nobody() -> None:
    """Without a folder there would be players who were never trained."""
    with pytest.raises(InputError, match=r"adapt: .play. is not allowed here.*ginsim\.retrain"):
        effect(BASE, ["(knock_limit=5)"], adapt="play")


def test_a_map_adapts_the_knock_only() -> None:
    with pytest.raises(InputError, match="adapt: 'play' is not allowed"):
        built(
            "map", rules=BASE, strategies=["simple", "champion"], adapt="play",
            x={"field": "gin_bonus", "values": [0, 10]}, y={"field": "undercut_bonus", "values": [0, 10]},
        )  # fmt: skip
