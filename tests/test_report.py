"""Plots, result folders, reports, and results rebuilt from their folders."""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import math
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.patches import Rectangle

import ginsim
from ginsim import InputError, __version__, load_results
from ginsim.experiment.reading import load_experiment
from ginsim.experiment.runs import run_experiment
from ginsim.games.families import describe
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.players.families import FAMILIES, REPERTOIRE
from ginsim.games.gin.rules import Rules
from ginsim.report import plots
from ginsim.report.folder import save_result
from ginsim.report.plots.style import ink_on
from ginsim.report.texts import markdown_table
from ginsim.simulation.execute import execute
from ginsim.simulation.journal import JOURNAL, Journal
from ginsim.study.compare import CompareExperiment, Comparison, compare
from ginsim.study.measures import COMPARED
from ginsim.study.tournament import Tournament, tournament

TOURNAMENT_FILES = {
    "ranking.csv", "ranking.parquet", "points_per_hand.csv", "points_per_hand.parquet", "hands_won.csv", "hands_won.parquet",
    "games_won.csv", "games_won.parquet", "margin_per_game.csv", "margin_per_game.parquet", "pairings.csv", "pairings.parquet",
    "heatmap.png", "heatmap.svg", "ranking.png", "ranking.svg", "report.md", "report.html", "tables.tex", "manifest.json",
    "tallies.json",
    *(f"{name}.{form}" for name in ("ratings", "nash") for form in ("csv", "parquet", "png", "svg")),
}  # fmt: skip
COMPARISON_FILES = {
    "summary.csv", "summary.parquet", "endings.csv", "endings.parquet", "endings.png", "endings.svg", "report.md",
    "report.html", "tables.tex", "manifest.json", "tallies.json",
}  # fmt: skip


@pytest.fixture(scope="module")
def field() -> Tournament:
    return tournament([f"threshold(knock={knock})" for knock in (0, 5, 10)], "eaai", deals=50, seed=3, games=8)


@pytest.fixture(scope="module")
def duel() -> Comparison:
    return compare("threshold(knock=4)", "simple", "classic25(knock_limit=8)", deals=50, seed=7, games=6)


@pytest.fixture
def saved(field: Tournament, tmp_path: Path) -> Path:
    return ginsim.save(field, tmp_path / "study")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# --- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("strategies", "labels", "common"),
    [
        (["threshold(knock=0)", "threshold(knock=10)"], ["knock=0", "knock=10"], "threshold"),
        (["t(a=1, b=2)", "t(a=1, b=3)"], ["b=2", "b=3"], "t(a=1)"),
        (["t(a=1)", "t(a=true)"], ["a=1", "a=true"], "t"),
        (["t(k=[3, 2])", "t"], ["k=[3, 2]", "default"], "t"),
        (["simple", "threshold(knock=0)"], ["simple", "threshold(knock=0)"], ""),
        (["/a/b/mine.py:one(x=1)", "/a/b/mine.py:one(x=2)"], ["x=1", "x=2"], "mine.py:one"),
        (["/a/mine.py:one", "/b/mine.py:one"], ["/a/mine.py:one", "/b/mine.py:one"], ""),
        (["no spec (", "simple"], ["no spec (", "simple"], ""),
        (["simple"], ["simple"], ""),
        ([], [], ""),
    ],
)
def test_short_labels(strategies: list[str], labels: list[str], common: str) -> None:
    assert plots.short_labels(strategies) == (labels, common)


# --- plots -------------------------------------------------------------------------------------------------------------


def neutral_cells(ax: Axes) -> set[str]:
    return {str(patch.get_gid()) for patch in ax.patches if isinstance(patch, Rectangle) and patch.get_hatch()}


@pytest.mark.parametrize(("measure", "neutral"), [("points_per_hand", 0.0), ("hands_won", 0.5), ("games_won", 0.5)])
def test_heatmap(field: Tournament, measure: str, neutral: float) -> None:
    ax = plots.heatmap(field, measure)
    (bar,) = ax.child_axes
    assert [ax.get_xlabel(), ax.get_ylabel()] == ["opponent: threshold", "strategy: threshold"]
    m = COMPARED[measure]
    assert bar.get_ylabel() == m.axis
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["knock=0", "knock=5", "knock=10"]
    low, high = ax.collections[0].get_clim()
    assert low + high == pytest.approx(2 * m.factor * neutral)  # centred
    expected = {
        f"neutral-{i}-{j}"
        for i, j in itertools.permutations(range(3), 2)
        if field.estimate(i, j, measure).low <= neutral <= field.estimate(i, j, measure).high
    }
    assert neutral_cells(ax) == expected
    shown = {text.get_text().replace("−", "-") for text in ax.texts}
    assert shown == {m.number_text(field.estimate(i, j, measure).value) for i, j in itertools.permutations(range(3), 2)}


