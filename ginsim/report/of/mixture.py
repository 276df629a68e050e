"""Any strategies together at one table."""

from __future__ import annotations

from functools import partial

from ginsim.report import plots
from ginsim.report.figures import figure
from ginsim.report.of.comparison import given_by
from ginsim.report.of.tournament import p_text, ranking_of
from ginsim.report.page import code_list, told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.mixture import Mixture

__all__ = ["sheet"]

OF = Mixture
"""What is shown here."""


def sheet(m: Mixture) -> Sheet:
    """Any strategies together at one table."""
    return Sheet(
        "mixture",
        [list(m.seats)],
        {"rules": m.rules, "deals": m.deals, "seed": m.seed, "games": m.games_tally["pairs"]} | given_by(m),
        m.rules,
        m.strategies,
        f"{len(m.seats)} players at one table",
        lambda: _body(m),
        lambda: {"ranking": m.ranking().reset_index(), "pairings": m.pairing_table()},
        {"ranking": partial(plots.ranking, m)},
        lambda: [ranking_of(m, f"Ranking by {m.judged.label} at one table, with 95 % intervals")],
    )


def _pairs(m: Mixture) -> Texts:
    rows = [
        (row["a"], row["b"], m.judged.difference_text(figure(row["difference"], row["low"], row["high"])), p_text(row["p"]),
         p_text(row["p_holm"]), "yes" if row["clear"] else "no") for row in m.pairing_table().to_dict("records")
    ]  # fmt: skip
    return Texts(("strategy", "other", f"difference in {m.judged.label}", "p", "p (Holm)", "clear"), rows, (2, 3, 4))


def _body(m: Mixture) -> str:
    games = m.games_tally["pairs"]
    return filled(
        "mixture",
        **told(m),
        ranking=ranking_of(m).markdown(),
        criterion=m.judged.label,
        pairs=_pairs(m).markdown(),
        seats=code_list(m.seats),
        games=f" and {games:,} games" if games else "",
    )
