"""The table game: how hands end under each rule, and who wins them by seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ginsim.report.plots.names import height_of, variant_labels, width_of
from ginsim.report.plots.style import GREY, INK, MARKERS, PALETTE, axes_on, legend_above, settled, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ginsim.study.effect import Effect

_ENDINGS = {"discard": "last discard", "meld": "melding all", "claim": "claim", "lowest": "lowest deadwood", "blocked": "blocked"}
_HATCHES = ("", "///", "...", "xxx", "\\\\\\")


@styled
def table_endings(effect: Effect, ax: Axes | None = None) -> Axes:
    """How hands end under each rule, in per cent of all hands (mean over the strategies), stacked."""
    labels = [f"{effect.base} (base)", *variant_labels(effect.base, effect.variants)]
    ax, given = axes_on(ax, 5.2 + width_of(labels), height_of(labels) + 1.4)
    left = [0.0] * len(labels)
    for (name, words), colour, hatch in zip(_ENDINGS.items(), (*PALETTE[:4], GREY), _HATCHES, strict=True):
        shares = [100 * effect.level(rule, name) for rule in range(len(labels))]
        if any(shares):
            style: Any = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.5}
            ax.barh(range(len(labels)), shares, 0.7, left, label=words, **style)
        left = [a + b for a, b in zip(left, shares, strict=True)]
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xlabel("share of all hands (%)")
    ax.set_ylabel("rules")
    legend_above(ax, 3)
    return ax if given else settled(ax)


@styled
def table_seats(effect: Effect, ax: Axes | None = None) -> Axes:
    """Hands won from each seat, in per cent of all hands, with 95 % intervals: one line a number of players.

    Of several rules with as many players the first is drawn. A dashed line is an equal share of the hands that were won.
    """
    ax, given = axes_on(ax, 6.0, 3.6)
    rules: dict[int, int] = {}
    for rule in range(1 + len(effect.variants)):
        rules.setdefault(effect.players(rule), rule)
    for k, (players, rule) in enumerate(sorted(rules.items())):
        found = [effect.value(rule, f"seat_{seat}") for seat in range(players)]
        equal = 100 * sum(e.value for e in found) / players
        places = [seat + 0.06 * (k - len(rules) / 2) for seat in range(players)]
        ax.plot([places[0], places[-1]], [equal, equal], color=PALETTE[k], linewidth=0.8, linestyle="--")
        reach = [100 * (e.high - e.low) / 2 for e in found]
        style: Any = {"fmt": MARKERS[k], "markersize": 5, "capsize": 2.5, "elinewidth": 1.2, "color": PALETTE[k]}
        ax.errorbar(places, [100 * e.value for e in found], reach, label=f"{players} players", **style)
    most = max(rules)
    ax.set_xticks(range(most), ["0 (starts)", *map(str, range(1, most))])
    ax.set_xlabel("seat, counted from the player who starts; the dealer sits last")
    ax.set_ylabel("hands won (% of all hands)")
    ax.set_ylim(0)
    ax.grid(axis="y")
    ax.legend(loc="upper right", ncols=2, fontsize=8.5, labelcolor=INK)
    return ax if given else settled(ax)
