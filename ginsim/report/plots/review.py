"""Pictures of reviewed hands: the course of the chance to win, errors by kind, the worst decisions as cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginsim.cards import format_card
from ginsim.games.gin import view as V
from ginsim.games.gin.advice import GAME
from ginsim.games.gin.reviewed.costs import GRADES
from ginsim.games.gin.reviewed.judging import KINDS
from ginsim.report.plots.cards import DEADWOOD, HAND, HIGH, INCH, card_at, hand_at
from ginsim.report.plots.style import (
    BLUE,
    BORDER,
    GREY,
    LIGHT,
    ORANGE,
    PALETTE,
    axes_on,
    fitted,
    legend_above,
    new_axes,
    settled,
    styled,
)  # fmt: skip

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.games.gin.reviewed.judging import Judged
    from ginsim.study.review import Review

__all__ = ["MOST_COURSES", "course", "errors_by_kind", "worst_decisions"]

MOST_COURSES, MOST_PLAYERS = 12, 5
"""Hands whose course is drawn; players whose errors are."""
_SEATS = ((BLUE, "-", "o"), (ORANGE, "--", "s"))
_MARKED = {"error": ("v", 34), "blunder": ("X", 60)}
"""Marks of decisions that were wrong, and their sizes."""
_HATCHES = ("", "///", "\\\\\\", "...", "xx")
BLOCK, WIDE = 3.3, 27.0


@styled
def course(result: Review, ax: Axes | None = None) -> Axes:
    """The chance to win the game, decision by decision: what the best choice came to, and down to what was played.

    Both players' estimates are told as the chance of player A; each knows only what the player saw. Of many hands the first are
    drawn.

    Parameters
    ----------
    result : Review
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    found = [(number, one) for number, one in result.judged if number < MOST_COURSES]
    ax, given = axes_on(ax, min(5.0 + 0.07 * len(found), 14.0), 3.6)
    ax.axhline(50, color=GREY, linewidth=0.8, linestyle=":")
    names = _names(result)
    for seat, (colour, line, marker) in enumerate(_SEATS):
        own = [(x, number, one) for x, (number, one) in enumerate(found, 1) if one.decision.player == seat]
        label = f"as {names[seat]} saw it"
        for number in dict.fromkeys(number for _, number, _ in own):
            places = [(x, _chance(one, best)) for x, of, one in own if of == number for best in (True, False)]
            ax.plot(*zip(*places, strict=True), color=colour, linestyle=line, linewidth=1.3, label=label)
            label = "_"
        ax.plot([x for x, _, _ in own], [_chance(one, False) for _, _, one in own], marker, color=colour, markersize=2.6)
    for grade, (marker, size) in _MARKED.items():
        wrong = [(x, _chance(one, False)) for x, (_, one) in enumerate(found, 1) if one.grade == grade]
        if wrong:
            at, chances = zip(*wrong, strict=True)
            ax.scatter(at, chances, s=size, marker=marker, c=BORDER, edgecolors="white", linewidths=0.6, zorder=4, label=grade)
    _hands(ax, [number for number, _ in found])
    ax.set_xlabel("decisions")
    ax.set_ylabel(f"chance that {names[0]} wins the game (%)")
    ax.grid(axis="y")
    legend_above(ax, 4)
    return ax if given else settled(ax)


def _names(result: Review) -> tuple[str, str]:
    """Names for both seats; A and B if they change from hand to hand."""
    pairs = {hand.names for hand in result.hands[:MOST_COURSES]}
    return next(iter(pairs)) if len(pairs) == 1 else ("A", "B")


def _chance(one: Judged, best: bool) -> float:
    """The chance of player A, in per cent."""
    own = (one.best if best else one.played).game.value
    return 100 * (own if one.decision.player == 0 else 1 - own)


def _hands(ax: Axes, numbers: list[int]) -> None:
    """Lines between hands, and their numbers."""
    starts = [x for x, number in enumerate(numbers) if x == 0 or numbers[x - 1] != number]
    ax.set_xlim(0, len(numbers) + 1)
    if len(starts) < 2:
        return
    for x in starts:
        ax.axvline(x + 0.5, color=LIGHT, linewidth=0.8, zorder=0)
    low = ax.get_ylim()[0]
    for x in starts:
        ax.text(x + 0.8, low, f"{numbers[x] + 1}", fontsize=7, color=GREY, va="bottom")


