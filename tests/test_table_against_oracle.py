"""The table game's engine against the slow one: positions, and whole hands move for move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ginsim import layout as D
from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.errors import InputError
from ginsim.games.base import GAMES, HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.table import gamerecords as G
from ginsim.games.table import records as H
from ginsim.games.table import view as V
from ginsim.games.table.kernels import leader
from ginsim.games.table.play import TableSession
from ginsim.games.table.players.families import REPERTOIRE
from ginsim.games.table.players.plans import best_turn, cheapest_hand
from ginsim.games.table.position import legal_depths as engine_depths
from ginsim.games.table.rules import TableRules
from ginsim.games.table.trace import trace
from ginsim.games.table.turns import can_claim, legal_claim, legal_play
from tests.oracle import table_greedy
from tests.oracle.cards import Card, Hand, full_deck, pack_of, points, to_mask
from tests.oracle.table import (
    Drawn,
    Entry,
    Finish,
    IllegalError,
    Position,
    Record,
    claims,
    counted,
    draw,
    ends,
    finish,
    legal_depths,
    moves,
    placed,
    play,
    play_game,
    plays,
    reachable,
)
from tests.oracle.table_positions import house, some_position
from tests.oracle.table_replay import dealt, entry, replay, rules_of

# Positions


def engine_rules(rules: SimpleNamespace) -> Any:
    fields = {option: value for option, value in vars(rules).items() if option not in {"ranks", "suits"}}
    return TableRules._of({"players": 4} | fields)  # also options that have no effect together


def view_of(position: Position, drawn: Drawn | None = None) -> Any:
    """The engine's view in a position, or after the draw."""
    view = np.zeros(V.SIZE, dtype=np.int64)
    view[:D.SIZE] = engine_rules(position.rules).array()
    held, pile = (position.hand, position.pile) if drawn is None else (drawn.hand, drawn.pile)
    view[V.HAND], view[V.COUNT] = to_mask(held), len(held)
    view[V.PILE_SIZE], view[V.MELDS] = len(pile), len(position.melds)
    view[V.PILE : V.PILE + len(pile)] = [to_mask([c]) for c in pile]
    view[V.MELD : V.MELD + len(position.melds)] = [to_mask(m) for m in position.melds]
    for slot, kind in [(V.SETS, False), (V.RUNS, True)]:
        view[slot] = sum(to_mask(m) for m in position.melds if (len({suit for _, suit in m}) == 1) == kind)
    return view


def with_plan(view: Any, what: Sequence[Hand], discard: Card | None) -> Any:
    view[V.PLAN_DISCARD :] = 0
    view[V.PLAN_DISCARD] = to_mask([discard] if discard else [])
    view[V.PLAN_MELDS : V.PLAN_MELDS + len(what)] = [to_mask(cards) for cards in what]
    return view


def accepts(drawn: Drawn, view: Any, what: Sequence[Hand], discard: Card | None) -> bool:
    must = to_mask([drawn.obligation] if drawn.obligation else [])
    return bool(legal_play(with_plan(view, what, discard), view, to_mask(drawn.hand), must, to_mask(drawn.banned)))


def plan_of(drawn: Drawn, end: Finish) -> tuple[Hand, ...]:
    """The plays of a turn as the engine has them."""
    held, melds = drawn.hand, drawn.melds
    for move in end.plays:
        held, melds = play(held, melds, move, drawn.rules)
    return placed(drawn.melds, melds)


def spoiled(end: Finish, what: Sequence[Hand], drawn: Drawn, luck: random.Random) -> tuple[list[Hand], Card | None]:
    """The plan with something changed, for the worse as a rule."""
    changed, discard = [set(cards) for cards in what] + [set()], end.discard
    pool = sorted(drawn.hand | {luck.choice(full_deck())})
    for _ in range(luck.randint(1, 2)):
        kind = luck.randrange(5)
        group = luck.choice(changed)
        if kind == 0:
            discard = luck.choice([None, *pool])
        elif kind == 1 and group:
            group.remove(luck.choice(sorted(group)))
        elif kind == 2:
            group.add(luck.choice(pool))
        elif kind == 3 and group:
            card = luck.choice(sorted(group))
            group.remove(card)
            luck.choice(changed).add(card)
        elif kind == 4:
            other = luck.choice(changed)
            group |= other
            other.clear()
    while changed and not changed[-1]:
        changed.pop()
    return [frozenset(cards) for cards in changed], discard


