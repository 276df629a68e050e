"""How well the chances of cards agree with what was held."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from ginsim.games.gin.sightings import DEAR, MODELS
from ginsim.report import plots
from ginsim.report.figures import SHARE, row_text
from ginsim.report.page import told
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.calibration import CLIP, Calibration
from ginsim.study.measures import SCORES

__all__ = ["sheet"]

OF = Calibration
"""What is shown here."""


def sheet(c: Calibration) -> Sheet:
    """How well the opponent's cards are told."""
    return Sheet(
        "calibrate",
        [c.watcher, list(c.opponents)],
        {"rules": c.rules, "deals": c.deals, "seed": c.seed},
        c.rules,
        (c.watcher, *c.opponents),
        f"How well {c.watcher} can tell the opponent's cards",
        lambda: _body(c),
        lambda: {"calibration": c.table(), "scores": c.scores()},
        {"calibration": partial(plots.calibration, c)},
        lambda: [table for opponent in c.opponents for table in (_chances(c, opponent), _scores(c, opponent))],
    )


def _rows(table: Any, opponent: str) -> Any:
    return [row for _, row in table[table["opponent"] == opponent].iterrows()]


def _chances(c: Calibration, opponent: str) -> Texts:
    rows = [
        (f"{100 * r['chance_from']:.0f} to {100 * r['chance_to']:.0f} %", f"{r['cards']:,}", SHARE.value_text(r["predicted"]),
         row_text(SHARE, r, "held")) for r in _rows(c.table(), opponent)
    ]  # fmt: skip
    title = f"Unseen cards by the chance that {opponent} holds them, with 95 % intervals"
    return Texts(("chance", "cards", "predicted", "held"), rows, range(4), title=title)


def _scores(c: Calibration, opponent: str) -> Texts:
    rows = []
    for r in _rows(c.scores(), opponent):
        cells = []
        for score, measure in SCORES.items():
            gained = replace(measure, signed=True)
            cells += [measure.value_text(r[score]), *(row_text(gained, r, f"{score}_gain_{other}") for other in MODELS[1:])]
        rows.append((r["group"], f"{r['cards']:,}", *cells))
    gains = ("gain on dear less", "gain on even")
    heads = ("turns", "cards", *(head for measure in SCORES.values() for head in (measure.label, *gains)))
    return Texts(heads, rows, range(1, len(heads)), title=f"Scores against {opponent} (less is better), with 95 % intervals")


def _body(c: Calibration) -> str:
    parts = [
        filled(
            "calibration_opponent",
            opponent=opponent,
            chances=_chances(c, opponent).markdown(),
            scores=_scores(c, opponent).markdown(),
        )
        for opponent in c.opponents
    ]
    return filled(
        "calibration",
        **told(c),
        opponents="\n\n".join(parts),
        watcher=c.watcher,
        kept_dear=f"{c.kept_dear:g}",
        reads=f"{c.reads:g}",
        clip=f"{CLIP:g}",
        dear=f"{DEAR:g}",
    )
