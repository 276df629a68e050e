"""Many comparisons, ratings, the field as a game, the bootstrap: each against another way to the same figure."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import ginsim
from ginsim.errors import InputError
from ginsim.inference.corrections import block_sums, bootstrap_ratio, holm, p_value, simultaneous
from ginsim.inference.estimates import Estimate, from_mean
from ginsim.inference.nash import equilibrium, nash_of, significant_cycles
from ginsim.inference.ratings import ELO, Ratings, ratings_of
from ginsim.study.compare import Comparison
from ginsim.study.tournament import Tournament

# Many comparisons


def test_simultaneous_intervals_hold_at_once() -> None:
    rng, figures, missed = np.random.default_rng(3), 12, 0
    for sample in rng.normal(0, 1, (1500, figures, 40)):
        wide = [simultaneous(from_mean(x.mean(), x.std(ddof=1) / math.sqrt(40), 40), figures) for x in sample]
        missed += any(not e.low <= 0 <= e.high for e in wide)
    assert 0.03 * 1500 < missed < 0.06 * 1500
    alone = from_mean(2.0, 1.0, 40)
    assert simultaneous(alone, 1) == alone


def test_holm_is_the_step_down_method() -> None:
    """Rejecting step by step at any level gives the same as comparing the adjusted values with it."""
    rnd = random.Random(1)
    for _ in range(200):
        p = [rnd.choice([rnd.random(), rnd.random() / 50, 0.01]) for _ in range(rnd.randrange(1, 8))]
        adjusted = holm(p)
        for alpha in (0.01, 0.05, 0.3):
            rejected, order = set(), sorted(range(len(p)), key=lambda i: p[i])
            for rank, i in enumerate(order):
                if p[i] > alpha / (len(p) - rank):
                    break
                rejected.add(i)
            assert {i for i, value in enumerate(adjusted) if value <= alpha} == rejected
        assert all(a >= b for a, b in zip(adjusted, p, strict=True))


def test_p_values() -> None:
    assert p_value(from_mean(0.0, 1.0, 100)) == 1
    assert p_value(from_mean(-2.6264, 1.0, 100)) == pytest.approx(0.01, abs=1e-4)  # Student's, 99 degrees of freedom
    assert p_value(Estimate(-2.5758, -4.5, -0.6, 1.0)) == pytest.approx(0.01, abs=1e-4)
    assert p_value(from_mean(3.0, 1.0, 100), null=3.0) == 1
    assert p_value(Estimate(math.nan, 0, 0, math.inf)) == p_value(Estimate(2.0, -math.inf, math.inf, math.inf)) == 1
    assert (p_value(Estimate(0.0, 0, 0, 0.0)), p_value(Estimate(1.0, 1, 1, 0.0))) == (1, 0)


def test_the_bootstrap_agrees_with_the_plain_interval() -> None:
    rng = np.random.default_rng(2)
    points = rng.normal(1.0, 20.0, 30_000).round()
    plain = from_mean(points.mean() / 2, points.std(ddof=1) / 2 / math.sqrt(len(points)), len(points))
    gained, plays = block_sums(np.column_stack([points, np.full(len(points), 2.0)])).T
    assert len(gained) == 1_000 and gained.sum() == points.sum()
    again = bootstrap_ratio(gained, plays)
    assert again == bootstrap_ratio(gained, plays)
    assert again.value == pytest.approx(plain.value)
    assert (again.low, again.high) == pytest.approx((plain.low, plain.high), abs=0.1 * (plain.high - plain.low))
    even = bootstrap_ratio(np.ones(9), np.full(9, 2.0))
    assert (even.value, even.low, even.high) == (0.5, 0.5, 0.5)
    with pytest.raises(InputError, match="bootstrap: 1 units given"):
        bootstrap_ratio(np.ones(1), np.ones(1))


# Ratings


def tally(won: int, decided: int, pairs: int, spread: float = 1.0) -> dict[str, int]:
    """Sums of pairs of two games with these totals; pairs win 2, 1 or 0 so that the squares add up to about ``spread``."""
    both = round(won / 2 * spread) if spread <= 1 else won // 2
    return {"won": won, "decided": decided, "pairs": pairs, "won_sq": 4 * both + (won - 2 * both), "won_decided": 2 * won,
            "decided_sq": 2 * decided}  # fmt: skip


def test_two_players_have_a_closed_form() -> None:
    t = tally(1_300, 2_000, 1_000, 0.6)
    found = ratings_of(["a", "b"], {(0, 1): t})
    share = (t["won"] + 0.5) / (t["decided"] + 1)
    assert found.lead(0, 1).value == pytest.approx(400 * math.log10(share / (1 - share)))
    assert found.rating(0).value == pytest.approx(found.lead(0, 1).value / 2)
    assert math.isnan(found.fit_p)
    plain = t["won"] / t["decided"]
    scatter = t["won_sq"] - 2 * plain * t["won_decided"] + plain**2 * t["decided_sq"]
    se = math.sqrt(scatter * 1_000 / 999) / (2_001 * share * (1 - share)) * ELO
    assert found.lead(0, 1).se == pytest.approx(se)


def played(rng: np.random.Generator, elo: np.ndarray, pairs: int, together: float) -> dict[tuple[int, int], dict[str, int]]:
    """Games in pairs that share their luck with the chance ``together``."""
    out = {}
    for i, j in itertools.combinations(range(len(elo)), 2):
        p = 1 / (1 + 10 ** ((elo[j] - elo[i]) / 400))
        first, second = rng.random(pairs), rng.random(pairs)
        second = np.where(rng.random(pairs) < together, 1 - first, second)  # a deal that suits one seat: each wins once
        won = (first < p).astype(int) + (second < p)
        out[i, j] = {"won": int(won.sum()), "decided": 2 * pairs, "pairs": pairs, "won_sq": int((won**2).sum()),
                     "won_decided": int(2 * won.sum()), "decided_sq": 4 * pairs}  # fmt: skip
    return out


def test_ratings_are_those_of_the_largest_likelihood() -> None:
    rng = np.random.default_rng(3)
    tallies = played(rng, np.array([120.0, 40, 0, -160]), 300, 0.5)

    def loss(theta: np.ndarray) -> float:
        total = theta.sum() ** 2
        for (i, j), t in tallies.items():
            x = theta[i] - theta[j]
            total += (t["decided"] + 1) * np.logaddexp(0, -x) + (t["decided"] - t["won"] + 0.5) * x
        return float(total)

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-9}).x
    found = ratings_of(list("abcd"), tallies)
    assert found.elo == pytest.approx(ELO * best, abs=1e-3)
    assert found.elo.sum() == pytest.approx(0, abs=1e-9)
    assert found.table()["strategy"].tolist() == list("abcd")
    assert found.fit_p > 0.001 and found.freedom == 3


def test_intervals_cover_and_the_fit_is_judged_fairly_with_pairs_that_share_luck() -> None:
    rng, true = np.random.default_rng(4), np.array([100.0, 30, -20, -110])
    inside, fits, runs = 0, [], 400
    for _ in range(runs):
        found = ratings_of(list("abcd"), played(rng, true, 150, 0.6))
        e = found.lead(0, 3)
        inside += e.low <= true[0] - true[3] <= e.high
        fits.append(found.fit_p)
    assert inside / runs == pytest.approx(0.95, abs=0.04)
    assert np.mean([p <= 0.05 for p in fits]) < 0.1


def test_a_field_that_wins_in_circles_does_not_fit() -> None:
    ring = {(0, 1): tally(700, 1_000, 500), (1, 2): tally(700, 1_000, 500), (0, 2): tally(300, 1_000, 500)}
    found = ratings_of(list("abc"), ring)
    assert found.fit_p < 1e-6
    assert found.elo == pytest.approx([0, 0, 0], abs=1e-6)


def test_all_or_nothing_stays_finite() -> None:
    found = ratings_of(["a", "b"], {(0, 1): tally(200, 200, 100)})
    assert 0 < found.elo[0] < 2_000 and found.rating(0).se > 0
    with pytest.raises(InputError, match="ratings: no game of a against b was decided"):
        ratings_of(["a", "b"], {(0, 1): tally(0, 0, 100)})


# The field as a game


def by_supports(payoffs: np.ndarray) -> float:
    """The value of the best mixture's worst column, by trying every set of rows against every set of as many columns."""
    n, best = len(payoffs), -math.inf
    for size in range(1, n + 1):
        for rows in itertools.combinations(range(n), size):
            for columns in itertools.combinations(range(n), size):
                system = np.zeros((size + 1, size + 1))
                system[:size, :size], system[:size, size], system[size, :size] = payoffs[np.ix_(rows, columns)].T, -1, 1
                if abs(np.linalg.det(system)) < 1e-12:
                    continue
                x = np.linalg.solve(system, np.append(np.zeros(size), 1.0))[:size]
                if (x > -1e-12).all():
                    mixture = np.zeros(n)
                    mixture[list(rows)] = x
                    best = max(best, float((mixture @ payoffs).min()))
    return best


