"""Two strategies against each other in duplicate pairs: what is played, and what can be said of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.errors import InputError, check_count, shown, suggest
from ginsim.games.gin import records as H
from ginsim.games.gin.count import GAME_TALLY, HAND_TALLY, LUCK_TALLY, as_dict
from ginsim.games.gin.rules import Rules
from ginsim.games.strategy import Strategy
from ginsim.games.table.rules import is_table
from ginsim.inference.control import control_saved, controlled_mean
from ginsim.inference.corrections import block_sums, bootstrap_ratio
from ginsim.inference.estimates import (
    GAME_UNIT,
    POINTS_UNIT,
    TURNS_UNIT,
    Estimate,
    RatioSums,
    interval_text,
    mean_of_pairs,
    pairs_to_show,
    share_of_hands,
    share_of_pairs,
    table_text,
)  # fmt: skip
from ginsim.inference.sequential import Sequential, SequentialTest, as_test, next_works, sequential_of
from ginsim.simulation.execute import Progress, execute
from ginsim.simulation.hands import empty_folder
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import GAMES, HANDS, Work
from ginsim.study.result import Result

if TYPE_CHECKING:
    import pandas as pd

MOST_DEALS = 1 << 36
MOST_SEED = 1 << 62
RANGES = {"deals": (1, MOST_DEALS), "games": (0, MOST_DEALS), "seed": (0, MOST_SEED)}
DEALS_PER_GAME = 10
"""Deals for each pair of games, unless the number of games is given; a game takes about ten hands."""


@dataclass(frozen=True)
class Comparison(Result):
    """The result of `compare`: figures from the side of ``a``, each an `Estimate`.

    Attributes
    ----------
    a, b : str
        The strategies as specs.
    rules : str
    seed : int
    hands_tally, games_tally : mapping of str to int
        The sums that everything is computed from (``ginsim.games.gin.count``).
    luck_tally : mapping of str to int, optional
        Those for control variates, if the luck of the draw was measured (``control``).
    sequential : Sequential, optional
        The course of the test, if it was played until decided.
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
    def _mirror(self) -> bool:
        """Whether a strategy plays itself: then the plays of a pair must cancel."""
        return self.a == self.b

    @property
    def _cancels(self) -> bool:
        """Whether they did: the difference is 0 exactly."""
        return self._mirror and not self.hands_tally["points_sq"]

    @cached_property
    def points_per_hand(self) -> Estimate:
        """Points of ``a`` less those of ``b``, per hand."""
        t = self.hands_tally
        return mean_of_pairs(t["points"], t["points_sq"], t["pairs"], unit=0 if self._cancels else POINTS_UNIT)

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
        return mean_of_pairs(t["margin"], t["margin_sq"], t["pairs"] if t["decided"] else 0, unit=unit)

    @cached_property
    def starter_share(self) -> Estimate:
        """Share (0 … 1) of the decided hands won by the player who acts first."""
        return share_of_pairs(RatioSums.named(self.hands_tally, "starter"))

    @cached_property
    def turns_per_hand(self) -> Estimate:
        """Turns of both players in a hand."""
        t = self.hands_tally
        return mean_of_pairs(t["turns"], t["turns_sq"], t["pairs"], unit=TURNS_UNIT)

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

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), table_text(self.summary()), self.remark)))

    def endings(self) -> pd.DataFrame:
        """How the hands ended: hands, share of all hands with its interval, mean points, by ending and winner.

        Where both players won hands in the same way, a row for either of them follows. The interval is Wilson's over pairs.
        """
        return endings_table(self, H.ENDINGS, ("dead", "stalled", "push"))

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
        rows.append(("turns per hand", self.turns_per_hand))
        if self.hands_tally["decided"]:
            rows.append(("starter's share", self.starter_share))
        return pd.DataFrame(
            [(name, float(e), e.low, e.high) for name, e in rows], columns=["measure", "estimate", "low", "high"]
        ).set_index("measure")

    def verdict(self) -> str:
        """One sentence: who is better by how much, or that it is not yet clear."""
        gain = self.points_controlled
        basis = f"{self.deals:,} duplicate pairs, {self.rules}"
        if self.deals and self._cancels:
            return f"{self.a} plays itself: with the seats exchanged every deal cancels exactly ({basis})."
        if self.sequential is not None:
            return self.sequential.reason(self.a, self.b)
        if self.deals and self.hands_tally["points_sq"] == 0:
            return (
                f"{self.a} and {self.b} came out equal on every deal; so the difference is between "
                f"{interval_text(gain.low, gain.high, '+.3f', ' and ')} points per hand (95 % interval; {basis})."
            )
        if not gain.decided:
            more = ""
            if gain.value and math.isfinite(gain.se):
                needed = _round_up(pairs_to_show(self.deals * gain.se**2, gain.value))
                more = f"; if the true difference is the one observed, about {needed:,} pairs would show it in four of five cases"
            return (
                f"It is not yet clear which of {self.a} and {self.b} is better: {gain.value:+.3f} points per hand, "
                f"95 % interval {interval_text(gain.low, gain.high, '+.3f')} ({basis}{more})."
            )
        best, worst, e = (self.a, self.b, gain) if gain.value > 0 else (self.b, self.a, -gain)
        return (
            f"{best} is better than {worst} by {e.value:.3f} points per hand "
            f"(95 % interval {e.low:.3f} to {e.high:.3f}; {basis})."
        )

    def hands(self) -> pd.DataFrame:
        """The per-hand table, if it was kept (``keep_hands``); ``ginsim.games.gin.records.HAND_COLUMNS`` explains the columns.

        Player 0 (``_0``) is the first strategy of the pairing, 1 the second, whoever starts; -1 is nobody.
        """
        from ginsim.simulation.hands import read_parts

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

    def plot(self, ax: Any = None) -> Any:
        """Bars of the endings by winner; returns the matplotlib axes."""
        from ginsim.report.plots import endings

        return endings(self, ax)