def contrast(one: Any, other: Any) -> float:
    """WCAG 2: from 1 to 21."""

    def luminance(colour: Any) -> float:
        rgb = np.array(to_rgb(colour))
        return float(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_heatmap_is_readable(field: Tournament) -> None:
    """Numbers stand out from a ground without hatching; the bar is as high as the grid; no room is wasted."""
    ax = plots.heatmap(fake_field(field, [f"threshold(knock={k})" for k in range(11)]))
    for text in ax.texts:
        ground = text.get_bbox_patch()
        assert ground is not None and contrast(ground.get_facecolor()[:3], text.get_color()) > 4.5
    figure: Any = ax.figure
    figure.canvas.draw()
    (bar,) = ax.child_axes
    grid = ax.get_window_extent()
    assert [bar.get_window_extent().y0, bar.get_window_extent().y1] == pytest.approx([grid.y0, grid.y1])
    assert grid.width == pytest.approx(grid.height)
    box = ax.get_tightbbox()
    assert box is not None
    margins = [box.x0, box.y0, figure.bbox.width - box.x1, figure.bbox.height - box.y1]
    assert margins == pytest.approx([plots.MARGIN * figure.dpi] * 4, abs=2)


def test_every_ground_has_ink_that_stands_out() -> None:
    from matplotlib import colormaps

    for name in (plots.DIVERGING, "viridis"):
        assert all(contrast(c[:3], ink_on(c)) > 4.5 for c in colormaps[name](np.linspace(0, 1, 256)))


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (["simple", "gin_only"], ["simple", "gin_only"]),
        (["simple", "threshold(draw=strict, discard=random_best, knock=7)"],
         ["simple", "threshold(draw=strict,\ndiscard=random_best,\nknock=7)"]),
        ([f"threshold(knock={k})" for k in range(11)], [f"knock={k}" for k in range(11)]),
        ([f"lookahead(knock_from=[5, 6, 8, 10], danger={k}, danger_turn={k})" for k in range(9)] + ["simple"],
         [str(k + 1) for k in range(10)]),
    ],
)  # fmt: skip
def test_names_of_columns(field: Tournament, names: list[str], columns: list[str]) -> None:
    ax = plots.heatmap(fake_field(field, names))
    assert [tick.get_text() for tick in ax.get_xticklabels()] == columns
    numbered = columns[0] == "1"
    assert ("number of its row" in ax.get_xlabel()) == numbered
    assert ax.get_yticklabels()[-1].get_text().endswith("  10") == numbered


def test_heatmap_has_first_row_on_top_and_best_in_blue(field: Tournament) -> None:
    ax = plots.heatmap(field, "points_per_hand")
    assert ax.get_ylim()[0] > ax.get_ylim()[1]
    mesh = ax.collections[0]
    red, _, blue, _ = mesh.cmap(mesh.norm(abs(field.matrix()).max().max()))
    assert blue > red


def fake_field(field: Tournament, names: list[str]) -> Tournament:
    some = field.pairings[0, 1]
    pairs = {(i, j): dataclasses.replace(some, a=names[i], b=names[j]) for i, j in itertools.combinations(range(len(names)), 2)}
    return Tournament(tuple(names), field.rules, field.seed, pairs)


@pytest.mark.parametrize(("strategies", "annotated"), [(25, True), (26, False)])
def test_large_heatmap(field: Tournament, strategies: int, annotated: bool) -> None:
    ax = plots.heatmap(fake_field(field, [f"threshold(knock={k})" for k in range(strategies)]))
    assert bool(ax.texts) == annotated
    assert all(text.get_fontsize() >= 5 for text in ax.texts)


def test_nothing_is_clipped(field: Tournament) -> None:
    names = ["simple", "/far/away/mine.py:careful(caution=0.25)", "threshold(knock_by_turn=[10, 8, 6, 4, 2], draw=strict)"]
    for draw in (plots.heatmap, plots.ranking):
        figure: Any = draw(fake_field(field, names)).figure
        figure.canvas.draw()
        width, height = figure.canvas.get_width_height()
        for ax in figure.axes:
            box = ax.get_tightbbox()
            assert min(box.x0, box.y0) >= -1 and box.x1 <= width + 1 and box.y1 <= height + 1


@pytest.mark.parametrize(("measure", "unit"), [("points_per_hand", "points per hand"), ("games_won", "games won (%)")])
def test_ranking(field: Tournament, measure: str, unit: str) -> None:
    ax, m = plots.ranking(field, measure), COMPARED[measure]
    table = field.ranking().sort_values(measure, ascending=False, ignore_index=True)
    assert ax.get_xlabel().startswith(unit) and "95 %" in ax.get_xlabel() and ax.get_ylabel() == "threshold"
    assert ax.get_title(loc="left") == f"Ranking of 3 strategies by {m.label}, under eaai"
    assert [tick.get_text() for tick in ax.get_yticklabels()] == plots.short_labels(list(table["strategy"]))[0]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the best on top
    (bars,) = ax.collections
    ends = np.array([segment[:, 0] for segment in bars.get_segments()])  # type: ignore[attr-defined]
    assert ends == pytest.approx(m.factor * table[[f"{measure}_low", f"{measure}_high"]].to_numpy())
    assert any(set(line.get_xdata()) == {m.factor * m.neutral} for line in ax.lines)