def test_equilibria_against_trying_all_supports() -> None:
    rng = np.random.default_rng(5)
    for n in (2, 3, 4, 4, 5):
        for _ in range(8):
            payoffs = np.triu(rng.normal(size=(n, n)).round(1 + n % 2), 1)
            payoffs -= payoffs.T
            shares = equilibrium(payoffs)
            assert shares.min() >= 0 and shares.sum() == pytest.approx(1)
            assert (shares @ payoffs).min() == pytest.approx(0, abs=1e-7)  # a symmetric game is worth 0
            assert by_supports(payoffs) == pytest.approx(0, abs=1e-9)


def test_paper_scissors_stone() -> None:
    a, b, c = 1.0, 2.0, 4.0  # 0 beats 1 by a, 1 beats 2 by b, 2 beats 0 by c
    ring = np.array([[0, a, -c], [-a, 0, b], [c, -b, 0]])
    assert equilibrium(ring) == pytest.approx(np.array([b, c, a]) / (a + b + c))
    assert equilibrium(np.array([[0, 1, 2], [-1, 0, 5], [-2, -5, 0.0]])).tolist() == [1, 0, 0]


def test_the_mixture_is_as_sure_as_the_matrix() -> None:
    ring = np.array([[0, 1.0, -1], [-1, 0, 1], [1, -1, 0]])
    errors = np.full((3, 3), 0.05)
    found = nash_of(["a", "b", "c"], ring, errors, "points_per_hand", seed=1)
    table = found.table().set_index("strategy")
    # With payoffs p, q, r of the ring the share of "a" is q / (p + q + r): its error by the delta method.
    delta = 0.05 * math.sqrt((2 / 9) ** 2 + 2 * (1 / 9) ** 2)
    assert (table["high"] - table["low"]).to_numpy() == pytest.approx(np.full(3, 2 * 1.96 * delta), rel=0.15)
    assert found.support == ("a", "b", "c") and "no single best" in found.verdict()
    sure = nash_of(["a", "b"], np.array([[0, 1.0], [-1, 0]]), np.full((2, 2), 0.1), "points_per_hand")
    assert sure.support == ("a",) and "one answer: a" in sure.verdict()
    assert sure.worst.tolist() == [0, -1] and sure.against.tolist() == [0, 1]
    again = nash_of(["a", "b", "c"], ring, errors, "points_per_hand", seed=1)
    np.testing.assert_array_equal(found.drawn, again.drawn)


