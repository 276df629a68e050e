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
import pandas as pd
from IPython.display import Markdown

import ginsim
from ginsim import plots
from ginsim.deals import base_deck
from ginsim.exact import card_melds, danger, fill, kinds_of_melds
from ginsim.report.plots.style import PALETTE

# %% [markdown]
# ## The hand you are dealt

# %%
dealt = ginsim.exact_deadwood(10)
Markdown(
    f"There are {dealt.hands:,} hands of ten cards. {dealt.gin:,} of them are gin as dealt, one in "
    f"{dealt.hands / dealt.gin:,.0f}; a knock is possible at once with one in {dealt.hands / dealt.knockable:,.0f}. "
    f"{dealt.meldless / dealt.hands:.1%} hold no meld. The mean deadwood is {float(dealt.mean):.6f}."
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
easier = "sets" if kinds.hands["a set"] > kinds.hands["a run"] else "runs"
Markdown(f"{kinds.chance['a set']:.1%} of all hands hold a set and {kinds.chance['a run']:.1%} a run: {easier} come easier.")

# %% [markdown]
# ## In how many melds can a card be?

# %%
melds = card_melds()
melds[["sets", "runs", "melds", "usable"]].round(4)

# %%
fewest = " and ".join(melds.index[melds.melds == melds.melds.min()])
Markdown(f"The {melds.melds.idxmax()} is in most melds, {melds.melds.max()}; {fewest} only in {melds.melds.min()}.")

# %% [markdown]
# ## Which holding fills?
#
# A pair, a run of two, a run with a gap, and a triangle. The chance that one of the next draws makes a meld, if nothing but
# these cards has been seen:

# %%
holdings = {"pair": "7S 7H", "run of two": "7S 8S", "inside run": "7S 9S", "triangle": "7S 7H 8S"}
odds = {name: fill(cards, draws=range(1, 11)) for name, cards in holdings.items()}
filled = pd.DataFrame({name: odds[name].table().chance for name in holdings})
filled.loc[[1, 2, 5, 10]].round(4)

# %% [markdown]
# A pair and a run of two wait for two cards each, so their chances are the same, and the picture shows one of them.

# %%
lines = {"style": ["o-", "^-", "D-"], "color": PALETTE[:3], "grid": True, "figsize": (6.4, 3.4)}
shown = 100 * filled[["pair", "inside run", "triangle"]]
axes = shown.plot(xlabel="cards drawn", ylabel="chance of a meld (%)", **lines)

# %%
pair, inside, triangle = (filled[name][5] for name in ("pair", "inside run", "triangle"))
Markdown(
    f"In five draws a pair fills with {pair:.1%}, an inside run with {inside:.1%} and a triangle with {triangle:.1%}, which is "
    f"{triangle / pair:.1f} times the pair's chance, for three cards instead of two."
)

# %% [markdown]
# Cards that are gone change that. The same pair after one seven was seen, and the chance that the opponent holds the last one:

# %%
seen = fill("7S 7H", seen="7D", draws=[5])
print(seen)
Markdown(
    f"Now it fills with {float(seen.chance(5)):.1%} in five draws; the opponent holds the last card it needs with "
    f"{float(seen.opponent_all):.1%}."
)

# %% [markdown]
# ## Which discard is safe?
#
# The chance that the opponent, holding a random hand of the unseen cards, can meld the card at once. The king of hearts has been
# discarded, and the opponent took the nine of clubs:

# %%
risk = danger("KS QD 8C 7S 2D AC", seen="KH", known="9C")
risk.round(4)

# %%
Markdown(
    f"The safest is {risk.index[0]} ({risk.chance.iloc[0]:.1%}); {risk.index[-1]} is the most dangerous "
    f"({risk.chance.iloc[-1]:.1%})."
)
