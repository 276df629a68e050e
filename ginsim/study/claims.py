"""Claims that writers make, decided by a study: what a claim says, which figures decide it, and the verdict they give.

A claim is the table ``[claim]`` of an experiment file. Each of its cases names a figure of the result (a method or property
that is an `Estimate`), or one that is counted exactly (``EXACT``), and the range in which the claim holds. A case is true if
the whole interval lies in that range, false if none of it does, and else undecided; so nobody types a verdict.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ginsim.errors import InputError, shown, suggest
from ginsim.inference.estimates import Estimate
from ginsim.study.measures import COMPARED, CRITERIA, JUDGED, OF_GAMES

__all__ = ["EXACT", "UNITS", "Case", "Claim", "Decision", "decide"]

TRUE, FALSE, UNDECIDED, DEPENDS = "true", "false", "undecided", "it depends"
UNITS = {
    "points": "points per hand", "margin": "points per game", "share": "%", "gap": "percentage points", "turns": "turns",
    "melds": "melds", "deadwood": "points of deadwood",
}  # fmt: skip
"""Units of figures; share and gap (a difference of shares) are numbers up to 1, shown times 100."""


class Case(BaseModel):
    """One condition under which a claim is put to the test."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    when: str = Field(min_length=1, description="the condition, in words")
    who: str = Field("", description="who plays, in words, where cases under the same condition differ in that")
    figure: str = Field(pattern="^[a-z][a-z_]*$", description="name of a figure of the result, or of an exact one")
    of: list[str | int] = Field([], description="what the figure is asked for; a label of the result stands for its position")
    against: str = Field("", description="the opponent, where the figure can be asked against one of several")
    at_least: float | None = Field(None, description="the claim holds from this value up")
    at_most: float | None = Field(None, description="the claim holds up to this value")
    unit: str = Field("points", description="points, margin, share, gap, turns, melds or deadwood")
    by: str = Field("", description="the measure that the figure is asked for, if it is not points per hand")

    @model_validator(mode="after")
    def _bounds(self) -> Self:
        if self.at_least is None and self.at_most is None:
            raise InputError("at_least: give at_least or at_most, or both: the range in which the claim holds")
        if self.at_least is not None and self.at_most is not None and self.at_least > self.at_most:
            raise InputError(f"at_least: {self.at_least} is above at_most, {self.at_most}")
        if self.unit not in UNITS:
            raise InputError(f"unit: {shown(self.unit)} is not known; {suggest(self.unit, UNITS)}")
        if self.by and self.by not in JUDGED:
            raise InputError(f"by: {shown(self.by)} is not a measure; {suggest(self.by, JUDGED)}")
        if self.by:
            units = ("share", "gap") if COMPARED[self.by].is_share else ("margin",) if self.by in OF_GAMES else ("points",)
            if self.unit not in units:
                raise InputError(f"unit: {shown(self.unit)} is not that of {self.by}; give {' or '.join(units)}")
        return self

    @property
    def told(self) -> str:
        """The condition, with who plays."""
        return f"{self.when}, {self.who}" if self.who else self.when

    def verdict(self, figure: Estimate) -> str:
        """True or false if the interval lies inside or outside the range, else undecided.

        Examples
        --------
        >>> case = Case(when="always", figure="points_per_hand", at_least=0.0)
        >>> case.verdict(Estimate(1.0, 0.5, 1.5, 0.2)), case.verdict(Estimate(0.3, -0.1, 0.7, 0.2))
        ('true', 'undecided')
        """
        low = float("-inf") if self.at_least is None else self.at_least
        high = float("inf") if self.at_most is None else self.at_most
        if low <= figure.low and figure.high <= high:
            return TRUE
        return FALSE if figure.high < low or figure.low > high else UNDECIDED


