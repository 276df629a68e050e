"""What hands are like: how they end, how long they last, which knocks are undercut, how a figure settles."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from ginsim.errors import InputError
from ginsim.report.plots.names import height_of, width_of, wrapped
from ginsim.report.plots.style import (
    BLUE,
    DIVERGING,
    FAINT,
    GREY,
    INK,
    PALETTE,
    axes_on,
    cells_on,
    colour_bar,
    colour_of,
    fitted,
    legend_above,
    new_panels,
    settled,
    styled,
    title_and_legend,
    write_on,
)
from ginsim.study.statistics import MOST_TURNS, span_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.compare import Comparison
    from ginsim.study.statistics import Statistics
    from ginsim.study.tournament import Tournament

__all__ = [
    "card_bars", "convergence", "deadwood_fan", "endings_mix", "hand_lengths", "knock_map", "play_on_map", "turn_chances",
]  # fmt: skip

DRAWN = 0.999
"""Share of the hands whose lengths are drawn."""
_COLOURS = (*PALETTE[:3], GREY, *PALETTE[3:])
_HATCHES = ("", "///", "...", "xx", "\\\\\\", "--", "++", "oo")


@styled
def endings_mix(found: Statistics, ax: Axes | None = None) -> Axes:
    """How the hands of each cell end, in per cent of all hands: bars of parts that add up to 100."""
    labels, n = wrapped(found.labels()), len(found.hands)
    ax, given = axes_on(ax, 5.6 + width_of(labels), max(1.9, 1.4 + 1.5 * height_of(labels)))
    left = [0.0] * n
    for (name, endings), colour, hatch in zip(found.game.endings_shown.items(), _COLOURS, _HATCHES, strict=False):
        shares = [100 * found.share(k, *endings).value for k in range(n)]
        words = "nobody wins" if name == "nobody" else name
        ax.barh(range(n), shares, 0.7, left=left, color=colour, hatch=hatch, edgecolor="white", linewidth=0.5, label=words)
        for k, share in enumerate(shares):
            if share >= 6:
                ground = {"facecolor": "white", "pad": 1.0, "linewidth": 0, "alpha": 0.85}
                ax.text(left[k] + share / 2, k, f"{share:.1f}", ha="center", va="center", fontsize=8, color=INK, bbox=ground)
        left = [at + share for at, share in zip(left, shares, strict=True)]
    ax.set_yticks(range(n), labels)
    ax.set_ylim(n - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.set_xlabel("share of all hands (%)")
    legend_above(ax, 4)
    ax.spines["left"].set_visible(False)
    return ax if given else settled(ax)


@styled
def hand_lengths(found: Statistics, ax: Axes | None = None) -> Axes:
    """How long hands last: the share of hands by the turns of all players, with the band of its 95 % intervals.

    The longest thousandth of the hands is left out, and so are those that are counted together; the legend says how many.
    """
    labels, n = found.labels(), len(found.hands)
    ax, given = axes_on(ax, 6.6, 4.0)
    most = min(max(found.quantile(k, "turns", DRAWN) for k in range(n)), MOST_TURNS - 2)
    for k in range(n):
        table, colour, longer = found.lengths(k, most), colour_of(k, n), int(found.tables[k]["turns"][most + 1 :].sum())
        turns, label = table["turns"].tolist(), textwrap.fill(labels[k], 40)
        label += f"\n({longer:,} hand{'s' * (longer > 1)} longer)" if longer else ""
        ax.fill_between(turns, 100 * table["low"], 100 * table["high"], color=colour, alpha=0.2, linewidth=0)
        ax.plot(turns, 100 * table["share"], ".-", color=colour, linewidth=1.2, markersize=4, label=label)
    ax.set_xlabel("turns of all players")
    ax.set_ylabel("share of all hands (%)")
    ax.set_ylim(bottom=0)
    ax.grid(axis="y")
    title_and_legend(ax, "Length of hands, with 95 % intervals", given)
    return ax if given else settled(ax)


@styled
def deadwood_fan(found: Statistics, cell: int = 0, ax: Axes | None = None) -> Axes:
    """The deadwood kept at the end of each own turn: median, the middle half and the middle eight tenths of the hands."""
    table = found.enough(found.turns(cell))
    if table.empty:
        raise InputError("turns: no turn came up often enough; play more deals")
    ax, given = axes_on(ax, 6.6, 3.9)
    turns = table["turn"].tolist()
    for low, high, alpha, label in (("q10", "q90", 0.2, "middle 80 % of the hands"), ("q25", "q75", 0.35, "middle half")):
        ax.fill_between(turns, table[low], table[high], color=BLUE, alpha=alpha, linewidth=0, label=label)
    ax.plot(turns, table["q50"], ".-", color=BLUE, linewidth=1.4, markersize=5, label="median")
    ax.plot(turns, table["deadwood"], "--", color=PALETTE[1], linewidth=1.4, label="mean")
    ax.set_xlabel("own turn")
    ax.set_ylabel("deadwood kept (points)")
    ax.set_ylim(bottom=0)
    ax.set_xlim(turns[0], max(turns[-1], turns[0] + 1))
    ax.locator_params(axis="x", integer=True)
    ax.grid(axis="y")
    strategy, rules = found.cells[cell]
    ax.set_title(textwrap.fill(f"Deadwood by turn, {strategy} against {found.opponent or 'itself'}, {rules}", 80), fontsize=9)
    ax.legend(fontsize=8)
    return ax if given else settled(ax)


@styled
def turn_chances(found: Statistics, ax: Axes | None = None) -> Axes:
    """On how many of a player's turns a knock is legal, and on how many there is gin (dashed), with 95 % intervals."""
    labels, n = found.labels(), len(found.hands)
    ax, given = axes_on(ax, 6.6, 4.0)
    for k in range(n):
        table, colour = found.enough(found.turns(k)), colour_of(k, n)
        turns = table["turn"].tolist()
        for name, line, label in (("able", ".-", "can knock"), ("gin", ".--", "has gin")):
            ax.fill_between(turns, 100 * table[f"{name}_low"], 100 * table[f"{name}_high"], color=colour, alpha=0.2, linewidth=0)
            label = textwrap.fill(f"{labels[k]}: {label}", 40)
            ax.plot(turns, 100 * table[name], line, color=colour, linewidth=1.2, markersize=4, label=label)
    ax.set_xlabel("own turn")
    ax.set_ylabel("share of the turns played (%)")
    ax.set_ylim(bottom=0)
    ax.locator_params(axis="x", integer=True)
    ax.grid(axis="y")
    title_and_legend(ax, "When one can knock, with 95 % intervals", given)
    return ax if given else settled(ax)


