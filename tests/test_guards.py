"""What a strategy, a journal or a folder can do to a run: nothing that is not told."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginsim import save
from ginsim.errors import InputError, StrategyError, said
from ginsim.experiment.runs import run_experiment
from ginsim.experiment.saved import kept_facts
from ginsim.games.catalog import Strategy
from ginsim.simulation.execute import Interrupted, execute
from ginsim.simulation.journal import JOURNAL, Journal, Tallies
from ginsim.simulation.play import play
from ginsim.study.base import Experiment
from ginsim.study.compare import compare, works_of
from ginsim.study.settings import built

HEAD = """
import numpy as np
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.players.decisions import discard_highest, draw_meld, knock_threshold
from ginsim.games.plugin import decision
from ginsim.games.catalog import Strategy
"""


def strategy(folder: Path, draw: str) -> str:
    """Spec of a strategy in a file whose draw decision does ``draw``."""
    file = folder / "own.py"
    text = f"{HEAD}\n@decision\ndef draw(view, params):\n    {draw}\n    return np.int64(0)\n"
    mine = "mine = Strategy.of(draw=draw, discard=discard_highest, knock='threshold', params={'knock': 5})\n"
    file.write_text(text + mine, encoding="utf-8")
    return f"{file}:mine"


@pytest.mark.parametrize("slot", ["V.HAND", "V.STOCK", "V.UPCARD", "V.TURN", "V.OPP_HELD", "R.LIMIT", "V.OWN_SCORE"])
def test_writing_to_the_engines_slots_is_told(tmp_path: Path, slot: str) -> None:
    with pytest.raises(StrategyError, match="draw decision wrote to slots of the view"):
        compare(strategy(tmp_path, f"view[{slot}] += 1"), "simple", deals=5, games=0)


def test_memory_and_random_are_a_strategys_own(tmp_path: Path) -> None:
    spec = strategy(tmp_path, "view[V.MEMORY + 3] += 1; view[V.RANDOM] += 5")
    assert compare(spec, "simple", deals=5, games=0).deals == 5


def test_writing_to_params_is_told(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match="wrote to params"):
        compare(strategy(tmp_path, "params[0] += 1"), "simple", deals=5, games=0)


def test_plain_python_may_not_write_either() -> None:
    class Cheat:
        def draw(self, view: Any) -> int:
            view.array[40] = 7
            return 0

        def discard(self, view: Any) -> int:
            return view.hand & -view.hand

        def knock(self, view: Any) -> int:
            return 1

    with pytest.raises(StrategyError, match="Cheat: the draw decision wrote"):
        compare(Strategy.of(player=Cheat()), "simple", deals=5, games=0)


def test_leaving_the_program_is_an_error_of_the_strategy(tmp_path: Path) -> None:
    file = tmp_path / "leave.py"
    file.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(InputError, match=r"leave.py: SystemExit"):
        Strategy.parse(f"{file}:mine")


def test_an_illegal_answer_is_shown(tmp_path: Path) -> None:
    with pytest.raises(StrategyError, match=r"illegal draw decision 17 \(expected 1"):
        compare(strategy(tmp_path, "return np.int64(17)"), "simple", deals=5, games=0)


def test_parameters_of_a_wrapped_family_reach_it(tmp_path: Path) -> None:
    file = tmp_path / "wrap.py"
    file.write_text(
        "from ginsim.games.catalog import Strategy\na = Strategy.parse('threshold(knock=3)')\n"
        "b = Strategy.parse('threshold(discard=random_best, knock_by_turn=[3, 5])')\n"
    )
    wrapped = compare(f"{file}:a(knock=9)", "simple", deals=300, games=0)
    plain = compare("threshold(knock=9)", "simple", deals=300, games=0)
    assert wrapped.hands_tally == plain.hands_tally
    assert Strategy.parse(f"{file}:b").params == Strategy.parse("threshold(discard=random_best, knock_by_turn=[3, 5])").params


def test_a_range_counts_once() -> None:
    tallies = Tallies()
    one = np.ones(3, np.int64)
    for first, count in ((0, 10), (0, 10), (5, 10), (10, 5), (9, 1), (15, 1)):
        tallies.add(("a", "hands"), first, count, one)
    assert tallies.sums["a", "hands"].tolist() == [3, 3, 3]  # 0-9, 10-14, 15


def test_two_runs_in_one_journal_do_not_count_twice(tmp_path: Path) -> None:
    rules = compare("simple", "random", "eaai", deals=1, games=0).rules
    from ginsim.games.gin.rules import Rules

    works = works_of(Strategy.parse("simple"), Strategy.parse("threshold"), Rules.parse(rules), 400, 0, 3)
    journal = Journal(tmp_path / "journal.jsonl", "x")
    for part in (works[0].part(0, 150), works[0].part(100, 200), works[0].part(0, 150)):
        journal.append(play(part), 1.0)
    tally = execute(works, 1, journal=journal).sums["0-1", "hands"]
    np.testing.assert_array_equal(tally, play(works[0]).tally)


def test_a_finished_study_leaves_the_lines_of_others(tmp_path: Path) -> None:
    from ginsim.games.gin.rules import Rules

    work = works_of(Strategy.parse("simple"), Strategy.parse("threshold"), Rules.parse("eaai"), 10, 0, 3)[0]
    mine, other = (Journal(tmp_path / "journal.jsonl", name) for name in ("mine", "other"))
    mine.append(play(work), 1.0)
    other.append(play(work), 1.0)
    mine.close()
    assert not mine.load().sums
    assert other.load().sums
    other.close()
    assert not (tmp_path / "journal.jsonl").exists()


def test_a_missing_or_damaged_part_is_played_again(tmp_path: Path) -> None:
    from ginsim.games.gin.rules import Rules

    works = works_of(Strategy.parse("simple"), Strategy.parse("threshold"), Rules.parse("eaai"), 50, 0, 3)
    journal = Journal(tmp_path / "journal.jsonl", "x")
    hands = tmp_path / "hands"
    execute(works, 1, journal=journal, hands=hands)
    part = next(hands.glob("*.parquet"))
    for damage in (part.unlink, lambda: part.write_bytes(b"PAR1")):
        damage()
        assert not journal.load(hands).sums
        execute(works, 1, journal=journal, hands=hands)
        assert journal.load(hands).sums


def test_kept_hands_do_not_mix(tmp_path: Path) -> None:
    first = compare("simple", "random", deals=20, games=0, keep_hands=tmp_path / "h")
    assert len(first.hands()) == 40
    with pytest.raises(InputError, match=r"keep_hands: .* holds the hands of an earlier run"):
        compare("simple", "random", deals=20, games=0, keep_hands=tmp_path / "h")
    own = tmp_path / "h" / "mydata.parquet"
    shutil.copy(next((tmp_path / "h").glob("hands-*.parquet")), own)
    assert len(first.hands()) == 40


@pytest.mark.parametrize("workers", [0, -1, 10**6, 10**30, "x", 1.5, True])
def test_workers_out_of_range(workers: Any) -> None:
    with pytest.raises(InputError, match=r"workers: .* give a whole number from 1 to 1024"):
        compare("simple", "random", deals=5, games=0, workers=workers)


@pytest.mark.parametrize("n", [0, -5, 1 << 40, "x", 2.5])
def test_random_numbers_out_of_range(n: Any) -> None:
    from ginsim.games.gin import view as V
    from ginsim.games.gin.view import View

    with pytest.raises(InputError, match="random: "):
        View(np.zeros(V.SIZE, np.int64)).random(n)


BASE = {"kind": "compare", "a": "simple", "b": "random", "deals": 20, "games": 0}


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"deals": 30}, "other deals or seed"), ({"seed": 1}, "other deals or seed"), ({"part": "1/2"}, "other deals or seed"),
        ({"games": 1}, "other deals or seed"), ({"rules": "eaai"}, "other rules"), ({"b": "threshold"}, "other strategies"),
        ({"kind": "odds", "deals": 100, "seed": 2}, "other kind, deals or seed"), ({"until": {"points": 2}}, "other settings"),
    ],
)  # fmt: skip
def test_the_result_of_another_study_is_replaced_only_if_asked(changed: dict[str, Any], told: str, tmp_path: Path) -> None:
    def carried_out(settings: dict[str, Any], **more: Any) -> None:
        run_experiment(built(**settings), tmp_path, save, command=f"ginsim {settings}", **more)

    carried_out(BASE)
    before = (tmp_path / "manifest.json").read_bytes()
    carried_out(BASE)  # the same again
    message = f"{tmp_path} holds the result of another study ({told}); give another folder, or --fresh to replace it"
    with pytest.raises(InputError, match=re.escape(message)):
        carried_out(BASE | changed)
    assert (tmp_path / "manifest.json").read_bytes() == before and not (tmp_path / JOURNAL).exists()
    carried_out(BASE | changed, fresh=True)
    carried_out(BASE, replace=True)
    assert kept_facts(tmp_path)["deals"] == 20


def test_the_same_study_of_an_older_version_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_experiment(built(**BASE), tmp_path, save)
    monkeypatch.setattr(Experiment, "digest", lambda experiment: "of another version")
    run_experiment(built(**BASE), tmp_path, save)
    assert kept_facts(tmp_path)["study"] == "of another version"


def test_hands_are_removed_only_if_asked(tmp_path: Path) -> None:
    run_experiment(built(**BASE), tmp_path, save, keep_hands=True)
    with pytest.raises(InputError, match="holds the hands of a study, which would be removed; give --hands too, or --fresh"):
        run_experiment(built(**BASE), tmp_path, save)
    assert list((tmp_path / "hands").iterdir())
    run_experiment(built(**BASE), tmp_path, save, keep_hands=True)
    run_experiment(built(**BASE), tmp_path, save, fresh=True)
    assert not (tmp_path / "hands").exists()


@pytest.mark.parametrize(
    "manifest", ["[]", "{", '{"study": 1, "rules": [], "strategies": 7}', '{"kind": {}, "shares": {"x": []}}']
)
def test_what_is_no_manifest_is_no_other_study_of_ours(manifest: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(manifest)
    if len(manifest) < 3:
        run_experiment(built(**BASE), tmp_path, save)
    else:
        with pytest.raises(InputError, match="another study"):
            run_experiment(built(**BASE), tmp_path, save)


def test_an_interrupted_run_that_was_to_replace_another_result_goes_on(tmp_path: Path) -> None:
    run_experiment(built(**BASE), tmp_path, save)
    other = built(**BASE | {"seed": 1, "deals": 40})

    def stopped(*given: Any) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted):
        run_experiment(other, tmp_path, save, 1, progress=stopped, fresh=True)
    run_experiment(other, tmp_path, save, 1)
    assert kept_facts(tmp_path)["seed"] == 1


def test_an_exception_that_cannot_be_shown_is_told() -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ZeroDivisionError

    assert said(MuteError()) == "(it cannot be shown)" and said(ValueError("two\nlines")) == "two lines"