def test_endings(duel: Comparison) -> None:
    ax = plots.endings(duel)
    table = duel.endings()
    table = table[table["winner"] != "either"]
    assert ax.get_xlabel() == "share of all hands (%)" and ax.get_ylabel() == "ending"
    assert sorted(patch.get_width() for patch in ax.patches) == pytest.approx(sorted(100 * table["share"]))
    assert sum(patch.get_width() for patch in ax.patches) == pytest.approx(100)
    legend = ax.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()][:2] == ["won by threshold(knock=4)", "won by simple"]
    assert len({patch.get_facecolor() for patch in ax.patches}) == len(legend.get_texts())


def test_endings_of_a_mirror() -> None:
    ax = plots.endings(compare("simple", "simple", "eaai", deals=50, games=0))
    legend = ax.get_legend()
    assert legend is not None
    assert {text.get_text() for text in legend.get_texts()} >= {"won by simple (first)", "won by simple (second)"}


def test_plots_draw_on_given_axes_and_leave_settings_alone(field: Tournament, duel: Comparison) -> None:
    from matplotlib import rcParams

    before = dict(rcParams)
    axes = Figure().subplots(3)
    assert plots.heatmap(field, ax=axes[0]) is axes[0]
    assert plots.ranking(field, ax=axes[1]) is axes[1]
    assert plots.endings(duel, ax=axes[2]) is axes[2]
    assert ginsim.plot(field, ax=axes[0]) is axes[0] and ginsim.plot(duel, axes[2]) is axes[2]
    assert dict(rcParams) == before


def test_plots_need_no_pyplot() -> None:
    code = "import sys; from ginsim.report import plots, folder, page; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"
    code = "import sys; from ginsim.report.plots import style; style.new_axes(1, 1); print('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout == "False\n"


def test_plots_in_threads(field: Tournament, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda k: plots.save_figure(plots.heatmap(field), tmp_path, f"plot{k}"), range(4)))
    assert len({(tmp_path / f"plot{k}.svg").read_bytes() for k in range(4)}) == 1


@pytest.mark.parametrize("draw", [plots.heatmap, plots.ranking])
def test_unknown_measure(draw: Callable[..., Axes], field: Tournament) -> None:
    with pytest.raises(InputError, match=r"measure: 'points_per_hands'.*did you mean 'points_per_hand'"):
        draw(field, "points_per_hands")


def test_measure_that_was_not_played(field: Tournament) -> None:
    without = tournament(["simple", "random"], "eaai", deals=50, games=0)
    for draw in (plots.heatmap, plots.ranking):
        with pytest.raises(InputError, match="'games_won' cannot be plotted here"):
            draw(without, "games_won")


def test_one_pair_has_no_interval_and_still_a_plot(tmp_path: Path) -> None:
    once = tournament(["simple", "random"], "eaai", deals=1, games=0)
    assert len(neutral_cells(plots.heatmap(once))) == 2
    assert load_results(ginsim.save(once, tmp_path)) == once


def test_save_figure(field: Tournament, tmp_path: Path) -> None:
    ax = plots.ranking(field)
    paths = plots.save_figure(ax, tmp_path / "new", "plot", ("png", "svg", "pdf"))
    assert [path.name for path in paths] == ["plot.png", "plot.svg", "plot.pdf"]
    width, height = ax.figure.get_size_inches()  # type: ignore[union-attr]
    pixels = imread(paths[0])
    assert pixels.shape[1] >= 150 * width - 1 and pixels.shape[0] >= 150 * height - 1
    assert plots.save_figure(ax.figure, tmp_path, "plot", ("svg",))[0].read_bytes() == paths[1].read_bytes()
    assert b"<dc:date>" not in paths[1].read_bytes() and b"CreationDate" not in paths[2].read_bytes()
    with pytest.raises(InputError, match="formats: 'gif' is not one of"):
        plots.save_figure(ax, tmp_path, "plot", ("gif",))


# --- folders -----------------------------------------------------------------------------------------------------------


def test_tournament_folder(field: Tournament, saved: Path) -> None:
    assert {path.name for path in saved.iterdir()} == TOURNAMENT_FILES
    ranking = pd.read_parquet(saved / "ranking.parquet")
    pd.testing.assert_frame_equal(ranking.set_index("rank"), field.ranking(), check_index_type=False)
    for measure in ("points_per_hand", "hands_won", "games_won", "margin_per_game"):
        exact = pd.read_parquet(saved / f"{measure}.parquet").set_index("strategy")
        np.testing.assert_array_equal(exact.to_numpy(), field.matrix(measure).to_numpy())
        rounded = pd.read_csv(saved / f"{measure}.csv", index_col="strategy")
        assert list(rounded.index) == list(rounded.columns) == list(field.strategies)
        np.testing.assert_allclose(rounded.to_numpy(), exact.to_numpy(), rtol=1e-5)
    assert len(pd.read_csv(saved / "pairings.csv")) == 3
    assert all(imread(saved / f"{name}.png").size for name in ("heatmap", "ranking"))


