"""What is shown of each kind of result: its tables, its pictures and its page. To show a new kind, add it to ``SHEETS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError
from ginsim.report import plots
from ginsim.report.calibration_page import calibration_page
from ginsim.report.grid_page import grid_page
from ginsim.report.page import Notes, changes_of, comparison_page, effect_page, map_page, tournament_page
from ginsim.report.sections import comparison_sections, coverage_page, error_rates_page, field_sections, odds_page
from ginsim.report.statistics_page import fan_pictures, knock_pictures, statistics_page
from ginsim.report.table_page import table_effect_page
from ginsim.specs import parse_spec
from ginsim.study.calibration import Calibration
from ginsim.study.compare import Comparison
from ginsim.study.coverage import Coverage
from ginsim.study.effect import Effect
from ginsim.study.errorrates import ErrorRates
from ginsim.study.gameodds import Odds
from ginsim.study.grid import Factorial, Gauntlet, Grid, Sweep
from ginsim.study.rulemap import RuleMap
from ginsim.study.statistics import Statistics
from ginsim.study.tablestudy import TableComparison, TableEffect, TableTournament
from ginsim.study.tournament import Tournament

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["SHEETS", "Sheet", "sheet_of"]


@dataclass(frozen=True)
class Sheet:
    """A result as it is shown; tables and pictures that are None are left out.

    ``function(*arguments, **settings)`` of ``ginsim`` plays the same again. ``facts`` is what the manifest says beyond that.
    """

    function: str
    arguments: Sequence[Any]
    settings: Mapping[str, Any]
    rules: str
    strategies: Sequence[str]
    tables: Callable[[], Mapping[str, pd.DataFrame | None]]
    pictures: Callable[[], Mapping[str, Axes | None]]
    page: Callable[[Notes], str]
    facts: Mapping[str, Any] = field(default_factory=dict)


def tournament_sheet(t: Tournament) -> Sheet:
    """A round robin."""

    def tables() -> Mapping[str, pd.DataFrame | None]:
        ranking = t.ranking()
        return {
            "ranking": ranking.reset_index(),
            "points_per_hand": _named(t.matrix("points_per_hand")),
            "hands_won": _named(t.matrix("hands_won")),
            "games_won": _named(t.matrix("games_won")) if "games_won" in ranking else None,
            "pairings": t.pairing_table(),
            "ratings": t.ratings().table() if t.enough else None,
            "nash": t.nash().table() if t.enough else None,
        }

    return Sheet(
        "tournament",
        [list(t.strategies)],
        _settings(next(iter(t.pairings.values()))),
        t.rules,
        t.strategies,
        tables,
        lambda: {
            "heatmap": plots.heatmap(t),
            "ranking": plots.ranking(t),
            "ratings": plots.ratings(t.ratings()) if t.enough else None,
            "nash": plots.nash(t.nash()) if t.enough else None,
        },
        lambda notes: tournament_page(t, notes, field_sections(t)),
    )


def _named(matrix: pd.DataFrame) -> pd.DataFrame:
    return matrix.rename_axis("strategy").reset_index()


def _settings(some: Comparison) -> dict[str, Any]:
    """What a pairing was played with, by the names of the parameters."""
    return {"rules": some.rules, "deals": some.deals, "seed": some.seed, "games": some.games_tally["pairs"]}


def comparison_sheet(c: Comparison) -> Sheet:
    """One strategy against another."""
    settings, course = _settings(c), c.sequential
    if c.luck_tally is not None:
        settings["control"] = True
    if course:
        settings |= {"deals": course.most, "until": course.test.model_dump()}
    return Sheet(
        "compare",
        [c.a, c.b],
        settings,
        c.rules,
        (c.a, c.b),
        lambda: {"summary": c.summary().reset_index(), "endings": c.endings(), "looks": course.table() if course else None},
        lambda: {"endings": plots.endings(c), "looks": plots.looks(c) if course else None},
        lambda notes: comparison_page(c, notes, comparison_sections(c)),
        {"deals": c.deals, "until": course.as_dict()} if course else {},
    )


def effect_sheet(e: Effect) -> Sheet:
    """The effects of rules."""
    several = len(e.strategies) > 1
    settings = {"deals": e.deals, "seed": e.seed, "games": e.games}
    return Sheet(
        "effect",
        [e.base, list(e.variants), list(e.strategies)],
        settings,
        e.base,
        e.strategies,
        lambda: {"effects": e.table(), "best": e.best() if several else None, "starter_share": _starter_shares(e)},
        lambda: {
            "differences": plots.differences(e),
            "games": plots.differences(e, plots.GAMES_SHOWN) if e.games else None,
            "best": plots.best_strategies(e) if several else None,
            "starter_share": plots.starter_share(e),
        },
        lambda notes: effect_page(e, notes),
        {"variants": [{"spec": variant, "changes": changes_of(e.base, variant)} for variant in e.variants]},
    )


def _starter_shares(e: Effect) -> pd.DataFrame:
    import pandas as pd

    estimates = [e.starter_share(rule) for rule in range(1 + len(e.variants))]
    rows = [(rules, x.value, x.low, x.high) for rules, x in zip((e.base, *e.variants), estimates, strict=True)]
    return pd.DataFrame(rows, columns=["rules", "share", "low", "high"])


def map_sheet(m: RuleMap) -> Sheet:
    """A map of best strategies."""
    axes = [[name, list(values)] for name, values in (m.x, m.y)]
    return Sheet(
        "rule_map",
        [*axes, list(m.strategies)],
        {"rules": m.base, "deals": m.deals, "seed": m.seed},
        m.base,
        m.strategies,
        lambda: {"map": m.table(), "summary": m.summary().rename(columns=str).rename_axis(columns=None).reset_index()},
        lambda: {"map": plots.rule_map(m)},
        lambda notes: map_page(m, notes),
        {axis: {"field": name, "values": values} for axis, (name, values) in zip("xy", axes, strict=True)},
    )


def grid_sheet(g: Grid) -> Sheet:
    """A gauntlet, a sweep or a factorial design."""
    settings = {"rules": g.rules, "deals": g.deals, "seed": g.seed, "games": g.games}
    axes = {name: [_value(value) for value in values] for name, values in g.axes}
    first: list[Any] = [list(g.players)] if isinstance(g, Gauntlet) else [g.base, axes]
    players = list(dict.fromkeys(g.players))

    def tables() -> Mapping[str, pd.DataFrame | None]:
        several = len(g.opponents) > 1
        found: dict[str, pd.DataFrame | None] = {"cells": g.table(), "opponents": g.opponent_table() if several else None}
        return found | ({"effects": g.effects(), "shares": g.shares()} if isinstance(g, Factorial) else {})

    def pictures() -> Mapping[str, Axes | None]:
        if isinstance(g, Factorial):
            return {"effects": plots.factorial_effects(g), "cells": plots.cells(g)}
        if isinstance(g, Sweep):
            return {"curve": plots.sweep_curve(g)} if len(g.axes) == 1 else {"heatmap": plots.sweep_map(g)}
        return {"cells": plots.cells(g)}

    return Sheet(
        type(g).__name__.lower(),
        [*first, list(g.opponents)],
        settings,
        g.rules,
        [*players, *(name for name in g.opponents if name not in players)],
        tables,
        pictures,
        lambda notes: grid_page(g, notes),
        {
            "base": g.base,
            "axes": [{"name": name, "values": list(values)} for name, values in g.axes],
            "cells": [{"strategy": player, "rules": rules} for player, rules in zip(g.players, g.cell_rules, strict=True)],
            "opponents": list(g.opponents),
        },
    )


def _value(text: str) -> Any:
    """A value of an axis as it is given in Python: several parameters at once in brackets."""
    try:
        return parse_spec(f"value(is={text})").args["is"]
    except InputError:
        return f"({text})"


def odds_sheet(o: Odds) -> Sheet:
    """The odds of a game by score."""
    return Sheet(
        "odds",
        [o.a, o.b],
        {"rules": o.rules, "deals": o.deals, "seed": o.seed, "games": o.games_tally["pairs"]},
        o.rules,
        (o.a, o.b),
        lambda: {"odds": o.table(1), "summary": o.table()},
        lambda: {"odds": plots.score_map(o)},
        lambda notes: odds_page(o, notes),
    )


def calibration_sheet(c: Calibration) -> Sheet:
    """How well the opponent's cards are told."""
    return Sheet(
        "calibrate",
        [c.watcher, list(c.opponents)],
        {"rules": c.rules, "deals": c.deals, "seed": c.seed},
        c.rules,
        (c.watcher, *c.opponents),
        lambda: {"calibration": c.table(), "scores": c.scores()},
        lambda: {"calibration": plots.calibration(c)},
        lambda notes: calibration_page(c, notes),
        {"kept_dear": c.kept_dear, "reads": c.reads},
    )


