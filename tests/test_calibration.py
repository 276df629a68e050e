"""What is recorded of the opponent's cards, how it is summed up, and the fit of the model's factors."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import approx_fprime
from typer.testing import CliRunner

import ginsim
from ginsim.cli import app
from ginsim.errors import InputError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin import view as V
from ginsim.games.gin.hand import RECORD
from ginsim.games.gin.players import opponent as kernel
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.sightings import DEAR, DEAR_MOST, EVIDENCE, MODELS, Sightings, model_of, sightings
from ginsim.simulation.execute import execute
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.base import kinds
from ginsim.study.calibration import (
    BINS,
    CLASSES,
    CLIP,
    GROUPS,
    SCORES,
    TURNS,
    UNITS,
    CalibrationExperiment,
    CalibrationManifest,
    CalibrationWork,
    calibrate,
)
from ginsim.study.opponentfit import _Cards, fit_factors
from tests.helpers import from_mask
from tests.oracle import opponent as twin
from tests.oracle.cards import ordered, point
from tests.oracle.outlook import Known, last_value, unseen
from tests.test_lookahead import known

FACTORS = (kernel.DISCARDED, kernel.PASSED, kernel.TOOK)
LOGS = np.log([*kernel.DISCARDED, *kernel.PASSED, *kernel.TOOK, 0.3])


def work(a: str, b: str, rules: str = "eaai", count: int = 3) -> Work:
    return Work((Strategy.parse(a), Strategy.parse(b)), Rules.parse(rules), 5, HANDS, 2, count)


# What is recorded


def evidence(told: Known) -> list[int]:
    """What was seen of each unseen card, in the words of the twin."""
    passed, found = told.opponent_passed - told.opponent_discards, []
    for card in ordered(unseen(told)):
        every = [twin.near(card, cards, told.pack) for cards in (told.opponent_discards, passed, told.opponent_known)]
        holds = [*every[0], *every[1], *every[2], point(card, told.pack) > last_value(told)]
        found.append(sum(1 << i for i, held in enumerate(holds) if held))
    return found


@pytest.mark.parametrize(("rules", "pair"), [("eaai", ("lookahead", "simple")), ("round_the_corner", ("simple", "gin_only"))])
def test_sightings(rules: str, pair: tuple[str, str]) -> None:
    """Cards, evidence, truth and chances of every decision, against what an onlooker notes in the words of the twin."""
    played = work(*pair, rules)
    noted = list[tuple[int, int, Known, int]]()

    def watch(t: np.ndarray, slots: Any) -> None:
        decide = slots[0][1]

        def discard(view: np.ndarray, params: np.ndarray) -> int:
            told = known(view, played.rules)
            noted.append((int(t[RECORD, H.DEAL]), int(view[V.TURN]), told, int(t[1, V.HAND])))
            return int(decide(view, params))

        slots[0][1] = discard

    plain, watched = play(played, keep=True), play(played, keep=True, watch=watch)
    np.testing.assert_array_equal(plain.records, watched.records)
    seen, start = sightings(lambda watch: play(played, watch=watch), 0.3, 1.0), 0
    assert seen.decision[-1] + 1 == len(noted) > 20
    for number, (deal, turn, told, theirs) in enumerate(noted):
        cards = ordered(unseen(told))
        rows = slice(start, start + len(cards))
        start += len(cards)
        assert {*zip(seen.deal[rows], seen.turn[rows], seen.decision[rows], strict=True)} <= {(deal, turn, number)}
        assert seen.held[rows].tolist() == [card in from_mask(theirs) for card in cards]
        assert seen.seen[rows].tolist() == evidence(told)
        belief = twin.beliefs(told, 0.3, 1.0, FACTORS, 2)
        np.testing.assert_allclose(seen.chances[rows, 0], [belief[card] for card in cards], atol=1e-4)
        unknown = told.rules.hand_size - len(told.opponent_known)
        weights = np.array([DEAR if point(card, told.pack) > last_value(told) else 1.0 for card in cards])
        np.testing.assert_allclose(seen.chances[rows, 1], np.minimum(weights * unknown / weights.sum(), DEAR_MOST))
        np.testing.assert_allclose(seen.chances[rows, 2], unknown / len(cards))
        assert seen.held[rows].sum() == unknown
    assert start == len(seen.held)


def test_model_of_a_strategy() -> None:
    assert model_of(Strategy.parse("lookahead(kept_dear=0.7, reads=0.5)")) == (0.7, 0.5)
    assert model_of(Strategy.parse("simple")) == model_of(Strategy.parse("lookahead"))


# Sums and figures


@pytest.fixture(scope="module")
def seen() -> Sightings:
    played = work("champion", "simple", count=40)
    return sightings(lambda watch: play(played, watch=watch), *model_of(Strategy.parse("champion")))


@pytest.fixture(scope="module")
def result() -> Any:
    """The same hands."""
    played = work("champion", "simple", count=40)
    own = CalibrationWork(played.players, played.rules, 5, HANDS, 2, 40, "0", False, *model_of(played.players[0]))
    experiment = CalibrationExperiment(watcher="champion", opponents=["simple"], rules="eaai", deals=40, seed=5)
    return experiment.result(execute([own], workers=1))


def test_classes_of_chances(seen: Sightings, result: Any) -> None:
    frame = pd.DataFrame({"p": seen.chances[:, 0], "held": seen.held, "deal": seen.deal})
    classes = np.minimum((frame["p"] * BINS).astype(int), BINS - 1)
    table = result.table()
    assert table["cards"].sum() == result.cards("simple") == len(frame)
    for row, (k, own) in zip(table.itertuples(), frame.groupby(classes), strict=True):
        assert (row.chance_from, row.chance_to) == (k / BINS, (k + 1) / BINS)
        assert row.cards == len(own)
        assert row.predicted == pytest.approx(own["p"].mean(), abs=len(own["deal"].unique()) / UNITS / len(own))
        assert row.held == own["held"].mean()
        assert row.held_low <= row.held <= row.held_high
        by_deal = own.groupby("deal")["held"].agg(["sum", "size"])
        off = by_deal["sum"] - row.held * by_deal["size"]
        se = math.sqrt((off**2).sum() * len(off) / max(len(off) - 1, 1)) / len(own)
        if by_deal["size"].sum() ** 2 / (by_deal["size"] ** 2).sum() > 30 and 0.1 < row.held < 0.9:
            assert (row.held_high - row.held_low) / 2 == pytest.approx(1.96 * se, rel=0.05)
    gaps = (table["cards"] * (table["predicted"] - table["held"]).abs()).sum() / table["cards"].sum()
    assert result.miss("simple") == pytest.approx(gaps)


def test_scores(seen: Sightings, result: Any) -> None:
    """Against means of the cards; the intervals against those of the deals' ratios."""
    p = np.clip(seen.chances, CLIP, 1 - CLIP)
    true = np.where(seen.held[:, None], p, 1 - p)
    told = dict(zip(SCORES, (-np.log(true), (1 - true) ** 2), strict=True))
    turns = np.minimum(seen.turn, TURNS - 1)
    for number, group in enumerate(GROUPS):
        rows = turns == number - 1 if number else turns >= 0
        for score, (i, model) in [(score, pair) for score in SCORES for pair in enumerate(MODELS)]:
            own = told[score][rows]
            assert result.score("simple", score, model, group=group).value == pytest.approx(own[:, i].mean(), abs=1e-4)
            gain = result.score("simple", score, model, "belief", group)
            differences = own[:, i] - own[:, 0]
            assert gain.value == pytest.approx(differences.mean(), abs=1e-4)
            deals = seen.deal[rows] - seen.deal.min()
            sums, sizes = (np.bincount(deals, x, 40) for x in (differences, np.ones(len(deals))))
            off = sums - differences.mean() * sizes
            assert gain.se == pytest.approx(math.sqrt((off**2).sum() * 40 / 39) / len(deals), abs=1e-4)
    scores = result.scores()
    assert list(scores["group"]) == list(GROUPS)
    assert scores["cards"][1:].sum() == scores["cards"][0]
    assert scores["log_gain_even"][0] == pytest.approx(scores["log_even"][0] - scores["log"][0])


