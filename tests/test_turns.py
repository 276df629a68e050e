"""The turns of hands against the oracle, and the sums of them against pandas."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ginsim.deals import GO_ON_LANE
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.cardcount import CARD_PARTS, sums_of_cards
from ginsim.games.gin.count import HAND_TALLY
from ginsim.games.gin.ends import END_COLUMNS, END_SIZE
from ginsim.games.gin.game import GIN
from ginsim.games.gin.hand import new_table
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turncount import MOST_DEADWOOD, MOST_HELD, MOST_OWN_TURN, PARTS_OF, SPANS, sums_of
from ginsim.games.gin.turns import MOST_TURNS, T_TURN, TURN_COLUMNS, TURN_SIZE, turns_kernel
from ginsim.simulation.play import HANDS, Work, play
from ginsim.study.statistics import split_tables
from tests.helpers import random_rules, random_spec, twin
from tests.oracle import rng
from tests.oracle.cards import Card, bit, from_mask, pack_of, points, to_mask
from tests.oracle.melds import arrangements, melded, permitted
from tests.oracle.play import Record, View, play_hand
from tests.oracle.turns import WatchedTable

RULES = [
    "eaai", "classic20(tie=push)", "tournament", "round_the_corner(stock_end=last_discard, knock_limit=30)",
    "classic25(eleven_card_start=true, upcard_offer=false, big_gin_bonus=31, knock_limit=40, min_turns_before_knock=1)",
    "eaai(eleven_card_start=true, upcard_offer=false, big_gin_bonus=31, knock_limit=60)",
    "straight(big_gin_bonus=31, min_turns_before_knock=0, stock_end=last_discard, hand_size=5, ranks=5)",
    "classic25(suits=2, hand_size=6, big_gin_bonus=31, knock_limit=20, stock_end=dead_at_0)",
    "classic25(stock_end=reshuffle, redraw_ban=false, max_turns=90)", "classic25(ranks=6, hand_size=6, stock_end=reshuffle)",
]  # fmt: skip


def watched(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int, kind: str = "slots") -> tuple[np.ndarray, ...]:
    """Hand records of duplicate pairs, the turns of all of them, and how they ended."""
    table, records = new_table(rules.array(), (*a.numbers, *b.numbers)), np.zeros((2 * count, H.SIZE), np.int64)
    turns = np.zeros((2 * count * MOST_TURNS, TURN_SIZE), np.int64)
    slots = {"slots": (a.slots, b.slots), "python": (a.decisions, b.decisions)}[kind]
    ends, params = np.full((2 * count, END_SIZE), -9, np.int64), np.stack([a.array, b.array])
    assert turns_kernel(kind)(table, seed, 0, count, params, slots, records, turns, ends) == 2 * count
    return records, turns[: records[:, H.TURNS].sum()], ends


class GoesOn:
    """A player that does as another does, but for the knock on its own turn ``turn``, which it does not make."""

    def __init__(self, player: Any, turn: int) -> None:
        self.player, self.turn, self.went_on = player, turn, False

    def draw(self, view: View) -> bool:
        wanted: bool = self.player.draw(view)
        return wanted

    def discard(self, view: View) -> Card:
        card: Card = self.player.discard(view)
        return card

    def knock(self, view: View) -> bool:
        wanted: bool = self.player.knock(view)
        if view.chosen is None or view.turn + 1 != self.turn:
            return wanted
        assert wanted
        self.went_on = True
        return False


def points_going_on(pair: list[Any], rules: Rules, seed: int, deal: int, starter: int, turn: int) -> set[int]:
    """What player 0 may gain if it does not knock on its own turn ``turn``, on which it would."""
    bold = GoesOn(pair[0], turn)
    early, late = rng.reshuffler(seed, deal), rng.Stream(seed, deal, GO_ON_LANE)

    def reshuffle(old: list[Card]) -> list[Card]:
        return late.shuffled(sorted(old, key=bit, reverse=True)) if bold.went_on else early(old)

    told = play_hand(rng.deck(seed, deal, pack_of(rules)), rules, starter, [bold, pair[1]], reshuffle)
    assert bold.went_on
    return {points if winner == 0 else -points for _, winner, points in told.possible}


def assert_end(end: dict[str, int], record: np.ndarray, table: WatchedTable, told: Record) -> None:
    """The cards of a hand are those that the oracle's players held, and melds and lay-offs are possible ones."""
    pack, n, knocker = table.pack, table.rules.hand_size, told.knocker
    assert end["dealt"] == to_mask(table.deck[: 2 * n + table.rules.eleven_card_start])
    assert end["kept"] == to_mask(table.hands[0] | table.hands[1])
    melds, laid = from_mask(end["melded"]), from_mask(end["laid"])
    if knocker is None or told.winner is None:
        assert not melds
    if knocker is None:
        assert not laid
        return
    defender = table.hands[1 - knocker]
    assert laid <= defender and points(laid, pack) == record[H.LAID_OFF]
    if record[H.WINNER] == knocker:
        choices = permitted(table.hands[knocker], frozenset(table.deck) - table.hands[knocker] - set(table.pile), pack)
        assert melds in {melded(choice) for choice in choices}
    elif record[H.WINNER] >= 0:
        assert melds in {melded(choice) for choice in arrangements(defender - laid, pack)}
        assert points(defender - laid - melds, pack) == record[H.AFTER + 1 - knocker]


