"""Two strategies against each other in duplicate pairs: what a file may say, what is played, what can be said of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from ginsim.deals import MOST_DEALS
from ginsim.errors import InputError, suggest
from ginsim.games.base import GAME_TALLY, GAMES, HANDS, as_dict
from ginsim.games.catalog import game_of, rules_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.control import control_saved, controlled_mean, luck_names, sums_in
from ginsim.inference.corrections import block_sums, bootstrap_ratio
from ginsim.inference.estimates import (
    GAME_UNIT,
    POINTS_UNIT,
    TURNS_UNIT,
    Estimate,
    RatioSums,
    interval_text,
    mean_of_pairs,
    share_of_hands,
    share_of_pairs,
    table_text,
    within,
)  # fmt: skip
from ginsim.inference.measures import Measure
from ginsim.inference.planning import pairs_to_show
from ginsim.inference.sequential import MOMENTS, PowerSums, Sequential, SequentialTest
from ginsim.simulation.execute import Progress
from ginsim.simulation.hands import read_parts
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.base import PairExperiment, carried_out, register
from ginsim.study.criterion import (
    Judged,
    JudgedExperiment,
    JudgedManifest,
    bounds,
    check_by,
    disagreement_of_two,
    opposite,
    said,
    told_by,
)
from ginsim.study.kept import TALLIES, Manifest, Sums, check_pairings, hands_folder, pairing_key, pairings_text, with_later_sums
from ginsim.study.measures import COMPARED, OF_GAMES
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CompareExperiment", "Comparison", "compare", "comparison_of", "works_of"]

KEY = pairing_key(0, 1)


@dataclass(frozen=True)
class Comparison(Judged):
    """The result of `compare`: figures from the side of ``a``, each an `Estimate`.

    Attributes
    ----------
    a, b : str
        The strategies as specs.
    rules : str
    seed : int
    hands_tally, games_tally : mapping of str to int
        The sums that everything is computed from (``Game.hand_tally``, ``GAME_TALLY``).
    luck_tally : mapping of str to int, optional
        Those for control variates, if the luck of the draw was measured (``control``).
    sequential : Sequential, optional
        The course of the test, if it was played until decided.
    by : str, optional
        What better means (``ginsim.study.criterion``).
    """

    a: str
    b: str
    rules: str
    seed: int | tuple[int, ...]
    hands_tally: dict[str, int]
    games_tally: dict[str, int]
    luck_tally: dict[str, int] | None = None
    sequential: Sequential | None = None
    wall_seconds: float = field(default=math.nan, compare=False)
    hands_folder: Path | None = field(default=None, compare=False)
    by: str | None = None

    @property
    def natural(self) -> str:
        """Games won; points per hand if no game was finished, or the test or the luck that was measured is of points."""
        of_points = self.sequential is not None or self.luck_tally is not None
        return "points_per_hand" if of_points else super().natural

    @property
    def deals(self) -> int:
        """Duplicate pairs of hands played."""
        return self.hands_tally["pairs"]

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games, by pairing."""
        return [self.games_tally]

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        return 2 * self.deals + self.games_tally["hands"]

    @property
    def table_size(self) -> int:
        """Seats at the table: hands and seats that share the points of a pair."""
        return self.game.seats(rules_of(self.rules))

    @property
    def _mirror(self) -> bool:
        """Whether a strategy plays itself: then the plays of a pair must cancel."""
        return self.a == self.b

    @property
    def _cancels(self) -> bool:
        """Whether they did: the difference is 0 exactly."""
        return self._mirror and not self.hands_tally["points_sq"]

    @cached_property
    def points_per_hand(self) -> Estimate:
        """Points of ``a`` less those of ``b``, per hand (and seat, where a strategy has several)."""
        t = self.hands_tally
        return mean_of_pairs(t["points"], t["points_sq"], t["pairs"], self.table_size, unit=0 if self._cancels else POINTS_UNIT)

    @cached_property
    def points_controlled(self) -> Estimate:
        """Points per hand with the luck of the draw taken out (``ginsim.inference.control``); plain if it was not measured."""
        return self.points_per_hand if self.luck_tally is None or self._cancels else controlled_mean(self.luck_tally)

    @cached_property
    def hands_won(self) -> Estimate:
        """Share (0 … 1) of the decided hands that ``a`` won."""
        return _share(self.hands_tally, self._mirror)

    @cached_property
    def games_won(self) -> Estimate:
        """Share (0 … 1) of the finished games that ``a`` won."""
        return _share(self.games_tally, self._mirror)

    @cached_property
    def margin_per_game(self) -> Estimate:
        """Settled margin of a game (bonuses and boxes included) from the side of ``a``.

        A game stopped unfinished counts with a margin of 0; the margin is unknown (nan) if no game was finished.
        """
        t = self.games_tally
        unit = 0 if self._mirror and not t["margin_sq"] else GAME_UNIT
        return mean_of_pairs(t["margin"], t["margin_sq"], t["pairs"] if t["decided"] else 0, self.table_size, unit=unit)

    @cached_property
    def starter_share(self) -> Estimate:
        """Share (0 … 1) of the decided hands won by the player who acts first."""
        return share_of_pairs(RatioSums.named(self.hands_tally, "starter"))

    @cached_property
    def hands_per_game(self) -> Estimate:
        """Hands of a game, those stopped unfinished included; unknown (nan) if no game was finished."""
        return hands_of_games(self.games_tally, 2)

    @cached_property
    def turns_per_hand(self) -> Estimate:
        """Turns of all players in a hand."""
        t = self.hands_tally
        return mean_of_pairs(t["turns"], t["turns_sq"], t["pairs"], unit=TURNS_UNIT)

    def figures(self) -> dict[str, Estimate]:
        """The measures that say who is better, by their names; points per hand without luck, if that was measured."""
        of = {"points_per_hand": "points_controlled"}
        return {name: getattr(self, of.get(name, name)) for name in (self.criterion, *self.others)}

    @property
    def variance_saved(self) -> float:
        """Share of the variance of points per hand that playing each deal twice, seats exchanged, saves.

        0.3 means that as many hands on independent decks would have needed 1 / 0.7 times the number.
        """
        t = self.hands_tally
        n, mean = t["pairs"], t["points"] / max(t["pairs"], 1) / 2
        single = t["single_sq"] / max(2 * n, 1) - mean * mean
        if n < 2 or single <= 0:
            return math.nan
        paired = (t["points_sq"] - t["points"] ** 2 / n) / (n - 1) / 4
        return 1 - paired / (single / 2)

    @property
    def control_saved(self) -> float:
        """Share of the variance of plain pairing that taking out the luck of the draw saves; nan if it was not measured."""
        return math.nan if self.luck_tally is None else control_saved(self.luck_tally)

    def measure(self, name: str) -> Estimate:
        """One of the measures that the game keeps of compared hands (``Game.shown``), over all hands."""
        t, key, measure = self.hands_tally, self.game.sum_of(name), self.game.measures[name]
        return of_measure(measure, t[key], t[f"{key}_sq"], t["pairs"], 2)

    def seats_won(self) -> pd.DataFrame:
        """Share of all hands won from each seat (0 starts), with 95 % intervals, where the game keeps that."""
        import pandas as pd

        rows = [(seat, self.measure(f"seat_{seat}")) for seat in range(self.table_size) if f"seat_{seat}" in self.game.measures]
        return pd.DataFrame([(seat, e.value, e.low, e.high) for seat, e in rows], columns=["seat", "share", "low", "high"])

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), table_text(self.summary()), self.remark)))

    def endings(self) -> pd.DataFrame:
        """How the hands ended: hands, share of all hands with its interval, mean points, by ending and winner.

        Where both players won hands in the same way, a row for either of them follows. The interval is Wilson's over pairs.
        """
        return endings_table(self)

    def summary(self) -> pd.DataFrame:
        """The main figures, one a row: measure, estimate, low, high; those of games only if one was finished."""
        import pandas as pd

        rows: list[tuple[str, Estimate]] = [("points per hand", self.points_per_hand)]
        if self.luck_tally is not None:
            rows.append(("points per hand, luck taken out", self.points_controlled))
        if self.hands_tally["decided"]:
            rows.append(("hands won", self.hands_won))
        if self.games_tally["decided"]:
            rows += [("games won", self.games_won), ("margin per game", self.margin_per_game)]
            rows.append((COMPARED["hands_per_game"].label, self.hands_per_game))
        rows.append(("turns per hand", self.turns_per_hand))
        if self.hands_tally["decided"]:
            rows.append(("starter's share", self.starter_share))
        rows += [(self.game.measures[name].label, self.measure(name)) for name in self.game.shown]
        return pd.DataFrame(
            [(name, float(e), e.low, e.high) for name, e in rows], columns=["measure", "estimate", "low", "high"]
        ).set_index("measure")

    def verdict(self) -> str:
        """Who is better by the criterion, and by how much, or that it is not yet clear; what other measures say against it; how
        long games last.
        """
        return self._decision() + self._length()

    def _length(self) -> str:
        """How many hands a game takes; empty if none was finished."""
        if not self.games_tally["decided"]:
            return ""
        name, e = "hands_per_game", self.hands_per_game
        interval = "" if math.isnan(e.low) else f" (95 % interval {bounds(name, e)})"
        return f" A game takes {COMPARED[name].value_text(e.value)} hands on average{interval}."

    def _decision(self) -> str:
        if self.deals and self._cancels:
            basis = f"{self.deals:,} duplicate pairs, {self.rules}"
            return f"{self.a} plays itself: with the seats exchanged every deal cancels exactly ({basis})."
        if self.sequential is not None:
            return self.sequential.reason(self.a, self.b)
        return self._answer() + disagreement_of_two(self.criterion, self.figures(), self.a, self.b)

    def _answer(self) -> str:
        name, m = self.criterion, self.judged
        e, of_games = self.figures()[name], name in OF_GAMES
        pairs = self.games_tally["pairs"] if of_games else self.deals
        basis = f"{pairs:,} duplicate pairs{' of games' if of_games else ''}, {self.rules}"
        if self.deals and not self.hands_tally["points_sq"] and not (of_games and self.games_tally["margin_sq"]):
            gain, where = self.figures()["points_per_hand"], " and in every pair of games" if of_games else ""
            return (
                f"{self.a} and {self.b} came out equal on every deal{where}; so the difference is between "
                f"{interval_text(gain.low, gain.high, '+.3f', ' and ')} points per hand "
                f"(95 % interval; {self.deals:,} duplicate pairs, {self.rules})."
            )
        side = m.side(e)
        if not side:
            more, off = "", e.value - m.neutral
            if off and math.isfinite(e.se):
                needed = _round_up(pairs_to_show(pairs * e.se**2, off))
                more = f"; if the true difference is the one observed, about {needed:,} pairs would show it in four of five cases"
            stand = said(name, e.value) if m.signed else f"{self.a} stands at {said(name, e.value)}"
            return (
                f"It is not yet clear which of {self.a} and {self.b} is better: {stand}, "
                f"95 % interval {bounds(name, e)} ({basis}{more})."
            )
        best, worst = (self.a, self.b) if side > 0 else (self.b, self.a)
        own = e if side > 0 else opposite(m, e)
        if name == "points_per_hand":
            by = f"by {own.value:.3f} points per hand (95 % interval {own.low:.3f} to {own.high:.3f}; {basis})"
        else:
            by = f"with {said(name, own.value)} (95 % interval {bounds(name, own)}; {basis})"
        return f"{best} is better than {worst} {by}."

    def hands(self) -> pd.DataFrame:
        """The per-hand table, if it was kept (``keep_hands``); ``Game.hand_columns`` names the columns.

        Player 0 (``_0``) is the first strategy of the pairing, 1 the second, whoever starts; -1 is nobody.
        """
        if self.hands_folder is None:
            raise InputError("hands: this comparison kept none; run it with keep_hands=FOLDER (--hands)")
        return read_parts(self.hands_folder, played=2 * self.deals)

    def bootstrap(self, measure: str = "points_per_hand", resamples: int = 9_999, seed: int = 0) -> Estimate:
        """A figure with a bootstrap interval (``ginsim.inference.corrections``), as a check of the one shown.

        Parameters
        ----------
        measure : {'points_per_hand', 'hands_won'}
        resamples, seed : int

        Raises
        ------
        InputError
            If the hands were not kept (``keep_hands``).
        """
        known = ("points_per_hand", "hands_won")
        if measure not in known:
            raise InputError(f"measure: {measure!r} is not bootstrapped; {suggest(measure, known)}")
        hands = self.hands()
        first, decided = hands["winner"] == 0, hands["winner"] >= 0
        points = hands["points"].where(first, -hands["points"]).astype(np.int64)
        above, below = (points, 1) if measure == "points_per_hand" else (first, decided)
        plays = np.column_stack([np.broadcast_to(column, len(hands)).astype(np.int64) for column in (above, below)])
        pairs = plays.reshape(-1, 2, 2).sum(axis=1)
        gained, of = block_sums(pairs).T.astype(float)
        return bootstrap_ratio(gained, of, resamples=resamples, seed=seed)