def coverage_sheet(c: Coverage) -> Sheet:
    """How often intervals contain the true value."""
    shares = list(c.shares)
    return Sheet(
        "coverage",
        [c.a, c.b],
        {"rules": c.rules, "deals": c.deals, "seed": c.seed, "samples": c.samples, "shares": shares},
        c.rules,
        (c.a, c.b),
        lambda: {"coverage": c.table()},
        lambda: {"coverage": plots.coverage(c)},
        lambda notes: coverage_page(c, notes),
        {"samples": c.samples, "true_shares": shares, "games": 0},
    )


def error_rates_sheet(r: ErrorRates) -> Sheet:
    """How often tests are wrong."""
    of = {"comparisons": r.comparisons, "differences": list(r.differences), "control": r.control}
    settings = {"rules": r.rules, "deals": r.deals, "seed": r.seed}
    return Sheet(
        "error_rates",
        [r.a, r.b],
        settings | of | {"shares": list(r.shares), "until": r.test.model_dump()},
        r.rules,
        (r.a, r.b),
        lambda: {"error_rates": r.table()},
        lambda: {"error_rates": plots.error_rates(r)},
        lambda notes: error_rates_page(r, notes),
        of | {"differing": list(r.shares), "test": r.test.model_dump(), "games": 0},
    )


