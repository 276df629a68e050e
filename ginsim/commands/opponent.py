"""``ginsim opponent``: how well a player can tell the opponent's cards, and the factors of the model fitted anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.study import run_settings
from ginsim.files import csv_text, write_whole
from ginsim.report.figures import SHARE
from ginsim.report.markup import fenced
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.measures import SCORES
from ginsim.study.opponentfit import FactorFit, fit_factors

FITTED = 1_000
"""Pairs of hands that are played against each opponent for a fit, unless the number is given."""


def show(
    watcher: str, opponents: list[str], deals: int | None, fit: bool, workers: int | None, out: Path | None, quiet: bool,
    command: str, **settings: Any,
) -> None:  # fmt: skip
    """Measure, or fit, and print; into a folder if there is one."""
    if fit:
        report = None if quiet or not sys.stderr.isatty() else (lambda text: tell(text, err=True))
        found = fit_factors(watcher, opponents, deals=FITTED if deals is None else deals, report=report, **settings)
        if out is not None:
            _save(found, out, command)
        tell(str(found))
        return
    of: dict[str, Any] = {"kind": "calibration", "watcher": watcher, "opponents": opponents}
    run_settings(of | ({} if deals is None else {"deals": deals}) | settings, out, workers, False, quiet, command)


def _save(found: FactorFit, folder: Path, command: str) -> None:
    """Tables as CSV, and a page."""
    for name, table in (("factors", found.factors), ("losses", found.losses)):
        write_whole(folder / f"{name}.csv", csv_text(table, index=False, float_format="%.6g"))
    factors: list[Any] = list(found.factors.itertuples())
    losses: list[Any] = list(found.losses.itertuples())
    factor_rows = [
        (row.factor.replace("_", " "), f"{row.shipped:.2f}", f"{row.fitted:.3f}", f"{row.low:.3f} to {row.high:.3f}",
         SHARE.value_text(row.seen)) for row in factors
    ]  # fmt: skip
    models = ("fitted", "shipped", "as_played", "even")
    loss_rows = [(row.opponent, *(SCORES["log"].value_text(getattr(row, model)) for model in models)) for row in losses]
    page = filled(
        "fit",
        verdict=found.verdict(),
        deals=f"{found.deals:,}",
        watcher=found.watcher,
        rules=found.rules,
        seed=found.seed,
        factors=Texts(("factor", "shipped", "fitted", "interval", "cards it speaks of"), factor_rows, range(1, 5)).markdown(),
        held_out=f"{found.deals // 2:,}",
        losses=Texts(("opponent", "fitted", "shipped", "as played", "even"), loss_rows, range(1, 5)).markdown(),
        constants=f"```python\n{found.constants()}\n```",
        command=fenced(command, "sh"),
    )
    write_whole(folder / "report.md", f"{page}\n")
