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
from ginsim.study.statistics import KINDS_OF_ENDINGS, LEAST_PAIRS, MOST_TURNS

if TYPE_CHECKING:
    from ginsim.study.statistics import Statistics

__all__ = ["fan_pictures", "knock_pictures", "statistics_page"]

MOST_MAPS = 6
"""Cells of which turns and knocks are drawn."""


def knock_pictures(found: Statistics) -> dict[str, int]:
    """Names of the maps of knocks, and of which cell they are: those with knocks enough, the first few."""
    some = [k for k in range(len(found.hands)) if _drawn(found, k)]
    return {f"knocks_{k}" if len(found.hands) > 1 else "knocks": k for k in some[:MOST_MAPS]}


def fan_pictures(found: Statistics) -> dict[str, int]:
    """Names of the pictures of deadwood by turn, and of which cell they are: those with turns enough, the first few."""
    some = [k for k in range(len(found.hands)) if len(found.enough(found.turns(k)))]
    return {f"deadwood_{k}" if len(found.hands) > 1 else "deadwood": k for k in some[:MOST_MAPS]}


def _drawn(found: Statistics, cell: int) -> bool:
    return bool((found.enough(found.knocks(cell))["deadwood"] > 0).any())


def statistics_page(found: Statistics, notes: Notes) -> str:
    """The report of statistics of hands."""
    labels = found.labels()
    maps, fans = knock_pictures(found), fan_pictures(found)
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
        "The starter is who acts first. Knocks here are those made, without gin; points laid off are per hand dealt.",
        markdown_table(("", *_MORE), [_more(found, k, f"`{label}`") for k, label in enumerate(labels)], range(1, 1 + len(_MORE))),
        "![How hands end, in per cent of all hands](endings.png)",
        "![Length of hands: share by the turns of both players](lengths.png)",
        f"Hands of {MOST_TURNS - 1} turns or more count as {MOST_TURNS - 1} in the picture and in `lengths.csv`.",
        *(
            (
                "## Turns",
                "Own turns: the share of hands that had such a turn; the deadwood that a tenth, half and nine tenths "
                "did not exceed at its end; how often a knock was legal, was gin, and how often the upcard was taken.",
                *(part for name, k in fans.items() for part in _turns_of(found, k, labels[k], name)),
                "![Share of the turns on which a knock is legal, and with gin](turns.png)",
            )
            if fans
            else ()
        ),
        *(
            (
                "## Knocks",
                "The chance (%) that a knock is undercut, by the knocker's own turn and its deadwood, ± half of the 95 % "
                "interval. Every turn counts on which such a knock was legal, whether the player knocked or not: what counts is "
                f"the opponent's hand at that moment. Combinations that came up in less than {LEAST_PAIRS} pairs are left out; "
                "`knocks.csv` has all, with the points that a knock brings.",
                *(part for name, k in maps.items() for part in _risk_of(found, k, labels[k], name)),
            )
            if maps
            else ()
        ),
        "## Discards",
        "How often the opponent takes a discard at once, by its rank (1 to 13), and by how it lies to the cards that the "
        "opponent has discarded before: *beside* one in suit, of the *rank* of one, *both*, or *neither*.",
        markdown_table(("", "discard", "discards", "taken"), _discard_rows(found, labels), (2, 3)),
        "## How it was played",
        f"Each strategy against {against} under each of the rules: {found.deals:,} duplicate pairs of hands, the same decks for "
        f"all, {seeds_text(found.seed)}; {found.hand_count:,} hands in all.",
        f"{PAIR} Intervals are Student's for means and Wilson's for shares: for lengths of hands each "
        "pair counts as one trial, as if its two plays always came out alike, so these are never too narrow; for endings, turns, "
        "knocks and discards the standard error over pairs is used. "
        f"{TWENTY}",
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


_MORE = ("hands the starter won", "knocks undercut", "laid off", "first upcard taken by starter", "by dealer")


def _more(found: Statistics, k: int, label: str) -> tuple[str, ...]:
    shares = [found.starter_share(k), found.undercut_share(k), *found.first_upcard(k)]
    starter, undercut, *upcard = (share_text(e.value, e.low, e.high) for e in shares)
    laid = found.laid_off(k)
    return label, starter, undercut, f"{laid.value:.3f} ({laid.low:.3f} to {laid.high:.3f})", *upcard


def _turns_of(found: Statistics, k: int, label: str, picture: str) -> tuple[str, ...]:
    table = found.turns_shown(k)
    rows: list[Any] = list(table.itertuples(index=False))
    some = markdown_table(tuple(table.columns), rows, range(len(table.columns)))
    return f"### {label}: turns", some, f"![Deadwood by own turn: {label}]({picture}.png)"


def _risk_of(found: Statistics, k: int, label: str, picture: str) -> tuple[str, ...]:
    table = found.risk_shown(k)
    rows: list[Any] = list(table.itertuples(index=False))
    head = ("turn", *(f"deadwood {name}" for name in table.columns[1:]))
    some = markdown_table(head, rows, range(len(head)))
    return f"### {label}: knocks", some, f"![Chance of an undercut by turn and deadwood: {label}]({picture}.png)"


def _discard_rows(found: Statistics, labels: list[str]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for k, label in list(enumerate(labels))[:MOST_MAPS]:
        table: list[Any] = list(found.discards(k).itertuples())
        rows += [(f"`{label}`", r.discard, f"{r.discards:,}", share_text(r.taken, r.low, r.high)) for r in table]
    return rows


def _rules(found: Statistics) -> str:
    base, *others = found.rules
    section = rules_section(base)
    if not others:
        return section
    rows = [(f"`{name}`", ", ".join(f"`{key}={value}`" for key, value in changes_of(base, name).items())) for name in others]
    return f"{section}\n\n## Variants\n\n{markdown_table(('variant', 'changes'), rows)}"
