"""A hand as cards on paper: one row a round, both players side by side, the showdown last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

from ginsim.cards import LANE, RANKS, SYMBOLS, cards_of, format_card
from ginsim.games.gin.evaluate import best_melds, in_order
from ginsim.games.gin.text import NAMES, outcome
from ginsim.report.plots.style import BLACK, FAINT, GREY, INK, fitted, new_axes, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.games.gin.replay import Move, Replay

__all__ = ["CELL", "DEADWOOD", "HAND", "HIGH", "INCH", "ROW", "card_at", "cards", "hand_at"]

INCH = 0.26  # a card with the space beside it; all lengths below are in this unit
WIDE, HIGH, ROW, REFUSED = 0.9, 1.25, 1.62, 0.8
GAP = 0.4
HAND, DEADWOOD, DISCARD, CELL = 1.7, 14.1, 14.6, 18.4
"""Where, within a player's cell, the hand starts, the deadwood ends, the discard lies, and where the next cell starts."""
RED = "#B3001B"
HOLLOW = dict(zip("♥♦", "♡♢", strict=True))
"""Red suits are hollow, so that they are told from black ones without colour."""
MOST_ROWS = 40
_DASHED = (0, (1.5, 1.2))

Row = list["Move"]


@styled
def cards(hand: Replay, ax: Axes | None = None) -> Axes:
    """The hand turn by turn: the card drawn, the hand after the turn, its deadwood, the discard; then the showdown.

    Parameters
    ----------
    hand : Replay
    ax : Axes, optional
        Axes whose data limits are set to the picture; by default a figure as large as the picture.

    Returns
    -------
    Axes
    """
    rows = _rounds(hand)
    axes = new_axes(2 * CELL * INCH, 4.0) if ax is None else ax
    left = hand.record["starter"]
    y = _headings(axes, hand, left)
    for player in range(2):
        hand_at(axes, _x(player, left), y, hand.dealt[player], hand)
        axes.text(_x(player, left), y + HIGH / 2, "dealt", va="center", fontsize=7, color=GREY)
    y = _skipped(axes, y + ROW, len(rows) - MOST_ROWS)
    for row in rows[-MOST_ROWS:]:
        for move in row:
            _move_at(axes, _x(move.player, left), y, move, hand)
        y += REFUSED if all(move.refusal for move in row) else ROW
    y = _showdown_at(axes, left, y + 0.2, hand)
    axes.set_xlim(-0.2, 2 * CELL - 0.6)
    axes.set_ylim(y, -2.6)
    axes.set_aspect("equal")
    axes.axis("off")
    return axes if ax is not None else fitted(axes, (2 * CELL - 0.4) * INCH, (y + 2.6) * INCH)


def _x(player: int, left: int) -> float:
    return 0.0 if player == left else CELL


def _rounds(hand: Replay) -> list[Row]:
    """The moves, those of a round in a row: first the starter's, then the other's."""
    rows: list[Row] = []
    starter = hand.record["starter"]
    for move in hand.moves:
        if not rows or move.player == starter or rows[-1][-1].player == move.player:
            rows.append([])
        rows[-1].append(move)
    return rows


def _headings(axes: Axes, hand: Replay, left: int) -> float:
    """Who plays and what the columns are; returns where the cards start."""
    record, style = hand.record, {"fontsize": 7, "color": GREY, "va": "bottom"}
    upcard = f"first upcard {format_card(hand.upcard, symbols=True)}" if hand.upcard else "no upcard"
    limit = "gin only" if record["limit"] == 0 else f"knock with {record['limit']} or less"
    score = f" · at {hand.score[0]} to {hand.score[1]}" if any(hand.score) else ""
    title = f"Deal {hand.deal}, seed {hand.seed}, play {hand.play}{score} · {hand.rules} · {upcard} · {limit}"
    axes.text(0, -1.85, title, fontsize=8.5, va="bottom")
    for player, name in enumerate((hand.a, hand.b)):
        x = _x(player, left)
        short = name if len(name) < 48 else f"{name[:47]}…"
        starts = " (starts)" if player == left else ""
        axes.text(x, -0.85, f"{NAMES[player]}: {short}{starts}", fontsize=9, weight="bold", va="bottom")
        for at, what, place in ((0.0, "draw", "left"), (HAND, "hand after the turn: melds, then the rest", "left"),
                                (DEADWOOD, "deadwood", "right"), (DISCARD, "discard", "left")):  # fmt: skip
            axes.text(x + at, -0.2, what, ha=place, **cast(Any, style))
    return 0.0


def _skipped(axes: Axes, y: float, rows: int) -> float:
    """Say how many rounds at the start are not shown, if there are too many."""
    if rows <= 0:
        return y
    axes.text(0, y + 0.4, f"… the first {rows} rounds are left out …", fontsize=8, va="center", color=GREY)
    return y + 1.0


