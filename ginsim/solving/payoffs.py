"""What a hand is worth within a game: what its winner gets at once, and at the end of the game; on a scale of levels.

A player's level is 0 before the first hand won, else the points so far and 1: so a hand won by 0 points, which some rules know,
counts as one, and whoever is at level 0 when the game ends was shut out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ginsim.errors import InputError
from ginsim.games.gin.rules import Rules

__all__ = ["BY_GAME", "MOST_TARGET", "Stakes", "check_scores", "level_of", "next_level"]

BY_GAME = {"games": "chance to win the game, in hundredths", "margin": "margin of the game as it is settled"}
"""What may count in games, in words."""
MOST_TARGET = 1000
"""Games to more points are not worked out."""
NEXT = {"alternate": 0, "loser": 1, "winner": 2}


def level_of(points: int) -> int:
    """The level of a player with so many points, none of them from a hand won by 0."""
    return points + 1 if points > 0 else 0


def next_level(level: np.ndarray, points: int) -> np.ndarray:
    """The levels of players who win a hand."""
    return np.where(level == 0, points + 1, level + points)


def check_scores(rules: Rules) -> None:
    """Refuse rules of whose games scores do not tell enough, or too much.

    Raises
    ------
    InputError
        For a match in three columns, and for games to more than ``MOST_TARGET`` points.
    """
    if rules.hollywood:
        raise InputError("rules: in a Hollywood match more counts than two scores, so the knock is not solved for them")
    if rules.target > MOST_TARGET:
        raise InputError(f"rules: scores are solved for games to {MOST_TARGET} points at most, not to target={rules.target}")


@dataclass(frozen=True, eq=False)
class Stakes:
    """What hands bring their winner, the other player losing as much.

    Attributes
    ----------
    levels : int
        Levels in play; who gets to this one, or beyond, wins the game.
    next_starter : {0, 1, 2}
        Who starts after a hand with a winner: who did not before, the winner, the loser.
    hand : float64[points]
        Paid at once for a hand of so many points.
    end : float64[levels, 2, 2, points]
        Paid besides if that ends the game, by the winner's level before, the winner's seat in this hand (0: started it), and
        whether the other had won a hand.
    """

    levels: int
    next_starter: int
    hand: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, rules: Rules, by: str, chances: np.ndarray) -> Stakes:
        """Stakes by what counts.

        ``games``: winning brings 50 and losing costs 50, so values are the chance to win, in hundredths, above a half.
        ``margin``: points of hands and boxes as they come, the bonus of the game and the shutout at its end.

        Where a shutout doubles boxes too, what it pays depends on the number of hands won, which scores do not tell. Its mean is
        taken, as it is for players who knock at every score alike.

        Parameters
        ----------
        rules : Rules
        by : {'games', 'margin'}
        chances : float64[results]
            Of each result of a hand (`ginsim.solving.backward`), if both knock at every score alike.

        Raises
        ------
        InputError
            As `check_scores`, and if one of the seats never scores.
        """
        check_scores(rules)
        if not chances[1:].reshape(2, -1)[:, 1:].any(axis=1).all():
            raise InputError("deals: no hand brought points to one of the seats; give more deals")
        levels, points, starter = rules.target + 1, np.arange(rules.most_points + 1.0), NEXT[rules.next_dealer]
        if by == "games":
            return cls(levels, starter, np.zeros(len(points)), np.full((levels, 2, 2, len(points)), 50.0))
        end = np.full((levels, 2, 2, len(points)), float(rules.game_bonus))
        end[:, :, 0] += _shutout(rules, chances, points)
        return cls(levels, starter, points + rules.box_bonus, end)


def _shutout(rules: Rules, chances: np.ndarray, points: np.ndarray) -> np.ndarray:
    """What a shutout pays beside the bonus of the game: float64[levels, 2, points]."""
    levels = rules.target + 1
    extra = np.zeros((levels, 2, len(points)))
    twice_all = rules.shutout in ("double_total", "double_difference")  # the loser has nothing, so these are the same
    if rules.shutout == "bonus_x2" or twice_all:
        extra += rules.game_bonus
    if rules.shutout == "double_points" or twice_all:
        extra += np.maximum(np.arange(levels) - 1, 0)[:, None, None] + points
    if twice_all and rules.box_bonus:
        extra += rules.box_bonus * (_hands_won(levels, NEXT[rules.next_dealer], chances) + 1)[:, :, None]
    return extra


def _hands_won(levels: int, next_starter: int, chances: np.ndarray) -> np.ndarray:
    """Hands won, on average, by who won all so far and is at each level: float64[levels, 2], by the seat in the next hand."""
    wins = np.zeros((levels * 2, levels * 2))
    level, points = np.arange(levels), (len(chances) - 1) // 2
    for seat in range(2):
        seat_after = (1 - seat, 0, 1)[next_starter]
        for gain in range(points):
            to = next_level(level, gain)
            inside = to < levels
            wins[2 * to[inside] + seat_after, 2 * level[inside] + seat] += chances[1 + seat * points + gain]
    goes_on = (1.0 - chances[0]) * np.eye(levels * 2) - wins
    start = np.where(np.arange(levels * 2) < 2, 0.5, 0.0)
    visits = np.linalg.solve(goes_on, start)
    hands = np.linalg.solve(goes_on, wins @ visits)
    found: np.ndarray = np.divide(hands, visits, out=np.zeros_like(hands), where=visits > 1e-12).reshape(levels, 2)
    return found
