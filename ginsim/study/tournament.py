"""A round robin: every strategy against every other in duplicate pairs, each pairing on deals of its own."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ginsim.errors import InputError, suggest
from ginsim.games.catalog import game_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import Strategy
from ginsim.inference.corrections import ALPHA, holm
from ginsim.inference.estimates import NORMAL, Estimate, mean_of_estimates, table_text
from ginsim.inference.nash import RESAMPLES, Nash, nash_of, significant_cycles
from ginsim.inference.ratings import Ratings, ratings_of
from ginsim.simulation.execute import Progress
from ginsim.simulation.hands import read_parts
from ginsim.simulation.journal import Tallies
from ginsim.simulation.play import Work
from ginsim.study.base import FieldExperiment, carried_out, register
from ginsim.study.compare import Comparison, comparison_of, kept_pairing, works_of
from ginsim.study.criterion import (
    Judged,
    JudgedExperiment,
    JudgedManifest,
    bounds,
    disagreement_of_leaders,
    disagreement_of_signs,
    leaders_otherwise,
    p_of,
    said,
    told_by,
)
from ginsim.study.kept import TALLIES, Sums, check_pairings, hands_folder, pairing_key, pairings_text, with_later_sums
from ginsim.study.settings import built

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tournament", "TournamentExperiment", "tournament"]

DIFFERENCES = ("points_per_hand", "margin_per_game")
"""Measures that change their sign with the side."""
SHARES = ("hands_won", "games_won")
"""Measures that add up to one over both sides."""


@dataclass(frozen=True)
class Tournament(Judged):
    """The result of `tournament`.

    Attributes
    ----------
    strategies : tuple of str
    pairings : mapping of (i, j), i < j, to Comparison
        Figures from the side of strategy ``i``.
    by : str, optional
        What better means (``ginsim.study.criterion``).
    """

    TABLE = "ranking"

    strategies: tuple[str, ...]
    rules: str
    seed: int | tuple[int, ...]
    pairings: dict[tuple[int, int], Comparison]
    wall_seconds: float = field(default=math.nan, compare=False)
    hands_folder: Path | None = field(default=None, compare=False)
    by: str | None = None

    @property
    def game_sums(self) -> list[dict[str, int]]:
        """The sums of the games, by pairing."""
        return [pairing.games_tally for pairing in self.pairings.values()]

    @property
    def hand_count(self) -> int:
        """Hands played, those within games included."""
        return sum(pairing.hand_count for pairing in self.pairings.values())

    def estimate(self, i: int, j: int, measure: str = "points_per_hand") -> Estimate:
        """A figure of ``Comparison`` from the side of strategy ``i`` against strategy ``j``."""
        if i < j:
            found: Estimate = getattr(self.pairings[i, j], measure)
            return found
        other = self.estimate(j, i, measure)
        if measure in SHARES:
            return Estimate(1 - other.value, 1 - other.high, 1 - other.low, other.se, other.level)
        return -other if measure in DIFFERENCES else other

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.verdict(), table_text(self.ranking()), self.remark)))

    def matrix(self, measure: str = "points_per_hand") -> pd.DataFrame:
        """The figure of each row's strategy against each column's; empty on the diagonal."""
        import pandas as pd

        n = range(len(self.strategies))
        cells = [[math.nan if i == j else self.estimate(i, j, measure).value for j in n] for i in n]
        return pd.DataFrame(cells, index=list(self.strategies), columns=list(self.strategies))

    def ranking(self) -> pd.DataFrame:
        """The field from best to worst by the criterion: means against all the others, with intervals.

        Pairings are played on different deals, so they are independent and their errors add in squares.
        """
        import pandas as pd

        rows = []
        for i, name in enumerate(self.strategies):
            row: dict[str, Any] = {"strategy": name}
            for measure in self.measures:
                mean = self.against_field(i, measure)
                row |= {measure: mean.value, f"{measure}_low": mean.low, f"{measure}_high": mean.high}
            rows.append(row)
        table = pd.DataFrame(rows).sort_values(self.criterion, ascending=False, kind="stable", ignore_index=True)
        table.index = pd.RangeIndex(1, len(table) + 1, name="rank")
        return table

    def against_field(self, i: int, measure: str) -> Estimate:
        """A measure of strategy ``i``: mean over its pairings with all the others."""
        return mean_of_estimates([self.estimate(i, j, measure) for j in range(len(self.strategies)) if j != i])

    def summary(self) -> pd.DataFrame:
        """The ranking."""
        return self.ranking()

    @functools.cached_property
    def p_values(self) -> dict[tuple[int, int], tuple[float, float]]:
        """Of each pairing: the p-value of "no difference" by the criterion, and the same adjusted by Holm's method."""
        plain = [p_of(self.judged, getattr(pairing, self.criterion)) for pairing in self.pairings.values()]
        return dict(zip(self.pairings, zip(plain, holm(plain), strict=True), strict=True))

    @property
    def enough(self) -> bool:
        """Whether ratings and mixtures can be told: every pairing has pairs enough for an interval, and a decided hand."""
        return all(pairing.deals >= 2 and pairing.hands_tally["decided"] for pairing in self.pairings.values())

    def ratings(self, of: str | None = None) -> Ratings:
        """Elo ratings of the field (``ginsim.inference.ratings``) from the "games" or "hands" won.

        Games if every pairing has a finished one, else hands, unless it is said.
        """
        chosen = of or ("games" if all(pairing.games_tally["decided"] for pairing in self.pairings.values()) else "hands")
        if chosen not in ("games", "hands"):
            raise InputError(f"of: {chosen!r} cannot be rated; {suggest(chosen, ('games', 'hands'))}")
        return ratings_of(self.strategies, {key: getattr(p, f"{chosen}_tally") for key, p in self.pairings.items()}, chosen)

    def nash(self, measure: str | None = None, resamples: int = RESAMPLES, seed: int = 0) -> Nash:
        """The mixture of strategies that nothing in the field beats (``ginsim.inference.nash``).

        Parameters
        ----------
        measure : {'points_per_hand', 'hands_won', 'games_won', 'margin_per_game'}, optional
            By default the criterion; shares count by what they are above one half.
        resamples, seed : int
            Matrices drawn about the one measured, for the intervals of the shares.
        """
        measure = self.criterion if measure is None else measure
        if measure not in (*DIFFERENCES, *SHARES):
            raise InputError(f"measure: {measure!r} cannot be a payoff; {suggest(measure, (*DIFFERENCES, *SHARES))}")
        n, neutral = len(self.strategies), 0.5 if measure in SHARES else 0.0
        values, errors = np.zeros((n, n)), np.zeros((n, n))
        for i, j in self.pairings:
            e = self.estimate(i, j, measure)
            if not (math.isfinite(e.value) and math.isfinite(e.se)):
                raise InputError(f"measure: {measure} of {self.strategies[i]} against {self.strategies[j]} is unknown; play more")
            values[i, j], values[j, i] = e.value - neutral, neutral - e.value
            errors[i, j] = max(e.se, (e.high - e.low) / (2 * NORMAL))  # at 0 and 100 % the standard error is 0
        return nash_of(self.strategies, values, errors, measure, resamples, seed)

    def cycles(self) -> list[tuple[str, ...]]:
        """Rings of strategies of which each clearly beats the next, and the last the first; shortest first.

        Clearly: by the criterion, with a p-value up to 0.05 after Holm's adjustment for the number of pairings.
        """
        n = len(self.strategies)
        beats = np.zeros((n, n), bool)
        for (i, j), (_, adjusted) in self.p_values.items():
            gain = getattr(self.pairings[i, j], self.criterion).value - self.judged.neutral
            beats[(i, j) if gain > 0 else (j, i)] = adjusted <= ALPHA and gain != 0
        return [tuple(self.strategies[k] for k in ring) for ring in significant_cycles(beats)]

    def pairing_table(self) -> pd.DataFrame:
        """One row a pairing: both names, deals, the figures with their intervals, and what many comparisons make of them.

        ``p`` is the p-value of "no difference" by the criterion, ``p_holm`` the same adjusted for the number of pairings,
        ``clear`` whether that is up to 0.05.
        """
        import pandas as pd

        rows = []
        for key, pairing in self.pairings.items():
            row: dict[str, Any] = {"a": pairing.a, "b": pairing.b, "deals": pairing.deals}
            for measure in self.measures:
                e: Estimate = getattr(pairing, measure)
                row |= {measure: e.value, f"{measure}_low": e.low, f"{measure}_high": e.high}
            p, adjusted = self.p_values[key]
            rows.append(row | {"p": p, "p_holm": adjusted, "clear": adjusted <= ALPHA})
        return pd.DataFrame(rows)

    def verdict(self) -> str:
        """Who leads by the criterion, whether the runner-up is clearly behind, what other measures say against it, and a warning
        if the field goes round in circles.
        """
        pairings = [pairing.figures() for pairing in self.pairings.values()]
        signs = disagreement_of_signs(self.criterion, pairings)
        return self._leader() + self._other_leaders() + signs + self._warning()

    def _warning(self) -> str:
        rings = self.cycles()
        if not rings:
            return ""
        ring = rings[0]
        return (
            f" The field is cyclic: {', which beats '.join((*ring, ring[0]))} (each clearly, after Holm's correction). "
            "A ranking hides that; see the mixture of strategies that nothing beats."
        )

    def _leader(self) -> str:
        table, name, m = self.ranking(), self.criterion, self.judged
        i, j = (self.strategies.index(str(table["strategy"].iloc[k])) for k in (0, 1))
        (first, e), (second, other) = ((self.strategies[k], self.against_field(k, name)) for k in (i, j))
        duel = self.estimate(i, j, name)
        head = f"{first} leads with {said(name, e.value)} against the field (95 % interval {bounds(name, e)}; {self.rules})"
        if not e.low > other.high:
            return (
                f"{head}; {second} ({m.value_text(other.value)}) cannot be told apart from it yet. "
                f"Head to head: {m.text(duel)}."
            )
        text = f"{head}, clearly ahead of {second} ({m.value_text(other.value)})."
        duels = {k: self.estimate(i, k, name) for k in range(len(self.strategies)) if k != i}
        beaten_by = [f"{self.strategies[k]} ({m.value_text(own.value)})" for k, own in duels.items() if m.side(own) < 0]
        if beaten_by:
            text += f" Head to head it loses to {', '.join(beaten_by)}: its lead comes from the rest of the field."
        return text

    def _other_leaders(self) -> str:
        """Who clearly leads by another measure."""

        def figures(measure: str) -> list[Estimate]:
            return [self.against_field(i, measure) for i in range(len(self.strategies))]

        found = leaders_otherwise(self.strategies, self.criterion, self.others, figures)
        return disagreement_of_leaders(self.criterion, str(self.ranking()["strategy"].iloc[0]), found)

    def hands(self) -> pd.DataFrame:
        """The per-hand table, if it was kept (``keep_hands``); ``Game.hand_columns`` names the columns.

        Player 0 (``_0``) is the first strategy of the pairing, 1 the second, whoever starts; -1 is nobody.
        """
        if self.hands_folder is None:
            raise InputError("hands: this tournament kept none; run it with keep_hands=FOLDER (--hands)")
        return read_parts(self.hands_folder, played=sum(2 * pairing.deals for pairing in self.pairings.values()))