def is_legal(drawn: Drawn, what: Sequence[Hand], discard: Card | None) -> bool:
    if not all(what[len(drawn.melds) :]):
        return False  # the engine wants new melds without gaps
    try:
        finish(drawn, Finish(plays(what, drawn.melds, pack_of(drawn.rules)), discard))
    except IllegalError:
        return False
    return True


def test_engine_accepts_the_legal_plans_and_no_other() -> None:
    luck = random.Random(11)
    seen = Counter[tuple[bool, bool]]()
    for _ in range(1500):
        position = some_position(luck, most=6)
        drawn = draw(position, luck.choice(position.depths))
        view = view_of(position, drawn)
        # What another table would allow, and that with something changed.
        lenient = house(**vars(drawn.rules) | {"out_mode": "either", "pile_discard_ban": "only_if_single"})
        likely = list(ends(drawn._replace(rules=lenient, taken=drawn.taken[:1])).values())
        for end in luck.sample(likely, min(8, len(likely))):
            what = plan_of(drawn, end)
            for tried, discard in [(what, end.discard), spoiled(end, what, drawn, luck)]:
                expect = is_legal(drawn, tried, discard)
                assert accepts(drawn, view, tried, discard) == expect, (position, drawn, tried, discard)
                seen[expect, bool(drawn.obligation)] += 1
    assert min(seen.values()) > 50, seen
    assert len(seen) == 4


def test_engine_draws_what_a_complete_turn_follows() -> None:
    luck = random.Random(12)
    seen = Counter[tuple[bool, bool]]()
    for _ in range(4000):
        position = some_position(luck, most=7)
        pile, melds = [to_mask([c]) for c in position.pile], [to_mask(m) for m in position.melds]
        allowed = engine_depths(to_mask(position.hand), pile, melds, engine_rules(position.rules))
        legal = legal_depths(position)
        assert allowed == {depth: depth in legal for depth in range(1, len(pile) + 1)}, position
        for depth in range(1, position.depths[-1] + 1):
            if depth > 1:
                drawn = draw(position, depth)
                fits = any(drawn.obligation not in left for (left, _, _), _ in reachable(drawn))
                seen[depth in legal, fits] += 1
    # Unplayable; playable, but no turn follows; a turn follows.
    assert seen.keys() == {(False, False), (False, True), (True, True)}
    assert min(seen.values()) > 10, seen


def test_engine_claims() -> None:
    luck = random.Random(13)
    seen = Counter[tuple[bool, bool]]()
    for _ in range(3000):
        position = some_position(luck, most=5)
        rules, held, melds, discard = position.rules, position.hand, position.melds, position.top
        assert discard is not None
        ways = claims(rules, held, melds, discard)
        view = view_of(position)
        assert can_claim(view, to_mask(held), len(held), to_mask([discard])) == bool(ways)
        all_cards = held | {discard}
        options = [placed(melds, play(all_cards, melds, way, rules)[1]) for way in ways]
        others = [placed(melds, play(all_cards, melds, move, rules)[1]) for move in moves(all_cards, melds, rules)]
        wrong = [spoiled(Finish(), what, Drawn(rules, all_cards, melds, (), ()), luck)[0] for what in options + others]
        for what in options + others + wrong:
            expect = tuple(what) in options
            assert legal_claim(with_plan(view, what, None), view, to_mask(held), to_mask([discard])) == expect, (position, what)
            seen[expect, rules.out_mode == "discard_required"] += 1
    assert min(seen.values()) > 100, seen
    assert len(seen) == 4


def test_engine_plays_all_it_can() -> None:
    luck = random.Random(14)
    found = 0
    for _ in range(1500):
        position = some_position(luck, most=6)
        depths = legal_depths(position)
        drawn = draw(position, luck.choice([d for d in depths if d > 1] or depths))
        view = view_of(position, drawn)
        sets, runs, held, pack = view[V.SETS], view[V.RUNS], to_mask(drawn.hand), pack_of(drawn.rules)
        least = min(points(left, pack) for (left, _, _), _ in reachable(drawn))
        assert cheapest_hand(held, sets, runs, view)[0] == least == table_greedy.cheapest(drawn.hand, drawn.melds, pack)
        must = to_mask([drawn.obligation] if drawn.obligation else [])
        choice = table_greedy.best_turn(drawn, drawn.obligation)
        assert choice is not None, "the draw was legal"
        assert best_turn(held, must, to_mask(drawn.banned), sets, runs, view)[0] == choice.value
        found += bool(must)
    assert found > 100


