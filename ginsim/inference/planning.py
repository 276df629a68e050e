"""How much must be played to tell two players apart, and how much of an outcome is luck: formulas alone, quick to load.

A difference is shown if its 95 % interval leaves out the even result. Of the games won that is Wilson's interval, whose test has
the variance of an even share; the chance of passing it is governed by that of the true share p, which is 4 p (1 - p) times as
large. The formulas are those of the normal approximation (Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions,
2003, section 2.5), good where some ten games or more are lost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import count
from statistics import NormalDist

__all__ = [
    "EVEN_GAME", "LEVEL", "MISSED", "chances_to_lead", "difference_shown", "luck", "normal_chance_to_lead", "pairs_to_show",
    "pairs_to_show_share", "series_to_lead", "share_shown",
]  # fmt: skip

LEVEL = 0.95
MISSED = 0.2
"""How often a difference may be missed by as many pairs as are said to show it; they show it in four of five cases."""
EVEN_GAME = 0.25
"""Variance of the games won in one game between equal players."""
ONE_SIDE = (1 - LEVEL) / 2
MOST_SERIES = 1_000_000


def quantile(chance: float) -> float:
    """Standard errors below which a normal value lies with this chance."""
    return NormalDist().inv_cdf(chance)


def pairs_to_show(variance: float, difference: float, wrong: float = ONE_SIDE, missed: float = MISSED) -> float:
    """Pairs that show a difference, unless it is missed by chance.

    The normal quantiles of both errors add up: were the difference just as large as the interval reaches, 1.96 standard errors,
    it would be missed every other time; 0.84 more leave one case in five.

    Parameters
    ----------
    variance : float
        Of one pair's difference.
    difference : float
        The true one.
    wrong : float
        Chance of calling a difference on this side real where there is none.
    missed : float
        Chance of missing it.

    Examples
    --------
    >>> round(pairs_to_show(100.0, 1.0)), round(pairs_to_show(100.0, 1.0, missed=0.5))
    (785, 384)
    """
    return variance * ((quantile(1 - wrong) + quantile(1 - missed)) / difference) ** 2


def difference_shown(variance: float, pairs: float, wrong: float = ONE_SIDE, missed: float = MISSED) -> float:
    """The least difference that so many pairs show, unless it is missed by chance: the inverse of `pairs_to_show`.

    Examples
    --------
    >>> round(difference_shown(100.0, 785), 3)
    1.0
    """
    return (quantile(1 - wrong) + quantile(1 - missed)) * math.sqrt(variance / pairs)


def pairs_to_show_share(variance: float, share: float, wrong: float = ONE_SIDE, missed: float = MISSED) -> float:
    """Pairs of games that show that a share of games won is more than one half, unless that is missed by chance.

    Parameters
    ----------
    variance : float
        Of the share won in one pair between equal players: 1/8 for two independent games (`EVEN_GAME` / 2), 1/4 for one.
    share : float
        The true one, above 1/2.
    wrong, missed : float
        As for `pairs_to_show`.

    Examples
    --------
    >>> round(pairs_to_show_share(1 / 8, 0.55, missed=0.05))
    647
    """
    unlike = math.sqrt(4 * share * (1 - share))
    return variance * ((quantile(1 - wrong) + quantile(1 - missed) * unlike) / (share - 0.5)) ** 2


def share_shown(variance: float, pairs: float, wrong: float = ONE_SIDE, missed: float = MISSED) -> float:
    """The least share of games won that so many pairs show to be more than one half: the inverse of `pairs_to_show_share`.

    Returns
    -------
    float
        nan if so few pairs do not even show it of a player who wins all games.

    Examples
    --------
    >>> round(share_shown(1 / 8, 647, missed=0.05), 3), share_shown(1 / 8, 1)
    (0.55, nan)
    """
    a, b = quantile(1 - wrong), quantile(1 - missed)
    if pairs < 4 * a * a * variance:
        return math.nan
    root = math.sqrt(max(pairs + 4 * variance * (b * b - a * a), 0.0))  # of a quadratic equation for the share above 1/2
    return 0.5 + math.sqrt(variance) * (a * math.sqrt(pairs) + b * root) / (pairs + 4 * b * b * variance)


def luck(variance: float, advantage: float, number: float = 1) -> float:
    """Share of an outcome that is luck: of one hand or game, or of the mean of a number of them.

    What the outcome departs from the even result by, squared, is on average its variance (luck) and the square of the better
    player's advantage (skill); the variance of a mean falls with the number, the advantage does not.

    Parameters
    ----------
    variance : float
        Of one outcome: p (1 - p) for the games won.
    advantage : float
        Mean less the even result: p - 1/2 for the games won.
    number : float
        How many outcomes the mean is of.

    Examples
    --------
    >>> [round(luck(0.55 * 0.45, 0.05, games), 3) for games in (1, 99, 1000)]
    [0.99, 0.5, 0.09]
    """
    return variance / (variance + number * advantage**2)


def chances_to_lead(share: float) -> Iterator[tuple[int, float]]:
    """The chance to win more than half of a series of 1, 3, 5, … games of which each is won with the chance ``share``.

    Exact binomial sums. Two more games change who leads only after a lead of one: the leader loses both, or the other one does.

    Examples
    --------
    >>> series = chances_to_lead(0.6)
    >>> [(games, round(chance, 5)) for games, chance in (next(series), next(series), next(series))]
    [(1, 0.6), (3, 0.648), (5, 0.68256)]
    """
    chance, lost = share, 1 - share
    step = (share - lost) * share * lost
    for k in count(1):
        yield 2 * k - 1, chance
        chance += step
        step *= 2 * (2 * k + 1) / (k + 1) * share * lost


def series_to_lead(share: float, chance: float = LEVEL, most: int = MOST_SERIES) -> int | None:
    """The least odd number of games after which the better player leads with this chance; None if it is above ``most``.

    After an odd number of games one of the two leads; from one odd number to the next the chance only grows.

    Examples
    --------
    >>> series_to_lead(0.55), series_to_lead(0.75), series_to_lead(0.96)
    (269, 9, 1)
    """
    for games, leads in chances_to_lead(share):
        if games > most:
            break
        if leads >= chance:
            return games
    return None


def normal_chance_to_lead(variance: float, advantage: float, number: float) -> float:
    """The chance that the sum of so many outcomes is on the better player's side, in the normal approximation.

    Examples
    --------
    >>> round(normal_chance_to_lead(900.0, 0.5, 100), 3)
    0.566
    """
    return NormalDist().cdf(advantage * math.sqrt(number / variance))
