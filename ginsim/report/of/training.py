"""A player that was trained."""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from ginsim.games.gin.learned.layout import NETS
from ginsim.report import plots
from ginsim.report.page import counts_text, told, trained_again
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.measures import COMPARED
from ginsim.training.habits import HABITS, TURNS, share_in, taught
from ginsim.training.train import PLAIN, TRAINED, Training

if TYPE_CHECKING:
    from ginsim.inference.estimates import Estimate

__all__ = ["sheet"]

OF = Training
"""What is shown here."""
WON, POINTS = COMPARED["games_won"], COMPARED["points_per_hand"]
WORDS = {"knock": "knocks with", "take": "takes upcards", "throw": "throws"}


def sheet(t: Training) -> Sheet:
    """A player that was trained."""
    settings = {
        "against": list(t.against), "folder": "trained", "start": t.start, "rows": t.rows, "iterations": len(t.iterations),
        "minutes": 43_200, "games": t.pairs, "deals": t.deals, "seed": t.seed, **({"then": t.then} if t.then else {}),
    }  # fmt: skip
    return Sheet(
        "train",
        [t.rules],
        settings,
        t.rules,
        t.rivals,
        f"A player trained under {t.rules}",
        lambda: _body(t),
        lambda: {"outcome": t.table(), "course": t.course(), "habits": t.habit_table()},
        {name: partial(draw, t) for name, draw in PICTURES.items()},
        lambda: [_course(t), _outcome(t), _nets(t)],
        same=trained_again([len(t.iterations)]),
    )


PICTURES = {"course": plots.training_course, "nets": plots.nets, "habits": plots.habits}


def _course(t: Training) -> Texts:
    spent = accumulate(step.seconds for step in t.iterations)
    rows = [
        [k + 1, f"{step.rows:,}", *(WON.text(t.won(name, k)) for name in t.judges), f"{seconds / 60:.1f}"]
        for k, (step, seconds) in enumerate(zip(t.iterations, spent, strict=True))
    ]
    heads = ("iteration", "choices", *(f"against {name}" for name in t.judges), "minutes")
    return Texts(heads, rows, range(len(heads)), title="Games won after each iteration, with 95 % intervals")


def _outcome(t: Training) -> Texts:
    rows = []
    for k, name in enumerate(t.rivals):
        c = t.pairings[f"{TRAINED}-{k}"]
        rows.append((name, _why(t, name), WON.text(c.games_won), POINTS.text(c.points_per_hand)))
    title = f"What the player wins under {t.rules}, with 95 % intervals"
    return Texts(("opponent", "", WON.label, POINTS.label), rows, (2, 3), (0,), title=title)


def _why(t: Training, name: str) -> str:
    """Why an opponent is one."""
    return "trained against" if name in t.judges else "what it began as" if name == t.start else "shipped, for any opponent"


def _nets(t: Training) -> Texts:
    rows = [(name, *(WON.text(t.games_won(name, net)) for net in ("", *NETS))) for name in t.judges]
    heads = ("opponent", "all nets", *(f"without the {net} net" for net in NETS))
    return Texts(heads, rows, range(1, len(heads)), (0,), title="Games won without each of the nets")


def _habits(t: Training) -> Texts:
    """A row for each habit and part, a column for each group of turns; those of simple in brackets."""
    rows = []
    for habit, parts in HABITS.items():
        for part in parts.values():
            cells = []
            for turn in TURNS.values():
                own, plain = (share_in(t.habits[name], (habit, turn, part)) for name in (TRAINED, PLAIN))
                cells.append(f"{_text(*own)} ({_text(*plain)})" if own[0] or plain[0] else "–")
            rows.append((f"{WORDS[habit]} {part}", *cells))
    heads = ("in brackets: simple", *(f"turns {turn}" for turn in TURNS.values()))
    return Texts(heads, rows, range(1, len(heads)))


def _text(cases: int, share: Estimate) -> str:
    return f"{100 * share.value:.0f} %" if cases else "–"


def _body(t: Training) -> str:
    return filled(
        "train",
        **told(t),
        start=t.start,
        pairs=f"{t.pairs:,}",
        rows=f"{t.rows:,}",
        course=_course(t).markdown(),
        outcome=_outcome(t).markdown(),
        nets=_nets(t).markdown(),
        habits=_habits(t).markdown(),
        taught=" ".join(taught(t.habits[TRAINED], t.habits[PLAIN])),
        counts=counts_text(t.deals, t.pairs),
    )
