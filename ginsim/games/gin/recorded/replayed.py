"""Hands that were replayed (``ginsim.games.gin.replay``) as recorded hands."""

from __future__ import annotations

from typing import Any

from ginsim.games.gin.evaluate import best_melds
from ginsim.games.gin.recorded.hand import BIG_GIN, GIN, KNOCK, RecordedHand, Result, Shown, Turn
from ginsim.games.gin.replay import Move, Replay

__all__ = ["of_replay"]


def of_replay(hand: Replay) -> RecordedHand:
    r"""A replayed hand as a record; the note says where it comes from.

    Examples
    --------
    >>> from ginsim.study.hand import replay
    >>> print(*str(of_replay(replay("simple", "simple", deal=4711, seed=1, rules="eaai"))).splitlines()[:8], sep="\n")
    rules: eaai
    A: simple
    B: simple
    note: deal 4711, seed 1, play 0
    starter: A
    hand A: 4S 8S 9S 10S AH 5D 8D 2C 7C 10C
    hand B: AS 6S QS 3H 5H 9H JH 7D JD JC
    upcard: 3C
    """
    return RecordedHand(
        rules=hand.rules,
        names=(hand.a, hand.b),
        score=hand.score,
        boxes=hand.boxes,
        starter=hand.record["starter"],
        dealt=hand.dealt,
        upcard=hand.upcard,
        turns=tuple(_turn(move, hand) for move in hand.moves),
        shown=_shown(hand),
        result=Result(hand.ending, hand.record["winner"], hand.record["points"]),
        note=f"deal {hand.deal}, seed {hand.seed}, play {hand.play}",
    )


def _turn(move: Move, hand: Replay) -> Turn:
    action: Any = "pass" if move.refusal else "take" if move.taken else "draw" if move.drawn else "discard"
    left = hand.record[f"deadwood_{move.player}"]
    ending = "" if not move.knock else BIG_GIN if not move.discard else GIN if left == 0 else KNOCK
    return Turn(move.player, action, move.drawn, move.discard, ending)


def _shown(hand: Replay) -> tuple[Shown | None, Shown | None]:
    """What was laid down: at a showdown melds and lay-offs, else both hands as they would be."""
    found, knocker = hand.showdown(), hand.record["knocker"]
    sides = []
    for player, cards in enumerate(hand.hands):
        laid = 0
        if found is None:
            melds = best_melds(cards, hand.rules)[0].melds
        elif player == knocker:
            melds = found.knocker_melds
        else:
            melds, laid = found.defender_melds, found.laid_off
        sides.append(Shown(melds, laid, cards & ~(sum(melds) | laid)))
    return sides[0], sides[1]
