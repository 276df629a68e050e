"""Where what a rule changes depends on who plays: each strategy against itself, under the base and under each variant."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ginsim.inference.corrections import ALPHA, holm, p_value
from ginsim.inference.estimates import Estimate, mean_of_estimates
from ginsim.inference.measures import Measure

__all__ = ["Changes", "Gap", "gaps", "told_gaps"]


class Changes(Protocol):
    """What is asked of an effect of rules."""

    @property
    def base(self) -> str: ...

    @property
    def variants(self) -> Sequence[str]: ...

    @property
    def strategies(self) -> Sequence[str]: ...

    def measured(self, measure: str) -> Measure: ...

    def value(self, rule: int, measure: str, strategy: int | None = None) -> Estimate: ...

    def difference(self, rule: int, measure: str, strategy: int | None = None) -> Estimate: ...


@dataclass(frozen=True)
class Gap:
    """Two strategies between whose hands a measure, or its change under a variant, clearly differs.

    Attributes
    ----------
    rule : int
        Number of the rules; 0 is the base, of which the figures themselves are told.
    measure : str
    players : tuple of int
        Numbers of the strategies, each of which plays itself.
    figures : tuple of Estimate
        Of each of them: the change from the base, or under the base the value.
    difference : Estimate
        Of the first figure less the second.
    """

    rule: int
    measure: str
    players: tuple[int, int]
    figures: tuple[Estimate, Estimate]
    difference: Estimate

    @property
    def turned(self) -> bool:
        """Whether the variant clearly changes the measure one way for one and the other way for the other."""
        one, other = self.figures
        return self.rule > 0 and one.decided and other.decided and (one.value > 0) != (other.value > 0)


def gaps(effect: Changes, measure: str) -> list[Gap]:
    """Where a measure under the base, or its change under a variant, depends on who plays: at most one pair a rule.

    Clear is what is so for all rules and pairs of strategies together (Holm's correction). Each strategy played deals of its own,
    so the difference of two has the interval of independent figures. Of several pairs the one that lies furthest apart is
    told. The base comes first if it is among them, then the rules by how far the strategies lie apart.

    Parameters
    ----------
    effect : Changes
        An `Effect`.
    measure : str
        Of ``effect.measures``.
    """
    found = []
    for rule in range(1 + len(effect.variants)):
        of = effect.difference if rule else effect.value
        figures = [of(rule, measure, k) for k in range(len(effect.strategies))]
        for i, j in itertools.combinations(range(len(figures)), 2):
            found.append(Gap(rule, measure, (i, j), (figures[i], figures[j]), 2 * mean_of_estimates([figures[i], -figures[j]])))
    shown = holm([p_value(gap.difference) for gap in found])
    clear = [gap for gap, p in zip(found, shown, strict=True) if p <= ALPHA]
    widest: dict[int, Gap] = {}
    for gap in sorted(clear, key=lambda gap: -abs(gap.difference)):
        widest.setdefault(gap.rule, gap)
    return sorted(widest.values(), key=lambda gap: gap.rule > 0)


def told_gaps(effect: Changes, measure: str) -> str:
    """Whether a measure and its changes depend on who plays, in a sentence or two; empty if one strategy played."""
    if len(effect.strategies) < 2:
        return ""
    of, found = effect.measured(measure), gaps(effect, measure)
    if not found:
        return "None of this is found to depend on who plays."
    text = []
    if not found[0].rule:
        text.append(f"Who plays matters for the {of.label} under {effect.base}: {_between(effect, found[0], of.text)}.")
    changes = [gap for gap in found if gap.rule]
    if changes:
        count, most = _counted(len(changes), len(effect.variants)), changes[0]
        where = f"most under {effect.variants[most.rule - 1]}: {_between(effect, most, of.difference_text)}"
        text.append(f"What a variant changes in the {of.label} depends on who plays for {count}, {where}.")
    turned = [effect.variants[gap.rule - 1] for gap in changes if gap.turned]
    if turned:
        more = f" and {len(turned) - 1} other{'s' * (len(turned) > 2)}" if len(turned) > 1 else ""
        text.append(f"Under {turned[0]}{more} it rises for one and falls for another.")
    return " ".join(text)


def _between(effect: Changes, gap: Gap, text: Callable[[Estimate], str]) -> str:
    """The figures of both strategies."""
    told = (f"{text(e)} where all play {effect.strategies[k]}" for k, e in zip(gap.players, gap.figures, strict=True))
    return ", ".join(told)


def _counted(count: int, of: int) -> str:
    """How many of the variants."""
    return "the one variant" if of == 1 else f"all {of} variants" if count == of else f"{count} of the {of} variants"
