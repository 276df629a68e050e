# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # When to knock
#
# A knock ends the hand while you are ahead. Waiting may bring gin, or an opponent who knocks first. Here are players who differ
# in one thing only: the deadwood they knock with.

# %%
# %matplotlib inline
from IPython.display import Markdown

import ginsim
from ginsim import plots

# %% [markdown]
# ## Everybody against everybody
#
# Six players under classic rules (25 points for gin and for an undercut), every pairing on decks of its own.

# %%
players = [f"threshold(knock={points})" for points in (0, 2, 4, 6, 8, 10)]
field = ginsim.tournament(players, rules="classic25", deals=5_000, games=0, seed=2026)
Markdown(field.verdict())

# %% [markdown]
# Each row's player against each column's, in points per hand. Hatched: cannot be told from zero.

# %%
plots.heatmap(field).figure

# %%
table = field.ranking()
table[["strategy", "points_per_hand", "points_per_hand_low", "points_per_hand_high", "hands_won"]].round(3)

# %%
first, last = table.iloc[0], table.iloc[-1]
Markdown(
    f"The best player, **{first.strategy}**, wins only {first.hands_won:.0%} of its hands; **{last.strategy}** wins "
    f"{last.hands_won:.0%} and loses {-last.points_per_hand:.2f} points a hand. Few hands, but dear ones."
)

# %% [markdown]
# ## It depends on the opponent
#
# The same question as a curve, against one who knocks as soon as possible, one who waits a little and one who plays for gin.
# All thresholds play the same decks, so even small differences show.

# %%
opponents = ["simple", "threshold(knock=4)", "gin_only"]
curve = ginsim.sweep("threshold", {"knock": range(11)}, opponents, rules="classic25", deals=10_000, seed=2026)
ginsim.plot(curve).figure

# %%
best = {}
for opponent in opponents:
    found = curve.opponent_table().query("opponent == @opponent")
    best[opponent] = found.loc[found.points_per_hand.idxmax()]
Markdown(
    "\n".join(
        f"- against **{opponent}**: {row.cell}, {row.points_per_hand:+.2f} points per hand "
        f"({row.points_per_hand_low:+.2f} to {row.points_per_hand_high:+.2f})"
        for opponent, row in best.items()
    )
)

# %% [markdown]
# ## It depends on what gin pays
#
# Now the bonus for gin grows from nothing to 50, against `simple`. Framed: the best cell.

# %%
both = ginsim.sweep(
    "threshold", {"knock": [0, 2, 4, 6, 8, 10], "rules.gin_bonus": [0, 10, 20, 30, 40, 50]}, ["simple"], deals=5_000, seed=2026
)
ginsim.plot(both).figure

# %% [markdown]
# ## How risky is a knock?
#
# `simple` against itself: how often a knock is undercut, by the knocker's turn and deadwood.

# %%
hands = ginsim.statistics(["simple"], ["classic25"], deals=50_000, seed=2026)
plots.knock_map(hands).figure

# %%
knocks = hands.knocks(0)
early, late = (knocks[(knocks.deadwood == 10) & (knocks.turn == turn)].iloc[0] for turn in (2, 10))
Markdown(
    f"A knock with 10 is undercut {early.undercut:.1%} of the time on the second turn ({early.low:.1%} to {early.high:.1%}) "
    f"and {late.undercut:.1%} on the tenth ({late.low:.1%} to {late.high:.1%})."
)
