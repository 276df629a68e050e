"""How many hands or games tell two players apart, what a given number can tell, and how much of an outcome is luck."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, get_args

from ginsim.answers import Answer
from ginsim.errors import InputError, check_count, shown
from ginsim.inference import planning
from ginsim.inference.planning import EVEN_GAME, LEVEL, MISSED

if TYPE_CHECKING:
    import pandas as pd

    from ginsim.games.rules import RulesModel
    from ginsim.games.strategy import Strategy
    from ginsim.simulation.execute import Progress
    from ginsim.study.compare import Comparison

__all__ = ["POINTS_SD", "Plan", "Series", "plan", "read_share"]

Unit = Literal["games", "hands"]
POINTS_SD = 30.0
"""Standard deviation of the points of one hand between strong players with bonuses of 25 for gin and undercut; under classic20
it is about 24."""
MOST = 10**12
SHOWN = (1, 11, 101, 1001, 10_001)
"""Lengths of series that are shown; odd, so that one of the two always leads in games won."""
LEAST_PAIRS = 30
"""Duplicate pairs from which a pilot's variance is trusted, and the normal approximation of the points per hand."""
FEW_LOST = 10
"""Games that the better player must lose for the normal approximation of the games won to be good."""


@dataclass(frozen=True)
class Series:
    """A series of so many games or hands: the share of its outcome that is luck, the chance that the better player leads."""

    number: int
    luck: float
    leads: float


