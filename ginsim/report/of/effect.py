"""What rules change, in any game."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.answers import joined
from ginsim.report import plots
from ginsim.report.figures import row_text
from ginsim.report.games import played_as
from ginsim.report.of.comparison import given_by
from ginsim.report.page import code_list, counts_text, each_pairing, rules_section, told, variants_section
from ginsim.report.plots import GAMES_SHOWN, variant_labels
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled, sentence
from ginsim.report.texts import Texts
from ginsim.study.effect import Effect
from ginsim.study.measures import COMPARED
from ginsim.study.whoplays import gaps

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


__all__ = ["sheet"]

OF = Effect
"""What is shown here."""

MOST_APART = 3
"""Variants that are shown of each measure whose changes depend on who plays."""
STARTER = COMPARED["starter_share"]


def sheet(e: Effect) -> Sheet:
    """The effects of rules."""
    best = [_best(e)] if _several(e) else []
    return Sheet(
        "effect",
        [e.base, list(e.variants), list(e.strategies)],
        {"deals": e.deals, "seed": e.seed, "games": e.games} | given_by(e) | ({"about": e.about} if e.about else {}),
        e.base,
        e.strategies,
        f"What {len(e.variants)} variants change against {e.base}",
        lambda: _body(e),
        lambda: _tables(e),
        _pictures(e),
        lambda: [_changes(e, e.foremost), *best],
        rules_text=f"{rules_section(e.base)}\n\n{variants_section(e.base, e.variants)}",
    )


def _several(e: Effect) -> bool:
    """Whether it tells which strategy is best."""
    return len(e.strategies) > 1 and not e.game.alone


def _names(e: Effect) -> list[str]:
    return [e.base, *variant_labels(e.base, e.variants)]


def _tables(e: Effect) -> dict[str, pd.DataFrame | None]:
    return {
        "effects": e.table(),
        "by_strategy": e.by_strategy() if len(e.strategies) > 1 or e.game.alone else None,
        "best": e.best() if _several(e) else None,
        "starter_share": _starter_frame(e) if "starter" in e.measures else None,
    }


def _pictures(e: Effect) -> dict[str, Callable[..., Axes]]:
    parts = e.game.parts
    drawn: dict[str, tuple[Callable[..., Axes], object]] = {
        "differences": (plots.differences, True),
        "games": (partial(plots.differences, measures=GAMES_SHOWN), e.games),
        "best": (plots.best_strategies, _several(e)),
        "who_plays": (plots.who_plays, _several(e)),
        "starter_share": (plots.starter_share, "starter" in e.measures),
        "endings": (plots.table_endings, "endings" in parts),
        "seats": (plots.table_seats, "seats" in parts),
    }
    return {name: partial(draw, e) for name, (draw, there) in drawn.items() if there}


def _starter_frame(e: Effect) -> pd.DataFrame:
    import pandas as pd

    estimates = [e.starter_share(rule) for rule in range(1 + len(e.variants))]
    rows = [(rules, x.value, x.low, x.high) for rules, x in zip((e.base, *e.variants), estimates, strict=True)]
    return pd.DataFrame(rows, columns=["rules", "share", "low", "high"])


def _changes(e: Effect, measures: Sequence[str]) -> Texts:
    """The base's figures, and what each variant changes in them, sorted by the first."""
    effects, names = e.game.effects, _names(e)
    order = sorted(range(1, len(names)), key=lambda rule: -e.difference(rule, measures[0]).value)
    levels = (names[0], *(effects[name].value_text(e.level(0, name)) for name in measures))
    rows = [(names[rule], *(effects[name].change_text(e.difference(rule, name)) for name in measures)) for rule in order]
    heads = [f"{effects[name].label}{', pp' if effects[name].is_share else ''}" for name in measures]
    title = f"Change against {e.base}, ± half of the 95 % interval (pp: in percentage points)"
    return Texts(("rules", *heads), [levels, *rows], range(1, 1 + len(heads)), (0,), title, first_apart=True)


def _values(e: Any, measures: Sequence[str], strategy: int | None = None) -> Texts:
    """Figures under each rule with their intervals; empty cells for seats that a rule does not have."""
    effects = e.game.effects

    def text(rule: int, name: str) -> str:
        absent = name.startswith("seat_") and int(name.removeprefix("seat_")) >= e.players(rule)
        return "" if absent else effects[name].text(e.value(rule, name, strategy))

    rows = [(name, *(text(rule, measure) for measure in measures)) for rule, name in enumerate(_names(e))]
    kept = [0, *(k for k in range(1, 1 + len(measures)) if any(row[k] for row in rows))]
    heads = ("rules", *(effects[name].label for name in measures))
    return Texts([heads[k] for k in kept], [[row[k] for k in kept] for row in rows], range(1, len(kept)), (0,))


