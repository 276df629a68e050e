"""A hand that is replayed, in words and as plain data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ginsim.cards import SUITS, SYMBOLS, cards_of, format_card, format_hand
from ginsim.games.gin.evaluate import Arrangement, best_melds

__all__ = ["NAMES", "as_dict", "as_text", "headline", "melded", "outcome", "symbols"]

NAMES = "AB"
NO_SCORE = {
    "dead": "The stock ran out before anyone knocked: nobody scores.",
    "stalled": "The hand went on for too many turns: nobody scores.",
    "push": "Equal deadwood: nobody scores.",
}


def as_text(hand: Any) -> str:
    """The hand turn by turn, numbered for each player: what was done, what is held after it, what was known; the showdown."""
    lines = [*headline(hand), ""]
    lines += [f"{NAMES[player]} is dealt   {melded(hand.dealt[player], hand)}" for player in range(2)]
    for move in hand.moves:
        lines += ["", *_told(move, hand)]
    return "\n".join([*lines, "", *outcome(hand)])


def headline(hand: Any) -> list[str]:
    """Which hand it is, who starts with what upcard, when a knock is allowed."""
    record = hand.record
    score = f", at {hand.score[0]} to {hand.score[1]}" if any(hand.score) else ""
    limit = "only gin ends the hand" if record["limit"] == 0 else f"a knock needs {record['limit']} or less"
    upcard = f"upcard {_card(hand.upcard)}" if hand.upcard else "no upcard"
    double = f", points count {record['multiplier']}-fold" if record["multiplier"] > 1 else ""
    return [
        f"Deal {hand.deal}, seed {hand.seed}, play {hand.play}{score}; rules {hand.rules}",
        f"A: {hand.a}",
        f"B: {hand.b}",
        f"{NAMES[record['starter']]} starts; {upcard}; {limit}{double}",
    ]


def _told(move: Any, hand: Any) -> list[str]:
    """A move in one to four lines."""
    me, other = NAMES[move.player], NAMES[1 - move.player]
    if move.refusal:
        return [f"    {me} passes {_card(move.upcard)}"]
    lines = [f"{move.turn:3d} {me} {_done(move)}", f"        {melded(move.hand, hand)}"]
    known = {"holds": move.held, "refused": move.passed & ~move.discards, "discarded": move.discards}
    told = [f"{what} {_cards(cards)}" for what, cards in known.items() if cards]
    if told:
        lines.append(f"        {me} saw that {other} {', '.join(told)}; {move.unseen.bit_count()} cards unseen")
    if len(move.costs) > 1:
        lines.append(f"        cost of discards: {', '.join(f'{_card(card)} {cost:.1f}' for card, cost in move.costs)}")
    return lines


def _done(move: Any) -> str:
    """What a player did on a turn."""
    parts = []
    if move.drawn:
        where = "takes" if move.taken else "draws"
        beside = "" if move.taken or not move.upcard else f" (leaving {_card(move.upcard)})"
        parts.append(f"{where} {_card(move.drawn)}{beside}")
    if move.discard:
        parts.append(f"discards {_card(move.discard)}")
    if move.knock:
        parts.append("knocks" if move.discard else "lays down big gin")
    elif move.knock is False:
        parts.append("could knock, and goes on")
    return ", ".join(parts)


def outcome(hand: Any) -> list[str]:
    """The showdown and who wins."""
    shown = hand.showdown()
    if shown is None:
        lines = [f"{NAMES[player]}   {melded(hand.hands[player], hand)}" for player in range(2)]
        return [*lines, NO_SCORE[hand.ending]]
    knocker, defender = hand.record["knocker"], 1 - hand.record["knocker"]
    loose = hand.hands[defender] & ~(sum(shown.defender_melds) | shown.laid_off)
    sides = {
        knocker: _arranged(shown.knocker_melds, hand.hands[knocker] & ~sum(shown.knocker_melds), shown.knocker_deadwood),
        defender: _arranged(shown.defender_melds, loose, shown.defender_deadwood),
    }
    if shown.laid_off:
        sides[defender] += f", having laid off {_cards(shown.laid_off)}"
    lines = [f"{NAMES[player]}   {sides[player]}" for player in (knocker, defender)]
    if shown.winner is None:
        return [*lines, NO_SCORE["push"]]
    how = {"knock": "by a knock", "undercut": "by an undercut", "gin": "with gin", "big_gin": "with big gin"}[hand.ending]
    return [*lines, f"{NAMES[hand.record['winner']]} wins {hand.record['points']} points {how}."]


def melded(cards: int, hand: Any) -> str:
    """The best melds of a hand, with its deadwood; ``hand`` has the rules."""
    way = best_melds(cards, hand.rules)[0]
    return _arranged(way.melds, way.deadwood, way.points)


def _arranged(melds: tuple[int, ...], loose: int, points: int) -> str:
    """Melds, unmatched cards and their points."""
    text = str(replace(Arrangement((), 0, 0), melds=melds, deadwood=loose))
    return f"{points:2d}  {symbols(text)}"


def symbols(text: str) -> str:
    """A text with symbols for the letters of suits."""
    return text.translate(str.maketrans(SUITS, SYMBOLS))


def _card(card: int) -> str:
    return format_card(card, symbols=True)


def _cards(cards: int) -> str:
    return format_hand(cards, symbols=True)


def as_dict(hand: Any) -> dict[str, Any]:
    """The hand as plain data; cards as text, players as 0 and 1."""
    shown = hand.showdown()
    return {
        "deal": hand.deal,
        "seed": hand.seed,
        "play": hand.play,
        "rules": str(hand.rules),
        "strategies": [hand.a, hand.b],
        "score": list(hand.score),
        "boxes": list(hand.boxes),
        "upcard": format_hand(hand.upcard),
        "dealt": [_held(cards, hand) for cards in hand.dealt],
        "moves": [_move_dict(move, hand) for move in hand.moves],
        "showdown": None
        if shown is None
        else {
            "knocker_melds": [format_hand(meld) for meld in shown.knocker_melds],
            "defender_melds": [format_hand(meld) for meld in shown.defender_melds],
            "laid_off": format_hand(shown.laid_off),
            "knocker_deadwood": shown.knocker_deadwood,
            "defender_deadwood": shown.defender_deadwood,
        },
        "record": hand.record | {"ending": hand.ending},
    }


def _move_dict(move: Any, hand: Any) -> dict[str, Any]:
    if move.refusal:
        return {"player": move.player, "refuses": format_hand(move.upcard)}
    return {
        "player": move.player,
        "turn": move.turn,
        "upcard": format_hand(move.upcard),
        "stock": move.stock,
        "drawn": format_hand(move.drawn),
        "taken": move.taken,
        "discard": format_hand(move.discard),
        "knock": move.knock,
        "after": _held(move.hand, hand),
        "knew": {
            "held": format_hand(move.held),
            "refused": format_hand(move.passed),
            "discarded": format_hand(move.discards),
            "unseen": [format_card(card) for card in cards_of(move.unseen)],
        },
        "costs": {format_card(card): cost for card, cost in move.costs},
    }


def _held(cards: int, hand: Any) -> dict[str, Any]:
    way = best_melds(cards, hand.rules)[0]
    return {"melds": [format_hand(m) for m in way.melds], "unmatched": format_hand(way.deadwood), "deadwood": way.points}
