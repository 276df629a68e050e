"""Parts of a page that tell what is concluded: many comparisons at once, ratings, mixtures, sequential tests, odds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ginsim.inference.estimates import interval_text
from ginsim.inference.sequential import odds_text
from ginsim.inference.sequential import points_text as points_per_hand
from ginsim.report.page import Notes, markdown_table, points_text, rules_section, seeds_text, share_text, whole_page

if TYPE_CHECKING:
    from ginsim.study.compare import Comparison
    from ginsim.study.coverage import Coverage
    from ginsim.study.errorrates import ErrorRates
    from ginsim.study.gameodds import Odds
    from ginsim.study.tournament import Tournament

__all__ = ["comparison_sections", "coverage_page", "error_rates_page", "field_sections", "odds_page"]


def field_sections(tournament: Tournament) -> Sequence[str]:
    """Which pairings are clear, ratings, and the field as a game; nothing if there are too few hands."""
    if not tournament.enough:
        return ()
    pairs: list[Any] = list(tournament.pairing_table().itertuples())
    rows = [
        (row.a, row.b, points_text(row.points_per_hand, row.points_per_hand_low, row.points_per_hand_high),
         _p(row.p), _p(row.p_holm), "yes" if row.clear else "no")
        for row in pairs
    ]  # fmt: skip
    found, game = tournament.ratings(), tournament.nash()
    elo: list[Any] = list(found.table().itertuples())
    fit = ""
    if not math.isnan(found.fit_p):
        fit = (
            " One number a strategy does not tell it all here"
            if found.fit_p < 0.01
            else " One number a strategy agrees with what was observed"
        ) + f" (chi-squared {found.misfit:.1f} with {found.freedom} degrees of freedom, p = {_p(found.fit_p)})."
    shares: list[Any] = list(game.table().itertuples())
    return (
        "### Which pairings are clear",
        f'P-values of "no difference in points per hand", and adjusted for {len(rows)} pairings by Holm\'s method: those '
        "up to 0.05 are clear, with a chance of at most 5 % that any of them is wrong.",
        markdown_table(("strategy", "opponent", "points per hand", "p", "p (Holm)", "clear"), rows, numbers=(2, 3, 4)),
        "## Ratings",
        f"Elo points above the mean of the field, from the {found.of} won (Bradley and Terry's model; errors by duplicate "
        f"pairs), with 95 % intervals.{fit}",
        markdown_table(
            ("strategy", "Elo"),
            [(row.strategy, f"{row.elo:+.0f} ({interval_text(row.low, row.high, '+.0f')})") for row in elo],
            numbers=(1,),
        ),
        "![Elo ratings with 95 % intervals](ratings.png)",
        "## The field as a game",
        game.verdict(),
        "Shares in that mixture, with the range in which 95 % of the matrices drawn within the sampling errors have them; what "
        "the mixture gains against each strategy, and what each gains against its worst opponent, in points per hand.",
        markdown_table(
            ("strategy", "share", "mixture gains", "against its worst"),
            [
                (row.strategy, share_text(row.share, row.low, row.high), f"{row.mixture_gains:.3f}", f"{row.worst:+.3f}")
                for row in shares
            ],
            numbers=(1, 2, 3),
        ),
        "![Shares in the mixture that nothing beats](nash.png)",
    )  # fmt: skip


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def comparison_sections(comparison: Comparison) -> Sequence[str]:
    """The luck taken out, and the course of a sequential test, if there were any."""
    parts: list[str] = []
    saved = comparison.control_saved
    if not math.isnan(saved):
        parts += [
            "## Luck taken out",
            f"Taking the luck of the draw out of the points saves {100 * saved:.1f} % of the variance of plain pairing: "
            f"{1 - saved:.2f} times as many hands give the same interval. The luck of a draw is how much better the "
            "card was than the mean of all cards left in the stock: in deadwood, in chances to knock and to go gin, and in the "
            "lead on the opponent. Its mean is 0 whatever the strategies do, so the figure stays unbiased; how much it weighs is "
            "estimated on the other half of the deals.",
        ]
    course = comparison.sequential
    if course and course.looks:
        test, (enough_not, enough), two = course.test, course.test.bounds, course.test.sides == 2
        heads = ["hands", "points per hand", f"{comparison.a} better", *([f"{comparison.b} better"] if two else []), "equal"]
        rows = []
        for look in course.looks:
            first, second, equal = map(odds_text, look.evidence(test.sides))
            rows.append([f"{2 * look.pairs:,}", f"{look.sums.mean:+.3f}", first, *([second] if two else []), equal])
        size = points_per_hand(test.points)
        parts += [
            "## The sequential test",
            f"It looks for a difference of {size}, {'for either strategy' if two else f'for {comparison.a}'}, with alpha "
            f"{test.alpha:g} and beta {test.beta:g}: it calls a strategy better when the evidence for that reaches "
            f"{odds_text(enough)}, and {'neither' if two else 'it not'} better by {size} when the evidence for that reaches "
            f"{odds_text(enough_not)}. Evidence is how far a stake of 1 has grown in bets that would be fair if the "
            "opposite were true (Ville's inequality), so the test may look as often as it likes, however seldom the strategies "
            "differ. The looks come at numbers of deals fixed beforehand. The figures and intervals on this page are calculated "
            "as if the number of deals had been fixed: after a stop on a difference they tend to be too large.",
            "![Evidence at the looks](looks.png)",
            markdown_table(heads, rows, numbers=range(len(heads))),
        ]
    return parts


def odds_page(odds: Odds, notes: Notes) -> str:
    """The report of the odds of a game by score."""
    step = max(1, len(odds.chances) // 10)
    scores = range(0, len(odds.chances), step)
    rows = [(f"**{own}**", *(f"{100 * odds.at(own, other).value:.1f} %" for other in scores)) for own in scores]
    widest = odds.widest
    games = odds.games_tally["pairs"]
    return whole_page(
        notes.title or f"The odds of a game of {odds.a} against {odds.b}",
        notes.question,
        f"**Answer.** {odds.verdict()}",
        "## By score",
        f"Chance that `{odds.a}` wins the game, its own points down, those of `{odds.b}` across, either starting as often. Each "
        f"is known to within {100 * widest:.2f} percentage points (95 %); `odds.csv` has the intervals, and the chances of the "
        "player who starts.",
        markdown_table(("own \\ other", *map(str, scores)), rows, numbers=range(1, 1 + len(scores))),
        "![Chance to win the game by score](odds.png)",
        "## How it was played",
        f"Under `{odds.rules}`, {seeds_text(odds.seed)}: {odds.deals:,} duplicate pairs of hands"
        + (f" and, as a check, {games:,} duplicate pairs of games" if games else "")
        + f"; {odds.hand_count:,} hands in all.",
        odds.remark,
        "The chances follow from how often each result of a hand came up, by dynamic programming over the scores. They hold for "
        "strategies that do not look at the score. Intervals are from leaving out each twentieth of the deals (a jackknife).",
        strategies=(odds.a, odds.b),
        rules=rules_section(odds.rules),
        notes=notes,
    )


RARE = (
    "Strategies that seldom differ are simulated from these deals: the pairs that were played are scattered at random among "
    "pairs that came out alike, so that only the stated share differs; the true difference and the one tested for shrink in "
    "proportion."
)


def error_rates_page(rates: ErrorRates, notes: Notes) -> str:
    """The report of how often tests are wrong."""
    names = ("decided", "wrong", "equal", "undecided", "peeked", "fixed", *(["controlled"] if rates.control else []))
    heads = {
        "decided": "called one better", "wrong": "called the wrong one better", "peeked": "peeking", "fixed": "fixed size",
        "controlled": "fixed size, luck out",
    }  # fmt: skip
    table, rare = rates.table(), rates.shares != (1.0,)
    rows = []
    for _, row in table.iterrows():
        cells = [
            "–" if name not in table or math.isnan(row[name]) else
            share_text(row[name], row[f"{name}_low"], row[f"{name}_high"]) for name in names
        ]  # fmt: skip
        differing = [f"{100 * row['differing']:g} %"] if rare else []
        rows.append((*differing, f"{row['difference']:g}", *cells, f"{2 * row['pairs']:,.0f}", f"{2 * row['fixed_pairs']:,.0f}"))
    test = rates.test
    return whole_page(
        notes.title or "How often a test is wrong",
        notes.question,
        f"**Answer.** {rates.verdict()}",
        "## By the difference there is",
        "Shares of the comparisons with 95 % intervals; hands are means. The first four are of the sequential test. Peeking: "
        "looking at the plain 95 % interval at each look and stopping when it leaves out 0. Fixed size: a plain test with the "
        "hands that it needs for the same errors.",
        markdown_table(
            (*(["pairs that differ"] * rare), "difference", *(heads.get(n, n) for n in names), "hands", "hands, fixed size"),
            rows,
            numbers=range(len(names) + 3 + rare),
        ),
        "![How often each test finds a difference](error_rates.png)",
        "## How it was done",
        f"`{rates.a}` and `{rates.b}` play under `{rates.rules}`, {seeds_text(rates.seed)}. For each deal the label of the first "
        "is given to either at random, so the two labels are equal by construction, with scores as they are in play; adding "
        f"points to each hand of the first label makes it better by exactly that. {rates.comparisons:,} comparisons, each on "
        f"{rates.deals:,} duplicate pairs of its own; {rates.hand_count:,} hands in all.",
        *([RARE] if rare else []),
        f"The sequential test: a difference of {points_per_hand(test.points)}, alpha {test.alpha:g}, beta {test.beta:g}, first "
        f"look after {test.first:,} pairs, then after a tenth more each.",
        strategies=(rates.a, rates.b),
        rules=rules_section(rates.rules),
        notes=notes,
    )


def coverage_page(coverage: Coverage, notes: Notes) -> str:
    """The report of how often intervals contain the true value."""
    from ginsim.study.coverage import FIGURES

    rows = []
    for figure, words in FIGURES.items():
        held = [coverage.held(figure, share) for share in coverage.shares]
        rows.append((words, *(share_text(e.value, e.low, e.high) for e in held)))
    return whole_page(
        notes.title or "How often intervals contain the true value",
        notes.question,
        f"**Answer.** {coverage.verdict()}",
        "## By the true share",
        "Share of the samples whose 95 % interval contained the true value, with its own 95 % interval.",
        markdown_table(
            ("figure", *(f"{100 * share:g} %" for share in coverage.shares)), rows, numbers=range(1, 1 + len(coverage.shares))
        ),
        "![How often intervals contain the true value](coverage.png)",
        "## How it was done",
        f"`{coverage.a}` and `{coverage.b}` play under `{coverage.rules}`, {seeds_text(coverage.seed)}. For each deal the label "
        "of the first is given to one of the two at random, so by construction each label wins half of the decided hands, and "
        "the plays of a pair depend on each other as they do in play. Just enough of the label's wins are counted, at random, "
        "to make the true share the one in the table; for shares above a half, the decided hands left uncounted are used "
        "instead. The true value of the differences is 0; for them the share is that of the hands in which there is one."
        f" {coverage.samples:,} samples of {coverage.deals:,} duplicate "
        f"pairs in each of three parts; {coverage.hand_count:,} hands in all. Shares of a few hands cannot be covered "
        "exactly: with eight wins expected, one more or less changes the interval a good deal.",
        strategies=(coverage.a, coverage.b),
        rules=rules_section(coverage.rules),
        notes=notes,
    )
