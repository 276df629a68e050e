"""Refitting the factors of the opponent model on hands played: by maximum likelihood, with intervals.

The model (``players.opponent``) says that the odds of a card are ``a * w``: ``w`` is the product of the factors of
what was seen of it, and ``a`` makes the chances of a decision add up to the opponent's unknown cards. Given ``a`` the cards
count as independent; what that neglects, and that the cards of a deal hang together, is in the intervals (a sandwich
estimate with deals as clusters; Cameron and Miller, Journal of Human Resources 2015).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, xlogy
from scipy.stats import t as student

from ginsim.deals import MOST_DEALS, MOST_SEED
from ginsim.errors import InputError, check_count, listed
from ginsim.games.catalog import Strategy
from ginsim.games.gin.players.opponent import DISCARDED, PASSED, TOOK
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.sightings import EVIDENCE, Sightings, model_of, sightings
from ginsim.games.plugin import check_each_once
from ginsim.inference.estimates import LEVEL
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.calibration import CLIP

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MIX", "FactorFit", "fit_factors"]

MIX = ("simple", "gin_only", "allround", "champion", "threshold(draw=strict)", "early_then_gin")
"""The opponents that the shipped factors were fitted on."""
LEAST_DEALS = 20
STEPS, TOLERANCE = 60, 1e-10
"""Of the search for the scale of the odds."""
MOST = 6.0
"""Logarithms of factors are looked for up to here: few cards may not bound them at all."""


@dataclass(frozen=True)
class FactorFit:
    """The factors that fit best.

    Attributes
    ----------
    watcher, opponents, rules : str
    deals, seed : int
        Duplicate pairs of hands against each opponent; half as many again are held out.
    factors : DataFrame
        A row a factor: shipped, fitted, low, high (95 % interval), seen (share of the cards it speaks of).
    losses : DataFrame
        A row an opponent: log loss on the deals held out, with the factors fitted, with the shipped ones, with these as the
        decisions compute them (two steps towards the scale of the odds), and with all unseen cards equally likely.
    """

    watcher: str
    opponents: tuple[str, ...]
    rules: str
    deals: int
    seed: int
    factors: pd.DataFrame
    losses: pd.DataFrame

    def constants(self) -> str:
        """The factors as they stand in ``ginsim.games.gin.players.opponent``, and the weight of dear cards."""
        fitted = [f"{value:.3g}" for value in self.factors["fitted"]]
        names = ("DISCARDED", "PASSED", "TOOK")
        lines = [f"{name} = ({', '.join(fitted[5 * k : 5 * k + 5])})" for k, name in enumerate(names)]
        return "\n".join([*lines, f"kept_dear = {fitted[-1]}"])

    def verdict(self) -> str:
        """Whether the shipped factors agree with those fitted, in words."""
        rows: list[Any] = list(self.factors.itertuples())
        outside = [row.factor for row in rows if not row.low <= row.shipped <= row.high]
        which = f" ({', '.join(outside)})" if outside else ""
        worse = (self.losses["shipped"] - self.losses["fitted"]).mean()
        lost = (self.losses["as_played"] - self.losses["shipped"]).mean()
        return (
            f"{len(outside)} of the {len(rows)} shipped factors lie outside the fitted interval{which}. On held-out deals the "
            f"shipped factors cost {worse:+.5f} of log loss on average over {len(self.losses)} opponents, and the two steps "
            f"towards the scale of the odds {lost:+.5f}."
        )

    def __str__(self) -> str:
        tables = (table.to_string(index=False, float_format="{:.4f}".format) for table in (self.factors, self.losses))
        return "\n\n".join([*tables, self.constants(), self.verdict()])


@dataclass(frozen=True)
class _Cards:
    """Cards of many decisions; ``kinds`` are the different evidences (int64[k, factors]), ``kind`` which one a card has."""

    deal: np.ndarray
    decision: np.ndarray
    held: np.ndarray
    weight: np.ndarray
    kind: np.ndarray
    kinds: np.ndarray
    unknown: np.ndarray

    @classmethod
    def of(cls, parts: Sequence[Sightings]) -> _Cards:
        """Those of several opponents, each of which weighs the same; without decisions that leave nothing to guess."""
        first, own = 0, []
        for seen in parts:
            held = np.bincount(seen.decision, seen.held)
            open_cards = ((held > 0) & (held < np.bincount(seen.decision)))[seen.decision]
            number = np.unique(seen.decision[open_cards], return_inverse=True)[1]
            share = np.full(len(number), 1 / max(len(number), 1))
            own.append((seen.deal[open_cards], number + first, seen.held[open_cards], share, seen.seen[open_cards]))
            first += int(number.max(initial=-1)) + 1
        deal, decision, held, weight, seen_bits = (np.concatenate(columns) for columns in zip(*own, strict=True))
        bits, kind = np.unique(seen_bits, return_inverse=True)
        kinds = bits[:, None] >> np.arange(len(EVIDENCE)) & 1
        return cls(deal, decision, held, weight * len(weight) / len(own), kind, kinds, np.bincount(decision, held))

    def chances(self, logs: np.ndarray) -> np.ndarray:
        """Chance of each card, given the logarithms of the factors: the scale of the odds by Newton's method."""
        own = (self.kinds @ logs)[self.kind]
        scale = np.log(self.unknown / np.bincount(self.decision, np.exp(own)))
        for _ in range(STEPS):
            p = expit(scale[self.decision] + own)
            gap = self.unknown - np.bincount(self.decision, p)
            scale += np.clip(gap / np.bincount(self.decision, p * (1 - p)), -1.0, 1.0)
            if np.abs(gap).max() < TOLERANCE:
                break
        return np.asarray(expit(scale[self.decision] + own))

    def loss(self, chances: np.ndarray) -> float:
        """Mean log loss."""
        p = np.clip(chances, CLIP, 1 - CLIP)
        return float(-(self.weight * (xlogy(self.held, p) + xlogy(~self.held, 1 - p))).sum() / self.weight.sum())

    def objective(self, logs: np.ndarray) -> tuple[float, np.ndarray]:
        """The loss and its gradient (as the chances of a decision add up, the scale adds nothing to it)."""
        p = self.chances(logs)
        off = np.bincount(self.kind, self.weight * (p - self.held), len(self.kinds))
        return self.loss(p), off @ self.kinds / self.weight.sum()

    def fitted(self) -> np.ndarray:
        """The logarithms of the factors of the least loss."""
        start, most = np.zeros(len(EVIDENCE)), [(-MOST, MOST)] * len(EVIDENCE)
        found = minimize(self.objective, start, jac=True, method="L-BFGS-B", bounds=most, options={"gtol": 1e-8, "ftol": 1e-12})
        return np.asarray(found.x)

    def errors(self, logs: np.ndarray) -> np.ndarray:
        """Standard errors of the logarithms, by deal; infinite for a factor that no card tells of."""
        p = self.chances(logs)
        spread = self.weight * p * (1 - p)
        all_kinds = self._by(self.decision, spread)
        per_decision = np.asarray(all_kinds @ self.kinds)
        total = np.bincount(self.decision, spread)
        within = self.kinds.T @ (np.bincount(self.kind, spread, len(self.kinds))[:, None] * self.kinds)
        bread = np.linalg.pinv(within - per_decision.T @ (per_decision / total[:, None]), hermitian=True)
        scores = np.asarray(self._by(np.unique(self.deal, return_inverse=True)[1], self.weight * (self.held - p)) @ self.kinds)
        meat = scores.T @ scores * len(scores) / (len(scores) - 1)
        variances = np.where(self.kinds.any(axis=0), np.maximum(np.diag(bread @ meat @ bread), 0.0), np.inf)
        return np.sqrt(variances)

    def _by(self, rows: np.ndarray, values: np.ndarray) -> csr_array:
        """Sums of values by row and kind."""
        return csr_array((values, (rows, self.kind)), shape=(int(rows.max()) + 1, len(self.kinds)))


