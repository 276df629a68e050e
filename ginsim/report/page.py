"""The report of a study as Markdown: question, answer, tables, pictures, how it was played, how to play it again.

It holds nothing of the machine or the moment, so the same study gives the same page.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ginsim import __version__
from ginsim.errors import InputError
from ginsim.games.gin.players.families import FAMILIES, describe
from ginsim.games.table.players.families import FAMILIES as TABLE_FAMILIES
from ginsim.games.table.players.families import describe as describe_player
from ginsim.games.table.rules import any_rules, is_table
from ginsim.inference.estimates import interval_text
from ginsim.report.markup import fenced, plain_text, without_links
from ginsim.report.plots import CHANGES, GAMES_SHOWN, SHOWN, UNITS, value_labels, variant_labels
from ginsim.specs import format_value, own_file, parse_spec

if TYPE_CHECKING:
    from ginsim.study.compare import Comparison
    from ginsim.study.effect import Effect
    from ginsim.study.rulemap import RuleMap
    from ginsim.study.tournament import Tournament

__all__ = [
    "PAIR", "TWENTY", "Notes", "change_text", "changes_of", "comparison_page", "effect_page", "level_text", "map_page",
    "markdown_table", "points_text", "rules_section", "seeds_text", "share_text", "tournament_page", "whole_page",
]  # fmt: skip


class Notes(NamedTuple):
    """What a result does not know of itself: headings, how the study was started, what lies beside the report."""

    title: str = ""
    question: str = ""
    command: str = ""
    experiment: str = ""
    """Text of the experiment file."""
    changed: str = ""
    """What was given beside the file."""
    study: str = ""
    shares: tuple[dict[str, Any], ...] = ()
    """Which seeds and parts of the deals are covered: seed, part, deals and games of the whole."""
    files: tuple[tuple[str, str], ...] = ()
    """Files of the users' own strategies, each with its SHA-256 (empty if it is not there)."""
    kept: tuple[str, ...] = ()
    """Folders of kept records: hands, games."""
    asked: str = ""
    """What the study was made to tell, in Markdown: the verdict of its claim, or the figure that was asked for."""


