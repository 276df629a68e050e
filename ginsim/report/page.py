"""The report of a study as Markdown: question, answer, tables, pictures, how it was played, how to play it again.

It holds nothing of the machine or the moment, so the same study gives the same page.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ginsim import __version__
from ginsim.report.plots import CHANGES, GAMES_SHOWN, SHOWN, UNITS, value_labels, variant_labels
from ginsim.rules import Rules
from ginsim.specs import format_value

if TYPE_CHECKING:
    from ginsim.study.compare import Comparison
    from ginsim.study.effect import Effect
    from ginsim.study.rulemap import RuleMap
    from ginsim.study.tournament import Tournament

__all__ = [
    "Notes", "change_text", "changes_of", "comparison_page", "effect_page", "level_text", "map_page", "markdown_table",
    "tournament_page",
]  # fmt: skip


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


def effect_page(effect: Effect, notes: Notes) -> str:
    """The report of what rules change."""
    several = len(effect.strategies) > 1
    pairings = len(effect.tallies)
    played = f"{effect.deals:,} duplicate pairs of hands" + (
        f" and {effect.games:,} duplicate pairs of games" if effect.games else ""
    )
    return _page(
        notes.title or f"What {len(effect.variants)} variants change against {effect.base}",
        notes.question,
        f"**Answer.** {effect.verdict()}",
        "## What each variant changes",
        f"The first row is `{effect.base}` itself; below it the differences from it, with the half-width of their 95 % "
        "intervals (pp: in percentage points).",
        _changes_table(effect, SHOWN),
        "![Differences with 95 % intervals, sorted by points per hand](differences.png)",
        *(_games_section(effect) if effect.games else ()),
        *(_best_section(effect) if several else ()),
        "## What starting is worth",
        "Share of the decided hands that the starter wins, with 95 % intervals.",
        markdown_table(("rules", "starter's share"), _starter_rows(effect), numbers=(1,)),
        "![Starter's share under each variant](starter_share.png)",
        "## How it was played",
        f"Strategies: {', '.join(f'`{name}`' for name in effect.strategies)}; "
        f"{'each pairing of them, mirrors included' if several else 'against itself'}. Each of the {pairings} "
        f"pairing{'s' if pairings > 1 else ''} played {played} under each of the {1 + len(effect.variants)} rules, seed "
        f"{effect.seed}; {effect.hand_count:,} hands in all.",
        _PAIRED_METHOD,
        _rules_section(effect.base),
        "## Variants",
        f"What they change in `{effect.base}`.",
        markdown_table(("variant", "changes"), [(f"`{name}`", _written_changes(effect.base, name)) for name in effect.variants]),
        _again(notes),
    )


def _changes_table(effect: Effect, measures: Sequence[str]) -> str:
    """The base's figures, and what each variant changes in them, sorted by the first."""
    order = sorted(range(1, 1 + len(effect.variants)), key=lambda rule: -effect.difference(rule, measures[0]).value)
    names = variant_labels(effect.base, effect.variants)
    changes = [(f"`{names[rule - 1]}`", *(change_text(effect, rule, name, 3) for name in measures)) for rule in order]
    levels = (f"`{effect.base}`", *(level_text(effect, 0, name) for name in measures))
    heads = [f"{CHANGES[name].label}{', pp' if CHANGES[name].sign else ''}" for name in measures]
    return markdown_table(("rules", *heads), [levels, *changes], numbers=range(1, 1 + len(heads)))


def _games_section(effect: Effect) -> Iterable[str]:
    return (
        "## What each variant changes in games",
        f"The first row is `{effect.base}` itself; below it the differences from it. Points are those that the winner is ahead "
        "by when the game is settled.",
        _changes_table(effect, GAMES_SHOWN),
        "![Differences in games with 95 % intervals](games.png)",
    )


def change_text(effect: Effect, rule: int, measure: str, decimals: int = 2) -> str:
    """A difference with the half-width of its interval; shares in percentage points."""
    e, change = effect.difference(rule, measure), CHANGES[measure]
    if not math.isfinite(e.value):
        return "–"
    value, half = change.scale * e.value, change.scale * (e.high - e.value)
    return f"{value:+.{decimals}f} ± {half:.{decimals}f}"


def level_text(effect: Effect, rule: int, measure: str) -> str:
    """A measure under rule number ``rule``."""
    change, level = CHANGES[measure], effect.level(rule, measure)
    return f"{change.scale * level:.2f}{change.sign}" if math.isfinite(level) else "–"


def changes_of(base: str, variant: str) -> dict[str, Any]:
    """The fields in which a variant differs from its base, with the variant's values."""
    fields, own = Rules.parse(base).model_dump(), Rules.parse(variant).model_dump()
    return {name: value for name, value in own.items() if value != fields[name]}


def _written_changes(base: str, variant: str) -> str:
    return ", ".join(f"`{name}={format_value(value)}`" for name, value in changes_of(base, variant).items())