@styled
def errors_by_kind(result: Review, ax: Axes | None = None) -> Axes:
    """What decisions cost in a hand, by what they were about, for each player.

    Parameters
    ----------
    result : Review
    ax : Axes, optional

    Returns
    -------
    Axes
    """
    most = sorted(player.decisions for player in result.players)[-MOST_PLAYERS:]
    players = [player for player in result.players if player.decisions >= most[0]][:MOST_PLAYERS]
    table, factor = result.by_kind(), 100 if result.by == GAME else 1
    kinds = [kind for kind in KINDS if kind in set(table["kind"])]
    ax, given = axes_on(ax, 6.4, 1.5 + 0.2 * len(kinds) * (1 + len(players)))
    high = 0.8 / len(players)
    for i, player in enumerate(players):
        costs = table[table["player"] == player.name].set_index("kind")[f"cost_{result.by}"] * factor / player.hands
        places = [kinds.index(kind) - 0.4 + (i + 0.5) * high for kind in costs.index]
        ax.barh(places, costs, 0.9 * high, color=PALETTE[i], hatch=_HATCHES[i], edgecolor="white", linewidth=0, label=player.name)
        for place, cost in zip(places, costs, strict=True):
            ax.annotate(f"{cost:z.2f}", (max(cost, 0), place), (3, 0), textcoords="offset points", va="center", fontsize=8)
    ax.axvline(0, color=GREY, linewidth=0.8)
    ax.set_yticks(range(len(kinds)), kinds)
    ax.set_ylim(len(kinds) - 0.45, -0.55)
    ax.set_xlim(right=1.12 * max(ax.get_xlim()[1], 0.01))
    unit = "percentage points of games won" if result.by == GAME else "points"
    ax.set_xlabel(f"what decisions cost in a hand ({unit})")
    ax.grid(axis="x")
    ax.spines["left"].set_visible(False)
    legend_above(ax, 3)
    return ax if given else settled(ax)


@styled
def worst_decisions(result: Review, ax: Axes | None = None) -> Axes:
    """The decisions that cost most, each with the hand as cards.

    Parameters
    ----------
    result : Review
    ax : Axes, optional
        Axes whose data limits are set to the picture; by default a figure as large as the picture.

    Returns
    -------
    Axes
    """
    worst = result.worst()
    high = BLOCK * max(len(worst), 1) + 0.6
    axes = new_axes(WIDE * INCH, high * INCH) if ax is None else ax
    for row, (number, one) in enumerate(worst):
        _decision_at(axes, BLOCK * row, result, number, one)
    if not worst:
        axes.text(0, 1.0, f"No decision was worse than {GRADES[0]}.", fontsize=9, va="center")
    note = "number: deadwood · dashed: the best discard · thick: what was discarded · underlined: melds · hollow suits are red"
    axes.text(WIDE - 0.4, high - 0.4, note if worst else "", fontsize=7, va="center", ha="right", color=GREY)
    axes.set_xlim(-0.2, WIDE)
    axes.set_ylim(high, -0.9)
    axes.set_aspect("equal")
    axes.axis("off")
    return axes if ax is not None else fitted(axes, (WIDE + 0.2) * INCH, (high + 0.9) * INCH)


def _decision_at(axes: Axes, y: float, result: Review, number: int, one: Judged) -> None:
    """A decision: who, what it cost, the upcard and the hand, what was played and what was best."""
    view, hand = one.decision.view, result.hands[number]
    upcard, held = int(view[V.UPCARD]), int(view[V.HAND])
    who = f"Hand {number + 1} · {hand.names[one.decision.player]}, turn {view[V.TURN] + 1}"
    cost = f"{one.points.value:.1f} points, {100 * one.game.value:.1f} percentage points of games"
    axes.text(0, y, f"{who} · {one.grade}: {cost}", fontsize=9, weight="bold", va="bottom")
    if upcard and not upcard & held:
        axes.text(0.45, y + 0.25, "upcard", fontsize=6, color=GREY, ha="center", va="center")
        card_at(axes, 0, y + 0.4, upcard)
    marks = {one.best.card & held: "drawn", one.played.card & held: "taken"}
    hand_at(axes, HAND, y + 0.4, held, hand.record, marks, DEADWOOD + 1.6)
    told = [f"played: {one.played.text}", f"best: {one.best.text}"]
    if view[V.DRAWN] and one.kind != "upcard":
        told.append(f"drew {format_card(int(view[V.DRAWN]), symbols=True)}")
    for k, text in enumerate(told):
        axes.text(DEADWOOD + 2.2, y + 0.55 + 0.55 * k, text, fontsize=7.5, va="center", weight="normal" if k else "bold")
    axes.plot((0, WIDE - 0.4), (y + HIGH + 0.95,) * 2, color=LIGHT, linewidth=0.8)