def _move_at(axes: Axes, x: float, y: float, move: Move, hand: Replay) -> None:
    """A turn, or a refusal, in a player's cell."""
    if move.refusal:
        axes.text(x + HAND, y + REFUSED / 2 - 0.1, f"passes {format_card(move.upcard, symbols=True)}", va="center", fontsize=8)
        return
    axes.text(x - 0.12, y + HIGH / 2, f"{move.turn}", fontsize=6, color=GREY, ha="right", va="center")
    if move.drawn:
        card_at(axes, x, y, move.drawn, "taken" if move.taken else "drawn")
    new = {move.drawn: "taken" if move.taken else "drawn"}
    hand_at(axes, x + HAND, y, move.hand, hand, new, x + DEADWOOD)
    if move.discard:
        card_at(axes, x + DISCARD, y, move.discard)
    if move.knock is not None:
        word = ("knocks" if move.discard else "big gin") if move.knock else "goes on"
        weight = "bold" if move.knock else "normal"
        axes.text(x + DISCARD + 1.1, y + HIGH / 2, word, fontsize=7.5, va="center", weight=weight)


def hand_at(
    axes: Axes, x: float, y: float, held: int, hand: Any, marks: dict[int, str] | None = None, end: float | None = None
) -> None:
    """Melds, the unmatched cards, and the deadwood at the end."""
    way = best_melds(held, hand.rules)[0]
    if end is None:
        x, end = x + HAND, x + DEADWOOD
    _groups_at(axes, x, y, [*(in_order(meld) for meld in way.melds), list(cards_of(way.deadwood))], marks or {})
    _deadwood_at(axes, end, y, way.points)


def _deadwood_at(axes: Axes, x: float, y: float, points: int) -> None:
    axes.text(x, y + HIGH / 2, f"{points}", ha="right", va="center", fontsize=9.5, weight="bold")


def _groups_at(axes: Axes, x: float, y: float, groups: Sequence[Iterable[int]], marks: dict[int, str]) -> float:
    """Groups of cards beside each other, the melds underlined; returns where they end."""
    for i, group in enumerate(groups):
        start = x
        for card in group:
            card_at(axes, x, y, card, marks.get(card, ""))
            x += 0.98
        if i < len(groups) - 1 and x > start:
            axes.plot((start, x - 0.08), (y + HIGH + 0.13,) * 2, color=INK, linewidth=1.3, solid_capstyle="butt")
            x += GAP
    return x


def card_at(axes: Axes, x: float, y: float, card: int, mark: str = "") -> None:
    """One card: rank above suit. Drawn from the stock it has a dashed edge, taken from the discards a thick one."""
    from matplotlib.patches import FancyBboxPatch

    suit, rank = divmod(card.bit_length() - 1, LANE)
    symbol = SYMBOLS[suit]
    colour = RED if symbol in HOLLOW else BLACK
    edge: dict[str, Any] = {
        "": {"edgecolor": FAINT, "linewidth": 0.7},
        "drawn": {"edgecolor": INK, "linewidth": 1.1, "linestyle": _DASHED},
        "taken": {"edgecolor": INK, "linewidth": 1.7},
    }[mark]
    shape = FancyBboxPatch((x + 0.06, y + 0.06), WIDE - 0.12, HIGH - 0.12, "round,pad=0.06", facecolor="white", **edge)
    axes.add_patch(shape)
    middle = x + WIDE / 2
    axes.text(middle, y + 0.36, RANKS[rank], ha="center", va="center", fontsize=8, weight="bold", color=colour)
    axes.text(middle, y + 0.88, HOLLOW.get(symbol, symbol), ha="center", va="center", fontsize=9, color=colour)


def _showdown_at(axes: Axes, left: int, y: float, hand: Replay) -> float:
    """The hands laid down, cards laid off apart, and who wins; returns where it ends."""
    axes.plot((0, 2 * CELL - 0.8), (y, y), color=GREY, linewidth=0.8)
    y += 0.45
    shown, knocker = hand.showdown(), hand.record["knocker"]
    for player, held in enumerate(hand.hands):
        x = _x(player, left)
        if shown is None:
            hand_at(axes, x, y, held, hand)
            continue
        melds, left_over, laid_off = shown.knocker_melds, shown.knocker_deadwood, 0
        if player != knocker:
            melds, left_over, laid_off = shown.defender_melds, shown.defender_deadwood, shown.laid_off
        loose = held & ~(sum(melds) | laid_off)
        groups = [*(in_order(meld) for meld in melds), list(cards_of(loose))]
        end = _groups_at(axes, x + HAND, y, groups, {})
        if laid_off:
            end = _groups_at(axes, end + 2 * GAP, y, [list(cards_of(laid_off))], dict.fromkeys(cards_of(laid_off), "taken"))
            axes.text(end - 0.1, y + HIGH + 0.12, "laid off", fontsize=7, ha="right", va="top")
        _deadwood_at(axes, max(x + DEADWOOD, end + 1.0), y, left_over)
        axes.text(x, y + HIGH / 2, "knocks" if player == knocker else "defends", va="center", fontsize=7, color=GREY)
    y += ROW + 0.25
    axes.text(0, y, outcome(hand)[-1], fontsize=9.5, va="center", weight="bold")
    note = "dashed: drawn from the stock · thick: taken from the discards · underlined: melds · hollow suits are red"
    axes.text(2 * CELL - 0.8, y, note, fontsize=7, va="center", ha="right", color=GREY)
    return y + 0.6