def test_cycles_against_a_search_by_hand() -> None:
    rnd = random.Random(6)
    for _ in range(200):
        n = rnd.randrange(2, 7)
        beats = np.zeros((n, n), bool)
        for i, j in itertools.combinations(range(n), 2):
            if rnd.random() < 0.7:
                beats[rnd.choice([(i, j), (j, i)])] = True
        rings = {
            ring
            for size in range(3, n + 1)
            for ring in itertools.permutations(range(n), size)
            if ring[0] == min(ring) and all(beats[x, y] for x, y in zip(ring, (*ring[1:], ring[0]), strict=True))
        }
        found = significant_cycles(beats)
        assert set(found) <= rings
        assert bool(found) == bool(rings)
        for i, j in zip(*np.nonzero(beats), strict=True):  # through each win that lies on a ring, one of the shortest
            lengths = [len(r) for r in rings if (i, j) in zip(r, (*r[1:], r[0]), strict=True)]
            own = [len(r) for r in found if (i, j) in zip(r, (*r[1:], r[0]), strict=True)]
            assert min(lengths, default=0) == min(own, default=0)


# In a tournament


@pytest.fixture(scope="module")
def field() -> Tournament:
    return ginsim.tournament([f"threshold(knock={k})" for k in (0, 7, 10)], "eaai", deals=1_500, games=0, seed=2)


