"""Games and Hollywood matches: the kernel against the oracle's score sheet, and what must hold of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ginsim.deals import GAME_BASE, HANDS_PER_GAME
from ginsim.games.catalog import Strategy
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import view as V
from ginsim.games.gin.rules import PRESETS, Rules
from ginsim.games.gin.scoring import Game, settle
from ginsim.games.gin.view import View
from ginsim.simulation.play import GAMES, Work, play
from tests.helpers import oracle_hand, random_rules, random_spec
from tests.oracle import scoring
from tests.oracle.play import Record

Result = tuple[int | None, int]
Row = dict[str, int]


def games(a: Strategy | str, b: Strategy | str, rules: Rules, seed: int, first: int = 0, pairs: int = 1) -> list[Row]:
    work = Work((Strategy.parse(a), Strategy.parse(b)), rules, seed, GAMES, first, pairs)
    records = play(work, keep=True).records
    assert records is not None
    return [dict(zip(G.COLUMNS, row, strict=True)) for row in records.tolist()]


def oracle_game(a: Strategy, b: Strategy, rules: Rules, seed: int, game: int, starter: int) -> Iterator[Record]:
    """The hands of a game, each played by the oracle, dealt by whoever it is to."""
    results: list[Result] = []
    while not finished(results, rules) and not given_up(results):
        dealer = scoring.dealers(results, 1 - starter, rules.next_dealer)[-1]
        deal = GAME_BASE + game * HANDS_PER_GAME + len(results)
        record = oracle_hand(a, b, rules, seed, deal, 1 - dealer)
        results.append((record.winner, record.points))
        yield record


def finished(results: list[Result], rules: Rules) -> bool:
    if rules.hollywood:
        return all(column.winner is not None for column in scoring.play_hollywood(results, rules).columns)
    return scoring.play_game(results, rules).winner is not None


def given_up(results: list[Result]) -> bool:
    """Whether the last fifty hands had no winner."""
    return len(results) >= 50 and all(winner is None for winner, _ in results[-50:])


def expected(results: list[Result], rules: Rules) -> Row:
    """What the oracle's score sheet makes of the results."""
    if not rules.hollywood:
        sheet = scoring.play_game(results, rules)
        columns = [sheet]
        winner, shutout = -1 if sheet.winner is None else sheet.winner, sheet.shutout
        margin = sheet.margin if winner == 0 else -sheet.margin
    else:
        match = scoring.play_hollywood(results, rules)
        columns, margin, shutout = match.columns, match.net[0], False
        winner = -1 if margin == 0 else int(margin < 0)
    unfinished = not finished(results, rules)
    if unfinished:
        winner, margin = -1, 0
    return {
        "winner": winner,
        "unfinished": unfinished,
        "margin": margin,
        "hands": len(results),
        "scored": sum(w is not None for w, _ in results),
        "points_0": sum(c.points[0] for c in columns),
        "points_1": sum(c.points[1] for c in columns),
        "boxes_0": sum(c.boxes[0] for c in columns),
        "boxes_1": sum(c.boxes[1] for c in columns),
        "shutout": int(shutout),
        "error": 0,
    }


def assert_same_game(row: Row, results: list[Result], rules: Rules) -> None:
    want = expected(results, rules)
    assert {name: row[name] for name in want} == want
    sheet = settle(results, rules)
    assert sheet.finished == (not row["unfinished"])
    assert row["unfinished"] or sheet.net[0] == row["margin"]
    assert (-1 if sheet.winner is None else sheet.winner) == row["winner"]
    assert (sheet.points, sheet.boxes) == ((row["points_0"], row["points_1"]), (row["boxes_0"], row["boxes_1"]))


SCORED: dict[str, dict[str, Any]] = {
    "classic25": {},
    "classic20": {},
    "pagat": {},
    "eaai": {},
    "tournament": {},
    "hollywood": {"target": 60},
    "loser deals": {"next_dealer": "loser", "target": 50},
    "winner deals": {"next_dealer": "winner", "target": 50},
    "dead hands": {"next_dealer": "winner", "target": 50, "knock_limit": 0, "ranks": 9, "hand_size": 8},
    "pushes": {"tie": "push", "target": 60, "suits": 2, "hand_size": 7, "knock_limit": 30, "stock_end": "dead_at_0"},
    "bonus doubled": {"shutout": "bonus_x2", "target": 25},
    "points doubled": {"shutout": "double_points", "target": 25},
    "total doubled": {"shutout": "double_total", "target": 25},
    "difference doubled": {"shutout": "double_difference", "target": 25, "next_dealer": "loser"},
    "no shutout": {"shutout": "none", "target": 25},
    "hollywood, loser deals": {"hollywood": True, "target": 25, "next_dealer": "loser", "shutout": "double_total"},
    "hollywood, third double": {"hollywood": True, "third_column_double": True, "target": 25, "shutout": "double_difference"},
    "hollywood, no boxes": {"hollywood": True, "target": 40, "box_bonus": 0, "game_bonus": 0, "shutout": "double_points"},
}


