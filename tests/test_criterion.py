"""What better means: who leads by which measure, and when the page says that measures disagree, on sums made for it."""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import InputError, plots
from ginsim.cli import app
from ginsim.games.base import GAME_TALLY, HEAD, as_dict
from ginsim.games.gin.count import HAND_TALLY
from ginsim.inference.estimates import Estimate
from ginsim.inference.measures import share
from ginsim.report.of import tournament as tournament_page
from ginsim.study.base import kinds
from ginsim.study.compare import Comparison, comparison_of
from ginsim.study.criterion import Leader, disagreement_of_leaders, disagreement_of_signs, disagreement_of_two, p_of
from ginsim.study.effect import GAMES, HANDS, SIDES_OF
from ginsim.study.measures import COMPARED, CRITERIA, JUDGED
from ginsim.study.settings import built
from ginsim.study.tournament import Tournament
from tests.kept import change_sums

PAIRS = 1_000


def sums(names: tuple[str, ...], diffs: dict[str, float], pairs: int = PAIRS) -> dict[str, int]:
    """Sums over pairs of two plays of which a share is won, and so much is ahead in points or margin on average."""
    rng, found = np.random.default_rng(1), dict.fromkeys(names, 0)
    won = rng.binomial(2, diffs["won"], pairs)
    value = "margin" if "margin" in names else "points"
    ahead = np.round(rng.normal(2 * diffs[value], 40, pairs)).astype(int)
    found |= {"pairs": pairs, "won": won.sum(), "won_sq": won @ won, "decided": 2 * pairs, "decided_sq": 4 * pairs}
    found |= {"won_decided": 2 * won.sum(), value: ahead.sum(), f"{value}_sq": ahead @ ahead, "hands": pairs, "hands_sq": pairs}
    return {name: int(found[name]) for name in names}


def made(a: str, b: str, points: float, hands: float, games: float, margin: float, played: bool = True) -> Comparison:
    """A comparison with such figures, from the side of ``a``."""
    own = sums(HAND_TALLY, {"won": hands, "points": points}) | {"turns": 20 * PAIRS, "turns_sq": 400 * PAIRS}
    whole = sums(GAME_TALLY, {"won": games, "margin": margin}) if played else dict.fromkeys(GAME_TALLY, 0)
    return Comparison(a, b, "classic25", 1, own, whole)


def field(**by: Any) -> Tournament:
    """Three strategies: the first wins most games and points, the last has the best margin and wins most hands."""
    names = ("simple", "threshold(knock=4)", "threshold(knock=0)")
    of = {(0, 1): (2, 0.45, 0.6, -10), (0, 2): (4, 0.4, 0.7, -20), (1, 2): (2, 0.45, 0.6, -10)}
    pairings = {key: made(names[key[0]], names[key[1]], *figures) for key, figures in of.items()}
    return Tournament(names, "classic25", 1, pairings, **by)


# --- which criterion -----------------------------------------------------------------------------------------------------


def test_the_natural_criterion_is_games_won_if_games_were_finished() -> None:
    with_games, without = made("simple", "random", 1, 0.5, 0.6, 1), made("simple", "random", 1, 0.5, 0.6, 1, played=False)
    assert (with_games.criterion, without.criterion) == ("games_won", "points_per_hand")
    assert dataclasses.replace(with_games, luck_tally={}).criterion == "points_per_hand"  # who measures luck asks for points
    for by in CRITERIA:
        assert with_games.judged_by(by).criterion == by == with_games.judged_by(by).by
    assert with_games.judged_by("margin_per_game").judged_by(None).criterion == "games_won"
    assert dataclasses.replace(without, by="games_won").criterion == "points_per_hand"  # all games stopped unfinished


@pytest.mark.parametrize(("by", "wrong"), [("game", "is not a criterion"), ("games_won", "needs finished games")])
def test_a_result_refuses_a_criterion_that_it_has_not(by: str, wrong: str) -> None:
    with pytest.raises(InputError, match=f"by: '{by}' {wrong}"):
        made("simple", "random", 1, 0.5, 0.6, 1, played=False).judged_by(by)


