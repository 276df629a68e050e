"""The page of the claims: each with its verdict, and the figures that decide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ginsim.inference.estimates import Estimate, interval_text
from ginsim.report.markup import fenced, plain_text
from ginsim.report.template import filled
from ginsim.report.texts import Texts, markdown_table
from ginsim.study.claims import Case, Decision
from ginsim.study.measures import CLAIMED, COMPARED, CRITERIA

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ClaimStudy", "claim_text", "claims_page", "claims_table", "decision_text", "figure_text", "verdicts"]


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
    measure = CLAIMED[case.unit]
    of = " of the games won" if case.by == "games_won" else ""
    value = f"{measure.number_text(figure.value)} {measure.unit}{of}"
    if figure.low == figure.high:
        return f"{value} (exact)"
    return f"{value} ({interval_text(measure.factor * figure.low, measure.factor * figure.high, measure.form)})"


def _beside_text(name: str, figure: Estimate | None) -> str:
    """The difference by another criterion, in the unit that the head of its column names; empty if it was not asked for."""
    if figure is None:
        return ""
    measure = CLAIMED["gap"] if COMPARED[name].is_share else COMPARED[name]
    bounds = interval_text(measure.factor * figure.low, measure.factor * figure.high, measure.form)
    return f"{measure.number_text(figure.value)} ({bounds})"


def _columns(decision: Decision) -> list[str]:
    """The criteria beside those that the cases are judged by."""
    return [name for name in CRITERIA if any(name in beside for beside in decision.beside)]


def _otherwise_text(decision: Decision) -> str:
    """Which cases come out the other way by another criterion, in Markdown; empty if none does."""
    return "".join(
        f"\n\nThe measures disagree. By {COMPARED[name].label} the verdict is the opposite: {plain_text('; '.join(conditions))}."
        for name, conditions in decision.otherwise.items()
    )


def _range_text(case: Case) -> str:
    factor = CLAIMED[case.unit].factor
    low, high = (None if bound is None else f"{factor * bound:g}" for bound in (case.at_least, case.at_most))
    return f"{low} to {high}" if low and high else f"{low} or more" if low else f"{high} or less"


def claims_table(studies: Sequence[ClaimStudy]) -> pd.DataFrame:
    """One row for each case of each claim: what is claimed, under which condition, the figure, the range, both verdicts."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    for study in studies:
        decision = study.decision
        for case, figure, verdict, beside in decision.rows():
            row: dict[str, Any] = {"study": study.name, "claim": decision.claim.text, "verdict": decision.verdict}
            row |= {"when": case.when, "who": case.who}
            row |= {"figure": figure.value, "low": figure.low, "high": figure.high, "unit": case.unit}
            row |= {"by": case.by, "at_least": case.at_least, "at_most": case.at_most, "case_verdict": verdict}
            for name, other in beside.items():
                row |= {name: other.value, f"{name}_low": other.low, f"{name}_high": other.high}
            rows.append(row)
    return pd.DataFrame(rows)


def claims_page(studies: Sequence[ClaimStudy], command: str) -> str:
    """The page in Markdown: a table of all verdicts, then each claim with its cases and a link to its study."""
    rows = [
        (f"[{plain_text(s.decision.claim.text)}](#{quote(s.name)})", _verdict_text(s.decision), _count(s.decision))
        for s in studies
    ]
    sections = (
        filled(
            "claim",
            place=quote(s.name),
            text=plain_text(s.decision.claim.text.rstrip(".")),
            verdict=s.decision.verdict,
            decision=decision_text(s.decision),
            hands=f"{s.hands:,}",
            rules=s.rules,
            seed=s.seed,
        )
        for s in studies
    )
    table = markdown_table(("claim", "verdict", "cases"), rows)
    return filled("claims", claims=table, sections="\n\n".join(sections), command=fenced(command, "sh")) + "\n"


def verdicts(studies: Sequence[ClaimStudy]) -> Texts:
    """The claims with their verdicts, for a terminal."""
    return Texts(("claim", "verdict"), [(s.decision.claim.text, s.decision.verdict) for s in studies])


def _verdict_text(decision: Decision) -> str:
    return f"**{decision.verdict}**{', on who plays' if decision.by_players else ''}"


def _count(decision: Decision) -> str:
    """How many cases came out how."""
    found = decision.verdicts
    kinds = [(kind, found.count(kind)) for kind in ("true", "false", "undecided") if kind in found]
    return ", ".join(f"{count} {kind}" for kind, count in kinds)


def decision_text(decision: Decision) -> str:
    """What a claim means and the figures of its cases, in Markdown."""
    beside = _columns(decision)
    players = any(case.who for case in decision.claim.cases)
    rows = [
        (
            plain_text(case.when),
            *([plain_text(case.who)] if players else []),
            *(figure_text(case, figure), _range_text(case), verdict),
            *(_beside_text(name, others.get(name)) for name in beside),
        )
        for case, figure, verdict, others in decision.rows()
    ]
    head = ("when", *(["who plays"] if players else []), "figure (95 % interval)", "true if", "verdict", *map(_head, beside))
    table = markdown_table(head, rows, (1 + players, *range(4 + players, len(head))))
    return f"{plain_text(decision.claim.meaning)}{_players_text(decision)}\n\n{table}{_otherwise_text(decision)}"


def _players_text(decision: Decision) -> str:
    """For which players a condition makes the claim true and for which false, in Markdown; empty if that is the same for all."""
    found = decision.by_players.items()
    items = (
        f"- {plain_text(when)}: "
        + "; ".join(f"*{verdict}* {plain_text(' and '.join(players))}" for verdict, players in verdicts.items())
        for when, verdicts in found
    )
    return "\n\n**It depends on who plays.**\n\n" + "\n".join(items) if found else ""


def _head(name: str) -> str:
    """The head of a column of another criterion, with its unit."""
    return f"{COMPARED[name].label} (percentage points)" if COMPARED[name].is_share else COMPARED[name].label


def claim_text(decision: Decision) -> str:
    """The verdict on a claim, for the report of its study."""
    return f"**The claim.** {plain_text(decision.claim.text)} **{decision.verdict.capitalize()}**.\n\n{decision_text(decision)}"
