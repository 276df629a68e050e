"""What better means: the criterion that a study answers by, and what is said where the other measures disagree.

Points per hand, hands won, games won and the settled margin of a game are different questions. A study shows them all
(``JUDGED``), ranks by one (``CRITERIA``) and names it. By default that is the games won: every set of rules plays to a target
and settles whole games, so the better player is the one who wins more of them. Where no games are played, and where a study
is made to measure points of hands, it is the points per hand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from typing import ClassVar, Literal, NamedTuple, Self

from pydantic import Field, model_validator

from ginsim.answers import joined
from ginsim.errors import InputError, suggest
from ginsim.inference.corrections import p_value
from ginsim.inference.estimates import NORMAL, Estimate, interval_text
from ginsim.inference.measures import Measure
from ginsim.study.base import Experiment, Result
from ginsim.study.kept import Manifest
from ginsim.study.measures import COMPARED, CRITERIA, JUDGED, OF_GAMES

__all__ = [
    "By", "Judged", "JudgedExperiment", "JudgedManifest", "Leader", "ahead_by", "bounds", "check_by",
    "disagreement_of_leaders", "disagreement_of_signs", "disagreement_of_two", "leaders_otherwise", "opposite", "p_of", "said",
    "told_by",
]  # fmt: skip

By = Literal["games_won", "margin_per_game", "points_per_hand"]
"""The names in ``CRITERIA``."""
NO_INTERVAL = "Hands per game have no interval: these games were played by an older version, which kept no squares of them."
SAID = {
    "points_per_hand": "{} points per hand",
    "hands_won": "{} of the hands won",
    "games_won": "{} of the games won",
    "margin_per_game": "a settled margin of {} points per game",
}


class Judged(Result):
    """A result whose answer is by a criterion.

    Attributes
    ----------
    by : str or None
        What it was asked to be judged by: one of ``CRITERIA``, or None for the natural one.
    """

    by: str | None

    @property
    def games_finished(self) -> bool:
        """Whether there are figures of games, for all who are compared."""
        sums = self.game_sums
        return bool(sums) and all(t["decided"] for t in sums)

    @property
    def sided(self) -> list[str]:
        """Names of the measures that say who is better; those of games only if games were finished."""
        return [name for name in JUDGED if name not in OF_GAMES or self.games_finished]

    @property
    def measures(self) -> list[str]:
        """Names of what is told of each side; with how long its games are, if there were any."""
        return [*self.sided, *(["hands_per_game"] if self.games_finished else [])]

    @property
    def remark(self) -> str:
        """What is to be said of the games: those stopped unfinished, and whether too little was kept for an interval."""
        older = self.games_finished and any("hands" in t and "hands_sq" not in t for t in self.game_sums)
        return " ".join(filter(None, (super().remark, NO_INTERVAL if older else "")))

    @property
    def natural(self) -> str:
        """The criterion unless another is named: games won, or points per hand where no game was finished."""
        return "games_won" if self.games_finished else "points_per_hand"

    @property
    def criterion(self) -> str:
        """The measure that the answer and the order of a ranking go by."""
        return self.by if self.by and self.by in self.sided else self.natural

    @property
    def judged(self) -> Measure:
        """The criterion as it is written."""
        return COMPARED[self.criterion]

    @property
    def others(self) -> list[str]:
        """The measures beside the criterion, the weightier first."""
        return [name for name in dict.fromkeys((*CRITERIA, *JUDGED)) if name in self.sided and name != self.criterion]

    def judged_by(self, by: str | None) -> Self:
        """The same result, judged by another criterion.

        Parameters
        ----------
        by : {'games_won', 'margin_per_game', 'points_per_hand'}, optional
            The natural one, unless it is given.

        Raises
        ------
        InputError
            If there is no such criterion, or no game was finished and it is of games.
        """
        if by is not None and by not in CRITERIA:
            raise InputError(f"by: {by!r} is not a criterion; {suggest(by, CRITERIA)}")
        if by in OF_GAMES and not self.games_finished:
            raise InputError(f"by: {by!r} needs finished games, and there are none here; give points_per_hand")
        return dataclasses.replace(self, by=by)  # type: ignore[type-var]


def check_by(by: str | None, games: int) -> None:
    """Refuse a criterion of games where none are played."""
    if by in OF_GAMES and not games:
        raise InputError(f"by: {by!r} needs games, and none are played (games=0); give points_per_hand, or games of 1 or more")


class JudgedExperiment(Experiment):
    """What studies that say who is better have in common."""

    WORDS: ClassVar[frozenset[str]] = Experiment.WORDS | {"by"}

    by: By | None = Field(
        None,
        description="what better means: games_won (the default if games are played), margin_per_game or points_per_hand",
    )

    @model_validator(mode="after")
    def _games_to_judge_by(self) -> Self:
        check_by(self.by, self.game_pairs)
        return self


class JudgedManifest(Manifest):
    """What such a result is rebuilt from."""

    by: By | None = None


def told_by(result: Judged) -> dict[str, str]:
    """What the manifest says of the criterion: nothing unless one was named."""
    return {"by": result.by} if result.by else {}


# --- in words ------------------------------------------------------------------------------------------------------------


def said(name: str, value: float) -> str:
    """A value of a measure, in words.

    Examples
    --------
    >>> said("games_won", 0.553), said("margin_per_game", -14.5)
    ('55.3 % of the games won', 'a settled margin of -14.50 points per game')
    """
    return SAID[name].format(COMPARED[name].value_text(value))


def bounds(name: str, e: Estimate) -> str:
    """The interval of a measure, as it is written."""
    m = COMPARED[name]
    return interval_text(m.factor * e.low, m.factor * e.high, m.form)


def ahead_by(name: str, e: Estimate) -> str:
    """A lead in a measure, that is a difference above 0, with its interval.

    Examples
    --------
    >>> ahead_by("games_won", Estimate(0.369, 0.343, 0.395, 0.013))
    '36.9 percentage points, 34.3 to 39.5'
    """
    m = COMPARED[name]
    form, (value, low, high) = f"z.{m.decimals}f", (m.factor * x for x in (e.value, e.low, e.high))
    return f"{value:{form}}{' percentage points' if m.is_share else ''}, {interval_text(low, high, form)}"


def _said_with_interval(name: str, e: Estimate, more: str = "") -> str:
    """A value with its interval, in words; ``more`` follows in the bracket."""
    return f"{said(name, e.value)} ({bounds(name, e)}{more})"


def p_of(measure: Measure, e: Estimate) -> float:
    """The p-value of "neither side is better"."""
    width = (e.high - e.low) / (2 * NORMAL)
    certain = e.se == 0 and measure.is_share and width > 0  # at 0 and 100 % the standard error is 0
    return p_value(dataclasses.replace(e, se=width) if certain else e, measure.neutral)


def opposite(measure: Measure, e: Estimate) -> Estimate:
    """The figure from the other side."""
    if measure.is_share:
        return dataclasses.replace(e, value=1 - e.value, low=1 - e.high, high=1 - e.low)
    return -e


def disagreement_of_two(criterion: str, figures: dict[str, Estimate], a: str, b: str) -> str:
    """What other measures clearly say that the criterion does not; empty if there is no such thing.

    Parameters
    ----------
    criterion : str
    figures : mapping of str to Estimate
        Of all measures, from the side of ``a``.
    a, b : str
        Both sides.
    """
    side = COMPARED[criterion].side(figures[criterion])
    found: dict[int, list[str]] = {1: [], -1: []}
    for name, e in figures.items():
        other = COMPARED[name].side(e)
        if name != criterion and other and other != side:
            found[other].append(_said_with_interval(name, e if other > 0 else opposite(COMPARED[name], e)))
    ahead = [f"{a if other > 0 else b} is clearly ahead with {joined(own)}" for other, own in found.items() if own]
    if not ahead:
        return ""
    lead = "But the measures disagree" if side else "By other measures"
    return f" {lead}: {', while '.join(ahead)}."


class Leader(NamedTuple):
    """Who leads by another measure than the criterion, clearly ahead of the leader by the criterion.

    ``e`` is its figure, ``other`` that of the leader by the criterion; ``apart`` says whether the criterion tells the two apart.
    """

    measure: str
    name: str
    e: Estimate
    other: Estimate
    apart: bool


def leaders_otherwise(
    names: Sequence[str], criterion: str, others: Iterable[str], figures: Callable[[str], list[Estimate]]
) -> list[Leader]:
    """Who clearly leads by other measures: the interval of the leader by the criterion lies below theirs.

    Parameters
    ----------
    names : sequence of str
    criterion : str
    others : iterable of str
        The measures beside it.
    figures : function of the name of a measure
        Gives the figure of each of the names.
    """
    own, found = figures(criterion), []
    first = max(range(len(names)), key=lambda i: own[i].value)
    for measure in others:
        of = figures(measure)
        best = max(range(len(names)), key=lambda i: of[i].value)
        if of[best].low > of[first].high:
            found.append(Leader(measure, names[best], of[best], of[first], own[first].low > own[best].high))
    return found


def disagreement_of_leaders(criterion: str, first: str, leaders: Iterable[Leader], rules: str = "") -> str:
    """Who clearly leads by the other measures instead of ``first``; empty if nobody does.

    Parameters
    ----------
    criterion, first : str
    leaders : iterable of Leader
    rules : str
        Under which rules, if the text is of several.
    """
    text, found, under = "", list(leaders), f" under {rules}" if rules else ""
    unsaid = f"Not told apart{under} by {COMPARED[criterion].label}"
    for apart, lead in ((True, f"But{under} the measures disagree"), (False, unsaid)):
        by_name: dict[str, list[str]] = {}
        for of in found:
            if of.apart == apart:
                beside = f"; {first}: {COMPARED[of.measure].value_text(of.other.value)}"
                by_name.setdefault(of.name, []).append(_said_with_interval(of.measure, of.e, beside))
        if by_name:
            told = [f"{name} leads with {joined(own)}" for name, own in by_name.items()]
            text += f" {lead}: {', while '.join(told)}."
    return text


def disagreement_of_signs(criterion: str, pairings: Sequence[dict[str, Estimate]]) -> str:
    """In how many pairings other measures clearly favour the other side than the criterion does; empty if in none."""
    counts: dict[str, int] = {}
    for figures in pairings:
        side = COMPARED[criterion].side(figures[criterion])
        for name, e in figures.items():
            if side and COMPARED[name].side(e) == -side:
                counts[name] = counts.get(name, 0) + 1
    if not counts or len(pairings) < 2:
        return ""
    own = COMPARED[criterion].label
    told = [f"{own} and {COMPARED[name].label} {{}}in {count}{{}}" for name, count in counts.items()]
    first = told[0].format("clearly disagree about the better side ", f" of the {len(pairings)} pairings")
    text = "; ".join((first, *(part.format("", "") for part in told[1:])))
    return f" {text[:1].upper()}{text[1:]}."
