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
# # Exact odds
#
# Some questions need no playing: how good is a hand as it is dealt, how likely does a pair fill, how safe is a discard? Here
# every possible hand is counted, so these figures have no error at all.

# %%
# %matplotlib inline
import math

import numpy as np
from IPython.display import Markdown

import ginsim
from ginsim import plots
from ginsim.deals import base_deck
from ginsim.exact import card_melds, danger, fill, kinds_of_melds

# %% [markdown]
# ## The hand you are dealt

# %%
dealt = ginsim.exact_deadwood(10)
Markdown(
    f"There are {dealt.hands:,} hands of ten cards. {dealt.gin:,} of them are gin as dealt, one in {dealt.hands / dealt.gin:,.0f}; "
    f"a knock is possible at once with one in {dealt.hands / dealt.knockable:,.0f}. {dealt.meldless / dealt.hands:.1%} hold no "
    f"meld. The mean deadwood is {float(dealt.mean):.6f}."
)

# %%
plots.deadwood_odds(dealt).figure

# %%
dealt.melds().round(4)

# %% [markdown]
# The count must be all the ways to choose 10 cards of 52. And dealing 100,000 hands must come near the exact mean:

# %%
print(dealt.hands == math.comb(52, 10))
decks = np.tile(base_deck(), (100_000, 1))
points = ginsim.deadwood(np.random.default_rng(1).permuted(decks, axis=1)[:, :10].sum(axis=1))
reach = 1.96 * points.std() / math.sqrt(len(points))
print(f"dealt: {points.mean():.2f} ± {reach:.2f}, exact: {float(dealt.mean):.2f}")

# %% [markdown]
# ## Sets or runs?

# %%
kinds = kinds_of_melds(10)
Markdown(f"{kinds.chance['a set']:.1%} of all hands hold a set and {kinds.chance['a run']:.1%} a run: sets come easier.")

# %% [markdown]
# ## In how many melds can a card be?

# %%
melds = card_melds()
melds[["sets", "runs", "melds", "usable"]].round(4)

# %%
Markdown(f"The {melds.melds.idxmax()} is in most melds, {melds.melds.max()}; an ace or a king only in {melds.melds.min()}.")

# %% [markdown]
# ## Which holding fills?
#
# A pair, a run of two, a run with a gap, and a triangle. The chance that one of the next draws makes a meld, if nothing but
# these cards has been seen:

# %%
holdings = {"pair": "7S 7H", "run of two": "7S 8S", "inside run": "7S 9S", "triangle": "7S 7H 8S"}
odds = {name: fill(cards, draws=range(1, 11)) for name, cards in holdings.items()}
axes = plots.style.new_axes(6.4, 3.4)
