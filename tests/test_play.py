"""Playing ranges of deals: the same to the bit however the work is cut and spread, and tallies that add up."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config

from ginsim.errors import InputError, StrategyError
from ginsim.games.base import GAME_TALLY, as_dict, form_of
from ginsim.games.catalog import Strategy
from ginsim.games.gin import gamerecords as G
from ginsim.games.gin import records as H
from ginsim.games.gin.count import HAND_TALLY, tally_games, tally_hands
from ginsim.games.gin.rules import Rules
from ginsim.games.gin.view import View
from ginsim.simulation.play import (
    BLOCK,
    CALL_SECONDS,
    GAMES,
    HANDS,
    STEP,
    Done,
    Work,
    _Pace,
    check_workers,
    play,
    run,
    warm_up,
)


def work(
    a: str = "threshold(knock=4)",
    b: str = "simple",
    phase: str = HANDS,
    count: int = 300,
    rules: str = "classic25",
    first: int = 0,
) -> Work:
    return Work((Strategy.parse(a), Strategy.parse(b)), Rules.parse(rules), 61, phase, first, count, key=f"{a} {b}")


def together(works: list[Work], **options: Any) -> dict[tuple[str, str], list[int]]:
    """Tallies by strategies and phase, all pieces added up."""
    sums: dict[tuple[str, str], Any] = {}
    for done in run(works, **options):
        key = done.work.key, done.work.phase
        sums[key] = sums.get(key, 0) + done.tally
    return {key: tally.tolist() for key, tally in sums.items()}


WORKS = [
    work(count=700),
    work("random", "simple", count=300),
    work("random", "simple", GAMES, count=20),
    work(phase=GAMES, count=60),
]


@pytest.fixture(scope="module")
def alone() -> dict[tuple[str, str], list[int]]:
    return {(w.key, w.phase): play(w).tally.tolist() for w in WORKS}


@pytest.mark.parametrize(("workers", "chunk"), [(None, None), (1, None), (2, None), (3, 7), (1, 1000)])
def test_any_workers_and_chunks_give_the_same(workers: int | None, chunk: int | None, alone: Any) -> None:
    assert together(WORKS, workers=workers, chunk=chunk) == alone


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_any_backend_gives_the_same(backend: str, alone: Any) -> None:
    with parallel_config(backend=backend, n_jobs=2):
        assert together(WORKS, chunk=150) == alone
        assert together(WORKS) == alone


def test_loky_reports_illegal_decisions() -> None:
    class Stuck:
        def draw(self, view: View) -> int:
            return 2

        discard = knock = draw

    bad = Work((Strategy.of(player=Stuck()), Strategy.parse("simple")), Rules(), 3, HANDS, 0, 20)
    for options in ({"backend": "loky", "n_jobs": 2}, {"backend": "threading", "n_jobs": 2}):
        with parallel_config(**options), pytest.raises(StrategyError, match=r"strategy Stuck: illegal draw decision.*deal "):
            list(run([bad], chunk=5))


def test_records_are_kept_on_demand() -> None:
    pieces = sorted(run([work(count=50)], workers=2, keep=True, chunk=8), key=lambda done: done.work.first)
    assert [done.work.count for done in pieces] == [8] * 6 + [2]
    records = np.concatenate([done.records for done in pieces])
    np.testing.assert_array_equal(records, play(work(count=50), keep=True).records)
    assert records[:, H.COLUMNS.index("deal")].tolist() == [deal for deal in range(50) for _ in range(2)]
    assert play(work(count=5)).records is None


def test_more_than_a_block() -> None:
    whole = play(work(count=2 * BLOCK + 3), keep=True)
    assert whole.records is not None
    assert len(whole.records) == 2 * (2 * BLOCK + 3)
    parts = [play(work(count=n, first=first)) for first, n in [(0, 5), (5, BLOCK), (BLOCK + 5, BLOCK - 2)]]
    np.testing.assert_array_equal(sum(part.tally for part in parts), whole.tally)


def test_any_range_of_deals() -> None:
    far = play(work(count=3, first=1_000_000), keep=True)
    assert far.records is not None
    assert far.records[0, 0] == 1_000_000
    assert play(work(count=0)).tally.tolist() == [0] * len(HAND_TALLY)
    assert list(run([work(count=0)])) == []


def test_pieces_know_their_work() -> None:
    (done,) = run([work(count=4)], workers=1)
    assert (done.work.key, done.work.count) == ("threshold(knock=4) simple", 4)
    assert done.seconds > 0


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "two", [2]])
def test_bad_workers(workers: Any) -> None:
    with pytest.raises(InputError, match=r"workers: .* is not allowed; give a whole number from 1"):
        list(run([work(count=4)], workers=workers))


def test_workers() -> None:
    assert check_workers(3) == 3
    assert check_workers(None) == -1
    with parallel_config(backend="threading", n_jobs=2):
        assert check_workers(None) == 2


def test_the_cheapest_kernel_that_serves() -> None:
    class Plain:
        draw = discard = knock = lambda self, view: 0

    simple, wild, plain = Strategy.parse("simple"), Strategy.parse("random"), Strategy.of(player=Plain())
    assert form_of([simple, simple]) == "numbers"
    assert form_of([simple, wild]) == form_of([wild, simple]) == "slots"
    assert form_of([wild, plain]) == form_of([plain, simple]) == "python"


def test_warm_up_tells_what_it_compiles() -> None:
    told: list[str] = []
    warm_up(WORKS, told.append)
    assert told == [
        "compiling the hands kernel (numbers)",
        "compiling the hands kernel (slots)",
        "compiling the games kernel (slots)",
        "compiling the games kernel (numbers)",
    ]


# Tallies against the records


def pairs(values: pd.Series) -> pd.Series:
    """Sums over the two plays of a pair."""
    return values.groupby(values.index // 2).sum()


def squares(values: pd.Series) -> int:
    return int((values**2).sum())


def retold_hands(r: pd.DataFrame) -> dict[str, int]:
    """The hand tally by pandas, from the description of its names."""
    gain = r.points.where(r.winner == 0, -r.points)
    won, decided = pairs((r.winner == 0).astype(int)), pairs((r.winner >= 0).astype(int))
    starter = pairs((r.winner == r.starter).astype(int))
    by = r.winner.clip(lower=0)
    told = {
        "pairs": len(r) // 2,
        "points": gain.sum(),
        "points_sq": squares(pairs(gain)),
        "single_sq": squares(gain),
        "won": won.sum(),
        "won_sq": squares(won),
        "decided": decided.sum(),
        "decided_sq": squares(decided),
        "won_decided": (won * decided).sum(),
        "starter": starter.sum(),
        "starter_sq": squares(starter),
        "starter_decided": (starter * decided).sum(),
        "turns": r.turns.sum(),
        "turns_sq": squares(pairs(r.turns)),
        "laid_off": r.laid_off.sum(),
        "knock_deadwood": r.deadwood_0.where(r.knocker == 0, r.deadwood_1)[r.ending == H.KNOCKED].sum(),
    }
    for p in (0, 1):
        told[f"taken_{p}"] = r[f"taken_{p}"].sum()
        told[f"knocks_{p}"] = (r.knocker == p).sum()
        told[f"cut_{p}"] = ((r.knocker == p) & (r.ending == H.ENDINGS.index("undercut"))).sum()
        for code, ending in enumerate(H.ENDINGS):
            of = (r.ending == code) & (by == p)
            told[f"{ending}_{p}"] = of.sum()
            told[f"{ending}_points_{p}"] = r.points[of].sum()
            told[f"{ending}_both_{p}"] = (pairs(of.astype(int)) == 2).sum()
            told[f"{ending}_both"] = (pairs((r.ending == code).astype(int)) == 2).sum()
    return {name: int(value) for name, value in told.items()}


def retold_games(r: pd.DataFrame) -> dict[str, int]:
    won, decided = pairs((r.winner == 0).astype(int)), pairs((r.winner >= 0).astype(int))
    told = {
        "pairs": len(r) // 2,
        "won": won.sum(),
        "won_sq": squares(won),
        "decided": decided.sum(),
        "decided_sq": squares(decided),
        "won_decided": (won * decided).sum(),
        "margin": r.margin.sum(),
        "margin_sq": squares(pairs(r.margin)),
        "hands": r.hands.sum(),
        "scored": r.scored.sum(),
        "shutout_0": r.shutout[r.winner == 0].sum(),
        "shutout_1": r.shutout[r.winner == 1].sum(),
        "unfinished": r.unfinished.sum(),
        "hands_sq": squares(pairs(r.hands)),
    }
    return {name: int(value) for name, value in told.items()}


HAND_RULES = [
    "classic25", "tournament(stock_end=reshuffle)", "round_the_corner(big_gin_bonus=31, knock_limit=30)",
    "classic20(tie=push, suits=2, hand_size=7, knock_limit=40)", "pagat(tie=knocker, knock_limit=60, max_turns=10)",
    "straight(ranks=8, stock_end=dead_at_0)",
]  # fmt: skip


@pytest.mark.parametrize("rules", HAND_RULES)
@pytest.mark.parametrize("a", ["threshold(knock=4)", "random"])
def test_hand_tally(rules: str, a: str) -> None:
    done = play(work(a, "simple", rules=rules, count=400), keep=True)
    told = retold_hands(pd.DataFrame(done.records, columns=H.COLUMNS))
    assert set(told) == set(HAND_TALLY)
    assert as_dict(HAND_TALLY, done.tally) == told


@pytest.mark.parametrize("rules", ["classic25(target=40)", "hollywood(target=30)", "classic20(knock_limit=0, target=30)", "eaai"])
@pytest.mark.parametrize("a", ["threshold(knock=4)", "random"])
def test_game_tally(rules: str, a: str) -> None:
    done = play(work(a, "simple", GAMES, rules=rules, count=30), keep=True)
    told = retold_games(pd.DataFrame(done.records, columns=G.COLUMNS))
    assert set(told) == set(GAME_TALLY)
    assert as_dict(GAME_TALLY, done.tally) == told


def test_unfinished_games_are_nobodys() -> None:
    never = "threshold(knock=-1)"
    done = play(work(never, never, GAMES, count=2, rules="classic25(max_turns=3)"), keep=True)
    told = retold_games(pd.DataFrame(done.records, columns=G.COLUMNS))
    assert as_dict(GAME_TALLY, done.tally) == told
    assert (told["won"], told["decided"], told["margin"], told["unfinished"], told["hands"]) == (0, 0, 0, 4, 4 * 50)


def test_tallies_of_records_add_up() -> None:
    """Tallying a table in parts comes to the same as tallying it whole."""
    for phase, tally, names in [(HANDS, tally_hands, HAND_TALLY), (GAMES, tally_games, GAME_TALLY)]:
        done = play(work(phase=phase, count=20), keep=True)
        assert done.records is not None
        out = np.zeros(len(names), np.int64)
        for first, last in [(0, 10), (10, 40)]:
            tally(np.ascontiguousarray(done.records[first:last]), last - first, out)
        np.testing.assert_array_equal(out, done.tally)


# Pieces


def played(piece: Work, rate: float) -> Done:
    return Done(piece, np.zeros(1, np.int64), piece.count / rate)


def test_pieces_grow_to_what_fits_into_a_call_and_shrink_at_the_end() -> None:
    pace, whole, sizes, left = _Pace(2), work(), list[int](), 5_000
    while left:
        sizes.append(pace.next(whole, left))
        left -= sizes[-1]
        pace.learn(played(whole.part(0, sizes[-1]), 2_000))
    fits = int(2_000 * CALL_SECONDS)
    assert sizes[:4] == [STEP, STEP**2, STEP**3, fits]
    assert max(sizes) == fits and sizes[-2:] == [fits // STEP, sizes[-1]] and sizes[-1] <= fits // STEP
    assert all(size <= max(rest // 2, fits // STEP) for size, rest in zip(sizes[3:], 5_000 - np.cumsum(sizes[2:]), strict=False))


def test_what_short_pieces_took_does_not_count_once_long_ones_are_known() -> None:
    pace, whole = _Pace(1), work()
    for count in (8, 64, 512, 4096):
        pace.learn(played(whole.part(0, count), 1e6))
    size = pace.next(whole, 10**9)
    assert size == STEP * 4096
    pace.learn(played(whole.part(0, 8), 1_000))  # a late result
    assert pace.next(whole, 10**9) == size
    pace.learn(played(whole.part(0, size), 1_000))
    assert pace.next(whole, 10**9) == int(1_000 * CALL_SECONDS)
    slow = _Pace(1)
    slow.learn(played(whole.part(0, 1), 1e-3))
    assert slow.next(whole, 10**9) == 1


def test_threads_learn_before_their_results_are_read() -> None:
    """Two threads do not go on with pieces of eight until the first results are looked at."""
    found = run([work(count=20_000)], workers=2)
    counts = [done.work.count for done in found]
    assert sum(counts) == 20_000
    assert len(counts) < 40 and counts.count(STEP) <= 6
