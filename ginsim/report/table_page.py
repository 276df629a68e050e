"""The report of what rules change in the table game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ginsim.inference.estimates import Estimate
from ginsim.report.page import (
    TWENTY,
    Notes,
    change_text,
    changes_of,
    markdown_table,
    rules_section,
    seeds_text,
    whole_page,
)
from ginsim.report.plots import CHANGES, TABLE_SHOWN, variant_labels

if TYPE_CHECKING:
    from ginsim.study.tablestudy import TableEffect

__all__ = ["table_effect_page", "value_text"]

ENDINGS = ("discard", "meld", "claim", "blocked", "lowest")
COUNTS = ("claims", "pile_draws", "multi_draws", "extra_cards", "new_melds", "laid_off", "reshuffles")


def table_effect_page(effect: TableEffect, notes: Notes) -> str:
    """The report of an effect."""
    several = len(effect.strategies) > 1
    tables = "the mean over the strategies, each playing all seats" if several else "the strategy plays all seats"
    return whole_page(
        notes.title or f"What rules change against {effect.base}",
        notes.question,
        f"**Answer.** {effect.verdict()}",
        "## What each variant changes",
        f"The first row is `{effect.base}` itself, below it differences from it, with 95 % intervals; {tables}. Points are those "
        "of the winner of a hand; a turn is one player's draw and discard.",
        markdown_table(*_changes(effect, TABLE_SHOWN)),
        "![Differences with 95 % intervals](differences.png)",
        "## How hands end",
        "Shares of all hands in per cent. A blocked hand has no winner, unless a rule gives it to the lowest deadwood.",
        markdown_table(*_values(effect, ENDINGS)),
        "![Endings in per cent of all hands](endings.png)",
        "## What happens in a hand",
        "Means per hand. Cards beyond one: those taken from the pile besides the first of a draw.",
        markdown_table(*_values(effect, COUNTS)),
        "## Hands won by seat",
        "Per cent of all hands dealt, seats counted from the player who starts; the dealer sits last.",
        markdown_table(*_seats(effect)),
        "![Hands won by seat](seats.png)",
        *(_by_strategy(effect) if several else ()),
        "## How it was played",
        f"{effect.deals:,} deals under each of the {1 + len(effect.variants)} rules for each strategy, "
        f"{seeds_text(effect.seed)}; {effect.hand_count:,} hands in all. `effects.csv` has all figures by strategy.",
        "A deal is one trial. All rules start from the same shuffled decks, each strategy has its own deals, and the intervals "
        f"of differences are Student's, of differences deal by deal. {TWENTY}",
        _variants(effect),
        strategies=effect.strategies,
        rules=rules_section(effect.base),
        notes=notes,
        table=True,
    )


def value_text(effect: TableEffect, rule: int, measure: str, strategy: int | None = None) -> str:
    """A figure under a rule with the half-width of its interval; shares in per cent."""
    return _text(effect.value(rule, measure, strategy), measure)


def _text(e: Estimate, measure: str) -> str:
    scale = CHANGES[measure].scale
    return f"{scale * e.value:.2f} ± {scale * (e.high - e.low) / 2:.2f}"


def _names(effect: TableEffect) -> list[str]:
    return [effect.base, *variant_labels(effect.base, effect.variants)]


def _heads(measures: Iterable[str]) -> tuple[str, ...]:
    return ("rules", *(f"{CHANGES[name].label}{' (%)' if CHANGES[name].sign else ''}" for name in measures))


def _changes(effect: TableEffect, measures: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]], range]:
    heads = ("rules", *(f"{CHANGES[name].label}{' (pp)' if CHANGES[name].sign else ''}" for name in measures))
    rows = [(f"`{effect.base}`", *(value_text(effect, 0, name) for name in measures))]
    for rule, name in enumerate(_names(effect)[1:], 1):
        rows.append((f"`{name}`", *(change_text(effect, rule, measure) for measure in measures)))  # type: ignore[arg-type]
    return heads, rows, range(1, len(heads))


def _values(effect: TableEffect, measures: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]], range]:
    names = _names(effect)
    rows = [(f"`{name}`", *(value_text(effect, rule, m) for m in measures)) for rule, name in enumerate(names)]
    return _heads(measures), rows, range(1, 1 + len(measures))


def _seats(effect: TableEffect) -> tuple[tuple[str, ...], list[tuple[str, ...]], range]:
    most = max(effect.players(rule) for rule in range(1 + len(effect.variants)))
    rows = []
    for rule, name in enumerate(_names(effect)):
        own = effect.players(rule)
        rows.append((f"`{name}`", *(value_text(effect, rule, f"seat_{s}") if s < own else "" for s in range(most))))
    heads = ("rules", "starts", *(f"seat {seat}" for seat in range(1, most)))
    return heads, rows, range(1, 1 + most)


def _by_strategy(effect: TableEffect) -> Iterable[str]:
    yield "## By strategy"
    yield "Figures under each rule where one strategy plays all seats, with 95 % intervals; shares in per cent."
    for number, strategy in enumerate(effect.strategies):
        rows = [
            (f"`{name}`", *(value_text(effect, rule, measure, number) for measure in TABLE_SHOWN))
            for rule, name in enumerate(_names(effect))
        ]
        yield f"### `{strategy}`"
        yield markdown_table(_heads(TABLE_SHOWN), rows, range(1, 1 + len(TABLE_SHOWN)))


def _variants(effect: TableEffect) -> str:
    rows = [
        (f"`{name}`", ", ".join(f"`{key}={value}`" for key, value in changes_of(effect.base, name).items()))
        for name in effect.variants
    ]
    return f"## Variants\n\nWhat they change in `{effect.base}`.\n\n{markdown_table(('variant', 'changes'), rows)}"
