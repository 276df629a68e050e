"""``ginsim eval``: melds, deadwood and discards of a hand, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ginsim.cards import format_card, format_hand, parse_hand
from ginsim.errors import InputError, shown
from ginsim.games.gin.evaluate import best_discard, best_melds, deadwood, rank_discards, read_cards
from ginsim.games.gin.rules import Rules
from ginsim.games.rulebook import rules_of
from ginsim.games.table.position import evaluate
from ginsim.games.table.rules import TableRules

MOST_SHOWN = 5


def show_hand(
    hand_text: str, upcard_text: str | None, rules_text: str, table_text: str | None = None, pile_text: str | None = None
) -> str:
    """What can be said of a hand: its best arrangements; discards if it holds one card too many; what the upcard does.

    In the table game with melds on the table or a pile: what can be laid off, and the best turn after each legal draw.
    """
    hand = parse_hand(hand_text)
    rules = rules_of(rules_text)
    if isinstance(rules, TableRules):
        return _at_table(hand, upcard_text, rules, table_text, pile_text)
    if not isinstance(rules, Rules):
        raise InputError(f"rules: {rules} is a game whose hands cannot be evaluated")
    for name, text in (("table", table_text), ("pile", pile_text)):
        if text is not None:
            raise InputError(f"{name}: {rules} is two-player gin; melds on the table and a pile belong to the table game (house)")
    lines = [_cards(hand), *_melds(hand, rules)]
    if hand.bit_count() == rules.hand_size + 1:
        lines += ["", *_discards(hand, 0, rules)]
    if upcard_text is not None:
        lines += ["", *_upcard(hand, one_card(upcard_text, rules), rules)]
    return "\n".join(lines)


def _at_table(
    hand: int, upcard_text: str | None, table: TableRules, melds_text: str | None = None, pile_text: str | None = None
) -> str:
    """The same for the table game, whose melds are those of gin with the same options; nobody knocks."""
    if upcard_text is not None and pile_text is not None:
        raise InputError("upcard: it cannot be given with pile, whose last card is the top one")
    pile_text = upcard_text if pile_text is None else pile_text
    rules = Rules(wrap=table.wrap, ace_value=table.ace_value, hand_size=table.cards, min_turns_before_knock=0)
    deadwood_line, *arrangements = _melds(hand, rules)
    lines = [_cards(hand), deadwood_line.partition(" (")[0], *arrangements]
    if melds_text is not None or pile_text is not None:
        _, *more = str(evaluate(hand, melds_text or "", pile_text or "", table)).split("\n")
        return "\n".join([*lines, *more])
    if hand.bit_count() == table.cards + 1:
        lines += ["", *_discards(hand, 0, rules)]
    return "\n".join(lines)


def _cards(hand: int) -> str:
    return f"{hand.bit_count()} cards: {format_hand(hand, symbols=True)}"


def _melds(hand: int, rules: Rules) -> list[str]:
    arrangements = best_melds(hand, rules)
    left = arrangements[0].points
    lines = [f"deadwood: {left}{_standing(hand, left, rules)}"]
    lines += [arrangement_line(arrangement.melds, arrangement.deadwood) for arrangement in arrangements[:MOST_SHOWN]]
    if len(arrangements) > MOST_SHOWN:
        lines.append(f"  … and {len(arrangements) - MOST_SHOWN} other ways")
    return lines


def arrangement_line(melds: Iterable[int], loose: int) -> str:
    """Melds and unmatched cards of a hand."""
    laid_out = " · ".join(format_hand(meld, symbols=True) for meld in melds) or "none"
    return f"  melds: {laid_out}   unmatched: {format_hand(loose, symbols=True) or 'none'}"


def _standing(hand: int, left: int, rules: Rules) -> str:
    if hand.bit_count() != rules.hand_size:
        return ""
    if left == 0:
        return " (gin)"
    if rules.oklahoma:
        return f" (a knock needs an upcard worth {left} or more)" if left <= 10 else " (too much to knock)"
    return " (enough to knock)" if left <= rules.knock_limit else f" (a knock needs {rules.knock_limit} or less)"


def _discards(hand: int, banned: int, rules: Rules) -> list[str]:
    lines = ["discards, best first (deadwood left):"]
    by_left: dict[int, list[str]] = {}
    for card, left in rank_discards(hand, banned, rules):
        by_left.setdefault(left, []).append(format_card(card, symbols=True))
    lines += [f"  {left:3d}  {' '.join(cards)}" for left, cards in by_left.items()]
    if banned:
        lines.append(f"  {format_hand(banned, symbols=True)} was just taken and may not go back this turn")
    return lines


def one_card(text: str, rules: Rules) -> int:
    """The mask of an upcard."""
    card = read_cards(text, "upcard", rules)
    if card.bit_count() != 1:
        raise InputError(f"upcard: {shown(text)} is not one card")
    return card


def _upcard(hand: int, card: int, rules: Rules) -> list[str]:
    if card & hand:
        raise InputError(f"upcard: {format_card(card)} is in the hand; an upcard is another card")
    if hand.bit_count() != rules.hand_size:
        raise InputError(f"upcard: the hand has {hand.bit_count()} cards; to take an upcard it must have {rules.hand_size}")
    banned = card if rules.redraw_ban else 0
    after = best_discard(hand | card, banned, rules).deadwood
    before = deadwood(hand, rules)
    change = "no change" if after == before else f"{after - before:+d}"
    name = format_card(card, symbols=True)
    taking = f"taking {name}: deadwood {before} → {after} after the best discard ({change})"
    return [taking, *_discards(hand | card, banned, rules)]