def fit_factors(
    watcher: str | Strategy = "champion",
    opponents: Sequence[str | Strategy] = MIX,
    rules: str | Rules = "eaai",
    deals: int = 1_000,
    seed: int = 0,
    report: Callable[[str], None] | None = None,
) -> FactorFit:
    """Fit the factors of the opponent model on hands of a watcher against a mix of opponents, which weigh the same.

    Parameters
    ----------
    watcher : spec of the strategy that estimates, at each of its discards
    opponents : specs of those whose cards are guessed
    rules : spec
    deals : int
        Duplicate pairs of hands against each opponent, the same decks for all; the next half as many are held out.
    report : callable, optional
        Told what is being done.

    Examples
    --------
    >>> found = fit_factors("champion", ["simple"], deals=20)
    >>> len(found.factors), list(found.losses["opponent"])
    (16, ['simple'])
    """
    import pandas as pd

    a, played = Strategy.parse(watcher), Rules.parse(rules)
    field = [Strategy.parse(opponent) for opponent in listed("opponents", opponents, "strategies")]
    if not field:
        raise InputError("opponents: none given; fitting needs at least 1 opponent")
    check_each_once("opponents", field)
    deals, seed = check_count("deals", deals, LEAST_DEALS, MOST_DEALS), check_count("seed", seed, 0, MOST_SEED)
    kept_dear, reads = model_of(Strategy.parse("lookahead"))
    shipped = np.array([*DISCARDED, *PASSED, *TOOK, kept_dear])
    parts, losses = [], []
    for b in field:
        if report:
            report(f"playing {b}")
        parts.append(sightings(partial(play, Work((a, b), played, seed, HANDS, 0, deals), False), kept_dear, reads))
    cards = _Cards.of(parts)
    if report:
        report(f"fitting {len(shipped)} factors to {len(cards.held):,} cards")
    logs = cards.fitted()
    reach = float(student.ppf(0.5 + LEVEL / 2, max(deals - 1, 1))) * cards.errors(logs)
    for b in field:
        seen = sightings(partial(play, Work((a, b), played, seed, HANDS, deals, deals // 2), False), kept_dear, reads)
        losses.append((str(b), *_losses(seen, logs, np.log(shipped))))
    factors = pd.DataFrame(
        {
            "factor": EVIDENCE,
            "shipped": shipped,
            "fitted": np.exp(logs),
            "low": np.exp(logs - reach),
            "high": np.exp(logs + reach),
            "seen": np.bincount(cards.kind) @ cards.kinds / len(cards.kind),
        }
    )
    table = pd.DataFrame(losses, columns=["opponent", "fitted", "shipped", "as_played", "even"])
    return FactorFit(str(a), tuple(map(str, field)), str(played), deals, seed, factors, table)


def _losses(seen: Sightings, fitted: np.ndarray, shipped: np.ndarray) -> tuple[float, ...]:
    """Log losses on the same cards: fitted, shipped, as played, all equally likely."""
    cards = _Cards.of([seen])
    held = np.bincount(seen.decision, seen.held)
    open_cards = ((held > 0) & (held < np.bincount(seen.decision)))[seen.decision]
    chances = seen.chances[open_cards]
    return tuple(cards.loss(p) for p in (cards.chances(fitted), cards.chances(shipped), chances[:, 0], chances[:, 2]))
