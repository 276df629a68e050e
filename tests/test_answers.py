"""Results where they are looked at: in a line, and in a notebook; estimates as numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import ginsim
import ginsim.answers
from ginsim.inference.estimates import Estimate, from_mean
from ginsim.study.base import kinds

SMALL: dict[str, Any] = {"deals": 20, "workers": 1}
LOOKED_AT: dict[str, Callable[[], Any]] = {
    "compare": lambda: ginsim.compare("simple", "gin_only", games=2, **SMALL),
    "tournament": lambda: ginsim.tournament(["simple", "gin_only"], games=2, **SMALL),
    "statistics": lambda: ginsim.statistics("simple", **SMALL),
    "effect": lambda: ginsim.effect("classic25", ["oklahoma"], "simple", games=0, **SMALL),
    "odds": lambda: ginsim.odds("simple", "gin_only", deals=20, games=2, workers=1),
    "solve": lambda: ginsim.solve("threshold", deals=200, workers=1),
    "mixture": lambda: ginsim.mixture(["table_greedy", "table_random"], rules="house(players=2)", games=0, **SMALL),
    "advise": lambda: ginsim.advise("4S 4H 5H 9C 10C JC KD 2S 8D QH", upcard="6H", rollouts=20),
}


@pytest.mark.parametrize("name", LOOKED_AT)
def test_a_result_is_its_answer(name: str) -> None:
    result = LOOKED_AT[name]()
    assert repr(result) == f"<{type(result).__name__}: {result.verdict()}>" and len(repr(result)) < 1000
    page = result._repr_html_()
    assert page.startswith("<p>") and "<table" in page and len(page) < 100_000


def test_every_kind_has_the_table_it_names() -> None:
    assert all(callable(getattr(kind.result, kind.result.TABLE)) for kind in kinds().values())  # type: ignore[attr-defined]
    assert all(kind.result.__repr__ is ginsim.answers.Answer.__repr__ for kind in kinds().values())  # type: ignore[attr-defined]


def test_what_strategies_are_called_is_escaped() -> None:
    class Named(ginsim.answers.Answer):  # type: ignore[name-defined, misc]
        def verdict(self) -> str:
            return "<script>"

        def summary(self) -> Any:
            import pandas as pd

            return pd.DataFrame({"<b>": ["<i>"]})

    assert "<script>" not in Named()._repr_html_() and "<i>" not in Named()._repr_html_()


def test_an_estimate_is_a_number() -> None:
    e = Estimate(-0.5, -0.8, -0.2, 0.15)
    assert e < 0 < -e and e <= e and e <= -0.5 and max([e, -e]) is not e
    assert (f"{e:.2f}", round(e, 1), abs(e), float(e)) == ("-0.50", -0.5, 0.5, -0.5)
    assert repr(e) == "<Estimate: -0.5 [-0.8, -0.2]>"
    twice = -2 * e
    assert (twice.value, twice.low, twice.high, twice.se) == (1.0, 0.4, 1.6, 0.3)
    shifted = 1 + e / 2 - 1
    assert (shifted.low, shifted.high, shifted.se) == pytest.approx((-0.4, -0.1, 0.075))


def test_a_scaled_mean_has_the_interval_of_scaled_values() -> None:
    e, scaled = from_mean(3.0, 0.5, 40) * 4, from_mean(12.0, 2.0, 40)
    assert (e.value, e.low, e.high, e.se) == pytest.approx((scaled.value, scaled.low, scaled.high, scaled.se))


@pytest.mark.parametrize("sum_of", [lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, lambda a, b: a / b])
def test_two_estimates_have_no_sum(sum_of: Callable[[Any, Any], Any]) -> None:
    with pytest.raises(TypeError):
        sum_of(Estimate(1.0, 0.0, 2.0, 0.5), Estimate(1.0, 0.0, 2.0, 0.5))
