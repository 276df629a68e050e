"""The rules of two-player gin as one frozen value: presets, validation, and the kernel's form of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from pydantic import Field, field_validator

from ginsim import layout as D
from ginsim.errors import InputError
from ginsim.games.gin import layout as R
from ginsim.games.rules import RulesModel, deck_numbers
from ginsim.specs import format_spec

if TYPE_CHECKING:
    pass

OklahomaAce = Literal["gin_only", "one"]
Tie = Literal["undercut", "push", "knocker"]
Layoff = Literal["optimal", "after_melds", "none"]
StockEnd = Literal["dead_at_2", "dead_at_0", "last_discard", "reshuffle"]
Shutout = Literal["none", "bonus_x2", "double_points", "double_total", "double_difference"]
NextDealer = Literal["alternate", "loser", "winner"]


class Rules(RulesModel):
    """Everything that varies from one gin table to another; the defaults are ``classic25``.

    Rules are values: compare, hash, and change them with `replace`. Their text form
    (``str(rules)``, ``Rules.parse``) is a preset with the fields that differ from it.

    Examples
    --------
    >>> rules = Rules.parse("classic25(knock_limit=5)")
    >>> rules.knock_limit, rules.gin_bonus
    (5, 25)
    >>> Rules.parse("classic25(knock_limit=5, oklahoma=true)")
    Traceback (most recent call last):
    ...
    ginsim.errors.InputError: knock_limit=5 has no effect with oklahoma=true: the first upcard sets the limit
    >>> str(rules.replace(big_gin_bonus=31))
    'big_gin(knock_limit=5)'
    """

    GAME, CHANGE = "gin", "knock_limit=5"
    TITLE = "two-player gin"

    gin_bonus: int = Field(25, ge=0, le=1000, description="bonus for going gin")
    undercut_bonus: int = Field(
        25, ge=0, le=1000, description="bonus for a defender with at most the knocker's deadwood"
    )
    big_gin_bonus: int | None = Field(
        None, ge=0, le=1000, description="bonus for melding all cards, the drawn one too; none = not played"
    )
    knock_limit: int = Field(
        10, ge=0, le=100, description="most deadwood to knock with; 0 = gin only; with oklahoma the upcard sets it"
    )
    oklahoma: bool = Field(False, description="the first upcard's value is the knock limit")
    oklahoma_ace: OklahomaAce = Field(
        "gin_only",
        description="oklahoma with an ace as the first upcard: gin_only = nobody may knock before gin; one = with at most 1",
    )
    spades_double: bool = Field(False, description="a spade as the first upcard doubles the points and bonuses of the hand")
    min_turns_before_knock: int = Field(
        1, ge=0, le=10, json_schema_extra={"unit": "turns"},
        description="turns a player must have finished before knocking or going gin: 0 = at once; 1 = from the second on; a "
        "first turn that is only a discard does not count, and nobody may knock on it",
    )  # fmt: skip
    upcard_offer: bool = Field(True, description="the first upcard is offered to both players before anyone draws")
    eleven_card_start: bool = Field(False, description="the starter is dealt one card more and only discards on the first turn")
    tie: Tie = Field(
        "undercut",
        description="equal deadwood after a knock: undercut = the defender wins, with the bonus; push = nobody scores; "
        "knocker = the knocker wins, by 0 points",
    )
    layoff: Layoff = Field(
        "optimal",
        description="cards the defender may add to the knocker's melds: optimal = melds and lay-offs chosen together for the "
        "least deadwood; after_melds = the defender's best melds first, then what still fits; none = no lay-offs",
    )
    layoff_on_gin: bool = Field(False, description="the defender lays off against gin as well")
    stock_end: StockEnd = Field(
        "dead_at_2",
        description="end of the stock: dead_at_2 = nobody scores once 2 cards are left; dead_at_0 = once none is left; "
        "last_discard = with 2 left the next player may still take the last discard to knock or for big gin, or the hand is "
        "dead; reshuffle = with none left all discards but the top one become the new stock",
    )
    redraw_ban: bool = Field(True, description="a card taken from the discard pile may not be discarded on the same turn")
    wrap: bool = Field(False, description="runs may turn the corner: Q-K-A, K-A-2")
    ace_value: Literal[1, 15] = Field(1, description="points of an ace")
    hand_size: int = Field(10, ge=3, le=10, description="cards dealt to each player", json_schema_extra={"unit": "cards"})
    ranks: int = Field(13, ge=3, le=13, description="ranks in the deck, from the ace up", json_schema_extra={"unit": "ranks"})
    suits: int = Field(4, ge=2, le=4, description="suits in the deck, in the order S H D C", json_schema_extra={"unit": "suits"})
    target: int = Field(100, ge=1, le=10_000, description="points that win a game")
    game_bonus: int = Field(100, ge=0, le=1000, description="bonus for winning the game")
    box_bonus: int = Field(25, ge=0, le=1000, description="bonus for each hand won, paid when the game is settled")
    shutout: Shutout = Field(
        "bonus_x2",
        description="a game whose loser won no hand: none = nothing more; bonus_x2 = game bonus doubled; double_points = the "
        "winner's points from hands doubled; double_total = these points, boxes and bonus doubled; double_difference = the final "
        "margin doubled",
    )
    next_dealer: NextDealer = Field(
        "alternate",
        description="dealer after a hand with a winner: alternate = in turn; loser = the player who lost it; winner = the "
        "player who won it; after a hand without a winner the same player deals again; the dealer's opponent starts",
    )
    hollywood: bool = Field(False, description="three games at once, in staggered columns")
    third_column_double: bool = Field(False, description="hollywood's third column counts double")
    max_turns: int = Field(
        200, ge=2, le=400, description="turns, counting both players', after which a hand is stopped as stalled",
        json_schema_extra={"unit": "turns"},
    )  # fmt: skip

    @property
    def most_points(self) -> int:
        """No hand is won by more: all cards of the loser dear and unmatched, the dearest bonus, doubled if spades double.

        Examples
        --------
        >>> Rules.parse("eaai").most_points
        125
        """
        values = sorted([self.ace_value, *(min(rank, 10) for rank in range(2, self.ranks + 1))] * self.suits)
        bonus = max(self.gin_bonus, self.undercut_bonus, self.big_gin_bonus or 0)
        return (sum(values[-self.hand_size :]) + bonus) * (2 if self.spades_double else 1)

    @field_validator("layoff", "shutout", mode="before")
    @classmethod
    def _none_is_a_choice(cls, value: Any) -> Any:
        return "none" if value is None else value  # a spec reads layoff=none as None

    def _check_together(self) -> None:
        _check_together(self)

    def _without_effect(self) -> dict[str, str]:
        return _without_effect(self)

    @classmethod
    def presets(cls) -> Mapping[str, Any]:
        return PRESETS

    def _numbers(self) -> dict[int, int]:
        return _numbers(self)

    def __str__(self) -> str:
        return _shortest_spec(self)


def _check_together(rules: Rules) -> None:
    """Refuse fields that are fine alone and make no game together."""
    deck, needed = rules.ranks * rules.suits, 2 * rules.hand_size + 1 + 3
    first_knock = 2 * rules.min_turns_before_knock + 1 + rules.eleven_card_start
    no_upcard = "and eleven_card_start=true exclude each other: there is no upcard to"
    checks = {
        f"hand_size={rules.hand_size} needs a deck of {needed} cards or more (two hands, upcard, stock of 3);"
        f" ranks={rules.ranks} and suits={rules.suits} make {deck}": deck < needed,
        f"upcard_offer=true {no_upcard} offer": rules.eleven_card_start and rules.upcard_offer,
        f"oklahoma=true {no_upcard} set the limit": rules.eleven_card_start and rules.oklahoma,
        f"spades_double=true {no_upcard} double on": rules.eleven_card_start and rules.spades_double,
        "layoff_on_gin=true and layoff=none exclude each other: nothing is laid off": rules.layoff_on_gin
        and rules.layoff == "none",
        f"knock_limit=0 leaves only gin, and hand_size={rules.hand_size} with ranks={rules.ranks} makes none: nobody could ever"
        " knock": _gin_only(rules) and not _melds(rules.hand_size, rules),
        "third_column_double=true needs hollywood=true": rules.third_column_double and not rules.hollywood,
        f"min_turns_before_knock={rules.min_turns_before_knock} needs max_turns={first_knock} or more, or"
        f" nobody could ever knock; max_turns={rules.max_turns}": rules.max_turns < first_knock,
    }
    problems = [problem for problem, wrong in checks.items() if wrong]
    if problems:
        raise InputError("\n".join(problems))


def _gin_only(rules: Rules) -> bool:
    return rules.knock_limit == 0 and not rules.oklahoma


def _melds(cards: int, rules: Rules) -> bool:
    """Whether so many cards of the deck can all be melded: only 5 are no two melds, and need a run of as many ranks."""
    return cards != 5 or rules.ranks >= 5


def _without_effect(rules: Rules) -> dict[str, str]:
    """Say of the fields that change nothing beside another which one that is, and why."""
    gin_only, small = _gin_only(rules), f"hand_size={rules.hand_size} and ranks={rules.ranks}"
    first_end = rules.ranks * rules.suits - 2 * rules.hand_size - 3 + rules.eleven_card_start  # turns until 2 cards are left
    cases = {
        "knock_limit": (rules.oklahoma, "oklahoma=true: the first upcard sets the limit"),
        "oklahoma_ace": (not rules.oklahoma, "oklahoma=false: the first upcard sets no limit"),
        "undercut_bonus": (gin_only, "knock_limit=0: gin cannot be undercut"),
        "tie": (gin_only, "knock_limit=0: gin wins even against no deadwood"),
        "layoff": (
            gin_only and not rules.layoff_on_gin,
            "knock_limit=0 and layoff_on_gin=false: nothing is ever laid off",
        ),
        "gin_bonus": (not _melds(rules.hand_size, rules), f"{small}: such a hand is never gin"),
        "layoff_on_gin": (
            rules.layoff_on_gin and not _melds(rules.hand_size, rules) and rules.big_gin_bonus is None,
            f"{small}: such a hand is never gin",
        ),
        "big_gin_bonus": (
            rules.big_gin_bonus is not None and not _melds(rules.hand_size + 1, rules),
            f"{small}: with one more card a hand is never big gin",
        ),
        "wrap": (rules.wrap and rules.ranks == 3, "ranks=3: a run has all three ranks anyway"),
        "stock_end": (rules.max_turns < first_end, f"max_turns={rules.max_turns}: the stock lasts at least {first_end} turns"),
        "shutout": (rules.shutout == "bonus_x2" and rules.game_bonus == 0, "game_bonus=0: there is no bonus to double"),
    }
    return {field: why for field, (idle, why) in cases.items() if idle}


@cache
def _numbers(rules: Rules) -> dict[int, int]:
    """Give the number of each slot of the kernel's array."""
    return deck_numbers(rules.wrap, rules.ace_value, rules.ranks, rules.suits) | {
        D.HAND_SIZE: rules.hand_size,
        R.LIMIT: rules.knock_limit,
        R.KNOCK_LIMIT: rules.knock_limit,
        R.GIN_BONUS: rules.gin_bonus,
        R.UNDERCUT_BONUS: rules.undercut_bonus,
        R.BIG_GIN_BONUS: -1 if rules.big_gin_bonus is None else rules.big_gin_bonus,
        R.OKLAHOMA: 1 + get_args(OklahomaAce).index(rules.oklahoma_ace) if rules.oklahoma else 0,
        R.SPADES_DOUBLE: rules.spades_double,
        R.MIN_TURNS: rules.min_turns_before_knock,
        R.OFFER_RULE: rules.upcard_offer,
        R.ELEVEN: rules.eleven_card_start,
        R.TIE: get_args(Tie).index(rules.tie),
        R.LAYOFF: get_args(Layoff).index(rules.layoff),
        R.LAYOFF_ON_GIN: rules.layoff_on_gin,
        R.STOCK_END: get_args(StockEnd).index(rules.stock_end),
        R.REDRAW_BAN: rules.redraw_ban,
        R.TARGET: rules.target,
        R.GAME_BONUS: rules.game_bonus,
        R.BOX_BONUS: rules.box_bonus,
        R.SHUTOUT: get_args(Shutout).index(rules.shutout),
        R.NEXT_DEALER: get_args(NextDealer).index(rules.next_dealer),
        R.HOLLYWOOD: rules.hollywood + rules.third_column_double,
        R.MAX_TURNS: rules.max_turns,
    }


