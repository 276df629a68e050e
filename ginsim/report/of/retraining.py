"""What rules change once players adapt all their play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from ginsim.answers import joined
from ginsim.report import plots
from ginsim.report.games import played_as
from ginsim.report.page import counts_text, rules_section, told, trained_again, variants_section
from ginsim.report.plots import variant_labels
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.measures import COMPARED
from ginsim.training.course import ITSELF
from ginsim.training.retraining import ADAPTED, BEFORE, KNOCK, PLAY, STAGES, Retraining

if TYPE_CHECKING:
    from ginsim.inference.estimates import Estimate

__all__ = ["sheet"]

OF = Retraining
"""What is shown here."""
WON, POINTS = COMPARED["games_won"], COMPARED["points_per_hand"]


def sheet(r: Retraining) -> Sheet:
    """What rules change once players adapt all their play."""
    steps = max(map(len, r.courses))
    settings = {
        "start": r.start, "folder": "retrained", "against": list(r.against), "rows": r.rows, "iterations": steps,
        "minutes": 43_200, "games": r.pairs, "deals": r.deals, "seed": r.seed,
    }  # fmt: skip
    several = len(r.variants) > 1
    return Sheet(
        "retrain",
        [r.base, list(r.variants)],
        settings,
        r.base,
        r.strategies,
        f"What {f'{len(r.variants)} variants change' if several else 'a variant changes'} against {r.base} once players learn it",
        lambda: _body(r),
        lambda: {"retraining": r.table(), "gains": r.gain_table(), "course": r.course()},
        {"retrained": partial(plots.retrained, r)},
        lambda: [_gains(r), _changes(r, BEFORE), _changes(r, PLAY)],
        same=trained_again(map(len, r.courses)),
        rules_text=f"{rules_section(r.base)}\n\n{variants_section(r.base, r.variants)}",
    )


def _heads(r: Retraining) -> list[str]:
    return [f"{r.measured(name).label}{', pp' if r.measured(name).is_share else ''}" for name in r.foremost]


def _gains(r: Retraining) -> Texts:
    """What a player who has adapted wins from one who has not."""
    names, rows = variant_labels(r.base, r.variants), []
    for rule in range(1, 1 + len(r.variants)):
        gains = [r.gains[rule, stage] for stage in ADAPTED]
        found = [text for c in gains for text in (WON.text(c.games_won), POINTS.text(c.points_per_hand))]
        rows.append((names[rule - 1], *found))
    heads = ("rules", *(f"{STAGES[stage]}: {m.label}" for stage in ADAPTED for m in (WON, POINTS)))
    title = "What a player who has adapted wins from one who has not, with 95 % intervals"
    return Texts(heads, rows, range(1, len(heads)), (0,), title)


def _rows(r: Retraining, change: Callable[[int, str], Estimate]) -> list[Sequence[str]]:
    names = variant_labels(r.base, r.variants)
    return [
        (names[rule - 1], *(r.measured(name).change_text(change(rule, name)) for name in r.foremost))
        for rule in range(1, 1 + len(r.variants))
    ]


def _changes(r: Retraining, stage: str) -> Texts:
    """The base's figures, and what each variant changes in them in one of the stages."""
    base = (r.base, *(r.measured(name).value_text(r.level(0, name)) for name in r.foremost))
    rows = _rows(r, lambda rule, name: r.change(rule, name, stage))
    title = f"Change against {r.base}, {STAGES[stage]}, ± half the 95 % interval (pp: percentage points)"
    return Texts(("rules", *_heads(r)), [base, *rows], range(1, len(base)), (0,), title, first_apart=True)


def _adapting(r: Retraining) -> Texts:
    """What adapting all play changes under each variant."""
    rows = _rows(r, lambda rule, name: r.adapts(rule, name, PLAY))
    title = "What adapting all play changes (after minus before), ± half the 95 % interval"
    return Texts(("rules", *_heads(r)), rows, range(1, 1 + len(r.foremost)), (0,), title)


def _course(r: Retraining) -> Texts:
    """How each player learned."""
    judges, rows = [name for name in r.against if name != ITSELF], []
    for rules, course in zip((r.base, *variant_labels(r.base, r.variants)), r.courses, strict=True):
        found = [course[-1].won[name] for name in judges]
        won = (f"{100 * value:.1f} % ({100 * low:.1f} to {100 * high:.1f})" for value, low, high in found)
        rows.append((rules, len(course), f"{sum(step.seconds for step in course) / 60:.1f}", *won))
    heads = ("rules", "iterations", "minutes", *(f"games won against {name}" for name in judges))
    return Texts(heads, rows, range(1, len(heads)), (0,))


def _body(r: Retraining) -> str:
    names = variant_labels(r.base, r.variants)
    otherwise = "\n".join(f"- **{names[rule - 1]}**: {r.otherwise(rule)}" for rule in range(1, 1 + len(r.variants)))
    return filled(
        "retraining",
        **told(r),
        gains=_gains(r).markdown(),
        otherwise=otherwise,
        before=_changes(r, BEFORE).markdown(),
        knock=_changes(r, KNOCK).markdown(),
        play=_changes(r, PLAY).markdown(),
        adapting=_adapting(r).markdown(),
        course=_course(r).markdown(),
        start=r.start,
        against=joined(["itself as it was before" if name == ITSELF else f"`{name}`" for name in r.against]),
        rows=f"{r.rows:,}",
        aliases=played_as(r.against, dict(zip((r.base, *r.variants), (r.base, *names), strict=True))),
        minutes=f"{r.seconds / 60 / len(r.courses):.1f}",
        counts=counts_text(r.deals, r.pairs),
    )
