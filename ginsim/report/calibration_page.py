"""The report of how well the chances of cards agree with what was held."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginsim.games.gin.sightings import DEAR
from ginsim.inference.estimates import interval_text
from ginsim.report.page import Notes, markdown_table, rules_section, seeds_text, share_text, whole_page
from ginsim.study.calibration import CLIP

if TYPE_CHECKING:
    from ginsim.study.calibration import Calibration

__all__ = ["calibration_page"]


def calibration_page(result: Calibration, notes: Notes) -> str:
    """The report of a calibration."""
    return whole_page(
        notes.title or f"How well {result.watcher} can tell the opponent's cards",
        notes.question,
        f"**Answer.** {result.verdict()}",
        "![Share of cards held against the chance predicted](calibration.png)",
        *(part for opponent in result.opponents for part in _sections(result, opponent)),
        "## How it was measured",
        f"Under `{result.rules}`, {seeds_text(result.seed)}: {result.deals:,} duplicate pairs of hands against each opponent; "
        f"{result.hand_count:,} hands in all. Whenever `{result.watcher}` is to discard, each card that it sees nowhere gets a "
        "chance to be with the opponent, from what they took, passed and discarded "
        f"(kept_dear {result.kept_dear:g}, reads {result.reads:g}), and is looked up in their hand.",
        "The log loss is in nats, with chances nearer to 0 or 1 than "
        f"{CLIP:g} moved there; the Brier score is the mean squared difference between the chance and 1 (held) or 0. Of both, "
        f"less is better. *Dear less*: a card dearer than the opponent's last discard is {DEAR:g} as likely as another. *Even*: "
        "all unseen cards are equally likely. Intervals (95 %) are by deal, for the cards of a deal hang together.",
        strategies=(result.watcher, *result.opponents),
        rules=rules_section(result.rules),
        notes=notes,
    )


def _sections(result: Calibration, opponent: str) -> tuple[str, ...]:
    table, scores = result.table(), result.scores()
    bins: list[Any] = list(table[table["opponent"] == opponent].itertuples())
    turns: list[Any] = list(scores[scores["opponent"] == opponent].itertuples())
    rows = [
        (f"{100 * r.chance_from:.0f} to {100 * r.chance_to:.0f} %", f"{r.cards:,}", f"{100 * r.predicted:.1f} %",
         share_text(r.held, r.held_low, r.held_high)) for r in bins
    ]  # fmt: skip
    scored = [
        (r.group, f"{r.cards:,}", f"{r.log:.4f}", _gain(r.log_gain_dear, r.log_gain_dear_low, r.log_gain_dear_high),
         _gain(r.log_gain_even, r.log_gain_even_low, r.log_gain_even_high), f"{r.brier:.4f}",
         _gain(r.brier_gain_dear, r.brier_gain_dear_low, r.brier_gain_dear_high),
         _gain(r.brier_gain_even, r.brier_gain_even_low, r.brier_gain_even_high)) for r in turns
    ]  # fmt: skip
    heads = ("turns", "cards", "log loss", "gain on dear less", "gain on even", "Brier", "gain on dear less", "gain on even")
    return (
        f"## Against {opponent}",
        "Unseen cards by the chance that they were given, and how many of them were held.",
        markdown_table(("chance", "cards", "predicted", "held"), rows, numbers=range(4)),
        "What the chances say, by the watcher's turn: mean scores, and by how much those of the simpler models are worse.",
        markdown_table(heads, scored, numbers=range(1, len(heads))),
    )


def _gain(value: float, low: float, high: float) -> str:
    return f"{value:+.4f} ({interval_text(low, high, '+.4f')})"