@styled
def knock_map(found: Statistics, cell: int = 0, ax: Axes | None = None) -> Axes:
    """The chance that a knock is undercut, made or not, by the knocker's own turn and its deadwood, in per cent.

    Combinations that came up in less than `ginsim.study.statistics.LEAST_PAIRS` pairs are left white.

    Parameters
    ----------
    found : Statistics
    cell : int
        Which of ``found.cells``.
    ax : matplotlib Axes, optional
    """
    import numpy as np

    table = found.enough(found.knocks(cell)).query("deadwood > 0")
    if table.empty:
        raise InputError("knocks: no knock (with deadwood) came up often enough; play more deals")
    deadwoods, turns = int(table["deadwood"].max()), int(table["turn"].max())
    values = np.full((deadwoods + 1, turns + 1), np.nan)
    rows: list[Any] = list(table.itertuples())
    for row in rows:
        values[row.deadwood, row.turn] = 100 * row.undercut
    side = min(max(7.0 / turns, 0.36), 0.6)
    ax, given = cells_on(ax, side * turns, side * deadwoods)
    mesh: Any = ax.pcolormesh(values, cmap="cividis", edgecolors="white", linewidth=0.6, vmin=0)
    for row in rows:
        colour = mesh.cmap(mesh.norm(100 * row.undercut))
        write_on(ax, row.turn + 0.5, row.deadwood + 0.5, f"{100 * row.undercut:.0f}", colour, 7.5)
    ax.set_xticks([turn + 0.5 for turn in range(1, turns + 1)], [str(turn) for turn in range(1, turns + 1)])
    ax.set_yticks([k + 0.5 for k in range(1, deadwoods + 1)], [str(k) for k in range(1, deadwoods + 1)])
    ax.set_xlim(1, turns + 1)
    ax.set_ylim(1, deadwoods + 1)
    ax.set_aspect("equal")
    ax.set_xlabel("own turn of the knocker")
    ax.set_ylabel("deadwood of the knock (points)")
    ax.spines[:].set_visible(False)
    colour_bar(ax, mesh, "chance of an undercut (%)")
    strategy, rules = found.cells[cell]
    title = f"Undercuts by turn and deadwood, {strategy} against {found.opponent or 'itself'}, {rules}"
    ax.set_title(textwrap.fill(title, 70), fontsize=9)
    return ax if given else fitted(ax, side * turns, side * deadwoods)


