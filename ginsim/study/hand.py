"""One hand at a time, of whatever game: played again move by move, and what to do in a position."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ginsim.deals import GAME_BASE, HANDS_PER_GAME, MOST_DEALS, MOST_SEED
from ginsim.errors import InputError, check_count, shown
from ginsim.games.catalog import Strategy, game_of, rules_of
from ginsim.games.rules import RulesModel
from ginsim.games.strategy import players_of

__all__ = ["LAST_DEAL", "advise", "check_deal", "replay", "replay_row"]

LAST_DEAL = GAME_BASE + MOST_DEALS * HANDS_PER_GAME - 1


def check_deal(deal: Any) -> int:
    """``deal`` if it is the index of a hand, or of a hand of a game."""
    whole = isinstance(deal, int | np.integer) and not isinstance(deal, bool)
    if not whole or not (0 <= deal < MOST_DEALS or GAME_BASE <= deal <= LAST_DEAL):
        raise InputError(
            f"deal: {shown(deal)} is not allowed; give a whole number from 0 to {MOST_DEALS - 1}, "
            f"or for a hand of a game one from {GAME_BASE} to {LAST_DEAL}"
        )
    return int(deal)


def replay(
    a: str | Strategy,
    b: str | Strategy,
    deal: int,
    seed: int = 0,
    rules: str | RulesModel = "classic25",
    play: int = 0,
) -> Any:
    """Play one hand of a study again and keep every move.

    Parameters
    ----------
    a, b : str or Strategy
        Players 0 and 1, in the order of the study; at the table of the table game they sit alternately.
    deal : int
        Index of the deal. Hand h of game g, both from 0, is deal 2**40 + 4096 * g + h; its game is played up to there.
    seed : int
    rules : str or Rules
    play : int
        0 or 1: the first play of the duplicate pair, in which ``a`` starts (the hand, or the first hand of the game), or
        the second, in which ``b`` does.

    Returns
    -------
    Replay, TableReplay
        Print it, or see its ``as_dict``.

    Raises
    ------
    InputError
        For anything that is not allowed, and for a hand that its game did not reach.
    StrategyError
        For an illegal move of a strategy.

    Examples
    --------
    >>> hand = replay("simple", "simple", deal=4711, seed=1, rules="eaai")
    >>> hand.ending, hand.record["points"], len(hand.moves)
    ('knock', 5, 12)
    """
    return replay_seats([a, b], deal, seed, rules, play)


def replay_seats(
    strategies: Sequence[str | Strategy], deal: int, seed: int = 0, rules: str | RulesModel = "classic25", play: int = 0
) -> Any:
    """As `replay`, of any number of strategies: one a seat, moved on by a seat in each play."""
    deal, seed, played = check_deal(deal), check_count("seed", seed, 0, MOST_SEED), rules_of(rules)
    players, game = players_of("strategies", strategies, played.GAME, 2), game_of(played)
    if len(players) not in (2, game.seats(played)):
        raise InputError(f"strategies: {len(players)} given; there are {game.seats(played)} seats under {played}")
    return game.replay(players, played, seed, deal, check_count("play", play, 0, len(players) - 1))


def replay_row(result: Any, row: Mapping[Any, Any]) -> Any:
    """Play the hand of a row of ``result.hands()`` again.

    Examples
    --------
    >>> import tempfile, ginsim
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = ginsim.compare("simple", "threshold(knock=5)", deals=5, games=0, keep_hands=folder)
    ...     row = result.hands().iloc[7]
    >>> again = replay_row(result, row)
    >>> again.ending == row["ending"] and bool(again.record["points"] == row["points"])
    True
    """
    strategies: Any = getattr(result, "strategies", None) or (getattr(result, "a", None), getattr(result, "b", None))
    seed: Any = getattr(result, "seed", None)
    if strategies[0] is None or isinstance(seed, tuple | None) or not hasattr(result, "hands"):
        raise InputError(f"result: hands of a {type(result).__name__} with seed {shown(seed)} cannot be found by their row")
    seats = getattr(result, "seats", None)
    try:
        deal, play = operator.index(row["deal"]), operator.index(row["play"])
        if seats is None:
            pairing = str(row["pairing"]) if len(strategies) > 2 else "0-1"
            seats = [strategies[int(number)] for number in re.fullmatch(r"(\d+)-(\d+)", pairing, re.ASCII).groups()]  # type: ignore[union-attr]
    except (KeyError, TypeError, IndexError, AttributeError):
        raise InputError(f"row: {shown(row)} is not a row of this result's hands(): it has pairing, deal and play") from None
    return replay_seats(seats, deal, seed, result.rules, play)


def advise(
    hand: str | int, upcard: str | int | None = None, *, rules: str | RulesModel = "classic25", rollouts: int | None = None,
    seed: int = 0, player: str | Strategy | None = None, **moment: Any,
) -> Any:  # fmt: skip
    """Rank the choices: draw, or discard and knock; in the table game draw, melds and lay-offs, or a claim.

    Hidden cards are drawn many times, with their probability given what was seen, and every choice is played to the end on
    the same cards. All play on as ``player`` does, unless that plays by rollouts: then hands are played on as in these. With
    ``rollout`` and ``champion_rollout`` you look ahead and the opponent plays plainly; with ``strong_rollout`` both play a turn
    by the nets, and then plainly.

    Parameters
    ----------
    hand : str or int
        Your cards: as many as are dealt to choose the draw, one more to choose the discard and the knock.
    upcard : str or int
        The top of the discard pile. With a card to discard: the card just taken from the pile, if it is in the hand (it may
        not go back where the rules say so), else the one that was left.
    rules : str or Rules
    rollouts : int, optional
        How many times each choice is played: 2,000 in gin, 500 in the table game.
    seed : int
    player : str or Strategy, optional
        The strategy that plays on for everybody: by default ``strong`` in gin and ``expert`` in the table game.
    **moment
        What else is known. At a table: ``pile``, ``table``, ``counts``, ``held``, ``drawn``, ``claim``, ``seat``, ``discarder``,
        ``turn``, ``stock``, ``scores`` (see ``ginsim.table.advise_at_table``). In gin the following.
    seen : str or int
        Other cards in the discard pile.
    discarded, opponent_discarded : str or list
        Your discards and the opponent's, in order, as far as they are known. The upcard counts as the opponent's last.
    opponent_took : str or list
        Cards the opponent took from the pile, in order. With ``-`` for every turn on which the stock was used there is one
        entry a turn, and more can be read from it.
    turn : int, optional
        Your turn, from 1; by default worked out from the discards.
    dealer : bool
        Whether the opponent had the first turn (or the first choice of the upcard).
    stock : int, optional
        Cards left in the stock; by default worked out from the turns.
    limit : int, optional
        Most deadwood to knock with, where the first upcard sets it (Oklahoma).
    score : (int, int), optional
        Points in the game, yours first. If it is given, choices are ranked by the chance of winning the game, else by points.

    Returns
    -------
    Advice or TableAdvice

    Raises
    ------
    InputError
        For cards that contradict each other, and for anything else that is impossible.

    Examples
    --------
    >>> advice = advise("3H 4H 5H 6H 7S 8S 9S KC KS KH JD", turn=3, rollouts=50)
    >>> print(advice.best)
    discard J♦ and go gin
    """
    played = rules_of(rules)
    given = {"upcard": upcard, "rollouts": rollouts, "player": player}
    known = {name: value for name, value in given.items() if value is not None}
    return game_of(played).advise(played, hand=hand, seed=seed, **known, **moment)
