"""The report of what hands are like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginsim.report.page import (
    PAIR,
    TWENTY,
    Notes,
    changes_of,
    markdown_table,
    rules_section,
    seeds_text,
    share_text,
    whole_page,
)
from ginsim.report.plots.statistics import LEAST_KNOCKS
from ginsim.study.statistics import KINDS_OF_ENDINGS

if TYPE_CHECKING:
    from ginsim.study.statistics import Statistics

__all__ = ["knock_pictures", "statistics_page"]

MOST_MAPS = 6
"""Cells of which a map of knocks is drawn."""


def knock_pictures(found: Statistics) -> dict[str, int]:
    """Names of the maps of knocks, and of which cell they are: those with knocks enough, the first few."""
    some = [k for k in range(len(found.hands)) if _drawn(found, k)]
    return {f"knocks_{k}" if len(found.hands) > 1 else "knocks": k for k in some[:MOST_MAPS]}


def _drawn(found: Statistics, cell: int) -> bool:
    table = found.knocks(cell)
    return bool(((table["knocks"] >= LEAST_KNOCKS) & (table["deadwood"] > 0)).any())


def statistics_page(found: Statistics, notes: Notes) -> str:
    """The report of statistics of hands."""
    labels = found.labels()
    maps = knock_pictures(found)
    strategies = [*found.strategies, *([found.opponent] if found.opponent else [])]
    against = f"`{found.opponent}`" if found.opponent else "itself"
    return whole_page(
        notes.title or "What hands are like",
        notes.question,
        f"**Answer.** {found.verdict()}",
        "## Hands",
        "Turns of both players and points to the winner per hand dealt; shares of all hands, with 95 % intervals.",
        markdown_table(
            ("", "turns", "nine in ten", "points", *KINDS_OF_ENDINGS),
            [_row(found, k, f"`{label}`") for k, label in enumerate(labels)],
            range(1, 4 + len(KINDS_OF_ENDINGS)),
        ),
        "![How hands end, in per cent of all hands](endings.png)",
        "![Length of hands: share by the turns of both players](lengths.png)",
        *(
            (
                "## Knocks",
                "The chance that a knock is undercut, by the knocker's own turn and its deadwood; combinations that came up in "
                f"less than {LEAST_KNOCKS} knocks are left out. `knocks.csv` has all with their intervals.",
                *(f"![Share of knocks undercut by turn and deadwood: {labels[k]}]({name}.png)" for name, k in maps.items()),
            )
            if maps
            else ()
        ),
        "## How it was played",
        f"Each strategy against {against} under each of the rules: {found.deals:,} duplicate pairs of hands, the same decks for "
        f"all, {seeds_text(found.seed)}; {found.hand_count:,} hands in all.",
        f"{PAIR} Intervals are Student's for turns and Wilson's for shares, with one trial for each pair (of knocks: for every "
        f"two), as if its plays always went alike: they are never too narrow. {TWENTY}",
        strategies=strategies,
        rules=_rules(found),
        notes=notes,
    )


def _row(found: Statistics, k: int, label: str) -> tuple[Any, ...]:
    turns = found.hands[k].turns_per_hand
    shares = [found.share(k, *endings) for endings in KINDS_OF_ENDINGS.values()]
    span = f"{found.quantile(k, 'turns', 0.05)} to {found.quantile(k, 'turns', 0.95)}"
    mean = f"{turns.value:.2f} ({turns.low:.2f} to {turns.high:.2f})"
    return label, mean, span, f"{found.points_scored(k):.2f}", *(share_text(e.value, e.low, e.high) for e in shares)


def _rules(found: Statistics) -> str:
    base, *others = found.rules
    section = rules_section(base)
    if not others:
        return section
    rows = [(f"`{name}`", ", ".join(f"`{key}={value}`" for key, value in changes_of(base, name).items())) for name in others]
    return f"{section}\n\n## Variants\n\n{markdown_table(('variant', 'changes'), rows)}"