@pytest.mark.parametrize("name", SCORED)
def test_games_are_the_oracles(name: str) -> None:
    rules = Rules.parse(name if name in PRESETS else "classic25").replace(**SCORED[name])
    a, b = Strategy.parse("threshold(knock=5, draw=strict)"), Strategy.parse("simple")
    rows = games(a, b, rules, seed=13, first=3, pairs=5)
    for row in rows:
        results = [(r.winner, r.points) for r in oracle_game(a, b, rules, 13, row["game"], row["first_starter"])]
        assert row["first_starter"] == row["play"]
        assert_same_game(row, results, rules)
    if name.endswith(("doubled", "shutout")):
        assert 0 < sum(row["shutout"] for row in rows) < len(rows), "both should come up"


def test_games_under_random_rules_are_the_oracles() -> None:
    rnd = random.Random(17)
    for game in range(40):
        shutout = rnd.choice(["none", "bonus_x2", "double_points", "double_total", "double_difference"])
        scores = {"target": rnd.choice([1, 10, 30]), "box_bonus": rnd.choice([0, 20]), "game_bonus": rnd.choice([0, 100])}
        dealer = rnd.choice(["alternate", "loser", "winner"])
        rules = random_rules(rnd, shutout=shutout, next_dealer=dealer, min_turns_before_knock=0, **scores)
        a, b = Strategy.parse(random_spec(rnd)), Strategy.parse("simple")  # who ends the game some time
        row = games(a, b, rules, seed=game, first=game)[game % 2]
        if row["hands"] <= 40:
            results = [(r.winner, r.points) for r in oracle_game(a, b, rules, game, game, game % 2)]
            assert_same_game(row, results, rules)


@pytest.mark.parametrize("rules", ["classic25", "hollywood(next_dealer=winner)", "classic25(next_dealer=loser)"])
def test_a_game_that_nobody_wins_on_is_stopped(rules: str) -> None:
    """Fifty hands in a row without a winner, whether at the start or later, end a game or a match; nobody wins it."""
    never = Strategy.parse("threshold(knock=-1)")
    for row in games(never, never, Rules.parse(rules), 1):
        assert (row["hands"], row["scored"], row["winner"], row["margin"], row["unfinished"]) == (50, 0, -1, 0, 1)
        assert (row["points_0"], row["boxes_1"], row["shutout"]) == (0, 0, 0)
    rare, played = Rules.parse(rules).replace(knock_limit=0, target=60, max_turns=9), []
    simple = Strategy.parse("simple")
    for row in games(simple, simple, rare, 7, pairs=12):
        results = [(r.winner, r.points) for r in oracle_game(simple, simple, rare, 7, row["game"], row["first_starter"])]
        assert_same_game(row, results, rare)
        played.append((row["unfinished"], row["scored"] > 0))
    assert {(1, False), (1, True)} <= set(played)


class Watching:
    """Simple play that notes the score shown at every decision, and that its memory is empty at the start of a hand."""

    def __init__(self) -> None:
        self.simple = Strategy.parse("simple")
        self.seen: list[tuple[int, int, int, int]] = []

    def note(self, view: View) -> View:
        score = view.own_score, view.opp_score, view.own_boxes, view.opp_boxes
        if not self.seen or self.seen[-1] != score:
            self.seen.append(score)
        return view

    def draw(self, view: View) -> int:
        if view.turn == 0:
            assert not view.array[V.MEMORY : V.MEMORY + V.MEMORY_SIZE].any()
            assert view.own_discards == view.banned == view.drawn == 0
        return self.simple.decisions[0](self.note(view).array, self.simple.array)

    def discard(self, view: View) -> int:
        return self.simple.decisions[1](self.note(view).array, self.simple.array)

    def knock(self, view: View) -> int:
        self.note(view).array[V.MEMORY + 15] = 1  # the memory is the strategy's own, to be emptied by the engine
        return 1


