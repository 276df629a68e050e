"""``ginsim opponent``: how well a player can tell the opponent's cards, and the factors of the model fitted anew."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ginsim.commands import tell
from ginsim.commands.study import run_settings
from ginsim.files import csv_text, write_whole
from ginsim.report.markup import fenced
from ginsim.report.page import markdown_table
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
    page = (
        "# Factors of the opponent model, fitted",
        found.verdict(),
        f"By maximum likelihood on {found.deals:,} duplicate pairs of hands of `{found.watcher}` against each opponent, under "
        f"`{found.rules}`, seed {found.seed}; intervals (95 %) by deal.",
        markdown_table(
            ("factor", "shipped", "fitted", "interval", "cards it speaks of"),
            [
                (row.factor.replace("_", " "), f"{row.shipped:.2f}", f"{row.fitted:.3f}", f"{row.low:.3f} to {row.high:.3f}",
                 f"{row.seen:.1%}") for row in factors
            ],
            numbers=range(1, 5),
        ),
        f"Log loss on {found.deals // 2:,} pairs held out, with the factors fitted, with the shipped ones, with these as the "
        "decisions compute them, and with all unseen cards equally likely.",
        markdown_table(
            ("opponent", "fitted", "shipped", "as played", "even"),
            [(row.opponent, *(f"{x:.4f}" for x in (row.fitted, row.shipped, row.as_played, row.even))) for row in losses],
            numbers=range(1, 5),
        ),
        f"```python\n{found.constants()}\n```",
        fenced(command, "sh"),
    )  # fmt: skip
    write_whole(folder / "report.md", "\n\n".join(page) + "\n")
