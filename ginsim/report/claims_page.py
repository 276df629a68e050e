"""The page of the claims: each with its verdict, and the figures that decide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ginsim.inference.estimates import Estimate, interval_text
from ginsim.report.markup import fenced, plain_text
from ginsim.report.page import markdown_table
from ginsim.study.claims import UNITS, Case, Decision

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ClaimStudy", "claim_text", "claims_page", "claims_table", "decision_text", "figure_text"]

PER_CENT = ("share", "gap")
"""Units that are shown times 100."""


@dataclass(frozen=True)
class ClaimStudy:
    """A claim as it was decided: the name of the study (its folder beside the page), and how many hands under which rules."""

    name: str
    decision: Decision
    rules: str
    hands: int
    seed: int


def figure_text(case: Case, figure: Estimate) -> str:
    """A figure of a case with its interval and unit; exact figures have none."""
    factor, decimals = (100, 1) if case.unit in PER_CENT else (1, 2)
    form = f"{'' if case.unit in ('share', 'turns') else '+'}.{decimals}f"
    value = f"{factor * figure.value:{form}}"
    unit = UNITS[case.unit]
    if figure.low == figure.high:
        return f"{value} {unit} (exact)"
    return f"{value} {unit} ({interval_text(factor * figure.low, factor * figure.high, form)})"


def _range_text(case: Case) -> str:
    factor = 100 if case.unit in PER_CENT else 1
    low, high = (None if bound is None else f"{factor * bound:g}" for bound in (case.at_least, case.at_most))
    return f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"


def claims_table(studies: Sequence[ClaimStudy]) -> pd.DataFrame:
    """One row for each case of each claim: what is claimed, under which condition, the figure, the range, both verdicts."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for study in studies:
        decision = study.decision
        for case, figure, verdict in zip(decision.claim.cases, decision.figures, decision.verdicts, strict=True):
            row: dict[str, Any] = {"study": study.name, "claim": decision.claim.text, "verdict": decision.verdict}
            row |= {"when": case.when}
            row |= {"figure": figure.value, "low": figure.low, "high": figure.high, "unit": case.unit}
            rows.append(row | {"at_least": case.at_least, "at_most": case.at_most, "case_verdict": verdict})
    return pd.DataFrame(rows)


def claims_page(studies: Sequence[ClaimStudy], command: str) -> str:
    """The page in Markdown: a table of all verdicts, then each claim with its cases and a link to its study."""
    head = markdown_table(
        ("claim", "verdict", "cases"),
        [
            (f"[{plain_text(s.decision.claim.text)}](#{quote(s.name)})", f"**{s.decision.verdict}**", _count(s.decision))
            for s in studies
        ],
    )
    parts = [
        "# What writers claim, and what the cards say",
        "Each claim is decided by a study of its own. A case is *true* if the whole 95 % interval of its figure lies in the "
        "range that the claim names, *false* if none of it does, and else *undecided*. A claim is *true* or *false* if all its "
        "cases are; it *depends* if some are true and some false. The cases are what the verdict holds for: these players and "
        "these rules. Of a hundred intervals, about five are expected to miss.",
        head,
        *(part for study in studies for part in _section(study)),
        "## How to get the same again",
        fenced(command, "sh"),
        "`claims.csv` has all figures. Each claim is one file in `experiments/claims/`: an experiment, and a table `[claim]` "
        "with the cases.",
    ]
    return "\n\n".join(parts) + "\n"


def _count(decision: Decision) -> str:
    """How many cases came out how."""
    found = decision.verdicts
    kinds = [(kind, found.count(kind)) for kind in ("true", "false", "undecided") if kind in found]
    return ", ".join(f"{count} {kind}" for kind, count in kinds)


def decision_text(decision: Decision) -> str:
    """What a claim means and the figures of its cases, in Markdown."""
    rows = [
        (plain_text(case.when), figure_text(case, figure), _range_text(case), verdict)
        for case, figure, verdict in zip(decision.claim.cases, decision.figures, decision.verdicts, strict=True)
    ]
    table = markdown_table(("when", "figure (95 % interval)", "true if", "verdict"), rows, (1,))
    return f"{plain_text(decision.claim.meaning)}\n\n{table}"


def claim_text(decision: Decision) -> str:
    """The verdict on a claim, for the report of its study."""
    return f"**The claim.** {plain_text(decision.claim.text)} **{decision.verdict.capitalize()}**.\n\n{decision_text(decision)}"


def _section(study: ClaimStudy) -> tuple[str, ...]:
    place = quote(study.name)
    return (
        f'<a id="{place}"></a>',
        f"## {plain_text(study.decision.claim.text.rstrip('.'))}: {study.decision.verdict}",
        decision_text(study.decision),
        f"[The study]({place}/report.md): {study.hands:,} hands, `{study.rules}`, seed {study.seed}.",
    )