def table_effect_sheet(e: TableEffect) -> Sheet:
    """The effects of rules in the table game."""
    return Sheet(
        "effect",
        [e.base, list(e.variants), list(e.strategies)],
        {"deals": e.deals, "seed": e.seed},
        e.base,
        e.strategies,
        lambda: {"effects": e.table(), "summary": e.summary().rename_axis("rules").reset_index()},
        lambda: {
            "differences": plots.differences(e, plots.TABLE_SHOWN),  # type: ignore[arg-type]
            "endings": plots.table_endings(e),
            "seats": plots.table_seats(e),
        },
        lambda notes: table_effect_page(e, notes),
        {"variants": [{"spec": variant, "changes": changes_of(e.base, variant)} for variant in e.variants]},
    )


def statistics_sheet(s: Statistics) -> Sheet:
    """What hands are like."""
    import pandas as pd

    def stacked(frames: Sequence[pd.DataFrame]) -> pd.DataFrame:
        cells = zip(s.cells, frames, strict=True)
        return pd.concat([frame.assign(strategy=player, rules=rules) for (player, rules), frame in cells], ignore_index=True)

    n = range(len(s.hands))
    return Sheet(
        "statistics",
        [list(s.strategies), list(s.rules)],
        {"deals": s.deals, "seed": s.seed} | ({"opponent": s.opponent} if s.opponent else {}),
        s.rules[0],
        s.strategies,
        lambda: {
            "summary": s.summary(),
            "lengths": stacked([s.lengths(k) for k in n]),
            "turns": stacked([s.turns(k) for k in n]),
            "discards": stacked([s.discards(k) for k in n]),
            "knocks": stacked([s.knocks(k) for k in n]),
        },
        lambda: {
            "endings": plots.endings_mix(s),
            "lengths": plots.hand_lengths(s),
            "turns": plots.turn_chances(s) if fan_pictures(s) else None,
            **{name: plots.deadwood_fan(s, k) for name, k in fan_pictures(s).items()},
            **{name: plots.knock_map(s, k) for name, k in knock_pictures(s).items()},
        },
        lambda notes: statistics_page(s, notes),
        {"every_rules": list(s.rules), "opponent": s.opponent},
    )


SHEETS: dict[type, Callable[[Any], Sheet]] = {
    Tournament: tournament_sheet,
    Comparison: comparison_sheet,
    Effect: effect_sheet,
    RuleMap: map_sheet,
    Statistics: statistics_sheet,
    Odds: odds_sheet,
    Calibration: calibration_sheet,
    ErrorRates: error_rates_sheet,
    Coverage: coverage_sheet,
    Gauntlet: grid_sheet,
    Sweep: grid_sheet,
    Factorial: grid_sheet,
    TableComparison: comparison_sheet,
    TableTournament: tournament_sheet,
    TableEffect: table_effect_sheet,
}


def sheet_of(result: Any) -> Sheet:
    """The sheet of a result."""
    return SHEETS[type(result)](result)