@dataclass(frozen=True)
class Pilot:
    """What a comparison says of the plan: whose advantage it is, over whom, its interval, and the pairs it was seen in."""

    better: str
    worse: str
    rules: str
    pairs: int
    advantage: float
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Plan(Answer):
    """How much must be played, or what can be told by what is played; what `plan` returns.

    Attributes
    ----------
    unit : str
        What is played, ``games`` or ``hands``.
    advantage : float
        Of the better player: the share of games won, above 1/2, or points per hand.
    power : float
        The chance to show it.
    number : int or None
        Games or hands that there are; None if the plan is how many it takes.
    pair_variance, single_variance : float
        Between equal players: of the share won (of the mean points) in a duplicate pair, and in one game or hand.
    pilot : Pilot or None
        The comparison from which the variance is known.
    observed : bool
        Whether the advantage is that of the pilot, not one that was asked about.
    """

    TABLE: ClassVar[str] = "table"

    unit: Unit
    advantage: float
    power: float
    number: int | None
    pair_variance: float
    single_variance: float
    pilot: Pilot | None = None
    observed: bool = False

    @property
    def pairs(self) -> int:
        """Duplicate pairs: those that it takes, or those that there are."""
        return self._needed(self.pair_variance, self.advantage) if self.number is None else self.number // 2

    @property
    def alone(self) -> int:
        """Games or hands on decks of their own, none played twice: those that it takes, or those that there are."""
        return self._needed(self.single_variance, self.advantage) if self.number is None else self.number

    @property
    def advantage_alone(self) -> float:
        """The advantage that is shown without duplicate pairs."""
        return self.advantage if self.number is None else _shown(self.unit, self.single_variance, self.number, self.power)

    @property
    def pairs_range(self) -> tuple[int, int | None] | None:
        """Pairs that it takes at either end of the interval of the advantage that a pilot showed.

        Without an upper end (None) if the interval includes no advantage; None if the advantage is not the pilot's.
        """
        if self.pilot is None or not self.observed:
            return None
        low, high = (self._needed(self.pair_variance, x) if x > self.even else None for x in (self.pilot.low, self.pilot.high))
        return high or 1, low

    @property
    def even(self) -> float:
        """The result of equal players."""
        return 0.5 if self.unit == "games" else 0.0

    @property
    def variance(self) -> float:
        """Variance of one game or hand with this advantage: what is luck in it."""
        return self.advantage * (1 - self.advantage) if self.unit == "games" else self.single_variance

    @property
    def to_lead(self) -> int | None:
        """Games or hands after which the better player leads with a chance of 95 %.

        Of games the least odd number, exactly; None if it is above a million. Of hands as many as the normal approximation says.
        """
        if self.unit == "games":
            return planning.series_to_lead(self.advantage)
        return math.ceil(planning.pairs_to_show(self.variance, self.advantage, wrong=0.5, missed=1 - LEVEL))

    @property
    def half_luck(self) -> int:
        """Games or hands after which at most half of the outcome is luck."""
        return math.ceil(self.variance / (self.advantage - self.even) ** 2)

    def series(self) -> Iterator[Series]:
        """Series of some lengths, with what is luck in them and the chance that the better player leads."""
        leads = planning.chances_to_lead(self.advantage)
        for number in SHOWN:
            if self.unit == "games":
                chance = next(chance for games, chance in leads if games == number)
            else:
                chance = planning.normal_chance_to_lead(self.variance, self.advantage, number)
            yield Series(number, planning.luck(self.variance, self.advantage - self.even, number), chance)

    def table(self) -> pd.DataFrame:
        """A row for each of some lengths of a series: ``luck``, its share of the outcome; ``leads``, chance of the better player.

        Luck is the variance of the outcome, divided by the mean square of what the outcome departs from the even result by
        (``ginsim.inference.planning.luck``).
        """
        import pandas as pd

        rows = list(self.series())
        index = pd.Index([row.number for row in rows], name=self.unit)
        return pd.DataFrame({"luck": [row.luck for row in rows], "leads": [row.leads for row in rows]}, index)

    def summary(self) -> dict[str, Any]:
        """What there is to quote, by name."""
        pilot = {} if self.pilot is None else {"pilot": vars(self.pilot), "pairs_range": self.pairs_range}
        return {
            "unit": self.unit, "advantage": self.advantage, "advantage_alone": self.advantage_alone, "power": self.power,
            "pairs": self.pairs, self.unit: 2 * self.pairs, f"{self.unit}_alone": self.alone, "half_luck": self.half_luck,
            "to_lead": self.to_lead, "luck": planning.luck(self.variance, self.advantage - self.even),
        } | pilot  # fmt: skip

    def verdict(self) -> str:
        """The answer in a few sentences."""
        return " ".join([*self._pilot_sentences(), self._answer(), *self._range_sentences(), *self._luck_sentences()])

    def __str__(self) -> str:
        return "\n".join([self.verdict(), *(f"{name}: {text}" for name, text in self.rows())])

    def rows(self) -> list[tuple[str, str]]:
        """The numbers, with their names, as text."""
        one, lead = self.unit[:-1], self.to_lead
        rows = [("duplicate pairs", f"{self.pairs:,}"), (f"{self.unit} in these pairs", f"{2 * self.pairs:,}")]
        if self.number is not None:
            rows.append(("advantage that these pairs show", self._advantage_text(self.advantage)))
        rows.append((f"{self.unit} on decks of their own", f"{self.alone:,}"))
        if self.number is not None:
            rows.append((f"advantage that {self.unit} on decks of their own show", self._advantage_text(self.advantage_alone)))
        leads = "more than 1,000,000" if lead is None else f"{lead:,}"
        return [*rows, (f"{self.unit} until half of the outcome is skill", f"{self.half_luck:,}"),
                (f"{self.unit} until the better player leads ({percent(LEVEL)})", leads),
                (f"luck in one {one}", percent(planning.luck(self.variance, self.advantage - self.even)))]  # fmt: skip

    def _needed(self, variance: float, advantage: float) -> int:
        show = planning.pairs_to_show_share if self.unit == "games" else planning.pairs_to_show
        return max(1, math.ceil(show(variance, advantage, missed=1 - self.power)))

    def _advantage_text(self, advantage: float) -> str:
        return f"{percent(advantage)} of games" if self.unit == "games" else f"{advantage:.3g} points per hand"

    def _answer(self) -> str:
        chance, verb = percent(self.power), "wins" if self.unit == "games" else "gains"
        wins, takes = f"{verb} {self._advantage_text(self.advantage)}", f"{2 * self.pairs:,} {self.unit}"
        if self.number is not None:
            return (
                f"{takes} ({self.pairs:,} duplicate pairs) have a chance of {chance} of showing that a player "
                f"who {wins} is better; a smaller advantage is more likely to be missed."
            )
        if self.observed:
            return f"If that is the true advantage, {takes} have a chance of {chance} of showing it.{self._rough()}"
        return f"It takes {takes} to show with a chance of {chance} that a player who {wins} is better.{self._rough()}"

    def _rough(self) -> str:
        """A warning where the normal approximation is stretched."""
        few = 2 * self.pairs * (1 - self.advantage) < FEW_LOST if self.unit == "games" else self.pairs < LEAST_PAIRS
        return " (A rough figure: the normal approximation is poor for so few.)" if few else ""

    def _pilot_sentences(self) -> Iterator[str]:
        if (p := self.pilot) is None:
            return
        basis = f"{p.pairs:,} duplicate pairs of {self.unit}, {p.rules}"
        if self.unit == "games":
            of = f"{p.better} won {percent(p.advantage)} of the games against {p.worse}"
            within = f"{percent(p.low)} to {percent(p.high)}"
        else:
            of = f"{p.better} gained {p.advantage:.3f} points per hand against {p.worse}"
            within = f"{p.low:.3f} to {p.high:.3f}"
        yield f"In the pilot {of} (95 % interval {within}; {basis})."

    def _range_sentences(self) -> Iterator[str]:
        if (found := self.pairs_range) is None:
            return
        least, most = found
        if most is None:
            yield (
                f"But the pilot does not yet show who is better: {2 * least:,} {self.unit} are enough at the far end of its "
                "interval, and no number is enough at the near end."
            )
        else:
            yield f"The pilot's figure is itself uncertain: over its interval, {2 * least:,} to {2 * most:,} are needed."

    def _luck_sentences(self) -> Iterator[str]:
        one, skill = self.unit[:-1], self.advantage - self.even
        yield f"One {one} is {percent(planning.luck(self.variance, skill))} luck;"
        lead = self.to_lead
        games = one if lead == 1 else self.unit
        after = f"after {lead:,} {games}" if lead is not None else f"only after more than a million {games}"
        yield f"the better player leads with a chance of {percent(LEVEL)} {after}."


