"""The rules of the table game as one frozen value: presets, validation, and the kernel's form of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, get_args

from pydantic import Field

from ginsim.errors import InputError
from ginsim.games.rules import RulesModel, deck_numbers
from ginsim.games.table import layout as R
from ginsim.specs import format_spec

Ban = Literal["all", "only_if_single"]
Out = Literal["either", "meld_only", "discard_required"]
Blocked = Literal["void", "lowest"]
Count = Literal["unmatched", "all_in_hand"]
DEALT = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}
"""Cards dealt to each, by the number of players."""


class TableRules(RulesModel):
    """Everything that varies from one table to another; the defaults are ``house``.

    Examples
    --------
    >>> rules = TableRules.parse("house(players=2, wrap=false)")
    >>> rules.cards, rules.max_pile_draw
    (10, 5)
    >>> str(rules.replace(wrap=True))
    'house(players=2)'
    """

    GAME, CHANGE, WHERE = "table", "players=2", " for the table"
    TITLE = "the table game"

    players: int = Field(4, ge=2, le=R.MOST_SEATS, description="players at the table", json_schema_extra={"unit": "players"})
    hand_size: int | None = Field(
        None, ge=3, le=10, description="cards dealt to each player; none = 10 for 2 players, 7 for 3 or 4, 6 for 5 or 6",
        json_schema_extra={"unit": "cards"},
    )  # fmt: skip
    wrap: bool = Field(True, description="runs may turn the corner: Q-K-A, K-A-2")
    ace_value: Literal[1, 15] = Field(1, description="points of an ace")
    max_pile_draw: int = Field(
        5, ge=1, le=5, description="most cards taken from the discard pile at once; of two or more, the deepest must be played",
        json_schema_extra={"unit": "cards"},
    )  # fmt: skip
    pile_discard_ban: Ban = Field(
        "all",
        description="cards taken from the pile that may not be discarded in the same turn: all = all of them; only_if_single = "
        "only a card taken alone",
    )
    claims: bool = Field(True, description="a discard may be claimed out of turn to meld it or lay it off at once")
    out_mode: Out = Field(
        "either",
        description="how a player may go out: meld_only = by melding, laying off or claiming; discard_required = by "
        "discarding the last card; either = in any of these ways",
    )
    max_reshuffles: int = Field(
        5, ge=0, le=50, description="times the discards may become the new stock; after that the hand is blocked",
        json_schema_extra={"unit": "reshuffles"},
    )  # fmt: skip
    max_turns: int = Field(
        400,
        ge=1,
        le=400,
        description="turns, counting all players', after which the hand is blocked",
        json_schema_extra={"unit": "turns"},
    )
    blocked: Blocked = Field(
        "void",
        description="a blocked hand: void = nobody scores and the same player deals again; lowest = the lowest deadwood wins",
    )
    count: Count = Field(
        "unmatched",
        description="deadwood of a hand: unmatched = cards in no meld of the hand; all_in_hand = all its cards",
    )
    target: int = Field(100, ge=1, le=10_000, description="points that win a game")
    hands: int | None = Field(
        None, ge=1, le=1000, json_schema_extra={"unit": "hands"},
        description="hands after which a game ends, if nobody has reached the target before; the highest score wins, and on a "
        "tie nobody wins; none = only the target ends a game",
    )  # fmt: skip

    def _check_together(self) -> None:
        if (needed := self.players * self.cards + 2) > 52:
            raise InputError(
                f"hand_size={self.cards} needs {needed} cards for players={self.players} (hands, upcard, a stock of one or "
                "more); the deck has 52"
            )

    def _without_effect(self) -> dict[str, str]:
        stock = 52 - self.players * self.cards - 1
        lasts = stock + self.max_reshuffles  # turns at least, for each draws one card from it at most
        cases = {
            "pile_discard_ban": (self.max_pile_draw == 1, "max_pile_draw=1: only one card is taken at a time"),
            "max_reshuffles": (
                self.max_turns <= lasts,
                f"max_turns={self.max_turns}: the stock, with that many reshuffles, lasts at least {lasts} turns",
            ),
        }
        return {field: why for field, (idle, why) in cases.items() if idle}

    @property
    def cards(self) -> int:
        """Cards dealt to each player."""
        return DEALT[self.players] if self.hand_size is None else self.hand_size

    @classmethod
    def presets(cls) -> Mapping[str, Any]:
        return PRESETS

    def _numbers(self) -> dict[int, int]:
        return _numbers(self)

    def __str__(self) -> str:
        fields, house = self.model_dump(), PRESETS["house"].rules.model_dump()
        return format_spec("house", {field: value for field, value in fields.items() if value != house[field]})  # these all count


@cache
def _numbers(rules: TableRules) -> dict[int, int]:
    """Give the number of each slot of the kernel's array."""
    return deck_numbers(rules.wrap, rules.ace_value) | {
        R.HAND_SIZE: rules.cards,
        R.PLAYERS: rules.players,
        R.MAX_PILE_DRAW: rules.max_pile_draw,
        R.BAN: get_args(Ban).index(rules.pile_discard_ban),
        R.CLAIMS: rules.claims,
        R.OUT: get_args(Out).index(rules.out_mode),
        R.MAX_RESHUFFLES: rules.max_reshuffles,
        R.MAX_TURNS: rules.max_turns,
        R.BLOCKED: get_args(Blocked).index(rules.blocked),
        R.COUNT: get_args(Count).index(rules.count),
        R.TARGET: rules.target,
        R.HANDS: rules.hands or 0,
    }


class TablePreset(NamedTuple):
    """Rules with a name: what they are in one line, and the rules."""

    description: str
    rules: TableRules


PRESETS: dict[str, TablePreset] = {
    "house": TablePreset(
        "the table game for 2 to 6: melds on the table, runs turn the corner, up to 5 cards from the pile, claims, to 100",
        TableRules(),
    ),
}