# Whole hands, move for move

COMBINATIONS = list(
    product(
        range(2, 7),  # players
        (True, False),  # wrap
        range(1, 6),  # max_pile_draw
        ("all", "only_if_single"),
        (True, False),  # claims
        ("either", "meld_only", "discard_required"),
        ("void", "lowest"),
        ("unmatched", "all_in_hand"),
    )
)


def rules_for(index: int) -> TableRules:
    """Every combination of options once in 2,400 deals, the numbers by chance."""
    players, wrap, depth, ban, claims, out_mode, blocked, count = COMBINATIONS[index * 7 % len(COMBINATIONS)]
    luck = random.Random(index)
    fields = {
        "players": players,
        "wrap": wrap,
        "max_pile_draw": depth,
        "pile_discard_ban": ban,
        "claims": claims,
        "out_mode": out_mode,
        "blocked": blocked,
        "count": count,
        "hand_size": luck.choice([None, None, 3, 5, 8]),
        "max_reshuffles": luck.choice([5, 0, 1, 50]),
        "max_turns": luck.choice([400, 400, 7]),
        "ace_value": luck.choice([1, 15]),
    }
    return TableRules._of(fields)  # also options that have no effect together


def facts(record: Record, rules: TableRules) -> dict[str, int]:
    """The engine's record of a hand, from the oracle's."""
    turns = [line for line in record.log if line.kind == "turn"]
    melds = laid_off = 0
    for line in record.log:
        laid_off += sum(map(len, line.placed[:melds]))
        melds += len(line.placed[melds:])
    scores = record.scores + [0] * (6 - rules.players)
    left = [counted(h, rules_of(rules)) for h in record.hands] + [0] * (6 - rules.players)
    return {
        "ending": H.ENDINGS.index(record.ending),
        "winner": -1 if record.winner is None else record.winner,
        "turns": len(turns),
        "reshuffles": record.reshuffles,
        "claims": len(record.log) - len(turns),
        "pile_draws": sum(line.depth > 0 for line in turns),
        "multi_draws": sum(line.depth > 1 for line in turns),
        "extra_cards": sum(max(line.depth - 1, 0) for line in turns),
        "new_melds": melds,
        "laid_off": laid_off,
        **{f"score_{seat}": score for seat, score in enumerate(scores)},
        **{f"left_{seat}": wood for seat, wood in enumerate(left)},
        "error": 0,
    }


UNCOMPARED = {"deal", "play", "error_seat", "answer"}


def hand_of(strategies: Sequence[str], rules: TableRules, index: int) -> tuple[list[Entry], dict[str, int]]:
    """The engine's log and record, without what only the engine knows."""
    hand = trace(strategies, rules, seed=21, deal=index)
    return [entry(row) for row in hand.log], {name: number for name, number in hand.record.items() if name not in UNCOMPARED}


def test_every_hand_stands_up_to_the_rules() -> None:
    luck = random.Random(15)
    endings = Counter[str]()
    for index in range(0, 7 * 600, 7):
        rules = rules_for(index)
        mixed = [luck.choice(list(REPERTOIRE.families)) for _ in range(rules.players)]
        log, record = hand_of(luck.choice([mixed, ["table_random"] * rules.players]), rules, index)
        replayed = replay(log, 21, index, rules_of(rules))
        assert record == facts(replayed, rules)
        endings[replayed.ending] += 1
    assert endings.keys() == set(H.ENDINGS)


@pytest.mark.parametrize("half", [0, 1])
def test_greedy_hands_are_the_twins_move_for_move(half: int) -> None:
    endings = Counter[str]()
    for index in range(half, len(COMBINATIONS), 2):
        rules = rules_for(index)
        log, record = hand_of(["table_greedy"] * rules.players, rules, index)
        twin = dealt(21, index, rules_of(rules), [table_greedy.Greedy()] * rules.players).play()
        assert twin.log == log
        assert record == facts(twin, rules)
        endings[twin.ending] += 1
    assert endings.keys() == set(H.ENDINGS)


