"""One position at the table: what is legal, what a hand is worth, and what advice says, against the slow rules."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import ginsim
from ginsim import table
from ginsim.cards import format_hand, parse_hand
from ginsim.cli import app
from ginsim.commands.eval import show_hand
from ginsim.errors import InputError, StrategyError
from ginsim.games.catalog import Strategy
from ginsim.games.table import view as V
from ginsim.games.table.advice import TableAdvice, advise_at_table, choices_of, rolled_out
from ginsim.games.table.hand import STATE
from ginsim.games.table.moment import CLAIM, DRAW, PLAY, Moment, read_moment
from ginsim.games.table.position import claim_options, evaluate, legal_draws
from ginsim.games.table.rollout import CHOICE
from ginsim.games.table.rules import TableRules
from tests.oracle import rng, table_greedy
from tests.oracle import table as slow
from tests.oracle.cards import Card, from_mask, full_deck, ordered, pack_of, points, to_mask
from tests.oracle.melds import Meld, deadwood, melded
from tests.oracle.table_positions import MELDS, some_position
from tests.oracle.table_replay import rules_of

HAND = "8C 9C 5H 5S QD KD 2H"
PILE = "7C KS 2S"


def engine_rules(rules: Any) -> TableRules:
    fields = {option: value for option, value in vars(rules).items() if option not in {"ranks", "suits"}}
    return TableRules._of({"players": 4} | fields)  # also options that have no effect together


def words(cards: Any) -> str:
    return format_hand(to_mask(cards))


# What is legal, and what a hand is worth


def test_evaluation_is_that_of_the_slow_rules() -> None:
    """Deadwood, draws, lay-offs, and the points left by the turn that plays all it can."""
    luck = random.Random(41)
    seen = Counter[str]()
    for _ in range(400):
        at = some_position(luck, most=5)
        rules, pack = engine_rules(at.rules), pack_of(at.rules)
        melds, pile = [to_mask(m) for m in at.melds], [to_mask([c]) for c in at.pile]
        found = evaluate(to_mask(at.hand), melds, pile, rules)
        assert found.deadwood == deadwood(at.hand, pack)
        legal = slow.legal_depths(at)
        assert sorted(draw.depth for draw in found.draws) == legal == legal_draws(to_mask(at.hand), pile, melds, rules)
        assert {meld: from_mask(cards) for meld, cards in found.lay_offs} == {
            to_mask(m): cards for m in at.melds if (cards := table_greedy.added(m, at.hand, pack))
        }
        for draw in found.draws:
            if draw.depth:
                drawn = slow.draw(at, draw.depth)
                choice = table_greedy.best_turn(drawn, drawn.obligation)
                assert choice is not None
                assert (draw.points, draw.goes_out) == (max(choice.value, 0), choice.value == table_greedy.OUT)
                assert draw.plan.count("discard") == (choice.discard is not None)
                assert from_mask(draw.cards) == set(drawn.taken)
                seen["out" if draw.goes_out else "in"] += 1
            elif len(at.pile) < 3:
                hidden = set(full_deck()) - at.hand - set(at.pile) - melded(frozenset(at.melds))
                values = [table_greedy.best_turn(slow.draw(at._replace(top=card), 0), None) for card in sorted(hidden)]
                assert draw.points == pytest.approx(np.mean([max(choice.value, 0) for choice in values if choice]))
                assert draw.goes_out == pytest.approx(np.mean([choice.value == table_greedy.OUT for choice in values if choice]))
                seen["stock"] += 1
    assert min(seen[what] for what in ("out", "in", "stock")) > 20, seen


def test_claims_are_those_of_the_slow_rules() -> None:
    luck = random.Random(42)
    found = 0
    for _ in range(1500):
        at = some_position(luck, most=6)
        assert at.top is not None
        ways = slow.claims(at.rules, at.hand, at.melds, at.top)
        expect = {f"layoff on meld {way.meld}" if isinstance(way, slow.LayOff) else f"meld {words(way.cards)}" for way in ways}
        told = claim_options(to_mask(at.hand), to_mask([at.top]), [to_mask(m) for m in at.melds], engine_rules(at.rules))
        assert len(told) == len(set(told)) and set(told) == expect
        found += len(told) > 1
    assert found > 20
    assert claim_options("9S 9C 4H", "9D", rules="house(claims=false)") == []


@pytest.mark.parametrize(
    ("hand", "pile", "stock", "rules", "expect"),
    [
        (HAND, PILE, None, "house", [0, 1, 3]),
        (HAND, PILE, 0, "house", [0, 1]),  # the rest becomes the stock
        (HAND, PILE, 0, "house(max_reshuffles=0)", []),
        (HAND, "2S", 0, "house", [1]),
        (HAND, "", 0, "house", []),
        (HAND, "", 3, "house", [0]),
        (HAND, PILE, None, "house(max_pile_draw=2)", [0, 1]),
    ],
)
def test_draws_by_what_is_left(hand: str, pile: str, stock: int | None, rules: str, expect: list[int]) -> None:
    assert legal_draws(hand, pile, rules=rules, stock=stock) == expect


def test_the_order_of_the_pile_must_be_told() -> None:
    """Cards written without a gap would have none."""
    for pile in ("7CKD", ["7C KD"]):
        with pytest.raises(InputError, match=r"pile: '7C ?KD' is not one card"):
            legal_draws(HAND.replace("KD", "3D"), pile)
    assert legal_draws(HAND, "7C, KS,2S") == legal_draws(HAND, PILE.split())


def test_eval_command_at_the_table() -> None:
    words = ["eval", "8C 9C 5D QD 6H KS KH", "--rules", "house", "--table", "3H 4H 5H | 7S 7D 7H", "--pile", "7C KD 2S"]
    text = CliRunner().invoke(app, words).output
    assert text.splitlines()[1:] == [
        "deadwood: 58",
        "  melds: none   unmatched: K♠ 6♥ K♥ 5♦ Q♦ 8♣ 9♣",
        "can be laid off: 6♥ on 3♥ 4♥ 5♥",
        "",
        "draws, fewest points left in hand first:",
        "    7    take 2♠ K♦ 7♣: lay off 6♥ on 3♥ 4♥ 5♥, meld K♠ K♥ K♦, meld 7♣ 8♣ 9♣, discard Q♦",
        "   24    take 2♠ K♦: lay off 6♥ on 3♥ 4♥ 5♥, meld K♠ K♥ K♦, discard Q♦",
        "   44    take 2♠: lay off 6♥ on 3♥ 4♥ 5♥, discard Q♦",
        "   46.8  draw from the stock on average; with a card of no use: lay off 6♥ on 3♥ 4♥ 5♥, discard Q♦",
    ]
    out = show_hand("8C 9C 10C 5D", None, "house", "", "5H")
    assert "    5    take 5♥: meld 8♣ 9♣ 10♣, discard 5♦" in out.splitlines()
    out = show_hand("8C 9C 10C 5D 5S", None, "house", None, "5H")
    assert "    out  take 5♥: meld 5♠ 5♥ 5♦, meld 8♣ 9♣ 10♣" in out.splitlines()
    assert "take 5♥: discard Q♦" in show_hand("8C 9C 5D QD 6H KS KH", "5H", "house")


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--pile", "7C"), "pile: classic25 is two-player gin"),
        (("--table", ""), "table: classic25 is two-player gin"),
        (("--rules", "house", "--pile", "7C", "--upcard", "8C"), "upcard: it cannot be given with pile"),
        (("--rules", "house", "--pile", "8H"), "pile: 8H lies elsewhere already"),
        (("--rules", "house", "--table", "7C 8C"), "table: 7C 8C is not a meld under house"),
        (("--rules", "house", "--table", "7C 8C 9C|"), "table: an empty group is not a meld under house"),
        (("--rules", "house", "--pile", "7X"), "pile: '7X' is not a card"),
    ],
)
def test_eval_command_refuses(more: tuple[str, ...], message: str) -> None:
    result = CliRunner().invoke(app, ["eval", "8H 8D 5S", *more])
    assert result.exit_code == 2 and message in result.output


def test_a_hand_is_needed() -> None:
    with pytest.raises(InputError, match="hand: no cards"):
        evaluate("")


# The moment


def moment(hand: str = HAND, rules: str | TableRules = "house", **more: Any) -> Moment:
    return read_moment(TableRules.parse(rules), hand, **more)


def test_what_is_worked_out() -> None:
    """The stock is what lies nowhere else, and the turn the earliest that it and the pile allow."""
    start = moment(pile="2S")
    s = start.t[STATE]
    assert (start.choosing, s[V.STOCK], s[V.TURN], s[V.PILE_SIZE]) == (DRAW, 23, 0, 1)
    assert [s[V.COUNT + seat] for seat in range(4)] == [7] * 4
    later = moment(pile=PILE, seat=1).t[STATE]
    assert (later[V.STOCK], later[V.TURN]) == (21, 5)  # two cards of the stock are gone, and it is the turn of seat 1
    melds = moment(pile="2S", table="3D 4D 5D | 6H 7H 8H", counts="4 7 5").t[STATE]
    assert (melds[V.STOCK], melds[V.MELDS]) == (52 - 7 - 1 - 6 - 16, 2)
    assert [melds[V.COUNT + seat] for seat in range(4)] == [7, 4, 7, 5]
    drawn = moment(hand=HAND + " 3S", pile="4S", drawn="stock").t[STATE]
    assert (drawn[V.STOCK], drawn[V.TURN]) == (22, 0)
    taken = moment(hand=HAND + " 7C KS 2S", drawn="7C KS 2S", seat=2)
    assert taken.choosing == PLAY and taken.t[STATE, V.HELD + 2] == parse_hand("7C KS 2S")
    assert taken.t[STATE, V.TURN] == 2
    claim = moment(claim="5D", pile="4S", seat=2)
    assert (claim.choosing, claim.discarder, claim.t[STATE, V.TURN]) == (CLAIM, 1, 2)
    assert list(claim.t[STATE, V.PILE : V.PILE + 2]) == [parse_hand("4S"), parse_hand("5D")]
    same = moment(claim="5D", pile="4S 5D", seat=2)
    assert (same.t == claim.t).all()
    first = moment(claim="5D")
    assert (first.discarder, first.t[STATE, V.TURN]) == (3, 4)
    other = moment(claim="5D", seat=1, discarder=3, turn=2)
    assert (other.discarder, other.t[STATE, V.TURN]) == (3, 4)
    known = moment(pile="2S", held="KS QS | | 2C", counts=[2, 7, 7]).t[STATE]
    assert [known[V.HELD + seat] for seat in (1, 2, 3)] == [parse_hand("KS QS"), 0, parse_hand("2C")]
    fewer = moment(pile="2S", stock=20, turn=3).t[STATE]
    assert (fewer[V.PILE_SIZE], fewer[V.STOCK]) == (4, 20)
    scored = moment(pile="2S", seat=1, scores="10 20 -5 -25").t[STATE]
    assert [scored[V.SCORE + seat] for seat in range(4)] == [-25, 10, 20, -5]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"hand": ""}, "hand: no cards"),
        ({"hand": "8C 8C"}, "hand: '8C' appears twice"),
        ({"pile": "8C"}, "pile: 8C lies elsewhere already"),
        ({"pile": "2S 2S"}, "pile: 2S appears twice"),
        ({"table": "3H 4H 6H"}, "table: 3H 4H 6H is not a meld under house"),
        ({"table": "5H 6H 7H"}, "table: 5H lies elsewhere already"),
        ({"counts": "7 7"}, "counts: 2 given; 3 are needed"),
        ({"counts": "7 7 x"}, "counts: 'x' is not allowed"),
        ({"counts": [7, 7, 0]}, "counts: 0 is not allowed; give a whole number from 1 to 52"),
        ({"counts": "20 20 20"}, "counts: the others hold 60 unknown cards, but only 44 are not named elsewhere"),
        ({"held": "KS"}, "held: 1 hands given; there are 3 others"),
        ({"held": "KS | KS |"}, "held: KS lies elsewhere already"),
        ({"held": "8C | |"}, "held: 8C lies elsewhere already"),
        ({"held": "KS QS | |", "counts": "1 7 7"}, "held: QS KS are more cards than the 1 of that hand"),
        ({"drawn": "3S"}, "drawn: 3S is not in the hand"),
        ({"drawn": "8C 9C 5H 5S QD KD"}, "drawn: 6 cards; house allows 5 at once"),
        ({"drawn": "8C 5H"}, "drawn: no legal turn follows; 8C can be neither melded nor laid off"),
        ({"drawn": "8C", "claim": "5D"}, "claim: it cannot be given with drawn"),
        ({"claim": "8C"}, "claim: 8C is in the hand"),
        ({"claim": "5D 5C"}, "claim: 5D 5C is not one card"),
        ({"claim": "3S"}, "claim: 3S can be neither laid off nor melded"),
        ({"claim": "5D", "rules": "house(claims=false)"}, r"claim: there are no claims under house\(claims=false\)"),
        ({"claim": "5D", "discarder": 0}, "discarder: 0 is your own seat"),
        ({"discarder": 1}, "discarder: it needs claim"),
        ({"seat": 4}, "seat: 4 is not allowed; give a whole number from 0 to 3"),
        ({"stock": 24}, "stock: 24 is not allowed; give a whole number from 0 to 23"),
        ({"stock": 0, "pile": "", "turn": 20, "counts": "15 15 15"}, "stock: stock and pile are empty; the hand is blocked"),
        ({"stock": 0, "turn": 20, "rules": "house(max_reshuffles=0)"}, "stock: the stock is empty and may not be renewed"),
        ({"turn": 0}, "turn: 0 is not allowed"),
        ({"turn": 1, "pile": PILE}, "turn: 1 is too early for 2 cards drawn from the stock and 3 in the pile"),
        ({"turn": 101}, "turn: 101 is too late; house ends a hand after 400 turns"),
        ({"scores": "1 2 3"}, "scores: 3 given; 4 are needed"),
        ({"scores": [100, 0, -50, -50]}, "scores: 100 has ended the game; all must be below 100"),
        ({"rules": "no"}, "rules: there is no 'no' for the table"),
        ({"rollouts": 1}, "rollouts: 1 is not allowed"),
        ({"seed": -1}, "seed: -1 is not allowed"),
        ({"player": "simple"}, "strategy: simple plays two-player gin, not the table game"),
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        advise_at_table(**({"hand": HAND, "pile": "2S", "rollouts": 2} | wrong))


# What the choices come to


class Once:
    """Draws as it is told, and then plays on."""

    def __init__(self, depth: int, player: Any) -> None:
        self.depths, self.player = [depth], player

    def draw(self, view: slow.View, depths: list[int]) -> int:
        return self.depths.pop() if self.depths else int(self.player.draw(view, depths))

    def finish(self, view: slow.View, drawn: slow.Drawn) -> slow.Finish:
        end: slow.Finish = self.player.finish(view, drawn)
        return end

    def claim(self, view: slow.View, discard: Card, ways: list[slow.Play]) -> slow.Play | None:
        way: slow.Play | None = self.player.claim(view, discard, ways)
        return way


def slow_game(at: Moment, seed: int, index: int) -> slow.Game:
    """The hidden cards of a rollout, dealt by the plain generator."""
    rules, s = rules_of(at.rules), at.t[STATE]
    n = rules.players
    cards = rng.Stream(seed, index, rng.DECK_LANE).shuffled(ordered(from_mask(at.unseen)))
    hands = [frozenset[Card]()] * n
    hands[at.seat] = from_mask(at.hand)
    for step in range(1, n):
        seat = (at.seat + step) % n
        known = from_mask(s[V.HELD + seat])
        need = int(s[V.COUNT + seat]) - len(known)
        hands[seat], cards = known | set(cards[:need]), cards[need:]
    stock, unnamed = cards[: s[V.STOCK]], cards[s[V.STOCK] :]
    lying = [next(iter(from_mask(card))) for card in s[V.PILE + len(unnamed) : V.PILE + s[V.PILE_SIZE]]]
    melds = tuple(from_mask(meld) for meld in s[V.MELD : V.MELD + s[V.MELDS]])
    players = [table_greedy.Greedy() for _ in range(n)]
    game = slow.Game(hands, stock, [*unnamed, *lying], rules, players, rng.reshuffler(seed, index), melds)
    game.turns = int(s[V.TURN])
    return game


def slow_record(at: Moment, choice: list[int], game: slow.Game) -> slow.Record:
    """What comes of a choice if all play on as the twin of table_greedy does."""
    n, seat, pack = at.rules.players, at.seat, pack_of(game.rules)
    number, discard, *added = choice
    what = [from_mask(cards) for cards in added]
    if at.choosing == DRAW:
        game.players = [Once(number, player) if i == seat else player for i, player in enumerate(game.players)]
        return game.go_on(seat)
    while what and not what[-1]:
        what.pop()
    moves = slow.plays(what, game.melds, pack)
    if at.choosing == PLAY:
        taken = tuple(next(iter(from_mask(card))) for card in at.taken)
        drawn = slow.Drawn(game.rules, game.hands[seat], game.melds, tuple(game.pile), taken)
        end = slow.Finish(moves, next(iter(from_mask(discard)), None))
        game.hands[seat], game.melds, pile = slow.finish(drawn, end)
        game.pile = list(pile)
        game.turns += 1
        ending = "" if game.hands[seat] else "discard" if discard else "meld"
        return game.after(seat, ending) or game.go_on((seat + 1) % n)
    after = (at.discarder + 1) % n
    if not number:
        return game.after(at.discarder, "", (seat - at.discarder) % n + 1) or game.go_on(after)
    (move,) = moves
    card = next(iter(from_mask(at.card)))
    assert move in slow.claims(game.rules, game.hands[seat], game.melds, card)
    game.hands[seat], game.melds = slow.play(game.hands[seat] | {card}, game.melds, move, game.rules)
    game.pile.pop()
    return game.go_on(after) if game.hands[seat] else game.record("claim", seat, slow.score(game.hands, seat, game.rules))


def some_moments(luck: random.Random, count: int) -> Iterator[Moment]:
    """Moments of all kinds, with melds on the table and known cards, under many rules."""
    kinds = Counter[int]()
    while kinds.total() < count:
        rules = TableRules._of(
            {
                "players": luck.randint(2, 6),
                "wrap": luck.random() < 0.7,
                "out_mode": luck.choice(["either", "meld_only", "discard_required"]),
                "pile_discard_ban": luck.choice(["all", "only_if_single"]),
                "count": luck.choice(["unmatched", "all_in_hand"]),
                "blocked": luck.choice(["void", "lowest"]),
                "max_turns": luck.choice([400, 60]),
            }
        )
        melds: list[Meld] = []
        for m in luck.sample(MELDS[rules.wrap], 6):
            if len(melds) < 2 and len(m) < 5 and not m & melded(frozenset(melds)):
                melds.append(m)
        free = [c for c in luck.sample(full_deck(), 52) if c not in melded(frozenset(melds))]
        size, lying = luck.randint(2, 7), luck.randint(1, 4)
        hand, pile, rest = free[:size], free[size : size + lying], free[size + lying :]
        counts = [luck.randint(1, 5) for _ in range(rules.players - 1)]
        held = [words(rest.pop() for _ in range(luck.randint(0, min(1, count)))) for count in counts]
        more: dict[str, Any] = {"counts": counts, "held": held, "seat": luck.randrange(rules.players), "turn": 9}
        kind = luck.choice([kind for kind in (DRAW, PLAY, CLAIM) if kinds[kind] <= min(kinds[k] for k in (DRAW, PLAY, CLAIM))])
        if kind == PLAY:
            more["drawn"] = luck.choice(["stock", [words([c]) for c in hand[: luck.randint(1, min(size, 3))]]])
        elif kind == CLAIM:
            more["claim"] = words([rest.pop()])
        if luck.random() < 0.3:
            more["stock"] = luck.randint(0, 12)
        try:
            at = read_moment(rules, words(hand), [words([c]) for c in pile], [words(m) for m in melds], **more)
            choices_of(at)
        except InputError:
            continue  # such as a card that nobody can claim, or a turn too early
        kinds[at.choosing] += 1
        yield at


def test_rollouts_are_the_slow_ones() -> None:
    """The same hidden cards give the same scores, for every choice."""
    luck = random.Random(43)
    endings = Counter[tuple[int, str]]()
    greedy = Strategy.parse("table_greedy")
    for at in some_moments(luck, 60):
        choices = luck.sample(choices_of(at), min(4, len(choices_of(at))))
        values = rolled_out(at, np.array([choice.row for choice in choices]), greedy, 2, 7)
        for index in range(2):
            for i, choice in enumerate(choices):
                record = slow_record(at, choice.row, slow_game(at, 7, index))
                expect = (record.scores[at.seat], record.winner == at.seat)
                assert tuple(values[index, i]) == expect, (str(at), choice)
                endings[at.choosing, record.ending] += 1
    assert len(endings) > 8, endings


def test_every_plan_is_legal_and_is_what_it_says() -> None:
    """Deadwood after each choice, by the slow rules; no legal discard is left out unless nothing legal goes with it."""
    luck = random.Random(44)
    seen = 0
    for at in some_moments(luck, 60):
        game = slow_game(at, 1, 0)
        for choice in choices_of(at):
            what = [from_mask(cards) for cards in choice.row[CHOICE:]]
            left = game.hands[at.seat] - from_mask(choice.row[1]) - frozenset[Card]().union(*what)
            if at.choosing != DRAW:
                assert choice.deadwood == slow.counted(left, game.rules)
            elif choice.row[0] == 0:
                assert choice.deadwood == slow.counted(game.hands[at.seat], game.rules)
        if at.choosing == PLAY:
            taken = tuple(next(iter(from_mask(card))) for card in at.taken)
            drawn = slow.Drawn(game.rules, game.hands[at.seat], game.melds, tuple(game.pile), taken)
            ends = slow.ends(drawn)
            texts = [choice.text for choice in choices_of(at)]
            assert len(set(texts)) == len(texts)
            discards = {next(iter(from_mask(choice.row[1])), None) for choice in choices_of(at)}
            assert discards <= {end.discard for end in ends}
            least = min(points(after.left, pack_of(game.rules)) for after in ends)
            if game.rules.out_mode == "either":
                played = [game.hands[at.seat] - from_mask(c.row[1] + sum(c.row[CHOICE:])) for c in choices_of(at)]
                assert min(points(cards, pack_of(game.rules)) for cards in played) == least
                assert discards == {end.discard for end in ends}
                seen += 1
    assert seen > 3


def test_strategies_in_python_play_on_too() -> None:
    class Plain:
        def draw(self, view: Any) -> int:
            return 0

        def play(self, view: Any) -> tuple[dict[int, int], int]:
            free = view.hand & ~view.banned
            return {}, free & -free

        def claim(self, view: Any) -> None:
            return None

    plain = Strategy.of(player=Plain())
    assert advise_at_table(HAND, "2S", player=plain, rollouts=2).player == "Plain"

    class Wrong(Plain):
        def play(self, view: Any) -> tuple[dict[int, int], int]:
            return {}, 0

    with pytest.raises(StrategyError, match=r"strategy Wrong: illegal play decision .*seat \d, turn \d+, deal 0, seed 3"):
        advise_at_table(HAND, "2S", player=Strategy.of(player=Wrong()), rollouts=2, seed=3)


def test_the_result_is_a_table_and_words() -> None:
    told = advise_at_table(HAND + " KC", "4S", drawn="stock", turn=4, rollouts=100)
    assert isinstance(told, TableAdvice)
    table = told.table()
    assert isinstance(table, pd.DataFrame)
    assert list(table.columns[:4]) == ["deadwood", "points", "points_low", "points_high"]
    assert (table.behind <= 0).all() and table.behind.iloc[0] == 0 == table.behind_high.iloc[0]
    assert (table.points_low < table.points).all() and (table.won.between(0, 1)).all()
    assert list(table.points) == sorted(table.points, reverse=True)
    assert told.situation() == (
        "seat 0 to play after a card from the stock, turn 13 of all players; on the table no melds; 1 card in the pile, "
        "4♠ on top; 22 cards in the stock; the others hold 7, 7, 7; house; expert plays on"
    )
    assert str(told).startswith(told.verdict())
    assert advise_at_table(HAND + " KC", "4S", drawn="stock", turn=4, rollouts=100).choices == told.choices
    assert told.caveat() == ""
    counts_missing = "counts was not given; the others are taken to hold as many as were dealt"
    assert counts_missing in advise_at_table(HAND, "4S", "JH QH KH", rollouts=2).caveat()
    one = advise_at_table(HAND, "4S", stock=0, turn=9, counts="15 15 14", rollouts=2)
    assert one.verdict() == "Take 4♠: there is no other choice."


def test_going_out_is_best() -> None:
    told = advise_at_table("8C 9C 10C 5H 5S 5D QD", "2S", drawn="stock", counts="7 7 7", turn=5, rollouts=30)
    assert str(told.best) == "meld 5♠ 5♥ 5♦, meld 8♣ 9♣ 10♣, discard Q♦"
    assert told.best.won.value == 1 and told.best.deadwood == 0


# The command


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["advise", *words])
    assert result.exit_code == code, result.output
    assert "Traceback" not in result.output
    return result.output


def test_command() -> None:
    words = (HAND, "--rules", "house", "--pile", PILE, "--rollouts", "40", "--seed", "2", "--player", "novice")
    told = advise_at_table(HAND, PILE, rollouts=40, seed=2, player="novice")
    text = run(*words)
    assert text.startswith(f"{told.situation()}\n{told.verdict()}\n")
    assert "hands won" in text and "take 3 cards (7♣ K♠ 2♠)" in text
    data = json.loads(run(*words, "--format", "json"))
    assert data["verdict"] == told.verdict() and data["by"] == "points"
    assert [row["choice"] for row in data["choices"]] == [str(choice) for choice in told.choices]
    assert run(*words, "--format", "csv") == told.table().to_csv(lineterminator="\n")
    more = ("--claim", "5D", "--seat", "2", "--discarder", "0", "--counts", "7,6,5", "--held", "KS | |", "--scores", "1 2 3 -6")
    assert "claim: meld 5♠ 5♥ 5♦" in run(HAND, "--rules", "house", "--rollouts", "4", "--pile", "4S", "--turn", "5", *more)
    assert "discard" in run(HAND, "--rules", "house", "--rollouts", "4", "--drawn", "2H", "--table", "3D 4D 5D", "--stock", "9")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--rules", "house", "--upcard", "4S"], "upcard: house is the table game; this is an option of two-player gin"),
        (["--rules", "house", "--dealer"], "dealer: house is the table game"),
        (["--rules", "house", "--score", "1", "2"], "score: house is the table game"),
        (["--pile", "4S"], "pile: classic25 is two-player gin; this is an option of the table game"),
        (["--seat", "0"], "seat: classic25 is two-player gin"),
        (["--counts", "7 7 7", "--upcard", "4S"], "counts: classic25 is two-player gin"),
        (["--rules", "house", "--format", "cvs"], "did you mean 'csv'"),
        (["--rules", "house(players=7)"], "players=7 is not possible"),
        (["--rules", "house", "--rollouts", "1"], "rollouts: 1 is not allowed"),
        (["--rules", "house", "--seat", "6"], "seat: 6 is not allowed"),
        (["--rules", "house", "--claim", "3S"], "claim: 3S can be neither laid off nor melded"),
    ],
)
def test_command_refuses(words: list[str], message: str) -> None:
    assert message in run(HAND, *words, code=2)


def test_public_names() -> None:
    """All of it is reached by ``ginsim.table``, and ``ginsim.advise`` serves both games."""
    assert set(table.__all__) <= set(dir(table)) and all(callable(getattr(table, name)) for name in table.__all__)
    told = ginsim.advise(HAND, rules="house", pile=PILE, rollouts=10)
    assert told.choices == table.advise_at_table(HAND, PILE, rollouts=10).choices
    for rules, option in (("house", {"upcard": "4S"}), ("eaai", {"pile": "4S"})):
        with pytest.raises(InputError, match=f"{next(iter(option))}: {rules} is t.*, whose advice has no"):
            ginsim.advise(HAND, rules=rules, **option)
    with pytest.raises(AttributeError, match="has no attribute 'knock'"):
        _ = table.knock


def test_advice_needs_nothing_else_imported() -> None:
    """A player is found by name though no study was loaded."""
    asked = "from ginsim import table; print(table.advise_at_table('8C 9C 5H 5S QD KD 2H', '7C KS 2S', rollouts=2).player)"
    found = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert found.stdout == "expert\n"