@cache
def _shortest_spec(rules: Rules) -> str:
    fields = rules.model_dump()

    def changes(name: str) -> dict[str, Any]:
        preset = PRESETS[name].rules.model_dump()
        changed = {field: value for field, value in fields.items() if value != preset[field]}
        return {field: None if value == "none" else value for field, value in changed.items()}

    idle = rules._without_effect().keys()  # these cannot be given
    name = min((name for name in PRESETS if not idle & changes(name).keys()), key=lambda name: len(changes(name)))
    return format_spec(name, changes(name))


class Preset(NamedTuple):
    """Rules with a name: what they are in one line, and the rules."""

    description: str
    rules: Rules


_MODEST: dict[str, Any] = {"gin_bonus": 20, "undercut_bonus": 10, "min_turns_before_knock": 0}
_NO_SETTLEMENT: dict[str, Any] = {"game_bonus": 0, "box_bonus": 0, "shutout": "none"}

PRESETS: dict[str, Preset] = {
    "classic25": Preset("bonuses 25/25, knock from the second turn on, boxes 25, shutout doubles the bonus", Rules()),
    "classic20": Preset("bonuses 20/10, knock at any time, no boxes or game bonus", Rules(**_MODEST, **_NO_SETTLEMENT)),
    "pagat": Preset(
        "bonuses 20/10, big gin 31, boxes 20, the loser deals",
        Rules._of(_MODEST | {"big_gin_bonus": 31, "oklahoma_ace": "one", "box_bonus": 20, "next_dealer": "loser"}),
    ),
    "eaai": Preset(
        "bonuses 25/25, knock at any time, the defender melds first and then lays off",
        Rules(min_turns_before_knock=0, layoff="after_melds", **_NO_SETTLEMENT),
    ),
    "oklahoma": Preset("classic25 with the first upcard as knock limit", Rules(oklahoma=True)),
    "straight": Preset("classic25 without knocking: gin only", Rules(knock_limit=0)),
    "hollywood": Preset("classic25 scored in three staggered columns", Rules(hollywood=True)),
    "big_gin": Preset("classic25 with 31 for melding all eleven cards", Rules(big_gin_bonus=31)),
    "round_the_corner": Preset(
        "runs turn the corner, aces count 15, bonuses 20/20, game to 125, lay-offs on gin",
        Rules(wrap=True, ace_value=15, gin_bonus=20, undercut_bonus=20, target=125, layoff_on_gin=True),
    ),
    "tournament": Preset(
        "Oklahoma, spades double, the last discard may be taken to knock",
        Rules(oklahoma=True, spades_double=True, stock_end="last_discard"),
    ),
}