PLAYED: dict[str, dict[str, Any]] = {
    "compare": {"a": "simple", "b": "random"},
    "tournament": {"strategies": ["simple", "random"]},
    "gauntlet": {"challengers": ["simple"], "opponents": ["random"]},
    "sweep": {"strategy": "threshold", "over": {"knock": [0, 4]}, "opponents": ["random"]},
    "factorial": {"strategy": "threshold", "factors": {"knock": [0, 4], "pair": [0, 1]}, "opponents": ["random"]},
    "effect": {"strategies": ["simple", "random"], "variants": ["(gin_bonus=0)"]},
    "mixture": {"seats": ["novice", "expert"]},
}


@pytest.mark.parametrize("kind", PLAYED)
def test_every_study_that_says_who_is_better_names_its_criterion(kind: str) -> None:
    settings = PLAYED[kind] | {"deals": 100}
    if kind == "factorial":
        settings["strategy"] = "custom"
    for by in CRITERIA:
        assert built(kind, **settings, games=10, by=by).by == by
    assert built(kind, **settings, games=0, by="points_per_hand").by == "points_per_hand"
    for by in ("games_won", "margin_per_game"):
        with pytest.raises(InputError, match=rf"by: '{by}' needs games, and none are played \(games=0\)"):
            built(kind, **settings, games=0, by=by)
    with pytest.raises(
        InputError, match="by: 'hands_won' is not allowed; give 'games_won', 'margin_per_game' or 'points_per_hand'"
    ):
        built(kind, **settings, games=10, by="hands_won")
    digests = {built(kind, **settings, games=10, by=by).digest() for by in (*CRITERIA, None)}
    assert len(digests) == 1  # no figure depends on it, so nothing is played again for it


def test_the_criterion_of_a_solved_knock_changes_its_figures() -> None:
    own = {"strategy": "threshold", "rules": "classic25", "deals": 1000}
    assert built("solve", **own, by="boxes").digest() != built("solve", **own, by="points").digest()
    assert {name for name, kind in kinds().items() if "by" in kind.experiment.WORDS} == set(PLAYED)


def test_a_sequential_test_is_of_points() -> None:
    with pytest.raises(InputError, match="by: 'games_won' is not allowed with until: the test is of points per hand"):
        built("compare", a="simple", b="random", until={"points": 1.0}, by="games_won")


@pytest.mark.parametrize("settings", [{"strategies": ["simple"]}, {"rules": "house", "strategies": ["novice", "expert"]}])
def test_an_effect_in_which_none_meet_has_no_criterion(settings: dict[str, Any]) -> None:
    variants = ["(target=200)"]
    with pytest.raises(InputError, match="by: 'games_won' says which of several strategies is best, and here none meet"):
        built("effect", **settings, variants=variants, deals=100, games=10, by="games_won")


# --- the order, and the sentences ----------------------------------------------------------------------------------------


def test_a_ranking_is_ordered_by_the_criterion() -> None:
    orders = {by: field(by=by).ranking()["strategy"].tolist() for by in CRITERIA}
    assert orders["games_won"] == orders["points_per_hand"] == ["simple", "threshold(knock=4)", "threshold(knock=0)"]
    assert (
        orders["margin_per_game"] == orders["games_won"][::-1] and field().ranking()["strategy"].tolist() == orders["games_won"]
    )
    for by in CRITERIA:
        table, found = field(by=by).ranking(), field(by=by)
        assert table[by].is_monotonic_decreasing and {*JUDGED} <= {*table.columns}
        assert found.verdict().startswith(f"{table['strategy'][1]} leads with ")
        assert plots.ranking(found).get_xlabel().startswith(COMPARED[by].label)
        assert COMPARED[by].label in plots.heatmap(found).get_title(loc="left").lower()
        assert tournament_page.sheet(found).console()[0].title.startswith(f"Ranking by {COMPARED[by].label}")
        assert found.nash().measure == by


def test_clear_pairings_and_rings_are_by_the_criterion() -> None:
    games, margins = field().pairing_table(), field(by="margin_per_game").pairing_table()
    assert games["clear"].all() and margins["clear"].all()
    pd.testing.assert_series_equal(games["margin_per_game"], margins["margin_per_game"])
    assert (games["p"] != margins["p"]).any()
    ring = field(by="margin_per_game")
    key = (0, 2)
    turned = {**ring.pairings, key: made("simple", "threshold(knock=0)", 4, 0.4, 0.7, 20)}
    assert (
        dataclasses.replace(ring, pairings=turned).cycles() and not dataclasses.replace(ring, pairings=turned, by=None).cycles()
    )


