"""The games there are. To add one, write it (see ``base``) and enter it here, or from a program of your own with `enter`."""

from __future__ import annotations

from typing import Any

from ginsim.games import rulebook, strategy
from ginsim.games.base import Game
from ginsim.games.gin.game import GIN
from ginsim.games.rulebook import rules_of
from ginsim.games.strategy import Strategy
from ginsim.games.table.game import TABLE

__all__ = ["GAMES_THERE_ARE", "Strategy", "enter", "game_of", "rules_of"]

GAMES_THERE_ARE: dict[str, Game] = {}


def enter(game: Game) -> None:
    """Make a game known: its presets of rules and its strategies are then found by name."""
    GAMES_THERE_ARE[game.name] = game
    strategy.REPERTOIRES[game.name] = game.repertoire
    if game.rules not in rulebook.RULES:
        rulebook.RULES.append(game.rules)


def game_of(rules: Any) -> Game:
    """The game that rules, or a spec of rules, are of.

    Examples
    --------
    >>> game_of("house(players=2)").name, game_of("classic25").title
    ('table', 'two-player gin')
    """
    return GAMES_THERE_ARE[rules_of(rules).GAME]


def received(how: str, *given: Any) -> Strategy:
    """A strategy that another process sent: only here all games are known."""
    return strategy.RECEIVED[how](*given)


strategy.RECEIVE.append(received)
for _game in (GIN, TABLE):
    enter(_game)
