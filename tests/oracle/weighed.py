"""Twin of the decisions called ``weighed``: what players argue about, by the definition of each argument."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .cards import Card, Hand, Pack, full_deck, point
from .melds import NOTHING, best_discards, deadwood, melds_with
from .outlook import Known, completing, entry, last_value, partners, unseen

Weights = Mapping[str, Any]
LATE, MOST_LIKELY, STOCK_STEP = 12, 0.95, 4


@dataclass(frozen=True)
class Seen(Known):
    """What a player knows that these decisions use besides."""

    left_by_opponent: Hand = NOTHING  # what they discarded or passed
    opponent_turns: int = 0
    first_offer: bool = False  # asked as the starter, before anybody has passed
    stock: int = 0
    lead: int = 0  # of the opponent's line, boxes counted
    opponent_score: int = 0


def lateness(seen: Known) -> float:
    return min(seen.turn, LATE) / LATE


# Cards beside each other


def at(card: Card, steps: int, pack: Pack) -> Card | None:
    """The card so many ranks above in its suit, around the corner if runs go there."""
    rank = card[0] + steps
    if pack.wrap:
        return rank % pack.ranks, card[1]
    return (rank, card[1]) if 0 <= rank < pack.ranks else None


def same_rank(card: Card, pack: Pack) -> Hand:
    return frozenset(c for c in full_deck(pack) if c[0] == card[0] and c != card)


def beside(cards: Iterable[Card], pack: Pack) -> Hand:
    """Cards of the rank of one of them, or next to one in its suit."""
    cards = list(cards)
    next_to = {at(card, step, pack) for card in cards for step in (-1, 1)} - {None}
    of_rank = {c for card in cards for c in same_rank(card, pack)} - set(cards)
    return frozenset(next_to | of_rank)  # type: ignore[arg-type]


# What the opponent may hold


def chances(seen: Seen, pickup: float, trust: float) -> dict[Card, float]:
    """That the opponent holds each card."""
    hidden = unseen(seen)
    even = (seen.rules.hand_size - len(seen.opponent_known)) / max(len(hidden), 1)
    near, away = beside(seen.opponent_known, seen.pack), beside(seen.left_by_opponent, seen.pack)
    found = dict.fromkeys(full_deck(seen.pack), 0.0) | dict.fromkeys(seen.opponent_known, 1.0)
    for card in hidden:
        found[card] = min(even * (pickup if card in near else 1) * (1 - trust if card in away else 1), MOST_LIKELY)
    return found


def wanted(card: Card, chance: Mapping[Card, float], pack: Pack) -> float:
    """Pairs to be expected in the opponent's hand that make a meld with the card."""
    return sum(math.prod(chance[c] for c in pair) for pair in partners(card, pack))


def undercut_chance(seen: Seen) -> float:
    expected = 17 - 1.5 * min(seen.opponent_turns, LATE) - 0.7 * len(seen.opponent_known) + 0.9 * last_value(seen)
    return 1 / (1 + math.exp((expected - seen.deadwood) / 4.3))


# Draw


def upcard_worth(seen: Seen, weights: Weights) -> float:
    """Points that taking the upcard is worth; infinite if it brings gin."""
    assert seen.upcard is not None
    held, pack, hidden = seen.hand | {seen.upcard}, seen.pack, unseen(seen)
    left, cards = best_discards(held, frozenset({seen.upcard}) if seen.rules.redraw_ban else NOTHING, pack)
    worth = float(deadwood(seen.hand, pack) - left)
    if left == 0 and worth > 0:
        return math.inf
    if not melds_with(seen.hand, seen.upcard, pack):
        worth -= weights["no_meld"]
    thrown = max(cards, key=lambda c: (c[1], c[0]))
    outs = [len(completing(hand, pack) & hidden) for hand in (held - {thrown}, seen.hand)]
    worth += weights["outs"] * (outs[0] - outs[1])
    if seen.first_offer:
        worth += weights["deny"] * wanted(seen.upcard, chances(seen, 1, 0), pack)
    return worth


# Discard


def holding_value(card: Card, rest: Hand, hidden: Hand, weights: Weights, pack: Pack) -> float:
    """What a card is worth beside the others."""
    down2, down1, up1, up2 = (at(card, step, pack) for step in (-2, -1, 1, 2))
    same = same_rank(card, pack)
    value = weights["pair"] * len(same & hidden) if same & rest else 0.0
    ends = [{down2, up1} for c in (down1,) if c in rest] + [{down1, up2} for c in (up1,) if c in rest]
    inside = [{down1} for c in (down2,) if c in rest] + [{up1} for c in (up2,) if c in rest]
    value += weights["connector"] * sum(len(outs & hidden) for outs in ends)
    value += weights["inside"] * sum(len(outs & hidden) for outs in inside)
    if same & rest and {down1, up1} & rest:
        value += weights["triangle"]
    return value + weights["middle"] * sum(None not in pair for pair in ((down2, down1), (down1, up1), (up1, up2)))


def costs(seen: Seen, weights: Weights) -> dict[Card, float]:
    """Cost of each discard that is allowed and leaves little enough deadwood."""
    pack, hidden, late = seen.pack, unseen(seen), lateness(seen)
    least, _ = best_discards(seen.hand, seen.banned, pack)
    chance, found = chances(seen, weights["pickup"], weights["trust"]), {}
    for card in seen.hand - seen.banned:
        rest = seen.hand - {card}
        more = deadwood(rest, pack) - least
        if more > weights["slack"]:
            continue
        cost = (weights["points"] + late * weights["points_turn"]) * more
        cost += (1 + late * weights["keep_turn"]) * holding_value(card, rest, hidden, weights, pack)
        if point(card, pack) >= 10 and same_rank(card, pack) & rest:
            cost += entry(weights["high_pair"], seen.turn) * len(same_rank(card, pack) & hidden)
        cost += (weights["safety"] + late * weights["safety_turn"]) * wanted(card, chance, pack)
        if weights["bait"]:
            cost -= weights["bait"] * len(completing(rest, pack) & hidden & beside({card}, pack))
        found[card] = cost
    return found


# Knock


def knocks(seen: Seen, weights: Weights) -> bool:
    left = seen.deadwood
    if left == 0 or seen.rules.target - seen.score <= weights["knock_to_win"] - left:
        return True
    if seen.rules.target - seen.opponent_score <= weights["knock_if_close"]:
        return True
    return (
        seen.turn + 1 < weights["gin_from"]
        and left <= entry(weights["knock_by_turn"], seen.turn) + weights["behind"] * seen.lead
        and left <= entry(weights["knock_by_stock"], seen.stock // STOCK_STEP)
        and (weights["undercut_risk"] == 1 or undercut_chance(seen) <= weights["undercut_risk"])
    )
