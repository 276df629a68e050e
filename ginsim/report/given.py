"""Charts by what a reader names them: a solved knock, its folder, a shipped chart, or a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ginsim.errors import InputError, brief, shown, suggest
from ginsim.experiment.loading import load_results
from ginsim.files import expanded
from ginsim.games.gin.players.chartfiles import about_chart, kept_chart, shipped
from ginsim.solving.chart import SUMS, Chart
from ginsim.study.solve import KeptChart, Solution

__all__ = ["UNSURE", "GivenChart", "given_charts"]

UNSURE = "The file keeps only choices, so cells that hardly ever come up, above all on late turns, look as sure as others."
"""What is said of a chart that was not judged."""


@dataclass(frozen=True)
class GivenChart:
    """A chart without the study that it was solved in.

    Attributes
    ----------
    name : str
        As it was given.
    chart : Chart
    about : mapping of str to str
        What its file says of it (`ginsim.games.gin.players.chartfiles.ABOUT`).
    """

    name: str
    chart: Chart
    about: Mapping[str, str]

    @property
    def made(self) -> str:
        """How it was made, in a sentence; empty if its file does not say."""
        if not {"rules", "strategy"} <= set(self.about):
            return ""
        under = f"Under {self.about['rules']}, with the draws and discards of {self.about['strategy']}"
        by, deals = self.about.get("by", ""), self.about.get("deals", "")
        solved = f"{f' for {by}' if by else ''}{f' on {int(deals):,} deals' if deals.isdecimal() else ''}"
        return f"{under}{f', solved{solved}' if solved else ''}."

    @property
    def title(self) -> str:
        """Its name, and what it is of."""
        return ": ".join(filter(None, (self.name, self.about.get("title", ""))))

    def __str__(self) -> str:
        return "\n".join(filter(None, (self.title, self.made, str(self.chart), "" if self.chart.sums else UNSURE)))


def given_charts(named: Sequence[Solution | str | Path]) -> list[Solution | GivenChart]:
    """The charts that are named so: folders of solved knocks, names of shipped charts, files of charts.

    Raises
    ------
    InputError
        If there is none, one is given twice, is none of these, or never knocks.
    """
    if not named:
        raise InputError("results: none are given; give folders of solved knocks, names of shipped charts or files of charts")
    given = [str(Path(one).resolve()) if isinstance(one, str | Path) else one for one in named]
    if again := next((one for k, one in enumerate(given) if isinstance(one, str) and one in given[:k]), None):
        raise InputError(f"results: {shown(again)} is given twice")
    return [_given(one) for one in named]


def _given(named: Any) -> Solution | GivenChart:
    """One of them; a folder goes before a shipped chart of the same name."""
    if not isinstance(named, str | Path):
        return _solved(named, named)
    name = str(named)
    if Path(expanded(name)).is_dir():
        return _solved(load_results(expanded(name)), name)
    if not name.endswith(".json") and ("/" in name or "\\" in name):
        raise InputError(f"results: there is no folder {brief(name, 200)}")
    if not name.endswith(".json") and name not in shipped():
        raise InputError(
            f"results: {shown(name)} is neither the folder of a solved knock, nor a chart file (.json), nor a shipped chart; "
            f"{suggest(name, shipped())}"
        )
    kept, where, _ = kept_chart(name)
    chart = _read(kept, where)
    if not chart.knock.any():
        raise InputError(f"chart {where} never knocks: there is nothing to show")
    return GivenChart(name, chart, about_chart(kept))


def _solved(result: Any, named: Any) -> Solution:
    if not isinstance(result, Solution):
        raise InputError(f"results: {shown(str(named))} is not a solved knock; give what `solve` has returned, or its folder")
    return result


def _read(kept: Any, where: str) -> Chart:
    """The chart of a file; of the sums of a solved knock the one at 0 to 0, and with what it was judged on if that is there."""
    facts = kept.get("chart", kept) if isinstance(kept, Mapping) else kept
    if isinstance(facts, Mapping) and set(SUMS) <= set(facts) and "scores" not in facts:
        try:
            facts = KeptChart.model_validate({name: facts.get(name) for name in KeptChart.model_fields}).model_dump()
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise InputError(f"chart {where} is not a chart: {place}: {first['msg']}") from None
    elif isinstance(facts, Mapping):
        facts = {name: facts[name] for name in ("known", "cell", "knock", "scores") if name in facts}
    try:
        return Chart.of_facts(facts)
    except InputError as error:
        raise InputError(str(error).replace("of the file", where, 1)) from None
