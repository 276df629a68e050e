"""What a hand weighs for the players that count cards, against the slow twin, in situations from play."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ginsim.games.base import HANDS
from ginsim.games.catalog import Strategy
from ginsim.games.table import layout as R
from ginsim.games.table import view as V
from ginsim.games.table.players import afterstock, weighing
from ginsim.games.table.rules import TableRules
from ginsim.games.table.turns import top_cards
from ginsim.simulation.play import Work, play
from tests.oracle import table_weighing as slow
from tests.oracle.cards import from_mask, ordered, to_mask
from tests.oracle.table_positions import house

PLAYER = "table_counting(lay=4, cards=7.3, outs=1.7, danger=17, caution=0.4)"
TABLES: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4},
    {"players": 3, "wrap": False, "out_mode": "discard_required", "hand_size": 4},
    {"players": 6, "out_mode": "meld_only", "hand_size": 3},
    {"players": 5, "pile_discard_ban": "only_if_single", "max_pile_draw": 2, "ace_value": 15, "count": "all_in_hand"},
]


def situations(table: dict[str, Any], kind: int, most: int) -> list[np.ndarray]:
    """Views at the draw (0) or play (1) decisions of a few hands."""
    noted: list[np.ndarray] = []

    def noting(decide: Any) -> Any:
        def decision(view: np.ndarray, params: np.ndarray) -> int:
            noted.append(view.copy())
            return int(decide(view, params))

        return decision

    def watch(t: np.ndarray, slots: Any) -> None:
        for own in slots:
            own[kind] = noting(own[kind])

    player = Strategy.parse(PLAYER)
    play(Work((player, player), TableRules.parse("house").replace(**table), 3, HANDS, 0, 6), watch=watch)
    return random.Random(1).sample(noted, min(most, len(noted)))


def seen_in(view: np.ndarray, table: dict[str, Any]) -> slow.Seen:
    """A view as the twin takes it."""
    options = {name: value for name, value in table.items() if name not in ("players", "hand_size")}
    others = [
        slow.Other(from_mask(view[V.HELD + seat]), int(view[V.COUNT + seat]))
        for seat in range(view[R.PLAYERS])
        if seat != view[V.SEAT]
    ]
    pile = tuple(next(iter(from_mask(card))) for card in view[V.PILE : V.PILE + view[V.PILE_SIZE]])
    melds = tuple(from_mask(meld) for meld in view[V.MELD : V.MELD + view[V.MELDS]])
    params = {param.name: value for param, value in zip(weighing.PARAMS, Strategy.parse(PLAYER).array, strict=False)}
    return slow.Seen(house(**options), from_mask(view[V.HAND]), melds, pile, tuple(others), int(view[V.TURN]), params)


def held_of(view: np.ndarray) -> Any:
    """What `given_away` takes: the cards not seen, those of the pile within reach, and who may hold what."""
    unseen = weighing.unseen_cards(view)
    pile = top_cards(view, min(view[R.MAX_PILE_DRAW] - 1, view[V.PILE_SIZE])) & ~view[V.HAND]
    return unseen, pile, weighing.may_hold(view, unseen)


def test_what_a_discard_gives_away() -> None:
    known = 0
    for table, view in ((one, view) for one in TABLES for view in situations(one, 1, 60)):
        seen, (unseen, pile, others) = seen_in(view, table), held_of(view)
        known += any(other.known for other in seen.others)
        for card in seen.hand:
            found = weighing.given_away(np.int64(to_mask([card])), view[V.SETS], view[V.RUNS], unseen, pile, others, view)
            assert found == pytest.approx(slow.given_away(card, seen.melds, seen.unseen, from_mask(pile), seen), abs=1e-12)
    assert known > 10


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_lightest_hand_after_a_turn(table: dict[str, Any]) -> None:
    params = Strategy.parse(PLAYER).array
    for view in situations(table, 1, 40):
        seen, unseen = seen_in(view, table), weighing.unseen_cards(view)
        must = next(iter(from_mask(view[V.DEEPEST])), None)
        for danger in (0.0, params[weighing.DANGER]):
            value, _, card = weighing.weigh(view, params, view[V.HAND], view[V.DEEPEST], view[V.BANNED], unseen, danger)
            expect, discard = slow.weigh(seen.hand, must, from_mask(view[V.BANNED]), seen.unseen, danger > 0, seen)
            assert value == pytest.approx(expect, abs=1e-9)
            assert from_mask(card) == (frozenset() if discard is None else {discard})


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_cards_from_the_stock_are_weighed_side_by_side_as_one_by_one(table: dict[str, Any]) -> None:
    params, nothing, spread = Strategy.parse(PLAYER).array, np.int64(0), set[int]()
    for view in situations(table, 0, 25):
        seen, unseen = seen_in(view, table), weighing.unseen_cards(view)
        idle = afterstock.idle_cards(unseen, view)
        assert from_mask(idle) == slow.idle(seen)
        spread.add(len(slow.idle(seen)))
        assert afterstock.after_stock(view, params, unseen) == pytest.approx(slow.after_stock(seen), abs=1e-9)
        total = 0.0
        for card in ordered(seen.unseen):
            bit = np.int64(to_mask([card]))
            total += max(weighing.weigh(view, params, view[V.HAND] | bit, nothing, nothing, unseen ^ bit, 0.0)[0], -100.0)
        assert afterstock.after_stock(view, params, unseen) == total / max(len(seen.unseen), 1)
    assert len(spread) > 3


def test_there_are_lanes_for_all_cards_that_may_come() -> None:
    assert [afterstock.lanes_of(n) for n in (0, 1, 16, 17, 32, 33, 52)] == [0, 16, 16, 32, 32, 48, V.LANES]
