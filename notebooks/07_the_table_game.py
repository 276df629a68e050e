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
# # The table game
#
# ginsim's second game: melds lie on the table, anybody may add to them, and nobody knocks. Runs turn the corner (Q-K-A-2), up
# to five cards may be taken from the discard pile, and a discard may be claimed out of turn. Two to six can play.

# %%
# %matplotlib inline
from IPython.display import Markdown

import ginsim
from ginsim import plots

# %% [markdown]
# ## Does counting cards pay?
#
# Two kinds of player sit alternately at a table of four; every deal is played again with the sides changed. `table_greedy`
# plays all it can at once; `expert` keeps track of the cards and lays down its melds late.

# %%
result = ginsim.compare("expert", "table_greedy", rules="house(players=4)", deals=4_000, games=0, seed=2026)
Markdown(result.verdict())

# %%
result.summary().round(3)

# %%
ginsim.plot(result).figure

# %% [markdown]
# ## Three kinds of player at one table
#
# A novice, an intermediate player and an expert sit together. Each deal is played three times, so that everybody has every
# seat once with the same cards.

# %%
table = ginsim.mixture(["novice", "intermediate", "expert"], deals=2_000, games=0, seed=2026)
Markdown(table.verdict())

# %%
ginsim.plot(table).figure

# %% [markdown]
# ## What the house rules change
#
# One rule at a time, `table_greedy` in all seats, the same deals under each.

# %%
variants = ["(wrap=false)", "(max_pile_draw=1)", "(claims=false)", "(players=2)", "(players=6)"]
changes = ginsim.effect("house(players=4)", variants, ["table_greedy"], deals=4_000, seed=2026)
Markdown(changes.verdict())

# %%
plots.differences(changes, ["points", "own_turns", "blocked", "claims"]).figure

# %% [markdown]
# ## Is it an advantage to start?
#
# The share of hands won from each seat, by the number of players:

# %%
plots.table_seats(changes).figure

# %%
seats = result.seats_won()
first, last = seats.iloc[0], seats.iloc[-1]
Markdown(
    f"At a table of four the starter wins {first.share:.1%} of the hands ({first.low:.1%} to {first.high:.1%}), the last to play "
    f"{last.share:.1%} ({last.low:.1%} to {last.high:.1%})."
)