def tournament_page(tournament: Tournament, notes: Notes, sections: Sequence[str] = ()) -> str:
    """The report of a round robin; ``sections`` (``ginsim.report.sections``) come before how it was played."""
    some = next(iter(tournament.pairings.values()))
    table = tournament.ranking()
    forms = {name: form for name, form in _FORMS.items() if name in table}
    rows = [
        (rank, row["strategy"], *(form(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name, form in forms.items()))
        for rank, row in table.iterrows()
    ]
    names = [name.replace("_", " ") for name in forms]
    return whole_page(
        notes.title or f"Round robin of {len(tournament.strategies)} strategies",
        notes.question,
        f"**Answer.** {tournament.verdict()}",
        _fewer_but_dearer(tournament),
        "## Ranking",
        "Means against all other strategies, with 95 % intervals.",
        markdown_table(("rank", "strategy", *names), rows, numbers=(0, *range(2, 2 + len(names)))),
        "![Ranking by points per hand, with 95 % intervals](ranking.png)",
        "## Pairings",
        "Points per hand of each row's strategy against each column's.",
        "![Heat map of points per hand](heatmap.png)",
        *sections,
        "## How it was played",
        f"A round robin under `{tournament.rules}`, {seeds_text(tournament.seed)}: {_each_pairing(len(tournament.pairings))} "
        f"played {_counts(some)}{', on decks of its own' if len(tournament.pairings) > 1 else ''}; "
        f"{tournament.hand_count:,} hands in all.",
        tournament.remark,
        _seating(tournament.rules),
        _FIELD_METHOD,
        strategies=tournament.strategies,
        rules=rules_section(tournament.rules),
        notes=notes,
        table=is_table(tournament.rules),
    )


def _fewer_but_dearer(tournament: Tournament) -> str:
    """Why the first of the ranking leads although it wins fewer than half of the decided hands; empty if it does not."""
    first = tournament.ranking().iloc[0]
    name = str(first["strategy"])
    sums = {True: [0, 0.0], False: [0, 0.0]}  # won or lost: hands, points
    for pairing in tournament.pairings.values():
        if name in (pairing.a, pairing.b):
            rows: list[Any] = list(pairing.endings().itertuples())
            for row in rows:
                if row.winner in (pairing.a, pairing.b):
                    own = sums[row.winner == name]
                    own[0] += row.hands
                    own[1] += row.hands * row.points
    won, lost = (points / max(hands, 1) for hands, points in sums.values())
    if not first["hands_won"] < 0.5 or won <= lost:
        return ""
    return (
        f"`{name}` leads although it wins fewer hands than its opponents ({100 * first['hands_won']:.1f} % of the decided "
        f"ones): a hand that it wins brings {won:.1f} points on average, one that it loses costs {lost:.1f}."
    )


def comparison_page(comparison: Comparison, notes: Notes, sections: Sequence[str] = ()) -> str:
    """The report of one strategy against another; ``sections`` come before how it was played."""
    figures: list[Any] = list(comparison.summary().itertuples())
    summary = [(row.Index, _form(row.Index)(row.estimate, row.low, row.high)) for row in figures]
    hands: list[Any] = list(comparison.endings().itertuples())
    endings = [
        (
            row.ending.replace("_", " "),
            row.winner,
            f"{row.hands:,}",
            share_text(row.share, row.low, row.high),
            f"{row.points:.2f}",
        )
        for row in hands
    ]
    played = f"Under `{comparison.rules}`, {seeds_text(comparison.seed)}: {_counts(comparison)}; "
    played += f"{comparison.hand_count:,} hands in all."
    saved = comparison.variance_saved
    if not math.isnan(saved):
        played += f" Playing each deal from both seats saves {100 * saved:.1f} % of the variance of points per hand."
    return whole_page(
        notes.title or f"{comparison.a} against {comparison.b}",
        notes.question,
        f"**Answer.** {comparison.verdict()}",
        "## Figures",
        f"From the side of `{comparison.a}` against `{comparison.b}`, with 95 % intervals.",
        markdown_table(("measure", "estimate"), summary, numbers=(1,)),
        "## How the hands ended",
        "Shares of all hands with their 95 % intervals; points are the winner's.",
        markdown_table(("ending", "winner", "hands", "share", "mean points"), endings, numbers=(2, 3, 4)),
        "![Endings by winner in per cent of all hands](endings.png)",
        *sections,
        "## How it was played",
        played,
        comparison.remark,
        _seating(comparison.rules),
        _METHOD,
        strategies=(comparison.a, comparison.b),
        rules=rules_section(comparison.rules),
        notes=notes,
        table=is_table(comparison.rules),
    )


def effect_page(effect: Effect, notes: Notes) -> str:
    """The report of what rules change."""
    several = len(effect.strategies) > 1
    pairings = len(effect.tallies)
    each = _each_pairing(pairings)
    played = f"{effect.deals:,} duplicate pairs of hands" + (
        f" and {effect.games:,} duplicate pairs of games" if effect.games else ""
    )
    return whole_page(
        notes.title or f"What {len(effect.variants)} variants change against {effect.base}",
        notes.question,
        f"**Answer.** {effect.verdict()}",
        "## What each variant changes",
        f"The first row is `{effect.base}` itself; below it the differences from it, with the half-width of their 95 % "
        "intervals (pp: in percentage points).",
        _changes_table(effect, SHOWN),
        "![Differences with 95 % intervals, sorted by points scored per hand](differences.png)",
        *(_games_section(effect) if effect.games else ()),
        *(_best_section(effect) if several else ()),
        "## What starting is worth",
        "Share of the decided hands that the starter wins, with 95 % intervals.",
        markdown_table(("rules", "starter's share"), _starter_rows(effect), numbers=(1,)),
        "![Starter's share under each variant](starter_share.png)",
        "## How it was played",
        f"Strategies: {', '.join(f'`{name}`' for name in effect.strategies)}; "
        f"{'each pairing of them, each against itself too' if several else 'against itself'}. {each[:1].upper()}{each[1:]} "
        f"played {played} under each of the {1 + len(effect.variants)} rules, {seeds_text(effect.seed)}; "
        f"{effect.hand_count:,} hands in all.",
        _PAIRED_METHOD + (" Figures are plain means over the pairings of strategies." if several else ""),
        "The strategies are the same under every rule. They see the rules in force, but their parameters do not change with "
        "them: where a rule only pays differently (a bonus, say) and they do not look at it, they play the very same hands, "
        "and the change is what those hands are worth then. A person would adapt.",
        strategies=effect.strategies,
        rules=f"{rules_section(effect.base)}\n\n{_variants_section(effect)}",
        notes=notes,
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
    return f"{value:+.{decimals}f} ± {half:.{decimals}f}" if math.isfinite(half) else f"{value:+.{decimals}f} (unknown)"


def level_text(effect: Effect, rule: int, measure: str) -> str:
    """A measure under rule number ``rule``."""
    change, level = CHANGES[measure], effect.level(rule, measure)
    return f"{change.scale * level:.2f}{change.sign}" if math.isfinite(level) else "–"


def changes_of(base: str, variant: str) -> dict[str, Any]:
    """The fields in which a variant differs from its base, with the variant's values."""
    fields, own = any_rules(base).model_dump(), any_rules(variant).model_dump()
    return {name: value for name, value in own.items() if value != fields[name]}


def _written_changes(base: str, variant: str) -> str:
    return ", ".join(f"`{name}={_rule_value(value)}`" for name, value in changes_of(base, variant).items())


def _variants_section(effect: Effect) -> str:
    rows = [(f"`{name}`", _written_changes(effect.base, name)) for name in effect.variants]
    return f"## Variants\n\nWhat they change in `{effect.base}`.\n\n{markdown_table(('variant', 'changes'), rows)}"


def _best_section(effect: Effect) -> Iterable[str]:
    names = [effect.base, *variant_labels(effect.base, effect.variants)]
    table: list[Any] = list(effect.best().itertuples())
    rows = [
        (f"`{name}`", row.best, points_text(row.points_per_hand, row.low, row.high), row.second,
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
    return [(f"`{name}`", share_text(e.value, e.low, e.high, 2)) for name, e in zip(names, shares, strict=True)]


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
    return whole_page(
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
        f"{_each_pairing(pairings)} played {rule_map.deals:,} duplicate pairs of hands, {seeds_text(rule_map.seed)}; "
        f"{rule_map.hand_count:,} hands in all. A pairing has the same decks in all cells, so neighbours differ by the rules "
        "alone. The best strategy has the most points per hand against the others.",
        _MAP_METHOD,
        strategies=rule_map.strategies,
        rules=rules_section(rule_map.base, f"but for `{x}` and `{y}`"),
        notes=notes,
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


def points_text(value: float, low: float, high: float) -> str:
    """A difference in points with its interval."""
    return f"{value:+.3f} ({interval_text(low, high, '+.3f')})"


def _plain(value: float, low: float, high: float) -> str:
    return f"{value:.3f} ({interval_text(low, high)})"


def share_text(value: float, low: float, high: float, decimals: int = 1) -> str:
    """A share in per cent with its interval."""
    if not math.isfinite(value):
        return "–"
    return f"{100 * value:.{decimals}f} % ({100 * low:.{decimals}f} to {100 * high:.{decimals}f})"


_FORMS = {"points_per_hand": points_text, "hands_won": share_text, "games_won": share_text, "margin_per_game": points_text}


def _form(name: str) -> Callable[[float, float, float], str]:
    """How a figure of a comparison's summary is written."""
    return _FORMS.get(name.replace(" ", "_"), share_text if "share" in name else _plain)


def _counts(comparison: Comparison) -> str:
    games = comparison.games_tally["pairs"]
    return f"{comparison.deals:,} duplicate pairs of hands" + (f" and {games:,} duplicate pairs of games" if games else "")


def seeds_text(seed: int | tuple[int, ...]) -> str:
    """The seed, or the seeds of what was merged."""
    return f"seed {seed}" if isinstance(seed, int) else f"seeds {', '.join(map(str, seed))}"


def _seating(rules: str) -> str:
    """How two strategies sit at a table; empty for two-player gin."""
    if not is_table(rules):
        return ""
    return "At a table the two strategies sit alternately; in the second play of a deal the sides change on every seat."


def _each_pairing(pairings: int) -> str:
    return f"each of the {pairings} pairings" if pairings > 1 else "the one pairing"


PAIR = """\
In a duplicate pair the same deck is played twice with the seats exchanged, so that its luck falls to both sides; the pair
counts as one trial."""
TWENTY = "Each interval holds by itself: among twenty, one is expected to miss."
_METHOD = f"{PAIR} Intervals are Student's for points and Wilson's for shares. {TWENTY}"
_FIELD_METHOD = f"""\
{PAIR} Intervals are Student's for points and Wilson's for shares; those of means against the field follow from these, for
pairings are played on different deals. {TWENTY}"""
_MAP_METHOD = f"{PAIR} Intervals are Student's. {TWENTY}"
_PAIRED_METHOD = f"""\
{PAIR} Base and variants play the same decks, and the intervals are Student's, of the paired differences (for the starter's
share, a ratio, linearised). {TWENTY}"""


# --- what makes the page stand alone -----------------------------------------------------------------------------------

_TERMS = (
    ("points per hand", r"points per hand", "a strategy's points less its opponent's, per hand dealt, hands without a winner "
     "included; gin and undercut bonuses count, boxes and game bonus do not"),
    ("points scored per hand", r"points scored per hand", "points that go to the winner of a hand, whoever it is, per hand "
     "dealt; boxes and game bonus do not count"),
    ("decided hand", r"decided", "a hand with a winner"),
    ("hands won", r"hands won(?! by)", "share of the decided hands, those with a winner, that the strategy won"),
    ("games won", r"games won", "share of the finished games that the strategy won"),
    ("margin per game", r"margin per game", "what a strategy is ahead by when a game is settled, game bonus, boxes (a bonus for "
     "each hand won) and shutout (the loser won no hand) included; negative if it is behind"),
    ("points a game is won by", r"points a game is won by", "what the winner is ahead by when a game is settled, game bonus, "
     "boxes (a bonus for each hand won) and shutout (the loser won no hand) included"),
    ("starter's share", r"starter's share", "share of the decided hands that the player who acts first won, whoever it was"),
    ("turns per hand", r"turns per hand", "turns of both players together"),
    ("field", r"the field", "all the other strategies"),
    ("knock", r"\| knock \|", "a hand won by knocking before gin, the defender keeping more deadwood"),
    ("undercut", r"undercut(?!_)", "a hand that the defender wins, having no more deadwood than the knocker (at equal deadwood "
     "the rule `tie` decides)"),
    ("gin", r"\bgin(?!_|sim)\b", "a hand ended with no deadwood at all"),
    ("big gin", r"big gin", "gin with the drawn card melded too, without a discard"),
    ("dead", r"\bdead\b", "a hand that nobody wins because the stock ran out (the rule `stock_end`)"),
    ("stalled", r"stalled", "a hand that nobody wins because it was stopped after `max_turns` turns"),
    ("push", r"\bpush\b(?!`)", "a hand that nobody wins because deadwood was equal after a knock"),
    ("deadwood", r"deadwood", "points of the cards outside melds"),
)  # fmt: skip
"""What the page may use: the term, how it is found there, what it means."""


_TABLE_TERMS = (
    ("points per hand", r"points per hand", "a strategy's mean score in a hand dealt, for each seat it plays: the winner scores "
     "the deadwood of all the others, each of these loses its own, a hand without a winner counts 0"),
    *(entry for entry in _TERMS if entry[0] in ("decided hand", "hands won", "games won", "starter's share", "field")),
    ("margin per game", r"margin per game", "a strategy's score at the end of a game, for each seat it plays"),
    ("turns per hand", r"turns per hand", "turns of all players together"),
    ("discard, meld", r"\| (discard|meld) \|", "the winner's last card was discarded; all were melded or laid off"),
    ("claim", r"claims?\b", "a discard taken out of turn, laid off or melded at once; as an ending: with the last cards"),
    ("blocked", r"blocked", "a hand stopped after `max_reshuffles` or `max_turns`, or for want of any card to draw"),
    ("deadwood", r"deadwood", "points of the cards in hand that count (the rule `count`)"),
)  # fmt: skip
"""The same for the table game."""


def _terms(text: str, terms: Iterable[tuple[str, str, str]]) -> str:
    """The terms that ``text`` uses."""
    found = [f"- **{term}**: {meaning}." for term, pattern, meaning in terms if re.search(pattern, text)]
    return "## Terms\n\n" + "\n".join(found) if found else ""


def _strategies_section(strategies: Iterable[str]) -> str:
    """What each strategy does; of those of one family all but the first by their difference from it."""
    lines, firsts = [], dict[str, tuple[str, list[str]]]()
    for strategy in dict.fromkeys(strategies):
        name, words = _described(strategy)
        if name in firsts:
            first, said = firsts[name]
            other = [line for line in words if line not in said]
            lines.append(f"- `{strategy}`: as `{first}`{', but: ' + ' '.join(other) if other else '.'}")
        else:
            lines.append(f"- `{strategy}`: {' '.join(words)}")
            if name in FAMILIES or name in TABLE_FAMILIES:
                firsts[name] = strategy, words
    return "## Strategies\n\n" + "\n".join(lines)


def _described(strategy: str) -> tuple[str, list[str]]:
    """The family of a strategy (or "") and what it does, in sentences."""
    if file := own_file(strategy):
        return "", [f"a strategy of the user's own, from `{_file_name(file)}`."]
    try:
        name = parse_spec(strategy).name
        return name, (describe_player if name in TABLE_FAMILIES else describe)(strategy).splitlines()
    except (InputError, KeyError):
        return "", ["not shipped with ginsim; its code is not part of this result."]


def _file_name(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def rules_section(spec: str, but: str = "") -> str:
    """The rules in full."""
    rules = any_rules(spec)
    fields = type(rules).model_fields.items()
    rows = [(f"`{name}`", _rule_value(getattr(rules, name)), field.description) for name, field in fields]
    return f"## Rules\n\n`{spec}` in full{f', {but}' if but else ''}:\n\n{markdown_table(('rule', 'value', 'meaning'), rows)}"


def _rule_value(value: Any) -> str:
    return "none" if value == "none" else format_value(value)


def _covered(notes: Notes) -> str:
    """Which deals the figures cover, if they are not all of one seed; `ginsim merge` puts such results together."""
    if len(notes.shares) < 2 and all(share["part"] == "1/1" for share in notes.shares):
        return ""
    shares = [
        f"{'all' if share['part'] == '1/1' else 'part ' + share['part']} of {share['deals']:,} deals of seed {share['seed']}"
        for share in notes.shares
    ]
    text = f"The figures cover {'; '.join(shares)}."
    return f"{text} Each came from its command; `ginsim merge` put them together." if len(shares) > 1 else text


def _again(notes: Notes, strategies: Sequence[str]) -> str:
    """How to play the study again, and how to read what lies beside the report."""
    parts = [
        "## How to reproduce",
        fenced(notes.command, "sh"),
        f"With ginsim {__version__} this gives the same figures to the last digit, on any number of cores. The sums behind them "
        'are in `tallies.json`; `ginsim.load_results("this folder")` rebuilds every table and plot without playing.',
    ]
    if covered := _covered(notes):
        parts.append(covered)
    if notes.files:
        files = ", ".join(
            f"`{_file_name(file)}` ({f'SHA-256 {digest[:12]}…' if digest else 'not found when this was written'})"
            for file, digest in notes.files
        )
        parts.append(f"It needs the strategies' own code, which is not part of this result, unchanged: {files}.")
    made = [name for name in dict.fromkeys(strategies) if not own_file(name) and not _described(name)[0]]
    if made:
        names = ", ".join(f"`{name}`" for name in made)
        parts.append(f"The code of {names} is not part of this result: in Python, give the strategy itself in place of its name.")
    if "hands" in notes.kept:
        games = "; `games/` holds those of the games" if "games" in notes.kept else ""
        parts.append(f'The record of every hand is in `hands/`: `ginsim.load_results("this folder").hands()`{games}.')
    if notes.experiment.strip():
        changed = f" (but for what the command gives: {plain_text(notes.changed)})" if notes.changed else ""
        parts.append(f"The experiment file{changed}:\n\n{fenced(notes.experiment, 'toml')}")
    return "\n\n".join(parts)


def whole_page(title: str, *parts: str, strategies: Sequence[str], rules: str, notes: Notes, table: bool = False) -> str:
    """The page: the question and other parts of this kind of study (``table``: of the table game), what all end with."""
    players = _strategies_section(strategies)
    text = "\n".join([*parts, players])
    terms = _terms(text, _TABLE_TERMS if table else _TERMS)
    head = (f"# {plain_text(title)}", plain_text(parts[0]), without_links(notes.asked))
    everything = (*head, *parts[1:], terms, players, rules, _again(notes, strategies))
    return "\n\n".join(part.strip() for part in everything if part.strip()) + "\n"
