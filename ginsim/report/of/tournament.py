"""A round robin."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.inference.estimates import interval_text
from ginsim.inference.measures import Measure
from ginsim.report import plots
from ginsim.report.figures import SHARE, figure, row_text
from ginsim.report.of.comparison import given_by, settings_of
from ginsim.report.page import counts_text, each_pairing, told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled, sentence
from ginsim.report.texts import Texts
from ginsim.study.measures import COMPARED, JUDGED
from ginsim.study.tournament import Tournament

if TYPE_CHECKING:
    import pandas as pd


__all__ = ["p_text", "ranking_of", "sheet"]

OF = Tournament
"""What is shown here."""

def sheet(t: Tournament) -> Sheet:
    """A round robin."""
    return Sheet(
        "tournament",
        [list(t.strategies)],
        settings_of(next(iter(t.pairings.values()))) | given_by(t),
        t.rules,
        t.strategies,
        f"Round robin of {len(t.strategies)} strategies",
        lambda: _body(t),
        lambda: _tables(t),
        {
            "heatmap": partial(plots.heatmap, t),
            "ranking": partial(plots.ranking, t),
            **({"ratings": lambda ax=None: plots.ratings(t.ratings(), ax)} if t.enough else {}),
            **({"nash": lambda ax=None: plots.nash(t.nash(), ax)} if t.enough else {}),
        },
        lambda: [ranking_of(t, f"Ranking by {t.judged.label} against the field, with 95 % intervals")],
    )


def _tables(t: Tournament) -> Mapping[str, pd.DataFrame | None]:
    return {
        "ranking": t.ranking().reset_index(),
        **{name: _named(t.matrix(name)) if name in t.measures else None for name in JUDGED},
        "pairings": t.pairing_table(),
        "ratings": t.ratings().table() if t.enough else None,
        "nash": t.nash().table() if t.enough else None,
    }


def _named(matrix: pd.DataFrame) -> pd.DataFrame:
    return matrix.rename_axis("strategy").reset_index()


def ranking_of(t: Any, title: str = "") -> Texts:
    """The strategies from the best down, of a round robin or of one table."""
    table = t.ranking()
    measures = {name: measure for name, measure in COMPARED.items() if name in table}
    rows = [
        (rank, row["strategy"], *(row_text(measure, row, name) for name, measure in measures.items()))
        for rank, row in table.iterrows()
    ]
    heads = ("rank", "strategy", *(measure.label for measure in measures.values()))
    return Texts(heads, rows, (0, *range(2, len(heads))), title=title)


def _body(t: Tournament) -> str:
    some, pairings = next(iter(t.pairings.values())), len(t.pairings)
    return filled(
        "tournament",
        **told(t),
        ranking=ranking_of(t).markdown(),
        criterion=t.judged.label,
        axis=t.judged.axis,
        pairings=pairings,
        each=each_pairing(pairings),
        counts=counts_text(some.deals, some.games_tally["pairs"]),
        apart=", on decks of its own" if pairings > 1 else "",
        seating=sentence(f"seating_{t.game.name}"),
        **_fewer_but_dearer(t),
        **_of_field(t),
    )


def _fewer_but_dearer(t: Tournament) -> dict[str, str]:
    """Why the first of the ranking leads although it wins fewer than half of the decided hands; empty if it does not."""
    first = t.ranking().iloc[0]
    name = str(first["strategy"])
    sums = {True: [0, 0.0], False: [0, 0.0]}  # won or lost: hands, points
    for pairing in t.pairings.values():
        if name in (pairing.a, pairing.b):
            rows: list[Any] = list(pairing.endings().itertuples())
            for row in rows:
                if row.winner in (pairing.a, pairing.b):
                    own = sums[row.winner == name]
                    own[0] += row.hands
                    own[1] += row.hands * row.points
    won, lost = (points / max(hands, 1) for hands, points in sums.values())
    leads = first["hands_won"] < 0.5 and won > lost
    share = COMPARED["hands_won"].value_text(first["hands_won"])
    return {"first": name if leads else "", "first_won": share, "won": f"{won:.1f}", "lost": f"{lost:.1f}"}


def _of_field(t: Tournament) -> dict[str, str]:
    """Which pairings are clear, ratings, and the field as a game; empty if there are too few hands."""
    if not t.enough:
        return dict.fromkeys(("clear", "ratings", "rated", "fit", "mixture", "mixture_verdict", "gained"), "")
    measures = {name: COMPARED[name] for name in t.measures}
    pairs = [
        (row["a"], row["b"], *(row_text(measure, row, name) for name, measure in measures.items()), p_text(row["p"]),
         p_text(row["p_holm"]), "yes" if row["clear"] else "no") for _, row in t.pairing_table().iterrows()
    ]  # fmt: skip
    heads = ("strategy", "opponent", *(measure.label for measure in measures.values()), "p", "p (Holm)", "clear")
    found, game = t.ratings(), t.nash()
    elo: list[Any] = list(found.table().itertuples())
    shares: list[Any] = list(game.table().itertuples())
    rated = [(row.strategy, f"{row.elo:+.0f} ({interval_text(row.low, row.high, '+.0f')})") for row in elo]
    mixture = [
        (row.strategy, SHARE.text(figure(row.share, row.low, row.high)), _gain(t.judged, row.mixture_gains),
         _gain(t.judged, row.worst)) for row in shares
    ]  # fmt: skip
    return {
        "clear": Texts(heads, pairs, range(2, len(heads) - 1)).markdown(),
        "ratings": Texts(("strategy", "Elo"), rated, (1,)).markdown(),
        "rated": found.of,
        "fit": "" if math.isnan(found.fit_p) else _fit(found),
        "mixture": Texts(("strategy", "share", "mixture gains", "against its worst"), mixture, (1, 2, 3)).markdown(),
        "mixture_verdict": game.verdict(),
        "gained": f"{t.judged.label} above one half, in percentage points" if t.judged.is_share else t.judged.label,
    }


def _gain(measure: Measure, value: float) -> str:
    """What is gained, beyond what favours neither side."""
    return f"{measure.factor * value:+z.{measure.decimals}f}"


def _fit(found: Any) -> str:
    """Whether one number a strategy tells it all."""
    word = "does not tell it all here" if found.fit_p < 0.01 else "agrees with what was observed"
    freedom = f"{found.freedom} degrees of freedom"
    return f" One number a strategy {word} (chi-squared {found.misfit:.1f} with {freedom}, p = {p_text(found.fit_p)})."


def p_text(value: float) -> str:
    """A p-value."""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"
