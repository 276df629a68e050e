"""A third game, a few dozen lines of its own, is played by every study that does not need what it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from toy_game import TOY

import ginsim
from ginsim.errors import InputError, StrategyError
from ginsim.experiment.loading import load_results
from ginsim.games import rulebook, strategy
from ginsim.games.catalog import GAMES_THERE_ARE, Strategy, enter
from ginsim.study.mixture import mixture
from ginsim.study.tune import tune

A, B = "keeper(least=7)", "keeper(least=2)"


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    enter(TOY)
    yield
    del GAMES_THERE_ARE["toy"], strategy.REPERTOIRES["toy"]
    rulebook.RULES.remove(TOY.rules)


STUDIES: dict[str, Callable[[], Any]] = {
    "compare": lambda: ginsim.compare(A, B, "toy", deals=300, games=20),
    "until": lambda: ginsim.compare(A, B, "toy", deals=3000, until={"points": 1.0}),
    "tournament": lambda: ginsim.tournament([A, B, "keeper(least=13)"], "toy", deals=100, games=10),
    "gauntlet": lambda: ginsim.gauntlet([A, B], ["keeper(least=10)"], "toy", deals=100),
    "sweep": lambda: ginsim.sweep("keeper", {"least": [2, 7], "rules.ranks": [5, 13]}, ["keeper(least=4)"], "toy", deals=100),
    "factorial": lambda: ginsim.factorial("keeper", {"least": [2, 7], "rules.bonus": [0, 9]}, [A], "toy", deals=100),
    "effect": lambda: ginsim.effect("toy", ["(ranks=5)", "(bonus=9)"], [A, B], deals=100, games=10),
    "map": lambda: ginsim.rule_map(("ranks", [5, 13]), ("bonus", [0, 9]), [A, B], "toy", deals=50),
    "statistics": lambda: ginsim.statistics([A, B], ["toy", "(ranks=5)"], deals=100),
    "mixture": lambda: mixture([A, B], "toy", deals=100, games=10),
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_plays_it_and_keeps_its_result(name: str, tmp_path: Path) -> None:
    result = STUDIES[name]()
    assert result.hand_count > 0 and "%" not in result.verdict()[:1]
    ginsim.save(result, tmp_path / "result")
    assert load_results(tmp_path / "result") == result
    assert (tmp_path / "result" / "report.md").read_text(encoding="utf-8").count("\n") > 20


def test_keeping_high_cards_pays_and_changes_of_seats_cancel() -> None:
    assert ginsim.compare(A, B, "toy", deals=600, games=0).points_per_hand.low > 0
    assert float(ginsim.compare(A, A, "toy", deals=50, games=0).points_per_hand) == 0


def test_the_same_for_any_chunks_and_workers() -> None:
    one, two = (ginsim.compare(A, B, "toy", deals=200, games=10, workers=workers) for workers in (1, 2))
    assert one == two


def test_hands_are_kept(tmp_path: Path) -> None:
    found = ginsim.compare(A, B, "toy", deals=20, games=0, keep_hands=tmp_path / "hands")
    hands = found.hands()
    assert len(hands) == 40 and set(hands["ending"]) <= {"won", "even"}


def test_tuning_aims_at_points() -> None:
    assert tune("keeper(least=2)", [B], "toy", generations=2, deals=20, held_out=40, seed=1).aim == "points per hand"


def test_what_it_lacks_is_refused_by_name() -> None:
    lacking: dict[str, Callable[[], Any]] = {
        "luck of the draw": lambda: ginsim.compare(A, B, "toy", deals=10, control=True),
        "no odds by score": lambda: ginsim.odds(A, B, "toy"),
        "cannot be replayed": lambda: ginsim.replay(A, B, 1, rules="toy"),
        "no advice": lambda: ginsim.advise("7C", rules="toy"),
        "no knock to solve": lambda: ginsim.solve(A, "toy"),
        "no model": lambda: ginsim.calibrate(A, B, "toy"),
    }
    for words, ask in lacking.items():
        with pytest.raises(InputError, match=rf"toy.*is the toy game.*{words}|{words}"):
            ask()


def test_a_plain_python_player_and_its_mistakes() -> None:
    class Always:
        def keep(self, view: np.ndarray) -> int:
            return 1

    class Wrong:
        def keep(self, view: np.ndarray) -> int:
            return 3

    assert Strategy.parse(Always()).game == "toy"
    assert ginsim.compare(A, Always(), "toy", deals=20, games=0).hand_count == 40
    with pytest.raises(StrategyError, match="illegal keep decision 3"):
        ginsim.compare(A, Wrong(), "toy", deals=20, games=0)


def test_players_of_another_game_are_refused() -> None:
    with pytest.raises(InputError, match=r"keeper.* plays the toy game, not two-player gin"):
        ginsim.compare(A, "simple", "classic25")
    with pytest.raises(InputError, match="simple plays two-player gin, not the toy game"):
        ginsim.compare(A, "simple", "toy")