def circled(field: Tournament) -> Tournament:
    """The same field with points turned so that each beats the next by 3 a hand."""

    def turned(c: Comparison, sign: int) -> Comparison:
        n = c.deals
        sums: dict[str, Any] = {"points": sign * 6 * n, "points_sq": 436 * n}
        return replace(c, hands_tally=c.hands_tally | sums)

    signs = {(0, 1): 1, (1, 2): 1, (0, 2): -1}
    return replace(field, pairings={key: turned(c, signs[key]) for key, c in field.pairings.items()})


def test_a_tournament_corrects_for_its_pairings(field: Tournament) -> None:
    table = field.pairing_table()
    assert table["p_holm"].tolist() == holm(table["p"].tolist())
    assert table["p"].tolist() == [p_value(c.points_per_hand) for c in field.pairings.values()]
    assert table["clear"].tolist() == [True, True, False]
    assert field.cycles() == [] and "cyclic" not in field.verdict()


def test_a_cyclic_field_is_warned_of(field: Tournament) -> None:
    ring, names = circled(field), field.strategies
    assert ring.cycles() == [names]
    assert f"The field is cyclic: {names[0]}, which beats {names[1]}, which beats {names[2]}, which beats" in ring.verdict()
    assert ring.nash().shares == pytest.approx([1 / 3] * 3)


def test_ratings_and_mixtures_of_a_tournament(field: Tournament, tmp_path: Path) -> None:
    found = field.ratings()
    assert isinstance(found, Ratings) and found.of == "hands"
    assert field.nash("hands_won").measure == "hands_won"
    assert field.nash().shares.tolist() == [1, 0, 0]
    with pytest.raises(InputError, match="of: 'points' cannot be rated"):
        field.ratings("points")
    with pytest.raises(InputError, match="ratings: no game"):
        field.ratings("games")
    with pytest.raises(InputError, match="measure: 'turns_per_hand' cannot be a payoff"):
        field.nash("turns_per_hand")
    with pytest.raises(InputError, match=r"measure: games_won of .* is unknown"):
        field.nash("games_won")
    ginsim.save(field, tmp_path)
    for name in ("ratings", "nash"):
        assert (tmp_path / f"{name}.csv").exists() and (tmp_path / f"{name}.png").exists()
    page = (tmp_path / "report.md").read_text()
    assert "### Which pairings are clear" in page and "## Ratings" in page and "## The field as a game" in page


def test_the_bootstrap_of_kept_hands(tmp_path: Path) -> None:
    kept = ginsim.compare("threshold(knock=4)", "simple", "eaai", deals=1_200, games=0, keep_hands=tmp_path)
    for measure in ("points_per_hand", "hands_won"):
        plain, again = getattr(kept, measure), kept.bootstrap(measure, resamples=2_000)
        assert again.value == pytest.approx(plain.value)
        assert (again.low, again.high) == pytest.approx((plain.low, plain.high), abs=0.12 * (plain.high - plain.low))
    with pytest.raises(InputError, match="measure: 'games_won' is not bootstrapped"):
        kept.bootstrap("games_won")
    with pytest.raises(InputError, match="hands: this comparison kept none"):
        replace(kept, hands_folder=None).bootstrap()