class TournamentExperiment(JudgedExperiment, FieldExperiment):
    """A round robin of ``strategies``."""

    kind: Literal["tournament"] = "tournament"

    @property
    def keeps_hands(self) -> bool:
        return True

    def _pairings(self) -> list[tuple[int, int]]:
        return list(itertools.combinations(range(len(self.strategies)), 2))

    def works(self) -> list[Work]:
        works: list[Work] = []
        for number, (i, j) in enumerate(self._pairings()):
            of = self.strategies[i], self.strategies[j], self.rules, self.deals, self.game_pairs, self.seed
            works += works_of(*of, pairing_key(i, j), number)
        return works

    def result(self, tallies: Tallies, **more: Any) -> Tournament:
        field, of = self.strategies, (self.rules, self.seed)
        pairings = {(i, j): comparison_of(tallies, field[i], field[j], *of, pairing_key(i, j)) for i, j in self._pairings()}
        return Tournament(tuple(map(str, field)), str(self.rules), self.seed, pairings, by=self.by, **more)


def tournament(
    strategies: Sequence[str | Strategy],
    rules: str | RulesModel = "classic25",
    deals: int = 20_000,
    seed: int = 0,
    workers: int | None = None,
    games: int | None = None,
    keep_hands: str | Path | None = None,
    progress: Progress | None = None,
    by: str | None = None,
) -> Tournament:
    """Play a round robin.

    Parameters
    ----------
    strategies : sequence of str or Strategy
        Two or more.
    rules : str or Rules
    deals, games : int
        Duplicate pairs of hands and of games for each pairing; games a tenth of the deals by default.
    seed, workers, keep_hands, progress
        As in `ginsim.compare`.
    by : {'games_won', 'margin_per_game', 'points_per_hand'}, optional
        What the field is ranked by: games won unless no games are played, then points per hand.

    Examples
    --------
    >>> result = tournament(["simple", "random"], "eaai", deals=50, seed=1, games=0)
    >>> result.ranking()["strategy"].tolist()
    ['simple', 'random']
    """
    of = built("tournament", strategies=strategies, rules=rules, deals=deals, seed=seed, games=games, by=by)
    result: Tournament = carried_out(of, workers, progress, keep_hands)
    return result


def _rebuilt(folder: Path, manifest: JudgedManifest, sums: Sums, **more: Any) -> Tournament:
    n = len(manifest.strategies)
    check_pairings(folder / TALLIES, sums, n, game_of(manifest.played))
    if n < 2:
        raise InputError(f"a tournament has 2 strategies or more, not {n}")
    pairings = {(i, j): kept_pairing(manifest, sums, i, j) for i, j in itertools.combinations(range(n), 2)}
    of = tuple(manifest.strategies), str(manifest.played), manifest.seeds, pairings
    return Tournament(*of, hands_folder=hands_folder(folder, manifest), by=manifest.by, **more)


register(
    "tournament", experiment=TournamentExperiment, result=Tournament, text=lambda t: pairings_text(t.pairings),
    manifest=JudgedManifest, sums=Sums, build=_rebuilt, facts=told_by, version=3, bring=with_later_sums,
)  # fmt: skip
