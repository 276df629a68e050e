"""Compiling ahead what the commands need: each part is a very small study of the kind that needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ginsim
from ginsim.games.catalog import GAMES_THERE_ARE
from ginsim.games.gin.recorded.replayed import of_replay
from ginsim.games.gin.recorded.walk import walk
from ginsim.games.plugin import checked
from ginsim.games.table.advice import advise_at_table

__all__ = ["parts"]

_ONE: dict[str, Any] = {"deals": 1, "games": 1, "workers": 1}
_DEALS: dict[str, Any] = {"deals": 2, "workers": 1}
_HAND = "8H 8D 8C 5S 6S 7S AD 4C 9H QS"


def _evaluation() -> None:
    """One hand, and arrays of hands."""
    hand = ginsim.parse_hand(_HAND)
    ginsim.best_melds(hand)
    ginsim.rank_discards(f"{_HAND} KC")
    ginsim.showdown("AS 2S 3S 4H 4D 4S 5H 6H 7H KC", _HAND)
    ginsim.lay_off_targets(ginsim.best_melds(hand)[0])
    ginsim.deadwood([hand])
    ginsim.best_discard([ginsim.parse_hand(f"{_HAND} KC")])


def _pairings(a: str, b: str) -> None:
    """A comparison, with and without the luck of the draw; turns; rules."""
    ginsim.compare(a, b, **_ONE)
    ginsim.compare(a, b, control=True, deals=1, games=0, workers=1)
    ginsim.compare(a, b, until={"points": 1.0}, deals=200, workers=1)
    ginsim.statistics([a, b], **_DEALS)


def _studies() -> None:
    """What the other kinds of study count."""
    ginsim.effect("eaai", ["eaai(gin_bonus=20)"], ["simple"], **_ONE)
    ginsim.sweep("threshold", {"knock": [4, 6]}, ["simple"], **_DEALS)
    ginsim.odds("simple", "threshold", deals=20, games=1, workers=1).verdict()  # the chances are worked out when asked for
    ginsim.calibrate("lookahead", "simple", **_DEALS)
    ginsim.solve("threshold", against="lookahead", deals=100, workers=1)


def _decisions() -> None:
    """Every decision that ginsim brings, for the kernels that call them."""
    for game in GAMES_THERE_ARE.values():
        for (kind, name), decision in game.repertoire.decisions.items():
            checked(name, kind, decision.function)


def _table() -> None:
    """The table game."""
    for player in GAMES_THERE_ARE["table"].repertoire.families:
        ginsim.compare(player, "table_greedy", rules="house", **_ONE)
    ginsim.effect("house", ["house(players=3)"], ["table_greedy"], **_DEALS)


def _replays() -> None:
    """One hand again, with the costs that the look-ahead saw, and as a record."""
    replay = ginsim.replay("simple", "champion", 1)
    str(replay)
    walk(of_replay(replay))
    str(ginsim.replay("expert", "novice", 1, rules="house"))


def _advice() -> None:
    """Choices played to the end of a hand."""
    ginsim.advise(_HAND, upcard="KC", rollouts=2)
    advise_at_table(_HAND, "7C KC 2C", rollouts=2)
    advise_at_table(_HAND, drawn="stock", rollouts=2)
    advise_at_table(_HAND, claim="8S", rollouts=2)


def parts() -> list[tuple[str, Callable[[], Any]]]:
    """What is compiled, by name: functions to call, in any order."""
    return [
        ("evaluation of hands", _evaluation),
        ("hands and games of simple players", lambda: _pairings("simple", "threshold")),
        ("other studies", _studies),
        ("every decision", _decisions),
        ("hands and games of other players", lambda: _pairings("lookahead", "simple")),
        ("hands and games of learned players", lambda: _pairings("learned", "simple")),
        ("advice", _advice),
        ("the table game", _table),
        ("single hands", _replays),
    ]
