"""Choices ranked by rollouts: what the advice of all games has in common."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ginsim.answers import Answer
from ginsim.errors import InputError, suggest
from ginsim.inference.estimates import Estimate, extra_variance, from_mean

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Ranking", "check_known", "mean_of_values"]


class Ranking(Answer):
    """Choices, the best first, each with its figures and ``behind``, the difference to the best on the same hidden cards."""

    choices: tuple[Any, ...]
    rollouts: int
    seed: int
    by: str
    """The figure that they are ranked by."""
    TABLE = "table"
    FIGURES: ClassVar[tuple[str, ...]]
    """Names of a choice's estimates, ``behind`` not among them."""

    @property
    def best(self) -> Any:
        """The choice that came out best."""
        return self.choices[0]

    def table(self) -> pd.DataFrame:
        """A row for each choice, the best first: deadwood and the figures with their 95 % intervals.

        ``behind`` is the difference to the best choice in what they are ranked by; choices share the hidden cards, so it is
        known better than the figures themselves.
        """
        import pandas as pd

        rows = []
        for choice in self.choices:
            row: dict[str, Any] = {"choice": str(choice), "deadwood": choice.deadwood}
            for name in (*self.FIGURES, "behind"):
                estimate = getattr(choice, name)
                row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
            rows.append(row)
        return pd.DataFrame(rows).set_index("choice")

    def situation(self) -> str:
        """The moment in one line, with what was worked out or assumed."""
        raise NotImplementedError

    def caveat(self) -> str:
        """What was not said and makes the figures wrong, if anything."""
        return ""

    def verdict(self) -> str:
        """The best choice in a sentence, and whether the next one is clearly worse."""
        best = str(self.best)
        start = f"{best[0].upper()}{best[1:]}"
        if len(self.choices) == 1:
            return f"{start}: there is no other choice."
        second = self.choices[1]
        if not second.behind.decided:
            near = [str(choice) for choice in self.choices[1:] if not choice.behind.decided]
            apart = "; " if any(", " in name for name in near) else ", "
            return f"{start}; but after {self.rollouts:,} rollouts it is not clearly better than: {apart.join(near)}."
        return f"{start}: the next best, {second}, {self._cost(-second.behind)}."

    def _cost(self, loss: Estimate) -> str:
        """What a choice costs, with its interval."""
        return f"costs {loss.value:.2f} points (95 % interval {loss.low:.2f} to {loss.high:.2f})"

    def __str__(self) -> str:
        words = "\n".join(filter(None, (self.verdict(), self.caveat())))
        return f"{words}\n{self.table().to_string(float_format=lambda x: f'{x:.3f}')}"


def check_known(given: Iterable[str], rules: Any, title: str, *functions: Callable[..., Any]) -> None:
    """Refuse arguments that none of ``functions`` takes, such as those of the advice for another game."""
    names = [name for function in functions for name in signature(function).parameters if name not in ("moment", "rules")]
    for name in given:
        if name not in names:
            raise InputError(f"{name}: {rules} is {title}, whose advice has no {name}; {suggest(name, names)}")


def mean_of_values(values: np.ndarray, unit: float) -> Estimate:
    """Mean of independent values with Student's interval, two values a ``unit`` off added (``ginsim.inference.estimates``)."""
    variance = float(values.var(ddof=1)) / len(values) + extra_variance(len(values), unit)
    return from_mean(float(values.mean()), variance**0.5, len(values))
