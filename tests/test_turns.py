"""The turns of hands against the oracle, and the sums of them against pandas."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.game import GIN
from ginsim.games.gin.hand import new_table
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turncount import MOST_DEADWOOD, MOST_HELD, MOST_OWN_TURN, PARTS_OF, sums_of
from ginsim.games.gin.turns import MOST_TURNS, TURN_COLUMNS, TURN_SIZE, turns_kernel
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.statistics import split_tables
from tests.helpers import random_rules, random_spec, twin
from tests.oracle import rng
from tests.oracle.cards import pack_of, to_mask
from tests.oracle.turns import WatchedTable

RULES = [
    "eaai", "classic20(tie=push)", "tournament", "round_the_corner(stock_end=last_discard, knock_limit=30)",
    "classic25(eleven_card_start=true, upcard_offer=false, big_gin_bonus=31, knock_limit=40, min_turns_before_knock=1)",
    "eaai(eleven_card_start=true, upcard_offer=false, big_gin_bonus=31, knock_limit=60)",
    "straight(big_gin_bonus=31, min_turns_before_knock=0, stock_end=last_discard, hand_size=5, ranks=5)",
    "classic25(suits=2, hand_size=6, big_gin_bonus=31, knock_limit=20, stock_end=dead_at_0)",
    "classic25(stock_end=reshuffle, redraw_ban=false, max_turns=90)", "classic25(ranks=6, hand_size=6, stock_end=reshuffle)",
]  # fmt: skip


def watched(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int, kind: str = "slots") -> tuple[np.ndarray, np.ndarray]:
    """Hand records of duplicate pairs and the turns of all of them."""
    table, records = new_table(rules.array(), (*a.numbers, *b.numbers)), np.zeros((2 * count, H.SIZE), np.int64)
    turns = np.zeros((2 * count * MOST_TURNS, TURN_SIZE), np.int64)
    slots = {"slots": (a.slots, b.slots), "python": (a.decisions, b.decisions)}[kind]
    assert turns_kernel(kind)(table, seed, 0, count, np.stack([a.array, b.array]), slots, records, turns) == 2 * count
    return records, turns[: records[:, H.TURNS].sum()]


def assert_turns(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int) -> None:
    records, turns = watched(a, b, rules, seed, count)
    at = 0
    for record in records:
        deal, starter = int(record[H.DEAL]), int(record[H.STARTER])
        pair = [twin(s, stream) for s, stream in zip((a, b), rng.streams(seed, deal, starter), strict=True)]
        table = WatchedTable(rng.deck(seed, deal, pack_of(rules)), rules, starter, pair, rng.reshuffler(seed, deal))
        told, seen = table.play(), table.seen
        own = turns[at : at + told.turns]
        at += told.turns
        for row, turn in zip(own, seen, strict=False):
            found = dict(zip(TURN_COLUMNS, row.tolist(), strict=True))
            assert (found["player"], found["turn"], found["took"]) == (turn.player, turn.turn, turn.took)
            assert (found["discard"], found["deadwood"]) == (to_mask([turn.discard]), turn.deadwood)
            assert found["near"] == turn.beside + 2 * turn.same_rank
            assert found["taken"] == (-1 if turn.taken is None else turn.taken)
            knock = {
                (H.ENDINGS.index(ending), points if winner != 1 - turn.player else -points)
                for ending, winner, points in turn.outcomes
            }
            assert (found["ending"], found["points"]) in (knock or {(-1, 0)})
        assert len(own) == len(seen) + (told.ending == "big_gin")
        if told.ending == "big_gin":
            assert own[-1].tolist()[5:] == [-1, 0, H.BIG_GIN, record[H.POINTS]]
        elif record[H.KNOCKER] >= 0:  # the knock made is judged as it was settled
            gain = -record[H.POINTS] if record[H.ENDING] == H.UNDERCUT else record[H.POINTS]
            assert own[-1].tolist()[-2:] == [record[H.ENDING], gain]


@pytest.mark.parametrize("rules", RULES)
def test_turns_are_those_of_the_oracle(rules: str) -> None:
    for a, b in [("threshold(knock=0)", "simple"), ("random", "threshold(knock=4, draw=strict)")]:
        assert_turns(Strategy.parse(a), Strategy.parse(b), Rules.parse(rules), sum(map(ord, rules)), 3)


def test_under_any_rules() -> None:
    rnd = random.Random(17)
    for seed in range(40):
        assert_turns(Strategy.parse(random_spec(rnd)), Strategy.parse(random_spec(rnd)), random_rules(rnd), seed, 1)


def test_interpreted_turns_are_the_same() -> None:
    a, b, rules = Strategy.parse("random"), Strategy.parse("threshold(knock=4)"), Rules.parse("tournament")
    for one, other in zip(watched(a, b, rules, 5, 3), watched(a, b, rules, 5, 3, "python"), strict=True):
        np.testing.assert_array_equal(one, other)


def test_sums_are_those_of_the_turns() -> None:
    a, b, rules = Strategy.parse("threshold(knock=6)"), Strategy.parse("random"), Rules.parse("eaai")
    records, turns = watched(a, b, rules, 9, 400)
    work = Work((a, b), rules, 9, HANDS, 0, 400, turns=True)
    whole = play(work).tally[len(HAND_TALLY) :]
    np.testing.assert_array_equal(whole, sum(play(work.part(*part)).tally[len(HAND_TALLY) :] for part in ((0, 150), (150, 250))))
    tables = split_tables(np.concatenate((np.zeros(128 + 256, np.int64), whole)), GIN)

    frame = pd.DataFrame(turns, columns=list(TURN_COLUMNS))
    hand = np.repeat(np.arange(len(records)), records[:, H.TURNS])
    frame["pair"], frame["last"] = hand // 2, ~pd.Series(hand).duplicated(keep="last")
    first = frame[~pd.Series(hand).duplicated()]
    by_starter = first["player"].to_numpy() == records[:, H.STARTER]
    took = first["took"].to_numpy() == 1
    laid_off = records[:, H.LAID_OFF]
    told = [(took & by_starter).sum(), (took & ~by_starter).sum(), (laid_off > 0).sum(), (laid_off**2).sum()]
    assert tables["hands"].tolist() == told

    own = frame[frame["player"] == 0].copy()
    knocked = np.repeat(records[:, H.KNOCKER], records[:, H.TURNS])[own.index] == 0
    own["by_turn"] = own["turn"].clip(upper=MOST_OWN_TURN - 1)
    own["able"], own["gin"] = own["ending"] >= 0, (own["ending"] >= 0) & (own["deadwood"] == 0)
    own["undercut"], own["made"] = own["ending"] == H.UNDERCUT, own["last"] & knocked
    own["made_undercut"] = own["made"] & own["undercut"]
    own["by_rank"] = [(int(card).bit_length() - 1) % 16 for card in own["discard"]]
    own["by_near"] = own["near"]
    own["if_knocked"] = own["by_turn"] * MOST_DEADWOOD + own["deadwood"].clip(upper=MOST_DEADWOOD - 1)
    held = own.groupby(["by_turn", own["deadwood"].clip(upper=MOST_HELD - 1)]).size()
    assert {at: n for at, n in np.ndenumerate(tables["held"]) if n} == held.to_dict()
    some = {"if_knocked": own["able"], "by_rank": own["taken"] >= 0, "by_near": own["taken"] >= 0}
    for name, parts in PARTS_OF.items():
        mine = own[some.get(name, own["turn"] > 0)]
        for part in parts:
            pairs = mine.assign(n=1, x=mine[part].astype(int)).groupby([name, "pair"])[["n", "x"]].sum()
            pairs = pairs.assign(n_sq=pairs.n**2, x_sq=pairs.x**2, x_n=pairs.x * pairs.n, pairs=1)
            told = pairs.groupby(name)[["pairs", "n", "n_sq", "x", "x_sq", "x_n"]].sum()
            columns = sums_of(tables[name], name, part)
            found = np.stack([columns[column].ravel() for column in told.columns], axis=1)
            assert {k: tuple(row) for k, row in enumerate(found.tolist()) if row[0]} == {
                k: tuple(row) for k, row in zip(told.index, told.to_numpy().tolist(), strict=True)
            }