def _best(e: Effect) -> Texts:
    rows, measures = [], {name: COMPARED[name] for name in e.sided}
    for name, (_, row) in zip(_names(e), e.best().iterrows(), strict=True):
        own = [row_text(measure, row, of) for of, measure in measures.items()]
        second = e.judged.value_text(row[f"second_{e.criterion}"])
        rest = [", ".join(COMPARED[of].label for of in row["otherwise"].split(", ") if of)] if len(measures) > 1 else []
        rows.append((name, row["best"], *own, row["second"], second, "yes" if row["clear"] else "no", *rest))
    heads = ("rules", "best", *(measure.label for measure in measures.values()), "second", e.judged.label, "clear")
    title = f"Best strategy under each rule, by {e.judged.label} against the others"
    more = ("another leads in",) if len(measures) > 1 else ()
    figures = (*range(2, 2 + len(measures)), 3 + len(measures))
    return Texts((*heads, *more), rows, figures, (0,), title, "clear: the intervals of the first two do not touch")


def _starter(e: Effect) -> Texts:
    rows = [(name, STARTER.text(e.starter_share(rule))) for rule, name in enumerate(_names(e))]
    return Texts(("rules", STARTER.label), rows, (1,), (0,))


def _by_strategy(e: Effect, measures: Sequence[str]) -> str:
    """Figures of each strategy; empty if there is one, or they meet each other."""
    if not e.game.alone or len(e.strategies) < 2:
        return ""
    return "\n\n".join(f"### `{name}`\n\n{_values(e, measures, k).markdown()}" for k, name in enumerate(e.strategies))


def _who(e: Effect) -> dict[str, str]:
    """Where what changes depends on who plays: the base's figures of each strategy, and the changes that lie apart most."""
    if not _several(e):
        return dict.fromkeys(("who", "apart", "of_apart"), "")
    effects, names = e.game.effects, _names(e)
    heads = tuple(f"`{name}`" for name in e.strategies)
    levels = [(effects[name].label, *(_level(e, name, k) for k in range(len(heads)))) for name in e.foremost]
    found = {name: [gap for gap in gaps(e, name) if gap.rule] for name in e.foremost}
    rows = [
        (
            effects[name].label,
            names[gap.rule],
            *(effects[name].difference_text(e.difference(gap.rule, name, k)) for k in range(len(heads))),
        )
        for name, own in found.items()
        for gap in own[:MOST_APART]
    ]
    counts = [f"{effects[name].label} for {len(own)}" for name, own in found.items() if own]
    figures = range(2, 2 + len(heads))
    return {
        "who": Texts(("measure", *heads), levels, range(1, 1 + len(heads))).markdown(),
        "apart": Texts(("measure", "rules", *heads), rows, figures, (1,)).markdown(),
        "of_apart": f"{joined(counts)} of the {len(e.variants)} variants" if counts else "",
    }


def _level(e: Effect, measure: str, strategy: int) -> str:
    """A measure under the base where all play one strategy; without an interval where none is known."""
    of, found = e.game.effects[measure], e.value(0, measure, strategy)
    return of.text(found) if math.isfinite(found.se) else of.value_text(found.value)


def _parts(e: Effect) -> str:
    """The game's further tables; empty if it has none."""
    own = {part: [name for name in e.game.parts.get(part, ()) if name in e.measures] for part in ("endings", "counts", "seats")}
    tables = {part: _values(e, names).markdown() if names else "" for part, names in own.items()}
    said = {f"of_{part}": sentence(f"effect_{part}_{e.game.name}") for part in own}
    return filled("effect_parts", **tables, **said) if any(tables.values()) else ""


def _body(e: Effect) -> str:
    aliases = played_as(e.strategies, dict(zip((e.base, *e.variants), _names(e), strict=True)))
    alone, several = e.game.alone, len(e.strategies) > 1
    each = "each strategy" if alone else each_pairing(len(e.tallies))
    means = f" Figures are plain means over the {'strategies' if alone else 'pairings of strategies'}."
    return filled(
        "effect",
        **told(e),
        changes=_changes(e, e.foremost).markdown(),
        first=e.measured(e.foremost[0]).label,
        games=_changes(e, GAMES_SHOWN).markdown() if e.games else "",
        of_game=_parts(e),
        best=_best(e).markdown() if _several(e) else "",
        starter=_starter(e).markdown() if "starter" in e.measures else "",
        **_who(e),
        most=MOST_APART,
        criterion=e.judged.label if _several(e) else "",
        by_strategy=_by_strategy(e, e.foremost),
        strategies=code_list(e.strategies),
        aliases=aliases,
        but="But for that, the" if aliases else "The",
        seated=sentence(f"effect_{'alone' if alone else 'paired' if several else 'mirror'}"),
        each=f"{each[:1].upper()}{each[1:]}",
        played=f"{e.deals:,} deals" if alone else counts_text(e.deals, e.games),
        every=1 + len(e.variants),
        method=sentence(f"effect_method_{'alone' if alone else 'paired'}"),
        means=means if several else "",
    )