def test_the_answer_of_two_is_by_the_criterion() -> None:
    found = made("simple", "threshold(knock=0)", -3, 0.6, 0.4, 15)
    assert found.verdict().startswith("threshold(knock=0) is better than simple with 60.")
    assert "of the games won (95 % interval" in found.verdict() and "1,000 duplicate pairs of games" in found.verdict()
    assert "But the measures disagree: simple is clearly ahead with a settled margin of +15." in found.verdict()
    assert "of the hands won" in found.verdict().partition("disagree")[2] and "points per hand" not in found.verdict()
    by_margin = found.judged_by("margin_per_game").verdict()
    assert by_margin.startswith("simple is better than threshold(knock=0) with a settled margin of +")
    assert "threshold(knock=0) is clearly ahead with 6" in by_margin and "points per hand (+" in by_margin
    by_points = found.judged_by("points_per_hand").verdict()
    assert by_points.startswith("threshold(knock=0) is better than simple by 2.") and "simple is clearly ahead with" in by_points


def test_measures_that_agree_or_show_nothing_are_passed_over() -> None:
    agreeing = made("simple", "random", 3, 0.6, 0.6, 15)
    assert "disagree" not in agreeing.verdict() and "other measures" not in agreeing.verdict()
    unclear = made("simple", "random", 3, 0.6, 0.6, -0.3)
    assert unclear.margin_per_game.low < 0 < unclear.margin_per_game.high and "disagree" not in unclear.verdict()


def test_what_the_criterion_leaves_open_others_may_tell() -> None:
    found = made("simple", "random", 3, 0.5, 0.5, 0)
    assert found.verdict().startswith("It is not yet clear which of simple and random is better: simple stands at ")
    assert "By other measures: simple is clearly ahead with +" in found.verdict() and "disagree" not in found.verdict()
    both = disagreement_of_two(
        "games_won", {"games_won": about(0.5, 0.05), "hands_won": about(0.6, 0.01), "margin_per_game": about(-9, 1)}, "a", "b"
    )
    assert both == (
        " By other measures: a is clearly ahead with 60.0 % of the hands won (59.0 to 61.0), while b is clearly ahead with a "
        "settled margin of +9.00 points per game (+8.00 to +10.00)."
    )


def test_a_field_says_who_leads_instead_and_in_how_many_pairings_sides_change() -> None:
    text = field().verdict()
    assert "But the measures disagree: threshold(knock=0) leads with a settled margin of +" in text
    pairs = "disagree about the better side in 3 of the 3 pairings; games won and hands won in 3."
    assert f"Games won and margin per game clearly {pairs}" in text
    pairings = {key: made(p.a, p.b, 3, 0.6, 0.7 - 0.05 * sum(key), 20) for key, p in field().pairings.items()}
    assert "disagree" not in dataclasses.replace(field(), pairings=pairings).verdict()


def about(value: float, half: float) -> Estimate:
    return Estimate(value, value - half, value + half, half / 1.96)


def test_leaders_in_words() -> None:
    apart = Leader("margin_per_game", "b", about(16.3, 1.5), about(5.5, 1.8), True)
    assert disagreement_of_leaders("games_won", "a", []) == ""
    assert disagreement_of_leaders("games_won", "a", [apart]) == (
        " But the measures disagree: b leads with a settled margin of +16.30 points per game (+14.80 to +17.80; a: +5.50)."
    )
    unsaid = disagreement_of_leaders("games_won", "a", [apart._replace(apart=False)], "eaai")
    assert unsaid.startswith(" Not told apart under eaai by games won: b leads with a settled margin of +16.30")


def test_signs_count_only_what_is_shown_on_both_sides() -> None:
    sides = [
        {"games_won": about(0.6, games), "margin_per_game": about(margin, 2)}
        for games, margin in ((0.05, -5), (0.2, -5), (0.05, -1))
    ]
    assert disagreement_of_signs("games_won", sides) == (
        " Games won and margin per game clearly disagree about the better side in 1 of the 3 pairings."
    )
    assert disagreement_of_signs("games_won", sides[1:]) == "" == disagreement_of_signs("games_won", sides[:1])


