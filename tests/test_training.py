"""Training in miniature: what branches come to, that a training is the same however it is cut, its page, and what is refused."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.learned import branching
from ginsim.games.gin.learned import layout as L
from ginsim.games.gin.odds import game_odds, outcomes
from ginsim.games.gin.rules import Rules
from ginsim.report.training import save_training, training_page
from ginsim.simulation.play import Work, play
from ginsim.training import data
from ginsim.training.course import ITSELF, Trained, prior, train
from ginsim.training.data import Branches, branch, chances, joined
from ginsim.training.exploit import Exploited, exploit
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
    assert "going on after 1 iterations" in told[0]
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


def test_page_and_picture(whole: Trained) -> None:
    page = training_page(whole, "ginsim train …")
    assert "| 2 |" in page and "against simple" in page and f"against {ITSELF}" not in page
    assert whole.won("simple").low < whole.won("simple").value < whole.won("simple").high
    save_training(whole)
    assert (whole.folder / "course.png").stat().st_size > 3000 and (whole.folder / "report.md").exists()


def test_exploit(tmp_path: Path) -> None:
    found = exploit("gin_only", "eaai", tmp_path, iterations=1, rows=80_000, games=400, seed=2)
    assert isinstance(found, Exploited) and found.improving
    assert found.games_won.low > 0.5 and found.points.low > 0
    assert "lower bounds of what gin_only gives away" in str(found)


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
        ({"then": "nosuch"}, "there are no weights"),
        ({"against": ["simple", "simple"]}, "against"),
        ({"against": ["simpel"]}, "did you mean 'simple'"),
        ({"against": ["expert"]}, "plays"),
        ({"rules": "hollywood"}, "rules"),
        ({"rules": "house"}, "rules"),
        ({"minutes": 0}, "minutes"),
        ({"iterations": 0}, "iterations"),
        ({"rows": 10}, "rows"),
        ({"games": 1}, "games"),
        ({"seed": -1}, "seed"),
        ({"start": "nobody"}, "there is no 'nobody'"),
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
    with pytest.raises(InputError, match="belongs to another training"):
        train("eaai", ["gin_only"], tmp_path, **SMALL)
    (tmp_path / "training.json").write_text("{}")
    with pytest.raises(InputError, match="damaged"):
        train("eaai", AGAINST, tmp_path, **SMALL)


def test_command_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", "eaai", "--out", str(tmp_path), "--rows", "5"])
    assert result.exit_code == 2 and "rows" in result.output
    result = CliRunner().invoke(app, ["exploit", "nobody", "--out", str(tmp_path)])
    assert result.exit_code == 2 and "there is no 'nobody'" in result.output