@pytest.mark.parametrize("spec", ["classic25", "hollywood(target=40)"])
def test_players_see_the_score(spec: str) -> None:
    rules, watching = Rules.parse(spec), Watching()
    rows = games(Strategy.of(player=watching), "simple", rules, seed=19)
    wanted: list[tuple[int, int, int, int]] = []
    for row in rows:
        sheet = Game(rules)
        for hand in oracle_game(Strategy.parse("simple"), Strategy.parse("simple"), rules, 19, 0, row["first_starter"]):
            open_column = next(c for c in sheet.settlement().columns if not c.closed)
            (a, b), (x, y) = open_column.points, open_column.boxes
            if not wanted or wanted[-1] != (a, b, x, y):
                wanted.append((a, b, x, y))
            sheet.add(hand.winner, hand.points)
    assert watching.seen == wanted


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("spec", ["simple", "random", "threshold(knock_by_turn=[10, 4])"])
def test_identical_strategies_cancel_exactly(preset: str, spec: str) -> None:
    rows = pd.DataFrame(games(spec, spec, Rules.parse(preset).replace(target=50), seed=23, pairs=40))
    first, second = rows[rows.play == 0].reset_index(), rows[rows.play == 1].reset_index()
    assert (first.margin == -second.margin).all()
    assert ((first.winner == 1 - second.winner) | (first.winner == -1)).all()
    assert (first.hands == second.hands).all()
    assert (first.points_0 == second.points_1).all()
    assert (first.boxes_0 == second.boxes_1).all()


def test_games_leak_nothing_into_each_other() -> None:
    """The second game is the same whatever came first: other games, other rules, eleven cards, a void match."""
    rules = Rules.parse("pagat")
    wanted = games("simple", "random", rules, seed=29, first=6)
    together = games("simple", "random", rules, seed=29, pairs=12)
    assert together[12:14] == wanted
    eleven = Rules(eleven_card_start=True, upcard_offer=False, hollywood=True, target=20)
    games("random", "simple", eleven, seed=29, pairs=3)
    assert games("simple", "random", rules, seed=29, first=6) == wanted
    assert games("simple", "random", rules, seed=30, first=6) != wanted


def test_hands_without_points_win_no_game() -> None:
    """Boxes alone (a tie that the knocker wins with nothing) never reach the target."""
    rows = games("simple", "simple", Rules(tie="knocker", target=1), seed=37, pairs=50)
    assert all(max(row["points_0"], row["points_1"]) >= 1 for row in rows)
    assert all(row["points_0"] == 0 or row["points_1"] == 0 for row in rows)


def test_bonuses_never_count_towards_the_target() -> None:
    for preset in ("classic25", "pagat"):
        for row in games("simple", "simple", Rules.parse(preset), seed=41, pairs=30):
            winner = row["winner"]
            assert row[f"points_{winner}"] >= 100 > row[f"points_{1 - winner}"]


def test_the_undercutter_may_cross_the_target() -> None:
    """The player who reaches the target wins, whoever was on turn."""
    rules, a, b = Rules(target=25), Strategy.parse("simple"), Strategy.parse("threshold(knock=3)")
    undercut = 0
    for row in games(a, b, rules, seed=43, pairs=12):
        *_, last = oracle_game(a, b, rules, 43, row["game"], row["first_starter"])
        assert row["winner"] == last.winner
        undercut += last.ending == "undercut"
    assert undercut >= 2


def test_all_kernels_play_the_same_games() -> None:
    simple, threshold = Strategy.parse("simple"), Strategy.parse("threshold(knock=6)")
    for spec in ("classic25", "hollywood(target=30)", "eaai(next_dealer=winner, stock_end=reshuffle)"):
        rules = Rules.parse(spec)
        wanted = games(simple, threshold, rules, seed=47, pairs=4)
        mixed = Strategy.of(draw="meld", discard="new_pair", knock=always_knock, name="simple_by_slots")
        assert mixed.kind == "slots"
        assert games(mixed, threshold, rules, seed=47, pairs=4) == wanted
        assert games(Strategy.of(player=Watching()), threshold, rules, seed=47, pairs=4) == wanted


def always_knock(view: np.ndarray, params: np.ndarray) -> np.int64:
    return np.int64(1)
