"""``ginsim plan``: how many hands or games tell two players apart, in a sentence and a small table."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ginsim.commands import check_format, tell
from ginsim.commands.console import print_tables
from ginsim.errors import InputError, shown
from ginsim.report.texts import Texts
from ginsim.study.plan import Plan, percent, plan

if TYPE_CHECKING:
    from ginsim.study.compare import Comparison

ASKED = ("win", "points", "games", "hands")
MEANING = {
    "games": "Better is shown if the 95 % interval of the share of games won leaves out 50 %.",
    "hands": "Better is shown if the 95 % interval of the points per hand leaves out 0.",
}
UNKNOWN = " What playing each deal twice saves is known from a pilot only; without one it counts as nothing."
SURE = 0.9999
LUCK = "Luck: its share of the squared difference from an even result, on average; the rest is the better player's advantage."


def show(
    strategies: list[str], folder: Path | None, pilot: dict[str, Any], form: str, quiet: bool, **asked: Any
) -> None:
    """Print a plan, or after a pilot of which nothing is asked, one by games and one by points.

    Parameters
    ----------
    strategies : list of str
        None, or the two of a pilot.
    folder : path, optional
        A result of compare, the pilot.
    pilot : mapping of str to a value
        How the pilot is played.
    form, quiet
    **asked
        As for `ginsim.plan`.
    """
    check_format(form)
    if strategies and len(strategies) != 2:
        raise InputError(f"strategies: {len(strategies)} given; a pilot needs two")
    given = [name for name, value in pilot.items() if value is not None]
    if given and not strategies:
        raise InputError(f"{given[0]}: it is for a pilot; give two strategies to play one")
    if strategies and folder is not None:
        raise InputError("from: give a folder or two strategies, not both")
    found = _loaded(folder) if folder is not None else _played(strategies, pilot, asked, quiet) if strategies else None
    units: tuple[Any, ...] = (None,)
    if found is not None and all(asked[name] is None for name in ASKED):
        units = ("games", "hands") if found.games_tally["decided"] else ("hands",)
    _deliver([plan(pilot=found, by=unit, **asked) for unit in units], form)


def _loaded(folder: Path) -> Comparison:
    from ginsim.experiment.loading import load_results
    from ginsim.study.compare import Comparison

    found = load_results(folder)
    if not isinstance(found, Comparison):
        raise InputError(f"from: {shown(str(folder))} holds no result of compare; give one that does")
    return found


def _played(strategies: list[str], pilot: dict[str, Any], asked: dict[str, Any], quiet: bool) -> Comparison:
    """Play the pilot, once what is asked is known to make sense."""
    if any(asked[name] is not None for name in ASKED):
        plan(**asked)
    from ginsim.commands.study import progress_bar
    from ginsim.study.compare import compare

    (a, b), given = strategies, {name: value for name, value in pilot.items() if value is not None}
    with progress_bar(quiet) as progress:
        return compare(a, b, **given, progress=progress)


def _deliver(plans: list[Plan], form: str) -> None:
    if form == "json":
        tell(json.dumps([one.summary() | {"table": _by_series(one)} for one in plans], indent=1, ensure_ascii=False))
        return
    for number, one in enumerate(plans):
        if form == "csv":
            rows = _by_series(one)
            tell("\n".join(",".join(map(str, line)) for line in (rows[0], *(row.values() for row in rows))))
            continue
        tell(("\n" if number else "") + one.verdict() + "\n")
        series = [(f"{row.number:,}", percent(row.luck), _nearly(row.leads)) for row in one.series()]
        head = (one.unit, "luck", "the better player leads")
        meaning = MEANING[one.unit] + (UNKNOWN if one.pilot is None else "")
        print_tables([Texts(("", ""), one.rows(), (1,), caption=meaning), Texts(head, series, range(3), caption=LUCK)])


def _nearly(chance: float) -> str:
    """A chance; the better player may always be behind."""
    return percent(chance) if chance < SURE else f"over {percent(SURE)}"


def _by_series(one: Plan) -> list[dict[str, float]]:
    return [{one.unit: row.number, "luck": row.luck, "leads": row.leads} for row in one.series()]
