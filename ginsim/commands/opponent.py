"""``ginsim opponent``: how well a player can tell the opponent's cards, and the factors of the model fitted anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.console import print_tables
from ginsim.commands.study import run_settings
from ginsim.files import csv_text, write_whole
from ginsim.inference.estimates import interval_text
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
    command: str, fresh: bool, **settings: Any,
) -> None:  # fmt: skip
    """Measure, or fit, and print; into a folder if there is one."""
    if fit:
        report = None if quiet or not sys.stderr.isatty() else (lambda text: tell(text, err=True))
        found = fit_factors(watcher, opponents, deals=FITTED if deals is None else deals, report=report, **settings)
        if out is not None:
            _save(found, out, command)
        print_tables([_factors(found), _losses(found)])
        tell(f"\n{found.constants()}\n\n{found.verdict()}")
        return
    of: dict[str, Any] = {"kind": "calibration", "watcher": watcher, "opponents": opponents}
    run_settings(of | ({} if deals is None else {"deals": deals}) | settings, out, workers, False, quiet, command, fresh)


def _factors(found: FactorFit) -> Texts:
    rows = [
        (row["factor"].replace("_", " "), f"{row['shipped']:.2f}", f"{row['fitted']:.3f}",
         interval_text(row["low"], row["high"]), SHARE.value_text(row["seen"])) for row in found.factors.to_dict("records")
    ]  # fmt: skip
    heads = ("factor", "shipped", "fitted", "95 % interval", "cards it applies to")
    return Texts(heads, rows, range(1, 5), title="Factors of the opponent model")


def _losses(found: FactorFit) -> Texts:
    models = ("fitted", "shipped", "as_played", "even")
    rows = [
        (row["opponent"], *(SCORES["log"].value_text(row[model]) for model in models)) for row in found.losses.to_dict("records")
    ]
    heads = ("opponent", *(model.replace("_", " ") for model in models))
    return Texts(heads, rows, range(1, 5), title=f"Log loss on {found.deals // 2:,} pairs held out")


def _save(found: FactorFit, folder: Path, command: str) -> None:
    """Tables as CSV, and a page."""
    for name, table in (("factors", found.factors), ("losses", found.losses)):
        write_whole(folder / f"{name}.csv", csv_text(table, index=False, float_format="%.6g"))
    page = filled(
        "fit",
        verdict=found.verdict(),
        deals=f"{found.deals:,}",
        watcher=found.watcher,
        rules=found.rules,
        seed=found.seed,
        factors=_factors(found).markdown(),
        held_out=f"{found.deals // 2:,}",
        losses=_losses(found).markdown(),
        constants=f"```python\n{found.constants()}\n```",
        command=fenced(command, "sh"),
    )
    write_whole(folder / "report.md", f"{page}\n")