def test_comparison_folder(duel: Comparison, tmp_path: Path) -> None:
    folder = ginsim.save(duel, tmp_path)
    assert {path.name for path in folder.iterdir()} == COMPARISON_FILES
    summary = pd.read_parquet(folder / "summary.parquet").set_index("measure")
    pd.testing.assert_frame_equal(summary, duel.summary(), check_index_type=False)
    endings = pd.read_csv(folder / "endings.csv")
    assert endings["hands"][endings["winner"] != "either"].sum() == 2 * duel.deals
    assert imread(folder / "endings.png").size


def test_tallies_hold_all_sums(field: Tournament, saved: Path) -> None:
    sums = json.loads((saved / "tallies.json").read_text())
    assert list(sums) == ["0-1", "0-2", "1-2"]
    assert sums["0-2"] == {"hands": field.pairings[0, 2].hands_tally, "games": field.pairings[0, 2].games_tally}


def test_manifest(field: Tournament, tmp_path: Path) -> None:
    timed = dataclasses.replace(field, wall_seconds=2.0)
    save_result(timed, tmp_path, title="T", question="Q?", command="ginsim run x.toml", experiment="kind = 1", study="abc")
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["ginsim"] == __version__ and manifest["kind"] == "tournament"
    assert manifest["rules"] == {"spec": "eaai", "fields": Rules.parse("eaai").model_dump()}
    assert manifest["strategies"] == list(field.strategies)
    assert (manifest["seed"], manifest["deals"], manifest["games"]) == (3, 50, 8)
    assert manifest["hands_played"] == field.hand_count and manifest["hands_per_second"] == round(field.hand_count / 2)
    assert (manifest["title"], manifest["question"], manifest["experiment"], manifest["study"]) == ("T", "Q?", "kind = 1", "abc")
    assert manifest["command"] == "ginsim run x.toml" and manifest["saved"].startswith("20")
    assert {"platform", "processor", "cores", "python", "numpy", "numba", "pandas"} <= set(manifest["machine"])
    assert all(manifest["machine"].values())


def test_saved_again_is_the_same_but_for_the_manifest(field: Tournament, duel: Comparison, tmp_path: Path) -> None:
    for result in (field, duel):
        first = files(ginsim.save(result, tmp_path / "first" / type(result).__name__))
        later = dataclasses.replace(result, wall_seconds=99.0)
        again = files(ginsim.save(later, tmp_path / "again" / type(result).__name__))
        assert set(first) == set(again)
        assert {name for name in first if first[name] != again[name]} == {"manifest.json"}


def test_saving_over_leaves_nothing_stale(field: Tournament, saved: Path) -> None:
    ginsim.save(tournament(list(field.strategies), "eaai", deals=50, games=0), saved)
    assert {path.name for path in saved.iterdir()} == {name for name in TOURNAMENT_FILES if "game" not in name}