def test_a_share_of_all_is_not_certain() -> None:
    """At 0 and 100 % the standard error is 0, but the interval says how much is known."""
    few, many = Estimate(1.0, 0.6, 1.0, 0.0), Estimate(1.0, 0.99, 1.0, 0.0)
    m = share("won")
    assert p_of(m, many) < p_of(m, few) < 0.05 and p_of(m, Estimate(0.5, 0.5, 0.5, 0.0)) == 1
    assert [m.side(about(value, 0.1)) for value in (0.3, 0.45, 0.7)] == [-1, 0, 1] and m.side(
        Estimate(math.nan, 0, 1, math.inf)
    ) == 0


# --- grids, mixtures, effects --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def grid() -> Any:
    over = {"knock": [0, 5, 10]}
    return ginsim.sweep("threshold", over, ["simple", "gin_only"], "classic25", deals=300, seed=3, games=300)


def test_a_grid_is_ordered_by_the_criterion(grid: Any) -> None:
    assert grid.criterion == "games_won" and grid.measures == [*JUDGED, "hands_per_game"]
    for by in CRITERIA:
        judged = grid.judged_by(by)
        values = [judged.estimate(k, by).value for k in judged.order()]
        assert values == sorted(values, reverse=True)
        table = judged.summary()
        assert table[by].is_monotonic_decreasing
        assert judged.verdict().startswith(f"{judged.labels()[judged.order()[0]]} does best against simple, gin_only: ")
        behind = judged.table()["behind_best"]
        assert behind.min() == 0 and behind.max() == pytest.approx(values[0] - values[-1])
        assert plots.sweep_curve(judged).get_ylabel() == COMPARED[by].axis
        assert plots.cells(judged).get_xlabel().startswith(COMPARED[by].axis)


def test_differences_of_games_in_a_grid_leave_out_zero_only_if_intervals_do_not_touch(grid: Any) -> None:
    for opponent in (None, 1):
        one, other = (grid.estimate(k, "margin_per_game", opponent) for k in (0, 2))
        found = grid.difference(0, 2, opponent, "margin_per_game")
        assert found.decided == (one.low > other.high or other.low > one.high)
    assert grid.estimate(0, "games_won", 1) == grid.cells[0, 1].games_won


def test_a_table_is_ordered_by_the_criterion() -> None:
    found = ginsim.mixture(["novice", "table_greedy", "expert", "expert"], deals=60, games=40, seed=2)
    assert found.criterion == "games_won" and found.measures == [*JUDGED, "hands_per_game"]
    t, seats = found.games_tally, found.seats
    for name in ("points_per_hand", "margin_per_game"):
        sums = found.hands_tally if name == "points_per_hand" else t
        values = {s: [sums[f"points_{i}"] for i in range(4) if seats[i] == s] for s in found.strategies}
        means = {s: sum(own) / len(own) / 4 / sums["pairs"] for s, own in values.items()}
        assert found.difference("expert", "novice", name).value == pytest.approx(means["expert"] - means["novice"])
    won = {s: sum(t[f"won_{i}"] for i in range(4) if seats[i] == s) / seats.count(s) / t["decided"] for s in found.strategies}
    e = found.difference("expert", "novice", "games_won")
    assert e.value == pytest.approx(won["expert"] - won["novice"]) and e.low < e.value < e.high
    assert found.difference("novice", "expert", "games_won") == -e
    for by in CRITERIA:
        assert found.judged_by(by).ranking()[by].is_monotonic_decreasing
        assert "does best with" in found.judged_by(by).verdict()


def test_a_table_against_its_pairs() -> None:
    """The difference of shares has the error of the ratio of sums, here told pair by pair."""
    found = ginsim.mixture(["novice", "expert"], "house(players=2)", deals=80, games=0, seed=5)
    t = found.hands_tally
    e = found.difference("expert", "novice", "hands_won")
    assert e.value == pytest.approx((t["won_1"] - t["won_0"]) / t["decided"])
    share_of = found.hands_won("expert")
    assert e.se == pytest.approx(2 * share_of.se, rel=0.1)  # one wins what the other does not


@pytest.fixture(scope="module")
def changed() -> Any:
    players = ["threshold(knock=0)", "simple", "threshold(knock=10)"]
    return ginsim.effect("classic25", ["(gin_bonus=0)"], players, deals=60, games=30, seed=4)


