"""The reports of gauntlets, sweeps and factorial designs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ginsim.inference.estimates import Estimate, interval_text
from ginsim.report.page import (
    PAIR,
    TWENTY,
    Notes,
    changes_of,
    markdown_table,
    points_text,
    rules_section,
    seeds_text,
    share_text,
    whole_page,
)
from ginsim.study.grid import Factorial, Gauntlet

if TYPE_CHECKING:
    from ginsim.study.grid import Grid

__all__ = ["grid_page"]

_FORMS = {"points_per_hand": points_text, "hands_won": share_text, "games_won": share_text, "margin_per_game": points_text}
_METHOD = f"""\
{PAIR} All play the same decks against an opponent, so luck that they have in common drops out of what one is behind another:
the intervals of such differences, and of effects, are Student's, of sums formed pair by pair. {TWENTY}"""
_EFFECTS = """\
A main effect is what the combinations with a level score on average beyond the mean of all combinations; an interaction is what
two levels together bring beyond their main effects. Points per hand, with 95 % intervals; a dash: not clear, at the 5 % level,
after Holm's correction for all the effects shown."""


def grid_page(grid: Grid, notes: Notes) -> str:
    """The report of a grid of players against common opponents."""
    names = ", ".join(name for name, _ in grid.axes)
    several = len(grid.opponents) > 1
    players = list(dict.fromkeys(grid.players))
    rules = list(dict.fromkeys(grid.cell_rules))
    return whole_page(
        notes.title or _title(grid),
        notes.question,
        f"**Answer.** {grid.verdict()}",
        *_pictures(grid),
        *(_factorial_sections(grid) if isinstance(grid, Factorial) else ()),
        "## From best to worst",
        f"Means over the opponents, with 95 % intervals; the last column is what each is behind the best on the same decks. "
        f"`{names}` is what they differ in.",
        markdown_table(*_ranking(grid)),
        *(("## By opponent", markdown_table(*_by_opponent(grid))) if several else ()),
        "## How it was played",
        f"Each of the {len(grid.players)} players met {_listed(grid.opponents)} in {grid.deals:,} duplicate pairs of hands"
        f"{f' and {grid.games:,} duplicate pairs of games' if grid.games else ''}{' for each opponent' if several else ''}, "
        f"{seeds_text(grid.seed)}; {grid.hand_count:,} hands in all.",
        grid.remark,
        _METHOD,
        strategies=[*players, *(name for name in grid.opponents if name not in players)],
        rules=_rules(grid, rules),
        notes=notes,
    )


def _title(grid: Grid) -> str:
    *others, last = (name for name, _ in grid.axes)
    names = f"{', '.join(others)} and {last}" if others else last
    if isinstance(grid, Gauntlet):
        return f"{len(grid.players)} challengers against {len(grid.opponents)} opponents"
    return f"What {names} are worth together" if isinstance(grid, Factorial) else f"{grid.base} over {names}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _pictures(grid: Grid) -> Iterable[str]:
    if isinstance(grid, Factorial):
        return (
            "![Main effects of each factor in points per hand, with 95 % intervals](effects.png)",
            "![Points per hand of each combination, with 95 % intervals](cells.png)",
        )
    if isinstance(grid, Gauntlet):
        return ("![Points per hand of each challenger, with 95 % intervals](cells.png)",)
    if len(grid.axes) == 1:
        return (f"![Points per hand over {grid.axes[0][0]}, with the band of the 95 % intervals](curve.png)",)
    return (f"![Heat map of points per hand over {grid.axes[0][0]} and {grid.axes[1][0]}](heatmap.png)",)


def _ranking(grid: Grid) -> tuple[tuple[str, ...], list[tuple[str, ...]], range]:
    """Head and rows of the table of cells, and which columns hold numbers."""
    labels, order = grid.labels(), grid.order()
    head = (_cell_name(grid), *(measure.replace("_", " ") for measure in grid.measures), "behind the best")
    rows = []
    for k in order:
        figures = [_text(measure, grid.estimate(k, measure)) for measure in grid.measures]
        rows.append((f"`{labels[k]}`", *figures, "" if k == order[0] else _behind(grid.difference(order[0], k))))
    return head, rows, range(1, len(head))


def _by_opponent(grid: Grid) -> tuple[tuple[str, ...], list[tuple[str, ...]], range]:
    """Points per hand of every cell against every opponent."""
    labels = grid.labels()
    rows = [
        (f"`{labels[k]}`", *(_text("points_per_hand", grid.cells[k, j].points_per_hand) for j in range(len(grid.opponents))))
        for k in grid.order()
    ]
    head = (_cell_name(grid), *(f"`{name}`" for name in grid.opponents))
    return head, rows, range(1, len(head))


def _cell_name(grid: Grid) -> str:
    return "challenger" if isinstance(grid, Gauntlet) else "setting" if len(grid.axes) == 1 else "combination"


def _text(measure: str, e: Estimate) -> str:
    return _FORMS[measure](e.value, e.low, e.high)


def _behind(e: Estimate) -> str:
    return f"{e.value:.3f} ({interval_text(e.low, e.high, '+.3f')})"


def _factorial_sections(grid: Factorial) -> Iterable[str]:
    table: list[Any] = list(grid.effects().itertuples())
    shares: list[Any] = list(grid.shares().itertuples())
    pairs = [row for row in table if row.order == 2]
    return (
        "## What each decision is worth",
        _EFFECTS,
        markdown_table(("factor", "level", "effect"), [_effect_row(row) for row in table if row.order == 1], (2,)),
        "## What they are worth together",
        markdown_table(("factors", "levels", "interaction"), [_effect_row(row) for row in pairs], (2,)),
        f"Of the spread between the {len(grid.players)} combinations, "
        + ", ".join(f"{row.term} explains {100 * row.share:.1f} %" for row in sorted(shares, key=lambda row: -row.share))
        + ".",
    )


def _effect_row(row: Any) -> tuple[str, str, str]:
    interval = interval_text(row.low, row.high, "+.3f")
    return row.term, f"`{row.level}`", f"{row.effect:+.3f} ({interval}){'' if row.clear else ' –'}"


def _rules(grid: Grid, rules: list[str]) -> str:
    """The base rules in full, and what the cells change in them."""
    names = [name.removeprefix("rules.") for name, _ in grid.axes if name.startswith("rules.")]
    section = rules_section(grid.rules, f"but for {' and '.join(f'`{name}`' for name in names)}" if names else "")
    others = [name for name in rules if name != grid.rules]
    if names or not others:
        return section
    changed = [
        (f"`{name}`", ", ".join(f"`{key}={value}`" for key, value in changes_of(grid.rules, name).items())) for name in others
    ]
    return f"{section}\n\n## Variants\n\n{markdown_table(('rules', 'changes'), changed)}"
