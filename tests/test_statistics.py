"""What hands are like: the tables of counts against pandas, figures, pictures, the folder."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import InputError, compare, load_results, plots, statistics
from ginsim.cli import app
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.game import GIN
from ginsim.games.gin.rules import Rules
from ginsim.inference.estimates import RatioSums, share_of_pairs
from ginsim.report.sheets import sheet_of
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.settings import built
from ginsim.study.statistics import LATER, MOST_TURNS, RANK_NAMES, Statistics, StatisticsWork, counts, span_text
from tests.kept import change_sums


def records(player: str, opponent: str, rules: str, count: int) -> pd.DataFrame:
    work = Work((Strategy.parse(player), Strategy.parse(opponent)), Rules.parse(rules), 3, HANDS, 0, count)
    return pd.DataFrame(play(work, keep=True).records, columns=list(H.COLUMNS))


@pytest.fixture(scope="module")
def found() -> Statistics:
    return statistics(["simple", "threshold(knock=3)"], ["eaai", "(knock_limit=7)"], deals=1500, seed=3)


def test_tables_are_those_of_the_records(found: Statistics) -> None:
    assert found.cells[1] == ("simple", "eaai(knock_limit=7)")
    for k, (player, rules) in enumerate(found.cells):
        table = records(player, player, rules, 1500)
        lengths = found.lengths(k).set_index("turns")
        pd.testing.assert_series_equal(
            lengths["hands"], table["turns"].value_counts().sort_index(), check_names=False, check_index_type=False
        )
        assert lengths["no_longer"].iloc[-1] == 1 and lengths["share"].sum() == pytest.approx(1)
        points = table["points"].value_counts()
        assert {i: n for i, n in enumerate(found.tables[k]["points"]) if n} == points.to_dict()
        assert found.points_scored(k) == pytest.approx(table["points"].mean())
        for share in (0.05, 0.5, 0.95):
            assert found.quantile(k, "turns", share) == int(np.quantile(table["turns"], share, method="inverted_cdf"))
        e = found.share(k, "gin", "big_gin")
        both = table["ending"].isin([H.ENDINGS.index("gin"), H.ENDINGS.index("big_gin")]).to_numpy().reshape(-1, 2).sum(axis=1)
        told = share_of_pairs(RatioSums.of(both, np.full(1500, 2)))
        assert (e.value, e.low, e.high) == pytest.approx((told.value, told.low, told.high))


def test_knocks_made_are_those_of_the_records(found: Statistics) -> None:
    table = records("simple", "simple", "eaai", 1500)
    table = table[table["knocker"] == 0]
    groups = (table["ending"] == H.ENDINGS.index("undercut")).groupby([(table["turns"] + 1) // 2, table["deadwood_0"]])
    told = groups.agg(["size", "sum"])
    own = found.knocks(0).set_index(["turn", "deadwood"])
    assert own["made"].to_dict() == told["size"].to_dict() == own["knocks"].to_dict()  # simple knocks as soon as it can
    assert own["made_undercut"].to_dict() == told["sum"].to_dict()
    assert own["undercut"].to_dict() == pytest.approx((told["sum"] / told["size"]).to_dict())
    assert (own["low"] <= own["undercut"] + 1e-9).all() and (own["undercut"] <= own["high"] + 1e-9).all()
    late = found.knocks(2)
    assert (late.loc[late["deadwood"] > 3, "made"] == 0).all() and late.loc[late["deadwood"] > 3, "knocks"].sum() > 500


def test_turns(found: Statistics) -> None:
    turns = found.turns(0)
    assert turns["reached"].is_monotonic_decreasing and turns["turns"].iloc[0] <= 3000
    assert ((turns["q10"] <= turns["q50"]) & (turns["q50"] <= turns["q90"])).all()
    assert found.knocks(0)["knocks"].sum() == pytest.approx((turns["able"] * turns["turns"]).sum())
    some = found.enough(turns)
    for name in ("able", "gin", "took"):
        assert (some[f"{name}_low"] <= some[name] + 1e-9).all() and (some[name] <= some[f"{name}_high"] + 1e-9).all()
    titles = [table.title for table in sheet_of(found).console()]
    assert titles[:3] == ["Hands, with 95 % intervals", "Hands that are over by then", "simple, eaai: own turns"]
    assert any("undercut" in title for title in titles)


def test_figures_of_hands(found: Statistics) -> None:
    table = records("simple", "simple", "eaai", 1500)
    endings = table["ending"].map(lambda k: H.ENDINGS[k])
    won, cut = (endings == "knock").sum(), (endings == "undercut").sum()
    assert found.undercut_share(0).value == pytest.approx(cut / (won + cut))
    gap = found.likelier(0, "gin", "undercut")
    assert gap.value == pytest.approx(((endings == "gin").sum() - cut) / 3000) and gap.low < gap.value < gap.high
    assert found.lasting(0, 10, 20).value == pytest.approx(table["turns"].between(10, 20).mean())
    assert found.over_by(0, 3).value == pytest.approx((table["turns"] <= 6).mean()) and found.over_by(0, 3).low > 0
    assert found.laid_off(0).value == pytest.approx(table["laid_off"].mean())
    assert found.laid_off(0).se == pytest.approx(np.sqrt(table["laid_off"].var(ddof=0) / 1499 + 2 * (5 / 1500) ** 2))
    assert found.points(0).value == pytest.approx(table["points"].mean())
    assert (found.mean_turns(0), found.starter_share(0)) == (found.hands[0].turns_per_hand, found.hands[0].starter_share)
    starter, dealer = found.first_upcard(0)
    assert 0.1 < dealer.value < starter.value < 0.25
    gap = found.taken_more(0, 5, 13)
    by_rank = found.discards(0).set_index("discard")["taken"]
    assert gap.value == pytest.approx(by_rank["5"] - by_rank["13"])
    assert found.taken_more(0, "both", "neither").high < 0


def test_the_sentence(found: Statistics) -> None:
    row = found.knocks(0).set_index(["turn", "deadwood"]).loc[(5, 7)]
    text = found.knock_sentence(0, 5, 7)
    assert text.startswith("Both play simple under eaai: a knock with 7 on simple's own turn 5 is undercut in ")
    share, low, high = (f"{100 * row[name]:.1f}" for name in ("undercut", "low", "high"))
    assert f"{share} % of cases (95 % interval {low} to {high})" in text
    assert f"such a knock was legal in {int(row['knocks'])} of 3,000 hands. Going on by simple in the same positions" in text
    row = found.play_on(0).set_index(["turn", "deadwood"]).loc[(5, 7)]
    assert f"brings {row['on']:+.2f} (" in text and f"the knock gains {row['gain']:+.2f} points (" in text
    assert "Going on" not in found.knock_sentence(0, 5, 0)
    assert "was never legal in 3,000 hands" in found.knock_sentence(0, 31, 9)
    with pytest.raises(InputError, match="turn: 0 is not allowed"):
        found.knock_sentence(0, 0, 7)


def test_knocking_and_going_on(found: Statistics) -> None:
    table, knocks = found.play_on(2), found.knocks(2).query("deadwood > 0").set_index(["turn", "deadwood"])
    own = table.set_index(["turn", "deadwood"])
    assert own["states"].to_dict() == knocks["knocks"].to_dict()  # no last discard is taken to knock under these rules
    assert own["knock"].to_dict() == pytest.approx(knocks["points"].to_dict())
    assert own["gain"].to_numpy() == pytest.approx((own["knock"] - own["on"]).to_numpy())
    assert found.knock_gain(2, 5, 7).value == own.loc[(5, 7), "gain"]
    spans = found.play_on_spans(2)
    for row in spans.to_dict("records"):
        same = table[table["turn"].between(row["first"], row["last"]) & (table["deadwood"] == row["deadwood"])]
        assert same["states"].sum() == row["states"]
        assert np.average(same["on"], weights=same["states"]) == pytest.approx(row["on"])
    better, worse = (spans["gain_low"] > 0).sum(), (spans["gain_high"] < 0).sum()
    assert better > 3
    text = found.play_on_sentence(2)
    assert f"of {len(spans)} combinations" in text and f"in {better} and clearly fewer in {worse};" in text
    best = spans.loc[spans["gain"].where(spans["gain_low"] > 0).idxmax()]
    where = f"with {best['deadwood']:.0f} on own turns {span_text(int(best['span']))}"
    assert f"knocking is most ahead {where}, by {best['gain']:.1f} points (" in text
    assert [span_text(0), span_text(5)] == ["1 to 2", "12 and later"]
    with pytest.raises(InputError, match="knock: 0 is not allowed"):
        found.knock_gain(0, 5, 0)


def test_intervals_of_going_on_have_their_level() -> None:
    one = "threshold(knock=5)"
    gain = statistics([one], ["eaai"], deals=40_000, seed=1).knock_gain(0, 5, 5).value
    parts = [statistics([one], ["eaai"], deals=2_000, seed=100 + k) for k in range(40)]
    hits = [(e := part.knock_gain(0, 5, 5)).low <= gain <= e.high for part in parts]
    assert sum(hits) >= 34


def test_cards(found: Statistics) -> None:
    table = found.cards(0)
    ranks, cards = table[table["suit"] == ""].set_index("rank"), table[table["suit"] != ""]
    assert len(ranks) == 13 and len(cards) == 52
    for part in ("dealt", "kept", "thrown", "taken", "melded", "laid_off"):
        assert cards.groupby("rank")[part].sum().to_dict() == pytest.approx(ranks[part].to_dict())
    assert ranks["dealt"].sum() == pytest.approx(20) and ranks["kept"].sum() == pytest.approx(20)
    assert cards["dealt_low"].lt(20 / 52).sum() >= 49 and cards["dealt_high"].gt(20 / 52).sum() >= 49
    hands = records("simple", "simple", "eaai", 1500)
    assert ranks["thrown"].sum() == pytest.approx(hands["turns"].mean())
    sevens = found.per_hand(0, "melded", 7)
    assert (sevens.value, sevens.low) == (ranks.loc["7", "melded"], ranks.loc["7", "melded_low"])
    most, least = ranks["melded"].idxmax(), ranks["melded"].idxmin()
    text = found.melded_sentence(0)
    assert f"of the {ranks['melded'].sum():.2f} cards per hand dealt" in text
    assert f"{RANK_NAMES[most]} are the most, {ranks.loc[most, 'melded']:.2f} (" in text
    assert f"{RANK_NAMES[least]} the fewest, {ranks.loc[least, 'melded']:.2f} (" in text


def test_results_without_cards_and_going_on(found: Statistics, folder: Path, tmp_path: Path) -> None:
    """Older versions did not count them: their pages say all the rest."""
    for name in ("tallies.json", "manifest.json"):
        shutil.copy(folder / name, tmp_path)

    def without(sums: Any) -> None:
        for cell in sums.values():
            for name in LATER:
                del cell["tables"][name]

    change_sums(tmp_path, without)
    old = load_results(tmp_path)
    assert isinstance(old, Statistics) and old != found and old.hands == found.hands
    page, names = sheet_of(old).body(), set(sheet_of(old).pictures)
    assert "## Knocks" in page and "## Cards" not in page and "## Knock or go on" not in page and "$" not in page
    assert not any(name.startswith(("cards", "play_on")) for name in names)
    assert old.cards(0).empty and (old.melded_sentence(0), old.play_on_sentence(0)) == ("", "")
    assert "Going on" not in old.knock_sentence(0, 5, 7)
    for draw, complaint in ((plots.card_bars, "cards: this result does not count them"), (plots.play_on_map, "play_on: ")):
        with pytest.raises(InputError, match=complaint):
            draw(old)


def test_intervals_over_pairs_have_their_level() -> None:
    one = "threshold(knock=5)"
    whole = statistics([one], ["eaai"], deals=40_000, seed=1)
    share, points = whole.undercut(0, 5, 5).value, whole.knock_points(0, 5, 5).value
    parts = [statistics([one], ["eaai"], deals=2_000, seed=100 + k) for k in range(60)]
    hits = [(e := part.undercut(0, 5, 5)).low <= share <= e.high for part in parts]
    assert sum(hits) >= 52
    hits = [(e := part.knock_points(0, 5, 5)).low <= points <= e.high for part in parts]
    assert sum(hits) >= 52


def test_counts_beyond_the_tables_are_in_their_last_cells() -> None:
    row = np.zeros((2, H.SIZE), np.int64)
    row[:, H.TURNS], row[:, H.POINTS] = 500, 500
    turns, points = np.split(counts(GIN, row), [MOST_TURNS])
    assert turns[-1] == points[-1] == 2 and turns.sum() == points.sum() == 2 and len(points) == GIN.most_gain


def test_ranges_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    player = Strategy.parse("simple")
    work = StatisticsWork((player, player), Rules(), 5, HANDS, 0, 50, "0")
    whole = work.carry_out().tally
    monkeypatch.setattr("ginsim.study.statistics.PAIRS", 7)
    np.testing.assert_array_equal(whole, work.part(0, 20).carry_out().tally + work.part(20, 30).carry_out().tally)
    assert dict(zip(HAND_TALLY, whole, strict=False)) == compare("simple", "simple", deals=50, seed=5, games=0).hands_tally


def test_against_an_opponent() -> None:
    found = statistics(["simple"], opponent="threshold(knock=0)", deals=40, seed=5)
    assert found.hands[0] == compare("simple", "threshold(knock=0)", deals=40, seed=5, games=0)
    assert found.labels() == ["simple"]
    assert statistics("simple", "eaai", deals=20) == statistics(["simple"], ["eaai"], deals=20)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: statistics([]), "strategies: needs at least 1; 0 given"),
        (lambda: statistics(["simple"], []), "rules: none given; give one or more"),
        (lambda: statistics(["simple", "simple"]), "strategies: simple is listed twice"),
        (lambda: statistics(["simple"], ["eaai", "eaai"]), "variants: eaai is the base itself"),
        (lambda: statistics(["simple"], deals=0), "deals: 0 is not allowed"),
    ],
)
def test_bad_input(call: Any, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        call()


@pytest.fixture(scope="module")
def folder(found: Statistics, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return ginsim.save(found, tmp_path_factory.mktemp("saved"), title="T", question="Q?")


def test_folder(found: Statistics, folder: Path) -> None:
    again = load_results(folder)
    assert again == found and again.verdict() == found.verdict()
    page = (folder / "report.md").read_text()
    assert page.startswith(f"# T\n\nQ?\n\n**Answer.** {found.verdict()}")
    pictures = [part.partition(")")[0] for part in page.split("](")[1:]]
    assert {"knocks_2.png", "deadwood_3.png", "turns.png", "play_on_2.png", "cards_3.png"} <= set(pictures)
    assert all(found.melded_sentence(k) in page and found.play_on_sentence(k) in page for k in range(4))
    assert all((folder / name).is_file() for name in pictures)
    assert len(pd.read_csv(folder / "knocks.csv")) == sum(len(found.knocks(k)) for k in range(4))

    command = json.loads((folder / "manifest.json").read_text())["command"]
    call = command.removeprefix("python -c 'import ginsim; ginsim.save(").removesuffix(', "result")\'')
    assert eval(call, {"ginsim": ginsim}) == found


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t["0"]["tables"]["turns"].__setitem__(5, 10**6), "the table of turns does not add up to 3000"),
        (lambda t: t["0"]["tables"]["points"].pop(), "the table of points has 255 numbers, not 256"),
        (lambda t: t["0"]["tables"]["held"].__setitem__(5, -1), "a count below 0 is impossible"),
        (lambda t: t["0"]["tables"]["if_knocked"].__setitem__(-14, 10**6), "the table of if_knocked does not add up"),
        (lambda t: t["0"]["tables"].pop("if_knocked"), "table if_knocked is missing"),
        (lambda t: t["0"]["tables"].pop("ranks"), "table ranks is missing"),
        (lambda t: t["0"]["tables"]["ranks"].__setitem__(4, 1), "the table of cards thrown does not add up"),
        (lambda t: t["0"]["tables"]["cards"].__setitem__(1, -1), "a count below 0 is impossible"),
        (lambda t: t["0"]["tables"]["play_on_spans"].__setitem__(-11, 10**6), "the table of play_on_spans does not add up"),
        (lambda t: t.pop("3"), "cell 3 is missing"),
    ],
)
def test_damaged_sums(change: Any, complaint: str, folder: Path, tmp_path: Path) -> None:
    for name in ("tallies.json", "manifest.json"):
        shutil.copy(folder / name, tmp_path)
    change_sums(tmp_path, change)
    with pytest.raises(InputError, match=complaint):
        load_results(tmp_path)


def test_pictures_of_lengths_end_with_the_longest_but_a_thousandth(found: Statistics) -> None:
    """Some hands of a few that stalled took 100 turns and more: the axis does not reach there, and lengths of no hand are 0."""
    table = np.zeros(MOST_TURNS, np.int64)
    table[[5, 6, 9, 40, MOST_TURNS - 1]] = 1000, 1500, 498, 1, 1
    stalled = replace(found, tables=({**found.tables[0], "turns": table}, *found.tables[1:]))
    longest = max(stalled.quantile(k, "turns", 0.999) for k in range(len(found.hands)))
    ax = plots.hand_lengths(stalled)
    assert longest < 40 and ax.get_xlim()[1] < 1.1 * longest
    turns, shares = ax.lines[0].get_data()
    assert list(turns) == list(range(5, longest + 1))
    assert list(shares) == pytest.approx([100 * table[turn] / 3000 for turn in turns])
    assert ax.lines[0].get_label() == "simple, eaai\n(2 hands longer)"
    table[[40, MOST_TURNS - 1]] = 0, 4
    table[5:10] = 0, 0, 0, 0, 2996
    ax = plots.hand_lengths(replace(found, tables=({**found.tables[0], "turns": table},) * len(found.hands)))
    assert max(ax.lines[0].get_xdata()) == MOST_TURNS - 2  # type: ignore[arg-type]  # those counted together are not drawn
    assert list(ax.lines[0].get_ydata()) == pytest.approx([100 * 2996 / 3000, *[0] * (MOST_TURNS - 2 - 9)])  # type: ignore[arg-type]


def test_tables_of_one_strategy_are_no_duplicate_pairs() -> None:
    alone = statistics(["novice"], ["house"], deals=20, seed=1)
    against = statistics(["novice"], ["house"], opponent="expert", deals=20, seed=1)
    of_gin = statistics(["simple"], ["eaai"], deals=20, seed=1)
    pages = [sheet_of(found).body() for found in (alone, against, of_gin)]
    assert ["duplicate pair" in page for page in pages] == [False, True, True]
    assert "Each strategy on all seats of its tables under each of the rules: 20 deals, each played twice, the same" in pages[0]
    assert "Each strategy against `expert` under each of the rules: 20 duplicate pairs of hands, the same" in pages[1]
    assert "Each strategy against itself under each of the rules: 20 duplicate pairs of hands, the same" in pages[2]


@pytest.mark.parametrize(
    ("kind", "settings", "unit"),
    [
        ("statistics", {"strategies": ["novice"], "rules": "house"}, "deals"),
        ("statistics", {"strategies": ["novice"], "opponent": "expert", "rules": "house"}, "duplicate pairs"),
        ("statistics", {"strategies": ["simple"]}, "duplicate pairs"),
        ("effect", {"strategies": ["novice"], "rules": "house", "variants": ["(players=2)"]}, "deals"),
        ("effect", {"strategies": ["simple"], "variants": ["(knock_limit=5)"]}, "duplicate pairs"),
        ("mixture", {"seats": ["novice", "expert"], "rules": "house(players=2)"}, "deals"),
    ],
)
def test_what_an_experiment_plays_is_called_by_its_name(kind: str, settings: dict[str, Any], unit: str) -> None:
    assert built(kind, **settings).unit == unit


def test_pictures(found: Statistics, tmp_path: Path) -> None:
    ax = plots.endings_mix(found)
    assert sum(bar.get_width() for bar in ax.patches) == pytest.approx(400)
    assert next(tick.get_text() for tick in ax.get_yticklabels()) == "simple, eaai"
    ax = plots.hand_lengths(found)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("turns of all players", "share of all hands (%)")
    ax = plots.knock_map(found, 2)
    table = found.enough(found.knocks(2)).query("deadwood > 0")
    assert sorted(text.get_text() for text in ax.texts) == sorted(f"{100 * x:.0f}" for x in table["undercut"])
    ax = plots.play_on_map(found, 2)
    told = [f"{x:+.1f}".replace("-", "−") for x in found.play_on_spans(2)["gain"]]
    assert sorted(text.get_text() for text in ax.texts) == sorted(told)
    first, *rest = plots.card_bars(found, 1).figure.axes
    ranks = found.cards(1).query("suit == ''")
    assert [bar.get_width() for bar in first.patches] == pytest.approx(list(ranks["kept"])) and len(rest) == 4
    assert [tick.get_text() for tick in first.get_yticklabels()] == list(ranks["rank"])
    ax = plots.deadwood_fan(found, 1)
    median = next(line for line in ax.lines if line.get_label() == "median")
    assert median.get_ydata().tolist() == found.enough(found.turns(1))["q50"].tolist()  # type: ignore[union-attr]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("own turn", "deadwood kept (points)")
    assert len(plots.turn_chances(found).lines) == 8
    few = statistics(["simple"], deals=2)
    with pytest.raises(InputError, match=r"no knock .* came up often enough"):
        plots.knock_map(few)
    with pytest.raises(InputError, match="no turn came up often enough"):
        plots.deadwood_fan(few)
    kept = compare("simple", "threshold(knock=3)", deals=200, games=0, keep_hands=tmp_path / "hands")
    ax = plots.convergence(kept)
    line = next(line for line in ax.lines if line.get_label() == "points per hand")
    assert line.get_ydata()[-1] == pytest.approx(kept.points_per_hand.value)  # type: ignore[index]
    assert line.get_xdata()[-1] == 400  # type: ignore[index]
    with pytest.raises(InputError, match="there is no '1-2'"):
        plots.convergence(kept, "1-2")


def test_command(tmp_path: Path) -> None:
    words = ["stats", "--strategy", "simple", "--rules", "eaai", "--deals", "1500", "--seed", "3", "-q"]
    told = CliRunner().invoke(app, [*words, "--knock", "7", "--turn", "5"])
    assert told.exit_code == 0 and "simple: own turns" in told.output
    assert told.output.splitlines()[-1] == statistics(["simple"], ["eaai"], deals=1500, seed=3).knock_sentence(0, 5, 7)
    for more, complaint in [
        (["--knock", "7"], "knock and turn: give both"),
        (["--knock", "40", "--turn", "2"], "knock: 40 is not allowed"),
        (["--opponent", "nobody"], "opponent: strategy: there is no 'nobody'"),
        (["--rules", "eaai"], "variants: eaai is the base itself"),
    ]:
        told = CliRunner().invoke(app, [*words, *more])
        assert told.exit_code == 2 and complaint in told.output, told.output


def test_a_long_legend_stands_above_the_curves(found: Statistics) -> None:
    for result, above in ((found, True), (statistics(["simple"], deals=300, seed=1), False)):
        ax = plots.turn_chances(result)
        legend = ax.get_legend()
        assert legend is not None and len(legend.get_texts()) == 2 * len(result.hands)
        assert (legend.get_window_extent().y0 >= ax.get_window_extent().y1) == above
        assert "When one can knock" in ax.get_title(loc="left")