def test_a_file_is_no_folder(duel: Comparison, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("x")
    with pytest.raises(InputError, match="taken cannot be used as a folder"):
        ginsim.save(duel, tmp_path / "taken")


def test_default_command_plays_the_same(duel: Comparison, tmp_path: Path) -> None:
    command = json.loads((ginsim.save(duel, tmp_path) / "manifest.json").read_text())["command"]
    first, last = "python -c 'import ginsim; ginsim.save(", ', "result")\''
    assert command.startswith(first) and command.endswith(last) and command.count("'") == 2
    again = eval(
        command.removeprefix(first).removesuffix(last), {"ginsim": sys.modules["ginsim"]}
    )
    assert again == duel


# --- the page ----------------------------------------------------------------------------------------------------------


def test_tournament_report(field: Tournament, tmp_path: Path) -> None:
    save_result(
        field, tmp_path, title="Thresholds", question="When to knock?", command="ginsim run x.toml", experiment="kind = 1"
    )
    page = (tmp_path / "report.md").read_text()
    assert page.startswith("# Thresholds\n\nWhen to knock?\n\n")
    for part in (
        field.verdict(),
        "(ranking.png)",
        "(heatmap.png)",
        "duplicate pair",
        "Student",
        "Wilson",
        "ginsim run x.toml",
        "kind = 1",
    ):
        assert part in page
    assert all(f"| `{name}` | " in page for name in Rules.model_fields)
    assert all(f"| {rank} | {row['strategy']} | " in page for rank, row in field.ranking().iterrows())
    assert "each of the 3 pairings played" in page and "| `shutout` | none | " in page
    assert "50 duplicate pairs of hands and 8 duplicate pairs of games" in page


def test_comparison_report(duel: Comparison, tmp_path: Path) -> None:
    save_result(duel, tmp_path)
    page = (tmp_path / "report.md").read_text()
    assert page.startswith("# threshold(knock=4) against simple\n")
    for part in (duel.verdict(), "(endings.png)", "| points per hand | ", "| knock_limit` | 8 |".replace("| k", "| `k")):
        assert part in page


def test_endings_have_their_intervals(duel: Comparison, tmp_path: Path) -> None:
    page = (ginsim.save(duel, tmp_path) / "report.md").read_text()
    rows: list[Any] = list(duel.endings().itertuples())
    assert any(row.winner == "either" for row in rows)
    for row in rows:
        share = f"{100 * row.share:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f})"
        assert f"| {row.ending} | {row.winner} | {row.hands} | {share} | {row.points:.2f} |" in page


def section(page: str, name: str) -> str:
    return page.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


def test_terms_are_those_used(field: Tournament, duel: Comparison, tmp_path: Path) -> None:
    without = tournament(["simple", "random"], "eaai", deals=50, games=0)
    pages = [ginsim.save(result, tmp_path / "x").joinpath("report.md").read_text() for result in (field, duel, without)]
    terms = [section(page, "Terms") for page in pages]
    assert all("**points per hand**" in text and "**hands won**" in text for text in terms)
    assert ["**games won**" in text for text in terms] == [True, True, False]
    assert ["**margin per game**" in text for text in terms] == [True, True, False]
    assert ["**undercut**" in text for text in terms] == [False, True, False]
    assert not any("**stalled**" in text for text in terms)
    assert "the one pairing played" in pages[2]


def test_strategies_are_described(field: Tournament, tmp_path: Path) -> None:
    first, second, third = section((ginsim.save(field, tmp_path) / "report.md").read_text(), "Strategies").strip().splitlines()
    assert first.startswith("- `threshold(knock=0)`: Keeps the least deadwood") and first.endswith("deadwood of at most 0.")
    assert second == "- `threshold(knock=5)`: as `threshold(knock=0)`, but: Knock (if allowed): with deadwood of at most 5."
    assert third.endswith("deadwood of at most 10.")


@pytest.mark.parametrize(
    ("spec", "part"),
    [
        ("simple", "Knock (if allowed): with deadwood of at most 100 (any)."),
        ("simple", "Discard: at random among the cards whose discard leaves the least deadwood, but never drawing"),
        ("early_then_gin", "knock_by_turn=[10, 10, 10, 0] (most deadwood"),
        ("lookahead", "16 weights as shipped."),
        ("lookahead(danger=3)", "danger=3 (weight of the chance that the discard makes a meld for the opponent"),
        ("random", "Knock (if allowed): knock or not, with even chances."),
    ],
)
def test_description_of_a_strategy(spec: str, part: str) -> None:
    assert part in describe(spec, REPERTOIRE)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_family_is_described(name: str) -> None:
    lines = describe(name, REPERTOIRE).splitlines()
    assert len(lines) == 4 and all(line.endswith(".") and "``" not in line and "Like " not in line for line in lines)


def test_a_leader_that_wins_fewer_hands_is_explained(tmp_path: Path) -> None:
    one = tournament(["threshold(knock=0)", "simple"], deals=400, games=0)
    hands = compare("threshold(knock=0)", "simple", deals=400, games=0, keep_hands=tmp_path / "hands").hands()
    won, lost = (hands["points"][hands["winner"] == player].mean() for player in (0, 1))
    text = f"a hand that it wins brings {won:.1f} points on average, one that it loses costs {lost:.1f}."
    assert won > lost and text in (ginsim.save(one, tmp_path / "one") / "report.md").read_text()
    other = ginsim.save(tournament(["simple", "random"], deals=50, games=0), tmp_path / "other")
    assert "wins fewer hands" not in (other / "report.md").read_text()


OWN = """from ginsim import Strategy

mine = Strategy.of(draw="meld", discard="highest", knock="threshold", params={"take_below": 10})
"""


def test_files_of_strategies_are_named(tmp_path: Path) -> None:
    file = tmp_path / "own.py"
    file.write_text(OWN)
    folder = ginsim.save(compare(f"{file}:mine", "simple", deals=5, games=0), tmp_path / "result")
    digest = hashlib.sha256(OWN.encode()).hexdigest()
    assert json.loads((folder / "manifest.json").read_text())["strategy_files"] == [{"file": str(file), "sha256": digest}]
    page = (folder / "report.md").read_text()
    assert f"unchanged: `own.py` (SHA-256 {digest[:12]}…)." in page and "from `own.py`" in page
    file.unlink()
    again = ginsim.save(load_results(folder), tmp_path / "again")
    assert "`own.py` (not found when this was written)" in (again / "report.md").read_text()


def test_code_of_objects_is_no_part_of_a_result(duel: Comparison, tmp_path: Path) -> None:
    page = (ginsim.save(dataclasses.replace(duel, a="Passer"), tmp_path) / "report.md").read_text()
    assert "The code of `Passer` is not part of this result" in page and "SHA-256" not in page


# --- experiment files --------------------------------------------------------------------------------------------------

FILE = '# Why?\nkind = "compare"\na = "simple"\nb = "random"\ndeals = 50\ngames = 0\n'


def test_report_shows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(FILE)
    run_experiment(load_experiment(path), tmp_path / "out", ginsim.save, command="ginsim run x.toml")
    page = (tmp_path / "out" / "report.md").read_text()
    assert f"The experiment file:\n\n```toml\n{FILE}```\n" in page
    changed = load_experiment(path, deals=40, seed=None)
    assert changed.source == FILE and changed.changed == ("deals=40",)
    run_experiment(changed, tmp_path / "out", ginsim.save, command="ginsim run x.toml --deals 40", fresh=True)
    page = (tmp_path / "out" / "report.md").read_text()
    assert f"The experiment file (but for what the command gives: deals=40):\n\n```toml\n{FILE}```\n" in page
    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["experiment"] == FILE


def test_no_file_no_block(tmp_path: Path) -> None:
    run_experiment(CompareExperiment(a="simple", b="random", deals=5, games=0), tmp_path, ginsim.save)
    page = (tmp_path / "report.md").read_text()
    assert "experiment file" not in page and "toml" not in page


def test_pairs_of_another_study_are_told_of(tmp_path: Path) -> None:
    experiment = CompareExperiment(a="simple", b="random", deals=50, games=0)
    other = CompareExperiment(a="simple", b="random", deals=70, games=0)
    execute(other.works(), journal=Journal(tmp_path / JOURNAL, other.digest()))
    said: list[str] = []
    run_experiment(experiment, tmp_path, ginsim.save, report=said.append)
    assert len(said) == 1 and said[0].startswith("70 pairs in ") and "of another study" in said[0]
    said.clear()
    run_experiment(experiment, tmp_path, ginsim.save, report=said.append, fresh=True)
    assert not any("already played" in text for text in said)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("kind='tournament'\nstrategies=['simple', 'simple']", "x.toml: strategies: simple is listed twice"),
        ("kind='tournament'\nstrategies=['simple']", "x.toml: strategies: needs at least 2; 1 given"),
        ("kind='effect'\nstrategies=['simple']\nvariants=['classic25']", "x.toml: variants: classic25 is the base itself"),
        ("kind='compare'\na='simple'\nb='random'\nc='random'", "there is no key 'c' in a compare experiment"),
    ],
)
def test_complaints_about_a_file(text: str, complaint: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        load_experiment(path)
    assert complaint in str(caught.value) and ": : " not in str(caught.value)


# --- a folder used again -----------------------------------------------------------------------------------------------


def test_manifest_lists_the_files(saved: Path) -> None:
    assert json.loads((saved / "manifest.json").read_text())["files"] == sorted(TOURNAMENT_FILES)


def test_another_kind_takes_the_place(duel: Comparison, saved: Path) -> None:
    (saved / "notes.txt").write_text("mine")
    (saved / "old.png").write_text("mine")
    ginsim.save(duel, saved)
    assert {path.name for path in saved.iterdir()} == COMPARISON_FILES | {"notes.txt", "old.png"}


def test_records_of_an_earlier_result_go(duel: Comparison, tmp_path: Path) -> None:
    run_experiment(CompareExperiment(a="simple", b="random", deals=20, games=3), tmp_path, ginsim.save, keep_hands=True)
    page = (tmp_path / "report.md").read_text()
    assert 'ginsim.load_results("this folder").hands()' in page and "`games/` holds" in page
    listed = json.loads((tmp_path / "manifest.json").read_text())["files"]
    assert {name.partition("/")[0] for name in listed if "/" in name} == {"hands", "games"}
    assert all((tmp_path / name).is_file() for name in listed)
    (tmp_path / "games" / "mine.txt").write_text("mine")
    ginsim.save(duel, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == COMPARISON_FILES | {"games"}
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["mine.txt"]
    assert "hands/" not in (tmp_path / "report.md").read_text()


def test_nothing_outside_the_folder_is_removed(duel: Comparison, saved: Path) -> None:
    outside, inner = saved.parent / "outside.txt", saved / "sub" / "inner.txt"
    inner.parent.mkdir()
    for path in (outside, inner):
        path.write_text("mine")
    names = ["../outside.txt", str(outside), "hands/../../outside.txt", "sub/inner.txt", "..", ".", "sub", 3]
    damage(saved / "manifest.json", lambda m: m.update(files=names))
    ginsim.save(duel, saved)
    assert outside.exists() and inner.exists()
    for broken in ({"files": None}, {}, []):
        (saved / "manifest.json").write_text(json.dumps(broken))
        ginsim.save(duel, saved)
    assert {path.name for path in saved.iterdir()} == TOURNAMENT_FILES | COMPARISON_FILES | {"sub"}  # none was listed


def test_markdown_table_keeps_its_columns() -> None:
    assert markdown_table(("a",), [("x|y\nz",)]).splitlines()[-1] == "| x\\|y z |"


# --- results rebuilt ---------------------------------------------------------------------------------------------------


def test_round_trip(field: Tournament, duel: Comparison, tmp_path: Path) -> None:
    for result in (field, duel, dataclasses.replace(field, wall_seconds=1 / 3), dataclasses.replace(duel, wall_seconds=0.1)):
        again = load_results(ginsim.save(result, tmp_path / "study"))
        assert again == result and type(again) is type(result)
        assert again.hands_folder is None
        pd.testing.assert_frame_equal(again.summary(), result.summary())
        assert again.verdict() == result.verdict()


def test_rebuilt_result_saves_the_same_files(saved: Path, tmp_path: Path) -> None:
    again = ginsim.save(load_results(str(saved)), tmp_path / "again")
    assert {name for name, data in files(again).items() if data != files(saved)[name]} <= {"manifest.json"}


def test_round_trip_with_hands(tmp_path: Path) -> None:
    result = compare("simple", "random", "eaai", deals=50, games=0, keep_hands=tmp_path / "hands")
    again = load_results(ginsim.save(result, tmp_path))
    pd.testing.assert_frame_equal(again.hands(), result.hands())
    other = compare("simple", "random", "eaai", deals=50, games=0, seed=9)
    assert load_results(ginsim.save(other, tmp_path)).hands_folder is None  # the hands that lie there are another run's


def test_results_of_strategies_whose_files_are_gone(duel: Comparison, tmp_path: Path) -> None:
    gone = dataclasses.replace(duel, a="gone.py:mine", b='two "words" | $1')
    assert load_results(ginsim.save(gone, tmp_path)) == gone


def damage(path: Path, change: Callable[[Any], None]) -> None:
    data = json.loads(path.read_text())
    change(data)
    path.write_text(json.dumps(data))


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no folder .*nowhere"):
        load_results(tmp_path / "nowhere")
    with pytest.raises(InputError, match=r"is not a result folder: manifest\.json is missing"):
        load_results(tmp_path)
    for name in (None, 5, "x" * 5000, "a\0b"):
        with pytest.raises(InputError, match="results: there is no folder"):
            load_results(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["manifest.json", "tallies.json"])
def test_damaged_file(saved: Path, name: str) -> None:
    path = saved / name
    whole = path.read_bytes()
    for broken in (b"", b"{", whole[: len(whole) // 2], b"\xff\xfe\x00", b"[]", b"null", b"[" * 100_000, b'{"a":' * 100_000):
        path.write_bytes(broken)
        with pytest.raises(InputError, match=f"{name} is damaged"):
            load_results(saved)
    path.unlink()
    with pytest.raises(InputError, match=f"{name} is missing"):
        load_results(saved)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda m: m.pop("strategies"), "manifest.json is damaged: strategies is missing"),
        (lambda m: m.update(seed="3"), "manifest.json is damaged: seed.int: '3' is not allowed; give a whole number"),
        (lambda m: m.update(kind="sweeep"), "manifest.json: kind 'sweeep' is not known; kinds are adaptation, calibration, "),
        (lambda m: m.update(strategies=["simple"]), "tallies.json: pairing 0-1, 0-2, 1-2 is not known"),
        (lambda m: m.update(kind="compare"), "manifest.json: a compare has 2 strategies, not 3"),
        (lambda m: m["rules"]["fields"].update(tie="both"), "manifest.json: tie='both' is not possible"),
        (lambda m: m.update(tallies_sha256="0"), "tallies.json is damaged or was changed"),
    ],
)
def test_wrong_manifest(saved: Path, change: Callable[[Any], None], complaint: str) -> None:
    damage(saved / "manifest.json", change)
    with pytest.raises(InputError) as caught:
        load_results(saved)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda t: t["0-1"]["hands"].update(points=1.5), "damaged: 0-1.hands.points: 1.5 is not allowed; give a whole number"),
        (lambda t: t["0-1"]["hands"].update(points=True), "damaged: 0-1.hands.points: True is not allowed; give a whole number"),
        (lambda t: t["0-1"]["hands"].update(points=1), "is damaged or was changed: its checksum"),
    ],
)
def test_changed_tallies(saved: Path, change: Callable[[Any], None], complaint: str) -> None:
    damage(saved / "tallies.json", change)
    with pytest.raises(InputError) as caught:
        load_results(saved)
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("phase", "sums", "complaint"),
    [
        ("hands", {"pairs": -1}, "pairs=-1 is impossible"),
        ("hands", {"turns": -5}, "turns=-5 is impossible"),
        ("hands", {"turns": 1 << 70}, "turns=1180591620717411303424 is impossible"),
        ("hands", {"won": 99, "won_sq": 300}, "won=99 is impossible with decided="),
        ("hands", {"decided": 101}, "decided=101 is impossible with squares"),
        ("hands", {"decided": 101, "decided_sq": 300}, "decided=101 is impossible with plays=100"),
        ("hands", {"points_sq": 0}, "is impossible with squares that add up to 0"),
        ("hands", {"dead_0": 1000}, "the endings do not add up to two for each of the 50 pairs"),
        ("games", {"won": 99}, "won=99 is impossible with squares"),
        ("games", {"won": 99, "won_sq": 2000}, "won=99 is impossible with decided="),
        ("games", {"margin": 10**9}, "margin=1000000000 is impossible with squares"),
    ],
)
def test_impossible_sums(saved: Path, phase: str, sums: dict[str, int], complaint: str) -> None:
    damage(saved / "tallies.json", lambda t: t["0-1"][phase].update(sums))
    digest = hashlib.sha256((saved / "tallies.json").read_bytes()).hexdigest()
    damage(saved / "manifest.json", lambda m: m.update(tallies_sha256=digest))
    with pytest.raises(InputError) as caught:
        load_results(saved)
    assert f"tallies.json: 0-1: {phase}: " in str(caught.value)
    assert complaint in str(caught.value)