def test_many_deals_and_seats_are_single_hands() -> None:
    """A deal is the same whatever was played before it; a line-up seats the players."""
    rules, names = TableRules(players=3, max_turns=60), ["table_random", "table_greedy", "table_random"]
    lineups = np.array([[0, 1, 2, 0, 0, 0], [1, 2, 0, 0, 0, 0]])
    records = TableSession([Strategy.parse(name) for name in names], rules, 21, HANDS, lineups, 20).play(5, 20)
    assert len(records) == 40
    for row, record in enumerate(records.tolist()):
        got = dict(zip(H.COLUMNS, record, strict=True))
        assert (got["deal"], got["play"]) == (5 + row // 2, row % 2)
        _, alone = hand_of([names[player] for player in lineups[row % 2, :3]], rules, 5 + row // 2)
        assert {name: number for name, number in got.items() if name not in UNCOMPARED} == alone


@pytest.mark.parametrize(
    "changes",
    [
        {"players": 2, "target": 40},
        {"players": 4, "max_turns": 12, "target": 40},
        {"max_turns": 2},
        *({"players": players, "hands": hands} for players, hands in enumerate((1, 3, 5, 4, 2), start=2)),
        {"players": 3, "hands": 50, "target": 10_000},
        {"max_turns": 2, "hands": 50},
        {"max_turns": 2, "hands": 51},
        {"players": 2, "max_turns": 12, "hands": 2},
        {"players": 6, "max_turns": 9, "hands": 3},
    ],
)
def test_games(changes: dict[str, Any]) -> None:
    """The deal passes on after a hand that somebody wins; a game goes to the target, or so many hands."""
    rules = TableRules(**changes)
    n = rules.players
    lineups = np.zeros((1, 6), dtype=np.int64)
    records = TableSession([Strategy.parse("table_greedy")], rules, 21, GAMES, lineups, 8).play(3, 8)
    void = Counter[bool]()
    ends = Counter[str]()
    for game_number, record in enumerate(records.tolist(), start=3):

        def hand_of_game(number: int, game: int = game_number) -> Record:
            deal_index = GAME_BASE + game * HANDS_PER_GAME + number
            return dealt(21, deal_index, rules_of(rules), [table_greedy.Greedy()] * n).play()

        game = play_game(hand_of_game, rules)
        got = dict(zip(G.COLUMNS, record, strict=True))
        assert [got[f"score_{seat}"] for seat in range(n)] == game.scores
        winner = -1 if game.winner is None else game.winner
        assert (got["game"], got["winner"], got["hands"], got["scored"]) == (game_number, winner, game.hands, game.scored)
        assert got["unfinished"] == (game.ending == "unfinished")
        void[game.hands > game.scored] += 1
        ends[game.ending] += 1
    assert void[True] or "max_turns" not in changes
    assert (ends["unfinished"] > 0) == (rules.max_turns == 2 and rules.hands != 50)
    assert (ends["hands"] + ends["equal"] > 0) == (rules.hands is not None and rules.hands != 51)
    assert (ends["equal"] > 0) == (rules.hands is not None and rules.max_turns < 13 and rules.hands != 51)


def test_the_highest_score_wins() -> None:
    """Without a tie, and with ties of the first and of the lower scores."""
    for scores, winner in (([3, -1, -2], 0), ([-3, 4, -1], 1), ([-4, 2, 2], -1), ([0, 0, 0], -1), ([-1, -1, 2], 2)):
        assert leader(np.array([9, *scores, 9]), 1, 3) == winner


def test_rules_with_a_number_of_hands() -> None:
    assert TableRules().hands is None and str(TableRules(players=3)) == "house(players=3)"
    rules = TableRules.parse("house(hands=12)")
    assert str(rules) == "house(hands=12)" and TableRules.parse(str(rules)) == rules
    assert TableRules.parse("house(hands=none)") == TableRules()
    assert TableRules.parse("house(hands=2, target=10000)").target == 10_000  # just so many hands, whatever the scores
    older = TableRules().model_dump()
    del older["hands"]  # as kept before there was such a field
    assert TableRules.of_fields(older) == TableRules()
    for wrong in ("0", "1001", "true", "2.5"):
        with pytest.raises(InputError, match=r"hands=.* is not possible: it must be a whole number from 1 to 1000 or none"):
            TableRules.parse(f"house(hands={wrong})")