def _share(t: dict[str, int], exact: bool) -> Estimate:
    return share_of_pairs(RatioSums.named(t), exact=exact)


def _round_up(x: float) -> int:
    digits = 10 ** max(0, math.floor(math.log10(max(x, 1))) - 1)
    return int(math.ceil(x / digits) * digits)


def of_measure(measure: Measure, total: int, squares: int, deals: int, plays: int) -> Estimate:
    """A measure's mean over the plays of so many deals: a share of them with Wilson's interval, or with Student's."""
    if measure.kind == "share":
        found = share_of_pairs(RatioSums(total, squares, plays * deals, plays * plays * deals, plays * total, deals))
    else:
        found = mean_of_pairs(total, squares, deals, plays, unit=measure.step)
        found = found if measure.signed else within(found, 0, math.inf)
    return scaled(found, measure.scale)


def hands_of_games(t: Mapping[str, int], plays: int) -> Estimate:
    """Hands of a game, of which each was played so often, from sums over games: without an interval if they hold no squares.

    Examples
    --------
    >>> t = {"pairs": 3, "decided": 6, "hands": 60, "hands_sq": 1208}
    >>> e, older = hands_of_games(t, 2), hands_of_games({name: t[name] for name in ("pairs", "decided", "hands")}, 2)
    >>> COMPARED["hands_per_game"].text(e), COMPARED["hands_per_game"].text(older)
    ('10.00 (6.07 to 13.93)', '10.00')
    """
    m, pairs = COMPARED["hands_per_game"], t["pairs"] if t["decided"] else 0
    if pairs and "hands_sq" not in t:
        return Estimate(t["hands"] / pairs / plays, math.nan, math.nan, math.nan)
    return of_measure(m, t["hands"], t.get("hands_sq", 0), pairs, plays)


