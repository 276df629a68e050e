"""Reviewed hands: errors, luck, the worst decisions in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ginsim.cards import cards_of, format_card, format_hand
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import GAME, POINTS
from ginsim.games.gin.evaluate import best_melds, in_order
from ginsim.games.gin.reviewed.costs import CUTS, GRADES
from ginsim.inference.estimates import LEAST_CLUSTERS, Estimate
from ginsim.inference.measures import Measure
from ginsim.report import plots
from ginsim.report.figures import SHARE, figure
from ginsim.report.markup import plain_text
from ginsim.report.plots.review import MOST_COURSES
from ginsim.report.sheet import Sheet
from ginsim.report.template import filled
from ginsim.report.texts import Texts
from ginsim.study.review import LUCK_DEALS, LUCK_PLAYER, WORST, Review

if TYPE_CHECKING:
    from ginsim.games.gin.reviewed.judging import Judged
    from ginsim.study.reviewed import Player

__all__ = ["MEASURES", "sheet", "worst_in_words"]

OF = Review
"""What is shown here."""
MOST_HANDS, MOST_DECISIONS = 40, 150
"""Hands whose luck the page lists, and decisions; the tables that are saved have them all."""
MEASURES = {
    POINTS: Measure("points", "points", decimals=2),
    GAME: Measure("games won", "%", "share", 2),
    "gained": Measure("points per hand", "points", decimals=1, signed=True),
}
TURNS = Measure("mean", decimals=1)
_PAST = {
    "take": "took", "draw": "drew", "pass": "passed", "discard": "discarded", "knock": "knocked", "go": "went", "lay": "laid",
    "meld": "melded",
}  # fmt: skip


def sheet(r: Review) -> Sheet:
    """Reviewed hands."""
    return Sheet(
        "review",
        ["hands.txt"],
        {"rollouts": r.rollouts, "seed": r.seed, "by": r.by},
        r.rules,
        (r.player,),
        "Review of " + ("one hand" if len(r.hands) == 1 else f"{len(r.hands):,} hands"),
        lambda: _body(r),
        r.tables,
        {
            "course": partial(plots.course, r),
            "errors": partial(plots.errors_by_kind, r),
            "worst": partial(plots.worst_decisions, r),
        },
        lambda: [_players(r), _kinds(r), _habits(r)],
    )


def _cost(e: Estimate | None, by: str) -> str:
    if e is None:
        return "–"
    measure = MEASURES[by]
    exact = e.low == e.high
    if by == GAME:
        return f"{measure.number_text(e.value)} pp" if exact else measure.difference_text(e).replace("+", "")
    return measure.value_text(e.value) if exact else measure.text(e)


def _on_a_page(texts: Texts, column: int) -> str:
    """A table in Markdown, in which a column has names that others chose."""
    rows = [[plain_text(str(cell)) if k == column else cell for k, cell in enumerate(row)] for row in texts.rows]
    return replace(texts, rows=rows).markdown()


def _players(r: Review) -> Texts:
    head = (
        "player", "hands", "decisions", *GRADES, "points lost per hand", "games lost per hand", "points lost per decision",
        "luck per hand", "result per hand", "less luck",
    )  # fmt: skip
    rows = [_of_player(player) for player in r.players]
    return Texts(head, rows, range(1, len(head)), title="Players", caption=_intervals(r))


def _of_player(player: Player) -> tuple[object, ...]:
    grades = [player.grades.get(grade, 0) for grade in GRADES]
    costs = (_cost(player.cost[POINTS], POINTS), _cost(player.cost[GAME], GAME), _cost(player.each[POINTS], POINTS))
    gained = [_cost(e, "gained") for e in (player.luck, player.result, player.less_luck)]
    return (player.name, f"{player.hands:,}", f"{player.decisions:,}", *grades, *costs, *gained)


def _intervals(r: Review) -> str:
    """What the intervals are about."""
    few = [player for player in r.players if player.hands < LEAST_CLUSTERS]
    about = (
        "the draws of hidden cards leave open in these very hands"
        if len(few) == len(r.players)
        else f"so many hands of a player say of others; of players with fewer than {LEAST_CLUSTERS} hands, what the draws of "
        "hidden cards leave open in these"
        if few
        else "so many hands say of others of these players"
    )
    return f"Costs with 95 % intervals: what {about}. Luck and result in points; pp: percentage points."


def _kinds(r: Review) -> Texts:
    unit, name = 100 if r.by == GAME else 1, f"cost_{r.by}"
    rows = [
        (row["player"], row["kind"], f"{row['decisions']:,}", *(row[grade] for grade in GRADES), f"{unit * row[name]:z.2f}")
        for row in r.by_kind().to_dict("records")
    ]
    head = ("player", "about", "decisions", *GRADES, "percentage points lost" if r.by == GAME else "points lost")
    return Texts(head, rows, range(2, len(head)), title="Errors by kind")


def _habits(r: Review) -> Texts:
    names = {
        "upcard_taken": ("first upcards taken", SHARE), "taken": ("upcards taken later", SHARE),
        "knocked": ("chances to knock used", SHARE), "knock_turn": ("turn of the knock", TURNS),
        "knock_deadwood": ("deadwood at the knock", TURNS), "thrown": ("points of a discard", TURNS),
    }  # fmt: skip
    rows = [
        (row["player"], f"{row['knocks']:,}", *(_habit(row, name, measure) for name, (_, measure) in names.items()))
        for row in r.habits().to_dict("records")
    ]
    head = ("player", "knocks", *(label for label, _ in names.values()))
    return Texts(head, rows, range(1, len(head)), title="Habits")


def _habit(row: Mapping[Any, Any], name: str, measure: Measure) -> str:
    """A figure with its interval, if there is one."""
    value, low, high = row[name], row[f"{name}_low"], row[f"{name}_high"]
    if value is None or value != value:
        return "–"
    known = low is not None and low == low
    return measure.text(figure(value, low, high)) if known else measure.value_text(value)


def past(text: str) -> str:
    """What was done, of a text that says what to do.

    Examples
    --------
    >>> past("discard 4♣ and knock with 9"), past("draw from the stock")
    ('discarded 4♣ and knocked with 9', 'drew from the stock')
    """
    return re.sub(r"^\w+|(?<= and )\w+", lambda found: _PAST.get(found[0], found[0]), text)


def worst_in_words(r: Review, number: int, one: Judged, marked: bool = True) -> str:
    """A decision in a few sentences: what was held and seen, what was done, what was better, and by how much."""
    view, hand, who = one.decision.view, r.hands[number], r.hands[number].names[one.decision.player]
    held, upcard = int(view[V.HAND]), int(view[V.UPCARD])
    way = best_melds(held, hand.record.rules)[0]
    groups = [format_hand(in_order(meld), symbols=True) for meld in way.melds]
    loose = " ".join(format_card(card, symbols=True) for card in cards_of(way.deadwood))
    cards = " · ".join(filter(None, (*groups, loose)))
    seen = f", the upcard being {format_card(upcard, symbols=True)}" if upcard and not upcard & held else ""
    verb = "taken" if view[V.DRAWN] == view[V.UPCARD] else "drawn"
    drew = f", having {verb} {format_card(int(view[V.DRAWN]), symbols=True)}" if view[V.DRAWN] and view[V.DRAWN] & held else ""
    told = f"{who} held {cards}{drew}{seen}, and {past(_whole(one, one.played.text))}."
    points, games = _range(one.points, 1, "points"), _range(one.game, 100, "percentage points")
    better = (
        f"To {_whole(one, one.best.text)} was better by {points} and {games} of games won: over all that may have been "
        f"hidden it came to {one.best.points.value:+.1f} points, what was played to {one.played.points.value:+.1f}."
    )
    left = ""
    if one.kind == "discard" and one.best.deadwood != one.played.deadwood:
        left = f" It leaves {one.best.deadwood} of deadwood, what was played {one.played.deadwood}."
    heading = f"Hand {number + 1}, turn {int(view[V.TURN]) + 1} ({one.grade})"
    return f"**{heading}.** {plain_text(told)} {better}{left}" if marked else f"{heading}. {told} {better}{left}"


def _whole(one: Judged, text: str) -> str:
    """A choice in words; where it was to be decided, also that nobody knocks."""
    return f"{text} and go on" if one.kind == "knock" and " and " not in text and text.startswith("discard") else text


def _range(e: Estimate, factor: float, unit: str) -> str:
    value, low, high = (f"{factor * x:z.1f}" for x in (e.value, e.low, e.high))
    return f"{value} {unit}" if low == high else f"{value} {unit} (95 % interval {low} to {high})"


def _luck(r: Review) -> Texts:
    rows = []
    for row in r.by_hand().to_dict("records")[: 2 * MOST_HANDS]:
        gained = (row["luck_of_the_deal"], row["luck"], row["result"], row["result_less_luck"])
        rows.append((row["hand"], row["player"], *(_gain(value) for value in gained), f"{row['cost_points']:z.1f}"))
    head = ("hand", "player", "luck of the deal", "luck", "result", "result less luck", "points lost by decisions")
    return Texts(head, rows, (0, *range(2, len(head))))


def _gain(value: Any) -> str:
    return "–" if value is None or value != value else f"{value:+z.1f}"


def _every(r: Review) -> Texts:
    rows = [
        (number + 1, r.hands[number].names[one.decision.player], int(one.decision.view[V.TURN]) + 1, one.kind, one.played.text,
         "" if one.right else one.best.text, _cost(one.points, POINTS), _cost(one.game, GAME), one.grade)
        for number, one in r.judged
    ]  # fmt: skip
    head = ("hand", "player", "turn", "about", "played", "better", "points lost", "games lost", "grade")
    return Texts(head, rows, (0, 2, 6, 7))


def _body(r: Review) -> str:
    cuts = [f"{100 * cut:g} percentage points" if r.by == GAME else f"{cut:g} points" for cut in CUTS[r.by]]
    worst = [worst_in_words(r, number, one) for number, one in r.worst(WORST)]
    many = len(r.hands) > MOST_COURSES
    return filled(
        "review",
        verdict=plain_text(r.verdict()),
        players=_on_a_page(_players(r), 0),
        players_caption=_intervals(r),
        course="yes",
        first=f"; the first {MOST_COURSES} of {len(r.hands):,} hands" if many else "",
        kinds=_on_a_page(_kinds(r), 0),
        habits=_on_a_page(_habits(r), 0),
        worst="\n\n".join(f"{k}. {text}" for k, text in enumerate(worst, 1)) or f"None is worse than {GRADES[0]}.",
        luck=_on_a_page(_luck(r), 1) if any(hand.luck for hand in r.hands) else "",
        every=_on_a_page(_every(r), 1) if len(r.judged) <= MOST_DECISIONS else "",
        how=_how(r),
        by="the chance to win the game" if r.by == GAME else "points",
        doubtful=cuts[0],
        error=cuts[1],
        blunder=cuts[2],
        skipped=_skipped(r.skipped),
        weights=_weights(r),
    )


def _how(r: Review) -> str:
    return (
        f"For each decision the hidden cards were drawn {r.rollouts:,} times (seed {r.seed}), as likely as what the player had "
        f"seen by then makes them, and every choice was played to the end of the hand on the same cards: the player going on as "
        f"`{r.player}`, the opponent playing plainly. The chance to win the game is that of equals from the score after the hand."
    )


def _skipped(skipped: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {'decision' if count == 1 else 'decisions'} {why}" for why, count in skipped.items())


def _weights(r: Review) -> str:
    if not any(hand.luck for hand in r.hands):
        return "The luck of the draw is not measured where the pile is shuffled into a new stock."
    return (
        "Luck is that of deadwood, of a knock, of gin and of the lead on the opponent which a card brings; its mean is exactly 0 "
        "whatever the players do. What each is worth in points was measured on "
        f"{2 * LUCK_DEALS:,} hands of `{LUCK_PLAYER}` against itself."
    )