def _best_section(effect: Effect) -> Iterable[str]:
    names = [effect.base, *variant_labels(effect.base, effect.variants)]
    table: list[Any] = list(effect.best().itertuples())
    rows = [
        (f"`{name}`", row.best, _points(row.points_per_hand, row.low, row.high), row.second,
         f"{row.second_points_per_hand:+.3f}", "yes" if row.clear else "no")
        for name, row in zip(names, table, strict=True)
    ]  # fmt: skip
    return (
        "## Which strategy is best",
        "Points per hand against the other strategies, with 95 % intervals; a lead is clear if the intervals of the first "
        "two do not touch.",
        markdown_table(("rules", "best", "points per hand", "second", "points per hand", "clear"), rows, numbers=(2, 4)),
        "![Points per hand of each strategy under each variant](best.png)",
    )


def _starter_rows(effect: Effect) -> list[tuple[str, str]]:
    names = [effect.base, *variant_labels(effect.base, effect.variants)]
    shares = [effect.starter_share(rule) for rule in range(len(names))]
    return [(f"`{name}`", _share(e.value, e.low, e.high)) for name, e in zip(names, shares, strict=True)]


def map_page(rule_map: RuleMap, notes: Notes) -> str:
    """The report of a map of best strategies."""
    (x, across), (y, down) = rule_map.x, rule_map.y
    labels, common = value_labels(rule_map.strategies)
    best, clear = rule_map.best_index(), rule_map.table()["clear"].to_numpy().reshape(rule_map.points.shape[:2])
    rows = [
        (f"**{value}**", *(labels[i] + ("" if sure else " ?") for i, sure in zip(best[r], clear[r], strict=True)))
        for r, value in reversed(list(enumerate(down)))
    ]
    pairings, cells = rule_map.points.shape[2], len(across) * len(down)
    return _page(
        notes.title or f"The best strategy over {x} and {y}",
        notes.question,
        f"**Answer.** {rule_map.verdict()}",
        "## The map",
        f"The best strategy{f' ({common})' if common else ''}; `{x}` ({UNITS.get(x, 'points')}) across, `{y}` "
        f"({UNITS.get(y, 'points')}) down. A question mark: the lead over the second is within the 95 % intervals. "
        "`map.csv` has the figures.",
        markdown_table((f"{y} \\ {x}", *map(str, across)), rows, numbers=range(1, 1 + len(across))),
        f"![Map of the best strategy over {x} and {y}](map.png)",
        "## How it was played",
        f"Strategies: {', '.join(f'`{name}`' for name in rule_map.strategies)}. In each of the {cells} cells a round robin: "
        f"each of the {pairings} pairing{'s' if pairings > 1 else ''} played {rule_map.deals:,} duplicate pairs of hands, seed "
        f"{rule_map.seed}; {rule_map.hand_count:,} hands in all. A pairing has the same decks in all cells, so neighbours differ "
        "by the rules alone.",
        "In a duplicate pair the same deck is played twice with the seats exchanged; the pair is the sampling unit. A "
        "strategy's mean against the others has a normal interval: pairings are independent, their errors add in squares. "
        "All intervals are 95 % intervals, one by one: among twenty, one is expected to miss.",
        _rules_section(rule_map.base, f"but for `{x}` and `{y}`"),
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


_PAIRED_METHOD = """\
In a duplicate pair the same deck is played twice with the seats exchanged; the pair is the sampling unit, since its two
plays share their luck. Base and variants play the same decks, and the intervals are those of the paired differences:
Student's for means over pairs, and for the starter's share, a ratio, its linearised standard error (Cochran, *Sampling
Techniques*, 1977, section 6.10). Figures are plain means over the pairings of strategies, which have decks of their own, so
their errors add in squares. All intervals are 95 % intervals, one by one: among twenty, one is expected to miss."""


def _rules_section(spec: str, but: str = "") -> str:
    rules = Rules.parse(spec)
    rows = [(f"`{name}`", format_value(getattr(rules, name)), field.description) for name, field in Rules.model_fields.items()]
    return f"## Rules\n\n`{spec}` in full{f', {but}' if but else ''}:\n\n{markdown_table(('rule', 'value', 'meaning'), rows)}"


def _again(notes: Notes) -> str:
    experiment = f"\n\nThe experiment file:\n\n```toml\n{notes.experiment.strip()}\n```" if notes.experiment.strip() else ""
    return (
        f"## How to reproduce\n\n```sh\n{notes.command}\n```\n\nWith ginsim {__version__} this gives the same figures to the "
        "last digit, on any number of cores. The sums behind them are in `tallies.json`; "
        f'`ginsim.load_results("this folder")` rebuilds every table and plot without playing.{experiment}'
    )


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", *(part.strip() for part in parts if part.strip())]) + "\n"