def test_any_cut_gives_the_same_sums() -> None:
    pair = (Strategy.parse("champion"), Strategy.parse("simple"))
    whole = CalibrationWork(pair, Rules.parse("eaai"), 1, HANDS, 0, 7, "0", False, 0.3, 1.0)
    parts = [whole.part(0, 3), whole.part(3, 1), whole.part(4, 3)]
    np.testing.assert_array_equal(whole.carry_out().tally, np.sum([part.carry_out().tally for part in parts], axis=0))


def test_saved_and_loaded(tmp_path: Path) -> None:
    found = calibrate("champion", ["simple", "gin_only"], deals=6, seed=3, workers=1)
    folder = ginsim.save(found, tmp_path / "whole")
    assert ginsim.load_results(folder) == found
    assert {"calibration.csv", "scores.csv", "calibration.png", "report.html"} <= {path.name for path in folder.iterdir()}
    pd.testing.assert_frame_equal(pd.read_parquet(folder / "scores.parquet"), found.scores())
    parts = []
    for part in ("1/2", "2/2"):
        experiment = CalibrationExperiment(
            watcher="champion", opponents=["simple", "gin_only"], rules="eaai", deals=6, seed=3, part=part
        )
        own = experiment.result(execute(experiment.own_works(), workers=1))
        parts.append(ginsim.save(own, tmp_path / part[0], shares=({"seed": 3, "part": part, "deals": 6, "games": 0},)))
    ginsim.merge(parts, tmp_path / "merged")
    assert ginsim.load_results(tmp_path / "merged").sums == found.sums
    assert found.verdict() in (folder / "report.md").read_text(encoding="utf-8")
    assert "95 % intervals" in ginsim.plot(found).get_ylabel()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda sums: sums.pop("simple"), "opponent simple is missing"),
        (lambda sums: sums["simple"].pop("turn 3"), "turn 3 is missing"),
        (lambda sums: sums["simple"]["all"].pop("cards"), "sum cards is missing"),
        (lambda sums: sums["simple"][CLASSES[0]].update(held=-1), "a sum below 0 is impossible"),
        (lambda sums: sums["simple"][CLASSES[5]].update(cards=10**9), "are not those of all turns"),
    ],
)
def test_impossible_sums(change: Any, message: str) -> None:
    found = calibrate("champion", "simple", deals=2, workers=1)
    sums = {"simple": {name: dict(own) for name, own in found.sums["simple"].items()}}
    manifest = CalibrationManifest.model_construct(
        game="gin", rules=SimpleNamespace(fields=Rules.parse("eaai").model_dump()), strategies=["champion", "simple"], deals=2,
        seed=0, kept_dear=found.kept_dear, reads=found.reads,
    )  # fmt: skip
    build = kinds()["calibration"].build
    assert build(Path("x"), manifest, sums) == found
    change(sums)
    with pytest.raises(InputError, match=message):
        build(Path("x"), manifest, sums)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"opponents": ["simple", "simple"]}, "simple is listed twice"),
        ({"opponents": []}, "opponents"),
        ({"opponents": 3}, "opponents: 3 is not allowed"),
        ({"deals": 1}, "deals"),
        ({"watcher": "nobody"}, "nobody"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        calibrate(**{"watcher": "champion", "opponents": "simple"} | settings)


# The fit


def drawn(seen: Sightings, logs: np.ndarray, rnd: np.random.Generator) -> Sightings:
    """The same cards, held as the factors say: each on its own."""
    chances = _Cards.of([seen]).chances(logs)
    assert len(chances) == len(seen.held)
    held = rnd.random(len(chances)) < chances
    return Sightings(seen.deal, seen.turn, seen.decision, held, seen.seen, seen.chances)


def test_chances_with_the_scale_solved(seen: Sightings) -> None:
    """They add up to the cards held, and are those of the definition; the shipped model's are near them."""
    cards = _Cards.of([seen])
    chances = cards.chances(LOGS)
    np.testing.assert_allclose(np.bincount(cards.decision, chances), np.bincount(cards.decision, cards.held))
    weights = np.exp(cards.kinds[cards.kind] @ LOGS)
    for decision in range(0, int(cards.decision[-1]), 50):
        rows = cards.decision == decision
        scale = twin.solved(list(weights[rows]), int(cards.held[rows].sum()))
        np.testing.assert_allclose(chances[rows], scale * weights[rows] / (1 + scale * weights[rows]), rtol=1e-6)


def test_gradient(seen: Sightings) -> None:
    cards = _Cards.of([seen])
    for logs in (np.zeros(len(EVIDENCE)), LOGS):
        value, gradient = cards.objective(logs)
        assert value == pytest.approx(cards.loss(cards.chances(logs)))
        told = approx_fprime(logs, lambda x: cards.objective(x)[0], 1e-6)
        np.testing.assert_allclose(gradient, told, atol=1e-6)


def test_factors_are_found_again(seen: Sightings) -> None:
    """Of cards drawn by known factors nearly all intervals hold them, and the errors are as large as they are said to be."""
    off = []
    for round_ in range(6):
        cards = _Cards.of([drawn(seen, LOGS, np.random.default_rng(round_))])
        found = cards.fitted()
        off.append((found - LOGS) / cards.errors(found))
    often = np.bincount(_Cards.of([seen]).kind) @ _Cards.of([seen]).kinds > 500
    spread = np.array(off)[:, often]
    assert often.sum() >= 10
    assert 0.7 < np.sqrt(np.mean(spread**2)) < 1.4
    assert np.mean(np.abs(spread) < 2) > 0.85


def test_fit() -> None:
    found = fit_factors("champion", ["simple", "gin_only"], deals=20, seed=4)
    assert list(found.factors["factor"]) == list(EVIDENCE)
    assert ((found.factors["low"] <= found.factors["fitted"]) & (found.factors["fitted"] <= found.factors["high"])).all()
    assert (found.losses["fitted"] < found.losses["even"]).all()
    assert "kept_dear = " in str(found)
    for bad in ({"deals": 3}, {"opponents": []}, {"opponents": "simple"}):
        with pytest.raises(InputError):
            fit_factors(**bad)


# The command


def test_command(tmp_path: Path) -> None:
    run = CliRunner().invoke
    told = run(app, ["opponent", "champion", "simple", "--deals", "4", "-q", "--out", str(tmp_path / "a")])
    assert told.exit_code == 0
    assert "Unseen cards by the chance that simple holds them" in told.output
    assert ginsim.load_results(tmp_path / "a").deals == 4
    told = run(app, ["opponent", "champion", "simple", "--fit", "--deals", "20", "--out", str(tmp_path / "b")])
    assert told.exit_code == 0
    assert {path.name for path in (tmp_path / "b").iterdir()} == {"factors.csv", "losses.csv", "report.md"}
    assert len(pd.read_csv(tmp_path / "b" / "factors.csv")) == len(EVIDENCE)
    assert run(app, ["opponent", "champion", "simple", "simple"]).exit_code == 2