def without_winners(duel: Comparison, hands: bool = False) -> Comparison:
    """The duel as if no game had been finished (and no hand won)."""
    nobody = {"won": 0, "won_sq": 0, "decided": 0, "decided_sq": 0, "won_decided": 0}
    games = duel.games_tally | nobody | {"margin": 0, "margin_sq": 0}
    lost = duel.hands_tally | nobody | {"points": 0, "points_sq": 0, "starter": 0, "starter_sq": 0, "starter_decided": 0}
    return dataclasses.replace(duel, games_tally=games, hands_tally=lost if hands else duel.hands_tally)


def test_figures_that_nothing_is_known_of_are_left_out(
    duel: Comparison, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ginsim.commands.study import show_result

    stopped = without_winners(duel)
    assert math.isnan(stopped.margin_per_game.value)
    assert list(stopped.summary().index) == ["points per hand", "hands won", "turns per hand", "starter's share"]
    assert list(without_winners(duel, hands=True).summary().index) == ["points per hand", "turns per hand"]
    show_result(stopped)
    show_result(without_winners(duel, hands=True))
    shown = capsys.readouterr().out
    assert "None of the 12 games was finished" in shown
    assert "None of the 100 hands had a winner" in shown
    assert "nan" not in shown
    assert load_results(ginsim.save(stopped, tmp_path)) == stopped


def test_intervals_of_one_deal_are_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    from ginsim.commands.study import show_result

    one = compare("simple", "random", "eaai", deals=1, games=0)
    few = tournament(["simple", "random", "threshold"], "eaai", deals=1, games=0)
    assert str(one.points_per_hand).endswith("[unknown]")
    show_result(one)
    show_result(few)
    for text in (capsys.readouterr().out, str(one), str(few)):
        assert "unknown" in text
        assert "inf" not in text


@pytest.mark.parametrize("strategies", [None, 5, b"simple", {"simple": 1}])
def test_a_field_is_a_list(strategies: Any) -> None:
    with pytest.raises(InputError, match=r"strategies: .* is not allowed; give a list"):
        tournament(strategies)


def test_one_strategy_is_a_list_of_one() -> None:
    with pytest.raises(InputError, match="strategies: needs at least 2; 1 given"):
        tournament("simple")


def test_numpy_counts() -> None:
    few = {"deals": np.int64(3), "games": np.int8(0), "seed": np.uint8(1), "workers": np.int64(1)}
    assert compare("simple", "random", **few) == compare("simple", "random", deals=3, games=0, seed=1)  # type: ignore[arg-type]


def test_sums_of_another_version(duel: Comparison, tmp_path: Path) -> None:
    less = {name: value for name, value in duel.hands_tally.items() if name != "turns"} | {"luck": 1}
    assert set(less) != set(HAND_TALLY)
    whole = ginsim.save(duel, tmp_path)
    from ginsim.experiment.loading import tallies_text
    from ginsim.experiment.saved import manifest_text

    manifest, text = json.loads((whole / "manifest.json").read_text()), tallies_text(dataclasses.replace(duel, hands_tally=less))
    (whole / "tallies.json").write_text(text)
    changed = manifest | {"tallies_sha256": hashlib.sha256(text.encode()).hexdigest()}
    (whole / "manifest.json").write_text(manifest_text(changed))
    with pytest.raises(InputError, match=r"tallies\.json: 0-1: hands: sum turns is missing"):
        load_results(whole)


def test_an_unfinished_write_is_not_seen(saved: Path) -> None:
    (saved / ".tallies.json.partial").write_text("{")
    assert isinstance(load_results(saved), Tournament)
    assert not math.isfinite(load_results(saved).wall_seconds)
