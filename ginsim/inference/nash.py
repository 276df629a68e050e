"""A field judged as a game: the mixture of strategies that nothing in the field beats.

Choosing a strategy against an opponent who chooses too is a symmetric zero-sum game with the payoff matrix of the
tournament. Its equilibrium follows by linear programming (von Neumann and Morgenstern, 1944; as an evaluation of
agents: Balduzzi et al., Re-evaluating evaluation, NeurIPS 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ginsim.inference.estimates import LEVEL

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Nash", "equilibrium", "nash_of", "significant_cycles"]

RESAMPLES = 500
LEAST = 1e-7
"""Shares below are rounding errors of the solver."""


@dataclass(frozen=True)
class Nash:
    """The equilibrium of a payoff matrix, with what its sampling errors mean for it.

    Attributes
    ----------
    strategies : tuple of str
    measure : str
    shares : float64[n]
        Of each strategy in the mixture; they add up to 1.
    drawn : float64[resamples, n]
        The same for matrices drawn about the one measured, with its standard errors.
    against : float64[n]
        What the mixture gains against each strategy (0 or more).
    worst : float64[n]
        What each strategy gains against its worst opponent (0 or less; 0 if nobody beats it).
    """

    strategies: tuple[str, ...]
    measure: str
    shares: np.ndarray
    drawn: np.ndarray
    against: np.ndarray
    worst: np.ndarray
    level: float = LEVEL

    @property
    def support(self) -> tuple[str, ...]:
        """The strategies that have a share."""
        return tuple(name for name, share in zip(self.strategies, self.shares, strict=True) if share > LEAST)

    def table(self) -> pd.DataFrame:
        """One row a strategy, the largest share first.

        strategy, share with its interval (low, high: quantiles of the drawn matrices), in_support (share of the drawn
        matrices whose mixture holds it), mixture_gains (against it), worst.
        """
        import pandas as pd

        low, high = np.quantile(self.drawn, [(1 - self.level) / 2, (1 + self.level) / 2], axis=0)
        columns = {
            "strategy": list(self.strategies), "share": self.shares, "low": low, "high": high,
            "in_support": (self.drawn > LEAST).mean(axis=0), "mixture_gains": self.against, "worst": self.worst,
        }  # fmt: skip
        return pd.DataFrame(columns).sort_values("share", ascending=False, kind="stable", ignore_index=True)

    def verdict(self) -> str:
        """One sentence: the mixture, or the strategy that needs none, and how sure that is."""
        rows: list[Any] = list(self.table().itertuples())
        sure = float(((self.drawn > LEAST) == (self.shares > LEAST)).all(axis=1).mean())
        how = f"{100 * sure:.0f} % of the matrices drawn within the sampling errors have the same support"
        if len(self.support) == 1:
            return f"As a game the field has one answer: {self.support[0]}, which no other beats ({how})."
        parts = [
            f"{100 * row.share:.0f} % {row.strategy} ({100 * row.low:.0f} to {100 * row.high:.0f})"
            for row in rows
            if row.share > LEAST
        ]
        return f"As a game the field has no single best: the mixture that nothing in it beats is {', '.join(parts)} ({how})."


def equilibrium(payoffs: np.ndarray) -> np.ndarray:
    """The mixture of rows (float64[n]) whose least gain against any column is largest.

    Examples
    --------
    >>> equilibrium(np.array([[0, -1, 2], [1, 0, -1], [-2, 1, 0.0]])).round(3).tolist()
    [0.25, 0.5, 0.25]
    """
    from scipy.optimize import linprog

    n = len(payoffs)
    unbeaten = np.flatnonzero((payoffs + np.eye(n) > 0).all(axis=1))
    if unbeaten.size:  # a row that beats every other column is the only answer
        return np.asarray(np.eye(n)[unbeaten[0]])
    # The last variable is the value v: maximise it with x @ payoffs >= v.
    found = linprog(
        np.append(np.zeros(n), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(n)]),
        b_ub=np.zeros(n),
        A_eq=np.append(np.ones(n), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * n + [(None, None)],
        method="highs",
    )
    shares = np.clip(found.x[:n], 0, None)
    return np.asarray(shares / shares.sum())


def nash_of(
    strategies: Sequence[str],
    values: np.ndarray,
    errors: np.ndarray,
    measure: str,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Nash:
    """The equilibrium of an antisymmetric matrix of gains that are known with sampling errors.

    The errors of pairings are independent; the mixture is found again for matrices drawn with them.

    Parameters
    ----------
    strategies : sequence of str
    values, errors : float64[n, n]
        What row gains against column, and the standard errors.
    measure : str
        What is gained, by its name.
    resamples : int
        Matrices that are drawn.
    seed : int
        The same seed draws the same.
    """
    rng = np.random.default_rng(seed)
    shares = equilibrium(values)
    drawn = np.empty((resamples, len(values)))
    for k in range(resamples):
        noise = np.triu(rng.standard_normal(values.shape) * errors, 1)
        drawn[k] = equilibrium(values + noise - noise.T)
    return Nash(tuple(strategies), measure, shares, drawn, shares @ values, values.min(axis=1))


def significant_cycles(beats: np.ndarray) -> list[tuple[int, ...]]:
    """The shortest ring of "beats the next" through each win that lies on one; shorter rings first.

    Parameters
    ----------
    beats : bool[n, n]
        Whether row beats column for certain.

    Examples
    --------
    >>> significant_cycles(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], bool))
    [(0, 1, 2)]
    """
    from scipy.sparse.csgraph import shortest_path

    steps, before = shortest_path(beats.astype(float), unweighted=True, return_predecessors=True)
    rings = set()
    for i, j in zip(*np.nonzero(beats), strict=True):
        if np.isfinite(steps[j, i]):
            ring = [int(i)]
            while ring[-1] != j:
                ring.append(int(before[j, ring[-1]]))
            ring.reverse()  # from j on to i, which beats j
            at = ring.index(min(ring))
            rings.add((*ring[at:], *ring[:at]))
    return sorted(rings, key=lambda ring: (len(ring), ring))