@styled
def play_on_map(found: Statistics, cell: int = 0, ax: Axes | None = None) -> Axes:
    """By how many points a knock beats going on in the same positions, by spans of own turns and deadwood.

    Blue where the knock brings more, red where going on does; pale grey where the 95 % interval holds 0, white where there were
    fewer than `ginsim.study.statistics.LEAST_PAIRS` pairs.

    Parameters
    ----------
    found : Statistics
    cell : int
        Which of ``found.cells``.
    ax : matplotlib Axes, optional
    """
    import numpy as np
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    table = found.play_on_spans(cell) if found.tells(cell, "play_on_spans") else None
    if table is None or table.empty:
        raise InputError("play_on: no knock (with deadwood) came up often enough; play more deals")
    deadwoods, spans = int(table["deadwood"].max()), int(table["span"].max()) + 1
    most = max(1.0, float(table["gain"].abs().max()))
    values, rows = np.full((deadwoods + 1, spans), np.nan), list[Any](table.itertuples())
    clear = [row for row in rows if not row.gain_low <= 0 <= row.gain_high]
    for row in clear:
        values[row.deadwood, row.span] = row.gain
    wide, high = 0.82, 0.36
    ax, given = cells_on(ax, wide * spans, high * deadwoods)
    mesh: Any = ax.pcolormesh(values, cmap=colormaps[DIVERGING], edgecolors="white", linewidth=0.6, vmin=-most, vmax=most)
    for row in rows:
        pale = row not in clear
        colour = to_rgb("#F0F0F0") if pale else mesh.cmap(mesh.norm(row.gain))
        if pale:
            ax.fill_between([row.span, row.span + 1], row.deadwood, row.deadwood + 1, color=colour, linewidth=0, zorder=0.5)
        text = f"{row.gain:+.1f}".replace("-", "\N{MINUS SIGN}")
        write_on(ax, row.span + 0.5, row.deadwood + 0.5, text, colour, 8)
    labels = [span_text(k).replace(" to ", "–").replace(" and ", "\nand ") for k in range(spans)]
    ax.set_xticks([k + 0.5 for k in range(spans)], labels)
    ax.set_yticks([k + 0.5 for k in range(1, deadwoods + 1)], [str(k) for k in range(1, deadwoods + 1)])
    ax.set_xlim(0, spans)
    ax.set_ylim(1, deadwoods + 1)
    ax.set_xlabel("own turn")
    ax.set_ylabel("deadwood (points)")
    ax.spines[:].set_visible(False)
    colour_bar(ax, mesh, "points that a knock gains over going on")
    strategy, rules = found.cells[cell]
    title = f"Knock or go on, {strategy} against {found.opponent or 'itself'}, {rules}"
    ax.set_title(textwrap.fill(title, 60) + "\ngrey: the 95 % interval holds 0", fontsize=9)
    return ax if given else fitted(ax, wide * spans, high * deadwoods)


CARD_QUESTIONS = {
    "kept": "kept to the end", "thrown": "thrown", "taken": "taken by the\nopponent", "melded": "melded by\nthe winner",
    "laid_off": "laid off",
}  # fmt: skip
"""What the panels show, and their titles."""