def test_an_effect_says_who_is_best_by_the_criterion(changed: Any) -> None:
    for number, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        del number
        a, b = changed.strategies[i], changed.strategies[j]
        for rule, rules in enumerate((changed.base, *changed.variants)):
            hands, games = (changed.sides[phase][f"{i}-{j}"][rule] for phase in (HANDS, GAMES))
            own = Comparison(a, b, rules, 4, as_dict(HEAD, hands), as_dict(SIDES_OF[GAMES], games))
            assert own.points_per_hand.value == pytest.approx(changed._against(rule, i, j, "points_per_hand").value)
            for measure in JUDGED:
                assert changed._against(rule, i, j, measure) == getattr(own, measure)
                back, m = changed._against(rule, j, i, measure), COMPARED[measure]
                assert back.value - m.neutral == pytest.approx(m.neutral - getattr(own, measure).value)
    for by in CRITERIA:
        table = changed.judged_by(by).best()
        for rule, row in table.iterrows():
            values = [changed.against_field(rule, i, by).value for i in range(3)]
            assert row["best"] == changed.strategies[int(np.argmax(values))] and row[by] == max(values)
        assert f"best of the given strategies by {COMPARED[by].label} is {table['best'][0]}" in changed.judged_by(by).verdict()


def test_sides_of_an_effect_are_those_of_the_hands_themselves(changed: Any) -> None:
    """A comparison of the first pairing plays the same decks under the base."""
    one = ginsim.compare("threshold(knock=0)", "simple", "classic25", deals=60, games=30, seed=4)
    hands, games = (as_dict(names, changed.sides[phase]["0-1"][0]) for phase, names in SIDES_OF.items())
    other = ginsim.effect("classic25", ["(gin_bonus=0)"], ["threshold(knock=0)", "simple"], deals=60, games=30, seed=4)
    del hands, games
    works = built("effect", rules="classic25", variants=["(gin_bonus=0)"], strategies=["threshold(knock=0)", "simple"], deals=60,
                  games=30, seed=4).works()  # fmt: skip
    first = next(work for work in works if work.key == "0-1" and work.phase == GAMES)
    assert first.sides and not next(work for work in works if work.key == "0-0").sides
    assert first.first == 30 and one.games_tally["pairs"] == other.sides[GAMES]["0-1"][0][0] == 30


def test_effects_that_kept_no_sides_are_judged_by_points(changed: Any, tmp_path: Path) -> None:
    saved = ginsim.save(changed, tmp_path / "new")
    assert ginsim.load_results(saved) == changed

    def older(sums: Any) -> None:
        for own in sums.values():
            for name in ("hands_by_side", "games_by_side"):
                own.pop(name, None)

    change_sums(saved, older)
    old = ginsim.load_results(saved)
    assert old.criterion == "points_per_hand" and old.sided == ["points_per_hand"]
    assert list(old.best()["points_per_hand"]) == list(changed.judged_by("points_per_hand").best()["points_per_hand"])
    with pytest.raises(InputError, match="by: 'games_won' needs finished games"):
        old.judged_by("games_won")


# --- kept, shown again, asked for ----------------------------------------------------------------------------------------


def test_the_criterion_is_kept_and_can_be_changed_without_playing(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    plain = ginsim.compare("simple", "threshold(knock=0)", deals=100, games=50, seed=1)
    ginsim.save(plain, folder)
    assert "by" not in json.loads((folder / "manifest.json").read_text())  # as older results
    assert ginsim.load_results(folder).criterion == "games_won"
    run = CliRunner().invoke(app, ["report", str(folder), "--by", "margin_per_game"])
    assert run.exit_code == 0, run.output
    again = ginsim.load_results(folder)
    assert again.by == "margin_per_game" and again.games_tally == plain.games_tally
    assert json.loads((folder / "manifest.json").read_text())["by"] == "margin_per_game"
    assert again.verdict() in (folder / "report.md").read_text()
    run = CliRunner().invoke(app, ["report", str(folder), "--by", "best"])
    assert run.exit_code == 2


@pytest.mark.parametrize("command", ["compare", "tournament", "effect", "mixture", "report"])
def test_help_says_which_criterion_is_the_default_and_why(command: str) -> None:
    text = " ".join(CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output.replace("│", " ").split())
    assert "games_won (the default, because the rules play to a target and settle whole games)" in text


def test_comparisons_from_tallies_keep_what_they_are_given() -> None:
    assert "by" in Comparison.__dataclass_fields__ and comparison_of.__doc__
