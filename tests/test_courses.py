"""Courses of hands without knocks: those of the engine, move for move, and what a knock on each turn is told to bring."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from ginsim.errors import InputError, StrategyError
from ginsim.games.catalog import Strategy
from ginsim.games.gin import records as H
from ginsim.games.gin.courses import ROW, Courses, CourseSession, joined
from ginsim.games.gin.players.known import BOUNDS
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.turns import T_DEADWOOD, T_ENDING, T_PLAYER, T_POINTS, T_TURN
from ginsim.games.gin.view import View
from ginsim.melds import best_discards
from ginsim.simulation.play import HANDS, Work, play, run
from ginsim.solving.cells import KNOWN, TURNS, Cells
from ginsim.solving.game import outcomes
from ginsim.study.recording import check_solvable, course_work, kept_courses, record
from tests.helpers import random_rules, random_spec
from tests.oracle import melds
from tests.oracle.cards import from_mask, pack_of, points
from tests.test_turns import RULES, watched

PAIR = np.array([[0, 1], [1, 0]])


def courses_of(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int, plays: int = 2) -> Courses:
    table = CourseSession((a, b), rules, seed, HANDS, PAIR[:plays], count)
    return Courses(table.course_rows(0, count), plays)


def assert_same_ends(a: Strategy, b: Strategy, rules: Rules, seed: int, count: int) -> int:
    """The first knock of each course is where the engine ends the hand, for as many points; the number of hands compared."""
    courses = courses_of(a, b, rules, seed, count)
    winner, gained = outcomes(courses, rules)
    records = play(Work((a, b), rules, seed, HANDS, 0, count), keep=True).records
    assert records is not None and courses.hands == len(records) == 2 * count
    compared = 0
    for hand, told in enumerate(records.tolist()):
        first, end = courses.starts[hand : hand + 2]
        rows = courses.rows[first:end]
        at = int(np.argmax((rows["knocked"] == 1) | (rows["final"] == 1)))
        row = rows[at]
        if row["ending"] in (H.GIN, H.BIG_GIN) and not row["knocked"] and told[H.ENDING] != row["ending"]:
            continue  # a player who lets gin pass
        compared += 1
        assert row["ending"] == told[H.ENDING]
        assert (winner[first + at], gained[first + at]) == (told[H.WINNER], told[H.POINTS])
        assert (row["limit"], row["multiplier"]) == (told[H.LIMIT], told[H.MULTIPLIER])
        if told[H.KNOCKER] >= 0:
            assert courses.side[first + at] == told[H.KNOCKER]
            assert row["deadwood"] == told[H.DEADWOOD + told[H.KNOCKER]]
            assert (told[H.TURNS] - row["turn"] in (row["turn"] - 1, row["turn"]) or rules.eleven_card_start)
    return compared


@pytest.mark.parametrize("rules", RULES)
def test_courses_end_as_the_engine_does(rules: str) -> None:
    for a, b in [("threshold(knock=6)", "simple"), ("random", "threshold(knock=4, draw=strict)")]:
        assert assert_same_ends(Strategy.parse(a), Strategy.parse(b), Rules.parse(rules), sum(map(ord, rules)), 20) > 10


def test_under_any_rules() -> None:
    rnd, compared = random.Random(5), 0
    for seed in range(12):
        a, b = (Strategy.parse(random_spec(rnd)) for _ in range(2))
        compared += assert_same_ends(a, b, random_rules(rnd), seed, 5)
    assert compared > 60


@pytest.mark.parametrize("rules", RULES)
def test_courses_are_hands_without_knocks_turn_for_turn(rules: str) -> None:
    """Played with knocking off, every turn on which a knock was legal is a row, and nothing else is."""
    own, played = Strategy.parse("threshold(knock=0)"), Rules.parse(rules)
    records, turns, _ = watched(own, own, played, 11, 20, "slots")
    courses = courses_of(own, own, played, 11, 20)
    winner, gained = outcomes(courses, played)
    signed = np.where(winner == courses.side, gained, -gained)
    at = 0
    for hand, told in enumerate(records.tolist()):
        first, end = courses.starts[hand : hand + 2]
        legal = [turn for turn in turns[at : at + told[H.TURNS]].tolist() if turn[T_ENDING] >= 0]
        at += told[H.TURNS]
        rows = courses.rows[first:end]
        if rows["ending"][-1] in (H.DEAD, H.STALLED):
            rows = rows[:-1]
        assert [turn[T_ENDING] for turn in legal] == rows["ending"].tolist()
        assert [turn[T_TURN] for turn in legal] == rows["turn"].tolist()
        assert [turn[T_DEADWOOD] for turn in legal] == rows["deadwood"].tolist()
        assert [turn[T_PLAYER] for turn in legal] == courses.side[first : first + len(rows)].tolist()
        assert [turn[T_POINTS] for turn in legal] == signed[first : first + len(rows)].tolist()


class Watcher:
    """Plays plainly, and notes at each knock decision what it knows, from its own view alone."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.pack, self.seen = rules, pack_of(rules), list[dict[str, int]]()

    def draw(self, view: View) -> int:
        return 0

    def discard(self, view: View) -> int:
        cards = int(best_discards(view.hand, view.banned, view.array)[1])
        return cards & -cards

    def knock(self, view: View) -> int:
        held = from_mask(view.hand)
        left = min(len(held - melds.melded(family)) for family in melds.arrangements(held, self.pack))
        moves = view.opp_moves
        last = points(from_mask(moves[-1][1]), self.pack) if moves else 0
        taken = sum(drawn != 0 for drawn, _ in moves)
        facts = {"deadwood": view.deadwood, "unmatched": left, "taken": taken, "last": last, "limit": view.limit}
        self.seen.append(facts | {"stock": view.stock, "turn": view.turn + 1, "seat": 1 - view.starter})
        return 0


