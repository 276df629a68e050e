"""Ways to lay out the melds of a knock, and to lay cards off on them, and what each comes to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ginsim.cards import format_hand
from ginsim.games.gin import layout as R
from ginsim.games.gin import view as V
from ginsim.games.gin.evaluate import best_melds
from ginsim.games.gin.recorded.decisions import Decision, Walk
from ginsim.games.gin.recorded.hand import BIG_GIN
from ginsim.games.gin.rollout.playout import game_chance
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.scoring import score_hand
from ginsim.melds import deadwood, lay_off, points, run_cards

__all__ = ["Ways", "ways_to_lay_off", "ways_to_meld"]

NO_LAYOFF = 2


class Ways(NamedTuple):
    """Ways to lay a hand out.

    Attributes
    ----------
    texts : list of str
    left : list of int
        Deadwood left.
    values : float64[hands, ways, 2]
        Points and chance to win the game, for each hand that the opponent may hold.
    played : int
        The way that was chosen.
    """

    texts: list[str]
    left: list[int]
    values: np.ndarray
    played: int


def ways_to_meld(walk: Walk, decision: Decision, hands: np.ndarray) -> Ways | None:
    """Ways of the knocker to lay out the melds, against hands drawn for the opponent; None if there is only one."""
    view, rules, held = decision.view, decision.rules, int(decision.view[V.HAND])
    own = _sets_and_runs(decision.cards, view)
    laid = [own, *(_sets_and_runs(way.melds, view) for way in best_melds(held, rules))]
    ways = list(dict.fromkeys(laid))
    if len(ways) == 1:
        return None
    big_gin = walk.hand.turns[-1].ending == BIG_GIN
    values, left = np.zeros((len(hands), len(ways), 2)), [int(points(np.int64(held & ~sum(way)), view)) for way in ways]
    for i, (sets, runs) in enumerate(ways):
        mode = np.int64(_mode(left[i], rules, view))
        for k, hand in enumerate(hands):
            after = int(lay_off(hand, np.int64(sets), np.int64(runs), mode, view)[0])
            values[k, i] = _worth(view, rules, left[i], after, big_gin, knocker=True)
    return Ways([_melded(sets, runs) for sets, runs in ways], left, values, 0)


def ways_to_lay_off(walk: Walk, decision: Decision) -> Ways | None:
    """What the defender laid off, and the best that could be; None if there was nothing to decide."""
    view, rules, held, outcome = decision.view, decision.rules, int(decision.view[V.HAND]), walk.outcome
    assert outcome is not None
    left, own = outcome.knocker_deadwood, outcome.defender_deadwood
    sets, runs = _sets_and_runs(outcome.knocker_melds, view)
    found, laid = lay_off(np.int64(held), np.int64(sets), np.int64(runs), np.int64(_mode(left, rules, view)), view)
    least = min(int(found), own)
    if own == least == deadwood(np.int64(held), view):
        return None
    big_gin = walk.hand.turns[-1].ending == BIG_GIN
    values = np.array([[_worth(view, rules, left, after, big_gin, knocker=False) for after in (own, least)]])
    texts = [_laid(outcome.laid_off, own), _laid(outcome.laid_off if own == least else int(laid), least)]
    return Ways(texts, [own, least], values, 0)


def _melded(sets: int, runs: int) -> str:
    return f"meld sets {format_hand(sets, symbols=True) or 'none'}, runs {format_hand(runs, symbols=True) or 'none'}"


def _laid(cards: int, left: int) -> str:
    return f"lay off {format_hand(cards, symbols=True) or 'nothing'}, {left} left"


def _sets_and_runs(melds: tuple[int, ...], view: np.ndarray) -> tuple[int, int]:
    """The cards of melds in sets and in runs."""
    runs = sum(meld for meld in melds if run_cards(np.int64(meld), view))
    return sum(melds) - runs, runs


def _mode(left: int, rules: Rules, view: np.ndarray) -> int:
    return int(view[R.LAYOFF]) if left or rules.layoff_on_gin else NO_LAYOFF


def _worth(view: np.ndarray, rules: Rules, left: int, after: int, big_gin: bool, knocker: bool) -> tuple[float, float]:
    """Points of the hand and the chance to win the game, for the knocker or the defender."""
    big = big_gin and left == 0 and rules.big_gin_bonus is not None
    score = score_hand(left, after, rules, big_gin=big, multiplier=int(view[V.MULTIPLIER]))
    won = score.winner == ("knocker" if knocker else "defender")
    gain = score.points if won else -score.points
    own, opp = int(view[V.OWN_SCORE]) + max(gain, 0), int(view[V.OPP_SCORE]) + max(-gain, 0)
    return gain, float(game_chance(own, opp, int(view[R.TARGET])))