def assert_turns(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int) -> int:
    """Compare the hands with the oracle's; how many were played on after a knock."""
    records, turns, ends = watched(a, b, rules, seed, count)
    at = went_on = 0
    for record, columns in zip(records, ends, strict=True):
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
        end = dict(zip(END_COLUMNS, columns.tolist(), strict=True))
        assert_end(end, record, table, told)
        if told.knocker == 0 and not end["wall"] and told.ending not in ("gin", "big_gin"):
            went_on += 1
            pair = [twin(s, stream) for s, stream in zip((a, b), rng.streams(seed, deal, starter), strict=True)]
            assert end["went_on"] in points_going_on(pair, rules, seed, deal, starter, int(own[-1][T_TURN]))
        else:
            assert end["went_on"] == record[H.POINTS] * np.select([record[H.WINNER] == 0, record[H.WINNER] == 1], [1, -1], 0)
    return went_on


@pytest.mark.parametrize("rules", RULES)
def test_turns_are_those_of_the_oracle(rules: str) -> None:
    for a, b in [("threshold(knock=0)", "simple"), ("random", "threshold(knock=4, draw=strict)")]:
        assert_turns(Strategy.parse(a), Strategy.parse(b), Rules.parse(rules), sum(map(ord, rules)), 3)


@pytest.mark.parametrize("rules", [*RULES[:5], RULES[8], RULES[9]])
def test_going_on_is_that_of_the_oracle(rules: str) -> None:
    a, b = Strategy.parse("simple"), Strategy.parse("threshold(knock=4)")
    assert assert_turns(a, b, Rules.parse(rules), sum(map(ord, rules)), 8) > 3


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
    records, turns, ends = watched(a, b, rules, 9, 400)
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
    end = pd.DataFrame(ends, columns=list(END_COLUMNS)).loc[hand[own.index]].set_index(own.index)
    own["knock"], own["on"] = own["points"], end["went_on"]
    own["gain"], own["play_on"] = own["knock"] - own["on"], own["if_knocked"]
    spans = own["by_turn"].map({turn: k for k, (first, last) in enumerate(SPANS) for turn in range(first, last + 1)})
    own["play_on_spans"] = spans * MOST_DEADWOOD + own["deadwood"].clip(upper=MOST_DEADWOOD - 1)
    free = own["able"] & (own["deadwood"] > 0) & ~(own["last"] & (end["wall"] == 1))
    assert free.sum() > 300 and (free & ~own["made"]).sum() > 50
    some = {"if_knocked": own["able"], "by_rank": own["taken"] >= 0, "by_near": own["taken"] >= 0}
    some |= {"play_on": free, "play_on_spans": free}
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


def test_sums_of_cards_are_those_of_the_hands() -> None:
    a, b, rules = Strategy.parse("threshold(knock=6)"), Strategy.parse("simple"), Rules.parse("eaai(knock_limit=15)")
    records, turns, ends = watched(a, b, rules, 4, 300)
    whole = play(Work((a, b), rules, 4, HANDS, 0, 300, turns=True)).tally[len(HAND_TALLY) :]
    tables = split_tables(np.concatenate((np.zeros(128 + 256, np.int64), whole)), GIN)
    seen = np.zeros((len(CARD_PARTS), 600, 4, 13), np.int64)
    at = 0
    for hand, (record, end) in enumerate(zip(records, ends, strict=True)):
        own = [dict(zip(TURN_COLUMNS, row, strict=True)) for row in turns[at : at + record[H.TURNS]].tolist()]
        at += len(own)
        masks = dict(zip(END_COLUMNS, end.tolist(), strict=True))
        lists = {
            "dealt": from_mask(masks["dealt"]), "kept": from_mask(masks["kept"]), "melded": from_mask(masks["melded"]),
            "laid_off": from_mask(masks["laid"]), "thrown": [card for turn in own for card in from_mask(turn["discard"])],
            "taken": [card for turn in own if turn["taken"] == 1 for card in from_mask(turn["discard"])],
        }  # fmt: skip
        for part, cards in lists.items():
            for rank, suit in cards:
                seen[CARD_PARTS.index(part), hand, suit, rank] += 1
    pairs = seen[:, ::2] + seen[:, 1::2]
    for k, part in enumerate(CARD_PARTS):
        for name, own_pairs in (("cards", pairs[k]), ("ranks", pairs[k].sum(axis=1))):
            x, x_sq = sums_of_cards(tables[name], part)
            np.testing.assert_array_equal(x, own_pairs.sum(axis=0))
            np.testing.assert_array_equal(x_sq, (own_pairs**2).sum(axis=0))
    assert seen[0].sum() == seen[1].sum() == 20 * 600
    worth = np.minimum(np.arange(1, 14), 10)
    assert (seen[5].sum(axis=(0, 1)) * worth).sum() == records[:, H.LAID_OFF].sum() > 0
    assert seen[2].sum() == records[:, H.TURNS].sum()
