"""A chart as a card to print: what stands on it, that it fits on its sheet, that it is told without colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from ginsim import InputError
from ginsim.report.plots import chart_card, figure_bytes, save_figure
from ginsim.report.plots.card import KNOCK, MIXED, PAPERS, RARE, WAIT
from ginsim.solving.cells import Cells
from ginsim.solving.chart import SUMS, Chart

WORDS = ("classic25", "threshold", "points of the hand", "ginsim, solved on 200,000 deals, seed 0")
ADVICE = "With one unmatched card go for gin; with two or more knock until turn 8."


def made(known: str, hands: int = 100_000) -> Chart:
    """A chart that knocks early and high: with one unmatched card never, 4 times of 10 on turn 7, on the 14th turn with 2."""
    cells = Cells.of(known)
    place = dict(zip(("seat", "turn", *cells.known), np.indices(cells.shape), strict=True))
    turn, deadwood = place["turn"] + 1, place.get("deadwood", np.full(cells.shape, 7))
    knock = np.where((turn < 7) & (deadwood > 3), 1.0, np.where((turn == 7) & (deadwood > 5), 0.4, 0.0))
    knock = np.where((turn == 14) & (deadwood == 2), 1.0, knock)
    least = 1 + place["unmatched"] if "unmatched" in place else 1
    if "unmatched" in place:
        knock = np.where(place["unmatched"] == 0, 0.0, knock)
    seen = (deadwood >= least) & (deadwood <= 10) & (turn > 1) & (turn + deadwood < 27)
    return Chart(cells, knock, {name: np.where(seen, 500.0, 0.0) for name in SUMS}, hands)


def texts(ax: Any) -> list[str]:
    return [text.get_text() for text in ax.texts]


@pytest.mark.parametrize(
    ("known", "sheet"),
    [("deadwood", (148, 105)), ("deadwood, unmatched", (148, 210)), ("deadwood, taken", (148, 210)), ("unmatched", (105, 148))],
)
def test_it_fits_on_its_sheet(known: str, sheet: tuple[int, int]) -> None:
    ax = chart_card(made(known), *WORDS, ADVICE)
    figure: Any = ax.figure
    assert tuple(figure.get_size_inches() * 25.4) == pytest.approx(sheet) and tuple(sorted(sheet)) in PAPERS
    figure.canvas.draw()
    wide, high = figure.canvas.get_width_height()
    boxes = [(text, text.get_window_extent()) for text in ax.texts if text.get_text()]
    for text, box in boxes:
        assert min(box.x0, box.y0) > 0 and box.x1 < wide and box.y1 < high, text.get_text()
    long = [(text, box) for text, box in boxes if len(text.get_text()) > 3]
    for k, (text, box) in enumerate(long):
        for other, its in long[:k]:
            assert not box.overlaps(its), (text.get_text(), other.get_text())


def test_what_stands_on_it() -> None:
    chart = made("deadwood, unmatched")
    said = texts(chart_card(chart, *WORDS, ADVICE))
    assert said[0] == "When to knock" and any("classic25" in text and "threshold" in text for text in said)
    assert any("seed 0" in text for text in said) and " ".join(said).count("1 unmatched: never knock") == 2
    assert said.count("2 unmatched") == said.count("3+ unmatched") == 2
    marks = chart.marks()
    assert said.count("K") == (marks == "K").sum() + 1  # one in the legend
    assert said.count("40") == (marks == "40").sum() + 1
    assert said.count("15+") == 4 and "14" in said and "16" not in said  # nobody knocks after turn 14


def test_one_seat() -> None:
    said = " ".join(texts(chart_card(made("deadwood"), *WORDS, seat="dealer")))
    assert "Dealer" in said and "Starter" not in said
    with pytest.raises(InputError, match="seat: 'left' is not allowed"):
        chart_card(made("deadwood"), *WORDS, seat="left")


def luminance(colour: str) -> float:
    rgb = np.array(to_rgb(colour))
    return float(np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722])


def test_it_is_told_without_colours() -> None:
    ax = chart_card(made("deadwood"), *WORDS)
    assert all((luminance(other) + 0.05) / (luminance(KNOCK) + 0.05) > 3.5 for other in (WAIT, MIXED, RARE))
    hatched = [c for c in ax.collections if c.get_hatch() and c.get_paths()]
    cells = sum(len(c.get_paths()) for c in hatched)
    assert cells == (made("deadwood").marks() == "40").sum() + 1
    assert all(text.get_color() == "white" and text.get_weight() == "bold" for text in ax.texts if text.get_text() == "K")


def test_where_nobody_ever_knocks() -> None:
    chart = made("deadwood, unmatched")
    never = Chart(chart.cells, np.zeros(chart.cells.shape), chart.sums, chart.hands)
    said = texts(chart_card(never, *WORDS))
    assert sum("never knock" in text for text in said) == 2 and said.count("K") == 1


def test_it_is_not_said_that_one_never_knocks_where_that_is_not_known() -> None:
    chart = made("deadwood, unmatched")
    unmatched, turn = np.indices(chart.cells.shape)[[-1, 1]]
    rare = np.where((unmatched == 0) & (turn > 4), 10.0, chart.sums["reached"])  # fewer than can be told of
    said, known = (
        " ".join(texts(chart_card(Chart(chart.cells, chart.knock, chart.sums | {"reached": reached}, chart.hands), *WORDS)))
        for reached in (rare, np.maximum(rare, 500.0))
    )
    assert said.count("1 unmatched: too few deals to tell") == 2 and "never knock" not in said
    assert known.count("1 unmatched: never knock") == 2 and "too few" not in known


def test_where_nothing_is_told() -> None:
    chart = made("deadwood")
    rare = Chart(chart.cells, chart.knock, {name: 0 * values for name, values in chart.sums.items()}, 10)
    assert sum("too few deals" in text for text in texts(chart_card(rare, *WORDS))) == 2


def test_the_last_turn_stands_for_later_ones() -> None:
    chart = made("deadwood")
    knock = chart.knock.copy()
    knock[:, -1, 5] = 1.0
    assert "20+" in texts(chart_card(Chart(chart.cells, knock, chart.sums, chart.hands), *WORDS))


def test_too_much_for_a_card() -> None:
    with pytest.raises(InputError, match="a card has no room for"):
        chart_card(made("deadwood, unmatched, taken, last"), *WORDS)


def test_files(tmp_path: Path) -> None:
    paths = save_figure(chart_card(made("deadwood"), *WORDS), tmp_path, "card", ("png", "svg", "pdf"))
    starts = [path.read_bytes()[:5] for path in paths]
    assert starts[0][1:4] == b"PNG" and starts[1] == b"<?xml" and starts[2] == b"%PDF-"
    assert figure_bytes(chart_card(made("deadwood"), *WORDS), "svg") == paths[1].read_bytes()


def test_on_given_axes() -> None:
    ax = Figure().subplots()
    assert chart_card(made("deadwood"), *WORDS, ax=ax) is ax