class Claim(BaseModel):
    """A saying, what it is taken to mean, and the cases that decide it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)

    text: str = Field(min_length=1, description="the saying")
    meaning: str = Field(min_length=1, description="what is measured to decide it")
    cases: list[Case] = Field(
        min_length=1, max_length=256, description="the conditions, each with its figure and the range for 'true'"
    )


@dataclass(frozen=True)
class Decision:
    """What a study says of a claim: a figure and a verdict for each case.

    Attributes
    ----------
    claim : Claim
    figures : tuple of Estimate
        One for each case.
    beside : tuple of mapping of str to Estimate
        For each case the same figure by the other criteria (``ginsim.study.criterion``), where games were played and it can be
        asked for by them; otherwise nothing.
    """

    claim: Claim
    figures: tuple[Estimate, ...]
    beside: tuple[dict[str, Estimate], ...] = ()

    @property
    def verdicts(self) -> list[str]:
        """Of the cases: true, false or undecided."""
        return [case.verdict(figure) for case, figure in zip(self.claim.cases, self.figures, strict=True)]

    def rows(self) -> list[tuple[Case, Estimate, str, dict[str, Estimate]]]:
        """The cases, each with its figure, its verdict and the figures by the other criteria."""
        beside = self.beside or ({},) * len(self.figures)
        return list(zip(self.claim.cases, self.figures, self.verdicts, beside, strict=True))

    @property
    def verdict(self) -> str:
        """Of the claim: what all cases agree on; "it depends" if some are true and some false; else undecided."""
        found = set(self.verdicts)
        if {TRUE, FALSE} <= found:
            return DEPENDS
        return found.pop() if len(found) == 1 else UNDECIDED

    @property
    def by_players(self) -> dict[str, dict[str, list[str]]]:
        """Of the conditions that are true for some players and false for others: who plays, by verdict.

        Examples
        --------
        >>> cases = [Case(when="always", who=who, figure="f", at_least=0.0) for who in ("both plain", "both strong")]
        >>> figures = Estimate(1.0, 0.5, 1.5, 0.2), Estimate(-1.0, -1.5, -0.5, 0.2)
        >>> Decision(Claim(text="t", meaning="m", cases=cases), figures).by_players
        {'always': {'true': ['both plain'], 'false': ['both strong']}}
        """
        found: dict[str, dict[str, list[str]]] = {}
        for case, verdict in zip(self.claim.cases, self.verdicts, strict=True):
            if case.who:
                found.setdefault(case.when, {}).setdefault(verdict, []).append(case.who)
        return {when: verdicts for when, verdicts in found.items() if {TRUE, FALSE} <= set(verdicts)}

    @property
    def otherwise(self) -> dict[str, list[str]]:
        """By criterion, the conditions of the cases that come out the other way by it: true instead of false, or the reverse.

        Only of cases that ask which side of 0 the figure is on: another bound would mean another thing by another measure.
        """
        found: dict[str, list[str]] = {}
        for case, _, verdict, beside in self.rows():
            for name, figure in beside.items():
                if {case.at_least, case.at_most} == {0.0, None} and {verdict, case.verdict(figure)} == {TRUE, FALSE}:
                    found.setdefault(name, []).append(case.told)
        return found

    def __str__(self) -> str:
        cases = zip(self.claim.cases, self.verdicts, strict=True)
        return f"{self.verdict}: " + "; ".join(f"{verdict} {case.told}" for case, verdict in cases)


def decide(claim: Claim, result: Any) -> Decision:
    """Read the figures of all cases from the result of the study.

    Raises
    ------
    InputError
        If the result has no such figure, naming the case and the figure.
    """
    check_claim(claim, type(result))
    figures = tuple(_figure(case, result) for case in claim.cases)
    return Decision(claim, figures, tuple(_beside(case, result) for case in claim.cases))


def figures_of(kind: type) -> list[str]:
    """The figures with an interval that results of this class have."""

    def gives(member: Any) -> Any:
        function = getattr(member, "fget", None) or getattr(member, "func", member)  # of a property, of a cached one
        return getattr(function, "__annotations__", {}).get("return")

    return sorted(name for name, own in inspect.getmembers(kind) if not name.startswith("_") and gives(own) == "Estimate")


def check_claim(claim: Claim | None, kind: type) -> None:
    """Refuse a claim whose cases name figures that results of this class do not have.

    Raises
    ------
    InputError
        Naming the case, the figure and those there are.
    """
    known = [*EXACT, *figures_of(kind)]
    for case in claim.cases if claim else ():
        if case.figure not in known:
            what = f"{kind.__name__} has no figure {shown(case.figure)}"
            raise InputError(f"claim: {case.told}: {what}; there are {', '.join(known)}")


def _figure(case: Case, result: Any) -> Estimate:
    arguments = [_place(result, value) for value in case.of]
    more: dict[str, int | str] = {"measure": case.by} if case.by else {}
    if case.against:
        opponents: Sequence[str] = getattr(result, "opponents", ())
        if case.against not in opponents:
            known = suggest(case.against, opponents)
            raise InputError(f"claim: {case.told}: against {shown(case.against)} was not played; {known}")
        more["opponent"] = opponents.index(case.against)
    found = EXACT.get(case.figure) or getattr(result, case.figure)
    try:
        figure = found(*arguments, **more) if callable(found) else found
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise InputError(f"claim: {case.told}: {case.figure} of {shown(case.of)} is not available: {error}") from None
    if not isinstance(figure, Estimate):
        raise InputError(f"claim: {case.told}: {case.figure} is not a figure with an interval")
    return figure


def _beside(case: Case, result: Any) -> dict[str, Estimate]:
    """The figure by the other criteria, if games were played and it can be asked for by them."""
    asked = inspect.signature(own).parameters if callable(own := getattr(result, case.figure, None)) else {}
    if "measure" not in asked or not getattr(result, "games_finished", False):
        return {}
    judged = case.by or asked["measure"].default
    return {name: _figure(case.model_copy(update={"by": name}), result) for name in CRITERIA if name != judged}


def _place(result: Any, value: str | int) -> str | int:
    """The place of a label of the result; anything else as it is."""
    labels = result.labels() if hasattr(result, "labels") else getattr(result, "strategies", ())
    return list(labels).index(value) if value in labels else value


# --- what is counted, not played -----------------------------------------------------------------------------------------


def _exactly(value: Any) -> Estimate:
    return Estimate(float(value), float(value), float(value), 0.0)


def _more_melds(rank: str, size: int = 0) -> Estimate:
    """How many more melds (of ``size`` cards, or of any number) a card of this rank can be in than one of the best other rank."""
    from ginsim.exact import card_melds

    table = card_melds()
    melds = table[f"sets_of_{size}"] + table[f"runs_of_{size}"] if size else table["melds"]
    return _exactly(melds[rank] - melds.drop(rank).max())


def _more_usable(rank: str, other: str) -> Estimate:
    """How much likelier an opponent with a random hand makes a meld with a card of this rank than with one of the other."""
    from ginsim.exact import card_melds

    usable = card_melds()["usable"]
    return _exactly(usable[rank] - usable[other])


def _less_deadwood(card: str, other: str) -> Estimate:
    """How much less deadwood the hands dealt have on average that hold this card than those that hold the other."""
    from ginsim.exact import exact_deadwood

    return _exactly(exact_deadwood(holding=other).mean - exact_deadwood(holding=card).mean)


def _fills_more(holding: str, other: str, draws: int) -> Estimate:
    """How much likelier one holding becomes a meld within so many draws than another, nothing else being seen."""
    from ginsim.exact import fill

    return _exactly(fill(holding).chance(draws) - fill(other).chance(draws))


def _fills_most(holding: str, draws: int) -> Estimate:
    """The same against the best holding of as many cards without a meld: 0 if it is the best itself."""
    from ginsim.cards import card_at, parse_hand
    from ginsim.exact import fill
    from ginsim.games.gin.evaluate import is_meld

    deck = [card_at(rank, suit) for suit in range(4) for rank in range(13)]
    holdings = (sum(cards) for cards in combinations(deck, parse_hand(holding).bit_count()) if cards[0] in deck[:13])
    best = max(fill(cards).chance(draws) for cards in holdings if not is_meld(cards))  # suits are alike: one card is a spade
    return _exactly(fill(holding).chance(draws) - best)


def _more_sets(cards: int) -> Estimate:
    """How much likelier a random hand of so many cards holds a set than a run."""
    from ginsim.exact import kinds_of_melds

    chance = kinds_of_melds(cards)["chance"]
    return _exactly(chance["a set"] - chance["a run"])


EXACT: dict[str, Callable[..., Estimate]] = {
    "more_melds": _more_melds,
    "more_usable": _more_usable,
    "less_deadwood": _less_deadwood,
    "fills_more": _fills_more,
    "fills_most": _fills_most,
    "more_sets": _more_sets,
}
"""Figures that are counted exactly, by name; they are of a deck of 52 and hands of ten."""