def _share(t: dict[str, int], exact: bool) -> Estimate:
    return share_of_pairs(RatioSums.named(t), exact=exact)


def _round_up(x: float) -> int:
    digits = 10 ** max(0, math.floor(math.log10(max(x, 1))) - 1)
    return int(math.ceil(x / digits) * digits)


def endings_table(result: Any, endings: Sequence[str], nobodys: Collection[str]) -> pd.DataFrame:
    """How the hands of a comparison ended (`Comparison.endings`); ``nobodys`` are the endings without a winner."""
    import pandas as pd

    t = result.hands_tally
    names = (result.a, result.b) if result.a != result.b else (f"{result.a} (first)", f"{result.b} (second)")
    rows = []
    for ending in endings:
        total = t[f"{ending}_0"] + t[f"{ending}_1"]
        both = {key: t.get(f"{ending}_both{key}", total) for key in ("", "_0", "_1")}
        if f"{ending}_sq" in t:  # the table game keeps these; nobody's hands are all of player 0
            both[""] = both["_0"] = (t[f"{ending}_sq"] - total) // 2
        parts = [(t[f"{ending}_{p}"], t[f"{ending}_points_{p}"], both[f"_{p}"], name) for p, name in enumerate(names)]
        won = [part for part in parts if part[0]]
        if len(won) == 2:
            won.append((won[0][0] + won[1][0], won[0][1] + won[1][1], both[""], "either"))
        for hands, points, alike, name in won:
            winner = "nobody" if ending in nobodys else name
            share = share_of_hands(hands, min(alike, hands // 2), result.deals)
            rows.append((ending, winner, hands, share.value, share.low, share.high, points / hands))
    return pd.DataFrame(rows, columns=["ending", "winner", "hands", "share", "low", "high", "points"])


def check_counts(deals: Any, games: Any, seed: Any, least: int = 1) -> tuple[int, int, int]:
    """The three numbers of most studies, checked: ``least`` deals or more, and unless they are given a tenth as many games."""
    deals = check_count("deals", deals, least, MOST_DEALS)
    games = deals // DEALS_PER_GAME if games is None else check_count("games", games, 0, MOST_DEALS)
    return deals, games, check_count("seed", seed, 0, MOST_SEED)


def gin_only(given: Mapping[str, Any], rules: Any) -> None:
    """Refuse what is given and only two-player gin has."""
    for name, value in given.items():
        if value:
            raise InputError(f"{name}: {shown(value)} is not allowed with rules={rules}, the table game; leave it out")


def works_of(
    a: Strategy,
    b: Strategy,
    rules: Rules,
    deals: int,
    games: int,
    seed: int,
    key: str = "0-1",
    number: int = 0,
    control: bool = False,
) -> list[Work]:
    """The works of one pairing; pairing ``number`` of a study has deals and games of its own."""
    works = [Work(a, b, rules, seed, HANDS, number * deals, deals, key, check_control(control, rules))]
    if games:
        works.append(Work(a, b, rules, seed, GAMES, number * games, games, key))
    return works


def check_control(control: bool, rules: Rules) -> bool:
    """``control`` if the luck of the draw can be measured under these rules."""
    if control and rules.stock_end == "reshuffle":
        raise InputError(f"control: the luck of the draw is not measured where the stock is reshuffled ({rules})")
    return control


def comparison_of(
    tallies: Tallies, a: Strategy, b: Strategy, rules: Rules, seed: int, key: str = "0-1", **more: Any
) -> Comparison:
    """The comparison that the tallies of ``key`` amount to."""
    hands = tallies.sums.get((key, HANDS), np.zeros(len(HAND_TALLY), np.int64))
    return _comparison(hands, tallies, a, b, rules, seed, key, **more)


def decided_of(
    test: SequentialTest, most: int, tallies: Tallies, a: Strategy, b: Strategy, rules: Rules, seed: int, **more: Any
) -> Comparison:
    """The comparison that was played until ``test`` had decided, or for ``most`` pairs."""
    hands, course = sequential_of(test, rules, most, tallies)
    return _comparison(hands, tallies, a, b, rules, seed, "0-1", sequential=course, **more)


def _comparison(
    hands: np.ndarray, tallies: Tallies, a: Strategy, b: Strategy, rules: Rules, seed: int, key: str, **more: Any
) -> Comparison:
    own, luck = np.split(hands, [len(HAND_TALLY)])
    games = tallies.sums.get((key, GAMES), np.zeros(len(GAME_TALLY), np.int64))
    sums = as_dict(HAND_TALLY, own), as_dict(GAME_TALLY, games), as_dict(LUCK_TALLY, luck) if luck.size else None
    return Comparison(str(a), str(b), str(rules), seed, *sums, **more)


def compare(
    a: str | Strategy,
    b: str | Strategy,
    rules: str | Rules = "classic25",
    deals: int = 100_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    keep_hands: str | Path | None = None,
    progress: Progress | None = None,
    until: SequentialTest | Mapping[str, Any] | None = None,
    control: bool = False,
) -> Comparison:
    """Play ``a`` against ``b`` in duplicate pairs.

    Parameters
    ----------
    a, b : str or Strategy
        ``"threshold(knock=4)"``, ``"path/to/file.py:name"`` or a strategy.
    rules : str or Rules
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
    if is_table(rules):
        from ginsim.study.tablestudy import compare_at_table

        for_gin = {"keep_hands": keep_hands, "until": until, "control": control}
        gin_only(for_gin, rules)
        return compare_at_table(a, b, rules, deals, seed, workers, games, progress)  # type: ignore[arg-type]
    first, second, played = Strategy.parse(a), Strategy.parse(b), Rules.parse(rules)
    test = as_test(until)
    deals, games, seed = check_counts(deals, 0 if test and games is None else games, seed)
    folder = None if keep_hands is None else empty_folder("keep_hands", keep_hands)
    works = works_of(first, second, played, deals, games, seed, control=control)
    if test is None:
        tallies = execute(works, workers, progress, hands=folder)
        return comparison_of(tallies, first, second, played, seed, hands_folder=folder)
    tallies = execute(works[1:], workers, progress, hands=folder)
    while looks := next_works(test, first, second, played, deals, seed, tallies, control):
        tallies = execute(looks, workers, progress, hands=folder, tallies=tallies)
    return decided_of(test, deals, tallies, first, second, played, seed, hands_folder=folder)
