"""Fixed studies come to the same sums as ever; if not, figures have changed and ``ginsim.study.base.ENGINE`` must be raised, or
where it is a single decision that changed, its ``version``.

``python tests/test_engine.py`` writes the sums down anew, once that is wanted.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ginsim.experiment.loading import tallies_text
from ginsim.games.catalog import GAMES_THERE_ARE, Strategy
from ginsim.simulation.play import GAMES, HANDS, Work, play
from ginsim.study.base import ENGINE, carried_out, kinds
from ginsim.study.recording import record
from ginsim.study.settings import built

KEPT = Path(__file__).parent / "data" / "engine.json"


def hands(a: str, b: str, rules: str, deals: int, phase: str = HANDS, **more: bool) -> str:
    game = next(game for game in GAMES_THERE_ARE.values() if rules.partition("(")[0] in game.rules.presets())
    players = Strategy.parse(a), Strategy.parse(b)
    return play(Work(players, game.rules.parse(rules), 7, phase, 0, deals, **more)).tally.tobytes().hex()


def study(kind: str, **settings: Any) -> str:
    return tallies_text(carried_out(built(kind, seed=7, **settings), workers=1))


def _decisions() -> dict[str, Callable[[], str]]:
    """Hands of every shipped strategy against the plain player of its game."""
    deals = {"rollout": 1, "champion_rollout": 1, "champion20_rollout": 1, "strong_rollout": 1, "lookahead": 20}
    found: dict[str, Callable[[], str]] = {}
    for game in GAMES_THERE_ARE.values():
        first = next(iter(game.rules.presets()))
        for name in game.repertoire.families:
            found[f"{game.name} {name}"] = partial(hands, name, game.plain_player, first, deals.get(name, 30))
    return found


VARIANTS = (
    "pagat", "classic20", "eaai", "oklahoma(stock_end=reshuffle)", "hollywood", "round_the_corner", "tournament",
    "classic25(upcard_offer=false, eleven_card_start=true)", "classic25(tie=push, layoff=none, redraw_ban=false)",
)  # fmt: skip
FIXED: dict[str, Callable[[], str]] = {
    **_decisions(),
    **{f"gin {rules}": lambda rules=rules: hands("simple", "threshold(knock=4)", rules, 40) for rules in VARIANTS},
    **{f"gin games {of}": partial(hands, "simple", "gin_only", of, 3, GAMES) for of in ("classic25", "pagat", "hollywood")},
    "gin slots": lambda: hands("champion", "simple", "classic25", 30),
    "gin luck": lambda: hands("simple", "gin_only", "eaai", 40, luck=True),
    "gin moments": lambda: hands("simple", "gin_only", "eaai", 40, moments=True),
    "gin turns": lambda: hands("simple", "gin_only", "eaai", 40, turns=True),
    **{f"table of {n}": lambda n=n: hands("expert", "novice", f"house(players={n})", 20) for n in range(2, 7)},
    "table games": lambda: hands("expert", "novice", "house(players=3)", 2, GAMES),
    "effect": lambda: study("effect", strategies=["simple", "gin_only"], variants=["oklahoma", "(knock_limit=5)"], deals=30),
    "effect at a table": lambda: study(
        "effect", strategies=["novice", "expert"], rules="house", variants=["(players=2)"], deals=20
    ),
    "sweep": lambda: study("sweep", strategy="threshold", over={"knock": [0, 10]}, opponents=["simple"], deals=30, games=2),
    "sweep at a table": lambda: study(
        "sweep", strategy="expert", over={"lay": [0, 9]}, opponents=["novice"], rules="house", deals=20
    ),
    "statistics": lambda: study("statistics", strategies=["simple"], deals=30),
    "statistics at a table": lambda: study("statistics", strategies=["novice"], rules="house", deals=20),
    "odds": lambda: study("odds", a="simple", b="gin_only", deals=40, games=2),
    "courses": lambda: courses("threshold(draw=strict)", "oklahoma", 40),
    "calibration": lambda: study("calibration", watcher="lookahead", opponents=["simple"], deals=3),
    "error_rates": lambda: study("error_rates", a="simple", b="gin_only", comparisons=30, deals=30),
    "coverage": lambda: study("coverage", a="simple", b="gin_only", samples=30, deals=300, shares=[0.5]),
    "solve": lambda: study("solve", strategy="threshold", deals=200),
    "adaptation": lambda: study(
        "effect", strategies=["threshold"], variants=["(gin_bonus=0)", "oklahoma"], deals=200, adapt="knock"
    ),
    "mixture": lambda: study("mixture", seats=["novice", "intermediate", "expert"], rules="house(players=3)", deals=20, games=2),
}  # fmt: skip


def courses(strategy: str, rules: str, deals: int) -> str:
    """Courses of hands without knocks."""
    return record(strategy, rules, 3, 0, deals, "simple", workers=1).rows.tobytes().hex()


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.fixture(scope="module")
def kept() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(KEPT.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", FIXED)
def test_the_sums_are_those_of_this_engine(name: str, kept: dict[str, Any]) -> None:
    assert digest(FIXED[name]()) == kept["sums"][name], (
        "figures changed: raise ENGINE in ginsim/study/base.py or the version of a decision (or mend what changed them); then "
        "run this file as a program"
    )


def versions() -> dict[str, Any]:
    """Of the engine, of the kinds of study, and of the decisions that once decided otherwise."""
    shipped = [decision for game in GAMES_THERE_ARE.values() for decision in game.repertoire.decisions.values()]
    decisions = {f"{d.kind} {d.name}": d.version for d in shipped if d.version > 1}
    return {"engine": ENGINE, "kinds": {name: kind.version for name, kind in kinds().items()}, "decisions": decisions}


def test_the_versions_are_those_of_the_sums(kept: dict[str, Any]) -> None:
    assert {name: kept[name] for name in ("engine", "kinds", "decisions")} == versions()
    assert kept["sums"].keys() == FIXED.keys()


def test_a_decision_that_changed_makes_only_its_own_studies_new(monkeypatch: pytest.MonkeyPatch) -> None:
    studies = [built("compare", a=a, b="simple", seed=1) for a in ("threshold", "rollout")]
    assert [s.field()[0].changed for s in studies] == [[], ["draw rollout 2", "discard rollout 2"]]
    now = [s.digest() for s in studies]
    monkeypatch.setattr(Strategy, "changed", [])
    assert [a == b.digest() for a, b in zip(now, studies, strict=True)] == [True, False]


if __name__ == "__main__":
    old = json.loads(KEPT.read_text(encoding="utf-8"))["sums"]  # without names all are made anew
    named = [name for name in FIXED if not sys.argv[1:] or name in sys.argv[1:]]
    sums = {name: digest(of()) if name in named else old[name] for name, of in FIXED.items()}
    KEPT.write_text(json.dumps(versions() | {"sums": sums}, indent=1) + "\n", encoding="utf-8")