@pytest.mark.parametrize("rules", ["classic25(knock_limit=60)", "oklahoma", "classic25(ace_value=15, knock_limit=80, wrap=true)"])
def test_what_is_known_is_what_the_player_sees(rules: str) -> None:
    played = Rules.parse(rules)
    watcher = Watcher(played)
    courses = courses_of(Strategy.of(player=watcher), Strategy.parse("custom(draw=strict)"), played, 3, 8)
    own = courses.rows[(courses.side == 0) & (courses.rows["ending"] < H.DEAD)]
    assert len(own) == len(watcher.seen) > 20
    for name in watcher.seen[0]:
        assert own[name].tolist() == [facts[name] for facts in watcher.seen], name
    assert own["taken"].max() > 0 and own["unmatched"].max() > 2


def test_a_strategy_against_itself_is_played_once() -> None:
    own, played = Strategy.parse("threshold"), Rules.parse("eaai")
    once, both = courses_of(own, own, played, 1, 6, plays=1), courses_of(own, own, played, 1, 6)
    assert (once.hands, once.deals, both.hands, both.deals) == (6, 6, 12, 6)
    assert once.side.tolist() == once.rows["seat"].tolist()
    for deal in range(6):  # the second play is the first with the sides exchanged
        a, b = both.part(deal, 1), once.part(deal, 1)
        half = a.starts[1]
        assert a.rows[:half].tolist() == a.rows[half:].tolist() == b.rows.tolist()
        assert a.side[:half].tolist() == (1 - a.side[half:]).tolist()


def test_the_same_for_any_number_of_workers() -> None:
    works = [record("simple", "classic25", 4, 10, 70, workers=workers) for workers in (1, 3)]
    assert works[0].rows.tobytes() == works[1].rows.tobytes()
    parts = [record("simple", "classic25", 4, first, 35, workers=1) for first in (10, 45)]
    assert joined(parts).rows.tobytes() == works[0].rows.tobytes()


