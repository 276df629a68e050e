"""The odds of a game by score."""

from __future__ import annotations

from functools import partial

from ginsim.report import plots
from ginsim.report.figures import SHARE
from ginsim.report.page import told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.odds import Odds

__all__ = ["sheet"]

OF = Odds
"""What is shown here."""


def sheet(o: Odds) -> Sheet:
    """The odds of a game by score."""
    return Sheet(
        "odds",
        [o.a, o.b],
        {"rules": o.rules, "deals": o.deals, "seed": o.seed, "games": o.games_tally["pairs"]},
        o.rules,
        (o.a, o.b),
        f"The odds of a game of {o.a} against {o.b}",
        lambda: _body(o),
        lambda: {"odds": o.table(1), "summary": o.table()},
        {"odds": partial(plots.score_map, o)},
        lambda: [_scores(o)],
    )


def _scores(o: Odds) -> Texts:
    scores = range(0, len(o.chances), max(1, len(o.chances) // 10))
    rows = [(own, *(SHARE.value_text(o.at(own, other).value) for other in scores)) for own in scores]
    title = f"Chance that {o.a} wins the game, by its own points (down) and those of {o.b} (across)"
    return Texts(("own \\ other", *map(str, scores)), rows, range(1 + len(scores)), title=title)


def _body(o: Odds) -> str:
    games = o.games_tally["pairs"]
    return filled(
        "odds",
        **told(o),
        widest=f"{100 * o.widest:.2f}",
        scores=_scores(o).markdown(),
        games=f" and, as a check, {games:,} duplicate pairs of games" if games else "",
    )