def scaled(e: Estimate, scale: float) -> Estimate:
    """An estimate of which the sums count so much for one."""
    return e if scale == 1 else Estimate(*(scale * x for x in (e.value, e.low, e.high, e.se)))


def alike(t: Mapping[str, int], ending: str, side: int | None = None) -> int:
    """Pairs of which both plays ended so, or at most so many: with that side as winner, or with any."""
    key, total = f"{ending}_both" + ("" if side is None else f"_{side}"), t[f"{ending}_0"] + t[f"{ending}_1"]
    if key in t:
        return t[key]
    if side != 1 and f"{ending}_sq" in t:  # nobody's hands are all of side 0
        return (t[f"{ending}_sq"] - total) // 2
    return total


def endings_table(result: Comparison) -> pd.DataFrame:
    """How the hands of a comparison ended (`Comparison.endings`)."""
    import pandas as pd

    t, game = result.hands_tally, result.game
    names = (result.a, result.b) if result.a != result.b else (f"{result.a} (first)", f"{result.b} (second)")
    rows = []
    for ending in game.endings:
        parts = [(t[f"{ending}_{p}"], t[f"{ending}_points_{p}"], alike(t, ending, p), name) for p, name in enumerate(names)]
        won = [part for part in parts if part[0]]
        if len(won) == 2:
            won.append((won[0][0] + won[1][0], won[0][1] + won[1][1], alike(t, ending), "either"))
        for hands, points, both, name in won:
            winner = "nobody" if ending in game.nobody else name
            share = share_of_hands(hands, min(both, hands // 2), result.deals)
            rows.append((ending, winner, hands, share.value, share.low, share.high, points / hands))
    return pd.DataFrame(rows, columns=["ending", "winner", "hands", "share", "low", "high", "points"])


# --- what is played ----------------------------------------------------------------------------------------------------


def works_of(
    a: Strategy, b: Strategy, rules: RulesModel, deals: int, games: int, seed: int, key: str = KEY, number: int = 0,
    control: bool = False,
) -> list[Work]:  # fmt: skip
    """The works of one pairing; pairing ``number`` of a study has deals and games of its own."""
    of = (a, b), rules, seed
    hands = [Work(*of, HANDS, number * deals, deals, key, check_control(control, rules))] if deals else []
    return hands + ([Work(*of, GAMES, number * games, games, key)] if games else [])


def check_control(control: bool, rules: RulesModel) -> bool:
    """``control`` if the luck of the draw can be measured under these rules."""
    if control:
        game_of(rules).has("luck", rules, "for which the luck of the draw is not measured (control)")
        if getattr(rules, "stock_end", "") == "reshuffle":
            raise InputError(f"control: the luck of the draw is not measured where the stock is reshuffled ({rules})")
    return control


def comparison_of(
    tallies: Tallies, a: Strategy, b: Strategy, rules: RulesModel, seed: int, key: str = KEY, **more: Any
) -> Comparison:
    """The comparison that the tallies of ``key`` amount to."""
    names = game_of(rules).hand_tally
    hands = tallies.sums.get((key, HANDS), np.zeros(len(names), np.int64))
    return _comparison(hands, tallies, a, b, rules, seed, key, **more)


def _comparison(
    hands: np.ndarray, tallies: Tallies, a: Strategy, b: Strategy, rules: RulesModel, seed: int, key: str, **more: Any
) -> Comparison:
    names = game_of(rules).hand_tally
    own, luck = np.split(hands, [len(names)])
    games = tallies.sums.get((key, GAMES), np.zeros(len(GAME_TALLY), np.int64))
    lucky = as_dict(luck_names(sums_in(luck.size)), luck) if luck.size else None
    return Comparison(str(a), str(b), str(rules), seed, as_dict(names, own), as_dict(GAME_TALLY, games), lucky, **more)


class CompareExperiment(JudgedExperiment, PairExperiment):
    """``a`` against ``b``."""

    kind: Literal["compare"] = "compare"
    deals: int = Field(20_000, ge=1, le=MOST_DEALS, description="duplicate pairs of hands")
    until: SequentialTest | None = Field(
        None, description="stop when this test has decided, {points = 0.25, alpha = 0.05, beta = 0.05}; at most after all deals"
    )
    control: bool = Field(False, description="take the luck of the draw out of the points per hand")

    @model_validator(mode="after")
    def _until_and_control(self) -> Self:
        check_control(self.control, self.rules)
        if self.until and self.part != "1/1":
            raise InputError(f"part: {self.part!r} is not allowed with until: what is played depends on what was played before")
        return self

    @model_validator(mode="after")
    def _games_to_judge_by(self) -> Self:
        if self.until and self.by in OF_GAMES:
            raise InputError(f"by: {self.by!r} is not allowed with until: the test is of points per hand")
        check_by(self.by, self.game_pairs)
        return self

    @property
    def keeps_hands(self) -> bool:
        return True

    @property
    def game_pairs(self) -> int:
        return 0 if self.until and self.games is None else super().game_pairs

    def works(self) -> list[Work]:
        of = self.a, self.b, self.rules
        if self.until:
            return self.next_works(Tallies()) + works_of(*of, 0, self.game_pairs, self.seed)
        return works_of(*of, self.deals, self.game_pairs, self.seed, control=self.control)

    def next_works(self, tallies: Tallies) -> list[Work]:
        """Of a sequential test, what is to be played for the next look; nothing once it is decided, or after all deals."""
        if self.until is None:
            return []
        _, course = self._course(self.until, tallies)
        if course.decision or course.pairs == self.deals:
            return []
        first, number = course.pairs, len(course.looks)
        count = self.until.looks(self.deals)[number] - first
        of = (self.a, self.b), self.rules, self.seed
        return [Work(*of, HANDS, first, count, look_key(number), self.control, moments=True)]

    def _course(self, test: SequentialTest, tallies: Tallies) -> tuple[np.ndarray, Sequential]:
        """The sums of the looks that are played in full, up to the decision, and the course of the test."""
        names, per, most = self.game.hand_tally, self.game.seats(self.rules), self.game.most_points(self.rules)
        width, end = len(names), len(names) + len(MOMENTS)
        totals: list[np.ndarray] = []
        sums: list[PowerSums] = []
        for number, pairs in enumerate(test.looks(self.deals)):
            key, before = (look_key(number), HANDS), sums[-1].pairs if sums else 0
            if sum(count for _, count in tallies.ranges.get(key, [])) < pairs - before:
                break
            totals.append(tallies.sums[key] + (totals[-1] if totals else 0))
            sums.append(PowerSums.of(as_dict(names, totals[-1][:width]), as_dict(MOMENTS, totals[-1][width:end]), per))
        looks = test.course(sums, most)
        total = totals[len(looks) - 1] if looks else np.zeros(end, np.int64)
        return np.delete(total, slice(width, end)), Sequential(test, looks, self.deals, most, per)

    def result(self, tallies: Tallies, **more: Any) -> Comparison:
        of = tallies, self.a, self.b, self.rules, self.seed
        if self.until is None:
            return comparison_of(*of, by=self.by, **more)
        hands, course = self._course(self.until, tallies)
        return _comparison(hands, *of, KEY, sequential=course, by=self.by, **more)


def look_key(number: int) -> str:
    """Key of the works between look ``number - 1`` and look ``number``."""
    return f"{KEY}@{number:03d}"


def compare(
    a: str | Strategy,
    b: str | Strategy,
    rules: str | RulesModel = "classic25",
    deals: int = 100_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    keep_hands: str | Path | None = None,
    progress: Progress | None = None,
    until: SequentialTest | Mapping[str, Any] | None = None,
    control: bool = False,
    by: str | None = None,
) -> Comparison:
    """Play ``a`` against ``b`` in duplicate pairs.

    Parameters
    ----------
    a, b : str or Strategy
        ``"threshold(knock=4)"``, ``"path/to/file.py:name"`` or a strategy.
    rules : str or Rules
        Of whatever game; at a table of more than two the strategies sit alternately.
    deals : int
        Duplicate pairs of hands: each deal is played twice, with the seats exchanged, at a score of 0 to 0.
    seed : int
        The same seed gives the same result, whatever the number of workers.
    workers : int, optional
        Threads; all cores by default. ``joblib.parallel_config`` chooses another backend.
    games : int, optional
        Duplicate pairs of whole games, on decks of their own; a tenth of ``deals`` by default, 0 for none.
    keep_hands : path, optional
        A folder for the record of every hand (Parquet, in parts).
    progress : callable, optional
        See ``ginsim.simulation.execute``.
    until : SequentialTest or its fields as a mapping, optional
        Stop as soon as this test has decided; ``deals`` is then the maximum, and no games are played unless asked for.
    control : bool
        Also take the luck of the draw out of the points per hand, which narrows the interval.
    by : {'games_won', 'margin_per_game', 'points_per_hand'}, optional
        What better means. By default games won, because the rules play to a target and settle whole games; points per hand if no
        games are played, or with ``until`` or ``control``, which are about points. The other measures are shown beside it.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        For anything that is not allowed, naming the field and the value.

    Examples
    --------
    >>> result = compare("simple", "simple", "eaai", deals=50, seed=1, games=0)
    >>> float(result.points_per_hand), float(result.hands_won)
    (0.0, 0.5)
    """
    test = dict(until) if isinstance(until, Mapping) else until
    of = built("compare", a=a, b=b, rules=rules, deals=deals, seed=seed, games=games, until=test, control=control, by=by)
    result: Comparison = carried_out(of, workers, progress, keep_hands)
    return result


# --- how it is kept ------------------------------------------------------------------------------------------------------


def kept_pairing(manifest: Manifest, sums: Sums, i: int, j: int, **more: Any) -> Comparison:
    """The comparison of strategies ``i`` and ``j`` that was saved."""
    of = sums[pairing_key(i, j)]
    names = manifest.strategies[i], manifest.strategies[j], str(manifest.played), manifest.seeds
    return Comparison(*names, of[HANDS], of[GAMES], of.get("luck"), **more)


def _facts(c: Comparison) -> dict[str, Any]:
    return told_by(c) | ({"deals": c.deals, "until": c.sequential.as_dict()} if c.sequential else {})


def _rebuilt(folder: Path, manifest: JudgedManifest, sums: Sums, **more: Any) -> Comparison:
    if len(manifest.strategies) != 2:
        raise InputError(f"a compare has 2 strategies, not {len(manifest.strategies)}")
    check_pairings(folder / TALLIES, sums, 2, game_of(manifest.played))
    more["sequential"] = Sequential.of(manifest.until.model_dump(exclude_none=True)) if manifest.until else None
    return kept_pairing(manifest, sums, 0, 1, hands_folder=hands_folder(folder, manifest), by=manifest.by, **more)


register(
    "compare", experiment=CompareExperiment, result=Comparison, text=lambda c: pairings_text({(0, 1): c}),
    manifest=JudgedManifest, sums=Sums, build=_rebuilt, facts=_facts, against_itself=True, version=3, bring=with_later_sums,
)  # fmt: skip