def test_a_million_deals_take_less_than_a_gigabyte() -> None:
    courses = record("threshold", "classic25", 0, 0, 300, workers=1)
    per_deal = len(courses.rows) / courses.deals
    arrays = ROW.itemsize + 2 * (1 + 1 + 4 + 4)  # the rows, and twice side, turn, cell and payoff of a game (solved, judged)
    assert 6 < per_deal < 14 and 1e6 * per_deal * arrays < 0.5e9


def test_kept_parts(tmp_path: Any) -> None:
    from ginsim.simulation.hands import write_part

    work = course_work(Strategy.parse("simple"), Rules.parse("eaai"), 2, 0, 60, key="solve")
    for first in (0, 25):
        write_part(work.part(first, min(25, 60 - first) if first == 0 else 35).carry_out(keep=True), tmp_path)
    assert kept_courses(tmp_path, work).rows.tobytes() == record("simple", "eaai", 2, 0, 60, workers=1).rows.tobytes()
    next(iter(sorted(tmp_path.glob("*.parquet")))).unlink()
    with pytest.raises(InputError, match="lacks deals from 0 on"):
        kept_courses(tmp_path, work)
    (tmp_path / "hands-solve-000000000000.parquet").write_bytes(b"nothing")
    with pytest.raises(InputError, match="is damaged"):
        kept_courses(tmp_path, work)


def test_an_illegal_decision_is_told() -> None:
    class Wrong(Watcher):
        def discard(self, view: View) -> int:
            return 0

    with pytest.raises(StrategyError, match="illegal discard decision 0"):
        courses_of(Strategy.of(player=Wrong(Rules())), Strategy.parse("simple"), Rules(), 0, 1)


def test_classes_of_what_is_known() -> None:
    assert set(BOUNDS) == set(KNOWN)
    for name, bounds in BOUNDS.items():
        fact = KNOWN[name]
        assert fact.classes == len(bounds) + 1
        values = np.arange(111)
        assert fact.of(values).tolist() == [sum(value >= bound for bound in bounds) for value in values.tolist()]
    cells = Cells.of("stock, deadwood")
    assert cells.known == ("deadwood", "stock") and cells.shape == (2, TURNS, 16, 7)
    assert Cells.of("").shape == (2, TURNS)
    with pytest.raises(InputError, match=r"knows: there is no 'deadwod'; did you mean 'deadwood'"):
        Cells.of("deadwod")
    with pytest.raises(InputError, match="knows: stock is listed twice"):
        Cells.of(["stock", "stock"])
    courses = record("threshold", "oklahoma", 0, 0, 20, workers=1)
    found = np.unravel_index(cells.index(courses)[courses.rows["final"] == 0], cells.shape)
    rows = courses.rows[courses.rows["final"] == 0]
    assert found[0].tolist() == rows["seat"].tolist() and found[1].tolist() == (np.minimum(rows["turn"], TURNS) - 1).tolist()
    assert found[2].tolist() == rows["deadwood"].tolist()
    inner = cells.within(Cells.of("deadwood"))
    own = cells.index(courses)[courses.rows["final"] == 0]
    assert inner[own].tolist() == Cells.of("deadwood").index(courses)[courses.rows["final"] == 0].tolist()


def test_what_cannot_be_solved_is_refused() -> None:
    for spec in ("rollout", "champion_rollout"):
        with pytest.raises(InputError, match=f"the knock of {spec} cannot be solved: with discard=rollout"):
            check_solvable(Strategy.parse(spec), Rules())
    with pytest.raises(InputError, match="allows no knock before gin"):
        check_solvable(Strategy.parse("simple"), Rules.parse("straight"))


def test_pieces_of_work_add_up() -> None:
    work = course_work(Strategy.parse("simple"), Rules(), 0, 0, 30, Strategy.parse("threshold"))
    done = list(run([work], 2, chunk=10))
    assert sum(piece.tally[0] for piece in done) == 30 and all(piece.records is None for piece in done)
    assert sum(piece.tally[1] for piece in done) == len(record("simple", Rules(), 0, 0, 30, "threshold", workers=1).rows)