@styled
def card_bars(found: Statistics, cell: int = 0, ax: Axes | None = None) -> Axes:
    """How many cards of each rank a hand sees kept, thrown, taken, melded by the winner and laid off, a panel each.

    Parameters
    ----------
    found : Statistics
    cell : int
        Which of ``found.cells``.
    ax : matplotlib Axes, optional
        Shows the cards melded only.
    """
    table = found.cards(cell)
    table = table[table["suit"] == ""]
    if table.empty:
        raise InputError("cards: this result does not count them; play it again")
    shown = ["melded"] if ax else list(CARD_QUESTIONS)
    panels = [ax] if ax else new_panels(9.6, 4.2, len(shown))
    places = range(len(table))
    for panel, part in zip(panels, shown, strict=True):
        values = table[part].to_numpy()
        bounds = [values - table[f"{part}_low"].to_numpy(), table[f"{part}_high"].to_numpy() - values]
        panel.barh(places, values, 0.72, color=BLUE, xerr=bounds, error_kw={"ecolor": INK, "elinewidth": 0.9})
        panel.set_title(CARD_QUESTIONS[part], fontsize=9)
        panel.set_xlim(left=0)
        panel.grid(axis="x", color=FAINT, linewidth=0.4)
        panel.locator_params(axis="x", nbins=4)
    panels[0].set_yticks(places, list(table["rank"]))
    panels[0].set_ylim(len(table) - 0.5, -0.5)
    panels[len(panels) // 2].set_xlabel("cards of the rank per hand, of both players together, with 95 % intervals")
    if ax is None:
        strategy, rules = found.cells[cell]
        title = f"What becomes of the cards, {strategy} against {found.opponent or 'itself'}, {rules}"
        panels[0].figure.suptitle(textwrap.fill(title, 110), fontsize=9.5)
    return panels[0] if ax else settled(panels[0])


@styled
def convergence(result: Comparison | Tournament, pairing: str = "0-1", ax: Axes | None = None) -> Axes:
    """How points per hand settle as hands are played, with the band of the 95 % interval, from the records of the hands.

    Parameters
    ----------
    result : Comparison or Tournament
        With its hands kept (``keep_hands``, ``--hands``).
    pairing : str
        Which pairing of a tournament.
    ax : matplotlib Axes, optional
    """
    import numpy as np
    from scipy.special import ndtri

    table = result.hands()
    table = table[table["pairing"] == pairing]
    if table.empty:
        raise InputError(f"pairing: there is no {pairing!r}; give two numbers of strategies, such as 0-1")
    gain = table["points"].to_numpy(float) * np.select([table["winner"] == 0, table["winner"] == 1], [1.0, -1.0], 0.0)
    pairs = gain.reshape(-1, 2).mean(axis=1)
    played = np.arange(1, len(pairs) + 1)
    means = np.cumsum(pairs) / played
    spread = np.maximum(np.cumsum(pairs**2) / played - means**2, 0) * played / np.maximum(played - 1, 1)
    reach = float(ndtri(0.975)) * np.sqrt(spread / played)
    shown = np.unique(np.geomspace(min(30, len(pairs)), len(pairs), 400).astype(int)) - 1
    ax, given = axes_on(ax, 6.6, 3.6)
    hands = 2 * played[shown]
    ax.axhline(0, color=GREY, linewidth=1.0, linestyle="--", zorder=1)
    low, high = means[shown] - reach[shown], means[shown] + reach[shown]
    ax.fill_between(hands, low, high, color=BLUE, alpha=0.2, linewidth=0, label="95 % interval")
    ax.plot(hands, means[shown], color=BLUE, linewidth=1.2, label="points per hand")
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.xaxis.set_minor_formatter("")
    ax.set_xlabel("hands played")
    ax.set_ylabel("points per hand")
    some = result.pairings[tuple(map(int, pairing.split("-")))] if hasattr(result, "pairings") else result  # type: ignore[index]
    ax.set_title(textwrap.fill(f"{some.a} against {some.b}, {some.rules}", 80), fontsize=9)
    ax.grid(axis="y")
    ax.legend(fontsize=8)
    return ax if given else settled(ax)
