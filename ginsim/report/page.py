"""The report of a study as Markdown: question, answer, tables, pictures, how it was played, how to play it again.

It holds nothing of the machine or the moment, so the same study gives the same page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ginsim import __version__
from ginsim.rules import Rules
from ginsim.specs import format_value

if TYPE_CHECKING:
    from ginsim.study.compare import Comparison
    from ginsim.study.tournament import Tournament

__all__ = ["Notes", "comparison_page", "markdown_table", "tournament_page"]


class Notes(NamedTuple):
    """What a result does not know of itself: headings, the experiment file's text, how the study was started."""

    title: str = ""
    question: str = ""
    command: str = ""
    experiment: str = ""
    study: str = ""


def tournament_page(tournament: Tournament, notes: Notes) -> str:
    """The report of a round robin."""
    some = next(iter(tournament.pairings.values()))
    table = tournament.ranking()
    forms = {name: form for name, form in _FORMS.items() if name in table}
    rows = [
        (rank, row["strategy"], *(form(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name, form in forms.items()))
        for rank, row in table.iterrows()
    ]
    names = [name.replace("_", " ") for name in forms]
    return _page(
        notes.title or f"Round robin of {len(tournament.strategies)} strategies",
        notes.question,
        f"**Answer.** {tournament.verdict()}",
        "## Ranking",
        "Means against all other strategies, with 95 % intervals.",
        markdown_table(("rank", "strategy", *names), rows, numbers=(0, *range(2, 2 + len(names)))),
        "![Ranking by points per hand, with 95 % intervals](ranking.png)",
        "## Pairings",
        "Points per hand of each row's strategy against each column's.",
        "![Heat map of points per hand](heatmap.png)",
        "## How it was played",
        f"A round robin under `{tournament.rules}`, seed {tournament.seed}: each of the {len(tournament.pairings)} pairings "
        f"played {_counts(some)}, on decks that no other pairing had; {tournament.hand_count:,} hands in all.",
        _METHOD,
        "A strategy's mean against the field has a normal interval: pairings are independent, their errors add in squares.",
        _rules_section(tournament.rules),
        _again(notes),
    )


def comparison_page(comparison: Comparison, notes: Notes) -> str:
    """The report of one strategy against another."""
    figures: list[Any] = list(comparison.summary().itertuples())
    summary = [(row.Index, _form(row.Index)(row.estimate, row.low, row.high)) for row in figures]
    hands: list[Any] = list(comparison.endings().itertuples())
    endings = [
        (row.ending.replace("_", " "), row.winner, f"{row.hands:,}", f"{100 * row.share:.2f} %", f"{row.points:.2f}")
        for row in hands
    ]
    played = f"Under `{comparison.rules}`, seed {comparison.seed}: {_counts(comparison)}; {comparison.hand_count:,} hands in all."
    saved = comparison.variance_saved
    if not math.isnan(saved):
        played += f" Playing each deal from both seats saves {saved:.0%} of the variance of points per hand."
    return _page(
        notes.title or f"{comparison.a} against {comparison.b}",
        notes.question,
        f"**Answer.** {comparison.verdict()}",
        "## Figures",
        f"From the side of `{comparison.a}` against `{comparison.b}`, with 95 % intervals.",
        markdown_table(("measure", "estimate"), summary, numbers=(1,)),
        "## How the hands ended",
        markdown_table(("ending", "winner", "hands", "share", "mean points"), endings, numbers=(2, 3, 4)),
        "![Endings by winner in per cent of all hands](endings.png)",
        "## How it was played",
        played,
        _METHOD,
        _rules_section(comparison.rules),
        _again(notes),
    )


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers: Iterable[int] = ()) -> str:
    r"""Write a Markdown table; the columns ``numbers`` are set flush right.

    Examples
    --------
    >>> print(markdown_table(("name", "points"), [("simple", 1), ("a|b", 20)], numbers=(1,)))
    | name | points |
    | :--- | ---: |
    | simple | 1 |
    | a\|b | 20 |
    """
    right = set(numbers)
    marks = ["---:" if column in right else ":---" for column in range(len(head))]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in row)} |" for row in (head, marks, *rows))


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _points(value: float, low: float, high: float) -> str:
    return f"{value:+.3f} ({low:+.3f} to {high:+.3f})"


def _plain(value: float, low: float, high: float) -> str:
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def _share(value: float, low: float, high: float) -> str:
    return f"{100 * value:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


_FORMS = {"points_per_hand": _points, "hands_won": _share, "games_won": _share, "margin_per_game": _points}


def _form(name: str) -> Callable[[float, float, float], str]:
    """How a figure of a comparison's summary is written."""
    return _FORMS.get(name.replace(" ", "_"), _share if "share" in name else _plain)


def _counts(comparison: Comparison) -> str:
    games = comparison.games_tally["pairs"]
    return f"{comparison.deals:,} duplicate pairs of hands" + (f" and {games:,} duplicate pairs of games" if games else "")


_METHOD = """\
In a duplicate pair the same deck is played twice with the seats exchanged; the pair is the sampling unit, since its two
plays share their luck. Points have Student's interval for the mean over pairs. Shares (hands and games won) have Wilson's
interval with the effective number of trials given by the standard error of a ratio over pairs (Cochran, *Sampling
Techniques*, 1977, section 11.7). All intervals are 95 % intervals, one by one: among twenty, one is expected to miss."""


def _rules_section(spec: str) -> str:
    rules = Rules.parse(spec)
    rows = [(f"`{name}`", format_value(getattr(rules, name)), field.description) for name, field in Rules.model_fields.items()]
    return f"## Rules\n\n`{spec}` in full:\n\n{markdown_table(('rule', 'value', 'meaning'), rows)}"


def _again(notes: Notes) -> str:
    experiment = f"\n\nThe experiment file:\n\n```toml\n{notes.experiment.strip()}\n```" if notes.experiment.strip() else ""
    return (
        f"## How to reproduce\n\n```sh\n{notes.command}\n```\n\nWith ginsim {__version__} this gives the same figures to the "
        "last digit, on any number of cores. The sums behind them are in `tallies.json`; "
        f'`ginsim.load_results("this folder")` rebuilds every table and plot without playing.{experiment}'
    )


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *(part.strip() for part in parts if part.strip())]) + "\n"