def plan(
    a: str | Strategy | None = None,
    b: str | Strategy | None = None,
    rules: str | RulesModel = "classic25",
    *,
    win: float | str | None = None,
    points: float | None = None,
    games: int | None = None,
    hands: int | None = None,
    by: Unit | None = None,
    power: float | str = 1 - MISSED,
    sd: float | None = None,
    pilot: Comparison | None = None,
    deals: int = 20_000,
    pilot_games: int | None = None,
    seed: int = 0,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Say how many hands or games show which of two players is better, or what a given number can show, and how much is luck.

    A player is shown to be better if the 95 % interval of the games won leaves out 50 % (of the points, 0). Without a pilot the
    two games of a duplicate pair count as independent; how much playing each deal from both seats saves depends on the players.

    Parameters
    ----------
    a, b : str or Strategy, optional
        Play them against each other first: a pilot, whose variance is used, and whose advantage if none is asked about.
    rules : str or Rules
        Of the pilot.
    win : float or str, optional
        Share of games that the better player wins: ``0.55`` or ``"55%"``.
    points : float, optional
        Points per hand that the better player gains.
    games, hands : int, optional
        How many can be played, if the question is what they can show; half as many duplicate pairs.
    by : {'games', 'hands'}, optional
        With a pilot, and nothing else asked: plan for the games won (if it has games) or the points per hand.
    power : float or str
        The chance of showing the advantage, from 50 % up.
    sd : float, optional
        Standard deviation of the points of one hand, 30 if not given; not with a pilot.
    pilot : Comparison, optional
        A result of `compare`, instead of ``a`` and ``b``.
    deals, pilot_games : int
        Duplicate pairs of hands and of games of the pilot; a tenth as many games as deals if not given.
    seed, workers, progress
        Of the pilot, as for `compare`.

    Returns
    -------
    Plan

    Raises
    ------
    InputError
        For what is not allowed, for two questions at once or none, and for a pilot that shows no advantage.

    Examples
    --------
    >>> found = plan(win="55%", power="95%")
    >>> found.pairs, found.to_lead, found.half_luck
    (647, 269, 99)
    >>> round(plan(games=1294, power=0.95).advantage, 3)
    0.55
    >>> plan(points=0.5).alone
    28256
    """
    asked = {"win": win, "points": points, "games": games, "hands": hands}
    question = [name for name, value in asked.items() if value is not None]
    if len(question) > 1:
        raise InputError(f"{question[0]} and {question[1]}: two questions at once; ask one")
    chance = read_share("power", power, 0.5, "the chance to show the advantage, from 50% to 99.99%")
    pilot = _pilot(a, b, rules, pilot, deals, pilot_games, seed, workers, progress)
    if not question and pilot is None:
        raise InputError("plan: nothing is asked; give one of win, points, games and hands, or two strategies to play a pilot")
    unit = _unit(question, by, pilot)
    if sd is not None and (unit == "games" or pilot is not None):
        raise InputError("sd: it is only for hands without a pilot, which knows it")
    of, pair, single = _variances(unit, pilot, _sd(sd))
    if win is not None:
        advantage = read_share("win", win, 0.5001, "the better player's share of games, from 50.01% to 99.99%")
    elif points is not None:
        advantage = _points(points)
    elif games is not None or hands is not None:
        number = check_count(unit, games if hands is None else hands, 2, MOST)
        return Plan(unit, _shown(unit, pair, number // 2, chance), chance, number, pair, single, of)
    else:
        assert of is not None
        if of.advantage == 0 or (unit == "games" and of.advantage in (0.5, 1.0)):
            what = "won every game" if of.advantage == 1 else "came out even"
            raise InputError(f"pilot: {of.better} {what} against {of.worse}; say which advantage to plan for (win or points)")
        return Plan(unit, of.advantage, chance, None, pair, single, of, observed=True)
    return Plan(unit, advantage, chance, None, pair, single, of)


def read_share(field: str, value: object, least: float, allowed: str) -> float:
    """A share, written ``0.55``, ``"55%"`` or ``"55 %"``, from ``least`` to 0.9999.

    Raises
    ------
    InputError
        For anything else: 55 without a sign may mean what it likes.

    Examples
    --------
    >>> read_share("win", "55 %", 0.5, "a share"), read_share("win", 0.55, 0.5, "a share")
    (0.55, 0.55)
    """
    found = re.fullmatch(r"\s*([0-9]{1,3}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})\s*(%?)\s*", str(value)[:40], re.ASCII)
    if isinstance(value, bool) or not found:
        raise InputError(f"{field}: {shown(value)} is not allowed; give {allowed}, such as 55% or 0.55")
    number = float(found[1])
    if not found[2] and number > 1:
        raise InputError(f"{field}: {shown(value)} is not clear; write {found[1]}% or, as a share of 1, {number / 100:g}")
    share = number / 100 if found[2] else number
    if not least <= share <= 0.9999:
        raise InputError(f"{field}: {shown(value)} is not allowed; give {allowed}")
    return share


def _points(points: object) -> float:
    if isinstance(points, bool) or not isinstance(points, int | float) or not 0.001 <= points <= 1000:
        raise InputError(f"points: {shown(points)} is not allowed; give the better player's points per hand, from 0.001 to 1000")
    return float(points)


def _sd(sd: object) -> float:
    if sd is None:
        return POINTS_SD
    if isinstance(sd, bool) or not isinstance(sd, int | float) or not 1 <= sd <= 1000:
        raise InputError(f"sd: {shown(sd)} is not allowed; give the standard deviation of the points of a hand, from 1 to 1000")
    return float(sd)


def _unit(question: list[str], by: Unit | None, pilot: Comparison | None) -> Unit:
    """What is counted: as the question says, or ``by``, or games if the pilot has any."""
    if by is not None and (by not in get_args(Unit) or question):
        why = "it is only for a pilot of which nothing else is asked" if question else "give games or hands"
        raise InputError(f"by: {shown(by)} is not allowed; {why}")
    if question:
        return "games" if question[0] in ("win", "games") else "hands"
    assert pilot is not None
    return by or ("games" if pilot.games_tally["decided"] else "hands")


def _shown(unit: Unit, variance: float, number: int, power: float) -> float:
    """The least advantage that so many pairs (or games or hands) show."""
    if unit == "hands":
        return planning.difference_shown(variance, number, missed=1 - power)
    share = planning.share_shown(variance, number, missed=1 - power)
    if not share < 1:
        raise InputError("games: so few show nothing, even of a player who wins them all; give a larger number")
    return share


def _pilot(
    a: str | Strategy | None, b: str | Strategy | None, rules: str | RulesModel, pilot: Comparison | None, deals: int,
    pilot_games: int | None, seed: int, workers: int | None, progress: Progress | None,
) -> Comparison | None:  # fmt: skip
    """The comparison that is given, or that is played."""
    if a is None and b is None:
        if pilot is not None:
            from ginsim.study.compare import Comparison

            if not isinstance(pilot, Comparison):
                raise InputError(f"pilot: {type(pilot).__name__} is not allowed; give a result of compare")
        return pilot
    if a is None or b is None:
        raise InputError(f"{'a' if a is None else 'b'}: a pilot needs two strategies")
    if pilot is not None:
        raise InputError("pilot: give it, or two strategies, not both")
    from ginsim.study.compare import compare

    return compare(a, b, rules, deals, seed, workers, pilot_games, progress=progress)


def _variances(unit: Unit, pilot: Comparison | None, sd: float) -> tuple[Pilot | None, float, float]:
    """The pilot in short; between equal players the variance of a duplicate pair, and that of one game or hand."""
    single = EVEN_GAME if unit == "games" else sd * sd
    if pilot is None:
        return None, single / 2, single
    if pilot.a == pilot.b:
        raise InputError(f"pilot: {pilot.a} plays itself, and no number of hands shows a difference; give two strategies")
    pairs = pilot.games_tally["pairs"] if unit == "games" else pilot.deals
    if pairs < LEAST_PAIRS or (unit == "games" and not pilot.games_tally["decided"]):
        many = f"{pairs:,} duplicate pairs of {unit}"
        raise InputError(f"pilot: {many} are too few to estimate the variance; play {LEAST_PAIRS} or more")
    estimate = pilot.games_won if unit == "games" else pilot.points_per_hand
    value, even = estimate.value, 0.5 if unit == "games" else 0.0
    names, low, high = (pilot.a, pilot.b), estimate.low, estimate.high
    if value < even:
        names, value, low, high = (pilot.b, pilot.a), 2 * even - value, 2 * even - high, 2 * even - low
    of = Pilot(*names, pilot.rules, pairs, value, low, high)
    variance = estimate.se**2 * pairs
    if unit == "games":  # of equal players; of one who won every game nothing better is known
        return of, variance * EVEN_GAME / (value * (1 - value)) if value < 1 else EVEN_GAME / 2, EVEN_GAME
    saved = pilot.variance_saved
    return of, variance, 2 * variance / (1 - (0.0 if math.isnan(saved) else saved))


def percent(share: float) -> str:
    """A share in per cent, with as many decimals as tell it from all, half and nothing.

    Examples
    --------
    >>> percent(0.55), percent(0.6377), percent(0.99972), percent(0.50012)
    ('55 %', '63.8 %', '99.97 %', '50.012 %')
    """
    apart = min(x for x in (share, 1 - share, abs(share - 0.5), 0.5) if x > 0)
    for decimals in range(1, 9):
        text = f"{100 * share:.{decimals}f}"
        if abs(float(text) / 100 - share) <= apart / 10:
            break
    return f"{text.rstrip('0').rstrip('.')} %"
